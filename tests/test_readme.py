"""The README is the user's guide: its files are written, its commands are run, and they print what it says."""

import doctest
import os
import re
import shlex
import shutil
import socket
import subprocess
import sys
from pathlib import Path

HOUSE = Path(__file__).parent.parent
README = (HOUSE / "README.md").read_text(encoding="utf-8")
BIN = Path(sys.executable).parent

FILES = re.compile(r"^<!-- file: (\S+) -->\n```\w+\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PORT = "8321"
"""The port that the page uses."""
CONSOLE = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def calls() -> list[tuple[str, str]]:
    """Return each command of the console blocks and the output that stands under it, in the page's order."""
    found: list[tuple[str, str]] = []
    for block in CONSOLE.findall(README):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            found.append((command, output))
    return found


def test_the_examples_of_the_readme_print_what_it_says(tmp_path: Path) -> None:
    """Every `$` line is run in one folder and one shell, in order; `...` stands for anything, spaces count as one.

    Then the calls in running text, of the games that are there now: each is understood, whatever the rules say to it.
    """
    assert shutil.which("curl"), "the examples of the service are run with curl"
    for name, content in FILES.findall(README):
        (tmp_path / name).write_text(content, encoding="utf-8")
    (tmp_path / "moves.txt").touch()
    port = _free_port()
    told = [(command.replace(PORT, port), output.replace(PORT, port)) for command, output in calls()]
    assert len(told) > 20, "the examples were not found"
    assert sum(command.startswith("curl ") for command, _ in told) > 10, (
        "the examples of the service were not found"
    )
    spoken = in_running_text()
    assert len(spoken) > 12, "the calls in running text were not found"
    mark = "-- next --"
    after = [
        f"{call} < /dev/null > out.txt 2>&1 || {{ code=$?; test $code = 1 || cat out.txt; }}"
        for call in spoken
    ]
    ran = subprocess.run(
        ["bash", "-c", _script([*(command for command, _ in told), *after], mark)],
        cwd=tmp_path,
        env={
            **os.environ,
            "PATH": f"{BIN}:{os.environ['PATH']}",
            "LAWSPEAKER_STORE": str(tmp_path / "store.db"),
            "PYTHONUTF8": "1",
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        timeout=250,
        check=False,
    )
    outputs = ran.stdout.split(f"{mark}\n")[:-1]
    assert len(outputs) == len(told) + len(spoken)
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    for (command, expected), output in zip(told, outputs[: len(told)], strict=True):
        assert doctest.OutputChecker().check_output(expected, output, flags), (
            f"$ {command}\nexpected:\n{expected}\nprinted:\n{output}"
        )
    assert {call: said for call, said in zip(spoken, outputs[len(told) :], strict=True) if said} == {}


def in_running_text() -> list[str]:
    """Return the whole calls that stand in running text, each once; those with words in capitals or dots are patterns."""
    text = " ".join(CONSOLE.sub("", README).split())
    found = dict.fromkeys(re.findall(r"`(lawspeaker [^`]+)`", text))
    spared = (
        "lawspeaker --install-completion",
        *(f"lawspeaker {name}" for name in ("position", "serve", "tokens")),
    )
    patterns = re.compile(r"\.\.\.|\b(?:GAME|RULES|PATH|FILE|NAME)\b")
    return [call for call in found if call not in spared and not patterns.search(call)]


def _script(commands: list[str], mark: str) -> str:
    """Return a script that runs the commands with a mark after each; `$?` is that of the command before.

    What it leaves running ends with it.
    """
    lines = ["code=0", "trap 'kill $(jobs -p) 2> /dev/null' EXIT"]
    for command in commands:
        lines.append(
            command
            if command.endswith("&")
            else command.replace("$?", "$code")
            if command == "echo $?"
            else f"{command}; code=$?"
        )
        lines.append(f"echo {shlex.quote(mark)}")
    return "\n".join(lines)


def _free_port() -> str:
    """Return a port that nobody listens on, in place of the page's."""
    with socket.create_server(("127.0.0.1", 0)) as held:
        return str(held.getsockname()[1])


def test_every_command_that_the_readme_shows_is_one(tmp_path: Path) -> None:
    """Calls in running text name commands that there are."""
    from typer.main import get_command

    from replay.cli import app

    known = set(get_command(app).commands)  # type: ignore[attr-defined]
    named = set(re.findall(r"(?:`|\$ )lawspeaker ([a-z]+)", README)) - {"serve"}
    assert named - known == set()
    assert len(named) > 10


def test_the_readme_says_in_its_first_lines_what_it_is() -> None:
    """Three things and the games; then two commands to install."""
    head = README.partition("## The first ten minutes")[0]
    for word in ("Adjudicate", "Replay", "Query", "make demo", "make test", "DragonLords"):
        assert word in head


def test_the_first_screen_tells_an_arbiter_what_to_do() -> None:
    """Within forty lines: what to write down, what to call, what it answers, and what to do where the booklet is silent."""
    head = "\n".join(README.splitlines()[:40])
    for word in (
        "angry",
        "arbiter",
        "lawspeaker adjudicate",
        "unlawful",
        "lawspeaker rules dragonlords QD-10.6",
        "--points",
    ):
        assert word in head


def test_every_option_in_the_table_of_commands_is_one_of_its_command() -> None:
    """Each `--option` in a row belongs to the command that the row is about."""
    from typer.main import get_command

    from replay.cli import app

    group = get_command(app)
    section = README.partition("## All commands")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| `([a-z]+)\b([^`]*)` \| (.*) \|$", section, re.MULTILINE)
    assert len(rows) > 25
    unknown = {}
    for name, call, said in rows:
        command = group.get_command(None, name)  # type: ignore[attr-defined]
        known = {word for held in command.params for word in (*held.opts, *held.secondary_opts)}
        wrong = set(re.findall(r"--[a-z-]+", call + said)) - known
        if wrong:
            unknown[name] = wrong
    assert unknown == {}


def test_every_link_on_the_page_leads_somewhere() -> None:
    """Headings of this page, and files of the house."""
    headings = {
        re.sub(r"[^\w -]", "", line.lstrip("# ").lower()).replace(" ", "-")
        for line in README.splitlines()
        if line.startswith("#")
    }
    for target in re.findall(r"\]\(([^)]+)\)", README):
        assert (
            target.removeprefix("#") in headings if target.startswith("#") else (HOUSE / target).exists()
        ), target


def test_every_target_of_make_that_the_page_names_is_one() -> None:
    """`make help` lists it."""
    named = set(re.findall(r"`make ([.\w]+)`|^make (\w+)", README, re.MULTILINE))
    rules = (HOUSE / "Makefile").read_text(encoding="utf-8")
    for target in filter(None, (name for pair in named for name in pair)):
        assert re.search(rf"^{re.escape(target)}:", rules, re.MULTILINE), target
