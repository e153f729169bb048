"""Words in the picture of the board, by the kind of text that they are: how wide, and cut or broken to their room."""

from collections.abc import Iterable, Iterator
from html import escape

from core.kit import lettering

from .svg_style import TEXTS

__all__ = ["clipped", "number", "text", "wide", "wrapped"]


def number(value: float) -> str:
    """Return a coordinate as short as it can be, the same on every machine."""
    return f"{round(value, 1):g}"


def wide(said: str, kind: str) -> float:
    """Return how wide words are at most as a kind of text (a key of `TEXTS`), in pixels."""
    return lettering.across(said, TEXTS[kind].size, bold=TEXTS[kind].bold)


def text(kind: str, x: float, y: float, said: str) -> str:
    """Return an SVG text; its kind, to which an ink may be added, says what of it stands at x."""
    return f'<text class="{kind}" x="{number(x)}" y="{number(y)}">{escape(said)}</text>'


def clipped(said: str, kind: str, room: float) -> str:
    """Return words that are at most so many pixels wide: whole, or cut with three dots behind."""
    return lettering.clipped(said, room, TEXTS[kind].size, bold=TEXTS[kind].bold)


def wrapped(parts: Iterable[str], kind: str, room: float) -> Iterator[str]:
    """Yield lines of parts with commas between, each at most so many pixels wide; a part is cut where it must be."""
    return lettering.wrapped(parts, room, TEXTS[kind].size, bold=TEXTS[kind].bold)
