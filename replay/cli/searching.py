"""Finding a rule by its number or by words in it."""

from collections.abc import Iterator

from rich.console import RenderableType

from core.kit.table import TABLE_LAW
from core.rulebook import Point, Rulebook, Section
from events.counting import plural
from replay.cli.show import section_text, text
from replay.cli.trouble import Trouble
from replay.session import Session

__all__ = ["holding", "rules_shown"]

MOST_WHOLE, MOST = 3, 20
"""Sections found by words that are shown whole; of more the titles are listed, up to the second number."""


def holding(book: Rulebook, words: str) -> tuple[list[Section], list[Point]]:
    """Return the sections, those of the table's law among them, and the points that hold all these words."""
    wanted = words.casefold().split()

    def holds(part: Section | Point) -> bool:
        held = f"{part.id} {part.title} {part.text}".casefold()
        return all(word in held for word in wanted)

    sections = [part for part in (*book.section, *TABLE_LAW.section) if holds(part)]
    return sections, [part for part in book.point if holds(part)]


def rules_shown(session: Session, said: str) -> Iterator[RenderableType]:
    """Yield the text of a section, chapter or point; or what is found by words, whole when it is little; or raise `Trouble`."""
    book, answers = session.rules.rulebook, session.now.table.answers
    if not said.strip():
        raise Trouble(
            "`rules 10.5` shows a section, `rules teleport` finds those that hold a word.", kind="usage"
        )
    ref = book.full_id(said.strip().upper())
    if ref in book.points:
        yield text(" ".join(book.points[ref].text.split()))
    exact = section_text(ref, book, TABLE_LAW, answers=answers)
    if exact:
        yield from exact
        return
    sections, points = holding(book, said)
    parts: list[Section | Point] = [*sections, *points]
    found = [part.id for part in parts]
    if not found:
        raise Trouble(f"{said!r} is no section and in no section of the rulebook.", kind="no_such_section")
    if len(found) <= MOST_WHOLE:
        for each in found:
            yield from section_text(each, book, TABLE_LAW, answers=answers)
        return
    for part in parts[:MOST]:
        yield text(f"{part.id}  {part.title}")
    more = f"; the first {MOST} of them" if len(found) > MOST else ""
    yield text(
        f"{plural(len(found), 'section or point holds', 'sections and points hold')} {said!r}{more}. `rules {found[0]}` shows one.",
        "dim",
    )
