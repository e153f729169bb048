"""Faults in what people wrote: where each is, what was expected there, and what may have been meant."""

import re
from collections.abc import Iterable, Sequence
from difflib import get_close_matches

from msgspec import Struct

from core.harmless import harmless

__all__ = ["BadInput", "BadText", "Fault", "close_to", "in_words"]


class Fault(Struct, frozen=True, omit_defaults=True):
    """One fault in a file that a person wrote; line and column count from 1, 0 when unknown."""

    message: str
    expected: str = ""
    close: tuple[str, ...] = ()
    path: str = ""
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        """Return the fault in one line, as compilers do: `file:line:column: what is wrong`; `column 11: ...` without a file."""
        place = [self.path, *(str(n) for n in (self.line, self.column) if n)]
        where = ":".join(part for part in place if part)
        if self.column and not self.path and not self.line:
            where = f"column {self.column}"
        text = self.message.rstrip(".")
        if self.expected:
            text += f"; expected {self.expected}"
        if self.close:
            text += f"; did you mean {' or '.join(self.close)}?"
        return harmless(f"{where}: {text}" if where else text)


class BadInput(ValueError):
    """Raised when a file can't be read; holds every fault that was found in it."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        """Take the faults, at least one."""
        self.faults = tuple(faults)
        super().__init__("\n".join(map(str, self.faults)))


class BadText(BadInput):
    """Raised when a text is no sentence of the game; its one fault has the column."""

    @property
    def fault(self) -> Fault:
        """The fault."""
        return self.faults[0]


def close_to(word: str, known: Iterable[str], most: int = 3) -> tuple[str, ...]:
    """Return the known words that a mistyped one may mean, the likeliest first, whatever their capitals."""
    by_lower: dict[str, str] = {}
    for name in known:
        by_lower.setdefault(name.lower(), name)
    found: Sequence[str] = get_close_matches(word.lower(), list(by_lower), most, 0.6)
    return tuple(by_lower[name] for name in found)


_KINDS = {
    "int": "a whole number",
    "str": "a text",
    "bool": "yes or no",
    "array": "a list",
    "object": "a table",
    "float": "a fraction",
}


def in_words(complaint: str) -> str:
    """Return what was expected, in plain words, out of a complaint of msgspec's."""
    text = complaint.partition(" - at `")[0].removeprefix("Expected ").replace(", got ", ", not ")
    text = re.sub(
        r"matching regex '\^\(([^()\\\[]*)\)\$'$",
        lambda words: f"among: {', '.join(words[1].split('|'))}",
        text,
    )
    return re.sub(
        r"`([^`]*)`", lambda kind: " or ".join(_KINDS.get(one, one) for one in kind[1].split(" | ")), text
    )
