"""Questions to the games on record: every sort of battle, and what this game alone can be asked."""

from pathlib import Path
from typing import Any

import pytest

from replay.cli import main
from replay.cli.kept import session_at
from replay.cli.stepping import Stepper
from replay.questions.answers import Table
from replay.questions.queries import Corpus, Limits, Reading, ask
from tests.games.dragonlords.recorded import FOLDER

BATTLES = "QD-9", "QD-10", "QD-11", "QD-12", "QD-13"
"""The chapters by which units are lost in battle."""


def only(table: Table, *columns: str) -> list[tuple[Any, ...]]:
    """Return some columns of an answer."""
    places = [table.columns.index(name) for name in columns]
    return [tuple(row[place] for place in places) for row in table.rows]


def test_a_fire_attack_is_a_battle_without_rounds() -> None:
    """It takes the place of the battle (QD-13.1): begun and won in its entry, the zone is the attacker's (QD-H41)."""
    game = FOLDER / "endings" / "burnt_at_sea.jsonl"
    columns = ("place", "kind", "attacker", "defender", "began", "ended", "rounds", "winner", "taken")
    answer = ask([game], "battles", {"kind": "fire"})
    assert only(answer, *columns) == [("W3", "fire", "orc", "elf", 5, 5, 0, "orc", True)]
    assert only(answer, "attacker_losses", "defender_losses") == [(0, 3)]
    by_round = ask([game], "battles_by_round")
    assert only(by_round, "round", "seat", "side", "dice", "losses") == [(0, "elf", "defender", 0, 3)]
    assert only(ask([game], "places_taken"), "entry", "place", "taken_by", "taken_from") == [
        (5, "W3", "orc", "elf")
    ]


def test_every_sort_of_battle_is_told_and_no_loss_in_battle_lies_outside_of_one() -> None:
    """Land, sea, sneak attack, fire, party against party and against monsters; positions that begin amid a fight aside."""
    with Corpus([FOLDER], Limits(rows=100), Reading(copies=True)) as corpus:
        kinds = corpus.sql("SELECT DISTINCT kind FROM battles WHERE kind IS NOT NULL ORDER BY kind").rows
        outside = corpus.sql(
            "SELECT game, entry, because FROM facts WHERE claim = 'loses' AND battle IS NULL "
            "AND game NOT IN (SELECT game FROM battles WHERE began IS NULL)"
        ).rows
    assert [row[0] for row in kinds] == ["fire", "land", "monster", "quest", "sea", "sneak"]
    assert outside
    assert not [row for row in outside if any(ref.rpartition(".")[0] in BATTLES for ref in row[2])]


@pytest.mark.parametrize(
    ("verdict", "seat", "said"), (("Penalised", "elf", "touched a die"), ("Forfeited", "elf", None))
)
def test_a_penalty_on_record_is_told_with_what_it_is(verdict: str, seat: str, said: str | None) -> None:
    """Who bears it and what it is; a ruling of another sort has none."""
    answer = ask([FOLDER / "stages" / "contested.jsonl"], "rulings")
    told = {row[0]: row[1:] for row in only(answer, "verdict", "seat", "penalty")}
    assert told[verdict] == (seat, said)


def test_a_game_that_was_called_off_is_told_with_its_reason() -> None:
    """The arbiter's word ends it (LS-5.4)."""
    answer = ask([FOLDER / "endings" / "awarded.jsonl"], "rulings")
    assert ("CalledOff", "the round is over; the Orcs hold more") in only(answer, "fact", "reason")


def test_the_key_for_the_next_battle_stops_at_a_fire_attack(tmp_path: Path) -> None:
    """Whoever steps through the game comes to the entry in which the fleet burnt."""
    file = FOLDER / "endings" / "burnt_at_sea.jsonl"
    assert main(["import", str(file), "--name", "burnt", "--store", str(tmp_path / "s.db")]) == 0
    with session_at("burnt", tmp_path / "s.db", readonly=True) as session:
        stepper = Stepper(session, None)
        stepper.press("n")
        assert stepper.at == 5
