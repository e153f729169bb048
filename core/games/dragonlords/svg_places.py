"""What stands in each place of the board: its army, who attacks it, chips, gold, ships.

Of several ways to lay it out the most legible is taken. Where none is legible, the place shows whose armies are there and
how many units they have, and three dots: all the rest stands below the board, in a close-up.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

from events.event import Seat

from .board import KINGDOMS, PEOPLES, SPACE_OF, SPACES, TERRITORIES
from .state import Column, Place, War
from .svg_fitting import Room, Spots, best, is_legible, room_of
from .svg_layout import is_realm, outline
from .svg_pieces import (
    Piece,
    badge,
    beside,
    count,
    force,
    marked,
    plate,
    scaled,
    ships,
    stack,
    stacked,
    stars,
    store,
)
from .svg_signs import dots
from .svg_words import text, wide

__all__ = ["Arranged", "arranged"]

_NOBODY: Final[frozenset[Seat]] = frozenset()


class Arranged(NamedTuple):
    """What stands in a place: as it is drawn there, and its close-up, where it is too crowded to be read."""

    drawn: tuple[str, ...]
    closeup: Piece | None = None


def arranged(war: War, place: Place, known_to: frozenset[Seat]) -> Arranged:
    """Return all that stands in a territory, zone or space, below its name; the chips of `known_to` hold no riddles."""
    parties = [part for part in _parts(place) if part in war.armies or part in war.columns] or [place]
    laid: list[Spots] = []
    crowded = False
    for part, room in zip(parties, _rooms(place, len(parties)), strict=True):
        spots = _fitted(war, part, known_to, room)
        if not is_legible(spots):
            crowded = True
            spots = best(room, _in_short(war, part))
        laid.append(spots)
    drawn = tuple(spot.drawn() for spots in laid for spot in spots)
    return Arranged(drawn, _closeup(war, place, parties, known_to) if crowded else None)


def _parts(place: Place) -> tuple[Place, ...]:
    """Return the parts of a place in which armies can stand: of a shrine one for each people (QD-6.8)."""
    if place in SPACES and place not in SPACE_OF:
        return tuple(f"{place}.{people}" for people in PEOPLES)
    return (place,)


def _rooms(place: Place, parties: int) -> Iterator[Room]:
    """Yield the room of each party in a place: one below the other, or two in a row."""
    whole = room_of(place)
    columns = min(2, (parties + 1) // 2)
    rows = min(2, parties)
    across, high = 2 * outline(place).wide / columns, (whole.bottom - whole.top) / rows
    for turn in range(parties):
        row, column = divmod(turn, columns)
        top = whole.top + row * high
        aside = (column - (columns - 1) / 2) * across
        yield whole if parties == 1 else Room(place, top, top + high, aside, across - 3)


def _fitted(war: War, place: Place, known_to: frozenset[Seat], room: Room) -> Spots:
    """Return what stands in a place in its most legible way: columns one by one, or as their sum where it must be."""
    spots = best(room, _ways(war, place, known_to, room, summed=False))
    return spots if is_legible(spots) else best(room, _ways(war, place, known_to, room, summed=True))


def _ways(
    war: War, place: Place, known_to: frozenset[Seat], room: Room, *, summed: bool
) -> Iterator[list[Piece]]:
    """Yield the ways to set in rows, from above: its army, who attacks it, then crown, gold, chips and ships.

    Chips and ships may stand beside the army, so that there are fewer rows; where it is fought for that is the usual way.
    Parties that share a space may stand in one row each.
    """
    army = _army(war, place)
    crown = [store(war, place)] if place in KINGDOMS else []
    goods = _goods(war, place, known_to)
    beside_it = range(len(goods) + 1) if army else range(1)
    for turn in reversed(beside_it) if place in war.columns else beside_it:
        above = [beside((*army, *goods[:turn]), 3)] if army else []
        for plates in _attackers(war, place, known_to, summed=summed):
            below = [*crown, *goods[turn:]]
            if room.wide:
                yield [beside((*above, *plates, *below), 2)]
            yield [*above, *plates, *_broken(below, 2 * outline(place).wide - 28)]


def _in_short(war: War, place: Place) -> Iterator[list[Piece]]:
    """Yield the ways to set whose army is in a place, who attacks it, a kingdom's gold, and three dots for the rest."""
    army, rest = _army(war, place), marked(16, 6, dots())
    rest = beside((store(war, place), rest), 3) if place in KINGDOMS else rest
    plates = next(_attackers(war, place, _NOBODY, summed=True, bare=True))
    yield [*army, *plates, rest]
    yield [*army, beside((*plates, rest), 3)]
    yield [beside((*army, *plates, rest), 3)]


def _closeup(war: War, place: Place, parties: list[Place], known_to: frozenset[Seat]) -> Piece:
    """Return all that stands in a place, but for the gold of a kingdom, in one row behind its name."""
    name = TERRITORIES[place].name if place in TERRITORIES else place
    row = [Piece(wide(name, "few"), 18, text("few", 0, 4.5, name))]
    for part in parties:
        row += [force(war, war.armies[part])] if part in war.armies else []
        row += next(_attackers(war, part, known_to, summed=False))
        row += _goods(war, part, known_to)
    return beside(row, 8).named(closeup=place)


def _army(war: War, place: Place) -> list[Piece]:
    """Return the army that holds a place, if any."""
    if (army := war.armies.get(place)) is None:
        return []
    size = 0.7 if place in SPACE_OF else 0.94 if is_realm(place) else 0.82
    return [scaled(force(war, army), size).named(army=place, seat=army.seat)]


def _goods(war: War, place: Place, known_to: frozenset[Seat]) -> list[Piece]:
    """Return the chips of the army in a place, and the ships there that are not the attackers'."""
    army = war.armies.get(place)
    goods = list(stack(war, army.seat, place, known_to)) if army is not None else []
    goods += [ships(war.fleets[place], place, "fleet")] if place in war.fleets else []
    return goods + ([ships(war.docked[place], place, "docked")] if place in war.docked else [])


def _broken(pieces: list[Piece], room: float) -> Iterator[Piece]:
    """Yield pieces in as many rows as they need to stay within the room."""
    row: list[Piece] = []
    for piece in pieces:
        if row and beside((*row, piece), 4).wide > room:
            yield beside(row, 4)
            row = []
        row.append(piece)
    if row:
        yield beside(row, 4)


def _attackers(
    war: War, place: Place, known_to: frozenset[Seat], *, summed: bool, bare: bool = False
) -> Iterator[list[Piece]]:
    """Yield the plates of those who attack a place, one for each seat, with ships and chips beside the units or below.

    A number stands for each column, or their sum; `bare` plates bear nothing else.
    """
    columns = war.columns.get(place, ())
    seats = dict.fromkeys(column.seat for column in columns)
    for below in (False, True) if seats else (False,):
        plates = []
        for seat in seats:
            own = [column for column in columns if column.seat == seat]
            who, said = _who(war, own, summed=summed)
            more = [] if bare or place not in war.raiders else [ships(war.raiders[place], place, "raiders")]
            more += [] if bare else stack(war, seat, place, known_to)
            held = stacked(who, beside(more, 2)) if below and more else beside((who, *more), 2)
            plates.append(_plate(held).named(columns=place, units=said))
        yield plates


def _who(war: War, columns: list[Column], *, summed: bool) -> tuple[Piece, str]:
    """Return the badge of attackers with their numbers and their DragonLords, and the numbers as they are said."""
    lords = sum(column.dragonlords for column in columns)
    units = [column.units for column in columns if column.units or not lords]
    said = str(sum(units)) if summed and units else "+".join(map(str, units))
    numbers = [count(said, "few")] if said else []
    return beside((scaled(badge(war, columns[0].seat), 0.76), *numbers, *stars(lords, "few")), 2), said


def _plate(held: Piece) -> Piece:
    """Return what attackers are on their plate."""
    across, high = held.wide + 8, max(22, held.high - 3)
    inner = f'{plate(across, high)}<g transform="translate(4 0)">{held.drawn}</g>'
    return Piece(across, high + 5, f'<g transform="translate(0 2)">{inner}</g>', held.large)
