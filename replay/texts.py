"""What people may write in their own words: names, titles, reasons, claims; the same at every door.

It is judged where something new is written, never where a log is read: what an older program took stays as it is.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

from core.harmless import is_harmless
from core.kit.table import MoveHead, OpenGame, Rule
from core.refusal import Refusal
from events.table import Penalised
from replay.outcomes import Refused

__all__ = ["MOST_KEY", "MOST_NAME", "MOST_TEXT", "MOST_TITLE", "is_text", "no_text", "unclear"]

MOST_NAME, MOST_TITLE, MOST_KEY = 100, 200, 200
"""Characters of the name of a person, of the title of a game, of an idempotency key."""
MOST_TEXT = 2_000
"""Characters of a reason, a claim, or what somebody is penalised for."""


def is_text(said: str) -> bool:
    """Return whether a log can hold a text: bytes of a command line that are no UTF-8 come as signs that none has."""
    return not any("\ud800" <= sign <= "\udfff" for sign in said)


def no_text() -> Refused:
    """Return why what holds signs that are no text is not taken (LS-1.8)."""
    said = "What was given holds bytes that are no text in UTF-8; type it anew, or set the terminal to UTF-8."
    return Refused((Refusal("no_text", ("LS-1.8",), said),))


class _Said(NamedTuple):
    """Something in people's own words: what it is, how long it may be, and whether it tells people or games apart."""

    what: str
    text: str
    most: int
    label: bool = False


def unclear(command: Any, actor: str = "", key: str = "") -> Refused | None:
    """Return why what is said in people's own words is not taken.

    A title or a name holds what nobody sees, and could be taken for another (LS-1.7), a text is longer than anybody reads,
    or a person is named for a seat that nobody has (LS-1.8). A claim or a reason is testimony and is kept as it was given,
    whatever it holds.
    """
    said = [
        _Said("The name", actor, MOST_NAME, label=True),
        _Said("The key", key, MOST_KEY),
        *_said_in(command),
    ]
    if not all(is_text(each.text) for each in said):
        return no_text()
    found = [
        Refusal(
            "too_long",
            ("LS-1.8",),
            f"{each.what} has {len(each.text):,} characters; at most {each.most:,} are taken.",
            {"most": each.most},
        )
        for each in said
        if len(each.text) > each.most
    ]
    found += [
        Refusal(
            "unclear_name",
            ("LS-1.7",),
            f"{each.what} {each.text!r} is no line in which everything is seen: leave out what is not.",
        )
        for each in said
        if each.label and len(each.text) <= each.most and not is_harmless(each.text)
    ]
    found += _strangers(command)
    return Refused(tuple(found)) if found else None


def _said_in(command: Any) -> Iterator[_Said]:
    if isinstance(command, OpenGame):
        yield _Said("The title", command.title, MOST_TITLE, label=True)
        for name in command.persons.values():
            yield _Said("The name", name, MOST_NAME, label=True)
    if isinstance(command, MoveHead):
        yield _Said("The name", command.arbiter, MOST_NAME, label=True)
    if isinstance(command, Rule) and isinstance(command.verdict, Penalised):
        yield _Said("What is penalised", command.verdict.what, MOST_TEXT)
    for field in ("reason", "claim"):
        if isinstance(text := getattr(command, field, None), str):
            yield _Said(f"The {field}", text, MOST_TEXT)


def _strangers(command: Any) -> list[Refusal]:
    """Return what is wrong with persons who are named for seats that nobody has (LS-1.8)."""
    named = (
        ()
        if not isinstance(command, OpenGame)
        else [each for each in command.persons if each not in command.seats]
    )
    return [
        Refusal(
            "no_such_seat",
            ("LS-1.8",),
            f"Nobody sits at {seat[:40]!r}; the seats are {', '.join(command.seats)}.",
            {"seat": seat[:40]},
        )
        for seat in named[:5]
    ]
