"""Which name of a game is meant: as the game has it, in other capitals, or by what people call it."""

from collections.abc import Mapping
from typing import Any

from core.rules import Rules
from replay.words.faults import close_to

__all__ = ["close_names", "named"]


def named(rules: Rules[Any], what: str, said: str, seat: str = "") -> str | None:
    """Return the name of a kind that is meant by some words, of a seat if it is one's; None when it is none."""
    names, called = _known(rules)
    if said in names.get(what, {}).values():
        return said
    small = " ".join(said.lower().split())
    known, words = names.get(what, {}), called.get(what, {})
    return known.get(small) or words.get(f"{seat} {small}") or words.get(small)


def close_names(rules: Rules[Any], what: str, said: str) -> tuple[str, ...]:
    """Return the names of a kind that a mistyped one may mean, the likeliest first; one that is a word with what it names."""
    close = close_to(said, rules.names.get(what, ()))
    if close:
        return close
    words = {word.title(): name for word, name in rules.called.get(what, {}).items()}
    return tuple(f"{word} ({words[word]})" for word in close_to(said, words))


Known = tuple[Mapping[str, Mapping[str, str]], Mapping[str, Mapping[str, str]]]
_held: dict[int, tuple[Rules[Any], Known]] = {}


def _known(rules: Rules[Any]) -> Known:
    """Return every name of every kind by its small letters, and by what people call it; found once for each game."""
    held = _held.get(id(rules))
    if held is not None:
        return held[1]
    names = {what: {name.lower(): name for name in held} for what, held in rules.names.items()}
    names["seat"] = {seat.lower(): seat for seat in rules.seats}
    called = {
        what: {word.lower(): name for word, name in held.items()} for what, held in rules.called.items()
    }
    _held[id(rules)] = (rules, (names, called))
    return names, called
