"""Simulated games played out by several processes at once.

A process that plays begins as a fresh interpreter, so it should be quick to begin: nothing here knows a screen or a
database.
"""

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

from replay.simulating import Plan, Simulated, simulate_one

__all__ = ["BrokenOff", "simulate_all"]


class BrokenOff(RuntimeError):
    """Raised when a process that played games was ended from outside; what is done is kept."""


def simulate_all(plan: Plan, numbers: Sequence[int], folder: Path, jobs: int) -> Iterator[Simulated]:
    """Play games of a plan out, each into its log, by so many processes; yield them as they are done.

    Whoever breaks off ends the other processes too. Raises `BrokenOff` when one of them is ended from outside.
    """
    jobs = min(jobs, len(numbers))
    if jobs <= 1:
        yield from (simulate_one(plan, number, folder) for number in numbers)
        return
    # A fresh interpreter each, so that nothing of this process reaches into the games.
    fresh = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(jobs, mp_context=fresh, initializer=_work_for, initargs=(os.getpid(),))
    try:
        waiting = [pool.submit(simulate_one, plan, number, folder) for number in numbers]
        for done in as_completed(waiting):
            yield done.result()
        pool.shutdown()
    except BrokenProcessPool as fault:
        raise BrokenOff(
            "A process that played games was ended from outside. What is done is kept; the same command goes on."
        ) from fault
    finally:
        workers = list((pool._processes or {}).values())  # noqa: SLF001 - there is no other way to end them
        pool.shutdown(wait=False, cancel_futures=True)
        for worker in workers:
            worker.terminate()


def _work_for(parent: int) -> None:
    """Leave Ctrl-C to the process that asked for games, and end with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(0.5)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
