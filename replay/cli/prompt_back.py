"""Undo and restore at the prompt: a line at a time, or as the shell's commands have it."""

import shlex
from collections.abc import Iterator
from dataclasses import dataclass, field

from rich.console import RenderableType

from core.seats import ARBITER, is_player
from events.event import Id, Seat
from replay.cli.back import last_move, left_behind, restorer, taken_back, what_became
from replay.cli.kept import known_entry
from replay.cli.lines import refusing
from replay.cli.moves import known_seat
from replay.cli.show import heading
from replay.cli.trouble import Trouble
from replay.outcomes import Refused
from replay.session import Session

__all__ = ["Marks"]

USAGE = "`undo`, `undo 12` (go on from entry 12), `undo elf` (elf agrees), `undo all` (all agree), `undo --arbiter Zed`"


@dataclass(frozen=True)
class _Asked:
    """What stands behind `undo`."""

    to: Id | None
    by: Seat
    agreed: tuple[Seat, ...]
    arbiter: str


@dataclass
class Marks:
    """Where the game stood before each line that was typed, those of lines that were taken back apart."""

    session: Session
    before: list[Id] = field(default_factory=list)
    undone: list[list[Id]] = field(default_factory=list)

    def mark(self, before: Id) -> None:
        """Note where the game stood before a line that was played; what was taken back before is not brought back then."""
        self.before.append(before)
        self.undone.clear()

    def undo(self, said: str) -> tuple[RenderableType, ...]:
        """Go back to before the last line, or as said; raise `Trouble` with why not."""
        asked = self._read(said)
        to, mover = self._target(asked)
        by = ARBITER if asked.arbiter else asked.by or mover
        shown = self._go(by, to, asked, f"undo {said}".strip())
        self.undone.append([at for at in self.before if at >= to])
        self.before = [at for at in self.before if at < to]
        return shown

    def restore(self, said: str) -> tuple[RenderableType, ...]:
        """Bring back what the last undo left behind; raise `Trouble` with why not."""
        asked = self._read(said)
        to, undone = left_behind(self.session)
        by = restorer(undone, asked.by, asked.arbiter)
        shown = self._go(by, to, asked, f"restore {said}".strip())
        if self.undone:
            self.before += self.undone.pop()
        return shown

    def _go(self, by: Seat, to: Id, asked: _Asked, line: str) -> tuple[RenderableType, ...]:
        session, head = self.session, self.session.head.id
        answer = session.take_back(by, to, agreed=asked.agreed, arbiter=asked.arbiter)
        if isinstance(answer, Refused):
            raise refusing(session, answer, line)
        by_whom = f" --arbiter {shlex.quote(asked.arbiter)}" if asked.arbiter else ""
        left = "stays in the log" if line.startswith("restore") else f"comes back by `restore{by_whom}`"
        said = heading(f"The game goes on from entry {to}.", what_became(session, head, to, left))
        return (said, *taken_back(session, head, to))

    def _target(self, asked: _Asked) -> tuple[Id, Seat]:
        if asked.to is not None:
            to = known_entry(self.session, asked.to)
        elif self.before:
            to = self.before[-1]
        else:
            return last_move(self.session)
        gone = set(self.session.history.line(self.session.head.id)) - set(self.session.history.line(to))
        movers = [entry.seat for entry in self.session.entries if entry.id in gone and is_player(entry.seat)]
        if movers:
            return to, movers[-1]
        return to, last_move(self.session)[1]

    def _read(self, said: str) -> _Asked:
        try:
            words = iter(shlex.split(said))
        except ValueError:
            raise Trouble(
                f"{said!r}: a quote is not closed; undo is written {USAGE}.", kind="usage"
            ) from None
        to: Id | None = None
        by, arbiter = "", ""
        agreed: list[Seat] = []
        for word in words:
            option, _, held = word.partition("=")
            if option in ("--to", "--by", "--agreed", "--arbiter"):
                held = held or next(words, "")
                if not held:
                    raise Trouble(
                        f"Something is missing after {option}; undo is written {USAGE}.", kind="usage"
                    )
            if option == "--arbiter":
                arbiter = held
            elif option == "--by":
                by = known_seat(self.session, held)
            elif (held or word).isdecimal():
                to = int(held or word)
            elif option == "--to":
                raise Trouble(f"{held!r} is no number of an entry; undo is written {USAGE}.", kind="usage")
            else:
                agreed.extend(self._seats(held or word))
        return _Asked(to, by, tuple(agreed), arbiter)

    def _seats(self, named: str) -> Iterator[Seat]:
        for part in filter(None, named.split(",")):
            if part == "all":
                yield from self.session.now.table.seats
            else:
                yield known_seat(self.session, part)
