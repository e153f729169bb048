"""Questions, and the offers that bound their answers.

A question is what the top step waits for now. It is derived from step, state and the answers in force, and never
stored. An ask is a question as one seat may see it, with its offers: commands whose free fields are bounded
independently. Law: what is sampled from an offer is accepted.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from dataclasses import field as attribute
from typing import Any, dataclass_transform

from msgspec import Struct, field

from events.chance import Draw, Roll
from events.event import CommandData, Face, Seat, SectionRef

__all__ = ["Ask", "Between", "Bound", "Dice", "Offer", "OneOf", "Part", "Path", "Pick", "Question", "Value"]

Value = Any
"""A field of a command: a number, a text, a tuple or a dict of these."""
Chooser = Callable[[int], int]
"""Picks a number from 0 to n - 1; the kernel knows no chance of its own."""


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class _Bound(Struct, frozen=True, gc=False, tag_field="Bound", tag=True):
    """What a free field may hold."""

    def allows(self, value: Value) -> bool:
        """Return whether the field may hold the value."""
        raise NotImplementedError

    def sample(self, choose: Chooser) -> Value:
        """Return one value that it may hold."""
        raise NotImplementedError


class OneOf(_Bound):
    """One of these values."""

    values: tuple[Value, ...]

    def allows(self, value: Value) -> bool:
        """Return whether the value is one of them."""
        return value in self.values

    def sample(self, choose: Chooser) -> Value:
        """Return one of them."""
        return self.values[choose(len(self.values))]


class Between(_Bound):
    """A whole number from `low` to `high`, both included."""

    low: int
    high: int

    def allows(self, value: Value) -> bool:
        """Return whether the value is a whole number within the bounds."""
        return type(value) is int and self.low <= value <= self.high

    def sample(self, choose: Chooser) -> Value:
        """Return one such number."""
        return self.low + choose(self.high - self.low + 1)


class Pick(_Bound):
    """So many things out of a pool, as `{kind: how many}`; `low` to `high` of them in all."""

    pool: dict[str, int]
    low: int
    high: int

    def allows(self, value: Value) -> bool:
        """Return whether the value takes no more than the pool holds, and as many as asked in all."""
        if not isinstance(value, dict) or not all(type(n) is int and n > 0 for n in value.values()):
            return False
        return self.low <= sum(value.values()) <= self.high and all(
            n <= self.pool.get(k, 0) for k, n in value.items()
        )

    def sample(self, choose: Chooser) -> Value:
        """Return one such choice."""
        bag = [kind for kind, n in self.pool.items() for _ in range(n)]
        taken: dict[str, int] = {}
        for _ in range(self.low + choose(min(self.high, len(bag)) - self.low + 1)):
            kind = bag.pop(choose(len(bag)))
            taken[kind] = taken.get(kind, 0) + 1
        return taken


class Part(_Bound):
    """Some of these names, each at most once, in any order; `low` to `high` of them."""

    of: tuple[str, ...]
    low: int
    high: int

    def allows(self, value: Value) -> bool:
        """Return whether the value is a tuple of that many of them, none twice."""
        return (
            isinstance(value, tuple)
            and self.low <= len(value) <= self.high
            and len(set(value)) == len(value)
            and set(value) <= set(self.of)
        )

    def sample(self, choose: Chooser) -> Value:
        """Return one such choice."""
        bag = list(self.of)
        count = self.low + choose(min(self.high, len(bag)) - self.low + 1)
        return tuple(bag.pop(choose(len(bag))) for _ in range(count))


class Dice(_Bound):
    """The faces of `count` dice, each one of `faces`, in the order rolled."""

    faces: tuple[Face, ...]
    count: int

    def allows(self, value: Value) -> bool:
        """Return whether the value is that many faces of such dice."""
        return (
            isinstance(value, tuple)
            and len(value) == self.count
            and all(face in self.faces for face in value)
        )

    def sample(self, choose: Chooser) -> Value:
        """Return one roll."""
        return tuple(self.faces[choose(len(self.faces))] for _ in range(self.count))


class Path(_Bound):
    """A walk of `low` to `high` steps from `start` (not included), each along `edges`."""

    start: str
    edges: dict[str, tuple[str, ...]]
    low: int
    high: int

    def allows(self, value: Value) -> bool:
        """Return whether the value is a tuple of places, each next to the one before."""
        if not isinstance(value, tuple) or not self.low <= len(value) <= self.high:
            return False
        return all(
            step in self.edges.get(before, ())
            for before, step in zip((self.start, *value), value, strict=False)
        )

    def sample(self, choose: Chooser) -> Value:
        """Return one walk; shorter than wanted where it comes to a dead end after `low` steps."""
        alive = self._alive()
        walk: list[str] = []
        for done in range(1, self.low + choose(self.high - self.low + 1) + 1):
            owed = alive[max(0, self.low - done)]
            onward = self.edges.get(walk[-1] if walk else self.start, ())
            onward = tuple(place for place in onward if owed is None or place in owed)
            if not onward:
                break
            walk.append(onward[choose(len(onward))])
        return tuple(walk)

    def _alive(self) -> list[frozenset[str] | None]:
        """Return the places from which 0, 1 ... `low` - 1 more steps can be walked; None for all."""
        alive: list[frozenset[str] | None] = [None]
        for _ in range(1, self.low):
            onto = alive[-1]
            alive.append(
                frozenset(
                    place
                    for place, onward in self.edges.items()
                    if onward and (onto is None or not onto.isdisjoint(onward))
                )
            )
        return alive


Bound = OneOf | Between | Pick | Part | Dice | Path


@dataclass(frozen=True, slots=True)
class Offer:
    """A command that may be given now: some fields fixed, the others bounded independently."""

    command: type[CommandData]
    fields: Mapping[str, Bound | Value] = attribute(default_factory=dict)

    def sample(self, choose: Chooser) -> CommandData:
        """Return one command of this offer."""
        return self.command(
            **{
                name: held.sample(choose) if isinstance(held, _Bound) else held
                for name, held in self.fields.items()
            }
        )

    def allows(self, command: CommandData) -> bool:
        """Return whether a command is one of this offer; fields that the offer does not name hold their defaults."""
        if type(command) is not self.command:
            return False
        for name in command.__struct_fields__:
            value = getattr(command, name)
            held = self.fields[name] if name in self.fields else _default(self.command, name)
            if not (held.allows(value) if isinstance(held, _Bound) else held == value):
                return False
        return True


def _default(command: type[CommandData], name: str) -> Value:
    fields = command.__struct_fields__
    defaults = command.__struct_defaults__
    place = fields.index(name) - (len(fields) - len(defaults))
    value = defaults[place] if place >= 0 else None
    factory = getattr(value, "factory", None)
    return factory() if factory is not None else value


class Question(Struct, frozen=True, gc=False):
    """What a step waits for: which seats still owe an answer, by which commands, under which sections.

    `kind` names it for programs, `prompt` for people. Whether a seat is asked and the kind of thing it is asked
    depend on public things only.
    """

    kind: str
    seats: tuple[Seat, ...]
    answers: tuple[type[CommandData], ...] = ()
    because: tuple[SectionRef, ...] = ()
    prompt: str = ""
    roll: Roll | None = None
    draw: Draw | None = None


@dataclass(frozen=True, slots=True)
class Ask:
    """A question as one seat may see it: its name, the offers, and the silence that stands for no answer."""

    name: str
    seat: Seat
    question: Question
    offers: tuple[Offer, ...]
    silence: CommandData | None
