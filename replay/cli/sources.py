"""What many games are asked of: games of your store by their names, files, stores and folders of them, mixed."""

import os
from pathlib import Path
from typing import Annotated

import typer

from events.store import StoreError
from replay.cli import completing
from replay.cli.kept import nothing_called, store_at, store_path
from replay.cli.show import warn
from replay.cli.trouble import Trouble
from replay.files import KEPT
from replay.questions.places import GameIn

__all__ = ["Sources", "source_of", "sources_of"]

Sources = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="SOURCE",
        help="Games of your store by name, .jsonl files, stores, folders of them, mixed; your whole store when none is "
        "named. ./NAME is what lies in this folder, also where a game has that name.",
        autocompletion=completing.sources,
    ),
]


def sources_of(named: list[str] | None, store: Path | None) -> list[Path | GameIn]:
    """Return the sources that were named, or the person's own store.

    Raises `Trouble` that tells every name which nothing has, or when no store is there.
    """
    if not named:
        path = store_path(store)
        if not path.exists():
            raise Trouble(
                f"{path}: no games are kept there yet; name files or folders to ask.", file=str(path)
            )
        return [path]
    found: list[Path | GameIn] = []
    unknown: list[Trouble] = []
    for name in named:
        try:
            found.append(source_of(name, store))
        except Trouble as fault:
            unknown.append(fault)
    if len(unknown) == 1:
        raise unknown[0]
    if unknown:
        raise Trouble(*(fault.text for fault in unknown), kind="no_such_game")
    return found


def source_of(named: str, store: Path | None) -> Path | GameIn:
    """Return what a name means: a game of the store, else what lies at that path; raise `Trouble` when it is neither.

    As everywhere a name is a game's; what has a separator in it, or ends as a log or a store does, is a path.
    """
    path = Path(named)
    if os.sep in named or path.suffix in KEPT:
        if path.exists():
            return path
        raise nothing_called(named)
    own = store_path(store)
    names: list[str] = []
    if own.exists():
        try:
            with store_at(store, readonly=True) as held:
                names = held.games()
        except StoreError:
            if not path.exists():
                raise
    if named in names:
        if path.exists():
            warn(f"{named} is read as the game of your store; what lies in this folder is .{os.sep}{named}.")
        return GameIn(own, named)
    if path.exists():
        return path
    raise nothing_called(named, own, names)
