"""A village fair: a toy game in which every booth is a shape that some real game has."""

from collections.abc import Iterable
from typing import Any

from core.rulebook import load_rulebook
from core.rules import Rules
from core.telling import Tale

from . import auction, coins, deck, hail, knives, maze, ox, scrolls, spoils, turns, wheel
from .ox import HORN
from .state import Fair, sound, start

CHAPTERS: tuple[Any, ...] = (turns, scrolls, deck, hail, auction, spoils, maze, wheel, coins, knives, ox)


def _gather(name: str) -> tuple[Any, ...]:
    gathered: list[Iterable[Any]] = [getattr(chapter, name, ()) for chapter in CHAPTERS]
    return tuple(kind for kinds in gathered for kind in kinds)


def begin(tale: Tale[Fair]) -> None:
    """Lay the first turn; before it each player draws two fortunes where the game opens with hands."""
    dealt = tale.table.options["hands"] == "dealt"
    seats = tale.table.seats
    draws = [deck.Drawing(seat) for _ in range(2) for seat in seats] if dealt else []
    tale.then(*draws, turns.Turn(seats[0]))


RULES: Rules[Fair] = Rules(
    package=__name__,
    revision=1,
    rulebook=load_rulebook(__name__),
    seats=("red", "blue", "green", "gold"),
    least=2,
    commands=_gather("COMMANDS"),
    facts=_gather("FACTS"),
    setup=_gather("SETUP"),
    steps=_gather("STEPS"),
    start=start,
    begin=begin,
    sound=sound,
    dice={"horn": HORN},
    options={"hands": ("empty", "dealt")},
)
