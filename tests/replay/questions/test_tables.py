"""Logs as tables: what each line, fact and die becomes, on every line of the game, whoever reads."""

from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec import Raw

import core.games
from events.chain import Head, hash_of
from events.chance import Hits, Rolled
from events.jsonl import JsonlStore, read_log
from events.seals import Opening, digest_of
from events.sqlite import SqliteStore
from replay.questions.columns import TABLES
from replay.questions.queries import Corpus, Reading
from tests.driver import play
from tests.laws.worlds import rules_of
from tests.replay.questions.logbook import Ask, Logbook, encode, put_table


def test_an_entry_is_a_row_with_its_command(ask: Ask, folder: Path) -> None:
    """Each entry keeps its parent, time, seat, person and source, and the tag and body of its command."""
    log = (
        Logbook()
        .add("red", do="Bid", command={"Do": "Bid", "pebbles": 2}, actor="Ada")
        .roll("red", 3, source="live")
    )
    rows = ask(
        "SELECT id, parent, made_at::VARCHAR, seat, actor, source, command, body, sealed, live FROM entries ORDER BY id",
        log.put(folder),
    )
    assert rows == [
        (1, 0, "2026-01-01 00:00:01", "arbiter", None, None, "OpenGame", '{"Do":"OpenGame"}', False, True),
        (2, 1, "2026-01-01 00:00:02", "red", "Ada", None, "Bid", '{"Do":"Bid","pebbles":2}', False, True),
        (
            3,
            2,
            "2026-01-01 00:00:03",
            "chance",
            None,
            "live",
            "AnswerRoll",
            '{"Do":"AnswerRoll"}',
            False,
            True,
        ),
    ]


def test_a_fact_is_a_row_with_what_it_says_of_itself(ask: Ask, folder: Path) -> None:
    """Seat, place, count and sections have columns; the body is there whole; a loss has its claim word."""
    log = Logbook().add(
        "red",
        {"Fact": "PebblesLost", "seat": "blue", "count": 2, "because": ["TS-2.2", "TS-3.1"]},
        {"Fact": "Moved", "place": "hill", "seat": ["red", "blue"], "count": "two"},
    )
    rows = ask(
        "SELECT n, fact, seat, place, count, claim, because, body FROM facts WHERE entry = 2 ORDER BY n",
        log.put(folder),
    )
    assert rows == [
        (1, "PebblesLost", "blue", None, 2, "loses", ["TS-2.2", "TS-3.1"],
         '{"Fact":"PebblesLost","because":["TS-2.2","TS-3.1"],"count":2,"seat":"blue"}'),
        (2, "Moved", None, "hill", None, None, [],
         '{"Fact":"Moved","count":"two","place":"hill","seat":["red","blue"]}'),
    ]  # fmt: skip


def test_a_fact_nobody_knows_stays_with_its_body(ask: Ask, folder: Path) -> None:
    """A newer revision may tell what we do not know: it is counted, shown, and breaks nothing."""
    log = Logbook().add("red", {"Fact": "MoonRose", "colour": {"r": [1, 2]}})
    rows = ask("SELECT fact, body -> '$.colour.r[1]' FROM facts WHERE entry = 2", log.put(folder))
    assert rows == [("MoonRose", "2")]


def test_each_die_is_a_row_with_its_exact_chance(ask: Ask, folder: Path) -> None:
    """Three or less on a d6 is three sides of six; the roller is the owner unless another threw."""
    log = Logbook().roll("red", 3, 4).roll("blue", 6, roller="red", counts={"Counts": "Hits", "faces": [6]})
    rows = ask(
        "SELECT entry, n, d, die, face, pips, owner, roller, purpose, counts, success, winning, sides, chance, source "
        "FROM rolls ORDER BY entry, d",
        log.put(folder),
    )
    assert rows == [
        (2, 1, 1, "d6", "3", 3, "red", "red", "throw", "Hits", True, 3, 6, 0.5, "typed"),
        (2, 1, 2, "d6", "4", 4, "red", "red", "throw", "Hits", False, 3, 6, 0.5, "typed"),
        (3, 1, 1, "d6", "6", 6, "blue", "red", "throw", "Hits", True, 1, 6, 1 / 6, "typed"),
    ]


@pytest.mark.parametrize(
    "counts", ({"Counts": "Best", "n": 2}, {"Counts": "Sum"}, {"Counts": "Pairs"}, {"Counts": "Names"})
)
def test_dice_that_do_not_succeed_one_by_one_have_no_chance(
    ask: Ask, folder: Path, counts: dict[str, Any]
) -> None:
    """The best of some, sums, pairs and names judge no single die: success and chance are left empty."""
    rows = ask(
        "SELECT counts, success, chance, winning, sides FROM rolls",
        Logbook().roll("red", 3, counts=counts).put(folder),
    )
    assert rows == [(counts["Counts"], None, None, None, 6)]


def test_a_die_with_the_same_face_twice_counts_both_sides(
    ask: Ask, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bone with two skulls on three sides shows one with chance 2 in 3, and the table of dice says so."""
    rules = SimpleNamespace(
        facts=(), all_dice={"bone": ("skull", "skull", "blank")}, all_older_facts={}, older_commands={}
    )
    monkeypatch.setattr(core.games, "load", lambda name: rules)
    skulls = {"Counts": "Hits", "faces": ["skull"]}
    path = Logbook(game="bones").roll("red", "skull", "blank", die="bone", counts=skulls).put(folder)
    assert ask("SELECT face, pips, success, winning, sides FROM rolls ORDER BY d", path) == [
        ("skull", None, True, 2, 3),
        ("blank", None, False, 2, 3),
    ]
    assert ask("SELECT * FROM dice ORDER BY face", path) == [
        ("bones", "bone", "blank", 1, 3, "blank skull skull"),
        ("bones", "bone", "skull", 2, 3, "blank skull skull"),
    ]


def test_a_die_nobody_knows_is_counted_and_said(folder: Path) -> None:
    """Without its sides nothing can be expected of a die; that is told, not guessed."""
    path = Logbook().roll("red", 9, die="d9").put(folder)
    with Corpus([path]) as corpus:
        assert corpus.sql("SELECT die, face, success, chance, sides FROM rolls").rows == [
            ("d9", "9", False, None, None)
        ]
        assert corpus.notes == (
            "the die d9 of skirmish is not known here: what to expect of it stays unknown",
        )


def test_a_game_whose_rules_are_not_here_is_counted_all_the_same(folder: Path) -> None:
    """The ordinary dice are known without rules; losses are not, and stay empty."""
    log = (
        Logbook(game="chess").roll("red", 1).began("hill", "red", "blue").lost("red", 1).fought("hill", "red")
    )
    with Corpus([log.put(folder)]) as corpus:
        assert corpus.sql("SELECT chance FROM rolls").rows == [(0.5,)]
        assert corpus.sql("SELECT attacker_losses, defender_losses FROM battles").rows == [(None, None)]
        assert corpus.notes == ("there are no rules of chess here: its own dice and losses stay unknown",)


def test_what_was_taken_back_is_there_and_not_live(ask: Ask, folder: Path) -> None:
    """Entry 4 goes on from entry 2, so entry 3 was left: its dice stay, marked; the entry that moved the head is live."""
    log = (
        Logbook()
        .add("red")
        .roll("red", 1, 2)
        .add("red", {"Fact": "HeadMoved", "by": "red"}, do="MoveHead", parent=2)
    )
    path = log.roll("red", 3).put(folder)
    assert ask("SELECT id, live FROM entries ORDER BY id", path) == [
        (1, True), (2, True), (3, False), (4, True), (5, True),
    ]  # fmt: skip
    assert ask("SELECT entry, live, count(*) FROM rolls GROUP BY ALL ORDER BY entry", path) == [
        (3, False, 2),
        (5, True, 1),
    ]
    assert ask("SELECT entry, live FROM facts WHERE fact = 'Rolled' ORDER BY entry", path) == [
        (3, False),
        (5, True),
    ]
    assert ask("SELECT entries, taken_back FROM games", path) == [(5, 1)]


def test_an_ending_that_was_taken_back_is_none(ask: Ask, folder: Path) -> None:
    """Only an ending on the live line ends the game; the last such one says who won."""
    log = Logbook().won("red").add("red", {"Fact": "HeadMoved", "by": "red"}, parent=1)
    assert ask("SELECT ended, how, winners FROM games", log.put(folder)) == [(False, None, None)]
    assert ask("SELECT seat, won FROM seats", folder) == [("red", None), ("blue", None)]
    log.won("blue", how="alone").put(folder / "later")
    assert ask("SELECT ended, how, winners FROM games", folder / "later") == [(True, "alone", ["blue"])]
    assert ask("SELECT seat, won FROM seats", folder / "later") == [("red", False), ("blue", True)]


def test_a_game_is_a_row_with_all_its_opening_says(ask: Ask, folder: Path) -> None:
    """Rules, revision, title, dice, answers, options, and which game a what-if left."""
    log = Logbook(
        "w", ("blue", "red"), revision=7, title="Friday", dice="live", answers={"TS-X1": "four"}, options={"length": "short"},
        persons={"red": "Ada"}, branch={"game": "g", "entry": 12, "hash": "00"},
    )  # fmt: skip
    path = log.add("red").put(folder)
    assert ask("SELECT * EXCLUDE found, parse_filename(found) FROM games", path)[0][:6] == (
        "w", "skirmish", 7, "Friday", ["blue", "red"], "live",
    )  # fmt: skip
    assert ask("SELECT opened_at::VARCHAR, last_at::VARCHAR, answers, options, branch_of, branch_entry FROM games", path) == [
        ("2026-01-01 00:00:01", "2026-01-01 00:00:02", '{"TS-X1":"four"}', '{"length":"short"}', "g", 12)
    ]  # fmt: skip
    assert ask("SELECT game, seat, n, person FROM seats", path) == [
        ("w", "blue", 1, None),
        ("w", "red", 2, "Ada"),
    ]


def test_rulings_speak_of_seats_points_and_entries(ask: Ask, folder: Path) -> None:
    """They stand whatever is taken back afterwards, a forfeit and a penalty in the seat's row too; a correction does not."""
    log = Logbook("g", ("red", "blue", "green"))
    log.add("blue", {"Fact": "DisputeRaised", "seat": "blue", "at": 1, "claim": "not so"}, do="RaiseDispute")
    ruled = {"Fact": "Ruled", "reason": "looked it up", "because": ["LS-5.2"]}
    log.add("arbiter", ruled | {"verdict": {"Verdict": "Upheld"}, "dispute": 2}, do="Rule")
    log.add(
        "arbiter", ruled | {"verdict": {"Verdict": "Answered", "point": "TS-X1", "answer": "four"}}, do="Rule"
    )
    log.add(
        "arbiter", ruled | {"verdict": {"Verdict": "Penalised", "seat": "red", "what": "late"}}, do="Rule"
    )
    log.add("arbiter", ruled | {"verdict": {"Verdict": "Forfeited", "seat": "green"}}, do="Rule")
    log.add("arbiter", {"Fact": "Corrected", "reason": "a coin fell"}, do="Correct")
    log.add("arbiter", ruled | {"verdict": {"Verdict": "WentBack", "to": 1}}, do="Rule", parent=1)
    log.add("red", {"Fact": "Overlooked", "code": "too_few_pebbles", "because": ["TS-1.1"]})
    log.add("arbiter", {"Fact": "Corrected", "reason": "a pebble fell"}, do="Correct")
    path = log.put(folder)
    assert ask(
        "SELECT entry, fact, verdict, seat, point, answer, code, dispute, about, reason, live FROM rulings ORDER BY entry",
        path,
    ) == [
        (2, "DisputeRaised", None, "blue", None, None, None, None, 1, "not so", True),
        (3, "Ruled", "Upheld", None, None, None, None, 2, None, "looked it up", True),
        (4, "Ruled", "Answered", None, "TS-X1", "four", None, None, None, "looked it up", True),
        (5, "Ruled", "Penalised", "red", None, None, None, None, None, "looked it up", True),
        (6, "Ruled", "Forfeited", "green", None, None, None, None, None, "looked it up", True),
        (7, "Corrected", None, None, None, None, None, None, None, "a coin fell", False),
        (8, "Ruled", "WentBack", None, None, None, None, None, 1, "looked it up", True),
        (9, "Overlooked", None, "red", None, None, "too_few_pebbles", None, None, None, True),
        (10, "Corrected", None, None, None, None, None, None, None, "a pebble fell", True),
    ]
    assert ask("SELECT seat, forfeited, penalties FROM seats ORDER BY n", path) == [
        ("red", False, 1), ("blue", False, 0), ("green", True, 0),
    ]  # fmt: skip


def test_a_spectator_sees_no_sealed_value_and_a_seat_its_own(ask: Ask, folder: Path) -> None:
    """Sealed facts and commands stay digests; a seat reads what its openings open, whoever gives all reads all."""
    path = put_table(play(rules_of("skirmish"), seed=3, entries=30), folder / "g.jsonl")
    by_seat = "SELECT seat, count(*) FROM entries WHERE command = 'Bid' GROUP BY ALL ORDER BY ALL"
    assert ask(by_seat, path) == []
    assert ask("SELECT count(*) FROM facts WHERE fact = 'BidNamed' OR body LIKE '%\"bid\"%'", path) == [(0,)]
    (sealed,) = ask("SELECT count(*) FROM entries WHERE command = 'Sealed' AND sealed", path)
    own = ask(by_seat, path, reading=Reading(as_seat="red"))
    assert [seat for seat, _ in own] == ["red"]
    everybody = ask(by_seat, path, reading=Reading(openings=True))
    assert sum(count for _, count in everybody) == sealed[0]
    assert dict(own).items() <= dict(everybody).items()
    opened = ask("SELECT DISTINCT fact, sealed FROM facts WHERE fact IN ('BidNamed', 'BidMade', 'Sealed') ORDER BY ALL", path,
                 reading=Reading(openings=True))  # fmt: skip
    assert opened == [("BidMade", False), ("BidNamed", True)]


def test_older_facts_are_counted_in_todays_shape(
    ask: Ask, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An upcaster may make two facts of one; all keep the entry, and are numbered as the entry is read today."""

    def split(raw: dict[str, Any]) -> list[dict[str, Any]]:
        return [{"Fact": "Lost", "seat": seat, "count": 1} for seat in raw["seats"]]

    rules = SimpleNamespace(
        facts=(), all_dice={}, all_older_facts={"LostBoth": (("Lost",), split)},
        older_commands={"Hit": (("Strike",), lambda raw: [{"Do": "Strike", "hard": raw["hard"]}])},
    )  # fmt: skip
    monkeypatch.setattr(core.games, "load", lambda name: rules)
    log = Logbook().add(
        "red",
        {"Fact": "LostBoth", "seats": ["red", "blue"]},
        {"Fact": "Over"},
        command={"Do": "Hit", "hard": 3},
    )
    path = log.put(folder)
    assert ask("SELECT n, fact, seat FROM facts WHERE entry = 2 ORDER BY n", path) == [
        (1, "Lost", "red"), (2, "Lost", "blue"), (3, "Over", None),
    ]  # fmt: skip
    assert ask("SELECT command, body FROM entries WHERE id = 2", path) == [
        ("Strike", '{"Do":"Strike","hard":3}')
    ]


def test_every_store_gives_the_same_tables(ask: Ask, folder: Path, tmp_path: Path) -> None:
    """The same logs from files, from a folder as a store, from a SQLite file and from a store that is open already."""
    with_openings = Reading(openings=True)
    written = [
        put_table(play(rules_of("skirmish"), seed, entries=40), folder / f"s{seed}.jsonl") for seed in (1, 2)
    ]
    lines = [read_log(path) for path in written]
    # The test's table names every game `game`; a store and a corpus tell games apart by their names.
    stores = SqliteStore(tmp_path / "games.db"), JsonlStore(tmp_path / "kept")
    for store in stores:
        for path, log in zip(written[:1], lines[:1], strict=True):
            head = Head()
            for n, line in enumerate(log.lines, start=1):
                told = [opening for opening in log.openings if opening.entry == n]
                store.append(path.stem, line, expected=head, openings=told)
                head = Head(n, hash_of(line))
    everything = "SELECT game, entry, n, body, sealed, live FROM facts ORDER BY ALL"
    expected = ask(everything, written[0], reading=with_openings)
    assert len(expected) > 40
    assert ask(everything, tmp_path / "games.db", reading=with_openings) == expected
    assert ask(everything, tmp_path / "kept", reading=with_openings) == expected
    assert ask(everything, stores[0], reading=with_openings) == expected
    for store in stores:
        store.close()


def test_small_batches_give_the_same_tables(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However few lines go to DuckDB at once, the tables are the same: nothing depends on where a batch ends."""
    for seed in range(4):
        put_table(play(rules_of("skirmish"), seed, entries=40, troubled=True), folder / f"g{seed}.jsonl")

    def everything() -> dict[str, list[tuple[Any, ...]]]:
        with Corpus([folder]) as corpus:
            return {name: corpus.sql(f"FROM {name} ORDER BY ALL").rows for name in TABLES}

    whole = everything()
    monkeypatch.setattr("replay.questions.tables.loading.BATCH_BYTES", 700)
    assert everything() == whole
    assert len(whole["facts"]) > 200


@pytest.mark.parametrize("seed", range(6))
def test_the_tables_agree_with_a_plain_count_of_the_log(ask: Ask, folder: Path, seed: int) -> None:
    """Over games with take-backs, disputes and rulings: live entries, facts by tag, dice and successes."""
    table = play(rules_of("skirmish"), seed, entries=120, troubled=True)
    path = put_table(table, folder / "g.jsonl")
    entries = [told.entry for told in table.log]
    live, at = set(), len(entries)
    while at:
        live.add(at)
        at = entries[at - 1].parent
    assert {row[0] for row in ask("SELECT id FROM entries WHERE live", path)} == live
    counted = Counter(type(fact).__struct_config__.tag for entry in entries for fact in entry.facts)
    told: dict[str, int] = dict(
        ask("SELECT fact, count(*) FROM facts GROUP BY fact", path, reading=Reading(openings=True))
    )
    assert told == counted
    dice: Counter[tuple[str, bool, bool]] = Counter()
    for entry in entries:
        for fact in entry.facts:
            if isinstance(fact, Rolled) and isinstance(fact.counts, Hits):
                for face in fact.faces:
                    dice[fact.owner, face in fact.counts.faces, entry.id in live] += 1
    rows = ask("SELECT owner, success, live, count(*) FROM rolls GROUP BY ALL", path)
    assert {(owner, success, lives): count for owner, success, lives, count in rows} == dice


def test_a_false_opening_is_found(folder: Path) -> None:
    """An opening that does not fit its digest is damage, not an answer."""
    log = Logbook().add(
        "red", {"Fact": "Sealed", "digest": digest_of(b"\0" * 16, b'{"Fact":"BidNamed"}'), "to": ["red"]}
    )
    log.openings.append(Opening(2, 0, "00" * 16, ("red",), Raw(encode({"Fact": "BidNamed", "bid": 5}))))
    path = log.put(folder)
    with pytest.raises(ValueError, match=r"g\.jsonl, line 2: the opening of part 0 does not fit its digest"):
        Corpus([path], reading=Reading(as_seat="red"))
    Corpus([path]).close()
