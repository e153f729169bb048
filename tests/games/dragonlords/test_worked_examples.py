"""The battles that the booklet prints with every die, from the positions in fixtures/, and its smaller examples."""

from pathlib import Path

from core.games.dragonlords import RULES
from core.games.dragonlords.armies import GoldTaken
from core.games.dragonlords.battle import BattleEnded, Pass
from core.games.dragonlords.chips import ChipLost, TreasureTaken
from core.games.dragonlords.ending import KingBeaten, ScrollsTaken
from core.games.dragonlords.flight import Flee
from core.games.dragonlords.land_combat import Attack, Fight
from core.games.dragonlords.retreat import Continue
from core.games.dragonlords.sneak_attack import SneakAttack
from core.games.dragonlords.spell_users import Declare
from core.games.dragonlords.spells import Cast
from core.games.dragonlords.state import Army
from events.play import GameEnded
from replay.sheets.position import load_position
from tests.driver import Table, given
from tests.games.dragonlords.field import lose, losses, roll, strengths

BOOK = Path(__file__).parents[3] / "fixtures" / "dragonlords" / "rulebook"


def of(name: str, **answers: str) -> Table:
    """Return the table of a printed battle at its beginning."""
    position = load_position(BOOK / f"{name}.toml")
    told = {f"QD-{point}": answer for point, answer in answers.items()}
    return given(RULES, *position.facts, seats=position.seats, answers={**position.answers, **told})


def test_w8_four_orcs_beat_two_barbarians_and_one_is_left() -> None:
    """W8 (QD-10.1 to QD-10.9): 1 Barbarian and 2 Orcs fall, then 1 and 1; the last Orc takes the territory."""
    table = of("w8")
    table.when("orc", Attack("OR_n", "OR_k", 4))
    table.dice(5, 5, 6, 3, 3, 4).when("orc", Fight())
    assert losses(table) == [("barbarian", 1), ("orc", 2)]
    table.dice(2, 1, 2).when("orc", Continue())
    assert losses(table) == [("barbarian", 1), ("orc", 1)]
    assert strengths(table) == [("orc", 4, 3), ("barbarian", 2, 4), ("orc", 2, 3), ("barbarian", 1, 4)]
    assert BattleEnded("OR_n", "orc", taken=True, rounds=2, because=("QD-10.9",)) in table.told
    assert table.state.armies == {"OR_k": Army("orc", 1), "OR_n": Army("orc", 1)}
    table.leave()


def test_w8_asks_for_dice_alone_where_no_chip_may_lie() -> None:
    """W8: nobody is asked to cast, to flee or to pick losses where all can see that there is no choice (QD-10.8)."""
    table = of("w8")
    table.when("orc", Attack("OR_n", "OR_k", 4)).asks(orc="combat")
    table.when("orc", Fight("OR_n")).asks(chance="roll")
    roll(table, 5, 5, 6, 3).asks(chance="roll")
    roll(table, 3, 4).asks(orc="choice")


def test_w10_elves_kill_two_orcs_unanswered_and_go_back() -> None:
    """W10 (QD-12.2, QD-12.4): the volley 3, 4, 2, 6 kills two; Orcs are left, so the Elves go home and fight no more."""
    table = of("w10")
    table.when("elf", SneakAttack("G1", "FM_s", 4))
    table.dice(3, 4, 2, 6).when("elf", Fight())
    assert losses(table) == [("orc", 2)]
    assert strengths(table) == [("elf", 4, 3)]
    assert table.state.armies == {"FM_s": Army("elf", 5), "G1": Army("orc", 2)}
    table.when("elf", Attack("G1", "FM_s", 2)).refused("spent", "QD-12.4")
    table.leave()


def w11(**answers: str) -> Table:
    """Return W11 after its first round."""
    table = of("w11", **answers)
    table.when("barbarian", Attack("G2", "SC_s", 3, leading=("barbarian.wizard.1",)))
    table.when("barbarian", Fight()).asks(barbarian="declare")
    table.when("barbarian", Declare(("barbarian.wizard.1",))).asks(elf="declare")
    table.when("elf", Declare(without=("hope",))).asks(barbarian="cast")
    table.when("barbarian", Cast("fireball")).asks(elf="losses")
    table.when("elf", lose(unit=1))
    assert losses(table) == [("elf", 1)]
    roll(table, 5, 3).asks(elf="flight")
    table.when("elf", Pass())
    roll(table, 4, 6, 5, 4, 6, 6).asks(elf="losses")
    table.when("elf", lose(unit=2)).asks(barbarian="choice")
    assert losses(table) == [("elf", 2)]
    return table


def test_w11_hope_fireball_and_flight_bring_the_printed_losses() -> None:
    """W11 (QD-10.4 to QD-10.7): T.A.S. 5 against 3; Elves 7, 6, 4, 3, 1; the wizard flees and rolls no die (QD-X6)."""
    table = w11()
    table.when("barbarian", Continue())
    table.when("barbarian", Declare())
    table.when("elf", Declare(without=("hope",)))
    table.when("barbarian", Cast("fireball"))
    table.when("elf", lose(unit=1))
    roll(table, 2, 3).asks(elf="flight")
    table.when("elf", Flee("elf.wizard.1", "AL_n")).asks(chance="roll")
    roll(table, 6, 2, 4).refused("wrong_dice_count", "QD-10.7")
    roll(table, 6, 2)
    assert strengths(table) == [
        ("barbarian", 2, 5), ("elf", 6, 3), ("barbarian", 2, 5), ("elf", 2, 3),
    ]  # fmt: skip
    table.asks(barbarian="losses").when("barbarian", lose(unit=1))
    assert table.state.armies["G2"] == Army("barbarian", 2)
    assert table.state.armies["AL_n"] == Army("elf", 2)
    assert BattleEnded("G2", "barbarian", taken=True, rounds=2, because=("QD-10.9",)) in table.told
    table.leave()


def test_w11_with_the_spell_extra_asks_for_a_third_barbarian_die() -> None:
    """QD-X61: where a spell is extra, the wizard rolls too, so three Barbarians roll three dice, not the printed two."""
    table = of("w11", X61="extra")
    table.when("barbarian", Attack("G2", "SC_s", 3, leading=("barbarian.wizard.1",)))
    table.when("barbarian", Fight())
    table.when("barbarian", Declare(("barbarian.wizard.1",)))
    table.when("elf", Declare(without=("hope",)))
    table.when("barbarian", Cast("fireball"))
    table.when("elf", lose(unit=1))
    roll(table, 5, 3).refused("wrong_dice_count", "QD-10.5")


def test_w11_who_flees_and_rolls_gives_the_printed_third_die() -> None:
    """QD-X6: where a table lets him do both, the fleeing wizard's die is rolled, as printed: 6, 2, 4."""
    table = w11(X6="rolls_and_flees")
    table.when("barbarian", Continue())
    table.when("barbarian", Declare())
    table.when("elf", Declare(without=("hope",)))
    table.when("barbarian", Cast("fireball"))
    table.when("elf", lose(unit=1))
    roll(table, 2, 3)
    table.when("elf", Flee("elf.wizard.1", "AL_n"))
    roll(table, 6, 2, 4)
    assert strengths(table)[-1] == ("elf", 3, 3)


def test_w12_the_heroic_battle_takes_the_kingdom_and_its_king() -> None:
    """W12 (QD-2.2, QD-10.3, QD-14.6): 3 against 4; the DragonLord burns and rolls; gold, scrolls, ring and king fall."""
    table = of("w12")
    table.when("barbarian", Fight("FM_k")).asks(barbarian="declare")
    table.when("barbarian", Declare()).asks(elf="declare")  # they have a scroll that they could read
    table.when("elf", Declare()).asks(barbarian="cast")
    table.when("barbarian", Cast("dragonfire")).asks(elf="losses")
    table.when("elf", lose(unit=1)).asks(barbarian="cast")
    table.when("barbarian", Pass())
    roll(table, 5, 5, 6, 2, 3)
    roll(table, 3, 2, 3, 5).asks(elf="losses")
    table.when("elf", lose(unit=2)).asks(barbarian="losses")
    table.when("barbarian", lose(unit=3))
    table.asks(barbarian="declare").when("barbarian", Declare())
    table.when("elf", Declare())
    table.when("barbarian", Cast("dragonfire"))
    table.when("elf", lose(unit=1))
    table.when("barbarian", Pass())
    roll(table, 6, 3)
    roll(table, 2)
    assert ChipLost("elf", "elf.king", "FM_k", because=("QD-14.1", "QD-10.8")) in table.told
    table.when("barbarian", lose(barbarian__wizard__1=1))
    assert strengths(table) == [
        ("barbarian", 5, 3), ("elf", 4, 4), ("barbarian", 2, 3), ("elf", 1, 4),
    ]  # fmt: skip
    assert KingBeaten("elf", "barbarian", because=("QD-22.1", "QD-H48")) in table.told
    assert ScrollsTaken("elf", "barbarian", 1, seen=True, because=("QD-14.2", "QD-22.1")) in table.told
    ring = TreasureTaken("barbarian", "ring_of_hope", "FM_k", "elf", because=("QD-7.1", "QD-H54"))
    assert ring in table.told
    assert GoldTaken("barbarian", "FM_k", 7, because=("QD-2.2", "QD-H46")) in table.told
    assert GameEnded(("barbarian",), "kings", because=("QD-22.2", "QD-H48")) in table.told
    assert table.state.armies["FM_k"] == Army("barbarian", 0, 1)
    table.leave()
