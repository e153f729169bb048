"""What is recorded and what was to be expected, held side by side: where they differ, in words."""

import re
from typing import Any

from msgspec import structs

from core.consent import MOST_LISTED, in_short
from core.deciding import Decision
from core.kit.table import OpenGame
from events.entry import SealedCommand
from events.event import FactData
from events.play import Sealed, Unrecognised
from events.table import GameOpened
from replay.history import AnyEntry

__all__ = ["agree", "as_recorded", "difference", "learned_apart", "plain_words", "sealed_in_words", "seals_of", "shut_alike", "told", "told_apart", "uncited"]  # fmt: skip

_SHUT = (Sealed, SealedCommand)


def plain_words(part: Any, but: frozenset[str] = frozenset()) -> str:
    """Return a command or a fact in words: its name and its fields, without the sections and the fields in `but`."""
    if getattr(part, "learned", None):
        part = structs.replace(part, learned=(in_short(part.learned),))
    if type(part) in _SHUT:
        return f"something sealed to {' '.join(part.to)}"
    said = kind_in_words(part.name if isinstance(part, Unrecognised) else type(part).__name__)
    fields = [
        f"{field.replace('_', ' ')} {_value(value)}"
        for field, value in structs.asdict(part).items()
        if field != "because" and field not in but and (value not in ("", (), {}, None, False) or but)
    ]
    return f"{said} ({', '.join(fields)})" if fields else said


def kind_in_words(name: str) -> str:
    """Return the name of a kind of command or fact in words: `units lost`."""
    return " ".join(re.findall(r"[A-Z]?[^A-Z]+|[A-Z]+", name)).lower() or name


def told_apart(recorded: tuple[FactData, ...], expected: tuple[FactData, ...]) -> tuple[str, str]:
    """Return facts in words; of two of a kind only the fields that differ, and those that say of whom and where."""
    if sorted(map(plain_words, recorded)) == sorted(map(plain_words, expected)):
        return f"{told(recorded)}, in this order", f"{told(expected)}, in this order"
    left = list(expected)
    here, there = [], []
    for fact in recorded:
        kind = type(fact)
        alike = [each for each in left if type(each) is kind]
        other = max(alike, key=lambda each: _in_common(each, fact), default=None)
        if other is None or kind is Unrecognised:
            here.append(plain_words(fact))
            continue
        left.remove(other)
        same = frozenset(
            name
            for name in kind.__struct_fields__
            if getattr(fact, name) == getattr(other, name) and name not in _NAMING
        )
        here.append(plain_words(_apart(fact, other), same | {""}))
        there.append(plain_words(_apart(other, fact), same | {""}))
    there += [plain_words(fact) for fact in left]
    return "; ".join(here) or "nothing more", "; ".join(there) or "nothing more"


def _apart(fact: FactData, other: FactData) -> FactData:
    """Return a fact whose tables hold only what another of its kind does not have in them."""
    tables = [(name, getattr(fact, name), getattr(other, name)) for name in fact.__struct_fields__]
    return structs.replace(
        fact,
        **{
            name: {key: value for key, value in held.items() if theirs.get(key) != value}
            for name, held, theirs in tables
            if isinstance(held, dict) and isinstance(theirs, dict)
        },
    )


def _in_common(one: FactData, other: FactData) -> int:
    """Return in how many fields two facts of a kind are the same."""
    return sum(getattr(one, name) == getattr(other, name) for name in one.__struct_fields__)


_NAMING = frozenset({"seat", "owner", "place", "origin", "target", "die", "purpose"})
"""Fields that say which thing is meant, told even where both sides agree."""


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value in ("", (), {}, None):
        return "none"
    if isinstance(value, tuple | list):
        return " ".join(map(_value, value))
    if isinstance(value, dict):
        return " ".join(f"{key}={_value(held)}" for key, held in value.items())
    return plain_words(value) if hasattr(value, "__struct_fields__") else str(value)


def told(facts: tuple[FactData, ...], *, cited: bool = False) -> str:
    """Return facts in words."""
    words = [plain_words(fact) + (f" under {' '.join(fact.because)}" if cited else "") for fact in facts]
    return "; ".join(words) or "nothing more"


def difference(
    recorded: tuple[FactData, ...], expected: tuple[FactData, ...]
) -> tuple[tuple[FactData, ...], tuple[FactData, ...]]:
    """Return the facts that stand on one side alone; of the same facts in another order those that are out of place."""
    left = list(expected)
    only = []
    for fact in recorded:
        if fact in left:
            left.remove(fact)
        else:
            only.append(fact)
    if not only and not left:
        moved = [(ours, theirs) for ours, theirs in zip(recorded, expected, strict=True) if ours != theirs]
        return tuple(ours for ours, _ in moved), tuple(theirs for _, theirs in moved)
    return tuple(only), tuple(left)


def uncited(fact: FactData) -> FactData:
    """Return a fact without the sections that it cites."""
    return structs.replace(fact, because=()) if fact.because else fact


def agree(recorded: tuple[FactData, ...], expected: tuple[FactData, ...]) -> bool:
    """Return whether facts agree as far as the recorded ones are open."""
    return len(recorded) == len(expected) and all(
        type(fact) is Sealed or fact == other for fact, other in zip(recorded, expected, strict=True)
    )


def seals_of(sealed: AnyEntry) -> tuple[tuple[str, ...], ...]:
    """Return who alone may see the command and each fact, as the line says."""
    parts = (sealed.command, *sealed.facts)
    return tuple([part.to if type(part) in _SHUT else () for part in parts])


def shut_alike(entry: AnyEntry, sealed: AnyEntry, decided: Decision[Any]) -> bool:
    """Return whether the line seals what the decision seals, to the same seats."""
    if sealed is entry and not decided.command_to and not any(decided.audiences):
        return True
    return seals_of(sealed) == (decided.command_to, *decided.audiences)


def sealed_in_words(facts: tuple[FactData, ...], seals: tuple[tuple[str, ...], ...]) -> str:
    """Return in words which parts of an entry are sealed, and to whom: `sealed: hand seen (to orc)`."""
    parts = ["the command", *(kind_in_words(type(fact).__name__) for fact in facts)]
    shut = [f"{part} (to {' '.join(to)})" for part, to in zip(parts, seals, strict=True) if to]
    return f"sealed: {', '.join(shut) or 'nothing'}"


def as_recorded(entry: AnyEntry, expected: tuple[FactData, ...]) -> tuple[FactData, ...]:
    """Return the facts that were to be expected when an entry was written.

    An opening under an older revision knew no later points and options, but for those that its own command names.
    """
    command, recorded = entry.command, entry.facts
    if not expected or not recorded or not isinstance(command, OpenGame):
        return expected
    ours, theirs = expected[0], recorded[0]
    if (
        not isinstance(ours, GameOpened)
        or not isinstance(theirs, GameOpened)
        or theirs.revision == ours.revision
    ):
        return expected
    points, names = {*theirs.answers, *command.answers}, {*theirs.options, *command.options}
    answers = {point: answer for point, answer in ours.answers.items() if point in points}
    options = {name: value for name, value in ours.options.items() if name in names}
    known = structs.replace(ours, revision=max(1, theirs.revision), answers=answers, options=options)
    return (known, *expected[1:])


def learned_apart(recorded: tuple[str, ...], known: tuple[str, ...]) -> tuple[str, str]:
    """Return two lists of what had been learned in words; of long ones what only one of them has, and how much is the same."""
    if max(len(recorded), len(known)) <= MOST_LISTED:
        return "; ".join(recorded) or "nothing", "; ".join(known) or "nothing"
    same = set(recorded) & set(known)
    mine, other = (
        in_short([what for what in which if what not in same]) or "nothing" for which in (recorded, known)
    )
    if not same:
        return mine, other
    return f"{mine} beside {len(same)} that are in both", f"{other} beside these"
