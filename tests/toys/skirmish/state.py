"""The toy's board: how many pebbles each seat has, and what each bid in secret."""

from collections.abc import Iterator, Mapping

from msgspec import field

from core.state import State
from core.table import Table
from events.event import Seat


class Board(State, frozen=True, gc=False, kw_only=True):
    pebbles: Mapping[Seat, int] = field(default_factory=dict)
    bid: tuple[Seat, ...] = ()
    bids: Mapping[Seat, int] = field(default_factory=dict)


def start(table: Table) -> Board:
    return Board(pebbles=dict.fromkeys(table.seats, 5))


def sound(board: Board, before: Board | None = None) -> Iterator[str]:
    for seat, count in board.pebbles.items():
        if count < 0:
            yield f"{seat} has {count} pebbles"
