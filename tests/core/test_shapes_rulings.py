"""A ruling and a correction while a roll is open."""

from collections.abc import Callable

from core.kit.chance import AnswerRoll
from core.kit.disputing import RaiseDispute
from core.kit.table import Correct, MoveHead, Rule
from core.seats import ARBITER, CHANCE
from events.chance import Roll
from events.play import Corrected, Turned
from events.table import Answered, DisputeRaised, Forfeited, HeadMoved, Ruled, Upheld, WentBack
from tests.driver import Table
from tests.toys.fair import RULES
from tests.toys.fair.coins import CharmSet, CoinsSet
from tests.toys.fair.knives import Keep, Knives, ThrowKnives
from tests.toys.fair.turns import Rest, TurnEnded

Given = Callable[..., Table]
PAIR = ("red", "blue")
THREE_KNIVES = Rule(Answered("FA-X1", "three"), "the picture is right", because=("FA-10.1",))


def throwing(given: Given) -> Table:
    table: Table = given(RULES, seats=PAIR)
    return table.when("red", ThrowKnives("blue"))


def open_roll(table: Table) -> Roll:
    assert table.now.question is not None
    assert table.now.question.roll is not None
    return table.now.question.roll


def name(table: Table) -> str:
    opened, _ = next(iter(table.now.questions()))
    return opened.name(CHANCE)


def test_a_ruling_while_a_roll_is_open_asks_the_dice_it_makes_under_a_new_name(given: Given) -> None:
    """FA-X1: two dice were asked; the arbiter rules three; three are asked, and the old question is stale."""
    table = throwing(given)
    before = name(table)
    assert open_roll(table).count == 2
    table.when(ARBITER, THREE_KNIVES)
    table.then(Ruled(Answered("FA-X1", "three"), "the picture is right", because=("FA-10.1",)))
    assert table.told[-1] == Turned(1, (Knives("red", "blue"),))
    assert open_roll(table).count == 3
    assert name(table) != before
    table.when(CHANCE, AnswerRoll((5, 6))).refused("wrong_dice_count", "FA-10.1")


def test_entries_before_a_ruling_verify_under_the_answers_of_their_time(given: Given) -> None:
    """A throw of two knives, the ruling, a throw of three: each is decided again as it was."""
    table = throwing(given).when(CHANCE, AnswerRoll((1, 2))).when("red", Keep())
    table.when(ARBITER, THREE_KNIVES).when("blue", ThrowKnives("red"))
    table.when(CHANCE, AnswerRoll((1, 2, 3)))
    table.verify()
    assert [moment.answer("FA-X1") for moment in table.moments[1:]] == ["two"] * 4 + ["three"] * 3


def test_a_correction_while_a_roll_is_open_asks_the_dice_it_makes_under_a_new_name(given: Given) -> None:
    """FA-10.1: red held the third knife all the time; the arbiter sets it right, and three dice are asked."""
    table = throwing(given)
    before = name(table)
    table.when(ARBITER, Correct("it was in his pocket", (CharmSet("red", "third_knife"),)))
    table.then(Corrected("it was in his pocket", because=("LS-6.1",)), CharmSet("red", "third_knife"))
    assert open_roll(table).count == 3
    assert name(table) != before
    assert table.moments[2].question != table.now.question


def test_a_correction_may_answer_the_open_question_by_itself(given: Given) -> None:
    """FA-10.2: with one coin left red is not asked whether he mends; the dice are counted in the correction's entry."""
    table = throwing(given).when(CHANCE, AnswerRoll((1, 2))).asks(red="mend well")
    table.when(ARBITER, Correct("miscounted", (CoinsSet("red", 1),))).asks(blue="turn")
    assert table.state.lay == ()


def test_a_correction_survives_no_take_back_and_a_ruling_does(given: Given) -> None:
    """Game facts fold along parents, table facts along ids."""
    table = throwing(given).when(ARBITER, THREE_KNIVES)
    table.when(ARBITER, Correct("it was in his pocket", (CharmSet("red", "third_knife"),)))
    assert open_roll(table).count == 4
    table.when(ARBITER, MoveHead(2, arbiter="Ada"))
    assert table.state.charms == {}
    assert table.now.answer("FA-X1") == "three"
    assert open_roll(table).count == 3


def test_a_ruling_made_before_a_take_back_counts_in_what_is_played_after_it(given: Given) -> None:
    """The entry of the take-back is decided on its parent's state and the table of now; so is verification."""
    table = throwing(given).when(ARBITER, THREE_KNIVES).when(ARBITER, MoveHead(1, arbiter="Ada"))
    table.asks(red="turn").when("red", ThrowKnives("blue"))
    assert open_roll(table).count == 3
    table.verify()


def test_while_a_dispute_is_open_nobody_is_asked_not_even_chance(given: Given) -> None:
    """LS-5.1: blue contests the throw; the dice wait for the arbiter."""
    table = throwing(given).when("blue", RaiseDispute(2, "he stood too near"))
    table.then(DisputeRaised("blue", 2, "he stood too near", because=("LS-5.1",)))
    table.when(CHANCE, AnswerRoll((1, 2))).refused("disputed", "LS-5.1")
    table.when("red", Rest()).refused("disputed", "LS-5.1")
    table.when("red", MoveHead(1)).refused("disputed", "LS-5.1")
    table.when(ARBITER, Rule(Upheld(), "near enough", dispute=3)).asks(chance="roll", red="well")
    table.when(CHANCE, AnswerRoll((1, 2))).asks(red="mend well")


def test_a_ruling_may_send_the_game_back(given: Given) -> None:
    """LS-5.3: the verdict and the move of the head stand in one entry, and the dispute is closed."""
    table = throwing(given).when("blue", RaiseDispute(2, "he stood too near"))
    table.when(ARBITER, Rule(WentBack(1), "he did", dispute=3))
    table.then(Ruled(WentBack(1), "he did", 3), HeadMoved(ARBITER, reason="he did", because=("LS-5.3",)))
    table.asks(red="turn")
    assert table.now.table.disputes == ()


def test_what_lies_beneath_the_reopened_roll_keeps_its_name(given: Given) -> None:
    """The ruling reopens the step on top alone; red may still answer what he was asked from beneath."""
    table = throwing(given)
    well = table.ask("red", "well").name
    table.when(ARBITER, THREE_KNIVES)
    assert table.ask("red", "well").name == well


def test_while_a_dispute_is_open_not_even_silence_answers(given: Given) -> None:
    """LS-5.1: red forfeits under a dispute; silence rests for him only when the last dispute is ruled."""
    table = given(RULES, seats=("red", "blue", "green")).when("blue", RaiseDispute(1, "his seat is mine"))
    table.when(ARBITER, Rule(Forfeited("red"), "went home")).then(Ruled(Forfeited("red"), "went home"))
    table.when(ARBITER, Rule(Upheld(), "it is not", dispute=2))
    table.then(Ruled(Upheld(), "it is not", 2), TurnEnded("red")).asks(blue="turn")
