"""All commands as one program, run with exit codes and sentences in place of tracebacks."""

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TextIO

import typer

from core.kit.table import TABLE_LAW
from replay.cli import completing
from replay.cli.further import Commands
from replay.cli.show import complain, refusals
from replay.cli.swift import add_for
from replay.cli.trouble import EXIT_CODES, FAULT, FINE, LEFT, UNREADABLE, Refusing, Trouble, trouble_of

__all__ = ["complain_refused", "program", "run"]


def program(words: Sequence[str] = ()) -> typer.Typer:
    """Return the program with the commands that these words may call; with all of them when they name none."""
    made = typer.Typer(
        name="lawspeaker",
        cls=Commands,
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["--help", "-h"]},
        epilog=EXIT_CODES,
    )
    made.callback()(lawspeaker)
    add_for(made, words)
    return made


def lawspeaker() -> None:
    """Adjudicate, replay and query tabletop conquest games: who may do what, what follows, and which rule says so."""


def run(given: list[str]) -> int:
    """Run the command line on these arguments and return its exit code."""
    _open_streams()
    try:
        return _run(given, json="--json" in given)
    except (BrokenPipeError, SystemExit) as left:
        if isinstance(left, SystemExit) and not isinstance(left.__context__, BrokenPipeError):
            return UNREADABLE if left.code else FINE  # a server that can't listen leaves so, having said why
        # The reader of a pipe has seen enough, of which typer and rich make an exit; nothing may be written any more.
        _shut(sys.stdout)
        return FINE


def _open_streams() -> None:
    """Let what a terminal can't show be written out, never an error; a stream that was closed leads nowhere."""
    nowhere = Path(os.devnull)
    sys.stdin = sys.stdin or nowhere.open(encoding="utf-8")
    sys.stdout = sys.stdout or nowhere.open("w", encoding="utf-8")
    sys.stderr = sys.stderr or nowhere.open("w", encoding="utf-8")
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def _shut(stream: TextIO) -> None:
    """Lead a stream nowhere, so that what it still holds back is not written at exit."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _run(given: list[str], *, json: bool) -> int:
    try:
        if completing.VARIABLE in os.environ:
            return completing.tell(program(completing.typed_before()))
        code = program(given)(given, prog_name="lawspeaker", standalone_mode=False)
        sys.stdout.flush()
        return code if isinstance(code, int) else FINE
    except BrokenPipeError:
        raise
    except typer.Abort:
        return LEFT
    except typer.TyperException as fault:
        return _complain(Trouble(_usage(fault), kind="usage"), json=json)
    except Exception as fault:  # the last line of defence: a defect is told in a sentence as well
        told = trouble_of(fault)
        if told is None and os.environ.get("LAWSPEAKER_TRACEBACK"):
            raise
        return _complain(told or _defect(fault), json=json)


def _complain(fault: Trouble, *, json: bool) -> int:
    """Tell what went wrong, as far as anybody can be told, and return the exit code."""
    try:
        if isinstance(fault, Refusing):
            return complain_refused(fault, json=json)
        complain(fault, json=json)
    except OSError:
        _shut(sys.stderr)
    return fault.code


def complain_refused(fault: Refusing, *, json: bool) -> int:
    """Tell a refusal with the rules' own text, of a point the answer in force, and return the exit code."""
    complain(
        fault, json=json, shown=refusals(fault.reasons, fault.book, TABLE_LAW, fault.said, fault.answers)
    )
    return fault.code


def _usage(fault: typer.TyperException) -> str:
    said = " ".join(fault.format_message().split())
    at = getattr(fault, "ctx", None)
    hint = f"{at.command_path if at else 'lawspeaker'} --help"
    said = said if said.endswith((".", "?", "!")) else f"{said}."
    return f"{said[:1].upper()}{said[1:]} `{hint}` shows how it is called."


def _defect(fault: Exception) -> Trouble:
    trace = fault.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    place = f" ({Path(trace.tb_frame.f_code.co_filename).name}, line {trace.tb_lineno})" if trace else ""
    return Trouble(
        f"This is a fault of lawspeaker itself, not of what you gave it: {type(fault).__name__}: {fault}{place}. "
        "Nothing was written by the step that failed. LAWSPEAKER_TRACEBACK=1 shows more.",
        code=FAULT,
        kind="defect",
    )
