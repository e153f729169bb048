"""What a question is answered with: a table, for a terminal, as CSV, as JSON, or as a Parquet file."""

import csv
import io
import math
import re
from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID

import msgspec
from msgspec import Struct

from core.harmless import harmless

__all__ = ["Table", "shown"]

_FORMULA = re.compile(r"[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]")
"""How a cell begins that a spreadsheet works out (OWASP, CSV Injection); the wide forms of the signs count, too."""
_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?|[+-]inf", re.ASCII | re.IGNORECASE)


class Table(Struct, frozen=True):
    """Named columns with their DuckDB types, and rows. `cut` says that there were more rows than the limit.

    `notes` are sentences about the reading: sources left out, torn lines, games found twice.
    """

    columns: tuple[str, ...]
    types: tuple[str, ...]
    rows: list[tuple[Any, ...]]
    cut: bool = False
    notes: tuple[str, ...] = ()
    title: str = ""

    def dicts(self) -> Iterator[dict[str, Any]]:
        """Yield each row as `{column: value}`, every value one that JSON can hold."""
        for row in self.rows:
            yield {name: _plain(value) for name, value in zip(self.columns, row, strict=True)}

    def to_json(self) -> str:
        """Return one JSON object: `question`, `columns`, `rows` (objects), `cut`, `notes`."""
        whole = {
            "question": self.title, "columns": self.columns, "rows": list(self.dicts()),
            "cut": self.cut, "notes": self.notes,
        }  # fmt: skip
        return msgspec.json.encode(whole).decode()

    def to_csv(self) -> str:
        """Return the rows as CSV (RFC 4180) under a line of column names; nothing is an empty field.

        A text that a spreadsheet would take for a formula has a `'` before it, and so is shown and not worked out; numbers
        are as they are.
        """
        text = io.StringIO()
        sheet = csv.writer(text, lineterminator="\r\n")
        sheet.writerow(map(_no_formula, self.columns))
        for row in self.rows:
            sheet.writerow(["" if value is None else _field(value) for value in row])
        return text.getvalue()

    def to_rich(self) -> Any:
        """Return the table for a terminal (`rich.table.Table`); numbers stand to the right."""
        from rich.table import Table as Sheet
        from rich.text import Text

        sheet = Sheet(title=self.title or None, title_justify="left")
        for name, kind in zip(self.columns, self.types, strict=True):
            sheet.add_column(name, justify="right" if _is_number(kind) else "left")
        for row in self.rows:
            sheet.add_row(*(Text(harmless(shown(value))) for value in row))
        return sheet


def shown(value: Any) -> str:
    """Return a value as a person reads it: nothing is empty, yes and no, at most four decimals, lists by commas."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float | Decimal):
        return _decimal(float(value))
    if isinstance(value, datetime):
        return value.isoformat(sep=" ", timespec="seconds")
    if isinstance(value, list | tuple):
        return ", ".join(map(shown, value))
    if isinstance(value, dict):
        return ", ".join(f"{shown(name)} {shown(held)}" for name, held in value.items())
    return str(value)


def _decimal(value: float) -> str:
    if not math.isfinite(value):
        return str(value)
    if value and abs(value) < 0.0001:
        return f"{value:.1e}"
    return f"{value:.4f}".rstrip("0").rstrip(".")


def _field(value: Any) -> str:
    plain = _plain(value)
    if isinstance(plain, str):
        return _no_formula(plain)
    return msgspec.json.encode(plain).decode()


def _no_formula(text: str) -> str:
    return f"'{text}" if _FORMULA.match(text) and not _NUMBER.fullmatch(text) else text


def _plain(value: Any) -> Any:
    """Return a value of DuckDB's as JSON can hold it; what is no number there (infinite, undefined) becomes text."""
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    if isinstance(value, Decimal):
        near = float(value)
        return near if Decimal(repr(near)) == value else str(value)
    if isinstance(value, UUID | timedelta):
        return str(value)
    if isinstance(value, bytes | bytearray | memoryview):
        return bytes(value).hex()
    if isinstance(value, dict):
        return {str(_plain(name)): _plain(held) for name, held in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_plain(held) for held in value]
    return str(value)


def _is_number(kind: str) -> bool:
    return kind.endswith("INT") or kind.startswith(("INTEGER", "UINTEGER", "FLOAT", "DOUBLE", "DECIMAL"))
