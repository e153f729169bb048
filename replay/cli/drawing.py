"""`picture`: the board of a game at a moment, as an SVG file."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer
from rich.console import RenderableType

from events.jsonl.disk import replace
from events.store import is_path
from replay.cli import terms
from replay.cli.eyes import NOBODY, eyes
from replay.cli.kept import moment_at, session_at
from replay.cli.show import give, text
from replay.cli.trouble import Trouble
from replay.picture import picture as draw

__all__ = ["add"]


def add(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.command(
        rich_help_panel="Looking",
        epilog=terms.example(
            "lawspeaker picture bridge --out bridge.svg",
            "lawspeaker picture bridge --at 4 --as orc --out bridge.svg --dark",
        ),
    )(picture)


def picture(
    game: terms.GameOrFile,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Where to; GAME.svg here unless said.")
    ] = None,
    at: terms.At = None,
    seat: terms.AsSeat = "",
    dark: Annotated[
        bool | None,
        typer.Option("--dark/--light", help="How it looks; unless said, as the reader's system prefers."),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace a file that is there.")] = False,
    store: terms.StorePath = None,
    json: terms.Json = False,
) -> None:
    """Draw the board at any moment, with the last move marked, as a picture in SVG."""
    with session_at(game, store, readonly=True) as session:
        who = eyes(session, seat)
        moment_at(session, at, who)
        last = len(session.moments) - 1 if at is None else at
        drawn = draw(session.history, last, who, {None: "", True: "dark", False: "light"}[dark])
        path = out if out is not None else Path(f"{session.game}.svg")
    is_path(path)
    try:
        there = path.exists() or path.is_symlink()
        if there and not force:
            raise Trouble(f"{path}: the file is there already; --force replaces it.", file=str(path))
        if there and not path.is_file():
            path.write_bytes(drawn.encode())  # a pipe or device, which nothing takes the place of
        else:
            replace(path, drawn.encode())
    except OSError as fault:
        raise Trouble(f"{path}: {fault.strerror}.", file=str(path)) from fault

    def shown() -> Iterator[RenderableType]:
        yield text(f"The board after entry {last} is in {path}.")

    give({"game": session.game, "at": last, "as": who or NOBODY[0], "file": str(path)}, shown, json=json)
