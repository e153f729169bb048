"""The codec: entries to lines and back, on the strict profile.

JSON, keys sorted, tags first, no floats, integers bounded, ASCII keys. Every line is decoded again before anyone may
store it, since msgspec checks on decoding only. What is stored is hashed and never re-encoded.
"""

import contextlib
from collections.abc import Iterable, Iterator
from typing import Any, Generic, TypeVar

import msgspec
from msgspec import Raw, Struct

from events.entry import Entry, SealedCommand, UnrecognisedCommand
from events.event import LARGEST, Id, Seat
from events.play import Sealed, Unrecognised
from events.seals import COMMAND, Opening, digest_by
from events.upcasting import Upcasts

__all__ = ["BadLine", "BadValue", "Codec", "WrongOpening", "opened_game"]

C = TypeVar("C")
F = TypeVar("F")

_encoder = msgspec.json.Encoder(order="sorted")
_FAULTS = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
"""What bytes from anywhere may raise in msgspec, and in an upcaster that takes their shape for granted."""


class BadLine(ValueError):
    """Raised when a line is not an entry: which entry (0: unknown), and what is wrong."""

    def __init__(self, why: str, entry: int = 0) -> None:
        """Take the reason and, when it could be read, the entry's id."""
        super().__init__(f"entry {entry}: {why}" if entry else why)
        self.entry = entry
        self.why = why


class BadValue(ValueError):
    """Raised when something would be written that could not be read back as itself."""


class WrongOpening(ValueError):
    """Raised when an opening is not the one its digest was made from."""


class _Envelope(Struct, frozen=True, forbid_unknown_fields=True):
    id: Id
    parent: Id
    at: str
    seat: Seat
    command: Raw
    facts: tuple[Raw, ...]
    prev: str = ""
    actor: str = ""
    source: str = ""
    key: str = ""


class _FirstFact(Struct, frozen=True):
    game: str = ""
    revision: int = 0


class _First(Struct, frozen=True):
    facts: tuple[Raw, ...]


_envelope = msgspec.json.Decoder(_Envelope)
_first = msgspec.json.Decoder(_First)
_first_fact = msgspec.json.Decoder(_FirstFact)


def opened_game(line: bytes) -> tuple[str, int]:
    """Return the game and revision that a log's first line opens; raise `BadLine` when it opens none."""
    try:
        first = _first.decode(line)
        opened = _first_fact.decode(first.facts[0])
    except (ValueError, IndexError, RecursionError) as fault:
        raise BadLine(f"the first line does not open a game ({fault})", 1) from fault
    if not opened.game:
        raise BadLine("the first line does not open a game (no fact GameOpened)", 1)
    return opened.game, opened.revision


class Codec(Generic[C, F]):
    """Reads and writes the entries of one game."""

    def __init__(self, commands: Any, facts: Any, lift_facts: Upcasts, lift_commands: Upcasts) -> None:
        """Take the unions of the game's commands and facts, and how older ones are brought up to date.

        Raises `TypeError` that names a field whose type the strict profile does not allow.
        """
        self.commands = commands | SealedCommand
        self.facts = facts | Sealed
        for field in _loose((self.commands, self.facts)):
            raise TypeError(f"{field} does not fit the strict profile: no floats, no `Any`, integers bounded")
        self._typed: msgspec.json.Decoder[Entry[C, F]] = msgspec.json.Decoder(
            _entry_of(self.commands, self.facts)
        )
        self._fact = msgspec.json.Decoder(self.facts)
        self._command = msgspec.json.Decoder(self.commands)
        self._lift_facts, self._lift_commands = lift_facts, lift_commands
        self._fact_tags, self._command_tags = _tags(self.facts), _tags(self.commands)

    def value(self, value: Any) -> bytes:
        """Return the bytes of one command or fact, as seals digest them; raise `BadValue` when it has none."""
        try:
            return _encoder.encode(value)
        except (TypeError, ValueError, OverflowError, RecursionError, msgspec.EncodeError) as fault:
            raise BadValue(f"{type(value).__name__} can't be written: {fault}") from fault

    def encode(self, entry: Entry[C, F], openings: Iterable[Opening] = ()) -> bytes:
        """Return the line of an entry (no newline); raise `BadValue` unless it and its openings read back as written."""
        try:
            line = _encoder.encode(entry)
            read = self._typed.decode(line)
            same = read == entry and _encoder.encode(read) == line and _has_ascii_keys(line)
            for opening in openings:
                value = bytes(opening.value)
                part: Any = (self._command if opening.part == COMMAND else self._fact).decode(value)
                same = same and _encoder.encode(part) == value and _has_ascii_keys(value)
        except (TypeError, ValueError, OverflowError, RecursionError, msgspec.EncodeError) as fault:
            raise BadValue(f"entry {entry.id} could not be read back: {fault}") from fault
        if not same:
            raise BadValue(f"entry {entry.id} would read back as something else")
        return line

    def is_canonical(self, line: bytes, entry: Entry[C, F]) -> bool:
        """Return whether a line is written as this codec writes: sorted, no spaces, no doubled keys, no floats."""
        try:
            if _encoder.encode(entry) == line:
                return _has_ascii_keys(line)
            with contextlib.suppress(ValueError, RecursionError):
                self._typed.decode(line)
                return False
            # Older and unknown tags: the line can't be made again from what became of them.
            plain = msgspec.json.decode(line)
            return _is_strict(plain) and _encoder.encode(plain) == line
        except (TypeError, ValueError, OverflowError, RecursionError):
            return False

    def decode(self, line: bytes) -> Entry[C, F]:
        """Return the entry of a line; older tags are lifted, unknown ones become `Unrecognised`; else `BadLine`."""
        try:
            return self._typed.decode(line)
        except (ValueError, RecursionError):
            return self._decode_slowly(line)

    def command(self, value: bytes) -> C:
        """Return the command of these bytes; raise `ValueError` (msgspec's, which names the field) otherwise."""
        return self._command.decode(value)  # type: ignore[no-any-return]

    def fact(self, value: bytes) -> F:
        """Return the fact of these bytes; raise `ValueError` (msgspec's, which names the field) otherwise."""
        return self._fact.decode(value)  # type: ignore[no-any-return]

    def reveal(self, entry: Entry[C, F], openings: Iterable[Opening]) -> Entry[C, F]:
        """Return the entry with its sealed parts opened as far as the openings go; raise `WrongOpening` on a false one."""
        command: Any = entry.command
        facts: list[Any] = list(entry.facts)
        for opening in openings:
            part = _sealed_part(opening, command, facts) if opening.entry == entry.id else None
            if part is None:
                raise WrongOpening(
                    f"entry {entry.id}, part {opening.part}: the opening does not fit its digest"
                )
            value = bytes(opening.value)
            if part == COMMAND:
                command = self._open_command(value, entry.id)
            else:
                facts[part] = self._open_fact(value, entry.id)
        return msgspec.structs.replace(entry, command=command, facts=tuple(facts))

    def _open_command(self, value: bytes, entry: int) -> Any:
        try:
            return self._command.decode(value)
        except (ValueError, RecursionError):
            return self._lift_command(value, entry)

    def _open_fact(self, value: bytes, entry: int) -> Any:
        try:
            return self._fact.decode(value)
        except (ValueError, RecursionError):
            return self._lift_one(value, entry)

    def _lift_one(self, value: bytes, entry: int) -> Any:
        lifted = list(self._lift(value, entry))
        if len(lifted) != 1:
            raise BadLine("a sealed fact of an older version must become exactly one", entry)
        return lifted[0]

    def _decode_slowly(self, line: bytes) -> Entry[C, F]:
        """Decode part by part, for lines that hold older or unknown tags."""
        try:
            held = _envelope.decode(line)
        except (ValueError, RecursionError) as fault:
            raise BadLine(str(fault), _id_of(line)) from fault
        command = self._lift_command(bytes(held.command), held.id)
        facts = tuple(fact for raw in held.facts for fact in self._lift(bytes(raw), held.id))
        return Entry(
            held.id,
            held.parent,
            held.at,
            held.seat,
            command,
            facts,
            held.prev,
            held.actor,
            held.source,
            held.key,
        )

    def _lift_command(self, raw: bytes, entry: int) -> Any:
        try:
            plain = msgspec.json.decode(raw)
            if not isinstance(plain, dict) or not isinstance(plain.get("Do"), str):
                raise BadLine("a command must be an object with a text `Do`", entry)
            if plain["Do"] not in self._command_tags and plain["Do"] not in self._lift_commands:
                return UnrecognisedCommand(plain["Do"], plain)
            (current,) = self._lift_commands.lift(plain)
            return msgspec.convert(current, self.commands)
        except BadLine:
            raise
        except _FAULTS as fault:
            raise BadLine(f"command: {fault}", entry) from fault

    def _lift(self, raw: bytes, entry: int) -> Iterable[Any]:
        try:
            plain = msgspec.json.decode(raw)
            if not isinstance(plain, dict) or not isinstance(plain.get("Fact"), str):
                raise BadLine("a fact must be an object with a text `Fact`", entry)
            if plain["Fact"] not in self._fact_tags and plain["Fact"] not in self._lift_facts:
                yield Unrecognised(plain["Fact"], plain, entry)
                return
            for current in self._lift_facts.lift(plain):
                yield msgspec.convert(current, self.facts)
        except BadLine:
            raise
        except _FAULTS as fault:
            raise BadLine(f"fact: {fault}", entry) from fault


def _id_of(line: bytes) -> int:
    try:
        plain = msgspec.json.decode(line)
        return plain["id"] if isinstance(plain["id"], int) else 0
    except (ValueError, KeyError, TypeError, RecursionError):
        return 0


def _sealed_part(opening: Opening, command: object, facts: list[Any]) -> int | None:
    """Return the part that an opening opens: its own, or where upcasting has put that since; None: none fits."""
    own, digest = opening.part, digest_by(opening)
    if own == COMMAND:
        return COMMAND if _is_shut(SealedCommand, command, digest) else None
    if 0 <= own < len(facts) and _is_shut(Sealed, facts[own], digest):
        return own
    return next((part for part, fact in enumerate(facts) if _is_shut(Sealed, fact, digest)), None)


def _is_shut(kind: type[Any], part: Any, digest: str | None) -> bool:
    return type(part) is kind and part.digest == digest


def _has_ascii_keys(line: bytes) -> bool:
    """Return whether all keys are ASCII: on others JSON writers differ about what is sorted."""
    return line.isascii() or _is_strict(msgspec.json.decode(line))


def _is_strict(plain: Any) -> bool:
    """Return whether a plain value keeps to the profile: no floats, whole numbers within 2**53, ASCII keys."""
    if isinstance(plain, dict):
        return all(key.isascii() and _is_strict(value) for key, value in plain.items())
    if isinstance(plain, list):
        return all(map(_is_strict, plain))
    if isinstance(plain, int):
        return abs(plain) <= LARGEST
    return not isinstance(plain, float)


def _loose(types: Iterable[Any]) -> Iterator[str]:
    """Yield each field, `UnitsLost.count`, whose type allows what the strict profile does not."""
    left = [("", kind) for kind in msgspec.inspect.multi_type_info(types)]
    seen: set[type] = set()
    while left:
        name, kind = left.pop()
        match kind:
            case msgspec.inspect.Metadata(type=inner):
                left.append((name, inner))
            case msgspec.inspect.StructType(cls=cls) if cls not in seen:
                seen.add(cls)
                left += [(f"{cls.__name__}.{field.name}", field.type) for field in kind.fields]
            case msgspec.inspect.UnionType(types=inners) | msgspec.inspect.TupleType(item_types=inners):
                left += [(name, inner) for inner in inners]
            case msgspec.inspect.CollectionType(item_type=inner):
                left.append((name, inner))
            case msgspec.inspect.DictType(key_type=key, value_type=value):
                left += [(name, key), (name, value)]
            case msgspec.inspect.IntType(ge=int(), le=int()):
                continue
            case msgspec.inspect.IntType() | msgspec.inspect.FloatType() | msgspec.inspect.AnyType():
                yield name
            case _:
                continue


def _entry_of(commands: Any, facts: Any) -> Any:
    """Return the type of an entry that holds these commands and facts."""
    return getattr(Entry, "__class_getitem__")((commands, facts))  # noqa: B009 - mypy knows no unions made at run time


def _tags(union: Any) -> set[str]:
    """Return the tags of a union of tagged structs."""
    info = msgspec.inspect.type_info(union)
    members = info.types if isinstance(info, msgspec.inspect.UnionType) else (info,)
    return {str(member.tag) for member in members if isinstance(member, msgspec.inspect.StructType)}
