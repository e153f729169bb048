"""Tokens: who may act and see as which seat over HTTP. Opaque, handed out once, kept as hashes only.

They lie in a file beside the store, `games.db.tokens` for a store `games.db`: whoever loses a token is given another, for
nothing here can tell it again.
"""

import contextlib
import secrets
from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path

import apsw

from events.chain import hash_of
from events.event import Seat
from events.sqlite.connections import check_place, connect, schema, telling
from events.store import NoSuchGame, Store, Unreadable

__all__ = ["Tokens", "tokens_file"]

_EXPECTED = "the tokens of a store"
_TABLE = "CREATE TABLE seats (hash TEXT PRIMARY KEY, game TEXT NOT NULL, first TEXT NOT NULL, seat TEXT NOT NULL) STRICT"
_PATIENCE = 5_000
"""Milliseconds that a request waits for another process to finish writing."""


def tokens_file(store: Path) -> Path:
    """Return where the tokens of a store lie."""
    return store.with_name(f"{store.name}.tokens")


def _hash(token: str) -> str:
    return sha256(token.encode()).hexdigest()


class Tokens:
    """The tokens of every game of a store, in a file of their own beside it, which is made when the first is given.

    A token is of one log, told by the hash of its first line: in another game that was opened under the name of one
    that is gone, however that was done, it stands for nothing. Reading needs no room on the disk, and no leave to write.
    Every method raises `StoreError` kinds only, as a store does.
    """

    def __init__(self, path: Path, store: Store) -> None:
        """Take the file beside a store, which need not be there; raise `StoreError` when something else lies there."""
        self._path, self._store = path, store
        with self._read():
            pass

    def ready(self) -> None:
        """Make the file when it is missing, and raise `StoreError` when it could not be written."""
        with self._write():
            pass

    @contextlib.contextmanager
    def _read(self) -> Iterator[apsw.Connection | None]:
        """Lend a connection that only reads, or None where no token was ever given."""
        if not (self._path.exists() or self._path.is_symlink()):
            yield None
            return
        with self._connected(readonly=True) as connection:
            yield connection if self._holds(connection) else None

    @contextlib.contextmanager
    def _write(self) -> Iterator[apsw.Connection]:
        """Lend a connection whose changes are kept at the end, all or none."""
        with self._connected(readonly=False) as connection:
            # The write-ahead log, which files of old are in, has to be written beside the file before it can be read.
            with contextlib.suppress(apsw.BusyError):
                connection.pragma("journal_mode", "delete")
            connection.execute("BEGIN IMMEDIATE")
            try:
                if not self._holds(connection):
                    connection.execute(_TABLE)
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise

    @contextlib.contextmanager
    def _connected(self, *, readonly: bool) -> Iterator[apsw.Connection]:
        check_place(self._path, readonly=readonly, expected=_EXPECTED)
        connection = connect(self._path, readonly=readonly, expected=_EXPECTED)
        try:
            with telling(self._path, _EXPECTED):
                connection.set_busy_timeout(_PATIENCE)
                yield connection
        finally:
            connection.close()

    def _holds(self, connection: apsw.Connection) -> bool:
        """Return whether the file holds tokens, or is still empty; raise `Unreadable` when it holds anything else."""
        held = schema(connection)
        if held and held != {"seats": _TABLE}:
            raise Unreadable(f"{self._path} holds other tables: expected {_EXPECTED}")
        return bool(held)

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
        with self._write() as connection:
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
        found = "SELECT seat FROM seats WHERE game = ? AND first = ?"
        return self._found(found, (game, self._first(game)))

    def seat(self, game: str, token: str) -> Seat | None:
        """Return the seat that a token stands for in a game, or None when it stands for none there."""
        found = "SELECT seat FROM seats WHERE hash = ? AND game = ? AND first = ?"
        return next(iter(self._found(found, (_hash(token), game, self._first(game)))), None)

    def _found(self, select: str, values: tuple[str, ...]) -> set[Seat]:
        with self._read() as connection:
            return {str(row[0]) for row in connection.execute(select, values)} if connection else set()
