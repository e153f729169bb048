"""What a call ends with: 1 where the rules refuse, 2 where what was given names nothing, in every command alike."""

from pathlib import Path
from typing import Any

import pytest

from replay.cli.trouble import EXIT_CODES

POSITION = """game = "dragonlords"
seats = ["orc", "dwarf"]
turn = [{seat = "orc", phase = "combat"}]
units = [{seat = "orc", place = "OR_k", count = 6}, {seat = "dwarf", place = "OR_n", count = 3}]
"""


@pytest.fixture
def fern(shell: Any, tmp_path: Path) -> None:
    """A battle of Orcs and Dwarves, not yet begun."""
    (tmp_path / "f.toml").write_text(POSITION, encoding="utf-8")
    assert shell("new", "--position", "f.toml", "--name", "fern").code == 0


@pytest.mark.usefixtures("fern")
@pytest.mark.parametrize(
    ("call", "said"),
    (
        (("show", "nosuch"), "holds no game 'nosuch'"),
        (("play", "nosuch", "orc: pass"), "holds no game 'nosuch'"),
        (("play", "fern", "orc: attack OR_nn from OR_k with 3"), "There is no place OR_nn; did you mean OR_n"),
        (("play", "fern", "attack OR_nn from OR_k with 3"), "There is no place OR_nn"),
        (("why", "fern", "orc: attack OR_nn from OR_k with 3"), "There is no place OR_nn"),
        (("play", "fern", "elf: pass"), "Nobody sits at 'elf'"),
        (("show", "fern", "--as", "elf"), "Nobody sits at 'elf'"),
        (("undo", "fern", "--by", "elf"), "Nobody sits at 'elf'"),
        (("undo", "fern", "--agreed", "elf"), "Nobody sits at 'elf'"),
        (("restore", "fern", "--by", "elf"), "Nobody sits at 'elf'"),
        (("tokens", "fern", "--seat", "elf"), "Nobody sits at 'elf'"),
        (("dispute", "fern", "wrong", "--seat", "elf"), "Nobody sits at 'elf'"),
        (("rule", "fern", "--forfeit", "elf", "--reason", "x"), "Nobody sits at elf"),
        (("rule", "fern", "--penalise", "elf=x", "--reason", "x"), "Nobody sits at elf"),
        (("new", "--game", "dragonlords", "--seats", "orc,ork"), "There is no seat ork"),
        (("new", "--game", "dragonlords", "--seats", "orc,elf", "--person", "dwarf=Ben"), "Nobody sits at 'dwarf'"),
        (("query", "battles", "--as", "ork"), "There is no seat 'ork'"),
        (("audit", "--as", "ork"), "There is no seat 'ork'"),
        (("correct", "fern", "units elf OR_n 3", "--reason", "x"), "there is no seat 'elf'"),
        (("correct", "fern", "units orc OR_nn 3", "--reason", "x"), "there is no place 'OR_nn'"),
        (("play", "fern", "arbiter: correct units orc OR_nn 3 because x"), "there is no place 'OR_nn'"),
        (("show", "fern", "--at", "9"), "There is no entry 9"),
        (("log", "fern", "--since", "9"), "There is no entry 9"),
        (("undo", "fern", "--to", "9"), "There is no entry 9"),
        (("rule", "fern", "--back-to", "9", "--reason", "x"), "There is no entry 9"),
        (("play", "fern", "orc: dispute entry 9 wrong"), "There is no entry 9"),
        (("rule", "fern", "--uphold", "--dispute", "9", "--reason", "x"), "No dispute 9 is open"),
        (("rule", "fern", "--uphold", "--because", "QD-99.9", "--reason", "x"), "QD-99.9 is nowhere"),
        (("rules", "dragonlords", "QD-99"), "'QD-99' is no section"),
        (("rule", "fern", "--answer", "X999=a", "--reason", "x"), "no point QD-X999"),
        (("rule", "fern", "--answer", "X61=a", "--reason", "x"), "QD-X61 is answered by"),
        (("new", "--game", "dragonlords", "--answer", "X61=a"), "QD-X61 is answered by"),
        (("new", "--game", "dragonlords", "--option", "armies=three"), "armies = three is no option"),
        (("new", "--game", "chess"), "There is no game 'chess'"),
        (("query", "nosuch"), "There is no question 'nosuch'"),
        (("nosuch",), "No such command"),
    ),
)  # fmt: skip
def test_what_names_nothing_ends_with_2_in_every_command(
    call: tuple[str, ...], said: str, shell: Any
) -> None:
    """A sentence says which name it was; nothing is written."""
    before = shell("log", "fern", "--json").json
    ran = shell(*call)
    assert (ran.code, said in ran.err) == (2, True), ran.err
    assert shell("log", "fern", "--json").json == before
    told = shell(*call, "--json")
    assert told.code == 2
    assert said in told.out
    assert told.json


@pytest.mark.usefixtures("fern")
@pytest.mark.parametrize(
    "call",
    (
        ("play", "fern", "orc: attack OR_n from OR_k with 99"),
        ("play", "fern", "dwarf: pass"),
        ("play", "fern", "dice: 1 2"),
        ("why", "fern", "orc: attack OR_n from OR_k with 99"),
        ("new", "--game", "dragonlords", "--seats", "orc"),
        ("new", "--game", "dragonlords", "--name", "fern"),
        ("undo", "fern"),
        ("restore", "fern"),
    ),
)
def test_what_the_rules_or_what_is_there_refuse_ends_with_1(call: tuple[str, ...], shell: Any) -> None:
    """All names are known; it may just not be done."""
    assert shell(*call).code == 1


@pytest.mark.usefixtures("fern")
def test_a_question_about_a_game_that_was_not_read_says_so(shell: Any) -> None:
    """It finds nothing, which is no fault; a slip in the name is told all the same."""
    ran = shell("query", "battles", "--param", "game=fren")
    assert ran.code == 0
    assert "no game 'fren' was read" in ran.err
    assert "was read" not in shell("query", "battles", "--param", "game=fern").err


def test_the_exit_codes_are_told_with_the_help_and_in_the_readme(shell: Any) -> None:
    """Word by word the same in both, 0 to 130."""
    flat = " ".join(shell("--help").out.split())
    assert EXIT_CODES in flat
    page = " ".join((Path(__file__).parents[3] / "README.md").read_text(encoding="utf-8").split())
    for meaning in EXIT_CODES.removeprefix("Exit codes: ").rstrip(".").split("; "):
        assert meaning in page
