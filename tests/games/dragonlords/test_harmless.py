"""A game whose title, names, claims and reasons try to command the screen, on every surface that shows it."""

import json
import re
import sys
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from api.app import create_app
from api.settings import Settings
from core import games
from core.kit.chance import Deal
from core.kit.consenting import ProposeTakeBack
from core.seats import CHANCE
from events.table import Upheld
from replay.cli import main
from tests.games.dragonlords import surfaces
from tests.games.dragonlords.surfaces import GAME, kept
from tests.replay.engine import accepted, create

FORGED = "Z\u00fcrich: FORGED"
EVIL = f"begun\n{FORGED}\r{FORGED}\u2028{FORGED}\x1b[2J\x9b2J\u202eknurd\u2066\u200b\ufeff\U000e0041\x7fover"
EXACT = ("the file", "GET /games/twins/entries")
"""Surfaces of which each byte counts: lines that are hashed."""
UNSEEN = ("Cc", "Cf", "Zl", "Zp", "Cs", "Co", "Cn")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store that holds such a game: an older program took such titles and names."""
    rules = games.load("dragonlords")
    seats = ("orc", "dwarf", "elf")
    with pytest.MonkeyPatch.context() as older:
        older.setattr("replay.session.unclear", lambda *_: None)
        session = create(rules, seats=seats, title=EVIL, persons=dict.fromkeys(seats, EVIL))
        accepted(session.dispute("orc", 1, EVIL, actor=EVIL))
        accepted(session.rule(Upheld(), EVIL, dispute=2, actor=EVIL))
        accepted(session.dispute("dwarf", 1, EVIL))
    return kept(session, tmp_path_factory.mktemp("evil") / "game")


def wrong(said: str) -> Iterator[str]:
    """Yield what commands a screen or is not seen in a text of several lines, and lines that somebody forged."""
    for line in said.split("\n"):
        yield from (repr(sign) for sign in line if unicodedata.category(sign) in UNSEEN)
        if line.lstrip(" \"'>,;").startswith(FORGED):
            yield line


@pytest.mark.parametrize("reader", ("orc", None))
@pytest.mark.parametrize("shown", (surfaces.shown_by_commands, surfaces.shown_by_http))
def test_no_surface_shows_what_commands_the_screen_or_looks_like_another_line(
    shown: Any, reader: Any, folder: Path
) -> None:
    """Commands, JSON, pictures, problems and answers over HTTP: all of it is told, and all of it is seen (LS-1.7)."""
    told = 0
    for what, held in shown(folder, reader):
        if not what.startswith(EXACT):
            said = held.decode()
            assert list(wrong(said)) == [], what
            told += "\\u202eknurd" in said
    assert told > 5


def test_the_live_stream_says_who_is_asked_harmlessly(tmp_path: Path) -> None:
    """Entries go out byte for byte, for they are hashed; the reason of a take-back that others are asked about does not."""
    session = create(games.load("dragonlords"), seats=("orc", "dwarf", "elf"))
    accepted(session.submit(CHANCE, Deal("?")))
    accepted(session.submit("orc", ProposeTakeBack(1, EVIL)))
    with TestClient(create_app(Settings(store=kept(session, tmp_path / "game") / "games"))) as client:
        events = client.get(f"/games/{GAME}/stream?since=0&idle=0").content.decode().split("\n\n")
    (asked,) = (event for event in events if event.startswith("event: asked"))
    assert json.loads(asked.partition("data: ")[2])["asks"][-1]["proposal"]["reason"] == EVIL
    assert list(wrong(asked)) == []


@pytest.mark.parametrize("call", (("log", GAME), ("show", GAME), ("log", GAME, "--facts"), ("asks", GAME), ("query", "rulings", "games"),
                                  ("query", "longest_games", "games"), ("sql", "SELECT title FROM games", "games")))  # fmt: skip
def test_what_is_listed_for_the_arbiter_is_harmless_too(
    call: tuple[str, ...], folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """One row a game or ruling, whatever it is called."""
    monkeypatch.chdir(folder)
    monkeypatch.setenv("LAWSPEAKER_STORE", str(folder / "games"))
    assert main(list(call)) == 0
    said = capsys.readouterr()
    assert list(wrong(said.out + said.err)) == []


@pytest.mark.parametrize("screen", (True, False))
def test_csv_is_written_as_it_is_and_shown_harmless(
    screen: bool, folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file has every sign of a title; a screen is shown none that commands it."""
    monkeypatch.chdir(folder)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: screen)
    assert main(["sql", "SELECT title FROM games", "games", "--csv"]) == 0
    said = capsys.readouterr().out
    assert ("\x1b[2J\x9b2J\u202e" in said) is not screen
    assert ("\\u202eknurd" in said) is screen


def test_an_error_about_a_file_of_such_a_name_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Missing, damaged or in the way; also in the list of what could not be read."""
    name = EVIL.replace("/", "").replace("\x9b", "")
    monkeypatch.chdir(tmp_path)
    (tmp_path / f"{name}.jsonl").write_text("nonsense\n")
    (tmp_path / f"{name}.score").write_text(f"game: dragonlords\norc: {FORGED}\x1b[2J\u202e\n")
    for call in (
        ("verify", f"{name}.jsonl"), ("verify", f"no{name}.jsonl"), ("verify", "."), ("show", f"no{name}.jsonl"),
        ("adjudicate", f"{name}.score"), ("adjudicate", f"no{name}"), ("import", f"{name}.jsonl"), ("sql", "SELECT 1", f"{name}.jsonl"),
        ("position", f"no{name}"), ("query", "battles", f"no{name}.jsonl"), ("show", name), ("rules", name), ("new", "--game", name),
    ):  # fmt: skip
        main(
            [*call, "--store", str(tmp_path / "store.db")]
            if call[0] not in ("adjudicate", "position", "rules")
            else list(call)
        )
        said = capsys.readouterr()
        assert list(wrong(said.out + said.err)) == [], call[0]


def test_json_says_what_was_given(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever reads it with a program has every sign of a claim."""
    monkeypatch.chdir(folder)
    assert main(["log", GAME, "--json", "--store", "games"]) == 0
    said = capsys.readouterr().out
    assert json.loads(said)["entries"][1]["command"]["claim"] == EVIL
    assert not re.search("[\u202e\x9b]", said)
