"""What is forbidden, case by case: the code of each refusal, and the sections under which it stands.

The rules themselves are tested chapter by chapter; here the same refusal is met in each phase and by each act in which it
can be cited otherwise.
"""

from collections.abc import Callable
from typing import Any

import pytest

from core.games.dragonlords.boarding import Board, Land
from core.games.dragonlords.land_combat import Attack, Fight
from core.games.dragonlords.places import BuyItem
from core.games.dragonlords.position import (
    ChipSet,
    ColumnSet,
    GoldSet,
    HandSet,
    HoardSet,
    ShadeSet,
    SpellsSet,
    UnitsSet,
)
from core.games.dragonlords.retreat import Retreat
from core.games.dragonlords.sailing import LeapByFleece, Sail
from core.games.dragonlords.scroll_effects import Protect
from core.games.dragonlords.scrolls import ReadScroll
from core.games.dragonlords.spells import Cast
from core.games.dragonlords.teleport import Teleport
from core.games.dragonlords.travelling import Travel
from core.games.dragonlords.wastelands import MoveParty, SendParty
from tests.driver import Table
from tests.games.dragonlords.expeditions import at_quest, dice, party
from tests.games.dragonlords.field import at_war, until
from tests.games.dragonlords.land import phase, stands
from tests.games.dragonlords.sea import docked, fleet, raid

KINGS = (
    *stands("orc", OR_k=4), *stands("elf", FM_k=4), *stands("dwarf", SC_k=4),
    ChipSet("orc", "orc.king", "OR_k"), ChipSet("elf", "elf.king", "FM_k"), ChipSet("dwarf", "dwarf.king", "SC_k"),
)  # fmt: skip


def caster(place: str, *spells: str, n: int = 1, shown: bool = False) -> tuple[Any, ...]:
    """Return that a wizard of the Orcs stands in a place and knows these spells."""
    return ChipSet("orc", f"orc.wizard.{n}", place, shown), SpellsSet(f"orc.wizard.{n}", spells)


def _cases(*tables: tuple[tuple[Any, ...], ...]) -> list[tuple[Any, ...]]:
    return [(*case[:4], case[4:]) for table in tables for case in table]


# In harbours and at sea

HARBOUR = (*stands("orc", OR_sw=4), *docked(OR_sw=2))
ABOARD = (*HARBOUR, *fleet("orc", "S1", 2, 5))
BLOCKADED = (*HARBOUR, *fleet("elf", "S1", 1, 2))
MET = (*HARBOUR, *fleet("elf", "S1", 1, 2), *raid("orc", "S1", 1, 3, origin="S2"))
ELVEN_PORT = (*fleet("orc", "S1", 1, 3), *stands("elf", OR_sw=2))
FLEECE = (*fleet("orc", "S1", 1, 3), ChipSet("orc", "golden_fleece", "S1"))
FLEECE_MET = (
    *docked(FM_nw=1),
    *stands("orc", FM_nw=3),
    *fleet("elf", "S1", 1, 2),
    *raid("orc", "S1", 1, 3, origin="S2"),
    ChipSet("orc", "golden_fleece", "S1"),
)
CROWDED = (*fleet("orc", "S1", 2, 9),)

AT_SEA: tuple[tuple[Any, ...], ...] = (
    ("sea", HARBOUR, Board("OR_n", 1), "no_harbour", "QD-5.1"),
    ("transfer", HARBOUR, Board("OR_k", 1), "no_harbour", "QD-19.3"),
    ("transfer", ABOARD, Land("OR_k", 1), "no_harbour", "QD-19.3"),
    ("transfer", BLOCKADED, Board("OR_sw", 1), "enemy_blockade", "QD-19.3", "QD-H40"),
    ("transfer", (*stands("orc", OR_sw=12), *docked(OR_sw=1)), Board("OR_sw", 9), "too_few_ships", "QD-19.3", "QD-5.2"),
    ("transfer", (*ABOARD,), Land("OR_sw", 1, 3), "too_few_ships", "QD-19.3"),
    ("transfer", HARBOUR, Board("OR_sw", 1, 2), "ship_unmanned", "QD-19.3"),
    ("transfer", ELVEN_PORT, Land("OR_sw", 1), "enemy_there", "QD-19.3", "QD-5.7"),
    ("sea", FLEECE_MET, LeapByFleece(("N1",), "S1", 3, carrying=("golden_fleece",)), "must_fight", "QD-7.10", "QD-5.6", "QD-H40"),
    ("sea", CROWDED, Sail(("S2",), "S1", 9, 1), "too_many_aboard", "QD-5.1", "QD-H12"),
    ("sea", FLEECE, LeapByFleece(("N1", "N2"), "S1", 3, carrying=("golden_fleece",)), "no_voyage", "QD-7.10", "QD-H16"),
)  # fmt: skip


@pytest.mark.parametrize(("name", "position", "command", "code", "sections"), _cases(AT_SEA))
def test_what_ships_may_not(
    name: str, position: tuple[Any, ...], command: Any, code: str, sections: tuple[str, ...]
) -> None:
    """In phase 2 and in phase 5 the same is forbidden under other sections (QD-5.1, QD-19.3)."""
    phase("orc", name, *KINGS, *position).when("orc", command).refused(code, *sections)


# Units that go: too many, none, others than stand there, or for the second time

WIZARD = (*stands("orc", OR_n=3), *caster("OR_n", "teleport"))
MANY = (*stands("orc", OR_n=6), *caster("OR_n", "teleport"))
LORD = (UnitsSet("orc", "OR_n", 3, 1),)
ON_ROAD = (*stands("orc", WT02=3),)
MIXED = (UnitsSet("orc", "OR_n", 3, 1), *caster("OR_n", "teleport"), *ON_ROAD)
FULL = (*stands("orc", OR_n=6, WT02=4), *caster("OR_n", "teleport"))
ROYAL = (*stands("orc", OR_n=6, WT02=2), *caster("OR_n", "teleport"), ChipSet("orc", "orc.king", "OR_n"))
PORT_MAGE = (*HARBOUR, *caster("OR_sw", "teleport"))

UNITS: tuple[tuple[Any, ...], ...] = (
    ("sea", ABOARD, Sail(("S2",), "S1", 0), "nobody_sent", "QD-5.1"),
    ("sea", ABOARD, Land("OR_sw", 0), "nobody_sent", "QD-5.1"),
    ("transfer", ABOARD, Land("OR_sw", 0), "nobody_sent", "QD-19.3"),
    ("quest", stands("orc", OR_s=3), SendParty("OR_s", 0), "nobody_sent", "QD-6.1"),
    ("quest", stands("orc", OR_s=3), SendParty("OR_s", 4), "not_there", "QD-6.1"),
    ("sea", MANY, Teleport("orc.wizard.1", "OR_k", "OR_n", 1, 1), "not_there", "QD-15.3", "QD-5.3"),
    ("sea", LORD, Teleport("dragonlord", "OR_k", "OR_n", 1, 1), "not_there", "QD-15.3", "QD-5.4"),
    ("transfer", MANY, Teleport("orc.wizard.1", "OR_k", "OR_n", 1, 1), "not_there", "QD-19.2"),
    ("transfer", HARBOUR, Board("OR_sw", 4), "left_empty", "QD-19.3", "QD-X45"),
    ("sea", WIZARD, Teleport("orc.wizard.1", "OR_k", "OR_n", 2), "too_many", "QD-15.3", "QD-5.3", "QD-X10", "QD-X45"),
    ("sea", LORD, Teleport("dragonlord", "OR_k", "OR_n", 3), "too_many", "QD-15.3", "QD-5.4", "QD-X10", "QD-X45"),
    ("sea", WIZARD, Teleport("orc.wizard.2", "OR_k", "OR_n"), "cannot_teleport", "QD-15.3", "QD-5.4", "QD-H28"),
    ("transfer", WIZARD, Teleport("orc.wizard.2", "OR_k", "OR_n"), "cannot_teleport", "QD-19.2", "QD-5.4", "QD-H28"),
    ("sea", WIZARD, Teleport("orc.wizard.1", "OR_k", "OR_n", 1, leading=("orc.wizard.1",)), "no_such_chip", "QD-15.3", "QD-5.3"),
    (
        "sea", (*LORD, ChipSet("orc", "orc.wizard.1", "OR_n", False, True), SpellsSet("orc.wizard.1", ("heal",))),
        Teleport("orc.wizard.1", "OR_k", "OR_n", 1, leading=("orc.wizard.1",)), "no_such_chip", "QD-15.3", "QD-5.4",
    ),
    ("transfer", WIZARD, Teleport("orc.wizard.1", "OR_k", "OR_n", 1, leading=("orc.wizard.1",)), "no_such_chip", "QD-19.2"),
    ("sea", FULL, Teleport("orc.wizard.1", "WT02", "OR_n", 2), "no_room_there", "QD-15.3", "QD-5.3", "QD-H12"),
    ("transfer", FULL, Teleport("orc.wizard.1", "WT02", "OR_n", 2), "no_room_there", "QD-19.2", "QD-H12"),
    (
        "sea", (UnitsSet("orc", "OR_n", 9, 1), *fleet("orc", "S1", 1, 7)),
        Teleport("dragonlord", "S1", "OR_n", 3), "no_room_there", "QD-15.3", "QD-5.4", "QD-H12",
    ),
    ("sea", MIXED, Teleport("orc.wizard.1", "WT02", "OR_n", 0, 1), "no_dragonlord_there", "QD-15.3", "QD-5.3", "QD-X9", "QD-X71"),
    ("transfer", MIXED, Teleport("orc.wizard.1", "WT02", "OR_n", 0, 1), "no_dragonlord_there", "QD-19.2", "QD-X9", "QD-X71"),
    (
        "sea", ROYAL, Teleport("orc.wizard.1", "WT02", "OR_n", 1, leading=("orc.king",)),
        "no_king_there", "QD-15.3", "QD-5.3", "QD-14.2",
    ),
    ("transfer", ROYAL, Teleport("orc.wizard.1", "WT02", "OR_n", 1, leading=("orc.king",)), "no_king_there", "QD-19.2", "QD-14.2"),
)  # fmt: skip


@pytest.mark.parametrize(("name", "position", "command", "code", "sections"), _cases(UNITS))
def test_which_units_may_not_go(
    name: str, position: tuple[Any, ...], command: Any, code: str, sections: tuple[str, ...]
) -> None:
    """Nobody, too many, and who is not there: aboard, by magic, into the Wastelands (QD-5.1, QD-5.3, QD-6.1, QD-19.2)."""
    kings = tuple(
        fact for fact in KINGS if not (position is ROYAL and getattr(fact, "chip", "") == "orc.king")
    )
    phase("orc", name, *kings, *position).when("orc", command).refused(code, *sections)


MAGE = ("orc.wizard.1",)
TAKEN = Teleport("orc.wizard.2", "OR_k", "OR_sw", 1, leading=MAGE)
AGAIN: tuple[tuple[Any, ...], ...] = (
    ("sea", (*ABOARD, *caster("S1", "heal")), Land("OR_sw", 1, leading=MAGE), Board("OR_sw", 1, leading=MAGE), "moved_already", "QD-5.1", "QD-H28"),
    ("transfer", (*ABOARD, *caster("S1", "heal")), Land("OR_sw", 1, leading=MAGE), Board("OR_sw", 1, leading=MAGE), "moved_already", "QD-19.3", "QD-H28"),
    (
        "transfer", (*ABOARD, *caster("S1", "heal"), *caster("OR_sw", "teleport", n=2)),
        Land("OR_sw", 1, leading=MAGE), TAKEN, "moved_already", "QD-19.2", "QD-H28",
    ),
    ("sea", FLEECE, LeapByFleece(("N1",), "S1", 3, carrying=("golden_fleece",)), LeapByFleece(("S1",), "N1", 3, carrying=("golden_fleece",)), "leapt_already", "QD-7.10", "QD-H28"),
)  # fmt: skip


@pytest.mark.parametrize(
    ("name", "position", "first", "command", "code", "sections"), [(*case[:5], case[5:]) for case in AGAIN]
)
def test_who_may_not_go_again(
    name: str, position: tuple[Any, ...], first: Any, command: Any, code: str, sections: tuple[str, ...]
) -> None:
    """A wizard who landed boards and is taken along no more in that phase, and the Fleece takes ships once (QD-H28)."""
    table = phase("orc", name, *KINGS, *position)
    table.must("orc", first)
    table.when("orc", command).refused(code, *sections)


# What is bought on a quest, and read

SCROLLS = ("charm", "clairvoyance", "berserk", "infernal", "ship", "summon_elemental.fire", "tempest")
HAND = (HandSet("orc", SCROLLS), *stands("elf", OR_n=4))
SEEN_SHIELD = (*HAND, ChipSet("elf", "invincible_shield", "OR_n", True))
NO_READER = "OR_s"

READ: tuple[tuple[Any, ...], ...] = (
    ("buy", HAND, ReadScroll("berserk", NO_READER), "no_spell_user", "QD-16.4", "QD-16.1", "QD-H49"),
    ("buy", HAND, ReadScroll("infernal", NO_READER), "no_spell_user", "QD-16.5", "QD-16.1", "QD-H49"),
    ("buy", HAND, ReadScroll("charm", NO_READER), "no_spell_user", "QD-16.8", "QD-16.1", "QD-H49"),
    ("buy", HAND, ReadScroll("clairvoyance", NO_READER), "no_spell_user", "QD-16.9", "QD-16.1", "QD-H49"),
    ("buy", HAND, ReadScroll("ship", "OR_k", target="elf"), "no_target", "QD-16.6"),
    ("buy", HAND, ReadScroll("charm", "OR_k", target="elf"), "no_target", "QD-16.8"),
    ("buy", HAND, ReadScroll("berserk", "OR_k"), "nobody_to_strike", "QD-16.4", "QD-16.1", "QD-H49"),
    ("buy", SEEN_SHIELD, ReadScroll("summon_elemental.fire", "OR_n"), "protected", "QD-16.2", "QD-7.6"),
)  # fmt: skip


@pytest.mark.parametrize(("name", "position", "command", "code", "sections"), _cases(READ))
def test_what_a_scroll_may_not(
    name: str, position: tuple[Any, ...], command: Any, code: str, sections: tuple[str, ...]
) -> None:
    """Each kind of scroll is refused under its own section (QD-16.1 to QD-16.9)."""
    phase("orc", name, *KINGS, *position).when("orc", command).refused(code, *sections)


# What is asked in the middle of something: a shop, a battle, a scroll that strikes

GOLD = [GoldSet("OR_k", 3)]
SPELLS = (ChipSet("orc", "orc.wizard.1", "OR_n", True), SpellsSet("orc.wizard.1", ("fireball", "lightning")))
READER = (*SPELLS, HandSet("orc", ("berserk", "infernal")))
SHADED = (HoardSet("elf", 1), ShadeSet("elf", "G1", hides=True), *stands("elf", FM_k=2))


def held(treasure: str) -> ChipSet:
    """Return that everybody sees a treasure of the Elves in Goldmere."""
    return ChipSet("elf", treasure, "G1", True)


def shop(place: str) -> Table:
    """Return a table at which a party of the Orcs may buy in a den or shrine, with three gold in their kingdom."""
    beside = {"WT04": "WT03", "WT06.orc": "WT05"}[place]
    table = at_quest(party("orc", beside, 3), party("orc", "OR_k", 2), GOLD)
    table.must("orc", MoveParty(beside))
    dice(table, 1)
    table.must("orc", Travel(place))
    return table


def battle(*position: Any) -> Table:
    """Return a battle of five Orcs, a wizard among them who is seen, against four Elves in Goldmere."""
    table = at_war(*position, *stands("orc", OR_n=6), *stands("elf", G1=4))
    table.must("orc", Attack("G1", "OR_n", 5, leading=MAGE))
    table.must("orc", Fight("G1"))
    return table


def cast(*position: Any) -> Table:
    return until(battle(*position), "cast")


def window(scroll: str) -> Table:
    """Return a battle in which a scroll strikes Elves who may have something that protects them."""
    table = battle(*READER, *SHADED)
    table.must("orc", ReadScroll(scroll, "G1"))
    return table


def sent() -> Table:
    """Return a battle at the end of a round, of Orcs who came by teleport, where their wizard might leave (QD-X44)."""
    column = ColumnSet("orc", "G1", "OR_n", 3, how="teleport")
    mage = (ChipSet("orc", "orc.wizard.1", "G1", way="teleport"), SpellsSet("orc.wizard.1", ("teleport",)))
    table = at_war(*stands("orc", OR_n=2), *stands("elf", G1=4), column, *mage, X44="any_attacker")
    table.must("orc", Fight("G1"))
    return until(table, "choice")


MIDST: tuple[tuple[Any, ...], ...] = (
    (lambda: shop("WT04"), "orc", BuyItem("potion", 0), "nothing_bought", "QD-6.7"),
    (lambda: shop("WT06.orc"), "orc", BuyItem("talisman", 0), "nothing_bought", "QD-6.8"),
    (lambda: shop("WT06.orc"), "orc", BuyItem("talisman", 2), "too_little_gold", "QD-6.8"),
    (lambda: window("berserk"), "elf", Protect("elf.king"), "no_protection_there", "QD-H9", "QD-16.4"),
    (lambda: window("infernal"), "elf", Protect("elf.king"), "no_protection_there", "QD-H9", "QD-16.5"),
    (lambda: cast(*SPELLS), "orc", Cast("panic"), "no_attack_spell", "QD-15.2", "QD-15.5", "QD-14.6"),
    (lambda: cast(*SPELLS, held("trident")), "orc", Cast("lightning"), "protected", "QD-7.9"),
    (lambda: cast(*SPELLS, held("ring_of_fire")), "orc", Cast("fireball"), "protected", "QD-7.4"),
    (lambda: battle(*READER, held("dragon_shield")), "orc", ReadScroll("infernal", "G1"), "protected", "QD-16.5"),
    (lambda: at_war(*stands("orc", OR_n=3, OR_k=3)), "orc", Attack("OR_k", "OR_n", 1), "own_territory", "QD-10.2", "QD-18.1", "QD-19.1"),
    (sent, "orc", Retreat("OR_n"), "bound_to_fight", "QD-17.1", "QD-X44"),
)  # fmt: skip


@pytest.mark.parametrize(
    ("table", "seat", "command", "code", "sections"), [(*case[:4], case[4:]) for case in MIDST]
)
def test_what_is_no_answer_there(
    table: Callable[[], Table], seat: str, command: Any, code: str, sections: tuple[str, ...]
) -> None:
    """Purchases of nothing, protection that is none, spells that find nobody, and a retreat of who came by magic (QD-6.7, QD-17.1)."""
    table().when(seat, command).refused(code, *sections)
