"""What the program says: about taken-back entries, rulings, faults in what was typed, and counts."""

from pathlib import Path
from typing import Any

import pytest

from core.games.dragonlords import RULES
from core.kit.table import CallOff, RevealSeed
from events.counting import plural
from replay.words.wording import command_words
from tests.replay.cli.test_judge import SHEET


def test_what_was_taken_back_is_marked_in_text(shell: Any, game: str) -> None:
    """Without colours the strike is not seen; the words stand beside that entry, and beside no other."""
    shell("undo", "g", "--agreed", "blue")
    for more in ((), ("--facts",)):
        marked = [line for line in shell("log", "g", *more).out.splitlines() if "taken back" in line]
        assert [line.split()[0] for line in marked if line.split()[0].isdecimal()] == ["4"]


def test_a_ruling_to_go_back_says_so_in_words(shell: Any, game: str) -> None:
    """Where to, why and on which dispute; its reason does not stand where a name would."""
    assert shell("dispute", "g", "no", "--seat", "red").code == 0
    out = shell("rule", "g", "--back-to", "3", "--because", "2.2", "--reason", "red looked").out
    assert "arbiter: go back to entry 3, on dispute 5 under TS-2.2 because red looked" in out
    assert "ruled: go back to entry 3, on dispute 5, because red looked" in out
    assert "head moved: by arbiter, learned entry 4: act of red  [LS-5.3]" in out


def test_a_ruling_on_no_dispute_names_none(shell: Any, game: str) -> None:
    """Nobody disputed anything: no `on 0`."""
    out = shell("rule", "g", "--uphold", "--reason", "so").out
    assert "arbiter: uphold because so" in out
    assert "on 0" not in out


def test_a_fault_in_a_typed_move_says_that_it_counts_columns(shell: Any, game: str) -> None:
    """`column 7: ...`; a bare number says nothing."""
    ran = shell("play", "g", "red: throw sideways")
    assert ran.code == 2
    assert "column " in ran.err
    assert not any(part.split(":")[0].strip().isdecimal() for part in ran.err.split("sideways: ")[1:])


@pytest.mark.parametrize("form", ((), ("--json",)))
def test_bytes_and_endless_words_are_not_echoed_as_they_are(
    shell: Any, game: str, form: tuple[str, ...]
) -> None:
    """Control characters and what is no text are escaped, thousands of characters are cut."""
    ran = shell("play", "g", "red: thr\x1b[2Jow \udcff" + "x" * 50_000, *form)
    assert ran.code == 2
    assert "\x1b" not in ran.out + ran.err
    assert len(ran.err) < 4_000


def test_dice_that_nobody_asked_for_are_told_in_words(shell: Any, game: str) -> None:
    """No sentence is about a person called chance."""
    shell("roll", "g", "1", "2")
    ran = shell("play", "g", "dice: 1 2")
    assert ran.code == 1
    assert "No dice and no card are asked for now" in ran.err
    assert "chance is" not in ran.err


@pytest.mark.parametrize(
    ("lines", "said"), ((2, "There is nothing to judge"), (3, "The one line is lawful."), (4, "All 2 lines"))
)
def test_short_sheets_are_summed_up_in_english(shell: Any, tmp_path: Path, lines: int, said: str) -> None:
    """No line, one line, two lines."""
    (tmp_path / "a.score").write_text("".join(SHEET.splitlines(keepends=True)[:lines]))
    assert said in shell("adjudicate", "a.score").out


def test_during_a_dispute_only_the_arbiter_is_expected(shell: Any, tmp_path: Path) -> None:
    """An act on a sheet while a dispute is open: what was expected is a ruling, not the question that waits (LS-5.1)."""
    sheet = SHEET.replace("dice: 1 2\nclaim: blue loses 2\n", "blue: dispute no\ndice: 1 2\n")
    (tmp_path / "a.score").write_text(sheet)
    told = shell("adjudicate", "a.score", "--json").json["verdicts"][-1]
    assert told["verdict"] == "unlawful"
    assert told["expected"].startswith("arbiter: a ruling on the dispute of entry 4")


def test_verify_names_only_the_fields_that_differ(shell: Any, game: str, tmp_path: Path) -> None:
    """Blue lost two pebbles; the log says one: whose, recorded and expected, in words."""
    shell("roll", "g", "1", "2")
    shell("export", "g", "--out", "g.jsonl")
    path = tmp_path / "g.jsonl"
    text = path.read_text()
    assert '"count":2' in text.splitlines()[4]
    path.write_text(
        text.replace(
            '"Fact":"PebblesLost","because":["TS-2.2"],"count":2',
            '"Fact":"PebblesLost","because":["TS-2.2"],"count":1',
        )
    )
    finding = shell("verify", "g.jsonl", "--all", "--json").json["games"][0]["lawful"]["findings"][0]
    assert (finding["recorded"], finding["expected"]) == (
        "pebbles lost (seat blue, count 1)",
        "pebbles lost (seat blue, count 2)",
    )


def test_an_empty_log_beside_a_head_says_what_is_wrong(shell: Any, game: str, tmp_path: Path) -> None:
    """The head says four entries, the file holds none."""
    shell("export", "g", "--out", "g.jsonl")
    (tmp_path / "g.jsonl").write_text("")
    for call in (("show", "g.jsonl"), ("import", "g.jsonl", "--name", "h"), ("verify", "g.jsonl")):
        ran = shell(*call)
        assert ran.code == 2 if call[0] != "verify" else ran.code in (1, 2)
        assert "4" in ran.err + ran.out


def test_counts_agree_with_what_is_counted() -> None:
    """One entry, two entries."""
    assert [plural(n, "entry") for n in (0, 1, 2)] == ["0 entries", "1 entry", "2 entries"]
    assert plural(2, "way") == "2 ways"


def test_questions_are_listed_with_their_remarks_and_values(shell: Any) -> None:
    """What a question remarks, and its parameters as a person writes them (`-` for any)."""
    from replay.questions.queries import questions

    out = shell("query").out
    for each in questions():
        assert each.remarks in out
        for parameter in each.parameters:
            assert f"--param {parameter.name}={parameter.shown}" in out


def test_the_logs_are_written_as_parquet(shell: Any, game: str, tmp_path: Path) -> None:
    """Every table is a file; the same logs named or found in the store."""
    told = shell("query", "--parquet", "tables", "--json").json
    assert (tmp_path / "tables" / "entries.parquet").is_file()
    assert len(told["files"]) == len(list((tmp_path / "tables").glob("*.parquet")))
    assert shell("query", "--parquet", "more", "store.db").code == 0
    assert shell("query", "--parquet", "more", "nowhere.db").code == 2


def test_who_runs_out_of_time_is_told_the_option(shell: Any, game: str) -> None:
    """Allow more time: with --seconds."""
    ran = shell("sql", "SELECT count(*) FROM range(100000) a, range(100000) b", "--seconds", "0.1")
    assert ran.code == 2
    assert "--seconds N" in ran.err


def test_what_the_table_does_names_its_verb_once() -> None:
    """Also of commands that no sheet has a line for; a field that the verb names already is not named again."""
    told = {
        command_words(RULES, "arbiter", RevealSeed("5eed")): "arbiter: reveal seed 5eed",
        command_words(
            RULES, "arbiter", CallOff("time is up", ("orc",))
        ): "arbiter: call off, reason time is up, winners orc",
    }
    assert list(told) == list(told.values())
