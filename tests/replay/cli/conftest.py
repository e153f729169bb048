"""What the tests of the command line lean on: the command itself, run in this process on a store of its own."""

import io
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import core.games
from core.rules import Rules
from replay.cli import main


@dataclass(frozen=True)
class Ran:
    """What a call left: its exit code, and what stands on stdout and stderr."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """What stands on stdout, as the one JSON object that it must be."""
        return json.loads(self.out)


Shell = Callable[..., Ran]


@pytest.fixture
def shell(
    skirmish: Rules[Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Shell:
    """Run `lawspeaker` with these arguments, in a folder and on a store that this test alone has."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setenv("LAWSPEAKER_STORE", str(tmp_path / "store.db"))
    monkeypatch.delenv("LAWSPEAKER_TRACEBACK", raising=False)
    for name in core.games.found():
        monkeypatch.setitem(sys.modules, f"core.games.{name}", sys.modules[core.games.load(name).package])

    def run(*arguments: str, typed: str | bytes = "") -> Ran:
        text = typed if isinstance(typed, bytes) else typed.encode()
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text), encoding="utf-8"))
        capsys.readouterr()
        code = main(list(arguments))
        said = capsys.readouterr()
        assert "Traceback" not in said.out + said.err
        assert code != 70, said.err + said.out
        return Ran(code, said.out, said.err)

    return run


@pytest.fixture
def game(shell: Shell) -> str:
    """The name of a skirmish in which red has thrown at blue and the dice are asked for (entries 1 to 4)."""
    assert shell("new", "--game", "skirmish", "--seats", "red,blue", "--name", "g").code == 0
    assert shell("play", "g", "red: bid 3", "blue: bid 1", "red: throw at blue").code == 0
    return "g"
