"""The store that keeps a folder of games as JSON lines."""

import contextlib
import fcntl
import os
import shutil
import threading
import time
from array import array
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from events.chain import Head, hash_of
from events.counting import plural
from events.jsonl.disk import append_at, cut, reading, replace, sync_folder, telling
from events.jsonl.log import (
    begun,
    head_line,
    linked,
    opening_line,
    openings_upto,
    proved,
    read_head,
    read_log,
    read_openings,
    whole_lines,
)
from events.jsonl.order import Order, position_number
from events.seals import Opening
from events.store import (
    Appended,
    Closed,
    NoSuchGame,
    Position,
    Stored,
    StoreError,
    Unreadable,
    Unstorable,
    WrongHead,
    is_name,
    is_path,
    nameable,
    storable,
)

__all__ = ["JsonlStore"]

POLL = 0.02
"""Seconds between two looks at whether another process has appended."""


class _Held(Struct):
    """What is remembered of a game's file while its signature stays the same."""

    signature: tuple[int, ...]
    starts: "array[int]"
    size: int
    head: Head
    keys: dict[str, int]
    told: int = -1
    """How many bytes of the openings belong to these entries; -1: not looked yet."""
    trouble: str = ""
    behind: bool = False
    """Whether the head's own file does not say so yet: a crash came before that was written."""

    @property
    def count(self) -> int:
        return len(self.starts)


class JsonlStore:
    """A folder of games as JSON lines, behind the protocol of `events.store.Store`.

    Appends are durable and take turns by a lock on the folder, so that any number of threads and processes may write.
    """

    def __init__(self, folder: Path, *, readonly: bool = False) -> None:
        """Take the folder, made when it is missing; `readonly` writes nothing at all. Raises `StoreError`."""
        is_path(folder)
        self._folder = Path(folder).absolute()
        self._readonly = readonly
        self._closed = False
        self._guard = threading.RLock()
        self._locks = 0
        self._games: dict[str, _Held] = {}
        self._told: dict[str, tuple[tuple[int, ...], dict[int, list[Opening]]]] = {}
        self._order = Order(self._folder / ".positions")
        with telling(self._folder):
            if not readonly:
                self._folder.mkdir(parents=True, exist_ok=True)
            if not self._folder.is_dir():
                raise Unreadable(f"{self._folder}: expected a folder of games")

    def append(
        self, game: str, line: bytes, *, expected: Head, key: str = "", openings: Sequence[Opening] = ()
    ) -> Appended:
        """Keep a line as entry `expected.id + 1`; see `events.store.Store.append`."""
        nameable(game)
        storable(game, line, expected.id + 1, openings)
        _same_key(game, line, key)
        if self._readonly:
            raise StoreError(f"{self._folder} was opened for reading only")
        with self._locked(), telling(self._path(game)):
            held = self._held(game) if self._is_there(game) else _Held((), array("Q"), 0, Head(), {})
            self._place(game, held)
            if key and key in held.keys:
                return self._repeated(game, held.keys[key])
            if held.trouble:
                raise Unreadable(f"{self._path(game)}: {held.trouble}; nothing is appended to it")
            if expected != held.head:
                raise WrongHead(game, expected, held.head)
            head = Head(expected.id + 1, hash_of(line))
            self._keep(game, held, line, key, head, openings)
            return Appended(head, self._order.place([(game, head.id)], keep=True))

    def read(self, game: str, since: int = 0, upto: int | None = None) -> Iterator[Stored]:
        """Yield the entries after `since`, up to and including `upto`; see `events.store.Store.read`."""
        held = self._known(game)
        with self._guard:
            self._adopt([game])
        last = held.count if upto is None else min(upto, held.count)
        return self._between(game, held, max(since, 0), last)

    def head(self, game: str) -> Head:
        """Return where a game's log ends; `Head()` for a game that is not there."""
        self._open()
        try:
            return self._known(game).head
        except NoSuchGame:
            return Head()

    def games(self) -> list[str]:
        """Return the names of the games: those opened through the store in that order, then others by name."""
        self._open()
        with self._guard:
            self._order.refresh()
            known = list(self._order.places)
        there = self._there()
        placed = [game for game in known if game in there]
        return placed + sorted(there - set(placed))

    def find(self, game: str, key: str) -> int | None:
        """Return the entry that was appended under an idempotency key, or None."""
        return self._known(game).keys.get(key)

    def follow(
        self, since: Position = "", game: str | None = None, *, wait: float | None = None
    ) -> Iterator[Stored]:
        """Yield entries after a position, then new ones as they come; see `events.store.Store.follow`."""
        self._open()
        if game is not None:
            self._known(game)
        with self._guard:
            self._adopt(sorted(self._there()))
        return self._following(position_number(since), game, wait)

    def backup(self, to: Path) -> None:
        """Write a whole copy of the folder to a path where nothing stands yet."""
        self._open()
        to = Path(to).absolute()
        half = to.with_name(f".{to.name}.half")
        with telling(to):
            if to.exists():
                raise StoreError(f"{to} stands there already")
            shutil.rmtree(half, ignore_errors=True)
            try:
                half.mkdir(parents=True)
                with self._locked():
                    for path in sorted(self._folder.iterdir()):
                        if path.suffix in {".jsonl", ".openings", ".head"} or path.name == ".positions":
                            replace(half / path.name, path.read_bytes())
                half.rename(to)
            except BaseException:
                shutil.rmtree(half, ignore_errors=True)
                raise
            sync_folder(to.parent)

    def check(self) -> list[str]:
        """Return what is wrong with the files, in sentences; empty when they are sound."""
        self._open()
        found = []
        with self._guard:
            try:
                self._order.refresh()
            except StoreError as fault:
                found.append(str(fault))
        for game in sorted(self._there()):
            try:
                log = read_log(self._path(game))
                with self._guard:
                    trouble = self._held(game).trouble
            except StoreError as fault:
                found.append(str(fault))
                continue
            if log.torn is not None:
                found.append(
                    f"{self._path(game)}: the last line is torn ({plural(len(log.torn), 'byte')}) and left out"
                )
            if log.strays:
                found.append(f"{self._path(game)}, {log.strays}; it is left out")
            if log.head is None:
                found.append(f"{self._path(game)}: no {game}.head beside it, so a cut tail could not be seen")
            if trouble:
                found.append(f"{self._path(game)}: {trouble}")
        return found

    def close(self) -> None:
        """Forget the folder; the store can't be used afterwards."""
        self._closed = True

    # What is on the disk

    def _path(self, game: str) -> Path:
        return self._folder / f"{game}.jsonl"

    def _open(self) -> None:
        if self._closed:
            raise Closed(f"{self._folder}: the store was closed")

    def _there(self) -> set[str]:
        with telling(self._folder):
            return {path.stem for path in self._folder.glob("*.jsonl") if path.name[0] != "." and begun(path)}

    @contextlib.contextmanager
    def _locked(self) -> Iterator[None]:
        """Hold the folder's lock: alone, or shared when nothing may be written anyway."""
        self._open()
        with self._guard, contextlib.ExitStack() as stack:
            if not self._locks:
                with telling(self._folder):
                    self._lock(stack)
            self._locks += 1
            stack.callback(self._unlock)
            yield

    def _lock(self, stack: contextlib.ExitStack) -> None:
        path = self._folder / ".lock"
        if self._readonly and not path.exists():
            return
        mode = os.O_RDONLY if self._readonly else os.O_RDWR | os.O_CREAT
        lock = os.open(path, mode | os.O_CLOEXEC, 0o666)
        stack.callback(os.close, lock)
        # Unlike `lockf`, `flock` also keeps two stores of one process apart.
        fcntl.flock(lock, fcntl.LOCK_SH if self._readonly else fcntl.LOCK_EX)

    def _unlock(self) -> None:
        self._locks -= 1

    def _known(self, game: str) -> _Held:
        """Return what is held of a game; raise `NoSuchGame`."""
        self._open()
        with self._guard, telling(self._path(game)):
            held = self._held(game) if self._is_there(game) else None
            if not held or not held.count:
                raise NoSuchGame(f"{self._folder} holds no game {game!r}")
            return held

    def _is_there(self, game: str) -> bool:
        return is_name(game) and self._path(game).is_file()

    def _held(self, game: str) -> _Held:
        """Return what is held of a game, read again under the lock when its file is another than before."""
        path = self._path(game)
        held = self._games.get(game)
        if held is None or held.signature != _signature(path):
            with self._locked():
                held = self._games[game] = _load(path)
        return held

    # Appending

    def _keep(
        self, game: str, held: _Held, line: bytes, key: str, head: Head, openings: Sequence[Opening]
    ) -> None:
        """Write openings, then the line, then the head, each durable before the next.

        Once the line is durable a fault undoes nothing: the head may have moved, and the entry's key will find it.
        """
        path = self._path(game)
        self._games.pop(game, None)
        if held.behind:
            # Or a second crash would leave two lines after the head, which no crash of ours explains.
            replace(path.with_suffix(".head"), head_line(held.head))
        if held.told < 0:
            held.told = openings_upto(path, held.count)
        told = b"".join(opening_line(opening) for opening in openings)
        try:
            append_at(path.with_suffix(".openings"), held.told, told)
            append_at(path, held.size, line + b"\n")
        except OSError:
            with contextlib.suppress(OSError):
                cut(path, held.size)
                cut(path.with_suffix(".openings"), held.told)
            raise
        replace(path.with_suffix(".head"), head_line(head))
        held.starts.append(held.size)
        held.size += len(line) + 1
        held.told += len(told)
        held.head, held.behind = head, False
        if key:
            held.keys[key] = head.id
        held.signature = _signature(path)
        self._games[game] = held

    def _repeated(self, game: str, entry: int) -> Appended:
        (stored,) = self._between(game, self._held(game), entry - 1, entry)
        return Appended(Head(entry, hash_of(stored.line)), stored.position, repeated=True)

    # Reading

    def _between(self, game: str, held: _Held, since: int, upto: int) -> Iterator[Stored]:
        if since >= upto:
            return
        told = self._openings(game)
        with reading(self._path(game)) as file:
            file.seek(held.starts[since])
            for entry in range(since + 1, upto + 1):
                self._open()
                line = file.readline().removesuffix(b"\n")
                yield Stored(game, entry, line, tuple(told.get(entry, ())), self._order.token(game, entry))

    def _openings(self, game: str) -> dict[int, list[Opening]]:
        """Return the openings of a game by entry, read again when their file is another than before."""
        path = self._path(game)
        beside = path.with_suffix(".openings")
        with telling(beside):
            signature = _signature(beside) if beside.exists() else ()
        known, told = self._told.get(game, (None, {}))
        if known != signature:
            told = {}
            for opening in read_openings(path):
                told.setdefault(opening.entry, []).append(opening)
            self._told[game] = signature, told
        return told

    def _following(self, last: int, game: str | None, wait: float | None) -> Iterator[Stored]:
        ends = None if wait is None else time.monotonic() + wait
        while True:
            self._open()
            over = ends is not None and time.monotonic() >= ends
            with self._guard:
                self._order.refresh()
                new = self._order.after(last)
            for name, since, upto in _runs(new):
                if game in (None, name):
                    held = self._known(name)
                    if upto > held.count:
                        raise Unreadable(
                            f"{self._path(name)}: entry {held.count + 1} was placed and is not there; when .positions "
                            "is removed, the order across games is made anew"
                        )
                    yield from self._between(name, held, since, upto)
                    ends = None if wait is None else time.monotonic() + wait
            last += len(new)
            if not new and over:
                return
            if not new:
                time.sleep(POLL if ends is None else max(0.0, min(POLL, ends - time.monotonic())))

    # Positions

    def _adopt(self, games: list[str]) -> None:
        """Give a place to entries that have none: games copied in by hand, or a crash before the place was kept."""
        self._order.refresh()
        if all(self._held(game).count <= self._order.count(game) for game in games):
            return
        with self._locked():
            for game in games:
                self._place(game, self._held(game))

    def _place(self, game: str, held: _Held) -> None:
        self._order.refresh()
        late = [(game, entry) for entry in range(self._order.count(game) + 1, held.count + 1)]
        if late:
            self._order.place(late, keep=not self._readonly)


def _load(path: Path) -> _Held:
    found = _signature(path)
    with reading(path) as file:
        lines, _ = whole_lines(path, file)
    starts, size = array("Q"), 0
    keys: dict[str, int] = {}
    for entry, line in enumerate(lines, start=1):
        starts.append(size)
        size += len(line) + 1
        if (link := linked(line)) and link.key:
            keys.setdefault(link.key, entry)
    said = read_head(path)
    end = Head(len(lines), hash_of(lines[-1]) if lines else "")
    known = proved(said, lines)
    if known is None or known == end:
        return _Held(found, starts, size, end, keys, behind=known is not None and said != known)
    trouble = f"its head says {plural(known.id, 'entry')}, the last {known.hash}, the file holds {end.id}, the last {end.hash}"
    return _Held(found, starts, size, known, keys, trouble=trouble)


def _signature(path: Path) -> tuple[int, ...]:
    found = path.stat()
    return found.st_ino, found.st_size, found.st_mtime_ns


def _same_key(game: str, line: bytes, key: str) -> None:
    link = linked(line)
    if link is None:
        raise Unstorable(f"{game}: expected an entry, a JSON object with an `id`")
    if link.key != key:
        raise Unstorable(f"{game}: the line holds the key {link.key!r}, not {key!r}")


def _runs(entries: list[tuple[str, int]]) -> Iterator[tuple[str, int, int]]:
    """Yield (game, since, upto) for each run of entries of one game."""
    at = 0
    while at < len(entries):
        game, first = entries[at]
        end = at
        while end < len(entries) and entries[end] == (game, first + end - at):
            end += 1
        yield game, first - 1, first - 1 + end - at
        at = end
