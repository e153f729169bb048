"""Turns at sea as a table writes them down: every line is lawful, and what is claimed has followed (QD-5, QD-11, QD-13)."""

from pathlib import Path

import pytest

from replay.sheets.adjudicate import adjudicate, judge
from replay.sheets.position import check_position, load_position
from replay.sheets.scoresheet import load_sheet, parse_sheet, write_sheet
from replay.sheets.verdicts import Report

SEA = Path(__file__).parents[3] / "fixtures" / "dragonlords" / "sea"
SHEETS = ("fire", "voyage")


def told(name: str, old: str, new: str) -> Report:
    """Return the report on a sheet in which one line reads otherwise."""
    text = (SEA / f"{name}.score").read_text(encoding="utf-8")
    assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {name}"
    return adjudicate(parse_sheet(text.replace(old, new), SEA / f"{name}.score"))


@pytest.mark.parametrize("name", SHEETS)
def test_a_turn_at_sea_is_lawful_and_its_claims_are_right(name: str) -> None:
    """Loading, sailing, landing, a battle with flight, docking; two fire attacks and the way home (QD-5.1, QD-13.1)."""
    assert check_position(load_position(SEA / f"{name}.toml")) == ()
    report = adjudicate(load_sheet(SEA / f"{name}.score"))
    assert [one for one in report.verdicts if one.verdict != "lawful"] == []
    assert report.ok


@pytest.mark.parametrize("name", SHEETS)
def test_a_turn_at_sea_written_from_its_log_is_the_same_turn(name: str) -> None:
    """Paths, ships and leaders survive being written down and read again (QD-5.1)."""
    judged = judge(load_sheet(SEA / f"{name}.score"))
    again = judge(parse_sheet(write_sheet(judged.rules, judged.entries("2026-01-01T00:00:00Z"))))
    assert [one.command for one in again.told[1:]] == [one.command for one in judged.told[1:]]
    assert [one.facts for one in again.told[1:]] == [one.facts for one in judged.told[1:]]


@pytest.mark.parametrize(
    ("name", "old", "new", "verdict", "section"),
    (
        ("voyage", "board FM_nw with 4", "board FM_nw with 5", "unlawful", "QD-5.1"),
        ("voyage", "sail C1, C2 from N2", "sail C1, C2, C3, S2, S1, W3 from N2", "unlawful", "QD-5.1"),
        ("voyage", "sail C1, C2 from N2 with 6", "sail C1, C2 from N2 with 9", "unlawful", "QD-5.1"),
        ("voyage", "land I3 with 2", "land IH_nw with 2", "unlawful", "QD-5.1"),
        ("voyage", "sail S2 from S1", "sail S2, S3 from S1", "unlawful", "QD-5.6"),
        ("voyage", "ships S2 4", "ships S2 5", "miscounted", "QD-11.5"),
        ("voyage", "ships OR_se 1", "ships OR_se 0", "miscounted", "QD-X85"),
        ("voyage", "flee elf.wizard.1 to SC_k", "flee elf.wizard.1 to N1", "unlawful", "QD-10.7"),
        ("voyage", "dice: 1 6 6 ", "dice: 1 6 6 2 ", "unlawful", "QD-10.7"),
        ("voyage", "land OR_se with 2", "land SV_sw with 2", "unlawful", "QD-19.3"),
        ("fire", "fire attack C3 ", "fire attack SV_sw ", "unlawful", "QD-13.2"),
        ("fire", "units elf SV_sw 4", "units elf SV_sw 1", "miscounted", "QD-13.1"),
        ("fire", "teleport dragonlord to C3 from OR_k", "teleport dragonlord to C2 from OR_k", "unlawful", "QD-H24"),
        ("fire", "from OR_k with 5", "from OR_k with 11", "unlawful", "QD-X10"),
        ("fire", "orc: teleport dragonlord to OR_k from S2\n", "", "miscounted", "QD-11.6"),
    ),
)  # fmt: skip
def test_one_slip_in_a_turn_at_sea_is_found_with_its_section(
    name: str, old: str, new: str, verdict: str, section: str
) -> None:
    """The first line that is not right is found, and which rule says so."""
    found = [one for one in told(name, old, new).verdicts if one.verdict not in ("lawful", "unknowable")]
    assert any(one.verdict == verdict and section in one.sections for one in found), found
