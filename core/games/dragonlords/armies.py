"""What happens to units, DragonLords, gold and places: the vocabulary that all chapters share; that of chips is chips.py."""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from msgspec import structs

from core.rules import Fact, Setup
from events.counting import plural
from events.event import Count, FactData, Seat

from .board import ZONES
from .state import (
    DRAGONLORD,
    Army,
    ChipId,
    Column,
    Muster,
    Place,
    War,
    shade,
    units_of,
)

__all__ = [
    "FACTS",
    "DragonLordGained",
    "GoldTaken",
    "PlaceTaken",
    "StoreTaken",
    "UnitsLost",
    "UnitsMarked",
    "UnitsMoved",
    "UnitsPlaced",
    "UnitsStruck",
]


def with_army(war: War, place: Place, army: Army) -> War:
    """Return the war with an army in a place, or with nobody when the army is empty."""
    armies = {**war.armies, place: army}
    if not (army.units or army.dragonlords):
        del armies[place]
    return structs.replace(war, armies=armies)


def with_columns(war: War, place: Place, columns: tuple[Column, ...]) -> War:
    """Return the war with these columns, the empty ones left out, attacking a place."""
    kept = tuple(column for column in columns if column.size)
    held = {**war.columns, place: kept}
    if not kept:
        del held[place]
    return structs.replace(war, columns=held)


def _taken(columns: tuple[Column, ...], way: str, units: int, dragonlords: int) -> tuple[Column, ...]:
    """Return columns less so many units; of those that came by `way`, the first named give first."""
    left: list[Column] = []
    for column in columns:
        if column.how == way:
            some, lords = min(units, column.units), min(dragonlords, column.dragonlords)
            units, dragonlords = units - some, dragonlords - lords
            column = structs.replace(
                column, units=column.units - some, dragonlords=column.dragonlords - lords
            )
        left.append(column)
    if units or dragonlords:
        raise ValueError(f"not there: {units_words(units, dragonlords)}")
    return tuple(left)


def without(war: War, seat: Seat, place: Place, way: str, units: int, dragonlords: int) -> War:
    """Return the war with units of a seat taken off a place: of its army, or of the columns that came by `way`."""
    if way:
        return with_columns(war, place, _taken(war.columns[place], way, units, dragonlords))
    armies = dict(war.armies)
    _take(armies, seat, place, units, dragonlords)
    return structs.replace(war, armies=armies)


def added(war: War, seat: Seat, place: Place, units: int, dragonlords: int = 0) -> War:
    """Return the war with units added to the army of a seat in a place; another seat's army may not stand there."""
    armies = dict(war.armies)
    _give(armies, seat, place, units, dragonlords)
    return structs.replace(war, armies=armies)


def _take(armies: dict[Place, Army], seat: Seat, place: Place, units: int, dragonlords: int) -> None:
    """Take units of a seat off a place in a copy of the armies."""
    army = armies[place]
    if army.seat != seat or army.units < units or army.dragonlords < dragonlords:
        raise ValueError(f"{seat} has not {units_words(units, dragonlords)} in {place}")
    left = Army(seat, army.units - units, army.dragonlords - dragonlords)
    if left.units or left.dragonlords:
        armies[place] = left
    else:
        del armies[place]


def _give(armies: dict[Place, Army], seat: Seat, place: Place, units: int, dragonlords: int) -> None:
    """Add units to the army of a seat in a copy of the armies; another seat's may not stand there."""
    army = armies.get(place)
    if army is None:
        if units or dragonlords:
            armies[place] = Army(seat, units, dragonlords)
    elif army.seat == seat:
        armies[place] = Army(seat, army.units + units, army.dragonlords + dragonlords)
    else:
        raise ValueError(f"{place} is held by {army.seat}, not by {seat}")


def _marked(marks: Mapping[Place, int], place: Place, more: int, most: int) -> Mapping[Place, int]:
    """Return marks with `more` of them, or fewer, in a place: never less than none or more than the units there."""
    if not more and place not in marks:
        return marks
    before = marks.get(place, 0)
    after = max(0, min(before + more, most))
    if after == before:
        return marks
    changed = {**marks, place: after}
    if not after:
        del changed[place]
    return changed


def _with_marks(war: War, place: Place, spent: int, fought: int, sneaked: int) -> War:
    """Return the war with marks of the active seat added in a place, or taken off; those that nobody is left for fall away."""
    if not (spent or fought or sneaked or place in war.spent or place in war.fought or place in war.sneaked):
        return war
    most = units_of(war, war.active, place)
    return structs.replace(
        war,
        spent=_marked(war.spent, place, spent, most),
        fought=_marked(war.fought, place, fought, most),
        sneaked=_marked(war.sneaked, place, sneaked, most),
    )


def with_raiders_home(war: War, place: Place) -> War:
    """Return the war with the attackers' ships in a place among those of who holds it: afloat, or in its harbour."""
    if place not in war.raiders:
        return war
    raiders = dict(war.raiders)
    ships = raiders.pop(place)
    if place in ZONES:
        fleets = {**war.fleets, place: war.fleets.get(place, 0) + ships}
        return structs.replace(war, raiders=raiders, fleets=fleets)
    docked = {**war.docked, place: war.docked.get(place, 0) + ships}
    return structs.replace(war, raiders=raiders, docked=docked)


class UnitsPlaced(Fact[War]):
    """New units came into the game, in a place that their seat holds or that nobody does (QD-3.3, QD-21.1)."""

    seat: Seat
    place: Place
    units: Count
    dragonlords: Count = 0

    def onto(self, state: War) -> War:
        muster = state.muster[self.seat]
        raised = Muster(muster.raised + self.units + self.dragonlords, muster.lost)
        state = structs.replace(state, muster={**state.muster, self.seat: raised})
        return added(state, self.seat, self.place, self.units, self.dragonlords)


class UnitsMoved(Fact[War]):
    """Units went from one place to another.

    `way` names the columns they leave, by the way these came; nothing: the army. `how` is the way they come into an
    enemy place, as a column; nothing: they join their own army, or hold an empty place. `veils`: part of a stack went
    that may hide a chip, so both parts may now; `hides` are the shown chips of that stack, of which nobody else knows
    any more with which part they are. The marks are those that the moved units take along; `landed` that they have gone
    ashore in this phase and board no more (QD-H28).
    """

    seat: Seat
    origin: Place
    target: Place
    units: Count
    dragonlords: Count = 0
    way: str = ""
    how: str = ""
    veils: bool = False
    hides: tuple[ChipId, ...] = ()
    spent: Count = 0
    fought: Count = 0
    sneaked: Count = 0
    landed: Count = 0

    def in_words(self, later: Sequence[FactData] = ()) -> str:
        """Return who went where; and where a stack was parted, that nobody else can tell any more with whom its chips are."""
        said = f"units moved: {self.seat}, {units_words(self.units, self.dragonlords)} from {self.origin} to {self.target}"
        said += f", by {self.how}" if self.how else ""
        if self.hides:
            return f"{said}; which of them bear {', '.join(self.hides)} is hidden now"
        return f"{said}; either part may hide chips" if self.veils else said

    def onto(self, state: War) -> War:
        seat, origin, target = self.seat, self.origin, self.target
        if self.way or self.how:
            state = self._in_columns(state)
        else:
            armies = dict(state.armies)
            _take(armies, seat, origin, self.units, self.dragonlords)
            _give(armies, seat, target, self.units, self.dragonlords)
            state = structs.replace(state, armies=armies)
        if not units_of(state, seat, origin):
            state = self._whole(state)
        elif self.veils or self.hides:
            state = self._split(state)
        if seat != state.active:
            return state
        state = _with_marks(state, origin, -self.spent, -self.fought, -self.sneaked)
        state = _with_marks(state, target, self.spent, self.fought, self.sneaked)
        if not self.landed:
            return state
        moved = _marked(state.moved, origin, -self.landed, units_of(state, seat, origin) + self.landed)
        moved = _marked(moved, target, self.landed, units_of(state, seat, target))
        return structs.replace(state, moved=moved)

    def _in_columns(self, state: War) -> War:
        state = without(state, self.seat, self.origin, self.way, self.units, self.dragonlords)
        if not self.how:
            return added(state, self.seat, self.target, self.units, self.dragonlords)
        column = Column(self.seat, self.origin, self.units, self.dragonlords, self.how)
        return with_columns(state, self.target, _joined(state.columns.get(self.target, ()), column))

    def _split(self, state: War) -> War:
        shades = state.shades
        if self.veils:
            stacks = (shade(self.seat, self.origin), shade(self.seat, self.target))
            if not shades.issuperset(stacks):
                shades = shades.union(stacks)
        if not self.hides:
            return state if shades is state.shades else structs.replace(state, shades=shades)
        chips = {name: chip for name, chip in state.chips.items() if not (name in self.hides and chip.shown)}
        return structs.replace(state, shades=shades, chips=chips)

    def _whole(self, state: War) -> War:
        here, there = shade(self.seat, self.origin), shade(self.seat, self.target)
        shades = state.shades
        if here in shades:
            shades = (shades - {here}) | {there}
        along = {
            name: structs.replace(chip, place=self.target, way=self.how)
            for name, chip in state.chips.items()
            if chip.place == self.origin and chip.seat == self.seat
        }
        chips = {**state.chips, **along} if along else state.chips
        return structs.replace(state, shades=shades, chips=chips)


def _joined(columns: tuple[Column, ...], new: Column) -> tuple[Column, ...]:
    """Return columns with another one; it joins the one that came the same way from the same place."""
    for n, old in enumerate(columns):
        if (old.seat, old.origin, old.how) == (new.seat, new.origin, new.how):
            joined = structs.replace(
                old, units=old.units + new.units, dragonlords=old.dragonlords + new.dragonlords
            )
            return (*columns[:n], joined, *columns[n + 1 :])
    return (*columns, new)


def units_words(units: int, dragonlords: int) -> str:
    lords, plain = plural(dragonlords, "DragonLord"), plural(units, "unit")
    return lords if dragonlords and not units else f"{plain} and {lords}" if dragonlords else plain


class UnitsMarked(Fact[War]):
    """Units of the active seat in a place have done something that counts until the turn ends.

    `spent` fight no more, `fought` march no more, `sneaked` make no other sneak attack (QD-12.2, QD-H27, QD-H28).
    """

    place: Place
    spent: Count = 0
    fought: Count = 0
    sneaked: Count = 0

    def in_words(self, later: Sequence[FactData] = ()) -> str:
        """Return what the units may not do again until the turn ends."""
        done = ((self.spent, "fight"), (self.fought, "march"), (self.sneaked, "sneak"))
        told = ", ".join(f"{units_words(count, 0)} may not {what} again" for count, what in done if count)
        return f"this turn, in {self.place}: {told}" if told else ""

    def onto(self, state: War) -> War:
        return _with_marks(state, self.place, self.spent, self.fought, self.sneaked)


class UnitsStruck(Fact[War]):
    """Units of a seat in a place were hit so many times; the losses are still to be taken."""

    seat: Seat
    place: Place
    count: Count

    def onto(self, state: War) -> War:
        stack = shade(self.seat, self.place)
        return structs.replace(state, struck={**state.struck, stack: state.struck.get(stack, 0) + self.count})


class UnitsLost(Fact[War]):
    """A seat lost units in a place, DragonLords, kings and wizards among them; its hits there are paid.

    `dragonlords` says how many of them were DragonLords, `way` from which columns they were, as in `UnitsMoved`.
    """

    CLAIM = "loses"
    CLAIM_KINDS = ("unit", DRAGONLORD)
    BY_HITS = True

    seat: Seat
    place: Place
    count: Count
    dragonlords: Count = 0
    way: str = ""

    def onto(self, state: War) -> War:
        units = self.count - self.dragonlords
        state = without(state, self.seat, self.place, self.way, units, self.dragonlords)
        stack = shade(self.seat, self.place)
        muster = state.muster[self.seat]
        changes: dict[str, object] = {
            "muster": {**state.muster, self.seat: Muster(muster.raised, muster.lost + self.count)},
            "slain": state.slain + self.dragonlords,
        }
        if stack in state.struck:
            changes["struck"] = {name: hits for name, hits in state.struck.items() if name != stack}
        if stack in state.shades and not units_of(state, self.seat, self.place):
            changes["shades"] = state.shades - {stack}
        state = structs.replace(state, **changes)
        return _with_marks(state, self.place, 0, 0, 0) if self.seat == state.active else state

    @classmethod
    def mends(
        cls, state: War, told: Sequence["UnitsLost"], who: str, more: int, kind: str
    ) -> tuple[Setup[War], ...]:
        """Return the army or the column as a table has it that counted other losses; nothing once it is gone."""
        from .position import recounted  # noqa: PLC0415 - the words of positions stand on this chapter

        place = told[-1].place if told else state.battle.place if state.battle is not None else ""
        return recounted(state, who, place, more, lords=kind.startswith("dragonlord"))


class DragonLordGained(Fact[War]):
    """A unit became a DragonLord (QD-14.5, QD-X31)."""

    CLAIM = "gains"
    CLAIM_KINDS = (DRAGONLORD,)
    kind: ClassVar[str] = DRAGONLORD

    seat: Seat
    place: Place

    def onto(self, state: War) -> War:
        return added(without(state, self.seat, self.place, "", 1, 0), self.seat, self.place, 0, 1)


class PlaceTaken(Fact[War]):
    """A seat whose columns came into a place holds it now, with the ships that brought them (QD-10.2, QD-11.5)."""

    seat: Seat
    place: Place
    loser: Seat = ""

    def onto(self, state: War) -> War:
        columns = state.columns[self.place]
        state = with_columns(state, self.place, ())
        units = sum(column.units for column in columns)
        state = added(state, self.seat, self.place, units, sum(column.dragonlords for column in columns))
        state = with_raiders_home(state, self.place)
        if not any(chip.way and chip.place == self.place for chip in state.chips.values()):
            return state
        chips = {
            name: structs.replace(chip, way="") if chip.place == self.place else chip
            for name, chip in state.chips.items()
        }
        return structs.replace(state, chips=chips)


class GoldTaken(Fact[War]):
    """Who took a kingdom took the gold that lies in it (QD-2.2)."""

    CLAIM = "gains"
    CLAIM_KINDS = ("gold",)

    seat: Seat
    place: Place
    gold: Count

    @property
    def count(self) -> int:
        """How much a claim of what was gained counts."""
        return self.gold

    def onto(self, state: War) -> War:
        return state


class StoreTaken(Fact[War]):
    """Who took a seat's last kingdom took the items stored there (QD-H46)."""

    seat: Seat
    loser: Seat

    def onto(self, state: War) -> War:
        items = {store: dict(held) for store, held in state.items.items() if store != self.loser}
        mine = items.setdefault(self.seat, {})
        for kind, count in state.items.get(self.loser, {}).items():
            mine[kind] = mine.get(kind, 0) + count
        return structs.replace(state, items=items)


FACTS = (
    UnitsPlaced, UnitsMoved, UnitsMarked, UnitsStruck, UnitsLost, DragonLordGained, PlaceTaken,
    GoldTaken, StoreTaken,
)  # fmt: skip
