"""The end of the setup: the chips are hidden, the ships dock, the gold goes into the kingdoms (QD-3.5, QD-3.6)."""

from collections.abc import Iterator
from typing import Annotated, Final

from msgspec import structs

from core.asking import Offer, OneOf, Question
from core.refusal import Refusal
from core.rules import Command, Fact, Step, word
from core.telling import Moment, Tale
from events.event import Seat

from .board import TERRITORIES
from .chips import ChipsPlaced, StacksShaded
from .docks import ShipsDocked
from .holdings import kingdoms_of, own_places
from .income import StoreGold, offer_to_store, store
from .phases import TurnBegan
from .state import ChipId, Place, War, chips_at, units_of
from .turn import Turn

__all__ = ["COMMANDS", "FACTS", "STEPS", "Hiding"]

KINDS: Final = ("king", "wizard", "blank")
"""The chips that each player hides (QD-3.1)."""
FIRST_GOLD: Final = 30
"""What each player begins with, in gold (QD-3.1)."""


def chip_id(seat: Seat, kind: str) -> ChipId:
    """Return the id of one of the chips that a seat begins with."""
    return f"{seat}.wizard.1" if kind == "wizard" else f"{seat}.{kind}"


def room(war: War, seat: Seat, place: Place) -> int:
    """Return how many units of a seat in a place bear no chip, as far as the reader of this state knows (QD-H42)."""
    army = war.armies.get(place)
    return army.units - len(chips_at(war, seat, place)) if army is not None and army.seat == seat else 0


class ChipHidden(Fact[War]):
    """A seat hid a chip under one of its units: nobody else knows which or where (QD-3.5, QD-H42)."""

    seat: Seat

    def onto(self, state: War) -> War:
        return structs.replace(state, ready=(*state.ready, f"hidden:{self.seat}"))


class HideChip(Command[War]):
    """Hide the king, the wizard or the blank chip under a unit of one's own."""

    WHEN = ("QD-3.5",)

    chip: str
    place: Annotated[Place, word("in")]

    def forbids(self, now: Moment[War], seat: Seat) -> Iterator[Refusal]:
        """Refuse a chip that lies already, and a place without a unit of one's own that bears none (QD-3.5, QD-H42)."""
        if self.chip not in KINDS:
            yield Refusal(
                "no_such_chip",
                ("QD-3.5", "QD-3.1"),
                f"{self.chip!r} is no chip to hide; those are {', '.join(KINDS)}.",
                {"chip": self.chip},
            )
            return
        lies = now.state.chips.get(chip_id(seat, self.chip))
        if lies is not None:
            yield Refusal(
                "hidden_already",
                ("QD-3.5",),
                f"The {self.chip} of {seat} lies in {lies.place} already.",
                {"chip": self.chip, "place": lies.place},
                secret=True,
            )
        if room(now.state, seat, self.place) < 1:
            yield Refusal(
                "no_unit_to_bear_it",
                ("QD-3.5", "QD-H42"),
                f"{seat} has no unit in {self.place} that bears no chip yet; each chip lies under a different unit.",
                {"place": self.place},
                secret=units_of(now.state, seat, self.place) > 0,
            )

    def tells(self, tale: Tale[War], seat: Seat) -> None:
        """Tell everybody that a chip was hidden, and the seat which and where."""
        because = ("QD-3.5", "QD-1.4", "QD-H42")
        if f"hidden:{seat}" not in tale.state.ready:
            tale.tell(StacksShaded(seat, own_places(tale.state, seat), because=because))
        tale.tell(ChipHidden(seat, because=because))
        tale.tell(ChipsPlaced(seat, {chip_id(seat, self.chip): self.place}, because=because))


class Hiding(Step[War]):
    """All players hide their chips at once (QD-3.5)."""

    def question(self, now: Moment[War]) -> Question | None:
        owing = tuple(
            seat for seat in now.table.seats if now.state.ready.count(f"hidden:{seat}") < len(KINDS)
        )
        return (
            Question("hide", owing, (HideChip,), ("QD-3.5",), "hide a chip under a unit") if owing else None
        )

    def offers(self, now: Moment[War], seat: Seat) -> Iterator[Offer]:
        war = now.state
        chips = tuple(kind for kind in KINDS if chip_id(seat, kind) not in war.chips)
        places = tuple(place for place in own_places(war, seat) if room(war, seat, place))
        yield Offer(HideChip, {"chip": OneOf(chips), "place": OneOf(places)})

    def silence(self, now: Moment[War], seat: Seat) -> HideChip:
        """Return the next chip under the largest army that has a unit to spare, the first such on the board."""
        war = now.state
        chip = next(kind for kind in KINDS if chip_id(seat, kind) not in war.chips)
        return HideChip(chip, max(own_places(war, seat), key=lambda place: room(war, seat, place)))

    def play(self, tale: Tale[War]) -> None:
        """Go on to the ships when all chips are hidden."""
        tale.become(Docking(tale.state.active))


def after(now: Moment[War], seat: Seat) -> Seat:
    """Return the next seat clockwise; empty when all have had their turn and it would be the chosen player's again."""
    seats = now.table.seats
    upcoming = seats[(seats.index(seat) + 1) % len(seats)]
    return "" if upcoming == now.state.active else upcoming


def harbours(war: War, seat: Seat) -> tuple[Place, ...]:
    """Return the harbours that a seat holds, in the order of the board."""
    return tuple(place for place in own_places(war, seat) if TERRITORIES[place].harbour_zone)


class ShipMissed(Fact[War]):
    """A seat held no harbour, so its first ship is lost (QD-3.6)."""

    seat: Seat

    def onto(self, state: War) -> War:
        return state


class DockShip(Command[War]):
    """Put one's first ship into a friendly harbour."""

    WHEN = ("QD-3.6",)

    SEALS = False

    place: Annotated[Place, word("in")]

    def forbids(self, now: Moment[War], seat: Seat) -> Iterator[Refusal]:
        """Refuse what is no harbour of one's own (QD-3.6)."""
        allowed = harbours(now.state, seat)
        if self.place not in allowed:
            yield Refusal(
                "no_harbour",
                ("QD-3.6",),
                f"{self.place} is no harbour of {seat}; it holds {', '.join(allowed)}.",
                {"place": self.place},
                waivable=self.place in TERRITORIES and bool(TERRITORIES[self.place].harbour_zone),
            )

    def tells(self, tale: Tale[War], seat: Seat) -> None:
        """Tell the ship, and go on to the gold."""
        tale.top.docked(tale, self.place)


class Docking(Step[War]):
    """Put the ship into a friendly harbour; without one it is lost (QD-3.6)."""

    seat: Seat

    def question(self, now: Moment[War]) -> Question | None:
        if len(harbours(now.state, self.seat)) > 1:
            return Question("dock", (self.seat,), (DockShip,), ("QD-3.6",), "put your ship into a harbour")
        return None

    def offers(self, now: Moment[War], seat: Seat) -> Iterator[Offer]:
        yield Offer(DockShip, {"place": OneOf(harbours(now.state, seat))})

    def silence(self, now: Moment[War], seat: Seat) -> DockShip:
        """Return the first harbour on the board."""
        return DockShip(harbours(now.state, seat)[0])

    def by_itself(self, now: Moment[War]) -> Iterator[tuple[Seat, Command[War]]]:
        """Yield that the ship lies in the only harbour."""
        if harbours(now.state, self.seat):
            yield self.seat, self.silence(now, self.seat)

    def docked(self, tale: Tale[War], place: Place) -> None:
        """Tell the ship, and go on to the gold of this seat."""
        tale.tell(ShipsDocked(self.seat, place, 1, because=("QD-3.6",)))
        tale.become(Endowing(self.seat))

    def play(self, tale: Tale[War]) -> None:
        """Dock in the only harbour; or lose the ship."""
        held = harbours(tale.state, self.seat)
        if held:
            self.docked(tale, held[0])
        else:
            tale.tell(ShipMissed(self.seat, because=("QD-3.6",)))
            tale.become(Endowing(self.seat))


class Endowing(Step[War]):
    """Put the first gold into one's kingdom, or spread it over several (QD-3.1, QD-3.6)."""

    seat: Seat

    def due(self, now: Moment[War], seat: Seat) -> int:
        """Return the gold that each player begins with."""
        return FIRST_GOLD

    def question(self, now: Moment[War]) -> Question | None:
        if len(kingdoms_of(now.state, self.seat)) > 1:
            return Question(
                "store_gold", (self.seat,), (StoreGold,), ("QD-3.6", "QD-3.1"), "store your first gold"
            )
        return None

    def offers(self, now: Moment[War], seat: Seat) -> Iterator[Offer]:
        yield offer_to_store(now, seat, FIRST_GOLD)

    def silence(self, now: Moment[War], seat: Seat) -> StoreGold:
        """Return that all of it goes into the first kingdom on the board."""
        return StoreGold({kingdoms_of(now.state, seat)[0]: FIRST_GOLD})

    def by_itself(self, now: Moment[War]) -> Iterator[tuple[Seat, Command[War]]]:
        """Yield that the first gold goes into the only kingdom."""
        if kingdoms_of(now.state, self.seat):
            yield self.seat, self.silence(now, self.seat)

    def stored(self, tale: Tale[War], seat: Seat) -> None:
        """Go on to the next seat; after the last the chosen player begins (QD-3.2)."""
        upcoming = after(tale, self.seat)
        if upcoming:
            tale.become(Docking(upcoming))
        else:
            tale.become(Beginning())

    def play(self, tale: Tale[War]) -> None:
        """Put all of it into the only kingdom."""
        store(
            tale,
            self.seat,
            dict.fromkeys(kingdoms_of(tale.state, self.seat), FIRST_GOLD),
            ("QD-3.6", "QD-3.1"),
        )
        self.stored(tale, self.seat)


class Beginning(Step[War]):
    """The setup is complete; the chosen player begins (QD-3.2)."""

    def play(self, tale: Tale[War]) -> None:
        """Begin the first turn."""
        tale.tell(TurnBegan(tale.state.active, because=("QD-3.2", "QD-4.1")))
        tale.become(Turn(tale.state.active, ""))


COMMANDS = (HideChip, DockShip)
FACTS = (ChipHidden, ShipMissed)
STEPS = (Hiding, Docking, Endowing, Beginning)
