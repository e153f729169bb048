"""A window of reaction after a command: a scroll turned back on its user."""

from collections.abc import Callable

from core.deciding import asks
from tests.driver import Table
from tests.toys.fair import RULES
from tests.toys.fair.coins import CoinsLost
from tests.toys.fair.deck import CardPlayed, CardsSet, HandSet
from tests.toys.fair.scrolls import Curse, Endure, Mirror, Window
from tests.toys.fair.turns import TurnEnded

Given = Callable[..., Table]
PAIR = ("red", "blue")
CURSE = (CardsSet("red", 1), HandSet("red", "curse"))


def test_the_target_of_a_curse_may_turn_it_back_on_its_user(given: Given) -> None:
    """FA-2.2: the mirror is played, and it is the caster who rolls for his loss."""
    table = given(RULES, *CURSE, CardsSet("blue", 1), HandSet("blue", "mirror"), seats=PAIR)
    table.when("red", Curse("blue")).then(CardPlayed("red", "curse", because=("FA-2.1",)))
    table.asks(blue="window", red="well")
    table.dice(3).when("blue", Mirror())
    table.then(CardPlayed("blue", "mirror"), CoinsLost("red", 3, because=("FA-2.3",)), TurnEnded("red"))
    assert table.state.coins == {"red": 3, "blue": 6}


def test_a_curse_that_was_turned_back_opens_no_window(given: Given) -> None:
    """FA-2.2: nobody can turn it again, though its user has a mirror of his own."""
    table = given(
        RULES,
        CardsSet("red", 2),
        HandSet("red", "curse"),
        HandSet("red", "mirror"),
        CardsSet("blue", 1),
        HandSet("blue", "mirror"),
        seats=PAIR,
    )
    table.when("red", Curse("blue")).when("blue", Mirror())
    table.asks(chance="roll", red="well")
    assert table.now.question is not None
    assert table.now.question.roll is not None
    assert table.now.question.roll.owner == "red"


def test_the_window_opens_because_the_target_has_cards_never_because_of_which(given: Given) -> None:
    """FA-2.2: with a rose or with a mirror on his hand the target is asked, and everybody else sees the same."""
    tables = [
        given(RULES, *CURSE, CardsSet("blue", 1), HandSet("blue", card), seats=PAIR).when(
            "red", Curse("blue")
        )
        for card in ("rose", "mirror")
    ]
    for table in tables:
        table.asks(blue="window", red="well")
    rose, mirror = ([offer.command for offer in table.ask("blue").offers] for table in tables)
    assert rose == [Endure]
    assert mirror == [Endure, Mirror]
    seen = [table.view("red") for table in tables]
    assert seen[0].state == seen[1].state
    assert list(asks(seen[0], "red")) == list(asks(seen[1], "red"))


def test_without_cards_the_target_is_not_asked(given: Given) -> None:
    """FA-2.2: an empty hand is public, so the curse falls at once."""
    table = given(RULES, *CURSE, seats=PAIR)
    table.dice(4).when("red", Curse("blue"))
    table.then(CardPlayed("red", "curse"), CoinsLost("blue", 4), TurnEnded("red"))


def test_a_mirror_that_is_not_on_the_hand_cannot_be_played(given: Given) -> None:
    """FA-3.3: the refusal tells the target only what he sees himself: his own hand."""
    table = given(RULES, *CURSE, CardsSet("blue", 1), HandSet("blue", "rose"), seats=PAIR)
    table.when("red", Curse("blue"))
    table.when("blue", Mirror()).refused("no_such_card_on_hand", "FA-3.3")
    table.when("red", Mirror()).refused("not_this_now", "FA-1.2")
    table.asks(blue="window", red="well")


def test_silence_in_the_window_endures_the_curse(given: Given) -> None:
    """FA-2.2: no answer is an answer, whatever the target holds."""
    table = given(RULES, *CURSE, CardsSet("blue", 1), HandSet("blue", "mirror"), seats=PAIR)
    table.when("red", Curse("blue"))
    assert table.ask("blue").silence == Endure()


def test_the_window_says_on_the_agenda_nothing_that_is_secret(given: Given) -> None:
    """The step holds who casts and at whom; what could answer lies on the target's hand alone."""
    table = given(RULES, *CURSE, CardsSet("blue", 1), HandSet("blue", "mirror"), seats=PAIR)
    table.when("red", Curse("blue"))
    assert table.state.agenda[-1].step == Window("red", "blue")
    assert table.view("spectator").state.agenda == table.state.agenda
    assert table.view("spectator").state.hands == {}
    assert table.view("blue").state.hands == {"blue": {"mirror": 1}}
