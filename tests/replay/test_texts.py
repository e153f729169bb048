"""What people write in their own words is bounded, at every door alike; what an older program took is read as ever (LS-1.8)."""

from typing import Any

import pytest

from core.rules import Rules
from events.table import Penalised, Upheld
from replay.session import RefusedByRules
from replay.sheets.position import BadPosition, parse_position
from replay.sheets.scoresheet import BadSheet, parse_sheet
from replay.texts import MOST_KEY, MOST_NAME, MOST_TEXT, MOST_TITLE
from tests.replay.engine import Memory, accepted, create, reasons, verified, words

NAME, TITLE, TEXT, KEY = "n" * MOST_NAME, "t" * MOST_TITLE, "w" * MOST_TEXT, "k" * MOST_KEY


@pytest.mark.parametrize(
    "opened",
    (
        {"title": f"{TITLE}t"},
        {"persons": {"red": f"{NAME}n"}},
        {"actor": f"{NAME}n"},
        {"persons": {"red": "Anna", "blue": "b" * 900_000}},
    ),
)
def test_no_game_opens_with_a_name_or_title_that_nobody_reads(
    opened: dict[str, Any], skirmish: Rules[Any]
) -> None:
    """The refusal says how much is taken, and repeats nothing of it; one letter less is taken."""
    store = Memory()
    with pytest.raises(RefusedByRules) as told:
        create(skirmish, store, **opened)
    (reason,) = told.value.reasons
    assert (reason.code, reason.because) == ("too_long", ("LS-1.8",))
    assert len(reason.text) < 100
    assert store.games() == []
    assert create(skirmish, title=TITLE, persons={"red": NAME}, actor=NAME).now.table.title == TITLE


def test_a_person_is_named_for_a_seat_that_somebody_has(skirmish: Rules[Any]) -> None:
    """Nobody sits at violet: no game is opened."""
    store = Memory()
    with pytest.raises(RefusedByRules, match="Nobody sits at 'violet'") as told:
        create(skirmish, store, persons={"violet": "Vi"})
    assert [(reason.code, *reason.because) for reason in told.value.reasons] == [("no_such_seat", "LS-1.8")]
    assert store.games() == []


def test_a_reason_a_claim_a_key_and_a_penalty_are_bounded(skirmish: Rules[Any]) -> None:
    """Whoever gives them is told the bound and nothing is written; up to it they are kept."""
    session, toy = create(skirmish), words(skirmish)
    accepted(session.submit("red", toy.Bid(1)))
    too_long = [("too_long", "LS-1.8")]
    assert reasons(session.dispute("blue", 2, f"{TEXT}w")) == too_long
    assert reasons(session.rule(Upheld(), f"{TEXT}w")) == too_long
    assert reasons(session.rule(Penalised("red", f"{TEXT}w"), "late")) == too_long
    assert reasons(session.correct(f"{TEXT}w", ())) == too_long
    assert reasons(session.take_back("red", 1, reason=f"{TEXT}w")) == too_long
    assert reasons(session.submit("blue", toy.Bid(1), key=f"{KEY}k")) == too_long
    assert reasons(session.submit("blue", toy.Bid(1), actor=f"{NAME}n")) == too_long
    assert session.head.id == 2
    assert accepted(session.submit("blue", toy.Bid(1), key=KEY, actor=NAME)).key == KEY
    assert accepted(session.dispute("blue", 2, TEXT)).command.claim == TEXT


def test_what_an_older_program_took_is_verified_and_played_on(skirmish: Rules[Any]) -> None:
    """The law of the table judges what is written now: a log with longer names, and one for a stranger, stays lawful."""
    toy = words(skirmish)
    with pytest.MonkeyPatch.context() as older:
        older.setattr("replay.session.unclear", lambda *_: None)
        old = create(skirmish, persons={"red": f"{NAME}n", "violet": "Vi"}, title=f"{TITLE}t")
    assert accepted(old.submit("red", toy.Bid(1), actor=f"{NAME}n")).actor == f"{NAME}n"
    assert verified(old).ok


def test_a_position_and_a_sheet_are_bounded_alike() -> None:
    """The line is named, and how much is taken."""
    head = 'game = "dragonlords"\nseats = ["orc", "elf"]\n'
    with pytest.raises(BadPosition, match=r"at most 200 \(LS-1\.8\)"):
        parse_position(f'{head}title = "{TITLE}t"\n')
    assert parse_position(f'{head}title = "{TITLE}"\n').title == TITLE
    sheet = "game: dragonlords\nseats: orc, elf\n"
    for line in (
        f"title: {TITLE}t",
        f"orc: dispute {TEXT}w",
        f"arbiter: uphold because {TEXT}w",
        f'arbiter: penalise orc for "{TEXT}w" because late',
    ):
        with pytest.raises(BadSheet, match=r"at most [\d,]+ \(LS-1\.8\)"):
            parse_sheet(f"{sheet}{line}\n")
