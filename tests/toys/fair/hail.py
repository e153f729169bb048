"""FA-4: hail: an effect that rolls for one player after the other, asks whom it hits, and may end the game."""

from collections.abc import Iterator
from typing import Literal

from core.asking import Offer, OneOf, Question
from core.refusal import Refusal
from core.rules import Command, Step
from core.seats import CHANCE
from core.telling import Moment, Tale
from events.chance import Hits, Roll
from events.event import Face, Seat

from .coins import lose
from .deck import CardPlayed, holds, lacks
from .state import FORTUNES, Fair, act, players


class Hail(Command[Fair]):
    def forbids(self, now: Moment[Fair], seat: Seat) -> Iterator[Refusal]:
        yield from lacks(now, seat, "hail")

    def tells(self, tale: Tale[Fair], seat: Seat) -> None:
        tale.tell(CardPlayed(seat, "hail", because=("FA-4.1",)))
        act(tale, Hailing(players(tale)))


class PayCoin(Command[Fair]):
    def tells(self, tale: Tale[Fair], seat: Seat) -> None:
        tale.top.onwards(tale)
        lose(tale, seat, 1, ("FA-4.2",))


class PayCard(Command[Fair]):
    card: str

    def forbids(self, now: Moment[Fair], seat: Seat) -> Iterator[Refusal]:
        if self.card in FORTUNES:
            yield from lacks(now, seat, self.card)
        else:
            yield Refusal("no_such_fortune", ("FA-3.3",), f"No fortune is called {self.card!r}.")

    def tells(self, tale: Tale[Fair], seat: Seat) -> None:
        tale.tell(CardPlayed(seat, self.card, because=("FA-4.2",)))
        tale.top.onwards(tale)


class Hailing(Step[Fair]):
    left: tuple[Seat, ...]
    at: Literal["roll", "pay"] = "roll"

    def question(self, now: Moment[Fair]) -> Question | None:
        if not self.left or now.is_out(self.left[0]):
            return None
        seat = self.left[0]
        if self.at == "pay":
            if not now.state.cards[seat]:
                return None
            return Question("hail", (seat,), (PayCoin, PayCard), ("FA-4.2",), "pay a coin or a card")
        roll = Roll("d6", 1, seat, Hits((4, 5, 6)), "hail")
        return Question("roll", (CHANCE,), (), ("FA-4.1",), "whether the hail hits", roll=roll)

    def offers(self, now: Moment[Fair], seat: Seat) -> Iterator[Offer]:
        yield Offer(PayCoin)
        held = tuple(card for card in FORTUNES if holds(now, seat, card))
        if held:
            yield Offer(PayCard, {"card": OneOf(held)})

    def silence(self, now: Moment[Fair], seat: Seat) -> PayCoin:
        return PayCoin()

    def rolled(self, tale: Tale[Fair], faces: tuple[Face, ...]) -> None:
        if int(faces[0]) >= 4:
            tale.become(Hailing(self.left, "pay"))
        else:
            self.onwards(tale)

    def onwards(self, tale: Tale[Fair]) -> None:
        tale.become(Hailing(self.left[1:]))

    def play(self, tale: Tale[Fair]) -> None:
        if not self.left:
            tale.done()
            return
        self.onwards(tale)
        if self.at == "pay":
            lose(tale, self.left[0], 1, ("FA-4.2",))


def booth(now: Moment[Fair], seat: Seat) -> Iterator[Offer]:
    if holds(now, seat, "hail"):
        yield Offer(Hail)


ACTIONS = (Hail,)
COMMANDS = (Hail, PayCoin, PayCard)
FACTS = ()
STEPS = (Hailing,)
