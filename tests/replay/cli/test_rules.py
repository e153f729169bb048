"""`games` and `rules`: what can be played, by which rules, and how far the program holds them."""

from pathlib import Path
from typing import Any

import pytest

from core.rules import Rules
from replay.coverage import NoTests, cover


def test_games_lists_the_rule_sets_and_what_the_store_keeps(shell: Any, game: str) -> None:
    """A person finds the rules by name, and the games kept, with their seats and how long they are."""
    told = shell("games", "--json").json
    assert {"skirmish"} <= {rules["name"] for rules in told["rules"]}
    (kept,) = told["games"]
    assert (kept["name"], kept["rules"], kept["entries"], kept["seats"]) == (
        "g",
        "skirmish",
        4,
        ["red", "blue"],
    )
    assert "A skirmish of pebbles" in shell("games").out


def test_games_works_before_any_game_was_kept(shell: Any, tmp_path: Path) -> None:
    """The first thing a person types must not fail for want of a store, and must not make one."""
    ran = shell("games")
    assert ran.code == 0
    assert "no games kept" in ran.out
    assert not (tmp_path / "store.db").exists()


def test_a_section_is_shown_with_its_text_and_its_points(shell: Any) -> None:
    """TS-2.2 stands with its words, and the point on it with every answer."""
    out = shell("rules", "skirmish", "ts-2.2").out
    assert "Each die of three or less takes a pebble." in out
    assert "* three" in out
    assert "four" in out


def test_a_point_is_found_by_its_short_name(shell: Any) -> None:
    """Who writes X1 means TS-X1."""
    assert shell("rules", "skirmish", "x1", "--json").json["point"]["id"] == "TS-X1"


def test_the_law_of_the_table_is_found_beside_the_rulebook(shell: Any) -> None:
    """Refusals cite LS-3.2 as well; its words must be at hand."""
    assert "A seat alone may take back" in shell("rules", "skirmish", "LS-3.2").out


def test_a_section_that_is_nowhere_is_an_error_that_says_what_there_is(shell: Any) -> None:
    """Exit code 2 and the chapters that there are."""
    ran = shell("rules", "skirmish", "TS-9.9")
    assert (ran.code, ran.out) == (2, "")
    assert "TS-1 to TS-3" in ran.err


def test_a_search_finds_sections_that_hold_every_word(shell: Any) -> None:
    """Words are found whatever their case and order."""
    told = shell("rules", "skirmish", "--search", "SECRET bids", "--json").json
    assert [section["id"] for section in told["sections"]] == ["TS-1.1"]


def test_unknown_rules_are_an_error_that_lists_the_known_ones(shell: Any) -> None:
    """Exit code 2; with --json the same sentence in an object."""
    ran = shell("rules", "chess", "--json")
    assert ran.code == 2
    assert "skirmish" in ran.json["text"]


COVERING = '''
def test_bids_are_secret() -> None:
    """Bids lie face down (TS-1.1)."""

def test_bids_once_more() -> None:
    assert "TS-1.1" in "TS-1.10 TS-1.1"

def helper() -> None:
    """TS-2.1"""
'''


def test_a_section_is_enforced_when_code_and_a_test_cite_it(skirmish: Rules[Any], tmp_path: Path) -> None:
    """Each test function counts once; what is no test counts nothing; uncited sections are pending."""
    (tmp_path / "test_it.py").write_text(COVERING)
    covered = {each.id: each for each in cover(skirmish, tmp_path)}
    assert (covered["TS-1.1"].status, covered["TS-1.1"].tests) == ("enforced", 2)
    assert (covered["TS-2.1"].status, covered["TS-2.1"].tests) == ("pending", 0)


def test_coverage_without_the_tests_says_so(skirmish: Rules[Any], tmp_path: Path) -> None:
    """An installation without the checkout can't count tests, and does not pretend to."""
    with pytest.raises(NoTests, match="no folder of tests"):
        cover(skirmish, tmp_path / "none")


def test_coverage_lists_every_section_with_a_known_status(shell: Any) -> None:
    """One object with a list `sections`; not_enforced always has its reason."""
    told = shell("rules", "skirmish", "--coverage", "--json").json
    assert [section["id"] for section in told["sections"]] == [
        "TS-1.1",
        "TS-1.2",
        "TS-2.1",
        "TS-2.2",
        "TS-3.1",
    ]
    for section in told["sections"]:
        assert section["status"] in ("enforced", "not_enforced", "pending")
        assert isinstance(section["tests"], int)
        assert ("reason" in section) == (section["status"] == "not_enforced")


def test_a_card_and_a_monster_are_read_out(shell: Any) -> None:
    """QD-6.10, QD-9.2: `--cards Q03` says what it says, `--cards vampire` what it is that comes."""
    asked = shell("rules", "dragonlords", "--cards", "q03", "--json").json["cards"]
    assert [(each["deck"], each["card"]) for each in asked][:2] == [
        ("quest_cards", "Q03"),
        ("what quest cards say", "Q03"),
    ]
    met = shell("rules", "dragonlords", "--cards", "vampire").out
    assert "the vampire attacks; then" in met
    assert "D6, 5 or less" in met
    assert "--cards Q01" in shell("rules", "dragonlords", "--cards", "all").out
