"""Simultaneous secret choices that are revealed together."""

from collections.abc import Callable
from itertools import permutations

from core.deciding import Decision, decide
from core.kit.table import Rule
from core.seats import ARBITER
from events.entry import SealedCommand
from events.play import Sealed
from events.table import Forfeited
from tests.driver import SPECTATOR, Table
from tests.toys.fair import RULES
from tests.toys.fair.auction import Bid, BidMade, BidNamed, BidsShown, CallAuction, CharmWon
from tests.toys.fair.coins import CoinsLost
from tests.toys.fair.turns import TurnEnded

Given = Callable[..., Table]
THREE = ("red", "blue", "green")


def test_all_players_are_asked_at_once_and_none_sees_what_another_bids(given: Given) -> None:
    """FA-5.2: that a bid was made is public; what was bid, and the command that said so, are sealed to its seat."""
    table = given(RULES, seats=THREE).when("red", CallAuction())
    table.asks(red="bid well", blue="bid", green="bid")
    table.when("blue", Bid(4)).then(BidMade("blue"), BidNamed("blue", 4))
    table.asks(red="bid well", green="bid")
    bid = table.log[-1]
    for reader in ("red", "green", SPECTATOR):
        seen = table.seen(bid, reader)
        assert isinstance(seen.command, SealedCommand)
        assert [type(fact) for fact in seen.facts[:2]] == [BidMade, Sealed]
        assert table.view(reader).state.bids == {}
    own = table.seen(bid, "blue")
    assert own.command == Bid(4)
    assert own.facts[1] == BidNamed("blue", 4, because=("FA-5.2",))


def test_in_whatever_order_bids_arrive_the_state_is_the_same(given: Given) -> None:
    """FA-5.3: bids are shown together; no order of arrival makes a difference to the game."""
    bids = {"red": 2, "blue": 5, "green": 3}
    states = []
    for order in permutations(bids):
        table = given(RULES, seats=THREE).when("red", CallAuction())
        for seat in order:
            table.when(seat, Bid(bids[seat]))
        table.then(
            BidMade(order[-1]),
            BidNamed(order[-1], bids[order[-1]]),
            BidsShown(bids, because=("FA-5.3",)),
            CharmWon("blue", "keen_eye"),
            CoinsLost("blue", 5),
            TurnEnded("red"),
        )
        states.append(table.state)
    assert len(states) == 6
    assert all(state == states[0] for state in states)


def test_a_question_keeps_its_name_while_others_answer_theirs(given: Given) -> None:
    """LS-2.2: two seats that answer together do not make each other's answer stale."""
    table = given(RULES, seats=THREE).when("red", CallAuction())
    name = table.ask("green").name
    table.when("blue", Bid(1)).when("red", Bid(1))
    assert table.ask("green").name == name


def test_nobody_bids_twice_and_nobody_bids_what_he_has_not(given: Given) -> None:
    """FA-5.2: who has bid is not asked any more; a bid is covered by coins."""
    table = given(RULES, seats=THREE).when("red", CallAuction())
    table.when("blue", Bid(7)).refused("too_few_coins", "FA-5.2")
    table.when("blue", Bid(2)).when("blue", Bid(3)).refused("not_your_turn", "FA-5.2")


def test_a_bid_does_not_depend_on_what_the_others_bid(given: Given) -> None:
    """The last bidder finds the same offers whether the others bid high or low."""
    offers = []
    for bids in ((0, 0), (6, 6)):
        table = given(RULES, seats=THREE).when("red", CallAuction())
        table.when("red", Bid(bids[0])).when("blue", Bid(bids[1]))
        offers.append((table.ask("green").offers, table.ask("green").silence))
    assert offers[0] == offers[1]


def test_a_seat_that_forfeits_is_answered_for_at_once_while_the_others_still_choose(given: Given) -> None:
    """LS-5.3: silence bids nothing for who forfeited, in the entry of the ruling, and the ruling stays public."""
    table = given(RULES, seats=THREE).when("red", CallAuction()).when("red", Bid(2))
    table.when(ARBITER, Rule(Forfeited("blue"), "went home"))
    assert [fact for fact in table.told if isinstance(fact, BidMade | BidNamed)] == [
        BidMade("blue", because=("FA-5.2",)),
        BidNamed("blue", 0, because=("FA-5.2",)),
    ]
    table.asks(green="bid", red="well")
    assert table.seen(table.log[-1], SPECTATOR).command == Rule(Forfeited("blue"), "went home")


def test_a_secret_choice_is_lawful_when_it_is_decided_again(given: Given) -> None:
    """Sealing changes nothing of what was decided: the opened entry gives the same facts once more."""
    table = given(RULES, seats=THREE).when("red", CallAuction()).when("blue", Bid(4))
    entry = table.seen(table.log[-1], "blue")
    again = decide(table.moments[entry.parent], "blue", entry.command)
    assert isinstance(again, Decision)
    assert again.facts == entry.facts
    assert again.command_to == ("blue",)
