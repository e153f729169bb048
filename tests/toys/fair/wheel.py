"""FA-8: the wheel: dice are rolled one at a time, and their owner stops when he likes."""

from collections.abc import Iterator
from typing import Literal

from msgspec import structs

from core.asking import Offer, Question
from core.rules import Command, Fact, Step
from core.seats import CHANCE
from core.telling import Moment, Tale
from events.chance import Names, Roll
from events.event import Count, Face, Seat

from .coins import CoinsGained
from .state import Fair, act


class DieLaid(Fact[Fair]):
    face: Count

    def onto(self, state: Fair) -> Fair:
        return structs.replace(state, lay=(*state.lay, self.face))


class DiceCleared(Fact[Fair]):
    def onto(self, state: Fair) -> Fair:
        return structs.replace(state, lay=())


class Spin(Command[Fair]):
    def tells(self, tale: Tale[Fair], seat: Seat) -> None:
        act(tale, Wheel(seat))


class SpinAgain(Command[Fair]):
    def tells(self, tale: Tale[Fair], seat: Seat) -> None:
        tale.become(Wheel(seat))


class Stop(Command[Fair]):
    def tells(self, tale: Tale[Fair], seat: Seat) -> None:
        won = len(tale.state.lay)
        tale.tell(DiceCleared(because=("FA-8.2",)))
        tale.tell(CoinsGained(seat, won, because=("FA-8.2",)))
        tale.done()


class Wheel(Step[Fair]):
    seat: Seat
    at: Literal["roll", "choose"] = "roll"

    def question(self, now: Moment[Fair]) -> Question | None:
        if self.at == "choose":
            return Question("wheel", (self.seat,), (SpinAgain, Stop), ("FA-8.2",), "again, or stop?")
        roll = Roll("d6", 1, self.seat, Names(), "wheel")
        return Question("roll", (CHANCE,), (), ("FA-8.1",), "the wheel", roll=roll)

    def offers(self, now: Moment[Fair], seat: Seat) -> Iterator[Offer]:
        yield Offer(SpinAgain)
        yield Offer(Stop)

    def silence(self, now: Moment[Fair], seat: Seat) -> Stop:
        return Stop()

    def rolled(self, tale: Tale[Fair], faces: tuple[Face, ...]) -> None:
        if faces == (1,):
            tale.tell(DiceCleared(because=("FA-8.1",)))
            tale.done()
        else:
            tale.tell(DieLaid(int(faces[0]), because=("FA-8.1",)))
            tale.become(Wheel(self.seat, "choose"))


def booth(now: Moment[Fair], seat: Seat) -> Iterator[Offer]:
    yield Offer(Spin)


ACTIONS = (Spin,)
COMMANDS = (Spin, SpinAgain, Stop)
FACTS = (DieLaid, DiceCleared)
STEPS = (Wheel,)
