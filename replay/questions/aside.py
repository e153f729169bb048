"""Free SQL in a process of its own: what can't be interrupted is ended with it, what eats memory dies alone.

DuckDB looks for an interrupt between chunks of rows, and counts memory in its own buffers. One call of a function over
one huge list (`len(range(20000000))`) is past both: inside the caller's process nothing could stop it.
"""

import contextlib
import os
import pickle
import re
import resource
import subprocess
import sys
import tempfile
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import IO, BinaryIO

from replay.questions.answers import Table
from replay.questions.faults import BadQuestion
from replay.questions.places import GameIn
from replay.questions.tables import Damaged, Reading
from replay.questions.tables.sources import Source

__all__ = ["answer_aside", "main"]

GRACE = 2.0
"""Seconds after the limit in which an interrupted question may still say so itself."""
LARGEST_ANSWER = 256 * 1024 * 1024
"""Bytes of an answer on its way to the caller."""
_ROOM = 512 * 1024 * 1024
"""Bytes beside the memory limit, for the program itself."""
_UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}
_READ, _DONE, _BAD, _DAMAGED = b"r", b"d", b"b", b"x"


def answer_aside(
    sources: Sequence[str | Path | GameIn], text: str, limits: tuple[int, float, str], reading: Reading
) -> Table:
    """Return what free SQL answers; `limits` are rows, seconds and memory. Raises `BadQuestion` or `Damaged`."""
    _, seconds, memory = limits
    late = threading.Event()
    # What a killed process spilled to disk goes with the folder.
    with tempfile.TemporaryDirectory(prefix="lawspeaker-") as scratch, _begun(scratch) as child:
        timer = threading.Timer(seconds + GRACE, _end, (child, late))
        timer.daemon = True
        asked, told = _pipes(child)
        try:
            with contextlib.suppress(BrokenPipeError):
                asked.write(pickle.dumps((list(sources), text, limits, reading)))
                asked.close()
            kind = began = told.read(1)
            if began == _READ:
                # The logs are read: now the clock runs.
                timer.start()
                kind = told.read(1)
            answer = told.read(LARGEST_ANSWER + 1)
        finally:
            timer.cancel()
            child.kill()
    if late.is_set():
        raise BadQuestion(f"no answer within {seconds:g} seconds; ask for less, or allow more time")
    if len(answer) > LARGEST_ANSWER:
        raise BadQuestion(f"the answer is larger than {LARGEST_ANSWER // 1024 // 1024} MB; ask for less")
    if kind == _DONE:
        table: Table = pickle.loads(answer)  # noqa: S301 - written by our own process, just now
        return table
    if kind == _BAD:
        raise BadQuestion(answer.decode())
    if kind == _DAMAGED:
        raise Damaged(answer.decode())
    if began != _READ:
        raise BadQuestion("the process that was to read the logs ended before it had")
    raise BadQuestion(f"the answer needs more than {memory} of memory; ask for less, or allow more")


def _begun(scratch: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(  # noqa: S603 - our own module, by the Python that runs it
        [sys.executable, "-P", "-m", __name__],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "TMPDIR": scratch},
        start_new_session=True,
    )


def _pipes(child: subprocess.Popen[bytes]) -> tuple[IO[bytes], IO[bytes]]:
    assert child.stdin is not None  # noqa: S101 - it was asked for when the process began
    assert child.stdout is not None  # noqa: S101 - it was asked for when the process began
    return child.stdin, child.stdout


def _end(child: subprocess.Popen[bytes], late: threading.Event) -> None:
    late.set()
    child.kill()


def main() -> None:
    """Answer one question from the standard input on the standard output, within its limits."""
    from replay.questions.queries import Corpus, Limits

    sources, text, limits, reading = pickle.load(sys.stdin.buffer)  # noqa: S301 - written by the process that began this one
    bounds = Limits(*limits)
    out = sys.stdout.buffer
    named: list[Source] = list(sources)
    try:
        with Corpus(named, bounds, reading) as corpus:
            _tell(out, _READ)
            _keep_to(bounds.memory)
            table = corpus.sql(text)
        _tell(out, _DONE, pickle.dumps(table))
    except BadQuestion as fault:
        _tell(out, _BAD, str(fault).encode())
    except Damaged as fault:
        _tell(out, _DAMAGED, str(fault).encode())


def _tell(out: BinaryIO, kind: bytes, told: bytes = b"") -> None:
    out.write(kind + told)
    out.flush()


def _keep_to(memory: str) -> None:
    """Take no more memory than what is in use now, the limit, and some room."""
    found = re.fullmatch(r"\s*([0-9.]+)\s*([kmgt]?)(i?)b?\s*", memory.lower())
    if found is None:
        return
    unit = _UNITS[found[2]] if not found[3] else 2 ** (10 * list(_UNITS).index(found[2]))
    used = _in_use()
    most = used + int(float(found[1]) * unit) + _ROOM
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(
        resource.RLIMIT_AS, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard)
    )


def _in_use() -> int:
    """Return the bytes of address space that are taken; 0 where the system does not say."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    except (OSError, ValueError):
        return 0
    return pages * resource.getpagesize()


if __name__ == "__main__":
    main()
