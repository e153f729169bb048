"""Bad input: whatever a file or a line holds, a sentence comes back, nothing is written, nothing is lost."""

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

GARBAGE = {
    "empty": b"",
    "newline": b"\n",
    "zeros": b"\0" * 4096,
    "noise": random.Random(7).randbytes(4096),
    "latin1": "spieler: würfelt fünf\n".encode("latin-1"),
    "utf16": "game: skirmish\nseats: red, blue\n".encode("utf-16"),
    "sqlite": b"SQLite format 3\0" + random.Random(8).randbytes(4096),
    "nested": b"[" * 100_000 + b"]" * 100_000 + b"\n",
    "nested objects": b'{"id":' * 50_000 + b"1" + b"}" * 50_000 + b"\n",
    "huge number": b'{"id":' + b"9" * 5000 + b',"parent":0,"seat":"red","facts":[]}\n',
    "not an entry": b'{"id":1,"facts":[{"Fact":"GameOpened","game":7}]}\n',
    "unknown game": b'{"id":1,"facts":[{"Fact":"GameOpened","game":"chess","revision":1}]}\n',
    "array": b"[1,2,3]\n",
    "crlf": b'{"id":1}\r\n{"id":2}\r\n',
    "long line": b"red: " + b"x" * 1_000_000 + b"\n",
    "half a header": b"game: skirmish\nseats:\n",
    "no game": b'seats = ["red"]\n',
    "wrong toml": b'game = "skirmish"\nseats = 7\n[[pebbles]]\ncount = "many"\n',
    "huge toml": b'game = "skirmish"\nseats = ["red", "blue"]\n[[pebbles]]\nseat = "red"\ncount = '
    + b"9" * 400
    + b"\n",
    "doubled toml": b'game = "skirmish"\ngame = "skirmish"\n',
    "huge sheet": b"game: skirmish\nseats: red, blue\nred: bid "
    + b"9" * 5000
    + b"\ndice: "
    + b"7 " * 9000
    + b"\n",
}
READERS: dict[str, Callable[[str], tuple[str, ...]]] = {
    "adjudicate": lambda path: ("adjudicate", path),
    "adjudicate --keep": lambda path: ("adjudicate", path, "--keep", "kept"),
    "position": lambda path: ("position", "--check", path),
    "new": lambda path: ("new", "--position", path),
    "correct": lambda path: ("correct", "g", "--position", path, "--reason", "x"),
    "verify": lambda path: ("verify", f"{path}.jsonl"),
    "import": lambda path: ("import", f"{path}.jsonl"),
    "show": lambda path: ("show", f"{path}.jsonl"),
    "log": lambda path: ("log", f"{path}.jsonl"),
    "replay": lambda path: ("replay", f"{path}.jsonl"),
    "sheet": lambda path: ("sheet", f"{path}.jsonl"),
    "export": lambda path: ("export", f"{path}.jsonl", "--out", "out.jsonl"),
    "whatif": lambda path: ("whatif", f"{path}.jsonl", "--at", "1"),
    "sql": lambda path: ("sql", "SELECT * FROM games", f"{path}.jsonl"),
    "store": lambda path: ("games", "--store", path),
}


@pytest.mark.parametrize("how", READERS)
def test_a_file_of_garbage_is_an_error_and_changes_nothing(
    shell: Any, game: str, tmp_path: Path, how: str
) -> None:
    """Exit code 1 or 2, a sentence, no traceback, and the store holds what it held."""
    for what, content in GARBAGE.items():
        for name in ("bad", "bad.jsonl"):
            (tmp_path / name).write_bytes(content)
        ran = shell(*READERS[how]("bad"))
        # An empty file is a log without entries: SQL has an answer to it, of no rows.
        assert ran.code in ((0, 1, 2) if how == "sql" else (1, 2)), what
        assert ran.code == 0 or ran.err.strip() or ran.out.strip(), what
    assert [(kept["name"], kept["entries"]) for kept in shell("games", "--json").json["games"]] == [("g", 4)]


PIECES = (
    "red", "blue", "green", "gold", "arbiter", "chance", "dice", "card", ":", " ", "bid", "throw", "at", "1", "2", "-1", "9" * 40,
    "dispute", "correct", "rule", "because", "pebbles", "=", ",", ";", '"', "#", "\t", "\x00", "\x1b[2J", "é", "none", "(", "{",
)  # fmt: skip


def test_lines_made_of_pieces_never_break_the_table(
    shell: Any, game: str, rounds: Callable[[int], int]
) -> None:
    """Moves put together at random: each is played, refused or told wrong; the log verifies afterwards."""
    dice = random.Random(3)
    for _ in range(rounds(2_000)):
        line = "".join(dice.choice(PIECES) for _ in range(dice.randint(1, 9)))
        assert shell("play", "g", line).code in (0, 1, 2)
    assert shell("verify", "g").code == 0


def test_arguments_made_of_pieces_never_break_a_command(
    shell: Any, game: str, rounds: Callable[[int], int]
) -> None:
    """Any command with any words: an exit code, never a traceback."""
    dice = random.Random(5)
    commands = (
        "rules", "new", "roll", "asks", "undo", "restore", "whatif", "dispute", "rule", "correct", "show", "log", "diff",
        "position", "sheet", "query", "sql", "export", "import",
    )  # fmt: skip
    words = (
        *PIECES, "g", "skirmish", "--at", "--to", "--as", "--by", "--seat", "--reason", "--name", "--json", "--game",
        "--answer", "--out", "0", "99", "../x", "store.db", "SELECT 1",
    )  # fmt: skip
    for _ in range(rounds(2_000)):
        call = [dice.choice(commands), *(dice.choice(words) for _ in range(dice.randint(0, 5)))]
        assert shell(*call).code in (0, 1, 2), call
