"""Spells that attack (QD-15.2, QD-15.5, QD-14.6), and who is struck by them (QD-H29)."""

from typing import Any

import pytest

from core.asking import Pick
from core.games.dragonlords.armies import UnitsLost, UnitsStruck
from core.games.dragonlords.battle import BattleEnded, Pass
from core.games.dragonlords.chips import ChipLost, ChipShown
from core.games.dragonlords.land_combat import Attack, Fight
from core.games.dragonlords.position import ChipSet, ShadeSet, SpellsSet, UnitsSet
from core.games.dragonlords.spells import Cast, SpellCast
from core.games.dragonlords.state import Army
from tests.driver import Table
from tests.games.dragonlords.field import at_war, dice_due, home, lose, losses, roll, silent, until


def mage(
    *spells: str, seat: str = "orc", place: str = "OR_k", n: int = 1, shown: bool = True
) -> tuple[object, ...]:
    """Return a wizard with these spells in a place."""
    chip = f"{seat}.wizard.{n}"
    return ChipSet(seat, chip, place, shown=shown), SpellsSet(chip, spells)


def battle(*more: object, elves: int = 3, led: tuple[str, ...] = ("orc.wizard.1",), **answers: str) -> Table:
    """Return two Orcs, a wizard among them as a rule, in OR_n against Elves, when the first spell may be thrown."""
    held = (home("elf", "OR_n", elves),) if elves else ()
    table = at_war(home("orc", "OR_k", 4), *held, *more, **answers)
    table.when("orc", Attack("OR_n", "OR_k", 2, leading=led)).when("orc", Fight())
    return until(table, "cast")


def test_a_fireball_removes_one_enemy_unit_before_the_dice() -> None:
    """QD-15.2, QD-10.5: its victim is removed at once and does not strike back."""
    table = battle(*mage("fireball")).when("orc", Cast("fireball"))
    table.then(
        ChipShown("orc", "orc.wizard.1", "OR_n", "walk"),
        SpellCast("orc", "fireball", "orc.wizard.1", "OR_n", because=("QD-15.2", "QD-10.5")),
        UnitsStruck("elf", "OR_n", 1),
        UnitsLost("elf", "OR_n", 1, because=("QD-15.2", "QD-10.5")),
    )
    assert dice_due(table) == 1
    roll(table, 6)
    assert dice_due(table) == 2


def test_a_lightning_bolt_does_the_same() -> None:
    """QD-15.5: as the fireball."""
    table = battle(*mage("lightning")).when("orc", Cast("lightning", "orc.wizard.1"))
    assert UnitsLost("elf", "OR_n", 1, because=("QD-15.5", "QD-10.5")) in table.told


def test_a_wizard_makes_one_attack_a_round_by_spell_or_by_die() -> None:
    """QD-X61: two spells are not two attacks; who threw one rolls no die, who threw none does."""
    table = battle(*mage("fireball", "lightning")).when("orc", Cast("lightning"))
    table.asks(chance="roll").when("orc", Cast("fireball")).refused("not_your_turn")
    assert dice_due(table) == 1
    assert dice_due(battle(*mage("fireball")).when("orc", Pass())) == 2


def test_dice_as_if_the_wizard_rolled_too_are_refused_by_what_takes_his() -> None:
    """QD-X61: the refusal names what replaces the die and who does not roll, not one die for each unit (QD-10.5)."""
    table = battle(*mage("fireball")).when("orc", Cast("fireball"))
    roll(table, 6, 6).refused("wrong_dice_count", "QD-X61")
    (reason,) = table.reasons
    assert reason.because == ("QD-X61",)
    assert reason.text == "orc rolls 1 d6 for attack, not 2. orc.wizard.1 threw a spell in place of a die."


def test_where_a_spell_is_extra_the_wizard_rolls_too() -> None:
    """QD-X61: the alternative; W11 fits it with two Barbarians in place of three."""
    table = battle(*mage("fireball"), X61="extra").when("orc", Cast("fireball"))
    assert dice_due(table) == 2


def test_two_wizards_throw_two_spells() -> None:
    """QD-14.1: each spell user may; the last Elf's place is taken without a die."""
    table = battle(*mage("fireball"), *mage("lightning", n=2), led=("orc.wizard.1", "orc.wizard.2"), elves=2)
    table.when("orc", Cast("fireball")).asks(orc="cast")
    table.when("orc", Cast("fireball", "orc.wizard.1")).refused("no_caster", "QD-X61", "QD-15.2")
    table.when("orc", Cast("lightning")).asks(orc="combat")
    assert BattleEnded("OR_n", "orc", taken=True, rounds=1, because=("QD-10.9",)) in table.told


def test_a_hidden_wizard_is_shown_by_his_spell() -> None:
    """QD-H9, QD-14.1: he is revealed to use it, and not by passing."""
    table = battle(*mage("fireball", shown=False)).when("orc", Cast("fireball"))
    assert table.told[0] == ChipShown("orc", "orc.wizard.1", "OR_n", "walk", because=("QD-H9",))
    assert (
        battle(*mage("fireball", shown=False)).when("orc", Pass()).state.chips["orc.wizard.1"].shown is False
    )


@pytest.mark.parametrize(
    ("command", "code", "section"),
    (
        (Cast("hope"), "no_attack_spell", "QD-15.2"),
        (Cast("sleep"), "no_attack_spell", "QD-15.5"),
        (Cast("lightning"), "no_caster", "QD-15.5"),
        (Cast("dragonfire"), "no_caster", "QD-14.6"),
        (Cast("fireball", "orc.wizard.2"), "no_caster", "QD-14.1"),
        (Cast("fireball", "elf.wizard.1"), "no_caster", "QD-14.1"),
        (Cast("fireball", "", "unit"), "no_such_aim", "QD-H29"),
    ),
)
def test_what_nobody_there_can_throw_is_refused(command: Cast, code: str, section: str) -> None:
    """QD-14.1: a spell user who is there, a spell he knows, and one that attacks."""
    battle(*mage("fireball", "hope"), *mage("heal", n=2)).when("orc", command).refused(code, section)


def test_the_defender_casts_after_the_attackers_dice() -> None:
    """QD-10.10, QD-H29: attackers who have rolled are removed, and their hits count all the same."""
    table = at_war(
        home("orc", "OR_k", 4), home("elf", "OR_n", 3), *mage("fireball", seat="elf", place="OR_n")
    )
    table.when("orc", Attack("OR_n", "OR_k", 1)).when("orc", Fight())
    roll(table, 1).asks(elf="cast")
    table.when("elf", Cast("fireball"))
    assert SpellCast("elf", "fireball", "elf.wizard.1", "OR_n", because=("QD-15.2", "QD-10.10")) in table.told
    table.asks(elf="losses").when("elf", lose(unit=1))
    assert table.state.armies["OR_n"] == Army("elf", 2)
    assert BattleEnded("OR_n", "elf", rounds=1, because=("QD-10.9",)) in table.told


def test_the_defenders_caster_rolls_no_die() -> None:
    """QD-X61, QD-10.6: two of three Elves roll when the wizard threw his spell."""
    table = at_war(
        home("orc", "OR_k", 4), home("elf", "OR_n", 3), *mage("fireball", seat="elf", place="OR_n")
    )
    table.when("orc", Attack("OR_n", "OR_k", 3)).when("orc", Fight())
    roll(table, 6, 6, 6).when("elf", Cast("fireball"))
    assert dice_due(table) == 2


def test_nobody_is_asked_to_cast_where_no_attack_spell_may_be() -> None:
    """QD-H42: a shaded stack of a seat whose wizards know none passes unasked; one whose wizard may is asked."""
    for spells, kind in ((("heal", "hope"), "roll"), (("heal", "fireball"), "cast")):
        table = at_war(
            home("orc", "OR_k", 3), home("orc", "OR_ne", 1), home("elf", "OR_n", 1), ShadeSet("orc", "OR_k"),
            *mage(*spells, place="OR_ne", shown=False),
        )  # fmt: skip
        table.when("orc", Attack("OR_n", "OR_k", 2)).when("orc", Fight())
        silent(table)
        question = table.now.question
        assert question is not None
        assert question.kind == kind


# Victims (QD-H29)


def guarded(**answers: Any) -> Table:
    """Return an Orc wizard about to throw at two Elves, a shown king and a DragonLord."""
    return battle(
        *mage("fireball", "lightning"), UnitsSet("elf", "OR_n", 3, 1),
        ChipSet("elf", "elf.king", "OR_n", shown=True), elves=0, **answers,
    )  # fmt: skip


def test_the_owner_of_the_struck_units_picks_the_victim() -> None:
    """QD-H29: as of dice, plain units first unless he says otherwise (QD-X52)."""
    table = guarded().when("orc", Cast("fireball")).asks(elf="losses")
    assert table.ask("elf").silence == lose(unit=1)
    table.when("elf", lose(dragonlord=1)).then(UnitsLost("elf", "OR_n", 1, 1, because=("QD-15.2", "QD-10.5")))


def test_where_the_caster_picks_he_may_aim_at_whom_everybody_sees() -> None:
    """QD-H29: the alternative; a shown king falls to an aimed fireball without a question to his owner."""
    table = guarded(H29="caster_picks").when("orc", Cast("fireball", "", "elf.king"))
    assert ChipLost("elf", "elf.king", "OR_n", because=("QD-14.1", "QD-15.2", "QD-10.5")) in table.told
    table = guarded(H29="caster_picks").when("orc", Cast("fireball", "", "dragonlord"))
    assert losses(table) == [("elf", 1)]
    assert table.state.armies["OR_n"] == Army("elf", 3)
    table = guarded(H29="caster_picks").when("orc", Cast("fireball"))
    assert table.state.armies["OR_n"] == Army("elf", 2, 1)


def test_an_aim_at_units_may_find_a_hidden_wizard_and_his_owner_says() -> None:
    """QD-H29: hidden chips stay hidden; the caster aims blindly at their bearers."""
    table = battle(
        *mage("fireball"), *mage("heal", seat="elf", place="OR_n", shown=False), H29="caster_picks"
    )
    table.when("orc", Cast("fireball", "", "elf.wizard.1")).refused("no_such_aim", "QD-H29")
    table.when("orc", Cast("fireball", "", "unit")).asks(elf="losses")
    pools = [offer.fields["losses"] for offer in table.ask("elf").offers]
    assert pools == [Pick({"unit": 2, "elf.wizard.1": 1}, 1, 1), Pick({"unit": 3}, 1, 1)]


def test_fire_takes_a_dragonlord_unless_the_table_says_otherwise() -> None:
    """QD-H30: a unit like any other; or fireproof, and a lightning bolt takes it all the same."""
    table = battle(*mage("fireball", "lightning"), UnitsSet("elf", "OR_n", 0, 1), elves=0, H30="fireproof")
    table.when("orc", Cast("fireball")).refused("no_victim", "QD-15.2", "QD-H30")
    table.when("orc", Cast("lightning")).asks(orc="combat")
    assert table.state.armies["OR_n"].seat == "orc"
    table = guarded(H30="fireproof").when("orc", Cast("fireball"))
    table.when("elf", lose(dragonlord=1)).refused("not_there")
