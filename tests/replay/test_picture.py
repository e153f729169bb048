"""Pictures of games: a game that draws no board of its own is shown as its tables."""

from itertools import pairwise
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from core.kit.lettering import across
from core.rules import Rules
from replay.picture import picture
from replay.picture_text import Sheet, sheets
from replay.simulating import Plan, play_out


def texts(svg: str) -> list[str]:
    return [part.text or "" for part in ET.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]


def test_a_game_without_a_board_is_drawn_as_its_tables(skirmish: Rules[Any]) -> None:
    """Every cell of every table of the moment stands in the picture."""
    history = play_out(skirmish, Plan("skirmish", "p", most=40), 1)
    told = texts(picture(history, 20))
    cells = [
        cell for sheet in sheets(history.view("arbiter", 20)) for row in sheet.rows for cell in row if cell
    ]
    assert cells
    assert set(cells) <= set(told)


def test_a_picture_is_of_the_moment_and_the_eyes_asked_for(skirmish: Rules[Any]) -> None:
    """The title says which; a moment that is not there is an error that says which there are."""
    history = play_out(skirmish, Plan("skirmish", "p", most=40), 1)
    assert "entry 5, as red may see it" in texts(picture(history, 5, "red"))[0]
    assert "entry 5, as a spectator may see it" in texts(picture(history, 5, None))[0]
    with pytest.raises(LookupError, match="there is no entry 999; entries are 1 to "):
        picture(history, 999)
    with pytest.raises(ValueError, match="light or dark"):
        picture(history, theme="pink")


def test_a_picture_holds_no_sign_that_xml_forbids(
    skirmish: Rules[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a log says in control characters is shown as unreadable, and the file is whole."""
    history = play_out(skirmish, Plan("skirmish", "p", most=40), 1)
    monkeypatch.setattr("replay.picture.command_words", lambda *_: "red: \x00\x1b[2J <b> \ud800")
    assert "red: \ufffd\ufffd[2J <b> \ufffd" in texts(picture(history))


def test_no_cell_of_a_table_lies_over_the_next_however_wide_its_letters(
    skirmish: Rules[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Columns are as wide as their widest cell, the picture as wide as its widest row, and its title lies within."""
    wide = "W" * 60
    sheet = Sheet("Fighters", ("name", "where", "strength"), ((wide, "here", wide), ("w", wide, "2")))
    monkeypatch.setattr("replay.picture_tables.sheets", lambda *_: (sheet,))
    history = play_out(skirmish, Plan("skirmish", "p", most=40), 1)
    root = ET.fromstring(picture(history, 5))
    rows: dict[str, list[tuple[float, float]]] = {}
    for part in root.iter("{http://www.w3.org/2000/svg}text"):
        size, bold = {"head": (17, True), "title": (21, True), "strong": (14, True)}.get(
            part.get("class", ""), (14, False)
        )
        left = float(part.get("x", 0))
        rows.setdefault(part.get("y", ""), []).append((left, left + across(part.text or "", size, bold=bold)))
    assert sorted(map(len, rows.values()))[-3:] == [3, 3, 3]
    for spans in rows.values():
        assert all(end < begin for (_, end), (begin, _) in pairwise(sorted(spans)))
    assert max(end for spans in rows.values() for _, end in spans) < float(root.get("width", 0))


def test_a_picture_says_who_is_asked_what(skirmish: Rules[Any]) -> None:
    """Who owes an answer stands beside the last move, as long as the game is not over."""
    history = play_out(skirmish, Plan("skirmish", "p", most=40), 1)
    asked = {
        at: question.seats
        for at in range(1, len(history.moments))
        if (question := history.view(None, at).question) and history.view(None, at).state.ended is None
    }
    assert len(asked) > 5
    for at, seats in asked.items():
        who = "dice" if "chance" in seats else ", ".join(seats)
        assert texts(picture(history, at, None))[2].startswith(f"{who}: ")
