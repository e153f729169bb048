"""The history only grows: every moment stays, a what-if is a log of its own."""

from typing import Any

import pytest
from msgspec import structs

import core.games
from core.rules import Rules
from core.seats import ARBITER, CHANCE
from events.chain import hash_of
from events.entry import SealedCommand
from events.store import GameExists
from events.table import Answered
from replay.dice import BadSeed
from replay.history import goes_on_from
from replay.session import RefusedByRules, Session
from tests.replay.engine import (
    SEED,
    Memory,
    accepted,
    beside,
    create,
    play_on,
    reasons,
    reopened,
    spoil,
    verified,
    words,
)


def test_every_earlier_moment_stays_as_it_was(skirmish: Rules[Any]) -> None:
    """Stepping to any entry is a look at a list: states are frozen, and later play changes none of them."""
    session = create(skirmish, dice="live")
    play_on(session, 6)
    before = list(session.moments)
    play_on(session, 20, seed=1)
    assert session.moments[:7] == before
    assert [moment.entry for moment in session.moments] == list(range(1, session.head.id + 2))


def test_the_line_of_play_leaves_out_what_was_taken_back(skirmish: Rules[Any]) -> None:
    """The line to an entry follows parents; what was left behind is in the log and not in the line."""
    session, toy = create(skirmish), words(skirmish)
    accepted(session.submit("red", toy.Bid(3)))
    accepted(session.take_back("red", 1))
    accepted(session.submit("red", toy.Bid(2)))
    assert session.history.line(4) == [1, 3, 4]
    assert session.history.line(2) == [1, 2]


def test_a_command_goes_on_from_the_head_unless_it_moves_it(skirmish: Rules[Any]) -> None:
    """Only a take-back or a ruling that goes back has another parent, and only one that is there."""
    session, toy = create(skirmish), words(skirmish)
    accepted(session.submit("red", toy.Bid(3)))
    moved = accepted(session.take_back("red", 1)).command
    assert goes_on_from(moved, 3) == 1
    assert goes_on_from(toy.Bid(1), 3) == 3
    assert [goes_on_from(type(moved)(to), 3) for to in (0, 4)] == [3, 3]


def test_a_view_is_the_fold_of_the_lines_with_ones_own_openings(skirmish: Rules[Any]) -> None:
    """Kept up step by step or folded at once at the end, with take-backs on the way: a seat knows the same."""
    session = create(skirmish, seats=("red", "blue", "green"), dice="live")
    seen: dict[str, list[Any]] = {"red": [], "blue": []}
    for upto in range(5, 40, 5):
        play_on(session, upto, seed=upto)
        if session.now.state.ended is None and upto == 20:
            accepted(session.take_back(ARBITER, 7))
        for seat, views in seen.items():
            views.append((session.head.id, session.view(seat).state))
    late = reopened(session)
    for seat, views in seen.items():
        assert [(at, late.view(seat, at).state) for at, _ in views] == views


def test_a_view_shares_what_nobody_hides(skirmish: Rules[Any]) -> None:
    """Up to the first secret a seat's moments are the game's own: games without secrets pay nothing for views."""
    session, toy = create(skirmish), words(skirmish)
    accepted(session.correct("six pebbles", [toy.PebblesSet("red", 6)]))
    assert session.view("blue", 2) is session.at(2)
    accepted(session.submit("red", toy.Bid(3)))
    assert session.view("blue", 3) is not session.at(3)


# What-ifs


@pytest.fixture
def played(skirmish: Rules[Any]) -> tuple[Session, Any]:
    """A game in which red bid 3 (entry 2), took it back (3), bid 4 (4), blue bid 1 (5), the arbiter ruled (6)."""
    session, toy = create(skirmish, title="Tuesday"), words(skirmish)
    accepted(session.submit("red", toy.Bid(3)))
    accepted(session.take_back("red", 1))
    accepted(session.submit("red", toy.Bid(4), key="k"))
    accepted(session.submit("blue", toy.Bid(1)))
    accepted(session.rule(Answered("TS-X1", "four"), "errata"))
    return session, toy


def test_a_what_if_is_a_log_of_its_own_that_names_where_it_left(played: tuple[Session, Any]) -> None:
    """Its opening names game, entry and hash; it goes on from there, and nothing of it enters the game's own log."""
    session, toy = played
    head = session.head
    what_if = session.branch(session.store, "w", 6)
    table = what_if.now.table
    assert table.branch is not None
    line = next(session.store.read("g", 5, 6)).line
    assert (table.branch.game, table.branch.entry, table.branch.hash) == ("g", 6, hash_of(line))
    assert (table.id, table.title, table.answers) == ("w", "Tuesday", {"TS-X1": "four"})
    assert what_if.now.state == session.now.state
    accepted(what_if.submit("red", toy.Throw("blue")))
    assert (session.store.head("g"), what_if.head.id) == (head, 7)
    session.refresh()
    assert session.head == head


def test_a_what_if_can_be_verified_without_its_original(played: tuple[Session, Any]) -> None:
    """It carries what was played up to where it left, with ids, parents and times: whole and lawful on its own."""
    session, _ = played
    other = Memory()
    what_if = session.branch(other, "w", 6)
    play_on(what_if, 20)
    report = verified(what_if)
    assert report.ok, report
    assert report.lawful.ok
    kept = [(e.id, e.parent, e.at, e.seat, e.command, e.facts) for e in session.entries[1:6]]
    assert [(e.id, e.parent, e.at, e.seat, e.command, e.facts) for e in what_if.entries[1:6]] == kept
    assert verified(reopened(what_if)).ok


def test_a_what_if_goes_on_from_what_was_taken_back_too(played: tuple[Session, Any]) -> None:
    """Entry 2 was left behind; a what-if asks what would have come of it, under the table as it was then."""
    session, toy = played
    what_if = session.branch(Memory(), "w", 2)
    assert what_if.now.state.bids == {"red": 3}
    assert what_if.now.table.answers == {"TS-X1": "three"}
    accepted(what_if.submit("blue", toy.Bid(5)))


def test_a_key_of_the_original_is_free_in_the_what_if(played: tuple[Session, Any]) -> None:
    """Idempotency keys belong to one log: who plays on in the what-if is not answered with the original's entry."""
    session, toy = played
    what_if = session.branch(session.store, "w", 6)
    entry = accepted(what_if.submit("red", toy.Throw("blue"), key="k"))
    assert entry.id == 7


def test_secrets_stay_sealed_in_a_what_if(played: tuple[Session, Any]) -> None:
    """Sealed parts are copied as they are sealed, with their openings: each seat sees its own and no other's."""
    session, _ = played
    what_if = session.branch(Memory(), "w", 4)
    for seat in ("red", "blue", None):
        assert what_if.view(seat).state == session.view(seat, 4).state
    blue = [line for line, own in what_if.lines_as("blue") if not own]
    assert len(blue) == 4
    assert not any(b'"pebbles"' in line for line in blue)


def test_a_sealed_opening_stays_sealed_in_a_what_if(skirmish: Rules[Any]) -> None:
    """Hands dealt by the position are each seat's own, also in the opening that the what-if writes anew."""
    fair = core.games.load("fair")
    toy = words(fair)
    position = (
        toy.CardsSet("red", 1),
        toy.HandSet("red", "mirror"),
        toy.CardsSet("blue", 1),
        toy.HandSet("blue", "rose"),
    )
    session = create(fair, position=position)
    assert isinstance(session.history.as_stored(1)[0].command, SealedCommand)
    what_if = session.branch(Memory(), "w", 1)
    assert what_if.view("red").state.hands == {"red": {"mirror": 1}}
    assert what_if.view("blue").state.hands == {"blue": {"rose": 1}}
    line, own = next(iter(what_if.lines_as("blue")))
    assert b"mirror" not in line
    assert [bytes(opening.value).count(b"rose") for opening in own] == [1]
    assert verified(what_if).ok
    assert what_if.entries[0].command.branch.game == "g"


def test_an_opening_that_is_sealed_to_others_cannot_be_written_anew(skirmish: Rules[Any]) -> None:
    """Who holds not every opening can't say in another's name where a what-if comes from; it is refused."""
    fair = core.games.load("fair")
    toy = words(fair)
    session = create(fair, position=(toy.CardsSet("red", 1), toy.HandSet("red", "mirror")))
    store = session.store
    assert isinstance(store, Memory)
    store.held["g"] = [structs.replace(row, openings=()) for row in store.held["g"]]
    with pytest.raises(RefusedByRules, match="sealed to others"):
        reopened(session).branch(Memory(), "w", 1)


def test_a_sealed_what_if_has_a_seed_of_its_own(skirmish: Rules[Any]) -> None:
    """The original's seed would foretell the original's rolls; copied rolls are not judged by the new seed (LS-4.4)."""
    session = create(skirmish, dice="sealed", seed=SEED)
    play_on(session, 8)
    with pytest.raises(BadSeed):
        session.branch(Memory(), "w", 8)
    what_if = session.branch(Memory(), "w", 8, seed="other" * 12)
    assert what_if.now.table.commitment != session.now.table.commitment
    play_on(what_if, 10_000)
    report = verified(what_if)
    assert (report.ok, report.fair.ok) == (True, None), report
    rolls = [entry for entry in what_if.entries[8:] if entry.source == "sealed"]
    copied = sum(entry.source == "sealed" for entry in what_if.entries[:8])
    assert copied
    assert report.fair.said.startswith(f"in part: {len(rolls)} of {len(rolls)} rolls")
    assert f"{copied} roll" in report.fair.said.partition(";")[2]


def test_a_what_if_from_after_the_reveal_rolls_live(skirmish: Rules[Any]) -> None:
    """The seed is out: the copied revelation stays lawful, no new seed is needed, and dice go on live as in the game."""
    session = create(skirmish, dice="sealed", seed=SEED)
    play_on(session, 10_000)
    for dice in (None, "live", "typed"):
        what_if = session.branch(Memory(), "w", session.head.id, dice=dice, seed="other" * 12)
        accepted(what_if.take_back(ARBITER, 3))
        if what_if.asks("red"):
            accepted(what_if.submit("red", what_if.asks("red")[0].offers[0].sample(lambda _: 0)))
        play_on(what_if, what_if.head.id + 12)
        report = verified(reopened(what_if))
        assert (report.ok, report.fair.ok, report.grades) == (True, None, {"same": what_if.head.id})
        assert "nothing can be proved" in report.fair.said
        sources = {entry.source for entry in what_if.entries[session.head.id :] if entry.seat == CHANCE}
        assert sources == {"typed" if dice == "typed" else "live"}


def test_a_what_if_may_roll_otherwise_than_its_original(skirmish: Rules[Any]) -> None:
    """The kind of dice may be another; a scripted game is played on by typing unless it gets a script."""
    scripted = create(skirmish, dice="scripted", script=[(1, 1)])
    assert scripted.branch(Memory(), "w", 1).now.table.dice == "typed"
    assert scripted.branch(Memory(), "w", 1, dice="live").now.table.dice == "live"
    with pytest.raises(RefusedByRules):
        scripted.branch(Memory(), "w", 1, dice="loaded")


def test_an_open_roll_is_answered_in_the_what_if_anew(skirmish: Rules[Any]) -> None:
    """Branched while the dice are in the air, the what-if rolls its own."""
    session, toy = create(skirmish, dice="live"), words(skirmish)
    accepted(session.submit("red", toy.Bid(3)))
    accepted(session.submit("blue", toy.Bid(1)))
    accepted(session.submit("red", toy.Throw("blue")))
    assert session.entries[4].seat == CHANCE
    what_if = session.branch(Memory(), "w", 4)
    assert (what_if.head.id, what_if.entries[4].source) == (5, "live")


def test_a_what_if_of_what_is_not_there_is_refused(played: tuple[Session, Any]) -> None:
    """It leaves from an entry that is there and understood, under a name that is free; else nothing is written."""
    session, _ = played
    for at in (0, 7, -1):
        with pytest.raises(RefusedByRules, match="1 to 6"):
            session.branch(session.store, "w", at)
    assert session.store.games() == ["g"]
    with pytest.raises(GameExists):
        session.branch(session.store, "g", 3)
    store = session.store
    assert isinstance(store, Memory)
    spoil(store, 4, rb'"Fact":"BidMade"', b'"Fact":"WitchCame"')
    with pytest.raises(RefusedByRules, match="1 to 3"):
        reopened(session).branch(Memory(), "w", 5)


def test_a_what_if_of_a_what_if_names_the_log_it_left(played: tuple[Session, Any]) -> None:
    """Each opening names the log that it was copied from; the chain of what-ifs leads back to the game."""
    session, _ = played
    first = session.branch(session.store, "w", 6)
    second = first.branch(session.store, "v", 4)
    assert second.now.table.branch is not None
    assert second.now.table.branch.game == "w"
    assert verified(second).ok


def test_a_what_if_that_was_never_finished_is_not_played_on(played: tuple[Session, Any]) -> None:
    """A crash while it was copied leaves it short of where it should leave; it says so, and takes no commands (LS-2.6)."""
    session, toy = played
    what_if = session.branch(Memory(), "w", 6)
    assert isinstance(what_if.store, Memory)
    del what_if.store.held["w"][4:]
    short = reopened(what_if)
    assert "4 of the 6 entries" in short.read_only
    assert reasons(short.submit("blue", toy.Bid(1))) == [("read_only", "LS-2.6")]
    (finding,) = verified(short).whole.findings
    assert (finding.entry, finding.grade, finding.expected) == (5, "cut", "6 copied from g")


def test_a_what_if_can_be_held_against_its_original(played: tuple[Session, Any]) -> None:
    """With the game's own lines at hand, what was copied is compared entry by entry, and the hash it names is checked."""
    session, _ = played
    original = beside(session)
    what_if = session.branch(Memory(), "w", 5)
    play_on(what_if, 12)
    assert verified(what_if, original=original).ok
    store = what_if.store
    assert isinstance(store, Memory)
    spoil(store, 5, b'"pebbles"|"at":"2026', b'"at":"2025', game="w")
    (finding,) = verified(reopened(what_if), original=original).whole.findings
    assert (finding.entry, finding.grade) == (5, "original")
    assert "(at)" in finding.recorded
    other = verified(session.branch(Memory(), "w", 5), original=beside(session, 4)).whole
    assert [found.recorded.split(" with")[0] for found in other.findings] == ["entry 5 of g"]
