"""Files that people write and hand on: `position`, `sheet`, `import`, `export`."""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from replay.sheets.header import LARGEST
from tests.full import full

FEW = 'game = "skirmish"\nseats = ["red", "blue"]\n[[pebbles]]\nseat = "blue"\ncount = 1\n'


def test_a_sound_position_is_shown(shell: Any, tmp_path: Path) -> None:
    """The board that it sets up, and who would be asked first."""
    (tmp_path / "few.toml").write_text(FEW)
    told = shell("position", "--check", "few.toml", "--json").json
    assert told["sound"]
    assert told["state"]["pebbles"] == {"red": 5, "blue": 1}
    assert "can open from it" in shell("position", "few.toml").out


def test_a_position_with_faults_names_each_with_its_line(shell: Any, tmp_path: Path) -> None:
    """Exit code 2, all faults at once, the close words beside."""
    (tmp_path / "few.toml").write_text(FEW.replace("pebbles", "pebbels").replace('"blue"]', '"bleu"]'))
    ran = shell("position", "--check", "few.toml", "--json")
    assert ran.code == 2
    assert [fault["line"] for fault in ran.json["faults"]] == [2, 3]


def test_a_position_that_the_rules_refuse_is_a_refusal(shell: Any, tmp_path: Path) -> None:
    """One seat alone is no game (LS-1.2): exit code 1."""
    (tmp_path / "few.toml").write_text(FEW.replace('"red", ', ""))
    ran = shell("position", "--check", "few.toml", "--json")
    assert ran.code == 1
    assert [reason["code"] for reason in ran.json["reasons"]] == ["wrong_seats"]


def test_what_a_position_leaves_out_is_told_and_no_fault(shell: Any, tmp_path: Path) -> None:
    """On stderr and in JSON, by `position` and by `new`: the game opens all the same."""
    (tmp_path / "p.toml").write_text(
        'game = "dragonlords"\nseats = ["orc", "elf"]\nturn = [{seat = "orc", phase = "buy"}]\n'
        'units = [{seat = "orc", place = "OR_k", count = 3}, {seat = "elf", place = "AL_k", count = 3}]\n'
    )
    for call in (("position", "p.toml"), ("position", "--check", "p.toml"), ("new", "--position", "p.toml")):
        ran = shell(*call)
        assert ran.code == 0
        assert "orc and elf have no king" in ran.err
        assert "`[[gold]]`" in ran.err
        assert "have no king" not in ran.out
        told = shell(*call, "--json")
        assert (len(told.json["warnings"]), told.err) == (2, "")


def test_a_template_is_a_sheet_of_remarks(shell: Any, tmp_path: Path) -> None:
    """It can be saved and judged as it is: a game with nothing played yet."""
    out = shell("sheet", "--template", "skirmish").out
    assert "# red: throw at <target: seat>" in out
    (tmp_path / "t.score").write_text(out)
    assert shell("adjudicate", "t.score").code == 0


def test_a_logged_game_is_written_as_a_sheet_that_is_lawful(shell: Any, game: str, tmp_path: Path) -> None:
    """Its moves and dice survive, and are judged lawful again."""
    shell("roll", "g", "1", "2")
    out = shell("sheet", "g").out
    assert "dice: 1 2\n" in out
    (tmp_path / "g.score").write_text(out)
    assert shell("adjudicate", "g.score").code == 0


def test_an_exported_game_comes_back_byte_for_byte(shell: Any, game: str, tmp_path: Path) -> None:
    """Export, import under another name, export: the same lines, openings and head."""
    shell("export", "g", "--out", "a.jsonl")
    assert shell("import", "a.jsonl", "--name", "h").code == 0
    shell("export", "h", "--out", "b.jsonl")
    for suffix in (".jsonl", ".openings", ".head"):
        assert (tmp_path / f"a{suffix}").read_bytes() == (tmp_path / f"b{suffix}").read_bytes()


def test_a_seat_gets_its_own_openings_alone(shell: Any, game: str, tmp_path: Path) -> None:
    """The same lines and head, without the secrets of others: it verifies as far as blue may know."""
    shell("export", "g", "--out", "all.jsonl")
    told = shell("export", "g", "--as", "blue", "--out", "blue.jsonl", "--json").json
    assert told["openings"] == 2
    assert (tmp_path / "all.jsonl").read_bytes() == (tmp_path / "blue.jsonl").read_bytes()
    assert '"to":["red"]' not in (tmp_path / "blue.openings").read_text()
    assert shell("verify", "blue.jsonl").code == 0
    shell("export", "g", "--as", "spectator", "--out", "none.jsonl")
    assert not (tmp_path / "none.openings").exists()


def test_a_log_with_two_lines_missing_is_told_twice(shell: Any, game: str, tmp_path: Path) -> None:
    """`verify --all` lists each; what concerns no seat names none."""
    shell("export", "g", "--out", "torn.jsonl")
    lines = (tmp_path / "torn.jsonl").read_bytes().splitlines(keepends=True)
    (tmp_path / "torn.jsonl").write_bytes(b"".join(lines[n] for n in range(len(lines)) if n not in (1, 3)))
    ran = shell("verify", "torn.jsonl", "--all")
    assert (ran.code, "entry 2: missing" in ran.out, "entry 4: cut" in ran.out) == (1, True, True), ran.out


def test_a_file_is_not_written_over_unless_asked(shell: Any, game: str) -> None:
    """An export that would overwrite is an error; --force is the word for it."""
    assert shell("export", "g").code == 0
    assert shell("export", "g").code == 2
    assert shell("export", "g", "--force").code == 0


def test_a_broken_log_is_not_imported(shell: Any, game: str, tmp_path: Path) -> None:
    """A changed line: exit code 1 with its entry, and nothing of it in the store."""
    shell("export", "g", "--out", "a.jsonl")
    path = tmp_path / "a.jsonl"
    path.write_text(path.read_text().replace('"target":"blue"', '"target":"blud"'))
    ran = shell("import", "a.jsonl", "--name", "h", "--json")
    assert ran.code == 1
    assert ran.json["imported"][0]["entry"] == 4
    assert [kept["name"] for kept in shell("games", "--json").json["games"]] == ["g"]


@pytest.mark.parametrize(
    ("was", "became", "entry"),
    (
        ('"value":{', '"value":{"odd":1,', 2),
        ('"entry":3', '"entry":1', 1),
        ('"entry":2', '"entry":0', 0),
        ('"to":["blue"]', '"to":["red"]', 3),
    ),
)
def test_openings_that_do_not_fit_are_not_imported(
    was: str, became: str, entry: int, shell: Any, game: str, tmp_path: Path
) -> None:
    """Exit code 1 with the first entry that they do not fit, and nothing of it in the store."""
    shell("export", "g", "--out", "a.jsonl")
    path = tmp_path / "a.openings"
    assert was in path.read_text()
    path.write_text(path.read_text().replace(was, became))
    ran = shell("import", "a.jsonl", "--name", "h", "--json")
    (told,) = ran.json["imported"]
    assert (ran.code, told["error"], told["entry"]) == (1, "not_whole", entry), told
    assert f"a.openings: entry {entry}: expected " in told["text"]
    assert [kept["name"] for kept in shell("games", "--json").json["games"]] == ["g"]


def test_games_in_files_are_looked_at_without_importing(shell: Any, game: str, tmp_path: Path) -> None:
    """show, log and diff take a file; playing on in a file is refused with the way to do it."""
    shell("export", "g", "--out", "a.jsonl")
    assert shell("show", "a.jsonl").code == 0
    assert shell("log", str(tmp_path / "a.jsonl")).code == 0
    ran = shell("play", "a.jsonl", "dice: 1 2")
    assert ran.code == 2
    assert "lawspeaker import a.jsonl" in ran.err


def test_pipes_and_devices_are_not_read(shell: Any, game: str, tmp_path: Path) -> None:
    """They may never end, or never answer: a sentence says that a file is wanted, wherever a file is named."""
    shell("export", "g", "--out", "a.jsonl")
    (tmp_path / "a.openings").unlink()
    os.mkfifo(tmp_path / "a.openings")
    os.mkfifo(tmp_path / "b.jsonl")
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "zero").symlink_to("/dev/zero")
    (tmp_path / "s.score").write_text("game: skirmish\nposition: /dev/zero\n")
    for call in (
        ("verify", "a.jsonl"), ("verify", "b.jsonl"), ("verify", "pipe"), ("import", "b.jsonl", "--name", "h"),
        ("adjudicate", "pipe"), ("adjudicate", "s.score"), ("position", "zero"), ("new", "--position", "pipe"),
    ):  # fmt: skip
        with within(5):
            ran = shell(*call)
        assert (ran.code, "pipe or device" in ran.err + ran.out) == (2, True), (call, ran)


def test_a_sheet_or_position_that_is_too_large_is_not_read(shell: Any, tmp_path: Path) -> None:
    """The error says how large it may be, of a file and of stdin alike."""
    (tmp_path / "large").write_text("#" * (LARGEST + 1))
    for call in (("adjudicate", "large"), ("position", "large"), ("adjudicate", "-")):
        ran = shell(*call, typed="#" * (LARGEST + 1))
        assert (ran.code, f"at most {LARGEST:,} bytes" in ran.err) == (2, True), (call, ran)


@contextmanager
def within(seconds: int) -> Iterator[None]:
    """Fail what takes longer than so many seconds."""

    def late(*_: object) -> None:
        pytest.fail(f"not done after {seconds} seconds")

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize("ending", ("jsonl", "openings", "head"))
def test_an_export_writes_over_none_of_the_three_files(
    ending: str, shell: Any, game: str, tmp_path: Path
) -> None:
    """Also where only the one beside the log stands there, and where there are no openings to write."""
    (tmp_path / f"mine.{ending}").write_bytes(b"my notes\n")
    ran = shell("export", "g", "--as", "spectator", "--out", "mine.jsonl")
    assert ran.code == 2
    assert f"mine.{ending} stands there already" in ran.err
    assert {path.name: path.read_bytes() for path in tmp_path.glob("mine.*")} == {
        f"mine.{ending}": b"my notes\n"
    }
    assert shell("export", "g", "--as", "spectator", "--out", "mine.jsonl", "--force").code == 0


def test_what_can_not_be_written_leaves_nothing_behind(
    shell: Any, game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a full disk an export, a picture or a table is told in a sentence (exit code 2) and leaves no part of a file."""
    logs = tmp_path / "logs"
    assert shell("export", "g", "--out", "logs/g.jsonl").code == 0
    before = {path: path.read_bytes() for path in logs.iterdir()}
    log = "logs/g.jsonl"
    for call in (
        ("export", log, "--out", "logs/h.jsonl"),
        ("export", log, "--out", log, "--force"),
        ("picture", log, "--out", "logs/g.svg"),
        ("query", "--parquet", "logs", log),
    ):
        with full(16):
            done = shell(*call)
        assert done.code == 2, call
        assert done.err.strip(), call
        assert {path: path.read_bytes() for path in logs.iterdir()} == before, call
