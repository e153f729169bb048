"""FA-7: the maze: one walk of many steps, which another player's roll may interrupt."""

from collections.abc import Iterator
from typing import Annotated

from msgspec import structs

from core.asking import Offer, Path, Question
from core.refusal import Refusal
from core.rules import Command, Fact, Step, word
from core.seats import CHANCE
from core.telling import Moment, Tale
from events.chance import Hits, Roll
from events.event import Face, Seat

from .coins import CoinsGained, lose
from .state import GATE, HOARD, PLACES, WATCHED, Fair, act, after

LONGEST = 8


def _next_to(place: str) -> tuple[str, ...]:
    column, row = place[0], int(place[1])
    around = ((chr(ord(column) + dx), row + dy) for dx, dy in ((0, 1), (1, 0), (0, -1), (-1, 0)))
    return tuple(f"{x}{y}" for x, y in around if f"{x}{y}" in PLACES)


EDGES = {place: _next_to(place) for place in PLACES}


class WalkedTo(Fact[Fair]):
    seat: Seat
    place: str

    def onto(self, state: Fair) -> Fair:
        return structs.replace(state, at={**state.at, self.seat: self.place})


class Walk(Command[Fair]):
    path: Annotated[tuple[str, ...], word("by")]

    def forbids(self, now: Moment[Fair], seat: Seat) -> Iterator[Refusal]:
        if not Path(now.state.at[seat], EDGES, 1, LONGEST).allows(self.path):
            yield Refusal(
                "no_such_walk", ("FA-7.1",), f"A walk has 1 to {LONGEST} steps, each to the next place."
            )

    def tells(self, tale: Tale[Fair], seat: Seat) -> None:
        act(tale, Walking(seat, self.path))


class Walking(Step[Fair]):
    seat: Seat
    left: tuple[str, ...]
    watched: bool = False

    def question(self, now: Moment[Fair]) -> Question | None:
        if not self.watched:
            return None
        roll = Roll("d6", 1, after(now, self.seat), Hits((1, 2)), "guard")
        return Question("roll", (CHANCE,), (), ("FA-7.2",), "whether the guard sees him", roll=roll)

    def play(self, tale: Tale[Fair]) -> None:
        if not self.left:
            tale.done()
            if tale.state.at[self.seat] == HOARD:
                tale.tell(CoinsGained(self.seat, 4, because=("FA-7.3",)))
                tale.tell(WalkedTo(self.seat, GATE, because=("FA-7.3",)))
            return
        tale.tell(WalkedTo(self.seat, self.left[0], because=("FA-7.1",)))
        tale.become(Walking(self.seat, self.left[1:], self.left[0] in WATCHED))

    def rolled(self, tale: Tale[Fair], faces: tuple[Face, ...]) -> None:
        if int(faces[0]) <= 2:
            tale.done()
            lose(tale, self.seat, 2, ("FA-7.2",))
        else:
            tale.become(Walking(self.seat, self.left))


def booth(now: Moment[Fair], seat: Seat) -> Iterator[Offer]:
    yield Offer(Walk, {"path": Path(now.state.at[seat], EDGES, 1, LONGEST)})


ACTIONS = (Walk,)
COMMANDS = (Walk,)
FACTS = (WalkedTo,)
STEPS = (Walking,)
