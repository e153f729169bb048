"""Ships with and without crews (QD-5.2, QD-11.5, QD-H39): they dock, are manned, sail, change hands and sink.

At sea every ship has a crew of ordinary units: a DragonLord mans none (QD-5.4). The ships of one seat in a zone are one
fleet and its units are aboard together (QD-11.2); which unit is on which ship is nobody's affair.
"""

from collections.abc import Mapping
from typing import Final

from msgspec import structs

from core.rules import Fact, Setup
from core.telling import Moment, Tale
from events.counting import plural
from events.event import Count, Seat, SectionRef

from .armies import with_raiders_home
from .board import HARBOURS, ZONES
from .state import MOST_ABOARD, Place, War

__all__ = [
    "FACTS",
    "RANGE",
    "ShipsDocked",
    "ShipsManned",
    "ShipsSailed",
    "ShipsSunk",
    "ShipsTaken",
    "boats",
    "farthest",
    "freshest",
    "harbour_of",
    "lose_ships",
    "range_of",
    "room_aboard",
    "sailed_in",
    "settle_raiders",
    "settle_ships",
    "take_ships",
]

RANGE: Final = 6
"""How many zones a ship sails in a turn (QD-5.1)."""


def range_of(seat: Seat) -> int:
    """Return how many zones the ships of a seat sail in a turn: ten those of the Barbarians (QD-1.2, QD-5.1)."""
    return 10 if seat == "barbarian" else RANGE


def harbour_of(war: War, seat: Seat, zone: Place) -> Place:
    """Return the harbour territory on a zone that a seat holds; empty when it holds none (QD-H39)."""
    for place in ZONES[zone].harbours:
        army = war.armies.get(place)
        if army is not None and army.seat == seat:
            return place
    return ""


def room_aboard(war: War, zone: Place) -> int:
    """Return how many more units the ships of whoever mans a zone can carry (QD-5.1, QD-H12)."""
    army = war.armies.get(zone)
    return MOST_ABOARD * war.fleets.get(zone, 0) - (army.size if army is not None else 0)


def _berth(place: Place) -> str:
    """Return the name under which `War.sailed` keeps ships that are docked in a place: a village has one of its own."""
    return ZONES[place].village or place if place in ZONES else place


def sailed_in(war: War, place: Place, ships: int) -> tuple[int, ...]:
    """Return how many zones each of so many ships in a place has sailed in this phase, the freshest first (QD-H28)."""
    known = sorted(war.sailed.get(place, ()))
    return (*(0 for _ in range(ships - len(known))), *known)


def freshest(war: War, place: Place, ships: int, count: int) -> tuple[int, ...]:
    """Return how far those `count` of the ships in a place have sailed that have sailed least; of those that have."""
    return tuple(zones for zones in sailed_in(war, place, ships)[:count] if zones)


def farthest(war: War, place: Place, ships: int, count: int) -> tuple[int, ...]:
    """Return how far those `count` of the ships in a place have sailed that have sailed most; of those that have."""
    return tuple(zones for zones in sailed_in(war, place, ships)[ships - count :] if zones)


def _counted(ships: Mapping[Place, int], place: Place, more: int) -> Mapping[Place, int]:
    """Return counts of ships with more of them in a place, or fewer; never fewer than none."""
    count = ships.get(place, 0) + more
    if count < 0:
        raise ValueError(f"{plural(-more, 'ship is', 'ships are')} not in {place}")
    changed = {**ships, place: count}
    if not count:
        del changed[place]
    return changed


def _without(war: War, place: Place, had: tuple[int, ...]) -> Mapping[Place, tuple[int, ...]]:
    """Return how far ships have sailed, less those ships in a place that have sailed so far."""
    if not had:
        return war.sailed
    left = list(war.sailed[place])
    for zones in had:
        left.remove(zones)
    others = {there: known for there, known in war.sailed.items() if there != place}
    return {**others, place: tuple(left)} if left else others


def _with(
    sailed: Mapping[Place, tuple[int, ...]], place: Place, new: tuple[int, ...]
) -> Mapping[Place, tuple[int, ...]]:
    return {**sailed, place: tuple(sorted((*sailed.get(place, ()), *new)))} if new else sailed


class ShipsDocked(Fact[War]):
    """Empty ships of a seat came to lie in a harbour, and belong to whoever holds it (QD-3.6, QD-5.2, QD-21.1).

    `zone` is the sea zone they lay in, if they come from one; `attacks`: among the attackers there. A `place` that is
    a zone is the harbour of its village, where they wait for the first who boards them; `lands`: it is an enemy's
    harbour, and they follow the battle for it (QD-H39). `sailed` is how far they have sailed in this phase, of those
    that have.
    """

    seat: Seat
    place: Place
    count: Count = 1
    zone: Place = ""
    sailed: tuple[Count, ...] = ()
    attacks: bool = False
    lands: bool = False

    def onto(self, state: War) -> War:
        if self.zone:
            sailed = _with(_without(state, self.zone, self.sailed), _berth(self.place), self.sailed)
            state = structs.replace(state, sailed=sailed)
            state = _lost_at_sea(state, self.zone, self.count, self.attacks)
        if self.lands:
            return structs.replace(state, raiders=_counted(state.raiders, self.place, self.count))
        return structs.replace(state, docked=_counted(state.docked, self.place, self.count))


def _lost_at_sea(war: War, zone: Place, count: int, attacks: bool) -> War:
    """Return the war with ships taken out of a zone: those of its holder, or of its attackers."""
    if attacks:
        return structs.replace(war, raiders=_counted(war.raiders, zone, -count))
    return structs.replace(war, fleets=_counted(war.fleets, zone, -count))


def _found_at_sea(war: War, zone: Place, count: int, attacks: bool) -> War:
    """Return the war with more ships in a zone."""
    return _lost_at_sea(war, zone, -count, attacks)


class ShipsManned(Fact[War]):
    """Units of a seat man empty ships that lay in a harbour, or at a village, where `place` is the zone itself.

    `attacks`: an enemy blockades the zone, so they are among its attackers; `breaks`: they brought these units to the
    battle for that harbour, and take them off again (QD-19.3, QD-H14, QD-H39, QD-H40).
    """

    seat: Seat
    place: Place
    zone: Place
    count: Count
    sailed: tuple[Count, ...] = ()
    attacks: bool = False
    breaks: bool = False

    def onto(self, state: War) -> War:
        sailed = _with(_without(state, _berth(self.place), self.sailed), self.zone, self.sailed)
        if self.breaks:
            raiders = _counted(state.raiders, self.place, -self.count)
            state = structs.replace(state, raiders=raiders, sailed=sailed)
        else:
            docked = _counted(state.docked, self.place, -self.count)
            state = structs.replace(state, docked=docked, sailed=sailed)
        return _found_at_sea(state, self.zone, self.count, self.attacks)


class ShipsSailed(Fact[War]):
    """Ships of a seat sailed along a path, or leapt to its only zone by the Golden Fleece (QD-5.1, QD-7.10).

    `had` is how far they had sailed in this phase before, of those that had, and `sailed` how far each has now;
    `attacks`: an enemy blockades the zone they came to; `breaks`: they break off an attack where they come from.
    """

    seat: Seat
    origin: Place
    path: tuple[Place, ...]
    count: Count
    had: tuple[Count, ...] = ()
    sailed: tuple[Count, ...] = ()
    attacks: bool = False
    breaks: bool = False

    def onto(self, state: War) -> War:
        sailed = _with(_without(state, self.origin, self.had), self.path[-1], self.sailed)
        state = structs.replace(state, sailed=sailed)
        state = _lost_at_sea(state, self.origin, self.count, self.breaks)
        return _found_at_sea(state, self.path[-1], self.count, self.attacks)


class ShipsSunk(Fact[War]):
    """Ships of a seat without a crew sank, or burnt (QD-11.5, QD-13.1); `attacks`: those of the attackers there."""

    seat: Seat
    zone: Place
    count: Count
    sailed: tuple[Count, ...] = ()
    attacks: bool = False

    def onto(self, state: War) -> War:
        sailed = _without(state, self.zone, self.sailed)
        state = structs.replace(state, sailed=sailed, sunk=state.sunk + self.count)
        return _lost_at_sea(state, self.zone, self.count, self.attacks)


class ShipsTaken(Fact[War]):
    """Ships went to whoever won the place where they lie: a harbour, or a sea zone (QD-5.2, QD-11.5, QD-H39).

    At sea `count` is of those that he keeps: such as he can man, or dock. What sinks at once nobody captures.
    """

    CLAIM = "captures"
    CLAIM_KINDS = ("ship",)

    seat: Seat
    place: Place
    count: Count
    loser: Seat = ""

    def onto(self, state: War) -> War:
        return with_raiders_home(state, self.place)

    def choosable(self, before: War, now: War, count: int) -> tuple[Setup[War], ...] | None:
        """Return which ships stand where the winner at sea claims fewer: he may keep his own, and let an enemy's sink (QD-11.5)."""
        if self.place not in ZONES or count > self.count:
            return None
        attacks = any(column.seat == self.seat for column in before.columns.get(self.place, ()))
        both = (before.raiders.get(self.place, 0), before.fleets.get(self.place, 0))
        own, taken = both if attacks else both[::-1]
        army = now.armies.get(self.place)
        crew = army.units if army is not None and army.seat == self.seat else 0
        manned, empty = _crewed(crew, own + taken)
        if now.fleets.get(self.place, 0) != manned:
            return ()  # something else has become of them since
        chosen, left = _crewed(crew, own + count)
        harbour = harbour_of(now, self.seat, self.place)
        stand = {self.place: (manned, chosen)}
        if harbour:
            lie = now.docked.get(harbour, 0)
            stand[harbour] = (lie, lie - empty + left)
        return tuple(_ships_set(place, after) for place, (here, after) in stand.items() if here != after)


def _crewed(crew: int, ships: int) -> tuple[int, int]:
    """Return how many of so many ships have one of the crew aboard, and how many have none."""
    manned = min(crew, ships)
    return manned, ships - manned


def _ships_set(place: Place, count: int) -> Setup[War]:
    from .position import ShipsSet  # noqa: PLC0415 - the words of positions stand on this chapter

    return ShipsSet(place, count)


def settle_ships(tale: Tale[War], seat: Seat, zone: Place, *, fought: bool = False) -> None:
    """Tell what becomes of ships of a seat in a zone that have no crew, or who mans a ship that waits at a village.

    Without a crew they dock in a harbour of his on that zone; at a village they wait for the first who boards them,
    unless a battle emptied them; else they sink (QD-11.5, QD-X85, QD-H39).
    """
    war = tale.state
    army = war.armies.get(zone)
    if army is not None and army.seat != seat:
        return  # it is an enemy's blockade, and his ships
    units = army.units if army is not None else 0
    ships = war.fleets.get(zone, 0)
    empty = ships - units
    if empty > 0:
        _abandon(tale, seat, zone, empty, farthest(war, zone, ships, empty), fought=fought)
    elif empty < 0 and (waiting := war.docked.get(zone, 0)):
        count = min(-empty, waiting)
        sailed = freshest(war, _berth(zone), waiting, count)
        tale.tell(ShipsManned(seat, zone, zone, count, sailed, because=("QD-H39",)))


def settle_raiders(tale: Tale[War], seat: Seat, zone: Place) -> None:
    """Tell what becomes of the attackers' ships in a zone that a scroll has left without a crew (QD-H39)."""
    war = tale.state
    crew = sum(column.units for column in war.columns.get(zone, ()))
    ships = war.raiders.get(zone, 0)
    empty = ships - crew
    if empty > 0:
        sailed = farthest(war, zone, ships, empty)
        _abandon(tale, seat, zone, empty, sailed, fought=False, attacks=True)


def _abandon(
    tale: Tale[War],
    seat: Seat,
    zone: Place,
    count: int,
    sailed: tuple[int, ...],
    *,
    fought: bool,
    attacks: bool = False,
) -> None:
    because: tuple[SectionRef, ...] = ("QD-11.5", "QD-X85") if fought else ("QD-5.2", "QD-H39")
    harbour = harbour_of(tale.state, seat, zone)
    if not harbour and not fought and ZONES[zone].village:
        harbour = zone
    if harbour:
        tale.tell(ShipsDocked(seat, harbour, count, zone, sailed, attacks, because=because))
    else:
        tale.tell(ShipsSunk(seat, zone, count, sailed, attacks, because=because))


def take_ships(tale: Tale[War], seat: Seat, place: Place, loser: Seat, count: int) -> None:
    """Tell that so many ships in a place belong to who won it; at sea he keeps those that he can man (QD-5.2, QD-11.5)."""
    at_sea = place in ZONES
    if count:
        because = ("QD-11.5",) if at_sea else ("QD-5.2", "QD-H39")
        kept = _kept_at_sea(tale.state, seat, place, count) if at_sea else count
        tale.tell(ShipsTaken(seat, place, kept, loser, because=because))
    if at_sea:
        settle_ships(tale, seat, place, fought=True)


def _kept_at_sea(war: War, seat: Seat, zone: Place, count: int) -> int:
    """Return how many of the ships the winner of a zone keeps: one for each unit, all where he has a harbour there (QD-11.5)."""
    army = war.armies.get(zone)
    crew = army.units if army is not None else 0
    return count if harbour_of(war, seat, zone) else min(count, crew)


def lose_ships(tale: Tale[War], place: Place, attacker: Seat, defender: Seat) -> None:
    """Tell what becomes of the ships where nobody is left (QD-H13).

    At sea each docks with its own, or sinks; those that brought attackers to a harbour lie in it and are nobody's.
    """
    if place not in ZONES:
        ships = tale.state.raiders.get(place, 0)
        if ships:
            tale.tell(ShipsDocked(attacker, place, ships, place, attacks=True, because=("QD-H39",)))
        return
    _part(tale, place, attacker, defender)


def _part(tale: Tale[War], zone: Place, attacker: Seat, defender: Seat) -> None:
    for seat, ships, attacks in (
        (defender, tale.state.fleets.get(zone, 0), False),
        (attacker, tale.state.raiders.get(zone, 0), True),
    ):
        if ships:
            _abandon(tale, seat, zone, ships, (), fought=True, attacks=attacks)


def boats(now: Moment[War], seat: Seat, place: Place) -> tuple[Place, ...]:
    """Return the zone where attackers who landed in a place may go back aboard, where the table lets them (QD-H14).

    They need room on their own ships there, or on those that they left in the harbour, and man all of these.
    """
    war = now.state
    if place in ZONES or now.answer("QD-H14") != "back_aboard_too":
        return ()
    zone = HARBOURS.get(place, "")
    size = sum(column.size for column in war.columns.get(place, ()) if column.how == "ship")
    army, ships = war.armies.get(zone), war.raiders.get(place, 0)
    if not size or (army is not None and army.seat != seat):
        return ()
    return (zone,) if ships <= size <= room_aboard(war, zone) + MOST_ABOARD * ships else ()


FACTS = (ShipsDocked, ShipsManned, ShipsSailed, ShipsSunk, ShipsTaken)
