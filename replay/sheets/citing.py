"""The points on which the verdicts of a judged sheet hang, cited beside the sections: the table's own answers, or others.

A line that the rules refuse cites the points by another answer to which it would be lawful, or by which other figures
would be asked for; a claim that is wrong those by which it would be right; a lawful line those that this table answers
in a way of its own and without which it would be none.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import structs

from core.deciding import Decision, decide
from core.telling import Moment
from events.event import SectionRef
from replay.hinging import allowing, hinged, otherwise
from replay.sheets.claim_verdicts import judge_claims
from replay.sheets.plain import completed, heard
from replay.sheets.playing import SheetPlay
from replay.sheets.scoresheet import Claimed, Line, Said
from replay.sheets.verdicts import LAWFUL, MISCOUNTED, UNLAWFUL, Verdict, sections_of
from replay.words.wording import answers_to

__all__ = ["cited"]


def cited(play: SheetPlay, lines: Sequence[Line], verdicts: Sequence[Verdict]) -> Iterator[Verdict]:
    """Yield the verdicts on the lines of a sheet that has been played to its end, each with the points on which it hangs."""
    by_number = {line.number: line for line in lines}
    told = 1
    for verdict in verdicts:
        line = by_number[verdict.line]
        before, told = told, max(told, verdict.entry)
        points: tuple[SectionRef, ...] = ()
        if isinstance(line, Said):
            points = _of_act(play, line, verdict, verdict.entry - 1 if verdict.entry else before)
        elif verdict.verdict == MISCOUNTED and isinstance(line, Claimed):
            points = _of_claim(play, line, before)
        more = tuple(ref for ref in points if ref not in verdict.sections)
        if not more:
            yield verdict
            continue
        sections = sections_of([verdict.sections, more])
        base = play.told[before - 1].decision.after
        yield structs.replace(verdict, sections=sections, answers=answers_to(base, sections))


def _of_act(play: SheetPlay, line: Said, verdict: Verdict, place: int) -> tuple[SectionRef, ...]:
    """Return the points on which the verdict on an act hangs that was heard with so many entries told."""
    if verdict.verdict == LAWFUL:
        if not verdict.entry:
            return ()
        own = play.told[verdict.entry - 1]
        return allowing(play.told[place - 1].decision.after, own.seat, own.command)
    if verdict.verdict != UNLAWFUL:
        return ()
    trial = play.back_at(place)
    command = completed(trial, line.command)
    said = heard(trial, line.seat, command, line.phase)
    if isinstance(said.result, Decision):
        return ()
    reasons = said.result.reasons
    known = {ref for reason in reasons for ref in reason.because}
    found = hinged(said.at, line.seat, command, reasons)
    return tuple(ref for ref in sections_of([reason.because for reason in found]) if ref not in known)


def _of_claim(play: SheetPlay, line: Claimed, upto: int) -> tuple[SectionRef, ...]:
    """Return the points by another answer to which what was told since the last claim would make a wrong claim right."""
    start = play.from_claim(upto)

    def is_right(now: Moment[Any]) -> bool:
        trial = start.twin()
        trial.now = now
        for told in play.told[start.since_at : upto]:
            decided = decide(trial.now, told.seat, told.command)
            if not isinstance(decided, Decision):
                return False
            trial.tell(told.seat, told.command, decided, told.actor)
        return judge_claims(trial, line).verdict == LAWFUL

    if is_right(start.now):
        return ()  # what made the claim wrong lies before what is told again: no answer can be blamed
    return tuple(dict.fromkeys(ref for ref, _, right in otherwise(start.now, is_right) if right))
