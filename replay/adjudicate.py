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
from events.chance import Roll
from events.event import Seat
from replay.arbiter import LATEST
from replay.claim_verdicts import judge_claims
from replay.faults import close_to
from replay.filling import NOT_HEARD, Silence
from replay.nearest import nearest
from replay.scoresheet import Claimed, Line, Said, Sheet
from replay.sheet_play import SheetPlay, asked_words
from replay.sheet_writing import write_faces, write_line
from replay.unseen import names_unseen, unseen
from replay.verdicts import (
    LAWFUL,
    UNKNOWABLE,
    UNLAWFUL,
    Judgement,
    Report,
    Verdict,
    sections_of,
)

__all__ = ["Report", "Verdict", "adjudicate", "judge"]


def adjudicate(sheet: Sheet) -> Report:
    """Return the verdicts on a scoresheet; raise `BadSheet` when its game can't be opened."""
    return judge(sheet).report


def judge(sheet: Sheet) -> Judgement:
    """Return the verdicts on a scoresheet and the game played by it; raise `BadSheet` when it can't be opened."""
    judging = _Judging(sheet)
    verdicts = tuple(judging.verdict(line) for line in sheet.lines)
    ok = all(verdict.verdict in (LAWFUL, UNKNOWABLE) for verdict in verdicts)
    report = Report(sheet.rules.name, sheet.path, sheet.position.title, ok, verdicts)
    return Judgement(sheet.rules, report, tuple(judging.play.told))


class _Judging:
    """Judges the lines of a sheet, one after the other."""

    def __init__(self, sheet: Sheet) -> None:
        """Open the game; raise `BadSheet` when the rules refuse it."""
        self.play = SheetPlay(sheet)

    def verdict(self, line: Line) -> Verdict:
        """Return the verdict on a line, having played it as far as it can be played."""
        if isinstance(line, Claimed):
            return judge_claims(self.play, line)
        assert isinstance(line, Said)  # noqa: S101 - a line says or claims
        self.play.begin_act()
        command = self._completed(line.command)
        if isinstance(command, AnswerRoll):
            return self._dice(line, command)
        return self._said(line, command)

    def _completed(self, command: Any) -> Any:
        """Return a dispute or ruling with the entry that it is on, when the sheet did not number it."""
        if isinstance(command, RaiseDispute) and command.at == LATEST:
            return structs.replace(command, at=len(self.play.told))
        if isinstance(command, Rule) and command.dispute == LATEST:
            open_now = self.play.now.table.disputes
            return structs.replace(command, dispute=open_now[0].id if open_now else 0)
        return command

    def _said(self, line: Said, command: Any) -> Verdict:
        """Judge a command: as it stands, else after the silences that let it be heard."""
        given, at, result = self._heard(line.seat, command)
        if isinstance(result, Decision):
            filled = self.play.give(given)
            verdict = self._taken(line, command, result)
            self.play.tell(line.seat, command, result)
            return structs.replace(verdict, entry=len(self.play.told), silences=filled)
        overlooked = self._overlooked(at, line.seat, command, result)
        if overlooked is None:
            return self._refused(line, command, at, result)
        verdict = self._refused(line, command, at, result)
        filled = self.play.give(given)
        self.play.tell(line.seat, command, overlooked)
        return structs.replace(verdict, told=True, entry=len(self.play.told), silences=filled)

    def _taken(self, line: Said, command: Any, decision: Decision[Any]) -> Verdict:
        """Return the verdict on a command that was decided: lawful, unless it names a card that nobody recorded."""
        before = unseen(self.play.now.state) if is_player(line.seat) else 0
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
        if self.play.waits_for_roll and _is_unheard(refused):
            return self.play.unjudged(line)
        unknown = all(reason.code == UNKNOWABLE for reason in reasons)
        near = [write_line(self.play.rules, *one) for one in nearest(at, line.seat, command)]
        if isinstance(command, Deal) and at.question is not None and at.question.draw is not None:
            near = [f"card: {card}" for card in close_to(command.card, at.state.agenda[-1].step.pool(at))]
        return Verdict(
            line.number,
            line.text,
            UNKNOWABLE if unknown else UNLAWFUL,
            sections_of([reason.because for reason in reasons]),
            " ".join(dict.fromkeys(reason.text for reason in reasons)),
            asked_words(at),
            line.text,
            tuple(text for text in near if text),
            _codes(reasons),
            told=False,
        )

    def _dice(self, line: Said, command: AnswerRoll) -> Verdict:
        """Judge dice: those beyond the ones asked for are void, in the order written; too few are not taken."""
        given, at, result = self._heard(CHANCE, command)
        asked = at.question
        roll = asked.roll if asked is not None else None
        if isinstance(result, Decision) or roll is None or asked is None or not _is_about_dice(result):
            return self._said(line, command)
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
            self.play.tell(CHANCE, counted_dice, taken)
            return structs.replace(
                verdict,
                message=f"{verdict.message} {_void(command, roll)}",
                alternatives=(f"dice: {write_faces(counted_dice.faces)}",),
                told=True,
                entry=len(self.play.told),
                silences=filled,
            )
        self.play.miss_roll(line)
        sections = verdict.sections
        if len(command.faces) == roll.count:
            sections = sections_of([reason.because for reason in result.reasons])
        return structs.replace(verdict, sections=sections, silences=filled)


def _is_unheard(refused: Refused) -> bool:
    return any(reason.code in NOT_HEARD for reason in refused.reasons)


def _is_about_dice(refused: Refused) -> bool:
    return all(reason.code in ("wrong_dice_count", "no_such_face") for reason in refused.reasons)


def _codes(reasons: Sequence[Refusal]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(reason.code for reason in reasons))


def _void(command: AnswerRoll, roll: Roll) -> str:
    void = command.faces[roll.count :]
    return f"The last {write_faces(void)} {'is' if len(void) == 1 else 'are'} void."
