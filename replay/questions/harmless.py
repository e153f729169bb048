"""What free SQL may be: one statement that reads. Anything else is refused with a sentence, before it runs."""

import re
from collections.abc import Iterator
from typing import Any

import duckdb
from msgspec import json

from replay.questions.faults import BadQuestion

__all__ = ["sentence", "single_select"]


_TAKEN = "what is taken is one SELECT, WITH, DESCRIBE, SHOW or EXPLAIN"
_BLANK = r"(?:\s|--[^\n]*\n|/\*.*?\*/)*"
_EXPLAIN = re.compile(
    rf"{_BLANK}EXPLAIN\b{_BLANK}(?:ANALYZE\b)?{_BLANK}(?:\([^()]*\))?", re.IGNORECASE | re.DOTALL
)
# Functions in FROM that make rows out of nothing or describe our own tables. Others read files, take pointers into
# memory, or hide a second statement in a text.
_FUNCTIONS = frozenset({
    "duckdb_columns", "duckdb_functions", "duckdb_tables", "duckdb_types", "duckdb_views", "generate_series",
    "json_each", "json_tree", "pragma_table_info", "range", "repeat", "repeat_row", "summary", "unnest",
})  # fmt: skip


def single_select(connection: duckdb.DuckDBPyConnection, text: str) -> str:
    """Return the one statement of a text, which only reads; raise `BadQuestion` for anything else."""
    statements = connection.extract_statements(text)
    if not statements:
        raise BadQuestion(f"nothing was asked; {_TAKEN}")
    if len(statements) > 1:
        raise BadQuestion(f"these are {len(statements)} statements; {_TAKEN}")
    statement: str = statements[0].query
    kind = statements[0].type.name
    reads = statement
    if kind == "EXPLAIN":
        reads = _EXPLAIN.sub("", statement, count=1)
    elif kind != "SELECT":
        raise BadQuestion(f"{kind} is not taken here; {_TAKEN}")
    for function in _functions(_tree(connection, reads)):
        if function not in _FUNCTIONS:
            raise BadQuestion(
                f"the function {function} is not taken here in FROM; there are: {', '.join(sorted(_FUNCTIONS))}"
            )
    return statement


def _tree(connection: duckdb.DuckDBPyConnection, reads: str) -> Any:
    ((text,),) = connection.execute("SELECT json_serialize_sql($1::VARCHAR)", [reads]).fetchall()
    tree = json.decode(text)
    if tree.get("error"):
        raise BadQuestion(f"this is no plain SELECT ({tree.get('error_message', 'unknown')}); {_TAKEN}")
    return tree


def _functions(tree: Any) -> Iterator[str]:
    """Yield the name of every function that stands in a FROM, at any depth."""
    open_nodes = [tree]
    while open_nodes:
        node = open_nodes.pop()
        if isinstance(node, dict):
            if node.get("type") == "TABLE_FUNCTION":
                yield str(node.get("function", {}).get("function_name", "?")).lower()
            open_nodes.extend(node.values())
        elif isinstance(node, list):
            open_nodes.extend(node)


def sentence(fault: Exception) -> str:
    """Return what DuckDB says of a fault as one sentence, with the line of the SQL if it names one."""
    lines = [line.strip() for line in str(fault).splitlines()]
    said = [line for line in lines if line and not line.startswith("^")]
    at = next((found[1] for line in said if (found := re.match(r"LINE (\d+):", line))), "")
    told = " ".join(line for line in said if not line.startswith("LINE ")) or type(fault).__name__
    return f"line {at}: {told}" if at else told
