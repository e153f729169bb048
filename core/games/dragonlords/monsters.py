"""The monsters of the quest cards and the red dragon of the lair, read from `data/decks.json` (QD-6.9, QD-9.2, QD-9.4)."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from msgspec import Struct, convert

from .decks import deck_data
from .state import War
from .strength import battle_of

__all__ = ["MONSTERS", "Monster", "monster_of"]


class Monster(Struct, frozen=True):
    """A monster: it hits with a D6 that shows `attack` or less, and is hit with a die of `defence` sides.

    `on_hit`: kill takes a unit that still strikes this round; dragonfire one that does not; poison and web_poison leave a
    unit that strikes no more. With `bypass_item` in the party there is no fight.
    """

    name: str
    attack: int
    defence: int
    attacks_per_round: int
    hits_to_defeat: int
    on_hit: str
    is_dragon: bool
    bypass_item: str | None = None


def _met_in(part: Any) -> Iterator[Monster]:
    """Yield the monsters in a part of the decks, however deep."""
    if isinstance(part, dict):
        if part.get("op") == "monster":
            yield convert(part, Monster)
        for value in part.values():
            yield from _met_in(value)
    elif isinstance(part, list):
        for value in part:
            yield from _met_in(value)


def _by_name() -> Mapping[str, Monster]:
    found: dict[str, Monster] = {}
    for monster in _met_in(deck_data()):
        if found.setdefault(monster.name, monster) != monster:
            raise ValueError(f"the decks have two kinds of {monster.name}")
    return found


MONSTERS: Final[Mapping[str, Monster]] = _by_name()
"""Every monster by its name."""


def monster_of(war: War) -> Monster:
    """Return the monster that is being fought; there must be one."""
    return MONSTERS[battle_of(war).attacker]
