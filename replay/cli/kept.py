"""Where games lie: the store that commands use unless told otherwise, and games named by store or by file."""

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import core.games
from core.rules import Rules
from core.seats import ARBITER
from core.telling import Moment
from events.chain import Head
from events.codec import opened_game
from events.event import Seat
from events.jsonl import JsonlStore, read_log
from events.store import Store
from events.stores import open_store
from replay.cli.trouble import DIVERGED, Trouble
from replay.files import KEPT, kept_seed, name_for_new, new_seed_for
from replay.home import default_store
from replay.session import Session
from replay.words.faults import close_to

__all__ = [
    "Logged",
    "begin",
    "but_head",
    "game_at",
    "known_entry",
    "moment_at",
    "nothing_called",
    "rules_of",
    "session_at",
    "store_at",
    "store_path",
]


def store_path(named: Path | None) -> Path:
    """Return the path of the store: the one named, else the one in the person's own data folder."""
    return named if named is not None else default_store()


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
    path: Path


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
            raise nothing_called(named)
        with path.open("rb") as lines:
            whole = lines.readline().endswith(b"\n")
        if not whole:
            raise Trouble(f"{named}: it holds no whole line{but_head(read_log(path).head)}.", file=named)
        files = JsonlStore(path.parent, readonly=True)
        yield Logged(files, path.stem, rules_of(files, path.stem), path.parent)
        return
    with store_at(store, readonly=readonly) as held:
        if named not in (names := held.games()):
            raise nothing_called(named, store_path(store), names, several=False)
        yield Logged(held, named, rules_of(held, named), store_path(store))


def nothing_called(
    named: str, store: Path | None = None, names: Iterable[str] = (), *, several: bool = True
) -> Trouble:
    """Return the trouble of a name that nothing has, with what may have been meant: games of a store, files beside it.

    Without a store it is the name of a file. `several` says that stores and folders would have been taken, too.
    """
    path = Path(named)
    ends = KEPT if several else KEPT[:1]
    folder = path.parent if path.parent.is_dir() else None
    there = {
        each.stem: each
        for each in (sorted(folder.iterdir()) if folder else ())
        if each.suffix in ends or (several and each.is_dir() and not each.name.startswith("."))
    }
    files = [str(there[stem]) for stem in close_to(path.stem, there)]
    near = tuple(dict.fromkeys((*close_to(named, names), *files)))[:3]
    hint = f" Did you mean {' or '.join(near)}?" if near else ""
    if store is None:
        return Trouble(f"{named}: there is no such file{' or folder' if several else ''}.{hint}", file=named)
    lies = f"{store} holds no game {named!r}" if store.exists() else f"no games are kept in {store} yet"
    said = f"{named}: nothing of that name lies here, and {lies}" if several else lies
    hint = hint or (" `lawspeaker games` lists those there are." if store.exists() else "")
    return Trouble(f"{said}.{hint}", kind="no_such_game", game=named)


def but_head(head: Head | None) -> str:
    """Return what the head beside an empty log says of it; nothing when there is none."""
    if head is None or not head.id:
        return ""
    return f", but the .head beside it says that the log goes up to entry {head.id}: it was emptied, or not copied whole"


def rules_of(store: Store, game: str) -> Rules[Any]:
    """Return the rules that a log in a store names in its first line."""
    first = next(iter(store.read(game, 0, 1)), None)
    if first is None:
        raise Trouble(f"{game}: the log is empty.", game=game)
    return core.games.load(opened_game(first.line)[0])


@contextmanager
def session_at(
    named: str, store: Path | None, *, readonly: bool = False, actor: str = ""
) -> Iterator[Session]:
    """Open a game to be played on, or only read; the seed of sealed dice comes from beside its store."""
    with game_at(named, store, readonly=readonly) as log:
        seed = None if readonly else kept_seed(log.path, log.game)
        yield Session.open(log.store, log.game, rules=log.rules, seed=seed, actor=actor)


def begin(store: Store, path: Path, rules: Rules[Any], *, game: str, dice: str, **more: Any) -> Session:
    """Open a new game; the seed of sealed dice is made and kept beside the store first."""
    name_for_new(game)
    if game in store.games():
        raise Trouble(
            f"There is a game {game!r} already; choose another --name.", code=DIVERGED, kind="game_exists"
        )
    if dice != "sealed":
        return Session.create(store, rules, game=game, dice=dice, **more)
    with new_seed_for(store, path, game) as seed:
        return Session.create(store, rules, game=game, dice=dice, seed=seed, **more)


@contextmanager
def begin_branch(named: str, store: Path | None, at: int, name: str) -> Iterator[Session]:
    """Begin a what-if of a game, which may be a file, as a new game in the store."""
    with store_at(store, readonly=False) as held, game_at(named, store, readonly=True) as log:
        source = Session.open(log.store, log.game, rules=log.rules)
        chosen = name or free_name(held, f"{log.game}-at-{at}")
        if chosen in held.games():
            raise Trouble(
                f"There is a game {chosen!r} already; choose another --name.",
                code=DIVERGED,
                kind="game_exists",
            )
        if source.now.table.dice != "sealed":
            yield source.branch(held, chosen, at)
            return
        with new_seed_for(held, store_path(store), chosen) as seed:
            made = source.branch(held, chosen, at, seed=seed)
        yield made


def free_name(store: Store, base: str) -> str:
    """Return a name that no game of the store has: the one wanted, else with -2, -3 ... behind it."""
    taken, number = set(store.games()), 1
    while (name := base if number == 1 else f"{base}-{number}") in taken:
        number += 1
    return name


def moment_at(session: Session, at: int | None, seat: Seat | None = ARBITER) -> Moment[Any]:
    """Return the moment after an entry (None: now) as a seat may know it; raise `Trouble` when there is none."""
    try:
        return session.view(seat, at)
    except LookupError as fault:
        raise Trouble(f"{str(fault).capitalize()}.", kind="no_such_entry", at=at) from fault


def known_entry(session: Session, entry: int) -> int:
    """Return the number of an entry that the log holds; raise `Trouble` for any other."""
    if not 1 <= entry <= session.head.id:
        raise Trouble(
            f"There is no entry {entry}; the log holds 1 to {session.head.id}.",
            kind="no_such_entry",
            at=entry,
        )
    return entry
