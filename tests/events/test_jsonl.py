"""Games as JSON lines: what is particular to files that people and version control look at."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

import events.jsonl.disk
from events.chain import Head, check_chain, hash_of
from events.jsonl import JsonlStore, Log, read_log, write_log
from events.store import LONGEST_LINE, StoreError, Unreadable, Unstorable, WrongHead
from tests.events.lines import HOUSE, append, fill, line_after, opening


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder for a store that does not exist yet."""
    return tmp_path / "games"


@pytest.fixture
def store(folder: Path) -> JsonlStore:
    """An empty store."""
    return JsonlStore(folder)


# The files of one game


def test_a_game_is_three_files_that_anyone_can_check(store: JsonlStore, folder: Path) -> None:
    """One entry a line, its hash what `sha256sum` says of the line, the head as `id hash`, openings one a line."""
    append(store, "g", key="k1", openings=[opening(1), opening(1, 1)])
    append(store, "g", key="k2")
    first, second = (folder / "g.jsonl").read_bytes().splitlines()
    assert sha256(first).hexdigest().encode() in second
    assert (folder / "g.head").read_text() == f"2 {sha256(second).hexdigest()}\n"
    assert (folder / "g.openings").read_text().count("\n") == 2


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    """`read_log` gives back lines, openings and head as `write_log` took them; files that stand are left alone."""
    path, lines = tmp_path / "my game.jsonl", _chain(3)
    told = (opening(1), opening(3, 2))
    write_log(path, lines, told)
    assert read_log(path) == Log(lines, told, Head(3, hash_of(lines[-1])))
    with pytest.raises(StoreError, match="stands there already"):
        write_log(path, lines[:1])
    write_log(path, lines[:1], overwrite=True)
    assert read_log(path) == Log(lines[:1], (), Head(1, hash_of(lines[0])))
    assert sorted(file.name for file in tmp_path.iterdir()) == ["my game.head", "my game.jsonl"]


def test_a_log_without_entries_can_be_written_and_read(tmp_path: Path) -> None:
    """Before its first entry a log is an empty file, and its head is the one before any entry."""
    write_log(tmp_path / "g.jsonl", [])
    assert read_log(tmp_path / "g.jsonl") == Log([], (), Head())


@pytest.mark.parametrize("name", ("g.head", "g.openings", "g", "g.json"))
def test_a_game_is_only_written_to_a_file_of_its_kind(tmp_path: Path, name: str) -> None:
    """The files beside it take their names from it, and must not fall together with it."""
    with pytest.raises(Unstorable):
        write_log(tmp_path / name, _chain(1))
    assert list(tmp_path.iterdir()) == []


def test_without_its_head_the_tail_of_a_log_can_not_be_proved(tmp_path: Path) -> None:
    """With the head a cut tail is named; without it the log reads as whole, and is known to be unproved."""
    path, lines = tmp_path / "g.jsonl", _chain(3)
    write_log(path, lines)
    path.write_bytes(b"".join(line + b"\n" for line in lines[:2]))
    log = read_log(path)
    assert [(found.entry, found.kind) for found in check_chain(log.lines, log.head)] == [(3, "cut")]
    path.with_suffix(".head").unlink()
    log = read_log(path)
    assert log.head is None
    assert list(check_chain(log.lines, log.head)) == []
    assert "no g.head" in JsonlStore(tmp_path).check()[0]


# Torn and damaged files


@pytest.mark.parametrize("torn", (b'{"id":3', b"{", b'{"id":3}', b"\0\0\0\0\n", b'{"id":3,\0\0\0\0}\n'))
def test_a_torn_last_line_is_reported_and_left_out(tmp_path: Path, torn: bytes) -> None:
    """Without its newline, or with NULs where a power cut left nothing: never acknowledged, and never half a command."""
    path, lines = tmp_path / "g.jsonl", _chain(2)
    write_log(path, lines)
    with path.open("ab") as file:
        file.write(torn)
    assert read_log(path) == Log(lines, (), Head(2, hash_of(lines[-1])), torn)
    store = JsonlStore(tmp_path)
    assert [stored.line for stored in store.read("g")] == lines
    assert [said for said in store.check() if "torn" in said]
    append(store, "g")
    log = read_log(path)
    assert (len(log.lines), log.torn) == (3, None)
    assert list(check_chain(log.lines, log.head)) == []
    assert store.check() == []
    assert path.with_name("g.jsonl.torn").read_bytes() == torn + b"\n"  # laid aside, never thrown away


@pytest.mark.parametrize("junk", (b"", b'{"id":', b"my remark", b'{"id":"x"}', b"[3]", b"null", b"\xff\xfe"))
def test_a_whole_line_after_the_last_entry_that_is_none_is_no_torn_one(tmp_path: Path, junk: bytes) -> None:
    """Nobody who appends leaves it so: it is told with its number, its size and what would have been right."""
    path, lines = tmp_path / "g.jsonl", _chain(2)
    write_log(path, lines)
    with path.open("ab") as file:
        file.write(junk + b"\n")
    log = read_log(path)
    assert log == Log(lines, (), Head(2, hash_of(lines[-1])), None, junk)
    expected = "line 3: expected entry 3, one JSON object with its `id`, or the end of the file; found "
    expected += f"{len(junk)} bytes that are none" if junk else "an empty line"
    assert log.strays == expected
    store = JsonlStore(tmp_path)
    assert store.check() == [f"{path}, {expected}; it is left out"]
    append(store, "g")
    assert (read_log(path).junk, store.check()) == (None, [])
    assert path.with_name("g.jsonl.torn").read_bytes() == junk + b"\n\n"  # laid aside, never thrown away


def test_a_torn_line_that_was_acknowledged_is_damage_and_nothing_is_appended_over_it(tmp_path: Path) -> None:
    """The head says that the entry was there: the store neither hides that nor writes over what is left of it."""
    path, lines = tmp_path / "g.jsonl", _chain(3)
    write_log(path, lines)
    path.write_bytes(path.read_bytes()[:-20])
    log = read_log(path)
    assert (len(log.lines), log.head, log.torn) == (2, Head(3, hash_of(lines[2])), lines[2][:-19])
    store = JsonlStore(tmp_path)
    assert store.head("g") == Head(3, hash_of(lines[2]))
    before = path.read_bytes()
    with pytest.raises(Unreadable, match="3 entries"):
        store.append("g", line_after(store.head("g")), expected=store.head("g"))
    assert path.read_bytes() == before
    assert [said for said in store.check() if "its head says 3 entries" in said]


def test_lines_that_are_no_text_are_handed_over_so_that_the_chain_can_name_the_entry(tmp_path: Path) -> None:
    """A flipped bit may leave UTF-8 or JSON behind; the log is still read, and the entry is named."""
    path, lines = tmp_path / "g.jsonl", _chain(3)
    write_log(path, lines)
    for damaged in (lines[1].replace(b"Note", b"N\xffte"), lines[1].replace(b"{", b";"), b""):
        path.write_bytes(b"".join(line + b"\n" for line in (lines[0], damaged, lines[2])))
        log = read_log(path)
        assert next(iter(check_chain(log.lines, log.head))).entry == 2


@pytest.mark.parametrize(
    ("content", "said"),
    (
        (b"\x89PNG\r\n\x1a\n\0\0", "line 1: expected an entry"),
        (b"game: dragonlords\nseats: orc, elf\nend\n", "line 1: expected an entry"),
        (b'[{"id":1}]\n[]\n', "line 1: expected an entry"),
        (b'{"id":1}\r\n{"id":2}\r\n', "line 1: expected lines that end in LF alone"),
        (b'{"id":1}\n' + b" " * (LONGEST_LINE + 1) + b"\n", "line 2: expected at most"),
        (b"x" * (LONGEST_LINE + 2), "line 1: expected at most"),
    ),
    ids=("picture", "scoresheet", "arrays", "CR LF", "line too long", "no lines"),
)
def test_a_file_that_is_no_log_is_refused_with_file_and_line(
    tmp_path: Path, content: bytes, said: str
) -> None:
    """The error names the file, the line, and what was expected there."""
    path = tmp_path / "g.jsonl"
    path.write_bytes(content)
    with pytest.raises(Unreadable, match=f"g.jsonl, {said}"):
        read_log(path)


def test_files_beside_a_log_that_say_something_else_are_refused_by_name(tmp_path: Path) -> None:
    """A head that is no head and openings that are none: which file, which line."""
    path = tmp_path / "g.jsonl"
    write_log(path, _chain(2), [opening(1), opening(2)])
    beside = path.with_suffix(".openings")
    beside.write_bytes(b'{"entry":1}\n' + beside.read_bytes())
    with pytest.raises(Unreadable, match=r"g\.openings, line 1: expected an opening"):
        read_log(path)
    beside.unlink()
    for text in ("", "2", "2 abc", "x " + "0" * 64, f"2 {'0' * 64} more", "2 " + "é" * 64, "-2 " + "0" * 64):
        path.with_suffix(".head").write_text(text, encoding="utf-8")
        with pytest.raises(Unreadable, match=r"g\.head, line 1: expected an id and a hash"):
            read_log(path)
        with pytest.raises(Unreadable, match=r"g\.head"):
            JsonlStore(tmp_path).head("g")
        assert "g.head" in JsonlStore(tmp_path).check()[0]


def test_paths_that_can_not_be_read_are_refused_by_name(tmp_path: Path) -> None:
    """A folder, nothing at all, something beneath a file: each is an error of the store, never another."""
    (tmp_path / "folder.jsonl").mkdir()
    (tmp_path / "file").touch()
    for path in ("folder.jsonl", "nothing.jsonl", "file/g.jsonl", "x" * 300 + ".jsonl"):
        with pytest.raises(StoreError, match=path[:20]):
            read_log(tmp_path / path)
    for path in ("file", "file/under"):
        with pytest.raises(StoreError, match="file"):
            JsonlStore(tmp_path / path)


def test_openings_of_an_entry_that_never_came_are_left_out(tmp_path: Path) -> None:
    """Openings are written before their line; a crash between them leaves openings of no entry."""
    path = tmp_path / "g.jsonl"
    write_log(path, _chain(1), [opening(1)])
    with path.with_suffix(".openings").open("ab") as file:
        file.write(
            path.with_suffix(".openings").read_bytes().replace(b'"entry":1', b'"entry":2') + b'{"entry":2,'
        )
    assert read_log(path).openings == (opening(1),)
    store = JsonlStore(tmp_path)
    assert [stored.openings for stored in store.read("g")] == [(opening(1),)]
    append(store, "g", openings=[opening(2, value=b'"mine"')])
    assert read_log(path).openings == (opening(1), opening(2, value=b'"mine"'))


# Crashes and faults in the midst of an append


class Crash(BaseException):
    """The program ends here: nothing after this line runs."""


class Disk:
    """The operating system, until its `last` call that changes a file (0: none); a write in that call is done by half."""

    def __init__(self, last: int, fault: BaseException) -> None:
        self._left, self._fault = last, fault
        self.failed = False

    def __getattr__(self, name: str) -> Any:
        act = getattr(os, name)
        return self._counted(act, name) if name in {"pwrite", "ftruncate", "fsync", "truncate"} else act

    def _counted(self, act: Callable[..., Any], name: str) -> Callable[..., Any]:
        def call(*given: Any) -> Any:
            self._left -= 1
            if self._left != 0:
                # Syncing takes time and tells nothing here: tests/stress cuts the power.
                return None if name == "fsync" else act(*given)
            self.failed = True
            if name == "pwrite":
                act(given[0], given[1][: len(given[1]) // 2], given[2])
            raise self._fault

        return call


def _faulty_appends(
    folder: Path, monkeypatch: pytest.MonkeyPatch, fault: BaseException
) -> Iterator[JsonlStore]:
    """Yield a store after each way in which the fourth append can fail, until it no longer does."""
    for last in range(1, 100):
        store = JsonlStore(folder / str(last))
        append(store, "other")
        for _ in range(3):
            append(store, "g", key=f"k{store.head('g').id + 1}", openings=[opening(store.head("g").id + 1)])
        disk = Disk(last, fault)
        with monkeypatch.context() as patched:
            patched.setattr(events.jsonl.disk, "os", disk)
            try:
                append(store, "g", key="k4", openings=[opening(4, value=b'"lost"')])
            except (Crash, StoreError):
                pass
            else:
                assert not disk.failed
                assert last > 8, "too few steps were counted"
                return
        yield store
    pytest.fail("the append never came to its end")


def test_a_crash_between_any_two_writes_loses_nothing_and_leaves_nothing_half(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wherever an append ends, three entries stand; asked again with its key the fourth is there once."""
    for crashed in _faulty_appends(folder, monkeypatch, Crash()):
        store = JsonlStore(crashed._folder)
        _holds_three_or_four(store)
        assert list(check_chain([stored.line for stored in store.read("g")], store.head("g"))) == []
        _appends_the_fourth_once(store)


def test_a_full_disk_anywhere_in_an_append_leaves_the_store_as_it_was(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same store goes on once there is room again; so does another that is opened then."""
    for store in _faulty_appends(folder, monkeypatch, OSError(28, "No space left on device")):
        _holds_three_or_four(JsonlStore(store._folder, readonly=True))
        _appends_the_fourth_once(store)
        _appends_the_fourth_once(JsonlStore(store._folder))


def test_one_crash_after_another_loses_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A second append that ends anywhere after a first that ended anywhere: the log is whole, and goes on."""
    for first in range(1, 15):
        for second in range(1, 20):
            store = JsonlStore(folder / f"{first}.{second}")
            monkeypatch.setattr(events.jsonl.disk, "os", Disk(0, Crash()))
            kept = [append(store, "g", openings=[opening(1)])]
            for last in (first, second):
                monkeypatch.setattr(events.jsonl.disk, "os", Disk(last, Crash()))
                try:
                    kept.append(append(store, "g", openings=[opening(store.head("g").id + 1)]))
                except Crash:
                    store = JsonlStore(store._folder)
            monkeypatch.setattr(events.jsonl.disk, "os", Disk(0, Crash()))
            kept.append(append(store, "g"))
            lines = [stored.line for stored in store.read("g")]
            assert list(check_chain(lines, store.head("g"))) == []
            assert [hash_of(lines[head.id - 1]) for head in kept] == [head.hash for head in kept]
            assert store.check() == []


def _holds_three_or_four(store: JsonlStore) -> None:
    assert len(list(store.read("g"))) == store.head("g").id
    assert store.head("g").id in {3, 4}
    for stored in store.read("g", upto=3):
        assert stored.openings == (opening(stored.id),)


def _appends_the_fourth_once(store: JsonlStore) -> None:
    head = Head(3, hash_of(list(store.read("g"))[2].line))
    line = line_after(head, key="k4")
    told = [opening(4, value=b'"lost"')]
    store.append("g", line, expected=head, key="k4", openings=told)
    assert [stored.id for stored in store.read("g")] == [1, 2, 3, 4]
    assert list(store.read("g"))[3].openings == tuple(told)
    assert read_log(store._folder / "g.jsonl").head == Head(4, hash_of(line))
    assert [(stored.game, stored.id) for stored in store.follow(wait=0)] == [
        ("other", 1), *(("g", entry) for entry in (1, 2, 3, 4)),
    ]  # fmt: skip
    assert store.check() == []


def test_a_line_that_does_not_continue_the_head_is_no_leftover_of_a_crash(tmp_path: Path) -> None:
    """One whole line after the head is what a crash leaves only if its `prev` is the head's hash."""
    path, lines = tmp_path / "g.jsonl", _chain(3)
    write_log(path, lines[:2])
    for forged in (line_after(Head(2, "0" * 64)), line_after(Head(5, hash_of(lines[1])))):
        path.write_bytes(b"".join(line + b"\n" for line in (*lines[:2], forged)))
        assert read_log(path).head == Head(2, hash_of(lines[1]))
        assert list(check_chain(read_log(path).lines, read_log(path).head))
        with pytest.raises(Unreadable, match="its head says 2 entries"):
            JsonlStore(tmp_path).append("g", lines[2], expected=Head(2, hash_of(lines[1])), key="k3")


# Two writers


def test_another_process_that_appends_is_noticed(store: JsonlStore, folder: Path) -> None:
    """The tail is read again under the lock: head, keys and positions are those of the file, not of memory."""
    fill(store, "g", 2)
    program = (
        "import sys; from pathlib import Path; from events.jsonl import JsonlStore; from tests.events.lines import fill;"
        "store = JsonlStore(Path(sys.argv[1])); fill(store, 'g', 3); fill(store, 'h', 1)"
    )
    subprocess.run([sys.executable, "-c", program, str(folder)], check=True, cwd=HOUSE)
    assert store.head("g").id == 5
    assert store.find("g", "k5") == 5
    with pytest.raises(WrongHead):
        store.append("g", line_after(Head()), expected=Head())
    fill(store, "g", 1)
    assert [(stored.game, stored.id) for stored in store.follow(wait=0)] == [
        *(("g", entry) for entry in (1, 2, 3, 4, 5)), ("h", 1), ("g", 6),
    ]  # fmt: skip


def test_the_key_that_is_given_is_the_key_in_the_line(store: JsonlStore) -> None:
    """Keys are read from the lines; a line that holds another would forget its own after the next start."""
    for line, key in (
        (line_after(Head(), key="a"), "b"),
        (line_after(Head(), key="a"), ""),
        (line_after(Head()), "a"),
    ):
        with pytest.raises(Unstorable, match="the line holds the key"):
            store.append("g", line, expected=Head(), key=key)
    with pytest.raises(Unstorable, match="expected an entry"):
        store.append("g", b"no entry", expected=Head())
    assert store.games() == []


# Folders that people fill


def test_games_copied_into_a_folder_come_after_those_that_were_there(store: JsonlStore, folder: Path) -> None:
    """What has no place in the order across games gets one, after all others, by name; and keeps it."""
    fill(store, "m", 2)
    write_log(folder / "z.jsonl", _chain(2))
    write_log(folder / "a.jsonl", _chain(1))
    expected = [("m", 1), ("m", 2), ("a", 1), ("z", 1), ("z", 2)]
    assert store.games() == ["m", "a", "z"]
    assert [(stored.game, stored.id) for stored in store.follow(wait=0)] == expected
    fill(store, "m", 1)
    for again in (store, JsonlStore(folder), JsonlStore(folder, readonly=True)):
        assert [(stored.game, stored.id) for stored in again.follow(wait=0)] == [*expected, ("m", 3)]
        assert again.games() == ["m", "a", "z"]


def test_a_plain_folder_of_logs_is_read_without_adding_a_file_to_it(tmp_path: Path) -> None:
    """A store opened for reading only leaves recordings under version control exactly as they are."""
    write_log(tmp_path / "b.jsonl", _chain(2), [opening(2)])
    write_log(tmp_path / "a.jsonl", _chain(1))
    (tmp_path / "README.md").write_text("Recordings.")
    (tmp_path / "w8.score").write_text("game: dragonlords")
    before = sorted(path.name for path in tmp_path.iterdir())
    store = JsonlStore(tmp_path, readonly=True)
    assert store.games() == ["a", "b"]
    assert [(stored.game, stored.id) for stored in store.follow(wait=0)] == [("a", 1), ("b", 1), ("b", 2)]
    assert [stored.position for stored in store.read("b")] == [
        stored.position for stored in store.follow(game="b", wait=0)
    ]
    assert store.check() == []
    assert sorted(path.name for path in tmp_path.iterdir()) == before


def test_a_reader_only_follows_what_others_place_meanwhile(store: JsonlStore, folder: Path) -> None:
    """Entries that the reader placed in its memory alone make room for those that are placed for all."""
    fill(store, "m", 1)
    write_log(folder / "z.jsonl", _chain(2))
    reading = JsonlStore(folder, readonly=True)
    assert [(stored.game, stored.id) for stored in reading.follow(wait=0)] == [("m", 1), ("z", 1), ("z", 2)]
    following = reading.follow(wait=5)
    assert [next(following).game for _ in range(3)] == ["m", "z", "z"]
    fill(store, "z", 1)
    assert [(stored.game, stored.id) for stored in [next(following)]] == [("z", 3)]


def test_an_order_across_games_that_is_damaged_is_named_and_can_be_made_anew(
    store: JsonlStore, folder: Path
) -> None:
    """`.positions` holds nothing but the order: without it every game is still whole."""
    fill(store, "a", 2)
    positions = folder / ".positions"
    for damage in (b"a 3\n", b"a\n", b"a x\n", b"\xff\n"):
        positions.write_bytes(b"a 1\n" + damage + b"a 2\n")
        with pytest.raises(Unreadable, match=r"\.positions, line 2"):
            JsonlStore(folder).follow(wait=0)
        assert ".positions, line 2" in JsonlStore(folder).check()[0]
        # As the last line it is what a crash has left, and is written over.
        positions.write_bytes(b"a 1\n" + damage.strip())
        assert [stored.id for stored in JsonlStore(folder).follow(wait=0)] == [1, 2]
        assert positions.read_bytes() == b"a 1\na 2\n"
    positions.write_bytes(b"a 1\na 2\na 3\n")
    with pytest.raises(Unreadable, match="entry 3 was placed and is not there"):
        list(JsonlStore(folder).follow(wait=0))
    positions.unlink()
    assert [stored.id for stored in JsonlStore(folder).follow(wait=0)] == [1, 2]


def _chain(count: int) -> list[bytes]:
    lines: list[bytes] = []
    head = Head()
    for _ in range(count):
        lines.append(line_after(head, key=f"k{head.id + 1}"))
        head = Head(head.id + 1, hash_of(lines[-1]))
    return lines
