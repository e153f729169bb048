"""Seals: what a reader may not see stands in the line as a salted digest; salt and value lie beside it.

In the manner of selective disclosure: a seat's view is the same lines plus its own openings, and verifies to the
same head. Publishing all openings opens the game; destroying one erases it without breaking a proof.
"""

from collections.abc import Callable, Iterable, Sequence
from hashlib import sha256
from typing import Any, TypeVar

from msgspec import Raw, Struct, structs

from events.entry import Entry, SealedCommand
from events.event import Id, Int, Seat
from events.play import Sealed

__all__ = ["COMMAND", "Opening", "Salts", "conceal", "digest_by", "digest_of", "for_seat", "opens"]

COMMAND = -1
"""The part of an entry that is its command; 0, 1, 2 ... are its facts."""

C = TypeVar("C")
F = TypeVar("F")
Salts = Callable[[int, int], bytes]
"""Gives the 16-byte salt for (entry, part)."""


class Opening(Struct, frozen=True, gc=False):
    """The salt (hexadecimal) and value of one sealed part of an entry, and the seats that may have it."""

    entry: Id
    part: Int
    salt: str
    to: tuple[Seat, ...]
    value: Raw


def digest_of(salt: bytes, value: bytes) -> str:
    """Return the digest that stands for a sealed value: sha256 of salt and value bytes, in hexadecimal."""
    return sha256(salt + value).hexdigest()


def digest_by(opening: Opening) -> str | None:
    """Return the digest that an opening opens; None for a malformed salt, which opens none."""
    try:
        salt = bytes.fromhex(opening.salt)
    except ValueError:
        return None
    return digest_of(salt, bytes(opening.value))


def opens(opening: Opening, digest: str) -> bool:
    """Return whether an opening is the one a digest was made from."""
    return digest_by(opening) == digest


def conceal(
    entry: Entry[Any, Any],
    audiences: Sequence[tuple[Seat, ...]],
    command_to: tuple[Seat, ...],
    encode: Callable[[Any], bytes],
    salts: Salts,
) -> tuple[Entry[Any, Any], tuple[Opening, ...]]:
    """Return the entry as its line holds it, and the openings of the parts that were sealed.

    `audiences[i]` are the seats that alone may see fact i (empty: everybody), `command_to` those of the command.
    """
    openings: list[Opening] = []

    def shut(part: int, value: Any, to: tuple[Seat, ...]) -> str:
        salt, stored = salts(entry.id, part), encode(value)
        openings.append(Opening(entry.id, part, salt.hex(), to, Raw(stored)))
        return digest_of(salt, stored)

    command = (
        SealedCommand(shut(COMMAND, entry.command, command_to), command_to) if command_to else entry.command
    )
    facts = tuple(
        Sealed(shut(part, fact, to), to) if to else fact
        for part, (fact, to) in enumerate(zip(entry.facts, audiences, strict=True))
    )
    if not openings:
        return entry, ()
    return structs.replace(entry, command=command, facts=facts), tuple(openings)


def for_seat(openings: Iterable[Opening], seat: Seat) -> tuple[Opening, ...]:
    """Return the openings that seat may have."""
    return tuple(opening for opening in openings if seat in opening.to)
