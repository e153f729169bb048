"""Help: every command says what it does, with an example; `--json` gives one object, errors included."""

import re
import shlex
from pathlib import Path
from typing import Any

import pytest
import typer

from replay.cli import app

GROUP = typer.main.get_command(app)
COMMANDS = tuple(sorted(GROUP.commands))  # type: ignore[attr-defined]
README = (Path(__file__).parents[3] / "README.md").read_text(encoding="utf-8")


def options(name: str) -> set[str]:
    """Return the options of a command."""
    command = GROUP.commands[name]  # type: ignore[attr-defined]
    return {word for held in command.params for word in held.opts if word.startswith("--")}


def test_the_commands_that_were_promised_are_there() -> None:
    """Each command of the user's guide is a command of the program."""
    assert set(COMMANDS) >= {
        "games", "rules", "new", "play", "roll", "asks", "undo", "restore", "whatif", "dispute", "rule", "correct",
        "show", "log", "diff", "replay", "verify", "adjudicate", "position", "sheet", "import", "export", "query", "sql",
    }  # fmt: skip


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_has_help_with_an_example_that_can_be_read(shell: Any, name: str) -> None:
    """The example is a call of that command, with options that it has."""
    out = shell(name, "--help").out
    assert "Example:" in out
    calls = re.findall(r"^\s*\$ (lawspeaker .*?)\s*$", out, re.MULTILINE)
    assert calls
    for call in calls:
        words = shlex.split(call.partition(" < ")[0].partition(" > ")[0], posix=True)
        assert words[1] == name
        assert {word for word in words if word.startswith("--")} <= options(name)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_and_option_has_words_of_its_own(name: str) -> None:
    """No command and no option is left unexplained, and every command can answer in JSON."""
    command = GROUP.commands[name]  # type: ignore[attr-defined]
    assert command.help
    assert command.help.strip()
    assert [held.name for held in command.params if not getattr(held, "help", None)] == []
    assert "--json" in options(name)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_in_the_table_of_the_readme(name: str) -> None:
    """The README has a row for it."""
    assert re.search(rf"^\| `{name}\b", README, re.MULTILINE)


def test_every_row_of_the_readme_is_a_command(shell: Any) -> None:
    """The table promises nothing that is not there, those of floors above included."""
    rows = re.findall(
        r"^\| `([a-z]+)\b[^|]*` \|", README.partition("## All commands")[2].partition("## ")[0], re.MULTILINE
    )
    assert len(rows) > 20
    assert [name for name in rows if shell(name, "--help").code != 0] == []


ANSWERS = (
    ("games",),
    ("rules", "skirmish"),
    ("rules", "skirmish", "TS-1"),
    ("rules", "skirmish", "TS-1.1"),
    ("rules", "skirmish", "--points"),
    ("new", "--game", "skirmish"),
    ("play", "g", "dice: 1 2"),
    ("roll", "g"),
    ("asks", "g"),
    ("undo", "g", "--arbiter", "Anna"),
    ("whatif", "g", "--at", "2"),
    ("dispute", "g", "no", "--seat", "red"),
    ("rule", "g", "--uphold", "--reason", "so"),
    ("correct", "g", "pebbles red 2", "--reason", "so"),
    ("show", "g"),
    ("log", "g"),
    ("diff", "g", "1", "4"),
    ("replay", "g"),
    ("verify", "g"),
    ("sheet", "g"),
    ("export", "g"),
    ("query",),
    ("query", "longest_games"),
    ("sql", "SELECT 1 AS one"),
)


@pytest.mark.parametrize("call", ANSWERS, ids=" ".join)
def test_json_is_one_object_on_stdout_and_nothing_else(shell: Any, game: str, call: tuple[str, ...]) -> None:
    """A program reads it without looking at anything else; stderr stays empty."""
    ran = shell(*call, "--json")
    assert ran.code == 0
    assert isinstance(ran.json, dict)
    assert ran.err == ""


WRONG = (
    ("nonsense",),
    ("rules",),
    ("rules", "skirmish", "nothing"),
    ("new",),
    ("new", "--game", "skirmish", "--answer", "X1"),
    ("play", "none", "dice: 1"),
    ("show", "none"),
    ("show", "none.jsonl"),
    ("diff", "g", "one", "two"),
    ("verify", "nowhere"),
    ("adjudicate", "nowhere.score"),
    ("position", "nowhere.toml"),
    ("import", "nowhere.jsonl"),
    ("export", "g", "--out", "no/such/../\0.jsonl"),
    ("sql", "nonsense"),
    ("query", "nonsense"),
    ("show", "g", "--no-such-option"),
)


@pytest.mark.parametrize("call", WRONG, ids=lambda call: ascii(" ".join(call)))
def test_an_error_is_a_sentence_and_with_json_an_object_too(
    shell: Any, game: str, call: tuple[str, ...]
) -> None:
    """Exit code 2; stderr has a sentence, stdout the same in one object."""
    plain = shell(*call)
    assert (plain.code, plain.out) == (2, "")
    assert plain.err.strip()
    told = shell(*call, "--json")
    assert told.code == 2
    assert isinstance(told.json, dict)


def test_a_floor_above_adds_its_commands(shell: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A function named by an entry point is a command like any other; its floor is loaded only when it is called."""

    def greet(name: str) -> None:
        """Greet somebody."""
        typer.echo(f"Hail, {name}")

    class Point:
        """An entry point."""

        def load(self) -> Any:
            return greet

    monkeypatch.setattr("replay.cli.further._further", lambda: {"greet": Point()})
    assert shell("greet", "Anna").out == "Hail, Anna\n"
    assert "Greet somebody." in shell("--help").out
    assert shell("greet").code == 2


def test_no_colours_reach_a_pipe(shell: Any, game: str) -> None:
    """What is not a terminal gets plain text, without trailing spaces."""
    for call in (("show", "g"), ("log", "g"), ("rules", "skirmish", "TS-1"), ("verify", "g")):
        out = shell(*call).out
        assert "\x1b" not in out
        assert [line for line in out.splitlines() if line != line.rstrip()] == []


def test_completion_can_be_installed_for_the_shells(
    shell: Any, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    """The program prints a script for bash that calls it back."""
    assert "--install-completion" in shell("--help").out
    assert "--show-completion" in shell("--help").out
