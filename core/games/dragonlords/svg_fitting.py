"""How pieces are fitted into the room of a place: one row below the other, smaller where they would not fit."""

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Final, NamedTuple

from .board import SPACES, TERRITORIES
from .state import Place
from .svg_layout import Point, at, outline, quay
from .svg_map import named_until
from .svg_pieces import Piece
from .svg_words import number

__all__ = ["Room", "Spot", "best", "is_legible", "room_of"]

_GAP: Final = 3
"""How many pixels are left between two rows."""
_RIM: Final = 6
"""How many pixels within its outline a place is left free, for the rim that says who holds it."""
_LEAST: Final = 1.01
"""How many times as large as they must be words are drawn at least: a little more than once, for scales are rounded."""
_SIGNED: Final = frozenset(
    place for place, land in TERRITORIES.items() if land.kind in ("gold", "teleportal")
)
"""The territories with a sign in their lower left corner, which takes from the room there."""


_DISC: Final = 9.5
"""How far the disc of an anchor reaches, with its rim, in pixels."""


class Spot(NamedTuple):
    """Where a row of pieces stands: its left end and middle in the picture, and how much smaller it is drawn."""

    row: Piece
    x: float
    y: float
    scale: float

    def drawn(self) -> str:
        """Return the row in its spot."""
        where = f"translate({number(self.x)} {number(self.y)})"
        return f'<g transform="{where} scale({self.scale:.3g})">{self.row.drawn}</g>'


Spots = tuple[Spot, ...]


class Room(NamedTuple):
    """The room of a place between two heights, in pixels from its middle, or a part of it: so wide, so far aside."""

    place: Place
    top: float
    bottom: float
    aside: float = 0
    wide: float = 0

    def laid(self, rows: Sequence[Piece]) -> Spots:
        """Return rows laid one below the other."""
        high = sum(row.high for row in rows) + _GAP * (len(rows) - 1)
        room = self.bottom - self.top
        fit = min(1.0, room / high) if rows else 1
        x, y = at(self.place)
        gap = _GAP * fit + max(0, min(4, (room - high) / (len(rows) + 1)))
        line = (self.top + self.bottom - (high * fit + (gap - _GAP * fit) * (len(rows) - 1))) / 2
        spots = []
        for row in rows:
            tall = row.high * fit
            scale = min(fit, (self.wide or self._across(line, line + tall)) / row.wide)
            spots.append(Spot(row, x + self.aside - row.wide * scale / 2, y + line + tall / 2, scale))
            line += tall + gap
        return tuple(spots)

    def _across(self, above: float, below: float) -> float:
        """Return how wide the place is for a row between two heights."""
        held = outline(self.place)
        half = held.half_width(max(abs(above), abs(below))) - (_RIM - 1)
        if self.place in _SIGNED and below > held.high - 11:
            half -= 4
        beside = (abs(x) - _DISC for x, y in _quays(self.place) if above - _DISC < y < below + _DISC)
        return 2 * min(half, *beside, half)


@cache
def _quays(zone: Place) -> Sequence[Point]:
    """Return where the anchors of harbours on a zone lie, from its middle."""
    x, y = at(zone)
    lands = (place for place, land in TERRITORIES.items() if land.harbour_zone == zone)
    quays = (quay(place) for place in lands)
    return tuple((to_x - x, to_y - y) for to_x, to_y in quays)


def room_of(place: Place) -> Room:
    """Return the room of a place below its name."""
    return Room(place, named_until(place), outline(place).high - (_RIM if place not in SPACES else 3))


def best(room: Room, ways: Iterable[Sequence[Piece]]) -> Spots:
    """Return the way to lay out a room in which the smallest words are largest; of several the first."""
    return max((room.laid(rows) for rows in ways), key=_large)


def is_legible(spots: Spots) -> bool:
    """Return whether all words in these spots are large enough to be read."""
    return _large(spots) >= _LEAST


def _large(spots: Spots) -> float:
    return min((spot.row.large * spot.scale for spot in spots), default=99)
