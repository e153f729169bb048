"""At a terminal: the prompt of `play`, the keys of `replay`, colours, completion."""

import os
import pty
import re
import select
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from replay.cli.eyes import Eyes
from replay.cli.kept import session_at
from replay.cli.prompt import converse

LAWSPEAKER = "import sys; from replay.cli import main; sys.exit(main())"
HOUSE = Path(__file__).parents[3]
POSITION = 'game = "dragonlords"\nseats = ["orc", "dwarf"]\n[turn]\nseat = "orc"\nphase = "combat"\n'
UNITS = '[[units]]\nseat = "orc"\nplace = "OR_k"\ncount = 6\n[[units]]\nseat = "dwarf"\nplace = "OR_n"\ncount = 3\n'


class Terminal:
    """A command that runs at a terminal of its own."""

    def __init__(self, folder: Path, *arguments: str, **more: str) -> None:
        environment = {
            **os.environ,
            "LAWSPEAKER_STORE": str(folder / "store.db"),
            "TERM": "xterm",
            "PYTHONPATH": str(HOUSE),
        }
        environment |= {"COLUMNS": "120", "LINES": "50", **more}
        self.master, slave = pty.openpty()
        self.process = subprocess.Popen(
            [sys.executable, "-c", LAWSPEAKER, *arguments],
            cwd=folder, env=environment, stdin=slave, stdout=slave, stderr=slave, close_fds=True,
        )  # fmt: skip
        os.close(slave)
        self.seen = ""

    def until(self, what: str, seconds: float = 60) -> str:
        """Read until a text stands on the screen; return what came since the last call."""
        before, ends = len(self.seen), time.monotonic() + seconds
        while what not in self.seen[before:]:
            left = ends - time.monotonic()
            assert left > 0, f"{what!r} did not come, but {self.seen[before:]!r}"
            if select.select([self.master], [], [], left)[0]:
                try:
                    self.seen += os.read(self.master, 65536).decode(errors="replace")
                except OSError:
                    break
        return self.seen[before:]

    def type(self, text: str) -> None:
        """Type."""
        os.write(self.master, text.encode())

    def end(self) -> int:
        """Return the exit code."""
        code = self.process.wait(timeout=60)
        os.close(self.master)
        return code


@pytest.fixture
def fernhollow(tmp_path: Path) -> Path:
    """A folder whose store holds a battle of Orcs and Dwarves, in which the Orcs have attacked."""
    (tmp_path / "f.toml").write_text(POSITION + UNITS)
    environment = {**os.environ, "LAWSPEAKER_STORE": str(tmp_path / "store.db"), "PYTHONPATH": str(HOUSE)}
    for call in (
        ("new", "--position", "f.toml", "--name", "f"),
        ("play", "f", "orc: attack OR_n from OR_k with 5"),
    ):
        subprocess.run(
            [sys.executable, "-c", LAWSPEAKER, *call],
            cwd=tmp_path,
            env=environment,
            check=True,
            capture_output=True,
        )
    return tmp_path


def test_a_game_is_typed_at_the_prompt(fernhollow: Path) -> None:
    """What is asked stands above the prompt; moves, dice, refusals, help and undo work there; quit keeps the game."""
    terminal = Terminal(fernhollow, "play", "f")
    terminal.until("orc> ")
    terminal.type("fight\n")
    terminal.until("chance> ")
    terminal.type("1 3 5\n")
    assert "wrong_dice_count" in terminal.until("chance> ")
    terminal.type("1 3 5 6 2\n")
    assert "3 successes" in terminal.until("chance> ")
    terminal.type("?\n")
    assert "Now, for example:  1 2 3" in terminal.until("chance> ")
    terminal.type("undo\n")
    assert "dwarf must agree" in terminal.until("chance> ")
    terminal.type("undo dwarf\n")
    assert "The game goes on from entry 3" in terminal.until("chance> ")
    terminal.type("quit\n")
    assert terminal.end() == 0
    with session_at("f", fernhollow / "store.db", readonly=True) as session:
        assert [entry.id for entry in session.entries] == [1, 2, 3, 4, 5]


def test_a_replay_is_stepped_through_with_keys(fernhollow: Path) -> None:
    """It begins at the first entry; right goes on, q leaves and gives the screen back."""
    terminal = Terminal(fernhollow, "replay", "f")
    terminal.until("after entry 1 of 2")
    terminal.type("\x1b[C")
    terminal.until("after entry 2 of 2")
    terminal.type("g")
    terminal.until("after entry 1 of 2")
    terminal.type("q")
    assert terminal.end() == 0


def test_colours_are_for_terminals_and_heed_no_color(fernhollow: Path) -> None:
    """A terminal gets basic colours; with NO_COLOR it gets none."""
    coloured = Terminal(fernhollow, "show", "f")
    assert "\x1b[36m" in coloured.until("forced march")
    coloured.end()
    bare = Terminal(fernhollow, "show", "f", NO_COLOR="1")
    assert not re.search(r"\x1b\[[0-9;]*3[0-7]", bare.until("forced march"))
    bare.end()


def test_the_prompt_tells_what_is_wrong_and_goes_on(
    shell: Any, game: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Garbage, an unknown section, a moment that is not there: each a sentence, and the end of input ends it."""
    lines = iter(["nonsense", "rules 9.9", "rules 2.2", "show 99", "show 1", "1 2", "help", "undo nobody"])

    def typed(_: str) -> str:
        try:
            return next(lines)
        except StopIteration:
            raise EOFError from None

    monkeypatch.setattr("builtins.input", typed)
    with session_at("g", Path("store.db")) as session:
        converse(Eyes.of(session, ""))
        assert session.head.id == 5
    said = capsys.readouterr()
    assert "in no section of the rulebook" in said.err
    assert "Each die of three or less" in said.out
    assert "1 to 4" in said.err


def test_the_shell_completes_commands(fernhollow: Path) -> None:
    """Bash asks the program for the words that fit what is typed so far."""
    environment = {
        **os.environ,
        "_LAWSPEAKER_COMPLETE": "complete_bash",
        "COMP_WORDS": "lawspeaker ad",
        "COMP_CWORD": "1",
    }
    ran = subprocess.run(
        [Path(sys.executable).parent / "lawspeaker"],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.stdout.split() == ["adjudicate"]


def test_who_breaks_off_while_the_program_loads_sees_no_traceback(tmp_path: Path) -> None:
    """Ctrl-C in the first second: exit code 130 and nothing else; importing the entry point alone loads no library."""
    broken = (
        "import sys; from replay.cli import main; held = {'typer', 'rich', 'msgspec', 'core.rules'} & {*sys.modules}\n"
        "assert not held, held\n"
        "class Break:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == 'typer': raise KeyboardInterrupt\n"
        "sys.meta_path.insert(0, Break()); sys.exit(main(['games']))"
    )
    ran = subprocess.run(
        [sys.executable, "-c", broken],
        cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(HOUSE)}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (ran.returncode, ran.stdout, ran.stderr) == (130, "", "")
