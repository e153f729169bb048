"""The seven phases of a turn (QD-4.1): the facts that begin them, and the command that ends one.

The steps of the phases are in the chapters that they belong to; `turn.py` lays them one after the other.
"""

from collections.abc import Iterator, Sequence

from msgspec import structs

from core.asking import Question
from core.refusal import Refusal
from core.rules import Command, Fact, Step
from core.telling import Moment, Tale
from events.event import FactData, Seat

from .board import ZONES
from .state import War

__all__ = [
    "COMMANDS",
    "FACTS",
    "EndPhase",
    "Pass",
    "Phase",
    "PhaseBegan",
    "TurnBegan",
    "act_on",
    "right_of",
]


class TurnBegan(Fact[War]):
    """The turn of a seat began; what it did in its last turn no longer counts (QD-4.1)."""

    seat: Seat

    def in_words(self, later: Sequence[FactData] = ()) -> str:
        return f"turn of {self.seat} began"

    def onto(self, state: War) -> War:
        return structs.replace(
            state,
            turn=state.turn + 1,
            active=self.seat,
            phase="",
            ready=(),
            spent={},
            fought={},
            sneaked={},
            moved={},
            moved_dragonlords={},
            tired=(),
            won=0,
        )


class PhaseBegan(Fact[War]):
    """A phase of the active seat began; what may be done once in each phase may be done again (QD-4.1)."""

    phase: str

    def in_words(self, later: Sequence[FactData] = ()) -> str:
        """Return that the phase began, or that it was passed over because nothing could be done in it."""
        follows = later[0] if later else None
        if isinstance(follows, PhaseBegan | TurnBegan):
            return f"{self.phase} phase skipped: nothing can be done in it"
        return f"{self.phase} phase began"

    def onto(self, state: War) -> War:
        return structs.replace(
            state, phase=self.phase, ready=(), moved={}, moved_dragonlords={}, tired=(), sailed={}
        )


class EndPhase(Command[War]):
    """End the phase: go on to the next of the seven (QD-4.1)."""

    WHEN = ("QD-4.1",)

    SEALS = False

    def forbids(self, now: Moment[War], seat: Seat) -> Iterator[Refusal]:
        """Refuse to leave a battle unfought that phases 2 and 3 left open, and what the phase itself holds back (QD-H26)."""
        war = now.state
        if war.phase == "combat" and war.columns:
            place = min(war.columns)
            yield Refusal(
                "battles_open",
                ("QD-11.1" if place in ZONES else "QD-10.1", "QD-H26"),
                f"The battle for {place} is still to be fought in this phase.",
                {"place": place},
            )
        step = war.agenda[-1].step
        if isinstance(step, Phase):
            yield from step.holds(now, seat)

    def tells(self, tale: Tale[War], seat: Seat) -> None:
        """End the step of the phase; the turn beneath it goes on."""
        tale.done()


class Pass(Command[War]):
    """Do no more where something may be done: no spell, no flight, no answer to a scroll, no treasure against a fire attack."""

    SEALS = False

    def tells(self, tale: Tale[War], seat: Seat) -> None:
        """Go on to what comes next."""
        tale.top.go_on(tale)


class Phase(Step[War]):
    """What every phase of a turn has: it is over when the turn has moved on, be it by a correction."""

    seat: Seat

    def is_on(self, now: Moment[War], phase: str) -> bool:
        """Return whether it is this seat's turn, and this phase of it."""
        war = now.state
        return war.active == self.seat and war.phase == phase and not now.is_out(self.seat)

    def asks(self, kind: str, *answers: type[Command[War]], prompt: str, because: str) -> Question:
        """Return a question to the seat whose phase it is."""
        return Question(kind, (self.seat,), answers, (because,), prompt)

    def holds(self, now: Moment[War], seat: Seat) -> Iterator[Refusal]:
        """Yield why the seat may not end the phase yet."""
        yield from ()

    def goes_on(self) -> "Phase":
        """Return the step of the phase after an act of its seat."""
        return self

    def play(self, tale: Tale[War]) -> None:
        """End: nothing is left to do in this phase."""
        tale.done()

    def silence(self, now: Moment[War], seat: Seat) -> Command[War]:
        return EndPhase()

    def by_itself(self, now: Moment[War]) -> Iterator[tuple[Seat, Command[War]]]:
        """Yield the end of a phase in which nothing, or nothing more, can be done."""
        if now.state.active == self.seat:
            yield self.seat, EndPhase()


def act_on(tale: Tale[War]) -> None:
    """Ask the phase anew after an act of its seat."""
    top = tale.top
    if isinstance(top, Phase):
        tale.become(top.goes_on())
    else:
        tale.reopen()


def right_of(now: Moment[War], seat: Seat, but: Seat = "") -> Seat:
    """Return the player on the right of a seat who is in the game: he reads quest cards and rolls for monsters (QD-6.10).

    Not `but`, for whose vanquished units he rolls (QD-H47), and not who plays the allied army (QD-H21); the seat itself
    where nobody else is left.
    """
    seats, own = now.table.seats, now.table.seats_of(seat)
    place = seats.index(seat)
    order = [seats[(place - n) % len(seats)] for n in range(1, len(seats))]
    return next((name for name in order if name != but and name not in own and not now.is_out(name)), seat)


COMMANDS = (EndPhase, Pass)
FACTS = (TurnBegan, PhaseBegan)
