"""Forced march in phase 4 (QD-18): up to four territories, over friendly and empty land."""

from collections.abc import Iterator, Mapping

from msgspec import structs

from core.asking import Offer, Part
from core.refusal import Refusal
from core.rules import Command
from core.telling import Moment, Tale
from events.counting import plural
from events.event import Seat

from .armies import UnitsMarked
from .board import NEIGHBOURS, TELEPORTALS, TERRITORIES
from .ending import claimed
from .forces import (
    Carrying,
    DragonLords,
    Force,
    From,
    Leading,
    Through,
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
from .land import MOST, Land, Marches, crossed, land_of
from .movement import going_along
from .state import ChipId, Place, War
from .variants import closed_to, forbids_place

__all__ = ["COMMANDS", "ForcedMarch", "march_offers"]


def rested(war: War, place: Place, force: Force) -> int:
    """Return how many of a force may march: who has neither fought nor marched this turn, while one stays (QD-18.1)."""
    if not force.most:
        return 0
    marched = war.moved.get(place, 0) + war.moved_dragonlords.get(place, 0)
    # Who marched is marked as spent too; the others that are spent fought.
    fought = max(war.fought.get(place, 0), war.spent.get(place, 0) - marched)
    return max(0, min(force.most, war.armies[place].size - marched - fought))


class ForcedMarch(Command[War]):
    """March through up to four territories, the last where the march ends; each empty one that is crossed keeps a unit."""

    WHEN = ("QD-18.1", "QD-4.1")

    path: tuple[Place, ...]
    origin: From
    units: Units
    dragonlords: DragonLords = 0
    leading: Leading = ()
    carrying: Carrying = ()
    gatekeeper: Through = ""

    def forbids(self, now: Moment[War], seat: Seat) -> Iterator[Refusal]:
        """Refuse units that fought or are not there, ways that are none, enemy land, and to leave land empty (QD-18.1)."""
        war = now.state
        if (stranger := not_held(war, seat, self.origin, ("QD-18.1",))) is not None:
            yield stranger
            return
        going = self.units + self.dragonlords
        force = army_force(war, seat, self.origin)
        most = rested(war, self.origin, force)
        reasons = [
            *forbids_force(
                war, seat, self.origin, force, self.units, self.dragonlords, self.leading, self.carrying, ("QD-18.1",),
                self._led(war, seat, self.units, self.dragonlords),
            )
        ]  # fmt: skip
        if most < going <= force.most:
            has_fought = Refusal(
                "has_fought",
                ("QD-18.1", "QD-H28"),
                f"{plural(most, 'unit')} in {self.origin} may march, not {going}: the others have fought this turn.",
                {"most": most, "wanted": going},
                waivable=True,
            )
            reasons.append(has_fought)
        reasons.extend(self._forbids_path(now, seat))
        yield from reasons
        if reasons and not all(reason.waivable for reason in reasons):
            return  # what the march would leave behind follows from units and a way that are none
        left = len(crossed(self.path, war.armies))
        walking = sum([name not in force.riders for name in self.leading])
        if going <= left or self.units - walking < left:
            yield Refusal(
                "too_few_to_claim",
                ("QD-18.1", "QD-X47"),
                f"The march leaves a unit in each of {plural(left, 'empty territory')}, and others must arrive.",
                {"crossed": left},
                secret=going > left,
            )

    def _forbids_path(self, now: Moment[War], seat: Seat) -> Iterator[Refusal]:
        war, path = now.state, self.path
        if not 1 <= len(path) <= MOST or self.origin in path:
            yield Refusal(
                "no_march",
                ("QD-18.1",),
                f"A forced march goes through one to {MOST} territories and does not come back to {self.origin}.",
                {"territories": len(path)},
                waivable=bool(path) and self.origin not in path,
            )
            return
        friendly_only = now.answer("QD-X47") == "friendly_only"
        for before, place in zip((self.origin, *path), path, strict=False):
            if place not in NEIGHBOURS.get(before, ()) and place not in TELEPORTALS.get(before, ()):
                yield Refusal(
                    "not_adjacent",
                    ("QD-18.1", "QD-2.9"),
                    f"{place} is not adjacent to {before}, but {', '.join(NEIGHBOURS.get(before, ())) or 'nothing'} is.",
                    {"origin": before, "target": place},
                    waivable=all(each in TERRITORIES for each in path),
                )
                return
            if closed_to(war, seat, place):
                yield from forbids_place(war, seat, place)
            elif not may_enter(war, seat, place):
                yield Refusal(
                    "enemy_there",
                    ("QD-18.1", "QD-2.1"),
                    f"{place} is held by {war.armies[place].seat}; a forced march does not enter enemy land.",
                    {"place": place},
                )
            elif friendly_only and place not in war.armies:
                yield Refusal(
                    "empty_there",
                    ("QD-18.1", "QD-X47"),
                    f"{place} is empty; this table marches over friendly land only.",
                    {"place": place},
                    waivable=True,
                )
        portals = self._portals()
        for portal in portals:
            yield from forbids_gate(war, seat, portal, self.gatekeeper, ("QD-18.1",))
        if self.gatekeeper and not portals:
            known = self._gates_near(now, seat)
            if self.gatekeeper not in known:
                yield Refusal(
                    "no_spell_user",
                    ("QD-2.6", "QD-18.1"),
                    f"{self.gatekeeper} opens no teleportal that is near; {', '.join(known) or 'nobody'} does.",
                    {"gate": self.gatekeeper},
                    secret=True,
                )

    def tells(self, tale: Tale[War], seat: Seat) -> None:
        """Tell who stays on the way and who arrives; they fight and march no more this turn (QD-18.1, QD-H28)."""
        war = tale.state
        for portal in self._portals():
            open_gate(tale, seat, portal, self.gatekeeper)
        garrisons = crossed(self.path, war.armies)
        target = self.path[-1]
        claims = (*garrisons, target) if target not in war.armies else garrisons
        units = self.units
        for place in garrisons:
            led = () if self.leading else self._led(tale.state, seat, 1, 0)
            send(tale, seat, self.origin, place, 1, 0, led, because=("QD-18.1", "QD-X47"))
            self._tire(tale, seat, place, 1, 0, led)
            units -= 1
        led = self._led(tale.state, seat, units, self.dragonlords)
        chips = (*led, *self.carrying)
        send(tale, seat, self.origin, target, units, self.dragonlords, chips, because=("QD-18.1",))
        self._tire(tale, seat, target, units, self.dragonlords, led)
        for place in claims:
            claimed(tale, seat, place)
        tale.reopen()

    def _led(self, war: War, seat: Seat, units: int, dragonlords: int) -> tuple[ChipId, ...]:
        """Return the kings and wizards who go with so many of those who march."""
        return going_along(war, seat, self.origin, units, dragonlords, self.leading, fresh=True)

    def _gates_near(self, now: Moment[War], seat: Seat) -> tuple[str, ...]:
        """Return the spell users who could open a teleportal to which marches from there lead."""
        land, by = _land(now, seat)
        return _gates_to(land.marches(self.origin, frozenset(by)), by)

    def _portals(self) -> tuple[Place, ...]:
        """Return the territories that the march leaves through their teleportals."""
        if TELEPORTALS.keys().isdisjoint((self.origin, *self.path)):
            return ()
        ways = zip((self.origin, *self.path), self.path, strict=False)
        return tuple(
            dict.fromkeys([before for before, place in ways if place in TELEPORTALS.get(before, ())])
        )

    def _tire(
        self,
        tale: Tale[War],
        seat: Seat,
        place: Place,
        units: int,
        dragonlords: int,
        leading: tuple[str, ...],
    ) -> None:
        because = ("QD-18.1", "QD-H28")
        tire(tale, seat, place, units, dragonlords, leading, because)
        tale.tell(UnitsMarked(place, spent=units + dragonlords, because=because))


def _land(now: Moment[War], seat: Seat) -> tuple[Land, Mapping[Place, tuple[str, ...]]]:
    """Return the land of a seat, and by whom each of its teleportals that somebody opens is opened (QD-X47, QD-H25)."""
    land = land_of(now.state, seat, friendly_only=now.answer("QD-X47") == "friendly_only")
    by = {place: gates(now.state, seat, place) for place in TELEPORTALS if place in land.mine}
    return land, {place: found for place, found in by.items() if found}


def _gates_to(marches: Marches, by: Mapping[Place, tuple[str, ...]]) -> tuple[str, ...]:
    """Return the spell users who could open a teleportal to which marches lead."""
    return tuple(dict.fromkeys([gate for place in marches.portals for gate in by.get(place, ())]))


def march_offers(now: Moment[War], seat: Seat) -> Iterator[Offer]:
    """Yield the offers of forced marches: over friendly land, and by how many empty territories they cross."""
    war = now.state
    land, by = _land(now, seat)
    anyone = frozenset(by)
    for origin in origins(war, seat):
        force = army_force(war, seat, origin)
        most = rested(war, origin, force)
        if most < 1:
            continue
        force = structs.replace(force, most=most)
        marches = land.marches(origin, anyone)
        if marches.friendly is None:
            continue
        carrying = bearings(war, seat, origin)
        yield from _offers_by(origin, force, carrying, marches, "")
        for gate in _gates_to(marches, by):
            through = land.marches(origin, frozenset([place for place in by if gate in by[place]]))
            yield from _offers_by(origin, force, carrying, through, gate)


def _offers_by(origin: Place, force: Force, carrying: Part, marches: Marches, gate: str) -> Iterator[Offer]:
    if marches.friendly is None:
        return
    going = {"origin": origin, "carrying": carrying, "gatekeeper": gate}
    for size in sizes(force):
        yield Offer(ForcedMarch, {**going, **size, "path": marches.friendly})
    for count, paths in marches.crossing:
        for size in sizes(force, count):
            yield Offer(ForcedMarch, {**going, **size, "path": paths})


COMMANDS = (ForcedMarch,)
