"""Words for the tests of DragonLords at sea: fleets, docked ships, and battles that are open in a zone."""

from typing import Any

from core.games.dragonlords.land_combat import Fight
from core.games.dragonlords.phases import EndPhase
from core.games.dragonlords.position import ColumnSet, ShipsSet, UnitsSet
from core.games.dragonlords.state import War
from tests.driver import Table
from tests.games.dragonlords.field import roll
from tests.games.dragonlords.land import phase, stands

__all__ = ["afloat", "docked", "fleet", "raid", "sea", "sea_battle", "to_battle", "volley"]

HOMES = (*stands("orc", OR_k=3), *stands("elf", SC_k=3))


def fleet(seat: str, zone: str, ships: int, units: int, dragonlords: int = 0) -> tuple[Any, ...]:
    """Return that ships of a seat sail in a zone with so many units aboard."""
    return UnitsSet(seat, zone, units, dragonlords), ShipsSet(zone, ships)


def docked(**places: int) -> tuple[ShipsSet, ...]:
    """Return that so many empty ships lie in these harbours."""
    return tuple(ShipsSet(place, count) for place, count in places.items())


def raid(
    seat: str, zone: str, ships: int, units: int, dragonlords: int = 0, *, origin: str
) -> tuple[Any, ...]:
    """Return that ships of a seat came from another zone into one that an enemy blockades."""
    column = ColumnSet(seat, zone, origin, units, dragonlords, how="ship")
    return (column, ShipsSet(zone, ships, attacking=True)) if ships else (column,)


def sea(*position: Any, seat: str = "orc", name: str = "sea", **answers: str) -> Table:
    """Return a table of Orcs and Elves in a phase, phase 2 unless said; `H16="jumps"` answers a point."""
    named = {f"QD-{point}": answer for point, answer in answers.items()}
    seats = ("orc", "elf") if seat != "barbarian" else ("barbarian", "elf")
    homes = HOMES if seat != "barbarian" else HOMES[1:]
    return phase(seat, name, *homes, *position, seats=seats, answers=named)


def to_battle(table: Table) -> Table:
    """Let the seat whose turn it is end its phases until phase 4."""
    while table.state.phase != "combat":
        table.must(table.state.active, EndPhase())
    return table


def sea_battle(*position: Any, zone: str = "C3", **answers: str) -> Table:
    """Return a table in phase 4 at which the Orcs have begun to fight for a zone."""
    return sea(*position, name="combat", **answers).when("orc", Fight(zone))


def volley(table: Table, attack: tuple[int, ...], defence: tuple[int, ...]) -> Table:
    """Let both sides roll."""
    return roll(roll(table, *attack), *defence)


def afloat(war: War) -> dict[str, tuple[str, int, int]]:
    """Return who mans each zone, with how many units on how many ships."""
    return {
        zone: (war.armies[zone].seat, war.armies[zone].size, ships)
        for zone, ships in war.fleets.items()
        if zone in war.armies
    }
