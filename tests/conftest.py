"""What every test may lean on: how much of a crash or fuzz rig to run, and Hypothesis set to match."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from tests import driver
from tests.stressed import is_full

# A law over whole games is slow by nature, and a busy machine slower still:
# only the number of examples is bounded.
settings.register_profile(
    "tenth",
    max_examples=100,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
settings.register_profile("full", settings.get_profile("tenth"), max_examples=1_000)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add --full-stress; LAWSPEAKER_STRESS=full in the environment says the same."""
    parser.addoption(
        "--full-stress", action="store_true", help="run crash and fuzz rigs in full, not a tenth of them"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Let the laws try ten times as many examples under full stress, unless a profile was named."""
    if not config.getoption("--hypothesis-profile", default=None):
        settings.load_profile("full" if is_full(config) else "tenth")


@pytest.fixture(scope="session")
def rounds(pytestconfig: pytest.Config) -> Callable[[int], int]:
    """How many of a rig's full count of rounds to run now: all under full stress, else a tenth, never none."""
    divisor = 1 if is_full(pytestconfig) else 10
    return lambda full: max(1, full // divisor)


@pytest.fixture
def given() -> Iterator[Callable[..., driver.Table]]:
    """Open games at tables: `given(RULES, *position).dice(3, 4).when("red", Throw("blue")).then(...)`.

    When the test is over, each table's script must be used up and its log lawful.
    """
    tables: list[driver.Table] = []

    def open_a_game(*args: Any, **kwargs: Any) -> driver.Table:
        tables.append(driver.given(*args, **kwargs))
        return tables[-1]

    yield open_a_game
    for table in tables:
        table.leave()
