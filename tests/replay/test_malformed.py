"""Bad commands by the thousand: each is accepted or refused with a section, none is a traceback, none is half written."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from msgspec import inspect, json

import core.games
from core.kit.chance import AnswerRoll, Deal
from core.rules import Rules
from core.seats import ARBITER, CHANCE
from replay.session import Accepted, Session
from tests.replay.engine import create, memory, play_on, verified

NAMES = ("red", "blue", "chance", "arbiter", "", "x" * 41, "none", "?", "OR_n", "\u00e4", '"', "a b")
NUMBERS = (0, 1, -1, 2, 3, 7, 10**6, 10**6 + 1, 2**53, 2**63, 2**70)


def scrambled(kind: Any, chooser: Random, known: tuple[str, ...]) -> Any:
    """Return something that a field of this type might be given; now and then something of no such type."""
    if chooser.random() < 0.05:
        return chooser.choice((None, 1.5, True, "?", -1, (), {}, [1], b"x", object))
    info = kind.type if isinstance(kind, inspect.Metadata) else kind
    if isinstance(info, inspect.UnionType):
        return scrambled(chooser.choice(info.types), chooser, known)
    if isinstance(info, inspect.IntType):
        return chooser.choice(NUMBERS)
    if isinstance(info, inspect.StrType):
        return chooser.choice((*NAMES, *known))
    if isinstance(info, inspect.LiteralType):
        return chooser.choice(info.values)
    if isinstance(info, inspect.BoolType):
        return chooser.random() < 0.5
    if isinstance(info, inspect.VarTupleType | inspect.ListType):
        return tuple(scrambled(info.item_type, chooser, known) for _ in range(chooser.randrange(3)))
    if isinstance(info, inspect.TupleType):
        return tuple(scrambled(item, chooser, known) for item in info.item_types)
    if isinstance(info, inspect.DictType):
        key = scrambled(info.key_type, chooser, known)
        return {key: scrambled(info.value_type, chooser, known)} if isinstance(key, str | int) else {}
    if isinstance(info, inspect.StructType):
        fields = {field.name: scrambled(field.type, chooser, known) for field in info.fields}
        return info.cls(**fields)
    return None


def strings_in(value: Any) -> set[str]:
    """Return every text in a plain value: the words that a game's own commands are made of."""
    if isinstance(value, str):
        return {value}
    if isinstance(value, dict):
        return {text for pair in value.items() for part in pair for text in strings_in(part)}
    if isinstance(value, list):
        return {text for part in value for text in strings_in(part)}
    return set()


def in_the_middle(rules: Rules[Any], seed: int) -> Session:
    """Return a game played some way at random, the same way for the same seed."""
    session = create(rules, dice="typed", seats=rules.seats[:3])
    play_on(session, 5 + 11 * (seed % 9), seed)
    return session


def asked(session: Session, chooser: Random) -> tuple[str, Any] | None:
    """Return a seat that is asked now, and a kind of command that it may answer with."""
    open_now = [
        (seat, answer)
        for _, question in session.now.questions()
        for seat in question.seats
        for answer in question.answers or (AnswerRoll if question.roll else Deal,)
    ]
    return chooser.choice(open_now) if open_now else None


@pytest.mark.stress
@pytest.mark.parametrize("name", ("skirmish", "fair", "dragonlords"))
def test_ten_thousand_bad_commands_leave_no_trace(
    skirmish: Rules[Any], name: str, rounds: Callable[[int], int]
) -> None:
    """Whatever is asked, by whomever: what is refused cites a section and writes nothing, what is accepted verifies."""
    rules = core.games.load(name)
    chooser = Random(name)
    for game in range(10):
        session = in_the_middle(rules, game)
        known = tuple(sorted(strings_in([json.decode(row.line) for row in session.store.read("g")])))
        for _ in range(rounds(1_000)):
            seat = chooser.choice((*session.now.table.seats, CHANCE, ARBITER, "nobody"))
            kind = chooser.choice(rules.all_commands)
            if chooser.random() < 0.7:
                seat, kind = asked(session, chooser) or (seat, kind)
            command = scrambled(inspect.type_info(kind), chooser, known)
            before = session.head, len(memory(session).held["g"])
            outcome = session.submit(
                seat,
                command,
                overlook=chooser.random() < 0.3,
                question=chooser.choice(("", "", "", "1.0.red", "x")),
                key=chooser.choice(("", "", "k")),
            )
            if not isinstance(outcome, Accepted):
                assert all(rules.knows(ref) for reason in outcome.reasons for ref in reason.because), outcome
                assert all(reason.because and reason.text for reason in outcome.reasons), outcome
                assert (session.head, len(memory(session).held["g"])) == before
            elif session.now.table.disputes:
                session = in_the_middle(rules, game)
        report = verified(session)
        assert report.whole.ok
        assert set(report.grades) <= {"same", "overlooked"}, report.lawful.findings
