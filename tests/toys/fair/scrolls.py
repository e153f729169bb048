"""FA-2: a curse, and the window in which it can be turned back on its user."""

from collections.abc import Iterator
from typing import Annotated

from core.asking import Offer, OneOf, Question
from core.refusal import Refusal
from core.rules import Command, Step, word
from core.seats import CHANCE
from core.telling import Moment, Tale
from events.chance import Roll, Sum
from events.event import Face, Seat

from .coins import lose
from .deck import CardPlayed, holds, lacks
from .state import Fair, act, players


def others(now: Moment[Fair], seat: Seat) -> tuple[Seat, ...]:
    return tuple(name for name in players(now) if name != seat)


class Curse(Command[Fair]):
    target: Annotated[Seat, word("on")]

    def forbids(self, now: Moment[Fair], seat: Seat) -> Iterator[Refusal]:
        yield from lacks(now, seat, "curse")
        if self.target not in others(now, seat):
            yield Refusal("no_target", ("FA-2.1",), f"{self.target} is not another player in the game.")

    def tells(self, tale: Tale[Fair], seat: Seat) -> None:
        tale.tell(CardPlayed(seat, "curse", because=("FA-2.1",)))
        act(tale, Window(seat, self.target))


class Mirror(Command[Fair]):
    def forbids(self, now: Moment[Fair], seat: Seat) -> Iterator[Refusal]:
        yield from lacks(now, seat, "mirror")

    def tells(self, tale: Tale[Fair], seat: Seat) -> None:
        by = tale.top.by
        tale.tell(CardPlayed(seat, "mirror", because=("FA-2.2",)))
        tale.become(Cursed(by))


class Endure(Command[Fair]):
    def tells(self, tale: Tale[Fair], seat: Seat) -> None:
        tale.become(Cursed(seat))


class Window(Step[Fair]):
    """It opens because the target has cards, never because of which."""

    by: Seat
    target: Seat

    def question(self, now: Moment[Fair]) -> Question | None:
        if not now.state.cards[self.target]:
            return None
        return Question("window", (self.target,), (Mirror, Endure), ("FA-2.2",), "turn the curse back?")

    def offers(self, now: Moment[Fair], seat: Seat) -> Iterator[Offer]:
        yield Offer(Endure)
        if holds(now, seat, "mirror"):
            yield Offer(Mirror)

    def silence(self, now: Moment[Fair], seat: Seat) -> Endure:
        return Endure()

    def play(self, tale: Tale[Fair]) -> None:
        tale.become(Cursed(self.target))


class Cursed(Step[Fair]):
    """A curse takes effect; one that was turned back opens no window."""

    victim: Seat

    def question(self, now: Moment[Fair]) -> Question | None:
        roll = Roll("d4", 1, self.victim, Sum(), "curse")
        return Question("roll", (CHANCE,), (), ("FA-2.3",), "how many coins the curse takes", roll=roll)

    def rolled(self, tale: Tale[Fair], faces: tuple[Face, ...]) -> None:
        tale.done()
        lose(tale, self.victim, int(faces[0]), ("FA-2.3",))


def booth(now: Moment[Fair], seat: Seat) -> Iterator[Offer]:
    if holds(now, seat, "curse"):
        yield Offer(Curse, {"target": OneOf(others(now, seat))})


ACTIONS = (Curse,)
COMMANDS = (Curse, Mirror, Endure)
FACTS = ()
STEPS = (Window, Cursed)
