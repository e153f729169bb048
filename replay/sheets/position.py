"""Positions: who stands where, as a TOML file, so that a dispute can be judged without the whole game.

Header keys are `game`, `seats`, `title`, and the tables `answer` (`X61 = "extra"`) and `option`; every other table is
a set-up fact, headed by its word, as often as it stands there: `[[units]]` with the fields of the fact.
"""

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
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
from replay.sheets.bounds import too_many_rows, unreadable
from replay.sheets.header import faulty_answer, faulty_option, read_text
from replay.texts import MOST_TITLE
from replay.words.faults import BadInput, Fault, close_to, in_words
from replay.words.forms import unwrapped
from replay.words.names import strangers
from replay.words.naming import named

__all__ = ["BadPosition", "Position", "check_position", "load_position", "parse_position"]

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


def load_position(path: Path | str) -> Position:
    """Return the position in a file; raise `BadPosition` with every fault, or `BadInput` when it can't be opened."""
    return parse_position(read_text(Path(path)), str(path))


def parse_position(text: str, path: str = "") -> Position:
    """Return the position that a text in TOML describes; raise `BadPosition` with every fault found in it."""
    if long := [structs.replace(fault, path=path) for fault in unreadable(text)]:
        raise BadPosition(long)
    try:
        plain = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as fault:
        raise BadPosition([_toml_fault(str(fault), path)]) from None
    if many := too_many_rows(plain):
        raise BadPosition([structs.replace(many, path=path)])
    parser = _Parser(plain, _Lines(text))
    held = parser.position(path)
    if held is None or parser.faults:
        raise BadPosition(structs.replace(fault, path=path) for fault in parser.faults)
    return held


def check_position(position: Position) -> tuple[Refusal, ...]:
    """Return what is wrong with a position by the rules of its game; nothing when a game can open from it."""
    try:
        opened = decide(opening(position.rules), ARBITER, position.command())
    except (KeyError, ValueError, TypeError, IndexError, AttributeError) as fault:
        # What stands may be such as the game's first steps never thought of; its author has done nothing wrong.
        return (Refusal("unsound", ("LS-1.5",), f"A game can't begin from this position: {fault!r}."),)
    return opened.reasons if isinstance(opened, Refused) else ()


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
        return self._keys.get((table, place, key)) or self._tables.get((table, place), 0) or self.of(table)


class _Parser:
    """Reads a position out of the plain values of its file, and gathers what is wrong with it."""

    def __init__(self, plain: dict[str, Any], lines: _Lines) -> None:
        self.faults: list[Fault] = []
        self._plain, self._lines = plain, lines
        self._seats: tuple[Seat, ...] = ()

    def _fault(self, line: int, message: str, expected: str, close: tuple[str, ...] = ()) -> None:
        self.faults.append(Fault(message, expected, close, line=line))

    def position(self, path: str) -> Position | None:
        """Return the position, as far as it can be read; None when it can't be told of which game it is."""
        rules = self._rules()
        if rules is None:
            return None
        self._seats = self._read_seats(rules)
        answers = dict(self._pairs("answer", lambda point, answer: faulty_answer(rules, point, answer)))
        options = dict(self._pairs("option", lambda name, value: (name, faulty_option(rules, name, value))))
        facts = tuple(self._facts(rules))
        title = self._plain.get("title", "")
        if not isinstance(title, str):
            self._fault(self._lines.of("title"), "title is no text", 'title = "..."')
        elif len(title) > MOST_TITLE:
            said = f"the title has {len(title):,} characters"
            self._fault(self._lines.of("title"), said, f"at most {MOST_TITLE:,} (LS-1.8)")
        return Position(rules, self._seats, facts, answers, options, str(title), path)

    def _rules(self) -> Rules[Any] | None:
        games = core.games.found()
        name = self._plain.get("game")
        if isinstance(name, str) and name in games:
            return core.games.load(name)
        expected = f"game = one of: {', '.join(games)}"
        if name is None:
            self._fault(0, "it does not say which game it is of", expected)
        else:
            close = close_to(str(name), games)
            self._fault(self._lines.of("game"), f"there is no game {name!r}", expected, close)
        return None

    def _read_seats(self, rules: Rules[Any]) -> tuple[Seat, ...]:
        seats, line = self._plain.get("seats"), self._lines.of("seats")
        expected = f"seats = a list of some of: {', '.join(rules.seats)}"
        if not isinstance(seats, list) or not all(isinstance(seat, str) for seat in seats):
            missing = "seats is missing" if seats is None else "seats is no list of texts"
            self._fault(line, missing, expected)
            return ()
        seats = [named(rules, "seat", seat) or seat for seat in seats]
        for seat in seats:
            if seat not in rules.seats:
                self._fault(line, f"there is no seat {seat!r}", expected, close_to(seat, rules.seats))
        return tuple(seats)

    def _pairs(
        self, table: str, judge: Callable[[str, object], tuple[str, Fault | None]]
    ) -> Iterator[tuple[str, str]]:
        """Yield the pairs of a table of answers or options that are right."""
        held = self._plain.get(table, {})
        if not isinstance(held, dict):
            self._fault(self._lines.of(table), f"{table} is no table", f"a table [{table}]")
            return
        for key, value in held.items():
            full, fault = judge(key, value)
            if fault is None:
                yield full, value
            else:
                self.faults.append(structs.replace(fault, line=self._lines.within(table, 1, key)))

    def _facts(self, rules: Rules[Any]) -> Iterator[Setup[Any]]:
        known = [*rules.by_word, *_HEADER]
        for name, rows in self._plain.items():
            kind = rules.by_word.get(name)
            if kind is not None:
                for place, row in enumerate(rows if isinstance(rows, list) else [rows], 1):
                    yield from self._fact(rules, kind, place, row)
            elif name not in _HEADER:
                expected = f"one of: {', '.join(known)}"
                self._fault(
                    self._lines.of(name), f"nothing is called {name!r}", expected, close_to(name, known)
                )

    def _fact(
        self, rules: Rules[Any], kind: type[Setup[Any]], place: int, row: object
    ) -> Iterator[Setup[Any]]:
        """Yield the set-up fact of one table, or nothing when something is wrong with it."""
        info = inspect.type_info(kind)
        assert isinstance(info, inspect.StructType)  # noqa: S101 - a set-up fact is a struct
        fields = {held.name: held.required for held in info.fields if held.name != "because"}
        where = f"{kind.WORD} number {place}"
        expected = f"the fields {', '.join(key if needed else f'[{key}]' for key, needed in fields.items())}"
        line = self._lines.within(kind.WORD, place)
        if not isinstance(row, dict):
            self._fault(line, f"{where} is no table", f"[[{kind.WORD}]] with {expected}")
            return
        before = len(self.faults)
        for key in row.keys() - fields.keys():
            at = self._lines.within(kind.WORD, place, key)
            self._fault(at, f"{where} has no field {key!r}", expected, close_to(key, fields))
        for key, needed in fields.items():
            if needed and key not in row:
                self._fault(line, f"{where}: {key} is missing", expected)
        values = {
            key: self._value(rules, kind, place, key, row[key], str(row.get("seat", "")).lower())
            for key in fields
            if key in row
        }
        if len(self.faults) > before:
            return
        fact = kind(**values)
        for what, name, close in strangers(rules, fact):
            at = next((self._lines.within(kind.WORD, place, key) for key in row if row[key] == name), line)
            self._fault(at, f"{where}: there is no {what} {name!r}", f"a {what} of {rules.name}", close)
        if len(self.faults) == before:
            yield fact

    @staticmethod
    def _meant(rules: Rules[Any], kind: Any, written: object, seat: str) -> object:
        """Return what was written with each name as the game has it."""
        _, extra = unwrapped(inspect.type_info(kind))
        what = str(extra.get("named", ""))
        if what and isinstance(written, str):
            return named(rules, what, written, seat) or written
        return written

    def _value(
        self, rules: Rules[Any], kind: type[Setup[Any]], place: int, key: str, written: object, seat: str
    ) -> Any:
        """Return the value of a field; what is wrong with it goes among the faults."""
        types = {held.name: held.type for held in structs.fields(kind)}
        at, where = self._lines.within(kind.WORD, place, key), f"{kind.WORD} number {place}"
        try:
            meant = self._meant(rules, types[key], written, seat)
            value = msgspec.convert(meant, types[key])
        except msgspec.ValidationError as fault:
            self._fault(at, f"{where}: {key} = {written!r} will not do", in_words(str(fault)))
            return None
        # A neutral piece may have an owner who sits nowhere; a mistyped or absent player is a slip.
        if key == "seat" and self._seats and value not in self._seats:
            close = close_to(value, self._seats)
            if close or value in rules.seats:
                message = f"{where}: nobody sits at {value!r}"
                self._fault(at, message, f"one of: {', '.join(self._seats)}", close)
        return value
