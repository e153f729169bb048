"""`make bench`: what the engine does in a second, as shares of a floor taken in turns with it in the same run.

Machines are shared and noisy: read the ratios, not the bare figures. A ratio is to plain msgspec decoding of the same
lines, in facts, unless its row says otherwise. `aim` is the least that is worth having, `goal` what a careful engine
should reach.
"""

import argparse
import gc
import statistics
import sys
import time
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from core.deciding import opening
from core.folding import fold, fold_all
from core.games import load
from core.rules import Rules
from events.chain import Head, hash_of
from events.seals import Opening
from replay.verifying.verify import verify_log
from tests import driver

ROUNDS = 7


@dataclass(frozen=True)
class Row:
    """One line of the table: what was measured, its share of the floor, the aim and the goal, and a bare figure."""

    name: str
    share: float
    aim: float
    goal: float
    figure: str

    def __str__(self) -> str:
        verdict = "goal" if self.share >= self.goal else "aim" if self.share >= self.aim else "missed"
        return f"{self.name:<44} {self.share:>8.3f}  {self.aim:>7.2f} {self.goal:>7.2f}  {verdict:<7} {self.figure}"


@dataclass(frozen=True)
class Log:
    """A game on record, for measuring: its lines, their openings, how many facts they hold."""

    rules: Rules[Any]
    lines: tuple[bytes, ...]
    openings: tuple[Opening, ...]
    facts: int

    @property
    def head(self) -> Head:
        return Head(len(self.lines), hash_of(self.lines[-1]))


def long_game(name: str, entries: int) -> Log:
    """Return a random lawful game of at least so many entries; the first seed whose game lasts so long."""
    rules = load(name)
    for seed in range(1_000):
        table = driver.play(rules, seed, entries)
        if len(table.log) >= entries:
            facts = sum(len(told.entry.facts) for told in table.log)
            openings = tuple(opened for told in table.log for opened in told.openings)
            return Log(rules, tuple(told.line for told in table.log), openings, facts)
    raise SystemExit(f"no game of {name} lasts {entries} entries")


def seconds(work: Callable[[], Any]) -> float:
    """Return the seconds of processor time that a work takes: none of it waits, and others may use the machine."""
    gc.collect()
    began = time.process_time()
    work()
    return time.process_time() - began


def shares(floor: Callable[[], Any], works: dict[str, Callable[[], Any]]) -> dict[str, tuple[float, float]]:
    """Return for each work its share of the floor's speed (the median over rounds, taken in turns) and its median time."""
    taken: dict[str, list[tuple[float, float]]] = {name: [] for name in works}
    floor()
    for _ in range(ROUNDS):
        for name, work in works.items():
            least, spent = seconds(floor), seconds(work)
            taken[name].append((least / spent, spent))
    return {
        name: (statistics.median(share for share, _ in rows), statistics.median(spent for _, spent in rows))
        for name, rows in taken.items()
    }


def bench_log(log: Log) -> Iterator[Row]:
    codec, rules = log.rules.codec, log.rules
    beside: dict[int, list[Opening]] = {}
    for opened in log.openings:
        beside.setdefault(opened.entry, []).append(opened)

    def decode() -> None:
        for line in log.lines:
            codec.decode(line)

    def fold_from_bytes() -> None:
        now = opening(rules)
        for line in log.lines:
            now = fold(now, codec.decode(line))

    def fold_opened() -> None:
        now = opening(rules)
        for n, line in enumerate(log.lines, start=1):
            entry = codec.decode(line)
            now = fold(now, codec.reveal(entry, beside[n]) if n in beside else entry)

    def verify() -> None:
        report = verify_log(rules, log.lines, log.openings, log.head)
        assert report.whole.ok, report.whole
        assert report.lawful.ok, report.lawful

    measured = shares(decode, {"fold": fold_from_bytes, "fold, seals opened": fold_opened, "verify": verify})
    per = {name: f"{log.facts / spent:,.0f} facts/s" for name, (_, spent) in measured.items()}
    yield Row("fold from stored bytes, as a spectator", measured["fold"][0], 0.30, 0.50, per["fold"])
    yield Row(
        "fold from stored bytes, seals opened",
        measured["fold, seals opened"][0],
        0.30,
        0.50,
        per["fold, seals opened"],
    )
    yield Row(
        "verify: chain, seals, every command re-decided", measured["verify"][0], 0.06, 0.10, per["verify"]
    )


def bench_play(name: str, decisions: int) -> Iterator[Row]:
    rules = load(name)
    for _ in driver.decisions(rules, 0, 200):
        pass
    rates = []
    for seed in range(ROUNDS):
        spent = seconds(lambda seed=seed: sum(1 for _ in driver.decisions(rules, seed, decisions)))  # type: ignore[misc]
        rates.append(decisions / spent)
    rate = statistics.median(rates)
    yield Row(
        "random lawful play (of 10,000 decisions/s)", rate / 10_000, 1.0, 2.0, f"{rate:,.0f} decisions/s"
    )


def bench_jump(log: Log) -> Iterator[Row]:
    codec = log.rules.codec
    moments = fold_all(opening(log.rules), (codec.decode(line) for line in log.lines))
    places = [Random(1).randrange(len(moments)) for _ in range(10_000)]
    spent = seconds(lambda: [moments[place].state for place in places]) / len(places)
    yield Row("any entry of an open game (1 ms over this)", 0.001 / spent, 1.0, 5.0, f"{spent * 1e6:.2f} us")


def bench_size(log: Log) -> Iterator[str]:
    stored = sum(map(len, log.lines))
    beside = sum(len(bytes(opened.value)) + 60 for opened in log.openings)
    packed = len(zlib.compress(b"\n".join(log.lines), 6))
    yield (
        f"{len(log.lines):,} entries, {log.facts:,} facts: {stored / len(log.lines):,.0f} bytes an entry stored, "
        f"{beside / len(log.lines):,.0f} beside it in openings, {packed / len(log.lines):,.0f} compressed"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="dragonlords")
    parser.add_argument("--entries", type=int, default=2_000)
    parser.add_argument("--no-store", action="store_true", help="leave out what waits for the disk")
    parser.add_argument("--no-batch", action="store_true", help="leave out many games: loading, simulating")
    asked = parser.parse_args()
    log = long_game(asked.game, asked.entries)
    print(f"{asked.game}: ", *bench_size(log), sep="")
    print(f"\n{'':<44} {'share':>8}  {'aim':>7} {'goal':>7}")
    for rows in (bench_log(log), bench_play(asked.game, 2_000), bench_jump(log)):
        for row in rows:
            print(row, flush=True)
    if not asked.no_batch:
        from tests.bench.bench_batch import bench_load, bench_simulate

        for rows in (bench_load(log), bench_simulate(asked.game)):
            for row in rows:
                print(row, flush=True)
    if not asked.no_store:
        from tests.bench.bench_store import bench_append

        for row in bench_append():
            print(row, flush=True)


if __name__ == "__main__":
    main()
