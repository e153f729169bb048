"""Forced march in phase 4 (QD-18): up to four territories, over friendly and empty land."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from msgspec import structs

from core.asking import Offer, OneOf, Path
from core.refusal import Refusal
from core.rules import Command
from core.telling import Moment, Tale
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
from .state import Place, War

__all__ = ["COMMANDS", "ForcedMarch", "march_offers"]

MOST: Final = 4
"""How many territories a forced march goes through, its end counted (QD-18.1)."""


def marchers(now: Moment[War], seat: Seat, place: Place) -> Force:
    """Return what may march from a territory: who has neither fought nor marched this turn, while one stays (QD-18.1)."""
    war = now.state
    force = army_force(war, seat, place)
    if not force.most:
        return force
    marched = war.moved.get(place, 0) + war.moved_dragonlords.get(place, 0)
    # Who marched is marked as spent too; the others that are spent fought.
    fought = max(war.fought.get(place, 0), war.spent.get(place, 0) - marched)
    size = war.armies[place].size
    return structs.replace(force, most=max(0, min(force.most, size - marched - fought)))


def empties(war: War, path: tuple[Place, ...]) -> tuple[Place, ...]:
    """Return the empty territories that a march crosses, each of which keeps a unit (QD-18.1, QD-X47)."""
    return tuple(dict.fromkeys(place for place in path[:-1] if place not in war.armies and place != path[-1]))


class ForcedMarch(Command[War]):
    """March through up to four territories, the last where the march ends; each empty one that is crossed keeps a unit."""

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
        force, rested = army_force(war, seat, self.origin), marchers(now, seat, self.origin)
        yield from forbids_force(
            war, seat, self.origin, force, self.units, self.dragonlords, self.leading, self.carrying,
            ("QD-18.1",),
        )  # fmt: skip
        if rested.most < going <= force.most:
            yield Refusal(
                "has_fought",
                ("QD-18.1", "QD-H28"),
                f"{rested.most} units in {self.origin} may march, not {going}: the others have fought this turn.",
                {"most": rested.most, "wanted": going},
                waivable=True,
            )
        yield from self._forbids_path(now, seat)
        left = len(empties(war, self.path))
        walking = sum(name not in force.riders for name in self.leading)
        if going <= left or self.units - walking < left:
            yield Refusal(
                "too_few_to_claim",
                ("QD-18.1", "QD-X47"),
                f"The march leaves a unit in each of {left} empty territories, and others must arrive.",
                {"crossed": left},
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
            if place not in (*NEIGHBOURS.get(before, ()), *TELEPORTALS.get(before, ())):
                yield Refusal(
                    "not_adjacent",
                    ("QD-18.1", "QD-2.9"),
                    f"{place} is not adjacent to {before}, but {', '.join(NEIGHBOURS.get(before, ())) or 'nothing'} is.",
                    {"origin": before, "target": place},
                    waivable=all(each in TERRITORIES for each in path),
                )
                return
            if not may_enter(war, seat, place):
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
            known = gates_near(now, seat, ways_of(now, seat, self.origin))
            if self.gatekeeper not in known:
                yield Refusal(
                    "no_spell_user",
                    ("QD-2.6", "QD-18.1"),
                    f"{self.gatekeeper} opens no teleportal that is near; {', '.join(known) or 'nobody'} does.",
                    {"gate": self.gatekeeper},
                )

    def tells(self, tale: Tale[War], seat: Seat) -> None:
        """Tell who stays on the way and who arrives; they fight and march no more this turn (QD-18.1, QD-H28)."""
        war = tale.state
        for portal in self._portals():
            open_gate(tale, seat, portal, self.gatekeeper)
        crossed = empties(war, self.path)
        target = self.path[-1]
        claims = (*crossed, target) if target not in war.armies else crossed
        for place in crossed:
            send(tale, seat, self.origin, place, 1, 0, because=("QD-18.1", "QD-X47"))
            self._tire(tale, seat, place, 1, 0, ())
        units = self.units - len(crossed)
        chips = (*self.leading, *self.carrying)
        send(tale, seat, self.origin, target, units, self.dragonlords, chips, because=("QD-18.1",))
        self._tire(tale, seat, target, units, self.dragonlords, self.leading)
        for place in claims:
            claimed(tale, seat, place)
        tale.reopen()

    def _portals(self) -> tuple[Place, ...]:
        """Return the territories that the march leaves through their teleportals."""
        ways = zip((self.origin, *self.path), self.path, strict=False)
        return tuple(dict.fromkeys(before for before, place in ways if place in TELEPORTALS.get(before, ())))

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


Ways = Mapping[Place, tuple[Place, ...]]
"""Which territories a march may enter from each place that it can reach."""


def roads(now: Moment[War], seat: Seat) -> Ways:
    """Return the ways of marches of a seat over all land that it may enter, its teleportals left aside (QD-18.1)."""
    armies = now.state.armies
    friendly_only = now.answer("QD-X47") == "friendly_only"
    land = {place for place, army in armies.items() if army.seat == seat and place in TERRITORIES}
    if not friendly_only:
        land |= TERRITORIES.keys() - armies.keys()
    return {place: tuple([there for there in NEIGHBOURS[place] if there in land]) for place in land}


def ways_of(
    now: Moment[War], seat: Seat, origin: Place, gate: str = "", over: Ways | None = None
) -> dict[Place, tuple[Place, ...]]:
    """Return the ways of a march from a territory, through teleportals too where `gate`, or anyone, opens them (QD-H25).

    `over` are the seat's roads, for who asks for several territories.
    """
    over = roads(now, seat) if over is None else over
    ways: dict[Place, tuple[Place, ...]] = {}
    edge = [origin]
    for _ in range(MOST):
        reached: list[Place] = []
        for place in edge:
            onward = over[place]
            if place in TELEPORTALS:
                by = gates(now.state, seat, place)
                if by and (not gate or gate in by):
                    onward += tuple([there for there in TELEPORTALS[place] if there in over])
            if origin in onward:
                onward = tuple([there for there in onward if there != origin])
            ways[place] = onward
            reached += onward
        edge = [there for there in dict.fromkeys(reached) if there not in ways]
    return {place: onward for place, onward in ways.items() if onward}


def gates_near(now: Moment[War], seat: Seat, ways: Ways) -> tuple[str, ...]:
    """Return the spell users who could open a teleportal to which these ways lead."""
    return tuple(
        dict.fromkeys(
            gate for place in ways if place in TELEPORTALS for gate in gates(now.state, seat, place)
        )
    )


def walks(ways: Ways, origin: Place, length: int = MOST) -> Iterator[tuple[Place, ...]]:
    """Yield every walk of one to `length` steps."""
    for place in ways.get(origin, ()):
        yield (place,)
        if length > 1:
            yield from ((place, *rest) for rest in walks(ways, place, length - 1))


def march_offers(now: Moment[War], seat: Seat) -> Iterator[Offer]:
    """Yield the offers of forced marches: over friendly land, and by how many empty territories they cross."""
    war, over = now.state, roads(now, seat)
    for origin, army in war.armies.items():
        if army.seat != seat or origin not in TERRITORIES or army.size < 2:
            continue
        force = marchers(now, seat, origin)
        if force.most < 1:
            continue
        plain = ways_of(now, seat, origin, over=over)
        yield from _offers_from(war, seat, origin, force, plain, "")
        for gate in gates_near(now, seat, plain):
            yield from _offers_from(war, seat, origin, force, ways_of(now, seat, origin, gate, over), gate)


def _offers_from(
    war: War, seat: Seat, origin: Place, force: Force, ways: dict[Place, tuple[Place, ...]], gate: str
) -> Iterator[Offer]:
    if origin not in ways:
        return
    going: dict[str, Any] = {"origin": origin, "carrying": bearings(war, seat, origin), "gatekeeper": gate}
    friendly = {place: onward for place, onward in ways.items() if place in war.armies}
    for size in sizes(force):
        yield Offer(ForcedMarch, {**going, **size, "path": Path(origin, friendly, 1, MOST)})
    if friendly == ways:
        return
    crossing: dict[int, list[tuple[Place, ...]]] = {}
    for walk in walks(ways, origin):
        if any(place not in war.armies for place in walk[:-1]):
            crossing.setdefault(len(empties(war, walk)), []).append(walk)
    for crossed, paths in crossing.items():
        for size in sizes(force, crossed):
            yield Offer(ForcedMarch, {**going, **size, "path": OneOf(tuple(paths))})


COMMANDS = (ForcedMarch,)
