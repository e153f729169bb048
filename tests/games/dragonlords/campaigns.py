"""Whole games on land, played by seats of different tempers; run as a module, it records one of each ending anew.

    python -m tests.games.dragonlords.campaigns

Every temper chooses among what its seat is offered, so each game is lawful from the setup to the end.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, Final

from core.asking import Ask, Offer, OneOf
from core.deciding import asks
from core.games.dragonlords import RULES
from core.games.dragonlords.board import KINGDOMS, NEIGHBOURS
from core.games.dragonlords.hiding import HideChip
from core.games.dragonlords.holdings import kingdoms_of
from core.games.dragonlords.land_combat import Attack
from core.games.dragonlords.purchase import BuyUnits
from core.games.dragonlords.reinforcements import PlaceUnits
from core.games.dragonlords.retreat import Continue
from core.games.dragonlords.state import War
from core.games.dragonlords.transfer import Transfer
from core.seats import CHANCE
from tests.driver import Table, given
from tests.games.dragonlords.recorded import keep

__all__ = ["ENDINGS", "LAND", "campaign", "cautious", "conquering", "hunting", "lonely", "wild"]

LAND: Final = Path(__file__).parents[3] / "fixtures" / "dragonlords" / "land"
"""Where the recorded games lie."""
Temper = Callable[[Table, Ask, Random], Any]
"""Chooses a command that an ask offers."""


def wild(table: Table, ask: Ask, rng: Random) -> Any:
    """Do anything that is offered."""
    return rng.choice(ask.offers).sample(rng.randrange)


def cautious(table: Table, ask: Ask, rng: Random) -> Any:
    """Set up as it comes, and then do nothing that is not owed."""
    return wild(table, ask, rng) if ask.question.kind in ("claim", "add_unit", "hide") else ask.silence


def conquering(table: Table, ask: Ask, rng: Random) -> Any:
    """March on the kingdoms of the others with all that can be spared."""
    war, seat = table.view(ask.seat).state, ask.seat
    goals = [place for place in KINGDOMS if place not in kingdoms_of(war, seat)]
    plans = {
        "buy": _buys,
        "combat": _attacks,
        "transfer": _advances,
        "place": _musters,
        "choice": _fights_on,
    }
    plan = plans.get(ask.question.kind)
    chosen = plan(war, ask, goals) if plan and goals else None
    return chosen or cautious(table, ask, rng)


def lonely(table: Table, ask: Ask, rng: Random) -> Any:
    """Hide each chip where a unit stands alone, and then do nothing that is not owed."""
    if ask.question.kind != "hide":
        return cautious(table, ask, rng)
    (offer,) = ask.offers
    places = _values(offer, "place")
    alone = [place for place in places if table.state.armies[place].size == 1]
    return HideChip(_values(offer, "chip")[0], rng.choice(alone or places))


def hunting(table: Table, ask: Ask, rng: Random) -> Any:
    """Lead the king in person against the other king, and meet him alone; the driver knows where he hides."""
    war, seat = table.state, ask.seat
    king = war.chips.get(f"{seat}.king")
    rival = next((chip for name, chip in war.chips.items() if name.endswith(".king") and chip != king), None)
    if ask.question.kind == "hide":
        return ask.silence
    if king is None or rival is None or war.columns or ask.question.kind not in ("combat", "transfer"):
        return cautious(table, ask, rng)
    steps = _distances(rival.place)
    command = Attack if ask.question.kind == "combat" else Transfer
    for offer in _of(ask, command):
        fields: Any = offer.fields
        if fields["origin"] == king.place and fields["leading"].of == (f"{seat}.king",):
            nearest = min(_values(offer, "target"), key=lambda place: steps.get(place, 99))
            if steps.get(nearest, 99) < steps.get(king.place, 99):
                units = fields["units"].low if nearest == rival.place else fields["units"].high
                return command(nearest, king.place, units, leading=fields["leading"].of)
    return cautious(table, ask, rng)


@cache
def _distances(goal: str) -> Mapping[str, int]:
    """Return how many steps over land each territory is from a goal."""
    found, edge = {goal: 0}, [goal]
    while edge:
        place = edge.pop(0)
        for there in NEIGHBOURS[place]:
            if there not in found:
                found[there] = found[place] + 1
                edge.append(there)
    return found


def _of(ask: Ask, command: type[Any]) -> Iterator[Offer]:
    return (offer for offer in ask.offers if offer.command is command)


def _values(offer: Offer, field: str) -> tuple[str, ...]:
    held = offer.fields[field]
    return held.values if isinstance(held, OneOf) else (str(held),)


def _steps(place: str, goals: list[str]) -> int:
    return min(_distances(goal).get(place, 99) for goal in goals)


def _unled(ask: Ask, command: type[Any]) -> Iterator[tuple[str, str, int]]:
    """Yield from where to where how many units may go without a king or wizard."""
    for offer in _of(ask, command):
        fields: Any = offer.fields
        if not fields["leading"].of and not fields["dragonlords"] and "gatekeeper" not in fields:
            for target in _values(offer, "target"):
                yield str(fields["origin"]), target, fields["units"].high


def _buys(war: War, ask: Ask, goals: list[str]) -> Any:
    for offer in _of(ask, BuyUnits):
        return BuyUnits(offer.fields["units"].high)  # type: ignore[union-attr]
    return None


def _attacks(war: War, ask: Ask, goals: list[str]) -> Any:
    if war.columns:
        return ask.silence
    best: tuple[Any, ...] = ()
    for origin, target, units in _unled(ask, Attack):
        army = war.armies.get(target)
        odds = units - (army.size if army is not None else 0) - (target in KINGDOMS)
        gain = _steps(origin, goals) - _steps(target, goals)
        if gain > 0 and odds > 0:
            best = max(best, (target in KINGDOMS, odds, target, origin, units))
    return Attack(best[2], best[3], best[4]) if best else None


def _advances(war: War, ask: Ask, goals: list[str]) -> Any:
    for origin, target, units in _unled(ask, Transfer):
        if _steps(target, goals) < _steps(origin, goals):
            return Transfer(target, origin, units)
    return None


def _musters(war: War, ask: Ask, goals: list[str]) -> Any:
    for offer in _of(ask, PlaceUnits):
        pool: Any = offer.fields["units"]
        return PlaceUnits({min(pool.pool, key=lambda place: _steps(place, goals)): pool.high})
    return None


def _fights_on(war: War, ask: Ask, goals: list[str]) -> Any:
    assert war.battle is not None
    place = war.battle.place
    mine, theirs = sum(column.size for column in war.columns[place]), war.armies[place].size
    return Continue() if mine >= theirs else None


def campaign(seed: int, tempers: Mapping[str, Temper], most: int = 3000) -> Table:
    """Return a whole game, or as much of it as `most` entries hold."""
    rng = Random(seed)
    table = given(RULES, seats=tuple(tempers))
    while len(table.log) < most and (asked := table.now.question) is not None:
        seat = rng.choice(asked.seats)
        if seat == CHANCE:
            (ask,) = asks(table.now, CHANCE)
            table.must(CHANCE, wild(table, ask, rng))
        else:
            ask = table.ask(seat)
            table.must(seat, tempers[seat](table, ask, rng))
    return table


ENDINGS: Final[Mapping[str, tuple[int, Mapping[str, Temper]]]] = {
    "kings_of_two": (10, {"orc": conquering, "elf": conquering}),
    "kings_of_three": (10, {"orc": conquering, "elf": conquering, "dwarf": conquering}),
    "kings_of_four": (
        374,  # one of them has no harbour, and so no ship
        {"orc": conquering, "elf": conquering, "dwarf": conquering, "barbarian": conquering},
    ),
    "six_kingdoms": (5, {"barbarian": conquering, "dwarf": cautious}),
    "no_king_left": (105, {"orc": hunting, "elf": lonely}),
}
"""A recorded game for each way in which one can end: the seed, and who plays how."""


def record() -> None:
    """Play the recorded games again, and write them."""
    for name, (seed, tempers) in ENDINGS.items():
        keep(LAND / f"{name}.jsonl", campaign(seed, tempers))


if __name__ == "__main__":
    record()
