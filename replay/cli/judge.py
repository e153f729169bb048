"""The arbiter: `dispute`, `rule`, `correct`."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer
from msgspec import structs

from core.kit.disputing import RaiseDispute
from core.kit.table import Correct, Rule
from core.seats import ARBITER
from events.table import Answered, Forfeited, Penalised, Upheld, Verdict, WentBack
from replay.cli import completing, terms
from replay.cli.eyes import Eyes
from replay.cli.kept import known_entry, session_at
from replay.cli.lines import submit
from replay.cli.moves import known_seat, last_played
from replay.cli.show import give
from replay.cli.trouble import Trouble
from replay.session import Session
from replay.sheets.position import load_position
from replay.words.forms import Reader
from replay.words.grammar import grammar
from replay.words.names import refuse_strangers

__all__ = ["add"]


def add(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.command(
        rich_help_panel="The arbiter",
        epilog=terms.example(
            'lawspeaker dispute bridge "the wizard had fled by then" --seat orc --at 7', ends=terms.ACTS
        ),
    )(dispute)
    app.command(
        rich_help_panel="The arbiter",
        epilog=terms.example(
            'lawspeaker rule bridge --answer X61=extra --reason "as this table always played"',
            'lawspeaker rule bridge --back-to 6 --because QD-10.7 --reason "who flees does not roll"',
            'lawspeaker rule bridge --penalise "elf=a warning" --reason "third dispute over one die"',
            ends=terms.ACTS,
        ),
    )(rule)
    app.command(
        rich_help_panel="The arbiter",
        epilog=terms.example(
            'lawspeaker correct bridge "units orc OR_n 3" --reason "one was counted twice"', ends=terms.ACTS
        ),
    )(correct)


def dispute(
    game: terms.Game,
    claim: Annotated[str, typer.Argument(metavar="CLAIM", help="What is wrong, in a sentence.")],
    seat: Annotated[
        str, typer.Option("--seat", metavar="SEAT", help="Who contests it.", autocompletion=completing.seats)
    ],
    at: Annotated[
        int | None,
        typer.Option(
            "--at",
            metavar="N",
            help="Which entry; the last one that was played unless said.",
            autocompletion=completing.entries,
        ),
    ] = None,
    as_seat: terms.AsSeat = "",
    store: terms.StorePath = None,
    json: terms.Json = False,
) -> None:
    """Contest an entry: until the arbiter rules, the game stands still."""
    with session_at(game, store) as session:
        who = known_seat(session, seat)
        contested = last_played(session) if at is None else known_entry(session, at)
        _submit(Eyes.of(session, as_seat), who, RaiseDispute(contested, claim), json)


def rule(
    game: terms.Game,
    reason: Annotated[str, typer.Option("--reason", metavar="TEXT", help="Why; every ruling has a reason.")],
    uphold: Annotated[bool, typer.Option("--uphold", help="What the log holds stands.")] = False,
    back_to: Annotated[
        int | None,
        typer.Option(
            "--back-to", metavar="N", help="The game goes on from entry N.", autocompletion=completing.entries
        ),
    ] = None,
    answer: Annotated[
        str,
        typer.Option(
            "--answer",
            metavar="X61=...",
            help="From now on a point is answered so.",
            autocompletion=completing.answers,
        ),
    ] = "",
    penalise: Annotated[
        str,
        typer.Option(
            "--penalise",
            metavar="SEAT=WHAT",
            help="A penalty, for the record.",
            autocompletion=completing.seated,
        ),
    ] = "",
    forfeit: Annotated[
        str,
        typer.Option(
            "--forfeit",
            metavar="SEAT",
            help="The seat forfeits: its answers are passes from now on. So does every other seat of its player.",
            autocompletion=completing.seats,
        ),
    ] = "",
    alone: Annotated[
        bool,
        typer.Option("--alone", help="With --forfeit: that seat alone, of a player who sits at several."),
    ] = False,
    on: Annotated[
        int | None,
        typer.Option(
            "--dispute",
            metavar="N",
            help="The dispute it settles; the oldest open one unless said, 0 for none.",
        ),
    ] = None,
    because: Annotated[
        list[str] | None,
        typer.Option(
            "--because",
            metavar="SECTION",
            help="A section it rests on; may be repeated.",
            autocompletion=completing.sections,
        ),
    ] = None,
    actor: Annotated[str, typer.Option("--actor", metavar="NAME", help="The arbiter, for the record.")] = "",
    seat: terms.AsSeat = "",
    store: terms.StorePath = None,
    json: terms.Json = False,
) -> None:
    """Rule as the arbiter, on a dispute or unasked. A ruling survives every take-back."""
    with session_at(game, store, actor=actor) as session:
        if alone and not forfeit:
            raise Trouble("--alone goes with --forfeit SEAT.", kind="usage")
        verdicts = list(_verdicts(session, uphold, back_to, answer, penalise, forfeit, alone))
        if len(verdicts) != 1:
            raise Trouble(
                "Rule one thing at a time: --uphold, --back-to, --answer, --penalise or --forfeit.",
                kind="usage",
            )
        disputes = session.now.table.disputes
        settles = (disputes[0].id if disputes else 0) if on is None else on
        book = session.rules.rulebook
        sections = tuple(
            ref.upper() if session.rules.knows(ref.upper()) else book.full_id(ref) for ref in because or ()
        )
        _submit(Eyes.of(session, seat), ARBITER, Rule(verdicts[0], reason, settles, sections), json)


def _verdicts(
    session: Session,
    uphold: bool,
    back_to: int | None,
    answer: str,
    penalise: str,
    forfeit: str,
    alone: bool,
) -> Iterator[Verdict]:
    if uphold:
        yield Upheld()
    if back_to is not None:
        yield WentBack(known_entry(session, back_to))
    if answer:
        point, held = _pair(answer, "--answer", "X61=extra")
        yield Answered(session.rules.rulebook.full_id(point), held)
    if penalise:
        seat, what = _pair(penalise, "--penalise", "orc=looking")
        yield Penalised(seat, what)
    if forfeit:
        yield Forfeited(forfeit, alone)


def _pair(given: str, option: str, like: str) -> tuple[str, str]:
    name, sign, value = (part.strip() for part in given.partition("="))
    if not sign or not name or not value:
        raise Trouble(f"{option} is written as {like}, not {given!r}.", kind="usage")
    return name, value


def correct(
    game: terms.Game,
    stands: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="WHAT STANDS",
            help='As a scoresheet writes it: "units orc OR_n 3"; `sheet --template` lists the words.',
        ),
    ] = None,
    reason: Annotated[
        str, typer.Option("--reason", metavar="TEXT", help="Why; every correction has a reason.")
    ] = "",
    position: Annotated[
        Path | None, typer.Option("--position", metavar="FILE", help="What stands, from a position file.")
    ] = None,
    actor: Annotated[str, typer.Option("--actor", metavar="NAME", help="The arbiter, for the record.")] = "",
    seat: terms.AsSeat = "",
    store: terms.StorePath = None,
    json: terms.Json = False,
) -> None:
    """Set the board right as the arbiter, in the words of a position. The open question is asked anew."""
    with session_at(game, store, actor=actor) as session:
        facts: list[Any] = []
        if position is not None:
            held = load_position(position)
            if held.game != session.rules.name:
                raise Trouble(
                    f"{position} is a position of {held.game}, not of {session.rules.name}.", kind="usage"
                )
            facts += held.facts
        facts += [_standing(session, said) for said in stands or ()]
        if not facts:
            raise Trouble('Say what stands, as in "units orc OR_n 3", or name a --position.', kind="usage")
        _submit(Eyes.of(session, seat), ARBITER, Correct[Any](reason, tuple(facts)), json)


def _standing(session: Session, said: str) -> Any:
    reader = Reader(said)
    begin = reader.at
    fact = grammar(session.rules).standing(reader)
    if not reader.at_end:
        raise reader.fault(f"{reader.rest()!r} is more than what stands", "each in quotes of its own")
    refuse_strangers(session.rules, fact, reader, begin, session.now.table.seats)
    return structs.replace(fact, because=())


def _submit(seen: Eyes, seat: str, command: Any, json: bool) -> None:
    entries = submit(seen, seat, command, "")
    told = {"game": seen.session.game, "as": seen.name, **seen.told(entries)}
    give(told, lambda: seen.shown(entries), json=json)
