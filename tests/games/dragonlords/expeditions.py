"""Words for the tests of the Wastelands: parties and what they have, quests step by step, and quests at random for laws."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from msgspec import structs

from core.games.dragonlords import RULES
from core.games.dragonlords.board import KINGDOMS, SPACE_OF, TERRITORIES
from core.games.dragonlords.items import GOODS
from core.games.dragonlords.monsters import MONSTERS
from core.games.dragonlords.parties import kind_of, stand
from core.games.dragonlords.phases import EndPhase, PhaseBegan
from core.games.dragonlords.position import (
    ChipSet,
    ColumnSet,
    GoldSet,
    ItemsSet,
    MonsterSet,
    ReadSet,
    SpellsSet,
    TurnSet,
    UnitsSet,
)
from core.games.dragonlords.quest_deck import CARDS
from core.games.dragonlords.state import RACES
from core.games.dragonlords.travelling import Travel
from core.games.dragonlords.treasures import TREASURES
from core.games.dragonlords.wastelands import MoveParty
from core.kit.chance import AnswerRoll, Deal
from core.seats import CHANCE
from events.chance import Rolled
from events.play import Turned
from tests.driver import Table, given
from tests.games.dragonlords.at_random import played, putting_off

__all__ = [
    "at_quest",
    "card",
    "deal",
    "dice",
    "fights",
    "happened",
    "items_of",
    "party",
    "questing",
    "random_quests",
    "rolled",
    "told",
    "venture",
    "wizard",
]

SPELLS = ("heal", "fireball", "teleport", "hope", "lightning", "panic")


def party(seat: str, place: str, units: int, **items: int) -> list[Any]:
    """Return that a party of a seat stands in a place, with items."""
    carried = [ItemsSet(seat, items, place)] if items else []
    return [UnitsSet(seat, place, units), *carried]


def wizard(seat: str, place: str, *spells: str, n: int = 1, shown: bool = True) -> list[Any]:
    """Return that a wizard of a seat lies under a unit in a place, and knows these spells."""
    chip = f"{seat}.wizard.{n}"
    return [ChipSet(seat, chip, place, shown), SpellsSet(chip, spells)]


def at_quest(*position: Any, seats: Sequence[str] = ("orc", "elf", "dwarf"), **answers: str) -> Table:
    """Return a table in phase 3 of the first seat; `H3="may_stop_short"` answers a point."""
    return given(
        RULES,
        *_flat(position),
        TurnSet(seats[0], "quest"),
        seats=seats,
        answers={f"QD-{point}": answer for point, answer in answers.items()},
    )


def dice(table: Table, *faces: Any) -> Table:
    """Let chance answer the rolls that are open with these faces, as many as each asks for."""
    left = list(faces)
    while left:
        question = table.now.question
        assert question is not None
        assert question.roll is not None, f"{question.kind} is asked, and these dice are left: {left}"
        count = question.roll.count
        table.when(CHANCE, AnswerRoll(tuple(left[:count])))
        assert not table.reasons, table.reasons
        left = left[count:]
    return table


def deal(table: Table, card: str) -> Table:
    """Let chance deal a card."""
    table.when(CHANCE, Deal(card))
    assert not table.reasons, table.reasons
    return table


def card(
    name: str,
    fate: str,
    *position: Any,
    units: int = 4,
    items: Mapping[str, int] | None = None,
    **answers: str,
) -> Table:
    """Return a table at which a party of the Orcs came to WT03 and this column of this card was read.

    Unless the position has a party of theirs in WT02, one of so many units with these items comes from there.
    """
    flat = _flat(position)
    if not any(isinstance(fact, UnitsSet) and (fact.seat, fact.place) == ("orc", "WT02") for fact in flat):
        flat.append(UnitsSet("orc", "WT02", units))
    carried = [ItemsSet("orc", dict(items), "WT02")] if items else []
    table = at_quest(*flat, *carried, **answers)
    table.when("orc", MoveParty("WT02"))
    dice(table, 1)
    table.when("orc", Travel("WT03"))
    deal(table, name)
    return dice(table, {"blessed": "yellow", "ignored": "blue", "cursed": "red"}[fate])


def _flat(position: Sequence[Any]) -> list[Any]:
    return [fact for part in position for fact in (part if isinstance(part, list) else [part])]


def fights(
    monster: str, *position: Any, seats: Sequence[str] = ("orc", "elf", "dwarf"), **answers: str
) -> Table:
    """Return a table at which the party of the first seat in WT03 fights a monster."""
    return at_quest(*position, MonsterSet("WT03", monster), seats=seats, **answers)


def items_of(table: Table, holder: str) -> Mapping[str, int]:
    """Return what a store, or a party (`seat@place`), has."""
    held: Mapping[str, int] = table.state.items.get(holder, {})
    return held


def told(table: Table, *kinds: type[Any]) -> list[Any]:
    """Return the facts of these kinds that the last command told, and what chance answered after it."""
    return [fact for fact in table.told if isinstance(fact, kinds)]


def rolled(table: Table) -> list[Rolled]:
    """Return every roll of the whole log."""
    return [fact for one in table.log for fact in one.entry.facts if isinstance(fact, Rolled)]


def happened(table: Table, *facts: Any) -> None:
    """Expect exactly these facts of the last command, and of what chance answered, whatever moved on in the turn."""
    assert not table.reasons, f"refused: {table.reasons}"
    found = [fact for fact in table.told if not isinstance(fact, Turned | Rolled | PhaseBegan)]
    assert [structs.replace(fact, because=()) for fact in found] == list(facts), found


# quests at random


def random_quests(seed: int, seats: Sequence[str] = tuple(RACES)) -> list[Any]:
    """Return a position in phase 3 of the first seat: parties on both roads, with wizards, treasures, items and gold."""
    random = Random(seed)
    facts: list[Any] = []
    room: dict[tuple[str, str], int] = {}

    def stands(seat: str, place: str, units: int) -> None:
        facts.append(UnitsSet(seat, place, units))
        room[seat, place] = units

    for place in TERRITORIES:
        if random.random() < 0.5:
            stands(random.choice(seats), place, random.randint(1, 5))
    for space in dict.fromkeys(SPACE_OF.values()):
        for seat in random.sample(seats, len(seats)):
            place = stand(seat, space)
            if random.random() < 0.25 and not any(there == place for _, there in room):
                stands(seat, place, random.randint(1, 6))
                if random.random() < 0.7:
                    items = {item: random.randint(1, 2) for item in GOODS if random.random() < 0.4}
                    facts.append(ItemsSet(seat, items, place))
    for seat in seats:
        facts.append(ItemsSet(seat, {item: 1 for item in GOODS if random.random() < 0.5}))
        _hide(seat, facts, room, random)
    facts += [GoldSet(place, random.randint(1, 20)) for place in KINGDOMS if random.random() < 0.8]
    facts.append(ReadSet(tuple(random.sample(list(CARDS), random.randint(0, len(CARDS))))))
    facts += _fight(seats[0], room, random)
    facts.append(TurnSet(seats[0], "quest"))
    return facts


def _hide(seat: str, facts: list[Any], room: dict[tuple[str, str], int], random: Random) -> None:
    """Put chips under units of a seat: a king on land, wizards and treasures anywhere."""

    def some(*, on_land: bool) -> str:
        fit = [
            at
            for at, left in room.items()
            if at[0] == seat and left and (not on_land or at[1] in TERRITORIES)
        ]
        if not fit:
            return ""
        at = random.choice(fit)
        room[at] -= 1
        return at[1]

    if place := some(on_land=True):
        facts.append(ChipSet(seat, f"{seat}.king", place, random.random() < 0.3))
    if place := some(on_land=False):
        facts.append(ChipSet(seat, f"{seat}.blank", place))
    for n in range(1, random.randint(1, 4)):
        if place := some(on_land=False):
            facts += wizard(
                seat, place, *random.sample(SPELLS, random.randint(1, 6)), n=n, shown=random.random() < 0.4
            )
    taken = {fact.chip for fact in facts if isinstance(fact, ChipSet)}
    for treasure in TREASURES:
        if treasure not in taken and random.random() < 0.25 and (place := some(on_land=False)):
            facts.append(ChipSet(seat, treasure, place, random.random() < 0.4))


def _fight(seat: str, room: dict[tuple[str, str], int], random: Random) -> list[Any]:
    """Return a fight that is open, in half of the positions: against a monster, or of a party against another."""
    kind = random.randrange(4)
    mine = [place for who, place in room if who == seat and place in SPACE_OF]
    theirs = [
        place for who, place in room if who != seat and place in SPACE_OF and kind_of(place) != "shrine"
    ]
    if kind == 0 and mine:
        return [MonsterSet(random.choice(mine), random.choice(list(MONSTERS)))]
    if kind == 1 and theirs:
        place = random.choice(theirs)
        return [
            ColumnSet(seat, place, "WT01", random.randint(1, 6), how="party"),
            ItemsSet(seat, {"torch": 1}, place),
        ]
    return []


questing = putting_off(9, EndPhase)
"""A lawful command at random; the phase seldom ends as long as one may go on a quest."""


def venture(seed: int, entries: int = 60) -> Table:
    """Return quests at random, with answers to points at random."""
    return played(random_quests, questing, seed, entries)
