"""Teleport in phase 2, from land to land (QD-15.3)."""

from typing import Any

import pytest

from core.games.dragonlords.armies import GoldTaken, UnitsMoved
from core.games.dragonlords.forced_march import ForcedMarch
from core.games.dragonlords.land_combat import Attack
from core.games.dragonlords.phases import EndPhase
from core.games.dragonlords.position import ChipSet, SpellsSet, UnitsSet
from core.games.dragonlords.state import Column
from core.games.dragonlords.teleport import Teleport
from tests.driver import SPECTATOR, Table
from tests.games.dragonlords.land import gold, is_offered, offered, phase, stands, told

WIZARD = (
    ChipSet("orc", "orc.wizard.1", "FM_k"),
    SpellsSet("orc.wizard.1", ("heal", "fireball", "teleport")),
)
ORCS = stands("orc", FM_k=9, FM_s=2, I1=3)
ELVES = stands("elf", OR_n=2, SC_k=2)


def sailing(*more: Any, answers: dict[str, str] | None = None) -> Table:
    """Return a table in phase 2 of the Orcs."""
    return phase("orc", "sea", *ORCS, *ELVES, *more, seats=("orc", "elf"), answers=answers or {})


def test_a_wizard_teleports_into_an_enemy_kingdom_to_fight_there() -> None:
    """With up to five others; they stand there as attackers until phase 4 (QD-15.3)."""
    table = sailing(*WIZARD)
    strike = Teleport("orc.wizard.1", "SC_k", "FM_k", 5)
    assert is_offered(table, "orc", strike)
    table.must("orc", strike)
    assert table.state.columns == {"SC_k": (Column("orc", "FM_k", 6, 0, "teleport"),)}
    assert table.state.chips["orc.wizard.1"].way == "teleport"
    assert table.view("elf").state.columns == table.state.columns
    assert table.view("elf").state.chips["orc.wizard.1"].place == "SC_k"
    table.must("orc", EndPhase())
    table.when("orc", EndPhase()).refused("battles_open")


def test_who_does_not_know_the_spell_teleports_nobody() -> None:
    """The pegs are open: so everybody may hear which wizard can't, and that no king can (QD-14.2, QD-14.3, QD-15.3)."""
    other = (ChipSet("orc", "orc.wizard.2", "FM_k"), SpellsSet("orc.wizard.2", ("hope",)))
    table = sailing(*WIZARD, *other, ChipSet("orc", "orc.king", "FM_k"))
    for caster, section in (("orc.wizard.2", "QD-14.3"), ("orc.king", "QD-14.2")):
        table.when("orc", Teleport(caster, "SC_k", "FM_k", 2)).refused("cannot_teleport", section, "QD-15.3")
        assert [reason.secret for reason in table.reasons] == [False]
    table.when("orc", Teleport("orc.wizard.2", "SC_k", "FM_k")).refused("cannot_teleport", "QD-14.3")
    table.when("orc", Teleport("orc.king", "SC_k", "FM_k")).refused("cannot_teleport", "QD-14.2")


def test_who_teleported_to_friendly_land_may_then_move_and_attack() -> None:
    """Phase 2 uses up no move of phase 4 (QD-15.3)."""
    table = sailing(*WIZARD, *stands("orc", G1=1))
    table.must("orc", Teleport("orc.wizard.1", "G1", "FM_k", 4))
    table.must("orc", EndPhase())
    assert is_offered(table, "orc", ForcedMarch(("FM_s",), "G1", 2))
    table.must("orc", Attack("OR_n", "G1", 5, leading=("orc.wizard.1",)))


def test_an_empty_territory_is_claimed_by_teleport() -> None:
    """Any territory serves in phase 2; gold that waits there is taken (QD-15.3, QD-2.2)."""
    table = sailing(*WIZARD, *gold(AL_k=4))
    table.must("orc", Teleport("orc.wizard.1", "AL_k", "FM_k", 1))
    assert table.state.armies["AL_k"].size == 2
    assert [fact.gold for fact in told(table, GoldTaken)] == [4]


def test_a_wizard_takes_five_others_and_the_table_may_count_him_among_them() -> None:
    """Himself and five, or five in all (QD-15.3)."""
    table = sailing(*WIZARD)
    table.when("orc", Teleport("orc.wizard.1", "FM_s", "FM_k", 6)).refused("too_many", "QD-15.3")
    counted = sailing(*WIZARD, answers={"QD-X10": "caster_included"})
    counted.when("orc", Teleport("orc.wizard.1", "FM_s", "FM_k", 5)).refused("too_many", "QD-X10")
    assert is_offered(counted, "orc", Teleport("orc.wizard.1", "FM_s", "FM_k", 4))


def test_a_dragonlord_takes_ten_others() -> None:
    """All from its own territory, and DragonLords count as units (QD-15.3, QD-14.5)."""
    table = sailing(UnitsSet("orc", "FM_k", 12, 2))
    table.when("orc", Teleport("dragonlord", "SC_k", "FM_k", 11)).refused("too_many", "QD-15.3")
    table.must("orc", Teleport("dragonlord", "SC_k", "FM_k", 9, 1))
    assert table.state.columns["SC_k"] == (Column("orc", "FM_k", 9, 2, "teleport"),)


def test_only_who_knows_teleport_teleports_and_only_from_where_he_is() -> None:
    """A king, a blank, a wizard without the spell and one elsewhere do not (QD-15.3)."""
    table = sailing(
        *WIZARD,
        ChipSet("orc", "orc.king", "FM_k"),
        ChipSet("orc", "orc.blank", "FM_k"),
        ChipSet("orc", "orc.wizard.2", "FM_k"),
        SpellsSet("orc.wizard.2", ("hope",)),
    )
    for caster in ("orc.king", "orc.blank", "orc.wizard.2", "elf.wizard.1", "dragonlord", "nobody"):
        table.when("orc", Teleport(caster, "FM_s", "FM_k")).refused("cannot_teleport", "QD-15.3")
        assert not is_offered(table, "orc", Teleport(caster, "FM_s", "FM_k"))
    table.when("orc", Teleport("orc.wizard.1", "FM_k", "FM_s")).refused("cannot_teleport")
    table.when("orc", Teleport("orc.wizard.1", "FM_s", "N1")).refused("cannot_teleport")


def test_a_king_is_teleported_by_another() -> None:
    """A king may be among those who are taken along, unseen (QD-15.3)."""
    table = sailing(*WIZARD, ChipSet("orc", "orc.king", "FM_k"))
    table.must("orc", Teleport("orc.wizard.1", "FM_s", "FM_k", 1, leading=("orc.king",)))
    assert table.state.chips["orc.king"].place == "FM_s"
    assert set(table.view("elf").state.chips) == {"orc.wizard.1"}
    table.when("orc", Teleport("orc.wizard.1", "FM_k", "FM_s")).refused("cannot_teleport", "QD-15.3")


def test_a_spell_user_teleports_once_in_the_phase() -> None:
    """A second DragonLord of the same place may still do so (QD-15.3)."""
    table = sailing(UnitsSet("orc", "FM_k", 6, 1), UnitsSet("orc", "FM_s", 2, 1))
    table.must("orc", Teleport("dragonlord", "FM_s", "FM_k", 2))
    table.must("orc", Teleport("dragonlord", "FM_k", "FM_s"))
    table.when("orc", Teleport("dragonlord", "FM_k", "FM_s")).refused("cannot_teleport")
    table.when("orc", Teleport("dragonlord", "FM_s", "FM_k")).refused("cannot_teleport")


def test_a_dragonlord_that_teleported_does_so_no_more_where_another_takes_it() -> None:
    """QD-H28, QD-5.4: of those taken along, who has not teleported yet goes first."""
    far = UnitsSet("orc", "SC_k", 3, 1), *stands("orc", I1=2)
    table = sailing(*WIZARD, *far, *stands("elf", OR_n=2))
    table.must("orc", Teleport("dragonlord", "FM_k", "SC_k", 1))
    table.must("orc", Teleport("orc.wizard.1", "I1", "FM_k", 2, 1))
    table.when("orc", Teleport("dragonlord", "FM_s", "I1", 1)).refused("cannot_teleport", "QD-H28")
    assert table.state.ready == ("orc.wizard.1", "dragonlord@I1"), "nobody else in FM_k is held back by it"
    table = sailing(*WIZARD, *far, UnitsSet("orc", "FM_k", 9, 1))
    table.must("orc", Teleport("dragonlord", "FM_k", "SC_k", 1))
    table.must("orc", Teleport("orc.wizard.1", "I1", "FM_k", 2, 1))
    table.when("orc", Teleport("dragonlord", "FM_s", "FM_k")).refused("cannot_teleport", "QD-H28")
    table.must("orc", Teleport("dragonlord", "FM_s", "I1", 1))
    table.leave()


def test_an_island_may_be_left_empty() -> None:
    """Elsewhere one unit stays when others go along; an island may be left by all (QD-2.5, QD-15.3)."""
    lord = UnitsSet("orc", "I1", 2, 1)
    table = sailing(lord)
    leave = Teleport("dragonlord", "FM_s", "I1", 2)
    assert is_offered(table, "orc", leave)
    table.must("orc", leave)
    assert "I1" not in table.state.armies
    (moved,) = told(table, UnitsMoved)
    assert "QD-2.5" in moved.because
    land = sailing(UnitsSet("orc", "FM_s", 2, 1))
    land.when("orc", Teleport("dragonlord", "FM_k", "FM_s", 2)).refused("too_many", "QD-X45")


def test_a_table_may_keep_islands_for_ships() -> None:
    """The reading of the answer on islands as a rule of the whole game (QD-2.5, QD-15.3)."""
    assert is_offered(sailing(*WIZARD), "orc", Teleport("orc.wizard.1", "I2", "FM_k"))
    table = sailing(*WIZARD, answers={"QD-X79": "by_ship_only"})
    table.when("orc", Teleport("orc.wizard.1", "I2", "FM_k")).refused("no_target", "QD-15.3")


def test_a_wizard_who_became_a_dragonlord_stays_unseen() -> None:
    """The figure is open, the wizard under it is not, whether or not one lies there (QD-14.5, QD-15.3)."""
    lord = UnitsSet("orc", "FM_k", 3, 1)
    hidden = sailing(lord, ChipSet("orc", "orc.wizard.1", "FM_k", on_dragonlord=True))
    plain = sailing(lord, ChipSet("orc", "orc.wizard.1", "FM_k"))
    named = hidden.twin()
    for table in (hidden, plain):
        table.must("orc", Teleport("dragonlord", "SC_k", "FM_k", 2))
    named.must("orc", Teleport("orc.wizard.1", "SC_k", "FM_k", 2))
    assert named.state == hidden.state, "he is the DragonLord, whether or not his owner names him"
    assert hidden.state.chips["orc.wizard.1"].place == "SC_k"
    assert plain.state.chips["orc.wizard.1"].place == "FM_k"
    for reader in ("elf", SPECTATOR):
        assert hidden.view(reader).state == plain.view(reader).state
        seen, other = (each.seen(each.log[-1], reader) for each in (hidden, plain))
        assert [type(fact) for fact in seen.facts] == [type(fact) for fact in other.facts]
        assert type(seen.command) is type(other.command)


def test_the_last_unit_leaves_without_telling_what_it_bears() -> None:
    """A whole stack that may hide a chip goes with a sealed command too (QD-1.4, QD-15.3)."""
    lord = UnitsSet("orc", "FM_n", 0, 1)
    table = sailing(lord, ChipSet("orc", "orc.wizard.1", "FM_n", on_dragonlord=True))
    table.must("orc", Teleport("orc.wizard.1", "SC_k", "FM_n"))
    assert b"wizard" not in table.log[-1].line
    assert table.view("elf").state.columns == table.state.columns


@pytest.mark.parametrize("lords", (0, 1))
def test_phase_two_passes_where_nobody_can_teleport(lords: int) -> None:
    """A question is asked exactly when pegs or figures say that someone may (QD-15.3, QD-4.1)."""
    table = phase("orc", "sea", UnitsSet("orc", "FM_k", 3, lords), *ELVES, seats=("orc", "elf"))
    table.asks(orc="sea" if lords else "combat")
    if lords:
        assert offered(table.ask("orc"), Teleport)
        assert table.ask("orc").silence == EndPhase()
