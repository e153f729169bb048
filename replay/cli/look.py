"""Looking at a game: `show`, `log`, `diff`, `replay`."""

from collections.abc import Iterator
from typing import Annotated, Any

import typer
from rich.console import RenderableType

from core.consent import in_short
from core.rules import Rules
from core.seats import ARBITER
from core.telling import Moment
from events.table import HeadMoved
from replay.cli import completing, terms
from replay.cli.eyes import Eyes, eyes
from replay.cli.kept import known_entry, moment_at, session_at
from replay.cli.show import give, heading, plain, say, table, text
from replay.cli.told import (
    TAKEN_BACK,
    entry_plain,
    entry_shown,
    moment_shown,
    title_of,
)
from replay.history import AnyEntry, is_tables
from replay.knowing import Knowledge, knowledge
from replay.picture_text import worded
from replay.words.wording import asked_of, command_words, fact_words

__all__ = ["add"]

MOST_LISTED = 8
"""Names in two lists that `diff` writes out whole; of more only those that stand in one of them."""


def add(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.command(
        rich_help_panel="Looking",
        epilog=terms.example("lawspeaker show bridge", "lawspeaker show bridge --at 4 --as orc"),
    )(show)
    app.command(
        rich_help_panel="Looking",
        epilog=terms.example("lawspeaker log bridge", "lawspeaker log bridge.jsonl --since 10"),
    )(log)
    app.command(rich_help_panel="Looking", epilog=terms.example("lawspeaker diff bridge 2 5"))(diff)
    app.command(
        rich_help_panel="Looking",
        epilog=terms.example("lawspeaker replay bridge", "lawspeaker replay bridge.jsonl --to 8 --plain"),
    )(replay)


def show(
    game: terms.GameOrFile,
    at: terms.At = None,
    seat: terms.AsSeat = "",
    store: terms.StorePath = None,
    json: terms.Json = False,
) -> None:
    """Show the board at any moment, the entry that led to it with the sections that say so, and what is asked.

    With --as also what that seat knew then: for itself, what it had learned and by which entry, and what was hidden from it.
    """
    with session_at(game, store, readonly=True) as session:
        seen = Eyes.of(session, seat)
        now = seen.at(at)
        last = len(session.moments) - 1 if at is None else at
        entry = session.history.entry_for(seen.who, last) if last else None
        here = last == session.head.id
        known = None if seen.who == ARBITER else knowledge(session.history, seen.who, last)

        def shown() -> Iterator[RenderableType]:
            yield title_of(session, last)
            if entry is not None:
                yield from entry_shown(session.rules, entry)
            yield from moment_shown(now, seen.who)
            if known is not None:
                yield from _known_shown(session.rules, seen.name, known)
            if here:
                yield from seen.asked()
            if seen.stopped:
                yield text(f"The log is understood only so far: {seen.stopped}", "bold red")

        told: dict[str, Any] = {
            "game": session.game,
            "at": last,
            "head": session.head.id,
            "as": seen.name,
            "entry": None if entry is None else entry_plain(session.rules, entry),
            "state": plain(now.state),
            "table": plain(now.table),
            "asked": asked_of(now),
            "asks": seen.asks() if here else [],
            "known": None if known is None else _known_plain(session.rules, known),
            "stopped": seen.stopped or None,
        }
        give(told, shown, json=json)


def _known_shown(rules: Rules[Any], name: str, known: Knowledge) -> Iterator[RenderableType]:
    """Yield what a seat knew: for itself, what it learned and by which entry, and what it knows to be hidden from it."""
    if known.own:
        rows = [(each.what, worded(each.holds), each.entry) for each in known.own]
        yield table(("", "", "since entry"), rows, title=f"What {name} knows and not everybody", right=(2,))
    if known.learned:
        lines = [
            (each.entry, fact_words(rules, each.fact), TAKEN_BACK if each.taken_back else "")
            for each in known.learned
        ]
        yield table(("entry", "", ""), lines, title=f"What {name} learned", right=(0,))
    if known.hidden:
        hidden = [
            (" and ".join(each.to), each.count, ", ".join(map(str, each.entries))) for each in known.hidden
        ]
        yield table(
            ("concerns", "things", "in entry"), hidden, title=f"What is hidden from {name}", right=(1,)
        )


def _known_plain(rules: Rules[Any], known: Knowledge) -> dict[str, Any]:
    learned = [{**plain(each), "text": fact_words(rules, each.fact)} for each in known.learned]
    return {**plain(known), "learned": learned}


def log(
    game: terms.GameOrFile,
    since: Annotated[
        int,
        typer.Option(
            "--since", metavar="N", help="Only entries after entry N.", autocompletion=completing.entries
        ),
    ] = 0,
    facts: Annotated[
        bool, typer.Option("--facts", help="Also what each entry caused, and which sections say so.")
    ] = False,
    seat: terms.AsSeat = "",
    store: terms.StorePath = None,
    json: terms.Json = False,
) -> None:
    """List the entries of a game: who did what, when, and with --facts what followed."""
    with session_at(game, store, readonly=True) as session:
        who = eyes(session, seat)
        line = set(session.history.line(len(session.entries)))
        gone = {entry.id for entry in session.entries if entry.id not in line and not is_tables(entry)}
        if since > session.head.id:
            known_entry(session, since)
        listed = list(session.history.entries_for(who, max(since, 0)))

        def shown() -> Iterator[RenderableType]:
            yield heading(session.now.table.title or session.game, session.rules.rulebook.book.title)
            if facts:
                for entry in listed:
                    yield from entry_shown(session.rules, entry, taken_back=entry.id in gone)
                return
            yield table(
                ("entry", "at (UTC)", "what", "by", ""),
                [
                    (
                        entry.id,
                        entry.at[:16].replace("T", " "),
                        text(
                            command_words(session.rules, entry.seat, entry.command),
                            "dim strike" if entry.id in gone else "",
                        ),
                        ", ".join(part for part in (entry.actor, entry.source) if part),
                        "; ".join(
                            ([TAKEN_BACK] if entry.id in gone else [])
                            + ([f"goes on from {entry.parent}"] if entry.parent != entry.id - 1 else [])
                            + [
                                f"learned by then: {in_short(learned)}"
                                for learned in _learned(entry)
                                if learned
                            ]
                        ),
                    )
                    for entry in listed
                ],
                right=(0,),
            )
            if any(entry.id in gone for entry in listed):
                yield text(
                    f"The game does not stand on what was {TAKEN_BACK}; `show --at N` shows it.", "dim"
                )

        told = {"game": session.game, "head": plain(session.head), "line": sorted(line)}
        told["entries"] = [entry_plain(session.rules, entry) for entry in listed]
        give(told, shown, json=json)


def _learned(entry: AnyEntry) -> Iterator[tuple[str, ...]]:
    """Yield what an entry that moved the head says had been learned in what it left behind (LS-3.2)."""
    yield from (fact.learned for fact in entry.facts if isinstance(fact, HeadMoved))


def diff(
    game: terms.GameOrFile,
    first: Annotated[
        int,
        typer.Argument(
            metavar="A", help="The moment after this entry ...", autocompletion=completing.entries
        ),
    ],
    second: Annotated[
        int,
        typer.Argument(
            metavar="B", help="... and the moment after this one.", autocompletion=completing.entries
        ),
    ],
    seat: terms.AsSeat = "",
    store: terms.StorePath = None,
    json: terms.Json = False,
) -> None:
    """Compare two moments: what stands otherwise on the board and at the table."""
    with session_at(game, store, readonly=True) as session:
        who = eyes(session, seat)
        before, after = (_flat(moment_at(session, at, who)) for at in (first, second))
        changed = [
            {"what": what, "before": before.get(what), "after": after.get(what)}
            for what in dict.fromkeys((*before, *after))
            if before.get(what) != after.get(what)
        ]

        def shown() -> Iterator[RenderableType]:
            yield heading(session.now.table.title or session.game, f"from entry {first} to entry {second}")
            if changed:
                rows = [(each["what"], *_differing(each["before"], each["after"])) for each in changed]
                yield table(("what", f"after {first}", f"after {second}"), rows)
            else:
                yield text("Nothing stands otherwise.")

        give({"game": session.game, "from": first, "to": second, "changed": changed}, shown, json=json)


def _differing(before: Any, after: Any) -> tuple[str, str]:
    """Return two values in words: of long lists of names only what is in one of them alone, for the rest stands in both."""
    held = [list(each) for each in (before or [], after or []) if isinstance(each, list)]
    if len(held) < 2 or sum(map(len, held)) <= MOST_LISTED:
        return worded(before), worded(after)
    told = []
    for own, other in (held, held[::-1]):
        alone = [part for part in own if part not in other]
        told.append(f"{worded(alone)} ... {len(own)} in all" if alone else f"{len(own)} in all")
    return told[0], told[1]


def _flat(now: Moment[Any]) -> dict[str, Any]:
    """Return a moment as `{where: what stands there}`; the agenda as the names of its steps."""
    state, seen = plain(now.state), plain(now.table)
    state["open steps"] = [step["step"].get("Step", "?") for step in state.pop("agenda", [])]
    flat: dict[str, Any] = {}
    for name, held in (*state.items(), *((f"table: {name}", held) for name, held in seen.items())):
        _flatten(name.replace("_", " "), held, flat)
    return flat


def _flatten(where: str, held: Any, flat: dict[str, Any]) -> None:
    if isinstance(held, dict) and held:
        for name, inner in held.items():
            _flatten(f"{where}, {name}", inner, flat)
    elif isinstance(held, list) and any(isinstance(inner, dict) for inner in held):
        for place, inner in enumerate(held, 1):
            _flatten(f"{where}, {place}", inner, flat)
    elif held not in (None, [], {}):
        flat[where] = held


def replay(
    game: terms.GameOrFile,
    to: Annotated[
        int | None,
        typer.Option(
            "--to",
            metavar="N",
            help="Show every entry up to N and the board after it, and end.",
            autocompletion=completing.entries,
        ),
    ] = None,
    as_text: Annotated[
        bool, typer.Option("--plain", help="Show every entry and the last board, without keys.")
    ] = False,
    seat: terms.AsSeat = "",
    store: terms.StorePath = None,
    json: terms.Json = False,
) -> None:
    """Step through a game with the keys: left and right, Home, End, n for the next battle, q to leave."""
    with session_at(game, store, readonly=True) as session:
        who = eyes(session, seat)
        known = len(session.moments) - 1
        if to is not None:
            moment_at(session, known_entry(session, to))
        if json:
            last = to or known
            told = [
                {
                    "entry": entry_plain(session.rules, entry),
                    "state": plain(session.view(who, entry.id).state),
                }
                for entry in session.history.entries_for(who, 0, last)
            ]
            give({"game": session.game, "steps": told}, list, json=True)
        elif to is not None or as_text or not _at_a_terminal():
            last = to or known
            for entry in session.history.entries_for(who, 0, last):
                say(*entry_shown(session.rules, entry))
            say("", title_of(session, last), *moment_shown(session.view(who, last), who))
        else:
            from replay.cli.stepping import step_through

            step_through(session, who)


def _at_a_terminal() -> bool:
    import sys

    return sys.stdin.isatty() and sys.stdout.isatty()
