"""A line that was left out is told once, at the line that fails without it, and what comes after it is not accused."""

from pathlib import Path

import pytest

from replay.sheets.adjudicate import adjudicate
from replay.sheets.scoresheet import parse_sheet
from replay.sheets.verdicts import LAWFUL, Verdict

RECORDS = Path(__file__).parents[2] / "fixtures" / "dragonlords"
ABOARD = """game: dragonlords
seats: dwarf, elf
setup: units dwarf IH_ne 7; ships IH_ne 1; units elf SV_se 3; units elf SV_k 2; units dwarf IH_k 2; turn dwarf sea
dwarf: board IH_ne with 6
dwarf: sail D2, D3 from D1 with 6
dwarf: land SV_se with 5
dwarf: end phase
dwarf: fight SV_se
dice: 1 1 1 6 6
dice: 6 6 6
claim: elf loses 3
claim: units dwarf SV_se 5
"""
READ = """game: dragonlords
seats: orc, elf
setup: units orc OR_k 6; units elf OR_n 6; chip elf elf.king OR_n; chip orc orc.wizard.1 OR_k; spells orc.wizard.1 hope
setup: hand orc infernal; hand elf reflect; turn orc combat
orc: attack OR_n from OR_k with 5 leading orc.wizard.1
orc: fight
orc: read scroll infernal in OR_n by orc.wizard.1 against elf
elf: reflect by elf.king
dice: 2
orc: take losses 2 unit
orc: declare
elf: declare
dice: 1 1 6
"""


def wrong_without(text: str, line: str) -> list[Verdict]:
    """Return the verdicts that are not lawful on a sheet without a line that it has."""
    assert text.count(line + "\n") == 1
    assert all(one.verdict == LAWFUL for one in adjudicate(parse_sheet(text)).verdicts), adjudicate(
        parse_sheet(text)
    )
    return [
        one
        for one in adjudicate(parse_sheet(text.replace(line + "\n", ""))).verdicts
        if one.verdict != LAWFUL
    ]


def test_a_line_that_was_left_out_is_told_once() -> None:
    """What could have been said there, and makes all near it lawful, is named; the rest of the sheet is right."""
    (found,) = wrong_without(ABOARD, "dwarf: board IH_ne with 6")
    assert found.text == "dwarf: sail D2, D3 from D1 with 6"
    assert "Left out before it: `dwarf: board IH_ne with 6" in found.message
    assert found.codes[0] == "line_left_out"


def test_an_answer_that_was_left_out_is_told_in_place_of_silence() -> None:
    """Where silence was filled in somebody may have answered: that is tried, too."""
    (found,) = wrong_without(READ, "elf: reflect by elf.king")
    assert "Left out before it: `elf: reflect" in found.message
    assert "in place of `elf: pass`" in found.message


def test_a_line_that_is_wrong_by_itself_has_nothing_left_out_before_it() -> None:
    """One fault that hides nothing is what it is: nothing is made up for its sake."""
    text = ABOARD.replace(
        "dwarf: sail D2, D3 from D1 with 6\n",
        "dwarf: sail D3 from D1 with 6\ndwarf: sail D2, D3 from D1 with 6\n",
    )
    wrong = [one for one in adjudicate(parse_sheet(text)).verdicts if one.verdict != LAWFUL]
    assert len(wrong) == 1
    assert "Left out" not in wrong[0].message


@pytest.mark.parametrize(("sheet", "line"), (("quests/evening", "orc: move party WT02"),))
def test_dice_may_come_of_an_act_that_was_left_out(sheet: str, line: str) -> None:
    """Dice that nobody asked for show that something was to be rolled for."""
    path = RECORDS / f"{sheet}.score"
    text = path.read_text(encoding="utf-8").replace(f"{line}\n", "", 1)
    wrong = [one for one in adjudicate(parse_sheet(text, path)).verdicts if one.verdict != LAWFUL]
    assert [f"Left out before it: `{line}`" in one.message for one in wrong] == [True]
