"""Ventures on record: a few logs that go through every stage of a quest; run as a module, it records them anew.

    python -m tests.games.dragonlords.ventures

They are looked for among ventures at random, so that each command, fact and question of the chapters on quests stands in
one of them. When a rule changes what is asked, run it again.
"""

from collections.abc import Iterator
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any, Final

from core.games.dragonlords import (
    deeds,
    elixir,
    encounter,
    gains,
    items,
    learning,
    parties,
    places,
    quest_cards,
    quest_combat,
    tolls,
    travelling,
    wastelands,
)
from core.games.dragonlords.position import ChipSet, GoldSet, UnitsSet
from core.games.dragonlords.quest_deck import CARDS, OPS
from core.games.dragonlords.treasures import TREASURES
from core.kit.chance import Deal
from core.seats import CHANCE
from events.play import Turned
from tests.driver import Table
from tests.games.dragonlords.expeditions import SPELLS, card, questing, venture, wizard
from tests.games.dragonlords.recorded import keep

__all__ = ["CHAPTERS", "RECORDS", "marks", "owed", "recorded"]

RECORDS: Final = Path(__file__).parents[3] / "fixtures" / "dragonlords" / "quests"
"""Where the ventures lie, beside the sheets."""
CHAPTERS: Final[tuple[ModuleType, ...]] = (
    deeds, elixir, encounter, gains, items, learning, parties, places, quest_cards, quest_combat, tolls, travelling,
    wastelands,
)  # fmt: skip
"""The chapters on quests."""
ASKED: Final = (
    *(f"Encounter {stage}" for stage in ("declare", "drink", "strike", "drink_late", "orb", "charm", "cast", "answer", "cure")),
    *(f"Deed {op}" for op in ("CharmDragon", "Choice", "Crystal", "PayGold", "PerUnitRoll", "RollOnTable")),
    *("BringingGold", "DrawingCard", "DrawingScroll", "DrawingTreasure", "Lair", "Learning", "Omen", "Oracle", "Questing"),
    *("ReadingCard", "Rising", "SettingOut", "Shopping", "Sparing", "SpellRolling", "Stashing", "Travelling"),
)  # fmt: skip
"""Where a quest waits for somebody."""


def owed() -> set[str]:
    """Return what the records must show: each command and fact of the chapters, and each question."""
    named = (getattr(chapter, part, ()) for chapter in CHAPTERS for part in ("COMMANDS", "FACTS"))
    return {kind.__name__ for part in named for kind in part} | set(ASKED)


def marks(entries: Iterator[Any]) -> set[str]:
    """Return what entries of a log show of what is owed."""
    found: set[str] = set()
    for entry in entries:
        found.add(type(entry.command).__name__)
        for fact in entry.facts:
            found.add(type(fact).__name__)
            if isinstance(fact, Turned) and fact.steps:
                found.add(_place(fact.steps[-1]))
    return found & owed()


def _place(step: Any) -> str:
    kind = type(step).__name__
    if isinstance(step, encounter.Encounter):
        return f"{kind} {step.at}"
    return f"{kind} {type(OPS[step.at]).__name__}" if isinstance(step, deeds.Deed) else kind


def drawn(seed: int) -> Table:
    """Return a quest at random whose card is read, to its end."""
    random = Random(seed)
    position: list[Any] = [
        UnitsSet("orc", "WT02", random.randint(2, 6)), UnitsSet("orc", "OR_k", 3), UnitsSet("orc", "FM_k", 2),
        GoldSet("OR_k", random.randint(1, 12)), ChipSet("orc", random.choice(list(TREASURES)), "WT02", random.random() < 0.5),
    ]  # fmt: skip
    if random.random() < 0.5:
        position.append(GoldSet("FM_k", random.randint(1, 12)))
    position += wizard("orc", "WT02", *random.sample(SPELLS, 3), shown=random.random() < 0.5)
    items = {
        name: 1 for name in ("pickaxe", "potion", "elixir", "talisman", "dragonorb") if random.random() < 0.5
    }
    when = "after_the_roll" if random.random() < 0.3 else "before_the_roll"
    fate = random.choice(("blessed", "ignored", "cursed"))
    table = card(random.choice(list(CARDS)), fate, *position, items={**items, "torch": 1}, H15=when)
    for _ in range(16):
        choice = questing(table.now, random)
        if choice is None or choice.ask.question.kind == "combat":
            break
        # A few cards that nobody who records saw, so that the reader names them.
        unseen = isinstance(choice.command, Deal) and not random.randrange(4)
        table.must(choice.seat, Deal("?") if unseen else choice.command)
    return table


def unseen(seed: int) -> Table:
    """Return a quest whose card nobody who records saw."""
    table = venture(seed, 0)
    random = Random(seed)
    for _ in range(12):
        choice = questing(table.now, random)
        if choice is None:
            break
        table.must(
            choice.seat,
            Deal("?") if choice.seat == CHANCE and isinstance(choice.command, Deal) else choice.command,
        )
    return table


def recorded(tries: int = 1500) -> dict[str, Table]:
    """Return the fewest ventures that show all that is owed, as far as looking for the best next one finds them."""
    made = {"drawn": drawn, "venture": lambda seed: venture(seed, 16), "unseen": unseen}
    pool = {
        f"{name}_{seed}": make(seed)
        for name, make in made.items()
        for seed in range(tries if name != "unseen" else tries // 10)
    }
    shown = {name: marks(told.entry for told in table.log) for name, table in pool.items()}
    left, chosen = owed(), {}
    while left:
        best = max(shown, key=lambda name: (len(shown[name] & left), -len(pool[name].log)))
        assert shown[best] & left, f"no venture of {len(pool)} shows {sorted(left)}"
        chosen[best] = pool[best]
        left -= shown[best]
    return chosen


def record() -> None:
    """Write the ventures, in place of those that were there."""
    for end in ("jsonl", "openings", "head", "state.json"):
        for old in RECORDS.glob(f"*.{end}"):
            old.unlink()
    for name, table in recorded().items():
        keep(RECORDS / f"{name}.jsonl", table)


if __name__ == "__main__":
    record()
