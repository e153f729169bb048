"""The pieces that stand on the board, each drawn with the size that it takes: badges, counts, chips, gold, ships, plates."""

from collections import Counter
from collections.abc import Iterable, Iterator
from html import escape
from typing import Final, NamedTuple

from events.event import Seat

from .picture import may_hide
from .state import Army, Place, War, chips_at, is_treasure
from .svg_signs import crown, empty_ship, ship, star
from .svg_style import OWNERS, TEXTS
from .svg_words import number, text, wide

__all__ = [
    "Piece",
    "badge",
    "beside",
    "chip",
    "chip_on_another",
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
_NUMBER: Final = 7
"""How large the letters of a number must be to be read, in pixels."""
_SIGN: Final = 6.4
"""How large the letter of an owner or a chip must be, in pixels: shape and disc say it too."""


class Piece(NamedTuple):
    """Something drawn, so many pixels wide and high; its left end is at x = 0, its middle at y = 0."""

    wide: float
    high: float
    drawn: str
    large: float = 99
    """How many times as large as they must be to be read its smallest words are."""

    def named(self, **data: str) -> "Piece":
        """Return the piece as a group that says what it is: `fleet="S1"` is `data-fleet`."""
        said = "".join(f' data-{name}="{escape(value)}"' for name, value in data.items())
        return self._replace(drawn=f"<g{said}>{self.drawn}</g>")


def _moved(piece: Piece, x: float, y: float = 0) -> str:
    return f'<g transform="translate({number(x)} {number(y)})">{piece.drawn}</g>' if x or y else piece.drawn


def beside(pieces: Iterable[Piece], gap: float) -> Piece:
    """Return pieces beside one another as one."""
    drawn, x, high, large = [], 0.0, 0.0, 99.0
    for piece in pieces:
        drawn.append(_moved(piece, x))
        x += piece.wide + gap
        high, large = max(high, piece.high), min(large, piece.large)
    return Piece(max(0, x - gap), high, "".join(drawn), large)


def stacked(above: Piece, below: Piece) -> Piece:
    """Return two pieces one below the other as one."""
    across, high = max(above.wide, below.wide), above.high + below.high
    upper = _moved(above, (across - above.wide) / 2, -below.high / 2)
    lower = _moved(below, (across - below.wide) / 2, above.high / 2)
    return Piece(across, high, upper + lower, min(above.large, below.large))


def scaled(piece: Piece, scale: float) -> Piece:
    """Return a piece drawn larger or smaller."""
    drawn = f'<g transform="scale({scale:.3g})">{piece.drawn}</g>' if scale != 1 else piece.drawn
    return Piece(piece.wide * scale, piece.high * scale, drawn, piece.large * scale)


def marked(across: float, high: float, drawn: str, *, lower: float = 0, large: float = 99) -> Piece:
    """Return a sign that is drawn around (0, 0), with what is written in it (so `large`), as a piece."""
    where = f"{number(across / 2)} {number(lower)}"
    return Piece(across, high, f'<g class="mark" transform="translate({where})">{drawn}</g>', large)


def count(said: str, kind: str = "count") -> Piece:
    """Return a number of units; `few` is the smaller kind."""
    drawn = text(kind, 0, 7 if kind == "count" else 4.5, said)
    return Piece(wide(said, kind), 18, drawn, TEXTS[kind].size / _NUMBER)


def badge(war: War, seat: Seat) -> Piece:
    """Return the shape of an owner with his letter in it, its rim broken when his king is lost."""
    name, owner = (seat, OWNERS[seat]) if seat and seat in OWNERS else ("nobody", OWNERS[""])
    out = " out" if seat in war.out else ""
    letter = text(f"letter on-{name}", 0, 5, owner.letter)
    shape = f'<path class="badge of-{name}{out}" d="{owner.shape}"/>'
    return marked(28, 28, shape + letter, large=TEXTS["letter"].size / _SIGN)


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
    one = _chips(15, _disc(kind, letter))
    return one if alike == 1 else beside((one, count(f"×{alike}", "few")), 1)


def _chips(across: float, drawn: str) -> Piece:
    return marked(across, 15, drawn, large=TEXTS["sign"].size / _SIGN)


def _disc(kind: str, letter: str) -> str:
    ink = "sign" if kind == "maybe" else "sign on-gold"
    return f'<circle class="chip {kind}" r="6.8"/>{text(ink, 0, 3.6, letter) if letter else ""}'


def chip_on_another(kind: str, letter: str) -> Piece:
    """Return a chip that lies on one which may be there too: its `?` looks out on the right (QD-H42)."""
    behind = f'<circle class="chip maybe" cx="9.4" r="6.8"/>{text("sign", 11, 3.6, "?")}'
    return _chips(24.4, f'<g transform="translate(-4.7 0)">{behind}{_disc(kind, letter)}</g>')


def stack(war: War, seat: Seat, place: Place, known_to: frozenset[Seat]) -> Iterator[Piece]:
    """Yield the chips of a stack, if any, as one piece: what everybody sees, and what the reader knows.

    `?` stands where another may lie of which he does not know; `known_to` are the seats whose chips he knows.
    """
    lying = chips_at(war, seat, place)
    counted = Counter(
        ("shown" if each.shown else "known", "T" if is_treasure(name) else _CHIP[name.split(".")[1]])
        for name, each in lying.items()
    )
    order = sorted(counted, key=lambda each: (_ORDER.index(each[1]), each[0]))
    chips = [chip(kind, letter, counted[kind, letter]) for kind, letter in order]
    if may_hide(war, seat, place, len(lying), known_to):
        if order and counted[order[-1]] == 1:
            chips[-1] = chip_on_another(*order[-1])
        else:
            chips.append(chip("maybe", "?"))
    if chips:
        yield beside(chips, 1).named(chips=place, of=seat)


def coin(gold: int) -> Piece:
    """Return gold: how much, on a coin that is as wide as the number."""
    across = max(18, wide(str(gold), "sign") + 8)
    drawn = (
        f'<rect class="coin" x="{number(-across / 2)}" y="-9" width="{number(across)}" height="18" rx="9"/>'
    )
    drawn += text("sign on-gold", 0, 3.6, str(gold))
    return marked(across, 18, drawn, large=TEXTS["sign"].size / _NUMBER)


def store(war: War, place: Place) -> Piece:
    """Return the crown of a kingdom, and the gold that is stored there (QD-2.2)."""
    gold = war.gold.get(place, 0)
    return beside((marked(17, 14, crown()), *([coin(gold)] if gold else [])), 2).named(gold=str(gold))


def ships(number_of: int, place: Place, what: str) -> Piece:
    """Return ships and how many unless it is one; `what` is fleet, raiders or docked, which have no crew."""
    one = marked(19, 17, empty_ship() if what == "docked" else ship(), lower=1)
    held = beside((one, count(str(number_of), "few")), 1) if number_of > 1 else one
    return held.named(**{what: place})


def plate(across: float, high: float) -> str:
    """Return the plate of attackers from its left end: it points up, at those whom they attack."""
    middle, side = number(across / 2 - 5), number(high / 2)
    return (
        f'<path class="plate" d="M0,-{side} h{middle} l5,-4.5 l5,4.5 h{middle} '
        f'v{number(high)} h{number(-across)} z"/>'
    )
