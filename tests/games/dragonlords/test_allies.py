"""Two players with two allied armies each (QD-23.1): who shares what, who fights whom, and how a side wins."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from core.deciding import refusals
from core.games.dragonlords import RULES
from core.games.dragonlords.battle import BattleBegan
from core.games.dragonlords.boarding import Board, Land
from core.games.dragonlords.forced_march import ForcedMarch
from core.games.dragonlords.hiding import HideChip
from core.games.dragonlords.land_combat import Attack
from core.games.dragonlords.phases import right_of
from core.games.dragonlords.position import (
    ChipSet,
    ColumnSet,
    HandSet,
    SpellsSet,
    TurnSet,
    UnitsSet,
)
from core.games.dragonlords.sailing import LeapByFleece, Sail
from core.games.dragonlords.scrolls import ReadScroll
from core.games.dragonlords.setup import reserve
from core.games.dragonlords.sneak_attack import SneakAttack
from core.games.dragonlords.teleport import Teleport
from core.games.dragonlords.transfer import Transfer
from core.games.dragonlords.travelling import Travel
from core.games.dragonlords.wastelands import MoveParty
from core.kit.table import OpenGame
from core.seats import ARBITER
from events.play import GameEnded
from tests.driver import SPECTATOR, Table, given, play
from tests.games.dragonlords.expeditions import dice
from tests.games.dragonlords.land import is_offered, opened, phase, silently, stands, told
from tests.games.dragonlords.sea import docked, fleet
from tests.games.dragonlords.test_ending import fight, kings

FOUR = ("orc", "elf", "dwarf", "barbarian")
"""The Orcs and the Dwarves are one player's, the Elves and the Barbarians the other's."""
TWO = {"armies": "two"}
ALIVE = (
    *stands("orc", OR_k=4), *stands("elf", IH_k=4), *stands("dwarf", FM_k=4), *stands("barbarian", SC_k=4),
    *kings(orc="OR_k", elf="IH_k", dwarf="FM_k", barbarian="SC_k"),
)  # fmt: skip
"""Four armies, each with its king in a kingdom."""


def allied(name: str, *position: Any, seat: str = "orc", **more: Any) -> Table:
    """Return a table of two allied armies a player, in a phase of a seat."""
    return phase(seat, name, *ALIVE, *position, seats=FOUR, options=TWO, **more)


def opening(**fields: Any) -> OpenGame[Any]:
    return OpenGame(**{"id": "g", "game": "dragonlords", "seats": FOUR, "options": TWO, **fields})


def ended(table: Table) -> bool:
    return table.state.ended is not None


# The opening


def test_seats_alternate_between_the_two_players() -> None:
    """The first and the third army are one player's, the second and the fourth the other's (QD-23.1)."""
    table = given(RULES, seats=("elf", "orc", "barbarian", "dwarf"), options=TWO)
    assert table.now.table.players == (("elf", "barbarian"), ("orc", "dwarf"))
    assert table.state.allies == {"elf": "barbarian", "barbarian": "elf", "orc": "dwarf", "dwarf": "orc"}
    table.leave()


@pytest.mark.parametrize("seats", (FOUR[:2], FOUR[:3]))
def test_two_players_with_two_armies_each_are_four_seats(seats: tuple[str, ...]) -> None:
    """A game of two with one army each is another game, and three make no pairs (QD-23.1)."""
    Table(RULES).when(ARBITER, opening(seats=seats)).refused("not_four_armies", "QD-23.1")


@pytest.mark.parametrize("count", (2, 3, 4))
def test_without_the_option_nobody_is_allied(count: int) -> None:
    """Each sits at one seat, a duel of two included, and may attack everybody (QD-23.1)."""
    table = given(RULES, seats=FOUR[:count])
    assert table.now.table.players == ()
    assert table.state.allies == {}


def test_both_seats_of_a_player_have_one_person() -> None:
    """Named at one seat he sits at both; two names for one player are refused (LS-1.6)."""
    table = Table(RULES)
    table.must(ARBITER, opening(persons={"orc": "Anna", "barbarian": "Ben"}))
    assert table.now.table.persons == {"orc": "Anna", "dwarf": "Anna", "elf": "Ben", "barbarian": "Ben"}
    Table(RULES).when(ARBITER, opening(persons={"orc": "Anna", "dwarf": "Ben"})).refused(
        "two_persons", "LS-1.6"
    )


@pytest.mark.parametrize(
    ("seats", "options", "answers", "units"),
    (
        (FOUR, TWO, {}, 35),
        (FOUR, TWO, {"QD-X19": "thirty"}, 30),
        (FOUR, {}, {}, 30),
        (FOUR[:2], {}, {}, 35),
        (FOUR[:2], {}, {"QD-X19": "thirty"}, 30),
    ),
)
def test_each_army_of_two_players_has_35_units(
    seats: tuple[str, ...], options: dict[str, str], answers: dict[str, str], units: int
) -> None:
    """Four allied armies and the two of a duel alike; four players take 30 (QD-3.1, QD-23.1)."""
    table = given(RULES, seats=seats, options=options, answers=answers)
    assert [reserve(table.now, seat) for seat in seats] == [units] * len(seats)


# What the two seats of a player know


def test_what_an_army_hides_its_ally_knows_and_nobody_else() -> None:
    """One person sits behind both: chips and scrolls of the one are told to the other (QD-23.1, LS-1.6)."""
    table = opened(*FOUR, options=TWO)
    assert table.view("dwarf").state.hands.keys() == {"orc", "dwarf"}
    assert table.view("elf").state.hands.keys() == {"elf", "barbarian"}
    assert table.view(SPECTATOR).state.hands == {}
    silently(table, lambda table: "hide" in table.asked().get("orc", ()))
    table.must(
        "orc", HideChip("king", next(p for p, army in table.state.armies.items() if army.seat == "orc"))
    )
    seen = {seat: "orc.king" in table.view(seat).state.chips for seat in (*FOUR, SPECTATOR)}
    assert seen == {"orc": True, "dwarf": True, "elf": False, "barbarian": False, SPECTATOR: False}
    sealed = table.log[-1].openings
    assert {opening.to for opening in sealed} == {("orc", "dwarf")}


def test_both_seats_of_a_player_see_the_same_all_through_a_game(rounds: Callable[[int], int]) -> None:
    """Their views are folds of the same lines with the same openings, entry by entry (QD-23.1)."""
    for seed in range(rounds(8)):
        table = play(RULES, seed, 220, begun=[(ARBITER, opening(dice="scripted"))])
        for one, other in (("orc", "dwarf"), ("elf", "barbarian")):
            pairs = zip(table.views(one), table.views(other), strict=True)
            assert all(here.state == there.state for here, there in pairs)
        assert table.view("orc").state.hands != table.view("elf").state.hands


def test_clairvoyance_shows_no_scrolls_of_an_ally() -> None:
    """It shows those of another player, and the ally is the same one, who knows them anyway (QD-16.9, QD-23.1)."""
    table = allied(
        "buy", HandSet("orc", ("clairvoyance",)), HandSet("dwarf", ("ship",)), HandSet("elf", ("charm",))
    )
    read = ReadScroll("clairvoyance", "OR_k", target="dwarf")
    assert not is_offered(table, "orc", read)
    table.when("orc", read).refused("no_hand_to_see", "QD-16.9")
    table.must("orc", ReadScroll("clairvoyance", "OR_k", target="elf"))
    assert table.view("dwarf").state.hands["elf"] == ("charm",)
    assert "elf" not in table.view(SPECTATOR).state.hands


# Allied armies share no place and never fight


LAND = (*stands("orc", G1=3, T1=3), *stands("dwarf", OR_n=2, T2=2), *stands("elf", OR_ne=2))


@pytest.mark.parametrize(
    ("name", "position", "command"),
    (
        ("combat", (), Attack("OR_n", "G1", 2)),
        (
            "combat",
            (ChipSet("orc", "orc.wizard.1", "T1"), SpellsSet("orc.wizard.1", ("heal",))),
            Attack("T2", "T1", 2),
        ),
        ("combat", (), ForcedMarch(("OR_n",), "G1", 2)),
        ("combat", (), ForcedMarch(("OR_n", "OR_nw"), "G1", 2)),
        ("transfer", (), Transfer("OR_n", "G1", 2)),
        ("sea", (UnitsSet("orc", "G1", 3, 1),), Teleport("dragonlord", "OR_n", "G1", 1)),
        ("transfer", (UnitsSet("orc", "G1", 3, 1),), Teleport("dragonlord", "OR_n", "G1", 1)),
        ("buy", (HandSet("orc", ("summon_elemental.fire",)),), ReadScroll("summon_elemental.fire", "OR_n")),
        ("sea", (*fleet("orc", "S1", 1, 2), *fleet("dwarf", "W3", 1, 2)), Sail(("W3",), "S1", 2)),
        ("sea", (*fleet("orc", "W3", 1, 2), *fleet("dwarf", "S1", 1, 2)), Sail(("S1", "S2"), "W3", 2)),
        ("sea", (*fleet("orc", "S2", 1, 2), *stands("dwarf", OR_se=2)), Land("OR_se", 1)),
        ("transfer", (*fleet("orc", "S2", 1, 2), *stands("dwarf", OR_se=2)), Land("OR_se", 1)),
        (
            "sea",
            (*fleet("dwarf", "S2", 1, 2), *stands("orc", OR_se=3), *docked(OR_se=1)),
            Board("OR_se", 1),
        ),
        (
            "sea",
            (*fleet("orc", "S1", 1, 2), *fleet("dwarf", "N1", 1, 2), ChipSet("orc", "golden_fleece", "S1")),
            LeapByFleece(("N1",), "S1", 2, carrying=("golden_fleece",)),
        ),
    ),
)
def test_an_army_never_comes_to_its_ally(name: str, position: tuple[Any, ...], command: Any) -> None:
    """Not to attack, not to pass, not to stay: on land, at sea and by magic it is refused, and not offered (QD-23.1)."""
    table = allied(name, *LAND, *position)
    assert not is_offered(table, "orc", command)
    table.when("orc", command).refused("allied_place", "QD-23.1")
    table.when("orc", command, overlook=True).refused("allied_place", "QD-23.1")


def _of(pick: int, below: int) -> int:
    return pick % below


@pytest.mark.parametrize("answer", ("sails_any_distance", "jumps"))
def test_a_fleet_between_two_of_its_ally_is_offered_no_voyage(answer: str) -> None:
    """Whatever is offered can be played: no voyage goes nowhere, nor does the Golden Fleece's (QD-5.1, QD-23.1)."""
    fleets = (*fleet("orc", "D2", 1, 2), *fleet("dwarf", "D1", 1, 2), *fleet("dwarf", "D3", 1, 2))
    table = allied("sea", *fleets, ChipSet("orc", "golden_fleece", "D2"), answers={"QD-H16": answer})
    offers = list(table.ask("orc").offers)
    assert Sail not in {offer.command for offer in offers}
    assert (LeapByFleece in {offer.command for offer in offers}) == (answer == "jumps")
    for offer in offers:
        for pick in range(3):
            picked: Any = offer.sample(partial(_of, pick))
            assert refusals(table.now, "orc", picked) == ()


@pytest.mark.parametrize("seat", ("elf", "barbarian"))
def test_an_army_may_come_to_any_other(seat: str) -> None:
    """The same attack is lawful against both armies of the other player (QD-23.1)."""
    table = allied("combat", *stands("orc", G1=3), *stands(seat, OR_n=2))
    assert is_offered(table, "orc", Attack("OR_n", "G1", 2))
    table.must("orc", Attack("OR_n", "G1", 2))


def test_elves_do_not_sneak_up_on_their_ally() -> None:
    """The sneak attack is an attack (QD-12.1, QD-23.1)."""
    table = allied("combat", *stands("elf", G1=3), *stands("barbarian", OR_n=2), seat="elf")
    assert not is_offered(table, "elf", SneakAttack("OR_n", "G1", 2))
    table.when("elf", SneakAttack("OR_n", "G1", 2)).refused("allied_place", "QD-23.1")


def test_a_party_never_stops_where_its_ally_stands() -> None:
    """It stays where no other space is open to it; it may pass, as it may pass an enemy (QD-6.4, QD-23.1)."""
    table = allied(
        "quest", UnitsSet("orc", "WT02", 3), UnitsSet("dwarf", "WT03", 2), UnitsSet("dwarf", "WT01", 2)
    )
    dice(table.when("orc", MoveParty("WT02")), 1)
    assert table.now.question is not None
    assert table.now.question.kind != "travel"
    assert table.state.armies["WT02"].seat == "orc"
    passing = allied("quest", UnitsSet("orc", "WT02", 3), UnitsSet("dwarf", "WT03", 2))
    dice(passing.when("orc", MoveParty("WT02")), 2)
    passing.when("orc", Travel("WT03")).refused("allied_place", "QD-23.1")
    passing.must("orc", Travel("WT04"))
    assert "WT04" in passing.state.armies


def test_allied_parties_stand_in_a_shrine_together() -> None:
    """There several parties may stand, and nobody fights (QD-6.8, QD-23.1)."""
    table = allied("quest", UnitsSet("orc", "WT05", 3), UnitsSet("dwarf", "WT06.dwarf", 2))
    dice(table.when("orc", MoveParty("WT05")), 1)
    if table.now.question is not None and table.now.question.kind == "travel":
        table.must("orc", Travel("WT06.orc"))
    assert {table.state.armies[f"WT06.{seat}"].seat for seat in ("orc", "dwarf")} == {"orc", "dwarf"}


def test_a_party_does_not_come_out_into_the_land_of_its_ally() -> None:
    """Nor does it come out where it would have to fight him (QD-6.5, QD-23.1)."""
    table = allied("quest", UnitsSet("orc", "WT01", 3), *stands("dwarf", FM_n=1), *stands("elf", IH_n=1))
    dice(table.when("orc", MoveParty("WT01")), 3)
    table.when("orc", Travel("FM_n")).refused("allied_place", "QD-23.1")
    table.must("orc", Travel("IH_n"))


def test_a_position_in_which_allies_fight_is_refused() -> None:
    """No game could hold it (QD-23.1, LS-1.5)."""
    position = (
        *ALIVE,
        *stands("orc", G1=3),
        *stands("dwarf", OR_n=2),
        ColumnSet("orc", "OR_n", "G1", 1),
        TurnSet("orc"),
    )
    said = Table(RULES).when(ARBITER, opening(position=position)).refused("unsound", "LS-1.5")
    assert "QD-23.1" in said.reasons[0].text


# Who plays for monsters and vanquished units


def test_the_other_player_reads_the_card_and_rolls_for_the_monster() -> None:
    """The player on the right is never one's own ally, also when the army that sits there is out (QD-6.10, QD-H47)."""
    table = allied("quest", UnitsSet("orc", "WT02", 3))
    assert [right_of(table.now, seat) for seat in FOUR] == ["barbarian", "orc", "elf", "dwarf"]
    after = _without_barbarians()
    assert [right_of(after.now, seat) for seat in ("orc", "dwarf")] == ["elf", "elf"]


def _without_barbarians() -> Table:
    """Return a table at which the Orcs have beaten the king of the Barbarians; the other kings stand."""
    table = phase(
        "orc", "combat", *stands("orc", SC_n=4, OR_k=2), *stands("elf", IH_k=3), *stands("dwarf", FM_k=4),
        *stands("barbarian", SC_k=1, AL_k=2), *kings(orc="OR_k", elf="IH_k", dwarf="FM_k", barbarian="SC_k"),
        seats=FOUR, options=TWO,
    )  # fmt: skip
    table.must("orc", Attack("SC_k", "SC_n", 3))
    return fight(table, 1, 1, 1, 6)


# Winning


def test_a_player_who_has_lost_one_king_plays_on_with_the_other_army() -> None:
    """The army without a king is vanquished, and the game is not over (QD-22.1, QD-23.1)."""
    table = _without_barbarians()
    assert table.state.out == ("barbarian",)
    assert table.state.ended is None
    silently(table, lambda table: table.state.active == "elf")
    silently(table, lambda table: table.state.active == "dwarf")
    silently(table, lambda table: table.state.active == "orc")


def test_an_ally_may_attack_the_army_that_has_lost_its_king() -> None:
    """It is nobody's army any more: the ally fights it like any vanquished one, and the enemy rolls for it (QD-23.1)."""
    elves = phase(
        "elf", "combat", *stands("elf", SC_n=4, IH_k=2), *stands("orc", OR_k=3), *stands("dwarf", FM_k=4),
        *stands("barbarian", SC_k=2), *kings(orc="OR_k", elf="IH_k", dwarf="FM_k", barbarian="SC_k"),
        seats=FOUR, options=TWO,
    )  # fmt: skip
    elves.when("elf", Attack("SC_k", "SC_n", 3)).refused("allied_place", "QD-23.1")
    fallen = _vanquished_ally()
    assert is_offered(fallen, "elf", Attack("SC_nw", "SC_n", 3))
    fallen.must("elf", Attack("SC_nw", "SC_n", 3))
    fight(fallen, 6, 6, 6)
    asked = fallen.now.question
    assert asked is not None
    assert asked.roll is not None
    assert (asked.roll.owner, asked.roll.thrower) in (("barbarian", "orc"), ("barbarian", "dwarf"))
    assert [(battle.attacker, battle.defender) for battle in told(fallen, BattleBegan)][-1] == (
        "elf",
        "barbarian",
    )


def _vanquished_ally() -> Table:
    """Return a table in phase 4 of the Elves, beside vanquished Barbarians whose king the Orcs have beaten."""
    table = phase(
        "orc", "combat", *stands("orc", SC_se=4, OR_k=2), *stands("elf", IH_k=3, SC_n=4), *stands("dwarf", FM_k=4),
        *stands("barbarian", SC_k=1, SC_nw=2), *kings(orc="OR_k", elf="IH_k", dwarf="FM_k", barbarian="SC_k"),
        seats=FOUR, options=TWO,
    )  # fmt: skip
    table.must("orc", Attack("SC_k", "SC_se", 3))
    fight(table, 1, 1, 1, 6)
    return silently(table, lambda table: table.state.active == "elf" and table.state.phase == "combat")


def test_a_side_wins_when_both_other_kings_are_out() -> None:
    """Both its armies win, one that is vanquished with the other: they are one player's (QD-22.2, QD-23.1)."""
    table = phase(
        "orc", "combat", *stands("orc", SC_n=4, OR_k=2, IH_ne=4), *stands("elf", IH_k=1), *stands("dwarf", FM_k=4),
        *stands("barbarian", SC_k=1), *kings(orc="OR_k", elf="IH_k", dwarf="FM_k", barbarian="SC_k"),
        seats=FOUR, options=TWO,
    )  # fmt: skip
    table.must("orc", Attack("SC_k", "SC_n", 3))
    assert not ended(fight(table, 1, 1, 1, 6))
    table.must("orc", Attack("IH_k", "IH_ne", 3))
    fight(table, 1, 1, 1, 6)
    assert table.state.ended == GameEnded(("orc", "dwarf"), "kings", because=("QD-22.2", "QD-H48", "QD-23.1"))
    assert table.asked() == {}
    table.leave()


def test_the_two_armies_of_a_side_hold_six_kingdoms_together() -> None:
    """None of them holds six by itself (QD-22.2, QD-23.1)."""
    table = _five_kingdoms(*stands("dwarf", FM_k=2, SC_k=2, AL_k=1))
    table.must("orc", Attack("IH_k", "IH_sw", 1))
    assert table.state.ended == GameEnded(
        ("orc", "dwarf"), "kingdoms", because=("QD-22.2", "QD-H48", "QD-23.1")
    )
    table.leave()


def test_kingdoms_of_a_vanquished_ally_do_not_count() -> None:
    """An army without king holds its places for nobody (QD-22.1, QD-23.1)."""
    table = phase(
        "elf", "combat", *stands("elf", AL_n=4, OR_ne=3), *stands("barbarian", SV_n=2),
        *stands("orc", OR_k=2, SV_k=2, IH_sw=4), *stands("dwarf", FM_k=2, SC_k=2, AL_k=1),
        *kings(orc="OR_k", elf="AL_n", dwarf="AL_k", barbarian="SV_n"), seats=FOUR, options=TWO,
    )  # fmt: skip
    table.must("elf", Attack("AL_k", "AL_n", 3))
    fight(table, 1, 1, 1, 6)
    assert table.state.out == ("dwarf",)
    silently(table, lambda table: table.state.active == "orc" and table.state.phase == "combat")
    table.must("orc", Attack("IH_k", "IH_sw", 1))
    assert table.state.ended is None


def _five_kingdoms(*position: Any) -> Table:
    """Return a table at which the Orcs can claim the sixth kingdom of their side."""
    return phase(
        "orc", "combat", *stands("orc", OR_k=2, SV_k=2, IH_sw=4), *position, *stands("elf", AL_n=4),
        *stands("barbarian", SV_n=2), *kings(orc="OR_k", elf="AL_n", dwarf="FM_k", barbarian="SV_n"),
        seats=FOUR, options=TWO,
    )  # fmt: skip


def test_when_the_last_kings_of_both_players_fall_together_it_is_a_draw() -> None:
    """Nobody has a king left, and nobody wins (QD-22.2, QD-23.1)."""
    table = phase(
        "orc", "combat", *stands("orc", IH_sw=2, G3=4), *stands("elf", IH_k=1, IH_n=1), *stands("dwarf", FM_se=1),
        *stands("barbarian", FM_s=3, SC_k=1),
        *kings(orc="IH_sw", elf="IH_k", dwarf="FM_se", barbarian="SC_k"), seats=FOUR, options=TWO,
    )  # fmt: skip
    silently(table, lambda table: table.state.active == "barbarian" and table.state.phase == "combat")
    table.must("barbarian", Attack("FM_se", "FM_s", 2))
    assert not ended(fight(table, 1, 1, 6))
    assert table.state.out == ("dwarf",)
    table = _last_kings()
    assert table.state.ended == GameEnded((), "no_king_left", because=("QD-22.2", "QD-H48", "QD-23.1"))


def _last_kings() -> Table:
    """Return a table at which the Dwarves and the Barbarians are out, and the last kings have met."""
    table = phase(
        "orc", "combat", *stands("orc", IH_sw=2, SC_n=3), *stands("elf", IH_k=1, FM_s=3), *stands("dwarf", FM_k=1),
        *stands("barbarian", SC_k=1), *kings(orc="IH_sw", elf="IH_k", dwarf="FM_k", barbarian="SC_k"),
        seats=FOUR, options=TWO,
    )  # fmt: skip
    table.must("orc", Attack("SC_k", "SC_n", 2))
    fight(table, 1, 1, 6)
    silently(table, lambda table: table.state.active == "elf" and table.state.phase == "combat")
    table.must("elf", Attack("FM_k", "FM_s", 2))
    fight(table, 1, 1, 6)
    assert set(table.state.out) == {"barbarian", "dwarf"}
    silently(table, lambda table: table.state.active == "orc" and table.state.phase == "combat")
    table.must("orc", Attack("IH_k", "IH_sw", 1, leading=("orc.king",)))
    return fight(table, 1, 1)
