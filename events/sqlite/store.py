"""The store in one SQLite file."""

import contextlib
import os
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from itertools import pairwise
from pathlib import Path
from typing import Any

import apsw
from msgspec import Raw, json

from events.chain import Head, hash_of
from events.seals import Opening
from events.sqlite.connections import connect, prepare, telling
from events.sqlite.writing import Checkpoints, Writer, token
from events.store import (
    Appended,
    Closed,
    NoSuchGame,
    Position,
    Stored,
    StoreError,
    Unreadable,
    is_name,
    nameable,
    storable,
)

__all__ = ["SqliteStore"]

POLL = 0.05
"""Seconds between two looks at whether another process has appended."""
PAGE = 500
"""Entries read at once: no reader keeps the write-ahead log from beginning anew for long."""

After = Callable[[int], list[tuple[Stored, int]]]
"""Gives the entries after a place, each with its own place."""

_ENDS = (
    "SELECT g.name, h.id, h.hash, (SELECT count(*) FROM entries e WHERE e.game = g.number), "
    "(SELECT e.line FROM entries e WHERE e.game = g.number AND e.id = h.id) "
    "FROM games g LEFT JOIN heads h ON h.game = g.number ORDER BY g.number"
)

_seats = json.Decoder(tuple[str, ...])


class SqliteStore:
    """A SQLite file of games, behind the protocol of `events.store.Store`, for any number of threads and processes."""

    def __init__(self, path: Path, *, readonly: bool = False, vfs: str | None = None) -> None:
        """Take the file, made when it is missing; raise `Unreadable` when it is something else.

        `readonly` appends nothing and makes nothing; `vfs` names another of apsw's file systems.
        """
        self._path = Path(path).absolute()
        self._readonly = readonly
        self._vfs = vfs
        self._closed = False
        self._news = threading.Condition()
        self._commits = 0
        self._free: deque[apsw.Connection] = deque()
        self._first = prepare(self._path, readonly=readonly, vfs=vfs)
        self._writer: Writer | None = None
        if not readonly:
            pen = threading.Lock()
            self._checkpoints = Checkpoints(connect(self._path, vfs=vfs), pen)
            self._writer = Writer(self._first, self._path, pen, self._tell, self._checkpoints.grown)

    def append(
        self, game: str, line: bytes, *, expected: Head, key: str = "", openings: Sequence[Opening] = ()
    ) -> Appended:
        """Keep a line as entry `expected.id + 1` and answer once it is durable; see `events.store.Store.append`."""
        return self._writing(game, line, expected, openings).append(game, line, expected, key, openings)

    def submit(
        self, game: str, line: bytes, *, expected: Head, key: str = "", openings: Sequence[Opening] = ()
    ) -> "Future[Appended]":
        """Queue an append and return at once; the future says what `append` would return or raise."""
        return self._writing(game, line, expected, openings).submit(game, line, expected, key, openings)

    def _writing(self, game: str, line: bytes, expected: Head, openings: Sequence[Opening]) -> Writer:
        nameable(game)
        storable(game, line, expected.id + 1, openings)
        if self._writer is None:
            raise StoreError(f"{self._path} was opened for reading only")
        return self._writer

    def read(self, game: str, since: int = 0, upto: int | None = None) -> Iterator[Stored]:
        """Yield the entries after `since`, up to and including `upto`; see `events.store.Store.read`."""
        return self._reading(game, self._number(game), since, upto)

    def head(self, game: str) -> Head:
        """Return where a game's log ends; `Head()` for a game that is not there."""
        found = self._ask(
            (int, str),
            "SELECT id, hash FROM heads WHERE game = (SELECT number FROM games WHERE name = ?)",
            game,
        )
        return Head(*found[0]) if found and is_name(game) else Head()

    def games(self) -> list[str]:
        """Return the names of the games, in the order in which they were opened."""
        return [name for (name,) in self._ask((str,), "SELECT name FROM games ORDER BY number")]

    def find(self, game: str, key: str) -> int | None:
        """Return the entry that was appended under an idempotency key, or None."""
        number = self._number(game)
        found = self._ask((int,), "SELECT id FROM entries WHERE game = ? AND key = ?", number, key)
        return found[0][0] if found else None

    def follow(
        self, since: Position = "", game: str | None = None, *, wait: float | None = None
    ) -> Iterator[Stored]:
        """Yield entries after a position, then new ones as they come; see `events.store.Store.follow`."""
        place = self._place(since)
        if game is None:
            return self._following(self._after, place, wait)
        number = self._number(game)
        seen = self._ask(
            (int,),
            "SELECT id FROM entries WHERE game = ? AND position <= ? ORDER BY id DESC LIMIT 1",
            number,
            place,
        )
        return self._following(
            lambda last: [(stored, stored.id) for stored in self._page(game, number, last, 2**62)],
            seen[0][0] if seen else 0,
            wait,
        )

    def backup(self, to: Path) -> None:
        """Write a whole copy to a path where nothing stands yet, while others go on writing."""
        to = Path(to).absolute()
        half = to.with_name(f".{to.name}.half")
        if to.exists():
            raise StoreError(f"{to} stands there already")
        try:
            half.unlink(missing_ok=True)
            with self._reader() as source, telling(half):
                _copy(source, half)
            half.rename(to)
            _sync(to.parent)
        except OSError as fault:
            raise StoreError(f"{to}: {fault.strerror or fault}") from fault
        finally:
            with contextlib.suppress(OSError):
                half.unlink(missing_ok=True)

    def check(self) -> list[str]:
        """Return what is wrong with the file, in sentences; empty when it is sound."""
        with self._reader() as connection:
            said = [text for (text,) in connection.execute("PRAGMA integrity_check") if text != "ok"]
            said += [
                f"a row of {row[0]} belongs to no game"
                for row in connection.execute("PRAGMA foreign_key_check")
            ]
            said += [trouble for row in connection.execute(_ENDS) if (trouble := _trouble(*row))]
        return [f"{self._path}: {trouble}" for trouble in said]

    def close(self) -> None:
        """Answer what waits and let go of files and threads; the store can't be used afterwards."""
        self._closed = True
        with self._news:
            self._news.notify_all()
        if self._writer is not None:
            self._writer.close()
            self._checkpoints.close()
        self._drain()
        # Last of all: whoever may write carries the log over into the file, and leaves one file behind.
        self._first.close()

    # Reading

    @contextlib.contextmanager
    def _reader(self) -> Iterator[apsw.Connection]:
        """Lend a connection that nobody else uses meanwhile."""
        if self._closed:
            raise Closed(f"{self._path}: the store was closed")
        try:
            connection = self._free.pop()
        except IndexError:
            connection = connect(self._path, readonly=True, vfs=self._vfs)
        try:
            with telling(self._path):
                yield connection
        finally:
            self._give_back(connection)

    def _give_back(self, connection: apsw.Connection) -> None:
        self._free.append(connection)
        if self._closed:
            self._drain()

    def _drain(self) -> None:
        with contextlib.suppress(IndexError):
            while True:
                self._free.pop().close()

    def _ask(self, kinds: tuple[type, ...], question: str, *values: Any) -> list[Any]:
        """Return rows of these kinds of values; a damaged file may hold others, whatever its tables say."""
        with self._reader() as connection:
            rows = connection.execute(question, values).fetchall()
        for row in rows:
            if tuple(map(type, row)) != kinds:
                raise Unreadable(
                    f"{self._path} is damaged: it holds values of the wrong kind; nothing was written"
                )
        return rows

    def _number(self, game: str) -> int:
        found = self._ask((int,), "SELECT number FROM games WHERE name = ?", game) if is_name(game) else []
        if not found:
            raise NoSuchGame(f"{self._path} holds no game {game!r}")
        return int(found[0][0])

    def _reading(self, game: str, number: int, since: int, upto: int | None) -> Iterator[Stored]:
        last, end = since, 2**62 if upto is None else upto
        while page := self._page(game, number, last, end):
            yield from page
            last = page[-1].id
            if len(page) < PAGE:
                return

    def _page(self, game: str, number: int, since: int, upto: int) -> list[Stored]:
        rows = self._ask(
            (int, int, bytes),
            "SELECT position, id, line FROM entries WHERE game = ? AND id > ? AND id <= ? ORDER BY id LIMIT ?",
            number,
            since,
            upto,
            PAGE,
        )
        self._rising([since, *(row[1] for row in rows)])
        told = self._openings(number, rows[0][1], rows[-1][1]) if rows else {}
        return [Stored(game, id_, line, told.get(id_, ()), token(position)) for position, id_, line in rows]

    def _rising(self, numbers: list[int]) -> None:
        """See that a reading goes on: in a damaged file it might go round and round."""
        if any(after <= before for before, after in pairwise(numbers)):
            raise Unreadable(f"{self._path} is damaged: its entries are out of order; nothing was written")

    def _openings(self, number: int, first: int, last: int) -> dict[int, tuple[Opening, ...]]:
        told: dict[int, tuple[Opening, ...]] = {}
        for id_, part, salt, seats, value in self._ask(
            (int, int, str, str, bytes),
            "SELECT id, part, salt, seats, value FROM openings WHERE game = ? AND id BETWEEN ? AND ? ORDER BY id, part",
            number,
            first,
            last,
        ):
            try:
                opening = Opening(id_, part, salt, _seats.decode(seats), Raw(value))
            except ValueError as fault:
                raise Unreadable(
                    f"{self._path}: an opening of entry {id_} names no seats: {fault}"
                ) from fault
            told[id_] = (*told.get(id_, ()), opening)
        return told

    # Following

    def _place(self, since: Position) -> int:
        try:
            place = int(since or "0", 16)
        except ValueError:
            place = -1
        if place < 0 or since not in ("", token(place)):
            raise StoreError(f"{since!r} is no position of this store")
        return place

    def _following(self, after: After, last: int, wait: float | None) -> Iterator[Stored]:
        """Yield what comes after `last` in the order that `after` counts in."""
        ends = None if wait is None else time.monotonic() + wait
        while True:
            seen = self._commits
            over = ends is not None and time.monotonic() >= ends
            new = after(last)
            for stored, place in new:
                yield stored
                last = place
            if new:
                ends = None if wait is None else time.monotonic() + wait
            elif over:
                return
            else:
                self._await(seen, ends)

    def _after(self, last: int) -> list[tuple[Stored, int]]:
        # Whoever writes, positions are given under the write lock: none below one that was seen comes late.
        rows = self._ask(
            (int, int, str, int, bytes),
            "SELECT e.position, e.game, g.name, e.id, e.line FROM entries e JOIN games g ON g.number = e.game "
            "WHERE e.position > ? ORDER BY e.position LIMIT ?",
            last,
            PAGE,
        )
        self._rising([last, *(row[0] for row in rows)])
        told: dict[int, dict[int, tuple[Opening, ...]]] = {}
        for game in {row[1] for row in rows}:
            ids = [row[3] for row in rows if row[1] == game]
            told[game] = self._openings(game, min(ids), max(ids))
        return [
            (Stored(name, id_, line, told[game].get(id_, ()), token(position)), position)
            for position, game, name, id_, line in rows
        ]

    def _tell(self) -> None:
        with self._news:
            self._commits += 1
            self._news.notify_all()

    def _await(self, seen: int, ends: float | None) -> None:
        """Wait for a commit of this process, a moment in which another may have committed, or the end."""
        patience = POLL if ends is None else max(0.0, min(POLL, ends - time.monotonic()))
        with self._news:
            self._news.wait_for(lambda: self._commits != seen or self._closed, patience)


def _trouble(name: object, id_: object, hash_: object, count: object, line: object) -> str:
    """Return what is wrong between a game's head and its entries, as far as the store can see that."""
    if id_ != count:
        return f"{name} has {count} entries, its head says {id_}"
    if not isinstance(line, bytes) or hash_of(line) != hash_:
        return f"the last entry of {name} is not the one its head says"
    return ""


def _copy(source: apsw.Connection, to: Path) -> None:
    copy = apsw.Connection(str(to))
    try:
        with copy.backup("main", source, "main") as backup:
            # In one step: what is written meanwhile goes to the write-ahead log and is no part of the copy.
            backup.step(-1)
        copy.pragma("journal_mode", "delete")
    finally:
        copy.close()


def _sync(folder: Path) -> None:
    file = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(file)
    finally:
        os.close(file)
