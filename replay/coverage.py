"""How far a game's code and tests cover its rulebook: section by section, read from the source itself."""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from msgspec import Struct

from core.rulebook import Section
from core.rules import Rules
from events.event import SectionRef

__all__ = ["Covered", "NoTests", "beside_the_code", "cover"]

_REF = re.compile(r"(?<![\w.-])[A-Z]{1,4}-\d+\.\d+(?!\d|\.\d)")
_CHAPTER = re.compile(r"(?<![\w.-])[A-Z]{1,4}-\d+(?![\d.]*\d)")


class NoTests(LookupError):
    """Raised when the tests are not beside the code, as in an installation without the checkout."""


class Covered(Struct, frozen=True, omit_defaults=True):
    """One section: `enforced`, `not_enforced` (with the reason) or `pending`, and how many tests cite it."""

    id: SectionRef
    title: str
    status: str
    tests: int = 0
    reason: str = ""

    def plain(self) -> dict[str, Any]:
        """Return it as a JSON object; the reason only where there is one."""
        told: dict[str, Any] = {
            "id": self.id, "title": self.title, "status": self.status, "tests": self.tests,
        }  # fmt: skip
        return told | {"reason": self.reason} if self.reason else told


def cover(rules: Rules[Any], tests: Path) -> tuple[Covered, ...]:
    """Return how each section of a game's rulebook is covered, in the book's order.

    A section is enforced when the game's code cites it and at least one test does. What needs a chapter that is not
    built is not enforced: a chapter is built when a module of the game names it in the first line of its docstring.
    `tests` is the folder of tests; raises `NoTests` when there is none.
    """
    if not tests.is_dir():
        raise NoTests(f"{tests} is no folder of tests; coverage is counted in a checkout of the program")
    sources = [ast.parse(source) for source in _sources(files(rules.package))]
    cited = frozenset(ref for source in sources for ref in _cited(source))
    built = frozenset(ref for source in sources for ref in _named(source))
    tested = Counter(ref for path in sorted(tests.rglob("test_*.py")) for ref in _tested(_read(path)))
    return tuple(_judge(section, cited, tested, built) for section in rules.rulebook.section)


def beside_the_code() -> Path:
    """Return the folder of tests that lies beside the floors of the house in a checkout."""
    return Path(str(files("core"))).parent / "tests"


def _judge(
    section: Section, cited: frozenset[SectionRef], tested: Counter[SectionRef], built: frozenset[SectionRef]
) -> Covered:
    tests = tested[section.id]
    if section.needs and section.needs not in built:
        return Covered(section.id, section.title, "not_enforced", tests, f"needs {section.needs}")
    if section.id in cited and tests:
        return Covered(section.id, section.title, "enforced", tests)
    if section.not_enforced:
        return Covered(section.id, section.title, "not_enforced", tests, section.not_enforced)
    return Covered(section.id, section.title, "pending", tests)


def _sources(folder: Traversable) -> Iterator[str]:
    for part in sorted(folder.iterdir(), key=lambda part: part.name):
        if part.is_dir():
            yield from _sources(part)
        elif part.name.endswith(".py"):
            yield part.read_text(encoding="utf-8")


def _cited(module: ast.Module) -> Iterator[SectionRef]:
    """Yield the sections that code cites: in its texts, and where a function or class says which rule it holds."""
    outline = module.body[0].value if module.body and isinstance(module.body[0], ast.Expr) else None
    for node in ast.walk(module):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node is not outline:
            yield from _REF.findall(node.value)


def _named(module: ast.Module) -> Iterator[SectionRef]:
    """Yield the chapters that the first line of a module's docstring names."""
    yield from _CHAPTER.findall((ast.get_docstring(module) or "").partition("\n")[0])


def _tested(source: str) -> Iterator[SectionRef]:
    """Yield each section once for each test function that names it, in its docstring, its body or its cases."""
    lines = source.splitlines()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
            first = min([node.lineno, *(mark.lineno for mark in node.decorator_list)])
            yield from set(_REF.findall("\n".join(lines[first - 1 : node.end_lineno])))


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8")
