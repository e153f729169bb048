"""The desk: the open sessions of a store, one lock a game, so that requests of many threads come one after another."""

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from api.bell import Bell
from api.problems import Raised
from core.games import NoSuchRules
from core.games import load as load_rules
from core.rules import Rules
from core.seats import ARBITER, CHANCE
from events.codec import BadLine
from events.event import Seat
from events.store import GameExists, NoSuchGame, StoreError, Unstorable, is_name
from events.stores import open_store
from replay.dice import BadSeed
from replay.files import kept_seed, new_seed_for
from replay.giving import not_to_give
from replay.outcomes import Accepted, Refused
from replay.session import RefusedByRules, Session
from replay.tokens import Tokens, tokens_file

__all__ = ["SPECTATOR", "Desk", "rules_called"]

_log = logging.getLogger("lawspeaker")

SPECTATOR = "spectator"
"""The word for a reader who sits nowhere."""


class _Open:
    """A game that is open here: the lock that lets one thread at a time at it, and its session once it was asked for."""

    def __init__(self, session: Session | None = None) -> None:
        self.lock = threading.Lock()
        self.session = session


class Desk:
    """Opens games, finds the session of a game, and says which seat a token stands for."""

    def __init__(self, store: Path) -> None:
        """Open the store at a path, and the tokens beside it."""
        self.path = store
        self.store = open_store(store)
        self.tokens = Tokens(tokens_file(store), self.store)
        self.bell = Bell()
        self._games: dict[str, _Open] = {}
        self._guard = threading.Lock()

    def close(self) -> None:
        """Let go of the store."""
        self.store.close()

    def open_game(self, game: str, rules: str, dice: str, **how: Any) -> tuple[Session, dict[Seat, str]]:
        """Open a new game and hand out its tokens; raise `Raised` when the rules or the store do not allow it."""
        found = rules_called(rules)
        try:
            with _told():
                self.tokens.ready()  # before a game is opened that nobody could play
                if dice == "sealed":
                    with new_seed_for(self.store, self.path, game) as seed:
                        session = Session.create(self.store, found, game=game, dice=dice, seed=seed, **how)
                else:
                    session = Session.create(self.store, found, game=game, dice=dice, **how)
        except RefusedByRules as fault:
            raise Raised(409, "refused_by_the_rules", str(fault), fault.reasons) from fault
        except GameExists as fault:
            raise Raised(409, "game_exists", f"There is a game {game!r} already.") from fault
        except BadSeed as fault:
            detail = (
                f"There was a game {game!r} with sealed dice; its seed is still kept here. Take another name."
            )
            raise Raised(409, "game_exists", detail) from fault
        with self._guard:
            self._games[game] = _Open(session)
        try:
            return session, self.tokens.hand_out(game, (*session.now.table.seats, ARBITER))
        except StoreError as fault:
            _log.error("the tokens of %s could not be kept: %s", game, fault)
            detail = f"The game {game!r} is opened; `lawspeaker tokens {game}` hands its tokens out."
            raise Raised(503, "tokens_failed", detail) from fault

    @contextmanager
    def session(self, game: str) -> Iterator[Session]:
        """Lend the session of a game, up to date, to one thread at a time; raise `Raised` when there is no such game."""
        held = self._held(game)
        with held.lock:
            with _told():
                held.session = session = self._up_to_date(game, held.session)
            before = session.head
            try:
                with _told():
                    yield session
            finally:
                if session.head != before:
                    self.bell.ring(game)

    def _held(self, game: str) -> _Open:
        """Return a game that the store holds; nothing is kept of a name that is guessed, or of a game that is gone."""
        with _told():
            there = is_name(game) and self.store.head(game).id > 0
        with self._guard:
            if there:
                return self._games.setdefault(game, _Open())
            self._games.pop(game, None)
        raise _no_such_game(game)

    def _up_to_date(self, game: str, session: Session | None) -> Session:
        """Return the session with all that others appended; a new one where another game has taken the name."""
        try:
            if session is None or (session.head != self.store.head(game) and not session.stands()):
                session = Session.open(self.store, game, seed=kept_seed(self.path, game))
            session.refresh()
            if session.seedless:
                session.take_seed(kept_seed(self.path, game))
                session.answer_chance()
                self.bell.ring(game)
        except (NoSuchGame, NoSuchRules) as fault:
            raise _no_such_game(game) from fault
        except BadLine as fault:
            raise Raised(409, "read_only", str(fault)) from fault
        except BadSeed as fault:
            detail = "The seed that is kept here is not the one that this game committed to."
            raise Raised(409, "read_only", detail) from fault
        return session

    def seat(self, game: str, authorization: str | None) -> Seat | None:
        """Return the seat of a request's bearer token, None for a spectator; raise `Raised` for a token that is none."""
        if not authorization:
            return None
        scheme, _, token = authorization.partition(" ")
        seat = None
        if scheme.lower() == "bearer" and is_name(game):
            with _told():
                seat = self.tokens.seat(game, token.strip())
        if seat is None:
            raise Raised(401, "wrong_token")
        return seat

    def player(self, game: str, authorization: str | None) -> Seat:
        """Return the seat of a request's token; raise `Raised` when there is none."""
        seat = self.seat(game, authorization)
        if seat is None:
            raise Raised(401, "no_token")
        return seat

    @staticmethod
    def eyes(session: Session, holder: Seat | None, wanted: str | None) -> Seat | None:
        """Return as whom the holder of a token looks: as itself; the arbiter as anybody; everybody as a spectator."""
        if wanted in (None, "", holder):
            return holder
        if holder is not None and wanted in session.now.table.seats_of(holder):
            return wanted
        if wanted == SPECTATOR:
            return None
        known = (*session.now.table.seats, ARBITER)
        if wanted not in known:
            said = ", ".join((*known, SPECTATOR))
            raise Raised(404, "no_such_seat", f"Nobody sits at {wanted!r}; there are {said}.")
        if holder != ARBITER:
            who = (
                f"This token looks as {holder}"
                if holder is not None
                else "Without a token one looks as spectator"
            )
            raise Raised(403, "not_your_seat", f"{who}; only the arbiter looks as {wanted}.")
        return wanted

    @staticmethod
    def acting(session: Session, holder: Seat, seat: Seat) -> Seat:
        """Return the seat that a token's holder speaks as; raise `Raised` when it may not speak as the one named.

        A seat speaks as itself, and as the other seats of its player (LS-1.6). What chance is asked for it gives where
        that falls to it (LS-4.6); where nothing is asked the rules say so.
        """
        if seat == CHANCE:
            refusal = not_to_give(session.view(holder), holder)
            if refusal is not None:
                raise Raised(403, "not_your_seat", refusal.text, (refusal,))
        elif seat not in session.now.table.seats_of(holder):
            raise Raised(403, "not_your_seat", f"This token acts as {holder}, not as {seat}.")
        return seat

    @staticmethod
    def submit(session: Session, holder: Seat, seat: Seat, command: Any, **more: str) -> Accepted | Refused:
        """Give a command as a seat, by a token's holder, who alone is answered; the entry keeps who gave it."""
        person = session.now.table.persons.get(holder, "")
        actor = person or ("" if seat == holder else holder)
        return session.submit(seat, command, actor=actor, by=holder, **more)  # type: ignore[arg-type]


@contextmanager
def _told() -> Iterator[None]:
    """Answer what the store or the disk says with a problem; where they lie goes to the keeper's own log, to nobody else."""
    try:
        yield
    except GameExists:
        raise
    except Unstorable as fault:
        raise Raised(422, "bad_shape", str(fault)) from fault
    except (StoreError, OSError) as fault:
        _log.error("the store failed: %s", fault)
        raise Raised(503, "store_failed") from fault


def _no_such_game(game: str) -> Raised:
    return Raised(404, "no_such_game", f"There is no game {game!r} here.")


def rules_called(name: str) -> Rules[Any]:
    """Return the rules of that name; raise `Raised` when there are none."""
    try:
        return load_rules(name)
    except NoSuchRules as fault:
        raise Raised(404, "no_such_rules", str(fault)) from fault
