"""Older shapes: what facts of this game were called in earlier logs, and how they are read today.

| older | today | since |
|---|---|---|
| `ItemsTaken(seat, loser)` | `StoreTaken(seat, loser)` | stores came to hold more than items (QD-H46) |
"""

from collections.abc import Mapping
from typing import Any

from events.upcasting import Hop

__all__ = ["OLDER_FACTS"]


def _items_are_a_store(raw: dict[str, Any]) -> list[dict[str, Any]]:
    return [{**raw, "Fact": "StoreTaken"}]


OLDER_FACTS: Mapping[str, tuple[tuple[str, ...], Hop]] = {"ItemsTaken": (("StoreTaken",), _items_are_a_store)}
"""The hops from each older fact to the next, as `core.rules.Rules.older_facts` takes them."""
