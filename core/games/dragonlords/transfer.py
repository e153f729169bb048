"""Phase 5, transfer (QD-19): every unit may step to an adjacent territory, board, land, or be teleported."""

from collections.abc import Iterator

from core.asking import Offer, OneOf, Question
from core.refusal import Refusal
from core.rules import Command
from core.telling import Moment, Tale
from events.event import Seat

from .board import NEIGHBOURS, TELEPORTALS, TERRITORIES, ZONES
from .boarding import Board, Land, boarding_offers, landing_offers
from .ending import claimed
from .forces import (
    Carrying,
    DragonLords,
    From,
    Leading,
    Through,
    To,
    Units,
    army_force,
    bearings,
    forbids_force,
    forbids_gate,
    gates,
    may_enter,
    not_held,
    open_gate,
    send,
    sizes,
    tire,
)
from .holdings import origins
from .movement import going_along
from .phases import EndPhase, Phase
from .state import ChipId, War
from .teleport import Teleport, teleport_offers, way_home
from .variants import closed_to, forbids_place

__all__ = ["COMMANDS", "STEPS", "Transfer", "Transferring"]


class Transfer(Command[War]):
    """Step with units into one adjacent territory that is friendly or empty."""

    WHEN = ("QD-19.1", "QD-4.1")

    target: To
    origin: From
    units: Units
    dragonlords: DragonLords = 0
    leading: Leading = ()
    carrying: Carrying = ()
    gatekeeper: Through = ""

    def forbids(self, now: Moment[War], seat: Seat) -> Iterator[Refusal]:
        """Refuse units that are not there or moved already, borders that are none, and to leave nobody (QD-19.1)."""
        war = now.state
        if (stranger := not_held(war, seat, self.origin, ("QD-19.1",))) is not None:
            yield stranger
            return
        force = army_force(war, seat, self.origin)
        yield from forbids_force(
            war, seat, self.origin, force, self.units, self.dragonlords, self.leading, self.carrying,
            ("QD-19.1",), self._led(war, seat),
        )  # fmt: skip
        if self.target in TELEPORTALS.get(self.origin, ()):
            yield from forbids_gate(war, seat, self.origin, self.gatekeeper, ("QD-19.1",))
        elif self.target not in NEIGHBOURS[self.origin]:
            yield Refusal(
                "not_adjacent",
                ("QD-19.1", "QD-2.9"),
                f"{self.target} is not adjacent to {self.origin}, but {', '.join(NEIGHBOURS[self.origin]) or 'nothing'} is.",
                {"origin": self.origin, "target": self.target},
                waivable=self.target in TERRITORIES and self.target != self.origin,
            )
        elif self.gatekeeper:
            yield Refusal(
                "no_gate_there",
                ("QD-2.6",),
                f"The way to {self.target} needs no spell user.",
                {"target": self.target},
                waivable=True,
            )
        if closed_to(war, seat, self.target):
            yield from forbids_place(war, seat, self.target)
        elif self.target in TERRITORIES and not may_enter(war, seat, self.target):
            yield Refusal(
                "enemy_there",
                ("QD-19.1", "QD-2.1"),
                f"{self.target} is held by {war.armies[self.target].seat}; a transfer goes to friendly or empty land.",
                {"place": self.target},
            )

    def _led(self, war: War, seat: Seat) -> tuple[ChipId, ...]:
        return going_along(war, seat, self.origin, self.units, self.dragonlords, self.leading, fresh=True)

    def tells(self, tale: Tale[War], seat: Seat) -> None:
        """Tell who went, and that they move no more in this phase; an empty territory is claimed."""
        if self.target in TELEPORTALS.get(self.origin, ()):
            open_gate(tale, seat, self.origin, self.gatekeeper)
        was_empty = self.target not in tale.state.armies
        led = self._led(tale.state, seat)
        chips = (*led, *self.carrying)
        send(
            tale, seat, self.origin, self.target, self.units, self.dragonlords, chips,
            because=("QD-19.1",),
        )  # fmt: skip
        tire(
            tale, seat, self.target, self.units, self.dragonlords, led,
            because=("QD-19.1", "QD-H28"),
        )  # fmt: skip
        if was_empty:
            claimed(tale, seat, self.target)
        tale.reopen()


class Transferring(Phase):
    """Phase 5: step, board, land and teleport, each unit once, until the seat ends the phase (QD-19, QD-H28)."""

    def question(self, now: Moment[War]) -> Question | None:
        if not self.is_on(now, "transfer"):
            return None
        return self.asks(
            "transfer", Transfer, Board, Land, Teleport, EndPhase,
            prompt="move units to friendly land", because="QD-19.1",
        )  # fmt: skip

    def holds(self, now: Moment[War], seat: Seat) -> Iterator[Refusal]:
        """Refuse to leave a DragonLord at sea or in the Wastelands that can teleport to friendly land (QD-11.6, QD-X81)."""
        home = way_home(now, seat)
        if home is not None:
            at_sea = home.origin in ZONES
            yield Refusal(
                "dragonlord_at_sea" if at_sea else "dragonlord_in_wastelands",
                ("QD-11.6" if at_sea else "QD-6.13", "QD-19.2", "QD-X81"),
                f"The DragonLord in {home.origin} must teleport to a friendly territory in this phase.",
                {"place": home.origin},
            )

    def offers(self, now: Moment[War], seat: Seat) -> Iterator[Offer]:
        war = now.state
        for place in origins(war, seat):
            carrying = bearings(war, seat, place)
            near = tuple(there for there in NEIGHBOURS[place] if may_enter(war, seat, there))
            far = tuple(there for there in TELEPORTALS.get(place, ()) if may_enter(war, seat, there))
            by = gates(war, seat, place)
            for size in sizes(army_force(war, seat, place)):
                going = {"origin": place, "carrying": carrying, **size}
                if near:
                    yield Offer(Transfer, {**going, "target": OneOf(near)})
                if far and by:
                    yield Offer(Transfer, {**going, "target": OneOf(far), "gatekeeper": OneOf(("", *by))})
        yield from boarding_offers(now, seat)
        yield from landing_offers(now, seat)
        yield from teleport_offers(now, seat)
        if way_home(now, seat) is None:
            yield Offer(EndPhase)

    def silence(self, now: Moment[War], seat: Seat) -> Command[War]:
        """Return to bring a DragonLord home from the sea or the Wastelands, or else to end the phase (QD-11.6, QD-6.13)."""
        return way_home(now, seat) or EndPhase()


COMMANDS = (Transfer,)
STEPS = (Transferring,)
