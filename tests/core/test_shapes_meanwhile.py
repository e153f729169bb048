"""Something that is ordered from beneath while another step is open."""

from collections.abc import Callable

import pytest

from core.deciding import asks
from core.kit.chance import AnswerRoll
from core.kit.table import Rule
from core.seats import ARBITER, CHANCE
from events.play import Turned
from events.table import Forfeited
from tests.driver import Table
from tests.toys.fair import RULES
from tests.toys.fair.auction import Bid, CallAuction
from tests.toys.fair.coins import CoinsGained, CoinsLost, CoinsSet
from tests.toys.fair.deck import CardsSet, HandSet
from tests.toys.fair.scrolls import Curse, Endure
from tests.toys.fair.spoils import OpenPurse
from tests.toys.fair.turns import Rest, Toss, Tossed, TurnEnded, Well
from tests.toys.fair.wheel import Spin

Given = Callable[..., Table]
PAIR = ("red", "blue")
CURSE = (CardsSet("red", 1), HandSet("red", "curse"), CardsSet("blue", 1), HandSet("blue", "rose"))


def test_a_coin_may_be_tossed_while_anothers_window_is_open(given: Given) -> None:
    """FA-1.2: red's turn lies beneath blue's window; the well comes on top, and then the window goes on."""
    table = given(RULES, *CURSE, seats=PAIR).when("red", Curse("blue"))
    window = table.ask("blue").name
    table.when("red", Toss()).then(Tossed("red", because=("FA-1.2",)), CoinsLost("red", 1))
    assert table.told[-1] == Turned(0, (Well("red"),))
    table.asks(chance="roll")
    table.when("blue", Endure()).refused("not_your_turn", "FA-1.2")
    table.when(CHANCE, AnswerRoll((6,))).then(CoinsGained("red", 3))
    table.asks(blue="window")
    assert table.ask("blue").name == window, "what lay beneath goes on under its old name"


def test_a_coin_may_be_tossed_while_a_roll_is_open(given: Given) -> None:
    """FA-1.2: the well's die falls first, then the wheel's."""
    table = given(RULES, seats=PAIR).when("red", Spin()).asks(chance="roll", red="well")
    table.when("red", Toss())
    assert isinstance(table.state.agenda[-1].step, Well)
    table.dice(2).when(CHANCE, AnswerRoll((6,)))
    assert [type(fact).__name__ for fact in table.told if not isinstance(fact, Turned)] == [
        "Rolled", "CoinsGained", "Rolled", "DieLaid",
    ]  # fmt: skip
    table.asks(red="wheel")


def test_a_coin_may_be_tossed_while_all_choose_in_secret(given: Given) -> None:
    """FA-1.2: and a seat that is asked twice answers either, each under its own name."""
    table = given(RULES, seats=PAIR).when("red", CallAuction()).asks(red="bid well", blue="bid")
    names = [ask.name for ask in asks(table.view("red"), "red")]
    assert len(set(names)) == 2
    table.dice(1).when("red", Toss()).when("red", Bid(1)).asks(blue="bid")


def test_only_whose_turn_it_is_may_toss_and_only_once(given: Given) -> None:
    """FA-1.2: the question goes to the seat of the turn that lies beneath, until it has tossed."""
    table = given(RULES, seats=PAIR).when("red", OpenPurse())
    table.when("blue", Toss()).refused("not_this_now", "FA-6.2")
    table.dice(1).when("red", Toss()).when("red", Toss()).refused("not_this_now", "FA-6.2")


def test_with_his_last_coin_nobody_is_asked_whether_he_tosses_it(given: Given) -> None:
    """FA-1.2: a player with two coins or more may."""
    given(RULES, CoinsSet("red", 1), seats=PAIR).when("red", OpenPurse()).asks(red="split", blue="split")


def test_what_may_be_ordered_meanwhile_needs_no_answer(given: Given) -> None:
    """FA-1.2: it has no silence; the game waits for nobody's coin."""
    table = given(RULES, seats=PAIR).when("red", OpenPurse())
    assert table.ask("red", "split").silence is not None
    assert table.ask("red", "well").silence is None


def test_a_step_beneath_offers_only_what_may_be_ordered_meanwhile(given: Given) -> None:
    """FA-1.2: the turn that lies beneath would offer every booth were it on top."""
    table = given(RULES, seats=PAIR).when("red", OpenPurse())
    assert [offer.command for offer in table.ask("red", "well").offers] == [Toss]


def test_who_is_out_is_not_asked_from_beneath(given: Given) -> None:
    """Who forfeited his turn while another step is open may order nothing from it."""
    table = given(RULES, *CURSE, seats=("red", "blue", "green")).when("red", Curse("blue"))
    table.asks(blue="window", red="well")
    table.when(ARBITER, Rule(Forfeited("red"), "went home")).asks(blue="window")
    table.when("red", Toss()).refused("not_your_turn", "FA-2.2")


@pytest.mark.parametrize("face", (1, 6))
def test_at_the_beginning_of_a_turn_tossing_leaves_the_turn_to_be_played(given: Given, face: int) -> None:
    """FA-1.2: at any moment of his turn, so also before he has chosen a booth."""
    table = given(RULES, seats=PAIR).dice(face).when("red", Toss()).asks(red="turn")
    table.when("red", Rest()).then(TurnEnded("red"))
