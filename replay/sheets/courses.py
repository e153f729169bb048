"""One way of reading a scoresheet: how each line so far was taken, what it costs, and the play that came of it.

A reading costs 100 for each line that it finds wrong and 50 for each of which it can't tell; what it must assume beside
adds a little, so that of readings which find as much wrong the one is taken that assumes least.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from replay.sheets.playing import SheetPlay
from replay.sheets.verdicts import LAWFUL, UNKNOWABLE, Verdict

__all__ = ["BEAM", "FAULT", "FORESIGHT", "Course", "fewest"]

FAULT = 100
UNKNOWN = 50
BEAM = 14
"""So many readings are kept beside each other."""
MARGIN = 250
"""A reading that has found so much more wrong than the best is given up."""
FORESIGHT = 14
"""So many lines after a line decide how it is read."""


@dataclass(frozen=True)
class Course:
    """A reading of a sheet up to a line."""

    play: SheetPlay
    cost: int = 0
    trail: tuple[Any, int, Verdict] | None = None
    """The verdicts, the last one first: those before, the place of the line, the verdict."""
    held: tuple[int, ...] = ()
    """The places of claims that stand before the dice that they count."""
    ahead: frozenset[int] = frozenset()
    """The places of lines that were read before their turn."""
    choices: tuple[tuple[int, int], ...] = ()
    """Where lines could be read in several ways: the place, and which way was taken."""

    def twin(self) -> "Course":
        """Return the same course with a play of its own."""
        return replace(self, play=self.play.twin())

    def judged(self, place: int, verdict: Verdict, extra: int = 0) -> "Course":
        """Return the course with the verdict on one line more."""
        cost = {LAWFUL: 0, UNKNOWABLE: UNKNOWN}.get(verdict.verdict, FAULT)
        return replace(self, cost=self.cost + cost + extra, trail=(self.trail, place, verdict))

    def chosen(self, place: int, way: int) -> "Course":
        """Return the course with the way noted in which a line was read."""
        return replace(self, choices=(*self.choices, (place, way)))

    def verdicts(self) -> Iterator[Verdict]:
        """Yield the verdicts in the order of the lines."""
        held: dict[int, Verdict] = {}
        trail = self.trail
        while trail is not None:
            trail, place, verdict = trail
            held[place] = verdict
        yield from (held[place] for place in sorted(held))


def fewest(courses: list[Course], place: int) -> list[Course]:
    """Return the readings that are worth going on with after a line, the best first.

    Those that come to the same are one; what was read long ago is read as the best reading has it.
    """
    if len(courses) == 1:
        return courses
    ranked = sorted(courses, key=lambda course: course.cost)
    best = ranked[0]
    settled = tuple(choice for choice in best.choices if choice[0] <= place - FORESIGHT)
    kept: list[Course] = []
    for course in ranked:
        if len(kept) == BEAM or course.cost > best.cost + MARGIN:
            break
        if course.choices[: len(settled)] == settled and not any(_is_same(course, other) for other in kept):
            kept.append(course)
    return kept


def _is_same(one: Course, other: Course) -> bool:
    mine, theirs = one.play, other.play
    return (
        (one.held, one.ahead, mine.status) == (other.held, other.ahead, theirs.status)
        and mine.now.table == theirs.now.table
        and mine.now.state == theirs.now.state
        and mine.since == theirs.since
    )
