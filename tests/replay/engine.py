"""A table for the tests of the session: a store in memory, a clock that stands, salts that repeat, the words of a game."""

import re
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from itertools import count
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

from core.deciding import asks
from core.rules import Rules
from core.seats import CHANCE, is_player
from events.chain import Head, hash_of
from events.seals import Opening
from events.store import Appended, NoSuchGame, Position, Stored, WrongHead
from events.table import Branch
from replay.session import Accepted, Refused, Session
from replay.verifying.report import Report
from replay.verifying.verify import verify_log

__all__ = [
    "Memory",
    "accepted",
    "beside",
    "create",
    "play_on",
    "reasons",
    "refused",
    "reopened",
    "spoil",
    "verified",
    "words",
]

SEED = "5eed" * 16


class Memory:
    """A store in memory, as `events.store.Store` promises it."""

    def __init__(self) -> None:
        self.held: dict[str, list[Stored]] = {}
        self.keys: dict[tuple[str, str], int] = {}
        self.before_append: list[Any] = []

    def append(
        self, game: str, line: bytes, *, expected: Head, key: str = "", openings: Sequence[Opening] = ()
    ) -> Appended:
        if self.before_append:
            self.before_append.pop(0)()
        if key and (game, key) in self.keys:
            stored = self.held[game][self.keys[game, key] - 1]
            return Appended(Head(stored.id, hash_of(stored.line)), "", repeated=True)
        actual = self.head(game)
        if actual != expected:
            raise WrongHead(game, expected, actual)
        head = Head(expected.id + 1, hash_of(line))
        self.held.setdefault(game, []).append(Stored(game, head.id, line, tuple(openings)))
        if key:
            self.keys[game, key] = head.id
        return Appended(head, "")

    def read(self, game: str, since: int = 0, upto: int | None = None) -> Iterator[Stored]:
        if game not in self.held:
            raise NoSuchGame(f"there is no game {game!r}")
        return iter(self.held[game][since:upto])

    def head(self, game: str) -> Head:
        held = self.held.get(game)
        return Head(held[-1].id, hash_of(held[-1].line)) if held else Head()

    def games(self) -> list[str]:
        return list(self.held)

    def find(self, game: str, key: str) -> int | None:
        return self.keys.get((game, key))

    def follow(
        self, since: Position = "", game: str | None = None, *, wait: float | None = None
    ) -> Iterator[Stored]:
        raise NotImplementedError

    def backup(self, to: Path) -> None:
        raise NotImplementedError

    def check(self) -> list[str]:
        return []

    def close(self) -> None:
        self.held = {}


def spoil(store: Memory, entry: int, pattern: bytes, new: bytes, game: str = "g") -> None:
    """Change a stored line, and those after it so that the chain still holds: as a newer program would have written."""
    rows = store.held[game]
    changed, count = re.subn(pattern, new, rows[entry - 1].line, count=1)
    assert count == 1, (pattern, rows[entry - 1].line)
    rows[entry - 1] = Stored(game, entry, changed, rows[entry - 1].openings)
    for at in range(entry, len(rows)):
        line = re.sub(
            rb'"prev":"[0-9a-f]{64}"', b'"prev":"' + hash_of(rows[at - 1].line).encode() + b'"', rows[at].line
        )
        rows[at] = Stored(game, at + 1, line, rows[at].openings)


def words(rules: Rules[Any]) -> Any:
    """Return the commands, facts, set-up facts and steps of a game by name."""
    kinds = (*rules.commands, *rules.facts, *rules.setup, *rules.steps)
    return SimpleNamespace(**{kind.__name__: kind for kind in kinds})


def _salt(entry: int, part: int) -> bytes:
    return sha256(f"{entry} {part}".encode()).digest()[:16]


def _clock() -> Any:
    minutes = count()
    return lambda: f"2026-01-01T00:{next(minutes) % 60:02}:00.000Z"


def create(rules: Rules[Any], store: Any = None, **more: Any) -> Session:
    """Open a game of red and blue, named `g`, in a store in memory unless another is given."""
    asked: dict[str, Any] = {"game": "g", "seats": ("red", "blue"), "clock": _clock(), "salts": _salt}
    return Session.create(store if store is not None else Memory(), rules, **{**asked, **more})


def reopened(session: Session, **more: Any) -> Session:
    """Open the same log anew, as another process would."""
    asked: dict[str, Any] = {"rules": session.rules, "clock": _clock(), "salts": _salt}
    return Session.open(session.store, session.game, **{**asked, **more})


def memory(session: Session) -> Memory:
    """Return the store in memory that a session writes to."""
    assert isinstance(session.store, Memory)
    return session.store


def accepted(outcome: Accepted | Refused) -> Any:
    """Return the entry of a command that must have been accepted."""
    assert isinstance(outcome, Accepted), outcome
    return outcome.entries[0]


def refused(outcome: Accepted | Refused) -> Refused:
    """Return a refusal that must be one."""
    assert isinstance(outcome, Refused), outcome
    return outcome


def reasons(outcome: Accepted | Refused) -> list[tuple[str, str]]:
    """Return code and first section of each reason of a refusal."""
    return [(reason.code, reason.because[0]) for reason in refused(outcome).reasons]


def play_on(session: Session, entries: int, seed: int = 0) -> None:
    """Play at random, as the offers allow, until so many entries stand or the game is over; typed dice are rolled."""
    chooser = Random(seed)
    while session.now.state.ended is None and session.head.id < entries:
        asked = [
            ask
            for seat in (*session.now.table.seats, CHANCE)
            for ask in (session.asks(seat) if is_player(seat) else asks(session.now, seat))
            if ask.offers
        ]
        ask = chooser.choice(asked)
        accepted(session.submit(ask.seat, chooser.choice(ask.offers).sample(chooser.randrange)))


def beside(session: Session, upto: int | None = None) -> Callable[[Branch], list[bytes]]:
    """Return what finds a game for a what-if that left it, or its first entries: it lies beside."""
    lines = [row.line for row in session.store.read(session.game)][:upto]
    return lambda _: lines


def verified(session: Session, **more: Any) -> Report:
    """Verify the log of a session with all its openings, naming every divergence."""
    stored = list(session.store.read(session.game))
    openings = [opening for row in stored for opening in row.openings]
    asked: dict[str, Any] = {"head": session.store.head(session.game), "all": True}
    return verify_log(session.rules, [row.line for row in stored], openings, **{**asked, **more})
