"""The sneak attack of the Elves (QD-12): one volley that is not answered; then the place is theirs, or they go back."""

from collections.abc import Iterator
from typing import Annotated, Any

from msgspec import structs

from core.asking import Offer, OneOf, Part, Question
from core.refusal import Refusal
from core.rules import Command, Step, word
from core.telling import Moment, Tale
from events.event import Seat

from .armies import units_words
from .board import NEIGHBOURS, TERRITORIES
from .conquest import conclude
from .ending import check_end
from .forces import Carrying, DragonLords, Force, Leading, Units, army_force, bearings, sizes, tire
from .holdings import origins
from .in_battle import InBattle, by_kind
from .movement import bears, forbids_chips, going_along, move
from .moving_in import MovesIn, army_of, is_sneaking
from .retreat import refuges
from .state import SNEAKS, ChipId, Column, Place, War, chips_at
from .strength import attackers, battle_of, defenders
from .variants import closed_to

__all__ = ["COMMANDS", "STEPS", "GoBack", "Returning", "SneakAttack", "offers_to_sneak", "sneakers"]


def sneakers(war: War, seat: Seat, place: Place) -> Force:
    """Return what may leave a place for a sneak attack: each Elf makes it once a turn (QD-12.2, QD-12.3)."""
    force = army_force(war, seat, place)
    fresh = army_of(war, seat, place).size - war.spent.get(place, 0) - war.sneaked.get(place, 0)
    return structs.replace(force, most=max(0, min(force.most, fresh)))


class SneakAttack(MovesIn):
    """Move Elves into an adjacent enemy territory for a sneak attack (QD-12.1)."""

    WHEN = ("QD-12.1", "QD-12.2", "QD-4.1")

    def forbids(self, now: Moment[War], seat: Seat) -> Iterator[Refusal]:
        """Refuse other races, places that are not adjacent or not an enemy's, and a second one in a turn (QD-12)."""
        war = now.state
        if seat != SNEAKS:
            yield Refusal(
                "not_elves",
                ("QD-12.1",),
                f"Only Elves make a sneak attack; {seat} attacks openly.",
                {"seat": seat},
                waivable=True,
            )
        if self.target not in NEIGHBOURS.get(self.origin, ()):
            yield Refusal(
                "not_adjacent",
                ("QD-12.1", "QD-X48"),
                f"{self.target} is not adjacent to {self.origin}; what is: {', '.join(NEIGHBOURS.get(self.origin, ())) or 'nothing'}.",
                {"origin": self.origin, "target": self.target},
                waivable=self.target in TERRITORIES,
            )
        if self.target not in war.armies:
            yield Refusal(
                "no_enemy_there",
                ("QD-12.1",),
                f"Nobody holds {self.target}; an empty territory is claimed by an ordinary attack.",
                {"target": self.target},
            )
        if any(not is_sneaking(column) for column in war.columns.get(self.target, ())):
            yield Refusal(
                "attack_under_way",
                ("QD-12.5", "QD-H50"),
                f"An ordinary attack on {self.target} is under way; the two are not mixed.",
                {"target": self.target},
            )
        yield from self.forbids_moving_in(now, seat, sneakers(war, seat, self.origin))

    def tells(self, tale: Tale[War], seat: Seat) -> None:
        """Tell that the Elves creep in; others may join before the volley."""
        move(
            tale,
            seat,
            self.origin,
            self.target,
            self.units,
            self.dragonlords,
            chips=(*self.led(tale.state, seat), *self.carrying),
            how=f"sneak {self.origin}",
            because=("QD-12.1",),
        )
        tale.reopen()


def offers_to_sneak(now: Moment[War], seat: Seat) -> Iterator[Offer]:
    """Yield the offers of sneak attacks, for the Elves."""
    if seat != SNEAKS:
        return
    war = now.state
    for origin in origins(war, seat):
        targets = _targets(war, seat, origin)
        if targets:
            carrying = bearings(war, seat, origin)
            going = {"target": OneOf(targets), "origin": origin, "carrying": carrying}
            for size in sizes(sneakers(war, seat, origin)):
                yield Offer(SneakAttack, {**going, **size})


def _targets(war: War, seat: Seat, origin: Place) -> tuple[Place, ...]:
    return tuple(
        place
        for place in NEIGHBOURS[origin]
        if (army := war.armies.get(place)) is not None
        and army.seat != seat
        and not closed_to(war, seat, place)
        and all(map(is_sneaking, war.columns.get(place, ())))
    )


class GoBack(InBattle):
    """Go back after a sneak attack that left enemies, with Elves that came from one place: all, or so many (QD-12.4)."""

    WHEN = ("QD-12.4",)
    WHEN_IN = by_kind(
        land=("QD-17.1", "QD-17.2"),
        sea=("QD-11.1",),
        quest=("QD-9.1",),
        monster=("QD-17.1", "QD-9.2"),
    )
    INSTEAD = by_kind(
        land="Elves go back after a sneak attack; after a round of an open one the attacker may `retreat`.",
        sea="Nobody goes back from a sea battle.",
        quest="Parties never retreat.",
        monster="Parties never retreat.",
    )

    origin: Annotated[Place, word("of")]
    target: Annotated[Place, word("to")]
    units: Units = 0
    dragonlords: DragonLords = 0
    leading: Leading = ()
    carrying: Carrying = ()

    def forbids(self, now: Moment[War], seat: Seat) -> Iterator[Refusal]:
        """Refuse Elves who did not come from there, and a place that is not adjacent and friendly (QD-12.4)."""
        war = now.state
        side = attackers(war)
        column = self._column(war)
        if column is None:
            origins = [each.origin for each in war.columns.get(side.place, ())]
            yield Refusal(
                "not_there",
                ("QD-12.4",),
                f"No Elves came from {self.origin}; they came from {' and '.join(origins)}.",
                {"origin": self.origin},
            )
        else:
            yield from self._forbids_part(war, seat, side.place, column)
        fit = refuges(war, side)
        if self.target not in fit:
            army = war.armies.get(self.target)
            yield Refusal(
                "no_refuge",
                ("QD-12.4",),
                f"{self.target} is no friendly territory adjacent to {side.place}; those are {' and '.join(fit)}.",
                {"target": self.target},
                waivable=army is not None and army.seat == seat,
            )

    def _led(self, war: War, column: Column) -> tuple[ChipId, ...]:
        place = battle_of(war).place
        return going_along(war, column.seat, place, self.units, self.dragonlords, self.leading, column=column)

    def _column(self, war: War) -> Column | None:
        columns = war.columns.get(battle_of(war).place, ())
        return next((column for column in columns if column.origin == self.origin), None)

    def _forbids_part(self, war: War, seat: Seat, place: Place, column: Column) -> Iterator[Refusal]:
        """Refuse more Elves than came from there, and chips that they do not bear; nobody counted: all go, with all theirs."""
        if self.units > column.units or self.dragonlords > column.dragonlords:
            yield Refusal(
                "not_there",
                ("QD-12.4",),
                f"{units_words(column.units, column.dragonlords)} came from {self.origin}, not "
                f"{units_words(self.units, self.dragonlords)}.",
                {"origin": self.origin, "units": column.units, "dragonlords": column.dragonlords},
            )
        elif self.units + self.dragonlords:
            led = self._led(war, column)
            yield from forbids_chips(
                war, seat, place, self.units, self.dragonlords, led, self.carrying, column
            )
        elif self.leading or self.carrying:
            yield Refusal(
                "nobody_sent",
                ("QD-12.4", "QD-1.4"),
                f"Say how many of {column.size} go along; who names no number goes with all Elves and chips from there.",
                {"size": column.size},
            )

    def tells(self, tale: Tale[War], seat: Seat) -> None:
        """Tell that they go back; they fight no more this turn."""
        column = self._column(tale.state)
        assert column is not None
        if self.units + self.dragonlords:
            part = structs.replace(column, units=self.units, dragonlords=self.dragonlords)
            led = self._led(tale.state, column)
            go_back(tale, part, self.target, (*led, *self.carrying))
        else:
            go_back(tale, column, self.target, _chips_of(tale.state, column))
        tale.reopen()


def _chips_of(war: War, column: Column) -> tuple[ChipId, ...]:
    mine = chips_at(war, column.seat, battle_of(war).place)
    return tuple(name for name, chip in mine.items() if chip.way == column.how)


def go_back(tale: Tale[War], column: Column, target: Place, chips: tuple[ChipId, ...]) -> None:
    """Tell that the Elves of a column go back to a place, with these chips (QD-12.4)."""
    place, seat, because = battle_of(tale.state).place, column.seat, ("QD-12.4",)
    units, lords = column.units, column.dragonlords
    move(
        tale, seat, place, target, units, lords, chips=chips, way=column.how, spent=column.size, because=because
    )  # fmt: skip
    tire(tale, seat, target, units, lords, tuple(filter(bears, chips)), because)


def _parts(war: War, column: Column) -> Iterator[dict[str, Any]]:
    """Yield the fields of offers to go back with a part of a column; who leads is fixed in each."""
    mine = chips_at(war, column.seat, battle_of(war).place)
    chips = _chips_of(war, column)
    leaders = tuple(filter(bears, chips))
    riders = tuple(name for name in leaders if mine[name].on_dragonlord)
    carried = tuple(name for name in chips if not bears(name))
    force = Force(column.units, column.dragonlords, column.size, leaders, riders)
    for size in sizes(force):
        yield {**size, "carrying": Part(carried, 0, len(carried))}


class Returning(Step[War]):
    """What a sneak attack leads to: the place is taken, or the Elves go back (QD-12.3, QD-12.4)."""

    def question(self, now: Moment[War]) -> Question | None:
        war = now.state
        if war.battle is None or not defenders(war).size or war.battle.attacker in war.out:
            return None
        side = attackers(war)
        if side.size and len(refuges(war, side)) > 1:
            prompt = f"where the Elves in {side.place} go back to"
            return Question("go_back", (side.seat,), (GoBack,), ("QD-12.4",), prompt)
        return None

    def offers(self, now: Moment[War], seat: Seat) -> Iterator[Offer]:
        side = attackers(now.state)
        fit = OneOf(refuges(now.state, side))
        for column in now.state.columns[side.place]:
            going = {"origin": column.origin, "target": fit}
            yield Offer(GoBack, {**going, "units": 0, "dragonlords": 0, "leading": (), "carrying": ()})
            for part in _parts(now.state, column):
                yield Offer(GoBack, {**going, **part})

    def silence(self, now: Moment[War], seat: Seat) -> GoBack:
        """Return that they go back to where they came from."""
        side = attackers(now.state)
        origin = now.state.columns[side.place][0].origin
        return GoBack(origin, _home(now.state, origin, refuges(now.state, side)))

    def by_itself(self, now: Moment[War]) -> Iterator[tuple[Seat, Command[War]]]:
        """Yield that the Elves go back to the one place there is."""
        war = now.state
        if war.battle is None or not defenders(war).size or war.battle.attacker in war.out:
            return
        fit = refuges(war, attackers(war))
        for column in war.columns.get(war.battle.place, ()):
            yield column.seat, GoBack(column.origin, _home(war, column.origin, fit))

    def play(self, tale: Tale[War]) -> None:
        """Take the place, or go back to the one place there is; then the battle is over."""
        war = tale.state
        if defenders(war).size and battle_of(war).attacker not in war.out:
            for column in war.columns.get(battle_of(war).place, ()):
                fit = refuges(tale.state, attackers(tale.state))
                go_back(tale, column, _home(war, column.origin, fit), _chips_of(tale.state, column))
        conclude(tale)
        check_end(tale)
        tale.done()


def _home(war: War, origin: Place, fit: tuple[Place, ...]) -> Place:
    """Return where Elves go back to unless they say otherwise: where they came from, if it is friendly."""
    return origin if origin in fit or not fit else fit[0]


COMMANDS = (SneakAttack, GoBack)
STEPS = (Returning,)
