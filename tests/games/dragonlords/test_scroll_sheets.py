"""A turn full of scrolls as a table writes it down: every line is lawful, and what is claimed has followed (QD-16)."""

from pathlib import Path
from typing import Any

import pytest

from core.games.dragonlords import RULES
from core.games.dragonlords.decks import deck_data
from core.games.dragonlords.position import HandSet
from core.games.dragonlords.scroll_book import SCROLLS
from core.games.dragonlords.scrolls import ReadScroll
from core.games.dragonlords.treasures import TREASURES
from replay.sheets.adjudicate import adjudicate, judge
from replay.sheets.position import check_position, load_position
from replay.sheets.scoresheet import load_sheet, parse_sheet, write_sheet
from replay.words.names import unknown_words

SHEET = Path(__file__).parents[3] / "fixtures" / "dragonlords" / "scrolls" / "evening.score"


def test_an_evening_of_scrolls_is_lawful_and_its_claims_are_right() -> None:
    """Ship, Legion, Clairvoyance, two elementals, a shield, Reflect, Berserk and Tempest (QD-16.2 to QD-16.9, QD-7.6)."""
    assert check_position(load_position(SHEET.with_suffix(".toml"))) == ()
    report = adjudicate(load_sheet(SHEET))
    assert [one for one in report.verdicts if one.verdict != "lawful"] == []
    assert report.ok


def test_an_evening_of_scrolls_written_from_its_log_is_the_same_evening() -> None:
    """Readers, places, targets and answers survive being written down and read again."""
    judged = judge(load_sheet(SHEET))
    again = judge(parse_sheet(write_sheet(judged.rules, judged.entries("2026-01-01T00:00:00Z"))))
    assert [one.command for one in again.told[1:]] == [one.command for one in judged.told[1:]]
    assert [one.facts for one in again.told[1:]] == [one.facts for one in judged.told[1:]]


@pytest.mark.parametrize(
    ("old", "new", "verdict", "section"),
    (
        ("ship in SV_se", "ship in OR_k", "unlawful", "QD-16.6"),
        ("with 3\n", "with 6\n", "unlawful", "QD-16.7"),
        ("clairvoyance in OR_k", "clairvoyance in SV_k", "unlawful", "QD-16.1"),
        ("against elf", "against orc", "unlawful", "QD-16.9"),
        ("summon_elemental.wind in AL_k", "summon_elemental.water in AL_k", "unlawful", "QD-16.1"),
        ("protect invincible_shield", "protect dragon_shield", "unlawful", "QD-H9"),
        ("reflect by elf.king", "reflect by elf.wizard.1", "unlawful", "QD-16.3"),
        ("berserk in SV_k", "legion in SV_k by orc.wizard.1 with 2", "unlawful", "QD-16.1"),
        ("berserk in SV_k", "berserk in OR_k", "unlawful", "QD-16.1"),
        ("dice: 1 3 6 2 5 4", "dice: 1 3 6 2 5 4 1", "unlawful", "QD-16.4"),
        ("elf loses 3", "elf loses 4", "miscounted", "QD-16.4"),
        ("tempest in SV_k by elf.wizard.1", "tempest in SV_k by elf.king", "unlawful", "QD-16.1"),
    ),
)
def test_one_slip_in_an_evening_of_scrolls_is_found_with_its_section(
    old: str, new: str, verdict: str, section: str
) -> None:
    """The line that is not right is found, and which rule says so."""
    text = SHEET.read_text(encoding="utf-8")
    assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in the sheet"
    report = adjudicate(parse_sheet(text.replace(old, new), SHEET))
    found = [one for one in report.verdicts if one.verdict not in ("lawful", "unknowable")]
    assert any(one.verdict == verdict and section in one.sections for one in found), found


@pytest.mark.parametrize(
    ("value", "said"),
    (
        (ReadScroll("infernall", "OR_k"), "There is no scroll infernall; did you mean infernal?"),
        (ReadScroll("Legoin", "OR_k"), "There is no scroll Legoin; did you mean legion?"),
        (HandSet("orc", ("reflekt", "?")), "There is no scroll reflekt; did you mean reflect?"),
        (HandSet("orc", ("summon_elemental.wind",)), ""),
        (ReadScroll("clairvoyance", "OR_k"), ""),
    ),
)
def test_a_misspelled_scroll_is_answered_with_the_one_that_was_meant(value: Any, said: str) -> None:
    """Names of scrolls are names of the game like those of places and chips (QD-16.1); `?` is a card that nobody saw."""
    assert unknown_words(RULES, value) == said


def test_what_scrolls_do_is_what_their_cards_say() -> None:
    """Dice, what stops them and how many a Legion brings stand in the data; the six others are acts of their own (QD-16)."""
    effects = {card["kind"]: card for card in deck_data()["scroll_cards"]}
    assert set(effects) == set(SCROLLS)
    for kind, scroll in SCROLLS.items():
        (effect,) = effects[kind]["effect"]
        assert scroll.die == (f"d{effect['die']}" if scroll.harms else "")
        assert set(scroll.stopped_by) == {
            name for name in effects[kind].get("blocked_by", ()) if name in TREASURES
        }
        assert scroll.harms == effects[kind].get("reflectable", False)
    others = {effects[kind]["effect"][0]["op"] for kind, scroll in SCROLLS.items() if not scroll.harms}
    assert others <= set(deck_data()["ops"])


SETUP = """game: dragonlords
seats: orc, elf
card: {orc}
card: {elf}
dice: blue
dice: yellow
elf: claim OR_k
orc: claim SC_k
elf: claim G1
"""
"""The setup, at which each player is dealt a scroll (QD-3.1)."""


@pytest.mark.parametrize(
    ("orc", "elf", "taken"),
    (
        ("reflct", "berserk", {3: "reflect"}),
        ("reflect", "Beserk", {4: "berserk"}),
        ("reflct", "beserk", {3: "reflect", 4: "berserk"}),
        ("the big one", "legion", {3: "?"}),
        ("tempst", "zzz", {3: "tempest", 4: "?"}),
    ),
)
def test_a_misspelt_card_is_found_at_its_own_line_and_accuses_none_after_it(
    orc: str, elf: str, taken: dict[int, str]
) -> None:
    """The likely name is said and taken; where there is none, the card is one that nobody recorded (LS-4.3)."""
    report = adjudicate(parse_sheet(SETUP.format(orc=orc, elf=elf)))
    wrong = {one.line: one for one in report.verdicts if one.verdict != "lawful"}
    assert wrong.keys() == taken.keys()
    for line, card in taken.items():
        assert wrong[line].codes == ("no_such_card",)
        assert f"as if `card: {card}` had been written" in wrong[line].message
        assert wrong[line].alternatives == ((f"card: {card}",) if card != "?" else ())
