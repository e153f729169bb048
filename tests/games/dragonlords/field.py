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

__all__ = ["at_war", "dice_due", "home", "lose", "losses", "roll", "silent", "strengths", "until"]


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


def until(table: Table, kind: str) -> Table:
    """Let dice miss and silence answer for everybody until a question of this kind is open."""
    for _ in range(100):
        question = table.now.question
        assert question is not None, f"nobody is asked {kind}"
        if question.kind == kind:
            return table
        if question.roll is not None:
            roll(table, *[6] * question.roll.count)
        else:
            silent(table)
    raise AssertionError(f"{kind} is never asked")


def silent(table: Table) -> Table:
    """Let the silence of whoever is asked answer."""
    question = table.now.question
    assert question is not None
    seat = question.seats[0]
    silence = table.ask(seat).silence
    assert silence is not None
    return table.when(seat, silence)


def dice_due(table: Table) -> int:
    """Return how many dice are asked for."""
    question = table.now.question
    assert question is not None
    assert question.roll is not None, f"{question.kind} is asked"
    return question.roll.count


def home(seat: str, place: str, count: int = 1) -> UnitsSet:
    """Return that units of a seat hold a place."""
    return UnitsSet(seat, place, count)
