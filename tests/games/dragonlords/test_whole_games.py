"""Whole games on land, from the setup to each ending: recorded ones, and new ones at random (QD-3 to QD-22)."""

from collections.abc import Callable, Mapping

import pytest

from core.games.dragonlords import RULES
from core.games.dragonlords.soundness import sound
from events.jsonl import read_log
from replay.verifying.verify import verify_log
from tests.driver import SPECTATOR, Table
from tests.games.dragonlords.campaigns import (
    ENDINGS,
    LAND,
    Temper,
    campaign,
    cautious,
    conquering,
    hunting,
    lonely,
    wild,
)

HOW = {
    "kings_of_two": "kings",
    "kings_of_three": "kings",
    "kings_of_four": "kings",
    "six_kingdoms": "kingdoms",
    "no_king_left": "no_king_left",
}
SEATS = ("orc", "elf", "dwarf", "barbarian")


@pytest.mark.parametrize("name", sorted(ENDINGS))
def test_a_recorded_game_is_whole_and_lawful_to_its_end(name: str) -> None:
    """Each entry is decided again and tells what is on record; the last one ends the game (QD-22.1, QD-22.2)."""
    log = read_log(LAND / f"{name}.jsonl")
    assert log.torn is None
    report = verify_log(RULES, log.lines, log.openings, log.head, all=True)
    assert report.whole.ok, report.whole
    assert report.lawful.ok, report.lawful
    assert set(report.grades) == {"same"}
    last = RULES.codec.decode(log.lines[-1])
    assert [fact.how for fact in last.facts if hasattr(fact, "how")] == [HOW[name]]


@pytest.mark.parametrize("name", sorted(ENDINGS))
def test_the_public_lines_of_a_recorded_game_can_be_judged_as_far_as_they_say(name: str) -> None:
    """Without the openings nothing is found wrong: what hangs on secrets cannot be known (QD-3.5)."""
    log = read_log(LAND / f"{name}.jsonl")
    report = verify_log(RULES, log.lines, (), log.head, all=True)
    assert report.whole.ok
    assert report.lawful.ok is not False, report.lawful


def check(table: Table) -> None:
    """Check what must hold of every game: lawful, sound in each entry, readable by everybody, silent after the end."""
    table.leave()
    for moment in table.moments[1:]:
        assert list(sound(moment.state)) == [], f"after entry {moment.entry - 1}"
        if moment.question is not None and moment.state.ended is None:
            assert not set(moment.question.seats) & set(moment.state.out)
    if table.state.ended is not None:
        assert table.state.agenda == ()
        assert table.asked() == {}
    for reader in (*table.now.table.seats, SPECTATOR):
        seen = table.view(reader).state
        for name in (
            "armies",
            "columns",
            "gold",
            "shades",
            "out",
            "held",
            "docked",
            "bought",
            "phase",
            "moved",
        ):
            assert getattr(seen, name) == getattr(table.state, name), (reader, name)
        others = {name for name, chip in seen.chips.items() if chip.seat != reader and not chip.shown}
        assert not others, f"{reader} sees {others}"
        if reader not in table.state.out:
            # Who was beaten knows what his victor took.
            assert set(seen.hands) <= {reader, *table.state.out}


@pytest.mark.parametrize("count", (2, 3, 4))
def test_games_of_two_three_and_four_are_played_at_random(count: int, rounds: Callable[[int], int]) -> None:
    """Whatever is offered is done, from the setup on, and every law holds on the way (QD-3.3, QD-4.1)."""
    for seed in range(rounds(20)):
        check(campaign(seed, dict.fromkeys(SEATS[:count], wild), 700))


@pytest.mark.parametrize(
    ("how", "tempers", "most"),
    (
        ("kings", {"orc": wild, "elf": wild}, 600),
        ("kings", dict.fromkeys(SEATS[:3], conquering), 600),
        ("kings", dict.fromkeys(SEATS, wild), 500),
        ("kingdoms", {"barbarian": conquering, "dwarf": cautious}, 400),
        ("kingdoms", dict.fromkeys(SEATS[1:], conquering), 800),
        ("no_king_left", {"orc": hunting, "elf": lonely}, 200),
    ),
)
def test_every_ending_is_reached_by_lawful_play(how: str, tempers: Mapping[str, Temper], most: int) -> None:
    """The last king, six kingdoms, and no king left are all ways in which real games end (QD-22.1, QD-22.2)."""
    for seed in range(40):
        table = campaign(seed, tempers, most)
        ended = table.state.ended
        if ended is not None and ended.how == how:
            check(table)
            if how == "kings":
                assert set(table.state.out) == set(tempers) - set(ended.winners)
            return
    raise AssertionError(f"no game of 40 ended by {how}")
