"""The short game and the long one (QD-23.2, QD-23.3), alone and with two allied armies a player."""

from collections.abc import Callable
from typing import Any

import pytest

from core.games.dragonlords import RULES
from core.games.dragonlords.board import TERRITORIES, TUNDRA
from core.games.dragonlords.boarding import Land
from core.games.dragonlords.decks import deck_of, scrolls
from core.games.dragonlords.forced_march import ForcedMarch
from core.games.dragonlords.land_combat import Attack
from core.games.dragonlords.position import ChipSet, HandSet, SpellsSet, UnitsSet
from core.games.dragonlords.scrolls import ReadScroll
from core.games.dragonlords.setup import Claim, claimable, reserve
from core.games.dragonlords.teleport import Teleport
from core.games.dragonlords.transfer import Transfer
from core.games.dragonlords.travelling import Travel
from core.games.dragonlords.variants import kingdoms_on, kingdoms_to_win
from core.games.dragonlords.wastelands import MoveParty
from core.kit.chance import Deal
from core.kit.table import OpenGame
from core.seats import ARBITER, CHANCE
from events.play import GameEnded
from tests.driver import Table, given, play
from tests.games.dragonlords.expeditions import dice
from tests.games.dragonlords.land import is_offered, opened, phase, silently, stands
from tests.games.dragonlords.sea import fleet

SHORT = {"length": "short"}
LONG = {"length": "long"}
FOUR = ("orc", "elf", "dwarf", "barbarian")


def short(name: str, *position: Any, seats: tuple[str, ...] = ("orc", "elf"), **more: Any) -> Table:
    """Return a short game, all four kingdoms to be won unless said, in a phase of the Orcs."""
    return phase("orc", name, *position, seats=seats, options=SHORT, **more)


# The short game


def test_the_east_of_the_board_is_tundra() -> None:
    """Two realms with their kingdoms, two gold territories, a teleportal and an island: 37 territories stay (QD-23.2)."""
    table = given(RULES, seats=("orc", "elf"), options=SHORT)
    assert table.state.tundra == TUNDRA
    assert len(TERRITORIES.keys() - TUNDRA) == 37
    assert kingdoms_on(table.state) == ("FM_k", "OR_k", "IH_k", "SV_k")
    assert given(RULES, seats=("orc", "elf")).state.tundra == frozenset()


@pytest.mark.parametrize(
    ("seats", "options"),
    ((("orc", "elf"), SHORT), (FOUR[:3], SHORT), (FOUR, SHORT), (FOUR, {**SHORT, "armies": "two"})),
)
def test_the_setup_of_a_short_game_claims_everything_but_tundra(
    seats: tuple[str, ...], options: dict[str, str]
) -> None:
    """Nobody begins there, and all the rest is claimed (QD-3.3, QD-23.2)."""
    table = opened(*seats, options=options)
    assert not is_offered(table, seats[0], Claim("SC_k"))
    table.when(seats[0], Claim("SC_k")).refused("tundra", "QD-23.2")
    silently(table, lambda table: table.now.question is not None and table.now.question.kind == "buy")
    islands = {name for name, land in TERRITORIES.items() if land.kind == "island"}
    assert set(table.state.armies) == TERRITORIES.keys() - TUNDRA - islands
    assert [reserve(table.now, seat) for seat in seats] == [0] * len(seats)


@pytest.mark.parametrize(
    ("name", "position", "command"),
    (
        ("combat", stands("orc", IH_se=3), Attack("SC_sw", "IH_se", 2)),
        ("combat", stands("orc", IH_se=3), ForcedMarch(("SC_sw",), "IH_se", 2)),
        ("transfer", stands("orc", IH_se=3), Transfer("SC_sw", "IH_se", 2)),
        (
            "combat",
            (
                *stands("orc", T1=3),
                ChipSet("orc", "orc.wizard.1", "T1"),
                SpellsSet("orc.wizard.1", ("heal",)),
            ),
            Attack("T3", "T1", 2),
        ),
        ("sea", (UnitsSet("orc", "IH_se", 3, 1),), Teleport("dragonlord", "AL_k", "IH_se", 1)),
        ("sea", fleet("orc", "N4", 1, 2), Land("SC_nw", 1)),
        ("transfer", fleet("orc", "N4", 1, 2), Land("SC_nw", 1)),
    ),
)
def test_nobody_enters_tundra(name: str, position: tuple[Any, ...], command: Any) -> None:
    """On foot, by ship, by teleportal and by magic: it is refused, not offered, and no table overlooks it (QD-23.2)."""
    position = (*position, *stands("orc", OR_k=2), *stands("elf", SV_k=2))
    table = short(name, *position)
    assert not is_offered(table, "orc", command)
    table.when("orc", command).refused("tundra", "QD-23.2")
    table.when("orc", command, overlook=True).refused("tundra", "QD-23.2")


@pytest.mark.parametrize(
    ("name", "position", "command"),
    (
        ("combat", stands("orc", IH_se=3), Attack("SC_sw", "IH_se", 2)),
        ("transfer", stands("orc", IH_se=3), Transfer("SC_sw", "IH_se", 2)),
        ("sea", fleet("orc", "N4", 1, 2), Land("SC_nw", 1)),
    ),
)
def test_in_other_games_that_land_is_open(name: str, position: tuple[Any, ...], command: Any) -> None:
    """The usual game, the long one included, is played on the whole board (QD-23.2)."""
    for options in ({}, LONG):
        table = phase(
            "orc",
            name,
            *position,
            *stands("orc", OR_k=2),
            *stands("elf", SV_k=2),
            seats=("orc", "elf"),
            options=options,
        )
        assert is_offered(table, "orc", command)
        table.must("orc", command)


def test_a_party_does_not_come_out_into_tundra() -> None:
    """The pass of SC_n is closed, that of IH_ne is open (QD-6.5, QD-23.2)."""
    table = short("quest", UnitsSet("orc", "WT12", 3), *stands("orc", OR_k=2), *stands("elf", SV_k=2))
    dice(table.when("orc", MoveParty("WT12")), 2)
    table.when("orc", Travel("SC_n")).refused("tundra", "QD-23.2")
    table.must("orc", Travel("IH_ne"))


def test_a_position_with_units_on_tundra_is_refused() -> None:
    """No short game could hold it (QD-23.2, LS-1.5)."""
    position = (*stands("orc", SC_k=2), *stands("elf", OR_k=2))
    command: OpenGame[Any] = OpenGame("g", "dragonlords", ("orc", "elf"), options=SHORT, position=position)
    said = Table(RULES).when(ARBITER, command).refused("unsound", "LS-1.5")
    assert "tundra" in said.reasons[0].text


@pytest.mark.parametrize(
    ("options", "units", "lawful"),
    ((SHORT, 13, True), ({}, 13, False), (LONG, 13, False), ({}, 10, True)),
)
def test_in_the_short_game_a_dragonlord_takes_more_than_ten_along(
    options: dict[str, str], units: int, lawful: bool
) -> None:
    """Ten is the limit of the other games (QD-5.4, QD-23.2)."""
    table = phase(
        "orc",
        "sea",
        UnitsSet("orc", "OR_k", 15, 1),
        *stands("elf", SV_k=2),
        seats=("orc", "elf"),
        options=options,
    )
    command = Teleport("dragonlord", "SV_k", "OR_k", units)
    assert is_offered(table, "orc", command) == lawful
    if lawful:
        table.must("orc", command)
        assert any("QD-23.2" in fact.because for fact in table.log[-1].entry.facts) == (units > 10)
    else:
        table.when("orc", command).refused("too_many", "QD-15.3")


def test_a_wizard_takes_five_along_in_the_short_game_too() -> None:
    """Only DragonLords take more (QD-5.3, QD-23.2)."""
    table = short(
        "sea", *stands("orc", OR_k=15), *stands("elf", SV_k=2), ChipSet("orc", "orc.wizard.1", "OR_k"),
        SpellsSet("orc.wizard.1", ("teleport",)),
    )  # fmt: skip
    assert is_offered(table, "orc", Teleport("orc.wizard.1", "SV_k", "OR_k", 5))
    table.when("orc", Teleport("orc.wizard.1", "SV_k", "OR_k", 6)).refused("too_many", "QD-15.3")


def test_no_blockade_takes_more_units_than_its_ships_carry() -> None:
    """A DragonLord may bring more than ten to a blockade, and a ship still carries eight (QD-5.1, QD-23.2)."""
    table = short("sea", UnitsSet("orc", "OR_k", 15, 1), *fleet("orc", "S1", 2, 2), *stands("elf", SV_k=2))
    assert is_offered(table, "orc", Teleport("dragonlord", "S1", "OR_k", 13))
    table.when("orc", Teleport("dragonlord", "S1", "OR_k", 14)).refused("no_room_there", "QD-15.3")


@pytest.mark.parametrize(
    ("answer", "kingdoms", "won"),
    (
        ("four_kingdoms", ("OR_k", "SV_k"), False),
        ("four_kingdoms", ("OR_k", "SV_k", "FM_k"), True),
        ("three_kingdoms", ("OR_k",), False),
        ("three_kingdoms", ("OR_k", "SV_k"), True),
    ),
)
def test_the_agreed_number_of_kingdoms_wins_the_short_game(
    answer: str, kingdoms: tuple[str, ...], won: bool
) -> None:
    """All four unless fewer were agreed on; whoever takes the last of them wins at once (QD-22.2, QD-23.2)."""
    table = short(
        "combat", *(UnitsSet("orc", place, 2) for place in kingdoms), *stands("orc", IH_sw=3),
        *stands("elf", G1=2), answers={"QD-H22": answer},
    )  # fmt: skip
    table.must("orc", Attack("IH_k", "IH_sw", 2))
    expected = GameEnded(("orc",), "kingdoms", because=("QD-22.2", "QD-H48", "QD-23.2", "QD-H22"))
    assert table.state.ended == (expected if won else None)


def test_allies_win_the_short_game_with_kingdoms_that_they_hold_together() -> None:
    """Both variants together: the agreed number counts for the two armies of a player (QD-23.1, QD-23.2)."""
    table = phase(
        "orc", "combat", *stands("orc", OR_k=2, IH_sw=3), *stands("dwarf", FM_k=2), *stands("elf", SV_k=2),
        *stands("barbarian", G1=2), seats=FOUR, options={**SHORT, "armies": "two"}, answers={"QD-H22": "three_kingdoms"},
    )  # fmt: skip
    table.must("orc", Attack("IH_k", "IH_sw", 2))
    assert table.state.ended is not None
    assert (table.state.ended.winners, table.state.ended.how) == (("orc", "dwarf"), "kingdoms")


@pytest.mark.parametrize(
    ("seats", "options", "answer"),
    (
        (FOUR[:2], SHORT, "two_kingdoms"),
        (FOUR[:3], SHORT, "two_kingdoms"),
        (FOUR, {**SHORT, "armies": "two"}, "two_kingdoms"),
    ),
)
def test_a_number_of_kingdoms_that_somebody_could_begin_with_is_refused(
    seats: tuple[str, ...], options: dict[str, str], answer: str
) -> None:
    """Of four kingdoms each of two players begins with two, and one of three: the game would be won at once (QD-23.2)."""
    command: OpenGame[Any] = OpenGame("g", "dragonlords", seats, {"QD-H22": answer}, options=options)
    said = Table(RULES).when(ARBITER, command).refused("wins_at_once", "QD-23.2")
    assert "three_kingdoms" in said.reasons[0].text


def test_four_players_may_agree_on_two_kingdoms() -> None:
    """Each begins with one (QD-23.2)."""
    table = given(RULES, seats=FOUR, options=SHORT, answers={"QD-H22": "two_kingdoms"})
    assert kingdoms_to_win(table.now) == 2


def test_nobody_claims_the_kingdom_with_which_he_would_have_won() -> None:
    """In a duel for three kingdoms each begins with two (QD-3.3, QD-23.2)."""
    table = opened("orc", "elf", options=SHORT, answers={"QD-H22": "three_kingdoms"})
    for seat, place in (("orc", "OR_k"), ("elf", "SV_k"), ("orc", "FM_k")):
        table.must(seat, Claim(place))
    assert "IH_k" in claimable(table.now, "elf")
    table.must("elf", Claim("G1"))
    assert not is_offered(table, "orc", Claim("IH_k"))
    table.when("orc", Claim("IH_k")).refused("wins_at_once", "QD-3.3", "QD-23.2")
    table.must("orc", Claim("G3"))
    table.must("elf", Claim("IH_k"))


def test_in_other_games_six_kingdoms_win_whatever_was_agreed() -> None:
    """The number of kingdoms is a matter of the short game alone (QD-22.2, QD-23.2)."""
    table = given(RULES, seats=("orc", "elf"), answers={"QD-H22": "two_kingdoms"})
    assert kingdoms_to_win(table.now) == 6


# The long game


def test_in_the_long_game_the_elementals_are_out_of_the_deck() -> None:
    """Four of 24 scrolls are Summon Elemental; the other 20 are dealt (QD-16.2, QD-23.3)."""
    table = given(RULES, seats=("orc", "elf"), options=LONG)
    pool: Any = table.ask(CHANCE).offers[0].fields["card"]
    assert not any("summon_elemental" in card for card in pool.values)
    assert (len(scrolls()), len(deck_of(table.state))) == (24, 20)
    table.when(CHANCE, Deal("summon_elemental.fire")).refused("no_such_card", "LS-4.3")
    table.must(CHANCE, Deal("reflect"))
    usual = given(RULES, seats=("orc", "elf"))
    usual.must(CHANCE, Deal("summon_elemental.fire"))


def test_in_the_long_game_no_elemental_is_read() -> None:
    """Not even out of a hand that nobody who records could see (QD-23.3)."""
    position = (
        *stands("orc", OR_k=2),
        *stands("elf", SV_k=2),
        ChipSet("orc", "orc.king", "OR_k"),
        HandSet("orc", ("?",)),
    )
    read = ReadScroll("summon_elemental.fire", "SV_k")
    table = phase("orc", "combat", *position, seats=("orc", "elf"), options=LONG)
    assert not is_offered(table, "orc", read)
    table.when("orc", read).refused("out_of_the_deck", "QD-23.3")
    usual = phase("orc", "combat", *position, seats=("orc", "elf"))
    usual.must("orc", read)


def test_a_position_of_a_long_game_holds_no_elemental() -> None:
    """It would have come from nowhere (QD-23.3, LS-1.5)."""
    position = (*stands("orc", OR_k=2), *stands("elf", SV_k=2), HandSet("orc", ("summon_elemental.fire",)))
    command: OpenGame[Any] = OpenGame("g", "dragonlords", ("orc", "elf"), options=LONG, position=position)
    said = Table(RULES).when(ARBITER, command).refused("unsound", "LS-1.5")
    assert "QD-23.3" in said.reasons[0].text


def test_a_game_is_short_or_long_not_both() -> None:
    """One option has one value (QD-23.2, QD-23.3, LS-1.4)."""
    command: OpenGame[Any] = OpenGame(
        "g", "dragonlords", ("orc", "elf"), options={"length": "short and long"}
    )
    said = Table(RULES).when(ARBITER, command).refused("no_such_option", "LS-1.4")
    assert "usual or short or long" in said.reasons[0].text


# All of them


@pytest.mark.parametrize("length", ("usual", "short", "long"))
@pytest.mark.parametrize("armies", ("one", "two"))
def test_games_of_every_variant_are_played_at_random(
    armies: str, length: str, rounds: Callable[[int], int]
) -> None:
    """Whatever is offered is lawful, nothing comes to tundra, and no two allies meet (QD-23.1 to QD-23.3)."""
    options = {"armies": armies, "length": length}
    command: OpenGame[Any] = OpenGame("g", "dragonlords", FOUR, options=options, dice="scripted")
    for seed in range(rounds(5)):
        table = play(RULES, seed, 320, begun=[(ARBITER, command)])
        table.leave()
        for moment in table.moments[1:]:
            assert not moment.state.tundra.intersection((*moment.state.armies, *moment.state.columns))
            assert list(RULES.sound(moment.state)) == []
        dealt = [fact.card for one in table.log for fact in one.entry.facts if hasattr(fact, "card")]
        assert length != "long" or not any(card.startswith("summon_elemental") for card in dealt)
