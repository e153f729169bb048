"""The recordings of this game: what they show together, and that each is whole, lawful and says the same again."""

from pathlib import Path

import pytest

from core.games.dragonlords import RULES
from core.kit.table import OpenGame
from events.jsonl import read_log
from replay.sheets.adjudicate import judge
from replay.sheets.scoresheet import parse_sheet, write_sheet
from replay.sheets.writing import write_line
from replay.verifying.verify import verify_log
from tests.driver import Table
from tests.games.dragonlords.goldens import MADE, SHEETS, made_from
from tests.games.dragonlords.recorded import FOLDER, LOGS, due, entries_of, last_state, moments_of, shown
from tests.games.dragonlords.test_refusals import asserted

EXCUSED = {
    "section QD-2.4": "mines are worth more on the board; no fact names a single territory of an income",
    "section QD-2.8": "the Wastelands are data of the board",
    "section QD-5.5": "that a king may be teleported forbids nothing and adds nothing to the fact that he was",
    "section QD-9.5": "that battles between players are fought with D6 is said by each roll",
    "section QD-11.3": "what is not asked at sea leaves no trace in a log",
    "section QD-14.7": "what is not asked at sea leaves no trace in a log",
}
"""What no recording shows, and why none can."""
UNSAYABLE = {"consented", "contested", "awarded", "drawn"}
"""Games with acts of the table that a scoresheet has no words for: taking back, calling off, revealing a seed."""
OVERLOOKED = {"contested"}
"""Games with one act that the rules forbid and the table overlooked."""
NAMES = [str(path.relative_to(FOLDER).with_suffix("")) for path in LOGS]
named = pytest.mark.parametrize("path", LOGS, ids=NAMES)


def test_the_recordings_show_all_that_the_code_can_do() -> None:
    """Each command, fact, stage of a step, question, section, card, monster, scroll and treasure, and each ending (QD-22.2)."""
    refused = {f"section {ref}" for _, ref in asserted()}
    unwritten = {f"section {section.id}" for section in RULES.rulebook.section if section.not_enforced}
    missing = due() - shown() - unwritten - refused - EXCUSED.keys()
    assert missing == set(), (
        "record a game that shows it: write a sheet, then `python -m tests.games.dragonlords.goldens`"
    )


def test_nothing_is_excused_that_is_shown() -> None:
    """A reason that has become idle is struck out."""
    assert EXCUSED.keys() & shown() == set()
    assert EXCUSED.keys() <= due()


def test_every_log_is_made_from_a_sheet_or_by_code() -> None:
    """No log lies there that nobody could make anew, and none is missing."""
    written = {str(path.relative_to(FOLDER).with_suffix("")) for path in SHEETS}
    kept = {name for name in NAMES if name.startswith(("endings/", "stages/"))}
    assert kept == written | MADE.keys()


@named
def test_a_recording_folds_to_the_state_that_is_kept_beside_it(path: Path) -> None:
    """The last state is stored in full, so a rule that comes to mean something else is seen (QD-22.2)."""
    last = moments_of(entries_of(path))[-1]
    assert last_state(last) == path.with_suffix(".state.json").read_bytes()


@named
def test_a_recording_decided_again_gives_the_same_bytes(path: Path) -> None:
    """Each command, decided on the state before it, tells the facts on record, in the same line (QD-4.1)."""
    log, table = read_log(path), Table(RULES)
    for entry in entries_of(path):
        overlook = any(type(fact).__name__ == "Overlooked" for fact in entry.facts)
        table.when(entry.seat, entry.command, overlook=overlook)
        assert not table.reasons, f"entry {entry.id} is refused now: {table.reasons}"
    assert [told.line for told in table.log] == list(log.lines)
    assert [opening for told in table.log for opening in told.openings] == list(log.openings)


@named
def test_a_recording_is_whole_and_lawful(path: Path) -> None:
    """The chain, the head and every entry verify, and so do the public lines alone, as far as they say (QD-3.5)."""
    log = read_log(path)
    assert log.torn is None
    report = verify_log(RULES, log.lines, log.openings, log.head, all=True)
    assert report.whole.ok, report.whole
    assert report.fair.ok is not False, report.fair
    if path.stem in OVERLOOKED:
        assert report.grades == {"same": len(log.lines) - 1, "overlooked": 1}
        return
    assert report.lawful.ok, report.lawful
    assert set(report.grades) == {"same"}
    public = verify_log(RULES, log.lines, (), log.head, all=True)
    assert public.whole.ok
    assert public.lawful.ok is not False, public.lawful


@named
def test_a_scoresheet_written_from_a_recording_says_the_same_game(path: Path) -> None:
    """Commands and dice survive being written and read again, and tell the same facts."""
    entries = entries_of(path)
    if path.stem in UNSAYABLE:
        assert any(write_line(RULES, entry.seat, entry.command) is None for entry in entries[1:])
        return
    judged = judge(parse_sheet(write_sheet(RULES, entries)))
    assert [one for one in judged.report.verdicts if one.verdict not in ("lawful", "unknowable")] == []
    assert [told.command for told in judged.told[1:]] == [entry.command for entry in entries[1:]]
    assert [told.decision.facts for told in judged.told[1:]] == [entry.facts for entry in entries[1:]]


@pytest.mark.parametrize("sheet", SHEETS, ids=[sheet.stem for sheet in SHEETS])
def test_a_log_is_what_its_sheet_says(sheet: Path) -> None:
    """The sheet is lawful, its claims are right, and the log beside it is made from it."""
    lines = [told.line for told in made_from(sheet).log]
    assert lines == list(read_log(sheet.with_suffix(".jsonl")).lines)


@pytest.mark.parametrize(
    "path", [path for path in LOGS if path.parent.name in ("endings", "stages")], ids=lambda p: p.stem
)
def test_a_recording_written_by_hand_has_a_title(path: Path) -> None:
    """Whoever lists the recordings sees what each shows."""
    opening = entries_of(path)[0].command
    assert isinstance(opening, OpenGame)
    assert len(opening.title) > 10


@pytest.mark.parametrize("name", sorted(MADE))
def test_a_game_that_is_made_by_code_is_the_same_whenever_it_is_made(name: str) -> None:
    """So it can be recorded anew."""
    assert [told.line for told in MADE[name]().log] == list(read_log(FOLDER / f"{name}.jsonl").lines)
