"""What a shell does to a program: pipes that are shut, streams that are not there, Ctrl-C, narrow screens, other people's files."""

import os
import re
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.replay.cli.test_terminal import HOUSE, LAWSPEAKER, POSITION, UNITS, Terminal

FOUR = HOUSE / "fixtures" / "dragonlords" / "land" / "kings_of_four.jsonl"
SHEET = """position: f.toml

orc: attack OR_n from OR_k with 5
dice: 1 3 5 6 2     # the Orcs'
dice: 4 3 6
claim: dwarf loses 3, orc loses 1
"""


def hear_interrupts() -> None:
    """Let a process hear Ctrl-C also where the tests themselves run in the background and do not."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def begun(folder: Path, *arguments: str, **more: Any) -> subprocess.Popen[bytes]:
    """Begin a call as a process of its own, in a folder with a store of its own."""
    environment = {**os.environ, "LAWSPEAKER_STORE": str(folder / "store.db"), "PYTHONPATH": str(HOUSE)}
    return subprocess.Popen(
        [sys.executable, "-c", LAWSPEAKER, *arguments], cwd=folder, env=environment, stderr=subprocess.PIPE, **more
    )  # fmt: skip


@pytest.mark.parametrize(
    "call",
    (
        ("log", str(FOUR)),
        ("log", str(FOUR), "--facts"),
        ("log", str(FOUR), "--json"),
        ("query", "battles_by_round", str(FOUR), "--csv"),
        ("sheet", str(FOUR)),
        ("query", "--help"),
    ),
)
def test_a_reader_of_a_pipe_may_leave_when_it_has_seen_enough(tmp_path: Path, call: tuple[str, ...]) -> None:
    """`| head -1`: exit code 0 and nothing on stderr, however much is left to say."""
    with begun(tmp_path, *call, stdout=subprocess.PIPE) as ran:
        assert ran.stdout is not None
        assert ran.stderr is not None
        assert ran.stdout.read(1)
        ran.stdout.close()
        assert ran.stderr.read() == b""
        assert ran.wait(timeout=60) == 0


def test_a_stream_that_is_shut_from_the_beginning_leads_nowhere(tmp_path: Path) -> None:
    """`>&-` and `2>&-`: the exit code still says what came of it."""
    for shut, call, code in (
        (">&-", "rules dragonlords", 0),
        (">&-", "games --json", 0),
        ("2>&-", "show none", 2),
    ):
        script = f'"{sys.executable}" -c "{LAWSPEAKER}" {call} {shut}'
        environment = {**os.environ, "LAWSPEAKER_STORE": str(tmp_path / "s.db"), "PYTHONPATH": str(HOUSE)}
        ran = subprocess.run(
            ["bash", "-c", script], cwd=tmp_path, env=environment, capture_output=True, check=False
        )
        assert ran.returncode == code, ran.stderr
        assert b"Traceback" not in ran.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no /dev/full")
def test_a_disk_that_is_full_is_told_and_what_can_not_be_told_ends_all_the_same(tmp_path: Path) -> None:
    """On stdout it is a sentence; on stderr there is nobody to tell."""
    with Path("/dev/full").open("wb") as full:
        ran = begun(tmp_path, "log", str(FOUR), stdout=full)
        told = ran.communicate()[1].decode()
        assert (ran.returncode, "No space left" in told, "Traceback" in told) == (2, True, False)
        environment = {**os.environ, "PYTHONPATH": str(HOUSE)}
        silent = subprocess.run(
            [sys.executable, "-c", LAWSPEAKER, "show", "none.jsonl"],
            env=environment,
            stderr=full,
            check=False,
        )
        assert silent.returncode == 2


def test_a_port_that_is_taken_ends_as_what_can_not_be_done(tmp_path: Path) -> None:
    """The server says why itself; the exit code is one of those that are told in the help."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        ran = begun(tmp_path, "serve", "--port", str(taken.getsockname()[1]), stdout=subprocess.DEVNULL)
        told = ran.communicate(timeout=60)[1].decode()
    assert ran.returncode == 2
    assert "in use" in told
    assert "Traceback" not in told


@pytest.mark.parametrize(
    "call",
    (
        ("sql", "SELECT count(*) FROM range(100000000000) a, range(100000) b"),
        ("simulate", "dragonlords", "--out", "games", "--games", "100000"),
        ("verify", *[str(FOUR)] * 5_000),
    ),
    ids=lambda call: call[0],
)
def test_ctrl_c_breaks_off_what_takes_long(tmp_path: Path, call: tuple[str, ...]) -> None:
    """Exit code 130 and no traceback, soon."""
    with begun(tmp_path, "new", "--game", "dragonlords", stdout=subprocess.DEVNULL) as first:
        first.communicate(timeout=60)
    with begun(
        tmp_path, *call, stdout=subprocess.PIPE, start_new_session=True, preexec_fn=hear_interrupts
    ) as ran:
        time.sleep(2.5)
        assert ran.poll() is None
        os.killpg(ran.pid, signal.SIGINT)
        out, told = ran.communicate(timeout=30)
    assert ran.returncode == 130
    assert b"Traceback" not in out + told


def on_screen(folder: Path, *arguments: str, wide: int, **more: str) -> str:
    """Return what stands on a screen so wide after a call."""
    terminal = Terminal(folder, *arguments, COLUMNS=str(wide), **more)
    terminal.until("\0", 120)  # what never comes: all there is until the call ends
    terminal.end()
    return terminal.seen.replace("\r\n", "\n")


def test_a_narrow_screen_holds_every_line(tmp_path: Path) -> None:
    """At 60 columns no line of a board, a list, an answer or a help page is longer; a wide answer stands in blocks."""
    for call in (
        ("show", str(FOUR), "--at", "200"),
        ("log", str(FOUR), "--since", "320"),
        ("query", "endings", str(FOUR)),
        ("query", "turning_point", str(FOUR), "--param", "most=1"),
        ("rules", "dragonlords", "QD-10.6"),
        ("rule", "--help"),
    ):
        seen = on_screen(tmp_path, *call, wide=60, NO_COLOR="1")
        plain = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", seen)
        lines = [line.rpartition("\r")[2].rstrip() for line in plain.split("\n")]
        assert max(map(len, lines)) <= 60, call
    wide = on_screen(
        tmp_path, "query", "turning_point", str(FOUR), "--param", "most=1", wide=250, NO_COLOR="1"
    )
    assert "─" * 100 in wide
    blocks = on_screen(
        tmp_path, "query", "turning_point", str(FOUR), "--param", "most=1", wide=60, NO_COLOR="1"
    )
    assert re.search(r"gained_by +dwarf", re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", blocks))
    assert "─" not in blocks


def test_no_colour_is_shown_where_none_is_wanted(tmp_path: Path) -> None:
    """NO_COLOR leaves bold and dim, and no colour; a terminal that knows nothing gets nothing but text."""
    colour = re.compile(r"\x1b\[(?:\d+;)*(?:3[0-7]|4[0-7]|9[0-7]|10[0-7]|38;[\d;]+|48;[\d;]+)m")
    call = ("verify", str(FOUR))
    assert colour.search(on_screen(tmp_path, *call, wide=100))
    assert not colour.search(on_screen(tmp_path, *call, wide=100, NO_COLOR="1"))
    assert "\x1b" not in on_screen(tmp_path, *call, wide=100, TERM="dumb")


@pytest.mark.parametrize("end", ("\n", "\r\n"), ids=("LF", "CRLF"))
@pytest.mark.parametrize("mark", (b"", b"\xef\xbb\xbf"), ids=("plain", "BOM"))
def test_files_of_other_systems_are_read_as_they_are_meant(
    shell: Any, tmp_path: Path, end: str, mark: bytes
) -> None:
    """Sheets, positions and moves with line ends of Windows, and with the mark that its editors put before UTF-8."""

    def put(name: str, said: str) -> bytes:
        held = mark + said.replace("\n", end).encode()
        (tmp_path / name).write_bytes(held)
        return held

    put("f.toml", POSITION.replace("[turn]", "[[turn]]") + UNITS)
    put("s.score", SHEET)
    assert shell("position", "--check", "f.toml").code == 0
    judged = shell("adjudicate", "s.score")
    assert "All 4 lines are lawful" in judged.out
    piped = shell("adjudicate", "-", typed=put("p.score", SHEET))
    assert piped.out.splitlines()[1:] == judged.out.splitlines()[1:]
    assert shell("new", "--position", "f.toml", "--name", "fern").code == 0
    moves = put("moves.txt", "orc: attack OR_n from OR_k with 5\n\norc: fight   # at once\ndice: 1 3 5 6 2\n")
    assert shell("play", "fern", typed=moves).code == 0
    assert shell("log", "fern", "--json").json["head"]["id"] == 4


def test_a_log_that_an_editor_has_marked_is_told_so(shell: Any, tmp_path: Path) -> None:
    """A log is bytes that are hashed: a mark before them, or other line ends, are no torn line but another file."""
    lines = FOUR.read_bytes()
    (tmp_path / "marked.jsonl").write_bytes(b"\xef\xbb\xbf" + lines)
    (tmp_path / "windows.jsonl").write_bytes(lines.replace(b"\n", b"\r\n"))
    for call in ("verify", "show"):
        ran = shell(call, "marked.jsonl")
        assert ran.code == 2
        assert "byte order mark" in ran.err + ran.out
        ran = shell(call, "windows.jsonl")
        assert ran.code == 2
        assert "LF alone, not in CR LF" in ran.err + ran.out


def test_help_is_wrapped_by_the_screen_and_not_by_the_source(
    shell: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A paragraph of several lines is one."""
    monkeypatch.setenv("COLUMNS", "300")
    out = shell("adjudicate", "--help").out
    assert "the reading is taken that finds the least wrong in the whole sheet" in out
    assert "[[" not in shell("query", "--help").out
