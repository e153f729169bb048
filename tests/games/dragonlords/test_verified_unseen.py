"""Verifying without the openings of others: what was lawfully played is accused of nothing, whoever looks.

It holds what `replay.verifying.hiding` rests on against every recorded game and against games that bots play out.
"""

from collections.abc import Callable
from pathlib import Path

import pytest

from core.games.dragonlords import RULES
from events.jsonl import read_log
from events.seals import for_seat
from replay.simulating import Plan, game_name, simulate_one
from replay.verifying.report import Report
from replay.verifying.verify import verify_log

RECORDED = Path(__file__).parents[3] / "fixtures" / "dragonlords"
LOGS = sorted(RECORDED.glob("*/*.jsonl"))
ALLIES = ("orc", "elf", "dwarf", "barbarian")
PLANS = (
    Plan("dragonlords", "unseen", bots=("sensible", "random"), most=700),
    Plan("dragonlords", "unseen", ALLIES, ("sensible",), (("armies", "two"),), 700),
    Plan("dragonlords", "unseen", ALLIES, ("random",), (("armies", "two"), ("length", "long")), 700),
    Plan("dragonlords", "unseen", bots=("random",), options=(("length", "short"),), most=700),
    Plan(
        "dragonlords", "unseen", bots=("sensible",), options=(("length", "long"),), most=700, dice="scripted"
    ),
    Plan("dragonlords", "unseen", ("orc", "elf"), ("sensible", "random"), most=700),
)
GAMES = 8
"""How many games of each plan a full run plays."""


def check(path: Path) -> int:
    """Check a log with all openings and with those of each reader; return how many entries nobody could know for one."""
    log = read_log(path)
    whole = verify_log(RULES, log.lines, log.openings, log.head, all=True)
    readers = ("", *sorted({seat for opening in log.openings for seat in opening.to}))
    unknown = 0
    for reader in readers:
        seen = verify_log(RULES, log.lines, for_seat(log.openings, reader), log.head, all=True)
        assert _at(seen) <= _at(whole), f"{path.stem}, seen by {reader or 'a spectator'}: {seen.lawful}"
        assert (seen.lawful.ok is False) <= (whole.lawful.ok is False), seen.lawful
        assert seen.folds_to == whole.folds_to
        unknown += seen.grades.get("cannot_be_known", 0)
    return unknown


def _at(report: Report) -> set[int]:
    return {finding.entry for finding in report.lawful.findings}


@pytest.mark.parametrize("path", LOGS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_recorded_game_is_accused_of_nothing_by_who_does_not_see_all(path: Path) -> None:
    """A spectator and each seat find nothing but what is found with all openings: what is hidden accuses nobody (QD-3.5)."""
    check(path)


@pytest.mark.parametrize("plan", PLANS, ids=lambda plan: f"{plan.options}{plan.bots}{len(plan.seats)}")
def test_games_played_out_are_accused_of_nothing_by_who_does_not_see_all(
    plan: Plan, rounds: Callable[[int], int], tmp_path: Path
) -> None:
    """The same of whole games in every variant, in which something is hidden from everybody (QD-3.5, QD-23)."""
    for number in range(1, rounds(GAMES) + 1):
        simulate_one(plan, number, tmp_path)
        assert check(tmp_path / f"{game_name(plan, number)}.jsonl") > 0
