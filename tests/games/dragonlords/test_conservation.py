"""Nothing comes from nowhere or goes nowhere: the books against the state, and assertions in SQL, at every entry (QD-1.3)."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from core.games.dragonlords import RULES
from core.games.dragonlords.armies import GoldTaken, UnitsLost, UnitsMoved, UnitsPlaced, UnitsStruck
from core.games.dragonlords.books import Books, stock
from core.games.dragonlords.chips import ChipLost, TreasureTaken
from core.games.dragonlords.decks import deck_data, deck_for, scrolls
from core.games.dragonlords.docks import ShipsSailed, ShipsSunk
from core.games.dragonlords.ending import KingBeaten
from core.games.dragonlords.items import GOODS, ItemsMoved
from core.games.dragonlords.purchase import GoldPaid, price
from core.games.dragonlords.quest_cards import QuestCardRead
from core.games.dragonlords.reinforcements import PurchaseUsed
from core.games.dragonlords.scroll_book import ScrollRead
from core.games.dragonlords.state import War
from core.telling import Endless
from events.chain import hash_of
from events.jsonl import write_log
from replay.history import History
from replay.questions.asserting import BOOKS, Breach, assertions, audit
from replay.questions.queries import Corpus
from replay.simulating import Plan, Played, Stuck, play_out
from replay.verifying.conserving import lost_pieces
from tests.driver import given
from tests.games.dragonlords.field import home
from tests.replay.questions.logbook import Logbook

SEATS = ("orc", "elf", "dwarf", "barbarian")
MIXED = ("random", "sensible")


def played(rules: Any, number: int, *, most: int = 900, tag: str = "keep") -> Played:
    """Return a game of bots as far as it goes; one that gets stuck, as mutated rules may, ends there."""
    plan = Plan("dragonlords", tag, seats=SEATS[: 2 + number % 3], bots=MIXED, most=most)
    game = Played(rules, plan, number)
    try:
        game.to_the_end()
    except (Stuck, Endless, KeyError, ValueError, AssertionError):
        assert rules is not RULES
    return game


def kept(game: Played, folder: Path) -> Path:
    path = folder / f"{game.name}.jsonl"
    write_log(path, game.lines, game.openings, head=game.history.head)
    return path


def broken_in_sql(path: Path) -> set[str]:
    """Return the names of the assertions that a log breaks."""
    return {each.assertion for each in audit([path]).breaches} - {BOOKS}


# It holds


@pytest.mark.parametrize("number", range(1, 5))
def test_books_and_assertions_hold_at_every_entry_of_a_game(number: int, tmp_path: Path) -> None:
    """Units, gold, ships, chips, pegs, items and cards: what the facts say is what stands (QD-1.3)."""
    game = played(RULES, number)
    assert list(lost_pieces(RULES, game.history)) == []
    found = audit([kept(game, tmp_path)])
    assert found.breaches == ()
    assert found.entries == len(game.lines)
    assert set(found.assertions) == {BOOKS, *(each.name for each in assertions("dragonlords"))}


def test_they_hold_of_every_recording() -> None:
    """Games on record, those with positions, take-backs and unseen cards among them, break no law."""
    assert audit(["fixtures/dragonlords"]).breaches == ()


@pytest.mark.stress
def test_they_hold_of_many_games(rounds: Callable[[int], int], tmp_path: Path) -> None:
    """A hundred games and more, random and sensible, at tables of two to four."""
    for number in range(1, 1 + rounds(120)):
        game = played(RULES, number, most=4_000, tag="many")
        assert list(lost_pieces(RULES, game.history)) == []
        kept(game, tmp_path)
    assert audit([tmp_path]).breaches == ()


# They can fail: a fact that does not do what it says


def nothing(_fact: Any, state: War) -> War:
    return state


def stays_on_the_board(fact: UnitsLost, state: War) -> War:
    return structs.replace(
        state,
        struck={name: hits for name, hits in state.struck.items() if name != f"{fact.seat}@{fact.place}"},
    )


def not_back_in_the_supply(fact: UnitsLost, state: War) -> War:
    after = _TRUE[UnitsLost](fact, state)
    return structs.replace(after, muster=state.muster)


def one_more(fact: UnitsPlaced, state: War) -> War:
    more = fact.units + (state.turn > 0)
    return _TRUE[UnitsPlaced](structs.replace(fact, units=more), state)


def all_stay(fact: UnitsMoved, state: War) -> War:
    after = _TRUE[UnitsMoved](fact, state)
    armies = dict(after.armies)
    if fact.origin in state.armies and fact.origin not in armies:
        armies[fact.origin] = state.armies[fact.origin]
    return structs.replace(after, armies=armies)


def kept_in_hand(fact: ScrollRead, state: War) -> War:
    return structs.replace(state, scrolls_used=(*state.scrolls_used, fact.scroll))


def given_and_kept(fact: ItemsMoved, state: War) -> War:
    return _TRUE[ItemsMoved](structs.replace(fact, source=""), state)


_TRUE: dict[type, Callable[[Any, War], War]] = {
    kind: kind.onto
    for kind in (UnitsLost, UnitsPlaced, UnitsMoved, GoldPaid, ScrollRead, ItemsMoved, ShipsSunk, ShipsSailed,
                 QuestCardRead, PurchaseUsed, ChipLost, TreasureTaken, GoldTaken)
}  # fmt: skip
MUTATIONS: tuple[tuple[type, Callable[[Any, War], War], set[str]], ...] = (
    (UnitsLost, stays_on_the_board, {"dragonlords.units", "dragonlords.losses"}),
    (UnitsPlaced, one_more, {"dragonlords.units", "dragonlords.losses"}),
    (UnitsMoved, all_stay, {"dragonlords.units", "dragonlords.losses"}),
    (GoldPaid, nothing, {"dragonlords.gold"}),
    (ScrollRead, kept_in_hand, {"dragonlords.scrolls", "dragonlords.hands"}),
    (ItemsMoved, given_and_kept, {"dragonlords.items"}),
    (QuestCardRead, nothing, {"dragonlords.quest_cards"}),
    (PurchaseUsed, nothing, {"dragonlords.purchases"}),
)
"""Facts that break conservation, and the assertions of which one at least must find it in the log."""
LOOSE: Any = replace(RULES, sound=lambda *_: ())
"""The rules, blind to unsound states: the books and the assertions must find alone what soundness would."""


@pytest.mark.parametrize(("kind", "onto", "names"), MUTATIONS, ids=lambda part: getattr(part, "__name__", ""))
def test_a_fact_that_breaks_conservation_is_found_by_both(
    kind: type,
    onto: Callable[[Any, War], War],
    names: set[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    """The books find it where it happens; the log shows it where what is too many is used (QD-1.3)."""
    in_books, in_sql = False, False
    for number in range(1, 13):
        with monkeypatch.context() as mutated:
            mutated.setattr(kind, "onto", onto)
            game = played(LOOSE, number, most=1200, tag="broken")
            first = next(lost_pieces(LOOSE, game.history), None)
        in_books |= first is not None
        if first is not None:
            told = [type(fact).__name__ for fact in game.history.entries[first.entry - 1].facts]
            assert kind.__name__ in told
        in_sql |= bool(broken_in_sql(kept(game, tmp_path)) & names)
        if in_books and in_sql:
            return
    raise AssertionError(f"found in the books: {in_books}, in SQL: {in_sql}")


def test_a_lost_unit_that_does_not_return_to_the_supply_is_found_at_its_entry(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What was raised and not lost must stand on the board: the first loss that is not counted is told (QD-10.8)."""
    monkeypatch.setattr(UnitsLost, "onto", not_back_in_the_supply)
    game = played(LOOSE, 1, tag="broken")
    first = next(lost_pieces(LOOSE, game.history))
    assert first.what.startswith("lost ")
    assert any(isinstance(fact, UnitsLost) for fact in game.history.entries[first.entry - 1].facts)
    assert not any(
        isinstance(fact, UnitsLost)
        for entry in game.history.entries[: first.entry - 1]
        for fact in entry.facts
    )


def forged(history: History, kind: type, **fields: Any) -> tuple[list[Any], int]:
    """Return the entries with the first fact of a kind changed, and the entry it stands in."""
    entries: list[Any] = list(history.entries)
    for place, entry in enumerate(entries):
        facts: tuple[Any, ...] = entry.facts
        fact: Any
        for n, fact in enumerate(facts):
            if type(fact) is kind and all(getattr(fact, name) != value for name, value in fields.items()):
                changed: tuple[Any, ...] = (*facts[:n], structs.replace(fact, **fields), *facts[n + 1 :])  # type: ignore[type-var]
                entries[place] = structs.replace(entry, facts=changed)
                return entries, entry.id
    raise AssertionError(f"no {kind.__name__} in this game")


def laid_open(entries: list[Any], path: Path) -> Path:
    """Write entries with nothing sealed, each hanging on the one before."""
    lines: list[bytes] = []
    for entry in entries:
        lines.append(RULES.codec.encode(structs.replace(entry, prev=hash_of(lines[-1]) if lines else "")))
    write_log(path, lines)
    return path


def test_a_loss_that_does_not_pay_its_hits_is_found_in_the_log(tmp_path: Path) -> None:
    """A log that says that nobody was lost where somebody was hit: the books and SQL name the entry (QD-10.8)."""
    game = played(RULES, 2)
    entries, at = forged(game.history, UnitsLost, count=0)
    path = laid_open(entries[:at], tmp_path / "forged.jsonl")
    found = {each.assertion: each for each in audit([path]).breaches}
    assert {BOOKS, "dragonlords.losses"} <= set(found)
    assert {found[BOOKS].entry, found["dragonlords.losses"].entry} == {at}
    assert isinstance(found[BOOKS], Breach)
    assert found["dragonlords.losses"].found == "0"


def test_a_price_that_is_not_paid_is_found_in_the_log(tmp_path: Path) -> None:
    """Whoever bought units for one gold less is named with what they cost (QD-4.2)."""
    game = played(RULES, 2)
    entries, at = forged(game.history, GoldPaid, gold=1)
    path = laid_open(entries[:at], tmp_path / "cheap.jsonl")
    (found,) = (each for each in audit([path]).breaches if each.assertion == "dragonlords.prices")
    assert (found.entry, found.found) == (at, "1")


# What the assertions know of the game


def text_of(name: str) -> str:
    return next(each.sql for each in assertions() if each.name == f"dragonlords.{name}")


def test_the_scrolls_in_sql_are_those_of_the_deck() -> None:
    """Each scroll with the number of its copies, and the number of all (QD-16.1)."""
    for name in ("scrolls", "hands"):
        text = text_of(name)
        for card in set(scrolls()):
            assert f"('{card}', {scrolls().count(card)})" in text
    assert f"if(long, {len(deck_for('long'))}, {len(scrolls())}) - count(*)" in text_of("scrolls")


def test_an_elemental_in_a_long_game_comes_from_nowhere(tmp_path: Path) -> None:
    """A usual game in which one was dealt is called a long one: books and assertions tell it apart (QD-23.3)."""
    games = (played(RULES, number, most=60) for number in range(1, 40))
    game = next(
        one for one in games if any(b"summon_elemental" in bytes(each.value) for each in one.openings)
    )
    first = game.lines[0].replace(b'"length":"usual"', b'"length":"long"')
    assert first != game.lines[0]
    path = tmp_path / "long.jsonl"
    write_log(path, [first, *game.lines[1:]], game.openings)
    assert {"dragonlords.scrolls", "dragonlords.hands"} <= broken_in_sql(path)


def test_the_prices_in_sql_are_those_of_the_book() -> None:
    """Items, ships and units cost what the rules say (QD-1.2, QD-4.2, QD-6.6)."""
    text = text_of("prices")
    for item in GOODS.values():
        assert f"('{item.id}', {item.cost})" in text
    assert [price(seat, 6) for seat in ("orc", "elf", "dwarf", "barbarian")] == [16, 18, 18, 24]
    assert "10 * (units // 4) + 3 * (units % 4)" in text
    assert "'barbarian' THEN 4 * units ELSE 3 * units" in text


def test_the_box_in_sql_is_that_of_the_data() -> None:
    """Ships, DragonLords, treasures and quest cards are as many as the box holds (QD-1.3)."""
    supplies = deck_data()["supplies"]
    assert f"in play, at most', {supplies['ships']}" in text_of("ships")
    assert f"in play, at most', {supplies['dragonlords']}" in text_of("units")
    assert f"in play, at most', {len(deck_data()['treasures'])}" in text_of("treasures")
    assert f"{len(deck_data()['quest_cards'])} - drawn" in text_of("quest_cards")


# The books


def test_the_box_holds_no_ninth_ship() -> None:
    """QD-1.3: eight ships in all, those that were bought and not yet placed among them."""
    table = given(RULES, home("orc", "OR_k", 3), home("elf", "IH_k", 3), seats=("orc", "elf"))
    books = Books(stock(table.state))
    books.put("ship", ("OR_k",), 8)
    books.put("bought", ("orc", "ship"), 1)
    assert ("ships in play, at most", 8, 9) in list(books.tally(table.state))


def test_a_game_of_bots_is_the_same_without_the_books() -> None:
    """Books are kept beside the game and change nothing in it."""
    plan = Plan("dragonlords", "keep", seats=SEATS[:2], bots=MIXED, most=200)
    before = play_out(RULES, plan, 1).head
    history = play_out(RULES, plan, 1)
    list(lost_pieces(RULES, history))
    assert history.head == before


@pytest.mark.parametrize(("lost", "breaks"), ((2, False), (1, True)))
def test_what_is_lost_after_a_king_has_fallen_pays_no_hits(lost: int, breaks: bool, tmp_path: Path) -> None:
    """QD-10.8, QD-22.1: of three at sea two pay two hits; the third is lost because nobody holds its home any more."""
    place: dict[str, Any] = {"seat": "elf", "place": "S4"}
    told: list[dict[str, Any]] = [
        {"Fact": "UnitsPlaced", **place, "units": 3},
        {"Fact": "UnitsStruck", **place, "count": 2},
        {"Fact": "UnitsLost", **place, "count": lost},
        {"Fact": "KingBeaten", "seat": "elf"},
        {"Fact": "UnitsLost", **place, "count": 3 - lost},
    ]
    path = Logbook(seats=("elf", "orc"), game="dragonlords").add("elf", *told).put(tmp_path)
    with Corpus([path]) as corpus:
        rows = corpus.sql(text_of("losses")).rows
    assert rows == ([("g", 2, "losses of elf in S4", 2, lost)] if breaks else [])
    facts = [
        UnitsPlaced("elf", "S4", 3), UnitsStruck("elf", "S4", 2), UnitsLost("elf", "S4", lost), KingBeaten("elf"),
        UnitsLost("elf", "S4", 3 - lost),
    ]  # fmt: skip
    books = Books().booked(facts, War())
    assert books.amiss == ([("losses of elf in S4", 2, lost)] if breaks else [])
