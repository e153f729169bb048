"""What may be left out of a sheet may be written, and is judged the same: battles on record, with all, none and some of it."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec import structs

from core.deciding import unasked
from core.seats import is_player
from replay.sheets.adjudicate import judge
from replay.sheets.filling import ends
from replay.sheets.scoresheet import Sheet, load_sheet, parse_sheet
from replay.sheets.verdicts import LAWFUL, Judgement
from replay.sheets.writing import write_line

RECORDS = Path(__file__).parents[2] / "fixtures" / "dragonlords"
SHEETS = sorted(path for path in RECORDS.glob("*/*.score") if path.parent.name != "older")
KEPT: dict[str, Callable[[Random], bool]] = {
    "all": lambda _: True,
    "none": lambda _: False,
    "some": lambda choose: choose.random() < 0.5,
    "others": lambda choose: choose.random() < 0.5,
}


def lines_of(judged: Judgement) -> Iterator[tuple[str, bool]]:
    """Yield what was told as lines of a sheet, with what went on by itself, each with whether it may be left out.

    The end of a phase that went by itself is written only where its seat acts later: else it would be taken for that of
    the phase which is open.
    """
    rules, told = judged.rules, judged.told
    needed = [place for place in range(1, len(told)) if not is_silence(judged, place)]
    acts = {told[place].seat: place for place in needed if not _ends(judged, place)}
    for place in range(1, len(told)):
        line = write_line(rules, told[place].seat, told[place].command)
        assert line
        yield line, place < needed[-1] and place not in needed
        for one in unasked(told[place - 1].decision.after, told[place].seat, told[place].command):
            text = write_line(rules, one.seat, one.command)
            if text and (not text.endswith(": end phase") or place < acts.get(one.seat, 0)):
                yield text, True


def _ends(judged: Judgement, place: int) -> bool:
    return ends(judged.told[place - 1].decision.after, judged.told[place].decision)


def is_silence(judged: Judgement, place: int) -> bool:
    """Return whether an entry is what no answer stands for: it ends no phase, and is no voyage home that must be made."""
    told, before = judged.told[place], judged.told[place - 1].decision.after
    asked = before.question
    if asked is None or asked.seats != (told.seat,) or not is_player(told.seat) or before.table.disputes:
        return False
    silent = before.state.agenda[-1].step.silence(before, told.seat) == told.command
    return silent and asked.kind != "transfer" and not _ends(judged, place)


def written(sheet: Sheet, judged: Judgement, keep: Callable[[], bool]) -> tuple[str, Judgement]:
    """Return the sheet with those lines that may be left out and are kept, and the judgement on it."""
    lines = "\n".join(line for line, may_go in lines_of(judged) if not may_go or keep())
    head = f"game: {sheet.rules.name}\nseats: {', '.join(sheet.position.seats)}\n"
    return lines, judge(replace(sheet, lines=parse_sheet(head + lines).lines))


def stands(judged: Judgement) -> Any:
    """Return what stands at the end and what is asked, whichever entries led there."""
    state = judged.after.state
    return structs.replace(state, agenda=()), [held.step for held in state.agenda]


@pytest.mark.parametrize("path", SHEETS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_what_may_be_left_out_may_be_written(path: Path) -> None:
    """Everything written, nothing of it, and some: every line is lawful, and the game comes to the same."""
    sheet = load_sheet(path)
    judged = judge(sheet)
    if not all(one.verdict == LAWFUL for one in judged.report.verdicts):
        pytest.skip("a sheet with faults")
    choose = Random(path.stem)
    for kept, chosen in KEPT.items():
        text, again = written(sheet, judged, lambda chosen=chosen: chosen(choose))  # type: ignore[misc]
        bad = [(one.text, one.message) for one in again.report.verdicts if one.verdict != LAWFUL]
        assert not bad, (kept, bad, text)
        assert stands(again) == stands(judged), (kept, text)


def verdicts_on(text: str) -> list[tuple[str, str]]:
    """Return the verdict on each line of a sheet, and what it says."""
    head, _, lines = text.partition("\n\n")
    sheet = parse_sheet(f"game: dragonlords\nseats: orc, dwarf\nsetup: units orc OR_k 6\n{head}\n{lines}")
    return [(one.verdict, one.message) for one in judge(sheet).report.verdicts]


def test_losses_that_leave_no_choice_may_be_written() -> None:
    """Once each, and as they were: another number is told apart, and the claims after it are judged all the same (QD-10.8)."""
    battle = (
        "setup: units dwarf OR_n 3\nsetup: turn orc combat\n\norc: attack OR_n from OR_k with 5\norc: fight\norc: declare\n"
        "dice: 1 3 5 6 2\ndice: 4 3 6\ndwarf: take losses {} unit\norc: take losses 1 unit\n"
        "claim: dwarf loses 3, orc loses 1\nclaim: units orc OR_n 4"
    )
    assert {verdict for verdict, _ in verdicts_on(battle.format(3))} == {LAWFUL}
    wrong = verdicts_on(battle.format(2))
    assert [verdict for verdict, _ in wrong].count(LAWFUL) == len(wrong) - 1
    assert wrong[5] == (
        "unlawful",
        "The rules left dwarf no choice: `dwarf: take losses 3 unit` was done by itself.",
    )
    twice = verdicts_on(battle.format(3).replace("orc: take", "dwarf: take losses 3 unit\norc: take"))
    assert [verdict for verdict, _ in twice].count(LAWFUL) == len(twice) - 1


PHASES = "setup: gold OR_k 10\nsetup: units dwarf OR_n 1\nsetup: units dwarf SV_k 3\nsetup: turn orc buy\n\n"


def test_every_phase_may_be_ended_by_a_line() -> None:
    """An end that is written is laid on the phase with which least is wrong; what was skipped is said (QD-4.1)."""
    turn = verdicts_on(
        f"{PHASES}orc: buy units 4\norc: end phase\norc: end phase\norc: end phase\norc: attack OR_n from OR_k with 5\n"
        "dice: 1 1 1 1 1\ndice: 6\norc: end phase\norc: transfer to OR_k from OR_n with 2\norc: end phase\n"
        "orc: place units 4 OR_k\nclaim: units orc OR_k 7\nclaim: gold OR_k 6"
    )
    assert {verdict for verdict, _ in turn} == {LAWFUL}
    assert "skipped, for there is nothing to choose in it: sea, quest" in turn[0][1].lower()
    assert ["sea" in turn[2][1], "quest" in turn[3][1]] == [True, True]


def test_gold_for_the_only_kingdom_may_be_written_as_stored() -> None:
    """It was stored by itself (QD-20.1); to store another sum is found wrong."""
    turn = f"{PHASES}orc: buy units 4\norc: end phase\norc: end phase\norc: store gold 5 OR_k\norc: place units 4 OR_k\nclaim: gold OR_k 5"
    assert {verdict for verdict, _ in verdicts_on(turn)} == {LAWFUL}
    assert [verdict for verdict, _ in verdicts_on(turn.replace("gold 5 OR_k\norc", "gold 6 OR_k\norc"))] == [
        *[LAWFUL] * 3, "unlawful", LAWFUL, LAWFUL,
    ]  # fmt: skip


def test_a_phase_may_be_ended_by_its_name_and_no_other_is() -> None:
    """`end combat` is taken as the prompt takes it: of the phase that is open, or of one that was skipped (QD-4.1)."""
    turn = (
        f"{PHASES}orc: buy units 4\norc: end buy\norc: end quest phase\norc: attack OR_n from OR_k with 5\n"
        "dice: 1 1 1 1 1\ndice: 6\norc: end combat\norc: transfer to OR_k from OR_n with 2\norc: end transfer"
    )
    assert {verdict for verdict, _ in verdicts_on(turn)} == {LAWFUL}
    other = verdicts_on(turn.replace("end combat", "end reinforce"))
    assert other[6] == ("unlawful", "Open is the combat phase of orc, not reinforce.")
