"""What the tests of the table lean on: the toy games, found like any other."""

from collections.abc import Iterator
from typing import Any

import pytest

import core.games
from core.rules import Rules
from tests.laws.worlds import games


@pytest.fixture(scope="session")
def skirmish() -> Iterator[Rules[Any]]:
    """The toy games among the games found, and the smallest of them."""
    held = games()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(core.games, "found", lambda: tuple(sorted(held)))
        patch.setattr(core.games, "load", held.__getitem__)
        yield held["skirmish"]
