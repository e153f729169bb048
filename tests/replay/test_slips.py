"""The faults planted by hand can fail: for each slip in what looks for them, one of them is missed or told wrong."""

import shutil
from pathlib import Path

import pytest

from tests.core.test_mutations import HOUSE, run
from tests.mutations import Mutation
from tests.stressed import part_of

JUDGING = "replay/verifying/judging.py"
COURSES = "replay/verifying/courses.py"
COMPARING = "replay/verifying/comparing.py"
READINGS = "replay/sheets/readings.py"
PLANTED = "tests/replay/test_planted_by_hand.py"

UNCITED = """and [type(fact)(**{n: getattr(fact, n) for n in fact.__struct_fields__ if n != "because"}) for fact in decided.facts]
        == [type(fact)(**{n: getattr(fact, n) for n in fact.__struct_fields__ if n != "because"}) for fact in entry.facts]
"""
"""Facts held against each other without their sections."""

SLIPS = tuple(
    Mutation(name, file, old, new, PLANTED)
    for name, file, old, new in (
        (
            "sections are not compared",
            COURSES,
            "and decided.facts == entry.facts\n",
            UNCITED,
        ),
        (
            "facts too many are not seen",
            COURSES,
            "and decided.facts == entry.facts\n",
            "and all(fact in entry.facts for fact in decided.facts)\n",
        ),
        (
            "facts left out are not seen",
            COURSES,
            "and decided.facts == entry.facts\n",
            "and all(fact in decided.facts for fact in entry.facts)\n",
        ),
        (
            "facts are compared in any order",
            COURSES,
            "and decided.facts == entry.facts\n",
            "and sorted(map(repr, decided.facts)) == sorted(map(repr, entry.facts))\n",
        ),
        ("what lies open is not seen", COURSES, "        and shut_alike(entry, sealed, decided)\n", ""),
        (
            "a log may go on from anywhere",
            JUDGING,
            "if parent != expected and not self._takes_parent(entry, expected):",
            "if parent > entry.id and not self._takes_parent(entry, expected):",
        ),
        (
            "a forger's sections are believed",
            JUDGING,
            "sections_of(self.rules, base, decided, expected_only, recorded_only)",
            "sections_of(self.rules, base, decided, recorded_only, expected_only)",
        ),
        (
            "what would have been right is never followed",
            JUDGING,
            "if course is not None and course.fits and is_same(entry, sealed, meant):",
            "if course is not None and course.since > entry.id:",
        ),
        (
            "everything stands by itself",
            JUDGING,
            "self._after = earlier.since if earlier is not None else 0",
            "self._after = 0",
        ),
        (
            "nothing stands by itself after a fault",
            COURSES,
            "return not self.sure or decided.facts != meant.facts",
            "return True",
        ),
        (
            "a head may be moved without consent",
            JUDGING,
            "            elif says_what_was_learned(entry.command):\n                self._weigh(entry, base)\n",
            "",
        ),
        (
            "a refusal has no codes",
            JUDGING,
            "plain_words(entry.command), why, _codes(decided.reasons))",
            "plain_words(entry.command), why)",
        ),
        ("a silence that is missing is not missed", COURSES, "MOST_MISSING = 6", "MOST_MISSING = 0"),
        (
            "an opening is judged by the rules of the game",
            JUDGING,
            "of_opening(expected_only, recorded_only) if isinstance(entry.command, OpenGame) else ()",
            "()",
        ),
        (
            "a state that is not as the rules made it brings the judge down",
            "core/folding.py",
            "except (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError) as fault:",
            "except (AttributeError, LookupError, TypeError, ValueError) as fault:",
        ),
        (
            "of two of a kind the first is shown, not the most alike",
            COMPARING,
            "default=None)",
            "default=None) and alike[0]",
        ),
        ("no line is taken for what was meant", READINGS, "MOST_GUESSES = 60", "MOST_GUESSES = 0"),
        (
            "what a claim is about is guessed",
            "replay/sheets/claim_verdicts.py",
            "about = _changing(play, claim)",
            "about = list[FactData]()",
        ),
        (
            "an opening that does not fit is taken",
            "events/codec.py",
            "return type(part) is kind and part.digest == digest",
            "return type(part) is kind",
        ),
    )
)


def copy_of_the_house(to: Path) -> Path:
    """Copy what the planted faults need: the program, the tests and the recordings."""
    ignored = shutil.ignore_patterns("__pycache__")
    for name in ("core", "events", "replay", "tests", "fixtures"):
        shutil.copytree(HOUSE / name, to / name, ignore=ignored)
    shutil.copy(HOUSE / "pyproject.toml", to / "pyproject.toml")
    return to


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Make a test of each slip under full stress, else of every ninth."""
    if "slip" in metafunc.fixturenames:
        slips = part_of(SLIPS, metafunc.config, every=9, first=1)
        metafunc.parametrize("slip", slips, ids=[slip.name for slip in slips])


@pytest.mark.stress
def test_a_planted_fault_is_missed_for_each_slip(slip: Mutation, tmp_path: Path) -> None:
    """The slip is made in a copy, and the planted faults are looked for there: one is not found as it must be."""
    house = copy_of_the_house(tmp_path / "house")
    slip.make(house)
    done = run(house, slip.killer)
    assert done.returncode == 1, f"{slip.name}: nothing failed\n{done.stdout[-2000:]}{done.stderr[-2000:]}"


def test_every_slip_stands_in_the_house_once(tmp_path: Path) -> None:
    """A slip whose text is no longer there proves nothing: it must be brought up to date."""
    assert len({slip.name for slip in SLIPS}) == len(SLIPS)
    for slip in SLIPS:
        copy = tmp_path / slip.file
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(HOUSE / slip.file, copy)
        slip.make(tmp_path)
