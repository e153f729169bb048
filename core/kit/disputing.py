"""Disputes: a player contests an entry of the log, and until the arbiter rules the game stands still (LS-5.1, LS-5.5).

A command of the table as those in `core.kit.table`.
"""

from collections.abc import Iterator
from typing import Any, ClassVar, Final

from core.kit.forbidding import forbids_stranger, no_such_entry
from core.kit.table import TableCommand
from core.refusal import Refusal
from core.seats import ARBITER
from core.telling import Moment, Tale
from events.event import Id, Seat
from events.table import DisputeRaised

__all__ = ["DISPUTE_COMMANDS", "RaiseDispute"]


OPENING: Final = 1
"""The entry that opens the game: it may hold a whole position, in which more than one thing can be wrong."""


class RaiseDispute(TableCommand):
    """Contest entry `at`: until an arbiter rules, the game stands still."""

    at: Id
    claim: str

    SEALS: ClassVar[bool] = False

    def forbids(self, now: Moment[Any], seat: Seat) -> Iterator[Refusal]:
        """Refuse who is not at the table, what is no entry, and whom another dispute of his keeps from it (LS-5.1, LS-5.5)."""
        yield from forbids_stranger(now, seat, "LS-5.1")
        if not 1 <= self.at < now.entry:
            yield no_such_entry(self.at, now.entry, "LS-5.1")
        if seat != ARBITER:
            yield from _kept_from_it(now, seat, self.at)

    def tells(self, tale: Tale[Any], seat: Seat) -> None:
        """Tell that the entry is contested."""
        tale.tell(DisputeRaised(seat, self.at, self.claim, because=("LS-5.1",)))


def _kept_from_it(now: Moment[Any], seat: Seat, at: Id) -> Iterator[Refusal]:
    """Refuse a second dispute of a player beside an open one, over an entry that he contested, or at once after a ruling."""
    table, own = now.table, now.table.seats_of(seat)
    standing = [dispute for dispute in table.disputes if dispute.seat in own]
    ruled = [dispute for dispute in table.ruled if dispute.seat in own]
    if standing:
        yield Refusal(
            "disputes_already",
            ("LS-5.5",),
            f"{standing[0].seat} contests entry {standing[0].at} already (dispute {standing[0].id}); the next dispute "
            "is raised when that is ruled on.",
            {"dispute": standing[0].id},
        )
    elif before := [dispute for dispute in ruled if dispute.at == at != OPENING]:
        yield Refusal(
            "ruled_already",
            ("LS-5.5",),
            f"{before[0].seat} contested entry {at} before (dispute {before[0].id}), and it was ruled on; no player contests "
            "an entry twice.",
            {"dispute": before[0].id},
        )
    elif now.state.ended is None and ruled and ruled[-1].id >= table.quiet(now.entry):
        yield Refusal(
            "just_ruled",
            ("LS-5.5",),
            f"Nothing has been played since {ruled[-1].seat} raised dispute {ruled[-1].id}, which is ruled on; play goes on "
            "before the next.",
            {"dispute": ruled[-1].id},
        )


DISPUTE_COMMANDS = (RaiseDispute,)
