"""Logs of earlier days: older facts are read in today's shape, and what is stored stays as it is."""

from pathlib import Path

from core.deciding import opening
from core.folding import fold_all
from core.games.dragonlords import RULES
from core.games.dragonlords.armies import StoreTaken
from events.chain import check_chain, hash_of
from events.jsonl import read_log
from events.table import HeadMoved
from replay.questions.queries import ask
from replay.verifying.verify import verify_log

FOLDER = Path(__file__).parents[3] / "fixtures" / "dragonlords" / "older"
OLDER = FOLDER / "items_taken.jsonl"
WENT_BACK = FOLDER / "went_back.jsonl"


def test_an_older_log_holds_the_older_name_and_is_read_in_todays_shape() -> None:
    """`ItemsTaken` is what `StoreTaken` was called; the entry keeps its id (QD-H46)."""
    log = read_log(OLDER)
    entries = [RULES.codec.decode(line) for line in log.lines]
    (at,) = [entry.id for entry in entries if any(isinstance(fact, StoreTaken) for fact in entry.facts)]
    assert b'"Fact":"ItemsTaken"' in log.lines[at - 1]
    assert all(b"StoreTaken" not in line for line in log.lines)


def test_reading_an_older_log_leaves_its_chain_and_its_hash_alone() -> None:
    """What is stored is hashed and never rewritten: the log is whole up to the head it was given then."""
    log = read_log(OLDER)
    assert list(check_chain(log.lines, log.head)) == []
    assert log.head is not None
    assert log.head.hash == hash_of(log.lines[-1])


def test_an_older_log_folds_to_its_end() -> None:
    """The store that was taken is the winner's, as it was then (QD-H46, QD-22.2)."""
    log = read_log(OLDER)
    beside = {
        n: [opened for opened in log.openings if opened.entry == n] for n in range(1, len(log.lines) + 1)
    }
    entries = [
        RULES.codec.reveal(RULES.codec.decode(line), beside[n]) for n, line in enumerate(log.lines, start=1)
    ]
    moments = fold_all(opening(RULES), entries)
    (taking,) = [entry for entry in entries if any(isinstance(fact, StoreTaken) for fact in entry.facts)]
    (fact,) = [fact for fact in taking.facts if isinstance(fact, StoreTaken)]
    before, after = moments[taking.id - 1].state, moments[taking.id].state
    assert before.items[fact.loser]
    assert fact.loser not in after.items
    assert sum(after.items[fact.seat].values()) == sum(before.items.get(fact.seat, {}).values()) + sum(
        before.items[fact.loser].values()
    )
    assert moments[-1].state.ended is not None


def test_an_older_ruling_that_went_back_is_read_with_its_reason_and_is_lawful() -> None:
    """Rulings kept their reason where an arbiter's name stands; a take-back that he decided still names him (LS-5.3, LS-3.2)."""
    log = read_log(WENT_BACK)
    moves = [
        (fact.by, fact.arbiter, fact.reason, fact.learned)
        for line in log.lines
        for fact in RULES.codec.decode(line).facts
        if isinstance(fact, HeadMoved)
    ]
    assert b'"Fact":"HeadMoved","arbiter":"roll again"' in log.lines[5]
    assert moves == [
        ("arbiter", "", "roll again", ()),
        ("orc", "Ada", "the wrong dice", ("entry 7: roll",)),
    ]
    report = verify_log(RULES, log.lines, log.openings, log.head)
    assert report.ok, report
    assert report.grades == {"same": 8}


def test_the_tables_read_an_older_take_back_in_todays_shape() -> None:
    """Who counts take-backs finds those of every revision under one name."""
    rows = ask([WENT_BACK], "take_backs").rows
    assert [row[1:] for row in rows] == [
        (6, "arbiter", None, None, None, "roll again"),
        (8, "orc", None, "Ada", ["entry 7: roll"], "the wrong dice"),
    ]


def test_a_log_of_other_rules_says_so_in_plain_words() -> None:
    """Where an older log differs, `verify` says what was otherwise under its revision, and that it is not proved (QD-4.1, LS-4.5)."""
    log = read_log(OLDER)
    report = verify_log(RULES, log.lines, log.openings, log.head, all=True)
    assert report.grades == {"same": 146, "by_older_rules": 5}
    assert (report.ok, report.lawful.ok, report.fair.ok) == (False, False, None)
    assert {finding.sections for finding in report.lawful.findings} == {("QD-4.1",)}
    assert "recorded under revision 1 of the rules, in which phases 2 and 3 passed" in report.lawful.said
    assert "differs" not in report.lawful.said


def test_a_change_is_of_a_revision_that_came_and_of_sections_that_exist() -> None:
    """Each revision after the first says what it changed, and none speaks of one that is still to come (LS-2.6)."""
    changes = RULES.rulebook.change
    assert {change.revision for change in changes} == set(range(2, RULES.revision + 1))
    assert [ref for change in changes for ref in change.sections if not RULES.knows(ref)] == []
