"""The law of the table: chance, disputes, rulings, corrections, take-backs and the seed (LS-3 to LS-6)."""

from collections.abc import Callable
from hashlib import sha256
from typing import Any

import pytest

from core.consent import forbids_going_back, must_agree
from core.deciding import Decision, Refused, decide, opening
from core.kit.chance import AnswerRoll, Deal
from core.kit.consenting import AgreeToTakeBack, ProposeTakeBack
from core.kit.disputing import RaiseDispute
from core.kit.table import CallOff, Correct, MoveHead, OpenGame, RevealSeed, Rule
from core.seats import ARBITER, CHANCE
from core.table import Dispute, Penalty
from events.play import Corrected, GameEnded
from events.table import (
    Answered,
    CalledOff,
    DisputeRaised,
    Forfeited,
    HeadMoved,
    Penalised,
    Ruled,
    SeedRevealed,
    Upheld,
    WentBack,
)
from tests.driver import Table
from tests.toys.fair import RULES
from tests.toys.fair.coins import CharmSet, CoinsSet
from tests.toys.fair.deck import CardsSet, DrawFortune, HandSet
from tests.toys.fair.knives import ThrowKnives
from tests.toys.fair.ox import Goad
from tests.toys.fair.turns import Rest

Given = Callable[..., Table]
PAIR = ("red", "blue")


class TestChance:
    """LS-4: dice and cards are those that the open question asks for."""

    @pytest.mark.parametrize("faces", ((), (1,), (1, 2, 3)))
    def test_dice_of_the_wrong_number_are_refused_under_the_section_that_asks(
        self, given: Given, faces: tuple[int, ...]
    ) -> None:
        """LS-4.1: two knives are two dice."""
        table = given(RULES, seats=PAIR).when("red", ThrowKnives("blue"))
        table.when(CHANCE, AnswerRoll(faces)).refused("wrong_dice_count", "FA-10.1")
        assert table.reasons[0].figures == {"asked": 2, "given": len(faces), "owner": "red"}

    @pytest.mark.parametrize("face", (0, 7, -1, "skull"))
    def test_a_face_that_the_die_has_not_is_refused(self, given: Given, face: int | str) -> None:
        """LS-4.2: a d6 shows 1 to 6."""
        table = given(RULES, seats=PAIR).when("red", ThrowKnives("blue"))
        table.when(CHANCE, AnswerRoll((1, face))).refused("no_such_face", "LS-4.2")

    def test_number_and_faces_are_both_named_when_both_are_wrong(self, given: Given) -> None:
        """Every reason at once."""
        table = given(RULES, seats=PAIR).when("red", ThrowKnives("blue"))
        table.when(CHANCE, AnswerRoll((9,))).refused("wrong_dice_count").refused("no_such_face")

    def test_dice_and_cards_are_not_asked_of_chance_unless_they_are(self, given: Given) -> None:
        """LS-2.1: chance is a seat like any other, and waits to be asked."""
        table = given(RULES, seats=PAIR)
        table.when(CHANCE, AnswerRoll((1,))).refused("not_your_turn", "FA-1.1")
        table.when("red", DrawFortune())
        table.when(CHANCE, AnswerRoll((1,))).refused("not_this_now", "FA-3.1")
        table.when("red", Deal("curse")).refused("not_this_now")

    def test_dice_and_cards_refuse_by_themselves_where_none_are_asked(self, given: Given) -> None:
        """LS-4.1, LS-4.3: the commands themselves know what they answer."""
        now = given(RULES, seats=PAIR).now
        (dice,) = AnswerRoll((1,)).forbids(now, CHANCE)
        (card,) = Deal("curse").forbids(now, CHANCE)
        assert (dice.code, dice.because) == ("no_dice_asked", ("LS-4.1",))
        assert (card.code, card.because) == ("no_card_asked", ("LS-4.3",))


class TestDisputes:
    """LS-5.1: any seat may contest an entry of the log."""

    def test_an_entry_that_is_not_in_the_log_cannot_be_contested(self, given: Given) -> None:
        """LS-5.1: the log holds one entry."""
        table = given(RULES, seats=PAIR)
        for at in (0, 2, 99):
            table.when("red", RaiseDispute(at, "no")).refused("no_such_entry", "LS-5.1")
        table.when("red", RaiseDispute(1, "no")).then(DisputeRaised("red", 1, "no"))
        assert table.now.table.disputes == (Dispute(2, "red", 1, "no"),)

    def test_neither_chance_nor_a_stranger_contests_anything(self, given: Given) -> None:
        """LS-5.1: a dispute is raised by who sits at the table."""
        table = given(RULES, seats=PAIR)
        table.when(CHANCE, RaiseDispute(1, "no")).refused("not_a_person", "LS-5.1")
        table.when("gold", RaiseDispute(1, "no")).refused("no_such_seat", "LS-5.1")

    def test_two_disputes_are_ruled_one_by_one(self, given: Given) -> None:
        """LS-5.2: the game stands still until the last one is ruled."""
        table = given(RULES, seats=PAIR).when("red", RaiseDispute(1, "a")).when("blue", RaiseDispute(1, "b"))
        table.when(ARBITER, Rule(Upheld(), "fine", dispute=3))
        assert [dispute.id for dispute in table.now.table.disputes] == [2]
        table.when("red", Rest()).refused("disputed", "LS-5.1")
        table.when(ARBITER, Rule(Upheld(), "fine", dispute=2)).asks(red="turn")

    def test_a_ruling_on_another_matter_closes_no_dispute(self, given: Given) -> None:
        """LS-5.2: an arbiter may rule unasked."""
        table = given(RULES, seats=PAIR).when("red", RaiseDispute(1, "a"))
        table.when(ARBITER, Rule(Penalised("blue", "late"), "by the clock"))
        assert len(table.now.table.disputes) == 1


class TestOneDisputeAtATime:
    """LS-5.5: no player can hold a game up by one dispute after the other."""

    def test_a_player_has_one_dispute_open_at_a_time(self, given: Given) -> None:
        """LS-5.5: another player may raise one beside it; he himself waits for the ruling, whatever he contests."""
        table = given(RULES, seats=PAIR).when("red", Rest()).when("red", RaiseDispute(1, "a"))
        for at in (1, 2, 3):
            table.when("red", RaiseDispute(at, "b")).refused("disputes_already", "LS-5.5")
        table.when("blue", RaiseDispute(1, "c")).then(DisputeRaised("blue", 1, "c"))
        table.when(ARBITER, Rule(Upheld(), "fine", dispute=4))
        table.when("blue", RaiseDispute(2, "d")).refused("just_ruled", "LS-5.5")
        table.when("red", RaiseDispute(2, "d")).refused("disputes_already", "LS-5.5")

    def test_after_a_ruling_play_goes_on_before_the_next_dispute(self, given: Given) -> None:
        """LS-5.5: neither rulings, nor take-backs that are asked for, nor what others contest let a player begin anew."""
        table = given(RULES, seats=PAIR).when("red", Rest()).when("red", RaiseDispute(2, "a"))
        table.when(ARBITER, Rule(Penalised("red", "idle talk"), "so", dispute=3))
        table.when("red", RaiseDispute(1, "b")).refused("just_ruled", "LS-5.5")
        table.when("blue", RaiseDispute(1, "c")).when(ARBITER, Rule(Upheld(), "fine", dispute=5))
        table.when(ARBITER, Rule(Penalised("red", "shouting"), "so"))
        for seat in ("red", "blue"):
            table.when(seat, RaiseDispute(4, "no ruling is right")).refused("just_ruled", "LS-5.5")
        table.when("blue", Rest()).when("red", RaiseDispute(1, "b")).then(DisputeRaised("red", 1, "b"))

    def test_what_a_ruling_went_back_to_is_played_on_before_the_next_dispute(self, given: Given) -> None:
        """LS-5.5: a player who got his way plays like any other; a correction may be contested at once."""
        table = given(RULES, seats=PAIR).when("red", Rest()).when("blue", RaiseDispute(2, "a"))
        table.when(ARBITER, Rule(WentBack(1), "he slept", dispute=3))
        table.when("blue", RaiseDispute(1, "b")).refused("just_ruled", "LS-5.5")
        table.when(ARBITER, Correct("a coin rolled away", (CoinsSet("red", 5),)))
        table.when("blue", RaiseDispute(5, "two coins")).then(DisputeRaised("blue", 5, "two coins"))

    def test_no_player_contests_an_entry_twice(self, given: Given) -> None:
        """LS-5.5: what was ruled on is ruled on, however often play has gone on since; others may ask once, too."""
        table = given(RULES, seats=PAIR).when("red", Rest()).when("red", RaiseDispute(2, "a"))
        table.when(ARBITER, Rule(Upheld(), "fine", dispute=3)).when("blue", Rest())
        table.when("red", RaiseDispute(2, "a")).refused("ruled_already", "LS-5.5")
        table.when("blue", RaiseDispute(2, "a")).then(DisputeRaised("blue", 2, "a"))

    def test_an_opening_is_contested_more_than_once(self, given: Given) -> None:
        """LS-5.5: a position holds many things, each of which may be wrong; on a scoresheet the whole set-up is one entry."""
        table = given(RULES, CoinsSet("red", 5), seats=PAIR).when("red", RaiseDispute(1, "he has four"))
        table.when(ARBITER, Rule(Upheld(), "five it is", dispute=2))
        table.when("red", RaiseDispute(1, "blue begins")).refused("just_ruled", "LS-5.5")
        table.when("red", Rest()).when("red", RaiseDispute(1, "blue begins"))
        table.then(DisputeRaised("red", 1, "blue begins"))

    def test_when_the_game_is_over_nothing_is_waited_for(self, given: Given) -> None:
        """LS-5.5, LS-2.3: nothing is played any more that a dispute could hold up; one at a time, each entry once."""
        table = given(RULES, seats=PAIR).when(ARBITER, CallOff("rain", ("red",)))
        table.when("blue", RaiseDispute(2, "it is dry")).when("blue", RaiseDispute(1, "a"))
        table.refused("disputes_already", "LS-5.5").when(ARBITER, Rule(Upheld(), "fine", dispute=3))
        table.when("blue", RaiseDispute(2, "it is dry")).refused("ruled_already", "LS-5.5")
        table.when("blue", RaiseDispute(1, "a")).then(DisputeRaised("blue", 1, "a"))

    def test_the_arbiter_contests_as_he_likes(self, given: Given) -> None:
        """LS-5.1: he holds nobody up but himself."""
        table = given(RULES, seats=PAIR).when(ARBITER, RaiseDispute(1, "a"))
        table.when(ARBITER, RaiseDispute(1, "b")).then(DisputeRaised(ARBITER, 1, "b"))


class TestRulings:
    """LS-5.2, LS-5.3: the arbiter rules, with a reason."""

    @pytest.mark.parametrize(
        ("ruling", "code", "section"),
        (
            (Rule(Upheld(), "  "), "no_reason", "LS-5.2"),
            (Rule(Upheld(), "fine", dispute=7), "no_such_dispute", "LS-5.2"),
            (Rule(Upheld(), "fine", because=("FA-99.9",)), "no_such_section", "LS-5.2"),
            (Rule(WentBack(0), "no"), "no_such_entry", "LS-5.3"),
            (Rule(WentBack(2), "no"), "no_such_entry", "LS-5.3"),
            (Rule(Answered("FA-X9", "two"), "so"), "no_such_point", "LS-1.3"),
            (Rule(Answered("FA-X1", "nine"), "so"), "no_such_answer", "LS-1.3"),
            (Rule(Penalised("gold", "late"), "so"), "no_such_seat", "LS-5.3"),
            (Rule(Forfeited("gold"), "so"), "no_such_seat", "LS-5.3"),
        ),
    )
    def test_a_ruling_beyond_table_and_book_is_refused(
        self, given: Given, ruling: Any, code: str, section: str
    ) -> None:
        """LS-5: no reason, no dispute, no such section, entry, point, answer or seat."""
        given(RULES, seats=PAIR).when(ARBITER, ruling).refused(code, section)

    @pytest.mark.parametrize("seat", (*PAIR, CHANCE))
    def test_only_the_arbiter_rules_and_corrects(self, given: Given, seat: str) -> None:
        """LS-5.2, LS-6.1: no player is judge in his own cause."""
        table = given(RULES, seats=PAIR)
        table.when(seat, Rule(Upheld(), "fine")).refused("not_the_arbiter", "LS-5.2")
        table.when(seat, Correct("so", (CoinsSet("red", 9),))).refused("not_the_arbiter", "LS-6.1")

    def test_a_ruling_answers_a_point_from_now_on(self, given: Given) -> None:
        """LS-5.3: and cites what the arbiter cites."""
        table = given(RULES, seats=PAIR)
        table.when(ARBITER, Rule(Answered("FA-X1", "three"), "the picture", because=("FA-10.1",)))
        table.then(Ruled(Answered("FA-X1", "three"), "the picture", because=("FA-10.1",)))
        assert table.now.answer("FA-X1") == "three"
        assert table.now.table.rulings == (2,)

    def test_penalties_and_forfeits_are_kept_by_the_table(self, given: Given) -> None:
        """LS-5.3: no take-back undoes them."""
        table = given(RULES, seats=("red", "blue", "green"))
        table.when(ARBITER, Rule(Penalised("blue", "late"), "by the clock"))
        table.when(ARBITER, Rule(Forfeited("green"), "went home"))
        table.when(ARBITER, MoveHead(1, arbiter="Ada"))
        assert table.now.table.penalties == (Penalty("blue", "late", 2),)
        assert table.now.table.forfeited == ("green",)
        assert table.now.table.moved == (4,)

    def test_a_forfeit_on_ones_own_turn_is_answered_by_silence(self, given: Given) -> None:
        """LS-5.3: red rests for ever; blue is next."""
        table = given(RULES, seats=("red", "blue", "green"))
        table.when(ARBITER, Rule(Forfeited("red"), "went home")).asks(blue="turn")
        table.when("blue", Rest()).when("green", Rest())
        table.when(CHANCE, AnswerRoll(("miss",))).asks(blue="turn")

    def test_a_ruling_stays_public_though_silence_tells_what_is_sealed(self, given: Given) -> None:
        """What an arbiter ruled is never sealed, whatever follows from it; the same holds for a take-back."""
        for command in (Rule, MoveHead, RaiseDispute, RevealSeed):
            assert not command.SEALS
        assert OpenGame.SEALS
        assert Correct.SEALS


class TestCorrections:
    """LS-6.1: the arbiter sets the position right, in the words of a position."""

    def test_a_correction_states_its_reason_and_what_stands_now(self, given: Given) -> None:
        """LS-6.1: the reason is a fact, and so is each thing set right."""
        table = given(RULES, seats=PAIR)
        table.when(ARBITER, Correct("miscounted", (CoinsSet("blue", 2), CharmSet("red", "ox_bell"))))
        table.then(
            Corrected("miscounted", because=("LS-6.1",)), CoinsSet("blue", 2), CharmSet("red", "ox_bell")
        )
        assert table.state.coins["blue"] == 2

    @pytest.mark.parametrize(
        ("command", "code", "section"),
        (
            (Correct("", (CoinsSet("red", 9),)), "no_reason", "LS-6.1"),
            (Correct("so", (CoinsSet("violet", 9),)), "unsound", "LS-2.4"),
            (Correct("so", (CardsSet("red", 13),)), "unsound", "LS-2.4"),
            (Correct("so", (HandSet("red", "curse"),)), "unsound", "LS-2.4"),
        ),
    )
    def test_a_correction_to_what_cannot_be_is_refused(
        self, given: Given, command: Any, code: str, section: str
    ) -> None:
        """LS-2.4: nobody sits at violet; there are twelve cards; a hand holds no more cards than are counted."""
        given(RULES, seats=PAIR).when(ARBITER, command).refused(code, section)

    def test_a_correction_of_what_is_sealed_is_sealed_too(self, given: Given) -> None:
        """What red holds is red's and the arbiter's to see."""
        table = given(RULES, seats=PAIR)
        table.when(ARBITER, Correct("misdealt", (CardsSet("red", 1), HandSet("red", "hail"))))
        assert table.view("blue").state.hands == {}
        assert table.view("red").state.hands == {"red": {"hail": 1}}
        assert {opening.to for opening in table.log[-1].openings} == {("red",), (ARBITER,)}

    def test_a_set_up_fact_says_whether_it_is_so_already(self, given: Given) -> None:
        """A standing claim is a set-up fact that changes nothing."""
        state = given(RULES, seats=PAIR).state
        assert CoinsSet("red", 6).holds(state)
        assert not CoinsSet("red", 5).holds(state)


class TestTakingBack:
    """LS-3.1: the game may go on from any entry of its log."""

    def test_the_head_moves_only_to_an_entry_of_the_log(self, given: Given) -> None:
        """LS-3.1: there is no entry 0 to go to, and none that has not happened."""
        table = given(RULES, seats=PAIR).when("red", Rest())
        for to in (0, 3, -1):
            table.when("red", MoveHead(to)).refused("no_such_entry", "LS-3.1")

    def test_neither_chance_nor_a_stranger_takes_anything_back(self, given: Given) -> None:
        """LS-3.1: who sits at the table, or its arbiter."""
        table = given(RULES, seats=PAIR).when("red", Rest())
        table.when(CHANCE, MoveHead(1)).refused("not_a_person", "LS-3.1")
        table.when("gold", MoveHead(1)).refused("no_such_seat", "LS-3.1")

    def test_who_agreed_and_what_was_learned_is_kept(self, given: Given) -> None:
        """LS-3.2: the entry says it."""
        table = given(RULES, seats=PAIR).when("red", Rest())
        table.when("red", MoveHead(1, ("blue",), learned=("a roll",)))
        table.then(HeadMoved("red", ("blue",), learned=("a roll",), because=("LS-3.1",)))
        assert table.log[-1].entry.parent == 1

    def test_what_was_taken_back_can_be_restored(self, given: Given) -> None:
        """LS-3.1: the state is that of the entry gone to, there and back."""
        table = given(RULES, seats=PAIR).when("red", Rest())
        table.when("red", MoveHead(1)).asks(red="turn").when("red", MoveHead(2)).asks(blue="turn")
        assert table.state == table.moments[2].state

    def test_a_command_says_where_the_game_goes_on_from(self) -> None:
        """Only a take-back and a ruling to go back do."""
        assert MoveHead(3).goes_back() == 3
        assert Rule(WentBack(4), "so").goes_back() == 4
        assert Rule(Upheld(), "so").goes_back() is None
        assert RaiseDispute(1, "so").goes_back() is None


class TestCallingOff:
    """LS-5.4: the arbiter may end a game before it ends by its rules."""

    def test_a_game_called_off_is_over_and_nobody_is_asked(self, given: Given) -> None:
        """LS-5.4: the reason is kept, the agenda is empty, and play is refused (LS-2.3)."""
        table = given(RULES, seats=PAIR).when(ARBITER, CallOff("the hall closes", ("red",)))
        table.then(
            CalledOff("the hall closes", because=("LS-5.4",)),
            GameEnded(("red",), "called_off", because=("LS-5.4",)),
        )
        assert table.now.table.called_off == "the hall closes"
        assert table.state.agenda == ()
        table.when("red", Rest()).refused("game_over", "LS-2.3")

    def test_only_the_arbiter_calls_off_once_with_a_reason_and_for_who_sits_there(self, given: Given) -> None:
        """LS-5.4: anything else is refused by its own code."""
        table = given(RULES, seats=PAIR)
        table.when("red", CallOff("I lose")).refused("not_the_arbiter", "LS-5.4")
        table.when(ARBITER, CallOff(" ")).refused("no_reason", "LS-5.4")
        table.when(ARBITER, CallOff("late", ("nobody",))).refused("no_such_seat", "LS-5.4")
        table.when(ARBITER, CallOff("late")).when(ARBITER, CallOff("late")).refused("game_over", "LS-2.3")


class TestAfterTheEnd:
    """What the loser of a game can't do about it."""

    def test_a_forfeit_after_the_end_changes_nothing_and_is_refused(self, given: Given) -> None:
        """LS-2.3: the result stands until the game goes back to an entry before its end."""
        table = given(RULES, seats=PAIR).when(ARBITER, CallOff("late", ("red",)))
        table.when(ARBITER, Rule(Forfeited("red"), "cheat")).refused("game_over", "LS-2.3")

    def test_where_no_other_seat_is_left_to_agree_the_arbiter_decides(self, given: Given) -> None:
        """LS-3.2: a seat whose opponent forfeited does not take back alone what told it something."""
        table = given(RULES, seats=PAIR).when(ARBITER, Rule(Forfeited("red"), "cheat"))
        assert must_agree(table.now.table, "blue", ("entry 5: roll",)) == (ARBITER,)
        assert must_agree(table.now.table, "blue", ()) == ()
        alone = tuple(forbids_going_back(table.now.table, "blue", MoveHead(1), ("entry 5: roll",)))
        assert [(one.code, one.because) for one in alone] == [("consent_needed", ("LS-3.2",))]
        asking = tuple(ProposeTakeBack(1, learned=("entry 5: roll",)).forbids(table.now, "blue"))
        assert [(one.code, one.because) for one in asking] == [("arbiter_decides", ("LS-3.2",))]
        decided = MoveHead(1, arbiter="Ann")
        assert tuple(forbids_going_back(table.now.table, "blue", decided, ("entry 5: roll",))) == ()

    def test_a_stranger_and_chance_agree_to_nothing(self, given: Given) -> None:
        """LS-3.3: who sits at the table agrees."""
        table = given(RULES, seats=PAIR)
        table.when("gold", AgreeToTakeBack(1)).refused("no_such_seat", "LS-3.3")
        table.when(CHANCE, AgreeToTakeBack(1)).refused("not_a_person", "LS-3.3")


class TestTheSeed:
    """LS-4.4: the committed seed is revealed when the game is over."""

    def test_the_seed_is_revealed_after_the_end_and_must_be_the_committed_one(self) -> None:
        """LS-4.4: neither earlier, nor another."""
        command: OpenGame[Any] = OpenGame(
            "g", "fair", PAIR, dice="sealed", commitment=sha256(b"saffron").hexdigest(),
            position=(CoinsSet("blue", 1),),
        )  # fmt: skip
        decided = decide(opening(RULES), ARBITER, command)
        assert isinstance(decided, Decision)
        early = decide(decided.after, ARBITER, RevealSeed("pepper"))
        assert isinstance(early, Refused)
        assert [(one.code, one.because) for one in early.reasons] == [
            ("game_goes_on", ("LS-4.4",)), ("wrong_seed", ("LS-4.4",)),
        ]  # fmt: skip
        table = Table(RULES).when(ARBITER, command).dice("gore").when("red", Goad("blue"))
        assert table.state.ended is not None
        table.when(ARBITER, RevealSeed("pepper")).refused("wrong_seed", "LS-4.4")
        table.when(ARBITER, RevealSeed("saffron")).then(SeedRevealed("saffron", because=("LS-4.4",)))
        assert table.now.table.seed == "saffron"
        table.when(ARBITER, RevealSeed("saffron")).refused("revealed_already", "LS-4.4")
