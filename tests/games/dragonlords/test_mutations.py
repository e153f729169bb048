"""Rules that are broken on purpose are noticed: for each, in a copy of the house, some test fails."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.games.dragonlords import RULES
from replay.coverage import cover
from tests.core.test_mutations import HOUSE, run
from tests.games.dragonlords.mutations import BROKEN
from tests.mutations import Mutation
from tests.stressed import part_of

SECTIONS = [one.id for one in cover(RULES, HOUSE / "tests") if one.status == "enforced"]
"""The sections that the code and the tests hold, in the order of the book."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Make a test of each rule that is broken."""
    if "broken" in metafunc.fixturenames:
        rules = part_of(BROKEN, metafunc.config, every=10)
        metafunc.parametrize("broken", rules, ids=[rule.name for rule in rules])


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Yield a copy of the house, with this game and its recordings and tests in it."""
    to = tmp_path_factory.mktemp("broken") / "house"
    to.mkdir()
    unwanted = shutil.ignore_patterns("__pycache__", "bench", "stress", "api")
    for name in ("core", "events", "replay", "tests", "fixtures"):
        shutil.copytree(HOUSE / name, to / name, ignore=unwanted)
    shutil.copy(HOUSE / "pyproject.toml", to / "pyproject.toml")
    yield to
    shutil.rmtree(to)


@pytest.mark.stress
def test_a_test_fails_for_each_rule_that_is_broken(broken: Mutation, house: Path) -> None:
    """The rule is broken in the copy, the tests that it names are run there, and the copy is mended again."""
    path = house / broken.file
    whole = path.read_bytes()
    try:
        broken.make(house)
        done = run(house, broken.killer)
    finally:
        path.write_bytes(whole)
    assert done.returncode == 1, f"{broken.name}: nothing failed\n{done.stdout[-2000:]}{done.stderr[-2000:]}"


@pytest.mark.stress
def test_with_no_rule_broken_the_same_tests_pass_in_the_copy(
    house: Path, pytestconfig: pytest.Config
) -> None:
    """Else every broken rule would seem to be noticed."""
    done = run(house, *sorted({rule.killer for rule in part_of(BROKEN, pytestconfig, every=10)}))
    assert done.returncode == 0, done.stdout[-3000:]


def test_every_rule_that_is_broken_stands_in_the_code_once(tmp_path: Path) -> None:
    """One whose text is no longer there proves nothing: it must be brought up to date."""
    assert len({rule.name for rule in BROKEN}) == len(BROKEN)
    for rule in BROKEN:
        copy = tmp_path / rule.file
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(HOUSE / rule.file, copy)
        rule.make(tmp_path)
        assert (HOUSE / rule.killer).is_file()


def test_a_rule_is_broken_in_each_section_that_is_enforced() -> None:
    """So that no section rests on tests that cannot fail."""
    broken = {re.match(r"QD-\d+\.\d+(?=: )", rule.name)[0] for rule in BROKEN}  # type: ignore[index]
    assert set(SECTIONS) - broken == set()
    assert broken <= set(SECTIONS)
