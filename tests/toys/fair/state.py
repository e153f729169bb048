"""The fair's board: coins, cards, charms, who stands where in the maze, and what lies on the tables."""

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import field, structs

from core.state import State
from core.table import Table
from core.telling import Moment, Tale
from events.event import Seat

FORTUNES: Mapping[str, int] = {"curse": 4, "mirror": 3, "hail": 2, "rose": 3}
"""The deck: how many of each card."""
ALL = sum(FORTUNES.values())
CHARMS = ("keen_eye", "third_knife", "ox_bell")
GATE, HOARD = "a1", "f6"
PLACES = tuple(f"{column}{row}" for column in "abcdef" for row in range(1, 7))
WATCHED = frozenset({"b3", "c2", "d5", "e4", "f5"})
"""The places in the maze where a guard may catch who walks by."""


class Fair(State, frozen=True, gc=False, kw_only=True):
    coins: Mapping[Seat, int] = field(default_factory=dict)
    cards: Mapping[Seat, int] = field(default_factory=dict)
    """How many cards each seat holds: everybody sees that."""
    hands: Mapping[Seat, Mapping[str, int]] = field(default_factory=dict)
    """Which cards, as far as they are known; `?` is one that nobody recording has seen."""
    deck: int = ALL
    gone: Mapping[str, int] = field(default_factory=dict)
    """The cards on the open pile."""
    charms: Mapping[str, Seat] = field(default_factory=dict)
    at: Mapping[Seat, str] = field(default_factory=dict)
    bid: tuple[Seat, ...] = ()
    bids: Mapping[Seat, int] = field(default_factory=dict)
    purse: int = 0
    shares: Mapping[Seat, int] = field(default_factory=dict)
    agreed: tuple[Seat, ...] = ()
    proposals: int = 0
    lay: tuple[int, ...] = ()
    """The dice that lie on the table."""
    tossed: bool = False
    turns: int = 0


def start(table: Table) -> Fair:
    return Fair(
        coins=dict.fromkeys(table.seats, 6),
        cards=dict.fromkeys(table.seats, 0),
        at=dict.fromkeys(table.seats, GATE),
    )


def plus(counts: Mapping[str, int], name: str, count: int) -> dict[str, int]:
    """Return counts with so many more (or fewer) of one; those of which none is left are not kept."""
    changed = {**counts, name: counts.get(name, 0) + count}
    return changed if changed[name] else {kind: n for kind, n in changed.items() if kind != name}


def players(now: Moment[Fair]) -> tuple[Seat, ...]:
    return tuple(seat for seat in now.table.seats if not now.is_out(seat))


def after(now: Moment[Fair], seat: Seat) -> Seat:
    """Return the player who sits after a seat."""
    seats = now.table.seats
    place = seats.index(seat)
    return next(name for name in (*seats[place + 1 :], *seats[: place + 1]) if not now.is_out(name))


def act(tale: Tale[Fair], *steps: Any) -> None:
    """Let the action that a turn began with be played; the turn itself lies beneath until it is done."""
    tale.become(*steps, structs.replace(tale.top, at="over"))


def seen(fair: Fair, card: str) -> int:
    """Return how many of a card are on the open pile or known to be on a hand."""
    return fair.gone.get(card, 0) + sum(hand.get(card, 0) for hand in fair.hands.values())


def sound(fair: Fair, before: Fair | None = None) -> Iterator[str]:
    for seat, count in fair.coins.items():
        if count < 0:
            yield f"{seat} has {count} coins"
    for seat, count in fair.cards.items():
        if sum(fair.hands.get(seat, {}).values()) > count:
            yield f"{seat} holds {count} cards, yet {fair.hands[seat]} are known"
    if fair.deck + sum(fair.cards.values()) + sum(fair.gone.values()) != ALL or fair.deck < 0:
        yield f"there are {fair.deck} cards in the deck, {fair.cards} on hands, {fair.gone} on the pile, not {ALL}"
    for card in FORTUNES:
        if seen(fair, card) > FORTUNES[card]:
            yield f"{seen(fair, card)} {card} cards are seen; there are {FORTUNES[card]}"
    for seat, place in fair.at.items():
        if place not in PLACES:
            yield f"{seat} stands at {place}, which is not in the maze"
