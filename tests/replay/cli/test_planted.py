"""What a person reads of faults that were planted by hand: the same entry, section and figures as the program finds."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.games.dragonlords import RULES
from core.refusal import Refusal
from replay.cli.kept import session_at
from replay.cli.lines import refusing
from replay.cli.whole import complain_refused
from replay.outcomes import Refused
from tests.replay.cli.conftest import Shell
from tests.replay.planting import (
    InLine,
    InLog,
    InSheet,
    altered,
    catalogue,
    forged,
    left,
    sheet_of,
    tampered,
)

GAMES = sorted({fault.game for fault in catalogue().log})


def blocks(out: str) -> dict[str, str]:
    """Return what `verify` says of each game, by the name that heads it."""
    told: dict[str, str] = {}
    name = ""
    for line in out.splitlines():
        if line and not line.startswith(" "):
            name = line.split()[0]
        told[name] = f"{told.get(name, '')}{line}\n"
    return told


def kept(game: str, folder: Path) -> Iterator[tuple[str, InLog]]:
    """Write each fault of a recorded game as a log of its own, and yield its name and the fault."""
    for number, fault in enumerate(fault for fault in catalogue().log if fault.game == game):
        left(forged(game, fault), folder / f"fault{number}.jsonl")
        yield f"fault{number}", fault


@pytest.mark.parametrize("game", GAMES)
def test_verify_names_a_planted_fault_to_people_and_to_programs(
    shell: Shell, tmp_path: Path, game: str
) -> None:
    """Both name the entry, the grade, the sections with their text, what is recorded and what would have been right."""
    faults = dict(kept(game, tmp_path))
    left(forged(game), tmp_path / "control.jsonl")
    listed, shown = shell("verify", ".", "--json"), shell("verify", ".")
    assert listed.code == shown.code == 1
    told, read = {one["name"]: one for one in listed.json["games"]}, blocks(shown.out)
    assert told["control"]["ok"] is True
    assert "lawful yes: " in read["control"]
    for name, fault in faults.items():
        at = fault.at or fault.entry
        (first,) = told[name][fault.question]["findings"]
        assert (first["entry"], tuple(first["sections"]), tuple(first["codes"])) == (
            at,
            fault.sections,
            fault.codes,
        ), fault.name
        assert fault.recorded in first["recorded"], fault.name
        assert fault.expected in first["expected"], fault.name
        assert told[name]["ok"] is (fault.grade in ("cited_otherwise", "time")), fault.name
        said = read[name]
        seat = f", {first['seat']}" if first["seat"] else ""
        cited = f" ({', '.join(fault.sections)})" if fault.sections else ""
        assert f"entry {at}{seat}: {fault.grade.replace('_', ' ')}{cited}: " in said, said
        assert fault.recorded in said, fault.name
        assert fault.expected in said, fault.name
        assert all(f"\n         {ref} " in said for ref in fault.sections), said
        more = fault.others + fault.following
        assert (f"and {more} more" in said) is bool(more), said
        assert ("may follow from" in said) is bool(fault.following), said


@pytest.mark.parametrize("fault", catalogue().sheet, ids=lambda fault: fault.name.replace(" ", "_"))
def test_adjudicate_names_a_planted_fault_to_people_and_to_programs(shell: Shell, fault: InSheet) -> None:
    """Both name the line, the verdict, the sections with their text, what is recorded and what was expected."""
    text, at = altered(fault)
    listed, shown = (shell("adjudicate", "-", *more, typed=text) for more in (("--json",), ()))
    assert listed.code == shown.code == 1
    first = next(verdict for verdict in listed.json["verdicts"] if verdict["verdict"] != "lawful")
    assert (first["line"], first["verdict"]) == (at, fault.verdict)
    assert (tuple(first["sections"]), tuple(first["codes"])) == (fault.sections, fault.codes)
    assert fault.recorded in first["recorded"]
    assert fault.expected in first["expected"]
    cited = f"{fault.verdict}  [{', '.join(fault.sections)}]"
    (said,) = (line for line in shown.out.splitlines() if line.startswith(f"{at:>4}  "))
    assert said.endswith(cited)
    assert f"expected {first['expected']}; recorded {first['recorded']}" in shown.out
    assert all(f"        {ref} " in shown.out for ref in fault.sections)


@pytest.mark.parametrize("game", sorted({fault.game for fault in catalogue().sheet}))
def test_a_recorded_game_written_as_a_sheet_is_lawful(shell: Shell, tmp_path: Path, game: str) -> None:
    """The command writes the sheet that the faults are planted in, and all its lines are lawful."""
    path = left(forged(game), tmp_path / "game.jsonl")
    written = shell("sheet", str(path))
    assert (written.code, written.out) == (0, sheet_of(game))
    assert shell("adjudicate", "-", typed=written.out).code == 0


@pytest.mark.parametrize("fault", catalogue().line, ids=lambda fault: fault.name.replace(" ", "_"))
def test_verify_names_the_entry_whose_bytes_were_changed(shell: Shell, tmp_path: Path, fault: InLine) -> None:
    """Whole is answered with no, and the entry and what is wrong with it are named."""
    path = tampered(fault, tmp_path / "game.jsonl")
    listed, shown = shell("verify", str(path), "--json"), shell("verify", str(path))
    assert listed.code == shown.code == 1
    first = listed.json["games"][0]["whole"]["findings"][0]
    assert (first["entry"], first["grade"]) == (fault.entry, fault.grade)
    assert f"whole  no: entry {fault.entry}: {fault.grade}: recorded " in shown.out
    assert fault.recorded in shown.out
    assert fault.expected in shown.out


# the answer in force

EXTRA, REPLACES = (
    " ".join(RULES.rulebook.points["QD-X61"].answered(answer).text.split())
    for answer in ("extra", "replaces_die")
)
WIZARD = (
    "setup: turn barbarian combat; units barbarian SC_s 4; chip barbarian barbarian.wizard.1 SC_s; "
    "spells barbarian.wizard.1 fireball; units elf G2 5\n"
)
BEGUN = "barbarian: attack G2 from SC_s with 3 leading barbarian.wizard.1\nbarbarian: fight\n"
CAST = "barbarian: declare\nbarbarian: cast lightning\n"


def test_adjudicate_tells_the_answer_that_was_in_force_at_the_line(shell: Shell) -> None:
    """A ruling answers X61 otherwise between two rounds: each wrong spell is shown the answer of its own time."""
    text = (
        f"game: dragonlords\nseats: barbarian, elf\n{WIZARD}{BEGUN}{CAST}dice: 6 6 6\ndice: 6 6 6 6 6\n"
        f"barbarian: continue\narbiter: rule X61 = extra because so we play\n{CAST}dice: 6 6 6\n"
    )
    wrong = [
        one for one in shell("adjudicate", "-", "--json", typed=text).json["verdicts"] if one["sections"]
    ]
    cast = [one["answers"] for one in wrong if one["text"] == "barbarian: cast lightning"]
    assert cast == [{"QD-X61": "replaces_die"}, {"QD-X61": "extra"}]
    shown = shell("adjudicate", "-", typed=text).out
    assert shown.index(REPLACES) < shown.index(EXTRA)


@pytest.mark.parametrize(
    ("answer", "told", "other"), (("extra", EXTRA, REPLACES), ("replaces_die", REPLACES, EXTRA))
)
def test_verify_tells_the_answer_that_was_in_force_at_the_entry(
    shell: Shell, tmp_path: Path, answer: str, told: str, other: str
) -> None:
    """A spell that the wizard does not know is explained by what this table answered to X61, not by the default."""
    text = (
        f"game: dragonlords\nseats: barbarian, elf\nanswer: X61 = {answer}\n{WIZARD}{BEGUN}"
        f"{CAST.replace('lightning', 'fireball')}"
    )
    assert shell("adjudicate", "-", "--keep", "house", typed=text).code == 0
    assert shell("export", "house").code == 0
    path = tmp_path / "house.jsonl"
    line = path.read_text(encoding="utf-8").replace(
        '"Do":"Cast","spell":"fireball"', '"Do":"Cast","spell":"lightning"'
    )
    path.write_text(line, encoding="utf-8")
    (found,) = shell("verify", "house.jsonl", "--json").json["games"][0]["lawful"]["findings"]
    assert (found["sections"], found["answers"]) == (["QD-14.1", "QD-X61", "QD-15.5"], {"QD-X61": answer})
    shown = shell("verify", "house.jsonl").out
    assert told in shown
    assert other not in shown


@pytest.mark.parametrize(
    ("answer", "told", "other"), (("extra", EXTRA, REPLACES), ("replaces_die", REPLACES, EXTRA))
)
def test_a_refused_move_is_told_the_answer_that_is_in_force(
    shell: Shell, tmp_path: Path, capsys: pytest.CaptureFixture[str], answer: str, told: str, other: str
) -> None:
    """Whichever command ends with a refusal, a point that it cites has the answer of the game."""
    text = f"game: dragonlords\nseats: barbarian, elf\nanswer: X61 = {answer}\n{WIZARD}{BEGUN}"
    assert shell("adjudicate", "-", "--keep", "house", typed=text).code == 0
    refused = shell("play", "house", typed=CAST)
    assert refused.code == 1
    assert told in refused.err
    assert other not in refused.err
    with session_at("house", tmp_path / "store.db", readonly=True) as session:
        reasons = Refused((Refusal("no_caster", ("QD-X61",), "Nobody can throw it."),))
        fault = refusing(session, reasons)
    complain_refused(fault, json=False)
    said = capsys.readouterr().err
    assert told in said
    assert other not in said
