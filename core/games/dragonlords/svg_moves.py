"""What moved, as SVG: an arrow for each way that the last move took, and the lines on which attackers came."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from itertools import pairwise
from math import hypot

from events.event import FactData
from events.table import GameOpened

from .board import NEIGHBOURS, PLACES, SEA, TERRITORIES
from .roads import GATES
from .state import Place, War
from .svg_layout import Point, along, at, border, cell, is_realm, points, quay, way

__all__ = ["attacks", "last"]

_START = 20
"""How far from the middle of a place its arrows begin, in pixels."""
_TIP = 5
"""How far within the border of a place the arrows to it end, in pixels."""
_PAST = 15
"""How far from the middle of an anchor arrows pass it, in pixels."""


def attacks(war: War) -> Iterator[str]:
    """Yield a broken line for each column, from where it came to the place that it attacks (QD-10.2)."""
    for place, columns in war.columns.items():
        for origin in dict.fromkeys(column.origin for column in columns):
            if origin in PLACES and place in PLACES and origin != place:
                line = points(*_between((origin, place), 26))
                yield f'<path class="attack over" stroke-dasharray="7 4" d="M{line}"/>'


def last(told: Iterable[Sequence[FactData]]) -> Iterator[str]:
    """Yield an arrow for each way that the latest entry which happened somewhere took, or a ring where it happened.

    Where gold was stored or paid is marked when nothing else happened.
    """
    for facts in told:
        if any(isinstance(fact, GameOpened) for fact in facts):
            return  # a position is no move
        ways = [taken for fact in facts if not hasattr(fact, "gold") for taken in _taken(fact)]
        ways = ways or [taken for fact in facts for taken in _taken(fact)]
        moves = [taken for taken in ways if len(taken) > 1]
        ends = {(taken[0], taken[-1]) for taken in moves if len(taken) > 2}
        for taken in dict.fromkeys(moves or ways):
            if taken not in ends:  # how he went there is known
                yield _marked(taken)
        if ways:
            return


def _taken(fact: FactData) -> Iterator[tuple[Place, ...]]:
    """Yield the places that a fact leads along, or each where it happened; nothing when it happened nowhere."""
    origin, target, path, chips = (
        getattr(fact, name, None) for name in ("origin", "target", "path", "places")
    )
    if isinstance(origin, str) and isinstance(path, tuple):
        ways: list[tuple[object, ...]] = [(origin, *path)]
    elif isinstance(origin, str) and isinstance(target, str):
        ways = [(origin, target)]
    elif isinstance(chips, Mapping):  # hidden, as far as the reader may know
        ways = [(place,) for place in chips.values()]
    else:
        ways = [(getattr(fact, "place", None),)]
    for taken in ways:
        places = tuple(place for place in taken if isinstance(place, str) and place in PLACES)
        if len(places) == len(taken) and (len(taken) < 2 or places[0] != places[1]):
            yield places


def _ways(stops: tuple[Place, ...]) -> tuple[Point, ...]:
    """Return the points of a way from place to place: along a way of the board where there is one, else straight.

    Between a harbour and its zone it passes the anchor on the right, so that both are seen.
    """
    line: list[Point] = [at(stops[0])]
    for a, b in pairwise(stops):
        if b in (*SEA.get(a, ()), *NEIGHBOURS.get(a, ()), _enters(a)):
            line.extend(way(a, b)[1:])
        else:
            line += [*_past_the_anchor(a, b), at(b)]
    return tuple(line)


def _past_the_anchor(a: Place, b: Place) -> Iterator[Point]:
    for land, zone in ((a, b), (b, a)):
        if land in TERRITORIES and TERRITORIES[land].harbour_zone == zone:
            (ax, ay), (bx, by), (x, y) = at(a), at(b), quay(land)
            aside = _PAST / hypot(bx - ax, by - ay)
            yield x - (by - ay) * aside, y + (bx - ax) * aside


def _between(stops: tuple[Place, ...], start: float) -> tuple[Point, ...]:
    """Return the points of a way without what would lie over the armies at its ends."""
    line = _ways(stops)
    x, y = border(stops[-1], line[-2], -_TIP)
    return along(line, start, hypot(line[-1][0] - x, line[-1][1] - y))


def _enters(place: Place) -> Place:
    """Return the space of the Wastelands to which a place has a way, if any."""
    return GATES[place].first_space if place in GATES else ""


def _marked(taken: tuple[Place, ...]) -> str:
    head = f'<g class="over" data-last="{escape(" ".join(taken))}">'
    if (
        len(taken) == 1
    ):  # around the place; in a realm within its borders, for of what kind they are must be seen
        rim = cell(taken[0], 5.5 if is_realm(taken[0]) else -2)
        return f'{head}{rim} class="last-halo ring"/>{rim} class="last ring"/></g>'
    line = points(*_between(taken, _START))
    return f'{head}<path class="last-halo" d="M{line}"/><path class="last" d="M{line}" marker-end="url(#tip)"/></g>'
