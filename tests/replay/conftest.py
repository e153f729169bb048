"""What the tests of the table lean on: the toy games, found like any other."""

from collections.abc import Iterator
from typing import Any

import pytest

import core.games
from core.rules import Rules
from tests.laws.worlds import names, rules_of


@pytest.fixture
def skirmish() -> Iterator[Rules[Any]]:
    """The toy games among the games found, and the smallest of them."""
    toys = {name: rules_of(name) for name in names() if name not in core.games.found()}
    real, found = core.games.load, tuple(names())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(core.games, "found", lambda: found)
        patch.setattr(core.games, "load", lambda name: toys[name] if name in toys else real(name))
        yield toys["skirmish"]
