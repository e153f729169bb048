"""The disk is full, or fails: an error, nothing lost, and the store goes on when there is room again."""

import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import apsw
import pytest

from events.chain import Head, check_chain, hash_of
from events.sqlite import SqliteStore
from events.store import StoreError
from tests.events.lines import HOUSE, append, fill
from tests.stress.disk import Disk, RecordingVFS

pytestmark = pytest.mark.stress


@pytest.mark.parametrize("fault", (apsw.FullError, apsw.IOError))
def test_a_disk_that_fails_at_any_write_or_sync_costs_no_acknowledged_entry(
    tmp_path: Path, rounds: Callable[[int], int], fault: type[apsw.Error]
) -> None:
    """Two hundred moments: whatever fails there, and for how long; afterwards the same store goes on."""
    for seed in range(rounds(200)):
        dice = random.Random(seed)
        name = f"full{seed}"
        vfs = RecordingVFS(name, Disk())
        vfs.fault = fault
        store = SqliteStore(tmp_path / f"{seed}.sqlite", vfs=name)
        kept = [fill(store, "g", dice.randint(1, 5))]
        vfs.left = dice.randint(1, 12)
        failed = _append_until_it_fails(store, kept, dice)
        for _ in range(dice.randint(0, 3)):
            with pytest.raises(StoreError):
                append(store, "g", note="still full")
        vfs.left = None
        _goes_on(store, kept, failed)
        store.close()
        again = SqliteStore(tmp_path / f"{seed}.sqlite")
        _goes_on(again, kept, failed)
        again.close()
        vfs.unregister()


def _append_until_it_fails(store: SqliteStore, kept: list[Head], dice: random.Random) -> str:
    """Note each head that was acknowledged, and return the key of the append that was not."""
    while True:
        key = f"try{len(kept)}"
        try:
            kept.append(append(store, "g", key=key, note="x" * dice.choice((10, 3_000, 9_000))))
        except StoreError:
            return key


def _goes_on(store: SqliteStore, kept: list[Head], failed: str) -> None:
    """See that all that was acknowledged is there, and nothing else but perhaps the append that failed."""
    kept.append(append(store, "g"))
    stored = list(store.read("g"))
    assert list(check_chain([each.line for each in stored], store.head("g"))) == []
    assert {head: hash_of(stored[head.id - 1].line) for head in kept} == {head: head.hash for head in kept}
    extra = {each.id for each in stored} - {head.id for head in kept} - set(range(1, kept[0].id))
    assert extra <= {store.find("g", failed)}
    assert store.check() == []


@pytest.mark.parametrize("name", ("games.sqlite", "games"))
def test_a_limit_of_the_operating_system_fails_cleanly_and_recovers(tmp_path: Path, name: str) -> None:
    """No file may grow beyond a limit, then beyond another: after each the store goes on where it was."""
    program = """
import resource, sys
from pathlib import Path
from events.chain import check_chain
from events.store import StoreError
from events.stores import open_store
from tests.events.lines import append, fill

store = open_store(Path(sys.argv[1]))
fill(store, "g", 5)
for _ in range(3):
    head = store.head("g")
    size = max(file.stat().st_size for file in Path(sys.argv[1]).parent.rglob("*")) + 30_000
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))
    try:
        while True:
            head = append(store, "g", note="x" * 900)
    except StoreError as fault:
        print(fault)
    assert store.head("g") == head, (store.head("g"), head)
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    fill(store, "g", 3)
    lines = [stored.line for stored in store.read("g")]
    assert list(check_chain(lines, store.head("g"))) == []
    assert len(lines) == head.id + 3
    assert store.check() == []
store.close()
assert open_store(Path(sys.argv[1])).check() == []
"""
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path / name)],
        cwd=HOUSE,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count(name) == 3
