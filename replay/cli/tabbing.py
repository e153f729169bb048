"""The Tab key: what may stand next in a line at the prompt, from the offers of what is asked, places and cards included."""

import contextlib
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from core.asking import Ask, Offer, OneOf, Part, Path, Pick
from core.rules import Rules
from core.seats import ARBITER, CHANCE, is_player
from replay.cli.eyes import Eyes
from replay.cli.shorter import asked_verbs, sentence_of
from replay.cli.told import asks_openly
from replay.picture_text import cards, places
from replay.words.grammar import Sentence
from replay.words.wording import asked_of

__all__ = ["candidates", "completing", "forget_last", "forget_since", "remembered"]

WORDS = ("show", "rules", "why", "undo", "as", "clear", "quit")
"""What the prompt itself hears."""


def candidates(seen: Eyes, before: str, begun: str) -> tuple[str, ...]:
    """Return what a word that has begun may become, after what stands before it in the line.

    A place is found by its id or its name; when a name is the only one that fits, its id stands for it.
    """
    said = before.rpartition(";")[2].split()
    session = seen.session
    named = said[0].rstrip(":") if said and said[0].endswith(":") else ""
    rest = said[1:] if named else said
    if named in ("card", "dice", CHANCE):
        draw = session.now.question.draw if session.now.question is not None else None
        return _fitting(cards(session.rules, draw.deck) if draw is not None else {}, begun)
    asked = [seat for seat in asked_of(session.now) if is_player(seat) and seen.who in (ARBITER, seat)]
    whose = [named] if named in session.now.table.seats else asked
    asks = [
        ask for seat in whose for ask in (asks_openly(session, seat) if seen.openly else session.asks(seat))
    ]
    if rest and rest[0] in ("as", "undo"):
        return _fitting(
            dict.fromkeys((*session.now.table.seats, *(("all",) if rest[0] == "undo" else ())), ""), begun
        )
    if rest and rest[0] == "why":
        rest = rest[1:]
    titles = _titles(session.rules)
    return _fitting({word: titles.get(word, "") for word in _next(seen, asks, asked, rest, named)}, begun)


def _next(seen: Eyes, asks: list[Ask], asked: list[str], rest: list[str], named: str) -> Iterator[str]:
    rules = seen.session.rules
    found = sentence_of(rules, asks, rest) if rest else None
    if found is None:
        for verb in asked_verbs(rules, asks):
            words = verb.split()
            if len(words) > len(rest) and words[: len(rest)] == [word.lower() for word in rest]:
                yield words[len(rest)]
        if not rest and not named:
            yield from (f"{seat}:" for seat in asked)
            if CHANCE in asked_of(seen.session.now):
                question = seen.session.now.question
                yield "card:" if question is not None and question.draw is not None else "dice:"
            yield from WORDS
        return
    sentence, taken = found
    for verb in asked_verbs(rules, asks):
        words = verb.split()
        if len(words) > len(rest) and words[: len(rest)] == [word.lower() for word in rest]:
            yield words[len(rest)]
    offers = [offer for ask in asks for offer in ask.offers if offer.command is sentence.kind]
    yield from dict.fromkeys(_values(sentence, offers, [word.rstrip(",") for word in rest[taken:]]))


def _values(sentence: Sentence, offers: Iterable[Offer], typed: list[str]) -> Iterator[str]:
    """Yield what may follow: what the field takes whose word was typed last, else what comes before any word, and the words."""
    offers = tuple(offers)
    last = next((word for word in reversed(typed) if word in sentence.words), "")
    for field in sentence.fields:
        if field.word == last:
            for offer in offers:
                yield from _held(offer.fields.get(field.name))
    if typed and typed[-1] in sentence.words:
        return
    for field in sentence.fields:
        if field.word and field.word not in typed and any(field.name in offer.fields for offer in offers):
            yield field.word


def _held(held: Any) -> Iterator[str]:
    """Yield the words that a bound takes; numbers are typed."""
    if isinstance(held, OneOf):
        for value in held.values:
            yield from _held(value)
    elif isinstance(held, Pick):
        yield from held.pool
    elif isinstance(held, Part):
        yield from held.of
    elif isinstance(held, Path):
        yield from held.edges
    elif isinstance(held, tuple):
        yield from (part for part in held if isinstance(part, str))
    elif isinstance(held, str) and held:
        yield held


def _titles(rules: Rules[Any]) -> dict[str, str]:
    return {row[0]: row[1] for sheet in places(rules) for row in sheet.rows if len(row) > 1}


def _fitting(words: dict[str, str], begun: str) -> tuple[str, ...]:
    """Return the words that begin so, whatever the capitals; and of titles that do the word, or the titles when several."""
    lower = begun.lower()
    fits = [word for word in words if word.lower().startswith(lower)]
    titled = {} if not lower else {
        title.replace(" ", "_"): word
        for word, title in words.items()
        if word not in fits and title.replace(" ", "_").lower().startswith(lower)
    }  # fmt: skip
    if len(titled) + len(fits) == 1:
        return (*fits, *titled.values())
    return (*fits, *titled)


def completing(seen: Callable[[], Eyes]) -> None:
    """Let the Tab key complete where the system has readline; `seen` gives whose eyes are on the screen."""
    with contextlib.suppress(ImportError):
        import readline

        def complete(begun: str, place: int) -> str | None:
            before = readline.get_line_buffer()[: readline.get_begidx()]
            found = candidates(seen(), before, begun)
            return f"{found[place]} " if place < len(found) else None

        readline.set_completer(complete)
        readline.set_completer_delims(" ,;")
        readline.parse_and_bind(
            "bind ^I rl_complete" if "libedit" in (readline.__doc__ or "") else "tab: complete"
        )


def remembered() -> int:
    """Return how many lines the arrow keys bring back."""
    with contextlib.suppress(ImportError):
        import readline

        return readline.get_current_history_length()
    return 0


def forget_last() -> None:
    """Take the line that was typed last out of what the arrow keys bring back."""
    forget_since(remembered() - 1)


def forget_since(count: int) -> None:
    """Let the arrow keys bring back the first `count` lines alone."""
    with contextlib.suppress(ImportError):
        import readline

        for last in range(readline.get_current_history_length() - 1, max(count, 0) - 1, -1):
            readline.remove_history_item(last)
