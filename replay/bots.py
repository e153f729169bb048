"""Bots: who plays when nobody does. A bot sees what its seat may see, and picks among the offers it is made.

`random` plays any offer. A game's own `bot.py` has `choose(view, ask, pick)`: given the seat's view, what it is asked
and a source of numbers, it returns a command; it is called by the name `sensible`.
"""

from collections.abc import Callable, Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from core.asking import Ask, Chooser
from core.rules import Rules
from core.telling import Moment

__all__ = ["Bot", "NoSuchBot", "bots_of", "random_bot"]

Bot = Callable[[Moment[Any], Ask, Chooser], Any]
"""Given a seat's view, what it is asked and a source of numbers below n: the command it gives, or None: nothing now.

Only what a step beneath would hear meanwhile may be left unanswered, such as a scroll to be read at any moment.
"""


class NoSuchBot(LookupError):
    """Raised when a game has no bot of that name."""


def random_bot(_view: Moment[Any], ask: Ask, pick: Chooser) -> Any:
    """Return any lawful command: an offer at random, its free fields at random; silence where nothing is offered."""
    return ask.offers[pick(len(ask.offers))].sample(pick) if ask.offers else ask.silence


def bots_of(rules: Rules[Any]) -> Mapping[str, Bot]:
    """Return the bots of a game by name."""
    held: dict[str, Bot] = {"random": random_bot}
    name = f"{rules.package}.bot"
    if find_spec(name) is not None:
        held["sensible"] = import_module(name).choose
    return held
