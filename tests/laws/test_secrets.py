"""Laws of secrets: a view is a fold, and what a seat may not see makes no difference to anything it is shown."""

import re
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest
from msgspec import structs

from core.deciding import Decision, asks, decide, refusals
from core.kit.chance import Deal
from core.seats import CHANCE
from core.telling import Moment
from events.event import Seat
from tests.driver import SPECTATOR, Heard, Table, assert_open, choices, play
from tests.laws.worlds import ENTRIES, beginning, names_in, perturbed, readers, rules_of, words_of

PAIRS = 300
"""How many pairs of twins a full run takes for each game."""
MASK = re.compile(rb'"(digest|prev)":"[0-9a-f]*"')


def law_view_asks(table: Table) -> None:
    """On the fold of the lines it may read, a seat finds the same questions, the same offers and the same silence."""
    for reader in readers(table):
        for now, seen in zip(table.moments[1:], table.views(reader)[1:], strict=True):
            where = f"{reader} after entry {now.entry - 1}"
            assert _named(seen) == _named(now), where
            assert list(asks(seen, reader)) == list(asks(now, reader)), where


def law_view_refusals(table: Table) -> None:
    """On its view a seat is refused for the same reasons, in the same words, as on the whole state."""
    choose, names = Random(3).randrange, names_in(table)
    views = {seat: table.views(seat) for seat in table.now.table.seats}
    for place, now in enumerate(table.moments[1:], start=1):
        heard: Heard = {}
        for _ in range(3):
            found = perturbed(now, names, choose, heard)
            if found is not None and found[0] in views:
                seat, command = found
                seen = views[seat][place]
                assert refusals(seen, seat, command) == refusals(now, seat, command), (seat, command)


def law_open_reasons(table: Table) -> None:
    """Reasons that are not marked secret are found by who looks on as well: each is true, and none of them is missed (LS-2.7)."""
    choose, names = Random(5).randrange, names_in(table)
    views = {seat: table.views(seat) for seat in table.now.table.seats}
    for place, now in enumerate(table.moments[1:], start=1):
        heard: Heard = {}
        for _ in range(3):
            found = perturbed(now, names, choose, heard)
            if found is None or found[0] not in views:
                continue
            seat, command = found
            told = refusals(views[seat][place], seat, command)
            guessed = refusals(table.views(SPECTATOR)[place], seat, command)
            assert_open(told, guessed, (seat, command))


def law_view_draws(table: Table) -> None:
    """Of a public draw everybody knows which cards are left: it may be given by who draws it (LS-4.6)."""
    for place, now in enumerate(table.moments[1:], start=1):
        asked = now.question
        if asked is None or asked.draw is None or not asked.draw.public:
            continue
        left = now.state.agenda[-1].step.pool(now)
        for reader in readers(table):
            seen = table.views(reader)[place]
            assert seen.state.agenda[-1].step.pool(seen) == left, reader
        for card in dict.fromkeys((*left, "?")):
            decided = decide(now, CHANCE, Deal(card))
            assert isinstance(decided, Decision)
            assert decided.command_to == (), f"{card} is a public card, and is sealed"


def law_view_decides(table: Table) -> None:
    """What a seat is shown never holds what was sealed to others."""
    for told in table.log:
        for opening in told.openings:
            for reader in readers(table):
                if reader not in opening.to:
                    assert bytes(opening.value) not in _line(table, told, reader)


@pytest.mark.parametrize(
    "law", (law_view_asks, law_view_refusals, law_open_reasons, law_view_draws, law_view_decides)
)
def test_a_seat_finds_on_its_own_view_what_the_whole_state_says(tables: list[Table], law: Any) -> None:
    """Questions, offers, silences and refusals of a seat can be computed from the lines it may read."""
    for table in tables:
        law(table)


def test_who_looks_on_folds_every_log_to_its_end(tables: list[Table]) -> None:
    """The lines fold for somebody who has no opening at all, and he sees who is asked and how the game ended."""
    for table in tables:
        seen = table.view("spectator")
        assert seen.state.ended == table.state.ended
        assert seen.state.out == table.state.out
        assert seen.table == table.now.table


def test_what_a_seat_may_not_see_makes_no_difference_to_it(name: str, rounds: Callable[[int], int]) -> None:
    """Two games that differ only in a secret look the same to everybody else until the secret is revealed."""
    found = sum(twins(name, seed) for seed in range(rounds(PAIRS)))
    if any(audience for audience in _audiences(name)):
        assert found, f"no pair of twins was found in {name}, which has secrets"


def twins(name: str, seed: int) -> bool:
    """Play two games that differ in one secret, and compare what others see; False when no secret was found."""
    choose = Random(seed).randrange
    begun = beginning(name, choose) if seed % 2 else []
    first = play(rules_of(name), seed, 2 + choose(ENTRIES), begun=begun)
    for _ in range(60):
        choice = choices(first.now, choose)
        if choice is None:
            return False
        decided = decide(first.now, choice.seat, choice.command)
        assert isinstance(decided, Decision)
        other = _another_secret(first.now, choice.seat, choice.command, decided, choose)
        if other is not None:
            second = first.twin()
            first.must(choice.seat, choice.command)
            second.must(choice.seat, other)
            owners = {seat for audience in decided.audiences for seat in audience}
            about = words_of(choice.command) ^ words_of(other)
            _compare(first, second, owners | {choice.seat}, about, choose)
            return True
        first.must(choice.seat, choice.command)
    return False


def _another_secret(
    now: Moment[Any], seat: Seat, command: Any, decided: Decision[Any], choose: Callable[[int], int]
) -> Any:
    """Return a command that differs from a sealed one in what is secret alone, if one is offered."""
    if not decided.command_to:
        return None
    for other in _variations(now, seat, command, choose):
        if other == command:
            continue
        again = decide(now, seat, other)
        # What is dealt is secret in all it does; what a seat commands may have a public part, which must be the same.
        if isinstance(again, Decision) and (isinstance(command, Deal) or _public(again) == _public(decided)):
            return other
    return None


def _variations(now: Moment[Any], seat: Seat, command: Any, choose: Callable[[int], int]) -> Iterator[Any]:
    """Yield commands of the same offers: with one field chosen otherwise, then with all."""
    offers = [offer for ask in asks(now, seat) for offer in ask.offers if offer.allows(command)]
    for offer in offers:
        for name, bound in offer.fields.items():
            if hasattr(bound, "sample"):
                for _ in range(4):
                    yield structs.replace(command, **{name: bound.sample(choose)})
        for _ in range(4):
            yield offer.sample(choose)


def _public(decided: Decision[Any]) -> list[Any]:
    return [
        fact
        for fact, audience in zip(decided.facts, decided.audiences, strict=True)
        if not audience and not fact.REVEALS
    ]


def _compare(
    first: Table, second: Table, owners: set[Seat], about: frozenset[str], choose: Callable[[int], int]
) -> None:
    """Let both games go on alike, and compare what everybody else is shown until the secret is out for him."""
    watching = [reader for reader in readers(first) if reader not in owners]
    seats = set(first.now.table.seats)
    for _ in range(ENTRIES):
        watching = [reader for reader in watching if _looks_the_same(first, second, reader)]
        if not watching:
            return
        step = _common(first, second, seats - set(watching), about, choose)
        if step is None:
            return
        seat, command = step
        decided = first.must(seat, command)
        again = second.send(seat, command)
        assert isinstance(again, Decision), f"{seat} is refused {command} for another's secret: {again}"
        assert decided.command_to == again.command_to


def _common(
    first: Table, second: Table, knowing: set[Seat], about: frozenset[str], choose: Callable[[int], int]
) -> tuple[Seat, Any] | None:
    """Return a command that can be given in both games, rather one that names what the secret is about.

    Whoever knows the secret, and the deck, may have to look for one.
    """
    heard: Heard = {}
    found = [choice for _ in range(12) if (choice := choices(first.now, choose, heard=heard))]
    for choice in sorted(found, key=lambda choice: not about & words_of(choice.command)):
        may_differ = choice.seat in knowing or isinstance(choice.command, Deal)
        if not may_differ or isinstance(decide(second.now, choice.seat, choice.command), Decision):
            return choice.seat, choice.command
    return None


def _looks_the_same(first: Table, second: Table, reader: Seat) -> bool:
    """Return whether both games look the same to a reader; where they do not, a fact must have revealed it."""
    one, two = first.log[-1], second.log[-1]
    facts = first.seen(one, reader).facts, second.seen(two, reader).facts
    if MASK.sub(b"", _line(first, one, reader)) == MASK.sub(b"", _line(second, two, reader)):
        seen, other = first.view(reader), second.view(reader)
        assert seen.state == other.state
        assert list(asks(seen, reader)) == list(asks(other, reader))
        assert _named(first.now) == _named(second.now)
        return True
    for a, b in zip(*facts, strict=False):
        if _masked(first, a) == _masked(first, b):
            continue  # what is told alike of both reveals nothing that parts them
        assert type(a).REVEALS or type(b).REVEALS, (
            f"entry {one.entry.id}: {reader} sees {a} or {b}, by a secret that is not his"
        )
        return False
    raise AssertionError(
        f"entry {one.entry.id}: {reader} can tell apart {facts[0]} and {facts[1]}, or their commands"
    )


def _named(now: Moment[Any]) -> list[Any]:
    return [(opened.name(seat), asked) for opened, asked in now.questions() for seat in asked.seats]


def _line(table: Table, told: Any, reader: Seat) -> bytes:
    """Return an entry as bytes, with what the reader may see in its place."""
    return table.rules.codec.encode(table.seen(told, reader))


def _masked(table: Table, fact: Any) -> bytes:
    return MASK.sub(b"", table.rules.codec.value(fact))


def _audiences(name: str) -> list[tuple[Seat, ...]]:
    """Return whom something was sealed to in a few games played at random."""
    return [
        opening.to
        for seed in range(3)
        for told in play(rules_of(name), seed, 80).log
        for opening in told.openings
        if opening.to != (CHANCE,)
    ]
