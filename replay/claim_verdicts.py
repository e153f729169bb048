"""Verdicts on claims: what a table says has followed, against the facts that the rules tell.

What is owed is settled by silence before a claim is counted. A claim that differs becomes a correction, where the game
has words for it, so that the state follows the table.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from msgspec import structs

from core.deciding import Refused, decide
from core.kit.table import Correct
from core.rules import Fact, Setup
from core.seats import ARBITER
from events.event import SectionRef
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
)
from replay.filling import Silence
from replay.scoresheet import Claimed
from replay.sheet_play import SheetPlay
from replay.verdicts import LAWFUL, MISCOUNTED, Verdict, sections_of

__all__ = ["judge_claims"]


def judge_claims(play: SheetPlay, line: Claimed) -> Verdict:
    """Judge what is claimed to have followed, once what is owed is settled by silence."""
    filled = play.give(_settling(play, line.claims))
    wrong = [claim for claim in line.claims if not _is_so(claim, play.now.state, play.since)]
    if not wrong:
        verdict = Verdict(line.number, line.text, LAWFUL)
    elif play.waits_for_roll:
        verdict = play.unjudged(line, _written(play, wrong))
    else:
        verdict = _miscounted(play, line, wrong)
    play.was_claimed = play.was_claimed or any(isinstance(claim, Tally) for claim in line.claims)
    return structs.replace(verdict, silences=filled)


def _written(play: SheetPlay, claims: Sequence[Claim]) -> str:
    return "; ".join(write_claim(play.rules, claim) for claim in claims)


def _is_so(claim: Claim, state: Any, since: Sequence[Any]) -> bool:
    return counted(claim, since) == claim.count if isinstance(claim, Tally) else holds(claim, state)


def _settling(play: SheetPlay, claims: Sequence[Claim]) -> list[Silence]:
    """Return the silences that settle what is owed before claims are counted.

    Owed is what tells at once of such facts as are claimed. As much of it is settled as the claims agree with; when
    they don't yet, silence goes on to where they do; when they never do, to the last such fact. A choice that nothing
    claimed hangs on stays open: the next line may make it.
    """
    words = {claim.word for claim in claims if isinstance(claim, Tally)} or set(claim_words(play.rules))
    path: list[Silence] = []
    since = list(play.since)
    telling: list[int] = []
    agreeing = [0] if all(_is_so(claim, play.now.state, since) for claim in claims) else []
    for silence in play.silences():
        tells = any(fact.CLAIM in words for fact in silence.facts)
        if silence.ends and not tells:
            break
        path.append(silence)
        since += silence.facts
        if tells:
            telling.append(len(path))
        if all(_is_so(claim, silence.decision.after.state, since) for claim in claims):
            agreeing.append(len(path))
    owed = next((n for n in range(len(path) + 1) if n + 1 not in telling), 0)
    within = [n for n in agreeing if n <= owed]
    if within:
        return path[: within[-1]]
    return path[: agreeing[0] if agreeing else max(telling, default=0)]


def _miscounted(play: SheetPlay, line: Claimed, wrong: Sequence[Claim]) -> Verdict:
    """Return the verdict on claims that differ, having corrected the state to follow the table as far as it goes."""
    expected = "; ".join(filter(None, (_should_be(play, claim) for claim in wrong)))
    sections = sections_of([_because(play, claim) for claim in wrong])
    before = len(play.told)
    followed = [_follow(play, claim, line) for claim in wrong]
    source = "table recorded" if all(followed) else "rules say"
    told = len(play.told) > before
    return Verdict(
        line.number,
        line.text,
        MISCOUNTED,
        sections,
        f"By the rules: {expected or 'not so'}. The game goes on from what the {source}.",
        expected,
        _written(play, wrong),
        (f"claim: {expected}",) if expected else (),
        ("miscounted",),
        told=told,
        entry=len(play.told) if told else 0,
    )


def _should_be(play: SheetPlay, claim: Claim) -> str:
    """Return what the claim should have been; nothing when no number makes it right."""
    if isinstance(claim, Tally):
        return write_claim(play.rules, replace(claim, count=counted(claim, play.since)))
    held = standing_now(claim, play.now.state)
    return write_claim(play.rules, held) if held is not None else ""


def _because(play: SheetPlay, claim: Claim) -> tuple[SectionRef, ...]:
    """Return the sections of the facts a claim is about; of all facts since the last claim when there are none."""
    if isinstance(claim, Tally):
        own = sections_of([fact.because for fact in play.since if is_of(claim, fact)])
        if own:
            return own
    return sections_of([fact.because for fact in play.since]) or ("LS-6.1",)


def _follow(play: SheetPlay, claim: Claim, line: Claimed) -> bool:
    """Correct the state so that it follows the table; return whether it could be done."""
    facts = _mending(play, claim)
    if not facts:
        return False
    correction = Correct(f"claimed in line {line.number}: {write_claim(play.rules, claim)}", facts)
    try:
        decided = decide(play.now, ARBITER, correction)
    except (KeyError, ValueError, TypeError, IndexError, AttributeError):
        # What a table claims may have no place on the board; then the state stays as the rules have it.
        return False
    if isinstance(decided, Refused):
        return False
    since = list(play.since)
    play.tell(ARBITER, correction, decided)
    play.since = since
    return True


def _mending(play: SheetPlay, claim: Claim) -> tuple[Setup[Any], ...]:
    """Return the set-up facts that make a claim so; none when the game has no words for it."""
    if isinstance(claim, Standing):
        return (claim.fact,)
    more = claim.count - counted(claim, play.since)
    for kind in claim_words(play.rules)[claim.word]:
        held = [fact for fact in play.since if type(fact) is kind and is_of(claim, fact)]
        facts = (
            kind.mends(play.now.state, held, claim.who, more, claim.kind) if issubclass(kind, Fact) else ()
        )
        if facts:
            return facts
    return ()
