"""The reach of a Teleport: who can cast it in phases 2 and 5, whom he takes along, and where to (QD-5.3 to QD-5.5, QD-15.3, QD-19.2)."""

from typing import Final

from core.telling import Moment
from events.event import Seat

from .board import SPACE_OF, TERRITORIES, ZONES
from .docks import room_aboard
from .forces import Force, army_force, on_foot
from .movement import bears
from .parties import room_for
from .spellbook import king_of
from .state import DRAGONLORD, MOST_ABOARD, Place, War, chips_at
from .variants import closed_to

__all__ = [
    "LORDS_LIMIT",
    "bars_dragonlords",
    "berths",
    "can_teleport",
    "casters",
    "companions",
    "fetched",
    "is_lord",
    "lords_mark",
    "narrowed",
    "stranded",
    "targets",
    "who_casts",
]

LORDS_LIMIT: Final = 10
"""How many units a DragonLord takes along, but in the short game (QD-5.4, QD-23.2)."""


def can_teleport(war: War, seat: Seat) -> bool:
    """Return whether a seat has a spell user who can teleport: DragonLords and the wizards' pegs are open to all."""
    return any(army.seat == seat and army.dragonlords for army in war.armies.values()) or any(
        name.startswith(f"{seat}.wizard.") and "teleport" in known for name, known in war.spells.items()
    )


def is_lord(war: War, caster: str) -> bool:
    """Return whether a caster is a DragonLord: one without a wizard under it, or a wizard who became one (QD-14.5)."""
    return caster == DRAGONLORD or war.chips[caster].on_dragonlord


def casters(now: Moment[War], seat: Seat, place: Place) -> tuple[str, ...]:
    """Return who of a seat in a territory or zone can teleport and has not done so in this phase (QD-15.3, QD-H28).

    In phase 5 only who has not moved either. That a DragonLord can, everybody sees; under which a wizard is, its owner knows.
    """
    war = now.state
    army = war.armies.get(place)
    if army is None or army.seat != seat:
        return ()
    fresh = army_force(war, seat, place, fresh=war.phase == "transfer")
    lords = min(army.dragonlords - war.ready.count(lords_mark(place)), fresh.dragonlords)
    if _stays_at_sea(war, place):
        lords = 0
    found = [DRAGONLORD] if lords > 0 else []
    for name in fresh.leaders:
        if name in fresh.riders:
            able = lords > 0
        else:
            able = "teleport" in war.spells.get(name, ()) and name not in war.ready
        if able:
            found.append(name)
    return tuple(found)


def who_casts(now: Moment[War], seat: Seat, place: Place, caster: str) -> str:
    """Return who teleports: of the DragonLords one that is no wizard, or else one of those who are (QD-14.5)."""
    war = now.state
    if caster != DRAGONLORD:
        return caster
    army, fresh = war.armies[place], army_force(war, seat, place, fresh=war.phase == "transfer")
    there = chips_at(war, seat, place)
    ridden = [name for name, chip in there.items() if bears(name) and chip.on_dragonlord]
    # Of those that have not moved yet, some may be the wizards: then the others have (QD-H28).
    rested = fresh.dragonlords - war.ready.count(lords_mark(place))
    if army.dragonlords > len(ridden) and (war.phase != "transfer" or rested > len(fresh.riders)):
        return DRAGONLORD
    return min(fresh.riders or ridden, key=lambda name: there[name].shown, default=DRAGONLORD)


def _stays_at_sea(war: War, place: Place) -> bool:
    """Return whether DragonLords in a place stay there: one that came to sea in phase 2 leaves it in phase 5 (QD-5.4)."""
    return place in ZONES and war.phase == "sea"


def companions(now: Moment[War], seat: Seat, place: Place, caster: str) -> Force:
    """Return whom a spell user may take along: 5 units, or 10 with a DragonLord, and one stays (QD-X10, QD-X45).

    In the short game any number goes with a DragonLord (QD-23.2). In phase 5 only who has not moved yet (QD-H28).
    """
    war = now.state
    lord = is_lord(war, caster)
    limit = (LORDS_LIMIT if lord else 5) - (now.answer("QD-X10") == "caster_included")
    if lord and war.length == "short":
        limit = war.armies[place].size
    stay = int(place in TERRITORIES and not TERRITORIES[place].may_be_vacated)
    force = army_force(war, seat, place, fresh=war.phase == "transfer", stay=stay)
    if _stays_at_sea(war, place):
        force = on_foot(force)
    units, dragonlords = force.units - (not lord), force.dragonlords - lord
    return Force(
        units,
        dragonlords,
        max(0, min(limit, war.armies[place].size - 1 - stay, units + dragonlords)),
        tuple(name for name in force.leaders if name != caster),
        tuple(name for name in force.riders if name != caster),
    )


def targets(now: Moment[War], seat: Seat, origin: Place) -> tuple[Place, ...]:
    """Return where any number may come: in phase 2 every territory and enemy blockade, in phase 5 friendly territories."""
    war = now.state
    friendly = war.phase == "transfer"
    by_ship_only = now.answer("QD-X79") == "by_ship_only"
    lands = (
        place
        for place, territory in TERRITORIES.items()
        if place != origin
        and not (by_ship_only and territory.kind == "island")
        and not closed_to(war, seat, place)
        and (not friendly or ((army := war.armies.get(place)) is not None and army.seat == seat))
    )
    if friendly:
        return tuple(lands)
    return (
        *lands,
        *(
            zone
            for zone in ZONES
            if (army := war.armies.get(zone)) is not None
            and army.seat != seat
            and not closed_to(war, seat, zone)
        ),
    )


def berths(now: Moment[War], seat: Seat, origin: Place, *, lord: bool) -> dict[Place, int]:
    """Return where friends have room for so many more units: one's own blockades and Wasteland spaces (QD-H12).

    A DragonLord never comes to a space (QD-X71), nor to the sea in phase 5 (QD-X9).
    """
    war = now.state
    if lord and war.phase == "transfer":
        return {}
    found: dict[Place, int] = {}
    for place, army in war.armies.items():
        if army.seat == seat and place != origin and place not in TERRITORIES:
            if place in ZONES:
                found[place] = room_aboard(war, place)
            elif not lord:
                found[place] = room_for(now, seat, place)
    return {place: left for place, left in found.items() if left > 0}


def bars_dragonlords(war: War, target: Place) -> bool:
    """Return whether no DragonLord may be taken along to a place: the Wastelands, and the sea in phase 5 (QD-X9, QD-X71)."""
    return target in SPACE_OF or (target in ZONES and war.phase == "transfer")


def narrowed(war: War, seat: Seat, force: Force, target: Place, room: int) -> Force:
    """Return whom a spell user may take along to a place with little room; a king never into the Wastelands (QD-14.2)."""
    units, lords, leaders, riders = force.units, force.dragonlords, force.leaders, force.riders
    if bars_dragonlords(war, target):
        lords, leaders, riders = 0, tuple(name for name in leaders if name not in riders), ()
    if target in SPACE_OF and king_of(seat) in leaders:
        units, leaders = units - 1, tuple(name for name in leaders if name != king_of(seat))
    return Force(units, lords, max(0, min(force.most, room - 1, units + lords)), leaders, riders)


def stranded(war: War, seat: Seat, zone: Place) -> int:
    """Return how many ordinary units of a seat in a zone have no place on its ships (QD-H24)."""
    army = war.armies.get(zone)
    if army is None or army.seat != seat:
        return 0
    return max(0, army.units - MOST_ABOARD * war.fleets.get(zone, 0))


def fetched(war: War, seat: Seat, origin: Place, force: Force, lords: int, *, lord: bool) -> int:
    """Return how many units the last DragonLord that leaves a zone must take along: who has no ship (QD-5.4, QD-H24)."""
    if origin not in ZONES or war.phase != "transfer" or not lord:
        return 0
    if lords + 1 < war.armies[origin].dragonlords:
        return 0
    return min(stranded(war, seat, origin), force.most - lords)


def lords_mark(place: Place) -> str:
    """Return how `War.ready` keeps that a DragonLord in a place has teleported in this phase."""
    return f"{DRAGONLORD}@{place}"
