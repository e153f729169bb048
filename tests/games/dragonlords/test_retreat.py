"""Leaving a battle: retreat (QD-17), flight by Teleport (QD-10.7), and withdrawing as the attacker (QD-10.9)."""

import pytest

from core.asking import OneOf
from core.games.dragonlords.armies import UnitsMoved
from core.games.dragonlords.battle import BattleEnded, Pass
from core.games.dragonlords.chips import ChipShown, ChipsMoved
from core.games.dragonlords.flight import Flee, SpellUserLeft, Withdraw
from core.games.dragonlords.forces import UnitsTired
from core.games.dragonlords.land_combat import Attack, Fight
from core.games.dragonlords.position import (
    ChipSet,
    ColumnSet,
    ShadeSet,
    SpellsSet,
    UnitsSet,
)
from core.games.dragonlords.retreat import Continue, Retreat
from core.games.dragonlords.state import Army, Column
from tests.driver import Table
from tests.games.dragonlords.field import at_war, dice_due, home, losses, roll, silent, strengths, until


def after_a_round(*more: object, defenders: int = 3, **answers: str) -> Table:
    """Return two Orcs from OR_k who missed in OR_n, and were missed; OR_ne beside it is Orc land, OR_s is not."""
    table = at_war(
        home("orc", "OR_k", 3), home("orc", "OR_ne", 1), home("elf", "OR_n", defenders),
        home("elf", "OR_s", 1), *more, **answers,
    )  # fmt: skip
    table.when("orc", Attack("OR_n", "OR_k", 2)).when("orc", Fight())
    return until(table, "choice")


# Retreat (QD-17)


def test_attackers_retreat_to_one_adjacent_friendly_territory() -> None:
    """QD-17.1, QD-H27: after losses all go to the same place, be it another than they came from, and fight no more."""
    table = after_a_round().when("orc", Retreat("OR_ne"))
    table.then(
        UnitsMoved("orc", "OR_n", "OR_ne", 2, way="walk", spent=2, because=("QD-17.1", "QD-H27")),
        UnitsTired("OR_ne", 2),
        BattleEnded("OR_n", "elf", rounds=1, because=("QD-10.9",)),
    )
    assert table.state.armies["OR_ne"] == Army("orc", 3)
    table.when("orc", Attack("OR_n", "OR_ne", 2)).refused("spent", "QD-H27")
    table.when("orc", Attack("OR_n", "OR_ne", 1)).asks(orc="combat")
    table.leave()


def test_who_retreated_fights_no_more_beside_fresh_units() -> None:
    """QD-H27: the DragonLord and the wizard who came back stay at home; as many others as were fresh may go."""
    table = at_war(
        UnitsSet("orc", "OR_k", 4, 1), home("orc", "OR_ne", 3), home("elf", "OR_n", 9),
        ChipSet("orc", "orc.wizard.1", "OR_k"), SpellsSet("orc.wizard.1", ("heal",)),
    )  # fmt: skip
    table.when("orc", Attack("OR_n", "OR_k", 2, 1, leading=("orc.wizard.1",))).when("orc", Fight())
    until(table, "choice").when("orc", Retreat("OR_ne"))
    assert table.state.armies["OR_ne"] == Army("orc", 5, 1)
    for command in (
        Attack("OR_n", "OR_ne", 0, 1),
        Attack("OR_n", "OR_ne", 2, leading=("orc.wizard.1",)),
        Attack("OR_n", "OR_ne", 4),
    ):
        table.when("orc", command).refused("spent", "QD-H27")
    table.when("orc", Attack("OR_n", "OR_ne", 3)).asks(orc="combat")
    table.leave()


@pytest.mark.parametrize("place", ("OR_s", "G1", "OR_n", "FM_s", "nowhere"))
def test_attackers_retreat_nowhere_else(place: str) -> None:
    """QD-17.1, QD-H27: not to enemy, empty or distant land."""
    after_a_round().when("orc", Retreat(place)).refused("no_refuge", "QD-17.1")


def test_a_retreat_comes_after_the_defenders_dice_and_losses_only() -> None:
    """QD-17.1: before the round is over there is nothing to retreat from."""
    table = at_war(home("orc", "OR_k", 3), home("elf", "OR_n", 1))
    table.when("orc", Attack("OR_n", "OR_k", 2)).when("orc", Fight())
    table.when("orc", Retreat("OR_k")).refused("not_your_turn")


def test_defenders_never_retreat() -> None:
    """QD-17.2: the defender is not asked where to go; he leaves by QD-10.7 alone."""
    after_a_round().when("elf", Retreat("OR_s")).refused("defenders_stay", "QD-17.2", "QD-10.7")


@pytest.mark.parametrize("how", ("teleport", "teleportal", "party"))
def test_who_did_not_walk_in_fights_to_the_end(how: str) -> None:
    """QD-17.1, QD-X44, QD-X62: no retreat for units that came by teleport, by teleportal or out of the Wastelands."""
    table = at_war(
        home("orc", "OR_k", 1), ColumnSet("orc", "OR_n", "OR_k", 2, how=how), home("elf", "OR_n", 3)
    )
    table.when("orc", Fight())
    roll(table, 6, 6)
    roll(table, 6, 6, 6).asks(chance="roll")


def test_who_landed_from_a_ship_retreats_on_land() -> None:
    """QD-17.1, QD-H14: to an adjacent friendly territory."""
    table = at_war(
        home("orc", "OR_k", 1), ColumnSet("orc", "OR_n", "S1", 2, how="ship"), home("elf", "OR_n", 1)
    )
    until(table.when("orc", Fight()), "choice").when("orc", Retreat("OR_k"))
    assert table.state.armies["OR_k"] == Army("orc", 3)


def test_who_may_retreat_goes_and_who_may_not_fights_on() -> None:
    """QD-H26: a part of the attackers came by teleport; the others leave, and the next round has their dice only."""
    table = after_a_round(ColumnSet("orc", "OR_n", "OR_k", 1, how="teleport")).when("orc", Retreat("OR_k"))
    assert table.state.columns["OR_n"] == (Column("orc", "OR_k", 1, how="teleport"),)
    assert dice_due(table) == 1
    assert table.state.battle.round == 2


def test_without_friendly_land_beside_it_nobody_retreats_or_is_asked() -> None:
    """QD-H27: where no refuge exists the attack simply goes on."""
    table = at_war(home("orc", "OR_s", 1), ColumnSet("orc", "G1", "S1", 1, how="ship"), home("elf", "G1", 1))
    table.when("orc", Fight())
    roll(table, 6)
    roll(table, 6).asks(chance="roll")


def test_a_retreat_hides_again_who_is_in_which_part() -> None:
    """QD-H42: the shown king goes back with those who walked; only the owner knows that he is among them."""
    table = after_a_round(
        ColumnSet("orc", "OR_n", "OR_k", 1, how="teleport"),
        ChipSet("orc", "orc.king", "OR_n", shown=True, way="teleport"),
    )
    table.when("orc", Retreat("OR_k"))
    assert table.told[0] == ChipsMoved("orc", "OR_n", "OR_k", hides=("orc.king",), because=("QD-H42",))
    assert "orc.king" not in table.view("elf").state.chips
    assert table.state.chips["orc.king"].place == "OR_n"
    assert {"orc@OR_n", "orc@OR_k"} <= set(table.state.shades)


# Flight (QD-10.7)


def siege(elves: int, hits: int, *more: object, **answers: str) -> Table:
    """Return Elves in OR_n, among them a shown wizard with Teleport, hit so many times by six Orcs."""
    table = at_war(
        home("orc", "OR_k", 7), home("elf", "OR_n", elves), home("elf", "OR_s", 1),
        ChipSet("elf", "elf.wizard.1", "OR_n", shown=True), SpellsSet("elf.wizard.1", ("teleport",)),
        *more, **answers,
    )  # fmt: skip
    table.when("orc", Attack("OR_n", "OR_k", 6)).when("orc", Fight())
    until(table, "roll")
    return roll(table, *[1] * hits, *[6] * (6 - hits))


def test_w14_five_hits_on_six_elves_let_the_wizard_flee() -> None:
    """W14 (QD-10.7): the hits are not more than the other units there; he goes alone and does not roll."""
    table = siege(6, 5).asks(elf="flight")
    assert table.ask("elf").question.because == ("QD-10.7", "QD-17.2")
    table.when("elf", Flee("elf.wizard.1", "OR_s"))
    table.then(
        ChipsMoved("elf", "OR_n", "OR_s", ("elf.wizard.1",), shown=True, because=("QD-10.7",)),
        UnitsMoved("elf", "OR_n", "OR_s", 1, because=("QD-10.7",)),
        SpellUserLeft("elf", "elf.wizard.1", "OR_n", because=("QD-10.7",)),
    )
    assert dice_due(table) == 5
    roll(table, 6, 6, 6, 6, 6)
    assert losses(table) == [("elf", 5)]
    assert table.state.chips["elf.wizard.1"].place == "OR_s"
    table.leave()


def test_w14_six_hits_on_six_elves_take_the_wizard_too() -> None:
    """W14 (QD-10.7): six hits are more than the five others, so nobody flees, and nobody is asked."""
    table = siege(6, 6).asks(chance="roll")
    assert [(one.code, one.because) for one in Flee("elf.wizard.1", "OR_s").forbids(table.now, "elf")] == [
        ("too_many_hits", ("QD-10.7",))
    ]
    roll(table, 6, 6, 6, 6, 6, 6)
    assert losses(table) == [("elf", 6)]
    assert "elf.wizard.1" not in table.state.chips


def test_flight_counts_the_hits_for_each_who_flees() -> None:
    """QD-10.7: with two hits on three Elves one may flee, and then no second one."""
    second = (ChipSet("elf", "elf.wizard.2", "OR_n", shown=True), SpellsSet("elf.wizard.2", ("teleport",)))
    table = siege(3, 2, *second).when("elf", Flee("elf.wizard.1", "OR_s")).asks(chance="roll")
    assert dice_due(table) == 2
    two = siege(3, 1, *second).when("elf", Flee("elf.wizard.1", "OR_s")).asks(elf="flight")
    two.when("elf", Flee("elf.wizard.2", "OR_s")).asks(chance="roll")
    assert dice_due(two) == 1


def test_the_last_unit_may_flee_when_nothing_hit_it() -> None:
    """QD-10.7, QD-X44: then the place is the attacker's without a further die."""
    table = siege(1, 0).when("elf", Flee("elf.wizard.1", "OR_s"))
    assert BattleEnded("OR_n", "orc", taken=True, rounds=1, because=("QD-10.9",)) in table.told


def test_who_passes_stays_and_rolls() -> None:
    """QD-10.7: flight is a choice, in place of the die."""
    table = siege(6, 5).when("elf", Pass()).asks(chance="roll")
    assert dice_due(table) == 6


@pytest.mark.parametrize(
    ("command", "code", "section"),
    (
        (Flee("elf.wizard.2", "OR_s"), "cannot_teleport", "QD-15.3"),
        (Flee("dragonlord", "OR_s"), "cannot_teleport", "QD-14.5"),
        (Flee("elf.wizard.1", "OR_k"), "no_haven", "QD-X83"),
        (Flee("elf.wizard.1", "OR_n"), "no_haven", "QD-10.7"),
        (Flee("elf.wizard.1", "OR_s", ("excalibur",)), "no_such_chip", "QD-1.4"),
    ),
)
def test_flight_needs_teleport_and_a_friendly_place(command: Flee, code: str, section: str) -> None:
    """QD-10.7, QD-X83: a spell user with Teleport, to a friendly territory, Wasteland space or blockade."""
    siege(6, 2).when("elf", command).refused(code, section)


def test_a_wizard_flees_to_wasteland_spaces_and_blockades_with_room() -> None:
    """QD-X83, QD-H12: six units fill a space; a DragonLord flees to territories only (QD-X71)."""
    table = siege(6, 2, home("elf", "WT03", 5), home("elf", "WB03", 6), UnitsSet("elf", "OR_n", 4, 2))
    offers = {offer.fields["user"]: offer.fields["target"] for offer in table.ask("elf").offers[:2]}
    assert offers == {"elf.wizard.1": OneOf(("OR_s", "WT03")), "dragonlord": OneOf(("OR_s",))}


def test_a_table_that_keeps_islands_for_ships_lets_nobody_flee_there() -> None:
    """QD-X79, QD-15.3: units come to an island by ship only, so no spell user by Teleport either."""
    siege(6, 5, home("elf", "I1", 1)).when("elf", Flee("elf.wizard.1", "I1")).asks(chance="roll")
    table = siege(6, 5, home("elf", "I1", 1), X79="by_ship_only")
    table.when("elf", Flee("elf.wizard.1", "I1")).refused("no_haven", "QD-10.7")
    table.when("elf", Flee("elf.wizard.1", "OR_s")).asks(chance="roll")


def test_a_wizard_who_fled_takes_a_treasure_along_unseen() -> None:
    """QD-10.7, QD-H42: what he bears is the owner's secret; both stacks may hide it afterwards."""
    table = siege(6, 2, ChipSet("elf", "excalibur", "OR_n"))
    table.when("elf", Flee("elf.wizard.1", "OR_s", ("excalibur",)))
    assert table.state.chips["excalibur"].place == "OR_s"
    assert "excalibur" not in table.view("orc").state.chips
    assert {"elf@OR_n", "elf@OR_s"} <= set(table.view("orc").state.shades)


def test_a_hidden_wizard_is_shown_when_he_flees() -> None:
    """QD-H9: to use Teleport he is revealed."""
    table = at_war(
        home("orc", "OR_k", 3), home("elf", "OR_n", 3), home("elf", "OR_s", 1),
        ChipSet("elf", "elf.wizard.1", "OR_n"), SpellsSet("elf.wizard.1", ("teleport",)),
    )  # fmt: skip
    table.when("orc", Attack("OR_n", "OR_k", 2)).when("orc", Fight())
    silent(table)
    roll(table, 1, 6).when("elf", Flee("elf.wizard.1", "OR_s"))
    assert table.told[0] == ChipShown("elf", "elf.wizard.1", "OR_n", because=("QD-H9", "QD-10.7"))


def test_flight_is_asked_wherever_a_teleporter_may_be_hidden() -> None:
    """QD-10.7, QD-H42: a shaded stack of a seat that has such a wizard is asked, though he stands elsewhere."""
    table = at_war(
        home("orc", "OR_k", 3), home("elf", "OR_n", 3), home("elf", "OR_s", 1),
        ChipSet("elf", "elf.wizard.1", "OR_s"), ShadeSet("elf", "OR_n"),
        SpellsSet("elf.wizard.1", ("teleport",)),
    )  # fmt: skip
    table.when("orc", Attack("OR_n", "OR_k", 2)).when("orc", Fight())
    silent(table)
    roll(table, 6, 6).asks(elf="flight")
    assert [offer.command for offer in table.ask("elf").offers] == [Pass]


def test_a_wizard_whom_all_see_elsewhere_leaves_nothing_to_ask() -> None:
    """QD-H42: who is shown in one place is not hidden in another."""
    table = at_war(
        home("orc", "OR_k", 3), home("elf", "OR_n", 3), home("elf", "OR_s", 1),
        ChipSet("elf", "elf.wizard.1", "OR_s", shown=True), ShadeSet("elf", "OR_n"),
        SpellsSet("elf.wizard.1", ("teleport",)),
    )  # fmt: skip
    table.when("orc", Attack("OR_n", "OR_k", 2)).when("orc", Fight())
    silent(table)
    roll(table, 6, 6).asks(chance="roll")


# Withdrawing as the attacker (QD-10.9)


def raid(how: str, *more: object, **answers: str) -> Table:
    """Return an Orc DragonLord alone in OR_n who came that way, after a round in which all missed."""
    table = at_war(
        home("orc", "OR_s", 1), home("elf", "OR_n", 1), ColumnSet("orc", "OR_n", "OR_k", 0, 1, how=how),
        home("elf", "OR_k", 1), *more, **answers,
    )  # fmt: skip
    table.when("orc", Fight())
    return until(table, "choice")


def test_a_dragonlord_that_walked_in_may_withdraw_as_the_last_unit() -> None:
    """QD-10.9, QD-X44: by Teleport, alone, at the end of a round; it fights no more this turn."""
    table = raid("walk").when("orc", Withdraw("dragonlord", "OR_s"))
    table.then(
        UnitsMoved("orc", "OR_n", "OR_s", 0, 1, way="walk", spent=1, because=("QD-10.9", "QD-X44")),
        SpellUserLeft("orc", "dragonlord", "OR_n", because=("QD-10.9", "QD-X44")),
        UnitsTired("OR_s", 0, 1),
        BattleEnded("OR_n", "elf", rounds=1, because=("QD-10.9",)),
    )
    assert table.state.armies["OR_s"] == Army("orc", 1, 1)
    assert table.state.spent == {"OR_s": 1}


def test_who_came_by_teleport_does_not_withdraw_by_it() -> None:
    """QD-X44: fights to the bitter end; a table may let any spell user of the attacker go."""
    table = at_war(
        home("orc", "OR_s", 1), home("elf", "OR_n", 1),
        ColumnSet("orc", "OR_n", "OR_k", 0, 1, how="teleport"),
    )  # fmt: skip
    table.when("orc", Fight())
    table.when("orc", Pass())
    roll(table, 6)
    roll(table, 6).asks(orc="cast")
    assert table.state.battle.round == 2
    raid("teleport", X44="any_attacker").when("orc", Withdraw("dragonlord", "OR_s")).asks(orc="combat")


def test_a_bound_wizard_beside_free_units_is_refused_to_withdraw() -> None:
    """QD-10.9, QD-X44: the question is open to others, he is named all the same."""
    wizard = (
        ChipSet("orc", "orc.wizard.1", "OR_n", shown=True, way="teleport"),
        SpellsSet("orc.wizard.1", ("teleport",)),
        ColumnSet("orc", "OR_n", "OR_k", 1, how="teleport"),
    )
    table = after_a_round(*wizard).asks(orc="choice")
    table.when("orc", Withdraw("orc.wizard.1", "OR_ne")).refused("bound_to_fight", "QD-10.9", "QD-X44")


def test_one_withdraws_and_the_others_go_on() -> None:
    """QD-10.9: the spell user leaves alone, and the attacker chooses for the others."""
    wizard = (
        ChipSet("orc", "orc.wizard.1", "OR_k"),
        SpellsSet("orc.wizard.1", ("teleport",)),
    )
    table = at_war(home("orc", "OR_k", 4), home("elf", "OR_n", 2), *wizard)
    table.when("orc", Attack("OR_n", "OR_k", 3, leading=("orc.wizard.1",))).when("orc", Fight())
    until(table, "choice").when("orc", Withdraw("orc.wizard.1", "OR_k")).asks(orc="choice")
    table.when("orc", Continue())
    assert table.state.columns["OR_n"] == (Column("orc", "OR_k", 2),)


def test_the_dead_roll_no_more_in_the_next_round() -> None:
    """QD-10.9: a round has the dice of those who are left."""
    table = after_a_round(defenders=2).when("orc", Continue())
    roll(table, 1, 6)
    roll(table, 6, 6).when("orc", Continue())
    roll(table, 6, 6)
    roll(table, 6)
    assert [count for _, count, _ in strengths(table)] == [2, 2, 2, 2, 2, 1]
