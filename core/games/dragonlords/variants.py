"""Variants (QD-23): two players with two allied armies each, the short game and the long game; what a game is opened with.

`armies` says how many a player leads, `length` how long the game is. What follows from them stands in the state from the
opening on, for everybody: who is allied with whom, and which land is tundra.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from core.refusal import Refusal
from core.table import Table
from core.telling import Moment
from events.event import Seat

from .board import KINGDOMS, TERRITORIES
from .holdings import kingdoms_of
from .state import Place, War

__all__ = [
    "OPTIONS",
    "closed_land",
    "closed_to",
    "forbids_opening",
    "forbids_place",
    "is_allied",
    "kingdoms_held",
    "kingdoms_on",
    "kingdoms_to_win",
    "players",
    "players_left",
    "sound_variants",
]

OPTIONS: Final[Mapping[str, tuple[str, ...]]] = {
    "armies": ("one", "two"),
    "length": ("usual", "short", "long"),
}
"""How many armies each player leads (QD-23.1), and which game is played (QD-23.2, QD-23.3)."""
AGREED: Final[Mapping[str, int]] = {"four_kingdoms": 4, "three_kingdoms": 3, "two_kingdoms": 2}
"""How many kingdoms win the short game, by the answer to QD-H22."""


def players(seats: tuple[Seat, ...], options: Mapping[str, str]) -> tuple[tuple[Seat, ...], ...]:
    """Return the two seats of each player where each leads two armies: they alternate, A B A B (QD-23.1, QD-H21)."""
    if options.get("armies") != "two":
        return ()
    return tuple(pair for pair in (seats[::2], seats[1::2]) if pair)


def forbids_opening(table: Table) -> Iterator[Refusal]:
    """Refuse allies that are not four armies, and kingdoms to win that somebody could begin with (QD-23.1, QD-H22)."""
    if table.players and len(table.seats) != 4:
        yield Refusal(
            "not_four_armies",
            ("QD-23.1", "QD-H21"),
            f"Two players with two armies each are four seats, A B A B, not {len(table.seats)}; a game of two with one "
            "army each is armies = one.",
            {"seats": len(table.seats)},
        )
        return
    count, need = len(table.players) or len(table.seats), AGREED[table.answers["QD-H22"]]
    share = -(-len(_SHORT_KINGDOMS) // count)
    if table.options.get("length") == "short" and need <= share:
        yield Refusal(
            "wins_at_once",
            ("QD-23.2", "QD-H22"),
            f"With {count} players one may begin with {share} of the {len(_SHORT_KINGDOMS)} kingdoms, so {need} can't win "
            f"the game; agree on {' or '.join(name for name, each in AGREED.items() if each > share)}.",
            {"players": count, "kingdoms": need},
        )


_SHORT_KINGDOMS: Final = tuple(place for place in KINGDOMS if not TERRITORIES[place].short_variant_tundra)


def kingdoms_on(war: War) -> tuple[Place, ...]:
    """Return the kingdoms that are in the game, in the order of the board: in the short game four (QD-23.2)."""
    return _SHORT_KINGDOMS if war.tundra else KINGDOMS


def kingdoms_to_win(now: Moment[War]) -> int:
    """Return how many kingdoms win the game: six, or in the short game as many as were agreed (QD-22.2, QD-H22)."""
    return AGREED[now.answer("QD-H22")] if now.state.tundra else len(KINGDOMS)


def kingdoms_held(war: War, seats: Iterable[Seat]) -> int:
    """Return how many kingdoms the armies of a player hold together; what is vanquished holds for nobody (QD-H48)."""
    return sum([len(kingdoms_of(war, seat)) for seat in seats if seat not in war.out])


def players_left(now: Moment[War]) -> list[tuple[Seat, ...]]:
    """Return the seats of each player who has a king left (QD-22.2, QD-H48); the active player's first."""
    out, active = now.state.out, now.state.active
    seats = now.table.players or tuple((seat,) for seat in now.table.seats)
    left = [own for own in seats if not set(own).issubset(out)]
    return sorted(left, key=lambda own: active not in own)


def is_allied(war: War, seat: Seat, other: Seat) -> bool:
    """Return whether two armies are allied: one player's, and the other one has its king (QD-23.1, QD-H48)."""
    return bool(war.allies) and war.allies.get(seat) == other and other not in war.out


def closed_to(war: War, seat: Seat, place: Place) -> bool:
    """Return whether a place is closed to a seat: tundra, or held by the allied army (QD-23.1, QD-23.2)."""
    if place in war.tundra:
        return True
    return (
        bool(war.allies) and (army := war.armies.get(place)) is not None and is_allied(war, seat, army.seat)
    )


def closed_land(war: War, seat: Seat) -> frozenset[Place]:
    """Return the places that are closed to a seat: tundra, and what the allied army holds."""
    ally = war.allies.get(seat, "") if war.allies else ""
    if not ally or ally in war.out:
        return war.tundra
    return war.tundra.union([place for place, army in war.armies.items() if army.seat == ally])


def forbids_place(war: War, seat: Seat, place: Place) -> Iterator[Refusal]:
    """Refuse to come to tundra, and to share a place with the allied army or fight it (QD-23.1, QD-23.2, QD-H21)."""
    if place in war.tundra:
        yield Refusal(
            "tundra",
            ("QD-23.2", "QD-H22"),
            f"{place} is tundra in the short game: nobody enters it.",
            {"place": place},
        )
    elif closed_to(war, seat, place):
        holder = war.armies[place].seat
        yield Refusal(
            "allied_place",
            ("QD-23.1", "QD-H21"),
            f"{place} is held by {holder}, the ally of {seat}: allied armies never share a place, and never fight each "
            "other.",
            {"place": place, "holder": holder},
        )


def sound_variants(war: War, before: War | None = None) -> Iterator[str]:
    """Say what is wrong with a war as a variant: units on tundra, an attack on an ally, scrolls that are out of the deck."""
    if war.tundra:
        for place in sorted(war.tundra.intersection((*war.armies, *war.columns, *war.docked, *war.gold))):
            yield f"something stands in {place}, which is tundra in the short game (QD-23.2)"
    if war.allies:
        for place, columns in war.columns.items():
            army = war.armies.get(place)
            if army is not None and any(is_allied(war, column.seat, army.seat) for column in columns):
                yield f"{columns[0].seat} attacks {place}, which its ally {army.seat} holds (QD-23.1, QD-H21)"
    if war.length == "long" and (before is None or war.hands is not before.hands):
        for seat, hand in sorted(war.hands.items()):
            if any(card.startswith("summon_elemental") for card in hand):
                yield f"{seat} holds a Summon Elemental, but in the long game they are out of the deck (QD-23.3)"
