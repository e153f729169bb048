"""Dice one at a time, dice mended after the roll, powers that change a rule's numbers, and dice of nobody's piece."""

from collections.abc import Callable

import pytest

from core.kit.chance import AnswerRoll
from core.seats import CHANCE
from events.chance import Hits, Names, Roll, Rolled
from tests.driver import Table
from tests.toys.fair import RULES
from tests.toys.fair.coins import CharmSet, CoinsGained, CoinsLost, CoinsSet
from tests.toys.fair.knives import DieTurned, Keep, KnivesLaid, Mend, ThrowKnives
from tests.toys.fair.ox import Goad
from tests.toys.fair.turns import Rest, TurnEnded
from tests.toys.fair.wheel import DiceCleared, DieLaid, Spin, SpinAgain, Stop

Given = Callable[..., Table]
PAIR = ("red", "blue")
THREE = ("red", "blue", "green")


def open_roll(table: Table) -> Roll:
    question = table.now.question
    assert question is not None
    assert question.roll is not None
    return question.roll


class TestDiceOneAtATime:
    """FA-8: the owner stops when he likes."""

    def test_the_owner_is_asked_after_each_die_and_stops_when_he_likes(self, given: Given) -> None:
        """FA-8.2: three dice lie, three coins are won."""
        table = given(RULES, seats=PAIR).dice(5).when("red", Spin())
        table.then(DieLaid(5)).asks(red="wheel well")
        table.dice(2).when("red", SpinAgain()).then(DieLaid(2))
        table.dice(6).when("red", SpinAgain()).then(DieLaid(6))
        assert table.state.lay == (5, 2, 6)
        table.when("red", Stop()).then(DiceCleared(), CoinsGained("red", 3), TurnEnded("red"))
        assert table.state.coins["red"] == 9

    def test_a_one_clears_the_table_and_asks_nothing_more(self, given: Given) -> None:
        """FA-8.1: what lay there is lost."""
        table = given(RULES, seats=PAIR).dice(5).when("red", Spin())
        table.dice(1).when("red", SpinAgain()).then(DiceCleared(because=("FA-8.1",)), TurnEnded("red"))
        table.asks(blue="turn")
        assert table.state.lay == ()

    def test_silence_stops_the_wheel(self, given: Given) -> None:
        """FA-8.2: who says nothing keeps what he has won."""
        table = given(RULES, seats=PAIR).dice(4).when("red", Spin())
        assert table.ask("red").silence == Stop()

    def test_each_spin_is_a_question_of_its_own(self, given: Given) -> None:
        """LS-2.2: an answer to the spin before is stale, since every stage has its own name."""
        table = given(RULES, seats=PAIR).dice(4).when("red", Spin())
        first = table.ask("red").name
        table.dice(4).when("red", SpinAgain())
        assert table.ask("red").name != first


class TestDiceMendedAfterTheRoll:
    """FA-10: a stage of its own lies between roll and count."""

    def test_a_die_may_be_turned_over_before_the_dice_are_counted(self, given: Given) -> None:
        """FA-10.2: the one becomes a six, for a coin, and hits."""
        table = given(RULES, seats=PAIR).dice(1, 3).when("red", ThrowKnives("blue"))
        table.then(KnivesLaid((1, 3))).asks(red="mend well")
        table.when("red", Mend(1)).then(
            DieTurned(1, 6, because=("FA-10.2",)),
            CoinsLost("red", 1),
            DiceCleared(),
            CoinsLost("blue", 1, because=("FA-10.3",)),
            TurnEnded("red"),
        )

    def test_statistics_read_the_natural_roll(self, given: Given) -> None:
        """The roll on record holds what fell, whatever it was mended to."""
        table = given(RULES, seats=PAIR).dice(1, 3).when("red", ThrowKnives("blue")).when("red", Mend(1))
        rolls = [fact for told in table.log for fact in told.entry.facts if isinstance(fact, Rolled)]
        assert [roll.faces for roll in rolls] == [(1, 3)]

    def test_dice_that_are_kept_count_as_they_lie(self, given: Given) -> None:
        """FA-10.3: five and six hit."""
        table = given(RULES, seats=PAIR).dice(5, 6).when("red", ThrowKnives("blue"))
        table.when("red", Keep()).then(DiceCleared(), CoinsLost("blue", 2), TurnEnded("red"))

    def test_who_has_one_coin_is_not_asked(self, given: Given) -> None:
        """FA-10.2: nobody spends his last coin so; the dice are counted at once."""
        table = given(RULES, CoinsSet("red", 1), seats=PAIR).dice(5, 1).when("red", ThrowKnives("blue"))
        table.then(KnivesLaid((5, 1)), DiceCleared(), CoinsLost("blue", 1), TurnEnded("red"))

    def test_a_die_that_does_not_lie_there_is_not_turned(self, given: Given) -> None:
        """FA-10.2: the refusal says how many dice there are."""
        table = given(RULES, seats=PAIR).dice(5, 1).when("red", ThrowKnives("blue"))
        table.when("red", Mend(3)).refused("no_such_die", "FA-10.2")


class TestAPowerThatChangesAnotherRulesNumbers:
    """FA-10.1, FA-10.3: charms change how many dice are asked and what counts."""

    @pytest.mark.parametrize(
        ("charms", "count", "faces"),
        (
            ((), 2, (5, 6)),
            (("third_knife",), 3, (5, 6)),
            (("keen_eye",), 2, (4, 5, 6)),
            (("third_knife", "keen_eye"), 3, (4, 5, 6)),
        ),
    )
    def test_the_roll_is_asked_with_the_numbers_that_the_charms_make(
        self, given: Given, charms: tuple[str, ...], count: int, faces: tuple[int, ...]
    ) -> None:
        """The question asks so many dice and says which faces count."""
        table = given(RULES, *(CharmSet("red", charm) for charm in charms), seats=PAIR)
        roll = open_roll(table.when("red", ThrowKnives("blue")))
        assert (roll.count, roll.counts) == (count, Hits(faces))

    def test_another_players_charm_changes_nothing(self, given: Given) -> None:
        """FA-10.1: it is the thrower's charm that counts."""
        table = given(RULES, CharmSet("blue", "third_knife"), seats=PAIR)
        assert open_roll(table.when("red", ThrowKnives("blue"))).count == 2

    def test_the_numbers_are_counted_by_the_same_rule_that_asked_them(self, given: Given) -> None:
        """FA-10.3: a four hits with the keen eye."""
        table = given(RULES, CharmSet("red", "keen_eye"), seats=PAIR).dice(4, 3)
        table.when("red", ThrowKnives("blue")).when("red", Keep())
        table.then(DiceCleared(), CoinsLost("blue", 1), TurnEnded("red"))

    def test_no_number_that_a_rule_made_lies_on_the_agenda(self, given: Given) -> None:
        """The step names who throws, at whom, and its stage; nothing else could go stale."""
        table = given(RULES, CharmSet("red", "third_knife"), seats=PAIR).when("red", ThrowKnives("blue"))
        step = table.state.agenda[-1].step
        assert (step.seat, step.target, step.at) == ("red", "blue", "throw")
        assert step.__struct_fields__ == ("seat", "target", "at")


class TestDiceOfNobodysPiece:
    """FA-11: the ox acts by rule, and whoever is not involved rolls for it."""

    def test_who_is_not_involved_rolls(self, given: Given) -> None:
        """FA-11.2: red goads it at blue, so green rolls, with the ox's own die."""
        roll = open_roll(given(RULES, seats=THREE).when("red", Goad("blue")))
        assert (roll.die, roll.owner, roll.roller, roll.thrower) == ("horn", "ox", "green", "green")
        assert roll.counts == Names()

    def test_of_two_players_the_one_who_is_not_its_target_rolls(self, given: Given) -> None:
        """FA-11.2: nobody else is there."""
        assert open_roll(given(RULES, seats=PAIR).when("red", Goad("blue"))).roller == "red"

    def test_the_record_keeps_owner_and_roller_apart(self, given: Given) -> None:
        """FA-11.2: the roll is the ox's, though green threw the die."""
        table = given(RULES, seats=THREE).dice("gore").when("red", Goad("blue"))
        table.then(
            Rolled("horn", ("gore",), "ox", Names(), "ox", roller="green", because=("FA-11.2",)),
            CoinsLost("blue", 1, because=("FA-11.3",)),
            TurnEnded("red"),
        )

    def test_a_face_that_the_die_has_not_is_refused_and_the_die_has_names_for_faces(
        self, given: Given
    ) -> None:
        """LS-4.2: faces are what is printed on the die."""
        table = given(RULES, seats=THREE).when("red", Goad("blue"))
        table.when(CHANCE, AnswerRoll(("kick",))).refused("no_such_face", "LS-4.2")
        table.when(CHANCE, AnswerRoll((4,))).refused("no_such_face", "LS-4.2")

    def test_at_the_end_of_a_round_the_ox_goes_for_the_richest_by_itself(self, given: Given) -> None:
        """FA-11.1: nobody orders it; blue is the richest, so red rolls."""
        table = given(RULES, CoinsSet("blue", 9), seats=THREE)
        table.when("red", Rest()).when("blue", Rest()).when("green", Rest())
        table.asks(chance="roll", red="well")
        assert open_roll(table).roller == "red"
        table.when("red", Rest()).refused("not_this_now", "FA-1.2")
        table.when(CHANCE, AnswerRoll(("gore",))).then(CoinsLost("blue", 1))
        table.asks(red="turn")

    def test_a_power_keeps_the_ox_off(self, given: Given) -> None:
        """FA-11.3: whom the bell rings for is not gored."""
        table = given(RULES, CharmSet("blue", "ox_bell"), seats=THREE).dice("trample")
        table.when("red", Goad("blue"))
        table.then(CoinsLost("red", 1), CoinsLost("green", 1), TurnEnded("red"))
