"""Questions to the log: `query` and `sql`."""

import csv
import io
from typing import Any


def test_every_question_is_listed_with_its_parameters(shell: Any) -> None:
    """Without a name, `query` says what can be asked."""
    held = {each["name"]: each for each in shell("query", "--json").json["questions"]}
    assert held["faces_per_die"]["question"].endswith("?")
    assert "--param die=-" in shell("query").out


def test_a_question_is_put_to_the_own_store(shell: Any, game: str) -> None:
    """One throw of 1 2: one 1 and one 2 among two dice."""
    shell("roll", "g", "1", "2")
    rows = shell("query", "faces_per_die", "--json").json["rows"]
    assert {row["face"]: row["fell"] for row in rows if row["fell"]} == {"1": 1, "2": 1}


def test_a_question_is_put_to_files(shell: Any, game: str) -> None:
    """A file asked is read alone, whatever the store holds."""
    shell("export", "g")
    told = shell("query", "longest_games", "g.jsonl", "--param", "most=1", "--json")
    assert len(told.json["rows"]) == 1


def test_free_sql_reads_and_never_writes(shell: Any, game: str) -> None:
    """A SELECT is answered; anything that would write or reach out is refused in a sentence."""
    told = shell("sql", "SELECT count(*) AS n FROM entries", "--json").json
    assert told["rows"] == [{"n": 4}]
    for text in ("DROP TABLE entries", "COPY entries TO 'x.csv'", "SELECT * FROM 'store.db'", "SELEKT 1", ""):
        assert shell("sql", text).code == 2


def test_an_answer_is_written_as_csv(shell: Any, game: str) -> None:
    """A line of column names, then the rows."""
    out = shell("sql", "SELECT id, seat FROM entries ORDER BY id", "--csv").out
    assert list(csv.reader(io.StringIO(out)))[:3] == [["id", "seat"], ["1", "arbiter"], ["2", "red"]]


def test_an_answer_is_cut_at_the_rows_allowed_and_says_so(shell: Any, game: str) -> None:
    """--rows 2 of four."""
    ran = shell("sql", "SELECT id FROM entries", "--rows", "2")
    assert "2 rows" in ran.out
    assert "There are more rows" in ran.err
    assert shell("sql", "SELECT id FROM entries", "--rows", "2", "--json").json["cut"]


def test_what_is_sealed_stays_sealed_unless_openings_are_asked_for(shell: Any, game: str) -> None:
    """Without --openings red's bid is a sealed command, with --as red it is open."""
    ask = "SELECT command FROM entries WHERE id = 2"
    assert shell("sql", ask, "--json").json["rows"] == [{"command": "Sealed"}]
    assert shell("sql", ask, "--as", "blue", "--json").json["rows"] == [{"command": "Sealed"}]
    assert shell("sql", ask, "--as", "red", "--json").json["rows"] == [{"command": "Bid"}]


def test_a_question_that_is_not_there_is_told_with_the_near_ones(shell: Any, game: str) -> None:
    """Exit code 2; so is a parameter that the question does not have, or one of another kind."""
    ran = shell("query", "faces_per_dice")
    assert ran.code == 2
    assert "faces_per_die" in ran.err
    assert shell("query", "longest_games", "--param", "moost=1").code == 2
    assert shell("query", "longest_games", "--param", "most=many").code == 2


def test_the_tables_are_listed_with_what_each_column_holds(shell: Any) -> None:
    """Who writes SQL needs the names."""
    told = shell("sql", "--tables", "--json").json["tables"]
    assert {"games", "seats", "entries", "facts", "rolls", "battles"} <= set(told)
    assert all(column["meaning"] for columns in told.values() for column in columns)
