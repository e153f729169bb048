"""FA-6: a purse is found, and all who are there must agree how it is split."""

from collections.abc import Iterator

from msgspec import structs

from core.asking import Offer, Pick, Question
from core.refusal import Refusal
from core.rules import Command, Fact, Step
from core.telling import Moment, Tale
from events.event import Count, Seat

from .state import Fair, act, players

PURSE = 6
PATIENCE = 8
"""After so many proposals the purse is lost."""


class PurseFound(Fact[Fair]):
    coins: Count

    def onto(self, state: Fair) -> Fair:
        return structs.replace(state, purse=self.coins)


class Proposed(Fact[Fair]):
    seat: Seat
    shares: dict[Seat, Count]

    def onto(self, state: Fair) -> Fair:
        return structs.replace(state, shares=self.shares, agreed=(self.seat,), proposals=state.proposals + 1)


class Agreed(Fact[Fair]):
    seat: Seat

    def onto(self, state: Fair) -> Fair:
        return structs.replace(state, agreed=(*state.agreed, self.seat))


class PurseSplit(Fact[Fair]):
    shares: dict[Seat, Count]

    def onto(self, state: Fair) -> Fair:
        coins = {seat: count + self.shares.get(seat, 0) for seat, count in state.coins.items()}
        return structs.replace(state, coins=coins, purse=0, shares={}, agreed=(), proposals=0)


class OpenPurse(Command[Fair]):
    def tells(self, tale: Tale[Fair], seat: Seat) -> None:
        tale.tell(PurseFound(PURSE, because=("FA-6.1",)))
        act(tale, Splitting())


class Propose(Command[Fair]):
    shares: dict[Seat, Count]

    def forbids(self, now: Moment[Fair], seat: Seat) -> Iterator[Refusal]:
        if sum(self.shares.values()) != now.state.purse:
            yield Refusal("wrong_sum", ("FA-6.2",), f"The purse holds {now.state.purse} coins.")
        if not set(self.shares) <= set(players(now)) or not all(self.shares.values()):
            yield Refusal(
                "no_share", ("FA-6.2",), "Only players in the game have shares, of one coin at least."
            )

    def tells(self, tale: Tale[Fair], seat: Seat) -> None:
        tale.tell(Proposed(seat, self.shares, because=("FA-6.2",)))
        tale.reopen()


class Agree(Command[Fair]):
    def forbids(self, now: Moment[Fair], seat: Seat) -> Iterator[Refusal]:
        if not now.state.shares:
            yield Refusal("nothing_proposed", ("FA-6.3",), "Nobody has proposed anything yet.")

    def tells(self, tale: Tale[Fair], seat: Seat) -> None:
        tale.tell(Agreed(seat, because=("FA-6.3",)))


class Splitting(Step[Fair]):
    """A new proposal opens the question anew, so that nobody agrees to what he has not seen."""

    def question(self, now: Moment[Fair]) -> Question | None:
        owing = tuple(seat for seat in now.table.seats if self._owes(now, seat))
        if not owing or now.state.proposals > PATIENCE:
            return None
        return Question("split", owing, (Propose, Agree), ("FA-6.2",), "propose a split, or agree to one")

    def _owes(self, now: Moment[Fair], seat: Seat) -> bool:
        return seat not in now.state.agreed and seat not in now.state.out

    def offers(self, now: Moment[Fair], seat: Seat) -> Iterator[Offer]:
        if now.state.shares:
            yield Offer(Agree)
        purse = now.state.purse
        yield Offer(Propose, {"shares": Pick(dict.fromkeys(players(now), purse), purse, purse)})

    def silence(self, now: Moment[Fair], seat: Seat) -> Propose | Agree:
        if now.state.shares:
            return Agree()
        each, more = divmod(now.state.purse, len(players(now)))
        return Propose({name: each + (place < more) for place, name in enumerate(players(now))})

    def play(self, tale: Tale[Fair]) -> None:
        split = {} if tale.state.proposals > PATIENCE else dict(tale.state.shares)
        tale.done()
        tale.tell(PurseSplit(split, because=("FA-6.3",)))


def booth(now: Moment[Fair], seat: Seat) -> Iterator[Offer]:
    yield Offer(OpenPurse)


ACTIONS = (OpenPurse,)
COMMANDS = (OpenPurse, Propose, Agree)
FACTS = (PurseFound, Proposed, Agreed, PurseSplit)
STEPS = (Splitting,)
