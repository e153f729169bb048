"""Chance is a seat: what it is asked, and what it answered."""

from collections.abc import Mapping, Sequence
from typing import TypeVar, dataclass_transform

from msgspec import Struct, field

from events.event import Count, Face, FactData, Int, Seat

__all__ = [
    "DICE",
    "SOURCES",
    "Best",
    "CardDealt",
    "Counting",
    "Draw",
    "Hits",
    "Names",
    "Pairs",
    "Roll",
    "Rolled",
    "Sum",
    "successes",
]

S = TypeVar("S")

DICE: Mapping[str, tuple[Face, ...]] = {
    f"d{sides}": tuple(range(1, sides + 1)) for sides in (4, 6, 8, 10, 12, 20)
}
"""The ordinary dice, each with its faces; a game adds its own in `Rules.dice`."""
SOURCES = ("typed", "live", "sealed", "scripted")
"""The words that an opening may have for where dice come from (LS-4.5)."""


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class _Counting(
    Struct,
    frozen=True,
    gc=False,
    omit_defaults=True,
    forbid_unknown_fields=True,
    tag_field="Counts",
    tag=True,
):
    """What counts in a roll."""


class Hits(_Counting):
    """Each die that shows one of `faces` is a success."""

    faces: tuple[Face, ...]


class Best(_Counting):
    """The `n` highest dice count."""

    n: Count = 1


class Sum(_Counting):
    """All dice are added up."""


class Pairs(_Counting):
    """Dice are sorted and compared with the other side's, pair by pair."""


class Names(_Counting):
    """The face names what happens."""


Counting = Hits | Best | Sum | Pairs | Names


class Roll(Struct, frozen=True, gc=False):
    """Dice that a question waits for: `count` dice of kind `die`, for `owner`, thrown by `roller`.

    `less` is a sentence on who of the owner's does not roll, and why; empty when nobody is left out.
    """

    die: str
    count: int
    owner: Seat
    counts: Counting
    purpose: str
    roller: Seat = ""
    less: str = ""

    @property
    def thrower(self) -> Seat:
        """The seat that throws: the owner unless another was named, as for neutral pieces."""
        return self.roller or self.owner


class Draw(Struct, frozen=True, gc=False):
    """A card that a question waits for: from `deck`, for seat `to`.

    `public`: everybody sees the card, and saw every card that is not in the deck; so everybody knows which can be dealt.
    """

    deck: str
    to: Seat
    public: bool = False


class Rolled(FactData):
    """Dice fell. It repeats what was asked, so that one fact answers every statistic."""

    die: str
    faces: tuple[Face, ...]
    owner: Seat
    counts: Counting
    purpose: str
    roller: Seat = ""

    def onto(self, state: S) -> S:
        """Leave the state alone: what the dice did is told by the facts that follow."""
        return state


class CardDealt(FactData):
    """A seat drew a card from a deck; everybody sees that it did, nobody which card it was."""

    seat: Seat
    deck: str
    left: Int = 0

    def onto(self, state: S) -> S:
        """Leave the state alone: the game's own facts say where the card lies."""
        return state


def successes(counts: Counting, faces: Sequence[Face]) -> int | None:
    """Return how many dice were successes, or None where single dice do not count as such."""
    return sum(face in counts.faces for face in faces) if isinstance(counts, Hits) else None
