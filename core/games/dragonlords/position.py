"""Set-up facts, "this stands here": the words of positions, corrections and standing claims."""

import re
from collections.abc import Mapping
from typing import Annotated

from msgspec import structs

from core.rules import Setup, word
from events.event import Count, Seat, SectionRef

from .armies import with_army, with_columns
from .board import ZONES
from .decks import ScrollName
from .ending import FallenSet
from .items import GOODS
from .naming import CardName, ItemName, MonsterName, Phase, SpellName, Way
from .state import Army, Battle, Chip, ChipId, Column, Muster, Place, War, shade
from .treasures import TREASURES

__all__ = [
    "SETUP",
    "ChipSet",
    "ColumnSet",
    "GoldSet",
    "HandSet",
    "HeldSet",
    "HoardSet",
    "ItemsSet",
    "MonsterSet",
    "ReadSet",
    "ShadeSet",
    "ShipsSet",
    "SpellsSet",
    "TurnSet",
    "UnitsSet",
    "recounted",
]

_SPELLS: Mapping[str, SectionRef] = {
    "heal": "QD-15.1", "fireball": "QD-15.2", "teleport": "QD-15.3", "hope": "QD-15.4", "lightning": "QD-15.5", "panic": "QD-15.6",
}  # fmt: skip
_ITEMS: Mapping[str, SectionRef] = {
    "pickaxe": "QD-8.2", "torch": "QD-8.2", "potion": "QD-8.3", "elixir": "QD-8.4", "talisman": "QD-8.5", "dragonorb": "QD-8.6",
}  # fmt: skip
"""What says what a spell does, and what an item is for."""


def _mustered(war: War, seat: Seat, more: int) -> War:
    if seat not in war.muster:
        raise ValueError(f"{seat} does not sit at the table")
    if not more:
        return war
    muster = war.muster[seat]
    return structs.replace(war, muster={**war.muster, seat: Muster(muster.raised + more, muster.lost)})


class UnitsSet(Setup[War]):
    """Units of a seat hold a place: `count` ordinary ones, those that bear chips among them, and DragonLords."""

    WORD = "units"
    KEY = ("place",)

    seat: Seat
    place: Place
    count: Count
    dragonlords: Count = 0

    def onto(self, state: War) -> War:
        before = state.armies.get(self.place)
        army = Army(self.seat, self.count, self.dragonlords)
        if before is not None:
            state = _mustered(state, before.seat, -before.size)
        elif not army.size:
            return state
        return with_army(_mustered(state, self.seat, army.size), self.place, army)

    def says_none(self, state: War) -> bool:
        """Return whether the seat has none there, as is said: nobody stands there, or somebody else."""
        army = state.armies.get(self.place)
        elsewhere = army is None or army.seat != self.seat
        return elsewhere and self.seat in state.muster and not (self.count or self.dragonlords)

    def instead(self, state: War) -> tuple[Setup[War], str] | None:
        """Return the column of the seat that attacks there: those who have not won yet hold nothing (QD-10.2)."""
        own = [column for column in state.columns.get(self.place, ()) if column.seat == self.seat]
        if not own:
            return None
        largest = max(own, key=lambda column: column.size)
        how = largest.how.partition(" ")[0]
        fact = ColumnSet(self.seat, self.place, largest.origin, largest.units, largest.dragonlords, how)
        return fact, f"Attackers who have not won {self.place} yet stand there as a column, not as units."


class ColumnSet(Setup[War]):
    """Units of a seat came into an enemy place from `origin` and have not yet fought for it.

    `how` they came: walk, teleportal, teleport, ship, party or sneak.
    """

    WORD = "column"
    KEY = ("seat", "place", "origin", "how")

    seat: Seat
    place: Place
    origin: Place
    count: Count
    dragonlords: Count = 0
    how: Way = "walk"

    def onto(self, state: War) -> War:
        columns = state.columns.get(self.place, ())
        how = f"sneak {self.origin}" if self.how == "sneak" else self.how
        column = Column(self.seat, self.origin, self.count, self.dragonlords, how)
        name = (self.seat, self.origin, how)
        others = tuple(old for old in columns if (old.seat, old.origin, old.how) != name)
        before = sum(old.size for old in columns if (old.seat, old.origin, old.how) == name)
        if not before and not column.size:
            return state
        return with_columns(_mustered(state, self.seat, column.size - before), self.place, (*others, column))


class ChipSet(Setup[War]):
    """A chip lies under a unit of a seat: `orc.king`, `orc.wizard.1`, `orc.blank`, or a treasure such as `excalibur`.

    Face down it is known to its owner alone, unless `shown`. `way` is that of the column that bears it.
    """

    WORD = "chip"
    KEY = ("chip",)
    ABOUT = ("QD-1.4", "QD-3.5")

    seat: Seat
    chip: ChipId
    place: Place
    shown: bool = False
    on_dragonlord: bool = False
    way: str = ""

    def audience(self) -> tuple[Seat, ...]:
        """Only its owner knows of a chip that lies face down."""
        return () if self.shown else (self.seat,)

    def onto(self, state: War) -> War:
        if self.chip not in TREASURES and not re.fullmatch(
            rf"{self.seat}\.(king|blank|wizard\.[123])", self.chip
        ):
            raise ValueError(f"{self.seat} has no chip {self.chip}")
        chip = Chip(self.seat, self.place, self.shown, self.on_dragonlord, self.way)
        return structs.replace(state, chips={**state.chips, self.chip: chip})


class ShadeSet(Setup[War]):
    """The stack of a seat in a place may hide a face-down chip, or may not; public (QD-H42)."""

    WORD = "shade"
    KEY = ("seat", "place")
    ABOUT = ("QD-1.4", "QD-H42")

    seat: Seat
    place: Place
    hides: bool = True

    def onto(self, state: War) -> War:
        stack = shade(self.seat, self.place)
        if (stack in state.shades) == self.hides:
            return state
        return structs.replace(state, shades=state.shades ^ {stack})


class SpellsSet(Setup[War]):
    """The spells that a wizard knows: heal, fireball, teleport, hope, lightning, panic; the pegs are open (QD-15)."""

    WORD = "spells"
    KEY = ("chip",)

    chip: ChipId
    spells: tuple[SpellName, ...]

    def about(self) -> tuple[SectionRef, ...]:
        """Return how spells are gained, and what those do."""
        return ("QD-14.4", *(_SPELLS[spell] for spell in self.spells))

    def onto(self, state: War) -> War:
        return structs.replace(state, spells={**state.spells, self.chip: self.spells})


class HoardSet(Setup[War]):
    """How many treasures a seat has, hidden or shown; public."""

    WORD = "hoard"
    KEY = ("seat",)
    ABOUT = ("QD-6.11",)

    seat: Seat
    count: Count

    def onto(self, state: War) -> War:
        return structs.replace(state, hoards={**state.hoards, self.seat: self.count})

    def holds(self, state: War) -> bool:
        """Return whether it has so many; who never gained one has none."""
        return state.hoards.get(self.seat, 0) == self.count


class GoldSet(Setup[War]):
    """Gold lies in a kingdom (QD-2.2)."""

    WORD = "gold"
    KEY = ("place",)

    place: Place
    gold: Count

    def onto(self, state: War) -> War:
        others = {place: gold for place, gold in state.gold.items() if place != self.place}
        return structs.replace(state, gold={**others, self.place: self.gold} if self.gold else others)


class ShipsSet(Setup[War]):
    """Ships lie in a harbour without a crew, or sail in a zone for whoever mans it.

    `attacking`: they brought those who attack there; `empty`: they wait at a village for the first who boards them.
    """

    WORD = "ships"
    KEY = ("place", "attacking", "empty")
    ABOUT = ("QD-2.7", "QD-5.2")

    place: Place
    count: Count
    attacking: bool = False
    empty: bool = False

    def onto(self, state: War) -> War:
        where = (
            "raiders" if self.attacking else "fleets" if self.place in ZONES and not self.empty else "docked"
        )
        held: Mapping[Place, int] = getattr(state, where)
        others = {place: count for place, count in held.items() if place != self.place}
        return structs.replace(state, **{where: others | ({self.place: self.count} if self.count else {})})


class HandSet(Setup[War]):
    """The scrolls in a seat's hand; only it knows them."""

    WORD = "hand"
    KEY = ("seat",)
    ABOUT = ("QD-16.1",)

    seat: Seat
    scrolls: tuple[ScrollName, ...]

    def audience(self) -> tuple[Seat, ...]:
        """Only its owner knows."""
        return (self.seat,)

    def onto(self, state: War) -> War:
        return structs.replace(state, hands={**state.hands, self.seat: self.scrolls})


class HeldSet(Setup[War]):
    """How many scrolls a seat holds; public."""

    WORD = "held"
    KEY = ("seat",)
    ABOUT = ("QD-16.1",)

    seat: Seat
    count: Count

    def onto(self, state: War) -> War:
        return structs.replace(state, held={**state.held, self.seat: self.count})

    def holds(self, state: War) -> bool:
        """Return whether it holds so many; who never had one holds none."""
        return state.held.get(self.seat, 0) == self.count


class ItemsSet(Setup[War]):
    """The items that a party of a seat has in a place of the Wastelands; without a place, what lies in its store (QD-8.1)."""

    WORD = "items"
    KEY = ("seat", "place")

    seat: Seat
    items: dict[ItemName, Count]
    place: Annotated[Place, word("in")] = ""

    def about(self) -> tuple[SectionRef, ...]:
        """Return how items are had, and what those are."""
        return ("QD-8.1", *dict.fromkeys(_ITEMS[item] for item in self.items))

    def onto(self, state: War) -> War:
        others = {name: held for name, held in state.items.items() if name != self._holder}
        held = {item: self.items[item] for item in GOODS if self.items.get(item)}
        return structs.replace(state, items={**others, self._holder: held} if held else others)

    @property
    def _holder(self) -> str:
        return shade(self.seat, self.place) if self.place else self.seat

    def instead(self, state: War) -> tuple[Setup[War], str] | None:
        """Return the items that are there: silver chips lie open (QD-8.1)."""
        held = state.items.get(self._holder)
        if not held:
            return None
        return ItemsSet(self.seat, dict(held), self.place), "Other items are there than were claimed."


class ReadSet(Setup[War]):
    """The quest cards that were read since the deck was last shuffled, the first one first (QD-6.10, QD-H5)."""

    WORD = "read"
    KEY = ()
    ABOUT = ("QD-6.10",)

    cards: tuple[CardName, ...]

    def onto(self, state: War) -> War:
        return structs.replace(state, quest_discard=self.cards)


class MonsterSet(Setup[War]):
    """The party in a place fights a monster, which has taken `hurt` hits; so many of its units are poisoned (QD-9.2, QD-9.3).

    The fight is judged for itself: what the card or the lair promises for it is not gained.
    """

    WORD = "monster"
    KEY = ()
    ABOUT = ("QD-9.2",)

    place: Place
    monster: MonsterName
    hurt: Count = 0
    poisoned: Count = 0
    round: Count = 1

    def onto(self, state: War) -> War:
        army = state.armies[self.place]
        battle = Battle(
            self.place, self.monster, army.seat, "monster", self.round, hurt=self.hurt, poisoned=self.poisoned
        )
        return structs.replace(state, battle=battle)

    def holds(self, state: War) -> bool:
        """Return whether that monster is fought there, and is as hurt."""
        battle = state.battle
        return (
            battle is not None
            and (battle.place, battle.attacker) == (self.place, self.monster)
            and (battle.hurt, battle.poisoned) == (self.hurt, self.poisoned)
        )


class TurnSet(Setup[War]):
    """Whose turn it is, which phase of it, and how many turns have begun (QD-4.1)."""

    WORD = "turn"
    KEY = ()
    ABOUT = ("QD-4.1",)

    seat: Seat
    phase: Phase = "combat"
    turn: Count = 1

    def onto(self, state: War) -> War:
        return structs.replace(state, active=self.seat, phase=self.phase, turn=self.turn)


def recounted(war: War, seat: Seat, place: Place, more: int, *, lords: bool) -> tuple[Setup[War], ...]:
    """Return the army or the column of a seat when a table lost `more` there than it should; nothing once it is gone."""
    units, dragonlords = (0, more) if lords else (more, 0)
    army = war.armies.get(place)
    if army is not None and army.seat == seat and army.units >= units and army.dragonlords >= dragonlords:
        standing = UnitsSet(seat, place, army.units - units, army.dragonlords - dragonlords)
        return (*_fallen_with(war, standing), standing)
    for old in war.columns.get(place, ()):
        if old.seat == seat and old.units >= units and old.dragonlords >= dragonlords:
            left, left_lords = old.units - units, old.dragonlords - dragonlords
            return (ColumnSet(seat, place, old.origin, left, left_lords, old.how.partition(" ")[0]),)
    return ()


def _fallen_with(war: War, left: UnitsSet) -> tuple[Setup[War], ...]:
    """Return that a king has fallen who stood where nobody of his is left (QD-22.1)."""
    king = war.chips.get(f"{left.seat}.king")
    gone = not left.count and not left.dragonlords and king is not None and king.place == left.place
    return (FallenSet(left.seat),) if gone else ()


SETUP = (
    UnitsSet, ColumnSet, ChipSet, ShadeSet, SpellsSet, HoardSet, GoldSet, ShipsSet, HandSet, HeldSet, ItemsSet, ReadSet,
    MonsterSet, FallenSet, TurnSet,
)  # fmt: skip
