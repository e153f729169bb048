"""The options that many commands share, each with the one meaning it has everywhere."""

from pathlib import Path
from typing import Annotated

import typer

from replay.cli import completing

__all__ = ["AsSeat", "At", "Game", "GameOrFile", "Json", "StorePath", "example"]

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


def example(*lines: str) -> str:
    """Return the text under a command's help that shows how it is called."""
    return "Example:" + "".join(f"\n\n  $ {line}" for line in lines)
