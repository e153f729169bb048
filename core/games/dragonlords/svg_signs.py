"""The signs of the picture, each drawn around a point of its own, (0, 0)."""

from typing import Final

from .svg_words import number

__all__ = [
    "SHIP",
    "STAR",
    "anchor",
    "crown",
    "dots",
    "empty_ship",
    "nugget",
    "peaks",
    "pick",
    "portal",
    "ship",
    "star",
]

SHIP: Final = "m-9,2 h18 l-4,6 h-10 z m8,-1 v-12 l8,10 z m-2,0 v-9 l-6,9 z"
STAR: Final = "m0,-8 l2.4,5.2 l5.6,.6 l-4.2,3.8 l1.2,5.6 l-5,-2.9 l-5,2.9 l1.2,-5.6 l-4.2,-3.8 l5.6,-.6 z"


def anchor() -> str:
    """Return an anchor: a harbour (QD-2.7)."""
    return '<path class="anchor" d="M0,-5 v10.5 m-5,-4 q1,4 5,4 q4,0 5,-4 m-8,-4 h6 m-3,-3 a1.5,1.5 0 1 1 .1,0"/>'


def crown() -> str:
    """Return a crown: a kingdom (QD-2.2)."""
    return '<path class="crown" d="M-7,5 l-1,-9 l4.5,4 l3.5,-6 l3.5,6 l4.5,-4 l-1,9 z"/>'


def nugget() -> str:
    """Return a nugget: a territory that yields gold (QD-2.4)."""
    return '<path class="nugget" d="M-6,0.5 l3,-5.5 l6,0 l3,5.5 l-3,4.5 l-6,0 z"/>'


def pick() -> str:
    """Return a pick: a mine (QD-2.4)."""
    return '<path class="pick" d="M-6,6 l11,-11 m-7,-1.5 q7,-1.5 8.5,7.5"/>'


def portal() -> str:
    """Return a gate: a teleportal (QD-2.6)."""
    return '<path class="portal" d="M-4,0 a4,6 0 1 1 8,0 a4,6 0 1 1 -8,0"/>'


def ship() -> str:
    """Return a ship."""
    return f'<path class="ship" d="M0,0 {SHIP}"/>'


def dots() -> str:
    """Return three dots: what else stands here is told below the board."""
    return "".join(f'<circle class="dot" cx="{x}" r="2.2"/>' for x in (-6, 0, 6))


def empty_ship() -> str:
    """Return a ship with its sails furled: nobody is aboard (QD-5.2)."""
    return '<path class="ship" d="M-9,2 h18 l-4,6 h-10 z"/><path class="mast" d="M0,2 v-14 m-6,3.5 h12"/>'


def star() -> str:
    """Return a star: a DragonLord."""
    return f'<path class="lord" d="M0,0 {STAR}"/>'


def peaks(start: tuple[float, float], end: tuple[float, float], where: tuple[float, ...]) -> str:
    """Return mountains on a line between two points, at these parts of it."""
    (ax, ay), (bx, by) = start, end
    spots = ((ax + (bx - ax) * part, ay + (by - ay) * part) for part in where)
    return "".join(
        f'<path class="peak" d="M{number(x - 6)},{number(y + 5)} l6,-11 l6,11 z"/>' for x, y in spots
    )
