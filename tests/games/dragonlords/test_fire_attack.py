"""The fire attack of a DragonLord on a blockade (QD-13), in place of the battle (QD-X7)."""

from typing import Any

import pytest

from core.games.dragonlords import RULES
from core.games.dragonlords.armies import UnitsLost, UnitsMoved
from core.games.dragonlords.battle import Pass
from core.games.dragonlords.chips import ChipLost, ChipShown
from core.games.dragonlords.docks import ShipsSunk
from core.games.dragonlords.ending import KingBeaten
from core.games.dragonlords.fire_attack import BlockadeBurnt, FireAttack, Shield
from core.games.dragonlords.land_combat import Fight
from core.games.dragonlords.phases import EndPhase
from core.games.dragonlords.position import ChipSet, ColumnSet, HandSet, HoardSet, ShipsSet, TurnSet, UnitsSet
from core.games.dragonlords.state import Army
from core.games.dragonlords.teleport import Teleport
from core.kit.table import Rule
from core.seats import ARBITER
from events.play import GameEnded
from events.table import Forfeited
from tests.driver import SPECTATOR, Table, given
from tests.games.dragonlords.field import silent
from tests.games.dragonlords.land import is_offered, stands, told
from tests.games.dragonlords.sea import afloat, docked, fleet, raid, sea, to_battle

LORD = ColumnSet("orc", "C3", "OR_k", 2, 1, how="teleport")
BLOCKADE = fleet("elf", "C3", 2, 5)
FIRE = FireAttack("C3")


def fire(*position: Any, lord: Any = LORD, **answers: str) -> Table:
    """Return a table in phase 4 at which a DragonLord of the Orcs and two units are in the zone of an Elf blockade."""
    return sea(lord, *position, name="combat", **answers)


def test_a_fire_attack_destroys_all_ships_of_a_blockade_with_all_aboard() -> None:
    """QD-13.1: nobody answers it, nobody rolls; the ships go to the supply (QD-H44)."""
    table = fire(*BLOCKADE)
    assert is_offered(table, "orc", FIRE)
    table.when("orc", FIRE).asks(orc="combat")
    assert [(fact.seat, fact.loser, fact.count) for fact in told(table, BlockadeBurnt)] == [("orc", "elf", 2)]
    assert [(fact.seat, fact.count) for fact in told(table, UnitsLost)] == [("elf", 5)]
    assert [(fact.seat, fact.count) for fact in told(table, ShipsSunk)] == [("elf", 2)]
    assert (table.state.fleets, table.state.sunk) == ({}, 2)
    assert table.state.armies["C3"] == Army("orc", 2, 1)
    table.must("orc", EndPhase())


def test_off_their_own_coast_those_aboard_are_saved_and_the_ships_are_lost() -> None:
    """QD-13.1, QD-X8: they are put into the harbour territory on the zone that the owner of the ships holds."""
    table = fire(*BLOCKADE, *stands("elf", SV_sw=1), ChipSet("elf", "elf.king", "C3"))
    table.must("orc", FIRE)
    (moved,) = told(table, UnitsMoved)
    assert (moved.seat, moved.target, moved.units) == ("elf", "SV_sw", 5)
    assert table.state.armies["SV_sw"] == Army("elf", 6)
    assert table.state.chips["elf.king"].place == "SV_sw"
    assert "elf.king" not in table.view("orc").state.chips
    assert (table.state.sunk, told(table, UnitsLost)) == (2, [])


def test_a_coast_of_the_attacker_saves_nobody() -> None:
    """QD-X8: friendly to the owner of the ships, not to the DragonLord."""
    table = fire(*BLOCKADE, *stands("orc", SV_sw=1))
    table.must("orc", FIRE)
    assert [(fact.seat, fact.count) for fact in told(table, UnitsLost)] == [("elf", 5)]


def test_docked_ships_are_not_burnt() -> None:
    """QD-13.2: a ship without units is under the protection of its harbour."""
    table = fire(*BLOCKADE, *stands("elf", SV_se=1), *docked(SV_se=1))
    table.when("orc", FireAttack("SV_se")).refused("docked_ship", "QD-13.2")


def test_the_dragonlord_must_be_in_the_zone() -> None:
    """QD-13.3: one next to it burns nothing, nor does an army without a DragonLord, nor where no enemy is."""
    table = sea(
        *raid("orc", "C3", 1, 3, origin="S2"), *BLOCKADE, UnitsSet("orc", "SV_sw", 1, 1), name="combat"
    )
    for place in ("C3", "C2", "S2", "WT01"):
        table.when("orc", FireAttack(place)).refused("no_dragonlord", "QD-13.3")
    assert not is_offered(table, "orc", FIRE)


def test_it_is_declared_before_any_dice() -> None:
    """QD-X7: it replaces the battle; once that has begun it is too late."""
    table = fire(*BLOCKADE)
    table.when("orc", Fight("C3")).asks(chance="roll")
    table.when("orc", FIRE).refused("not_your_turn")


@pytest.mark.parametrize("treasure", ("ring_of_fire", "dragon_shield"))
def test_a_shield_or_ring_of_fire_that_everybody_sees_stops_it(treasure: str) -> None:
    """QD-H41, QD-7.4, QD-7.7: the blockade must be fought."""
    table = fire(*BLOCKADE, ChipSet("elf", treasure, "C3", shown=True))
    table.when("orc", FIRE).refused("protected", "QD-H41")
    assert not is_offered(table, "orc", FIRE)
    table.must("orc", Fight("C3"))


def test_a_hidden_one_may_be_shown_in_answer() -> None:
    """QD-H41: then there is no fire attack, and the battle is still to be fought."""
    table = fire(*BLOCKADE, ChipSet("elf", "dragon_shield", "C3"))
    table.when("orc", FIRE).asks(elf="shield")
    assert table.ask("elf").silence == Pass()
    table.when("elf", Shield("ring_of_fire")).refused("no_shield_there", "QD-H41", "QD-7.4", "QD-7.7")
    table.when("elf", Shield("dragon_shield")).asks(orc="combat")
    assert [fact.chip for fact in told(table, ChipShown)] == ["dragon_shield"]
    assert afloat(table.state) == {"C3": ("elf", 5, 2)}
    table.when("orc", FIRE).refused("protected", "QD-7.7")
    table.when("orc", EndPhase()).refused("battles_open", "QD-11.1")


def test_who_shows_nothing_burns_and_his_treasures_go_down_with_him() -> None:
    """QD-H54: no unit of anybody is left there to take them, so they go back among the face-down ones."""
    table = fire(
        *BLOCKADE, ChipSet("elf", "dragon_shield", "C3"), ChipSet("elf", "holy_grail", "C3", shown=True)
    )
    table.when("orc", FIRE).asks(elf="shield")
    table.when("elf", Pass()).asks(orc="combat")
    assert {fact.chip for fact in told(table, ChipLost)} == {"dragon_shield", "holy_grail"}
    assert table.state.hoards["elf"] == 0


def test_the_holy_grail_saves_nobody_from_it() -> None:
    """QD-H18: it leaves no ship to stand on, so no die is rolled."""
    table = fire(*BLOCKADE, ChipSet("elf", "holy_grail", "C3", shown=True))
    table.when("orc", FIRE)
    assert [fact.count for fact in told(table, UnitsLost)] == [5]


def test_whether_it_is_answered_hangs_on_what_everybody_knows() -> None:
    """QD-H42: the owner of a treasure is asked wherever it may lie, and of what he has nothing is seen."""
    there = fire(*BLOCKADE, ChipSet("elf", "dragon_shield", "C3"), ChipSet("elf", "elf.blank", "SC_k"))
    elsewhere = fire(*BLOCKADE, ChipSet("elf", "dragon_shield", "SC_k"), ChipSet("elf", "elf.blank", "C3"))
    for table in (there, elsewhere):
        table.when("orc", FIRE).asks(elf="shield")
        table.when("elf", Pass())
    for reader in ("orc", SPECTATOR):
        one, other = (each.log[2] for each in (there, elsewhere))
        assert [type(fact) for fact in there.seen(one, reader).facts][:3] == [
            type(fact) for fact in elsewhere.seen(other, reader).facts
        ][:3]
    nothing = fire(*BLOCKADE, ChipSet("elf", "elf.blank", "C3"))
    nothing.when("orc", FIRE).asks(orc="combat")
    known = fire(
        *BLOCKADE,
        ChipSet("elf", "elf.blank", "C3"),
        ChipSet("elf", "dragon_shield", "SC_k", shown=True),
        HoardSet("elf", 1),
    )
    known.when("orc", FIRE).asks(orc="combat")


def test_a_king_who_burns_was_beaten_by_the_user() -> None:
    """QD-H11: his scrolls go to the user, and the last king ends the game (QD-22.2)."""
    table = fire(*BLOCKADE, ChipSet("elf", "elf.king", "C3"), HandSet("elf", ("reflect",)))
    table.when("orc", FIRE)
    assert [(fact.seat, fact.victor) for fact in told(table, KingBeaten)] == [("elf", "orc")]
    assert table.state.hands["orc"] == ("reflect",)
    assert [fact.winners for fact in told(table, GameEnded)] == [("orc",)]


def test_a_vanquished_fleet_may_be_burnt_and_its_treasures_do_not_protect_it() -> None:
    """QD-H41, QD-H47: it has no treasures to use."""
    table = given(
        RULES, *stands("orc", OR_k=3), *stands("dwarf", SC_k=3), UnitsSet("orc", "FM_k", 3, 1), *BLOCKADE,
        ChipSet("elf", "dragon_shield", "C3", shown=True), TurnSet("elf", "buy"), seats=("elf", "orc", "dwarf"),
    )  # fmt: skip
    table.must(ARBITER, Rule(Forfeited("elf"), "went home"))
    while (question := table.now.question) is not None and (table.state.active, question.kind) != (
        "orc",
        "sea",
    ):
        silent(table)
    table.must("orc", Teleport("dragonlord", "C3", "FM_k", 2))
    to_battle(table)
    table.when("orc", FIRE).asks(orc="combat")
    assert [fact.loser for fact in told(table, BlockadeBurnt)] == ["elf"]


def test_after_it_the_dragonlord_and_its_passengers_go_home_in_phase_five() -> None:
    """QD-H41, QD-13.3, QD-11.6: no ship is left to stand on."""
    table = fire(*BLOCKADE)
    table.must("orc", FIRE)
    assert table.state.spent == {"C3": 3}
    table.must("orc", EndPhase())
    table.when("orc", EndPhase()).refused("dragonlord_at_sea", "QD-11.6")
    table.when("orc", Teleport("dragonlord", "OR_k", "C3", 1)).refused("left_without_ship", "QD-H24")
    table.must("orc", Teleport("dragonlord", "OR_k", "C3", 2))
    assert table.state.armies["OR_k"] == Army("orc", 5, 1)
    assert "C3" not in table.state.armies


def test_own_ships_in_the_zone_are_not_burnt() -> None:
    """QD-13.1: the blockade of the enemy alone; who came by ship holds the zone afterwards."""
    column = ColumnSet("orc", "C3", "S2", 2, 1, how="ship")
    table = fire(*BLOCKADE, ShipsSet("C3", 1, attacking=True), lord=column)
    table.must("orc", FIRE)
    assert afloat(table.state) == {"C3": ("orc", 3, 1)}
    table.must("orc", EndPhase())
    table.must("orc", Teleport("dragonlord", "OR_k", "C3"))
    assert afloat(table.state) == {"C3": ("orc", 2, 1)}
