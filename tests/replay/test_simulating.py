"""Simulated games: the same for the same seed, whatever the number of processes; every one verifies."""

from pathlib import Path
from typing import Any

import pytest

from core.rules import Rules
from events.jsonl import read_log
from replay.bots import NoSuchBot
from replay.cli import main
from replay.simulating import Plan, Stuck, game_name, is_done, play_out, simulate_one
from replay.verifying.verify import verify_log


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_the_same_seed_plays_the_same_games_to_the_byte(skirmish: Rules[Any], tmp_path: Path) -> None:
    """Lines, openings and head of a game derive from the seed and its number alone."""
    plan = Plan("skirmish", "s", most=60)
    for folder in ("a", "b"):
        for number in (1, 2):
            simulate_one(plan, number, tmp_path / folder)
    assert contents(tmp_path / "a") == contents(tmp_path / "b")
    assert len(contents(tmp_path / "a")) == 6


def test_another_number_or_seed_is_another_game(skirmish: Rules[Any]) -> None:
    """No two games of a run are copies of each other."""
    heads = {
        play_out(skirmish, Plan("skirmish", seed, most=60), number).head.hash
        for seed in ("s", "t")
        for number in (1, 2)
    }
    assert len(heads) == 4


def test_every_simulated_game_is_whole_lawful_and_fair(skirmish: Rules[Any], tmp_path: Path) -> None:
    """A simulated log verifies like any other, its sealed dice against the seed revealed at the end (LS-4.4)."""
    for number in range(1, 6):
        simulate_one(Plan("skirmish", "v"), number, tmp_path)
        log = read_log(tmp_path / f"{game_name(Plan('skirmish', 'v'), number)}.jsonl")
        report = verify_log(skirmish, log.lines, log.openings, log.head)
        assert (report.whole.ok, report.lawful.ok, report.fair.ok) == (True, True, True), report


def test_a_game_that_goes_on_too_long_is_called_off_with_the_reason(skirmish: Rules[Any]) -> None:
    """At the cap the arbiter ends the game, and the log says why (LS-5.4)."""
    history = play_out(skirmish, Plan("skirmish", "s", most=4), 1)
    assert history.now.state.ended.how == "called_off"
    assert history.now.table.called_off == "called off after 4 entries"


def test_processes_change_nothing_but_the_time(tmp_path: Path) -> None:
    """One process or two: byte-identical logs; what lies there already is not played again."""
    for jobs in ("1", "2"):
        where = str(tmp_path / jobs)
        options = ["--games", "2", "--seed", "j", "--jobs", jobs, "--most", "40", "--out", where, "--json"]
        assert main(["simulate", "dragonlords", *options]) == 0
    assert contents(tmp_path / "1") == contents(tmp_path / "2")
    assert is_done(Plan("dragonlords", "j", most=40), 2, tmp_path / "1")


def test_a_run_that_was_broken_off_is_taken_up_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A game counts as played once its head is there; the others are played, and none twice."""
    options = ["simulate", "dragonlords", "--seed", "r", "--most", "20", "--out", str(tmp_path), "--json"]
    main([*options, "--games", "2"])
    before = contents(tmp_path)
    (tmp_path / "dragonlords-r-000002.head").unlink()
    capsys.readouterr()
    assert main([*options, "--games", "2"]) == 0
    assert '"played": 1' in capsys.readouterr().out
    assert contents(tmp_path) == before


def test_a_bot_that_answers_nothing_is_a_defect_that_is_told(
    skirmish: Rules[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bot may wait with what need not be answered; when it answers nothing at all, the game can't go on."""
    monkeypatch.setattr("replay.simulating.bots_of", lambda _: {"random": lambda *_: None})
    with pytest.raises(Stuck, match="answers nothing"):
        play_out(skirmish, Plan("skirmish", "s", most=60), 1)


def test_who_plays_stands_in_the_log(skirmish: Rules[Any]) -> None:
    """The bot of each seat is its person, so that statistics can tell them apart."""
    history = play_out(skirmish, Plan("skirmish", "s", most=60), 1)
    assert dict(history.now.table.persons) == dict.fromkeys(history.now.table.seats, "random bot")


def test_a_bot_that_a_game_does_not_have_is_said_so(skirmish: Rules[Any]) -> None:
    """The bots there are, are named."""
    with pytest.raises(NoSuchBot, match="random"):
        play_out(skirmish, Plan("skirmish", "s", bots=("clever",)), 1)


def test_two_bots_for_one_player_are_refused_before_anything_is_played(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With two armies each, the first and the third seat are one player's: one person sits at both (LS-1.6)."""
    out = tmp_path / "allies"
    options = [
        "simulate",
        "dragonlords",
        "--games",
        "1",
        "--option",
        "armies=two",
        "--most",
        "30",
        "--out",
        str(out),
    ]
    assert main([*options, "--bots", "random,sensible,sensible,random"]) == 1
    said = capsys.readouterr().err
    assert "One player sits at orc and dwarf, not both random bot and sensible bot." in said
    assert not out.exists()
    assert main([*options, "--bots", "random,sensible"]) == 0
