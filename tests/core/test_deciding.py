"""The kernel: who is heard, what is overlooked, what is never appended, and what a decision hands on."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from msgspec import structs

from core.asking import Offer, Question
from core.deciding import Decision, Refused, asks, decide, opening, refusals
from core.folding import Unfoldable, fold, fold_all
from core.kit.chance import Deal
from core.kit.disputing import RaiseDispute
from core.kit.table import OpenGame, Rule
from core.refusal import Refusal
from core.rules import Command, Fact, Rules, Step
from core.seats import ARBITER, CHANCE, is_player
from core.telling import DoesNotFold, Endless, Moment, Tale
from events.chance import Draw
from events.entry import Entry
from events.event import Count, Seat
from events.play import GameEnded, Overlooked, Sealed, Turned, Unrecognised
from events.table import Forfeited
from tests.driver import AT, Table
from tests.toys.fair import RULES as FAIR
from tests.toys.fair.coins import CoinsLost, CoinsSet
from tests.toys.fair.knives import ThrowKnives
from tests.toys.fair.turns import Rest, TurnEnded
from tests.toys.skirmish import RULES as SKIRMISH
from tests.toys.skirmish.duel import PebblesLost
from tests.toys.skirmish.state import Board

Given = Callable[..., Table]
PAIR = ("red", "blue")


def tiny(*begin: Step[Any], commands: tuple[Any, ...] = (), facts: tuple[Any, ...] = ()) -> Rules[Board]:
    """Return the skirmish with other first steps: a game of one question, for what no sound game does."""
    return replace(
        SKIRMISH,
        begin=lambda tale: tale.then(*begin),
        steps=tuple({type(step) for step in begin}),
        commands=commands or SKIRMISH.commands,
        facts=(*SKIRMISH.facts, *facts),
    )


def open_at(rules: Rules[Any], seats: tuple[Seat, ...] = PAIR) -> Table:
    return Table(rules).when(ARBITER, OpenGame("g", rules.name, seats))


class Lose(Command[Board]):
    """Takes pebbles that may not be there."""

    count: Count = 99
    seat: Seat = "red"

    def tells(self, tale: Tale[Board], seat: Seat) -> None:
        tale.tell(PebblesLost(self.seat, self.count, because=("TS-2.2",)))
        tale.done()


class End(Command[Board]):
    """Ends the step that asked."""

    def tells(self, tale: Tale[Board], seat: Seat) -> None:
        tale.done()


class Cheat(Command[Board]):
    """Is forbidden for two reasons or three; could be told all the same unless there are three."""

    impossible: bool = False

    def forbids(self, now: Moment[Board], seat: Seat) -> Iterator[Refusal]:
        yield Refusal("too_far", ("TS-2.1",), "too far", waivable=True)
        yield Refusal("too_many", ("TS-2.2",), "too many", waivable=True)
        if self.impossible:
            yield Refusal("not_there", ("TS-2.2",), "not there")

    def tells(self, tale: Tale[Board], seat: Seat) -> None:
        tale.done()


ANSWERS: dict[str, type[Command[Board]]] = {"cheat": Cheat, "lose": Lose, "end": End, "second": End}


class Once(Step[Board]):
    """Asks one seat one thing."""

    seat: Seat
    kind: str

    def question(self, now: Moment[Board]) -> Question | None:
        return Question(self.kind, (self.seat,), (ANSWERS[self.kind],), ("TS-1.1",))

    def offers(self, now: Moment[Board], seat: Seat) -> Iterator[Offer]:
        yield Offer(ANSWERS[self.kind])

    def silence(self, now: Moment[Board], seat: Seat) -> Command[Board]:
        return ANSWERS[self.kind]()


class Circle(Step[Board]):
    """Never asks and never ends: a defect of a game's rules."""

    def play(self, tale: Tale[Board]) -> None:
        tale.become(Circle())


class Whisper(Fact[Board]):
    """Says something to one seat."""

    to: Seat
    text: str

    def audience(self) -> tuple[Seat, ...]:
        return (self.to,)

    def onto(self, state: Board) -> Board:
        return state


class Drawing(Step[Board]):
    """Draws a card for a seat; who may look at it is told apart."""

    to: Seat
    sees: tuple[Seat, ...] = ()

    def question(self, now: Moment[Board]) -> Question | None:
        return Question("draw", (CHANCE,), (), ("TS-1.1",), draw=Draw("deck", self.to))

    def pool(self, now: Moment[Board]) -> tuple[str, ...]:
        return ("ace", "king")

    def dealt(self, tale: Tale[Board], card: str) -> None:
        for seat in self.sees:
            tale.tell(Whisper(seat, card, because=("TS-1.1",)))
        tale.done()


class Over(Fact[Board]):
    """Ends the game by a fold of its own."""

    def onto(self, state: Board) -> Board:
        return GameEnded((), "draw").onto(state)


class TestWhoIsHeard:
    """LS-2.1: a command is given by a seat that is asked, and is of the kind the question waits for."""

    def test_a_seat_that_is_not_asked_is_told_who_is_and_what(self, given: Given) -> None:
        """The refusal cites the section of the open question."""
        table = given(FAIR, seats=PAIR).when("blue", Rest()).refused("not_your_turn", "FA-1.1")
        (reason,) = table.reasons
        assert reason.figures == {"asked": "turn", "seats": "red"}
        assert "red" in reason.text

    def test_a_seat_that_is_asked_something_else_is_told_what(self, given: Given) -> None:
        """A player cannot answer for chance, nor with a command of another step."""
        table = given(FAIR, seats=PAIR).when("red", Deal("curse")).refused("not_this_now", "FA-1.1")
        assert table.reasons[0].figures == {"asked": "turn"}

    def test_chance_deals_no_card_where_dice_are_asked(self, given: Given) -> None:
        """LS-2.1: a roll is answered by dice."""
        table = given(FAIR, seats=PAIR).when("red", ThrowKnives("blue"))
        table.when(CHANCE, Deal("curse")).refused("not_this_now", "FA-10.1")

    def test_a_command_that_is_refused_changes_nothing(self, given: Given) -> None:
        """The log is as long as before, and so is the agenda."""
        table = given(FAIR, seats=PAIR)
        before = (len(table.log), repr(table.state))
        table.when("blue", Rest()).refused("not_your_turn")
        assert (len(table.log), repr(table.state)) == before

    def test_chance_and_arbiter_are_no_players(self) -> None:
        """Only a player's question needs a silence."""
        assert [seat for seat in ("red", CHANCE, ARBITER) if is_player(seat)] == ["red"]


class TestOverlooked:
    """What is forbidden but could be told is told all the same, when the table played it so."""

    def test_what_could_be_told_is_refused_unless_the_table_overlooked_it(self, given: Given) -> None:
        """FA-10.1: red throws at himself; refused live, told from a scoresheet."""
        table = given(FAIR, seats=PAIR).when("red", ThrowKnives("red")).refused("no_target", "FA-10.1")
        table.when("red", ThrowKnives("red"), overlook=True)
        table.then(Overlooked("no_target", because=("FA-10.1",))).asks(chance="roll", red="well")

    def test_what_cannot_be_told_stays_refused_though_the_table_overlooked_it(self, given: Given) -> None:
        """A reason that is not waivable stands: nobody is there to throw at."""
        table = given(FAIR, seats=PAIR)
        table.when("red", ThrowKnives("gold"), overlook=True).refused("no_target", "FA-10.1")
        table.when("blue", ThrowKnives("red"), overlook=True).refused("not_your_turn", "FA-1.1")

    def test_a_lawful_command_is_not_marked_as_overlooked(self, given: Given) -> None:
        """There is nothing to overlook."""
        table = given(FAIR, seats=PAIR).when("red", Rest(), overlook=True)
        table.then(TurnEnded("red"))

    def test_every_reason_is_a_fact_of_its_own(self) -> None:
        """Both reasons are listed, and one fact each says what was overlooked."""
        table = open_at(tiny(Once("red", "cheat"), commands=(Cheat,)))
        decided = decide(table.now, "red", Cheat(), overlook=True)
        assert isinstance(decided, Decision)
        assert [fact.code for fact in decided.facts if isinstance(fact, Overlooked)] == [
            "too_far",
            "too_many",
        ]

    def test_a_secret_reason_is_not_told(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """LS-2.7: a fact that everybody reads does not say what hangs on hidden things; the other reason stays one."""
        reasons = Cheat().forbids

        def forbids(_: Cheat, now: Moment[Board], seat: Seat) -> Iterator[Refusal]:
            first, *rest = reasons(now, seat)
            yield from (structs.replace(first, secret=True), *rest)

        monkeypatch.setattr(Cheat, "forbids", forbids)
        table = open_at(tiny(Once("red", "cheat"), commands=(Cheat,)))
        decided = decide(table.now, "red", Cheat(), overlook=True)
        assert isinstance(decided, Decision)
        assert [fact.code for fact in decided.facts if isinstance(fact, Overlooked)] == ["too_many"]

    def test_one_reason_that_cannot_be_told_keeps_out_those_that_could(self) -> None:
        """All reasons must be waivable, and all are named."""
        now = open_at(tiny(Once("red", "cheat"), commands=(Cheat,))).now
        refused = decide(now, "red", Cheat(True), overlook=True)
        assert isinstance(refused, Refused)
        assert [reason.code for reason in refused.reasons] == ["too_far", "too_many", "not_there"]


class TestWhatIsNeverAppended:
    """No fact is appended unless it folds and the state after it is sound."""

    def test_a_command_that_leads_to_a_position_the_game_cannot_hold_is_refused(self) -> None:
        """LS-2.4: five pebbles less ninety-nine."""
        table = open_at(tiny(Once("red", "lose"), commands=(Lose,)))
        table.when("red", Lose(99)).refused("unsound", "LS-2.4")
        assert table.reasons[0].text == "red has -94 pebbles"

    def test_a_fact_that_does_not_fold_is_a_refusal_and_no_traceback(self) -> None:
        """LS-2.4: nobody sits at violet."""
        table = open_at(tiny(Once("red", "lose"), commands=(Lose,)))
        table.when("red", Lose(1, "violet")).refused("unsound", "LS-2.4")
        assert "PebblesLost" in table.reasons[0].text

    def test_a_log_whose_facts_are_compared_anyway_may_be_decided_unchecked(self) -> None:
        """Verification compares facts, so it leaves the soundness to whom it concerns."""
        table = open_at(tiny(Once("red", "lose"), commands=(Lose,)))
        assert isinstance(decide(table.now, "red", Lose(99), check=False), Decision)

    def test_steps_that_go_on_for_ever_are_a_defect_of_the_rules(self) -> None:
        """The kernel names the step instead of never coming back."""
        with pytest.raises(Endless, match="Circle never asks and never ends"):
            decide(opening(tiny(Circle())), ARBITER, OpenGame("g", "skirmish", PAIR))

    def test_a_fact_told_by_hand_that_does_not_fold_says_which(self) -> None:
        """Whoever tells facts learns of the one that names what is not there."""
        tale = Tale.begin(open_at(SKIRMISH).now)
        with pytest.raises(DoesNotFold, match="PebblesLost does not fold"):
            tale.tell(PebblesLost("violet", 1))


class TestSilence:
    """Every question to a player has the command that no answer stands for."""

    def test_silence_answers_for_each_seat_that_is_out_and_for_no_other(self) -> None:
        """LS-5.3: red forfeits; his question is answered, blue's waits for blue."""
        table = open_at(tiny(Once("red", "end"), Once("blue", "second"), commands=(End,)))
        table.when(ARBITER, Rule(Forfeited("red"), "went home")).asks(blue="second")
        assert table.now.is_out("red")
        assert not table.now.is_out("blue")

    def test_a_step_without_silence_says_so(self) -> None:
        """A game that forgot it is told which step it was."""
        step: Step[Board] = Step()
        for call in (
            lambda: step.silence(open_at(SKIRMISH).now, "red"),
            lambda: step.play(Tale.begin(open_at(SKIRMISH).now)),
            lambda: step.rolled(Tale.begin(open_at(SKIRMISH).now), ()),
            lambda: step.dealt(Tale.begin(open_at(SKIRMISH).now), ""),
        ):
            with pytest.raises(NotImplementedError, match="Step"):
                call()


class Whispering(Step[Board]):
    """Whispers something else to a seat, in the same entry."""

    to: Seat

    def play(self, tale: Tale[Board]) -> None:
        tale.tell(Whisper(self.to, "psst", because=("TS-1.1",)))
        tale.done()


class TestSeals:
    """A command that causes a sealed fact is sealed whole; what chance deals goes to whom the card goes."""

    @pytest.mark.parametrize(
        ("sees", "to"),
        (((), ()), (("red",), ("red",)), (("red", "blue"), ("red",)), (("blue",), (CHANCE,))),
    )
    def test_what_chance_deals_is_sealed_to_whom_the_card_goes_if_he_may_look(
        self, sees: tuple[Seat, ...], to: tuple[Seat, ...]
    ) -> None:
        """A card dealt openly is public, one that its holder may not see is sealed to chance alone."""
        rules = tiny(Drawing("red", sees), Once("red", "end"), commands=(End,), facts=(Whisper,))
        decided = decide(open_at(rules).now, CHANCE, Deal("ace"))
        assert isinstance(decided, Decision)
        assert decided.command_to == to

    @pytest.mark.parametrize(("sees", "to"), (((), ()), (("blue",), (CHANCE,)), (("red",), ("red",))))
    def test_what_is_whispered_after_a_deal_opens_no_card(
        self, sees: tuple[Seat, ...], to: tuple[Seat, ...]
    ) -> None:
        """Red may see something else that follows in the entry; the card is sealed as the deal itself says."""
        rules = tiny(
            Drawing("red", sees), Whispering("red"), Once("red", "end"), commands=(End,), facts=(Whisper,)
        )
        decided = decide(open_at(rules).now, CHANCE, Deal("ace"))
        assert isinstance(decided, Decision)
        assert ("red",) in decided.audiences
        assert decided.command_to == to

    def test_a_fact_may_be_told_to_others_than_its_own_audience(self) -> None:
        """`tell(fact, to=...)` names who alone may see it."""
        tale = Tale.begin(open_at(SKIRMISH).now)
        tale.tell(Whisper("red", "psst"))
        tale.tell(Whisper("red", "psst"), to=("blue",))
        tale.tell(Whisper("red", "psst"), to=())
        assert tale.audiences == [("red",), ("blue",), ()]


class TestWhatADecisionHandsOn:
    """Facts, the state after them, and the question now open."""

    def test_an_entry_of_the_game_ends_with_the_one_fact_that_moves_the_agenda(self, given: Given) -> None:
        """`Turned` says how many steps ended and which are new."""
        table = given(FAIR, seats=PAIR).when("red", ThrowKnives("blue"))
        assert isinstance(table.told[-1], Turned)
        assert sum(isinstance(fact, Turned) for fact in table.told) == 1
        assert table.told[-1].done == 1
        assert [type(step).__name__ for step in table.told[-1].steps] == ["Turn", "Knives"]

    def test_a_table_command_that_moves_nothing_tells_no_turn(self, given: Given) -> None:
        """A dispute is no step."""
        table = given(FAIR, seats=PAIR).when("blue", RaiseDispute(1, "no"))
        assert not any(isinstance(fact, Turned) for fact in table.told)

    def test_a_tale_keeps_the_question_that_it_answers(self, given: Given) -> None:
        """Whatever is told, the tale's question is the one of before; a step's own question is derived anew."""
        table = given(FAIR, seats=PAIR)
        tale = Tale.begin(table.now)
        tale.done()
        tale.tell(CoinsLost("red", 6))
        assert tale.question == table.now.question

    def test_a_step_on_the_agenda_is_played_in_the_order_in_which_it_was_named(self, given: Given) -> None:
        """`then(a, b)` plays a first; `become` ends the top and lays others; `beneath` sees them from the top."""
        tale = Tale.begin(given(FAIR, seats=PAIR).now)
        first, second, third = Once("red", "a"), Once("red", "b"), Once("red", "c")
        top = tale.top
        tale.then(first, second)
        assert list(tale.beneath()) == [first, second, top]
        tale.become(third)
        assert list(tale.beneath()) == [third, second, top]
        tale.done()
        tale.done()
        tale.done()
        assert tale.top is None
        tale.done()
        assert list(tale.beneath()) == []

    def test_after_the_end_nothing_is_laid(self, given: Given) -> None:
        """An effect that goes on after the end of the game finds an empty agenda."""
        tale = Tale.begin(given(FAIR, seats=PAIR).now)
        before = tale.over
        tale.tell(GameEnded(("red",), "last_standing"))
        tale.then(Once("red", "end"))
        tale.reopen()
        assert (before, tale.over) == (False, True)
        assert tale.top is None

    def test_a_game_may_give_the_end_a_fold_of_its_own(self) -> None:
        """Whatever fact notes the ending, the agenda is empty after it."""
        tale = Tale.begin(open_at(SKIRMISH).now)
        tale.tell(Over())
        assert tale.top is None


class TestFolding:
    """When reading, the first fact that does not fold ends the state there."""

    def entry(self, *facts: Any, parent: int = 1) -> Entry[Any, Any]:
        return Entry(2, parent, AT, "red", Rest(), facts)

    def test_a_fact_that_does_not_fold_names_its_entry_and_its_place(self, given: Given) -> None:
        """The second fact names a seat that is not there."""
        now = given(FAIR, seats=PAIR).now
        with pytest.raises(Unfoldable, match="entry 2, fact 2: CoinsSet does not fold") as found:
            fold(now, self.entry(CoinsSet("red", 1), CoinsSet("violet", 1)))
        assert (found.value.entry, found.value.place) == (2, 1)

    def test_a_fact_that_nobody_knows_ends_the_fold(self, given: Given) -> None:
        """A log of a newer revision folds as far as it is understood."""
        with pytest.raises(Unfoldable, match="does not know the fact 'Eclipse'"):
            fold(given(FAIR, seats=PAIR).now, self.entry(Unrecognised("Eclipse", {})))

    def test_more_steps_than_are_open_cannot_end(self, given: Given) -> None:
        """A `Turned` that ends two steps where one is open does not fold."""
        with pytest.raises(Unfoldable, match="2 steps should end, but only 1 are open"):
            fold(given(FAIR, seats=PAIR).now, self.entry(Turned(2)))

    def test_a_sealed_fact_leaves_the_state_alone(self, given: Given) -> None:
        """The reader does not know what happened."""
        now = given(FAIR, seats=PAIR).now
        assert fold(now, self.entry(Sealed("0" * 64, ("blue",)))).state == now.state

    def test_an_entry_whose_parent_is_not_before_it_does_not_fold(self, given: Given) -> None:
        """A log goes on from what it holds."""
        table = given(FAIR, seats=PAIR)
        entries = [table.log[0].entry, self.entry(parent=2)]
        with pytest.raises(Unfoldable, match="its parent, entry 2, is not before it"):
            fold_all(opening(FAIR), entries)


def test_nobody_is_offered_anything_while_a_dispute_is_open(given: Given) -> None:
    """LS-5.1: asks are empty until the ruling, and whatever is sent is refused with the dispute's number."""
    table = given(FAIR, seats=PAIR).when("blue", RaiseDispute(1, "no"))
    assert [list(asks(table.now, seat)) for seat in (*PAIR, CHANCE, ARBITER)] == [[], [], [], []]
    (reason,) = refusals(table.now, "red", Rest())
    assert (reason.code, reason.figures) == ("disputed", {"dispute": 2})
    refused = decide(table.now, "red", Rest(), overlook=True)
    assert isinstance(refused, Refused)
