"""Every refusal of this game is asserted by some test, with a section that it cites; so no rule forbids only on paper."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import core.games.dragonlords as game

GAME = Path(game.__file__).parent
TESTS = Path(__file__).parents[2]
MOST = 25
"""More texts than a line of cases holds; a larger expression says nothing of which code goes with which section."""


class Said(NamedTuple):
    """A refusal where the code yields it: its code, the sections named there, and whether others are worked out."""

    file: str
    line: int
    code: str
    sections: frozenset[str]
    computed: bool


def texts(node: ast.AST) -> list[str]:
    return [
        one.value for one in ast.walk(node) if isinstance(one, ast.Constant) and isinstance(one.value, str)
    ]


def refusals() -> Iterator[Said]:
    """Yield each refusal of the game, read from its source."""
    for path in sorted(GAME.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Refusal":
                code, sections = node.args[:2]
                for said in texts(code):
                    cited = frozenset(ref for ref in texts(sections) if ref.startswith("QD-"))
                    yield Said(path.stem, node.lineno, said, cited, _is_computed(sections))


def _is_computed(sections: ast.expr) -> bool:
    plain = (ast.Constant, ast.IfExp)
    return not isinstance(sections, ast.Tuple) or not all(isinstance(one, plain) for one in sections.elts)


@cache
def asserted() -> frozenset[tuple[str, str]]:
    """Return each code that a test names beside a section, in one call, comparison, or line of cases."""
    pairs: set[tuple[str, str]] = set()
    for path in TESTS.rglob("test_*.py"):
        if path == Path(__file__):
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Tuple | ast.Call | ast.Compare):
                said = texts(node)
                if len(said) < MOST:
                    sections = [text for text in said if text.startswith("QD-")]
                    pairs |= {(code, ref) for code in said for ref in sections}
    return frozenset(pairs)


def test_every_refusal_is_asserted_with_a_section_that_it_cites() -> None:
    """Where the section hangs on the place or the phase, any section of the book will do."""
    found = list(refusals())
    assert len(found) > 150
    codes = {code for code, _ in asserted()}
    unsaid = [
        one
        for one in found
        if not any((one.code, ref) in asserted() for ref in one.sections)
        and not (one.computed and one.code in codes)
    ]
    assert unsaid == [], "no test asserts these: write one that is refused so"


def test_what_is_asserted_is_read_from_the_tests_themselves() -> None:
    """A code that no test names, or names with another section, is found out."""
    assert ("leaves_nobody", "QD-10.2") in asserted()
    assert ("leaves_nobody", "QD-99.1") not in asserted()
