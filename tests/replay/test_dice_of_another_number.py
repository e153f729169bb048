"""Dice too many or too few in lawful sheets: their line is found, what the cheat claims is wrong, and what is true is not accused.

The sheets on record of every chapter, and battles at random, are judged as they stand, and what the rules tell of each is
written into them as claims. Then one roll gets one to three dice more, that hit or do not, or loses some.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

from core.kit.chance import AnswerRoll
from events.chance import Hits, Rolled
from replay.sheets.adjudicate import judge
from replay.sheets.claims import Standing, Tally
from replay.sheets.scoresheet import Claimed, Line, Said, Sheet, load_sheet, parse_sheet
from replay.sheets.verdicts import Told, Verdict
from replay.words.grammar import grammar

FORMS = ("together", "apart", "standing")
SHEETS = sorted((Path(__file__).parents[2] / "fixtures" / "dragonlords").glob("*/*.score"))


@dataclass(frozen=True)
class Thrown:
    """A roll of a sheet: its place, what it was, and where its victims' losses are claimed."""

    place: int
    rolled: Rolled
    hits: tuple[Any, ...]
    misses: tuple[Any, ...]
    claim: tuple[int, int] | None
    """The place of the claim, and which of its tallies."""


@dataclass(frozen=True)
class Battle:
    """A lawful sheet with all its losses claimed."""

    sheet: Sheet
    rolls: tuple[Thrown, ...]


def with_claims(sheet: Sheet) -> Battle | None:
    """Return a sheet with claims of what it tells; None when it is not lawful."""
    bare = replace(sheet, lines=tuple(line for line in sheet.lines if isinstance(line, Said)))
    judged = judge(bare)
    if any(verdict.verdict != "lawful" for verdict in judged.report.verdicts):
        return None
    ends = [verdict.entry for verdict in judged.report.verdicts]
    lines: list[Line] = []
    rolls: list[tuple[int, Rolled]] = []
    for line, entry, end in zip(bare.lines, ends, [*ends[1:], len(judged.told) + 1], strict=True):
        lines.append(replace(line, number=len(lines) + 1))
        told = judged.told[entry - 1]
        rolls += [(len(lines) - 1, fact) for fact in told.facts if isinstance(fact, Rolled)]
        until = next(
            (at for at in range(entry, min(end - 1, len(judged.told))) if asks_dice(judged.told[at - 1])),
            end - 1,
        )
        claims = tuple(claims_of(sheet, judged.told[entry - 1 : until]))
        if claims:
            lines.append(Claimed(len(lines) + 1, "", claims))
    whole = replace(sheet, lines=tuple(lines))
    if any(verdict.verdict != "lawful" for verdict in judge(whole).report.verdicts):
        return None
    return Battle(whole, tuple(thrown(sheet, lines, place, rolled) for place, rolled in rolls))


def asks_dice(told: Told) -> bool:
    asked = told.decision.after.question
    return asked is not None and asked.roll is not None


def claims_of(sheet: Sheet, told: tuple[Told, ...]) -> Iterator[Tally | Standing]:
    """Yield what was lost, and how many units stand there then."""
    lost: Counter[str] = Counter()
    places = {}
    facts: list[Any] = [fact for each in told for fact in each.facts if fact.CLAIM == "loses"]
    for fact in facts:
        lost[fact.seat] += fact.count
        places[fact.seat] = fact.place
    yield from (Tally(seat, "loses", count) for seat, count in lost.items())
    units: Any = grammar(sheet.rules).setup["units"].kind
    state = told[-1].decision.after.state
    for seat, place in places.items():
        stands = [number for number in range(1, 40) if units(seat, place, number).holds(state)]
        yield from (Standing(units(seat, place, number)) for number in stands[:1])


def thrown(sheet: Sheet, lines: list[Line], place: int, rolled: Rolled) -> Thrown:
    line = lines[place]
    assert isinstance(line, Said)
    hits = rolled.counts.faces if isinstance(rolled.counts, Hits) else ()
    faces = sheet.rules.all_dice[rolled.die]
    claim = None
    for at in range(place + 1, len(lines)):
        held = lines[at]
        if isinstance(held, Claimed):
            of = [
                n for n, one in enumerate(held.claims) if isinstance(one, Tally) and one.who != rolled.owner
            ]
            claim = (at, of[0]) if of else None
            break
    return Thrown(place, rolled, tuple(hits), tuple(face for face in faces if face not in hits), claim)


@cache
def on_record() -> tuple[Battle, ...]:
    """Return the sheets on record that are lawful."""
    return tuple(battle for path in SHEETS if (battle := with_claims(load_sheet(path))) is not None)


def at_random(choose: Random) -> Battle:
    """Return a battle on land with dice at random, fought until one side is gone."""
    left = [choose.randrange(2, 8), choose.randrange(1, 7)]
    lines = [
        "game: dragonlords",
        "seats: orc, dwarf",
        f"setup: units orc OR_k {left[0] + 1}; units dwarf OR_n {left[1]}; turn orc combat",
        f"orc: attack OR_n from OR_k with {left[0]}",
    ]
    while min(left) > 0 and len(lines) < 14:
        rolls = [[choose.randrange(1, 7) for _ in range(side)] for side in left]
        lines += [f"dice: {' '.join(map(str, faces))}" for faces in rolls]
        hits = [sum(face <= 3 for face in faces) for faces in rolls]
        left = [max(0, left[0] - hits[1]), max(0, left[1] - hits[0])]
    battle = with_claims(parse_sheet("\n".join(lines)))
    assert battle is not None
    return battle


def with_dice(battle: Battle, roll: Thrown, faces: tuple[Any, ...]) -> Sheet:
    """Return the sheet with other dice in one of its rolls."""
    lines = list(battle.sheet.lines)
    line = lines[roll.place]
    assert isinstance(line, Said)
    lines[roll.place] = Said(line.number, f"dice: {faces}", line.seat, AnswerRoll(faces))
    return replace(battle.sheet, lines=tuple(lines))


def with_losses(
    sheet: Sheet, claim: tuple[int, int], more: int, form: str, *, ends: bool
) -> tuple[Sheet, list[int]] | None:
    """Return the sheet with a tally that counts more, and so many fewer standing, and the lines of both; None without any.

    The claims are written `together` in one line, each `apart` in its own, or only what is `standing` is not true. `ends`: they
    are the last of the sheet, as of a battle that is quarrelled about.
    """
    at, nth = claim
    line = sheet.lines[at]
    assert isinstance(line, Claimed)
    tally = line.claims[nth]
    assert isinstance(tally, Tally)
    claims: list[tuple[bool, Tally | Standing]] = []
    for one in line.claims:
        fact: Any = one.fact if isinstance(one, Standing) else None
        if fact is not None and fact.seat == tally.who:
            if fact.count > more:
                claims.append((True, Standing(type(fact)(fact.seat, fact.place, fact.count - more))))
        else:
            lies = one == tally and form != "standing"
            claims.append((lies, replace(tally, count=tally.count + more) if lies else one))
    if not any(lies for lies, _ in claims):
        return None
    lines: list[Line] = list(sheet.lines[:at])
    if form == "together":
        lines.append(Claimed(len(lines) + 1, "", tuple(one for _, one in claims)))
        wrong = [len(lines)]
    else:
        wrong = [len(lines) + n for n, (lies, _) in enumerate(claims, 1) if lies]
        lines += [Claimed(len(lines) + n, "", (one,)) for n, (_, one) in enumerate(claims, 1)]
    after = () if ends else sheet.lines[at + 1 :]
    lines += [replace(each, number=len(lines) + n) for n, each in enumerate(after, 1)]
    return replace(sheet, lines=tuple(lines)), wrong


def found(sheet: Sheet) -> dict[int, Verdict]:
    """Return what is not lawful in a sheet, by the number of the line."""
    return {one.line: one for one in judge(sheet).report.verdicts if one.verdict != "lawful"}


def surplus(roll: Thrown, choose: Random) -> Iterator[tuple[Any, ...]]:
    """Yield dice that are too many: such as hit, such as do not, and both."""
    if roll.hits:
        yield (roll.hits[0],) * choose.randrange(1, 4)
        yield (roll.hits[0], roll.misses[0])[:: choose.choice((1, -1))] if roll.misses else (roll.hits[0],)
    if roll.misses:
        yield (choose.choice(roll.misses),) * choose.randrange(1, 4)


def try_too_many(battle: Battle, roll: Thrown, choose: Random) -> int:
    """Add dice to a roll; return how many sheets that made. The line is named, true claims stand, the cheat's do not."""
    tried = 0
    at = battle.sheet.lines[roll.place].number
    for extra in surplus(roll, choose):
        sheet = with_dice(battle, roll, (*roll.rolled.faces, *extra))
        honest = found(sheet)
        assert set(honest) == {at}, (battle.sheet.path, extra, honest)
        assert (honest[at].verdict, bool(honest[at].sections)) == ("unlawful", True)
        tried += 1
        hits = sum(face in roll.hits for face in extra)
        if hits and roll.claim is not None:
            for form in FORMS:
                lied = with_losses(sheet, roll.claim, hits, form, ends=choose.random() < 0.5)
                if lied is not None:
                    accused = found(lied[0])
                    assert set(accused) == {at, *lied[1]}, (battle.sheet.path, (form, extra), accused)
                    assert (accused[at].verdict, bool(accused[at].sections)) == ("unlawful", True)
                    assert {accused[line].verdict for line in lied[1]} == {"miscounted"}
                    tried += 1
    return tried


def try_too_few(battle: Battle, roll: Thrown, choose: Random) -> int:
    """Take dice from a roll; return how many sheets that made. The line is named, and only what no dice make right is wrong."""
    faces = roll.rolled.faces
    if len(faces) < 2 or not roll.hits:
        return 0
    lost = choose.randrange(1, min(4, len(faces)))
    at = battle.sheet.lines[roll.place].number
    sheet = with_dice(battle, roll, faces[:-lost])
    honest = found(sheet)
    assert set(honest) == {at}, (battle.sheet.path, lost, honest)
    assert (honest[at].verdict, bool(honest[at].sections)) == ("unlawful", True)
    if roll.claim is None:
        return 1
    tried = 1
    for form in FORMS:
        lied = with_losses(sheet, roll.claim, lost + 1, form, ends=choose.random() < 0.5)
        if lied is not None:
            accused = found(lied[0])
            assert {at, lied[1][0]} <= set(accused) <= {at, *lied[1]}, (
                battle.sheet.path,
                (form, lost),
                accused,
            )
            assert accused[lied[1][0]].verdict == "miscounted"
            tried += 1
    return tried


def test_most_chapters_are_on_record() -> None:
    """Land, sea, fire, stealth, quests with their monsters, scrolls, variants."""
    assert {Path(battle.sheet.path).parent.name for battle in on_record()} >= {
        "endings", "quests", "rulebook", "scrolls", "sea", "stages", "variants",
    }  # fmt: skip
    assert sum(len(battle.rolls) for battle in on_record()) > 80


def test_dice_of_another_number_make_no_lie_lawful() -> None:
    """A few rolls of the sheets on record and of battles at random (QD-10.5, QD-10.6)."""
    choose = Random(2)
    battles = [
        *choose.sample([battle for battle in on_record() if battle.rolls], 6),
        *map(at_random, [choose] * 3),
    ]
    tried = 0
    for battle in battles:
        roll = choose.choice(battle.rolls)
        tried += try_too_many(battle, roll, choose) + try_too_few(battle, roll, choose)
    assert tried > 10


@pytest.mark.stress
def test_no_roll_on_record_can_be_swollen_or_shrunk_to_a_lie() -> None:
    """Each roll of each sheet on record, with dice too many and too few."""
    choose = Random(5)
    for battle in on_record():
        for roll in battle.rolls:
            try_too_many(battle, roll, choose)
            try_too_few(battle, roll, choose)


@pytest.mark.stress
def test_no_roll_of_battles_at_random_can_be_swollen_or_shrunk_to_a_lie(rounds: Callable[[int], int]) -> None:
    """The same in battles at random."""
    choose = Random(7)
    for _ in range(rounds(120)):
        battle = at_random(choose)
        for roll in battle.rolls:
            try_too_many(battle, roll, choose)
            try_too_few(battle, roll, choose)
