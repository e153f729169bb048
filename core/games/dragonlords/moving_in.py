"""Moving in (QD-10.2): who may leave a place to fight, and with which chips; for ordinary and sneak attacks alike."""

from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Annotated, Any

from core.asking import Between, Part
from core.refusal import Refusal
from core.rules import Command, word
from core.telling import Moment
from events.event import Count, Seat

from .board import TERRITORIES
from .movement import bears, forbids_chips
from .state import Army, Chip, ChipId, Column, Place, War

__all__ = ["MovesIn", "army_of", "is_sneaking", "offers_to_leave", "ready"]


def army_of(war: War, seat: Seat, place: Place) -> Army:
    """Return the army of a seat in a place; an empty one when it does not hold it."""
    army = war.armies.get(place)
    return army if army is not None and army.seat == seat else Army(seat)


def ready(war: War, seat: Seat, place: Place) -> int:
    """Return how many units may leave a place to fight: one stays behind, and who is spent (QD-10.2, QD-H27)."""
    size = army_of(war, seat, place).size
    return max(0, min(size - 1, size - war.spent.get(place, 0)))


def is_sneaking(column: Column) -> bool:
    """Return whether a column makes a sneak attack; its `how` names the place that it came from and goes back to."""
    return column.how.startswith("sneak")


def offers_to_leave(army: Army, mine: Mapping[ChipId, Chip], able: int) -> Iterator[dict[str, Any]]:
    """Yield the fields of offers to send `able` units or fewer of an army out of its place, given the chips there.

    One for every choice of spell users, and of how many DragonLords go, with how many units.
    """
    bearers = [name for name in mine if bears(name)]
    burdens = tuple(name for name in mine if not bears(name))
    carrying = Part(burdens, 0, len(burdens))
    riders = sum(mine[name].on_dragonlord for name in bearers)
    plain, free_lords = army.units - (len(bearers) - riders), army.dragonlords - riders
    for count in range(len(bearers) + 1):
        for led in combinations(bearers, count):
            on_lords = sum(mine[name].on_dragonlord for name in led)
            walkers = count - on_lords
            leading = Part(led, count, count)
            for lords in range(on_lords, on_lords + free_lords + 1):
                low = max(walkers, 0 if lords else 1)
                high = min(able - lords, walkers + plain)
                if low <= high:
                    yield {
                        "units": Between(low, high),
                        "dragonlords": lords,
                        "leading": leading,
                        "carrying": carrying,
                    }


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

    def forbids_moving_in(self, now: Moment[War], seat: Seat, able: int) -> Iterator[Refusal]:
        """Refuse a target that is no enemy's or empty, and units and chips that can't go; `able` units may."""
        war = now.state
        yield from forbids_target(war, seat, self.target)
        yield from forbids_leaving(now, seat, self.origin, self.units, self.dragonlords, able)
        yield from forbids_chips(
            war, seat, self.origin, self.units, self.dragonlords, self.leading, self.carrying
        )


def forbids_target(war: War, seat: Seat, target: Place) -> Iterator[Refusal]:
    """Refuse to attack what is no territory, or one's own (QD-10.2)."""
    army = war.armies.get(target)
    if target not in TERRITORIES:
        yield Refusal("no_territory", ("QD-10.2",), f"{target} is no territory.", {"target": target})
    elif army is not None and army.seat == seat:
        yield Refusal(
            "own_territory",
            ("QD-10.2", "QD-18.1", "QD-19.1"),
            f"{target} is held by {seat} itself; units go there by forced march or in the transfer phase.",
            {"target": target},
        )


def forbids_leaving(
    now: Moment[War], seat: Seat, origin: Place, units: int, dragonlords: int, able: int
) -> Iterator[Refusal]:
    """Refuse units that are not there, that leave their place empty, or that are spent (QD-10.2, QD-X45, QD-H27)."""
    army = army_of(now.state, seat, origin)
    size = units + dragonlords
    if units > army.units or dragonlords > army.dragonlords or not size:
        yield Refusal(
            "not_there",
            ("QD-10.2",),
            f"{seat} has {army.units} units and {army.dragonlords} DragonLords in {origin}, not {units} and {dragonlords} to send.",
            {"place": origin, "units": army.units, "dragonlords": army.dragonlords},
        )
        return
    if size >= army.size:
        yield Refusal(
            "leaves_nobody",
            ("QD-10.2", "QD-X45"),
            f"One unit stays behind in {origin}: of {army.size} at most {army.size - 1} may go.",
            {"place": origin, "most": army.size - 1},
            waivable=True,
        )
    if size > able and able < army.size - 1:
        yield Refusal(
            "spent",
            ("QD-H27", "QD-12.2", "QD-12.4", "QD-H28"),
            f"Only {able} units in {origin} may still do that this turn.",
            {"place": origin, "able": able},
            waivable=True,
        )
