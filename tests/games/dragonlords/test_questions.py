"""Questions to the games on record: every sort of battle, and what this game alone can be asked."""

from pathlib import Path
from typing import Any

import pytest

from core.games.dragonlords.board import KINGDOMS
from core.games.dragonlords.decks import scrolls
from core.games.dragonlords.holdings import kingdoms_of
from core.games.dragonlords.scroll_book import SCROLLS
from core.games.dragonlords.state import War
from core.telling import Moment
from replay.cli import main
from replay.cli.kept import session_at
from replay.cli.stepping import Stepper
from replay.questions.answers import Table
from replay.questions.queries import BadQuestion, Corpus, Limits, Reading, ask, question
from tests.games.dragonlords.recorded import FOLDER, LOGS, entries_of, moments_of
from tests.replay.questions.logbook import Logbook

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


# the turning point


def standing(now: Moment[War], by: str) -> dict[str, int]:
    """Return what each side has at a moment, by the state itself: units, or kingdoms; nothing of who lost his king."""
    held: dict[str, int] = {}
    for seat in now.state.seats:
        side = next((" and ".join(own) for own in now.table.players if seat in own), seat)
        muster = now.state.muster[seat]
        counted = muster.raised - muster.lost if by == "units" else len(kingdoms_of(now.state, seat))
        held[side] = held.get(side, 0) + (0 if seat in now.state.out else counted)
    return {side: count for side, count in held.items() if count}


@pytest.mark.parametrize("log", LOGS, ids=lambda log: f"{log.parent.name}-{log.stem}")
def test_what_each_side_has_in_a_round_is_what_the_state_says(log: Path) -> None:
    """Units and kingdoms are followed by facts alone; at each beginning of a round and at the end the fold has the same."""
    moments = moments_of(entries_of(log))
    for by in ("units", "kingdoms"):
        answer = ask([log], "turning_point", {"by": by, "most": 1000})
        rows = sorted(only(answer, "round", "began", "before", "after"))
        for n, (_, began, before, after) in enumerate(rows):
            # Where a game begins from a position the first round begins with it.
            assert before == standing(moments[began if began > 2 else 1], by)
            assert after == (rows[n + 1][2] if n + 1 < len(rows) else standing(moments[-1], by))


def war(folder: Path) -> Path:
    """Three rounds of two seats: the Elves lead by 12 to 8, lose 6 in battle, raise 1, and then 1 more each round."""
    log = Logbook("war", game="dragonlords", seats=("orc", "elf"))

    def placed(seat: str, place: str, units: int) -> dict[str, Any]:
        return {"Fact": "UnitsPlaced", "seat": seat, "place": place, "units": units, "because": ["QD-21.1"]}

    log.add("orc", placed("orc", "OR_k", 8)).add("elf", placed("elf", "AL_k", 12))
    for seat in ("orc", "elf"):
        log.add(seat, {"Fact": "TurnBegan", "seat": seat})
    log.add("elf", placed("elf", "AL_k", 0), {"Fact": "TurnBegan", "seat": "orc"})
    log.began("AL_n", "orc", "elf")
    log.add("elf", {"Fact": "UnitsLost", "seat": "elf", "place": "AL_k", "count": 4})
    log.add("elf", {"Fact": "UnitsLost", "seat": "elf", "place": "AL_k", "count": 2})
    log.fought("AL_n", "orc").add("elf", {"Fact": "TurnBegan", "seat": "elf"})
    log.add("elf", placed("elf", "AL_k", 1)).add("orc", {"Fact": "TurnBegan", "seat": "orc"})
    return log.add("elf", placed("elf", "AL_k", 0)).add("elf", placed("elf", "AL_k", 1)).put(folder)


def test_the_war_turned_where_the_lead_passed_for_good_or_most_changed_sides(tmp_path: Path) -> None:
    """Round 2: from 8 of 20 to 8 of 15 the Orcs gain 2/15; the battle took 6, the new unit gave 1."""
    answer = ask([war(tmp_path)], "turning_point")
    assert only(answer, "round", "began", "before", "after", "led_before", "led_after", "for_good") == [
        (2, 6, {"elf": 12, "orc": 8}, {"elf": 7, "orc": 8}, "elf", "orc", False),
        (3, 13, {"elf": 7, "orc": 8}, {"elf": 8, "orc": 8}, "orc", None, False),
        (1, 4, {"elf": 12, "orc": 8}, {"elf": 12, "orc": 8}, "elf", "elf", False),
    ]
    assert only(answer, "swing", "gained_by", "lost_by", "entry", "what") == [
        (pytest.approx(8 / 15 - 8 / 20), "orc", "elf", 10, "battle battle over AL_n, won by orc"),
        (pytest.approx(8 / 15 - 8 / 16), "elf", "orc", 15, "units placed in AL_k (QD-21.1)"),
        (0, None, None, None, None),
    ]
    assert ask([tmp_path], "turning_point", {"most": 1}).rows == answer.rows[:1]


def test_a_lead_that_stays_to_the_end_is_named_before_larger_swings() -> None:
    """The Dwarves overtook in round 2; the last round, when the king of the Orcs fell, swung more."""
    answer = ask([FOLDER / "land" / "kings_of_four.jsonl"], "turning_point")
    assert only(answer, "round", "for_good", "led_before", "led_after") == [
        (2, True, "orc", "dwarf"), (3, False, "dwarf", "dwarf"), (1, False, None, "orc"),
    ]  # fmt: skip
    swings = [row[0] for row in only(answer, "swing")]
    assert swings[1] > swings[0] > swings[2]
    assert only(answer, "entry", "what")[0] == (246, "land battle over SC_sw, won by dwarf")


def test_of_what_weighs_alike_the_same_is_named_every_time(tmp_path: Path) -> None:
    """Six places were filled alike: the first by name is told, however often it is asked."""
    log = Logbook("even", game="dragonlords", seats=("orc", "elf", "dwarf"))
    log.add("orc", {"Fact": "TurnBegan", "seat": "orc"})
    held = {"orc": ("OR_s", "OR_n"), "elf": ("AL_s", "AL_n"), "dwarf": ("FM_s", "FM_n")}
    for seat, places in held.items():
        log.add(
            seat,
            *(
                {"Fact": "UnitsPlaced", "seat": seat, "place": place, "units": 3, "because": ["QD-21.1"]}
                for place in places
            ),
        )
    path = log.put(tmp_path)
    told = {only(ask([path], "turning_point", {"most": 1}), "what")[0][0] for _ in range(20)}
    assert told == {"units placed in FM_n (QD-21.1)"}


def test_strength_is_counted_in_units_or_in_kingdoms_and_nothing_else() -> None:
    """Another word is told with those that can be; the question knows every kingdom of the board."""
    assert all(f"'{kingdom}'" in question("turning_point").sql for kingdom in KINGDOMS)
    with pytest.raises(BadQuestion, match="by is units or kingdoms, not 'gold'"):
        ask([], "turning_point", {"by": "gold"})


# scrolls


def test_a_scroll_that_was_turned_back_is_told_with_all_that_followed() -> None:
    """The Orcs sent an elemental, the Elves turned it back on the king of the Orcs, and took his hand (QD-16.3, QD-14.2)."""
    answer = ask([FOLDER / "endings" / "own_scroll.jsonl"], "scroll_use", reading=Reading(openings=True))
    assert only(answer, "entry", "act", "seat", "scroll", "user", "place", "against") == [
        (2, "read", "orc", "summon_elemental.fire", "orc.king", "FM_k", "elf"),
        (3, "turned_back", "elf", "reflect", "elf.king", "FM_k", "orc"),
        (4, "taken", "elf", "berserk", None, None, "orc"),
    ]
    assert only(answer, "effect", "lost", "gained") == [
        ("turned back by elf; orc lost 3 in OR_k; the king of orc fell", 3, None),
        ("summon_elemental.fire", None, None),
        ("1 scroll", None, None),
    ]


def test_each_sort_of_scroll_is_told_with_what_it_did(tmp_path: Path) -> None:
    """What strikes takes units or is stopped, Charm gains a DragonLord; others as they are told in a log by hand."""
    answer = ask([FOLDER / "stages" / "scrolls.jsonl"], "scroll_use", {"act": "read"})
    assert only(answer, "entry", "scroll", "effect") == [
        (6, "charm", "a DragonLord in WT12"),
        (7, "summon_elemental.earth", "elf lost 1 in FM_k"),
        (9, "summon_elemental.water", "elf lost 2 in FM_ne"),
        (15, "infernal", "elf lost 2 in G1"),
        (19, "berserk", "stopped by elf.wizard.1"),
        (21, "tempest", "elf lost 1 in G1"),
        (26, "berserk", "orc lost 1 in G1"),
    ]
    log = Logbook("rest", game="dragonlords", seats=("orc", "elf"))

    def read(scroll: str, section: str, *followed: dict[str, Any], target: str = "") -> None:
        told = {"Fact": "ScrollRead", "seat": "orc", "scroll": scroll, "user": "orc.king", "place": "OR_k"}
        log.add("orc", told | {"target": target}, *({"because": [section]} | fact for fact in followed))

    read("ship", "QD-16.6", {"Fact": "ShipsDocked", "seat": "orc", "place": "OR_k", "count": 1})
    read("legion", "QD-16.7", {"Fact": "LegionCame", "seat": "orc", "place": "OR_k", "count": 4})
    seen = {"Fact": "HandSeen", "seat": "orc", "of": "elf", "scrolls": ["ship", "reflect"]}
    read("clairvoyance", "QD-16.9", seen, target="elf")
    read("clairvoyance", "QD-16.9", {"Fact": "Sealed", "digest": "00", "to": ["orc"]}, target="elf")
    counts = {"Counts": "Sum"}
    rolled = {
        "Fact": "Rolled",
        "die": "d8",
        "faces": [3],
        "owner": "elf",
        "purpose": "tempest",
        "counts": counts,
    }
    read("tempest", "QD-16.5", rolled, target="elf")
    # What a battle takes later is none of the scroll's doing.
    log.add("elf", {"Fact": "UnitsLost", "seat": "elf", "place": "OR_k", "count": 2, "because": ["QD-10.8"]})
    read("berserk", "QD-16.4", target="elf")
    answer = ask([log.put(tmp_path)], "scroll_use")
    assert only(answer, "scroll", "effect", "lost", "gained") == [
        ("ship", "a ship in OR_k", None, None),
        ("legion", "4 units came to OR_k", None, 4),
        ("clairvoyance", "saw ship, reflect", None, None),
        ("clairvoyance", "saw the scrolls of elf", None, None),
        ("tempest", "nothing lost", None, None),
        ("berserk", None, None, None),
    ]


def test_the_question_about_scrolls_knows_the_section_of_each() -> None:
    """What struck by a section is a scroll's doing; every kind but Reflect has its own line."""
    told = question("scroll_use").sql
    for kind in dict.fromkeys(card.partition(".")[0] for card in scrolls()):
        assert kind == "reflect" or f"WHEN '{kind}' THEN '{SCROLLS[kind].section}'" in told


def test_whoever_asks_reads_of_cards_what_he_knows_and_no_more() -> None:
    """Orc and Dwarf are one player's; the others' cards stay out of their answer, and all of them out of everybody's."""
    game = FOLDER / "variants" / "allies_by_kings.jsonl"
    drawn = {"act": "drawn"}
    everybody = only(ask([game], "scroll_use", drawn), "seat", "scroll")
    assert len(everybody) == 7
    assert {scroll for _, scroll in everybody} == {None}
    theirs = only(ask([game], "scroll_use", drawn, reading=Reading(as_seat="orc")), "seat", "scroll")
    assert theirs == [
        ("orc", "infernal"), ("elf", None), ("dwarf", "berserk"), ("barbarian", None), ("barbarian", None),
        ("orc", "summon_elemental.earth"), ("elf", None),
    ]  # fmt: skip
    opened = only(ask([game], "scroll_use", drawn, reading=Reading(openings=True)), "scroll")
    assert None not in {row[0] for row in opened}


def test_a_secret_card_cannot_be_found_by_asking_for_it() -> None:
    """Who may not know that the Orcs drew Infernal does not learn it from how many rows there are for that scroll."""
    game = FOLDER / "variants" / "allies_by_kings.jsonl"
    asked = {"scroll": "infernal", "act": "drawn"}
    assert ask([game], "scroll_use", asked, reading=Reading(as_seat="elf")).rows == []
    assert only(ask([game], "scroll_use", asked, reading=Reading(as_seat="dwarf")), "entry", "seat") == [
        (2, "orc")
    ]
