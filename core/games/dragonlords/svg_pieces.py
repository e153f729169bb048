"""What stands in the places of the board, as rows of pieces that are made to fit: armies, chips, gold, ships, attackers."""

from collections import Counter
from collections.abc import Iterable, Iterator
from html import escape
from typing import Final, NamedTuple

from events.event import Seat

from .board import KINGDOMS, PEOPLES, SPACE_OF, SPACES, TERRITORIES
from .state import Army, Place, War, chips_at, is_shaded, is_treasure
from .svg_layout import at, is_realm, outline
from .svg_map import named_until
from .svg_signs import crown, ship, star
from .svg_style import OWNERS, Owner
from .svg_words import number, text, wide

__all__ = ["Piece", "badge", "beside", "chip", "coin", "contents", "plate", "scaled"]

_GAP: Final = 3
"""How many pixels are left between two rows."""
_RIM: Final = 6
"""How many pixels within its outline a place is left free, for the rim that says who holds it."""
_CRAMPED: Final = 0.76
"""How small what stands in a place outside the realms becomes when it is fought for."""
_SIGNED: Final = frozenset(
    place for place, land in TERRITORIES.items() if land.kind in ("gold", "teleportal")
)
"""The territories with a sign in their lower left corner, which takes from the room there."""
_CHIP: Final = {"king": "K", "wizard": "W", "blank": ""}
"""What is written on a chip: a decoy is blank, as it is on the table; all others are treasures."""


class Piece(NamedTuple):
    """Something drawn, so many pixels wide and high; its left end is at x = 0, its middle at y = 0."""

    wide: float
    high: float
    drawn: str


def beside(pieces: Iterable[Piece], gap: float) -> Piece:
    """Return pieces beside one another as one."""
    drawn, x, high = [], 0.0, 0.0
    for piece in pieces:
        drawn.append(f'<g transform="translate({number(x)} 0)">{piece.drawn}</g>' if x else piece.drawn)
        x += piece.wide + gap
        high = max(high, piece.high)
    return Piece(max(0, x - gap), high, "".join(drawn))


def scaled(piece: Piece, scale: float) -> Piece:
    """Return a piece drawn larger or smaller."""
    return Piece(
        piece.wide * scale,
        piece.high * scale,
        f'<g transform="scale({scale:.3g})">{piece.drawn}</g>' if scale != 1 else piece.drawn,
    )


# ---------------------------------------------------------------- pieces


def badge(war: War, seat: Seat) -> Piece:
    """Return the shape of an owner with his letter in it, its rim broken when his king is lost."""
    name, owner = (seat, OWNERS[seat]) if seat and seat in OWNERS else ("nobody", OWNERS[""])
    out = " out" if seat in war.out else ""
    return Piece(28, 28, f'<g class="mark" transform="translate(14 0)">{_shape(name, owner, out)}</g>')


def _shape(name: str, owner: Owner, out: str) -> str:
    return f'<path class="badge of-{name}{out}" d="{owner.shape}"/>{text(f"letter on-{name}", 0, 5, owner.letter)}'


def _count(said: str, kind: str = "count") -> Piece:
    return Piece(wide(said, kind), 18, text(kind, 0, 7 if kind == "count" else 4.5, said))


def _star() -> Piece:
    return Piece(17, 18, f'<g class="mark" transform="translate(8.5 0)">{star()}</g>')


def _force(war: War, army: Army) -> Piece:
    """Return an owner's badge, how many units unless there are none, and a star and a number for DragonLords."""
    parts = [badge(war, army.seat)]
    if army.units or not army.dragonlords:
        parts.append(_count(str(army.units)))
    if army.dragonlords:
        parts += [_star(), _count(str(army.dragonlords))]
    return beside(parts, 2)


def chip(kind: str, letter: str, count: int = 1) -> Piece:
    """Return a chip with a letter, `kind` is shown, known or maybe; of several alike how many there are."""
    ink = "sign" if kind == "maybe" else "sign on-gold"
    said = text(ink, 0, 3.6, letter) if letter else ""
    one = Piece(
        15,
        15,
        f'<g class="mark" transform="translate(7.5 0)"><circle class="chip {kind}" r="6.8"/>{said}</g>',
    )
    return one if count == 1 else beside((one, _count(f"×{count}", "few")), 1)


def _chips(war: War, seat: Seat, place: Place, known_to: frozenset[Seat]) -> list[Piece]:
    """Return the chips of a stack: what everybody sees, what the reader knows, and `?` where one may lie for all he knows."""
    counted = Counter(
        (
            "shown" if lying.shown else "known",
            "T" if is_treasure(name) else _CHIP.get(name.split(".")[1], "?"),
        )
        for name, lying in chips_at(war, seat, place).items()
    )
    if not counted and is_shaded(war, seat, place) and seat not in known_to:
        return [chip("maybe", "?")]
    order = sorted(counted, key=lambda each: ("KWT".find(each[1]) % 4, each))
    return [chip(kind, letter, counted[kind, letter]) for kind, letter in order]


def coin(gold: int) -> Piece:
    """Return stored gold: how much, on a coin that is as wide as the number."""
    across = max(18, wide(str(gold), "sign") + 8)
    return Piece(
        across,
        18,
        f'<g class="mark"><rect class="coin" y="-9" width="{number(across)}" height="18" rx="9"/>'
        f"{text('sign on-gold', across / 2, 3.6, str(gold))}</g>",
    )


def _ships(count: int, place: Place, what: str) -> Piece:
    """Return ships, and how many unless it is one."""
    drawn = Piece(19, 17, f'<g class="mark" transform="translate(9.5 1)">{ship()}</g>')
    held = beside((drawn, _count(str(count), "few")), 1) if count > 1 else drawn
    return held._replace(drawn=f'<g data-{what}="{escape(place)}">{held.drawn}</g>')


# ---------------------------------------------------------------- places


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
        small = [_as_party(_rows(war, part, known_to, room), room - 3)]
        yield from _placed(place, small, aside, top + row * high, top + (row + 1) * high, room)


def _parts(place: Place) -> tuple[Place, ...]:
    """Return the parts of a place in which armies can stand: of a shrine one for each people."""
    if place in SPACES and place not in SPACE_OF:
        return tuple(f"{place}.{people}" for people in PEOPLES)
    return (place,)


def _as_party(rows: list[Piece], room: float) -> Piece:
    """Return the rows of a party in a single one, for a place where several stand."""
    row = beside(rows, 2)
    return scaled(row, min(1, room / row.wide))


def _rows(war: War, place: Place, known_to: frozenset[Seat], room: float) -> list[Piece]:
    """Return what stands in a place, from above: its army, who attacks it, then crown, gold, chips and ships."""
    rows: list[Piece] = []
    below: list[Piece] = []
    if place in KINGDOMS:
        held = [Piece(17, 14, f'<g class="mark" transform="translate(8.5 0)">{crown()}</g>')]
        held += [coin(war.gold[place])] if war.gold.get(place) else []
        store = beside(held, 2)
        below.append(store._replace(drawn=f'<g data-gold="{war.gold.get(place, 0)}">{store.drawn}</g>'))
    army = war.armies.get(place)
    if army is not None:
        force = scaled(_force(war, army), _size(place))
        rows.append(
            force._replace(
                drawn=f'<g class="army" data-army="{escape(place)}" data-seat="{escape(army.seat)}">{force.drawn}</g>'
            )
        )
        below += _stack(war, army.seat, place, known_to)
    rows += _attackers(war, place, known_to, 2 * outline(place).edge - 8)
    below += [_ships(war.fleets[place], place, "fleet")] if place in war.fleets else []
    below += [_ships(war.docked[place], place, "docked")] if place in war.docked else []
    if (
        army is not None and place in war.columns and not is_realm(place)
    ):  # little room: a row less where it goes
        while below and beside((rows[0], below[0]), 3).wide * _CRAMPED < 2 * room - 14:
            rows[0] = beside((rows[0], below.pop(0)), 3)
    return [*rows, *_broken(below, 2 * room - 28)]


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


def _stack(war: War, seat: Seat, place: Place, known_to: frozenset[Seat]) -> Iterator[Piece]:
    """Yield the chips of a stack as one piece, if it has any."""
    if chips := _chips(war, seat, place, known_to):
        lying = beside(chips, 1)
        yield lying._replace(
            drawn=f'<g data-chips="{escape(place)}" data-of="{escape(seat)}">{lying.drawn}</g>'
        )


def _attackers(war: War, place: Place, known_to: frozenset[Seat], room: float) -> Iterator[Piece]:
    """Yield for each seat that attacks a place a plate: a number for each column, DragonLords, ships and chips.

    Where there is no room for all these numbers their sum stands instead; ships and chips come below where they must.
    """
    columns = war.columns.get(place, ())
    for seat in dict.fromkeys(column.seat for column in columns):
        own = [column for column in columns if column.seat == seat]
        lords = sum(column.dragonlords for column in own)
        units = [column.units for column in own if column.units or not lords]
        stars = [scaled(_star(), 0.8), _count(str(lords), "few")] if lords else []
        more = [_ships(war.raiders[place], place, "raiders")] if place in war.raiders else []
        more += _stack(war, seat, place, known_to)
        said = "+".join(map(str, units))
        held = beside((*_who(war, seat, said), *stars, *more), 2)
        if held.wide > room:
            said = str(sum(units)) if units else ""
            held = beside((*_who(war, seat, said), *stars, *more), 2)
        if held.wide * _CRAMPED > room:
            held = _stacked(beside((*_who(war, seat, said), *stars), 2), beside(more, 2))
        yield _plate(held, place, said)


def _who(war: War, seat: Seat, said: str) -> list[Piece]:
    return [scaled(badge(war, seat), 0.76), *([_count(said, "few")] if said else [])]


def _stacked(above: Piece, below: Piece) -> Piece:
    """Return two pieces one below the other as one."""
    wide, high = max(above.wide, below.wide), above.high + below.high
    spots = (((wide - above.wide) / 2, -below.high / 2), ((wide - below.wide) / 2, above.high / 2))
    drawn = (
        f'<g transform="translate({number(x)} {number(y)})">{piece.drawn}</g>'
        for (x, y), piece in zip(spots, (above, below), strict=True)
    )
    return Piece(wide, high, "".join(drawn))


def plate(wide: float, high: float) -> str:
    """Return the plate of attackers from its left end: it points up, at those whom they attack."""
    middle, side = wide / 2, number(high / 2)
    return f'<path class="plate" d="M0,-{side} h{number(middle - 5)} l5,-4.5 l5,4.5 h{number(middle - 5)} v{number(high)} h{number(-wide)} z"/>'


def _plate(held: Piece, place: Place, said: str) -> Piece:
    """Return what attackers are on their plate."""
    wide, high = held.wide + 8, max(22, held.high - 3)
    return Piece(
        wide,
        high + 5,
        f'<g data-columns="{escape(place)}" data-units="{said}" transform="translate(0 2)">{plate(wide, high)}'
        f'<g transform="translate(4 0)">{held.drawn}</g></g>',
    )


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
