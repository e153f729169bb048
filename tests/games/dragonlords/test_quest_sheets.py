"""Turns in the Wastelands as a table writes them down: lawful, and one slip in each is found (QD-6, QD-8, QD-9)."""

from pathlib import Path

import pytest

from replay.sheets.adjudicate import adjudicate, judge
from replay.sheets.position import check_position, load_position
from replay.sheets.scoresheet import load_sheet, parse_sheet, write_sheet
from replay.sheets.verdicts import Report

QUESTS = Path(__file__).parents[3] / "fixtures" / "dragonlords" / "quests"
SHEETS = ("evening", "lair", "sentinel", "spider")


def told(name: str, old: str, new: str) -> Report:
    """Return the report on a sheet in which one line reads otherwise."""
    text = (QUESTS / f"{name}.score").read_text(encoding="utf-8")
    assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {name}"
    return adjudicate(parse_sheet(text.replace(old, new), QUESTS / f"{name}.score"))


def test_every_sheet_of_quests_is_judged() -> None:
    """No sheet lies in the folder that is not tried here."""
    assert {path.stem for path in QUESTS.glob("*.score")} == set(SHEETS)


@pytest.mark.parametrize("name", SHEETS)
def test_a_turn_of_quests_is_lawful_and_its_claims_are_right(name: str) -> None:
    """W6 and W15, a card with its spider, witches and lair, a party against a party (QD-6.10, QD-9.1, QD-9.2)."""
    assert check_position(load_position(QUESTS / f"{name}.toml")) == ()
    report = adjudicate(load_sheet(QUESTS / f"{name}.score"))
    assert [one for one in report.verdicts if one.verdict != "lawful"] == []
    assert report.ok


@pytest.mark.parametrize("name", SHEETS)
def test_a_turn_of_quests_written_from_its_log_is_the_same_turn(name: str) -> None:
    """Cards, items and dice of every kind survive being written down and read again (QD-6.10, QD-9.2)."""
    judged = judge(load_sheet(QUESTS / f"{name}.score"))
    again = judge(parse_sheet(write_sheet(judged.rules, judged.entries("2026-01-01T00:00:00Z"))))
    assert [one.command for one in again.told[1:]] == [one.command for one in judged.told[1:]]
    assert [one.facts for one in again.told[1:]] == [one.facts for one in judged.told[1:]]


@pytest.mark.parametrize(
    ("name", "old", "new", "verdict", "section"),
    (
        ("evening", "travel to WT05", "travel to WT06.orc", "unlawful", "QD-6.2"),
        ("evening", "dice: 4 9 10  ", "dice: 4 9 10 1  ", "unlawful", "QD-9.3"),
        ("evening", "cure potion", "cure orc.wizard.1", "unlawful", "QD-9.3"),
        ("evening", "gold OR_k 19", "gold OR_k 20", "miscounted", "QD-6.11"),
        ("evening", "from AL_s with 4 taking", "from AL_s with 6 taking", "unlawful", "QD-6.1"),
        ("evening", "taking 1 torch", "taking 1 elixir", "unlawful", "QD-6.1"),
        ("evening", "send party from AL_s", "send party from OR_k", "unlawful", "QD-6.1"),
        ("evening", "elf loses 2, orc loses 1", "elf loses 2, orc loses 2", "miscounted", "QD-10.6"),
        ("evening", "1 torch, 1 dragonorb in WB05", "1 torch in WB05", "miscounted", "QD-X70"),
        ("lair", "travel to WT12", "travel to WT05", "lawful", ""),
        ("lair", "face dragon", "consult gods", "unlawful", "QD-6.9"),
        ("lair", "throw lightning by", "throw fireball by", "unlawful", "QD-15.2"),
        ("lair", "put treasure in OR_k", "put treasure in SC_n", "unlawful", "QD-6.11"),
        ("lair", "buy item potion 2", "buy item torch 2", "unlawful", "QD-6.7"),
        ("lair", "buy item potion 2", "buy item potion 10", "unlawful", "QD-6.7"),
        ("lair", "spells orc.wizard.2 teleport", "spells orc.wizard.2 hope", "miscounted", "QD-14.4"),
        ("sentinel", "dice: 1 2 3 4 5 6", "dice: 1 2 3 4 5", "unlawful", "QD-6.14"),
        ("sentinel", "orc loses 4", "orc loses 3", "miscounted", "QD-H33"),
        ("sentinel", "card: legion", "card: excalibur", "unlawful", "LS-4.3"),
        ("spider", "dice: 3 ", "dice: 11 ", "unlawful", "LS-4.2"),
    ),
)  # fmt: skip
def test_one_slip_in_a_turn_of_quests_is_found_with_its_section(
    name: str, old: str, new: str, verdict: str, section: str
) -> None:
    """The first line that is not right is found, and which rule says so."""
    found = [one for one in told(name, old, new).verdicts if one.verdict not in ("lawful", "unknowable")]
    if verdict == "lawful":
        assert all(new not in one.text for one in found), "another way that the roll leads is as lawful"
    else:
        assert any(one.verdict == verdict and section in one.sections for one in found), found


def test_a_wrong_claim_of_items_says_which_there_are() -> None:
    """Silver chips lie open, so what a party has can be claimed (QD-8.1, QD-X70)."""
    (slip,) = [
        one
        for one in told("evening", "1 torch, 1 dragonorb in WB05", "2 torch in WB05").verdicts
        if one.verdict != "lawful"
    ]
    assert slip.expected == "items orc 1 torch, 1 dragonorb in WB05"
