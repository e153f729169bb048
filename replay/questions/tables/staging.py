"""One game's log on its way to the tables: each line in a few columns, its facts still one text.

What needs the order of the game is done here: which entry goes on from which, which battle is being fought. What needs
only the fact itself is done by DuckDB, in `filling`, which is faster. A line is looked into here only when it says
something of battles, is of an older revision, or has seals that the reader may open.
"""

from collections.abc import Callable, Iterator
from itertools import repeat
from operator import lt
from typing import Any

import msgspec

from events.play import BattleEnded
from events.seals import COMMAND, Opening, opens
from events.upcasting import BadUpcasts
from replay.questions.tables import shapes
from replay.questions.tables.fights import Battles
from replay.questions.tables.shapes import Known, known
from replay.questions.tables.sources import Damaged, Line, Log

__all__ = ["STAGED", "GameReader", "Stage"]

STAGED = {
    "rules": "VARCHAR", "game": "VARCHAR", "entry": "BIGINT", "parent": "BIGINT", "made": "VARCHAR", "seat": "VARCHAR",
    "actor": "VARCHAR", "source": "VARCHAR", "command": "VARCHAR", "facts": "VARCHAR", "command_sealed": "BOOLEAN",
    "sealed": "BOOLEAN[]", "battles": "BIGINT[]", "rounds": "BIGINT[]",
}  # fmt: skip
"""The columns of staged lines. The last three hold a value for each fact of a line, or nothing where all are as usual."""

Row = tuple[Any, ...]
Marks = tuple[bool | None, list[bool] | None, list[int | None] | None, list[int | None] | None]


class Stage:
    """Lines that wait for DuckDB, a list for each column: turning many rows into columns costs more than all the rest."""

    def __init__(self) -> None:
        """Begin with no line."""
        self.rules: list[str] = []
        self.games: list[str] = []
        self.entries: list[int] = []
        self.parents: list[int] = []
        self.made: list[str] = []
        self.seats: list[str] = []
        self.actors: list[str] = []
        self.sources: list[str] = []
        self.commands: list[bytes] = []
        self.facts: list[bytes] = []
        self.marks: dict[int, Marks] = {}
        """What is unusual of a line, by its place: whether its command and facts were sealed, battles and rounds."""

    def columns(self) -> list[list[Any]]:
        """Return the columns of `STAGED`."""
        marks: list[list[Any]] = [[None] * len(self.facts) for _ in range(4)]
        for place, values in self.marks.items():
            for column, value in zip(marks, values, strict=True):
                column[place] = value
        return [*self._lists(), *marks]

    def cut(self, size: int) -> None:
        """Leave out the lines after the first `size`."""
        for column in self._lists():
            del column[size:]
        self.marks = {place: values for place, values in self.marks.items() if place < size}

    def _lists(self) -> list[list[Any]]:
        return [
            self.rules, self.games, self.entries, self.parents, self.made, self.seats, self.actors, self.sources,
            self.commands, self.facts,
        ]  # fmt: skip


_UNMARKED: Marks = (None, None, None, None)
_plain = msgspec.json.decode
_sorted = msgspec.json.Encoder(order="sorted").encode


class GameReader:
    """Turns the lines of one log into staged rows."""

    def __init__(
        self, log: Log, stage: Stage, note: Callable[[str], None], know: Callable[[str], Known] = known
    ) -> None:
        """Take the log, the stage to bring it to, what is told to whoever reads the answer, and how rules are known."""
        self.log, self.id = log, log.name
        self._stage = stage
        self._sent = 0
        self.rules: Known = Known("", {}, {})
        self._stirring, self._speaking = self.rules.stirring, self.rules.speaking
        self._know = know
        self.is_torn = False
        """Whether the line that was last found damaged is no JSON at all."""
        self._note = note
        self._battles = Battles(losses_are_told=False, rounds_are_told=False)
        self._parents = [0]

    def open(self, line: Line) -> None:
        """Read which game a log's first line opens."""
        entry = self._decode(line)
        try:
            facts = shapes.read_facts(entry.facts)
            opened = shapes.read_opened(facts[0]) if facts else None
        except (ValueError, RecursionError) as fault:
            raise self._told(line, fault) from fault
        if opened is None or opened.tag != "GameOpened":
            raise self._damaged(line, "expected the first entry to open a game, by a fact GameOpened")
        self.id, self.rules = opened.id, self._know(opened.game)
        self._stirring, self._speaking = self.rules.stirring, self.rules.speaking
        self._battles = Battles(
            losses_are_told=self.rules.tells("loses"), rounds_are_told=self.rules.tells_rounds
        )
        if not self.rules.found:
            self._note(f"there are no rules of {opened.game} here: its own dice and losses stay unknown")

    @property
    def count(self) -> int:
        """How many lines were taken."""
        return len(self._parents) - 1

    def take_all(self, lines: list[Line]) -> None:
        """Stage lines; raise `Damaged` at the first that can't be, with those before it taken."""
        if not self._take_quickly(lines):
            for line in lines:
                self.take(line)

    def _take_quickly(self, lines: list[Line]) -> bool:
        """Stage lines of which each is the next entry as it is written today; do nothing and return False otherwise.

        Column by column over many lines, which halves the time; whatever it can't vouch for is looked at line by line.
        """
        texts = [line.text for line in lines]
        try:
            entries = list(map(shapes.read_entry, texts))
        except (ValueError, RecursionError):
            return False
        first = len(self._parents)
        parents = [entry.parent for entry in entries]
        ids = range(first, first + len(lines))
        if [entry.id for entry in entries] != list(ids) or not all(map(lt, parents, ids)):
            return False
        facts = [bytes(entry.facts) for entry in entries]
        commands = [bytes(entry.command) for entry in entries]
        if not all(map(bytes.isascii, texts)) or not all(map(bytes.startswith, facts, repeat(b"["))):
            return False
        if self._is_older(b"".join(texts)):
            return False
        stage = self._stage
        marks: dict[int, Marks] = {}
        for place, line in enumerate(lines):
            if line.openings:
                opened = self._opened(commands[place], facts[place], line.openings)
                if opened is None:
                    return False
                commands[place], facts[place], was_sealed, sealed = opened
                marks[len(stage.facts) + place] = was_sealed, sealed, None, None
        self._parents += parents
        stage.marks.update(marks)
        if any(map(self._battles.stand, parents)) or self._speaks_of_battle(b"".join(facts)):
            self._fight_all(lines, entries, facts)
        stage.made += [entry.at for entry in entries]
        stage.seats += [entry.seat for entry in entries]
        stage.actors += [entry.actor for entry in entries]
        stage.sources += [entry.source for entry in entries]
        stage.commands += commands
        stage.facts += facts
        return True

    def _opened(
        self, command: bytes, facts: bytes, openings: tuple[Opening, ...]
    ) -> tuple[bytes, bytes, bool, list[bool]] | None:
        """Return a command and facts opened as far as they may be, and what of them is sealed in the log.

        None where anything is not as it is written today, or an opening does not fit: then all is looked at with care.
        """
        try:
            parts = list(map(bytes, shapes.read_facts(facts)))
            if not command.startswith(b'{"Do":"') or not all(part.startswith(b'{"Fact":"') for part in parts):
                return None
            sealed = [part.startswith(b'{"Fact":"Sealed"') for part in parts]
            was_sealed = command.startswith(b'{"Do":"Sealed"')
            for opening in openings:
                if opening.part == COMMAND and was_sealed:
                    command = _reveal(command, opening)
                elif 0 <= opening.part < len(parts) and sealed[opening.part]:
                    parts[opening.part] = _reveal(parts[opening.part], opening)
        except (ValueError, RecursionError):
            return None
        told = b"[" + b",".join(parts) + b"]"
        return (
            None if self._is_older(told) or self._is_older(command) else (command, told, was_sealed, sealed)
        )

    def _fight_all(self, lines: list[Line], entries: list[shapes.Entry], facts: list[bytes]) -> None:
        """Mark the facts of lines that belong to battles; the lines are to be staged next."""
        for place, (entry, told) in enumerate(zip(entries, facts, strict=True), start=len(self._stage.facts)):
            speaks = self._speaks_of_battle(told)
            if speaks or self._battles.stand(entry.parent):
                try:
                    sealed = self._stage.marks.get(place, _UNMARKED)
                    self._stage.marks[place] = (sealed[0], sealed[1], *self._fight(entry, told, speaks))
                except (ValueError, RecursionError) as fault:
                    raise self._told(lines[entry.id - entries[0].id], fault) from fault

    def take(self, line: Line) -> None:
        """Stage a line; raise `Damaged` when it is no entry, or not the next one."""
        entry = self._decode(line)
        expected = len(self._parents)
        if entry.id != expected:
            raise self._damaged(line, f"expected entry {expected}, found entry {entry.id}")
        if entry.parent >= expected:
            raise self._damaged(
                line, f"entry {entry.id} goes on from entry {entry.parent}, which is not before it"
            )
        self._parents.append(entry.parent)
        stage = self._stage
        command, facts = bytes(entry.command), bytes(entry.facts)
        if not facts.startswith(b"["):
            raise self._damaged(line, "expected an entry whose `facts` are an array")
        marks: Marks = (None, None, None, None)
        try:
            if line.openings or self._is_older(line.text):
                command, was_sealed = self._today(command, line.openings)
                facts, sealed = self._todays(facts, line.openings)
                marks = was_sealed, sealed, None, None
            speaks = self._speaks_of_battle(facts)
            if speaks or self._battles.stand(entry.parent):
                marks = (*marks[:2], *self._fight(entry, facts, speaks))
        except (ValueError, RecursionError, BadUpcasts) as fault:
            raise self._told(line, fault) from fault
        if any(mark is not None for mark in marks):
            stage.marks[len(stage.facts)] = marks
        stage.made.append(entry.at)
        stage.seats.append(entry.seat)
        stage.actors.append(entry.actor)
        stage.sources.append(entry.source)
        stage.commands.append(command)
        stage.facts.append(facts)

    def send(self) -> None:
        """Bring to the stage what is the same for all lines, or follows from their order."""
        count = self.count
        new = count - self._sent
        self._stage.rules += [self.rules.name] * new
        self._stage.games += [self.id] * new
        self._stage.entries += range(self._sent + 1, count + 1)
        self._stage.parents += self._parents[self._sent + 1 :]
        self._sent = count

    def _is_older(self, text: bytes) -> bool:
        """Return whether a line may hold a tag of an older revision."""
        return any(tag in text for tag in self.rules.older)

    def taken_back(self) -> list[int]:
        """Return the entries that are not on the line that led to the last one."""
        return [entry for entry, lives in enumerate(self._live()) if entry and not lives]

    def battle_rows(self) -> Iterator[Row]:
        """Yield the rows of the table `battles`."""
        for battle, lives in self._battles.rows(self._live()):
            yield (
                self.id, battle.n, battle.place, battle.attacker, battle.defender, battle.kind, battle.began,
                battle.ended, battle.winner, battle.taken, battle.rounds, battle.lost_by(battle.attacker),
                battle.lost_by(battle.defender), lives,
            )  # fmt: skip

    def _live(self) -> bytearray:
        live = bytearray(len(self._parents))
        at = len(self._parents) - 1
        while at:
            live[at] = 1
            at = self._parents[at]
        return live

    def _decode(self, line: Line) -> shapes.Entry:
        self.is_torn = False
        try:
            if not line.text.isascii():
                line.text.decode("utf-8")
            return shapes.read_entry(line.text)
        except msgspec.ValidationError as fault:
            raise self._damaged(line, f"expected an entry: {fault}") from fault
        except (ValueError, RecursionError) as fault:
            self.is_torn = True
            raise self._damaged(line, f"expected an entry, one JSON object in UTF-8: {fault}") from fault

    def _today(self, command: bytes, openings: tuple[Opening, ...]) -> tuple[bytes, bool]:
        """Return a command opened as far as it may be, and in today's shape, and whether it is sealed in the log."""
        tag = shapes.read_command(command).tag
        sealed = tag == "Sealed"
        for opening in openings:
            if opening.part == COMMAND and tag == "Sealed":
                command = _reveal(command, opening)
                tag = shapes.read_command(command).tag
        lift = self.rules.lift_commands
        if lift is not None and tag in lift:
            (current,) = lift.lift(_plain(command))
            command = _sorted(current)
        return command, sealed

    def _todays(self, facts: bytes, openings: tuple[Opening, ...]) -> tuple[bytes, list[bool]]:
        """Return facts opened as far as they may be, and in today's shape, and which of them are sealed in the log."""
        told = {opening.part: opening for opening in openings}
        lift = self.rules.lift_facts
        bodies: list[bytes] = []
        sealed: list[bool] = []
        for part, raw in enumerate(shapes.read_facts(facts)):
            body = bytes(raw)
            tag = shapes.read_fact(body).tag
            shut = tag == "Sealed"
            if shut and part in told:
                body = _reveal(body, told[part])
                tag = shapes.read_fact(body).tag
            todays = (
                [_sorted(current) for current in lift.lift(_plain(body))] if lift and tag in lift else [body]
            )
            bodies += todays
            sealed += [shut] * len(todays)
        return b"[" + b",".join(bodies) + b"]", sealed

    def _fight(
        self, entry: shapes.Entry, facts: bytes, speaks: bool
    ) -> tuple[list[int | None], list[int | None]]:
        """Return the battle and the round that each fact belongs to."""
        battles, claims, whole = self._battles, self.rules.claims, self.rules.whole_battles
        battles.enter(entry.parent)
        if not speaks and len(battles.now) == 1 and self._stirring.search(facts) is None:
            # Nothing changes in the only battle that is fought: all of it belongs there, as often as facts may stand here.
            only, count = battles.now[0], facts.count(b'"Fact":')
            battles.leave(entry.id)
            return [only.n] * count, [only.round or None] * count
        numbers: list[int | None] = []
        rounds: list[int | None] = []
        over: list[BattleEnded] = []
        raws = shapes.read_facts(facts) if speaks else []
        for n, fact in enumerate(shapes.read_many(facts)):
            tag, place = fact.tag, fact.place
            if tag == "BattleBegan":
                begun = shapes.read_began(raws[n])
                battles.began(entry.id, begun.place, begun.attacker, begun.defender, begun.kind)
            elif tag == "Rolled":
                battles.rolled()
            elif tag in whole:
                first, last = whole[tag](raws[n])
                battles.began(
                    entry.id, first.place, first.attacker, first.defender, first.kind, has_rounds=False
                )
                over.append(last)
            if battles.now:
                if type(fact.round) is int:
                    battles.counted(place, fact.round)
                fight = battles.at(place)
                if claims.get(tag) == "loses" and type(fact.seat) is str:
                    battles.lost(place, fact.seat, fact.count if type(fact.count) is int else 1)
            else:
                fight = None
            numbers.append(fight.n if fight else None)
            rounds.append((fight.round or None) if fight else None)
            if tag == "BattleEnded":
                end = shapes.read_ended(raws[n])
                battles.ended(entry.id, end.place, end.winner, end.taken, end.rounds)
        for last in over:
            battles.ended(entry.id, last.place, last.winner, last.taken, last.rounds)
        battles.leave(entry.id)
        return numbers, rounds

    def _speaks_of_battle(self, facts: bytes) -> bool:
        return self._speaking.search(facts) is not None

    def _damaged(self, line: Line, why: str) -> Damaged:
        return Damaged(f"{self.log.at(line.number)}: {why}")

    def _told(self, line: Line, fault: Exception) -> Damaged:
        return fault if isinstance(fault, Damaged) else self._damaged(line, str(fault))


def _reveal(body: bytes, opening: Opening) -> bytes:
    """Return what an opening opens; raise `ValueError` when it does not fit the digest in the log."""
    if not opens(opening, shapes.read_sealed(body).digest):
        raise ValueError(f"the opening of part {opening.part} does not fit its digest")
    return bytes(opening.value)
