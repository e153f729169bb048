"""What an arbiter says on a scoresheet, and how a seat contests.

`arbiter: correct units orc OR_n 3; gold orc 5 because one stone lay on the floor`,
`arbiter: rule X61 = extra because the table always played so`, `arbiter: uphold because ...`,
`arbiter: penalise orc for looking because ...`, `arbiter: forfeit orc because ...` (`forfeit orc alone`: not his player's other
seats); and `orc: dispute the wizard had fled`.
A ruling may name sections (`under QD-10.5, QD-10.6`) and the dispute it is on (`on 12`, the entry that raised it).
"""

import json
from collections.abc import Callable, Mapping
from typing import Any

from msgspec import structs

from core.kit.disputing import RaiseDispute
from core.kit.table import Correct, Rule
from core.rules import Rules
from events.event import Seat
from events.table import Answered, Forfeited, Penalised, Upheld, Verdict, WentBack
from replay.sheets.header import faulty_answer
from replay.texts import MOST_TEXT
from replay.words.faults import close_to
from replay.words.forms import Reader, quoted
from replay.words.grammar import grammar
from replay.words.names import refuse_strangers

__all__ = [
    "LATEST",
    "parse_arbiter",
    "parse_dispute",
    "parse_going_back",
    "prose",
    "read_prose",
    "write_arbiter",
    "write_dispute",
]

LATEST = 2**53 - 1
"""Stands for the entry that a sheet does not number: the last one, or that of the oldest open dispute."""


def prose(text: str) -> str:
    """Return a sentence as it is written at the end of a line: as it is, or quoted when that would not be read back."""
    plain = text.isprintable() and text == text.strip() and text and text[0] != '"' and "#" not in text
    return text if plain else json.dumps(text).replace("#", "\\u0023")


def read_prose(reader: Reader, what: str, most: int = MOST_TEXT) -> str:
    """Return the sentence that is the rest of the line; raise `BadText` when there is none, or one of more characters."""
    rest = reader.rest()
    if not rest:
        raise reader.fault(f"{what} is missing", "some words")
    if rest.startswith('"'):
        try:
            text = json.loads(rest)
        except ValueError:
            raise reader.fault(
                f"{what} begins with a quote but is no quoted text", "quotes and escapes as in JSON"
            ) from None
        rest = str(text)
    if len(rest) > most:
        raise reader.fault(f"{what} has {len(rest):,} characters", f"at most {most:,} (LS-1.8)")
    reader.go_to(len(reader.text))
    return rest


def parse_dispute(reader: Reader) -> RaiseDispute:
    """Return the dispute that a seat raises, the word `dispute` having been read; raise `BadText`."""
    at = _number(reader) if reader.take_words(["entry"]) else LATEST
    return RaiseDispute(at, read_prose(reader, "what is contested"))


def write_dispute(command: RaiseDispute) -> str:
    """Return the text of a dispute."""
    return f"dispute entry {command.at} {prose(command.claim)}"


def parse_arbiter(rules: Rules[Any], seats: tuple[Seat, ...], reader: Reader) -> Any:
    """Return the correction or ruling of a line; raise `BadText`. `rule` may stand before each verdict: `rule uphold because ...`."""
    verdicts: dict[str, Callable[[], Rule]] = {
        "uphold": lambda: _rule(rules, reader, Upheld()),
        "penalise": lambda: _rule(rules, reader, _penalty(seats, reader)),
        "forfeit": lambda: _rule(
            rules, reader, Forfeited(_seat(seats, reader), alone=reader.take_words(["alone"]))
        ),
    }
    acts: dict[str, Callable[[], Any]] = {
        "correct": lambda: _correct(rules, seats, reader),
        "rule": lambda: _first(reader, verdicts) or _rule(rules, reader, _answer(rules, reader)),
        **verdicts,
    }
    said = reader.word()
    found = _first(reader, acts)
    if found is not None:
        return found
    message = f"the arbiter does not {said!r}" if said else "the arbiter says nothing"
    raise reader.fault(message, f"one of: {', '.join(acts)}", close_to(said, acts))


def _first(reader: Reader, acts: Mapping[str, Callable[[], Any]]) -> Any:
    """Return what is read after the word that stands next; None when it is none of these."""
    return next((parse() for act, parse in acts.items() if reader.take_words([act])), None)


def parse_going_back(rules: Rules[Any], reader: Reader) -> Rule | None:
    """Return the ruling that the game goes back to an entry, `go back to entry 6 because ...`, or None; raise `BadText`.

    Only where entries have numbers: on a sheet nothing is gone back to.
    """
    before = reader.at
    reader.take_words(["rule"])
    if not reader.take_words(["go", "back", "to"]):
        reader.go_to(before)
        return None
    reader.take_words(["entry"])
    return _rule(rules, reader, WentBack(_number(reader)))


def _correct(rules: Rules[Any], seats: tuple[Seat, ...], reader: Reader) -> Correct[Any]:
    facts = [] if reader.take_words(["nothing"]) else [_standing(rules, seats, reader)]
    while facts and reader.takes(";"):
        facts.append(_standing(rules, seats, reader))
    return Correct(_reason(reader), tuple(facts))


def _standing(rules: Rules[Any], seats: tuple[Seat, ...], reader: Reader) -> Any:
    begin = reader.at
    fact = grammar(rules).standing(reader)
    refuse_strangers(rules, fact, reader, begin, seats)
    return fact


def _reason(reader: Reader) -> str:
    if not reader.take_words(["because"]):
        raise reader.fault(
            f"there is {reader.token()!r}" if reader.token() else "the reason is missing", "because ..."
        )
    return read_prose(reader, "the reason")


def _rule(rules: Rules[Any], reader: Reader, verdict: Verdict) -> Rule:
    dispute = _number(reader) if reader.take_words(["on"]) else LATEST
    because: list[str] = []
    if reader.take_words(["under"]):
        because.append(_section(rules, reader))
        while reader.takes(","):
            because.append(_section(rules, reader))
    return Rule(verdict, _reason(reader), dispute, tuple(because))


def _section(rules: Rules[Any], reader: Reader) -> str:
    column, said = reader.column, reader.text_value("section")
    for ref in (said.upper(), rules.rulebook.full_id(said)):
        if rules.knows(ref):
            return ref
    close = close_to(rules.rulebook.full_id(said), (*rules.rulebook.sections, *rules.rulebook.points))
    raise reader.fault(f"{said} is nowhere in the rulebook", "a section", close, column)


def _answer(rules: Rules[Any], reader: Reader) -> Answered:
    column, point = reader.column, reader.text_value("point")
    if not reader.takes("="):
        raise reader.fault(f"{point}: no answer follows", "rule <point> = <answer> because ...")
    answer = reader.text_value("answer")
    full, fault = faulty_answer(rules, point, answer)
    if fault is not None:
        raise reader.fault(fault.message, fault.expected, fault.close, column)
    return Answered(full, answer)


def _seat(seats: tuple[Seat, ...], reader: Reader) -> Seat:
    column, said = reader.column, reader.text_value("seat")
    seat = next((name for name in seats if name.lower() == said.lower()), said)
    if seat not in seats:
        raise reader.fault(
            f"nobody is called {seat!r}", f"one of: {', '.join(seats)}", close_to(seat, seats), column
        )
    return seat


def _penalty(seats: tuple[Seat, ...], reader: Reader) -> Penalised:
    seat = _seat(seats, reader)
    if not reader.take_words(["for"]):
        raise reader.fault("what the penalty is for is missing", f"penalise {seat} for <what> because ...")
    what = reader.text_value("what")
    if len(what) > MOST_TEXT:
        raise reader.fault(
            f"what is penalised has {len(what):,} characters", f"at most {MOST_TEXT:,} (LS-1.8)"
        )
    return Penalised(seat, what)


def _number(reader: Reader) -> int:
    token = reader.token()
    if not (token.isascii() and token.isdecimal() and len(token) < 16):
        raise reader.fault(
            f"there is {token!r}" if token else "the number is missing", "the number of an entry"
        )
    return int(reader.take())


def write_arbiter(rules: Rules[Any], command: Any, *, disputed: bool = True) -> str | None:
    """Return the text of a correction or ruling; None when a sheet has no words for it (going back).

    `disputed`: a dispute is open, so that a ruling on none of them must say so.
    """
    if isinstance(command, Correct):
        facts = "; ".join(grammar(rules).write(structs.replace(fact, because=())) for fact in command.facts)
        return f"correct {facts or 'nothing'} because {prose(command.reason)}"
    if not isinstance(command, Rule):
        return None
    verdict = command.verdict
    if isinstance(verdict, Answered):
        said = f"rule {verdict.point} = {quoted(verdict.answer)}"
    elif isinstance(verdict, Penalised):
        said = f"penalise {quoted(verdict.seat)} for {quoted(verdict.what)}"
    elif isinstance(verdict, Forfeited):
        said = f"forfeit {quoted(verdict.seat)}{' alone' * verdict.alone}"
    elif isinstance(verdict, Upheld):
        said = "uphold"
    else:
        return None
    under = f" under {', '.join(command.because)}" if command.because else ""
    on = f" on {command.dispute}" if command.dispute or disputed else ""
    return f"{said}{on}{under} because {prose(command.reason)}"
