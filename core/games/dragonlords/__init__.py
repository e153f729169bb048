"""Quest for the DragonLords, as its booklet of 2002 has it: kings, quests, and battles on land and at sea."""

from collections.abc import Iterator

from core.rulebook import load_rulebook
from core.rules import Rules
from core.telling import Tale

from . import (
    armies,
    battle,
    board,
    boarding,
    chips,
    decks,
    deeds,
    docks,
    doubts,
    elixir,
    encounter,
    ending,
    fire_attack,
    flight,
    forced_march,
    forces,
    gains,
    hiding,
    income,
    items,
    land_combat,
    learning,
    leaving_sea,
    losses,
    naming,
    parties,
    phases,
    places,
    position,
    purchase,
    quest_cards,
    quest_combat,
    reinforcements,
    retreat,
    sailing,
    scroll_book,
    scroll_effects,
    scrolls,
    settling,
    setup,
    sneak_attack,
    spell_users,
    spells,
    strength,
    teleport,
    tolls,
    transfer,
    travelling,
    turn,
    upcasts,
    variants,
    wastelands,
)
from .soundness import changes, sound
from .state import RACES, War, start

__all__ = ["RULES"]

_CHAPTERS = (
    battle, boarding, decks, deeds, docks, elixir, encounter, ending, fire_attack, flight, forced_march, forces,
    gains, hiding, income, items, land_combat, learning, leaving_sea, losses, parties, phases, places, purchase,
    quest_cards, quest_combat, reinforcements, retreat, sailing, scroll_book, scroll_effects, scrolls, setup,
    sneak_attack, spell_users, spells, teleport, tolls, transfer, travelling, turn, wastelands,
)  # fmt: skip


def _all(name: str) -> tuple[type, ...]:
    return tuple(kind for chapter in _CHAPTERS for kind in getattr(chapter, name, ()))


def _sound(war: War, before: War | None = None) -> Iterator[str]:
    """Say what is wrong with a war, in the Wastelands and everywhere else; with a sound one before it, what has changed."""
    changed = changes(war, before)
    yield from sound(war, before, changed)
    yield from parties.sound_parties(war, before, changed)
    yield from items.sound_items(war, before, changed)
    yield from variants.sound_variants(war, before)


def _begin(tale: Tale[War]) -> None:
    """Go on from a position that says whose turn it is, or set up the game."""
    if tale.state.active:
        settling.settle(tale)
        tale.then(turn.Turn())
    else:
        setup.begin_setup(tale)


RULES: Rules[War] = Rules(
    package=__name__,
    revision=2,
    rulebook=load_rulebook(__name__),
    seats=tuple(RACES),
    least=2,
    commands=_all("COMMANDS"),
    facts=(*armies.FACTS, *chips.FACTS, *_all("FACTS")),
    setup=position.SETUP,
    steps=_all("STEPS"),
    start=start,
    begin=_begin,
    sound=_sound,
    settle=turn.settle,
    doubts=doubts.doubts,
    dice={"crystal": decks.CRYSTAL},
    faces={"crystal": {said: face for face, said in decks.BLESSINGS.items()}},
    options=variants.OPTIONS,
    players=variants.players,
    forbids_opening=variants.forbids_opening,
    unasked=strength.unasked,
    names={
        "place": tuple(sorted(board.PLACES)),
        "chip": naming.CHIPS,
        "user": naming.USERS,
        "scroll": (*scroll_book.KINDS, "?"),
    },
    shown=naming.shown,
    called={
        "place": board.CALLED,
        "scroll": scroll_book.CALLED,
        **dict.fromkeys(("chip", "user", "kind"), naming.CALLED),
    },
    older_facts=upcasts.OLDER_FACTS,
)
"""The game."""
