"""How the picture of the board looks, light and dark: the style sheet, and the colour, shape and letter of each owner.

No meaning hangs on colour alone: owners also differ in shape and letter. Their colours are told apart with every kind of
colour blindness (after Okabe and Ito).
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

from core.kit.lettering import FONTS
from events.event import Seat

__all__ = ["FROST", "OWNERS", "TEXTS", "Face", "Owner", "style"]


class Owner(NamedTuple):
    """How the armies of a seat are drawn: a fill, the colour of the letter on it, the letter, and an outline of radius 13."""

    fill: str
    ink: str
    letter: str
    shape: str


_CIRCLE: Final = "M-13,0 a13,13 0 1 1 26,0 a13,13 0 1 1 -26,0 z"
_DIAMOND: Final = "M0,-14 L14,0 L0,14 L-14,0 z"
_SQUARE: Final = "M-12,-12 h24 v24 h-24 z"
_SHIELD: Final = "M-12,-12.5 h24 v12 q0,9.5 -12,15 q-12,-5.5 -12,-15 z"
_HEXAGON: Final = "M-7,-13 h14 l7,13 l-7,13 h-14 l-7,-13 z"

OWNERS: Final[Mapping[Seat, Owner]] = {
    "orc": Owner("#009e73", "#000", "O", _CIRCLE),
    "elf": Owner("#0f78c0", "#fff", "E", _DIAMOND),
    "dwarf": Owner("#d55e00", "#000", "D", _SQUARE),
    "barbarian": Owner("#cc79a7", "#000", "B", _SHIELD),
    "": Owner("#6a6a6a", "#fff", "?", _HEXAGON),
}
"""The owners by seat; the last for whoever is none of the four."""


class Face(NamedTuple):
    """The look of a kind of text: its size in pixels, weight and slant, and which part of it stands at its x."""

    size: float
    bold: bool = False
    anchor: str = "middle"
    italic: bool = False


TEXTS: Final[Mapping[str, Face]] = {
    "title": Face(19, bold=True, anchor="start"),
    "moment": Face(13, anchor="start"),
    "turn": Face(17, bold=True, anchor="end"),
    "aside": Face(13, anchor="end"),
    "name": Face(11),
    "capital": Face(11, bold=True),
    "realm": Face(11, bold=True, italic=True),
    "zone-name": Face(10, italic=True),
    "space-name": Face(10),
    "wastes-name": Face(13, bold=True, italic=True),
    "count": Face(19, bold=True, anchor="start"),
    "few": Face(12, bold=True, anchor="start"),
    "letter": Face(14, bold=True),
    "sign": Face(10, bold=True),
    "key": Face(12, anchor="start"),
    "seat": Face(15, bold=True, anchor="start"),
}
"""Every kind of text in the picture; the kind is its class."""

FROST: Final = (
    '<pattern id="frost" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
    '<rect class="frost" width="7" height="7"/><path class="frost-line" d="M0,0 v7"/></pattern>'
)
"""The hatching of tundra (QD-23.2)."""

_SHARED: Final = """
text { paint-order: stroke; stroke-width: 3px; stroke-linejoin: round; }
.over { pointer-events: none; }
.letter, .sign { stroke: none; }
.harbour-way, .way-in.ship { stroke-width: 2; stroke-dasharray: 2 4; fill: none; }
.sea-way { stroke-width: 2; fill: none; stroke-linejoin: round; }
.road { stroke-width: 5; fill: none; stroke-linecap: round; }
.road.open, .road.pass { stroke-dasharray: .1 9; stroke-width: 5.5; }
.road.bridge, .way-in.bridge { stroke-width: 9; stroke-linecap: butt; fill: none; }
.planks { stroke-width: 9; stroke-linecap: butt; stroke-dasharray: 2 4; fill: none; }
.way-in { fill: none; stroke-linejoin: round; }
.way-in.pass { stroke-dasharray: .1 9; stroke-linecap: round; stroke-width: 5.5; }
.waste-road { stroke-width: 6; fill: none; }
.land, .zone, .space { stroke-width: 1.5; stroke-linejoin: round; }
.held { fill: none; stroke-width: 4; stroke-linejoin: round; }
.held.out { stroke-dasharray: 3 4; }
.tundra { fill: url(#frost); stroke: none; }
.frost-line { stroke-width: 3; }
.open { stroke-width: 4; stroke-dasharray: .1 7.5; stroke-linecap: round; fill: none; }
.river-bank { stroke-width: 9; stroke-linecap: round; }
.river { stroke-width: 6; stroke-linecap: round; }
.peak { stroke-width: 1; stroke-linejoin: round; }
.nugget, .coin, .crown, .mine { fill: #f2c230; stroke: #6b4e00; stroke-width: 1; stroke-linejoin: round; }
.quay, .corner { stroke-width: 1.3; }
.pick, .anchor { fill: none; stroke-width: 1.8; stroke-linecap: round; }
.pick { stroke: #1d1400; }
.portal { fill: #d9c4ff; stroke: #5b2ea6; stroke-width: 2; }
.lord { fill: #f2c230; stroke: #3a2a00; stroke-width: 1; stroke-linejoin: round; }
.badge { stroke-width: 2; stroke-linejoin: round; }
.badge.out { stroke-dasharray: 3 3; }
.chip.shown { fill: #f2c230; stroke: #3a2a00; }
.chip.known { fill: #fff6d6; stroke: #3a2a00; stroke-dasharray: 2 1.5; }
.on-gold { fill: #1d1400; }
.attack { fill: none; stroke-width: 2.5; }
.plate { stroke-width: 1.5; }
.last-halo { fill: none; stroke-width: 9; stroke-linecap: round; stroke-linejoin: round; }
.last { fill: none; stroke: #14181c; stroke-width: 4; stroke-linejoin: round; }
.last.ring { stroke-width: 2.5; }
.last-halo.ring { stroke-width: 7.5; }
.last-halo { stroke: #ffe14d; }
.last-tip { fill: #14181c; stroke: #ffe14d; stroke-width: 1.4; }
.ship { stroke-width: 1.3; stroke-linejoin: round; }
.mast { stroke-width: 1.8; fill: none; stroke-linecap: round; }
"""

_LIGHT: Final = """
text { fill: #14181c; stroke: #fdfdfb; }
.ground { fill: #fdfdfb; }
.sea { fill: #c9e2f0; }
.sea-way { stroke: #4a7a97; }
.zone { fill: #e3f2fa; stroke: #6d9ab5; }
.harbour-way, .way-in.ship { stroke: #36617c; }
.land { stroke: #8b8472; }
.realm-FM { fill: #f4f6f7; } .realm-OR { fill: #d3e6c4; } .realm-IH { fill: #cfcfd3; }
.realm-SV { fill: #f8dfb5; } .realm-SC { fill: #c4d4ef; } .realm-AL { fill: #f0cbc4; }
.gold { fill: #fbf0c4; stroke: #a07a00; } .island { fill: #fbf0c4; stroke: #a07a00; } .teleportal { fill: #e9e0fb; stroke: #5b2ea6; }
.road, .way-in, .waste-road { stroke: #7d6a48; }
.planks { stroke: #e9dcbf; }
.wastes { fill: #ddd3c0; stroke: #8b7d63; }
.space { fill: #f4efe3; stroke: #7d6a48; }
.open { stroke: #4a4335; }
.river { stroke: #1f6fa8; } .river-bank { stroke: #fdfdfb; }
.peak { fill: #8a6b4d; stroke: #fdfdfb; }
.anchor { stroke: #1d3c52; }
.quay, .corner { fill: #fdfdfb; stroke: #36617c; }
.frost { fill: #eef1f2; } .frost-line { stroke: #cbd5da; }
.chip.maybe { fill: #fdfdfb; stroke: #4a4335; }
.badge { stroke: #14181c; }
.attack { stroke: #14181c; } .plate { fill: #fdfdfb; stroke: #14181c; }
.ship { fill: #fdfdfb; stroke: #14181c; } .mast { stroke: #14181c; }
.panel { fill: #f3f1ea; stroke: #c9c4b5; } .frame { fill: #fdfdfb; stroke: #8b8472; }
.dot { fill: #14181c; stroke: #fdfdfb; }
"""

_DARK: Final = """
text { fill: #f1efe8; stroke: #15191d; }
.ground { fill: #15191d; }
.sea { fill: #17303f; }
.sea-way { stroke: #6f9fba; }
.zone { fill: #1f4255; stroke: #5f90ab; }
.harbour-way, .way-in.ship { stroke: #9cc4db; }
.land { stroke: #8b8472; }
.realm-FM { fill: #4c5256; } .realm-OR { fill: #2f4a2b; } .realm-IH { fill: #2a2a2e; }
.realm-SV { fill: #5a4322; } .realm-SC { fill: #2b3d61; } .realm-AL { fill: #5c2f29; }
.gold { fill: #4a4018; stroke: #d9b54a; } .island { fill: #4a4018; stroke: #d9b54a; } .teleportal { fill: #3a2c5c; stroke: #b79cf0; }
.road, .way-in, .waste-road { stroke: #b39b6d; }
.planks { stroke: #4d4128; }
.wastes { fill: #3a3427; stroke: #8b7d63; }
.space { fill: #26221a; stroke: #b39b6d; }
.open { stroke: #e6dfcc; }
.river { stroke: #4fb0ee; } .river-bank { stroke: #15191d; }
.peak { fill: #c9a67f; stroke: #15191d; }
.anchor { stroke: #cfe6f4; }
.quay, .corner { fill: #15191d; stroke: #9cc4db; }
.frost { fill: #262c30; } .frost-line { stroke: #3c464c; }
.chip.maybe { fill: #15191d; stroke: #e6dfcc; }
.badge { stroke: #f1efe8; }
.attack { stroke: #f1efe8; } .plate { fill: #15191d; stroke: #f1efe8; }
.ship { fill: #15191d; stroke: #f1efe8; } .mast { stroke: #f1efe8; }
.panel { fill: #1d2328; stroke: #444c52; } .frame { fill: #15191d; stroke: #8b8472; }
.dot { fill: #f1efe8; stroke: #15191d; }
"""


def style(theme: str) -> str:
    """Return the style sheet: `light`, `dark`, or as the reader's system prefers when the theme is empty."""
    owners = "".join(
        f".of-{seat or 'nobody'} {{ fill: {owner.fill}; }} .held.of-{seat or 'nobody'} {{ fill: none; stroke: {owner.fill}; }} "
        f".letter.on-{seat or 'nobody'} {{ fill: {owner.ink}; }}\n"
        for seat, owner in OWNERS.items()
    )
    faces = "".join(f".{kind} {{ {_face(face)} }}\n" for kind, face in TEXTS.items())
    both = f"{_SHARED}text {{ font-family: {FONTS}; }}\n{faces}"
    if theme == "dark":
        return both + _DARK + owners
    if theme == "light":
        return both + _LIGHT + owners
    return f"{both}{_LIGHT}@media (prefers-color-scheme: dark) {{{_DARK}}}\n{owners}"


def _face(face: Face) -> str:
    bold, italic = (" font-weight: bold;" * face.bold, " font-style: italic;" * face.italic)
    return f"font-size: {face.size:g}px; text-anchor: {face.anchor};{bold}{italic}"
