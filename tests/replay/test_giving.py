"""Who gives typed dice and cards where each seat gives its own commands, and as whom it is answered (LS-4.6)."""

from typing import Any

import pytest

import core.games
from core.kit.chance import AnswerRoll, Deal
from core.rules import Rules
from core.seats import ARBITER, CHANCE
from events.entry import SealedCommand
from events.play import Sealed
from replay.giving import may_give
from replay.session import Session
from tests.replay.engine import Memory, accepted, create, reasons, refused, reopened, words

NOT_YOURS = ("not_yours_to_give", "LS-4.6")


@pytest.fixture
def dealing(skirmish: Rules[Any]) -> Session:
    """A fair of red and blue at which red draws a card that only its drawer sees."""
    return create(core.games.load("fair"), seats=("red", "blue"), options={"hands": "dealt"})


def test_a_card_that_not_everybody_sees_is_given_by_the_arbiter_alone(dealing: Session) -> None:
    """No seat gives it, whatever it names, not even an unseen one, and not the seat that draws (LS-4.6)."""
    assert may_give(dealing.now) == (ARBITER,)
    for by in ("red", "blue"):
        for card in ("rose", "none such", "?"):
            assert reasons(dealing.submit(CHANCE, Deal(card), by=by)) == [NOT_YOURS]
    assert accepted(dealing.submit(CHANCE, Deal("rose"), by=ARBITER)).command == Deal("rose")


def test_who_writes_for_the_whole_table_gives_every_card(dealing: Session) -> None:
    """Where one person keeps the log for all, cards are typed as ever."""
    assert reasons(dealing.submit(CHANCE, Deal("none such"))) == [("no_such_card", "LS-4.3")]
    accepted(dealing.submit(CHANCE, Deal("rose")))
    accepted(dealing.submit(CHANCE, Deal("?")))


def test_dice_are_given_by_who_throws_them_or_by_the_arbiter(skirmish: Rules[Any]) -> None:
    """What dice show lies open to all, so who throws them may say it; another seat may not (LS-4.6)."""
    session, toy = create(skirmish, seats=("red", "blue", "green")), words(skirmish)
    for seat in ("red", "blue", "green"):
        accepted(session.submit(seat, toy.Bid(1)))
    accepted(session.submit("red", toy.Throw("blue")))
    assert may_give(session.now) == ("red", ARBITER)
    assert reasons(session.submit(CHANCE, AnswerRoll((6, 1)), by="blue")) == [NOT_YOURS]
    accepted(session.submit(CHANCE, AnswerRoll((6, 1)), by="red"))
    assert may_give(session.now) == ()


def test_a_card_that_came_to_be_asked_meanwhile_is_no_seats_to_give(skirmish: Rules[Any]) -> None:
    """Another process let red draw: blue, who saw nothing asked, still gives no card (LS-4.6)."""
    rules, store = core.games.load("fair"), Memory()
    session = create(rules, seats=("red", "blue"), store=store)
    elsewhere = reopened(session)
    accepted(elsewhere.submit("red", words(rules).DrawFortune()))
    assert may_give(session.now) == ()
    assert reasons(session.submit(CHANCE, Deal("none such"), by="blue")) == [NOT_YOURS]


def test_a_key_tells_nobody_what_another_said_under_it(dealing: Session) -> None:
    """Keys stand open in the log, and each is its giver's own: another's is never held against it (LS-2.5, LS-4.6)."""
    accepted(dealing.submit(CHANCE, Deal("rose"), key="k", by=ARBITER))
    for card in ("rose", "curse"):
        told = dealing.submit(CHANCE, Deal(card), key="k", by="blue")
        assert reasons(told) == [NOT_YOURS]
        assert told == refused(dealing.submit(CHANCE, Deal("hail"), key="k", by="blue"))
    assert dealing.submit(CHANCE, Deal("rose"), key="k", by=ARBITER).repeated  # type: ignore[union-attr]


def test_what_came_since_a_stale_question_is_told_as_its_giver_may_read_it(dealing: Session) -> None:
    """A command given as chance is answered as who gives it reads: neither as chance nor as the arbiter does (LS-2.2)."""
    (asked,) = dealing.asks(CHANCE)
    entry = accepted(dealing.submit(CHANCE, Deal("rose"), by=ARBITER))
    told = refused(dealing.submit(CHANCE, AnswerRoll((6,)), question=asked.name, by=ARBITER))
    assert (told.stale, told.since) == (True, (entry,))
    for card in ("curse", "hail", "mirror"):
        accepted(dealing.submit(CHANCE, Deal(card), by=ARBITER))
    told = refused(dealing.submit(CHANCE, AnswerRoll((6,)), question=asked.name, by="blue"))
    assert told.stale
    assert [type(each.command) is SealedCommand for each in told.since] == [True, False, True, False]
    assert all(
        type(fact) is not Sealed or "blue" not in fact.to for each in told.since for fact in each.facts
    )
