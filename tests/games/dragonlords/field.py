"""Battlefields for tests: a position, and the commands of a battle in few words."""

from collections.abc import Sequence
from typing import Any

from core.games.dragonlords import RULES
from core.games.dragonlords.armies import UnitsLost
from core.games.dragonlords.losses import TakeLosses
from core.games.dragonlords.position import TurnSet, UnitsSet
from core.kit.chance import AnswerRoll
from core.seats import CHANCE
from events.chance import Hits, Rolled
from tests.driver import Table, given

__all__ = ["at_war", "lose", "losses", "roll", "strengths"]


def at_war(*position: Any, seats: Sequence[str] = ("orc", "elf"), **answers: str) -> Table:
    """Return a table in phase 4 of the first seat; `X61="extra"` answers a point."""
    return given(
        RULES,
        TurnSet(seats[0]),
        *position,
        seats=seats,
        answers={f"QD-{point}": answer for point, answer in answers.items()},
    )


def roll(table: Table, *faces: int) -> Table:
    """Let chance answer the roll that is open."""
    return table.when(CHANCE, AnswerRoll(faces))


def lose(**kinds: int) -> TakeLosses:
    """Return the command to lose so many of each kind; chips are written with _ for the dots."""
    return TakeLosses({kind.replace("__", "."): count for kind, count in kinds.items()})


def losses(table: Table) -> list[tuple[str, int]]:
    """Return who lost how many, in the order that the last command told them."""
    return [(fact.seat, fact.count) for fact in table.told if isinstance(fact, UnitsLost)]


def strengths(table: Table) -> list[tuple[str, int, int]]:
    """Return for each roll that the whole log tells: whose, how many dice, and the T.A.S. at which they hit."""
    return [
        (fact.owner, len(fact.faces), len(fact.counts.faces))
        for told in table.log
        for fact in told.entry.facts
        if isinstance(fact, Rolled) and isinstance(fact.counts, Hits)
    ]


def home(seat: str, place: str, count: int = 1) -> UnitsSet:
    """Return that units of a seat hold a place."""
    return UnitsSet(seat, place, count)
