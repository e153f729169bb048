"""Counts in texts for people: one helper makes them, and no text makes a plural by itself."""

import ast
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from events.counting import plural

HOUSE = Path(__file__).parents[1]
ROOTS = ("api", "core", "events", "replay")
MANY = re.compile(
    r" (?:[a-z]+ )?(?:units|ships|DragonLords|hits|zones|rolls|entries|lines|bytes|sections|points|treasures|cards|territories|"
    r"users|games|rows|openings|lands)\b"
)
BOUND = re.compile(r"[A-Z_]+|.*\b(MOST\w*|LONGEST\w*)\b.*|range_of\(seat\)|.*:,.*")
"""Numbers that are never one: what is bounded, and how far."""
NO_COUNTS = frozenset(
    ["seat", "self.seat", "roll.owner", "fact.owner", "shield", "kind", "before", "reading.as_seat", "path"]
)
"""What stands before such a word and is no count."""
NEVER_ONE = frozenset(
    (
        "lines", "rows", "count", "lords", "army.size", "len(told)", "len(held)", "start.entry", "known.id",
        "gained[seat] - owed", "len(TREASURES)", "self._most", "self._plan.most",
    )
)  # fmt: skip
"""Counts that are more than one where their text is reached, or have a sign."""


def counted_by_hand() -> Iterator[str]:
    """Yield where a text writes a number and a plural beside each other."""
    for path in sorted(each for root in ROOTS for each in (HOUSE / root).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            values = node.values if isinstance(node, ast.JoinedStr) else []
            for one, after in pairwise(values):
                if not isinstance(one, ast.FormattedValue) or not isinstance(after, ast.Constant):
                    continue
                said = ast.unparse(one.value)
                if not MANY.match(str(after.value)) or said.startswith(("plural(", "units_words(")):
                    continue
                if said not in NO_COUNTS | NEVER_ONE and not BOUND.fullmatch(said):
                    yield f"{path.relative_to(HOUSE)}:{one.lineno}: {{{said}}}{str(after.value)[:30]}"


def test_no_text_writes_a_number_before_a_plural_of_its_own() -> None:
    """So none says `1 units`; what can't be one is listed above."""
    assert list(counted_by_hand()) == []


@pytest.mark.parametrize(
    ("count", "one", "said"),
    (
        (0, "unit", "0 units"), (1, "unit", "1 unit"), (2, "entry", "2 entries"), (3, "way", "3 ways"), (2, "torch", "2 torches"),
        (2, "success", "2 successes"), (12_000, "roll", "12,000 rolls"), (1, "empty territory", "1 empty territory"),
    ),
)  # fmt: skip
def test_what_is_counted_agrees_with_its_number(count: int, one: str, said: str) -> None:
    """As in English."""
    assert plural(count, one) == said


def test_a_verb_that_hangs_on_the_count_agrees_too() -> None:
    """It is given with both."""
    assert [plural(n, "unit stays", "units stay") for n in (1, 2)] == ["1 unit stays", "2 units stay"]
