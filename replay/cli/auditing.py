"""Checking that laws hold of many logs: `audit`."""

from collections.abc import Iterator
from typing import Annotated

import typer
from rich.console import RenderableType

from events.counting import plural
from replay.cli import terms
from replay.cli.ask import SeatOnly, Seconds, Skip, counted, reader_of, told
from replay.cli.show import give, heading, indented, plain, table, text, warn
from replay.cli.sources import Sources, sources_of
from replay.cli.trouble import DIVERGED, FINE

__all__ = ["add"]

SHOWN = 40
"""Breaches that are shown unless all are asked for."""


def add(app: typer.Typer) -> None:
    """Add the command of this module."""
    app.command(
        rich_help_panel="Judging",
        epilog=terms.example(
            "lawspeaker audit bridge",
            "lawspeaker audit bridge spring/ club.db",
            "lawspeaker audit --list",
            ends=terms.codes("nothing breaks a law", "something does"),
        ),
    )(audit)


def audit(
    sources: Sources = None,
    listed: Annotated[bool, typer.Option("--list", help="List the assertions, and audit nothing.")] = False,
    everything: Annotated[bool, typer.Option("--all", help="Show every breach.")] = False,
    seconds: Seconds = 600.0,
    seat: SeatOnly = "",
    skip_damaged: Skip = False,
    store: terms.StorePath = None,
    json: terms.Json = False,
) -> None:
    """Check that nothing comes from nowhere or goes nowhere: units, gold, chips, cards and dice, at every entry.

    Every assertion is put to the tables in SQL, and the books that a game keeps are compared with its states. The exit
    code is 1 when something breaks one. What is sealed is counted as far as openings lie beside the logs.
    """
    from replay.questions import asserting
    from replay.questions.queries import Limits, Reading

    if listed:
        _listed(json)
        return
    named = sources_of(sources, store)
    reading = Reading(as_seat=reader_of(seat), openings=not seat, skip_damaged=skip_damaged, copies=True)
    limits = Limits(rows=1_000_000, seconds=seconds)
    with counted("auditing") as progress:
        found = told(lambda: asserting.audit(named, limits, reading, progress))

    def shown() -> Iterator[RenderableType]:
        breaches = found.breaches if everything else found.breaches[:SHOWN]
        if breaches:
            yield table(
                ("game", "entry", "broken", "what", "expected", "found"),
                [
                    (each.game, str(each.entry), each.assertion, each.what, each.expected, each.found)
                    for each in breaches
                ],
                right=(1, 4, 5),
            )
        if len(breaches) < len(found.breaches):
            yield text(f"and {len(found.breaches) - len(breaches)} more; --all shows them", "dim")
        said = (
            "nothing breaks them" if not found.breaches else plural(len(found.breaches), "breach", "breaches")
        )
        yield heading(
            f"{plural(found.games, 'game')}, {plural(found.entries, 'entry')}",
            f"{plural(len(found.assertions), 'assertion')}: {said}",
        )

    code = DIVERGED if found.breaches else FINE
    give({"ok": not found.breaches, **plain(found)}, shown, json=json, code=code)
    if not json:
        for note in found.notes:
            warn(note)


def _listed(json: bool) -> None:
    from replay.questions.asserting import assertions

    held = assertions()

    def shown() -> Iterator[RenderableType]:
        for each in held:
            yield heading(each.name, each.law)
            if each.remarks:
                yield indented(text(each.remarks, "dim"), 4)

    give({"assertions": [plain(each) for each in held]}, shown, json=json)
