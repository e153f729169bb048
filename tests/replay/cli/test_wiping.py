"""A screen that everybody sees: what is refused there tells nothing hidden, and what was typed in secret does not stay."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from core.seats import ARBITER
from replay.cli.eyes import Eyes
from replay.cli.kept import session_at
from replay.cli.prompt import Conversation
from replay.cli.wiping import tells_hidden

WAR = """
game = "dragonlords"
seats = ["orc", "elf"]
turn = [{ seat = "orc", phase = "PHASE" }]
units = [
  { seat = "orc", place = "OR_n", count = 8 },
  { seat = "orc", place = "OR_k", count = 3 },
  { seat = "elf", place = "G1", count = 4 },
  { seat = "elf", place = "FM_k", count = 4 },
]
chip = [
  { seat = "orc", chip = "orc.king", place = "OR_n" },
  { seat = "orc", chip = "orc.wizard.1", place = "OR_n" },
  { seat = "elf", chip = "elf.king", place = "G1" },
  { seat = "elf", chip = "elf.blank", place = "FM_k" },
]
hand = [{ seat = "elf", scrolls = ["summon_elemental.fire"] }]
"""
HIDDEN = ("orc.king", "orc.wizard", "elf.king", "summon_elemental", "2 kings")


class Evening:
    """A shared prompt, and what stands on it."""

    def __init__(self, talk: Conversation, capsys: pytest.CaptureFixture[str]) -> None:
        self.talk, self.capsys, self.wiped = talk, capsys, list[str]()

    def types(self, line: str) -> str:
        """Type a line, and return what is said to it."""
        self.capsys.readouterr()
        self.talk.heard(line)
        said = self.capsys.readouterr()
        return said.out + said.err


@pytest.fixture
def evening(
    request: pytest.FixtureRequest,
    shell: Any,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Iterator[Evening]:
    """The Orcs' transfer, or the phase that a test names: their king and a wizard lie hidden in OR_n, the Elves' king in G1."""
    phase = getattr(request, "param", "transfer")
    Path("war.toml").write_text(WAR.replace("PHASE", phase))
    ran = shell("new", "--position", "war.toml", "--name", "w")
    assert ran.code == 0, ran.err
    with session_at("w", Path("store.db")) as session:
        found = Evening(Conversation(Eyes.of(session, "")), capsys)
        monkeypatch.setattr("replay.cli.prompt.erase", found.wiped.append)
        yield found


@pytest.mark.parametrize(
    "line",
    (
        "transfer to OR_k from OR_n with 7", "transfer to OR_k from OR_n with 7 leading wizard", "transfer to OR_k with 9",
        "transfer to OR_k from OR_n with 3 leading elf.king", "elf: declare hope", "elf: read berserk in G1",
        "why transfer to OR_k from OR_n with 7", "why transfer to OR_k from OR_n with 3 leading wizard", "orc: hide chip wizard in OR_k",
        "arbiter: correct chip orc orc.king OR_k because it lay there", "orc: teleport wizard to OR_k from OR_n with 1",
    ),
)  # fmt: skip
def test_no_refusal_names_what_only_a_seat_may_see(evening: Evening, line: str) -> None:
    """Where chips lie, who bears them, which scrolls are in hand: not at the prompt without --as (LS-2.7)."""
    said = evening.types(line)
    assert said
    for word in HIDDEN:
        assert word not in said.replace(line, ""), said


@pytest.mark.parametrize("evening", ("combat",), indirect=True)
def test_the_seat_itself_is_told_all_of_it(evening: Evening) -> None:
    """A refusal that hangs on hidden chips says so; `as orc`, then `why`, tells the whole reason."""
    said = evening.types("attack G1 from OR_n with 1 through dragonlord")
    assert "for a reason that only orc may see" in said
    assert "LS-2.7" in said
    assert "`as orc`, then `why`, tells orc alone." in said
    evening.types("as orc")
    assert "there is orc.wizard.1, orc.king" in evening.types("why")
    assert evening.wiped == []


def test_a_reason_that_all_may_see_is_told_to_all(evening: Evening) -> None:
    """Borders, and how many units stand in a place, hang on nothing hidden."""
    assert "orc has 8 units in OR_n that may go now, not 12." in evening.types(
        "transfer to OR_k from OR_n with 12"
    )
    assert "is not adjacent" in evening.types("transfer to FM_k from OR_n with 1")
    assert "refused: transfer to FM_k" in evening.types("transfer to FM_k from OR_n with 1")


def test_why_hedges_where_something_hidden_may_forbid(evening: Evening) -> None:
    """On a shared screen a lawful move and one that only its seat knows to be unlawful are answered alike."""
    lawful, unlawful = (evening.types(f"why transfer to OR_k from OR_n with {n}") for n in (5, 7))
    assert "nothing that all may see forbids it: orc: transfer to OR_k from OR_n with 5" in lawful
    assert lawful.replace("5 units", "7 units").replace("with 5", "with 7") == unlawful


@pytest.mark.parametrize(
    "line",
    (
        "hide king in OR_k", "hide chip wizzard in OR_k", "hide xyz in OR_k", "transfer to OR_k from OR_n with 9 leading kign",
        "elf: read berserk in FM_k", "why transfer to OR_k from OR_n with 3 leading king", "transfer to OR_k from OR_n with 3 carrying trydent",
        "elf: declare king", "elf: reflect", "read legion in OR_k with 3", "transfer to OR_k from OR_n with 20; transfer to OR_k from OR_n with 1 leading wizard",
    ),
)  # fmt: skip
def test_a_line_that_tells_what_is_hidden_is_wiped_though_it_is_refused(evening: Evening, line: str) -> None:
    """Also where it is misspelt: it goes off the screen, and no word of it is said again."""
    before = evening.talk.seen.session.head
    said = evening.types(line)
    assert evening.talk.seen.session.head == before
    if "xyz" not in line:
        assert evening.wiped == [f"orc> {line}"]
        assert "What was typed is wiped" in said
        assert evening.talk.refused == ""
        for word in ("king", "kign", "wiz", "berserk", "reflect", "legion", "tryd", "trid", "OR_n", "QD-"):
            assert word not in said.lower().replace("qd-", "QD-"), said


@pytest.mark.parametrize("evening", ("combat",), indirect=True)
def test_a_line_that_tells_nothing_stays(evening: Evening) -> None:
    """A place misspelt, a number too high: whoever typed it sees what he typed."""
    for line in (
        "attck G1 from OR_n with 3",
        "attack G1 from OR_x with 3",
        "attack G1 from OR_n with 30",
        "dice: 5 5",
    ):
        evening.types(line)
        assert evening.wiped == []


@pytest.mark.parametrize("evening", ("quest",), indirect=True)
def test_what_nobody_can_hide_is_told_openly(evening: Evening) -> None:
    """Items, DragonLord figures and who lies face up: of them everybody hears what a spectator may know (LS-2.7)."""
    for line, said in (
        ("send party from OR_s with 2 taking 2 torch", "`send party` does not answer"),
        ("buy item torch", "`buy item` does not answer"),
        ("why buy item elixir 3", "`buy item` does not answer"),
        ("teleport dragonlord to WT02 from OR_k", "does not answer"),
    ):
        assert said in evening.types(line), line
        assert evening.wiped == []
    assert "chip set: orc" in evening.types(
        "arbiter: correct chip orc orc.wizard.1 OR_n yes because he was seen"
    )
    evening.wiped.clear()
    assert "does not answer" in evening.types("throw fireball by wizard")
    assert evening.wiped == [], "everybody sees who he is"
    evening.types("throw fireball by wizard 2")
    assert evening.wiped, "nobody knows whether there is another"
    evening.wiped.clear()
    for line in (
        "send party from OR_n with 2 leading wizard",
        "teleport wizard to OR_k from OR_n with 1 leading wizard",
    ):
        evening.types(line)
    assert len(evening.wiped) == 2, "with whom he goes is hidden where a stack is parted"


def test_nobody_is_taken_for_a_seat(evening: Evening) -> None:
    """`as` is for those who sit at the table: a spectator has no secrets, and the screen stays everybody's."""
    for named in ("spectator", "nobody", "arbiter"):
        assert "`as` is for a seat" in evening.types(f"as {named}")
        assert evening.talk.shared


def test_what_one_seat_was_refused_alone_is_no_matter_for_the_table(evening: Evening) -> None:
    """`why` alone asks of the last line that was refused; not of one that was typed in private."""
    for line in ("as orc", "transfer to OR_k from OR_n with 7 leading wizard", ""):
        evening.types(line)
    assert "Nothing was refused yet" in evening.types("why")


def test_the_arrow_keys_bring_nothing_back_that_was_typed_alone(evening: Evening) -> None:
    """What one seat typed while it was alone with the screen is gone from the lines that the terminal remembers."""
    readline = pytest.importorskip("readline")
    readline.clear_history()
    readline.add_history("fight")
    evening.types("as orc")
    for line in ("transfer to OR_k from OR_n with 7 leading wizard", "why"):
        readline.add_history(line)
        evening.types(line)
    evening.types("")
    assert [readline.get_history_item(n) for n in range(1, readline.get_current_history_length() + 1)] == [
        "fight"
    ]


def test_a_secret_bid_is_wiped_by_its_verb(shell: Any, game: str) -> None:
    """What is chosen in secret is told by no name: the verb says it, whole, cut short or misspelt."""
    shell("undo", "g", "--to", "1", "--arbiter", "Zed")
    with session_at("g", Path("store.db")) as session:
        assert Eyes(session, ARBITER).reader == ARBITER
        for line in ("red: bid 99", "bid 99", "red: bd 3", "b 9", "red: bid x"):
            assert tells_hidden(session, line), line
        assert not tells_hidden(session, "throw at blue")
