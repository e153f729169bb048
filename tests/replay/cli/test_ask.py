"""Questions to the log: `query` and `sql`."""

import csv
import io
from pathlib import Path
from typing import Any

import pytest


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


# games by name


@pytest.fixture
def two(shell: Any, game: str) -> None:
    """A second game in the store, which two play and nobody has moved in; the first is a file, too."""
    assert shell("new", "--game", "skirmish", "--seats", "red,blue", "--name", "other").code == 0
    shell("export", "g")


GAMES = "SELECT id, entries FROM games ORDER BY id"


@pytest.mark.parametrize("where", ("store.db", "folder"))
def test_a_game_of_the_store_is_asked_by_its_name(
    shell: Any, game: str, two: None, where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It alone is read, in a store of either kind, by `sql`, by `query` and by `audit`."""
    if where == "folder":
        monkeypatch.setenv("LAWSPEAKER_STORE", where)
        for name in ("g", "other"):
            assert shell("new", "--game", "skirmish", "--seats", "red,blue", "--name", name).code == 0
    assert [row["id"] for row in shell("sql", GAMES, "other", "--json").json["rows"]] == ["other"]
    assert [row["game"] for row in shell("query", "longest_games", "g", "--json").json["rows"]] == ["g"]
    assert shell("audit", "other", "--json").json["games"] == 1
    assert shell("sql", GAMES, "other", "--as", "red", "--json").json["rows"][0]["entries"] == 1


def test_games_files_and_stores_are_asked_together(shell: Any, two: None, tmp_path: Path) -> None:
    """What is named twice is read once; a game that a file holds, too, is counted once, and said so."""
    both = [{"id": "g", "entries": 4}, {"id": "other", "entries": 1}]
    told = shell("sql", GAMES, "other", "g.jsonl", "--json").json
    assert (told["rows"], "counted once" in str(told["notes"])) == (both, False)
    twice = shell("sql", GAMES, "other", "other", "store.db", "other", "--json").json
    assert (twice["rows"], "counted once" in str(twice["notes"])) == (both, False)
    assert "counted once" in shell("sql", GAMES, "g", "g.jsonl").err
    assert shell("audit", "other", "store.db", "--json").json["games"] == 2
    assert [each["name"] for each in shell("verify", "g", "other", "--json").json["games"]] == [
        "g",
        "other",
    ]


def test_tables_of_a_game_are_written_and_kept_by_its_name(shell: Any, two: None, tmp_path: Path) -> None:
    """With --parquet and --corpus as well; a corpus knows the game again when the whole store is read into it."""
    assert shell("query", "--parquet", "tables", "other").code == 0
    held = shell("sql", GAMES, "other", "--corpus", "c.corpus", "--json").json
    assert [row["id"] for row in held["rows"]] == ["other"]
    held = shell("sql", GAMES, "store.db", "--corpus", "c.corpus", "--json").json
    assert [row["id"] for row in held["rows"]] == ["g", "other"]
    assert "counted once" not in str(held["notes"])


@pytest.mark.parametrize("call", (("sql", GAMES), ("query", "longest_games"), ("audit",), ("verify",)))
def test_a_name_that_nothing_has_is_told_with_the_closest(
    shell: Any, two: None, tmp_path: Path, call: tuple[str, ...]
) -> None:
    """Games of the store and files that lie here; of several names each is told; nothing far off is guessed."""
    ran = shell(*call, "othr")
    assert (ran.code, ran.out) == (2, "")
    assert "othr: nothing of that name lies here" in ran.err
    assert "Did you mean other?" in ran.err
    assert "Did you mean g.jsonl?" in shell(*call, "G.jsonl").err
    assert "lawspeaker games" in shell(*call, "zzzzzz").err
    ran = shell(*call, "othr", "g", "./nowhere")
    assert ran.code == 2
    told = ran.err + ran.out
    assert "othr: nothing" in told
    assert "./nowhere: there is no such file or folder." in told


def test_a_game_goes_before_a_folder_of_its_name_and_that_is_said(
    shell: Any, two: None, tmp_path: Path
) -> None:
    """As for the other commands a bare name is a game; the folder is ./NAME."""
    (tmp_path / "other").mkdir()
    ran = shell("sql", GAMES, "other")
    assert "./other" in ran.err
    assert "other" in ran.out
    assert shell("sql", GAMES, "./other", "--json").json["rows"] == []


def test_a_game_in_place_of_a_question_is_told_how_to_ask(shell: Any, two: None) -> None:
    """Exit code 2; what is neither is told as an unknown question, with the nearest."""
    ran = shell("query", "other")
    assert ran.code == 2
    assert "`lawspeaker query battles other`" in ran.err
    assert "faces_per_die" in shell("query", "faces_per_dice").err


def test_a_store_that_is_missing_is_no_hindrance_to_files(
    shell: Any, two: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Files are read without it, and a game's name says that no games are kept there; a broken store likewise."""
    monkeypatch.setenv("LAWSPEAKER_STORE", "none.db")
    assert shell("sql", GAMES, "g.jsonl").code == 0
    assert "no games are kept in none.db yet" in shell("sql", GAMES, "other").err
    (tmp_path / "none.db").write_bytes(b"nonsense")
    (tmp_path / "logs").mkdir()
    assert shell("sql", GAMES, "logs").code == 0
    ran = shell("sql", GAMES, "other")
    assert ran.code == 2
    assert "none.db" in ran.err
