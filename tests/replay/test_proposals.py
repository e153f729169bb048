"""Take-backs that are asked for: each seat answers for itself, in the log, and what is asked lapses with the next move."""

from typing import Any

import pytest

import core.games
from core.kit.chance import CHANCE_COMMANDS, AnswerRoll
from core.kit.consenting import AgreeToTakeBack, ProposeTakeBack, RefuseTakeBack
from core.kit.table import MoveHead, OpenGame, TableCommand
from core.rules import Rules
from core.seats import ARBITER, CHANCE
from events.table import Answered, Forfeited, HeadMoved, TakeBackAgreed, TakeBackProposed, WentBack
from replay.outcomes import Accepted, Refused
from replay.session import Session
from tests.replay.engine import accepted, create, reasons, reopened, verified, words


@pytest.fixture
def table(skirmish: Rules[Any]) -> Session:
    """A game of red, blue and green in which red threw at blue: bids 2 to 4, the throw 5, the dice 6."""
    session, toy = create(skirmish, seats=("red", "blue", "green")), words(skirmish)
    for seat, bid in (("red", 3), ("blue", 2), ("green", 1)):
        accepted(session.submit(seat, toy.Bid(bid)))
    accepted(session.submit("red", toy.Throw("blue")))
    accepted(session.submit(CHANCE, AnswerRoll((1, 6))))
    return session


def said(session: Session, seat: str, command: Any) -> Accepted | Refused:
    """Let a seat say something of its own: no other's word is heard."""
    return session.submit(seat, command, by=seat)


def test_when_all_others_have_agreed_for_themselves_the_game_goes_back(table: Session) -> None:
    """The asking and each agreement is an entry of its own; the last one that is needed moves the head (LS-3.3)."""
    asked = accepted(said(table, "red", ProposeTakeBack(4, reason="wrong place")))
    assert asked.facts == (
        TakeBackProposed("red", 4, ("entry 6: roll",), "wrong place", because=("LS-3.3",)),
    )
    first = accepted(said(table, "green", AgreeToTakeBack(7)))
    assert (first.parent, first.facts) == (7, (TakeBackAgreed("green", 7, because=("LS-3.3",)),))
    last = accepted(said(table, "blue", AgreeToTakeBack(7)))
    moved = HeadMoved(
        "red", ("green", "blue"), learned=("entry 6: roll",), reason="wrong place", because=("LS-3.3",)
    )
    assert last.facts == (TakeBackAgreed("blue", 7, because=("LS-3.3",)), moved)
    assert (last.id, last.parent, last.seat) == (9, 4, "blue")
    assert table.now.state == table.at(4).state
    assert table.now.table.proposal is None
    assert verified(table).ok
    assert reopened(table).now.state == table.now.state


def test_one_refusal_ends_it_and_the_same_seat_does_not_ask_again_at_once(table: Session) -> None:
    """Who asked once asks again only when something else was done; another seat may ask once as well (LS-3.5)."""
    accepted(said(table, "red", ProposeTakeBack(4)))
    accepted(said(table, "green", AgreeToTakeBack(7)))
    accepted(said(table, "blue", RefuseTakeBack(7, "it was fair")))
    assert table.now.table.proposed(table.now.entry) is None
    assert reasons(said(table, "green", AgreeToTakeBack(7))) == [("no_proposal", "LS-3.5")]
    assert reasons(said(table, "red", ProposeTakeBack(4))) == [("asked_before", "LS-3.5")]
    accepted(said(table, "blue", ProposeTakeBack(4)))
    accepted(said(table, "red", RefuseTakeBack(10)))
    for seat in ("red", "blue"):
        assert reasons(said(table, seat, ProposeTakeBack(4))) == [("asked_before", "LS-3.5")]
    assert table.head.id == 11, "nobody can fill the log with asking"
    assert verified(table).ok


def test_what_is_asked_lapses_as_soon_as_anything_else_is_appended(table: Session) -> None:
    """A move, a dispute or a ruling ends a proposal; who agreed before has agreed to nothing (LS-3.5)."""
    accepted(said(table, "red", ProposeTakeBack(4)))
    accepted(said(table, "green", AgreeToTakeBack(7)))
    accepted(table.dispute("green", 6, "one die lay on the floor"))
    assert reasons(said(table, "blue", AgreeToTakeBack(7))) == [("no_proposal", "LS-3.5")]
    accepted(table.rule(Answered("TS-X1", "four"), "so the table plays", dispute=9))
    assert reasons(said(table, "blue", AgreeToTakeBack(7))) == [("no_proposal", "LS-3.5")]
    asked = accepted(said(table, "red", ProposeTakeBack(4)))
    accepted(said(table, "blue", AgreeToTakeBack(asked.id)))
    standing = table.now.table.proposed(table.now.entry)
    assert standing is not None
    assert standing.agreed == ("blue",)


def test_an_agreement_names_what_it_agrees_to(table: Session) -> None:
    """Agreeing to an older proposal does not count for the one that stands (LS-3.5)."""
    accepted(said(table, "red", ProposeTakeBack(5)))
    accepted(said(table, "red", RefuseTakeBack(7)))
    accepted(said(table, "blue", ProposeTakeBack(1)))
    assert reasons(said(table, "green", AgreeToTakeBack(7))) == [("no_proposal", "LS-3.5")]


def test_nobody_agrees_twice_for_himself_or_in_the_place_of_others(table: Session) -> None:
    """Who asks does not agree, nobody agrees twice, the arbiter and strangers agree to nothing (LS-3.3)."""
    accepted(said(table, "red", ProposeTakeBack(4)))
    for seat, reason in (
        ("red", ("not_asked_to_agree", "LS-3.3")),
        (ARBITER, ("not_asked_to_agree", "LS-3.3")),
        (CHANCE, ("not_a_person", "LS-3.3")),
        ("gold", ("no_such_seat", "LS-1.2")),
    ):
        assert reason in reasons(said(table, seat, AgreeToTakeBack(7))), seat
    accepted(said(table, "blue", AgreeToTakeBack(7)))
    assert reasons(said(table, "blue", AgreeToTakeBack(7))) == [("agreed_already", "LS-3.3")]
    assert reasons(said(table, "blue", ProposeTakeBack(1))) == [("proposed_already", "LS-3.5")]
    assert table.head.id == 8


def test_where_an_agreement_leads_is_not_the_speakers_to_say(table: Session) -> None:
    """The session says whether an agreement is the last one; what the command says of it counts for nothing (LS-3.3)."""
    accepted(said(table, "red", ProposeTakeBack(4, learned=("nothing",))))
    assert table.entries[6].command.learned == ("entry 6: roll",)
    assert accepted(said(table, "blue", AgreeToTakeBack(7, to=1))).parent == 7
    assert accepted(said(table, "green", AgreeToTakeBack(7, to=1))).parent == 4


def test_a_key_makes_an_agreement_safe_to_send_again(table: Session) -> None:
    """The same agreement under its key is one entry, also when it was the last one (LS-2.5)."""
    accepted(said(table, "red", ProposeTakeBack(4)))
    accepted(said(table, "blue", AgreeToTakeBack(7)))
    first = table.submit("green", AgreeToTakeBack(7), key="k", by="green")
    again = table.submit("green", AgreeToTakeBack(7), key="k", by="green")
    assert isinstance(first, Accepted)
    assert isinstance(again, Accepted)
    assert (again.repeated, again.entries[0]) == (True, first.entries[0])
    assert table.head.id == 9


def test_what_needs_nobody_is_not_asked(table: Session, skirmish: Rules[Any]) -> None:
    """A seat that may take back alone, and the arbiter, go back at once and ask nobody (LS-3.2)."""
    session, toy = create(skirmish, game="alone", seats=("red", "blue", "green")), words(skirmish)
    accepted(session.submit("red", toy.Bid(3)))
    assert reasons(said(session, "red", ProposeTakeBack(1))) == [("no_consent_needed", "LS-3.2")]
    assert reasons(said(table, ARBITER, ProposeTakeBack(4))) == [("no_consent_needed", "LS-3.2")]
    assert reasons(said(table, "red", ProposeTakeBack(99))) == [("no_such_entry", "LS-3.1")]


def test_who_forfeited_is_not_waited_for(table: Session) -> None:
    """A seat that forfeited has no say; with nobody left but who asks, the arbiter decides (LS-3.2)."""
    accepted(table.rule(Forfeited("green"), "left the table"))
    accepted(said(table, "red", ProposeTakeBack(4)))
    assert accepted(said(table, "blue", AgreeToTakeBack(8))).parent == 4


def test_where_each_gives_its_own_commands_nobody_gives_the_word_of_another(table: Session) -> None:
    """Consents and decisions in a command of another's count for nothing, and nothing is written (LS-3.4)."""
    for command in (
        MoveHead(4, ("blue", "green")),
        MoveHead(4, arbiter="red himself"),
        MoveHead(4, ("blue",), "red himself"),
    ):
        assert reasons(said(table, "red", command)) == [("not_their_word", "LS-3.4")], command
    assert reasons(said(table, ARBITER, MoveHead(4, ("blue", "green")))) == [("not_their_word", "LS-3.4")]
    assert table.head.id == 6
    assert accepted(said(table, ARBITER, MoveHead(4, arbiter="Ann"))).parent == 4


def test_one_person_who_writes_for_the_whole_table_answers_for_what_others_agreed_to(table: Session) -> None:
    """Where nobody's own word is asked for, the keeper's record of consents stands as before (LS-3.4)."""
    assert accepted(table.take_back("red", 4, agreed=("blue", "green"))).parent == 4


SAID = {
    "OpenGame": "a game is opened by the arbiter's seat, once",
    "RaiseDispute": "who contests is the seat that says it",
    "Rule": "the arbiter's alone",
    "Correct": "the arbiter's alone",
    "CallOff": "the arbiter's alone",
    "RevealSeed": "the seed proves itself",
    "ProposeTakeBack": "who asks is the seat that says it",
    "AgreeToTakeBack": "who agrees is the seat that says it",
    "RefuseTakeBack": "who refuses is the seat that says it",
}
"""Why the fields of a table command speak for nobody but its seat. A new command is put here, or says for whom it speaks."""


def test_every_command_of_the_table_says_for_whom_it_speaks(skirmish: Rules[Any]) -> None:
    """A command whose fields carry the word of others says whose; of every other it is known why they do not (LS-3.4)."""
    for command in core.games.load("dragonlords").all_commands:
        kind = getattr(command, "__origin__", command)
        speaks = "speaks_for" in vars(kind)
        assert speaks or not issubclass(kind, TableCommand) or kind.__name__ in SAID, kind
        assert not (speaks and kind.__name__ in SAID), kind
        if issubclass(kind, TableCommand) or kind in CHANCE_COMMANDS:
            assert not {"actor", "source", "by", "seat"} & set(kind.__struct_fields__), kind
    assert OpenGame("g", "x", ()).speaks_for() == ()


def test_a_log_that_forges_where_an_agreement_leads_is_unlawful(table: Session) -> None:
    """Verification decides every agreement again: one that goes back too early is found at its entry (LS-3.3)."""
    from core.deciding import Refused as Forbidden
    from core.deciding import decide

    accepted(said(table, "red", ProposeTakeBack(4)))
    forged = decide(table.history.base(4), "blue", AgreeToTakeBack(7, to=4))
    assert isinstance(forged, Forbidden)
    assert [(one.code, one.because) for one in forged.reasons] == [("wrong_entry", ("LS-3.3",))]


def test_verifying_says_on_whose_word_a_game_went_back(table: Session) -> None:
    """Consent in entries of each seat's own, on the keeper's word, of the arbiter and of nobody are told apart (LS-3.4)."""
    accepted(said(table, "red", ProposeTakeBack(4)))
    accepted(said(table, "green", AgreeToTakeBack(7)))
    accepted(said(table, "blue", AgreeToTakeBack(7)))
    accepted(table.take_back("red", 6, agreed=("green", "blue")))
    accepted(table.take_back("red", 4, arbiter="Ann"))
    accepted(table.submit(ARBITER, MoveHead(1)))
    accepted(table.rule(WentBack(4), "as it was"))
    report = verified(table)
    assert report.ok
    assert [(each.entry, each.by, each.how, each.agreed) for each in report.consents] == [
        (9, "red", "each", {"green": 8, "blue": 9}),
        (10, "red", "keeper", {"green": 0, "blue": 0}),
        (11, "red", "keeper", {}),
        (12, ARBITER, "arbiter", {}),
        (13, ARBITER, "arbiter", {}),
    ]
    assert report.consents[0].words() == (
        "entry 9, red went back: each seat agreed in an entry of its own (green in entry 8, blue in entry 9)"
    )
    assert "(Ann)" in report.consents[2].words()
