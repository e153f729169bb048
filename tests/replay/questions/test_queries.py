"""The named questions, each put to logs written by hand, with the answer worked out beside it."""

import csv
import io
import json
import shlex
from fractions import Fraction
from itertools import pairwise
from math import comb
from pathlib import Path
from typing import Any

import duckdb
import pytest

from core.games.dragonlords.board import KINGDOMS
from replay.questions.answers import Table, shown
from replay.questions.columns import TABLES
from replay.questions.queries import BadQuestion, Corpus, ask, export_parquet, question, questions, sql
from tests.driver import play
from tests.laws.worlds import rules_of
from tests.replay.questions.logbook import Logbook, put_table

STATISTICS = Path(__file__).parents[3] / "replay" / "questions" / "statistics"
NAMES = [asked.name for asked in questions()]


def chance_of(k: int, n: int, p: Fraction) -> Fraction:
    """Return the exact chance of exactly k successes among n."""
    return comb(n, k) * p**k * (1 - p) ** (n - k)


def two_sided(k: int, n: int, p: Fraction) -> Fraction:
    """Return the exact chance of a count that is no likelier than k."""
    return sum(
        (chance_of(i, n, p) for i in range(n + 1) if chance_of(i, n, p) <= chance_of(k, n, p)), Fraction(0)
    )


def holm(values: list[Fraction]) -> list[float]:
    """Return p values after Holm's correction, in the order given."""
    order = sorted(range(len(values)), key=lambda place: values[place])
    corrected, most = [0.0] * len(values), Fraction(0)
    for rank, place in enumerate(order):
        most = max(most, (len(values) - rank) * values[place])
        corrected[place] = float(min(most, Fraction(1)))
    return corrected


def only(table: Table, *columns: str) -> list[tuple[Any, ...]]:
    """Return some columns of an answer."""
    places = [table.columns.index(name) for name in columns]
    return [tuple(row[place] for place in places) for row in table.rows]


def close(*values: Any) -> Any:
    """Return values to be compared as floats are."""
    return pytest.approx(values)


# every question


@pytest.mark.parametrize("name", NAMES)
def test_every_question_is_asked_in_english_and_answers_whatever_it_is_put_to(
    name: str, folder: Path
) -> None:
    """A capital, a question mark, parameters with a meaning; an answer from no log, from one entry, from whole games."""
    asked = question(name)
    assert asked.question[0].isupper()
    assert asked.question.endswith("?")
    assert all(parameter.meaning for parameter in asked.parameters)
    empty = ask([], name)
    assert empty.columns
    assert empty.title == asked.question
    assert empty.rows == []
    Logbook("first").put(folder)
    for seed in range(3):
        put_table(play(rules_of("skirmish"), seed, entries=60, troubled=True), folder / f"s{seed}.jsonl")
    put_table(play(rules_of("dragonlords"), 1, entries=60), folder / "d.jsonl")
    assert ask([folder], name).columns == empty.columns


@pytest.mark.parametrize("name", NAMES)
def test_every_question_shows_a_call_that_can_be_typed(name: str) -> None:
    """Each has an example, which puts this question, with parameters that it has and values that they can have."""
    asked = question(name)
    assert asked.examples
    for line in asked.examples:
        program, verb, named, *words = shlex.split(line)
        assert (program, verb) == ("lawspeaker", "query")
        assert question(named) == asked
        given = dict(after.split("=", 1) for word, after in pairwise(words) if word == "--param")
        assert set(asked.values(given)) >= set(given)


@pytest.mark.parametrize("name", NAMES)
def test_every_parameter_of_a_question_narrows_it(name: str, folder: Path) -> None:
    """Each parameter can be given as text, as the command line gives it; what nothing is like finds nothing."""
    Logbook().roll("red", 1).began("hill", "red", "blue").fought("hill", "red", taken=True).won("red").put(
        folder
    )
    with Corpus([folder]) as corpus:
        for parameter in question(name).parameters:
            assert isinstance(corpus.ask(name, {parameter.name: "-"}), Table)
            assert corpus.ask(name, {parameter.name: parameter.shown}) == corpus.ask(name)
            if parameter.default is None:
                assert corpus.ask(name, {parameter.name: "no such thing"}).rows == []


def test_the_page_of_questions_names_them_all() -> None:
    """The README beside the questions has a row for every general one, in its words, and one for every column."""
    page = (STATISTICS / "README.md").read_text(encoding="utf-8")
    for asked in questions():
        if not asked.game:
            parameters = ", ".join(f"`{parameter.name}`" for parameter in asked.parameters) or "none"
            assert f"| `{asked.name}` | {asked.question} | {parameters} |" in page
    for name, columns in TABLES.items():
        assert f"### {name}\n" in page
        for column in columns:
            assert f"| `{column.name}` | {column.kind} | {column.meaning} |" in page


def test_every_column_can_be_named_without_quotes() -> None:
    """No column is called by a word that SQL keeps for itself."""
    with Corpus([]) as corpus:
        for name, columns in TABLES.items():
            for column in columns:
                text = f"SELECT {column.name}, {name}.{column.name} FROM {name} WHERE {column.name} IS NULL ORDER BY {column.name}"
                assert corpus.sql(text).types[0] == column.kind


def test_a_question_can_be_found_by_its_short_name() -> None:
    """A game's own question goes by `game.name`, and by its name alone while no other has it."""
    assert question("kingdoms_taken") == question("dragonlords.kingdoms_taken")
    assert question("kingdoms_taken").game == "dragonlords"
    general = {asked.name for asked in questions() if not asked.game}
    assert general == {path.stem for path in STATISTICS.glob("*.sql")}
    assert {asked.name for asked in questions("skirmish")} == general
    assert {asked.name for asked in questions("dragonlords")} > general


@pytest.mark.parametrize(
    ("params", "said"),
    (
        ({"most": "ten"}, "most is a whole number such as 10, not 'ten'"),
        ({"length": 3}, "longest_games has no parameter 'length'; its parameters: rules, most"),
    ),
)
def test_a_wrong_parameter_is_a_sentence(params: dict[str, Any], said: str) -> None:
    """It says which parameters there are, and what kind of value was wanted."""
    with pytest.raises(BadQuestion) as fault:
        ask([], "longest_games", params)
    assert str(fault.value) == said


# dice


def test_faces_are_counted_and_tested_exactly(folder: Path) -> None:
    """Twelve d6: six sixes, three ones, three twos. Taken back or not, a die fell; scripted dice are left out."""
    log = (
        Logbook()
        .roll("red", *[6] * 6)
        .roll("blue", 1, 1, 1, 2, 2)
        .add("red", {"Fact": "HeadMoved", "by": "red"}, parent=2)
    )
    path = log.roll("red", 2).roll("red", *[4] * 30, source="scripted").put(folder)
    answer = ask([path], "faces_per_die")
    fell = [3, 3, 0, 0, 0, 6]
    tests = [two_sided(k, 12, Fraction(1, 6)) for k in fell]
    assert only(answer, "die", "face", "fell", "rolled") == [
        ("d6", str(n), k, 12) for n, k in enumerate(fell, start=1)
    ]
    assert only(answer, "expected") == [close(2)] * 6
    assert [row[0] for row in only(answer, "p")] == pytest.approx([float(p) for p in tests])
    assert [row[0] for row in only(answer, "corrected")] == pytest.approx(holm(tests))
    # Six sixes of twelve: 1 - P(fewer than six), with the unlikelier tail below; under 0.05 even when corrected for six faces.
    assert float(tests[5]) == pytest.approx(0.00792, abs=0.00001)
    assert only(answer, "corrected")[5][0] == pytest.approx(6 * float(tests[5]))
    assert only(ask([path], "faces_per_die", {"source": "scripted"}), "face", "fell")[3] == ("4", 30)
    assert ask([path], "faces_per_die", {"die": "d8"}).rows == []


def test_the_correction_is_for_every_face_in_the_answer(folder: Path) -> None:
    """Two kinds of dice are ten tests: each p is held against all ten."""
    path = Logbook().roll("red", 6, 6, 6, 1).roll("red", 4, 4, die="d4").put(folder)
    answer = ask([path], "faces_per_die")
    tests = [two_sided(k, 2, Fraction(1, 4)) for k in (0, 0, 0, 2)]
    tests += [two_sided(k, 4, Fraction(1, 6)) for k in (1, 0, 0, 0, 0, 3)]
    assert only(answer, "die") == [("d4",)] * 4 + [("d6",)] * 6
    assert [row[0] for row in only(answer, "corrected")] == pytest.approx(holm(tests))


def test_equal_dice_of_different_games_are_one_kind(folder: Path) -> None:
    """A d6 is a d6, whatever is played with it."""
    Logbook("a").roll("red", 1).put(folder)
    Logbook("b", game="dragonlords").roll("orc", 1).put(folder)
    assert only(ask([folder], "faces_per_die"), "die", "face", "fell", "rolled")[0] == ("d6", "1", 2, 2)
    assert only(ask([folder], "faces_per_die", {"game": "b"}), "fell", "rolled")[0] == (1, 1)


@pytest.mark.parametrize(
    ("k", "n", "p"),
    (
        (0, 1, "1/6"),
        (3, 10, "1/6"),
        (10, 10, "1/6"),
        (5, 10, "1/2"),
        (30, 100, "1/6"),
        (0, 200, "1/6"),
        (2, 12, "1/6"),
    ),
)
def test_the_exact_test_is_the_sum_of_exact_chances(k: int, n: int, p: str) -> None:
    """Against the same sums in fractions, to twelve digits."""
    fair = Fraction(p)
    answer = sql_row(
        f"SELECT binomial_p({k}, {n}, {float(fair)!r}), binomial_at_least({k}, {n}, {float(fair)!r})"
    )
    at_least = sum((chance_of(i, n, fair) for i in range(k, n + 1)), Fraction(0))
    assert answer == pytest.approx((float(two_sided(k, n, fair)), float(at_least)), rel=1e-12)


def sql_row(text: str) -> tuple[Any, ...]:
    """Return the one row of an answer that needs no logs."""
    with Corpus([]) as corpus:
        (row,) = corpus.sql(text).rows
    return tuple(row)


def test_the_exact_test_holds_at_its_edges() -> None:
    """No dice: no test. What is certain or impossible, and a million dice, in a moment."""
    text = "SELECT binomial_p(0, 0, 0.5), binomial_p(3, 3, 1.0), binomial_p(2, 3, 1.0), binomial_p(1, 3, 0.0), binomial_p(NULL, 3, 0.5)"
    assert sql_row(text) == (None, 1.0, 0.0, 0.0, None)
    fair, far = sql_row("SELECT binomial_p(166666, 1000000, 1 / 6), binomial_p(500000, 1000000, 1 / 6)")
    assert fair == pytest.approx(1.0, abs=0.001)
    assert far == 0.0


def test_luck_is_successes_less_what_the_faces_promise(folder: Path) -> None:
    """Red: four dice at one half and two at one sixth promise 2 1/3; five successes are 2 2/3 more. Blue is unlucky."""
    sixes = {"Counts": "Hits", "faces": [6]}
    log = (
        Logbook(persons={"red": "Ada"})
        .roll("red", 1, 2, 3, 4)
        .roll("red", 6, 6, counts=sixes)
        .roll("blue", 6, 5)
    )
    log.roll("blue", 1, 1, counts={"Counts": "Sum"}).roll("green", 3, 3, counts={"Counts": "Best", "n": 1})
    log.roll("red", 1, 1, 1).add("red", {"Fact": "HeadMoved", "by": "red"}, parent=6)
    path = log.put(folder)
    answer = ask([path], "successes_per_seat")
    columns = ("rules", "who", "dice", "uncounted", "successes", "expected", "luck")
    variance = 4 * Fraction(1, 4) + 2 * Fraction(1, 6) * Fraction(5, 6)
    assert only(answer, *columns) == [
        ("skirmish", "red", 6, 0, 5, pytest.approx(7 / 3), pytest.approx(8 / 3)),
        ("skirmish", "blue", 4, 2, 0, pytest.approx(1), pytest.approx(-1)),
        ("skirmish", "green", 2, 2, 0, None, None),
    ]
    assert only(answer, "spread")[0][0] == pytest.approx(float(variance) ** 0.5)
    assert only(answer, "spread")[2] == (None,)
    by_person = ask([path], "successes_per_seat", {"by": "person"})
    assert [row[0] for row in only(by_person, "who")] == ["Ada", "blue", "green"]


def test_each_chance_is_tested_for_itself(folder: Path) -> None:
    """Five hits of six at one half, none of three at one sixth; corrected for the two rows."""
    sixes = {"Counts": "Hits", "faces": [6]}
    path = Logbook().roll("red", 1, 2, 3, 1, 2, 6).roll("red", 1, 2, 3, counts=sixes).put(folder)
    answer = ask([path], "successes_per_chance")
    tests = [two_sided(0, 3, Fraction(1, 6)), two_sided(5, 6, Fraction(1, 2))]
    assert only(answer, "seat", "chance", "dice", "successes", "expected") == [
        ("red", "1 in 6", 3, 0, pytest.approx(0.5)), ("red", "3 in 6", 6, 5, pytest.approx(3)),
    ]  # fmt: skip
    assert [row[0] for row in only(answer, "p")] == pytest.approx([float(p) for p in tests])
    assert [row[0] for row in only(answer, "corrected")] == pytest.approx(holm(tests))


# battles


def battles(folder: Path) -> Path:
    """Two battles over two places, two rounds in the first, and one that was taken back."""
    log = Logbook("g", ("red", "blue", "green")).began("hill", "red", "blue")
    log.roll("red", 1, 2, 6).roll("blue", 4).lost("blue", 2).roll("red", 1).roll("blue", 3, 3).lost(
        "red", 1
    ).lost("blue", 1)
    log.fought("hill", "red", taken=True, rounds=2).began("ford", "green", "blue").roll("green", 6).fought(
        "ford", "blue"
    )
    log.began("moor", "red", "blue").fought("moor", "red", taken=True).add(
        "red", {"Fact": "HeadMoved", "by": "red"}, parent=13
    )
    return log.put(folder)


def test_battles_are_told_with_winner_and_cost(folder: Path) -> None:
    """Only what stands: the third battle was taken back."""
    answer = ask([battles(folder)], "battles")
    assert only(answer, "battle", "place", "attacker", "defender", "rounds", "winner", "taken") == [
        (1, "hill", "red", "blue", 2, "red", True), (2, "ford", "green", "blue", 1, "blue", False),
    ]  # fmt: skip
    assert only(answer, "began", "ended", "attacker_losses", "defender_losses") == [
        (2, 10, 1, 3),
        (11, 13, 0, 0),
    ]
    assert only(ask([folder], "battles", {"seat": "green"}), "place") == [("ford",)]
    assert only(ask([folder], "battles", {"place": "hill"}), "battle") == [(1,)]


def test_battles_are_told_round_by_round(folder: Path) -> None:
    """Round 1: red hits twice, blue not; blue loses two. Round 2: red hits once and blue twice; each loses one."""
    answer = ask([battles(folder)], "battles_by_round", {"place": "hill"})
    assert only(answer, "round", "seat", "side", "dice", "successes", "losses") == [
        (1, "red", "attacker", 3, 2, 0),
        (1, "blue", "defender", 1, 0, 2),
        (2, "red", "attacker", 1, 1, 1),
        (2, "blue", "defender", 2, 2, 1),
    ]
    assert only(ask([folder], "battles_by_round", {"place": "ford"}), "seat", "side", "dice", "losses") == [
        ("green", "attacker", 1, 0)
    ]


def test_takings_name_who_took_what_from_whom(folder: Path) -> None:
    """One place changed hands; what was taken back did not."""
    answer = ask([battles(folder)], "places_taken")
    assert only(answer, "game", "entry", "place", "taken_by", "taken_from", "rounds") == [
        ("g", 10, "hill", "red", "blue", 2)
    ]
    assert only(ask([folder], "places_fought_over"), "place", "battles", "taken", "falls", "attackers_lost", "defenders_lost") == [
        ("ford", 1, 0, 0.0, 0, 0), ("hill", 1, 1, 1.0, 1, 3),
    ]  # fmt: skip


def test_kingdoms_of_dragonlords_are_told_with_their_gold(folder: Path) -> None:
    """By battle or without one; other places are no kingdoms; the question knows every kingdom of the board."""
    text = question("kingdoms_taken").sql
    assert all(f"'{kingdom}'" in text for kingdom in KINGDOMS)
    log = Logbook(game="dragonlords", seats=("orc", "elf")).began("AL_k", "orc", "elf")
    log.add(
        "orc",
        {"Fact": "PlaceTaken", "seat": "orc", "place": "AL_k", "loser": "elf"},
        {"Fact": "GoldTaken", "seat": "orc", "place": "AL_k", "gold": 7},
        {"Fact": "BattleEnded", "place": "AL_k", "winner": "orc", "taken": True, "rounds": 1},
    )
    log.add("elf", {"Fact": "PlaceTaken", "seat": "elf", "place": "AL_n", "loser": "orc"})
    log.add("elf", {"Fact": "PlaceTaken", "seat": "elf", "place": "OR_k"})
    columns = ("entry", "kingdom", "taken_by", "taken_from", "battle", "gold")
    assert only(ask([log.put(folder)], "kingdoms_taken"), *columns) == [
        (3, "AL_k", "orc", "elf", 1, 7), (5, "OR_k", "elf", None, None, 0),
    ]  # fmt: skip
    assert only(ask([folder], "kingdoms_taken", {"seat": "elf"}), "kingdom") == [("OR_k",)]


# games


def season(folder: Path) -> Path:
    """Five games of two seats, red wins four; one of three seats that goes on; one what-if that red wins."""
    for n, winner in enumerate(("red", "red", "blue", "red", "red")):
        log = Logbook(f"g{n}").add("red", do="Bid").add("blue", do="Bid" if n else "Pass")
        for _ in range(n):
            log.roll("red", 1)
        log.won(winner, how="last_standing" if n else "resigned").put(folder)
    Logbook("open", ("red", "blue", "green"), title="Still on").add("green", do="Bid").put(folder)
    Logbook("what", branch={"game": "g1", "entry": 2, "hash": "00"}).won("red").put(folder)
    return folder


def test_wins_are_held_against_an_equal_share(folder: Path) -> None:
    """Four of five where one half is fair: p is 0.375, both sides; corrected for two rows it is 0.75."""
    answer = ask([season(folder)], "wins_by_seat")
    assert only(answer, "rules", "seat", "games", "wins", "share", "fair", "p", "corrected") == [
        ("skirmish", "red", 5, 4, 0.8, 0.5, pytest.approx(0.375), pytest.approx(0.75)),
        ("skirmish", "blue", 5, 1, 0.2, 0.5, pytest.approx(0.375), pytest.approx(0.75)),
    ]


def test_games_of_different_sizes_have_no_single_fair_share(folder: Path) -> None:
    """With two seats and with three the fair share is their mean, and no binomial test fits."""
    Logbook("a").won("red").put(folder)
    Logbook("b", ("red", "blue", "green")).won("green").put(folder)
    rows = only(ask([folder], "wins_by_seat"), "seat", "games", "wins", "fair", "p")
    assert sorted(rows, key=lambda row: row[0]) == [
        ("blue", 2, 0, pytest.approx(5 / 12), None),
        ("green", 1, 1, pytest.approx(1 / 3), pytest.approx(1 / 3)),
        ("red", 2, 1, pytest.approx(5 / 12), None),
    ]


def league(folder: Path) -> Path:
    """Anna and Ben play four games: Anna, Anna, nobody, Ben. In a fifth of three seats Anna sits at two and wins by one."""
    for n, (winner, seats) in enumerate(
        (
            ("red", "Anna Ben"),
            ("blue", "Ben Anna"),
            ("", "Anna Ben"),
            ("red", "Ben Anna"),
            ("blue", "Anna Anna Cleo"),
        )
    ):
        names = ("red", "blue", "green")[: len(seats.split())]
        log = Logbook(f"l{n}", names, persons=dict(zip(names, seats.split(), strict=True)))
        for _ in range(n):
            log.roll("red", 1)  # so that the last entry of each is later than the one before
        log.won(*filter(None, [winner])).put(folder)
    Logbook("goes_on", persons={"red": "Anna", "blue": "Ben"}).roll("red", 1).put(folder)
    Logbook("unnamed").won("red").put(folder)
    branch = {"game": "l0", "entry": 1, "hash": "00"}
    Logbook("what", branch=branch, persons={"red": "Ben"}).won("red").put(folder)
    return folder


def test_a_league_table_names_wins_shares_and_runs(folder: Path) -> None:
    """Anna: win, win, draw, defeat, win. Ben: two defeats, draw, win. Games that go on, what-ifs and the unnamed do not count."""
    answer = ask([league(folder)], "wins_by_person")
    assert only(answer, "person", "seats", "games", "wins", "draws", "share", "fair", "run", "best_run") == [
        ("Anna", {"blue": 3, "red": 3}, 5, 3, 1, 0.6, pytest.approx(2.5), 1, 2),
        ("Ben", {"blue": 2, "red": 2}, 4, 1, 1, 0.25, pytest.approx(2.0), 1, 1),
        ("Cleo", {"green": 1}, 1, 0, 0, 0.0, pytest.approx(0.5), -1, 0),
    ]
    assert only(ask([folder], "wins_by_person", {"person": "Ben"}), "person", "wins") == [("Ben", 1)]
    assert ask([folder], "wins_by_person", {"rules": "dragonlords"}).rows == []


def test_a_league_table_can_be_read_seat_by_seat(folder: Path) -> None:
    """Anna won once as red and twice as blue; in the last game both her seats won, for she did."""
    rows = only(
        ask([league(folder)], "wins_by_person", {"seats": "yes"}),
        "person",
        "seats",
        "games",
        "wins",
        "run",
        "best_run",
    )
    assert sorted(rows, key=str) == [
        ("Anna", {"blue": 3}, 3, 2, 1, 1), ("Anna", {"red": 3}, 3, 1, -1, 1), ("Ben", {"blue": 2}, 2, 0, 0, 0),
        ("Ben", {"red": 2}, 2, 1, 1, 1), ("Cleo", {"green": 1}, 1, 0, -1, 0),
    ]  # fmt: skip


def test_the_longest_games_come_first(folder: Path) -> None:
    """Length is counted on the live line; a what-if is no game of its own."""
    log = Logbook("back").add("red").add("red").add("red").add("red").add("red")
    log.add("red", {"Fact": "HeadMoved", "by": "red"}, parent=1).put(season(folder))
    answer = ask([folder], "longest_games", {"most": "3"})
    assert only(answer, "game", "length", "taken_back", "dice", "ended") == [
        ("g4", 8, 0, 4, True), ("g3", 7, 0, 3, True), ("g2", 6, 0, 2, True),
    ]  # fmt: skip
    rest = ask([folder], "longest_games", {"most": 100})
    assert ("back", 2, 5) in only(rest, "game", "length", "taken_back")
    assert "what" not in {row[0] for row in only(rest, "game")}


def test_endings_are_counted_by_their_word(folder: Path) -> None:
    """Draws are endings nobody won; a game that goes on has none."""
    Logbook("draw").won(how="agreed").put(season(folder))
    assert only(ask([folder], "endings"), "how", "games", "median_length", "draws") == [
        ("last_standing", 4, 6.5, 0), ("agreed", 1, 2.0, 1), ("resigned", 1, 4.0, 0), (None, 1, 2.0, 0),
    ]  # fmt: skip


def test_openings_are_the_first_commands_of_players(folder: Path) -> None:
    """Chance and arbiter open nothing; the wins stand beside; whole commands tell bids of one and of two apart."""
    answer = ask([season(folder)], "openings")
    assert only(answer, "opening", "games", "ended", "wins") == [
        ("red Bid, blue Bid", 4, 4, {"blue": 1, "red": 3}),
        ("green Bid", 1, 0, None),
        ("red Bid, blue Pass", 1, 1, {"red": 1}),
    ]
    assert only(ask([folder], "openings", {"moves": 1}), "opening", "games") == [
        ("red Bid", 5),
        ("green Bid", 1),
    ]
    whole = ask([folder], "openings", {"moves": 1, "whole": "yes"})
    assert only(whole, "opening") == [('red {"Do":"Bid"}',), ('green {"Do":"Bid"}',)]


def test_rulings_and_what_was_overlooked_are_told_apart(folder: Path) -> None:
    """A ruling has its verdict and reason; overlooked reasons are counted by code and section."""
    log = Logbook().add(
        "arbiter",
        {"Fact": "Ruled", "verdict": {"Verdict": "Upheld"}, "reason": "it stands", "because": ["LS-5.2"]},
    )
    slip = {"Fact": "Overlooked", "code": "too_few_pebbles", "because": ["TS-1.1"]}
    path = log.add("red", slip).add("blue", slip).put(folder)
    assert only(ask([path], "rulings"), "entry", "fact", "verdict", "reason", "because") == [
        (2, "Ruled", "Upheld", "it stands", ["LS-5.2"])
    ]
    assert only(ask([path], "overlooked"), "rules", "code", "because", "times", "games", "example") == [
        ("skirmish", "too_few_pebbles", ["TS-1.1"], 2, 1, "g, entry 3")
    ]


def test_take_backs_name_who_agreed_and_what_was_known(folder: Path) -> None:
    """Who moved the head, who agreed, who decided instead, what had been learned, and why; older logs too."""
    moved = {"Fact": "HeadMoved.v2", "by": "red", "agreed": ["blue"], "learned": ["the dice of entry 2"]}
    ruled = {"Fact": "HeadMoved", "arbiter": "so be it", "because": ["LS-5.3"], "by": "arbiter"}
    path = Logbook().roll("red", 1).add("red", moved, parent=1).add("arbiter", ruled, parent=1).put(folder)
    assert ask([path], "take_backs").rows == [
        ("g", 3, "red", ["blue"], None, ["the dice of entry 2"], None),
        ("g", 4, "arbiter", None, None, None, "so be it"),
    ]


# answers


def test_an_answer_can_be_written_as_csv_json_and_for_a_terminal(folder: Path) -> None:
    """Nothing is empty, lists and maps keep their shape in JSON, and a table for a terminal holds the same cells."""
    with Corpus([Logbook(title='a "b", c').put(folder)]) as corpus:
        answer = corpus.sql(
            "SELECT title, seats, opened_at, ended, how, 0.5 AS half, {'a': [1]} AS nest, 'NaN'::DOUBLE AS nan, "
            "1.50::DECIMAL(4, 2) AS price, '\\x01'::BLOB AS raw, INTERVAL 1 DAY AS day, MAP {'x': 1} AS map FROM games"
        )
    (row,) = json.loads(answer.to_json())["rows"]
    assert row == {
        "title": 'a "b", c', "seats": ["red", "blue"], "opened_at": "2026-01-01T00:00:01", "ended": False, "how": None,
        "half": 0.5, "nest": {"a": [1]}, "nan": "nan", "price": 1.5, "raw": "01", "day": "1 day, 0:00:00", "map": {"x": 1},
    }  # fmt: skip
    head, cells = list(csv.reader(io.StringIO(answer.to_csv())))
    assert head == list(answer.columns)
    assert cells[:6] == ['a "b", c', '["red","blue"]', "2026-01-01T00:00:01", "false", "", "0.5"]
    sheet = answer.to_rich()
    assert [column.header for column in sheet.columns] == head
    assert sheet.columns[head.index("half")].justify == "right"
    assert sheet.columns[0].justify == "left"
    assert str(next(iter(sheet.columns[1].cells))) == "red, blue"


@pytest.mark.parametrize(
    "cell",
    (
        "=1+1",
        '=HYPERLINK("http://x")',
        "+1+1",
        "+49 30",
        "-1+1",
        "-",
        "- no",
        "@SUM(1)",
        "\t=1",
        "\r=1",
        "\n=1",
        "\uff1d1",
        "-0x1",
    ),
)
def test_no_cell_is_a_formula_for_a_spreadsheet(cell: str) -> None:
    """A title, a name, a claim, also a column's own name: each is shown, none is worked out (OWASP, CSV Injection)."""
    quoted = cell.replace("'", "''")
    name = cell.replace('"', '""')
    with Corpus([]) as corpus:
        answer = corpus.sql(f"SELECT '{quoted}' AS \"{name}\"")
    assert list(csv.reader(io.StringIO(answer.to_csv(), newline=""))) == [[f"'{cell}"]] * 2
    assert answer.rows == [(cell,)]


@pytest.mark.parametrize(
    ("value", "cell"),
    (
        ("-5", "-5"), ("-5::DOUBLE / 2", "-2.5"), ("-1.5::DECIMAL(4, 2)", "-1.5"), ("-1e-9::DOUBLE", "-1e-9"), ("'-7'", "-7"),
        ("'-0.5'", "-0.5"), ("'+3'", "+3"), ("'-inf'::DOUBLE", "-inf"), ("[-1, 2]", "[-1,2]"), ("'a=b'", "a=b"), ("'5'", "5"),
        ("-12345678901234567890123.4::DECIMAL(38, 1)", "-12345678901234567890123.4"), ("''", ""),
    ),
)  # fmt: skip
def test_a_number_is_no_formula_and_stays_as_it_is(value: str, cell: str) -> None:
    """Whoever reads the file back finds each number, also one that is kept as a text."""
    with Corpus([]) as corpus:
        written = corpus.sql(f"SELECT {value} AS n, 1 AS other").to_csv()
    assert list(csv.reader(io.StringIO(written))) == [["n", "other"], [cell, "1"]]


def test_columns_of_one_name_are_kept_apart() -> None:
    """A row as an object has room for one `a` only: the second goes by another name, and nothing is lost."""
    with Corpus([]) as corpus:
        answer = corpus.sql("SELECT 1 AS a, 2 AS a, 3 AS a_2")
    assert list(answer.dicts()) == [{"a": 1, "a_2": 2, "a_2_2": 3}]


@pytest.mark.parametrize(
    ("value", "text"), ((None, ""), (True, "yes"), (False, "no"), (0.25, "0.25"), (1 / 3, "0.3333"), (1e-9, "1.0e-09"), (0.0, "0"),
                        (float("inf"), "inf"), ([1, None], "1, "), ({"red": 2}, "red 2"), (12, "12"))
)  # fmt: skip
def test_a_value_is_shown_as_people_read_it(value: Any, text: str) -> None:
    """Yes and no, four decimals at most, tiny chances by their power of ten."""
    assert shown(value) == text


def test_a_corpus_of_parquet_files_has_typed_columns(folder: Path, tmp_path: Path) -> None:
    """One file a table, the columns typed as declared; any program that reads Parquet reads the same rows."""
    put_table(play(rules_of("skirmish"), 2, entries=60, troubled=True), folder / "g.jsonl")
    with Corpus([folder]) as corpus:
        expected = {name: corpus.sql(f"FROM {name} ORDER BY ALL").rows for name in TABLES}
    written = export_parquet([folder], tmp_path / "it's a corpus")
    assert [path.name for path in written] == [f"{name}.parquet" for name in TABLES]
    for path in written:
        with duckdb.connect() as plain:
            shape = plain.execute("DESCRIBE FROM read_parquet($path)", {"path": str(path)}).fetchall()
            rows = plain.execute("FROM read_parquet($path) ORDER BY ALL", {"path": str(path)}).fetchall()
        assert [row[:2] for row in shape] == [(column.name, column.kind) for column in TABLES[path.stem]]
        assert rows == expected[path.stem]
    assert {path.suffix for path in written[0].parent.iterdir()} == {".parquet"}
    with pytest.raises(BadQuestion, match=r"g\.jsonl: File exists"):
        export_parquet([folder], folder / "g.jsonl")


def test_an_answer_says_where_logs_were_left_out(folder: Path) -> None:
    """Notes of the reading go with every answer, so that no count is taken for the whole."""
    path = Logbook().put(folder)
    with path.open("ab") as file:
        file.write(b"{torn")
    assert ask([path], "battles").notes == (f"{path}, line 2: the last line is torn (5 bytes) and left out",)
    assert sql([path], "SELECT 1").notes[-1].endswith("is torn (5 bytes) and left out")
