"""Table facts: what is outside the game's own time. They fold along ids; no take-back undoes them.

| older | today | since |
|---|---|---|
| `HeadMoved` | `HeadMoved.v2` | a ruling's reason stands in `reason`, no longer in `arbiter`, and what had been learned beside it |
"""

from collections.abc import Mapping
from typing import Any, ClassVar, Final, dataclass_transform

from msgspec import Struct, field

from events.event import FactData, Id, Int, Seat
from events.upcasting import Hop

__all__ = [
    "OLDER_TABLE_FACTS",
    "Answered",
    "Branch",
    "CalledOff",
    "DisputeRaised",
    "Forfeited",
    "GameOpened",
    "HeadMoved",
    "Penalised",
    "Ruled",
    "SeedRevealed",
    "TableFact",
    "TakeBackAgreed",
    "TakeBackProposed",
    "TakeBackRefused",
    "Upheld",
    "Verdict",
    "WentBack",
]


class TableFact(FactData):
    """A fact about the table: persons, answers, rulings, disputes, consents, the dice commitment."""

    TABLE: ClassVar[bool] = True


class Branch(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """Where a what-if left another log: that game, the entry it goes on from, and the entry's hash."""

    game: str
    entry: Id
    hash: str


class GameOpened(TableFact):
    """A game began: which rules, who sits, the answer to every point, where the dice come from.

    `players` are the seats of each player where one may sit at several; empty: each sits at one.
    """

    id: str
    game: str
    revision: Int
    seats: tuple[Seat, ...]
    answers: dict[str, str]
    dice: str = "typed"
    commitment: str = ""
    persons: dict[str, str] = field(default_factory=dict)
    options: dict[str, str] = field(default_factory=dict)
    branch: Branch | None = None
    title: str = ""
    players: tuple[tuple[Seat, ...], ...] = ()


class HeadMoved(TableFact, tag="HeadMoved.v2"):
    """The game goes on from the entry's parent. Nothing is erased.

    `agreed` lists the seats that consented, `arbiter` names who decided instead, `learned` what had been
    told to the mover in the entries left behind, `reason` what the mover, or the ruling, said of it.
    """

    by: Seat
    agreed: tuple[Seat, ...] = ()
    arbiter: str = ""
    learned: tuple[str, ...] = ()
    reason: str = ""


class TakeBackProposed(TableFact):
    """A seat asks the others to agree that the game goes on from entry `to`. Its number is its entry's id.

    `learned` is what the entries left behind had told to who asks. It stands until anything but an answer is appended.
    """

    by: Seat
    to: Id
    learned: tuple[str, ...] = ()
    reason: str = ""


class TakeBackAgreed(TableFact):
    """A seat agreed to the take-back that entry `proposal` asks for; the entry is that seat's own."""

    seat: Seat
    proposal: Id


class TakeBackRefused(TableFact):
    """A seat refused the take-back that entry `proposal` asks for, or withdrew its own: it stands no longer."""

    seat: Seat
    proposal: Id
    reason: str = ""


def _ruled_for_a_reason(raw: dict[str, Any]) -> list[dict[str, Any]]:
    """Return who moved the head as it is told today: a ruling (LS-5.3) kept its reason where an arbiter's name stands."""
    told = {**raw, "Fact": "HeadMoved.v2"}
    if "LS-5.3" in raw.get("because", ()) and "reason" not in raw:
        told["reason"] = told.pop("arbiter", "")
    return [told]


OLDER_TABLE_FACTS: Final[Mapping[str, tuple[tuple[str, ...], Hop]]] = {
    "HeadMoved": (("HeadMoved.v2",), _ruled_for_a_reason)
}
"""The hops from older table facts to the next, of every game."""


class DisputeRaised(TableFact):
    """A seat contests entry `at`. Until it is ruled only the arbiter is asked. Its number is its entry's id."""

    seat: Seat
    at: Id
    claim: str


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class _Verdict(
    Struct,
    frozen=True,
    gc=False,
    omit_defaults=True,
    forbid_unknown_fields=True,
    tag_field="Verdict",
    tag=True,
):
    """What an arbiter decided."""


class Upheld(_Verdict):
    """What the log holds stands."""


class WentBack(_Verdict):
    """The game goes on from entry `to`."""

    to: Id


class Answered(_Verdict):
    """From now on `point` is answered by `answer`."""

    point: str
    answer: str


class Penalised(_Verdict):
    """A seat is penalised; what for the table's own record."""

    seat: Seat
    what: str


class Forfeited(_Verdict):
    """A seat forfeits: silence answers for it from now on.

    `alone`: the other seats of its player do not, as they do otherwise (LS-5.3); what is told names each seat by itself.
    """

    seat: Seat
    alone: bool = False


Verdict = Upheld | WentBack | Answered | Penalised | Forfeited


class Ruled(TableFact):
    """An arbiter ruled, with the reason; `dispute` is the entry that raised it, 0 when nobody asked."""

    verdict: Verdict
    reason: str
    dispute: Id = 0


class CalledOff(TableFact):
    """The arbiter ended the game before it ended by its rules; the `GameEnded` beside it says who won."""

    reason: str


class SeedRevealed(TableFact):
    """The committed seed of sealed dice is published: from now on anyone can check every roll."""

    seed: str
