"""Logs as tables: the reader that streams lines into typed DuckDB tables.

`sources` finds the logs; `staging` reads the lines of one, with `shapes` to decode them and `fights` to follow battles;
`loading` brings them to DuckDB in batches, where the SQL of `filling` takes them apart. What every column holds is said
in `replay.questions.columns`.
"""

from replay.questions.columns import TABLES, Column
from replay.questions.tables.loading import load
from replay.questions.tables.sources import Damaged, Reading, Source

__all__ = ["TABLES", "Column", "Damaged", "Reading", "Source", "load"]
