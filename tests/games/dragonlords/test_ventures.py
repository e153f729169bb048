"""Ventures on record: every stage of a quest (QD-6, QD-8, QD-9). That they are lawful is tested with all recordings."""

import pytest

from core.games.dragonlords import RULES
from events.jsonl import read_log
from tests.games.dragonlords.ventures import RECORDS, drawn, marks, owed, unseen

LOGS = sorted(RECORDS.glob("*.jsonl"))


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
