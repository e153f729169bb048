"""The six spells and the dragonfire (QD-15, QD-14.6): what each does in battle, and where who knows it may lie hidden.

Which spells a wizard knows is open, where he stands is not: so everybody can tell whether a stack *may* hold one who
knows a spell, and that alone decides who is asked what.
"""

from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from events.event import Seat, SectionRef

from .board import SPACE_OF
from .once import worked_out_once
from .state import ChipId, Place, War, chips_at, is_shaded

__all__ = [
    "SPELLS",
    "Spell",
    "here",
    "king_of",
    "may_hold",
    "may_know",
    "shown_here",
    "shown_wizards",
    "wizards_here",
    "wizards_of",
]


class Spell(Struct, frozen=True):
    """What a spell does in battle: to the T.A.S. of friends and enemies, or as an attack that takes a unit."""

    section: SectionRef
    friends: int = 0
    enemies: int = 0
    attack: bool = False


SPELLS: Final[Mapping[str, Spell]] = {
    "heal": Spell("QD-15.1"),
    "fireball": Spell("QD-15.2", attack=True),
    "teleport": Spell("QD-15.3"),
    "hope": Spell("QD-15.4", friends=1),
    "lightning": Spell("QD-15.5", attack=True),
    "panic": Spell("QD-15.6", enemies=-1),
    "dragonfire": Spell("QD-14.6", attack=True),
}
"""The spells in the order of their numbers, 1 to 6, and the dragonfire of a DragonLord, which is one fireball."""


def king_of(seat: Seat) -> ChipId:
    """Return the id of a seat's king."""
    return f"{seat}.king"


def wizards_of(war: War, seat: Seat) -> tuple[ChipId, ...]:
    """Return the wizards that a seat has: their spells are pegged in the open."""
    return _wizards(war.spells).get(seat, ())


@worked_out_once
def _wizards(spells: Mapping[ChipId, tuple[str, ...]]) -> dict[Seat, tuple[ChipId, ...]]:
    found: dict[Seat, tuple[ChipId, ...]] = {}
    for name in spells:
        seat, _, kind = name.partition(".")
        if kind.startswith("wizard"):
            found[seat] = (*found.get(seat, ()), name)
    return found


def here(war: War, chip: ChipId, seat: Seat, place: Place) -> bool:
    """Return whether a chip of a seat is known to lie in a place, by whoever reads this state."""
    lies = war.chips.get(chip)
    return lies is not None and lies.place == place and lies.seat == seat


def shown_here(war: War, chip: ChipId, place: Place) -> bool:
    """Return whether everybody knows that a chip lies in a place."""
    lies = war.chips.get(chip)
    return lies is not None and lies.shown and lies.place == place


def may_hold(war: War, seat: Seat, place: Place, chip: ChipId) -> bool:
    """Return whether a chip may lie in a stack, as far as everybody knows; no king goes into the Wastelands (QD-14.2)."""
    if place in SPACE_OF and chip == king_of(seat):
        return False
    lies = war.chips.get(chip)
    if lies is not None and lies.shown:
        return lies.place == place
    return is_shaded(war, seat, place)


def may_know(war: War, seat: Seat, place: Place, spell: str) -> bool:
    """Return whether a wizard who knows a spell may stand in a stack, as far as everybody knows."""
    return any(
        spell in war.spells[name] and may_hold(war, seat, place, name) for name in wizards_of(war, seat)
    )


def wizards_here(war: War, seat: Seat, place: Place, spell: str = "") -> tuple[ChipId, ...]:
    """Return the wizards known to stand in a place who know a spell; the shown ones first."""
    there = chips_at(war, seat, place)
    if not there:
        return ()
    known = [
        name for name in wizards_of(war, seat) if name in there and (not spell or spell in war.spells[name])
    ]
    return tuple(sorted(known, key=lambda name: not there[name].shown))


def shown_wizards(war: War, seat: Seat, place: Place, spell: str) -> tuple[ChipId, ...]:
    """Return the wizards whom everybody knows to stand in a place and to know a spell."""
    known = wizards_here(war, seat, place, spell)
    return tuple([name for name in known if war.chips[name].shown]) if known else ()
