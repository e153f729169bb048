"""Lawful play at random from positions at random, for laws: who sits, what the house answers, and what is put off."""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from core.games.dragonlords import RULES
from core.games.dragonlords.state import RACES
from core.telling import Moment
from tests.driver import Choice, Table, choices, given

__all__ = ["Chooser", "Position", "go_on", "played", "putting_off"]

Position = Callable[[int, Sequence[str]], Sequence[Any]]
"""The set-up facts of a position, by a seed and the seats."""

Chooser = Callable[[Moment[Any], Random], Choice | None]
"""A lawful command at random, or nothing when nobody is asked."""


def putting_off(tries: int, *kinds: type) -> Chooser:
    """Return what chooses a lawful command at random, and takes another, so many times, for one of these kinds."""

    def choose(now: Moment[Any], random: Random) -> Choice | None:
        choice = choices(now, random.randrange)
        for _ in range(tries):
            if choice is None or not isinstance(choice.command, kinds):
                break
            choice = choices(now, random.randrange)
        return choice

    return choose


def go_on(table: Table, random: Random, entries: int, choose: Chooser) -> Table:
    """Let a game go on for so many entries, or to its end."""
    for _ in range(entries):
        choice = choose(table.now, random)
        if choice is None:
            break
        table.must(choice.seat, choice.command)
    return table


def played(position: Position, choose: Chooser, seed: int, entries: int) -> Table:
    """Return what was played in a position by two to four seats, with answers to some points at random."""
    random = Random(seed)
    seats = tuple(RACES)[: random.randint(2, 4)]
    answers = {
        point.id: random.choice(point.answer).id for point in RULES.rulebook.point if random.random() < 0.3
    }
    table = given(RULES, *position(seed, seats), seats=seats, answers=answers)
    return go_on(table, random, entries, choose)
