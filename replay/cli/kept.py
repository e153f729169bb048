"""Where games lie: the store that commands use unless told otherwise, and games named by store or by file."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from core.games import load
from core.rules import Rules
from events.codec import opened_game
from events.jsonl import JsonlStore
from events.store import Store
from events.stores import open_store
from replay.cli.trouble import Trouble

__all__ = ["Logged", "data_folder", "game_at", "rules_of", "store_at", "store_path"]

NAME = "lawspeaker.db"


def data_folder() -> Path:
    """Return the folder where a person's own data lies on this system."""
    home = Path.home()
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local") / "lawspeaker"
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / "lawspeaker"
    return Path(os.environ.get("XDG_DATA_HOME") or home / ".local" / "share") / "lawspeaker"


def store_path(named: Path | None) -> Path:
    """Return the path of the store: the one named, else the one in the person's own data folder."""
    return named if named is not None else data_folder() / NAME


@contextmanager
def store_at(named: Path | None, *, readonly: bool) -> Iterator[Store]:
    """Open the store for the length of a command; one that is only read must be there."""
    path = store_path(named)
    if not path.exists():
        if readonly:
            raise Trouble(
                f"{path}: no games are kept there yet; `lawspeaker new` begins one, and --store names another place.",
                file=str(path),
            )
        path.parent.mkdir(parents=True, exist_ok=True)
    store = open_store(path, readonly=readonly)
    try:
        yield store
    finally:
        store.close()


@dataclass(frozen=True)
class Logged:
    """One game's log, wherever it lies."""

    store: Store
    game: str
    rules: Rules[Any]


@contextmanager
def game_at(named: str, store: Path | None, *, readonly: bool) -> Iterator[Logged]:
    """Open the log of a game: a name in the store, or the path of its `.jsonl` file, which is only read."""
    path = Path(named)
    if path.suffix == ".jsonl" or os.sep in named:
        if not readonly:
            raise Trouble(
                f"{named}: a file is only read here; `lawspeaker import {named}` brings its game into the store first."
            )
        if not path.is_file():
            raise Trouble(f"{named}: there is no such file.", file=named)
        files = JsonlStore(path.parent, readonly=True)
        yield Logged(files, path.stem, rules_of(files, path.stem))
        return
    with store_at(store, readonly=readonly) as held:
        if named not in (names := held.games()):
            near = get_close_matches(named, names, n=3)
            hint = (
                f" Did you mean {' or '.join(near)}?"
                if near
                else " `lawspeaker games` lists those there are."
            )
            raise Trouble(
                f"{store_path(store)} holds no game {named!r}.{hint}", kind="no_such_game", game=named
            )
        yield Logged(held, named, rules_of(held, named))


def rules_of(store: Store, game: str) -> Rules[Any]:
    """Return the rules that a log in a store names in its first line."""
    first = next(iter(store.read(game, 0, 1)), None)
    if first is None:
        raise Trouble(f"{game}: the log is empty.", game=game)
    return load(opened_game(first.line)[0])
