"""Phase 1, buying units and ships (QD-1.2, QD-4.2)."""

from collections.abc import Iterator
from typing import Annotated, Final

from msgspec import structs

from core.asking import Between, Offer, OneOf, Question
from core.refusal import Refusal
from core.rules import Command, Fact, word
from core.telling import Moment, Tale
from events.event import Count, Seat, SectionRef

from .board import TERRITORIES
from .holdings import kingdoms_of, own_places
from .income import gold_of, realms_of
from .phases import EndPhase, Phase
from .scroll_book import may_read_somewhere
from .state import MOST_SHIPS, Place, War

__all__ = [
    "COMMANDS",
    "FACTS",
    "SHIP_PRICE",
    "STEPS",
    "BuyShip",
    "BuyUnits",
    "Buying",
    "GoldPaid",
    "Paid",
    "ShipBought",
    "UnitsBought",
    "bought",
    "forbids_price",
    "harbours_for_a_ship",
    "most_units",
    "pay",
    "price",
]

SHIP_PRICE: Final = 10
"""What a ship costs, in gold (QD-4.2)."""


def price(seat: Seat, units: int) -> int:
    """Return what so many units of a race cost together, in gold; four Orcs cost 10 (QD-1.2, QD-X18)."""
    if seat == "orc":
        return 10 * (units // 4) + 3 * (units % 4)
    return (4 if seat == "barbarian" else 3) * units


def most_units(seat: Seat, gold: int) -> int:
    """Return how many units of a race so much gold buys at once."""
    units = gold // 3 + 1
    while price(seat, units + 1) <= gold:
        units += 1
    while price(seat, units) > gold:
        units -= 1
    return units


def bought(war: War, seat: Seat, kind: str) -> int:
    """Return how many units (`unit`) or ships (`ship`) a seat has bought and not yet placed."""
    return war.bought.get(f"{seat}.{kind}", 0)


def harbours_for_a_ship(now: Moment[War], seat: Seat) -> tuple[Place, ...]:
    """Return the friendly harbours where a seat may place a bought ship, in the order of the board (QD-H8)."""
    anywhere = now.answer("QD-H8") == "any_friendly_harbour"
    realms = realms_of(now.state, seat)
    return tuple(
        [
            place
            for place in own_places(now.state, seat)
            if TERRITORIES[place].harbour_zone and (anywhere or TERRITORIES[place].realm in realms)
        ]
    )


def ships_left(now: Moment[War]) -> int:
    """Return how many of the eight ships are neither in play nor bought, nor lost where those stay lost (QD-H8, QD-H44)."""
    war = now.state
    waiting = sum(count for name, count in war.bought.items() if name.endswith(".ship"))
    lost = war.sunk if now.answer("QD-H44") == "out_of_the_game" else 0
    afloat = sum(war.fleets.values()) + sum(war.raiders.values())
    return MOST_SHIPS - afloat - sum(war.docked.values()) - waiting - lost


class GoldPaid(Fact[War]):
    """Gold was paid out of a kingdom (QD-4.2)."""

    seat: Seat
    place: Place
    gold: Count

    def onto(self, state: War) -> War:
        left = state.gold[self.place] - self.gold
        gold = {place: held for place, held in state.gold.items() if place != self.place}
        return structs.replace(state, gold={**gold, self.place: left} if left else gold)


class UnitsBought(Fact[War]):
    """Units were bought; they wait for phase 7 (QD-4.2)."""

    seat: Seat
    units: Count

    def onto(self, state: War) -> War:
        return _with_purchase(state, self.seat, "unit", self.units)


class ShipBought(Fact[War]):
    """A ship was bought; it waits for phase 7 (QD-4.2)."""

    seat: Seat

    def onto(self, state: War) -> War:
        return _with_purchase(state, self.seat, "ship", 1)


def _with_purchase(war: War, seat: Seat, kind: str, count: int) -> War:
    """Return the war with something more that waits for phase 7, and with the mark that its seat has bought in this phase."""
    waiting = {**war.bought, f"{seat}.{kind}": bought(war, seat, kind) + count}
    ready = war.ready if _mark(seat) in war.ready else (*war.ready, _mark(seat))
    return structs.replace(war, bought=waiting, ready=ready)


def _mark(seat: Seat) -> str:
    """Return how `War.ready` keeps that a seat has bought something in this phase."""
    return f"bought:{seat}"


Paid = Annotated[Place, word("from")]
"""The kingdom that pays first; the others pay the rest, in the order of the board."""


def forbids_price(
    now: Moment[War],
    seat: Seat,
    cost: int,
    source: Place,
    purse: int | None = None,
    section: SectionRef = "QD-4.2",
) -> Iterator[Refusal]:
    """Refuse to buy without a kingdom, and beyond the stored gold, or so much of it as `purse` says may be spent."""
    stored = sum(gold_of(now.state, seat).values()) if purse is None else purse
    kingdoms = kingdoms_of(now.state, seat)
    if not kingdoms:
        yield Refusal(
            "no_kingdom", ("QD-2.3", "QD-X63"), f"{seat} holds no kingdom, so it cannot buy anything."
        )
        return
    if source and source not in kingdoms:
        yield Refusal(
            "not_your_kingdom",
            ("QD-2.2",),
            f"{source} is no kingdom of {seat}; its gold lies in {' and '.join(kingdoms)}.",
            {"place": source},
            waivable=True,
        )
    if cost > stored:
        yield Refusal(
            "too_little_gold",
            (section,),
            f"That costs {cost} gold; {seat} has {stored}"
            + (" that it may spend." if purse is not None else "."),
            {"cost": cost, "gold": stored},
        )


def pay(tale: Tale[War], seat: Seat, cost: int, source: Place, because: tuple[SectionRef, ...]) -> None:
    """Tell what each kingdom pays: `source` first, then the others in the order of the board."""
    gold = gold_of(tale.state, seat)
    for place in sorted(gold, key=lambda place: place != source):
        part = min(cost, gold[place])
        if part:
            tale.tell(GoldPaid(seat, place, part, because=because))
            cost -= part


class _Buys(Command[War]):
    """What is bought in phase 1 (QD-4.2)."""

    WHEN = ("QD-4.2", "QD-4.1")

    SEALS = False

    def untimely(self, now: Moment[War], seat: Seat) -> Iterator[Refusal]:
        """Say why nothing can be bought, where phase 1 waits for something else (QD-2.3, QD-4.2)."""
        if now.state.phase == "buy" and seat == now.state.active:
            yield from self.forbids(now, seat)


class BuyUnits(_Buys):
    """Buy units of one's own race; the kingdom named pays first (QD-4.2)."""

    units: Count
    source: Paid = ""

    def forbids(self, now: Moment[War], seat: Seat) -> Iterator[Refusal]:
        """Refuse what the stored gold does not pay, and any purchase without a kingdom (QD-2.3, QD-4.2)."""
        if self.units < 1:
            yield Refusal("nothing_bought", ("QD-4.2",), "A purchase is of one unit at least.")
        yield from forbids_price(now, seat, price(seat, self.units), self.source)

    def tells(self, tale: Tale[War], seat: Seat) -> None:
        """Tell the payment and the purchase."""
        pay(tale, seat, price(seat, self.units), self.source, ("QD-4.2", "QD-1.2"))
        tale.tell(UnitsBought(seat, self.units, because=("QD-4.2",)))
        tale.reopen()


class BuyShip(_Buys):
    """Buy a ship; the kingdom named pays first (QD-4.2)."""

    source: Paid = ""

    def forbids(self, now: Moment[War], seat: Seat) -> Iterator[Refusal]:
        """Refuse a ship beyond the eight, one without a harbour to go to, or one that is not paid (QD-4.2, QD-H8)."""
        yield from forbids_price(now, seat, SHIP_PRICE, self.source)
        if ships_left(now) < 1:
            yield Refusal(
                "no_ship_left",
                ("QD-4.2", "QD-H8", "QD-H44"),
                f"All {MOST_SHIPS} ships are in play, bought, or lost for good.",
            )
        if not harbours_for_a_ship(now, seat):
            yield Refusal(
                "no_harbour", ("QD-4.2", "QD-H8"), f"{seat} holds no harbour where a bought ship could go."
            )

    def tells(self, tale: Tale[War], seat: Seat) -> None:
        """Tell the payment and the purchase."""
        pay(tale, seat, SHIP_PRICE, self.source, ("QD-4.2",))
        tale.tell(ShipBought(seat, because=("QD-4.2", "QD-H8")))
        tale.reopen()


class Buying(Phase):
    """Phase 1: buy as long as gold is left that buys something, or until the seat ends the phase (QD-4.2).

    Nor does it pass by itself for who could buy nothing and may have a scroll, for phases 2 and 3 may (QD-16.1).
    """

    def question(self, now: Moment[War]) -> Question | None:
        war, seat = now.state, self.seat
        if not self.is_on(now, "buy"):
            return None
        if sum(gold_of(war, seat).values()) >= price(seat, 1):
            prompt = "buy units and ships"
            return self.asks("buy", BuyUnits, BuyShip, EndPhase, prompt=prompt, because="QD-4.2")
        if may_read_somewhere(war, seat) and _mark(seat) not in war.ready:
            return self.asks("buy", EndPhase, prompt="read a scroll, or go on", because="QD-16.1")
        return None

    def offers(self, now: Moment[War], seat: Seat) -> Iterator[Offer]:
        gold = gold_of(now.state, seat)
        source = OneOf(("", *kingdoms_of(now.state, seat)))
        stored = sum(gold.values())
        if stored >= price(seat, 1):
            yield Offer(BuyUnits, {"units": Between(1, most_units(seat, stored)), "source": source})
        if stored >= SHIP_PRICE and ships_left(now) > 0 and harbours_for_a_ship(now, seat):
            yield Offer(BuyShip, {"source": source})
        yield Offer(EndPhase)


COMMANDS = (BuyUnits, BuyShip)
FACTS = (GoldPaid, UnitsBought, ShipBought)
STEPS = (Buying,)
