"""Checking logs: `verify`."""

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer
from msgspec import Struct
from rich.console import RenderableType

import core.games
from core.kit.table import TABLE_LAW
from core.seats import ARBITER
from events.chain import hash_of
from events.counting import plural
from events.jsonl import Log, read_log
from events.seals import for_seat
from events.store import Store, is_name
from events.stores import open_store
from events.table import Branch
from replay.cli import terms
from replay.cli.kept import store_at, store_path
from replay.cli.show import console, give, heading, indented, plain, section_text, text
from replay.cli.sources import Sources, source_of
from replay.cli.trouble import DIVERGED, FINE, UNREADABLE, Trouble, one_line, trouble_of
from replay.files import kept_seed
from replay.questions.places import GameIn
from replay.verifying.consents import HOW, Consent
from replay.verifying.report import Finding
from replay.verifying.verify import verify_log

__all__ = ["add"]

MOST_FOLLOWING = 6
"""Divergences in a row that may all follow from the same one, of which more are not listed."""


def add(app: typer.Typer) -> None:
    """Add the command of this module."""
    app.command(
        rich_help_panel="Judging",
        epilog=terms.example(
            "lawspeaker verify bridge",
            "lawspeaker verify bridge spring/ club.db --all",
            ends=terms.codes("nothing diverges", "something does"),
        ),
    )(verify)


class _Log(Struct, frozen=True):
    """One log to verify: where it lies, its name, how to get at what its files hold and its seed, and at a log beside it."""

    where: str
    name: str
    held: Callable[[], tuple[Log, str | None]]
    beside: Callable[[str], list[bytes]]
    """The lines of the log of another name that lies where this one does; empty where there is none."""

    def original(self, start: Branch) -> list[bytes] | None:
        """Return the lines of the game that a what-if left, if it lies beside; another game of that name is none."""
        lines = self.beside(start.game) if is_name(start.game) and start.entry > 0 else []
        same = len(lines) >= start.entry and hash_of(lines[start.entry - 1]) == start.hash
        return lines if same else None


def verify(
    sources: Sources = None,
    everything: Annotated[
        bool, typer.Option("--all", help="List every divergence of a game, not only the first.")
    ] = False,
    seat: terms.AsSeat = "",
    store: terms.StorePath = None,
    json: terms.Json = False,
) -> None:
    """Check logs: whole (nothing changed, cut or added), lawful (every entry decided again), fair (sealed dice)."""
    told: list[dict[str, Any]] = []
    worst = FINE
    with _logs(sources or [], store) as (logs, unread):
        for log in _with_progress(logs):
            each, code = _verified(log, everything, seat)
            told.append(each)
            worst = max(worst, code)
        told += unread
        worst = max(worst, UNREADABLE if unread else FINE)
    if not told:
        raise Trouble("There is no game to verify.", kind="nothing")

    def shown() -> Iterator[RenderableType]:
        for each in told:
            yield from _report_shown(each, everything=everything)
        if len(told) > 1:
            wrong = sum(not each.get("ok", False) for each in told)
            yield text(
                f"{len(told)} games: {len(told) - wrong} without a divergence, {wrong} with one.", "bold"
            )

    give({"ok": worst == FINE, "games": told}, shown, json=json, code=worst)


def _verified(log: _Log, everything: bool, seat: str) -> tuple[dict[str, Any], int]:
    try:
        held, seed = log.held()
        lines, openings = held.lines, held.openings
        if seat not in (
            "",
            ARBITER,
        ):  # what a seat can prove: with its own openings, and a seed once it is published
            openings, seed = for_seat(openings, seat), None
        report = verify_log(
            None, lines, openings, held.head, all=everything, seed=seed, junk=held.junk, original=log.original
        )
    except Exception as fault:  # one log that can't be read must not keep the others from being judged
        if trouble_of(fault) is None:
            raise
        return {"where": log.where, "name": log.name, "ok": False, "error": one_line(fault)}, UNREADABLE
    told = {"where": log.where, "name": log.name, **plain(report)}
    if held.torn is not None:
        told["torn"] = len(held.torn)
    if not report.folds_to:
        told["ok"] = False
        return told, UNREADABLE if not lines or report.whole.ok else DIVERGED
    return told, FINE if report.ok else DIVERGED


def _report_shown(told: dict[str, Any], *, everything: bool) -> Iterator[RenderableType]:
    yield heading(told["name"], told["where"])
    if "error" in told:
        yield indented(text(told["error"], "bold red"))
        return
    for question in ("whole", "lawful", "fair"):
        answer = told[question]
        style = {True: "green", False: "bold red", None: ""}[answer["ok"]]
        yield indented(text(f"{question:<7}", style).append(text(answer["said"])))
        if answer["found"] > 1 and len(answer["findings"]) == 1:
            yield indented(text(_more(answer["found"] - 1, answer["following"]), "dim"), 9)
        shown = list(_without_many(answer["findings"]))
        for finding, others in shown if len(answer["findings"]) > 1 else ():
            yield indented(text(_finding(finding)), 9)
            if others:
                yield indented(text(_left_out(others), "dim"), 9)
        held = [(ref, finding["answers"]) for finding, _ in shown for ref in finding["sections"]]
        for ref, answers in {(ref, answers.get(ref)): (ref, answers) for ref, answers in held}.values():
            yield from (indented(part, 9) for part in _rule_text(told["rules"], ref, answers))
    if told["consents"]:
        yield indented(text(f"consent {_consents(told['consents'])}"))
        for each in told["consents"] if everything else ():
            yield indented(text(msgspec.convert(each, Consent).words()), 9)
    if "torn" in told:
        yield indented(
            text(
                f"torn   the last line was never finished ({plural(told['torn'], 'byte')}); it is no part of the game"
            )
        )
    for unknown in told["unknown"]:
        yield indented(text(f"unknown {unknown}"))


def _more(others: int, following: int) -> str:
    """Return how many divergences there are beside the one that is shown."""
    may = "all of which may follow from it; " if following == others else ""
    may = may or (f"{following} of which may follow from earlier ones; " if following else "")
    return f"and {others} more, {may}--all lists them" if may else f"and {others} more; --all lists them"


def _without_many(
    findings: list[dict[str, Any]],
) -> Iterator[tuple[dict[str, Any], list[dict[str, Any]]]]:
    """Yield findings; of many in a row that may follow from the same one the first few, the last with those left out."""
    for after, run in groupby(findings, lambda finding: finding["after"]):
        told = list(run)
        if not after or len(told) <= MOST_FOLLOWING:
            yield from ((finding, []) for finding in told)
            continue
        yield from ((finding, []) for finding in told[: MOST_FOLLOWING - 2])
        yield told[MOST_FOLLOWING - 2], told[MOST_FOLLOWING - 1 :]


def _left_out(others: list[dict[str, Any]]) -> str:
    first, last = others[0]["entry"], others[-1]["entry"]
    return (
        f"and {len(others)} more that may follow from entry {others[0]['after']}, in entries {first} to {last}; --json lists "
        "them"
    )


def _consents(told: list[dict[str, Any]]) -> str:
    """Return how often a game went back, and on whose word (LS-3.4)."""
    counts = {how: sum(each["how"] == how for each in told) for how in HOW}
    said = "; ".join(f"{count} {HOW[how]}" for how, count in counts.items() if count)
    return f"the game went back {plural(len(told), 'time')}: {said}"


def _finding(finding: dict[str, Any]) -> str:
    return msgspec.convert(finding, Finding).words()


def _rule_text(game: str, ref: str, answers: dict[str, str]) -> list[RenderableType]:
    """Return the text of a section; of a point, the answer that was in force at the entry."""
    try:
        return section_text(ref, core.games.load(game).rulebook, TABLE_LAW, answers=answers)
    except core.games.NoSuchRules:
        return section_text(ref, TABLE_LAW)


@contextmanager
def _logs(sources: list[str], store: Path | None) -> Iterator[tuple[list[_Log], list[dict[str, Any]]]]:
    """Yield the logs that sources name, and what could not be read; stores stay open meanwhile."""
    opened: list[Store] = []
    found: list[_Log] = []
    unread: list[dict[str, Any]] = []

    def stored(path: Path, names: Iterable[str] | None = None) -> None:
        held = open_store(path, readonly=True)
        opened.append(held)
        found.extend(_stored(held, path, name) for name in (held.games() if names is None else names))

    try:
        for source in sources or [""]:
            try:
                if not source:
                    with store_at(store, readonly=True):
                        pass  # says what is wrong when there is none
                    stored(store_path(store))
                    continue
                path = source_of(source, store)
                if isinstance(path, GameIn):
                    stored(path.store, [path.game])
                elif path.is_dir():
                    for inside in sorted(path.rglob("*")):
                        if inside.suffix == ".jsonl" and not inside.name.startswith("."):
                            found.append(_filed(inside))
                        elif inside.suffix in (".db", ".sqlite", ".sqlite3"):
                            stored(inside)
                elif path.suffix == ".jsonl":
                    found.append(_filed(path))
                else:
                    stored(path)
            except Exception as fault:
                if trouble_of(fault) is None or len(sources) < 2:
                    raise
                unread.append({"where": source, "name": source, "ok": False, "error": one_line(fault)})
        yield found, unread
    finally:
        for held in opened:
            held.close()


def _filed(path: Path) -> _Log:
    def held() -> tuple[Log, str | None]:
        return read_log(path), None

    def beside(name: str) -> list[bytes]:
        other = path.with_name(f"{name}.jsonl")
        return read_log(other).lines if other.is_file() else []

    return _Log(str(path), path.stem, held, beside)


def _stored(store: Store, path: Path, name: str) -> _Log:
    def held() -> tuple[Log, str | None]:
        kept = list(store.read(name))
        openings = tuple(opening for each in kept for opening in each.openings)
        log = Log([each.line for each in kept], openings, store.head(name))
        if path.is_dir():
            filed = read_log(path / f"{name}.jsonl")
            log = msgspec.structs.replace(log, torn=filed.torn, junk=filed.junk)
        return log, kept_seed(path, name)

    def beside(other: str) -> list[bytes]:
        return [each.line for each in store.read(other)] if other in store.games() else []

    return _Log(str(path), name, held, beside)


def _with_progress(logs: list[_Log]) -> Iterator[_Log]:
    """Yield logs, with a bar on stderr while there are many and somebody is looking."""
    if len(logs) < 20 or not sys.stderr.isatty():
        yield from logs
        return
    from rich.progress import track

    yield from track(logs, description="verifying", console=console(sys.stderr), transient=True)
