"""Judging and ruling: `adjudicate`, `verify`, `dispute`, `rule`, `correct`."""

from pathlib import Path
from typing import Any

SHEET = """\
game: skirmish
seats: red, blue
red: bid 3
blue: bid 1
red: throw at blue
dice: 1 2
claim: blue loses 2
"""


def test_a_lawful_sheet_is_judged_lawful_line_by_line(shell: Any, tmp_path: Path) -> None:
    """Exit code 0; each line has its verdict."""
    (tmp_path / "a.score").write_text(SHEET)
    ran = shell("adjudicate", "a.score", "--json")
    assert ran.code == 0
    assert [(each["line"], each["verdict"]) for each in ran.json["verdicts"]] == [
        (line, "lawful") for line in range(3, 8)
    ]
    assert "All 5 lines are lawful" in shell("adjudicate", "a.score").out


def test_an_unlawful_line_is_told_with_section_and_nearest_lawful_line(shell: Any, tmp_path: Path) -> None:
    """A bid of nine with five pebbles (TS-1.1): exit code 1, and what would have been right."""
    (tmp_path / "a.score").write_text(SHEET.replace("bid 1", "bid 9"))
    ran = shell("adjudicate", "a.score", "--json")
    assert ran.code == 1
    wrong = ran.json["verdicts"][1]
    assert (wrong["verdict"], wrong["sections"], wrong["recorded"]) == ("unlawful", ["TS-1.1"], "blue: bid 9")
    assert "blue: bid 5" in wrong["alternatives"]
    assert "Every player bids some of his pebbles in secret." in shell("adjudicate", "a.score").out


def test_a_point_under_a_verdict_tells_the_answer_in_force(shell: Any, tmp_path: Path) -> None:
    """QD-X61: not what the booklet leaves unsaid, but what it means at this table: the default, or what its sheet answers."""
    book = Path(__file__).parents[3] / "fixtures" / "dragonlords" / "rulebook"
    said = (book / "w11.score").read_text().replace("w11.toml", str(book / "w11.toml"))
    (tmp_path / "a.score").write_text(said.replace("dice: 5 3\n", "dice: 5 3 3\n"))
    told = shell("adjudicate", "a.score").out
    assert "barbarian.wizard.1 threw a spell in place of a die." in told
    assert "QD-X61 Does a spell attack replace the die?: One attack per unit and round;" in told
    assert "is not said" not in told


def test_a_claim_that_is_off_by_one_is_miscounted(shell: Any, tmp_path: Path) -> None:
    """The dice took two pebbles (TS-2.2), the table wrote three."""
    (tmp_path / "a.score").write_text(SHEET.replace("loses 2", "loses 3"))
    ran = shell("adjudicate", "a.score", "--json")
    assert ran.code == 1
    wrong = ran.json["verdicts"][-1]
    assert (wrong["verdict"], wrong["expected"], wrong["recorded"]) == (
        "miscounted",
        "blue loses 2",
        "blue loses 3",
    )


def test_a_sheet_is_read_from_stdin_too(shell: Any) -> None:
    """A dash stands for stdin; bytes that are no text are an error."""
    assert shell("adjudicate", "-", typed=SHEET).code == 0
    assert shell("adjudicate", "-", typed=b"\xff\xfe\x00").code == 2


def test_a_sheet_that_can_not_be_read_names_line_and_column(shell: Any, tmp_path: Path) -> None:
    """Exit code 2, every fault with its place, also in the object of --json."""
    (tmp_path / "a.score").write_text(SHEET.replace("red: throw", "red: thorw").replace("dice: 1", "dcie: 1"))
    ran = shell("adjudicate", "a.score", "--json")
    assert ran.code == 2
    assert [(fault["line"], fault["close"]) for fault in ran.json["faults"]] == [
        (5, ["throw"]),
        (6, ["dice"]),
    ]
    assert "a.score:5:" in ran.err


def test_a_judged_game_can_be_kept_and_looked_at(shell: Any, tmp_path: Path) -> None:
    """--keep puts it into the store as a log that verifies."""
    (tmp_path / "a.score").write_text(SHEET)
    assert shell("adjudicate", "a.score", "--keep", "kept").code == 0
    assert shell("verify", "kept").code == 0
    assert shell("show", "kept", "--json").json["state"]["pebbles"]["blue"] == 3
    assert shell("adjudicate", "a.score", "--keep", "kept").code == 1


def test_a_game_is_known_by_the_name_that_it_is_kept_by(shell: Any, tmp_path: Path) -> None:
    """Questions about the name find it, whatever the sheet was called."""
    (tmp_path / "a.score").write_text(f"{SHEET}arbiter: rule X1 = four because so\n")
    assert shell("adjudicate", "a.score", "--keep", "kept").code == 0
    assert len(shell("query", "rulings", "--param", "game=kept", "--json").json["rows"]) == 1


def test_a_dispute_that_nobody_ruled_on_is_a_verdict(shell: Any) -> None:
    """Exit code 1: the line that it stops is named, what follows is judged (LS-5.1)."""
    ran = shell("adjudicate", "-", "--json", typed=SHEET.replace("dice: 1", "blue: dispute so\ndice: 1", 1))
    assert ran.code == 1
    assert [one["codes"] for one in ran.json["verdicts"] if one["verdict"] != "lawful"] == [["disputed"]]


def test_a_log_as_played_is_whole_and_lawful(shell: Any, game: str) -> None:
    """Exit code 0; the three questions are answered apart."""
    told = shell("verify", "g", "--json").json
    assert told["ok"]
    (each,) = told["games"]
    assert (each["whole"]["ok"], each["lawful"]["ok"]) == (True, True)


def test_a_changed_entry_is_named(shell: Any, game: str, tmp_path: Path) -> None:
    """One letter of entry 4 changed: not whole, exit code 1, entry 4."""
    shell("export", "g", "--out", "g.jsonl")
    path = tmp_path / "g.jsonl"
    path.write_text(path.read_text().replace('"target":"blue"', '"target":"blud"'))
    ran = shell("verify", "g.jsonl", "--json")
    assert ran.code == 1
    assert [finding["entry"] for finding in ran.json["games"][0]["whole"]["findings"]] == [4]
    assert "entry 4" in shell("verify", "g.jsonl").out


def test_a_cut_tail_is_seen(shell: Any, game: str, tmp_path: Path) -> None:
    """The head says four entries, three are there."""
    shell("export", "g", "--out", "g.jsonl")
    path = tmp_path / "g.jsonl"
    path.write_text("".join(path.read_text().splitlines(keepends=True)[:-1]))
    ran = shell("verify", "g.jsonl", "--json")
    assert ran.code == 1
    assert ran.json["games"][0]["whole"]["findings"][0]["grade"] == "cut"


def test_a_torn_last_line_is_told_and_left_out(shell: Any, game: str, tmp_path: Path) -> None:
    """Half a command is no part of the game."""
    shell("export", "g", "--out", "g.jsonl")
    path = tmp_path / "g.jsonl"
    path.write_bytes(path.read_bytes() + b'{"half":')
    ran = shell("verify", "g.jsonl", "--json")
    assert ran.code == 0
    assert ran.json["games"][0]["torn"] == 8
    assert "never finished" in shell("verify", "g.jsonl").out


def test_a_line_after_the_last_entry_that_is_none_is_no_half_finished_one(
    shell: Any, game: str, tmp_path: Path
) -> None:
    """Somebody wrote it: the log is not whole, the line is told, and nothing is brought into a store from such a file."""
    shell("export", "g", "--out", "g.jsonl")
    path = tmp_path / "g.jsonl"
    path.write_bytes(path.read_bytes() + b"a remark\n")
    ran = shell("verify", "g.jsonl", "--json")
    assert ran.code == 1
    (told,) = ran.json["games"]
    assert "torn" not in told
    assert [told[question]["ok"] for question in ("whole", "lawful")] == [False, True]
    out = shell("verify", "g.jsonl").out
    assert "no: entry 5: unreadable: recorded line 5, 8 bytes that are no entry" in out
    assert "expected entry 5, one JSON object with its `id`, or the end of the file" in out
    assert "never finished" not in out
    brought = shell("import", "g.jsonl", "--name", "other")
    assert brought.code == 1
    assert "line 5: expected entry 5" in brought.err
    assert "other" not in shell("games").out
    noted = shell("sql", "SELECT count(*) AS n FROM entries", "g.jsonl")
    assert "line 5: expected entry 5" in noted.err
    assert "torn" not in noted.err


def test_folders_stores_and_files_are_verified_together(shell: Any, game: str, tmp_path: Path) -> None:
    """Every game is judged, one that can't be read does not hide the others, and the worst decides the exit code."""
    (tmp_path / "logs").mkdir()
    shell("export", "g", "--out", "logs/a.jsonl")
    (tmp_path / "logs" / "b.jsonl").write_text("nonsense\n")
    ran = shell("verify", "logs", "store.db", "--json")
    assert ran.code == 2
    assert {(each["name"], each["ok"]) for each in ran.json["games"]} == {
        ("a", True),
        ("b", False),
        ("g", True),
    }


def test_a_dispute_stands_until_the_arbiter_rules(shell: Any, game: str) -> None:
    """While it is open only the arbiter is asked (LS-5.1); the ruling settles it."""
    assert shell("dispute", "g", "red said green", "--seat", "red", "--at", "4").code == 0
    ran = shell("roll", "g", "1", "2")
    assert ran.code == 1
    assert shell("rule", "g", "--uphold", "--reason", "blue it was").code == 0
    assert shell("roll", "g", "1", "2").code == 0


def test_a_ruling_answers_a_point_from_then_on(shell: Any, game: str) -> None:
    """X1 is answered by four: a four takes a pebble from now on (TS-X1), a take-back does not undo it."""
    assert shell("rule", "g", "--answer", "X1=four", "--because", "2.2", "--reason", "as always").code == 0
    shell("undo", "g", "--to", "3", "--arbiter", "Anna")
    shell("play", "g", "red: throw at blue", "dice: 4 4")
    assert shell("show", "g", "--json").json["state"]["pebbles"]["blue"] == 3


def test_a_ruling_is_one_thing_with_a_reason(shell: Any, game: str) -> None:
    """Two verdicts at once, none at all, or no reason: an error; an empty reason is refused (LS-5.2)."""
    assert shell("rule", "g", "--reason", "x").code == 2
    assert shell("rule", "g", "--reason", "x", "--uphold", "--forfeit", "red").code == 2
    assert shell("rule", "g", "--uphold").code == 2
    assert shell("rule", "g", "--uphold", "--reason", " ").code == 1


def test_a_correction_sets_the_board_right(shell: Any, game: str) -> None:
    """In the words of a position, with the reason in the log (LS-6.1)."""
    assert shell("correct", "g", "pebbles blue 7", "--reason", "two lay under the table").code == 0
    assert shell("show", "g", "--json").json["state"]["pebbles"]["blue"] == 7
    ran = shell("correct", "g", "pebbels blue 7", "--reason", "x")
    assert ran.code == 2
    assert "did you mean pebbles?" in ran.err
