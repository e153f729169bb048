"""The battles that the booklet of Quest for the DragonLords prints with every die: as printed, and with one slip each."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from replay.sheets.adjudicate import adjudicate, judge
from replay.sheets.position import check_position, load_position
from replay.sheets.scoresheet import BadSheet, Claimed, Said, load_sheet, parse_sheet, write_sheet
from replay.sheets.verdicts import Report, Verdict

BOOK = Path(__file__).parents[2] / "fixtures" / "dragonlords" / "rulebook"
SHEETS = ("w7", "w8", "w9", "w10", "w11", "w11_legion", "w12")


def text_of(name: str) -> str:
    """Return a printed battle as its sheet has it."""
    return (BOOK / f"{name}.score").read_text(encoding="utf-8")


def told(name: str, *changes: tuple[str, str]) -> Report:
    """Return the report on a printed battle in which some lines read otherwise; each must be there once."""
    text = text_of(name)
    for old, new in changes:
        assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {name}"
        text = text.replace(old, new)
    return adjudicate(parse_sheet(text, BOOK / f"{name}.score"))


def slips(report: Report) -> list[Verdict]:
    """Return the verdicts that are not lawful."""
    return [one for one in report.verdicts if one.verdict != "lawful"]


@pytest.mark.parametrize("name", SHEETS)
def test_every_printed_battle_opens_from_its_position(name: str) -> None:
    """Each position can stand by the rules."""
    assert check_position(load_position(BOOK / f"{name}.toml")) == ()


@pytest.mark.parametrize("name", ("w7", "w8", "w9", "w10", "w12"))
def test_the_printed_battles_are_lawful_and_their_losses_right(name: str) -> None:
    """W7 to W10, W12: every die that is printed is due, every loss that is printed follows, and so do the ships (QD-11.5)."""
    report = adjudicate(load_sheet(BOOK / f"{name}.score"))
    assert report.ok
    assert slips(report) == []


@pytest.mark.parametrize("name", ("w11", "w11_legion"))
def test_w11_has_one_die_too_many(name: str) -> None:
    """W11, with its Legion scroll (QD-16.7) or from after it: who flees does not roll (QD-10.7, QD-X6), so the third die is void."""
    (slip,) = slips(adjudicate(load_sheet(BOOK / f"{name}.score")))
    assert (slip.text, slip.verdict, slip.sections) == ("dice: 6 2 4", "unlawful", ("QD-10.7", "QD-X6"))
    assert (slip.expected, slip.recorded, slip.alternatives) == ("2 d6", "3 d6: 6 2 4", ("dice: 6 2",))


def test_w11_where_the_table_lets_him_roll_and_flee_is_lawful() -> None:
    """QD-X6 answered as the booklet plays it: the third die is due."""
    assert told("w11", ("position: w11.toml", "position: w11.toml\nanswer: X6 = rolls_and_flees")).ok


def test_w11_where_a_spell_is_extra_lacks_a_die() -> None:
    """QD-X61: the wizard who throws a fireball would roll too, and two dice are too few for three Barbarians."""
    report = told("w11", ("position: w11.toml", "position: w11.toml\nanswer: X61 = extra"))
    first = slips(report)[0]
    assert (first.text, first.verdict, first.codes) == ("dice: 5 3", "unlawful", ("wrong_dice_count",))
    assert "QD-10.5" in first.sections


@pytest.mark.parametrize(
    ("name", "old", "new", "verdict", "section"),
    (
        ("w8", "dice: 5 5 6 3 ", "dice: 5 5 6 3 1 ", "unlawful", "QD-10.5"),
        ("w8", "dice: 3 4 ", "dice: 3 4 4 ", "unlawful", "QD-10.6"),
        ("w8", "barbarian loses 1, orc loses 2", "barbarian loses 1, orc loses 1", "miscounted", "QD-10.3"),
        ("w8", "barbarian loses 1, orc loses 2", "barbarian loses 1, orc loses 3", "miscounted", "QD-10.3"),
        ("w8", "units orc OR_n 1", "units orc OR_n 2", "miscounted", "QD-10.8"),
        ("w8", "from OR_k with 4", "from OR_k with 5", "unlawful", "QD-10.2"),
        ("w8", "from OR_k with 4", "from OR_k with 6", "unlawful", "QD-10.2"),
        ("w8", "orc: attack OR_n from OR_k", "barbarian: attack OR_k from OR_n", "unlawful", "QD-10.1"),
        ("w8", "attack OR_n", "attack FM_n", "unlawful", "QD-10.2"),
        ("w7", "sail N2, N3 from", "sail N2, N4 from", "unlawful", "QD-5.1"),
        ("w7", "with 4 aboard 2", "with 1 aboard 2", "unlawful", "QD-5.1"),
        ("w7", "ships N3 3", "ships N3 4", "miscounted", "QD-11.5"),
        ("w9", "sail C3 from S2 with 3", "sail C3 from S2 with 4", "unlawful", "QD-5.1"),
        ("w9", "sail C3 from S2", "sail C3, C2 from S2", "unlawful", "QD-5.6"),
        ("w9", "dice: 6 2 3 ", "dice: 6 2 3 3 ", "unlawful", "QD-10.5"),
        ("w9", "dice: 3 6 5 ", "dice: 3 ", "unlawful", "QD-10.6"),
        ("w9", "dwarf loses 2, elf loses 1", "dwarf loses 2, elf loses 2", "miscounted", "QD-10.3"),
        ("w9", "elf captures 1", "elf captures 2", "miscounted", "QD-11.5"),
        ("w10", "elf: sneak attack", "orc: sneak attack", "unlawful", "QD-12.1"),
        ("w10", "dice: 3 4 2 6 ", "dice: 3 4 2 6\ndice: 1 1 ", "unlawful", "QD-10.1"),
        ("w10", "units elf FM_s 5", "units elf FM_s 4", "miscounted", "QD-12.4"),
        ("w10", "claim: units elf FM_s 5", "elf: attack G1 from FM_s with 2", "unlawful", "QD-12.4"),
        ("w11", "elf: flee elf.wizard.1 to AL_n", "elf: flee elf.wizard.1 to OR_k", "unlawful", "QD-10.7"),
        ("w11", "elf: flee elf.wizard.1 to AL_n", "elf: flee elf.wizard.2 to AL_n", "unlawful", "QD-10.7"),
        ("w11", "dice: 4 6 5 4 6 6", "dice: 4 6 5 4 6 6 1", "unlawful", "QD-10.6"),
        ("w12", "dice: 5 5 6 2 3 ", "dice: 5 5 6 2 ", "unlawful", "QD-10.5"),
        ("w12", "dice: 3 2 3 5 ", "dice: 3 2 3 7 ", "unlawful", "LS-4.2"),
        ("w12", "gold FM_k 7", "gold FM_k 8", "miscounted", "QD-2.2"),
        ("w12", "claim: elf falls", "claim: barbarian falls", "miscounted", "QD-10.6"),
    ),
)  # fmt: skip
def test_one_slip_in_a_printed_battle_is_found_at_its_line(
    name: str, old: str, new: str, verdict: str, section: str
) -> None:
    """The first line that is not right is the one that was changed, with the section that says so."""
    report = told(name, (old, new))
    first = slips(report)[0]
    assert first.verdict == verdict
    assert new.splitlines()[-1].strip() in f"{first.text} " or new.strip() in first.text
    assert section in first.sections
    assert not report.ok


def test_a_claim_that_is_off_by_one_does_not_hide_the_next() -> None:
    """The table lost one Orc less (QD-10.8): the state follows it, so that the second round has a die more."""
    report = told(
        "w8",
        ("claim: barbarian loses 1, orc loses 2", "claim: barbarian loses 1, orc loses 1"),
        ("dice: 2 1 ", "dice: 2 1 6 "),
        ("units orc OR_n 1", "units orc OR_n 2"),
    )
    (slip,) = slips(report)
    assert (slip.verdict, slip.expected, slip.told) == ("miscounted", "orc loses 2", True)


def test_a_roll_that_nobody_wrote_down_is_missed_where_the_claims_need_it() -> None:
    """The Barbarians' dice are not on the sheet (QD-10.6); the losses tell of them, so all that follows is judged."""
    (slip,) = slips(told("w8", ("dice: 3 4 ", "# ")))
    assert (slip.text, slip.verdict) == ("claim: barbarian loses 1, orc loses 2", "unlawful")
    assert (slip.expected, slip.codes) == ("dice: 2 d6 of barbarian for defence", ("dice_missing",))
    assert "QD-10.6" in slip.sections


def test_what_is_forbidden_but_played_goes_on_as_the_table_played_it() -> None:
    """All five Orcs left (QD-10.2): it is unlawful, told all the same, and five dice are due."""
    report = told("w8", ("from OR_k with 4", "from OR_k with 5"), ("dice: 5 5 6 3 ", "dice: 5 5 6 3 6 "), ("dice: 2 1 ", "dice: 2 1 6 "),
                  ("units orc OR_n 1", "units orc OR_n 2"))  # fmt: skip
    (slip,) = slips(report)
    assert (slip.verdict, slip.told) == ("unlawful", True)
    assert slip.alternatives[0] == "orc: attack OR_n from OR_k with 4"


@pytest.mark.parametrize("name", SHEETS)
def test_a_printed_battle_written_from_its_log_is_the_same_battle(name: str) -> None:
    """Every command, those of silence too, decides to the same facts; no line is void in what was played."""
    judged = judge(load_sheet(BOOK / f"{name}.score"))
    again = judge(parse_sheet(write_sheet(judged.rules, judged.entries("2026-01-01T00:00:00Z"))))
    assert slips(again.report) == []
    assert [one.command for one in again.told[1:]] == [one.command for one in judged.told[1:]]
    assert [one.facts for one in again.told[1:]] == [one.facts for one in judged.told[1:]]


@given(st.data())
def test_any_line_of_a_printed_battle_left_out_or_doubled_brings_nothing_down(data: st.DataObject) -> None:
    """Whatever the table forgot or wrote twice, each line has its verdict."""
    name = data.draw(st.sampled_from(SHEETS))
    lines = text_of(name).splitlines()
    first = next(at for at, line in enumerate(lines) if line.startswith("position:")) + 1
    at = data.draw(st.integers(first, len(lines) - 1))
    changed = data.draw(
        st.sampled_from((lines[:at] + lines[at + 1 :], [*lines[:at], lines[at], *lines[at:]]))
    )
    report = adjudicate(parse_sheet("\n".join(changed), BOOK / f"{name}.score"))
    for one in report.verdicts:
        assert one.verdict == "lawful" or one.sections, one


def test_the_nearest_attacks_are_found_among_the_offers() -> None:
    """A place that is no neighbour and a unit too many: the same attack as it would have been lawful (QD-10.2)."""
    sheet = parse_sheet("position: w8.toml\norc: attack FM_n from OR_k with 7\n", BOOK / "x.score")
    (verdict,) = adjudicate(sheet).verdicts
    assert verdict.alternatives[0] == "orc: attack OR_n from OR_k with 4"
    assert len(verdict.alternatives) <= 3


@pytest.mark.parametrize(
    ("claim", "said"),
    (
        ("units orc ZZ 3", "there is no place 'ZZ'"),
        (
            "units orc OR_nn 3",
            "there is no place 'OR_nn'; expected a place of dragonlords; did you mean OR_n",
        ),
        ("units orx OR_n 3", "there is no seat 'orx'; expected one of: orc, barbarian; did you mean orc?"),
        ("units elf OR_n 3", "there is no seat 'elf'"),
        (
            "chip orc orc.kin OR_n",
            "there is no chip 'orc.kin'; expected a chip of dragonlords; did you mean orc.king",
        ),
        ("spells orc.wizard.1 heal, firebal", "heal, fireball, teleport, hope, lightning, panic"),
    ),
)
def test_a_claim_of_what_the_game_does_not_know_is_a_fault_of_the_sheet(claim: str, said: str) -> None:
    """A slip of the pen is no wrong count: the line, the column, and what may have been meant."""
    with pytest.raises(BadSheet) as caught:
        parse_sheet(f"position: w8.toml\nclaim: {claim}\n", BOOK / "x.score")
    (fault,) = caught.value.faults
    assert (fault.line, fault.column > 6) == (2, True)
    assert said in str(fault)


@pytest.mark.parametrize(
    ("move", "column", "said"),
    (
        ("orc: attack OR_nn from OR_k with 4", 13, "there is no place 'OR_nn'; expected a place of dragonlords; did you mean OR_n"),
        ("orc: attack Fernholow from OR_k with 4", 13, "did you mean Fernhollow (OR_n)?"),
        ("orc: attack OR_n from Eldermot with 4", 23, "did you mean Eldermoot (OR_k)?"),
        ("orc: attack OR_n from OR_k with 4 leading orc.wizzard.1", 43, "there is no chip 'orc.wizzard.1'"),
        ("arbiter: correct units orc Fernholow 3 because so", 28, "did you mean Fernhollow (OR_n)?"),
    ),
)  # fmt: skip
def test_a_name_that_is_none_is_a_fault_of_the_sheet_wherever_it_stands(
    move: str, column: int, said: str
) -> None:
    """In a move or a correction as in a claim: line, column, and what may have been meant."""
    with pytest.raises(BadSheet) as caught:
        parse_sheet(f"position: w8.toml\n{move}\n", BOOK / "x.score")
    (fault,) = caught.value.faults
    assert (fault.line, fault.column) == (2, column)
    assert said in str(fault)


@pytest.mark.parametrize(
    "move",
    (
        "Orc: ATTACK or_N from or_k with 4",
        "orc: attack fernhollow from Eldermoot with 4",
        'ORC: attack "Fernhollow" with 4 from "eldermoot"',
        "orc: attack with 4 from OR_k OR_n",
    ),
)
def test_places_and_seats_are_known_in_any_capitals_and_by_their_printed_names(move: str) -> None:
    """And what has a word of its own may stand in any order."""
    plain = parse_sheet("position: w8.toml\norc: attack OR_n from OR_k with 4\n", BOOK / "x.score").lines[0]
    (line,) = parse_sheet(f"position: w8.toml\n{move}\n", BOOK / "x.score").lines
    assert isinstance(line, Said)
    assert isinstance(plain, Said)
    assert (line.seat, line.command) == (plain.seat, plain.command)


@pytest.mark.parametrize(
    "chip", ("barbarian.wizard.1", "Barbarian.Wizard.1", "wizard 1", "wizard", "Barbarian wizard 1")
)
def test_a_chip_is_called_as_players_call_it_where_the_seat_is_clear(chip: str) -> None:
    """His own wizard is `wizard 1`, the first one `wizard`."""
    sheet = parse_sheet(
        f"position: w11.toml\nbarbarian: attack G2 from SC_s with 3 leading {chip}\nclaim: chip Barbarian {chip} G2\n",
        BOOK / "x.score",
    )
    said, claimed = sheet.lines
    assert isinstance(said, Said)
    assert said.command.leading == ("barbarian.wizard.1",)
    assert isinstance(claimed, Claimed)
    assert "barbarian.wizard.1" in str(claimed.claims)


def test_attackers_who_have_not_won_yet_are_claimed_as_a_column() -> None:
    """Told is what the same seat has there, not what its enemy has (QD-10.2)."""
    sheet = parse_sheet(
        "position: w8.toml\norc: attack OR_n from OR_k with 4\norc: fight\nclaim: units orc OR_n 3\n",
        BOOK / "x.score",
    )
    verdict = adjudicate(sheet).verdicts[-1]
    assert (verdict.verdict, verdict.expected) == ("miscounted", "column orc OR_n OR_k 4")
    assert "Attackers who have not won OR_n yet stand there as a column" in verdict.message


@pytest.mark.parametrize(("claimed", "from_table"), ((3, True), (4, False)))
def test_a_column_claimed_as_units_leaves_the_defenders_where_they_stand(
    claimed: int, *, from_table: bool
) -> None:
    """The game goes on with the claimed number in the column, where so many dice follow, and against the two Barbarians."""
    sheet = parse_sheet(
        f"position: w8.toml\norc: attack OR_n from OR_k with 4\norc: fight\nclaim: units orc OR_n {claimed}\n"
        f"dice: {' 6' * claimed}\n",
        BOOK / "x.score",
    )
    judged = judge(sheet)
    assert ("what the table recorded" in judged.report.verdicts[-2].message) is from_table
    assert judged.report.verdicts[-1].verdict == "lawful"
    war = judged.after.state
    assert (war.armies["OR_n"].seat, war.armies["OR_n"].units) == ("barbarian", 2)
    assert [column.units for column in war.columns["OR_n"]] == [claimed]


def test_an_attack_without_a_number_is_told_how_many_may_go() -> None:
    """QD-10.2: of five Orcs one stays behind."""
    sheet = parse_sheet("position: w8.toml\norc: attack OR_n from OR_k\n", BOOK / "x.score")
    (verdict,) = adjudicate(sheet).verdicts
    assert (verdict.verdict, verdict.sections) == ("unlawful", ("QD-10.2",))
    assert "How many go is missing: of 5 units in OR_k 1 to 4 may, as in `with 1`." in verdict.message
