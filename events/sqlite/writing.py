"""Who writes: one appends what waits and commits it at once, one checkpoints."""

import contextlib
import threading
from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from itertools import zip_longest
from pathlib import Path

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
"""Pages in the write-ahead log after which it is carried over into the file and begins anew: some 250 appends.

A log that only grows costs more than the checkpoints do: each sync then waits for the file's new size, too.
"""
HOLD_UP = 100
"""Milliseconds that writers are held up at most, when another process will not let the log begin anew."""

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
    """Appends what waits, all in one commit, and answers once that is on the disk.

    Only who holds the pen writes: a thread of its own; or an asker who finds the pen free and writes at once, since
    waking another thread would take it longer than all of SQLite. So there is one writer at any time.
    """

    def __init__(
        self,
        connection: apsw.Connection,
        path: Path,
        pen: threading.Lock,
        committed: Callable[[], None],
        grown: Callable[[int], None],
    ) -> None:
        """Take a connection, the pen, whom to tell of each commit, and whom of the pages in the log after it."""
        self._connection, self._path, self._pen, self._committed = connection, path, pen, committed
        self._asks: deque[_Ask] = deque()
        self._door = threading.Lock()
        self._wake = threading.Event()
        self._closed = False
        # Among many, whoever wrote last would write the next alone before the others are awake.
        self._crowded = False
        self._grown = grown
        self._numbers: dict[str, int] = {}
        connection.set_wal_hook(self._hear)
        self._thread = threading.Thread(target=self._run, name="lawspeaker-writer", daemon=True)
        self._thread.start()

    def append(
        self, game: str, line: bytes, expected: Head, key: str, openings: Iterable[Opening]
    ) -> Appended:
        """Append and wait for the answer; raise `Closed` once the writer was closed."""
        answer = _Answer()
        self._queue(_Ask(game, line, expected, key, tuple(openings), answer))
        if self._crowded or self._pen.locked():
            self._wake.set()
        else:
            with self._pen:
                self._write()
        return answer.result()

    def submit(
        self, game: str, line: bytes, expected: Head, key: str, openings: Iterable[Opening]
    ) -> "Future[Appended]":
        """Queue an append for the thread; raise `Closed` once the writer was closed."""
        answer: Future[Appended] = Future()
        self._queue(_Ask(game, line, expected, key, tuple(openings), answer))
        self._wake.set()
        return answer

    def close(self) -> None:
        """Commit and answer what waits; the connection stays open."""
        with self._door:
            self._closed = True
        self._wake.set()
        self._thread.join()
        with self._pen:
            # Whoever wrote at that moment is done.
            pass

    def _queue(self, ask: _Ask) -> None:
        # Nothing may be queued behind the end, or nobody would ever answer it.
        with self._door:
            if self._closed:
                raise Closed(f"{self._path}: the store was closed")
            self._asks.append(ask)

    def _run(self) -> None:
        while not self._closed or self._asks:
            self._wake.wait()
            self._wake.clear()
            while self._asks:
                with self._pen:
                    self._write()

    def _write(self) -> None:
        """Append all that waits; the pen is held."""
        batch: list[_Ask] = []
        while self._asks and len(batch) < BATCH:
            ask = self._asks.popleft()
            if ask.answer.set_running_or_notify_cancel():
                batch.append(ask)
        if self._asks:
            self._wake.set()
        if batch:
            self._crowded = len(batch) > 1
            self._answer(batch)

    def _hear(self, _connection: apsw.Connection, _name: str, pages: int) -> int:
        self._grown(pages)
        return apsw.SQLITE_OK

    def _answer(self, batch: list[_Ask]) -> None:
        outcomes: list[Appended | StoreError] = []
        try:
            outcomes = self._commit(batch)
        except Exception as fault:  # noqa: BLE001  whatever it is, those who wait must hear of it
            outcomes = [self._told(fault) for _ in batch]
        finally:
            # Also when this very thread is interrupted, which must not silence the others.
            for ask, outcome in zip_longest(batch, outcomes):
                if isinstance(outcome, Appended):
                    ask.answer.set_result(outcome)
                else:
                    ask.answer.set_exception(
                        outcome or StoreError(f"{self._path}: the writer was interrupted")
                    )
            self._committed()

    def _told(self, fault: Exception) -> StoreError:
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
    """The one thread that carries the write-ahead log over into the file, so that appends hardly ever wait for it."""

    def __init__(self, connection: apsw.Connection, pen: threading.Lock) -> None:
        """Take a connection of its own, and the writer's pen, held while nobody may write."""
        self._connection, self._pen = connection, pen
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
        """Carry the log over while others write, then what came meanwhile while they wait: only so it begins anew."""
        self._carried, _ = self._connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_PASSIVE)
        with self._pen:
            self._connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_RESTART)
