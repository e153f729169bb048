"""The reader that streams logs into typed DuckDB tables, in batches: memory is bounded by the batch, not by the logs.

Each line is decoded as far as the tables need it, and no further: whether a log is whole and lawful is `verify`'s
affair. Facts that nobody knows stay as rows with their body.
"""

from collections.abc import Iterable, Iterator
from typing import Any

import duckdb
import pyarrow as pa

from events.store import StoreError
from replay.tables.columns import TABLES, create
from replay.tables.rows import GameReader
from replay.tables.sources import Damaged, Line, Log, Reading, Source, damaged, logs

__all__ = ["load"]

BATCH = 50_000
"""Rows of one table that are gathered before they go to DuckDB."""
_ARROW = {
    "VARCHAR": pa.string(), "VARCHAR[]": pa.list_(pa.string()), "BIGINT": pa.int64(), "DOUBLE": pa.float64(),
    "BOOLEAN": pa.bool_(), "TIMESTAMP": pa.string(),
}  # fmt: skip


def load(
    connection: duckdb.DuckDBPyConnection, sources: Iterable[Source], reading: Reading
) -> tuple[str, ...]:
    """Make the tables and fill them from every log of the sources; return what a reader should know, in sentences.

    A game that two sources hold is counted once. Raises `Damaged`, naming file and line, unless damaged logs are skipped.
    """
    for name in TABLES:
        connection.execute(create(name))
    return _Loader(connection, reading).load(sources)


class _Loader:
    """Rows on their way to the tables."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, reading: Reading) -> None:
        self._connection, self._reading = connection, reading
        self._rows: dict[str, list[tuple[Any, ...]]] = {name: [] for name in TABLES}
        self._notes: list[str] = []
        self._openings: dict[str, tuple[bytes, str]] = {}
        self._dice: set[str] = set()
        self._taken_back: list[tuple[str, int]] = []

    def load(self, sources: Iterable[Source]) -> tuple[str, ...]:
        for log in logs(sources, self._reading, self._notes.append):
            try:
                self._read(log)
            except (Damaged, StoreError, OSError) as fault:
                if not self._reading.skip_damaged:
                    raise damaged(fault) from fault
                self._notes.append(f"left out: {damaged(fault)}")
        for name in TABLES:
            self._flush(name)
        self._mark()
        return tuple(dict.fromkeys(self._notes))

    def _read(self, log: Log) -> None:
        lines = log.lines()
        first = next(lines, None)
        if first is None:
            self._notes.append(f"{log.where} holds no entry")
            return
        reader = GameReader(log, self._rows, self._notes.append)
        reader.open(first)
        known = self._openings.get(reader.id)
        if known is not None and known[0] == first.text:
            self._notes.append(
                f"{log.where}: the game {reader.id} was read from {known[1]} already and is counted once"
            )
            return
        if known is not None:
            reader.id = self._free(reader.id)
            self._notes.append(
                f"{log.where}: another game of that id was read from {known[1]}; this one is {reader.id}"
            )
        self._openings[reader.id] = first.text, log.where
        try:
            self._take(log, reader, first, lines)
        except (Damaged, StoreError, OSError):
            self._forget(reader.id)
            raise
        if reader.rules.name not in self._dice:
            self._dice.add(reader.rules.name)
            self._rows["dice"].extend(reader.rules.dice_rows())
        self._taken_back.extend(reader.close())

    def _take(self, log: Log, reader: GameReader, first: Line, lines: Iterator[Line]) -> None:
        reader.take(first)
        facts, rolls = self._rows["facts"], self._rows["rolls"]
        for line in lines:
            try:
                reader.take(line)
            except Damaged:
                # A last line that is no JSON was torn: half a command is no part of the log.
                if log.where.endswith(".jsonl") and reader.is_torn and next(lines, None) is None:
                    self._notes.append(
                        f"{log.at(line.number)}: the last line is torn ({len(line.text)} bytes) and left out"
                    )
                    return
                raise
            if len(facts) >= BATCH or len(rolls) >= BATCH:
                for name in TABLES:
                    self._flush(name)

    def _free(self, game: str) -> str:
        n = 2
        while f"{game}#{n}" in self._openings:
            n += 1
        return f"{game}#{n}"

    def _forget(self, game: str) -> None:
        """Take back the rows of a log that turned out damaged."""
        self._openings.pop(game, None)
        for name, columns in TABLES.items():
            rows = self._rows[name]
            if columns[0].name == "game" and name != "dice":
                rows[:] = [row for row in rows if row[0] != game]
                self._connection.execute(f'DELETE FROM "{name}" WHERE game = ?', [game])  # noqa: S608 - one of our tables

    def _flush(self, name: str) -> None:
        rows = self._rows[name]
        if not rows:
            return
        batch = pa.table(
            [
                _array(values, column.kind)
                for values, column in zip(zip(*rows, strict=True), TABLES[name], strict=True)
            ],
            names=[column.name for column in TABLES[name]],
        )
        rows.clear()
        self._insert(name, batch)

    def _insert(self, name: str, batch: pa.Table) -> None:
        self._connection.register("batch", batch)
        self._connection.execute(f'INSERT INTO "{name}" SELECT * FROM batch')  # noqa: S608 - one of our tables
        self._connection.unregister("batch")

    def _mark(self) -> None:
        """Mark the entries that were taken back, and what they hold, as no longer live."""
        if not self._taken_back:
            return
        games, entries = zip(*self._taken_back, strict=True)
        self._connection.register(
            "left", pa.table([pa.array(games), pa.array(entries)], names=["game", "entry"])
        )
        for name, key in (("entries", "id"), ("facts", "entry"), ("rolls", "entry"), ("rulings", "entry")):
            self._connection.execute(
                f'UPDATE "{name}" SET live = false FROM "left" '  # noqa: S608 - one of our tables
                f'WHERE "{name}".game = "left".game AND "{name}"."{key}" = "left".entry'
            )
        self._connection.unregister("left")


def _array(values: tuple[Any, ...], kind: str) -> pa.Array:
    held = pa.array(values, _ARROW[kind])
    if kind != "TIMESTAMP":
        return held
    try:
        return _times(held)
    except pa.ArrowInvalid:
        # A time that is none is no reason to lose the entry: it stays empty.
        return pa.concat_arrays([_time(value) for value in values])


def _times(texts: pa.Array) -> pa.Array:
    return texts.cast(pa.timestamp("us", tz="UTC")).cast(pa.timestamp("us"))


def _time(text: str | None) -> pa.Array:
    try:
        return _times(pa.array([text], pa.string()))
    except pa.ArrowInvalid:
        return pa.array([None], pa.timestamp("us"))
