"""Drawing without replacement, reshuffling, and hands that nobody who records can see."""

from collections import Counter
from collections.abc import Callable

from core.asking import OneOf
from core.deciding import asks
from core.kit.chance import Deal
from core.seats import CHANCE
from events.entry import SealedCommand
from events.play import Sealed
from tests.driver import SPECTATOR, Table
from tests.toys.fair import RULES
from tests.toys.fair.coins import CoinsLost
from tests.toys.fair.deck import (
    CardDealt,
    CardPlayed,
    CardsSet,
    CardTaken,
    DrawFortune,
    HandSet,
    PileSet,
    Reshuffled,
)
from tests.toys.fair.scrolls import Curse, Endure, Mirror
from tests.toys.fair.state import FORTUNES
from tests.toys.fair.turns import TurnEnded

Given = Callable[..., Table]
PAIR = ("red", "blue")
PILE = (PileSet("curse", 4), PileSet("mirror", 3), PileSet("hail", 2))


def pool(table: Table) -> Counter[str]:
    (ask,) = asks(table.now, CHANCE)
    (offer,) = ask.offers
    bound = offer.fields["card"]
    assert isinstance(bound, OneOf)
    return Counter(bound.values)


class TestDrawing:
    """FA-3.1: what is drawn is not put back."""

    def test_who_draws_sees_the_card_and_everybody_sees_that_he_drew(self, given: Given) -> None:
        """FA-3.1: the card and the command of chance are sealed to the drawer, the count is public."""
        table = given(RULES, seats=PAIR).cards("hail").when("red", DrawFortune())
        table.then(CardDealt("red", "fortunes", 11), CardTaken("red", "hail"), TurnEnded("red"))
        dealt = table.log[-1]
        for reader in ("blue", SPECTATOR):
            seen = table.seen(dealt, reader)
            assert isinstance(seen.command, SealedCommand)
            assert seen.command.to == ("red",)
            assert isinstance(seen.facts[1], Sealed)
            assert table.view(reader).state.cards == {"red": 1, "blue": 0}
            assert table.view(reader).state.hands == {}
        assert table.seen(dealt, "red").command == Deal("hail")

    def test_each_card_that_is_drawn_is_missing_in_the_next_draw(self, given: Given) -> None:
        """FA-3.1: the pool is the deck less what is on hands and on the pile."""
        table = given(RULES, PileSet("rose", 2), seats=PAIR).when("red", DrawFortune())
        assert pool(table) == Counter(FORTUNES) - Counter(rose=2)
        table.when(CHANCE, Deal("rose")).when("blue", DrawFortune())
        assert pool(table) == Counter(FORTUNES) - Counter(rose=3)

    def test_a_card_that_is_not_left_cannot_be_dealt(self, given: Given) -> None:
        """LS-4.3: all roses are on the pile."""
        table = given(RULES, PileSet("rose", 3), seats=PAIR).when("red", DrawFortune())
        table.when(CHANCE, Deal("rose")).refused("no_such_card", "LS-4.3")
        table.when(CHANCE, Deal("joker")).refused("no_such_card", "LS-4.3")

    def test_the_pool_is_for_chance_alone(self, given: Given) -> None:
        """A seat that counts cards knows its own hand; what is left in the deck is offered to nobody else."""
        table = given(RULES, seats=PAIR).when("red", DrawFortune())
        assert list(asks(table.view("blue"), "blue")) == []
        assert [ask.question.kind for ask in asks(table.view("red"), "red")] == ["well"]

    def test_an_empty_deck_is_made_of_the_open_pile_before_a_card_is_drawn(self, given: Given) -> None:
        """FA-3.2: the reshuffle is a fact, and what was on the pile can be drawn again."""
        table = given(RULES, *PILE, CardsSet("blue", 3), HandSet("blue", "rose", 3), seats=PAIR)
        table.when("red", DrawFortune()).then(Reshuffled(because=("FA-3.2",)))
        assert pool(table) == Counter(curse=4, mirror=3, hail=2)
        table.when(CHANCE, Deal("mirror")).then(
            CardDealt("red", "fortunes", 8), CardTaken("red", "mirror"), TurnEnded("red")
        )

    def test_when_every_card_is_on_a_hand_nobody_draws(self, given: Given) -> None:
        """FA-3.2: there is nothing to reshuffle."""
        hand = (HandSet("blue", card, count) for card, count in FORTUNES.items())
        table = given(RULES, CardsSet("blue", 12), *hand, seats=PAIR)
        table.when("red", DrawFortune()).refused("no_cards_left", "FA-3.2")

    def test_a_card_reaches_no_other_seat_through_what_chance_was_told(self, given: Given) -> None:
        """The command of chance goes to whom the card goes, whatever else is sealed in the same entry."""
        table = given(RULES, options={"hands": "dealt"}, seats=PAIR)
        table.when(CHANCE, Deal("hail")).when(CHANCE, Deal("curse"))
        assert [told.openings[0].to for told in table.log[-2:]] == [("red",), ("blue",)]


class TestUnseenHands:
    """FA-3.4: at a physical table nobody who records sees the cards."""

    def test_a_card_that_nobody_recording_saw_is_written_as_a_question_mark(self, given: Given) -> None:
        """LS-4.3: the hand holds a card that is not known."""
        table = given(RULES, seats=PAIR).cards("?").when("red", DrawFortune())
        table.then(CardDealt("red", "fortunes", 11), CardTaken("red", "?"), TurnEnded("red"))
        assert table.state.hands == {"red": {"?": 1}}

    def test_playing_a_card_names_an_unseen_one(self, given: Given) -> None:
        """FA-3.4: red's unseen card turns out to be a curse; blue's may be a mirror."""
        table = given(
            RULES, *(CardsSet(seat, 1) for seat in PAIR), *(HandSet(seat, "?") for seat in PAIR), seats=PAIR
        )
        table.when("red", Curse("blue")).then(CardPlayed("red", "curse"))
        assert table.state.hands["red"] == {}
        assert {offer.command for offer in table.ask("blue").offers} == {Mirror, Endure}
        table.dice(1).when("blue", Mirror())
        table.then(CardPlayed("blue", "mirror"), CoinsLost("red", 1), TurnEnded("red"))

    def test_an_unseen_card_is_none_of_which_all_copies_have_been_seen(self, given: Given) -> None:
        """FA-3.4: with four curses on the pile nobody holds a fifth."""
        table = given(RULES, PileSet("curse", 4), CardsSet("red", 1), HandSet("red", "?"), seats=PAIR)
        table.when("red", Curse("blue")).refused("all_copies_seen", "FA-3.4")
        assert Curse not in {offer.command for offer in table.ask("red").offers}

    def test_a_known_card_is_played_before_an_unseen_one_is_named(self, given: Given) -> None:
        """FA-3.3: the unseen card stays unseen."""
        table = given(RULES, CardsSet("red", 2), HandSet("red", "?"), HandSet("red", "curse"), seats=PAIR)
        table.dice(1).when("red", Curse("blue"))
        assert table.state.hands["red"] == {"?": 1}

    def test_an_unseen_card_is_counted_as_drawn(self, given: Given) -> None:
        """FA-3.1: the deck shrinks; which card is missing nobody knows, so all kinds can still be dealt."""
        table = given(RULES, seats=PAIR).cards("?").when("red", DrawFortune()).when("blue", DrawFortune())
        assert table.state.deck == 11
        assert pool(table) == Counter(FORTUNES)
