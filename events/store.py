"""The store protocol: what every place that keeps logs promises.

Ids inside a game have no gaps. The position across games is an opaque, ordered token: only its order means anything.
A store never looks inside a line; it checks that the line continues the head it holds.
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Protocol

from msgspec import Raw, Struct, json

from events.chain import Head
from events.seals import Opening

__all__ = [
    "LONGEST_LINE",
    "Appended",
    "Closed",
    "GameExists",
    "NoSuchGame",
    "Position",
    "Store",
    "StoreError",
    "Stored",
    "Unreadable",
    "Unstorable",
    "WrongHead",
    "is_name",
    "is_no_stream",
    "is_path",
    "nameable",
    "storable",
]

LONGEST_LINE = 16 * 1024 * 1024
"""The most bytes that one entry's line may have."""

Position = str
"""An opaque token that orders entries across games; compare two of one store as text."""


class StoreError(Exception):
    """The base of what a store says when it can't do what was asked."""


class NoSuchGame(StoreError):
    """Raised when a game is not in the store."""


class GameExists(StoreError):
    """Raised when a game of that name is in the store already."""


class Unreadable(StoreError):
    """Raised when a file can't be read as a store: names the file, the place and what was expected."""


class Unstorable(StoreError):
    """Raised when a game's name, a line or an opening could not be read back from every store: says what is wrong."""


class Closed(StoreError):
    """Raised when a store is used after it was closed."""


class WrongHead(StoreError):
    """Raised when an append does not continue the head: somebody else was first. `actual` is the head now."""

    def __init__(self, game: str, expected: Head, actual: Head) -> None:
        """Take the game, the head that the writer built on, and the one that stands."""
        super().__init__(f"{game}: the log ends at entry {actual.id}, not at {expected.id} as expected")
        self.game, self.expected, self.actual = game, expected, actual


class Appended(Struct, frozen=True):
    """What an append did: the entry's id and hash, its position, and whether the key had been used before."""

    head: Head
    position: Position
    repeated: bool = False


class Stored(Struct, frozen=True):
    """One entry as a store holds it: the line without its newline, and the openings of its sealed parts."""

    game: str
    id: int
    line: bytes
    openings: tuple[Opening, ...] = ()
    position: Position = ""


class Store(Protocol):
    """Where logs are kept. Every method raises `StoreError` kinds only; `NoSuchGame` for an unknown game."""

    def append(
        self, game: str, line: bytes, *, expected: Head, key: str = "", openings: Sequence[Opening] = ()
    ) -> Appended:
        """Keep a line as entry `expected.id + 1` and answer once it is durable.

        A game begins with `expected=Head()`. The same non-empty `key` again (in the same game) appends nothing and
        returns the earlier entry with `repeated=True`, whatever was expected; it is the key that stands in the line.
        Raises `WrongHead` when the log does not end at `expected`, in id and hash, and `Unstorable` for a name, line
        or opening that could not be read back. After any other `StoreError` ask again with the same key: only then
        is it known whether the entry was kept.
        """

    def read(self, game: str, since: int = 0, upto: int | None = None) -> Iterator[Stored]:
        """Yield the entries after `since`, up to and including `upto`, with all their openings."""

    def head(self, game: str) -> Head:
        """Return where a game's log ends; `Head()` for a game that the store does not hold."""

    def games(self) -> list[str]:
        """Return the names of the games held, in the order in which they were opened."""

    def find(self, game: str, key: str) -> int | None:
        """Return the entry that was appended under an idempotency key, or None."""

    def follow(
        self, since: Position = "", game: str | None = None, *, wait: float | None = None
    ) -> Iterator[Stored]:
        """Yield entries after a position, first those held, then new ones as they come, without gap or double.

        Ends when nothing came for `wait` seconds; None waits for ever, 0 only catches up.
        """

    def backup(self, to: Path) -> None:
        """Write a whole, consistent copy to a path while others go on writing."""

    def check(self) -> list[str]:
        """Return what is wrong with the store itself (not with the games in it), in sentences; empty when sound."""

    def close(self) -> None:
        """Let go of files and threads; the store can't be used afterwards."""


_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")


def is_name(game: str) -> bool:
    """Return whether a game can have this name."""
    return _NAME.fullmatch(game) is not None and not game.endswith(".")


def nameable(game: str) -> None:
    """Raise `Unstorable` unless every store could keep a game of this name."""
    if not is_name(game):
        raise Unstorable(
            f"{game!r} can't be the name of a game: up to 100 letters, digits, `.`, `_` or `-`, the first a letter or "
            "digit, the last no dot"
        )


def is_path(path: Path) -> None:
    """Raise `Unreadable` when no file system could have this path."""
    if "\0" in str(path):
        raise Unreadable(f"{str(path)!r} is no path: it holds a NUL")


def is_no_stream(path: Path) -> None:
    """Raise `Unreadable` when a path leads to a pipe or device, which may be read without end or never answer."""
    try:
        streams = path.exists() and not (path.is_file() or path.is_dir())
    except OSError:
        return  # a path that no disk can have is told by whoever opens it
    if streams:
        raise Unreadable(f"{path}: expected a file on a disk, not a pipe or device")


def storable(game: str, line: bytes, entry: int, openings: Sequence[Opening]) -> None:
    """Raise `Unstorable` unless every store could keep this line as that entry, and give it and its openings back."""
    if not line or len(line) > LONGEST_LINE:
        raise Unstorable(f"{game}: a line has 1 to {LONGEST_LINE} bytes, not {len(line)}")
    if b"\n" in line or b"\r" in line:
        raise Unstorable(f"{game}: the line of entry {entry} holds a line break")
    parts = [opening.part for opening in openings]
    if len(set(parts)) < len(parts) or any(opening.entry != entry for opening in openings):
        raise Unstorable(f"{game}: openings are of entry {entry}, one for each part")
    for opening in openings:
        _json_on_one_line(game, opening)


def _json_on_one_line(game: str, opening: Opening) -> None:
    value = bytes(opening.value)
    try:
        json.decode(value, type=Raw)
    except ValueError as fault:
        raise Unstorable(f"{game}: the opening of entry {opening.entry} holds no JSON: {fault}") from fault
    if b"\n" in value or b"\r" in value or value != value.strip() or len(value) > LONGEST_LINE:
        raise Unstorable(f"{game}: the opening of entry {opening.entry} is not JSON on one line")
