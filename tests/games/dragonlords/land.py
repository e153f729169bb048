"""Words for the tests of DragonLords on land: who stands where, whose phase it is, and a setup played by silence."""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from core.asking import Ask
from core.games.dragonlords import RULES
from core.games.dragonlords.position import GoldSet, TurnSet, UnitsSet
from core.kit.chance import AnswerRoll, Deal
from core.seats import CHANCE
from tests.driver import Table, given

F = TypeVar("F")

THREE = ("orc", "elf", "dwarf")


def stands(seat: str, /, **places: int) -> tuple[UnitsSet, ...]:
    """Return that a seat holds these places with so many units."""
    return tuple(UnitsSet(seat, place, count) for place, count in places.items())


def gold(**places: int) -> tuple[GoldSet, ...]:
    """Return that so much gold lies in these kingdoms."""
    return tuple(GoldSet(place, count) for place, count in places.items())


def phase(
    seat: str, name: str, *position: Any, seats: tuple[str, ...] = THREE, **more: Mapping[str, str]
) -> Table:
    """Return a table at which a phase of a seat has begun on a position."""
    return given(RULES, *position, TurnSet(seat, name), seats=seats, **more)


def opened(
    *seats: str,
    first: str = "",
    answers: Mapping[str, str] | None = None,
    options: Mapping[str, str] | None = None,
) -> Table:
    """Return a table at which the scrolls are dealt and the crystal die has chosen who begins."""
    table = given(RULES, seats=seats or THREE, answers=answers, options=options)
    for _ in table.now.table.seats:
        table.must(CHANCE, Deal("reflect" if table.now.state.held else "legion"))
    while (asked := table.now.question) is not None and asked.roll is not None:
        chosen = asked.roll.owner == (first or table.now.table.seats[0])
        table.must(CHANCE, AnswerRoll(("yellow" if chosen else "blue",)))
    return table


def silently(table: Table, until: Callable[[Table], bool], most: int = 2000) -> Table:
    """Let silence answer for every player until something holds."""
    for _ in range(most):
        if until(table):
            return table
        question = table.now.question
        assert question is not None, "nobody is asked any more"
        assert question.roll is None, f"dice are asked: {question.roll}"
        ask = table.ask(question.seats[0])
        assert ask.silence is not None
        table.must(ask.seat, ask.silence)
    raise AssertionError(f"{most} entries of silence did not lead there")


def until_asked(table: Table, kind: str) -> Table:
    """Let silence answer until a question of this kind is open."""
    return silently(table, lambda table: table.now.question is not None and table.now.question.kind == kind)


def offered(ask: Ask, command: type[Any]) -> list[Any]:
    """Return the offers of a command in an ask."""
    return [offer for offer in ask.offers if offer.command is command]


def is_offered(table: Table, seat: str, command: Any) -> bool:
    """Return whether a seat is offered exactly this command now."""
    return any(offer.allows(command) for offer in table.ask(seat).offers)


def told(table: Table, fact: type[F]) -> list[F]:
    """Return the facts of a kind in the whole log."""
    return [each for one in table.log for each in one.entry.facts if isinstance(each, fact)]


def holders(table: Table) -> dict[str, tuple[str, int]]:
    """Return who holds each place, with how many units."""
    return {place: (army.seat, army.size) for place, army in table.state.armies.items()}
