"""What follows at once from a ruling or a correction: kings that are given up fall, and the game may be decided (QD-22)."""

from typing import Any

import pytest

from core.games.dragonlords import RULES
from core.games.dragonlords.armies import UnitsLost
from core.games.dragonlords.battle import BattleEnded
from core.games.dragonlords.ending import FallenSet, KingBeaten, ScrollsTaken
from core.games.dragonlords.fire_attack import BlockadeBurnt, FireAttack
from core.games.dragonlords.land_combat import Attack, Fight
from core.games.dragonlords.phases import EndPhase
from core.games.dragonlords.position import ChipSet, ColumnSet, HandSet, TurnSet, UnitsSet
from core.games.dragonlords.purchase import BuyUnits
from core.games.dragonlords.sneak_attack import SneakAttack
from core.games.dragonlords.travelling import Travel
from core.games.dragonlords.wastelands import MoveParty, SendParty
from core.kit.chance import AnswerRoll, Deal
from core.kit.disputing import RaiseDispute
from core.kit.table import Correct, MoveHead, OpenGame, Rule
from core.seats import ARBITER, CHANCE
from events.play import GameEnded
from events.table import Answered, Forfeited, Ruled, Upheld
from tests.driver import Table, given
from tests.games.dragonlords.field import roll, until
from tests.games.dragonlords.land import THREE, gold, holders, phase, silently, stands, told
from tests.games.dragonlords.sea import fleet, raid
from tests.games.dragonlords.test_allies import ALIVE, FOUR, TWO
from tests.games.dragonlords.test_ending import KINGDOMS_OF_ORC, battle, kings

KINGDOMS = ("QD-22.2", "QD-H48")


def correct(table: Table, *facts: Any) -> Table:
    return table.when(ARBITER, Correct("it stood otherwise", facts))


def forfeit(table: Table, *seats: str, alone: bool = False) -> Table:
    """Let the arbiter rule of each that it forfeits; who is asked after that is none of them."""
    for seat in seats:
        table.must(ARBITER, Rule(Forfeited(seat, alone), "went home"))
    asked = table.asked()
    assert not set(seats).intersection(asked), asked
    return table


def is_over(table: Table) -> bool:
    return table.state.ended is not None


THREE_AT_WAR = (
    *stands("orc", FM_s=5, AL_k=2), *stands("elf", FM_k=4, FM_n=4), *stands("dwarf", OR_k=3),
    *kings(orc="AL_k", elf="FM_n", dwarf="OR_k"), HandSet("elf", ("reflect",)),
)  # fmt: skip


# corrections


def test_a_correction_that_gives_the_sixth_kingdom_ends_the_game_at_once() -> None:
    """It is an act like any other; the phase need not end first (QD-22.2, QD-H48, LS-6.1)."""
    table = phase("orc", "buy", *KINGDOMS_OF_ORC, *stands("elf", AL_k=2, FM_n=2), seats=("orc", "elf"))
    correct(table, UnitsSet("orc", "AL_k", 1))
    assert table.state.ended == GameEnded(("orc",), "kingdoms", because=KINGDOMS)
    assert table.asked() == {}
    table.leave()


def test_a_correction_amid_a_battle_ends_the_battle_with_the_game() -> None:
    """Nobody fights on, and no statistic finds a battle that never ended (QD-22.2, QD-H48)."""
    table = battle(*KINGDOMS_OF_ORC, *stands("elf", AL_k=2, FM_n=2), seats=("orc", "elf"))
    table.must("orc", Attack("FM_n", "FM_k", 1))
    table.must("orc", Fight())
    correct(table, UnitsSet("orc", "AL_k", 1))
    assert [type(fact) for fact in table.told][-3:-1] == [BattleEnded, GameEnded]
    assert table.state.battle is None
    table.leave()


def test_a_correction_that_takes_the_last_king_but_one_ends_the_game_at_once() -> None:
    """A king who is found to have fallen long ago is out; the last one wins (QD-22.1, QD-22.2, LS-6.1)."""
    table = battle(*THREE_AT_WAR)
    correct(table, FallenSet("dwarf")).asks(orc="combat")
    assert table.state.out == ("dwarf",)
    correct(table, FallenSet("elf"))
    assert table.state.ended == GameEnded(("orc",), "kings", because=KINGDOMS)
    table.leave()


def test_an_attacker_whose_king_is_found_to_have_fallen_attacks_no_more() -> None:
    """As if the king had fallen in this battle: it breaks off, and what he bought is lost (QD-22.1, QD-H47, QD-H52)."""
    table = phase("orc", "buy", *THREE_AT_WAR, *gold(AL_k=9))
    table.must("orc", BuyUnits(2))
    silently(table, lambda table: table.state.phase == "combat")
    table.must("orc", Attack("FM_k", "FM_s", 4))
    table.must("orc", Fight())
    correct(table, FallenSet("orc"))
    assert (table.state.active, table.state.columns, table.state.battle) == ("elf", {}, None)
    assert holders(table)["FM_s"] == ("orc", 5)
    assert table.state.bought == {}
    table.leave()


def test_a_correction_that_takes_the_last_king_is_a_draw() -> None:
    """Nobody is left to win (QD-22.2)."""
    table = correct(battle(*THREE_AT_WAR), *map(FallenSet, THREE))
    assert table.state.ended == GameEnded((), "no_king_left", because=KINGDOMS)
    table.leave()


def test_a_correction_may_give_a_king_back() -> None:
    """He had not fallen; where he stands is to be said too, for his chip was taken away (LS-6.1)."""
    table = correct(battle(*THREE_AT_WAR), FallenSet("elf"))
    assert "elf.king" not in table.state.chips
    correct(table, FallenSet("elf", fallen=False), ChipSet("elf", "elf.king", "FM_n", shown=True))
    assert table.state.out == ()
    assert "elf.king" in table.state.chips
    table.leave()


def test_a_position_may_hold_vanquished_units() -> None:
    """So one battle against them can be judged; the player on the right rolls for them (QD-22.1, QD-H47)."""
    table = battle(*THREE_AT_WAR, FallenSet("elf"))
    table.must("orc", Attack("FM_k", "FM_s", 4))
    table.must("orc", Fight())
    roll(table, 6, 6, 6, 6)
    asked = table.now.question
    assert asked is not None
    assert asked.roll is not None
    assert (asked.roll.owner, asked.roll.thrower) == ("elf", "dwarf")


@pytest.mark.parametrize(
    "facts",
    (
        (FallenSet("barbarian"),),
        (FallenSet("elf"), ChipSet("elf", "elf.king", "FM_n", shown=True)),
        (FallenSet("elf"), ChipSet("elf", "elf.wizard.1", "FM_n", shown=True)),
    ),
)
def test_a_fallen_king_sits_at_the_table_and_leaves_no_chip(facts: tuple[Any, ...]) -> None:
    """Nobody falls who does not play, and vanquished units bear neither king nor wizard (QD-H47, LS-2.4)."""
    correct(battle(*THREE_AT_WAR), *facts).refused("unsound", "LS-2.4")


def test_a_ruling_on_how_many_kingdoms_win_ends_the_game_at_once() -> None:
    """Who holds as many as now suffice has won (QD-H22, QD-23.2)."""
    table = phase(
        "orc", "buy", *stands("orc", OR_k=2, FM_k=2, IH_k=2), *stands("elf", SV_n=2), *kings(orc="OR_k", elf="SV_n"),
        seats=("orc", "elf"), options={"length": "short"},
    )  # fmt: skip
    assert not is_over(table)
    table.must(ARBITER, Rule(Answered("QD-H22", "three_kingdoms"), "as was agreed"))
    assert table.state.ended is not None
    assert (table.state.ended.winners, table.state.ended.how) == (("orc",), "kingdoms")


def test_while_a_dispute_is_open_nothing_is_decided() -> None:
    """The ruling that closes it lets the game end (LS-5.1, QD-22.2)."""
    table = battle(*THREE_AT_WAR)
    table.must("elf", RaiseDispute(1, "not so"))
    table.must(ARBITER, Rule(Forfeited("elf"), "went home"))
    table.must(ARBITER, Rule(Forfeited("dwarf"), "went home too"))
    assert not is_over(table)
    table.must(ARBITER, Rule(Upheld(), "so it was", dispute=2))
    assert table.state.ended == GameEnded(("orc",), "kings", because=KINGDOMS)
    table.leave()


# forfeits amid a battle


def besieging() -> Table:
    """Return a table at which Orcs have moved on the Elves' kingdom and both are about to roll."""
    table = battle(*THREE_AT_WAR)
    table.must("orc", Attack("FM_k", "FM_s", 4))
    table.must("orc", Fight())
    return table


def test_an_attacker_who_forfeits_amid_a_battle_attacks_no_more() -> None:
    """His king falls to nobody, his units go back; the next player goes on, without another roll (QD-22.1, QD-H47)."""
    table = forfeit(besieging(), "orc")
    assert [(fact.seat, fact.victor) for fact in told(table, KingBeaten)] == [("orc", "")]
    assert told(table, BattleEnded)[-1].winner == "elf"
    assert holders(table)["FM_s"] == ("orc", 5)
    assert (table.state.active, table.state.columns, table.state.battle) == ("elf", {}, None)
    table.leave()


def test_dice_that_fell_before_a_forfeit_count() -> None:
    """The Elves that were hit are lost, though nobody rolls against the Orcs any more (QD-10.8, QD-22.1)."""
    table = besieging()
    roll(table, 1, 1, 6, 6)
    forfeit(table, "orc")
    assert holders(table)["FM_k"] == ("elf", 2)
    assert table.state.struck == {}
    table.leave()


def test_a_defender_who_forfeits_amid_a_battle_is_fought_as_vanquished() -> None:
    """The battle goes on; the third player rolls for his units, and his scrolls leave the game (QD-22.1, QD-H10, QD-H47)."""
    table = besieging()
    roll(table, 1, 1, 1, 6)
    forfeit(table, "elf")
    asked = table.now.question
    assert asked is not None
    assert asked.roll is not None
    assert (asked.roll.owner, asked.roll.count, asked.roll.thrower) == ("elf", 4, "dwarf")
    roll(table, 6, 6, 6, 6)
    until(table, "roll")
    roll(table, 1, 1, 1, 1)
    roll(table, 6)
    assert holders(table)["FM_k"] == ("orc", 4)
    assert told(table, ScrollsTaken) == []
    table.leave()


def test_of_two_players_the_other_has_won_when_one_forfeits_amid_a_battle() -> None:
    """At once: no die is rolled for a game that is over (QD-22.2)."""
    for seat, winner in (("orc", "elf"), ("elf", "orc")):
        table = battle(
            *(fact for fact in THREE_AT_WAR if getattr(fact, "seat", "") != "dwarf"), seats=("orc", "elf")
        )
        table.must("orc", Attack("FM_k", "FM_s", 4))
        table.must("orc", Fight())
        roll(table, 1, 6, 6, 6)
        forfeit(table, seat)
        assert table.state.ended == GameEnded((winner,), "kings", because=KINGDOMS)
        assert [type(fact) for fact in table.log[-1].entry.facts][-3:-1] == [BattleEnded, GameEnded]
        table.leave()


def test_who_forfeits_with_losses_to_name_loses_by_default() -> None:
    """Silence answers for him: plain units first (QD-X52)."""
    table = battle(*THREE_AT_WAR, UnitsSet("elf", "FM_k", 4), ChipSet("elf", "elf.wizard.1", "FM_k"))
    table.must("orc", Attack("FM_k", "FM_s", 4))
    table.must("orc", Fight())
    until(table, "roll")
    roll(table, 1, 1, 6, 6)
    until(table, "losses")
    forfeit(table, "elf")
    assert holders(table)["FM_k"] == ("elf", 2)
    table.leave()


def test_elves_who_forfeit_amid_a_sneak_attack_go_back() -> None:
    """Vanquished units take nothing, though their volley is not answered (QD-12.4, QD-22.1)."""
    table = phase(
        "elf", "combat", *stands("elf", FM_s=4, AL_k=2), *stands("orc", FM_k=2, OR_k=2), *stands("dwarf", SC_k=2),
        *kings(elf="AL_k", orc="OR_k", dwarf="SC_k"), seats=THREE,
    )  # fmt: skip
    table.must("elf", SneakAttack("FM_k", "FM_s", 3))
    table.must("elf", Fight())
    forfeit(table, "elf")
    assert holders(table)["FM_s"] == ("elf", 4)
    assert holders(table)["FM_k"] == ("orc", 2)
    assert table.state.columns == {}
    table.leave()


def test_a_fleet_whose_player_forfeits_breaks_off() -> None:
    """Its ships go back to the zone that they came from (QD-22.1, QD-H47)."""
    table = phase(
        "orc", "combat", *stands("orc", OR_k=2), *stands("elf", SC_k=2), *stands("dwarf", FM_k=2),
        *kings(orc="OR_k", elf="SC_k", dwarf="FM_k"), *fleet("orc", "C2", 1, 1), *fleet("elf", "C3", 1, 2),
        *raid("orc", "C3", 1, 3, origin="C2"), seats=THREE,
    )  # fmt: skip
    table.must("orc", Fight("C3"))
    forfeit(table, "orc")
    assert (holders(table)["C3"], holders(table)["C2"]) == (("elf", 2), ("orc", 4))
    assert table.state.fleets == {"C3": 1, "C2": 2}
    table.leave()


def test_a_dragonlord_whose_player_forfeits_burns_nothing() -> None:
    """The fire attack is declared, and its victim is asked for a shield; vanquished units attack no more (QD-13.1, QD-22.1)."""
    table = phase(
        "orc", "combat", *stands("orc", OR_k=2), *stands("elf", SC_k=2), *stands("dwarf", FM_k=2),
        *kings(orc="OR_k", elf="SC_k", dwarf="FM_k"), *fleet("elf", "C3", 1, 2), ChipSet("elf", "dragon_shield", "C3"),
        ColumnSet("orc", "C3", "OR_k", 0, 1, "teleport"), seats=THREE,
    )  # fmt: skip
    table.must("orc", FireAttack("C3"))
    table.asks(elf="shield")
    forfeit(table, "orc")
    assert told(table, BlockadeBurnt) == []
    assert holders(table)["C3"] == ("elf", 2)
    assert holders(table)["OR_k"] == ("orc", 3)
    table.leave()


# forfeits amid a quest


QUESTING = (
    *stands("orc", FM_n=4, FM_k=2), *stands("elf", OR_k=2), *stands("dwarf", SC_k=2),
    *kings(orc="FM_k", elf="OR_k", dwarf="SC_k"), TurnSet("orc", "quest"),
)  # fmt: skip


def test_a_party_that_is_about_to_set_out_stays_at_home() -> None:
    """Vanquished units do not move (QD-22.1)."""
    table = given(RULES, *QUESTING, seats=THREE)
    table.must("orc", SendParty("FM_n", 3))
    forfeit(table, "orc")
    assert holders(table)["FM_n"] == ("orc", 4)
    assert table.state.recruits is None
    assert table.state.active == "elf"
    table.leave()


@pytest.mark.parametrize(("place", "pips", "target"), (("WT10", 2, "WT12"), ("WT04", 1, "WT05")))
def test_a_party_whose_player_forfeits_seeks_nothing_more(place: str, pips: int, target: str) -> None:
    """Its quest is over, whatever step it was at: no card is drawn, nothing is gained (QD-22.1)."""
    table = given(RULES, *QUESTING, UnitsSet("orc", place, 3), seats=THREE)
    table.must("orc", MoveParty(place))
    roll(table, pips)
    table.must("orc", Travel(target))
    forfeit(table, "orc")
    assert holders(table)[target] == ("orc", 3)
    assert table.state.active == "elf"
    table.leave()


def test_hits_of_a_monster_count_though_the_party_fights_no_more() -> None:
    """Who was struck or poisoned before the ruling is lost (QD-9.3, QD-22.1)."""
    table = given(RULES, *QUESTING, *stands("orc", WT04=4), seats=THREE)
    table.must("orc", MoveParty("WT04"))
    table.must(CHANCE, AnswerRoll((1,)))
    table.must("orc", Travel("WT05"))
    table.must(CHANCE, Deal("Q01"))
    table.must(CHANCE, AnswerRoll(("red",)))
    until(table, "roll")
    roll(table, 1)
    forfeit(table, "orc")
    assert holders(table)["WT05"] == ("orc", 3)
    assert [fact.count for fact in told(table, UnitsLost)] == [1]
    assert (table.state.battle, table.state.struck, table.state.active) == (None, {}, "elf")
    table.leave()


def test_a_party_that_attacks_another_goes_back_or_is_lost() -> None:
    """It came from a space that it left empty, so it is lost (QD-22.1, QD-H47)."""
    table = given(RULES, *QUESTING, *stands("orc", WT02=3), *stands("elf", WT03=2), seats=THREE)
    table.must("orc", MoveParty("WT02"))
    table.must(CHANCE, AnswerRoll((1,)))
    table.must("orc", Travel("WT03"))
    forfeit(table, "orc")
    assert holders(table)["WT03"] == ("elf", 2)
    assert "WT02" not in holders(table)
    assert table.state.active == "elf"
    table.leave()


# who forfeits, and when


def test_a_forfeit_amid_the_setup_waits_for_the_first_turn() -> None:
    """His units are placed by silence; his king is hidden like the others, and falls when the war begins (QD-22.1)."""
    table = Table(RULES)
    table.must(ARBITER, OpenGame("g", "dragonlords", THREE))
    forfeit(table, "dwarf")
    assert told(table, KingBeaten) == []
    assert table.state.ended is None


def test_of_two_players_the_other_has_won_though_the_setup_is_not_done() -> None:
    """Nobody places seventy units for a game that is over (QD-22.2)."""
    table = Table(RULES)
    table.must(ARBITER, OpenGame("g", "dragonlords", ("orc", "elf")))
    forfeit(table, "elf")
    assert table.state.ended == GameEnded(("orc",), "kings", because=KINGDOMS)
    table.leave()


def test_a_take_back_does_not_undo_a_forfeit() -> None:
    """The ruling outlives it: the king falls anew at the moment that the game goes on from (LS-5.2, QD-22.1)."""
    table = besieging()
    at = len(table.log)
    roll(table, 6, 6, 6, 6)
    forfeit(table, "orc")
    table.must(ARBITER, MoveHead(at, arbiter="Ada"))
    assert table.state.out == ("orc",)
    assert (table.state.active, table.state.battle) == ("elf", None)
    table.leave()


def test_who_leads_two_armies_forfeits_both() -> None:
    """One ruling on the person takes both of his seats, each told by itself; the other side has won (LS-5.3, QD-23.1)."""
    table = phase("orc", "combat", *ALIVE, seats=FOUR, options=TWO)
    forfeit(table, "dwarf")
    rulings = [fact.verdict for fact in told(table, Ruled)]
    assert rulings == [Forfeited("dwarf"), Forfeited("orc")]
    assert table.now.table.forfeited == ("dwarf", "orc")
    assert table.state.ended is not None
    assert (table.state.ended.winners, table.state.ended.how) == (("elf", "barbarian"), "kings")
    table.leave()


def test_one_army_alone_may_be_forfeited() -> None:
    """The player goes on with the other (LS-5.3, QD-23.1)."""
    table = phase("orc", "combat", *ALIVE, seats=FOUR, options=TWO)
    forfeit(table, "dwarf", alone=True).asks(orc="combat")
    assert (table.now.table.forfeited, table.state.out, table.state.ended) == (("dwarf",), ("dwarf",), None)
    forfeit(table, "orc")
    assert [fact.verdict for fact in told(table, Ruled)] == [Forfeited("dwarf"), Forfeited("orc")]
    assert table.state.ended is not None


def test_who_forfeits_ends_his_turn() -> None:
    """The next player begins; the vanquished have no turn (QD-22.1)."""
    table = forfeit(battle(*THREE_AT_WAR), "orc")
    assert table.state.active == "elf"
    table.when("orc", EndPhase()).refused("vanquished", "QD-22.1")


def test_one_army_of_two_that_is_forfeited_amid_the_setup_falls_with_the_first_turn() -> None:
    """Its player still sits there with the other (QD-22.1, QD-23.1)."""
    table = Table(RULES)
    table.must(ARBITER, OpenGame("g", "dragonlords", FOUR, options=TWO))
    forfeit(table, "dwarf", alone=True)
    assert (table.state.out, table.state.ended) == ((), None)
