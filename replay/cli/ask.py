"""Questions to the log: `query` and `sql`."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer
from rich.console import RenderableType

from core import games
from events.counting import plural
from replay.cli import completing, terms
from replay.cli.eyes import NOBODY
from replay.cli.show import blocks, clean, console, fits, give, heading, indented, plain, table, text, warn
from replay.cli.sources import Sources, source_of, sources_of
from replay.cli.trouble import Trouble
from replay.questions.places import GameIn

__all__ = ["SeatOnly", "Seconds", "Skip", "add", "counted", "reader_of", "told"]

Answered = TypeVar("Answered")
MOST_NOTES = 6
"""Remarks about the reading, of which more are not listed."""


def add(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.command(
        rich_help_panel="Questions",
        epilog=terms.example(
            "lawspeaker query",
            "lawspeaker query faces_per_die",
            "lawspeaker query battles bridge",
            "lawspeaker query battles --param seat=orc bridge spring/ club.db",
            "lawspeaker query turning_point bridge",
            "lawspeaker query scroll_use --as orc bridge.jsonl",
            "lawspeaker query wins_by_person spring/ --corpus spring.corpus",
            "lawspeaker query --parquet tables bridge spring/",
        ),
    )(query)
    app.command(
        rich_help_panel="Questions",
        epilog=terms.example(
            'lawspeaker sql "SELECT owner, count(*) AS dice FROM rolls GROUP BY ALL" bridge',
            'lawspeaker sql "SELECT game, count(*) AS entries FROM entries GROUP BY ALL" bridge spring/',
            "lawspeaker sql --tables",
        ),
    )(sql)


Rows = Annotated[
    int, typer.Option("--rows", metavar="N", min=1, max=10_000_000, help="At most so many rows.")
]
Seconds = Annotated[
    float, typer.Option("--seconds", metavar="S", min=0.1, max=86_400, help="At most so long for one answer.")
]
Csv = Annotated[bool, typer.Option("--csv", help="Print CSV.")]
Secrets = Annotated[
    bool, typer.Option("--openings", help="Count what is sealed too, as far as openings lie beside the logs.")
]
SeatOnly = Annotated[
    str,
    typer.Option(
        "--as", metavar="SEAT", help="With what this seat may see.", autocompletion=completing.anybody
    ),
]
CorpusFile = Annotated[
    Path | None,
    typer.Option(
        "--corpus",
        metavar="FILE",
        help="Keep the tables in this file: only games that are new or have grown are read; all that it holds are asked.",
    ),
]
Copies = Annotated[
    bool, typer.Option("--copies", help="Count what a what-if copied from the game that it left, too.")
]
Skip = Annotated[bool, typer.Option("--skip-damaged", help="Leave out logs that can't be read, and say so.")]


def query(
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME",
            help="The question; without it, the list of them.",
            autocompletion=completing.queries,
        ),
    ] = "",
    sources: Sources = None,
    param: Annotated[
        list[str] | None,
        typer.Option(
            "--param",
            metavar="NAME=VALUE",
            help="A value for the question; may be repeated.",
            autocompletion=completing.params,
        ),
    ] = None,
    rows: Rows = 1_000,
    seconds: Seconds = 30.0,
    csv: Csv = False,
    openings: Secrets = False,
    seat: SeatOnly = "",
    skip_damaged: Skip = False,
    corpus: CorpusFile = None,
    copies: Copies = False,
    parquet: Annotated[
        Path | None,
        typer.Option(
            "--parquet",
            metavar="FOLDER",
            help="Ask nothing; write every table of the SOURCEs as FOLDER/TABLE.parquet.",
        ),
    ] = None,
    store: terms.StorePath = None,
    json: terms.Json = False,
) -> None:
    """Put a named question to one game or many: dice, battles, turning points, scrolls, rulings, who wins.

    Without a name the questions are listed, with how each is counted, its parameters and an example. With --parquet nothing is asked: every table of the logs is written as a Parquet file, for other programs.
    """
    from replay.questions import queries

    if parquet is not None:
        # What would be the question's name is a source then.
        named = [name, *(sources or [])] if name else sources
        reading = _bounds(rows, seconds, openings, seat, skip_damaged, corpus, copies)[1]
        _written(lambda: queries.export_parquet(sources_of(named, store), parquet, reading), json)
        return
    if not name:
        _listed(json)
        return
    _is_question(name, store)
    params = dict(_param(pair) for pair in param or ())
    limits, reading = _bounds(rows, seconds, openings, seat, skip_damaged, corpus, copies)
    asked = _asked(sources, store, corpus)
    with counted("reading") as progress:
        answer = told(lambda: queries.ask(asked, name, params, limits, reading, progress))
    _answered(answer, csv=csv, json=json)


def sql(
    select: Annotated[
        str,
        typer.Argument(
            metavar="SELECT",
            help="One SELECT over the tables games, seats, entries, facts, rolls, battles ...",
        ),
    ] = "",
    sources: Sources = None,
    tables: Annotated[bool, typer.Option("--tables", help="List the tables and their columns.")] = False,
    rows: Rows = 1_000,
    seconds: Seconds = 30.0,
    csv: Csv = False,
    openings: Secrets = False,
    seat: SeatOnly = "",
    skip_damaged: Skip = False,
    corpus: CorpusFile = None,
    copies: Copies = False,
    store: terms.StorePath = None,
    json: terms.Json = False,
) -> None:
    """Ask in SQL: read-only and bounded; nothing but the logs can be reached."""
    from replay.questions import queries

    if tables:
        _tables(json)
        return
    if not select.strip():
        raise Trouble("Write a SELECT, or see the tables with --tables.", kind="usage")
    limits, reading = _bounds(rows, seconds, openings, seat, skip_damaged, corpus, copies)
    asked = _asked(sources, store, corpus)
    with counted("reading") as progress:
        answer = told(lambda: queries.sql(asked, select, limits, reading, progress))
    _answered(answer, csv=csv, json=json)


def _bounds(
    rows: int,
    seconds: float,
    openings: bool,
    seat: str,
    skip_damaged: bool,
    corpus: Path | None,
    copies: bool,
) -> tuple[Any, Any]:
    from replay.questions.queries import Limits, Reading

    return Limits(rows=rows, seconds=seconds), Reading(
        reader_of(seat), openings, skip_damaged, copies, "" if corpus is None else str(corpus)
    )


def reader_of(seat: str) -> str:
    """Return the seat whose openings may be used, nobody's for who sits nowhere; raise `Trouble` for what is no seat."""
    if not seat or seat in NOBODY:
        return ""
    known = tuple(dict.fromkeys(name for rules in map(games.load, games.found()) for name in rules.seats))
    if seat not in known:
        raise Trouble(
            f"There is no seat {seat!r} in any game; --as takes {', '.join((*known, NOBODY[0]))}.",
            kind="no_such_seat",
            seat=seat,
        )
    return seat


def _asked(named: list[str] | None, store: Path | None, corpus: Path | None) -> list[Path | GameIn]:
    """Return the sources; a corpus that is there may be asked without any."""
    return [] if not named and corpus is not None and corpus.exists() else sources_of(named, store)


@contextmanager
def counted(doing: str) -> Iterator[Callable[[int], None] | None]:
    """Yield what counts games on stderr while somebody is looking."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.progress import Progress, SpinnerColumn, TextColumn

    columns = (SpinnerColumn(), TextColumn(doing), TextColumn("{task.completed} games"))
    with Progress(*columns, transient=True, console=console(sys.stderr)) as bar:
        task = bar.add_task(doing, total=None)
        yield lambda done: bar.update(task, completed=done)


def _is_question(name: str, store: Path | None) -> None:
    """Raise `Trouble` where the name of a question is none; of a game, file or folder it says how a question is put to it."""
    from replay.questions.named import question

    try:
        told(lambda: question(name))
    except Trouble as fault:
        try:
            source_of(name, store)
        except Trouble:
            raise fault from None
        raise Trouble(
            f"{name} is no question but what one is put to, as in `lawspeaker query battles {name}`; `lawspeaker query` "
            "lists the questions.",
            kind="bad_question",
        ) from None


def _param(pair: str) -> tuple[str, str]:
    name, sign, value = pair.partition("=")
    if not sign or not name.strip():
        raise Trouble(f"--param is written as name=value, not {pair!r}.", kind="usage")
    return name.strip(), value.strip()


def _written(export: Callable[[], list[Path]], json: bool) -> None:
    """Write tables as Parquet, and say which files there are now."""
    files = told(export)
    give({"files": list(map(str, files))}, lambda: [text(f"{path} is written.") for path in files], json=json)


def told(asked: Callable[[], Answered]) -> Answered:
    """Return what a question gives; raise `Trouble` in a sentence when it can't be answered."""
    from replay.questions.queries import BadQuestion, Damaged

    try:
        return asked()
    except (BadQuestion, Damaged) as fault:
        said = str(fault).replace("allow more time", "allow more time with --seconds N")
        kind = "bad_question" if isinstance(fault, BadQuestion) else "unreadable"
        raise Trouble(
            f"{said[:1].upper()}{said[1:].rstrip('.')}."
            if kind == "bad_question"
            else f"{said.rstrip('.')}.",
            kind=kind,
        ) from fault


def _answered(answer: Any, *, csv: bool, json: bool) -> None:
    if csv and not json:
        written = answer.to_csv()
        # To a file or program the cells go as they are; a screen is shown none that commands it.
        sys.stdout.write(clean(written.replace("\r\n", "\n")) if sys.stdout.isatty() else written)
    else:
        give(lambda: _object(answer), lambda: _rows(answer), json=json)
    if not json:
        few = answer.notes if len(answer.notes) <= MOST_NOTES else answer.notes[: MOST_NOTES - 1]
        for note in few:
            warn(note)
        if len(few) < len(answer.notes):
            warn(f"and {len(answer.notes) - len(few)} more of this kind; --json lists them")
        if answer.cut:
            warn("There are more rows; --rows N shows more of them.")


def _object(answer: Any) -> dict[str, Any]:
    return {
        "question": answer.title, "columns": answer.columns, "rows": list(answer.dicts()),
        "cut": answer.cut, "notes": answer.notes,
    }  # fmt: skip


def _rows(answer: Any) -> Iterator[RenderableType]:
    from replay.questions.answers import shown

    if answer.title:
        yield heading(answer.title)
    rows = [[shown(value) for value in row] for row in answer.rows]
    if not fits(answer.columns, rows):
        yield from blocks(answer.columns, rows)
        yield text(plural(len(rows), "row"), "dim")
        return
    numbers = [
        place
        for place, kind in enumerate(answer.types)
        if kind.startswith(("U", "DECIMAL", "DOUBLE", "FLOAT")) or kind.endswith("INT") or kind == "INTEGER"
    ]
    yield table(answer.columns, rows, right=numbers)
    yield text(plural(len(rows), "row"), "dim")


def _listed(json: bool) -> None:
    from replay.questions.queries import questions

    held = questions()

    def shown() -> Iterator[RenderableType]:
        for each in held:
            yield heading(each.name, each.question)
            if each.remarks:
                yield indented(text(each.remarks, "dim"), 4)
            for parameter in each.parameters:
                usual = f"--param {parameter.name}={parameter.shown}"
                others = f" (or {', '.join(parameter.choices[1:])})" if parameter.choices else ""
                yield indented(text(f"{usual:<24}  {parameter.meaning}{others}"), 4)
            for line in each.examples:
                yield indented(text(f"$ {line}"), 4)
        yield text("Beside --param stands what is taken without it; - is any.", "dim")

    told = [
        {
            "name": each.name,
            "question": each.question,
            "remarks": each.remarks,
            "parameters": [{**plain(value), "shown": value.shown} for value in each.parameters],
            "examples": each.examples,
            "game": each.game,
        }
        for each in held
    ]
    give({"questions": told}, shown, json=json)


def _tables(json: bool) -> None:
    from replay.questions.tables import TABLES

    def shown() -> Iterator[RenderableType]:
        for name, columns in TABLES.items():
            yield table((name, "type", "what it holds"), columns)

    told = {name: [column._asdict() for column in columns] for name, columns in TABLES.items()}
    give({"tables": told}, shown, json=json)
