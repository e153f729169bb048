"""Positions: read from TOML, checked by the rules, and every fault named with its place."""

import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.rules import Rules
from replay.sheets.position import BadPosition, check_position, load_position, parse_position
from replay.words.faults import BadInput
from replay.words.grammar import write_command

PEBBLES = """\
game = "skirmish"
seats = ["red", "blue"]
title = "The last throw"

[answer]
X1 = "four"

[[pebbles]]
seat = "red"
count = 2

[[pebbles]]
seat = "blue"
count = 3
"""


def faults_of(text: str) -> list[str]:
    """Return what is wrong with a position, fault by fault."""
    with pytest.raises(BadPosition) as caught:
        parse_position(text, "p.toml")
    return [str(fault) for fault in caught.value.faults]


def test_a_position_says_who_sits_what_departs_and_what_stands(skirmish: Rules[Any], tmp_path: Path) -> None:
    """Header, answers by short id, and one table for each thing that stands somewhere."""
    file = tmp_path / "throw.toml"
    file.write_text(PEBBLES, encoding="utf-8")
    held = load_position(file)
    assert (held.game, held.seats, held.title) == ("skirmish", ("red", "blue"), "The last throw")
    assert held.answers == {"TS-X1": "four"}
    assert [write_command(skirmish, fact) for fact in held.facts] == ["pebbles red 2", "pebbles blue 3"]
    assert held.command().id == "throw"
    assert check_position(held) == ()


def test_a_thing_that_stands_once_may_be_a_single_table(skirmish: Rules[Any]) -> None:
    """`[pebbles]` is `[[pebbles]]` with one row."""
    text = 'game = "skirmish"\nseats = ["red", "blue"]\n[pebbles]\nseat = "red"\ncount = 1\n'
    assert len(parse_position(text).facts) == 1
    assert faults_of('game = "skirmish"\nseats = ["red", "blue"]\npebbles = 3\n') == [
        "p.toml:3: pebbles number 1 is no table; expected [[pebbles]] with the fields seat, count"
    ]


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    (
        ('"skirmish"', '"skirmsh"', "p.toml:1: there is no game 'skirmsh'; expected game = one of: "),
        ('game = "skirmish"\n', "", "p.toml: it does not say which game it is of; expected game = one of: "),
        (
            '"blue"]',
            '"bleu"]',
            "p.toml:2: there is no seat 'bleu'; expected seats = a list of some of: red, blue, green; did you mean blue?",
        ),
        (
            'seats = ["red", "blue"]',
            "seats = 3",
            "p.toml:2: seats is no list of texts; expected seats = a list",
        ),
        (
            "X1",
            "X11",
            "p.toml:6: the rulebook has no point X11; expected a point of the rulebook; did you mean X1?",
        ),
        (
            '"four"',
            '"for"',
            "p.toml:6: X1 is not answered by 'for'; expected one of: three, four; did you mean four?",
        ),
        (
            "[answer]\nX1",
            "[option]\nlength",
            "p.toml:6: there is no option 'length'; expected none: the game has no variants",
        ),
        (
            '[[pebbles]]\nseat = "red"',
            '[[pebles]]\nseat = "red"',
            "p.toml:8: nothing is called 'pebles'; expected one of: pebbles, ",
        ),
        (
            "count = 3",
            "cuont = 3",
            "p.toml:14: pebbles number 2 has no field 'cuont'; expected the fields seat, count; did you mean count?",
        ),
        ("count = 3", "", "p.toml:12: pebbles number 2: count is missing; expected the fields seat, count"),
        (
            "count = 3",
            'count = "many"',
            "p.toml:14: pebbles number 2: count = 'many' will not do; expected a whole number, not a text",
        ),
        (
            "count = 3",
            "count = -3",
            "p.toml:14: pebbles number 2: count = -3 will not do; expected a whole number >= 0",
        ),
        ("count = 3", "count =", "p.toml:14:8: this is not TOML: Invalid value; expected keys and tables"),
        (
            'seat = "blue"',
            'seat = "green"',
            "p.toml:13: pebbles number 2: nobody sits at 'green'; expected one of: red, blue",
        ),
        (
            'seat = "blue"',
            'seat = "bleu"',
            "p.toml:13: pebbles number 2: nobody sits at 'bleu'; expected one of: red, blue; did you mean blue?",
        ),
        ('title = "The last throw"', "title = 3", 'p.toml:3: title is no text; expected title = "..."'),
    ),
)
def test_a_fault_names_file_line_and_what_was_expected(
    skirmish: Rules[Any], old: str, new: str, fault: str
) -> None:
    """Table and number where it is a field, and what may have been meant."""
    assert old in PEBBLES
    found = faults_of(PEBBLES.replace(old, new))
    assert any(one.startswith(fault) for one in found), found


def test_every_fault_is_named_not_only_the_first(skirmish: Rules[Any]) -> None:
    """A file with three faults is mended in one go."""
    text = PEBBLES.replace("count = 2", "count = -2").replace("count = 3", "").replace('"four"', '"five"')
    assert len(faults_of(text)) == 3


def test_what_the_rules_say_against_a_position_is_said_in_words(skirmish: Rules[Any]) -> None:
    """A position that reads well may still be none that the game can open from (LS-1)."""
    held = parse_position(
        PEBBLES.replace('["red", "blue"]', '["red"]').replace('seat = "blue"', 'seat = "red"')
    )
    (flaw,) = check_position(held)
    assert flaw.code == "wrong_seats"
    assert "LS-1.2" in flaw.because


def test_a_file_that_is_no_text_is_refused_in_words(tmp_path: Path) -> None:
    """Not UTF-8, and not there at all."""
    file = tmp_path / "p.toml"
    file.write_bytes(b"game = 1\n\xff")
    with pytest.raises(BadInput, match=r"p\.toml:2: byte 10 is no UTF-8"):
        load_position(file)
    with pytest.raises(BadInput, match="No such file"):
        load_position(tmp_path / "none.toml")


@given(st.text(max_size=60), st.integers(0, len(PEBBLES)), st.integers(0, 30))
def test_no_text_at_all_brings_a_position_down(skirmish: Rules[Any], text: str, at: int, cut: int) -> None:
    """Whatever stands in the file, it is a position or it has faults."""
    for tried in (text, PEBBLES[:at] + text + PEBBLES[at + cut :]):
        try:
            held = parse_position(tried, "p.toml")
        except BadPosition:
            continue
        assert all(flaw.because for flaw in check_position(held))


@pytest.mark.parametrize(
    ("more", "said"),
    (
        (".".join(["a"] * 52) + " = 1", "p.toml:16: the line has 51 dots outside texts; expected at most 50"),
        ("[" + ".".join(['"a.b"'] * 52) + "]", "p.toml:16: the line has 51 dots outside texts; expected at most 50"),
        (f"x = {'9' * 5_000}", "p.toml:16: the number is too long; expected a number of at most 18 digits"),
        (f"x = 0x{'f' * 5_000}", "p.toml:16: the number is too long; expected a number of at most 18 digits"),
        ("[[pebbles]]\n" * 2_000, "p.toml: the position has 2,007 rows; expected at most 2,000, all its tables together"),
        ("\n" * 20_000, "p.toml: the position has 20,016 lines; expected at most 20,000"),
    ),
)  # fmt: skip
def test_what_would_take_too_much_to_read_is_refused(more: str, said: str) -> None:
    """Depth, digits, rows and lines are bounded; the error says by how much, and nothing more is read."""
    assert faults_of(f"{PEBBLES}\n{more}") == [said]


@pytest.mark.usefixtures("skirmish")
@pytest.mark.parametrize(
    "title", (f'"{"." * 60}"', f"'{'9' * 60}'", f'"""{"." * 60}\n{"9" * 60}"""', f'"" # {"." * 60}')
)
def test_texts_and_remarks_may_hold_any_dots_and_digits(title: str) -> None:
    """What is bounded is what stands outside quotes and remarks."""
    text = PEBBLES.replace('"The last throw"', title)
    assert parse_position(text).title == tomllib.loads(text)["title"]
