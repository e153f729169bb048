"""Treasures (QD-7), as battles feel them: what each one does to the strength, to attack spells and to losses.

A treasure works for the whole place of its bearer once it is shown, and it stays shown until its stack splits
(QD-H9, QD-H42). Which unit bears it is its owner's affair: while one unit of his is left in the place, that one takes
it up (QD-H54), so a treasure is lost only with the last of them.
"""

from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from core.telling import Tale
from events.event import Seat, SectionRef

from .board import ZONES
from .chips import ChipLost, TreasureTaken
from .state import ChipId, Place, War, chips_at, is_shaded, is_treasure

__all__ = [
    "TREASURES",
    "Treasure",
    "hand_over",
    "may_hide_treasure",
    "shown_treasures",
    "working",
]


class Treasure(Struct, frozen=True):
    """What a treasure does in battle.

    `friends` and `enemies` are added to the T.A.S.; `at_sea`: only in a blockade; `attack` is the spell that its
    bearer may throw besides his die; `stops` are the spells that harm none of his friends.
    """

    section: SectionRef
    friends: int = 0
    enemies: int = 0
    at_sea: bool = False
    attack: str = ""
    stops: tuple[str, ...] = ()


TREASURES: Final[Mapping[ChipId, Treasure]] = {
    "ring_of_power": Treasure("QD-7.1", friends=1, enemies=-1),
    "ring_of_hope": Treasure("QD-7.2", friends=1),
    "ring_of_peril": Treasure("QD-7.3", enemies=-1),
    "ring_of_fire": Treasure("QD-7.4", attack="fireball", stops=("fireball", "dragonfire")),
    "black_battle_axe": Treasure("QD-7.5", enemies=-1),
    "invincible_shield": Treasure("QD-7.6"),
    "dragon_shield": Treasure("QD-7.7", stops=("fireball", "dragonfire")),
    "holy_grail": Treasure("QD-7.8"),
    "trident": Treasure("QD-7.9", attack="lightning", stops=("lightning",)),
    "golden_fleece": Treasure("QD-7.10", friends=1, at_sea=True),
    "excalibur": Treasure("QD-7.11", friends=1),
    "medusa_shield": Treasure("QD-7.12", enemies=-1),
}
"""The twelve treasures (QD-7)."""


def shown_treasures(war: War, seat: Seat, place: Place) -> tuple[ChipId, ...]:
    """Return the treasures that everybody knows to be in a stack, in the order of the book."""
    there = chips_at(war, seat, place)
    return tuple([name for name in TREASURES if name in there and there[name].shown]) if there else ()


def working(war: War, seat: Seat, place: Place) -> tuple[ChipId, ...]:
    """Return the shown treasures of a stack that can matter there: the Golden Fleece only at sea (QD-7.10)."""
    shown = shown_treasures(war, seat, place)
    return tuple([name for name in shown if place in ZONES or not TREASURES[name].at_sea])


def may_hide_treasure(war: War, seat: Seat, place: Place) -> bool:
    """Return whether a treasure may lie hidden in a stack, as everybody knows: the number that a seat has is open."""
    if not is_shaded(war, seat, place):
        return False
    shown = [
        name for name, chip in war.chips.items() if chip.shown and chip.seat == seat and is_treasure(name)
    ]
    return war.hoards.get(seat, 0) > len(shown)


def hand_over(tale: Tale[War], place: Place, loser: Seat, winner: Seat) -> None:
    """Tell what becomes of the treasures of a stack that is gone: the winner's, or face down again (QD-7.1, QD-H54)."""
    for name in _left_behind(tale.state, place, loser):
        if winner:
            tale.tell(TreasureTaken(winner, name, place, loser, because=("QD-7.1", "QD-H54")))
        else:
            tale.tell(ChipLost(loser, name, place, because=("QD-7.1", "QD-H54")))


def _left_behind(war: War, place: Place, loser: Seat) -> list[ChipId]:
    there = chips_at(war, loser, place)
    return [name for name in war.chips if name in there and is_treasure(name)] if there else []
