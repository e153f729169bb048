"""The moment in which a command is decided, and the tale of what it causes."""

from collections.abc import Iterator
from itertools import count, repeat
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar

from msgspec import Struct, field, structs

from core.asking import Question
from core.state import Open, State
from core.table import Table, fold_table
from events.event import FactData, Id, Seat, StepData
from events.play import Turned

if TYPE_CHECKING:
    from core.rules import Rules

__all__ = ["DoesNotFold", "Endless", "Moment", "Tale"]

S = TypeVar("S", bound=State)

MOST_STEPS = 100_000
"""More steps than any resolution of any game takes; past it a procedure is going in a circle."""


class Endless(RuntimeError):
    """Raised when steps go on without ever asking: a defect of a game's rules, never of input."""


class DoesNotFold(ValueError):
    """Raised when a fact that is told can't be folded: the state it should change has not what it names."""


class Moment(Struct, Generic[S], gc=False, eq=False):
    """A state, the table beside it, and what is asked now. `entry` is the id that the next entry will have."""

    rules: "Rules[S]"
    state: S
    table: Table
    entry: Id
    _question: Question | bool | None = False
    """What the top step asks, once it is derived; False before that."""
    _questions: tuple[tuple[Open, Question], ...] | None = None

    def answer(self, point: str) -> str:
        """Return the answer in force to a point, by its full id (`QD-X61`); older logs may not know the point."""
        held = self.table.answers.get(point)
        if held is None:
            known = self.rules.rulebook.points[point]
            return known.older or known.default
        return held

    @property
    def question(self) -> Question | None:
        """What the top step asks; None when nothing is open."""
        if self._question is False:
            agenda = self.state.agenda
            self._question = agenda[-1].step.question(self) if agenda else None
        return self._question  # type: ignore[return-value]

    def questions(self) -> tuple[tuple[Open, Question], ...]:
        """Return every open question with its step: the top one first, then what steps beneath ask meanwhile."""
        if self._questions is None:
            self._questions = tuple(self._derived())
        return self._questions

    def _derived(self) -> Iterator[tuple[Open, Question]]:
        agenda = self.state.agenda
        if agenda and self.question is not None:
            yield agenda[-1], self.question
        for beneath in reversed(agenda[:-1]):
            asked = beneath.step.meanwhile(self)
            if asked is not None:
                left = tuple(seat for seat in asked.seats if not self.is_out(seat))
                if left:
                    yield beneath, asked if left == asked.seats else structs.replace(asked, seats=left)

    def is_out(self, seat: Seat) -> bool:
        """Return whether silence answers for a seat: it is out of the game, or it forfeited."""
        return seat in self.state.out or seat in self.table.forfeited


class Tale(Moment[S], gc=False, eq=False):
    """What a command causes, told fact by fact. Each fact is folded at once, so later ones see its effect.

    Its `question` is the one that the command answers, whatever has been told since.
    """

    _opened: tuple[Open, ...] = ()
    _kept: int = 0
    _new: list[StepData] = field(default_factory=list)
    facts: list[FactData] = field(default_factory=list)
    audiences: list[tuple[Seat, ...]] = field(default_factory=list)

    @classmethod
    def begin(cls, now: Moment[S]) -> Self:
        """Return a tale that begins at a moment."""
        opened = now.state.agenda
        return cls(now.rules, now.state, now.table, now.entry, now.question, None, opened, len(opened))

    def tell(self, fact: FactData, to: tuple[Seat, ...] | None = None) -> None:
        """Say that a fact happened; `to` names the seats that alone may see it, in place of the fact's own audience.

        Who sits at one of these seats sees it at all of his (LS-1.6).
        """
        self.facts.append(fact)
        audience = fact.audience() if to is None else to
        self.audiences.append(self.table.told_to(audience) if audience else audience)
        if fact.TABLE:
            self.table = fold_table(self.table, fact, self.entry)
            return
        try:
            self.state = fact.onto(self.state)  # type: ignore[attr-defined]
        except (KeyError, ValueError, TypeError, IndexError, AttributeError) as fault:
            raise DoesNotFold(f"{type(fact).__name__} does not fold: {fault!r}") from fault
        if self.state.ended is not None:
            self._kept, self._new = 0, []

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.state.ended is not None

    @property
    def top(self) -> Any:
        """The step on top of the agenda as it stands in this tale, or None."""
        if self._new:
            return self._new[-1]
        return self._opened[self._kept - 1].step if self._kept else None

    def beneath(self) -> Iterator[Any]:
        """Yield the open steps as they stand in this tale, the top one first."""
        yield from reversed(self._new)
        yield from (self._opened[place].step for place in reversed(range(self._kept)))

    def then(self, *steps: StepData) -> None:
        """Lay steps on the agenda; the first named is played first. After the game's end nothing is laid."""
        if self.state.ended is None:
            self._new.extend(reversed(steps))

    def done(self) -> None:
        """End the top step."""
        if self._new:
            self._new.pop()
        elif self._kept:
            self._kept -= 1

    def become(self, *steps: StepData) -> None:
        """End the top step and lay others in its place; the first named is played first."""
        self.done()
        self.then(*steps)

    def reopen(self) -> None:
        """Open the top step anew, so that its question is derived again under a new name."""
        top = self.top
        if top is not None:
            self.become(top)

    def play_on(self) -> Question | None:
        """Play steps until one asks, and return what; None when the agenda is empty.

        Silence answers at once for each seat that is out.
        """
        for _ in range(MOST_STEPS):
            step = self.top
            if step is None:
                return None
            asked = step.question(self)
            if asked is None:
                self.plays(step)
                continue
            out = next(filter(self.is_out, asked.seats), None)
            if out is None:
                return asked  # type: ignore[no-any-return]
            step.silence(self, out).tells(self, out)
        raise Endless(f"{type(self.top).__name__} never asks and never ends")

    def plays(self, step: Any) -> None:
        """Let a step go on that asks nobody."""
        step.play(self)

    def turn(self) -> None:
        """Tell how the agenda moved, and move it: the last fact of an entry."""
        turned: Turned[Any] = Turned(len(self._opened) - self._kept, tuple(self._new))
        self.facts.append(turned)
        self.audiences.append(())
        self.state = moved(self.state, turned, self.entry)

    @property
    def has_turned(self) -> bool:
        """Whether the agenda differs from what it was when the tale began."""
        return bool(self._new) or self._kept != len(self._opened)


def moved(state: S, turned: Turned[Any], entry: Id) -> S:
    """Return the state with its agenda moved as a `Turned` of entry `entry` says."""
    if not turned.done and not turned.steps:
        return state
    kept = len(state.agenda) - turned.done
    if kept < 0:
        raise ValueError(f"{turned.done} steps should end, but only {len(state.agenda)} are open")
    new = map(Open, turned.steps, repeat(entry), count())
    return structs.replace(state, agenda=(*state.agenda[:kept], *new))
