"""What goes wrong, told to people: a sentence on stderr, an object with `--json`, never a traceback."""

import re
from collections.abc import Mapping
from typing import Any

from core.games import NoSuchRules
from core.harmless import harmless
from core.refusal import Refusal
from core.rulebook import BadRulebook, Rulebook
from events.codec import BadLine, BadValue, WrongOpening
from events.store import StoreError
from events.upcasting import BadUpcasts
from replay.dice import BadScript, BadSeed
from replay.outcomes import RefusedByRules
from replay.words.faults import BadInput

__all__ = [
    "DIVERGED",
    "EXIT_CODES",
    "FAULT",
    "FINE",
    "LEFT",
    "UNREADABLE",
    "Refusing",
    "Trouble",
    "shortened",
    "trouble_of",
]

FINE, DIVERGED, UNREADABLE = 0, 1, 2
"""The exit codes: all is well; a divergence or refusal was found; what was given can't be read, or names nothing."""
EXIT_CODES = (
    "Exit codes: 0 all is well; 1 a divergence was found, or the rules or what is there already refuse it; 2 what was given "
    "cannot be read, or names what is not there: a game, seat, entry, place, section, answer; 130 you broke off with Ctrl-C; "
    "70 a fault of the program itself."
)
"""The same for people, as the help ends."""
LEFT = 130
"""The exit code when a person breaks off with Ctrl-C; `replay.cli` has it too, before anything is loaded."""
FAULT = 70
"""The exit code of a defect of the program itself; no input should ever bring it about."""


_NAMING_NOTHING = frozenset({
    "no_text", "no_such_answer", "no_such_dispute", "no_such_entry", "no_such_option", "no_such_point", "no_such_seat",
    "no_such_section",
})  # fmt: skip
"""The codes by which the law of the table refuses a name that nothing has, or what is no text: the rules were never asked."""
LONGEST_WORD, LONGEST_LINE = 240, 1_200
"""Characters of a word, and of a line, from which on what was given is cut when it is repeated in an error."""


class Trouble(Exception):
    """What keeps a command from being done: a sentence that says what was wrong and what would have been right.

    `where` are the names and figures in it, for programs; `code` is the exit code.
    """

    def __init__(self, *lines: str, code: int = UNREADABLE, kind: str = "unreadable", **where: Any) -> None:
        """Take the sentence, or several, each for a line of its own; the exit code, a word for the kind, names and figures."""
        self.text = "\n".join(map(harmless, lines))
        super().__init__(self.text)
        self.code, self.kind, self.where = code, kind, where

    def plain(self) -> dict[str, Any]:
        """Return it as a JSON object."""
        return {"error": self.kind, "text": self.text, **self.where}


class Refusing(Trouble):
    """What was asked is refused: exit code 1, with every reason; 2 where it names what is not there."""

    def __init__(
        self,
        reasons: tuple[Refusal, ...],
        book: Rulebook | None = None,
        *,
        said: str = "",
        answers: Mapping[str, str] | None = None,
        **where: Any,
    ) -> None:
        """Take the reasons, the rulebook that they cite, what was said that they refuse, and the answers in force."""
        super().__init__(
            " ".join(reason.text for reason in reasons),
            code=UNREADABLE if any(reason.code in _NAMING_NOTHING for reason in reasons) else DIVERGED,
            kind="refused",
            said=said,
            reasons=reasons,
            **where,
        )
        self.reasons, self.book, self.said, self.answers = reasons, book, said, dict(answers or {})


_KNOWN: tuple[type[Exception], ...] = (
    NoSuchRules, StoreError, BadLine, BadValue, WrongOpening, BadRulebook, BadUpcasts, BadSeed,
    BadScript,
)  # fmt: skip


def trouble_of(fault: BaseException) -> Trouble | None:
    """Return what an exception says to people; None for a defect of the program."""
    if isinstance(fault, Trouble):
        return fault
    if isinstance(fault, BadInput):
        return Trouble(*map(str, fault.faults), kind="bad_input", faults=fault.faults)
    if isinstance(fault, RefusedByRules):
        return Refusing(fault.reasons, fault.book, answers=fault.answers)
    if isinstance(fault, _KNOWN):
        return Trouble(_sentence(str(fault)))
    if isinstance(fault, UnicodeDecodeError):
        return Trouble(f"Byte {fault.start + 1} is no UTF-8 text; save the file as UTF-8.")
    if isinstance(fault, OSError):
        what = fault.strerror or str(fault)
        return Trouble(
            f"{fault.filename}: {what}." if fault.filename else f"{what}.", file=str(fault.filename or "")
        )
    return None


def one_line(fault: BaseException) -> str:
    """Return what an exception says in one line, for lists in which each thing has its own line."""
    told = trouble_of(fault)
    return " ".join((told.text if told else f"{type(fault).__name__}: {fault}").split())


def shortened(said: str) -> str:
    """Return a text in which no word, and no line as a whole, is longer than a person would read."""
    lines = []
    for line in said.split("\n"):
        cut = re.sub(rf"\S{{{LONGEST_WORD},}}", lambda word: _cut(word[0], LONGEST_WORD // 2), line)
        lines.append(_cut(cut, LONGEST_LINE) if len(cut) > LONGEST_LINE else cut)
    return "\n".join(lines)


def _cut(said: str, most: int) -> str:
    return f"{said[:most]}... ({len(said):,} characters)"


def _sentence(text: str) -> str:
    """Return a text that begins and ends as a sentence does; a path at its start keeps its case."""
    text = text.strip() or "Something was wrong that has no words."
    if text[0].islower() and text.split(maxsplit=1)[0].isalpha():
        text = text[0].upper() + text[1:]
    return text if text[-1] in ".!?" else f"{text}."
