"""FA-11: the ox: nobody's piece; it acts by rule, and whoever is not involved rolls for it."""

from collections.abc import Iterator
from typing import Annotated

from core.asking import Offer, OneOf, Question
from core.refusal import Refusal
from core.rules import Command, Step, word
from core.seats import CHANCE
from core.telling import Moment, Tale
from events.chance import Names, Roll
from events.event import Face, Seat

from .coins import lose
from .scrolls import others
from .state import Fair, act, players

OX = "ox"
HORN: tuple[Face, ...] = ("miss", "gore", "trample", "turn")
"""The faces of the ox's own die."""


def uninvolved(now: Moment[Fair], *involved: Seat) -> Seat:
    """Return who rolls for the ox: the first player who is not involved, or else not its target (FA-11.2)."""
    apart = [seat for seat in players(now) if seat not in involved]
    return apart[0] if apart else next(seat for seat in players(now) if seat != involved[-1])


def horn(now: Moment[Fair], by: Seat, target: Seat) -> Question:
    roll = Roll("horn", 1, OX, Names(), "ox", roller=uninvolved(now, by, target))
    return Question("roll", (CHANCE,), (), ("FA-11.2",), "what the ox does", roll=roll)


def charge(tale: Tale[Fair], by: Seat, target: Seat, face: Face) -> None:
    belled = tale.state.charms.get("ox_bell")
    if face == "gore" and target != belled:
        lose(tale, target, 1, ("FA-11.3",))
    elif face == "turn" and by not in ("", belled):
        lose(tale, by, 1, ("FA-11.3",))
    elif face == "trample":
        for seat in players(tale):
            if seat != belled:
                lose(tale, seat, 1, ("FA-11.3",))


class Goad(Command[Fair]):
    target: Annotated[Seat, word("at")]

    def forbids(self, now: Moment[Fair], seat: Seat) -> Iterator[Refusal]:
        if self.target not in others(now, seat):
            yield Refusal("no_target", ("FA-11.1",), f"{self.target} is not another player in the game.")

    def tells(self, tale: Tale[Fair], seat: Seat) -> None:
        act(tale, Goaded(seat, self.target))


class Goaded(Step[Fair]):
    by: Seat
    target: Seat

    def question(self, now: Moment[Fair]) -> Question | None:
        return horn(now, self.by, self.target)

    def rolled(self, tale: Tale[Fair], faces: tuple[Face, ...]) -> None:
        tale.done()
        charge(tale, self.by, self.target, faces[0])


class Roaming(Step[Fair]):
    """At the end of a round of turns the ox goes for the richest player, by itself."""

    def question(self, now: Moment[Fair]) -> Question | None:
        return horn(now, "", self._richest(now)) if len(players(now)) > 1 else None

    def _richest(self, now: Moment[Fair]) -> Seat:
        return max(players(now), key=lambda seat: now.state.coins[seat])

    def rolled(self, tale: Tale[Fair], faces: tuple[Face, ...]) -> None:
        target = self._richest(tale)
        tale.done()
        charge(tale, "", target, faces[0])

    def play(self, tale: Tale[Fair]) -> None:
        tale.done()


def booth(now: Moment[Fair], seat: Seat) -> Iterator[Offer]:
    yield Offer(Goad, {"target": OneOf(others(now, seat))})


ACTIONS = (Goad,)
COMMANDS = (Goad,)
FACTS = ()
STEPS = (Goaded, Roaming)
