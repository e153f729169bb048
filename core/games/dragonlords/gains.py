"""What a party gains (QD-6.11): gold for the kingdom, scrolls, and treasures that are picked face down.

Wizards, spells and DragonLords are in `learning.py`.
"""

from collections.abc import Iterator
from typing import Annotated, ClassVar

from msgspec import structs

from core.asking import Offer, OneOf, Question
from core.refusal import Refusal
from core.rules import Command, Fact, word
from core.seats import CHANCE
from core.telling import Moment, Tale
from events.chance import Draw
from events.event import Count, Seat, SectionRef

from .chips import ChipsPlaced
from .decks import CardDealt, HandDealt, scrolls_left, scrolls_not_drawn
from .holdings import kingdoms_of
from .income import StoreGold, gold_of, offer_to_store, store
from .parties import OnQuest
from .state import ChipId, Place, War, shade
from .treasures import TREASURES

__all__ = [
    "COMMANDS",
    "FACTS",
    "STEPS",
    "BringingGold",
    "DrawingScroll",
    "DrawingTreasure",
    "GoldWon",
    "NothingGained",
    "PutTreasure",
    "Stashing",
    "TreasureFound",
    "TreasurePicked",
    "TreasurePut",
    "nothing_gained",
    "purse",
    "treasures_left",
]


class NothingGained(Fact[War]):
    """A party would have gained something that is not to be had: none is left, or nobody can take it (QD-H6, QD-H7)."""

    seat: Seat
    place: Place
    what: str

    def onto(self, state: War) -> War:
        return state


def nothing_gained(
    tale: Tale[War], seat: Seat, place: Place, what: str, because: tuple[SectionRef, ...] = ("QD-H6",)
) -> None:
    """Tell that a party gains nothing."""
    tale.tell(NothingGained(seat, place, what, because=because))


class GoldWon(Fact[War]):
    """A seat won gold on a quest; it is spent from phase 1 of its next turn on (QD-6.11)."""

    CLAIM = "gains"
    CLAIM_KINDS = ("gold",)
    kind: ClassVar[str] = "gold"

    seat: Seat
    count: Count

    def onto(self, state: War) -> War:
        return structs.replace(state, won=state.won + self.count)


def purse(war: War, seat: Seat) -> int:
    """Return the gold that a seat may spend now: what it won on quests this turn waits for the next (QD-6.11)."""
    won = war.won if seat == war.active else 0
    return max(0, sum(gold_of(war, seat).values()) - won)


class BringingGold(OnQuest):
    """Gold that a party won goes to the kingdoms at once, spread as its owner likes (QD-6.11, QD-2.2)."""

    gold: Count

    def due(self, now: Moment[War], seat: Seat) -> int:
        """Return the gold that was won and is not yet stored."""
        return self.gold

    def asked(self, now: Moment[War]) -> Question | None:
        if len(kingdoms_of(now.state, self.seat)) < 2:
            return None
        prompt = f"store {self.gold} gold won on a quest"
        return Question("store_gold", (self.seat,), (StoreGold,), ("QD-6.11", "QD-2.2"), prompt)

    def offers(self, now: Moment[War], seat: Seat) -> Iterator[Offer]:
        yield offer_to_store(now, seat, self.gold)

    def silence(self, now: Moment[War], seat: Seat) -> StoreGold:
        """Return that all of it goes into the first kingdom on the board."""
        return StoreGold({kingdoms_of(now.state, seat)[0]: self.gold})

    def by_itself(self, now: Moment[War]) -> Iterator[tuple[Seat, Command[War]]]:
        """Yield that the gold goes into the only kingdom."""
        if self.is_on(now) and kingdoms_of(now.state, self.seat):
            yield self.seat, self.silence(now, self.seat)

    def stored(self, tale: Tale[War], seat: Seat) -> None:
        """End: the seat said where the gold goes."""
        tale.tell(GoldWon(seat, self.gold, because=("QD-6.11",)))
        tale.done()

    def go_on(self, tale: Tale[War]) -> None:
        """Store all of it in the only kingdom; without one it is lost (QD-H7)."""
        kingdoms = kingdoms_of(tale.state, self.seat)
        if kingdoms:
            self.stored(tale, self.seat)
            store(tale, self.seat, {kingdoms[0]: self.gold}, ("QD-6.11",))
        else:
            nothing_gained(tale, self.seat, self.place, "gold", ("QD-6.11", "QD-H7"))
            tale.done()


class DrawingScroll(OnQuest):
    """Draw a scroll (QD-6.8, QD-6.10); with none left there is no gain (QD-H5)."""

    def asked(self, now: Moment[War]) -> Question | None:
        if scrolls_not_drawn(now.state) < 1:
            return None
        draw = Draw("scrolls", self.seat)
        return Question("draw", (CHANCE,), (), ("QD-6.8", "QD-6.10"), f"a scroll for {self.seat}", draw=draw)

    def pool(self, now: Moment[War]) -> tuple[str, ...]:
        return scrolls_left(now.state)

    def dealt(self, tale: Tale[War], card: str) -> None:
        """Tell the draw; which scroll it is, its owner alone sees."""
        because = ("QD-6.8", "QD-6.10")
        tale.tell(CardDealt(self.seat, "scrolls", scrolls_not_drawn(tale.state) - 1, because=because))
        tale.tell(HandDealt(self.seat, card, because=because))
        tale.done()

    def go_on(self, tale: Tale[War]) -> None:
        """Tell that no scroll is left."""
        nothing_gained(tale, self.seat, self.place, "scroll", ("QD-H5",))
        tale.done()


class TreasureFound(Fact[War]):
    """A seat gained a treasure; which one, it alone knows (QD-6.11)."""

    CLAIM = "gains"
    CLAIM_KINDS = ("treasure",)
    kind: ClassVar[str] = "treasure"

    seat: Seat

    def onto(self, state: War) -> War:
        return structs.replace(state, hoards={**state.hoards, self.seat: state.hoards.get(self.seat, 0) + 1})


class TreasurePicked(Fact[War]):
    """This is the treasure that was picked; nothing: nobody who records saw it."""

    seat: Seat
    chip: ChipId

    def audience(self) -> tuple[Seat, ...]:
        """Only who picked it knows."""
        return (self.seat,)

    def onto(self, state: War) -> War:
        return structs.replace(state, picked=self.chip)


class TreasurePut(Fact[War]):
    """The treasure that was picked lies face down under a unit in a place; nowhere: back among the others (QD-6.11, QD-H54)."""

    seat: Seat
    place: Place

    def onto(self, state: War) -> War:
        if not self.place:
            hoards = {**state.hoards, self.seat: state.hoards[self.seat] - 1}
            return structs.replace(state, picked="", hoards=hoards)
        return structs.replace(state, picked="", shades=state.shades | {shade(self.seat, self.place)})


def treasures_left(war: War) -> int:
    """Return how many of the treasures still lie face down, as everybody knows."""
    return len(TREASURES) - sum(war.hoards.values())


class DrawingTreasure(OnQuest):
    """Pick one of the treasures that lie face down (QD-6.11)."""

    def asked(self, now: Moment[War]) -> Question | None:
        if treasures_left(now.state) < 1:
            return None
        draw = Draw("treasures", self.seat)
        return Question("draw", (CHANCE,), (), ("QD-6.11",), f"a treasure for {self.seat}", draw=draw)

    def pool(self, now: Moment[War]) -> tuple[str, ...]:
        return tuple(name for name in TREASURES if name not in now.state.chips)

    def dealt(self, tale: Tale[War], card: str) -> None:
        """Tell that a treasure was picked, and to its owner alone which one."""
        because = ("QD-6.11",)
        tale.tell(CardDealt(self.seat, "treasures", treasures_left(tale.state) - 1, because=because))
        tale.tell(TreasureFound(self.seat, because=because))
        tale.tell(TreasurePicked(self.seat, "" if card == "?" else card, because=because))
        tale.become(Stashing(self.seat, self.place))

    def go_on(self, tale: Tale[War]) -> None:
        """Tell that no treasure is left."""
        nothing_gained(tale, self.seat, self.place, "treasure")
        tale.done()


def _hiding_places(war: War, seat: Seat, place: Place) -> tuple[Place, ...]:
    """Return where a treasure may go: the party, and the kingdoms of its owner, which hold a unit (QD-6.11, QD-H23)."""
    return (place, *kingdoms_of(war, seat))


class PutTreasure(Command[War]):
    """Put the treasure that was picked under a unit: of the party, or in a kingdom (QD-6.11)."""

    WHEN = ("QD-6.11",)

    SEALS = False

    place: Annotated[Place, word("in")]

    def forbids(self, now: Moment[War], seat: Seat) -> Iterator[Refusal]:
        """Refuse any place but the party's and one's own kingdoms (QD-6.11, QD-H23)."""
        fit = _hiding_places(now.state, seat, now.state.agenda[-1].step.place)
        if self.place not in fit:
            yield Refusal(
                "no_place_for_treasure",
                ("QD-6.11", "QD-H23"),
                f"A treasure goes under a unit in {' or '.join(fit)}, not in {self.place}.",
                {"place": self.place},
                waivable=(army := now.state.armies.get(self.place)) is not None and army.seat == seat,
            )

    def tells(self, tale: Tale[War], seat: Seat) -> None:
        """Tell where it lies, and to its owner alone which one it is."""
        tale.top.put(tale, self.place)


class Stashing(OnQuest):
    """A treasure was picked; its owner says under a unit of which place it goes (QD-6.11, QD-H23)."""

    def asked(self, now: Moment[War]) -> Question | None:
        if len(_hiding_places(now.state, self.seat, self.place)) < 2:
            return None
        prompt = "put the treasure under a unit of the party or in a kingdom"
        return Question("treasure", (self.seat,), (PutTreasure,), ("QD-6.11", "QD-H23"), prompt)

    def offers(self, now: Moment[War], seat: Seat) -> Iterator[Offer]:
        yield Offer(PutTreasure, {"place": OneOf(_hiding_places(now.state, seat, self.place))})

    def silence(self, now: Moment[War], seat: Seat) -> PutTreasure:
        """Return that the party keeps it."""
        return PutTreasure(self.place)

    def by_itself(self, now: Moment[War]) -> Iterator[tuple[Seat, Command[War]]]:
        """Yield that the party keeps it."""
        if self.is_on(now):
            yield self.seat, self.silence(now, self.seat)

    def put(self, tale: Tale[War], place: Place) -> None:
        """Tell that the treasure lies face down in a place."""
        picked = tale.state.picked
        because = ("QD-6.11", "QD-H42")
        tale.tell(ChipsPlaced(self.seat, {picked: place} if picked else {}, because=because))
        tale.tell(TreasurePut(self.seat, place, because=because))
        tale.done()

    def play(self, tale: Tale[War]) -> None:
        """Keep it with the party; where a correction has taken the party away, it goes back among the others (QD-H54)."""
        if self.is_on(tale):
            self.put(tale, self.place)
        else:
            tale.tell(TreasurePut(self.seat, "", because=("QD-H54",)))
            tale.done()


COMMANDS = (PutTreasure,)
FACTS = (NothingGained, GoldWon, TreasureFound, TreasurePicked, TreasurePut)
STEPS = (BringingGold, DrawingScroll, DrawingTreasure, Stashing)
