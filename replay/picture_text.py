"""A game's state as tables of text, for a terminal and for people who read aloud: any game's, from its structs alone.

A game may tell its board better than its fields do: a function `tables(now, seat)` in its `picture.py`, which returns
`Sheet`s (plain tuples of title, heads and rows), `places()` for the board itself, `cards()` for its decks, and
`card_texts()` for what their cards say. Everything is shown from the moment it is given, so a seat's own view shows what
that seat may see.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any, NamedTuple

from msgspec import Struct

from core.harmless import harmless
from core.rules import Rules
from core.state import State
from core.telling import Moment
from events.event import Seat

__all__ = ["Sheet", "card_sheets", "card_texts", "cards", "places", "sheets", "worded"]


class Sheet(NamedTuple):
    """One table of a picture: its title, the heads of its columns, and its rows of text."""

    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def sheets(now: Moment[Any], seat: Seat | None = None) -> tuple[Sheet, ...]:
    """Return the tables that show a moment as a seat may know it: the game's own where it has a picture, else one for each field."""
    tables = _of_game(now.rules, "tables")
    return (
        tuple(Sheet(*each) for each in tables(now, seat))
        if tables is not None
        else tuple(_generic(now.state))
    )


def places(rules: Rules[Any]) -> tuple[Sheet, ...]:
    """Return the tables of the places that a game has, and of what each borders on; nothing for a game without any."""
    told = _of_game(rules, "places")
    return tuple(Sheet(*each) for each in told()) if told is not None else ()


def card_sheets(rules: Rules[Any]) -> tuple[Sheet, ...]:
    """Return a table for each deck that a game has, titled by its name: id and name of each card; nothing without any."""
    told = _of_game(rules, "cards")
    return tuple(Sheet(*each) for each in told()) if told is not None else ()


def card_texts(rules: Rules[Any]) -> tuple[Sheet, ...]:
    """Return tables of what the cards of a game say, and of what is met on them; nothing for a game that tells none."""
    told = _of_game(rules, "card_texts")
    return tuple(Sheet(*each) for each in told()) if told is not None else ()


def cards(rules: Rules[Any], deck: str = "") -> dict[str, str]:
    """Return every card of a deck (of all decks unless named) as `{id: name}`, whoever holds it."""
    return {row[0]: row[1] for sheet in card_sheets(rules) if deck in ("", sheet.title) for row in sheet.rows}


def _of_game(rules: Rules[Any], name: str) -> Any:
    """Return a function of a game's `picture.py`, or None."""
    own = f"{rules.package}.picture"
    return getattr(import_module(own), name, None) if find_spec(own) is not None else None


def _generic(state: State) -> Iterator[Sheet]:
    """Yield a table for each field that holds many things, after one for those that hold a single thing."""
    of_kernel = set(State.__struct_fields__)
    fields = [name for name in state.__struct_fields__ if name not in of_kernel]
    single = [
        (name, getattr(state, name))
        for name in fields
        if not _is_many(getattr(state, name)) and _holds(state, name)
    ]
    if single:
        yield Sheet("", ("", ""), tuple((_title(name), worded(value)) for name, value in single))
    for name in fields:
        held = getattr(state, name)
        if _is_many(held) and held:
            yield _many(_title(name), held)


def _is_many(value: Any) -> bool:
    return isinstance(value, Mapping) or (
        isinstance(value, Sequence) and any(isinstance(part, Struct | Mapping) for part in value)
    )


def _many(title: str, held: Any) -> Sheet:
    """Return a table with a row for each thing: structs get a column for each field that any of them has filled."""
    pairs = list(held.items()) if isinstance(held, Mapping) else list(enumerate(held, 1))
    if not all(isinstance(value, Struct) for _, value in pairs):
        return Sheet(title, ("", ""), tuple((worded(key), worded(value)) for key, value in pairs))
    columns = dict.fromkeys(
        name for _, value in pairs for name in value.__struct_fields__ if _holds(value, name)
    )
    rows = tuple(
        (worded(key), *(worded(getattr(value, name, "")) if _holds(value, name) else "" for name in columns))
        for key, value in pairs
    )
    return Sheet(title, ("", *map(_title, columns)), rows)


def _holds(value: Struct, name: str) -> bool:
    held = getattr(value, name, None)
    return held is not None and held is not False and held not in ("", 0, (), {})


def _title(name: str) -> str:
    return name.replace("_", " ")


def _spaced(name: str) -> str:
    """Return a class's name in small words: `WentBack` is `went back`."""
    return "".join(f" {sign.lower()}" if sign.isupper() else sign for sign in name).strip()


def worded(value: Any) -> str:
    """Return any value of a state, fact or command in words, harmless to show: `3 unit, 1 king`; `yes`; `Attack at bridge, with 4`."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Struct):
        parts = [
            f"{_title(name)} {worded(getattr(value, name))}"
            for name in value.__struct_fields__
            if _holds(value, name)
        ]
        tag = value.__struct_config__.tag
        return ", ".join([_spaced(str(tag)), *parts] if tag else parts)
    if isinstance(value, Mapping):
        if value and all(isinstance(held, int) and not isinstance(held, bool) for held in value.values()):
            return ", ".join(f"{held} {worded(key)}" for key, held in value.items())
        return ", ".join(f"{worded(key)}: {worded(held)}" for key, held in value.items())
    if isinstance(value, Iterable) and not isinstance(value, str):
        parts = [worded(part) for part in value]
        return " ".join(parts) if all(isinstance(part, int) for part in value) else ", ".join(parts)
    return harmless(str(value))
