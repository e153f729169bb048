"""The sensible bot beyond battles: scrolls, answers to them, teleports, dragonfire, and parties (QD-25)."""

from typing import Any

import pytest

from core.deciding import asks
from core.games.dragonlords import RULES
from core.games.dragonlords.board import TERRITORIES
from core.games.dragonlords.bot import choose
from core.games.dragonlords.fire_attack import FireAttack
from core.games.dragonlords.land_combat import Attack
from core.games.dragonlords.phases import EndPhase, Pass
from core.games.dragonlords.position import ChipSet, HandSet, ItemsSet, SpellsSet, TurnSet, UnitsSet
from core.games.dragonlords.roads import GATES
from core.games.dragonlords.scroll_effects import Reflect
from core.games.dragonlords.scrolls import ReadScroll
from core.games.dragonlords.spell_users import Declare
from core.games.dragonlords.teleport import Teleport
from core.games.dragonlords.wastelands import SendParty
from replay.simulating import Plan, Played
from tests.driver import Table, given
from tests.games.dragonlords.field import home
from tests.games.dragonlords.land import phase, stands
from tests.games.dragonlords.test_fire_attack import BLOCKADE, fire
from tests.games.dragonlords.test_scrolls import battle, turn


def first(_: int) -> int:
    return 0


def chosen(table: Table, kind: str, seat: str = "orc") -> Any:
    """Return what the bot gives for the question of a kind, from its own view."""
    (ask,) = (ask for ask in asks(table.view(seat), seat) if ask.question.kind == kind)
    return choose(table.view(seat), ask, first)


# Scrolls


def test_an_elemental_is_sent_where_it_strikes_most() -> None:
    """QD-16.2, QD-25: twelve Elves in a kingdom, of whom it takes six and a half, before five elsewhere."""
    table = turn(home("elf", "SC_k", 12), hand=("summon_elemental.wind",), name="combat")
    read = chosen(table, "scroll")
    assert isinstance(read, ReadScroll)
    assert (read.scroll, read.place) == ("summon_elemental.wind", "SC_k")


def test_a_scroll_is_kept_where_it_would_be_wasted() -> None:
    """QD-16: against one or two Elves nothing is read; what need not be answered is left open."""
    table = phase(
        "orc", "combat", *stands("orc", OR_k=6), *stands("elf", SC_k=1, SC_n=2), ChipSet("orc", "orc.king", "OR_k"),
        HandSet("orc", ("summon_elemental.wind",)), seats=("orc", "elf"),
    )  # fmt: skip
    assert chosen(table, "scroll") is None


def test_a_legion_comes_where_guards_are_lacking() -> None:
    """QD-16.7, QD-25: beside fourteen Elves the king is given as many as a Legion has."""
    table = turn(home("elf", "OR_nw", 14), hand=("legion",), name="combat")
    assert chosen(table, "scroll") == ReadScroll("legion", "OR_k", units=5)


def test_in_battle_it_reads_before_it_declares_what_turns_the_battle() -> None:
    """QD-16.4, QD-H29: four Orcs with a wizard against six Elves read Berserk; against one they need not."""
    wizard = (ChipSet("orc", "orc.wizard.1", "OR_k"), HandSet("orc", ("berserk",)))
    even, won = (battle(*wizard, orcs=4, elves=elves) for elves in (6, 1))
    read = chosen(even, "declare")
    assert isinstance(read, ReadScroll)
    assert read.scroll == "berserk"
    assert isinstance(chosen(won, "declare"), Declare)


def test_a_scroll_that_strikes_many_is_turned_back() -> None:
    """QD-16.3: the king among his six turns an elemental back."""
    table = turn(HandSet("elf", ("reflect",)), hand=("summon_elemental.fire",), name="combat")
    table.when("orc", ReadScroll("summon_elemental.fire", "SC_k"))
    assert isinstance(chosen(table, "scroll_window", "elf"), Reflect)


def test_a_reflect_is_kept_for_more_than_one_unit() -> None:
    """QD-16.3: for a lonely Elf nothing is read."""
    table = turn(
        HandSet("elf", ("reflect",)), home("elf", "SC_n", 1), ChipSet("elf", "elf.wizard.1", "SC_n"),
        hand=("summon_elemental.fire",), name="combat",
    )  # fmt: skip
    table.when("orc", ReadScroll("summon_elemental.fire", "SC_n"))
    assert chosen(table, "scroll_window", "elf") == Pass()


# Through the air


def test_a_dragonlord_falls_upon_a_kingdom_that_is_weakly_held() -> None:
    """QD-5.4, QD-25: DragonLords strike anywhere; five and a DragonLord against one are no risk."""
    table = phase(
        "orc",
        "sea",
        UnitsSet("orc", "OR_k", 12, 1),
        *stands("elf", SC_k=1, FM_k=9, IH_k=9, SV_k=9, AL_k=9),
        seats=("orc", "elf"),
    )
    sent = chosen(table, "sea")
    assert isinstance(sent, Teleport)
    assert (sent.caster, sent.target, sent.origin) == ("dragonlord", "SC_k", "OR_k")


def test_nobody_teleports_into_a_strong_army() -> None:
    """QD-15.3: who comes by air fights to the end."""
    table = phase(
        "orc", "sea", UnitsSet("orc", "OR_k", 5, 1), *stands("elf", SC_k=9, AL_k=9), seats=("orc", "elf")
    )
    assert not (
        isinstance(chosen(table, "sea"), Teleport) and chosen(table, "sea").target in ("SC_k", "AL_k")
    )


def test_a_blockade_is_burnt_before_anything_is_fought() -> None:
    """QD-13.1: dragonfire costs nothing."""
    assert chosen(fire(*BLOCKADE), "combat") == FireAttack("C3")


def test_a_wizard_brings_guards_home() -> None:
    """QD-19.2, QD-25: the king's company lacks guards beside fourteen Elves, and far away stand twelve Orcs with a wizard."""
    table = phase(
        "orc", "transfer", *stands("orc", OR_k=4, FM_s=13), *stands("elf", OR_n=14), ChipSet("orc", "orc.king", "OR_k"),
        ChipSet("orc", "orc.wizard.1", "FM_s"), SpellsSet("orc.wizard.1", ("teleport",)), seats=("orc", "elf"),
    )  # fmt: skip
    for _ in range(6):
        told = chosen(table, "transfer")
        if isinstance(told, Teleport):
            assert (told.target, told.caster) == ("OR_k", "orc.wizard.1")
            assert told.units >= 4
            return
        table.when("orc", told)
    raise AssertionError("nobody came")


# Parties


def gate(*more: Any, units: int = 14) -> Table:
    """Return a table in phase 3 with an army of Orcs at a way into the Wastelands, and their first tools."""
    place = next(place for place in GATES if place in TERRITORIES)
    return phase(
        "orc", "quest", *stands("orc", **{place: units}), *stands("elf", SC_k=5), ItemsSet("orc", {"torch": 1, "pickaxe": 1}),
        *(ChipSet("orc", chip, place) for chip in more), seats=("orc", "elf"),
    )  # fmt: skip


def test_a_full_party_sets_out_early_with_torch_and_pickaxe() -> None:
    """QD-25: six units, a torch and a pickaxe."""
    sent = chosen(gate(), "quest")
    assert isinstance(sent, SendParty)
    assert (sent.units, sent.items) == (6, {"torch": 1, "pickaxe": 1})


def test_a_wizard_leads_the_party_and_the_king_stays() -> None:
    """QD-6.1, QD-14.4: who learns spells goes along."""
    sent = chosen(gate("orc.wizard.1", "orc.king"), "quest")
    assert isinstance(sent, SendParty)
    assert sent.leading == ("orc.wizard.1",)


def test_no_party_sets_out_from_a_small_army() -> None:
    """QD-25: who has six in all keeps them at home."""
    assert chosen(gate(units=5), "quest") == EndPhase()


# Wars that do not end


@pytest.mark.parametrize(("turn", "attacks"), ((5, False), (200, True)))
def test_hordes_that_face_each_other_come_to_blows_in_the_end(turn: int, attacks: bool) -> None:
    """QD-25: early it waits for good odds; after two hundred turns even odds are good enough, however many may fall."""
    table = given(
        RULES, TurnSet("orc", "combat", turn), home("orc", "OR_k", 2), home("orc", "G1", 1), home("orc", "OR_n", 440),
        home("elf", "OR_ne", 398),
        seats=("orc", "elf"),
    )  # fmt: skip
    told = chosen(table, "combat")
    assert (isinstance(told, Attack) and told.target == "OR_ne") == attacks


# Whole games


@pytest.mark.parametrize("number", (1, 2))
def test_a_war_of_sensible_players_uses_the_whole_game(number: int) -> None:
    """QD-25: scrolls are read, parties sent, treasures put away; and the war ends by its own rules."""
    game = Played(RULES, Plan("dragonlords", f"whole{number}", bots=("sensible",)), number)
    game.to_the_end()
    used = {type(entry.command).__name__ for entry in game.history.entries}
    assert {"ReadScroll", "SendParty", "Attack", "Transfer", "BuyUnits", "StoreGold"} <= used
    assert game.history.now.state.ended.how in ("kings", "kingdoms")
