"""The house: what stands at its top level, what every file keeps to, and what the checks promise."""

import ast
import re
import subprocess
import tomllib
from functools import cache
from pathlib import Path

import pytest

HOUSE = Path(__file__).parent.parent
FLOORS = ("core", "events", "api", "replay")
FOLDERS = {*FLOORS, "fixtures", "tests", ".ci"}
FILES = {
    ".gitignore",
    "CHANGELOG.md",
    "LICENSE",
    "Makefile",
    "README.md",
    "constraints.txt",
    "pyproject.toml",
}

# Pieces are kept apart, so that this file does not hold what it forbids.
MACHINE = re.compile(
    "|".join(
        (
            r"(?<![\w.~])/(?:work|root|home/\w+|Users/\w+)" + r"/",
            r"\bpypi\." + "org",
            r"\bpythonhosted\." + "org",
            r"\bregistry\.npmjs\." + "org",
            r"\bdeb\.debian\." + "org",
            r"--(?:extra-)?index-" + "url",
            r"--find-" + "links",
            r"--trusted-" + "host",
        )
    ).encode()
)


@cache
def files() -> tuple[Path, ...]:
    """Return what git tracks or would track, as paths from the top of the house."""
    if not (HOUSE / ".git").exists():
        pytest.skip("not a git checkout")
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=HOUSE,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    return tuple(Path(name) for name in sorted(set(listed.split("\0")) - {""}) if (HOUSE / name).is_file())


@cache
def pyproject() -> dict[str, dict[str, object]]:
    """Return pyproject.toml, read."""
    return tomllib.loads((HOUSE / "pyproject.toml").read_text(encoding="utf-8"))


def python_files() -> list[Path]:
    """Return every Python file, as paths from the top of the house."""
    return [path for path in files() if path.suffix == ".py"]


def lines_that(pattern: str, paths: list[Path]) -> list[str]:
    """Return `file:line: text` for each line in which the pattern is found."""
    return [
        f"{path}:{number}: {line.strip()}"
        for path in paths
        for number, line in enumerate((HOUSE / path).read_text(encoding="utf-8").splitlines(), 1)
        if re.search(pattern, line)
    ]


def test_the_top_level_holds_only_the_house() -> None:
    """A sixth game is a folder in core/games, a note lies beside what it is about: nothing new comes to the top."""
    assert {path.parts[0] for path in files() if len(path.parts) > 1} <= FOLDERS
    assert {path.name for path in files() if len(path.parts) == 1} <= FILES


def test_every_floor_says_that_it_is_typed() -> None:
    """Each package that is installed has a py.typed, so that a program built on it is checked against its types."""
    assert [floor for floor in FLOORS if not (HOUSE / floor / "py.typed").is_file()] == []


def test_every_floor_says_what_it_is_for() -> None:
    """The first thing to read in each floor is one sentence about it."""
    assert [floor for floor in FLOORS if not _docstring(HOUSE / floor / "__init__.py")] == []


def test_every_folder_with_code_in_a_floor_is_a_package() -> None:
    """A folder without `__init__.py` would be invisible to import-linter, and its imports with it."""
    folders = {
        folder
        for path in python_files()
        if path.parts[0] in FLOORS
        for folder in path.parents
        if folder.parts
    }
    assert sorted(str(folder) for folder in folders if not (HOUSE / folder / "__init__.py").is_file()) == []


def test_every_ruff_rule_that_is_ignored_has_its_reason() -> None:
    """Each line of pyproject.toml that switches a rule off says why, on the same line."""
    text = (HOUSE / "pyproject.toml").read_text(encoding="utf-8")
    lists = re.findall(
        r"^(?:ignore|\"[^\"]+\") = \[\n(.*?)^\]",
        text[text.index("[tool.ruff.lint]") :],
        re.MULTILINE | re.DOTALL,
    )
    ignored = [line for entries in lists for line in entries.splitlines()]
    assert len(ignored) > 20, "the lists of ignored rules were not found"
    assert [line for line in ignored if not re.fullmatch(r'    "[A-Z]+\d*",? +# \S.{8,}', line)] == []


def test_every_ruff_rule_that_a_line_silences_has_its_reason() -> None:
    """A `noqa` names its rule, and what follows it on the line says why."""
    silenced = lines_that("# " + "noqa", python_files())
    reason = re.compile(r"noqa: [A-Z]+\d+(?:, ?[A-Z]+\d+)* .*\w+ \w+")
    assert [line for line in silenced if not reason.search(line)] == []


def test_every_test_is_a_sentence_with_a_docstring_that_states_the_fact() -> None:
    """The tests together are the description of the game that cannot go stale."""
    bare = [
        f"{path}:{node.lineno}: {node.name}"
        for path in python_files()
        if path.parts[0] == "tests" and path.name.startswith("test_")
        for node in ast.walk(ast.parse((HOUSE / path).read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_")
        if node.name.count("_") < 3 or not ast.get_docstring(node)
    ]
    assert bare == []


def test_no_file_names_a_machine_or_a_registry() -> None:
    """A clone works anywhere: no file holds an absolute path of somebody's machine, or the host of a registry."""
    named = [
        f"{path}: {found[0]!r}" for path in files() if (found := MACHINE.search((HOUSE / path).read_bytes()))
    ]
    assert named == []


def test_the_lock_pins_every_dependency_and_nothing_else() -> None:
    """The lock holds exact versions only, and each dependency that pyproject.toml names is among them."""
    lines = [line for line in (HOUSE / "constraints.txt").read_text(encoding="utf-8").splitlines() if line]
    pins = [line for line in lines if not line.startswith("#")]
    assert [line for line in pins if not re.fullmatch(r"[A-Za-z0-9._-]+==[\w.!+]+", line)] == []
    project = pyproject()["project"]
    runtime, extras = project["dependencies"], project["optional-dependencies"]
    assert isinstance(runtime, list)
    assert isinstance(extras, dict)
    wanted = {_plain(name) for names in (runtime, *extras.values()) for name in names}
    assert wanted - {_plain(pin) for pin in pins} == set()


def test_make_help_explains_every_target() -> None:
    """Whoever types `make help` learns of every target that the Makefile has, and what it is for."""
    text = (HOUSE / "Makefile").read_text(encoding="utf-8")
    targets = {name for line in re.findall(r"^\.PHONY: (.+)$", text, re.MULTILINE) for name in line.split()}
    assert targets >= {
        ".venv",
        "demo",
        "test",
        "check",
        "lint",
        "types",
        "floors",
        "stress",
        "bench",
        "format",
        "clean",
    }
    told = subprocess.run(
        ["make", "--no-print-directory", "help"], cwd=HOUSE, check=True, capture_output=True, text=True
    ).stdout
    assert set(re.findall(r"^  make (\S+) +\S+ \S", told, re.MULTILINE)) == targets


def test_the_readme_and_the_changelog_keep_what_is_promised() -> None:
    """The README shows the two commands that a fresh machine needs; the CHANGELOG has a place for what is new."""
    readme = (HOUSE / "README.md").read_text(encoding="utf-8")
    assert "make demo" in readme
    assert "make test" in readme
    assert "## [Unreleased]" in (HOUSE / "CHANGELOG.md").read_text(encoding="utf-8")


def _docstring(path: Path) -> str | None:
    return ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))


def _plain(requirement: str) -> str:
    """Return the name in a requirement or a pin, spelled in the one normal way."""
    name = re.match(r"[A-Za-z0-9._-]+", requirement)
    assert name
    return re.sub(r"[-_.]+", "-", name[0]).lower()
