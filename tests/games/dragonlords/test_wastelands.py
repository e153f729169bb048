"""Moving through the Wastelands (QD-6.2 to QD-6.5): the road, the die, other parties, and the ways out."""

import pytest

from core.games.dragonlords.armies import UnitsMoved
from core.games.dragonlords.battle import BattleBegan
from core.games.dragonlords.board import SPACES, WASTELANDS
from core.games.dragonlords.income import income_of
from core.games.dragonlords.items import ItemsMoved
from core.games.dragonlords.land_combat import Fight
from core.games.dragonlords.parties import PartySetOut, PartyStayed, kind_of
from core.games.dragonlords.phases import EndPhase
from core.games.dragonlords.picture import places, tables
from core.games.dragonlords.position import ChipSet, ShipsSet, TurnSet, UnitsSet
from core.games.dragonlords.roads import GATES
from core.games.dragonlords.state import Army, Column
from core.games.dragonlords.teleport import Teleport
from core.games.dragonlords.travelling import Stay, Travel
from core.games.dragonlords.wastelands import MoveParty, SendParty
from core.kit.table import Correct
from core.seats import ARBITER
from events.play import Overlooked
from tests.driver import Table
from tests.games.dragonlords.expeditions import at_quest, dice, happened, items_of, party, told, wizard
from tests.games.dragonlords.land import is_offered, offered

HOME = UnitsSet("orc", "OR_k", 3)
"""A kingdom, so that there is a store."""


def ways(table: Table, seat: str = "orc") -> tuple[tuple[str, ...], bool]:
    """Return where the party may go that has rolled, and whether it may stay."""
    ask = table.ask(seat)
    (offer,) = offered(ask, Travel)
    return offer.fields["target"].values, bool(offered(ask, Stay))


def roll(table: Table, place: str, face: int) -> Table:
    """Let the party in a place be moved, and its die fall."""
    table.when("orc", MoveParty(place))
    return dice(table, face)


def test_there_are_two_roads_of_five_kinds_of_space() -> None:
    """A road above and a road below the board; their spaces are of five kinds (QD-2.8)."""
    assert [road.name for road in WASTELANDS.values()] == ["Northern Wastes", "Southern Wastes"]
    assert {space.kind for space in SPACES.values()} == {
        "village",
        "quest",
        "witches_den",
        "shrine",
        "dragon_lair",
    }
    assert {kind_of(gate.first_space) for gate in GATES.values()} == {"village", "dragon_lair"}


@pytest.mark.parametrize(
    ("origin", "face", "target"),
    (
        ("FM_n", 1, "WT01"),
        ("FM_n", 4, "WT04"),
        ("SC_n", 1, "WT12"),
        ("SC_n", 3, "WT10"),
        ("SV_sw", 4, "WB09"),
    ),
)
def test_the_space_of_entry_counts_as_one(origin: str, face: int, target: str) -> None:
    """A D6, from the village by a bridge, from the lair by a pass; the entry space counts as one (QD-6.2)."""
    table = at_quest(UnitsSet("orc", origin, 4))
    table.when("orc", SendParty(origin, 2))
    dice(table, face)
    assert table.state.armies[target] == Army("orc", 2)


def test_a_party_by_ship_begins_at_the_village() -> None:
    """From the village when entering by bridge or ship (QD-6.2)."""
    table = at_quest(UnitsSet("orc", "S3", 4), ShipsSet("S3", 1))
    table.when("orc", SendParty("S3", 2))
    dice(table, 4)
    assert table.state.armies["WB04"] == Army("orc", 2)


def test_a_party_moves_its_full_roll_one_way_or_the_other() -> None:
    """The full roll is moved in one direction, chosen after the roll, without reversal (QD-6.2, QD-H3)."""
    table = roll(at_quest(party("orc", "WT05", 2)), "WT05", 3)
    assert ways(table) == (("WT08", "WT02"), False)
    table.when("orc", Travel("WT07")).refused("not_by_this_roll", "QD-6.2")
    table.when("orc", Stay()).refused("must_move", "QD-6.2", "QD-H34")
    assert table.ask("orc").silence == Travel("WT08")
    table.when("orc", Travel("WT02"))
    assert table.state.armies == {"WT02": Army("orc", 2)}


def test_a_move_that_the_die_does_not_allow_can_be_told_all_the_same() -> None:
    """A table may have overlooked that a party went too far (QD-6.2): where it could stand, the game goes on from there."""
    table = roll(at_quest(party("orc", "WT05", 2)), "WT05", 3)
    table.when("orc", Travel("WT04"), overlook=True)
    assert [fact.code for fact in told(table, Overlooked)] == ["not_by_this_roll"]
    assert table.state.armies["WT04"] == Army("orc", 2)
    for nowhere in ("WT02", "WT05", "WB04", "WT06.elf", "FM_k", "OR_s", "N3"):
        other = roll(at_quest(party("orc", "WT05", 2), party("orc", "WT02", 5)), "WT05", 2)
        other.when("orc", Travel(nowhere), overlook=True).refused("not_by_this_roll")


def test_a_party_may_stop_short_where_the_table_plays_it_so() -> None:
    """The alternative of QD-H3: the party may stop on any space before its roll is used up (QD-6.2)."""
    table = roll(at_quest(party("orc", "WT05", 2), H3="may_stop_short"), "WT05", 3)
    assert ways(table)[0] == ("WT06.orc", "WT07", "WT08", "WT04", "WT03", "WT02")


def test_surplus_pips_at_the_end_of_the_road_are_lost_or_lead_out() -> None:
    """Pips left over at an end space are lost, or the party leaves by an exit of that end for one pip (QD-H3, QD-6.5)."""
    table = roll(at_quest(HOME, party("orc", "WT10", 2)), "WT10", 3)
    assert ways(table) == (("WT12", "WT07", "SC_n", "IH_ne"), False)
    table = roll(at_quest(HOME, party("orc", "WT10", 2)), "WT10", 2)
    assert ways(table)[0] == ("WT12", "WT08"), "two pips reach the lair and lead no further"


def test_a_party_does_not_end_where_it_began() -> None:
    """A party may not end on the space it started from (QD-H3): out of the lair it goes back, or leaves (QD-6.5)."""
    table = roll(at_quest(party("orc", "WT12", 2)), "WT12", 4)
    assert ways(table)[0] == ("WT08", "SC_n", "IH_ne")
    table = roll(at_quest(party("orc", "WT01", 2)), "WT01", 1)
    assert ways(table)[0] == ("WT02", "FM_n", "IH_n")


def test_one_party_moves_in_each_wasteland_and_turn() -> None:
    """You move one party in each Wasteland per turn (QD-6.3, QD-X80)."""
    table = at_quest(
        party("orc", "WT09", 2), party("orc", "WT04", 2), party("orc", "WB04", 2), UnitsSet("orc", "FM_n", 3)
    )
    roll(table, "WT09", 2).when("orc", Travel("WT11.orc"))
    table.when("orc", MoveParty("WT04")).refused("party_moved_already", "QD-6.3")
    table.when("orc", SendParty("FM_n", 1)).refused("party_moved_already", "QD-X80")
    assert offered(table.ask("orc"), SendParty) == []
    assert is_offered(table, "orc", MoveParty("WB04"))
    assert not is_offered(table, "orc", MoveParty("WT04"))


def test_a_party_that_enters_is_the_one_that_moved_there() -> None:
    """A party that enters this turn counts as the one that moved (QD-6.3, QD-X80)."""
    table = at_quest(party("orc", "WT09", 2), UnitsSet("orc", "FM_n", 3), UnitsSet("orc", "AL_s", 3))
    table.when("orc", SendParty("FM_n", 2))
    dice(table, 4)
    table.when("orc", MoveParty("WT09")).refused("party_moved_already", "QD-6.3")
    assert offered(table.ask("orc"), SendParty) != [], "the other road is free"


def test_one_party_in_all_moves_where_the_table_plays_it_so() -> None:
    """The alternative of QD-X80: one party moves per turn, whichever Wasteland it is in (QD-6.3)."""
    table = at_quest(party("orc", "WT09", 2), party("orc", "WB04", 2), X80="one_in_all")
    roll(table, "WT09", 2).when("orc", Travel("WT11.orc"))
    table.asks(orc="combat")


def test_no_party_moves_that_is_not_there() -> None:
    """A party of one's own, where it stands (QD-6.2)."""
    table = at_quest(party("orc", "WT05", 2), party("elf", "WT09", 2))
    table.when("orc", MoveParty("WT09")).refused("no_party_there", "QD-6.2")
    table.when("orc", MoveParty("FM_k")).refused("no_party_there", "QD-6.2")


def test_a_party_passes_an_enemy_party() -> None:
    """You may pass an enemy party (QD-6.4)."""
    table = roll(at_quest(party("orc", "WT05", 2), party("elf", "WT07", 2)), "WT05", 4)
    table.when("orc", Travel("WT09"))
    assert table.state.armies == {"WT07": Army("elf", 2), "WT09": Army("orc", 2)}


def test_a_party_stops_on_the_space_of_an_enemy_only_to_attack() -> None:
    """Stop on its space only to attack it (QD-6.4); the fight follows at once, in phase 3 (QD-9.1)."""
    table = roll(at_quest(party("orc", "WT05", 2, torch=1), party("elf", "WT07", 2)), "WT05", 2)
    table.when("orc", Travel("WT07")).then(
        UnitsMoved("orc", "WT05", "WT07", 2, how="party"),
        ItemsMoved("orc@WT05", "orc@WT07", {"torch": 1}),
        BattleBegan("WT07", "orc", "elf", "quest"),
    )
    assert table.state.columns["WT07"] == (Column("orc", "WT05", 2, how="party"),)
    assert table.now.question is not None
    assert table.now.question.roll is not None


def test_in_a_shrine_several_parties_stand_in_peace() -> None:
    """Several parties may stand in a shrine, and there is never combat (QD-6.8, QD-6.4)."""
    table = roll(at_quest(party("orc", "WT05", 5), party("elf", "WT06.elf", 6)), "WT05", 1)
    table.when("orc", Travel("WT06.orc"))
    assert table.state.armies["WT06.orc"] == Army("orc", 5)
    assert table.state.armies["WT06.elf"] == Army("elf", 6)
    assert table.state.battle is None


def test_a_shrine_holds_six_in_all_where_the_table_plays_it_so() -> None:
    """The alternative of QD-H35: six units in all fit into a shrine (QD-6.8)."""
    position = (party("orc", "WT05", 3), party("elf", "WT06.elf", 4))
    assert "WT06.orc" in ways(roll(at_quest(*position), "WT05", 1))[0]
    table = roll(at_quest(*position, H35="six_in_all"), "WT05", 1)
    assert table.state.armies["WT04"] == Army("orc", 3), "no other space was left to it"


def test_two_own_parties_merge_if_they_are_six_at_most() -> None:
    """Two own parties on one space merge if they are six at most; else the move is not allowed (QD-H34)."""
    table = roll(at_quest(party("orc", "WT05", 2, torch=1), party("orc", "WT09", 4, potion=1)), "WT05", 4)
    table.when("orc", Travel("WT09"))
    assert table.state.armies == {"WT09": Army("orc", 6)}
    assert items_of(table, "orc@WT09") == {"torch": 1, "potion": 1}
    table = at_quest(party("orc", "WT05", 3), party("orc", "WT09", 4))
    roll(table, "WT05", 4)
    assert table.state.armies == {"WT01": Army("orc", 3), "WT09": Army("orc", 4)}, "one way was left"


def test_a_party_stays_when_friends_fill_every_end_space() -> None:
    """If every end space holds friends it cannot join, it stays and nothing happens (QD-H34)."""
    table = at_quest(party("orc", "WT05", 3), party("orc", "WT07", 4), party("orc", "WT03", 4))
    table.when("orc", MoveParty("WT05"))
    dice(table, 2)
    happened(table, PartyStayed("orc", "WT05"))
    assert table.state.armies["WT05"] == Army("orc", 3)
    table.asks(orc="combat")


def test_a_party_may_stay_when_it_could_only_attack() -> None:
    """If every end space holds an enemy it will not attack, it stays (QD-6.4, QD-H34)."""
    table = roll(
        at_quest(party("orc", "WT05", 3), party("elf", "WT07", 4), party("elf", "WT03", 1)), "WT05", 2
    )
    assert ways(table) == (("WT07", "WT03"), True)
    assert table.ask("orc").silence == Stay()
    happened(table.when("orc", Stay()), PartyStayed("orc", "WT05"))


def test_an_entering_party_stays_at_home_when_its_space_is_taken() -> None:
    """An entering party stays at home, and nothing happens: its items stay in the store (QD-H34, QD-6.1)."""
    table = at_quest(UnitsSet("orc", "FM_n", 5), party("elf", "WT04", 3), wizard("orc", "FM_n", "heal"))
    table.when("orc", SendParty("FM_n", 3, ("orc.wizard.1",)))
    dice(table, 4)
    assert ways(table) == (("WT04",), True)
    happened(table.when("orc", Stay()), PartyStayed("orc", "FM_n"))
    assert table.state.armies["FM_n"] == Army("orc", 5)
    assert table.state.chips["orc.wizard.1"].shown, "nobody left, so everybody still knows where he is"
    assert table.state.recruits is None


def test_a_party_comes_out_into_friendly_land_and_stores_its_items() -> None:
    """The party may leave to the adjacent territory (QD-6.5); its items go to the store (QD-8.1)."""
    table = roll(at_quest(HOME, UnitsSet("orc", "SC_n", 1), party("orc", "WT12", 3, torch=1)), "WT12", 1)
    table.when("orc", Travel("SC_n"))
    happened(table, UnitsMoved("orc", "WT12", "SC_n", 3), ItemsMoved("orc@WT12", "orc", {"torch": 1}))
    assert table.state.armies["SC_n"] == Army("orc", 4)


def test_items_are_lost_when_no_kingdom_stores_them() -> None:
    """Gold and items with no kingdom to store them are lost (QD-H7, QD-8.1)."""
    table = roll(at_quest(UnitsSet("orc", "SC_n", 1), party("orc", "WT12", 3, torch=1)), "WT12", 1)
    table.when("orc", Travel("SC_n"))
    assert ItemsMoved("orc@WT12", "", {"torch": 1}, because=("QD-8.1", "QD-H7")) in table.told
    assert table.state.items == {}


def test_a_party_claims_empty_land_when_it_comes_out() -> None:
    """To the adjacent territory, whoever holds it or nobody (QD-6.5, QD-H38)."""
    table = roll(at_quest(HOME, party("orc", "WT12", 3)), "WT12", 1)
    table.when("orc", Travel("IH_ne"))
    assert table.state.armies["IH_ne"] == Army("orc", 3)


def test_a_party_that_comes_out_into_enemy_land_fights_in_phase_four_and_never_retreats() -> None:
    """An ordinary land battle waits for phase 4 (QD-6.5, QD-X62); parties never retreat (QD-17.1)."""
    table = roll(
        at_quest(party("orc", "WT12", 3), UnitsSet("elf", "SC_n", 2), UnitsSet("orc", "SC_k", 2)), "WT12", 1
    )
    table.when("orc", Travel("SC_n"))
    assert table.state.columns["SC_n"] == (Column("orc", "WT12", 3, how="party"),)
    table.asks(orc="combat")
    table.when("orc", EndPhase()).refused("battles_open", "QD-10.1")
    table.when("orc", Fight("SC_n"))
    dice(table, 6, 6, 6, 6, 6)
    assert told(table, BattleBegan) == []
    assert table.now.question is not None
    assert table.now.question.roll is not None, "a new round began; nobody was asked to retreat"


def test_a_party_goes_aboard_its_own_ship_with_room() -> None:
    """Out of the village aboard an own ship in the village zone with room (QD-H38)."""
    table = roll(at_quest(party("orc", "WT01", 3), UnitsSet("orc", "N3", 5), ShipsSet("N3", 1)), "WT01", 1)
    table.when("orc", Travel("N3"))
    assert table.state.armies == {"N3": Army("orc", 8)}
    full = at_quest(party("orc", "WT01", 3), UnitsSet("orc", "N3", 6), ShipsSet("N3", 1))
    assert "N3" not in ways(roll(full, "WT01", 1))[0]


def test_a_party_boards_a_ship_that_waits_at_the_village() -> None:
    """In a village zone an empty ship waits for the first who boards it (QD-H39, QD-H38)."""
    table = roll(at_quest(party("orc", "WT01", 3), ShipsSet("N3", 1, empty=True)), "WT01", 1)
    assert table.state.docked == {"N3": 1}
    table.when("orc", Travel("N3"))
    assert table.state.armies["N3"] == Army("orc", 3)
    assert (table.state.fleets, table.state.docked) == ({"N3": 1}, {})


def test_nobody_boards_an_enemy_blockade_from_the_village() -> None:
    """Aboard an own ship only (QD-H38)."""
    table = roll(at_quest(party("orc", "WT01", 3), UnitsSet("elf", "N3", 2), ShipsSet("N3", 1)), "WT01", 1)
    assert "N3" not in ways(table)[0]


def test_a_unit_in_the_wastelands_earns_nothing() -> None:
    """A unit in the Wastelands earns nothing (QD-24.15, QD-20.1)."""
    table = at_quest(HOME, party("orc", "WT05", 3), UnitsSet("orc", "FM_n", 2))
    assert income_of(table.now, "orc") == 5 + 1


def test_moving_is_told_with_the_road_that_is_used_up() -> None:
    """Everybody sees which party is about to move; the die is its owner's (QD-6.2, QD-6.3)."""
    table = at_quest(party("orc", "WT05", 3))
    table.when("orc", MoveParty("WT05")).then(PartySetOut("orc", "WT05", "WT"))
    assert table.now.question is not None
    assert table.now.question.roll is not None
    assert (table.now.question.roll.purpose, table.now.question.roll.thrower) == ("move", "orc")


def test_a_wizard_teleports_to_a_party_of_friends_with_room() -> None:
    """To a Wasteland space held by friends, six units per space (QD-5.3, QD-H12)."""
    table = at_quest(
        UnitsSet("orc", "OR_k", 5),
        wizard("orc", "OR_k", "teleport"),
        party("orc", "WT05", 4),
    )
    table.when(ARBITER, Correct("phase 2", (TurnSet("orc", "sea"),)))
    table.when("orc", Teleport("orc.wizard.1", "WT05", "OR_k", 2)).refused("no_room_there", "QD-H12")
    table.when("orc", Teleport("orc.wizard.1", "WT05", "OR_k", 1))
    assert table.state.armies["WT05"] == Army("orc", 6)


def test_who_was_teleported_to_a_space_does_not_use_it() -> None:
    """Only a party that ended a move on a space this turn acts there (QD-H34)."""
    table = at_quest(
        UnitsSet("orc", "OR_k", 5), wizard("orc", "OR_k", "teleport"), party("orc", "WT04", 4, dragonorb=1)
    )
    table.when(ARBITER, Correct("phase 2", (TurnSet("orc", "sea"),)))
    table.when("orc", Teleport("orc.wizard.1", "WT04", "OR_k", 1)).asks(orc="sea")


def test_a_wizard_teleports_out_of_the_wastelands_and_may_leave_the_space_empty() -> None:
    """A wizard may take itself and five from a Wasteland space in phase 5 (QD-19.2); the items are stored (QD-8.1)."""
    table = at_quest(HOME, party("orc", "WT05", 3, torch=1), wizard("orc", "WT05", "teleport"))
    table.when(ARBITER, Correct("phase 5", (TurnSet("orc", "transfer"),)))
    table.when("orc", Teleport("orc.wizard.1", "OR_k", "WT05", 2))
    assert table.state.armies == {"OR_k": Army("orc", 6)}
    assert items_of(table, "orc") == {"torch": 1}


def test_items_stay_with_the_part_of_a_party_that_stays() -> None:
    """Items stay with the party (QD-8.1)."""
    table = at_quest(HOME, party("orc", "WT05", 3, torch=1), wizard("orc", "WT05", "teleport"))
    table.when(ARBITER, Correct("phase 5", (TurnSet("orc", "transfer"),)))
    table.when("orc", Teleport("orc.wizard.1", "OR_k", "WT05", 1))
    assert items_of(table, "orc@WT05") == {"torch": 1}


def test_a_dragonlord_gained_in_the_wastelands_leaves_them_in_phase_five() -> None:
    """A DragonLord gained here must leave in phase 5 to a friendly territory (QD-6.13, QD-X81)."""
    table = at_quest(HOME, UnitsSet("orc", "WT05", 3, 1))
    table.when(ARBITER, Correct("phase 5", (TurnSet("orc", "transfer"),)))
    table.when("orc", EndPhase()).refused("dragonlord_in_wastelands", "QD-6.13")
    silence = table.ask("orc").silence
    assert silence == Teleport("dragonlord", "OR_k", "WT05")
    table.when("orc", silence)
    assert table.state.armies == {"OR_k": Army("orc", 3, 1), "WT05": Army("orc", 3)}
    assert not table.when("orc", EndPhase()).reasons


def test_a_party_with_a_dragonlord_waits_for_phase_five() -> None:
    """DragonLords go on no quest (QD-6.1); one that was gained leaves in phase 5 (QD-6.13)."""
    table = at_quest(HOME, UnitsSet("orc", "WT05", 3, 1), party("orc", "WT09", 2))
    table.when("orc", MoveParty("WT05")).refused("dragonlord_waits", "QD-6.1", "QD-6.13")
    assert is_offered(table, "orc", MoveParty("WT09"))
    assert not is_offered(table, "orc", MoveParty("WT05"))


def test_a_dragonlord_without_friendly_land_to_go_to_is_lost() -> None:
    """It may not stay in the Wastelands (QD-6.13, QD-X71); where it can go nowhere, it goes back to the supply (QD-H44)."""
    table = at_quest(UnitsSet("orc", "WT05", 3, 1), UnitsSet("elf", "OR_k", 2))
    table.when(ARBITER, Correct("phase 5", (TurnSet("orc", "transfer"),)))
    table.when("orc", EndPhase())
    assert table.state.armies["WT05"] == Army("orc", 3)
    assert table.state.muster["orc"].lost == 1


def test_a_dragonlord_never_teleports_into_the_wastelands() -> None:
    """Never to the Wastelands (QD-5.4, QD-X71)."""
    table = at_quest(UnitsSet("orc", "OR_k", 3, 1), party("orc", "WT05", 2))
    table.when(ARBITER, Correct("phase 2", (TurnSet("orc", "sea"),)))
    table.when("orc", Teleport("dragonlord", "WT05", "OR_k")).refused("no_target", "QD-X71")


def test_a_king_is_never_taken_into_the_wastelands() -> None:
    """A king is never in the Wastelands (QD-14.2), though he may be teleported elsewhere (QD-5.5)."""
    table = at_quest(
        UnitsSet("orc", "OR_k", 4), wizard("orc", "OR_k", "teleport"), ChipSet("orc", "orc.king", "OR_k"),
        party("orc", "WT05", 2),
    )  # fmt: skip
    table.when(ARBITER, Correct("phase 2", (TurnSet("orc", "sea"),)))
    table.when("orc", Teleport("orc.wizard.1", "WT05", "OR_k", 1, leading=("orc.king",)))
    table.refused("no_king_there", "QD-14.2")


def test_the_wastelands_are_shown_in_words() -> None:
    """Who looks at the board sees the parties, where they stand, and what they carry (QD-2.8, QD-8.1)."""
    table = at_quest(HOME, party("orc", "WT06.orc", 2, torch=1), UnitsSet("orc", "FM_n", 3))
    sheets = {title: rows for title, _, rows in tables(table.now)}
    assert sheets["Northern Wastes"] == (("WT06.orc", "shrine", "orc", "2", "", "1 torch"),)
    roads = {title: rows for title, _, rows in places()}
    assert roads["Southern Wastes"][0] == (
        "WB01",
        "",
        "village",
        "WB02, AL_s (bridge), SV_s (bridge), S3 (ship)",
    )
    assert len(roads["Southern Wastes"]) == 12
    table.when("orc", SendParty("FM_n", 2))
    assert ("sets out", "2 orc from FM_n") in {title: rows for title, _, rows in tables(table.now)}[""]
