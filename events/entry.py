"""The entry: one command and the facts it caused, the unit of appending, one JSON line."""

from typing import Any, Generic, TypeVar

from msgspec import Struct

from events.event import CommandData, Id, Seat

__all__ = ["Entry", "SealedCommand", "UnrecognisedCommand"]

C = TypeVar("C")
F = TypeVar("F")


class SealedCommand(CommandData, tag="Sealed"):
    """A command that the reader may not see: a salted digest, and whom it concerns."""

    digest: str
    to: tuple[Seat, ...]


class UnrecognisedCommand(CommandData, tag="?"):
    """A command whose tag this revision does not know; shown, never decided, never written."""

    name: str
    raw: Any


class Entry(Struct, Generic[C, F], frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """One decision and what followed.

    `id` counts 1, 2, 3 ... without gaps; `parent` is the entry it goes on from; `prev` is the hash of entry
    `id - 1`, whatever the parent; `at` is UTC in RFC 3339; `actor` the person; `source` where dice came from
    (`typed`, `live`, `sealed`, `scripted`); `key` the idempotency key.
    """

    id: Id
    parent: Id
    at: str
    seat: Seat
    command: C
    facts: tuple[F, ...]
    prev: str = ""
    actor: str = ""
    source: str = ""
    key: str = ""
