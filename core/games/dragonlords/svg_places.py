"""What stands in each place of the board, in rows that are made to fit: its army, who attacks it, chips, gold, ships."""

from collections.abc import Iterator
from typing import Final

from events.event import Seat

from .board import KINGDOMS, PEOPLES, SPACE_OF, SPACES, TERRITORIES
from .state import Place, War
from .svg_layout import at, is_realm, outline
from .svg_map import named_until
from .svg_pieces import Piece, badge, beside, count, force, plate, scaled, ships, stack, stacked, stars, store
from .svg_words import number

__all__ = ["contents"]

_GAP: Final = 3
"""How many pixels are left between two rows."""
_RIM: Final = 6
"""How many pixels within its outline a place is left free, for the rim that says who holds it."""
_CRAMPED: Final = 0.76
"""How small what stands in a place becomes when it is fought for."""
_SIGNED: Final = frozenset(
    place for place, land in TERRITORIES.items() if land.kind in ("gold", "teleportal")
)
"""The territories with a sign in their lower left corner, which takes from the room there."""


def contents(war: War, place: Place, known_to: frozenset[Seat]) -> Iterator[str]:
    """Yield all that stands in a territory, zone or space below its name; the chips of `known_to` hold no riddles."""
    top, bottom = named_until(place), outline(place).high - (_RIM if place not in SPACES else 3)
    parties = [part for part in _parts(place) if part in war.armies or part in war.columns]
    if len(parties) < 2:
        for part in parties or [place]:
            yield from _placed(place, _rows(war, part, known_to, outline(place).wide), 0, top, bottom)
        return
    columns = 1 if len(parties) == 2 else 2
    room = 2 * outline(place).wide / columns
    high = (bottom - top) / 2
    for turn, part in enumerate(parties):
        row, column = divmod(turn, columns)
        aside = (column - (columns - 1) / 2) * room
        party = beside(_rows(war, part, known_to, room), 2)
        small = [scaled(party, min(1, (room - 3) / party.wide))]
        yield from _placed(place, small, aside, top + row * high, top + (row + 1) * high, room)


def _parts(place: Place) -> tuple[Place, ...]:
    """Return the parts of a place in which armies can stand: of a shrine one for each people (QD-6.8)."""
    if place in SPACES and place not in SPACE_OF:
        return tuple(f"{place}.{people}" for people in PEOPLES)
    return (place,)


def _rows(war: War, place: Place, known_to: frozenset[Seat], room: float) -> list[Piece]:
    """Return what stands in a place, from above: its army, who attacks it, then crown, gold, chips and ships.

    Where it is fought for, chips and ships stand beside the army as far as there is room, so that there are fewer rows.
    """
    rows: list[Piece] = []
    below: list[Piece] = []
    army = war.armies.get(place)
    if army is not None:
        rows.append(scaled(force(war, army), _size(place)).named(army=place, seat=army.seat))
        below += stack(war, army.seat, place, known_to)
    below += [ships(war.fleets[place], place, "fleet")] if place in war.fleets else []
    below += [ships(war.docked[place], place, "docked")] if place in war.docked else []
    if army is not None and place in war.columns:
        while below and beside((rows[0], below[0]), 3).wide * _CRAMPED < 2 * room - 14:
            rows[0] = beside((rows[0], below.pop(0)), 3)
    if place in KINGDOMS:
        below.insert(0, store(war, place))
    attackers = _attackers(war, place, known_to, 2 * outline(place).edge - 8)
    return [*rows, *attackers, *_broken(below, 2 * room - 28)]


def _size(place: Place) -> float:
    if place in SPACE_OF:
        return 0.7
    return 0.94 if is_realm(place) else 0.82


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


def _attackers(war: War, place: Place, known_to: frozenset[Seat], room: float) -> Iterator[Piece]:
    """Yield for each seat that attacks a place a plate: a number for each column, DragonLords, ships and chips.

    Where there is no room for all these numbers their sum stands instead; ships and chips come below where they must.
    """
    columns = war.columns.get(place, ())
    for seat in dict.fromkeys(column.seat for column in columns):
        own = [column for column in columns if column.seat == seat]
        lords = sum(column.dragonlords for column in own)
        units = [column.units for column in own if column.units or not lords]
        more = [ships(war.raiders[place], place, "raiders")] if place in war.raiders else []
        more += stack(war, seat, place, known_to)
        said = "+".join(map(str, units))
        who = _who(war, seat, said, lords)
        if len(units) > 1 and beside((who, *more), 2).wide > room:
            said = str(sum(units))
            who = _who(war, seat, said, lords)
        held = beside((who, *more), 2)
        if held.wide * _CRAMPED > room:
            held = stacked(who, beside(more, 2))
        yield _plate(held).named(columns=place, units=said)


def _who(war: War, seat: Seat, said: str, dragonlords: int) -> Piece:
    """Return the badge of attackers, their numbers, and their DragonLords."""
    numbers = [count(said, "few")] if said else []
    return beside((scaled(badge(war, seat), 0.76), *numbers, *stars(dragonlords, "few")), 2)


def _plate(held: Piece) -> Piece:
    """Return what attackers are on their plate."""
    across, high = held.wide + 8, max(22, held.high - 3)
    inner = f'{plate(across, high)}<g transform="translate(4 0)">{held.drawn}</g>'
    return Piece(across, high + 5, f'<g transform="translate(0 2)">{inner}</g>')


def _placed(
    place: Place, rows: list[Piece], aside: float, top: float, bottom: float, room: float = 0
) -> Iterator[str]:
    """Yield rows one below the other between two heights of a place, smaller where they would not fit."""
    high = sum(row.high for row in rows) + _GAP * (len(rows) - 1)
    fit = min(1.0, (bottom - top) / high) if rows else 1
    x, y = at(place)
    gap = _GAP * fit + max(0, min(4, (bottom - top - high) / (len(rows) + 1)))
    line = (top + bottom - (high * fit + (gap - _GAP * fit) * (len(rows) - 1))) / 2
    for row in rows:
        tall = row.high * fit
        half = outline(place).half_width(max(abs(line), abs(line + tall))) - (_RIM - 1)
        if place in _SIGNED and line + tall > outline(place).high - 11:
            half -= 4
        across = min(fit, (room or 2 * half) / row.wide)
        where = f"translate({number(x + aside - row.wide * across / 2)} {number(y + line + tall / 2)})"
        yield f'<g transform="{where} scale({across:.3g})">{row.drawn}</g>'
        line += tall + gap
