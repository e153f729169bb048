"""Verdicts on the lines of a scoresheet, as data: rendering is another matter."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import msgspec
from msgspec import Struct, structs

from core.deciding import Decision
from core.rules import Rules
from core.telling import Moment
from events.chain import Head, hash_of
from events.entry import Entry
from events.event import FactData, Seat, SectionRef
from events.seals import Opening, Salts, conceal

__all__ = [
    "ASSUMED", "LAWFUL", "MISCOUNTED", "UNKNOWABLE", "UNLAWFUL", "Judgement", "Log", "Report", "Told", "Verdict",
]  # fmt: skip

LAWFUL: Final = "lawful"
UNLAWFUL: Final = "unlawful"
MISCOUNTED: Final = "miscounted"
UNKNOWABLE: Final = "unknowable"
ASSUMED: Final = "assumed"
"""The actor of dice that nobody wrote down and that the claims after them tell of."""


class Verdict(Struct, frozen=True):
    """What the rules say of one line of a scoresheet.

    `verdict` is `lawful`, `unlawful`, `miscounted` or `unknowable`; `sections` are the rules that make it so; `expected`
    is what the rules asked for or what should have followed, `recorded` what the sheet says; `alternatives` are lines
    that would have been lawful, the nearest first. `told`: it entered the game all the same. `entry` is its entry in
    the log (0: none), `silences` are the lines that silence filled in before it, `codes` name the reasons for programs,
    `answers` are those in force at the line, to the points among its sections.
    """

    line: int
    text: str
    verdict: str
    sections: tuple[SectionRef, ...] = ()
    message: str = ""
    expected: str = ""
    recorded: str = ""
    alternatives: tuple[str, ...] = ()
    codes: tuple[str, ...] = ()
    told: bool = True
    entry: int = 0
    silences: tuple[str, ...] = ()
    answers: dict[SectionRef, str] = {}


class Report(Struct, frozen=True):
    """The verdicts on a whole sheet. `ok`: no line is unlawful or miscounted."""

    game: str
    sheet: str
    title: str
    ok: bool
    verdicts: tuple[Verdict, ...]

    def found(self, verdict: str) -> tuple[Verdict, ...]:
        """Return the lines on which the verdict is this one."""
        return tuple(line for line in self.verdicts if line.verdict == verdict)

    def to_json(self) -> str:
        """Return the report as one JSON object."""
        return msgspec.json.encode(self).decode()


@dataclass(frozen=True)
class Told:
    """An entry that came of the sheet: who said what, and what it decided."""

    seat: Seat
    command: Any
    decision: Decision[Any]
    source: str = ""
    actor: str = ""
    """Who said it, when it was not the table: `ASSUMED` for dice that only what followed tells of."""

    @property
    def facts(self) -> tuple[FactData, ...]:
        """The facts that it caused."""
        return self.decision.facts


@dataclass(frozen=True)
class Log:
    """A sheet as the log of a game: its lines, the openings of what is sealed, and the head."""

    lines: tuple[bytes, ...]
    openings: tuple[Opening, ...]
    head: Head


@dataclass(frozen=True)
class Judgement:
    """The report on a sheet, and the game as it was played by it."""

    rules: Rules[Any]
    report: Report
    told: tuple[Told, ...]

    @property
    def after(self) -> Moment[Any]:
        """The moment after the last line."""
        return self.told[-1].decision.after

    def entries(self, at: str) -> tuple[Entry[Any, Any], ...]:
        """Return the entries of the game, open and without hashes, all of the time `at`."""
        return tuple(
            Entry(
                number,
                number - 1,
                at,
                one.seat,
                one.command,
                one.facts,
                source=one.source,
                actor=one.actor,
            )
            for number, one in enumerate(self.told, 1)
        )

    def log(self, at: str, salts: Salts) -> Log:
        """Return the log of the game: every entry at the time `at` (UTC, RFC 3339), sealed where it must be."""
        lines: list[bytes] = []
        openings: list[Opening] = []
        codec, prev = self.rules.codec, ""
        for entry, one in zip(self.entries(at), self.told, strict=True):
            chained = structs.replace(entry, prev=prev)
            sealed, opened = conceal(
                chained, one.decision.audiences, one.decision.command_to, codec.value, salts
            )
            lines.append(codec.encode(sealed, opened))
            openings += opened
            prev = hash_of(lines[-1])
        return Log(tuple(lines), tuple(openings), Head(len(lines), prev))


def sections_of(because: Sequence[Sequence[SectionRef]]) -> tuple[SectionRef, ...]:
    """Return sections in the order named, each once."""
    return tuple(dict.fromkeys(ref for refs in because for ref in refs))
