"""Taking back: alone, with consent, by the arbiter; what had been learned is computed, never marked."""

from typing import Any

import pytest
from msgspec import structs

import core.games
from core.consent import MOST_ALONE, left_behind, must_agree
from core.deciding import Decision, decide
from core.kit.chance import AnswerRoll
from core.kit.consenting import ProposeTakeBack, RefuseTakeBack
from core.kit.table import CallOff, MoveHead
from core.rules import Rules
from core.seats import ARBITER, CHANCE
from events.table import Answered, HeadMoved, Penalised, WentBack
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


# what would only lengthen the log


def to_and_fro(session: Session, seat: str, times: int, *, here: int, there: int) -> None:
    """Go back alone to entry `there` and forth to entry `here` so many times in all."""
    for n in range(times):
        accepted(session.take_back(seat, here if n % 2 else there))


def test_nobody_goes_where_the_game_stands(table: tuple[Session, Any]) -> None:
    """To go to the entry that was played last changes nothing, and nothing is added to the log (LS-3.6)."""
    session, toy = table
    accepted(session.submit("red", toy.Bid(3)))
    assert reasons(session.take_back("red", 2)) == [("goes_nowhere", "LS-3.6")]
    assert reasons(session.take_back("blue", 2, agreed=("red", "green"))) == [("goes_nowhere", "LS-3.6")]
    assert reasons(session.submit("red", ProposeTakeBack(2))) == [("goes_nowhere", "LS-3.6")]
    accepted(session.take_back("red", 1))
    assert reasons(session.take_back("red", 1)) == [("goes_nowhere", "LS-3.6")]
    assert session.head.id == 3


def test_nobody_goes_to_the_other_side_of_the_tables_own_entries(table: tuple[Session, Any]) -> None:
    """What was asked and refused stands through every take-back: behind it the game stands where it stood (LS-3.6)."""
    session, toy = table
    thrown(session, toy)
    accepted(session.submit("red", ProposeTakeBack(4)))
    accepted(session.submit("blue", RefuseTakeBack(7)))
    assert session.now.state == session.at(6).state
    for by in ("red", "blue"):
        assert reasons(session.take_back(by, 6)) == [("goes_nowhere", "LS-3.6")]
        assert reasons(session.submit(by, ProposeTakeBack(7))) == [("goes_nowhere", "LS-3.6")]


def test_where_the_arbiters_word_changed_the_game_there_is_something_to_take_back(
    table: tuple[Session, Any],
) -> None:
    """The end of a game that was called off lies between: to ask to go behind it leads somewhere (LS-3.6)."""
    session, toy = table
    thrown(session, toy)
    accepted(session.submit(ARBITER, CallOff("late")))
    assert session.now.state.ended is not None
    assert reasons(session.take_back("red", 6)) == [("consent_needed", "LS-3.2")]
    assert session.learned("red", 6)[0] == ("entry 7: act of arbiter",)
    accepted(session.take_back("red", 6, arbiter="Ada"))
    assert session.now.state.ended is None
    assert verified(session).ok


def test_the_arbiter_goes_where_he_likes(table: tuple[Session, Any]) -> None:
    """He is not held to it: what was proposed lapses by his word (LS-3.5, LS-3.6)."""
    session, toy = table
    thrown(session, toy)
    accepted(session.submit("red", ProposeTakeBack(4)))
    accepted(session.take_back(ARBITER, 6))
    assert session.now.table.proposed(session.now.entry) is None
    assert verified(session).ok


def test_a_player_goes_to_and_fro_alone_twelve_times_and_then_needs_the_others(
    table: tuple[Session, Any],
) -> None:
    """Undo, restore, undo ... would lengthen a log without end: the thirteenth needs every other seat (LS-3.7)."""
    session, toy = table
    accepted(session.submit("red", toy.Bid(3)))
    to_and_fro(session, "red", MOST_ALONE, here=2, there=1)
    answer = refused(session.take_back("red", 1))
    assert [(one.code, one.because) for one in answer.reasons] == [("consent_needed", ("LS-3.2", "LS-3.7"))]
    assert (
        "the game went to and fro 12 times in a row alone, and nobody else has had a say since"
        in answer.reasons[0].text
    )
    assert answer.needed == ("blue", "green")
    assert reasons(session.take_back("red", 1, agreed=("red",))) == [("consent_needed", "LS-3.2")]
    entry = accepted(session.take_back("red", 1, agreed=("blue", "green")))
    assert entry.facts[0].learned == ("entry 14: 12 times in a row alone",)
    accepted(session.take_back("red", 2))
    assert verified(session).ok


def test_playing_anew_in_between_does_not_begin_the_count_anew(table: tuple[Session, Any]) -> None:
    """Bid, undo, bid, undo ... is the same delay; so is naming oneself as who agreed (LS-3.7)."""
    session, toy = table
    for n in range(MOST_ALONE):
        accepted(session.submit("red", toy.Bid(n % 3)))
        accepted(session.take_back("red", 1, agreed=("red",) if n % 2 else ()))
    accepted(session.submit("red", toy.Bid(1)))
    assert reasons(session.take_back("red", 1)) == [("consent_needed", "LS-3.2")]
    # Nor what another played and took back again, nor what he asks or contests.
    accepted(session.submit("blue", toy.Bid(1)))
    accepted(session.take_back("blue", session.head.id - 1))
    accepted(session.submit("red", ProposeTakeBack(1)))
    accepted(session.submit("blue", RefuseTakeBack(session.head.id)))
    assert reasons(session.take_back("red", 1)) == [("consent_needed", "LS-3.2")]


def test_another_may_go_back_while_one_may_no_more(table: tuple[Session, Any]) -> None:
    """Each player's times are counted for himself (LS-3.7)."""
    session, toy = table
    accepted(session.submit("red", toy.Bid(3)))
    to_and_fro(session, "red", MOST_ALONE, here=2, there=1)
    accepted(session.submit("blue", toy.Bid(1)))
    blues = session.head.id
    to_and_fro(session, "blue", MOST_ALONE, here=blues, there=blues - 1)
    assert reasons(session.take_back("blue", blues - 1)) == [("consent_needed", "LS-3.2")]


@pytest.mark.parametrize("say", ("move", "arbiter", "ruling", "agreed"))
def test_the_count_ends_when_somebody_else_has_had_a_say(table: tuple[Session, Any], say: str) -> None:
    """A move of another that stands, the arbiter, the others' agreement: then the player may again (LS-3.7)."""
    session, toy = table
    accepted(session.submit("red", toy.Bid(3)))
    to_and_fro(session, "red", MOST_ALONE - (say == "move"), here=2, there=1)
    if say == "move":
        accepted(session.submit("blue", toy.Bid(1)))
        accepted(session.submit("red", toy.Bid(3)))
        last = session.head.id
        to_and_fro(session, "red", MOST_ALONE, here=last, there=last - 1)
        assert reasons(session.take_back("red", last - 1)) == [("consent_needed", "LS-3.2")]
    elif say == "arbiter":
        accepted(session.take_back("red", 1, arbiter="Ada"))
        accepted(session.take_back("red", 2))
    elif say == "ruling":
        accepted(session.rule(Penalised("red", "a warning"), "delay"))
        accepted(session.take_back("red", 1))
    elif say == "agreed":
        accepted(session.take_back("red", 1, agreed=("blue", "green")))
        to_and_fro(session, "red", MOST_ALONE, here=1, there=2)
        assert reasons(session.take_back("red", 2)) == [("consent_needed", "LS-3.2")]
    assert verified(session).ok


def test_a_log_in_which_somebody_went_too_often_is_found_unlawful(
    table: tuple[Session, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """`verify` counts as the table does, and says so of what went nowhere, too (LS-3.6, LS-3.7)."""
    session, toy = table
    accepted(session.submit("red", toy.Bid(3)))
    with monkeypatch.context() as lax:
        lax.setattr("core.consent.MOST_ALONE", 99)
        to_and_fro(session, "red", MOST_ALONE + 1, here=2, there=1)
        lax.setattr("core.consent.forbids_going_nowhere", lambda *_: ())
        accepted(session.take_back("blue", 1))
    found = [(one.entry, one.grade, one.sections) for one in verified(session, all=True).lawful.findings]
    assert found == [
        (session.head.id - 1, "unlawful", ("LS-3.2", "LS-3.7")), (session.head.id, "unlawful", ("LS-3.6",)),
    ]  # fmt: skip
