"""Boards to draw: one that is as crowded as can be, one of the short game, and moments of every recorded game."""

from collections.abc import Iterator
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

from msgspec import structs

from core.games.dragonlords import RULES
from core.games.dragonlords.board import HARBOURS, KINGDOMS, PEOPLES, SPACES, TERRITORIES, ZONES
from core.games.dragonlords.position import TurnSet, UnitsSet
from core.games.dragonlords.state import Army, Battle, Chip, Column
from core.games.dragonlords.svg import draw
from core.telling import Moment
from events.jsonl import JsonlStore
from replay.history import History
from replay.picture import picture
from tests.driver import given
from tests.games.dragonlords.recorded import LOGS

__all__ = ["crowded", "everything", "histories", "history_of", "recorded", "short"]

NAMES = ("king", "wizard.1", "wizard.2", "wizard.3", "blank")


def crowded(units: int, *, fought_for: bool, open_chips: bool = False) -> Moment[Any]:
    """Return a board where something of every kind stands in every place that can hold it.

    Every third army is attacked, all four people meet in a shrine, each kingdom is rich, and each harbour has ships. With
    open chips everybody sees one in each stack, and each may hide another.
    """
    empty = given(RULES, TurnSet("orc"), UnitsSet("orc", "OR_k", 2), seats=PEOPLES).now
    armies: dict[str, Army] = {}
    columns: dict[str, tuple[Column, ...]] = {}
    for turn, place in enumerate((*TERRITORIES, *ZONES, *SPACES)):
        seat, other = PEOPLES[turn % 4], PEOPLES[(turn + 1) % 4]
        if place not in SPACES:
            armies[place] = Army(seat, units, turn % 2)
            if fought_for and turn % 3 == 0:
                columns[place] = (Column(other, "OR_n", 12), Column(other, "G1", 3, turn % 2))
        elif SPACES[place].kind != "shrine":
            armies[place] = Army(seat, 6, turn % 3 // 2)
            if fought_for and turn % 4 == 1:
                columns[place] = (Column(other, "FM_n", 5, how="party"),)
    for shrine, parties in {"WT06": 4, "WT11": 3, "WB06": 2, "WB11": 1}.items():
        armies.update({f"{shrine}.{seat}": Army(seat, 6) for seat in PEOPLES[:parties]})
    chips = {
        f"{seat}.{name}": Chip(seat, place, shown=name == "wizard.1")
        for seat, place in zip(PEOPLES, KINGDOMS, strict=False)
        for name in NAMES
    }
    chips |= {name: Chip(armies["SC_ne"].seat, "SC_ne") for name in ("ring_of_hope", "excalibur", "trident")}
    shaded = {f"{army.seat}@{place}" for place, army in armies.items()}
    if open_chips:
        attacking = {place: there[0] for place, there in columns.items()}
        shaded |= {f"{column.seat}@{place}" for place, column in attacking.items()}
        stacks = [(army.seat, place, "") for place, army in armies.items()]
        stacks += [(column.seat, place, column.how) for place, column in attacking.items()]
        chips |= {
            f"{seat}.wizard.{turn}": Chip(seat, place, shown=True, way=way)
            for turn, (seat, place, way) in enumerate(stacks, 4)
        }
    state = structs.replace(
        empty.state,
        armies={
            **armies,
            **{place: Army(seat, units) for seat, place in zip(PEOPLES, KINGDOMS, strict=False)},
        },
        columns=columns,
        chips=chips,
        shades=frozenset(shaded),
        docked={place: 1 + turn % 3 for turn, place in enumerate(HARBOURS) if place in TERRITORIES},
        fleets={zone: 1 + turn % 3 for turn, zone in enumerate(ZONES)},
        raiders={zone: 2 for zone in ZONES if zone in columns},
        gold=dict.fromkeys(KINGDOMS, 120),
        hands={"orc": ("summon_elemental.fire", "reflect", "berserk", "infernal")},
        held=dict.fromkeys(PEOPLES, 5),
        hoards=dict.fromkeys(PEOPLES, 3),
        spells={
            name: ("heal", "fireball", "teleport", "hope", "panic") for name in chips if ".wizard." in name
        },
        items={"orc": {"torch": 2, "pickaxe": 3, "dragonorb": 2}, "orc@WT06.orc": {"torch": 1, "elixir": 2}},
        bought={"orc.unit": 12, "orc.ship": 1},
        struck={"elf@FM_n": 3},
        battle=Battle("AL_se", "orc", "barbarian", round=3),
    )
    return Moment(empty.rules, state, empty.table, empty.entry)


def history_of(path: Path) -> History:
    found = History(RULES)
    for stored in JsonlStore(path.parent, readonly=True).read(path.stem):
        found.take_in(stored)
    return found


@cache
def histories() -> tuple[History, ...]:
    return tuple(history_of(path) for path in LOGS)


def recorded(*, each: int) -> Iterator[tuple[str, ET.Element]]:
    """Yield what it is and a picture, from moments spread over every recorded game, as the arbiter and by turns as a seat."""
    for turn, history in enumerate(histories()):
        last = len(history.moments) - 1
        for part in range(each):
            at_entry = last - part * last // each
            seats = (*history.now.table.seats, "arbiter", None)
            seat = seats[(turn + part) % len(seats)]
            yield f"{LOGS[turn].stem} {at_entry} as {seat}", ET.fromstring(picture(history, at_entry, seat))


def everything() -> Iterator[tuple[str, ET.Element]]:
    """Yield the crowded boards, with words far too long above them."""
    long: dict[str, Any] = {
        "title": "The game " * 30,
        "moment": "entry 7",
        "caption": "orc: attack " * 40,
        "asked": "elf: wait " * 40,
    }
    for units, fought_for, open_chips in product((1, 48, 148), (False, True), (False, True)):
        now = crowded(units, fought_for=fought_for, open_chips=open_chips)
        for seat in ("orc", None):
            what = f"{units} {fought_for} {open_chips} {seat}"
            yield what, ET.fromstring(draw(now, seat=seat, **long))


def short() -> Moment[Any]:
    """Return a position of the short game, with its tundra."""
    seats = ("orc", "elf")
    return given(
        RULES, TurnSet("orc"), UnitsSet("orc", "OR_k", 2), seats=seats, options={"length": "short"}
    ).now
