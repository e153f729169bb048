"""The chain: one changed byte, a dropped, repeated, moved or forged entry, a cut tail: each is named."""

import random
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.chain import Head, check_chain, hash_of
from tests.events.lines import line_after

COUNT = 12


def _log(count: int = COUNT) -> tuple[list[bytes], Head]:
    """Return the lines of a whole log, and its head."""
    lines: list[bytes] = []
    head = Head()
    for _ in range(count):
        lines.append(line_after(head, key=f"k{head.id}" if head.id % 3 else "", note=f"note {head.id}"))
        head = Head(head.id + 1, hash_of(lines[-1]))
    return lines, head


LINES, HEAD = _log()


def _named(lines: list[bytes], head: Head | None = HEAD) -> list[tuple[int, str]]:
    return [(found.entry, found.kind) for found in check_chain(lines, head)]


def test_a_whole_log_has_nothing_to_be_named() -> None:
    """With its head or without, empty or not."""
    assert _named(LINES) == _named(LINES, None) == _named([], Head()) == _named([], None) == []


def test_the_hash_of_an_entry_is_sha256_of_its_stored_line() -> None:
    """Anyone can check it: `sha256sum` of the line without its newline."""
    assert hash_of(b"") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    assert LINES[1].count(hash_of(LINES[0]).encode()) == 1


# One byte


def _places() -> list[tuple[int, int]]:
    return [(entry, place) for entry, line in enumerate(LINES, start=1) for place in range(len(line))]


def _flip(entry: int, place: int, byte: int) -> list[bytes]:
    line = bytearray(LINES[entry - 1])
    line[place] = byte
    return [*LINES[: entry - 1], bytes(line), *LINES[entry:]]


def test_any_byte_of_any_entry_that_is_changed_names_that_entry_and_no_other() -> None:
    """Every byte of every line, with its lowest bit flipped, as a digit, and as what is no UTF-8."""
    for entry, place in _places():
        for byte in {LINES[entry - 1][place] ^ 1, ord("7"), 0xFF} - {LINES[entry - 1][place]}:
            assert {named for named, _ in _named(_flip(entry, place, byte))} == {entry}, (entry, place, byte)


@given(st.sampled_from(_places()), st.integers(0, 255))
def test_whatever_a_byte_is_changed_to_its_entry_is_named(where: tuple[int, int], byte: int) -> None:
    """Any of the 255 other values."""
    entry, place = where
    if byte != LINES[entry - 1][place]:
        assert {named for named, _ in _named(_flip(entry, place, byte))} == {entry}


def test_any_byte_of_the_file_that_is_changed_names_its_entry(rounds: Callable[[int], int]) -> None:
    """Line breaks included: one written into a line breaks it in two, one overwritten joins two entries."""
    whole = b"".join(line + b"\n" for line in LINES)
    dice = random.Random(7)
    for _ in range(rounds(50_000)):
        place, byte = (
            dice.randrange(len(whole) - 1),
            dice.choice((10, 13, 32, 34, 48, 125, dice.randrange(256))),
        )
        if byte == whole[place]:
            continue
        entry = whole[:place].count(b"\n") + 1
        file = whole[:place] + bytes([byte]) + whole[place + 1 :]
        named = {found for found, _ in _named(file.removesuffix(b"\n").split(b"\n"))}
        assert named == ({entry, entry + 1} if whole[place] == 10 else {entry}), (place, byte)


def test_without_the_head_a_changed_byte_is_still_named_where_somebody_can_know_of_it() -> None:
    """Only the last line has no follower that keeps its hash: a change of it may pass, or its `prev` accuse the line before."""
    for entry, place in _places():
        if LINES[entry - 1][place] == ord("7"):
            continue
        named = {named for named, _ in _named(_flip(entry, place, ord("7")), None)}
        assert named == {entry} if entry < COUNT else named <= {entry, entry - 1}


# Whole entries


@pytest.mark.parametrize("entry", range(1, COUNT + 1))
def test_a_dropped_entry_is_named_as_missing(entry: int) -> None:
    """Not its follower as changed. The last one is a cut tail, which only the head can tell."""
    lines = [*LINES[: entry - 1], *LINES[entry:]]
    assert _named(lines) == [(entry, "missing" if entry < COUNT else "cut")]
    assert _named(lines, None) == ([(entry, "missing")] if entry < COUNT else [])


@pytest.mark.parametrize("entry", range(1, COUNT))
def test_several_dropped_entries_are_named_once_with_how_many_they_are(entry: int) -> None:
    """A gap is one break, however wide."""
    (found,) = check_chain([*LINES[: entry - 1], *LINES[entry + 1 :]], HEAD)
    assert found.entry == entry
    if entry < COUNT - 1:
        assert found.expected == f"entries {entry} to {entry + 1}"


@pytest.mark.parametrize("entry", range(1, COUNT + 1))
def test_a_repeated_entry_is_named_wherever_it_stands(entry: int) -> None:
    """Beside itself, at the very beginning, at the end: the others stand where they stood."""
    for at in range(COUNT + 1):
        assert _named([*LINES[:at], LINES[entry - 1], *LINES[at:]]) == [(entry, "repeated")]


@pytest.mark.parametrize("entry", range(1, COUNT + 1))
def test_an_entry_of_another_log_is_named_where_it_stands(entry: int) -> None:
    """An id beyond the end, or one that stands there already."""
    far = line_after(Head(99, "0" * 64))
    assert _named([*LINES[: entry - 1], far, *LINES[entry - 1 :]])[0][0] == entry
    assert _named([*LINES[: entry - 1], b'{"id":0,"prev":"0"}', *LINES[entry - 1 :]]) == [(entry, "added")]


@pytest.mark.parametrize("entry", range(1, COUNT))
def test_an_entry_that_was_moved_is_named_and_no_other(entry: int) -> None:
    """To any other place; a move by one place may as well be the neighbour's."""
    for at in range(COUNT):
        rest = [*LINES[: entry - 1], *LINES[entry:]]
        named = _named([*rest[:at], LINES[entry - 1], *rest[at:]])
        if abs(at + 1 - entry) > 1:
            assert named == [(entry, "moved")]
        elif at + 1 != entry:
            assert named in ([(entry, "moved")], [(at + 1, "moved")])


@pytest.mark.parametrize("entry", range(1, COUNT))
def test_two_swapped_neighbours_are_named_by_the_first(entry: int) -> None:
    """The entry that should have come first stands further on."""
    lines = [*LINES]
    lines[entry - 1], lines[entry] = lines[entry], lines[entry - 1]
    named = _named(lines)
    assert named[0][0] == entry
    assert (entry, "moved") in named
    assert {found for found, _ in named} == {entry}


@given(st.integers(1, COUNT), st.integers(1, COUNT))
def test_any_two_swapped_entries_are_named(first: int, second: int) -> None:
    """The first break is where the first of them should have stood."""
    lines = [*LINES]
    lines[first - 1], lines[second - 1] = lines[second - 1], lines[first - 1]
    named = _named(lines)
    assert bool(named) == (first != second)
    if named:
        assert named[0][0] == min(first, second)
        assert all(min(first, second) <= found <= max(first, second) for found, _ in named)


@pytest.mark.parametrize("count", range(COUNT))
def test_a_cut_tail_is_named_by_the_head(count: int) -> None:
    """However much is left: the first entry that is gone, and how many there were."""
    (found,) = check_chain(LINES[:count], HEAD)
    assert (found.entry, found.kind) == (count + 1, "cut")
    assert found.expected == f"{COUNT} entries, as the head says"


def test_entries_that_the_head_knows_nothing_of_are_named_as_added() -> None:
    """A forged continuation chains well, and is none of the log that the head stands for."""
    head = Head(COUNT - 2, hash_of(LINES[COUNT - 3]))
    assert _named(LINES, head) == [(COUNT - 1, "added")]


# Forgeries


@pytest.mark.parametrize("entry", range(1, COUNT + 1))
def test_a_forged_entry_is_named_and_a_rewritten_rest_is_named_by_the_head(entry: int) -> None:
    """Who changes an entry has to rewrite all that follow; the head still knows how the log ended."""
    forged = [*LINES[: entry - 1], LINES[entry - 1].replace(b"note", b"lies"), *LINES[entry:]]
    assert _named(forged) == [(entry, "changed")]
    rewritten = forged[:entry]
    head = Head(entry, hash_of(rewritten[-1]))
    for line in LINES[entry:]:
        old = hash_of(LINES[head.id - 1]).encode()
        rewritten.append(line.replace(old, head.hash.encode()))
        head = Head(head.id + 1, hash_of(rewritten[-1]))
    assert _named(rewritten) == [(COUNT, "changed")]
    assert _named(rewritten, head) == []


def test_a_log_that_is_renumbered_over_a_dropped_entry_is_broken_there() -> None:
    """New ids close the gap; the hashes do not."""
    lines = [
        line.replace(b'"id":%d,' % (at + 2), b'"id":%d,' % (at + 1))
        for at, line in enumerate(LINES[5:], start=4)
    ]
    named = _named([*LINES[:4], *lines])
    assert named[0][0] in {4, 5}


def test_the_first_entry_continues_nothing() -> None:
    """A `prev` in the first line would hang the log on something that is not there."""
    line = LINES[0].replace(b'"id":1', b'"id":1,"prev":"' + b"0" * 64 + b'"')
    assert _named([line], Head(1, hash_of(line))) == [(1, "changed")]


@pytest.mark.parametrize(
    "line",
    (
        b"",
        b"null",
        b"[]",
        b"{}",
        b'{"id":"4"}',
        b'{"id":4.0}',
        b'{"id":true}',
        b'{"id":4,"prev":1}',
        b'{"id":4,"prev":null}',
        b"\xff\xfe",
        b'{"id":4,"x":"\xff"}',
        b"[" * 100_000,
        b'{"id":4,"x":' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        b'{"id":' + b"9" * 5_000 + b"}",
    ),
)
def test_a_line_that_is_no_entry_at_all_is_named_where_it_stands(line: bytes) -> None:
    """No JSON, no object, no id, ids of the wrong kind or beyond all measure, nesting without end."""
    named = _named([*LINES[:3], line, *LINES[4:]])
    assert {found for found, _ in named} == {4}


@given(
    st.lists(
        st.sampled_from(
            [*LINES, b"", b"{", b'{"id":-3}', b'{"id":5,"prev":"x"}', b'{"id":99999999999999999999}']
        )
    )
)
def test_any_heap_of_lines_is_judged_without_a_fault(lines: list[bytes]) -> None:
    """Breaks come in the order of entries; a heap is whole only if it is the beginning of the log, up to its head."""
    found = list(check_chain(lines, HEAD))
    assert [each.entry for each in found] == sorted(each.entry for each in found)
    assert bool(found) == (lines != LINES)
    assert bool(list(check_chain(lines))) == (lines != LINES[: len(lines)])
