"""The command line `lawspeaker`: one module for each group of commands, `show.py` for how things look.

This module loads nothing by itself, so that whoever breaks off while the rest is loading is not shown a traceback.
"""

import signal
import sys
from collections.abc import Sequence
from typing import Any

__all__ = ["app", "main"]

app: Any
"""The typer application, loaded when it is first asked for."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code; `arguments` are those of the process unless given.

    As the process itself it hears no Ctrl-C any more once its work is done: there is nothing left to break off.
    """
    try:
        from replay.cli.whole import run

        code = run(list(sys.argv[1:] if arguments is None else arguments))
    except KeyboardInterrupt:
        code = 130
    if arguments is None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    return code


def __getattr__(name: str) -> Any:
    if name != "app":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from replay.cli import whole

    return whole.program()
