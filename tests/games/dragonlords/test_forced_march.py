"""Forced march in phase 4 (QD-18)."""

import pytest

from core.deciding import Decision, Refused, decide
from core.games.dragonlords.armies import GoldTaken, UnitsMarked
from core.games.dragonlords.forced_march import ForcedMarch
from core.games.dragonlords.forces import ChipsTired
from core.games.dragonlords.land_combat import Attack
from core.games.dragonlords.phases import EndPhase
from core.games.dragonlords.position import ChipSet, UnitsSet
from core.games.dragonlords.transfer import Transfer
from core.telling import Moment
from events.play import Sealed
from tests.driver import SPECTATOR, Table
from tests.games.dragonlords.land import gold, is_offered, phase, stands, told

ORCS = stands("orc", FM_k=5, FM_s=1, G1=2, OR_n=1, OR_ne=1, FM_ne=1)
ELVES = stands("elf", OR_k=2, SC_k=2)


def marching(*more: object, answers: dict[str, str] | None = None) -> Table:
    """Return a table in phase 4 of the Orcs."""
    return phase("orc", "combat", *ORCS, *ELVES, *more, seats=("orc", "elf"), answers=answers or {})


def at(table: Table, place: str) -> int:
    """Return how many units stand in a place."""
    army = table.state.armies.get(place)
    return army.size if army is not None else 0


def test_units_march_through_four_connected_territories() -> None:
    """Over friendly land that is joined, ending on friendly land (QD-18.1)."""
    table = marching()
    march = ForcedMarch(("FM_s", "G1", "OR_n", "OR_ne"), "FM_k", 3)
    assert is_offered(table, "orc", march)
    table.must("orc", march)
    assert (at(table, "FM_k"), at(table, "FM_s"), at(table, "G1"), at(table, "OR_ne")) == (2, 1, 2, 4)


def test_five_territories_are_too_many() -> None:
    """Four at most, and never back to where it began (QD-18.1)."""
    table = marching(*stands("orc", OR_se=1))
    far = ForcedMarch(("FM_s", "G1", "OR_n", "OR_ne", "OR_se"), "FM_k", 1)
    table.when("orc", far).refused("no_march", "QD-18.1")
    table.when("orc", ForcedMarch((), "FM_k", 1)).refused("no_march", "QD-18.1")
    table.when("orc", ForcedMarch(("FM_s", "FM_k"), "FM_k", 1)).refused("no_march", "QD-18.1")
    assert not is_offered(table, "orc", far)


def test_a_march_does_not_cross_a_border_that_is_none() -> None:
    """Adjacent territories only; the world is flat (QD-18.1, QD-2.9)."""
    table = marching()
    table.when("orc", ForcedMarch(("G1",), "FM_k", 1)).refused("not_adjacent", "QD-18.1")
    table.when("orc", ForcedMarch(("N1",), "FM_k", 1)).refused("not_adjacent", "QD-2.9")


def test_a_march_enters_no_enemy_land() -> None:
    """Neither to end there nor to pass (QD-18.1, QD-2.1)."""
    table = marching()
    table.when("orc", ForcedMarch(("OR_k",), "OR_n", 0)).refused("enemy_there", "QD-18.1")
    march = ForcedMarch(("OR_n", "OR_k", "OR_ne"), "G1", 1)
    table.when("orc", march).refused("enemy_there", "QD-2.1")
    assert not is_offered(table, "orc", march)


def test_no_territory_is_left_empty() -> None:
    """One unit stays where the march begins (QD-18.1)."""
    table = marching()
    table.when("orc", ForcedMarch(("FM_s",), "FM_k", 5)).refused("left_empty", "QD-18.1")
    table.when("orc", ForcedMarch(("FM_k",), "FM_s", 1)).refused("left_empty", "QD-18.1")
    table.when("orc", ForcedMarch(("FM_s",), "FM_k", 0)).refused("nobody_sent", "QD-18.1")
    table.when("orc", ForcedMarch(("FM_s",), "FM_k", 6)).refused("not_there", "QD-18.1")
    table.when("orc", ForcedMarch(("OR_n",), "OR_k", 1)).refused("not_yours", "QD-18.1")
    table.must("orc", ForcedMarch(("FM_s",), "FM_k", 4))


def test_an_empty_territory_that_is_crossed_keeps_a_unit() -> None:
    """Nothing that the march crosses is left empty: each empty territory is claimed by one (QD-18.1)."""
    table = marching()
    march = ForcedMarch(("FM_n", "FM_nw"), "FM_k", 3)
    assert is_offered(table, "orc", march)
    table.must("orc", march)
    assert (at(table, "FM_k"), at(table, "FM_n"), at(table, "FM_nw")) == (2, 1, 2)
    thin = ForcedMarch(("FM_sw", "T1"), "FM_k", 1)
    table.when("orc", thin).refused("too_few_to_claim", "QD-18.1", "QD-X47")
    assert not is_offered(table, "orc", thin)


def test_a_march_may_end_on_empty_land() -> None:
    """So an empty kingdom is claimed, with the gold that waits there (QD-18.1, QD-2.2)."""
    table = phase("orc", "combat", *stands("orc", FM_n=3), *ELVES, *gold(FM_k=7), seats=("orc", "elf"))
    table.must("orc", ForcedMarch(("FM_k",), "FM_n", 2))
    assert at(table, "FM_k") == 2
    assert told(table, GoldTaken) == [GoldTaken("orc", "FM_k", 7, because=("QD-2.2", "QD-H46"))]


def test_a_table_may_march_over_friendly_land_only() -> None:
    """The stricter reading neither crosses nor claims empty land (QD-18.1)."""
    table = marching(answers={"QD-X47": "friendly_only"})
    for path in (("FM_n",), ("FM_n", "FM_ne")):
        table.when("orc", ForcedMarch(path, "FM_k", 2)).refused("empty_there", "QD-18.1", "QD-X47")
        assert not is_offered(table, "orc", ForcedMarch(path, "FM_k", 2))
    table.must("orc", ForcedMarch(("FM_ne",), "FM_k", 2))


def test_units_that_marched_fight_no_battle_this_turn() -> None:
    """Who stood there before may still attack (QD-18.1)."""
    table = marching()
    table.must("orc", ForcedMarch(("FM_s", "G1", "OR_n"), "FM_k", 3))
    table.when("orc", Attack("OR_k", "OR_n", 2)).refused("spent", "QD-18.1", "QD-H28")
    assert [reason.because for reason in table.reasons] == [("QD-18.1", "QD-H27", "QD-H28")]
    assert table.reasons[0].text.endswith("this turn; the others have retreated or marched.")
    table.must("orc", Attack("OR_k", "OR_n", 1))


def test_units_march_once_in_a_turn() -> None:
    """Who arrived stays; others there may set out (QD-18.1)."""
    table = marching()
    table.must("orc", ForcedMarch(("FM_s", "G1"), "FM_k", 3))
    assert at(table, "G1") == 5
    table.when("orc", ForcedMarch(("OR_n",), "G1", 3)).refused("not_there", "QD-18.1")
    table.must("orc", ForcedMarch(("OR_n",), "G1", 2))
    table.when("orc", ForcedMarch(("OR_n",), "G1", 1)).refused("not_there")


def test_units_that_fought_do_not_march() -> None:
    """A fight and a march exclude each other; the fresh units of the same place may march (QD-18.1)."""
    table = marching()
    fought = UnitsMarked("FM_k", fought=3).onto(table.state)
    now = Moment(table.rules, fought, table.now.table, table.now.entry)
    refused = decide(now, "orc", ForcedMarch(("FM_s",), "FM_k", 3))
    assert isinstance(refused, Refused)
    assert [(reason.code, reason.because) for reason in refused.reasons] == [
        ("has_fought", ("QD-18.1", "QD-H28"))
    ]
    assert isinstance(decide(now, "orc", ForcedMarch(("FM_s",), "FM_k", 2)), Decision)


def test_units_that_marched_may_still_step_in_the_transfer_phase() -> None:
    """The march is counted in phase 4 alone (QD-18.1, QD-19.1)."""
    table = marching()
    table.must("orc", ForcedMarch(("FM_s",), "FM_k", 3))
    table.must("orc", EndPhase())
    table.must("orc", Transfer("G1", "FM_s", 3))


def test_a_king_marches_unseen_and_only_once() -> None:
    """His chip goes with the unit that bears it; the others see how many went, not who (QD-18.1, QD-1.4)."""
    table = marching(ChipSet("orc", "orc.king", "FM_k"))
    table.must("orc", ForcedMarch(("FM_s",), "FM_k", 2, leading=("orc.king",)))
    assert table.state.chips["orc.king"].place == "FM_s"
    assert table.view("elf").state.chips == {}
    assert {"orc@FM_k", "orc@FM_s"} <= set(table.view("elf").state.shades)
    facts = table.seen(table.log[-1], SPECTATOR).facts
    assert sum(isinstance(fact, Sealed) for fact in facts) == 2
    again = ForcedMarch(("G1",), "FM_s", 1, leading=("orc.king",))
    table.when("orc", again).refused("moved_already", "QD-18.1")
    assert not is_offered(table, "orc", again)


def test_what_goes_unseen_is_sealed_also_when_no_chip_goes() -> None:
    """From a stack that may hide a chip the number of sealed facts says nothing (QD-18.1, QD-1.4)."""
    table = marching(ChipSet("orc", "orc.king", "FM_k"))
    other = table.twin()
    table.must("orc", ForcedMarch(("FM_s",), "FM_k", 2, leading=("orc.king",)))
    other.must("orc", ForcedMarch(("FM_s",), "FM_k", 2))
    seen = [[type(fact) for fact in each.seen(each.log[-1], "elf").facts] for each in (table, other)]
    assert seen[0] == seen[1]
    tired = [fact for fact in other.log[-1].entry.facts if isinstance(fact, ChipsTired)]
    assert [fact.chips for fact in tired] == [()]


@pytest.mark.parametrize(
    ("gatekeeper", "chips"),
    (
        ("", ()),
        ("orc.wizard.1", ("orc.wizard.1",)),
        ("orc.king", ("orc.king",)),
    ),
)
def test_a_march_goes_through_a_teleportal_by_a_spell_user_there(
    gatekeeper: str, chips: tuple[str, ...]
) -> None:
    """He is shown and need not go along; the first that serves, unless one is named (QD-18.1, QD-2.6)."""
    table = phase(
        "orc",
        "combat",
        *stands("orc", FM_sw=3, T1=3, IH_s=1),
        *ELVES,
        ChipSet("orc", "orc.wizard.1", "T1"),
        ChipSet("orc", "orc.king", "T1"),
        ChipSet("orc", "orc.blank", "T1"),
        seats=("orc", "elf"),
    )
    march = ForcedMarch(("T1", "T2", "IH_s"), "FM_sw", 2, gatekeeper=gatekeeper)
    assert is_offered(table, "orc", march)
    table.must("orc", march)
    shown = table.view("elf").state.chips
    assert set(shown) == set(chips or ("orc.wizard.1",))
    assert (at(table, "T1"), at(table, "T2"), at(table, "IH_s")) == (3, 1, 2)


def test_a_teleportal_without_a_spell_user_is_no_way() -> None:
    """The blank does not serve, nor who stands elsewhere (QD-18.1, QD-2.6)."""
    table = phase(
        "orc",
        "combat",
        *stands("orc", FM_sw=3, T1=3),
        *ELVES,
        ChipSet("orc", "orc.king", "FM_sw"),
        ChipSet("orc", "orc.blank", "T1"),
        seats=("orc", "elf"),
    )
    for keeper in ("", "orc.king", "orc.blank", "dragonlord"):
        march = ForcedMarch(("T1", "T2"), "FM_sw", 2, gatekeeper=keeper)
        table.when("orc", march).refused("no_spell_user", "QD-2.6", "QD-18.1")
        assert not is_offered(table, "orc", march)
    table.when("orc", ForcedMarch(("T1",), "FM_sw", 2, gatekeeper="orc.king")).refused("no_spell_user")


def test_dragonlords_march_like_units() -> None:
    """A DragonLord moves as a unit, and leaves a unit where an empty territory is crossed (QD-18.1, QD-14.5)."""
    table = marching(UnitsSet("orc", "FM_k", 2, 2))
    march = ForcedMarch(("FM_n", "FM_nw"), "FM_k", 1, 2)
    assert is_offered(table, "orc", march)
    table.must("orc", march)
    army = table.state.armies["FM_nw"]
    assert (army.units, army.dragonlords, at(table, "FM_n")) == (0, 2, 1)
