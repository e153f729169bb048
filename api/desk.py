"""The desk: the open sessions of a store, one lock a game, so that requests of many threads come one after another."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from api.auth import Tokens
from api.problems import Raised
from core.games import NoSuchRules
from core.games import load as load_rules
from core.rules import Rules
from core.seats import ARBITER, CHANCE
from events.codec import BadLine
from events.event import Seat
from events.store import GameExists, NoSuchGame, StoreError
from events.stores import open_store
from replay.dice import BadSeed
from replay.files import fresh_seed, kept_seed
from replay.session import RefusedByRules, Session

__all__ = ["Desk"]


class Desk:
    """Opens games, finds the session of a game, and says which seat a token stands for."""

    def __init__(self, store: Path) -> None:
        """Open the store at a path, and the tokens beside it."""
        self.path = store
        self.store = open_store(store)
        self.tokens = Tokens(store.with_name(f"{store.name}.tokens"))
        self._sessions: dict[str, Session] = {}
        self._locks: dict[str, threading.Lock] = {}
        self._guard = threading.Lock()

    def close(self) -> None:
        """Let go of the store."""
        self.store.close()

    def open_game(self, game: str, rules: str, dice: str, **how: Any) -> tuple[Session, dict[Seat, str]]:
        """Open a new game and hand out its tokens; raise `Raised` when the rules or the store do not allow it."""
        try:
            seed = fresh_seed(self.path, game) if dice == "sealed" else None
            session = Session.create(self.store, rules_called(rules), game=game, dice=dice, seed=seed, **how)
        except RefusedByRules as fault:
            raise Raised(409, "refused_by_the_rules", str(fault), fault.reasons) from fault
        except (GameExists, BadSeed) as fault:
            raise Raised(409, "game_exists", str(fault)) from fault
        except StoreError as fault:
            raise Raised(422, "bad_shape", str(fault)) from fault
        with self._guard:
            self._sessions[game] = session
        return session, self.tokens.hand_out(game, session.now.table.seats)

    @contextmanager
    def session(self, game: str) -> Iterator[Session]:
        """Lend the session of a game, up to date, to one thread at a time; raise `Raised` when there is no such game."""
        with self._guard:
            lock = self._locks.setdefault(game, threading.Lock())
        with lock:
            session = self._sessions.get(game)
            try:
                if session is None:
                    session = Session.open(self.store, game, seed=kept_seed(self.path, game))
                    self._sessions[game] = session
                session.refresh()
            except (NoSuchGame, NoSuchRules) as fault:
                raise Raised(404, "no_such_game", f"There is no game {game!r} here.") from fault
            except (BadLine, BadSeed) as fault:
                raise Raised(409, "read_only", str(fault)) from fault
            except StoreError as fault:
                raise Raised(503, "store_failed", str(fault)) from fault
            yield session

    def seat(self, game: str, authorization: str | None) -> Seat | None:
        """Return the seat of a request's bearer token, None for a spectator; raise `Raised` for a token that is none."""
        if not authorization:
            return None
        scheme, _, token = authorization.partition(" ")
        seat = self.tokens.seat(game, token.strip()) if scheme.lower() == "bearer" else None
        if seat is None:
            raise Raised(401, "wrong_token")
        return seat

    @staticmethod
    def acting(session: Session, holder: Seat | None, seat: str) -> Seat:
        """Return the seat that a token's holder may act as; raise `Raised` when it may not act as the one named.

        A seat acts as itself. Typed dice may be given by the seat that throws them or draws, and by the arbiter.
        """
        if holder is None:
            raise Raised(401, "no_token")
        if seat in ("", holder):
            return holder
        if seat == CHANCE:
            asked = session.now.question
            roll, draw = (asked.roll, asked.draw) if asked is not None else (None, None)
            if holder in (ARBITER, roll.thrower if roll else "", draw.to if draw else ""):
                return CHANCE
        raise Raised(403, "not_your_seat", f"This token acts as {holder}, not as {seat}.")


def rules_called(name: str) -> Rules[Any]:
    """Return the rules of that name; raise `Raised` when there are none."""
    try:
        return load_rules(name)
    except NoSuchRules as fault:
        raise Raised(404, "no_such_rules", str(fault)) from fault
