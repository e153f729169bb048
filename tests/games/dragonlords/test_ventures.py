"""Ventures on record: every stage of a quest, whole and lawful, and as much as anybody may see of it (QD-6, QD-8, QD-9)."""

from pathlib import Path

import pytest

from core.games.dragonlords import RULES
from events.jsonl import read_log
from replay.verifying.verify import verify_log
from tests.games.dragonlords.ventures import RECORDS, drawn, marks, owed, unseen

LOGS = sorted(RECORDS.glob("*.jsonl"))


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
def test_a_recorded_venture_is_whole_and_lawful(path: Path) -> None:
    """Each entry is decided again and tells what is on record (QD-6.10, QD-9.2)."""
    log = read_log(path)
    assert log.torn is None
    report = verify_log(RULES, log.lines, log.openings, log.head, all=True)
    assert report.whole.ok, report.whole
    assert report.lawful.ok, report.lawful
    assert set(report.grades) == {"same"}


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
def test_the_public_lines_of_a_venture_can_be_judged_as_far_as_they_say(path: Path) -> None:
    """Without the openings nothing is found wrong: which treasure was picked cannot be known (QD-6.11, QD-H42)."""
    log = read_log(path)
    report = verify_log(RULES, log.lines, (), log.head, all=True)
    assert report.whole.ok
    assert report.lawful.ok is not False, report.lawful


def test_the_records_stop_at_every_question_of_a_quest() -> None:
    """Each command, fact and stage of the chapters on quests stands in a record; if one is new, record them anew."""
    shown: set[str] = set()
    for path in LOGS:
        log = read_log(path)
        shown |= marks(RULES.codec.decode(line) for line in log.lines)
        # What is sealed stands beside the lines.
        shown |= marks(
            RULES.codec.reveal(RULES.codec.decode(line), [one for one in log.openings if one.entry == number])
            for number, line in enumerate(log.lines, start=1)
        )
    assert owed() - shown == set(), "run `python -m tests.games.dragonlords.ventures`"


@pytest.mark.parametrize("make", (drawn, unseen))
def test_a_venture_is_the_same_whenever_it_is_played(make: object) -> None:
    """The seed says all, so the records can be made anew (QD-6.10)."""
    assert callable(make)
    first, second = make(5), make(5)
    assert [told.line for told in first.log] == [told.line for told in second.log]
