"""What is typed at a table or to the program and no sheet holds, with what would have been right in its place."""

import re

from core.seats import ARBITER
from events.event import Seat

__all__ = ["right_instead"]

_TAKEN_BACK = "what was played in the end: leave this line out, and those that were taken back"
_ASKED = "what was played; this asks the program: leave the line out"
_INSTEAD = {
    **dict.fromkeys(("undo", "restore", "propose", "agree", "refuse"), _TAKEN_BACK),
    **dict.fromkeys(
        ("show", "why", "rules", "help", "?", "quit", "exit", "as", "log", "asks", "diff"), _ASKED
    ),
}
"""By the first word of a line, what a sheet holds in its place."""
_GONE_BACK = re.compile(r"(rule\s+)?go\s+back\s+to\s+(entry\s+)?\d+\b", re.IGNORECASE)
_CALLED_OFF = re.compile(r"(rule\s+)?call\s+off\b", re.IGNORECASE)
_ROLLED = re.compile(r"(?:rolls?|rolled|dice)?[\s:]*((?:\d+[\s,]*)+)", re.IGNORECASE)
_DRAWN = re.compile(r"(?:card|draws?|drew)\b[\s:]*(.*)", re.IGNORECASE)
_RULED = re.compile(r"(?:rule|correct|uphold|penalise|forfeit)\b.*", re.IGNORECASE)
_CLAIMED = re.compile(r"claim(?:s|ed)?\s*:\s*(.+)", re.IGNORECASE)


def right_instead(seat: Seat, said: str) -> tuple[str, tuple[str, ...]]:
    """Return what would have been right where a line of a seat is no act of its game, and the line that may be meant.

    Nothing where it may be no more than misspelt.
    """
    if _GONE_BACK.match(said):
        return _TAKEN_BACK, ()
    if seat == ARBITER:
        return (
            "the end of the game as its last line: leave this one out" if _CALLED_OFF.match(said) else ""
        ), ()
    if rolled := _ROLLED.fullmatch(said):
        return "dice on a line of their own", (f"dice: {' '.join(re.findall('[0-9]+', rolled[1]))}",)
    if drawn := _DRAWN.fullmatch(said):
        return "a card on a line of its own", (f"card: {drawn[1] or '?'}",)
    if claimed := _CLAIMED.fullmatch(said):
        return "a claim on a line of its own", (f"claim: {claimed[1]}",)
    if _RULED.fullmatch(said):
        return "the arbiter's word on a line of his own", (f"{ARBITER}: {said}",)
    return _INSTEAD.get(said.partition(" ")[0].lower(), ""), ()
