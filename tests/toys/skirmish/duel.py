"""Throwing at pebbles, and bidding in secret for who throws."""

from collections.abc import Iterator
from typing import Annotated

from msgspec import structs

from core.asking import Between, Offer, OneOf, Question
from core.refusal import Refusal
from core.rules import Command, Fact, Setup, Step, word
from core.seats import CHANCE
from core.telling import Moment, Tale
from events.chance import Hits, Roll
from events.event import Count, Face, Seat
from events.play import GameEnded

from .state import Board


class PebblesSet(Setup[Board]):
    WORD = "pebbles"

    seat: Seat
    count: Count

    def onto(self, state: Board) -> Board:
        return structs.replace(state, pebbles={**state.pebbles, self.seat: self.count})


class BidMade(Fact[Board]):
    seat: Seat

    def onto(self, state: Board) -> Board:
        return structs.replace(state, bid=(*state.bid, self.seat))


class BidNamed(Fact[Board]):
    seat: Seat
    bid: Count

    def audience(self) -> tuple[Seat, ...]:
        return (self.seat,)

    def onto(self, state: Board) -> Board:
        return structs.replace(state, bids={**state.bids, self.seat: self.bid})


class BidsRevealed(Fact[Board]):
    REVEALS = True

    bids: dict[Seat, Count]

    def onto(self, state: Board) -> Board:
        return structs.replace(state, bids={}, bid=())


class PebblesLost(Fact[Board]):
    CLAIM = "loses"

    seat: Seat
    count: Count

    def onto(self, state: Board) -> Board:
        left = state.pebbles[self.seat] - self.count
        out = (*state.out, self.seat) if left == 0 else state.out
        return structs.replace(state, pebbles={**state.pebbles, self.seat: left}, out=out)


def players(now: Moment[Board]) -> list[Seat]:
    return [seat for seat in now.table.seats if seat not in now.state.out]


class Bid(Command[Board]):
    pebbles: Count

    def forbids(self, now: Moment[Board], seat: Seat) -> Iterator[Refusal]:
        if self.pebbles > now.state.pebbles[seat]:
            yield Refusal("too_few_pebbles", ("TS-1.1",), f"{seat} has {now.state.pebbles[seat]} pebbles.")

    def tells(self, tale: Tale[Board], seat: Seat) -> None:
        tale.tell(BidMade(seat, because=("TS-1.1",)))
        tale.tell(BidNamed(seat, self.pebbles, because=("TS-1.1",)))


class Throw(Command[Board]):
    target: Annotated[Seat, word("at")]

    def forbids(self, now: Moment[Board], seat: Seat) -> Iterator[Refusal]:
        if self.target == seat or self.target not in players(now):
            yield Refusal("no_target", ("TS-2.1",), f"{self.target} is not another player in the game.")

    def tells(self, tale: Tale[Board], seat: Seat) -> None:
        tale.become(Falling(seat, self.target))


class Bidding(Step[Board]):
    def question(self, now: Moment[Board]) -> Question | None:
        owing = tuple(seat for seat in players(now) if seat not in now.state.bid)
        return Question("bid", owing, (Bid,), ("TS-1.1",), "bid in secret") if owing else None

    def offers(self, now: Moment[Board], seat: Seat) -> Iterator[Offer]:
        yield Offer(Bid, {"pebbles": Between(0, now.state.pebbles[seat])})

    def silence(self, now: Moment[Board], seat: Seat) -> Bid:
        return Bid(0)

    def play(self, tale: Tale[Board]) -> None:
        bids = dict(tale.state.bids)
        tale.tell(BidsRevealed(bids, because=("TS-1.2",)))
        winner = max(players(tale), key=lambda seat: (bids.get(seat, 0), -tale.table.seats.index(seat)))
        tale.become(Throwing(winner), self)


class Throwing(Step[Board]):
    seat: Seat

    def question(self, now: Moment[Board]) -> Question | None:
        return Question("throw", (self.seat,), (Throw,), ("TS-2.1",), "throw at somebody")

    def offers(self, now: Moment[Board], seat: Seat) -> Iterator[Offer]:
        yield Offer(Throw, {"target": OneOf(tuple(name for name in players(now) if name != seat))})

    def silence(self, now: Moment[Board], seat: Seat) -> Throw:
        return Throw(next(name for name in players(now) if name != seat))


class Falling(Step[Board]):
    seat: Seat
    target: Seat

    def question(self, now: Moment[Board]) -> Question | None:
        high = 4 if now.answer("TS-X1") == "four" else 3
        roll = Roll("d6", 2, self.seat, Hits(tuple(range(1, high + 1))), "throw")
        return Question("roll", (CHANCE,), (), ("TS-2.2",), "two dice", roll=roll)

    def rolled(self, tale: Tale[Board], faces: tuple[Face, ...]) -> None:
        asked = tale.question
        assert asked is not None
        assert asked.roll is not None
        assert isinstance(asked.roll.counts, Hits)
        hits = sum(face in asked.roll.counts.faces for face in faces)
        lost = min(hits, tale.state.pebbles[self.target])
        tale.done()
        if lost:
            tale.tell(PebblesLost(self.target, lost, because=("TS-2.2",)))
        left = players(tale)
        if len(left) == 1:
            tale.tell(GameEnded(tuple(left), "last_standing", because=("TS-3.1",)))


COMMANDS = (Bid, Throw)
FACTS = (BidMade, BidNamed, BidsRevealed, PebblesLost)
SETUP = (PebblesSet,)
STEPS = (Bidding, Throwing, Falling)


def begin(tale: Tale[Board]) -> None:
    tale.then(Bidding())
