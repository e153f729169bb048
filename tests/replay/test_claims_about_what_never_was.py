"""A wrong claim about what never was in play cites the sections that say what the claim is about, and no battle's."""

import pytest

from core.games import load
from replay.sheets.adjudicate import adjudicate
from replay.sheets.scoresheet import parse_sheet
from replay.sheets.verdicts import LAWFUL, MISCOUNTED

BATTLE = """\
game: dragonlords
seats: orc, dwarf
setup: turn orc combat
setup: units orc OR_k 6
setup: units dwarf OR_n 3
setup: gold OR_k 3

orc: attack OR_n from OR_k with 5
dice: 1 3 5 6 2
dice: 4 3 6
claim: dwarf loses 3, orc loses 1
"""


@pytest.mark.parametrize(
    ("claim", "sections"),
    (
        ("ships OR_se 1", ("QD-2.7", "QD-5.2")),
        ("held orc 1", ("QD-16.1",)),
        ("items orc 1 torch", ("QD-8.1", "QD-8.2")),
        ("items orc 1 potion, 1 elixir", ("QD-8.1", "QD-8.3", "QD-8.4")),
        ("spells orc.wizard.1 heal, panic", ("QD-14.4", "QD-15.1", "QD-15.6")),
        ("chip orc king OR_k", ("QD-1.4", "QD-3.5")),
        ("hoard orc 2", ("QD-6.11",)),
        ("fallen orc", ("QD-22.1",)),
        ("turn dwarf combat", ("QD-4.1",)),
    ),
)
def test_a_wrong_claim_of_what_never_was_in_play_cites_what_it_is_about(
    claim: str, sections: tuple[str, ...]
) -> None:
    """The battle before it has nothing to do with it."""
    verdict = adjudicate(parse_sheet(f"{BATTLE}claim: {claim}\n")).verdicts[-1]
    assert (verdict.verdict, verdict.sections) == (MISCOUNTED, sections)


def test_a_wrong_claim_of_what_the_battle_changed_cites_the_battle() -> None:
    """Whose units stand where is told by what happened there (QD-10.8)."""
    verdicts = adjudicate(parse_sheet(f"{BATTLE}claim: units orc OR_n 5\n")).verdicts
    assert [verdict.verdict for verdict in verdicts] == [LAWFUL] * 4 + [MISCOUNTED]
    assert "QD-10.8" in verdicts[-1].sections


def test_what_things_are_is_said_by_sections_that_there_are() -> None:
    """Each set-up fact cites sections or points of the rulebook."""
    rules = load("dragonlords")
    cited = {ref for fact in rules.setup for ref in fact.ABOUT}
    assert len(cited) >= 8
    assert all(rules.knows(ref) for ref in cited)
