"""Tokens: who may act and see as which seat over HTTP. Opaque, handed out once, kept as hashes only.

They lie in a file beside the store, `games.db.tokens` for a store `games.db`: whoever loses a token is given another, for
nothing here can tell it again.
"""

import secrets
from collections.abc import Iterable
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import apsw

from events.chain import hash_of
from events.event import Seat
from events.store import NoSuchGame, Store

__all__ = ["Tokens", "tokens_file"]


def tokens_file(store: Path) -> Path:
    """Return where the tokens of a store lie."""
    return store.with_name(f"{store.name}.tokens")


def _hash(token: str) -> str:
    return sha256(token.encode()).hexdigest()


class Tokens:
    """The tokens of every game of a store, in a file of their own beside it.

    A token is of one log, told by the hash of its first line: in another game that was opened under the name of one
    that is gone, however that was done, it stands for nothing.
    """

    def __init__(self, path: Path, store: Store) -> None:
        """Open or make the file beside a store."""
        self._path, self._store = path, store
        with closing(self._open()) as connection:
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute(
                "CREATE TABLE IF NOT EXISTS seats (hash TEXT PRIMARY KEY, game TEXT NOT NULL, first TEXT NOT NULL, "
                "seat TEXT NOT NULL) STRICT"
            )

    def _open(self) -> apsw.Connection:
        connection = apsw.Connection(str(self._path))
        connection.set_busy_timeout(5_000)
        return connection

    def _first(self, game: str) -> str:
        """Return the hash of the first line of a game; empty for one that is not there."""
        try:
            first = next(iter(self._store.read(game, 0, 1)), None)
        except NoSuchGame:
            return ""
        return hash_of(first.line) if first is not None else ""

    def hand_out(self, game: str, seats: Iterable[Seat]) -> dict[Seat, str]:
        """Return a new token for each of these seats; those that they had before stand for nothing any more."""
        tokens, first = {seat: secrets.token_urlsafe(24) for seat in seats}, self._first(game)
        with closing(self._open()) as connection, connection:
            connection.execute("DELETE FROM seats WHERE game = ? AND first <> ?", (game, first))
            connection.executemany(
                "DELETE FROM seats WHERE game = ? AND seat = ?", [(game, seat) for seat in tokens]
            )
            connection.executemany(
                "INSERT INTO seats VALUES (?, ?, ?, ?)",
                [(_hash(token), game, first, seat) for seat, token in tokens.items()],
            )
        return tokens

    def held(self, game: str) -> set[Seat]:
        """Return the seats of a game that have a token."""
        with closing(self._open()) as connection:
            rows = connection.execute(
                "SELECT seat FROM seats WHERE game = ? AND first = ?", (game, self._first(game))
            )
            return {str(row[0]) for row in rows}

    def seat(self, game: str, token: str) -> Seat | None:
        """Return the seat that a token stands for in a game, or None when it stands for none there."""
        with closing(self._open()) as connection:
            row = connection.execute(
                "SELECT seat FROM seats WHERE hash = ? AND game = ? AND first = ?",
                (_hash(token), game, self._first(game)),
            ).fetchone()
        return None if row is None else str(row[0])
