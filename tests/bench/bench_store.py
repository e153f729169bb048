"""Durable appends: what the stores take on top of a raw checked append, and what shared commits give back.

The floors are measured in turns with the stores, in the same run: disks vary more than anything that is compared here.
"""

import os
import shutil
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol

sys.path.insert(0, str(Path(__file__).parents[2]))

import apsw

from events.chain import Head
from events.jsonl import JsonlStore
from events.sqlite import SqliteStore
from events.store import Store
from tests.bench.run import Row

ROUNDS = 9
COUNT = 500
"""Appends a round, of one client: a checkpoint falls into each, or the floor would go without."""
WRITERS = 32
EACH = 20
"""Appends a round, of each of many clients."""
LINE = (
    '{"at":"2026-03-01T12:00:00Z","command":{"Do":"Attack","origin":"Northmark","place":"Southmark","units":4},'
    '"facts":[{"Fact":"Rolled","because":["QD-10.5"],"counts":{"Counts":"Hits","faces":[5,6]},"die":"d6",'
    '"faces":[5,5,6,3],"owner":"orc","purpose":"attack"},{"Fact":"UnitsLost","because":["QD-10.6"],"count":2,'
    '"kind":"knight","place":"Southmark","seat":"elf"}],"id":%d,"key":"%s","parent":%d,"prev":"%s","seat":"orc"}'
)
"""An entry of the usual size."""


class Contestant(Protocol):
    def run(self, count: int) -> None: ...


class Disk:
    """The disk itself: 4 KiB at the end of a file, and wait until they are there."""

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)

    def run(self, count: int) -> None:
        for _ in range(count):
            os.write(self._file, b"x" * 4096)
            os.fdatasync(self._file)


class Raw:
    """The least that SQLite does for a checked append: see that the entry comes next, insert it, commit."""

    def __init__(self, path: Path) -> None:
        self._connection = apsw.Connection(str(path))
        # Checkpoints as SQLite makes them by itself: a log that only grew would be the slower floor.
        for name, value in (("journal_mode", "wal"), ("synchronous", "FULL")):
            self._connection.pragma(name, value)
        self._connection.execute(
            "CREATE TABLE entries (position INTEGER PRIMARY KEY, game TEXT, id INTEGER, line BLOB, UNIQUE (game, id))"
        )
        self._last = 0

    def run(self, count: int) -> None:
        ask = self._connection.execute
        for _ in range(count):
            self._last += 1
            line = (LINE % (self._last, f"k{self._last}", self._last - 1, "0" * 64)).encode()
            ask("BEGIN IMMEDIATE")
            (last,) = ask("SELECT max(id) FROM entries WHERE game = ?", ("g",)).fetchone() or (None,)
            assert (last or 0) == self._last - 1
            ask("INSERT INTO entries (game, id, line) VALUES (?, ?, ?)", ("g", self._last, line))
            ask("COMMIT")


class Client:
    """One client of a store, on a game of its own."""

    def __init__(self, store: Store, game: str) -> None:
        self._store, self._game, self._head = store, game, Head()

    def run(self, count: int) -> None:
        for _ in range(count):
            entry = self._head.id + 1
            line = (LINE % (entry, f"k{entry}", self._head.id, self._head.hash)).encode()
            answer = self._store.append(self._game, line, expected=self._head, key=f"k{entry}")
            self._head = answer.head


class Crowd:
    """Many clients of one store at once."""

    def __init__(self, store: Store) -> None:
        self._clients = [Client(store, f"g{number}") for number in range(WRITERS)]

    def run(self, count: int) -> None:
        threads = [threading.Thread(target=client.run, args=(count // WRITERS,)) for client in self._clients]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()


def bench_append() -> Iterator[Row]:
    """Yield the share of a raw checked append that one client reaches, and how many disk syncs a crowd is worth."""
    results = Path(__file__).parent / "results"  # on the disk of the checkout, and not in git
    results.mkdir(exist_ok=True)
    folder = Path(tempfile.mkdtemp(dir=results))
    store, lines = SqliteStore(folder / "store.sqlite"), JsonlStore(folder / "store")
    try:
        disk, raw = Disk(folder / "disk"), Raw(folder / "raw.sqlite")
        one, crowd = Client(store, "alone"), Crowd(store)
        yield _row("durable append, one client (of a raw one)", raw, one, COUNT, COUNT, 0.70, 0.80)
        yield _row(
            f"durable append, {WRITERS} writers (of disk syncs)", disk, crowd, COUNT, WRITERS * EACH, 1.5, 2.0
        )
        yield _row(
            "the same, one client on JSON lines (of a raw one)",
            raw,
            Client(lines, "alone"),
            COUNT,
            COUNT,
            0.1,
            0.2,
        )
    finally:
        store.close()
        lines.close()
        shutil.rmtree(folder)


def _row(
    name: str, floor: Contestant, work: Contestant, least: int, count: int, aim: float, goal: float
) -> Row:
    _rate(floor, least)
    _rate(work, count)
    taken: list[tuple[float, float]] = [(_rate(floor, least), _rate(work, count)) for _ in range(ROUNDS)]
    share = statistics.median(ours / theirs for theirs, ours in taken)
    floors, ours = (statistics.median(rates) for rates in zip(*taken, strict=True))
    return Row(name, share, aim, goal, f"{ours:,.0f}/s, floor {floors:,.0f}/s")


def _rate(contestant: Contestant, count: int) -> float:
    began = time.perf_counter()
    contestant.run(count)
    return count / (time.perf_counter() - began)


def main() -> None:
    """Print the rows."""
    rows: list[Any] = list(bench_append())
    print(*rows, sep="\n")


if __name__ == "__main__":
    main()
