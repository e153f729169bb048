"""Tables that are kept in a file: which logs they hold as they are now, so that only new ones are read.

A corpus holds whatever was ever read into it. A log that has grown is read anew; one whose file is gone stays.
"""

import contextlib
from collections.abc import Iterable, Iterator
from functools import partial
from hashlib import sha256

import duckdb
from msgspec import structs

from replay.questions.columns import TABLES, create
from replay.questions.tables.filling import HELPERS
from replay.questions.tables.sources import Log, Reading

__all__ = ["Kept", "OtherCorpus"]

_SHAPE = sha256("".join(map(create, TABLES)).encode()).hexdigest()[:16]
"""Tells tables of this revision from others."""
_GAMES = {
    "entries": "game",
    "facts": "game",
    "rolls": "game",
    "rulings": "game",
    "battles": "game",
    "seats": "game",
    "games": "id",
}


class OtherCorpus(ValueError):
    """Raised when a file is a corpus of another revision, or was read with the eyes of somebody else."""


class Kept:
    """What the tables of a connection hold already."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, reading: Reading) -> None:
        """Make the tables, unless they are there; raise `OtherCorpus` when they are not what this reading makes."""
        self._connection, self._corpus = connection, reading.corpus
        how = f"{_SHAPE} seat={reading.as_seat} openings={reading.openings} copies={reading.copies}"
        there = {row[0] for row in connection.execute("SELECT table_name FROM duckdb_tables()").fetchall()}
        if not there:
            for name in TABLES:
                connection.execute(create(name))
            connection.execute(
                "CREATE TABLE kept (place VARCHAR, game VARCHAR, mark VARCHAR, opening VARCHAR)"
            )
            connection.execute("CREATE TABLE corpus (how VARCHAR, filling BOOLEAN)")
            connection.execute("INSERT INTO corpus VALUES (?, false)", [how])
            return
        if "corpus" not in there:
            raise OtherCorpus(f"{reading.corpus} is a database, but no corpus of logs; name another file")
        ((was, filling),) = connection.execute("FROM corpus").fetchall()
        if was != how:
            raise OtherCorpus(
                f"{reading.corpus} was read by another revision, or with other openings; name another file for this"
            )
        if filling:
            self._clear()

    def new(self, found: Iterable[Log]) -> Iterator[Log]:
        """Yield the logs that are not held as they are now; of those that have changed, what is held is taken out."""
        if not self._corpus:
            yield from found
            return
        held = {row[0]: (row[1], row[2]) for row in self._rows("SELECT place, game, mark FROM kept")}
        for log in found:
            game, mark = held.get(log.where, ("", None))
            # As it is before it is read: what is written meanwhile makes it another log the next time.
            now = log.mark()
            if mark != now:
                if mark is not None:
                    self._take_out(game)
                yield structs.replace(log, mark=partial(str, now))

    def games(self) -> dict[str, tuple[str, str]]:
        """Return the games that are held: the hash of each one's first line, and where it was read."""
        return {row[0]: (row[1], row[2]) for row in self._rows("SELECT game, opening, place FROM kept")}

    @contextlib.contextmanager
    def filling(self) -> Iterator[None]:
        """Fill the tables meanwhile; what a crash leaves half done is taken out when the corpus is opened again."""
        self._connection.execute("UPDATE corpus SET filling = true")
        yield
        self._connection.execute("UPDATE corpus SET filling = false")

    def keep(self, read: list[tuple[str, str, str, str]]) -> None:
        """Note what was read: where it stands, the game, the mark of its log, and the hash of its first line."""
        if read and self._corpus:
            self._connection.executemany("INSERT INTO kept VALUES (?, ?, ?, ?)", read)

    def _clear(self) -> None:
        for name in HELPERS:
            self._connection.execute(f"DROP TABLE IF EXISTS {name}")
        for name, column in _GAMES.items():
            self._connection.execute(
                f"DELETE FROM {name} WHERE {column} NOT IN (SELECT game FROM kept)"  # noqa: S608 - one of our tables
            )
        self._connection.execute("UPDATE corpus SET filling = false")

    def _take_out(self, game: str) -> None:
        for name, column in (*_GAMES.items(), ("kept", "game")):
            self._connection.execute(f"DELETE FROM {name} WHERE {column} = ?", [game])  # noqa: S608 - one of our tables

    def _rows(self, statement: str) -> list[tuple[str, ...]]:
        return self._connection.execute(statement).fetchall()
