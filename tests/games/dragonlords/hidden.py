"""Worlds with something hidden: two positions that differ in it alone, and the moves that bring it to where it matters.

Each world is a pair of games. Both are given the same decisions; a line of `lead` that stands twice is the one decision
that differs, because it is the secret itself: which chip goes along, which card is drawn.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from core.games.dragonlords.position import (
    ChipSet,
    HandSet,
    HoardSet,
    ItemsSet,
    ShadeSet,
    ShipsSet,
    SpellsSet,
    TurnSet,
    UnitsSet,
)
from events.event import Seat

__all__ = ["WORLDS", "World", "world"]

Line = str | tuple[str, str]


@dataclass(frozen=True)
class World:
    """A pair of positions: what stands in both, what is hidden in `first` and in `second`, and how play begins."""

    name: str
    seats: tuple[Seat, ...]
    both: tuple[Any, ...]
    first: tuple[Any, ...] = ()
    second: tuple[Any, ...] = ()
    lead: tuple[Line, ...] = ()
    owners: frozenset[Seat] = frozenset()
    about: frozenset[str] = frozenset()
    """The words that the secret is about: commands that name them are tried first."""
    entries: int = 30
    """How many entries are played on after the lead."""


def _stand(seat: Seat, **places: int) -> tuple[UnitsSet, ...]:
    return tuple(UnitsSet(seat, place, count) for place, count in places.items())


def _chips(
    name: str, turn: TurnSet, both: Iterable[Any], seat: Seat, *where: tuple[str, str], lead: tuple[Line, ...] = (),
    seats: tuple[Seat, ...] = ("orc", "dwarf", "elf"),
) -> World:  # fmt: skip
    """Return a world of two chips of a seat that lie face down, each in the other's place in the second game."""
    (one, here), (other, there) = where
    return World(
        name, seats, (turn, *both), (ChipSet(seat, one, here), ChipSet(seat, other, there)),
        (ChipSet(seat, other, here), ChipSet(seat, one, there)), lead, frozenset({seat}),
        frozenset(word for pair in where for word in pair),
    )  # fmt: skip


_FIELD = (*_stand("orc", OR_k=6, OR_ne=4), *_stand("dwarf", OR_n=4, FM_k=4), *_stand("elf", SC_k=3, SV_nw=2))
_KINGS = (ChipSet("orc", "orc.king", "OR_ne"), ChipSet("elf", "elf.king", "SC_k"))
_FIGHT = ("orc: attack OR_n from OR_k with 5", "orc: fight OR_n")
_FIRE = (
    HandSet("orc", ("summon_elemental.fire", "infernal", "berserk")),
    ChipSet("orc", "orc.wizard.1", "OR_ne", shown=True),
)
_SEA = (
    *_stand("orc", OR_k=4, S1=5), ShipsSet("S1", 1), *_stand("elf", SC_k=4, SV_sw=2, S2=4), ShipsSet("S2", 2),
    *_stand("dwarf", IH_k=3), SpellsSet("elf.wizard.1", ("heal", "fireball", "teleport")),
)  # fmt: skip
_FLEETS = (
    UnitsSet("orc", "OR_k", 7, 2), *_stand("elf", SC_k=2, SV_sw=1, C3=3, S2=3), ShipsSet("C3", 1), ShipsSet("S2", 2),
    *_stand("dwarf", IH_k=3),
)  # fmt: skip
_PARTY = (
    *_stand("orc", OR_k=3, AL_s=6, WT02=4), *_stand("elf", SC_k=3), *_stand("dwarf", FM_k=3),
    ItemsSet("orc", {"torch": 1, "pickaxe": 1}, "WT02"), ItemsSet("orc", {"torch": 1}),
)  # fmt: skip
_QUEST = ("orc: move party WT02", "dice: 3", "orc: travel to WT05")
_QUESTERS = ("orc", "elf", "dwarf")
_DEFENDED = (*_FIELD, *_KINGS)
_ORCS = frozenset({"orc"})
_DWARVES = frozenset({"dwarf"})

WORLDS: tuple[World, ...] = (
    _chips(
        "the king or the decoy among defenders", TurnSet("orc"), _DEFENDED, "dwarf",
        ("dwarf.king", "OR_n"), ("dwarf.blank", "FM_k"),
        lead=(*_FIGHT, "dwarf: declare", "dice: 1 6 6 6 6", "dice: 6 6 6 6"),
    ),
    _chips(
        "the wizard or the king among defenders", TurnSet("orc"), _DEFENDED, "dwarf",
        ("dwarf.wizard.1", "OR_n"), ("dwarf.king", "FM_k"), lead=_FIGHT,
    ),
    _chips(
        "a wizard or a treasure among defenders", TurnSet("orc"), _DEFENDED, "dwarf",
        ("dwarf.wizard.1", "OR_n"), ("black_battle_axe", "FM_k"), lead=_FIGHT,
    ),
    _chips(
        "a shield or a sword among defenders", TurnSet("orc"), _DEFENDED, "dwarf",
        ("dragon_shield", "OR_n"), ("excalibur", "FM_k"), lead=_FIGHT,
    ),
    _chips(
        "who goes over to another place", TurnSet("orc", "transfer"), (*_FIELD, _KINGS[1]), "orc",
        ("orc.wizard.1", "OR_k"), ("orc.blank", "OR_ne"),
        lead=((
            "orc: transfer to OR_ne from OR_k with 3 leading orc.wizard.1",
            "orc: transfer to OR_ne from OR_k with 3 carrying orc.blank",
        ),),
    ),
    World(
        "whether anybody goes along", ("orc", "dwarf", "elf"),
        (
            TurnSet("orc", "transfer"), *_FIELD, _KINGS[1], ChipSet("orc", "orc.wizard.1", "OR_k"),
            ChipSet("dwarf", "dwarf.king", "FM_k"),
        ),
        lead=(
            (
                "orc: transfer to OR_ne from OR_k with 3 leading orc.wizard.1",
                "orc: transfer to OR_ne from OR_k with 3",
            ),
        ),
        owners=_ORCS, about=frozenset({"OR_ne", "OR_k", "orc.wizard.1"}),
    ),
    World(
        "who leads the attack", ("orc", "dwarf", "elf"),
        (
            TurnSet("orc"), *_FIELD, _KINGS[1], ChipSet("orc", "orc.wizard.1", "OR_k"),
            ChipSet("orc", "orc.blank", "OR_k"), ChipSet("dwarf", "dwarf.king", "FM_k"),
        ),
        lead=(
            (
                "orc: attack OR_n from OR_k with 5 leading orc.wizard.1",
                "orc: attack OR_n from OR_k with 5 carrying orc.blank",
            ),
            "orc: fight OR_n",
        ),
        owners=_ORCS, about=frozenset({"OR_n", "OR_k", "orc.wizard.1", "orc.blank"}),
    ),
    _chips(
        "who marches on", TurnSet("orc", "combat"), (*_FIELD, _KINGS[1], *_stand("orc", OR_s=3)), "orc",
        ("orc.king", "OR_k"), ("orc.wizard.1", "OR_ne"),
    ),
    _chips(
        "a sneak attack on a wizard", TurnSet("elf"), (*_FIELD, _KINGS[1]), "orc",
        ("orc.wizard.1", "OR_ne"), ("orc.blank", "OR_k"), lead=("elf: sneak attack OR_ne from SV_nw with 1",),
    ),
    _chips(
        "a wizard at sea", TurnSet("orc", "sea"), _SEA, "elf", ("elf.wizard.1", "S2"), ("elf.blank", "SC_k"),
        lead=("orc: sail S2 from S1 with 5", "orc: end phase", "orc: fight S2"), seats=_QUESTERS,
    ),
    _chips(
        "a shield under fire", TurnSet("orc", "sea"), _FLEETS, "elf", ("dragon_shield", "S2"), ("excalibur", "SC_k"),
        lead=("orc: teleport dragonlord to S2 from OR_k with 5", "orc: end phase", "orc: fire attack S2"),
        seats=_QUESTERS,
    ),
    _chips(
        "what shields from an elemental", TurnSet("orc"), (*_DEFENDED, *_FIRE), "dwarf",
        ("invincible_shield", "OR_n"), ("ring_of_hope", "FM_k"),
        lead=("orc: read scroll summon_elemental.fire in OR_n",),
    ),
    _chips(
        "who shields from berserk", TurnSet("orc"), (*_DEFENDED, *_FIRE), "dwarf",
        ("dwarf.king", "OR_n"), ("dwarf.blank", "FM_k"),
        lead=(
            "orc: attack OR_n from OR_k with 4", "orc: fight OR_n",
        ),
    ),
    World(
        "a scroll to turn another back", ("orc", "dwarf", "elf"),
        (TurnSet("orc"), *_DEFENDED, *_FIRE, ChipSet("dwarf", "dwarf.king", "OR_n")),
        (HandSet("dwarf", ("reflect", "ship")),), (HandSet("dwarf", ("legion", "ship")),),
        ("orc: read scroll summon_elemental.fire in OR_n",), _DWARVES, frozenset({"OR_n"}),
    ),
    World(
        "two hands changed over", ("orc", "dwarf", "elf"),
        (TurnSet("orc"), *_DEFENDED, *_FIRE, ChipSet("dwarf", "dwarf.king", "OR_n")),
        (HandSet("dwarf", ("reflect",)), HandSet("elf", ("tempest",))),
        (HandSet("dwarf", ("tempest",)), HandSet("elf", ("reflect",))),
        _FIGHT, frozenset({"dwarf", "elf"}), frozenset({"OR_n"}),
    ),
    World(
        "what clairvoyance shows", ("orc", "dwarf", "elf"),
        (
            TurnSet("orc", "combat"), *_DEFENDED, HandSet("orc", ("clairvoyance", "ship")), HandSet("elf", ("legion",)),
            ChipSet("dwarf", "dwarf.king", "FM_k"),
        ),
        (HandSet("dwarf", ("reflect", "infernal")),), (HandSet("dwarf", ("tempest", "infernal")),),
        ("orc: read scroll clairvoyance in OR_ne by orc.king against dwarf",), _DWARVES, frozenset({"FM_k"}),
    ),
    World(
        "the scrolls of a beaten king", ("orc", "dwarf", "elf"),
        (TurnSet("orc"), *_DEFENDED, ChipSet("dwarf", "dwarf.king", "OR_n", shown=True)),
        (HandSet("dwarf", ("reflect", "ship")),), (HandSet("dwarf", ("tempest", "ship")),),
        (*_FIGHT, "dwarf: declare", "dice: 1 1 1 1 1"), _DWARVES, frozenset({"OR_n"}),
    ),
    World(
        "a scroll that is drawn", _QUESTERS, (TurnSet("orc", "quest"), *_PARTY),
        lead=(*_QUEST, "card: Q10", "dice: blue", ("card: reflect", "card: infernal")),
        owners=_ORCS, about=frozenset({"WT05"}),
    ),
    World(
        "a treasure that is found", _QUESTERS, (TurnSet("orc", "quest"), *_PARTY),
        lead=(*_QUEST, "card: Q02", "dice: yellow", ("card: excalibur", "card: trident")),
        owners=_ORCS, about=frozenset({"WT05"}),
    ),
    World(
        "who becomes a DragonLord", _QUESTERS,
        (
            TurnSet("orc", "quest"), *_PARTY, ChipSet("orc", "orc.wizard.1", "WT02"),
            ChipSet("orc", "orc.wizard.2", "WT02"),
        ),
        lead=(
            *_QUEST, "card: Q12", "dice: yellow",
            ("orc: raise dragonlord from orc.wizard.1", "orc: raise dragonlord from orc.wizard.2"),
        ),
        owners=_ORCS, about=frozenset({"WT05"}),
    ),
    World(
        "who goes on a quest", _QUESTERS,
        (
            TurnSet("orc", "quest"), *_PARTY, ChipSet("orc", "orc.wizard.1", "AL_s"),
            ChipSet("orc", "orc.blank", "AL_s"),
        ),
        lead=(
            (
                "orc: send party from AL_s with 4 leading orc.wizard.1 taking 1 torch",
                "orc: send party from AL_s with 4 carrying orc.blank taking 1 torch",
            ),
            "dice: 3",
        ),
        owners=_ORCS, about=frozenset({"AL_s"}),
    ),
    _chips(
        "a wizard against a monster", TurnSet("orc", "quest"), (*_PARTY, *_stand("orc", WT01=3)), "orc",
        ("orc.wizard.1", "WT02"), ("orc.blank", "WT01"), lead=(*_QUEST, "card: Q01", "dice: red"), seats=_QUESTERS,
    ),
    _chips(
        "what carries a fleet away", TurnSet("dwarf", "sea"), (*_DEFENDED, *_stand("dwarf", D1=3), ShipsSet("D1", 1)), "dwarf",
        ("golden_fleece", "D1"), ("excalibur", "FM_k"),
    ),
    World(
        "a correction of what is hidden", ("orc", "dwarf", "elf"),
        (TurnSet("orc"), *_DEFENDED, ShadeSet("dwarf", "OR_n"), ShadeSet("dwarf", "FM_k"), HoardSet("dwarf", 1)),
        lead=(
            (
                "arbiter: correct chip dwarf excalibur OR_n because it had been forgotten",
                "arbiter: correct chip dwarf excalibur FM_k because it had been forgotten",
            ),
            *_FIGHT,
        ),
        owners=_DWARVES, about=frozenset({"OR_n", "excalibur"}),
    ),
)  # fmt: skip


def world(name: str) -> World:
    """Return the world of a name."""
    return next(each for each in WORLDS if each.name == name)
