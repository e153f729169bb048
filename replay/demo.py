"""`make demo`: the battles that a rulebook prints with every die, judged; one of them breaks the book's own rules."""

import sys
from pathlib import Path

from rich.console import RenderableType

from replay.cli.adjudicating import report_shown
from replay.cli.show import say, text
from replay.cli.trouble import DIVERGED, FINE, trouble_of
from replay.sheets.adjudicate import Report, judge
from replay.sheets.scoresheet import load_sheet
from replay.sheets.verdicts import UNLAWFUL

__all__ = ["EXPECTED", "main"]

FOLDER = Path(__file__).parent.parent / "fixtures" / "dragonlords" / "rulebook"
EXPECTED = {"w8": FINE, "w9": FINE, "w10": FINE, "w11": DIVERGED, "w12": FINE}
"""The exit code of `lawspeaker adjudicate` on each sheet: in W11 a wizard flees and is rolled for all the same."""


def main() -> int:
    """Judge the five battles, print the verdicts, and return 0 when they are exactly the expected ones, else 1."""
    wrong: list[str] = []
    for name, code in EXPECTED.items():
        path = FOLDER / f"{name}.score"
        try:
            judged = judge(load_sheet(path))
        except Exception as fault:
            told = trouble_of(fault)
            if told is None:
                raise
            say(text(told.text, "bold"), file=sys.stderr)
            wrong.append(f"{name} can't be read")
            continue
        report = judged.report
        say(text(f"lawspeaker adjudicate fixtures/dragonlords/rulebook/{path.name}", "dim"))
        say(*report_shown(report, judged.rules.rulebook), "")
        wrong += _unexpected(name, report, code)
    say(_conclusion(wrong))
    return DIVERGED if wrong else FINE


def _unexpected(name: str, report: Report, code: int) -> list[str]:
    """Return in what the verdicts on a battle are other than expected."""
    if (FINE if report.ok else DIVERGED) != code:
        return [f"{name} should {'pass' if code == FINE else 'have a finding'}"]
    found = [verdict for verdict in report.verdicts if verdict.verdict != "lawful"]
    if code == DIVERGED and [(each.verdict, each.sections) for each in found] != [
        (UNLAWFUL, ("QD-10.7", "QD-X6"))
    ]:
        return [f"{name} should have one finding, a die too many under QD-10.7 and QD-X6"]
    return []


def _conclusion(wrong: list[str]) -> RenderableType:
    if wrong:
        return text(f"Not as expected: {'; '.join(wrong)}.", "bold red")
    said = "As expected: four battles are lawful with every claim right; in one, w11, the book rolls one die too many."
    return text(said, "bold green")


if __name__ == "__main__":
    sys.exit(main())
