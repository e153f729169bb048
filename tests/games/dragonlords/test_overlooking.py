"""What a table overlooks tells nobody what is hidden: neither that it was overlooked, nor why (LS-2.7)."""

from typing import Any

import pytest

from core.games.dragonlords import RULES
from core.games.dragonlords.land_combat import Attack, Fight
from core.games.dragonlords.position import ChipSet, SpellsSet, TurnSet, UnitsSet
from core.games.dragonlords.spell_users import Declare
from replay.outcomes import Accepted, Refused
from replay.session import Session
from replay.sheets.adjudicate import judge
from replay.sheets.scoresheet import parse_sheet
from replay.verifying.verify import verify_log
from tests.replay.engine import Memory

WIZARD, BLANK = "orc.wizard.1", "orc.blank"
GATE = (UnitsSet("orc", "T2", 5), UnitsSet("orc", "OR_k", 2), UnitsSet("elf", "T1", 3), TurnSet("orc"))


def at_the_gate(wizard: str, blank: str) -> Session:
    """Return Orcs who stand at a teleportal, with two chips face down, one here and one in the other place."""
    chips = (ChipSet("orc", WIZARD, wizard), ChipSet("orc", BLANK, blank))
    return Session.create(Memory(), RULES, game="gate", seats=("orc", "elf"), position=(*GATE, *chips))


def read_by(session: Session, seat: str | None) -> bytes:
    """Return all that a seat reads of a game."""
    return b"\n".join(line + repr(openings).encode() for line, openings in session.lines_as(seat))


@pytest.mark.parametrize("reader", ("elf", None))
def test_the_log_does_not_tell_that_nobody_lies_there_who_opens_a_teleportal(reader: str | None) -> None:
    """QD-H25: the twin games differ in which chip lies at the teleportal; where it is the wrong one, nothing is written."""
    with_wizard, without = at_the_gate("T2", "OR_k"), at_the_gate("OR_k", "T2")
    assert isinstance(with_wizard.submit("orc", Attack("T1", "T2", 2), overlook=True), Accepted)
    before = read_by(without, reader)
    answer = without.submit("orc", Attack("T1", "T2", 2), overlook=True)
    assert isinstance(answer, Refused)
    assert [reason.code for reason in answer.reasons] == ["no_gatekeeper", "not_overlooked"]
    assert read_by(without, reader) == before
    assert without.head.id == 1


def test_what_everybody_is_told_of_a_hidden_reason_is_the_same_whether_it_could_be_overlooked() -> None:
    """QD-H9: a wizard without Hope or Panic has nothing to declare, and the blank does not lie there: others hear no more than that."""

    def battle(wizard: str, blank: str) -> Session:
        at = Session.create(
            Memory(), RULES, game="battle", seats=("orc", "elf"),
            position=(
                UnitsSet("orc", "OR_k", 5), UnitsSet("orc", "OR_ne", 2), UnitsSet("elf", "OR_n", 3), UnitsSet("elf", "SC_k", 1),
                ChipSet("elf", "elf.wizard.1", wizard), SpellsSet("elf.wizard.1", ("heal",)), ChipSet("elf", "elf.king", blank),
                TurnSet("orc"),
            ),
        )  # fmt: skip
        assert isinstance(at.submit("orc", Attack("OR_n", "OR_k", 2)), Accepted)
        assert isinstance(at.submit("orc", Fight("OR_n")), Accepted)
        return at

    twins = battle("OR_n", "SC_k"), battle("SC_k", "OR_n")
    told: list[Any] = []
    for session in twins:
        answer = session.submit("elf", Declare(("elf.wizard.1",)), overlook=True, openly=True)
        assert isinstance(answer, Refused)
        told.append(([(reason.code, reason.text) for reason in answer.reasons], session.head.id))
    assert told[0] == told[1]
    assert [code for code, _ in told[0][0]] == ["hidden"]


def test_a_sheet_is_played_on_though_what_forbids_it_is_hidden_and_its_log_does_not_say_so() -> None:
    """A sheet was written by who saw all: its verdict names the reason, the log that is kept of it tells nobody."""
    judged = judge(
        parse_sheet(
            "game: dragonlords\nseats: orc, elf\nsetup: units orc T2 5; units elf T1 3; units elf OR_k 1\n"
            "setup: units orc SC_k 2\nsetup: chip orc orc.blank T2\nsetup: turn orc\norc: attack T1 from T2 with 2\n",
            "gate.score",
        )
    )
    (verdict,) = judged.report.verdicts
    assert (verdict.verdict, verdict.codes, verdict.told) == ("unlawful", ("no_gatekeeper",), True)
    log = judged.log("2026-01-01T00:00:00.000Z", lambda *_: b"salt" * 4)
    assert not [line for line in log.lines if b"no_gatekeeper" in line or b"Overlooked" in line]
    report = verify_log(RULES, log.lines, log.openings, log.head)
    assert report.grades == {"same": 1, "unlawful": 1}
