"""Logs as tables: the reader that streams lines into typed DuckDB tables.

`sources` finds the logs; `rows` turns the lines of one into rows, with `shapes` to read them and `fights` to follow
battles; `loading` brings the rows to DuckDB in batches; `columns` says what every column holds.
"""

from replay.tables.columns import TABLES, Column
from replay.tables.loading import load
from replay.tables.sources import Damaged, Reading, Source

__all__ = ["TABLES", "Column", "Damaged", "Reading", "Source", "load"]
