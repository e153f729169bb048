"""Laws of folding: a state is the fold of its lines, and folding or asking changes nothing that stands."""

import re
from typing import Any

import pytest

from core.deciding import asks, opening
from core.folding import fold, fold_all
from core.telling import Moment
from events.chain import Head, check_chain, hash_of
from tests.driver import Table, seats_of
from tests.laws.worlds import moments


def law_codec(table: Table) -> None:
    """A line reads back as the entry, its seals open to what was decided, and it is written in the one way."""
    codec = table.rules.codec
    for told in table.log:
        read = codec.decode(told.line)
        assert codec.encode(read) == told.line
        assert codec.is_canonical(told.line, read)
        assert codec.reveal(read, told.openings) == told.entry


def law_fold(table: Table) -> None:
    """The fold of the lines is the live state after every entry, and the live table."""
    codec = table.rules.codec
    entries = [codec.reveal(codec.decode(told.line), told.openings) for told in table.log]
    for folded, live in zip(fold_all(opening(table.rules), entries), table.moments, strict=True):
        assert folded.state == live.state
        assert folded.table == live.table
        assert folded.entry == live.entry


def law_untouched(table: Table) -> None:
    """Folding an entry leaves the state and the table before it as they were."""
    for told in table.log:
        entry = told.entry
        state, seats = table.moments[entry.parent].state, table.moments[entry.id - 1].table
        before = repr((state, seats))
        fold(Moment(table.rules, state, seats, entry.id), entry)
        assert repr((state, seats)) == before, f"entry {entry.id} was folded into the state before it"


def law_sound(table: Table) -> None:
    """Every state on the way is one that the game can hold, looked at whole or from the one before it."""
    for now in moments(table):
        before = table.moments[table.log[now.entry - 2].entry.parent].state
        assert list(table.rules.sound(now.state)) == [], f"after entry {now.entry - 1}"
        assert list(table.rules.sound(now.state, before)) == [], f"since the parent of entry {now.entry - 1}"


def law_asking(table: Table) -> None:
    """Deriving a question or an offer changes nothing, and what a decision hands on is what is derived anew."""
    for now in moments(table):
        before = repr((now.state, now.table))
        anew = Moment(table.rules, now.state, now.table, now.entry)
        assert anew.question == now.question, f"after entry {now.entry - 1}"
        first = [list(asks(now, seat)) for seat in seats_of(now)]
        assert [list(asks(anew, seat)) for seat in seats_of(anew)] == first
        assert repr((now.state, now.table)) == before, f"asking after entry {now.entry - 1} changed the game"


def law_names(table: Table) -> None:
    """A question's name is the entry that opened its step, the step's place there, and the seat; no two are alike."""
    for now in moments(table):
        names = [ask.name for seat in seats_of(now) for ask in asks(now, seat)]
        assert len(set(names)) == len(names)
        for name in names:
            found = re.fullmatch(r"(\d+)\.(\d+)\.(\S+)", name)
            assert found
            opener = table.log[int(found[1]) - 1].entry.facts[-1]
            steps: Any = getattr(opener, "steps", ())
            assert int(found[2]) < len(steps), f"{name} names a step that entry {found[1]} did not open"


def law_chain(table: Table) -> None:
    """The lines are one unbroken log that ends at its head."""
    lines = [told.line for told in table.log]
    assert list(check_chain(lines, Head(len(lines), hash_of(lines[-1])))) == []


@pytest.mark.parametrize(
    "law", (law_codec, law_fold, law_untouched, law_sound, law_asking, law_names, law_chain)
)
def test_every_game_keeps_the_laws_of_folding(tables: list[Table], law: Any) -> None:
    """Lines, states and questions agree with one another, whoever derives them, as often as he likes."""
    for table in tables:
        law(table)
