"""What the tests of tables and questions lean on: the toys are games like any other, and unknown ones are none."""

from pathlib import Path
from typing import Any

import pytest

import core.games
from core.games import NoSuchRules
from core.rules import Rules
from replay.queries import Corpus, Limits, Reading
from tests.laws.worlds import games
from tests.replay.questions.logbook import Ask


@pytest.fixture(autouse=True)
def toys(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the toys be found beside the games."""
    held = games()

    def load(name: str) -> Rules[Any]:
        if name not in held:
            raise NoSuchRules(name)
        return held[name]

    monkeypatch.setattr(core.games, "found", lambda: tuple(sorted(held)))
    monkeypatch.setattr(core.games, "load", load)


@pytest.fixture
def ask() -> Ask:
    """Return how a test asks SQL of logs, and gets rows."""

    def asked(text: str, *sources: Any, reading: Reading = Reading()) -> list[tuple[Any, ...]]:
        with Corpus(sources, Limits(), reading) as corpus:
            return corpus.sql(text).rows

    return asked


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder for logs."""
    made = tmp_path / "logs"
    made.mkdir()
    return made
