"""`audit`: nothing comes from nowhere; what breaks a law is named, and the exit code says it."""

from pathlib import Path
from typing import Any

import pytest

from core.games.dragonlords import RULES
from core.games.dragonlords.purchase import GoldPaid
from replay.simulating import Plan, Played, simulate_one
from tests.games.dragonlords.test_conservation import forged, laid_open

PLAN = Plan("dragonlords", "audit", seats=("orc", "elf"), most=160)


@pytest.fixture
def dear(tmp_path: Path) -> tuple[Path, int]:
    """Return a log in which somebody paid less than his kingdom did, and the entry."""
    game = Played(RULES, Plan("dragonlords", "audit", seats=("orc", "elf"), bots=("sensible",), most=260), 1)
    game.to_the_end()
    entries, at = forged(game.history, GoldPaid, gold=2)
    return laid_open(entries[:at], tmp_path / "dear.jsonl"), at


def test_games_that_keep_their_pieces_pass(shell: Any, tmp_path: Path) -> None:
    """Exit code 0, with how many games, entries and assertions were looked at."""
    for number in (1, 2):
        simulate_one(PLAN, number, tmp_path)
    result = shell("audit", str(tmp_path))
    assert result.code == 0
    assert "2 games" in result.out
    assert "nothing breaks them" in result.out


def test_what_breaks_a_law_is_named_with_its_entry(shell: Any, dear: tuple[Path, int]) -> None:
    """Game, entry, law, what, expected and found; exit code 1, in text and in JSON (QD-4.2)."""
    path, at = dear
    result = shell("audit", str(path))
    assert result.code == 1
    assert "dragonlords.prices" in result.out
    told = shell("audit", str(path), "--json")
    assert told.code == 1
    (breach,) = (each for each in told.json["breaches"] if each["assertion"] == "dragonlords.prices")
    assert (breach["entry"], breach["found"]) == (at, "2")
    assert told.json["ok"] is False


def test_the_laws_are_listed_in_words(shell: Any) -> None:
    """Each assertion says in a sentence what must hold."""
    out = shell("audit", "--list").out
    assert "dragonlords.units" in out
    assert "No seat moves or loses more units" in out
    assert "after_the_end" in out


def test_a_log_that_cannot_be_read_is_said_so(shell: Any, tmp_path: Path) -> None:
    """Exit code 2 and a sentence that names the file; with --skip-damaged it is left out."""
    bad = tmp_path / "bad.jsonl"
    bad.write_bytes(b"nothing\nat all\n")
    result = shell("audit", str(tmp_path))
    assert result.code == 2
    assert "bad.jsonl" in result.err
    simulate_one(PLAN, 1, tmp_path)
    kept = shell("audit", str(tmp_path), "--skip-damaged")
    assert kept.code == 0
    assert "left out" in kept.err
