"""The land as one seat may walk it (QD-2.1, QD-18.1): its borders and its ways, worked out once for as long as it lasts.

Offers ask for the same ways again and again, while territories change hands seldom. Nothing here knows units or chips:
who holds what, and which teleportals are open, is all that ways hang on.
"""

from collections.abc import Container, Iterator, Mapping
from functools import lru_cache
from typing import Final

from core.asking import OneOf, Path
from events.event import Seat

from .board import NEIGHBOURS, TELEPORTALS, TERRITORIES
from .holdings import holding
from .state import Place, War
from .variants import closed_land

__all__ = ["MOST", "Land", "Marches", "crossed", "land_of", "walks"]

MOST: Final = 4
"""How many territories a forced march goes through, its end counted (QD-18.1)."""

Ways = Mapping[Place, tuple[Place, ...]]
"""Which territories a march may enter from each place that it can reach."""


class Marches:
    """The forced marches from one territory: over friendly land, and by how many empty territories they cross."""

    __slots__ = ("crossing", "friendly", "portals")

    def __init__(self, land: "Land", origin: Place, ways: Ways) -> None:
        """Take the land, where the marches begin, and their ways."""
        self.portals = tuple([place for place in ways if place in TELEPORTALS])
        """The teleportal territories that the ways lead to."""
        friendly = {place: onward for place, onward in ways.items() if place in land.mine}
        self.friendly = Path(origin, friendly, 1, MOST) if origin in ways else None
        """The walks that cross friendly territories alone; None where no way leads out."""
        self.crossing: tuple[tuple[int, OneOf], ...] = ()
        """By how many empty territories are crossed, the walks that cross so many."""
        if self.friendly is not None and len(friendly) < len(ways):
            paths: dict[int, list[tuple[Place, ...]]] = {}
            for walk in walks(ways, origin):
                if any(place not in land.mine for place in walk[:-1]):
                    paths.setdefault(len(crossed(walk, land.mine)), []).append(walk)
            self.crossing = tuple([(count, OneOf(tuple(walks))) for count, walks in paths.items()])


class Land:
    """Which territories a seat holds, and which others its marches may enter."""

    def __init__(
        self, mine: frozenset[Place], entered: frozenset[Place], closed: frozenset[Place] = frozenset()
    ) -> None:
        """Take the territories of the seat, all those that its marches may enter, its own among them, and the closed ones."""
        self.mine, self.entered, self._not_attacked = mine, entered, mine | closed
        self._borders: dict[Place, tuple[Place, ...]] = {}
        self._marches: dict[tuple[Place, frozenset[Place]], Marches] = {}

    def borders(self, origin: Place) -> tuple[Place, ...]:
        """Return the adjacent territories that it may attack or claim: an enemy's, or nobody's (QD-23.1, QD-23.2)."""
        if (found := self._borders.get(origin)) is None:
            found = tuple([place for place in NEIGHBOURS[origin] if place not in self._not_attacked])
            self._borders[origin] = found
        return found

    def beyond(self, origin: Place) -> tuple[Place, ...]:
        """Return the territories through a teleportal that it may attack or claim."""
        return tuple([place for place in TELEPORTALS.get(origin, ()) if place not in self._not_attacked])

    def ways(self, origin: Place, opened: frozenset[Place]) -> Ways:
        """Return the ways of a march from a territory, through the teleportals that are opened too (QD-18.1, QD-H25)."""
        ways: dict[Place, tuple[Place, ...]] = {}
        edge = [origin]
        for _ in range(MOST):
            reached: list[Place] = []
            for place in edge:
                near = (*NEIGHBOURS[place], *(TELEPORTALS[place] if place in opened else ()))
                ways[place] = onward = tuple(
                    [there for there in near if there in self.entered and there != origin]
                )
                reached += onward
            edge = [there for there in dict.fromkeys(reached) if there not in ways]
        return {place: onward for place, onward in ways.items() if onward}

    def marches(self, origin: Place, opened: frozenset[Place]) -> Marches:
        """Return the marches from a territory, through the teleportals that are opened too."""
        found = self._marches.get((origin, opened))
        if found is None:
            found = self._marches[origin, opened] = Marches(self, origin, self.ways(origin, opened))
        return found


def land_of(war: War, seat: Seat, *, friendly_only: bool = False) -> Land:
    """Return the land of a seat; `friendly_only`: its marches don't enter what nobody holds (QD-X47)."""
    mine, closed = frozenset(holding(war, seat).places), closed_land(war, seat)
    return _land(mine, mine if friendly_only else (mine | (_ALL - war.armies.keys())) - closed, closed)


_ALL: Final = frozenset(TERRITORIES)


@lru_cache(maxsize=500)
def _land(mine: frozenset[Place], entered: frozenset[Place], closed: frozenset[Place]) -> Land:
    return Land(mine, entered, closed)


def walks(ways: Ways, origin: Place, length: int = MOST) -> Iterator[tuple[Place, ...]]:
    """Yield every walk of one to `length` steps."""
    for place in ways.get(origin, ()):
        yield (place,)
        if length > 1:
            yield from ((place, *rest) for rest in walks(ways, place, length - 1))


def crossed(path: tuple[Place, ...], held: Container[Place]) -> tuple[Place, ...]:
    """Return the territories that a march crosses and nobody holds, each of which keeps a unit (QD-18.1, QD-X47)."""
    return tuple(dict.fromkeys([place for place in path[:-1] if place not in held and place != path[-1]]))
