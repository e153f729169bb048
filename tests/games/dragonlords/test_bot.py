"""The sensible bot (QD-25): what it does at a glance, that it reads its view alone, and that it beats chance."""

from collections import Counter
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import pytest

from core.asking import Ask, Chooser
from core.deciding import asks
from core.games.dragonlords import RULES
from core.games.dragonlords.bot import choose
from core.games.dragonlords.bot_odds import prospect
from core.games.dragonlords.land_combat import Attack, Fight
from core.games.dragonlords.phases import EndPhase
from core.games.dragonlords.position import ChipSet, ColumnSet, GoldSet, TurnSet
from core.games.dragonlords.purchase import BuyUnits
from core.games.dragonlords.reinforcements import PlaceUnits
from core.games.dragonlords.retreat import Continue, Retreat
from core.games.dragonlords.transfer import Transfer
from replay.history import History
from replay.simulating import Plan, play_out
from replay.verifying.verify import verify_log
from tests.driver import Table, given
from tests.games.dragonlords.field import at_war, home, until


def first(_: int) -> int:
    return 0


def chosen(table: Table, seat: str = "orc", pick: Chooser = first) -> Any:
    """Return what the bot gives for what a seat is asked, from that seat's own view."""
    (ask,) = asks(table.view(seat), seat)
    return choose(table.view(seat), ask, pick)


def in_phase(phase: Any, *position: Any) -> Table:
    return given(RULES, TurnSet("orc", phase), *position, seats=("orc", "elf"))


# The odds


def test_one_against_one_is_won_as_often_as_the_dice_say() -> None:
    """QD-10.5, QD-10.6: both hit on 3; won with 1/4 of the rounds that change anything, which are 3/4: a third."""
    assert prospect(1, 1, 3, 3).wins == pytest.approx(1 / 3)
    assert prospect(1, 1, 3, 3).attackers == pytest.approx(1 / 3)


def test_odds_agree_with_battles_that_are_rolled() -> None:
    """Exact and rolled odds of five against three at T.A.S. 2 and 4 are within what chance allows."""
    rng, won, games = Random(7), 0, 4000
    for _ in range(games):
        ours, theirs = 5, 3
        while ours and theirs:
            hits = sum(rng.randint(1, 6) <= 2 for _ in range(ours))
            losses = sum(rng.randint(1, 6) <= 4 for _ in range(theirs))
            ours, theirs = max(0, ours - losses), max(0, theirs - hits)
        won += ours > 0
    assert prospect(5, 3, 2, 4).wins == pytest.approx(won / games, abs=0.03)


def test_more_attackers_and_better_strength_help() -> None:
    """The odds rise with numbers and with T.A.S., also of armies that are scaled down."""
    assert prospect(6, 5, 3, 3).wins > prospect(5, 5, 3, 3).wins > prospect(5, 6, 3, 3).wins
    assert prospect(40, 30, 3, 3).wins > prospect(30, 30, 3, 3).wins > prospect(30, 30, 2, 3).wins


# At a glance


def test_it_takes_a_kingdom_that_is_weakly_held() -> None:
    """QD-25: take many kingdoms; ten against one is no risk."""
    assert chosen(at_war(home("orc", "OR_n", 11), home("elf", "OR_k", 1))) == Attack("OR_k", "OR_n", 10)


def test_it_does_not_attack_a_stronger_army() -> None:
    """Three spare units against nine in a kingdom would be lost."""
    table = at_war(
        home("orc", "OR_n", 4), home("orc", "OR_ne", 1), home("orc", "G1", 1), home("elf", "OR_k", 9)
    )
    assert chosen(table) == EndPhase()


def test_it_fights_what_it_has_moved_into() -> None:
    """QD-10.1: a battle that is open is fought."""
    table = at_war(home("orc", "OR_n", 1), home("elf", "OR_k", 1), ColumnSet("orc", "OR_k", "OR_n", 10))
    assert chosen(table) == Fight("OR_k")


def test_it_takes_empty_gold_without_a_battle() -> None:
    """QD-2.4, QD-25: G1 beside OR_n is empty and yields five."""
    table = at_war(
        home("orc", "OR_n", 3), home("orc", "OR_ne", 1), home("orc", "OR_k", 1), home("elf", "IH_k", 9)
    )
    taken = chosen(table)
    assert isinstance(taken, Attack)
    assert taken.target == "G1"


def test_it_guards_the_king() -> None:
    """QD-25: where the king lies beside a large enemy his company stays with him."""
    king = ChipSet("orc", "orc.king", "OR_k")
    beset = at_war(home("orc", "OR_k", 10), king, home("elf", "OR_n", 14), home("elf", "OR_s", 1))
    safe = at_war(home("orc", "OR_k", 10), king, home("elf", "OR_s", 1))
    assert chosen(beset) == EndPhase()
    assert isinstance(chosen(safe), Attack)


@pytest.mark.parametrize(("ours", "theirs", "expected"), ((9, 2, Continue()), (2, 9, Retreat("OR_n"))))
def test_it_retreats_when_outnumbered(ours: int, theirs: int, expected: Any) -> None:
    """QD-10.9, QD-17.1: after a round in which nobody was hit it goes on nine against two, and back two against nine."""
    table = at_war(
        home("orc", "OR_n", 2), home("elf", "OR_k", theirs), ColumnSet("orc", "OR_k", "OR_n", ours)
    ).when("orc", Fight())
    assert chosen(until(table, "choice")) == expected


def test_it_spends_its_gold_on_units() -> None:
    """QD-4.2: thirty gold buys twelve Orcs."""
    table = in_phase("buy", home("orc", "OR_k", 3), home("elf", "IH_k", 3), GoldSet("OR_k", 30))
    assert chosen(table) == BuyUnits(12)


def test_it_places_units_where_a_kingdom_lacks_guards() -> None:
    """QD-21.1, QD-25: of six units some go to the kingdom that eight Elves stand beside."""
    table = in_phase(
        "buy", home("orc", "OR_k", 1), home("orc", "OR_s", 1), home("elf", "OR_n", 8), GoldSet("OR_k", 16)
    )
    table = until(table.when("orc", BuyUnits(6)).when("orc", EndPhase()), "place")
    placed = chosen(table)
    assert isinstance(placed, PlaceUnits)
    assert placed.units["OR_k"] >= 4


def test_it_transfers_towards_the_front() -> None:
    """QD-19, QD-25: an army two steps from the enemy steps nearer, all but one of it."""
    table = in_phase(
        "transfer",
        home("orc", "FM_s", 9),
        home("orc", "FM_k", 2),
        home("orc", "FM_se", 1),
        home("orc", "FM_sw", 1),
        home("orc", "G1", 1),
        home("elf", "OR_k", 9),
        home("elf", "OR_n", 4),
    )
    assert chosen(table) == Transfer("G1", "FM_s", 8)


def test_it_puts_the_king_into_its_largest_army() -> None:
    """QD-25: hide the king in a big army."""
    history = play_out(
        RULES, Plan("dragonlords", "king", seats=("orc", "elf"), bots=("sensible",), most=130), 1
    )
    moment = next(
        each for each in history.moments if each.question is not None and each.question.kind == "buy"
    )
    for seat in ("orc", "elf"):
        armies = [army.size for army in moment.state.armies.values() if army.seat == seat]
        assert moment.state.armies[moment.state.chips[f"{seat}.king"].place].size >= max(armies) - 2


# Whatever it is asked


def test_the_same_view_and_pick_give_the_same_command() -> None:
    """Simulated games are the same for the same seed."""
    table = at_war(home("orc", "OR_n", 11), home("elf", "OR_k", 1), home("orc", "G1", 4))
    assert chosen(table, pick=Random(3).randrange) == chosen(table, pick=Random(3).randrange)


def test_what_the_enemy_hides_changes_nothing() -> None:
    """It plays from its view: where the Elves hide their king it does not know."""
    one, other = (
        at_war(
            home("orc", "OR_k", 12),
            home("elf", "OR_n", 3),
            home("elf", "OR_s", 3),
            ChipSet("elf", "elf.king", king),
            ChipSet("elf", "elf.blank", blank),
        )
        for king, blank in (("OR_n", "OR_s"), ("OR_s", "OR_n"))
    )
    assert chosen(one) == chosen(other)


def test_a_question_it_does_not_know_is_answered_by_an_offer() -> None:
    """Chapters that it knows nothing of are played all the same: by an offer at random, or by silence without any."""
    table = at_war(home("orc", "OR_n", 3), home("elf", "OR_k", 9))
    (ask,) = asks(table.view("orc"), "orc")
    strange = Ask("1.1.orc", "orc", type(ask.question)("strange", ("orc",)), ask.offers, ask.silence)
    assert any(offer.allows(choose(table.view("orc"), strange, first)) for offer in ask.offers)
    bare = Ask("1.1.orc", "orc", strange.question, (), ask.silence)
    assert choose(table.view("orc"), bare, first) == ask.silence


# Whole games


def games(tag: str, seats: Sequence[str], bots: Sequence[str], count: int) -> list[History]:
    plan = Plan("dragonlords", tag, seats=tuple(seats), bots=tuple(bots))
    return [play_out(RULES, plan, number) for number in range(1, count + 1)]


def winners(history: History, seats: Sequence[str], bots: Sequence[str]) -> set[str]:
    return {bots[seats.index(seat) % len(bots)] for seat in history.now.state.ended.winners}


def test_its_games_end_and_are_lawful() -> None:
    """Four sensible players come to a winner, and the log verifies: whole, lawful and fair."""
    (history,) = games("ends", ("orc", "elf", "dwarf", "barbarian"), ("sensible",), 1)
    assert history.now.state.ended.how in ("kings", "kingdoms")
    kept = [history.as_stored(at) for at in range(1, len(history.entries) + 1)]
    lines = [RULES.codec.encode(sealed) for sealed, _ in kept]
    report = verify_log(RULES, lines, [each for _, openings in kept for each in openings], history.head)
    assert (report.whole.ok, report.lawful.ok, report.fair.ok) == (True, True, True)


@pytest.mark.parametrize("bots", (("sensible", "random"), ("random", "sensible")))
def test_it_beats_chance_from_either_seat(bots: tuple[str, str]) -> None:
    """Of three short duels it loses none, whoever sits first."""
    seats = ("orc", "elf")
    assert [winners(history, seats, bots) for history in games("duel", seats, bots, 3)] == [{"sensible"}] * 3


@pytest.mark.stress
def test_it_beats_chance_at_tables_of_four(rounds: Callable[[int], int]) -> None:
    """Two sensible and two random players: nine games of ten at the least go to the sensible ones."""
    count = rounds(10)
    seats = ("orc", "elf", "dwarf", "barbarian")
    won: Counter[bool] = Counter()
    for bots in (("sensible", "random"), ("random", "sensible")):
        for history in games("four", seats, bots, count):
            won[winners(history, seats, bots) == {"sensible"}] += 1
    assert won[True] >= 1.8 * count
