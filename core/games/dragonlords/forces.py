"""Forces: how many units of an army may still move, and which of its spell users lead them (QD-1.4, QD-H28, QD-H42)."""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain, combinations
from typing import Annotated, Any, Final

from msgspec import Struct, structs

from core.asking import Between, Part
from core.refusal import Refusal
from core.rules import Fact, word
from core.telling import Tale
from events.counting import plural
from events.event import Count, FactData, Seat, SectionRef

from .armies import UnitsMoved, units_words
from .board import TELEPORTALS, TERRITORIES
from .chips import ChipsMoved
from .movement import bears, forbids_chips, show, shown_at
from .once import worked_out_once
from .state import ChipId, Place, User, War, chips_at, is_shaded

__all__ = [
    "FACTS",
    "Carrying",
    "ChipsTired",
    "DragonLords",
    "Force",
    "From",
    "Leading",
    "Through",
    "To",
    "Units",
    "UnitsTired",
    "army_force",
    "bearings",
    "clip",
    "forbids_force",
    "forbids_gate",
    "gates",
    "may_enter",
    "not_held",
    "on_foot",
    "open_gate",
    "send",
    "sizes",
    "tire",
]

From = Annotated[Place, word("from")]
"""Where the units stand."""
To = Annotated[Place, word("to")]
"""Where they go."""
Units = Annotated[Count, word("with")]
"""How many ordinary units go, those that bear a king or wizard among them."""
DragonLords = Annotated[Count, word("dragonlords")]
"""How many DragonLords go."""
Leading = Annotated[tuple[ChipId, ...], word("leading")]
"""Which king and wizards go along."""
Carrying = Annotated[tuple[ChipId, ...], word("carrying")]
"""Which treasures go along, and whether the blank does."""
Through = Annotated[User, word("through")]
"""Who opens a teleportal: the chip of a king or wizard there, or `dragonlord`; nothing: the first that serves."""


class Force(Struct, frozen=True, gc=False):
    """How many units and DragonLords of an army may go, how many of both together, and who could lead them."""

    units: int
    dragonlords: int
    most: int
    leaders: tuple[ChipId, ...] = ()
    riders: tuple[ChipId, ...] = ()
    """Of the leaders, the wizards who became DragonLords."""
    bound: int = 0
    """How many of the units bear a king or wizard who has moved, as their owner alone knows, and so must stay."""


def army_force(war: War, seat: Seat, place: Place, *, fresh: bool = True, stay: int = 1) -> Force:
    """Return what the army of a seat in a place may send while `stay` units stay; `fresh`: only who has not moved.

    Only the seat's own view and the full state know its chips.
    """
    if not fresh or stay != 1:
        return _force(war, seat, place, fresh, stay)
    known, stack = _forces(war), (seat, place)
    if stack not in known:
        known[stack] = _force(war, seat, place, fresh, stay)
    return known[stack]


@worked_out_once
def _forces(_war: War) -> dict[tuple[Seat, Place], Force]:
    """Return the forces that have been asked for in a war: an offer and the refusals that bound it ask alike."""
    return {}


def _force(war: War, seat: Seat, place: Place, fresh: bool, stay: int) -> Force:
    army = war.armies.get(place)
    if army is None or army.seat != seat:
        return Force(0, 0, 0)
    units, dragonlords = army.units, army.dragonlords
    if fresh:
        units = max(0, units - war.moved.get(place, 0))
        dragonlords = max(0, dragonlords - war.moved_dragonlords.get(place, 0))
    tired = war.tired if fresh else ()
    most = min(army.size - stay, units + dragonlords)
    chips = chips_at(war, seat, place)
    if not chips:
        return Force(units, dragonlords, most)
    leaders = {name: chip for name, chip in chips.items() if bears(name) and name not in tired}
    riders = tuple(name for name, chip in leaders.items() if chip.on_dragonlord)
    moved = sum(name in tired and not chip.on_dragonlord for name, chip in chips.items())
    return Force(units, dragonlords, most, tuple(leaders), riders, max(0, moved - war.moved.get(place, 0)))


@lru_cache(maxsize=2_000)
def sizes(force: Force, dropped: int = 0) -> tuple[Mapping[str, Any], ...]:
    """Return the fields of offers that send a part of a force: for each choice of leaders, how many go with them.

    Who leads is fixed in each, so that the numbers that can bear them are. `dropped` of the units that lead nobody
    stay behind on the way, and others must arrive.
    """
    chosen = chain.from_iterable(
        combinations(force.leaders, count) for count in range(len(force.leaders) + 1)
    )
    fields = []
    for leading in chosen:
        riding = sum(name in force.riders for name in leading)
        walking = len(leading) - riding
        stay_riding = len(force.riders) - riding
        staying = len(force.leaders) - len(force.riders) - walking + force.bound
        if not leading:  # nobody is named: whom the others can't bear goes along
            stay_riding = staying = 0
        for lords in range(riding, force.dragonlords - stay_riding + 1):
            low = max(walking + dropped, dropped + 1 - lords)
            high = min(force.units - staying, force.most - lords)
            if low <= high:
                led = Part(leading, len(leading), len(leading))
                fields.append({"units": Between(low, high), "dragonlords": lords, "leading": led})
    return tuple(fields)


def clip(size: Mapping[str, Any], low: int, high: int) -> dict[str, Any] | None:
    """Return the fields of an offer with its number of units within bounds; None when none is left."""
    units = size["units"]
    low, high = max(low, units.low), min(high, units.high)
    return {**size, "units": Between(low, high)} if low <= high else None


def on_foot(force: Force) -> Force:
    """Return a force without its DragonLords: those neither go aboard nor ashore (QD-5.4, QD-X9)."""
    leaders = tuple(name for name in force.leaders if name not in force.riders)
    return Force(force.units, 0, min(force.most, force.units), leaders, bound=force.bound)


def bearings(war: War, seat: Seat, place: Place) -> Part:
    """Return the bound of what units may carry away: treasures, and the blank."""
    chips = tuple([name for name in chips_at(war, seat, place) if not bears(name)])
    return Part(chips, 0, len(chips)) if chips else _NOTHING


_NOTHING: Final = Part((), 0, 0)


def not_held(war: War, seat: Seat, place: Place, because: tuple[SectionRef, ...]) -> Refusal | None:
    """Return why units can't leave a place that is no territory of their seat's; None when it is one."""
    army = war.armies.get(place)
    if army is not None and army.seat == seat and place in TERRITORIES:
        return None
    return Refusal("not_yours", because, f"{seat} holds no territory {place}.", {"place": place})


def forbids_force(
    war: War,
    seat: Seat,
    place: Place,
    force: Force,
    units: int,
    dragonlords: int,
    leading: tuple[ChipId, ...],
    carrying: tuple[ChipId, ...],
    because: tuple[SectionRef, ...],
    led: tuple[ChipId, ...],
) -> Iterator[Refusal]:
    """Refuse units that are not there or have moved already, to leave too few, and chips that nobody can bear.

    `leading` are the kings and wizards that were named, `led` those who go (`going_along`).
    """
    if units + dragonlords < 1:
        yield Refusal("nobody_sent", because, f"At least one unit goes from {place}.")
    if units > force.units or dragonlords > force.dragonlords:
        yield from _forbids_absent(war, seat, place, force, units, dragonlords, because)
    if force.most < units + dragonlords <= force.units + force.dragonlords:
        yield Refusal(
            "left_empty",
            (*because, "QD-X45"),
            f"{units_words(units, dragonlords)} can't leave {place}: {force.most or 'none'} may, since no territory is left "
            "empty.",
            {"most": force.most, "wanted": units + dragonlords},
            waivable=True,
        )
    tired = [name for name in leading if name in war.tired and name not in force.leaders]
    if tired:
        yield Refusal(
            "moved_already",
            (*because, "QD-H28"),
            f"{tired[0]} has moved in this phase already.",
            {"chip": tired[0]},
            waivable=True,
            secret=True,
        )
    yield from forbids_chips(war, seat, place, units, dragonlords, led, carrying)
    yield from _forbids_bearers(war, seat, place, force, units, dragonlords, led)


def _forbids_absent(
    war: War,
    seat: Seat,
    place: Place,
    force: Force,
    units: int,
    dragonlords: int,
    because: tuple[SectionRef, ...],
) -> Iterator[Refusal]:
    """Refuse units that are not there or have moved already."""
    army = war.armies[place]
    for kind, wanted, there, standing in (
        ("unit", units, force.units, army.units),
        ("DragonLord", dragonlords, force.dragonlords, army.dragonlords),
    ):
        if wanted > there:
            yield Refusal(
                "not_there",
                because,
                f"{seat} has {plural(there, kind)} in {place} that may go now, not {wanted}.",
                {"there": there, "wanted": wanted},
                waivable=wanted <= standing,
            )


def _forbids_bearers(
    war: War,
    seat: Seat,
    place: Place,
    force: Force,
    units: int,
    dragonlords: int,
    leading: tuple[ChipId, ...],
) -> Iterator[Refusal]:
    """Refuse to send units that bear a king or wizard who stays: the others there have moved already."""
    army = war.armies[place]
    if (force.units, force.dragonlords) == (army.units, army.dragonlords):
        return
    if units > force.units or dragonlords > force.dragonlords:
        return
    stay = [name for name in force.leaders if name not in leading]
    riding = sum(name in force.riders for name in stay)
    if units > force.units - (len(stay) - riding) or dragonlords > force.dragonlords - riding:
        yield Refusal(
            "too_few_bearers",
            ("QD-1.4", "QD-H28"),
            f"Of the units in {place} that may still move, {len(stay)} bear {', '.join(stay)} and stay with them.",
            {"bearers": len(stay)},
            waivable=True,
            secret=True,
        )


def may_enter(war: War, seat: Seat, place: Place) -> bool:
    """Return whether a territory is friendly or empty, so that units of a seat may come without a battle; never tundra."""
    army = war.armies.get(place)
    return place not in war.tundra if army is None else army.seat == seat


def gates(war: War, seat: Seat, place: Place) -> tuple[str, ...]:
    """Return by whom a seat may leave a territory through its teleportal, the first to be named first (QD-2.6, QD-H25).

    A DragonLord, then who is shown already, then wizards, then the king.
    """
    army = war.armies.get(place)
    if place not in TELEPORTALS or army is None or army.seat != seat:
        return ()
    there = chips_at(war, seat, place)
    chips = [name for name, chip in there.items() if bears(name) and not chip.on_dragonlord]
    chips.sort(key=lambda name: (not there[name].shown, name.endswith(".king")))
    return ("dragonlord", *chips) if army.dragonlords else tuple(chips)


def forbids_gate(
    war: War, seat: Seat, place: Place, gate: str, because: tuple[SectionRef, ...]
) -> Iterator[Refusal]:
    """Refuse to leave through a teleportal without a spell user in the territory (QD-2.6, QD-H25)."""
    known = gates(war, seat, place)
    if not known or (gate and gate not in known):
        yield Refusal(
            "no_spell_user",
            ("QD-2.6", *because),
            f"Units leave {place} through the teleportal by a king, wizard or DragonLord who is there; {seat} named "
            f"{gate or 'none'} and has {', '.join(known) or 'none'}.",
            {"place": place, "gate": gate},
            waivable=not gate,
            secret=is_shaded(war, seat, place),
        )


def open_gate(tale: Tale[War], seat: Seat, place: Place, gate: str) -> None:
    """Tell that a king or wizard was turned up to open a teleportal: the one named, or the first (QD-2.6, QD-H25)."""
    gate = gate or next(iter(gates(tale.state, seat, place)), "")
    if gate in tale.state.chips:
        show(tale, seat, gate, ("QD-2.6", "QD-H25"))


def send(
    tale: Tale[War],
    seat: Seat,
    origin: Place,
    target: Place,
    units: int,
    dragonlords: int,
    chips: tuple[ChipId, ...] = (),
    *,
    how: str = "",
    caster: ChipId = "",
    landed: int = 0,
    because: tuple[SectionRef, ...],
) -> None:
    """Tell that units of an army go, their chips in secret; marks of who has fought stay behind (QD-1.4, QD-H42).

    `how` and `landed` as in `UnitsMoved`; `caster` is a shown chip of theirs that everybody sees go along. Whatever may hide a chip
    goes with a sealed fact, also as a whole: the command that names what goes is for its owner alone.
    """
    war = tale.state
    splits = units + dragonlords < war.armies[origin].size
    if caster:
        tale.tell(ChipsMoved(seat, origin, target, (caster,), how, shown=True, because=because))
    hides = shown_at(war, seat, origin) if splits else ()
    if caster:
        hides, chips = (tuple([name for name in names if name != caster]) for names in (hides, chips))
    veils = is_shaded(war, seat, origin) or bool(hides)
    if veils:
        tale.tell(ChipsMoved(seat, origin, target, chips, how, hides, because=("QD-H42",)))
    tale.tell(
        UnitsMoved(
            seat,
            origin,
            target,
            units,
            dragonlords,
            how=how,
            veils=veils and splits,
            hides=hides,
            landed=landed,
            because=because,
        )
    )


class UnitsTired(Fact[War]):
    """Units in a place have moved in this phase and move no more in it (QD-18.1, QD-19.1, QD-H28)."""

    place: Place
    units: Count
    dragonlords: Count = 0

    def in_words(self, later: Sequence[FactData] = ()) -> str:
        return f"in {self.place} {units_words(self.units, self.dragonlords)} moved and may not again in this phase"

    def onto(self, state: War) -> War:
        if self.units:
            units = state.moved.get(self.place, 0) + self.units
            state = structs.replace(state, moved={**state.moved, self.place: units})
        if self.dragonlords:
            lords = state.moved_dragonlords.get(self.place, 0) + self.dragonlords
            state = structs.replace(state, moved_dragonlords={**state.moved_dragonlords, self.place: lords})
        return state


class ChipsTired(Fact[War]):
    """These kings and wizards have moved in this phase; perhaps none has (QD-H28, QD-H42)."""

    seat: Seat
    chips: tuple[ChipId, ...]

    def in_words(self, later: Sequence[FactData] = ()) -> str:
        moved = (
            f"{', '.join(self.chips)} moved and may not again"
            if self.chips
            else f"no chips of {self.seat} moved"
        )
        return f"{moved} in this phase"

    def audience(self) -> tuple[Seat, ...]:
        """Only their owner knows."""
        return (self.seat,)

    def onto(self, state: War) -> War:
        return structs.replace(state, tired=(*state.tired, *self.chips)) if self.chips else state


def tire(
    tale: Tale[War],
    seat: Seat,
    place: Place,
    units: int,
    dragonlords: int,
    leading: tuple[ChipId, ...],
    because: tuple[SectionRef, ...],
) -> None:
    """Tell that units which came to a place move no more in this phase.

    Where the stack is not shaded all its chips are shown, so whether this is told depends on public things alone.
    """
    tale.tell(UnitsTired(place, units, dragonlords, because=because))
    if leading or is_shaded(tale.state, seat, place):
        tale.tell(ChipsTired(seat, leading, because=because))


FACTS = (UnitsTired, ChipsTired)
