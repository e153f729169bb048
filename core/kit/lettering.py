"""How wide words are at most in the fonts of a picture, and how they are cut or broken to the room they have.

An SVG does not know which font its reader has, so the widths are those of the widest letters of DejaVu Sans and Verdana;
in narrower fonts there is room to spare.
"""

from collections.abc import Iterable, Iterator
from typing import Final

__all__ = ["FONTS", "across", "clipped", "wrapped"]

FONTS: Final = '"DejaVu Sans", "Segoe UI", Verdana, sans-serif'
"""The fonts of pictures, none wider than what is reckoned here."""
_BOLD: Final = 1.15
_OTHER: Final = 1.05
_EMS: Final = {
    letter: em
    for letters, em in (
        ("'ijlIJ ,.", 0.33), ("/:;\\|-", 0.37), ("()[]t!rf", 0.43), ('"*_`szc?', 0.56), ("LFkvxyP", 0.61),
        ("TYaoeESbdghnpqu$0123456789{}", 0.645), ("KAVBRXZC", 0.71), ("UHNDG&OQ", 0.8), ("w#+×<=>^~M", 0.87), ("%mW@", 1.0),
    )
    for letter in letters
}  # fmt: skip
"""How wide letters are at most, as parts of the size of the font; bold ones by `_BOLD` more, all others `_OTHER`."""


def across(said: str, size: float, *, bold: bool = False) -> float:
    """Return how wide words are at most in letters of a size, in the unit of the size."""
    return sum(_EMS.get(letter, _OTHER) for letter in said) * size * (_BOLD if bold else 1)


def clipped(said: str, room: float, size: float, *, bold: bool = False) -> str:
    """Return words that are at most so wide as the room: whole, or cut with three dots behind."""
    if across(said, size, bold=bold) <= room:
        return said
    while said and across(f"{said}...", size, bold=bold) > room:
        said = said[:-1]
    return f"{said.rstrip(' ,;:')}..."


def wrapped(parts: Iterable[str], room: float, size: float, *, bold: bool = False) -> Iterator[str]:
    """Yield lines of parts with commas between, each line at most as wide as the room; a part is cut where it must be."""
    line = ""
    for part in parts:
        longer = f"{line}, {part}" if line else part
        if line and across(f"{longer},", size, bold=bold) > room:
            yield f"{line},"
            longer = part
        line = clipped(longer, room, size, bold=bold)
    if line:
        yield line
