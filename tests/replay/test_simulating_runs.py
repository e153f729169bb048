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
    real, left = disk._write_new, [7]

    def full(path: Path, text: bytes) -> None:
        left[0] -= 1
        if left[0] < 0:
            raise OSError(fault, os.strerror(fault), str(path))
        real(path, text)

    with monkeypatch.context() as broken:
        broken.setattr(disk, "_write_new", full)
        assert main(options(tmp_path)) == 2
    assert os.strerror(fault) in capsys.readouterr().err
    assert {name for name in contents(tmp_path) if name.endswith(".head")} == {
        "dragonlords-run-000001.head", "dragonlords-run-000002.head"
    }  # fmt: skip
    assert not [name for name in contents(tmp_path) if "000003" in name]
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


FOREIGN = (
    b"my notes\n", b"", b'{"id":1}\n', b'{"actor":"bots","at":"2000-01-01T00:00:00Z","command":{"Do":"Pass"}}\n', b"\xff\x00",
    b"{" * 2_000_000,
)  # fmt: skip
"""What somebody else may have under a name of ours; an empty file holds nothing that could be lost."""


@pytest.mark.parametrize("name", ("jsonl", "openings", "head", "jsonl.half", "openings.half", "head.half"))
@pytest.mark.parametrize("held", [text for text in FOREIGN if text])
def test_a_file_of_somebody_else_is_never_written_over(
    name: str, held: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Which file it is and what to do is said, exit code 2; the file stays, and nothing of its game is written."""
    foreign = tmp_path / f"dragonlords-run-000001.{name}"
    foreign.write_bytes(held)
    assert main(options(tmp_path, "--games", "1")) == 2
    said = capsys.readouterr().out
    assert f"{foreign} lies there already and is not of this run" in said
    assert "Move it away, or name another folder or another seed." in said
    assert contents(tmp_path) == {foreign.name: held}


@pytest.mark.parametrize("jobs", ("1", "2"))
def test_a_log_that_was_played_on_by_hand_is_not_taken_for_half_of_ours(
    jobs: str, whole: dict[str, bytes], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It opens as ours does, and differs later: it is told and stays; games that were played meanwhile are kept."""
    name = "dragonlords-run-000002.jsonl"
    mine = b"".join(whole[name].splitlines(keepends=True)[:3]) + b'{"id":4}\n'
    (tmp_path / name).write_bytes(mine)
    assert main(options(tmp_path, "--games", "2", "--jobs", jobs)) == 2
    assert "does not begin as the game" in capsys.readouterr().out
    kept = contents(tmp_path)
    assert kept.pop(name) == mine
    for other, text in kept.items():  # a process that is ended may leave what it was writing
        ours = whole[other.removesuffix(".half")]
        assert text == ours or (other.endswith(".half") and ours.startswith(text))


def test_a_link_is_left_alone(tmp_path: Path) -> None:
    """What it leads to, or would, is not this run's."""
    out = tmp_path / "out"
    out.mkdir()
    (out / "dragonlords-run-000001.jsonl").symlink_to(tmp_path / "nowhere.jsonl")
    assert main(options(out, "--games", "1")) == 2
    assert (out / "dragonlords-run-000001.jsonl").is_symlink()
    assert not (tmp_path / "nowhere.jsonl").exists()


@pytest.mark.parametrize("share", (0.0, 0.001, 0.5, 1.0))
@pytest.mark.parametrize("name", ("jsonl", "openings", "jsonl.half", "openings.half", "head.half"))
def test_what_the_same_run_left_half_written_is_written_anew(
    name: str, share: float, whole: dict[str, bytes], tmp_path: Path
) -> None:
    """Cut anywhere, at any file, also one that is written beside the final one."""
    text = whole[f"dragonlords-run-000001.{name.removesuffix('.half')}"]
    (tmp_path / f"dragonlords-run-000001.{name}").write_bytes(text[: int(len(text) * share)])
    assert main(options(tmp_path, "--games", "1")) == 0
    assert contents(tmp_path) == {key: held for key, held in whole.items() if "000001" in key}
