"""Questions to the log: named ones, each a `.sql` file that begins with the question in English, and free SQL.

Logs are read into a DuckDB database of their own, in memory; then it is locked: no file, no network, no setting, no
writing, and limits of rows, time and memory. A game's own questions lie in `core/games/<game>/queries/`.
"""

import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import duckdb
from msgspec import Struct, structs

from replay.questions.answers import Table
from replay.questions.exact import MACROS
from replay.questions.faults import BadQuestion
from replay.questions.harmless import sentence, single_select
from replay.questions.named import Parameter, Question, question, questions
from replay.questions.places import GameIn
from replay.questions.tables import TABLES, Damaged, Reading, Source, load
from replay.questions.tables.keeping import OtherCorpus

__all__ = [
    "BadQuestion",
    "Corpus",
    "Damaged",
    "Limits",
    "Parameter",
    "Question",
    "Reading",
    "ask",
    "export_parquet",
    "question",
    "questions",
    "sql",
]

_CHUNK = 100


class Limits(Struct, frozen=True):
    """How much one question may take: rows of the answer, seconds for it (the reading of logs not counted), memory."""

    rows: int = 1_000
    seconds: float = 30.0
    memory: str = "1GB"


class Corpus:
    """Logs read once, to be asked many times; close it, or use it in a `with`."""

    def __init__(
        self,
        sources: Iterable[Source],
        limits: Limits = Limits(),
        reading: Reading = Reading(),
        progress: Callable[[int], None] | None = None,
    ) -> None:
        """Read the sources; raise `Damaged` for what can't be read, unless `reading` skips it.

        `progress` is called with the number of logs that are read.
        """
        self.limits = limits
        self._folder = tempfile.TemporaryDirectory(prefix="lawspeaker-")
        self._locked = False
        try:
            self._connection = duckdb.connect(
                reading.corpus or ":memory:",
                config={
                    "memory_limit": limits.memory,
                    "temp_directory": self._folder.name,
                    "autoinstall_known_extensions": False,
                    "autoload_known_extensions": False,
                    "python_enable_replacements": False,
                },
            )
        except duckdb.Error as fault:
            self._folder.cleanup()
            raise BadQuestion(
                f"no database could be opened within these limits: {sentence(fault)}"
            ) from fault
        try:
            self._connection.execute("SET GLOBAL TimeZone = 'UTC'")
            self._connection.execute("SET enable_progress_bar = false")  # it would stand amid the answer
            self.notes = load(self._connection, sources, reading, progress)
            for macro in MACROS:
                self._connection.execute(macro.replace("CREATE MACRO", "CREATE OR REPLACE MACRO"))
        except OtherCorpus as fault:
            self.close()
            raise BadQuestion(str(fault)) from fault
        except duckdb.OutOfMemoryException as fault:
            self.close()
            raise BadQuestion(
                f"the logs need more than {limits.memory} of memory; name fewer, or allow more"
            ) from fault
        except duckdb.Error as fault:
            self.close()
            raise BadQuestion(f"the logs could not be read into tables: {sentence(fault)}") from fault
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of memory and of what was spilled to disk."""
        self._connection.close()
        self._folder.cleanup()

    def ask(self, name: str, params: Mapping[str, Any] | None = None) -> Table:
        """Return the answer to a named question; a note says so where it is about a game that was not read."""
        asked = question(name)
        values = asked.values(params or {})
        answer = self._answer(asked.sql, values, asked.question)
        game = values.get("game")
        if game is None or self._answer("SELECT 1 FROM games WHERE id = $game", {"game": game}, "").rows:
            return answer
        return structs.replace(answer, notes=(*answer.notes, f"no game {game!r} was read"))

    def sql(self, text: str) -> Table:
        """Return the answer to free SQL: one SELECT, WITH, DESCRIBE, SHOW or EXPLAIN; else `BadQuestion` says why."""
        return self._answer(text, {}, "")

    def export_parquet(self, folder: Path) -> list[Path]:
        """Write every table as `<table>.parquet` (typed columns, zstd) into a folder; return the files.

        Raises `BadQuestion` when they can't be written there.
        """
        if self._locked:
            raise BadQuestion("a corpus is exported before it is asked")
        try:
            folder.mkdir(parents=True, exist_ok=True)
            return [self._write(name, folder / f"{name}.parquet") for name in TABLES]
        except OSError as fault:
            raise BadQuestion(f"{fault.filename or folder}: {fault.strerror or fault}") from fault
        except duckdb.Error as fault:
            raise BadQuestion(f"{folder}: {sentence(fault)}") from fault

    def _write(self, name: str, path: Path) -> Path:
        half = path.with_name(f".{path.name}.half")
        target = str(half).replace("'", "''")
        try:
            self._connection.execute(f"COPY \"{name}\" TO '{target}' (FORMAT parquet, COMPRESSION zstd)")
            half.replace(path)
        finally:
            half.unlink(missing_ok=True)
        return path

    def _lock(self) -> None:
        """Shut the database in: from here on it reaches nothing but its own tables, and no setting can be changed."""
        if not self._locked:
            self._connection.execute("SET enable_external_access = false")
            self._connection.execute("SET lock_configuration = true")
            self._locked = True

    def _answer(self, text: str, values: Mapping[str, Any], title: str) -> Table:
        self._lock()
        # A connection of its own: what is left of an answer that was cut goes with it.
        connection = self._connection.cursor()
        timer = threading.Timer(self.limits.seconds, connection.interrupt)
        timer.daemon = True
        timer.start()
        try:
            statement = single_select(connection, text)
            connection.execute("BEGIN TRANSACTION READ ONLY")
            connection.execute(statement, dict(values) or None)
            shape = connection.description or []
            rows = list(_rows(connection, self.limits.rows + 1))
        except duckdb.InterruptException as fault:
            raise BadQuestion(
                f"no answer within {self.limits.seconds:g} seconds; ask for less, or allow more time"
            ) from fault
        except duckdb.OutOfMemoryException as fault:
            raise BadQuestion(
                f"the answer needs more than {self.limits.memory} of memory; ask for less, or allow more"
            ) from fault
        except duckdb.Error as fault:
            raise BadQuestion(sentence(fault)) from fault
        finally:
            timer.cancel()
            connection.close()
        cut = len(rows) > self.limits.rows
        return Table(
            _apart(str(column[0]) for column in shape), tuple(str(column[1]) for column in shape),
            rows[: self.limits.rows], cut, self.notes, title,
        )  # fmt: skip


def ask(
    sources: Iterable[Source],
    name: str,
    params: Mapping[str, Any] | None = None,
    limits: Limits = Limits(),
    reading: Reading = Reading(),
    progress: Callable[[int], None] | None = None,
) -> Table:
    """Return the answer of a named question to logs; raise `BadQuestion` or `Damaged`, in sentences."""
    question(name).values(params or {})
    with Corpus(sources, limits, reading, progress) as corpus:
        return corpus.ask(name, params)


def sql(
    sources: Sequence[Source],
    text: str,
    limits: Limits = Limits(),
    reading: Reading = Reading(),
    progress: Callable[[int], None] | None = None,
) -> Table:
    """Return the answer of free SQL to logs, read-only and bounded; raise `BadQuestion` or `Damaged`, in sentences.

    Sources that are paths are asked in a process of their own, so that the limits hold whatever is asked. A store that
    is open in this process can't be handed on: it is asked here, and a single call over one huge value may overrun.
    """
    if reading.corpus:
        with Corpus(sources, limits, reading, progress) as corpus:
            sources = ()
    paths = [source for source in sources if isinstance(source, str | Path | GameIn)]
    if len(paths) == len(sources):
        from replay.questions.aside import answer_aside

        return answer_aside(paths, text, (limits.rows, limits.seconds, limits.memory), reading)
    with Corpus(sources, limits, reading) as corpus:
        return corpus.sql(text)


def export_parquet(sources: Iterable[Source], folder: Path, reading: Reading = Reading()) -> list[Path]:
    """Write logs as a corpus of typed Parquet files, one a table; return the files."""
    with Corpus(sources, Limits(), reading) as corpus:
        return corpus.export_parquet(folder)


def _apart(names: Iterable[str]) -> tuple[str, ...]:
    """Return names of columns, each once: a second `count` becomes `count_2`."""
    apart: list[str] = []
    for name in names:
        n, told = 1, name
        while told in apart:
            n += 1
            told = f"{name}_{n}"
        apart.append(told)
    return tuple(apart)


def _rows(cursor: duckdb.DuckDBPyConnection, most: int) -> Iterator[tuple[Any, ...]]:
    """Yield at most so many rows, without ever fetching far more than that."""
    while most > 0:
        chunk = cursor.fetchmany(min(most, _CHUNK))
        if not chunk:
            return
        yield from chunk
        most -= len(chunk)
