"""The power is cut: no acknowledged entry is lost, and nothing half is taken for whole."""

import itertools
import random
import shutil
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import events.jsonl.disk
from events.chain import Head, check_chain, hash_of
from events.jsonl import JsonlStore
from events.sqlite import SqliteStore, connections, writing
from events.store import Store, WrongHead
from tests.events.lines import line_after, opening
from tests.stress.disk import Act, Disk, RecordingOs, RecordingVFS, after_cut

pytestmark = pytest.mark.stress

Kind = type[SqliteStore] | type[JsonlStore]
NAMES: dict[Kind, str] = {SqliteStore: "games.sqlite", JsonlStore: ""}
CUTS = 6
"""Cuts that are tried on what one seed wrote."""


def test_a_power_cut_loses_nothing_that_the_sqlite_store_acknowledged(
    tmp_path: Path, rounds: Callable[[int], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """200 seeds: four threads append while checkpoints run; six cuts each."""
    monkeypatch.setattr(writing, "PAGES", 20)
    for seed in range(rounds(200)):
        acts = _sqlite_acts(tmp_path / str(seed), seed)
        for folder, acknowledged in _cuts(acts, tmp_path, seed):
            assert _lost(folder / "games.sqlite", SqliteStore, acknowledged) == []


def test_this_rig_finds_a_store_that_syncs_too_little(
    tmp_path: Path, rounds: Callable[[int], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With synchronous=NORMAL the very same cuts do lose acknowledged entries."""
    monkeypatch.setitem(connections._SETTINGS, "synchronous", 1)
    lost = 0
    for seed in range(rounds(50)):
        acts = _sqlite_acts(tmp_path / str(seed), seed)
        for folder, acknowledged in _cuts(acts, tmp_path, seed):
            lost += len(_lost(folder / "games.sqlite", SqliteStore, acknowledged))
    assert lost > 0


def test_a_power_cut_loses_nothing_that_the_jsonl_store_acknowledged(
    tmp_path: Path, rounds: Callable[[int], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """200 seeds, six cuts each: lines, openings and heads."""
    for seed in range(rounds(200)):
        acts = _jsonl_acts(tmp_path / str(seed), seed, monkeypatch)
        for left, acknowledged in _cuts(acts, tmp_path, seed):
            assert _lost(left, JsonlStore, acknowledged) == []


@pytest.mark.parametrize("kind", (SqliteStore, JsonlStore))
def test_a_second_power_cut_after_a_first_loses_nothing_either(
    tmp_path: Path, rounds: Callable[[int], int], monkeypatch: pytest.MonkeyPatch, kind: Kind
) -> None:
    """100 seeds, four pairs of cuts each: the store goes on with what the first cut left, and the power is cut again."""
    monkeypatch.setattr(writing, "PAGES", 20)
    for seed in range(rounds(100)):
        folder = tmp_path / str(seed)
        folder.mkdir()
        acts = _acts(kind, folder, seed, monkeypatch)
        shutil.rmtree(folder)
        for left, acknowledged in _cuts(acts, tmp_path, seed, count=2):
            again = _acts(kind, left, seed + 1_000, monkeypatch)
            for twice, more in _cuts(again, tmp_path, seed + 1_000, count=2):
                assert _lost(twice / NAMES[kind], kind, [*acknowledged, *more]) == []


def _acts(kind: Kind, folder: Path, seed: int, monkeypatch: pytest.MonkeyPatch) -> list[Act]:
    return _sqlite_acts(folder, seed) if kind is SqliteStore else _jsonl_acts(folder, seed, monkeypatch)


def _jsonl_acts(folder: Path, seed: int, monkeypatch: pytest.MonkeyPatch) -> list[Act]:
    """Append to a store on a recording disk, and return all that was done to it."""
    folder.mkdir(exist_ok=True)
    disk = Disk()
    disk.hold(folder)
    with monkeypatch.context() as patched:
        patched.setattr(events.jsonl.disk, "os", RecordingOs(disk))
        store = JsonlStore(folder)
        _write(store, disk, random.Random(seed), 12)
        store.close()
    return disk.acts


def _sqlite_acts(folder: Path, seed: int) -> list[Act]:
    """Let four threads append to a store on a recording disk, and return all that was done to it."""
    folder.mkdir(exist_ok=True)
    disk = Disk()
    disk.hold(folder)
    vfs = RecordingVFS(f"cut{seed}", disk)
    store = SqliteStore(folder / "games.sqlite", vfs=f"cut{seed}")
    threads = [
        threading.Thread(target=_write, args=(store, disk, random.Random(seed * 4 + number), 12))
        for number in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    store.close()
    vfs.unregister()
    return disk.acts


def _write(store: Store, disk: Disk, dice: random.Random, count: int) -> None:
    """Append to a few games, and note each acknowledgement as it comes."""
    for number in range(count):
        game, key = f"g{dice.randrange(3)}", f"{dice.random()}"
        told = dice.random() < 0.3
        while True:
            head = store.head(game)
            line = line_after(head, key, "x" * dice.choice((1, 300, 5_000)))
            openings = [opening(head.id + 1, value=b'"%d"' % number)] if told else []
            try:
                answer = store.append(game, line, expected=head, key=key, openings=openings)
            except WrongHead:
                continue
            disk.note((game, answer.head, key, told))
            break


def _cuts(acts: list[Act], tmp_path: Path, seed: int, count: int = CUTS) -> Iterator[tuple[Path, list[Any]]]:
    """Yield folders as cuts at random moments may leave them, with what had been acknowledged by then."""
    dice = random.Random(seed)
    for number in range(count):
        folder = tmp_path / f"cut{seed}.{number}"
        folder.mkdir()
        # What lay there when the disk was taken is safe, up to the first sync of the folder.
        first = next(at for at, act in enumerate(acts) if act.kind == "sync folder")
        yield folder, after_cut(acts[: dice.randint(first + 1, len(acts))], folder, dice)
        shutil.rmtree(folder)


def _lost(path: Path, kind: Kind, acknowledged: list[Any]) -> list[Any]:
    """Return the acknowledged entries that are gone; whatever is there must be whole, and be written on."""
    if not path.exists():
        return acknowledged
    store = kind(path)
    # Of all games: what was never acknowledged may be there or not, but is never half there.
    for game in store.games():
        stored = list(store.read(game))
        assert list(check_chain([each.line for each in stored], store.head(game))) == []
    lines = {(game, each.id): each for game in store.games() for each in store.read(game)}
    lost = [
        (game, head)
        for game, head, key, told in acknowledged
        if (game, head.id) not in lines
        or hash_of(lines[game, head.id].line) != head.hash
        or bool(lines[game, head.id].openings) != told
        or store.find(game, key) != head.id
    ]
    head = store.head("g0")
    assert store.append("g0", line_after(head), expected=head).head.id == head.id + 1
    # A cut in the very first append of a game leaves its line without a head, or a torn line.
    known = {game for game, *_ in acknowledged} | {"g0"}
    assert [
        said for said in store.check() if "torn" not in said and any(f"/{game}." in said for game in known)
    ] == []
    assert len(list(store.follow(wait=0))) == sum(store.head(game).id for game in store.games())
    store.close()
    assert Head() not in itertools.chain(head for _, head, *_ in acknowledged)
    return lost
