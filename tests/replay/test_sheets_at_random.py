"""Slips of every kind at every place of the sheets on record: each line has its verdict, or the sheet its fault; nothing breaks."""

from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest

from core.games.dragonlords import RULES
from core.kit.table import TABLE_LAW
from replay.sheets.adjudicate import judge
from replay.sheets.scoresheet import parse_sheet
from replay.words.faults import BadInput

RECORDS = Path(__file__).parents[2] / "fixtures" / "dragonlords"
SHEETS = sorted(RECORDS.glob("*/*.score"))
HEADER = ("position", "game", "seats", "setup", "answer", "option", "title")
ADDED = (
    "orc: dispute the last die fell from the table",
    "barbarian: dispute entry 1 so",
    "arbiter: uphold because so",
    "arbiter: rule X61 = extra because the table always played so",
    "arbiter: forfeit orc because he left",
    "arbiter: penalise elf for looking because he looked",
    "arbiter: correct nothing because so",
    "arbiter: correct units orc OR_k 9 because so",
    "claim: orc loses 1",
    "claim: elf loses 0, barbarian loses 3",
    "claim: units orc OR_k 2",
    "claim: dwarf falls",
    "dice: ?",
    "dice: 1 ? 6",
    "dice: none",
    "dice: 1 1 1 1 1 1 1 1 1 1 1 1",
    "dice: yellow",
    "card: ?",
    "card: reflect",
    "elf: end phase",
)


def slips(lines: list[str], choose: Random) -> Iterator[list[str]]:
    """Yield sheets with one slip each, then one with several."""
    body = [at for at, line in enumerate(lines) if _is_act(line)]
    at = choose.choice(body)
    line = lines[at]
    yield [*lines[:at], *lines[at + 1 :]]
    yield [*lines[: at + 1], *lines[at:]]
    if at + 1 < len(lines):
        yield [*lines[:at], lines[at + 1], line, *lines[at + 2 :]]
    yield [*lines[:at], choose.choice(ADDED), *lines[at:]]
    words = line.split(" ")
    place = choose.randrange(1, len(words)) if len(words) > 1 else 0
    for other in ("?", words[place][:-1], f"{words[place]}x", words[place].upper(), "3", ""):
        yield [*lines[:at], " ".join([*words[:place], other, *words[place + 1 :]]), *lines[at + 1 :]]
    several = list(lines)
    for _ in range(4):
        at = choose.choice([at for at, line in enumerate(several) if _is_act(line)] or [0])
        several[at : at + choose.randrange(2)] = choose.choices(ADDED, k=choose.randrange(3))
    yield several


def _is_act(line: str) -> bool:
    text = line.partition("#")[0].strip()
    return ":" in text and text.partition(":")[0].strip() not in HEADER


def bring_down(path: Path, choose: Random) -> int:
    """Judge a sheet with each slip; return how many could be read. Every verdict cites what exists."""
    read = 0
    for lines in slips(path.read_text(encoding="utf-8").split("\n"), choose):
        try:
            sheet = parse_sheet("\n".join(lines), path)
        except BadInput:
            continue
        judged = judge(sheet)
        read += 1
        assert [one.line for one in judged.report.verdicts] == [line.number for line in sheet.lines]
        for one in judged.report.verdicts:
            assert one.verdict == "lawful" or (one.sections and one.message), one
            assert all(RULES.knows(ref) or TABLE_LAW.knows(ref) for ref in one.sections)
    return read


def test_slips_at_random_bring_nothing_down() -> None:
    """Lost, doubled, swapped, added and misspelled lines; dice and cards that nobody saw; disputes without end."""
    choose = Random(9)
    assert sum(bring_down(choose.choice(SHEETS), choose) for _ in range(4)) > 20


@pytest.mark.stress
def test_slips_at_every_place_bring_nothing_down(rounds: Callable[[int], int]) -> None:
    """The same on sheets on record at random, again and again."""
    choose = Random(11)
    for _ in range(rounds(400)):
        assert bring_down(choose.choice(SHEETS), choose) > 0
