"""Battles at sea: fleet against fleet, no retreat and no fire, who keeps which ship (QD-11, QD-5.7, QD-14.7, W7, W9)."""

import pytest

from core.deciding import Decision, Refused, decide
from core.games.dragonlords import RULES
from core.games.dragonlords.armies import UnitsLost, UnitsMarked
from core.games.dragonlords.battle import BattleBegan, BattleEnded, Pass
from core.games.dragonlords.board import ZONES
from core.games.dragonlords.boarding import Board, Land
from core.games.dragonlords.docks import ShipsDocked, ShipsSunk, ShipsTaken
from core.games.dragonlords.ending import KingBeaten
from core.games.dragonlords.flight import Flee
from core.games.dragonlords.land_combat import Attack, Fight
from core.games.dragonlords.phases import EndPhase
from core.games.dragonlords.position import ChipSet, ColumnSet, ShipsSet, SpellsSet, TurnSet, UnitsSet
from core.games.dragonlords.sailing import Sail
from core.games.dragonlords.spell_users import Declare
from core.games.dragonlords.spells import Cast
from core.games.dragonlords.state import Army
from core.games.dragonlords.teleport import Teleport
from core.kit.table import Correct, Rule
from core.seats import ARBITER
from core.telling import Moment
from events.chance import Rolled
from events.play import GameEnded
from events.table import Forfeited
from replay.sheets.adjudicate import adjudicate, judge
from replay.sheets.scoresheet import parse_sheet
from replay.verifying.verify import verify_log
from tests.driver import Table, given
from tests.games.dragonlords.field import dice_due, home, lose, losses, roll, silent, strengths
from tests.games.dragonlords.land import is_offered, stands, told
from tests.games.dragonlords.sea import afloat, docked, fleet, raid, sea, sea_battle, to_battle, volley

RAID = raid("orc", "C3", 1, 3, origin="S2")
BLOCKADE = fleet("elf", "C3", 1, 3)
FIGHT_AT_SEA = """game: dragonlords
seats: elf, dwarf
setup: units elf S2 3
setup: ships S2 2
setup: units dwarf C3 4
setup: ships C3 3
setup: units elf FM_k 2
setup: turn elf sea
elf: sail C3 from S2 with 3
elf: fight C3
dice: 1 2 3
dice: 3 6 5 5
dice: 1 6
dice: 6
"""


def test_w9_the_elves_beat_the_dwarves_and_man_both_ships() -> None:
    """W9 (QD-11.1, QD-11.2, QD-11.5): three dice a side, a ship has none; two Elves are left on two ships."""
    table = given(
        RULES,
        TurnSet("elf", "sea"),
        *fleet("elf", "S2", 1, 3),
        *fleet("dwarf", "C3", 1, 3),
        seats=("elf", "dwarf"),
    )
    table.must("elf", Sail(("C3",), "S2", 3))
    to_battle(table).when("elf", Fight())
    assert BattleBegan("C3", "elf", "dwarf", "sea", because=("QD-11.1",)) in table.told
    volley(table, (6, 2, 3), (3, 6, 5))
    assert losses(table) == [("dwarf", 2), ("elf", 1)]
    volley(table, (1, 3), (4,))
    assert losses(table) == [("dwarf", 1)]
    assert afloat(table.state) == {"C3": ("elf", 2, 2)}
    assert [(fact.seat, fact.count, fact.loser) for fact in told(table, ShipsTaken)] == [("elf", 1, "dwarf")]
    assert strengths(table) == [("elf", 3, 3), ("dwarf", 3, 3), ("elf", 2, 3), ("dwarf", 1, 3)]


def test_w7_of_four_ships_three_survivors_keep_three() -> None:
    """W7 (QD-11.5): each ship needs one unit; the fourth sinks."""
    table = sea_battle(*raid("orc", "C3", 2, 4, origin="S2"), *fleet("elf", "C3", 2, 2))
    volley(table, (1, 1, 6, 6), (1, 6))
    assert afloat(table.state) == {"C3": ("orc", 3, 3)}
    assert [(fact.seat, fact.count) for fact in told(table, ShipsSunk)] == [("orc", 1)]
    assert table.state.sunk == 1


def test_an_unmanned_ship_docks_in_a_friendly_harbour_of_the_zone() -> None:
    """QD-11.5, QD-X85: off one's own coast it is saved."""
    table = sea_battle(
        *raid("orc", "C3", 2, 4, origin="S2"), *fleet("elf", "C3", 2, 2), *stands("orc", SV_sw=1)
    )
    volley(table, (1, 1, 6, 6), (1, 6))
    assert (afloat(table.state), table.state.docked) == ({"C3": ("orc", 3, 3)}, {"SV_sw": 1})
    assert [(fact.zone, fact.because) for fact in told(table, ShipsDocked)] == [("C3", ("QD-11.5", "QD-X85"))]


def test_the_defender_keeps_the_ships_of_beaten_attackers() -> None:
    """QD-11.5: as many as he can man, his own and theirs."""
    table = sea_battle(*RAID, *BLOCKADE)
    volley(table, (6, 6, 6), (1, 1, 1))
    assert afloat(table.state) == {"C3": ("elf", 3, 2)}
    assert [(fact.seat, fact.count) for fact in told(table, ShipsTaken)] == [("elf", 1)]
    assert table.state.raiders == {}
    alone = sea_battle(*RAID, *fleet("elf", "C3", 1, 1))
    volley(alone, (6, 6, 6), (1,))
    volley(alone, (6, 6), (1,))
    volley(alone, (6,), (1,))
    assert afloat(alone.state) == {"C3": ("elf", 1, 1)}
    assert alone.state.sunk == 1


def test_two_fleets_that_destroy_each_other_sink() -> None:
    """QD-H13: except ships that dock off their own coast."""
    table = sea_battle(
        *raid("orc", "C3", 1, 1, origin="S2"), *fleet("elf", "C3", 1, 1), *stands("elf", SV_sw=1)
    )
    volley(table, (1,), (1,))
    assert (table.state.fleets, table.state.raiders, table.state.docked) == ({}, {}, {"SV_sw": 1})
    assert [(fact.seat, fact.attacks) for fact in told(table, ShipsSunk)] == [("orc", True)]
    assert "C3" not in table.state.armies
    (ended,) = told(table, BattleEnded)
    assert (ended.winner, ended.taken) == ("", False)


def test_in_a_village_zone_ships_that_a_battle_emptied_sink_too() -> None:
    """QD-11.5, QD-H39: waiting is for ships that were emptied otherwise."""
    table = sea_battle(*raid("orc", "N3", 2, 3, origin="N2"), *fleet("elf", "N3", 1, 1), zone="N3")
    volley(table, (6, 6, 6), (1,))
    volley(table, (1, 6), (1,))
    assert afloat(table.state) == {"N3": ("orc", 1, 1)}
    assert (table.state.sunk, table.state.docked) == (2, {})


def test_all_units_of_a_fleet_roll_and_no_ship_does() -> None:
    """QD-11.2: units on several ships, from several zones, and those who came by teleport, fight as one fleet."""
    table = sea_battle(
        *raid("orc", "C3", 2, 5, origin="S2"),
        ColumnSet("orc", "C3", "C2", 2, how="ship"),
        ColumnSet("orc", "C3", "OR_k", 1, how="teleport"),
        *fleet("elf", "C3", 3, 4),
    )
    assert dice_due(table) == 8
    roll(table, *[6] * 8)
    assert dice_due(table) == 4


def test_nobody_retreats_or_withdraws_at_sea() -> None:
    """QD-11.1, QD-17.1: the next round begins by itself, though friendly land is near and a wizard could teleport."""
    table = sea_battle(
        *RAID, *BLOCKADE, *stands("orc", SV_sw=2),
        ChipSet("orc", "orc.wizard.1", "C3", shown=True, way="ship"), SpellsSet("orc.wizard.1", ("teleport",)),
    )  # fmt: skip
    volley(table, (6, 6, 6), (6, 6, 6)).asks(chance="roll")
    assert table.state.battle.round == 2


def test_no_attack_spell_is_thrown_at_sea() -> None:
    """QD-11.3, QD-14.7, QD-X7: a wizard with fireball and lightning and a DragonLord only roll, each one die."""
    table = sea_battle(
        ColumnSet("orc", "C3", "OR_k", 2, 1, how="teleport"), *BLOCKADE,
        ChipSet("orc", "orc.wizard.1", "C3", shown=True, way="teleport"),
        SpellsSet("orc.wizard.1", ("fireball", "lightning")),
    )  # fmt: skip
    table.asks(chance="roll")
    table.when("orc", Cast("fireball")).refused("not_at_sea", "QD-11.3", "QD-X7")
    assert dice_due(table) == 3


@pytest.mark.parametrize("treasure", ("ring_of_fire", "trident"))
def test_ring_of_fire_and_trident_give_no_attack_at_sea(treasure: str) -> None:
    """QD-H51, QD-11.3: the ban covers the spells whoever throws them."""
    table = sea_battle(*RAID, *BLOCKADE, ChipSet("orc", treasure, "C3", shown=True, way="ship"))
    table.asks(chance="roll")
    assert dice_due(table) == 3


def test_a_dragonlord_at_sea_spreads_panic_and_a_king_gives_hope() -> None:
    """QD-11.2, QD-14.5, QD-15.4: T.A.S. is made as on land."""
    table = sea_battle(
        ColumnSet("orc", "C3", "OR_k", 2, 1, how="teleport"),
        *BLOCKADE,
        ChipSet("elf", "elf.king", "C3", shown=True),
    )
    volley(table, (6, 6, 6), (6, 6, 6))
    assert strengths(table) == [("orc", 3, 3), ("elf", 3, 3)]


def test_the_golden_fleece_gives_its_whole_blockade_one_more() -> None:
    """QD-7.10: at sea alone, to all units of the same blockade."""
    table = sea_battle(*RAID, *BLOCKADE, ChipSet("elf", "golden_fleece", "C3"))
    table.asks(elf="declare").when("elf", Declare(("golden_fleece",)))
    volley(table, (6, 6, 6), (6, 6, 6))
    assert strengths(table) == [("orc", 3, 3), ("elf", 3, 4)]


def quiet(table: Table) -> Table:
    """Let silence declare what works, until something else is asked."""
    while (question := table.now.question) is not None and question.kind == "declare":
        silent(table)
    return table


def wizard(place: str) -> tuple[ChipSet, SpellsSet]:
    return ChipSet("elf", "elf.wizard.1", place), SpellsSet("elf.wizard.1", ("teleport",))


def test_a_defending_wizard_may_flee_to_land_or_to_another_blockade_with_room() -> None:
    """QD-11.4: in place of his die, to a friendly territory, space or blockade, if the hits are not more than the others."""
    table = sea_battle(
        *RAID, *BLOCKADE, *wizard("C3"), *fleet("elf", "S4", 1, 7), *fleet("elf", "E1", 1, 8),
        UnitsSet("elf", "WT03", 2),
    )  # fmt: skip
    roll(quiet(table), 1, 1, 6).asks(elf="flight")
    for place in ("SC_k", "S4", "WT03"):
        assert is_offered(table, "elf", Flee("elf.wizard.1", place))
    table.when("elf", Flee("elf.wizard.1", "E1")).refused("no_haven", "QD-10.7")
    table.when("elf", Flee("elf.wizard.1", "S4"))
    assert dice_due(table) == 2
    roll(table, 6, 6)
    assert afloat(table.state)["C3"] == ("orc", 3, 2)
    assert afloat(table.state)["S4"] == ("elf", 8, 1)


def test_three_hits_on_three_units_allow_no_flight_at_sea() -> None:
    """QD-11.4, QD-10.7: the hits are more than the other units left there."""
    table = sea_battle(*RAID, *BLOCKADE, *wizard("C3"))
    roll(quiet(table), 1, 1, 1).asks(chance="roll")


def test_a_ship_that_its_last_unit_fled_from_sinks_or_docks_with_its_owner() -> None:
    """QD-H39, QD-11.4: emptied by flight, it is not the attacker's to man."""
    for harbour, where in (((), {}), (stands("elf", SV_sw=1), {"SV_sw": 1})):
        table = sea_battle(*RAID, *fleet("elf", "C3", 1, 1), *wizard("C3"), *harbour)
        roll(quiet(table), 6, 6, 6).asks(elf="flight")
        table.when("elf", Flee("elf.wizard.1", "SC_k"))
        assert table.state.docked == where
        assert afloat(table.state) == {"C3": ("orc", 3, 1)}
        assert told(table, ShipsTaken) == []


def test_winners_of_a_sea_battle_fight_no_more_and_land_in_friendly_harbours_alone() -> None:
    """QD-5.7: not even on an empty shore; in phase 5, in the same zone."""
    table = sea_battle(*RAID, *fleet("elf", "C3", 1, 1))
    volley(table, (1, 6, 6), (6,))
    assert table.state.spent == {"C3": 3}
    table.when("orc", Attack("SV_sw", "C3", 2)).refused("not_adjacent")
    table.must("orc", EndPhase())
    table.when("orc", Land("SV_sw", 1)).refused("has_fought", "QD-5.7")
    rested = given(
        RULES, *fleet("orc", "C3", 1, 4), *stands("orc", OR_k=2), *stands("elf", FM_k=2), TurnSet("orc", "transfer"),
        seats=("orc", "elf"),
    )  # fmt: skip
    now = Moment(RULES, UnitsMarked("C3", spent=2).onto(rested.state), rested.now.table, rested.now.entry)
    assert isinstance(decide(now, "orc", Land("SV_sw", 2)), Decision), "two of the four have not fought"
    assert isinstance(decide(now, "orc", Land("SV_sw", 3)), Refused)
    friendly_wizard = *stands("orc", FM_k=4), ChipSet("orc", "orc.wizard.1", "FM_k")
    joined = sea_battle(
        *RAID, *fleet("elf", "C3", 1, 1), *friendly_wizard, SpellsSet("orc.wizard.1", ("teleport",))
    )
    volley(joined, (1, 6, 6), (6,))
    joined.must("orc", EndPhase())
    joined.must("orc", Teleport("orc.wizard.1", "C3", "FM_k", 2))
    joined.when("orc", Land("SV_sw", 1)).refused("has_fought", "QD-5.7")
    assert not any(offer.command is Land for offer in joined.ask("orc").offers), "who came has moved already"
    friendly = sea_battle(*RAID, *fleet("elf", "C3", 1, 1), *stands("orc", SV_sw=1))
    volley(friendly, (1, 6, 6), (6,))
    friendly.must("orc", EndPhase())
    friendly.must("orc", Land("SV_sw", 1))
    assert friendly.state.armies["SV_sw"] == Army("orc", 2)


def test_units_board_and_land_in_phase_five() -> None:
    """QD-19.3: that makes a blockade; each unit does one thing in the phase, and enemy land waits (QD-H28)."""
    table = sea(*stands("orc", FM_ne=4), *docked(FM_ne=1), *fleet("orc", "W2", 1, 3), *stands("elf", OR_sw=1),
                *fleet("orc", "S1", 1, 1), name="transfer")  # fmt: skip
    table.must("orc", Board("FM_ne", 2))
    assert afloat(table.state)["N2"] == ("orc", 2, 1)
    table.when("orc", Land("FM_ne", 1)).refused("not_there", "QD-19.3")
    table.when("orc", Land("OR_sw", 1)).refused("enemy_there", "QD-19.3")
    table.must("orc", Land("I1", 1))
    table.when("orc", Board("I1", 1)).refused("not_there", "QD-19.3")
    assert table.state.moved == {"N2": 2, "I1": 1}


def test_nobody_boards_beside_an_enemy_blockade_in_phase_five() -> None:
    """QD-H40: there would be no battle any more."""
    table = sea(*stands("orc", FM_ne=4), *docked(FM_ne=1), *fleet("elf", "N2", 1, 1), name="transfer")
    table.when("orc", Board("FM_ne", 2)).refused("enemy_blockade", "QD-H40")


def test_a_vanquished_fleet_keeps_its_blockade_and_is_rolled_for() -> None:
    """QD-H47, QD-2.7: no flight, no magic; the player on the attacker's right rolls for it."""
    table = given(
        RULES, TurnSet("orc", "sea"), *stands("orc", OR_k=2), *stands("dwarf", SC_k=2),
        *fleet("orc", "S2", 1, 3), *fleet("elf", "C3", 1, 2), *wizard("C3"), ChipSet("elf", "golden_fleece", "C3"),
        seats=("orc", "elf", "dwarf"),
    )  # fmt: skip
    table.must(ARBITER, Rule(Forfeited("elf"), "went home"))
    silent_to(table, "orc", "sea")
    table.must("orc", Sail(("C3",), "S2", 3))
    to_battle(table).must("orc", Fight())
    volley(table, (1, 1, 6), (6, 6))
    assert [(fact.owner, fact.roller) for fact in told(table, Rolled)] == [("orc", ""), ("elf", "dwarf")]
    assert afloat(table.state) == {"C3": ("orc", 3, 2)}


def silent_to(table: Table, seat: str, phase: str) -> None:
    """Let silence answer until a phase of a seat is asked."""
    for _ in range(60):
        question = table.now.question
        assert question is not None
        if (table.state.active, question.kind) == (seat, phase):
            return
        silent(table)
    raise AssertionError(f"{seat} is not asked {phase}")


def test_attackers_whose_king_falls_at_sea_sail_home_while_they_hold_the_zone_they_came_from() -> None:
    """QD-22.1, QD-H47: vanquished units attack no more; others of theirs that nobody receives are lost with their ships."""
    king = ChipSet("orc", "orc.king", "C3", way="ship", shown=True)
    table = given(
        RULES, TurnSet("orc", "combat"), *stands("orc", OR_k=2), *stands("dwarf", SC_k=2), home("elf", "FM_k"),
        *raid("orc", "C3", 1, 2, origin="S2"), *fleet("orc", "S2", 1, 1), *fleet("elf", "C3", 1, 3), king,
        seats=("orc", "elf", "dwarf"),
    )  # fmt: skip
    table.must("orc", Fight())
    volley(table, (6, 6), (1, 6, 6)).asks(orc="losses")
    table.when("orc", lose(orc__king=1))
    assert [(fact.seat, fact.victor) for fact in told(table, KingBeaten)] == [("orc", "elf")]
    assert afloat(table.state) == {"S2": ("orc", 2, 2), "C3": ("elf", 3, 1)}
    assert table.state.raiders == {}


def test_attackers_from_several_places_break_off_each_to_its_own() -> None:
    """QD-22.1, QD-H47: on as many ships as all of them man; who was teleported goes back where there is room for all."""
    table = given(
        RULES, TurnSet("orc", "combat"), *stands("orc", OR_k=2, OR_se=1), *stands("dwarf", SC_k=2), home("elf", "FM_k"),
        *raid("orc", "C3", 4, 3, origin="S2"), *raid("orc", "C3", 4, 2, origin="S1"), *fleet("orc", "S2", 1, 1),
        *fleet("orc", "S1", 1, 1), *fleet("orc", "W1", 1, 5), ColumnSet("orc", "C3", "W1", 3, how="teleport"),
        ColumnSet("orc", "C3", "OR_k", 1, 1, how="teleport"), ChipSet("orc", "orc.king", "C3", way="teleport", shown=True),
        ChipSet("orc", "excalibur", "C3", way="ship"), *fleet("elf", "C3", 1, 8), seats=("orc", "elf", "dwarf"),
    )  # fmt: skip
    table.must(ARBITER, Rule(Forfeited("orc"), "went home"))
    assert afloat(table.state) == {
        "S2": ("orc", 4, 3),
        "S1": ("orc", 3, 3),
        "W1": ("orc", 8, 1),
        "C3": ("elf", 8, 1),
    }
    assert table.state.armies["OR_k"] == Army("orc", 3, 1)
    assert table.state.chips["excalibur"].place in ("S1", "S2")
    assert (table.state.raiders, table.state.columns, table.state.sunk) == ({}, {}, 0)
    table.leave()


def test_attackers_who_boarded_beside_a_blockade_go_back_to_their_harbour() -> None:
    """QD-22.1, QD-H40: their ships are docked there again; a passenger for whom a ship has no place is lost."""
    table = given(
        RULES, TurnSet("orc", "combat"), *stands("orc", OR_k=2, SV_sw=1), *stands("dwarf", SC_k=2), home("elf", "FM_k"),
        *raid("orc", "C3", 1, 2, origin="SV_sw"), ColumnSet("orc", "C3", "W1", 1, how="teleport"),
        *fleet("orc", "W1", 1, 8), *fleet("elf", "C3", 1, 3), ChipSet("orc", "orc.king", "OR_k"),
        seats=("orc", "elf", "dwarf"),
    )  # fmt: skip
    table.must(ARBITER, Rule(Forfeited("orc"), "went home"))
    assert table.state.armies["SV_sw"] == Army("orc", 3)
    assert table.state.docked == {"SV_sw": 1}
    assert afloat(table.state) == {"W1": ("orc", 8, 1), "C3": ("elf", 3, 1)}
    assert [(fact.seat, fact.count) for fact in told(table, UnitsLost)] == [("orc", 1)]
    table.leave()


def test_attackers_without_a_home_are_lost_with_their_ships() -> None:
    """QD-22.1: nobody of theirs holds the zone they came from."""
    table = given(
        RULES, TurnSet("orc", "combat"), *stands("orc", OR_k=2), *stands("dwarf", SC_k=2), home("elf", "FM_k"),
        *raid("orc", "C3", 1, 2, origin="S2"), *fleet("elf", "C3", 1, 1), ChipSet("orc", "orc.king", "OR_k"),
        seats=("orc", "elf", "dwarf"),
    )  # fmt: skip
    table.must(ARBITER, Rule(Forfeited("orc"), "went home"))
    assert afloat(table.state) == {"C3": ("elf", 1, 1)}
    assert [(fact.seat, fact.count) for fact in told(table, UnitsLost)] == [("orc", 2)]
    assert table.state.sunk == 1


def test_the_last_king_at_sea_ends_the_game() -> None:
    """QD-22.2: a king may be beaten in a blockade."""
    table = sea_battle(*RAID, *fleet("elf", "C3", 1, 1), ChipSet("elf", "elf.king", "C3", shown=True))
    volley(table, (1, 6, 6), (6,))
    assert [fact.winners for fact in told(table, GameEnded)] == [("orc",)]


def test_the_last_king_at_sea_ends_the_game_though_his_ships_have_lost_their_crews() -> None:
    """QD-22.2, QD-H48: at once, before anybody has manned them or let them sink (QD-11.5)."""
    king = ChipSet("elf", "elf.king", "C3", shown=True)
    table = sea_battle(*RAID, *fleet("elf", "C3", 3, 3), king)
    volley(table, (1, 1, 6), (6, 6, 6)).when("elf", lose(elf__king=1, unit=1))
    assert [fact.winners for fact in told(table, GameEnded)] == [("orc",)]
    table.leave()


def test_each_battle_at_sea_is_fought_in_the_order_the_attacker_likes() -> None:
    """QD-H26, QD-11.1: battles on land and at sea are mixed; none is left open."""
    table = sea(
        *RAID, *fleet("elf", "C3", 1, 1), *raid("orc", "N1", 1, 1, origin="N2"), *fleet("elf", "N1", 1, 1),
        ColumnSet("orc", "SC_n", "OR_k", 2, how="teleport"), home("elf", "SC_n"), name="combat",
    )  # fmt: skip
    table.when("orc", Fight("N1")).asks(chance="roll")
    volley(table, (1,), (6,))
    table.when("orc", EndPhase()).refused("battles_open")
    table.when("orc", Fight("SC_n"))
    volley(table, (1, 6), (6,))
    table.when("orc", EndPhase()).refused("battles_open", "QD-11.1")
    table.when("orc", Fight("C3"))
    volley(table, (1, 1, 1), (6,))
    table.must("orc", EndPhase())


def test_the_question_of_flight_at_sea_hangs_on_what_everybody_knows() -> None:
    """QD-H42: it is asked wherever the wizard may lie, and not where he is seen elsewhere."""
    hidden = sea_battle(*RAID, *BLOCKADE, ChipSet("elf", "elf.blank", "C3"), *wizard("SC_k"))
    roll(quiet(hidden), 6, 6, 6).asks(elf="flight")
    hidden.when("elf", Pass()).asks(chance="roll")
    seen = sea_battle(
        *RAID, *BLOCKADE, ChipSet("elf", "elf.blank", "C3"), ChipSet("elf", "elf.wizard.1", "SC_k", shown=True),
        SpellsSet("elf.wizard.1", ("teleport",)),
    )  # fmt: skip
    roll(quiet(seen), 6, 6, 6).asks(chance="roll")


def test_ships_are_counted_in_the_sheet_of_a_position() -> None:
    """A claim that ships stand so is right exactly when they do (QD-11.5)."""
    state = sea(*fleet("orc", "N1", 2, 3), *docked(OR_sw=1), ShipsSet("N3", 1, empty=True)).state
    assert ShipsSet("N1", 2).holds(state)
    assert not ShipsSet("N1", 1).holds(state)
    assert ShipsSet("OR_sw", 1).holds(state)
    assert ShipsSet("N3", 1, empty=True).holds(state)
    assert ShipsSet("N3", 0).holds(state)


@pytest.mark.parametrize(
    ("said", "verdict"),
    (
        ("captures 2", "lawful"),
        ("captures 3", "miscounted"),
        ("captures 1", "lawful"),
        ("captures 0", "lawful"),
    ),
)
def test_only_ships_that_the_winner_keeps_are_captured(said: str, verdict: str) -> None:
    """Two Elves with two ships beat a fleet of three: they can man two, and what sinks at once nobody takes (QD-11.5).

    Which two they man is theirs to say: their own, the enemy's, or one of each.
    """
    report = adjudicate(parse_sheet(f"{FIGHT_AT_SEA}claim: elf {said}\nclaim: ships C3 2\n"))
    assert [one.verdict for one in report.verdicts[-2:]] == [verdict, "lawful"]
    assert verdict == "lawful" or (report.verdicts[-2].sections, report.verdicts[-2].expected) == (
        ("QD-11.5",),
        "elf captures 2",
    )


CAPTURING = """game: dragonlords
seats: elf, dwarf
setup: units elf S2 5; ships S2 2; units dwarf C3 3; ships C3 3; units elf FM_k 2; units dwarf IH_k 2
setup: turn elf sea
elf: sail C3 from S2 with 5 aboard 2
elf: fight C3
dice: 1 1 1 6 6
dice: 6 6 6
"""
"""Five Elves on two ships beat three ships of three Dwarves."""


@pytest.mark.parametrize(
    ("captured", "ships", "wrong"), ((3, 5, 4), (2, 4, 5), (1, 3, 4), (0, 2, 5)), ids=str
)
def test_the_winner_may_let_ships_of_the_enemy_sink_though_he_could_man_them(
    captured: int, ships: int, wrong: int
) -> None:
    """QD-11.5: he may claim them. What he claims is right, and the board goes on from it."""
    claims = f"claim: elf captures {captured}\nclaim: ships C3 {ships}\nclaim: ships C3 {wrong}\n"
    judged = judge(parse_sheet(CAPTURING + claims))
    assert [one.verdict for one in judged.report.verdicts[-3:]] == ["lawful", "lawful", "miscounted"]
    assert sum(isinstance(one.command, Correct) for one in judged.told) == (captured != 3)
    log = judged.log("2026-01-01T00:00:00.000Z", lambda *_: b"salt" * 4)
    assert verify_log(RULES, log.lines, log.openings, log.head).lawful.ok


def test_off_a_harbour_of_his_the_winner_says_which_ships_he_puts_there() -> None:
    """QD-11.5: one Elf with two ships beats three; all may be his, or his own alone, one manned and the others docked."""
    fight = FIGHT_AT_SEA.replace("units elf FM_k 2", "units elf FM_k 2; units elf {harbour} 1")
    harbour = ZONES["C3"].harbours[0]
    for captured, lie in ((3, 3), (1, 1), (0, 0)):
        claims = f"claim: elf captures {captured}\nclaim: ships C3 2\nclaim: ships {harbour} {lie}\n"
        report = adjudicate(parse_sheet(fight.format(harbour=harbour) + claims))
        assert [one.verdict for one in report.verdicts[-3:]] == ["lawful"] * 3, captured
