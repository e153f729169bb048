"""Whether a game keeps its pieces: what its facts say of units, gold and cards is compared with its state at each entry.

A game that keeps books has a module `books` with a class `Books`: `booked(facts, after)` gives the books after an entry,
`tally(state, before, was)` what does not agree. Facts are folded along parents, as the game is.
"""

from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from msgspec import Struct

from core.rules import Rules
from events.event import Id
from replay.history import History

__all__ = ["LostPiece", "keeps_books", "lost_pieces"]


class LostPiece(Struct, frozen=True):
    """Pieces that came from nowhere or went nowhere: at which entry, of what, how many there should be and are."""

    entry: Id
    what: str
    expected: int
    found: int


def keeps_books(rules: Rules[Any]) -> bool:
    """Return whether a game keeps books of its pieces."""
    return find_spec(f"{rules.package}.books") is not None


def lost_pieces(rules: Rules[Any], history: History) -> Iterator[LostPiece]:
    """Yield what does not tally, as far as the log folds, entry by entry; nothing for a game that keeps no books.

    The history must be read with all openings: what lies face down is counted too. After an entry that does not tally
    the books are opened anew from the state, so that one fault is told once.
    """
    if not keeps_books(rules):
        return
    module = import_module(f"{rules.package}.books")
    kept = [module.Books()]
    for entry, moment in zip(history.entries, history.moments[1:], strict=False):
        before, was = kept[entry.parent], history.moments[entry.parent].state
        books = before.booked(entry.facts, moment.state)
        amiss = list(books.tally(moment.state, before, was))
        for each in amiss:
            yield LostPiece(entry.id, each.what, each.expected, each.found)
        if amiss:
            books = module.Books(module.stock(moment.state), books.answers, books.options)
        kept.append(books)
