"""Claims: what a scoresheet says has followed. A tally counts facts since the last claim; a standing is so or is not.

A tally is `<who> <word> <number> [<kind>]`, as in `orc loses 2` or `orc loses 1 dragonlord`; the word is the one that a fact
of the game declares, and so are the kinds. A standing is a set-up fact: `units orc OR_n 3`.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import combinations, product
from typing import Any, get_origin

from msgspec import structs

from core.rules import Rules, Setup
from events.event import FactData, Seat
from replay.words.faults import close_to
from replay.words.forms import Reader, quoted
from replay.words.grammar import grammar
from replay.words.names import refuse_strangers

__all__ = [
    "Claim",
    "Standing",
    "Tally",
    "amounts",
    "claim_kinds",
    "claim_words",
    "counted",
    "holds",
    "in_other_words",
    "is_of",
    "parse_claims",
    "standing_now",
    "why_not",
    "write_claim",
]

MOST_STANDING = 200
"""The largest number that is looked for in place of a claimed one."""
MOST_OF_ONE, FEW_OF_ANOTHER = 40, 6
"""Fewer than so many of one thing and of another are looked for in place of two numbers that are claimed at once."""


@dataclass(frozen=True)
class Tally:
    """So many of such facts since the last claim: of whom, which word, how many, of which kind (empty: any)."""

    who: str
    word: str
    count: int
    kind: str = ""


@dataclass(frozen=True)
class Standing:
    """This stands here now."""

    fact: Setup[Any]


Claim = Tally | Standing


def claim_words(rules: Rules[Any]) -> Mapping[str, tuple[type[FactData], ...]]:
    """Return the facts of a game that can be claimed, by their word."""
    held: dict[str, tuple[type[FactData], ...]] = {}
    for kind in rules.all_facts:
        kind = getattr(kind, "__origin__", kind)
        if kind.CLAIM:
            held[kind.CLAIM] = (*held.get(kind.CLAIM, ()), kind)
    return held


def claim_kinds(rules: Rules[Any]) -> Mapping[str, tuple[str, ...]]:
    """Return what claims may count, by the word of the claim: the kinds of a game, in the singular."""
    return {
        word: tuple(dict.fromkeys(kind for fact in facts for kind in fact.CLAIM_KINDS))
        for word, facts in claim_words(rules).items()
    }


def amounts(fact: FactData) -> dict[str, int]:
    """Return how many of each kind a claimable fact tells of; one of no kind when it counts nothing."""
    counts = [value for name, value in _fields(fact) if isinstance(value, dict)]
    if counts:
        return {kind: count for kind, count in counts[0].items() if isinstance(count, int)}
    count = getattr(fact, "count", 1)
    return {str(getattr(fact, "kind", "")): count if isinstance(count, int) else 1}


def _fields(fact: FactData) -> list[tuple[str, Any]]:
    return [(name, getattr(fact, name)) for name in fact.__struct_fields__ if name != "because"]


def _who(fact: FactData) -> str:
    seat = getattr(fact, "seat", None)
    return str(seat if seat is not None else next((value for _, value in _fields(fact)), ""))


def is_of(tally: Tally, fact: FactData) -> bool:
    """Return whether a fact is one that a tally counts."""
    of_kind = not (tally.kind and fact.CLAIM_KINDS) or tally.kind in fact.CLAIM_KINDS
    return of_kind and tally.word == fact.CLAIM and _who(fact) == tally.who


def counted(tally: Tally, facts: Iterable[FactData]) -> int:
    """Return how many a tally should say, by these facts."""
    return sum(_amount_of(fact, tally.kind) for fact in facts if is_of(tally, fact))


def _amount_of(fact: FactData, kind: str) -> int:
    """Return how many a fact tells of, of one kind or (empty) of all; a kind may be a number field of its own."""
    held = amounts(fact)
    if not kind:
        return sum(held.values())
    number = _number_of(fact, kind)
    if number is not None:
        return number
    if kind in held or kind != next(iter(fact.CLAIM_KINDS), ""):
        return held.get(kind, 0)
    return sum(held.values()) - sum(_number_of(fact, other) or 0 for other in fact.CLAIM_KINDS)


def _number_of(fact: FactData, kind: str) -> int | None:
    """Return how many of a kind a fact tells of in a field of its own: `dragonlords`."""
    number = next(
        (getattr(fact, name) for name in (kind, f"{kind}s") if name in fact.__struct_fields__), None
    )
    return number if type(number) is int else None


def parse_claims(rules: Rules[Any], seats: tuple[Seat, ...], reader: Reader) -> tuple[Claim, ...]:
    """Return the claims of a line, set apart by commas or semicolons; raise `BadText`."""
    claims: list[Claim] = []
    while True:
        last = claims[-1] if claims else None
        claims.append(_claim(rules, seats, reader, last if isinstance(last, Tally) else None))
        if reader.at_end:
            return tuple(_whole(rules, claim, claims) for claim in claims)
        if not (reader.takes(",") or reader.takes(";")):
            raise reader.fault(f"{reader.rest()!r} is more than the claim says", "a comma or the end")


def _whole(rules: Rules[Any], claim: Claim, claims: Iterable[Claim]) -> Claim:
    """Return a claim of all that is counted without a kind: `2 unit` are all, unless DragonLords are counted beside them."""
    if not isinstance(claim, Tally) or not claim.kind:
        return claim
    if any(next(iter(fact.CLAIM_KINDS), "") != claim.kind for fact in claim_words(rules)[claim.word]):
        return claim
    beside = [
        other
        for other in claims
        if isinstance(other, Tally) and (other.who, other.word) == (claim.who, claim.word)
    ]
    return claim if any(other.kind != claim.kind for other in beside) else replace(claim, kind="")


def _claim(rules: Rules[Any], seats: tuple[Seat, ...], reader: Reader, before: Tally | None) -> Claim:
    words = claim_words(rules)
    if before is not None and reader.token().isdecimal():
        return _amount(rules, reader, before.who, before.word)
    if reader.word() in grammar(rules).setup:
        ahead = Reader(reader.text[reader.at :])
        ahead.take()
        if not _word(ahead, words):
            return _standing(rules, seats, reader)
    usage = f"<who> {'|'.join(words)} <number> [<kind>]" if words else ""
    standings = grammar(rules).setup
    usages = [one.usage for one in standings.values()]
    if len(usages) > 3:
        usages = [f"what stands: {'|'.join(standings)} ..."]
    expected = " or ".join(filter(None, (usage, *usages)))
    if reader.at_end:
        raise reader.fault("a claim is missing", expected)
    column, who = reader.column, reader.text_value("who")
    who = grammar(rules).named("seat", who) or who
    word = _word(reader, words)
    if not word:
        known = [*words, *grammar(rules).setup]
        raise reader.fault(
            f"{reader.rest() or who!r} is no claim", expected, close_to(reader.token() or who, known)
        )
    named = any("seat" in kind.__struct_fields__ for kind in words[word])
    if named and who not in seats:
        raise reader.fault(
            f"nobody is called {who!r}", f"one of: {', '.join(seats)}", close_to(who, seats), column
        )
    return _amount(rules, reader, who, word, single=not any(map(_counts, words[word])))


def _standing(rules: Rules[Any], seats: tuple[Seat, ...], reader: Reader) -> Standing:
    """Return what is claimed to stand; raise `BadText` at a name that the game does not know."""
    begin = reader.at
    fact = grammar(rules).standing(reader)
    refuse_strangers(rules, fact, reader, begin, seats)
    return Standing(fact)


def _counts(kind: type[FactData]) -> bool:
    """Return whether facts of a class say how many."""
    fields = {field.name: field.type for field in structs.fields(kind)}
    return "count" in fields or any(get_origin(held) is dict for held in fields.values())


def _word(reader: Reader, words: Iterable[str]) -> str:
    for word in sorted(words, key=lambda word: -len(word)):
        if reader.take_words(word.split()):
            return word
    return ""


def _amount(rules: Rules[Any], reader: Reader, who: str, word: str, *, single: bool = False) -> Tally:
    token = reader.token()
    if single and token in ("", ",", ";"):
        return Tally(who, word, 1)
    if token in ("none", "nothing"):
        reader.take()
        return Tally(who, word, 0)
    if not (token.isascii() and token.isdecimal() and len(token) < 16):
        raise reader.fault(
            f"{who} {word}: there is {token!r}" if token else f"{who} {word}: the number is missing",
            "a number",
        )
    count = int(reader.take())
    if reader.at_end or reader.token() in (",", ";"):
        return Tally(who, word, count)
    return Tally(who, word, count, _kind(rules, reader, word))


def _kind(rules: Rules[Any], reader: Reader, word: str) -> str:
    """Return the kind that is counted, in the singular; raise `BadText` at one that is not among those of the word.

    Where a game names no kinds for a word, any may stand there.
    """
    column, said = reader.column, reader.text_value("kind")
    kinds = claim_kinds(rules)[word]
    if not kinds:
        return said
    plain = {_plain(kind): kind for kind in kinds}
    many = {_plain(f"{kind[:-1]}ies" if kind.endswith("y") else f"{kind}s"): kind for kind in kinds}
    found = plain.get(_plain(said)) or many.get(_plain(said))
    if found is None:
        raise reader.fault(
            f"{said!r} is nothing that {word!r} counts",
            f"one of: {', '.join(kinds)}",
            close_to(said, kinds),
            column,
        )
    return found


def _plain(name: str) -> str:
    """Return a name as it is compared: people write `dragon orb` and `Dragon-Orb`."""
    return re.sub(r"[\s_-]", "", name).casefold()


def write_claim(rules: Rules[Any], claim: Claim) -> str:
    """Return the text of a claim."""
    if isinstance(claim, Standing):
        return grammar(rules).write(claim.fact)
    kind = f" {quoted(claim.kind)}" if claim.kind else ""
    return f"{quoted(claim.who)} {claim.word} {claim.count}{kind}"


def holds(claim: Standing, state: Any) -> bool:
    """Return whether it stands so; what has no place on the board does not."""
    return _stands(claim, state) or claim.fact.says_none(state)


def _stands(claim: Standing, state: Any) -> bool:
    try:
        return claim.fact.holds(state)
    except (KeyError, ValueError, TypeError, IndexError, AttributeError):
        return False


def standing_now(claim: Standing, state: Any, seats: Iterable[Seat]) -> Standing | None:
    """Return what stands in place of what was claimed; None without such.

    That is the same with another number, else the same seat's in other words, else with other numbers, else another seat's.
    """
    found = _with_number(claim, state, 0)
    other = claim.fact.instead(state) if found is None else None
    if other is not None:
        return Standing(other[0])
    found = found or _with_numbers(claim, state)
    for seat in seats:
        if found is None and "seat" in claim.fact.__struct_fields__:
            found = _with_number(Standing(structs.replace(claim.fact, seat=seat)), state, 1)
    return found


def in_other_words(claim: Standing, state: Any) -> Setup[Any] | None:
    """Return what stands of the same seat and is said in other words than were claimed; None when no other are."""
    other = claim.fact.instead(state) if _with_number(claim, state, 0) is None else None
    return other[0] if other is not None else None


def why_not(claim: Standing, state: Any) -> str:
    """Return why what stands is said in other words than were claimed, as a sentence; nothing when it is not."""
    other = claim.fact.instead(state) if _with_number(claim, state, 0) is None else None
    return other[1] if other is not None else ""


def _with_number(claim: Standing, state: Any, least: int) -> Standing | None:
    for name in reversed(claim.fact.__struct_fields__):
        if type(getattr(claim.fact, name)) is int:
            for number in range(least, MOST_STANDING):
                held = Standing(structs.replace(claim.fact, **{name: number}))
                if _stands(held, state):
                    return held
    return None


def _with_numbers(claim: Standing, state: Any) -> Standing | None:
    """Return what stands with more than one other number: no units, but a DragonLord."""
    names = [name for name in claim.fact.__struct_fields__ if type(getattr(claim.fact, name)) is int]
    for first, second in combinations(names, 2):
        for many, few in product(range(MOST_OF_ONE), range(FEW_OF_ANOTHER)):
            held = Standing(structs.replace(claim.fact, **{first: many, second: few}))
            if _stands(held, state):
                return held
    return None
