"""Positions and corrections: what can stand where, and what cannot (QD-1.4, QD-H42, QD-H43)."""

from typing import Any

import pytest
from msgspec import structs

from core.deciding import Decision, Refused, decide, opening
from core.games.dragonlords import RULES
from core.games.dragonlords.ending import FallenSet
from core.games.dragonlords.land_combat import Attack, Fight
from core.games.dragonlords.position import (
    SETUP,
    ChipSet,
    ColumnSet,
    GoldSet,
    HandSet,
    HeldSet,
    HoardSet,
    ItemsSet,
    MonsterSet,
    ReadSet,
    ShadeSet,
    ShipsSet,
    SpellsSet,
    TurnSet,
    UnitsSet,
    recounted,
)
from core.games.dragonlords.soundness import sound
from core.games.dragonlords.state import Army, Battle, Column, Muster
from core.kit.table import Correct, OpenGame
from core.seats import ARBITER
from replay.sheets.adjudicate import adjudicate
from replay.sheets.scoresheet import parse_sheet
from tests.games.dragonlords.field import at_war, home


def refusals(*position: Any) -> list[str]:
    """Return the sentences with which a position in phase 4 of the Orcs is refused; none when it can stand."""
    command: OpenGame[Any] = OpenGame(
        "g", "dragonlords", ("orc", "elf"), position=(TurnSet("orc"), *position)
    )
    decided = decide(opening(RULES), ARBITER, command)
    return [reason.text for reason in decided.reasons] if isinstance(decided, Refused) else []


@pytest.mark.parametrize(
    ("position", "sentence"),
    (
        ((home("orc", "Atlantis", 2),), "there is no place Atlantis"),
        ((home("dwarf", "OR_k", 2),), "dwarf does not sit at the table"),
        ((home("orc", "OR_k", 1), ChipSet("orc", "elf.king", "OR_k")), "orc has no chip elf.king"),
        ((home("orc", "OR_k", 1), ChipSet("orc", "ring_of_tin", "OR_k")), "orc has no chip ring_of_tin"),
        ((home("orc", "OR_k", 1), GoldSet("OR_n", 3)), "OR_n stores 3 gold"),
        ((home("orc", "OR_k", 1), ChipSet("orc", "orc.king", "OR_n")), "has no unit to bear it"),
        (
            (
                home("orc", "OR_k", 1),
                ChipSet("orc", "orc.king", "OR_k"),
                ChipSet("orc", "orc.wizard.1", "OR_k"),
            ),
            "each bears one at most",
        ),
        ((home("orc", "OR_k", 1), HandSet("orc", ("reflect",)), HeldSet("orc", 0)), "fewer than are known"),
        ((home("orc", "OR_k", 1), ColumnSet("elf", "OR_k", "OR_n", 1)), "it is the turn of orc"),
        (
            (UnitsSet("orc", "OR_k", 3, 1), ChipSet("orc", "orc.king", "OR_k", on_dragonlord=True)),
            "no king becomes one (QD-14.5)",
        ),
        (
            (home("orc", "OR_k", 3), ChipSet("orc", "orc.wizard.1", "OR_k", on_dragonlord=True)),
            "1 king or wizard for 0 DragonLords of orc in OR_k",
        ),
        (
            (UnitsSet("orc", "OR_k", 0, 2), ChipSet("orc", "orc.wizard.1", "OR_k")),
            "1 king or wizard for 0 units of orc in OR_k",
        ),
        (
            (
                UnitsSet("orc", "OR_k", 1, 3),
                UnitsSet("elf", "FM_k", 1, 1),
                ColumnSet("orc", "FM_k", "OR_k", 0, 1),
            ),
            "there are 5 DragonLords, more than 4 (QD-1.3)",
        ),
    ),
)
def test_a_position_that_cannot_stand_is_refused_with_a_sentence(
    position: tuple[Any, ...], sentence: str
) -> None:
    """QD-1.4, QD-2.2, QD-H43: places that are there, gold in kingdoms, a bearer for each chip."""
    told = refusals(*position)
    assert any(sentence in text for text in told), told


def test_chips_at_home_and_in_columns_can_stand() -> None:
    """QD-1.4, QD-H42: nothing more need be said than who lies where."""
    assert refusals(
        UnitsSet("orc", "OR_k", 2, 1), ChipSet("orc", "orc.king", "OR_k"),
        ChipSet("orc", "orc.wizard.1", "OR_k", on_dragonlord=True),
        ColumnSet("orc", "OR_n", "OR_k", 1, how="teleport"),
        ChipSet("orc", "excalibur", "OR_n", way="teleport"), home("elf", "OR_n", 1),
    ) == []  # fmt: skip


def test_a_position_says_one_thing_of_one_place() -> None:
    """LS-1.5: two owners of one place, or two counts of one hoard of gold, are refused by name."""
    twice = (
        TurnSet("orc"), UnitsSet("orc", "OR_k", 5), UnitsSet("elf", "OR_k", 3), GoldSet("FM_k", 1), GoldSet("FM_k", 2),
    )  # fmt: skip
    command: OpenGame[Any] = OpenGame("g", "dragonlords", ("orc", "elf"), position=twice)
    refused = decide(opening(RULES), ARBITER, command)
    assert isinstance(refused, Refused)
    assert [(one.figures, one.because) for one in refused.reasons if one.code == "said_twice"] == [
        ({"about": "units OR_k"}, ("LS-1.5",)), ({"about": "gold FM_k"}, ("LS-1.5",)),
    ]  # fmt: skip
    table = at_war(home("orc", "OR_k", 2))
    table.when(ARBITER, Correct("who stood there?", twice[1:3])).refused("said_twice", "LS-2.4")


def test_every_word_of_a_position_holds_once_it_is_set() -> None:
    """A claim that something stands so is right exactly when setting it changes nothing."""
    state = at_war(home("orc", "OR_k", 2), home("elf", "OR_n", 1)).state
    facts = (
        UnitsSet("orc", "OR_s", 3, 1), ColumnSet("orc", "OR_n", "OR_k", 1), ChipSet("orc", "orc.king", "OR_k"),
        ShadeSet("orc", "OR_k"), SpellsSet("orc.wizard.1", ("heal",)), HoardSet("orc", 2), GoldSet("OR_k", 4),
        ShipsSet("OR_sw", 2),
        HandSet("orc", ("reflect",)), HeldSet("orc", 1), ItemsSet("orc", {"torch": 1}), ReadSet(("Q01",)),
        MonsterSet("OR_k", "troll", 1), FallenSet("elf"), TurnSet("elf", "sea", 7),
    )  # fmt: skip
    assert {type(fact) for fact in facts} == set(SETUP)
    for fact in facts:
        assert not fact.holds(state), fact
        assert fact.holds(fact.onto(state)), fact


def test_what_is_set_to_nothing_is_gone() -> None:
    """No units, no gold, no shade: the place is empty, and the units are no longer counted as raised."""
    state = at_war(home("orc", "OR_k", 2), GoldSet("OR_k", 4), ShadeSet("orc", "OR_k")).state
    for fact in (UnitsSet("orc", "OR_k", 0), GoldSet("OR_k", 0), ShadeSet("orc", "OR_k", hides=False)):
        state = fact.onto(state)
    assert (state.armies, state.gold, state.shades) == ({}, {}, frozenset())
    assert state.muster["orc"] == Muster(0, 0)
    assert ColumnSet("orc", "OR_n", "OR_k", 0).onto(state) is state


def test_a_correction_sets_units_and_keeps_the_count() -> None:
    """QD-10.8: an army put right by the arbiter is raised or taken back, not lost."""
    table = at_war(home("orc", "OR_k", 2), home("elf", "OR_n", 1))
    change: Any = (UnitsSet("orc", "OR_k", 5), UnitsSet("orc", "OR_n", 2))
    table.when(ARBITER, Correct("Orcs stood there", change))
    assert table.state.armies == {"OR_k": Army("orc", 5), "OR_n": Army("orc", 2)}
    assert table.state.muster == {"orc": Muster(7, 0), "elf": Muster(0, 0)}


def test_a_correction_that_puts_a_third_army_into_a_battle_is_refused() -> None:
    """QD-10.1: a battle is between its attacker and its defender."""
    table = at_war(home("orc", "OR_k", 3), home("elf", "OR_n", 1), seats=("orc", "elf", "dwarf"))
    table.when("orc", Attack("OR_n", "OR_k", 2)).when("orc", Fight())
    third: Any = (UnitsSet("dwarf", "OR_n", 1),)
    table.when(ARBITER, Correct("Dwarves stood there", third)).refused("unsound")


def test_a_correction_that_hides_a_chip_marks_its_stack() -> None:
    """QD-H42: without the mark nobody would be asked as if a chip might lie there."""
    table = at_war(home("orc", "OR_k", 3), home("elf", "OR_n", 1))
    hidden: Any = (ChipSet("orc", "orc.king", "OR_k"),)
    table.when(ARBITER, Correct("the king was there", hidden)).refused("unsound")
    marked: Any = (*hidden, ShadeSet("orc", "OR_k"))
    table.when(ARBITER, Correct("the king was there", marked))
    assert not table.reasons


def test_units_that_are_doubled_or_vanish_are_noticed() -> None:
    """QD-10.8: what was raised and not lost stands on the board, in armies or in columns."""
    state = at_war(home("orc", "OR_k", 2), home("elf", "OR_n", 1)).state
    assert list(sound(state)) == []
    for armies in (
        {**state.armies, "OR_s": Army("orc", 1)},
        {"OR_k": Army("orc", 1), "OR_n": Army("elf", 1)},
        {"OR_k": Army("orc", 2), "OR_n": Army("elf", -1)},
        {"OR_k": Army("orc", 2), "OR_n": Army("elf", 1), "OR_s": Army("elf", 0)},
    ):
        assert list(sound(structs.replace(state, armies=armies))) != []
        assert list(sound(structs.replace(state, armies=armies), state)) != []
    fight = structs.replace(state, battle=Battle("OR_n", "orc", "dwarf"))
    assert list(sound(fight)) == ["orc fights dwarf for OR_n, but elf holds it"]
    assert list(sound(fight, state)) == list(sound(fight))


def test_what_has_not_changed_since_a_sound_state_is_not_looked_at_again() -> None:
    """A command is checked by what it changed: who tells of one state and checks another would find nothing."""
    state = at_war(home("orc", "OR_k", 2), home("elf", "OR_n", 1)).state
    doubled = structs.replace(state, armies={**state.armies, "OR_s": Army("orc", 1)})
    assert list(sound(doubled)) == list(sound(doubled, state)) != []
    assert list(sound(structs.replace(doubled, won=1), doubled)) == []
    left = structs.replace(state, columns={"OR_n": (Column("orc", "OR_k", 1),)})
    assert list(sound(left, state)) == list(sound(left)) != []
    assert list(sound(structs.replace(state, muster={}), state)) != []


def test_a_game_from_a_position_goes_on_where_it_says() -> None:
    """QD-4.1: whose turn, which phase; a position that says nothing of it is set up from the start (QD-3.1)."""
    assert at_war(home("orc", "OR_k", 2), home("elf", "OR_n", 1)).asked() == {"orc": ["combat"]}
    command: OpenGame[Any] = OpenGame("g", "dragonlords", ("orc", "elf"))
    decided = decide(opening(RULES), ARBITER, command)
    assert isinstance(decided, Decision)
    assert decided.after.question is not None
    assert decided.after.question.kind == "draw"


def test_a_claim_of_none_is_right_of_who_never_had_any() -> None:
    """Nought scrolls and nought treasures are what everybody has who was never dealt any (QD-3.1, QD-7.1)."""
    state = at_war(home("orc", "OR_k"), home("elf", "FM_k")).state
    assert HeldSet("elf", 0).holds(state)
    assert HoardSet("elf", 0).holds(state)
    assert not HeldSet("elf", 1).holds(state)
    assert not HoardSet("elf", 1).holds(state)


def test_a_table_that_counts_more_losses_may_have_lost_all_but_no_more() -> None:
    """What is recounted is the army as the table has it; it cannot lose units that are not there (QD-10.8)."""
    state = at_war(home("orc", "OR_k", 3), UnitsSet("elf", "FM_k", 2, 1)).state
    assert recounted(state, "elf", "FM_k", 1, lords=False) == (UnitsSet("elf", "FM_k", 1, 1),)
    assert recounted(state, "elf", "FM_k", 2, lords=False) == (UnitsSet("elf", "FM_k", 0, 1),)
    assert recounted(state, "elf", "FM_k", 1, lords=True) == (UnitsSet("elf", "FM_k", 2, 0),)
    assert recounted(state, "elf", "FM_k", 3, lords=False) == ()
    assert recounted(state, "elf", "FM_k", 2, lords=True) == ()


# what a position leaves out


def doubted(*position: Any, seats: tuple[str, ...] = ("orc", "elf")) -> list[str]:
    """Return what is said of a game that opens from a position."""
    command: OpenGame[Any] = OpenGame("g", "dragonlords", seats, position=position)
    decided = decide(opening(RULES), ARBITER, command)
    assert isinstance(decided, Decision)
    return list(RULES.doubts(decided.after, position))


KINGS = (
    home("orc", "OR_k", 3), home("elf", "AL_k", 3), ChipSet("orc", "orc.king", "OR_k"), ChipSet("elf", "elf.king", "AL_k"),
)  # fmt: skip


def test_a_position_with_all_that_its_phase_needs_is_told_nothing() -> None:
    """Kings for all, and a phase in which there is something to decide."""
    assert doubted(TurnSet("orc", "combat"), *KINGS) == []
    assert doubted(TurnSet("orc", "buy"), *KINGS, GoldSet("OR_k", 10)) == []
    assert doubted(TurnSet("orc", "transfer"), *KINGS) == []


def test_a_seat_without_a_king_is_told_with_how_to_set_one_up() -> None:
    """In a kingdom of his, else with his largest army; not who fell (QD-22.1), nor who has a stack that may hide him."""
    (said,) = doubted(TurnSet("orc"), *KINGS[:3])
    assert said.startswith("elf has no king on the board.")
    assert '`[[chip]]` with seat = "elf", chip = "elf.king", place = "AL_k" sets one up' in said
    assert doubted(TurnSet("orc"), *KINGS[:3], ChipSet("elf", "elf.king", "AL_k")) == []
    (both,) = doubted(TurnSet("orc"), home("orc", "G1", 1), home("orc", "OR_n", 4), home("elf", "AL_n", 1))
    assert both.startswith("orc and elf have no king")
    assert 'chip = "orc.king", place = "OR_n"' in both
    assert doubted(TurnSet("orc"), *KINGS[:3], ShadeSet("elf", "AL_k")) == []
    three = ("orc", "elf", "dwarf")
    assert doubted(TurnSet("orc"), *KINGS, home("dwarf", "IH_k", 1), FallenSet("dwarf"), seats=three) == []


@pytest.mark.parametrize(
    ("phase", "more", "said"),
    (
        ("buy", (), 'orc has no gold in its kingdoms (QD-4.2): `[[gold]]` with place = "OR_k", gold = 10'),
        ("buy", (GoldSet("OR_k", 2),), "orc has only 2 gold in its kingdoms (QD-4.2)"),
        ("buy", (GoldSet("AL_k", 9),), "orc has no gold in its kingdoms"),
        ("sea", (), "It needs a ship in a harbour of its own"),
        ("reinforce", (), "It needs what was bought in phase 1"),
    ),
)
def test_a_phase_that_is_over_at_once_is_told_with_what_it_needs(
    phase: str, more: tuple[Any, ...], said: str
) -> None:
    """The game opens in another phase than the position says (QD-4.1): gold to buy with, a ship to sail with."""
    (told,) = doubted(TurnSet("orc", phase), *KINGS, *more)
    assert told.startswith(f"The {phase} phase of orc is over at once")
    assert said in told


def test_who_holds_no_kingdom_is_told_that_he_buys_nothing() -> None:
    """QD-X63: gold is paid from a kingdom."""
    king = ChipSet("orc", "orc.king", "OR_n")
    (told,) = doubted(TurnSet("orc", "buy"), home("orc", "OR_n", 3), king, KINGS[1], KINGS[3])
    assert "Who holds no kingdom buys nothing (QD-4.2)" in told


def test_a_position_that_names_no_turn_begins_with_the_setup() -> None:
    """Whoever left it out is told; an empty position is a whole game from its beginning."""
    (told,) = doubted(home("orc", "OR_k", 3))
    assert "the game begins with the setup" in told
    assert doubted() == []


@pytest.mark.parametrize(
    ("claim", "verdict"),
    (
        ("units elf OR_n 0", "lawful"),
        ("units dwarf OR_n 0", "lawful"),
        ("units elf OR_k 0", "lawful"),
        ("units elf SC_k 0", "lawful"),
        ("units orc OR_n 3", "lawful"),
        ("units orc OR_n 0", "miscounted"),
        ("units elf G1 0", "miscounted"),
        ("units elf OR_n 3", "miscounted"),
    ),
)
def test_nobody_of_a_seat_stands_where_another_does(claim: str, verdict: str) -> None:
    """QD-10.8: that all defenders are dead is said of the place which their enemies hold now."""
    sheet = (
        "game: dragonlords\nseats: orc, elf, dwarf\nsetup: units orc OR_k 4; units elf OR_n 1; units elf G1 2\n"
        "setup: units dwarf SC_k 2\nsetup: turn orc combat\norc: attack OR_n from OR_k with 3\ndice: 1 6 6\ndice: 6\n"
    )
    *_, last = adjudicate(parse_sheet(f"{sheet}claim: {claim}")).verdicts
    assert last.verdict == verdict, last
