"""Bringing logs to DuckDB, batch by batch: memory is bounded by the batch, not by the logs.

Whether a log is whole and lawful is `verify`'s affair: here a line must be the next entry, and say what is counted.
Facts that nobody knows stay as rows with their body.
"""

import contextlib
import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.compute as pc

from events.chain import hash_of
from events.counting import plural
from events.jsonl.log import is_junk, strays
from events.store import StoreError
from replay.questions.tables.filling import AFTER_ALL, AFTER_BATCH, COPIES, ENTRIES, FACTS, HELPERS, MISSHAPEN
from replay.questions.tables.keeping import Kept
from replay.questions.tables.shapes import Known, known
from replay.questions.tables.sources import Damaged, Line, Log, Reading, Source, damaged, logs
from replay.questions.tables.staging import STAGED, GameReader, Stage

__all__ = ["load"]

BATCH_BYTES = 32 * 1024 * 1024
"""Bytes of lines that are gathered before they go to DuckDB."""
KEPT_AT_ONCE = 200
"""Logs after which a corpus is as good as finished: what comes later can be broken off."""
CHUNK = 256
"""Lines that are taken at once."""
_ARROW = {
    "VARCHAR": pa.string(), "BIGINT": pa.int64(), "BOOLEAN": pa.bool_(), "BIGINT[]": pa.list_(pa.int64()),
    "BOOLEAN[]": pa.list_(pa.bool_()), "VARCHAR[]": pa.list_(pa.string()),
}  # fmt: skip


def load(
    connection: duckdb.DuckDBPyConnection,
    sources: Iterable[Source],
    reading: Reading,
    progress: Callable[[int], None] | None = None,
) -> tuple[str, ...]:
    """Make the tables and fill them from every log of the sources; return what a reader should know, in sentences.

    A game that two sources hold is counted once. Where the tables are kept in a corpus, logs that it holds as they are
    now are not read again, and what was read stays read when the rest is broken off. `progress` is called with the number of logs done.
    Raises `Damaged`, naming file and line, unless damaged logs are skipped.
    """
    notes: list[str] = []
    kept = Kept(connection, reading)
    found = kept.new(logs(sources, reading, notes.append))
    done = 0
    while chunk := list(itertools.islice(found, KEPT_AT_ONCE if reading.corpus else None)):
        with kept.filling():
            loader = _Loader(connection, reading, kept.games(), notes)
            for log in chunk:
                loader.add(log)
                done += 1
                if progress is not None:
                    progress(done)
            kept.keep(loader.finish())
    return tuple(dict.fromkeys(notes))


class _Loader:
    """Lines on their way to the tables."""

    def __init__(
        self,
        connection: duckdb.DuckDBPyConnection,
        reading: Reading,
        known: Mapping[str, tuple[str, str]],
        notes: list[str],
    ) -> None:
        self.notes = notes
        self._before = known
        self._connection, self._reading = connection, reading
        self._stage = Stage()
        self._bytes = 0
        self._logs: dict[str, tuple[str, Log]] = {}
        self._rules: dict[str, Known] = {}
        self._battles: list[tuple[Any, ...]] = []
        self._taken_back: list[tuple[str, int]] = []
        for name, columns in HELPERS.items():
            self._run(f"CREATE TABLE {name} ({columns})")
        self._facts, self._entries = self._next("facts"), self._next("entries")

    def add(self, log: Log) -> None:
        """Read one log; a damaged one is left out whole, or raised."""
        try:
            self._read(log)
        except (Damaged, StoreError, OSError) as fault:
            self._leave_out(fault)

    def finish(self) -> list[tuple[str, str, str, str]]:
        """Send what is left, mark what was taken back, and fill the tables that speak of whole games.

        Returns what was read: where it stands, the game, the mark of its log, and the hash of its first line.
        """
        self._flush()
        self._insert("battles", self._battles)
        self._mark()
        self._insert("logs", [(n, game, log.where) for n, (game, (_, log)) in enumerate(self._logs.items())])
        for statement in (*AFTER_ALL, *(() if self._reading.copies else COPIES)):
            self._run(statement)
        self._note_dice()
        for name in HELPERS:
            self._run(f"DROP TABLE {name}")
        if not self._reading.corpus:
            return []
        return [(log.where, game, log.mark(), first) for game, (first, log) in self._logs.items()]

    def _read(self, log: Log) -> None:
        lines = log.lines()
        first = next(lines, None)
        if first is None:
            self.notes.append(f"{log.where} holds no entry")
            return
        reader = GameReader(log, self._stage, self.notes.append, self._know)
        reader.open(first)
        opening = hash_of(first.text)
        known = self._known(reader.id)
        if known is not None and known[0] == opening:
            self.notes.append(
                f"{log.where}: the game {reader.id} was read from {known[1]} already and is counted once"
            )
            return
        if known is not None:
            reader.id = self._free(reader.id)
            self.notes.append(
                f"{log.where}: another game of that id was read from {known[1]}; this one is {reader.id}"
            )
        self._logs[reader.id] = opening, log
        try:
            self._take(log, reader, first, lines)
        except (Damaged, StoreError, OSError):
            self._forget(reader.id)
            raise
        if reader.id not in self._logs:
            return
        self._battles.extend(reader.battle_rows())
        self._taken_back.extend((reader.id, entry) for entry in reader.taken_back())

    def _take(self, log: Log, reader: GameReader, first: Line, lines: Iterator[Line]) -> None:
        reader.take(first)
        while chunk := list(itertools.islice(lines, CHUNK)):
            before = reader.count
            try:
                reader.take_all(chunk)
            except Damaged:
                # A last line that is no JSON is no part of the log: half a command, or no command at all.
                is_last = reader.count - before == len(chunk) - 1 and next(lines, None) is None
                if not (log.is_file and reader.is_torn and is_last):
                    raise
                last = chunk[-1]
                self.notes.append(
                    f"{log.where}, {strays(last.number, last.text)}; it is left out"
                    if is_junk(last.text + b"\n")
                    else f"{log.at(last.number)}: the last line is torn ({plural(len(last.text), 'byte')}) and left out"
                )
            self._bytes += sum([len(line.text) for line in chunk])
            if self._bytes > BATCH_BYTES:
                reader.send()
                self._flush()
                if reader.id not in self._logs:
                    return
        reader.send()

    def _know(self, name: str) -> Known:
        """Return what is known of a game's rules; the first time, tell DuckDB too."""
        rules = self._rules.get(name)
        if rules is None:
            rules = self._rules[name] = known(name)
            if not self._run("SELECT 1 FROM dice WHERE game = $game LIMIT 1", {"game": name}):
                self._insert("dice", list(rules.dice_rows()))
            self._insert("claims", [(name, *claim) for claim in rules.claims.items()])
            self._insert("sides", [(name, *die) for die in rules.dice.items()])
        return rules

    def _free(self, game: str) -> str:
        n = 2
        while self._known(f"{game}#{n}") is not None:
            n += 1
        return f"{game}#{n}"

    def _known(self, game: str) -> tuple[str, str] | None:
        """Return the hash of a game's first line and where it was read, now or before; None for a new one."""
        held = self._logs.get(game)
        return (held[0], held[1].where) if held is not None else self._before.get(game)

    def _next(self, table: str) -> int:
        """Return the number of the row that a table gets next."""
        ((row,),) = self._run(f"SELECT coalesce(max(rowid) + 1, 0) FROM {table}")  # noqa: S608 - one of our tables
        return int(row)

    def _leave_out(self, fault: Exception) -> None:
        if not self._reading.skip_damaged:
            raise damaged(fault) from fault
        self.notes.append(f"left out: {damaged(fault)}")

    def _forget(self, game: str) -> None:
        """Take back what is there of a log that turned out damaged."""
        self._logs.pop(game, None)
        games = self._stage.games
        self._stage.cut(games.index(game) if game in games else len(games))
        self._battles = [row for row in self._battles if row[0] != game]
        self._taken_back = [row for row in self._taken_back if row[0] != game]
        for name in ("entries", "facts", "rolls", "rulings"):
            self._run(f'DELETE FROM "{name}" WHERE game = $game', {"game": game})  # noqa: S608 - one of our tables

    def _flush(self) -> None:
        """Send the staged lines to the tables."""
        if not self._stage.facts:
            return
        batch = _batch(self._stage.columns(), STAGED)
        self._stage.cut(0)
        self._bytes = 0
        while (bad := self._fill(batch)) is not None:
            self._drop(*bad)
            batch = batch.filter(pc.not_equal(batch["game"], bad[0]))
        self._facts, self._entries = self._next("facts"), self._next("entries")

    def _fill(self, batch: pa.Table) -> tuple[str, int, str] | None:
        """Fill the tables from a batch; or return a game that can't be, with the entry and what was expected there."""
        marks = {"facts": self._facts, "entries": self._entries}
        with self._registered("batch", batch):
            try:
                self._run(ENTRIES)
                self._run(FACTS)
            except duckdb.Error:
                # DuckDB is stricter than msgspec about a few texts (half a surrogate pair): find the line that has one.
                self._run("DELETE FROM entries WHERE rowid >= $entries", {"entries": self._entries})
                bad = self._run(
                    "SELECT game, entry FROM batch WHERE NOT (json_valid(facts) AND json_valid(command))"
                )
                if not bad:
                    raise
                return *bad[0], "expected JSON in UTF-8 throughout"
            flaws = {row[0]: row for row in reversed(self._run(MISSHAPEN, marks))}
            for flaw in flaws.values():
                self._drop(*flaw)
            for statement in AFTER_BATCH:
                self._run(statement, {"facts": self._facts})
        return None

    def _drop(self, game: str, entry: int, flaw: str) -> None:
        """Leave out a game whose log was read before its damage was found."""
        where = self._logs[game][1].at(entry)
        self._forget(game)
        self._leave_out(Damaged(f"{where}: {flaw}"))

    def _run(self, statement: str, values: Mapping[str, Any] | None = None) -> list[tuple[Any, ...]]:
        rows: list[tuple[Any, ...]] = self._connection.execute(statement, values).fetchall()
        return rows

    def _insert(self, name: str, rows: list[tuple[Any, ...]]) -> None:
        kinds = self._run(f'DESCRIBE "{name}"')
        if rows:
            with self._registered(
                "new", _batch(zip(*rows, strict=True), {column[0]: column[1] for column in kinds})
            ):
                self._run(f'INSERT INTO "{name}" SELECT * FROM new')  # noqa: S608 - one of our tables

    def _mark(self) -> None:
        """Mark the entries that were taken back, and what they hold, as no longer live."""
        if not self._taken_back:
            return
        games, entries = zip(*self._taken_back, strict=True)
        left = pa.table([pa.array(games), pa.array(entries)], names=["game", "entry"])
        with self._registered("gone", left):
            for name, key, which in (
                ("entries", "id", "true"),
                ("facts", "entry", "true"),
                ("rolls", "entry", "true"),
                ("rulings", "entry", "rulings.fact NOT IN ('Ruled', 'DisputeRaised')"),
            ):
                self._run(
                    f'UPDATE "{name}" SET live = false FROM gone '  # noqa: S608 - one of our tables
                    f'WHERE "{name}".game = gone.game AND "{name}"."{key}" = gone.entry AND {which}'
                )

    def _note_dice(self) -> None:
        """Say which dice nobody here knows: nothing is expected of them."""
        for die, rules in self._run(
            "SELECT DISTINCT die, games.game FROM rolls JOIN games ON games.id = rolls.game "
            "SEMI JOIN logs ON logs.game = games.id WHERE sides IS NULL ORDER BY ALL"
        ):
            self.notes.append(
                f"the die {die} of {rules} is not known here: what to expect of it stays unknown"
            )

    @contextlib.contextmanager
    def _registered(self, name: str, table: pa.Table) -> Iterator[None]:
        self._connection.register(name, table)
        try:
            yield
        finally:
            self._connection.unregister(name)


def _batch(columns: Iterable[Sequence[Any]], kinds: Mapping[str, str]) -> pa.Table:
    """Return columns of these DuckDB types for Arrow."""
    arrays = [pa.array(values, _ARROW[kind]) for values, kind in zip(columns, kinds.values(), strict=True)]
    return pa.table(arrays, names=list(kinds))
