"""Forming a party and setting out (QD-6.1, QD-6.2): who may go, from where, with what, and what others see of it."""

import pytest

from core.games.dragonlords.armies import UnitsMoved
from core.games.dragonlords.chips import ChipsMoved
from core.games.dragonlords.docks import ShipsDocked
from core.games.dragonlords.items import ItemsMoved
from core.games.dragonlords.parties import PartyEntered, PartyLed, PartySetOut
from core.games.dragonlords.phases import EndPhase
from core.games.dragonlords.position import ChipSet, ItemsSet, ShipsSet, TurnSet, UnitsSet
from core.games.dragonlords.reinforcements import places_for_units
from core.games.dragonlords.state import Army
from core.games.dragonlords.wastelands import SendParty
from core.kit.table import Correct
from core.seats import ARBITER
from tests.games.dragonlords.expeditions import at_quest, deal, dice, items_of, party, wizard
from tests.games.dragonlords.land import is_offered, offered


def test_a_party_of_six_at_most_sets_out_from_a_territory_with_a_bridge() -> None:
    """A party has at most six units, the limit of the Wastelands (QD-6.1)."""
    table = at_quest(UnitsSet("orc", "FM_n", 9))
    table.when("orc", SendParty("FM_n", 7)).refused("party_too_large", "QD-6.1")
    table.when("orc", SendParty("FM_n", 6)).then(PartySetOut("orc", "FM_n", "WT", 6))
    assert table.now.question is not None
    assert table.now.question.roll is not None
    assert (table.now.question.roll.die, table.now.question.roll.owner) == ("d6", "orc")


def test_the_territory_that_a_party_leaves_keeps_a_unit() -> None:
    """The territory it leaves keeps a unit (QD-6.1); so of three units two go."""
    table = at_quest(UnitsSet("orc", "FM_n", 3))
    table.when("orc", SendParty("FM_n", 3)).refused("left_empty", "QD-6.1")
    assert is_offered(table, "orc", SendParty("FM_n", 2))


@pytest.mark.parametrize("origin", ("FM_s", "FM_k", "WT01", "N1", "nowhere"))
def test_a_party_sets_out_where_a_bridge_or_pass_begins_and_nowhere_else(origin: str) -> None:
    """It comes from a territory joined to the Wastelands by bridge or pass, or from a ship at a village (QD-6.1)."""
    table = at_quest(UnitsSet("orc", "FM_n", 3), UnitsSet("orc", "FM_s", 3), UnitsSet("orc", "FM_k", 3))
    table.when("orc", SendParty(origin, 1)).refused("no_way_in", "QD-6.1")


def test_nobody_sends_a_party_from_another_s_territory() -> None:
    """A party is formed of one's own units (QD-6.1)."""
    table = at_quest(UnitsSet("orc", "FM_n", 3), UnitsSet("elf", "IH_n", 3))
    table.when("orc", SendParty("IH_n", 1)).refused("no_way_in", "QD-6.1")


def test_kings_and_dragonlords_stay_at_home_and_wizards_may_go() -> None:
    """Kings may not go; DragonLords may not go; wizards may (QD-6.1, QD-14.2, QD-14.3)."""
    king = ChipSet("orc", "orc.king", "FM_n")
    table = at_quest(UnitsSet("orc", "FM_n", 3, 1), king, wizard("orc", "FM_n", "heal", shown=False))
    table.when("orc", SendParty("FM_n", 2, ("orc.king",))).refused("no_king_there", "QD-14.2")
    offers = offered(table.ask("orc"), SendParty)
    assert {offer.fields["leading"].of for offer in offers} == {(), ("orc.wizard.1",)}
    assert all("dragonlords" not in offer.fields for offer in offers)
    table.when("orc", SendParty("FM_n", 1, dragonlords=1)).refused("no_dragonlord_there", "QD-6.1", "QD-X71")
    assert max(offer.fields["units"].high for offer in offers) == 2, "the king's unit stays"
    table.when("orc", SendParty("FM_n", 3, ("orc.wizard.1",))).refused("no_king_there", "QD-6.1")
    table.when("orc", SendParty("FM_n", 2, ("orc.wizard.1",)))
    dice(table, 4)
    assert table.state.chips["orc.wizard.1"].place == "WT04"
    assert table.state.chips["orc.king"].place == "FM_n"


def test_the_party_takes_items_from_the_store_and_no_others() -> None:
    """Give it torch and pickaxe and other items; those lie in the kingdom's store (QD-6.1, QD-8.1)."""
    table = at_quest(UnitsSet("orc", "FM_n", 4), ItemsSet("orc", {"torch": 1, "pickaxe": 2}))
    table.when("orc", SendParty("FM_n", 2, items={"torch": 2})).refused("not_in_store", "QD-8.1")
    table.when("orc", SendParty("FM_n", 2, items={"elixir": 1})).refused("not_in_store", "QD-6.1")
    table.when("orc", SendParty("FM_n", 2, items={"torch": 0})).refused("not_in_store", "QD-6.1")
    table.when("orc", SendParty("FM_n", 2, items={"torch": 1, "pickaxe": 1}))
    assert items_of(table, "orc") == {"torch": 1, "pickaxe": 2}, "nothing goes before the die is cast"
    dice(table, 2)
    table.then(
        UnitsMoved("orc", "FM_n", "WT02", 2),
        ItemsMoved("orc", "orc@WT02", {"pickaxe": 1, "torch": 1}),
        PartyEntered("orc", "WT02"),
    )
    assert items_of(table, "orc") == {"pickaxe": 1}
    assert items_of(table, "orc@WT02") == {"pickaxe": 1, "torch": 1}


def test_only_its_owner_knows_which_chips_went_along() -> None:
    """Chips go along in secret; both parts of the stack may hide one afterwards (QD-H42, QD-1.4)."""
    table = at_quest(
        UnitsSet("orc", "FM_n", 4),
        wizard("orc", "FM_n", "heal", shown=False),
        ChipSet("orc", "excalibur", "FM_n"),
    )
    table.when("orc", SendParty("FM_n", 2, ("orc.wizard.1",), ("excalibur",)))
    table.then(PartySetOut("orc", "FM_n", "WT", 2), PartyLed("orc", ("orc.wizard.1", "excalibur")))
    assert table.view("elf").state.recruits.chips == ()
    assert table.view("orc").state.recruits.chips == ("orc.wizard.1", "excalibur")
    dice(table, 4)
    assert ChipsMoved("orc", "FM_n", "WT04", ("orc.wizard.1", "excalibur"), because=("QD-H42",)) in table.told
    assert table.state.chips["excalibur"].place == "WT04"
    assert {"orc@FM_n", "orc@WT04"} <= table.view("elf").state.shades
    assert "excalibur" not in table.view("elf").state.chips


def test_a_shown_chip_is_hidden_again_when_a_party_leaves_its_stack() -> None:
    """When a stack with a revealed chip splits, the others know only that it is in one of the parts (QD-H42)."""
    table = at_quest(UnitsSet("orc", "FM_n", 4), wizard("orc", "FM_n", "heal"))
    table.when("orc", SendParty("FM_n", 2))
    dice(table, 4)
    assert "orc.wizard.1" not in table.view("elf").state.chips
    assert table.state.chips["orc.wizard.1"].place == "FM_n"
    assert not table.state.chips["orc.wizard.1"].shown


def test_a_whole_crew_may_go_and_the_ship_waits_at_the_village() -> None:
    """From a ship in the harbour of a village; one unit aboard would keep it (QD-6.1); left empty it is nobody's (QD-H39)."""
    table = at_quest(UnitsSet("orc", "N3", 3), ShipsSet("N3", 1))
    table.when("orc", SendParty("N3", 3))
    dice(table, 4)
    assert [type(fact) for fact in table.told if isinstance(fact, ShipsDocked)] == [ShipsDocked]
    assert table.state.armies == {"WT04": Army("orc", 3)}
    assert (table.state.fleets, table.state.docked) == ({}, {"N3": 1})


def test_a_unit_left_aboard_keeps_the_ship() -> None:
    """Leave one unit aboard to keep the ship (QD-6.1)."""
    table = at_quest(UnitsSet("orc", "N3", 3), ShipsSet("N3", 1))
    table.when("orc", SendParty("N3", 2))
    dice(table, 4)
    assert table.state.armies == {"N3": Army("orc", 1), "WT04": Army("orc", 2)}
    assert table.state.fleets == {"N3": 1}


def test_units_aboard_elsewhere_send_no_party() -> None:
    """Only the harbour of a village leads into the Wastelands by ship (QD-6.1)."""
    table = at_quest(UnitsSet("orc", "N3", 2), UnitsSet("orc", "S1", 3), ShipsSet("N3", 1), ShipsSet("S1", 1))
    table.when("orc", SendParty("S1", 2)).refused("no_way_in", "QD-6.1")


def test_nothing_is_asked_where_no_party_could_set_out_or_move() -> None:
    """A lone unit at a bridge keeps it (QD-6.1), so phase 3 passes by itself (QD-4.1)."""
    table = at_quest(UnitsSet("orc", "FM_n", 1), UnitsSet("orc", "FM_k", 5))
    table.asks(orc="combat")


def test_the_phase_may_be_ended_without_a_quest() -> None:
    """Sending and moving are choices (QD-H34); who does nothing goes on to combat (QD-4.1)."""
    table = at_quest(UnitsSet("orc", "FM_n", 3), party("orc", "WT05", 2))
    table.asks(orc="quest")
    assert table.ask("orc").silence == EndPhase()
    table.when("orc", EndPhase()).asks(orc="combat")


def test_units_in_the_wastelands_get_no_ordinary_reinforcements() -> None:
    """Once inside a party is on its own: bought units are never placed there (QD-6.1, QD-X72, QD-21.1)."""
    table = at_quest(UnitsSet("orc", "FM_k", 3), party("orc", "WT05", 2))
    assert "WT05" not in places_for_units(table.state, "orc")
    assert "FM_k" in places_for_units(table.state, "orc")


@pytest.mark.parametrize(
    ("position", "flaw"),
    (
        ([UnitsSet("orc", "WT05", 7)], "a space holds 6"),
        ([UnitsSet("orc", "WT06", 2)], "each people has a part of its own: WT06.orc"),
        ([UnitsSet("orc", "WT06.elf", 2)], "WT06.orc"),
        (
            [UnitsSet("orc", "WT05", 2), ChipSet("orc", "orc.king", "WT05")],
            "kings never go into the Wastelands",
        ),
        ([ItemsSet("orc", {"torch": 1}, "WT05")], "no party in WT05"),
    ),
)
def test_a_position_that_the_wastelands_cannot_hold_is_refused(position: list[object], flaw: str) -> None:
    """Six to a space, no king, parts of a shrine, items with a party (QD-6.1, QD-6.8, QD-8.1, QD-14.2)."""
    with pytest.raises(AssertionError, match=flaw.replace(".", r"\.")):
        at_quest(UnitsSet("orc", "FM_n", 3), *position)


def test_a_dragonlord_stands_in_the_wastelands_in_its_owner_s_phases_three_to_five_alone() -> None:
    """A DragonLord gained there leaves in phase 5 (QD-6.13), and none ever enters (QD-X71)."""
    at_quest(UnitsSet("orc", "WT05", 2, 1), UnitsSet("orc", "FM_n", 3))
    with pytest.raises(AssertionError, match=r"outside phases 3 to 5 of its turn \(QD-6\.13\)"):
        at_quest(UnitsSet("elf", "WT05", 2, 1), UnitsSet("orc", "FM_n", 3))


def test_a_party_that_was_formed_stays_at_home_when_a_correction_takes_the_phase_away() -> None:
    """What the arbiter sets right holds, also amid setting out (QD-6.1)."""
    table = at_quest(UnitsSet("orc", "FM_n", 4), ItemsSet("orc", {"torch": 1}))
    table.when("orc", SendParty("FM_n", 2, items={"torch": 1}))
    table.when(ARBITER, Correct("the phase was over", (TurnSet("orc", "combat"),)))
    table.asks(orc="combat")
    assert table.state.recruits is None
    assert table.state.armies["FM_n"] == Army("orc", 4)
    assert items_of(table, "orc") == {"torch": 1}
    table.leave()


def test_a_party_that_comes_to_a_quest_space_draws_a_card() -> None:
    """Setting out, moving and drawing go on in one turn; then no party is left to move (QD-6.10, QD-4.1)."""
    table = at_quest(UnitsSet("orc", "FM_n", 4))
    table.when("orc", SendParty("FM_n", 2))
    dice(table, 2)
    deal(table, "Q08")
    dice(table, "blue")
    table.asks(orc="combat")
    table.leave()
