"""Where dice come from: typed, live, sealed, scripted; and where the seeds of sealed dice lie."""

import hmac
import stat
from collections import Counter
from errno import ENOSPC, EPERM
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import core.games
from core.deciding import Decision
from core.kit.chance import AnswerRoll, Deal
from core.rules import Rules
from core.seats import ARBITER, CHANCE
from events.store import Unstorable
from replay.dice import BadScript, BadSeed, Live, commitment, new_seed, numbers
from replay.files import fresh_seed, kept_seed, seed_file
from replay.session import Session
from tests.replay.engine import (
    SEED,
    Memory,
    accepted,
    create,
    memory,
    play_on,
    reasons,
    reopened,
    verified,
    words,
)


def throw(session: Session, toy: Any) -> list[Any]:
    """Bid, and let red throw at blue; return the entries that followed the throw."""
    accepted(session.submit("red", toy.Bid(3)))
    accepted(session.submit("blue", toy.Bid(1)))
    accepted(session.submit("red", toy.Throw("blue")))
    return session.entries[4:]


def test_a_sealed_die_is_the_hmac_of_game_entry_and_die() -> None:
    """Anyone can check a roll with a few lines of any language: HMAC-SHA256 of "game/entry/die/attempt" (LS-4.4)."""
    choose = numbers("seed", "g", 7)
    for die in range(3):
        digest = hmac.new(b"seed", f"g/7/{die}/0".encode(), sha256).digest()
        assert choose(6) == int.from_bytes(digest, "big") % 6


def test_a_number_from_the_incomplete_last_span_is_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rejection keeps every face equally likely: 2**256 is no multiple of six."""
    asked: list[bytes] = []

    def digest(_key: bytes, message: bytes, _name: str) -> bytes:
        asked.append(message)
        return (b"\xff" if len(asked) == 1 else b"\x00") * 32

    monkeypatch.setattr("replay.dice.hmac.digest", digest)
    assert numbers("seed", "g", 7)(6) == 0
    assert asked == [b"g/7/0/0", b"g/7/0/1"]


def test_sealed_faces_are_as_even_as_dice_are() -> None:
    """Over 6,000 dice each face falls about 1,000 times: chi-squared stays under its one in a million bound, 36.5."""
    counts = Counter(
        choose(6) for entry in range(1_000) for choose in [numbers(SEED, "g", entry)] for _ in range(6)
    )
    assert sum((counts[face] - 1_000) ** 2 / 1_000 for face in range(6)) < 36.5


@given(st.text(min_size=1, max_size=20), st.integers(1, 10**6), st.lists(st.integers(1, 100), max_size=5))
def test_sealed_numbers_repeat_and_stay_in_range(seed: str, entry: int, below: list[int]) -> None:
    """The same seed, game and entry give the same numbers again; each lies between 0 and n - 1."""
    first, again = numbers(seed, "g", entry), numbers(seed, "g", entry)
    for n in below:
        assert 0 <= (number := first(n)) < n
        assert number == again(n)


def test_sealed_dice_are_fixed_by_the_seed_and_said_to_be_sealed(skirmish: Rules[Any]) -> None:
    """Two games of one name and seed roll alike; the opening holds the commitment, the log never the seed (LS-4.4)."""
    toy = words(skirmish)
    rolls = []
    for _ in range(2):
        session = create(skirmish, dice="sealed", seed=SEED)
        (roll,) = throw(session, toy)
        rolls.append(roll.command)
        assert (roll.seat, roll.source) == (CHANCE, "sealed")
        assert session.now.table.commitment == commitment(SEED) == sha256(SEED.encode()).hexdigest()
        assert not any(SEED.encode() in line for line, _ in session.lines_as("red"))
    assert rolls[0] == rolls[1]
    other = create(skirmish, dice="sealed", seed="other" * 12, game="h")
    throw(other, toy)
    assert other.now.table.commitment != commitment(SEED)


def test_the_seed_is_revealed_when_the_game_is_over(skirmish: Rules[Any]) -> None:
    """The session that holds the seed publishes it after the end, and every roll can then be checked (LS-4.4)."""
    session = create(skirmish, dice="sealed", seed=SEED)
    play_on(session, 10_000)
    last = session.entries[-1]
    assert (last.seat, session.now.table.seed) == (CHANCE, SEED)
    report = verified(session)
    assert report.fair.ok, report.fair
    assert "rolls follow from the seed" in report.fair.said


def test_a_session_that_joins_after_the_end_reveals_the_seed_before_it_writes(skirmish: Rules[Any]) -> None:
    """Who died between the end and the reveal leaves it to whoever opens the game with the seed and writes next."""
    session = create(skirmish, dice="sealed", seed=SEED)
    play_on(session, 10_000)
    rows = memory(session).held["g"]
    del rows[-1]
    after = reopened(session, seed=SEED)
    assert after.now.table.seed == ""
    accepted(after.dispute("red", 1, "too few pebbles"))
    assert after.now.table.seed == SEED


def test_dice_after_the_reveal_are_live(skirmish: Rules[Any]) -> None:
    """Everybody could foresee what a published seed will roll; a game that goes on after it rolls live, and says so."""
    session = create(skirmish, dice="sealed", seed=SEED)
    play_on(session, 10_000)
    over = session.head.id
    accepted(session.take_back("red", over - 3, agreed=("blue",)))
    play_on(session, 10_000)
    sources = {entry.source for entry in session.entries[over:] if isinstance(entry.command, AnswerRoll)}
    assert sources == {"live"}
    fair = verified(session).fair
    assert fair.ok is None  # what was rolled before is proved, what was rolled after can't be
    assert fair.said.startswith("in part: ")


def test_a_wrong_seed_opens_nothing(skirmish: Rules[Any]) -> None:
    """A seed must be the one committed to; without one the roll stays open, and no command can answer it (LS-4.5)."""
    with pytest.raises(BadSeed, match="need a seed"):
        create(skirmish, dice="sealed")
    session, toy = create(skirmish, dice="sealed", seed=SEED), words(skirmish)
    with pytest.raises(BadSeed, match="not the seed"):
        reopened(session, seed="another")
    without = reopened(session)
    assert throw(without, toy) == []
    assert reasons(without.submit(CHANCE, AnswerRoll((1, 1)))) == [("not_typed", "LS-4.5")]
    reopened(session, seed=SEED).answer_chance()
    without.refresh()
    assert without.entries[-1].source == "sealed"


def test_live_dice_come_from_the_system(skirmish: Rules[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Live dice ask the operating system's generator once a die, and the entry says `live` (LS-4.5)."""
    asked: list[int] = []

    def randbelow(below: int) -> int:
        asked.append(below)
        return 4

    monkeypatch.setattr("replay.dice.secrets.randbelow", randbelow)
    (roll,) = throw(create(skirmish, dice="live"), words(skirmish))
    assert (roll.source, roll.command, asked) == ("live", AnswerRoll((5, 5)), [6, 6])
    assert Live().name == "live"


def test_a_script_is_used_up(skirmish: Rules[Any]) -> None:
    """Scripted dice follow their list; a roll that is missing or left over fails (design, chance is a seat)."""
    toy = words(skirmish)
    session = create(skirmish, dice="scripted", script=[(1, 5), (2, 2)])
    (roll,) = throw(session, toy)
    assert (roll.source, roll.command) == ("scripted", AnswerRoll((1, 5)))
    with pytest.raises(BadScript, match="1 scripted roll was never asked for"):
        session.close()
    accepted(session.submit("red", toy.Bid(3)))
    accepted(session.submit("blue", toy.Bid(1)))
    accepted(session.submit("red", toy.Throw("blue")))
    session.close()
    accepted(session.submit("red", toy.Bid(3)))
    accepted(session.submit("blue", toy.Bid(0)))
    with pytest.raises(BadScript, match="no roll left"):
        session.submit("red", toy.Throw("blue"))


def test_a_script_that_does_not_fit_is_said_so(skirmish: Rules[Any]) -> None:
    """Scripted faces are judged like any others: the wrong number of dice is named, and nothing is told of it."""
    session = create(skirmish, dice="scripted", script=[(1,)])
    with pytest.raises(BadScript, match="red rolls 2 d6"):
        throw(session, words(skirmish))
    assert session.head.id == 3


def test_where_a_script_can_not_answer_nothing_is_written(skirmish: Rules[Any]) -> None:
    """A throw, a take-back to before a roll, an opening and a what-if fail whole: no entry stands whose dice are missing."""
    toy, store = words(skirmish), Memory()
    session = create(skirmish, store, dice="scripted", script=[(1, 5)])
    throw(session, toy)
    head = session.head
    again = reopened(session)
    with pytest.raises(BadScript, match=r"no roll left; nothing was written\. A what-if goes on"):
        again.take_back(ARBITER, 4, arbiter="Anna")
    assert again.head == head == store.head("g")
    with pytest.raises(BadScript, match="red rolls 2 d6"):
        again.branch(store, "b", 4, dice="scripted", script=iter([(1,)]))
    assert store.games() == ["g"]
    assert again.branch(store, "b", 4).now.question is not None


def test_an_opening_that_rolls_at_once_needs_its_script(
    skirmish: Rules[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the first question is to chance, no game without dice stays behind."""
    store = Memory()
    first = create(skirmish, Memory(), dice="scripted", script=[(1, 5)])
    throw(first, words(skirmish))
    monkeypatch.setattr("replay.session.decide", lambda *_, **__: Decision((), (), (), first.moments[4]))
    with pytest.raises(BadScript, match="no roll left"):
        create(skirmish, store, dice="scripted")
    assert store.games() == []


@pytest.mark.parametrize("dice", ("live", "sealed", "scripted"))
def test_a_card_is_drawn_for_its_drawer_alone(skirmish: Rules[Any], dice: str) -> None:
    """A draw is a roll over the cards left; command and card are sealed to the drawer, whatever the source (LS-4.3)."""
    fair = core.games.load("fair")
    session = create(fair, dice=dice, seed=SEED, script=["curse"])
    entry = accepted(session.submit("red", words(fair).DrawFortune()))
    deal = session.entries[-1]
    assert (entry.seat, deal.source) == ("red", dice)
    assert isinstance(deal.command, Deal)
    assert session.now.state.hands["red"] == {deal.command.card: 1}
    assert session.view("red").state.hands == session.now.state.hands
    assert session.view("blue").state.hands == {}
    assert session.view("blue").state.cards["red"] == 1
    report = verified(session, seed=SEED if dice == "sealed" else None)
    assert (report.ok, report.fair.ok) == (True, True if dice == "sealed" else None)


def test_a_seed_lies_beside_its_store_for_its_owner_alone(tmp_path: Path) -> None:
    """Seeds are private files beside the store, one a game, never overwritten and never inside it."""
    store = tmp_path / "games.sqlite"
    seed = fresh_seed(store, "g")
    path = seed_file(store, "g")
    assert path == tmp_path / "games.sqlite.seeds" / "g.seed"
    assert kept_seed(store, "g") == seed
    assert len(seed) == len(new_seed()) == 64
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    with pytest.raises(BadSeed, match="there is a seed"):
        fresh_seed(store, "g")
    assert kept_seed(store, "h") is None
    assert kept_seed(tmp_path / "games", "g") is None
    with pytest.raises(Unstorable):
        seed_file(store, "../g")
    path.write_bytes(b"\xff\n")
    with pytest.raises(BadSeed, match="expected a seed"):
        kept_seed(store, "g")


def test_a_seed_that_the_disk_does_not_take_leaves_its_name_free(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a full disk no half-written seed stays behind; once there is room the name can be used, and only once."""

    def full(_: int) -> None:
        raise OSError(ENOSPC, "No space left on device")

    with monkeypatch.context() as disk:
        disk.setattr("replay.files.os.fsync", full)
        with pytest.raises(OSError, match="No space left"):
            fresh_seed(tmp_path / "games", "g")
    assert list((tmp_path / "games.seeds").iterdir()) == []
    seed = fresh_seed(tmp_path / "games", "g")
    assert kept_seed(tmp_path / "games", "g") == seed
    assert seed_file(tmp_path / "games", "g").stat().st_mode & 0o777 == 0o600
    with pytest.raises(BadSeed, match="already"):
        fresh_seed(tmp_path / "games", "g")


def test_a_seed_is_kept_where_the_disk_has_no_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Some file systems know no hard links: the seed is whole there too, and is never written over."""

    def none(*_: object) -> None:
        raise OSError(EPERM, "Operation not permitted")

    monkeypatch.setattr(Path, "hardlink_to", none)
    seed = fresh_seed(tmp_path / "games", "g")
    with pytest.raises(BadSeed, match="already"):
        fresh_seed(tmp_path / "games", "g")
    assert kept_seed(tmp_path / "games", "g") == seed
    assert [file.name for file in (tmp_path / "games.seeds").iterdir()] == ["g.seed"]
