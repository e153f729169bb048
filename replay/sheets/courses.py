"""One way of reading a scoresheet: how each line so far was taken, what it costs, and the play that came of it.

A reading costs 100 for each line that it finds wrong and 50 for each of which it can't tell; what it must assume beside
adds a little, so that of readings which find as much wrong the one is taken that assumes least.

Dice that nobody wrote can be anything, and so make any claim right. So no reading that sets dice of the sheet aside, to
assume others in their place, is taken for what it makes right: only where it finds fewer dice at fault than each that
lays the same dice on the rolls in their order.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from replay.sheets.playing import SheetPlay
from replay.sheets.verdicts import LAWFUL, UNKNOWABLE, Verdict

__all__ = ["BEAM", "FAULT", "FORESIGHT", "Course", "best_of", "fewest"]

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
    faulty_dice: int = 0
    """How many lines are wrong in their dice, or lack them."""
    set_aside: int = 0
    """How many lines of dice were not laid on the roll that was asked for, though they could be it."""

    def twin(self) -> "Course":
        """Return the same course with a play of its own."""
        return replace(self, play=self.play.twin())

    def judged(self, place: int, verdict: Verdict, extra: int = 0) -> "Course":
        """Return the course with the verdict on one line more."""
        cost = {LAWFUL: 0, UNKNOWABLE: UNKNOWN}.get(verdict.verdict, FAULT)
        return replace(self, cost=self.cost + cost + extra, trail=(self.trail, place, verdict))

    def aside(self) -> "Course":
        """Return the course with one line more of dice that were not laid on the roll asked for."""
        return replace(self, set_aside=self.set_aside + 1)

    def chosen(self, place: int, way: int) -> "Course":
        """Return the course with the way noted in which a line was read."""
        return replace(self, choices=(*self.choices, (place, way)))

    def verdicts(self) -> Iterator[Verdict]:
        """Yield the verdicts in the order of the lines."""
        held: dict[int, Verdict] = {}
        for place, verdict in self.judged_since(None):
            held.setdefault(place, verdict)
        yield from (held[place] for place in sorted(held))

    def judged_since(self, earlier: tuple[Any, int, Verdict] | None) -> Iterator[tuple[int, Verdict]]:
        """Yield the places of lines with the verdicts that came to an earlier trail, the last one first."""
        trail = self.trail
        while trail is not None and trail is not earlier:
            trail, place, verdict = trail
            yield place, verdict


def best_of(courses: Sequence[Course]) -> Course:
    """Return the cheapest reading; of those that set dice aside none that finds no fewer at fault than one that does so less."""
    best: Course | None = None
    for level in sorted({course.set_aside for course in courses}):
        alike = [
            course
            for course in courses
            if course.set_aside == level
            and (best is None or (course.cost < best.cost and course.faulty_dice < best.faulty_dice))
        ]
        best = min(alike, key=lambda course: (course.cost, course.faulty_dice), default=best)
    assert best is not None  # noqa: S101 - there is always a reading
    return best


def fewest(courses: list[Course], place: int) -> list[Course]:
    """Return the readings that are worth going on with after a line, the best first.

    Those that come to the same are one; what was read long ago is read as the best reading has it. Readings that set dice
    aside are kept beside those that do not: neither kind crowds out the other.
    """
    if len(courses) == 1:
        return courses
    best = best_of(courses)
    settled = tuple(choice for choice in best.choices if choice[0] <= place - FORESIGHT)
    alike = [course for course in courses if course.choices[: len(settled)] == settled]
    kept = _cheapest(course for course in alike if not course.set_aside)
    return kept + _cheapest(course for course in alike if course.set_aside)


def _cheapest(courses: Iterable[Course]) -> list[Course]:
    kept: list[Course] = []
    for course in sorted(courses, key=lambda course: course.cost):
        if len(kept) == BEAM or (kept and course.cost > kept[0].cost + MARGIN):
            break
        if not any(_is_same(course, other) for other in kept):
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
