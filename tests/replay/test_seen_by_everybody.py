"""What stands where everybody can see it is right or wrong, and what stands instead is said, whatever else went wrong before."""

import pytest

from replay.sheets.adjudicate import adjudicate
from replay.sheets.scoresheet import parse_sheet
from replay.sheets.verdicts import Verdict
from tests.replay.test_messy_sheets import sheet

SEA = """game: dragonlords
seats: elf, dwarf
setup: units elf C3 3; ships C3 2; units dwarf D3 3; ships D3 1; units elf SV_sw 1; units dwarf SV_se 1
setup: turn elf sea
elf: sail S3, D3 from C3 with 3
elf: end phase
dice: 6 6 3
dice: 6 6 5
elf: flee king to C3
"""
FLIGHT = """game: dragonlords
seats: orc, elf
setup: units orc OR_k 8; units elf OR_n 6; chip elf wizard OR_n; spells elf.wizard.1 heal, teleport; units elf G1 1
setup: turn orc combat
orc: attack OR_n from OR_k with 7
dice: 1 1 1 2 2 4 6
dice: 5 5 5 5 5
"""


def last(text: str) -> Verdict:
    """Return the verdict on the last line of a sheet."""
    return adjudicate(parse_sheet(text)).verdicts[-1]


def test_what_has_nothing_to_do_with_an_act_that_was_left_out_is_judged() -> None:
    """No battle is near the harbour (QD-5.2): that a line before it is refused hides nothing there."""
    found = last(SEA + "claim: ships SV_se 1")
    assert (found.verdict, found.expected) == ("miscounted", "ships SV_se 0")
    assert last(SEA + "claim: units dwarf SV_se 1").verdict == "lawful"


def test_what_may_follow_from_an_act_that_was_left_out_is_not_accused() -> None:
    """Where it was to lead, and where it came from, the table may have played it so."""
    assert last(SEA + "claim: units elf C3 1").verdict == "unknowable"
    assert last(SEA + "claim: units elf D3 1").verdict == "unknowable"


@pytest.mark.parametrize(("units", "verdict"), ((1, "lawful"), (2, "miscounted"), (3, "miscounted")))
def test_what_no_missing_die_makes_right_is_wrong_where_it_stands(units: int, verdict: str) -> None:
    """Nobody fled, whatever the sixth die showed (QD-10.7)."""
    assert last(FLIGHT + f"claim: elf loses 5\nclaim: units elf G1 {units}").verdict == verdict


def test_a_dragonlord_stands_where_a_unit_is_claimed() -> None:
    """The Barbarians' DragonLord is left in Hrimgard, and no other unit (QD-10.8)."""
    report = sheet("w12", ("claim: units barbarian FM_k 0 1", "claim: units barbarian FM_k 1"))
    wrong = next(one for one in report.verdicts if one.text == "claim: units barbarian FM_k 1")
    assert (wrong.verdict, wrong.expected) == ("miscounted", "units barbarian FM_k 0 1")
    assert "not so" not in wrong.message
