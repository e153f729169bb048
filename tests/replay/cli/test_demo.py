"""`make demo`: the rulebook's own battles, judged (W8 to W12)."""

import shutil
from pathlib import Path
from typing import Any

import pytest

from replay import demo


def test_the_demo_comes_out_as_expected(capsys: pytest.CaptureFixture[str]) -> None:
    """W8, W9, W10 and W12 are lawful with every claim right; W11 has one finding, under QD-10.7 and QD-X6; the demo then exits 0."""
    assert demo.main() == 0
    out = capsys.readouterr().out
    assert out.count("All ") == 4
    assert out.count("unlawful  [QD-10.7, QD-X6]") == 1
    assert "As expected" in out


@pytest.mark.parametrize(
    ("name", "before", "after"),
    (
        ("w8", "dice: 5 5 6 3", "dice: 5 5 6 3 1"),
        ("w8", "barbarian loses 1, orc loses 2", "barbarian loses 1, orc loses 1"),
        ("w9", "ships C3 2", "ships C3 1"),
        ("w11", "dice: 6 2 4", "dice: 6 2"),
        ("w12", "game", "gmae"),
    ),
)
def test_the_demo_fails_when_a_verdict_is_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any, name: str, before: str, after: str
) -> None:
    """A lawful battle with a slip, or W11 without its die too many: exit code 1, and which battle it is."""
    folder = tmp_path / "rulebook"
    shutil.copytree(demo.FOLDER, folder)
    for path in folder.glob(f"{name}.*"):
        path.write_text(path.read_text().replace(before, after))
    monkeypatch.setattr(demo, "FOLDER", folder)
    assert demo.main() == 1
    assert f"Not as expected: {name} " in capsys.readouterr().out


def test_the_command_line_judges_the_battles_alike(shell: Any) -> None:
    """`adjudicate` exits 0 on W8 and 1 on W11, whose one verdict that is not lawful cites QD-10.7 and QD-X6."""
    for name, code in demo.EXPECTED.items():
        assert shell("adjudicate", str(demo.FOLDER / f"{name}.score")).code == code
    verdicts = shell("adjudicate", str(demo.FOLDER / "w11.score"), "--json").json["verdicts"]
    (wrong,) = [each for each in verdicts if each["verdict"] != "lawful"]
    assert (wrong["verdict"], wrong["sections"]) == ("unlawful", ["QD-10.7", "QD-X6"])
    assert {"line", "expected", "recorded", "alternatives"} <= set(wrong)
