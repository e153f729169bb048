"""Dice beyond those asked for are void and buy nothing: no roll is invented beside them that makes a claim right."""

import pytest

from replay.sheets.adjudicate import adjudicate
from replay.sheets.scoresheet import parse_sheet
from replay.sheets.verdicts import Verdict

LAND = """game: dragonlords
seats: orc, dwarf
setup: units orc OR_k 6; units dwarf OR_n 3; turn orc combat
orc: attack OR_n from OR_k with 5
"""
W8 = """game: dragonlords
seats: orc, barbarian
setup: units orc OR_k 5; units barbarian OR_n 2; turn orc combat
orc: attack OR_n from OR_k with 4
"""
SNEAK = """game: dragonlords
seats: elf, orc
setup: units elf SV_nw 5; units orc OR_ne 3; turn elf combat
elf: sneak attack OR_ne from SV_nw with 4
"""
SEA = """game: dragonlords
seats: elf, dwarf
setup: units elf C3 3; ships C3 2; units dwarf D3 3; ships D3 1; turn elf sea
elf: sail S3, D3 from C3 with 3
elf: end phase
"""
QUEST = """game: dragonlords
seats: dwarf, orc
setup: units dwarf FM_n 7; units dwarf FM_k 1; items dwarf 1 torch, 1 pickaxe; units orc OR_k 3; turn dwarf quest
dwarf: send party from FM_n with 6 taking 1 torch
dice: 2
card: Q01
dice: red
dice: 5
"""
FLIGHT = """game: dragonlords
seats: orc, elf
setup: units orc OR_k 8; units elf OR_n 6; chip elf wizard OR_n; spells elf.wizard.1 heal, teleport; units elf G1 1
setup: turn orc combat
orc: attack OR_n from OR_k with 7
dice: 1 1 2 2 4 4 6
elf: flee wizard to G1
"""
BERSERK = """game: dragonlords
seats: orc, elf
setup: units orc OR_k 4; chip orc wizard OR_k; hand orc berserk
setup: units elf SV_k 6; chip elf king SV_k; units orc SV_nw 5; chip orc wizard 2 SV_nw; turn orc combat
orc: attack SV_k from SV_nw with 4 leading wizard 2
orc: read scroll berserk in SV_k by wizard 2 against elf
elf: protect king
"""
LAIR = """game: dragonlords
seats: orc, elf
setup: turn orc quest; units orc OR_k 4; units elf FM_k 4; chip orc orc.king OR_k; chip elf elf.king FM_k
setup: units orc WT02 3; held elf 24; hoard elf 12; items orc 1 torch, 1 pickaxe in WT02
orc: move party WT02
dice: 1
orc: travel to WT03
card: Q12
dice: red
"""
Accused = tuple[tuple[str, str], ...]

CASES: dict[str, tuple[str, tuple[str, ...], Accused]] = {
    "a fourth die of three defenders hits": (
        LAND, ("dice: 1 3 5 6 2", "dice: 4 3 6 1", "claim: dwarf loses 3, orc loses 2", "claim: units orc OR_n 3"),
        (("dice: 4 3 6 1", "3 d6"), ("claim: dwarf loses 3, orc loses 2", "orc loses 1"), ("claim: units orc OR_n 3", "units orc OR_n 4"))),
    "two dice more": (
        LAND, ("dice: 1 3 5 6 2", "dice: 4 3 6 5 1", "claim: orc loses 2", "claim: units orc OR_n 3"),
        (("dice: 4 3 6 5 1", "3 d6"), ("claim: orc loses 2", "orc loses 1"), ("claim: units orc OR_n 3", "units orc OR_n 4"))),
    "those who are dead stand": (
        LAND, ("dice: 1 3 5 6 2", "dice: 4 3 6 5", "claim: units dwarf OR_n 3"),
        (("dice: 4 3 6 5", "3 d6"), ("claim: units dwarf OR_n 3", "units orc OR_n 4"))),
    "a sixth die of five attackers wins the place": (
        LAND, ("dice: 1 1 6 6 6 1", "dice: 6 6 6", "claim: dwarf loses 3", "claim: units orc OR_n 5"),
        (("dice: 1 1 6 6 6 1", "5 d6"), ("claim: dwarf loses 3", "dwarf loses 2"), ("claim: units orc OR_n 5", "column orc OR_n OR_k 5"))),
    "and what is done as if it had been won is not lawful either": (
        LAND, ("dice: 1 1 6 6 6 1", "dice: 6 6 6", "claim: units orc OR_n 5", "orc: end phase"),
        (("dice: 1 1 6 6 6 1", "5 d6"), ("claim: units orc OR_n 5", "column orc OR_n OR_k 5"), ("orc: end phase", "orc: go on"))),
    "the dead roll in the second round": (
        W8, ("dice: 5 5 6 3", "dice: 3 4", "dice: 2 1", "dice: 2 2", "claim: units barbarian OR_n 1"),
        (("dice: 2 2", "1 d6"), ("claim: units barbarian OR_n 1", "units orc OR_n 1"))),
    "a die more in the second round": (
        W8, ("dice: 5 5 6 6", "dice: 3 4", "dice: 2 1", "dice: 2 2 1", "claim: units barbarian OR_n 2"),
        (("dice: 2 2 1", "2 d6"), ("claim: units barbarian OR_n 2", "units barbarian OR_n 0"))),
    "the defenders roll by stealth": (
        SNEAK, ("dice: 3 4 2 6", "dice: 1 2 6", "claim: orc loses 2, elf loses 2", "claim: units elf SV_nw 3"),
        (("dice: 1 2 6", "elf: "), ("claim: orc loses 2, elf loses 2", "elf loses 0"), ("claim: units elf SV_nw 3", "units elf SV_nw 5"))),
    "a fourth die of three at sea": (
        SEA, ("dice: 1 2 3", "dice: 3 6 5 1", "claim: dwarf loses 3, elf loses 2", "claim: units elf D3 1"),
        (("dice: 3 6 5 1", "3 d6"), ("claim: dwarf loses 3, elf loses 2", "elf loses 1"), ("claim: units elf D3 1", "units elf D3 2"))),
    "a sixth die of five on a quest": (
        QUEST, ("dice: 4 4 5 6 10 2", "claim: gold FM_k 7", "claim: units dwarf WT02 5"),
        (("dice: 4 4 5 6 10 2", "5 d10"), ("claim: gold FM_k 7", "gold FM_k 0"), ("claim: units dwarf WT02 5", "units dwarf WT02 6"))),
    "who has fled rolls": (
        FLIGHT, ("dice: 5 5 5 5 5 1", "claim: orc loses 1"),
        (("dice: 5 5 5 5 5 1", "5 d6"), ("claim: orc loses 1", "orc loses 0"))),
    "dice of a scroll that took no effect": (
        BERSERK, ("dice: 1 2 3 4 5 6", "claim: elf loses 3"),
        (("dice: 1 2 3 4 5 6", "4 d6"), ("claim: elf loses 3", "elf loses 2"))),
    "dice of a scroll that took no effect, and what stands after them": (
        BERSERK, ("dice: 1 2 3 4 5 6", "claim: units elf SV_k 3"),
        (("dice: 1 2 3 4 5 6", "4 d6"), ("claim: units elf SV_k 3", "units elf SV_k 6"))),
    "a second die of a monster that has one": (
        LAIR, ("dice: 6 1", "claim: orc loses 2", "claim: units orc WT03 1"),
        (("dice: 6 1", "1 d6"), ("claim: orc loses 2", "orc loses 1"), ("claim: units orc WT03 1", "units orc WT03 2"))),
    "a stray roll before the one that was asked for": (
        LAND, ("dice: 1 3 5 6 2", "dice: 1 1 1 1", "dice: 4 3 6", "claim: dwarf loses 3, orc loses 1"),
        (("dice: 1 1 1 1", "3 d6"),)),
    "a stray roll that is claimed fell first, and the roll after it was not asked for": (
        LAND, ("dice: 1 3 5 6 2", "dice: 1 1 1 1", "dice: 4 3 6", "claim: dwarf loses 3, orc loses 3"),
        (("dice: 1 1 1 1", "3 d6"), ("dice: 4 3 6", "orc: "))),
    "the last roll once more, which nobody asked for": (
        LAND, ("dice: 1 3 5 6 2", "dice: 4 3 6", "dice: 4 3 6", "claim: orc loses 2", "claim: units orc OR_n 3"),
        (("dice: 4 3 6", "orc: "), ("claim: orc loses 2", "orc loses 1"), ("claim: units orc OR_n 3", "units orc OR_n 4"))),
    "other dice after the last roll": (
        LAND, ("dice: 1 3 5 6 2", "dice: 4 3 6", "dice: 2 2", "claim: orc loses 2", "claim: units orc OR_n 3"),
        (("dice: 2 2", "orc: "), ("claim: orc loses 2", "orc loses 1"), ("claim: units orc OR_n 3", "units orc OR_n 4"))),
}  # fmt: skip


def accused(head: str, *lines: str) -> list[Verdict]:
    """Return what is not lawful in a sheet."""
    return [
        one for one in adjudicate(parse_sheet(head + "\n".join(lines))).verdicts if one.verdict != "lawful"
    ]


@pytest.mark.parametrize("name", CASES)
def test_what_void_dice_made_is_wrong(name: str) -> None:
    """The dice are told with their rule, and so is each claim that counts them (QD-10.5, QD-10.6)."""
    head, lines, expected = CASES[name]
    found = accused(head, *lines)
    assert [one.text for one in found] == [text for text, _ in expected]
    for one, (_, due) in zip(found, expected, strict=True):
        assert due in one.expected
        assert one.sections
        assert "as if" not in one.message
        assert one.verdict == ("miscounted" if one.text.startswith("claim") else "unlawful")


def test_what_follows_only_from_void_dice_is_followed_and_called_wrong() -> None:
    """The table played on with a unit less: the acts after it are not accused, the figures are (QD-10.6)."""
    found = accused(
        LAND.replace("dwarf OR_n 3", "dwarf OR_n 8"),
        "dice: 6 6 6 6 6",
        "dice: 6 6 6 6 6 6 6 6 1",
        "claim: orc loses 1",
        "claim: column orc OR_n OR_k 4",
        "dice: 6 6 6 6",
        "dice: 6 6 6 6 6 6 6 6",
        "dice: 6 6 6 6",
        "dice: 6 6 6 6 6 6 6 6",
    )
    assert [(one.text, one.expected) for one in found[1:]] == [
        ("claim: orc loses 1", "orc loses 0"),
        ("claim: column orc OR_n OR_k 4", "column orc OR_n OR_k 5"),
    ]
    assert "fits only what the table recorded" in found[2].message
