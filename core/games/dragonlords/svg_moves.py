"""What moved, as SVG: an arrow for each way that the last move took, and the lines on which attackers came."""

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from itertools import pairwise
from math import hypot

from events.event import FactData
from events.table import GameOpened

from .board import NEIGHBOURS, PLACES, SEA
from .roads import GATES
from .state import Place, War
from .svg_layout import Point, along, at, border, cell, points, way

__all__ = ["attacks", "last"]

_START = 20
"""How far from the middle of a place its arrows begin, in pixels."""
_TIP = 5
"""How far within the border of a place the arrows to it end, in pixels."""


def attacks(war: War) -> Iterator[str]:
    """Yield a broken line for each column, from where it came to the place that it attacks (QD-10.2)."""
    for place, columns in war.columns.items():
        for origin in dict.fromkeys(column.origin for column in columns):
            if origin in PLACES and place in PLACES and origin != place:
                line = points(*_between((origin, place), 26))
                yield f'<path class="attack over" stroke-dasharray="7 4" d="M{line}"/>'


def last(told: Iterable[Sequence[FactData]]) -> Iterator[str]:
    """Yield an arrow for each way that the latest entry which happened somewhere took, or a ring where it happened."""
    for facts in told:
        if any(isinstance(fact, GameOpened) for fact in facts):
            return  # a position is no move
        ways = list(dict.fromkeys(taken for fact in facts if (taken := _way(fact))))
        moves = [taken for taken in ways if len(taken) > 1]
        for taken in moves or ways:
            yield _marked(taken)
        if ways:
            return


def _way(fact: FactData) -> tuple[Place, ...]:
    """Return the places that a fact leads along, or the one where it happened; nothing when it happened nowhere."""
    origin, target, path = (getattr(fact, name, None) for name in ("origin", "target", "path"))
    if isinstance(origin, str) and isinstance(path, tuple):
        taken: tuple[object, ...] = (origin, *path)
    elif isinstance(origin, str) and isinstance(target, str):
        taken = (origin, target)
    else:
        taken = () if hasattr(fact, "gold") else (getattr(fact, "place", None),)
    places = tuple(place for place in taken if isinstance(place, str) and place in PLACES)
    whole = len(places) == len(taken) and (len(taken) < 2 or places[0] != places[1])
    return places if whole else ()


def _ways(stops: tuple[Place, ...]) -> tuple[Point, ...]:
    """Return the points of a way from place to place: along a way of the board where there is one, else straight."""
    line: list[Point] = [at(stops[0])]
    for a, b in pairwise(stops):
        line.extend(way(a, b)[1:] if b in (*SEA.get(a, ()), *NEIGHBOURS.get(a, ()), _enters(a)) else (at(b),))
    return tuple(line)


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
    if len(taken) == 1:  # within the border, for what kind of border it is must still be seen
        rim = cell(taken[0], 5.5)
        return f'{head}{rim} class="last-halo ring"/>{rim} class="last ring"/></g>'
    line = points(*_between(taken, _START))
    return f'{head}<path class="last-halo" d="M{line}"/><path class="last" d="M{line}" marker-end="url(#tip)"/></g>'
