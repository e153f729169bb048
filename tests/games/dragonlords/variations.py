"""Variants on record: whole games of two players with two armies each, short games and long ones (QD-23).

    python -m tests.games.dragonlords.variations

Run as a module it records them anew. The sensible bot plays every seat, so each game is lawful from the setup to the end;
`python -m tests.games.dragonlords.variations 40` looks for seeds, when a rule changes what the bots do.
"""

import sys
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, Final

from msgspec import Struct

from core.asking import Ask
from core.deciding import asks
from core.games.dragonlords import RULES
from core.games.dragonlords.battle import BattleBegan
from core.games.dragonlords.bot import choose
from core.games.dragonlords.decks import HandDealt
from core.games.dragonlords.holdings import kingdoms_of
from core.games.dragonlords.phases import EndPhase
from core.kit.table import OpenGame
from core.seats import ARBITER, CHANCE
from tests.driver import Table
from tests.games.dragonlords.campaigns import wild
from tests.games.dragonlords.land import told
from tests.games.dragonlords.recorded import FOLDER, keep

__all__ = ["RECORDS", "VARIATIONS", "Variation", "played", "sensible"]

RECORDS: Final = FOLDER / "variants"
"""Where the recorded games lie."""
FOUR: Final = ("orc", "elf", "dwarf", "barbarian")
TWO_EACH: Final = {"armies": "two"}


def sensible(table: Table, ask: Ask, rng: Random) -> Any:
    """Play as the sensible bot does, on what the seat may see."""
    return choose(table.view(ask.seat), ask, rng.randrange)


class Variation(Struct, frozen=True):
    """A recorded game: how it is opened, from which seed it is played, and what must have come of it."""

    seed: int
    seats: tuple[str, ...]
    options: Mapping[str, str]
    comes_to: Callable[[Table], bool]
    answers: Mapping[str, str] = {}


def _allies_win(how: str) -> Callable[[Table], bool]:
    """Return whether two allied armies won together in a way, neither of them by itself."""

    def won(table: Table) -> bool:
        ended = table.state.ended
        return ended is not None and ended.how == how and ended.winners in table.now.table.players

    return won


def _together(table: Table) -> bool:
    """Return whether allies hold six kingdoms together, each some of them."""
    ended = table.state.ended
    if ended is None or ended.how != "kingdoms":
        return False
    return all(kingdoms_of(table.state, seat) for seat in ended.winners)


def _ally_beats_vanquished(table: Table) -> bool:
    """Return whether an army attacked its vanquished ally (QD-H48)."""
    allies = table.state.allies
    return any(allies.get(battle.attacker) == battle.defender for battle in told(table, BattleBegan))


def _by_kingdoms(table: Table) -> bool:
    ended = table.state.ended
    return ended is not None and ended.how == "kingdoms"


def _over(table: Table) -> bool:
    return table.state.ended is not None


def _many_scrolls(table: Table) -> bool:
    """Return whether a game ended after more scrolls were dealt than each seat begins with."""
    return table.state.ended is not None and len(told(table, HandDealt)) > len(table.now.table.seats)


VARIATIONS: Final[Mapping[str, Variation]] = {
    "allies_by_kings": Variation(3, FOUR, TWO_EACH, _allies_win("kings")),
    "allies_by_kingdoms": Variation(1, FOUR, TWO_EACH, _together),
    "against_the_vanquished_ally": Variation(11, FOUR, TWO_EACH, _ally_beats_vanquished),
    "short_by_three_kingdoms": Variation(
        10, ("orc", "elf"), {"length": "short"}, _by_kingdoms, {"QD-H22": "three_kingdoms"}
    ),
    "short_of_allies": Variation(4, FOUR, {**TWO_EACH, "length": "short"}, _over),
    "long": Variation(2, ("dwarf", "barbarian"), {"length": "long"}, _many_scrolls),
}
"""A recorded game for each variant, and for each way in which allies win."""


def played(variation: Variation, seed: int = 0, name: str = "", most: int = 3000) -> Table:
    """Return a game of a variation from a seed, its own unless said, or as much of it as `most` entries hold."""
    rng = Random(seed or variation.seed)
    table = Table(RULES)
    command: OpenGame[Any] = OpenGame(
        name or "variation",
        RULES.name,
        variation.seats,
        dict(variation.answers),
        "scripted",
        options=dict(variation.options),
    )
    table.must(ARBITER, command)
    while len(table.log) < most and (asked := table.now.question) is not None:
        if asked.answers == (EndPhase,):
            table.must(asked.seats[0], EndPhase())
            continue
        seat = rng.choice(asked.seats)
        if seat == CHANCE:
            (ask,) = asks(table.now, CHANCE)
            table.must(CHANCE, wild(table, ask, rng))
        else:
            ask = table.ask(seat)
            table.must(seat, sensible(table, ask, rng))
    return table


def record() -> None:
    """Play the recorded games again, and write them."""
    for name, variation in VARIATIONS.items():
        table = played(variation, name=name)
        assert variation.comes_to(table), f"{name}: look for another seed"
        keep(RECORDS / f"{name}.jsonl", table)


def search(tries: int, names: Sequence[str] = ()) -> None:
    """Say by which of the first seeds variations come to what they must, and in how many entries; all unless named."""
    for name in names or VARIATIONS:
        variation = VARIATIONS[name]
        found = {seed: played(variation, seed) for seed in range(1, tries + 1)}
        fit = {seed: len(table.log) for seed, table in found.items() if variation.comes_to(table)}
        print(name, fit, file=sys.stderr)


if __name__ == "__main__":
    search(int(sys.argv[1]), sys.argv[2:]) if sys.argv[1:] else record()
