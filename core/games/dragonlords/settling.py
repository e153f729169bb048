"""What follows from a position and everybody may know: shades, hoards, scrolls held, the spells of beginners.

A position need not say which stacks hide chips, how many treasures a seat has, or how many scrolls: `settle` tells it.
"""

from collections.abc import Iterator
from typing import Final

from core.telling import Tale
from events.event import FactData

from .chips import StacksShaded
from .position import HeldSet, HoardSet, SpellsSet
from .state import War, is_treasure, shade

__all__ = ["settle"]


FIRST_SPELLS: Final = ("heal", "fireball")
"""What the first wizard of a seat knows from the beginning (QD-14.3)."""


def settle(tale: Tale[War]) -> None:
    """Tell what follows from a position and everybody may know: shades, hoards, scrolls held, the spells of beginners."""
    for fact in tuple(_follows(tale.state)):
        tale.tell(fact)


def _follows(war: War) -> Iterator[FactData]:
    for seat in war.seats:
        mine = [(name, chip) for name, chip in war.chips.items() if chip.seat == seat]
        hidden = sorted({chip.place for _, chip in mine if not chip.shown})
        unmarked = tuple(place for place in hidden if shade(seat, place) not in war.shades)
        if unmarked:
            yield StacksShaded(seat, unmarked, because=("QD-3.5", "QD-H42"))
        for name in sorted(name for name, _ in mine if ".wizard" in name and name not in war.spells):
            yield SpellsSet(name, FIRST_SPELLS if name.endswith(".1") else (), because=("QD-14.3",))
        treasures = sum(is_treasure(name) for name, _ in mine)
        if treasures > war.hoards.get(seat, 0):
            yield HoardSet(seat, treasures, because=("QD-7.1",))
        scrolls = len(war.hands.get(seat, ()))
        if scrolls > war.held.get(seat, 0):
            yield HeldSet(seat, scrolls, because=("QD-16.1",))
