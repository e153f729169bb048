"""`why`: what the rules say to a move at any moment, without playing it."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any

import typer
from rich.console import RenderableType

from core.consent import foresee
from core.deciding import Decision, decide
from core.deciding import Refused as Forbidden
from core.kit.table import TABLE_LAW, TableCommand
from core.refusal import Refusal
from core.rules import Rules
from core.seats import ARBITER, CHANCE, is_player
from core.telling import Moment
from events.event import Seat
from events.play import Sealed
from replay.cli import terms
from replay.cli.eyes import Eyes
from replay.cli.kept import session_at
from replay.cli.show import give, heading, indented, refusals, text
from replay.cli.trouble import DIVERGED, FINE, Trouble
from replay.hearing import open_reasons
from replay.hinging import hinged
from replay.session import Session
from replay.words.nearest import nearest
from replay.words.wording import command_words, fact_words

__all__ = ["add", "why_shown"]


def add(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.command(
        rich_help_panel="At the table",
        epilog=terms.example(
            'lawspeaker why bridge "orc: attack OR_n from OR_k with 4" --at 1',
            'lawspeaker why bridge "orc: retreat to OR_k"',
            ends=terms.codes("the rules allow it", "they refuse it"),
        ),
    )(why)


def why(
    game: terms.GameOrFile,
    move: Annotated[
        str, typer.Argument(metavar="MOVE", help="The move as it would be typed, in quotes; also dice.")
    ],
    at: terms.At = None,
    seat: terms.AsSeat = "",
    store: terms.StorePath = None,
    json: terms.Json = False,
) -> None:
    """Say whether the rules allow a move, and why not, at any moment, without playing it.

    A move that was refused leaves no trace in the log; this says again why, with the sections and the nearest lawful moves.
    With `--as spectator` it says of anybody's move what all may hear.
    """
    with session_at(game, store, readonly=True) as session:
        seen = Eyes.of(session, seat)
        asked = _asked(seen, move, at)
        told = {"game": session.game, **asked.plain()}
        give(told, asked.shown, json=json, code=DIVERGED if asked.reasons else FINE)


def why_shown(seen: Eyes, move: str) -> Iterator[RenderableType]:
    """Yield what the rules say to a move now, as these eyes may know it."""
    yield from _asked(seen, move, None).shown()


@dataclass(frozen=True)
class _Answer:
    """A move and what the rules say to it, decided on the moment as it may be told."""

    rules: Rules[Any]
    seat: Seat
    command: Any
    now: Moment[Any]
    reader: Seat | None
    reasons: tuple[Refusal, ...]
    decided: Decision[Any] | None
    unsure: bool = False
    """Whether the rest hangs on what only the seat may see."""

    @property
    def written(self) -> str:
        """The move as a line of a scoresheet."""
        return command_words(self.rules, self.seat, self.command)

    @property
    def near(self) -> tuple[str, ...]:
        """The nearest lawful moves, of one that is not."""
        openly = self.reader is None
        if not self.reasons or not (self.seat == CHANCE or (is_player(self.seat) and not openly)):
            return ()
        found = nearest(self.now, self.seat, self.command)
        return tuple(command_words(self.rules, who, other) for who, other in found)

    def plain(self) -> dict[str, Any]:
        """Return what `--json` says."""
        return {
            "at": self.now.entry - 1,
            "move": self.written,
            "lawful": None if self.unsure else not self.reasons,
            "reasons": self.reasons,
            "nearest": self.near,
        }

    def shown(self) -> Iterator[RenderableType]:
        """Yield the verdict, with sections and the nearest lawful moves, or what would follow."""
        if self.reasons:
            yield from refusals(
                self.reasons, self.rules.rulebook, TABLE_LAW, self.written, self.now.table.answers
            )
            if self.near:
                yield text("  lawful would be: " + "; ".join(self.near))
            return
        beside = f"after entry {self.now.entry - 1}; nothing was played"
        if self.unsure:
            yield heading(f"nothing that all may see forbids it: {self.written}", beside)
            yield indented(text(only_for(self.seat)))
        else:
            yield heading(f"lawful: {self.written}", beside)
        facts = self.decided.facts if self.decided is not None else ()
        for place, fact in enumerate(facts):
            assert self.decided is not None  # noqa: S101 - there is a fact
            to = self.decided.audiences[place]
            if to and self.reader != ARBITER and self.reader not in to:
                continue
            told = fact_words(self.rules, fact, facts[place + 1 :])
            if told:
                yield indented(text(told).append(text(f"  [{', '.join(fact.because)}]", "cyan")), 6)


def only_for(seat: Seat) -> str:
    """Return how to learn what hangs on things that not everybody may see."""
    if is_player(seat):
        return f"Whether something does that only {seat} may see: at the prompt `as {seat}`, else `--as {seat}`, tells."
    return "Whether something does that not everybody may see is told to who sees it."


def _asked(seen: Eyes, move: str, at: int | None) -> _Answer:
    session = seen.session
    seat, command = seen.asked_of(move, at)
    if isinstance(command, TableCommand):
        raise Trouble("`why` is asked of moves, dice and cards.", kind="usage")
    if not seen.may_hear_of(seat):
        return _openly(session, seat, command, at, seen.reader)
    now = session.view(seen.who, at)
    if is_player(seat) and seen.who == ARBITER:
        own = session.view(seat, at)  # judged first on what the seat itself may see, as when it is played
        if isinstance(decide(own, seat, command), Forbidden):
            now = own
    decided = decide(now, seat, command)
    if isinstance(decided, Forbidden):
        reasons = hinged(now, seat, command, decided.reasons)
        return _Answer(session.rules, seat, command, now, seen.reader, reasons, None)
    return _Answer(session.rules, seat, command, now, seen.reader, (), decided)


def _openly(session: Session, seat: Seat, command: Any, at: int | None, reader: Seat | None) -> _Answer:
    """Return what somebody who does not see all that the seat sees can say to a move: it hangs on nothing else (LS-2.7)."""
    now = session.view(None, at)
    reasons = open_reasons(now, seat, command)
    decided = foresee(now, seat, command)
    foreseen = decided if isinstance(decided, Decision) else None
    unsure = not reasons and (foreseen is None or _has_secrets(session, seat, now))
    return _Answer(session.rules, seat, command, now, reader, reasons, foreseen, unsure)


def _has_secrets(session: Session, seat: Seat, now: Moment[Any]) -> bool:
    """Return whether a seat, or chance when it deals, knows at a moment what not everybody may see."""
    if seat == CHANCE:
        asked = now.question
        return asked is not None and asked.draw is not None and not asked.draw.public
    entries = (session.history.as_stored(at)[0] for at in session.history.line(now.entry - 1))
    return any(type(fact) is Sealed and seat in fact.to for entry in entries for fact in entry.facts)
