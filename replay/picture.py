"""A moment as a picture: the game's own SVG where it draws its board, else its tables.

A game draws its board with `draw(now, told, seat=, title=, moment=, caption=, asked=, theme=)` in its `svg.py`: the moment
and the facts of the last entries (the latest first) as that seat may see them, what is written above (the game's title,
which moment and whose eyes, the last entry, what is asked now), and `light`, `dark` or nothing: as the reader's system
prefers. It returns the text of an SVG file.
"""

import re
from collections.abc import Iterator
from html import escape
from importlib import import_module
from importlib.util import find_spec
from itertools import islice
from typing import Any

from core.seats import ARBITER, CHANCE
from core.telling import Moment
from events.event import Seat
from replay.history import History
from replay.picture_text import Sheet, sheets
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
    called = now.table.title or now.table.id or history.rules.name
    moment = f"entry {last}" + (f", as {seat or 'a spectator'} may see it" if seat != ARBITER else "")
    caption = (
        command_words(history.rules, entries[0].seat, entries[0].command) if entries else "before the game"
    )
    own = f"{history.rules.package}.svg"
    if find_spec(own) is None:
        drawn = _tables(now, f"{called}, {moment}", caption, theme)
    else:
        drawn = import_module(own).draw(
            now,
            [entry.facts for entry in entries],
            seat=seat,
            title=called,
            moment=moment,
            caption=caption,
            asked=_asked(now),
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
    return f"{', '.join(question.seats)}: {question.prompt or sentence_of(question.kind)}"


_LIGHT = ".ground { fill: #fdfdfb; } text { fill: #14181c; } .line { stroke: #c9c4b5; }"
_DARK = ".ground { fill: #15191d; } text { fill: #f1efe8; } .line { stroke: #444c52; }"
_ROW = 20
_LETTER = 8.2
"""How wide a letter is at most, in pixels."""


def _tables(now: Moment[Any], title: str, caption: str, theme: str) -> str:
    """Return the tables of a moment as SVG, one below the other."""
    lines: list[str] = []
    y, width = 78, 1200
    for sheet in sheets(now):
        columns = _columns(sheet)
        if sheet.title:
            lines.append(_text(16, y, sheet.title, "head"))
            y += _ROW + 4
        for n, row in enumerate((sheet.heads, *sheet.rows)):
            if not any(row):
                continue
            lines.extend(
                _text(x, y, said, "strong" if n == 0 else "")
                for x, said in zip(columns, row, strict=False)
                if said
            )
            y += _ROW
        width = max(width, round(columns[-1]) + 16)
        lines.append(f'<path class="line" d="M16,{y - 8} h{width - 32}"/>')
        y += _ROW
    sheet_of = {"light": _LIGHT, "dark": _DARK}.get(
        theme, f"{_LIGHT} @media (prefers-color-scheme: dark) {{ {_DARK} }}"
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {y}" width="{width}" height="{y}" role="img">\n'
        f"<title>{escape(title)}</title>\n<style>text {{ font: 14px sans-serif; }} .title {{ font-size: 21px; }} "
        f".head {{ font-size: 17px; }} .title, .head, .strong {{ font-weight: bold; }} {sheet_of}</style>\n"
        f'<rect class="ground" width="{width}" height="{y}"/>\n'
        + "\n".join((_text(16, 28, title, "title"), _text(16, 50, caption), *lines))
        + "\n</svg>\n"
    )


def _columns(sheet: Sheet) -> list[float]:
    """Return where each column of a table begins, and at last where the table ends, in pixels."""
    return list(_begins(sheet))


def _begins(sheet: Sheet) -> Iterator[float]:
    x = 16.0
    yield x
    for column in zip(
        *(row for row in (sheet.heads, *sheet.rows) if len(row) == len(sheet.heads)), strict=True
    ):
        x += max(map(len, column)) * _LETTER + 18
        yield x


def _text(x: float, y: float, said: str, kind: str = "") -> str:
    return f'<text x="{x:g}" y="{y:g}"{f" class={kind!r}" if kind else ""}>{escape(said)}</text>'
