"""Taking back: alone, with consent, by the arbiter; what had been learned is computed, never marked."""

from typing import Any

import pytest
from msgspec import structs

import core.games
from core.consent import left_behind, must_agree
from core.deciding import Decision, decide
from core.kit.chance import AnswerRoll
from core.kit.table import MoveHead
from core.rules import Rules
from core.seats import ARBITER, CHANCE
from events.table import Answered, HeadMoved, WentBack
from replay.session import Session
from tests.replay.engine import accepted, create, reasons, refused, reopened, verified, words


@pytest.fixture
def table(skirmish: Rules[Any]) -> tuple[Session, Any]:
    """A game of red, blue and green with typed dice, and the words of the game."""
    return create(skirmish, seats=("red", "blue", "green")), words(skirmish)


def thrown(session: Session, toy: Any) -> None:
    """Bid all round (entries 2 to 4), red throws at blue (5), the dice fall (6)."""
    for seat, bid in (("red", 3), ("blue", 2), ("green", 1)):
        accepted(session.submit(seat, toy.Bid(bid)))
    accepted(session.submit("red", toy.Throw("blue")))
    accepted(session.submit(CHANCE, AnswerRoll((1, 6))))


def test_a_seat_alone_takes_back_what_told_it_nothing(table: tuple[Session, Any]) -> None:
    """A bid that left the bidding open told its seat nothing: it may be taken back alone, and made anew (LS-3.2)."""
    session, toy = table
    accepted(session.submit("red", toy.Bid(3)))
    assert session.learned("red", 1) == ((), ())
    entry = accepted(session.take_back("red", 1, reason="a slip"))
    assert entry.facts == (HeadMoved("red", reason="a slip", because=("LS-3.1",)),)
    assert (entry.id, entry.parent) == (3, 1)
    assert session.view("red").state.bids == {}
    accepted(session.submit("red", toy.Bid(1)))
    assert session.now.state.bids == {"red": 1}
    assert [entry.id for entry in session.entries] == [1, 2, 3, 4], "nothing is erased"
    assert verified(session).ok


def test_a_roll_is_taken_back_with_everybodys_consent_alone(table: tuple[Session, Any]) -> None:
    """A roll told everybody something: each other seat must agree, and one is not enough (LS-3.2)."""
    session, toy = table
    thrown(session, toy)
    answer = refused(session.take_back("red", 4))
    assert reasons(answer) == [("consent_needed", "LS-3.2")]
    assert (answer.learned, answer.needed) == (("entry 6: roll",), ("blue", "green"))
    assert session.learned("red", 4) == (answer.learned, answer.needed)
    assert reasons(session.take_back("red", 4, agreed=("blue",))) == [("consent_needed", "LS-3.2")]
    assert session.head.id == 6
    entry = accepted(session.take_back("red", 4, agreed=("green", "blue")))
    assert entry.facts[0].agreed == ("green", "blue")
    assert entry.facts[0].learned == ("entry 6: roll",)
    assert session.now.state == session.at(4).state
    assert verified(session).ok


def test_the_arbiter_may_decide_in_place_of_the_others(table: tuple[Session, Any]) -> None:
    """Anything may be taken back when the arbiter decides so; his name and what had been learned are recorded (LS-3.2)."""
    session, toy = table
    thrown(session, toy)
    entry = accepted(session.take_back("red", 4, arbiter="Ada"))
    assert (entry.facts[0].arbiter, entry.facts[0].learned) == ("Ada", ("entry 6: roll",))
    own = accepted(session.take_back(ARBITER, 1))
    assert own.facts[0].by == ARBITER
    assert set(own.facts[0].learned) >= {"entry 2: act of red", "entry 3: act of blue", "entry 6: roll"}
    assert verified(session).ok


def test_what_a_ruling_says_had_been_learned_is_judged(table: tuple[Session, Any]) -> None:
    """A ruling that goes back records what the entries left behind had told, and `verify` says when it leaves some out."""
    session, toy = table
    thrown(session, toy)
    entry = accepted(session.rule(WentBack(4), "the dice fell on the floor"))
    assert entry.facts[1].learned == ("entry 5: act of red", "entry 6: roll")
    assert verified(session).ok
    lying = structs.replace(entry.command, learned=("entry 6: roll",))
    decided = decide(session.history.base(4), ARBITER, lying)
    assert isinstance(decided, Decision)
    forged = create(session.rules, seats=("red", "blue", "green"))
    thrown(forged, toy)
    forged._append(ARBITER, lying, 4, decided)
    report = verified(forged)
    assert [finding.grade for finding in report.lawful.findings] == ["told_otherwise"]
    assert "entry 5: act of red" in report.lawful.findings[0].expected


def test_an_act_of_another_seat_is_not_taken_back_alone(table: tuple[Session, Any]) -> None:
    """Between red's bid and now blue has bid: red can't undo that alone, though it saw no secret of it (LS-3.2)."""
    session, toy = table
    accepted(session.submit("red", toy.Bid(3)))
    accepted(session.submit("blue", toy.Bid(2)))
    assert session.learned("red", 1) == (("entry 3: act of blue",), ("blue", "green"))
    assert session.learned("blue", 2) == ((), ())
    accepted(session.take_back("blue", 2))


def test_the_bid_that_closed_the_bidding_told_its_seat_the_others_bids(table: tuple[Session, Any]) -> None:
    """Its own last bid showed it what the others had bid; that is found by deciding it again on its own view (LS-3.2)."""
    session, toy = table
    for seat, bid in (("red", 3), ("blue", 2), ("green", 1)):
        accepted(session.submit(seat, toy.Bid(bid)))
    assert session.learned("green", 3) == (("entry 4: secret",), ("red", "blue"))
    assert reasons(session.take_back("green", 3)) == [("consent_needed", "LS-3.2")]


def test_a_throw_whose_dice_still_lie_in_the_cup_told_nothing(table: tuple[Session, Any]) -> None:
    """Who threw may think again until the dice have fallen (LS-3.2)."""
    session, toy = table
    for seat, bid in (("red", 3), ("blue", 2), ("green", 1)):
        accepted(session.submit(seat, toy.Bid(bid)))
    accepted(session.submit("red", toy.Throw("blue")))
    accepted(session.take_back("red", 4))
    accepted(session.submit("red", toy.Throw("green")))


def test_what_was_seen_on_a_line_left_before_is_not_forgotten(table: tuple[Session, Any]) -> None:
    """After an agreed take-back of a roll, red can't go further back alone: it still knows how the dice fell (LS-3.2)."""
    session, toy = table
    thrown(session, toy)
    accepted(session.take_back("red", 5, agreed=("blue", "green")))
    assert session.learned("red", 4) == (("entry 6: roll",), ("blue", "green"))
    assert session.learned("red", session.head.id)[0] == ()


def test_a_new_move_after_an_agreed_take_back_may_be_undone_alone(table: tuple[Session, Any]) -> None:
    """What was agreed on is settled: the mover's next move is a tail of its own again, whichever name that place has."""
    session, toy = table
    thrown(session, toy)
    accepted(session.take_back("red", 4, agreed=("blue", "green")))
    accepted(session.submit("red", toy.Throw("green")))
    assert session.learned("red", 7) == session.learned("red", 4) == ((), ())
    accepted(session.take_back("red", 4))


def test_what_was_taken_back_can_be_restored(table: tuple[Session, Any]) -> None:
    """Restoring moves the head to the entry that was left; one's own silent move comes back alone (LS-3.1)."""
    session, toy = table
    accepted(session.submit("red", toy.Bid(3)))
    accepted(session.take_back("red", 1))
    assert session.now.state.bids == {}
    accepted(session.take_back("red", 2))
    assert session.now.state.bids == {"red": 3}
    assert session.now.state == session.at(2).state
    assert verified(session).ok


def test_restoring_a_roll_needs_consent_like_taking_it_back(table: tuple[Session, Any]) -> None:
    """Whoever could bring a lucky roll back alone would roll twice and choose (LS-3.2)."""
    session, toy = table
    thrown(session, toy)
    accepted(session.take_back("red", 4, agreed=("blue", "green")))
    assert session.learned("red", 6) == (("entry 6: roll",), ("blue", "green"))
    assert reasons(session.take_back("red", 6)) == [("consent_needed", "LS-3.2")]
    accepted(session.take_back("red", 6, agreed=("blue", "green")))
    assert session.now.state == session.at(6).state


def test_a_ruling_and_a_dispute_are_not_undone_and_do_not_hinder(table: tuple[Session, Any]) -> None:
    """Table facts fold along ids: a take-back leaves rulings, answers and disputes as they are (LS-3.1)."""
    session, toy = table
    accepted(session.submit("red", toy.Bid(3)))
    accepted(session.rule(Answered("TS-X1", "four"), "errata"))
    assert session.learned("red", 1) == ((), ())
    accepted(session.take_back("red", 1))
    assert session.now.table.answers == {"TS-X1": "four"}
    assert session.now.table.rulings == (3,)
    assert session.now.state.bids == {}
    assert verified(session).ok


def test_a_correction_is_an_act_of_the_arbiter(table: tuple[Session, Any]) -> None:
    """A player does not undo alone what the arbiter set right (LS-3.2)."""
    session, toy = table
    accepted(session.submit("red", toy.Bid(3)))
    accepted(session.correct("a pebble lay under the table", [toy.PebblesSet("red", 6)]))
    assert session.learned("red", 1)[0] == ("entry 3: act of arbiter",)


def test_who_forfeited_need_not_agree(table: tuple[Session, Any]) -> None:
    """Silence answers for a seat that forfeited; it is not waited for (LS-3.2)."""
    session, toy = table
    thrown(session, toy)
    from events.table import Forfeited

    accepted(session.rule(Forfeited("green"), "went home"))
    assert session.learned("red", 4)[1] == ("blue",)
    assert must_agree(session.now.table, ARBITER, ("entry 6: roll",)) == ()


@pytest.mark.parametrize(
    ("by", "more", "code"),
    (
        ("red", {"to": 0}, ("no_such_entry", "LS-3.1")),
        ("red", {"to": 3}, ("no_such_entry", "LS-3.1")),
        ("red", {"to": 1, "agreed": ("violet",)}, ("no_such_seat", "LS-3.2")),
        (CHANCE, {"to": 1}, ("not_a_person", "LS-3.1")),
        ("violet", {"to": 1}, ("no_such_seat", "LS-1.2")),
    ),
)
def test_a_take_back_names_an_entry_and_seats_that_there_are(
    table: tuple[Session, Any], by: str, more: dict[str, Any], code: tuple[str, str]
) -> None:
    """The game goes on from an entry of its log, at the word of who sits at the table (LS-3)."""
    session, toy = table
    accepted(session.submit("red", toy.Bid(3)))
    assert code in reasons(session.take_back(by, **more))
    assert session.head.id == 2


def test_what_had_been_learned_is_written_by_the_session(table: tuple[Session, Any]) -> None:
    """A command can't claim that it undoes nothing that was told: the session writes what was (LS-3.2)."""
    session, toy = table
    thrown(session, toy)
    entry = accepted(session.submit("red", MoveHead(4, ("blue", "green"), learned=("nothing",))))
    assert entry.command.learned == ("entry 6: roll",)


def test_a_card_drawn_is_named_as_such_without_saying_which(skirmish: Rules[Any]) -> None:
    """A draw told its drawer a card; what is recorded says so to everybody, and no more (LS-3.2)."""
    fair = core.games.load("fair")
    session = create(fair, dice="scripted", script=["curse"])
    accepted(session.submit("red", words(fair).DrawFortune()))
    learned, needed = session.learned("red", 1)
    assert (learned, needed) == (("entry 3: card",), ("blue",))
    entry = accepted(session.take_back("red", 1, agreed=("blue",)))
    assert b"curse" not in session.rules.codec.value(entry.command)
    assert reopened(session).now.state.hands == {}
    assert verified(session).ok


def test_the_entries_weighed_are_those_since_both_lines_were_one(table: tuple[Session, Any]) -> None:
    """From the last entry that both lines share, everything that was played counts, on whichever line (LS-3.2)."""
    session, toy = table
    thrown(session, toy)
    accepted(session.take_back("red", 4, agreed=("blue", "green")))
    accepted(session.submit("red", toy.Throw("green")))
    assert left_behind(session.entries, 4) == (8,)
    assert left_behind(session.entries, 3) == (4, 5, 6, 8)
    assert left_behind(session.entries, 6) == (5, 6, 8)
    assert left_behind(session.entries, 8) == ()
