"""Who holds which land, worked out once for all who ask while no army changes (QD-2.1)."""

from collections.abc import Mapping
from functools import cached_property
from typing import Final

from events.event import Seat

from .board import KINGDOMS, TERRITORIES
from .once import worked_out_once
from .state import Army, Place, War

__all__ = ["Holding", "holding", "kingdoms_of", "origins", "own_places", "unclaimed"]

_RANK: Final[Mapping[Place, int]] = {place: n for n, place in enumerate(TERRITORIES)}
_FREE: Final = tuple(place for place, territory in TERRITORIES.items() if territory.setup_allowed)


class Holding:
    """The territories of one seat, and which of them somebody can leave."""

    def __init__(self, armies: Mapping[Place, Army], seat: Seat) -> None:
        """Take who stands where, and the seat."""
        self._armies = armies
        self.places = [place for place, army in armies.items() if army.seat == seat and place in TERRITORIES]
        """Its territories, in the order in which it came by them."""

    @cached_property
    def origins(self) -> tuple[Place, ...]:
        """Those with two units at least: no territory is left empty (QD-X45)."""
        armies = self._armies
        return tuple([place for place in self.places if armies[place].size > 1])

    @cached_property
    def in_order(self) -> tuple[Place, ...]:
        """Its territories, in the order of the board."""
        return tuple(sorted(self.places, key=_RANK.__getitem__))


@worked_out_once
def _holdings(_armies: Mapping[Place, Army]) -> dict[Seat, Holding]:
    return {}


def holding(war: War, seat: Seat) -> Holding:
    """Return the territories that a seat holds."""
    known = _holdings(war.armies)
    if seat not in known:
        known[seat] = Holding(war.armies, seat)
    return known[seat]


def own_places(war: War, seat: Seat) -> tuple[Place, ...]:
    """Return the territories that a seat holds, in the order of the board."""
    return holding(war, seat).in_order


@worked_out_once
def _kingdoms(armies: Mapping[Place, Army]) -> dict[Seat, tuple[Place, ...]]:
    held: dict[Seat, tuple[Place, ...]] = {}
    for place in KINGDOMS:
        army = armies.get(place)
        if army is not None:
            held[army.seat] = (*held.get(army.seat, ()), place)
    return held


def kingdoms_of(war: War, seat: Seat) -> tuple[Place, ...]:
    """Return the kingdoms that a seat holds, in the order of the board."""
    return _kingdoms(war.armies).get(seat, ())


def origins(war: War, seat: Seat) -> tuple[Place, ...]:
    """Return the territories of a seat that somebody can leave: with two units at least (QD-X45)."""
    return holding(war, seat).origins


@worked_out_once
def _unclaimed(armies: Mapping[Place, Army]) -> tuple[Place, ...]:
    return tuple([place for place in _FREE if place not in armies])


def unclaimed(war: War) -> tuple[Place, ...]:
    """Return the territories that may still be claimed, in the order of the board (QD-3.3)."""
    return _unclaimed(war.armies)
