"""Variants on record: whole games of allies, short ones and long ones, lawful to their ends (QD-23)."""

import pytest

from core.games.dragonlords import RULES
from core.games.dragonlords.battle import BattleBegan, BattleEnded
from core.games.dragonlords.holdings import kingdoms_of
from core.games.dragonlords.variants import kingdoms_held, kingdoms_to_win
from events.chance import Rolled
from events.jsonl import JsonlStore, read_log
from events.play import GameEnded
from replay.history import History
from replay.sheets.adjudicate import judge
from replay.sheets.position import check_position, load_position
from replay.sheets.scoresheet import load_sheet, parse_sheet, write_sheet
from replay.simulating import Plan, play_out
from replay.verifying.verify import verify_log
from tests.games.dragonlords.variations import RECORDS, VARIATIONS

NAMES = sorted(VARIATIONS)
FOUR = ("orc", "elf", "dwarf", "barbarian")


def history(name: str) -> History:
    """Return a recorded game, folded."""
    found = History(RULES)
    for stored in JsonlStore(RECORDS, readonly=True).read(name):
        found.take_in(stored)
    assert found.stopped is None
    return found


def ended(found: History) -> GameEnded:
    over = found.now.state.ended
    assert isinstance(over, GameEnded)
    return over


@pytest.mark.parametrize("name", NAMES)
def test_a_recorded_variant_is_whole_and_lawful_to_its_end(name: str) -> None:
    """Each entry is decided again and tells what is on record (QD-23.1, QD-23.2, QD-23.3)."""
    log = read_log(RECORDS / f"{name}.jsonl")
    assert log.torn is None
    report = verify_log(RULES, log.lines, log.openings, log.head, all=True)
    assert report.whole.ok, report.whole
    assert report.lawful.ok, report.lawful
    assert set(report.grades) == {"same"}


@pytest.mark.parametrize("name", NAMES)
def test_the_public_lines_of_a_recorded_variant_can_be_judged_as_far_as_they_say(name: str) -> None:
    """Without the openings nothing is found wrong: what hangs on secrets cannot be known (QD-3.5)."""
    log = read_log(RECORDS / f"{name}.jsonl")
    report = verify_log(RULES, log.lines, (), log.head, all=True)
    assert report.whole.ok
    assert report.lawful.ok is not False, report.lawful


def test_allies_on_record_win_by_both_kings() -> None:
    """Both armies of the other player lost their kings, and both of the winner's won (QD-22.2, QD-23.1)."""
    found = history("allies_by_kings")
    won, war = ended(found), found.now.state
    losers = [seat for seat in FOUR if seat not in won.winners]
    assert (won.how, won.winners in found.now.table.players) == ("kings", True)
    assert set(losers) <= set(war.out)


def test_allies_on_record_win_by_six_kingdoms_that_they_hold_together() -> None:
    """Each holds some of the six, neither all, and more than one side has a king left (QD-22.2, QD-23.1)."""
    found = history("allies_by_kingdoms")
    won, war = ended(found), found.now.state
    held = [len(kingdoms_of(war, seat)) for seat in won.winners]
    assert won.how == "kingdoms"
    assert sum(held) == 6
    assert min(held) > 0
    assert any(seat not in war.out and seat not in won.winners for seat in FOUR)


def test_an_army_on_record_attacks_its_vanquished_ally() -> None:
    """Only after the ally has lost its king; the other player rolls for the vanquished (QD-22.1, QD-23.1)."""
    found = history("against_the_vanquished_ally")
    allies = found.now.state.allies
    attacks = [
        (entry.id, fact)
        for entry in found.entries
        for fact in entry.facts
        if isinstance(fact, BattleBegan) and allies.get(fact.attacker) == fact.defender
    ]
    rollers = set()
    for at, battle in attacks:
        assert battle.defender in found.moments[at - 1].state.out
        for entry in found.entries[at:]:
            rollers |= {
                (battle.attacker, battle.defender, fact.roller)
                for fact in entry.facts
                if isinstance(fact, Rolled) and fact.owner == battle.defender
            }
            if any(isinstance(fact, BattleEnded) for fact in entry.facts):
                break
    assert rollers, "in no such battle did the vanquished roll"
    assert all(roller in FOUR and roller not in own for *own, roller in rollers)


@pytest.mark.parametrize("name", ("short_by_three_kingdoms", "short_of_allies"))
def test_short_games_on_record_are_won_by_the_kingdoms_agreed_on(name: str) -> None:
    """The winner holds that many of the four, and nobody ever stood on tundra (QD-22.2, QD-23.2)."""
    found = history(name)
    won, now = ended(found), found.now
    assert won.how == "kingdoms"
    assert kingdoms_held(now.state, won.winners) == kingdoms_to_win(now)
    assert kingdoms_to_win(now) == (3 if name == "short_by_three_kingdoms" else 4)
    assert all(not moment.state.tundra.intersection(moment.state.armies) for moment in found.moments)


def test_the_long_game_on_record_deals_no_elemental() -> None:
    """Scrolls were dealt, and none of them is a Summon Elemental (QD-23.3)."""
    found = history("long")
    dealt = [
        fact.card for entry in found.entries for fact in entry.facts if type(fact).__name__ == "HandDealt"
    ]
    assert len(dealt) > 2
    assert not any(card.startswith("summon_elemental") for card in dealt)


def test_every_fact_that_is_sealed_on_record_is_sealed_to_a_whole_player() -> None:
    """Between allies nothing is told to one of the two seats alone (QD-23.1, LS-1.6)."""
    for name in NAMES:
        found = history(name)
        players = found.now.table.players
        sides = {frozenset(seats) for seats in players} or {
            frozenset({seat}) for seat in found.now.table.seats
        }
        told = {frozenset(opening.to) for opening in read_log(RECORDS / f"{name}.jsonl").openings}
        both = {one | other for one in sides for other in sides}
        assert told <= both, name


SHEET = RECORDS / "alliance.score"


def test_a_sheet_of_allies_is_judged_to_its_end() -> None:
    """Options and answers stand in the position; the third kingdom that the allies hold together wins (QD-23.1, QD-23.2)."""
    assert check_position(load_position(RECORDS / "alliance.toml")) == ()
    judged = judge(load_sheet(SHEET))
    assert judged.report.ok, judged.report
    again = judge(parse_sheet(write_sheet(judged.rules, judged.entries("2026-01-01T00:00:00Z"))))
    assert [one.facts for one in again.told[1:]] == [one.facts for one in judged.told[1:]]
    over = again.told[-1].facts
    assert [fact.winners for fact in over if isinstance(fact, GameEnded)] == [("orc", "dwarf")]


@pytest.mark.parametrize(
    ("old", "new", "section"),
    (
        ("attack OR_ne from OR_n", "attack G1 from OR_n", "QD-23.1"),
        ("attack IH_k from IH_sw", "attack SC_sw from IH_sw", "QD-23.2"),
        ("orc: end phase\norc: end phase", "orc: end phase\norc: transfer to G1 from OR_n with 1", "QD-23.1"),
    ),
)
def test_a_sheet_says_where_allies_met_or_tundra_was_entered(old: str, new: str, section: str) -> None:
    """The line is unlawful and left out, with the section that says why (QD-23.1, QD-23.2)."""
    text = SHEET.read_text(encoding="utf-8")
    assert text.count(old) == 1
    report = judge(parse_sheet(text.replace(old, new), SHEET)).report
    first = next(one for one in report.verdicts if one.verdict != "lawful")
    assert (first.verdict, section in first.sections) == ("unlawful", True), first


@pytest.mark.parametrize("name", ("short_by_three_kingdoms", "short_of_allies"))
def test_a_sheet_written_from_a_recorded_variant_is_the_same_game(name: str) -> None:
    """Its header says option and answer, so that it is judged by the same rules (QD-23.1, QD-23.2)."""
    found = history(name)
    sheet = write_sheet(RULES, found.entries)
    assert "option: length = short" in sheet
    judged = judge(parse_sheet(sheet))
    assert judged.report.ok
    assert [one.facts for one in judged.told[1:]] == [entry.facts for entry in found.entries[1:]]


@pytest.mark.parametrize(
    ("options", "seats"),
    (
        ({"armies": "two"}, FOUR),
        ({"armies": "two", "length": "short"}, FOUR),
        ({"armies": "two", "length": "long"}, FOUR),
        ({"length": "short"}, FOUR[:2]),
        ({"length": "long"}, FOUR[:2]),
    ),
)
def test_sensible_players_end_a_game_of_every_variant(
    options: dict[str, str], seats: tuple[str, ...]
) -> None:
    """The log is whole, lawful and fair, and nobody has to call the game off (QD-23.1, QD-23.2, QD-23.3)."""
    plan = Plan("dragonlords", "variant", seats=seats, bots=("sensible",), options=tuple(options.items()))
    found = play_out(RULES, plan, 1)
    assert ended(found).how in ("kings", "kingdoms", "no_king_left")
    kept = [found.as_stored(at) for at in range(1, len(found.entries) + 1)]
    lines = [RULES.codec.encode(sealed) for sealed, _ in kept]
    report = verify_log(RULES, lines, [each for _, openings in kept for each in openings], found.head)
    assert (report.whole.ok, report.lawful.ok, report.fair.ok) == (True, True, True)
    assert set(report.grades) == {"same"}
