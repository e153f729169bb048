"""Gold, and phase 6, income (QD-2.2 to QD-2.6, QD-20)."""

from collections.abc import Iterator

from msgspec import structs

from core.asking import Offer, Pick, Question
from core.refusal import Refusal
from core.rules import Command, Fact
from core.telling import Moment, Tale
from events.event import Count, Seat, SectionRef

from .board import KINGDOMS, TERRITORIES
from .holdings import kingdoms_of, own_places
from .phases import Phase
from .state import Place, War

__all__ = [
    "COMMANDS",
    "FACTS",
    "STEPS",
    "Gathering",
    "GoldStored",
    "StoreGold",
    "gold_of",
    "income_of",
    "realms_of",
    "store",
    "value_of",
]


def realms_of(war: War, seat: Seat) -> frozenset[str | None]:
    """Return the realms that a seat may reinforce: those whose kingdom it holds (QD-2.3)."""
    return frozenset(TERRITORIES[place].realm for place in kingdoms_of(war, seat))


def gold_of(war: War, seat: Seat) -> dict[Place, int]:
    """Return the gold of a seat by kingdom, in the order of the board; it lies in the kingdoms it holds (QD-2.2)."""
    return {place: gold for place in kingdoms_of(war, seat) if (gold := war.gold.get(place, 0))}


def value_of(now: Moment[War], place: Place, seat: Seat) -> int:
    """Return the gold that a territory yields to a seat, never less than 1 (QD-2.2, QD-2.4 to QD-2.6, QD-X14)."""
    territory = TERRITORIES[place]
    value = territory.income_dwarf if seat == "dwarf" else territory.income
    return value + (value > 1 and now.answer("QD-X14") == "added")


def income_of(now: Moment[War], seat: Seat) -> int:
    """Return the income of a seat in gold: of every territory it holds, or 0 without a kingdom (QD-2.3, QD-20.1)."""
    if not kingdoms_of(now.state, seat):
        return 0
    return sum([value_of(now, place, seat) for place in own_places(now.state, seat)])


class GoldStored(Fact[War]):
    """Gold came into a kingdom (QD-3.6, QD-6.11, QD-20.1)."""

    seat: Seat
    place: Place
    gold: Count

    def onto(self, state: War) -> War:
        stored = state.gold.get(self.place, 0) + self.gold
        return structs.replace(state, gold={**state.gold, self.place: stored})


class StoreGold(Command[War]):
    """Put the gold that has come in into one's kingdoms: how much into which."""

    WHEN = ("QD-20.1", "QD-4.1")

    SEALS = False

    gold: dict[Place, Count]

    def when(self, now: Moment[War]) -> tuple[SectionRef, ...]:
        """Return the sections that say when it is given: the first gold is stored in the setup (QD-3.6)."""
        return self.WHEN if now.state.active and now.state.phase else ("QD-3.6",)

    def forbids(self, now: Moment[War], seat: Seat) -> Iterator[Refusal]:
        """Refuse a place that is no kingdom of one's own, and a sum that is not what came in (QD-2.2, QD-20.1)."""
        asked = now.question
        because = asked.because if asked is not None else ("QD-20.1",)
        kingdoms = kingdoms_of(now.state, seat)
        for place in self.gold:
            if place not in kingdoms:
                yield Refusal(
                    "not_your_kingdom",
                    ("QD-2.2",),
                    f"{place} is no kingdom of {seat}; gold is stored in {' or '.join(kingdoms)}.",
                    {"place": place},
                    waivable=place in KINGDOMS,
                )
        due = now.state.agenda[-1].step.due(now, seat)
        given = sum(self.gold.values())
        if given != due or 0 in self.gold.values():
            yield Refusal(
                "wrong_sum",
                because,
                f"{seat} stores {due} gold, not {given}, and names no kingdom that gets none.",
                {"due": due, "given": given},
                waivable=given > 0 and 0 not in self.gold.values(),
            )

    def tells(self, tale: Tale[War], seat: Seat) -> None:
        """Tell the gold of each kingdom, in the order of the board."""
        asked = tale.question
        tale.top.stored(tale, seat)
        store(tale, seat, self.gold, asked.because if asked is not None else ("QD-20.1",))


def store(tale: Tale[War], seat: Seat, gold: dict[Place, int], because: tuple[SectionRef, ...]) -> None:
    """Tell that gold came into kingdoms, in the order of the board; nothing of those that get none."""
    for place in KINGDOMS:
        if gold.get(place):
            tale.tell(GoldStored(seat, place, gold[place], because=because))


def offer_to_store(now: Moment[War], seat: Seat, due: int) -> Offer:
    """Return the offer to spread so much gold over one's kingdoms."""
    return Offer(
        StoreGold, {"gold": Pick(dict.fromkeys(kingdoms_of(now.state, seat), due), low=due, high=due)}
    )


class Gathering(Phase):
    """Phase 6: the income comes in; who holds several kingdoms says where it goes (QD-20.1)."""

    def due(self, now: Moment[War], seat: Seat) -> int:
        """Return the gold that has come in and is not yet stored."""
        return income_of(now, seat)

    def question(self, now: Moment[War]) -> Question | None:
        if self.is_on(now, "income") and len(kingdoms_of(now.state, self.seat)) > 1:
            return self.asks("store_gold", StoreGold, prompt="store the income", because="QD-20.1")
        return None

    def offers(self, now: Moment[War], seat: Seat) -> Iterator[Offer]:
        yield offer_to_store(now, seat, income_of(now, seat))

    def silence(self, now: Moment[War], seat: Seat) -> Command[War]:
        """Return that all of it goes into the first kingdom on the board."""
        return StoreGold({kingdoms_of(now.state, seat)[0]: income_of(now, seat)})

    def stored(self, tale: Tale[War], seat: Seat) -> None:
        """End: the seat said where its income goes."""
        tale.done()

    def by_itself(self, now: Moment[War]) -> Iterator[tuple[Seat, Command[War]]]:
        """Yield that the income goes into the only kingdom, and that the phase is over."""
        if self.is_on(now, "income") and kingdoms_of(now.state, self.seat):
            yield self.seat, self.silence(now, self.seat)
        yield from super().by_itself(now)

    def play(self, tale: Tale[War]) -> None:
        """Store all of it in the only kingdom; without one nothing comes in (QD-2.3)."""
        tale.done()
        if self.is_on(tale, "income"):
            store(
                tale,
                self.seat,
                dict.fromkeys(kingdoms_of(tale.state, self.seat), income_of(tale, self.seat)),
                ("QD-20.1",),
            )


COMMANDS = (StoreGold,)
FACTS = (GoldStored,)
STEPS = (Gathering,)
