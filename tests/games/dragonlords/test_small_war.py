"""A whole small game typed by hand: five turns of two kings, from the first purchase to the last king."""

from pathlib import Path

from replay.sheets.adjudicate import judge
from replay.sheets.scoresheet import load_sheet

SHEET = Path(__file__).parents[3] / "fixtures" / "dragonlords" / "land" / "small_war.score"


def test_a_small_war_typed_by_hand_is_lawful_to_its_end() -> None:
    """Purchase, march through empty land, battles, retreat, income, reinforcement, and a king who falls (QD-4.1, QD-22.2)."""
    judged = judge(load_sheet(SHEET))
    assert judged.report.ok
    assert len(judged.report.verdicts) == 45
    ended = judged.told[-1].decision.after.state.ended
    assert ended is not None
    assert (ended.winners, ended.how) == (("orc",), "kings")


def test_one_slip_in_a_small_war_is_found_at_its_line(tmp_path: Path) -> None:
    """A die too many in the third turn is the one unlawful line (QD-10.6)."""
    text = SHEET.read_text(encoding="utf-8")
    slipped = text.replace("dice: 2 6 3\n", "dice: 2 6 3 1\n")
    assert slipped != text
    (tmp_path / "small_war.toml").write_bytes(SHEET.with_suffix(".toml").read_bytes())
    sheet = tmp_path / "small_war.score"
    sheet.write_text(slipped, encoding="utf-8")
    judged = judge(load_sheet(sheet))
    wrong = [one for one in judged.report.verdicts if one.verdict != "lawful"]
    assert [(one.text, one.verdict) for one in wrong] == [("dice: 2 6 3 1", "unlawful")]
    assert "QD-10.6" in wrong[0].sections
