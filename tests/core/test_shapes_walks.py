"""A move of many steps that another seat's roll interrupts, and a choice among thousands."""

from collections.abc import Callable
from itertools import product
from random import Random

from core.asking import Path
from core.deciding import asks
from tests.driver import Table
from tests.toys.fair import RULES
from tests.toys.fair.coins import CoinsGained, CoinsLost, CoinsSet, PlaceSet
from tests.toys.fair.maze import EDGES, LONGEST, Walk, WalkedTo
from tests.toys.fair.spoils import OpenPurse, Propose
from tests.toys.fair.turns import TurnEnded

Given = Callable[..., Table]
PAIR = ("red", "blue")


def test_a_walk_stops_where_a_guard_watches_and_another_seat_rolls(given: Given) -> None:
    """FA-7.2: red walks, blue's guard at c2 rolls, and the walk goes on from there."""
    table = given(RULES, seats=PAIR).when("red", Walk(("a2", "b2", "c2", "c3", "c4")))
    table.then(WalkedTo("red", "a2"), WalkedTo("red", "b2"), WalkedTo("red", "c2", because=("FA-7.1",)))
    assert table.now.question is not None
    assert table.now.question.roll is not None
    assert table.now.question.roll.owner == "blue"
    assert table.view("blue").state.at["red"] == "c2"


def test_a_walk_that_the_guard_lets_pass_goes_on_to_its_end(given: Given) -> None:
    """FA-7.2: three or more does not see him."""
    table = given(RULES, seats=PAIR).dice(3).when("red", Walk(("a2", "b2", "c2", "c3", "c4")))
    table.then(*(WalkedTo("red", place) for place in ("a2", "b2", "c2", "c3", "c4")), TurnEnded("red"))


def test_a_walk_that_the_guard_sees_ends_there(given: Given) -> None:
    """FA-7.2: one or two takes two coins, and the steps that were left are not walked."""
    table = given(RULES, seats=PAIR).dice(2).when("red", Walk(("a2", "b2", "c2", "c3", "c4")))
    table.then(
        WalkedTo("red", "a2"),
        WalkedTo("red", "b2"),
        WalkedTo("red", "c2"),
        CoinsLost("red", 2),
        TurnEnded("red"),
    )
    assert table.state.at["red"] == "c2"


def test_one_walk_may_be_interrupted_more_than_once(given: Given) -> None:
    """FA-7.2: each watched place rolls for itself."""
    table = given(RULES, PlaceSet("red", "b2"), seats=PAIR).dice(6, 5)
    table.when("red", Walk(("b3", "c3", "c2", "d2")))
    table.then(*(WalkedTo("red", place) for place in ("b3", "c3", "c2", "d2")), TurnEnded("red"))


def test_who_is_caught_with_his_last_coins_is_out_in_the_middle_of_his_walk(given: Given) -> None:
    """FA-9.2: with three players the game goes on without him."""
    table = given(RULES, CoinsSet("red", 2), seats=("red", "blue", "green")).dice(1)
    table.when("red", Walk(("b1", "c1", "c2", "c3")))
    assert table.state.out == ("red",)
    table.asks(blue="turn")


def test_a_walk_that_ends_at_the_hoard_pays(given: Given) -> None:
    """FA-7.3: four coins, and back to the gate."""
    table = given(RULES, PlaceSet("red", "e6"), seats=PAIR).when("red", Walk(("f6",)))
    table.then(WalkedTo("red", "f6"), CoinsGained("red", 4), WalkedTo("red", "a1"), TurnEnded("red"))


def walks(place: str, steps: int) -> int:
    """Count the walks of 1 to so many steps from a place."""
    ways, total = {place: 1}, 0
    for _ in range(steps):
        after: dict[str, int] = {}
        for at, count in ways.items():
            for onto in EDGES[at]:
                after[onto] = after.get(onto, 0) + count
        ways, total = after, total + sum(after.values())
    return total


def test_a_choice_among_thousands_is_one_offer_with_bounds(given: Given) -> None:
    """The walks from the gate are counted in thousands; the offer holds the map and two numbers."""
    table = given(RULES, seats=PAIR)
    offers = [offer for offer in table.ask("red").offers if offer.command is Walk]
    assert len(offers) == 1
    assert offers[0].fields == {"path": Path("a1", EDGES, 1, LONGEST)}
    assert walks("a1", LONGEST) > 10_000


def test_what_is_sampled_from_a_bounded_offer_is_accepted_and_what_is_not_is_refused(given: Given) -> None:
    """FA-7.1: walks are sampled, never listed; one that jumps, leaves the maze or is too long is refused."""
    table = given(RULES, seats=PAIR)
    (offer,) = (offer for offer in table.ask("red").offers if offer.command is Walk)
    choose = Random(5).randrange
    sampled = {offer.sample(choose) for _ in range(300)}
    assert len(sampled) > 200
    for walk in list(sampled)[:50]:
        assert not table.twin().when("red", walk).reasons
    for path in (("c3",), ("a0",), (), ("a2", "a1") * 5, ("a1",), ("a2", "b3")):
        assert not offer.allows(Walk(path))
        table.when("red", Walk(path)).refused("no_such_walk", "FA-7.1")


def test_a_choice_of_so_many_out_of_a_pool_is_one_offer_too(given: Given) -> None:
    """FA-6.2: the splits of a purse among four are 84; one bound holds them all."""
    table = given(RULES).when("red", OpenPurse())
    (offer,) = table.ask("blue").offers
    choose = Random(1).randrange
    every = [
        dict(zip(RULES.seats, split, strict=True)) for split in product(range(7), repeat=4) if sum(split) == 6
    ]
    assert len(every) == 84
    for shares in every:
        assert offer.allows(Propose({seat: count for seat, count in shares.items() if count}))
    for command in (offer.sample(choose) for _ in range(100)):
        assert not table.twin().when("blue", command).reasons
    assert not offer.allows(Propose({"red": 7}))


def test_a_seat_that_is_not_asked_is_offered_nothing(given: Given) -> None:
    """Offers go to who is asked, and to nobody else."""
    table = given(RULES, seats=PAIR)
    assert list(asks(table.view("blue"), "blue")) == []
