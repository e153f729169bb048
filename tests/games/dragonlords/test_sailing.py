"""Phase 2 at sea: loading, sailing, blockades, landing (QD-5, QD-2.7), and the Golden Fleece (QD-7.10)."""

import pytest

from core.games.dragonlords.boarding import Board, Land
from core.games.dragonlords.chips import ChipShown
from core.games.dragonlords.docks import ShipsManned, ShipsSailed
from core.games.dragonlords.phases import EndPhase
from core.games.dragonlords.position import ChipSet, ShipsSet, SpellsSet, UnitsSet
from core.games.dragonlords.sailing import LeapByFleece, Sail
from core.games.dragonlords.state import Army, Column
from core.games.dragonlords.teleport import Teleport
from tests.driver import SPECTATOR, Table
from tests.games.dragonlords.land import is_offered, offered, phase, stands, told
from tests.games.dragonlords.sea import afloat, docked, fleet, sea

SIX = ("N2", "C1", "C2", "C3", "S2", "S1")
TEN = ("N2", "N3", "N4", "N5", "E1", "E2", "E3", "S5", "S4", "S3")
FLEECE = ChipSet("orc", "golden_fleece", "N1")


def test_a_ship_sails_six_zones() -> None:
    """QD-5.1: any way of one to six zones; a seventh is too far."""
    table = sea(*fleet("orc", "N1", 1, 3))
    assert is_offered(table, "orc", Sail(SIX, "N1", 3))
    table.when("orc", Sail((*SIX, "W3"), "N1", 3)).refused("too_far", "QD-5.1")
    table.must("orc", Sail(SIX, "N1", 3))
    assert afloat(table.state) == {"S1": ("orc", 3, 1)}


def test_ships_of_the_barbarians_sail_ten_zones() -> None:
    """QD-1.2, QD-5.1: what is special about Barbarians."""
    table = sea(*fleet("barbarian", "N1", 1, 3), seat="barbarian")
    assert is_offered(table, "barbarian", Sail(TEN, "N1", 3))
    table.when("barbarian", Sail((*TEN, "C3"), "N1", 3)).refused("too_far", "QD-5.1")
    table.must("barbarian", Sail(TEN, "N1", 3))


def test_the_zones_of_a_ship_are_one_sum_in_a_turn() -> None:
    """QD-H28: after two zones four are left, whoever comes aboard meanwhile; in the next turn it sails six again."""
    table = sea(*fleet("orc", "N1", 1, 3))
    table.must("orc", Sail(("N2", "C1"), "N1", 3))
    table.when("orc", Sail(("C2", "C3", "S2", "S1", "W3"), "C1", 3)).refused("too_far", "QD-H28")
    table.must("orc", Sail(("C2", "C3"), "C1", 3))
    table.must("orc", Sail(("S2", "S1"), "C3", 3))
    assert not offered(table.ask("orc"), Sail)
    table.must("orc", EndPhase())
    assert table.state.sailed == {}


def test_of_a_fleet_the_ships_sail_that_have_sailed_least_unless_others_are_named() -> None:
    """QD-H28: one ship has come four zones and may go two; the fresh one six."""
    table = sea(*fleet("orc", "C2", 1, 1), *fleet("orc", "N1", 1, 1))
    table.must("orc", Sail(("N2", "C1", "C2"), "N1", 1))
    assert table.state.sailed == {"C2": (3,)}
    assert is_offered(table, "orc", Sail(("C3", "S2", "S1", "W3"), "C2", 1))
    assert is_offered(table, "orc", Sail(("C3", "S2", "S1"), "C2", 1, having=3))
    table.when("orc", Sail(("C3", "S2", "S1", "W3"), "C2", 1, having=3)).refused("too_far", "QD-H28")
    table.when("orc", Sail(("C3",), "C2", 1, having=2)).refused("no_such_ships", "QD-H28")
    table.must("orc", Sail(("C3", "S2"), "C2", 1, having=3))
    assert table.state.sailed == {"S2": (5,)}


def test_a_ship_needs_a_unit_aboard_to_sail_and_one_to_stay() -> None:
    """QD-5.1: two ships do not sail with one unit, and no ship is left behind at sea without a crew."""
    table = sea(*fleet("orc", "N1", 2, 3))
    table.when("orc", Sail(("N2",), "N1", 1, 2)).refused("ship_unmanned", "QD-5.1")
    table.when("orc", Sail(("N2",), "N1", 3, 1)).refused("ship_unmanned", "QD-5.1")
    table.when("orc", Sail(("N2",), "N1", 2, 3)).refused("no_such_ships", "QD-5.1")
    table.when("orc", Sail(("N2",), "N1", 0)).refused("nobody_sent", "QD-5.1")
    table.must("orc", Sail(("N2",), "N1", 2, 1))
    assert afloat(table.state) == {"N1": ("orc", 1, 1), "N2": ("orc", 2, 1)}


def test_the_fewest_ships_go_that_serve_unless_more_are_named() -> None:
    """QD-5.1: eight units to a ship; nine need two."""
    table = sea(*fleet("orc", "N1", 3, 12))
    table.when("orc", Sail(("N2",), "N1", 9, 1)).refused("too_many_aboard", "QD-5.1")
    table.must("orc", Sail(("N2",), "N1", 9))
    assert afloat(table.state) == {"N1": ("orc", 3, 1), "N2": ("orc", 9, 2)}


def test_ships_sail_from_zone_to_neighbouring_zone() -> None:
    """QD-2.7: no zone is leapt over, no way leads over land or back to where it began, and ships stay at sea."""
    table = sea(*fleet("orc", "N1", 1, 3))
    table.when("orc", Sail(("C1",), "N1", 3)).refused("not_adjacent", "QD-5.1")
    table.when("orc", Sail(("FM_nw",), "N1", 3)).refused("not_adjacent", "QD-2.7")
    table.when("orc", Sail(("N2", "N1"), "N1", 3)).refused("no_voyage", "QD-5.1")
    table.when("orc", Sail((), "N1", 3)).refused("no_voyage", "QD-5.1")
    table.when("orc", Sail(("N2",), "W1", 3)).refused("no_fleet", "QD-5.1")
    table.when("orc", Sail(("N2",), "OR_k", 3)).refused("no_fleet", "QD-5.1")
    table.when("orc", Sail(("N2",), "FM_nw", 3)).refused("no_fleet", "QD-5.1", "QD-5.2")
    assert [reason.text for reason in table.reasons] == [
        "FM_nw is a harbour: board the ships there, then sail from N1."
    ]


def test_of_units_that_are_not_there_it_is_not_said_which_ships_they_need() -> None:
    """QD-5.1: nine of three units is one slip, not two."""
    table = sea(*fleet("orc", "N1", 1, 3)).when("orc", Sail(("N2",), "N1", 9))
    assert [reason.code for reason in table.reasons] == ["not_there"]


def test_units_go_aboard_in_several_harbours_on_the_way() -> None:
    """QD-5.1: load in FM_nw, sail, load in FM_ne, sail on."""
    table = sea(*stands("orc", FM_nw=4, FM_ne=3), *docked(FM_nw=1))
    table.when("orc", Board("FM_nw", 3)).then(
        table.told[0], ShipsManned("orc", "FM_nw", "N1", 1), *table.told[2:-1]
    )
    table.must("orc", Sail(("N2",), "N1", 3))
    table.must("orc", Board("FM_ne", 2))
    table.must("orc", Sail(SIX[1:], "N2", 5))
    assert afloat(table.state) == {"S1": ("orc", 5, 1)}
    assert [fact.path for fact in told(table, ShipsSailed)] == [("N2",), SIX[1:]]


def test_boarding_leaves_a_unit_behind_islands_apart() -> None:
    """QD-H28, QD-2.5: an island may be left empty, a harbour of a realm not."""
    table = sea(*stands("orc", FM_nw=2, I1=2), *docked(FM_nw=1, I1=1))
    table.when("orc", Board("FM_nw", 2)).refused("left_empty", "QD-5.1")
    table.must("orc", Board("I1", 2))
    assert "I1" not in table.state.armies
    assert afloat(table.state) == {"W2": ("orc", 2, 1)}


def test_units_go_aboard_in_harbours_of_their_own_and_on_ships_that_are_there() -> None:
    """QD-5.1, QD-5.2: not where no anchor is, not in an enemy's harbour, not on more ships than lie there."""
    table = sea(*stands("orc", FM_nw=20, FM_k=3), *stands("elf", FM_ne=2), *docked(FM_nw=2, FM_ne=1))
    for place in ("FM_k", "FM_ne", "N1", "I1"):
        table.when("orc", Board(place, 1)).refused("no_harbour", "QD-5.1")
    table.when("orc", Board("FM_nw", 17)).refused("too_few_ships", "QD-5.2")
    table.when("orc", Board("FM_nw", 3, 3)).refused("too_few_ships", "QD-5.1")
    table.when("orc", Board("FM_nw", 1, 2)).refused("ship_unmanned", "QD-5.1")
    assert is_offered(table, "orc", Board("FM_nw", 16))
    table.must("orc", Board("FM_nw", 2, 2))
    assert (afloat(table.state), table.state.docked) == ({"N1": ("orc", 2, 2)}, {"FM_ne": 1})


def test_who_landed_boards_no_more_in_that_phase() -> None:
    """QD-H28: a unit boards once and lands once; others of the same place still may board."""
    table = sea(*stands("orc", FM_ne=3), *fleet("orc", "N2", 1, 4))
    table.must("orc", Land("FM_ne", 3))
    table.when("orc", Board("FM_ne", 4)).refused("not_there", "QD-5.1")
    table.must("orc", Board("FM_ne", 3))
    assert table.state.armies["FM_ne"] == Army("orc", 3)


def test_who_landed_boards_no_more_where_a_spell_user_takes_him_either() -> None:
    """QD-H28: of those whom he takes, who has not landed goes first; he himself has, and only his owner knows (QD-H42)."""
    mage = ChipSet("orc", "orc.wizard.1", "N2"), SpellsSet("orc.wizard.1", ("teleport",))
    table = sea(*stands("orc", FM_ne=1, I2=1), *fleet("orc", "N2", 1, 6), *docked(I2=1), *mage)
    table.must("orc", Land("FM_ne", 6, leading=("orc.wizard.1",)))
    alone = table.twin()
    table.must("orc", Teleport("orc.wizard.1", "I2", "FM_ne", 4))
    assert table.state.moved == {"FM_ne": 2, "I2": 4}
    table.when("orc", Board("I2", 3)).refused("not_there", "QD-5.1")
    table.must("orc", Board("I2", 2))
    table.leave()
    alone.must("orc", Teleport("orc.wizard.1", "I2", "FM_ne"))
    assert alone.state.moved == {"FM_ne": 6}, "for all that others know the one goes who was there"
    alone.when("orc", Board("I2", 2, leading=("orc.wizard.1",))).refused("moved_already", "QD-H28")
    alone.must("orc", Board("I2", 2))
    assert alone.state.chips["orc.wizard.1"].place == "E2", (
        "where nobody is named, nothing hangs on who bears him"
    )
    alone.leave()


def test_a_ship_stops_at_an_enemy_blockade_and_fights_there() -> None:
    """QD-5.6: it may enter the zone, not pass it, nor sail on or land from there."""
    table = sea(
        *fleet("orc", "N1", 1, 3),
        *fleet("elf", "N2", 1, 2),
        *stands("orc", FM_ne=2),
        *fleet("orc", "E1", 1, 1),
    )
    table.when("orc", Sail(("N2", "N3"), "N1", 3)).refused("blockade", "QD-5.6")
    table.must("orc", Sail(("N2",), "N1", 3))
    assert table.state.columns == {"N2": (Column("orc", "N1", 3, 0, "ship"),)}
    assert (table.state.fleets, table.state.raiders) == ({"N2": 1, "E1": 1}, {"N2": 1})
    table.when("orc", Sail(("N3",), "N2", 3)).refused("must_fight", "QD-5.6")
    table.when("orc", Land("FM_ne", 1)).refused("must_fight", "QD-5.6")
    table.when("orc", EndPhase()).asks(orc="combat")
    table.when("orc", EndPhase()).refused("battles_open", "QD-11.1")


def test_an_empty_ship_in_a_harbour_does_not_hold_the_zone() -> None:
    """QD-2.7, QD-5.8: an enemy sails past it, or blockades the zone in which it is docked."""
    table = sea(*fleet("orc", "N1", 1, 3), *stands("elf", FM_ne=2), *docked(FM_ne=2))
    table.must("orc", Sail(("N2", "N3"), "N1", 3))
    table.must("orc", Sail(("N2",), "N3", 3))
    assert afloat(table.state) == {"N2": ("orc", 3, 1)}
    assert table.state.columns == {}


def test_a_ship_that_is_manned_beside_an_enemy_blockade_stays_and_fights() -> None:
    """QD-H40: its crew are attackers in the zone; it sails no further."""
    table = sea(*stands("orc", FM_ne=4), *docked(FM_ne=1), *fleet("elf", "N2", 1, 2))
    table.must("orc", Board("FM_ne", 2))
    assert table.state.columns == {"N2": (Column("orc", "FM_ne", 2, 0, "ship"),)}
    table.when("orc", Sail(("N1",), "N2", 2)).refused("must_fight", "QD-H40")
    table.must("orc", Board("FM_ne", 1))
    assert table.state.raiders == {"N2": 1}


def test_units_land_in_an_enemy_harbour_to_fight_for_it() -> None:
    """QD-5.8: also where an empty ship of the enemy lies; the battle is fought in phase 4."""
    table = sea(*fleet("orc", "N2", 1, 5), *stands("elf", FM_ne=2), *docked(FM_ne=1))
    table.must("orc", Land("FM_ne", 3))
    assert table.state.columns == {"FM_ne": (Column("orc", "N2", 3, 0, "ship"),)}
    assert afloat(table.state) == {"N2": ("orc", 2, 1)}
    table.must("orc", EndPhase())
    table.when("orc", EndPhase()).refused("battles_open", "QD-10.1")


def test_an_empty_island_is_claimed_by_landing() -> None:
    """QD-5.1, QD-24: nobody starts on an island; a ship brings the first units, and docks when all go ashore."""
    table = sea(*fleet("orc", "W2", 1, 2))
    table.must("orc", Land("I1", 2))
    assert table.state.armies["I1"] == Army("orc", 2)
    assert (table.state.fleets, table.state.docked) == ({}, {"I1": 1})


def test_units_land_in_harbours_of_the_zone_alone() -> None:
    """QD-5.1: an anchor on the zone where the ships are."""
    table = sea(*fleet("orc", "N2", 1, 2))
    for place in ("FM_k", "FM_n", "N2", "WT01"):
        table.when("orc", Land(place, 1)).refused("no_harbour", "QD-5.1")
    table.when("orc", Land("FM_nw", 1)).refused("no_fleet", "QD-5.1")
    table.when("orc", Land("FM_ne", 3)).refused("not_there", "QD-5.1")
    table.when("orc", Land("FM_ne", 1, 2)).refused("too_few_ships", "QD-5.1")
    table.must("orc", Land("FM_ne", 1))


def test_a_ship_may_dock_though_units_stay_aboard_the_others() -> None:
    """QD-5.2: as many as the units that stay aboard can do without."""
    table = sea(*fleet("orc", "N2", 3, 12))
    table.when("orc", Land("FM_ne", 3, 2)).refused("too_few_ships", "QD-5.1")
    table.must("orc", Land("FM_ne", 4, 2))
    assert (afloat(table.state), table.state.docked) == ({"N2": ("orc", 8, 1)}, {"FM_ne": 2})


@pytest.mark.parametrize(
    ("position", "asked"),
    (
        ((), "combat"),
        (docked(FM_ne=1), "combat"),
        ((*stands("orc", FM_ne=1), *docked(FM_ne=1)), "combat"),
        ((*stands("orc", FM_ne=2), *docked(FM_ne=1)), "sea"),
        ((*stands("orc", I1=1), *docked(I1=1)), "sea"),
        ((*stands("elf", FM_ne=2), *docked(FM_ne=1)), "combat"),
        (fleet("orc", "N1", 1, 1), "sea"),
        (fleet("elf", "N1", 1, 1), "combat"),
    ),
)
def test_phase_two_asks_who_has_a_ship_that_could_be_used(position: tuple[object, ...], asked: str) -> None:
    """QD-5.1: a manned ship, or a docked one and a unit to spare, as everybody sees."""
    sea(*position).asks(orc=asked)


def test_phase_two_lasts_until_it_is_ended_once_something_was_done() -> None:
    """QD-4.1: though nothing is left to do; who writes the game down need not reckon whether there is."""
    table = sea(*fleet("orc", "W2", 1, 2))
    table.must("orc", Land("I1", 2))
    assert [offer.command for offer in table.ask("orc").offers] == [EndPhase]
    table.when("orc", EndPhase())
    assert table.state.phase != "sea"


def test_who_goes_aboard_is_known_to_the_owner_alone() -> None:
    """QD-H42: the number of units is public; whether the king is among them is not, on board and ashore."""
    king = ChipSet("orc", "orc.king", "FM_nw")
    with_him, without = (sea(*stands("orc", FM_nw=4), *docked(FM_nw=1), king, seat="orc") for _ in range(2))
    with_him.must("orc", Board("FM_nw", 2, leading=("orc.king",)))
    without.must("orc", Board("FM_nw", 2))
    assert with_him.state.chips["orc.king"].place == "N1"
    assert without.state.chips["orc.king"].place == "FM_nw"
    for table in (with_him, without):
        table.must("orc", Sail(("N2",), "N1", 2, leading=_kings(table, "N1")))
    for reader in ("elf", SPECTATOR):
        assert with_him.view(reader).state == without.view(reader).state
        assert b"king" not in with_him.log[-1].line


def _kings(table: Table, place: str) -> tuple[str, ...]:
    return tuple(name for name, chip in table.state.chips.items() if chip.place == place)


def test_the_golden_fleece_takes_ships_to_any_zone_over_blockades() -> None:
    """QD-7.10, QD-H16: the fleet leaps, the Fleece is shown and goes along; where an enemy is it is fought."""
    table = sea(*fleet("orc", "N1", 2, 4), *fleet("elf", "N2", 1, 1), *fleet("elf", "E3", 1, 1), FLEECE)
    leap = LeapByFleece(("E3",), "N1", 3, 1)
    assert is_offered(table, "orc", leap)
    table.must("orc", leap)
    (shown,) = told(table, ChipShown)
    assert (shown.chip, shown.because) == ("golden_fleece", ("QD-7.10", "QD-H9"))
    assert table.state.chips["golden_fleece"].place == "E3"
    assert table.view("elf").state.chips["golden_fleece"].place == "E3"
    assert (table.state.raiders, table.state.fleets["N1"]) == ({"E3": 1}, 1)


def test_a_ship_goes_by_the_golden_fleece_once_in_a_turn_and_sails_no_more() -> None:
    """QD-7.10, QD-H28: before that it may sail."""
    table = sea(*fleet("orc", "N1", 1, 4), FLEECE)
    table.must("orc", Sail(SIX, "N1", 4, carrying=("golden_fleece",)))
    table.must("orc", LeapByFleece(("E1",), "S1", 4))
    table.when("orc", Sail(("E2",), "E1", 4)).refused("too_far", "QD-5.1")
    table.when("orc", LeapByFleece(("E3",), "E1", 4)).refused("leapt_already", "QD-H28")
    table.asks(orc="sea")


def test_only_a_fleet_with_the_golden_fleece_leaps() -> None:
    """QD-7.10: its bearer is in that blockade; and one does not leap to where one is, or onto land."""
    table = sea(*fleet("orc", "N1", 1, 4), *fleet("orc", "S1", 1, 1), FLEECE)
    table.when("orc", LeapByFleece(("E1",), "S1", 1)).refused("no_fleece", "QD-7.10")
    table.when("orc", LeapByFleece(("N1",), "N1", 4)).refused("no_voyage", "QD-H16")
    table.when("orc", LeapByFleece(("FM_nw",), "N1", 4)).refused("no_voyage", "QD-H16")
    table.when("orc", LeapByFleece(("E1",), "W3", 4)).refused("no_fleet", "QD-7.10")
    table.when("orc", LeapByFleece(("E1",), "N1", 9)).refused("not_there", "QD-5.1")


def test_a_table_may_let_the_golden_fleece_lengthen_the_voyage_alone() -> None:
    """QD-H16: any distance from zone to zone, and a blockade on the way stops it (QD-5.6)."""
    table = sea(*fleet("orc", "N1", 1, 4), *fleet("elf", "E3", 1, 1), FLEECE, H16="sails_any_distance")
    far = ("N2", "N3", "N4", "N5", "E1", "E2", "E3")
    assert is_offered(table, "orc", LeapByFleece(far, "N1", 4))
    table.when("orc", LeapByFleece(("E3",), "N1", 4)).refused("no_voyage", "QD-H16")
    table.when("orc", LeapByFleece((*far, "S5"), "N1", 4)).refused("no_voyage", "QD-H16")
    table.must("orc", LeapByFleece(far, "N1", 4))
    assert table.state.raiders == {"E3": 1}


def test_a_dragonlord_sails_along_but_mans_no_ship() -> None:
    """QD-5.4: it may join a ship in phase 2; each ship needs a unit that is no DragonLord."""
    table = sea(UnitsSet("orc", "N1", 2, 1), ShipsSet("N1", 2))
    table.when("orc", Sail(("N2",), "N1", 1, 2, 1)).refused("ship_unmanned", "QD-5.1")
    table.when("orc", Sail(("N2",), "N1", 2, 2)).refused("too_many_aboard", "QD-5.1")
    table.when("orc", Land("FM_nw", 2, leading=("orc.king",))).refused("no_such_chip")
    table.must("orc", Sail(("N2",), "N1", 2, 2, 1))
    assert table.state.armies["N2"] == Army("orc", 2, 1)


def test_only_the_seat_whose_turn_it_is_sails() -> None:
    """QD-4.1: the other player's fleet stays where it is."""
    table = phase(
        "orc",
        "sea",
        *stands("elf", SC_k=2),
        *fleet("orc", "N1", 1, 1),
        *fleet("elf", "S1", 1, 1),
        seats=("orc", "elf"),
    )
    table.when("elf", Sail(("S2",), "S1", 1)).refused("not_your_turn")
    table.when("orc", Sail(("S2",), "S1", 1)).refused("no_fleet", "QD-5.1")
