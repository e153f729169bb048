"""Silence between the lines of a scoresheet: the passes and forced choices that nobody writes down."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

from core.deciding import Decision, Refused, decide
from core.rules import Command
from core.seats import is_player
from core.telling import Moment
from events.event import FactData, Seat
from events.play import Turned

__all__ = ["NOT_HEARD", "Silence", "ends", "silences", "still_open"]

NOT_HEARD = frozenset({"not_this_now", "not_your_turn", "nothing_asked", "no_dice_asked", "no_card_asked"})
"""The codes of refusals that say only that something else is asked now."""
MOST = 200
"""More silences than any two lines of a sheet have between them."""


@dataclass(frozen=True)
class Silence:
    """A silence that would be given: by whom, the command it stands for, and what that decides."""

    seat: Seat
    command: Command[Any]
    decision: Decision[Any]
    asked: tuple[Seat, ...]
    """Everybody who was asked."""
    ends: bool
    """Whether it ends the lowest step that is open: a phase, a turn."""

    @property
    def facts(self) -> tuple[FactData, ...]:
        """The facts that it causes."""
        return self.decision.facts


def silences(
    now: Moment[Any], speaker: Seat = "", spoke: Collection[Seat] = (), shared: str = ""
) -> Iterator[Silence]:
    """Yield the silences that can follow from now, one after the other, until one is not a matter of course.

    Chance and the arbiter are never silent. Nobody's whole turn is passed over: a phase is ended by silence of the one
    whose turn it is, who must have spoken in it (`spoke`), and after him of the speaker himself. A question that is put
    to several seats is nobody's turn: whoever says nothing to it passes; `shared` names the one that is half answered.
    Several who owe a silence give it in the order of their seats: where the silence of one changes that of the others,
    as a first proposal does, only what is written tells who came first.
    """
    ender: Seat | None = None
    for _ in range(MOST):
        silence = _next(now, speaker)
        if silence is None:
            return
        for_several = len(silence.asked) > 1 or top_of(now) == shared
        if silence.ends and not for_several:
            if silence.seat != speaker and (silence.seat not in spoke or ender not in (None, silence.seat)):
                return
            ender = silence.seat
        yield silence
        shared = still_open(now, silence.decision)
        now = silence.decision.after


def top_of(now: Moment[Any]) -> str:
    """Return a name of the step on top, whoever it asks; empty when nothing is open."""
    agenda = now.state.agenda
    return agenda[-1].name("") if agenda else ""


def still_open(now: Moment[Any], decision: Decision[Any]) -> str:
    """Return the name of the step on top when a decision has left it there; empty when it has not."""
    before, after = top_of(now), top_of(decision.after)
    return after if after == before else ""


def _next(now: Moment[Any], speaker: Seat) -> Silence | None:
    """Return the silence to the question that is open, of another than the speaker if there is one; None without."""
    asked, state = now.question, now.state
    if asked is None or state.ended is not None or now.table.disputes or asked.roll or asked.draw:
        return None
    for seat in sorted(asked.seats, key=lambda name: name == speaker):
        if not is_player(seat):
            continue
        command = state.agenda[-1].step.silence(now, seat)
        decision = decide(now, seat, command)
        if not isinstance(decision, Refused):
            return Silence(seat, command, decision, asked.seats, ends(now, decision))
    return None


def ends(now: Moment[Any], decision: Decision[Any]) -> bool:
    """Return whether a decision ends the lowest step that is open: a phase, a turn."""
    turned = decision.facts[-1]
    return isinstance(turned, Turned) and turned.done >= len(now.state.agenda)
