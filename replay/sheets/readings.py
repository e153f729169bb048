"""How a line of a scoresheet can be read: as it stands, or with a slip in it, as tables make them.

A die that was lost, a roll that nobody wrote down, a line written twice or before the one it follows, a claim before the
dice that it counts, a dispute without a ruling, a misspelled act: each reading says at its own line what is wrong there,
and goes on with a game of its own. `adjudicate` keeps the readings that find the least wrong in the whole sheet.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from msgspec import structs

from core.deciding import Decision
from core.kit.chance import AnswerRoll
from core.seats import CHANCE
from replay.sheets.by_itself import is_bare
from replay.sheets.claim_readings import ClaimReader, played_on
from replay.sheets.courses import FAULT, FORESIGHT, Course
from replay.sheets.filling import NOT_HEARD
from replay.sheets.holes import UNSEEN_DIE, fillings
from replay.sheets.left_out import left_out_before
from replay.sheets.meaning import Meant, meant_by_acts
from replay.sheets.plain import (
    DISPUTED,
    answered,
    are_on,
    completed,
    done_already,
    heard,
    judge_plainly,
    reach,
)
from replay.sheets.playing import asked_words
from replay.sheets.scoresheet import Claimed, Line, Said
from replay.sheets.unsaid import unsaid_before
from replay.sheets.verdicts import LAWFUL, UNLAWFUL, Verdict, sections_of
from replay.sheets.writing import write_faces, write_line

__all__ = ["MOST_GUESSES", "LineReader"]

A_TURN = 60
"""So many lines after a refused act show what its table did: what was bought is placed at the end of the turn."""
MOST_GUESSES = 60
"""At so many lines of a sheet other readings are looked for; past it its lines are judged as they stand."""

MOST_UNSAID = 6
"""So often in a sheet it is found out, at some length, which act was not written."""

MOST_SEARCHES = 8
"""At so many lines of a sheet a line is looked for that was left out before them."""


class LineReader(ClaimReader):
    """Reads the lines of a sheet, each in the ways in which it can be read."""

    def __init__(self, lines: Sequence[Line]) -> None:
        """Take the lines."""
        super().__init__(lines)
        self.guesses = MOST_GUESSES
        self.unsaid = MOST_UNSAID
        self.searches = MOST_SEARCHES

    def read(self, course: Course, place: int) -> Iterator[Course]:
        """Yield the courses that go on from one with the line at a place, the likeliest first."""
        for after in self._read_line(course, place):
            yield self._weighed(course, after)

    def finish(self, course: Course) -> Iterator[Course]:
        """Yield the courses on which what is still held at the end of the sheet is counted."""
        for after in self.counted(course, len(self.lines)):
            yield self._weighed(course, after)

    def _weighed(self, before: Course, after: Course) -> Course:
        """Return a course with the lines added that are wrong in their dice: such as have others, or come in place of some."""
        asked = before.play.now.question
        owed = asked is not None and asked.roll is not None
        faulty = sum(
            self._dice_at(place) is not None
            or (
                ("dice_missing" in verdict.codes or (owed and isinstance(self.lines[place], Said)))
                and not self.is_after_void(before.play, place)
            )
            for place, verdict in after.judged_since(before.trail)
            if verdict.verdict != LAWFUL and "die_unseen" not in verdict.codes
        )
        return replace(after, faulty_dice=after.faulty_dice + faulty) if faulty else after

    def _dice_at(self, place: int) -> AnswerRoll | None:
        """Return the dice that stand at a place of the sheet."""
        line = self.lines[place]
        return line.command if isinstance(line, Said) and isinstance(line.command, AnswerRoll) else None

    def _read_line(self, course: Course, place: int) -> Iterator[Course]:
        line = self.lines[place]
        if place in course.ahead:
            yield course
        elif isinstance(line, Claimed):
            yield from self.claimed(course, place)
        else:
            assert isinstance(line, Said)  # noqa: S101 - a line says or claims
            counted = [course] if isinstance(line.command, AnswerRoll) else list(self.counted(course, place))
            for before in counted:
                for after in self._said(before, place, line):
                    yield from self.after_dice(after, place)

    def _said(self, before: Course, place: int, line: Said) -> Iterator[Course]:
        """Yield the courses that go on with a line, each with the way noted when there are several."""
        ways = list(self._ways(before, place, line))
        for way, course in enumerate(ways):
            yield course.chosen(place, way) if len(ways) > 1 else course

    def _ways(self, before: Course, place: int, line: Said) -> Iterator[Course]:
        following = self.following(place)
        plain = before.twin()
        verdict = judge_plainly(plain.play, line, following)
        if (
            plain.play.ruled is not None
            and judge_plainly(plain.play.ruled, line, following).verdict != LAWFUL
        ):
            plain.play.ruled = None
        right = verdict.verdict == LAWFUL or "card_unseen" in verdict.codes
        yield plain.judged(place, verdict)
        if verdict.entry and is_bare(line.command):
            yield from _done_already(before, place, line)
        if self.guesses <= 0 or (right and not self._is_twice(place)):
            return
        self.guesses -= 1
        if right:
            yield from self._twice(before, place, line, verdict)
        else:
            yield from self._slips(before, plain, place, line, verdict)

    def _slips(
        self, before: Course, plain: Course, place: int, line: Said, verdict: Verdict
    ) -> Iterator[Course]:
        """Yield the readings of a line that is not lawful as it stands."""
        if DISPUTED in verdict.codes:
            yield from self._unruled(before, place, line, verdict)
            return
        yield from self._twice(before, place, line, verdict)
        yield from self._holes(before, place, line, verdict)
        yield from self._missing(before, place, line)
        yield from self._unsaid(before, plain, place, line, verdict)
        yield from self._too_early(before, place, line)
        if verdict.verdict == UNLAWFUL:
            if isinstance(line.command, AnswerRoll):
                yield from self._line_left_out(before, plain, place, line, verdict)
                yield from self._left_out(before, place, verdict)
            else:
                yield self._not_played(before, place, line, verdict)
                yield from self._line_left_out(before, plain, place, line, verdict)
                yield from self._meant(before, plain, place, line, verdict)

    def _is_twice(self, place: int) -> bool:
        """Return whether a line says the same as the one before it."""
        line, last = self.lines[place], self.lines[place - 1] if place else None
        return (
            isinstance(line, Said)
            and isinstance(last, Said)
            and (line.seat, line.command) == (last.seat, last.command)
        )

    def _twice(self, before: Course, place: int, line: Said, verdict: Verdict) -> Iterator[Course]:
        """Yield the reading that a line was written twice."""
        if self._is_twice(place):
            asked = before.play.now.question
            told = Verdict(
                line.number,
                line.text,
                UNLAWFUL,
                verdict.sections or (asked.because if asked is not None else ()) or ("LS-2.1",),
                f"{verdict.message} It says what the line before it says, and is taken as written twice.".strip(),
                asked_words(before.play.now),
                line.text,
                codes=("written_twice",),
                told=False,
            )
            twice = before.twin().judged(place, told, 8 if verdict.verdict == LAWFUL else 1)
            if self._dice_at(place) is not None:
                twice.play.voided = line.number
            yield twice.aside() if self._could_be_asked(before, place) else twice

    def _unruled(self, before: Course, place: int, line: Said, verdict: Verdict) -> Iterator[Course]:
        """Yield the readings that a dispute was never ruled on, and the table played on."""
        upheld = before.twin()
        told = played_on(verdict, before.play.now)
        if not upheld.play.uphold():
            return
        for after in self._ways(upheld, place, line):
            assert after.trail is not None  # noqa: S101 - the line was judged
            earlier, _, own = after.trail
            both = structs.replace(
                told,
                sections=sections_of([told.sections, own.sections]),
                message=f"{told.message} {own.message}".rstrip(),
                expected="; ".join(filter(None, (told.expected, own.expected))),
                codes=(*told.codes, *own.codes),
                told=own.told,
                entry=own.entry,
                silences=own.silences,
            )
            yield replace(after, trail=(earlier, place, both), cost=after.cost + FAULT + 2)

    def _holes(self, before: Course, place: int, line: Said, verdict: Verdict) -> Iterator[Course]:
        """Yield the readings of dice of which some are missing, or were seen by nobody: what they may have shown."""
        if not isinstance(line.command, AnswerRoll) or not self.following(place):
            return
        said = heard(before.play, CHANCE, line.command)
        roll = said.at.question.roll if said.at.question is not None else None
        given = len(line.command.faces)
        if roll is None or isinstance(said.result, Decision) or before.play.waits_for_roll or given == 0:
            return
        unseen = UNSEEN_DIE in line.command.faces
        if given > roll.count and not unseen:
            return
        for filled in fillings(line.command, roll, before.play.rules.all_dice[roll.die]):
            course = before.twin()
            course.play.begin_act()
            silences = course.play.give(said.given)
            if course.play.guess(line.command, filled):
                told = structs.replace(
                    verdict,
                    message=f"{verdict.message} What follows is judged as if {write_faces(filled.faces)} had been rolled:"
                    " what comes after it fits.",
                    alternatives=(),
                    told=True,
                    entry=len(course.play.told),
                    silences=silences,
                )
                yield course.judged(place, told, 5)

    def _missing(self, before: Course, place: int, line: Said) -> Iterator[Course]:
        """Yield the readings that the roll which is asked for was not written down, and the line comes after it."""
        for course, filled, due, because, filled_in in self.rolled_unwritten(before, after_silence=True):
            after = judge_plainly(course.play, line, self.following(place))
            if after.verdict != LAWFUL:
                continue
            told = Verdict(
                line.number,
                line.text,
                UNLAWFUL,
                sections_of([because]),
                f"Before it the {due.removeprefix('dice: ')} are not written. What follows is judged as if"
                f" {write_faces(filled.faces)} had been rolled: what comes after it fits.",
                due,
                line.text,
                codes=("dice_missing",),
                entry=len(course.play.told),
                silences=(*filled_in, *after.silences),
            )
            after_it = course.judged(place, answered(told, before.play.now), 12)
            yield after_it.aside() if self._could_be_asked(before, place) else after_it

    def _could_be_asked(self, before: Course, place: int) -> bool:
        """Return whether the dice at a place could be the roll that is asked for there, were it not for their number."""
        dice = self._dice_at(place)
        asked = heard(before.play, CHANCE, dice).at.question if dice is not None else None
        if dice is None or asked is None or asked.roll is None:
            return False
        return are_on(dice.faces, before.play.rules.all_dice[asked.roll.die])

    def _left_out(self, before: Course, place: int, verdict: Verdict) -> Iterator[Course]:
        """Yield the reading that dice do not belong there at all: the next act is the whole roll that is asked for."""
        if not verdict.told:
            return
        then = next((each for each in self.following(place) if isinstance(each, Said)), None)
        if then is None or not isinstance(then.command, AnswerRoll):
            return
        if judge_plainly(before.play.twin(), then).verdict != LAWFUL:
            return
        message = verdict.message.rpartition(" The last ")[0] or verdict.message
        told = structs.replace(verdict, message=message, told=False, entry=0, silences=(), alternatives=())
        yield before.twin().judged(place, told, 4).aside()

    def _unsaid(
        self, before: Course, plain: Course, place: int, line: Said, verdict: Verdict
    ) -> Iterator[Course]:
        """Yield the reading that an act of whoever is asked was not written, of several that he might have done."""
        if self.unsaid <= 0 or NOT_HEARD.isdisjoint(verdict.codes) or line.seat == CHANCE:
            return
        course = before.twin()
        course.play.begin_act()
        found = unsaid_before(course.play, self.lines[place:], reach)
        if found is None:
            return
        self.unsaid -= 1
        asked, written = course.play.now, write_line(course.play.rules, found.seat, found.command)
        after = judge_plainly(found.play, line, self.following(place))
        told = Verdict(
            line.number,
            line.text,
            UNLAWFUL,
            sections_of([asked.question.because if asked.question is not None else (), *[verdict.sections]]),
            f"Before it an act of {found.seat} is not written. What follows is judged as if `{written}` had been written: what"
            " comes after it fits.",
            asked_words(asked),
            line.text,
            codes=("act_unwritten",),
            entry=after.entry,
            silences=after.silences,
        )
        usual, _ = reach(plain.play.twin(), self.lines[place + 1 : place + 1 + A_TURN])
        # What shows it only after the readings of this line are settled must weigh now.
        yield replace(course, play=found.play).judged(
            place, answered(told, asked), 7 if usual < FORESIGHT - 1 else -10
        )

    def _line_left_out(
        self, before: Course, plain: Course, place: int, line: Said, verdict: Verdict
    ) -> Iterator[Course]:
        """Yield the reading that a line before this one is missing without which more than this one is wrong."""
        following = self.lines[place : place + A_TURN]
        if (
            self.searches <= 0
            or len(following) < 2
            or (line.seat == CHANCE and NOT_HEARD.isdisjoint(verdict.codes))
        ):
            return
        usual, _ = reach(plain.play.twin(), following[1:])
        if usual == len(following) - 1:
            return
        self.searches -= 1
        course = before.twin()
        course.play.begin_act()
        found = left_out_before(course.play, following, reach)
        if found is None:
            return
        after = judge_plainly(found.play, line, self.following(place))
        told = found.told_with(verdict, after)
        # What shows it only after the readings of this line are settled must weigh now.
        yield replace(course, play=found.play).judged(place, told, 12 if usual < FORESIGHT - 1 else -10)

    def _too_early(self, before: Course, place: int, line: Said) -> Iterator[Course]:
        """Yield the reading that a line and the one after it have changed places."""
        next_line = self.lines[place + 1] if place + 1 < len(self.lines) else None
        if not isinstance(next_line, Said) or place + 1 in before.ahead:
            return
        course = before.twin()
        first = judge_plainly(course.play, next_line, (line, *self.following(place + 1)))
        if first.verdict != LAWFUL:
            return
        at = heard(before.play, line.seat, completed(before.play, line.command)).at
        second = judge_plainly(course.play, line, self.following(place + 1))
        if second.verdict != LAWFUL:
            return
        told = Verdict(
            line.number,
            line.text,
            UNLAWFUL,
            (at.question.because if at.question is not None else ()) or ("LS-2.1",),
            f"It stands one line too early: line {next_line.number} comes before it.",
            asked_words(at),
            line.text,
            codes=("too_early",),
            entry=second.entry,
            silences=second.silences,
        )
        course = replace(
            course.judged(place, answered(told, before.play.now), 8), ahead=course.ahead | {place + 1}
        )
        yield course.judged(place + 1, first)

    def _not_played(self, before: Course, place: int, line: Said, verdict: Verdict) -> Course:
        """Return the reading that the table noticed, and went on without the line: nothing hangs on it.

        It is the likelier one where the next act of the same kind by the same seat is lawful without it.
        """
        after = before.twin()
        after.play.begin_act()
        again = next(
            (
                each
                for each in self.following(place)
                if isinstance(each, Said)
                and each.seat == line.seat
                and type(each.command) is type(line.command)
            ),
            None,
        )
        mended = again is not None and isinstance(
            heard(before.play, again.seat, again.command).result, Decision
        )
        told = structs.replace(verdict, told=False, entry=0, silences=())
        return after.judged(place, told, -1 if mended else 1)

    def _meant(
        self, before: Course, plain: Course, place: int, line: Said, verdict: Verdict
    ) -> Iterator[Course]:
        """Yield the reading that something near to a line was meant, where more of what follows fits that."""
        following = self.lines[place + 1 : place + 1 + A_TURN]
        if not following:
            return
        command = completed(before.play, line.command)
        said = heard(before.play, line.seat, command)
        start = before.play.twin()
        start.begin_act()
        meant = meant_by_acts(start, said.given, line, command, line.seat, plain.play, following, reach)
        if meant is not None:
            told = structs.replace(
                verdict,
                message=f"{verdict.message} What follows is judged as if {_as_meant(line, meant)}: what comes after it fits.",
                told=True,
                entry=len(meant.play.told),
                silences=meant.silences,
            )
            # What shows it only after the readings of this line are settled must weigh now.
            yield replace(before, play=meant.play).judged(
                place, told, 10 if meant.usual < FORESIGHT - 1 else -10
            )


def _as_meant(line: Said, meant: Meant) -> str:
    if meant.seat != line.seat and meant.command == line.command:
        return f"{meant.seat} had said it"
    return f"`{write_line(meant.play.rules, meant.seat, meant.command)}` had been written"


def _done_already(before: Course, place: int, line: Said) -> Iterator[Course]:
    """Yield the reading that a line which could be played says only what had been done by itself, as the end of a phase."""
    after = before.twin()
    done = done_already(after.play, line, line.command, after_silence=False)
    if done is not None:
        yield after.judged(place, done, 1)
