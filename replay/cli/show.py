"""How things look: tables and texts with rich on a terminal, plain text in a pipe, JSON when asked for.

Colours are the terminal's own basic ones, so that they hold on light and dark, and no meaning hangs on colour alone.
"""

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import IO, Any, NoReturn

import msgspec
import typer
from rich import box
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from core.harmless import harmless, harmless_json
from core.refusal import Refusal
from core.rulebook import Rulebook, Section
from replay.cli.trouble import FINE, Trouble, shortened
from replay.plain import plain

__all__ = [
    "blocks", "clean", "console", "fits", "give", "heading", "indented", "lines", "plain", "refusals", "say", "section_text", "table", "text",
    "warn", "written",
]  # fmt: skip

WIDEST = 100_000
"""Columns of a pipe: nothing is wrapped there, so that each row stays one line."""
Cell = str | int | Text | None


def clean(said: str) -> str:
    """Return a text of several lines, each harmless, so that a log can't command the terminal that shows it."""
    return "\n".join(map(harmless, said.expandtabs().split("\n")))


def text(said: object, style: str = "") -> Text:
    """Return something as text of one line in a style, safe to show whoever typed it."""
    return Text(harmless(str(said)), style=style)


def written(said: str, style: str = "") -> Text:
    """Return a text of several lines of our own; what others typed in it is one line already."""
    return Text(clean(said), style=style)


def console(file: IO[str] | None = None) -> Console:
    """Return a console for a file (stdout): as wide as the terminal, or unbounded in a pipe. NO_COLOR is respected."""
    file = file or sys.stdout
    wide = None if file.isatty() else WIDEST
    return Console(file=file, width=wide, markup=False, emoji=False, highlight=False, soft_wrap=False)


def say(*shown: RenderableType, file: IO[str] | None = None) -> None:
    """Show things one below the other; in a pipe without trailing spaces."""
    out = console(file)
    if out.is_terminal:
        out.print(*shown, sep="\n")
        return
    with out.capture() as caught:
        out.print(*shown, sep="\n")
    for line in caught.get().splitlines():
        out.file.write(f"{line.rstrip()}\n")


def warn(said: str) -> None:
    """Show a sentence on stderr."""
    say(text(said, "bold"), file=sys.stderr)


def _write(data: Mapping[str, Any]) -> None:
    """Write one JSON object to stdout; bytes of the command line that are no text are escaped."""
    held = plain(data)
    try:
        encoded = msgspec.json.encode(held)
    except UnicodeEncodeError:
        encoded = msgspec.json.encode(_encodable(held))
    sys.stdout.write(harmless_json(msgspec.json.format(encoded, indent=2)).decode() + "\n")


def _encodable(held: Any) -> Any:
    if isinstance(held, str):
        return held.encode("utf-8", "backslashreplace").decode()
    if isinstance(held, dict):
        return {_encodable(name): _encodable(inner) for name, inner in held.items()}
    return [_encodable(inner) for inner in held] if isinstance(held, list | tuple) else held


def give(
    data: Mapping[str, Any] | Callable[[], Mapping[str, Any]],
    show: Callable[[], Iterable[RenderableType]],
    *,
    json: bool,
    code: int = FINE,
) -> None:
    """Give a command's answer: as one JSON object, or shown to people; then leave with the exit code."""
    if json:
        object_ = data() if callable(data) else data
        _write(object_)
    else:
        shown = tuple(show())
        if shown:
            say(*shown)
    if code:
        leave(code)


def leave(code: int) -> NoReturn:
    """End the command with an exit code."""
    raise typer.Exit(code)


def complain(fault: Trouble, *, json: bool, shown: Iterable[RenderableType] = ()) -> None:
    """Tell what went wrong: the sentence on stderr; with `--json` also one object on stdout."""
    if json:
        _write(fault.plain())
    parts = tuple(shown) or (written(shortened(fault.text), "bold"),)
    say(*parts, file=sys.stderr)


def heading(said: object, beside: object = "") -> Text:
    """Return a title, and beside it what is less important."""
    title = text(said, "bold")
    if beside:
        title.append("  ").append(text(beside, "dim"))
    return title


def fits(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> bool:
    """Return whether a table of these texts stands on the screen without wrapping; in a pipe any does."""
    widest = [len(head) for head in heads]
    for row in rows:
        widest = [max(most, *map(len, cell.split("\n"))) for most, cell in zip(widest, row, strict=True)]
    return sum(widest) + 3 * len(widest) <= console().width


def blocks(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[RenderableType]:
    """Yield rows one below the other, each value under its head: what is too wide for a table; empty ones are left out."""
    room = max(map(len, heads), default=0)
    for row in rows:
        for head, cell in zip(heads, row, strict=True):
            if cell:
                yield Padding(
                    text(f"{head:<{room}}  ", "bold").append(text(cell)), (0, 0, 0, 1), expand=False
                )
        yield text("")


def lines(*parts: RenderableType) -> Group:
    """Return things as one, one below the other."""
    return Group(*parts)


def indented(shown: RenderableType, by: int = 2) -> Padding:
    """Return something moved to the right by so many columns."""
    return Padding(shown, (0, 0, 0, by), expand=False)


def table(
    heads: Sequence[str],
    rows: Iterable[Sequence[Cell]],
    *,
    title: str = "",
    right: Iterable[int] = (),
) -> Table:
    """Return a table; the columns in `right` hold numbers. Cells are texts, numbers or styled texts."""
    drawn = Table(
        title=text(title, "bold") if title else None,
        title_justify="left",
        box=box.SIMPLE_HEAD if any(heads) else None,
        pad_edge=False,
        header_style="bold",
        show_header=any(heads),
        safe_box=True,
    )
    numbers = set(right)
    for place, head in enumerate(heads):
        drawn.add_column(text(head), justify="right" if place in numbers else "left", overflow="fold")
    for row in rows:
        drawn.add_row(
            *(cell if isinstance(cell, Text) else text("" if cell is None else cell) for cell in row)
        )
    return drawn


def refusals(
    reasons: Iterable[Refusal],
    book: Rulebook | None,
    law: Rulebook,
    said: str = "",
    answers: Mapping[str, str] | None = None,
) -> list[RenderableType]:
    """Return refusals as people see them: the sentence, code and sections, and the rules' own text under them.

    `answers` are those in force in the game; a point that is not among them has its default.
    """
    shown: list[RenderableType] = []
    if said:
        shown.append(text("refused: ", "bold red").append(text(shortened(said), "bold")))
    told: set[str] = set()
    for reason in reasons:
        line = text(reason.text)
        line.append("  ").append(text(f"[{reason.code}; {', '.join(reason.because)}]", "dim"))
        shown.append(indented(line))
        for ref in reason.because:
            if ref not in told:
                told.add(ref)
                shown.extend(indented(part, 4) for part in section_text(ref, book, law, answers=answers))
    return shown


def section_text(
    ref: str, *books: Rulebook | None, answers: Mapping[str, str] | None = None
) -> list[RenderableType]:
    """Return the text of a section, chapter or point as a line under what cites it; nothing when no book knows it.

    Of a point, which tells only what the rules leave open, that is the answer in force: by `answers`, or the default.
    """
    for book in books:
        if book is None:
            continue
        found = book.sections.get(ref) or book.points.get(ref)
        if found is not None:
            said = found.text if isinstance(found, Section) else found.answered((answers or {}).get(ref)).text
            line = text(f"{ref} {found.title}: ", "cyan")
            line.append(text(" ".join(said.split())))
            return [line]
        if ref in book.chapters:
            return [text(f"{ref} {book.chapters[ref].title}", "cyan")]
    return []
