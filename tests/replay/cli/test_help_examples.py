"""The examples that the help pages print are run, each in a folder of its own in which their story is laid out."""

import io
import re
import shlex
import shutil
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import pytest
import typer

from replay.cli import app, main

GROUP: Any = typer.main.get_command(app)
EXAMPLES = tuple(
    call
    for name in sorted(GROUP.commands)
    for call in re.findall(r"^  \$ (.*)$", GROUP.commands[name].epilog, re.MULTILINE)
)
BRIDGE = """game = "dragonlords"
seats = ["orc", "elf", "barbarian"]
title = "The fight at the bridge"
turn = [{ seat = "orc", phase = "combat" }]
units = [
    { seat = "orc", place = "OR_k", count = 9 }, { seat = "elf", place = "OR_n", count = 3 },
    { seat = "elf", place = "AL_k", count = 4 }, { seat = "barbarian", place = "SC_k", count = 4 },
]
"""
MOVES = (
    "orc: attack OR_n from OR_k with 4", "orc: fight", "dice: 5 5 6 3", "dice: 1 4 6", "orc: continue", "dice: 1 2 3",
    "dice: 6 6", "orc: end phase", "orc: end phase", "elf: end phase",
)  # fmt: skip
"""What was played at the bridge: entries 2 to 11."""
EVENING = "position: bridge.toml\n" + "\n".join(MOVES[:7]) + "\nclaim: units orc OR_n 3\n"
BEGUN: dict[str, int] = {"new": -1, "play": 0, "roll": 2}
"""How many of the moves are played before the examples of a command; all of them before the others, and no game is begun."""
BEFORE = {"restore": "undo bridge"}
"""What is called before the examples of a command."""
REFUSED = {'lawspeaker why bridge "orc: retreat to OR_k"'}
"""Examples that show what the rules refuse, and end with exit code 1."""
SAYS_ASIDE = "no king on the board"
"""What stands on stderr though all is well: what a position leaves out."""


def call(line: str) -> None:
    """Run a call that must end well, for the story."""
    said = io.StringIO()
    with redirect_stdout(said), redirect_stderr(said):
        assert main(shlex.split(line)) == 0, (line, said.getvalue())


@pytest.fixture(scope="module")
def story(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folders, one for each way that a game is begun: with the files and the games that the examples speak of."""
    folder = tmp_path_factory.mktemp("story")
    with pytest.MonkeyPatch.context() as patch:
        for played in sorted({*BEGUN.values(), len(MOVES)}):
            place = folder / str(played)
            place.mkdir()
            patch.chdir(place)
            patch.setenv("LAWSPEAKER_STORE", str(place / "store.db"))
            (place / "bridge.toml").write_text(BRIDGE, encoding="utf-8")
            (place / "evening.score").write_text(EVENING, encoding="utf-8")
            (place / "moves.txt").write_text("\n".join(MOVES), encoding="utf-8")
            if played >= 0:
                call("new --position bridge.toml --answer X61=extra --name bridge")
            if played > 0:
                call(shlex.join(["play", "bridge", *MOVES[:played]]))
            if played == len(MOVES):
                call("export bridge --out bridge.jsonl")
                call("simulate dragonlords --games 2 --seed spring --out spring/")
                call("new --game dragonlords --name club --store club.db")
    return folder


@pytest.mark.parametrize("example", EXAMPLES)
def test_an_example_of_a_help_page_does_what_it_says(
    shell: Any, story: Path, tmp_path: Path, example: str
) -> None:
    """Exit code 0 (1 where the rules refuse a move on purpose), something to read, and nothing on stderr."""
    name = example.split()[1]
    shutil.copytree(story / str(BEGUN.get(name, len(MOVES))), tmp_path, dirs_exist_ok=True)
    own = tmp_path / "bridge.jsonl"
    if name == "export":
        for file in tmp_path.glob("bridge.[jho]*"):
            file.unlink()
    if name in BEFORE:
        assert shell(*shlex.split(BEFORE[name])).code == 0
    given, _, out = example.partition(" > ")
    given, _, typed = given.partition(" < ")
    before = own.stat().st_mtime_ns if own.exists() else 0
    ran = shell(*shlex.split(given)[1:], typed=(tmp_path / typed).read_text("utf-8") if typed else "")
    assert ran.code == (1 if example in REFUSED else 0), ran.err
    assert ran.out.strip() or example == "lawspeaker play bridge"
    assert ran.err == "" or (name in ("new", "position") and SAYS_ASIDE in ran.err)
    assert not out or "\ngame: dragonlords\n" in f"\n{ran.out}"
    for file in re.findall(r"--out (\S+)", example):
        assert (tmp_path / file).exists()
    assert name != "export" or own.stat().st_mtime_ns > before


def test_the_examples_are_found() -> None:
    """Each command has one, and most have several."""
    assert {example.split()[1] for example in EXAMPLES} == set(GROUP.commands)
    assert len(EXAMPLES) > 50


@pytest.mark.parametrize("name", sorted({*GROUP.commands, "serve"}))
def test_a_help_page_says_in_a_line_what_for_and_what_its_exit_codes_mean(shell: Any, name: str) -> None:
    """The first paragraph is one line of the list of commands; 1 is told where the command can end so."""
    out = " ".join(shell(name, "--help").out.split())
    purpose = out.partition("] ")[2] if name == "serve" else GROUP.commands[name].help.split("\n\n")[0]
    assert 10 < len(purpose.split(". ")[0]) < 160
    codes = re.search(r"Exit codes: (0 .+?); (?:(1 .+?); )?(2 .+?)\.", out)
    assert codes is not None
    reads = {
        "asks",
        "diff",
        "export",
        "games",
        "log",
        "picture",
        "query",
        "replay",
        "rules",
        "serve",
        "sheet",
        "show",
        "sql",
    }
    assert (codes[2] is None) == (name in reads)
