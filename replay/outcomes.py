"""What a session answers: a command was accepted, or it was refused and nothing happened."""

from collections.abc import Mapping
from dataclasses import dataclass

from core.refusal import Refusal
from core.rulebook import Rulebook
from events.event import Seat
from replay.history import AnyEntry

__all__ = ["Accepted", "Overtaken", "Refused", "RefusedByRules"]


@dataclass(frozen=True, slots=True)
class Accepted:
    """What a command caused: its entry and those by which chance answered at once, as its seat may read them.

    `repeated` says that its key had been used for it before: nothing was appended now.
    """

    entries: tuple[AnyEntry, ...]
    repeated: bool = False


@dataclass(frozen=True, slots=True)
class Refused:
    """Why a command was refused; nothing happened.

    `stale`: the question it names is not open to its seat any more; `since` then holds what happened after that
    question was put, as the seat may read it. `learned` says what a take-back would leave behind that was told to the
    seat, `needed` who must agree to it.
    """

    reasons: tuple[Refusal, ...]
    stale: bool = False
    since: tuple[AnyEntry, ...] = ()
    learned: tuple[str, ...] = ()
    needed: tuple[Seat, ...] = ()


class Overtaken(Exception):
    """Raised when others wrote after what the giver of a command had looked at; nothing was decided or appended."""


class RefusedByRules(ValueError):
    """Raised when a game can't be opened as asked; `reasons` says why."""

    def __init__(
        self,
        reasons: tuple[Refusal, ...],
        book: Rulebook | None = None,
        answers: Mapping[str, str] | None = None,
    ) -> None:
        """Take the reasons, the rulebook that they cite, and the answers that the game would have had."""
        super().__init__("; ".join(reason.text for reason in reasons))
        self.reasons, self.book, self.answers = reasons, book, dict(answers or {})
