"""One player at several seats (LS-1.6): what is told to one is told to all, and no consent is asked of oneself."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core.consent import must_agree
from core.kit.disputing import RaiseDispute
from core.kit.table import OpenGame, Rule
from core.rules import Rules
from core.seats import ARBITER, CHANCE
from core.table import Table as Sitting
from events.event import Seat
from events.jsonl import JsonlStore
from events.table import GameOpened, Upheld
from replay.session import Refused, Session
from tests.driver import SPECTATOR, Table, given, play
from tests.toys import fair as toy

FOUR = ("red", "blue", "green", "gold")


def pairs(seats: tuple[Seat, ...], options: Mapping[str, str]) -> tuple[tuple[Seat, ...], ...]:
    """Return that the first and third seat are one player's, and the second and fourth."""
    return (seats[::2], seats[1::2]) if options["company"] == "pairs" else ()


PAIRED: Rules[Any] = replace(
    toy.RULES, options={**toy.RULES.options, "company": ("single", "pairs")}, players=pairs
)
"""The fair, where two players may sit at two seats each."""
TWO_EACH = {"company": "pairs", "hands": "dealt"}


def opening(**fields: Any) -> OpenGame[Any]:
    return OpenGame(
        **{"id": "g", "game": "fair", "seats": FOUR, "options": TWO_EACH, "dice": "scripted", **fields}
    )


def test_the_opening_says_which_seats_are_one_players() -> None:
    """Whoever reads the log alone knows it; where each sits at one seat nothing is said (LS-1.6)."""
    table = given(PAIRED, seats=FOUR, options=TWO_EACH)
    (opened,) = [fact for fact in table.log[0].entry.facts if isinstance(fact, GameOpened)]
    assert opened.players == (("red", "green"), ("blue", "gold"))
    assert table.now.table.seats_of("green") == ("green", "red")
    assert table.now.table.seats_of(CHANCE) == (CHANCE,)
    single = given(PAIRED, seats=FOUR)
    assert single.now.table.players == ()
    assert b'"players"' not in single.log[0].line
    assert single.now.table.seats_of("green") == ("green",)


def test_what_is_sealed_to_a_seat_is_sealed_to_all_of_its_player() -> None:
    """Facts, commands and cards dealt: each opening names both seats, and their views are the same (LS-1.6)."""
    for seed in range(6):
        table = play(PAIRED, seed, 120, begun=[(ARBITER, opening())])
        sealed = {opened.to for told in table.log for opened in told.openings} - {(CHANCE,)}
        assert sealed
        sides = [{"red", "green"}, {"blue", "gold"}]
        assert all(any(side <= set(to) for side in sides) for to in sealed), sealed
        for one, other in (("red", "green"), ("blue", "gold")):
            assert [now.state for now in table.views(one)] == [now.state for now in table.views(other)]
        assert table.view("red").state != table.view("blue").state
        assert table.view("red").state != table.view(SPECTATOR).state


def test_one_person_sits_at_all_seats_of_a_player() -> None:
    """Named at one he sits at all; two persons for one player are refused (LS-1.6)."""
    table = Table(PAIRED)
    table.must(ARBITER, opening(persons={"green": "Anna"}))
    assert table.now.table.persons == {"red": "Anna", "green": "Anna"}
    Table(PAIRED).when(ARBITER, opening(persons={"red": "Anna", "green": "Ben"})).refused(
        "two_persons", "LS-1.6"
    )


@pytest.mark.parametrize(
    ("forfeited", "asked"),
    (((), ("blue",)), (("blue",), ("gold",)), (("gold",), ("blue",)), (("blue", "gold"), (ARBITER,))),
)
def test_of_another_player_one_seat_is_asked_to_agree(
    forfeited: tuple[Seat, ...], asked: tuple[Seat, ...]
) -> None:
    """And none of one's own; where nobody else is left the arbiter decides (LS-1.6, LS-3.2)."""
    table = Sitting(seats=FOUR, players=(("red", "green"), ("blue", "gold")), forfeited=forfeited)
    assert must_agree(table, "red", ("entry 3: roll",)) == asked
    assert must_agree(table, "green", ("entry 3: roll",)) == asked
    assert must_agree(table, "red", ()) == ()


def test_what_ones_own_other_seat_did_is_taken_back_alone(tmp_path: Path) -> None:
    """It told its player nothing; where two persons sit there the other must agree (LS-1.6, LS-3.2)."""
    for neighbours, needed in (("pairs", ()), ("single", ("blue", "green", "gold"))):
        session = _session(tmp_path / neighbours, company=neighbours)
        first = session.head.id
        _acts(session, "red")
        _acts(session, "blue")
        assert session.learned("red", first)[1] == needed
        assert isinstance(session.take_back("red", first), Refused) == bool(needed)


def test_another_players_act_needs_the_consent_of_either_of_his_seats(tmp_path: Path) -> None:
    """One seat is named, and the word of the other does as well, for one person says it (LS-1.6, LS-3.2)."""
    for agreed in ("green", "gold"):
        session = _session(tmp_path / agreed)
        first = session.head.id
        for seat in ("red", "blue", "green"):
            _acts(session, seat)
        refused = session.take_back("red", first, agreed=("blue",))
        assert isinstance(refused, Refused)
        assert refused.needed == ("green",)
        assert not isinstance(session.take_back("red", first, agreed=(agreed,)), Refused)


def _neighbours(seats: tuple[Seat, ...], options: Mapping[str, str]) -> tuple[tuple[Seat, ...], ...]:
    """Return that who sits beside each other is one player."""
    return (seats[:2], seats[2:]) if options["company"] == "pairs" else ()


def _session(folder: Path, company: str = "pairs") -> Session:
    """Return a game at whose table red and blue are one player, and green and gold the other."""
    rules = replace(PAIRED, players=_neighbours)
    return Session.create(
        JsonlStore(folder), rules, game="g", seats=FOUR, options={"company": company}, dice="live"
    )


def _acts(session: Session, seat: Seat) -> None:
    """Let the silence of a seat answer."""
    (ask, *_) = session.asks(seat)
    assert ask.silence is not None
    session.submit(seat, ask.silence)


def test_one_player_has_one_dispute_open_at_all_of_his_seats() -> None:
    """Who sits at two seats contests as one: the other of his seats waits with him (LS-5.5, LS-1.6)."""
    table = given(PAIRED, seats=FOUR, options=TWO_EACH).when("red", RaiseDispute(1, "not so"))
    table.when("green", RaiseDispute(1, "not so")).refused("disputes_already", "LS-5.5")
    table.when(ARBITER, Rule(Upheld(), "it is", dispute=2))
    table.when("green", RaiseDispute(2, "not so")).refused("just_ruled", "LS-5.5")
    assert not table.when("blue", RaiseDispute(2, "not so")).reasons
