"""The turn (QD-4.1): one seat plays its seven phases in order, then the next seat in the game does."""

from collections.abc import Iterator

from core.asking import Offer, Question
from core.rules import Step
from core.telling import Moment, Tale
from events.event import Seat

from .battle import end_amid_battle
from .conquest import give_up
from .ending import check_end, king_beaten
from .income import Gathering
from .land_combat import Combat
from .leaving_sea import LeavingSea, has_to_leave
from .phases import PhaseBegan, TurnBegan
from .purchase import Buying
from .reinforcements import Reinforcing
from .sailing import Sailing
from .scrolls import asks_to_read, offers_to_read
from .state import PHASES, War
from .transfer import Transferring
from .wastelands import Questing

__all__ = ["PHASES", "STEPS", "Turn", "settle"]


def steps_of(phase: str, seat: Seat) -> tuple[Step[War], ...]:
    """Return the step of a phase."""
    steps: dict[str, type[Step[War]]] = {
        "buy": Buying,
        "sea": Sailing,
        "quest": Questing,
        "combat": Combat,
        "transfer": Transferring,
        "income": Gathering,
        "reinforce": Reinforcing,
    }
    return (steps[phase](seat),) if phase in steps else ()


class Turn(Step[War]):
    """The turns of the seats, one after the other; it says whose turn and which phase it began last.

    Where a position or a correction says otherwise, the turn goes on from there.
    """

    seat: Seat = ""
    phase: str = ""

    def meanwhile(self, now: Moment[War]) -> Question | None:
        """Return that the active player may read a scroll between any two acts of his turn (QD-16.1)."""
        return asks_to_read(now)

    def offers(self, now: Moment[War], seat: Seat) -> Iterator[Offer]:
        yield from offers_to_read(now, seat)

    def play(self, tale: Tale[War]) -> None:
        """Begin what comes next: the next phase, or the turn of the next seat; whose king fell attacks no more (QD-4.1)."""
        _give_up_kings(tale)
        check_end(tale)
        if tale.over:
            return
        war = tale.state
        for place, columns in war.columns.items():
            if columns[0].seat in war.out:
                give_up(tale, columns[0].seat, place)
        if (war.active, war.phase) == (self.seat, self.phase):
            if self._leaves_the_sea(tale):
                tale.then(LeavingSea(self.seat))
                return
            self._begin_next(tale)
        active, phase = tale.state.active, tale.state.phase
        tale.become(*steps_of(phase, active), Turn(active, phase))

    def _leaves_the_sea(self, tale: Tale[War]) -> bool:
        """Return whether units are at sea that may stay there no longer: phase 5 is over, or the turn is (QD-11.6)."""
        over = self.phase == "transfer" or tale.is_out(self.seat)
        return over and has_to_leave(tale.state, self.seat)

    def _begin_next(self, tale: Tale[War]) -> None:
        after = PHASES.index(self.phase) + 1 if self.phase else 0
        if after == len(PHASES) or tale.is_out(self.seat):
            tale.tell(TurnBegan(next_seat(tale, self.seat), because=("QD-4.1",)))
            after = 0
        tale.tell(PhaseBegan(PHASES[after], because=("QD-4.1",)))


def settle(tale: Tale[War]) -> None:
    """Tell what follows at once from a ruling or correction: kings that were given up fall, the game may be decided.

    Amid a battle or quest too (QD-22.1, QD-H48). Until the first turn nobody has a king to lose, unless that decides it.
    """
    if tale.over or not (tale.state.phase or _one_is_left(tale)):
        return
    _give_up_kings(tale)
    end_amid_battle(tale)


def _one_is_left(now: Moment[War]) -> bool:
    """Return whether all players but one have forfeited."""
    players = now.table.players or [(seat,) for seat in now.table.seats]
    return sum(not all(map(now.is_out, own)) for own in players) <= 1


def _give_up_kings(tale: Tale[War]) -> None:
    """Tell of each seat that has forfeited that its king fell, beaten by nobody (QD-22.1, QD-H48)."""
    for seat in tale.table.forfeited:
        king_beaten(tale, seat, "")


def next_seat(tale: Tale[War], seat: Seat) -> Seat:
    """Return the next seat clockwise that is still in the game."""
    seats = tale.table.seats
    place = seats.index(seat)
    return next(name for name in (*seats[place + 1 :], *seats[: place + 1]) if not tale.is_out(name))


STEPS = (Turn,)
