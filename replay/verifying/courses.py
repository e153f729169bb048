"""The course that a game would have taken by the rules, where its record departs from them."""

from dataclasses import dataclass
from typing import Any

from core.deciding import Decision, decide
from core.deciding import Refused as Forbidden
from core.kit.consenting import ProposeTakeBack
from core.kit.table import MoveHead, Rule
from core.telling import Endless, Moment
from events.event import Seat
from events.table import WentBack
from replay.history import AnyEntry
from replay.verifying.comparing import shut_alike
from replay.words.nearest import beside

__all__ = [
    "FAULTS",
    "Course",
    "decided_on",
    "is_same",
    "joined",
    "left_out",
    "right_after",
    "says_what_was_learned",
]

FAULTS = (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError, Endless)
"""What rules may raise on a state or a command that is not as they made it."""


_SAYS_SO = frozenset({MoveHead, ProposeTakeBack})


MOST_MISSING = 6
"""So many entries in a row that are silences may be found missing: the passes of a round, the ends of phases."""


@dataclass(frozen=True, slots=True)
class Course:
    """How a game would have gone by the rules since an entry at which its record departed from them.

    `fits`: nothing since has shown that the table went on from what is recorded. Where something has, the course says only
    whether a later divergence would have been there without the earlier one.
    `sure`: it may say so. What a command should have caused is known; what a table did in place of a command that the rules
    refuse is not, nor what comes of a divergence that would not have been there otherwise.
    `open`: it began with something left out of which nobody can say what it was, so that no later entry settles it.
    """

    since: int
    now: Moment[Any]
    fits: bool = True
    sure: bool = False
    open: bool = False

    def goes_on(self, decided: Any, after: Moment[Any], *, fits: bool) -> "Course | None":
        """Return the course after an entry, by what is decided on it; None when it is one with what is recorded."""
        now = decided.after if isinstance(decided, Decision) else self.now
        if self.sure and now.state == after.state:
            return None
        return Course(self.since, now, self.fits and fits, self.sure, self.open)

    def explains(self, decided: Any, meant: Any) -> bool:
        """Return whether a divergence may be owed to the earlier one: on the course something else would be decided."""
        if isinstance(decided, Decision) and isinstance(meant, Decision):
            return not self.sure or decided.facts != meant.facts
        return not self.sure or not isinstance(decided, Forbidden) or decided != meant


def decided_on(base: Moment[Any], entry: AnyEntry) -> Any:
    """Return what is decided of an entry's command; what the rules raise on a state that is not as they made it."""
    try:
        return decide(base, entry.seat, entry.command, check=False)
    except FAULTS as fault:
        return fault


def is_same(entry: AnyEntry, sealed: AnyEntry, decided: Any) -> bool:
    """Return whether a decision is what is recorded; whether somebody might move the head is weighed apart."""
    return (
        type(decided) is Decision
        and decided.facts == entry.facts
        and not says_what_was_learned(entry.command)
        and shut_alike(entry, sealed, decided)
    )


def says_what_was_learned(command: Any) -> bool:
    """Return whether a command moves the head, or asks for it, and so says what had been learned."""
    kind = type(command)
    return kind in _SAYS_SO or (kind is Rule and type(command.verdict) is WentBack)


def left_out(
    base: Moment[Any], entry: AnyEntry, sealed: AnyEntry
) -> tuple[list[tuple[Seat, Any]], Moment[Any], bool] | None:
    """Return the silences that are missing before an entry and the moment after it, where with them it is as recorded.

    And whether it is so by these alone: by another answer of the kind it might be, too, and what was left out is not known.
    """
    now, missing, others = base, list[tuple[Seat, Any]](), list[tuple[int, Any]]()

    def fits(place: int, other: Any) -> bool:
        """Return whether the entry is as recorded by another answer at one place of what is missing."""
        then = base
        for n, (seat, silence) in enumerate(missing):
            answer = decided_after(then, seat, other if n == place else silence)
            if answer is None:
                return False
            then = Moment(base.rules, answer.after.state, base.table, base.entry)
        return is_same(entry, sealed, decided_on(then, entry))

    while len(missing) < MOST_MISSING:
        asked = now.question
        if asked is None or asked.roll is not None or asked.draw is not None or not now.state.agenda:
            return None
        seat = asked.seats[0]
        try:
            silence = now.state.agenda[-1].step.silence(now, seat)
            others += [(len(missing), other) for other in beside(now, seat, silence)]
        except FAULTS:
            return None
        decided = decided_after(now, seat, silence)
        if decided is None:
            return None
        missing.append((seat, silence))
        now = Moment(base.rules, decided.after.state, base.table, base.entry)
        again = decided_on(now, entry)
        if is_same(entry, sealed, again):
            return missing, again.after, not any(fits(place, other) for place, other in others)
    return None


def decided_after(now: Moment[Any], seat: Seat, command: Any) -> Decision[Any] | None:
    """Return what a command causes; None where it is refused, or the state is not as the rules made it."""
    try:
        decided = decide(now, seat, command, check=False)
    except FAULTS:
        return None
    return decided if isinstance(decided, Decision) else None


def joined(course: Course, base: Moment[Any]) -> Moment[Any]:
    """Return the moment on which an entry is decided in a course: its state, and the table as it is recorded."""
    return Moment(base.rules, course.now.state, base.table, base.entry)


def right_after(
    entry: AnyEntry, base: Moment[Any], decided: Any, course: Course | None, meant: Any
) -> Moment[Any] | None:
    """Return the moment that would have been right after an entry: what its command causes; else as if it had not been."""
    told = decided if course is None else meant
    if isinstance(told, Decision):
        return told.after
    held = base if course is None else joined(course, base)
    return Moment(held.rules, held.state, held.table, entry.id + 1) if isinstance(told, Forbidden) else None
