"""The store in one SQLite file: what is particular to it."""

import contextlib
import os
import re
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from functools import partial
from pathlib import Path

import apsw
import pytest

from events.chain import Head, check_chain, hash_of
from events.sqlite import SqliteStore, connections, writing
from events.store import Appended, NoSuchGame, Stored, StoreError, Unreadable, WrongHead
from tests.events.lines import HOUSE, append, fill, line_after, opening


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where a store will be."""
    return tmp_path / "games.sqlite"


@pytest.fixture
def store(path: Path) -> Iterator[SqliteStore]:
    """An empty store."""
    store = SqliteStore(path)
    yield store
    store.close()


def _by_hand(path: Path, *statements: str) -> None:
    """Change the file behind the store's back, as anyone can who may write it."""
    with sqlite3.connect(path, timeout=10) as connection:
        for statement in statements:
            connection.execute(statement)
    connection.close()


# Opening


def test_the_settings_that_durability_stands_on_are_read_back_from_every_connection(
    store: SqliteStore,
) -> None:
    """WAL, FULL, no automatic checkpoint: for the writer, the checkpoints and the readers."""
    append(store, "g")
    list(store.read("g"))
    assert store._writer
    for connection in (store._first, store._checkpoints._connection, *store._free):
        assert connection.pragma("journal_mode") == "wal"
        assert connection.pragma("synchronous") == 2
        assert connection.pragma("wal_autocheckpoint") == 0
    assert [connection.pragma("query_only") for connection in store._free] == [1]


@pytest.mark.parametrize("setting", ("synchronous", "wal_autocheckpoint", "journal_mode"))
def test_a_setting_that_does_not_take_is_refused(
    path: Path, monkeypatch: pytest.MonkeyPatch, setting: str
) -> None:
    """A store that could lose an acknowledged entry does not open."""
    pragma = apsw.Connection.pragma

    class Deaf(apsw.Connection):
        def pragma(self, name: str, *given: object, **named: object) -> object:
            return "other" if name == setting else pragma(self, name, *given, **named)  # type: ignore[arg-type] # passed on

    monkeypatch.setattr(apsw, "Connection", Deaf)
    with pytest.raises(StoreError, match=f"{setting} at other"):
        SqliteStore(path)


@pytest.mark.parametrize("version", ("3.7.0", "3.40.1", "3.51.2"))
def test_a_sqlite_that_may_corrupt_the_file_is_refused(
    path: Path, monkeypatch: pytest.MonkeyPatch, version: str
) -> None:
    """3.7.0 to 3.51.2 may lose what one connection writes while another checkpoints."""
    monkeypatch.setattr(apsw, "sqlite_lib_version", lambda: version)
    with pytest.raises(StoreError, match=rf"SQLite {version} .* 3\.51\.3 or newer is needed"):
        SqliteStore(path)
    assert not path.exists()


@pytest.mark.parametrize("version", ("3.51.3", "3.52.0", "4.0.0"))
def test_a_sqlite_without_that_fault_is_taken(
    path: Path, monkeypatch: pytest.MonkeyPatch, version: str
) -> None:
    """From 3.51.3 on."""
    monkeypatch.setattr(apsw, "sqlite_lib_version", lambda: version)
    SqliteStore(path).close()


def test_a_file_of_a_newer_revision_is_refused_and_left_alone(store: SqliteStore, path: Path) -> None:
    """Tables that this revision does not know are not guessed at, not even for reading."""
    append(store, "g")
    store.close()
    _by_hand(path, "PRAGMA user_version = 2")
    before = path.read_bytes()
    for readonly in (False, True):
        with pytest.raises(Unreadable, match="newer revision: its tables are of version 2, this one knows 1"):
            SqliteStore(path, readonly=readonly)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "statement",
    (
        "CREATE TABLE notes (text)",
        "PRAGMA application_id = 7",
        "PRAGMA user_version = 3",
    ),
)
def test_the_sqlite_file_of_another_program_is_refused_and_left_alone(path: Path, statement: str) -> None:
    """Whatever made it, it is no store of ours and never becomes one."""
    _by_hand(path, "VACUUM", statement)
    before = path.read_bytes()
    with pytest.raises(Unreadable, match="of another program"):
        SqliteStore(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "statement",
    (
        "DROP TABLE openings",
        "DROP INDEX keys",
        "CREATE TRIGGER t AFTER INSERT ON entries BEGIN DELETE FROM entries; END",
        "CREATE VIEW v AS SELECT 1",
        "ALTER TABLE heads ADD COLUMN more TEXT",
        "PRAGMA user_version = 0",
    ),
)
def test_a_file_whose_tables_were_changed_is_refused(store: SqliteStore, path: Path, statement: str) -> None:
    """Nothing is appended where a trigger or another shape of a table might do something else with it."""
    store.close()
    _by_hand(path, statement)
    with pytest.raises(Unreadable, match="does not have the tables of a store"):
        SqliteStore(path)


@pytest.mark.parametrize(
    "content", (b"x", b"game: dragonlords\n" * 100, os.urandom(9_000), b"SQLite format 3\0" + b"x" * 5_000)
)
def test_a_file_that_is_no_sqlite_file_is_refused_and_left_alone(path: Path, content: bytes) -> None:
    """Text, noise, a header without a file behind it: a sentence that names the file."""
    path.write_bytes(content)
    for readonly in (False, True):
        with pytest.raises(Unreadable, match=r"games\.sqlite is"):
            SqliteStore(path, readonly=readonly)
    assert path.read_bytes() == content


def test_a_store_cut_off_in_the_middle_is_found_damaged(store: SqliteStore, path: Path) -> None:
    """At the latest when it is checked or read; never another exception than the store's own."""
    fill(store, "g", 200)
    store.close()
    whole = path.read_bytes()
    for size in (4_096, len(whole) // 2, len(whole) - 4_096):
        path.write_bytes(whole[:size])
        try:
            cut = SqliteStore(path)
        except Unreadable:
            continue
        try:
            found = cut.check()
            list(cut.read("g"))
        except StoreError:
            found = ["unreadable"]
        cut.close()
        assert found


def test_flipped_bits_in_the_file_are_never_another_exception_than_the_stores_own(
    store: SqliteStore, path: Path
) -> None:
    """Whatever is damaged: it opens or not, reads or not, checks or not, but says so as a `StoreError`."""
    fill(store, "g", 40)
    append(store, "g", openings=[opening(41)])
    store.close()
    whole = path.read_bytes()
    for place in range(0, len(whole), 211):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 0x55]) + whole[place + 1 :])
        try:
            damaged = SqliteStore(path, readonly=True)
        except StoreError:
            continue
        for ask in (
            damaged.check,
            damaged.games,
            partial(_count, partial(damaged.read, "g")),
            partial(_count, partial(damaged.follow, wait=0)),
        ):
            with contextlib.suppress(StoreError):
                ask()
        damaged.close()


def test_paths_where_no_store_can_be_are_refused_by_name(tmp_path: Path) -> None:
    """A folder, a missing folder, a name that no system takes."""
    for name in ("", "missing/games.db", "x" * 300 + ".db", "a\0b.db"):
        with pytest.raises(StoreError):
            SqliteStore(tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_a_store_on_a_file_system_that_machines_share_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each machine would have a shared memory of its own, and neither would see the other's locks."""
    mounts = tmp_path / "mounts"
    monkeypatch.setattr(connections, "MOUNTS", mounts)
    for text, refused in (
        ("/dev/sda / ext4 rw 0 0\nserver:/games {0} nfs4 rw 0 0\n", True),
        ("server:/ / nfs rw 0 0\n/dev/sdb {0} ext4 rw 0 0\n", False),
        ("/dev/sdb {0} ext4 rw 0 0\n//server/games {0} cifs rw 0 0\n", True),
        ("server:/games {0}/elsewhere nfs rw 0 0\n", False),
        ("nonsense\n", False),
        ("", False),
    ):
        mounts.write_text(text.format(tmp_path))
        if refused:
            with pytest.raises(StoreError, match="shared file system"):
                SqliteStore(tmp_path / "games.sqlite")
        else:
            SqliteStore(tmp_path / "games.sqlite").close()
    mounts.unlink()
    SqliteStore(tmp_path / "games.sqlite").close()


def test_a_path_means_a_file_whatever_sqlite_might_read_into_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`:memory:` and `file:` addresses are names of files like any other."""
    monkeypatch.chdir(tmp_path)
    for name in (":memory:", "file:a.db?mode=memory"):
        store = SqliteStore(Path(name))
        append(store, "g")
        store.close()
        assert (tmp_path / name).is_file()


def test_an_empty_file_becomes_a_store(path: Path) -> None:
    """That is what a crash leaves that came before the tables were made."""
    path.touch()
    store = SqliteStore(path)
    append(store, "g")
    store.close()
    path.write_bytes(b"")
    with pytest.raises(Unreadable, match="is empty"):
        SqliteStore(path, readonly=True)


def test_many_that_open_a_new_store_at_once_find_one_store(path: Path) -> None:
    """Whoever comes first makes the tables; nobody hears of a locked file."""
    program = (
        "import sys; from pathlib import Path; from events.sqlite import SqliteStore; "
        "from tests.events.lines import fill; "
        "store = SqliteStore(Path(sys.argv[1])); fill(store, sys.argv[2], 2); store.close()"
    )
    running = [
        subprocess.Popen([sys.executable, "-c", program, str(path), f"g{n}"], cwd=HOUSE) for n in range(4)
    ]
    assert [process.wait() for process in running] == [0, 0, 0, 0]
    store = SqliteStore(path)
    assert sorted(store.games()) == ["g0", "g1", "g2", "g3"]
    assert store.check() == []
    store.close()


def test_a_closed_store_leaves_one_file_with_everything_in_it(store: SqliteStore, path: Path) -> None:
    """The write-ahead log is carried over and gone: the file can be copied as it is."""
    fill(store, "g", 5)
    store.close()
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_a_store_where_nobody_may_write_is_read_as_it_is(
    store: SqliteStore, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a medium for reading only the shared files of WAL mode can't be made, and are not needed."""
    fill(store, "g", 3)
    store.close()
    monkeypatch.setattr(os, "access", lambda *_: False)
    reading = SqliteStore(path, readonly=True)
    assert [stored.id for stored in reading.read("g")] == [1, 2, 3]
    assert [file.name for file in path.parent.iterdir()] == [path.name]
    reading.close()


# One writer, one commit


def _held_up(store: SqliteStore, path: Path, act: Callable[[], None]) -> None:
    """Do something while another connection keeps the file locked, then let go."""
    other = apsw.Connection(str(path))
    other.execute("BEGIN IMMEDIATE")
    act()
    # The writer has taken the first by now, and waits for the lock.
    time.sleep(0.2)
    other.execute("ROLLBACK")
    other.close()


def test_all_that_waits_shares_one_commit(store: SqliteStore, path: Path) -> None:
    """Two hundred appends asked for while the file is locked are answered after two commits at most."""
    append(store, "warm")
    before = store._commits
    heads = [store.head("warm")]

    def ask() -> None:
        for number in range(200):
            line = line_after(Head(), note=str(number))
            futures.append(store.submit(f"g{number}", line, expected=Head()))

    futures: list[Future[Appended]] = []
    _held_up(store, path, ask)
    assert [future.result(10).head.id for future in futures] == [1] * 200
    assert len(store.games()) == 201
    assert store._commits - before <= 3
    assert heads == [store.head("warm")]


def test_what_is_refused_in_a_shared_commit_spoils_nothing_else(store: SqliteStore, path: Path) -> None:
    """Each append stands in its own savepoint: wrong heads and repeated keys among them change nothing for the rest."""
    first = append(store, "g", key="first")
    line = line_after(first, key="second")

    def ask() -> None:
        futures.extend(
            (
                store.submit("g", line, expected=first, key="second", openings=[opening(2)]),
                store.submit("g", line_after(first), expected=first, openings=[opening(2, value=b'"lost"')]),
                store.submit("new", line_after(Head(1, "x")), expected=Head(1, "x")),
                store.submit("g", line, expected=first, key="second"),
                store.submit("g", line_after(Head(2, hash_of(line))), expected=Head(2, hash_of(line))),
            )
        )

    futures: list[Future[Appended]] = []
    _held_up(store, path, ask)
    assert futures[0].result(10).head == Head(2, hash_of(line))
    with pytest.raises(WrongHead) as lost:
        futures[1].result(10)
    assert lost.value.actual == Head(2, hash_of(line))
    with pytest.raises(WrongHead):
        futures[2].result(10)
    assert futures[3].result(10).repeated
    assert futures[4].result(10).head.id == 3
    assert store.games() == ["g"]
    assert [stored.openings for stored in store.read("g")] == [(), (opening(2),), ()]
    assert store.check() == []


def test_an_append_that_is_called_off_before_its_turn_is_not_made(store: SqliteStore, path: Path) -> None:
    """Whoever cancels the future in time appends nothing; the writer goes on."""
    append(store, "g")

    def ask() -> None:
        futures.append(store.submit("a", line_after(Head()), expected=Head()))
        time.sleep(0.1)
        futures.append(store.submit("b", line_after(Head()), expected=Head()))
        assert futures[1].cancel()

    futures: list[Future[Appended]] = []
    _held_up(store, path, ask)
    assert futures[0].result(10).head.id == 1
    append(store, "c")
    assert store.games() == ["g", "a", "c"]


def test_a_file_that_stays_locked_is_an_error_and_the_store_can_be_used_afterwards(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another program that holds the lock too long: nothing is written, nothing is lost."""
    monkeypatch.setattr(connections, "PATIENCE", 100)
    store = SqliteStore(path)
    append(store, "g")
    other = apsw.Connection(str(path))
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreError, match="keeps the file locked"):
        append(store, "g")
    assert store.head("g").id == 1
    other.execute("ROLLBACK")
    append(store, "g")
    assert store.head("g").id == 2
    other.close()
    store.close()


def test_a_fault_that_nobody_foresaw_is_told_to_whoever_waits_and_the_writer_lives(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not even a fault of our own leaves a client waiting for ever."""

    def fail(*_: object) -> None:
        raise ZeroDivisionError("unforeseen")

    append(store, "g")
    with monkeypatch.context() as patched:
        patched.setattr(writing, "token", fail)
        with pytest.raises(StoreError, match="unforeseen"):
            append(store, "g")
    append(store, "g")
    assert store.head("g").id == 2
    assert store.check() == []


@pytest.mark.parametrize("room", range(8))
def test_a_full_file_fails_cleanly_and_the_store_goes_on_when_there_is_room(
    store: SqliteStore, room: int
) -> None:
    """At whichever page it is full: what was acknowledged stays, the rest is an error, and later appends succeed."""
    fill(store, "g", 3)
    pages = store._first.pragma("page_count")
    store._first.pragma("max_page_count", pages + room)
    head = _fill_up(store)
    assert store.head("g") == head
    store._first.pragma("max_page_count", 2**30)
    append(store, "g", note="x" * 3_000)
    lines = [stored.line for stored in store.read("g")]
    assert list(check_chain(lines, store.head("g"))) == []
    assert len(lines) == head.id + 1
    assert store.check() == []


def test_a_file_that_can_no_longer_be_written_is_an_error_and_reading_goes_on(store: SqliteStore) -> None:
    """Reading is what a store for reading only is for; here the file turned so while it was open."""
    append(store, "g")
    store._first.pragma("query_only", 1)
    with pytest.raises(StoreError, match="can't be written"):
        append(store, "g")
    assert len(list(store.read("g"))) == 1
    store._first.pragma("query_only", 0)
    assert append(store, "g").id == 2


def test_everything_that_was_asked_for_before_the_end_is_answered(path: Path) -> None:
    """Closing commits what waits; a future is never left alone."""
    store = SqliteStore(path)
    futures = [store.submit(f"g{number}", line_after(Head()), expected=Head()) for number in range(300)]
    store.close()
    assert {future.result(0).head.id for future in futures} == {1}
    again = SqliteStore(path)
    assert len(again.games()) == 300
    again.close()


# Checkpoints


def test_the_write_ahead_log_is_carried_over_by_a_thread_of_its_own_and_begins_anew(
    store: SqliteStore, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However much is written, the log beside the file stays small."""
    monkeypatch.setattr(writing, "PAGES", 50)
    log = path.with_name(path.name + "-wal")
    for _ in range(12):
        futures = [
            store.submit(
                f"g{number}", line_after(store.head(f"g{number}")), expected=store.head(f"g{number}")
            )
            for number in range(50)
        ]
        assert all(future.result(10) for future in futures)
        time.sleep(0.02)
    written = sum(len(stored.line) for stored in store.follow(wait=0))
    _eventually(lambda: log.stat().st_size < 3_000_000)
    assert path.stat().st_size > written / 2


def test_a_reader_that_sits_on_an_old_state_holds_up_no_append(
    store: SqliteStore, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A checkpoint that has to wait for a reader gives up soon, and comes back."""
    monkeypatch.setattr(writing, "PAGES", 10)
    fill(store, "g", 5)
    reader = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM entries").fetchall()
    fill(store, "g", 20)
    assert store.head("g").id == 25
    assert reader.execute("SELECT count(*) FROM entries").fetchall() == [(5,)]
    reader.close()
    fill(store, "g", 1)
    assert store.check() == []


# Tampering


def test_the_head_outlasts_lines_that_were_taken_away(store: SqliteStore, path: Path) -> None:
    """A cut tail is seen: the head in its own table still says how long the log was, and how it ended."""
    head = fill(store, "g", 5)
    fill(store, "h", 2)
    _by_hand(path, "DELETE FROM entries WHERE id > 3")
    assert store.head("g") == head
    assert [
        (found.entry, found.kind) for found in check_chain([s.line for s in store.read("g")], store.head("g"))
    ] == [(4, "cut")]
    assert store.check() == [f"{path}: g has 3 entries, its head says 5"]


def test_a_last_line_that_was_changed_is_seen_by_the_check(store: SqliteStore, path: Path) -> None:
    """The head keeps the hash of the last line as it was."""
    fill(store, "g", 3)
    _by_hand(
        path,
        "UPDATE entries SET line = CAST(replace(CAST(line AS TEXT), 'Note', 'Nope') AS BLOB) WHERE id = 3",
    )
    assert store.check() == [f"{path}: the last entry of g is not the one its head says"]


def test_rows_that_belong_to_no_game_are_seen_by_the_check(store: SqliteStore, path: Path) -> None:
    """Lines, heads and openings of a game that is not there."""
    fill(store, "g", 1)
    _by_hand(path, "UPDATE games SET number = 9")
    assert re.search("entries belongs to no game", "; ".join(store.check()))


def test_an_opening_can_be_destroyed_without_touching_the_lines(store: SqliteStore, path: Path) -> None:
    """What it opened stays sealed for ever; the log verifies to the same head."""
    append(store, "g", openings=[opening(1, 0, value=b'"secret"'), opening(1, 1)])
    head = store.head("g")
    _by_hand(path, "DELETE FROM openings WHERE part = 0")
    (stored,) = store.read("g")
    assert stored.openings == (opening(1, 1),)
    assert list(check_chain([stored.line], head)) == []
    assert store.check() == []


# Other processes


def test_a_follower_hears_another_process_at_once(store: SqliteStore, path: Path) -> None:
    """An entry that another process appends comes within moments, and those of this process in their order."""
    append(store, "g")
    following = store.follow(wait=20)
    assert next(following).game == "g"
    program = (
        "import sys; from pathlib import Path; from events.sqlite import SqliteStore; "
        "from tests.events.lines import fill; "
        "store = SqliteStore(Path(sys.argv[1])); fill(store, 'h', 3); store.close()"
    )
    subprocess.run([sys.executable, "-c", program, str(path)], check=True, cwd=HOUSE)
    fill(store, "g", 1)
    assert [(s.game, s.id) for s in (next(following) for _ in range(4))] == [
        ("h", 1),
        ("h", 2),
        ("h", 3),
        ("g", 2),
    ]


def test_one_game_can_be_followed_among_many(store: SqliteStore) -> None:
    """What happens in other games neither comes through nor keeps the follower awake."""
    fill(store, "a", 3)
    following = store.follow(game="a", wait=0.3)
    assert [next(following).id for _ in range(3)] == [1, 2, 3]
    writer = threading.Thread(target=fill, args=(store, "b", 200))
    writer.start()
    fill(store, "a", 1)
    assert next(following).id == 4
    assert list(following) == []
    writer.join()
    with pytest.raises(NoSuchGame):
        store.follow(game="c")


def _count(stored: Callable[[], Iterator[Stored]]) -> int:
    return sum(1 for _ in stored())


def _fill_up(store: SqliteStore) -> Head:
    """Append until the file is full, and return the last head that was acknowledged."""
    while True:
        head = store.head("g")
        try:
            append(store, "g", note="x" * 3_000)
        except StoreError as full:
            if "the disk is full" not in str(full):
                raise
            return head


def _eventually(holds: Callable[[], bool]) -> None:
    ends = time.monotonic() + 10
    while not holds() and time.monotonic() < ends:
        time.sleep(0.01)
    assert holds()
