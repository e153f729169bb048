"""Judging what a table wrote down: `adjudicate`."""

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import RenderableType

from core.kit.table import TABLE_LAW
from core.rulebook import Rulebook
from core.seats import ARBITER
from events.chain import Head, hash_of
from events.counting import plural
from events.seals import Opening
from replay.cli import terms
from replay.cli.kept import store_at, store_path
from replay.cli.show import give, heading, indented, plain, section_text, text
from replay.cli.told import moment_shown
from replay.cli.trouble import DIVERGED, FINE, Trouble
from replay.files import name_for_new
from replay.session import fresh_salt, utc_now
from replay.sheets.adjudicate import judge
from replay.sheets.header import bounded
from replay.sheets.scoresheet import load_sheet, parse_sheet
from replay.sheets.verdicts import LAWFUL, MISCOUNTED, UNKNOWABLE, UNLAWFUL, Judgement, Report, Verdict

__all__ = ["add", "report_shown"]

_STYLES = {LAWFUL: "green", UNLAWFUL: "bold red", MISCOUNTED: "bold magenta", UNKNOWABLE: "bold"}


def add(app: typer.Typer) -> None:
    """Add the command of this module."""
    app.command(
        rich_help_panel="Judging",
        epilog=terms.example(
            "lawspeaker adjudicate evening.score",
            "lawspeaker adjudicate evening.score --keep evening",
            ends=terms.codes("nothing is wrong in it", "a line is unlawful or miscounted"),
        ),
    )(adjudicate)


def adjudicate(
    sheet: Annotated[str, typer.Argument(metavar="SHEET", help="A scoresheet; - reads it from stdin.")],
    board: Annotated[
        bool, typer.Option("--board", help="Show the board after the last line as well.")
    ] = False,
    keep: Annotated[
        str,
        typer.Option("--keep", metavar="GAME", help="Keep the game as judged in your store under this name."),
    ] = "",
    store: terms.StorePath = None,
    json: terms.Json = False,
) -> None:
    """Judge a scoresheet line by line: lawful, unlawful, miscounted or unknowable, and which section says so.

    One slip does not hide the next: where a line can be read in several ways, the reading is taken that finds the least
    wrong in the whole sheet. The README says how dice that are missing and claims that differ are read.
    """
    if keep:
        name_for_new(keep)
    read = parse_sheet(_stdin()) if sheet == "-" else load_sheet(Path(sheet))
    read = replace(read, called=keep)
    judged = judge(read)
    report = judged.report
    if keep:
        _keep(judged, keep, store)

    def shown() -> Iterator[RenderableType]:
        yield from report_shown(report, read.rules.rulebook)
        if board:
            yield from moment_shown(judged.after, ARBITER)
        if keep:
            yield text(f"Kept as {keep}; lawspeaker replay {keep} steps through it.", "dim")

    told: dict[str, Any] = plain(report)
    if board:
        told["state"] = plain(judged.after.state)
    if keep:
        told["kept"] = keep
    give(told, shown, json=json, code=FINE if report.ok else DIVERGED)


def _stdin() -> str:
    try:
        return bounded(sys.stdin.buffer, "stdin").decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        raise Trouble(f"stdin: byte {fault.start + 1} is no UTF-8; save the sheet as UTF-8.") from fault


def report_shown(report: Report, book: Rulebook) -> Iterator[RenderableType]:
    """Yield the verdicts on a sheet as people read them, the rules' own text under the first line that breaks them.

    Of a point that is the answer in force at the line; it is told again where a ruling has changed it since.
    """
    yield heading(report.title or report.sheet or report.game, book.book.title)
    width = max((len(verdict.text) for verdict in report.verdicts), default=0)
    told: set[tuple[str, str]] = set()
    for verdict in report.verdicts:
        yield from _verdict(verdict, min(width, 60))
        for ref in verdict.sections:
            held = (ref, verdict.answers.get(ref, ""))
            if held not in told:
                told.add(held)
                said = section_text(ref, book, TABLE_LAW, answers=verdict.answers)
                yield from (indented(part, 8) for part in said)
    yield text(_summary(report), "bold")


def _verdict(verdict: Verdict, width: int) -> Iterator[RenderableType]:
    for silence in verdict.silences:
        yield text(f"{'':>4}  ({silence}, not written)", "dim")
    line = text(f"{verdict.line:>4}  {verdict.text:<{width}}  ")
    line.append(text(verdict.verdict, _STYLES.get(verdict.verdict, "")))
    if verdict.sections:
        line.append("  ").append(text(f"[{', '.join(verdict.sections)}]", "cyan"))
    yield line
    if verdict.verdict == LAWFUL:
        if verdict.message:
            yield indented(text(verdict.message, "dim"), 8)
        return
    if verdict.message:
        yield indented(text(verdict.message), 8)
    if verdict.expected:
        yield indented(text(f"expected {verdict.expected}; recorded {verdict.recorded}"), 8)
    if verdict.alternatives:
        yield indented(text(f"lawful would be: {' | '.join(verdict.alternatives)}"), 8)
    if not verdict.told and verdict.verdict == UNLAWFUL:
        yield indented(text("The line was left out; the game goes on without it.", "dim"), 8)


def _summary(report: Report) -> str:
    counts = {kind: len(report.found(kind)) for kind in (LAWFUL, UNLAWFUL, MISCOUNTED, UNKNOWABLE)}
    lines = len(report.verdicts)
    if not lines:
        return "There is nothing to judge: the sheet has a header, and no line after it."
    if counts[LAWFUL] == lines == 1:
        return "The one line is lawful."
    if counts[LAWFUL] == lines:
        return f"All {lines} lines are lawful, and every claim is right."
    return (
        f"{plural(lines, 'line')}: {', '.join(f'{count} {kind}' for kind, count in counts.items() if count)}."
    )


def _keep(judged: Judgement, name: str, store: Path | None) -> None:
    """Append the judged game to the store, entry by entry."""
    log = judged.log(utc_now(), fresh_salt)
    told: dict[int, list[Opening]] = {}
    for opening in log.openings:
        told.setdefault(opening.entry, []).append(opening)
    with store_at(store, readonly=False) as held:
        if held.head(name) != Head():
            raise Trouble(
                f"{store_path(store)} holds a game {name!r} already; keep this one under another name.",
                code=DIVERGED,
                kind="game_exists",
            )
        head = Head()
        for at, line in enumerate(log.lines, 1):
            held.append(name, line, expected=head, openings=told.get(at, ()))
            head = Head(at, hash_of(line))
