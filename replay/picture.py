"""A moment as a picture: the game's own SVG where it draws its board, else its tables.

A game draws its board with `draw(now, told, seat=, title=, moment=, caption=, asked=, theme=)` in its `svg.py`: the moment
and the facts of the last entries (the latest first) as that seat may see them, what is written above (the game's title,
which moment and whose eyes, the last entry, what is asked now), and `light`, `dark` or nothing: as the reader's system
prefers. It returns the text of an SVG file.
"""

import re
from importlib import import_module
from importlib.util import find_spec
from itertools import islice
from typing import Any

from core.harmless import harmless
from core.seats import ARBITER, CHANCE
from core.telling import Moment
from events.event import Seat
from replay.history import History
from replay.picture_tables import drawn_tables
from replay.words.wording import asked_of, chance_words, command_words, sentence_of

__all__ = ["THEMES", "picture"]

THEMES = ("", "light", "dark")
"""How a picture may look; the first leaves it to the reader's system."""
_NO_TEXT = re.compile("[^\\t\\n\\r\\x20-\\ud7ff\\ue000-\\ufffd\\U00010000-\\U0010ffff]")
"""What XML can't hold; a log may."""
_LOOKS_BACK = 12
"""So many entries are given to the drawing, for the last move among them."""


def picture(history: History, at: int | None = None, seat: Seat | None = ARBITER, theme: str = "") -> str:
    """Return the moment after an entry (None: now) as a seat may know it, as the text of an SVG file.

    Raises `LookupError` when there is no such entry.
    """
    if theme not in THEMES:
        raise ValueError(f"a picture is light or dark, or as the system prefers; not {theme!r}")
    last = len(history.moments) - 1 if at is None else at
    if not 0 <= last < len(history.moments):
        raise LookupError(f"there is no entry {last}; entries are 1 to {len(history.moments) - 1}")
    now = history.view(seat, last)
    entries = [history.entry_for(seat, n) for n in islice(reversed(history.line(last)), _LOOKS_BACK)]
    called = harmless(now.table.title or now.table.id or history.rules.name)
    moment = f"entry {last}" + (f", as {seat or 'a spectator'} may see it" if seat != ARBITER else "")
    caption = (
        command_words(history.rules, entries[0].seat, entries[0].command) if entries else "before the game"
    )
    asked = _asked(now)
    own = f"{history.rules.package}.svg"
    if find_spec(own) is None:
        lines = (caption, asked) if asked else (caption,)
        drawn = drawn_tables(now, seat, f"{called}, {moment}", lines, theme)
    else:
        drawn = import_module(own).draw(
            now,
            [entry.facts for entry in entries],
            seat=seat,
            title=called,
            moment=moment,
            caption=caption,
            asked=asked,
            theme=theme,
        )
    return _NO_TEXT.sub("\ufffd", drawn)


def _asked(now: Moment[Any]) -> str:
    """Return who is asked what at a moment, for everybody to read."""
    asked = asked_of(now)
    question = now.question
    if now.state.ended is not None or not asked or question is None:
        return ""
    if now.table.disputes:
        return "arbiter: rules on the dispute"
    if CHANCE in question.seats and (dice := chance_words(now)):
        return f"{'dice' if question.roll is not None else 'card'}: {dice}"
    who = ", ".join(question.seats)
    return f"{who}: {(question.prompt or sentence_of(question.kind)).removeprefix(f'{who} ')}"
