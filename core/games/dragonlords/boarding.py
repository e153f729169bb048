"""Going aboard and ashore in harbours, in phase 2 and in phase 5 (QD-5.1, QD-5.8, QD-19.3)."""

from collections.abc import Iterator
from typing import Annotated, Any, NamedTuple

from core.asking import Offer, OneOf
from core.refusal import Refusal
from core.rules import Command, word
from core.telling import Moment, Tale
from events.counting import plural
from events.event import Count, Seat, SectionRef

from .board import HARBOURS, TERRITORIES, ZONES
from .docks import ShipsDocked, ShipsManned, farthest, freshest
from .ending import claimed
from .forces import (
    Carrying,
    Force,
    Leading,
    Units,
    army_force,
    bearings,
    clip,
    forbids_force,
    on_foot,
    send,
    sizes,
    tire,
)
from .movement import going_along
from .phases import act_on
from .state import MOST_ABOARD, Army, ChipId, Place, War
from .variants import closed_to, forbids_place

__all__ = [
    "COMMANDS",
    "Board",
    "Land",
    "boarding_offers",
    "crew_of",
    "forbids_no_fleet",
    "has_ships",
    "landing_offers",
]


class Crew(NamedTuple):
    """The ships of a seat in a zone, and the units aboard: ordinary ones, and all with the DragonLords."""

    ships: int
    units: int
    size: int


def crew_of(war: War, seat: Seat, zone: Place) -> Crew:
    """Return the fleet of a seat in a zone; where an enemy blockades it, those of its attackers who came by ship."""
    army = war.armies.get(zone)
    if army is None or army.seat == seat:
        army = army or Army(seat)
        return Crew(war.fleets.get(zone, 0), army.units, army.size)
    came = [column for column in war.columns.get(zone, ()) if column.how == "ship"]
    units = sum(column.units for column in came)
    return Crew(war.raiders.get(zone, 0), units, sum(column.size for column in came))


def _carried(size: int) -> int:
    """Return the fewest ships that carry so many units (QD-5.1)."""
    return -(-size // MOST_ABOARD)


def _is_blockaded(war: War, seat: Seat, zone: Place) -> bool:
    """Return whether an enemy blockades a zone (QD-2.7)."""
    army = war.armies.get(zone)
    return army is not None and army.seat != seat


def _because(war: War) -> tuple[SectionRef, ...]:
    return ("QD-19.3",) if war.phase == "transfer" else ("QD-5.1",)


def _boarders(war: War, seat: Seat, origin: Place) -> Force:
    """Return who may go aboard in a harbour: who has not landed or moved; one unit stays, islands apart (QD-H28)."""
    stay = 0 if TERRITORIES[origin].may_be_vacated else 1
    return on_foot(army_force(war, seat, origin, stay=stay))


def _landings(war: War) -> tuple[Place, ...]:
    """Return the harbour territories where ships are: docked there, or in the zone."""
    docks = (place for place in war.docked if place in TERRITORIES)
    zones = (zone for zone in (*war.fleets, *war.raiders) if zone in ZONES)
    return tuple(dict.fromkeys((*docks, *(place for zone in zones for place in ZONES[zone].harbours))))


def has_ships(war: War, seat: Seat) -> bool:
    """Return whether a seat may be able to sail, land or board, as everybody knows."""
    armies = war.armies
    if any((army := armies.get(zone)) is not None and army.seat == seat for zone in war.fleets):
        return True
    return any(
        (army := armies.get(place)) is not None
        and army.seat == seat
        and min(army.units - war.moved.get(place, 0), army.size - (not TERRITORIES[place].may_be_vacated)) > 0
        for place in _landings(war)
    )


class Board(Command[War]):
    """Go aboard in a harbour: on ships that are docked there, or on those of one's fleet in its zone.

    `ships` is how many of the docked ships get a crew; left out, or too few, the fewest that the units need.
    """

    WHEN = ("QD-5.1", "QD-19.3", "QD-4.1")

    origin: Place
    units: Units
    ships: Annotated[Count, word("manning")] = 0
    leading: Leading = ()
    carrying: Carrying = ()

    def _led(self, war: War, seat: Seat) -> tuple[ChipId, ...]:
        return going_along(war, seat, self.origin, self.units, 0, self.leading, fresh=True)

    def _manned(self, war: War, seat: Seat) -> int:
        """Return how many docked ships get a crew."""
        crew = crew_of(war, seat, _zone(self.origin))
        return max(self.ships, _carried(crew.size + self.units) - crew.ships)

    def forbids(self, now: Moment[War], seat: Seat) -> Iterator[Refusal]:
        """Refuse what is no harbour of one's own, units that are not there or landed already, and ships too few or many."""
        war, because = now.state, _because(now.state)
        army, zone = war.armies.get(self.origin), _zone(self.origin)
        if army is None or army.seat != seat or not zone:
            yield Refusal(
                "no_harbour",
                because,
                f"{self.origin} is no harbour that {seat} holds; units go aboard in harbours alone.",
                {"place": self.origin},
            )
            return
        if closed_to(war, seat, zone):
            yield from forbids_place(war, seat, zone)
            return
        if war.phase == "transfer" and _is_blockaded(war, seat, zone):
            yield Refusal(
                "enemy_blockade",
                (*because, "QD-H40"),
                f"{war.armies[zone].seat} blockades {zone}; in phase 5 nobody goes aboard there.",
                {"zone": zone},
            )
        yield from forbids_force(
            war, seat, self.origin, _boarders(war, seat, self.origin), self.units, 0, self.leading, self.carrying,
            because, self._led(war, seat),
        )  # fmt: skip
        yield from self._forbids_ships(war, seat, zone)

    def _forbids_ships(self, war: War, seat: Seat, zone: Place) -> Iterator[Refusal]:
        because = _because(war)
        crew, docked, manned = (
            crew_of(war, seat, zone),
            war.docked.get(self.origin, 0),
            self._manned(war, seat),
        )
        if manned > docked:
            yield Refusal(
                "too_few_ships",
                (*because, "QD-5.2"),
                f"For {plural(crew.size + self.units, 'unit')} {seat} needs {plural(crew.ships + manned, 'ship')} of {MOST_ABOARD} "
                f"places; docked in {self.origin}: {docked}, in {zone}: {crew.ships}.",
                {"docked": docked, "needed": manned},
            )
        elif crew.units + self.units < crew.ships + manned:
            yield Refusal(
                "ship_unmanned",
                because,
                f"{plural(crew.units + self.units, 'unit does', 'units do')} not man {plural(crew.ships + manned, 'ship')}.",
                {"units": crew.units + self.units, "ships": crew.ships + manned},
            )

    def tells(self, tale: Tale[War], seat: Seat) -> None:
        """Tell who goes aboard and which ships that mans; beside an enemy blockade they are its attackers (QD-H40)."""
        war = tale.state
        because, zone, manned = _because(war), _zone(self.origin), self._manned(war, seat)
        attacks, led = _is_blockaded(war, seat, zone), self._led(war, seat)
        send(
            tale, seat, self.origin, zone, self.units, 0, (*led, *self.carrying),
            how="ship" if attacks else "", because=(*because, "QD-H40") if attacks else because,
        )  # fmt: skip
        if manned:
            sailed = freshest(war, self.origin, war.docked[self.origin], manned)
            tale.tell(
                ShipsManned(seat, self.origin, zone, manned, sailed, attacks, because=(*because, "QD-5.2"))
            )
        if war.phase == "transfer":
            tire(tale, seat, zone, self.units, 0, led, because=(*because, "QD-H28"))
        act_on(tale)


def _zone(place: Place) -> Place:
    """Return the sea zone of a harbour territory; empty for any other place."""
    return TERRITORIES[place].harbour_zone or "" if place in TERRITORIES else ""


def boarding_offers(now: Moment[War], seat: Seat) -> Iterator[Offer]:
    """Yield the offers to go aboard: for each harbour, number of docked ships and choice of leaders, how many units."""
    war = now.state
    for place in _landings(war):
        army, zone = war.armies.get(place), _zone(place)
        if army is None or army.seat != seat or (war.phase == "transfer" and _is_blockaded(war, seat, zone)):
            continue
        if closed_to(war, seat, zone):
            continue
        crew, docked = crew_of(war, seat, zone), war.docked.get(place, 0)
        most = MOST_ABOARD * (crew.ships + docked) - crew.size
        if most < 1:
            continue
        going: dict[str, Any] = {"origin": place, "carrying": bearings(war, seat, place)}
        for size in _on_foot_sizes(_boarders(war, seat, place)):
            for ships in range(docked + 1):
                if clipped := clip(size, crew.ships + ships - crew.units, most):
                    yield Offer(Board, going | clipped | {"ships": ships})


def _on_foot_sizes(force: Force) -> Iterator[dict[str, Any]]:
    """Yield the fields of offers that send a part of a force without DragonLords."""
    for size in sizes(force):
        yield {"units": size["units"], "leading": size["leading"]}


class Land(Command[War]):
    """Go ashore in a harbour territory from one's ships in its zone: friendly, empty, or an enemy's (QD-5.8).

    `ships` is how many ships dock there; left out, or too few, those that are left without a crew.
    """

    WHEN = ("QD-5.8", "QD-19.3", "QD-4.1")

    target: Place
    units: Units
    ships: Annotated[Count, word("docking")] = 0
    leading: Leading = ()
    carrying: Carrying = ()

    def _led(self, war: War, seat: Seat) -> tuple[ChipId, ...]:
        fresh = war.phase == "transfer"
        return going_along(war, seat, _zone(self.target), self.units, 0, self.leading, fresh=fresh)

    def forbids(self, now: Moment[War], seat: Seat) -> Iterator[Refusal]:
        """Refuse what is no harbour, units that are not aboard, and enemy land in phase 5 (QD-5.1, QD-5.8, QD-19.3)."""
        war, because, zone = now.state, _because(now.state), _zone(self.target)
        if not zone:
            yield Refusal(
                "no_harbour",
                because,
                f"{self.target} has no harbour; units go ashore in harbours alone.",
                {"place": self.target},
            )
            return
        yield from forbids_place(war, seat, self.target)
        yield from forbids_no_fleet(war, seat, zone, because)
        army = war.armies.get(zone)
        if army is None or army.seat != seat:
            return
        force = on_foot(army_force(war, seat, zone, fresh=war.phase == "transfer", stay=0))
        yield from forbids_force(
            war, seat, zone, force, self.units, 0, self.leading, self.carrying, because, self._led(war, seat)
        )
        if war.phase == "transfer":
            yield from self._forbids_transfer(war, seat, zone)
        left, ships = army.size - self.units, war.fleets.get(zone, 0)
        if self.ships > ships or left > MOST_ABOARD * (ships - self.ships):
            yield Refusal(
                "too_few_ships",
                because,
                f"{self.ships} of {plural(ships, 'ship')} can't dock in {self.target}: {plural(max(0, left), 'unit stays', 'units stay')} "
                "aboard, "
                f"{MOST_ABOARD} to a ship.",
                {"ships": ships, "docking": self.ships, "aboard": max(0, left)},
            )

    def _forbids_transfer(self, war: War, seat: Seat, zone: Place) -> Iterator[Refusal]:
        holder = war.armies.get(self.target)
        if holder is not None and holder.seat != seat and not closed_to(war, seat, self.target):
            yield Refusal(
                "enemy_there",
                ("QD-19.3", "QD-5.7"),
                f"{self.target} is held by {holder.seat}; in phase 5 units land on friendly or empty land.",
                {"place": self.target},
            )
        elif holder is None and self.units > _rested(war, zone):
            yield Refusal(
                "has_fought",
                ("QD-5.7",),
                f"Who fought a sea battle lands in a friendly harbour alone, and nobody holds {self.target}.",
                {"place": self.target},
            )

    def tells(self, tale: Tale[War], seat: Seat) -> None:
        """Tell who lands, and which ships dock; in enemy land they are attackers, and the ships follow the battle (QD-H39)."""
        war = tale.state
        because, zone = _because(war), _zone(self.target)
        holder, before = war.armies.get(self.target), war.fleets.get(zone, 0)
        attacks, led = holder is not None and holder.seat != seat, self._led(war, seat)
        send(
            tale, seat, zone, self.target, self.units, 0, (*led, *self.carrying),
            how="ship" if attacks else "", because=(*because, "QD-5.8") if attacks else because,
        )  # fmt: skip
        if not attacks:
            tire(tale, seat, self.target, self.units, 0, led, because=(*because, "QD-H28"))
        if holder is None:
            claimed(tale, seat, self.target)
        army = tale.state.armies.get(zone)
        docking = max(self.ships, before - (army.units if army is not None else 0))
        if docking:
            sailed = farthest(war, zone, before, docking)
            tale.tell(
                ShipsDocked(
                    seat, self.target, docking, zone, sailed, lands=attacks, because=("QD-5.2", "QD-H39")
                )
            )
        act_on(tale)


def forbids_no_fleet(war: War, seat: Seat, zone: Place, because: tuple[SectionRef, ...]) -> Iterator[Refusal]:
    """Refuse to land or sail where a seat has no fleet, or one that has met an enemy blockade and must fight (QD-5.6)."""
    army = war.armies.get(zone)
    if zone in ZONES and army is not None and army.seat == seat:
        return
    if any(column.seat == seat for column in war.columns.get(zone, ())):
        yield Refusal(
            "must_fight",
            (*because, "QD-5.6", "QD-H40"),
            f"{war.armies[zone].seat} blockades {zone}; who is there stays, and fights in phase 4.",
            {"zone": zone},
        )
    elif zone not in ZONES and zone in HARBOURS:
        text = f"{zone} is a harbour: board the ships there, then sail from {HARBOURS[zone]}."
        yield Refusal("no_fleet", (*because, "QD-5.2"), text, {"zone": zone})
    else:
        yield Refusal("no_fleet", because, f"{seat} has no ships in {zone or 'that place'}.", {"zone": zone})


def _rested(war: War, zone: Place) -> int:
    """Return how many units in a zone may still move and have fought no sea battle this turn (QD-5.7).

    Who came there in this phase has not fought and may not move again, so the two are never the same units.
    """
    army = war.armies.get(zone)
    moved = war.moved.get(zone, 0) + war.moved_dragonlords.get(zone, 0)
    return max(0, army.size - war.spent.get(zone, 0) - moved) if army is not None else 0


def landing_offers(now: Moment[War], seat: Seat) -> Iterator[Offer]:
    """Yield the offers to go ashore: for each harbour, number of ships that dock and choice of leaders, how many units."""
    war = now.state
    transfers = war.phase == "transfer"
    for zone, ships in war.fleets.items():
        army = war.armies.get(zone)
        if army is None or army.seat != seat:
            continue
        force = on_foot(army_force(war, seat, zone, fresh=transfers, stay=0))
        for harbours, most in _shores(war, seat, zone, army.units):
            going: dict[str, Any] = {"target": OneOf(harbours), "carrying": bearings(war, seat, zone)}
            for size in _on_foot_sizes(force):
                for docking in range(ships + 1):
                    if clipped := clip(size, army.size - MOST_ABOARD * (ships - docking), most):
                        yield Offer(Land, going | clipped | {"ships": docking})


def _shores(war: War, seat: Seat, zone: Place, units: int) -> Iterator[tuple[tuple[Place, ...], int]]:
    """Yield the harbours of a zone where units of a seat may land, with how many may (QD-5.7, QD-5.8, QD-19.3)."""
    for place in ZONES[zone].harbours:
        holder = war.armies.get(place)
        if closed_to(war, seat, place):
            continue
        if war.phase != "transfer" or (holder is not None and holder.seat == seat):
            yield (place,), units
        elif holder is None and (rested := _rested(war, zone)) > 0:
            yield (place,), rested


COMMANDS = (Board, Land)
