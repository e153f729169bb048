"""The history of one game: every entry, the moment after each, and the same as each seat may know it."""

from collections.abc import Iterator
from typing import Any

from msgspec import structs

from core.deciding import opening
from core.folding import Unfoldable, fold
from core.kit.table import CallOff, Correct, OpenGame, TableCommand
from core.rules import Rules
from core.seats import ARBITER
from core.telling import Moment
from events.chain import Head, hash_of
from events.codec import BadLine, WrongOpening
from events.entry import Entry, SealedCommand
from events.event import Seat
from events.play import Sealed
from events.seals import Opening
from events.store import Stored

__all__ = ["AnyEntry", "History", "goes_on_from", "is_tables"]

AnyEntry = Entry[Any, Any]


class History:
    """What a log holds, folded as far as it folds: `moments[n]` is the moment after entry n, `moments[0]` before all.

    A seat's view is the fold of the same entries with its own openings alone; it is kept up to date as it is asked for,
    and shares every moment of the full history up to the first thing that the seat may not see.
    """

    def __init__(self, rules: Rules[Any]) -> None:
        """Begin an empty history under the rules of a game."""
        self.rules = rules
        self.head = Head()
        self.entries: list[AnyEntry] = []
        self.moments: list[Moment[Any]] = [opening(rules)]
        self.stopped: Unfoldable | None = None
        self._sealed: dict[int, tuple[AnyEntry, tuple[Opening, ...]]] = {}
        self._views: dict[Seat, list[Moment[Any]]] = {}

    @property
    def now(self) -> Moment[Any]:
        """The moment after the last entry that folds."""
        return self.moments[-1]

    def take_in(self, stored: Stored) -> None:
        """Take in the next stored entry; what does not follow, read or fold sets `stopped` and ends the fold there."""
        head = self.head
        self.head = Head(stored.id, hash_of(stored.line))
        if stored.id != len(self.entries) + 1:
            return  # a line before it could not be read at all
        codec = self.rules.codec
        try:
            sealed = codec.decode(stored.line)
            entry = codec.reveal(sealed, stored.openings) if stored.openings else sealed
        except (BadLine, WrongOpening) as fault:
            self._stop(stored.id, str(fault))
            return
        if entry.id != stored.id or entry.prev != head.hash:
            self._stop(stored.id, f"it says that it follows another log than entry {head.id} of this one")
            return
        if stored.openings:
            self._sealed[stored.id] = (sealed, stored.openings)
        self.entries.append(entry)
        if self.stopped is not None:
            return
        if not 0 <= entry.parent < entry.id:
            self._stop(entry.id, f"its parent, entry {entry.parent}, is not before it")
            return
        try:
            self.moments.append(fold(self.base(entry.parent), entry))
        except Unfoldable as stopped:
            self.stopped = stopped

    def add(
        self, entry: AnyEntry, sealed: AnyEntry, openings: tuple[Opening, ...], after: Moment[Any], head: Head
    ) -> None:
        """Add an entry that was just decided and stored, with the moment after it."""
        self.head = head
        self.entries.append(entry)
        if openings:
            self._sealed[entry.id] = (sealed, openings)
        self.moments.append(after)

    def base(self, parent: int) -> Moment[Any]:
        """Return the moment on which the next entry is decided when it goes on from `parent`."""
        return _joined(self.moments, len(self.moments), parent)

    def base_for(self, seat: Seat | None, parent: int) -> Moment[Any]:
        """Return the moment on which the next entry is decided, as a seat may know it."""
        seen = self._seen_by(seat)
        return _joined(seen, len(seen), parent)

    def decided_on(self, at: int, seat: Seat | None = ARBITER) -> Moment[Any]:
        """Return the moment on which entry `at` was decided, as a seat could know it then."""
        return _joined(self._seen_by(seat), at, self.entries[at - 1].parent)

    def view(self, seat: Seat | None, at: int | None = None) -> Moment[Any]:
        """Return the moment after entry `at` (the last one unless said) as a seat may know it; None is a spectator."""
        return self._seen_by(seat)[-1 if at is None else at]

    def entry_for(self, seat: Seat | None, at: int) -> AnyEntry:
        """Return entry `at` as a seat may read it: sealed but for its own openings; the arbiter reads all."""
        held = self._sealed.get(at)
        if held is None or seat == ARBITER:
            return self.entries[at - 1]
        sealed, full = held[0], self.entries[at - 1]
        facts = tuple(
            told if type(shut) is Sealed and seat in shut.to else shut
            for shut, told in zip(sealed.facts, full.facts, strict=True)
        )
        shut = sealed.command
        command = full.command if isinstance(shut, SealedCommand) and seat in shut.to else shut
        return structs.replace(sealed, command=command, facts=facts)

    def entries_for(self, seat: Seat | None, since: int = 0, upto: int | None = None) -> Iterator[AnyEntry]:
        """Yield the entries after `since`, up to and including `upto`, as a seat may read them."""
        for at in range(since + 1, (len(self.entries) if upto is None else upto) + 1):
            yield self.entry_for(seat, at)

    def as_stored(self, at: int) -> tuple[AnyEntry, tuple[Opening, ...]]:
        """Return entry `at` as its line holds it, and the openings of its sealed parts."""
        return self._sealed.get(at, (self.entries[at - 1], ()))

    def line(self, at: int) -> list[int]:
        """Return the entries that lead to `at` along parents, the first one first."""
        walk = []
        while at:
            walk.append(at)
            at = self.entries[at - 1].parent
        return walk[::-1]

    def _seen_by(self, seat: Seat | None) -> list[Moment[Any]]:
        """Return the moments as a seat may know them, folding what has come since the seat last asked."""
        if seat == ARBITER:
            return self.moments
        seen = self._views.setdefault(seat or "", [self.moments[0]])
        while len(seen) < len(self.moments):
            at = len(seen)
            full, before = self.entries[at - 1], _joined(seen, at, self.entries[at - 1].parent)
            shares = (
                at not in self._sealed
                and before.state is self.moments[full.parent].state
                and before.table is self.moments[at - 1].table
            )
            seen.append(self.moments[at] if shares else fold(before, self.entry_for(seat, at)))
        return seen

    def _stop(self, entry: int, why: str) -> None:
        self.stopped = self.stopped or Unfoldable(entry, 0, why)


def _joined(moments: list[Moment[Any]], at: int, parent: int) -> Moment[Any]:
    """Return the moment for entry `at`: its parent's state, and the table as entry `at - 1` left it."""
    last = moments[at - 1]
    if parent == at - 1:
        return last
    return Moment(last.rules, moments[parent].state, last.table, at)


def goes_on_from(command: Any, head: int) -> int:
    """Return the entry that a command goes on from: the head, unless it moves it to an entry that there is."""
    to = command.goes_back() if isinstance(command, TableCommand) else None
    return to if to is not None and 1 <= to <= head else head


def is_tables(entry: AnyEntry) -> bool:
    """Return whether an entry is about the table alone, so that no take-back undoes it: a ruling, a dispute, a take-back."""
    return isinstance(entry.command, TableCommand) and not isinstance(
        entry.command, Correct | OpenGame | CallOff
    )
