"""Lists that could be screens long are cut where people read them, and whole for programs."""

import tracemalloc
from pathlib import Path
from typing import Any

import pytest

from core.consent import MOST_LISTED
from events.table import HeadMoved
from replay.cli.ask import MOST_NOTES
from replay.cli.show import blocks, indented, say, text
from replay.cli.verifying import MOST_FOLLOWING
from replay.verifying.comparing import learned_apart, plain_words
from replay.words.wording import fact_words
from tests.laws.worlds import rules_of
from tests.replay.cli.conftest import Shell
from tests.replay.planting import catalogue, forged, left
from tests.replay.questions.logbook import Logbook

LEARNED = tuple(f"entry {n}: {'roll' if n % 2 else 'act of blue'}" for n in range(3, 43))


@pytest.fixture
def long_game(shell: Shell, game: str) -> str:
    """A skirmish of four rounds in which nobody hits."""
    shell("roll", game, "6", "6")
    for _ in range(3):
        ran = shell("play", game, "red: bid 3", "blue: bid 1", "red: throw at blue", "dice: 6 6")
        assert ran.code == 0, ran.err
    return game


def test_what_an_undo_leaves_behind_is_cut_and_says_where_the_rest_is(shell: Shell, long_game: str) -> None:
    """The first few, how many more of which kind, and the command that lists all; in JSON nothing is left out."""
    ran = shell("undo", long_game, "--to", "1", "--arbiter", "Zed")
    told = [line for line in ran.out.splitlines() if "left behind: " in line]
    assert len(told) == MOST_LISTED + 1
    assert "more up to entry 17" in told[-1]
    assert f"`lawspeaker log {long_game} --since 1` lists all of it" in ran.out
    (row,) = (line for line in shell("log", long_game).out.splitlines() if "learned by then" in line)
    assert row.partition("learned by then")[2].count("entry ") == MOST_LISTED + 1
    (fact,) = (line for line in shell("log", long_game, "--facts").out.splitlines() if "head moved" in line)
    assert fact.count("entry ") == MOST_LISTED + 1
    moved = shell("log", long_game, "--json").json["entries"][-1]
    assert len(moved["facts"][0]["learned"]) > MOST_LISTED


def test_a_short_list_is_left_whole(shell: Shell, game: str) -> None:
    """Nothing is cut that can be read at a glance."""
    shell("roll", game, "6", "6")
    out = shell("undo", game, "--to", "4", "--agreed", "blue").out
    assert (
        next(line for line in out.splitlines() if "left behind:" in line).strip()
        == "left behind: entry 5: roll"
    )
    assert "lists all of it" not in out


def test_a_fact_that_went_back_far_says_so_in_a_line() -> None:
    """The kinds of what was left are counted; so in `show`, `log --facts`, and where `verify` names the command."""
    moved = HeadMoved("red", learned=LEARNED)
    for said in (fact_words(rules_of("skirmish"), moved), plain_words(moved)):
        assert "entry 3: roll" in said
        assert f"and {len(LEARNED) - MOST_LISTED} more up to entry 42: 17 x roll, 17 x act of blue" in said
        assert "entry 20" not in said


def test_two_long_lists_that_differ_in_one_are_told_by_that_one() -> None:
    """What both have is counted; short ones are told whole."""
    assert learned_apart(LEARNED[:-1], LEARNED) == (
        "nothing beside 39 that are in both", "entry 42: act of blue beside these",
    )  # fmt: skip
    assert learned_apart((), LEARNED[:2]) == ("nothing", "entry 3: roll; entry 4: act of blue")
    assert learned_apart((), LEARNED)[0] == "nothing"
    assert "34 more" in learned_apart((), LEARNED)[1]


def test_divergences_that_may_follow_from_one_are_cut_when_all_are_listed(
    shell: Shell, tmp_path: Path
) -> None:
    """`verify --all` of a refused beginning: some, how many more, from where to where; --json has them all."""
    name = "a short duel is agreed to be won by two kingdoms"
    (fault,) = (fault for fault in catalogue().log if fault.name == name)
    left(forged(fault.game, fault), tmp_path / "duel.jsonl")
    whole = shell("verify", "duel.jsonl", "--all", "--json").json["games"][0]["lawful"]
    after = [finding["after"] for finding in whole["findings"]]
    assert after.count(fault.entry) == whole["following"] > MOST_FOLLOWING
    ran = shell("verify", "duel.jsonl", "--all")
    told = [
        line for line in ran.out.splitlines() if f"(this may follow from entry {fault.entry})" in line.strip()
    ]
    flat = " ".join(ran.out.split())
    shown = flat.count(f"this may follow from entry {fault.entry}")
    assert shown == MOST_FOLLOWING - 1, told
    rest = whole["following"] - shown
    last = whole["findings"][-1]["entry"]
    assert f"and {rest} more that may follow from entry {fault.entry}, in entries" in flat
    assert f"to {last}; --json lists them" in flat


def test_remarks_about_a_reading_are_cut_too(shell: Shell, tmp_path: Path) -> None:
    """Ten games of one name: a few are named, the others counted."""
    for n in range(10):
        Logbook("same", title=str(n)).put(tmp_path / str(n))
    ran = shell("query", "endings", ".")
    told: list[Any] = ran.err.splitlines()
    assert len(told) == MOST_NOTES
    assert told[-1] == f"and {9 - (MOST_NOTES - 1)} more of this kind; --json lists them"
    assert len(shell("query", "endings", ".", "--json").json["notes"]) == 9


def test_what_is_shown_in_a_pipe_takes_no_more_memory_than_it_has_letters(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A pipe has no right edge: nothing is filled up to one. A sheet of thousands of lines would take gigabytes."""
    few, many = (_shown_in_a_pipe(rows, capsys) for rows in (100, 400))
    assert many < 400 * 8_000
    assert many < 6 * few


def _shown_in_a_pipe(rows: int, capsys: pytest.CaptureFixture[str]) -> int:
    """Return the most bytes that are held at once while so many verdicts and blocks are shown in a pipe."""
    told = [indented(text(f"line {row}: " + "what the rules say " * 5), 8) for row in range(rows)]
    below = list(blocks(("head", "other"), [(str(row), "value") for row in range(rows)]))
    tracemalloc.start()
    try:
        say(*told, *below)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
        assert capsys.readouterr().out.count("what the rules say\n") == rows
