"""FA-9: coins, and who runs out of them."""

from collections.abc import Iterator
from typing import Annotated

from msgspec import structs

from core.asking import Offer, OneOf, Question
from core.refusal import Refusal
from core.rules import Command, Fact, Setup, Step, word
from core.telling import Moment, Tale
from events.event import Count, Seat, SectionRef
from events.play import GameEnded

from .state import CHARMS, Fair, players


class CoinsSet(Setup[Fair]):
    WORD = "coins"

    seat: Seat
    count: Count

    def onto(self, state: Fair) -> Fair:
        if self.seat not in state.coins:
            raise KeyError(self.seat)
        out = tuple(seat for seat in state.out if seat != self.seat)
        return structs.replace(
            state, coins={**state.coins, self.seat: self.count}, out=out if self.count else (*out, self.seat)
        )


class CharmSet(Setup[Fair]):
    WORD = "charm"

    seat: Seat
    charm: str

    def onto(self, state: Fair) -> Fair:
        if self.charm not in CHARMS:
            raise ValueError(f"there is no charm {self.charm}")
        return structs.replace(state, charms={**state.charms, self.charm: self.seat})


class PlaceSet(Setup[Fair]):
    WORD = "place"

    seat: Seat
    place: str

    def onto(self, state: Fair) -> Fair:
        return structs.replace(state, at={**state.at, self.seat: self.place})


class CoinsGained(Fact[Fair]):
    CLAIM = "gains"

    seat: Seat
    count: Count

    def onto(self, state: Fair) -> Fair:
        return structs.replace(state, coins={**state.coins, self.seat: state.coins[self.seat] + self.count})


class CoinsLost(Fact[Fair]):
    CLAIM = "loses"

    seat: Seat
    count: Count

    def onto(self, state: Fair) -> Fair:
        left = state.coins[self.seat] - self.count
        out = (*state.out, self.seat) if left == 0 else state.out
        return structs.replace(state, coins={**state.coins, self.seat: left}, out=out)


class CharmsLeft(Fact[Fair]):
    seat: Seat
    heir: Seat

    def onto(self, state: Fair) -> Fair:
        charms = {charm: self.heir if owner == self.seat else owner for charm, owner in state.charms.items()}
        return structs.replace(state, charms=charms)


def lose(tale: Tale[Fair], seat: Seat, count: int, because: tuple[SectionRef, ...]) -> None:
    """Let a seat lose coins, as far as it has them; without coins it is out, and the last one left wins."""
    count = min(count, tale.state.coins[seat])
    if not count or tale.over:
        return
    tale.tell(CoinsLost(seat, count, because=because))
    if tale.state.coins[seat]:
        return
    left = players(tale)
    if len(left) <= 1:
        tale.tell(GameEnded(left, "last_standing", because=("FA-9.2",)))
    elif seat in tale.state.charms.values():
        tale.then(Will(seat))


class Bequeath(Command[Fair]):
    heir: Annotated[Seat, word("to")]

    def forbids(self, now: Moment[Fair], seat: Seat) -> Iterator[Refusal]:
        if self.heir not in players(now):
            yield Refusal("no_heir", ("FA-9.3",), f"{self.heir} is not in the game.")

    def tells(self, tale: Tale[Fair], seat: Seat) -> None:
        tale.tell(CharmsLeft(seat, self.heir, because=("FA-9.3",)))
        tale.done()


class Will(Step[Fair]):
    """Who is out still leaves his charms to somebody; being out he is not asked, silence answers."""

    seat: Seat

    def question(self, now: Moment[Fair]) -> Question | None:
        return Question("will", (self.seat,), (Bequeath,), ("FA-9.3",), "leave your charms")

    def offers(self, now: Moment[Fair], seat: Seat) -> Iterator[Offer]:
        yield Offer(Bequeath, {"heir": OneOf(players(now))})

    def silence(self, now: Moment[Fair], seat: Seat) -> Bequeath:
        return Bequeath(players(now)[0])


COMMANDS = (Bequeath,)
FACTS = (CoinsGained, CoinsLost, CharmsLeft)
SETUP = (CoinsSet, CharmSet, PlaceSet)
STEPS = (Will,)
