"""Moving in (QD-10.2): who may leave a place to fight, and with which chips; for ordinary and sneak attacks alike."""

from collections.abc import Iterator
from typing import Annotated

from core.refusal import Refusal
from core.rules import Command, word
from core.telling import Moment
from events.event import Count, Seat

from .armies import units_words
from .board import TERRITORIES
from .forces import Force, army_force
from .movement import forbids_chips, going_along
from .state import SNEAKS, Army, ChipId, Column, Place, War
from .variants import forbids_place

__all__ = ["MovesIn", "army_of", "is_sneaking"]

DONE = ("QD-18.1", "QD-H27", "QD-H28")
"""What says of units that marched or retreated that they fight no more in this turn."""


def army_of(war: War, seat: Seat, place: Place) -> Army:
    """Return the army of a seat in a place; an empty one when it does not hold it."""
    army = war.armies.get(place)
    return army if army is not None and army.seat == seat else Army(seat)


def is_sneaking(column: Column) -> bool:
    """Return whether a column makes a sneak attack; its `how` names the place that it came from and goes back to."""
    return column.how.startswith("sneak")


class MovesIn(Command[War]):
    """Units move into an adjacent territory.

    `leading` are the kings and wizards that go along, `carrying` the treasures, and the decoy.
    """

    target: Place
    origin: Annotated[Place, word("from")]
    units: Annotated[Count, word("with")] = 0
    dragonlords: Annotated[Count, word("dragonlords")] = 0
    leading: Annotated[tuple[ChipId, ...], word("leading")] = ()
    carrying: Annotated[tuple[ChipId, ...], word("carrying")] = ()

    def led(self, war: War, seat: Seat) -> tuple[ChipId, ...]:
        """Return the kings and wizards who go along."""
        return going_along(war, seat, self.origin, self.units, self.dragonlords, self.leading, fresh=True)

    def forbids_moving_in(self, now: Moment[War], seat: Seat, force: Force) -> Iterator[Refusal]:
        """Refuse a target that is no enemy's or empty, and units and chips that can't go; of the army, `force` may."""
        war = now.state
        yield from forbids_target(war, seat, self.target)
        yield from self._forbids_leaving(war, seat, force)
        led = self.led(war, seat)
        yield from forbids_chips(war, seat, self.origin, self.units, self.dragonlords, led, self.carrying)

    def _forbids_leaving(self, war: War, seat: Seat, force: Force) -> Iterator[Refusal]:
        """Refuse units that are not there, that leave their place empty, or that are spent (QD-10.2, QD-X45, QD-H27)."""
        army, origin = army_of(war, seat, self.origin), self.origin
        units, lords = self.units, self.dragonlords
        if army.size > 1 and not units + lords:
            yield Refusal(
                "not_there",
                ("QD-10.2",),
                f"How many go is missing: of {units_words(army.units, army.dragonlords)} in {origin} "
                f"1 to {army.size - 1} may, as in `{'with' if army.units else 'dragonlords'} 1`.",
                {"place": origin, "units": army.units, "dragonlords": army.dragonlords},
            )
            return
        if units > army.units or lords > army.dragonlords or not units + lords:
            yield Refusal(
                "not_there",
                ("QD-10.2",),
                f"{seat} has {units_words(army.units, army.dragonlords)} in {origin}, not {units_words(units, lords)} to send.",
                {"place": origin, "units": army.units, "dragonlords": army.dragonlords},
            )
            return
        if units + lords >= army.size:
            yield Refusal(
                "leaves_nobody",
                ("QD-10.2", "QD-X45"),
                f"One unit stays behind in {origin}: of {army.size} at most {army.size - 1} may go.",
                {"place": origin, "most": army.size - 1},
                waivable=True,
            )
        whole = army_force(war, seat, origin, fresh=False)
        if force == whole:
            return
        because = (*DONE, "QD-12.2", "QD-12.4") if seat == SNEAKS else DONE
        spent = f"the others have {'sneaked, ' if seat == 'elf' else ''}retreated or marched"
        may = "may still do that"
        if units > force.units or lords > force.dragonlords or force.most < units + lords <= whole.most:
            yield Refusal(
                "spent",
                because,
                f"{units_words(force.units, force.dragonlords)}, {force.most} in all, {may} from {origin} this "
                f"turn; {spent}.",
                {"place": origin, "units": force.units, "dragonlords": force.dragonlords, "most": force.most},
                waivable=True,
            )
            return
        led = self.led(war, seat)
        stay = [name for name in force.leaders if name not in led]
        stay_riding = sum(name in force.riders for name in stay)
        able, able_lords = force.units - (len(stay) - stay_riding), force.dragonlords - stay_riding
        if (
            units > able
            or lords > able_lords
            or any(name in whole.leaders and name not in force.leaders for name in self.leading)
        ):
            yield Refusal(
                "spent",
                because,
                f"{units_words(able, able_lords)} {may} from {origin} this turn, led by "
                f"{', '.join(force.leaders) or 'nobody'}; {spent}.",
                {"place": origin, "units": able, "dragonlords": able_lords, "most": force.most},
                waivable=True,
                secret=True,
            )


def forbids_target(war: War, seat: Seat, target: Place) -> Iterator[Refusal]:
    """Refuse to attack what is no territory, one's own, an ally's, or tundra (QD-10.2, QD-23.1, QD-23.2)."""
    army = war.armies.get(target)
    yield from forbids_place(war, seat, target)
    if target not in TERRITORIES:
        yield Refusal("no_territory", ("QD-10.2",), f"{target} is no territory.", {"target": target})
    elif army is not None and army.seat == seat:
        yield Refusal(
            "own_territory",
            ("QD-10.2", "QD-18.1", "QD-19.1"),
            f"{target} is held by {seat} itself; units go there by forced march or in the transfer phase.",
            {"target": target},
        )
