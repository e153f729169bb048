"""What a log shows of consent: for each time the game went back to before something told, on whose word that was."""

from collections.abc import Iterable, Iterator
from typing import Any

from msgspec import Struct

from core.harmless import harmless
from core.kit.consenting import AgreeToTakeBack
from core.kit.table import MoveHead, Rule
from core.seats import ARBITER
from events.entry import Entry
from events.event import Id, Seat
from events.table import HeadMoved, TakeBackAgreed

__all__ = ["HOW", "Consent", "consents"]

HOW = {
    "alone": "alone, for it had told nothing",
    "each": "each seat agreed in an entry of its own",
    "keeper": "on the word of who wrote the entry",
    "arbiter": "the arbiter decided, in an entry of his own",
}
"""How consent can stand in a log. Seats sign nothing: a log shows what its keeper wrote, and nothing beyond that."""


_TOLD_BY = frozenset({TakeBackAgreed, HeadMoved})


class Consent(Struct, frozen=True, gc=False):
    """One going back: its entry, who wanted it, how consent stands there, and the entry in which each seat agreed (0: none)."""

    entry: Id
    by: Seat
    how: str
    agreed: dict[Seat, Id]
    arbiter: str = ""

    def words(self) -> str:
        """Return it as a sentence for people."""
        who = ", ".join(f"{seat} in entry {at}" if at else seat for seat, at in self.agreed.items())
        who = who or self.arbiter
        return harmless(
            f"entry {self.entry}, {self.by} went back: {HOW[self.how]}{f' ({who})' if who else ''}"
        )


def consents(entries: Iterable[Entry[Any, Any]]) -> Iterator[Consent]:
    """Yield how consent stands for each entry by which the game went back."""
    said: dict[Id, dict[Seat, Id]] = {}
    for entry in entries:
        if _TOLD_BY.isdisjoint(map(type, entry.facts)):
            continue
        for fact in entry.facts:
            if isinstance(fact, TakeBackAgreed):
                said.setdefault(fact.proposal, {})[fact.seat] = entry.id
            elif isinstance(fact, HeadMoved):
                yield _of(entry, fact, said)


def _of(entry: Entry[Any, Any], moved: HeadMoved, said: dict[Id, dict[Seat, Id]]) -> Consent:
    command = entry.command
    if isinstance(command, AgreeToTakeBack):
        own = said.get(command.proposal, {})
        return Consent(entry.id, moved.by, "each", {seat: own.get(seat, 0) for seat in moved.agreed})
    agreed = dict.fromkeys(moved.agreed, 0)
    if entry.seat == ARBITER or isinstance(command, Rule):
        return Consent(entry.id, moved.by, "arbiter", agreed, moved.arbiter)
    claimed = isinstance(command, MoveHead) and (moved.agreed or moved.arbiter)
    return Consent(entry.id, moved.by, "keeper" if claimed else "alone", agreed, moved.arbiter)
