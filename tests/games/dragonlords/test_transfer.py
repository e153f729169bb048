"""Phase 5, transfer (QD-19)."""

from typing import Any

from core.games.dragonlords.armies import GoldTaken
from core.games.dragonlords.chips import ChipShown
from core.games.dragonlords.forces import ChipsTired
from core.games.dragonlords.phases import EndPhase
from core.games.dragonlords.position import ChipSet, SpellsSet, UnitsSet
from core.games.dragonlords.teleport import Teleport
from core.games.dragonlords.transfer import Transfer
from tests.driver import SPECTATOR, Table
from tests.games.dragonlords.land import gold, is_offered, offered, phase, stands, told

ORCS = stands("orc", FM_k=5, FM_s=2, G1=2)
ELVES = stands("elf", OR_n=2, SC_k=2)


def transferring(*more: Any, answers: dict[str, str] | None = None) -> Table:
    """Return a table in phase 5 of the Orcs."""
    return phase("orc", "transfer", *ORCS, *ELVES, *more, seats=("orc", "elf"), answers=answers or {})


def at(table: Table, place: str) -> int:
    """Return how many units stand in a place."""
    army = table.state.armies.get(place)
    return army.size if army is not None else 0


def test_units_step_to_an_adjacent_friendly_territory() -> None:
    """Every unit may move to one adjacent territory (QD-19.1)."""
    table = transferring()
    assert is_offered(table, "orc", Transfer("FM_s", "FM_k", 4))
    table.must("orc", Transfer("FM_s", "FM_k", 4))
    assert (at(table, "FM_k"), at(table, "FM_s")) == (1, 6)


def test_each_unit_moves_once() -> None:
    """Who has come stays where he is; who stood there may still go (QD-19.1)."""
    table = transferring()
    table.must("orc", Transfer("FM_s", "FM_k", 4))
    table.when("orc", Transfer("G1", "FM_s", 3)).refused("not_there", "QD-19.1")
    assert not is_offered(table, "orc", Transfer("G1", "FM_s", 3))
    table.must("orc", Transfer("G1", "FM_s", 2))
    assert (at(table, "FM_s"), at(table, "G1")) == (4, 4)
    table.must("orc", Transfer("FM_s", "G1", 2))


def test_no_territory_is_left_empty() -> None:
    """One unit stays in each (QD-19.1)."""
    table = transferring()
    table.when("orc", Transfer("FM_s", "FM_k", 5)).refused("left_empty", "QD-19.1")
    table.when("orc", Transfer("FM_s", "FM_k", 0)).refused("nobody_sent", "QD-19.1")
    table.when("orc", Transfer("FM_s", "FM_k", 6)).refused("not_there", "QD-19.1")


def test_a_transfer_goes_neither_far_nor_into_enemy_land() -> None:
    """Adjacent, and friendly or empty; out of one's own land (QD-19.1, QD-2.1)."""
    table = transferring()
    table.when("orc", Transfer("G1", "FM_k", 1)).refused("not_adjacent", "QD-2.9")
    table.when("orc", Transfer("N1", "FM_k", 1)).refused("not_adjacent", "QD-19.1")
    table.when("orc", Transfer("OR_n", "G1", 1)).refused("enemy_there", "QD-19.1", "QD-2.1")
    table.when("orc", Transfer("G1", "OR_n", 1)).refused("not_yours", "QD-19.1")
    table.when("orc", Transfer("FM_s", "FM_k", 1, gatekeeper="dragonlord")).refused("no_gate_there", "QD-2.6")


def test_an_empty_territory_is_claimed_with_the_gold_that_waits_there() -> None:
    """A player with more than one unit in an adjacent territory may claim it (QD-19.1, QD-2.2)."""
    table = phase("orc", "transfer", *stands("orc", FM_n=2), *ELVES, *gold(FM_k=9), seats=("orc", "elf"))
    table.must("orc", Transfer("FM_k", "FM_n", 1))
    assert at(table, "FM_k") == 1
    assert told(table, GoldTaken) == [GoldTaken("orc", "FM_k", 9, because=("QD-2.2", "QD-H46"))]


def test_a_single_unit_claims_nothing() -> None:
    """It may not leave its own territory empty (QD-19.1)."""
    table = phase("orc", "transfer", *stands("orc", FM_n=1), *ELVES, seats=("orc", "elf"))
    table.when("orc", Transfer("FM_k", "FM_n", 1)).refused("left_empty", "QD-19.1")
    assert not offered(table.ask("orc"), Transfer)
    assert is_offered(table, "orc", EndPhase())


def test_silence_leaves_everybody_where_he_is() -> None:
    """Moving is never owed on land (QD-19.1)."""
    assert transferring().ask("orc").silence == EndPhase()


def test_a_king_steps_unseen_and_once() -> None:
    """His chip goes with his unit in secret, and does not step on with another (QD-19.1, QD-1.4)."""
    table = transferring(ChipSet("orc", "orc.king", "FM_k"))
    step = Transfer("FM_s", "FM_k", 2, leading=("orc.king",))
    assert is_offered(table, "orc", step)
    table.must("orc", step)
    assert table.state.chips["orc.king"].place == "FM_s"
    assert table.view("elf").state.chips == {}
    assert table.view(SPECTATOR).state.armies == table.state.armies
    table.when("orc", Transfer("G1", "FM_s", 1, leading=("orc.king",))).refused("moved_already", "QD-19.1")
    assert told(table, ChipsTired) == [ChipsTired("orc", ("orc.king",), because=("QD-19.1", "QD-H28"))]


def test_each_king_and_wizard_needs_a_unit_that_bears_him() -> None:
    """One unit bears one chip of these, among those that go and among those that stay (QD-1.4)."""
    table = transferring(ChipSet("orc", "orc.king", "FM_s"), ChipSet("orc", "orc.wizard.1", "FM_s"))
    both = Transfer("FM_k", "FM_s", 1, leading=("orc.king", "orc.wizard.1"))
    table.when("orc", both).refused("too_few_bearers", "QD-1.4")
    unnamed = table.twin()
    unnamed.must("orc", Transfer("FM_k", "FM_s", 1))
    assert (unnamed.state.chips["orc.wizard.1"].place, unnamed.state.chips["orc.king"].place) == (
        "FM_k",
        "FM_s",
    )
    table.when("orc", Transfer("FM_k", "FM_s", 1, leading=("elf.king",))).refused("no_such_chip")
    table.must("orc", Transfer("FM_k", "FM_s", 1, leading=("orc.king",)))


def test_who_stepped_does_not_lend_his_place_to_a_king_who_stays() -> None:
    """Of the units that may still go, one bears the king; so all of them go only with him (QD-1.4, QD-19.1)."""
    table = transferring(ChipSet("orc", "orc.king", "FM_s"))
    table.must("orc", Transfer("FM_s", "FM_k", 2))
    unnamed = table.twin()
    unnamed.must("orc", Transfer("G1", "FM_s", 2))
    table.must("orc", Transfer("G1", "FM_s", 2, leading=("orc.king",)))
    assert unnamed.state == table.state


def test_who_names_one_leader_answers_for_the_others_too() -> None:
    """Of the two units that may still go both bear a chip; one who is named does not take the other along (QD-1.4, QD-H28)."""
    table = transferring(ChipSet("orc", "orc.king", "FM_s"), ChipSet("orc", "orc.wizard.1", "FM_s"))
    table.must("orc", Transfer("FM_s", "FM_k", 2))
    one = Transfer("G1", "FM_s", 2, leading=("orc.king",))
    table.when("orc", one).refused("too_few_bearers", "QD-1.4", "QD-H28")
    assert not is_offered(table, "orc", one)
    table.must("orc", Transfer("G1", "FM_s", 2))
    assert {table.state.chips[name].place for name in ("orc.king", "orc.wizard.1")} == {"G1"}


def test_treasures_go_under_any_unit_in_secret() -> None:
    """A unit must carry a treasure; which one does is its owner's affair (QD-1.4, QD-19.1)."""
    table = transferring(ChipSet("orc", "excalibur", "FM_k"), ChipSet("orc", "orc.blank", "FM_k"))
    table.must("orc", Transfer("FM_s", "FM_k", 1, carrying=("excalibur", "orc.blank")))
    assert table.state.chips["excalibur"].place == "FM_s"
    assert table.view("elf").state.chips == {}
    table.when("orc", Transfer("FM_s", "FM_k", 1, carrying=("excalibur",))).refused("no_such_chip")


def test_a_shown_chip_is_hidden_again_when_its_stack_splits() -> None:
    """The owner moves it unseen; the others know only that it is in one of the parts (QD-19.1, QD-1.4)."""
    table = transferring(ChipSet("orc", "orc.king", "FM_k", shown=True))
    assert set(table.view("elf").state.chips) == {"orc.king"}
    table.must("orc", Transfer("FM_s", "FM_k", 2))
    assert table.view("elf").state.chips == {}
    assert {"orc@FM_k", "orc@FM_s"} <= set(table.view("elf").state.shades)
    assert not table.state.chips["orc.king"].shown


def test_a_teleportal_is_a_border_for_who_has_a_spell_user_there() -> None:
    """He is shown; the units come as if the two were adjacent (QD-2.6, QD-19.1)."""
    more = (*stands("orc", T1=3), ChipSet("orc", "orc.wizard.1", "T1"))
    table = transferring(*more)
    step = Transfer("T3", "T1", 2, gatekeeper="orc.wizard.1")
    assert is_offered(table, "orc", step)
    assert is_offered(table, "orc", Transfer("T3", "T1", 2))
    other = table.twin()
    table.must("orc", step)
    other.must("orc", Transfer("T3", "T1", 2))
    assert at(table, "T3") == 2
    assert table.state == other.state
    assert set(table.view("elf").state.chips) == set()
    assert [fact.chip for fact in told(table, ChipShown)] == ["orc.wizard.1"]


def test_a_teleportal_does_not_open_for_units_alone() -> None:
    """Nor for the blank, nor for a king elsewhere (QD-2.6, QD-19.1)."""
    table = transferring(
        *stands("orc", T1=3), ChipSet("orc", "orc.blank", "T1"), ChipSet("orc", "orc.king", "FM_k")
    )
    for keeper in ("", "orc.king", "orc.blank", "dragonlord"):
        table.when("orc", Transfer("T3", "T1", 2, gatekeeper=keeper)).refused(
            "no_spell_user", "QD-2.6", "QD-19.1"
        )
        assert not is_offered(table, "orc", Transfer("T3", "T1", 2, gatekeeper=keeper))


def test_a_dragonlord_opens_a_teleportal_and_steps_like_a_unit() -> None:
    """DragonLords are spell users, and everybody sees them (QD-2.6, QD-14.5, QD-19.1)."""
    table = transferring(UnitsSet("orc", "T1", 1, 1))
    table.must("orc", Transfer("T2", "T1", 0, 1, gatekeeper="dragonlord"))
    assert (table.state.armies["T2"].dragonlords, at(table, "T1")) == (1, 1)
    table.when("orc", Transfer("T3", "T2", 0, 1)).refused("not_there")


def test_a_wizard_teleports_with_up_to_five_to_friendly_land() -> None:
    """In phase 5 only friendly territories serve, and enemy and empty land does not (QD-19.2, QD-15.3)."""
    wizard = (ChipSet("orc", "orc.wizard.1", "FM_k"), SpellsSet("orc.wizard.1", ("teleport",)))
    table = transferring(*wizard, UnitsSet("orc", "FM_k", 9))
    for place in ("OR_n", "FM_n", "FM_k", "N1", "WT01"):
        table.when("orc", Teleport("orc.wizard.1", place, "FM_k")).refused("no_target", "QD-19.2")
        assert not is_offered(table, "orc", Teleport("orc.wizard.1", place, "FM_k"))
    table.when("orc", Teleport("orc.wizard.1", "G1", "FM_k", 6)).refused("too_many", "QD-19.2")
    table.must("orc", Teleport("orc.wizard.1", "G1", "FM_k", 5))
    assert (at(table, "FM_k"), at(table, "G1")) == (3, 8)
    assert table.view("elf").state.chips["orc.wizard.1"].place == "G1"


def test_a_unit_either_steps_or_is_teleported() -> None:
    """Each does one of them in the phase, the caster too (QD-19.1, QD-19.2)."""
    wizard = (ChipSet("orc", "orc.wizard.1", "FM_k"), SpellsSet("orc.wizard.1", ("teleport",)))
    table = transferring(*wizard)
    twin = table.twin()
    table.must("orc", Teleport("orc.wizard.1", "G1", "FM_k", 2))
    table.when("orc", Transfer("FM_s", "G1", 3)).refused("not_there", "QD-19.1")
    table.when("orc", Teleport("orc.wizard.1", "FM_s", "G1")).refused("cannot_teleport", "QD-19.2")
    twin.must("orc", Transfer("FM_s", "FM_k", 2, leading=("orc.wizard.1",)))
    twin.when("orc", Teleport("orc.wizard.1", "G1", "FM_s")).refused("cannot_teleport", "QD-19.2")


def test_only_a_spell_user_with_teleport_leaves_a_territory_empty() -> None:
    """He alone may; who takes others along leaves one behind (QD-19.1)."""
    wizard = (ChipSet("orc", "orc.wizard.1", "T3"), SpellsSet("orc.wizard.1", ("teleport",)))
    table = transferring(*wizard, UnitsSet("orc", "T3", 1))
    alone = Teleport("orc.wizard.1", "FM_k", "T3")
    assert is_offered(table, "orc", alone)
    table.must("orc", alone)
    assert "T3" not in table.state.armies
    both = transferring(*wizard, UnitsSet("orc", "T3", 2))
    both.when("orc", Teleport("orc.wizard.1", "FM_k", "T3", 1)).refused("too_many", "QD-19.2")
    assert not is_offered(both, "orc", Teleport("orc.wizard.1", "FM_k", "T3", 1))


def test_a_dragonlord_on_land_may_teleport_step_or_stay() -> None:
    """It must leave only where it may not stay (QD-19.2)."""
    table = transferring(UnitsSet("orc", "FM_k", 12, 1))
    assert is_offered(table, "orc", EndPhase())
    assert is_offered(table, "orc", Transfer("FM_s", "FM_k", 0, 1))
    table.when("orc", Teleport("dragonlord", "G1", "FM_k", 11)).refused("too_many", "QD-19.2")
    table.must("orc", Teleport("dragonlord", "G1", "FM_k", 10))
    assert table.state.armies["G1"].dragonlords == 1
    table.when("orc", Teleport("dragonlord", "FM_s", "G1")).refused("cannot_teleport")


def test_a_dragonlord_that_stepped_does_not_teleport_in_place_of_the_wizard_who_is_another() -> None:
    """QD-H28: of two in one place, of whom one has moved, its owner knows which; nobody else sees the difference."""
    wizard = ChipSet("orc", "orc.wizard.1", "FM_s", on_dragonlord=True)
    table = transferring(UnitsSet("orc", "FM_k", 5, 1), UnitsSet("orc", "FM_s", 2, 1), wizard)
    table.must("orc", Transfer("FM_s", "FM_k", 0, 1))
    unnamed = table.twin()
    unnamed.must("orc", Teleport("dragonlord", "G1", "FM_s"))
    table.must("orc", Teleport("orc.wizard.1", "G1", "FM_s"))
    assert unnamed.state == table.state, "who goes is the one who has not moved"
    assert "orc.wizard.1" not in table.view("elf").state.chips
    table.leave()
