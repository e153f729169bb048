"""The state of a game as far as the kernel knows it: the agenda, the ending, who is out."""

from typing import Any

from msgspec import Struct

from events.event import Id, Int, Seat
from events.play import GameEnded

__all__ = ["Open", "State"]


class Open(Struct, frozen=True, gc=False):
    """An open step: the step, the entry whose `Turned` opened it, and its place there, counted from 0."""

    step: Any
    entry: Id
    n: Int

    def name(self, seat: Seat) -> str:
        """Return the name of the question that this step puts to a seat: `<entry>.<n>.<seat>`."""
        return f"{self.entry}.{self.n}.{seat}"


class State(Struct, frozen=True, gc=False, kw_only=True):
    """The base of every game's state. Frozen; its collections are plain dicts and tuples, never written in place."""

    agenda: tuple[Open, ...] = ()
    """The open steps, the last one topmost."""
    ended: GameEnded | None = None
    """How the game ended, once it has."""
    out: tuple[Seat, ...] = ()
    """Seats that are out of the game: never asked again; silence answers for what they still owe."""
