"""Words in the picture of the board: how wide they are at most in any of its fonts, cut or broken to the room they have.

An SVG does not know which font its reader has, so the widths are those of the widest letters of DejaVu Sans and Verdana;
in narrower fonts there is room to spare.
"""

from collections.abc import Iterable, Iterator
from html import escape
from typing import Final

from .svg_style import TEXTS

__all__ = ["clipped", "number", "text", "wide", "wrapped"]

_BOLD: Final = 1.15
_OTHER: Final = 1.05
_EMS: Final = {
    letter: em
    for letters, em in (
        ("'ijlIJ ,.", 0.33), ("/:;\\|-", 0.37), ("()[]t!rf", 0.43), ('"*_`szc?', 0.56), ("LFkvxyP", 0.61),
        ("TYaoeESbdghnpqu$0123456789{}", 0.645), ("KAVBRXZC", 0.71), ("UHNDG&OQ", 0.8), ("w#+<=>^~M", 0.87), ("%mW@", 1.0),
    )
    for letter in letters
}  # fmt: skip
"""How wide letters are at most, as parts of the size of the font; bold ones by `_BOLD` more, all others `_OTHER`."""


def number(value: float) -> str:
    """Return a coordinate as short as it can be, the same on every machine."""
    return f"{round(value, 1):g}"


def wide(said: str, kind: str) -> float:
    """Return how wide words are at most as a kind of text (a key of `TEXTS`), in pixels."""
    face = TEXTS[kind]
    ems = sum(_EMS.get(letter, _OTHER) for letter in said)
    return ems * face.size * (_BOLD if face.bold else 1)


def text(kind: str, x: float, y: float, said: str) -> str:
    """Return an SVG text; where it stands about x is what its kind says."""
    return f'<text class="{kind}" x="{number(x)}" y="{number(y)}">{escape(said)}</text>'


def clipped(said: str, kind: str, room: float) -> str:
    """Return words that are at most so many pixels wide: whole, or cut with three dots behind."""
    if wide(said, kind) <= room:
        return said
    while said and wide(f"{said}...", kind) > room:
        said = said[:-1]
    return f"{said.rstrip(' ,;:')}..."


def wrapped(parts: Iterable[str], kind: str, room: float) -> Iterator[str]:
    """Yield lines of parts with commas between, each line at most so many pixels wide; a part is cut where it must be."""
    line = ""
    for part in parts:
        longer = f"{line}, {part}" if line else part
        if line and wide(f"{longer},", kind) > room:
            yield f"{line},"
            longer = part
        line = clipped(longer, kind, room)
    if line:
        yield line
