"""What makes a war sound: places, counts, units that are all accounted for, ships that are manned, chips with bearers.

With a sound war before it, from which it came, only what has changed is looked at: `changes` says where.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, Final

from events.counting import plural
from events.event import Seat

from .armies import units_words
from .board import HARBOURS, KINGDOMS, PLACES, ZONES
from .state import (
    MOST_ABOARD,
    MOST_DRAGONLORDS,
    MOST_SHIPS,
    PHASES,
    Army,
    Battle,
    Chip,
    ChipId,
    Column,
    Muster,
    Place,
    War,
    by_stack,
    column_size,
    dragonlords_of,
    units_of,
)

__all__ = ["Changes", "changes", "sound"]

_NOWHERE: Final = War()
"""The state before all others, in which nothing stands anywhere."""


class Changes:
    """Where a war differs from one before it, of which it is known that it was sound."""

    __slots__ = ("all", "columns", "places")

    def __init__(self, war: War, was: War) -> None:
        """Take a war, and the one before it."""
        columns, were = war.columns, was.columns
        self.columns = columns is not were
        """Whether attackers came, went, or were hit."""
        self.places = set(_changed(war.armies, was.armies))
        """Where other armies stand than before, or other attackers."""
        if self.columns:
            self.places.update(_changed(columns, were))
        self.all = was is _NOWHERE or _moment(war) != _moment(was)
        """Whether another phase, turn or battle has come, so that everything is looked at."""

    def __contains__(self, place: Place) -> bool:
        return self.all or place in self.places


def changes(war: War, before: War | None) -> Changes:
    """Return where a war differs from a sound one before it; everywhere, where there is none."""
    return Changes(war, before or _NOWHERE)


def _changed(now: Mapping[Place, Any], was: Mapping[Place, Any]) -> list[Place]:
    """Return the keys under which another thing is held than before; what is held is never written in place."""
    if now is was:
        return []
    found = [place for place, held in now.items() if was.get(place) is not held]
    if len(now) - sum([place not in was for place in found]) < len(was):
        found += [place for place in was if place not in now]
    return found


def _moment(war: War) -> tuple[object, ...]:
    """Return what the soundness of every place hangs on."""
    battle = war.battle
    fight = (battle.place, battle.attacker, battle.defender, battle.kind) if battle is not None else None
    return war.phase, war.active, bool(war.agenda), fight


def sound(war: War, before: War | None = None, changed: Changes | None = None) -> Iterator[str]:
    """Say what is wrong with a war: places, counts, conservation of units, chips under nobody.

    `before` is a war known to be sound, from which this one came, `changed` where they differ.
    """
    was = before or _NOWHERE
    changed = changed or Changes(war, was)
    if changed.all or changed.places or war.muster is not was.muster:
        yield from _sound_units(war, was, changed)
    if war.battle is not None:
        yield from _sound_battle(war, war.battle)
    if war.gold is not was.gold or war.held is not was.held or war.hands is not was.hands:
        yield from _sound_stores(war)
    yield from _sound_ships(war, was, changed)
    if changed.all or changed.places or war.chips is not was.chips or war.shades is not was.shades:
        yield from _sound_chips(war, was, changed)


def _sound_units(war: War, was: War, changed: Changes) -> Iterator[str]:
    """Say what is wrong with the units that stand elsewhere than before, and where more or fewer were raised or lost."""
    gained: Counter[Seat] = Counter()
    if changed.all or any(place in war.armies and war.armies[place].dragonlords for place in changed.places):
        yield from _sound_dragonlords(war)
    for place in sorted(changed.places):
        army, old = war.armies.get(place), was.armies.get(place)
        if army is old:
            continue
        if old is not None:
            gained[old.seat] -= old.size
        if army is None:
            continue
        if place not in PLACES:
            yield f"there is no place {place}"
        if army.units < 0 or army.dragonlords < 0 or not army.size:
            yield f"{place} holds {units_words(army.units, army.dragonlords)} of {army.seat}"
        if army.seat not in war.muster:
            yield f"{place} is held by {army.seat}, who does not sit at the table"
        gained[army.seat] += army.size
    if changed.columns or changed.all:
        yield from _sound_columns(war, gained)
        for columns in was.columns.values():
            for column in columns:
                gained[column.seat] -= column.size
    if war.muster is not was.muster:
        yield from _accounted_for(war, was, gained, {**was.muster, **war.muster})
    elif gained:
        yield from _accounted_for(war, was, gained, gained)


def _sound_dragonlords(war: War) -> Iterator[str]:
    lords = sum(army.dragonlords for army in war.armies.values())
    lords += sum(column.dragonlords for columns in war.columns.values() for column in columns)
    if lords > MOST_DRAGONLORDS:
        yield f"there are {lords} DragonLords, more than {MOST_DRAGONLORDS} (QD-1.3)"


def _sound_columns(war: War, gained: Counter[Seat]) -> Iterator[str]:
    """Say what is wrong with the attackers, and count the others."""
    for place, columns in war.columns.items():
        for column in columns:
            if (
                column.units < 0
                or column.dragonlords < 0
                or column.size == 0
                or column.seat not in war.muster
            ):
                yield f"{place} is attacked by {units_words(column.units, column.dragonlords)} of {column.seat}"
            else:
                gained[column.seat] += column.size
            if war.active and column.seat != war.active:
                yield f"{column.seat} attacks {place}, but it is the turn of {war.active} (QD-10.1)"


def _accounted_for(war: War, was: War, gained: Counter[Seat], seats: Iterable[Seat]) -> Iterator[str]:
    """Say of which of the seats there are more or fewer units than were raised and not lost."""
    for seat in seats:
        muster, old = war.muster.get(seat, _NONE), was.muster.get(seat, _NONE)
        owed = muster.raised - muster.lost - (old.raised - old.lost)
        if gained[seat] != owed:
            yield (
                f"{seat} has {gained[seat] - owed:+} units on the board beside those that it raised and has not lost: "
                f"raised {muster.raised}, lost {muster.lost}"
            )


_NONE: Final = Muster()


def _sound_battle(war: War, battle: Battle) -> Iterator[str]:
    army = war.armies.get(battle.place)
    if army is not None and army.seat != battle.defender:
        yield f"{battle.attacker} fights {battle.defender} for {battle.place}, but {army.seat} holds it"
    if any(column.seat != battle.attacker for column in war.columns.get(battle.place, ())):
        yield f"{battle.attacker} fights for {battle.place}, but not all attackers there are his"


def _sound_stores(war: War) -> Iterator[str]:
    for place, gold in war.gold.items():
        if gold < 0 or place not in KINGDOMS:
            yield f"{place} stores {gold} gold; gold lies in kingdoms, and never less than none"
    for seat, held in war.held.items():
        if held < len(war.hands.get(seat, ())):
            yield f"{seat} holds {held} scrolls, fewer than are known"


def _sound_ships(war: War, was: War, changed: Changes) -> Iterator[str]:
    fleets, raiders, docked = war.fleets, war.raiders, war.docked
    same = fleets is was.fleets and raiders is was.raiders and docked is was.docked
    if not same or (raiders and (changed.all or changed.columns)):
        yield from _sound_fleets(war)
    if changed.all or not same:
        manned = {*war.armies, *war.columns, *fleets, *raiders} & ZONES.keys()
    else:
        manned = changed.places & ZONES.keys()
    for zone in sorted(manned):
        yield from _sound_zone(war, zone, war.armies.get(zone), war.columns.get(zone, ()))


def _sound_fleets(war: War) -> Iterator[str]:
    fleets, raiders, docked = war.fleets, war.raiders, war.docked
    if sum(fleets.values()) + sum(raiders.values()) + sum(docked.values()) > MOST_SHIPS:
        yield f"there are more than {MOST_SHIPS} ships (QD-1.3)"
    for place, count in (*fleets.items(), *raiders.items(), *docked.items()):
        if count < 0:
            yield f"{place} has {count} ships, fewer than none"
    for place in fleets:
        if place not in ZONES:
            yield f"ships sail in {place}, which is no sea zone (QD-2.7)"
    for place in raiders:
        if place not in war.columns and (war.battle is None or war.battle.place != place):
            yield f"ships of attackers are in {place}, and no attackers (QD-11.1)"
    for place in (*docked, *raiders):
        if place not in HARBOURS and (place not in ZONES or place in docked):
            yield f"a ship is docked in {place}, which has no harbour (QD-2.7)"


def _sound_zone(war: War, zone: Place, army: Army | None, columns: tuple[Column, ...]) -> Iterator[str]:
    if columns and war.phase not in PHASES[1:4]:
        yield f"{zone} is manned by two seats outside phases 2 to 4 (QD-11.1)"
    if war.ended is not None or (war.battle is not None and war.battle.place == zone):
        return  # who is left mans the ships when the battle is over, which the end of the game may cut short
    units, lords = (army.units, army.dragonlords) if army is not None else (0, 0)
    ships, attacking = war.fleets.get(zone, 0), war.raiders.get(zone, 0)
    if ships > units or attacking > sum(column.units for column in columns):
        yield f"a ship in {zone} sails without a unit aboard (QD-2.7)"
    # In his own turn a player may have brought units by a DragonLord, until they go back with it (QD-H24).
    if army is None or (army.seat == war.active and war.phase in PHASES[1:5]):
        return
    if lords:
        yield f"a DragonLord of {army.seat} is at sea outside phases 2 to 5 of its turn (QD-X9)"
    if units > MOST_ABOARD * ships:
        yield f"{plural(units, 'unit')} of {army.seat} in {zone}: more than {plural(ships, 'ship carries', 'ships carry')} (QD-5.1)"


def _chips_in(war: War, places: Collection[Place]) -> Iterator[tuple[ChipId, Chip]]:
    for (_, place), chips in by_stack(war.chips).items():
        if place in places:
            yield from chips.items()


def _sound_chips(war: War, was: War, changed: Changes) -> Iterator[str]:
    bearers: dict[tuple[Seat, Place, bool], int] = {}
    armies, shades, settled = war.armies, war.shades, bool(war.agenda)
    fought_for = war.battle.place if war.battle is not None else ""
    # A chip that left a place, and a mark that a place has gained, leave it as sound as it was.
    places = changed.places.union(
        [war.chips[name].place for name in _changed(war.chips, was.chips) if name in war.chips]
    )
    places.update([stack.partition("@")[2] for stack in was.shades - shades])
    for name, chip in war.chips.items() if changed.all else _chips_in(war, places):
        seat, place = chip.seat, chip.place
        if ".king" in name or ".wizard" in name:
            stack = seat, place, chip.on_dragonlord
            bearers[stack] = bearers.get(stack, 0) + 1
            if chip.on_dragonlord and ".king" in name:
                yield f"{name} lies under a DragonLord in {place}; no king becomes one (QD-14.5)"
            if seat in war.out:
                yield f"{name} lies in {place}, but the king of {seat} has fallen and its units are vanquished (QD-H47)"
        if place == fought_for:
            continue  # the treasures of who was wiped out lie in the open until the battle is over
        # A position need not mark its stacks: they are marked when the game opens from it, before the first step.
        if not chip.shown and settled and f"{seat}@{place}" not in shades:
            yield f"{name} lies face down in {place}, which is not marked as hiding a chip of {seat} (QD-H42)"
        army = armies.get(place)
        if (army is None or army.seat != seat) and not column_size(war, seat, place):
            yield f"a chip of {seat} lies in {place}, where it has no unit to bear it (QD-1.4)"
    for (seat, place, on_dragonlord), count in bearers.items():
        lords = dragonlords_of(war, seat, place)
        size = lords if on_dragonlord else units_of(war, seat, place) - lords
        if count > size:
            whose = plural(size, "DragonLord" if on_dragonlord else "unit")
            yield f"{plural(count, 'king or wizard', 'kings and wizards')} for {whose} of {seat} in {place}; each bears one at most (QD-H43)"
