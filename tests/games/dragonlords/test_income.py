"""Gold, and phase 6, income (QD-2.2 to QD-2.6, QD-20)."""

import pytest

from core.games.dragonlords.income import GoldStored, StoreGold, income_of
from core.games.dragonlords.phases import EndPhase
from core.games.dragonlords.position import UnitsSet
from tests.games.dragonlords.land import gold, is_offered, phase, stands


def income(seat: str, *places: str, **answers: str) -> int:
    """Return the income of a seat that holds these places."""
    seats = (seat, "elf" if seat != "elf" else "orc")
    army = [UnitsSet(seat, place, 1) for place in places]
    table = phase(
        seat, "transfer", *army, UnitsSet(seats[1], "FM_nw", 1), seats=seats,
        answers={f"QD-{point}": answer for point, answer in answers.items()},
    )  # fmt: skip
    return income_of(table.now, seat)


@pytest.mark.parametrize(
    ("seat", "places", "earned"),
    (
        ("orc", ("FM_k",), 5),
        ("orc", ("FM_k", "SC_k"), 10),
        ("orc", ("FM_k", "FM_n", "FM_s"), 7),
        ("orc", ("FM_k", "G1"), 10),
        ("orc", ("FM_k", "I1"), 10),
        ("orc", ("FM_k", "T1"), 6),
        ("orc", ("FM_k", "M1"), 10),
        ("dwarf", ("FM_k", "M1"), 15),
        ("dwarf", ("FM_k", "M1", "M2", "G1"), 30),
    ),
)
def test_every_kind_of_territory_yields_its_gold(seat: str, places: tuple[str, ...], earned: int) -> None:
    """5 a kingdom, gold territory or island, 10 a mine to Dwarves, 1 anything else (QD-20.1, QD-2.4, QD-2.5, QD-2.6)."""
    assert income(seat, *places) == earned


def test_a_table_may_add_the_one_gold_of_every_territory() -> None:
    """The other reading: 6 for a kingdom, 11 for a Dwarves' mine, and still 1 for a plain territory (QD-20.1)."""
    assert income("dwarf", "FM_k", "M1", "FM_n", X14="added") == 6 + 11 + 1


def test_without_a_kingdom_nothing_comes_in() -> None:
    """Whatever else one occupies (QD-2.3)."""
    assert income("orc", "G1", "G2", "M1", "FM_n") == 0
    table = phase("orc", "income", *stands("orc", G1=2, FM_n=2), *stands("elf", SC_k=1), seats=("orc", "elf"))
    assert table.state.gold == {"SC_k": 0} or not table.state.gold


def test_sea_and_wastelands_yield_nothing() -> None:
    """Units on a road or aboard a ship earn no gold (QD-20.1)."""
    assert income("orc", "FM_k", "WT05", "N1") == 5


def test_with_one_kingdom_the_income_goes_there_by_itself() -> None:
    """There is no choice, so nobody is asked (QD-20.1)."""
    table = phase(
        "orc",
        "transfer",
        *stands("orc", FM_k=2, G1=1),
        *stands("elf", SC_k=1),
        *gold(FM_k=3),
        seats=("orc", "elf"),
    )
    table.must("orc", EndPhase())
    assert table.state.gold == {"FM_k": 13}
    stored = [fact for fact in table.log[-1].entry.facts if isinstance(fact, GoldStored)]
    assert stored == [GoldStored("orc", "FM_k", 10, because=("QD-20.1",))]


def test_with_several_kingdoms_the_owner_says_where_the_income_goes() -> None:
    """The sum is fixed, its parts are not (QD-20.1, QD-2.2)."""
    table = phase(
        "orc", "income", *stands("orc", FM_k=2, AL_k=1, G1=1), *stands("elf", SC_k=1), seats=("orc", "elf")
    )
    table.asks(orc="store_gold")
    table.when("orc", StoreGold({"FM_k": 14})).refused("wrong_sum", "QD-20.1")
    table.when("orc", StoreGold({"FM_k": 14, "SC_k": 1})).refused("not_your_kingdom", "QD-2.2")
    assert not is_offered(table, "orc", StoreGold({"FM_k": 14}))
    assert is_offered(table, "orc", StoreGold({"FM_k": 4, "AL_k": 11}))
    table.must("orc", StoreGold({"AL_k": 11, "FM_k": 4}))
    assert table.state.gold == {"FM_k": 4, "AL_k": 11}


def test_silence_stores_all_of_it_in_the_first_kingdom() -> None:
    """The first on the board (QD-20.1)."""
    table = phase(
        "orc", "income", *stands("orc", FM_k=2, AL_k=1), *stands("elf", SC_k=1), seats=("orc", "elf")
    )
    assert table.ask("orc").silence == StoreGold({"FM_k": 10})
