"""The land under the armies as SVG: realms, borders that may be crossed and those that may not, roads, sea, Wastelands (QD-2).

A border within a realm is the side that two hexagons share: dotted where land units cross, a range of mountains or a
river where they don't. What lies outside the realms is joined by roads and bridges.
"""

from collections.abc import Callable, Iterator
from html import escape
from importlib.resources import files
from itertools import pairwise
from math import hypot
from typing import Final

from msgspec import Struct, json

from .board import REALMS, SEA, SPACES, TERRITORIES, WASTELANDS, ZONES
from .state import Place
from .svg_layout import BOTTOM, TOP, WIDTH, Point, at, border, cell, is_realm, outline, points, quay, way
from .svg_signs import anchor, nugget, peaks, pick, portal
from .svg_words import clipped, number, text, wide

__all__ = ["borders", "land", "named_until", "names", "signs"]

_TOUCHING: Final = 110
"""Centres of territories of a realm that are no farther apart share a side, in pixels."""
_KINDS: Final = {"witches_den": "den", "dragon_lair": "lair"}
_LINE: Final = 12
"""How high a line of a name is, in pixels."""
_RIM: Final = 7
"""How many pixels within its outline a place is left free, for the rim that says who holds it."""


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


def land(told: Callable[[Place], str]) -> Iterator[str]:
    """Yield the elements of the empty board, from the sea floor up; places are drawn once each, as `data-place`.

    `told` says what stands in a place, for people who point at it or have it read aloud.
    """
    yield f'<rect class="sea" x="8" y="{TOP}" width="{WIDTH - 16}" height="{BOTTOM - TOP}" rx="10"/>'
    for a, b in sorted({(min(a, b), max(a, b)) for a, around in SEA.items() for b in around}):
        yield _line("sea-way", *way(a, b))
    yield from _wastelands()
    yield from _roads()
    for place, territory in TERRITORIES.items():
        if territory.harbour_zone:
            yield _line("harbour-way", at(place), at(territory.harbour_zone))
    for zone in ZONES:
        yield _place(zone, "zone", told(zone))
    for place, territory in TERRITORIES.items():
        kind = f"land realm-{territory.realm}" if territory.realm else f"land {territory.kind}"
        yield _place(place, kind, told(place))
    for space in SPACES.values():
        yield _place(space.id, f"space {space.kind}", told(space.id))


def _place(place: Place, kind: str, title: str) -> str:
    tag = "polygon" if not outline(place).round_by else "rect"
    return f'{cell(place)} class="{kind}" data-place="{escape(place)}"><title>{escape(title)}</title></{tag}>'


def _line(kind: str, *stops: Point) -> str:
    return f'<path class="{kind}" d="M{points(*stops)}"/>'


# ---------------------------------------------------------------- names


def _lines(place: Place) -> tuple[str, ...]:
    """Return what is written in a place above all that stands there, in one line or two."""
    if place in ZONES:
        return (place,)
    if place in SPACES:
        space = SPACES[place]
        return (f"{space.index} {_KINDS.get(space.kind, space.kind)}",)
    name = TERRITORIES[place].name
    room = 2 * (outline(place).half_width(outline(place).high - 11) - (_RIM if is_realm(place) else _RIM - 2))
    return (name,) if wide(name, _face(place)) <= room else tuple(name.split(" ", 1))


def _face(place: Place) -> str:
    if place not in TERRITORIES:
        return "zone-name" if place in ZONES else "space-name"
    return "capital" if TERRITORIES[place].kind == "kingdom" else "name"


def named_until(place: Place) -> float:
    """Return where the name of a place ends and what stands there may begin, in pixels from its middle."""
    return -outline(place).high + (7 if is_realm(place) else 4) + _LINE * len(_lines(place))


def names(place: Place) -> Iterator[str]:
    """Yield the name of a place, or the id of a zone, or number and kind of a space."""
    x, y = at(place)
    lines = _lines(place)
    first = y + named_until(place) - 2.5 - _LINE * (len(lines) - 1)
    for turn, said in enumerate(lines):
        room = 2 * outline(place).wide
        yield text(_face(place), x, first + _LINE * turn, clipped(said, _face(place), room))


# ---------------------------------------------------------------- signs


def signs() -> Iterator[str]:
    """Yield harbours, what yields gold, and the names of realms and roads."""
    for place, territory in TERRITORIES.items():
        if territory.harbour_zone:
            yield _sign(quay(place), "quay", anchor())
        x, y = at(place)
        corner = x - outline(place).wide, y + outline(place).high - 2
        if territory.kind == "teleportal":
            yield _sign(corner, "corner", portal())
        if territory.kind == "gold":
            yield _sign(corner, *(("mine", pick()) if territory.mine else ("corner", nugget())))
    for realm in REALMS.values():
        x, y = at(realm.kingdom)
        turn = -1 if y < (TOP + BOTTOM) / 2 else 1
        yield text("realm", x + 92 * turn, y + (-114 if turn < 0 else 122), realm.name)
    for road in WASTELANDS.values():
        xs = [at(space.id)[0] for space in road.spaces]
        where = min(xs) / 2 - 16 if min(xs) < WIDTH - max(xs) else (WIDTH + max(xs)) / 2 + 16
        first, _, second = road.name.partition(" ")
        y = at(road.spaces[0].id)[1]
        yield text("wastes-name", where, y - 12, first)
        yield text("wastes-name", where, y + 4, second)
        yield text("space-name", where, y + 20, f"{road.id}01 to {road.id}{len(road.spaces)}")


def _sign(where: Point, kind: str, drawn: str) -> str:
    """Return a sign in a disc on the border of a place."""
    x, y = where
    return f'<g class="mark" transform="translate({number(x)} {number(y)})"><circle class="{kind}" r="8.5"/>{drawn}</g>'


def _side(a: Place, b: Place) -> tuple[Point, Point] | None:
    """Return the ends of the side that two territories of a realm share; None when they only are joined by a road."""
    if TERRITORIES[a].realm is None or TERRITORIES[a].realm != TERRITORIES[b].realm:
        return None
    (ax, ay), (bx, by) = at(a), at(b)
    if hypot(ax - bx, ay - by) > _TOUCHING:
        return None
    wide, edge, high, _ = outline(a)
    x, y = (ax + bx) / 2, (ay + by) / 2
    if ax == bx:
        return (x - edge + 3, y), (x + edge - 3, y)
    lean = (wide - edge) / 2 * (1 if (bx - ax) * (by - ay) > 0 else -1)
    return (x + lean * 0.9, y - high / 2 * 0.9), (x - lean * 0.9, y + high / 2 * 0.9)


def borders() -> Iterator[str]:
    """Yield the borders within realms, over the colours of who holds what (QD-2.9)."""
    for edge in (*_borders.edges, *_borders.barriers):
        side = _side(edge.a, edge.b)
        if side is None:
            continue
        if edge.kind == "river":
            yield _line("river-bank", *side) + _line("river", *side)
        elif edge.kind == "mountains":
            yield peaks(*side, (0.08, 0.29, 0.5, 0.71, 0.92))
        else:
            yield _line("open", *side)
            if edge.via == "pass":
                yield peaks(*side, (0.06, 0.25, 0.75, 0.94))


def _roads() -> Iterator[str]:
    for edge in _borders.edges:
        if _side(edge.a, edge.b) is None:
            yield _line(f"road {edge.via}", at(edge.a), at(edge.b))
            if edge.via == "bridge":
                yield _line("planks", at(edge.a), at(edge.b))
            if edge.via == "pass":
                yield _beside(border(edge.a, at(edge.b)), border(edge.b, at(edge.a)))


def _beside(a: Point, b: Point, part: float = 0.5) -> str:
    """Return mountains on both sides of a pass, at this part of it."""
    (ax, ay), (bx, by) = a, b
    away = hypot(bx - ax, by - ay)
    dx, dy = -(by - ay) / away * 15, (bx - ax) / away * 15
    x, y = ax + (bx - ax) * part, ay + (by - ay) * part
    return peaks((x - dx, y - dy), (x + dx, y + dy), (0, 1))


def _wastelands() -> Iterator[str]:
    for road in WASTELANDS.values():
        for entrance in road.entrances:
            stops = way(entrance.territory or entrance.sea_zone, entrance.first_space)[1:-1]
            yield _line(f"way-in {entrance.via}", *stops)
            if entrance.via == "bridge":
                yield _line("planks", *stops)
            if entrance.via == "pass":
                yield _beside(stops[0], stops[1], 0.35)
        places = [at(space.id) for space in road.spaces]
        left, right = min(x for x, _ in places), max(x for x, _ in places)
        y = places[0][1]
        yield f'<rect class="wastes" x="{number(left - 42)}" y="{number(y - 36)}" width="{number(right - left + 84)}" height="72" rx="14"/>'
        for one, other in pairwise(places):
            yield _line("waste-road", one, other)
