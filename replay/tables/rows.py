"""One game's log as rows: what each line says, in the columns of the tables."""

from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from events.event import LARGEST
from events.seals import COMMAND, Opening, opens
from events.upcasting import BadUpcasts, Upcasts
from replay.tables import shapes
from replay.tables.fights import Battles, Fight
from replay.tables.shapes import Fact, Known, Opened, Over, known
from replay.tables.sources import Damaged, Line, Log

__all__ = ["GameReader", "Rows"]

Rows = dict[str, list[tuple[Any, ...]]]
Chance = tuple[frozenset[str], int | None, int | None]

_RULINGS = frozenset({"Ruled", "Overlooked", "Corrected", "DisputeRaised"})
_READ = _RULINGS | {"Rolled", "BattleBegan", "GameEnded"}
"""Facts that fill more tables than `facts`; BattleEnded too, once it has its row."""
_plain = msgspec.json.decode
_sorted = msgspec.json.Encoder(order="sorted").encode


class GameReader:
    """Turns the lines of one log into rows."""

    def __init__(self, log: Log, rows: Rows, note: Callable[[str], None]) -> None:
        """Take the log, where rows go, and what is told to whoever reads the answer."""
        self.log, self.id = log, log.name
        self.rules: Known = known("")
        self.is_torn = False
        """Whether the line that was last found damaged is no JSON at all."""
        self._rows, self._note = rows, note
        self._opened = Opened("", "", 0, [])
        self._battles = Battles(losses_are_told=False)
        self._parents = [0]
        self._first_at = self._last_at = ""
        self._over: list[tuple[int, Over]] = []
        self._outs: list[tuple[int, str]] = []
        self._forfeited: set[str] = set()
        self._penalties: dict[str, int] = {}
        self._chances: dict[tuple[str, str], Chance] = {}

    def open(self, line: Line) -> None:
        """Read which game a log's first line opens."""
        entry = self._decode(line)
        try:
            if not entry.facts or shapes.read_fact(entry.facts[0]).tag != "GameOpened":
                raise self._damaged(line, "expected the first entry to open a game, by a fact GameOpened")
            self._opened = shapes.read_opened(entry.facts[0])
        except (ValueError, RecursionError) as fault:
            raise self._told(line, fault) from fault
        self.id, self.rules = self._opened.id, known(self._opened.game)
        self._battles = Battles(self.rules.tells("loses"))
        self._first_at = entry.at
        if not self.rules.found:
            self._note(
                f"there are no rules of {self._opened.game} here: its own dice and losses stay unknown"
            )

    def take(self, line: Line) -> None:
        """Turn a line into rows; raise `Damaged` when it is no entry, or not the next one."""
        entry = self._decode(line)
        expected = len(self._parents)
        if entry.id != expected:
            raise self._damaged(line, f"expected entry {expected}, found entry {entry.id}")
        if entry.parent >= expected:
            raise self._damaged(
                line, f"entry {entry.id} goes on from entry {entry.parent}, which is not before it"
            )
        opened = {opening.part: opening for opening in line.openings}
        try:
            self._battles.enter(entry.parent)
            self._take_command(entry, opened)
            self._take_facts(entry, opened)
            self._battles.leave(entry.id)
        except (ValueError, RecursionError, BadUpcasts) as fault:
            raise self._told(line, fault) from fault
        self._parents.append(entry.parent)
        self._last_at = entry.at

    def close(self) -> list[tuple[str, int]]:
        """Add the rows that are known at the end of a log; return the entries that were taken back."""
        count = len(self._parents) - 1
        live = bytearray(count + 1)
        at = count
        while at:
            live[at] = 1
            at = self._parents[at]
        left = [(self.id, entry) for entry in range(1, count + 1) if not live[entry]]
        over = next((over for entry, over in reversed(self._over) if live[entry]), None)
        self._add_game(count, len(left), over)
        self._add_seats(over, {seat for entry, seat in self._outs if live[entry]})
        for battle, lives in self._battles.rows(live):
            self._rows["battles"].append((
                self.id, battle.n, battle.place, battle.attacker, battle.defender, battle.kind, battle.began,
                battle.ended, battle.winner, battle.taken, battle.rounds, battle.lost_by(battle.attacker),
                battle.lost_by(battle.defender), lives,
            ))  # fmt: skip
        return left

    def _add_game(self, count: int, left: int, over: Over | None) -> None:
        opened, branch = self._opened, self._opened.branch
        self._rows["games"].append((
            self.id, opened.game, opened.revision, opened.title or None, opened.seats, opened.dice, self._first_at,
            self._last_at, count, left, over is not None, over.how if over else None, over.winners if over else None,
            _sorted(opened.answers), _sorted(opened.options), branch.game if branch else None,
            branch.entry if branch else None, self.log.where,
        ))  # fmt: skip

    def _add_seats(self, over: Over | None, out: set[str]) -> None:
        tells_out = self.rules.tells("out")
        for n, seat in enumerate(self._opened.seats, start=1):
            self._rows["seats"].append((
                self.id, seat, n, self._opened.persons.get(seat), seat in over.winners if over else None,
                seat in out if tells_out else None, seat in self._forfeited, self._penalties.get(seat, 0),
            ))  # fmt: skip

    def _decode(self, line: Line) -> shapes.Line:
        self.is_torn = False
        try:
            if not line.text.isascii():
                line.text.decode("utf-8")
            return shapes.read_line(line.text)
        except msgspec.ValidationError as fault:
            raise self._damaged(line, f"expected an entry: {fault}") from fault
        except (ValueError, RecursionError) as fault:
            self.is_torn = True
            raise self._damaged(line, f"expected an entry, one JSON object in UTF-8: {fault}") from fault

    def _take_command(self, entry: shapes.Line, opened: dict[int, Opening]) -> None:
        body = bytes(entry.command)
        tag = shapes.read_command(body).tag
        sealed = tag == "Sealed"
        if sealed and COMMAND in opened:
            body = _reveal(body, opened[COMMAND])
            tag = shapes.read_command(body).tag
        lift = self.rules.lift_commands
        if lift is not None and tag in lift:
            (current,) = lift.lift(_plain(body))
            tag, body = str(current["Do"]), _sorted(current)
        self._rows["entries"].append((
            self.id, entry.id, entry.parent, entry.at, entry.seat, entry.actor or None, entry.source or None, tag, body,
            sealed, True,
        ))  # fmt: skip

    def _take_facts(self, entry: shapes.Line, opened: dict[int, Opening]) -> None:
        # The busiest loop of all: it runs once a fact of every log.
        game, id, add = self.id, entry.id, self._rows["facts"].append
        claims, battles = self.rules.claims, self._battles
        for n, (fact, body, sealed) in enumerate(self._facts(entry, opened), start=1):
            tag, seat, place, count = fact.tag, fact.seat, fact.place, fact.count
            if tag in _READ:
                self._read(entry, n, fact, body)
            claim = claims.get(tag)
            if claim == "out" and type(seat) is str:
                self._outs.append((id, seat))
            fight = self._in_battle(fact, claim) if battles.now else None
            add((
                game, id, n, tag, seat if type(seat) is str else None, place if type(place) is str else None,
                count if type(count) is int and -LARGEST <= count <= LARGEST else None, claim, fact.because, body, sealed,
                fight.n if fight else None, (fight.round or None) if fight else None, True,
            ))  # fmt: skip
            if tag == "BattleEnded":
                over = shapes.read_ended(body)
                battles.ended(id, over.place, over.winner, over.taken, over.rounds)

    def _facts(self, entry: shapes.Line, opened: dict[int, Opening]) -> Iterator[tuple[Fact, bytes, bool]]:
        """Yield each fact with its body and whether it is sealed in the log: opened where it may be, in today's shape."""
        read, lift = shapes.read_fact, self.rules.lift_facts
        for part, raw in enumerate(entry.facts):
            body = bytes(raw)
            fact = read(body)
            sealed = fact.tag == "Sealed"
            if sealed and part in opened:
                body = _reveal(body, opened[part])
                fact = read(body)
            if lift is None or fact.tag not in lift:
                yield fact, body, sealed
            else:
                yield from ((*lifted, sealed) for lifted in _lifted(lift, body))

    def _in_battle(self, fact: Fact, claim: str | None) -> Fight | None:
        """Return the battle that a fact belongs to, once it has counted there."""
        battles, place = self._battles, fact.place
        if type(fact.round) is int:
            battles.counted(place, fact.round)
        fight = battles.at(place)
        if claim == "loses" and type(fact.seat) is str:
            battles.lost(place, fact.seat, fact.count if type(fact.count) is int else 1)
        return fight

    def _read(self, entry: shapes.Line, n: int, fact: Fact, body: bytes) -> None:
        """Fill the tables that a shared fact fills beside `facts`."""
        if fact.tag == "Rolled":
            self._rolled(entry, n, body)
        elif fact.tag == "BattleBegan":
            held = shapes.read_began(body)
            self._battles.began(entry.id, held.place, held.attacker, held.defender, held.kind)
        elif fact.tag == "GameEnded":
            self._over.append((entry.id, shapes.read_over(body)))
        else:
            self._ruled(entry, fact, body)

    def _rolled(self, entry: shapes.Line, n: int, body: bytes) -> None:
        roll = shapes.read_rolled(body)
        self._battles.rolled()
        fight = self._battles.now[-1] if self._battles.now else None
        battle, stage = (fight.n, fight.round or None) if fight else (None, None)
        kind = str(roll.counts.get("Counts", ""))
        hits, winning, sides = self._chance(roll.die, kind, roll.counts.get("faces"))
        singly = kind == "Hits"
        chance = winning / sides if singly and winning is not None and sides else None
        add = self._rows["rolls"].append
        for d, face in enumerate(roll.faces, start=1):
            shown = str(face)
            add((
                self.id, entry.id, n, d, roll.die, shown, face if type(face) is int else None, roll.owner,
                roll.roller or roll.owner, roll.purpose, kind, shown in hits if singly else None, chance,
                winning if singly else None, sides, entry.source or None, battle, stage, True,
            ))  # fmt: skip

    def _chance(self, die: str, kind: str, faces: Any) -> Chance:
        """Return which faces are hits, how many sides show one, and how many sides the die has."""
        key = die, f"{kind} {faces}"
        held = self._chances.get(key)
        if held is None:
            hits = frozenset(map(str, faces)) if isinstance(faces, list) else frozenset()
            sides = self.rules.dice.get(die)
            if sides is None:
                self._note(
                    f"the die {die} of {self.rules.name} is not known here: what to expect of it stays unknown"
                )
                held = hits, None, None
            else:
                held = hits, sum(face in hits for face in sides), len(sides)
            self._chances[key] = held
        return held

    def _ruled(self, entry: shapes.Line, fact: Fact, body: bytes) -> None:
        held = shapes.read_ruling(body)
        kind = held.verdict.get("Verdict")
        seat = held.verdict.get("seat", entry.seat if fact.tag == "Overlooked" else held.seat)
        if kind == "Forfeited" and seat:
            self._forfeited.add(seat)
        elif kind == "Penalised" and seat:
            self._penalties[seat] = self._penalties.get(seat, 0) + 1
        self._rows["rulings"].append((
            self.id, entry.id, fact.tag, kind, seat, held.verdict.get("point"), held.verdict.get("answer"), held.code,
            held.dispute or None, held.verdict.get("to", held.at), held.reason or held.claim, fact.because, True,
        ))  # fmt: skip

    def _damaged(self, line: Line, why: str) -> Damaged:
        return Damaged(f"{self.log.at(line.number)}: {why}")

    def _told(self, line: Line, fault: Exception) -> Damaged:
        return fault if isinstance(fault, Damaged) else self._damaged(line, str(fault))


def _reveal(body: bytes, opening: Opening) -> bytes:
    """Return what an opening opens; raise `ValueError` when it does not fit the digest in the log."""
    if not opens(opening, str(_plain(body).get("digest", ""))):
        raise ValueError(f"the opening of part {opening.part} does not fit its digest")
    return bytes(opening.value)


def _lifted(lift: Upcasts, body: bytes) -> Iterator[tuple[Fact, bytes]]:
    """Yield the facts in today's shape that an older one means."""
    for current in lift.lift(_plain(body)):
        now = _sorted(current)
        yield shapes.read_fact(now), now
