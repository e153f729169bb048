"""How a player answers a scroll that strikes him (QD-16.3, QD-H49), and what everybody may know of it."""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from random import Random
from typing import Any

import pytest

from core.games.dragonlords import RULES
from core.games.dragonlords.armies import UnitsLost
from core.games.dragonlords.battle import BattleEnded
from core.games.dragonlords.chips import ChipShown
from core.games.dragonlords.decks import scrolls
from core.games.dragonlords.ending import KingBeaten, ScrollsPassed, ScrollsTaken
from core.games.dragonlords.land_combat import Attack, Fight
from core.games.dragonlords.phases import Pass
from core.games.dragonlords.position import (
    ChipSet,
    ColumnSet,
    HandSet,
    HeldSet,
    HoardSet,
    ShadeSet,
    SpellsSet,
    TurnSet,
)
from core.games.dragonlords.scroll_book import ScrollFoiled, ScrollRead, kind_of
from core.games.dragonlords.scroll_effects import Protect, Reflect
from core.games.dragonlords.scrolls import ReadScroll
from core.games.dragonlords.spell_users import Declare
from core.games.dragonlords.state import RACES, Army
from events.play import GameEnded
from tests.driver import SPECTATOR, Table, given
from tests.games.dragonlords.at_random import played
from tests.games.dragonlords.battlefield import fighting, random_war
from tests.games.dragonlords.field import at_war, home, roll, silent
from tests.games.dragonlords.land import is_offered, phase, silently, stands
from tests.games.dragonlords.lawful import LAWS, assert_log_cites
from tests.games.dragonlords.voyages import random_sea, sailing
from tests.laws import test_deciding, test_secrets

FIRE = "summon_elemental.fire"
WARS = 60
"""How many wars a full run wages."""
HOMES = stands("orc", OR_k=6, OR_n=4) + stands("elf", SC_k=5, SC_n=3)
KINGS = (ChipSet("orc", "orc.king", "OR_k"), ChipSet("elf", "elf.king", "SC_k"))


def struck(
    *position: Any, place: str = "SC_k", seats: tuple[str, ...] = ("orc", "elf"), **answers: str
) -> Table:
    """Return a table at which the king of the Orcs has summoned an elemental against a place of the Elves."""
    named = {f"QD-{point}": answer for point, answer in answers.items()}
    hands = (
        ()
        if any(isinstance(fact, HandSet) and fact.seat == "orc" for fact in position)
        else (HandSet("orc", (FIRE,)),)
    )
    table = phase("orc", "buy", *HOMES, *KINGS, *hands, *position, seats=seats, answers=named)
    return table.when("orc", ReadScroll(FIRE, place))


def test_who_can_have_no_spell_user_in_the_place_is_told_so() -> None:
    """QD-16.3: a king elsewhere turns nothing back; nobody asks him, and everybody sees why."""
    table = struck(HandSet("elf", ("reflect",)), place="SC_n")
    table.when("elf", Reflect()).refused("no_spell_user", "QD-16.3", "QD-16.1")


def berserk(*position: Any, **answers: str) -> Table:
    """Return a battle for OR_n in which a wizard of the Orcs has read Berserk against the Elves there."""
    mage = (ChipSet("orc", "orc.wizard.1", "OR_k", shown=True), SpellsSet("orc.wizard.1", ("hope",)))
    table = at_war(
        home("orc", "OR_k", 4), home("elf", "OR_n", 3), home("elf", "SC_k"), *mage,
        HandSet("orc", ("berserk", "reflect")), *position, **answers,
    )  # fmt: skip
    table.when("orc", Attack("OR_n", "OR_k", 3, leading=("orc.wizard.1",))).when("orc", Fight())
    return table.when("orc", ReadScroll("berserk", "OR_n"))


def test_who_may_have_a_scroll_and_a_spell_user_in_the_place_is_asked_whatever_he_has() -> None:
    """QD-16.3: the hand is his affair, that he has one is open; so is which stacks may hide a king or wizard."""
    for hand in ("reflect", "ship"):
        table = struck(HandSet("elf", (hand,)))
        table.asks(elf="scroll_window")
        assert is_offered(table, "elf", Reflect()) is (hand == "reflect")
        assert is_offered(table, "elf", Pass())
    struck().asks(chance="roll")
    struck(HandSet("elf", ("reflect",)), place="SC_n").asks(chance="roll")
    struck(HandSet("elf", ("reflect",)), ShadeSet("elf", "SC_n"), place="SC_n").asks(elf="scroll_window")


def test_silence_answers_no_scroll() -> None:
    """QD-16.3, QD-H9: it reads nothing and turns nothing up."""
    table = silent(struck(HandSet("elf", ("reflect",))))
    table.asks(chance="roll")
    assert table.state.hands["elf"] == ("reflect",)


def test_an_elemental_that_is_turned_back_strikes_the_kings_own_place() -> None:
    """QD-16.3: and he is shown then (QD-H42); the player who is hit rolls, and his losses are his choice."""
    table = struck(HandSet("elf", ("reflect",))).when("elf", Reflect())
    read = ScrollRead("elf", "reflect", "elf.king", "SC_k", "orc", because=("QD-16.3",))
    assert read in table.told
    assert ChipShown("elf", "elf.king", "SC_k", because=("QD-H9",)) in table.told
    assert ChipShown("orc", "orc.king", "OR_k", because=("QD-16.3", "QD-H42")) in table.told
    roll(table, 2)
    silent(table)
    assert UnitsLost("orc", "OR_k", 2, because=("QD-16.2",)) in table.told
    assert table.state.armies["SC_k"] == Army("elf", 5)
    table.leave()


def test_a_king_whom_his_own_scroll_takes_was_beaten_by_who_turned_it_back() -> None:
    """QD-H48, QD-H11: his scrolls go to the victor; the last king left wins."""
    table = struck(HandSet("elf", ("reflect",)), HandSet("orc", (FIRE, "legion"))).when("elf", Reflect())
    roll(table, 6)
    assert KingBeaten("orc", "elf", because=("QD-22.1", "QD-H48")) in table.told
    assert GameEnded(("elf",), "kings", because=("QD-22.2", "QD-H48")) in table.told
    assert table.state.hands["elf"] == ("legion",)
    table.leave()


def test_with_three_kings_the_turn_goes_on_when_a_turned_scroll_takes_the_readers() -> None:
    """QD-H48, QD-22.1: the seat whose turn it is is out, and the next one's turn begins."""
    table = struck(HandSet("elf", ("reflect",)), *stands("dwarf", AL_k=3), seats=("orc", "elf", "dwarf"))
    roll(table.when("elf", Reflect()), 6)
    assert table.state.out == ("orc",)
    assert table.state.active == "elf"
    table.leave()


def test_who_turned_a_scroll_back_beat_the_king_though_he_stands_in_a_battle_with_another() -> None:
    """By his own reflected scroll a king is beaten by the reflecting player, whomever he fights just then (QD-H48, QD-14.2)."""
    table = given(
        RULES, *stands("orc", OR_n=5, OR_k=2), *stands("elf", G1=2, FM_k=2), *stands("dwarf", AL_k=2),
        ChipSet("orc", "orc.king", "OR_n"), ChipSet("elf", "elf.king", "FM_k"), ChipSet("dwarf", "dwarf.king", "AL_k"),
        HandSet("orc", (FIRE, "legion")), HandSet("dwarf", ("reflect",)), TurnSet("orc"), seats=("orc", "elf", "dwarf"),
    )  # fmt: skip
    table.must("orc", Attack("G1", "OR_n", 1, leading=("orc.king",)))
    table.must("orc", Fight("G1"))
    table.must("orc", ReadScroll(FIRE, "AL_k"))
    table.must("dwarf", Reflect())
    roll(table, 3)
    (beaten,) = [fact for fact in table.log[-1].entry.facts if isinstance(fact, KingBeaten)]
    assert (beaten.seat, beaten.victor) == ("orc", "dwarf")
    assert table.state.held == {"orc": 0, "dwarf": 1}
    assert table.state.armies["G1"] == Army("elf", 2)
    assert table.state.battle is None


def test_a_scroll_that_opens_the_sixth_kingdom_wins_the_game_at_once() -> None:
    """Where it takes the last defenders the place is the attackers' (QD-H26), and winning is checked after every act (QD-22.2)."""
    table = given(
        RULES, *stands("orc", FM_k=2, OR_k=2, IH_k=2, SV_k=2, SC_k=2, AL_n=2), *stands("elf", AL_k=2, M1=3),
        ColumnSet("orc", "AL_k", "AL_n", 3), ChipSet("orc", "orc.wizard.1", "AL_k", way="walk"), TurnSet("orc"),
        ChipSet("orc", "orc.king", "FM_k"), ChipSet("elf", "elf.king", "M1"), HandSet("orc", ("infernal",)),
        seats=("orc", "elf"),
    )  # fmt: skip
    table.must("orc", ReadScroll("infernal", "AL_k", "orc.wizard.1"))
    roll(table, 5)
    assert table.state.ended is not None
    assert (table.state.ended.how, table.state.ended.winners) == ("kingdoms", ("orc",))


def test_reflect_needs_a_spell_user_in_the_place_that_is_hit() -> None:
    """QD-16.3: a wizard elsewhere turns nothing back."""
    wizard = (ChipSet("elf", "elf.wizard.1", "SC_k"), ShadeSet("elf", "SC_n"))
    table = struck(HandSet("elf", ("reflect",)), *wizard, place="SC_n")
    assert not is_offered(table, "elf", Reflect())
    table.when("elf", Reflect()).refused("no_spell_user", "QD-16.3")
    table = struck(HandSet("elf", ("reflect",)))
    table.when("elf", Reflect("elf.wizard.1")).refused("no_spell_user", "QD-16.3")
    struck(HandSet("elf", ("ship",))).when("elf", Reflect()).refused("no_such_scroll", "QD-16.1")


def test_a_reflect_is_not_reflected_unless_the_table_says_so() -> None:
    """QD-H19: then the scroll strikes whom it was read against."""
    both = (HandSet("elf", ("reflect",)), HandSet("orc", (FIRE, "reflect")))
    table = struck(*both).when("elf", Reflect())
    table.asks(chance="roll")
    table = struck(*both, H19="yes").when("elf", Reflect())
    table.asks(orc="scroll_window").when("orc", Reflect())
    roll(table, 1)
    silent(table)
    assert UnitsLost("elf", "SC_k", 1, because=("QD-16.2",)) in table.told
    table.leave()


def test_where_a_window_is_open_for_a_shield_a_second_reflect_is_refused() -> None:
    """QD-H19, QD-16.3: the reader may still show what protects him, but not turn it back again."""
    shield = ChipSet("orc", "invincible_shield", "OR_k")
    table = struck(HandSet("elf", ("reflect",)), HandSet("orc", (FIRE, "reflect")), shield).when(
        "elf", Reflect()
    )
    table.asks(orc="scroll_window").when("orc", Reflect()).refused("not_reflected_again", "QD-16.3", "QD-H19")
    table.when("orc", Protect("invincible_shield"))
    foiled = ScrollFoiled("orc", FIRE, "OR_k", "invincible_shield", because=("QD-16.2", "QD-7.6"))
    assert foiled in table.told
    table.leave()


def test_an_invincible_shield_that_lies_hidden_is_turned_up_to_stop_a_scroll() -> None:
    """QD-7.6, QD-H9: a treasure is secret until it is used; who may hide one is asked."""
    table = struck(ChipSet("elf", "invincible_shield", "SC_n"), place="SC_n")
    table.asks(elf="scroll_window").when("elf", Protect("invincible_shield"))
    assert ScrollFoiled("elf", FIRE, "SC_n", "invincible_shield", because=("QD-16.2", "QD-7.6")) in table.told
    assert table.state.armies["SC_n"] == Army("elf", 3)
    table.leave()


def test_only_what_protects_is_turned_up() -> None:
    """QD-7.6, QD-16.2: no Trident stops an elemental, and no king."""
    table = struck(ChipSet("elf", "trident", "SC_n"), HoardSet("elf", 1), place="SC_n")
    table.asks(elf="scroll_window")
    for chip in ("trident", "elf.king", "invincible_shield"):
        table.when("elf", Protect(chip)).refused("no_protection_there", "QD-H9", "QD-16.2")


def test_a_hidden_king_or_wizard_with_heal_is_turned_up_against_berserk() -> None:
    """QD-16.4, QD-14.2, QD-15.1: he protects once he is shown; face down he protects nobody (QD-H9)."""
    for chip, more in (("elf.king", ()), ("elf.wizard.1", (SpellsSet("elf.wizard.1", ("heal",)),))):
        table = berserk(ChipSet("elf", chip, "OR_n"), *more)
        table.asks(elf="scroll_window").when("elf", Protect(chip))
        assert ScrollFoiled("elf", "berserk", "OR_n", chip, because=("QD-16.4", "QD-16.4")) in table.told
        assert table.state.armies["OR_n"].size == 3
        table.leave()
    table = silent(berserk(ChipSet("elf", "elf.king", "OR_n")))
    roll(table, 1, 6, 6)
    silent(table)
    assert table.state.armies["OR_n"].size == 2


def test_berserk_that_is_turned_back_strikes_the_readers_own_army_at_its_own_attack_value() -> None:
    """QD-16.3, QD-16.4, QD-X3: his units in the place of the reader, as many dice as there are of them."""
    elf = (
        ChipSet("elf", "elf.wizard.1", "OR_n"),
        SpellsSet("elf.wizard.1", ("hope",)),
        HandSet("elf", ("reflect",)),
    )
    table = berserk(*elf).when("elf", Reflect("elf.wizard.1"))
    table.asks(orc="scroll_window").when("orc", Pass())  # a king may hide among them
    roll(table, 3, 4, 6)
    silent(table)
    assert UnitsLost("orc", "OR_n", 1, way="walk", because=("QD-16.4",)) in table.told
    table.asks(orc="declare").when("orc", Declare())
    table.leave()


def test_a_place_that_a_scroll_empties_under_attack_is_taken_at_once() -> None:
    """QD-H26: if the defenders are gone, the place is simply the attackers'."""
    table = phase(
        "orc", "sea", *HOMES, *KINGS, HandSet("orc", (FIRE,)), ColumnSet("orc", "SC_n", "OR_n", 2, how="teleport"),
        seats=("orc", "elf"),
    )  # fmt: skip
    roll(table.when("orc", ReadScroll(FIRE, "SC_n")), 3)
    assert table.state.armies["SC_n"] == Army("orc", 2)
    assert table.state.columns == {}
    table.leave()


def of_three(*hand: str) -> Table:
    """Return Orcs under their king who have attacked Elves; the kings of Elves and Dwarves are far off."""
    position = (
        TurnSet("orc"), home("orc", "OR_k", 3), home("elf", "OR_n", 3), home("elf", "SC_k", 2), home("dwarf", "AL_k", 3),
        ColumnSet("orc", "OR_n", "OR_k", 3), ChipSet("orc", "orc.king", "OR_n", way="walk"),
        ChipSet("elf", "elf.king", "SC_k"), ChipSet("dwarf", "dwarf.king", "AL_k"), HandSet("orc", hand),
    )  # fmt: skip
    return given(RULES, *position, seats=("orc", "elf", "dwarf"))


def test_a_battle_goes_on_when_a_scroll_read_in_it_takes_a_third_king() -> None:
    """QD-H11, QD-H49: an elemental strikes anywhere, from the beginning of a round too."""
    table = of_three(FIRE, "ship").when("orc", Fight("OR_n")).when("orc", ReadScroll(FIRE, "AL_k"))
    roll(table, 3)
    assert KingBeaten("dwarf", "orc", because=("QD-22.1", "QD-H48")) in table.told
    table.asks(orc="declare")
    assert table.state.ended is None
    table.leave()


def test_a_scroll_that_takes_the_sixth_kingdom_amid_a_battle_ends_battle_and_game() -> None:
    """QD-H48, QD-22.2: the elemental empties a kingdom where attackers wait; nobody fights on for another place."""
    five = stands("orc", FM_k=2, OR_k=3, IH_k=2, SV_k=2, SC_k=2)
    table = at_war(
        *five, *stands("orc", AL_n=4, OR_n=3), *stands("elf", AL_k=1, G1=3, FM_n=3), HandSet("orc", (FIRE,)),
        ChipSet("orc", "orc.king", "OR_n"), ChipSet("elf", "elf.king", "FM_n"),
    )  # fmt: skip
    table.when("orc", Attack("AL_k", "AL_n", 2)).when("orc", Attack("G1", "OR_n", 2, leading=("orc.king",)))
    table.when("orc", Fight("G1")).when("orc", ReadScroll(FIRE, "AL_k"))
    while table.now.question is not None and table.now.question.kind != "roll":
        silent(table)
    roll(table, 3)
    assert table.state.ended == GameEnded(("orc",), "kingdoms", because=("QD-22.2", "QD-H48"))
    assert [type(fact) for fact in table.told][-3:-1] == [BattleEnded, GameEnded]
    table.leave()


def test_the_last_king_who_falls_to_a_scroll_amid_a_battle_ends_battle_and_game() -> None:
    """QD-H48: winning is checked after every act, here amid a battle against vanquished units."""
    wind = "summon_elemental.wind"
    table = of_three(FIRE, wind).when("orc", ReadScroll(FIRE, "SC_k"))
    roll(table, 2)
    assert table.state.out == ("elf",)
    table.when("orc", Fight("OR_n")).when("orc", ReadScroll(wind, "AL_k"))
    roll(table, 12)
    assert BattleEnded("OR_n", rounds=1, because=("QD-22.2", "QD-H48")) in table.told
    assert GameEnded(("orc",), "kings", because=("QD-22.2", "QD-H48")) in table.told
    table.leave()


def test_vanquished_units_answer_nothing_and_another_rolls_for_them() -> None:
    """QD-H47, QD-H10: no scrolls and no treasures; the player on the reader's right throws their dice."""
    hands = (HandSet("elf", ("reflect",)), HandSet("orc", (FIRE, "summon_elemental.wind")))
    shield = ChipSet("elf", "invincible_shield", "SC_n")
    table = struck(*hands, shield, *stands("dwarf", AL_k=3), seats=("orc", "elf", "dwarf"))
    roll(table.when("elf", Pass()), 12)
    assert table.state.out == ("elf",)
    table.when("orc", ReadScroll("summon_elemental.wind", "SC_n"))
    question = table.now.question
    assert question is not None
    assert question.roll is not None
    assert (question.roll.owner, question.roll.thrower) == ("elf", "dwarf")
    table.leave()


def test_who_saw_a_hand_by_clairvoyance_knows_who_took_it() -> None:
    """QD-16.9, QD-14.2: the scrolls of a beaten king go to his victor, also in the eyes of a third who had seen them."""
    hands = (HandSet("orc", ("clairvoyance",)), HandSet("elf", (FIRE,)), HandSet("dwarf", ("ship",)))
    far = (*stands("dwarf", AL_k=3), ChipSet("dwarf", "dwarf.king", "AL_k"))
    table = phase("orc", "buy", *HOMES, *KINGS, *hands, *far, seats=("orc", "elf", "dwarf"))
    table.when("orc", ReadScroll("clairvoyance", "OR_k", target="dwarf"))
    silently(table, lambda table: table.state.active == "elf")
    table.when("elf", ReadScroll(FIRE, "AL_k")).when("dwarf", Pass())
    roll(table, 12)
    assert table.state.hands["elf"] == ("ship",)
    assert table.view("orc").state.hands["elf"] == ("ship",)
    assert table.view("orc").state.hands["dwarf"] == ()
    assert "dwarf" not in table.view(SPECTATOR).state.hands
    table.leave()


def test_scrolls_taken_before_any_could_be_read_are_taken_once() -> None:
    """QD-14.2: older logs tell first how many went to the victor, then which; both facts fold as they did."""
    war = struck(HandSet("elf", ("reflect", "ship"))).state
    taken = ScrollsTaken("elf", "orc", 2).onto(war)
    assert ScrollsPassed("elf", "orc", ("reflect", "ship")).onto(taken).hands == {
        "orc": ("reflect", "ship"),
        "elf": (),
    }


def test_a_hand_that_was_not_seen_may_turn_a_scroll_back() -> None:
    """QD-16.3: who reads Reflect from it has had it."""
    table = struck(HandSet("elf", ("?",)), HeldSet("elf", 1))
    table.asks(elf="scroll_window").when("elf", Reflect())
    assert table.state.held["elf"] == 0


def dealt(random: Random, seats: Sequence[str]) -> dict[str, list[str]]:
    """Return five scrolls for each seat, dealt at random."""
    deck = list(scrolls())
    random.shuffle(deck)
    return {seat: [deck.pop() for _ in range(5)] for seat in seats}


def spellbound(seed: int, entries: int = 70) -> Table:
    """Return a war on land or at sea in which everybody has five scrolls, and what was played in it at random."""

    def position(seed: int, seats: Sequence[str]) -> list[Any]:
        hands = [HandSet(seat, tuple(hand)) for seat, hand in dealt(Random(seed), seats).items()]
        return [*(random_sea if seed % 2 else random_war)(seed, seats), *hands]

    return played(position, sailing if seed % 2 else fighting, seed, entries)


@cache
def spellbound_wars(count: int) -> tuple[Table, ...]:
    """Return wars full of scrolls; the same ones to every law, so no law may go on with them."""
    return tuple(spellbound(seed) for seed in range(count))


@pytest.mark.parametrize("law", (*LAWS, test_deciding.law_rolls, test_secrets.law_view_decides))
def test_wars_full_of_scrolls_keep_the_laws_of_every_game(
    law: Callable[[Table], object], rounds: Callable[[int], int]
) -> None:
    """Offered is accepted, all else refused, silence lawful, each state sound, each view enough (QD-16, QD-H49)."""
    for table in spellbound_wars(rounds(WARS)):
        law(table)


def test_wars_full_of_scrolls_read_most_kinds_of_them(rounds: Callable[[int], int]) -> None:
    """QD-16: every log can be judged again, and cites sections that are there."""
    seen: Counter[str] = Counter()
    for table in spellbound_wars(rounds(WARS)):
        table.leave()
        assert_log_cites(table)
        for told in table.log[1:]:
            for fact in told.entry.facts:
                if isinstance(fact, ScrollRead):
                    seen[kind_of(fact.scroll)] += 1
    assert len(seen) >= 5, seen


def test_which_scrolls_a_player_holds_makes_no_difference_to_the_others(rounds: Callable[[int], int]) -> None:
    """QD-16.1, QD-16.3: two players hold each other's scrolls; a third can't tell until one is read or shown to him."""
    compared = 0
    for seed in range(rounds(3 * WARS)):
        random, seats = Random(seed), tuple(RACES)
        hands = dealt(random, seats)
        position = (random_sea if seed % 2 else random_war)(seed, seats)
        one, other = random.sample(seats, 2)
        changed = {**hands, one: hands[other], other: hands[one]}
        tables = [
            given(RULES, *position, *(HandSet(seat, tuple(hand)) for seat, hand in held.items()))
            for held in (hands, changed)
        ]
        about = frozenset((*hands[one], *hands[other]))
        test_secrets._compare(tables[0], tables[1], {one, other}, about, random.randrange)
        compared += 1
    assert compared
