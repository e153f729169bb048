"""A seat that is eliminated in the middle of a resolution, and a game that ends inside an effect."""

from collections.abc import Callable

from core.deciding import asks
from core.kit.chance import AnswerRoll
from core.kit.table import MoveHead, Rule
from core.seats import ARBITER, CHANCE
from events.play import GameEnded, Turned
from events.table import Forfeited
from tests.driver import Table, seats_of
from tests.toys.fair import RULES
from tests.toys.fair.auction import Bid, CallAuction, CharmWon
from tests.toys.fair.coins import CharmSet, CharmsLeft, CoinsLost, CoinsSet
from tests.toys.fair.deck import CardPlayed, CardsSet, HandSet
from tests.toys.fair.hail import Hail, PayCard, PayCoin
from tests.toys.fair.knives import Keep, KnivesLaid, ThrowKnives
from tests.toys.fair.ox import Goad
from tests.toys.fair.turns import Rest, TurnEnded
from tests.toys.fair.wheel import DiceCleared

Given = Callable[..., Table]
PAIR = ("red", "blue")
THREE = ("red", "blue", "green")
HAIL = (CardsSet("red", 1), HandSet("red", "hail"))


class TestEliminatedInTheMiddle:
    """FA-9: a seat is out while a resolution is still under way."""

    def test_silence_answers_in_the_same_entry_for_who_is_out(self, given: Given) -> None:
        """FA-9.3: blue is out and still owes his will; he is not asked, his charms go to the first player."""
        table = given(RULES, CoinsSet("blue", 1), CharmSet("blue", "keen_eye"), seats=THREE).dice(6, 1)
        table.when("red", ThrowKnives("blue")).when("red", Keep())
        table.then(
            DiceCleared(),
            CoinsLost("blue", 1),
            CharmsLeft("blue", "red", because=("FA-9.3",)),
            TurnEnded("red"),
        )
        table.asks(green="turn")
        assert table.state.charms == {"keen_eye": "red"}

    def test_an_effect_goes_on_for_the_others_when_one_is_out(self, given: Given) -> None:
        """FA-4.1: blue falls in the hail, and green is still rolled for."""
        table = given(RULES, *HAIL, CoinsSet("blue", 1), seats=THREE).dice(1, 6, 6).when("red", Hail())
        table.then(
            CardPlayed("red", "hail"),
            CoinsLost("blue", 1, because=("FA-4.2",)),
            CoinsLost("green", 1),
            TurnEnded("red"),
        )
        assert table.state.out == ("blue",)

    def test_who_is_out_falls_out_of_the_round_of_turns(self, given: Given) -> None:
        """FA-9.2: nobody waits for him."""
        table = given(RULES, CoinsSet("blue", 1), seats=THREE).dice("gore").when("red", Goad("blue"))
        table.asks(green="turn")
        table.when("blue", Rest()).refused("not_your_turn", "FA-1.1")
        assert list(asks(table.view("blue"), "blue")) == []

    def test_whose_own_turn_it_is_may_be_out_before_it_is_over(self, given: Given) -> None:
        """FA-5.3: red pays his last coin for a charm, leaves it, and his turn ends all the same."""
        table = given(RULES, CoinsSet("red", 3), seats=THREE).when("red", CallAuction())
        table.when("blue", Bid(0)).when("green", Bid(2)).when("red", Bid(3))
        assert table.told[3:-1] == [
            CharmWon("red", "keen_eye", because=("FA-5.3",)),
            CoinsLost("red", 3, because=("FA-5.3",)),
            CharmsLeft("red", "blue", because=("FA-9.3",)),
            TurnEnded("red", because=("FA-1.1",)),
        ]
        table.asks(blue="turn")

    def test_a_seat_that_forfeits_on_its_own_question_is_answered_for_in_the_ruling(
        self, given: Given
    ) -> None:
        """LS-5.3: the hail hit blue, who has cards and owes a choice; silence pays a coin for him."""
        table = given(RULES, *HAIL, CardsSet("blue", 1), HandSet("blue", "rose"), seats=THREE).dice(1, 6)
        table.when("red", Hail()).asks(blue="hail", red="well")
        table.when(ARBITER, Rule(Forfeited("blue"), "went home"))
        assert CoinsLost("blue", 1, because=("FA-4.2",)) in table.told
        table.asks(chance="roll", red="well")

    def test_when_all_others_forfeit_the_last_one_wins(self, given: Given) -> None:
        """FA-9.2: red forfeits on his own turn; silence rests for him, and blue is the last one left."""
        table = given(RULES, seats=PAIR).when(ARBITER, Rule(Forfeited("red"), "went home"))
        assert table.state.ended == GameEnded(("blue",), "last_standing", because=("FA-9.2",))
        assert table.asked() == {}


class TestTheGameEndsInsideAnEffect:
    """FA-9.2: the effect rolls and asks; once the game is over nothing is asked any more."""

    def test_the_end_inside_an_effect_leaves_nothing_open(self, given: Given) -> None:
        """FA-4.1: red falls in his own hail; blue, who is next, is not rolled for."""
        table = given(RULES, *HAIL, CoinsSet("red", 1), seats=PAIR).dice(4)
        table.when("red", Hail()).then(
            CardPlayed("red", "hail"),
            CoinsLost("red", 1),
            GameEnded(("blue",), "last_standing", because=("FA-9.2",)),
        )
        assert table.state.agenda == ()
        assert table.asked() == {}
        assert table.told[-1] == Turned(2), "the hail and the turn beneath it are gone"

    def test_the_end_after_a_choice_inside_an_effect_leaves_nothing_open(self, given: Given) -> None:
        """FA-4.2: blue chooses to pay with his last coin rather than with his rose."""
        table = given(
            RULES, *HAIL, CardsSet("blue", 1), HandSet("blue", "rose"), CoinsSet("blue", 1), seats=PAIR
        )
        table.dice(1, 5).when("red", Hail()).asks(blue="hail", red="well")
        table.when("blue", PayCoin()).then(CoinsLost("blue", 1), GameEnded(("red",), "last_standing"))
        assert seats_of(table.now) == []

    def test_the_same_choice_paid_with_a_card_lets_the_game_go_on(self, given: Given) -> None:
        """FA-4.2: the rose is paid, and blue stays."""
        table = given(
            RULES, *HAIL, CardsSet("blue", 1), HandSet("blue", "rose"), CoinsSet("blue", 1), seats=PAIR
        )
        table.dice(1, 5).when("red", Hail()).when("blue", PayCard("rose"))
        table.then(CardPlayed("blue", "rose"), TurnEnded("red")).asks(blue="turn")

    def test_after_the_end_every_command_is_refused(self, given: Given) -> None:
        """LS-2.3: whoever sends it, and whatever it is."""
        table = given(RULES, CoinsSet("blue", 1), seats=PAIR).dice("gore").when("red", Goad("blue"))
        assert table.state.ended is not None
        for seat in (*PAIR, "chance", "stranger"):
            table.when(seat, Rest()).refused("game_over", "LS-2.3")

    def test_a_game_that_is_over_can_be_taken_back(self, given: Given) -> None:
        """LS-3.1: the game goes on from before its end, as if it had not ended."""
        table = given(RULES, CoinsSet("blue", 1), seats=PAIR).dice("gore").when("red", Goad("blue"))
        assert table.state.ended is not None
        table.when(ARBITER, MoveHead(2, arbiter="misread die")).asks(chance="roll", red="well")
        assert table.state.ended is None
        table.when(CHANCE, AnswerRoll(("miss",))).asks(blue="turn")

    def test_a_fair_that_closes_is_won_by_the_richest_together(self, given: Given) -> None:
        """FA-1.3: the game ends between two turns, with a draw of equals."""
        table = given(RULES, seats=PAIR)
        while table.state.ended is None:
            table.when(next(iter(table.asked())), Rest())
            if table.asked().get(CHANCE):
                table.when(CHANCE, AnswerRoll(("miss",)))
        assert table.state.ended == GameEnded(("red", "blue"), "closing_time", because=("FA-1.3",))

    def test_a_throw_that_ends_the_game_clears_the_table_first(self, given: Given) -> None:
        """FA-10.3: the dice are counted, and then it is over."""
        table = given(RULES, CoinsSet("blue", 1), seats=PAIR).dice(6, 6).when("red", ThrowKnives("blue"))
        table.then(KnivesLaid((6, 6)))
        table.when("red", Keep()).then(
            DiceCleared(), CoinsLost("blue", 1), GameEnded(("red",), "last_standing")
        )
        assert table.state.lay == ()
