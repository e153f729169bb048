"""The session: where commands meet clock, dice and disk."""

import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.asking import Between
from core.kit.chance import AnswerRoll
from core.kit.table import OpenGame
from core.refusal import Refusal
from core.rules import Rules
from core.seats import ARBITER, CHANCE
from core.table import Table
from events.entry import SealedCommand
from events.event import FactData
from events.play import Sealed
from events.store import GameExists, NoSuchGame
from events.stores import open_store
from events.table import Answered, Upheld, WentBack
from replay.session import Accepted, Refused, RefusedByRules, Session, utc_now
from tests.replay.engine import (
    Memory,
    accepted,
    create,
    memory,
    play_on,
    reasons,
    refused,
    reopened,
    spoil,
    verified,
    words,
)


@pytest.fixture
def table(skirmish: Rules[Any]) -> tuple[Session, Any]:
    """A game of red and blue with typed dice, and the words of the game."""
    return create(skirmish), words(skirmish)


def test_a_game_opens_with_every_point_answered(skirmish: Rules[Any]) -> None:
    """The opening holds the answer to every point; a house answer may be named without the book's letters (LS-1.3)."""
    assert create(skirmish).now.table.answers == {"TS-X1": "three"}
    assert create(skirmish, answers={"X1": "four"}).now.table.answers == {"TS-X1": "four"}


@pytest.mark.parametrize(
    ("asked", "code"),
    (
        ({"seats": ("red",)}, ("wrong_seats", "LS-1.2")),
        ({"seats": ("red", "violet")}, ("no_such_seat", "LS-1.2")),
        ({"answers": {"X9": "three"}}, ("no_such_point", "LS-1.3")),
        ({"answers": {"X1": "five"}}, ("no_such_answer", "LS-1.3")),
        ({"options": {"board": "small"}}, ("no_such_option", "LS-1.4")),
        ({"dice": "loaded"}, ("no_such_dice", "LS-4.5")),
        ({"title": 7}, ("malformed", "LS-2.1")),
    ),
)
def test_a_game_that_the_rules_do_not_have_is_not_opened(
    skirmish: Rules[Any], asked: dict[str, Any], code: tuple[str, str]
) -> None:
    """Seats, answers, options and dice must be ones that there are (LS-1); nothing is kept of a refused opening."""
    store = Memory()
    with pytest.raises(RefusedByRules) as raised:
        create(skirmish, store, **asked)
    assert code in [(reason.code, reason.because[0]) for reason in raised.value.reasons]
    assert store.games() == []


def test_a_name_is_given_to_one_game_only(table: tuple[Session, Any]) -> None:
    """A second game of the same name is not opened, and the first stays as it is."""
    session, _ = table
    with pytest.raises(GameExists, match="'g'"):
        create(session.rules, session.store)
    assert session.store.head("g").id == 1
    with pytest.raises(NoSuchGame):
        Session.open(session.store, "h", rules=session.rules)


def test_time_is_written_as_utc_to_the_millisecond() -> None:
    """The clock gives RFC 3339 with a Z (design, the log only grows)."""
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", utc_now())


def test_who_acts_and_when_stands_in_the_entry(table: tuple[Session, Any]) -> None:
    """The entry names seat, person, time and key; the source of dice is empty where none fell."""
    session, toy = table
    entry = accepted(session.submit("red", toy.Bid(2), key="k1", actor="Ada"))
    assert (entry.id, entry.parent, entry.seat, entry.actor, entry.key) == (2, 1, "red", "Ada", "k1")
    assert (entry.at, entry.source) == ("2026-01-01T00:01:00.000Z", "")
    assert entry.prev == session.entries[1].prev != ""


def test_two_seats_that_answer_at_once_both_succeed(table: tuple[Session, Any]) -> None:
    """A seat's question survives the answer of another seat: neither is told that it came too late (LS-2.2)."""
    session, toy = table
    red, blue = session.asks("red")[0].name, session.asks("blue")[0].name
    other = reopened(session)
    accepted(session.submit("red", toy.Bid(3), question=red))
    assert other.head.id == 1, "the other has not yet seen what red did"
    accepted(other.submit("blue", toy.Bid(2), question=blue))
    session.refresh()
    assert [entry.seat for entry in session.entries] == [ARBITER, "red", "blue"]


def test_two_writers_to_one_question_one_wins_and_the_other_hears_what_happened(
    table: tuple[Session, Any],
) -> None:
    """A question that was answered is stale, and the loser is told what happened since (LS-2.2)."""
    session, toy = table
    question = session.asks("red")[0].name
    other = reopened(session)
    accepted(session.submit("red", toy.Bid(3), question=question))
    answer = refused(other.submit("red", toy.Bid(1), question=question))
    assert (answer.stale, reasons(answer)) == (True, [("stale_question", "LS-2.2")])
    assert [(entry.id, entry.seat) for entry in answer.since] == [(2, "red")]
    assert session.store.head("g").id == 2


def test_a_lost_race_is_decided_again_on_what_stands_now(table: tuple[Session, Any]) -> None:
    """Between deciding and appending another seat may write; the command is decided again, not refused for the head."""
    session, toy = table
    other = reopened(session)
    memory(session).before_append.append(lambda: accepted(other.submit("blue", toy.Bid(1))))
    entry = accepted(session.submit("red", toy.Bid(3)))
    assert (entry.id, entry.parent) == (3, 2)
    assert session.now.state.agenda[-1].step == toy.Throwing("red")


def test_a_refusal_on_an_old_head_is_looked_at_again(table: tuple[Session, Any]) -> None:
    """A session that has not seen what others did takes it in before it refuses."""
    session, toy = table
    other = reopened(session)
    accepted(session.submit("red", toy.Bid(3)))
    accepted(session.submit("blue", toy.Bid(1)))
    accepted(other.submit("red", toy.Throw("blue")))


def test_the_same_key_again_gives_the_same_answer_and_one_entry(skirmish: Rules[Any]) -> None:
    """A command may be sent again under its key; the answer is that of the first time, dice included (LS-2.5)."""
    session, toy = create(skirmish, dice="live"), words(skirmish)
    session.submit("red", toy.Bid(3))
    session.submit("blue", toy.Bid(2))
    first = session.submit("red", toy.Throw("blue"), key="k")
    assert isinstance(first, Accepted)
    assert [entry.seat for entry in first.entries] == ["red", CHANCE]
    play_on(session, 12)
    head = session.head
    for again in (session, reopened(session)):
        assert again.submit("red", toy.Throw("blue"), key="k") == Accepted(first.entries, repeated=True)
    assert session.store.head("g") == head


def test_a_key_stands_for_one_command(table: tuple[Session, Any]) -> None:
    """The same key with another command, or from another seat, is refused (LS-2.5)."""
    session, toy = table
    accepted(session.submit("red", toy.Bid(3), key="k"))
    assert reasons(session.submit("red", toy.Bid(2), key="k")) == [("key_used", "LS-2.5")]
    assert reasons(session.submit("blue", toy.Bid(3), key="k")) == [("key_used", "LS-2.5")]
    assert session.head.id == 2


def test_a_key_that_another_used_in_the_same_breath_is_found(table: tuple[Session, Any]) -> None:
    """The store may find the key used only when it appends; the answer is still that of the first."""
    session, toy = table
    other = reopened(session)
    memory(session).before_append.append(lambda: accepted(other.submit("red", toy.Bid(3), key="k")))
    answer = session.submit("red", toy.Bid(3), key="k")
    assert isinstance(answer, Accepted)
    assert (answer.repeated, answer.entries[0].id, session.head.id) == (True, 2, 2)


def test_a_take_back_may_be_sent_again_under_its_key(table: tuple[Session, Any]) -> None:
    """What had been learned is written by the session; it does not make the same take-back another command (LS-2.5)."""
    session, toy = table
    accepted(session.submit("red", toy.Bid(3)))
    accepted(session.submit("blue", toy.Bid(1)))
    accepted(session.take_back("red", 1, agreed=("blue",), key="k"))
    again = session.take_back("red", 1, agreed=("blue",), key="k")
    assert isinstance(again, Accepted)
    assert again.repeated


@pytest.mark.parametrize(
    "spoil",
    (
        lambda toy: toy.Bid("three"),
        lambda toy: toy.Bid(-1),
        lambda toy: toy.Bid(2**70),
        lambda toy: toy.Bid(1.5),
        lambda toy: toy.Bid(True),
        lambda toy: toy.Throw(""),
        lambda toy: toy.Throw(["blue"]),
        lambda toy: toy.BidMade("red"),
        lambda toy: SealedCommand("00", ("red",)),
        lambda toy: {"Do": "Bid", "pebbles": 1},
        lambda toy: None,
    ),
)
def test_a_malformed_command_is_refused_and_nothing_is_written(
    table: tuple[Session, Any], spoil: Any
) -> None:
    """What could not be read back from the log is no command: it is refused before any rule looks at it (LS-2.1)."""
    session, toy = table
    assert reasons(session.submit("red", spoil(toy))) == [("malformed", "LS-2.1")]
    assert session.store.head("g").id == 1


def test_a_command_that_holds_no_text_is_refused_and_nothing_is_written(table: tuple[Session, Any]) -> None:
    """Half a sign, such as bytes of a command line come as, can't be written to a log (LS-1.8)."""
    session, toy = table
    assert reasons(session.submit("red", toy.Throw("\ud800"))) == [("no_text", "LS-1.8")]
    assert session.store.head("g").id == 1


def test_who_does_not_sit_at_the_table_is_not_heard(table: tuple[Session, Any]) -> None:
    """A seat of the game that nobody took, or none at all, can command nothing (LS-1.2)."""
    session, toy = table
    for stranger in ("green", "nobody", ""):
        assert reasons(session.submit(stranger, toy.Bid(1))) == [("no_such_seat", "LS-1.2")]


def test_a_question_is_answered_by_what_it_waits_for(table: tuple[Session, Any]) -> None:
    """Who names a question must answer it; a name that never was is stale, whatever it looks like (LS-2.1, LS-2.2)."""
    session, toy = table
    name = session.asks("red")[0].name
    assert reasons(session.submit("red", toy.Throw("blue"), question=name)) == [("not_this_now", "TS-1.1")]
    for wrong in ("1.0.blue", "9.9.red", "²", "1" * 400, "no name"):
        assert reasons(session.submit("red", toy.Bid(1), question=wrong)) == [("stale_question", "LS-2.2")]


def test_typed_dice_are_given_by_a_person_as_chance(table: tuple[Session, Any]) -> None:
    """A typed roll is a command of the seat chance, and the session writes that it was typed (LS-4.5)."""
    session, toy = table
    accepted(session.submit("red", toy.Bid(3)))
    accepted(session.submit("blue", toy.Bid(1)))
    accepted(session.submit("red", toy.Throw("blue")))
    (ask,) = session.asks(CHANCE)
    assert ask.question.kind == "roll"
    assert reasons(session.submit(CHANCE, AnswerRoll((1,)))) == [("wrong_dice_count", "TS-2.2")]
    assert reasons(session.submit(CHANCE, AnswerRoll((1, 7)))) == [("no_such_face", "LS-4.2")]
    assert reasons(session.submit("red", AnswerRoll((1, 1)))) == [("not_your_turn", "TS-2.2")]
    entry = accepted(session.submit(CHANCE, AnswerRoll((1, 5)), question=ask.name))
    assert entry.source == "typed"
    assert entry.facts[1] == toy.PebblesLost("blue", 1, because=("TS-2.2",))


def test_no_command_answers_for_dice_that_are_not_typed(skirmish: Rules[Any]) -> None:
    """Where the dice come from is for the session to say: no command can claim it (LS-4.5)."""
    session = create(skirmish, dice="sealed", seed="5eed" * 16)
    assert reasons(session.submit(CHANCE, AnswerRoll((1, 1)))) == [("not_typed", "LS-4.5")]
    assert "source" not in AnswerRoll.__struct_fields__


def test_a_roll_left_open_by_a_crash_is_answered_before_anything_else(skirmish: Rules[Any]) -> None:
    """A session that died between the throw and its dice leaves the roll open; the next one to write answers it first."""
    store, toy = Memory(), words(skirmish)
    session = create(skirmish, store, dice="live")
    accepted(session.submit("red", toy.Bid(3)))
    accepted(session.submit("blue", toy.Bid(1)))

    def die() -> None:
        raise KeyboardInterrupt

    store.before_append += [lambda: None, die]
    with pytest.raises(KeyboardInterrupt):
        session.submit("red", toy.Throw("blue"))
    assert store.head("g").id == 4
    after = reopened(session)
    accepted(after.submit("red", toy.Bid(0)))
    assert [entry.seat for entry in after.entries[3:]] == ["red", CHANCE, "red"]


def test_a_dispute_stops_the_game_and_its_dice_until_it_is_ruled(skirmish: Rules[Any]) -> None:
    """While a dispute is open only the arbiter is asked; afterwards chance answers what had waited (LS-5.1)."""
    session, toy = create(skirmish, dice="live"), words(skirmish)
    accepted(session.dispute("blue", 1, "red counts badly"))
    assert reasons(session.submit("red", toy.Bid(1))) == [("disputed", "LS-5.1")]
    assert session.asks("red") == ()
    accepted(session.rule(Upheld(), "he does not", dispute=2, because=("TS-1.1",)))
    accepted(session.submit("red", toy.Bid(1)))
    accepted(session.submit("blue", toy.Bid(0)))
    assert session.now.table.disputes == ()


def test_a_ruling_renames_the_open_question_and_answers_the_point(table: tuple[Session, Any]) -> None:
    """After a ruling the question is derived again under a new name; who answers by the old one is stale (LS-5.3)."""
    session, toy = table
    accepted(session.submit("red", toy.Bid(3)))
    accepted(session.submit("blue", toy.Bid(1)))
    accepted(session.submit("red", toy.Throw("blue")))
    (before,) = session.asks(CHANCE)
    accepted(session.rule(Answered("TS-X1", "four"), "the printer's errata say so"))
    (after,) = session.asks(CHANCE)
    assert before.name != after.name
    roll = after.question.roll
    assert roll is not None
    assert getattr(roll.counts, "faces", ()) == (1, 2, 3, 4)
    stale = refused(session.submit(CHANCE, AnswerRoll((4, 4)), question=before.name))
    assert stale.stale
    entry = accepted(session.submit(CHANCE, AnswerRoll((4, 4)), question=after.name))
    assert entry.facts[1] == toy.PebblesLost("blue", 2, because=("TS-2.2",))


def test_a_correction_sets_the_position_right_and_renames_the_question(table: tuple[Session, Any]) -> None:
    """The arbiter corrects in set-up facts, with a reason; nobody else does (LS-6.1)."""
    session, toy = table
    before = session.asks("red")[0].name
    accepted(session.correct("one pebble had rolled away", [toy.PebblesSet("red", 6)]))
    (ask,) = session.asks("red")
    assert ask.name != before
    assert ask.offers[0].fields == {"pebbles": Between(0, 6)}
    correct = type(session.entries[-1].command)
    assert reasons(session.submit("red", correct("mine", (toy.PebblesSet("red", 9),))))[0] == (
        "not_the_arbiter",
        "LS-6.1",
    )


def test_the_arbiter_may_go_back_unasked(table: tuple[Session, Any]) -> None:
    """A ruling may send the game back to an entry; it goes on from there, and the ruling stands (LS-5.3)."""
    session, toy = table
    accepted(session.submit("red", toy.Bid(3)))
    entry = accepted(session.rule(WentBack(1), "red had not heard the price"))
    assert (entry.id, entry.parent) == (3, 1)
    assert session.asks("red")
    assert session.now.table.rulings == (3,)
    moved = entry.facts[1]
    assert (moved.by, moved.arbiter, moved.reason) == (ARBITER, "", "red had not heard the price")
    assert moved.learned == entry.command.learned == ("entry 2: act of red",), (
        "as a take-back would record it"
    )
    assert verified(session).ok


def test_after_the_end_nothing_is_played_but_disputes_are_heard(skirmish: Rules[Any]) -> None:
    """When the game is over, no command of the game is accepted; table commands still are (LS-2.3)."""
    session, toy = create(skirmish, dice="live"), words(skirmish)
    play_on(session, 10_000)
    assert session.now.state.ended is not None
    assert reasons(session.submit("red", toy.Bid(0))) == [("game_over", "LS-2.3")]
    accepted(session.dispute("red", session.head.id, "that last die was cocked"))


def test_an_opened_log_says_what_the_live_session_says(skirmish: Rules[Any]) -> None:
    """Folding what is stored gives the very states, entries and questions of the session that played it."""
    session = create(skirmish, dice="live", seats=("red", "blue", "green"))
    play_on(session, 40, seed=3)
    again = reopened(session)
    assert again.entries == session.entries
    assert [(m.state, m.table, m.entry) for m in again.moments] == [
        (m.state, m.table, m.entry) for m in session.moments
    ]
    assert [again.asks(seat) for seat in session.now.table.seats] == [
        session.asks(seat) for seat in session.now.table.seats
    ]
    assert again.at(7).state == session.moments[7].state
    with pytest.raises(LookupError, match="holds 1 to"):
        again.at(again.head.id + 1)


@pytest.mark.parametrize("name", ("games", "games.sqlite"))
def test_a_session_plays_on_every_store(skirmish: Rules[Any], tmp_path: Path, name: str) -> None:
    """The session knows the protocol alone: JSON lines and SQLite hold the same game."""
    store, toy = open_store(tmp_path / name), words(skirmish)
    session = create(skirmish, store, dice="live")
    accepted(session.submit("red", toy.Bid(3), key="k"))
    other = reopened(session)
    accepted(other.submit("blue", toy.Bid(1)))
    accepted(session.submit("red", toy.Throw("blue")))
    again = session.submit("red", toy.Bid(3), key="k")
    assert isinstance(again, Accepted)
    assert again.repeated
    play_on(session, 30)
    assert verified(reopened(session)).ok
    store.close()


@pytest.mark.parametrize("name", ("games", "games.sqlite"))
def test_seats_in_threads_of_their_own_play_one_game(skirmish: Rules[Any], tmp_path: Path, name: str) -> None:
    """Three seats, three sessions, one store: whoever is first, all bids are taken, each race is decided again."""
    store, toy, seats = open_store(tmp_path / name), words(skirmish), ("red", "blue", "green")
    for game in ("g1", "g2", "g3", "g4", "g5"):
        create(skirmish, store, game=game, seats=seats)
        ready = Barrier(len(seats))

        def bid(seat: str, game: str = game, ready: Barrier = ready) -> Accepted | Refused:
            session = Session.open(store, game, rules=skirmish)
            question = session.asks(seat)[0].name
            ready.wait(10)
            return session.submit(seat, toy.Bid(2), question=question, key=seat)

        with ThreadPoolExecutor(len(seats)) as pool:
            for outcome in pool.map(bid, seats):
                accepted(outcome)
        whole = Session.open(store, game, rules=skirmish)
        assert whole.head.id == 4
        assert whole.now.state.agenda[-1].step == toy.Throwing("red")
        assert verified(whole).ok
    store.close()


def test_a_log_with_an_unknown_fact_opens_to_be_read(skirmish: Rules[Any]) -> None:
    """What this program does not know is shown, never folded: the log opens as far as it folds, and nothing is added (LS-2.6)."""
    store, toy = Memory(), words(skirmish)
    session = create(skirmish, store, dice="live")
    play_on(session, 8)
    spoil(store, 5, rb'"facts":\[', b'"facts":[{"Fact":"WitchCame","seat":"red"},')
    again = Session.open(store, "g", rules=skirmish)
    assert again.stopped is not None
    assert (again.stopped.entry, len(again.moments)) == (5, 5)
    assert "WitchCame" in str(again.stopped)
    assert len(again.entries) == session.head.id, "later entries stay listed"
    assert again.at(4).state == session.at(4).state
    with pytest.raises(LookupError, match="WitchCame"):
        again.at(6)
    assert reasons(again.submit("red", toy.Bid(1))) == [("read_only", "LS-2.6")]


def test_a_log_of_a_newer_revision_opens_to_be_read(skirmish: Rules[Any]) -> None:
    """A newer revision may mean other things by the same words: its logs are read, not written (LS-2.6)."""
    store, toy = Memory(), words(skirmish)
    create(skirmish, store)
    spoil(store, 1, rb'"revision":1', b'"revision":2')
    again = Session.open(store, "g", rules=skirmish)
    assert again.stopped is None
    assert "revision 2" in again.read_only
    assert reasons(again.submit("red", toy.Bid(1))) == [("read_only", "LS-2.6")]


def test_a_broken_line_ends_what_is_listed(skirmish: Rules[Any]) -> None:
    """A line that cannot be read, or that follows another log, stops the fold there and says why."""
    for pattern, new in ((rb'"seat":"blue"', b'"seat":7'), (rb'"prev":"....', b'"prev":"beef')):
        store = Memory()
        session = create(skirmish, store, dice="live")
        toy = words(skirmish)
        accepted(session.submit("red", toy.Bid(3)))
        accepted(session.submit("blue", toy.Bid(1)))
        spoil(store, 3, pattern, new)
        again = Session.open(store, "g", rules=skirmish)
        assert again.stopped is not None
        assert (again.stopped.entry, len(again.entries)) == (3, 2)
        assert again.read_only


# What a seat may see


def test_a_seat_sees_its_own_secrets_alone(table: tuple[Session, Any]) -> None:
    """A seat's view is a fold of the lines with its own openings; the arbiter's is whole, a spectator's has none."""
    session, toy = table
    accepted(session.submit("red", toy.Bid(3)))
    assert session.view("red").state.bids == {"red": 3}
    assert session.view("blue").state.bids == {}
    assert session.view(None).state.bids == {}
    assert session.view(ARBITER) is session.now
    assert session.view("blue", at=1) is session.at(1)
    (line, own), (other_line, others) = (list(session.lines_as(seat))[1] for seat in ("red", "blue"))
    assert line == other_line
    assert [opening.part for opening in own] == [-1, 1]
    assert others == ()
    assert b'"pebbles"' not in line


def test_what_a_command_caused_is_told_as_its_seat_may_read_it(skirmish: Rules[Any]) -> None:
    """The answer to a command holds nothing that its seat may not see, and neither does what happened since."""
    session, toy = create(skirmish), words(skirmish)
    question = session.asks("blue")[0].name
    accepted(session.submit("red", toy.Bid(3)))
    entry = accepted(session.submit("blue", toy.Bid(1)))
    assert entry.command == toy.Bid(1)
    stale = refused(session.submit("blue", toy.Bid(1), question=question))
    red, blue = stale.since
    assert isinstance(red.command, SealedCommand)
    assert [type(fact) is Sealed for fact in red.facts] == [False, True, False]
    assert blue.command == toy.Bid(1)


def test_a_refusal_tells_a_player_only_what_its_own_view_says(
    skirmish: Rules[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the whole state refuses what the seat's view allows, the reason is not told (LS-2.7)."""
    session, toy = create(skirmish), words(skirmish)

    def forbids(_: Any, now: Any, seat: str) -> Any:
        if now.state.bids.get("red") == 3 and seat == "blue":
            yield Refusal("secret", ("TS-1.1",), "Red bid 3!", waivable=True)

    monkeypatch.setattr(toy.Bid, "forbids", forbids)
    accepted(session.submit("red", toy.Bid(3)))
    for overlook in (False, True):
        answer = refused(session.submit("blue", toy.Bid(1), overlook=overlook))
        assert reasons(answer) == [("hidden", "LS-2.7")]
        assert "3" not in answer.reasons[0].text


@given(st.integers(0, 5), st.integers(0, 5))
def test_two_games_that_differ_in_a_secret_are_one_to_who_may_not_see_it(
    skirmish: Rules[Any], one: int, other: int
) -> None:
    """Non-interference: lines with digests and `prev` masked, questions, offers and refusals are equal to blue."""
    toy = words(skirmish)
    seen = []
    for bid in (one, other):
        session = create(skirmish, seats=("red", "blue", "green"))
        accepted(session.submit("red", toy.Bid(bid)))
        lines = [
            re.sub(rb'"(prev|digest)":"[0-9a-f]{64}"', rb'"\1":"*"', line)
            for line, own in session.lines_as("blue")
            if not own
        ]
        refusals = [
            session.submit("blue", command, overlook=overlook)
            for command in (toy.Bid(9), toy.Throw("red"), AnswerRoll((1, 1)))
            for overlook in (False, True)
        ]
        view = session.view("blue").state
        seen.append((lines, refusals, session.asks("blue"), session.learned("blue", 1), view))
    assert seen[0] == seen[1]


def test_a_log_opens_by_the_game_that_its_first_line_names(skirmish: Rules[Any]) -> None:
    """Nobody need say which rules a log was played by."""
    session = create(skirmish)
    assert Session.open(session.store, "g").rules is skirmish
    assert isinstance(session.entries[0].command, OpenGame)
    assert isinstance(session.now.table, Table)
    assert all(isinstance(fact, FactData) for fact in session.entries[0].facts)
