"""What people type short, made into whole sentences by what is asked: verbs cut off, a number alone, the name of a phase.

`losses 2` is `take losses 2 unit`, `att OR_n from OR_k with 3` an attack, `end quest` ends the phase if it is that of quests.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from core.asking import Ask, Offer, Part, Pick
from core.rules import Rules
from core.telling import Moment
from events.event import Seat
from replay.cli.trouble import DIVERGED, Trouble
from replay.words.faults import BadText, close_to
from replay.words.forms import Reader, is_text
from replay.words.grammar import Sentence, grammar

__all__ = ["asked_verbs", "begins_with_verb", "parts_of", "phase_of", "sentence_of", "spelled_out"]

MOST_NAMED = 12
"""Verbs that an error lists; no question has more but that of a phase with everything in it."""


def spelled_out(now: Moment[Any], seat: Seat, asks: Sequence[Ask], written: str) -> str:
    """Return what a seat said as a whole sentence; raise `Trouble` when it begins with nothing that anybody can do."""
    rules = now.rules
    words = written.split()
    if not words:
        raise Trouble(f"Nothing is said; {_asked_words(rules, seat, asks)}", kind="unknown_verb")
    exact = _exact(rules, words)
    if exact is not None:
        sentence, taken = exact
    else:
        sentence, taken = _cut_short(rules, seat, asks, words)
    rest = written.split(maxsplit=taken)[taken] if len(words) > taken else ""
    if rest and not sentence.fields and sentence.verb.startswith("end "):
        return _end_named(now, seat, asks, sentence, rest)
    full = _counted(rest, sentence, asks)
    if exact is not None and full == rest:
        return written
    return f"{sentence.verb} {full}".strip()


def parts_of(rules: Rules[Any], written: str) -> tuple[str, ...]:
    """Return a move that names several things where it takes one, as several moves: `claim OR_n IH_k` is two claims."""
    words = written.split()
    if len(words) < 3:
        return (written,)
    for sentence, taken in (found for found in (_exact(rules, words), *_fitting(rules, words)) if found):
        fields, things = sentence.fields, words[taken:]
        alone = len(fields) == 1 and not fields[0].optional and is_text(fields[0].form)
        named = [_name(rules, thing) for thing in things]
        if alone and len(things) > 1 and all(named):
            return tuple(f"{sentence.verb} {name}" for name in named)
    return (written,)


def _name(rules: Rules[Any], said: str) -> str:
    """Return the name that a word is, whatever its capitals; empty when it is none."""
    return next(
        (name for names in rules.names.values() for name in names if said.lower() == name.lower()), ""
    )


def begins_with_verb(rules: Rules[Any], asks: Iterable[Ask], written: str) -> bool:
    """Return whether a line begins with a verb: of any move whole, or cut short of one that is asked."""
    words = written.split()
    return bool(words) and (
        _exact(rules, words) is not None or bool(_fitting(rules, words, _asked(rules, asks)))
    )


def sentence_of(rules: Rules[Any], asks: Iterable[Ask], words: Sequence[str]) -> tuple[Sentence, int] | None:
    """Return the one sentence whose verb these words begin with, and how many of them are it; None when none or several."""
    found = _exact(rules, words)
    if found is not None:
        return found
    fitting = _fitting(rules, words, _asked(rules, asks))
    return fitting[0] if len(fitting) == 1 else None


def asked_verbs(rules: Rules[Any], asks: Iterable[Ask]) -> tuple[str, ...]:
    """Return the verbs by which what is asked can be answered, those that can be offered now first."""
    return tuple(sentence.verb for sentence in _asked(rules, asks))


def phase_of(now: Moment[Any]) -> str:
    """Return the name of the phase that is open, as the game's own state has it; else the kind of what is asked."""
    named = getattr(now.state, "phase", "")
    if isinstance(named, str) and named:
        return named
    return now.question.kind if now.question is not None else ""


def _asked(rules: Rules[Any], asks: Iterable[Ask]) -> tuple[Sentence, ...]:
    asks = tuple(asks)
    kinds = dict.fromkeys(offer.command for ask in asks for offer in ask.offers)
    if not kinds:
        kinds = dict.fromkeys(kind for ask in asks for kind in ask.question.answers)
    by_kind = {sentence.kind: sentence for sentence in grammar(rules).commands.values()}
    return tuple(by_kind[kind] for kind in kinds if kind in by_kind)


def _exact(rules: Rules[Any], words: Sequence[str]) -> tuple[Sentence, int] | None:
    said = [word.lower() for word in words]
    for verb, sentence in grammar(rules).commands.items():
        whole = verb.split()
        if said[: len(whole)] == whole:
            return sentence, len(whole)
    return None


def _fitting(
    rules: Rules[Any], words: Sequence[str], among: Iterable[Sentence] | None = None
) -> list[tuple[Sentence, int]]:
    sentences = grammar(rules).commands.values() if among is None else among
    found = [(sentence, _taken(sentence.verb.split(), words)) for sentence in sentences]
    return [(sentence, taken) for sentence, taken in found if taken]


def _taken(verb: Sequence[str], words: Sequence[str]) -> int:
    """Return how many words are a verb cut short: each the beginning of one of its words, or a later word of it alone."""
    first = words[0].lower()
    if verb[0].startswith(first):
        taken = 1
        while taken < min(len(verb), len(words)) and verb[taken].startswith(words[taken].lower()):
            taken += 1
        return taken
    return int(any(first == later or (len(first) > 2 and later.startswith(first)) for later in verb[1:]))


def _cut_short(
    rules: Rules[Any], seat: Seat, asks: Sequence[Ask], words: Sequence[str]
) -> tuple[Sentence, int]:
    asked = _asked(rules, asks)
    said = words[0]
    found = _fitting(rules, words, asked)
    if len(found) > 1:
        found = [one for one in found if _allowed(rules, asks, one, words)] or found
    # What is not asked now is read all the same: then the rules say why it can't be done.
    found = found or _fitting(rules, words)
    if len(found) > 1:
        found = [one for one in found if _names_what_it_takes(rules, one, words)] or found
    if len(found) > 1:
        found = [one for one in found if _read(rules, asks, one, words) is not None] or found
    found = _best(said, found)
    if len(found) == 1:
        return found[0]
    if found:
        meant = " or ".join(sentence.verb for sentence, _ in found)
        raise Trouble(f"{said!r} is short for {meant}; write a little more of it.", kind="unknown_verb")
    known = [sentence.verb for sentence in (asked or grammar(rules).commands.values())]
    near = close_to(" ".join(words[:2]), known) or close_to(said, known)
    near = near or close_to(said, list(grammar(rules).commands))
    hint = f" Did you mean {' or '.join(near)}?" if near else ""
    raise Trouble(
        f"{said!r} is no move; {_asked_words(rules, seat, asks)}{hint}",
        kind="unknown_verb",
        asked=[sentence.verb for sentence in asked],
    )


def _names_what_it_takes(rules: Rules[Any], one: tuple[Sentence, int], words: Sequence[str]) -> bool:
    """Return whether the word behind a verb is a name of the kind that its first field takes: `read charm` is of a scroll."""
    sentence, taken = one
    if taken >= len(words) or not sentence.fields:
        return False
    what, word = sentence.fields[0].named, words[taken].lower()
    known = (*rules.names.get(what, ()), *rules.called.get(what, ()))
    return any(word == name.lower() for name in known)


def _best(said: str, found: list[tuple[Sentence, int]]) -> list[tuple[Sentence, int]]:
    """Return the sentences of which most words are said; of those, as far as there are any, whose verb begins so."""
    most = max((taken for _, taken in found), default=0)
    found = [one for one in found if one[1] == most]
    return [one for one in found if one[0].verb.startswith(said.lower())] or found


def _asked_words(rules: Rules[Any], seat: Seat, asks: Sequence[Ask]) -> str:
    verbs = asked_verbs(rules, asks)
    if not verbs:
        return f"{seat} is asked nothing now."
    more = f" and {len(verbs) - MOST_NAMED} more" if len(verbs) > MOST_NAMED else ""
    return f"{seat} can answer: {', '.join(verbs[:MOST_NAMED])}{more}."


def _read(rules: Rules[Any], asks: Sequence[Ask], one: tuple[Sentence, int], words: Sequence[str]) -> Any:
    """Return the command that words are, read as a sentence of which so many are the verb; None when they are none."""
    sentence, taken = one
    rest = _counted(" ".join(words[taken:]), sentence, asks)
    try:
        return grammar(rules).command(Reader(f"{sentence.verb} {rest}".strip()))
    except BadText:
        return None


def _allowed(rules: Rules[Any], asks: Sequence[Ask], one: tuple[Sentence, int], words: Sequence[str]) -> bool:
    command = _read(rules, asks, one, words)
    return command is not None and any(offer.allows(command) for ask in asks for offer in ask.offers)


def _end_named(now: Moment[Any], seat: Seat, asks: Sequence[Ask], sentence: Sentence, named: str) -> str:
    """Return the end of a phase that is named, when it is the one that is open; what could not be done is not advised."""
    phase = getattr(now.state, "phase", "")
    open_now = phase_of(now)
    if named.strip().lower() in (open_now.lower(), f"{open_now} phase".lower()):
        return sentence.verb
    asked = now.question
    whose = getattr(now.state, "active", "") or (
        asked.seats[0] if asked is not None and asked.seats else seat
    )
    said = f"Open is the {open_now} phase of {whose}" if phase else "No phase is open"
    if any(offer.command is sentence.kind for ask in asks for offer in ask.offers):
        advice = f"`end {open_now}` would end it."
    elif asked is not None:
        advice = f"nothing ends now, for {' and '.join(asked.seats)} is asked: {asked.prompt or asked.kind}."
    else:
        advice = "nothing ends now."
    raise Trouble(
        f"{said}, not {named.strip()!r}; {advice}",
        code=DIVERGED,
        kind="other_phase",
        phase=open_now,
        seat=whose,
    )


def _counted(rest: str, sentence: Sentence, asks: Sequence[Ask]) -> str:
    """Return what follows a verb with the kinds that a table leaves out, in one, for many, or without the seat's name."""
    offers = [offer for ask in asks for offer in ask.offers if offer.command is sentence.kind]
    if not offers or '"' in rest:
        return rest
    if re.fullmatch(r"\d+", rest.strip()):
        return _of_one_kind(rest, sentence, asks, offers)
    names = _names(offers)
    if not names:
        return rest
    return re.sub(
        r"[^\s,]+",
        lambda word: word[0] if word[0] in sentence.words else _named(word[0], names),
        rest,
    )


def _of_one_kind(rest: str, sentence: Sentence, asks: Sequence[Ask], offers: Sequence[Offer]) -> str:
    """Return a number with the kinds that it counts: the only one there is, or those that silence would take.

    Where another number is due the rules say so.
    """
    if len(sentence.fields) != 1:
        return rest
    field, count = sentence.fields[0], int(rest)
    bounds = [offer.fields.get(field.name) for offer in offers]
    pool = {
        kind: there for held in bounds if isinstance(held, Pick) for kind, there in held.pool.items() if there
    }
    if len(pool) == 1:
        return f"{count} {next(iter(pool))}"
    for ask in asks:
        usual = getattr(ask.silence, field.name, None) if type(ask.silence) is sentence.kind else None
        if count and isinstance(usual, dict) and usual:
            return field.form.write(_so_many(count, usual, pool), frozenset(), False)
    return rest


def _so_many(count: int, usual: Mapping[str, int], pool: Mapping[str, int]) -> dict[str, int]:
    """Return so many of the kinds that are usual, then of the others there; more than there are, of the first kind."""
    taken: dict[str, int] = {}
    for held in (usual, pool):
        for kind, there in held.items():
            more = min(there - taken.get(kind, 0), count - sum(taken.values()))
            if more > 0:
                taken[kind] = taken.get(kind, 0) + more
    first = next(iter(usual))
    taken[first] = taken.get(first, 0) + count - sum(taken.values())
    return taken


def _names(offers: Iterable[Offer]) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for offer in offers:
        for held in offer.fields.values():
            if isinstance(held, Pick):
                found |= dict.fromkeys(held.pool)
            elif isinstance(held, Part):
                found |= dict.fromkeys(held.of)
    return tuple(found)


def _named(said: str, names: Sequence[str]) -> str:
    """Return the one name that a word means: whatever its capitals, for many, or without its seat; else the word itself."""
    if said in names or said.isdigit():
        return said
    lower = said.lower()
    for meant in (lower, lower.removesuffix("s")):
        fits = [name for name in names if name.lower() == meant]
        fits = fits or [name for name in names if meant in name.lower().split(".")]
        if len(fits) == 1:
            return fits[0]
    return said
