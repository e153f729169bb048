"""What is sound is the same whether a war is looked at whole, or only where it differs from a sound one before it."""

from collections import Counter
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from msgspec import structs

from core.games.dragonlords import RULES
from core.games.dragonlords.board import KINGDOMS, PLACES, SPACES, ZONES
from core.games.dragonlords.state import Army, Column, War
from tests import driver

Chooser = Callable[[int], int]


def _one(choose: Chooser, things: Any) -> Any:
    held = sorted(things)
    return held[choose(len(held))] if held else None


def _army(war: War, choose: Chooser) -> War:
    place = _one(choose, PLACES)
    seat = _one(choose, war.seats)
    army = Army(seat, choose(4), choose(2))
    return structs.replace(war, armies={**war.armies, place: army})


def _gone(war: War, choose: Chooser) -> War:
    place = _one(choose, war.armies)
    return structs.replace(war, armies={held: army for held, army in war.armies.items() if held != place})


def _chip(war: War, choose: Chooser) -> War:
    name = _one(choose, war.chips)
    if name is None:
        return war
    chip = structs.replace(war.chips[name], place=_one(choose, PLACES), shown=bool(choose(2)))
    return structs.replace(war, chips={**war.chips, name: chip})


def _unshaded(war: War, choose: Chooser) -> War:
    return structs.replace(war, shades=war.shades - {_one(choose, war.shades)})


def _ship(war: War, choose: Chooser) -> War:
    zone = _one(choose, (*ZONES, *KINGDOMS))
    kind = ("fleets", "raiders", "docked")[choose(3)]
    return structs.replace(war, **{kind: {**getattr(war, kind), zone: choose(4) - 1}})


def _column(war: War, choose: Chooser) -> War:
    place = _one(choose, PLACES)
    column = Column(_one(choose, war.seats), "x", choose(4), choose(2))
    return structs.replace(war, columns={**war.columns, place: (column,)})


def _items(war: War, choose: Chooser) -> War:
    seat, place = _one(choose, war.seats), _one(choose, SPACES)
    holder = (seat, f"{seat}@{place}", "nobody")[choose(3)]
    return structs.replace(war, items={**war.items, holder: {"torch": choose(4) - 1}})


def _raised(war: War, choose: Chooser) -> War:
    seat = _one(choose, war.seats)
    muster = structs.replace(war.muster[seat], raised=war.muster[seat].raised + 1)
    return structs.replace(war, muster={**war.muster, seat: muster})


def _gold(war: War, choose: Chooser) -> War:
    return structs.replace(war, gold={**war.gold, _one(choose, PLACES): choose(9) - 1})


def _hoard(war: War, choose: Chooser) -> War:
    return structs.replace(war, hoards={_one(choose, war.seats): choose(30)})


def _turned(war: War, choose: Chooser) -> War:
    phase = ("buy", "sea", "quest", "combat", "transfer", "income")[choose(6)]
    return structs.replace(war, active=_one(choose, war.seats), phase=phase)


BREAKS = (_army, _gone, _chip, _unshaded, _ship, _column, _items, _raised, _gold, _hoard, _turned)


def wars(seeds: int) -> Iterator[War]:
    """Yield the wars of random games, three hundred entries each."""
    for seed in range(seeds):
        for _, _, _, decided in driver.decisions(RULES, seed, 300):
            if decided.after.state.ended is None:
                yield decided.after.state


def test_a_change_is_unsound_or_not_whichever_way_it_is_looked_at(rounds: Callable[[int], int]) -> None:
    """A sound war is changed at random in one or two things: it has flaws as a whole just when it has in what changed."""
    choose = Random(7).randrange
    flawed: Counter[str] = Counter()
    for war in wars(rounds(100)):
        broken, made = war, []
        for _ in range(1 + choose(2)):
            change = BREAKS[choose(len(BREAKS))]
            broken = change(broken, choose)
            made.append(change.__name__)
        whole, since = list(RULES.sound(broken)), list(RULES.sound(broken, war))
        assert bool(whole) == bool(since), (made, whole, since)
        assert set(since) <= set(whole), (made, since)
        if whole and len(made) == 1:
            flawed[made[0]] += 1
    assert set(flawed) == {change.__name__ for change in BREAKS}, "some kind of change was never a flaw"
