"""A line that is typed while another process writes: what it was read and checked on still stands, or it is read again."""

from collections.abc import Callable
from typing import Any

import pytest

from core.rules import Rules
from core.seats import CHANCE
from replay.cli.eyes import Eyes
from replay.cli.lines import Talk
from replay.cli.trouble import Refusing, Trouble
from replay.dice import chance_waits
from replay.outcomes import Overtaken
from replay.session import Session
from tests.replay.engine import accepted, create, reopened, words


@pytest.fixture
def table(skirmish: Rules[Any]) -> tuple[Session, Session, Any]:
    """A game of red and blue as two processes have it open, and the words of the game."""
    session = create(skirmish)
    return session, reopened(session), words(skirmish)


def seen(session: Session, named: str) -> Talk:
    return Talk(Eyes.of(session, named))


def amid(monkeypatch: pytest.MonkeyPatch, talk: Talk, write: Callable[[], Any]) -> list[int]:
    """Let another process write once a line was checked, before it is submitted; return how often it was checked."""
    checked: list[int] = []
    guard = Talk._guard

    def slow(self: Talk, *given: Any) -> None:
        guard(self, *given)
        if self is talk:
            checked.append(self.seen.session.head.id)
            if len(checked) == 1:
                write()

    monkeypatch.setattr(Talk, "_guard", slow)
    return checked


def bids(session: Session, toy: Any) -> None:
    accepted(session.submit("red", toy.Bid(3)))
    accepted(session.submit("blue", toy.Bid(1)))


def test_seats_that_answer_together_do_not_refuse_each_other(
    table: tuple[Session, Session, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Blue bids while Red's line was checked: Red's is checked again on what stands now, and played (LS-2.2)."""
    session, other, toy = table
    talk = seen(session, "red")
    checked = amid(monkeypatch, talk, lambda: accepted(other.submit("blue", toy.Bid(1))))
    (played,) = talk.play("bid 3")
    assert (played.entry.id, played.entry.parent, checked) == (3, 2, [1, 2])


def test_dice_that_another_gave_meanwhile_are_not_given_for_the_next_roll(
    table: tuple[Session, Session, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The roll that the dice were typed for is over; they are no answer to the one that is open now (LS-2.2)."""
    session, other, toy = table
    bids(session, toy)
    accepted(session.submit("red", toy.Throw("blue")))

    def write() -> None:
        other.refresh()
        list(seen(other, "arbiter").play("dice: 1 6"))
        bids(other, toy)
        accepted(other.submit("red", toy.Throw("blue")))
        assert chance_waits(other.now)

    talk = seen(session, "red")
    amid(monkeypatch, talk, write)
    with pytest.raises(Refusing) as told:
        list(talk.play("dice: 2 3"))
    assert [(reason.code, reason.because) for reason in told.value.reasons] == [
        ("stale_question", ("LS-2.2",))
    ]
    assert [entry["seat"] for entry in told.value.where["since"]] == [CHANCE, "red", "blue", "red"]
    assert session.head == other.head == session.store.head("g")


def test_a_line_that_what_stands_now_does_not_allow_is_read_and_refused_on_that(
    table: tuple[Session, Session, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who may speak is looked at again as well: nothing that was checked before others wrote counts."""
    session, other, toy = table
    bids(session, toy)
    talk = seen(session, "red")
    said = Eyes.said
    read: list[int] = []

    def strict(self: Eyes, line: str) -> Any:
        read.append(self.session.head.id)
        if len(read) > 1:
            raise Trouble("not any more", kind="not_your_seat")
        return said(self, line)

    monkeypatch.setattr(Eyes, "said", strict)
    amid(monkeypatch, talk, lambda: other.refresh() and accepted(other.dispute("blue", 3, "too few")))
    with pytest.raises(Trouble):
        list(talk.play("throw at blue"))
    assert read == [3, 4]
    assert session.store.head("g").id == 4


def test_a_dispute_is_about_the_entry_that_was_last_when_it_was_raised(
    table: tuple[Session, Session, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Blue contests Red's throw without its number; that the dice fall meanwhile changes nothing in that (LS-5.1)."""
    session, other, toy = table
    bids(session, toy)
    accepted(session.submit("red", toy.Throw("blue")))
    talk = seen(session, "blue")
    amid(monkeypatch, talk, lambda: list(seen(other, "arbiter").play("dice: 1 6")))
    (played,) = talk.play("dispute too far away")
    assert (played.entry.id, played.entry.command.at) == (6, 4)


def test_what_was_looked_at_is_named_to_the_session(table: tuple[Session, Session, Any]) -> None:
    """Upon an older head nothing is decided or appended; upon the one that stands it is; a key sent again needs none (LS-2.5)."""
    session, other, toy = table
    looked = session.head
    accepted(other.submit("blue", toy.Bid(1)))
    with pytest.raises(Overtaken):
        session.submit("red", toy.Bid(3), upon=looked, key="k")
    assert session.head == session.store.head("g") == other.head
    accepted(session.submit("red", toy.Bid(3), upon=session.head, key="k"))
    again = other.submit("red", toy.Bid(3), upon=looked, key="k")
    assert (again.entries[0].id, again.repeated) == (3, True)  # type: ignore[union-attr]
