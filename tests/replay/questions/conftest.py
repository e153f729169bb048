"""What the tests of tables and questions lean on: the toys are games like any other, and unknown ones are none."""

from pathlib import Path
from typing import Any

import pytest

import core.games
from core.rules import Rules
from replay.questions.queries import Corpus, Limits, Reading
from tests.laws.worlds import names, rules_of
from tests.replay.questions.logbook import Ask

TOYS = {name: rules_of(name) for name in names() if name not in core.games.found()}


@pytest.fixture(autouse=True)
def toys(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the toys be found beside the games."""
    real = core.games.load

    def load(name: str) -> Rules[Any]:
        return TOYS[name] if name in TOYS else real(name)

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
