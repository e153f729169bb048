"""The contract of a game: what its commands, facts and steps can do."""

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, Generic, TypeVar

from msgspec import Meta

from core.asking import Offer, Question
from core.refusal import Refusal
from core.state import State
from core.telling import Moment, Tale
from events.event import CommandData, Face, FactData, Seat, SectionRef, StepData
from events.play import BattleBegan, BattleEnded

__all__ = ["Command", "Fact", "Setup", "Step", "named", "word"]

S = TypeVar("S", bound=State)


def word(before: str) -> Meta:
    """Mark a field that a scoresheet writes after a word of its own, such as `from`."""
    return Meta(extra={"word": before})


def named(what: str) -> Meta:
    """Mark a text that is a name of one kind, such as `place`; the rules of the game hold all names of the kind."""
    return Meta(extra={"named": what})


class Command(CommandData, Generic[S]):
    """What a seat asks for: one decision that the rulebook names."""

    SEALS: ClassVar[bool] = True
    """Whether the command is sealed to its seat when it causes a sealed fact; false when it says nothing secret."""

    WHEN: ClassVar[tuple[SectionRef, ...]] = ()
    """The sections that say when and by whom it is given; cited where it does not answer what is asked."""

    def when(self, now: Moment[S]) -> tuple[SectionRef, ...]:
        """Return `WHEN`, or those of it that go for what is played now."""
        return self.WHEN

    def speaks_for(self) -> tuple[Seat, ...]:
        """Return the seats whose word it claims to carry beside that of the seat that gives it; nobody's as a rule (LS-3.4)."""
        return ()

    def forbids(self, now: Moment[S], seat: Seat) -> Iterator[Refusal]:
        """Yield every reason why the rules do not allow it; nothing when they do."""
        yield from ()

    def untimely(self, now: Moment[S], seat: Seat) -> Iterator[Refusal]:
        """Yield what stands against it where its seat is asked for something else, or nothing; `WHEN` is cited without."""
        yield from ()

    def tells(self, tale: Tale[S], seat: Seat) -> None:
        """Tell what follows: facts, then the steps that come next."""
        raise NotImplementedError(f"{type(self).__name__} tells nothing")


class Fact(FactData, Generic[S]):
    """What happened. `onto` is dull: no rule, no question, no refusal."""

    BY_HITS: ClassVar[bool] = False
    """Whether dice that hit bring it about: a table that claims another number has counted those otherwise."""

    def onto(self, state: S) -> S:
        """Return the state after the fact."""
        raise NotImplementedError(f"{type(self).__name__} does not fold")

    def known_before(self, state: S) -> tuple[S, ...]:
        """Return what the state before its entry may have been, for who learns by it what was hidden in that state.

        One of these is it, unless what is revealed was moved in the entry; nothing: the game can't say.
        """
        return () if self.REVEALS else (state,)

    def in_words(self, later: Sequence[FactData] = ()) -> str:
        """Return the fact as a sentence for people, where its name and fields do not make one; empty where they do.

        `later` are the facts that follow it in its entry.
        """
        return ""

    def whole_battle(self) -> tuple[BattleBegan, BattleEnded] | None:
        """Return the beginning and the end of the battle that this fact is by itself, over with its entry; None as a rule.

        What is lost later in the entry was lost in it.
        """
        return None

    def choosable(self, before: S, now: S, count: int) -> "tuple[Setup[S], ...] | None":
        """Return what else is so where the rules let a table choose this count in place of what was told; None where not.

        `before` is the state before its entry. Only a claimable fact is asked.
        """
        return None

    @classmethod
    def mends(cls, state: S, told: Sequence[Any], who: str, more: int, kind: str) -> tuple["Setup[S]", ...]:
        """Return the set-up facts that make a state follow a table which claimed `more` than was told (negative: fewer).

        `told` are the facts of this class that were counted, of `who`; `kind` is empty when the claim names none. Only a
        claimable fact is asked; nothing: the game has no words for it, or it would not be right.
        """
        return ()


class Setup(Fact[S], Generic[S]):
    """A set-up fact, "this stands here": one vocabulary for positions, corrections and standing claims.

    `WORD` heads its tables in a position file: `[[units]]`.
    """

    WORD: ClassVar[str] = ""
    KEY: ClassVar[tuple[str, ...] | None] = None
    """The fields that say what it is about: no position says two things about one. None: it may be said often."""
    ABOUT: ClassVar[tuple[SectionRef, ...]] = ()
    """The sections that say what such a thing is; none where what happens there says it better."""

    def holds(self, state: S) -> bool:
        """Return whether it is so already: what a standing claim asks."""
        return self.onto(state) == state

    def about(self) -> tuple[SectionRef, ...]:
        """Return the sections that say what it is: a wrong claim cites them where nothing that happened made it so."""
        return self.ABOUT

    def says_none(self, state: S) -> bool:
        """Return whether it says that none stands there and none does, whoever else holds the place; a right claim as well."""
        return False

    def instead(self, state: S) -> tuple["Setup[S]", str] | None:
        """Return what stands there of the same seat and is said in other words, and a sentence on why; None without.

        It is told to who claims this and is wrong, before what stands there of others.
        """
        return None


class Step(StepData, Generic[S]):
    """A place in a procedure. Deriving its question changes nothing."""

    def question(self, now: Moment[S]) -> Question | None:
        """Return what it waits for now; None when nobody is asked and it can be played."""
        return None

    def play(self, tale: Tale[S]) -> None:
        """Go on: tell facts and move the agenda. Called only while nobody is asked."""
        raise NotImplementedError(f"{type(self).__name__} neither asks nor plays")

    def offers(self, now: Moment[S], seat: Seat) -> Iterator[Offer]:
        """Yield the offers of its question to a seat, from what that seat may see."""
        yield from ()

    def silence(self, now: Moment[S], seat: Seat) -> Command[S]:
        """Return the command that no answer stands for; every question to a player has one."""
        raise NotImplementedError(f"{type(self).__name__} has no silence")

    def by_itself(self, now: Moment[S]) -> Iterator[tuple[Seat, Command[S]]]:
        """Yield what would say the same, and who would say it, where it asks nobody and goes on by itself.

        The rules left no choice, so nobody need say it; who writes it down all the same is not wrong.
        """
        yield from ()

    def rolled(self, tale: Tale[S], faces: tuple[Face, ...]) -> None:
        """Go on with the dice that its question asked for."""
        raise NotImplementedError(f"{type(self).__name__} asked for no dice")

    def dealt(self, tale: Tale[S], card: str) -> None:
        """Go on with the card that its question asked for."""
        raise NotImplementedError(f"{type(self).__name__} asked for no card")

    def pool(self, now: Moment[S]) -> tuple[str, ...]:
        """Return the cards left to draw from; for the source of chance alone."""
        return ()

    def meanwhile(self, now: Moment[S]) -> Question | None:
        """Return what may be ordered from this step while others lie on top of it."""
        return None
