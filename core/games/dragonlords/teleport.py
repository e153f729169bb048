"""Teleport in phases 2 and 5 (QD-5.3 to QD-5.5, QD-15.3, QD-19.2): to land, to blockades, and to parties of friends."""

from collections.abc import Iterator
from typing import Any

from msgspec import structs

from core.asking import Offer, OneOf
from core.refusal import Refusal
from core.rules import Command, Fact
from core.telling import Moment, Tale
from events.counting import plural
from events.event import Count, Seat, SectionRef

from .board import SPACE_OF, TERRITORIES, ZONES
from .docks import settle_ships
from .ending import claimed
from .forces import (
    Carrying,
    DragonLords,
    From,
    Leading,
    To,
    Units,
    bearings,
    clip,
    forbids_force,
    may_enter,
    send,
    sizes,
    tire,
)
from .items import store_items, take_along
from .movement import forbids_chips, going_along, show
from .phases import act_on
from .reach import (
    LORDS_LIMIT,
    bars_dragonlords,
    berths,
    can_teleport,
    casters,
    companions,
    fetched,
    is_lord,
    lords_mark,
    narrowed,
    stranded,
    targets,
    who_casts,
)
from .spellbook import king_of
from .state import DRAGONLORD, ChipId, Place, User, War, chips_at, is_shaded
from .variants import closed_to, forbids_place

__all__ = ["COMMANDS", "FACTS", "Teleport", "Teleported", "teleport_offers", "way_home"]


class Teleported(Fact[War]):
    """A spell user teleported, and does so no more in this phase (QD-15.3, QD-H28).

    A DragonLord is named `dragonlord`, also when a wizard lies under it: nobody else sees him. `weary` is how many of
    the DragonLords that were taken along from `origin` had teleported in this phase already.
    """

    seat: Seat
    caster: str
    target: Place
    origin: Place = ""
    weary: Count = 0

    def onto(self, state: War) -> War:
        done = list(state.ready)
        for _ in range(self.weary):
            done.remove(lords_mark(self.origin))
        tried = (lords_mark(self.target),) * (self.weary + (self.caster == DRAGONLORD))
        casts = () if self.caster == DRAGONLORD else (self.caster,)
        return structs.replace(state, ready=(*done, *casts, *tried))


def _weary(war: War, place: Place, going: int, *, lord: bool) -> int:
    """Return how many of the DragonLords taken along from a place have teleported already: the others go first (QD-H28)."""
    tried = war.ready.count(lords_mark(place))
    return max(0, going - (war.armies[place].dragonlords - tried - lord)) if going and tried else 0


def _landed(war: War, place: Place, going: int) -> int:
    """Return how many of the units that teleport from a place have landed there in this phase: the others go first (QD-H28)."""
    moved = war.moved.get(place, 0)
    return max(0, going - max(0, war.armies[place].units - moved)) if moved else 0


class Teleport(Command[War]):
    """Teleport with a wizard or DragonLord to a territory; the units named are those that it takes along."""

    WHEN = ("QD-5.3", "QD-5.4", "QD-19.2", "QD-4.1")

    caster: User
    target: To
    origin: From
    units: Units = 0
    dragonlords: DragonLords = 0
    leading: Leading = ()
    carrying: Carrying = ()

    def _led(self, war: War, seat: Seat, caster: str) -> tuple[ChipId, ...]:
        """Return the kings and wizards who are taken along."""
        return going_along(
            war, seat, self.origin, self.units, self.dragonlords, self.leading, fresh=war.phase == "transfer", apart=(caster,)
        )  # fmt: skip

    def forbids(self, now: Moment[War], seat: Seat) -> Iterator[Refusal]:
        """Refuse who cannot teleport now, too many along, to leave nobody, and targets out of bounds (QD-15.3, QD-19.2)."""
        war = now.state
        because: tuple[SectionRef, ...] = ("QD-19.2",) if war.phase == "transfer" else ("QD-15.3",)
        known = casters(now, seat, self.origin)
        if (ignorant := self._forbids_ignorant(war, seat)) is not None:
            yield ignorant
            return
        if self.caster not in known:
            yield Refusal(
                "cannot_teleport",
                (*because, "QD-5.4", "QD-H28"),
                f"{self.caster} cannot teleport from {self.origin} now; of {seat} there "
                f"{' and '.join(known) or 'nobody'} can.",
                {"caster": self.caster, "place": self.origin},
                waivable=self._stands_there(war, seat),
                secret=is_shaded(war, seat, self.origin) or bool(chips_at(war, seat, self.origin)),
            )
            return
        if war.phase != "transfer":
            because = _sections(is_lord(war, self.caster))
        yield from self._forbids_companions(now, seat, because)
        yield from self._forbids_target(now, seat, because)

    def _forbids_ignorant(self, war: War, seat: Seat) -> Refusal | None:
        """Return why a king teleports nobody, and a wizard without that spell: the pegs are open (QD-14.2, QD-14.3, QD-15.3).

        Who may be a DragonLord, as far as everybody knows, may have its Teleport (QD-14.5).
        """
        if self.caster == king_of(seat):
            text = f"The king of {seat} knows Hope and Heal, and no Teleport."
            return Refusal("cannot_teleport", ("QD-14.2", "QD-15.3"), text, {"caster": self.caster})
        spells, lies = war.spells.get(self.caster), war.chips.get(self.caster)
        seen = lies is not None and lies.shown
        lords = any(army.seat == seat and army.dragonlords for army in war.armies.values())
        if (
            spells is None
            or "teleport" in spells
            or (lies.on_dragonlord if lies is not None and seen else lords)
        ):
            return None
        return Refusal(
            "cannot_teleport",
            ("QD-14.3", "QD-15.3"),
            f"{self.caster} does not know Teleport; he knows {', '.join(spells) or 'no spell'}.",
            {"caster": self.caster},
            waivable=seen and self._stands_there(war, seat),
        )

    def _forbids_target(
        self, now: Moment[War], seat: Seat, because: tuple[SectionRef, ...]
    ) -> Iterator[Refusal]:
        war, target = now.state, self.target
        lord = is_lord(war, self.caster)
        if closed_to(war, seat, target):
            yield from forbids_place(war, seat, target)
            return
        if target in targets(now, seat, self.origin):
            return
        room = berths(now, seat, self.origin, lord=lord).get(target)
        if room is None:
            kind = "DragonLord" if lord else "wizard"
            where = "friendly territory" if war.phase == "transfer" else "territory"
            friends = (
                "" if lord and war.phase == "transfer" else ", nor a blockade or space of friends with room"
            )
            yield Refusal(
                "no_target",
                (*because, "QD-X71", "QD-H24") if lord else because,
                f"{target} is no other {where} to which a {kind} may teleport{friends}.",
                {"place": target},
                waivable=target in TERRITORIES
                and target != self.origin
                and (war.phase == "sea" or may_enter(war, seat, target)),
            )
            return
        coming = 1 + self.units + self.dragonlords
        if coming > room:
            yield Refusal(
                "no_room_there",
                (*because, "QD-H12"),
                f"{target} has room for {room} more of {seat}, not for {coming}.",
                {"room": room, "coming": coming},
            )
        if self.dragonlords and bars_dragonlords(war, target):
            yield Refusal(
                "no_dragonlord_there",
                (*because, "QD-X9", "QD-X71"),
                f"No DragonLord is taken along to {target}: it enters no Wastelands, and no sea in phase 5.",
                {"place": target},
            )
        king = king_of(seat)
        if target in SPACE_OF and king in self._led(war, seat, self.caster):
            yield Refusal(
                "no_king_there",
                (*because, "QD-14.2"),
                f"The king of {seat} never enters the Wastelands.",
                {"place": target},
                secret=king not in self.leading and not war.chips[king].shown,
            )

    def _stands_there(self, war: War, seat: Seat) -> bool:
        """Return whether the caster is a wizard or DragonLord who stands there, whatever forbids that it teleports."""
        army = war.armies.get(self.origin)
        if (
            army is None
            or army.seat != seat
            or self.origin not in TERRITORIES
            or self.target not in TERRITORIES
        ):
            return False
        if self.caster == DRAGONLORD:
            return army.dragonlords > 0
        return ".wizard." in self.caster and self.caster in chips_at(war, seat, self.origin)

    def _forbids_companions(
        self, now: Moment[War], seat: Seat, because: tuple[SectionRef, ...]
    ) -> Iterator[Refusal]:
        war, along = now.state, self.units + self.dragonlords
        caster = who_casts(now, seat, self.origin, self.caster)
        force = companions(now, seat, self.origin, caster)
        if caster in self.leading:
            yield Refusal(
                "no_such_chip", because, f"{caster} teleports; it is not one of those it takes along."
            )
            return
        if along > force.most:
            yield Refusal(
                "too_many",
                (*because, "QD-X10", "QD-X45"),
                f"{self.caster} takes at most {plural(force.most, 'unit')} along from {self.origin}, not {along}; "
                "who takes others along leaves one behind, islands apart.",
                {"most": force.most, "wanted": along},
                waivable=along <= force.units + force.dragonlords,
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
                self._led(war, seat, caster),
            )
        else:
            yield from forbids_chips(war, seat, self.origin, 0, 0, self.leading, self.carrying)
        owed = fetched(war, seat, self.origin, force, self.dragonlords, lord=is_lord(war, self.caster))
        if self.units < owed:
            yield Refusal(
                "left_without_ship",
                ("QD-5.4", "QD-H24"),
                f"{plural(stranded(war, seat, self.origin), 'unit')} in {self.origin} without a place on a ship: the last DragonLord "
                f"there takes {owed} of them along, not {self.units}.",
                {"owed": owed, "wanted": self.units},
            )

    def tells(self, tale: Tale[War], seat: Seat) -> None:
        """Tell who went; into enemy land or an enemy blockade as attackers who fight to the end (QD-15.3, QD-11.1).

        A king may be among those taken along, unseen (QD-5.5).
        """
        war = tale.state
        transfers = war.phase == "transfer"
        caster = who_casts(tale, seat, self.origin, self.caster)
        lord = is_lord(war, caster)
        because = _sections(lord)
        if transfers:
            because = ("QD-19.2",)
            if lord and self.origin not in TERRITORIES:
                because = ("QD-19.2", "QD-11.6" if self.origin in ZONES else "QD-6.13")
        if lord and self.units + self.dragonlords > LORDS_LIMIT and war.length == "short":
            because = (*because, "QD-23.2")
        if not lord:
            show(tale, seat, self.caster, (*because, "QD-H9"))
        army = war.armies.get(self.target)
        units, dragonlords = self.units + (not lord), self.dragonlords + lord
        if self.origin in TERRITORIES and units + dragonlords == war.armies[self.origin].size:
            because = (*because, "QD-2.5" if TERRITORIES[self.origin].may_be_vacated else "QD-X45")
        led = self._led(war, seat, caster)
        leading = led if caster == DRAGONLORD else (caster, *led)
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
            landed=_landed(war, self.origin, units),
            because=because,
        )
        weary = _weary(war, self.origin, self.dragonlords, lord=lord)
        tale.tell(
            Teleported(
                seat, DRAGONLORD if lord else self.caster, self.target, self.origin if weary else "", weary,
                because=(*because, "QD-H28"),
            )
        )  # fmt: skip
        if transfers:
            tire(tale, seat, self.target, units, dragonlords, leading, because=("QD-19.1", "QD-H28"))
        if army is None:
            claimed(tale, seat, self.target)
        for zone in (self.origin, self.target):
            if zone in ZONES:
                settle_ships(tale, seat, zone)
        if self.origin in SPACE_OF and self.origin not in tale.state.armies:
            self._take_items(tale, seat)
        act_on(tale)

    def _take_items(self, tale: Tale[War], seat: Seat) -> None:
        """Tell what becomes of the items of a party that has gone as a whole: they stay with it, or are stored (QD-8.1)."""
        if self.target in SPACE_OF:
            take_along(tale, seat, self.origin, self.target, ("QD-8.1",))
        else:
            store_items(tale, seat, self.origin)


def _sections(lord: bool) -> tuple[SectionRef, ...]:
    """Return by which sections a wizard or a DragonLord teleports in phase 2."""
    return ("QD-15.3", "QD-5.4" if lord else "QD-5.3")


def teleport_offers(now: Moment[War], seat: Seat) -> Iterator[Offer]:
    """Yield the offers to teleport: for each spell user who can, alone and with each choice of companions."""
    if not can_teleport(now.state, seat):
        return
    for place in now.state.armies:
        for caster in casters(now, seat, place):
            yield from _offers_of(now, seat, place, caster)


def _offers_of(now: Moment[War], seat: Seat, place: Place, caster: str) -> Iterator[Offer]:
    war = now.state
    lord, force = is_lord(war, caster), companions(now, seat, place, who_casts(now, seat, place, caster))
    alone: dict[str, Any] = {"caster": caster, "origin": place, "carrying": bearings(war, seat, place)}
    there = targets(now, seat, place)
    if there:
        anywhere = alone | {"target": OneOf(there)}
        if not fetched(war, seat, place, force, 0, lord=lord):
            yield Offer(Teleport, anywhere)
        for size in sizes(force):
            least = fetched(war, seat, place, force, size["dragonlords"], lord=lord)
            if clipped := clip(size, least, force.most):
                yield Offer(Teleport, anywhere | clipped)
    for target, room in berths(now, seat, place, lord=lord).items():
        yield Offer(Teleport, alone | {"target": target})
        for size in sizes(narrowed(war, seat, force, target, room)):
            yield Offer(Teleport, {**alone, "target": target, **size})


def way_home(now: Moment[War], seat: Seat) -> Teleport | None:
    """Return the teleport of a DragonLord to the first friendly territory, if it can: at sea or in the Wastelands it may
    not stay in phase 5 (QD-11.6, QD-6.13).
    """
    for place, army in now.state.armies.items():
        if army.dragonlords and army.seat == seat and place not in TERRITORIES:
            for caster in casters(now, seat, place):
                for offer in _offers_of(now, seat, place, caster) if is_lord(now.state, caster) else ():
                    return offer.sample(lambda _: 0)  # type: ignore[return-value]  # an offer of this command
    return None


COMMANDS = (Teleport,)
FACTS = (Teleported,)
