"""What a seat knew at an entry: what it knew for itself, what it learned and by which entry, what stayed hidden from it.

All of it follows from the lines as that seat may read them and from folds of those: a look at the whole state would tell
the seat more than it may know, if only that something had been so before. What a seat *knows for itself* is where its view
differs from that of somebody who sits nowhere. It *learned* what a fact told it that was secret before. What is *hidden*
from it are the sealed parts of the lines that it may not open.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from msgspec import Struct, structs

from core.state import State
from events.entry import SealedCommand
from events.event import FactData, Id, Seat
from events.play import Sealed, Turned
from replay.history import History

__all__ = ["Hidden", "Knowledge", "Learned", "Own", "knowledge"]

Leaves = dict[tuple[str, ...], Any]
"""What stands in a state, each by the names that lead to it: `chips, orc.king, place`."""
_ABSENT = object()
_KERNEL = frozenset(State.__struct_fields__)


class Own(Struct, frozen=True):
    """One thing that a seat knows and not everybody does: what it is about, what holds of it, and since which entry."""

    what: str
    holds: Any
    entry: Id


class Learned(Struct, frozen=True):
    """A secret that a fact told a seat, and in which entry; what was told on a line that was taken back stays learned."""

    fact: FactData
    entry: Id
    taken_back: bool = False


class Hidden(Struct, frozen=True):
    """What a seat knows that it does not know: so many sealed things that concern others, and the entries they are in."""

    to: tuple[Seat, ...]
    count: int
    entries: tuple[Id, ...]


class Knowledge(Struct, frozen=True):
    """What a seat knew after an entry: for itself, learned on the way, and to be hidden from it."""

    own: tuple[Own, ...]
    learned: tuple[Learned, ...]
    hidden: tuple[Hidden, ...]


def knowledge(history: History, seat: Seat | None, at: Id) -> Knowledge:
    """Return what a seat knew after entry `at`; None is somebody who sits nowhere, who knows nothing for himself."""
    return Knowledge(
        tuple(_own(history, seat, at)) if seat is not None else (),
        tuple(_learned(history, seat, at)),
        tuple(_hidden(history, seat, at)),
    )


def _own(history: History, seat: Seat, at: Id) -> Iterator[Own]:
    """Yield what a seat's view holds that a spectator's does not, and since when."""
    mine, public = history.view(seat, at).state, history.view(None, at).state
    line = history.line(at)
    for where, holds in _grouped(_new_leaves(public, mine)):
        since = at
        for earlier in reversed(line):
            state = history.view(seat, earlier).state
            if any(_leaf(state, (*where, *name)) != value for name, value in holds.items()):
                break
            since = earlier
        yield Own(", ".join((where[0].replace("_", " "), *where[1:])), _told(holds), since)


def _learned(history: History, seat: Seat | None, at: Id) -> Iterator[Learned]:
    """Yield the facts that told a seat a secret: those that are there to reveal one, and what others did under seal to it.

    A fact that says only what the seat knew already, such as one of its own chips that is turned up, told it nothing.
    """
    line = set(history.line(at))
    for entry in range(1, at + 1):
        seen, shut = history.entry_for(seat, entry), history.as_stored(entry)[0]
        opens = entry == 1
        state = (
            history.rules.start(history.view(seat, 1).table)
            if opens
            else history.decided_on(entry, seat).state
        )
        for fact, stored in zip(seen.facts, shut.facts, strict=True):
            if type(fact) in (Sealed, Turned) or fact.TABLE:
                continue
            told = type(stored) is Sealed and seen.seat != seat and not opens
            after = fact.onto(state)
            if (told or type(fact).REVEALS) and _is_news(state, after, fact):
                yield Learned(fact, entry, entry not in line)
            state = after


def _is_news(before: Any, after: Any, fact: Any) -> bool:
    """Return whether a fact puts something into a view, or names something that the view had nowhere."""
    if any(len(where) > 1 and value is not True for where, value in _new_leaves(before, after).items()):
        return True
    held = [getattr(before, name) for name in before.__struct_fields__ if name not in _KERNEL]
    told = [value for name, value in structs.asdict(fact).items() if name != "because"]
    pairs = [pair for value in told if isinstance(value, Mapping) for pair in value.items()]
    mappings = [each for each in held if isinstance(each, Mapping)]
    if any(all(each.get(key, _ABSENT) != value for each in mappings) for key, value in pairs):
        return True
    return not set(_words(held)).issuperset(_words(told))


def _words(held: Any) -> Iterator[str]:
    """Yield every word that stands in a value, names of things among them; the names of fields are none."""
    if isinstance(held, str):
        yield from (held,) if held else ()
    elif isinstance(held, Struct):
        yield from (word for name in held.__struct_fields__ for word in _words(getattr(held, name)))
    elif isinstance(held, Mapping):
        yield from (word for pair in held.items() for word in _words(pair))
    elif isinstance(held, Iterable):
        yield from (word for part in held for word in _words(part))


def _hidden(history: History, seat: Seat | None, at: Id) -> Iterator[Hidden]:
    """Yield the sealed parts of the entries that led to `at` that a seat may not open, by whom they concern."""
    found: dict[tuple[Seat, ...], list[Id]] = {}
    for entry in history.line(at):
        seen = history.entry_for(seat, entry)
        for part in (seen.command, *seen.facts):
            if isinstance(part, SealedCommand | Sealed):
                found.setdefault(part.to, []).append(entry)
    for to, entries in found.items():
        yield Hidden(to, len(entries), tuple(dict.fromkeys(entries)))


def _new_leaves(before: Any, after: Any) -> Leaves:
    """Return the leaves that stand in one state and not so in another; the agenda and the like are no knowledge."""
    found: Leaves = {}
    for name in after.__struct_fields__:
        if name not in _KERNEL:
            _compare((name,), getattr(before, name), getattr(after, name), found)
    return found


def _compare(where: tuple[str, ...], before: Any, after: Any, found: Leaves) -> None:
    if before is after or before == after:
        return
    if isinstance(after, Mapping):
        for name, held in after.items():
            inner = before.get(name, _ABSENT) if isinstance(before, Mapping) else _ABSENT
            _compare((*where, str(name)), inner, held, found)
    elif isinstance(after, Struct):
        for name in after.__struct_fields__:
            _compare((*where, name), getattr(before, name, _ABSENT), getattr(after, name), found)
    elif after not in ("", (), None, False):
        found[where] = after


def _grouped(leaves: Leaves) -> Iterator[tuple[tuple[str, ...], Leaves]]:
    """Yield leaves by the thing that they are about, the first two names, with what holds of it by the names below."""
    things: dict[tuple[str, ...], Leaves] = {}
    for where, holds in leaves.items():
        things.setdefault(where[:2], {})[where[2:]] = holds
    yield from things.items()


def _leaf(state: Any, where: tuple[str, ...]) -> Any:
    held = state
    for name in where:
        held = held.get(name, _ABSENT) if isinstance(held, Mapping) else getattr(held, name, _ABSENT)
    return held


def _told(holds: Leaves) -> Any:
    """Return what holds of a thing: its only value, or its values by name."""
    return holds[()] if tuple(holds) == ((),) else {", ".join(name): value for name, value in holds.items()}
