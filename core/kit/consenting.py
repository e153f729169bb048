"""Asking for consent to a take-back: a seat proposes it, the others answer for themselves, each in an entry of its own.

Commands of the table as those in `core.kit.table`. What counts as consent is judged in `core.consent`.
"""

from collections.abc import Iterator
from typing import Any, ClassVar

from core.consent import must_agree, not_agreed
from core.kit.forbidding import forbids_stranger, no_such_entry
from core.kit.table import TableCommand
from core.refusal import Refusal
from core.seats import ARBITER
from core.table import Proposal, Table
from core.telling import Moment, Tale
from events.event import Id, Seat
from events.table import HeadMoved, TakeBackAgreed, TakeBackProposed, TakeBackRefused

__all__ = [
    "CONSENT_COMMANDS",
    "AgreeToTakeBack",
    "ProposeTakeBack",
    "RefuseTakeBack",
    "completes",
    "unanswered",
]


class ProposeTakeBack(TableCommand):
    """Ask the others to agree that the game goes on from entry `to`.

    `learned` is what the entries left behind had told to who asks; the session fills it in.
    """

    to: Id
    reason: str = ""
    learned: tuple[str, ...] = ()

    SEALS: ClassVar[bool] = False
    COMPUTED: ClassVar[tuple[str, ...]] = ("learned",)

    def forbids(self, now: Moment[Any], seat: Seat) -> Iterator[Refusal]:
        """Refuse to ask for what is no entry, needs nobody, is asked already, or was asked here before (LS-3.3, LS-3.5)."""
        yield from forbids_stranger(now, seat, "LS-3.3")
        if now.table.disputes:
            yield Refusal("disputed", ("LS-5.1",), "While a dispute is open only the arbiter moves the game.")
        if not 1 <= self.to < now.entry:
            yield no_such_entry(self.to, now.entry, "LS-3.1")
            return
        whom = must_agree(now.table, seat, self.learned)
        if not whom:
            yield Refusal(
                "no_consent_needed",
                ("LS-3.2",),
                f"{seat} asks nobody for this: it may go back to entry {self.to} at once.",
                {"to": self.to},
            )
        elif whom == (ARBITER,):
            yield Refusal(
                "arbiter_decides", ("LS-3.2",), "Nobody is left who could agree; the arbiter decides."
            )
        standing = now.table.proposed(now.entry)
        if standing is not None:
            yield Refusal(
                "proposed_already",
                ("LS-3.5",),
                f"{standing.seat} asks already to go back to entry {standing.to} (entry {standing.id}); "
                "one proposal stands at a time.",
                {"proposal": standing.id},
            )
        elif not set(now.table.seats_of(seat)).isdisjoint(now.table.asked_before(now.entry)):
            yield Refusal(
                "asked_before",
                ("LS-3.5",),
                f"{seat} has asked here already, and nothing has been done since; a seat asks once.",
            )

    def tells(self, tale: Tale[Any], seat: Seat) -> None:
        """Tell who asks to go where, and what had been learned."""
        tale.tell(TakeBackProposed(seat, self.to, self.learned, self.reason, because=("LS-3.3",)))


class AgreeToTakeBack(TableCommand):
    """Agree to the take-back that entry `proposal` asks for; with the last agreement that is needed the game goes back.

    `to` is the entry gone to by that last agreement, 0 in any other; the session fills it in.
    """

    proposal: Id
    to: Id = 0

    SEALS: ClassVar[bool] = False
    COMPUTED: ClassVar[tuple[str, ...]] = ("to",)

    def goes_back(self) -> Id | None:
        """Return the entry gone to, when this is the last agreement that was needed."""
        return self.to or None

    def forbids(self, now: Moment[Any], seat: Seat) -> Iterator[Refusal]:
        """Refuse to agree to what nobody asks any more, to one's own asking, twice, or as who has no say (LS-3.3, LS-3.5)."""
        yield from forbids_stranger(now, seat, "LS-3.3")
        standing = now.table.proposed(now.entry)
        if standing is None or standing.id != self.proposal:
            yield _lapsed(self.proposal, standing)
            return
        own = now.table.seats_of(seat)
        if seat == ARBITER or standing.seat in own:
            text = (
                "The arbiter agrees to nothing; he rules, or moves the game himself."
                if seat == ARBITER
                else f"{standing.seat} asked for it; the others agree."
            )
            yield Refusal("not_asked_to_agree", ("LS-3.3",), text)
        elif agreed := [each for each in own if each in standing.agreed]:
            yield Refusal("agreed_already", ("LS-3.3",), f"{agreed[0]} has agreed already.")
        due = standing.to if completes(now.table, standing, seat) else 0
        if self.to != due:
            text = (
                f"With this agreement the game {f'goes on from entry {due}' if due else 'goes nowhere yet'}."
            )
            yield Refusal("wrong_entry", ("LS-3.3",), text, {"to": due})

    def tells(self, tale: Tale[Any], seat: Seat) -> None:
        """Tell the agreement; with the last one that was needed, that the head moved."""
        standing = tale.table.proposed(tale.entry)
        assert standing is not None
        tale.tell(TakeBackAgreed(seat, self.proposal, because=("LS-3.3",)))
        if self.to:
            agreed = (*standing.agreed, seat)
            tale.tell(
                HeadMoved(
                    standing.seat,
                    agreed,
                    learned=standing.learned,
                    reason=standing.reason,
                    because=("LS-3.3",),
                )
            )


class RefuseTakeBack(TableCommand):
    """Refuse the take-back that entry `proposal` asks for, or withdraw it as who asked: the game stays where it is."""

    proposal: Id
    reason: str = ""

    SEALS: ClassVar[bool] = False

    def forbids(self, now: Moment[Any], seat: Seat) -> Iterator[Refusal]:
        """Refuse to answer what nobody asks any more, or as who does not sit at the table (LS-3.3, LS-3.5)."""
        yield from forbids_stranger(now, seat, "LS-3.3")
        standing = now.table.proposed(now.entry)
        if standing is None or standing.id != self.proposal:
            yield _lapsed(self.proposal, standing)

    def tells(self, tale: Tale[Any], seat: Seat) -> None:
        """Tell who refused."""
        tale.tell(TakeBackRefused(seat, self.proposal, self.reason, because=("LS-3.3",)))


def unanswered(table: Table, proposal: Proposal) -> tuple[Seat, ...]:
    """Return the seats whose agreement to a proposal is still missing."""
    return not_agreed(table, proposal.seat, proposal.learned, proposal.agreed)


def completes(table: Table, proposal: Proposal, seat: Seat) -> bool:
    """Return whether nobody is left to agree to a proposal once a seat has."""
    return not not_agreed(table, proposal.seat, proposal.learned, (*proposal.agreed, seat))


def _lapsed(named: Id, standing: Proposal | None) -> Refusal:
    said = f"; {standing.seat} asks with entry {standing.id}" if standing is not None else ""
    return Refusal(
        "no_proposal",
        ("LS-3.5",),
        f"Entry {named} asks for no take-back any more, or never did{said}.",
        {"proposal": named},
    )


CONSENT_COMMANDS = (ProposeTakeBack, AgreeToTakeBack, RefuseTakeBack)
