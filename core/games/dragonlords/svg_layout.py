"""Where the places of the board lie in the picture, in pixels, their outlines, and how the ways between them run.

The seven territories of a realm are hexagons that touch, a little wider above and below than regular ones, for names.
The sea lies between the realms in hexagons that do not touch; what lies elsewhere on land are rectangles.
"""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from itertools import pairwise
from math import hypot
from typing import Any, Final, NamedTuple

from msgspec import Struct, json

from .board import SPACE_OF, SPACES, TERRITORIES, ZONES
from .state import Place
from .svg_words import number

__all__ = [
    "BOTTOM",
    "TOP",
    "WIDTH",
    "Outline",
    "Point",
    "along",
    "at",
    "border",
    "cell",
    "is_realm",
    "outline",
    "points",
    "quay",
    "way",
]

Point = tuple[float, float]

WIDTH: Final = 1200
"""The width of the picture."""
TOP: Final = 62
"""Where the board begins, below the title."""
BOTTOM: Final = TOP + 996
"""Where the board ends, and the panel with seats and key begins."""


class Outline(NamedTuple):
    """The outline of a place: half its width in the middle, half the width of its upper and lower edge, half its height.

    A rectangle is as wide at its edges; its corners are rounded by `round_by`.
    """

    wide: float
    edge: float
    high: float
    round_by: float = 0

    def half_width(self, y: float) -> float:
        """Return how far the outline reaches to either side at a height above or below its middle."""
        return self.wide - (self.wide - self.edge) * min(1, abs(y) / self.high)


_REALM: Final = Outline(56, 40, 50)
_ZONE: Final = Outline(40, 32, 36)
_LOW_ZONE: Final = Outline(58, 48, 28)
_SPACE: Final = Outline(36, 36, 31, 8)
_LAND: Final = Outline(42, 42, 35, 8)
_OF: Final[Mapping[Place, Outline]] = {
    "N3": _LOW_ZONE,
    "S3": _LOW_ZONE,
    "G3": Outline(44, 44, 35, 8),
    "G4": Outline(44, 44, 35, 8),
    **dict.fromkeys(("I1", "I2"), Outline(36, 36, 35, 18)),
    **dict.fromkeys(("I3", "I4"), Outline(40, 40, 33, 18)),
}
"""The outlines of places for which there is other room than for their like."""

_BENDS: Final[Mapping[tuple[Place, Place], tuple[Point, ...]]] = {
    ("N1", "N2"): ((120, 130), (350, 130)),
    ("N4", "N5"): ((850, 130), (1080, 130)),
    ("C1", "N3"): ((432, 275), (452, 208), (474, 170)),
    ("D1", "N3"): ((768, 275), (748, 208), (726, 170)),
    ("C1", "C2"): ((417, 364), (368, 411), (368, 490)),
    ("W2", "W3"): ((92, 450), (92, 548)),
    ("FM_n", "WT01"): ((205, 158), (160, 76)),
    ("IH_n", "WT01"): ((552, 168), (530, 102), (192, 102), (192, 76)),
    ("N3", "WT01"): ((530, 87), (206, 87), (203, 76)),
    ("SC_n", "WT12"): ((985, 156), (1036, 76)),
    ("IH_ne", "WT12"): ((706, 206), (742, 110), (995, 110), (1010, 76)),
}
"""The points between the ends of a way that is not straight, on the board; those of the other half lie half a turn around."""


class _Rotation(Struct, frozen=True):
    territories: Mapping[Place, Place]
    sea_zones: Mapping[Place, Place]


class _Turned(Struct, frozen=True):
    rotation: _Rotation


_turned = json.decode(files(__package__).joinpath("data", "board.json").read_bytes(), type=_Turned).rotation


def _opposite(place: Place) -> Place:
    """Return the place on which a place comes to lie when the board is given half a turn."""
    there = {**_turned.territories, **_turned.sea_zones}
    return there[place] if place in there else {"WT": "WB", "WB": "WT"}[place[:2]] + place[2:]


@cache
def _bends() -> Mapping[tuple[Place, Place], tuple[Point, ...]]:
    """Return the bends of both halves, in the picture."""
    bends = {}
    for (a, b), way in _BENDS.items():
        bends[a, b] = tuple((x, TOP + y) for x, y in way)
        bends[_opposite(a), _opposite(b)] = tuple((WIDTH - x, BOTTOM - y) for x, y in way)
    return bends


def points(*corners: Point) -> str:
    """Return corners as the value of a `points` or, behind an `M`, a `d`."""
    return " ".join(f"{number(x)},{number(y)}" for x, y in corners)


@cache
def at(place: Place) -> Point:
    """Return the middle of a place in the picture; the parts of a shrine have their middle in common."""
    held: Any = SPACES.get(SPACE_OF.get(place, place)) or TERRITORIES.get(place) or ZONES[place]
    return held.x, TOP + held.y


def is_realm(place: Place) -> bool:
    """Return whether a place is a territory of a realm."""
    return place in TERRITORIES and TERRITORIES[place].realm is not None


def outline(place: Place) -> Outline:
    """Return the outline of a place around its middle."""
    if place in _OF:
        return _OF[place]
    if place in TERRITORIES:
        return _REALM if is_realm(place) else _LAND
    return _ZONE if place in ZONES else _SPACE


def cell(place: Place, inset: float = 0) -> str:
    """Return the outline of a place as an SVG element without its closing, so that a class can be added."""
    x, y = at(place)
    wide, edge, high, round_by = outline(place)
    if not round_by:
        wide, edge, high = wide - inset * 1.05, edge - inset * 0.75, high - inset
        right = ((x + edge, y - high), (x + wide, y), (x + edge, y + high))
        left = ((x - edge, y + high), (x - wide, y), (x - edge, y - high))
        return f'<polygon points="{points(*right, *left)}"'
    wide, high = wide - inset, high - inset
    return (
        f'<rect x="{number(x - wide)}" y="{number(y - high)}" width="{number(2 * wide)}" '
        f'height="{number(2 * high)}" rx="{number(max(2, round_by - inset))}"'
    )


def border(place: Place, to: Point, beyond: float = 0) -> Point:
    """Return where the line from the middle of a place to a point outside leaves it, or so many pixels beyond."""
    (x, y), (to_x, to_y) = at(place), to
    away = hypot(to_x - x, to_y - y) or 1
    dx, dy = (to_x - x) / away, (to_y - y) / away
    held = outline(place)
    low, high = 0.0, away
    for _ in range(24):
        middle = (low + high) / 2
        inside = abs(dy) * middle <= held.high and abs(dx) * middle <= held.half_width(dy * middle)
        low, high = (middle, high) if inside else (low, middle)
    return x + dx * (low + beyond), y + dy * (low + beyond)


def quay(place: Place) -> Point:
    """Return where the anchor of a harbour lies: on its border, towards its zone (QD-2.7)."""
    return border(place, at(TERRITORIES[place].harbour_zone or place), 4)


def way(a: Place, b: Place) -> tuple[Point, ...]:
    """Return the points of the way between two places that have one: their middles, and its bends between."""
    bends = _bends()
    return at(a), *(bends.get((a, b)) or bends.get((b, a), ())[::-1]), at(b)


def along(stops: tuple[Point, ...], before: float, behind: float) -> tuple[Point, ...]:
    """Return a way without so many pixels of its beginning and its end, as far as it is long enough."""
    length = sum(hypot(bx - ax, by - ay) for (ax, ay), (bx, by) in pairwise(stops))
    if length == 0:
        return stops
    most = length * 0.7 / max(before + behind, length * 0.7)
    forth = _without(stops, before * most)
    return _without(forth[::-1], behind * most)[::-1]


def _without(stops: tuple[Point, ...], length: float) -> tuple[Point, ...]:
    """Return a way without so many pixels of its beginning."""
    for n, ((ax, ay), (bx, by)) in enumerate(pairwise(stops)):
        step = hypot(bx - ax, by - ay)
        if step > length:
            part = length / step
            return (ax + (bx - ax) * part, ay + (by - ay) * part), *stops[n + 1 :]
        length -= step
    return stops[-1:]
