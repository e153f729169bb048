"""How much a scoresheet or position may hold: judged before it is read, for what is to be read may be anybody's."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from replay.words.faults import Fault

__all__ = [
    "DEEPEST",
    "LONGEST_NUMBER",
    "MOST_LINES",
    "MOST_ROWS",
    "too_many_lines",
    "too_many_rows",
    "unreadable",
]

MOST_LINES = 5_000
"""Lines of a scoresheet; a long evening fills under a thousand."""
MOST_ROWS = 2_000
"""Tables and keys at the top of a position; a whole board takes some hundreds."""
MOST_POSITION_LINES = 20_000
DEEPEST = 50
"""Dots outside texts in one line of a position: each opens a table in the last."""
LONGEST_NUMBER = 18
"""Digits of a number in a position."""

_TEXT = re.compile(
    r'''"""(?:\\.|[^\\])*?(?:"""|\Z)|\'{3}.*?(?:\'{3}|\Z)|"(?:\\[^\n]|[^"\\\n])*+"?|'[^'\n]*+'?|\#[^\n]*''',
    re.DOTALL,
)
_NUMBER = re.compile(rf"(?<![\w-])(?:0[xob]\w{{{LONGEST_NUMBER + 1}}}|\d(?:_?\d){{{LONGEST_NUMBER}}})")


def too_many_lines(text: str) -> Fault | None:
    """Return what is wrong with a scoresheet that has more lines than `MOST_LINES`."""
    lines = text.count("\n") + (not text.endswith("\n"))
    if lines <= MOST_LINES:
        return None
    return Fault(f"the sheet has {lines:,} lines", f"at most {MOST_LINES:,}; split it where an evening ends")


def unreadable(text: str) -> Iterator[Fault]:
    """Yield what in a text in TOML would take too much to read: its lines, its dots in a line, its digits in a number."""
    lines = text.count("\n") + 1
    if lines > MOST_POSITION_LINES:
        yield Fault(f"the position has {lines:,} lines", f"at most {MOST_POSITION_LINES:,}")
        return
    bare = _TEXT.sub(lambda held: "\n" * held[0].count("\n"), text)
    for number, line in enumerate(bare.split("\n"), 1):
        if (dots := line.count(".")) > DEEPEST:
            yield Fault(f"the line has {dots:,} dots outside texts", f"at most {DEEPEST}", line=number)
        if _NUMBER.search(line):
            expected = f"a number of at most {LONGEST_NUMBER} digits"
            yield Fault("the number is too long", expected, line=number)


def too_many_rows(plain: Mapping[str, Any]) -> Fault | None:
    """Return what is wrong with a position that has more rows than `MOST_ROWS`."""
    rows = sum(len(held) if isinstance(held, list | dict) else 1 for held in plain.values())
    if rows <= MOST_ROWS:
        return None
    return Fault(f"the position has {rows:,} rows", f"at most {MOST_ROWS:,}, all its tables together")
