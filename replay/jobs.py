"""Simulated games played out by several processes at once.

A process that plays begins as a fresh interpreter, so it should be quick to begin: nothing here knows a screen or a
database.
"""

import contextlib
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
        with _no_interrupt():
            waiting = [pool.submit(simulate_one, plan, number, folder) for number in numbers]
        for done in as_completed(waiting):
            yield done.result()
        pool.shutdown()
    except BrokenProcessPool as fault:
        raise BrokenOff(
            "A process that played games was ended from outside. What is done is kept; the same command goes on."
        ) from fault
    finally:
        for worker in list((pool._processes or {}).values()):  # noqa: SLF001 - there is no other way to end them
            worker.terminate()
        # Waited for: what still looks after the pool while the interpreter ends would write into a pipe that is shut.
        pool.shutdown(cancel_futures=True)


@contextlib.contextmanager
def _no_interrupt() -> Iterator[None]:
    """Hold Ctrl-C back for a while; processes begun meanwhile never hear it, not even before they can say so."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _work_for(parent: int) -> None:
    """End with the process that asked for games; Ctrl-C is left to it."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(0.5)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
