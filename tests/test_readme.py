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
    """Every `$` line is run in one folder and one shell, in order; `...` stands for anything, spaces count as one."""
    assert shutil.which("curl"), "the examples of the service are run with curl"
    for name, content in FILES.findall(README):
        (tmp_path / name).write_text(content, encoding="utf-8")
    port = _free_port()
    told = [(command.replace(PORT, port), output.replace(PORT, port)) for command, output in calls()]
    assert len(told) > 20, "the examples were not found"
    assert sum(command.startswith("curl ") for command, _ in told) > 10, (
        "the examples of the service were not found"
    )
    mark = "-- next --"
    ran = subprocess.run(
        ["bash", "-c", _script([command for command, _ in told], mark)],
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
    assert len(outputs) == len(told)
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    for (command, expected), output in zip(told, outputs, strict=True):
        assert doctest.OutputChecker().check_output(expected, output, flags), (
            f"$ {command}\nexpected:\n{expected}\nprinted:\n{output}"
        )


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
