"""The Tab key of a shell: what may stand next, asked through the variables that bash and zsh set."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from replay.cli import completing
from tests.replay.questions.logbook import Logbook

Complete = Callable[..., list[str]]
LAWSPEAKER = Path(sys.executable).parent / "lawspeaker"


@pytest.fixture
def complete(shell: Any, monkeypatch: pytest.MonkeyPatch) -> Complete:
    """Ask as bash does, whose last word is the one at the cursor; nothing may stand on stderr, whatever is wrong."""

    def asked(*words: str) -> list[str]:
        monkeypatch.setenv("COMP_WORDS", "\n".join(("lawspeaker", *words)))
        monkeypatch.setenv("COMP_CWORD", str(len(words)))
        monkeypatch.setenv(completing.VARIABLE, "complete_bash")
        ran = shell()
        monkeypatch.delenv(completing.VARIABLE)
        assert (ran.code, ran.err) == (0, "")
        return str(ran.out).split()

    return asked


def test_commands_are_completed_those_of_higher_floors_too(complete: Complete) -> None:
    """`serve` belongs to another floor, and is not loaded to be named."""
    assert complete("ad") == ["adjudicate"]
    assert complete("s") == ["show", "sheet", "sql", "simulate", "serve"]
    assert "--at" in complete("show", "g", "--")


@pytest.mark.parametrize(
    ("words", "found"),
    (
        (("show", ""), ["g"]),
        (("verify", ""), ["g", "store.db"]),
        (("verify", "g", "st"), ["store.db"]),
        (("query", "battles", ""), ["g", "store.db"]),
        (("sql", "'SELECT 1'", "g", ""), ["g", "store.db"]),
        (("audit", ""), ["g", "store.db"]),
        (("sheet", "x"), []),
        (("show", "g", "--at", ""), ["1", "2", "3", "4"]),
        (("show", "g", "--at", "=", "3"), ["3"]),
        (("show", "--at", "3"), []),
        (("diff", "g", "1", "4"), ["4"]),
        (("undo", "g", "--to", ""), ["1", "2", "3", "4"]),
        (("show", "nobody", "--at", ""), []),
        (("show", "g", "--as", ""), ["red", "blue", "spectator"]),
        (("tokens", "g", "--seat", ""), ["red", "blue", "arbiter"]),
        (("undo", "g", "--agreed", "red,"), ["red,blue"]),
        (("rule", "g", "--forfeit", "b"), ["blue"]),
        (("rule", "g", "--penalise", ""), ["red=", "blue="]),
        (("rule", "g", "--because", "TS-1."), ["TS-1.1", "TS-1.2"]),
        (("rules", "skirmish", "LS-5.1"), ["LS-5.1"]),
        (("new", "--game", "skir"), ["skirmish"]),
        (("new", "--game", "skirmish", "--seats", "red,gr"), ["red,green"]),
        (("new", "--dice", ""), ["typed", "live", "sealed"]),
        (("query", "turn"), ["turning_point"]),
        (("query", "dragonlords.turn"), ["dragonlords.turning_point"]),
        (("query", "turning_point", "--param", "by", "=", "k"), ["kingdoms"]),
        (("query", "turning_point", "--param", "by", "="), ["units", "kingdoms"]),
        (("query", "turning_point", "--param", "by=k"), ["by=kingdoms"]),
        (("query", "longest_games", "--param", "m"), ["most=10"]),
        (("query", "battles", "--param", "game=g"), ["game=g"]),
        (("nothing", "is", "called", "x"), []),
    ),
)
def test_each_word_is_completed_by_what_may_stand_there(
    words: tuple[str, ...], found: list[str], complete: Complete, game: str
) -> None:
    """Games, entries, seats, sections and questions; after `=`, at which bash parts words, what stands behind it."""
    assert complete(*words) == found


def test_points_and_variants_are_completed_with_their_answers(complete: Complete) -> None:
    """A point by its short name, or with the game's prefix where it is begun so."""
    assert complete("new", "--game", "dragonlords", "--answer", "X61") == ["X61=replaces_die", "X61=extra"]
    assert complete("new", "--game", "dragonlords", "--answer", "X61", "=", "e") == ["extra"]
    assert complete("new", "--game", "dragonlords", "--answer", "QD-X61=e") == ["QD-X61=extra"]
    assert complete("new", "--game", "dragonlords", "--option", "a") == ["armies=one", "armies=two"]
    assert complete("rules", "dragonlords", "X61") == ["X61"]
    assert complete("rules", "dragonlords", "--places", "OR_n") == ["OR_n", "OR_ne", "OR_nw"]
    assert complete("rules", "dragonlords", "--cards", "berserk") == ["berserk"]
    assert complete("simulate", "dragonlords", "--bots", "random,") == ["random,random", "random,sensible"]


def test_a_game_that_is_a_file_or_a_position_is_completed_too(
    complete: Complete, shell: Any, game: str, tmp_path: Path
) -> None:
    """Who sits in a file, how many entries it has; who may sit where a position is opened."""
    shell("export", "g")
    assert complete("show", "g.jsonl", "--as", "r") == ["red"]
    assert complete("show", "g.jsonl", "--at", "4") == ["4"]
    (tmp_path / "p.toml").write_bytes(b'\xef\xbb\xbfgame = "dragonlords"\r\n')
    assert complete("new", "--position", "p.toml", "--seats", "o") == ["orc"]


def test_logs_stores_and_folders_are_completed_where_many_games_are_asked_of(
    complete: Complete, shell: Any, game: str, tmp_path: Path
) -> None:
    """Also inside a folder; nothing else that lies there, and nothing hidden."""
    (tmp_path / "spring").mkdir()
    (tmp_path / ".hidden").mkdir()
    (tmp_path / "notes.txt").touch()
    shell("export", "g", "--out", "spring/h.jsonl")
    assert complete("audit", "") == ["g", "spring/", "store.db"]
    assert complete("audit", "spring/") == ["spring/h.jsonl"]
    assert complete("audit", "nowhere/") == []


def test_a_store_that_is_broken_or_missing_completes_nothing(
    complete: Complete, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No error amid a half-typed line, and nothing is made or changed."""
    assert complete("show", "") == []
    assert not (tmp_path / "store.db").exists()
    broken = tmp_path / "broken.db"
    broken.write_bytes(b"SQLite format 3\0" + b"\xff" * 5000)
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    for words in (
        ("show", ""),
        ("show", "g", "--at", ""),
        ("show", "g", "--as", ""),
        ("query", "battles", "--param", "game="),
    ):
        monkeypatch.setenv("LAWSPEAKER_STORE", str(broken))
        assert complete(*words) in ([], ["game=-"])
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_a_file_can_not_lay_words_of_its_own_into_the_shell(complete: Complete, tmp_path: Path) -> None:
    """A seat or game that a shell could take for a command is not named: zsh evaluates what it is told."""
    seats = ("red", "$(touch x)", "a b")
    (evil,) = Logbook("e", seats).lines
    (tmp_path / "e.jsonl").write_bytes(evil + b"\n")
    (tmp_path / "$(touch y).jsonl").write_bytes(evil + b"\n")
    assert complete("show", "e.jsonl", "--as", "") == ["red", "spectator"]
    assert complete("show", "--store", ".", "") == ["e"]
    assert complete("verify", "") == ["e.jsonl"]


def test_zsh_is_told_what_each_word_means(
    complete: Complete, shell: Any, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Zsh hands over the line as it is typed; sections go with their titles."""
    monkeypatch.setenv(completing.VARIABLE, "complete_zsh")
    monkeypatch.setenv("_TYPER_COMPLETE_ARGS", "lawspeaker show g --as r")
    assert shell().out == "_arguments '*: :((\"red\"))'\n"
    monkeypatch.setenv("_TYPER_COMPLETE_ARGS", "lawspeaker rules dragonlords QD-10.6")
    assert '"QD-10.6":"The defender' in shell().out
    monkeypatch.setenv("_TYPER_COMPLETE_ARGS", "lawspeaker show ")
    assert shell().out == "_arguments '*: :((\"g\"))'\n"


def test_what_is_completed_is_public(complete: Complete, game: str) -> None:
    """Both have bid in secret: entries are told by their numbers, never by what they hold."""
    told = [
        *complete("show", "g", "--at", ""),
        *complete("show", "g", "--as", ""),
        *complete("query", "battles", "--param", ""),
    ]
    assert set(told) <= {
        "1",
        "2",
        "3",
        "4",
        "red",
        "blue",
        "spectator",
        *(word for word in told if "=" in word),
    }
    assert not any("bid" in word.lower() for word in told)


def test_a_shell_is_answered_by_its_own_script_without_loading_databases_or_services(
    tmp_path: Path,
) -> None:
    """The function that `--show-completion` prints fills COMPREPLY; to answer loads no duckdb, pyarrow, fastapi or uvicorn."""
    environment = {
        **os.environ,
        "PATH": f"{LAWSPEAKER.parent}:{os.environ['PATH']}",
        "LAWSPEAKER_STORE": str(tmp_path / "s.db"),
    }
    script = (
        "lawspeaker new --game dragonlords --name fern > /dev/null || exit 1\n"
        "_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION=1 lawspeaker --show-completion bash > done.sh && . ./done.sh\n"
        "COMP_WORDS=(lawspeaker show fern --as o); COMP_CWORD=4; _lawspeaker_completion lawspeaker; echo ${COMPREPLY[@]}\n"
        "COMP_WORDS=(lawspeaker query turning_point --param by = k); COMP_CWORD=6; _lawspeaker_completion lawspeaker; echo ${COMPREPLY[@]}\n"
    )
    ran = subprocess.run(
        ["bash", "-c", script], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert ran.stdout.split() == ["orc", "kingdoms"], ran.stderr
    asked = (
        "import os, sys; from replay.cli import main\n"
        "for words in ('s', 'show\\n', 'query\\ntu', 'query\\nbattles\\n--param\\n', 'rules\\ndragonlords\\nQD'):\n"
        "    os.environ.update(COMP_WORDS=f'lawspeaker\\n{words}', COMP_CWORD=str(words.count('\\n') + 1), _LAWSPEAKER_COMPLETE='complete_bash')\n"
        "    main([])\n"
        "held = {'duckdb', 'pyarrow', 'fastapi', 'uvicorn'} & {*sys.modules}\n"
        "assert not held, held\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", asked], env=environment, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
    assert "scroll_use" not in ran.stdout
    assert "turning_point" in ran.stdout
