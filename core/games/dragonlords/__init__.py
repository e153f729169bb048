"""Quest for the DragonLords, as its booklet of 2002 has it: kings, quests, and battles on land and at sea."""

from core.rulebook import load_rulebook
from core.rules import Rules
from core.telling import Tale

from . import (
    armies,
    battle,
    boarding,
    decks,
    docks,
    ending,
    fire_attack,
    forced_march,
    forces,
    hiding,
    income,
    land_combat,
    leaving_sea,
    losses,
    phases,
    position,
    purchase,
    reinforcements,
    retreat,
    sailing,
    setup,
    sneak_attack,
    spell_users,
    spells,
    teleport,
    transfer,
    turn,
    upcasts,
)
from .state import RACES, War, sound, start

__all__ = ["RULES"]

_CHAPTERS = (
    battle, boarding, decks, docks, ending, fire_attack, forced_march, forces, hiding, income, land_combat, leaving_sea,
    losses, phases, purchase, reinforcements, retreat, sailing, setup, sneak_attack, spell_users, spells, teleport,
    transfer, turn,
)  # fmt: skip


def _all(name: str) -> tuple[type, ...]:
    return tuple(kind for chapter in _CHAPTERS for kind in getattr(chapter, name, ()))


def _begin(tale: Tale[War]) -> None:
    """Go on from a position that says whose turn it is, or set up the game."""
    if tale.state.active:
        position.settle(tale)
        tale.then(turn.Turn())
    else:
        setup.begin_setup(tale)


RULES: Rules[War] = Rules(
    package=__name__,
    revision=1,
    rulebook=load_rulebook(__name__),
    seats=tuple(RACES),
    least=2,
    commands=_all("COMMANDS"),
    facts=(*armies.FACTS, *_all("FACTS")),
    setup=position.SETUP,
    steps=_all("STEPS"),
    start=start,
    begin=_begin,
    sound=sound,
    dice={"crystal": decks.CRYSTAL},
    older_facts=upcasts.OLDER_FACTS,
)
"""The game."""
