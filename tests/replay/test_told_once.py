"""One slip of a sheet is told once: the game goes on from what the table did, and what merely follows is not accused."""

import pytest

from replay.sheets.adjudicate import adjudicate
from replay.sheets.scoresheet import parse_sheet
from tests.replay.planting import sheet_of

TOO_LATE = """game: dragonlords
seats: orc, elf
setup: units orc OR_n 7
setup: units elf G1 6; chip elf elf.wizard.1 G1; spells elf.wizard.1 heal, fireball, teleport
setup: units elf FM_s 1
setup: turn orc combat
orc: attack G1 from OR_n with 6
dice: 1 1 2 2 3 3
elf: flee elf.wizard.1 to FM_s
dice: 4 4 5 6 6
claim: elf loses 5
claim: units elf FM_s 2
claim: units orc G1 6
"""
TOO_DEAR = """game: dragonlords
seats: elf, orc
setup: units elf FM_k 3; gold FM_k 37; units elf FM_s 5
setup: units orc G1 4; units orc OR_k 3
setup: turn elf buy
elf: buy units 13
elf: attack G1 from FM_s with 4
"""
A_ROUND = "dice: 6 6 6 6\ndice: 6 6 6 6\nelf: continue\n"
HOME = "dice: 6 6 6 6\ndice: 6 6 6 6\nelf: retreat to FM_s\nelf: end phase\nelf: end phase\nelf: place units {} FM_k\n"


def test_a_flight_from_too_many_hits_is_told_once() -> None:
    """Six hits on six Elves leave nobody to flee; the table let the wizard go, and all that follows fits that (QD-10.7)."""
    found = adjudicate(parse_sheet(TOO_LATE)).verdicts
    assert [one.verdict for one in found] == ["lawful"] * 2 + ["unlawful"] + ["lawful"] * 4
    assert (found[2].sections[:1], found[2].codes, found[2].told) == (("QD-10.7",), ("too_many_hits",), True)


def test_a_flight_without_teleport_is_left_out_all_the_same() -> None:
    """What can't be told is not: this wizard can't go anywhere, whatever was overlooked (QD-15.3)."""
    found = adjudicate(parse_sheet(TOO_LATE.replace("heal, fireball, teleport", "heal, fireball"))).verdicts
    assert (found[2].verdict, found[2].told) == ("unlawful", False)
    assert set(found[2].codes) == {"too_many_hits", "cannot_teleport"}


@pytest.mark.parametrize("rounds", (0, 3, 8))
def test_a_purchase_that_was_too_dear_is_told_once_however_late_it_is_placed(rounds: int) -> None:
    """Gold for twelve, thirteen written: that twelve are placed at the end of the turn shows what was bought (QD-4.2, QD-21.1)."""
    report = adjudicate(parse_sheet(TOO_DEAR + A_ROUND * rounds + HOME.format(12)))
    assert [one.text for one in report.verdicts if one.verdict != "lawful"] == ["elf: buy units 13"]
    assert "as if `elf: buy units 12` had been written" in report.verdicts[0].message


def test_a_purchase_that_was_too_dear_is_left_out_where_nothing_shows_what_was_bought() -> None:
    """Nothing is assumed without a reason in the sheet."""
    report = adjudicate(parse_sheet(TOO_DEAR + A_ROUND * 3))
    assert (report.verdicts[0].verdict, report.verdicts[0].told) == ("unlawful", False)


def test_a_wrong_loss_with_which_a_king_falls_is_told_once() -> None:
    """Fours were counted as hits and the Elves' king struck off: that the place is taken only follows (QD-10.3, QD-22.1)."""
    sheet = """game: dragonlords
seats: barbarian, elf, dwarf
setup: units barbarian FM_s 6; units barbarian G1 2; chip barbarian king G1
setup: units elf FM_k 3; chip elf king FM_k; units dwarf IH_k 3; chip dwarf king IH_k
setup: turn barbarian combat
barbarian: attack Hrimgard from Palefold with 5
dice: 4 4 3 5 6
claim: elf loses 3
dice: 6 5 4
claim: barbarian loses 0
claim: units barbarian FM_k 5
"""
    found = [one for one in adjudicate(parse_sheet(sheet)).verdicts if one.verdict != "lawful"]
    assert [(one.text, one.verdict, one.expected) for one in found] == [
        ("claim: elf loses 3", "miscounted", "elf loses 1")
    ]


@pytest.mark.parametrize("spells", ("heal", "heal, fireball"))
def test_a_roll_that_is_missing_is_told_though_a_spell_would_explain_what_follows(spells: str) -> None:
    """The defence roll is not there: nobody writes a retreat for the fireball of another (QD-10.6)."""
    sheet = (
        "game: dragonlords\nseats: orc, dwarf\nsetup: units orc SV_nw 3; units dwarf SV_k 4\n"
        f"setup: chip dwarf dwarf.wizard.1 SV_k; spells dwarf.wizard.1 {spells}\nsetup: turn orc combat\n"
        "orc: attack SV_k from SV_nw with 1\ndice: 6\norc: retreat to SV_nw\norc: end phase\n"
    )
    _, _, retreat, end = adjudicate(parse_sheet(sheet)).verdicts
    assert (retreat.verdict, retreat.codes, retreat.sections) == (
        "unlawful",
        ("dice_missing",),
        ("QD-10.6", "QD-10.3"),
    )
    assert end.verdict == "lawful"


@pytest.mark.parametrize(
    ("left_out", "at"),
    (
        ("elf: add unit SC_k", "orc: add unit IH_se"),
        ("elf: add unit T3", "orc: add unit FM_ne"),
        ("orc: add unit SV_nw", "elf: add unit SC_s"),
    ),
)
def test_a_unit_of_the_setup_that_was_not_written_is_one_finding(left_out: str, at: str) -> None:
    """Nobody's silence adds it in another's turn; which it was is seen by the dice and moves that come much later (QD-3.4)."""
    whole = sheet_of("land/kings_of_two")
    report = adjudicate(parse_sheet(whole.replace(f"{left_out}\n", "", 1)))
    (found,) = [one for one in report.verdicts if one.verdict != "lawful"]
    assert (found.text, found.codes, found.sections) == (at, ("act_unwritten",), ("QD-3.4",))
    assert f"as if `{left_out}` had been written" in found.message
