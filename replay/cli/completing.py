"""What the Tab key of a shell may complete: games, rule sets, entries, seats, sections, points, variants and questions.

All of it is public: names of games, how many entries they have, who sits there, and what the rules say. A shell asks
amid a half-typed line, so what can't be read completes nothing, and no error is told. Nothing is loaded before a shell
asks, and never a database of questions or a service.
"""

import os
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any, Final

import typer

__all__ = [
    "VARIABLE",
    "answers",
    "anybody",
    "bots",
    "cards",
    "dice",
    "entries",
    "games",
    "guests",
    "holders",
    "listed_seats",
    "params",
    "places",
    "queries",
    "rule_sets",
    "seated",
    "seats",
    "sections",
    "sources",
    "tell",
    "typed_before",
    "variants",
]

VARIABLE: Final = "_LAWSPEAKER_COMPLETE"
"""The variable by which a shell asks for completions."""
Word = str | tuple[str, str]
Found = Callable[[typer.Context, str], list[Word]]


def _quietly(find: Callable[[typer.Context, str], Iterable[Word]]) -> Found:
    """Let what finds words find none where anything is wrong."""

    def found(ctx: typer.Context, incomplete: str) -> list[Word]:
        try:
            return list(find(ctx, incomplete))
        except Exception:  # noqa: BLE001 - a half-typed line is no place for an error of any kind
            return []

    found.__doc__ = find.__doc__
    return found


# what lies in the store


@_quietly
def games(ctx: typer.Context, _incomplete: str) -> Iterable[Word]:
    """Return the games of the store."""
    from replay.cli.kept import store_at

    with store_at(_store(ctx), readonly=True) as held:
        return _harmless(held.games())


@_quietly
def sources(ctx: typer.Context, incomplete: str) -> Iterable[Word]:
    """Return what many games may be asked of: the games of the store, and the logs, stores and folders that lie here."""
    from replay.files import KEPT

    yield from games(ctx, incomplete)
    folder, slash, _ = incomplete.rpartition(os.sep)
    for path in sorted(Path(folder + slash or ".").iterdir()):
        inside = path.is_dir()
        if (inside or path.suffix in KEPT) and _harmless([path.name]):
            yield f"{folder}{slash}{path.name}{os.sep if inside else ''}"


@_quietly
def entries(ctx: typer.Context, _incomplete: str) -> Iterable[Word]:
    """Return the entries of the game that is named before."""
    with _game(ctx) as (store, name):
        return [str(entry) for entry in range(1, store.head(name).id + 1)]


@_quietly
def seats(ctx: typer.Context, _incomplete: str) -> Iterable[Word]:
    """Return who sits at the game that is named before, or may sit at one by the rules."""
    return _seats(ctx)


@_quietly
def guests(ctx: typer.Context, _incomplete: str) -> Iterable[Word]:
    """Return who may look: the seats, and who sits nowhere."""
    from replay.cli.eyes import NOBODY

    return [*_seats(ctx), NOBODY[0]]


@_quietly
def holders(ctx: typer.Context, _incomplete: str) -> Iterable[Word]:
    """Return who holds a token: the seats and the arbiter."""
    from core.seats import ARBITER

    return [*_seats(ctx), ARBITER]


@_quietly
def listed_seats(ctx: typer.Context, incomplete: str) -> Iterable[Word]:
    """Return a list of seats with another one behind it: `orc,elf` after `orc,`."""
    before, comma, _ = incomplete.rpartition(",")
    return [f"{before}{comma}{seat}" for seat in _seats(ctx) if seat not in before.split(",")]


@_quietly
def seated(ctx: typer.Context, _incomplete: str) -> Iterable[Word]:
    """Return the beginnings of `SEAT=...`."""
    return [f"{seat}=" for seat in _seats(ctx)]


# what the rules say


@_quietly
def rule_sets(_ctx: typer.Context, _incomplete: str) -> Iterable[Word]:
    """Return the rule sets."""
    from core.games import found

    return found()


@_quietly
def sections(ctx: typer.Context, incomplete: str) -> Iterable[Word]:
    """Return the chapters, sections and points of the rules, and of the table's law, each with its title."""
    from core.kit.table import TABLE_LAW

    for book in (_rules(ctx).rulebook, TABLE_LAW):
        for held in (book.chapters, book.sections):
            yield from ((ref, part.title) for ref, part in held.items())
        for ref, point in book.points.items():
            yield (_as_begun(ref, incomplete) if incomplete else ref), point.title


@_quietly
def answers(ctx: typer.Context, incomplete: str) -> Iterable[Word]:
    """Return each answer to each point, `X61=extra`; with or without the game's prefix, as it was begun."""
    for ref, point in _rules(ctx).rulebook.points.items():
        name = _as_begun(ref, incomplete.partition("=")[0])
        yield from ((f"{name}={choice.id}", point.title) for choice in point.answer)


def _as_begun(ref: str, begun: str) -> str:
    """Return a point with the game's prefix where it was begun so, `QD-X61`, else as people say it, `X61`."""
    return ref if begun and ref.startswith(begun) else ref.rpartition("-")[2]


@_quietly
def variants(ctx: typer.Context, _incomplete: str) -> Iterable[Word]:
    """Return each value of each option, `armies=two`."""
    return [f"{name}={value}" for name, values in _rules(ctx).options.items() for value in values]


@_quietly
def places(ctx: typer.Context, _incomplete: str) -> Iterable[Word]:
    """Return the places by their ids and names."""
    from replay.picture_text import places as sheets

    yield "all"
    for sheet in sheets(_rules(ctx)):
        yield from ((row[0], row[1]) for row in sheet.rows if len(row) > 1)


@_quietly
def cards(ctx: typer.Context, _incomplete: str) -> Iterable[Word]:
    """Return the cards by the names under which they are typed."""
    from replay.picture_text import cards as named

    return ["all", *named(_rules(ctx))]


@_quietly
def dice(_ctx: typer.Context, _incomplete: str) -> Iterable[Word]:
    """Return where the dice of a game may come from."""
    from events.chance import SOURCES

    return SOURCES[:3]


@_quietly
def bots(ctx: typer.Context, incomplete: str) -> Iterable[Word]:
    """Return a list of bots with another one behind it."""
    from replay.bots import bots_of

    before, comma, _ = incomplete.rpartition(",")
    return [f"{before}{comma}{name}" for name in bots_of(_rules(ctx))]


# what can be asked


@_quietly
def queries(_ctx: typer.Context, incomplete: str) -> Iterable[Word]:
    """Return the named questions; those of a game by their short names too, where these were begun."""
    from replay.questions.named import questions

    for asked in questions():
        short = asked.name.rpartition(".")[2]
        yield (asked.name if incomplete and asked.name.startswith(incomplete) else short), asked.question


@_quietly
def params(ctx: typer.Context, _incomplete: str) -> Iterable[Word]:
    """Return what the question that is named before may be asked with, with its values where they are known."""
    from replay.questions.named import question

    for parameter in question(_given(ctx, "name")).parameters:
        values: Iterable[Word] = parameter.choices or (parameter.shown,)
        if isinstance(parameter.default, bool):
            values = ("yes", "no")
        elif parameter.name in _VALUES:
            values = _VALUES[parameter.name](ctx, "")
        for value in values:
            yield f"{parameter.name}={value if isinstance(value, str) else value[0]}", parameter.meaning


@_quietly
def anybody(_ctx: typer.Context, _incomplete: str) -> Iterable[Word]:
    """Return every seat that there can be, by any rules."""
    from core.games import found, load

    return dict.fromkeys(seat for name in found() for seat in load(name).seats)


_VALUES: Final[dict[str, Found]] = {"game": games, "rules": rule_sets, "seat": anybody}


def _given(ctx: typer.Context, name: str) -> Any:
    """Return what was given for a parameter before the word; None where nothing was.

    typer reads no argument of a line that ends with the name of an option, whose value is the word: so that is left out.
    """
    if ctx.params.get(name) is None or ctx.params[name] == "":
        words = typed_before()[1:]
        if words and words[-1].startswith("-"):
            again = ctx.command.make_context(ctx.info_name, words[:-1], resilient_parsing=True)
            return again.params.get(name)
    return ctx.params.get(name)


def _store(ctx: typer.Context) -> Path | None:
    named = _given(ctx, "store")
    return None if named is None else Path(named).expanduser()


@contextmanager
def _game(ctx: typer.Context) -> Iterator[tuple[Any, str]]:
    """Yield the store and the name of the game that stands before the word, be it a file."""
    from events.jsonl import JsonlStore
    from replay.cli.kept import store_at

    named = str(_given(ctx, "game"))
    path = Path(named).expanduser()
    if path.suffix == ".jsonl" or os.sep in named:
        yield JsonlStore(path.parent, readonly=True), path.stem
        return
    with store_at(_store(ctx), readonly=True) as held:
        yield held, named


def _opening(ctx: typer.Context) -> dict[str, Any]:
    """Return the fact that opened the game which stands before the word."""
    import msgspec

    with _game(ctx) as (store, name):
        first = next(iter(store.read(name, 0, 1)))
    opened: dict[str, Any] = msgspec.json.decode(first.line)["facts"][0]
    return opened


def _rules(ctx: typer.Context) -> Any:
    """Return the rules that stand before the word: of a rule set, of a position, or of a game."""
    import tomllib

    from core.games import found, load
    from replay.sheets.bounds import unreadable
    from replay.sheets.header import read_text

    named, position = _given(ctx, "game"), _given(ctx, "position")
    if named in found():
        return load(named)
    if position is not None:
        held = read_text(Path(position).expanduser())
        if next(unreadable(held), None) is None:
            return load(tomllib.loads(held)["game"])
    return load(_opening(ctx)["game"])


def _seats(ctx: typer.Context) -> list[str]:
    from core.games import found

    if _given(ctx, "game") in found() or _given(ctx, "position") is not None:
        return list(_rules(ctx).seats)
    return _harmless(_opening(ctx)["seats"])


def _harmless(names: Iterable[object]) -> list[str]:
    """Return the names that a shell can take for nothing else: what stands in a file may be anybody's."""
    return [str(name) for name in names if re.fullmatch(r"\w[\w.-]*", str(name))]


# how a shell asks


def typed_before() -> list[str]:
    """Return the words that stand whole before the one that is to be completed, after the program's name."""
    if "COMP_WORDS" in os.environ:
        words, at = _of_bash()
        return words[1:at]
    line = os.environ.get("_TYPER_COMPLETE_ARGS", "")
    words = line.split()[1:]
    return words if not words or line.endswith(" ") else words[:-1]


def tell(program: Callable[..., Any]) -> int:
    """Write what may stand next for the shell that asks; nothing where anything is wrong. Always returns 0."""
    said, held = StringIO(), ""
    try:
        held = _joined() if "COMP_WORDS" in os.environ else ""
        with redirect_stdout(said), redirect_stderr(StringIO()):
            program([], prog_name="lawspeaker", standalone_mode=False)
    except SystemExit:
        pass
    except Exception:  # noqa: BLE001 - a half-typed line is no place for an error of any kind
        return 0
    lines = said.getvalue().splitlines()
    if lines:
        print("\n".join(line.removeprefix(held) for line in lines))  # noqa: T201 - to the shell that asked
    return 0


def _of_bash() -> tuple[list[str], int]:
    """Return the words that bash has of the line, and which of them is to be completed."""
    line = os.environ["COMP_WORDS"]
    words = line.split("\n" if "\n" in line else " ")
    return words, int(os.environ.get("COMP_CWORD", len(words) - 1))


def _joined() -> str:
    """Join the words that bash has parted at `=`; return what stands before the last part of the one to be completed.

    Bash asks for `most`, `=` and `3` where `most=3` was typed, and puts what it is told in place of `3`. After the name of
    an option `=` is as good as a space.
    """
    parts, at = _of_bash()
    words: list[str] = []
    held, is_value = "", False
    for part in parts[: at + 1]:
        if part == "=" and words and words[-1].startswith("--"):
            held, is_value = "", True
            continue
        if words and not is_value and part and (part == "=" or words[-1].endswith("=")):
            held = words[-1] + ("=" if part == "=" else "")
            words[-1] += part
        else:
            held = ""
            words.append(part)
        is_value = False
    if is_value:
        words.append("")
    os.environ["COMP_WORDS"], os.environ["COMP_CWORD"] = "\n".join(words), str(len(words) - 1)
    return held
