"""Phase 7, placing what was bought (QD-21)."""

from collections.abc import Iterator

from msgspec import structs

from core.asking import Offer, OneOf, Pick, Question
from core.refusal import Refusal
from core.rules import Command, Fact
from core.telling import Moment, Tale
from events.counting import plural
from events.event import Count, Seat

from .armies import UnitsPlaced
from .board import TERRITORIES
from .docks import ShipsDocked
from .forces import may_enter
from .holdings import own_places
from .income import realms_of
from .phases import Phase
from .purchase import bought, harbours_for_a_ship
from .state import Place, War

__all__ = [
    "COMMANDS",
    "FACTS",
    "STEPS",
    "PlaceShip",
    "PlaceUnits",
    "PurchaseUsed",
    "Reinforcing",
    "places_for_units",
]


def places_for_units(war: War, seat: Seat) -> tuple[Place, ...]:
    """Return where a seat may place bought units, in the order of the board (QD-2.3, QD-21.1)."""
    realms = realms_of(war, seat)
    return tuple(
        [
            place
            for place in own_places(war, seat)
            if TERRITORIES[place].reinforce_allowed and TERRITORIES[place].realm in realms
        ]
    )


class PurchaseUsed(Fact[War]):
    """What was bought waits no longer: it was placed, or `lost` because it could not be (QD-21.1, QD-H52)."""

    seat: Seat
    kind: str
    count: Count
    lost: bool = False

    def onto(self, state: War) -> War:
        name = f"{self.seat}.{self.kind}"
        left = state.bought[name] - self.count
        others = {kind: count for kind, count in state.bought.items() if kind != name}
        return structs.replace(state, bought={**others, name: left} if left else others)


class PlaceUnits(Command[War]):
    """Place the units that were bought: how many where."""

    WHEN = ("QD-21.1", "QD-4.1")

    SEALS = False

    units: dict[Place, Count]

    def forbids(self, now: Moment[War], seat: Seat) -> Iterator[Refusal]:
        """Refuse places that may not be reinforced, and another number than was bought (QD-21.1)."""
        allowed = places_for_units(now.state, seat)
        for place in self.units:
            if place not in allowed:
                yield Refusal(
                    "no_reinforcement_there",
                    ("QD-21.1", "QD-2.3"),
                    f"{seat} cannot reinforce {place}: units go to friendly territories of realms whose kingdom {seat} holds.",
                    {"place": place},
                    waivable=place in TERRITORIES and may_enter(now.state, seat, place),
                )
        due, given = bought(now.state, seat, "unit"), sum(self.units.values())
        if given != due or 0 in self.units.values():
            yield Refusal(
                "wrong_number",
                ("QD-21.1",),
                f"{seat} places {plural(due, 'unit')}, not {given}, and names no place that gets none.",
                {"due": due, "given": given},
                waivable=0 < given < due and 0 not in self.units.values(),
            )

    def tells(self, tale: Tale[War], seat: Seat) -> None:
        """Tell the units of each place, in the order of the board."""
        tale.tell(PurchaseUsed(seat, "unit", sum(self.units.values()), because=("QD-21.1",)))
        for place in TERRITORIES:
            if place in self.units:
                tale.tell(UnitsPlaced(seat, place, self.units[place], because=("QD-21.1",)))
        tale.reopen()


class PlaceShip(Command[War]):
    """Place a ship that was bought into a harbour."""

    WHEN = ("QD-21.1", "QD-4.1")

    SEALS = False

    place: Place

    def forbids(self, now: Moment[War], seat: Seat) -> Iterator[Refusal]:
        """Refuse a place that is no harbour for it (QD-H8), and a ship that was not bought."""
        allowed = harbours_for_a_ship(now, seat)
        if self.place not in allowed:
            yield Refusal(
                "no_harbour",
                ("QD-21.1", "QD-H8"),
                f"{self.place} is no harbour where {seat} may place a ship; there are: {', '.join(allowed) or 'none'}.",
                {"place": self.place},
            )
        if not bought(now.state, seat, "ship"):
            yield Refusal("no_ship_bought", ("QD-21.1",), f"{seat} has no bought ship to place.")

    def tells(self, tale: Tale[War], seat: Seat) -> None:
        """Tell that the ship lies in the harbour."""
        tale.tell(PurchaseUsed(seat, "ship", 1, because=("QD-21.1", "QD-H8")))
        tale.tell(ShipsDocked(seat, self.place, 1, because=("QD-21.1", "QD-H8")))
        tale.reopen()


class Reinforcing(Phase):
    """Phase 7: place all that was bought and can be placed; the rest is lost (QD-21.1, QD-H52)."""

    def question(self, now: Moment[War]) -> Question | None:
        if not self.is_on(now, "reinforce"):
            return None
        answers: list[type[Command[War]]] = []
        if bought(now.state, self.seat, "unit") and places_for_units(now.state, self.seat):
            answers.append(PlaceUnits)
        if bought(now.state, self.seat, "ship") and harbours_for_a_ship(now, self.seat):
            answers.append(PlaceShip)
        if not answers:
            return None
        return self.asks("place", *answers, prompt="place what was bought", because="QD-21.1")

    def offers(self, now: Moment[War], seat: Seat) -> Iterator[Offer]:
        units, places = bought(now.state, seat, "unit"), places_for_units(now.state, seat)
        if units and places:
            yield Offer(PlaceUnits, {"units": Pick(dict.fromkeys(places, units), low=units, high=units)})
        if bought(now.state, seat, "ship") and (harbours := harbours_for_a_ship(now, seat)):
            yield Offer(PlaceShip, {"place": OneOf(harbours)})

    def silence(self, now: Moment[War], seat: Seat) -> Command[War]:
        """Return that all units go to the first place on the board that may have them, a ship to the first harbour."""
        units, places = bought(now.state, seat, "unit"), places_for_units(now.state, seat)
        if units and places:
            return PlaceUnits({places[0]: units})
        return PlaceShip(harbours_for_a_ship(now, seat)[0])

    def play(self, tale: Tale[War]) -> None:
        """End; what could not be placed is lost, or waits where the table plays it so (QD-H52)."""
        tale.done()
        if not self.is_on(tale, "reinforce") or tale.answer("QD-H52") == "waits":
            return
        for kind in ("unit", "ship"):
            left = bought(tale.state, self.seat, kind)
            if left:
                tale.tell(PurchaseUsed(self.seat, kind, left, lost=True, because=("QD-21.1", "QD-H52")))


COMMANDS = (PlaceUnits, PlaceShip)
FACTS = (PurchaseUsed,)
STEPS = (Reinforcing,)
