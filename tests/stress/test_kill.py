"""A writer is killed at any moment, again and again: what it acknowledged is there."""

import random
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from events.chain import check_chain, hash_of
from events.store import Store
from events.stores import open_store
from tests.events.lines import HOUSE

pytestmark = pytest.mark.stress


@pytest.mark.parametrize(("name", "full"), (("games.sqlite", 200), ("games", 100)))
def test_a_writer_that_is_killed_hundreds_of_times_loses_no_acknowledged_entry(
    tmp_path: Path, rounds: Callable[[int], int], name: str, full: int
) -> None:
    """Four threads on three games, killed by a signal that nobody can catch; the same store goes on through all rounds."""
    dice = random.Random(5)
    acknowledged: list[str] = []
    for number in range(rounds(full)):
        acknowledged += _killed(tmp_path / name, f"r{number}", dice.random() * 0.25)
        if number % 10 == 9:
            _holds(open_store(tmp_path / name), acknowledged)
    assert len(acknowledged) > rounds(full)
    _holds(open_store(tmp_path / name), acknowledged)


def _killed(path: Path, name: str, moment: float) -> list[str]:
    """Run a writer, kill it some time after its first acknowledgement, and return all that it acknowledged."""
    program = [sys.executable, "-m", "tests.stress.client", str(path), name, "4", "0", "g0", "g1", "g2"]
    with subprocess.Popen(program, cwd=HOUSE, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout
        first = writer.stdout.readline()
        time.sleep(moment)
        writer.kill()
        return [first, *writer.stdout]


def _holds(store: Store, acknowledged: list[str]) -> None:
    """See that every acknowledged entry is there, in logs that are whole."""
    lines = {(game, stored.id): stored for game in store.games() for stored in store.read(game)}
    for said in acknowledged:
        game, entry, hash_, key = said.split()
        assert hash_of(lines[game, int(entry)].line) == hash_
        assert len(lines[game, int(entry)].openings) == 1
        assert store.find(game, key) == int(entry)
    for game in store.games():
        assert list(check_chain([each.line for each in store.read(game)], store.head(game))) == []
    assert [said for said in store.check() if "torn" not in said] == []
    assert len(list(store.follow(wait=0))) == len(lines)
    store.close()
