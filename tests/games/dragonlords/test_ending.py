"""The fall of a king, and the end of the game (QD-22)."""

from collections.abc import Iterable
from typing import Any

import pytest

from core.games.dragonlords import RULES
from core.games.dragonlords.ending import KingBeaten, ScrollsPassed, ScrollsTaken
from core.games.dragonlords.forced_march import ForcedMarch
from core.games.dragonlords.land_combat import Attack, Fight
from core.games.dragonlords.phases import EndPhase
from core.games.dragonlords.position import ChipSet, HandSet, ShipsSet, SpellsSet, TurnSet, UnitsSet
from core.games.dragonlords.purchase import BuyShip, BuyUnits
from core.games.dragonlords.reinforcements import PurchaseUsed
from core.games.dragonlords.teleport import Teleport
from core.games.dragonlords.transfer import Transfer
from core.kit.chance import AnswerRoll
from core.seats import CHANCE
from events.chance import Hits
from events.play import GameEnded
from tests.driver import SPECTATOR, Table, given
from tests.games.dragonlords.land import THREE, gold, holders, is_offered, phase, silently, stands, told

KINGDOMS_OF_ORC = stands("orc", FM_k=2, OR_k=2, IH_k=2, SV_k=2, SC_k=2)


def kings(**places: str) -> tuple[ChipSet, ...]:
    """Return where the kings lie hidden."""
    return tuple(ChipSet(seat, f"{seat}.king", place) for seat, place in places.items())


def fight(table: Table, *faces: int) -> Table:
    """Fight what is open: these dice fall, and players leave everything to silence."""
    left = list(faces)
    table.must(table.state.active, Fight())
    while (asked := table.now.question) is not None and asked.kind not in ("combat", "buy"):
        if asked.roll is not None:
            if not left:
                break
            count = asked.roll.count
            table.must(CHANCE, AnswerRoll(tuple(left[:count])))
            del left[:count]
        else:
            ask = table.ask(asked.seats[0])
            table.must(ask.seat, ask.silence)
    assert not left, f"dice are left over: {left}"
    return table


def battle(*position: Any, seats: Iterable[str] = THREE) -> Table:
    """Return a table in phase 4 of the Orcs, who stand in FM_s beside an enemy in FM_k."""
    return given(RULES, *position, TurnSet("orc", "combat"), seats=tuple(seats))


DUEL = (
    *stands("orc", FM_s=3, AL_k=1),
    *stands("elf", FM_k=1, FM_n=4),
    *stands("dwarf", OR_k=3),
    *kings(orc="AL_k", elf="FM_k", dwarf="OR_k"),
    HandSet("elf", ("reflect", "legion")),
    HandSet("orc", ("ship",)),
)


def test_who_loses_his_king_is_out_and_the_victor_gets_his_scrolls() -> None:
    """The victor and the beaten know which scrolls; the others how many (QD-22.1, QD-14.2)."""
    table = battle(*DUEL)
    table.must("orc", Attack("FM_k", "FM_s", 2))
    fight(table, 1, 6, 6)
    assert told(table, KingBeaten) == [KingBeaten("elf", "orc", because=("QD-22.1", "QD-H48"))]
    assert [(fact.victor, fact.count) for fact in told(table, ScrollsTaken)] == [("orc", 2)]
    assert [fact.cards for fact in told(table, ScrollsPassed)] == [("reflect", "legion")]
    assert table.state.out == ("elf",)
    assert table.state.hands == {"orc": ("ship", "reflect", "legion"), "elf": ()}
    assert table.view("orc").state.hands["orc"] == ("ship", "reflect", "legion")
    for reader in ("dwarf", SPECTATOR):
        assert table.view(reader).state.hands == {}
        assert table.view(reader).state.held == {"orc": 3, "elf": 0}
    assert table.state.ended is None


@pytest.mark.parametrize(
    ("hands", "held"),
    (
        ((HandSet("elf", ()),), {"elf": 0, "orc": 1}),
        ((HandSet("orc", ()),), {"elf": 0, "orc": 2}),
        ((HandSet("elf", ()), HandSet("orc", ())), {"elf": 0, "orc": 0}),
    ),
)
def test_who_has_no_scroll_loses_none_and_may_gain_some(
    hands: tuple[HandSet, ...], held: dict[str, int]
) -> None:
    """All scrolls of the beaten go to the victor, be it none, and to one who had none (QD-22.1, QD-14.2)."""
    table = battle(*DUEL, *hands)
    table.must("orc", Attack("FM_k", "FM_s", 2))
    fight(table, 1, 6, 6)
    assert {**dict.fromkeys(held, 0), **table.state.held} == held
    assert [fact.count for fact in told(table, ScrollsTaken)] == [
        held["orc"] - ("orc" not in {h.seat for h in hands})
    ]


def test_his_other_units_stay_as_vanquished_ones() -> None:
    """They neither move nor attack, and hold their places until they are beaten (QD-22.1)."""
    table = battle(*DUEL, SpellsSet("elf.wizard.1", ("teleport",)), ChipSet("elf", "elf.wizard.1", "FM_n"))
    table.must("orc", Attack("FM_k", "FM_s", 2))
    fight(table, 1, 6, 6)
    assert holders(table)["FM_n"] == ("elf", 4)
    assert "elf.wizard.1" not in table.state.chips
    assert "elf.wizard.1" not in table.state.spells
    silently(table, lambda table: table.state.active != "orc")
    assert table.state.active == "dwarf"
    table.when("elf", EndPhase()).refused("vanquished", "QD-22.1")


def test_vanquished_units_are_beaten_in_battle_and_roll_for_it() -> None:
    """They defend with their dice, which the player on the attacker's right rolls (QD-22.1)."""
    table = battle(*DUEL)
    table.must("orc", Attack("FM_k", "FM_s", 2))
    fight(table, 1, 6, 6)
    table.must("orc", Attack("FM_n", "FM_k", 1))
    fight(table, 6)
    question = table.now.question
    assert question is not None
    assert question.roll is not None
    assert (question.roll.owner, question.roll.count, question.roll.thrower) == ("elf", 4, "dwarf")


def test_the_treasures_of_vanquished_units_work_no_more() -> None:
    """They keep their race value and the dice, and no magic, even what everybody sees (QD-22.1, QD-H47)."""
    table = battle(*DUEL, ChipSet("elf", "excalibur", "FM_n", shown=True))
    table.must("orc", Attack("FM_k", "FM_s", 2))
    fight(table, 1, 6, 6)
    table.must("orc", Attack("FM_n", "FM_k", 1))
    fight(table, 6)
    question = table.now.question
    assert question is not None
    assert question.roll is not None
    assert question.roll.counts == Hits((1, 2, 3))


def test_what_a_beaten_king_bought_is_lost_and_his_ship_can_be_bought_by_others() -> None:
    """It cannot be placed any more (QD-22.1, QD-H52); of the eight ships none waits for ever (QD-H8)."""
    armies = (
        *stands("orc", OR_n=2, OR_k=2, OR_se=1),
        *stands("elf", G1=1, FM_k=2, FM_ne=1),
        *stands("dwarf", AL_k=2),
    )
    table = given(
        RULES, *armies, *kings(orc="OR_n", elf="FM_k", dwarf="AL_k"), *gold(OR_k=13, FM_k=10), ShipsSet("OR_se", 7),
        TurnSet("orc", "buy"), seats=THREE,
    )  # fmt: skip
    table.must("orc", BuyShip())
    table.must("orc", BuyUnits(1))
    silently(table, lambda table: table.state.phase == "combat")
    table.must("orc", Attack("G1", "OR_n", 1, leading=("orc.king",)))
    fight(table, 6, 1)
    assert table.state.out == ("orc",)
    assert [(fact.kind, fact.count, fact.lost) for fact in told(table, PurchaseUsed)] == [
        ("unit", 1, True),
        ("ship", 1, True),
    ]
    assert table.state.bought == {}
    silently(table, lambda table: (table.state.active, table.state.phase) == ("elf", "buy"))
    assert is_offered(table, "elf", BuyShip())


def test_the_last_king_wins() -> None:
    """The game ends at once, and nobody is asked any more (QD-22.2)."""
    table = battle(*DUEL, seats=("orc", "elf", "dwarf"))
    table.must("orc", Attack("FM_k", "FM_s", 2))
    fight(table, 1, 6, 6)
    assert table.state.ended is None
    two = battle(*(fact for fact in DUEL if getattr(fact, "seat", "") != "dwarf"), seats=("orc", "elf"))
    two.must("orc", Attack("FM_k", "FM_s", 2))
    fight(two, 1, 6, 6)
    assert two.state.ended == GameEnded(("orc",), "kings", because=("QD-22.2", "QD-H48"))
    assert two.state.agenda == ()
    assert two.asked() == {}
    two.when("orc", EndPhase()).refused("game_over")
    two.leave()


def test_the_battle_in_which_the_last_king_falls_is_not_fought_on() -> None:
    """The game is over after the act that won it; other battles stay open for ever (QD-22.2)."""
    two = battle(
        *(fact for fact in DUEL if getattr(fact, "seat", "") != "dwarf"),
        UnitsSet("elf", "G1", 1),
        seats=("orc", "elf"),
    )
    two.must("orc", Attack("G1", "FM_s", 1))
    two.must("orc", Attack("FM_k", "FM_s", 1))
    two.must("orc", Fight("FM_k"))
    while two.now.question is not None:
        asked = two.now.question
        if asked.roll is not None:
            face = 1 if asked.roll.owner == "orc" else 6
            two.must(CHANCE, AnswerRoll((face,) * asked.roll.count))
        else:
            two.must(asked.seats[0], two.ask(asked.seats[0]).silence)
    assert two.state.ended is not None
    assert two.state.ended.how == "kings"
    assert two.state.columns


BOTH_KINGS = (
    *stands("orc", FM_s=2),
    *stands("elf", FM_k=1, FM_n=4),
    *kings(orc="FM_s", elf="FM_k"),
    HandSet("elf", ("reflect",)),
    HandSet("orc", ("ship",)),
)


def test_when_the_last_two_kings_fall_together_it_is_a_draw() -> None:
    """Losses of a round are simultaneous: nobody is left to win (QD-22.2)."""
    table = battle(*BOTH_KINGS, seats=("orc", "elf"))
    table.must("orc", Attack("FM_k", "FM_s", 1, leading=("orc.king",)))
    fight(table, 1, 1)
    assert table.state.ended == GameEnded((), "no_king_left", because=("QD-22.2", "QD-H48"))
    assert set(table.state.out) == {"orc", "elf"}
    table.leave()


def test_when_two_of_three_kings_fall_together_the_third_wins() -> None:
    """Each was beaten by the other; their scrolls leave the game with them (QD-22.1, QD-22.2)."""
    table = battle(*BOTH_KINGS, *stands("dwarf", OR_k=1), *kings(dwarf="OR_k"))
    table.must("orc", Attack("FM_k", "FM_s", 1, leading=("orc.king",)))
    fight(table, 1, 1)
    assert {fact.seat: fact.victor for fact in told(table, KingBeaten)} == {"orc": "elf", "elf": "orc"}
    assert table.state.ended == GameEnded(("dwarf",), "kings", because=("QD-22.2", "QD-H48"))
    assert table.state.held.get("dwarf", 0) == 0


def test_a_king_beaten_by_vanquished_units_is_beaten_by_nobody() -> None:
    """Who attacks an army without a king may lose his own to it; his scrolls leave the game (QD-22.1)."""
    table = battle(
        *stands("orc", FM_s=3, FM_sw=2),
        *stands("elf", FM_k=1, FM_ne=1),
        *stands("dwarf", OR_k=1),
        *stands("barbarian", SC_k=1),
        *kings(orc="FM_sw", elf="FM_k", dwarf="OR_k", barbarian="SC_k"),
        HandSet("orc", ("ship",)),
        seats=("orc", "elf", "dwarf", "barbarian"),
    )
    table.must("orc", Attack("FM_k", "FM_s", 2))
    fight(table, 1, 6, 6)
    silently(table, lambda table: table.state.phase == "transfer")
    table.must("orc", Transfer("FM_k", "FM_sw", 1, leading=("orc.king",)))
    silently(table, lambda table: table.state.active == "orc" and table.state.phase == "combat")
    table.must("orc", Attack("FM_ne", "FM_k", 1, leading=("orc.king",)))
    fight(table, 6, 1)
    assert [(fact.seat, fact.victor) for fact in told(table, KingBeaten)] == [("elf", "orc"), ("orc", "")]
    assert len(told(table, ScrollsTaken)) == 1
    assert table.state.active == "dwarf"
    assert holders(table)["FM_k"] == ("orc", 2)


def test_open_attacks_of_a_beaten_king_break_off() -> None:
    """His attackers elsewhere go back to where they came from (QD-22.1)."""
    table = battle(
        *stands("orc", FM_s=4, G1=2),
        *stands("elf", FM_k=2, OR_n=2),
        *stands("dwarf", OR_k=1),
        *kings(orc="FM_s", elf="OR_n", dwarf="OR_k"),
    )
    table.must("orc", Attack("OR_n", "G1", 1))
    table.must("orc", Attack("FM_k", "FM_s", 1, leading=("orc.king",)))
    table.must("orc", Fight("FM_k"))
    while "orc" not in table.state.out:
        asked = table.now.question
        assert asked is not None
        if asked.roll is not None:
            face = 6 if asked.roll.owner == "orc" else 1
            table.must(CHANCE, AnswerRoll((face,) * asked.roll.count))
        else:
            table.must(asked.seats[0], table.ask(asked.seats[0]).silence)
    assert table.state.columns == {}
    assert holders(table)["G1"] == ("orc", 2)
    assert table.state.active == "elf"


@pytest.mark.parametrize(
    ("name", "position", "command"),
    (
        ("combat", (), ForcedMarch(("AL_k",), "AL_n", 2)),
        ("combat", (), Attack("AL_k", "AL_n", 2)),
        ("transfer", (), Transfer("AL_k", "AL_n", 2)),
        ("sea", (UnitsSet("orc", "G1", 2, 1),), Teleport("dragonlord", "AL_k", "G1", 1)),
    ),
)
def test_who_occupies_all_six_kingdoms_wins(name: str, position: tuple[Any, ...], command: Any) -> None:
    """However he came into the last one, an empty one at that: it is checked after every act (QD-22.2)."""
    table = phase(
        "orc",
        name,
        *KINGDOMS_OF_ORC,
        *stands("orc", AL_n=4),
        *stands("elf", FM_n=2),
        *gold(AL_k=3),
        *position,
        seats=("orc", "elf"),
    )
    assert "orc" in table.asked()
    table.must("orc", command)
    assert table.state.ended == GameEnded(("orc",), "kingdoms", because=("QD-22.2", "QD-H48"))
    assert table.asked() == {}
    table.leave()


def test_the_sixth_kingdom_is_won_in_battle() -> None:
    """The kings of the others may well be alive (QD-22.2)."""
    table = battle(
        *KINGDOMS_OF_ORC,
        *stands("orc", AL_n=4),
        *stands("elf", AL_k=1, FM_n=2),
        *kings(elf="FM_n", orc="FM_k"),
        seats=("orc", "elf"),
    )
    table.must("orc", Attack("AL_k", "AL_n", 3))
    fight(table, 1, 6, 6, 6)
    assert table.state.ended == GameEnded(("orc",), "kingdoms", because=("QD-22.2", "QD-H48"))
    assert table.state.out == ()


def test_five_kingdoms_do_not_win() -> None:
    """All six are needed, vanquished ones included (QD-22.2)."""
    table = phase(
        "orc",
        "transfer",
        *KINGDOMS_OF_ORC,
        *stands("orc", AL_n=2),
        *stands("elf", AL_k=1),
        seats=("orc", "elf"),
    )
    table.must("orc", EndPhase())
    assert table.state.ended is None
