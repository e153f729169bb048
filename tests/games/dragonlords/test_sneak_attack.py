"""The sneak attack of the Elves (QD-12)."""

import pytest

from core.games.dragonlords.armies import UnitsMarked, UnitsMoved
from core.games.dragonlords.battle import BattleEnded
from core.games.dragonlords.flight import Flee
from core.games.dragonlords.land_combat import Attack, Fight
from core.games.dragonlords.position import ChipSet, SpellsSet, UnitsSet
from core.games.dragonlords.retreat import Continue
from core.games.dragonlords.sneak_attack import GoBack, SneakAttack
from core.games.dragonlords.spells import Cast
from core.games.dragonlords.state import Army
from core.kit.chance import AnswerRoll
from core.seats import CHANCE
from tests.driver import Table
from tests.games.dragonlords.field import at_war, dice_due, home, losses, roll, silent, strengths, until


def woods(*more: object, orcs: int = 2, **answers: str) -> Table:
    """Return Elves in OR_n and OR_ne, both beside the kingdom OR_k that Orcs hold."""
    return at_war(
        home("elf", "OR_n", 4), home("elf", "OR_ne", 3), home("orc", "OR_k", orcs), home("orc", "G1", 1),
        *more, seats=("elf", "orc"), **answers,
    )  # fmt: skip


def test_only_elves_make_a_sneak_attack() -> None:
    """QD-12.1: an Orc who creeps is refused, though a table may have played it."""
    table = at_war(home("orc", "OR_n", 3), home("elf", "OR_k", 1))
    table.when("orc", SneakAttack("OR_k", "OR_n", 2)).refused("not_elves", "QD-12.1")
    assert not any(offer.command is SneakAttack for offer in table.ask("orc").offers)


@pytest.mark.parametrize(
    ("command", "code", "section"),
    (
        (SneakAttack("OR_s", "OR_n", 2), "not_adjacent", "QD-12.1"),
        (SneakAttack("FM_s", "OR_n", 2), "no_enemy_there", "QD-12.1"),
        (SneakAttack("OR_ne", "OR_n", 2), "own_territory", "QD-10.2"),
        (SneakAttack("OR_k", "OR_n", 4), "leaves_nobody", "QD-10.2"),
        (SneakAttack("OR_k", "OR_n", 5), "not_there", "QD-10.2"),
    ),
)
def test_it_goes_against_an_adjacent_enemy_and_leaves_one_behind(
    command: SneakAttack, code: str, section: str
) -> None:
    """QD-12.1, QD-12.2, QD-X48: adjacent only, one Elf stays."""
    woods().when("elf", command).refused(code, section)


def test_a_teleportal_does_not_serve_a_sneak_attack() -> None:
    """QD-H25: teleportals are no way to creep in."""
    table = at_war(
        UnitsSet("elf", "T1", 3, 1), home("orc", "T2", 1), seats=("elf", "orc"),
    )  # fmt: skip
    table.when("elf", SneakAttack("T2", "T1", 2)).refused("not_adjacent", "QD-X48")
    table.when("elf", Attack("T2", "T1", 2)).asks(elf="combat")


def test_elves_from_several_territories_make_one_volley_without_an_answer() -> None:
    """QD-12.2, QD-2.2: five dice at the strength of land combat, here 3 - 1 against a kingdom; the enemy rolls none."""
    table = woods(orcs=9)
    table.when("elf", SneakAttack("OR_k", "OR_n", 3)).when("elf", SneakAttack("OR_k", "OR_ne", 2))
    table.when("elf", Fight())
    roll(table, 1, 2, 3, 3, 3)
    assert strengths(table) == [("elf", 5, 2)]
    assert losses(table) == [("orc", 2)]
    assert table.state.battle is not None
    table.asks(elf="go_back")


def test_elves_take_the_territory_when_all_enemies_are_dead() -> None:
    """QD-12.3: it is theirs; they may go on with ordinary land combat but not with another sneak attack."""
    table = woods(orcs=1).when("elf", SneakAttack("OR_k", "OR_n", 3)).when("elf", Fight())
    roll(table, 1, 6, 6)
    marked = UnitsMarked("OR_k", fought=3, sneaked=3, because=("QD-H28", "QD-12.2"))
    assert marked in table.told
    assert BattleEnded("OR_k", "elf", taken=True, rounds=1, because=("QD-10.9",)) in table.told
    assert table.state.armies["OR_k"] == Army("elf", 3)
    table = woods(UnitsSet("orc", "OR_s", 1), orcs=1)
    table.when("elf", SneakAttack("OR_k", "OR_n", 3)).when("elf", Fight())
    roll(table, 1, 6, 6)
    table.when("elf", SneakAttack("OR_s", "OR_k", 1)).refused("spent", "QD-12.2")
    table.when("elf", Attack("OR_s", "OR_k", 1)).asks(elf="combat")


def test_each_elf_sneaks_once_in_a_turn_while_others_still_may() -> None:
    """QD-12.2: fresh Elves who join those that have sneaked may; the mark goes with the units that bear it."""
    table = woods(UnitsSet("orc", "OR_s", 2), orcs=1)
    table.when("elf", SneakAttack("OR_k", "OR_n", 3)).when("elf", Fight())
    roll(table, 1, 6, 6)
    table.when("elf", Attack("OR_s", "OR_k", 2)).when("elf", Fight())
    assert table.state.sneaked == {"OR_k": 1, "OR_s": 2}


def test_who_has_sneaked_stays_behind_when_others_creep_on() -> None:
    """QD-12.2: of a mixed stack the fresh Elves go, so those who have sneaked are still marked where they stayed."""
    table = at_war(
        *(UnitsSet("elf", place, count) for place, count in (("OR_k", 9), ("SC_k", 1))),
        *(UnitsSet("orc", place, 1) for place in ("OR_ne", "OR_n", "G1", "FM_k")), seats=("elf", "orc"),
    )  # fmt: skip
    table.when("elf", SneakAttack("OR_ne", "OR_k", 3)).when("elf", Fight())
    roll(table, 1, 6, 6)
    table.when("elf", Attack("OR_n", "OR_ne", 2)).when("elf", Attack("OR_n", "OR_k", 3)).when("elf", Fight())
    roll(roll(table, 1, 6, 6, 6, 6), 6)
    assert table.state.sneaked == {"OR_ne": 1, "OR_n": 2}
    table.when("elf", SneakAttack("G1", "OR_n", 4)).refused("spent", "QD-12.2")
    table.when("elf", SneakAttack("G1", "OR_n", 1))
    assert table.state.sneaked == {"OR_ne": 1, "OR_n": 2}
    table.when("elf", SneakAttack("G1", "OR_n", 3)).refused("spent", "QD-12.2")
    table.when("elf", SneakAttack("G1", "OR_n", 2)).asks(elf="combat")
    table.when("elf", Fight())
    roll(table, 1, 6, 6)
    assert table.state.sneaked == {"OR_ne": 1, "OR_n": 2, "G1": 3}
    table.leave()


def test_elves_go_back_to_one_or_several_friendly_territories() -> None:
    """QD-12.4: those from each place go where their owner likes, and fight no more this turn."""
    table = woods(orcs=9)
    table.when("elf", SneakAttack("OR_k", "OR_n", 3)).when("elf", SneakAttack("OR_k", "OR_ne", 2))
    table.when("elf", Fight())
    roll(table, 6, 6, 6, 6, 6).asks(elf="go_back")
    table.when("elf", GoBack("OR_s", "OR_n")).refused("not_there", "QD-12.4")
    table.when("elf", GoBack("OR_n", "G1")).refused("no_refuge", "QD-12.4")
    table.when("elf", Continue()).refused("one_volley", "QD-12.2")
    table.when("elf", GoBack("OR_n", "OR_ne")).asks(elf="go_back")
    assert table.ask("elf").silence == GoBack("OR_ne", "OR_ne")
    table.when("elf", GoBack("OR_ne", "OR_n")).asks(elf="combat")
    assert table.state.armies["OR_n"] == Army("elf", 1 + 2)
    assert table.state.armies["OR_ne"] == Army("elf", 1 + 3)
    assert table.state.spent == {"OR_ne": 3, "OR_n": 2}
    assert BattleEnded("OR_k", "orc", rounds=1, because=("QD-10.9",)) in table.told
    table.when("elf", Continue()).refused("no_battle_open", "QD-10.9", "QD-17.1", "QD-12.2")
    table.when("elf", Attack("G1", "OR_n", 2)).refused("spent", "QD-12.4")
    table.when("elf", Attack("G1", "OR_n", 1)).asks(elf="combat")
    table.leave()


def test_silence_goes_back_where_the_elves_came_from() -> None:
    """QD-12.4: a sheet need not write the way home."""
    table = woods(orcs=9).when("elf", SneakAttack("OR_k", "OR_n", 3)).when("elf", Fight())
    roll(table, 6, 6, 6).asks(elf="go_back")
    silent(table)
    assert table.told[0] == UnitsMoved(
        "elf", "OR_k", "OR_n", 3, way="sneak OR_n", spent=3, because=("QD-12.4",)
    )


def test_a_sneak_attack_is_not_mixed_with_an_ordinary_one() -> None:
    """QD-12.5, QD-H50: one after the other, on the same territory."""
    table = woods().when("elf", SneakAttack("OR_k", "OR_n", 3))
    table.when("elf", Attack("OR_k", "OR_ne", 2)).refused("sneak_attack_first", "QD-12.5", "QD-H50")
    table = woods().when("elf", Attack("OR_k", "OR_ne", 2))
    table.when("elf", SneakAttack("OR_k", "OR_n", 3)).refused("attack_under_way", "QD-12.5", "QD-H50")


def test_after_a_failed_sneak_others_may_attack_openly() -> None:
    """QD-12.4, QD-H50: once it is over, Elves who did not take part attack the same territory."""
    table = woods(orcs=9).when("elf", SneakAttack("OR_k", "OR_n", 3)).when("elf", Fight())
    roll(table, 6, 6, 6)
    silent(table)
    table.when("elf", Attack("OR_k", "OR_ne", 2)).asks(elf="combat")


WIZARDS = (
    ChipSet("elf", "elf.wizard.1", "OR_n", shown=True), SpellsSet("elf.wizard.1", ("fireball",)),
    ChipSet("orc", "orc.wizard.1", "OR_k", shown=True), SpellsSet("orc.wizard.1", ("fireball", "teleport")),
)  # fmt: skip


def test_elves_cast_and_the_defender_flees_but_does_not_cast() -> None:
    """QD-12.5, QD-H50: what is no counter-attack stays as in land combat."""
    table = woods(*WIZARDS, orcs=3)
    table.when("elf", SneakAttack("OR_k", "OR_n", 3, leading=("elf.wizard.1",))).when("elf", Fight())
    until(table, "cast").when("elf", Cast("fireball")).asks(orc="losses")
    silent(table)
    assert dice_due(table) == 2
    roll(table, 1, 6).asks(orc="flight")
    table.when("orc", Flee("orc.wizard.1", "G1")).asks(elf="combat")
    assert table.state.armies["G1"] == Army("orc", 2)
    assert table.state.armies["OR_k"] == Army("elf", 3)


def test_a_table_may_forbid_flight_from_a_sneak_attack() -> None:
    """QD-H50: flight stands in place of a counter-attack, and the defender has none to give up."""
    table = woods(*WIZARDS, orcs=3, H50="no_flight")
    table.when("elf", SneakAttack("OR_k", "OR_n", 3)).when("elf", Fight())
    until(table, "roll")
    roll(table, 1, 6, 6).asks(orc="losses")


def test_chips_go_back_with_the_elves_they_came_with() -> None:
    """QD-H42: a hidden king who crept in from one place goes home with those Elves, unseen."""
    table = woods(ChipSet("elf", "elf.king", "OR_n"), orcs=9)
    table.when("elf", SneakAttack("OR_k", "OR_n", 2, leading=("elf.king",)))
    table.when("elf", SneakAttack("OR_k", "OR_ne", 2)).when("elf", Fight())
    until(table, "go_back").when("elf", GoBack("OR_ne", "OR_ne"))
    table.when("elf", GoBack("OR_n", "OR_n"))
    assert table.state.chips["elf.king"].place == "OR_n"
    assert table.state.chips["elf.king"].way == ""
    table.leave()


def test_nobody_rolls_against_a_sneak_attack() -> None:
    """QD-12.2: the enemy does not roll, while it goes on and once it is over."""
    table = woods(orcs=9)
    table.when("elf", SneakAttack("OR_k", "OR_n", 2)).when("elf", Fight())
    until(table, "roll")
    table.must(CHANCE, AnswerRoll((6, 6)))
    table.when(CHANCE, AnswerRoll((1, 2, 3))).refused("nobody_rolls", "QD-12.2", "QD-10.1")


def test_elves_from_one_place_may_go_back_to_several() -> None:
    """QD-12.4, QD-1.4: so many here and the rest there, each with the chips that they bear."""
    table = woods(
        UnitsSet("elf", "OR_n", 5, 1),
        ChipSet("elf", "elf.king", "OR_n"),
        ChipSet("elf", "excalibur", "OR_n"),
        orcs=9,
    )
    table.when("elf", SneakAttack("OR_k", "OR_n", 4, 1, ("elf.king",), ("excalibur",))).when("elf", Fight())
    until(table, "go_back")
    for command, code in (
        (GoBack("OR_n", "OR_n", 5), "not_there"),
        (GoBack("OR_n", "OR_n", 0, 2), "not_there"),
        (GoBack("OR_n", "OR_n", 0, 1, ("elf.king",)), "too_few_bearers"),
        (GoBack("OR_n", "OR_n", 2, leading=("excalibur",)), "no_such_chip"),
        (GoBack("OR_n", "OR_n", leading=("elf.king",)), "nobody_sent"),
    ):
        table.when("elf", command).refused(code)
    table.when("elf", GoBack("OR_n", "OR_n", leading=("elf.king",))).refused(
        "nobody_sent", "QD-12.4", "QD-1.4"
    )
    table.when("elf", GoBack("OR_n", "OR_ne", 1, 1, ("elf.king",))).asks(elf="go_back")
    table.when("elf", GoBack("OR_n", "OR_n")).asks(elf="combat")
    assert table.state.armies["OR_ne"] == Army("elf", 4, 1)
    assert table.state.armies["OR_n"] == Army("elf", 4)
    assert (table.state.chips["elf.king"].place, table.state.chips["excalibur"].place) == ("OR_ne", "OR_n")
    assert table.state.spent == {"OR_ne": 2, "OR_n": 3}
    table.when("elf", Attack("G1", "OR_n", 2, carrying=("excalibur",))).refused("spent", "QD-12.4")
    table.leave()


def test_who_sneaked_and_who_came_back_are_counted_together() -> None:
    """QD-12.2, QD-12.4: of three who won a place and two who failed beside them none sneaks again; the fresh one may."""
    table = at_war(
        *(UnitsSet("elf", place, count) for place, count in (("OR_k", 12), ("SC_k", 1))),
        *(UnitsSet("orc", place, count) for place, count in (("OR_ne", 1), ("OR_n", 1), ("G1", 9), ("FM_k", 1))),
        seats=("elf", "orc"),
    )  # fmt: skip
    table.when("elf", SneakAttack("OR_ne", "OR_k", 4)).when("elf", Fight())
    roll(table, 1, 6, 6, 6)
    table.when("elf", Attack("OR_n", "OR_ne", 3)).when("elf", Attack("OR_n", "OR_k", 3)).when("elf", Fight())
    roll(roll(table, 1, 6, 6, 6, 6, 6), 6)
    table.when("elf", SneakAttack("G1", "OR_n", 2)).when("elf", Fight())
    roll(table, 6, 6)
    table.asks(elf="combat")  # there is one friendly territory, so they are back already
    assert (table.state.armies["OR_n"].size, table.state.sneaked["OR_n"], table.state.spent["OR_n"]) == (
        6,
        3,
        2,
    )
    table.when("elf", SneakAttack("G1", "OR_n", 2)).refused("spent", "QD-12.2")
    table.when("elf", SneakAttack("G1", "OR_n", 1)).asks(elf="combat")
    table.leave()
