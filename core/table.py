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
    TakeBackAgreed,
    TakeBackProposed,
    TakeBackRefused,
)

__all__ = ["Dispute", "Penalty", "Proposal", "Table", "fold_table"]


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


class Proposal(Struct, frozen=True, gc=False):
    """A take-back that was asked for: its number (the entry that asked), who asks to go where, who has agreed so far.

    `refused` names who refused it. `upto` is the last entry that was about it, `asked` who had asked at the same
    moment of the game before: an entry about anything else ends both.
    """

    id: Id
    seat: Seat
    to: Id
    learned: tuple[str, ...] = ()
    reason: str = ""
    agreed: tuple[Seat, ...] = ()
    refused: Seat | None = None
    upto: Id = 0
    asked: tuple[Seat, ...] = ()


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
    proposal: Proposal | None = None
    """The take-back that was asked for last, whether it stands or not; see `proposed`."""
    ruled: tuple[Dispute, ...] = ()
    """The disputes that were ruled on."""
    aside: tuple[Id, Id] = (0, 0)
    """The first and the last of the latest entries in a row that were about the table alone; see `quiet`."""
    players: tuple[tuple[Seat, ...], ...] = ()
    """The seats of each player, where one may sit at several; empty: each sits at one (LS-1.6)."""

    @property
    def opened(self) -> bool:
        """Whether a game was opened at this table."""
        return bool(self.game)

    def proposed(self, entry: Id) -> Proposal | None:
        """Return the take-back that waits for agreement where the next entry is `entry`; None when none stands (LS-3.5)."""
        held = self.proposal
        return held if held is not None and held.refused is None and held.upto == entry - 1 else None

    def asked_before(self, entry: Id) -> tuple[Seat, ...]:
        """Return the seats that have asked for a take-back since anything else was appended before entry `entry`."""
        held = self.proposal
        return (*held.asked, held.seat) if held is not None and held.upto == entry - 1 else ()

    def quiet(self, entry: Id) -> Id:
        """Return since which entry nothing was played or corrected, where the next entry is `entry`; that when something just was."""
        first, last = self.aside
        return first if last == entry - 1 else entry

    def seats_of(self, seat: Seat) -> tuple[Seat, ...]:
        """Return all seats of the player who sits at one, that one first; of chance, arbiter and strangers that alone."""
        own = next((seats for seats in self.players if seat in seats), ())
        return (seat, *(other for other in own if other != seat))

    def told_to(self, seats: tuple[Seat, ...]) -> tuple[Seat, ...]:
        """Return to which seats is told what is for these alone: to all of their players (LS-1.6)."""
        if not self.players:
            return seats
        return tuple(dict.fromkeys(own for seat in seats for own in self.seats_of(seat)))


def _opened(table: Table, fact: GameOpened, entry: Id) -> Table:
    return Table(
        id=fact.id, game=fact.game, revision=fact.revision, seats=fact.seats, answers=fact.answers, dice=fact.dice,
        commitment=fact.commitment, persons=fact.persons, options=fact.options, branch=fact.branch, title=fact.title,
        players=fact.players,
    )  # fmt: skip


def _moved(table: Table, fact: HeadMoved, entry: Id) -> Table:
    return structs.replace(table, moved=(*table.moved, entry), proposal=None)


def _proposed(table: Table, fact: TakeBackProposed, entry: Id) -> Table:
    asked = table.asked_before(entry)
    held = Proposal(entry, fact.by, fact.to, fact.learned, fact.reason, upto=entry, asked=asked)
    return structs.replace(table, proposal=held)


def _agreed(table: Table, fact: TakeBackAgreed, entry: Id) -> Table:
    held = _answered(table, fact.proposal)
    return structs.replace(
        table, proposal=structs.replace(held, agreed=(*held.agreed, fact.seat), upto=entry)
    )


def _refused(table: Table, fact: TakeBackRefused, entry: Id) -> Table:
    held = _answered(table, fact.proposal)
    return structs.replace(table, proposal=structs.replace(held, refused=fact.seat, upto=entry))


def _answered(table: Table, proposal: Id) -> Proposal:
    if table.proposal is None or table.proposal.id != proposal:
        raise ValueError(f"entry {proposal} asks for no take-back")
    return table.proposal


def _disputed(table: Table, fact: DisputeRaised, entry: Id) -> Table:
    return structs.replace(table, disputes=(*table.disputes, Dispute(entry, fact.seat, fact.at, fact.claim)))


def _ruled(table: Table, fact: Ruled, entry: Id) -> Table:
    left = tuple(dispute for dispute in table.disputes if dispute.id != fact.dispute)
    ruled = tuple(dispute for dispute in table.disputes if dispute.id == fact.dispute)
    table = structs.replace(
        table, disputes=left, ruled=(*table.ruled, *ruled), rulings=(*table.rulings, entry)
    )
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
    TakeBackProposed: _proposed,
    TakeBackAgreed: _agreed,
    TakeBackRefused: _refused,
    DisputeRaised: _disputed,
    Ruled: _ruled,
    CalledOff: _called_off,
    SeedRevealed: _revealed,
}


def fold_table(table: Table, fact: FactData, entry: Id) -> Table:
    """Return the table after a table fact of entry `entry`."""
    first, last = table.aside
    aside = (first if last and last >= entry - 1 else entry, entry)
    return structs.replace(_FOLDS[type(fact)](table, fact, entry), aside=aside)
