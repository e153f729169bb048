"""Every refusal of this game is met somewhere under each section that it can cite; so no rule forbids only on paper.

`tests.games.dragonlords.citing` reads the pairs of code and section from the source, of the kernel and the law of the table
too; what tests assert is read from the tests, and what planted faults must be found by from their catalogue.
"""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.games.dragonlords.citing import ASKED, House, Said, texts
from tests.replay.planting import catalogue

TESTS = Path(__file__).parents[2]
HOUSE = House(("core", "core.games.dragonlords"))
MOST = 25
"""More texts than a line of cases holds; a larger expression says nothing of which code goes with which section."""
STRIKES = "QD-16.3 QD-16.6 QD-16.7 QD-16.8 QD-16.9"
"""The sections of the scrolls that strike nobody."""
MOVES = "QD-15.3 QD-5.3 QD-5.4"
"""The sections of teleporting in phase 2."""
IMPOSSIBLE = (
    ("no_protection_there nobody_to_strike protected", STRIKES, "such a scroll strikes nobody"),
    ("no_target", "QD-16.2 QD-16.3 QD-16.4 QD-16.5 QD-16.9", "such a scroll is read against somebody, or answers"),
    ("not_at_sea", f"{STRIKES} QD-16.2 QD-16.4", "QD-H17 is about Infernal and Tempest"),
    (
        "protected", "QD-7.1 QD-7.2 QD-7.3 QD-7.5 QD-7.8 QD-7.10 QD-7.11 QD-7.12",
        "such a treasure protects from no spell",
    ),
    ("no_caster", "QD-15.1 QD-15.3 QD-15.4 QD-15.6", "such a spell is no attack, which is another refusal"),
    ("enemy_blockade", "QD-5.1", "in phase 2 one goes aboard beside an enemy, and fights"),
    ("must_fight", "QD-19.3", "no battle is open in phase 5"),
    ("nobody_sent", f"{MOVES} QD-19.2", "a spell user may teleport alone"),
    ("left_empty", f"{MOVES} QD-19.2", "who takes others along leaves one behind, which is another refusal"),
    ("moved_already", f"{MOVES} QD-6.1", "who went ashore in phase 2 may be taken along, and goes on quests"),
    ("cannot_teleport", "QD-5.3", "QD-5.4 is cited of whoever is no caster"),
    ("no_dragonlord_there no_king_there", "QD-5.4", "a DragonLord has no such target"),
    ("dragonlord_at_sea", "QD-6.13", "the sea is QD-11.6"),
    ("dragonlord_in_wastelands", "QD-11.6", "the Wastelands are QD-6.13"),
    ("not_this_now not_your_turn", "LS-2.1", "each question of this game cites the rules by which it is asked"),
    ("wrong_dice_count", "LS-4.1", "each roll of this game cites the rules by which it is made"),
)  # fmt: skip
"""Codes and sections that no game can bring together, and why; the reading of the source does not see it."""


def in_calls() -> Iterator[tuple[str, str]]:
    """Yield each code that a test names beside a section, in one call, comparison, or line of cases."""
    for path in TESTS.rglob("test_*.py"):
        if path == Path(__file__):
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Tuple | ast.Call | ast.Compare):
                said = texts(node)
                if len(said) < MOST:
                    sections = [text for text in said if text.startswith(("QD-", "LS-"))]
                    yield from ((code, ref) for code in said for ref in sections)


@cache
def asserted() -> frozenset[tuple[str, str]]:
    """Return each code that a test or a planted fault names beside a section."""
    planted = (fault for fault in (*catalogue().log, *catalogue().sheet) if len(fault.codes) == 1)
    return frozenset(in_calls()) | {(fault.codes[0], ref) for fault in planted for ref in fault.sections}


@cache
def refusals() -> tuple[Said, ...]:
    """Return the refusals that the source can yield."""
    return tuple(HOUSE.refusals())


def pairs() -> dict[tuple[str, str], str]:
    """Return each code with each section that it can cite, and where the source says so."""
    return {(one.code, ref): f"{one.module}:{one.line}" for one in refusals() for ref in one.sections}


def impossible() -> frozenset[tuple[str, str]]:
    return frozenset(
        (code, ref) for codes, refs, _ in IMPOSSIBLE for code in codes.split() for ref in refs.split()
    )


def is_met(code: str, ref: str) -> bool:
    """Return whether a pair is asserted; of the question that is open, whichever it is, any section will do."""
    if ref == ASKED:
        return any(code == known and cited.startswith("QD-") for known, cited in asserted())
    return (code, ref) in asserted()


def test_every_refusal_is_met_under_every_section_that_it_can_cite() -> None:
    """A code under a section that nobody ever saw may be cited wrongly, or may never be yielded."""
    assert len(refusals()) > 200
    assert len(pairs()) > 400
    unmet = {pair: where for pair, where in pairs().items() if not is_met(*pair)}
    unmet = {pair: where for pair, where in unmet.items() if pair not in impossible()}
    assert unmet == {}, "no test is refused so: add a case to test_forbidden.py, or say why none can be"


def test_nothing_is_called_impossible_that_is_met_or_that_nobody_yields() -> None:
    """A reason that has become idle is struck out."""
    assert impossible() & asserted() == set()
    assert impossible() <= pairs().keys()


def test_sections_are_followed_to_where_they_are_written() -> None:
    """To a tuple, a constant, what callers give, what a function returns, data that is looked up, and the open question."""
    followed = {
        ("leaves_nobody", "QD-10.2"),
        ("leaves_nobody", "QD-X45"),
        ("not_yours", "QD-18.1"),
        ("not_yours", "QD-19.1"),
        ("no_harbour", "QD-19.3"),
        ("too_little_gold", "QD-4.2"),
        ("too_little_gold", "QD-6.8"),
        ("no_spell_user", "QD-16.9"),
        ("no_such_entry", "LS-5.3"),
        ("not_this_now", ASKED),
    }
    assert followed <= pairs().keys()
    assert ("leaves_nobody", "QD-19.1") not in pairs()
    assert ("not_yours", "QD-5.1") not in pairs()


def test_what_is_asserted_is_read_from_the_tests_themselves() -> None:
    """A code that no test names, or names with another section, is found out."""
    assert ("leaves_nobody", "QD-10.2") in asserted()
    assert ("leaves_nobody", "QD-99.1") not in asserted()
    assert ("tundra", "QD-23.2") in asserted()
