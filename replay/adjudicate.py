"""Adjudicate: play a scoresheet by the rules, and say of each line whether they allow it.

Silence fills passes and forced choices. What is forbidden but can be told is told all the same; what can't be told is
left out; dice beyond those asked for are void; a claim that differs becomes a correction. So one slip does not hide
the next.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from msgspec import structs

from core.deciding import Decision, Refused, decide, opening
from core.kit.chance import AnswerRoll, Deal
from core.kit.table import Correct, RaiseDispute, Rule
from core.refusal import Refusal
from core.rules import Fact, Setup
from core.seats import ARBITER, CHANCE
from core.telling import Endless, Moment
from events.chance import Roll
from events.event import FactData, Seat
from replay.arbiter import LATEST
from replay.claims import (
    Claim,
    Standing,
    Tally,
    claim_words,
    counted,
    holds,
    is_of,
    standing_now,
    write_claim,
)  # fmt: skip
from replay.faults import Fault, close_to
from replay.filling import NOT_HEARD, Silence, silences
from replay.nearest import nearest
from replay.position import check_position
from replay.scoresheet import BadSheet, Claimed, Line, Said, Sheet
from replay.sheet_writing import write_faces, write_line
from replay.verdicts import (
    LAWFUL,
    MISCOUNTED,
    UNKNOWABLE,
    UNLAWFUL,
    Judgement,
    Report,
    Told,
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
    return Judgement(sheet.rules, report, tuple(judging.told))


class _Judging:
    """A sheet in play: the moment reached, the entries so far, and the facts since the last claim."""

    def __init__(self, sheet: Sheet) -> None:
        """Open the game; raise `BadSheet` when the rules refuse it."""
        self.rules = sheet.rules
        self.told: list[Told] = []
        self.since: list[FactData] = []
        self.owed_roll = ("", 0)
        """The name of a question whose dice were not taken, and the line that had them."""
        flaws = check_position(sheet.position)
        if flaws:
            raise BadSheet(
                Fault(
                    flaw.text,
                    f"a game that can be opened ({', '.join(flaw.because)})",
                    path=sheet.path,
                    line=sheet.opened_at,
                )
                for flaw in flaws
            )
        self.now = opening(sheet.rules)
        command = sheet.position.command(sheet.name)
        opened = decide(self.now, ARBITER, command)
        assert isinstance(opened, Decision)  # noqa: S101 - the position was checked
        self._tell(ARBITER, command, opened)
        self.since.clear()

    def _tell(self, seat: Seat, command: Any, decision: Decision[Any]) -> None:
        self.told.append(Told(seat, command, decision, "typed" if seat == CHANCE else ""))
        self.since += decision.facts
        self.now = decision.after

    def _give(self, given: Sequence[Silence]) -> tuple[str, ...]:
        """Give silences; return them as lines."""
        for silence in given:
            self._tell(silence.seat, silence.command, silence.decision)
        lines = (write_line(self.rules, silence.seat, silence.command) for silence in given)
        return tuple(line for line in lines if line)

    def verdict(self, line: Line) -> Verdict:
        """Return the verdict on a line, having played it as far as it can be played."""
        if isinstance(line, Claimed):
            return self._claimed(line)
        assert isinstance(line, Said)  # noqa: S101 - a line says or claims
        command = self._completed(line.command)
        if isinstance(command, AnswerRoll):
            return self._dice(line, command)
        return self._said(line, command)

    def _completed(self, command: Any) -> Any:
        """Return a dispute or ruling with the entry that it is on, when the sheet did not number it."""
        if isinstance(command, RaiseDispute) and command.at == LATEST:
            return structs.replace(command, at=len(self.told))
        if isinstance(command, Rule) and command.dispute == LATEST:
            open_now = self.now.table.disputes
            return structs.replace(command, dispute=open_now[0].id if open_now else 0)
        return command

    def _said(self, line: Said, command: Any) -> Verdict:
        """Judge a command: as it stands, else after the silences that let it be heard."""
        given, at, result = self._heard(line.seat, command)
        if isinstance(result, Decision):
            filled = self._give(given)
            self._tell(line.seat, command, result)
            return Verdict(line.number, line.text, LAWFUL, entry=len(self.told), silences=filled)
        overlooked = self._overlooked(at, line.seat, command, result)
        if overlooked is None:
            return self._refused(line, command, at, result)
        verdict = self._refused(line, command, at, result)
        filled = self._give(given)
        self._tell(line.seat, command, overlooked)
        return structs.replace(verdict, told=True, entry=len(self.told), silences=filled)

    def _heard(self, seat: Seat, command: Any) -> tuple[list[Silence], Moment[Any], Decision[Any] | Refused]:
        """Return the silences after which a command is heard, the moment then, and what is decided.

        When silence never lets it be heard, what the question that is open now says of it stands.
        """
        first = result = decide(self.now, seat, command)
        at, given = self.now, list[Silence]()
        path = silences(self.now, seat)
        while isinstance(result, Refused) and _is_unheard(result):
            silence = next(path, None)
            if silence is None:
                return [], self.now, first
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
        if self._waits_for_roll() and _is_unheard(refused):
            return self._unjudged(line)
        unknown = all(reason.code == UNKNOWABLE for reason in reasons)
        near = [write_line(self.rules, *one) for one in nearest(at, line.seat, command)]
        if isinstance(command, Deal) and at.question is not None and at.question.draw is not None:
            near = [f"card: {card}" for card in close_to(command.card, at.state.agenda[-1].step.pool(at))]
        return Verdict(
            line.number,
            line.text,
            UNKNOWABLE if unknown else UNLAWFUL,
            sections_of([reason.because for reason in reasons]),
            " ".join(dict.fromkeys(reason.text for reason in reasons)),
            _asked(at),
            line.text,
            tuple(text for text in near if text),
            _codes(reasons),
            told=False,
        )

    def _waits_for_roll(self) -> bool:
        agenda = self.now.state.agenda
        return bool(agenda and self.owed_roll[0]) and agenda[-1].name(CHANCE) == self.owed_roll[0]

    def _unjudged(self, line: Line, recorded: str = "") -> Verdict:
        return Verdict(
            line.number,
            line.text,
            UNKNOWABLE,
            self.now.question.because if self.now.question is not None else (),
            f"The roll of line {self.owed_roll[1]} was not taken; what hangs on it can't be judged.",
            _asked(self.now),
            recorded or line.text,
            codes=("roll_missing",),
            told=False,
        )

    def _dice(self, line: Said, command: AnswerRoll) -> Verdict:
        """Judge dice: those beyond the ones asked for are void, in the order written; too few are not taken."""
        given, at, result = self._heard(CHANCE, command)
        asked = at.question
        roll = asked.roll if asked is not None else None
        if isinstance(result, Decision) or roll is None or asked is None:
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
        filled = self._give(given)
        if isinstance(taken, Decision):
            self._tell(CHANCE, counted_dice, taken)
            return structs.replace(
                verdict,
                message=f"{verdict.message} {_void(command, roll)}",
                alternatives=(f"dice: {write_faces(counted_dice.faces)}",),
                told=True,
                entry=len(self.told),
                silences=filled,
            )
        self.owed_roll = (self.now.state.agenda[-1].name(CHANCE), line.number)
        sections = verdict.sections
        if len(command.faces) == roll.count:
            sections = sections_of([reason.because for reason in result.reasons])
        return structs.replace(verdict, sections=sections, silences=filled)

    def _claimed(self, line: Claimed) -> Verdict:
        """Judge what is claimed to have followed, once what is owed is settled by silence."""
        given = self._settling(line.claims)
        filled = self._give(given)
        wrong = [claim for claim in line.claims if not self._is_so(claim, self.now, self.since)]
        if not wrong:
            verdict = Verdict(line.number, line.text, LAWFUL, silences=filled)
        elif self._waits_for_roll():
            verdict = self._unjudged(line, "; ".join(write_claim(self.rules, claim) for claim in wrong))
        else:
            verdict = structs.replace(self._miscounted(line, wrong), silences=filled)
        if any(isinstance(claim, Tally) for claim in line.claims):
            self.since.clear()
        return verdict

    def _is_so(self, claim: Claim, now: Moment[Any], since: Sequence[FactData]) -> bool:
        if isinstance(claim, Tally):
            return counted(claim, since) == claim.count
        return holds(claim, now.state)

    def _settling(self, claims: Sequence[Claim]) -> list[Silence]:
        """Return the silences that settle what is owed: those that tell of what is claimed, and such as lead to them.

        A choice that nothing claimed hangs on stays open: the next line may make it.
        """
        words = {claim.word for claim in claims if isinstance(claim, Tally)}
        path: list[Silence] = []
        settled = so = 0
        since = list(self.since)
        is_so = all(self._is_so(claim, self.now, since) for claim in claims)
        for silence in silences(self.now):
            tells = any(fact.CLAIM and fact.CLAIM in words for fact in silence.facts)
            if silence.ends and not tells:
                break
            path.append(silence)
            since += silence.facts
            direct = settled == len(path) - 1
            if tells and (direct or not is_so):
                settled = len(path)
            if not is_so and all(self._is_so(claim, silence.decision.after, since) for claim in claims):
                is_so, so = True, len(path)
        return path[: max(settled, so)]

    def _miscounted(self, line: Claimed, wrong: Sequence[Claim]) -> Verdict:
        """Return the verdict on claims that differ, having corrected the state to follow the table as far as it goes."""
        expected = "; ".join(filter(None, (self._should_be(claim) for claim in wrong)))
        sections = sections_of([self._because(claim) for claim in wrong])
        recorded = "; ".join(write_claim(self.rules, claim) for claim in wrong)
        before = len(self.told)
        followed = [self._follow(claim, line) for claim in wrong]
        tail = (
            "The game goes on from what the table recorded."
            if all(followed)
            else "The game goes on from what the rules say."
        )
        message = f"By the rules: {expected or 'not so'}. {tail}"
        told = len(self.told) > before
        return Verdict(
            line.number, line.text, MISCOUNTED, sections, message, expected, recorded,
            (f"claim: {expected}",) if expected else (),
            ("miscounted",), told=told, entry=len(self.told) if told else 0,
        )  # fmt: skip

    def _should_be(self, claim: Claim) -> str:
        if isinstance(claim, Tally):
            return write_claim(self.rules, replace(claim, count=counted(claim, self.since)))
        held = standing_now(claim, self.now.state)
        return write_claim(self.rules, held) if held is not None else ""

    def _because(self, claim: Claim) -> tuple[str, ...]:
        """Return the sections of the facts that a claim is about; of everything since the last claim when there are none."""
        if isinstance(claim, Tally):
            own = sections_of([fact.because for fact in self.since if is_of(claim, fact)])
            if own:
                return own
        return sections_of([fact.because for fact in self.since]) or ("LS-6.1",)

    def _follow(self, claim: Claim, line: Claimed) -> bool:
        """Correct the state so that it follows the table; return whether it could be done."""
        facts: tuple[Setup[Any], ...] = ()
        if isinstance(claim, Standing):
            facts = (claim.fact,)
        else:
            more = claim.count - counted(claim, self.since)
            for kind in claim_words(self.rules)[claim.word]:
                held = [fact for fact in self.since if type(fact) is kind and is_of(claim, fact)]
                if issubclass(kind, Fact):
                    facts = kind.mends(self.now.state, held, claim.who, more, claim.kind)
                if facts:
                    break
        if not facts:
            return False
        correction = Correct(f"claimed in line {line.number}: {write_claim(self.rules, claim)}", facts)
        try:
            decided = decide(self.now, ARBITER, correction)
        except (KeyError, ValueError, TypeError, IndexError, AttributeError):
            return False
        if isinstance(decided, Refused):
            return False
        since = list(self.since)
        self._tell(ARBITER, correction, decided)
        self.since = since
        return True


def _is_unheard(refused: Refused) -> bool:
    return any(reason.code in NOT_HEARD for reason in refused.reasons)


def _codes(reasons: Sequence[Refusal]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(reason.code for reason in reasons))


def _asked(now: Moment[Any]) -> str:
    """Return what is asked now, in words."""
    asked = now.question
    if now.state.ended is not None:
        return f"nothing: the game is over ({now.state.ended.how})"
    if asked is None:
        return "nothing"
    if asked.roll is not None:
        return f"dice: {asked.roll.count} {asked.roll.die} of {asked.roll.owner} for {asked.roll.purpose}"
    if asked.draw is not None:
        return f"card: one of {asked.draw.deck} for {asked.draw.to}"
    return f"{' and '.join(asked.seats)}: {asked.prompt or asked.kind}"


def _void(command: AnswerRoll, roll: Roll) -> str:
    void = command.faces[roll.count :]
    return f"The last {write_faces(void)} {'is' if len(void) == 1 else 'are'} void."
