"""Several processes on one store: no busy error, no fork, one winner."""

import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from events.chain import check_chain
from events.store import Appended, WrongHead
from events.stores import open_store
from tests.events.lines import HOUSE, line_after

pytestmark = pytest.mark.stress


@pytest.mark.parametrize(("name", "full"), (("games.sqlite", 2_000), ("games", 300)))
def test_four_processes_on_one_store_see_no_busy_error_and_no_fork(
    tmp_path: Path, rounds: Callable[[int], int], name: str, full: int
) -> None:
    """Two threads each, on one shared game and one of their own; a fifth follows, and misses nothing."""
    path, count = tmp_path / name, rounds(full) // 2
    open_store(path).close()
    program = [sys.executable, "-m", "tests.stress.client", str(path)]
    following = [
        subprocess.Popen(
            [*program, f"p{number}", "2", str(count), "shared", f"own{number}"],
            cwd=HOUSE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for number in range(4)
    ]
    store = open_store(path)
    total = 4 * 2 * count
    with ThreadPoolExecutor(5) as pool:
        said = [pool.submit(process.communicate) for process in following]
        seen = []
        for stored in store.follow(wait=60):
            seen.append(stored)
            if len(seen) == total:
                break
        told = [future.result() for future in said]
    assert [process.returncode for process in following] == [0, 0, 0, 0], told
    acknowledged = [line.split() for out, _ in told for line in out.splitlines()]
    assert len(acknowledged) == len({(game, entry) for game, entry, *_ in acknowledged}) == total
    assert seen == list(store.follow(wait=0))
    assert {(stored.game, str(stored.id)) for stored in seen} == {
        (game, entry) for game, entry, *_ in acknowledged
    }
    for game in store.games():
        assert list(check_chain([each.line for each in store.read(game)], store.head(game))) == []
    assert store.check() == []
    store.close()


@pytest.mark.parametrize(("name", "full"), (("games.sqlite", 1_000), ("games", 500)))
def test_of_two_writers_that_answer_one_question_one_wins_and_the_other_learns_what_happened(
    tmp_path: Path, rounds: Callable[[int], int], name: str, full: int
) -> None:
    """Again and again: one entry is kept, and who lost is told the head that stands, and reads what came since."""
    stores = [open_store(tmp_path / name) for _ in range(2)]
    start = threading.Barrier(2)
    won = [0, 0]

    def answer(number: int) -> Appended | WrongHead:
        line = line_after(head, key=f"{head.id}.{number}")
        start.wait()
        if head.id % 4 == 2 * number:
            time.sleep(0.005)  # now and then one comes late, so that on any machine each wins sometimes
        try:
            return stores[number].append("g", line, expected=head, key=f"{head.id}.{number}")
        except WrongHead as lost:
            return lost

    with ThreadPoolExecutor(2) as pool:
        for _ in range(rounds(full)):
            head = stores[0].head("g")
            answers = list(pool.map(answer, range(2)))
            (winner,) = (number for number, each in enumerate(answers) if isinstance(each, Appended))
            won[winner] += 1
            end, lost = answers[winner], answers[1 - winner]
            assert isinstance(end, Appended)
            assert isinstance(lost, WrongHead)
            assert (lost.expected, lost.actual) == (head, end.head)
            assert [each.id for each in stores[1 - winner].read("g", head.id)] == [head.id + 1]
    assert stores[0].head("g").id == rounds(full)
    assert min(won) > 0
    for store in stores:
        assert list(check_chain([each.line for each in store.read("g")], store.head("g"))) == []
        store.close()
