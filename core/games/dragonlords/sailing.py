"""Phase 2, sea movement (QD-5): ships load in harbours, sail, meet blockades and land units; spell users teleport."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

from core.asking import Offer, OneOf, Path, Question
from core.refusal import Refusal
from core.rules import Command, word
from core.telling import Moment, Tale
from events.counting import plural
from events.event import Count, Seat, SectionRef

from .board import SEA, ZONES
from .boarding import Board, Land, boarding_offers, forbids_no_fleet, has_ships, landing_offers
from .docks import ShipsSailed, range_of, sailed_in, settle_ships
from .forces import (
    Carrying,
    DragonLords,
    From,
    Leading,
    Units,
    army_force,
    bearings,
    clip,
    forbids_force,
    send,
    sizes,
)
from .movement import going_along, show
from .phases import EndPhase, Phase, act_on
from .reach import can_teleport
from .spellbook import here
from .state import MOST_ABOARD, ChipId, Place, War, is_shaded
from .teleport import Teleport, teleport_offers
from .variants import closed_to, forbids_place, is_allied

__all__ = ["COMMANDS", "STEPS", "LeapByFleece", "Sail", "Sailing"]

FLEECE = "golden_fleece"


def _blockades(war: War, seat: Seat, zone: Place) -> bool:
    """Return whether an enemy blockades a zone (QD-2.7, QD-5.6)."""
    army = war.armies.get(zone)
    return army is not None and army.seat != seat and not is_allied(war, seat, army.seat)


def _waters(war: War, seat: Seat, origin: Place) -> Mapping[Place, tuple[Place, ...]]:
    """Return to where the ships of a seat may sail on from each zone: from a blockade nowhere, and never back (QD-5.6).

    Nor into the blockade of an ally (QD-H21).
    """
    return {
        zone: ()
        if zone != origin and _blockades(war, seat, zone)
        else tuple(there for there in around if there != origin and not closed_to(war, seat, there))
        for zone, around in SEA.items()
    }


class _Voyage(Command[War]):
    """Ships of a fleet go to another zone, with units aboard; those that stay keep a crew.

    `ships` is how many go; left out, the fewest that serve. Of a fleet those go that have sailed least in this phase.
    """

    path: tuple[Place, ...]
    origin: From
    units: Units
    ships: Annotated[Count, word("aboard")] = 0
    dragonlords: DragonLords = 0
    leading: Leading = ()
    carrying: Carrying = ()

    def _led(self, war: War, seat: Seat) -> tuple[ChipId, ...]:
        return going_along(war, seat, self.origin, self.units, self.dragonlords, self.leading)

    def _going(self, war: War) -> int:
        """Return how many ships go: those named, or the fewest that carry who goes and leave none without a crew."""
        if self.ships:
            return self.ships
        fleet, army = war.fleets.get(self.origin, 0), war.armies[self.origin]
        carried = -(-(self.units + self.dragonlords) // MOST_ABOARD)
        return max(carried, fleet - (army.units - self.units))

    def _forbids_crews(self, now: Moment[War], seat: Seat) -> Iterator[Refusal]:
        """Refuse units that are not there, ships without a crew, and more units than the ships carry (QD-5.1)."""
        war, because = now.state, ("QD-5.1",)
        force = army_force(war, seat, self.origin, fresh=False, stay=0)
        yield from forbids_force(
            war, seat, self.origin, force, self.units, self.dragonlords, self.leading, self.carrying, because,
            self._led(war, seat),
        )  # fmt: skip
        fleet, army = war.fleets.get(self.origin, 0), war.armies[self.origin]
        if not self.ships and army.units < self.units:
            return  # which ships would go follows from units that are not there
        going = self._going(war)
        stay = fleet - going
        if stay < 0:
            yield Refusal(
                "no_such_ships",
                because,
                f"{seat} has {plural(fleet, 'ship')} in {self.origin}, not {going}.",
                {"there": fleet, "wanted": going},
            )
            return
        groups = (
            ("sail", going, self.units, self.units + self.dragonlords),
            ("stay", stay, army.units - self.units, army.size - self.units - self.dragonlords),
        )
        for what, ships, units, size in groups:
            if 0 <= units < ships:
                yield Refusal(
                    "ship_unmanned",
                    because,
                    f"{plural(ships, 'ship')} would {what} with {plural(units, 'unit')}; each needs one aboard, who is no DragonLord.",
                    {"ships": ships, "units": units},
                )
            elif size > MOST_ABOARD * ships:
                yield Refusal(
                    "too_many_aboard",
                    (*because, "QD-H12"),
                    f"{plural(size, 'unit')} would {what} on {plural(ships, 'ship')}; a ship carries {MOST_ABOARD}.",
                    {"ships": ships, "units": size},
                )

    def _arrive(
        self,
        tale: Tale[War],
        seat: Seat,
        had: tuple[int, ...],
        sailed: tuple[int, ...],
        because: tuple[SectionRef, ...],
        bearer: ChipId = "",
    ) -> None:
        """Tell who sails, and with which ships; in a zone with an enemy blockade they are its attackers (QD-5.6)."""
        war, target = tale.state, self.path[-1]
        attacks = _blockades(war, seat, target)
        going = self._going(war)
        if attacks:
            because = (*because, "QD-5.6")
        send(
            tale,
            seat,
            self.origin,
            target,
            self.units,
            self.dragonlords,
            (*self._led(war, seat), *self.carrying),
            how="ship" if attacks else "",
            caster=bearer,
            because=because,
        )
        had = tuple(zones for zones in had if zones)
        tale.tell(ShipsSailed(seat, self.origin, self.path, going, had, sailed, attacks, because=because))
        if not attacks:
            settle_ships(tale, seat, target)
        act_on(tale)


class Sail(_Voyage):
    """Sail from zone to zone, the last where the voyage ends: six in all in a turn, ten for Barbarians (QD-5.1).

    `having` names other ships than those that have sailed least: those that have sailed so many zones (QD-H28).
    """

    WHEN = ("QD-5.1", "QD-4.1")

    having: Annotated[Count, word("having")] = 0

    def _legs(self, war: War) -> tuple[int, ...] | None:
        """Return how far the ships that go have sailed already; None when those named are not there."""
        fleet, going = war.fleets.get(self.origin, 0), self._going(war)
        known = sailed_in(war, self.origin, fleet)
        if not self.having:
            return known[:going]
        return (self.having,) * going if known.count(self.having) >= going else None

    def forbids(self, now: Moment[War], seat: Seat) -> Iterator[Refusal]:
        """Refuse crews and ships that are not there, ways that are none or too long, and to pass a blockade (QD-5.1, QD-5.6)."""
        war = now.state
        reasons = tuple(forbids_no_fleet(war, seat, self.origin, ("QD-5.1",)))
        if reasons:
            yield from reasons
            return
        yield from self._forbids_crews(now, seat)
        yield from self._forbids_path(war, seat)
        legs = self._legs(war)
        if legs is None:
            yield Refusal(
                "no_such_ships",
                ("QD-5.1", "QD-H28"),
                f"{plural(self._going(war), 'ship')} in {self.origin} did not sail {plural(self.having, 'zone')}.",
                {"having": self.having},
            )
        elif legs and len(self.path) > range_of(seat) - max(legs):
            yield Refusal(
                "too_far",
                ("QD-5.1", "QD-H28"),
                f"A ship of {seat} sails {range_of(seat)} zones in a turn; these have sailed {max(legs)}, so "
                f"{plural(len(self.path), 'more is', 'more are')} too many.",
                {"range": range_of(seat), "sailed": max(legs), "wanted": len(self.path)},
                waivable=True,
            )

    def _forbids_path(self, war: War, seat: Seat) -> Iterator[Refusal]:
        if not self.path or self.origin in self.path:
            yield Refusal(
                "no_voyage",
                ("QD-5.1",),
                f"A voyage goes through one sea zone or more, and not back to {self.origin}.",
                {"origin": self.origin},
            )
            return
        for before, zone in zip((self.origin, *self.path), self.path, strict=False):
            if zone not in SEA[before]:
                yield Refusal(
                    "not_adjacent",
                    ("QD-5.1", "QD-2.7"),
                    f"From {before} ships sail to {', '.join(SEA[before])}, not to {zone}.",
                    {"origin": before, "target": zone},
                )
                return
        for zone in self.path:
            yield from forbids_place(war, seat, zone)
        passed = next((zone for zone in self.path[:-1] if _blockades(war, seat, zone)), "")
        if passed:
            yield Refusal(
                "blockade",
                ("QD-5.6",),
                f"{war.armies[passed].seat} blockades {passed}: the ships stop there and fight.",
                {"zone": passed},
                waivable=True,
            )

    def tells(self, tale: Tale[War], seat: Seat) -> None:
        """Tell the voyage."""
        legs = self._legs(tale.state) or ()
        sailed = tuple(zones + len(self.path) for zones in legs)
        self._arrive(tale, seat, legs, sailed, ("QD-5.1",))


class LeapByFleece(_Voyage):
    """Go to any sea zone by the Golden Fleece, which goes along and is shown (QD-7.10).

    The ships leap over what lies between, so the path is the zone where they come down; where a table lets them sail
    any distance, it is the way there (QD-H16). They sail no more in this turn.
    """

    WHEN = ("QD-7.10", "QD-4.1")

    def forbids(self, now: Moment[War], seat: Seat) -> Iterator[Refusal]:
        """Refuse a fleet without the Golden Fleece, ships that leapt already, and ways that are none (QD-7.10, QD-H16)."""
        war = now.state
        reasons = tuple(forbids_no_fleet(war, seat, self.origin, ("QD-7.10",)))
        if reasons:
            yield from reasons
            return
        if not here(war, FLEECE, seat, self.origin):
            yield Refusal(
                "no_fleece",
                ("QD-7.10",),
                f"{seat} has no Golden Fleece in {self.origin}.",
                {"place": self.origin},
                secret=is_shaded(war, seat, self.origin),
            )
            return
        yield from self._forbids_crews(now, seat)
        closed = [refusal for zone in self.path for refusal in forbids_place(war, seat, zone)]
        yield from closed
        ways = _ways(now, seat, self.origin)
        if not closed and (ways is None or not ways.allows(self.path)):
            leaps = now.answer("QD-H16") == "jumps"
            how = (
                "straight to another sea zone" if leaps else "from zone to zone as far as the first blockade"
            )
            yield Refusal(
                "no_voyage",
                ("QD-7.10", "QD-H16"),
                f"With the Golden Fleece ships go {how}.",
                {"origin": self.origin},
            )
        legs = _freshest(war, self.origin, self._going(war))
        if legs and max(legs) > range_of(seat):
            yield Refusal(
                "leapt_already",
                ("QD-7.10", "QD-H28"),
                "A ship goes by the Golden Fleece once in a turn.",
                {"origin": self.origin},
            )

    def tells(self, tale: Tale[War], seat: Seat) -> None:
        """Tell that the Fleece is shown and goes along, and the voyage."""
        war = tale.state
        show(tale, seat, FLEECE, ("QD-7.10", "QD-H9"))
        legs = _freshest(war, self.origin, self._going(war))
        sailed = (range_of(seat) + 1,) * len(legs)
        self._arrive(tale, seat, legs, sailed, ("QD-7.10", "QD-H16"), FLEECE)


def _freshest(war: War, origin: Place, going: int) -> tuple[int, ...]:
    """Return how far so many ships of a fleet have sailed, those that have sailed least."""
    return sailed_in(war, origin, war.fleets.get(origin, 0))[:going]


def _ways(now: Moment[War], seat: Seat, origin: Place) -> OneOf | Path | None:
    """Return where the Golden Fleece takes ships: straight to any zone, or as far as one likes up to a blockade (QD-H16).

    None where it takes them nowhere.
    """
    if now.answer("QD-H16") == "jumps":
        open_to = (zone for zone in ZONES if zone != origin and not closed_to(now.state, seat, zone))
        return OneOf(tuple((zone,) for zone in open_to))
    waters = dict(_waters(now.state, seat, origin))
    return Path(origin, waters, 1, len(ZONES)) if waters[origin] else None


def _crews(war: War, seat: Seat, origin: Place) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield how many ships of a fleet may go, with the fields of an offer that say who is aboard."""
    army, fleet = war.armies[origin], war.fleets[origin]
    for size in sizes(army_force(war, seat, origin, fresh=False, stay=0)):
        lords = size["dragonlords"]
        for ships in range(1, fleet + 1):
            stay = fleet - ships
            low = max(ships, army.size - lords - MOST_ABOARD * stay)
            high = min(MOST_ABOARD * ships - lords, army.units - stay)
            if clipped := clip(size, low, high):
                yield ships, clipped | {"ships": OneOf((0, ships))}


def _voyages(now: Moment[War], seat: Seat) -> Iterator[Offer]:
    """Yield the offers to sail, and to leap by the Golden Fleece, for each fleet of a seat."""
    war = now.state
    for origin, fleet in war.fleets.items():
        army = war.armies.get(origin)
        if army is None or army.seat != seat:
            continue
        known = sailed_in(war, origin, fleet)
        if known[0] > range_of(seat):
            continue
        going: dict[str, Any] = {"origin": origin, "carrying": bearings(war, seat, origin)}
        waters = dict(_waters(war, seat, origin))
        fleece = _ways(now, seat, origin) if here(war, FLEECE, seat, origin) else None
        for ships, crew in _crews(war, seat, origin):
            for having in (
                0,
                *dict.fromkeys(zones for zones in known if zones and known.count(zones) >= ships),
            ):
                left = range_of(seat) - (having or known[ships - 1])
                if left > 0 and waters[origin]:
                    path = Path(origin, waters, 1, left)
                    yield Offer(Sail, going | crew | {"path": path, "having": having})
            if fleece is not None and known[ships - 1] <= range_of(seat):
                yield Offer(LeapByFleece, going | crew | {"path": fleece})


class Sailing(Phase):
    """Phase 2: go aboard, sail, land and teleport, until the seat ends the phase (QD-5).

    It passes where nothing could be done; once it has `begun` with an act it lasts until it is ended, so that whoever
    writes it down need not reckon whether anything is left to do.
    """

    begun: bool = False

    def goes_on(self) -> Phase:
        """Return the step that asks on."""
        return Sailing(self.seat, begun=True)

    def question(self, now: Moment[War]) -> Question | None:
        war, seat = now.state, self.seat
        if not self.is_on(now, "sea"):
            return None
        if not (self.begun or can_teleport(war, seat) or has_ships(war, seat)):
            return None
        prompt = "sail, go aboard or ashore, teleport, or go on"
        return self.asks(
            "sea", Board, Sail, LeapByFleece, Land, Teleport, EndPhase, prompt=prompt, because="QD-5.1"
        )

    def offers(self, now: Moment[War], seat: Seat) -> Iterator[Offer]:
        yield from boarding_offers(now, seat)
        yield from _voyages(now, seat)
        yield from landing_offers(now, seat)
        yield from teleport_offers(now, seat)
        yield Offer(EndPhase)


COMMANDS = (Sail, LeapByFleece)
STEPS = (Sailing,)
