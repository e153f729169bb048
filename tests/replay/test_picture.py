"""Pictures of games: a game that draws no board of its own is shown as its tables."""

from typing import Any
from xml.etree import ElementTree as ET

import pytest

from core.rules import Rules
from replay.picture import picture
from replay.picture_text import sheets
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
