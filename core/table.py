"""The table: what is outside the game's own time. A fold of the table facts along ids."""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct, field, structs

from events.event import FactData, Id, Seat
from events.table import (
    Answered,
    Branch,
    CalledOff,
    DisputeRaised,
    Forfeited,
    GameOpened,
    HeadMoved,
    Penalised,
    Ruled,
    SeedRevealed,
)

__all__ = ["Dispute", "Penalty", "Table", "fold_table"]


class Dispute(Struct, frozen=True, gc=False):
    """An open dispute: its number (the entry that raised it), who contests which entry, and the claim."""

    id: Id
    seat: Seat
    at: Id
    claim: str


class Penalty(Struct, frozen=True, gc=False):
    """A penalty on record, and the entry of its ruling."""

    seat: Seat
    what: str
    entry: Id


class Table(Struct, frozen=True, gc=False):
    """Persons, answers to points, rulings, penalties, disputes and the dice commitment of one game."""

    id: str = ""
    game: str = ""
    revision: int = 0
    seats: tuple[Seat, ...] = ()
    answers: Mapping[str, str] = field(default_factory=dict)
    dice: str = "typed"
    commitment: str = ""
    persons: Mapping[str, str] = field(default_factory=dict)
    options: Mapping[str, str] = field(default_factory=dict)
    branch: Branch | None = None
    title: str = ""
    disputes: tuple[Dispute, ...] = ()
    penalties: tuple[Penalty, ...] = ()
    forfeited: tuple[Seat, ...] = ()
    rulings: tuple[Id, ...] = ()
    moved: tuple[Id, ...] = ()
    seed: str = ""
    called_off: str = ""

    @property
    def opened(self) -> bool:
        """Whether a game was opened at this table."""
        return bool(self.game)


def _opened(table: Table, fact: GameOpened, entry: Id) -> Table:
    return Table(
        id=fact.id, game=fact.game, revision=fact.revision, seats=fact.seats, answers=fact.answers, dice=fact.dice,
        commitment=fact.commitment, persons=fact.persons, options=fact.options, branch=fact.branch, title=fact.title,
    )  # fmt: skip


def _moved(table: Table, fact: HeadMoved, entry: Id) -> Table:
    return structs.replace(table, moved=(*table.moved, entry))


def _disputed(table: Table, fact: DisputeRaised, entry: Id) -> Table:
    return structs.replace(table, disputes=(*table.disputes, Dispute(entry, fact.seat, fact.at, fact.claim)))


def _ruled(table: Table, fact: Ruled, entry: Id) -> Table:
    left = tuple(dispute for dispute in table.disputes if dispute.id != fact.dispute)
    table = structs.replace(table, disputes=left, rulings=(*table.rulings, entry))
    verdict = fact.verdict
    if isinstance(verdict, Answered):
        return structs.replace(table, answers={**table.answers, verdict.point: verdict.answer})
    if isinstance(verdict, Penalised):
        return structs.replace(
            table, penalties=(*table.penalties, Penalty(verdict.seat, verdict.what, entry))
        )
    if isinstance(verdict, Forfeited):
        return structs.replace(table, forfeited=(*table.forfeited, verdict.seat))
    return table


def _called_off(table: Table, fact: CalledOff, entry: Id) -> Table:
    return structs.replace(table, called_off=fact.reason)


def _revealed(table: Table, fact: SeedRevealed, entry: Id) -> Table:
    return structs.replace(table, seed=fact.seed)


_FOLDS: dict[type[FactData], Callable[[Table, Any, Id], Table]] = {
    GameOpened: _opened,
    HeadMoved: _moved,
    DisputeRaised: _disputed,
    Ruled: _ruled,
    CalledOff: _called_off,
    SeedRevealed: _revealed,
}


def fold_table(table: Table, fact: FactData, entry: Id) -> Table:
    """Return the table after a table fact of entry `entry`."""
    return _FOLDS[type(fact)](table, fact, entry)
