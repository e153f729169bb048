"""What the tests of the table lean on: the toy game, found like any other."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import core.games
from core.rules import Rules


@pytest.fixture(scope="session")
def skirmish() -> Iterator[Rules[Any]]:
    """The toy game, as a further folder among the games."""
    toys = str(Path(__file__).parent.parent / "toys")
    core.games.__path__.append(toys)
    core.games.found.cache_clear()
    core.games.load.cache_clear()
    yield core.games.load("skirmish")
    core.games.__path__.remove(toys)
    core.games.found.cache_clear()
    core.games.load.cache_clear()
