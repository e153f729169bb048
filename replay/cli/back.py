"""Going back and elsewhere: `undo`, `restore`, `whatif`."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Annotated, Any

import typer
from msgspec import structs
from rich.console import RenderableType

from core.consent import MOST_LISTED, in_short, why_not_alone
from core.kit.table import MoveHead, TableCommand
from core.seats import ARBITER, CHANCE, is_player
from events.event import Id, Seat
from events.table import HeadMoved
from replay.cli import completing, terms
from replay.cli.eyes import Eyes
from replay.cli.kept import begin_branch, known_entry, session_at
from replay.cli.lines import refusing
from replay.cli.moves import known_seat
from replay.cli.show import give, heading, text
from replay.cli.trouble import DIVERGED, Trouble
from replay.history import AnyEntry, is_tables
from replay.outcomes import Refused
from replay.session import Session
from replay.words.wording import command_words

__all__ = ["add", "last_move", "left_behind", "restorer", "taken_back", "what_became"]


def add(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.command(
        rich_help_panel="At the table",
        epilog=terms.example(
            "lawspeaker undo bridge",
            "lawspeaker undo bridge --to 4 --agreed orc,barbarian",
            "lawspeaker undo bridge --arbiter Anna",
            ends=terms.ACTS,
        ),
    )(undo)
    app.command(
        rich_help_panel="At the table",
        epilog=terms.example(
            "lawspeaker restore bridge", "lawspeaker restore bridge --agreed orc,barbarian", ends=terms.ACTS
        ),
    )(restore)
    app.command(
        rich_help_panel="At the table",
        epilog=terms.example("lawspeaker whatif bridge --at 4 --name bridge-retreat", ends=terms.ACTS),
    )(whatif)


By = Annotated[
    str,
    typer.Option(
        "--by",
        metavar="SEAT",
        help="Which seat asks for it; unless said, the one that moved since, or that did not agree.",
        autocompletion=completing.seats,
    ),
]
Agreed = Annotated[
    str,
    typer.Option(
        "--agreed",
        metavar="SEAT,...",
        help="The seats that agreed to it.",
        autocompletion=completing.listed_seats,
    ),
]
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
            autocompletion=completing.entries,
        ),
    ] = None,
    by: By = "",
    agreed: Agreed = "",
    arbiter: Arbiter = "",
    seat: terms.AsSeat = "",
    store: terms.StorePath = None,
    json: terms.Json = False,
) -> None:
    """Take back: the game goes on from an earlier entry. Nothing is erased, and `restore` brings it back.

    A seat may do so alone while its moves told it nothing: no dice, no card, no act of another. Else every other
    seat must agree, or the arbiter decides; without that it is refused, with the list of what had been learned.
    """
    with session_at(game, store) as session:
        _known(session, by, agreed)
        if to is None:
            to, mover = last_move(session)
        else:
            known_entry(session, to)
            mover = by or (ARBITER if arbiter else _asker(session, to, _seats(session, agreed)))
        _go(Eyes.of(session, seat), to, by or mover, agreed, arbiter, json)


def restore(
    game: terms.Game,
    by: By = "",
    agreed: Agreed = "",
    arbiter: Arbiter = "",
    seat: terms.AsSeat = "",
    store: terms.StorePath = None,
    json: terms.Json = False,
) -> None:
    """Bring back what the last undo left behind, as long as nobody has moved since.

    Dice that the computer rolled anew at once are no move; who brings the old ones back has seen both, so all others must
    agree. Called again it brings back what the undo before that one left. To go to any other entry: `undo --to N`.
    """
    with session_at(game, store) as session:
        _known(session, by, agreed)
        target, undone = left_behind(session)
        who = restorer(undone, by, arbiter)
        _go(Eyes.of(session, seat), target, who, agreed, arbiter, json, restoring=True)


def _known(session: Session, by: str, agreed: str) -> None:
    """Raise `Trouble` at a seat that nobody sits at, before anything is looked for."""
    _seats(session, agreed)
    if by:
        known_seat(session, by)


def restorer(undone: AnyEntry, by: Seat, arbiter: str) -> Seat:
    """Return who brings back what entry `undone` left behind: who is named, else who had wanted to go back.

    That is who says so in the entry, which may be that of the last who agreed. What the arbiter decided comes back on his
    word; raises `Trouble` where nobody gives it.
    """
    if arbiter:
        return ARBITER
    who = by or next((fact.by for fact in undone.facts if isinstance(fact, HeadMoved)), undone.seat)
    if who == ARBITER:
        raise Trouble(
            f"The arbiter went back with entry {undone.id}; --arbiter NAME brings that back, or --by SEAT with the "
            "others --agreed.",
            kind="usage",
        )
    return who


def left_behind(session: Session) -> tuple[Id, AnyEntry]:
    """Return the entry that brings back what was left last, and which entry left it; raise `Trouble` when nothing is left.

    What is about the table alone, what brought something back, and dice and cards that no person gave do not count as
    played.
    """
    entries, history, at = session.entries, session.history, session.head.id
    while at > 0:
        entry = entries[at - 1]
        if not (is_tables(entry) or _fell_by_itself(entry)):
            break
        if entry.parent != at - 1:
            left = set(history.line(at - 1)) - set(history.line(entry.parent))
            if any(not is_tables(entries[n - 1]) for n in left):
                return at - 1, entry
        at = entry.parent
    raise _nothing_left(session, at)


def _nothing_left(session: Session, at: Id) -> Trouble:
    """Return why nothing is brought back: entry `at` was played since; and how to see the line that was left, or go on there."""
    game, history, here = session.game, session.history, set(session.history.line(session.head.id))
    ends = (moved - 1 for moved in reversed(session.now.table.moved))
    left = next(
        (
            n
            for n in ends
            if any(n not in here and not is_tables(session.entries[n - 1]) for n in history.line(n))
        ),
        0,
    )
    if not left or at <= left:
        said = (
            f"There is nothing to bring back. `lawspeaker undo {game} --to N` goes to entry N on purpose; "
            f"`lawspeaker log {game}` lists them."
        )
        return Trouble(said, code=DIVERGED, kind="nothing_left")
    said = (
        f"There is nothing to bring back; entry {at} was played since the last undo, and what was left is not lost: entry "
        f"{left} is its end. `lawspeaker show {game} --at {left}` shows it, `lawspeaker whatif {game} --at {left}` goes on "
        f"there in a game of its own, and `lawspeaker undo {game} --to {left}` goes there in place of what was played since."
    )
    return Trouble(said, code=DIVERGED, kind="nothing_left", left=left)


def _fell_by_itself(entry: AnyEntry) -> bool:
    """Return whether chance answered at once, without a person: it decided nothing that going back would take from anyone."""
    return entry.seat == CHANCE and entry.source not in ("", "typed")


def _go(
    seen: Eyes, to: Id, by: Seat, agreed: str, arbiter: str, json: bool, *, restoring: bool = False
) -> None:
    session = seen.session
    seat = ARBITER if arbiter else known_seat(session, by)
    before = session.head.id
    answer = session.take_back(seat, to, agreed=_seats(session, agreed), arbiter=arbiter)
    if isinstance(answer, Refused):
        raise refusing(session, _of_restoring(answer, seat) if restoring else answer)
    told: dict[str, Any] = {"game": session.game, "as": seen.name, "to": to, **seen.told(answer.entries)}
    learned = next(
        (entry.command.learned for entry in answer.entries if isinstance(entry.command, MoveHead)), ()
    )

    def shown() -> Iterator[RenderableType]:
        yield heading(f"The game goes on from entry {to}.", what_became(session, before, to))
        yield from _told(session, to, learned)
        yield from taken_back(session, before, to, learned)
        if len(learned) > MOST_LISTED:
            yield text(f"  `lawspeaker log {session.game} --since {to}` lists all of it", "dim")
        yield from seen.asked()

    give(told, shown, json=json)


def what_became(session: Session, before: Id, to: Id, left: str = "stays in the log") -> str:
    """Return what became of what the game stood on before it went somewhere else, and of what it had left earlier, in words."""
    there, here = (set(session.history.line(at)) for at in (before, to))
    said = []
    if any(not is_tables(session.entries[at - 1]) for at in here - there):
        said.append("what had been left is there again")
    if any(not is_tables(session.entries[at - 1]) for at in there - here):
        said.append(f"what was left behind {left}")
    return "; ".join(said)


def _told(session: Session, to: Id, learned: Sequence[str]) -> Iterator[RenderableType]:
    """Yield what the entries tell, or told, that the game has come back to, and those that it has left."""
    line = {f"entry {at}" for at in session.history.line(to)}
    for is_here, how in ((True, "brought back"), (False, "left behind")):
        some = tuple(what for what in learned if (what.partition(":")[0] in line) == is_here)
        for what in in_short(some).split("; ") if some else ():
            yield text(f"  {how}: {what}")


def taken_back(session: Session, before: Id, to: Id, learned: Sequence[str] = ()) -> Iterator[RenderableType]:
    """Yield what was done and is left behind, as everybody may read it, also where it had told nobody anything.

    What is listed as learned is not told twice; dice and cards are not done by anybody.
    """
    known = {what.partition(":")[0] for what in learned}
    gone = sorted(set(session.history.line(before)) - set(session.history.line(to)))
    entries = [session.history.entry_for(None, at) for at in gone if f"entry {at}" not in known]
    done = [entry for entry in entries if entry.seat != CHANCE and not is_tables(entry)]
    for entry in done[:MOST_LISTED]:
        said = command_words(session.rules, entry.seat, entry.command)
        yield text(f"  taken back: entry {entry.id}: {said}")
    if len(done) > MOST_LISTED:
        yield text(f"  taken back: {len(done) - MOST_LISTED} more up to entry {done[-1].id}")


def _seats(session: Session, named: str) -> tuple[Seat, ...]:
    return tuple(known_seat(session, part.strip()) for part in named.split(",") if part.strip())


def _of_restoring(answer: Refused, by: Seat) -> Refused:
    """Return a refusal to move the head in the words of who wants something back."""
    reasons = tuple(
        structs.replace(
            reason,
            text=f"{by} can't bring this back alone, for {why_not_alone(answer.learned, 'tells')}; "
            f"{' and '.join(answer.needed)} must agree (--agreed), or the arbiter decides (--arbiter).",
        )
        if reason.code == "consent_needed"
        else reason
        for reason in answer.reasons
    )
    return replace(answer, reasons=reasons)


def last_move(session: Session) -> tuple[Id, Seat]:
    """Return the entry before the last move of a player in the line of play, and whose move it was.

    Where nobody has moved yet, the last dice or card that a person typed, and whose they were.
    """
    line = [session.entries[at - 1] for at in reversed(session.history.line(session.head.id))]
    for entry in line:
        if is_player(entry.seat) and not isinstance(entry.command, TableCommand):
            return entry.parent, entry.seat
    for entry in line:
        if entry.seat == CHANCE and entry.source == "typed":
            return entry.parent, _whose(session, entry)
    raise Trouble("Nothing has been played that could be taken back.", code=DIVERGED, kind="nothing_played")


def _whose(session: Session, entry: AnyEntry) -> Seat:
    """Return for whom dice were rolled or a card was drawn."""
    asked = session.history.decided_on(entry.id).question
    if asked is not None and asked.draw is not None:
        return asked.draw.to
    return asked.roll.owner if asked is not None and asked.roll is not None else session.now.table.seats[0]


def _asker(session: Session, to: Id, agreed: tuple[Seat, ...]) -> Seat:
    """Return who asks to go to an entry: who alone moved after it, or who alone did not agree; else raise `Trouble`."""
    line = set(session.history.line(session.head.id)) - set(session.history.line(to))
    moved = dict.fromkeys(
        entry.seat
        for entry in session.entries
        if entry.id in line and is_player(entry.seat) and not isinstance(entry.command, TableCommand)
    )
    others = [seat for seat in session.now.table.seats if seat not in agreed]
    for alone in (list(moved), [seat for seat in moved if seat not in agreed], others):
        if len(alone) == 1:
            return alone[0]
    who = f"{' and '.join(moved)} moved since entry {to}" if moved else f"nobody moved since entry {to}"
    raise Trouble(
        f"Say who asks for it with --by SEAT ({who}), or who decides with --arbiter NAME.", kind="usage"
    )


def whatif(
    game: terms.GameOrFile,
    at: Annotated[
        int,
        typer.Option(
            "--at", metavar="N", help="The what-if goes on from entry N.", autocompletion=completing.entries
        ),
    ],
    name: Annotated[
        str, typer.Option("--name", metavar="NEW", help="The name of the what-if; made up unless given.")
    ] = "",
    seat: terms.AsSeat = "",
    store: terms.StorePath = None,
    json: terms.Json = False,
) -> None:
    """Try what might have been: a new game that goes on from an entry. The old one is not touched."""
    with session_at(game, store, readonly=True) as source:
        known_entry(source, at)
    with begin_branch(game, store, at, name) as session:
        seen = Eyes.of(session, seat)

        def shown() -> Iterator[RenderableType]:
            yield heading(f"{session.game} has begun", f"a what-if of {game} from entry {at}")
            yield from seen.asked()
            yield text(f"Go on with: lawspeaker play {session.game}", "dim")

        give(
            {"game": session.game, "of": game, "at": at, "as": seen.name, "asks": seen.asks()},
            shown,
            json=json,
        )
