"""Many games at once: loading them into the tables of questions, and simulating them with two processes.

Both run on all cores and are measured by the clock on the wall: on a machine that others use, read them with care.
"""

import argparse
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

sys.path.insert(0, str(Path(__file__).parents[2]))

if TYPE_CHECKING:
    from tests.bench.run import Log, Row

ROOT = Path(__file__).parents[2]
PROGRAM = (sys.executable, "-c", "import sys, replay.cli; sys.exit(replay.cli.main())")
"""The command line of this checkout."""
ROUNDS = 3
COPIES = 50
"""How many games are loaded at once to measure the speed."""
MANY = 1_000
"""How many to measure the memory."""
SHORT = 300
"""Entries of each of them."""
MEMORY = "200MB"
"""What DuckDB may take of it; the tables of many games are larger, and go to disk."""
SIMULATED = 80


def bench_load(log: "Log") -> Iterator["Row"]:
    """Yield the share of plain decoding that loading reaches, and how little more memory four times the games take."""
    from tests.bench.run import Row

    folder = Path(tempfile.mkdtemp())
    try:
        paths = _copies(log.lines, folder / "long", COPIES)
        decode = log.rules.codec.decode

        def floor() -> None:
            for _ in range(COPIES):
                for line in log.lines:
                    decode(line)

        share, spent = _in_turns(floor, lambda: load(paths))
        figure = f"{COPIES * log.facts / spent:,.0f} facts/s"
        yield Row("load of games into the tables of questions", share, 0.30, 0.70, figure)
        many = _copies(log.lines[:SHORT], folder / "short", MANY)
        few, all_ = (_peak(folder / "short", games) for games in (len(many) // 4, len(many)))
        yield Row(
            f"memory: {MANY // 4} games of that of {MANY:,}",
            few / all_,
            0.80,
            0.95,
            f"{few} and {all_} MB at most",
        )
    finally:
        shutil.rmtree(folder)


def load(paths: Sequence[Path], memory: str = "1GB") -> None:
    """Load logs into tables, and let go of them."""
    from replay.questions.queries import Corpus, Limits

    Corpus(paths, Limits(memory=memory)).close()


def bench_simulate(game: str) -> Iterator["Row"]:
    """Yield how many times as fast two processes are as one, start-up included."""
    from tests.bench.run import Row

    folder = Path(tempfile.mkdtemp())

    def simulate(jobs: int) -> Callable[[], Any]:
        def run() -> None:
            out = folder / "games"
            asked = f"simulate {game} --games {SIMULATED} --seed 7 --jobs {jobs} --json --out {out}"
            subprocess.run([*PROGRAM, *asked.split()], check=True, capture_output=True, cwd=ROOT)
            shutil.rmtree(out)

        return run

    try:
        share, spent = _in_turns(simulate(1), simulate(2))
    finally:
        shutil.rmtree(folder)
    figure = f"{SIMULATED} games in {spent:.1f} s"
    yield Row("simulate: two jobs (times as fast as one)", share, 1.8, 1.95, figure)


def _copies(lines: Sequence[bytes], folder: Path, count: int) -> list[Path]:
    """Write so many games of the same course, each under an id of its own."""
    folder.mkdir()
    paths = [folder / f"g{number:04}.jsonl" for number in range(count)]
    for path in paths:
        first = lines[0].replace(b'"id":"game"', b'"id":"%b"' % path.stem.encode())
        path.write_bytes(b"\n".join((first, *lines[1:], b"")))
    return paths


def _in_turns(floor: Callable[[], Any], work: Callable[[], Any]) -> tuple[float, float]:
    """Return how many times as fast a work is as a floor, and its seconds: medians of rounds taken in turns."""
    taken = [(_seconds(floor), _seconds(work)) for _ in range(ROUNDS)]
    return statistics.median(least / spent for least, spent in taken), statistics.median(
        spent for _, spent in taken
    )


def _seconds(work: Callable[[], Any]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def _peak(folder: Path, games: int) -> int:
    """Return how many megabytes a process of its own takes at most that loads so many games of a folder."""
    asked = [sys.executable, __file__, str(folder), str(games)]
    return int(subprocess.run(asked, check=True, capture_output=True, text=True).stdout)


def main() -> None:
    """Load games of a folder, and print how many megabytes that took at most."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("games", type=int)
    asked = parser.parse_args()
    load(sorted(asked.folder.glob("*.jsonl"))[: asked.games], MEMORY)
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)


if __name__ == "__main__":
    main()
