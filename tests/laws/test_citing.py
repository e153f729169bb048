"""Laws of citing: every section that facts, questions, refusals or code name is in the book."""

import ast
import re
from importlib.resources import files
from pathlib import Path
from typing import Any

from core.kit.table import TABLE_LAW
from core.rules import Rules
from events.event import FactData
from events.play import Sealed, Turned
from tests.driver import Table
from tests.laws.worlds import moments, rules_of

HOUSE = Path(__file__).parent.parent.parent
SHARED = (HOUSE / "core" / "kit", HOUSE / "core", HOUSE / "replay", HOUSE / "events")


def cited_in(folder: Path, code: str, *, deep: bool) -> dict[str, str]:
    """Return what stands in the strings of a folder's code like a reference of a book, with where it stands."""
    found: dict[str, str] = {}
    whole = re.compile(rf"{code}-[A-Z]?\d+(?:\.\d+)*")
    for path in sorted(folder.rglob("*.py") if deep else folder.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and whole.fullmatch(node.value):
                found[node.value] = f"{path.name}:{node.lineno}"
    return found


def test_every_section_that_facts_and_questions_cite_exists(tables: list[Table]) -> None:
    """A fact of the game says which rules made it so, and a question which rules ask it."""
    for table in tables:
        for told in table.log:
            for fact in told.entry.facts:
                assert_cites(table.rules, fact)
        for now in moments(table):
            for _, question in now.questions():
                assert question.because, f"{question.kind} cites nothing"
                assert [ref for ref in question.because if not table.rules.knows(ref)] == [], question


def assert_cites(rules: Rules[Any], fact: FactData) -> None:
    if not isinstance(fact, Turned | Sealed) and not fact.TABLE and type(fact) not in rules.setup:
        assert fact.because, f"{fact} cites nothing"
    assert [ref for ref in fact.because if not rules.knows(ref)] == [], fact


def test_every_section_that_code_cites_is_in_the_book(name: str) -> None:
    """What a game's code writes like a reference of its own book is a section, a chapter or a point there."""
    rules = rules_of(name)
    cited = cited_in(Path(str(files(rules.package))), rules.rulebook.book.code, deep=True)
    assert cited, "a game cites the rules that it enforces"
    assert {ref: where for ref, where in cited.items() if not rules.knows(ref)} == {}


def test_every_section_of_the_law_of_the_table_that_code_cites_is_there() -> None:
    """The law of the table is a book like any other, and all of it is cited somewhere."""
    cited: dict[str, str] = {}
    for folder in SHARED:
        cited |= cited_in(folder, "LS", deep=folder.name != "core")
    assert {ref: where for ref, where in cited.items() if not TABLE_LAW.knows(ref)} == {}
    assert {"LS-1.1", "LS-2.1", "LS-2.3", "LS-4.1", "LS-5.2"} <= set(cited)


def test_a_book_is_named_like_its_folder(name: str) -> None:
    """A log names its game by the book's name, and the folder is found by it."""
    rules = rules_of(name)
    assert rules.name == name
    assert rules.package.rpartition(".")[2] == name
