"""Handing out seats: `tokens` gives each seat of a game, wherever it was begun, what the service knows it by."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import RenderableType

from core.seats import ARBITER
from events.event import Seat
from replay.cli import completing, terms
from replay.cli.kept import session_at, store_path
from replay.cli.moves import known_seat
from replay.cli.show import give, heading, table, text
from replay.cli.trouble import DIVERGED, Trouble
from replay.tokens import Tokens, tokens_file

__all__ = ["add"]


def add(app: typer.Typer) -> None:
    """Add the command of this module."""
    app.command(
        rich_help_panel="At the table",
        epilog=terms.example(
            "lawspeaker tokens bridge",
            "lawspeaker tokens bridge --out tokens",
            "lawspeaker tokens bridge --seat orc --renew",
            ends=terms.ACTS,
        ),
    )(tokens)


def tokens(
    game: terms.Game,
    seat: Annotated[
        list[str] | None,
        typer.Option(
            "--seat",
            metavar="SEAT",
            help="Only this seat, or `arbiter`; may be repeated.",
            autocompletion=completing.holders,
        ),
    ] = None,
    renew: Annotated[
        bool,
        typer.Option(
            "--renew", help="Also for seats that have one: the old one stands for nothing any more."
        ),
    ] = False,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            metavar="FOLDER",
            help="One file a seat, SEAT.token, in place of the screen: the header that `curl -H @SEAT.token` sends.",
        ),
    ] = None,
    store: terms.StorePath = None,
    json: terms.Json = False,
) -> None:
    """Give the seats of a game their tokens, with which each acts and sees as itself over HTTP (`lawspeaker serve`).

    Each is shown once and kept as a hash; a seat that has one keeps it unless --renew is given.
    """
    with session_at(game, store, readonly=True) as session:
        wanted = [known_seat(session, name) for name in seat or (*session.now.table.seats, ARBITER)]
        if "chance" in wanted:
            raise Trouble(
                "Chance is nobody: who rolls gives the dice, and cards that not everybody sees the arbiter.",
                kind="usage",
            )
        held = Tokens(tokens_file(store_path(store)), session.store)
        having = held.held(session.game)
        kept = [name for name in wanted if name in having and not renew]
        new = [name for name in wanted if name not in kept]
        if not new:
            raise Trouble(
                f"{' and '.join(kept)} have their tokens already, and nobody can tell them again; --renew gives new ones.",
                code=DIVERGED,
                kind="have_tokens",
            )
        if out is not None:
            _check(out, new, renew)
        given = held.hand_out(session.game, new)
    files = {name: _write(out, name, token) for name, token in given.items()} if out is not None else {}

    def shown() -> Iterator[RenderableType]:
        yield heading(f"Tokens of {game}", "each is shown once; hand them out one by one")
        rows = [(name, str(files[name]) if files else token) for name, token in given.items()]
        yield table(("seat", "file" if files else "token"), rows)
        if kept:
            yield text(f"{' and '.join(kept)} keep the ones they have; --renew gives new ones.", "dim")

    told: dict[str, Any] = {"game": game, "kept": kept}
    told |= {"files": {name: str(path) for name, path in files.items()}} if files else {"tokens": given}
    give(told, shown, json=json)


def _check(folder: Path, seats: list[Seat], renew: bool) -> None:
    """Raise `Trouble` when a file could not be written, before any token is changed."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as fault:
        raise Trouble(f"{folder}: {fault.strerror}.", file=str(folder)) from fault
    for name in seats:
        path = folder / f"{name}.token"
        if path.exists() and not renew:
            raise Trouble(f"{path}: the file is there already; --renew replaces it.", file=str(path))
    if not os.access(folder, os.W_OK):
        raise Trouble(f"{folder}: nothing can be written there.", file=str(folder))


def _write(folder: Path, name: Seat, token: str) -> Path:
    path = folder / f"{name}.token"
    with os.fdopen(
        os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="ascii"
    ) as file:
        file.write(f"Authorization: Bearer {token}\n")
    path.chmod(0o600)
    return path
