"""The quest cards as data (QD-6.10, QD-6.14): three columns of steps each, read from `data/decks.json`.

A step is an `op`; its path names it, `Q04.ignored.steps.0.fight.0`: the card, the column, steps or reward, the first of
them, the list inside of it, the first of that. What follows from a step is in `deeds.py`.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from msgspec import Struct, convert, field

from .decks import deck_data

__all__ = [
    "CARDS",
    "LISTS",
    "OPS",
    "AddUnits",
    "AnyOp",
    "CharmDragon",
    "Choice",
    "Crystal",
    "Gain",
    "Having",
    "IfHas",
    "LoseUnits",
    "Meeting",
    "Op",
    "Option",
    "PayGold",
    "PerUnitRoll",
    "QuestCard",
    "RequiresItem",
    "RollOnTable",
]

Steps = tuple["AnyOp", ...]


class Op(Struct, frozen=True, tag_field="op"):
    """A step of a card."""

    def branches(self) -> Mapping[str, Steps]:
        """Return the lists of steps inside of it, by name."""
        return {}


class Crystal(Op, frozen=True, tag="crystal"):
    """Roll the crystal die, and do the list under the result."""

    blessed: Steps
    ignored: Steps
    cursed: Steps

    def branches(self) -> Mapping[str, Steps]:
        return {"blessed": self.blessed, "ignored": self.ignored, "cursed": self.cursed}


class Gain(Op, frozen=True, tag="gain"):
    """Gain gold, scrolls, treasures, wizards with so many `spells`, spells, DragonLords or items."""

    what: str
    n: int = 1
    spells: int = 0


class Meeting(Op, frozen=True, tag="monster"):
    """Fight a monster, unless the party has the item that keeps it off; then what stands below the line is taken."""

    name: str
    bypass_item: str | None = None


class Condition(Struct, frozen=True):
    """Items of which the party has one."""

    has_any: tuple[str, ...]


class Alternative(Struct, frozen=True):
    """The faces that lose a unit when the party has an item."""

    has: str
    lose_on: tuple[int, ...]


class PerUnitRoll(Op, frozen=True, tag="per_unit_roll"):
    """Roll a die for each unit; each face in `lose_on` is one loss, and the owner picks the units (QD-H33)."""

    die: int
    lose_on: tuple[int, ...]
    condition: Condition | None = None
    alternative: Alternative | None = None

    def losing(self, items: Mapping[str, int]) -> tuple[int, ...]:
        """Return the faces that lose a unit of a party with these items; none where nothing is rolled."""
        if self.condition is not None and not any(item in items for item in self.condition.has_any):
            return ()
        other = self.alternative
        return other.lose_on if other is not None and other.has in items else self.lose_on


class Having(Op, frozen=True):
    """Do `then` when the party has an item, `else` otherwise."""

    item: str
    then: Steps = ()
    otherwise: Steps = field(default=(), name="else")

    def branches(self) -> Mapping[str, Steps]:
        return {"then": self.then, "else": self.otherwise}


class RequiresItem(Having, frozen=True, tag="requires_item"):
    """Do `then` with the item, `else` without."""


class IfHas(Having, frozen=True, tag="if_has"):
    """The same as `requires_item`."""


class Option(Struct, frozen=True):
    """One thing that the owner of a party may choose; it may have its own reward."""

    label: str
    steps: Steps = ()
    reward: Steps = ()

    @property
    def cost(self) -> int:
        """The gold that it asks for: it is offered only where that is there."""
        return sum(op.n for op in self.steps if isinstance(op, PayGold))


class Choice(Op, frozen=True, tag="choice"):
    """The owner of the party picks one option."""

    options: tuple[Option, ...]

    def branches(self) -> Mapping[str, Steps]:
        steps = {option.label: option.steps for option in self.options}
        return steps | {f"{option.label}.reward": option.reward for option in self.options}


class PayGold(Op, frozen=True, tag="pay_gold"):
    """Pay gold, from whichever of the owner's kingdoms he likes."""

    n: int


class RollOnTable(Op, frozen=True, tag="roll"):
    """Roll one die, and do the list of the range it falls in."""

    die: int
    table: dict[str, Steps]

    def branches(self) -> Mapping[str, Steps]:
        return self.table

    def span(self, face: int) -> str:
        """Return the range that a face falls in, `4-6`."""
        for span in self.table:
            low, _, high = span.partition("-")
            if int(low) <= face <= int(high or low):
                return span
        raise ValueError(f"{face} is on no line of {', '.join(self.table)}")


class AddUnits(Op, frozen=True, tag="add_units"):
    """Units of the owner's race join in the place, as many as it holds (QD-H12)."""

    n: int


class LoseUnits(Op, frozen=True, tag="lose_units"):
    """Lose units; the owner picks."""

    n: int


class CharmDragon(Op, frozen=True, tag="charm_dragon"):
    """Roll the crystal die: blessed gains a DragonLord for the orb, ignored rolls again, cursed does nothing (QD-8.6)."""


AnyOp = (
    Crystal | Gain | Meeting | PerUnitRoll | RequiresItem | IfHas | Choice | PayGold | RollOnTable | AddUnits
    | LoseUnits | CharmDragon
)  # fmt: skip


class Outcome(Struct, frozen=True):
    """One column of a card: what is read out, what happens, and what stands below the line."""

    text: str
    steps: Steps
    reward: Steps


class QuestCard(Struct, frozen=True):
    """A quest card with its three columns, blessed, ignored, cursed (QD-H4)."""

    id: str
    name: str
    requires_torch: bool
    outcomes: dict[str, Outcome]


CARDS: Final[Mapping[str, QuestCard]] = {
    card.id: card for card in convert(deck_data()["quest_cards"], tuple[QuestCard, ...])
}
"""The twelve quest cards by id."""


def _lists(path: str, ops: tuple[AnyOp, ...]) -> Iterator[tuple[str, tuple[AnyOp, ...]]]:
    yield path, ops
    for n, op in enumerate(ops):
        for name, inner in op.branches().items():
            yield from _lists(f"{path}.{n}.{name}", inner)


def _all_lists() -> Iterator[tuple[str, tuple[AnyOp, ...]]]:
    for card in CARDS.values():
        for fate, outcome in card.outcomes.items():
            yield from _lists(f"{card.id}.{fate}.steps", outcome.steps)
            yield from _lists(f"{card.id}.{fate}.reward", outcome.reward)
    lair: Any = deck_data()["red_dragon_lair"]
    yield from _lists("lair.steps", (convert(lair, Meeting),))
    yield from _lists("lair.reward", convert(lair["reward"], tuple[AnyOp, ...]))


LISTS: Final[Mapping[str, tuple[AnyOp, ...]]] = dict(_all_lists())
"""Every list of steps by its path: `Q01.blessed.steps`, `lair.reward`, and those inside of steps."""
OPS: Final[Mapping[str, AnyOp]] = {
    f"{path}.{n}": op for path, ops in LISTS.items() for n, op in enumerate(ops)
}
"""Every step by its path."""
