"""A game's files, wherever they lie: the interchange form, and what fixtures hold."""

import re
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import BinaryIO

from msgspec import Struct, json

from events.chain import Head, hash_of
from events.counting import plural
from events.jsonl.disk import reading, replace_all, telling
from events.seals import Opening
from events.store import LONGEST_LINE, StoreError, Unreadable, Unstorable, is_no_stream, is_path, storable

__all__ = [
    "Link",
    "Log",
    "begun",
    "game_texts",
    "head_line",
    "is_junk",
    "linked",
    "opening_line",
    "openings_upto",
    "proved",
    "read_head",
    "read_log",
    "read_openings",
    "strays",
    "whole_lines",
    "write_log",
]

_HEAD = re.compile(r"(0|[1-9][0-9]{0,15}) ([0-9a-f]{64})\n?")
_opening = json.Decoder(Opening)
_openings = json.Encoder(order="sorted")


class Log(Struct, frozen=True):
    """A game's files as they are: whole lines, their openings, the head if one is kept, and what stands after them.

    `torn` is a last line that was never finished: half a command, which is no part of the log. `junk` is a last line that
    was, and is no entry: nobody who appends leaves it so. Neither has its newline. Before the last line one that is no JSON
    is handed over all the same, so that the chain can name its entry.
    """

    lines: list[bytes]
    openings: tuple[Opening, ...] = ()
    head: Head | None = None
    torn: bytes | None = None
    junk: bytes | None = None

    @property
    def strays(self) -> str:
        """What `junk` is, as a sentence without its end; empty when there is none."""
        return strays(len(self.lines) + 1, self.junk) if self.junk is not None else ""


class Link(Struct, frozen=True, gc=False):
    """What this form needs to know of a line: which entry it is, what it hangs on, its idempotency key."""

    id: int
    prev: str = ""
    key: str = ""


_link = json.Decoder(Link)


def read_log(path: Path) -> Log:
    """Read a game from `path` (`g.jsonl`) and the files beside it; raise `Unreadable` naming file and line."""
    is_path(path)
    with reading(path) as file:
        lines, rest = whole_lines(path, file)
    if len(lines) > 0 and not any(linked(line) for line in lines):
        raise Unreadable(f"{path}, line 1: expected an entry, a JSON object with an `id`")
    openings = tuple(opening for opening in read_openings(path) if opening.entry <= len(lines))
    junk = is_junk(rest)
    return Log(
        lines,
        openings,
        proved(read_head(path), lines),
        None if junk else rest,
        rest[:-1] if rest and junk else None,
    )


def write_log(
    path: Path,
    lines: Sequence[bytes],
    openings: Iterable[Opening] = (),
    *,
    head: Head | None = None,
    overwrite: bool = False,
) -> None:
    """Write a game to `path` (`g.jsonl`) and the files beside it; `head` is that of the lines unless given.

    Raises `StoreError` when one of these files stands there already and `overwrite` is not set, or when it can't be written.
    """
    texts = game_texts(path, lines, openings, head)
    is_path(path)
    if path.suffix != ".jsonl":
        raise Unstorable(f"{path}: the file of a game is called `NAME.jsonl`")
    there = next((place for place in (path, *texts) if place.exists() or place.is_symlink()), None)
    if there is not None and not overwrite:
        raise StoreError(f"{there} stands there already")
    with telling(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        replace_all({place: text for place, text in texts.items() if text or place == path})
        for place, text in texts.items():
            if not text and place != path:
                place.unlink(missing_ok=True)


def game_texts(
    path: Path, lines: Sequence[bytes], openings: Iterable[Opening] = (), head: Head | None = None
) -> dict[Path, bytes]:
    """Return what each of a game's files holds, in the order in which they are written: openings, lines, head.

    Raises `Unstorable` when a line or opening could not be read back.
    """
    told: dict[int, list[Opening]] = {}
    for opening in openings:
        told.setdefault(opening.entry, []).append(opening)
    for at, line in enumerate(lines, start=1):
        storable(path.name, line, at, told.get(at, ()))
    end = head or Head(len(lines), hash_of(lines[-1]) if lines else "")
    return {
        path.with_suffix(".openings"): b"".join(
            opening_line(each) for at in sorted(told) for each in told[at]
        ),
        path: b"".join(line + b"\n" for line in lines),
        path.with_suffix(".head"): head_line(end),
    }


def whole_lines(path: Path, file: BinaryIO) -> tuple[list[bytes], bytes | None]:
    """Return the lines of a file, and what stands after the last entry: a line without newline, or one that is none."""
    lines: list[bytes] = []
    while line := file.readline(LONGEST_LINE + 2):
        if len(line) > LONGEST_LINE + 1:
            raise Unreadable(f"{path}, line {len(lines) + 1}: expected at most {LONGEST_LINE} bytes")
        if not line.endswith(b"\n"):
            return lines, line
        if not lines and line.endswith(b"\r\n") and linked(line):
            raise Unreadable(f"{path}, line 1: expected lines that end in LF alone, not in CR LF")
        if not lines and line.startswith(BOM_UTF8):
            raise Unreadable(f"{path}, line 1: expected an entry, not a byte order mark before it")
        lines.append(line[:-1])
    if lines and not linked(lines[-1]):
        return lines[:-1], lines[-1] + b"\n"
    return lines, None


def is_junk(rest: bytes | None) -> bool:
    """Return whether what stands after the last entry is a line that is no entry, and not one that was never finished.

    What a power cut leaves of a line may end in its newline all the same, but then it holds NULs for what was not written.
    """
    return rest is not None and rest.endswith(b"\n") and b"\0" not in rest


def strays(number: int, junk: bytes) -> str:
    """Return what a line after the last entry is, which is none, and what would have been right; no sentence's end."""
    return f"line {number}: expected entry {number}, one JSON object with its `id`, or the end of the file; found {_bytes(len(junk))}"


def _bytes(count: int) -> str:
    return plural(count, "byte that is none", "bytes that are none") if count else "an empty line"


def begun(path: Path) -> bool:
    """Return whether a game's file holds a whole line; a crash in the first append leaves none."""
    with reading(path) as file:
        first = file.readline(LONGEST_LINE + 2)
        return first.endswith(b"\n") and (linked(first) is not None or file.read(1) != b"")


def linked(line: bytes) -> Link | None:
    """Return what a line says of itself, or None when it is no entry."""
    try:
        return _link.decode(line)
    except (ValueError, RecursionError):
        return None


def read_head(path: Path) -> Head | None:
    """Return the head kept beside a game's file, or None; raise `Unreadable` when it says something else."""
    beside = path.with_suffix(".head")
    is_no_stream(beside)
    try:
        text = beside.read_text(encoding="ascii")
    except FileNotFoundError:
        return None
    except UnicodeDecodeError as fault:
        raise Unreadable(f"{beside}, line 1: expected an id and a hash") from fault
    if text.strip() == "0":
        return Head()
    if not (found := _HEAD.fullmatch(text)):
        raise Unreadable(f"{beside}, line 1: expected an id and a hash, `12 9f86d0...`")
    return Head(int(found[1]), found[2])


def proved(said: Head | None, lines: list[bytes]) -> Head | None:
    """Return the head that is kept, moved on over one line that continues it: a crash came between line and head."""
    if said is None or said.id != len(lines) - 1:
        return said
    link = linked(lines[-1])
    before = hash_of(lines[-2]) if said.id else ""
    if link is None or link.id != len(lines) or said.hash != before or link.prev != before:
        return said
    return Head(len(lines), hash_of(lines[-1]))


def head_line(head: Head) -> bytes:
    """Return the text of a head's file: id and hash, or `0` before the first entry."""
    return f"{head.id} {head.hash}".strip().encode("ascii") + b"\n"


def read_openings(path: Path) -> Iterator[Opening]:
    """Yield the openings beside a game's file; a torn last line is left out, as an entry's would be."""
    beside = path.with_suffix(".openings")
    if not beside.exists():
        return
    with reading(beside) as file:
        for number, line in enumerate(file, start=1):
            if not line.endswith(b"\n"):
                return
            try:
                yield _opening.decode(line)
            except (ValueError, RecursionError) as fault:
                raise Unreadable(f"{beside}, line {number}: expected an opening: {fault}") from fault


def opening_line(opening: Opening) -> bytes:
    """Return an opening as one line."""
    return _openings.encode(opening) + b"\n"


def openings_upto(path: Path, entry: int) -> int:
    """Return how many bytes of the openings belong to entries up to `entry`; the rest is what a crash left."""
    beside, size = path.with_suffix(".openings"), 0
    if not beside.exists():
        return 0
    with reading(beside) as file:
        for line in file:
            try:
                belongs = line.endswith(b"\n") and _opening.decode(line).entry <= entry
            except (ValueError, RecursionError):
                belongs = False
            if not belongs:
                break
            size += len(line)
    return size
