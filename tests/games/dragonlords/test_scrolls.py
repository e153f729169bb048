"""Scrolls (QD-16): who reads them, when and where, and what each of them does."""

from typing import Any

import pytest
from msgspec import structs

from core.games.dragonlords import RULES
from core.games.dragonlords.armies import UnitsLost, UnitsStruck
from core.games.dragonlords.battle import BattleEnded
from core.games.dragonlords.boarding import Board
from core.games.dragonlords.chips import ChipLost, ChipShown
from core.games.dragonlords.docks import ShipsDocked, ShipsSunk
from core.games.dragonlords.ending import KingBeaten
from core.games.dragonlords.land_combat import Attack, Fight
from core.games.dragonlords.phases import EndPhase
from core.games.dragonlords.position import (
    ChipSet,
    ColumnSet,
    HandSet,
    ShipsSet,
    SpellsSet,
    TurnSet,
    UnitsSet,
)
from core.games.dragonlords.purchase import BuyUnits
from core.games.dragonlords.scroll_book import HandSeen, LegionCame, ScrollRead
from core.games.dragonlords.scroll_effects import Reflect
from core.games.dragonlords.scrolls import ReadScroll
from core.games.dragonlords.spell_users import Declare
from core.games.dragonlords.state import Army
from core.kit.chance import AnswerRoll
from core.seats import CHANCE
from core.telling import Moment
from events.chance import Hits, Roll, Rolled, Sum
from events.play import GameEnded
from tests.driver import SPECTATOR, Table, given
from tests.games.dragonlords.field import at_war, home, roll
from tests.games.dragonlords.land import gold, is_offered, phase, stands
from tests.games.dragonlords.sea import docked, fleet

FIRE = "summon_elemental.fire"
HOMES = stands("orc", OR_k=6, OR_n=4) + stands("elf", SC_k=5, SC_n=3)
KINGS = (ChipSet("orc", "orc.king", "OR_k"), ChipSet("elf", "elf.king", "SC_k"))


def turn(
    *position: Any, hand: tuple[str, ...] = (), name: str = "buy", seat: str = "orc", **answers: str
) -> Table:
    """Return a table of Orcs and Elves in a phase of the Orcs, who hold some scrolls."""
    named = {f"QD-{point}": answer for point, answer in answers.items()}
    hands = (HandSet("orc", hand),) if hand else ()
    return phase(seat, name, *HOMES, *KINGS, *hands, *position, seats=("orc", "elf"), answers=named)


def battle(*position: Any, orcs: int = 4, elves: int = 3, **answers: str) -> Table:
    """Return Orcs who have come to fight Elves for OR_n, as the battle begins."""
    table = at_war(
        home("orc", "OR_k", orcs + 1), home("elf", "OR_n", elves), home("elf", "SC_k"), *position, **answers
    )
    led = tuple(
        fact.chip
        for fact in position
        if isinstance(fact, ChipSet) and fact.seat == "orc" and fact.place == "OR_k"
    )
    return table.when("orc", Attack("OR_n", "OR_k", orcs, leading=led)).when("orc", Fight())


def test_a_scroll_is_read_once_and_is_then_out_of_the_game() -> None:
    """QD-16.1: it leaves the hand for good, and everybody hears which it was; the next draw can't bring it."""
    table = turn(HandSet("elf", ("legion",)), hand=("clairvoyance",))
    table.when("orc", ReadScroll("clairvoyance", "OR_k", target="elf"))
    assert (
        ScrollRead("orc", "clairvoyance", "orc.king", "OR_k", "elf", because=("QD-16.9", "QD-16.1"))
        in table.told
    )
    assert (table.state.hands["orc"], table.state.held["orc"]) == ((), 0)
    assert table.state.scrolls_used == ("clairvoyance",)
    table.when("orc", ReadScroll("clairvoyance", "OR_k", target="elf")).refused("not_this_now")
    table.leave()


@pytest.mark.parametrize("name", ("buy", "sea", "quest", "combat", "transfer", "income"))
def test_the_active_player_reads_in_any_phase_and_the_phase_goes_on(name: str) -> None:
    """QD-16.1, QD-X57: at any moment of one's own turn, beside what the phase itself asks."""
    table = turn(*stands("orc", FM_k=1), *gold(OR_k=3), hand=("legion",), name=name)
    before = table.now.question
    table.when("orc", ReadScroll("legion", "OR_k", units=5))
    assert LegionCame("orc", "OR_k", 5, because=("QD-16.7", "QD-X72")) in table.told
    assert before is not None
    assert table.now.question is not None
    assert table.now.question.kind == before.kind
    table.leave()


def test_who_can_buy_nothing_may_read_before_ships_sail() -> None:
    """QD-16.1, QD-14.1: at any moment of his turn, so phase 1 waits for a scroll that phase 2 needs; but not for long."""
    mage = (*stands("orc", SV_se=3), *mage_in("SV_se"))
    table = turn(*mage, hand=("ship",)).asks(orc="buy scroll")
    assert [offer.command for offer in table.ask("orc", "buy").offers] == [EndPhase]
    table.when("orc", BuyUnits(1)).refused("too_little_gold", "QD-4.2")
    table.when("orc", ReadScroll("ship", "SV_se")).asks(orc="sea")
    table.must("orc", Board("SV_se", 2))
    table.leave()
    assert turn(*mage).asked() == {"orc": ["combat"]}, "without a scroll it passes"
    spent = turn(*mage, *gold(OR_k=3), hand=("ship",))
    spent.must("orc", BuyUnits(1))
    assert spent.state.phase == "combat", "he could have read before he bought"
    exile = phase(
        "orc",
        "buy",
        *HOMES[2:],
        *KINGS[1:],
        *mage,
        *gold(SC_k=3),
        HandSet("orc", ("ship",)),
        seats=("orc", "elf"),
        answers={"QD-H52": "waits"},
    )
    state = structs.replace(exile.state, bought={"orc.unit": 2})
    question = Moment(RULES, state, exile.now.table, exile.now.entry).question
    assert question is not None, "what waits from an earlier turn was not bought in this one (QD-H52)"
    assert question.kind == "buy"


def test_nobody_reads_in_another_players_turn() -> None:
    """QD-16.1: on one's own turn, unless a spell user is attacked."""
    table = turn(HandSet("elf", ("legion",)))
    assert "elf" not in table.asked()
    table.when("elf", ReadScroll("legion", "SC_k", units=5)).refused("not_your_turn")


def test_a_scroll_is_read_where_a_spell_user_is() -> None:
    """QD-16.1, QD-14.1: by one who is there; a king who lies hidden is turned up (QD-H9)."""
    table = turn(hand=("legion",))
    table.when("orc", ReadScroll("legion", "OR_n", units=5)).refused("no_spell_user", "QD-16.7", "QD-16.1")
    table.when("orc", ReadScroll("legion", "OR_k", "orc.wizard.1", units=5)).refused(
        "no_spell_user", "QD-16.1"
    )
    table.when("orc", ReadScroll("legion", "OR_k", units=5))
    assert ChipShown("orc", "orc.king", "OR_k", because=("QD-H9",)) in table.told


@pytest.mark.parametrize(
    ("command", "code", "section"),
    (
        (ReadScroll("tempest", "OR_k"), "no_such_scroll", "QD-16.1"),
        (ReadScroll("fireball", "OR_k"), "no_scroll_of_that_name", "QD-16.1"),
        (ReadScroll("reflect", "OR_k"), "answers_only", "QD-16.3"),
        (ReadScroll("charm", "OR_k"), "no_dragon", "QD-16.8"),
        (ReadScroll("legion", "OR_k", units=6), "no_room_for_legion", "QD-16.7"),
        (ReadScroll("legion", "OR_k"), "no_room_for_legion", "QD-16.7"),
        (ReadScroll("legion", "OR_k", target="elf", units=1), "no_target", "QD-16.7"),
        (ReadScroll("ship", "OR_k"), "no_harbour", "QD-16.6"),
        (ReadScroll("ship", "OR_k", units=2), "no_units", "QD-16.7"),
        (ReadScroll("clairvoyance", "OR_k", target="elf"), "no_hand_to_see", "QD-16.9"),
        (ReadScroll("clairvoyance", "OR_k", target="orc"), "no_hand_to_see", "QD-16.9"),
        (ReadScroll(FIRE, "OR_k"), "nobody_to_strike", "QD-16.2"),
        (ReadScroll(FIRE, "nowhere"), "nobody_to_strike", "QD-16.2"),
        (ReadScroll("infernal", "OR_k"), "nobody_to_strike", "QD-16.5"),
    ),
)
def test_what_a_scroll_cannot_do_is_refused_with_its_section(command: Any, code: str, section: str) -> None:
    """QD-16.1 to QD-16.9: each refusal names the rule, and none is offered."""
    hand = ("reflect", "charm", "legion", "ship", "clairvoyance", FIRE, "infernal")
    table = turn(hand=hand)
    table.when("orc", command).refused(code, section)
    ask = table.ask("orc", "scroll")
    assert not any(offer.allows(command) for offer in ask.offers)


def test_an_unseen_hand_may_hold_any_scroll_whose_copies_are_not_all_read() -> None:
    """QD-16.1: a hand that nobody who records could see holds `?`; what is read names one of them."""
    table = turn(hand=("?", "?"))
    table.when("orc", ReadScroll(FIRE, "SC_n"))
    assert table.state.hands["orc"] == ("?",)
    table = turn(hand=("?", FIRE))
    roll(_passed(table.when("orc", ReadScroll(FIRE, "SC_n"))), 1)
    table.when("orc", ReadScroll(FIRE, "SC_n")).refused("all_copies_read", "QD-16.1", "QD-H5")


def test_an_elemental_takes_as_many_units_as_the_twelve_sided_die_says_wherever_it_goes() -> None:
    """QD-16.2: the attacked player rolls a D12; its king reads it unseen (QD-H42), and a surplus is lost."""
    table = turn(hand=(FIRE,)).when("orc", ReadScroll(FIRE, "SC_n"))
    roll(table, 2)
    assert Rolled("d12", (2,), "elf", Sum(), "summon_elemental", because=("QD-16.2",)) in table.told
    assert UnitsStruck("elf", "SC_n", 2, because=("QD-16.2",)) in table.told
    assert UnitsLost("elf", "SC_n", 2, because=("QD-16.2",)) in table.told
    assert not any(isinstance(fact, ChipShown) for told in table.log for fact in told.entry.facts)
    assert table.state.armies["SC_n"] == Army("elf", 1)
    table.leave()


def test_only_the_king_summons_an_elemental() -> None:
    """QD-16.2: no wizard and no DragonLord does."""
    table = turn(ChipSet("orc", "orc.wizard.1", "OR_n"), hand=(FIRE,))
    table.when("orc", ReadScroll(FIRE, "SC_n", "orc.wizard.1")).refused("no_spell_user", "QD-16.2")


def test_no_elemental_goes_into_the_wastelands() -> None:
    """QD-16.2: any place except the Wastelands."""
    table = turn(*stands("elf", WT03=3), hand=(FIRE,))
    table.when("orc", ReadScroll(FIRE, "WT03")).refused("not_in_wastelands", "QD-16.2")
    assert not is_offered(table, "orc", ReadScroll(FIRE, "WT03"))


def test_no_scroll_harms_anybody_in_a_shrine() -> None:
    """There is no combat in a shrine, and no scroll that harms (QD-6.8, QD-H49)."""
    shrine = (UnitsSet("orc", "WT06.orc", 2), *mage_in("WT06.orc"), UnitsSet("elf", "WT06.elf", 3))
    table = turn(*shrine, hand=("infernal", "berserk", FIRE), name="combat")
    for place in ("WT06.orc", "WT06.elf"):
        table.when("orc", ReadScroll("infernal", place)).refused("peace_of_the_shrine", "QD-6.8")
        table.when("orc", ReadScroll("berserk", place)).refused("peace_of_the_shrine", "QD-H49")
        table.when("orc", ReadScroll(FIRE, place)).refused("not_in_wastelands", "QD-16.2")


def test_a_place_that_an_elemental_empties_is_nobodys_and_its_treasures_lie_face_down_again() -> None:
    """QD-H54: a bearer lost to a scroll with no unit left there; the gold waits (QD-H46)."""
    table = turn(ChipSet("elf", "excalibur", "SC_n", shown=True), hand=(FIRE,))
    roll(_passed(table.when("orc", ReadScroll(FIRE, "SC_n"))), 12)
    assert UnitsLost("elf", "SC_n", 3, because=("QD-16.2",)) in table.told
    assert ChipLost("elf", "excalibur", "SC_n", because=("QD-7.1", "QD-H54")) in table.told
    assert "SC_n" not in table.state.armies
    table.leave()


def _passed(table: Table) -> Table:
    """Let whoever is hit pass, if he is asked."""
    question = table.now.question
    if question is not None and question.kind == "scroll_window":
        seat = question.seats[0]
        table.when(seat, table.ask(seat).silence)
    return table


def test_a_king_whom_a_scroll_takes_was_beaten_by_its_reader() -> None:
    """QD-H11, QD-22.2: his scrolls go to the reader, and the last king left wins."""
    table = turn(HandSet("elf", ("ship",)), hand=(FIRE,))
    roll(_passed(table.when("orc", ReadScroll(FIRE, "SC_k"))), 9)
    assert KingBeaten("elf", "orc", because=("QD-22.1", "QD-H48")) in table.told
    assert GameEnded(("orc",), "kings", because=("QD-22.2", "QD-H48")) in table.told
    assert table.state.hands["orc"] == ("ship",)
    table.leave()


def test_ships_whose_crew_an_elemental_takes_dock_or_sink() -> None:
    """QD-H39: emptied by a scroll, each ship without a unit docks in a harbour of its owner's there, or sinks."""
    sinks = turn(*fleet("elf", "C3", 2, 3), hand=(FIRE,))
    roll(_passed(sinks.when("orc", ReadScroll(FIRE, "C3"))), 2)
    assert ShipsSunk("elf", "C3", 1, because=("QD-5.2", "QD-H39")) in sinks.told
    assert sinks.state.fleets["C3"] == 1
    docks = turn(*fleet("elf", "D3", 2, 3), *stands("elf", SV_se=2), hand=(FIRE,))
    roll(_passed(docks.when("orc", ReadScroll(FIRE, "D3"))), 12)
    assert ShipsDocked("elf", "SV_se", 2, "D3", because=("QD-5.2", "QD-H39")) in docks.told


def test_w13_berserk_takes_a_unit_for_each_die_of_the_attack_value_or_less() -> None:
    """W13 (QD-16.4, QD-X3): twelve Barbarians roll twelve D6, seven show four or less, seven are lost; spells count not."""
    table = given(
        RULES,
        *at_war_of_twelve(),
        seats=("orc", "barbarian"),
    )
    table.when("orc", Fight()).when("orc", ReadScroll("berserk", "OR_n"))
    _passed(table)
    question = table.now.question
    assert question is not None
    assert question.roll is not None
    assert (question.roll.count, question.roll.owner, question.roll.counts) == (
        12,
        "barbarian",
        Hits((1, 2, 3, 4)),
    )
    roll(table, 4, 1, 2, 3, 4, 4, 1, 5, 6, 5, 6, 5)
    assert UnitsLost("barbarian", "OR_n", 7, because=("QD-16.4",)) in table.told
    assert table.state.armies["OR_n"].size == 5
    table.leave()


def at_war_of_twelve() -> tuple[Any, ...]:
    """Return two Orcs, a wizard with Berserk among them, who attack twelve Barbarians."""
    return (
        TurnSet("orc"), home("orc", "OR_k", 3), home("barbarian", "OR_n", 12), home("barbarian", "FM_k", 1),
        ColumnSet("orc", "OR_n", "OR_k", 2), ChipSet("orc", "orc.wizard.1", "OR_n", shown=True, way="walk"),
        HandSet("orc", ("berserk",)),
    )  # fmt: skip


def mage_in(
    place: str, seat: str = "orc", *, shown: bool = True, spells: tuple[str, ...] = ("hope",)
) -> tuple[Any, ...]:
    """Return a wizard of a seat in a place."""
    chip = f"{seat}.wizard.1"
    return ChipSet(seat, chip, place, shown=shown), SpellsSet(chip, spells)


@pytest.mark.parametrize("shown", (("elf.king", ()), ("elf.wizard.1", ("heal",))))
def test_berserk_does_nothing_where_the_king_is_or_a_wizard_with_heal(
    shown: tuple[str, tuple[str, ...]],
) -> None:
    """QD-16.4, QD-14.2, QD-15.1: seen there, it need not be read at all."""
    chip, spells = shown
    keeper = (ChipSet("elf", chip, "OR_n", shown=True), *((SpellsSet(chip, spells),) if spells else ()))
    table = battle(*mage_in("OR_k"), *keeper, HandSet("orc", ("berserk",)))
    table.when("orc", ReadScroll("berserk", "OR_n")).refused("protected", "QD-16.4", "QD-14.2", "QD-15.1")
    assert not is_offered(table, "orc", ReadScroll("berserk", "OR_n"))


@pytest.mark.parametrize(
    ("scroll", "treasure", "stops", "section"),
    (
        ("infernal", "dragon_shield", "protected", "QD-7.7"),
        ("infernal", "ring_of_fire", "protected", "QD-7.4"),
        ("infernal", "trident", "", ""),
        ("tempest", "trident", "protected", "QD-7.9"),
        ("tempest", "dragon_shield", "", ""),
        ("infernal", "invincible_shield", "protected", "QD-7.6"),
        ("tempest", "invincible_shield", "protected", "QD-7.6"),
        ("berserk", "invincible_shield", "protected", "QD-7.6"),
        ("berserk", "dragon_shield", "", ""),
    ),
)
def test_treasures_stop_the_scrolls_that_the_book_names(
    scroll: str, treasure: str, stops: str, section: str
) -> None:
    """QD-7.4, QD-7.6, QD-7.7, QD-16.5; the Trident stops Tempest (QD-H53)."""
    table = battle(*mage_in("OR_k"), ChipSet("elf", treasure, "OR_n", shown=True), HandSet("orc", (scroll,)))
    assert is_offered(table, "orc", ReadScroll(scroll, "OR_n")) is not bool(stops)
    table.when("orc", ReadScroll(scroll, "OR_n"))
    if stops:
        table.refused(stops, section)


def test_the_trident_may_stop_bolts_only() -> None:
    """QD-H53, the alternative: Tempest is no lightning bolt."""
    shield = ChipSet("elf", "trident", "OR_n", shown=True)
    table = battle(*mage_in("OR_k"), shield, HandSet("orc", ("tempest",)), H53="bolts_only")
    assert is_offered(table, "orc", ReadScroll("tempest", "OR_n"))


def test_only_the_invincible_shield_stops_an_elemental() -> None:
    """QD-7.6, QD-H53: an elemental is no fireball."""
    for treasure, stops in (("invincible_shield", True), ("dragon_shield", False), ("trident", False)):
        table = turn(ChipSet("elf", treasure, "SC_n", shown=True), hand=(FIRE,))
        found = any(offer.allows(ReadScroll(FIRE, "SC_n")) for offer in table.ask("orc", "scroll").offers)
        assert found is not stops


@pytest.mark.parametrize("scroll", ("infernal", "tempest"))
def test_infernal_and_tempest_take_as_many_units_as_the_eight_sided_die_says(scroll: str) -> None:
    """QD-16.5: before the dice of the round (QD-H29), whose reader goes on declaring."""
    table = battle(*mage_in("OR_k"), HandSet("orc", (scroll,)))
    table.when("orc", ReadScroll(scroll, "OR_n"))
    assert table.now.question is not None
    assert table.now.question.roll == Roll("d8", 1, "elf", Sum(), scroll)
    roll(table, 2)
    assert UnitsLost("elf", "OR_n", 2, because=("QD-16.5",)) in table.told
    assert table.state.armies["OR_n"] == Army("elf", 1)


def test_a_battle_ends_when_a_scroll_takes_the_last_defender() -> None:
    """QD-10.9, QD-16.5: the place is taken without a die of battle."""
    table = battle(*mage_in("OR_k"), HandSet("orc", ("tempest",)))
    roll(table.when("orc", ReadScroll("tempest", "OR_n")), 8)
    (ended,) = [fact for fact in table.told if isinstance(fact, BattleEnded)]
    assert (ended.winner, ended.taken, ended.rounds) == ("orc", True, 1)
    assert table.state.armies["OR_n"].seat == "orc"
    table.leave()


def test_both_sides_of_a_battle_read_at_the_beginning_of_a_round() -> None:
    """QD-H29, QD-H49: the attacker, then the defender, any fitting scroll whose reader is there."""
    elf = (*mage_in("OR_n", "elf"), HandSet("elf", ("legion", "infernal")))
    table = battle(*elf)
    table.asks(elf="declare")
    table.when("elf", ReadScroll("legion", "OR_n", units=3)).asks(elf="declare")
    table.when("elf", ReadScroll("infernal", "OR_n")).asks(chance="roll")
    roll(table, 1)
    assert UnitsLost("orc", "OR_n", 1, way="walk", because=("QD-16.5",)) in table.told
    assert table.state.armies["OR_n"].size == 6
    table.leave()


def test_a_scroll_is_read_in_battle_only_by_who_stands_in_it() -> None:
    """QD-H49: a king elsewhere summons no elemental amid the battle; before it he may."""
    table = battle(
        *mage_in("OR_k"), *stands("orc", FM_k=1), ChipSet("orc", "orc.king", "FM_k"), HandSet("orc", (FIRE,))
    )
    table.asks(orc="declare")
    table.when("orc", ReadScroll(FIRE, "OR_n")).refused("no_spell_user", "QD-H49")


def test_infernal_works_at_sea_unless_the_table_says_otherwise() -> None:
    """QD-H17: it is a scroll, and no spell (QD-11.3)."""
    for answer, works in (("work_at_sea", True), ("not_at_sea", False)):
        raid = ColumnSet("orc", "C3", "C2", 3, how="ship")
        table = turn(
            *fleet("elf", "C3", 1, 2), raid, ShipsSet("C3", 1, attacking=True),
            ChipSet("orc", "orc.wizard.1", "C3", shown=True, way="ship"), SpellsSet("orc.wizard.1", ("heal",)),
            hand=("infernal",), name="combat", H17=answer,
        )  # fmt: skip
        found = any(offer.allows(ReadScroll("infernal", "C3")) for offer in table.ask("orc", "scroll").offers)
        assert found is works
        if not works:
            table.when("orc", ReadScroll("infernal", "C3")).refused("not_at_sea", "QD-16.5", "QD-H17")


def test_the_holy_grail_saves_from_scrolls_too() -> None:
    """QD-7.8, QD-H18: each unit lost to a scroll rolls, also before anything is declared for the round."""
    grail = ChipSet("elf", "holy_grail", "OR_n", shown=True)
    table = battle(*mage_in("OR_k"), grail, HandSet("orc", ("tempest",)))
    roll(table.when("orc", ReadScroll("tempest", "OR_n")), 2)
    roll(table, 2, 6)
    assert table.state.armies["OR_n"] == Army("elf", 2)
    table = battle(*mage_in("OR_k"), grail, HandSet("orc", ("tempest",)), H18="dice_only")
    roll(table.when("orc", ReadScroll("tempest", "OR_n")), 2)
    assert table.state.armies["OR_n"] == Army("elf", 1)


def test_a_ship_is_gained_in_a_harbour_of_ones_own() -> None:
    """QD-16.6: an empty one, docked there (QD-H39); with all eight in play there is no gain (QD-H6)."""
    mage = (*stands("orc", SV_se=2), *mage_in("SV_se"))
    table = turn(*mage, hand=("ship",)).when("orc", ReadScroll("ship", "SV_se"))
    assert ShipsDocked("orc", "SV_se", 1, because=("QD-16.6", "QD-H39")) in table.told
    assert table.state.docked == {"SV_se": 1}
    table.leave()
    full = turn(*mage, *docked(SV_se=8), hand=("ship",))
    full.when("orc", ReadScroll("ship", "SV_se")).refused("no_ship_left", "QD-16.6", "QD-H6")


def test_no_ship_is_gained_in_a_harbour_that_is_still_fought_for() -> None:
    """QD-16.6: the harbour is one's own, and attackers hold nothing there yet."""
    mage = (*stands("orc", SV_ne=4), *mage_in("SV_ne"), *stands("elf", SV_se=2), HandSet("orc", ("ship",)))
    table = at_war(*mage)
    table.must("orc", Attack("SV_se", "SV_ne", 3, leading=("orc.wizard.1",)))
    table.must("orc", Fight())
    assert not is_offered(table, "orc", ReadScroll("ship", "SV_se"))
    table.when("orc", ReadScroll("ship", "SV_se")).refused("no_harbour", "QD-16.6")


def test_a_ship_gained_in_a_village_waits_in_its_zone() -> None:
    """QD-16.6: for the first who boards it."""
    mage = (*stands("orc", WT01=2), *mage_in("WT01"))
    table = turn(*mage, hand=("ship",)).when("orc", ReadScroll("ship", "WT01"))
    assert table.state.docked == {"N3": 1}
    table.leave()


def test_a_legion_fills_a_wasteland_space_or_a_ship_and_no_more() -> None:
    """QD-16.7, QD-H12, QD-X72: six units a space, eight a ship; fewer may be taken."""
    party = turn(*stands("orc", WT03=4), *mage_in("WT03"), hand=("legion",))
    party.when("orc", ReadScroll("legion", "WT03", units=3)).refused("no_room_for_legion", "QD-16.7")
    party.when("orc", ReadScroll("legion", "WT03", units=2))
    assert party.state.armies["WT03"] == Army("orc", 6)
    ship = turn(*fleet("orc", "C3", 1, 5), *mage_in("C3"), hand=("legion",))
    ship.when("orc", ReadScroll("legion", "C3", units=4)).refused("no_room_for_legion", "QD-H12")
    ship.when("orc", ReadScroll("legion", "C3", units=3))
    assert ship.state.armies["C3"] == Army("orc", 8)


def test_a_dragonlord_takes_a_place_aboard_where_a_legion_comes() -> None:
    """QD-16.7, QD-H12: eight a ship, among the attackers of a zone too, however they came to be aboard."""
    aboard = ColumnSet("orc", "C3", "S2", 6, 1, how="ship"), ShipsSet("C3", 1, attacking=True)
    mage = ChipSet("orc", "orc.wizard.1", "C3", way="ship")
    table = turn(*fleet("elf", "C3", 1, 3), *aboard, mage, hand=("legion",), name="combat")
    table.when("orc", ReadScroll("legion", "C3", units=2)).refused("no_room_for_legion", "QD-H12")
    table.when("orc", ReadScroll("legion", "C3", units=1))
    assert sum(column.size for column in table.state.columns["C3"]) == 8
    table.leave()


def test_a_legion_joins_the_attackers_with_whom_its_reader_came() -> None:
    """QD-16.7: where the user is; it fights at once."""
    table = battle(*mage_in("OR_k"), HandSet("orc", ("legion",)))
    table.when("orc", ReadScroll("legion", "OR_n", units=5))
    assert LegionCame("orc", "OR_n", 5, "walk", because=("QD-16.7", "QD-X72")) in table.told
    table.when("orc", Declare())
    question = table.now.question
    assert question is not None
    assert question.roll is not None
    assert question.roll.count == 9
    table.leave()


def test_clairvoyance_shows_a_hand_to_its_reader_alone_for_good() -> None:
    """QD-16.9: everybody knows that it was read and against whom; what the hand held, the reader alone learns."""
    table = turn(HandSet("elf", ("reflect", "legion")), hand=("clairvoyance",))
    assert table.view("orc").state.hands.get("elf") is None
    table.when("orc", ReadScroll("clairvoyance", "OR_k", target="elf"))
    assert HandSeen("orc", "elf", ("reflect", "legion"), because=("QD-16.9",)) in table.told
    assert table.view("orc").state.hands["elf"] == ("reflect", "legion")
    assert "elf" not in table.view(SPECTATOR).state.hands
    assert table.view(SPECTATOR).state.scrolls_used == ("clairvoyance",)
    table.when("orc", EndPhase())
    assert table.view("orc").state.hands["elf"] == ("reflect", "legion")
    table.leave()


def test_what_clairvoyance_showed_goes_when_it_is_read() -> None:
    """QD-16.9, QD-16.1: the reader strikes out what he knew of a hand, as it is read before his eyes."""
    table = turn(HandSet("elf", ("reflect", "legion")), hand=("clairvoyance", FIRE))
    table.when("orc", ReadScroll("clairvoyance", "OR_k", target="elf"))
    table.when("orc", ReadScroll(FIRE, "SC_k")).asks(elf="scroll_window")
    table.when("elf", Reflect())
    table.when(CHANCE, AnswerRoll((1,)))
    assert table.view("orc").state.hands["elf"] == ("legion",)
    table.leave()
