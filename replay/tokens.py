"""Tokens: who may act and see as which seat over HTTP. Opaque, handed out once, kept as hashes only.

They lie in a file beside the store, `games.db.tokens` for a store `games.db`: whoever loses a token is given another, for
nothing here can tell it again.
"""

import hmac
import secrets
from collections.abc import Iterable
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import apsw

from events.event import Seat

__all__ = ["Tokens", "tokens_file"]


def tokens_file(store: Path) -> Path:
    """Return where the tokens of a store lie."""
    return store.with_name(f"{store.name}.tokens")


def _hash(token: str) -> str:
    return sha256(token.encode()).hexdigest()


class Tokens:
    """The tokens of every game of a store, in a file of their own beside it."""

    def __init__(self, path: Path) -> None:
        """Open or make the file."""
        self._path = path
        with closing(self._open()) as connection:
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute(
                "CREATE TABLE IF NOT EXISTS tokens (hash TEXT PRIMARY KEY, game TEXT NOT NULL, seat TEXT NOT NULL) STRICT"
            )

    def _open(self) -> apsw.Connection:
        connection = apsw.Connection(str(self._path))
        connection.set_busy_timeout(5_000)
        return connection

    def hand_out(self, game: str, seats: Iterable[Seat]) -> dict[Seat, str]:
        """Return a new token for each of these seats; those that they had before stand for nothing any more."""
        tokens = {seat: secrets.token_urlsafe(24) for seat in seats}
        with closing(self._open()) as connection, connection:
            connection.executemany(
                "DELETE FROM tokens WHERE game = ? AND seat = ?", [(game, seat) for seat in tokens]
            )
            connection.executemany(
                "INSERT INTO tokens VALUES (?, ?, ?)",
                [(_hash(token), game, seat) for seat, token in tokens.items()],
            )
        return tokens

    def forget(self, game: str) -> None:
        """Let no token of a game stand for anything any more."""
        with closing(self._open()) as connection:
            connection.execute("DELETE FROM tokens WHERE game = ?", (game,))

    def held(self, game: str) -> set[Seat]:
        """Return the seats of a game that have a token."""
        with closing(self._open()) as connection:
            return {
                str(row[0]) for row in connection.execute("SELECT seat FROM tokens WHERE game = ?", (game,))
            }

    def seat(self, game: str, token: str) -> Seat | None:
        """Return the seat that a token stands for in a game, or None when it stands for none there."""
        with closing(self._open()) as connection:
            row = connection.execute(
                "SELECT game, seat FROM tokens WHERE hash = ?", (_hash(token),)
            ).fetchone()
        if row is None or not hmac.compare_digest(str(row[0]).encode(), game.encode()):
            return None
        return str(row[1])
