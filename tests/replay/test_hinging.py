"""Verdicts that hang on a point cite it: the table's own answer decided, or another would have."""

from typing import Any

import pytest

from core.deciding import Decision, Refused, decide, opening, refusals
from core.games.dragonlords import RULES
from core.kit.table import OpenGame
from core.seats import ARBITER, CHANCE
from core.telling import Moment
from replay.hinging import allowing, hinged, told_by
from replay.sheets.adjudicate import adjudicate, judge
from replay.sheets.scoresheet import load_sheet, parse_sheet
from replay.sheets.verdicts import Verdict
from tests.games.dragonlords.recorded import SHEETS

MAGIC = """game: dragonlords
{answer}seats: orc, elf
setup: turn orc; units orc OR_k 5; units elf OR_n 4
setup: chip orc orc.wizard.1 OR_k; spells orc.wizard.1 fireball
setup: chip elf elf.king OR_n; chip orc orc.king OR_k

orc: attack OR_n from OR_k with 4 leading orc.wizard.1
orc: fight
orc: cast fireball by orc.wizard.1
dice: {dice}
"""


def verdicts(text: str) -> dict[str, Verdict]:
    """Return the verdicts on a sheet by their lines."""
    return {verdict.text: verdict for verdict in adjudicate(parse_sheet(text)).verdicts}


def cast(dice: str, answer: str = "") -> Verdict:
    """Return the verdict on the attackers' dice where one of four units casts a spell in place of its die."""
    told = verdicts(MAGIC.format(dice=dice, answer=f"answer: {answer}\n" if answer else ""))
    return told[f"dice: {dice}"]


def test_dice_that_another_answer_would_allow_cite_the_point() -> None:
    """A spell attack replaces the die (QD-X61): a fourth die is void, and the answer that says so stands beside."""
    verdict = cast("1 6 6 6")
    assert verdict.verdict == "unlawful"
    assert "QD-X61" in verdict.sections
    assert verdict.answers["QD-X61"] == "replaces_die"


def test_dice_that_only_the_tables_own_answer_allows_cite_it() -> None:
    """Where the table ruled `extra`, four dice are lawful for that reason alone; an arbiter sees whose ruling it was."""
    verdict = cast("1 6 6 6", "X61 = extra")
    assert (verdict.verdict, verdict.sections, verdict.answers) == (
        "lawful", ("QD-X61",), {"QD-X61": "extra"},
    )  # fmt: skip
    short = cast("6 6 6", "X61 = extra")
    assert short.verdict == "unlawful"
    assert "QD-X61" in short.sections
    assert short.answers["QD-X61"] == "extra"


def test_a_lawful_line_cites_no_answer_that_is_the_usual_one() -> None:
    """Three dice under the usual answer: nobody's ruling decided. So at a table that ruled on something else."""
    assert cast("6 6 6").sections == ()
    assert cast("6 6 6", "X14 = added").sections == ()


def test_dice_that_no_answer_makes_right_cite_no_point() -> None:
    """Six dice are too many by every answer; of the points only that which changes how many are asked for is named."""
    verdict = cast("6 6 6 6 6 6")
    assert [ref for ref in verdict.sections if ref.startswith(("QD-X", "QD-H"))] == ["QD-X61"]
    text = MAGIC.format(dice="6 6 6", answer="").replace("units elf OR_n 4", "units elf OR_n 4\n")
    far = verdicts(text.replace("orc: attack OR_n from OR_k", "orc: attack G1 from OR_k"))
    attack = next(verdict for line, verdict in far.items() if line.startswith("orc: attack"))
    assert not [ref for ref in attack.sections if ref.startswith(("QD-X", "QD-H"))]


def test_a_claim_that_another_answer_makes_right_cites_the_point() -> None:
    """A kingdom earns 5 (QD-20.1), or 5 beside 1 where the table adds them (QD-X14): 6 gold are claimed."""
    sheet = """game: dragonlords
{answer}seats: orc, elf
setup: turn orc transfer; units orc OR_k 5; units elf AL_k 4
setup: chip elf elf.king AL_k; chip orc orc.king OR_k

orc: end phase
claim: gold OR_k 6
"""
    wrong = verdicts(sheet.format(answer=""))["claim: gold OR_k 6"]
    assert wrong.verdict == "miscounted"
    assert "QD-X14" in wrong.sections
    assert wrong.answers["QD-X14"] == "one_value"
    assert verdicts(sheet.format(answer="answer: X14 = added\n"))["claim: gold OR_k 6"].verdict == "lawful"
    other = verdicts(sheet.format(answer="").replace("6", "7"))["claim: gold OR_k 7"]
    assert "QD-X14" not in other.sections


def moment(answers: dict[str, str]) -> Moment[Any]:
    """Return the moment in which the Orcs' dice are asked for, one of whose four units has cast a spell."""
    lines = MAGIC.format(
        dice="6 6 6", answer="".join(f"answer: {key} = {held}\n" for key, held in answers.items())
    )
    told = judge(parse_sheet(lines)).told
    place = next(n for n, one in enumerate(told) if one.seat == CHANCE)
    return told[place - 1].decision.after


def test_to_ask_what_another_answer_would_say_changes_nothing() -> None:
    """The moment decides the same before and after, with the same answers and the same facts."""
    now = moment({})
    from core.kit.chance import AnswerRoll

    three, four = AnswerRoll((6, 6, 6)), AnswerRoll((6, 6, 6, 1))
    before, table = decide(now, CHANCE, three), now.table
    reasons = refusals(now, CHANCE, four)
    (told,) = hinged(now, CHANCE, four, reasons)
    assert told.because == (
        *reasons[0].because,
        *(ref for ref in ("QD-X61",) if ref not in reasons[0].because),
    )
    assert (told.code, told.text, told.waivable) == (reasons[0].code, reasons[0].text, reasons[0].waivable)
    assert allowing(now, CHANCE, three) == ()
    assert told_by(now, CHANCE, four, lambda _: True) == ("QD-X61",)
    after = decide(now, CHANCE, three)
    assert isinstance(before, Decision)
    assert isinstance(after, Decision)
    assert (after.facts, now.table) == (before.facts, table)


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda path: path.stem)
def test_what_a_verdict_cites_is_known_and_answered(sheet: Any) -> None:
    """Each section cited exists, each point among them has the answer that was in force; a lawful line cites points alone."""
    read = load_sheet(sheet)
    for verdict in adjudicate(read).verdicts:
        assert all(map(RULES.knows, verdict.sections))
        points = {ref for ref in verdict.sections if ref in RULES.rulebook.points}
        assert set(verdict.answers) == points
        if verdict.verdict == "lawful":
            assert points == set(verdict.sections)
            assert all(verdict.answers[ref] != RULES.rulebook.defaults[ref] for ref in points)


def test_an_opening_hangs_on_nothing() -> None:
    """What the table does is no matter of a game's points."""
    command: OpenGame[Any] = OpenGame("g", "dragonlords", ("orc",))
    refused = decide(opening(RULES), ARBITER, command)
    assert isinstance(refused, Refused)
    assert hinged(opening(RULES), ARBITER, command, refused.reasons) == refused.reasons
