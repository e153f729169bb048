"""Where the logs of a question come from: SQLite stores, JSON lines and folders of both, read line by line."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path

from msgspec import Struct

from events.counting import plural
from events.jsonl.log import read_openings
from events.seals import Opening
from events.store import LONGEST_LINE, Store, StoreError
from replay.questions.places import GameIn

__all__ = ["Damaged", "Line", "Log", "Reading", "Source", "damaged", "logs"]

_SQLITE = b"SQLite format 3\0"


class Damaged(ValueError):
    """Raised when a source can't be read: names file, line and what was expected there."""


class Reading(Struct, frozen=True):
    """How logs are read: as a spectator unless `as_seat` names whose openings may be used, or `openings` gives all.

    With `skip_damaged` a damaged log is left out whole, and said so, in place of `Damaged` being raised.
    """

    as_seat: str = ""
    openings: bool = False
    skip_damaged: bool = False
    copies: bool = False
    """Whether what a what-if copied from the game that it left is counted too (note 0005)."""
    corpus: str = ""
    """A file in which the tables are kept: only logs that are new or have grown are read into it. Nothing: in memory."""

    def may_open(self, opening: Opening) -> bool:
        """Return whether this reader may see what an opening opens."""
        return self.openings or (bool(self.as_seat) and self.as_seat in opening.to)

    @property
    def opens_any(self) -> bool:
        """Whether openings are worth reading at all."""
        return self.openings or bool(self.as_seat)


class Line(Struct, frozen=True, gc=False):
    """One stored line, its number in its file (the entry's id in a store), and the openings the reader may use."""

    number: int
    text: bytes
    openings: tuple[Opening, ...] = ()


class Log(Struct, frozen=True):
    """One game's log: where it stands, its lines, and a mark that changes whenever it does."""

    where: str
    name: str
    lines: Callable[[], Iterator[Line]]
    mark: Callable[[], str] = str

    @property
    def is_file(self) -> bool:
        """Whether it is a file of JSON lines."""
        return self.where.endswith(".jsonl")

    def at(self, number: int) -> str:
        """Return how a person finds line `number`: `g.jsonl, line 3`, or `games.db, game g, entry 3`."""
        return f"{self.where}, line {number}" if self.is_file else f"{self.where}, entry {number}"


Source = str | Path | GameIn | Store | Log
"""A SQLite file, a `.jsonl` file, a folder of these at any depth, a game in one, a store that is open, or one log."""


def logs(sources: Iterable[Source], reading: Reading, note: Callable[[str], None]) -> Iterator[Log]:
    """Yield every log of the sources, each one once, in the order named and by name within a folder.

    Raises `Damaged` for what is no source, or notes it when damaged ones are skipped.
    """
    seen: set[tuple[Path, str]] = set()
    for source in sources:
        try:
            if isinstance(source, str | Path):
                yield from _at(Path(source), reading, note, seen, named=True)
            elif isinstance(source, GameIn):
                yield from _one(source, reading, note, seen)
            elif isinstance(source, Log):
                yield source
            else:
                yield from _stored(source, "the store", reading)
        except (Damaged, StoreError, OSError) as fault:
            if not reading.skip_damaged:
                raise damaged(fault) from fault
            note(f"left out: {damaged(fault)}")


Seen = set[tuple[Path, str]]
"""Which files and games have been read: a file of JSON lines has no game's name beside it."""


def _one(source: GameIn, reading: Reading, note: Callable[[str], None], seen: Seen) -> Iterator[Log]:
    """Yield the log of one game of a store."""
    if source.store.is_dir():
        yield from _at(source.store / f"{source.game}.jsonl", reading, note, seen, named=True)
        return
    yield from _in_file(source.store, reading, seen, only=source.game)


def _at(
    path: Path, reading: Reading, note: Callable[[str], None], seen: Seen, *, named: bool
) -> Iterator[Log]:
    if path.is_dir():
        for inside in sorted(path.iterdir()):
            if not inside.name.startswith("."):
                try:
                    yield from _at(inside, reading, note, seen, named=False)
                except (Damaged, StoreError, OSError) as fault:
                    if not reading.skip_damaged:
                        raise
                    note(f"left out: {damaged(fault)}")
        return
    if not path.is_file():
        if named:
            raise Damaged(
                f"{path}: nothing is there; expected a SQLite store, a .jsonl file or a folder of these"
            )
        return
    if path.suffix == ".jsonl":
        if (where := (path.resolve(), "")) not in seen:
            seen.add(where)
            yield Log(str(path), path.stem, lambda: _written(path, reading, note), lambda: _mark(path))
    elif _begins(path, _SQLITE):
        yield from _in_file(path, reading, seen)
    elif named:
        raise Damaged(f"{path}: expected a SQLite store, a .jsonl file or a folder of these")


def _begins(path: Path, header: bytes) -> bool:
    with path.open("rb") as file:
        return file.read(len(header)) == header


def _in_file(path: Path, reading: Reading, seen: Seen, only: str = "") -> Iterator[Log]:
    """Yield the logs of a SQLite store, or one; each is read through a reader of its own: the writer is not disturbed."""
    from events.sqlite import SqliteStore

    def held(game: str) -> Iterator[Line]:
        store = SqliteStore(path, readonly=True)
        try:
            yield from _held(store, game, reading)
        finally:
            store.close()

    store = SqliteStore(path, readonly=True)
    try:
        there = {game: store.head(game).hash for game in store.games() if only in ("", game)}
    finally:
        store.close()
    for game, head in there.items():
        if (where := (path.resolve(), game)) in seen:
            continue
        seen.add(where)
        yield _log(str(path), game, partial(held, game), head)


def _stored(store: Store, where: str, reading: Reading) -> Iterator[Log]:
    for game in store.games():
        yield _log(where, game, partial(_held, store, game, reading), store.head(game).hash)


def _log(where: str, game: str, lines: Callable[[], Iterator[Line]], head: str) -> Log:
    return Log(f"{where}, game {game}", game, lines, lambda: head)


def _mark(path: Path) -> str:
    """Return what tells a file from itself as it was: its size and time, and those of its openings."""
    there = (each.stat() for each in (path, path.with_suffix(".openings")) if each.exists())
    return " ".join(f"{stat.st_size}:{stat.st_mtime_ns}" for stat in there)


def _held(store: Store, game: str, reading: Reading) -> Iterator[Line]:
    for stored in store.read(game):
        told = tuple(filter(reading.may_open, stored.openings)) if reading.opens_any else ()
        yield Line(stored.id, stored.line, told)


def _written(path: Path, reading: Reading, note: Callable[[str], None]) -> Iterator[Line]:
    """Yield the lines of a file; a last line that was never finished is half a command, noted and left out."""
    openings = _openings(path, reading) if reading.opens_any else {}
    with path.open("rb") as file:
        number = 0
        while text := file.readline(LONGEST_LINE + 2):
            number += 1
            if not text.endswith(b"\n"):
                if len(text) > LONGEST_LINE:
                    raise Damaged(f"{path}, line {number}: expected at most {LONGEST_LINE} bytes")
                note(
                    f"{path}, line {number}: the last line is torn ({plural(len(text), 'byte')}) and left out"
                )
                return
            yield Line(number, text[:-1], openings.get(number, ()))


def _openings(path: Path, reading: Reading) -> dict[int, tuple[Opening, ...]]:
    held: dict[int, tuple[Opening, ...]] = {}
    for opening in read_openings(path):
        if reading.may_open(opening):
            held[opening.entry] = (*held.get(opening.entry, ()), opening)
    return held


def damaged(fault: Exception) -> Damaged:
    """Return a fault of a store or of the operating system as a sentence that names the file."""
    if isinstance(fault, Damaged):
        return fault
    if isinstance(fault, OSError):
        return Damaged(f"{fault.filename}: {fault.strerror or fault}")
    return Damaged(str(fault))
