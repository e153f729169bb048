"""Free SQL may read the logs and nothing else: no file, no network, no setting, no writing, and within its limits."""

import contextlib
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from replay.questions.queries import BadQuestion, Corpus, Damaged, Limits, sql
from tests.replay.questions.logbook import Logbook

SECRET = "the king is in the tower"


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    """Return a file that nobody who asks may read, under every name that might be tried."""
    for name in ("secret.csv", "secret.json", "secret.txt"):
        (tmp_path / name).write_text(f"{SECRET}\n", encoding="utf-8")
    return tmp_path / "secret.csv"


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Corpus]:
    """Return one small corpus for all who only ask; that it lasts is a test of its own."""
    path = Logbook().roll("red", 2, 3).roll("blue", "skull", die="bone").put(tmp_path_factory.mktemp("logs"))
    with Corpus([path]) as held:
        yield held


READING = (
    "SELECT * FROM read_csv('{file}')",
    "SELECT * FROM read_text('{file}')",
    "SELECT * FROM read_blob('{file}')",
    "SELECT * FROM read_json('{file}')",
    "SELECT * FROM read_parquet('{file}')",
    "SELECT * FROM parquet_metadata('{file}')",
    "SELECT * FROM sniff_csv('{file}')",
    "SELECT * FROM glob('{folder}/*')",
    "SELECT * FROM '{file}'",
    'SELECT * FROM "{file}"',
    "FROM '{folder}/secret.*'",
    "DESCRIBE SELECT * FROM '{file}'",
    "DESCRIBE '{file}'",
    "SUMMARIZE '{file}'",
    "SELECT (SELECT content FROM read_text('{file}'))",
    "WITH a AS MATERIALIZED (FROM read_text('{file}')) SELECT * FROM a",
    "SELECT * FROM games, LATERAL (FROM read_text('{file}'))",
    "SELECT 1 WHERE EXISTS (FROM read_text('{file}'))",
    "SELECT * FROM query('FROM read_text(''{file}'')')",
    "SELECT * FROM query_table('{file}')",
    "SELECT * FROM json_execute_serialized_sql(json_serialize_sql('FROM read_text(''{file}'')'))",
    "EXPLAIN ANALYZE SELECT * FROM read_text('{file}')",
    "EXPLAIN SELECT * FROM read_csv('{file}')",
    "SELECT * FROM sqlite_scan('{file}', 'entries')",
    "SELECT * FROM 'https://example.com/a.csv'",
    "SELECT getenv('HOME')",
    "FROM duckdb_secrets()",
    "FROM which_secret('{file}', 's3')",
    "FROM arrow_scan(0::UBIGINT::POINTER, 0::UBIGINT::POINTER, 0::UBIGINT::POINTER)",
    "FROM pandas_scan(1)",
    "FROM python_map_function(1)",
    "FROM duckdb_settings()",
)
WRITING = (
    "COPY games TO '{folder}/out.csv'",
    "COPY (SELECT 1) TO '{folder}/out.parquet' (FORMAT parquet)",
    "COPY games FROM '{file}'",
    "EXPLAIN ANALYZE COPY (SELECT 1) TO '{folder}/out.csv'",
    "EXPLAIN COPY (SELECT 1) TO '{folder}/out.csv'",
    "/* SELECT */ EXPLAIN -- so\n ANALYZE INSERT INTO games (id) VALUES ('x')",
    "EXPLAIN (FORMAT json) DELETE FROM games",
    "EXPORT DATABASE '{folder}/out'",
    "IMPORT DATABASE '{folder}'",
    "ATTACH '{folder}/out.db'",
    "ATTACH '{folder}/out.db' AS other (TYPE sqlite)",
    "DETACH memory",
    "USE memory",
    "INSTALL httpfs",
    "LOAD httpfs",
    "LOAD '{folder}/x.duckdb_extension'",
    "SET enable_external_access = true",
    "SET memory_limit = '100GB'",
    "SET lock_configuration = false",
    "RESET memory_limit",
    "PRAGMA enable_external_access",
    "PRAGMA version",
    "PRAGMA database_list",
    "CALL pragma_version()",
    "CALL enable_logging('QueryLog', storage = 'file', storage_config = {{'path': '{folder}/out'}})",
    "FROM enable_logging('QueryLog', storage = 'file', storage_config = {{'path': '{folder}/out'}})",
    "SELECT * FROM enable_profiling()",
    "SELECT * FROM checkpoint()",
    "CREATE TABLE mine (a INT)",
    "CREATE OR REPLACE TABLE games AS SELECT 1",
    "CREATE MACRO f(a) AS a",
    "CREATE SECRET s (TYPE s3)",
    "INSERT INTO games (id) VALUES ('x')",
    "WITH a AS (INSERT INTO games (id) VALUES ('x') RETURNING id) SELECT * FROM a",
    "WITH a AS (DELETE FROM games RETURNING id) SELECT * FROM a",
    "UPDATE games SET id = 'x'",
    "DELETE FROM games",
    "DROP TABLE games",
    "ALTER TABLE games ADD COLUMN a INT",
    "TRUNCATE games",
    "VACUUM",
    "CHECKPOINT",
    "BEGIN",
    "COMMIT",
    "ROLLBACK",
    "PREPARE a AS SELECT 1",
    "EXECUTE a",
    "SELECT 1; DROP TABLE games",
    "SELECT 1; SELECT 2",
    "SELECT nextval('s')",
)


@pytest.mark.parametrize("text", (*READING, *WRITING))
def test_what_reaches_beyond_the_logs_is_refused_with_a_sentence(
    corpus: Corpus, secret: Path, text: str
) -> None:
    """Files, settings, pointers, second statements, writing in any disguise: a sentence, and nothing happened."""
    before = {path.name for path in secret.parent.iterdir()}
    with pytest.raises(BadQuestion) as fault:
        corpus.sql(text.format(file=secret, folder=secret.parent))
    assert SECRET not in str(fault.value)
    assert "Traceback" not in str(fault.value)
    assert "\n" not in str(fault.value)
    assert corpus.sql("SELECT id FROM games").rows == [("g",)]
    assert {path.name for path in secret.parent.iterdir()} == before


def test_a_variable_of_the_program_is_no_table(corpus: Corpus) -> None:
    """DuckDB's Python would take the name of a variable for a table; here it must not."""
    secrets = pa.table({"word": [SECRET]})
    with pytest.raises(BadQuestion, match="Table with name secrets does not exist"):
        corpus.sql("SELECT * FROM secrets")
    assert secrets.num_rows == 1


ENDLESS = (
    "WITH RECURSIVE r AS (SELECT 1 AS a UNION ALL SELECT a + 1 FROM r) SELECT count(*) FROM r",
    "SELECT sum(a.range * b.range) FROM range(10000000) a, range(10000000) b",
    "SELECT sleep_ms(60000)",
    "SELECT count(*) FROM range(100000000000) WHERE md5(range::VARCHAR) = 'x'",
    # One call over one value: nothing interrupts these, so their process is ended.
    "SELECT list_sum(list_transform(range(15000000), lambda x: sqrt(x) + ln(x + 1) + sin(x)))",
    "SELECT list_sum([list_sum([x * y for y in range(10000)]) for x in range(10000)])",
)
GREEDY = (
    "SELECT list(range) FROM range(1000000000)",
    "SELECT len(range(2000000000))",
    "SELECT len(repeat('x', 4000000000))",
    "SELECT binomial_p(1, 4000000000000, 0.5)",
)


@pytest.mark.parametrize("text", ENDLESS)
def test_what_takes_too_long_is_stopped(text: str) -> None:
    """The limit of time ends it, soon after it should, whatever DuckDB is doing."""
    began = time.monotonic()
    with pytest.raises(BadQuestion, match=r"no answer within 0\.5 seconds"):
        sql([], text, Limits(seconds=0.5, memory="400MB"))
    # Half a second, the grace, and what a busy machine takes to start and end a process.
    assert time.monotonic() - began < 40


@pytest.mark.parametrize("text", GREEDY)
def test_what_needs_too_much_memory_is_stopped(text: str) -> None:
    """Whatever is built up, in rows or in one value, stays under the limit or dies alone."""
    with pytest.raises(BadQuestion, match=r"more than 200MB of memory"):
        sql([], text, Limits(seconds=120, memory="200MB"))


def test_an_answer_that_is_stopped_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was spilled to disk goes with the process."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with pytest.raises(BadQuestion, match="no answer"):
        sql([], ENDLESS[-1], Limits(seconds=0.5))
    assert list(tmp_path.iterdir()) == []


def test_an_answer_that_is_too_large_to_hand_on_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A row may hold a million letters; what comes back is bounded in bytes too."""
    monkeypatch.setattr("replay.questions.aside.LARGEST_ANSWER", 2 * 1024 * 1024)
    assert len(sql([], "SELECT repeat('x', 1000000) FROM range(2)").rows) == 2
    with pytest.raises(BadQuestion, match="the answer is larger than 2 MB"):
        sql([], "SELECT repeat('x', 1000000) FROM range(3)")


def test_rows_beyond_the_limit_are_cut_and_said(folder: Path) -> None:
    """Ten thousand million rows are asked for: the limit is given, and that there are more."""
    path = Logbook().put(folder)
    answer = sql([path], "SELECT range FROM range(10000000000)", Limits(rows=5))
    assert answer.rows == [(0,), (1,), (2,), (3,), (4,)]
    assert answer.cut
    answer = sql([path], "SELECT range FROM range(5)", Limits(rows=5))
    assert len(answer.rows) == 5
    assert not answer.cut


def test_a_corpus_can_be_asked_again_after_a_cut_a_fault_and_a_time_out(folder: Path) -> None:
    """No question spoils the next one."""
    with Corpus([Logbook().roll("red", 1, 2).put(folder)], Limits(rows=1, seconds=0.3)) as corpus:
        for text in ("FROM range(10000000000)", "SELECT nothing", *ENDLESS[:1]):
            for _ in range(2):
                with contextlib.suppress(BadQuestion):
                    corpus.sql(text)
                assert corpus.sql("SELECT count(*) FROM rolls").rows == [(2,)]


FINE: tuple[tuple[str, list[tuple[Any, ...]]], ...] = (
    ("SELECT count(*) FROM rolls", [(3,)]),
    ("select sum(pips) from rolls -- pips\n;", [(5,)]),
    ("/* how many */ SELECT count(*) FROM rolls;", [(3,)]),
    ("WITH a AS (SELECT pips FROM rolls) SELECT max(pips) FROM a", [(3,)]),
    (
        "WITH RECURSIVE a AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM a WHERE n < 4) SELECT count(*) FROM a",
        [(4,)],
    ),
    ("FROM rolls SELECT face ORDER BY face", [("2",), ("3",), ("skull",)]),
    ("VALUES (1), (2)", [(1,), (2,)]),
    ("SELECT unnest([1, 2])", [(1,), (2,)]),
    ("SELECT value FROM json_each('[7]')", [("7",)]),
    ("SELECT 'a;b'", [("a;b",)]),
    ("SELECT '{folder}', $$it's$$", [("{folder}", "it's")]),
    ("SELECT binomial_at_least(1, 2, 0.5)", [(0.75,)]),
)


@pytest.mark.parametrize(("text", "rows"), FINE)
def test_what_reads_the_logs_is_answered(corpus: Corpus, text: str, rows: list[tuple[Any, ...]]) -> None:
    """Any one SELECT, however it is written."""
    assert corpus.sql(text).rows == rows


@pytest.mark.parametrize("text", ("DESCRIBE rolls", "SHOW TABLES", "SHOW ALL TABLES", "SUMMARIZE rolls", "DESCRIBE SELECT 1",
                                  "EXPLAIN SELECT * FROM rolls", "EXPLAIN ANALYZE SELECT * FROM rolls",
                                  "FROM duckdb_columns()"))  # fmt: skip
def test_the_tables_can_be_looked_at(corpus: Corpus, text: str) -> None:
    """Who does not know the tables asks for them in SQL's own words."""
    assert corpus.sql(text).rows


@pytest.mark.parametrize(
    ("text", "said"),
    (
        ("", "nothing was asked; what is taken is one SELECT, WITH, DESCRIBE, SHOW or EXPLAIN"),
        ("-- nothing", "nothing was asked"),
        ("SELEC 1", 'line 1: Parser Error: syntax error at or near "SELEC"'),
        (
            "SELECT\n  dye\nFROM rolls",
            'line 2: Binder Error: Referenced column "dye" not found in FROM clause!',
        ),
        ("SELECT * FROM rols", "line 1: Catalog Error: Table with name rols does not exist! Did you mean"),
        ("SELECT 1; SELECT 2", "these are 2 statements"),
        ("DROP TABLE rolls", "DROP is not taken here; what is taken is one SELECT"),
        (
            "SELECT * FROM read_csv('x')",
            "the function read_csv is not taken here in FROM; there are: duckdb_columns",
        ),
        ("SELECT face::BIGINT FROM rolls", "Conversion Error: Could not convert string 'skull' to INT64"),
        ("SELECT $a", "Values were not provided for the following parameters: a"),
        ("SELECT ?", "Values were not provided for the following parameters: 1"),
    ),
)
def test_a_slip_in_the_sql_is_a_sentence_with_its_line(corpus: Corpus, text: str, said: str) -> None:
    """What DuckDB says, on one line, with the line of the SQL and its close matches."""
    with pytest.raises(BadQuestion) as fault:
        corpus.sql(text)
    assert said in str(fault.value)
    assert "\n" not in str(fault.value)


def test_logs_that_do_not_fit_into_memory_are_a_sentence(folder: Path) -> None:
    """Who allows too little for the logs themselves is told so."""
    log = Logbook()
    for _ in range(400):
        log.roll("red", *[6] * 200)
    with pytest.raises(BadQuestion, match="the logs need more than 3MB of memory; name fewer, or allow more"):
        Corpus([log.put(folder)], Limits(memory="3MB"))


def test_limits_that_are_none_are_a_sentence() -> None:
    """A memory limit that DuckDB can't read is said, not thrown."""
    with pytest.raises(BadQuestion, match="no database could be opened within these limits"):
        sql([], "SELECT 1", Limits(memory="lots"))


def test_deeply_nested_sql_is_refused_in_a_sentence() -> None:
    """Ten thousand brackets bring nothing down."""
    for text in (f"SELECT {'(' * 10_000}1{')' * 10_000}", "SELECT * FROM (" * 2_000 + "SELECT 1" + ")" * 2_000,
                 "SELECT " + "-" * 1 + "+".join(["1"] * 50_000)):  # fmt: skip
        with pytest.raises(BadQuestion) as fault:
            sql([], text, Limits(seconds=5))
        assert "\n" not in str(fault.value)


def test_free_sql_is_answered_aside_as_it_is_here(folder: Path) -> None:
    """A process of its own gives the same rows, types, notes and faults."""
    path = Logbook(game="dragonlords").roll("orc", 2, 3).put(folder)
    with path.open("ab") as file:
        file.write(b"{torn")
    text = "SELECT *, made_at, 1.50::DECIMAL(4, 2) AS price, {'a': [1]} AS nest FROM rolls JOIN entries ON id = entry"
    with Corpus([path]) as corpus:
        here = corpus.sql(text)
    assert here.rows
    assert here.notes
    assert sql([path], text) == here
    with pytest.raises(Damaged, match="expected an entry"):
        sql([put_text(folder / "bad.jsonl", "{}\n{}\n")], text)


def put_text(path: Path, text: str) -> Path:
    """Write a text and return its path."""
    path.write_text(text, encoding="utf-8")
    return path
