"""FA-5: an auction: everybody bids in secret, all bids are shown together."""

from collections.abc import Iterator

from msgspec import structs

from core.asking import Between, Offer, Question
from core.refusal import Refusal
from core.rules import Command, Fact, Step
from core.telling import Moment, Tale
from events.event import Count, Seat

from .coins import lose
from .state import CHARMS, Fair, act, players


def on_sale(now: Moment[Fair]) -> tuple[str, ...]:
    return tuple(charm for charm in CHARMS if charm not in now.state.charms)


class BidMade(Fact[Fair]):
    seat: Seat

    def onto(self, state: Fair) -> Fair:
        return structs.replace(state, bid=(*state.bid, self.seat))


class BidNamed(Fact[Fair]):
    seat: Seat
    bid: Count

    def audience(self) -> tuple[Seat, ...]:
        return (self.seat,)

    def onto(self, state: Fair) -> Fair:
        return structs.replace(state, bids={**state.bids, self.seat: self.bid})


class BidsShown(Fact[Fair]):
    REVEALS = True

    bids: dict[Seat, Count]

    def onto(self, state: Fair) -> Fair:
        return structs.replace(state, bid=(), bids={})


class CharmWon(Fact[Fair]):
    seat: Seat
    charm: str

    def onto(self, state: Fair) -> Fair:
        return structs.replace(state, charms={**state.charms, self.charm: self.seat})


class CallAuction(Command[Fair]):
    def forbids(self, now: Moment[Fair], seat: Seat) -> Iterator[Refusal]:
        if not on_sale(now):
            yield Refusal("nothing_on_sale", ("FA-5.1",), "Every charm has its owner.")

    def tells(self, tale: Tale[Fair], seat: Seat) -> None:
        act(tale, Auction())


class Bid(Command[Fair]):
    coins: Count

    def forbids(self, now: Moment[Fair], seat: Seat) -> Iterator[Refusal]:
        if self.coins > now.state.coins[seat]:
            yield Refusal("too_few_coins", ("FA-5.2",), f"{seat} has {now.state.coins[seat]} coins.")

    def tells(self, tale: Tale[Fair], seat: Seat) -> None:
        tale.tell(BidMade(seat, because=("FA-5.2",)))
        tale.tell(BidNamed(seat, self.coins, because=("FA-5.2",)))


class Auction(Step[Fair]):
    def question(self, now: Moment[Fair]) -> Question | None:
        owing = tuple(seat for seat in now.table.seats if self._owes(now, seat))
        return Question("bid", owing, (Bid,), ("FA-5.2",), "bid in secret") if owing else None

    def _owes(self, now: Moment[Fair], seat: Seat) -> bool:
        return seat not in now.state.bid and seat not in now.state.out

    def offers(self, now: Moment[Fair], seat: Seat) -> Iterator[Offer]:
        yield Offer(Bid, {"coins": Between(0, now.state.coins[seat])})

    def silence(self, now: Moment[Fair], seat: Seat) -> Bid:
        return Bid(0)

    def play(self, tale: Tale[Fair]) -> None:
        bids = dict(tale.state.bids)
        tale.tell(BidsShown(bids, because=("FA-5.3",)))
        tale.done()
        most = max(bids.values(), default=0)
        highest = [seat for seat, bid in bids.items() if bid == most and most]
        if len(highest) == 1 and highest[0] in players(tale):
            tale.tell(CharmWon(highest[0], on_sale(tale)[0], because=("FA-5.3",)))
            lose(tale, highest[0], most, ("FA-5.3",))


def booth(now: Moment[Fair], seat: Seat) -> Iterator[Offer]:
    if on_sale(now):
        yield Offer(CallAuction)


ACTIONS = (CallAuction,)
COMMANDS = (CallAuction, Bid)
FACTS = (BidMade, BidNamed, BidsShown, CharmWon)
STEPS = (Auction,)
