"""Teleport in phases 2 and 5, from land to land (QD-15.3, QD-19.2); to sea and Wastelands it waits for their chapters."""

from collections.abc import Iterator
from typing import Any

from msgspec import structs

from core.asking import Offer, OneOf, Question
from core.refusal import Refusal
from core.rules import Command, Fact
from core.telling import Moment, Tale
from events.event import Seat, SectionRef

from .board import TERRITORIES
from .ending import claimed
from .forces import (
    Carrying,
    DragonLords,
    Force,
    From,
    Leading,
    To,
    Units,
    army_force,
    bearings,
    forbids_force,
    send,
    sizes,
    tire,
)
from .movement import bears, forbids_chips, show
from .phases import EndPhase, Phase
from .state import Place, War, chips_at

__all__ = ["COMMANDS", "FACTS", "STEPS", "Sailing", "Teleport", "Teleported", "teleport_offers"]

DRAGONLORD = "dragonlord"
"""A DragonLord without a wizard under it, as a caster."""


def can_teleport(war: War, seat: Seat) -> bool:
    """Return whether a seat has a spell user who can teleport: DragonLords and the wizards' pegs are open to all."""
    return any(army.seat == seat and army.dragonlords for army in war.armies.values()) or any(
        name.startswith(f"{seat}.wizard.") and "teleport" in known for name, known in war.spells.items()
    )


def is_lord(war: War, caster: str) -> bool:
    """Return whether a caster is a DragonLord: one without a wizard under it, or a wizard who became one (QD-14.5)."""
    return caster == DRAGONLORD or war.chips[caster].on_dragonlord


def casters(now: Moment[War], seat: Seat, place: Place) -> tuple[str, ...]:
    """Return who of a seat in a territory can teleport and has not done so in this phase (QD-15.3, QD-H28)."""
    war = now.state
    army = war.armies.get(place)
    if army is None or army.seat != seat or place not in TERRITORIES:
        return ()
    fresh = army_force(war, seat, place)
    lords = min(army.dragonlords - war.ready.count(f"{DRAGONLORD}@{place}"), fresh.dragonlords)
    ridden = sum(chip.on_dragonlord for name, chip in chips_at(war, seat, place).items() if bears(name))
    found = [DRAGONLORD] if lords > 0 and army.dragonlords > ridden else []
    for name in fresh.leaders:
        if name in fresh.riders:
            able = lords > 0
        else:
            able = "teleport" in war.spells.get(name, ()) and name not in war.ready
        if able:
            found.append(name)
    return tuple(found)


def companions(now: Moment[War], seat: Seat, place: Place, caster: str) -> Force:
    """Return whom a spell user may take along: 5 units, or 10 with a DragonLord, and one stays (QD-X10, QD-X45).

    In phase 5 only who has not moved yet (QD-H28).
    """
    war = now.state
    lord = is_lord(war, caster)
    limit = (10 if lord else 5) - (now.answer("QD-X10") == "caster_included")
    stay = 0 if TERRITORIES[place].may_be_vacated else 1
    force = army_force(war, seat, place, fresh=war.phase == "transfer", stay=stay)
    units, dragonlords = force.units - (not lord), force.dragonlords - lord
    return Force(
        units,
        dragonlords,
        max(0, min(limit, war.armies[place].size - 1 - stay, units + dragonlords)),
        tuple(name for name in force.leaders if name != caster),
        tuple(name for name in force.riders if name != caster),
    )


def targets(now: Moment[War], seat: Seat, origin: Place) -> tuple[Place, ...]:
    """Return the territories to which one may teleport: in phase 2 any, in phase 5 friendly ones (QD-15.3, QD-19.2)."""
    war = now.state
    friendly = war.phase == "transfer"
    by_ship_only = now.answer("QD-X79") == "by_ship_only"
    return tuple(
        place
        for place, territory in TERRITORIES.items()
        if place != origin
        and not (by_ship_only and territory.kind == "island")
        and (not friendly or ((army := war.armies.get(place)) is not None and army.seat == seat))
    )


class Teleported(Fact[War]):
    """A spell user teleported, and does so no more in this phase (QD-15.3, QD-H28).

    A DragonLord is named `dragonlord`, also when a wizard lies under it: nobody else sees him.
    """

    seat: Seat
    caster: str
    target: Place

    def onto(self, state: War) -> War:
        lord = self.caster == DRAGONLORD
        name = f"{DRAGONLORD}@{self.target}" if lord else self.caster
        return structs.replace(state, ready=(*state.ready, name))


class Teleport(Command[War]):
    """Teleport with a wizard or DragonLord to a territory; the units named are those that it takes along."""

    caster: str
    target: To
    origin: From
    units: Units = 0
    dragonlords: DragonLords = 0
    leading: Leading = ()
    carrying: Carrying = ()

    def forbids(self, now: Moment[War], seat: Seat) -> Iterator[Refusal]:
        """Refuse who cannot teleport now, too many along, to leave nobody, and targets out of bounds (QD-15.3, QD-19.2)."""
        because = ("QD-19.2",) if now.state.phase == "transfer" else ("QD-15.3",)
        known = casters(now, seat, self.origin)
        if self.caster not in known:
            yield Refusal(
                "cannot_teleport",
                (*because, "QD-H28"),
                f"{self.caster} cannot teleport from {self.origin} now; of {seat} there "
                f"{' and '.join(known) or 'nobody'} can.",
                {"caster": self.caster, "place": self.origin},
            )
            return
        yield from self._forbids_companions(now, seat, because)
        if self.target not in targets(now, seat, self.origin):
            where = "friendly territory" if now.state.phase == "transfer" else "territory"
            yield Refusal(
                "no_target",
                because,
                f"{self.target} is no other {where} to which one may teleport.",
                {"place": self.target},
            )

    def _forbids_companions(
        self, now: Moment[War], seat: Seat, because: tuple[SectionRef, ...]
    ) -> Iterator[Refusal]:
        war, along = now.state, self.units + self.dragonlords
        force = companions(now, seat, self.origin, self.caster)
        if self.caster in self.leading:
            yield Refusal(
                "no_such_chip", because, f"{self.caster} teleports; it is not one of those it takes along."
            )
            return
        if along > force.most:
            yield Refusal(
                "too_many",
                (*because, "QD-X10", "QD-X45"),
                f"{self.caster} takes at most {force.most} units along from {self.origin}, not {along}; "
                "who takes others along leaves one behind, islands apart.",
                {"most": force.most, "wanted": along},
            )
        elif along:
            yield from forbids_force(
                war,
                seat,
                self.origin,
                force,
                self.units,
                self.dragonlords,
                self.leading,
                self.carrying,
                because,
            )
        else:
            yield from forbids_chips(war, seat, self.origin, 0, 0, self.leading, self.carrying)

    def tells(self, tale: Tale[War], seat: Seat) -> None:
        """Tell who went; into enemy land as attackers who fight to the end (QD-15.3)."""
        transfers = tale.state.phase == "transfer"
        because: tuple[SectionRef, ...] = ("QD-19.2",) if transfers else ("QD-15.3",)
        lord = is_lord(tale.state, self.caster)
        if not lord:
            show(tale, seat, self.caster, (*because, "QD-H9"))
        army = tale.state.armies.get(self.target)
        units, dragonlords = self.units + (not lord), self.dragonlords + lord
        if units + dragonlords == tale.state.armies[self.origin].size:
            because = (*because, "QD-2.5" if TERRITORIES[self.origin].may_be_vacated else "QD-X45")
        leading = self.leading if self.caster == DRAGONLORD else (self.caster, *self.leading)
        send(
            tale,
            seat,
            self.origin,
            self.target,
            units,
            dragonlords,
            (*leading, *self.carrying),
            how="teleport" if army is not None and army.seat != seat else "",
            caster="" if lord else self.caster,
            because=because,
        )
        tale.tell(
            Teleported(seat, DRAGONLORD if lord else self.caster, self.target, because=(*because, "QD-H28"))
        )
        if transfers:
            tire(tale, seat, self.target, units, dragonlords, leading, because=("QD-19.1", "QD-H28"))
        if army is None:
            claimed(tale, seat, self.target)
        tale.reopen()


def teleport_offers(now: Moment[War], seat: Seat) -> Iterator[Offer]:
    """Yield the offers to teleport: for each spell user who can, alone and with each choice of companions."""
    if not can_teleport(now.state, seat):
        return
    for place in now.state.armies:
        for caster in casters(now, seat, place):
            there = targets(now, seat, place)
            if not there:
                continue
            alone: dict[str, Any] = {
                "caster": caster,
                "origin": place,
                "target": OneOf(there),
                "carrying": bearings(now.state, seat, place),
            }
            yield Offer(Teleport, alone)
            for size in sizes(companions(now, seat, place, caster)):
                yield Offer(Teleport, {**alone, **size})


class Sailing(Phase):
    """Phase 2, as far as it is on land: spell users teleport, until the seat ends the phase (QD-15.3)."""

    def question(self, now: Moment[War]) -> Question | None:
        if self.is_on(now, "sea") and can_teleport(now.state, self.seat):
            return self.asks("sea", Teleport, EndPhase, prompt="teleport, or go on", because="QD-15.3")
        return None

    def offers(self, now: Moment[War], seat: Seat) -> Iterator[Offer]:
        yield from teleport_offers(now, seat)
        yield Offer(EndPhase)


COMMANDS = (Teleport,)
FACTS = (Teleported,)
STEPS = (Sailing,)
