"""Scoresheets: a game written by hand, with moves, dice, and claims of what followed.

Header lines come first: `game:`, `position:` (a file, relative to the sheet), `setup:` (what stands, in place of a
position), `seats:`, `answer: X61 = extra`, `option: length = short`, `title:`. Then one act a line: a seat's move,
`dice:`, `card:`, `claim:`, `arbiter:`. What follows `#` is a remark.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from msgspec import structs

import core.games
from core.kit.chance import AnswerRoll, Deal
from core.rules import Rules
from core.seats import ARBITER, CHANCE
from events.event import Face, Seat
from replay.sheets.arbiter import parse_arbiter, parse_dispute, read_prose
from replay.sheets.bounds import too_many_lines
from replay.sheets.claims import Claim, parse_claims
from replay.sheets.header import faulty_answer, faulty_option, read_text
from replay.sheets.position import Position, load_position
from replay.sheets.unheld import right_instead
from replay.sheets.writing import sealed_in, template, write_sheet
from replay.texts import MOST_TITLE
from replay.words.faults import BadInput, BadText, Fault, close_to
from replay.words.forms import FACE, Reader
from replay.words.grammar import grammar
from replay.words.names import refuse_strangers

__all__ = [
    "BadSheet",
    "Claimed",
    "Line",
    "Said",
    "Sheet",
    "load_sheet",
    "parse_sheet",
    "template",
    "write_sheet",
]

_HEADER = ("game", "position", "setup", "seats", "answer", "option", "title")
_BODY = ("dice", "card", "claim", ARBITER)


class BadSheet(BadInput):
    """Raised when a scoresheet can't be read; holds every fault found, each with line and column."""


@dataclass(frozen=True)
class Line:
    """One act of a sheet: its number in the file, from 1, and its text without remarks."""

    number: int
    text: str


@dataclass(frozen=True)
class Said(Line):
    """A command of a seat; dice and cards are commands of chance."""

    seat: Seat
    command: Any
    phase: str = ""
    """The phase that it ends by its name, and no other; empty: the one that is open."""


@dataclass(frozen=True)
class Claimed(Line):
    """What the table says has followed."""

    claims: tuple[Claim, ...]


@dataclass(frozen=True)
class Sheet:
    """A scoresheet: where its game opens, and what was done, line by line."""

    position: Position
    lines: tuple[Line, ...] = ()
    path: str = ""
    opened_at: int = 1
    """The line to point at when the game can't be opened so."""
    called: str = ""
    """The name under which the game is to be kept; empty: that of the file."""

    @property
    def rules(self) -> Rules[Any]:
        """The rules of the game."""
        return self.position.rules

    @property
    def name(self) -> str:
        """The name of the game on record: what it is called, else that of the file, else that of the rules."""
        return self.called or Path(self.path).stem or self.rules.name


def load_sheet(path: Path | str) -> Sheet:
    """Return the scoresheet in a file; raise `BadSheet` with every fault, or `BadInput` when it can't be opened."""
    return parse_sheet(read_text(Path(path)), path)


def parse_sheet(text: str, path: Path | str = "") -> Sheet:
    """Return the scoresheet that a text is; raise `BadSheet` with every fault, each with line and column.

    A position that it names is read from beside `path`, or from the working directory when there is none.
    """
    if unfit := too_many_lines(text) or sealed_in(text):
        raise BadSheet([structs.replace(unfit, path=str(path))])
    return _Parser(text, str(path)).sheet()


@dataclass
class _Header:
    """What the header lines said, and where."""

    game: str = ""
    position: Position | None = None
    seats: tuple[Seat, ...] | None = None
    title: str = ""
    answers: dict[str, str] = field(default_factory=dict)
    options: dict[str, str] = field(default_factory=dict)
    setup: list[Any] = field(default_factory=list)
    at: int = 1


class _Parser:
    """Reads one sheet, and gathers what is wrong with it."""

    def __init__(self, text: str, path: str) -> None:
        self.path, self.faults = path, list[Fault]()
        self.header = _Header()
        self.rules: Rules[Any] | None = None
        self.seats: tuple[Seat, ...] = ()
        self.lines: list[tuple[int, int, str, str]] = []
        for number, line in enumerate(text.split("\n"), 1):
            said = _without_remark(line)
            if said.strip():
                self._split(number, said)

    def _split(self, number: int, line: str) -> None:
        """Note the number, the column of the text, the head before the colon, and the text."""
        head, colon, text = line.partition(":")
        column = len(head) + len(colon) + 1
        if not colon:
            self._fault(number, 1, Fault(f"{line.strip()!r} has no colon", "who: what, as in `dice: 5 3`"))
        else:
            self.lines.append((number, column, head.strip(), text.rstrip()))

    def _fault(self, number: int, column: int, fault: Fault) -> None:
        self.faults.append(
            structs.replace(
                fault, path=fault.path or self.path, line=fault.line or number, column=fault.column or column
            )
        )

    def sheet(self) -> Sheet:
        """Return the sheet; raise `BadSheet` when anything is wrong with it."""
        body = self._read_header()
        position = self._opened()
        lines = tuple(line for place in body for line in self._body(*place)) if position is not None else ()
        if self.faults or position is None:
            raise BadSheet(
                sorted(self.faults, key=lambda fault: (fault.path != self.path, fault.line, fault.column))
            )
        return Sheet(position, lines, self.path, self.header.at)

    def _read_header(self) -> list[tuple[int, int, str, str]]:
        """Read the header lines; return the others. A line of nobody's, such as a misspelt one, begins no game."""
        body: list[tuple[int, int, str, str]] = []
        held: list[tuple[int, int, str, str]] = []
        begun = False
        for line in self.lines:
            if line[2].lower() not in _HEADER:
                body.append(line)
                begun = begun or self._acts(line[2])
            elif begun:
                hint = (
                    " (an arbiter's ruling may: `arbiter: rule ...`)" if line[2].lower() == "answer" else ""
                )
                self._fault(
                    line[0], 1, Fault(f"`{line[2]}:` can't stand after the first move{hint}", "it above")
                )
            else:
                held.append(line)
        # The game first, whatever the order: all else is read by its rules.
        for number, column, head, text in sorted(held, key=lambda line: _HEADER.index(line[2].lower())):
            try:
                self._header_line(head.lower(), Reader(text, column), number)
            except BadText as fault:
                self._fault(number, column, fault.fault)
            except BadInput as fault:
                self.faults += fault.faults
        return body

    def _acts(self, head: str) -> bool:
        """Return whether a line is somebody's act, as far as its head tells before the header is read."""
        games = core.games.found()
        named = (text.strip() for _, _, other, text in self.lines if other.lower() == "game")
        rules = [core.games.load(name) for name in named if name in games]
        if head.lower() in (*_BODY, ARBITER):
            return True
        return (
            any(grammar(each).named("seat", head) for each in rules) if rules else not close_to(head, _HEADER)
        )

    def _header_line(self, head: str, reader: Reader, number: int) -> None:
        if head == "game":
            self._game(reader)
        elif head == "position":
            self._position(reader, number)
        elif head == "title":
            self.header.title = read_prose(reader, "the title", MOST_TITLE)
        elif self.rules is not None:
            readers: dict[str, Callable[[Reader, Rules[Any]], None]] = {
                "setup": self._setup, "seats": self._seats, "answer": self._answer, "option": self._option,
            }  # fmt: skip
            readers[head](reader, self.rules)

    def _game(self, reader: Reader) -> None:
        games, column, name = core.games.found(), reader.column, reader.rest()
        if name not in games:
            raise reader.fault(
                f"there is no game {name!r}", f"one of: {', '.join(games)}", close_to(name, games), column
            )
        self.rules = core.games.load(name)

    def _position(self, reader: Reader, number: int) -> None:
        name = read_prose(reader, "the file of the position")
        self.header.at = number
        self.header.position = held = load_position(Path(self.path).parent / name)
        if self.rules is None:
            self.rules = held.rules
        elif self.rules is not held.rules:
            raise reader.fault(f"{name} is a position of {held.game}", f"one of {self.rules.name}", column=1)

    def _setup(self, reader: Reader, rules: Rules[Any]) -> None:
        while True:
            begin = reader.at
            self.header.setup.append(grammar(rules).standing(reader))
            refuse_strangers(rules, self.header.setup[-1], reader, begin)
            if not reader.takes(";"):
                break
        if not reader.at_end:
            raise reader.fault(f"{reader.rest()!r} is more than what stands", "a semicolon or the end")

    def _seats(self, reader: Reader, rules: Rules[Any]) -> None:
        seats: list[Seat] = []
        while not reader.at_end:
            column, said = reader.column, reader.text_value("seats")
            seat = grammar(rules).named("seat", said) or said
            if seat not in rules.seats:
                close = close_to(seat, rules.seats)
                raise reader.fault(
                    f"there is no seat {seat!r}", f"one of: {', '.join(rules.seats)}", close, column
                )
            seats.append(seat)
            reader.takes(",")
        self.header.seats = tuple(seats)

    def _answer(self, reader: Reader, rules: Rules[Any]) -> None:
        column, point, answer = reader.column, *self._equation(reader, "X61 = extra")
        full, fault = faulty_answer(rules, point, answer)
        if fault is not None:
            raise reader.fault(fault.message, fault.expected, fault.close, column)
        self.header.answers[full] = answer

    def _option(self, reader: Reader, rules: Rules[Any]) -> None:
        column, name, value = reader.column, *self._equation(reader, "name = value")
        fault = faulty_option(rules, name, value)
        if fault is not None:
            raise reader.fault(fault.message, fault.expected, fault.close, column)
        self.header.options[name] = value

    @staticmethod
    def _equation(reader: Reader, example: str) -> tuple[str, str]:
        name = reader.text_value("name")
        if not reader.takes("="):
            raise reader.fault(f"{name}: no `=` follows", f"`{example}`")
        value = reader.text_value("value")
        if not reader.at_end:
            raise reader.fault(f"{reader.rest()!r} is more than one answer", f"`{example}`, one a line")
        return name, value

    def _opened(self) -> Position | None:
        """Return where the game opens: the position named, with what the header says besides."""
        header, rules = self.header, self.rules
        if rules is None:
            if not any(head.lower() in ("game", "position") for _, _, head, _ in self.lines):
                self._fault(
                    1,
                    1,
                    Fault("it does not say which game it is of", f"game: {'|'.join(core.games.found())}"),
                )
            return None
        held = header.position or Position(rules, ())
        seats = header.seats if header.seats is not None else held.seats
        said = {head.lower() for _, _, head, _ in self.lines}
        if not said & {"seats", "position"}:
            self._fault(1, 1, Fault("it does not say who plays", f"seats: some of {', '.join(rules.seats)}"))
        self.seats = seats or rules.seats
        return replace(
            held,
            seats=seats,
            facts=(*held.facts, *header.setup),
            answers={**held.answers, **header.answers},
            options={**held.options, **header.options},
            title=header.title or held.title,
            path=held.path or self.path,
        )

    def _body(self, number: int, column: int, head: str, text: str) -> Sequence[Line]:
        """Return the act of a line, or none with what is wrong with it among the faults."""
        rules = self.rules
        seat = None if rules is None else grammar(rules).named("seat", head)
        who = seat or head.lower()
        whole = f"{head}: {text.strip()}"
        reader = Reader(text, column)
        try:
            if rules is None:
                return ()
            if who == "claim":
                return (Claimed(number, whole, parse_claims(rules, self.seats, reader)),)
            phase = _phase_ended(rules, who, reader)
            if phase:
                ends = grammar(rules).end_of_phase
                return (Said(number, whole, who, ends() if ends is not None else None, phase),)
            seat, command = self._command(rules, who, reader)
            return (Said(number, whole, seat, command),)
        except BadText as fault:
            expected, close = right_instead(who, text.strip()) if who in (*self.seats, ARBITER) else ("", ())
            told = structs.replace(fault.fault, expected=expected, close=close) if expected else fault.fault
            self._fault(number, column, told)
        return ()

    def _command(self, rules: Rules[Any], who: str, reader: Reader) -> tuple[Seat, Any]:
        if who == "dice":
            return CHANCE, AnswerRoll(_faces(reader))
        if who == "card":
            return CHANCE, Deal(read_prose(reader, "the card"))
        if who not in (*rules.seats, ARBITER):
            known = (*self.seats, *_BODY, *_HEADER)
            raise reader.fault(
                f"nobody is called {who!r}",
                f"one of: {', '.join((*self.seats, *_BODY))}",
                close_to(who, known),
                1,
            )
        if reader.take_words(["dispute"]) or reader.take_words(["raise", "dispute"]):
            return who, parse_dispute(reader)
        if who == ARBITER:
            return who, parse_arbiter(rules, self.seats, reader)
        begin = reader.at
        command = grammar(rules).command(reader, who)
        refuse_strangers(rules, command, reader, begin)
        return who, command


def _phase_ended(rules: Rules[Any], who: str, reader: Reader) -> str:
    """Return the phase that a line of a seat ends by its name, as the prompt takes it: `end combat`; nothing otherwise."""
    words = reader.rest().lower().split()
    named = len(words) == 2 or (len(words) == 3 and words[2] == "phase")
    if who not in rules.seats or not named or words[0] != "end":
        return ""
    return words[1] if words[1] in grammar(rules).phases and grammar(rules).end_of_phase else ""


def _faces(reader: Reader) -> tuple[Face, ...]:
    """Return the faces of a roll, with spaces or commas between them; raise `BadText`."""
    faces: list[Face] = []
    if reader.word() == "none":
        reader.take()
    elif reader.at_end:
        raise reader.fault("there are no dice", "the faces, as in `dice: 5 3`")
    while not reader.at_end:
        column, face = reader.column, FACE.read(reader, "face")
        if len(str(face)) > 20:
            raise reader.fault(
                f"{str(face)[:20]}... is on no die", "at most 20 letters or digits", column=column
            )
        faces.append(face)
        reader.takes(",")
    return tuple(faces)


def _without_remark(line: str) -> str:
    """Return a line up to the `#` that begins a remark: at the start or after a space, and not in quotes."""
    quote = False
    for place, sign in enumerate(line):
        if sign == '"' and (place == 0 or line[place - 1] != "\\"):
            quote = not quote
        elif sign == "#" and not quote and (place == 0 or line[place - 1].isspace()):
            return line[:place]
    return line
