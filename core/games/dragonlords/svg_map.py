"""The land under the armies as SVG: realms, borders that may be crossed and those that may not, roads, sea, Wastelands (QD-2).

The seven territories of a realm are hexagons that touch, so each of their borders is a side: dotted where land units
cross, a range of mountains or a river where they don't. What lies outside the realms is joined by roads and bridges.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from html import escape
from importlib.resources import files
from itertools import pairwise
from math import cos, hypot, pi, sin
from typing import Final

from msgspec import Struct, json

from .board import REALMS, ROADS, SEA, SPACE_OF, SPACES, TERRITORIES, WASTELANDS, ZONES
from .state import Place

__all__ = [
    "BOTTOM",
    "WIDTH",
    "Point",
    "anchor",
    "at",
    "cell",
    "crown",
    "is_realm",
    "land",
    "names",
    "number",
    "points",
]

Point = tuple[float, float]

SCALE: Final = 1.16
"""Pixels of the picture for one unit of the board's 1000 by 760."""
WIDTH: Final = 1200
"""The width of the picture, in pixels."""
BOTTOM: Final = 922
"""Where the board ends and the legend begins, in pixels from above."""
_LEFT: Final = 20
_TOP: Final = 46
_NUDGED: Final[Mapping[Place, tuple[int, int]]] = {
    "N3": (0, -12), "S3": (0, 12), "I3": (0, 23), "I4": (0, -23), "I1": (4, 48), "I2": (-4, -48),
    "W2": (0, -12), "E2": (0, 12), "G3": (0, 22), "G4": (0, -22),
}  # fmt: skip
"""What is drawn a little beside its place on the board, which leaves no room for its name and army there."""
_APOTHEM: Final = 42.6 * SCALE
_TOUCHING: Final = 87
"""Centres of territories of a realm that are no farther apart share a side, in units of the board."""
_SIGNS: Final = {
    "village": "village",
    "quest": "quest",
    "witches_den": "den",
    "shrine": "shrine",
    "dragon_lair": "lair",
}


class _Border(Struct, frozen=True):
    """How two territories meet: `via` is open, pass or bridge where land units cross, `kind` what bars their way."""

    a: str
    b: str
    via: str = ""
    kind: str = ""


class _Borders(Struct, frozen=True):
    edges: tuple[_Border, ...]
    barriers: tuple[_Border, ...]


_borders = json.decode(files(__package__).joinpath("data", "board.json").read_bytes(), type=_Borders)


def number(value: float) -> str:
    """Return a coordinate as short as it can be, the same on every machine."""
    return f"{round(value, 1):g}"


def points(*corners: Point) -> str:
    """Return corners as the value of a `points` or, behind an `M`, a `d`."""
    return " ".join(f"{number(x)},{number(y)}" for x, y in corners)


@cache
def at(place: Place) -> Point:
    """Return the middle of a place in the picture, in pixels; the four parts of a shrine lie around its middle."""
    space = SPACES.get(SPACE_OF.get(place, place))
    held = space or TERRITORIES.get(place) or ZONES[place]
    dx, dy = _NUDGED.get(place, (0, 0))
    return _LEFT + SCALE * (held.x + dx), _TOP + SCALE * (held.y + dy)


def is_realm(place: Place) -> bool:
    """Return whether a place is a territory of a realm: those are the large hexagons."""
    return place in TERRITORIES and TERRITORIES[place].realm is not None


@cache
def cell(place: Place, inset: float = 0) -> str:
    """Return the outline of a place as an SVG element without its closing, so that a class can be added."""
    x, y = at(place)
    if is_realm(place) or place in ZONES:
        apothem = _APOTHEM if is_realm(place) else (25 if place in ("N3", "S3") else 27.5)
        radius = (apothem - inset) / cos(pi / 6)
        corners = [(x + radius * cos(n * pi / 3), y + radius * sin(n * pi / 3)) for n in range(6)]
        return f'<polygon points="{points(*corners)}"'
    width, height = (74, 50) if place in TERRITORIES else (43, 47)
    wide, high = width - 2 * inset, height - 2 * inset
    round_by = 22 if place in TERRITORIES and TERRITORIES[place].kind == "island" else 9
    return (
        f'<rect x="{number(x - wide / 2)}" y="{number(y - high / 2)}" width="{number(wide)}" '
        f'height="{number(high)}" rx="{number(max(2, round_by - inset))}"'
    )


def land() -> Iterator[str]:
    """Yield the elements of the empty board, from the sea floor up; places are drawn once each, as `data-place`."""
    yield f'<rect class="sea" x="8" y="{_TOP + 6}" width="{WIDTH - 16}" height="{BOTTOM - _TOP - 12}" rx="10"/>'
    for a, b in sorted({(min(a, b), max(a, b)) for a, around in SEA.items() for b in around}):
        yield _line("sea-way", a, b)
    yield from _wastelands()
    yield from _roads()
    for place, territory in TERRITORIES.items():
        if territory.harbour_zone:
            yield _line("harbour-way", place, territory.harbour_zone)
    for zone in ZONES:
        yield _place(zone, "zone", f"sea zone {zone}")
    for place, territory in TERRITORIES.items():
        what = [place, territory.kind, *(["mine"] if territory.mine else [])]
        if territory.realm:
            what.append(REALMS[territory.realm].name)
        kind = f"land realm-{territory.realm}" if territory.realm else f"land {territory.kind}"
        yield _place(place, kind, f"{territory.name} ({', '.join(what)})")


def names() -> Iterator[str]:
    """Yield borders, names and signs of the places, which lie over the colours of who holds them."""
    yield from _borders_inside()
    for place in TERRITORIES:
        yield from _signs(place)
    for zone in ZONES:
        x, y = at(zone)
        yield f'<text class="zone-name" x="{number(x)}" y="{number(y - 14)}">{escape(zone)}</text>'


def _place(place: Place, kind: str, title: str) -> str:
    return f'{cell(place)} class="{kind}" data-place="{escape(place)}"><title>{escape(title)}</title></{_tag(place)}>'


def _tag(place: Place) -> str:
    return "polygon" if is_realm(place) or place in ZONES else "rect"


def _line(kind: str, a: Place, b: Place) -> str:
    return f'<path class="{kind}" d="M{points(at(a), at(b))}"/>'


def _signs(place: Place) -> Iterator[str]:
    territory = TERRITORIES[place]
    x, y = at(place)
    up = 27 if territory.realm else 13
    capital = " capital" if territory.kind == "kingdom" else ""
    yield f'<text class="name{capital}" x="{number(x)}" y="{number(y - up)}">{escape(territory.name)}</text>'
    if territory.kind == "kingdom":
        yield crown(x - 33, y + 15)
    if territory.kind == "teleportal":
        yield f'<path class="portal" d="M{points((x - 30, y + 3))} a5.5,8 0 1 1 11,0 a5.5,8 0 1 1 -11,0"/>'
    if territory.kind == "gold":
        yield from _wealth(x, y, mine=territory.mine)
    if territory.harbour_zone:
        yield anchor(*_quay(place, territory.harbour_zone))


def _wealth(x: float, y: float, *, mine: bool) -> Iterator[str]:
    """Yield the sign of a gold territory, a nugget, and of a mine, a pick over it."""
    yield f'<path class="nugget" d="M{points((x - 33, y + 5))} l4,-7 l7,0 l4,7 l-4,5 l-7,0 z"/>'
    if mine:
        yield f'<path class="pick" d="M{points((x - 33, y + 9))} l13,-13 m-8,-1 q8,-2 10,8"/>'


def _quay(place: Place, zone: Place) -> Point:
    """Return where the anchor of a harbour lies: inside the territory, on the side of its sea zone."""
    (x, y), (to_x, to_y) = at(place), at(zone)
    away = hypot(to_x - x, to_y - y)
    reach = 44 if is_realm(place) else 25
    return x + reach * (to_x - x) / away, y + reach * (to_y - y) / away


def anchor(x: float, y: float) -> str:
    """Return an anchor around a point."""
    return f'<path class="anchor" d="M{points((x, y - 5))} v11 m-5,-4 q1,4 5,4 q4,0 5,-4 m-8,-4 h6 m-3,-3 a1.5,1.5 0 1 1 .1,0"/>'


def crown(x: float, y: float) -> str:
    """Return a crown around a point."""
    return f'<path class="crown" d="M{points((x - 8, y + 4))} l-1,-9 l5,4 l4,-6 l4,6 l5,-4 l-1,9 z"/>'


def _side(a: Place, b: Place) -> tuple[Point, Point] | None:
    """Return the ends of the side that two territories of a realm share; None when they only are joined by a road."""
    one, other = TERRITORIES[a], TERRITORIES[b]
    if one.realm is None or one.realm != other.realm or hypot(one.x - other.x, one.y - other.y) > _TOUCHING:
        return None
    (ax, ay), (bx, by) = at(a), at(b)
    away = hypot(bx - ax, by - ay)
    half = _APOTHEM / 3**0.5 - 3
    dx, dy = -(by - ay) / away * half, (bx - ax) / away * half
    x, y = (ax + bx) / 2, (ay + by) / 2
    return (x - dx, y - dy), (x + dx, y + dy)


def _borders_inside() -> Iterator[str]:
    for border in (*_borders.edges, *_borders.barriers):
        side = _side(border.a, border.b)
        if side is None:
            continue
        if border.kind == "river":
            yield f'<path class="river-bank" d="M{points(*side)}"/><path class="river" d="M{points(*side)}"/>'
        elif border.kind == "mountains":
            yield from _peaks(side, (0.08, 0.29, 0.5, 0.71, 0.92))
        else:
            yield f'<path class="open" d="M{points(*side)}"/>'
            if border.via == "pass":
                yield from _peaks(side, (0.06, 0.25, 0.75, 0.94))


def _peaks(side: tuple[Point, Point], where: tuple[float, ...]) -> Iterator[str]:
    (ax, ay), (bx, by) = side
    for part in where:
        x, y = ax + (bx - ax) * part, ay + (by - ay) * part
        yield f'<path class="peak" d="M{points((x - 6, y + 5))} l6,-11 l6,11 z"/>'


def _roads() -> Iterator[str]:
    for border in _borders.edges:
        if _side(border.a, border.b) is None:
            yield _line(f"road {border.via}", border.a, border.b)
            if border.via == "bridge":
                yield _line("road planks", border.a, border.b)
            if border.via == "pass":
                (ax, ay), (bx, by) = at(border.a), at(border.b)
                x, y = ax + (bx - ax) * 0.62, ay + (by - ay) * 0.62
                yield f'<path class="peak" d="M{points((x - 18, y + 5))} l6,-11 l6,11 z m24,0 l6,-11 l6,11 z"/>'


def _wastelands() -> Iterator[str]:
    for road in WASTELANDS.values():
        for way in road.entrances:
            yield _line(f"way-in {way.via}", way.territory or way.sea_zone, way.first_space)
            if way.via == "bridge":
                yield _line("road planks", way.territory, way.first_space)
        places = [at(space.id) for space in road.spaces]
        left, right = min(x for x, _ in places), max(x for x, _ in places)
        y = places[0][1]
        yield f'<rect class="wastes" x="{number(left - 28)}" y="{number(y - 27)}" width="{number(right - left + 56)}" height="54" rx="16"/>'
        for one, other in pairwise(places):
            yield f'<path class="waste-road" d="M{points(one, other)}"/>'
        side, where = ("start", right + 40) if left > WIDTH - right else ("end", left - 40)
        yield f'<text class="wastes-name {side}" x="{number(where)}" y="{number(y + 5)}">{escape(road.name)}</text>'
    for space in SPACES.values():
        x, y = at(space.id)
        yield _place(
            space.id,
            f"space {space.kind}",
            f"{space.id}, {space.kind.replace('_', ' ')} of {ROADS[space.id]}",
        )
        yield f'<text class="space-name" x="{number(x)}" y="{number(y - 12)}">{_SIGNS[space.kind]}</text>'
