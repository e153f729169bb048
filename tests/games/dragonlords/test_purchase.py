"""Phase 1, buying (QD-1.2, QD-4.2)."""

import pytest

from core.games.dragonlords.phases import EndPhase
from core.games.dragonlords.purchase import (
    BuyShip,
    BuyUnits,
    GoldPaid,
    ShipBought,
    UnitsBought,
    most_units,
    price,
)
from tests.games.dragonlords.land import gold, is_offered, offered, phase, stands

ORCS = stands("orc", FM_k=3, FM_ne=2, AL_k=1)
OTHERS = (*stands("elf", SC_k=2), *stands("dwarf", OR_k=2))


@pytest.mark.parametrize(
    ("seat", "units", "cost"),
    (
        ("orc", 4, 10),
        ("orc", 5, 13),
        ("orc", 8, 20),
        ("orc", 3, 9),
        ("orc", 7, 19),
        ("elf", 4, 12),
        ("dwarf", 1, 3),
        ("barbarian", 3, 12),
    ),
)
def test_each_race_has_its_price(seat: str, units: int, cost: int) -> None:
    """3 gold a unit, 4 for a Barbarian; every full four Orcs of a purchase cost 10 (QD-1.2, W2)."""
    assert price(seat, units) == cost
    assert most_units(seat, cost) == units


def test_four_orcs_cost_ten_gold() -> None:
    """The Orc's special: a bundle of four (QD-1.2, QD-4.2)."""
    table = phase("orc", "buy", *ORCS, *OTHERS, *gold(FM_k=13))
    table.when("orc", BuyUnits(4)).then(
        GoldPaid("orc", "FM_k", 10, because=("QD-4.2", "QD-1.2")), UnitsBought("orc", 4, because=("QD-4.2",))
    )
    assert table.state.gold == {"FM_k": 3}
    assert table.state.bought == {"orc.unit": 4}


@pytest.mark.parametrize("stored", range(40))
def test_the_most_that_gold_buys_is_offered_and_no_more(stored: int) -> None:
    """What is offered is what can be paid: one unit more cannot (QD-4.2)."""
    for seat in ("orc", "elf", "barbarian"):
        most = most_units(seat, stored)
        assert price(seat, most) <= stored < price(seat, most + 1)


def test_bought_units_are_not_on_the_board_yet() -> None:
    """They wait for phase 7 (QD-4.2)."""
    table = phase("orc", "buy", *ORCS, *OTHERS, *gold(FM_k=9))
    table.must("orc", BuyUnits(3))
    assert table.state.armies["FM_k"].size == 3
    assert table.state.muster["orc"].raised == 6


def test_too_little_gold_buys_nothing() -> None:
    """What is not stored cannot be spent (QD-4.2)."""
    table = phase("orc", "buy", *ORCS, *OTHERS, *gold(FM_k=8))
    table.when("orc", BuyUnits(3)).refused("too_little_gold", "QD-4.2")
    table.when("orc", BuyShip()).refused("too_little_gold", "QD-4.2")
    table.when("orc", BuyUnits(0)).refused("nothing_bought", "QD-4.2")
    assert not is_offered(table, "orc", BuyShip())
    assert is_offered(table, "orc", BuyUnits(2))


def test_the_kingdom_named_pays_first() -> None:
    """Gold may lie in several kingdoms; the buyer says which pays, the rest follow in the order of the board (QD-2.2)."""
    table = phase("orc", "buy", *ORCS, *OTHERS, *gold(FM_k=5, AL_k=5))
    table.when("orc", BuyUnits(2, "AL_k")).then(
        GoldPaid("orc", "AL_k", 5), GoldPaid("orc", "FM_k", 1), UnitsBought("orc", 2)
    )
    table.when("orc", BuyUnits(1, "SC_k")).refused("not_your_kingdom", "QD-2.2")


def test_gold_in_the_kingdom_of_another_is_not_ones_own() -> None:
    """Who holds the kingdom has its gold (QD-2.2)."""
    table = phase("orc", "buy", *ORCS, *OTHERS, *gold(FM_k=3, SC_k=30))
    table.when("orc", BuyUnits(2)).refused("too_little_gold", "QD-4.2")


def test_nobody_buys_without_a_kingdom() -> None:
    """A player without a kingdom is not even asked (QD-2.3)."""
    table = phase("orc", "buy", *stands("orc", FM_n=4), *OTHERS, *stands("elf", FM_k=1), *gold(FM_k=30))
    table.asks(orc="quest")
    assert [(reason.code, reason.because) for reason in BuyUnits(1).forbids(table.now, "orc")] == [
        ("no_kingdom", ("QD-2.3", "QD-X63"))
    ]


def test_nobody_is_asked_who_cannot_pay_a_single_unit() -> None:
    """A phase in which nothing can be done passes by itself, also when the last gold is spent (QD-4.1, QD-4.2)."""
    table = phase("orc", "buy", *ORCS, *OTHERS, *gold(FM_k=2))
    table.asks(orc="combat")
    rich = phase("orc", "buy", *ORCS, *OTHERS, *gold(FM_k=5))
    rich.must("orc", BuyUnits(1))
    rich.asks(orc="combat")


def test_a_ship_costs_ten_gold() -> None:
    """It waits for phase 7 as units do (QD-4.2)."""
    table = phase("orc", "buy", *ORCS, *OTHERS, *gold(FM_k=13))
    table.when("orc", BuyShip()).then(
        GoldPaid("orc", "FM_k", 10), ShipBought("orc", because=("QD-4.2", "QD-H8"))
    )
    assert table.state.bought == {"orc.ship": 1}
    table.asks(orc="buy")


def test_a_ship_is_bought_only_for_a_harbour_in_a_realm_one_may_reinforce() -> None:
    """Without such a harbour at the purchase none can be bought, unless the table takes any harbour (QD-4.2)."""
    army = (*stands("orc", FM_k=3, SC_ne=2), *OTHERS, *gold(FM_k=20))
    table = phase("orc", "buy", *army)
    table.when("orc", BuyShip()).refused("no_harbour", "QD-4.2", "QD-H8")
    assert not offered(table.ask("orc"), BuyShip)
    anywhere = phase("orc", "buy", *army, answers={"QD-H8": "any_friendly_harbour"})
    assert is_offered(anywhere, "orc", BuyShip())
    anywhere.must("orc", BuyShip())


def test_there_are_eight_ships_in_all() -> None:
    """Ships that were bought and wait count too (QD-1.3, QD-4.2)."""
    table = phase("orc", "buy", *ORCS, *OTHERS, *gold(FM_k=100))
    for _ in range(8):
        table.must("orc", BuyShip())
    table.when("orc", BuyShip()).refused("no_ship_left", "QD-4.2")
    assert not offered(table.ask("orc"), BuyShip)


def test_silence_buys_nothing() -> None:
    """What a scoresheet leaves out is that the phase ends (QD-4.2)."""
    table = phase("orc", "buy", *ORCS, *OTHERS, *gold(FM_k=30))
    assert table.ask("orc").silence == EndPhase()
    table.must("orc", EndPhase())
    assert table.state.gold == {"FM_k": 30}
