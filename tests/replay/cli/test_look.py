"""Looking at a game: `show`, `log`, `diff`, `replay` and its keys."""

import io
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from replay.cli.kept import session_at
from replay.cli.stepping import Stepper


def test_the_board_is_shown_at_any_moment(shell: Any, game: str) -> None:
    """After entry 5 blue has lost two pebbles (TS-2.2); after entry 1 none."""
    shell("roll", "g", "1", "2")
    assert shell("show", "g", "--json").json["state"]["pebbles"]["blue"] == 3
    assert shell("show", "g", "--at", "1", "--json").json["state"]["pebbles"]["blue"] == 5


def test_the_entry_is_shown_with_the_sections_that_say_so(shell: Any, game: str) -> None:
    """Facts stand in words, each with what made it so."""
    shell("roll", "g", "1", "2")
    out = shell("show", "g").out
    assert "pebbles lost: blue, count 2  [TS-2.2]" in out
    assert "red rolled 1 2 on 2 d6 for throw: 2 successes" in out


def test_a_seat_is_shown_no_bid_but_its_own(shell: Any, game: str) -> None:
    """Bids are secret (TS-1.1): after entry 2 blue knows that red bid, not what."""
    own = shell("show", "g", "--at", "2", "--as", "red", "--json").json
    other = shell("show", "g", "--at", "2", "--as", "blue", "--json").json
    assert own["state"]["bids"] == {"red": 3}
    assert other["state"]["bids"] == {}
    assert other["entry"]["command"]["Do"] == "Sealed"
    assert "bid 3" not in shell("show", "g", "--at", "2", "--as", "spectator").out


def test_the_log_lists_every_entry_and_strikes_what_was_taken_back(shell: Any, game: str) -> None:
    """Nothing is erased; the line of play is told beside."""
    shell("undo", "g", "--agreed", "blue")
    told = shell("log", "g", "--json").json
    assert [entry["id"] for entry in told["entries"]] == [1, 2, 3, 4, 5]
    assert told["line"] == [1, 2, 3, 5]
    assert "The game does not stand on what was taken back" in shell("log", "g").out


def test_the_log_is_as_secret_as_the_table(shell: Any, game: str) -> None:
    """As blue, red's bid is a line that only red may see."""
    out = shell("log", "g", "--facts", "--as", "blue").out
    assert "red: (sealed to red)" in out
    assert "something that only red may see" in out


def test_two_moments_are_compared(shell: Any, game: str) -> None:
    """Only what stands otherwise is listed, with both values."""
    shell("roll", "g", "1", "2")
    told = shell("diff", "g", "4", "5", "--json").json
    changed = {each["what"]: (each["before"], each["after"]) for each in told["changed"]}
    assert changed["pebbles, blue"] == (5, 3)
    assert "pebbles, red" not in changed
    assert "Nothing stands otherwise." in shell("diff", "g", "5", "5").out


@pytest.mark.parametrize(
    "call", (("show", "g", "--at", "99"), ("diff", "g", "1", "99"), ("replay", "g", "--to", "99"))
)
def test_a_moment_that_is_not_there_is_an_error(shell: Any, game: str, call: tuple[str, ...]) -> None:
    """Exit code 2, and which entries there are."""
    ran = shell(*call)
    assert ran.code == 2
    assert "1 to 4" in ran.err


def test_a_replay_for_scripts_shows_every_entry_up_to_one(shell: Any, game: str) -> None:
    """--to ends there, with the board as it stood."""
    out = shell("replay", "g", "--to", "3").out
    assert "blue: bid 1" in out
    assert "throw at blue" not in out
    assert "after entry 3 of 4" in out
    assert len(shell("replay", "g", "--json").json["steps"]) == 4


def test_rulings_are_not_taken_back(shell: Any, game: str) -> None:
    """Of what lies on a line that was left, moves are marked, and rulings, disputes and take-backs are not: they stand."""
    shell("dispute", "g", "not so", "--seat", "red", "--at", "4")
    shell("rule", "g", "--uphold", "--reason", "it is so")
    shell("undo", "g", "--to", "2", "--arbiter", "Zed")
    assert _marked(shell("log", "g").out) == {"3", "4"}
    assert "struck" not in shell("log", "g").out
    facts = shell("log", "g", "--facts").out.splitlines()
    assert [line.split()[0] for line in facts if "taken back" in line] == ["3", "4"]
    assert "taken back" not in shell("log", "copy").out + shell("log", "g", "--since", "4").out


def _marked(log: str) -> set[str]:
    return {line.split()[0] for line in log.splitlines() if line.rstrip().endswith("taken back")}


def test_keys_step_through_a_game(shell: Any, game: str) -> None:
    """Arrows, letters, Home and End move; q leaves; other keys do nothing."""
    with session_at("g", Path("store.db"), readonly=True) as session:
        stepper = Stepper(session, "arbiter")
        seen = []
        for key in ("\x1b[C", "l", "\x1b[D", "G", "\x1b[C", "g", "\x1b[D", "z", "n"):
            assert stepper.press(key)
            seen.append(stepper.at)
        assert seen == [2, 3, 2, 4, 4, 1, 1, 1, 1]
        assert not stepper.press("q")


def test_a_board_that_is_higher_than_the_screen_is_scrolled(shell: Any, game: str) -> None:
    """What does not fit is said below, the arrows scroll to it, and a step begins at the top again."""
    with session_at("g", Path("store.db"), readonly=True) as session:
        stepper = Stepper(session, "arbiter")
        low = Console(file=io.StringIO(), width=100, height=6, force_terminal=True)

        def drawn() -> str:
            low.file = io.StringIO()
            stepper.draw(low)
            return low.file.getvalue()

        assert "after entry 1 of 4" in drawn()
        assert "lines below" in drawn()
        stepper.press("\x1b[6~")
        assert "after entry 1 of 4" not in drawn()
        assert "lines below" not in drawn()
        stepper.press("l")
        assert "after entry 2 of 4" in drawn()


def test_text_from_a_log_can_not_command_the_terminal(shell: Any) -> None:
    """An escape sequence in a claim is written out, not obeyed; in a title it is refused, and written out there (LS-1.7)."""
    ran = shell("new", "--game", "skirmish", "--name", "evil", "--title", "a\x1b[2Jb")
    assert ran.code == 1
    assert "unclear_name; LS-1.7" in ran.err
    shell("new", "--game", "skirmish", "--name", "evil")
    contested = shell("dispute", "evil", "c\x1b[2Jd\ne", "--seat", "red", "--at", "1")
    for said in (ran.err, contested.out, shell("show", "evil").out):
        assert "\x1b" not in said
        assert "\\x1b[2J" in said
    assert "c\\x1b[2Jd\\ne" in shell("show", "evil").out
