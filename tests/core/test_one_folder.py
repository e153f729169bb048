"""A further game is one folder: nothing else is told of it, and nothing else names a game."""

import ast
import re
import shutil
import sys
import tomllib
from collections.abc import Iterator
from importlib import invalidate_caches
from pathlib import Path
from typing import Any

import pytest

import core.games
from core.deciding import asks
from core.kit.table import OpenGame
from core.seats import ARBITER
from events.codec import opened_game
from tests.driver import Table, play
from tests.laws import test_citing, test_deciding, test_folding, test_secrets, worlds

HOUSE = Path(__file__).parent.parent.parent
TOYS = HOUSE / "tests" / "toys"


@pytest.fixture(params=("skirmish", "fair"))
def further(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """A game that nobody has heard of: a folder with a copy of a toy, under a name of its own."""
    name = f"further_{request.param}"
    folder = tmp_path / name
    shutil.copytree(TOYS / request.param, folder, ignore=shutil.ignore_patterns("__pycache__"))
    book = folder / "data" / "rulebook.toml"
    text = book.read_text(encoding="utf-8")
    book.write_text(text.replace(f'game = "{request.param}"', f'game = "{name}"'), encoding="utf-8")
    core.games.__path__.append(str(tmp_path))
    forget()
    yield name
    core.games.__path__.remove(str(tmp_path))
    for module in [module for module in sys.modules if module.startswith(f"core.games.{name}")]:
        del sys.modules[module]
    if hasattr(core.games, name):
        delattr(core.games, name)
    forget()


def forget() -> None:
    """Forget which games were found: a folder came or went."""
    core.games.found.cache_clear()
    core.games.load.cache_clear()
    invalidate_caches()


def test_a_folder_is_found_and_loaded_by_its_name(further: str) -> None:
    """Discovery is by folder; no list names the games."""
    assert further in core.games.found()
    rules = core.games.load(further)
    assert rules.name == further
    assert rules.package == f"core.games.{further}"


def test_a_folder_that_is_not_there_is_named_with_those_that_are(further: str) -> None:
    """The error says what could have been meant."""
    with pytest.raises(core.games.NoSuchRules, match=f"there is no game 'chess'; there are: .*{further}"):
        core.games.load("chess")


def test_a_further_game_is_opened_asked_played_sealed_written_read_and_folded(further: str) -> None:
    """Kernel, codec, seals and views find its commands, facts and steps without being told of them."""
    rules = core.games.load(further)
    table = Table(rules).when(ARBITER, OpenGame("g", further, rules.seats[:2]))
    assert opened_game(table.log[0].line) == (further, rules.revision)
    assert any(list(asks(table.view(seat), seat)) for seat in rules.seats)
    game = play(rules, 5, 80)
    assert any(told.openings for told in game.log)
    game.leave()


def test_every_law_finds_a_further_game(further: str) -> None:
    """The laws run for whatever folder there is."""
    assert further in worlds.names()
    tables = [play(worlds.rules_of(further), seed, 40, troubled=True) for seed in range(2)]
    laws: tuple[Any, ...] = (
        test_deciding.law_offered, test_deciding.law_silence, test_deciding.law_out, test_deciding.law_over,
        test_deciding.law_rolls, test_deciding.law_refused, test_folding.law_codec, test_folding.law_fold,
        test_folding.law_untouched, test_folding.law_sound, test_folding.law_asking, test_folding.law_names,
        test_folding.law_chain, test_secrets.law_view_asks, test_secrets.law_view_refusals,
        test_secrets.law_view_decides,
    )  # fmt: skip
    for law in laws:
        for table in tables:
            law(table)
    assert any(test_secrets.twins(further, seed) for seed in range(8))
    test_citing.test_every_section_that_code_cites_is_in_the_book(further)


def test_a_folder_without_a_package_is_no_game(tmp_path: Path) -> None:
    """A folder of data, or a lone module, is not taken for a game."""
    (tmp_path / "only_data").mkdir()
    (tmp_path / "lone.py").write_text("RULES = None\n", encoding="utf-8")
    core.games.__path__.append(str(tmp_path))
    forget()
    try:
        assert not {"only_data", "lone"} & set(core.games.found())
    finally:
        core.games.__path__.remove(str(tmp_path))
        forget()


def test_nothing_outside_its_folder_names_a_game() -> None:
    """The kernel, the language of facts, the table and the service know no game; only its own folder does.

    Prose may: docstrings, and the examples in the help of the command line and of the service.
    """
    folders = [path.parent.parent for path in (HOUSE / "core" / "games").glob("*/data/rulebook.toml")]
    assert folders
    books = [
        tomllib.loads((folder / "data" / "rulebook.toml").read_text(encoding="utf-8")) for folder in folders
    ]
    names = {folder.name for folder in folders}
    sections = re.compile("|".join(rf"{book['book']['code']}-[A-Z]?\d[\d.]*" for book in books))
    found = [
        f"{path.relative_to(HOUSE)}:{line}: {name}"
        for floor in ("core", "events", "replay", "api")
        for path in sorted((HOUSE / floor).rglob("*.py"))
        if not any(folder in path.parents for folder in folders) and path not in SHOWS
        for line, name in named_in(ast.parse(path.read_text(encoding="utf-8")))
        if any(part in names for part in re.split(r"[./ ]", name)) or sections.fullmatch(name)
    ]
    assert found == []


SHOWS = {HOUSE / "replay" / "demo.py"}
"""What is there to show one game's own battles."""


def named_in(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield every name, import and text of a module with its line, prose left out."""
    prose = {
        id(part)
        for node in ast.walk(tree)
        for part in ast.walk(node)
        if isinstance(node, ast.Expr) or (isinstance(node, ast.keyword) and node.arg == "examples")
        if isinstance(part, ast.Constant) and not isinstance(getattr(node, "value", None), ast.Call)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Name | ast.Attribute):
            yield node.lineno, node.id if isinstance(node, ast.Name) else node.attr
        elif isinstance(node, ast.Import | ast.ImportFrom):
            for alias in node.names:
                yield node.lineno, alias.name
            if isinstance(node, ast.ImportFrom):
                yield node.lineno, node.module or ""
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in prose:
            if not node.value.startswith("lawspeaker "):
                yield node.lineno, node.value
