"""Laws of deciding: what is offered is accepted, all else is refused, and silence is always lawful."""

from random import Random
from typing import Any

import pytest

from core.asking import Ask
from core.deciding import Decision, Refused, asks, decide
from core.kit.chance import Deal
from core.kit.table import MoveHead
from core.rules import Rules
from core.seats import ARBITER, CHANCE, is_player
from core.telling import Moment
from events.chance import Rolled
from events.play import GameEnded
from tests.driver import Heard, Table, choices, play, seats_of
from tests.laws.worlds import moments, names_in, perturbed, rules_of


def all_asks(now: Moment[Any]) -> list[Ask]:
    return [ask for seat in seats_of(now) for ask in asks(now, seat)]


def law_offered(table: Table) -> None:
    """Sample every offer of every ask: the command is one of the offer, and the rules accept it."""
    choose = Random(len(table.log)).randrange
    for now in moments(table):
        for ask in all_asks(now):
            for offer in ask.offers:
                command: Any = offer.sample(choose)
                assert offer.allows(command), f"{command} was sampled from {offer}, which does not allow it"
                decided = decide(now, ask.seat, command)
                assert isinstance(decided, Decision), (
                    f"entry {now.entry}: {ask.seat} is offered {command}: {decided}"
                )


def law_refused(table: Table) -> int:
    """Perturb commands: what no offer allows is refused with a code, a sentence and sections that exist."""
    choose, names, tried = Random(len(table.log)).randrange, names_in(table), 0
    for now in moments(table):
        heard: Heard = {}
        for _ in range(3):
            found = perturbed(now, names, choose, heard)
            if found is None:
                break
            seat, command = found
            if seat not in heard:
                heard[seat] = list(asks(now, seat))
            offered = any(
                offer.allows(command) for ask in heard[seat] for offer in ask.offers
            ) or command == Deal("?")
            decided = decide(now, seat, command)
            assert isinstance(decided, Decision) == offered, (
                f"entry {now.entry}: {seat}, {command}, {'offered' if offered else 'not offered'}: {decided}"
            )
            if isinstance(decided, Refused):
                tried += 1
                law_reasons(table.rules, decided)
    return tried


def law_reasons(rules: Rules[Any], refused: Refused) -> None:
    assert refused.reasons
    for reason in refused.reasons:
        assert reason.code.isidentifier(), reason
        assert reason.text, reason
        assert reason.because, f"no section: {reason}"
        assert [ref for ref in reason.because if not rules.knows(ref)] == [], reason


def law_silence(table: Table) -> int:
    """What the top step asks of a player has a silence that the rules accept."""
    tried = 0
    for now in moments(table):
        for ask in all_asks(now):
            if not is_player(ask.seat):
                continue
            if ask.question is not now.question:
                assert ask.silence is None, "nobody needs to answer what a step beneath would hear"
                continue
            assert ask.silence is not None, f"{ask.question.kind} has no silence"
            silence: Any = ask.silence
            decided = decide(now, ask.seat, silence)
            assert isinstance(decided, Decision), f"entry {now.entry}: silence {silence}: {decided}"
            assert any(offer.allows(silence) for offer in ask.offers), f"{silence} is not offered"
            tried += 1
    return tried


def law_out(table: Table) -> None:
    """Nobody is asked who is out of the game or has forfeited it."""
    for now in moments(table):
        assert [seat for seat in seats_of(now) if now.is_out(seat)] == [], f"after entry {now.entry - 1}"


def law_over(table: Table) -> None:
    """After the end the agenda is empty, nobody is asked, and what anybody plays is refused."""
    choose = Random(0).randrange
    before = [choice for now in moments(table) if (choice := choices(now, choose))]
    for now in moments(table):
        if now.state.ended is None:
            assert now.state.agenda, f"after entry {now.entry - 1} nobody is asked, yet the game goes on"
            continue
        assert now.state.agenda == ()
        assert seats_of(now) == []
        for choice in before:
            decided = decide(now, choice.seat, choice.command)
            assert isinstance(decided, Refused)
            assert [(reason.code, reason.because) for reason in decided.reasons] == [
                ("game_over", ("LS-2.3",))
            ]
    for told in table.log:
        assert sum(isinstance(fact, GameEnded) for fact in told.entry.facts) <= 1


def law_rolls(table: Table) -> None:
    """A roll on record repeats what was asked, so that it can be counted alone."""
    for told in table.log:
        question = table.moments[told.entry.parent].question
        if told.entry.seat != CHANCE or question is None or question.roll is None:
            continue
        (rolled,) = [fact for fact in told.entry.facts if isinstance(fact, Rolled)]
        asked = question.roll
        assert (rolled.die, len(rolled.faces), rolled.owner) == (asked.die, asked.count, asked.owner)
        assert (rolled.counts, rolled.purpose, rolled.roller) == (asked.counts, asked.purpose, asked.roller)
        assert rolled.because == question.because


@pytest.mark.parametrize("law", (law_offered, law_silence, law_out, law_over, law_rolls))
def test_every_game_keeps_the_laws_of_deciding(tables: list[Table], law: Any) -> None:
    """Offered is accepted, silence is lawful, who is out is not asked, the end is the end, rolls say what was asked."""
    for table in tables:
        law(table)


def test_whatever_nobody_offers_is_refused_with_a_code_and_a_section(tables: list[Table]) -> None:
    """A command outside every offer is refused; one inside is accepted, wherever it came from."""
    assert sum(law_refused(table) for table in tables) > 50


def test_a_game_played_at_random_is_decided_again_in_the_same_way(tables: list[Table]) -> None:
    """Deciding is a function: every command of a log gives the recorded facts once more."""
    for table in tables:
        table.verify()


def test_the_same_seed_plays_the_same_game(name: str) -> None:
    """Nothing but the choices decides: two games of one seed have equal lines."""
    first, second = (play(rules_of(name), 7, 60) for _ in range(2))
    assert [told.line for told in first.log] == [told.line for told in second.log]


def test_going_back_restores_the_game_and_keeps_the_table(tables: list[Table]) -> None:
    """After a take-back the state is that of the entry gone to, unless a ruling since then changed what follows."""
    for table in tables:
        choose = Random(1).randrange
        twin, since = table.twin(), len(table.log)
        to = 1 + choose(since)
        # A forfeit or an answer since then may move the game on at once, so both tables must agree on those.
        then, now = twin.moments[to].table, twin.now.table
        if (then.forfeited, then.answers, then.disputes) != (now.forfeited, now.answers, now.disputes):
            continue
        twin.must(ARBITER, MoveHead(to, arbiter="a coin"))
        assert twin.state == table.moments[to].state
        assert twin.now.table.moved == (*now.moved, since + 1)
        assert twin.now.table.rulings == now.rulings
        assert twin.now.table.answers == now.answers
        twin.must(ARBITER, MoveHead(since, arbiter="a coin"))
        assert twin.state == table.state, "what was left behind can be restored"
