"""Ships without a crew: docked, bought, captured with the harbour, lost (QD-2.7, QD-5.2, QD-5.8, QD-H8, QD-H39, QD-H44)."""

from typing import Any

import pytest

from core.deciding import Refused, decide, opening
from core.games.dragonlords import RULES
from core.games.dragonlords.boarding import Board, Land
from core.games.dragonlords.docks import ShipsDocked, ShipsManned, ShipsTaken
from core.games.dragonlords.land_combat import Attack, Fight
from core.games.dragonlords.phases import EndPhase
from core.games.dragonlords.position import ColumnSet, ShipsSet, TurnSet
from core.games.dragonlords.purchase import BuyShip
from core.games.dragonlords.reinforcements import PlaceShip
from core.games.dragonlords.retreat import Retreat
from core.games.dragonlords.transfer import Transfer
from core.kit.table import OpenGame
from core.seats import ARBITER
from tests.driver import Table
from tests.games.dragonlords.field import home, roll, until
from tests.games.dragonlords.land import gold, is_offered, phase, stands, told
from tests.games.dragonlords.sea import HOMES, afloat, docked, fleet, raid, sea


def taken(table: Table) -> list[tuple[str, str, int]]:
    """Return who took how many ships where, in the whole log."""
    return [(fact.seat, fact.place, fact.count) for fact in told(table, ShipsTaken)]


def test_who_conquers_a_harbour_gets_the_ships_docked_there() -> None:
    """QD-5.2: they lie under the protection of the units in the territory."""
    table = sea(*stands("orc", FM_n=5), home("elf", "FM_ne"), *docked(FM_ne=2), name="combat")
    table.must("orc", Attack("FM_ne", "FM_n", 3))
    table.must("orc", Fight())
    roll(table, 1, 6, 6)
    roll(table, 6)
    assert taken(table) == [("orc", "FM_ne", 2)]
    assert table.state.docked == {"FM_ne": 2}


def test_a_ship_in_an_empty_harbour_belongs_to_nobody_until_it_is_claimed() -> None:
    """QD-H39: on an island left empty, for example; whoever claims the territory has the ship."""
    table = sea(*fleet("orc", "W2", 1, 3), *docked(I1=1))
    table.must("orc", Land("I1", 1))
    assert taken(table) == [("orc", "I1", 1)]
    table.must("orc", EndPhase())
    march = sea(*stands("orc", FM_n=2), *docked(FM_ne=1), name="transfer")
    march.must("orc", Transfer("FM_ne", "FM_n", 1))
    assert taken(march) == [("orc", "FM_ne", 1)]


def landing(*more: Any, **answers: str) -> Table:
    """Return a table at which four Orcs landed at FM_ne with all the crew of their ship, against two Elves and a ship."""
    table = sea(*fleet("orc", "N2", 1, 4), *stands("elf", FM_ne=2), *docked(FM_ne=1), *more, **answers)
    table.must("orc", Land("FM_ne", 4))
    if table.state.phase == "sea":
        table.must("orc", EndPhase())
    return table.when("orc", Fight("FM_ne"))


def test_a_ship_whose_crew_all_went_ashore_follows_the_battle() -> None:
    """QD-H39: who wins the landing has both ships; only the enemy's counts as taken."""
    won = landing()
    assert (won.state.fleets, won.state.raiders, won.state.docked) == ({}, {"FM_ne": 1}, {"FM_ne": 1})
    roll(won, 1, 1, 6, 6)
    roll(won, 6, 6)
    assert taken(won) == [("orc", "FM_ne", 1)]
    assert (won.state.raiders, won.state.docked) == ({}, {"FM_ne": 2})
    lost = landing()
    roll(lost, 6, 6, 6, 6)
    roll(lost, 1, 1)
    roll(lost, 6, 6)
    roll(lost, 1, 1)
    assert taken(lost) == [("elf", "FM_ne", 1)]
    assert (lost.state.raiders, lost.state.docked) == ({}, {"FM_ne": 2})


def test_where_both_sides_fell_the_ships_lie_in_the_harbour_and_are_nobodys() -> None:
    """QD-H13, QD-H39: the territory is empty."""
    table = sea(
        *raid("orc", "FM_ne", 1, 1, origin="N2"), home("elf", "FM_ne"), *docked(FM_ne=1), name="combat"
    )
    table.must("orc", Fight())
    roll(roll(table, 1), 1)
    assert "FM_ne" not in table.state.armies
    assert (table.state.raiders, table.state.docked) == ({}, {"FM_ne": 2})


def test_attackers_from_a_ship_retreat_over_land_alone() -> None:
    """QD-17.1, QD-H14: to an adjacent friendly territory; their ship is left to the enemy."""
    table = landing(*stands("orc", FM_n=1), *fleet("orc", "N1", 1, 1))
    until(table, "choice")
    table.when("orc", Retreat("N2")).refused("no_refuge", "QD-H14")
    table.must("orc", Retreat("FM_n"))
    assert taken(table) == [("elf", "FM_ne", 1)]
    assert table.state.docked == {"FM_ne": 2}


def test_attackers_of_an_island_who_came_by_ship_fight_to_the_end() -> None:
    """QD-H14, QD-H27: nothing is adjacent to an island, so nobody is asked."""
    table = sea(*fleet("orc", "W2", 1, 4), *stands("elf", I1=2))
    table.must("orc", Land("I1", 2))
    table.must("orc", EndPhase())
    table.must("orc", Fight())
    roll(roll(table, 6, 6), 6, 6)
    table.asks(chance="roll")


def test_a_table_may_let_them_go_back_aboard() -> None:
    """QD-H14: aboard the ship that lies in the harbour with them, though it is the enemy's harbour; who walked fights on."""
    table = landing(*stands("orc", FM_n=1), H14="back_aboard_too")
    until(table, "choice")
    assert is_offered(table, "orc", Retreat("N2"))
    table.must("orc", Retreat("N2"))
    assert afloat(table.state) == {"N2": ("orc", 4, 1)}
    assert (table.state.raiders, table.state.docked) == ({}, {"FM_ne": 1})
    assert [(fact.place, fact.breaks) for fact in told(table, ShipsManned)] == [("FM_ne", True)]
    assert taken(table) == []


def test_who_goes_back_aboard_needs_a_place_on_a_ship() -> None:
    """QD-H14, QD-5.1: their ship has been filled up since."""
    table = sea(
        *raid("orc", "FM_ne", 0, 4, origin="N2"), *fleet("orc", "N2", 1, 5), *stands("elf", FM_ne=2), *stands("orc", FM_n=1),
        name="combat", H14="back_aboard_too",
    )  # fmt: skip
    table.must("orc", Fight())
    until(table, "choice")
    table.when("orc", Retreat("N2")).refused("no_refuge", "QD-H14")
    table.must("orc", Retreat("FM_n"))


def test_a_bought_ship_is_placed_in_a_harbour_and_may_be_boarded_next_turn() -> None:
    """QD-4.2, QD-H8, QD-21.1: in a realm that one may reinforce."""
    table = phase(
        "orc",
        "buy",
        *stands("orc", FM_k=3, FM_ne=3),
        *stands("elf", SC_k=2),
        *gold(FM_k=10),
        seats=("orc", "elf"),
    )
    table.must("orc", BuyShip())
    while table.state.phase != "reinforce":
        table.must("orc", EndPhase())
    table.must("orc", PlaceShip("FM_ne"))
    assert table.state.docked == {"FM_ne": 1}
    while table.state.active != "orc" or table.state.phase != "sea":
        question = table.now.question
        assert question is not None
        silence = table.ask(question.seats[0]).silence
        table.must(question.seats[0], silence)
    table.must("orc", Board("FM_ne", 2))


@pytest.mark.parametrize(("answer", "left"), (("back_to_the_supply", True), ("out_of_the_game", False)))
def test_ships_that_were_lost_can_be_bought_again_unless_the_table_plays_otherwise(
    answer: str, left: bool
) -> None:
    """QD-H44, QD-11.5: seven ships afloat and docked, and the eighth sank."""
    table = sunk_one(answer)
    assert table.state.sunk == 1
    while (table.state.active, table.state.phase) != ("orc", "buy"):
        question = table.now.question
        assert question is not None
        table.must(question.seats[0], table.ask(question.seats[0]).silence)
    if left:
        table.must("orc", BuyShip())
    else:
        table.when("orc", BuyShip()).refused("no_ship_left", "QD-H8", "QD-H44")


def sunk_one(answer: str) -> Table:
    """Return a table at which one of eight ships sank, in a battle in which both sides fell, and Orcs have gold."""
    table = phase(
        "orc", "combat", *stands("orc", OR_k=4, OR_sw=2), *stands("elf", SC_k=3), *gold(OR_k=20), *docked(OR_sw=6),
        *raid("orc", "D1", 1, 2, origin="N3"), *fleet("elf", "D1", 1, 1),
        seats=("orc", "elf"), answers={"QD-H44": answer},
    )  # fmt: skip
    table.must("orc", Fight())
    roll(roll(table, 1, 6), 1)
    return table


# ---------------------------------------------------------------- what can stand


def refusals(*position: Any) -> list[str]:
    """Return the sentences with which a position is refused; none when it can stand."""
    command: OpenGame[Any] = OpenGame("g", "dragonlords", ("orc", "elf"), position=(*HOMES, *position))
    decided = decide(opening(RULES), ARBITER, command)
    return [reason.text for reason in decided.reasons] if isinstance(decided, Refused) else []


@pytest.mark.parametrize(
    ("position", "sentence"),
    (
        ((*docked(FM_ne=5), *docked(FM_nw=4)), "more than 8 ships"),
        (docked(FM_k=1), "a ship is docked in FM_k, which has no harbour"),
        ((ShipsSet("N1", 1, empty=True),), "a ship is docked in N1, which has no harbour"),
        ((home("orc", "N1", 2),), "2 units of orc in N1: more than 0 ships carry"),
        ((*fleet("orc", "N1", 1, 9),), "9 units of orc in N1: more than 1 ship carries"),
        ((ShipsSet("N1", 1),), "a ship in N1 sails without a unit aboard"),
        ((*fleet("orc", "N1", 3, 2),), "a ship in N1 sails without a unit aboard"),
        ((*fleet("orc", "N1", 1, 1, 1),), "a DragonLord of orc is at sea outside phases 2 to 5"),
        ((ShipsSet("N1", 1, attacking=True),), "ships of attackers are in N1, and no attackers"),
    ),
)
def test_a_position_with_ships_that_cannot_stand_is_refused(position: tuple[Any, ...], sentence: str) -> None:
    """QD-1.3, QD-2.7, QD-5.1, QD-X9: eight ships in all, each with a crew, and eight units to a ship."""
    assert any(sentence in text for text in refusals(TurnSet("elf"), *position)), refusals(
        TurnSet("elf"), *position
    )


def test_a_zone_that_two_seats_man_is_fought_for_before_phase_five() -> None:
    """QD-11.1: no position leaves them both there."""
    both = (
        ColumnSet("orc", "N1", "N2", 2, how="ship"),
        *fleet("elf", "N1", 1, 1),
        ShipsSet("N1", 1, attacking=True),
    )
    assert refusals(TurnSet("orc", "combat"), *both) == []
    assert "manned by two seats" in refusals(TurnSet("orc", "transfer"), *both)[0]


def test_ships_may_wait_at_a_village() -> None:
    """QD-H39: in the zone of a village they are nobody's, and whoever comes may be standing beside them."""
    assert refusals(TurnSet("orc"), ShipsSet("N3", 2, empty=True), *fleet("elf", "N3", 1, 1)) == []


def test_a_ship_docks_where_it_was_put() -> None:
    """QD-3.6, QD-21.1: the fact of the setup and of phase 7 comes from no zone."""
    state = sea().state
    assert ShipsDocked("orc", "FM_ne", 1).onto(state).docked == {"FM_ne": 1}
