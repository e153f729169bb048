"""Runs of many games that are broken off, killed, or meet a disk that does not take them: nothing is lost, nothing differs."""

import errno
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from events.jsonl import disk
from replay.cli import main

GAMES = ("--games", "9", "--seed", "run", "--most", "150", "--seats", "orc,elf")
CALL = "import sys; from replay.cli import main; sys.exit(main())"


def options(out: Path, *more: str) -> list[str]:
    return ["simulate", "dragonlords", *GAMES, "--out", str(out), "--json", *more]


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """Return what a run that nobody breaks off leaves."""
    folder = tmp_path_factory.mktemp("whole")
    assert main(options(folder)) == 0
    return contents(folder)


def begun(out: Path, *more: str) -> subprocess.Popen[bytes]:
    """Begin a run in processes of its own, and wait until it has kept a game."""
    process = starting(out, *more)
    until(lambda: len(list(out.glob("*.head"))) >= 1 if out.exists() else False)
    return process


def starting(out: Path, *more: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-c", CALL, *options(out, *more)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),  # noqa: PLW1509 - one thread
    )  # fmt: skip


def until(done: Callable[[], bool], seconds: float = 120) -> None:
    late = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < late
        time.sleep(0.02)


def workers(process: subprocess.Popen[bytes]) -> list[int]:
    """Return the processes that play for a run."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            child = int(path.read_text().rpartition(")")[2].split()[1]) == process.pid
            if child and b"spawn_main" in path.with_name("cmdline").read_bytes():
                found.append(int(path.parent.name))
        except (OSError, ValueError):
            continue
    return found


def is_there(pid: int) -> bool:
    try:
        return "Z" not in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False


@pytest.mark.parametrize("jobs", ("1", "2"))
def test_a_run_that_is_killed_goes_on_to_the_same_bytes(
    jobs: str, whole: dict[str, bytes], tmp_path: Path
) -> None:
    """A power cut, or `kill -9`: what was half written is replaced, and no process is left behind."""
    out = tmp_path / "out"
    process = begun(out, "--jobs", jobs)
    helpers = workers(process)
    process.kill()
    process.communicate()
    until(lambda: not any(map(is_there, helpers)))
    assert main(options(out, "--jobs", jobs)) == 0
    assert contents(out) == whole


def test_whoever_breaks_off_with_ctrl_c_sees_no_traceback(whole: dict[str, bytes], tmp_path: Path) -> None:
    """Exit code 130 at once, no process left behind, and the same command goes on."""
    out = tmp_path / "out"
    process = begun(out, "--jobs", "2")
    helpers = workers(process)
    os.killpg(process.pid, signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert b"Traceback" not in said
    until(lambda: not any(map(is_there, helpers)))
    assert main(options(out)) == 0
    assert contents(out) == whole


def test_processes_that_are_just_beginning_do_not_hear_ctrl_c(tmp_path: Path) -> None:
    """They are of the same terminal, and would show how far they had come."""
    process = starting(tmp_path / "out", "--jobs", "2")
    until(lambda: len(workers(process)) == 2)
    os.killpg(process.pid, signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert (process.returncode, said) == (130, b"")


def test_a_process_that_is_ended_from_outside_is_said_so(whole: dict[str, bytes], tmp_path: Path) -> None:
    """A sentence, exit code 2; what is done is kept."""
    out = tmp_path / "out"
    process = begun(out, "--jobs", "2")
    for pid in workers(process):
        os.kill(pid, signal.SIGKILL)
    told, said = process.communicate(timeout=60)
    if process.returncode == 0:
        pytest.skip("the run was over before its processes were ended")
    assert process.returncode == 2
    assert b"goes on" in told
    assert b"Traceback" not in said
    assert main(options(out)) == 0
    assert contents(out) == whole


@pytest.mark.parametrize("fault", (errno.ENOSPC, errno.EROFS, errno.EIO))
def test_a_disk_that_takes_no_more_is_said_so(
    fault: int,
    whole: dict[str, bytes],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The file is named; the games before it stand, and when there is room the same command goes on."""
    real, left = disk.replace, [7]

    def full(path: Path, text: bytes) -> None:
        left[0] -= 1
        if left[0] < 0:
            raise OSError(fault, os.strerror(fault), str(path))
        real(path, text)

    with monkeypatch.context() as broken:
        broken.setattr("events.jsonl.log.replace", full)
        assert main(options(tmp_path)) == 2
    assert os.strerror(fault) in capsys.readouterr().err
    assert {name for name in contents(tmp_path) if name.endswith(".head")} == {
        "dragonlords-run-000001.head", "dragonlords-run-000002.head"
    }  # fmt: skip
    assert main(options(tmp_path)) == 0
    assert contents(tmp_path) == whole


@pytest.mark.parametrize(
    ("more", "said"),
    (
        (("--bots", "sensible"), "another game"),
        (("--seats", "elf,orc"), "another game"),
        (("--dice", "scripted"), "another game"),
        (("--most", "120"), "another game"),
        (("--games", "0"), "greater than or equal to 1"),
        (("--dice", "loaded"), "sealed or scripted"),
        (("--seed", "../x"), "a seed is"),
        (("--bots", ","), "has no bot"),
    ),
)
def test_what_does_not_go_together_is_told_before_anything_is_played(
    more: tuple[str, ...],
    said: str,
    whole: dict[str, bytes],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Games of the same seed by other bots, seats, dice or caps lie under the same names: they are not taken for these."""
    for name, text in whole.items():
        (tmp_path / name).write_bytes(text)
    assert main(options(tmp_path, *more)) == 2
    assert said in capsys.readouterr().out
    assert contents(tmp_path) == whole


def test_games_of_another_seed_are_left_alone(whole: dict[str, bytes], tmp_path: Path) -> None:
    """Each seed has names of its own, so a folder may hold several runs."""
    for name, text in whole.items():
        (tmp_path / name).write_bytes(text)
    assert main(options(tmp_path, "--seed", "other", "--games", "1")) == 0
    after = contents(tmp_path)
    assert {name: after[name] for name in whole} == whole
    assert len(after) == len(whole) + 3


@pytest.mark.parametrize("jobs", (1, 3, 40))
def test_more_processes_than_games_change_nothing(jobs: int, whole: dict[str, bytes], tmp_path: Path) -> None:
    """Byte-identical, whatever the number of processes."""
    assert main(options(tmp_path, "--games", "2", "--jobs", str(jobs))) == 0
    assert contents(tmp_path) == {
        name: text for name, text in whole.items() if "00001." in name or "00002." in name
    }


def test_open_dice_are_the_same_for_the_same_seed_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Scripted dice are fixed by the seed, and nothing is claimed of them: no commitment, and every log is lawful."""
    for name in ("a", "b"):
        assert main(options(tmp_path / name, "--dice", "scripted", "--games", "2")) == 0
    assert contents(tmp_path / "a") == contents(tmp_path / "b")
    capsys.readouterr()
    assert main(["verify", str(tmp_path / "a"), "--json"]) == 0
    told: Any = capsys.readouterr().out
    assert '"commitment"' not in (tmp_path / "a" / "dragonlords-run-000001.jsonl").read_text()
    assert told.count('"ok": true') >= 2
