"""FA-1: turns; at any moment of his turn, whatever else is open, a player may toss a coin into the well."""

from collections.abc import Iterator
from typing import Literal

from msgspec import structs

from core.asking import Offer, Question
from core.rules import Command, Fact, Step
from core.seats import CHANCE
from core.telling import Moment, Tale
from events.chance import Hits, Roll
from events.event import Face, Seat
from events.play import GameEnded

from . import auction, deck, hail, knives, maze, ox, scrolls, spoils, wheel
from .coins import CoinsGained, lose
from .state import Fair, act, after, players

LAST = 24
"""The fair closes after so many turns."""
BOOTHS = (scrolls, hail, deck, auction, spoils, maze, wheel, knives, ox)
"""The chapters with which a turn can begin."""


class TurnEnded(Fact[Fair]):
    seat: Seat

    def onto(self, state: Fair) -> Fair:
        return structs.replace(state, turns=state.turns + 1, tossed=False)


class Tossed(Fact[Fair]):
    seat: Seat

    def onto(self, state: Fair) -> Fair:
        return structs.replace(state, tossed=True)


class Rest(Command[Fair]):
    def tells(self, tale: Tale[Fair], seat: Seat) -> None:
        act(tale)


class Toss(Command[Fair]):
    def tells(self, tale: Tale[Fair], seat: Seat) -> None:
        tale.tell(Tossed(seat, because=("FA-1.2",)))
        lose(tale, seat, 1, ("FA-1.2",))
        tale.then(Well(seat))


class Turn(Step[Fair]):
    seat: Seat
    at: Literal["choose", "over"] = "choose"

    def question(self, now: Moment[Fair]) -> Question | None:
        if self.at == "over":
            return None
        begun = tuple(command for booth in BOOTHS for command in booth.ACTIONS)
        may_toss = (Toss,) if self._may_toss(now) else ()
        return Question("turn", (self.seat,), (Rest, *begun, *may_toss), ("FA-1.1",), "choose a booth")

    def _may_toss(self, now: Moment[Fair]) -> bool:
        return not now.state.tossed and now.state.coins[self.seat] >= 2

    def meanwhile(self, now: Moment[Fair]) -> Question | None:
        if not self._may_toss(now):
            return None
        return Question("well", (self.seat,), (Toss,), ("FA-1.2",), "you may toss a coin")

    def offers(self, now: Moment[Fair], seat: Seat) -> Iterator[Offer]:
        yield Offer(Rest)
        if self._may_toss(now):
            yield Offer(Toss)
        for booth in BOOTHS:
            yield from booth.booth(now, seat)

    def silence(self, now: Moment[Fair], seat: Seat) -> Rest:
        return Rest()

    def play(self, tale: Tale[Fair]) -> None:
        tale.tell(TurnEnded(self.seat, because=("FA-1.1",)))
        left = players(tale)
        if len(left) <= 1:
            tale.tell(GameEnded(left, "last_standing", because=("FA-9.2",)))
            return
        if tale.state.turns >= LAST:
            most = max(tale.state.coins[seat] for seat in left)
            richest = tuple(seat for seat in left if tale.state.coins[seat] == most)
            tale.tell(GameEnded(richest, "closing_time", because=("FA-1.3",)))
            return
        following, seats = after(tale, self.seat), tale.table.seats
        roams = seats.index(following) <= seats.index(self.seat)
        tale.become(*((ox.Roaming(),) if roams else ()), Turn(following))


class Well(Step[Fair]):
    seat: Seat

    def question(self, now: Moment[Fair]) -> Question | None:
        roll = Roll("d6", 1, self.seat, Hits((6,)), "well")
        return Question("roll", (CHANCE,), (), ("FA-1.2",), "what the well gives back", roll=roll)

    def rolled(self, tale: Tale[Fair], faces: tuple[Face, ...]) -> None:
        tale.done()
        if faces == (6,):
            tale.tell(CoinsGained(self.seat, 3, because=("FA-1.2",)))


COMMANDS = (Rest, Toss)
FACTS = (TurnEnded, Tossed)
STEPS = (Turn, Well)
