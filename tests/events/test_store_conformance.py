"""What every store promises, asked of each in turn."""

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Protocol

import pytest
from msgspec import Raw

from events.chain import Head, check_chain, hash_of
from events.seals import COMMAND, Opening, for_seat
from events.store import (
    LONGEST_LINE,
    Appended,
    Closed,
    NoSuchGame,
    Store,
    Stored,
    StoreError,
    Unreadable,
    Unstorable,
    WrongHead,
)
from tests.events.lines import append, fill, line_after, opening


class Shelf(Protocol):
    path: Path

    def open(self, *, path: Path | None = None, readonly: bool = False) -> Store: ...


# Appending


def test_an_append_answers_with_id_and_hash_of_the_stored_line(store: Store) -> None:
    """The new head is the entry's id and the hash of the very bytes that were stored."""
    line = line_after(Head())
    assert store.append("g", line, expected=Head()).head == Head(1, hash_of(line))
    assert store.head("g") == Head(1, hash_of(line))


def test_what_is_read_is_byte_for_byte_what_was_appended(store: Store) -> None:
    """A store never writes a line anew: what it gives back hashes to the same value."""
    line = '{"id":1,"note":"Þing, \\u0007, 天, \\\\n"}'.encode()
    store.append("g", line, expected=Head())
    assert [stored.line for stored in store.read("g")] == [line]


def test_everything_is_there_after_the_store_was_closed_and_opened_again(shelf: Shelf) -> None:
    """Lines, openings, heads, keys, positions and the order of games outlast the program."""
    store = shelf.open()
    fill(store, "second.to_none", 3)
    append(store, "a", openings=[opening(1)])
    before = list(store.follow(wait=0))
    store.close()
    again = shelf.open()
    assert list(again.follow(wait=0)) == before
    assert again.games() == ["second.to_none", "a"]
    assert again.head("second.to_none") == Head(3, hash_of(before[2].line))
    assert again.find("second.to_none", "k2") == 2
    fill(again, "second.to_none", 1)
    assert again.head("second.to_none").id == 4


def test_an_append_that_does_not_continue_the_head_is_refused_with_the_head_that_stands(store: Store) -> None:
    """Too early, too late, or with another hash: `WrongHead` says where the log really ends; nothing is kept."""
    head = fill(store, "g", 2)
    for expected in (Head(), Head(1, "0" * 64), Head(2, "0" * 64), Head(3, head.hash)):
        with pytest.raises(WrongHead) as refused:
            store.append("g", line_after(expected), expected=expected)
        assert (refused.value.game, refused.value.expected, refused.value.actual) == ("g", expected, head)
    assert store.head("g") == head
    assert len(list(store.read("g"))) == 2


def test_a_game_that_is_not_there_can_only_begin_at_its_first_entry(store: Store) -> None:
    """Nothing can be appended to a log that has no first entry, and the try does not make the game."""
    with pytest.raises(WrongHead) as refused:
        store.append("g", line_after(Head(1, "0" * 64)), expected=Head(1, "0" * 64))
    assert refused.value.actual == Head()
    assert store.games() == []


def test_the_same_key_again_keeps_one_entry_and_gives_the_same_answer(store: Store) -> None:
    """Who did not hear the answer may ask again: whatever head is expected, the earlier entry comes back."""
    line = line_after(Head(), key="first")
    first = store.append("g", line, expected=Head(), key="first")
    assert not first.repeated
    end = fill(store, "g", 2)
    for expected in (Head(), end):
        again = store.append("g", line, expected=expected, key="first")
        assert again == Appended(first.head, first.position, repeated=True)
    assert len(list(store.read("g"))) == 3
    assert store.find("g", "first") == 1


def test_the_same_key_in_two_games_means_two_entries(store: Store) -> None:
    """Keys are a matter of one game; games know nothing of each other."""
    append(store, "a", key="same")
    append(store, "b", key="same")
    assert (store.find("a", "same"), store.find("b", "same")) == (1, 1)


def test_entries_without_a_key_never_count_as_repeated(store: Store) -> None:
    """No key is no key, not a key that all such entries share."""
    append(store, "g")
    append(store, "g")
    assert store.head("g").id == 2
    assert store.find("g", "") is None


def test_a_key_that_was_never_used_is_not_found(store: Store) -> None:
    """Looking for a key answers with an entry or with nothing."""
    append(store, "g", key="known")
    assert store.find("g", "unknown") is None


@pytest.mark.parametrize(
    "name",
    (
        "",
        ".",
        "..",
        ".hidden",
        "a/b",
        "../a",
        "a\\b",
        "a b",
        "a\0",
        "a\n",
        "þing",
        "-a",
        "_a",
        "a.",
        "a" * 101,
        "a:b",
    ),
)
def test_names_of_games_that_could_be_paths_or_tricks_are_refused(store: Store, name: str) -> None:
    """A name is letters, digits, `.`, `_` and `-`, so that it is a file name everywhere and leads nowhere else."""
    with pytest.raises(Unstorable):
        store.append(name, line_after(Head()), expected=Head())
    with pytest.raises(NoSuchGame):
        store.read(name)
    assert store.head(name) == Head()
    assert store.games() == []


@pytest.mark.parametrize("name", ("a", "W8", "2026-03-01_evening", "g.jsonl", "g.head", "a..b", "a" * 100))
def test_names_of_letters_digits_dots_dashes_and_underscores_are_kept(store: Store, name: str) -> None:
    """Any such name comes back as it was given, whatever files its store keeps."""
    append(store, "g")
    append(store, name)
    assert store.games() == ["g", name]
    assert [stored.game for stored in store.read(name)] == [name]


@pytest.mark.parametrize(
    "line",
    (b"", b'{"id":1}\n', b'{"id":1}\r', b'{"id":\n1}', b" " * (LONGEST_LINE + 1)),
    ids=["empty", "newline", "carriage return", "broken in two", "too long"],
)
def test_a_line_that_could_not_be_read_back_is_refused(store: Store, line: bytes) -> None:
    """A line is one line; a store that took another could not give it back."""
    with pytest.raises(Unstorable):
        store.append("g", line, expected=Head())
    assert store.games() == []


@pytest.mark.parametrize(
    "openings",
    (
        [opening(2)],
        [opening(1), opening(1)],
        [opening(1, value=b"")],
        [opening(1, value=b"{")],
        [opening(1, value=b"{\n}")],
        [opening(1, value=b" 1")],
    ),
    ids=["of another entry", "two for a part", "empty", "no JSON", "on two lines", "padded"],
)
def test_openings_that_could_not_be_read_back_are_refused(store: Store, openings: list[Opening]) -> None:
    """An opening that does not come back byte for byte would never fit its digest again."""
    with pytest.raises(Unstorable):
        store.append("g", line_after(Head()), expected=Head(), openings=openings)
    assert store.games() == []


# Reading


def test_a_range_of_entries_can_be_read(store: Store) -> None:
    """`since` is left out, `upto` is included; beyond the end there is nothing."""
    fill(store, "g", 5)

    def ids(since: int = 0, upto: int | None = None) -> list[int]:
        return [stored.id for stored in store.read("g", since, upto)]

    assert ids() == [1, 2, 3, 4, 5]
    assert ids(3) == [4, 5]
    assert ids(1, 3) == [2, 3]
    assert ids(0, 99) == [1, 2, 3, 4, 5]
    assert ids(5) == ids(99) == ids(3, 2) == []


def test_long_logs_are_read_whole(store: Store) -> None:
    """More entries than a store reads at once come back in order, unbroken."""
    head = fill(store, "g", 603)
    lines = [stored.line for stored in store.read("g")]
    assert len(lines) == 603
    assert list(check_chain(lines, head)) == []


def test_a_game_that_is_not_there_is_named(store: Store) -> None:
    """Reading, looking for a key and following all say so at once; its head is the one before any entry."""
    for act in (store.read, lambda game: store.find(game, "k"), lambda game: store.follow(game=game)):
        with pytest.raises(NoSuchGame, match="nobody"):
            act("nobody")
    assert store.head("nobody") == Head()


def test_games_are_listed_in_the_order_in_which_they_were_opened(store: Store) -> None:
    """Not by name, and not by their last entry."""
    for name in ("c", "a", "b", "c"):
        append(store, name)
    assert store.games() == ["c", "a", "b"]


def test_openings_come_back_with_their_entry_and_can_be_asked_for_by_seat(store: Store) -> None:
    """A seat's view is the same lines and its own openings, command and facts alike."""
    mine = opening(1, COMMAND, to=("orc",), value=b'{"Do":"Hide","chip":"king"}')
    ours = opening(1, 0, to=("orc", "elf"))
    theirs = opening(1, 2, to=("elf",), value=b"[1,2]")
    append(store, "g", openings=[ours, theirs, mine])
    append(store, "g", note="nothing sealed")
    append(store, "g", openings=[opening(3)])
    stored = list(store.read("g"))
    assert [len(entry.openings) for entry in stored] == [3, 0, 1]
    assert {bytes(told.value) for told in stored[0].openings} == {
        bytes(o.value) for o in (mine, ours, theirs)
    }
    assert sorted(for_seat(stored[0].openings, "orc"), key=lambda told: told.part) == [mine, ours]
    assert for_seat(stored[0].openings, "elf") == tuple(o for o in stored[0].openings if o in (ours, theirs))
    assert for_seat(stored[0].openings, "dwarf") == ()
    assert [entry.openings for entry in store.follow(wait=0)] == [entry.openings for entry in stored]


def test_a_refused_append_leaves_no_openings_behind(store: Store) -> None:
    """Openings of an entry that lost the race are gone with it, and never open another's digests."""
    with pytest.raises(WrongHead):
        store.append(
            "g", line_after(Head()), expected=Head(0, "0" * 64), openings=[opening(1, value=b'"lost"')]
        )
    append(store, "g", openings=[opening(1, value=b'"won"')])
    assert [bytes(told.value) for entry in store.read("g") for told in entry.openings] == [b'"won"']


# Many at once


def test_of_many_that_answer_one_question_one_wins_and_all_others_hear_of_it(shelf: Shelf) -> None:
    """Sixteen threads over two opened stores append on the same head: one entry, fifteen told the head that stands."""
    stores = [shelf.open(), shelf.open()]
    head = fill(stores[0], "g", 1)
    start = threading.Barrier(16)

    def race(number: int) -> Appended | WrongHead:
        line = line_after(head, note=str(number))
        start.wait()
        try:
            return stores[number % 2].append("g", line, expected=head)
        except WrongHead as lost:
            return lost

    with ThreadPoolExecutor(16) as pool:
        answers = list(pool.map(race, range(16)))
    won = [answer for answer in answers if isinstance(answer, Appended)]
    assert [answer.head for answer in won] == [stores[0].head("g")]
    assert {answer.actual for answer in answers if isinstance(answer, WrongHead)} == {won[0].head}
    assert stores[1].head("g").id == 2


def test_many_threads_that_try_again_all_get_their_entries_in(store: Store) -> None:
    """Eight threads, twelve entries each, one game: every one is there once, and the chain holds."""

    def write(name: int) -> None:
        for number in range(12):
            _insist(store, "g", f"{name}.{number}")

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(write, range(8)))
    stored = list(store.read("g"))
    assert len(stored) == 96
    assert list(check_chain([entry.line for entry in stored], store.head("g"))) == []
    assert {store.find("g", f"{name}.{number}") for name in range(8) for number in range(12)} == set(
        range(1, 97)
    )


def test_the_same_key_from_many_threads_at_once_is_one_entry(store: Store) -> None:
    """A client that fires its request again before the first is answered still has one entry."""
    line = line_after(Head(), key="once")
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: store.append("g", line, expected=Head(), key="once"), range(8)))
    assert len({answer.head for answer in answers}) == 1
    assert [answer.repeated for answer in answers].count(False) == 1
    assert store.head("g").id == 1


# Positions and following


def test_positions_order_all_entries_as_they_were_appended(store: Store) -> None:
    """Compared as text, the tokens are in order across games, whatever lies between them."""
    tokens = []
    for number in range(40):
        game = f"g{number % 3}"
        head = store.head(game)
        tokens.append(store.append(game, line_after(head), expected=head).position)
    assert tokens == sorted(set(tokens))
    assert [stored.position for stored in store.follow(wait=0)] == tokens
    assert [stored.position for stored in store.read("g1")] == tokens[1::3]


def test_following_from_a_position_gives_what_came_after_it(store: Store) -> None:
    """Whether the token came from an append, a reading or a following; of all games or of one."""
    fill(store, "a", 2)
    fill(store, "b", 2)
    fill(store, "a", 1)
    everything = list(store.follow(wait=0))
    assert [(stored.game, stored.id) for stored in everything] == [
        ("a", 1),
        ("a", 2),
        ("b", 1),
        ("b", 2),
        ("a", 3),
    ]
    for number, stored in enumerate(everything, start=1):
        assert list(store.follow(stored.position, wait=0)) == everything[number:]
        assert list(store.follow(stored.position, "a", wait=0)) == [
            s for s in everything[number:] if s.game == "a"
        ]


@pytest.mark.parametrize(
    "token", ("x", "1", "-000000000000001", "g" * 16, "0" * 17, "٣" * 16, "0x00000000000001")
)
def test_a_token_that_no_store_gave_is_refused(store: Store, token: str) -> None:
    """A position is not for guessing: what is none is said to be none."""
    append(store, "g")
    with pytest.raises(StoreError, match="no position"):
        store.follow(token, wait=0)


def test_a_follower_catches_up_and_then_hears_live_without_gap_or_double(shelf: Shelf) -> None:
    """Followers that begin while others write, through the same store or another, see every entry once, in order."""
    writing, watching = shelf.open(), shelf.open()
    fill(writing, "g0", 50)
    total = 50 + 3 * 60

    def watch(store: Store, game: str | None, count: int) -> list[Stored]:
        seen: list[Stored] = []
        for stored in store.follow(game=game, wait=20):
            seen.append(stored)
            if len(seen) == count:
                break
        return seen

    with ThreadPoolExecutor(8) as pool:
        writers = [pool.submit(fill, writing, f"g{number}", 60) for number in range(3)]
        while "g1" not in watching.games():
            time.sleep(0.001)
        here = pool.submit(watch, writing, None, total)
        there = pool.submit(watch, watching, None, total)
        one = pool.submit(watch, watching, "g1", 60)
        for writer in writers:
            writer.result()
        seen = here.result()
    assert len(seen) == total
    assert seen == there.result() == list(writing.follow(wait=0))
    assert one.result() == [stored for stored in seen if stored.game == "g1"]
    for game in ("g0", "g1", "g2"):
        assert [stored.id for stored in seen if stored.game == game] == list(
            range(1, writing.head(game).id + 1)
        )


def test_following_ends_when_nothing_came_for_as_long_as_was_said(store: Store) -> None:
    """`wait=0` only catches up; a longer wait begins anew with each entry."""
    append(store, "g")
    assert len(list(store.follow(wait=0))) == 1
    began = time.monotonic()
    assert len(list(store.follow(wait=0.2))) == 1
    assert time.monotonic() - began >= 0.2


def test_a_follower_of_a_store_that_is_closed_is_told(shelf: Shelf) -> None:
    """Nobody waits for ever on a store that will never speak again."""
    store = shelf.open()
    append(store, "g")
    following = store.follow()
    next(following)
    threading.Timer(0.05, store.close).start()
    with pytest.raises(Closed):
        next(following)


# Copies, checks, and the end


def test_a_backup_is_a_whole_store_of_its_own(shelf: Shelf, tmp_path: Path) -> None:
    """It opens, holds the same, and goes its own way."""
    store = shelf.open()
    fill(store, "a", 3)
    append(store, "b", openings=[opening(1)])
    copy = tmp_path / f"copy{shelf.path.suffix}"
    store.backup(copy)
    fill(store, "a", 1)
    copied = shelf.open(path=copy)
    assert [s.id for s in copied.follow(wait=0)] == [1, 2, 3, 1]
    assert list(copied.read("b")) == list(store.read("b"))
    assert copied.check() == []
    fill(copied, "a", 2)
    assert (store.head("a").id, copied.head("a").id) == (4, 5)


def test_a_backup_taken_while_others_write_is_consistent(shelf: Shelf, tmp_path: Path) -> None:
    """Each game in the copy is a whole log up to some entry, and its head says so."""
    store = shelf.open()
    fill(store, "a", 20)
    with ThreadPoolExecutor(2) as pool:
        writers = [pool.submit(fill, store, game, 60) for game in ("a", "b")]
        for number in range(4):
            store.backup(tmp_path / f"copy{number}{shelf.path.suffix}")
        for writer in writers:
            writer.result()
    for number in range(4):
        copy = shelf.open(path=tmp_path / f"copy{number}{shelf.path.suffix}", readonly=True)
        assert copy.check() == []
        for game in copy.games():
            assert list(check_chain([s.line for s in copy.read(game)], copy.head(game))) == []


def test_a_backup_never_overwrites_anything(shelf: Shelf, tmp_path: Path) -> None:
    """Where something stands, it stays."""
    store = shelf.open()
    append(store, "g")
    there = tmp_path / "there"
    there.write_text("precious")
    with pytest.raises(StoreError, match="stands there already"):
        store.backup(there)
    assert there.read_text() == "precious"


def test_a_sound_store_has_nothing_to_complain_of(store: Store) -> None:
    """Empty or full, the check of a store that was only used finds nothing."""
    assert store.check() == []
    fill(store, "a", 3)
    append(store, "b", openings=[opening(1)])
    assert store.check() == []


def test_a_store_opened_for_reading_only_reads_everything_and_writes_nothing(
    shelf: Shelf, tmp_path: Path
) -> None:
    """What was there is there; an append is refused; no file comes or goes."""
    store = shelf.open()
    fill(store, "a", 3)
    append(store, "b", openings=[opening(1)])
    before = list(store.follow(wait=0))
    store.close()
    files = {path.relative_to(tmp_path) for path in tmp_path.rglob("*")}
    reading = shelf.open(readonly=True)
    assert list(reading.follow(wait=0)) == before
    assert reading.games() == ["a", "b"]
    assert reading.check() == []
    with pytest.raises(StoreError, match="reading only"):
        append(reading, "a")
    reading.close()
    assert {path.relative_to(tmp_path) for path in tmp_path.rglob("*")} == files


def test_nothing_is_made_when_a_store_that_is_not_there_is_opened_for_reading(shelf: Shelf) -> None:
    """A slip in a path is an error, not an empty store."""
    with pytest.raises(Unreadable):
        shelf.open(readonly=True)
    assert not shelf.path.exists()


def test_a_closed_store_says_so(shelf: Shelf) -> None:
    """Whatever is asked of it, and however often it is closed."""
    store = shelf.open()
    append(store, "g")
    reading = store.read("g")
    store.close()
    store.close()
    acts: list[Callable[[], object]] = [
        lambda: store.append("g", line_after(Head()), expected=Head()),
        lambda: store.read("g"),
        lambda: next(reading),
        lambda: store.head("g"),
        store.games,
        lambda: store.find("g", "k"),
        lambda: list(store.follow(wait=0)),
        lambda: store.backup(shelf.path.with_name("copy")),
        store.check,
    ]
    for act in acts:
        with pytest.raises(Closed):
            act()


def test_values_with_every_kind_of_json_come_back_in_openings(store: Store) -> None:
    """An opening's value is kept as bytes: numbers beyond any reader's range, odd spacing, escapes."""
    values = [
        b'{"b":1, "a":[ ]}',
        b"123456789012345678901234567890",
        rb'"\u00e9 \ud83c\udfb2"',
        '"é\u2028"'.encode(),
    ]
    told = [Opening(1, part, "ff", ("orc",), Raw(value)) for part, value in enumerate(values)]
    append(store, "g", openings=told)
    (stored,) = store.read("g")
    assert [bytes(opening.value) for opening in stored.openings] == values


def _insist(store: Store, game: str, key: str) -> None:
    """Append on whatever the head is, again and again until it holds."""
    head = store.head(game)
    while True:
        try:
            store.append(game, line_after(head, key), expected=head, key=key)
        except WrongHead as lost:
            head = lost.actual
        else:
            return
