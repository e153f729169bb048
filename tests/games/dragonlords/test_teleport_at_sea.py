"""Teleport to blockades and from them, and to parties of friends (QD-5.3 to QD-5.5, QD-11.6, QD-19.2)."""

from typing import Any

from core.games.dragonlords.armies import UnitsLost
from core.games.dragonlords.docks import ShipsDocked, ShipsManned, ShipsSunk
from core.games.dragonlords.ending import KingBeaten
from core.games.dragonlords.phases import EndPhase
from core.games.dragonlords.position import ChipSet, ShipsSet, SpellsSet, UnitsSet
from core.games.dragonlords.sailing import Sail
from core.games.dragonlords.state import Army, Column
from core.games.dragonlords.teleport import Teleport
from core.games.dragonlords.transfer import Transfer
from tests.driver import Table
from tests.games.dragonlords.land import is_offered, phase, stands, told
from tests.games.dragonlords.sea import afloat, docked, fleet, sea

LORD = UnitsSet("orc", "FM_k", 14, 1)


def wizard(place: str) -> tuple[Any, ...]:
    """Return that a wizard of the Orcs who can teleport stands in a place."""
    return ChipSet("orc", "orc.wizard.1", place), SpellsSet("orc.wizard.1", ("heal", "teleport"))


def test_a_wizard_teleports_to_a_blockade_of_friends_that_has_room() -> None:
    """QD-5.3, QD-H12: eight to a ship, the wizard counted."""
    table = sea(*stands("orc", FM_k=9), *wizard("FM_k"), *fleet("orc", "N2", 1, 5))
    table.when("orc", Teleport("orc.wizard.1", "N2", "FM_k", 3)).refused("no_room_there", "QD-H12")
    assert is_offered(table, "orc", Teleport("orc.wizard.1", "N2", "FM_k", 2))
    table.must("orc", Teleport("orc.wizard.1", "N2", "FM_k", 2))
    assert afloat(table.state) == {"N2": ("orc", 8, 1)}


def test_a_full_ship_takes_nobody() -> None:
    """QD-H12: it is no target at all."""
    table = sea(*stands("orc", FM_k=9), *wizard("FM_k"), *fleet("orc", "N2", 1, 8))
    table.when("orc", Teleport("orc.wizard.1", "N2", "FM_k")).refused("no_target", "QD-5.3")


def test_a_wizard_teleports_into_an_enemy_blockade_to_fight_it() -> None:
    """QD-5.3, QD-11.1: with up to five others, who have no ship of their own there; the battle is compulsory."""
    table = sea(*stands("orc", FM_k=9), *wizard("FM_k"), *fleet("elf", "N2", 1, 2))
    table.must("orc", Teleport("orc.wizard.1", "N2", "FM_k", 5))
    assert table.state.columns == {"N2": (Column("orc", "FM_k", 6, 0, "teleport"),)}
    table.must("orc", EndPhase())
    table.when("orc", EndPhase()).refused("battles_open", "QD-11.1")


def test_nobody_teleports_to_a_zone_without_a_blockade() -> None:
    """QD-5.3, QD-H24: there is no ship to stand on; a docked one does not count."""
    table = sea(LORD, *wizard("FM_k"), *stands("orc", FM_ne=2), *docked(FM_ne=1))
    table.when("orc", Teleport("orc.wizard.1", "N2", "FM_k")).refused("no_target", "QD-5.3")
    table.when("orc", Teleport("dragonlord", "N2", "FM_k")).refused("no_target", "QD-H24")


def test_a_dragonlord_teleports_to_a_blockade_with_ten_units() -> None:
    """QD-5.4: into an enemy's, where only the units it brings can man the ships that they win."""
    table = sea(LORD, *fleet("elf", "N2", 1, 2))
    table.when("orc", Teleport("dragonlord", "N2", "FM_k", 11)).refused("too_many", "QD-5.4")
    table.must("orc", Teleport("dragonlord", "N2", "FM_k", 10))
    assert table.state.columns == {"N2": (Column("orc", "FM_k", 10, 1, "teleport"),)}


def test_a_dragonlord_joins_a_ship_of_its_own_if_there_is_room() -> None:
    """QD-5.4, QD-H12: it counts as one of the eight."""
    table = sea(LORD, *fleet("orc", "N2", 1, 5))
    table.when("orc", Teleport("dragonlord", "N2", "FM_k", 3)).refused("no_room_there", "QD-H12")
    table.must("orc", Teleport("dragonlord", "N2", "FM_k", 2))
    assert table.state.armies["N2"] == Army("orc", 7, 1)


def test_a_dragonlord_that_came_to_sea_stays_there_until_phase_five() -> None:
    """QD-5.4: it fights no land battle this turn, so neither it nor one that it brought teleports on, or is taken along."""
    table = sea(UnitsSet("orc", "FM_k", 6, 2), *wizard("FM_k"), *fleet("orc", "N2", 2, 3))
    table.must("orc", Teleport("dragonlord", "N2", "FM_k", 2, 1, leading=("orc.wizard.1",)))
    table.when("orc", Teleport("dragonlord", "SC_k", "N2")).refused("cannot_teleport", "QD-5.4")
    table.when("orc", Teleport("orc.wizard.1", "SC_k", "N2", 1, 1)).refused("not_there", "QD-5.3")
    table.must("orc", Teleport("orc.wizard.1", "SC_k", "N2", 1))


def test_a_king_is_teleported_to_sea() -> None:
    """QD-5.5: a king may be among the units that are taken along, unseen."""
    table = sea(LORD, ChipSet("orc", "orc.king", "FM_k"), *fleet("elf", "N2", 1, 2))
    table.must("orc", Teleport("dragonlord", "N2", "FM_k", 3, leading=("orc.king",)))
    assert table.state.chips["orc.king"].place == "N2"
    assert "orc.king" not in table.view("elf").state.chips


def test_a_wizard_joins_a_party_of_friends_in_the_wastelands() -> None:
    """QD-5.3, QD-H12: six to a space; no DragonLord and no king goes along (QD-X71, QD-14.2)."""
    table = sea(
        LORD,
        *wizard("FM_k"),
        ChipSet("orc", "orc.king", "FM_k"),
        UnitsSet("orc", "WT03", 3),
        UnitsSet("elf", "WT05", 1),
    )
    table.when("orc", Teleport("orc.wizard.1", "WT03", "FM_k", 3)).refused("no_room_there", "QD-H12")
    table.when("orc", Teleport("orc.wizard.1", "WT03", "FM_k", 0, 1)).refused("no_dragonlord_there", "QD-X71")
    table.when("orc", Teleport("orc.wizard.1", "WT03", "FM_k", 1, leading=("orc.king",))).refused(
        "no_king_there", "QD-14.2"
    )
    table.when("orc", Teleport("dragonlord", "WT03", "FM_k")).refused("no_target", "QD-X71")
    for place in ("WT05", "WT04"):
        table.when("orc", Teleport("orc.wizard.1", place, "FM_k")).refused("no_target", "QD-5.3")
    table.must("orc", Teleport("orc.wizard.1", "WT03", "FM_k", 2))
    assert table.state.armies["WT03"] == Army("orc", 6)


def test_a_wizard_leaves_a_ship_by_teleport_and_an_empty_one_sinks() -> None:
    """QD-H39: emptied by teleport, it docks where its owner holds a harbour on the zone, else it sinks."""
    sinks = sea(*stands("orc", FM_k=2), *wizard("N2"), *fleet("orc", "N2", 1, 1))
    sinks.must("orc", Teleport("orc.wizard.1", "FM_k", "N2"))
    assert [fact.count for fact in told(sinks, ShipsSunk)] == [1]
    assert (sinks.state.fleets, sinks.state.sunk) == ({}, 1)
    docks = sea(*stands("orc", FM_k=2, FM_ne=1), *wizard("N2"), *fleet("orc", "N2", 2, 2))
    docks.must("orc", Teleport("orc.wizard.1", "FM_k", "N2"))
    assert [fact.place for fact in told(docks, ShipsDocked)] == ["FM_ne"]
    assert (docks.state.fleets, docks.state.docked) == ({"N2": 1}, {"FM_ne": 1})


def test_a_ship_emptied_at_a_village_waits_for_the_first_who_boards_it() -> None:
    """QD-H39: then it is nobody's; who comes with a unit to spare mans it."""
    table = sea(
        *stands("orc", FM_k=2),
        *wizard("N3"),
        *fleet("orc", "N3", 1, 1),
        *fleet("orc", "N1", 1, 1),
        *fleet("orc", "E1", 1, 2),
    )
    table.must("orc", Teleport("orc.wizard.1", "FM_k", "N3"))
    assert (table.state.docked, table.state.fleets) == ({"N3": 1}, {"N1": 1, "E1": 1})
    table.must("orc", Sail(("N2", "N3"), "N1", 1))
    assert table.state.docked == {"N3": 1}
    table.must("orc", Sail(("N5", "N4", "N3"), "E1", 2))
    assert table.state.docked == {}
    assert [(fact.place, fact.count) for fact in told(table, ShipsManned)] == [("N3", 1)]
    assert afloat(table.state) == {"N3": ("orc", 3, 3)}


# ---------------------------------------------------------------- phase 5


def transferring(*position: Any, **answers: str) -> Table:
    """Return a table in phase 5 of the Orcs."""
    return sea(*position, name="transfer", **answers)


def test_a_wizard_teleports_to_a_friendly_blockade_in_phase_five() -> None:
    """QD-19.2: a wizard may, with units but no DragonLord; enemy blockades are no target then."""
    table = transferring(LORD, *wizard("FM_k"), *fleet("orc", "N2", 1, 2), *fleet("elf", "S1", 1, 2))
    table.when("orc", Teleport("orc.wizard.1", "S1", "FM_k")).refused("no_target", "QD-19.2")
    table.when("orc", Teleport("orc.wizard.1", "N2", "FM_k", 0, 1)).refused("no_dragonlord_there", "QD-X9")
    table.when("orc", Teleport("dragonlord", "N2", "FM_k")).refused("no_target", "QD-19.2")
    table.must("orc", Teleport("orc.wizard.1", "N2", "FM_k", 3))
    assert afloat(table.state) == {"N2": ("orc", 6, 1), "S1": ("elf", 2, 1)}


def test_a_dragonlord_at_sea_must_leave_in_phase_five() -> None:
    """QD-11.6, QD-X81: the phase does not end while it could go to a friendly territory; silence brings it home."""
    table = transferring(UnitsSet("orc", "N2", 3, 1), ShipsSet("N2", 1))
    table.when("orc", EndPhase()).refused("dragonlord_at_sea", "QD-11.6")
    assert table.ask("orc").silence == Teleport("dragonlord", "OR_k", "N2")
    assert not is_offered(table, "orc", EndPhase())
    table.when("orc", Teleport("dragonlord", "SC_k", "N2")).refused("no_target", "QD-19.2")
    table.must("orc", Teleport("dragonlord", "OR_k", "N2", 1))
    assert (table.state.armies["N2"], table.state.armies["OR_k"]) == (Army("orc", 2), Army("orc", 4, 1))
    table.must("orc", EndPhase())


def test_a_dragonlord_gained_on_a_quest_must_leave_the_wastelands_in_phase_five() -> None:
    """QD-6.13, QD-X71: its party stays, and silence brings it to friendly land."""
    table = transferring(UnitsSet("orc", "WT05", 3, 1))
    table.when("orc", EndPhase()).refused("dragonlord_in_wastelands", "QD-6.13", "QD-19.2", "QD-X81")
    assert table.ask("orc").silence == Teleport("dragonlord", "OR_k", "WT05")
    table.when("orc", Teleport("dragonlord", "SC_k", "WT05")).refused("no_target", "QD-19.2")
    table.must("orc", Teleport("dragonlord", "OR_k", "WT05"))
    assert (table.state.armies["WT05"], table.state.armies["OR_k"].dragonlords) == (Army("orc", 3), 1)
    table.must("orc", EndPhase())


def test_a_dragonlord_on_land_may_stay_in_phase_five() -> None:
    """QD-X81: only one that may not stay where it is must teleport."""
    transferring(LORD).must("orc", EndPhase())


def test_passengers_without_a_place_on_a_ship_go_back_with_the_dragonlord() -> None:
    """QD-H24: eight may stay on the ship that they won, the other two go back with it."""
    table = transferring(UnitsSet("orc", "N2", 10, 1), ShipsSet("N2", 1))
    table.when("orc", Teleport("dragonlord", "OR_k", "N2", 1)).refused("left_without_ship", "QD-H24")
    assert table.ask("orc").silence == Teleport("dragonlord", "OR_k", "N2", 2)
    table.must("orc", Teleport("dragonlord", "OR_k", "N2", 2))
    assert afloat(table.state) == {"N2": ("orc", 8, 1)}


def test_passengers_without_any_ship_all_go_back() -> None:
    """QD-H24: a king among them too."""
    table = transferring(UnitsSet("orc", "N2", 4, 1), ChipSet("orc", "orc.king", "N2"))
    table.when("orc", Teleport("dragonlord", "OR_k", "N2")).refused("left_without_ship", "QD-H24")
    assert table.ask("orc").silence == Teleport("dragonlord", "OR_k", "N2", 4)
    table.must("orc", table.ask("orc").silence)
    assert table.state.chips["orc.king"].place == "OR_k"
    assert table.state.armies["OR_k"] == Army("orc", 7, 1)
    table.must("orc", EndPhase())


def test_the_last_dragonlord_to_leave_takes_them() -> None:
    """QD-5.4: while another is in the zone, one may go alone."""
    table = transferring(UnitsSet("orc", "N2", 12, 2))
    table.must("orc", Teleport("dragonlord", "OR_k", "N2"))
    table.when("orc", Teleport("dragonlord", "OR_k", "N2", 9)).refused("left_without_ship", "QD-5.4")
    table.must("orc", Teleport("dragonlord", "OR_k", "N2", 10))
    table.must("orc", EndPhase())
    assert [fact.count for fact in told(table, UnitsLost)] == [2]
    assert "N2" not in table.state.armies


def test_units_at_sea_without_a_ship_are_lost_when_phase_five_ends() -> None:
    """QD-5.1, QD-H24: nobody swims; a king who drowns was beaten by nobody (QD-H48)."""
    table = transferring(UnitsSet("orc", "N2", 2), ChipSet("orc", "orc.king", "N2"))
    table.must("orc", EndPhase())
    assert [(fact.seat, fact.count) for fact in told(table, UnitsLost)] == [("orc", 2)]
    assert [(fact.seat, fact.victor) for fact in told(table, KingBeaten)] == [("orc", "")]


def test_of_units_without_a_place_the_owner_says_which_are_lost() -> None:
    """QD-10.8: eight stay on the ship."""
    table = transferring(UnitsSet("orc", "N2", 10), ShipsSet("N2", 1), ChipSet("orc", "orc.wizard.1", "N2"))
    table.when("orc", EndPhase()).asks(orc="losses")
    table.must("orc", table.ask("orc").silence)
    assert afloat(table.state) == {"N2": ("orc", 8, 1)}
    table.asks(elf="combat")


def test_a_dragonlord_without_a_friendly_territory_is_lost_at_sea() -> None:
    """QD-X9: it may not stay there, and has nowhere to go."""
    position = (*stands("elf", SC_k=3), UnitsSet("orc", "N2", 2, 1), ShipsSet("N2", 1))
    table = phase("orc", "transfer", *position, seats=("orc", "elf"))
    table.must("orc", EndPhase())
    assert [(fact.count, fact.dragonlords) for fact in told(table, UnitsLost)] == [(1, 1)]
    assert table.state.armies["N2"] == Army("orc", 2)


def test_units_that_step_in_phase_five_do_not_teleport() -> None:
    """QD-H28: one of step, boarding, landing, teleport."""
    table = transferring(*stands("orc", FM_s=2), UnitsSet("orc", "FM_k", 2, 1))
    table.must("orc", Transfer("FM_s", "FM_k", 0, 1))
    table.when("orc", Teleport("dragonlord", "FM_k", "FM_s")).refused("cannot_teleport", "QD-H28")
