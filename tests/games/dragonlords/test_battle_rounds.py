"""The round of a battle (QD-H29), one for all kinds: land, sneak attack, sea and party against party."""

from typing import Any

from core.deciding import Decision, decide
from core.games.dragonlords import RULES
from core.games.dragonlords.battle import STAGES, BattleBegan, BattleEnded, Round
from core.games.dragonlords.land_combat import Attack, Combat, Fight, Storming
from core.games.dragonlords.position import ChipSet, ColumnSet, ShipsSet, SpellsSet, UnitsSet
from core.games.dragonlords.spell_users import Declare
from core.games.dragonlords.spells import Cast
from core.games.dragonlords.state import Army
from core.kit.chance import AnswerRoll
from core.kit.table import Correct, Rule
from core.seats import ARBITER, CHANCE
from core.telling import Moment, Tale
from events.table import Answered
from tests.driver import Table
from tests.games.dragonlords.expeditions import at_quest
from tests.games.dragonlords.field import at_war, home, lose, roll, silent, until


def begun(table: Table, place: str, kind: str) -> Moment[Any]:
    """Return the moment at which a battle of another kind has begun in a place, as its own chapter will begin it."""
    war = table.state
    tale = Tale.begin(table.now)
    tale.tell(BattleBegan(place, war.columns[place][0].seat, war.armies[place].seat, kind))
    tale.become(Round(), Storming(), Combat(war.active))
    question = tale.play_on()
    tale.turn()
    return Moment(RULES, tale.state, tale.table, table.now.entry + 1, question)


def rolls(now: Moment[Any], *faces: int) -> Moment[Any]:
    """Return the moment after a roll."""
    decided = decide(now, CHANCE, AnswerRoll(faces))
    assert isinstance(decided, Decision), decided
    return decided.after


def test_w9_the_same_round_is_fought_at_sea() -> None:
    """W9 (QD-11.2, QD-H29): nobody is asked to retreat between the rounds, and both Elves that are left hold the zone."""
    table = at_war(
        ColumnSet("elf", "S3", "S2", 3, how="ship"), home("dwarf", "S3", 3), home("elf", "OR_k", 1),
        ShipsSet("S3", 1), ShipsSet("S3", 1, attacking=True),
        seats=("elf", "dwarf"),
    )  # fmt: skip
    now = begun(table, "S3", "sea")
    now = rolls(rolls(now, 6, 2, 3), 3, 6, 5)
    assert now.state.armies["S3"] == Army("dwarf", 1)
    now = rolls(rolls(now, 1, 3), 4)
    assert now.state.armies["S3"] == Army("elf", 2)


def test_no_attack_spell_is_thrown_at_sea() -> None:
    """QD-11.3: a wizard with a fireball and a DragonLord are not asked to cast in an ordinary sea battle."""
    assert not {"attacker_casts", "defender_casts", "choice"} & set(STAGES["sea"])
    table = at_war(
        ColumnSet("orc", "S3", "S2", 2, 1, how="ship"), home("elf", "S3", 1), home("orc", "OR_k", 1),
        ShipsSet("S3", 1), ShipsSet("S3", 1, attacking=True),
        ChipSet("orc", "orc.wizard.1", "S3", shown=True, way="ship"),
    )  # fmt: skip
    now = begun(table, "S3", "sea")
    assert now.question is not None
    assert now.question.roll is not None
    assert now.question.roll.count == 3


def test_parties_fight_until_one_is_left() -> None:
    """QD-9.1: as land combat, with no retreat: the next round begins by itself."""
    attackers = ColumnSet("orc", "WT03", "WT01", 2, how="party")
    table = at_quest(attackers, home("elf", "WT03", 2), home("orc", "OR_k", 1), seats=("orc", "elf"))
    roll(roll(table, 6, 6), 6, 6)
    assert table.state.battle.round == 2
    assert table.now.question is not None
    assert table.now.question.kind == "roll"


def test_the_stages_of_a_round_come_in_the_order_of_the_book() -> None:
    """QD-H29: both declare, the attacker casts and rolls, the defender flees, casts and rolls, then losses, then the choice."""
    wizards = (
        ChipSet("orc", "orc.wizard.1", "OR_k"), SpellsSet("orc.wizard.1", ("hope", "fireball")),
        ChipSet("elf", "elf.wizard.1", "OR_n"), SpellsSet("elf.wizard.1", ("hope", "fireball", "teleport")),
    )  # fmt: skip
    table = at_war(home("orc", "OR_k", 7), home("elf", "OR_n", 6), home("elf", "OR_s", 1), *wizards)
    table.when("orc", Attack("OR_n", "OR_k", 6, leading=("orc.wizard.1",))).when("orc", Fight())
    asked: list[str] = []
    while len(asked) < 10:
        question = table.now.question
        assert question is not None
        seat = question.roll.owner if question.roll is not None else question.seats[0]
        asked.append(f"{seat} {question.kind}")
        if question.roll is not None:
            roll(table, 1, *[6] * (question.roll.count - 1))
        else:
            silent(table)
    assert asked == [
        "orc declare", "elf declare", "orc cast", "orc roll", "elf flight", "elf cast", "elf roll",
        "elf losses", "orc losses", "orc choice",
    ]  # fmt: skip


def test_what_was_spent_in_one_round_is_there_again_in_the_next() -> None:
    """QD-10.9, QD-X61: the wizard throws a fireball in each round, and is asked for it in each."""
    table = at_war(
        home("orc", "OR_k", 4), home("elf", "OR_n", 6),
        ChipSet("orc", "orc.wizard.1", "OR_k"), SpellsSet("orc.wizard.1", ("fireball",)),
    )  # fmt: skip
    table.when("orc", Attack("OR_n", "OR_k", 3, leading=("orc.wizard.1",))).when("orc", Fight())
    until(table, "cast").when("orc", Cast("fireball"))
    assert table.state.battle.used == ("orc.wizard.1",)
    until(table, "choice")
    silent(table)
    until(table, "cast").when("orc", Cast("fireball"))
    assert table.state.battle.round == 2


def test_hits_count_though_magic_wiped_out_who_rolled_them() -> None:
    """QD-10.10, QD-X4: the only attacker hits, falls to a fireball, and his hit is taken all the same."""
    table = at_war(
        home("orc", "OR_k", 2), home("elf", "OR_n", 3),
        ChipSet("elf", "elf.wizard.1", "OR_n", shown=True), SpellsSet("elf.wizard.1", ("fireball",)),
    )  # fmt: skip
    table.when("orc", Attack("OR_n", "OR_k", 1)).when("orc", Fight())
    roll(table, 1).when("elf", Cast("fireball")).asks(elf="losses")
    table.when("elf", lose(unit=1))
    assert BattleEnded("OR_n", "elf", rounds=1, because=("QD-10.9",)) in table.told


def test_a_ruling_amid_a_roll_changes_the_dice_that_are_asked() -> None:
    """QD-X61: nothing that a rule computed is stored, so the arbiter's answer holds for the very roll that is open."""
    table = at_war(
        home("orc", "OR_k", 4), home("elf", "OR_n", 6),
        ChipSet("orc", "orc.wizard.1", "OR_k"), SpellsSet("orc.wizard.1", ("fireball",)),
    )  # fmt: skip
    table.when("orc", Attack("OR_n", "OR_k", 3, leading=("orc.wizard.1",))).when("orc", Fight())
    until(table, "cast").when("orc", Cast("fireball"))
    roll(table, 6, 6, 6).refused("wrong_dice_count", "QD-X61")
    table.when(ARBITER, Rule(Answered("QD-X61", "extra"), "he throws and strikes"))
    roll(table, 6, 6, 6)
    assert not table.reasons


def test_a_correction_amid_a_roll_changes_the_dice_that_are_asked() -> None:
    """QD-10.6: a third Elf stood there, so three dice are asked."""
    table = at_war(home("orc", "OR_k", 2), home("elf", "OR_n", 2))
    table.when("orc", Attack("OR_n", "OR_k", 1)).when("orc", Fight())
    roll(table, 6)
    third: Any = UnitsSet("elf", "OR_n", 3)
    table.when(ARBITER, Correct("a third Elf stood there", (third,)))
    roll(table, 6, 6, 6)
    assert not table.reasons


def test_a_game_opened_from_a_position_needs_no_marks() -> None:
    """QD-3.5, QD-7.1, QD-14.3: which stacks hide chips, how many treasures there are and what a beginner knows follow."""
    table = at_war(
        home("orc", "OR_k", 3), home("elf", "OR_n", 1),
        ChipSet("orc", "orc.wizard.1", "OR_k"), ChipSet("orc", "excalibur", "OR_k"),
    )  # fmt: skip
    state = table.view("elf").state
    assert state.shades == {"orc@OR_k"}
    assert state.hoards == {"orc": 1}
    assert state.spells == {"orc.wizard.1": ("heal", "fireball")}
    assert state.chips == {}


def test_silence_shows_nothing() -> None:
    """QD-H9: whoever says nothing keeps his chips hidden."""
    table = at_war(home("orc", "OR_k", 2), home("elf", "OR_n", 2), ChipSet("elf", "elf.king", "OR_n"))
    table.when("orc", Attack("OR_n", "OR_k", 1)).when("orc", Fight()).asks(elf="declare")
    assert table.ask("elf").silence == Declare()
    silent(table)
    assert not table.state.chips["elf.king"].shown
