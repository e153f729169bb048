"""Facts of play that every game shares."""

from typing import Any, Generic, TypeVar

from msgspec import Struct, structs

from events.event import Count, FactData, Id, Int, Seat

__all__ = [
    "BattleBegan",
    "BattleEnded",
    "Corrected",
    "GameEnded",
    "Overlooked",
    "Sealed",
    "Turned",
    "Unrecognised",
]

S = TypeVar("S", bound=Struct)
T = TypeVar("T")


class Turned(FactData, Generic[T]):
    """The agenda moved: `done` steps ended on top of it, then `steps` were laid on, the last one topmost."""

    done: Count = 0
    steps: tuple[T, ...] = ()


class Corrected(FactData):
    """An arbiter set the position right; the set-up facts that follow in the entry say how."""

    reason: str

    def onto(self, state: S) -> S:
        """Leave the state alone: the set-up facts that follow change it."""
        return state


class Overlooked(FactData):
    """The rules forbade this command for reason `code`, and the table played it all the same."""

    code: str

    def onto(self, state: S) -> S:
        """Leave the state alone: it is testimony."""
        return state


class BattleBegan(FactData):
    """Two sides began to fight over a place. `kind` is the game's word for the sort of battle."""

    place: str
    attacker: Seat
    defender: Seat
    kind: str = "battle"

    def onto(self, state: S) -> S:
        """Leave the state alone; a game that keeps the battle in its state says so in a class of its own."""
        return state


class BattleEnded(FactData):
    """A battle is over. `winner` is empty when nobody is left or both are; `taken`: the place changed hands."""

    place: str
    winner: str = ""
    taken: bool = False
    rounds: Int = 0

    def onto(self, state: S) -> S:
        """Leave the state alone; a game that keeps the battle in its state says so in a class of its own."""
        return state


class GameEnded(FactData):
    """The game is over: who won, and `how`, in the game's word for that ending. Nobody named means a draw."""

    winners: tuple[Seat, ...]
    how: str

    def onto(self, state: S) -> S:
        """Note the ending; the entry's `Turned` empties the agenda."""
        return structs.replace(state, ended=self)


class Sealed(FactData):
    """A fact that the reader may not see: a salted digest, and whom it concerns."""

    digest: str
    to: tuple[Seat, ...]

    def onto(self, state: S) -> S:
        """Leave the state alone: the reader does not know what happened."""
        return state


class Unrecognised(FactData, tag="?"):
    """A fact whose tag this revision does not know: shown and hashed, never folded, never written."""

    name: str
    raw: Any
    entry: Id = 0
