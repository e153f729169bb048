"""Going back and elsewhere: `undo`, `restore`, `whatif`."""

from collections.abc import Iterator
from typing import Annotated, Any

import typer
from rich.console import RenderableType

from core.kit.table import MoveHead, TableCommand
from core.seats import ARBITER, is_player
from events.event import Id, Seat
from replay.cli import terms
from replay.cli.kept import begin_branch, session_at
from replay.cli.moves import known_seat
from replay.cli.play import refusing
from replay.cli.show import give, heading, text
from replay.cli.told import asks_plain, asks_shown, entry_plain
from replay.cli.trouble import DIVERGED, Trouble
from replay.outcomes import Refused
from replay.session import Session

__all__ = ["add", "last_move"]


def add(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.command(
        rich_help_panel="At the table",
        epilog=terms.example(
            "lawspeaker undo bridge",
            "lawspeaker undo bridge --to 4 --agreed orc,barbarian",
            "lawspeaker undo bridge --arbiter Anna",
        ),
    )(undo)
    app.command(
        rich_help_panel="At the table",
        epilog=terms.example("lawspeaker restore bridge --agreed orc,barbarian"),
    )(restore)
    app.command(
        rich_help_panel="At the table",
        epilog=terms.example("lawspeaker whatif bridge --at 4 --name bridge-retreat"),
    )(whatif)


By = Annotated[
    str,
    typer.Option("--by", metavar="SEAT", help="Which seat asks for it; the one that moved last unless said."),
]
Agreed = Annotated[str, typer.Option("--agreed", metavar="SEAT,...", help="The seats that agreed to it.")]
Arbiter = Annotated[
    str, typer.Option("--arbiter", metavar="NAME", help="The arbiter who decided it, in place of the seats.")
]


def undo(
    game: terms.Game,
    to: Annotated[
        int | None,
        typer.Option(
            "--to",
            metavar="N",
            help="Go on from entry N; without it, from before the last move and its dice.",
        ),
    ] = None,
    by: By = "",
    agreed: Agreed = "",
    arbiter: Arbiter = "",
    store: terms.StorePath = None,
    json: terms.Json = False,
) -> None:
    """Take back: the game goes on from an earlier entry. Nothing is erased, and `restore` brings it back.

    A seat may do so alone while its moves told it nothing: no dice, no card, no act of another. Else every other
    seat must agree, or the arbiter decides; without that it is refused, with the list of what had been learned.
    """
    with session_at(game, store) as session:
        earlier, mover = (to, _mover(session, to)) if to is not None else last_move(session)
        _go(session, earlier, by or mover, agreed, arbiter, json)


def restore(
    game: terms.Game,
    to: Annotated[
        int | None,
        typer.Option(
            "--to", metavar="N", help="Go on from entry N; without it, from what the last undo left behind."
        ),
    ] = None,
    by: By = "",
    agreed: Agreed = "",
    arbiter: Arbiter = "",
    store: terms.StorePath = None,
    json: terms.Json = False,
) -> None:
    """Bring back what was taken back: the game goes on from the entry that the last undo left."""
    with session_at(game, store) as session:
        moved = session.now.table.moved
        if to is None and not moved:
            raise Trouble("Nothing was ever taken back in this game.", code=DIVERGED, kind="nothing_left")
        target = moved[-1] - 1 if to is None else to
        undone = session.entries[moved[-1] - 1] if moved else None
        asked = undone.seat if undone is not None else _mover(session, target)
        _go(session, target, by or asked, agreed, arbiter, json)


def _go(session: Session, to: Id, by: Seat, agreed: str, arbiter: str, json: bool) -> None:
    seat = ARBITER if arbiter else known_seat(session, by)
    seats = tuple(known_seat(session, part.strip()) for part in agreed.split(",") if part.strip())
    answer = session.take_back(seat, to, agreed=seats, arbiter=arbiter)
    if isinstance(answer, Refused):
        raise refusing(session, answer)
    told: dict[str, Any] = {
        "game": session.game,
        "to": to,
        "entries": [entry_plain(session.rules, entry) for entry in answer.entries],
        "asks": asks_plain(session),
    }
    learned = next(
        (entry.command.learned for entry in answer.entries if isinstance(entry.command, MoveHead)), ()
    )

    def shown() -> Iterator[RenderableType]:
        yield heading(f"The game goes on from entry {to}.", "what was left behind stays in the log")
        for what in learned:
            yield text(f"  left behind: {what}")
        yield from asks_shown(session)

    give(told, shown, json=json)


def last_move(session: Session) -> tuple[Id, Seat]:
    """Return the entry before the last move of a player in the line of play, and whose move it was."""
    for at in reversed(session.history.line(session.head.id)):
        entry = session.entries[at - 1]
        if is_player(entry.seat) and not isinstance(entry.command, TableCommand):
            return entry.parent, entry.seat
    raise Trouble("No move has been played that could be taken back.", code=DIVERGED, kind="nothing_played")


def _mover(session: Session, to: Id) -> Seat:
    """Return the player who moved last after an entry, else any player."""
    for entry in reversed(session.entries[max(to, 0) :]):
        if is_player(entry.seat):
            return entry.seat
    return session.now.table.seats[0]


def whatif(
    game: terms.GameOrFile,
    at: Annotated[int, typer.Option("--at", metavar="N", help="The what-if goes on from entry N.")],
    name: Annotated[
        str, typer.Option("--name", metavar="NEW", help="The name of the what-if; made up unless given.")
    ] = "",
    store: terms.StorePath = None,
    json: terms.Json = False,
) -> None:
    """Try what might have been: a new game that goes on from an entry. The old one is not touched."""
    with begin_branch(game, store, at, name) as session:

        def shown() -> Iterator[RenderableType]:
            yield heading(f"{session.game} has begun", f"a what-if of {game} from entry {at}")
            yield from asks_shown(session)
            yield text(f"Go on with: lawspeaker play {session.game}", "dim")

        give(
            {"game": session.game, "of": game, "at": at, "asks": asks_plain(session)},
            shown,
            json=json,
        )
