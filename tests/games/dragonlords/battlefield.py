"""Battles at random, for laws: positions full of chips, treasures and DragonLords, and lawful play in phase 4."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from msgspec import structs

from core.games.dragonlords.board import TERRITORIES
from core.games.dragonlords.phases import EndPhase
from core.games.dragonlords.position import ChipSet, ColumnSet, SpellsSet, TurnSet, UnitsSet
from core.games.dragonlords.state import RACES
from core.games.dragonlords.treasures import TREASURES
from tests.driver import Table
from tests.games.dragonlords.at_random import played, putting_off

__all__ = ["fighting", "random_war", "swapped", "wage"]

SPELLS = ("heal", "fireball", "teleport", "hope", "lightning", "panic")


@dataclass
class Muster:
    """What stands on a random board, while it is made."""

    random: Random
    facts: list[Any] = field(default_factory=list)
    room: dict[tuple[str, str, bool], int] = field(default_factory=dict)
    """How many units of a seat in a place bear nothing yet, ordinary ones or DragonLords."""

    def stand(self, seat: str, place: str, units: int, lords: int) -> None:
        self.facts.append(UnitsSet(seat, place, units, lords))
        self.room[seat, place, False] = units
        self.room[seat, place, True] = lords

    def hide(self, seat: str, chip: str, *, on_lord: bool = False, decoy: bool = False) -> bool:
        fit = [at for at, left in self.room.items() if at[0] == seat and at[2] == on_lord and left]
        if not fit:
            return False
        at = self.random.choice(fit)
        self.room[at] -= 1
        shown = not decoy and self.random.random() < 0.4
        self.facts.append(ChipSet(seat, chip, at[1], shown, on_lord))
        return True


def random_war(seed: int, seats: Sequence[str] = tuple(RACES)) -> list[Any]:
    """Return a position in phase 4 of the first seat, with most of the board held and many chips on it."""
    random = Random(seed)
    made = Muster(random, [TurnSet(seats[0])])
    lords = 4
    for place in TERRITORIES:
        if random.random() < 0.85:
            some = min(lords, int(random.random() < 0.08))
            lords -= some
            made.stand(random.choice(seats), place, random.randint(1, 6), some)
    for seat in seats:
        made.hide(seat, f"{seat}.king")
        made.hide(seat, f"{seat}.blank", decoy=True)
        for n in range(1, random.randint(2, 4)):
            wizard = f"{seat}.wizard.{n}"
            if made.hide(seat, wizard, on_lord=random.random() < 0.3):
                made.facts.append(SpellsSet(wizard, tuple(random.sample(SPELLS, random.randint(1, 6)))))
    for treasure in TREASURES:
        made.hide(random.choice(seats), treasure)
    return made.facts


def swapped(position: Sequence[Any], seed: int) -> tuple[list[Any], str, frozenset[str]]:
    """Return a position with two hidden chips of one seat in each other's place, whose they are, and what they are called.

    No seat when there are no two such chips.
    """
    random = Random(seed)
    hidden = [
        n
        for n, fact in enumerate(position)
        if isinstance(fact, ChipSet) and not fact.shown and not fact.on_dragonlord
    ]
    random.shuffle(hidden)
    changed = list(position)
    for n in hidden:
        for m in hidden:
            one, other = position[n], position[m]
            if one.seat == other.seat and one.place != other.place:
                changed[n] = structs.replace(one, place=other.place)
                changed[m] = structs.replace(other, place=one.place)
                return changed, one.seat, frozenset((one.chip, other.chip, one.place, other.place))
    return changed, "", frozenset()


fighting = putting_off(7, EndPhase)
"""A lawful command at random; the phase seldom ends as long as one may fight."""


def wage(seed: int, entries: int = 60) -> Table:
    """Return a war at random, with answers to points at random."""
    return played(random_war, fighting, seed, entries)


def landed(seat: str, place: str, count: int) -> ColumnSet:
    """Return that units of a seat landed in a place in phase 2."""
    return ColumnSet(seat, place, "S1", count, how="ship")
