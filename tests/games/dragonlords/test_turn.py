"""The turn and its seven phases (QD-4)."""

import pytest

from core.games.dragonlords import RULES
from core.games.dragonlords.ending import KingBeaten
from core.games.dragonlords.phases import EndPhase, PhaseBegan, TurnBegan
from core.games.dragonlords.position import ChipSet, ColumnSet, SpellsSet, TurnSet, UnitsSet
from core.games.dragonlords.purchase import BuyUnits
from core.games.dragonlords.state import PHASES
from core.games.dragonlords.transfer import Transfer
from core.kit.table import Correct, Rule
from core.seats import ARBITER
from events.table import Forfeited
from tests.driver import Table, given
from tests.games.dragonlords.land import THREE, gold, phase, silently, stands, told

WORLD = (
    *stands("orc", FM_k=4, FM_n=2, T1=1),
    *stands("elf", SC_k=4, SC_n=2),
    *stands("dwarf", OR_k=4, OR_n=2),
    *gold(FM_k=6, SC_k=6, OR_k=6),
)


def begun(table: Table) -> list[tuple[str, ...]]:
    """Return the turns and phases that began in the whole log."""
    found: list[tuple[str, ...]] = []
    for one in table.log:
        for fact in one.entry.facts:
            if isinstance(fact, TurnBegan):
                found.append((fact.seat,))
            elif isinstance(fact, PhaseBegan):
                found.append((found[-1][0] if found else "", fact.phase))
    return found


def test_a_player_plays_all_seven_phases_then_the_next_player_does() -> None:
    """Buy, sea, quest, combat, transfer, income, reinforce; then clockwise the next, and round again (QD-4.1)."""
    table = phase("dwarf", "reinforce", *WORLD)
    silently(table, lambda table: table.state.turn == 5 and table.state.phase == "buy")
    turns: list[tuple[str, ...]] = []
    for seat in ("orc", "elf", "dwarf"):
        turns += [(seat,), *((seat, name) for name in PHASES)]
    assert begun(table) == [*turns, ("orc",), ("orc", "buy")]
    assert PHASES == ("buy", "sea", "quest", "combat", "transfer", "income", "reinforce")


@pytest.mark.parametrize(
    ("name", "asked"),
    (
        ("buy", "buy"),
        ("sea", "quest"),
        ("quest", "quest"),
        ("combat", "combat"),
        ("transfer", "transfer"),
    ),
)
def test_a_position_may_begin_in_any_phase(name: str, asked: str) -> None:
    """What is asked first is what the phase asks; where it asks nothing the next one does (QD-4.1)."""
    phase("orc", name, *WORLD).asks(orc=asked)


@pytest.mark.parametrize("name", ("income", "reinforce"))
def test_phases_without_a_choice_pass_by_themselves(name: str) -> None:
    """With one kingdom the income has one place to go, and nothing was bought: the next player is asked (QD-4.1)."""
    table = phase("orc", name, *WORLD)
    table.asks(elf="buy")


def test_only_whose_turn_it_is_acts() -> None:
    """A command out of turn is refused, and names who is asked (QD-4.1)."""
    table = phase("orc", "buy", *WORLD)
    table.when("elf", BuyUnits(1)).refused("not_your_turn")
    table.when("orc", Transfer("FM_k", "FM_n", 1)).refused("not_this_now")


def test_the_phases_come_in_order_and_none_comes_twice() -> None:
    """Once phase 1 is over nobody buys any more in this turn (QD-4.1, QD-4.2)."""
    table = phase("orc", "buy", *WORLD)
    table.must("orc", EndPhase())
    table.when("orc", BuyUnits(1)).refused("not_this_now")


def test_phase_two_asks_who_could_teleport() -> None:
    """Whether a seat is asked depends on its pegs and its DragonLords, which everybody sees (QD-15.3)."""
    table = phase("orc", "sea", *WORLD, SpellsSet("orc.wizard.1", ("teleport",)))
    table.asks(orc="sea")
    table.must("orc", EndPhase())
    table.asks(orc="quest")
    lords = phase("orc", "sea", *WORLD, UnitsSet("orc", "FM_s", 1, 1))
    lords.asks(orc="sea")


def test_a_battle_that_is_open_keeps_the_phase_open() -> None:
    """Whoever moved in must fight before the phase ends (QD-10.1)."""
    table = phase("orc", "combat", *WORLD, ColumnSet("orc", "OR_n", "T1", 2, how="teleport"))
    table.when("orc", EndPhase()).refused("battles_open", "QD-10.1")


def test_a_new_turn_forgets_what_the_last_one_used_up() -> None:
    """Who moved in the transfer phase may move again in the next turn (QD-4.1, QD-19.1)."""
    table = phase("orc", "transfer", *WORLD, *stands("orc", FM_s=2), seats=("orc", "elf", "dwarf"))
    table.must("orc", Transfer("FM_k", "FM_s", 1))
    assert table.state.moved == {"FM_k": 1}
    table.must("orc", EndPhase())
    assert table.state.moved == {}
    silently(table, lambda table: (table.state.active, table.state.phase) == ("orc", "transfer"))
    table.must("orc", Transfer("FM_s", "FM_k", 4))


def test_who_is_out_has_no_turn() -> None:
    """A vanquished army does not move: its turn is passed over (QD-4.1, QD-22.1)."""
    table = phase("orc", "transfer", *WORLD)
    table.must(ARBITER, Rule(Forfeited("elf"), "went home"))
    table.must("orc", EndPhase())
    silently(table, lambda table: table.state.active == "orc" and table.state.phase == "buy")
    assert [turn for turn in begun(table) if len(turn) == 1] == [("dwarf",), ("orc",)]


def test_who_forfeits_gives_up_his_king_to_nobody() -> None:
    """Nobody beat him, so his scrolls leave the game; his units stay as vanquished ones (QD-22.1)."""
    table = phase("orc", "transfer", *WORLD, ChipSet("elf", "elf.king", "SC_k"))
    table.must(ARBITER, Rule(Forfeited("elf"), "went home"))
    assert [(fact.seat, fact.victor) for fact in told(table, KingBeaten)] == [("elf", "")]
    assert table.state.out == ("elf",)
    assert table.state.armies["SC_k"].size == 4


@pytest.mark.parametrize("name", PHASES[:6])
def test_a_king_who_is_given_up_falls_at_once_and_the_phase_goes_on(name: str) -> None:
    """The turn of another is broken off to tell of it and goes on where it was (QD-22.1, QD-H48)."""
    wizard = (ChipSet("orc", "orc.wizard.1", "FM_k"), SpellsSet("orc.wizard.1", ("teleport",)))
    table = phase("orc", name, *WORLD, *wizard, *stands("orc", IH_k=2))
    before = table.asked()
    assert table.state.phase == name
    table.must(ARBITER, Rule(Forfeited("elf"), "went home"))
    assert table.state.out == ("elf",)
    assert table.state.phase == name
    assert table.asked() == before


def test_the_last_but_one_who_forfeits_ends_the_game_at_once() -> None:
    """Winning is checked after every act, a ruling among them (QD-22.2, QD-H48)."""
    table = phase("orc", "combat", *stands("orc", FM_k=4), *stands("elf", SC_k=4), seats=("orc", "elf"))
    table.must(ARBITER, Rule(Forfeited("elf"), "went home"))
    assert table.state.ended is not None
    assert (table.state.ended.how, table.state.ended.winners) == ("kings", ("orc",))


def test_a_player_who_forfeits_in_his_own_turn_leaves_it_at_once() -> None:
    """Silence ends what he still owed, and the next player begins (QD-4.1)."""
    table = phase("orc", "buy", *WORLD)
    table.must(ARBITER, Rule(Forfeited("orc"), "went home"))
    table.asks(elf="buy")


def test_attackers_of_a_player_who_forfeits_break_off() -> None:
    """Vanquished units do not attack: who has moved in goes back to where he came from, or is lost (QD-22.1)."""
    table = phase(
        "orc",
        "combat",
        *WORLD,
        ColumnSet("orc", "OR_n", "FM_n", 2, how="teleport"),
        ColumnSet("orc", "SC_n", "G2", 1, how="teleport"),
    )
    table.must(ARBITER, Rule(Forfeited("orc"), "went home"))
    assert table.state.columns == {}
    assert table.state.armies["FM_n"].size == 4
    assert table.state.muster["orc"].lost == 1
    table.asks(elf="buy")


def test_after_a_correction_the_turn_goes_on_from_there() -> None:
    """The arbiter may set another seat and phase; the agenda follows what is so (QD-4.1)."""
    table = phase("orc", "buy", *WORLD)
    table.must(ARBITER, Correct("it was the Elf's move", (TurnSet("elf", "transfer", 7),)))
    table.asks(elf="transfer")
    assert table.state.turn == 7
    table.must("elf", EndPhase())
    table.asks(dwarf="buy")


def test_a_purchase_renames_the_question_so_that_it_is_not_given_twice() -> None:
    """A command names the question it answers: the same one sent again is stale (QD-4.2)."""
    table = phase("orc", "buy", *WORLD)
    first = table.ask("orc").name
    table.must("orc", BuyUnits(1))
    assert table.ask("orc").name != first


def test_a_position_without_a_turn_is_set_up_like_a_new_game() -> None:
    """Only a position that says whose turn it is is played from there (QD-3.1, QD-4.1)."""
    table = given(RULES, seats=THREE)
    assert table.asked() == {"chance": ["draw"]}
