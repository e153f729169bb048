"""Tests can fail: for each slip of one line in the kernel, or in a game that breaks a law, some test does."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.mutations import MUTATIONS, Mutation
from tests.stressed import part_of

HOUSE = Path(__file__).parent.parent.parent
TAKEN = ("core", "events", "replay", "tests", "pyproject.toml")


def copy_of_the_house(to: Path) -> Path:
    """Copy what the kernel's tests need: no real game, so that a slip is seen by the kernel's own tests."""
    games = HOUSE / "core" / "games"

    def left_out(folder: str, names: list[str]) -> set[str]:
        unwanted = {name for name in names if name in ("__pycache__", "bench", "events", "replay", "games")}
        if Path(folder) == HOUSE / "core":
            unwanted.discard("games")
        if Path(folder) == games:
            unwanted |= {name for name in names if (games / name).is_dir()}
        return unwanted if Path(folder) != HOUSE else set()

    to.mkdir()
    for name in TAKEN:
        if (HOUSE / name).is_dir():
            shutil.copytree(HOUSE / name, to / name, ignore=left_out)
        else:
            shutil.copy(HOUSE / name, to / name)
    return to


def run(house: Path, *tests: str) -> subprocess.CompletedProcess[str]:
    """Run tests in a copy of the house, in their own order, up to the first that fails."""
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-x",
        "-q",
        "-p",
        "no:randomly",
        "-p",
        "no:cacheprovider",
        *tests,
    ]
    clean = {key: value for key, value in os.environ.items() if not key.startswith(("PYTEST", "LAWSPEAKER"))}
    return subprocess.run(
        command,
        cwd=house,
        env=clean | {"PYTHONDONTWRITEBYTECODE": "1"},
        check=False,
        capture_output=True,
        text=True,
    )


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Make a test of each slip that is taken."""
    if "mutation" in metafunc.fixturenames:
        slips = part_of(MUTATIONS, metafunc.config, every=10)
        metafunc.parametrize("mutation", slips, ids=[mutation.name for mutation in slips])


@pytest.mark.stress
def test_a_test_fails_for_each_slip_of_one_line(mutation: Mutation, tmp_path: Path) -> None:
    """The slip is made in a copy, and the tests that it names are run there: one fails, and all could be imported."""
    house = copy_of_the_house(tmp_path / "house")
    mutation.make(house)
    done = run(house, mutation.killer)
    assert done.returncode == 1, (
        f"{mutation.name}: nothing failed\n{done.stdout[-2000:]}{done.stderr[-2000:]}"
    )


@pytest.mark.stress
def test_without_a_slip_the_same_tests_pass_in_the_copy(tmp_path: Path, pytestconfig: pytest.Config) -> None:
    """The copy is the house itself and is what is tested there; else every slip would seem to be noticed."""
    house = copy_of_the_house(tmp_path / "house")
    done = run(house, *sorted({mutation.killer for mutation in part_of(MUTATIONS, pytestconfig, every=10)}))
    assert done.returncode == 0, done.stdout[-3000:]
    where = subprocess.run(
        [sys.executable, "-c", "import core, events; print(core.__file__, events.__file__)"],
        cwd=house, check=True, capture_output=True, text=True,
    ).stdout  # fmt: skip
    assert where.count(str(house)) == 2


def test_every_slip_stands_in_the_house_once(tmp_path: Path) -> None:
    """A slip whose text is no longer there proves nothing: it must be brought up to date."""
    assert len({mutation.name for mutation in MUTATIONS}) == len(MUTATIONS)
    assert sum(mutation.file.startswith("core/") for mutation in MUTATIONS) >= 25
    for mutation in MUTATIONS:
        copy = tmp_path / mutation.file
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(HOUSE / mutation.file, copy)
        mutation.make(tmp_path)
        assert (HOUSE / mutation.killer).is_file()
