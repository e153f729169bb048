"""Seats that are no player's."""

from typing import Final

from events.event import Seat

__all__ = ["ARBITER", "CHANCE", "is_player"]

CHANCE: Final[Seat] = "chance"
"""Dice and cards."""
ARBITER: Final[Seat] = "arbiter"
"""Who rules, corrects and opens games."""


def is_player(seat: Seat) -> bool:
    """Return whether a seat is a player's."""
    return seat not in (CHANCE, ARBITER)
