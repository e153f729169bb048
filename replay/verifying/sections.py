"""Under which sections a log diverges."""

from typing import Any

from core.contract import Setup
from core.deciding import Decision
from core.rules import Rules
from core.telling import Moment
from events.event import FactData, SectionRef
from events.table import GameOpened

__all__ = ["of_opening", "sections_of"]

_OPENING = {"seats": "LS-1.2", "answers": "LS-1.3", "options": "LS-1.4"}
"""The sections on what an opening says."""


def of_opening(expected: tuple[FactData, ...], recorded: tuple[FactData, ...]) -> tuple[SectionRef, ...]:
    """Return the sections on that in which an opening is told otherwise; nothing when the rules of the game tell it."""
    ours, theirs = (next((f for f in side if type(f) is GameOpened), None) for side in (expected, recorded))
    told = [ref for name, ref in _OPENING.items() if getattr(ours, name, None) != getattr(theirs, name, None)]
    if any(isinstance(fact, Setup) and not fact.because for fact in (*expected, *recorded)):
        told.append("LS-1.5")
    return tuple(told)


def sections_of(
    rules: Rules[Any], base: Moment[Any], decided: Decision[Any], *sides: tuple[Any, ...]
) -> tuple[SectionRef, ...]:
    """Return the sections of a divergence: those of what was to be expected, else of what is recorded, as far as there are such.

    Where facts that cite nothing differ, they are those of what should be asked next, or of what was asked.
    """
    asked = (decided.after.question, base.question)
    for refs in (
        *([ref for fact in side for ref in fact.because] for side in sides),
        *(question.because for question in asked if question is not None),
        [ref for fact in decided.facts for ref in fact.because],
    ):
        known = tuple(dict.fromkeys(ref for ref in refs if rules.knows(ref)))
        if known:
            return known
    return ("LS-2.1",)
