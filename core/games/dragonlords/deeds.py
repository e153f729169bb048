"""What follows from the steps of a quest card (QD-6.10, QD-6.14), each a `Deed` on the agenda.

The steps of a column lie on top of its reward. A fight that is lost ends the quest and with it all that lies there still,
so the reward is given exactly when a unit is left and every monster was beaten or passed by.
"""

from collections.abc import Iterator, Mapping
from typing import ClassVar, Final

from core.asking import Offer, OneOf, Question
from core.refusal import Refusal
from core.rules import Command, Fact
from core.seats import CHANCE
from core.telling import Moment, Tale
from events.chance import Hits, Names, Roll
from events.event import Face, Seat, SectionRef

from .armies import UnitsPlaced
from .decks import BLESSINGS
from .encounter import meet
from .gains import BringingGold, DrawingScroll, DrawingTreasure, nothing_gained, purse
from .income import gold_of
from .items import GOODS, carried, gain_item, spend_item
from .learning import Learning, Rising, SpellRolling, join_wizard, lords_left
from .parties import OnQuest, party_at, room_for
from .purchase import pay
from .quest_deck import (
    LISTS,
    OPS,
    AddUnits,
    CharmDragon,
    Choice,
    Crystal,
    Gain,
    Having,
    LoseUnits,
    Meeting,
    Op,
    PayGold,
    PerUnitRoll,
    RollOnTable,
)
from .state import Place, War
from .tolls import strike

__all__ = ["COMMANDS", "FACTS", "STEPS", "Choose", "Deed", "MonsterPassed", "PayFrom", "lay"]

BECAUSE: Final[tuple[SectionRef, ...]] = ("QD-6.10", "QD-6.14")
"""Why a card asks and tells."""
GAINED: Final[Mapping[str, type[OnQuest]]] = {
    "scroll": DrawingScroll,
    "treasure": DrawingTreasure,
    "spell": Learning,
    "dragonlord": Rising,
}
"""The step by which a party gains each thing that is drawn, learned or raised."""


class MonsterPassed(Fact[War]):
    """A party passed a monster without a fight, by an item that it has (QD-6.10, QD-8.5)."""

    seat: Seat
    place: Place
    monster: str
    item: str

    def onto(self, state: War) -> War:
        return state


def lay(tale: Tale[War], seat: Seat, place: Place, *paths: str) -> None:
    """Lay the steps of lists on the agenda, those of the first list first."""
    tale.then(*(Deed(seat, place, f"{path}.{n}") for path in paths for n in range(len(LISTS[path]))))


class Deed(OnQuest):
    """A step of a quest card that a party is about to take; `at` is its path in the deck."""

    at: str

    @property
    def op(self) -> Op:
        """What the step says."""
        return OPS[self.at]

    def asked(self, now: Moment[War]) -> Question | None:
        match self.op:
            case Crystal():
                return self._rolls("crystal", 1, Names(), "crystal on a card")
            case RollOnTable(die=die):
                return self._rolls(f"d{die}", 1, Names(), "riddle")
            case PerUnitRoll() as op:
                army = party_at(now.state, self.seat, self.place)
                losing = op.losing(carried(now.state, self.seat, self.place))
                if army is None or not losing:
                    return None
                return self._rolls(f"d{op.die}", army.size, Hits(losing), "each unit", "QD-H33")
            case CharmDragon():
                if "dragonorb" not in carried(now.state, self.seat, self.place) or lords_left(now) < 1:
                    return None
                return self._rolls("crystal", 1, Names(), "charm", "QD-8.6")
            case Choice():
                fit = self.options(now)
                prompt = f"choose: {' or '.join(fit)}"
                return Question("choose", (self.seat,), (Choose,), BECAUSE, prompt) if len(fit) > 1 else None
            case PayGold(n=cost):
                prompt = f"say which kingdom pays {cost} gold first"
                several = len(gold_of(now.state, self.seat)) > 1
                return Question("pay", (self.seat,), (PayFrom,), BECAUSE, prompt) if several else None
            case _:
                return None

    def _rolls(
        self, die: str, count: int, counts: Hits | Names, purpose: str, *because: SectionRef
    ) -> Question:
        roll = Roll(die, count, self.seat, counts, purpose)
        prompt = f"{self.seat} rolls for {purpose}"
        return Question("roll", (CHANCE,), (), (*BECAUSE, *because), prompt, roll=roll)

    def options(self, now: Moment[War]) -> tuple[str, ...]:
        """Return what may be chosen: an option that pays, only where the gold may be spent (QD-6.11)."""
        op = self.op
        assert isinstance(op, Choice)
        gold = purse(now.state, self.seat)
        return tuple(option.label for option in op.options if option.cost <= gold)

    def offers(self, now: Moment[War], seat: Seat) -> Iterator[Offer]:
        if isinstance(self.op, Choice):
            yield Offer(Choose, {"option": OneOf(self.options(now))})
        else:
            yield Offer(PayFrom, {"source": OneOf(tuple(gold_of(now.state, seat)))})

    def silence(self, now: Moment[War], seat: Seat) -> Command[War]:
        """Return the first option that is open, or the first kingdom on the board that has gold."""
        if isinstance(self.op, Choice):
            return Choose(self.options(now)[0])
        return PayFrom(next(iter(gold_of(now.state, seat))))

    def by_itself(self, now: Moment[War]) -> Iterator[tuple[Seat, Command[War]]]:
        """Yield the only option, or the only kingdom that can pay."""
        if self.is_on(now) and (
            (isinstance(self.op, Choice) and self.options(now))
            or (isinstance(self.op, PayGold) and gold_of(now.state, self.seat))
        ):
            yield self.seat, self.silence(now, self.seat)

    def rolled(self, tale: Tale[War], faces: tuple[Face, ...]) -> None:
        """Go on with the list that the die names, with the units that are lost, or with the dragon."""
        match self.op:
            case Crystal():
                self.branch(tale, BLESSINGS[str(faces[0])])
            case RollOnTable() as op:
                self.branch(tale, op.span(int(faces[0])))
            case PerUnitRoll() as op:
                losing = op.losing(carried(tale.state, self.seat, self.place))
                tale.done()
                lost = sum(face in losing for face in faces)
                strike(tale, self.seat, self.place, lost, "card", (*BECAUSE, "QD-H33"))
            case _:
                self._charmed(tale, faces[0])

    def _charmed(self, tale: Tale[War], face: Face) -> None:
        """Go on with a DragonLord for the orb, another roll, or nothing (QD-8.6)."""
        if face == "blue":
            tale.reopen()
            return
        tale.done()
        if face == "yellow":
            spend_item(tale, self.seat, self.place, "dragonorb", ("QD-8.6", "QD-6.12"))
            tale.then(Rising(self.seat, self.place))

    def branch(self, tale: Tale[War], *names: str) -> None:
        """Do lists inside of this step in its place."""
        tale.done()
        lay(tale, self.seat, self.place, *(f"{self.at}.{name}" for name in names))

    def chosen(self, tale: Tale[War], option: str) -> None:
        """Go on with an option, and what it rewards."""
        self.branch(tale, option, f"{option}.reward")

    def paid(self, tale: Tale[War], source: Place) -> None:
        """Tell what each kingdom pays."""
        op = self.op
        assert isinstance(op, PayGold)
        pay(tale, self.seat, op.n, source, BECAUSE)
        tale.done()

    def go_on(self, tale: Tale[War]) -> None:
        """Do what asks nobody."""
        seat, place = self.seat, self.place
        match self.op:
            case Gain() as op:
                self._gain(tale, op)
            case Meeting() as op:
                self._meet(tale, op)
            case Having(item=item):
                self.branch(tale, "then" if item in carried(tale.state, seat, place) else "else")
            case Choice():
                self.chosen(tale, self.options(tale)[0])
            case PayGold():
                self.paid(tale, "")
            case AddUnits(n=wanted):
                self._add(tale, wanted)
            case LoseUnits(n=count):
                tale.done()
                strike(tale, seat, place, count, "card", BECAUSE)
            case CharmDragon():
                tale.done()
                nothing_gained(tale, seat, place, "dragonlord")
            case _:
                tale.done()

    def _gain(self, tale: Tale[War], op: Gain) -> None:
        """Gain what is told at once, or lay the steps by which it is drawn, learned or raised."""
        seat, place = self.seat, self.place
        tale.done()
        if op.what in GOODS:
            gain_item(tale, seat, place, op.what, op.n, BECAUSE)
        elif op.what == "gold":
            tale.then(BringingGold(seat, place, op.n))
        elif op.what == "wizard":
            wizard = join_wizard(tale, seat, place)
            if wizard:
                tale.then(*(SpellRolling(seat, place, wizard) for _ in range(op.spells)))
        else:
            tale.then(*(GAINED[op.what](seat, place) for _ in range(op.n)))

    def _meet(self, tale: Tale[War], op: Meeting) -> None:
        """Lay the fight, or pass by with the item that keeps the monster off."""
        tale.done()
        item = op.bypass_item
        if item and item in carried(tale.state, self.seat, self.place):
            tale.tell(MonsterPassed(self.seat, self.place, op.name, item, because=("QD-6.10", "QD-8.5")))
        else:
            meet(tale, self.seat, self.place, op.name)

    def _add(self, tale: Tale[War], wanted: int) -> None:
        """Tell the units that join, as many as there is room for (QD-6.1, QD-H12)."""
        count = min(wanted, room_for(tale, self.seat, self.place))
        tale.done()
        if count > 0:
            tale.tell(UnitsPlaced(self.seat, self.place, count, because=(*BECAUSE, "QD-6.1")))
        else:
            nothing_gained(tale, self.seat, self.place, "unit", ("QD-6.1", "QD-H12"))


class Choose(Command[War]):
    """Choose one of the options that a card gives."""

    WHEN = ("QD-6.10",)

    SEALS: ClassVar[bool] = False

    option: str

    def forbids(self, now: Moment[War], seat: Seat) -> Iterator[Refusal]:
        """Refuse an option that the card has not, or that costs more gold than may be spent (QD-6.10, QD-6.11)."""
        fit = now.state.agenda[-1].step.options(now)
        if self.option not in fit:
            yield Refusal(
                "no_such_option",
                ("QD-6.10", "QD-6.11"),
                f"{self.option!r} can't be chosen; what can, with the gold that may be spent, is {' or '.join(fit)}.",
                {"option": self.option},
            )

    def tells(self, tale: Tale[War], seat: Seat) -> None:
        """Go on with the option."""
        tale.top.chosen(tale, self.option)


class PayFrom(Command[War]):
    """Say which kingdom pays first; the others pay the rest, in the order of the board."""

    SEALS = False

    source: Place

    def forbids(self, now: Moment[War], seat: Seat) -> Iterator[Refusal]:
        """Refuse what is no kingdom of one's own with gold (QD-2.2)."""
        fit = gold_of(now.state, seat)
        if self.source not in fit:
            yield Refusal(
                "not_your_kingdom",
                ("QD-2.2",),
                f"{self.source} is no kingdom of {seat} with gold; its gold lies in {' and '.join(fit)}.",
                {"place": self.source},
            )

    def tells(self, tale: Tale[War], seat: Seat) -> None:
        """Tell the payment."""
        tale.top.paid(tale, self.source)


COMMANDS = (Choose, PayFrom)
FACTS = (MonsterPassed,)
STEPS = (Deed,)
