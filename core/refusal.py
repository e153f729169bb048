"""Refusals: what the rules do not allow, as data: a code, the sections, the figures, and a sentence for people."""

import re
from typing import Any

from msgspec import Struct, field, structs

from core.harmless import harmless
from events.event import SectionRef

__all__ = ["Refusal", "small_words"]


class Refusal(Struct, frozen=True, gc=False, omit_defaults=True):
    """One reason why a command is not allowed.

    `code` is for programs and stays the same; `text` says to a person what was wrong and what would have been right;
    `figures` are the numbers and names in it; `waivable` says that it could be told all the same, had the table
    overlooked it; `secret` that what it says, or whether it holds, hangs on what its seat alone may see (LS-2.7). Whether
    a reason is secret hangs on public things only.
    """

    code: str
    because: tuple[SectionRef, ...]
    text: str
    figures: dict[str, int | str] = field(default_factory=dict)
    waivable: bool = False
    secret: bool = False

    def __post_init__(self) -> None:
        """Make the sentence harmless to show: names that somebody typed may stand in it."""
        if not (self.text.isascii() and self.text.isprintable()):
            structs.force_setattr(self, "text", harmless(self.text))


def small_words(kind: type[Any]) -> str:
    """Return the name of a class in small words, as people type it: `BuyUnits` is `buy units`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|_", " ", kind.__name__).lower()
