"""An illegal act that the table noticed and did not play accuses nothing after it; one that it played is played on."""

import pytest

from replay.sheets.adjudicate import adjudicate
from replay.sheets.scoresheet import parse_sheet
from replay.sheets.verdicts import LAWFUL, Verdict

FLIGHT = """seats: orc, elf
setup: units orc OR_k 8; units elf OR_n 6; chip elf wizard OR_n; spells elf.wizard.1 heal, teleport; units elf G1 1
setup: turn orc combat
orc: attack OR_n from OR_k with 7
dice: 1 1 1 2 2 3 6
elf: flee wizard to G1
"""
SNEAKED = """seats: elf, orc
setup: units elf SV_nw 5; units orc OR_ne 3; units orc OR_k 1; turn elf combat
elf: sneak attack OR_ne from SV_nw with 4
dice: 3 4 2 6
claim: orc loses 2
elf: sneak attack OR_ne from SV_nw with 4
"""
RETREAT = """seats: orc, elf
setup: units orc OR_k 6; units orc OR_s 1; units elf OR_n 4; turn orc combat
orc: attack OR_n from OR_k with 5
dice: 1 6 6 6 6
dice: 1 2 5 5
claim: elf loses 1, orc loses 2
orc: retreat to OR_s
"""
TOO_MANY = """seats: orc, elf
setup: units orc OR_k 6; units elf OR_n 1; units elf G1 1; turn orc combat
orc: attack OR_n from OR_k with 9
"""


def wrong_in(text: str) -> list[Verdict]:
    """Return the verdicts on a sheet that are not lawful."""
    return [
        one for one in adjudicate(parse_sheet(f"game: dragonlords\n{text}")).verdicts if one.verdict != LAWFUL
    ]


@pytest.mark.parametrize(
    ("begins", "goes_on", "line", "section"),
    (
        (FLIGHT, "dice: 5 5 5 5 5 5\nclaim: elf loses 6\nclaim: units elf G1 1", 7, "QD-10.7"),
        (SNEAKED, "claim: units elf SV_nw 5\nclaim: units orc OR_ne 1\nelf: end phase\nclaim: turn elf transfer", 7, "QD-12.2"),
        (RETREAT, "orc: retreat to OR_k\nclaim: units orc OR_k 4\nclaim: units orc OR_s 1", 8, "QD-17.1"),
        (RETREAT, "orc: retreat to OR_k", 8, "QD-17.1"),
        (TOO_MANY, "orc: attack OR_n from OR_k with 5\ndice: 1 6 6 6 6\ndice: 6\nclaim: units orc OR_n 5", 4, "QD-"),
        (TOO_MANY, "claim: units orc OR_k 6\nclaim: units elf OR_n 1", 4, "QD-"),
    ),
    ids=["flight", "second_volley", "retreat", "retreat_mended_last", "too_many_mended", "too_many_noticed"],
)  # fmt: skip
def test_what_was_noticed_and_not_played_is_one_fault(
    begins: str, goes_on: str, line: int, section: str
) -> None:
    """The line itself is found wrong, is not played, and all that is true after it is right."""
    found = wrong_in(begins + goes_on)
    assert [(one.line, one.verdict, one.told) for one in found] == [(line, "unlawful", False)]
    assert any(ref.startswith(section) for ref in found[0].sections)


@pytest.mark.parametrize(
    ("begins", "goes_on", "line"),
    (
        (FLIGHT, "dice: 5 5 5 5 5\nclaim: elf loses 5\nclaim: units elf G1 2", 7),
        (SNEAKED, "dice: 4 4 4 1\nclaim: orc loses 1\nclaim: units elf OR_ne 4", 7),
        (RETREAT, "claim: units orc OR_s 4\nclaim: units orc OR_k 1", 8),
    ),
    ids=["flight", "second_volley", "retreat"],
)
def test_what_was_played_all_the_same_is_played_on(begins: str, goes_on: str, line: int) -> None:
    """What follows from it is right, as the table played it."""
    assert [(one.line, one.told) for one in wrong_in(begins + goes_on)][:1] == [(line, True)]
    assert len(wrong_in(begins + goes_on)) == 1
