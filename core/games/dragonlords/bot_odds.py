"""What a fight to the end comes to, exactly, from numbers and T.A.S. alone (QD-10.5 to QD-10.9): magic is left aside."""

from functools import cache
from math import comb
from typing import Final, NamedTuple

__all__ = ["Prospect", "prospect"]

MOST: Final = 14
"""Larger armies are looked at as if both were smaller in the same proportion."""


class Prospect(NamedTuple):
    """What an attack that is fought to the end comes to: the chance to win, and how many of each side are left on average."""

    wins: float
    attackers: float
    defenders: float


@cache
def _hits(dice: int, strength: int) -> tuple[float, ...]:
    """Return the chance of 0, 1, 2 ... hits with so many D6 that hit up to a strength."""
    p = strength / 6
    return tuple(comb(dice, n) * p**n * (1 - p) ** (dice - n) for n in range(dice + 1))


@cache
def _losses(dice: int, strength: int, there: int) -> tuple[float, ...]:
    """Return the chance to lose 0, 1, 2 ... of those that are there; hits beyond them are lost."""
    hits = _hits(dice, strength)
    if dice <= there:
        return hits
    return (*hits[:there], sum(hits[there:]))


@cache
def _to_the_end(attackers: int, defenders: int, attack: int, defence: int) -> Prospect:
    if not attackers or not defenders:
        return Prospect(float(attackers > 0), float(attackers), float(defenders))
    struck, striking = _losses(attackers, attack, defenders), _losses(defenders, defence, attackers)
    wins = left = stand = 0.0
    for ours, p in enumerate(striking):
        for theirs, q in enumerate(struck):
            if ours or theirs:
                after = _to_the_end(attackers - ours, defenders - theirs, attack, defence)
                wins += p * q * after.wins
                left += p * q * after.attackers
                stand += p * q * after.defenders
    again = 1 - striking[0] * struck[0]  # a round in which nobody hits is fought again
    return Prospect(wins / again, left / again, stand / again)


def prospect(attackers: int, defenders: int, attack: int, defence: int) -> Prospect:
    """Return what it comes to when so many units attack so many, at these T.A.S., 1 to 6, and nobody retreats."""
    scale = max(1.0, max(attackers, defenders) / MOST)
    few = [round(count / scale) if count else 0 for count in (attackers, defenders)]
    a, d = (max(1, count) if whole else 0 for count, whole in zip(few, (attackers, defenders), strict=True))
    after = _to_the_end(a, d, max(1, min(6, attack)), max(1, min(6, defence)))
    return Prospect(after.wins, after.attackers * scale, after.defenders * scale)
