"""An act that nobody wrote down though it was somebody's own to choose: what it was, as far as what follows shows."""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from core.deciding import Decision, decide
from core.seats import is_player
from events.event import Seat
from replay.sheets.meaning import Reach
from replay.sheets.playing import SheetPlay
from replay.sheets.scoresheet import Line
from replay.sheets.verdicts import ASSUMED
from replay.words.nearest import beside

__all__ = ["Unsaid", "unsaid_before"]

SHORT = 14
"""So many lines must be lawful by an act, from the next one on, before it is looked further."""
LONG = 400
"""So many lines show which act it was."""


class Unsaid(Struct, frozen=True):
    """Who said what, and the play that has come to just after it."""

    seat: Seat
    command: Any
    play: SheetPlay


def unsaid_before(play: SheetPlay, lines: Sequence[Line], reach: Reach) -> Unsaid | None:
    """Return which act of whoever is asked is missing before these lines, where with it they are lawful; None without such.

    Only where silence stands for one answer among several of its kind. That which leaves most of what follows lawful is
    taken, and silence's own where none is better.
    """
    asked = play.now.question
    if asked is None or len(asked.seats) != 1 or not is_player(asked.seats[0]) or not play.now.state.agenda:
        return None
    seat = asked.seats[0]
    silence = play.now.state.agenda[-1].step.silence(play.now, seat)
    others = list(beside(play.now, seat, silence))
    if not others:
        return None
    near = lines[:SHORT]
    fitting: list[Unsaid] = []
    for command in (silence, *others):
        decision = decide(play.now, seat, command)
        if isinstance(decision, Decision):
            trial = play.twin()
            trial.tell(seat, command, decision, ASSUMED)
            if reach(trial.twin(), near)[0] == len(near):
                fitting.append(Unsaid(seat, command, trial))
    if len(fitting) < 2:
        return fitting[0] if fitting else None
    return max(fitting, key=lambda each: reach(each.play.twin(), lines[:LONG])[0])
