"""The five kinds of place in the Wastelands (QD-6.6 to QD-6.10): what a party does where its move ended.

A quest space draws a card (`quest_cards.py`); village, witches' den and shrine sell, den and shrine give a spell or a
scroll to who has an orb or a talisman already; in the lair a party does one of three deeds.
"""

from collections.abc import Iterator
from typing import ClassVar

from core.asking import Between, Offer, OneOf, Question
from core.refusal import Refusal
from core.rules import Command, Step
from core.seats import CHANCE
from core.telling import Moment, Tale
from events.chance import Names, Roll
from events.event import Count, Face, Seat

from .armies import UnitsPlaced
from .deeds import lay
from .gains import DrawingScroll, nothing_gained, purse
from .holdings import kingdoms_of
from .items import GOODS, carried, gain_item, spend_item
from .learning import Learning, Rising, lords_left, raise_by_charm
from .parties import MOST, MeetsDragon, OnQuest, kind_of, room_for
from .phases import Pass
from .purchase import Paid, forbids_price, most_units, pay, price
from .quest_cards import DrawingCard
from .scroll_book import may_read
from .scrolls import ReadScroll, offers_to_read
from .state import ChipId, Place, War
from .tolls import strike

__all__ = [
    "COMMANDS",
    "STEPS",
    "BuyItem",
    "ConsultGods",
    "FaceDragon",
    "Lair",
    "Oracle",
    "Recruit",
    "Shopping",
    "TakeOrb",
    "visit",
]


def visit(tale: Tale[War], seat: Seat, place: Place) -> None:
    """Lay what a party does in the place where its move ended; what it has already, it has before this visit (QD-H36)."""
    items = carried(tale.state, seat, place)
    steps: dict[str, tuple[Step[War], ...]] = {
        "village": (Shopping(seat, place),),
        "witches_den": (
            *((Learning(seat, place),) if "dragonorb" in items else ()),
            Shopping(seat, place),
        ),
        "shrine": (
            *((DrawingScroll(seat, place),) if "talisman" in items else ()),
            Shopping(seat, place),
        ),
        "dragon_lair": (Lair(seat, place),),
        "quest": (DrawingCard(seat, place),),
    }
    tale.then(*steps[kind_of(place)])


SECTION = {"village": "QD-6.6", "witches_den": "QD-6.7", "shrine": "QD-6.8"}
"""Where the book speaks of what each kind of place sells."""


class BuyItem(Command[War]):
    """Buy items for the party; the kingdom named pays first (QD-6.6 to QD-6.8)."""

    WHEN = ("QD-6.6", "QD-6.7", "QD-6.8")

    SEALS = False

    item: str
    count: Count = 1
    source: Paid = ""

    def forbids(self, now: Moment[War], seat: Seat) -> Iterator[Refusal]:
        """Refuse what is not sold there, none of it, and what the gold does not pay (QD-6.6 to QD-6.8, QD-6.11)."""
        kind = kind_of(now.state.agenda[-1].step.place)
        goods = GOODS.get(self.item)
        if goods is None or goods.sold_at != kind:
            sold = ", ".join(f"{each.id} for {each.cost}" for each in GOODS.values() if each.sold_at == kind)
            yield Refusal(
                "not_sold_here",
                (SECTION[kind],),
                f"{self.item} is not sold here; what is sold is {sold}.",
                {"item": self.item},
                waivable=goods is not None,
            )
        if self.count < 1:
            yield Refusal("nothing_bought", (SECTION[kind],), "A purchase is of one item at least.")
        if goods is not None:
            gold = purse(now.state, seat)
            yield from forbids_price(now, seat, goods.cost * self.count, self.source, gold, SECTION[kind])

    def tells(self, tale: Tale[War], seat: Seat) -> None:
        """Tell the payment and the items."""
        place = tale.top.place
        section = SECTION[kind_of(place)]
        pay(tale, seat, GOODS[self.item].cost * self.count, self.source, (section,))
        gain_item(tale, seat, place, self.item, self.count, (section,))
        tale.reopen()


class Recruit(Command[War]):
    """Buy units in a village: they join the party at once; the kingdom named pays first (QD-6.6, QD-X72)."""

    WHEN = ("QD-6.6",)

    SEALS = False

    units: Count
    source: Paid = ""

    def forbids(self, now: Moment[War], seat: Seat) -> Iterator[Refusal]:
        """Refuse units elsewhere than in a village, more than six in all, and what the gold does not pay (QD-6.6)."""
        place = now.state.agenda[-1].step.place
        left = room_for(now, seat, place)
        if kind_of(place) != "village":
            yield Refusal(
                "not_sold_here", ("QD-6.6",), "Units are bought in a village alone.", {"place": place}
            )
        if self.units < 1:
            yield Refusal("nothing_bought", ("QD-6.6",), "A purchase is of one unit at least.")
        elif self.units > left:
            yield Refusal(
                "party_too_large",
                ("QD-6.6", "QD-6.1"),
                f"A party has {MOST} units at most: {left} more may join, not {self.units}.",
                {"room": left, "units": self.units},
            )
        yield from forbids_price(
            now, seat, price(seat, self.units), self.source, purse(now.state, seat), "QD-6.6"
        )

    def tells(self, tale: Tale[War], seat: Seat) -> None:
        """Tell the payment and the units."""
        pay(tale, seat, price(seat, self.units), self.source, ("QD-6.6", "QD-1.2"))
        tale.tell(UnitsPlaced(seat, tale.top.place, self.units, because=("QD-6.6", "QD-X72")))
        tale.reopen()


class Shopping(OnQuest):
    """A party buys in a village, a witches' den or a shrine as long as gold is left that buys something."""

    def asked(self, now: Moment[War]) -> Question | None:
        if not any(True for _ in self._purchases(now)):
            return None
        kind = kind_of(self.place)
        answers = (BuyItem, Recruit, Pass) if kind == "village" else (BuyItem, Pass)
        return Question("shop", (self.seat,), answers, (SECTION[kind],), "buy for the party, or pass")

    def meanwhile(self, now: Moment[War]) -> Question | None:
        """Return that a party may buy before it is said who learns: no order is laid down for one visit (QD-6.7, QD-H36)."""
        top = now.state.agenda[-1].step
        if (
            not isinstance(top, Learning)
            or not self.is_on(now)
            or not any(True for _ in self._purchases(now))
        ):
            return None
        return Question(
            "shop", (self.seat,), (BuyItem,), (SECTION[kind_of(self.place)],), "buy for the party"
        )

    def _purchases(self, now: Moment[War]) -> Iterator[Offer]:
        seat, kind = self.seat, kind_of(self.place)
        gold = purse(now.state, seat)
        source = OneOf(("", *kingdoms_of(now.state, seat)))
        for goods in GOODS.values():
            if goods.sold_at == kind and goods.cost <= gold:
                count = Between(1, gold // goods.cost)
                yield Offer(BuyItem, {"item": goods.id, "count": count, "source": source})
        if kind == "village" and gold >= price(seat, 1):
            most = min(room_for(now, seat, self.place), most_units(seat, gold))
            if most > 0:
                yield Offer(Recruit, {"units": Between(1, most), "source": source})

    def offers(self, now: Moment[War], seat: Seat) -> Iterator[Offer]:
        yield from self._purchases(now)
        if isinstance(now.state.agenda[-1].step, Shopping):
            yield Offer(Pass)

    def silence(self, now: Moment[War], seat: Seat) -> Command[War]:
        """Return to buy nothing."""
        return Pass()


class ConsultGods(Command[War]):
    """Ask the crystal die in the lair, with a DragonOrb (QD-6.9)."""

    WHEN = ("QD-6.9",)

    SEALS: ClassVar[bool] = False

    def forbids(self, now: Moment[War], seat: Seat) -> Iterator[Refusal]:
        """Refuse a party without an orb, and to ask for a DragonLord when none is left (QD-6.9, QD-H6)."""
        if "dragonorb" not in carried(now.state, seat, now.state.agenda[-1].step.place):
            yield Refusal(
                "no_orb",
                ("QD-6.9",),
                "The gods are asked with a DragonOrb, and the party has none.",
                waivable=True,
            )
        if lords_left(now) < 1:
            yield Refusal("no_dragonlord_left", ("QD-H6",), "No DragonLord is left to be gained.")

    def tells(self, tale: Tale[War], seat: Seat) -> None:
        """Ask for the crystal die."""
        tale.become(Oracle(seat, tale.top.place))


class TakeOrb(Command[War]):
    """Take a DragonOrb from the dead in the lair; that ends the quest (QD-6.9)."""

    WHEN = ("QD-6.9",)

    SEALS: ClassVar[bool] = False

    def forbids(self, now: Moment[War], seat: Seat) -> Iterator[Refusal]:
        """Refuse a party that has an orb (QD-6.9)."""
        if "dragonorb" in carried(now.state, seat, now.state.agenda[-1].step.place):
            yield Refusal(
                "has_orb",
                ("QD-6.9",),
                "Only a party without a DragonOrb takes one from the dead.",
                waivable=True,
            )

    def tells(self, tale: Tale[War], seat: Seat) -> None:
        """Tell the orb; the party stays, and its quest is over (QD-H37)."""
        place = tale.top.place
        tale.done()
        gain_item(tale, seat, place, "dragonorb", 1, ("QD-6.9", "QD-H37"))


class FaceDragon(Command[War]):
    """Go for the treasure of the lair: the red dragon attacks (QD-6.9)."""

    WHEN = ("QD-6.9",)

    SEALS: ClassVar[bool] = False

    def tells(self, tale: Tale[War], seat: Seat) -> None:
        """Lay the fight, and the treasure beneath it."""
        place = tale.top.place
        tale.done()
        lay(tale, seat, place, "lair.steps", "lair.reward")


class Lair(MeetsDragon):
    """A party is in the lair and does one of three deeds, or none; a wizard may read Charm on arrival (QD-6.9, QD-H37)."""

    def meets_dragon(self, now: Moment[War]) -> bool:
        """Return that the red dragon is met here."""
        return self.is_on(now)

    def charm_by(self, tale: Tale[War], wizard: ChipId) -> None:
        """End the visit: the wizard who read Charm becomes a DragonLord (QD-16.8)."""
        tale.done()
        raise_by_charm(tale, self.seat, self.place, wizard)

    def asked(self, now: Moment[War]) -> Question | None:
        prompt = "ask the gods with an orb, take an orb from the dead, face the dragon, or pass"
        answers: tuple[type[Command[War]], ...] = (ConsultGods, TakeOrb, FaceDragon, Pass)
        if may_read(now.state, self.seat, self.place):
            answers = (*answers, ReadScroll)
        return Question("lair", (self.seat,), answers, ("QD-6.9", "QD-H37"), prompt)

    def offers(self, now: Moment[War], seat: Seat) -> Iterator[Offer]:
        if "dragonorb" not in carried(now.state, seat, self.place):
            yield Offer(TakeOrb)
        elif lords_left(now) > 0:
            yield Offer(ConsultGods)
        yield Offer(FaceDragon)
        if may_read(now.state, seat, self.place):
            yield from offers_to_read(now, seat)
        yield Offer(Pass)

    def silence(self, now: Moment[War], seat: Seat) -> Command[War]:
        """Return to do nothing."""
        return Pass()


class Oracle(OnQuest):
    """The gods of the lair are asked: blessed a DragonLord, ignored again, cursed a unit is lost (QD-6.9)."""

    def asked(self, now: Moment[War]) -> Question | None:
        roll = Roll("crystal", 1, self.seat, Names(), "orb in the lair")
        return Question("roll", (CHANCE,), (), ("QD-6.9",), f"{self.seat} asks the gods", roll=roll)

    def rolled(self, tale: Tale[War], faces: tuple[Face, ...]) -> None:
        """Go on with a DragonLord for the orb, another roll, or a lost unit."""
        seat, place = self.seat, self.place
        if faces[0] == "blue":
            tale.reopen()
            return
        tale.done()
        if faces[0] == "red":
            strike(tale, seat, place, 1, "lair", ("QD-6.9",))
        elif "dragonorb" in carried(tale.state, seat, place):
            spend_item(tale, seat, place, "dragonorb", ("QD-6.9",))
            tale.then(Rising(seat, place))
        else:
            nothing_gained(tale, seat, place, "dragonlord", ("QD-6.9",))


COMMANDS = (BuyItem, Recruit, ConsultGods, TakeOrb, FaceDragon)
STEPS = (Shopping, Lair, Oracle)
