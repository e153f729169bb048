"""What was not written and may have been said: another answer than silence, with which a claim that differs is right."""

from collections.abc import Iterator, Sequence
from itertools import chain, combinations, islice, product
from typing import Any

from core.asking import Between, Offer, OneOf, Part
from core.deciding import Decision, asks, decide
from replay.sheets.owed import agree, settle
from replay.sheets.playing import SheetPlay
from replay.sheets.scoresheet import Claimed, Line
from replay.sheets.writing import write_line

__all__ = ["FARTHEST", "MOST_ANSWERS", "MOST_SILENCES", "answers_within", "played_again", "said_instead"]

MOST_SILENCES = 6
"""So many silences before a claim are tried, the last first: those of a round of battle."""
MOST_ANSWERS = 24
"""So many other answers are tried for each of them."""
FARTHEST = 40
"""So many entries back silences are looked for."""


def said_instead(play: SheetPlay, line: Claimed, following: Sequence[Line] = ()) -> str:
    """Return the line with which the claims would be right, had it been written where silence was filled in; or nothing.

    `play` has come as far as the claims and has not settled what is owed. Silences before an earlier claim count too.
    """
    whole, reached = play.twin(), len(play.told)
    settle(whole, line, following)
    near = [at for at in whole.silent if at >= reached - FARTHEST]
    for at in reversed(near[-MOST_SILENCES:]):
        silence = whole.told[at]
        now = whole.told[at - 1].decision.after
        offers = chain.from_iterable(ask.offers for ask in asks(now, silence.seat))
        for command in islice(chain.from_iterable(map(answers_within, offers)), MOST_ANSWERS):
            decision = decide(now, silence.seat, command) if command != silence.command else None
            if not isinstance(decision, Decision):
                continue
            trial = whole.back_at(at)
            trial.tell(silence.seat, command, decision)
            if played_again(trial, whole, at + 1, reached):
                settle(trial, line, following)
                if agree(trial, line):
                    return write_line(play.rules, silence.seat, command) or ""
    return ""


def played_again(trial: SheetPlay, whole: SheetPlay, begin: int, end: int) -> bool:
    """Play what was written after a silence once more; return whether all of it is lawful. Other silences may fall away."""
    for at in range(begin, end):
        told = whole.told[at]
        if at == whole.since_at:
            trial.since.clear()
        decision = decide(trial.now, told.seat, told.command)
        if isinstance(decision, Decision):
            trial.tell(told.seat, told.command, decision, told.actor)
        elif at not in whole.silent:
            return False
    if whole.since_at == end:
        trial.since.clear()
    return True


def answers_within(offer: Offer) -> Iterator[Any]:
    """Yield commands that an offer allows; of a field that is bounded otherwise than by a list, one value."""
    fields = {name: _values(held) for name, held in offer.fields.items()}
    for values in product(*(tuple(islice(each, MOST_ANSWERS)) for each in fields.values())):
        command = offer.command(**dict(zip(fields, values, strict=True)))
        if offer.allows(command):
            yield command


def _values(held: Any) -> Iterator[Any]:
    match held:
        case OneOf(values):
            yield from values
        case Between(low, high):
            yield from range(low, high + 1)
        case Part(of, low, high):
            for size in range(low, high + 1):
                yield from combinations(of, size)
        case _ if hasattr(held, "sample"):
            yield held.sample(lambda _: 0)
        case _:
            yield held
