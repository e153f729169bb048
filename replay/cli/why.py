"""`why`: what the rules say to a move at any moment, without playing it."""

from collections.abc import Iterator
from typing import Annotated, Any

import typer
from rich.console import RenderableType

from core.deciding import Refused as Forbidden
from core.deciding import decide
from core.kit.table import TABLE_LAW, TableCommand
from core.seats import ARBITER, CHANCE, is_player
from core.telling import Moment
from events.event import Seat
from replay.cli import terms
from replay.cli.eyes import Eyes
from replay.cli.kept import session_at
from replay.cli.moves import said
from replay.cli.show import give, heading, indented, refusals, text
from replay.cli.trouble import DIVERGED, FINE, Trouble
from replay.hinging import hinged
from replay.outcomes import Refused
from replay.words.nearest import nearest
from replay.words.wording import command_words, fact_words

__all__ = ["add", "why_shown"]


def add(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.command(
        rich_help_panel="At the table",
        epilog=terms.example(
            'lawspeaker why bridge "orc: attack OR_n from OR_k with 4"',
            'lawspeaker why bridge "elf: end quest" --at 12',
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
    """
    with session_at(game, store, readonly=True) as session:
        seen = Eyes.of(session, seat)
        asked = _asked(seen, move, at)
        told: dict[str, Any] = {
            "game": session.game,
            "at": asked.at,
            "move": asked.written,
            "lawful": asked.refused is None,
            "reasons": asked.refused.reasons if asked.refused else (),
            "nearest": asked.near,
        }
        give(
            told,
            asked.shown,
            json=json,
            code=FINE if asked.refused is None else DIVERGED,
        )


def why_shown(seen: Eyes, move: str, *, shared: bool) -> Iterator[RenderableType]:
    """Yield what the rules say to a move now; on a shared screen nothing of what follows that is hidden."""
    yield from _asked(seen, move, None, shared=shared).shown()


class _Asked:
    """A move and what the rules say to it."""

    def __init__(self, seen: Eyes, seat: Seat, command: Any, now: Moment[Any], shared: bool) -> None:
        self.seen, self.seat, self.command, self.now, self.shared_screen = seen, seat, command, now, shared
        self.at = now.entry - 1
        self.written = command_words(seen.session.rules, seat, command)
        self.decided = decide(now, seat, command)
        self.refused = (
            Refused(hinged(now, seat, command, self.decided.reasons))
            if isinstance(self.decided, Forbidden)
            else None
        )
        alike = self.refused is not None and (is_player(seat) or seat == CHANCE)
        self.near = tuple(
            command_words(seen.session.rules, who, other)
            for who, other in (nearest(now, seat, command) if alike and not shared else ())
        )

    def shown(self) -> Iterator[RenderableType]:
        """Yield the verdict, with sections and the nearest lawful moves, or what would follow."""
        rules = self.seen.session.rules
        if self.refused is not None:
            yield from refusals(
                self.refused.reasons, rules.rulebook, TABLE_LAW, self.written, self.now.table.answers
            )
            if self.near:
                yield text("  lawful would be: " + "; ".join(self.near))
            return
        yield heading(f"lawful: {self.written}", f"after entry {self.at}; nothing was played")
        assert not isinstance(self.decided, Forbidden)  # noqa: S101 - it is refused otherwise
        facts = self.decided.facts
        for place, fact in enumerate(facts):
            to = self.decided.audiences[place]
            who = None if self.shared_screen else self.seen.who
            if to and who != ARBITER and who not in to:
                continue
            told = fact_words(rules, fact, facts[place + 1 :])
            if told:
                yield indented(text(told).append(text(f"  [{', '.join(fact.because)}]", "cyan")), 6)


def _asked(seen: Eyes, move: str, at: int | None, *, shared: bool = False) -> _Asked:
    session = seen.session
    now = seen.at(at)
    seat, command = said(session, move, now=session.now if at is None else session.at(at), me=_me(seen))
    if isinstance(command, TableCommand):
        raise Trouble("`why` is asked of moves, dice and cards.", kind="usage")
    if seen.who not in (ARBITER, seat) and seat != CHANCE:
        raise Trouble(f"--as {seen.name} asks for {seen.name} and the dice.", kind="not_your_seat", seat=seat)
    if is_player(seat) and seen.who == ARBITER:
        own = session.view(seat, at)  # judged first on what the seat itself may see, as when it is played
        if isinstance(decide(own, seat, command), Forbidden):
            now = own
    return _Asked(seen, seat, command, now, shared)


def _me(seen: Eyes) -> Seat:
    return seen.who if seen.who is not None and is_player(seen.who) else ""
