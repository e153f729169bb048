"""The rulebook of a game: chapters, numbered sections and points, in our own words, each with its source.

A point is a matter that the source leaves open or contradicts: it has a default answer and, where tables could
plausibly differ, alternatives.
"""

import tomllib
from collections.abc import Iterable, Mapping
from functools import cached_property
from importlib.resources import files
from typing import Any

import msgspec
from msgspec import Struct

from events.event import SectionRef

__all__ = [
    "BadRulebook",
    "Book",
    "Change",
    "Chapter",
    "Choice",
    "Point",
    "Rulebook",
    "Section",
    "load_rulebook",
]


class BadRulebook(ValueError):
    """Raised at import when a rulebook contradicts itself: a doubled id, a reference to nothing."""


class Book(Struct, frozen=True):
    """Which book this is: the game's folder name, its title, the edition, the letters before its section numbers."""

    game: str
    title: str
    edition: str
    code: str
    source: str = ""


class Chapter(Struct, frozen=True):
    """A chapter of the rulebook."""

    id: SectionRef
    title: str
    lines: str = ""


class Section(Struct, frozen=True):
    """A numbered rule. `not_enforced` gives the reason when no engine could; `needs` the chapter it waits for."""

    id: SectionRef
    title: str
    text: str
    lines: str = ""
    points: tuple[SectionRef, ...] = ()
    not_enforced: str = ""
    needs: SectionRef = ""

    @property
    def chapter(self) -> SectionRef:
        """The id of the chapter it stands in."""
        return self.id.partition(".")[0]


class Choice(Struct, frozen=True):
    """One answer that a point can have."""

    id: str
    text: str


class Point(Struct, frozen=True):
    """A matter the source leaves open (`silence`) or contradicts (`contradiction`)."""

    id: SectionRef
    title: str
    text: str
    reason: str
    kind: str
    default: str
    answer: tuple[Choice, ...]
    sections: tuple[SectionRef, ...] = ()
    pending: SectionRef = ""
    lines: str = ""
    older: str = ""
    """The answer that logs from before this point was written mean; the default unless said."""

    def has(self, answer: str) -> bool:
        """Return whether this is one of its answers."""
        return any(choice.id == answer for choice in self.answer)

    def answered(self, answer: str | None = None) -> Choice:
        """Return the choice that an answer names; the default one when it names none."""
        by_id = {choice.id: choice for choice in self.answer}
        return by_id.get(answer or self.default) or by_id[self.default]


class Change(Struct, frozen=True):
    """What a revision of the rules changed: before it, `was` stood where these sections say otherwise now."""

    revision: int
    sections: tuple[SectionRef, ...]
    was: str


class Rulebook(Struct, frozen=True, dict=True):
    """A whole rulebook; raise `BadRulebook` through `checked` when it contradicts itself."""

    book: Book
    chapter: tuple[Chapter, ...]
    section: tuple[Section, ...]
    point: tuple[Point, ...] = ()
    change: tuple[Change, ...] = ()

    @cached_property
    def sections(self) -> Mapping[SectionRef, Section]:
        """The sections by id."""
        return {section.id: section for section in self.section}

    @cached_property
    def points(self) -> Mapping[SectionRef, Point]:
        """The points by id."""
        return {point.id: point for point in self.point}

    @cached_property
    def chapters(self) -> Mapping[SectionRef, Chapter]:
        """The chapters by id."""
        return {chapter.id: chapter for chapter in self.chapter}

    @cached_property
    def defaults(self) -> Mapping[SectionRef, str]:
        """The default answer to every point."""
        return {point.id: point.default for point in self.point}

    def sections_in_order(self) -> tuple[SectionRef, ...]:
        """Return the ids of all sections, as the book has them."""
        return tuple(section.id for section in self.section)

    def full_id(self, written: str) -> SectionRef:
        """Return the id meant by what a person wrote: `X61`, `qd-x61` and `QD-X61` are one."""
        name = written.strip().upper()
        return name if name.startswith(f"{self.book.code}-") else f"{self.book.code}-{name}"

    def knows(self, ref: SectionRef) -> bool:
        """Return whether a reference names a section, a chapter or a point of this book."""
        return ref in self.sections or ref in self.points or ref in self.chapters

    def changed_since(self, revision: int, sections: Iterable[SectionRef]) -> Change | None:
        """Return what was otherwise, in one of these sections, in the days of a revision; None when nothing was."""
        cited = set(sections)
        later = (change for change in self.change if change.revision > revision)
        return next((change for change in later if cited.intersection(change.sections)), None)

    def checked(self) -> "Rulebook":
        """Return itself; raise `BadRulebook` on a doubled id, a default that is no answer or a reference to nothing."""
        ids = [
            *(part.id for part in self.chapter),
            *self.sections_in_order(),
            *(part.id for part in self.point),
        ]
        doubled = {ref for ref in ids if ids.count(ref) > 1}
        if doubled:
            raise BadRulebook(f"{self.book.game}: doubled ids {sorted(doubled)}")
        for section in self.section:
            if section.chapter not in self.chapters:
                raise BadRulebook(f"{section.id}: there is no chapter {section.chapter}")
        for point in self.point:
            if not point.has(point.default):
                raise BadRulebook(f"{point.id}: the default {point.default!r} is none of its answers")
        named = [(section.id, section.points) for section in self.section]
        named += [(point.id, point.sections) for point in self.point]
        own = f"{self.book.code}-"  # a change may lie in the law of the table
        named += [
            (f"change {change.revision}", tuple(ref for ref in change.sections if ref.startswith(own)))
            for change in self.change
        ]
        for where, refs in named:
            for ref in refs:
                if not self.knows(ref):
                    raise BadRulebook(f"{where}: {ref} is nowhere in the book")
        return self


def load_rulebook(package: str) -> Rulebook:
    """Return the rulebook in `data/rulebook.toml` of a game's package; raise `BadRulebook` when it is wrong."""
    text = files(package).joinpath("data", "rulebook.toml").read_text(encoding="utf-8")
    plain: Any = tomllib.loads(text)
    try:
        return msgspec.convert(plain, Rulebook).checked()
    except msgspec.ValidationError as fault:
        raise BadRulebook(f"{package}: {fault}") from fault
