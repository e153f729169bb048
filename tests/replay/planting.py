"""Faults planted by hand in recorded games: the catalogue in `fixtures/dragonlords/faults`, and how each is planted.

A forger who makes the chain anew leaves a log that is whole: only deciding again finds him out. A table that writes a
sheet, or somebody who changes a line and leaves the chain alone, does not even do that.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Raw, Struct, field

from core.games.dragonlords import RULES
from events.chain import Head, hash_of
from events.entry import SealedCommand
from events.jsonl import read_log, write_log
from events.play import Sealed
from events.seals import COMMAND, Opening, digest_of
from replay.sheets.adjudicate import judge
from replay.sheets.scoresheet import load_sheet, write_sheet
from replay.sheets.verdicts import Log

__all__ = [
    "FAULTS", "RECORDS", "InLine", "InLog", "InSheet", "altered", "catalogue", "forged", "left", "sheet_of", "tampered",
]  # fmt: skip

RECORDS = Path(__file__).parents[2] / "fixtures" / "dragonlords"
FAULTS = RECORDS / "faults"
AT = "2026-01-01T00:00:00Z"
"""The time of all entries of a game that was judged from a sheet."""

Plain = dict[str, Any]


class Planted(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A fault: what is wrong in words, the chapter whose rule it breaks, and in which recorded game it is planted."""

    name: str
    chapter: str
    game: str
    sections: tuple[str, ...] = ()
    codes: tuple[str, ...] = ()
    recorded: str = ""
    """Words of what must be reported as recorded."""
    expected: str = ""
    """Words of what must be reported as right."""


class Inserted(Struct, frozen=True, forbid_unknown_fields=True):
    """An entry that a forger adds; `to` are the seats that its command is sealed to, in a fact those that this one is."""

    seat: str
    command: Plain
    facts: tuple[Plain, ...] = ()
    to: tuple[str, ...] = ()
    source: str = ""


class InLog(Planted, frozen=True, kw_only=True):
    """A fault in a log whose chain is made anew: which entry, what is done to it, and what must be found where.

    `facts` sets fields, `"UnitsLost#2.count" = 3` that of the second such fact; `without` drops facts, `extra` adds
    some, each with the fact that it stands `before` (else last but one) and the seats it is sealed `to`.
    """

    entry: int
    seat: str = ""
    command: Plain = field(default_factory=dict)
    facts: Plain = field(default_factory=dict)
    without: tuple[str, ...] = ()
    extra: tuple[Plain, ...] = ()
    envelope: Plain = field(default_factory=dict)
    dropped: bool = False
    twice: bool = False
    before: int = 0
    """The entry in front of which it is put, having been taken from its place."""
    insert: Inserted | None = None
    """An entry that is added before it."""
    unsealed: bool = False
    """Whether what was sealed lies open."""
    sealed_to: tuple[str, ...] = ()
    """The seats that its command is sealed to, where it was open."""
    withheld: bool = False
    """Whether nobody has the openings of the entry."""
    eyes: tuple[str, ...] | None = None
    """The seats whose openings alone are at hand; everybody's unless said."""
    at: int = 0
    """The entry where it must be found; its own unless said."""
    question: str = "lawful"
    """The question whose answer names it: dice are a matter of `fair`, times one of `whole`."""
    grade: str
    others: int = 0
    """How many findings more stand by themselves, for a fault that shows at more than one entry."""
    following: int = 0
    """How many findings more are said to follow from it."""

    def holds_back(self, opening: Opening) -> bool:
        """Return whether an opening is not at hand to who verifies."""
        if self.withheld and opening.entry == (self.at or self.entry):
            return True
        return self.eyes is not None and not set(self.eyes) & set(opening.to)


class InSheet(Planted, frozen=True, kw_only=True):
    """A fault in a sheet that was written out of a recorded game: one line reads otherwise, is left out, or is added."""

    line: str
    """The line as it was written; the `nth` such."""
    nth: int = 1
    becomes: str = ""
    """What stands in its place; nothing: it is left out."""
    adds: str = ""
    """A line that is added after it."""
    found_in: str = ""
    """The line where it must be found; that which was changed or added, unless said."""
    verdict: str
    others: tuple[str, ...] = ()
    """The lines that must be unlawful, miscounted or unknowable beside it."""


class InLine(Planted, frozen=True, kw_only=True):
    """A fault in the bytes of a log whose chain is left alone, found by `whole` at the line where it is."""

    entry: int
    old: str = ""
    new: str = ""
    part: str = "jsonl"
    """The file in which it is: `jsonl`, `openings` or `head`."""
    dropped: bool = False
    twice: bool = False
    swapped: bool = False
    """Whether it changes places with the entry after it."""
    grade: str
    others: int = 0
    """How many findings more there are: what is sealed fits its digest no more, either."""


class Catalogue(Struct, frozen=True, forbid_unknown_fields=True):
    """One file of the catalogue."""

    log: tuple[InLog, ...] = ()
    sheet: tuple[InSheet, ...] = ()
    line: tuple[InLine, ...] = ()


@cache
def catalogue() -> Catalogue:
    """Return every fault, in the order of the files and of the lines in them."""
    files = [
        msgspec.toml.decode(path.read_text(encoding="utf-8"), type=Catalogue)
        for path in sorted(FAULTS.glob("*.toml"))
    ]
    return Catalogue(
        tuple(one for each in files for one in each.log),
        tuple(one for each in files for one in each.sheet),
        tuple(one for each in files for one in each.line),
    )


class Held(Struct):
    """An entry with its secrets open, as plain data, and to whom each part of it is sealed."""

    envelope: Plain
    command: Plain
    command_to: tuple[str, ...]
    facts: list[tuple[Plain, tuple[str, ...]]]


@cache
def recorded(game: str) -> tuple[bytes, ...]:
    """Return a recorded game as encoded `Held` entries: a log, or a sheet as it is judged."""
    return tuple(msgspec.msgpack.encode(one) for one in _held(game))


def _held(game: str) -> Iterator[Held]:
    path = RECORDS / f"{game}.score"
    if path.exists():
        judged = judge(load_sheet(path))
        for entry, told in zip(judged.entries(AT), judged.told, strict=True):
            decided = told.decision
            yield _plain(entry, decided.command_to, decided.audiences)
        return
    log = read_log(path.with_suffix(".jsonl"))
    for number, line in enumerate(log.lines, 1):
        shut: Any = RULES.codec.decode(line)
        entry = RULES.codec.reveal(shut, [one for one in log.openings if one.entry == number])
        to = tuple(fact.to if isinstance(fact, Sealed) else () for fact in shut.facts)
        yield _plain(entry, shut.command.to if isinstance(shut.command, SealedCommand) else (), to)


def _plain(entry: Any, command_to: tuple[str, ...], audiences: Sequence[tuple[str, ...]]) -> Held:
    plain = msgspec.to_builtins(entry)
    command, facts = plain.pop("command"), plain.pop("facts")
    plain.pop("prev", None)
    return Held(plain, command, command_to, list(zip(facts, audiences, strict=True)))


def forged(game: str, *faults: InLog) -> Log:
    """Return a recorded game in which faults are planted, the chain made anew so that it is whole."""
    held = [msgspec.msgpack.decode(one, type=Held) for one in recorded(game)]
    for fault in faults:
        held = list(_planted(held, fault))
    renumbered: dict[int, int] = {0: 0}
    lines: list[bytes] = []
    openings: list[Opening] = []
    prev = ""
    for number, one in enumerate(held, 1):
        was = one.envelope["id"]
        renumbered[was] = number
        # Who goes on from the entry before him still does; a parent elsewhere stays the entry that it was.
        parent = one.envelope["parent"]
        after = number - 1 if parent == was - 1 else renumbered.get(parent, parent)
        one.envelope |= {"id": number, "parent": after}
        for fault in faults:
            one.envelope |= fault.envelope if number == (fault.at or fault.entry) else {}
        line, opened = _sealed(one, prev)
        lines.append(line)
        openings += opened
        prev = hash_of(line)
    held_back = [opening for opening in openings if any(fault.holds_back(opening) for fault in faults)]
    return Log(tuple(lines), tuple(one for one in openings if one not in held_back), Head(len(lines), prev))


def _planted(held: list[Held], fault: InLog) -> Iterable[Held]:
    at = fault.entry - 1
    one = held[at]
    if fault.seat:
        one.envelope["seat"] = fault.seat
    one.command = dict(fault.command) if "Do" in fault.command else {**one.command, **fault.command}
    for path, value in fault.facts.items():
        name, _, rest = path.partition(".")
        _set(one.facts[_place(one, name)][0], rest.split("."), value)
    for name in fault.without:
        del one.facts[_place(one, name)]
    for fact in fault.extra:
        fact = dict(fact)
        before, to = fact.pop("before", ""), tuple(fact.pop("to", ()))
        place = _place(one, before) if before else len(one.facts) - 1
        one.facts.insert(place, (fact, to))
    one.command_to = fault.sealed_to or one.command_to
    if fault.unsealed:
        one.command_to, one.facts = (), [(fact, ()) for fact, _ in one.facts]
    if fault.insert is not None:
        new = fault.insert
        envelope = {
            "id": fault.entry - 0.5,
            "parent": fault.entry - 1.5,
            "at": one.envelope["at"],
            "seat": new.seat,
        }
        if new.source:
            envelope["source"] = new.source
        told = [(dict(fact), tuple(fact.get("to", ()))) for fact in new.facts]
        for fact, _ in told:
            fact.pop("to", None)
        held.insert(at, Held(envelope, dict(new.command), new.to, told))
    if fault.twice:
        held.insert(at, msgspec.msgpack.decode(msgspec.msgpack.encode(one), type=Held))
    if fault.dropped:
        del held[at]
    if fault.before:
        held.insert(fault.before - 1, held.pop(at))
        for each, was in zip(held, sorted(one.envelope["id"] for one in held), strict=True):
            each.envelope |= {"id": was, "parent": was - 1}
    return held


def _place(one: Held, name: str) -> int:
    """Return where the nth fact of a kind stands, `UnitsLost#2`; raise `LookupError` when there is none."""
    kind, _, nth = name.partition("#")
    places = [place for place, (fact, _) in enumerate(one.facts) if fact["Fact"] == kind]
    if len(places) < int(nth or 1):
        raise LookupError(
            f"entry {one.envelope['id']} has no {name}: {[fact['Fact'] for fact, _ in one.facts]}"
        )
    return places[int(nth or 1) - 1]


def _set(held: Any, path: list[str], value: Any) -> None:
    for part in path[:-1]:
        held = held[int(part)] if isinstance(held, list | tuple) else held[part]
    if isinstance(held, list):
        held[int(path[-1])] = value
    else:
        held[path[-1]] = value


def _sealed(one: Held, prev: str) -> tuple[bytes, list[Opening]]:
    number, openings = one.envelope["id"], list[Opening]()

    def shut(part: int, plain: Plain, to: tuple[str, ...]) -> Plain:
        value = _written(plain, RULES.codec.commands if part == COMMAND else RULES.codec.facts)
        if not to:
            return msgspec.json.decode(value)  # type: ignore[no-any-return]
        salt = sha256(f"{number}/{part}".encode()).digest()[:16]
        openings.append(Opening(number, part, salt.hex(), to, Raw(value)))
        return {("Do" if part == COMMAND else "Fact"): "Sealed", "digest": digest_of(salt, value), "to": to}

    plain = {
        **one.envelope,
        "command": shut(COMMAND, one.command, one.command_to),
        "facts": [shut(part, fact, to) for part, (fact, to) in enumerate(one.facts)],
    }
    if prev:
        plain["prev"] = prev
    return msgspec.json.encode(plain, order="sorted"), openings


def _written(plain: Plain, kinds: Any) -> bytes:
    """Return a part as the codec would write it; as it stands when it is none."""
    try:
        return msgspec.json.encode(msgspec.convert(plain, kinds), order="sorted")
    except msgspec.ValidationError:
        return msgspec.json.encode(plain, order="sorted")


@cache
def sheet_of(game: str) -> str:
    """Return the sheet that is written out of a recorded game."""
    entries = [
        RULES.codec.reveal(RULES.codec.decode(line), [one for one in log.openings if one.entry == number])
        for log in (forged(game),)
        for number, line in enumerate(log.lines, 1)
    ]
    return write_sheet(RULES, entries)


def altered(fault: InSheet) -> tuple[str, int]:
    """Return the sheet of a recorded game with a fault in it, and the number of the line where it must be found."""
    lines = sheet_of(fault.game).split("\n")
    places = [place for place, line in enumerate(lines) if line == fault.line]
    if len(places) < fault.nth:
        raise LookupError(f"{fault.game} has no line {fault.line!r} a {fault.nth}th time")
    place = places[fault.nth - 1]
    at = place + 1
    if fault.adds:
        lines.insert(place + 1, fault.adds)
        at += 1
    elif fault.becomes:
        lines[place] = fault.becomes
    else:
        del lines[place]
    if fault.found_in:
        at = lines.index(fault.found_in, place) + 1
    return "\n".join(lines), at


def left(log: Log, path: Path) -> Path:
    """Write a log as files that `lawspeaker verify` reads, and return the first of them."""
    write_log(path, log.lines, log.openings, head=log.head, overwrite=True)
    return path


def tampered(fault: InLine, path: Path) -> Path:
    """Write a recorded game as files, with a fault in the bytes of one that leaves the chain as it was."""
    left(forged(fault.game), path)
    file = path.with_suffix(f".{fault.part}")
    lines = file.read_bytes().split(b"\n")
    if fault.part == "jsonl":
        places = [fault.entry - 1]
    else:
        places = [place for place, line in enumerate(lines) if fault.old.encode() in line]
    if fault.part == "openings":
        places = [place for place in places if f'"entry":{fault.entry},'.encode() in lines[place]]
    if fault.old:
        place = places[0]
        if fault.old.encode() not in lines[place]:
            raise LookupError(f"entry {fault.entry} has no {fault.old!r}: {lines[place].decode()}")
        lines[place] = lines[place].replace(fault.old.encode(), fault.new.encode(), 1)
    if fault.twice:
        lines.insert(fault.entry, lines[fault.entry - 1])
    if fault.swapped:
        lines[fault.entry - 1 : fault.entry + 1] = lines[fault.entry - 1 : fault.entry + 1][::-1]
    if fault.dropped:
        del lines[fault.entry - 1]
    file.write_bytes(b"\n".join(lines))
    return path
