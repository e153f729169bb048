"""Verdicts on claims: what a table says has followed, against the facts that the rules tell.

What is owed is settled by silence before a claim is counted. A claim that differs leaves the game as the rules have it,
or becomes a correction, where the game has words for it, so that the state follows the table.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import msgspec
from msgspec import structs

from core.deciding import Refused, decide
from core.kit.table import Correct
from core.rules import Fact, Setup
from core.seats import ARBITER
from events.chance import Rolled
from events.event import FactData, SectionRef
from events.play import Turned
from replay.sheets.claims import (
    Claim,
    Standing,
    Tally,
    claim_words,
    in_other_words,
    is_of,
    standing_now,
    why_not,
    write_claim,
)
from replay.sheets.hits import hits_behind, hits_in_words
from replay.sheets.owed import is_so, numbers, settle
from replay.sheets.playing import SheetPlay
from replay.sheets.scoresheet import Claimed, Line
from replay.sheets.verdicts import LAWFUL, MISCOUNTED, Verdict, sections_of
from replay.words.forms import quoted

__all__ = ["TABLE_RECORDED", "judge_claims"]

FARTHEST = 40
"""So many entries back the facts are looked for that made what stands so."""
LATELY = 12
"""So many entries back things are spoken of that may hang on an act which was left out."""
TABLE_RECORDED = "the table recorded"
"""What a verdict says of a game that goes on from a claim that differs."""


def judge_claims(
    play: SheetPlay,
    line: Claimed,
    following: Sequence[Line] = (),
    *,
    follow: bool = False,
    others: Sequence[SheetPlay] = (),
) -> Verdict:
    """Judge what is claimed to have followed, once what is owed is settled by silence; `following` are lines after it.

    A claim that differs leaves the game as the rules have it, or, to `follow` the table, sets it as claimed. `others`
    are the same game with other dice in place of those that are missing: what none of them makes right is wrong.
    """
    filled = settle(play, line, following)
    if play.ruled is not None:
        settle(play.ruled, line, following)
    noted = [(game, _to_note(game, line.claims)) for game in (play, play.ruled) if game is not None]
    chosen = [] if play.hangs else _choose(play, line)
    if play.ruled is not None and chosen:
        _choose(play.ruled, line)
    wrong = [
        claim
        for claim in line.claims
        if (play.hangs and isinstance(claim, Tally)) or not (claim in chosen or _agrees(play, claim))
    ]
    never = [claim for claim in wrong if others and not _may_be(claim, others)]
    if not wrong:
        by_table = _by_the_table(play, line, [each for each in line.claims if each not in chosen])
        verdict = by_table or Verdict(line.number, line.text, LAWFUL)
        if chosen:
            choice = "The rules leave that choice, and the game goes on from it."
            verdict = structs.replace(verdict, message=f"{choice} {verdict.message}".rstrip())
    elif not play.hangs:
        verdict = _miscounted(play, line, wrong, others, follow=follow)
    elif never:
        verdict = _miscounted(play, line, never, others, follow=False)
    elif apart := [claim for claim in wrong if isinstance(claim, Standing) and _is_apart(play, claim)]:
        verdict = _miscounted(play, line, apart, (), follow=False)
    else:
        verdict = play.unjudged(line, _written(play, wrong))
        for claim in wrong:
            if isinstance(claim, Standing):
                _follow(play, claim, line)
    for game, counts in noted:
        for claim, count in counts:
            game.note(claim, count)
    return structs.replace(verdict, silences=filled)


def _choose(play: SheetPlay, line: Claimed) -> list[Claim]:
    """Return the tallies that are not as told but as the rules let the table choose, having set what stands otherwise by them."""
    found: list[Claim] = []
    for claim in line.claims:
        if not isinstance(claim, Tally) or _agrees(play, claim):
            continue
        told = [
            (fact, play.told[at - 1].decision.after.state)
            for at in range(max(1, play.since_at), len(play.told))
            for fact in play.told[at].facts
            if isinstance(fact, Fact) and is_of(claim, fact)
        ]
        stands = told[0][0].choosable(told[0][1], play.now.state, claim.count) if len(told) == 1 else None
        if stands is not None:
            found.append(claim)
            _set(play, line, write_claim(play.rules, claim), stands)
    return found


def _is_apart(play: SheetPlay, claim: Standing) -> bool:
    """Return whether what stands has nothing to do with the act that was left out: no name of it is spoken of there or lately."""
    if play.waits_for_roll:
        return False
    values = (getattr(claim.fact, name) for name in claim.fact.__struct_fields__)
    own = {value for value in values if isinstance(value, str) and value} - set(play.now.table.seats)
    lately = play.told[1:][-LATELY:]  # not the opening, which speaks of all
    return bool(own) and own.isdisjoint(
        _names_in([play.not_played, *(one.command for one in lately), *(one.facts for one in lately)])
    )


def _names_in(value: Any) -> set[str]:
    """Return every text in commands and facts, but for the sections of the rulebook."""
    plain = msgspec.to_builtins(value)
    if isinstance(plain, dict):
        held = [*plain, *(part for key, part in plain.items() if key not in ("because", "Fact", "Do"))]
        return set().union(*map(_names_in, held))
    if isinstance(plain, list | tuple):
        return set().union(*map(_names_in, plain))
    return {plain, *re.split("[@.]", plain)} if isinstance(plain, str) else set()


def _may_be(claim: Claim, plays: Sequence[SheetPlay]) -> bool:
    return any(is_so(play, claim) for play in plays)


def _agrees(play: SheetPlay, claim: Claim) -> bool:
    """Return whether a claim is right by what is told, or counts what the dice have decided and is told only later."""
    if isinstance(claim, Tally) and not (claim.count and is_so(play, claim)):
        return claim.count in numbers(play, claim)
    return is_so(play, claim)


def _to_note(play: SheetPlay, claims: Iterable[Claim]) -> list[tuple[Tally, int]]:
    """Return how many each tally counts: what it says where that is right, else what it should say."""
    tallies = [claim for claim in claims if isinstance(claim, Tally)]
    return [(claim, claim.count if _agrees(play, claim) else numbers(play, claim)[-1]) for claim in tallies]


def _by_the_table(play: SheetPlay, line: Claimed, claims: Sequence[Claim]) -> Verdict | None:
    """Return the verdict on claims that are right only as the table has played it; None when the rules say the same.

    They follow from a claim that was found wrong, and are not accused once more; but void dice make nothing lawful.
    """
    ruled = play.ruled
    other = [claim for claim in claims if not _agrees(ruled, claim)] if ruled is not None else []
    if ruled is None or not other:
        return None
    by_rules = [_should_be(ruled, claim) for claim in other]
    told = _joined(
        other,
        [
            rule or f"not {write_claim(play.rules, claim)}"
            for rule, claim in zip(by_rules, other, strict=True)
        ],
    )
    message = f"So the table has played it since line {play.astray}; by the rules: {told}."
    if not play.voided:
        return Verdict(line.number, line.text, LAWFUL, message=message)
    expected = _joined(other, by_rules)
    return Verdict(
        line.number,
        line.text,
        MISCOUNTED,
        sections_of([_because(ruled, claim) for claim in other]),
        message,
        expected,
        _written(play, other),
        (f"claim: {expected}",) if expected else (),
        ("miscounted",),
        told=False,
    )


def _written(play: SheetPlay, claims: Sequence[Claim]) -> str:
    return _joined(claims, [write_claim(play.rules, claim) for claim in claims])


def _joined(claims: Sequence[Claim], texts: Iterable[str]) -> str:
    """Return claims as one line has them; what stands may hold commas itself."""
    return (", " if all(isinstance(claim, Tally) for claim in claims) else "; ").join(filter(None, texts))


def _miscounted(
    play: SheetPlay, line: Claimed, wrong: Sequence[Claim], others: Sequence[SheetPlay], *, follow: bool
) -> Verdict:
    """Return the verdict on claims that differ; to `follow` the table, the state is corrected as far as that goes.

    By the rules is said of what follows from the rules alone. Of a game that has followed the table before, it is said
    what the table's own game comes to, and what the rules say beside it for as long as the lines fit both.
    """
    own = _joined(wrong, [_should_be(play, claim, others) for claim in wrong])
    ruled = play.ruled
    expected, said = own, f"By the rules: {own or 'not so'}{_whatever(others)}."
    if play.astray:
        said = f"As the table has played it since line {play.astray}: {own or 'not so'}."
        if ruled is not None:
            expected = _joined(wrong, [_should_be(ruled, claim) for claim in wrong])
            said = (
                f"By the rules: {expected or 'not so'}. {said}"
                if expected != own
                else f"By the rules: {own}."
            )
    sections = sections_of([_because(play, claim) for claim in wrong])
    why = [
        why_not(claim, play.now.state) if isinstance(claim, Standing) else hits_in_words(play, claim)
        for claim in wrong
        if isinstance(claim, Standing) or (hits_behind(play, claim) and not others)
    ]
    before = len(play.told)
    by_rules = play.twin() if follow and not play.astray else None
    followed = [_follow(play, claim, line) for claim in wrong] if follow else [False]
    told = len(play.told) > before
    if told and by_rules is not None:
        by_rules.ruled = None
        play.ruled, play.astray = by_rules, line.number
    goes_on = "The game goes on from that." if play.astray and not told else "The game goes on by the rules."
    if told:
        goes_on = f"What comes after it fits only what {TABLE_RECORDED}: the game goes on from that."
    if told and not all(followed):
        goes_on = f"{goes_on} Not all of it could be set so."
    return Verdict(
        line.number,
        line.text,
        MISCOUNTED,
        sections,
        " ".join(filter(None, (said, *dict.fromkeys(why), goes_on))),
        expected,
        _written(play, wrong),
        (f"claim: {expected}",) if expected and " or " not in expected else (),
        ("miscounted",),
        told=told,
        entry=len(play.told) if told else 0,
    )


def _whatever(others: Sequence[SheetPlay]) -> str:
    return ", whatever the dice showed that are missing" if others else ""


def _should_be(play: SheetPlay, claim: Claim, others: Sequence[SheetPlay] = ()) -> str:
    """Return what the claim should have been; nothing when no number makes it right.

    Where dice are missing that is one number or another: `orc loses 1 or 2`.
    """
    if isinstance(claim, Tally):
        counts = sorted({other.tally(claim) for other in others}) or [numbers(play, claim)[-1]]
        said = write_claim(play.rules, replace(claim, count=counts[-1]))
        less = " or ".join(map(str, counts[:-1]))
        head = f"{quoted(claim.who)} {claim.word} "
        return f"{head}{less} or {said.removeprefix(head)}" if less else said
    held = standing_now(claim, play.now.state, play.now.table.seats)
    return write_claim(play.rules, held) if held is not None else ""


def _because(play: SheetPlay, claim: Claim) -> tuple[SectionRef, ...]:
    """Return the sections of the facts that a claim is about.

    Those are the dice whose hits it counts otherwise; or the facts that it counts; or, when there are none, the dice that
    brought none; or, for what stands, the facts that last changed it; or, where none did, the sections that say what it is;
    or the facts that have most in common with it; or else all facts since the last claim.
    """
    if isinstance(claim, Standing):
        about = _changing(play, claim)
        if not about and (said := claim.fact.about()):
            return said
        alike = [] if about else [(_in_common(claim.fact, fact), fact) for fact in play.since]
        most = max((common for common, _ in alike), default=0)
        about += [fact for common, fact in alike if most and common == most]
    else:
        about = hits_behind(play, claim) or [fact for fact in play.since if is_of(claim, fact)]
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
    return _set(play, line, write_claim(play.rules, claim), _mending(play, claim))


def _set(play: SheetPlay, line: Claimed, claimed: str, facts: tuple[Setup[Any], ...]) -> bool:
    """Correct the state by set-up facts; return whether it could be done."""
    if not facts:
        return False
    correction = Correct(f"claimed in line {line.number}: {claimed}", facts)
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
    more = claim.count - numbers(play, claim)[-1]
    for kind in claim_words(play.rules)[claim.word]:
        held = [fact for fact in play.since if type(fact) is kind and is_of(claim, fact)]
        facts = (
            kind.mends(play.now.state, held, claim.who, more, claim.kind) if issubclass(kind, Fact) else ()
        )
        if facts:
            return facts
    return ()
