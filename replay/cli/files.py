"""Files that people write and hand on: `position`, `sheet`, `import`, `export`."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import RenderableType

import core.games
from core.deciding import Decision, decide, opening
from core.kit.table import TABLE_LAW
from core.seats import ARBITER
from events.chain import Head, check_chain, hash_of
from events.codec import opened_game
from events.counting import plural
from events.jsonl import read_log, write_log
from events.jsonl.log import linked
from events.seals import Opening
from events.store import Store
from replay.cli import completing, terms
from replay.cli.eyes import NOBODY, eyes
from replay.cli.kept import but_head, session_at, store_at, store_path
from replay.cli.show import give, heading, refusals, text, warn
from replay.cli.told import moment_shown
from replay.cli.trouble import DIVERGED, FINE, Trouble, one_line, trouble_of
from replay.files import name_for_new
from replay.sheets.position import check_position, load_position
from replay.sheets.scoresheet import template, write_sheet
from replay.verifying.verify import misfits
from replay.words.wording import asked_of

__all__ = ["add"]


def add(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.command(
        rich_help_panel="Files",
        epilog=terms.example(
            "lawspeaker position bridge.toml",
            "lawspeaker position --check bridge.toml",
            ends=terms.codes("a game can open from it", "the rules do not allow it"),
        ),
    )(position)
    app.command(
        rich_help_panel="Files",
        epilog=terms.example(
            "lawspeaker sheet --template dragonlords > evening.score", "lawspeaker sheet bridge"
        ),
    )(sheet)
    app.command(
        "import",
        rich_help_panel="Files",
        epilog=terms.example(
            "lawspeaker import bridge.jsonl --name bridge-of-friday",
            ends=terms.codes("they are kept", "one is not whole, or its name is taken"),
        ),
    )(import_)
    app.command(
        rich_help_panel="Files",
        epilog=terms.example(
            "lawspeaker export bridge --out bridge.jsonl", "lawspeaker export bridge --as orc"
        ),
    )(export)


def position(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="A position: a TOML file that says who stands where.")
    ],
    check: Annotated[bool, typer.Option("--check", help="Only say whether a game can open from it.")] = False,
    json: terms.Json = False,
) -> None:
    """Read a position, say what is wrong with it by the rules, and show the board that it sets up."""
    held = load_position(file)
    reasons = check_position(held)
    decided = None if reasons else decide(opening(held.rules), ARBITER, held.command())
    now = decided.after if isinstance(decided, Decision) else None

    def shown() -> Iterator[RenderableType]:
        if reasons:
            yield from refusals(reasons, held.rules.rulebook, TABLE_LAW, str(file), held.answers)
            return
        stands = f"{plural(len(held.facts), 'thing')} set up"
        yield heading(f"{file}: a game of {held.game} can open from it", f"{', '.join(held.seats)}; {stands}")
        if now is not None and not check:
            yield from moment_shown(now, ARBITER)
            yield text(f"Asked first: {' and '.join(asked_of(now)) or 'nobody'}.", "dim")

    told: dict[str, Any] = {
        "file": str(file), "game": held.game, "seats": held.seats, "title": held.title, "sound": not reasons,
        "reasons": reasons, "facts": held.facts, "answers": held.answers, "options": held.options,
    }  # fmt: skip
    doubts = tuple(held.rules.doubts(now, held.facts)) if now is not None else ()
    if now is not None:
        told |= {"state": now.state, "asked": asked_of(now), "warnings": doubts}
    give(told, shown, json=json, code=DIVERGED if reasons else FINE)
    for doubt in () if json else doubts:
        warn(doubt)


def sheet(
    game: Annotated[
        str,
        typer.Argument(
            metavar="GAME",
            help="A logged game (or its .jsonl file) to write as a scoresheet.",
            autocompletion=completing.games,
        ),
    ] = "",
    of: Annotated[
        str,
        typer.Option(
            "--template",
            metavar="RULES",
            help="An empty scoresheet for these rules, with remarks, to begin from.",
            autocompletion=completing.rule_sets,
        ),
    ] = "",
    seat: terms.AsSeat = "",
    store: terms.StorePath = None,
    json: terms.Json = False,
) -> None:
    """Write a scoresheet: an empty one to fill in, or that of a game in the store."""
    if bool(game) == bool(of):
        raise Trouble("Name a game to write down, or rules with --template.", kind="usage")
    if of:
        written = template(of)
    else:
        with session_at(game, store, readonly=True) as session:
            entries = session.history.entries_for(eyes(session, seat))
            written = write_sheet(session.rules, list(entries))
    if json:
        give({"game": game or of, "sheet": written}, list, json=True)
    else:
        sys.stdout.write(written)  # as it is, for a file: no wrapping, no colours


def import_(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE", help="Games as NAME.jsonl, with NAME.openings and NAME.head beside them."
        ),
    ],
    name: Annotated[
        str, typer.Option("--name", metavar="GAME", help="Keep it under this name, in place of the file's.")
    ] = "",
    store: terms.StorePath = None,
    json: terms.Json = False,
) -> None:
    """Bring games from files into your store, line by line as they are; one that is not whole is refused."""
    if name and len(files) != 1:
        raise Trouble("A --name is for one file.", kind="usage")
    done: list[dict[str, Any]] = []
    with store_at(store, readonly=False) as held:
        for path in files:
            try:
                done.append(_brought(held, path, name or path.stem))
            except Exception as fault:
                told = trouble_of(fault)
                if told is None:
                    raise
                done.append({"file": str(path), "code": told.code, **told.plain(), "text": one_line(told)})

    def shown() -> Iterator[RenderableType]:
        for each in done:
            if "error" in each:
                continue
            yield text(f"{each['file']}: {plural(each['entries'], 'entry')}, kept as {each['game']}")
            for note in each["notes"]:
                yield text(f"  {note}", "dim")

    if not json:
        for each in done:
            if "error" in each:
                warn(each["text"])
    code = max((each.get("code", FINE) for each in done), default=FINE)
    give({"store": str(store_path(store)), "imported": done}, shown, json=json, code=code)


def _brought(store: Store, path: Path, name: str) -> dict[str, Any]:
    """Copy a game's lines and openings into the store; raise when it is not whole or its name is taken."""
    name_for_new(name)
    log = read_log(path)
    if not log.lines:
        raise Trouble(f"{path}: it holds no whole line{but_head(log.head)}.", file=str(path))
    codec = core.games.load(opened_game(log.lines[0])[0]).codec
    codec.decode(log.lines[0])
    notes = []
    if log.torn is not None:
        notes.append(f"the last line is torn ({plural(len(log.torn), 'byte')}) and left out")
    if log.strays:
        raise Trouble(f"{path}, {log.strays}.", code=DIVERGED, kind="not_whole", entry=len(log.lines) + 1)
    if log.head is None:
        notes.append("no .head beside it, so nobody can say whether its tail was cut")
    for broken in check_chain(log.lines, log.head):
        raise Trouble(
            f"{path}: entry {broken.entry} is {broken.kind}: expected {broken.expected}, found {broken.found}.",
            code=DIVERGED,
            kind="not_whole",
            entry=broken.entry,
        )
    for misfit in misfits(codec, log.lines, log.openings):
        raise Trouble(
            f"{path.with_suffix('.openings')}: entry {misfit.entry}: expected {misfit.expected}, found {misfit.recorded}.",
            code=DIVERGED,
            kind="not_whole",
            entry=misfit.entry,
        )
    if store.head(name) != Head():
        raise Trouble(
            f"{path}: there is a game {name!r} already; choose another --name.",
            code=DIVERGED,
            kind="game_exists",
        )
    told: dict[int, list[Opening]] = {}
    for opening_ in log.openings:
        told.setdefault(opening_.entry, []).append(opening_)
    head = Head()
    for at, line in enumerate(log.lines, 1):
        link = linked(line)
        store.append(name, line, expected=head, key=link.key if link else "", openings=told.get(at, ()))
        head = Head(at, hash_of(line))
    return {"file": str(path), "game": name, "entries": len(log.lines), "head": head.hash, "notes": notes}


def export(
    game: terms.GameOrFile,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Where to; GAME.jsonl here unless said.")
    ] = None,
    seat: Annotated[
        str,
        typer.Option(
            "--as",
            metavar="SEAT",
            help="Only the openings that this seat may have; `spectator`: none. Without it: all secrets.",
            autocompletion=completing.guests,
        ),
    ] = "",
    force: Annotated[bool, typer.Option("--force", help="Write over a file that stands there.")] = False,
    store: terms.StorePath = None,
    json: terms.Json = False,
) -> None:
    """Write a game as files to hand on: NAME.jsonl, NAME.openings and NAME.head, which `verify` reads anywhere."""
    with session_at(game, store, readonly=True) as session:
        who = eyes(session, seat)
        path = out if out is not None else Path(f"{session.game}.jsonl")
        stored = list(session.lines_as(who))
        write_log(
            path,
            [line for line, _ in stored],
            [opening_ for _, openings in stored for opening_ in openings],
            head=session.head,
            overwrite=force,
        )
        secrets = sum(len(openings) for _, openings in stored)
        written = [path, path.with_suffix(".head"), *([path.with_suffix(".openings")] if secrets else [])]

        def shown() -> Iterator[RenderableType]:
            yield text(
                f"{plural(len(stored), 'entry')} and {plural(secrets, 'opening')} written to {', '.join(map(str, written))}"
            )
            if secrets and not seat:
                yield text(
                    "The openings hold every secret of the game; --as SEAT writes only that seat's.", "dim"
                )

        told = {"game": session.game, "entries": len(stored), "openings": secrets, "head": session.head}
        give({**told, "as": who or NOBODY[0], "files": list(map(str, written))}, shown, json=json)
