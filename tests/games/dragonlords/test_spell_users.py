"""Spell users (QD-14): kings, wizards and DragonLords in battle, and what is declared each round (QD-10.4)."""

import pytest

from core.games.dragonlords.battle import BattleEnded, Pass
from core.games.dragonlords.chips import ChipLost, ChipShown
from core.games.dragonlords.ending import KingBeaten
from core.games.dragonlords.land_combat import Attack, Fight
from core.games.dragonlords.position import ChipSet, ColumnSet, ShadeSet, SpellsSet, UnitsSet
from core.games.dragonlords.retreat import Continue
from core.games.dragonlords.spell_users import Declare, Declared
from core.games.dragonlords.spells import Cast
from core.games.dragonlords.state import Army
from events.chance import Rolled
from events.play import GameEnded
from tests.driver import Table
from tests.games.dragonlords.field import at_war, dice_due, home, lose, roll, silent, strengths, until

KING = ChipSet("elf", "elf.king", "OR_n", shown=True)
WIZARD = ChipSet("elf", "elf.wizard.1", "OR_n", shown=True)


def knows(*spells: str, chip: str = "elf.wizard.1") -> SpellsSet:
    """Return that a wizard knows these spells."""
    return SpellsSet(chip, spells)


# Hope and Panic (QD-10.4)


def test_the_hope_of_a_shown_king_is_always_on() -> None:
    """QD-14.2, QD-15.4, QD-X5: +1 for his own units; nobody is asked whether he wants it."""
    table = at_war(home("orc", "OR_k", 3), home("elf", "OR_n", 2), KING)
    table.when("orc", Attack("OR_n", "OR_k", 2)).when("orc", Fight()).asks(chance="roll")
    assert Declared("elf", ("hope",), because=("QD-H29", "QD-10.4")) in table.told
    roll(table, 6, 6)
    roll(table, 4, 5)
    assert strengths(table) == [("orc", 2, 3), ("elf", 2, 4)]


def test_the_hope_of_a_hidden_king_works_only_when_he_is_shown() -> None:
    """QD-H9: said nothing, he stays hidden and does nothing; shown, he gives Hope."""

    def battle() -> Table:
        table = at_war(home("orc", "OR_k", 3), home("elf", "OR_n", 2), ChipSet("elf", "elf.king", "OR_n"))
        return table.when("orc", Attack("OR_n", "OR_k", 2)).when("orc", Fight()).asks(elf="declare")

    hidden = battle()
    assert hidden.ask("elf").silence == Declare()
    silent(hidden)
    assert hidden.state.battle.cast == ()
    shown = battle().when("elf", Declare(("elf.king",)))
    assert shown.told[:2] == [
        ChipShown("elf", "elf.king", "OR_n", because=("QD-H9",)),
        Declared("elf", ("hope",), because=("QD-H29", "QD-10.4")),
    ]


def test_hope_and_panic_of_a_wizard_are_declared_round_by_round() -> None:
    """QD-X5: on unless his owner says not, and asked anew in the next round."""
    table = at_war(home("orc", "OR_k", 3), home("elf", "OR_n", 2), WIZARD, knows("hope", "panic"))
    table.when("orc", Attack("OR_n", "OR_k", 2)).when("orc", Fight()).asks(elf="declare")
    table.when("elf", Declare(without=("hope",)))
    roll(table, 6, 6)
    roll(table, 6, 6).when("orc", Continue()).asks(elf="declare")
    silent(table)
    roll(table, 6, 6)
    roll(table, 6, 6)
    assert strengths(table) == [("orc", 2, 2), ("elf", 2, 3), ("orc", 2, 2), ("elf", 2, 4)]


def test_where_known_spells_always_work_nobody_is_asked() -> None:
    """QD-X5: with the alternative the Elf wizard of W11 would have given Hope."""
    table = at_war(home("orc", "OR_k", 3), home("elf", "OR_n", 2), WIZARD, knows("hope"), X5="always_on")
    table.when("orc", Attack("OR_n", "OR_k", 2)).when("orc", Fight()).asks(chance="roll")
    assert table.state.battle.cast == ("elf:hope",)


def test_the_same_spell_never_counts_twice() -> None:
    """QD-10.4, QD-15.6, W3: two DragonLords make -1, and king and wizard together +1."""
    table = at_war(
        home("orc", "OR_k", 3), UnitsSet("elf", "OR_n", 2, 2), KING, WIZARD, knows("hope", "panic")
    )
    table.when("orc", Attack("OR_n", "OR_k", 2)).when("orc", Fight()).asks(chance="roll")
    roll(table, 6, 6)
    silent(table)
    roll(table, 6, 6, 6, 6)
    assert strengths(table) == [("orc", 2, 2), ("elf", 4, 4)]


def test_a_side_may_have_both_hope_and_panic() -> None:
    """QD-X37: each spell once per side."""
    table = at_war(home("orc", "OR_k", 3), UnitsSet("elf", "OR_n", 1, 1), KING)
    table.when("orc", Attack("OR_n", "OR_k", 2)).when("orc", Fight())
    assert table.state.battle.cast == ("elf:hope", "elf:panic")


def test_a_table_may_let_a_side_use_one_of_them_only() -> None:
    """QD-X37: then its owner leaves one out; said nothing, it is Panic that he does without."""

    def battle() -> Table:
        table = at_war(
            home("orc", "OR_k", 3), UnitsSet("elf", "OR_n", 1, 1), KING, X37="one_of_them_per_side"
        )
        return table.when("orc", Attack("OR_n", "OR_k", 2)).when("orc", Fight()).asks(elf="declare")

    assert silent(battle()).state.battle.cast == ("elf:hope",)
    assert battle().when("elf", Declare(without=("hope",))).state.battle.cast == ("elf:panic",)


@pytest.mark.parametrize(
    ("command", "code", "section"),
    (
        (Declare(without=("hope",)), "not_withheld", "QD-X5"),
        (Declare(without=("fireball",)), "not_withheld", "QD-10.4"),
        (Declare(without=("panic", "panic")), "not_withheld", "QD-X5"),
        (Declare(("elf.king",)), "not_hidden_there", "QD-H9"),
        (Declare(("orc.king",)), "not_hidden_there", "QD-H9"),
        (Declare(("elf.wizard.2", "elf.wizard.2")), "not_hidden_there", "QD-H9"),
        (Declare(("elf.wizard.3",)), "nothing_to_declare", "QD-H9"),
        (Declare(("elf.blank",)), "nothing_to_declare", "QD-10.4"),
    ),
)
def test_what_changes_nothing_is_not_declared(command: Declare, code: str, section: str) -> None:
    """QD-H9, QD-X5: a shown king's Hope is not left out, and chips that do nothing now stay hidden."""
    table = at_war(
        home("orc", "OR_k", 3), UnitsSet("elf", "OR_n", 6), KING, WIZARD, knows("hope", "panic"),
        ChipSet("elf", "elf.wizard.2", "OR_n"), knows("hope", chip="elf.wizard.2"),
        ChipSet("elf", "elf.wizard.3", "OR_n"), knows("heal", chip="elf.wizard.3"),
        ChipSet("elf", "elf.blank", "OR_n"),
    )  # fmt: skip
    table.when("orc", Attack("OR_n", "OR_k", 2)).when("orc", Fight()).asks(elf="declare")
    table.when("elf", command).refused(code, section)


def test_strength_stays_as_it_was_declared_until_the_round_is_over() -> None:
    """QD-H29: the wizard whose Hope works falls to a fireball; his side still has it in this round, not in the next."""
    table = at_war(
        home("orc", "OR_k", 3), home("elf", "OR_n", 3), WIZARD, knows("hope"),
        ChipSet("orc", "orc.wizard.1", "OR_k", shown=True), knows("fireball", chip="orc.wizard.1"),
    )  # fmt: skip
    table.when("orc", Attack("OR_n", "OR_k", 2, leading=("orc.wizard.1",))).when("orc", Fight())
    until(table, "declare")
    silent(table)
    until(table, "cast").when("orc", Cast("fireball"))
    table.when("elf", lose(elf__wizard__1=1))
    until(table, "choice").when("orc", Continue())
    until(table, "choice")
    assert [strength for seat, _, strength in strengths(table) if seat == "elf"] == [4, 3]


# DragonLords (QD-14.5, QD-14.6)


def test_w16_a_dragonlord_burns_one_unit_and_rolls_one_die() -> None:
    """W16 (QD-14.6, QD-X60): an Orc DragonLord kills by fire and rolls one die at 3, beside the others' dice."""
    table = at_war(UnitsSet("orc", "OR_k", 2, 1), home("elf", "OR_n", 3))
    table.when("orc", Attack("OR_n", "OR_k", 1, 1)).when("orc", Fight()).asks(orc="cast")
    table.when("orc", Cast("dragonfire")).asks(chance="roll")
    assert table.state.armies["OR_n"] == Army("elf", 2)
    roll(table, 3, 4)
    roll(table, 6, 6)
    assert strengths(table)[0] == ("orc", 2, 3)
    assert table.state.armies["OR_n"] == Army("elf", 1)


def test_each_dragonlord_burns_once_in_a_round() -> None:
    """QD-14.6: two DragonLords, two fires; a third is refused."""
    table = at_war(UnitsSet("orc", "OR_k", 1, 2), home("elf", "OR_n", 5))
    table.when("orc", Attack("OR_n", "OR_k", 0, 2)).when("orc", Fight())
    table.when("orc", Cast("dragonfire")).when("orc", Cast("dragonfire", "dragonlord")).asks(chance="roll")
    table.when("orc", Cast("dragonfire")).refused("not_your_turn")
    assert dice_due(table) == 2


def test_a_wizard_who_is_a_dragonlord_has_fire_and_then_a_spell_or_the_die() -> None:
    """QD-14.6, QD-14.5: he keeps his spells; one of them stands in place of his die even where spells are extra."""
    for answer, dice in (("replaces_die", 1), ("extra", 1)):
        table = at_war(
            UnitsSet("orc", "OR_k", 2, 1), home("elf", "OR_n", 5),
            ChipSet("orc", "orc.wizard.1", "OR_k", on_dragonlord=True),
            knows("lightning", chip="orc.wizard.1"), X61=answer,
        )  # fmt: skip
        table.when("orc", Attack("OR_n", "OR_k", 1, 1, leading=("orc.wizard.1",))).when("orc", Fight())
        until(table, "cast").when("orc", Cast("dragonfire")).when("orc", Cast("lightning"))
        assert (
            ChipShown("orc", "orc.wizard.1", "OR_n", "walk", on_dragonlord=True, because=("QD-H9",))
            in table.told
        )
        assert dice_due(table) == dice


def test_a_dragonlord_moves_as_a_unit_in_phase_4() -> None:
    """QD-14.5: it may go, or be the one that stays behind."""
    table = at_war(UnitsSet("orc", "OR_k", 1, 1), home("elf", "OR_n", 1))
    table.when("orc", Attack("OR_n", "OR_k", 1)).asks(orc="combat")
    assert table.state.armies["OR_k"] == Army("orc", 0, 1)


# Kings (QD-14.2)


def test_the_king_of_the_defender_falls_and_his_units_fight_on_as_vanquished() -> None:
    """QD-22.1, QD-H47: the battle goes on; no spells, the player on the attacker's right rolls, race value kept."""
    table = at_war(
        UnitsSet("orc", "OR_k", 3, 1), home("elf", "OR_n", 3), KING, home("dwarf", "SC_k", 1), home("barbarian", "AL_k", 1),
        seats=("orc", "elf", "dwarf", "barbarian"),
    )  # fmt: skip
    table.when("orc", Attack("OR_n", "OR_k", 1, 1)).when("orc", Fight())
    table.when("orc", Cast("dragonfire")).when("elf", lose(elf__king=1))
    assert KingBeaten("elf", "orc", because=("QD-22.1", "QD-H48")) in table.told
    roll(table, 6, 6)
    question = table.now.question
    assert question is not None
    assert question.roll is not None
    assert (question.roll.owner, question.roll.thrower, question.roll.count) == ("elf", "barbarian", 2)
    roll(table, 6, 6)
    assert [fact.roller for fact in table.told if isinstance(fact, Rolled)] == ["barbarian"]
    assert strengths(table)[-1] == ("elf", 2, 3 + 1 - 1), "Hope was declared before, and Panic"


def test_vanquished_units_may_be_held_not_to_roll_at_all() -> None:
    """QD-H10: the alternative only removes them."""
    table = at_war(
        UnitsSet("orc", "OR_k", 3, 1), home("elf", "OR_n", 3), KING, home("dwarf", "SC_k", 1),
        seats=("orc", "elf", "dwarf"), H10="no_dice",
    )  # fmt: skip
    table.when("orc", Attack("OR_n", "OR_k", 1, 1)).when("orc", Fight())
    table.when("orc", Cast("dragonfire")).when("elf", lose(elf__king=1))
    roll(table, 6, 6).asks(orc="choice")


def test_the_last_enemy_king_ends_the_game_in_the_midst_of_a_battle() -> None:
    """QD-22.2, QD-H48: nothing is asked any more, and the battle has its end on record."""
    table = at_war(UnitsSet("orc", "OR_k", 3, 1), home("elf", "OR_n", 3), KING)
    table.when("orc", Attack("OR_n", "OR_k", 1, 1)).when("orc", Fight())
    table.when("orc", Cast("dragonfire")).when("elf", lose(elf__king=1)).asks()
    assert BattleEnded("OR_n", rounds=1, because=("QD-22.2", "QD-H48")) in table.told
    assert GameEnded(("orc",), "kings", because=("QD-22.2", "QD-H48")) in table.told


def test_the_last_two_kings_fall_together_and_nobody_wins() -> None:
    """QD-H48: a king is beaten by who caused it, also in mutual loss; both gone is a draw."""
    table = at_war(
        home("orc", "OR_k", 2), home("elf", "OR_n", 1), KING, ChipSet("orc", "orc.king", "OR_k", shown=True)
    )
    table.when("orc", Attack("OR_n", "OR_k", 1, leading=("orc.king",))).when("orc", Fight())
    until(table, "roll")
    roll(table, 1)
    roll(table, 1).asks()
    beaten = [fact for fact in table.told if isinstance(fact, KingBeaten)]
    assert [(fact.seat, fact.victor) for fact in beaten] == [("elf", "orc"), ("orc", "elf")]
    assert GameEnded((), "no_king_left", because=("QD-22.2", "QD-H48")) in table.told


def test_who_loses_his_king_in_his_own_attack_attacks_no_more() -> None:
    """QD-22.1: his units there are vanquished; they go back where their own hold the land, and are lost elsewhere."""
    table = at_war(
        home("orc", "OR_k", 3), home("elf", "OR_n", 3), home("dwarf", "SC_k", 1),
        ChipSet("orc", "orc.king", "OR_k", shown=True),
        ColumnSet("orc", "OR_n", "S1", 2, how="ship"), seats=("orc", "elf", "dwarf"),
    )  # fmt: skip
    table.when("orc", Attack("OR_n", "OR_k", 2, leading=("orc.king",))).when("orc", Fight())
    until(table, "roll")
    roll(table, 6, 6, 6, 6)
    roll(table, 1, 6, 6).when("orc", lose(orc__king=1))
    assert table.state.armies["OR_k"] == Army("orc", 2)
    assert table.state.muster["orc"].lost == 1 + 2
    assert BattleEnded("OR_n", "elf", rounds=1, because=("QD-10.9",)) in table.told
    assert table.state.active != "orc"


def test_a_king_beaten_by_vanquished_units_is_beaten_by_nobody() -> None:
    """QD-H48: nobody gets his scrolls."""
    table = at_war(
        home("orc", "OR_k", 2), home("elf", "OR_n", 2), KING, ChipSet("orc", "orc.king", "OR_k", shown=True),
        home("dwarf", "SC_k", 1), seats=("orc", "elf", "dwarf"),
    )  # fmt: skip
    table.when("orc", Attack("OR_n", "OR_k", 1, leading=("orc.king",))).when("orc", Fight())
    until(table, "roll")
    roll(table, 1)
    roll(table, 6, 6).when("elf", lose(elf__king=1))
    until(table, "choice").when("orc", Continue())
    until(table, "roll")
    roll(table, 6)
    roll(table, 1)
    assert KingBeaten("orc", "", because=("QD-22.1", "QD-H48")) in table.told


def test_a_wizard_lost_takes_his_spells_with_him() -> None:
    """QD-14.1, QD-H43: the spells are not captured, and his row is free again."""
    table = at_war(home("orc", "OR_k", 3), home("elf", "OR_n", 2), WIZARD, knows("heal", "hope"))
    table.when("orc", Attack("OR_n", "OR_k", 2)).when("orc", Fight())
    until(table, "roll")
    roll(table, 1, 1)
    roll(table, 6, 6)
    assert ChipLost("elf", "elf.wizard.1", "OR_n", because=("QD-14.1", "QD-10.8")) in table.told
    assert table.state.spells == {}


def test_nobody_is_asked_where_no_king_or_treasure_may_lie() -> None:
    """QD-H42: a shaded stack of a seat whose king all see elsewhere, and whose wizard knows no aura, declares nothing."""
    table = at_war(
        home("orc", "OR_k", 3), home("elf", "OR_n", 2), home("elf", "OR_s", 2), ShadeSet("elf", "OR_n"),
        ChipSet("elf", "elf.king", "OR_s", shown=True), knows("heal", "fireball"),
    )  # fmt: skip
    table.when("orc", Attack("OR_n", "OR_k", 2)).when("orc", Fight()).asks(chance="roll")
    roll(table, 6, 6).asks(elf="cast")
    assert [offer.command for offer in table.ask("elf").offers] == [Pass]
