"""Tokens: who may act and see as which seat. Opaque, handed out once at the opening, stored as hashes only."""

import hmac
import secrets
from collections.abc import Iterable
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import apsw

from core.seats import ARBITER
from events.event import Seat

__all__ = ["Tokens"]


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
        """Return a new token for each seat and for the arbiter; only their hashes stay here."""
        tokens = {seat: secrets.token_urlsafe(24) for seat in (*seats, ARBITER)}
        with closing(self._open()) as connection, connection:
            connection.executemany(
                "INSERT INTO tokens VALUES (?, ?, ?)",
                [(_hash(token), game, seat) for seat, token in tokens.items()],
            )
        return tokens

    def seat(self, game: str, token: str) -> Seat | None:
        """Return the seat that a token stands for in a game, or None when it stands for none there."""
        with closing(self._open()) as connection:
            row = connection.execute(
                "SELECT game, seat FROM tokens WHERE hash = ?", (_hash(token),)
            ).fetchone()
        if row is None or not hmac.compare_digest(str(row[0]), game):
            return None
        return str(row[1])
