"""`--as`: every command that shows a game shows it as a seat may see it, and as nobody may who sits nowhere."""

import inspect
from typing import Any

import pytest
import typer

from replay.cli import app

FREE = {"import", "adjudicate", "games", "rules", "position", "simulate", "demo", "tokens"}
"""Commands that show no game in the store: of files that whoever calls wrote, of rules, or of who sits where."""


def _commands() -> dict[str, Any]:
    return {
        name: command
        for name, command in typer.main.get_command(app).commands.items()  # type: ignore[attr-defined]
        if name not in FREE
    }


@pytest.mark.parametrize("name", sorted(_commands()))
def test_every_command_that_shows_a_game_takes_as(name: str) -> None:
    """LS-2.4: what a seat may not see is left out wherever --as says whose eyes look."""
    options = [option for parameter in _commands()[name].params for option in parameter.opts]
    assert "--as" in options, f"{name} shows a game and has no --as"


def test_nobody_is_another_word_for_who_sits_nowhere(shell: Any, game: str) -> None:
    """`--as nobody` shows what `--as spectator` does."""
    assert shell("show", "g", "--as", "nobody").out == shell("show", "g", "--as", "spectator").out
    assert shell("show", "g", "--as", "noone").code == 2


def test_a_seat_plays_for_itself_and_is_shown_what_it_may_see(shell: Any) -> None:
    """Red bids in secret as red, and leaves its own name out; a bid of blue's is not red's to give."""
    shell("new", "--game", "skirmish", "--seats", "red,blue", "--name", "g")
    ran = shell("play", "g", "bid 3", "--as", "red")
    assert ran.code == 0, ran.err
    assert "red: bid 3" in ran.out
    ran = shell("play", "g", "blue: bid 1", "--as", "red")
    assert (ran.code, "--as red plays for red and the dice; blue plays for itself" in ran.err) == (2, True)
    ran = shell("play", "g", "bid 1", "--as", "spectator")
    assert (ran.code, "plays for itself" in ran.err) == (2, True)
    assert shell("log", "g", "--json").json["head"]["id"] == 2
    told = shell("play", "g", "blue: bid 1", "--as", "blue", "--json").json
    assert told["as"] == "blue"
    assert [ask["seat"] for ask in told["asks"]] == ["red"]
    assert told["asks"][0]["offers_hidden"], "what red could do is red's affair"


def test_what_is_said_for_another_seat_is_refused_unread(shell: Any) -> None:
    """How a line of another's is misread would tell what he is offered: whatever it says, it is not his to play."""
    shell("new", "--game", "skirmish", "--seats", "red,blue", "--name", "g")
    for who in ("red", "spectator"):
        told = {
            shell("play", "g", f"blue: {said}", "--as", who).err.partition(";")[2]
            for said in ("bud 1", "bid", "x")
        }
        assert told == {" blue plays for itself.\n"}, told


def test_at_one_table_everybody_types(shell: Any) -> None:
    """Without --as all is shown, and any seat's line is taken."""
    shell("new", "--game", "skirmish", "--seats", "red,blue", "--name", "g")
    ran = shell("play", "g", "red: bid 3", "blue: bid 1")
    assert ran.code == 0
    assert "red: bid 3" in ran.out
    assert "red: throw at blue" in ran.out


def test_dice_are_rolled_before_everybody(shell: Any, game: str) -> None:
    """`roll --as spectator` shows what fell, and what everybody may know of what is asked next."""
    ran = shell("roll", "g", "1", "2", "--as", "spectator")
    assert ran.code == 0, ran.err
    assert "red rolled 1 2" in ran.out


def test_what_an_undo_shows_is_what_a_seat_may_see(shell: Any) -> None:
    """Red takes a bid back; blue's eyes see that it was one, not which."""
    shell("new", "--game", "skirmish", "--seats", "red,blue", "--name", "g")
    shell("play", "g", "red: bid 3")
    told = shell("undo", "g", "--as", "blue", "--json").json
    assert told["entries"][0]["command"]["Do"] == "MoveHead"
    assert [ask["offers"] for ask in told["asks"] if ask["seat"] == "red"] == [[]]
    assert "bid 3" not in shell("log", "g", "--facts", "--as", "blue").out
    assert "bid 3" in shell("log", "g", "--facts", "--as", "red").out


def test_a_sheet_leaves_out_what_is_sealed(shell: Any) -> None:
    """A line that a seat may not read stands there as a remark that says so."""
    shell("new", "--game", "skirmish", "--seats", "red,blue", "--name", "g")
    shell("play", "g", "red: bid 3")
    assert "red: bid 3" in shell("sheet", "g").out
    assert "red: bid 3" in shell("sheet", "g", "--as", "red").out
    ran = shell("sheet", "g", "--as", "blue")
    assert "# entry 2, red: sealed to red" in ran.out
    assert "bid 3" not in ran.out


def test_a_sheet_as_one_seat_sees_it_is_not_judged(shell: Any) -> None:
    """Its lines are not accused of what it leaves out: it is refused, and the line says why."""
    shell("new", "--game", "skirmish", "--seats", "red,blue", "--name", "g")
    shell("play", "g", "red: bid 3", "blue: bid 2")
    seen = shell("sheet", "g", "--as", "blue").out
    ran = shell("adjudicate", "-", typed=seen)
    assert ran.code == 2
    assert "in entry 2 is sealed to red" in ran.err
    assert "without --as" in ran.err
    assert shell("adjudicate", "-", typed=shell("sheet", "g").out).code == 0


def test_what_a_seat_can_prove_of_a_log_hangs_on_its_own_openings(shell: Any) -> None:
    """`verify --as blue` can't know whether a bid of red's was lawful; with everything at hand it was."""
    shell("new", "--game", "skirmish", "--seats", "red,blue", "--name", "g")
    shell("play", "g", "red: bid 3")
    whole, blues = (
        shell("verify", "g", "--json", *more).json["games"][0]["grades"] for more in ((), ("--as", "blue"))
    )
    assert whole == {"same": 2}
    assert blues == {"same": 1, "cannot_be_known": 1}


def test_show_says_what_a_seat_knew_at_an_entry(shell: Any) -> None:
    """Red knows its own bid and that blue's is hidden; when all have bid, it has learned blue's, and by which entry."""
    shell("new", "--game", "skirmish", "--seats", "red,blue", "--name", "g")
    shell("play", "g", "red: bid 3", "blue: bid 1")
    knew = shell("show", "g", "--at", "2", "--as", "red", "--json").json["known"]
    assert [(own["what"], own["holds"], own["entry"]) for own in knew["own"]] == [("bids, red", 3, 2)]
    assert (knew["learned"], knew["hidden"]) == ([], [])
    blues = shell("show", "g", "--at", "2", "--as", "blue", "--json").json["known"]
    assert blues["own"] == []
    assert [(one["to"], one["count"], one["entries"]) for one in blues["hidden"]] == [(["red"], 2, [2])]
    now = shell("show", "g", "--as", "red", "--json").json["known"]
    assert [one["entry"] for one in now["learned"]] == [3]
    assert "blue" in now["learned"][0]["text"]
    out = shell("show", "g", "--as", "red").out
    assert "What red learned" in out
    assert "What is hidden from red" in out
    assert shell("show", "g", "--json").json["known"] is None


def test_what_was_learned_stays_learned_when_it_is_taken_back(shell: Any) -> None:
    """LS-3.2: going back does not make anybody forget; the entry says that it was taken back."""
    shell("new", "--game", "skirmish", "--seats", "red,blue", "--name", "g")
    shell("play", "g", "red: bid 3", "blue: bid 1")
    shell("undo", "g", "--to", "1", "--by", "red", "--agreed", "blue")
    known = shell("show", "g", "--as", "red", "--json").json["known"]
    assert known["own"] == []
    assert [(one["entry"], one["taken_back"]) for one in known["learned"]] == [(3, True)]


def test_as_means_one_thing_everywhere() -> None:
    """The option has one definition, so that a command can't read it in a way of its own."""
    from replay.cli import terms

    for name, command in _commands().items():
        for parameter in inspect.signature(command.callback).parameters.values():
            said = str(parameter.annotation)
            if "--as" in said and name not in ("query", "sql", "export"):
                assert parameter.annotation == terms.AsSeat, name
