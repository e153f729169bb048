"""Lines that should not stay on a screen that everybody sees: what was typed in secret, also where it was refused or misspelt.

Whether a line tells something hidden is worked out from the line and from what everybody knows, so that it tells nothing.
"""

import re
import shutil
import sys
from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from typing import Any

import msgspec
from rich.console import RenderableType

from core.asking import Ask
from core.consent import foresee
from core.deciding import Decision
from core.kit.table import TABLE_LAW
from core.rules import Rules
from core.seats import CHANCE, is_player
from core.telling import Moment
from replay.cli.moves import said
from replay.cli.shorter import sentence_of
from replay.cli.show import indented, section_text, text
from replay.cli.tabbing import forget_last
from replay.cli.told import asks_openly
from replay.cli.trouble import Refusing, Trouble
from replay.session import Session
from replay.words.faults import BadInput
from replay.words.grammar import Sentence, grammar
from replay.words.names import openly_named
from replay.words.wording import asked_of, command_words

__all__ = ["erase", "hints_of", "tells_hidden", "unspoken"]

OPEN = "place"
"""The kind of names that everybody may hear; what is called by names of any other kind can be hidden."""
SHORT = 4
"""Letters of a word from which on it is taken for part of a name, or for nearly one."""
WHOSE_TURN = ("not_your_turn", "nothing_asked", "game_over", "disputed")
"""The codes of refusals that say nothing of what was chosen."""
NOT_TOLD = "LS-2.7"
"""The section by which what only some may see is not told to all."""
ALIKE = 0.75
"""How like a name a word is that is taken for it misspelt: `wizzard`."""


def tells_hidden(session: Session, line: str) -> bool:
    """Return whether a line, whether or not it can be played, may tell what not everybody may see.

    It does where it names what can be hidden, or nearly so, gives a card that not everybody sees, or begins like a command
    whose choice is secret.
    """
    now = session.view(None)
    asks = [ask for seat in asked_of(now) if is_player(seat) for ask in asks_openly(session, seat)]
    return any(_tells(now, asks, _less_open_names(session, now, part)) for part in line.split(";"))


def _less_open_names(session: Session, now: Moment[Any], line: str) -> str:
    """Return a line less the names in it that tell nothing hidden, such as a spell user's who lies face up (LS-2.7)."""
    rules = session.rules
    why, move = ("why ", line.removeprefix("why ")) if line.startswith("why ") else ("", line)
    try:
        seat, command = said(session, move.strip(), now=now, openly=True)
    except (Trouble, BadInput):
        pass
    else:
        found = openly_named(rules, now.state, command)
        written = f" {command_words(rules, seat, command)} " if found else f" {move} "
        for name in found:
            written = written.replace(f" {name} ", " ", 1)
        line = why + written.strip()
    for what, names in rules.shown(now.state).items():
        others = {name for kind, held in rules.names.items() if kind != what for name in held}
        for name in set(names) - others:
            line = re.sub(rf"(?<![\w.]){re.escape(name)}(?![\w.])", "", line, flags=re.IGNORECASE)
    return line


def _tells(now: Moment[Any], asks: list[Ask], line: str) -> bool:
    seat, colon, rest = (part.strip() for part in line.removeprefix("why ").rpartition(":"))
    rest = rest.partition(" because ")[0]  # what follows is said to everybody
    words = [word.lower() for word in re.findall(r"[^\s,()\"=]+", rest)]
    if not words or words[0] == "dispute":
        return False
    draw = now.question.draw if now.question is not None else None
    found = sentence_of(now.rules, asks, words)
    if draw is not None and not draw.public and (seat in ("card", CHANCE) or (not colon and found is None)):
        return True
    if _names_hidden(now.rules, words[found[1] :] if found is not None else words, found):
        return True
    if found is not None and " ".join(words[: found[1]]) in _vocabulary(now.rules)[0]:
        return True  # a verb that is the name of a card, too
    return any(_begins_like(words, sentence.verb) for sentence in _secret_verbs(now, asks))


def _names_hidden(rules: Rules[Any], words: Iterable[str], found: tuple[Sentence, int] | None) -> bool:
    hidden, open_words = _vocabulary(rules)
    known = open_words | (found[0].words if found is not None else frozenset())
    for word in words:
        if word in hidden:
            return True
        if len(word) >= SHORT and word not in known and not word.isdigit() and _close(word, hidden):
            return True
    return False


def _close(word: str, hidden: frozenset[str]) -> bool:
    return bool(get_close_matches(word, hidden, 1, ALIKE))


Vocabulary = tuple[frozenset[str], frozenset[str]]
_held: dict[int, tuple[Rules[Any], Vocabulary]] = {}


def _vocabulary(rules: Rules[Any]) -> Vocabulary:
    """Return the words of which names of hidden things are made, and those that everybody may hear; found once for each game."""
    if id(rules) not in _held:
        _held[id(rules)] = rules, _gathered(rules)
    return _held[id(rules)][1]


def _gathered(rules: Rules[Any]) -> Vocabulary:
    hidden: set[str] = set()
    for what, names in rules.names.items():
        if what != OPEN:
            hidden.update(name.lower() for name in names)
            hidden.update(
                part for name in names for part in re.split(r"[\W_]+", name.lower()) if len(part) >= SHORT
            )
    told = {name.lower() for name in rules.names.get(OPEN, ())}
    told |= {part for word in rules.called.get(OPEN, {}) for part in word.lower().split()}
    told |= {
        word
        for sentence in grammar(rules).commands.values()
        for word in (*sentence.verb.split(), *sentence.words)
    }
    seats = {seat.lower() for seat in rules.seats}
    return frozenset(hidden - seats), frozenset(told | seats)


def _secret_verbs(now: Moment[Any], asks: Iterable[Ask]) -> Iterator[Sentence]:
    """Yield the commands that are asked of which nobody else hears what was chosen: to hide something, to bid under the hand."""
    by_kind = {sentence.kind: sentence for sentence in grammar(now.rules).commands.values()}
    for ask in asks:
        firsts = {offer.command: offer for offer in reversed(ask.offers)}
        for kind, offer in firsts.items():
            sentence = by_kind.get(kind)
            if sentence is None or all(field.optional for field in sentence.fields):
                continue
            command: Any = offer.sample(lambda _: 0)
            decided = foresee(now, ask.seat, command)
            if not isinstance(decided, Decision) or not decided.command_to:
                continue
            public = [fact for fact, to in zip(decided.facts, decided.audiences, strict=True) if not to]
            heard = _values(msgspec.to_builtins(public))
            chosen = (getattr(command, field.name) for field in sentence.fields if not field.optional)
            if any(heard.isdisjoint(_values(msgspec.to_builtins(value))) for value in chosen):
                yield sentence


def _values(held: Any) -> set[Any]:
    """Return the words and numbers in a value."""
    if isinstance(held, dict):
        return _values(list(held.values())) | set(held)
    if isinstance(held, list | tuple):
        return {value for part in held for value in _values(part)}
    return {held}


def _begins_like(words: list[str], verb: str) -> bool:
    first = verb.split(maxsplit=1)[0]
    return first.startswith(words[0]) or bool(get_close_matches(words[0], (first,), 1, ALIKE))


def unspoken(session: Session, told: Trouble) -> Iterator[RenderableType]:
    """Yield what is said of a line that was wiped and not played: that it is refused, or where it can't be read; none of its words."""
    yield text("What was typed is wiped, for it may tell what is hidden; nothing is played.", "bold")
    if isinstance(told, Refusing):
        # No section is named: by which rule a scroll is refused tells which scroll it was.
        said = " ".join(reason.text for reason in told.reasons if reason.code in WHOSE_TURN)
        yield indented(text(f"{said or 'The rules do not allow it.'}  [{NOT_TOLD}]"))
        yield from (indented(part, 4) for part in section_text(NOT_TOLD, session.rules.rulebook, TABLE_LAW))
    elif told.kind == "bad_input":
        for fault in told.where["faults"]:
            where = f"At column {fault.column} it can't be read" if fault.column else "It can't be read"
            yield indented(text(f"{where}; expected {fault.expected}." if fault.expected else f"{where}."))
    elif told.kind == "no_seat":
        yield indented(text("It does not say who does it."))
    elif told.kind != "hidden":
        yield indented(text("It can't be read."))
    yield text("`as` and the seat first, then the line: there it is told why, to that seat alone.", "dim")


def hints_of(told: Refusing) -> Iterator[str]:
    """Yield how those whose secrets are the reason for a refusal may learn it."""
    for reason in told.reasons:
        if reason.code == "hidden" and "seat" in reason.figures:
            seat = reason.figures["seat"]
            yield f"`as {seat}`, then `why`, tells {seat} alone."


def erase(typed: str) -> None:
    """Take the line that was typed last, with its prompt, off a terminal, and out of what the arrow keys bring back."""
    if not sys.stdout.isatty():
        return
    rows = 1 + (len(typed) - 1) // max(1, shutil.get_terminal_size().columns)
    sys.stdout.write("\x1b[1A\x1b[2K" * rows)
    sys.stdout.flush()
    forget_last()
