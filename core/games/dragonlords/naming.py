"""What chips, spell users, spells, items, monsters and cards are called, in positions and in moves."""

from collections.abc import Mapping
from typing import Annotated, Final

from msgspec import Meta

from .items import GOODS
from .monsters import MONSTERS
from .quest_deck import CARDS
from .state import DRAGONLORD, PHASES, RACES, ChipId, War
from .treasures import TREASURES

__all__ = [
    "CALLED",
    "CHIPS",
    "USERS",
    "CardName",
    "ItemName",
    "MonsterName",
    "Phase",
    "SpellName",
    "Way",
    "shown",
]


def _one_of(*names: str) -> Meta:
    return Meta(pattern=f"^({'|'.join(names)})$")


Way = Annotated[str, _one_of("walk", "teleportal", "teleport", "ship", "party", "sneak")]
"""How attackers came into an enemy place."""
Phase = Annotated[str, _one_of(*PHASES)]
"""A phase of a turn (QD-4.1)."""
SpellName = Annotated[str, _one_of("heal", "fireball", "teleport", "hope", "lightning", "panic")]
"""A spell that a wizard can know (QD-15)."""
ItemName = Annotated[str, _one_of(*GOODS)]
"""An item (QD-8)."""
MonsterName = Annotated[str, _one_of(*MONSTERS)]
"""A monster of the quest cards, or the red dragon (QD-9.2)."""
CardName = Annotated[str, _one_of(*CARDS)]
"""A quest card (QD-6.10)."""
CHIPS: Final[tuple[ChipId, ...]] = (
    *(f"{seat}.{kind}" for seat in RACES for kind in ("king", "wizard.1", "wizard.2", "wizard.3", "blank")),
    *TREASURES,
)
"""Every chip of the game."""
USERS: Final = (*CHIPS, DRAGONLORD, *GOODS)
"""Every name that a spell user can have, or an item that is used in his place."""


def shown(war: War) -> Mapping[str, tuple[str, ...]]:
    """Return the spell users whom everybody sees: DragonLord figures, items, and chips that lie face up (QD-H9)."""
    chips = (name for name, chip in war.chips.items() if chip.shown)
    return {"user": (DRAGONLORD, *GOODS, *chips)}


CALLED: Final[Mapping[str, ChipId]] = {
    **{chip.replace(".", " "): chip for chip in CHIPS if "." in chip},
    **{f"{seat} wizard": f"{seat}.wizard.1" for seat in RACES},
    **{treasure.replace("_", " "): treasure for treasure in TREASURES},
}
"""What players call the chips: `king` and `wizard 2` after the seat, and treasures by their names in words."""
