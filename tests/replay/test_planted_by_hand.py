"""Faults planted by hand in recorded games, each in a copy of its own: found where they are, with the section that says so.

The catalogue lies in `fixtures/dragonlords/faults`; what a person reads of each is tested with the command line.
"""

from collections import Counter
from pathlib import Path

import pytest

from core.games.dragonlords import RULES
from core.kit.table import TABLE_LAW
from events.jsonl import read_log
from replay.sheets.adjudicate import adjudicate, judge
from replay.sheets.scoresheet import parse_sheet
from replay.verifying.verify import verify_log
from tests.replay.planting import (
    InLine,
    InLog,
    InSheet,
    altered,
    catalogue,
    forged,
    left,
    sheet_of,
    tampered,
)

PLANTED = (*catalogue().log, *catalogue().sheet, *catalogue().line)
GAMES = sorted({fault.game for fault in PLANTED})
CHAPTERS = {f"QD-{number}" for number in range(1, 25)} | {f"LS-{number}" for number in range(1, 7)}
"""The chapters that can be broken: good play (QD-25) forbids nothing."""


TOLERATED = ("cited_otherwise", "time")
"""What is named and makes no log unlawful: other sections for the same facts, and a clock that was set back."""


def named(fault: InLog | InSheet | InLine) -> str:
    """Return the name of a fault, for the list of tests."""
    return fault.name.replace(" ", "_")


def test_there_are_hundreds_of_faults_in_every_chapter() -> None:
    """Every chapter that forbids or tells something has faults; none is listed twice; their sections exist."""
    assert len(PLANTED) > 350
    assert len(catalogue().log) > 250
    assert [
        name for name, count in Counter(fault.name for fault in catalogue().log).items() if count > 1
    ] == []
    assert CHAPTERS - {fault.chapter for fault in PLANTED} == set()
    cited = {ref for fault in PLANTED for ref in fault.sections}
    assert [ref for ref in cited if not RULES.knows(ref) and not TABLE_LAW.knows(ref)] == []
    assert [fault.name for fault in PLANTED if not fault.recorded or not fault.expected] == []


@pytest.mark.parametrize("game", GAMES)
def test_a_recorded_game_without_a_fault_is_clean(game: str, tmp_path: Path) -> None:
    """A copy that is made as the planted ones are, with nothing planted, is whole, lawful and lawful as a sheet."""
    log = read_log(left(forged(game), tmp_path / "clean.jsonl"))
    report = verify_log(RULES, log.lines, log.openings, log.head, all=True)
    assert report.ok, (report.whole, report.lawful, report.fair)
    assert set(report.grades) == {"same"}
    assert report.whole.found == report.lawful.found == report.fair.found == 0
    if any(fault.game == game for fault in catalogue().sheet):
        judged = adjudicate(parse_sheet(sheet_of(game)))
        assert [verdict for verdict in judged.verdicts if verdict.verdict != "lawful"] == []


@pytest.mark.parametrize("fault", catalogue().log, ids=named)
def test_a_fault_in_a_log_with_a_whole_chain_is_found_by_deciding_again(fault: InLog) -> None:
    """The first finding is at its entry, of its grade, under its sections, with what is recorded and what would be right."""
    log = forged(fault.game, fault)
    report = verify_log(RULES, log.lines, log.openings, log.head, all=True)
    assert report.whole.ok, report.whole
    answer = {"whole": report.whole, "lawful": report.lawful, "fair": report.fair}[fault.question]
    first, *rest = answer.findings
    assert (first.entry, first.grade) == (fault.at or fault.entry, fault.grade)
    assert (first.sections, first.codes) == (fault.sections, fault.codes)
    assert fault.recorded in first.recorded
    assert fault.expected in first.expected
    assert first.after == 0
    alone = [finding for finding in rest if not finding.after]
    assert len(alone) == fault.others, alone
    assert all(finding.after >= first.entry for finding in rest if finding.after)
    assert len(rest) - len(alone) == fault.following, rest
    assert answer.ok is (fault.grade in TOLERATED)
    assert report.lawful.ok or fault.question == "lawful"
    assert report.first == first


@pytest.mark.parametrize("fault", catalogue().sheet, ids=named)
def test_a_fault_in_a_sheet_is_found_at_its_line(fault: InSheet) -> None:
    """The first line that is not lawful is the one that was altered; what cannot be told from it is named, nothing else."""
    text, at = altered(fault)
    report = adjudicate(parse_sheet(text))
    first, *rest = (verdict for verdict in report.verdicts if verdict.verdict != "lawful")
    assert (first.line, first.verdict) == (at, fault.verdict)
    assert (first.sections, first.codes) == (fault.sections, fault.codes)
    assert fault.recorded in first.recorded
    assert fault.expected in first.expected
    assert tuple(verdict.text for verdict in rest) == fault.others


@pytest.mark.parametrize("fault", catalogue().line, ids=named)
def test_bytes_that_were_changed_are_found_at_their_entry(fault: InLine, tmp_path: Path) -> None:
    """The chain, the head or a digest says which entry is not what it was."""
    log = read_log(tampered(fault, tmp_path / "game.jsonl"))
    report = verify_log(RULES, log.lines, log.openings, log.head, all=True)
    assert report.whole.ok is False
    first, *rest = report.whole.findings
    assert (first.entry, first.grade) == (fault.entry, fault.grade)
    assert fault.recorded in first.recorded
    assert fault.expected in first.expected
    assert len(rest) == fault.others


@pytest.mark.parametrize(
    "earlier", ("the attackers begin the third round after the first", "four Orcs cost twelve gold")
)
def test_two_faults_that_have_nothing_to_do_with_each_other_are_two(earlier: str) -> None:
    """Whether the table set the first right or went on from it: the income left out later stands by itself (QD-20.1)."""
    faults = {fault.name: fault for fault in catalogue().log}
    first, second = faults[earlier], faults["the income of the Elves is left out"]
    assert first.game == second.game
    log = forged(first.game, first, second)
    found = verify_log(RULES, log.lines, log.openings, log.head, all=True).lawful.findings
    assert [(finding.entry, finding.after) for finding in found] == [(first.entry, 0), (second.entry, 0)]


def test_what_may_follow_from_a_fault_says_from_which() -> None:
    """A die was lost (QD-10.5): what hangs on the roll names its entry, in words and as data."""
    fault = next(one for one in catalogue().log if one.name == "a die of the Orcs is lost")
    log = forged(fault.game, fault)
    report = verify_log(RULES, log.lines, log.openings, log.head, all=True)
    assert report.lawful.following == fault.following > 0
    assert [finding.after for finding in report.lawful.findings] == [0, *(fault.entry,) * fault.following]
    assert report.lawful.findings[1].words().endswith(f"(this may follow from entry {fault.entry})")


# what cannot be found


def test_a_lie_about_a_typed_die_is_as_lawful_as_the_truth() -> None:
    """Who types another face, and all that follows from it, leaves a lawful log (LS-4.5); that nothing is proved is said."""
    lie = sheet_of("rulebook/w8").replace("dice: 3 4", "dice: 3 5")
    told = judge(parse_sheet(lie.replace("dice: 2 1", "dice: 2 1 6"))).log(
        "2026-01-01T00:00:00Z", lambda *_: b""
    )
    report = verify_log(RULES, told.lines, told.openings, told.head, all=True)
    assert (report.ok, report.lawful.ok, report.fair.ok) == (True, True, None)
    assert report.fair.said == "nothing can be proved of 4 rolls: people typed what they rolled"


def test_the_same_lie_about_a_sealed_die_is_found() -> None:
    """A six that the seed gave becomes a five, which misses as well: lawful, and not what was committed to (LS-4.4)."""
    before = forged("stages/contested")
    lie = InLog(
        name="another die", chapter="LS-4", game="stages/contested", entry=13, grade="dice",
        command={"faces": [4, 1, 1, 5]}, facts={"Rolled.faces": [4, 1, 1, 5]},
    )  # fmt: skip
    after = forged(lie.game, lie)
    was, now = (verify_log(RULES, log.lines, log.openings, log.head, all=True) for log in (before, after))
    assert (was.fair.ok, now.fair.ok) == (True, False)
    assert was.lawful == now.lawful
    (found,) = now.fair.findings
    assert (found.entry, found.grade, found.sections) == (13, "dice", ("LS-4.4",))
    assert (found.recorded, found.expected) == ("answer roll (faces 4 1 1 5)", "answer roll (faces 4 1 1 6)")


def test_what_is_sealed_to_others_cannot_be_judged_without_its_opening() -> None:
    """Another treasure was found than is told: the public lines alone can't say it, the openings do (QD-6.11)."""
    fault = next(one for one in catalogue().log if one.name == "a treasure is picked that is not in the game")
    log = forged(fault.game, fault)
    public = verify_log(RULES, log.lines, (), log.head, all=True)
    assert (public.lawful.ok, public.lawful.findings) == (None, ())
    assert "cannot_be_known" in public.grades
    assert verify_log(RULES, log.lines, log.openings, log.head).lawful.ok is False
