"""Faults planted in recorded games: each is found at its line, and accuses no other."""

from collections import Counter
from collections.abc import Callable
from random import Random

import pytest

from core.kit.chance import AnswerRoll
from core.seats import is_player
from replay.sheets.adjudicate import judge
from replay.sheets.claims import Tally
from replay.sheets.position import Position
from replay.sheets.scoresheet import Claimed, Line, Said, Sheet
from replay.sheets.verdicts import Verdict
from tests.driver import Table
from tests.laws.worlds import games, played

Planted = tuple[int, list[Line]]


def sheet_of(table: Table) -> list[Line]:
    """Return a recorded game as lines: every command, and after what was lost a claim of it."""
    lines: list[Line] = []
    for told in table.log[1:]:
        lines.append(Said(len(lines) + 1, "", told.entry.seat, told.entry.command))
        lost: Counter[str] = Counter()
        for fact in told.entry.facts:
            if fact.CLAIM == "loses":
                lost[fact.seat] += fact.count
        if lost:
            lines.append(
                Claimed(len(lines) + 1, "", tuple(Tally(seat, "loses", n) for seat, n in lost.items()))
            )
    return lines


def findings(table: Table, lines: list[Line]) -> list[Verdict]:
    """Return the verdicts that are not lawful."""
    opened = table.log[0].entry.command
    position = Position(table.rules, opened.seats, opened.position, opened.answers, opened.options)
    return [one for one in judge(Sheet(position, tuple(lines))).report.verdicts if one.verdict != "lawful"]


def wrong_loss(lines: list[Line], choose: Random) -> Planted | None:
    """Return the lines with a claim that is off by one."""
    claims = [line for line in lines if isinstance(line, Claimed)]
    if not claims:
        return None
    line = choose.choice(claims)
    first = line.claims[0]
    assert isinstance(first, Tally)
    wrong = Tally(first.who, first.word, first.count + choose.choice((-1, 1)))
    return _with(lines, line, Claimed(line.number, "", (wrong, *line.claims[1:])))


def _rolls(lines: list[Line], least: int) -> list[Said]:
    return [
        line
        for line in lines
        if isinstance(line, Said)
        and isinstance(line.command, AnswerRoll)
        and len(line.command.faces) >= least
    ]


def lost_die(lines: list[Line], choose: Random) -> Planted | None:
    """Return the lines with a die less in one roll."""
    rolls = _rolls(lines, 2)
    if not rolls:
        return None
    line = choose.choice(rolls)
    return _with(lines, line, Said(line.number, "", line.seat, AnswerRoll(line.command.faces[:-1])))


def die_too_many(lines: list[Line], choose: Random) -> Planted | None:
    """Return the lines with a die more in one roll."""
    rolls = _rolls(lines, 1)
    if not rolls:
        return None
    line = choose.choice(rolls)
    faces = line.command.faces
    return _with(lines, line, Said(line.number, "", line.seat, AnswerRoll((*faces, faces[0]))))


def act_twice(lines: list[Line], choose: Random) -> Planted | None:
    """Return the lines with one act written twice; such as may be done twice are no fault."""
    acts = [line for line in lines if isinstance(line, Said) and is_player(line.seat)]
    if not acts:
        return None
    line = choose.choice(acts)
    place = lines.index(line)
    return line.number, [*lines[: place + 1], line, *lines[place + 1 :]]


def wrong_seat(lines: list[Line], choose: Random) -> Planted | None:
    """Return the lines with one act said by another seat."""
    acts = [line for line in lines if isinstance(line, Said) and is_player(line.seat)]
    seats = {line.seat for line in acts}
    if len(seats) < 2:
        return None
    line = choose.choice(acts)
    other = choose.choice(sorted(seats - {line.seat}))
    return _with(lines, line, Said(line.number, "", other, line.command))


def _with(lines: list[Line], old: Line, new: Line) -> Planted:
    return old.number, [new if line is old else line for line in lines]


Fault = Callable[[list[Line], Random], Planted | None]


@pytest.mark.parametrize("name", sorted(games()))
def test_a_recorded_game_with_its_losses_claimed_is_lawful(name: str) -> None:
    """What the log tells is what a table would claim."""
    for seed in range(12):
        table = played(name, "plain", seed)
        assert findings(table, sheet_of(table)) == []


@pytest.mark.parametrize("plant", (wrong_loss, die_too_many))
def test_a_wrong_number_is_found_at_its_line_and_nowhere_else(plant: Fault) -> None:
    """A claim off by one, a die too many: one finding each, whatever follows."""
    tried = 0
    for seed in range(40):
        table = played("dragonlords", "plain", seed)
        planted = plant(sheet_of(table), Random(seed))
        if planted is None:
            continue
        line, lines = planted
        found = findings(table, lines)
        assert [one.line for one in found[:1]] == [line], found
        assert len({one.line for one in found if one.verdict == "unlawful"} - {line}) == 0, found
        tried += 1
    assert tried > 10


@pytest.mark.parametrize("plant", (lost_die, act_twice, wrong_seat))
def test_a_slip_is_found_at_its_line_or_is_none(plant: Fault) -> None:
    """A lost die, an act written twice or by a wrong seat: it is found, nothing before it is accused, and hardly anything after it."""
    at_line = alone = tried = 0
    for seed in range(60):
        table = played("dragonlords", "plain", seed)
        planted = plant(sheet_of(table), Random(seed))
        if planted is None:
            continue
        line, lines = planted
        found = findings(table, lines)
        assert all(one.line >= line for one in found), found
        tried += 1
        at_line += bool(found) and found[0].line == line
        alone += len(found) == 1
    assert tried > 8
    assert at_line == tried
    assert alone >= 0.9 * tried
