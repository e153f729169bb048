"""At the table: `new`, `play`, `roll`, `asks`."""

import sys
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import RenderableType

import core.games
from core.kit.table import TABLE_LAW
from core.rules import Rules
from events.chance import SOURCES
from replay.cli import completing, terms
from replay.cli.eyes import Eyes
from replay.cli.kept import begin, free_name, session_at, store_at, store_path
from replay.cli.lines import Played, Talk
from replay.cli.seeds import fallen_now, seed_is_missing
from replay.cli.show import give, heading, refusals, say, text, warn
from replay.cli.told import (
    asks_plain,
    asks_shown,
    entry_shown,
    moment_shown,
    title_of,
)
from replay.cli.trouble import DIVERGED, Refusing, Trouble, shortened, trouble_of
from replay.dice import chance_waits
from replay.history import AnyEntry
from replay.session import Session
from replay.sheets.position import load_position
from replay.words.wording import asked_of, chance_words

__all__ = ["add", "complain_of", "played_shown"]


def add(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.command(
        rich_help_panel="At the table",
        epilog=terms.example(
            "lawspeaker new --game dragonlords --seats orc,barbarian --title 'Friday at the club'",
            "lawspeaker new --game dragonlords --seats orc,elf,dwarf,barbarian --option armies=two",
            "lawspeaker new --position bridge.toml --answer X61=extra --name bridge",
            ends=terms.ACTS,
        ),
    )(new)
    app.command(
        rich_help_panel="At the table",
        epilog=terms.example(
            'lawspeaker play bridge "orc: attack OR_n from OR_k with 4" "dice: 5 5 6 3"',
            "lawspeaker play bridge < moves.txt",
            "lawspeaker play bridge",
            ends=terms.ACTS,
        ),
    )(play)
    app.command(
        rich_help_panel="At the table",
        epilog=terms.example("lawspeaker roll bridge 5 5 6 3", "lawspeaker roll bridge", ends=terms.ACTS),
    )(roll)
    app.command(
        rich_help_panel="At the table",
        epilog=terms.example("lawspeaker asks bridge", "lawspeaker asks bridge --as orc"),
    )(asks)


def new(
    game: Annotated[
        str,
        typer.Option(
            "--game",
            metavar="RULES",
            help="Which rules; `lawspeaker games` lists them.",
            autocompletion=completing.rule_sets,
        ),
    ] = "",
    seats: Annotated[
        str,
        typer.Option(
            "--seats",
            metavar="SEAT,...",
            help="Who sits, in order; all unless said.",
            autocompletion=completing.listed_seats,
        ),
    ] = "",
    position: Annotated[
        Path | None,
        typer.Option("--position", metavar="FILE", help="Begin from a position: who stands where."),
    ] = None,
    answer: Annotated[
        list[str] | None,
        typer.Option(
            "--answer",
            metavar="X61=...",
            help="Answer a point of the rulebook your way; may be repeated.",
            autocompletion=completing.answers,
        ),
    ] = None,
    option: Annotated[
        list[str] | None,
        typer.Option(
            "--option",
            metavar="NAME=...",
            help="Choose a variant, such as `armies=two`; `lawspeaker rules RULES` lists them; may be repeated.",
            autocompletion=completing.variants,
        ),
    ] = None,
    dice: Annotated[
        str,
        typer.Option(
            "--dice",
            metavar="typed|live|sealed",
            help="Typed: you roll real dice and type them. Live: the computer rolls. Sealed: it rolls from a seed "
            "fixed beforehand, so that anyone can check every roll once the game is over.",
            autocompletion=completing.dice,
        ),
    ] = "typed",
    person: Annotated[
        list[str] | None,
        typer.Option(
            "--person",
            metavar="SEAT=NAME",
            help="Who sits at a seat; may be repeated.",
            autocompletion=completing.seated,
        ),
    ] = None,
    title: Annotated[str, typer.Option("--title", metavar="TEXT", help="What people call this game.")] = "",
    name: Annotated[
        str,
        typer.Option(
            "--name", metavar="GAME", help="The name by which commands find it; made up unless given."
        ),
    ] = "",
    seat: terms.AsSeat = "",
    store: terms.StorePath = None,
    json: terms.Json = False,
) -> None:
    """Begin a game and keep its log in your store."""
    if dice not in SOURCES[:3]:
        raise Trouble(f"Dice are {', '.join(SOURCES[:3])}, not {dice!r}.", kind="usage")
    from_file = load_position(position) if position is not None else None
    if from_file is None and not game:
        raise Trouble("Name the rules with --game, or a position with --position.", kind="usage")
    if from_file is not None and game not in ("", from_file.game):
        raise Trouble(f"{position} is a position of {from_file.game}, not of {game}.", kind="usage")
    rules: Rules[Any] = from_file.rules if from_file is not None else core.games.load(game)
    sitting = tuple(part.strip() for part in seats.split(",") if part.strip())
    taken = sitting or (from_file.seats if from_file else rules.seats)
    persons = dict(_pairs(person, "--person", "orc=Anna"))
    answers = dict(from_file.answers if from_file else {})
    answers |= {
        rules.rulebook.full_id(point): held for point, held in _pairs(answer, "--answer", "X61=extra")
    }
    options = {**(from_file.options if from_file else {}), **dict(_pairs(option, "--option", "NAME=VALUE"))}
    with store_at(store, readonly=False) as held:
        chosen = name or free_name(
            held, f"{position.stem if position else rules.name}-{datetime.now(UTC).astimezone():%Y-%m-%d}"
        )
        session = begin(
            held,
            store_path(store),
            rules,
            game=chosen,
            seats=taken,
            answers=answers,
            options=options,
            dice=dice,
            position=from_file.facts if from_file else (),
            persons=persons,
            title=title or (from_file.title if from_file else ""),
        )

        seen = Eyes.of(session, seat)
        doubts = tuple(rules.doubts(session.moments[1], from_file.facts)) if from_file is not None else ()

        def shown() -> Iterator[RenderableType]:
            yield heading(f"{session.game} has begun", f"{rules.rulebook.book.title}; dice {dice}")
            yield from seen.asked()
            yield text(f"Go on with: lawspeaker play {session.game}", "dim")

        told: dict[str, Any] = {
            "game": session.game,
            "rules": rules.name,
            "seats": session.now.table.seats,
            "dice": dice,
            "warnings": doubts,
        }
        told["asks"] = seen.asks()
        give(told, shown, json=json)
        for doubt in () if json else doubts:
            warn(doubt)


def _pairs(given: Iterable[str] | None, option: str, like: str) -> Iterator[tuple[str, str]]:
    for pair in given or ():
        name, sign, value = pair.partition("=")
        if not sign or not name.strip() or not value.strip():
            raise Trouble(f"{option} is written as {like}, not {pair!r}.", kind="usage")
        yield name.strip(), value.strip()


Moves = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="MOVE",
        help="Lines as a scoresheet has them, each in quotes; none: from stdin, or ask me.",
    ),
]
Key = Annotated[
    str,
    typer.Option("--key", metavar="TEXT", help="A word for this one move: sent twice, it is played once."),
]
Actor = Annotated[str, typer.Option("--actor", metavar="NAME", help="Who is typing, for the record.")]


def play(
    game: terms.Game,
    moves: Moves = None,
    question: Annotated[
        str,
        typer.Option(
            "--question",
            metavar="NAME",
            help="Which question it answers, as `asks --json` names it; refused when stale.",
        ),
    ] = "",
    key: Key = "",
    actor: Actor = "",
    overlook: Annotated[
        bool,
        typer.Option(
            "--overlook",
            help="Play what the rules forbid but a table could do all the same, and say so in the log; not where the reason "
            "is hidden.",
        ),
    ] = False,
    seat: terms.AsSeat = "",
    store: terms.StorePath = None,
    json: terms.Json = False,
) -> None:
    """Play moves: given here, one a line on stdin, or typed at a prompt that shows what is asked.

    Without --as everybody types at one table, and everything is shown; with it a seat plays for itself and for the dice.
    """
    with session_at(game, store, actor=actor) as session:
        seen = Eyes.of(session, seat)
        fallen = fallen_now(session)
        if not moves and sys.stdin.isatty() and not json:
            from replay.cli.prompt import converse

            say(*seen.shown(fallen, asks=False))
            if missing := seed_is_missing(session, store):
                warn(missing)
            converse(seen)
            return
        if key and len(moves or ()) != 1:
            raise Trouble("A --key is for one move.", kind="usage")
        lines = [(0, move) for move in moves] if moves else list(_written(sys.stdin))
        _play(seen, lines, fallen, store=store, json=json, question=question, key=key, overlook=overlook)


def _written(stream: Iterable[str]) -> Iterator[tuple[int, str]]:
    """Yield the moves of a text with the numbers of their lines: no empty ones, no byte order mark, nothing behind `#`."""
    for number, raw in enumerate(stream, start=1):
        if line := raw.removeprefix("\ufeff").partition("#")[0].strip():
            yield number, line


def _play(
    seen: Eyes,
    lines: list[tuple[int, str]],
    fallen: Sequence[AnyEntry] = (),
    *,
    store: Path | None,
    json: bool,
    **more: Any,
) -> None:
    """Play lines until one is refused; those before it stay played, and that is said. A line of a text comes with its number."""
    session, talk = seen.session, Talk(seen)
    played: list[Played] = []
    fault: Trouble | None = None
    left = len(lines)
    for number, line in lines:
        left -= 1
        try:
            played.extend(talk.play(line, **more))
        except Exception as wrong:
            fault = trouble_of(wrong)
            if fault is None:
                raise
            fault.where |= {"move": line, **({"line": number} if number else {})}
            break
    told: dict[str, Any] = {
        "game": session.game,
        "as": seen.name,
        **seen.told((*fallen, *(each.entry for each in played))),
        "silent": [each.entry.id for each in played if each.silent],
    }
    if missing := seed_is_missing(session, store):
        told["no_seed"] = missing
    if fault is not None:
        told |= {"refused": fault.plain(), "left": left}

    def shown() -> Iterator[RenderableType]:
        yield from seen.shown(fallen, asks=False)
        yield from played_shown(seen, played)
        if fault is None:
            yield from seen.asked()

    give(told, shown, json=json)
    if missing and not json:
        warn(missing)
    if fault is not None:
        if not json:
            complain_of(session, fault, len(played))
        raise typer.Exit(fault.code)


def played_shown(seen: Eyes, played: Iterable[Played]) -> Iterator[RenderableType]:
    """Yield what lines caused, and of each silence that nobody typed that it was filled in."""
    for each in played:
        (entry,) = seen.entries((each.entry,))
        yield from entry_shown(seen.session.rules, entry, silent=each.silent)


def complain_of(session: Session, fault: Trouble, played: int) -> None:
    """Say on stderr why a move was not played, and that those before it were."""
    number = f"line {fault.where['line']}: " if "line" in fault.where else ""
    if isinstance(fault, Refusing):
        book, said = session.rules.rulebook, f"{number}{fault.said}"
        say(*refusals(fault.reasons, book, TABLE_LAW, said, fault.answers), file=sys.stderr)
    else:
        move = shortened(fault.where.get("move", ""))
        before = f"{number}{move}: " if move else number
        say(text(before, "bold").append(text(shortened(fault.text))), file=sys.stderr)
    if played:
        say(text("What was played before it stays played.", "dim"), file=sys.stderr)


def roll(
    game: terms.Game,
    faces: Annotated[
        list[str] | None,
        typer.Argument(metavar="FACE", help="The dice as they lie, in the order asked for."),
    ] = None,
    key: Key = "",
    actor: Actor = "",
    seat: terms.AsSeat = "",
    store: terms.StorePath = None,
    json: terms.Json = False,
) -> None:
    """Type the dice that are asked for, or the card drawn; without any, see what is to be rolled."""
    with session_at(game, store, actor=actor) as session:
        seen = Eyes.of(session, seat)
        if not chance_waits(session.now):
            whom = " and ".join(asked_of(session.now)) or "nobody"
            raise Trouble(
                f"No dice are asked for now; {whom} is asked.",
                code=DIVERGED,
                kind="no_dice_asked",
                asked=whom,
            )
        if faces:
            line = f"dice: {' '.join(faces)}"
            _play(seen, [(0, line)], store=store, json=json, key=key)
            return
        fallen = fallen_now(session)
        if missing := seed_is_missing(session, store):
            raise Trouble(missing, kind="no_seed")

        def shown() -> Iterator[RenderableType]:
            yield from seen.shown(fallen)

        told = {
            "game": session.game,
            "as": seen.name,
            **seen.told(fallen),
            "waits": chance_words(session.now),
        }
        give(told, shown, json=json)


def asks(
    game: terms.Game,
    seat: terms.AsSeat = "",
    board: Annotated[bool, typer.Option("--board", help="Show the board as well.")] = False,
    store: terms.StorePath = None,
    json: terms.Json = False,
) -> None:
    """Show what is asked now and of whom, with every lawful answer as the line that would give it."""
    with session_at(game, store, readonly=True) as session:
        seen = Eyes.of(session, seat)
        seats = None if seen.who is None or not seat else (seen.who,)

        def shown() -> Iterator[RenderableType]:
            yield title_of(session)
            if board:
                yield from moment_shown(seen.now, seen.who)
            yield from asks_shown(session, seats, seen.who, whole=True)

        told = {"game": session.game, "as": seen.name, "asks": asks_plain(session, seats, seen.who)}
        give(told, shown, json=json)
