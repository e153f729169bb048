"""The pieces that stand on the board, each drawn with the size that it takes: badges, counts, chips, gold, ships, plates."""

from collections import Counter
from collections.abc import Iterable, Iterator
from html import escape
from typing import Final, NamedTuple

from events.event import Seat

from .state import Army, Place, War, chips_at, is_shaded, is_treasure
from .svg_signs import crown, empty_ship, ship, star
from .svg_style import OWNERS
from .svg_words import number, text, wide

__all__ = [
    "Piece",
    "badge",
    "beside",
    "chip",
    "coin",
    "count",
    "force",
    "marked",
    "plate",
    "scaled",
    "ships",
    "stack",
    "stacked",
    "stars",
    "store",
]

_CHIP: Final = {"king": "K", "wizard": "W", "blank": ""}
"""What is written on a chip: a decoy is blank, as it is on the table; all others are treasures."""
_ORDER: Final = ("K", "W", "T", "")


class Piece(NamedTuple):
    """Something drawn, so many pixels wide and high; its left end is at x = 0, its middle at y = 0."""

    wide: float
    high: float
    drawn: str

    def named(self, **data: str) -> "Piece":
        """Return the piece as a group that says what it is: `fleet="S1"` is `data-fleet`."""
        said = "".join(f' data-{name}="{escape(value)}"' for name, value in data.items())
        return self._replace(drawn=f"<g{said}>{self.drawn}</g>")


def _moved(piece: Piece, x: float, y: float = 0) -> str:
    return f'<g transform="translate({number(x)} {number(y)})">{piece.drawn}</g>' if x or y else piece.drawn


def beside(pieces: Iterable[Piece], gap: float) -> Piece:
    """Return pieces beside one another as one."""
    drawn, x, high = [], 0.0, 0.0
    for piece in pieces:
        drawn.append(_moved(piece, x))
        x += piece.wide + gap
        high = max(high, piece.high)
    return Piece(max(0, x - gap), high, "".join(drawn))


def stacked(above: Piece, below: Piece) -> Piece:
    """Return two pieces one below the other as one."""
    across, high = max(above.wide, below.wide), above.high + below.high
    upper = _moved(above, (across - above.wide) / 2, -below.high / 2)
    return Piece(across, high, upper + _moved(below, (across - below.wide) / 2, above.high / 2))


def scaled(piece: Piece, scale: float) -> Piece:
    """Return a piece drawn larger or smaller."""
    drawn = f'<g transform="scale({scale:.3g})">{piece.drawn}</g>' if scale != 1 else piece.drawn
    return Piece(piece.wide * scale, piece.high * scale, drawn)


def marked(across: float, high: float, drawn: str, lower: float = 0) -> Piece:
    """Return a sign that is drawn around (0, 0), with what is written in it, as a piece."""
    where = f"{number(across / 2)} {number(lower)}"
    return Piece(across, high, f'<g class="mark" transform="translate({where})">{drawn}</g>')


def count(said: str, kind: str = "count") -> Piece:
    """Return a number of units; `few` is the smaller kind."""
    return Piece(wide(said, kind), 18, text(kind, 0, 7 if kind == "count" else 4.5, said))


def badge(war: War, seat: Seat) -> Piece:
    """Return the shape of an owner with his letter in it, its rim broken when his king is lost."""
    name, owner = (seat, OWNERS[seat]) if seat and seat in OWNERS else ("nobody", OWNERS[""])
    out = " out" if seat in war.out else ""
    letter = text(f"letter on-{name}", 0, 5, owner.letter)
    return marked(28, 28, f'<path class="badge of-{name}{out}" d="{owner.shape}"/>{letter}')


def stars(dragonlords: int, kind: str = "count") -> list[Piece]:
    """Return a star and how many DragonLords, or nothing when there are none."""
    if not dragonlords:
        return []
    one = marked(17, 18, star())
    return [one if kind == "count" else scaled(one, 0.8), count(str(dragonlords), kind)]


def force(war: War, army: Army) -> Piece:
    """Return an owner's badge, how many units unless there are none, and a star and a number for DragonLords."""
    units = [count(str(army.units))] if army.units or not army.dragonlords else []
    return beside((badge(war, army.seat), *units, *stars(army.dragonlords)), 2)


def chip(kind: str, letter: str, alike: int = 1) -> Piece:
    """Return a chip with a letter, `kind` is shown, known or maybe; of several alike how many there are."""
    ink = "sign" if kind == "maybe" else "sign on-gold"
    said = text(ink, 0, 3.6, letter) if letter else ""
    one = marked(15, 15, f'<circle class="chip {kind}" r="6.8"/>{said}')
    return one if alike == 1 else beside((one, count(f"×{alike}", "few")), 1)


def stack(war: War, seat: Seat, place: Place, known_to: frozenset[Seat]) -> Iterator[Piece]:
    """Yield the chips of a stack, if any, as one piece: what everybody sees, and what the reader knows.

    Where he knows of none, `?` stands where one may lie, unless the seat is one whose chips are all known to him, or one
    that lost its king and has no treasure: it has no chips any more (QD-22.1).
    """
    counted = Counter(
        (
            "shown" if lying.shown else "known",
            "T" if is_treasure(name) else _CHIP[name.split(".")[1]],
        )
        for name, lying in chips_at(war, seat, place).items()
    )
    order = sorted(counted, key=lambda each: (_ORDER.index(each[1]), each[0]))
    chips = [chip(kind, letter, counted[kind, letter]) for kind, letter in order]
    lost_all = seat in war.out and not war.hoards.get(seat)
    if not chips and is_shaded(war, seat, place) and seat not in known_to and not lost_all:
        chips = [chip("maybe", "?")]
    if chips:
        yield beside(chips, 1).named(chips=place, of=seat)


def coin(gold: int) -> Piece:
    """Return gold: how much, on a coin that is as wide as the number."""
    across = max(18, wide(str(gold), "sign") + 8)
    drawn = (
        f'<rect class="coin" x="{number(-across / 2)}" y="-9" width="{number(across)}" height="18" rx="9"/>'
    )
    return marked(across, 18, drawn + text("sign on-gold", 0, 3.6, str(gold)))


def store(war: War, place: Place) -> Piece:
    """Return the crown of a kingdom, and the gold that is stored there (QD-2.2)."""
    gold = war.gold.get(place, 0)
    return beside((marked(17, 14, crown()), *([coin(gold)] if gold else [])), 2).named(gold=str(gold))


def ships(number_of: int, place: Place, what: str) -> Piece:
    """Return ships and how many unless it is one; `what` is fleet, raiders or docked, which have no crew."""
    one = marked(19, 17, empty_ship() if what == "docked" else ship(), 1)
    held = beside((one, count(str(number_of), "few")), 1) if number_of > 1 else one
    return held.named(**{what: place})


def plate(across: float, high: float) -> str:
    """Return the plate of attackers from its left end: it points up, at those whom they attack."""
    middle, side = number(across / 2 - 5), number(high / 2)
    return (
        f'<path class="plate" d="M0,-{side} h{middle} l5,-4.5 l5,4.5 h{middle} '
        f'v{number(high)} h{number(-across)} z"/>'
    )
