"""Tallies of a scoresheet: each loss is counted once, hits as soon as their dice have fallen, and no right claim is called wrong."""

import pytest

from replay.sheets.adjudicate import adjudicate
from replay.sheets.scoresheet import BadSheet, parse_sheet
from replay.sheets.verdicts import Verdict

FERNHOLLOW = """game: dragonlords
seats: orc, dwarf
setup: units orc OR_k 6
setup: units dwarf OR_n 3
setup: turn orc combat
orc: attack OR_n from OR_k with 5
dice: 4 4 3 5 6
"""
GOLDMERE = """game: dragonlords
seats: elf, orc
setup: units elf FM_s 5; chip elf elf.wizard.1 FM_s; spells elf.wizard.1 heal, fireball
setup: units orc G1 6; chip orc orc.wizard.1 G1; spells orc.wizard.1 heal, fireball, teleport
setup: units orc OR_k 2
setup: turn elf combat
elf: attack G1 from FM_s with 4 leading wizard
elf: cast fireball
dice: 1 2 3
"""
GATE = """game: dragonlords
seats: dwarf, orc
setup: units dwarf T2 6; chip dwarf dwarf.king T2
setup: units orc T1 3; units orc OR_k 3; units dwarf IH_s 2
setup: turn dwarf combat
dwarf: attack T1 from T2 with 5 through king
dice: 4 5 6 6 4
dice: 1 2 6
"""


def told(head: str, *lines: str) -> list[Verdict]:
    """Return the verdicts on the lines that stand after a head, all of which must be lawful."""
    verdicts = adjudicate(parse_sheet(head + "\n".join(lines))).verdicts
    own = len(verdicts) - len(lines)
    assert {one.verdict for one in verdicts[:own]} == {"lawful"}
    return list(verdicts[own:])


def verdicts(head: str, *lines: str) -> list[str]:
    return [one.verdict for one in told(head, *lines)]


@pytest.mark.parametrize("claim", ("orc loses 4", "orc loses 1"))
@pytest.mark.parametrize(
    "then", (("orc: flee wizard to OR_k", "dice: 3 4 5 5"), ("dice: 3 4 5 5 5",)), ids=("flight", "no flight")
)
def test_a_fireball_and_dice_add_up_before_the_defenders_roll(claim: str, then: tuple[str, ...]) -> None:
    """One Orc fell to the fireball and three dice hit: both what is told so far and what has fallen are right (QD-10.6, QD-15.2)."""
    assert set(verdicts(GOLDMERE, f"claim: {claim}", *then, "claim: elf loses 1")) == {"lawful"}


@pytest.mark.parametrize(("first", "second"), (("orc loses 4", 0), ("orc loses 1", 3)))
def test_what_a_claim_has_counted_ahead_is_not_counted_again(first: str, second: int) -> None:
    """After the defenders' dice only what the first claim left is still to be claimed, and that must be (QD-10.8)."""
    then = (f"claim: {first}", "dice: 3 4 5 5 5")
    assert verdicts(GOLDMERE, *then, f"claim: orc loses {second}, elf loses 1")[-1] == "lawful"
    wrong = told(GOLDMERE, *then, f"claim: orc loses {second + 1}, elf loses 1")
    assert [one.verdict for one in wrong] == ["lawful", "lawful", "miscounted"]
    assert wrong[-1].expected == f"orc loses {second}"


def test_hits_of_another_number_are_told_by_all_that_has_fallen() -> None:
    """The fireball and three hits make four."""
    wrong = told(GOLDMERE, "claim: orc loses 3", "dice: 3 4 5 5 5")[0]
    assert (wrong.verdict, wrong.expected) == ("miscounted", "orc loses 4")


def test_a_second_claim_of_one_loss_is_miscounted_and_the_first_stays_right() -> None:
    """One hit is one loss, claimed once: the later claim is accused, and no dice are invented (QD-10.8)."""
    for count, verdict in ((0, "lawful"), (1, "miscounted"), (2, "miscounted")):
        lines = told(FERNHOLLOW, "claim: dwarf loses 1", "dice: 6 5 4", f"claim: dwarf loses {count}")
        assert [one.verdict for one in lines] == ["lawful", "lawful", verdict]
        assert lines[-1].expected == ("dwarf loses 0" if count else "")
    both = ("claim: dwarf loses 1", "dice: 6 5 4", "claim: orc loses 0, dwarf loses 0")
    assert set(verdicts(FERNHOLLOW, *both)) == {"lawful"}


def test_no_loss_is_claimed_where_a_die_has_hit() -> None:
    """That the loss is told only after the defenders' roll does not make it none (QD-10.5, QD-10.6)."""
    first = told(FERNHOLLOW, "claim: dwarf loses 0", "dice: 6 5 4")[0]
    assert (first.verdict, first.expected) == ("miscounted", "dwarf loses 1")
    last = told(FERNHOLLOW, "dice: 3 5 4", "claim: orc loses 0")[-1]
    assert (last.verdict, last.expected) == ("miscounted", "orc loses 1")


def test_losses_still_to_be_taken_count_before_a_line_that_is_refused() -> None:
    """Two dice of the Orcs hit; that the Dwarves may not retreat from a teleportal does not undo it (QD-17.1, QD-2.6)."""
    lines = told(GATE, "claim: dwarf loses 2", "dwarf: retreat to T2")
    assert [one.verdict for one in lines] == ["lawful", "unlawful"]
    assert told(GATE, "claim: dwarf loses 1", "dwarf: retreat to T2")[0].expected == "dwarf loses 2"


def test_losses_that_are_written_after_the_claim_count_in_it() -> None:
    """Which units are lost may be written one line later than how many (QD-10.8)."""
    assert set(verdicts(GATE, "claim: dwarf loses 2", "dwarf: take losses 2 unit")) == {"lawful"}
    after = (
        "claim: dwarf loses 2",
        "dwarf: take losses 2 unit",
        "claim: dwarf loses 0",
        "claim: column dwarf T1 T2 3 0 teleport",
    )
    assert verdicts(GATE, *after)[:3] == ["lawful"] * 3


HRIMGARD = """game: dragonlords
seats: barbarian, elf, dwarf
setup: units barbarian FM_s 6; units barbarian G1 2; chip barbarian barbarian.king G1
setup: units elf FM_k 3; chip elf elf.king FM_k; gold FM_k 9
setup: units dwarf IH_k 3; chip dwarf dwarf.king IH_k
setup: turn barbarian combat
barbarian: attack Hrimgard from Palefold with 5
dice: 4 4 3 5 6
"""


def test_a_wrong_count_of_hits_cites_the_strength_that_made_them() -> None:
    """Fours do not hit in a kingdom: the T.A.S. of the Barbarians is 3 there (QD-10.3, QD-2.2), whoever takes the losses."""
    wrong = told(HRIMGARD, "claim: elf loses 3")[0]
    assert (wrong.verdict, wrong.expected) == ("miscounted", "elf loses 1")
    assert wrong.sections == ("QD-10.5", "QD-10.3", "QD-2.2")
    assert "1 hit in 4 4 3 5 6: barbarian attacks at T.A.S. 3." in wrong.message


def test_hits_that_are_counted_right_are_not_blamed() -> None:
    """Six hits on three Elves take three: as many as there are are lost, which is no matter of the strength (QD-10.8)."""
    wrong = told(HRIMGARD.replace("dice: 4 4 3 5 6", "dice: 1 1 3 2 1"), "dice: 6 5 4", "claim: elf loses 5")[
        -1
    ]
    assert (wrong.verdict, wrong.expected, wrong.sections) == ("miscounted", "elf loses 3", ("QD-10.8",))
    assert "T.A.S." not in wrong.message


def test_a_wrong_capture_is_no_matter_of_hits() -> None:
    """Only what dice bring about is told by them."""
    sea = """game: dragonlords
seats: elf, dwarf
setup: units elf S2 3; ships S2 2; units dwarf C3 3; ships C3 3; units elf FM_k 2
setup: turn elf sea
elf: sail C3 from S2 with 3
elf: fight C3
dice: 1 2 3
dice: 6 6 5
"""
    wrong = told(sea, "claim: elf captures 4")[0]
    assert (wrong.verdict, wrong.expected, wrong.sections) == ("miscounted", "elf captures 3", ("QD-11.5",))


FALLEN = (FERNHOLLOW, ("dice: 3 5 4",))
GOLD = """game: dragonlords
seats: barbarian, elf, dwarf
setup: units barbarian FM_s 6; units barbarian G1 2; chip barbarian king G1
setup: units elf FM_k 1; chip elf king FM_k; gold FM_k 9; units elf SV_k 3; units dwarf IH_k 3; chip dwarf king IH_k
setup: turn barbarian combat
barbarian: attack FM_k from FM_s with 5
dice: 1 1 1 5 6
"""
FLEETS = """game: dragonlords
seats: elf, dwarf
setup: units elf S2 3; ships S2 2; units dwarf C3 1; ships C3 1; units elf FM_k 2
setup: turn elf sea
elf: sail C3 from S2 with 3
elf: end phase
dice: 1 2 3
"""


@pytest.mark.parametrize(
    ("head", "lines", "right", "wrong"),
    (
        (*FALLEN, "dwarf loses 1 unit, orc loses 1 units", "dwarf loses 2 units"),
        (*FALLEN, "dwarf loses 1 Unit, 0 dragonlords", "dwarf loses 1 dragonlord"),
        (GOLD, ("dice: 5",), "barbarian gains 9 gold", "barbarian gains 8 gold"),
        (FLEETS, ("dice: 5",), "elf captures 1 ship", "elf captures 2 ships"),
        (FLEETS, ("dice: 5",), "dwarf loses 1 unit", "dwarf loses 0 units"),
    ),
)
def test_a_tally_counts_the_kind_that_it_names(
    head: str, lines: tuple[str, ...], right: str, wrong: str
) -> None:
    """In the singular and the plural; what is lost is all units, or those beside the DragonLords that are counted (LS-6.1)."""
    assert verdicts(head, *lines, f"claim: {right}")[-1] == "lawful"
    assert verdicts(head, *lines, f"claim: {wrong}")[-1] == "miscounted"


@pytest.mark.parametrize(
    ("claim", "said"),
    (
        ("dwarf loses 3 banana", r"8:22: 'banana' is nothing that 'loses' counts; expected one of: unit, dragonlord"),
        ("dwarf loses 3 dragonlrod", r"did you mean dragonlord"),
        ("orc gains 1 elixer", r"one of: .*gold.*; did you mean elixir"),
        ("orc captures 2 sheeps", r"one of: ship"),
    ),
)  # fmt: skip
def test_a_kind_that_no_such_claim_counts_is_a_fault_of_the_sheet(claim: str, said: str) -> None:
    """With the column, the kinds that there are, and the closest: nothing is answered with `0 banana`."""
    with pytest.raises(BadSheet, match=said):
        told(FERNHOLLOW, f"claim: {claim}")
