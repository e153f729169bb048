"""What lies in the folder of simulated games: nothing is written over that the same run did not write.

A game is three files: `NAME.jsonl`, `NAME.openings` and, written last, `NAME.head`; each is first written beside itself, as
`.half`. As every byte of a simulated game follows from its plan, what a run left half written is the beginning of what it
would write now, and anything else is another's.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from core.rules import Rules
from events.chain import Head
from events.codec import BadLine
from events.jsonl import game_texts
from events.seals import Opening

__all__ = ["AnotherPlan", "leave_alone", "lies_there"]

MOST_READ = 1024 * 1024
"""Bytes of a first line that are read to see what it is; an opening has some 4,000."""


class AnotherPlan(ValueError):
    """Raised when what lies in the folder under a game's name was not written by this plan."""


def lies_there(rules: Rules[Any], path: Path, opening: bytes) -> bool:
    """Return whether a game lies at a path (`NAME.jsonl`) already: its head is written last.

    `opening` is the line that opens it. Raises `AnotherPlan` when a game lies there which other bots played, or other seats,
    options or dice, or a file that is no game. What lies there half is looked at by its first line alone.
    """
    head = path.with_suffix(".head")
    done = _is_taken(head)
    if done and not _is_taken(path):
        raise _another(head, "there is no log beside it")
    for place in (path, _half(path)):
        if _is_taken(place):
            _check_opening(rules, place, opening, whole=done and place == path)
    return done


def leave_alone(path: Path, lines: Sequence[bytes], openings: Iterable[Opening], head: Head) -> None:
    """Raise `AnotherPlan` when a file that writing a game to `path` replaces holds anything but the beginning of it."""
    for final, mine in game_texts(path, lines, openings, head).items():
        for place in (final, _half(final)):
            if _is_taken(place):
                _check_file(place)
                if not mine.startswith(place.read_bytes()):
                    raise _another(place, "it does not begin as the game that this run plays")


def _half(path: Path) -> Path:
    return path.with_name(f"{path.name}.half")


def _is_taken(path: Path) -> bool:
    return path.exists() or path.is_symlink()


def _check_file(path: Path) -> None:
    if path.is_symlink() or not path.is_file():
        raise _another(path, "it is a folder, a link or a device")


def _check_opening(rules: Rules[Any], path: Path, opening: bytes, *, whole: bool) -> None:
    _check_file(path)
    with path.open("rb") as file:
        lies = file.readline(MOST_READ)
    mine = opening + b"\n"
    if lies == mine or (not whole and mine.startswith(lies)):
        return
    expected: Any = rules.codec.decode(opening).command
    try:
        found: Any = rules.codec.decode(lies.rstrip(b"\n")).command
    except BadLine as fault:
        raise _another(path, f"it is no game that could be gone on from: {fault}") from fault
    if found != expected:
        raise _another(path, f"it is another game: {getattr(found, 'title', '')}, not {expected.title}")


def _another(path: Path, why: str) -> AnotherPlan:
    return AnotherPlan(
        f"{path} lies there already and is not of this run: {why}. It is left as it is. "
        "Move it away, or name another folder or another seed."
    )
