"""Phase 7, placing what was bought (QD-21)."""

from typing import Any

from core.games.dragonlords.armies import UnitsPlaced
from core.games.dragonlords.phases import EndPhase
from core.games.dragonlords.position import UnitsSet
from core.games.dragonlords.purchase import BuyShip, BuyUnits
from core.games.dragonlords.reinforcements import PlaceShip, PlaceUnits, PurchaseUsed
from core.kit.table import Correct
from core.seats import ARBITER
from tests.driver import Table
from tests.games.dragonlords.land import gold, is_offered, phase, silently, stands, told

ORCS = stands("orc", FM_k=3, FM_ne=2, FM_n=1, SC_n=2, SC_nw=1, G1=1, T1=1, I1=1)
ELVES = (*stands("elf", SC_k=2, FM_s=1), *gold(FM_k=30))


def placing(*bought: Any, answers: dict[str, str] | None = None) -> Table:
    """Return a table at which the Orcs place what they bought in this turn."""
    table = phase("orc", "buy", *ORCS, *ELVES, seats=("orc", "elf"), answers=answers or {})
    for command in bought:
        table.must("orc", command)
    return silently(table, lambda table: table.state.phase == "reinforce")


def test_units_go_to_friendly_territories_of_realms_whose_kingdom_one_holds() -> None:
    """As many as were bought, wherever one likes among these (QD-21.1)."""
    table = placing(BuyUnits(4))
    table.asks(orc="place")
    table.must("orc", PlaceUnits({"FM_n": 3, "FM_k": 1}))
    assert table.log[-1].entry.facts[:3] == (
        PurchaseUsed("orc", "unit", 4, because=("QD-21.1",)),
        UnitsPlaced("orc", "FM_k", 1, because=("QD-21.1",)),
        UnitsPlaced("orc", "FM_n", 3, because=("QD-21.1",)),
    )
    assert table.state.armies["FM_n"].size == 4
    assert table.state.bought == {}


def test_no_reinforcements_come_elsewhere() -> None:
    """Not to another's realm or territory, to gold territories, teleportals, islands, or empty land (QD-21.1, QD-2.3)."""
    table = placing(BuyUnits(1))
    for place in ("SC_n", "FM_s", "G1", "T1", "I1", "FM_sw", "N1", "WT01"):
        table.when("orc", PlaceUnits({place: 1})).refused("no_reinforcement_there", "QD-21.1")
        assert not is_offered(table, "orc", PlaceUnits({place: 1}))


def test_all_that_was_bought_is_placed_at_once() -> None:
    """Neither more nor fewer (QD-21.1)."""
    table = placing(BuyUnits(4))
    for units in ({"FM_k": 3}, {"FM_k": 5}, {}, {"FM_k": 4, "FM_n": 0}):
        table.when("orc", PlaceUnits(units)).refused("wrong_number", "QD-21.1")


def test_the_phase_cannot_be_ended_before_all_is_placed() -> None:
    """A player places what he bought (QD-21.1)."""
    placing(BuyUnits(1)).when("orc", EndPhase()).refused("not_this_now")


def test_a_ship_goes_into_a_friendly_harbour_of_such_a_realm() -> None:
    """A bought ship is docked; a harbour of another realm does not serve (QD-21.1)."""
    table = placing(BuyShip(), BuyUnits(1))
    table.when("orc", PlaceShip("FM_k")).refused("no_harbour", "QD-21.1")
    table.when("orc", PlaceShip("SC_nw")).refused("no_harbour", "QD-21.1")
    assert is_offered(table, "orc", PlaceShip("FM_ne"))
    table.must("orc", PlaceShip("FM_ne"))
    assert table.state.docked == {"FM_ne": 1}
    table.when("orc", PlaceShip("FM_ne")).refused("not_this_now")
    table.must("orc", PlaceUnits({"FM_k": 1}))
    table.asks(elf="combat")


def test_units_of_ones_own_may_be_placed_before_the_ship() -> None:
    """The order is free, and a ship not bought cannot be placed (QD-21.1)."""
    table = placing(BuyShip(), BuyUnits(1))
    table.must("orc", PlaceUnits({"FM_k": 1}))
    table.asks(orc="place")
    table.must("orc", PlaceShip("FM_ne"))


def test_a_ship_that_nobody_bought_is_not_placed() -> None:
    """Only the phase says so, for it is not even asked where no ship waits (QD-21.1)."""
    table = placing(BuyUnits(2))
    table.when("orc", PlaceShip("FM_ne")).refused("not_this_now")
    assert [(reason.code, reason.because) for reason in PlaceShip("FM_ne").forbids(table.now, "orc")] == [
        ("no_ship_bought", ("QD-21.1",))
    ]


def test_silence_places_all_units_in_the_first_place_that_may_have_them() -> None:
    """The first on the board, and a ship in the first harbour (QD-21.1)."""
    table = placing(BuyUnits(2), BuyShip())
    assert table.ask("orc").silence == PlaceUnits({"FM_k": 2})
    table.must("orc", PlaceUnits({"FM_k": 2}))
    assert table.ask("orc").silence == PlaceShip("FM_ne")


def test_what_cannot_be_placed_is_lost() -> None:
    """Without a kingdom there is no realm to reinforce in phase 7 (QD-21.1)."""
    table = phase("orc", "buy", *ORCS, *ELVES, seats=("orc", "elf"))
    table.must("orc", BuyUnits(3))
    table.must(ARBITER, Correct("a kingdom fell", (UnitsSet("elf", "FM_k", 1),)))
    silently(table, lambda table: table.state.active == "elf")
    assert table.state.bought == {}
    assert [(fact.count, fact.lost) for fact in told(table, PurchaseUsed)] == [(3, True)]


def test_a_table_may_let_them_wait_for_a_later_turn() -> None:
    """The other answer: what could not be placed waits for a later phase 7 (QD-21.1)."""
    table = phase("orc", "buy", *ORCS, *ELVES, seats=("orc", "elf"), answers={"QD-H52": "waits"})
    table.must("orc", BuyUnits(3))
    table.must(ARBITER, Correct("a kingdom fell", (UnitsSet("elf", "FM_k", 1),)))
    silently(table, lambda table: table.state.active == "elf" and table.state.phase == "combat")
    assert table.state.bought == {"orc.unit": 3}
    table.must(ARBITER, Correct("and was won back", (UnitsSet("orc", "FM_k", 1),)))
    silently(table, lambda table: table.state.active == "orc" and table.state.phase == "reinforce")
    table.must("orc", PlaceUnits({"FM_k": 3}))
    assert table.state.bought == {}
