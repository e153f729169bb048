"""Who gives typed dice and cards where each seat gives its own commands (LS-4.6)."""

from typing import Any

from core.refusal import Refusal
from core.seats import ARBITER
from core.telling import Moment
from events.event import Seat
from replay.dice import chance_waits
from replay.words.wording import chance_words

__all__ = ["may_give", "not_to_give", "sealed_from"]


def may_give(now: Moment[Any]) -> tuple[Seat, ...]:
    """Return which seats may give the dice or the card that chance is asked for; nobody when it is asked nothing.

    These are who throws the dice or draws a public card, at any seat of its player (LS-1.6), and the arbiter. A card
    that not everybody sees the arbiter gives alone: what is said of a wrong one tells what others hold.
    """
    asked = now.question
    if asked is None or not chance_waits(now):
        return ()
    roll, draw = asked.roll, asked.draw
    hand = roll.thrower if roll is not None else draw.to if draw is not None and draw.public else ""
    return (*now.table.seats_of(hand), ARBITER) if hand else (ARBITER,)


def not_to_give(now: Moment[Any], by: Seat) -> Refusal | None:
    """Return why a seat may not give what chance is asked for; None when it may, or when chance is asked nothing."""
    able = may_give(now)
    if not able or by in able:
        return None
    draw = now.question.draw if now.question is not None else None
    hidden = ", which not everybody sees" if draw is not None and not draw.public else ""
    text = f"{' or '.join(able)} gives {chance_words(now)}{hidden}; not {by}."
    return Refusal("not_yours_to_give", ("LS-4.6",), text, {"seats": " ".join(able)})


def sealed_from(now: Moment[Any], by: Seat) -> Refusal | None:
    """Return why a seat may not give the card that is drawn unseen; None where dice are asked for, or a card that all see."""
    draw = now.question.draw if now.question is not None else None
    return not_to_give(now, by) if draw is not None and not draw.public else None
