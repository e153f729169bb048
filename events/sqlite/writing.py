"""The two threads that write: one appends what waits and commits it at once, one checkpoints."""

import contextlib
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from pathlib import Path
from queue import Empty, SimpleQueue

import apsw
from msgspec import Struct, json

from events.chain import Head, hash_of
from events.seals import Opening
from events.sqlite.connections import told
from events.store import Appended, Closed, StoreError, WrongHead

__all__ = ["Checkpoints", "Writer", "token"]

BATCH = 1000
"""The most appends that share a commit."""
PAGES = 1000
"""Pages in the write-ahead log after which it is carried over into the file."""
TOO_MANY_PAGES = 4 * PAGES
"""Pages after which writers are held up for a moment, so that the write-ahead log can begin anew."""
HOLD_UP = 100
"""Milliseconds that writers are held up at most."""

# Each of one table: SQLite plans a join anew for each key, and that takes longer than all else but the disk.
_NUMBER = "SELECT number FROM games WHERE name = ?"
_HEAD = "SELECT id, hash FROM heads WHERE game = ?"
_KEPT = "SELECT position, id, line FROM entries WHERE game = ? AND key = ?"
_OPEN = "INSERT INTO games (name) VALUES (?)"
_BEGIN = "INSERT INTO heads (game, id, hash) VALUES (?, 0, '')"
_KEEP = "INSERT INTO entries (game, id, key, line) VALUES (?, ?, ?, ?)"
_MOVE = "UPDATE heads SET id = ?, hash = ? WHERE game = ?"
_SEAL = "INSERT INTO openings (game, id, part, salt, seats, value) VALUES (?, ?, ?, ?, ?, ?)"


class _Ask(Struct):
    """An append that waits."""

    game: str
    line: bytes
    expected: Head
    key: str
    openings: tuple[Opening, ...]
    answer: "Future[Appended] | _Answer"


class _Answer:
    """A future for one who waits for it at once: a lock is all it takes, at a third of the time."""

    __slots__ = ("_done", "_outcome")

    def __init__(self) -> None:
        self._done = threading.Lock()
        self._done.acquire()
        self._outcome: Appended | BaseException = RuntimeError("nothing was answered")

    def set_running_or_notify_cancel(self) -> bool:
        return True

    def set_result(self, outcome: Appended) -> None:
        self._outcome = outcome
        self._done.release()

    def set_exception(self, fault: BaseException) -> None:
        self._outcome = fault
        self._done.release()

    def result(self) -> Appended:
        self._done.acquire()
        try:
            if isinstance(self._outcome, BaseException):
                raise self._outcome
            return self._outcome
        finally:
            # Or the fault would hold on to this frame, and the frame to the fault.
            del self._outcome


def token(position: int) -> str:
    """Return the opaque position of an entry: text of one length, so that text order is the order."""
    return f"{position:016x}"


class Writer:
    """The one thread that appends. Whoever asks gets a future, answered once the commit is on the disk."""

    def __init__(
        self,
        connection: apsw.Connection,
        path: Path,
        committed: Callable[[], None],
        grown: Callable[[int], None],
    ) -> None:
        """Take a connection of its own, whom to tell of each commit, and whom of the pages in the log after it."""
        self._connection, self._path, self._committed = connection, path, committed
        self._asks: SimpleQueue[_Ask | None] = SimpleQueue()
        self._door = threading.Lock()
        self._closed = False
        self._grown = grown
        self._numbers: dict[str, int] = {}
        connection.set_wal_hook(self._hear)
        self._thread = threading.Thread(target=self._run, name="lawspeaker-writer", daemon=True)
        self._thread.start()

    def append(
        self, game: str, line: bytes, expected: Head, key: str, openings: Iterable[Opening]
    ) -> Appended:
        """Queue an append and wait for its answer; raise `Closed` once the writer was closed."""
        answer = _Answer()
        self._queue(_Ask(game, line, expected, key, tuple(openings), answer))
        return answer.result()

    def submit(
        self, game: str, line: bytes, expected: Head, key: str, openings: Iterable[Opening]
    ) -> "Future[Appended]":
        """Queue an append; raise `Closed` once the writer was closed."""
        answer: Future[Appended] = Future()
        self._queue(_Ask(game, line, expected, key, tuple(openings), answer))
        return answer

    def close(self) -> None:
        """Commit and answer what waits; the connection stays open."""
        with self._door:
            if not self._closed:
                self._closed = True
                self._asks.put(None)
        self._thread.join()

    def _queue(self, ask: _Ask) -> None:
        # Nothing may be queued behind the end, or nobody would ever answer it.
        with self._door:
            if self._closed:
                raise Closed(f"{self._path}: the store was closed")
            self._asks.put(ask)

    def _run(self) -> None:
        ended = False
        while not ended:
            asks = self._waiting()
            ended = None in asks
            if batch := [ask for ask in asks if ask and ask.answer.set_running_or_notify_cancel()]:
                self._answer(batch)

    def _hear(self, _connection: apsw.Connection, _name: str, pages: int) -> int:
        self._grown(pages)
        return apsw.SQLITE_OK

    def _waiting(self) -> list[_Ask | None]:
        asks = [self._asks.get()]
        with contextlib.suppress(Empty):
            while len(asks) < BATCH:
                asks.append(self._asks.get_nowait())
        return asks

    def _answer(self, batch: list[_Ask]) -> None:
        outcomes: list[Appended | StoreError] | None = None
        fault: Exception | None = None
        try:
            outcomes = self._commit(batch)
        except Exception as found:  # noqa: BLE001  whatever it is, those who wait must hear of it
            fault = found
        if outcomes is None:
            outcomes = [self._told(fault) for _ in batch]
        for ask, outcome in zip(batch, outcomes, strict=True):
            if isinstance(outcome, Appended):
                ask.answer.set_result(outcome)
            else:
                ask.answer.set_exception(outcome)
        self._committed()

    def _told(self, fault: Exception | None) -> StoreError:
        if isinstance(fault, StoreError):
            return fault
        if isinstance(fault, apsw.Error):
            return told(fault, self._path)
        return StoreError(f"{self._path}: {fault!r}")

    def _commit(self, batch: list[_Ask]) -> list[Appended | StoreError]:
        """Append all in one transaction, each in its savepoint, and return what became of each."""
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            # One that is alone needs no savepoint: the transaction is its own.
            one = self._one if len(batch) > 1 else self._append
            outcomes = [one(ask) for ask in batch]
            self._connection.execute("COMMIT")
        except BaseException:
            # Some faults, such as a full disk, have rolled back already.
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            self._numbers.clear()
            raise
        return outcomes

    def _one(self, ask: _Ask) -> Appended | StoreError:
        self._connection.execute("SAVEPOINT one")
        outcome: Appended | StoreError
        try:
            outcome = self._append(ask)
        except StoreError as refused:
            outcome = refused
        except Exception as fault:
            # A full disk has rolled back what the others appended, too.
            if not self._connection.in_transaction:
                raise
            outcome = self._told(fault)
        if isinstance(outcome, StoreError):
            self._connection.execute("ROLLBACK TO one")
            # Perhaps of a game that was to begin with this entry.
            self._numbers.pop(ask.game, None)
        self._connection.execute("RELEASE one")
        return outcome

    def _append(self, ask: _Ask) -> Appended:
        run = self._connection.execute
        number = self._number(ask.game)
        if ask.key and (kept := run(_KEPT, (number, ask.key)).fetchone()):
            position, entry, line = kept
            return Appended(Head(entry, hash_of(line)), token(position), repeated=True)
        entry, hash_ = run(_HEAD, (number,)).fetchone() or (0, "")
        if ask.expected.id != entry or ask.expected.hash != hash_:
            raise WrongHead(ask.game, ask.expected, Head(entry, hash_))
        if not number:
            number = self._open(ask.game)
        head = Head(entry + 1, hash_of(ask.line))
        run(_KEEP, (number, head.id, ask.key or None, ask.line))
        position = self._connection.last_insert_rowid()
        run(_MOVE, (head.id, head.hash, number))
        for opening in ask.openings:
            seats = json.encode(opening.to).decode()
            run(_SEAL, (number, head.id, opening.part, opening.salt, seats, bytes(opening.value)))
        return Appended(head, token(position))

    def _number(self, game: str) -> int:
        """Return the number of a game, 0 when it is not there; a game keeps its number for ever."""
        if game not in self._numbers:
            found = self._connection.execute(_NUMBER, (game,)).fetchone()
            if found is None:
                return 0
            self._numbers[game] = found[0]
        return self._numbers[game]

    def _open(self, game: str) -> int:
        self._connection.execute(_OPEN, (game,))
        number = self._connection.last_insert_rowid()
        self._connection.execute(_BEGIN, (number,))
        return number


class Checkpoints:
    """The one thread that carries the write-ahead log over into the file, so that no append ever waits for it."""

    def __init__(self, connection: apsw.Connection) -> None:
        """Take a connection of its own."""
        self._connection = connection
        self._connection.set_busy_timeout(HOLD_UP)
        self._wake = threading.Event()
        self._carried = 0
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="lawspeaker-checkpoints", daemon=True)
        self._thread.start()

    def grown(self, pages: int) -> None:
        """Hear how many pages the log has now."""
        if pages < self._carried:
            # It has begun anew.
            self._carried = 0
        if pages >= self._carried + PAGES:
            self._wake.set()

    def close(self) -> None:
        """Let go of the connection."""
        self._closed = True
        self._wake.set()
        self._thread.join()

    def _run(self) -> None:
        while self._wake.wait() and not self._closed:
            self._wake.clear()
            # A fault here costs nothing: what is not carried over stays in the log, and the next commit wakes again.
            with contextlib.suppress(apsw.Error):
                self._checkpoint()
        self._connection.close()

    def _checkpoint(self) -> None:
        pages, _ = self._connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_PASSIVE)
        self._carried = pages
        if pages > TOO_MANY_PAGES:
            self._connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_RESTART)
