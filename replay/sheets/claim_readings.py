"""How claims of a scoresheet can be read: right, wrong by the rules, or followed as the table recorded; early, or late.

A claim that stands before the dice which it counts is held until they have fallen. Where the dice that it counts were
never written, they are missing, and no other dice of the sheet stand in for them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from msgspec import structs

from core.kit.chance import AnswerRoll
from core.seats import CHANCE
from core.telling import Moment
from events.event import SectionRef
from replay.sheets.claim_verdicts import judge_claims
from replay.sheets.claims import Tally
from replay.sheets.courses import FAULT, Course
from replay.sheets.holes import MOST_MISSING, fillings
from replay.sheets.owed import settle
from replay.sheets.plain import answered, heard
from replay.sheets.playing import SheetPlay, asked_words
from replay.sheets.scoresheet import Claimed, Line, Said
from replay.sheets.unwritten import played_again, said_instead
from replay.sheets.verdicts import LAWFUL, MISCOUNTED, UNKNOWABLE, UNLAWFUL, Verdict, sections_of
from replay.sheets.writing import write_faces

__all__ = ["ClaimReader", "played_on"]

AHEAD = 14
"""So many lines after a line are looked at."""


class ClaimReader:
    """Reads the claims of a sheet, each in the ways in which they can be read."""

    guesses: int

    def __init__(self, lines: Sequence[Line]) -> None:
        """Take the lines of the sheet."""
        self.lines = lines
        self._hints: dict[int, str] = {}

    def following(self, place: int) -> Sequence[Line]:
        """Return the lines after a place, as far as they are looked at."""
        return self.lines[place + 1 : place + 1 + AHEAD]

    def claimed(self, course: Course, place: int) -> Iterator[Course]:
        """Yield the courses that go on with the claims at a place."""
        line = self._claims(place)
        if course.held and not self._is_early(course.play, place, line):
            for counted in self.counted(course, place):
                yield from self.claimed(counted, place)
            return
        if course.held:
            yield replace(course, held=(*course.held, place))
            return
        yield from self._read(course, place, place + 1, may_wait=True)

    def counted(self, course: Course, until: int) -> Iterator[Course]:
        """Yield the courses on which the claims that were held are counted; the lines from `until` on follow."""
        courses = [replace(course, held=())]
        for at in course.held:
            courses = [after for each in courses for after in self._read(each, at, until, may_wait=False)]
        for counted in courses:
            if course.held:
                counted.play.part()
            yield counted

    def after_dice(self, course: Course, place: int) -> Iterator[Course]:
        """Yield the courses that go on after a line; claims that were held are counted once the dice have told of them."""
        if not course.held:
            yield course
            return
        first = self._claims(course.held[0])
        trial = course.play.twin()
        verdict = judge_claims(trial, first, self.following(place))
        words = {claim.word for claim in first.claims if isinstance(claim, Tally)}
        has_told = any(fact.CLAIM in words for fact in trial.since)
        if verdict.verdict == LAWFUL or has_told or not self._rolls_next(place):
            again = FAULT if self._is_said_again(first, place + 1) else 0
            yield from self.counted(replace(course, cost=course.cost + again), place + 1)
        else:
            yield course

    def _claims(self, place: int) -> Claimed:
        line = self.lines[place]
        assert isinstance(line, Claimed)  # noqa: S101 - only claims are held, and only claims are read here
        return line

    def is_after_void(self, play: SheetPlay, place: int) -> bool:
        """Return whether the last act before a place is dice of which some were void: none are likely to be missing there."""
        last = next((line for line in reversed(self.lines[:place]) if isinstance(line, Said)), None)
        return last is not None and last.number == play.voided

    def _rolls_next(self, place: int) -> bool:
        """Return whether the next act of the sheet is a roll."""
        acts = (each for each in self.following(place) if isinstance(each, Said))
        return isinstance(getattr(next(acts, None), "command", None), AnswerRoll)

    def _is_early(self, play: SheetPlay, place: int, line: Claimed) -> bool:
        """Return whether claims may count dice that stand after them: a roll is asked for, and comes next.

        What is claimed must not have been told of already.
        """
        tallies = [claim for claim in line.claims if isinstance(claim, Tally)]
        asked = play.now.question
        if (
            len(tallies) < len(line.claims)
            or asked is None
            or asked.roll is None
            or not self._rolls_next(place)
        ):
            return False
        since = () if play.was_claimed else play.since
        return not {claim.word for claim in tallies} & {fact.CLAIM for fact in since}

    def _is_said_again(self, first: Claimed, place: int) -> bool:
        """Return whether the line at a place claims what earlier claims did: then each of them counts its own dice."""
        line = self.lines[place] if place < len(self.lines) else None
        said = {(claim.who, claim.word) for claim in first.claims if isinstance(claim, Tally)}
        return isinstance(line, Claimed) and any(
            isinstance(claim, Tally) and (claim.who, claim.word) in said for claim in line.claims
        )

    def _read(self, course: Course, place: int, until: int, *, may_wait: bool) -> Iterator[Course]:
        """Yield the readings of the claims at a place, counted now; the lines from `until` on follow."""
        line, following = self._claims(place), self.lines[until : until + AHEAD]
        now = course.play.now
        plain = course.twin()
        verdict = judge_claims(plain.play, line, following)
        early = may_wait and self._is_early(course.play, place, line)
        if verdict.verdict == UNKNOWABLE and course.play.waits_for_roll:
            others = self._with_other_dice(course.play, line, following)
            if others:
                plain = course.twin()
                verdict = judge_claims(plain.play, line, following, others=others)
        elif verdict.verdict == MISCOUNTED and not early:
            others = self._with_other_dice(course.play, line, following)
            if others:
                plain = course.twin()
                verdict = judge_claims(plain.play, line, following, others=others)
        if not may_wait and verdict.verdict == LAWFUL:
            note = f"It stands before the dice that it counts, and is counted after line {self.lines[until - 1].number}."
            verdict = structs.replace(verdict, message=f"{note} {verdict.message}".strip())
        if verdict.verdict != MISCOUNTED or self.guesses <= 0:
            yield plain.judged(place, answered(verdict, now))
            return
        self.guesses -= 1
        ways = self._wrong(course, plain, place, line, verdict, following, early=early)
        for way, after in enumerate(ways):
            yield after.chosen(place, way)

    def _wrong(
        self,
        course: Course,
        plain: Course,
        place: int,
        line: Claimed,
        verdict: Verdict,
        following: Sequence[Line],
        *,
        early: bool,
    ) -> Iterator[Course]:
        """Yield the readings of claims that differ from what the rules tell."""
        now = course.play.now
        asked = now.question
        owed = asked is not None and asked.roll is not None and not plain.play.waits_for_roll
        uncounted = owed and not any(fact.CLAIM for fact in plain.play.since)
        if early:
            yield replace(course, held=(place,), cost=course.cost + 1)
        said = self._hint(course.play, place, line, following)
        if uncounted:
            said = f"Not written yet: {asked_words(now)}. {said}".strip()
        verdict = structs.replace(verdict, message=f"{verdict.message} {said}".strip())
        unwritten = [] if now.table.disputes else list(self._unwritten(course, place, line, following))
        # Where the roll that is owed could make them right, it is what is wrong: as much as where it is assumed.
        owes = not self.is_after_void(course.play, place) and any(
            after.trail is not None and after.trail[2].codes == ("dice_missing",) for after in unwritten
        )
        plain = replace(plain, faulty_dice=plain.faulty_dice + owes)
        yield plain.judged(place, answered(verdict, now), 6 if uncounted else 0)
        if not plain.play.waits_for_roll:
            table = replace(course.twin(), faulty_dice=plain.faulty_dice)
            other = judge_claims(table.play, line, following, follow=True)
            if other.told:
                other = structs.replace(other, message=f"{other.message} {said}".strip())
                yield table.judged(place, answered(other, now), 9 if uncounted else 7)
        if now.table.disputes:
            yield from self._counted_on(course, place, line, following)
        yield from unwritten

    def _hint(self, play: SheetPlay, place: int, line: Claimed, following: Sequence[Line]) -> str:
        if place not in self._hints:
            other = said_instead(play, line, following)
            self._hints[place] = (
                f"Had `{other}` been written, where silence was filled in, the claim would be right."
                if other
                else ""
            )
        return self._hints[place]

    def _counted_on(
        self, course: Course, place: int, line: Claimed, following: Sequence[Line]
    ) -> Iterator[Course]:
        """Yield the reading that a dispute was never ruled on, and the table counted on."""
        now = course.play.now
        after = course.twin()
        if after.play.uphold():
            verdict = judge_claims(after.play, line, following)
            if verdict.verdict == LAWFUL:
                said = Verdict(
                    line.number,
                    line.text,
                    UNLAWFUL,
                    ("LS-5.1",),
                    "",
                    asked_words(now),
                    line.text,
                    codes=("disputed",),
                )
                yield after.judged(place, structs.replace(played_on(said, now), silences=verdict.silences), 2)

    def rolled_unwritten(
        self, course: Course, *, after_silence: bool = False
    ) -> Iterator[tuple[Course, AnswerRoll, str, tuple[SectionRef, ...], tuple[str, ...]]]:
        """Yield twins on which the roll that is asked for has fallen though nobody wrote it.

        With each: what it was, what was asked, by which sections, and the lines that silence filled in before it. A roll
        that is asked for only when silence has answered something else is one, too, when it may come `after_silence`.
        """
        before = course.twin()
        silences: tuple[str, ...] = ()
        if after_silence:
            before.play.begin_act()
            silences = before.play.give(heard(course.play, CHANCE, AnswerRoll(())).given)
        now = before.play.now
        asked = now.question
        if asked is None or asked.roll is None or now.table.disputes or now.state.ended is not None:
            return
        if before.play.waits_for_roll:
            return
        for filled in fillings(AnswerRoll(()), asked.roll, now.rules.all_dice[asked.roll.die], MOST_MISSING):
            after = before.twin()
            if after.play.guess(AnswerRoll(()), filled):
                yield after, filled, asked_words(now), asked.because or ("LS-4.1",), silences

    def _unwritten(
        self, course: Course, place: int, line: Claimed, following: Sequence[Line]
    ) -> Iterator[Course]:
        """Yield the readings that the dice which the claims count were not written down."""
        now = course.play.now
        for after, filled, due, because, _ in self.rolled_unwritten(course):
            others = self._with_other_dice(after.play, line, following)
            verdict = judge_claims(after.play, line, following, others=others)
            fits = verdict.verdict == LAWFUL
            if not fits and (verdict.verdict != MISCOUNTED or not following):
                continue
            message = (
                f"The {due.removeprefix('dice: ')} are not written. What follows is judged as if"
                f" {write_faces(filled.faces)} had been rolled: what {'is claimed' if fits else 'comes after it'} fits."
            )
            told = structs.replace(
                verdict,
                verdict=UNLAWFUL,
                sections=sections_of([because, verdict.sections]),
                message=message if fits else f"{message} What is claimed does not: {verdict.message}",
                expected=due if fits else f"{due}; {verdict.expected}",
                recorded=line.text,
                codes=("dice_missing",) if fits else ("dice_missing", "miscounted"),
                entry=len(after.play.told),
            )
            yield after.judged(place, answered(told, now), 1 if fits else FAULT + 1)

    @staticmethod
    def _with_other_dice(play: SheetPlay, line: Claimed, following: Sequence[Line]) -> list[SheetPlay]:
        """Return the game, settled for the claims, with each roll that the dice which are missing since the last claim make."""
        games: list[SheetPlay] = []
        if play.waits_for_roll:
            begin, written, start = len(play.told), play.missed, play.twin()
        else:
            since = [(at, dice) for at, dice in play.guessed if at >= play.since_at]
            if not since or (play.was_claimed and not play.since):
                return []
            begin, written = since[-1]
            start = play.back_at(begin)
        asked = start.now.question
        if asked is None or asked.roll is None:
            return []
        most = MOST_MISSING if not written.faces else 3
        for filled in fillings(written, asked.roll, play.rules.all_dice[asked.roll.die], most):
            game = start.twin()
            if not game.guess(written, filled):
                continue
            if begin < len(play.told) and not played_again(game, play, begin + 1, len(play.told)):
                continue
            settle(game, line, following)
            games.append(game)
        return games


def played_on(verdict: Verdict, now: Moment[Any]) -> Verdict:
    """Return the verdict on a line before which a dispute was never ruled on."""
    dispute = now.table.disputes[0]
    return structs.replace(
        verdict,
        message=f"The dispute of {dispute.seat} ({dispute.claim}) was not ruled on, and the table played on."
        " What follows is judged as if it had been upheld that what was played stands.",
    )
