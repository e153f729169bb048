"""How units and chips move together (QD-1.4, QD-H42): the one place that tells public and sealed facts of a move."""

from collections.abc import Iterator, Sequence

from core.refusal import Refusal
from core.telling import Tale
from events.event import Seat, SectionRef

from .armies import UnitsMoved
from .chips import ChipShown, ChipsMoved
from .state import ChipId, Column, Place, War, chips_at, is_shaded, units_of

__all__ = [
    "bears",
    "forbids_chips",
    "going_along",
    "marks_taken",
    "move",
    "show",
    "shown_at",
]


def bears(chip: ChipId) -> bool:
    """Return whether a chip makes its unit a spell user, a king or a wizard, of whom a unit bears one (QD-H43)."""
    return ".king" in chip or ".wizard" in chip


def going_along(
    war: War,
    seat: Seat,
    origin: Place,
    units: int,
    dragonlords: int,
    leading: tuple[ChipId, ...],
    *,
    column: Column | None = None,
    fresh: bool = False,
    apart: Sequence[str] = (),
) -> tuple[ChipId, ...]:
    """Return the kings and wizards who go with so many units: those named, or, with nobody named, whom the rest can't bear.

    A whole stack takes all of them along; of a part go as few as need be, wizards before the king. So whether units may
    go whose owner names no chip hangs on nothing hidden (QD-1.4, QD-H42). `fresh`: only units go that have not moved, and
    so whom they bear; `apart` are those who go, or stay, whatever the others do: chips, or `dragonlord`.
    """
    army = column or war.armies.get(origin)
    there = chips_at(war, seat, origin)
    if leading or not there or army is None or army.seat != seat:
        return leading
    mine = [
        name
        for name, chip in there.items()
        if bears(name) and name not in apart and (column is None or chip.way == column.how)
    ]
    mine.sort(key=lambda name: (fresh and name in war.tired, name.endswith(".king")))
    lords_apart = sum([name not in there or there[name].on_dragonlord for name in apart])
    found: list[ChipId] = []
    for rides, there_are, going, moved in (
        (False, army.units - (len(apart) - lords_apart), units, war.moved),
        (True, army.dragonlords - lords_apart, dragonlords, war.moved_dragonlords),
    ):
        bearers = [name for name in mine if there[name].on_dragonlord == rides]
        owed = len(bearers) - (there_are - going)
        if fresh:
            rested = sum([name not in war.tired for name in bearers])
            owed = max(owed, rested - (there_are - moved.get(origin, 0) - going))
        found += bearers[: max(0, min(owed, going))]
    return tuple(found)


def shown_at(war: War, seat: Seat, place: Place, way: str = "") -> tuple[ChipId, ...]:
    """Return the chips that everybody knows to lie in a stack, or among those of it that came by `way`."""
    there = chips_at(war, seat, place)
    return tuple([name for name, chip in there.items() if chip.shown and (not way or chip.way == way)])


def show(tale: Tale[War], seat: Seat, chip: ChipId, because: tuple[SectionRef, ...]) -> None:
    """Tell that a chip is turned up, unless everybody sees it already (QD-H9)."""
    lies = tale.state.chips[chip]
    if not lies.shown:
        tale.tell(ChipShown(seat, chip, lies.place, lies.way, lies.on_dragonlord, because=because))


def marks_taken(
    war: War, seat: Seat, origin: Place, units: int, *, sneaking: bool = False
) -> tuple[int, int]:
    """Return how many of so many units that leave a place have fought, and sneaked, this turn: those go first.

    To a sneak attack go those first that have not sneaked, for each does it once (QD-12.2).
    """
    if seat != war.active:
        return 0, 0
    sneaked = war.sneaked.get(origin, 0)
    if sneaking:
        fresh = units_of(war, seat, origin) - war.spent.get(origin, 0) - sneaked
        sneaked = max(0, units - fresh)
    return min(units, war.fought.get(origin, 0)), min(units, sneaked)


def move(
    tale: Tale[War],
    seat: Seat,
    origin: Place,
    target: Place,
    units: int,
    dragonlords: int = 0,
    *,
    chips: Sequence[ChipId] = (),
    way: str = "",
    how: str = "",
    spent: int = 0,
    because: tuple[SectionRef, ...] = (),
) -> None:
    """Tell that units go from one place to another with these chips; a whole stack takes all its chips along.

    `way` and `how` as in `UnitsMoved`: the columns left, and the way into an enemy place. A stack that may hide a chip
    goes with a sealed fact, also as a whole: a command that names chips is for its owner alone.
    """
    war = tale.state
    size = units + dragonlords
    splits = size < units_of(war, seat, origin)
    hides = shown_at(war, seat, origin) if splits else ()
    veils = is_shaded(war, seat, origin) or bool(hides)
    if veils:
        tale.tell(ChipsMoved(seat, origin, target, tuple(chips), how, hides, because=("QD-H42",)))
    fought, sneaked = marks_taken(war, seat, origin, size, sneaking=how.startswith("sneak"))
    tale.tell(
        UnitsMoved(
            seat,
            origin,
            target,
            units,
            dragonlords,
            way,
            how,
            veils and splits,
            hides,
            spent,
            fought,
            sneaked,
            because=because,
        )
    )


def forbids_chips(
    war: War,
    seat: Seat,
    origin: Place,
    units: int,
    dragonlords: int,
    leading: Sequence[ChipId],
    carrying: Sequence[ChipId],
    column: Column | None = None,
) -> Iterator[Refusal]:
    """Refuse chips that are not there, or that the units that go, or those that stay, can't bear (QD-1.4, QD-H43).

    They are those of the army that holds the place, or of a column of attackers there.
    """
    named = (*leading, *carrying)
    mine = chips_at(war, seat, origin)
    if column is not None:
        mine = {name: chip for name, chip in mine.items() if chip.way == column.how}
    if not named and not mine:
        return
    for chip in dict.fromkeys(named):
        if chip not in mine or named.count(chip) > 1 or (chip in leading) != bears(chip):
            kind = "kings and wizards" if chip in leading else "treasures and the blank"
            fit = [name for name in mine if bears(name) == (chip in leading)]
            yield Refusal(
                "no_such_chip",
                ("QD-1.4",),
                f"{chip} can't go along: the {kind} of {seat} in {origin} are {', '.join(fit) or 'none'}, each named once.",
                {"chip": chip, "place": origin},
                secret=is_shaded(war, seat, origin),
            )
            return
    army = column or war.armies.get(origin)
    if army is None or army.seat != seat:
        return
    all_bearers = [name for name in mine if bears(name)]
    riders = sum([mine[name].on_dragonlord for name in all_bearers])
    going_riders = sum([mine[name].on_dragonlord for name in leading])
    going = len(leading) - going_riders
    for who, kind, there, bearers in (
        ("go", "units", units, going),
        ("go", "DragonLords", dragonlords, going_riders),
        ("stay", "units", army.units - units, len(all_bearers) - riders - going),
        ("stay", "DragonLords", army.dragonlords - dragonlords, riders - going_riders),
    ):
        if bearers > there >= 0:  # who sends more than are there is told so elsewhere
            yield Refusal(
                "too_few_bearers",
                ("QD-1.4", "QD-H43"),
                f"Of {seat} {there or 'no'} {kind if there != 1 else kind[:-1]} would {who} and bear "
                f"{bearers} {'king or wizard' if bearers == 1 else 'kings and wizards'}; each bears one at most.",
                {"bearers": bearers, "units": there},
                secret=is_shaded(war, seat, origin),
            )
