"""How the picture of the board looks, light and dark: the style sheet, and the colour, shape and letter of each owner.

No meaning hangs on colour alone: owners also differ in shape and letter. Their colours are told apart with every kind of
colour blindness (after Okabe and Ito).
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

from events.event import Seat

__all__ = ["OWNERS", "Owner", "style"]


class Owner(NamedTuple):
    """How the armies of a seat are drawn: a fill, the colour of the letter on it, the letter, and an outline of radius 13."""

    fill: str
    ink: str
    letter: str
    shape: str


_CIRCLE: Final = "M-13,0 a13,13 0 1 1 26,0 a13,13 0 1 1 -26,0 z"
_DIAMOND: Final = "M0,-15.5 L15.5,0 L0,15.5 L-15.5,0 z"
_SQUARE: Final = "M-12,-12 h24 v24 h-24 z"
_SHIELD: Final = "M-13,-13 h26 v12 q0,10 -13,16 q-13,-6 -13,-16 z"
_HEXAGON: Final = "M-7,-13 h14 l7,13 l-7,13 h-14 l-7,-13 z"

OWNERS: Final[Mapping[Seat, Owner]] = {
    "orc": Owner("#009e73", "#000", "O", _CIRCLE),
    "elf": Owner("#0f78c0", "#fff", "E", _DIAMOND),
    "dwarf": Owner("#d55e00", "#000", "D", _SQUARE),
    "barbarian": Owner("#cc79a7", "#000", "B", _SHIELD),
    "": Owner("#777", "#fff", "?", _HEXAGON),
}
"""The owners by seat; the last for whoever is none of the four."""

FROST: Final = (
    '<pattern id="frost" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
    '<rect class="frost" width="7" height="7"/><path class="frost-line" d="M0,0 v7"/></pattern>'
)
"""The hatching of tundra (QD-23.2)."""

_SHARED: Final = """
text { font-family: "DejaVu Sans", "Segoe UI", Verdana, sans-serif; text-anchor: middle; paint-order: stroke; stroke-width: 3px;
  stroke-linejoin: round; }
.title { font-size: 21px; font-weight: bold; text-anchor: start; }
.turn { font-size: 17px; font-weight: bold; text-anchor: end; }
.caption { font-size: 13px; text-anchor: start; }
.name { font-size: 11px; }
.capital { font-weight: bold; font-size: 12px; }
.zone-name { font-size: 10px; font-style: italic; }
.space-name { font-size: 10px; }
.wastes-name { font-size: 14px; font-style: italic; font-weight: bold; }
.wastes-name.end { text-anchor: end; }
.wastes-name.start { text-anchor: start; }
.count { font-size: 19px; font-weight: bold; text-anchor: start; stroke-width: 4px; }
.letter { font-size: 14px; font-weight: bold; stroke: none; }
.sign { font-size: 10px; font-weight: bold; stroke: none; }
.key { font-size: 12px; text-anchor: start; }
.seat { font-size: 15px; font-weight: bold; text-anchor: start; }
.harbour-way { stroke-width: 2; stroke-dasharray: 2 4; fill: none; }
.sea-way { stroke-width: 3; fill: none; }
.road { stroke-width: 5; fill: none; stroke-linecap: round; }
.road.open, .road.pass { stroke-dasharray: .1 9; stroke-width: 5.5; }
.road.bridge, .way-in.bridge { stroke-width: 9; stroke-linecap: butt; fill: none; }
.road.planks { stroke-width: 9; stroke-linecap: butt; stroke-dasharray: 2 4; }
.way-in { stroke-width: 4; fill: none; }
.way-in.pass { stroke-dasharray: .1 9; stroke-linecap: round; stroke-width: 5.5; }
.way-in.ship { stroke-width: 2; stroke-dasharray: 2 4; }
.waste-road { stroke-width: 6; fill: none; }
.land, .zone, .space { stroke-width: 1.5; }
.held { fill: none; stroke-width: 4; }
.tundra { fill: url(#frost); stroke: none; }
.frost-line { stroke-width: 3; }
.held.out { stroke-dasharray: 3 4; }
.open { stroke-width: 4; stroke-dasharray: .1 7.5; stroke-linecap: round; fill: none; }
.river-bank { stroke-width: 9; stroke-linecap: round; }
.river { stroke-width: 6; stroke-linecap: round; }
.peak { stroke-width: 1; stroke-linejoin: round; }
.nugget, .coin, .crown { fill: #f2c230; stroke: #6b4e00; stroke-width: 1; stroke-linejoin: round; }
.pick, .anchor { fill: none; stroke-width: 1.8; stroke-linecap: round; }
.portal { fill: #d9c4ff; stroke: #5b2ea6; stroke-width: 2; }
.lord { fill: #f2c230; stroke: #3a2a00; stroke-width: 1; }
.badge { stroke-width: 2; }
.badge.out { stroke-dasharray: 3 3; fill-opacity: .7; }
.chip.shown { fill: #f2c230; stroke: #3a2a00; }
.chip.known { fill: #fff6d6; stroke: #3a2a00; stroke-dasharray: 2 1.5; }
.chip.maybe { fill: none; }
.dark-sign { fill: #1d1400; }
.attack { fill: none; stroke-width: 3; }
.plate { stroke-width: 1.5; }
.last-halo { fill: none; stroke-width: 9; stroke-linecap: round; stroke-linejoin: round; }
.last { fill: none; stroke: #14181c; stroke-width: 4; stroke-linejoin: round; }
.last-halo { stroke: #ffe14d; }
.last-tip { fill: #14181c; stroke: #ffe14d; stroke-width: 1.4; }
.ship { stroke-width: 1.3; stroke-linejoin: round; }
"""

_LIGHT: Final = """
text { fill: #14181c; stroke: #fdfdfb; }
.ground { fill: #fdfdfb; }
.sea { fill: #c9e2f0; }
.sea-way { stroke: #f2fafe; }
.zone { fill: #e3f2fa; stroke: #6d9ab5; }
.harbour-way, .way-in.ship { stroke: #36617c; }
.land { stroke: #8b8472; }
.realm-FM { fill: #f4f6f7; } .realm-OR { fill: #d3e6c4; } .realm-IH { fill: #cfcfd3; }
.realm-SV { fill: #f8dfb5; } .realm-SC { fill: #c4d4ef; } .realm-AL { fill: #f0cbc4; }
.gold { fill: #fbf0c4; stroke: #a07a00; } .island { fill: #fbf0c4; stroke: #a07a00; } .teleportal { fill: #e9e0fb; stroke: #5b2ea6; }
.road, .way-in, .waste-road { stroke: #7d6a48; }
.road.planks { stroke: #e9dcbf; }
.wastes { fill: #ddd3c0; stroke: #8b7d63; }
.space { fill: #f4efe3; stroke: #7d6a48; }
.open { stroke: #4a4335; }
.river { stroke: #2f86c1; } .river-bank { stroke: #fdfdfb; }
.peak { fill: #8a6b4d; stroke: #fdfdfb; }
.anchor, .pick { stroke: #1d3c52; }
.frost { fill: #eef1f2; } .frost-line { stroke: #cbd5da; }
.chip.maybe { stroke: #4a4335; }
.badge { stroke: #14181c; }
.attack { stroke: #14181c; } .plate { fill: #fdfdfb; stroke: #14181c; }
.ship { fill: #fdfdfb; stroke: #14181c; }
.legend { fill: #f3f1ea; stroke: #c9c4b5; }
"""

_DARK: Final = """
text { fill: #f1efe8; stroke: #15191d; }
.ground { fill: #15191d; }
.sea { fill: #17303f; }
.sea-way { stroke: #2c5268; }
.zone { fill: #1f4255; stroke: #5f90ab; }
.harbour-way, .way-in.ship { stroke: #9cc4db; }
.land { stroke: #8b8472; }
.realm-FM { fill: #4c5256; } .realm-OR { fill: #2f4a2b; } .realm-IH { fill: #2a2a2e; }
.realm-SV { fill: #5a4322; } .realm-SC { fill: #2b3d61; } .realm-AL { fill: #5c2f29; }
.gold { fill: #4a4018; stroke: #d9b54a; } .island { fill: #4a4018; stroke: #d9b54a; } .teleportal { fill: #3a2c5c; stroke: #b79cf0; }
.road, .way-in, .waste-road { stroke: #b39b6d; }
.road.planks { stroke: #4d4128; }
.wastes { fill: #3a3427; stroke: #8b7d63; }
.space { fill: #26221a; stroke: #b39b6d; }
.open { stroke: #e6dfcc; }
.river { stroke: #4fb0ee; } .river-bank { stroke: #15191d; }
.peak { fill: #b9946d; stroke: #15191d; }
.anchor, .pick { stroke: #cfe6f4; }
.frost { fill: #262c30; } .frost-line { stroke: #3c464c; }
.chip.maybe { stroke: #e6dfcc; }
.badge { stroke: #f1efe8; }
.attack { stroke: #f1efe8; } .plate { fill: #15191d; stroke: #f1efe8; }
.ship { fill: #15191d; stroke: #f1efe8; }
.legend { fill: #1d2328; stroke: #444c52; }
"""


def style(theme: str) -> str:
    """Return the style sheet: `light`, `dark`, or as the reader's system prefers when the theme is empty."""
    owners = "".join(
        f".of-{seat or 'nobody'} {{ fill: {owner.fill}; }} .held.of-{seat or 'nobody'} {{ fill: none; stroke: {owner.fill}; }} "
        f".letter.on-{seat or 'nobody'} {{ fill: {owner.ink}; }}\n"
        for seat, owner in OWNERS.items()
    )
    if theme == "dark":
        return _SHARED + _DARK + owners
    if theme == "light":
        return _SHARED + _LIGHT + owners
    return f"{_SHARED}{_LIGHT}@media (prefers-color-scheme: dark) {{{_DARK}}}\n{owners}"
