"""Every law runs for every game found, and over games played at random."""

from collections.abc import Callable, Iterator

import pytest

from tests.driver import Table
from tests.laws.worlds import KINDS, names, played

FULL = 40
"""How many seeds of each kind of play a full run takes."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Give each law every game, and each kind of play to those that look at games that were played."""
    if "name" in metafunc.fixturenames:
        metafunc.parametrize("name", names())
    if "kind" in metafunc.fixturenames:
        metafunc.parametrize("kind", KINDS)


@pytest.fixture
def tables(name: str, kind: str, rounds: Callable[[int], int]) -> Iterator[list[Table]]:
    """Games of one kind of play, the same for every law; the views of all seats are kept for one law only."""
    games = [played(name, kind, seed) for seed in range(rounds(FULL))]
    yield games
    for table in games:
        table._views.clear()
