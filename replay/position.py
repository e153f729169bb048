"""Positions: who stands where, as a TOML file, so that a dispute can be judged without the whole game.

Header keys are `game`, `seats`, `title`, and the tables `answer` (`X61 = "extra"`) and `option`; every other table is
a set-up fact, headed by its word, as often as it stands there: `[[units]]` with the fields of the fact.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
from msgspec import inspect, structs

import core.games
from core.deciding import Refused, decide, opening
from core.kit.table import OpenGame
from core.refusal import Refusal
from core.rules import Rules, Setup
from core.seats import ARBITER
from events.event import Seat
from replay.faults import BadInput, Fault, close_to, in_words

__all__ = [
    "BadPosition",
    "Position",
    "check_position",
    "faulty_answer",
    "load_position",
    "parse_position",
    "read_text",
]

_HEADER = ("game", "seats", "title", "answer", "option")


class BadPosition(BadInput):
    """Raised when a position can't be read; holds every fault found."""


@dataclass(frozen=True)
class Position:
    """A position as its file has it: the game, who sits, what departs from the defaults, and what stands where."""

    rules: Rules[Any]
    seats: tuple[Seat, ...]
    facts: tuple[Setup[Any], ...] = ()
    answers: Mapping[str, str] = field(default_factory=dict)
    options: Mapping[str, str] = field(default_factory=dict)
    title: str = ""
    path: str = ""

    @property
    def game(self) -> str:
        """The name of the game."""
        return self.rules.name

    def command(self, name: str = "", **more: Any) -> OpenGame[Any]:
        """Return the command that opens a game of this name from the position."""
        return OpenGame(
            name or Path(self.path).stem or self.game,
            self.game,
            self.seats,
            dict(self.answers),
            options=dict(self.options),
            position=self.facts,
            **{"title": self.title, **more},
        )


def read_text(path: Path) -> str:
    """Return the text of a file that a person wrote; raise `BadInput` when it can't be read as UTF-8."""
    try:
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        line = fault.object[: fault.start].count(b"\n") + 1
        raise BadInput(
            [Fault(f"byte {fault.start + 1} is no UTF-8", "a text in UTF-8", path=str(path), line=line)]
        ) from None
    except (OSError, ValueError) as fault:
        raise BadInput(
            [Fault(getattr(fault, "strerror", None) or str(fault), "a file to read", path=str(path))]
        ) from None


def load_position(path: Path | str) -> Position:
    """Return the position in a file; raise `BadPosition` with every fault, or `BadInput` when it can't be opened."""
    return parse_position(read_text(Path(path)), str(path))


def parse_position(text: str, path: str = "") -> Position:
    """Return the position that a text in TOML describes; raise `BadPosition` with every fault found in it."""
    try:
        plain = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as fault:
        raise BadPosition([_toml_fault(str(fault), path)]) from None
    lines = _Lines(text)
    faults: list[Fault] = []
    rules = _rules_of(plain, faults, lines)
    if rules is None:
        raise BadPosition(_at(faults, path))
    seats = _seats_of(plain, rules, faults, lines)
    answers = dict(_answers_of(plain, rules, faults, lines))
    options = dict(_options_of(plain, rules, faults, lines))
    facts = tuple(_facts_of(plain, rules, faults, lines))
    title = plain.get("title", "")
    if not isinstance(title, str):
        faults.append(Fault("title is no text", 'title = "..."', line=lines.of("title")))
    if faults:
        raise BadPosition(_at(faults, path))
    return Position(rules, seats, facts, answers, options, title, path)


def check_position(position: Position) -> tuple[Refusal, ...]:
    """Return what is wrong with a position by the rules of its game; nothing when a game can open from it."""
    try:
        opened = decide(opening(position.rules), ARBITER, position.command())
    except (KeyError, ValueError, TypeError, IndexError, AttributeError) as fault:
        return (
            Refusal(
                "unsound", ("LS-1.5",), _unfoldable(position) or f"The position cannot stand: {fault!r}."
            ),
        )
    return opened.reasons if isinstance(opened, Refused) else ()


def _unfoldable(position: Position) -> str:
    """Return which set-up fact can't be laid on the board, in words; nothing when each of them can."""
    rules = position.rules
    opened = decide(opening(rules), ARBITER, structs.replace(position.command(), position=()), check=False)
    if isinstance(opened, Refused):
        return ""
    state = rules.start(opened.after.table)
    for place, fact in enumerate(position.facts, 1):
        try:
            state = fact.onto(state)
        except (KeyError, ValueError, TypeError, IndexError, AttributeError) as fault:
            return f"Number {place} of what stands there, {fact.WORD}, has no place on the board: {fault!r}."
    return ""


def _at(faults: list[Fault], path: str) -> list[Fault]:
    return [structs.replace(fault, path=path) for fault in faults]


def _toml_fault(message: str, path: str) -> Fault:
    place = re.search(r" \(at line (\d+), column (\d+)\)$", message)
    line, column = (int(place[1]), int(place[2])) if place else (0, 0)
    text = message[: place.start()] if place else message
    return Fault(
        f"this is not TOML: {text}", "keys and tables as in TOML 1.0", path=path, line=line, column=column
    )


class _Lines:
    """Where tables and keys stand in a TOML text, as far as a glance at each line tells."""

    def __init__(self, text: str) -> None:
        self._keys: dict[tuple[str, int, str], int] = {}
        self._tables: dict[tuple[str, int], int] = {}
        table, place, counts = "", 0, dict[str, int]()
        for number, line in enumerate(text.split("\n"), 1):
            head = re.match(r"\s*\[+\s*\"?([^\s\]\"]+)\"?\s*\]+\s*(#.*)?$", line)
            key = re.match(r"\s*\"?([^\s=\"#\[]+)\"?\s*=", line)
            if head:
                table = head[1]
                place = counts[table] = counts.get(table, 0) + 1
                self._tables[table, place] = number
            elif key:
                self._keys.setdefault((table, place, key[1]), number)

    def of(self, key: str) -> int:
        """Return the line of a key, or table, at the top; 0 when it was not seen."""
        return self._keys.get(("", 0, key)) or self._tables.get((key, 1), 0)

    def within(self, table: str, place: int, key: str = "") -> int:
        """Return the line of a key in the n-th table of that name, or that of the table; 0 when not seen."""
        return self._keys.get((table, place, key)) or self._tables.get((table, place), 0)


def _rules_of(plain: dict[str, Any], faults: list[Fault], lines: _Lines) -> Rules[Any] | None:
    games = core.games.found()
    name = plain.get("game")
    if isinstance(name, str) and name in games:
        return core.games.load(name)
    expected = f"game = one of: {', '.join(games)}"
    if name is None:
        faults.append(Fault("it does not say which game it is of", expected))
    else:
        faults.append(
            Fault(f"there is no game {name!r}", expected, close_to(str(name), games), line=lines.of("game"))
        )
    return None


def _seats_of(
    plain: dict[str, Any], rules: Rules[Any], faults: list[Fault], lines: _Lines
) -> tuple[Seat, ...]:
    seats = plain.get("seats")
    expected = f"seats = a list of some of: {', '.join(rules.seats)}"
    if not isinstance(seats, list) or not all(isinstance(seat, str) for seat in seats):
        faults.append(
            Fault(
                "seats is missing" if seats is None else "seats is no list of texts",
                expected,
                line=lines.of("seats"),
            )
        )
        return ()
    faults += [
        Fault(f"there is no seat {seat!r}", expected, close_to(seat, rules.seats), line=lines.of("seats"))
        for seat in seats
        if seat not in rules.seats
    ]
    return tuple(seats)


def faulty_answer(rules: Rules[Any], point: str, answer: object) -> tuple[str, Fault | None]:
    """Return the full id of a point, and what is wrong with answering it so."""
    full = rules.rulebook.full_id(point)
    known = rules.rulebook.points.get(full)
    if known is None:
        short = [name.partition("-")[2] for name in rules.rulebook.points]
        return full, Fault(
            f"the rulebook has no point {point}", "a point of the rulebook", close_to(point.upper(), short)
        )
    choices = [choice.id for choice in known.answer]
    if answer not in choices:
        expected = f"one of: {', '.join(choices)}"
        return full, Fault(f"{point} is not answered by {answer!r}", expected, close_to(str(answer), choices))
    return full, None


def _table(plain: dict[str, Any], name: str, faults: list[Fault], lines: _Lines) -> dict[str, Any]:
    held = plain.get(name, {})
    if isinstance(held, dict):
        return held
    faults.append(Fault(f"{name} is no table", f"a table [{name}]", line=lines.of(name)))
    return {}


def _answers_of(
    plain: dict[str, Any], rules: Rules[Any], faults: list[Fault], lines: _Lines
) -> Iterator[tuple[str, str]]:
    for point, answer in _table(plain, "answer", faults, lines).items():
        full, fault = faulty_answer(rules, point, answer)
        if fault is None:
            yield full, answer
        else:
            faults.append(structs.replace(fault, line=lines.within("answer", 1, point)))


def _options_of(
    plain: dict[str, Any], rules: Rules[Any], faults: list[Fault], lines: _Lines
) -> Iterator[tuple[str, str]]:
    for name, value in _table(plain, "option", faults, lines).items():
        fault = faulty_option(rules, name, value)
        if fault is None:
            yield name, value
        else:
            faults.append(structs.replace(fault, line=lines.within("option", 1, name)))


def faulty_option(rules: Rules[Any], name: str, value: object) -> Fault | None:
    """Return what is wrong with choosing a variant so; nothing when the game has it."""
    known = rules.options.get(name)
    if known is None:
        expected = (
            f"one of: {', '.join(rules.options)}" if rules.options else "none: the game has no variants"
        )
        return Fault(f"there is no option {name!r}", expected, close_to(name, rules.options))
    if value not in known:
        return Fault(
            f"{name} = {value!r} is no variant", f"one of: {', '.join(known)}", close_to(str(value), known)
        )
    return None


def _facts_of(
    plain: dict[str, Any], rules: Rules[Any], faults: list[Fault], lines: _Lines
) -> Iterator[Setup[Any]]:
    words = rules.by_word
    for name, rows in plain.items():
        if name in _HEADER:
            continue
        kind = words.get(name)
        if kind is None:
            known = [*words, *_HEADER]
            faults.append(
                Fault(
                    f"nothing is called {name!r}",
                    f"one of: {', '.join(known)}",
                    close_to(name, known),
                    line=lines.of(name),
                )
            )
            continue
        for place, row in enumerate(rows if isinstance(rows, list) else [rows], 1):
            fact = _fact_of(kind, name, place, row, faults, lines)
            if fact is not None:
                yield fact


def _fact_of(
    kind: type[Setup[Any]], name: str, place: int, row: object, faults: list[Fault], lines: _Lines
) -> Setup[Any] | None:
    """Return the set-up fact of one table, or None with what is wrong with it among the faults."""
    info = inspect.type_info(kind)
    assert isinstance(info, inspect.StructType)  # noqa: S101 - a set-up fact is a struct
    fields = {held.name: held for held in info.fields if held.name != "because"}
    where = f"{name} number {place}"
    expected = "the fields " + ", ".join(
        f"[{key}]" if not held.required else key for key, held in fields.items()
    )
    if not isinstance(row, dict):
        faults.append(
            Fault(
                f"{where} is no table",
                f"[[{name}]] with {expected}",
                line=lines.within(name, place) or lines.of(name),
            )
        )
        return None
    wrong = [
        Fault(
            f"{where} has no field {key!r}",
            expected,
            close_to(key, fields),
            line=lines.within(name, place, key),
        )
        for key in row
        if key not in fields
    ]
    wrong += [
        Fault(f"{where}: {key} is missing", expected, line=lines.within(name, place))
        for key, held in fields.items()
        if held.required and key not in row
    ]
    kinds = {held.name: held.type for held in structs.fields(kind)}
    values: dict[str, Any] = {}
    for key in fields.keys() & row.keys():
        try:
            values[key] = msgspec.convert(row[key], kinds[key])
        except msgspec.ValidationError as fault:
            line = lines.within(name, place, key)
            wrong.append(Fault(f"{where}: {key} = {row[key]!r} will not do", in_words(str(fault)), line=line))
    faults += wrong
    return None if wrong else kind(**values)
