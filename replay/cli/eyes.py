"""Whose eyes see what a command shows: `--as SEAT`, `--as spectator`, or everything without it. One way for all commands."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from rich.console import RenderableType

from core.seats import ARBITER, CHANCE, is_player
from core.telling import Moment
from events.event import Seat
from replay.cli.kept import moment_at
from replay.cli.moves import known_seat, said
from replay.cli.told import asks_plain, asks_shown, entry_plain, entry_shown
from replay.cli.trouble import Refusing, Trouble
from replay.giving import sealed_from
from replay.history import AnyEntry
from replay.session import Session

__all__ = ["NOBODY", "Eyes", "eyes"]

NOBODY = ("spectator", "nobody")
"""The words for a reader who sits nowhere, after --as."""


def eyes(session: Session, named: str) -> Seat | None:
    """Return whose eyes an `--as` means: the arbiter's when nothing is said, None for who sits nowhere; else a seat.

    Raises `Trouble` when nobody of that name sits there.
    """
    if named in NOBODY:
        return None
    return known_seat(session, named) if named else ARBITER


@dataclass(frozen=True)
class Eyes:
    """A session as `who` may see it: what a command tells of it goes through here."""

    session: Session
    who: Seat | None
    openly: bool = False
    """Whether everybody at the table looks on: nothing is told then but what all may see, whoever is heard."""

    @classmethod
    def of(cls, session: Session, named: str) -> "Eyes":
        """Return the eyes that an `--as` names."""
        return cls(session, eyes(session, named))

    @property
    def name(self) -> str:
        """Whose eyes, as `--json` says it."""
        return NOBODY[0] if self.who is None else self.who

    @property
    def reader(self) -> Seat | None:
        """Who reads what is told: on a screen that everybody sees, somebody who sits nowhere."""
        return None if self.openly else self.who

    def may_hear_of(self, seat: Seat) -> bool:
        """Return whether these eyes may read what hangs on what a seat alone may see, such as why a command of it is refused."""
        return self.reader == ARBITER or self._sits_at(seat, self.reader)

    def _sits_at(self, seat: Seat, reader: Seat | None) -> bool:
        """Return whether a seat is a reader's own, or another of the same player (LS-1.6)."""
        return reader is not None and seat in self.session.now.table.seats_of(reader)

    @property
    def me(self) -> Seat:
        """The seat that speaks where a line names none; empty for the arbiter and for who sits nowhere."""
        return self.who if self.who is not None and is_player(self.who) else ""

    @property
    def now(self) -> Moment[Any]:
        """The moment after the last entry."""
        return self.session.view(self.who)

    def at(self, entry: int | None) -> Moment[Any]:
        """Return the moment after an entry; raise `Trouble` when there is none."""
        return moment_at(self.session, entry, self.who)

    def entries(self, caused: Iterable[AnyEntry]) -> tuple[AnyEntry, ...]:
        """Return entries as these eyes may read them."""
        return tuple(self.session.history.entry_for(self.who, entry.id) for entry in caused)

    def told(self, caused: Iterable[AnyEntry]) -> dict[str, Any]:
        """Return what `--json` says of entries and of what is asked after them."""
        return {
            "entries": [entry_plain(self.session.rules, entry) for entry in self.entries(caused)],
            "asks": self.asks(),
        }

    def shown(self, caused: Iterable[AnyEntry], *, asks: bool = True) -> Iterator[RenderableType]:
        """Yield entries, and what is asked after them."""
        for entry in self.entries(caused):
            yield from entry_shown(self.session.rules, entry)
        if asks:
            yield from self.asked()

    def asks(self) -> list[dict[str, Any]]:
        """Return what is asked now, as JSON objects."""
        return asks_plain(self.session, who=self.who)

    def asked(self) -> Iterator[RenderableType]:
        """Yield what is asked now."""
        return asks_shown(self.session, who=self.who)

    def said(self, line: str) -> tuple[Seat, Any]:
        """Return the seat and the command that a line says; a player speaks for himself and for the dice, a spectator for the dice.

        What others are told of a command may hang on what they alone see; so nobody plays for them with these eyes.
        """
        now = self.now

        def hears(seat: Seat) -> None:
            if seat == CHANCE:
                self.give(now, line)
            self._plays(seat)

        return said(self.session, line, me=self.me, now=now, openly=self.openly, hears=hears)

    def asked_of(self, line: str, at: int | None) -> tuple[Seat, Any]:
        """Return the seat and the command of a line that is only asked about, read on what the reader sees (LS-2.7).

        A player asks for itself and for the dice alone; of anybody's line a spectator asks what all may hear.
        """
        now = moment_at(self.session, at, self.reader)

        def hears(seat: Seat) -> None:
            if seat == CHANCE:
                self.give(now, line)
            elif self.reader is not None and not self.may_hear_of(seat):
                text = f"--as {self.name} asks for {self.name} and the dice."
                raise Trouble(text, kind="not_your_seat", seat=seat)

        return said(self.session, line, me=self.me, now=now, openly=self.reader is None, hears=hears)

    def give(self, now: Moment[Any], line: str) -> None:
        """Raise `Refusing` where a card is drawn at a moment that these eyes may not give: how it is answered tells hands (LS-4.6)."""
        refusal = sealed_from(now, self.name)
        if refusal is not None:
            raise Refusing((refusal,), now.rules.rulebook, said=line, answers=now.table.answers)

    def _plays(self, seat: Seat) -> None:
        if self.who == ARBITER or self._sits_at(seat, self.who) or seat == CHANCE:
            return
        whose = (
            f"--as {self.name} plays for {self.name} and the dice"
            if self.who
            else "a spectator plays the dice alone"
        )
        raise Trouble(f"{whose}; {seat} plays for itself.", kind="not_your_seat", seat=seat)

    @property
    def stopped(self) -> str:
        """Where and why the log stops to fold, as these eyes may know it; empty when it does not."""
        return self.session.stopped_for(self.who)
