"""Names that a game's own vocabulary knows: the places, chips and seats that a sentence can speak of."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from msgspec import inspect

from core.rules import Rules
from events.event import Seat
from replay.words.faults import close_to
from replay.words.forms import Reader, unwrapped
from replay.words.naming import close_names

__all__ = ["openly_named", "refuse_strangers", "strangers", "unknown_words"]


def strangers(
    rules: Rules[Any], value: Any, seats: Sequence[Seat] = ()
) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Yield each name in a command or set-up fact that the game does not know: what it should name, it, and close ones.

    With `seats`, those at the table, a seat that is none of them is named too; a neutral owner is none of the game's
    seats and like none of them.
    """
    of: Any = type(value)
    for name, kind, default in _fields(of):
        held = getattr(value, name)
        if held == default:
            continue
        if name == "seat" and seats and held not in seats:
            close = close_to(held, seats)
            if close or held in rules.seats:
                yield "seat", held, close
        for what, said in _named(kind, held):
            known = rules.names.get(what, ())
            if known and said not in known:
                yield what, said, close_names(rules, what, said)


def openly_named(rules: Rules[Any], state: Any, command: Any) -> tuple[str, ...]:
    """Return the names in a command that tell nothing hidden, for everybody sees in `state` what they name."""
    of: Any = type(command)
    shown = {what: frozenset(names) for what, names in rules.shown(state).items()}
    return tuple(
        said
        for name, kind, _ in _fields(of)
        for what, said in _named(kind, getattr(command, name))
        if said in shown.get(what, ())
    )


def unknown_words(rules: Rules[Any], value: Any) -> str:
    """Return what is unknown in a command, as sentences: `There is no place OR_nn; did you mean OR_n?`; or nothing."""
    told = (
        f"There is no {what} {said}" + (f"; did you mean {' or '.join(close)}?" if close else ".")
        for what, said, close in strangers(rules, value)
    )
    return " ".join(dict.fromkeys(told))


def refuse_strangers(
    rules: Rules[Any], value: Any, reader: Reader, begin: int, seats: Sequence[Seat] = ()
) -> None:
    """Raise `BadText` at a name that the game does not know in what was read from a place of a text on."""
    for what, name, close in strangers(rules, value, seats):
        expected = f"one of: {', '.join(seats)}" if what == "seat" else f"a {what} of {rules.name}"
        at = reader.text.find(name, begin)
        raise reader.fault(
            f"there is no {what} {name!r}", expected, close, reader.column - reader.at + max(begin, at)
        )


@cache
def _fields(kind: type[Any]) -> tuple[tuple[str, inspect.Type, Any], ...]:
    info = inspect.type_info(kind)
    assert isinstance(info, inspect.StructType)  # noqa: S101 - commands and set-up facts are structs
    return tuple((field.name, field.type, field.default) for field in info.fields if field.name != "because")


def _named(info: inspect.Type, held: Any) -> Iterator[tuple[str, str]]:
    """Yield the names in a value of a type, and what each names."""
    info, extra = unwrapped(info)
    if isinstance(held, str):
        if "named" in extra:
            yield str(extra["named"]), held
    elif isinstance(info, inspect.CollectionType):
        for item in held:
            yield from _named(info.item_type, item)
    elif isinstance(info, inspect.DictType) and isinstance(held, Mapping):
        for key in held:
            yield from _named(info.key_type, key)
