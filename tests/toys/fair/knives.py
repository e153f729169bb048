"""FA-10: knives: dice that can be mended after the roll, and charms that change the rule's numbers."""

from collections.abc import Iterator
from typing import Annotated, Literal

from msgspec import structs

from core.asking import Between, Offer, OneOf, Question
from core.refusal import Refusal
from core.rules import Command, Fact, Step, word
from core.seats import CHANCE
from core.telling import Moment, Tale
from events.chance import Hits, Roll
from events.event import Count, Face, Seat

from .coins import lose
from .scrolls import others
from .state import Fair, act
from .wheel import DiceCleared


def knives(now: Moment[Fair], seat: Seat) -> int:
    """Return how many knives a seat throws (FA-10.1)."""
    usual = 3 if now.answer("FA-X1") == "three" else 2
    return usual + (now.state.charms.get("third_knife") == seat)


def hitting(now: Moment[Fair], seat: Seat) -> tuple[int, ...]:
    """Return the faces with which a seat hits (FA-10.3)."""
    return (4, 5, 6) if now.state.charms.get("keen_eye") == seat else (5, 6)


class KnivesLaid(Fact[Fair]):
    faces: tuple[Count, ...]

    def onto(self, state: Fair) -> Fair:
        return structs.replace(state, lay=self.faces)


class DieTurned(Fact[Fair]):
    die: Count
    face: Count

    def onto(self, state: Fair) -> Fair:
        lay = list(state.lay)
        lay[self.die - 1] = self.face
        return structs.replace(state, lay=tuple(lay))


class ThrowKnives(Command[Fair]):
    target: Annotated[Seat, word("at")]

    def forbids(self, now: Moment[Fair], seat: Seat) -> Iterator[Refusal]:
        if self.target not in others(now, seat):
            yield Refusal(
                "no_target",
                ("FA-10.1",),
                f"{self.target} is not another player in the game.",
                waivable=self.target == seat,
            )

    def tells(self, tale: Tale[Fair], seat: Seat) -> None:
        act(tale, Knives(seat, self.target))


class Mend(Command[Fair]):
    """Pay a coin to turn one die over: the lowest becomes the highest."""

    die: Count

    def forbids(self, now: Moment[Fair], seat: Seat) -> Iterator[Refusal]:
        if not 1 <= self.die <= len(now.state.lay):
            yield Refusal("no_such_die", ("FA-10.2",), f"{len(now.state.lay)} dice lie on the table.")

    def tells(self, tale: Tale[Fair], seat: Seat) -> None:
        tale.tell(DieTurned(self.die, 7 - tale.state.lay[self.die - 1], because=("FA-10.2",)))
        tale.top.count(tale)
        lose(tale, seat, 1, ("FA-10.2",))


class Keep(Command[Fair]):
    def tells(self, tale: Tale[Fair], seat: Seat) -> None:
        tale.top.count(tale)


class Knives(Step[Fair]):
    seat: Seat
    target: Seat
    at: Literal["throw", "mend", "count"] = "throw"

    def question(self, now: Moment[Fair]) -> Question | None:
        if self.at == "throw":
            roll = Roll("d6", knives(now, self.seat), self.seat, Hits(hitting(now, self.seat)), "knives")
            return Question("roll", (CHANCE,), (), ("FA-10.1",), "the knives", roll=roll)
        if self.at == "mend" and now.state.coins[self.seat] >= 2:
            return Question("mend", (self.seat,), (Mend, Keep), ("FA-10.2",), "turn a die over?")
        return None

    def offers(self, now: Moment[Fair], seat: Seat) -> Iterator[Offer]:
        yield Offer(Keep)
        yield Offer(Mend, {"die": Between(1, len(now.state.lay))})

    def silence(self, now: Moment[Fair], seat: Seat) -> Keep:
        return Keep()

    def rolled(self, tale: Tale[Fair], faces: tuple[Face, ...]) -> None:
        tale.tell(KnivesLaid(tuple(int(face) for face in faces), because=("FA-10.1",)))
        tale.become(Knives(self.seat, self.target, "mend"))

    def count(self, tale: Tale[Fair]) -> None:
        tale.become(Knives(self.seat, self.target, "count"))

    def play(self, tale: Tale[Fair]) -> None:
        hits = sum(face in hitting(tale, self.seat) for face in tale.state.lay)
        tale.done()
        tale.tell(DiceCleared(because=("FA-10.3",)))
        lose(tale, self.target, hits, ("FA-10.3",))


def booth(now: Moment[Fair], seat: Seat) -> Iterator[Offer]:
    yield Offer(ThrowKnives, {"target": OneOf(others(now, seat))})


ACTIONS = (ThrowKnives,)
COMMANDS = (ThrowKnives, Mend, Keep)
FACTS = (KnivesLaid, DieTurned)
STEPS = (Knives,)
