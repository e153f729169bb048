"""A line that was left out, found by trying what could have been said where the lines after it fail without it."""

from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import Any

from msgspec import Struct, structs

from core.deciding import Decision, asks, decide
from core.seats import is_player
from events.event import Seat
from replay.sheets.meaning import Reach
from replay.sheets.playing import SheetPlay
from replay.sheets.scoresheet import Said
from replay.sheets.unwritten import FARTHEST, MOST_ANSWERS, MOST_SILENCES, answers_within, played_again
from replay.sheets.verdicts import ASSUMED, Verdict
from replay.sheets.writing import write_line
from replay.words.nearest import nearest

__all__ = ["LeftOut", "left_out_before"]

NEAR = 14
"""So many lines must be lawful with it, from the one that fails without it on."""
MOST_OFFERED = 60
"""So many acts that are offered are tried, of whoever is asked when the line fails."""


class LeftOut(Struct, frozen=True):
    """Who said what, the play with it that has come to the line which fails without it, and what silence stood there."""

    seat: Seat
    command: Any
    play: SheetPlay
    silence: Any = None

    def told_with(self, verdict: Verdict, after: Verdict) -> Verdict:
        """Return the verdict on the line that fails without it, which goes on as `after` once it is said."""
        rules = self.play.rules
        written = write_line(rules, self.seat, self.command)
        instead = (
            f", in place of `{write_line(rules, self.seat, self.silence)}`"
            if self.silence is not None
            else ""
        )
        return structs.replace(
            verdict,
            message=f"{verdict.message} Left out before it: `{written}`{instead}. What follows is judged as if it had been"
            " written: what comes after it fits.",
            codes=("line_left_out", *verdict.codes),
            told=True,
            entry=after.entry,
            silences=after.silences,
        )


def left_out_before(play: SheetPlay, lines: Sequence[Said | Any], reach: Reach) -> LeftOut | None:
    """Return an act with which the first of these lines and all near it are lawful; None without such.

    It is one that could be said now, the likest to the line first, or in place of one of the last silences.
    """
    near = lines[:NEAR]
    for found in chain(_said_now(play, lines[0]), _said_instead(play)):
        if reach(found.play, near)[0] == len(near):
            return found
    return None


def _said_now(play: SheetPlay, line: Said) -> Iterator[LeftOut]:
    asked = play.now.question
    if asked is None or asked.roll is not None or asked.draw is not None:
        return
    for seat in filter(is_player, asked.seats):
        offers = chain.from_iterable(ask.offers for ask in asks(play.now, seat))
        near = (command for who, command in nearest(play.now, seat, line.command) if who == seat)
        tried: list[Any] = []
        for command in chain(near, islice(chain.from_iterable(map(answers_within, offers)), MOST_OFFERED)):
            decision = decide(play.now, seat, command) if command not in tried else None
            tried.append(command)
            if isinstance(decision, Decision):
                trial = play.twin()
                trial.tell(seat, command, decision, ASSUMED)
                yield LeftOut(seat, command, trial)


def _said_instead(play: SheetPlay) -> Iterator[LeftOut]:
    reached = len(play.told)
    silent = [at for at in play.silent if at >= reached - FARTHEST]
    for at in reversed(silent[-MOST_SILENCES:]):
        silence, now = play.told[at], play.told[at - 1].decision.after
        offers = chain.from_iterable(ask.offers for ask in asks(now, silence.seat))
        for command in islice(chain.from_iterable(map(answers_within, offers)), MOST_ANSWERS):
            decision = decide(now, silence.seat, command) if command != silence.command else None
            if not isinstance(decision, Decision):
                continue
            trial = play.back_at(at)
            trial.tell(silence.seat, command, decision, ASSUMED)
            if played_again(trial, play, at + 1, reached) and len(trial.told) == reached:
                trial.since_at = play.since_at
                yield LeftOut(silence.seat, command, trial, silence.command)
