"""The options that many commands share, each with the one meaning it has everywhere."""

from pathlib import Path
from typing import Annotated

import typer

from replay.cli import completing

__all__ = ["ACTS", "READS", "AsSeat", "At", "Game", "GameOrFile", "Json", "StorePath", "codes", "example"]

_UNREADABLE = "2 what was given cannot be read, or names what is not there"

Json = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of text.")]

StorePath = Annotated[
    Path | None,
    typer.Option(
        "--store",
        envvar="LAWSPEAKER_STORE",
        metavar="PATH",
        show_envvar=True,
        help="Where your games are kept: a database file, or a folder of JSON lines. "
        "Without it: lawspeaker.db in your own data folder, the same from wherever you call.",
    ),
]

Game = Annotated[
    str,
    typer.Argument(
        metavar="GAME",
        help="The name of a game in the store; `lawspeaker games` lists them.",
        autocompletion=completing.games,
    ),
]

GameOrFile = Annotated[
    str,
    typer.Argument(
        metavar="GAME",
        help="The name of a game in the store, or its file, NAME.jsonl.",
        autocompletion=completing.games,
    ),
]

At = Annotated[
    int | None,
    typer.Option(
        "--at",
        metavar="N",
        help="The moment after entry N; without it, now.",
        autocompletion=completing.entries,
    ),
]

AsSeat = Annotated[
    str,
    typer.Option(
        "--as",
        metavar="SEAT",
        help="Only what this seat may see; `spectator` or `nobody`: what everybody may. Without it, everything.",
        autocompletion=completing.guests,
    ),
]


def codes(fine: str, diverged: str = "") -> str:
    """Return what the exit codes of a command mean: when all is well, and what 1 says where it can be."""
    return f"Exit codes: 0 {fine}; {f'1 {diverged}; ' if diverged else ''}{_UNREADABLE}."


READS = codes("it is shown")
ACTS = codes("it is done", "the rules, or what is there already, refuse it, and nothing is changed")


def example(*lines: str, ends: str = READS) -> str:
    """Return the text under a command's help that shows how it is called, and what its exit codes mean."""
    return "Example:" + "".join(f"\n\n  $ {line}" for line in lines) + f"\n\n{ends}"
