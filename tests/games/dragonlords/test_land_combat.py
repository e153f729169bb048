"""Land combat (QD-10): moving in, the strength, the dice, the losses, and who holds the place afterwards."""

import pytest
from msgspec import structs

from core.games.dragonlords import RULES
from core.games.dragonlords.armies import (
    GoldTaken,
    PlaceTaken,
    StoreTaken,
    UnitsLost,
    UnitsMoved,
    UnitsStruck,
)
from core.games.dragonlords.battle import BattleBegan, BattleEnded
from core.games.dragonlords.chips import ChipLost, ChipShown, ChipsMoved
from core.games.dragonlords.conquest import take_place
from core.games.dragonlords.forced_march import ForcedMarch
from core.games.dragonlords.land_combat import Attack, Fight
from core.games.dragonlords.phases import EndPhase
from core.games.dragonlords.position import ChipSet, ColumnSet, GoldSet, SpellsSet, UnitsSet
from core.games.dragonlords.retreat import Continue
from core.games.dragonlords.state import Army, Column, Muster
from core.kit.table import Correct
from core.seats import ARBITER
from core.telling import Moment, Tale
from events.chance import Rolled
from tests.driver import Table
from tests.games.dragonlords.field import at_war, home, lose, losses, roll, strengths, until

# Moving in (QD-10.2)


def border(*more: object, **answers: str) -> Table:
    """Return Orcs in OR_k and OR_ne around OR_n, which Elves hold; G1 beyond it is empty."""
    return at_war(home("orc", "OR_k", 4), home("orc", "OR_ne", 3), home("elf", "OR_n", 2), *more, **answers)


def test_an_attack_moves_units_into_the_enemy_territory() -> None:
    """QD-10.1, QD-10.2: step 1 of a battle is moving in; the place is still the defender's."""
    table = border().when("orc", Attack("OR_n", "OR_k", 3))
    table.then(UnitsMoved("orc", "OR_k", "OR_n", 3, how="walk", because=("QD-10.2",)))
    assert table.state.columns == {"OR_n": (Column("orc", "OR_k", 3),)}
    assert table.state.armies["OR_n"] == Army("elf", 2)


def test_attackers_may_come_from_several_adjacent_territories() -> None:
    """QD-10.2, QD-H26: all who attack one territory join before the first dice, and roll together."""
    table = border()
    table.when("orc", Attack("OR_n", "OR_k", 3)).when("orc", Attack("OR_n", "OR_ne", 2))
    table.when("orc", Fight())
    assert table.now.question is not None
    assert table.now.question.roll is not None
    assert table.now.question.roll.count == 5


def test_one_unit_always_stays_behind() -> None:
    """QD-10.2: of four units three may go; a table that sent all four played on, and the place was left empty."""
    border().when("orc", Attack("OR_n", "OR_k", 4)).refused("leaves_nobody", "QD-10.2")
    table = border().when("orc", Attack("OR_n", "OR_k", 4), overlook=True)
    assert "OR_k" not in table.state.armies
    assert table.state.columns["OR_n"] == (Column("orc", "OR_k", 4),)


@pytest.mark.parametrize(
    ("command", "code", "section"),
    (
        (Attack("OR_n", "OR_k", 5), "not_there", "QD-10.2"),
        (Attack("OR_n", "OR_k"), "not_there", "QD-10.2"),
        (Attack("OR_n", "OR_k", 1, 1), "not_there", "QD-10.2"),
        (Attack("OR_n", "OR_n", 1), "not_there", "QD-10.2"),
        (Attack("OR_s", "OR_ne", 1), "not_adjacent", "QD-2.9"),
        (Attack("OR_ne", "OR_k", 1), "own_territory", "QD-18.1"),
        (Attack("N1", "OR_k", 1), "no_territory", "QD-10.2"),
        (Attack("OR_n", "OR_k", 1, leading=("orc.king",)), "no_such_chip", "QD-1.4"),
        (Attack("OR_n", "OR_k", 1, gatekeeper="orc.king"), "no_gatekeeper", "QD-2.6"),
    ),
)
def test_what_cannot_move_in_is_refused(command: Attack, code: str, section: str) -> None:
    """QD-10.2: units that are there, to an adjacent territory that is an enemy's or nobody's."""
    border().when("orc", command).refused(code, section)


def test_from_where_nothing_is_adjacent_that_is_said() -> None:
    """QD-10.2: no sentence ends before what it lists."""
    table = border().when("orc", Attack("OR_n", "I1", 1)).refused("not_adjacent", "QD-2.9")
    assert any("what is: nothing." in reason.text for reason in table.reasons)


def test_each_king_or_wizard_needs_a_unit_of_his_own() -> None:
    """QD-1.4, QD-H43: those who go with one unit are one at most, and so are those who stay under one."""
    chips = (ChipSet("orc", "orc.king", "OR_k"), ChipSet("orc", "orc.wizard.1", "OR_k"))
    table = at_war(home("orc", "OR_k", 3), home("elf", "OR_n", 1), *chips)
    both = Attack("OR_n", "OR_k", 1, leading=("orc.king", "orc.wizard.1"))
    table.when("orc", both).refused("too_few_bearers", "QD-H43")
    table.twin().when("orc", Attack("OR_n", "OR_k", 2)).asks(orc="combat")
    table.when("orc", Attack("OR_n", "OR_k", 2, leading=("orc.king",))).asks(orc="combat")


def test_both_slips_of_an_attack_are_named_and_can_be_told_all_the_same() -> None:
    """QD-10.2, QD-2.9: everybody from a place that is not adjacent: two reasons, and the table may have played it."""
    table = border().when("orc", Attack("OR_s", "OR_ne", 3))
    table.refused("not_adjacent").refused("leaves_nobody")
    table.when("orc", Attack("OR_s", "OR_ne", 3), overlook=True)
    assert table.state.armies["OR_s"] == Army("orc", 3)


def test_an_army_walks_through_empty_land_and_claims_it() -> None:
    """QD-10.2: an empty territory is claimed at once, one unit stays in it, and the others may go on."""
    table = at_war(home("orc", "OR_k", 4), home("elf", "G1", 1))
    table.when("orc", Attack("OR_n", "OR_k", 3))
    assert table.state.armies["OR_n"] == Army("orc", 3)
    assert table.state.columns == {}
    table.when("orc", Attack("G1", "OR_n", 3)).refused("leaves_nobody")
    table.when("orc", Attack("G1", "OR_n", 2)).asks(orc="combat")
    assert table.state.armies["OR_n"] == Army("orc", 1)


def test_who_claims_bare_land_gains_nothing_besides() -> None:
    """QD-10.2, QD-H46: no gold and no ship lies there, so none is told."""
    table = border().when("orc", Attack("OR_se", "OR_ne", 1))
    assert (table.state.spent, table.state.fought) == ({}, {})
    assert [type(fact) for fact in table.told if type(fact).__name__ != "Turned"] == [UnitsMoved]


def test_an_army_that_won_may_go_on_to_the_next_territory() -> None:
    """QD-10.2, QD-H27: winners may fight again in the same phase."""
    table = at_war(home("orc", "OR_k", 5), home("elf", "OR_n", 1), home("elf", "G1", 1))
    table.when("orc", Attack("OR_n", "OR_k", 4)).when("orc", Fight())
    roll(table, 1, 1, 1, 1)
    roll(table, 6)
    assert table.state.armies["OR_n"] == Army("orc", 4)
    assert (table.state.spent, table.state.fought) == ({}, {"OR_n": 4})
    table.when("orc", Attack("G1", "OR_n", 3)).asks(orc="combat")
    table.leave()


def test_who_has_fought_may_not_march_in_the_same_turn() -> None:
    """QD-18.1, QD-10.2: the winners are marked as having fought; those who did not fight may march."""
    table = at_war(home("orc", "OR_k", 5), home("elf", "OR_n", 1))
    table.when("orc", Attack("OR_n", "OR_k", 3)).when("orc", Fight())
    table.dice(1, 1, 1, 6)._follow_script()
    assert table.state.fought == {"OR_n": 3}
    table.when("orc", ForcedMarch(("OR_k",), "OR_n", 1)).refused("has_fought", "QD-18.1")
    table.when("orc", ForcedMarch(("OR_n",), "OR_k", 1))
    assert table.state.armies["OR_n"] == Army("orc", 4)


def test_gold_waits_in_an_empty_kingdom_for_who_claims_it() -> None:
    """QD-2.2, QD-H46: who walks into an empty kingdom takes the gold that lies there."""
    table = at_war(home("orc", "OR_n", 3), home("elf", "SC_k", 1), GoldSet("OR_k", 6))
    table.when("orc", Attack("OR_k", "OR_n", 1))
    assert GoldTaken("orc", "OR_k", 6, because=("QD-2.2", "QD-H46")) in table.told


# Teleportals (QD-2.6)


def gate(*more: object, elves: int = 1, **answers: str) -> Table:
    """Return Orcs with a hidden king at the teleportal T1, Elves at T2, and Orcs beside T2."""
    return at_war(
        home("orc", "T1", 4), home("elf", "T2", elves), home("orc", "IH_s", 2),
        ChipSet("orc", "orc.king", "T1"), *more, **answers,
    )  # fmt: skip


def test_a_teleportal_is_an_edge_for_who_has_a_spell_user_there() -> None:
    """QD-2.6, QD-H25: the king in the territory that is left is shown; he need not go along."""
    table = gate().when("orc", Attack("T2", "T1", 2))
    table.then(
        ChipShown("orc", "orc.king", "T1", because=("QD-2.6", "QD-H25")),
        ChipsMoved("orc", "T1", "T2", (), "teleportal", ("orc.king",)),
        UnitsMoved("orc", "T1", "T2", 2, how="teleportal", veils=True, hides=("orc.king",)),
    )


def test_a_teleportal_stays_shut_without_a_spell_user() -> None:
    """QD-2.6, QD-H25: the blank does not serve."""
    table = at_war(home("orc", "T1", 4), home("elf", "T2", 1), ChipSet("orc", "orc.blank", "T1"))
    table.when("orc", Attack("T2", "T1", 2)).refused("no_gatekeeper", "QD-H25")


def test_who_came_by_teleportal_fights_to_the_end() -> None:
    """QD-2.6, QD-17.1: no retreat, not even to a friendly territory beside the battle."""
    table = gate(elves=9).when("orc", Attack("T2", "T1", 2))
    table.when("orc", Fight())
    table.when("orc", table.ask("orc").silence)
    roll(table, 6, 6)
    roll(table, *[6] * 9)
    assert table.state.battle is not None
    assert table.state.battle.round == 2


# Battles of phase 4 (QD-10.1, QD-H26)


def test_battles_are_fought_in_the_order_the_attacker_likes() -> None:
    """QD-H26: two open battles, the second first; the phase does not end before both are fought."""
    table = border(home("elf", "OR_s", 1))
    table.when("orc", Attack("OR_n", "OR_ne", 2)).when("orc", Attack("OR_s", "OR_k", 3))
    table.when("orc", EndPhase()).refused("battles_open", "QD-10.1")
    table.when("orc", Fight("OR_s"))
    assert table.state.battle.place == "OR_s"
    table.dice(1, 6, 6, 6)._follow_script()
    table.when("orc", EndPhase()).refused("battles_open", "QD-H26")


def test_nobody_joins_a_battle_after_the_first_dice() -> None:
    """QD-H26: while a battle goes on its owner is asked about that battle alone."""
    table = border().when("orc", Attack("OR_n", "OR_k", 3)).when("orc", Fight())
    roll(table, 6, 6, 6)
    roll(table, 6, 6)
    table.when("orc", Attack("OR_n", "OR_ne", 2)).refused("not_this_now", "QD-10.1")


def test_to_fight_where_nobody_attacks_is_refused() -> None:
    """QD-10.1: a battle needs attackers that moved in."""
    border().when("orc", Fight()).refused("no_battle_open", "QD-10.1")
    table = border().when("orc", Attack("OR_n", "OR_k", 3))
    table.when("orc", Fight("OR_s")).refused("no_battle_open", "QD-10.1")


def test_a_place_whose_defenders_are_gone_is_simply_taken() -> None:
    """QD-H26: attackers landed in phase 2, and nobody is left to fight."""
    table = at_war(
        home("orc", "OR_k", 1), ColumnSet("orc", "G1", "S1", 2, how="ship"), home("elf", "SC_k", 1)
    )
    table.when("orc", Fight("G1"))
    table.then(PlaceTaken("orc", "G1", "", because=("QD-H26",)))
    assert table.state.armies["G1"] == Army("orc", 2)


def test_who_joins_attackers_of_a_place_that_nobody_holds_takes_it_with_them() -> None:
    """QD-H26: nobody fights himself for a place that a correction has emptied."""
    table = at_war(home("orc", "OR_k", 3), home("orc", "OR_n", 3), home("elf", "G1", 2))
    table.when("orc", Attack("G1", "OR_n", 1)).when(
        ARBITER, Correct("nobody was there", (UnitsSet("elf", "G1", 0),))
    )
    table.when("orc", Attack("G1", "OR_n", 1)).when("orc", Fight("G1")).asks(orc="combat")
    assert table.state.armies["G1"] == Army("orc", 2)
    assert table.state.columns == {}
    table.leave()


def test_silence_fights_what_is_open_and_then_ends_the_phase() -> None:
    """QD-10.1: a sheet need not write what must come."""
    table = border().when("orc", Attack("OR_n", "OR_k", 3))
    assert table.ask("orc").silence == Fight()
    assert border().ask("orc").silence == EndPhase()


# Dice (QD-10.3, QD-10.5, QD-10.6)


def duel(attacker: str, defender: str, place: str = "OR_n", *more: object, **answers: str) -> Table:
    """Return one unit against one, about to roll."""
    table = at_war(
        home(attacker, "OR_ne", 2), home(defender, place, 1), *more, seats=(attacker, defender), **answers
    )
    return table.when(attacker, Attack(place, "OR_ne", 1)).when(attacker, Fight())


@pytest.mark.parametrize(("race", "value"), (("orc", 3), ("elf", 3), ("dwarf", 3), ("barbarian", 4)))
def test_a_unit_hits_on_the_attack_value_of_its_race_or_less(race: str, value: int) -> None:
    """QD-10.3, QD-X1, QD-X2: the die that equals the T.A.S. hits, the next one does not."""
    enemy = "orc" if race != "orc" else "elf"
    roll(duel(race, enemy), value).then(UnitsStruck(enemy, "OR_n", 1, because=("QD-10.5", "QD-X1")))
    roll(duel(race, enemy), value + 1).then()


def test_who_attacks_a_kingdom_has_one_less() -> None:
    """QD-2.2, QD-10.3: three Orcs' strength is 2 there, the defender's stays 3."""
    table = duel("orc", "elf", "OR_k")
    roll(table, 3)
    roll(table, 3)
    assert strengths(table) == [("orc", 1, 2), ("elf", 1, 3)]


def test_a_unit_that_was_hit_still_rolls() -> None:
    """QD-10.6, QD-X4: dice losses are simultaneous, so both fall, and the territory is empty (QD-H13)."""
    table = duel("orc", "elf")
    roll(table, 1)
    roll(table, 1)
    assert losses(table) == [("elf", 1), ("orc", 1)]
    assert BattleEnded("OR_n", rounds=1, because=("QD-10.9",)) in table.told
    assert "OR_n" not in table.state.armies
    table.leave()


def test_hits_beyond_the_units_are_lost() -> None:
    """QD-10.8: three hits on two Elves take two; nothing else is owed."""
    table = border().when("orc", Attack("OR_n", "OR_k", 3)).when("orc", Fight())
    roll(table, 1, 2, 3)
    roll(table, 6, 6)
    assert losses(table) == [("elf", 2)]
    assert table.state.struck == {}
    assert table.state.muster["elf"] == Muster(2, 2)


def test_rounds_go_on_until_one_type_is_left() -> None:
    """QD-10.9: the attacker goes on, round after round; the battle tells how many there were."""
    table = duel("orc", "elf")
    for _ in range(2):
        roll(table, 6)
        roll(table, 6)
        table.when("orc", Continue())
    roll(table, 1)
    roll(table, 6)
    assert BattleEnded("OR_n", "orc", taken=True, rounds=3, because=("QD-10.9",)) in table.told


def test_a_battle_is_told_from_its_beginning_to_its_end() -> None:
    """QD-10.1: whose battle, where, and of what kind; the dice say for what they were rolled."""
    table = duel("orc", "elf")
    assert BattleBegan("OR_n", "orc", "elf", "land", because=("QD-10.1",)) in table.told
    roll(table, 6)
    roll(table, 2)
    rolled = [fact.purpose for told in table.log for fact in told.entry.facts if isinstance(fact, Rolled)]
    assert rolled == ["attack", "defence"]
    ended = BattleEnded("OR_n", "elf", rounds=1, because=("QD-10.9",))
    assert ended in table.told
    assert table.state.battle is None


# Who holds what afterwards


def test_a_taken_kingdom_yields_its_gold_and_the_last_one_the_stores() -> None:
    """QD-2.2, QD-H46: gold lies in the place; stored items go to whoever takes their owner's last kingdom."""
    table = duel("orc", "elf", "OR_k", GoldSet("OR_k", 9))
    state = table.state
    roll(table, 1)
    roll(table, 6)
    assert GoldTaken("orc", "OR_k", 9, because=("QD-2.2", "QD-H46")) in table.told
    assert not any(isinstance(fact, StoreTaken) for fact in table.told)
    assert state.armies["OR_k"] == Army("elf", 1), "earlier states stay valid"


@pytest.mark.parametrize(("elsewhere", "taken"), ((None, True), ("SC_k", False)))
def test_stored_items_go_with_the_last_kingdom_alone(elsewhere: str | None, taken: bool) -> None:
    """QD-H46: who takes a player's last kingdom takes his stores; while he holds another they stay his."""
    table = duel("orc", "elf", "OR_k", *([home("elf", elsewhere, 1)] if elsewhere else []))
    war = structs.replace(table.state, items={"elf": {"torch": 1}}, armies={**table.state.armies})
    del war.armies["OR_k"]  # it is a copy, and the Elves there are beaten
    tale = Tale.begin(Moment(RULES, war, table.now.table, table.now.entry))
    take_place(tale, "orc", "OR_k", "elf", ("QD-10.2",))
    assert (StoreTaken("orc", "elf", because=("QD-H46",)) in tale.facts) == taken
    assert tale.state.items == ({"orc": {"torch": 1}} if taken else {"elf": {"torch": 1}})


def test_the_army_that_is_beaten_loses_its_decoy_too() -> None:
    """QD-1.4, QD-3.5: a blank chip is gone with the units that bore it."""
    table = duel("orc", "elf", "OR_n", ChipSet("elf", "elf.blank", "OR_n"))
    table.when("elf", table.ask("elf").silence)
    roll(table, 1)
    roll(table, 6)
    assert ChipLost("elf", "elf.blank", "OR_n", because=("QD-1.4", "QD-3.5")) in table.told
    assert table.state.shades == frozenset()


@pytest.mark.parametrize(("elves", "lost"), ((3, False), (2, True)))
def test_a_decoy_falls_with_the_last_unit_that_bears_nothing_else(elves: int, lost: bool) -> None:
    """QD-1.4, QD-3.5: each chip lies under a different unit, so the king's own unit does not bear the blank."""
    table = at_war(
        home("orc", "OR_k", 3), home("elf", "OR_n", elves), ChipSet("elf", "elf.blank", "OR_n"),
        ChipSet("elf", "elf.king", "OR_n"),
    )  # fmt: skip
    table.when("orc", Attack("OR_n", "OR_k", 2)).when("orc", Fight())
    until(table, "roll")
    roll(table, 1, 6)
    until(table, "losses").when("elf", lose(unit=1))
    assert ("elf.blank" not in table.state.chips) == lost


# Losses (QD-10.8)


def court(**answers: str) -> Table:
    """Return three Elves with a king and a wizard, all shown, and a DragonLord, struck by two of four Orcs."""
    table = at_war(
        home("orc", "OR_k", 5), UnitsSet("elf", "OR_n", 3, 1),
        ChipSet("elf", "elf.king", "OR_n", shown=True), ChipSet("elf", "elf.wizard.1", "OR_n", shown=True),
        SpellsSet("elf.wizard.1", ("heal",)), **answers,
    )  # fmt: skip
    table.when("orc", Attack("OR_n", "OR_k", 4)).when("orc", Fight())
    roll(table, 1, 1, 6, 6)
    table.when("elf", table.ask("elf").silence)
    return roll(table, 6, 6, 6, 6).asks(elf="losses")


def test_the_owner_chooses_which_units_are_lost() -> None:
    """QD-10.8, QD-X52: he may give a wizard and a DragonLord and keep the plain unit."""
    table = court().when("elf", lose(elf__wizard__1=1, dragonlord=1))
    table.then(
        UnitsLost("elf", "OR_n", 2, 1, because=("QD-10.8",)),
        ChipLost("elf", "elf.wizard.1", "OR_n", because=("QD-14.1", "QD-10.8")),
    )
    assert table.state.armies["OR_n"] == Army("elf", 2)
    assert table.state.spells == {}


def test_an_army_of_units_and_dragonlords_has_a_choice_that_all_can_see() -> None:
    """QD-10.8: no chip lies there, but the owner may give a DragonLord for a unit."""
    table = at_war(home("orc", "OR_k", 2), UnitsSet("elf", "OR_n", 1, 1))
    table.when("orc", Attack("OR_n", "OR_k", 1)).when("orc", Fight())
    roll(table, 1)
    until(table, "losses").when("elf", lose(dragonlord=1))
    assert table.state.armies["OR_n"] == Army("elf", 1)


def test_without_a_choice_plain_units_go_first_then_wizards() -> None:
    """QD-X52: plain units, wizards, DragonLords, the king."""
    assert court().ask("elf").silence == lose(unit=1, elf__wizard__1=1)


@pytest.mark.parametrize(
    ("kinds", "code", "section"),
    (
        ({"unit": 1}, "wrong_losses", "QD-10.8"),
        ({"unit": 1, "dragonlord": 1, "elf__king": 1}, "wrong_losses", "QD-10.8"),
        ({"unit": 9}, "not_there", "QD-10.8"),
        ({"elf__wizard__2": 1, "unit": 1}, "not_there", "QD-10.8"),
        ({"unit": 0, "elf__king": 1, "dragonlord": 1}, "not_there", "QD-10.8"),
    ),
)
def test_losses_are_units_that_are_there_as_many_as_were_hit(
    kinds: dict[str, int], code: str, section: str
) -> None:
    """QD-10.8: two hits are two units of those in the place."""
    court().when("elf", lose(**kinds)).refused(code, section)


def test_where_spell_users_go_last_the_owner_may_not_give_them_early() -> None:
    """QD-X52: the alternative takes the second half of the sentence as the rule."""
    table = court(X52="spell_users_last")
    table.when("elf", lose(elf__wizard__1=1, dragonlord=1)).refused("spell_users_last", "QD-10.8", "QD-X52")
    table.when("elf", lose(unit=1, elf__king=1))
    assert ChipLost("elf", "elf.king", "OR_n", because=("QD-14.1", "QD-10.8")) in table.told


def test_attackers_who_came_different_ways_are_told_apart_in_losses() -> None:
    """QD-10.8, QD-H26: who may retreat and who may not is the owner's choice to lose."""
    table = at_war(
        home("orc", "OR_k", 3), ColumnSet("orc", "OR_n", "OR_k", 2, how="teleport"), home("elf", "OR_n", 1)
    )
    table.when("orc", Attack("OR_n", "OR_k", 2)).when("orc", Fight())
    roll(table, 6, 6, 6, 6)
    roll(table, 1).asks(orc="losses")
    table.when("orc", lose(unit=1)).refused("not_there")
    table.when("orc", lose(unit__teleport=1))
    assert [(column.how, column.units) for column in table.state.columns["OR_n"]] == [
        ("teleport", 1), ("walk", 2),
    ]  # fmt: skip
