"""Sheets with more than one slip: each is found at its own line, and accuses no other.

What is expected stands here as an arbiter would say it, worked out by hand from the printed battles: of each line that is
not lawful its verdict, what should stand there, and the code. All other lines must be lawful.
"""

import pytest

from replay.sheets.adjudicate import adjudicate
from replay.sheets.scoresheet import BadSheet, parse_sheet
from replay.sheets.verdicts import Report
from tests.replay.test_printed_battles import BOOK, text_of

FERN = """game: dragonlords
seats: orc, dwarf
setup: turn orc combat; units orc OR_k 6; units dwarf OR_n 3
orc: attack OR_n from OR_k with 5
dice: 1 3 5 6 2
dice: 4 3 6
claim: dwarf loses 3, orc loses 1
claim: units orc OR_n 4
"""
BIG = """game: dragonlords
seats: orc, dwarf
setup: turn orc combat; units orc OR_k 9; units dwarf OR_n 5
orc: attack OR_n from OR_k with 6
dice: 1 6 6 6 6 6
dice: 1 6 6 6 4
claim: dwarf loses 1, orc loses 1
dice: 1 6 6 6 6
dice: 6 6 6 6
claim: dwarf loses 1, orc loses 0
"""
ROUND = "claim: barbarian loses 1, orc loses 2"
LAST = "claim: barbarian loses 1, orc loses 1"
SEA = "claim: dwarf loses 2, elf loses 1"
DISPUTE = "barbarian: dispute the last die fell from the table"

Change = tuple[str, str]
Slip = tuple[str, str, str, str]
"""A line, its verdict, what is expected there, and the code of it."""


def sheet(name: str, *changes: Change) -> Report:
    """Return the report on a battle in which lines read otherwise; each must be there once, and may become several or none."""
    text = {"fern": FERN, "big": BIG}.get(name) or text_of(name)
    lines = [line.partition("#")[0].rstrip() for line in text.split("\n")]
    for old, new in changes:
        assert lines.count(old) == 1, f"{old!r} stands {lines.count(old)} times in {name}"
        lines[lines.index(old)] = new
    return adjudicate(parse_sheet("\n".join(lines), BOOK / f"{name}.score"))


CASES: dict[str, tuple[str, tuple[Change, ...], tuple[Slip, ...]]] = {
    # a wrong loss
    "a loss too few that the dice after it do not share": (
        "w8", ((ROUND, "claim: barbarian loses 1, orc loses 1"),),
        (("claim: barbarian loses 1, orc loses 1", "miscounted", "orc loses 2", "miscounted"),)),
    "a loss too many that the dice after it do not share": (
        "w8", ((ROUND, "claim: barbarian loses 1, orc loses 3"),),
        (("claim: barbarian loses 1, orc loses 3", "miscounted", "orc loses 2", "miscounted"),)),
    "a loss too few that the table played on with": (
        "w8", ((ROUND, "claim: barbarian loses 1, orc loses 0"), ("dice: 2 1", "dice: 2 1 6 6"), ("claim: units orc OR_n 1", "claim: units orc OR_n 3")),
        (("claim: barbarian loses 1, orc loses 0", "miscounted", "orc loses 2", "miscounted"),)),
    "wrong losses in both rounds": (
        "w8", ((ROUND, "claim: barbarian loses 2, orc loses 2"), (LAST, "claim: barbarian loses 1, orc loses 0")),
        (("claim: barbarian loses 2, orc loses 2", "miscounted", "barbarian loses 1", "miscounted"),
         ("claim: barbarian loses 1, orc loses 0", "miscounted", "orc loses 1", "miscounted"))),
    "a wrong loss, and a number of units that is right by the rules": (
        "fern", (("claim: dwarf loses 3, orc loses 1", "claim: orc loses 2"),),
        (("claim: orc loses 2", "miscounted", "orc loses 1", "miscounted"),)),
    "a wrong loss, and a number of units that follows from it": (
        "fern", (("claim: dwarf loses 3, orc loses 1", "claim: orc loses 2"), ("claim: units orc OR_n 4", "claim: units orc OR_n 3")),
        (("claim: orc loses 2", "miscounted", "orc loses 1", "miscounted"),)),
    "a wrong loss, and a number of units that follows from nothing": (
        "fern", (("claim: dwarf loses 3, orc loses 1", "claim: orc loses 2"), ("claim: units orc OR_n 4", "claim: units orc OR_n 1")),
        (("claim: orc loses 2", "miscounted", "orc loses 1", "miscounted"),
         ("claim: units orc OR_n 1", "miscounted", "units orc OR_n 4", "miscounted"))),
    # a lost die
    "a lost die of the attackers": (
        "w8", (("dice: 5 5 6 3", "dice: 5 5 6"),), (("dice: 5 5 6", "unlawful", "4 d6", "wrong_dice_count"),)),
    "a lost die of the defenders": (
        "w8", (("dice: 3 4", "dice: 4"),), (("dice: 4", "unlawful", "2 d6", "wrong_dice_count"),)),
    "two lost dice in one roll": (
        "w8", (("dice: 5 5 6 3", "dice: 5 3"),), (("dice: 5 3", "unlawful", "4 d6", "wrong_dice_count"),)),
    "two lost dice in two rolls": (
        "w8", (("dice: 5 5 6 3", "dice: 5 5 6"), ("dice: 3 4", "dice: 3")),
        (("dice: 5 5 6", "unlawful", "4 d6", "wrong_dice_count"), ("dice: 3", "unlawful", "2 d6", "wrong_dice_count"))),
    "lost dice in both rounds": (
        "w8", (("dice: 3 4", "dice: 3"), ("dice: 2 1", "dice: 1")),
        (("dice: 3", "unlawful", "2 d6", "wrong_dice_count"), ("dice: 1", "unlawful", "2 d6", "wrong_dice_count"))),
    "a die that nobody saw": (
        "w8", (("dice: 5 5 6 3", "dice: 5 5 6 ?"),), (("dice: 5 5 6 ?", "unknowable", "4 d6", "die_unseen"),)),
    "a roll that nobody saw": (
        "w8", (("dice: 3 4", "dice: ? ?"),), (("dice: ? ?", "unknowable", "2 d6", "die_unseen"),)),
    "a face that is on no such die": (
        "w8", (("dice: 3 4", "dice: 3 7"),), (("dice: 3 7", "unlawful", "2 d6", "no_such_face"),)),
    # a lost die and a wrong loss
    "a lost die, and a loss that no such die makes right": (
        "big", (("dice: 1 6 6 6 4", "dice: 1 6 6 6"), ("claim: dwarf loses 1, orc loses 1", "claim: dwarf loses 1, orc loses 3")),
        (("dice: 1 6 6 6", "unlawful", "5 d6", "wrong_dice_count"),
         ("claim: dwarf loses 1, orc loses 3", "miscounted", "orc loses 1 or 2", "miscounted"))),
    "a die that nobody saw, and a loss that no such die makes right": (
        "big", (("dice: 1 6 6 6 4", "dice: 1 6 6 6 ?"), ("claim: dwarf loses 1, orc loses 1", "claim: dwarf loses 1, orc loses 0")),
        (("dice: 1 6 6 6 ?", "unknowable", "5 d6", "die_unseen"),
         ("claim: dwarf loses 1, orc loses 0", "miscounted", "orc loses 1 or 2", "miscounted"))),
    "a lost die of the attackers, and the defenders' loss wrong": (
        "w8", (("dice: 5 5 6 3", "dice: 5 5 6"), (ROUND, "claim: barbarian loses 2, orc loses 2")),
        (("dice: 5 5 6", "unlawful", "4 d6", "wrong_dice_count"),
         ("claim: barbarian loses 2, orc loses 2", "miscounted", "barbarian loses 0 or 1", "miscounted"))),
    "a lost die of the defenders, and the attackers' loss wrong": (
        "w8", (("dice: 3 4", "dice: 3"), (ROUND, "claim: barbarian loses 1, orc loses 3")),
        (("dice: 3", "unlawful", "2 d6", "wrong_dice_count"),
         ("claim: barbarian loses 1, orc loses 3", "miscounted", "orc loses 1 or 2", "miscounted"))),
    "a lost die of the attackers, and their own loss wrong": (
        "w8", (("dice: 5 5 6 3", "dice: 5 6 3"), (ROUND, "claim: barbarian loses 1, orc loses 1")),
        (("dice: 5 6 3", "unlawful", "4 d6", "wrong_dice_count"),
         ("claim: barbarian loses 1, orc loses 1", "miscounted", "orc loses 2", "miscounted"))),
    "a lost die in the first round, and a wrong loss in the second": (
        "w8", (("dice: 3 4", "dice: 3"), (LAST, "claim: barbarian loses 1, orc loses 0")),
        (("dice: 3", "unlawful", "2 d6", "wrong_dice_count"),
         ("claim: barbarian loses 1, orc loses 0", "miscounted", "orc loses 1", "miscounted"))),
    "a wrong loss in the first round, and a lost die in the second": (
        "w8", ((ROUND, "claim: barbarian loses 1, orc loses 3"), ("dice: 2 1", "dice: 2")),
        (("claim: barbarian loses 1, orc loses 3", "miscounted", "orc loses 2", "miscounted"),
         ("dice: 2", "unlawful", "2 d6", "wrong_dice_count"))),
    "a die too many, and a wrong loss": (
        "w8", (("dice: 3 4", "dice: 3 4 4"), (ROUND, "claim: barbarian loses 1, orc loses 3")),
        (("dice: 3 4 4", "unlawful", "2 d6", "wrong_dice_count"),
         ("claim: barbarian loses 1, orc loses 3", "miscounted", "orc loses 2", "miscounted"))),
    # lost lines, and such as are out of their order
    "the attackers' dice are not there": (
        "w8", (("dice: 5 5 6 3", ""),), (("dice: 3 4", "unlawful", "dice: 4 d6 of orc for attack", "dice_missing"),)),
    "the defenders' dice are not there": (
        "w8", (("dice: 3 4", ""),), ((ROUND, "unlawful", "dice: 2 d6 of barbarian for defence", "dice_missing"),)),
    "the attackers' dice of the second round are not there": (
        "w8", (("dice: 2 1", ""),), (("dice: 2", "unlawful", "dice: 2 d6 of orc for attack", "dice_missing"),)),
    "the defenders' dice of the second round are not there": (
        "w8", (("dice: 2", ""),), ((LAST, "unlawful", "dice: 1 d6 of barbarian for defence", "dice_missing"),)),
    "the defenders' dice are not there, and a loss is wrong": (
        "w8", (("dice: 2", ""), (LAST, "claim: barbarian loses 1, orc loses 2")),
        (("claim: barbarian loses 1, orc loses 2", "unlawful", "orc loses 0 or 1", "dice_missing"),)),
    "the two rolls have changed places": (
        "w8", (("dice: 3 4", ""), ("dice: 5 5 6 3", "dice: 3 4\ndice: 5 5 6 3")),
        (("dice: 3 4", "unlawful", "dice: 4 d6 of orc for attack", "too_early"),)),
    "the attackers' dice stand there twice": (
        "w8", (("dice: 5 5 6 3", "dice: 5 5 6 3\ndice: 5 5 6 3 #"),), (("dice: 5 5 6 3", "unlawful", "dice: 2 d6 of barbarian for defence", "written_twice"),)),
    "the last dice stand there twice": (
        "w8", (("dice: 2", "dice: 2\ndice: 2"),), (("dice: 2", "unlawful", "orc: ", "not_your_turn"),)),
    "an attack with too many, and a lost die": (
        "w8", (("orc: attack OR_n from OR_k with 4", "orc: attack OR_n from OR_k with 5"), ("dice: 5 5 6 3", "dice: 5 5 6 3 6"), ("dice: 3 4", "dice: 3"),
               ("dice: 2 1", "dice: 2 1 6"), ("claim: units orc OR_n 1", "claim: units orc OR_n 2")),
        (("orc: attack OR_n from OR_k with 5", "unlawful", "orc: ", "leaves_nobody"), ("dice: 3", "unlawful", "2 d6", "wrong_dice_count"))),
    # claims that stand early or late
    "a claim before the defenders' dice": (
        "w8", (("dice: 3 4", f"{ROUND}\ndice: 3 4"), (ROUND, "")), ()),
    "what each side lost, each after the other's dice": (
        "w8", (("dice: 3 4", "claim: barbarian loses 1\ndice: 3 4"), (ROUND, "claim: orc loses 2")), ()),
    "a wrong claim before the dice that it counts": (
        "w8", (("dice: 3 4", "claim: barbarian loses 2\ndice: 3 4"), (ROUND, "claim: orc loses 2")),
        (("claim: barbarian loses 2", "miscounted", "barbarian loses 1", "miscounted"),)),
    "a claim before the dice that it counts, of which one is lost": (
        "w8", (("dice: 3 4", "claim: barbarian loses 1\ndice: 4"), (ROUND, "claim: orc loses 2")),
        (("dice: 4", "unlawful", "2 d6", "wrong_dice_count"),)),
    "a claim after the next roll": (
        "w8", ((ROUND, ""), ("dice: 2 1", f"dice: 2 1\n{ROUND}")), ()),
    # disputes that nobody ruled on
    "a dispute between the two rolls": (
        "w8", (("dice: 3 4", f"{DISPUTE}\ndice: 3 4"),), (("dice: 3 4", "unlawful", "arbiter: a ruling on the dispute", "disputed"),)),
    "a dispute before the claim, and a wrong loss": (
        "w8", ((ROUND, f"{DISPUTE}\nclaim: barbarian loses 1, orc loses 3"),),
        (("claim: barbarian loses 1, orc loses 3", "miscounted", "orc loses 2", "miscounted"), ("dice: 2 1", "unlawful", "arbiter: a ruling on the dispute", "disputed"))),
    "a dispute that the arbiter ruled on": (
        "w8", (("dice: 3 4", f"{DISPUTE}\narbiter: uphold because it lay flat\ndice: 3 4"),), ()),
    "a dispute, and a lost die": (
        "w8", (("dice: 3 4", f"{DISPUTE}\ndice: 3"),), (("dice: 3", "unlawful", "arbiter: a ruling on the dispute", "disputed"),)),
    # at sea, by stealth, in a kingdom
    "a ship's crew loses a die": (
        "w9", (("dice: 6 2 3", "dice: 6 2"),), (("dice: 6 2", "unlawful", "3 d6", "wrong_dice_count"),)),
    "a ship's crew loses a die, and the other's loss is wrong": (
        "w9", (("dice: 3 6 5", "dice: 3 6"), (SEA, "claim: dwarf loses 3, elf loses 1")),
        (("dice: 3 6", "unlawful", "3 d6", "wrong_dice_count"), ("claim: dwarf loses 3, elf loses 1", "miscounted", "dwarf loses 2", "miscounted"))),
    "the last dice at sea are not there": (
        "w9", (("dice: 4", ""),), (("claim: units elf C3 2", "unlawful", "dice: 1 d6 of dwarf for defence", "dice_missing"),)),
    "a die lost by stealth": (
        "w10", (("dice: 3 4 2 6", "dice: 3 4 2"),), (("dice: 3 4 2", "unlawful", "4 d6", "wrong_dice_count"),)),
    "a die lost by stealth, and a loss that it can't make right": (
        "w10", (("dice: 3 4 2 6", "dice: 3 4 2"), ("claim: orc loses 2, elf loses 0", "claim: orc loses 1, elf loses 0")),
        (("dice: 3 4 2", "unlawful", "4 d6", "wrong_dice_count"), ("claim: orc loses 1, elf loses 0", "miscounted", "orc loses 2 or 3", "miscounted"))),
    "a kingdom's defenders lose a die": (
        "w12", (("dice: 3 2 3 5", "dice: 3 2 3"),), (("dice: 3 2 3", "unlawful", "4 d6", "wrong_dice_count"),)),
    "a kingdom's defenders lose a die, and a loss is wrong": (
        "w12", (("dice: 3 2 3 5", "dice: 3 2 3"), ("claim: elf loses 2, barbarian loses 3", "claim: elf loses 2, barbarian loses 2")),
        (("dice: 3 2 3", "unlawful", "4 d6", "wrong_dice_count"), ("claim: elf loses 2, barbarian loses 2", "miscounted", "barbarian loses 3 or 4", "miscounted"))),
    "gold miscounted, and a lost line": (
        "w12", (("dice: 2", ""), ("claim: gold FM_k 7", "claim: gold FM_k 8")),
        (("claim: elf loses 1, barbarian loses 1", "unlawful", "dice: 1 d6 of elf for defence", "dice_missing"), ("claim: gold FM_k 8", "miscounted", "gold FM_k 7", "miscounted"))),
    "the die too many that is printed, and a wrong loss": (
        "w11", (("claim: elf loses 2, barbarian loses 1", "claim: elf loses 2, barbarian loses 2"),),
        (("dice: 6 2 4", "unlawful", "2 d6", "wrong_dice_count"), ("claim: elf loses 2, barbarian loses 2", "miscounted", "barbarian loses 1", "miscounted"))),
    "a fleet loses a line of dice": (
        "w7", (("dice: 4 5 1 6", ""),), (("dice: 3 5", "unlawful", "dice: 4 d6 of barbarian for attack", "dice_missing"),)),
    "a fleet loses a die, and its own loss is wrong": (
        "w7", (("dice: 4 5 1 6", "dice: 4 5 1"), ("claim: orc loses 2, barbarian loses 1", "claim: orc loses 2, barbarian loses 2")),
        (("dice: 4 5 1", "unlawful", "4 d6", "wrong_dice_count"), ("claim: orc loses 2, barbarian loses 2", "miscounted", "barbarian loses 1", "miscounted"))),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_each_slip_of_a_messy_sheet_is_found_at_its_own_line(name: str) -> None:
    """Its verdict, what should stand there, and the code; every other line is lawful (QD-10, QD-11, QD-12)."""
    battle, changes, expected = CASES[name]
    found = [one for one in sheet(battle, *changes).verdicts if one.verdict != "lawful"]
    assert [(one.text, one.verdict) for one in found] == [(text, verdict) for text, verdict, _, _ in expected]
    for one, (_, _, due, code) in zip(found, expected, strict=True):
        assert due in one.expected
        assert code in one.codes
        assert one.sections


def test_there_are_more_than_forty_messy_sheets() -> None:
    """Among them several of each printed battle."""
    assert len(CASES) > 40
    assert {battle for battle, _, _ in CASES.values()} >= {"w7", "w8", "w9", "w10", "w11", "w12"}


def said(name: str, *changes: Change) -> dict[str, str]:
    """Return what is said of each line of which something is said."""
    return {one.text: one.message for one in sheet(name, *changes).verdicts if one.message}


def test_by_the_rules_is_said_only_of_what_follows_from_the_rules() -> None:
    """Where the table's own count led to a figure, that is said, and since which line; and what the rules say beside it."""
    wrong, units = ("claim: dwarf loses 3, orc loses 1", "claim: orc loses 2"), "claim: units orc OR_n 4"
    told = said("fern", wrong)
    assert told == {
        "claim: orc loses 2": "By the rules: orc loses 1. 1 hit in 4 3 6: dwarf defends at T.A.S. 3."
        " The game goes on by the rules."
    }
    told = said("fern", wrong, (units, "claim: units orc OR_n 3"))
    assert "fits only what the table recorded" in told["claim: orc loses 2"]
    assert (
        told["claim: units orc OR_n 3"]
        == "So the table has played it since line 7; by the rules: units orc OR_n 4."
    )
    round_one = ("claim: barbarian loses 1, orc loses 2", "claim: barbarian loses 1, orc loses 0")
    told = said(
        "w8",
        round_one,
        ("dice: 2 1", "dice: 2 1 6 6"),
        ("claim: units orc OR_n 1", "claim: units orc OR_n 2"),
    )
    last = told["claim: units orc OR_n 2"]
    assert "As the table has played it since line 7: units orc OR_n 3." in last
    assert "By the rules" not in last


def test_a_claim_before_its_dice_says_after_which_line_it_is_counted() -> None:
    """No dice are invented in place of those on the sheet (QD-10.6)."""
    told = said(
        "fern",
        ("dice: 4 3 6", "claim: orc loses 1\ndice: 4 3 6"),
        ("claim: dwarf loses 3, orc loses 1", "claim: dwarf loses 3"),
    )
    assert told == {
        "claim: orc loses 1": "It stands before the dice that it counts, and is counted after line 7."
    }


def test_dice_that_are_assumed_are_said() -> None:
    """In the log, too, somebody else than the table rolled them."""
    told = said(
        "big",
        ("dice: 1 6 6 6 4", "dice: 1 6 6 6"),
        ("claim: dwarf loses 1, orc loses 1", "claim: dwarf loses 1, orc loses 3"),
    )
    assert "as if 1 6 6 6 4 had been rolled" in told["dice: 1 6 6 6"]
    assert told["claim: dwarf loses 1, orc loses 3"].startswith(
        "By the rules: orc loses 1 or 2, whatever the dice showed that are missing."
    )


def test_a_misspelled_line_is_a_fault_of_the_sheet_whatever_else_is_wrong_in_it() -> None:
    """The line and the column; the wrong loss is judged when the line can be read."""
    with pytest.raises(BadSheet, match=r"nobody is called .dcie.; .*did you mean dice"):
        sheet("w8", ("dice: 3 4", "dcie: 3 4"), (ROUND, "claim: barbarian loses 1, orc loses 3"))
