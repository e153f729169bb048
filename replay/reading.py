"""A game as far as its log was read: what the log holds, and what of it and of what is asked a seat may know."""

from collections.abc import Iterator
from typing import Any

from core.asking import Ask
from core.deciding import asks
from core.folding import Unfoldable
from core.rules import Rules
from core.seats import ARBITER, is_player
from core.telling import Moment
from events.chain import Head, hash_of
from events.event import Seat
from events.seals import Opening, for_seat
from events.store import Store
from replay.history import AnyEntry, History

__all__ = ["Reading"]


class Reading:
    """A game that a store holds, as far as it was read; `refresh` reads on."""

    def __init__(self, store: Store, game: str, rules: Rules[Any]) -> None:
        """Take where the log is kept and under which name; nothing is read yet."""
        self.store, self.game, self.rules = store, game, rules
        self.history = History(rules)

    @property
    def head(self) -> Head:
        """Where the log ends, as far as this session has read it."""
        return self.history.head

    @property
    def entries(self) -> list[AnyEntry]:
        """Every entry with all its sealed parts opened, entry n at index n - 1."""
        return self.history.entries

    @property
    def moments(self) -> list[Moment[Any]]:
        """The moment after each entry, by its id; that before the first at index 0."""
        return self.history.moments

    @property
    def now(self) -> Moment[Any]:
        """The moment after the last entry."""
        return self.history.now

    @property
    def stopped(self) -> Unfoldable | None:
        """Where the log stops to fold, and why; such a log can be read, not written."""
        return self.history.stopped

    @property
    def read_only(self) -> str:
        """Why nothing can be added to this log, in words that tell no secret; empty when it can."""
        if self.stopped is not None:
            return f"the log is understood only as far as it folds: {self.stopped_for(None)}"
        start = self.now.table.branch
        if start is not None and self.head.id < start.entry:
            return f"this what-if holds only {self.head.id} of the {start.entry} entries it should go on from"
        written = self.now.table.revision
        if written > self.rules.revision:
            return f"the log was written by revision {written} of {self.rules.name}; this program knows {self.rules.revision}"
        return ""

    def stopped_for(self, seat: Seat | None) -> str:
        """Return where and why the log stops to fold, as a seat may know it: the reason may name what is sealed."""
        if self.stopped is None:
            return ""
        return str(self.stopped) if seat == ARBITER else f"entry {self.stopped.entry} can't be followed"

    def refresh(self) -> bool:
        """Take in what others appended; return whether there was anything."""
        before = self.head
        if self.store.head(self.game) == before:
            return False
        for stored in self.store.read(self.game, before.id):
            self.history.take_in(stored)
        return self.head != before

    def stands(self) -> bool:
        """Return whether the store still holds what was read of the log; not where another game has taken its name."""
        head = self.head
        last = next(iter(self.store.read(self.game, head.id - 1, head.id)), None)
        return last is not None and hash_of(last.line) == head.hash

    def at(self, entry: int, seat: Seat | None = ARBITER) -> Moment[Any]:
        """Return the moment after an entry; raise `LookupError`, in words for a seat, when there is none or it does not fold."""
        if 0 <= entry < len(self.moments):
            return self.moments[entry]
        if self.stopped is not None and 0 <= entry <= self.head.id:
            raise LookupError(f"the state after entry {entry} is not known: {self.stopped_for(seat)}")
        raise LookupError(f"there is no entry {entry}; the log holds 1 to {self.head.id}")

    def view(self, seat: Seat | None, at: int | None = None) -> Moment[Any]:
        """Return a moment as a seat may know it; None is a spectator, the arbiter knows everything."""
        if at is not None:
            self.at(at, seat)
        return self.history.view(seat, at)

    def lines_as(self, seat: Seat | None, since: int = 0) -> Iterator[tuple[bytes, tuple[Opening, ...]]]:
        """Yield the stored lines after an entry, each with the openings that the seat may have; the arbiter has all."""
        for stored in self.store.read(self.game, since):
            if seat == ARBITER:
                yield stored.line, stored.openings
            else:
                yield stored.line, for_seat(stored.openings, seat) if seat is not None else ()

    def asks(self, seat: Seat) -> tuple[Ask, ...]:
        """Return what a seat is asked now, computed on what it may know; chance and the arbiter know the whole state.

        Nobody is asked anything in a log that can't be added to.
        """
        if self.read_only:
            return ()
        return tuple(asks(self.view(seat) if is_player(seat) else self.now, seat))
