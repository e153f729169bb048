"""Verdicts on claims: what a table says has followed, against the facts that the rules tell.

What is owed is settled by silence before a claim is counted. A claim that differs becomes a correction, where the game
has words for it, so that the state follows the table.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from msgspec import structs

from core.deciding import Refused, decide
from core.kit.table import Correct
from core.rules import Fact, Setup
from core.seats import ARBITER
from core.telling import Moment
from events.chance import Rolled
from events.event import FactData, SectionRef
from events.play import Turned
from replay.sheets.claims import (
    Claim,
    Standing,
    Tally,
    claim_words,
    counted,
    holds,
    in_other_words,
    is_of,
    standing_now,
    why_not,
    write_claim,
)
from replay.sheets.filling import NOT_HEARD, Silence
from replay.sheets.playing import SheetPlay
from replay.sheets.scoresheet import Claimed, Line, Said
from replay.sheets.verdicts import LAWFUL, MISCOUNTED, Verdict, sections_of

__all__ = ["TABLE_RECORDED", "agree", "judge_claims", "settle"]

FARTHEST = 40
"""So many entries back the facts are looked for that made what stands so."""
TABLE_RECORDED = "table recorded"
"""What a verdict says of a game that goes on from a claim that differs."""


def judge_claims(play: SheetPlay, line: Claimed, following: Sequence[Line] = ()) -> Verdict:
    """Judge what is claimed to have followed, once what is owed is settled by silence; `following` are lines after it."""
    filled = settle(play, line, following)
    wrong = [
        claim
        for claim in line.claims
        if (play.hangs and isinstance(claim, Tally)) or not _is_so(claim, play.now.state, play.since)
    ]
    if not wrong:
        verdict = Verdict(line.number, line.text, LAWFUL)
    elif play.hangs:
        verdict = play.unjudged(line, _written(play, wrong))
        for claim in wrong:
            if isinstance(claim, Standing):
                _follow(play, claim, line)
    else:
        verdict = _miscounted(play, line, wrong)
    play.was_claimed = play.was_claimed or any(isinstance(claim, Tally) for claim in line.claims)
    return structs.replace(verdict, silences=filled)


def settle(play: SheetPlay, line: Claimed, following: Sequence[Line] = ()) -> tuple[str, ...]:
    """Settle by silence what is owed before claims are counted; return what was filled in, as lines of a sheet."""
    upcoming = next((each for each in following if isinstance(each, Said)), None)
    return play.give(_settling(play, line.claims, upcoming))


def agree(play: SheetPlay, line: Claimed) -> bool:
    """Return whether all claims of a line are so now."""
    return all(_is_so(claim, play.now.state, play.since) for claim in line.claims)


def _written(play: SheetPlay, claims: Sequence[Claim]) -> str:
    return _joined(claims, [write_claim(play.rules, claim) for claim in claims])


def _joined(claims: Sequence[Claim], texts: Iterable[str]) -> str:
    """Return claims as one line has them; what stands may hold commas itself."""
    return (", " if all(isinstance(claim, Tally) for claim in claims) else "; ").join(filter(None, texts))


def _is_so(claim: Claim, state: Any, since: Sequence[Any]) -> bool:
    return counted(claim, since) == claim.count if isinstance(claim, Tally) else holds(claim, state)


def _settling(play: SheetPlay, claims: Sequence[Claim], upcoming: Said | None) -> list[Silence]:
    """Return the silences that settle what is owed before claims are counted.

    Owed is what tells at once of such facts as are claimed. As much of it is settled as the claims agree with; when
    they don't yet, silence goes on to where they do; when they never do, to the last such fact. A choice that nothing
    claimed hangs on stays open, and so does one that the next act of the sheet, `upcoming`, makes.
    """
    words = {claim.word for claim in claims if isinstance(claim, Tally)} or set(claim_words(play.rules))
    path: list[Silence] = []
    since = list(play.since)
    telling: list[int] = []
    agreeing = [0] if all(_is_so(claim, play.now.state, since) for claim in claims) else []
    now = play.now
    for silence in play.silences():
        if upcoming is not None and _is_heard(now, upcoming):
            break
        now = silence.decision.after
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


def _is_heard(now: Moment[Any], act: Said) -> bool:
    decided = decide(now, act.seat, act.command)
    return not isinstance(decided, Refused) or all(reason.code not in NOT_HEARD for reason in decided.reasons)


def _miscounted(play: SheetPlay, line: Claimed, wrong: Sequence[Claim]) -> Verdict:
    """Return the verdict on claims that differ, having corrected the state to follow the table as far as it goes."""
    expected = _joined(wrong, [_should_be(play, claim) for claim in wrong])
    sections = sections_of([_because(play, claim) for claim in wrong])
    why = [why_not(claim, play.now.state) for claim in wrong if isinstance(claim, Standing)]
    before = len(play.told)
    followed = [_follow(play, claim, line) for claim in wrong]
    source = TABLE_RECORDED if all(followed) else "rules say"
    told = len(play.told) > before
    return Verdict(
        line.number,
        line.text,
        MISCOUNTED,
        sections,
        " ".join(
            filter(
                None,
                (
                    f"By the rules: {expected or 'not so'}.",
                    *dict.fromkeys(why),
                    f"The game goes on from what the {source}.",
                ),
            )
        ),
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
    held = standing_now(claim, play.now.state, play.now.table.seats)
    return write_claim(play.rules, held) if held is not None else ""


def _because(play: SheetPlay, claim: Claim) -> tuple[SectionRef, ...]:
    """Return the sections of the facts that a claim is about.

    Those are the facts that it counts; or, when there are none, the dice that brought none; or, for what stands, the
    facts that last changed it; or those that have most in common with it; or else all facts since the last claim.
    """
    if isinstance(claim, Standing):
        about = _changing(play, claim)
        alike = [] if about else [(_in_common(claim.fact, fact), fact) for fact in play.since]
        most = max((common for common, _ in alike), default=0)
        about += [fact for common, fact in alike if most and common == most]
    else:
        about = [fact for fact in play.since if is_of(claim, fact)]
        about = about or [fact for fact in play.since if isinstance(fact, Rolled)]
    return (
        sections_of([fact.because for fact in about])
        or sections_of([fact.because for fact in play.since])
        or ("LS-6.1",)
    )


def _changing(play: SheetPlay, claim: Standing) -> list[FactData]:
    """Return the facts by which what stands in place of a claim became so: those of the last entry since a claim that changed it."""
    seats = play.now.table.seats
    for at in range(len(play.told) - 1, max(play.since_at, len(play.told) - FARTHEST) - 1, -1):
        state = play.told[at - 1].decision.after.state
        stood = standing_now(claim, state, seats)
        about: list[FactData] = []
        for fact in play.told[at].facts:
            if not isinstance(fact, Turned) and hasattr(fact, "onto"):
                state = fact.onto(state)
                stands = standing_now(claim, state, seats)
                about += [fact] if stands != stood else []
                stood = stands
        if about:
            return about
    return []


def _in_common(claim: FactData, fact: FactData) -> int:
    """Return in how much a fact speaks of what a claim does: the same names, and numbers called the same."""
    if isinstance(fact, Rolled):
        return 0
    own = {name: getattr(claim, name) for name in claim.__struct_fields__}
    held = {name: getattr(fact, name) for name in fact.__struct_fields__}
    names = {value for value in own.values() if isinstance(value, str) and value}
    shared = sum(isinstance(value, str) and value in names for value in held.values())
    counts = sum(isinstance(value, int) and type(own.get(name)) is int for name, value in held.items())
    return shared and shared + counts


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
        other = in_other_words(claim, play.now.state)
        if other is None:
            return (claim.fact,)
        # Set down as claimed it would take the place of what stands there of others; only its numbers are meant.
        meant = structs.replace(
            other,
            **{
                name: getattr(claim.fact, name)
                for name in claim.fact.__struct_fields__
                if type(getattr(claim.fact, name)) is int and name in other.__struct_fields__
            },
        )
        return () if meant == other else (meant,)
    more = claim.count - counted(claim, play.since)
    for kind in claim_words(play.rules)[claim.word]:
        held = [fact for fact in play.since if type(fact) is kind and is_of(claim, fact)]
        facts = (
            kind.mends(play.now.state, held, claim.who, more, claim.kind) if issubclass(kind, Fact) else ()
        )
        if facts:
            return facts
    return ()
