"""Files beside a store: what a game can be called that it is none of, and where the seeds of sealed dice lie.

Seeds are private files beside the store, never in it.

A store `games` (a folder) has its seeds in `games.seeds/`, a store `games.db` in `games.db.seeds/`: one file `NAME.seed`
a game, readable by its owner alone. Whoever reads one can foresee every roll of that game, and whoever loses it can't roll on: the seed is written
and synced before the game is opened.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import mkstemp

from events.chain import Head
from events.jsonl.disk import sync_folder
from events.store import GameExists, Store, StoreError, Unstorable, is_no_stream, nameable
from replay.dice import BadSeed, new_seed
from replay.outcomes import RefusedByRules

__all__ = ["KEPT", "fresh_seed", "kept_seed", "name_for_new", "new_seed_for", "seed_file"]

KEPT = (".jsonl", ".db", ".sqlite", ".sqlite3")
"""How the files end that games are kept in: a log of its own, and stores."""

_LONGEST_SEED = 1_000
"""Bytes of a seed's file that are read; ours have 65."""


def name_for_new(game: str) -> None:
    """Raise `Unstorable` for a name that no new game can have: no store keeps it, or it would be taken for a file.

    A game that has such a name already is read as ever.
    """
    nameable(game)
    if (ends := Path(game).suffix.lower()) in KEPT:
        raise Unstorable(
            f"{game!r} can't be the name of a game: it would be taken for a file; leave `{ends}` out"
        )


def seed_file(store: Path, game: str) -> Path:
    """Return where the seed of a game lies whose store is at a path; raise `Unstorable` for a name no store keeps."""
    nameable(game)
    store = store.absolute()
    return store.with_name(f"{store.name}.seeds") / f"{game}.seed"


def fresh_seed(store: Path, game: str) -> str:
    """Make a seed and keep it; raise `BadSeed` when there is one for that game already, `OSError` as the disk does."""
    path, seed = seed_file(store, game), new_seed()
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    half, unfinished = mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(half, "w", encoding="ascii") as file:
            file.write(f"{seed}\n")
            file.flush()
            os.fsync(half)
        _name(Path(unfinished), path)
    except FileExistsError:
        raise BadSeed(f"{path}: there is a seed for {game} already") from None
    finally:
        Path(unfinished).unlink(missing_ok=True)
    try:
        sync_folder(path.parent)
    except OSError:
        path.unlink()
        raise
    return seed


def _name(written: Path, path: Path) -> None:
    """Give a whole file its name; raise `FileExistsError` when another has it."""
    try:
        path.hardlink_to(written)
    except FileExistsError:
        raise
    except OSError:  # not every file system has links; and where that is not the reason, this says what is
        if path.exists():
            raise FileExistsError(path) from None
        written.rename(path)


@contextmanager
def new_seed_for(store: Store, path: Path, game: str) -> Iterator[str]:
    """Make and keep the seed of a game that is opened in a block; where none is opened there, the seed goes again.

    Else it would stand in the way of every other game of that name. Raises `BadSeed` and `OSError` as `fresh_seed`.
    """
    seed = fresh_seed(path, game)
    try:
        yield seed
    except (RefusedByRules, GameExists):
        seed_file(path, game).unlink(missing_ok=True)
        raise
    except BaseException:
        with suppress(StoreError):
            if store.head(game) == Head():
                seed_file(path, game).unlink(missing_ok=True)
        raise


def kept_seed(store: Path, game: str) -> str | None:
    """Return the seed that is kept for a game, or None where the file is missing or empty.

    Raises `BadSeed` for a file that holds more than a seed, `Unreadable` for a pipe or device, `OSError` as the disk does.
    """
    path = seed_file(store, game)
    is_no_stream(path)
    try:
        with path.open("rb") as file:
            held = file.read(_LONGEST_SEED + 1)
        if len(held) > _LONGEST_SEED:
            raise BadSeed(f"{path}: expected a seed, 64 hexadecimal digits")
        return held.decode("ascii").strip() or None
    except FileNotFoundError:
        return None
    except UnicodeDecodeError as fault:
        raise BadSeed(f"{path}: expected a seed, 64 hexadecimal digits") from fault
