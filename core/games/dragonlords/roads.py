"""The two roads through the Wastelands (QD-2.8, QD-6.2, QD-6.5): ways in and out, and where a roll of the die leads."""

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from core.telling import Moment
from events.event import Seat

from .board import ROADS, SPACE_OF, SPACES, TERRITORIES, WASTELANDS, ZONES
from .docks import room_aboard
from .parties import room_for, stand
from .state import MOST_ABOARD, Place, War
from .variants import closed_to

__all__ = ["GATES", "Gate", "ends", "exits", "is_peaceful", "may_enter_from"]


class Gate(NamedTuple):
    """A way into a Wasteland, from a territory or, by ship, from a sea zone: which road, and which of its ends."""

    road: str
    first_space: str


GATES: Final[Mapping[Place, Gate]] = {
    way.territory or way.sea_zone: Gate(road.id, way.first_space)
    for road in WASTELANDS.values()
    for way in road.entrances
}
"""The ways in, by where they begin: bridges and village harbours lead to the village, passes to the lair (QD-6.2)."""
LENGTH: Final = 12
"""How many spaces a road has (QD-H3)."""
BY_INDEX: Final[Mapping[tuple[str, int], str]] = {
    (road.id, space.index): space.id for road in WASTELANDS.values() for space in road.spaces
}


def may_enter_from(war: War, seat: Seat, origin: Place) -> bool:
    """Return whether a party may set out from a place, as far as everybody knows: one unit stays, ships apart (QD-6.1)."""
    army = war.armies.get(origin)
    if army is None or army.seat != seat or not army.units:
        return False
    return origin in ZONES or army.size > 1


def _spaces(now: Moment[War], place: Place, pips: int) -> Iterator[str]:
    """Yield the spaces where a roll may end: in one direction, the surplus lost at an end of the road (QD-H3)."""
    ways: tuple[int, ...] = (1, -1)
    if place in SPACE_OF:
        space = SPACES[SPACE_OF[place]]
        road, start = ROADS[space.id], space.index
    else:
        road, first = GATES[place]
        start, ways = (0, (1,)) if SPACES[first].index == 1 else (LENGTH + 1, (-1,))
    shortest = 1 if now.answer("QD-H3") == "may_stop_short" else pips
    for way in ways:
        found = dict.fromkeys(min(max(start + way * n, 1), LENGTH) for n in range(shortest, pips + 1))
        yield from (BY_INDEX[road, index] for index in found if index != start)


def exits(now: Moment[War], seat: Seat, place: Place, pips: int, size: int) -> Iterator[Place]:
    """Yield where a party may leave by a roll: one pip beyond an end, the rest is lost (QD-6.5, QD-H3, QD-H38).

    To the territories of that end, whoever holds them but an ally, and from the village aboard a ship with room.
    """
    if place not in SPACE_OF:
        return
    index, road = SPACES[SPACE_OF[place]].index, ROADS[SPACE_OF[place]]
    reached = {1: pips >= index, LENGTH: pips > LENGTH - index}
    for origin, gate in GATES.items():
        if gate.road == road and reached[SPACES[gate.first_space].index]:
            if closed_to(now.state, seat, origin):
                continue
            if origin in TERRITORIES or _has_berths(now.state, seat, origin, size):
                yield origin


def _has_berths(war: War, seat: Seat, zone: Place, size: int) -> bool:
    """Return whether a village zone has room aboard: on one's own ships, and on those that wait for who boards (QD-H39)."""
    army = war.armies.get(zone)
    if (army is not None and army.seat != seat) or zone in war.columns:
        return False
    return room_aboard(war, zone) + MOST_ABOARD * war.docked.get(zone, 0) >= size


def is_peaceful(war: War, seat: Seat, place: Place) -> bool:
    """Return whether a party comes to a place of the road without a battle."""
    army = war.armies.get(place)
    return army is None or army.seat == seat


def ends(now: Moment[War], seat: Seat, place: Place, pips: int, size: int) -> tuple[tuple[Place, ...], bool]:
    """Return where a party may go by a roll, spaces before exits, and whether it may stay instead.

    It may stay when no space is open to it in peace: each holds an enemy, friends whom it cannot join, or an ally
    (QD-H34, QD-H21).
    """
    war = now.state
    found = [
        there
        for space in _spaces(now, place, pips)
        if not closed_to(war, seat, there := stand(seat, space))
        and (not is_peaceful(war, seat, there) or room_for(now, seat, there) >= size)
    ]
    stays = not any(is_peaceful(war, seat, there) for there in found)
    return (*found, *exits(now, seat, place, pips, size)), stays
