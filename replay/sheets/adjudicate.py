"""Adjudicate: play a scoresheet by the rules, and say of each line whether they allow it.

Silence fills passes and forced choices. What is forbidden but can be told is told all the same; what can't be told is
left out; dice beyond those asked for are void; a claim that differs becomes a correction. So one slip does not hide
the next.
"""

from collections.abc import Sequence
from typing import Any

from msgspec import structs

from core.deciding import Decision, Refused, decide
from core.kit.chance import AnswerRoll, Deal
from core.kit.table import RaiseDispute, Rule
from core.refusal import Refusal
from core.seats import CHANCE, is_player
from core.telling import Endless, Moment
from events.chance import Hits, Roll
from events.event import Seat
from replay.sheets.arbiter import LATEST
from replay.sheets.claim_verdicts import TABLE_RECORDED, judge_claims, settle
from replay.sheets.claims import Tally
from replay.sheets.filling import NOT_HEARD, Silence
from replay.sheets.meaning import MOST_HOLES, Meant, fillings, meant_by_acts, rolled_by_acts
from replay.sheets.playing import SheetPlay, asked_words
from replay.sheets.scoresheet import Claimed, Line, Said, Sheet
from replay.sheets.unseen import names_unseen, unseen
from replay.sheets.unwritten import said_instead
from replay.sheets.verdicts import (
    ASSUMED,
    LAWFUL,
    MISCOUNTED,
    UNKNOWABLE,
    UNLAWFUL,
    Judgement,
    Report,
    Verdict,
    sections_of,
)
from replay.sheets.writing import write_faces, write_line
from replay.words.faults import close_to
from replay.words.names import unknown_words
from replay.words.nearest import nearest
from replay.words.wording import answers_to

FORESIGHT = 12
"""So many lines are looked at for a claim that tells what came of a roll that was not taken."""
MOST_GUESSES = 24
"""So often a sheet may be guessed at in vain; past it its lines are judged as they stand."""
MOST_ASSUMED = 8
"""So many dice that hit or miss may be assumed of a roll that is not written."""

__all__ = ["Report", "Verdict", "adjudicate", "judge"]


def adjudicate(sheet: Sheet) -> Report:
    """Return the verdicts on a scoresheet; raise `BadSheet` when its game can't be opened."""
    return judge(sheet).report


def judge(sheet: Sheet) -> Judgement:
    """Return the verdicts on a scoresheet and the game played by it; raise `BadSheet` when it can't be opened."""
    judging = _Judging(SheetPlay(sheet))
    verdicts = tuple(
        judging.verdict(line, sheet.lines[place : place + FORESIGHT])
        for place, line in enumerate(sheet.lines, 1)
    )
    ok = all(verdict.verdict in (LAWFUL, UNKNOWABLE) for verdict in verdicts)
    report = Report(sheet.rules.name, sheet.path, sheet.position.title, ok, verdicts)
    return Judgement(sheet.rules, report, tuple(judging.play.told))


class _Judging:
    """Judges the lines of a sheet, one after the other."""

    def __init__(self, play: SheetPlay, *, guesses: int = MOST_GUESSES) -> None:
        """Take the play as far as it has come; so many `guesses` may fail at what a line meant, or at a roll that is missing."""
        self.play = play
        self._guesses = guesses

    def verdict(self, line: Line, following: Sequence[Line] = ()) -> Verdict:
        """Return the verdict on a line, having played it as far as it can be played; `following` are lines after it."""
        now = self.play.now
        verdict = self._judged(line, following)
        answers = answers_to(now, verdict.sections)
        return structs.replace(verdict, answers=answers) if answers else verdict

    def _judged(self, line: Line, following: Sequence[Line]) -> Verdict:
        if isinstance(line, Claimed):
            return self._claimed(line, following)
        assert isinstance(line, Said)  # noqa: S101 - a line says or claims
        self.play.begin_act()
        command = self._completed(line.command)
        if isinstance(command, AnswerRoll):
            return self._dice(line, command, following)
        return self._said(line, command, following)

    def _claimed(self, line: Claimed, following: Sequence[Line]) -> Verdict:
        """Judge claims; where they are right but for a roll that nobody wrote down, it is that which is missing."""
        trial = self.play.twin()
        verdict = judge_claims(trial, line, following)
        if self._guesses and verdict.verdict == MISCOUNTED:
            other = said_instead(self.play, line, following)
            if other:
                hint = f"Had `{other}` been written, where silence was filled in, the claim would be right."
                verdict = structs.replace(verdict, message=f"{verdict.message} {hint}")
        asked = self.play.now.question
        if not self._guesses or verdict.verdict != MISCOUNTED or asked is None or asked.roll is None:
            return self._claimed_wrong(line, verdict, trial, following)
        assumed = self._assumed(AnswerRoll(()), asked.roll, (line,), most=MOST_ASSUMED)
        if assumed is None:
            told = structs.replace(
                verdict, message=f"{verdict.message} Not written yet: {asked_words(self.play.now)}."
            )
            self.play = trial
            return told
        due = asked_words(self.play.now)
        self._tell_roll(assumed, ASSUMED)
        entry = len(self.play.told)
        verdict = judge_claims(self.play, line, following)
        return structs.replace(
            verdict,
            verdict=UNLAWFUL,
            sections=sections_of([asked.because or ("LS-4.1",)]),
            message=f"The {due.removeprefix('dice: ')} are not written. What follows is judged as if {write_faces(assumed.faces)}"
            " had been rolled: what is claimed fits.",
            expected=due,
            recorded=line.text,
            codes=("dice_missing",),
            entry=entry,
        )

    def _claimed_wrong(
        self, line: Claimed, verdict: Verdict, followed: SheetPlay, following: Sequence[Line]
    ) -> Verdict:
        """Go on from what the table recorded, or from what the rules say where more of what follows is lawful by them."""
        before, self.play = self.play, followed
        if verdict.verdict != MISCOUNTED or not verdict.told or not self._guesses:
            return verdict
        ruled = before.twin()
        filled = settle(ruled, line, following)
        ruled.was_claimed = followed.was_claimed
        if self._reach(ruled, following)[0] <= self._reach(followed, following)[0]:
            return verdict
        self.play = ruled
        return structs.replace(
            verdict,
            message=verdict.message.replace(TABLE_RECORDED, "rules say: what comes after it fits that"),
            told=False,
            entry=0,
            silences=filled,
        )

    def _completed(self, command: Any) -> Any:
        """Return a dispute or ruling with the entry that it is on, when the sheet did not number it."""
        if isinstance(command, RaiseDispute) and command.at == LATEST:
            return structs.replace(command, at=len(self.play.told))
        if isinstance(command, Rule) and command.dispute == LATEST:
            open_now = self.play.now.table.disputes
            return structs.replace(command, dispute=open_now[0].id if open_now else 0)
        return command

    def _said(self, line: Said, command: Any, following: Sequence[Line]) -> Verdict:
        """Judge a command: as it stands, else after the silences that let it be heard."""
        given, at, result = self._heard(line.seat, command)
        if isinstance(result, Decision):
            filled = self.play.give(given)
            verdict = self._taken(line, command, result)
            self.play.left_out = self.play.overlooked = 0
            self.play.tell(line.seat, command, result)
            return structs.replace(verdict, entry=len(self.play.told), silences=filled)
        before = self.play.twin()
        overlooked = self._overlooked(at, line.seat, command, result)
        verdict = self._refused(line, command, at, result)
        if overlooked is None:
            if is_player(line.seat):
                self.play.left_out = self.play.left_out or line.number
        else:
            self.play.left_out, self.play.overlooked = 0, line.number
            filled = self.play.give(given)
            self.play.tell(line.seat, command, overlooked)
            verdict = structs.replace(verdict, told=True, entry=len(self.play.told), silences=filled)
        if verdict.verdict != UNLAWFUL or not self._guesses or not following:
            return verdict
        meant = meant_by_acts(before, given, line, command, line.seat, self.play, following, self._reach)
        if meant is None:
            self._guesses -= 1
            return verdict
        return self._as_meant(line, verdict, meant)

    def _as_meant(self, line: Said, verdict: Verdict, meant: Meant) -> Verdict:
        """Play what a line is taken for, and say so."""
        self.play = meant.play
        said = f"`{write_line(self.play.rules, meant.seat, meant.command)}` had been written"
        if meant.seat != line.seat and meant.command == line.command:
            said = f"{meant.seat} had said it"
        return structs.replace(
            verdict,
            message=f"{verdict.message} What follows is judged as if {said}: what comes after it fits.",
            told=True,
            entry=len(self.play.told),
            silences=meant.silences,
        )

    @staticmethod
    def _reach(play: SheetPlay, lines: Sequence[Line]) -> tuple[int, SheetPlay]:
        """Return how many of these lines from the first on are lawful, played on from there, and how far that goes."""
        trial = _Judging(play.twin(), guesses=0)
        for place, line in enumerate(lines):
            so_far = trial.play.twin()
            if trial.verdict(line, lines[place + 1 :]).verdict != LAWFUL:
                return place, so_far
        return len(lines), trial.play

    @staticmethod
    def _fares_well(play: SheetPlay, lines: Sequence[Line]) -> bool:
        """Return whether all these lines would be lawful, played on from there; who guesses a roll finds none lawful."""
        trial = _Judging(play, guesses=0)
        return all(trial.verdict(line).verdict == LAWFUL for line in lines)

    def _taken(self, line: Said, command: Any, decision: Decision[Any]) -> Verdict:
        """Return the verdict on a command that was decided: lawful, unless it names a card that nobody recorded."""
        before = unseen(self.play.now.state) if self.play.has_unseen and is_player(line.seat) else 0
        if not before or before <= unseen(decision.after.state) or names_unseen(command):
            return Verdict(line.number, line.text, LAWFUL)
        return Verdict(
            line.number,
            line.text,
            UNKNOWABLE,
            sections_of([fact.because for fact in decision.facts]),
            f"Whether {line.seat} held it can't be known: it would be one of {before} cards that nobody recorded.",
            "a card on record",
            line.text,
            codes=("card_unseen",),
        )

    def _heard(self, seat: Seat, command: Any) -> tuple[list[Silence], Moment[Any], Decision[Any] | Refused]:
        """Return the silences after which a command is heard, the moment then, and what is decided.

        When silence never lets it be heard, what the question that is open now says of it stands.
        """
        first = result = decide(self.play.now, seat, command)
        at, given = self.play.now, list[Silence]()
        path = self.play.silences(seat)
        while isinstance(result, Refused) and _is_unheard(result):
            silence = next(path, None)
            if silence is None:
                return [], self.play.now, first
            given.append(silence)
            at = silence.decision.after
            result = decide(at, seat, command)
        return given, at, result

    @staticmethod
    def _overlooked(at: Moment[Any], seat: Seat, command: Any, refused: Refused) -> Decision[Any] | None:
        """Return what a forbidden command causes when the table plays it all the same; None when it can't be told."""
        if not all(reason.waivable for reason in refused.reasons):
            return None
        try:
            told = decide(at, seat, command, overlook=True)
        except (KeyError, ValueError, TypeError, IndexError, AttributeError, AssertionError, Endless):
            return None
        return told if isinstance(told, Decision) else None

    def _refused(self, line: Said, command: Any, at: Moment[Any], refused: Refused) -> Verdict:
        """Return the verdict on a command that the rules refuse at a moment."""
        reasons = refused.reasons
        if _is_unheard(refused):
            if line.seat == CHANCE:
                self.play.left_out = self.play.left_out or self.play.overlooked
            if self.play.waits_for_roll or (line.seat == CHANCE and self.play.hangs):
                return self.play.unjudged(line)
        unknown = all(reason.code == UNKNOWABLE for reason in reasons)
        strange = "" if line.seat == CHANCE else unknown_words(self.play.rules, command)
        near: list[str | None] = []
        if line.seat != CHANCE:
            near = [write_line(self.play.rules, *one) for one in nearest(at, line.seat, command)]
        elif isinstance(command, Deal) and at.question is not None and at.question.draw is not None:
            near += [f"card: {card}" for card in close_to(command.card, at.state.agenda[-1].step.pool(at))]
        return Verdict(
            line.number,
            line.text,
            UNKNOWABLE if unknown else UNLAWFUL,
            sections_of([reason.because for reason in reasons]),
            " ".join(filter(None, dict.fromkeys((*(reason.text for reason in reasons), strange)))),
            asked_words(at),
            line.text,
            tuple(text for text in near if text),
            _codes(reasons),
            told=False,
        )

    def _dice(self, line: Said, command: AnswerRoll, following: Sequence[Line]) -> Verdict:
        """Judge dice: those beyond the ones asked for are void, in the order written; too few are not taken.

        When claims further on tell what came of a roll that was not taken, dice that agree with them are assumed, so
        that one lost die does not keep all that follows from being judged.
        """
        given, at, result = self._heard(CHANCE, command)
        asked = at.question
        roll = asked.roll if asked is not None else None
        if isinstance(result, Decision) or roll is None or asked is None or not _is_about_dice(result):
            return self._said(line, command, following)
        if self.play.waits_for_roll:
            return self.play.unjudged(line)
        verdict = Verdict(
            line.number,
            line.text,
            UNLAWFUL,
            sections_of([asked.because or ("LS-4.1",)]),
            " ".join(reason.text for reason in result.reasons),
            f"{roll.count} {roll.die}",
            f"{len(command.faces)} {roll.die}: {write_faces(command.faces)}",
            codes=_codes(result.reasons),
            told=False,
        )
        counted_dice = AnswerRoll(command.faces[: roll.count])
        taken = decide(at, CHANCE, counted_dice) if len(command.faces) > roll.count else result
        filled = self.play.give(given)
        if isinstance(taken, Decision):
            self._tell_roll(counted_dice)
            return structs.replace(
                verdict,
                message=f"{verdict.message} {_void(command, roll)}",
                alternatives=(f"dice: {write_faces(counted_dice.faces)}",),
                told=True,
                entry=len(self.play.told),
                silences=filled,
            )
        if len(command.faces) == roll.count:
            verdict = structs.replace(
                verdict, sections=sections_of([reason.because for reason in result.reasons])
            )
        assumed = self._assumed(command, roll, following) if self._guesses else None
        if assumed is None and self._guesses:
            assumed = rolled_by_acts(self.play, command, roll, following, self._reach)
            self._guesses -= assumed is None
        if assumed is None:
            self.play.miss_roll(line)
            return structs.replace(verdict, silences=filled)
        self._tell_roll(assumed, ASSUMED)
        written = write_faces(assumed.faces)
        return structs.replace(
            verdict,
            message=f"{verdict.message} What follows is judged as if {written} had been rolled: what comes after it fits.",
            told=True,
            entry=len(self.play.told),
            silences=filled,
        )

    def _tell_roll(self, roll: AnswerRoll, actor: str = "") -> None:
        decision = decide(self.play.now, CHANCE, roll)
        assert isinstance(decision, Decision)  # noqa: S101 - its dice are as many and such as are asked for
        self.play.left_out = self.play.overlooked = 0
        self.play.tell(CHANCE, roll, decision, actor)

    def _assumed(
        self, command: AnswerRoll, roll: Roll, following: Sequence[Line], *, most: int = MOST_HOLES
    ) -> AnswerRoll | None:
        """Return a roll that has the dice that were written, and with which all up to the next claims is right."""
        until = _next_claims(following)
        if not until:
            return None
        most = most if isinstance(roll.counts, Hits) else MOST_HOLES
        for assumed in fillings(command, roll, self.play.rules.all_dice[roll.die], most):
            trial = _Judging(self.play.twin())
            trial._tell_roll(assumed)
            if self._fares_well(trial.play, until):
                return assumed
        return None


def _next_claims(following: Sequence[Line]) -> Sequence[Line]:
    """Return the lines up to and with the next claims that count something; nothing when there are none."""
    for place, line in enumerate(following):
        if isinstance(line, Claimed) and any(isinstance(claim, Tally) for claim in line.claims):
            return following[: place + 1]
    return ()


def _is_unheard(refused: Refused) -> bool:
    return any(reason.code in NOT_HEARD for reason in refused.reasons)


def _is_about_dice(refused: Refused) -> bool:
    return all(reason.code in ("wrong_dice_count", "no_such_face") for reason in refused.reasons)


def _codes(reasons: Sequence[Refusal]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(reason.code for reason in reasons))


def _void(command: AnswerRoll, roll: Roll) -> str:
    void = command.faces[roll.count :]
    return f"The last {write_faces(void)} {'is' if len(void) == 1 else 'are'} void."
