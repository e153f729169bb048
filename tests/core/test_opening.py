"""Opening a game: what the law of the table asks of seats, answers, options and positions (LS-1)."""

from typing import Any

import pytest

from core.deciding import Decision, Refused, decide, opening, refusals
from core.folding import fold
from core.kit.disputing import RaiseDispute
from core.kit.table import OpenGame
from core.seats import ARBITER, CHANCE
from events.entry import Entry
from events.play import Turned
from events.table import GameOpened
from tests.driver import AT, Table
from tests.toys.fair import RULES
from tests.toys.fair.coins import CharmSet, CoinsSet
from tests.toys.fair.deck import CardsSet, HandSet
from tests.toys.fair.turns import Rest, Turn

PAIR = ("red", "blue")


def opened(**fields: Any) -> OpenGame[Any]:
    return OpenGame(**{"id": "g", "game": "fair", "seats": PAIR, **fields})


def decided(command: Any, seat: str = ARBITER) -> Decision[Any] | Refused:
    return decide(opening(RULES), seat, command)


def test_an_opening_states_the_answer_to_every_point_and_the_value_of_every_option() -> None:
    """LS-1.3, LS-1.4: a default that changes later changes no log, since each log holds its own."""
    decision = decided(opened())
    assert isinstance(decision, Decision)
    fact = decision.facts[0]
    assert fact == GameOpened(
        "g", "fair", 1, PAIR, {"FA-X1": "two"}, options={"hands": "empty"}, because=("LS-1.1",)
    )
    assert decision.facts[-1] == Turned(0, (Turn("red"),))
    assert decision.command_to == ()
    assert decision.after.table.answers == {"FA-X1": "two"}
    assert decision.after.entry == 2


@pytest.mark.parametrize(
    ("fields", "code", "section"),
    (
        ({"seats": ("red", "violet")}, "no_such_seat", "LS-1.2"),
        ({"seats": ("red", "red")}, "wrong_seats", "LS-1.2"),
        ({"seats": ("red",)}, "wrong_seats", "LS-1.2"),
        ({"seats": ()}, "wrong_seats", "LS-1.2"),
        ({"game": "skirmish"}, "wrong_game", "LS-1.1"),
        ({"answers": {"FA-X9": "two"}}, "no_such_point", "LS-1.3"),
        ({"answers": {"FA-X1": "seven"}}, "no_such_answer", "LS-1.3"),
        ({"options": {"hands": "full"}}, "no_such_option", "LS-1.4"),
        ({"options": {"feet": "empty"}}, "no_such_option", "LS-1.4"),
        ({"dice": "magic"}, "no_such_dice", "LS-4.5"),
        ({"dice": "sealed"}, "no_commitment", "LS-4.4"),
        ({"dice": "sealed", "commitment": "xx"}, "no_commitment", "LS-4.4"),
        ({"position": (CoinsSet("violet", 3),)}, "unsound", "LS-1.5"),
        ({"position": (CharmSet("red", "broken_mirror"),)}, "unsound", "LS-1.5"),
        ({"position": (CardsSet("red", 13),)}, "unsound", "LS-1.5"),
        ({"position": (HandSet("red", "curse"),)}, "unsound", "LS-1.5"),
    ),
)
def test_an_opening_that_the_game_does_not_have_is_refused(
    fields: dict[str, Any], code: str, section: str
) -> None:
    """LS-1: seats, answers, options and positions are those of the game; nothing happens otherwise."""
    refused = decided(opened(**fields))
    assert isinstance(refused, Refused)
    assert [(reason.code, reason.because) for reason in refused.reasons] == [(code, (section,))]
    assert refusals(opening(RULES), ARBITER, opened(**fields)) == refused.reasons


def test_every_reason_against_an_opening_is_named_at_once() -> None:
    """A refusal lists all that is wrong, so that one slip does not hide the next."""
    refused = decided(opened(seats=("red", "violet", "red"), answers={"X": "y"}, options={"a": "b"}), "red")
    assert isinstance(refused, Refused)
    assert [reason.code for reason in refused.reasons] == [
        "not_the_arbiter", "no_such_seat", "wrong_seats", "no_such_point", "no_such_option",
    ]  # fmt: skip


@pytest.mark.parametrize("seat", ("red", CHANCE))
def test_only_the_arbiter_opens_a_game(seat: str) -> None:
    """LS-1.1: from the seat arbiter, whoever sits there."""
    refused = decided(opened(), seat)
    assert isinstance(refused, Refused)
    assert [reason.code for reason in refused.reasons] == ["not_the_arbiter"]


def test_a_log_opens_one_game_only() -> None:
    """LS-1.1: a second opening is refused, and a table command before the first is."""
    decision = decided(opened())
    assert isinstance(decision, Decision)
    again = decide(decision.after, ARBITER, opened())
    assert isinstance(again, Refused)
    assert [reason.code for reason in again.reasons] == ["opened_already"]
    early = decided(RaiseDispute(1, "nothing is right"), "red")
    assert isinstance(early, Refused)
    assert [(reason.code, reason.because) for reason in early.reasons] == [("not_opened", ("LS-1.1",))]


def test_before_the_opening_nothing_is_asked() -> None:
    """LS-2.1: a command of the game finds no question."""
    refused = decided(Rest(), "red")
    assert isinstance(refused, Refused)
    assert [(reason.code, reason.because) for reason in refused.reasons] == [("nothing_asked", ("LS-2.1",))]


def test_an_opening_with_a_sealed_set_up_is_sealed_to_the_arbiter() -> None:
    """Who may not see a hand may not see the command that dealt it; the opening itself is public."""
    decision = decided(opened(position=(CardsSet("red", 1), HandSet("red", "curse"))))
    assert isinstance(decision, Decision)
    assert decision.command_to == (ARBITER,)
    assert decision.audiences[:3] == ((), (), ("red",))


def test_an_opening_folds_to_what_was_decided_though_the_reader_may_not_see_the_hand() -> None:
    """LS-1.5: for a reader without openings the hand folds to nothing."""
    table = Table(RULES).when(ARBITER, opened(position=(CardsSet("red", 1), HandSet("red", "curse"))))
    assert table.state.hands == {"red": {"curse": 1}}
    assert table.view("blue").state.hands == {}
    assert table.view("red").state.hands == {"red": {"curse": 1}}


def test_a_log_keeps_the_answers_it_was_opened_with() -> None:
    """LS-1.3: a point that the log does not know has the answer that older logs mean."""
    decision = decided(opened(answers={"FA-X1": "three"}))
    assert isinstance(decision, Decision)
    assert decision.after.answer("FA-X1") == "three"
    without = GameOpened("g", "fair", 1, PAIR, {}, options={"hands": "empty"})
    entry: Entry[Any, Any] = Entry(1, 0, AT, ARBITER, opened(), (without,))
    assert fold(opening(RULES), entry).answer("FA-X1") == "two"
