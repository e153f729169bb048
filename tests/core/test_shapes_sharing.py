"""A choice that several seats share: how a reward is split."""

from collections.abc import Callable

from core.kit.table import Rule
from core.seats import ARBITER
from events.table import Forfeited
from tests.driver import Table
from tests.toys.fair import RULES
from tests.toys.fair.spoils import Agree, Agreed, OpenPurse, Propose, Proposed, PurseFound, PurseSplit
from tests.toys.fair.turns import TurnEnded

Given = Callable[..., Table]
THREE = ("red", "blue", "green")


def test_a_proposal_stands_until_all_have_agreed_to_it(given: Given) -> None:
    """FA-6.3: then, and only then, the purse is split."""
    table = given(RULES, seats=THREE).when("red", OpenPurse()).then(PurseFound(6))
    table.asks(red="split well", blue="split", green="split")
    table.when("blue", Propose({"red": 2, "blue": 3, "green": 1}))
    table.then(Proposed("blue", {"red": 2, "blue": 3, "green": 1}, because=("FA-6.2",)))
    table.asks(red="split well", green="split")
    table.when("green", Agree()).then(Agreed("green"))
    table.when("red", Agree()).then(
        Agreed("red"), PurseSplit({"red": 2, "blue": 3, "green": 1}), TurnEnded("red")
    )
    assert table.state.coins == {"red": 8, "blue": 9, "green": 7}


def test_a_new_proposal_wipes_out_what_was_agreed(given: Given) -> None:
    """FA-6.3: who agreed to the first has not agreed to the second."""
    table = given(RULES, seats=THREE).when("red", OpenPurse())
    table.when("blue", Propose({"blue": 6})).when("green", Agree())
    table.when("red", Propose({"red": 6})).asks(blue="split", green="split", red="well")
    assert table.state.agreed == ("red",)


def test_a_new_proposal_renames_the_question_so_that_nobody_agrees_to_what_he_has_not_seen(
    given: Given,
) -> None:
    """LS-2.2: an agreement that names the question of the earlier proposal is stale."""
    table = given(RULES, seats=THREE).when("red", OpenPurse()).when("blue", Propose({"blue": 6}))
    name = table.ask("green").name
    table.when("red", Propose({"red": 6}))
    assert table.ask("green").name != name


def test_an_agreement_of_another_leaves_the_name_of_the_question(given: Given) -> None:
    """LS-2.2: two who agree at the same time do not refuse each other."""
    table = given(RULES, seats=THREE).when("red", OpenPurse()).when("blue", Propose({"blue": 6}))
    name = table.ask("green").name
    table.when("red", Agree())
    assert table.ask("green").name == name


def test_nothing_can_be_agreed_to_before_something_was_proposed(given: Given) -> None:
    """FA-6.3: and a proposal shares out the whole purse, among players."""
    table = given(RULES, seats=THREE).when("red", OpenPurse())
    table.when("blue", Agree()).refused("nothing_proposed", "FA-6.3")
    table.when("blue", Propose({"blue": 5})).refused("wrong_sum", "FA-6.2")
    table.when("blue", Propose({"gold": 6})).refused("no_share", "FA-6.2")


def test_silence_proposes_an_even_split_and_then_agrees(given: Given) -> None:
    """FA-6.2, FA-6.3: so the purse is split though nobody speaks."""
    table = given(RULES, seats=THREE).when("red", OpenPurse())
    for seat in THREE:
        table.when(seat, table.ask(seat).silence)
    assert table.state.coins == {"red": 8, "blue": 8, "green": 8}
    table.asks(blue="turn")


def test_a_quarrel_without_end_loses_the_purse(given: Given) -> None:
    """FA-6.3: after eight proposals."""
    table = given(RULES, seats=THREE).when("red", OpenPurse())
    for turn in range(9):
        seat = THREE[turn % 3]
        table.when(seat, Propose({seat: 6}))
    table.then(Proposed("green", {"green": 6}), PurseSplit({}), TurnEnded("red"))


def test_who_forfeits_while_a_split_is_open_agrees_by_silence(given: Given) -> None:
    """LS-5.3: the last one who had not agreed is out, so the purse is split in the entry of the ruling."""
    table = given(RULES, seats=THREE).when("red", OpenPurse())
    table.when("red", Propose({"red": 3, "blue": 3})).when("blue", Agree())
    table.when(ARBITER, Rule(Forfeited("green"), "went home"))
    assert [type(fact) for fact in table.told[1:4]] == [Agreed, PurseSplit, TurnEnded]
    table.asks(blue="turn")
