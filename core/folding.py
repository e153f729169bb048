"""Folding a log: the state and the table after each entry, as far as the log folds."""

from collections.abc import Iterable
from typing import Any, TypeVar

from core.state import State
from core.table import fold_table
from core.telling import Moment, moved
from events.entry import Entry
from events.play import Turned, Unrecognised
from events.table import GameOpened

__all__ = ["Unfoldable", "fold", "fold_all"]

S = TypeVar("S", bound=State)


class Unfoldable(ValueError):
    """Raised when a fact can't be folded: which entry, which fact of it (counted from 0), and why."""

    def __init__(self, entry: int, place: int, why: str) -> None:
        """Take the entry's id, the place of the fact in it, and the reason."""
        super().__init__(f"entry {entry}, fact {place + 1}: {why}")
        self.entry, self.place, self.why = entry, place, why


def fold(before: Moment[S], entry: Entry[Any, Any]) -> Moment[S]:
    """Return the moment after an entry, given the moment that joins its parent's state and the table before it.

    Sealed facts leave the state alone, so folding the lines as a seat may read them gives what that seat may know.
    Raises `Unfoldable` on the first fact that does not fold.
    """
    rules, state, table, fact = before.rules, before.state, before.table, None
    try:
        for fact in entry.facts:
            if type(fact) is Turned:
                state = moved(state, fact, entry.id)
            elif fact.TABLE:
                table = fold_table(table, fact, entry.id)
                if type(fact) is GameOpened:
                    state = rules.start(table)
            else:
                state = fact.onto(state)
    except (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError) as fault:
        place = next(n for n, told in enumerate(entry.facts) if told is fact)
        raise Unfoldable(entry.id, place, _why(fact, fault)) from fault
    return Moment(rules, state, table, entry.id + 1)


def _why(fact: Any, fault: Exception) -> str:
    if type(fact) is Unrecognised:
        return f"this revision does not know the fact {fact.name!r}"
    said = repr(fault)
    if type(fault) is ValueError:  # games say in words what a fact does not find
        said = str(fault)
    elif isinstance(fault, KeyError):
        said = f"there is no {fault}"
    elif isinstance(fault, AssertionError):
        said = str(fault) or "the state is not one in which it could happen"
    return f"{type(fact).__name__} does not fold: {said}"


def fold_all(start: Moment[S], entries: Iterable[Entry[Any, Any]]) -> list[Moment[S]]:
    """Return the moments after 0, 1, 2 ... entries of a log: two folds, game facts along parents, table facts along ids."""
    moments = [start]
    for entry in entries:
        if not 0 <= entry.parent < len(moments):
            raise Unfoldable(entry.id, 0, f"its parent, entry {entry.parent}, is not before it")
        moments.append(
            fold(Moment(start.rules, moments[entry.parent].state, moments[-1].table, entry.id), entry)
        )
    return moments
