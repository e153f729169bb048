"""The setup (QD-3)."""

import re
from collections import Counter

import pytest

from core.games.dragonlords import RULES
from core.games.dragonlords.board import KINGDOMS, SPACES, TERRITORIES, ZONES
from core.games.dragonlords.chips import StacksShaded
from core.games.dragonlords.decks import scrolls
from core.games.dragonlords.docks import ShipsDocked
from core.games.dragonlords.hiding import ChipHidden, DockShip, HideChip, ShipMissed
from core.games.dragonlords.income import StoreGold
from core.games.dragonlords.setup import AddUnit, Claim
from core.kit.chance import AnswerRoll, Deal
from core.kit.table import Rule
from core.seats import ARBITER, CHANCE
from events.play import Sealed, Turned
from events.table import Forfeited
from tests.driver import SPECTATOR, Table, given
from tests.games.dragonlords.land import (
    THREE,
    holders,
    is_offered,
    opened,
    silently,
    told,
    until_asked,
)


def test_each_player_takes_a_pickaxe_a_torch_and_a_wizard_with_heal_and_fireball() -> None:
    """What lies ready for each player at the start, besides units, gold, chips and ship (QD-3.1, QD-14.3)."""
    table = given(RULES, seats=THREE)
    for seat in THREE:
        assert table.state.items[seat] == {"pickaxe": 1, "torch": 1}
        assert table.state.spells[f"{seat}.wizard.1"] == ("heal", "fireball")


def test_the_deck_has_twenty_four_scrolls_four_of_them_elementals() -> None:
    """The deck that the first scrolls are dealt from (QD-1.3, QD-3.1)."""
    assert len(scrolls()) == 24
    assert sum(card.startswith("summon_elemental.") for card in scrolls()) == 4
    assert Counter(scrolls())["reflect"] == 3


def test_each_player_is_dealt_one_scroll_that_he_alone_sees() -> None:
    """Everybody sees that a scroll was dealt, its owner alone which (QD-3.1)."""
    table = given(RULES, seats=THREE)
    table.must(CHANCE, Deal("legion"))
    assert table.state.hands == {"orc": ("legion",)}
    assert table.view("orc").state.hands == {"orc": ("legion",)}
    for other in ("elf", "dwarf", SPECTATOR):
        assert table.view(other).state.hands == {}
        assert table.view(other).state.held == {"orc": 1}
    assert b"legion" not in table.log[-1].line


def test_gold_is_stored_in_the_setup_by_its_own_rule() -> None:
    """QD-3.6: who stores his first gold too early is not told of income."""
    table = given(RULES, seats=THREE)
    table.when("orc", StoreGold({"OR_k": 30})).refused("not_your_turn", "QD-3.6")
    assert [ref for reason in table.reasons for ref in reason.because] == ["QD-3.6"]


def test_a_scroll_that_was_dealt_is_dealt_no_more() -> None:
    """The draw is without replacement: the last copy of a card cannot be dealt again (QD-3.1)."""
    table = given(RULES, seats=THREE)
    table.must(CHANCE, Deal("summon_elemental.fire"))
    table.when(CHANCE, Deal("summon_elemental.fire")).refused("no_such_card")
    table.must(CHANCE, Deal("summon_elemental.wind"))


def test_a_scroll_nobody_who_records_can_see_is_a_question_mark() -> None:
    """A physical hand: the log knows that a scroll is held, not which (QD-3.1)."""
    table = given(RULES, seats=THREE)
    table.must(CHANCE, Deal("?"))
    assert table.state.hands == {"orc": ("?",)}
    assert table.state.held == {"orc": 1}


def test_the_first_who_is_blessed_begins() -> None:
    """The oldest player, who sits first, rolls first; the first yellow is chosen (QD-3.2, QD-1.5)."""
    table = given(RULES, seats=THREE)
    for card in ("legion", "reflect", "ship"):
        table.must(CHANCE, Deal(card))
    owners = []
    for face in ("red", "blue", "blue", "blue", "yellow"):
        asked = table.now.question
        assert asked is not None
        assert asked.roll is not None
        owners.append(asked.roll.owner)
        table.must(CHANCE, AnswerRoll((face,)))
    assert owners == ["orc", "elf", "dwarf", "orc", "elf"]
    assert table.state.active == "elf"
    table.asks(elf="claim")


def test_the_crystal_die_has_two_faces_of_each_colour() -> None:
    """Yellow is blessed, blue ignored, red cursed; two faces each (QD-1.5)."""
    assert Counter(RULES.all_dice["crystal"]) == {"yellow": 2, "blue": 2, "red": 2}
    table = given(RULES, seats=THREE)
    for card in ("legion", "reflect", "ship"):
        table.must(CHANCE, Deal(card))
    table.when(CHANCE, AnswerRoll(("green",))).refused("no_such_face")


def test_everyone_first_puts_two_units_into_a_kingdom_of_his_choice() -> None:
    """Clockwise from the chosen player, two units each, each in a free kingdom (QD-3.3)."""
    table = opened(*THREE, first="elf")
    table.must("elf", Claim("SV_k"))
    table.when("dwarf", Claim("SV_k")).refused("occupied", "QD-3.3")
    table.when("dwarf", Claim("SV_n")).refused("no_kingdom", "QD-3.3")
    table.must("dwarf", Claim("FM_k"))
    table.must("orc", Claim("AL_k"))
    assert holders(table) == {"SV_k": ("elf", 2), "FM_k": ("dwarf", 2), "AL_k": ("orc", 2)}
    table.asks(elf="claim")


def test_then_one_unit_at_a_time_goes_on_unoccupied_land() -> None:
    """Free kingdoms and teleportals may be claimed too; nobody begins on an island, at sea or on a road (QD-3.3)."""
    table = opened(*THREE)
    for seat, place in zip(THREE, KINGDOMS, strict=False):
        table.must(seat, Claim(place))
    for place in ("I1", "N1", "WT01"):
        assert place in {*TERRITORIES, *ZONES, *SPACES}
        table.when("orc", Claim(place)).refused("no_start_there", "QD-3.3")
        assert not is_offered(table, "orc", Claim(place))
    table.when("orc", Claim(KINGDOMS[0])).refused("occupied", "QD-3.3")
    table.must("orc", Claim(KINGDOMS[5]))
    table.must("elf", Claim("T1"))
    assert holders(table)["T1"] == ("elf", 1)
    assert holders(table)[KINGDOMS[5]] == ("orc", 1)
    table.asks(dwarf="claim")


def test_claiming_goes_on_until_all_land_but_the_islands_is_held() -> None:
    """51 territories are claimed, one after the other clockwise, before anybody adds a unit (QD-3.3)."""
    table = until_asked(opened(*THREE), "add_unit")
    held = holders(table)
    assert held.keys() == {name for name, land in TERRITORIES.items() if land.kind != "island"}
    assert Counter(size for _, size in held.values()) == {1: 48, 2: 3}
    assert Counter(seat for seat, _ in held.values()) == {"orc": 17, "elf": 17, "dwarf": 17}


def test_silence_claims_as_the_hint_says() -> None:
    """Gold and kingdoms first, then the borders of the Wastelands, then harbours (QD-3.3)."""
    table = opened(*THREE)
    silently(table, lambda table: len(table.state.armies) == 3 + 9)
    kinds = Counter(TERRITORIES[place].kind for place in table.state.armies)
    assert kinds == {"kingdom": 6, "gold": 6}
    silently(table, lambda table: len(table.state.armies) == 3 + 9 + 8)
    assert {"FM_n", "IH_n", "AL_s", "SV_s", "SC_n", "IH_ne", "OR_s", "SV_sw"} <= table.state.armies.keys()


@pytest.mark.parametrize(
    ("seats", "answers", "units"),
    (
        (("orc", "elf", "dwarf", "barbarian"), {}, 30),
        (THREE, {}, 30),
        (("orc", "elf"), {}, 35),
        (("orc", "elf"), {"QD-X19": "thirty"}, 30),
    ),
)
def test_everyone_places_all_his_units_on_land_that_he_holds(
    seats: tuple[str, ...], answers: dict[str, str], units: int
) -> None:
    """30 units with three or four players, 35 with two unless the table answers otherwise (QD-3.1, QD-3.4)."""
    table = until_asked(opened(*seats, answers=answers), "hide")
    for seat in seats:
        assert sum(size for owner, size in holders(table).values() if owner == seat) == units
        assert table.state.muster[seat].raised == units


def test_a_unit_is_added_to_ones_own_land_only() -> None:
    """One unit at a time, in turn, on territory that one holds (QD-3.4)."""
    table = until_asked(opened(*THREE), "add_unit")
    question = table.now.question
    assert question is not None
    (seat,) = question.seats
    foreign = next(place for place, (owner, _) in holders(table).items() if owner != seat)
    table.when(seat, AddUnit(foreign)).refused("not_yours", "QD-3.4")
    own = next(place for place, (owner, _) in holders(table).items() if owner == seat)
    size = holders(table)[own][1]
    table.must(seat, AddUnit(own))
    assert holders(table)[own] == (seat, size + 1)
    after = table.now.question
    assert after is not None
    assert after.seats != (seat,)


def big_and_small(table: Table, seat: str) -> tuple[list[str], list[str]]:
    """Return the territories of a seat with several units, and those with one."""
    held = {place: size for place, (owner, size) in holders(table).items() if owner == seat}
    return [place for place, size in held.items() if size > 1], [p for p, size in held.items() if size == 1]


def test_all_players_hide_their_chips_at_once() -> None:
    """King, wizard and blank, in any order and whoever is first; no answer waits for another's (QD-3.5)."""
    table = until_asked(opened(*THREE), "hide")
    table.asks(orc="hide", elf="hide", dwarf="hide")
    big, _ = big_and_small(table, "elf")
    table.must("elf", HideChip("blank", big[0]))
    table.must("elf", HideChip("king", big[1]))
    table.must("elf", HideChip("wizard", big[1]))
    table.asks(orc="hide", dwarf="hide")
    assert table.state.chips["elf.king"].place == big[1]
    assert table.state.chips["elf.wizard.1"].place == big[1]
    assert table.state.chips["elf.blank"].place == big[0]


def test_only_king_wizard_and_blank_are_hidden() -> None:
    """Those are the chips that each player takes (QD-3.1, QD-3.5)."""
    table = until_asked(opened(*THREE), "hide")
    big, _ = big_and_small(table, "elf")
    table.when("elf", HideChip("excalibur", big[0])).refused("no_such_chip", "QD-3.5", "QD-3.1")


def test_nobody_else_learns_which_chip_lies_where() -> None:
    """The others see only that every stack of the player may hide a chip (QD-3.5, QD-1.4)."""
    table = until_asked(opened(*THREE), "hide")
    big, _ = big_and_small(table, "elf")
    table.must("elf", HideChip("king", big[0]))
    for other in ("orc", "dwarf", SPECTATOR):
        seen = table.view(other).state
        assert seen.chips == {}
        assert {stack for stack in seen.shades if stack.startswith("elf@")} == {
            f"elf@{place}" for place, (owner, _) in holders(table).items() if owner == "elf"
        }
    assert b"king" not in table.log[-1].line
    facts = table.seen(table.log[-1], SPECTATOR).facts
    assert [type(fact) for fact in facts] == [StacksShaded, ChipHidden, Sealed, Turned]


def test_where_a_chip_is_hidden_changes_nothing_that_others_read() -> None:
    """Two games that differ only in where the king lies give the others equal lines, digests apart (QD-3.5)."""
    table = until_asked(opened(*THREE), "hide")
    table.must("elf", HideChip("blank", big_and_small(table, "elf")[0][0]))
    other = table.twin()
    big, _ = big_and_small(table, "elf")
    table.must("elf", HideChip("king", big[1]))
    other.must("elf", HideChip("wizard", big[2]))
    masked = [re.sub(rb'"(digest|prev)":"[0-9a-f]*"', b"", each.log[-1].line) for each in (table, other)]
    assert masked[0] == masked[1]
    assert table.view("orc").state == other.view("orc").state


def test_each_chip_lies_under_a_different_unit() -> None:
    """A territory with one unit bears one chip, and a chip is hidden once (QD-3.5)."""
    table = until_asked(opened(*THREE), "hide")
    big, small = big_and_small(table, "orc")
    place = (small or big)[0]
    size = holders(table)[place][1]
    for kind in ("king", "wizard", "blank")[:size]:
        table.must("orc", HideChip(kind, place))
    if size < 3:
        table.when("orc", HideChip("blank", place)).refused("no_unit_to_bear_it", "QD-3.5")
    table.when("orc", HideChip("king", big[-1])).refused("hidden_already", "QD-3.5")
    foreign = next(place for place, (owner, _) in holders(table).items() if owner != "orc")
    table.when("orc", HideChip("blank", foreign)).refused("no_unit_to_bear_it", "QD-3.5")


def duel_over_harbours(harbours: int) -> Table:
    """Return a duel in which the Orcs claimed so many harbours, at the question after the chips."""
    table = opened("orc", "elf")
    taken = 0

    def is_harbour(place: str) -> bool:
        return TERRITORIES[place].harbour_zone is not None

    while (asked := table.now.question) is not None and asked.kind == "claim":
        (seat,) = asked.seats
        free = [
            place
            for place in TERRITORIES
            if any(offer.allows(Claim(place)) for offer in table.ask(seat).offers)
        ]
        wants = is_harbour if (seat == "elf") != (taken < harbours) else (lambda place: not is_harbour(place))
        if seat == "orc" and taken < harbours:
            wants = is_harbour
        place = next((place for place in free if wants(place)), free[0])
        taken += seat == "orc" and is_harbour(place)
        table.must(seat, Claim(place))
    assert taken == harbours
    until_asked(table, "hide")
    return silently(table, lambda table: table.now.question is not None and table.now.question.kind != "hide")


def test_who_holds_no_harbour_loses_the_ship() -> None:
    """A ship needs a friendly harbour; without one it is lost (QD-3.6)."""
    table = duel_over_harbours(0)
    assert [fact.seat for fact in told(table, ShipMissed)] == ["orc"]
    assert "orc" not in [fact.seat for fact in told(table, ShipsDocked)]


def test_in_the_only_harbour_the_ship_docks_by_itself() -> None:
    """Where there is no choice nobody is asked (QD-3.6)."""
    table = duel_over_harbours(1)
    (docked,) = (fact for fact in told(table, ShipsDocked) if fact.seat == "orc")
    assert table.state.armies[docked.place].seat == "orc"
    assert TERRITORIES[docked.place].harbour_zone


def test_the_ship_goes_into_a_friendly_harbour_of_ones_choice() -> None:
    """Who holds several harbours says which (QD-3.6)."""
    table = until_asked(opened(*THREE), "dock")
    own = [
        place
        for place, (owner, _) in holders(table).items()
        if owner == "orc" and TERRITORIES[place].harbour_zone
    ]
    other = next(
        place
        for place, (owner, _) in holders(table).items()
        if owner != "orc" and TERRITORIES[place].harbour_zone
    )
    table.when("orc", DockShip(other)).refused("no_harbour", "QD-3.6")
    table.must("orc", DockShip(own[-1]))
    assert table.state.docked == {own[-1]: 1}


def test_the_thirty_gold_may_be_split_over_several_kingdoms() -> None:
    """Each player stores 30 gold in the kingdoms that he holds (QD-3.1, QD-3.6, QD-2.2)."""
    table = until_asked(opened(*THREE), "store_gold")
    (seat,) = table.now.question.seats  # type: ignore[union-attr]
    mine = [place for place in KINGDOMS if holders(table)[place][0] == seat]
    foreign = next(place for place in KINGDOMS if place not in mine)
    assert len(mine) == 2
    table.when(seat, StoreGold({mine[0]: 29})).refused("wrong_sum", "QD-3.6")
    table.when(seat, StoreGold({mine[0]: 20, mine[1]: 11})).refused("wrong_sum", "QD-3.6")
    table.when(seat, StoreGold({mine[0]: 30, mine[1]: 0})).refused("wrong_sum", "QD-3.6")
    table.when(seat, StoreGold({mine[0]: 20, foreign: 10})).refused("not_your_kingdom", "QD-2.2")
    table.must(seat, StoreGold({mine[0]: 20, mine[1]: 10}))
    assert {place: table.state.gold[place] for place in mine} == {mine[0]: 20, mine[1]: 10}


def test_after_the_setup_the_chosen_player_begins_with_thirty_gold() -> None:
    """The first turn belongs to whom the gods chose, and begins with phase 1 (QD-3.2, QD-4.1, QD-4.2)."""
    table = until_asked(opened(*THREE, first="dwarf"), "buy")
    assert (table.state.turn, table.state.active, table.state.phase) == (1, "dwarf", "buy")
    assert sum(table.state.gold.values()) == 90
    assert sum(table.state.docked.values()) == 3
    assert len(table.state.chips) == 9


def test_for_a_seat_that_forfeits_silence_completes_the_setup() -> None:
    """Every question of the setup has a lawful silence, also for secret chips (QD-3.3, QD-3.4, QD-3.5)."""
    table = opened(*THREE)
    table.must(ARBITER, Rule(Forfeited("elf"), "went home"))
    until_asked(table, "hide")
    table.asks(orc="hide", dwarf="hide")
    assert {name for name in table.state.chips if name.startswith("elf")} == {
        "elf.king",
        "elf.wizard.1",
        "elf.blank",
    }
