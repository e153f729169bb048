"""The places of the Wastelands (QD-6.6 to QD-6.9): village, witches' den, shrine and dragon lair."""

from typing import Any

import pytest
from msgspec import structs

from core.games.dragonlords.armies import DragonLordGained, UnitsLost, UnitsPlaced
from core.games.dragonlords.battle import BattleBegan
from core.games.dragonlords.decks import CardDealt, scrolls
from core.games.dragonlords.gains import NothingGained, TreasureFound
from core.games.dragonlords.items import ItemsMoved
from core.games.dragonlords.learning import (
    RaiseDragonlord,
    RiderChosen,
    SpellLearned,
    Teach,
    WizardJoined,
    lords_left,
)
from core.games.dragonlords.losses import TakeLosses
from core.games.dragonlords.phases import Pass
from core.games.dragonlords.places import BuyItem, ConsultGods, FaceDragon, Recruit, TakeOrb
from core.games.dragonlords.position import GoldSet, HandSet, ItemsSet, ShadeSet, UnitsSet
from core.games.dragonlords.purchase import GoldPaid
from core.games.dragonlords.scrolls import ReadScroll
from core.games.dragonlords.state import Army
from core.games.dragonlords.travelling import Travel
from core.games.dragonlords.wastelands import MoveParty
from core.telling import Moment
from tests.driver import Table
from tests.games.dragonlords.expeditions import at_quest, deal, dice, happened, items_of, party, told, wizard
from tests.games.dragonlords.land import is_offered, offered

RICH = (UnitsSet("orc", "OR_k", 3), GoldSet("OR_k", 30))
"""A kingdom with thirty gold."""


def visits(place: str, *position: Any, units: int = 3, seat: str = "orc", **items: int | str) -> Table:
    """Return a table at which a party of a seat has come to a place from the space beside it."""
    origin = {"WT01": "WT02", "WT04": "WT03", "WT06.orc": "WT05", "WT12": "WT11.orc"}[place]
    answers = {name: str(items.pop(name)) for name in [*items] if name[0] in "XH" and name[1].isdigit()}
    seats = (seat, "elf", "dwarf")
    table = at_quest(
        party(seat, origin, units, **{name: int(n) for name, n in items.items()}),
        *position,
        seats=seats,
        **answers,
    )
    table.when(seat, MoveParty(origin))
    dice(table, 1)
    table.when(seat, Travel(place))
    assert not table.reasons, table.reasons
    return table


# the village


def test_the_village_sells_pickaxe_torch_and_units() -> None:
    """Buy pickaxe 1, torch 1, units at the price of the reference card; they join the party (QD-6.6)."""
    table = visits("WT01", *RICH)
    table.asks(orc="shop")
    table.when("orc", BuyItem("torch", 2)).then(
        GoldPaid("orc", "OR_k", 2), ItemsMoved("", "orc@WT01", {"torch": 2})
    )
    table.when("orc", BuyItem("pickaxe")).then(
        GoldPaid("orc", "OR_k", 1), ItemsMoved("", "orc@WT01", {"pickaxe": 1})
    )
    table.when("orc", Recruit(3)).then(GoldPaid("orc", "OR_k", 9), UnitsPlaced("orc", "WT01", 3))
    assert items_of(table, "orc@WT01") == {"pickaxe": 1, "torch": 2}
    assert table.state.armies["WT01"] == Army("orc", 6)
    table.when("orc", Pass()).asks(orc="combat")


def test_barbarians_pay_their_own_price_in_the_village() -> None:
    """At the price of the reference card (QD-6.6, QD-1.2)."""
    table = visits("WT01", UnitsSet("barbarian", "OR_k", 3), GoldSet("OR_k", 9), seat="barbarian")
    table.when("barbarian", Recruit(3)).refused("too_little_gold", "QD-6.6")
    table.when("barbarian", Recruit(2)).then(
        GoldPaid("barbarian", "OR_k", 8), UnitsPlaced("barbarian", "WT01", 2)
    )


def test_a_party_has_six_units_at_most_after_the_village_too() -> None:
    """The units join the party, which has six units at most (QD-6.6, QD-6.1)."""
    table = visits("WT01", *RICH, units=5)
    table.when("orc", Recruit(2)).refused("party_too_large", "QD-6.6", "QD-6.1")
    table.when("orc", Recruit(0)).refused("nothing_bought", "QD-6.6")
    table.when("orc", Recruit(1))
    assert offered(table.ask("orc"), Recruit) == []


@pytest.mark.parametrize(
    ("place", "item", "code", "section"),
    (
        ("WT01", "potion", "not_sold_here", "QD-6.6"),
        ("WT04", "torch", "not_sold_here", "QD-6.7"),
        ("WT06.orc", "dragonorb", "not_sold_here", "QD-6.8"),
        ("WT01", "crown", "not_sold_here", "QD-6.6"),
    ),
)
def test_each_place_sells_its_own_goods_alone(place: str, item: str, code: str, section: str) -> None:
    """What is sold where is listed for each place (QD-6.6, QD-6.7, QD-6.8)."""
    table = visits(place, *RICH)
    table.when("orc", BuyItem(item)).refused(code, section)
    assert not is_offered(table, "orc", BuyItem(item))


def test_units_are_not_sold_outside_of_the_village() -> None:
    """The village is the place to reinforce the party (QD-6.6)."""
    table = visits("WT04", *RICH)
    table.when("orc", Recruit(1)).refused("not_this_now")


def test_nobody_buys_without_gold_or_without_a_kingdom() -> None:
    """Items are paid in the quest phase with stored gold (QD-4.3); without a kingdom nothing is bought (QD-X63)."""
    visits("WT01").asks(orc="combat")
    visits("WT01", UnitsSet("orc", "OR_k", 2)).asks(orc="combat")
    table = visits("WT01", UnitsSet("orc", "OR_k", 2), GoldSet("OR_k", 2))
    table.when("orc", BuyItem("torch", 3)).refused("too_little_gold", "QD-6.6")
    table.when("orc", BuyItem("torch", 0)).refused("nothing_bought", "QD-6.6")
    table.when("orc", BuyItem("torch", 2, "FM_k")).refused("not_your_kingdom", "QD-2.2")
    table.when("orc", BuyItem("torch", 2)).asks(orc="combat")


def test_the_kingdom_named_pays_first() -> None:
    """Gold may be spread over several kingdoms (QD-2.2); any of them pays (QD-6.6)."""
    table = visits("WT01", *RICH, UnitsSet("orc", "FM_k", 1), GoldSet("FM_k", 1))
    table.when("orc", BuyItem("torch", 3, "FM_k")).then(
        GoldPaid("orc", "FM_k", 1), GoldPaid("orc", "OR_k", 2), ItemsMoved("", "orc@WT01", {"torch": 3})
    )


# the witches' den


def test_the_witches_sell_potion_elixir_and_orb() -> None:
    """Buy potion 1, elixir 2, dragonorb 5 (QD-6.7)."""
    table = visits("WT04", *RICH)
    for item, cost in (("potion", 1), ("elixir", 2), ("dragonorb", 5)):
        table.when("orc", BuyItem(item)).then(
            GoldPaid("orc", "OR_k", cost), ItemsMoved("", "orc@WT04", {item: 1})
        )


def test_an_orb_brings_a_spell_in_the_witches_den_and_is_kept() -> None:
    """A party that already has a dragonorb gains a spell, D6 for which; the orb is kept (QD-6.7, QD-14.4, QD-8.6)."""
    table = visits("WT04", *RICH, wizard("orc", "WT03", "heal"), dragonorb=1)
    assert table.ask("orc").silence == Teach("orc.wizard.1")
    table.when("orc", Teach("orc.wizard.1"))
    dice(table, 5)
    happened(table, SpellLearned("orc", "orc.wizard.1", "lightning"))
    assert items_of(table, "orc@WT04") == {"dragonorb": 1}
    table.asks(orc="shop")


def test_an_orb_bought_on_this_visit_brings_no_spell_yet() -> None:
    """Already means before this visit; buying and the spell may both happen in one visit (QD-H36, QD-6.7)."""
    table = visits("WT04", *RICH)
    table.when("orc", BuyItem("dragonorb")).asks(orc="shop")
    assert told(table, SpellLearned) == []


def test_without_a_wizard_a_unit_becomes_the_next_one_with_the_spell() -> None:
    """No wizard in the party: a unit becomes the next wizard with that spell (QD-14.4, QD-H43)."""
    table = visits("WT04", dragonorb=1)
    dice(table, 3)
    assert table.state.spells == {"orc.wizard.1": ("teleport",)}
    assert told(table, SpellLearned)[0].spell == "teleport"
    assert table.state.chips["orc.wizard.1"].place == "WT04"
    assert table.view("elf").state.chips["orc.wizard.1"].shown, "everybody saw him join"


def test_a_known_spell_is_rolled_again() -> None:
    """D6, reroll known ones (QD-14.4)."""
    table = visits("WT04", wizard("orc", "WT03", "heal", "fireball"), dragonorb=1)
    table.when("orc", Teach("orc.wizard.1"))
    dice(table, 1, 2, 1, 6)
    assert table.state.spells["orc.wizard.1"] == ("heal", "fireball", "panic")


def test_who_knows_all_six_spells_gains_none() -> None:
    """All six spells known: no gain (QD-H6, QD-14.4)."""
    spells = ("heal", "fireball", "teleport", "hope", "lightning", "panic")
    table = visits("WT04", wizard("orc", "WT03", *spells), dragonorb=1)
    table.when("orc", Teach("orc.wizard.1"))
    assert NothingGained("orc", "WT04", "spell", because=("QD-H6",)) in table.told


def test_of_several_wizards_the_owner_picks_who_learns_and_a_hidden_one_is_shown() -> None:
    """Of several wizards the owner picks (QD-H43); the pegs are open, so who learns is shown (QD-14.4)."""
    table = visits(
        "WT04", wizard("orc", "WT03", "heal"), wizard("orc", "WT03", "hope", n=2, shown=False), dragonorb=1
    )
    table.when("orc", Teach("orc.wizard.3")).refused("no_pupil", "QD-14.4", "QD-H43")
    unnamed = table.twin()
    unnamed.when("orc", Teach(""))
    assert unnamed.view("elf").state.chips["orc.wizard.1"].shown, "with nobody named the first learns"
    table.when("orc", Teach("orc.wizard.2"))
    dice(table, 1)
    assert table.state.spells["orc.wizard.2"] == ("hope", "heal")
    assert table.view("elf").state.chips["orc.wizard.2"].shown


def test_a_party_buys_before_or_after_it_gains_a_spell() -> None:
    """QD-6.7, QD-H36: both happen in one visit, and no order is laid down; an orb that is bought then gains none."""
    table = visits("WT04", *RICH, wizard("orc", "WT03", "heal", shown=False), dragonorb=1)
    table.must("orc", BuyItem("potion", 1))
    table.when("orc", Teach("orc.wizard.1"))
    dice(table, 2)
    assert table.state.spells["orc.wizard.1"] == ("heal", "fireball")
    table.when("orc", BuyItem("potion", 1))
    assert table.state.items["orc@WT04"]["potion"] == 2


def test_no_fourth_wizard_joins() -> None:
    """With three wizards a new one does not join (QD-14.4, QD-14.3)."""
    elsewhere = [fact for n in (1, 2, 3) for fact in wizard("orc", "OR_k", "heal", n=n)]
    table = visits("WT04", UnitsSet("orc", "OR_k", 4), elsewhere, dragonorb=1)
    assert NothingGained("orc", "WT04", "wizard", because=("QD-14.4", "QD-14.3")) in table.told
    assert told(table, WizardJoined) == []


def test_the_row_of_a_lost_wizard_is_free_again() -> None:
    """A lost wizard frees his row (QD-H43): the next one is the second again."""
    elsewhere = [fact for n in (1, 3) for fact in wizard("orc", "OR_k", "heal", n=n)]
    table = visits("WT04", UnitsSet("orc", "OR_k", 4), elsewhere, dragonorb=1)
    dice(table, 4)
    assert table.state.spells["orc.wizard.2"] == ("hope",)


def test_who_is_asked_to_teach_depends_on_what_everybody_knows() -> None:
    """A wizard who may lie hidden in the party is asked about, whether he is there or not (QD-H42, QD-14.4)."""
    hidden = wizard("orc", "OR_k", "heal", shown=False)
    position = (UnitsSet("orc", "OR_k", 4), hidden, ItemsSet("orc", {"dragonorb": 1}, "WT03"))
    table = at_quest(UnitsSet("orc", "WT03", 2), ShadeSet("orc", "WT03"), *position)
    table.when("orc", MoveParty("WT03"))
    dice(table, 1)
    table.when("orc", Travel("WT04")).asks(orc="learn")
    assert table.ask("orc").silence == Teach("")
    table.when("orc", Teach())
    dice(table, 1)
    assert table.state.spells["orc.wizard.2"] == ("heal",)


# the shrine


def test_a_talisman_is_bought_in_the_shrine_and_brings_a_scroll_on_the_next_visit() -> None:
    """Buy a talisman 3; a party that already has one gains a scroll (QD-6.8, QD-8.5)."""
    table = visits("WT06.orc", *RICH)
    table.when("orc", BuyItem("talisman")).then(
        GoldPaid("orc", "OR_k", 3), ItemsMoved("", "orc@WT06.orc", {"talisman": 1})
    )
    assert told(table, CardDealt) == []
    table = visits("WT06.orc", *RICH, talisman=1)
    assert table.now.question is not None
    assert table.now.question.draw is not None
    assert (table.now.question.draw.deck, table.now.question.draw.to) == ("scrolls", "orc")
    deal(table, "legion")
    assert (table.state.hands["orc"], table.state.held["orc"]) == (("legion",), 1)
    assert table.view("elf").state.hands.get("orc", ()) == ()
    assert items_of(table, "orc@WT06.orc") == {"talisman": 1}
    table.asks(orc="shop")


def test_with_no_scroll_left_there_is_no_gain() -> None:
    """No scroll left: no gain (QD-H5, QD-6.8)."""
    table = visits("WT06.orc", HandSet("elf", scrolls()), talisman=1)
    assert NothingGained("orc", "WT06.orc", "scroll", because=("QD-H5",)) in table.told


# the lair


def test_in_the_lair_a_party_without_an_orb_may_take_one_from_the_dead() -> None:
    """Take one from the dead; this ends the quest and the party stays (QD-6.9, QD-H37)."""
    table = visits("WT12")
    table.asks(orc="lair")
    assert table.ask("orc").silence == Pass()
    table.when("orc", ConsultGods()).refused("no_orb", "QD-6.9")
    happened(table.when("orc", TakeOrb()), ItemsMoved("", "orc@WT12", {"dragonorb": 1}))
    table.asks(orc="combat")


def test_a_party_with_an_orb_takes_no_other_from_the_dead() -> None:
    """Without an orb: take one (QD-6.9)."""
    visits("WT12", dragonorb=1).when("orc", TakeOrb()).refused("has_orb", "QD-6.9")


def test_the_gods_are_asked_once_a_visit() -> None:
    """One of three deeds per visit (QD-H37, QD-6.9)."""
    table = visits("WT12", dragonorb=1)
    table.when("orc", ConsultGods())
    dice(table, "red")
    table.asks(orc="combat")


def test_the_blessed_gain_a_dragonlord_for_a_unit_and_the_orb() -> None:
    """Blessed: one DragonLord, you lose one unit and the orb; it is the unit that it replaces (QD-6.9, QD-X31)."""
    table = visits("WT12", dragonorb=1)
    table.when("orc", ConsultGods())
    dice(table, "yellow")
    happened(table, ItemsMoved("orc@WT12", "", {"dragonorb": 1}), DragonLordGained("orc", "WT12"))
    assert table.state.armies["WT12"] == Army("orc", 2, 1)
    assert table.state.muster["orc"].lost == 0


def test_the_ignored_ask_again_and_the_cursed_lose_a_unit() -> None:
    """Ignored: roll again; cursed: you lose one unit, and keep the orb (QD-6.9)."""
    table = visits("WT12", dragonorb=1)
    table.when("orc", ConsultGods())
    dice(table, "blue", "blue", "red")
    assert [fact.count for fact in told(table, UnitsLost)] == [1]
    assert table.state.armies["WT12"] == Army("orc", 2)
    assert items_of(table, "orc@WT12") == {"dragonorb": 1}


def test_the_last_unit_that_the_gods_take_leaves_its_items_to_nobody() -> None:
    """A lost party loses its items (QD-8.1); the lair destroys them."""
    table = visits("WT12", units=1, dragonorb=1, torch=1)
    table.when("orc", ConsultGods())
    dice(table, "red")
    assert "WT12" not in table.state.armies
    assert table.state.items == {}


def test_a_wizard_may_become_the_dragonlord_and_nobody_else_knows() -> None:
    """A wizard may become one and keeps his spells (QD-14.5); a wizard under a figure is not open (QD-H42)."""
    table = visits("WT12", wizard("orc", "WT11.orc", "hope", shown=False), dragonorb=1)
    table.when("orc", ConsultGods())
    dice(table, "yellow")
    table.asks(orc="dragonlord")
    assert table.ask("orc").silence == RaiseDragonlord()
    table.when("orc", RaiseDragonlord("orc.wizard.2")).refused("no_such_unit", "QD-14.5", "QD-X31")
    table.when("orc", RaiseDragonlord("orc.wizard.1"))
    assert RiderChosen("orc", "orc.wizard.1", because=("QD-14.5",)) in table.told
    assert table.state.chips["orc.wizard.1"].on_dragonlord
    assert table.state.spells["orc.wizard.1"] == ("hope",)
    seen = table.view("elf").state
    assert seen.armies["WT12"] == Army("orc", 2, 1)
    assert "orc.wizard.1" not in seen.chips


def test_everybody_sees_a_shown_wizard_become_a_dragonlord() -> None:
    """A shown chip is known to all (QD-H9), so what becomes of him is too (QD-14.5)."""
    table = visits("WT12", wizard("orc", "WT11.orc", "hope"), dragonorb=1)
    table.when("orc", ConsultGods())
    dice(table, "yellow")
    table.when("orc", RaiseDragonlord("orc.wizard.1"))
    assert table.view("elf").state.chips["orc.wizard.1"].on_dragonlord


def test_the_gods_are_not_asked_for_a_dragonlord_that_is_not_there() -> None:
    """No DragonLord left in the supply: no gain (QD-H6)."""
    table = visits("WT12", UnitsSet("elf", "FM_k", 1, 3), UnitsSet("orc", "OR_k", 1, 1), dragonorb=1)
    table.when("orc", ConsultGods()).refused("no_dragonlord_left", "QD-H6")
    assert not is_offered(table, "orc", ConsultGods())


def test_lost_dragonlords_come_back_to_the_supply_unless_the_table_says_no() -> None:
    """Lost DragonLords go back to the supply (QD-H44); the alternative takes them out of the game."""
    for answer, left in (("back_to_the_supply", 3), ("out_of_the_game", 1)):
        table = visits("WT12", UnitsSet("elf", "FM_k", 1, 1), H44=answer)
        now = Moment(table.rules, structs.replace(table.state, slain=2), table.now.table, 99)
        assert lords_left(now) == left


def test_the_red_dragon_guards_the_treasure_of_the_lair() -> None:
    """Go for the treasure: the red dragon attacks, 6 attack, 12 defence; one hit wins a treasure (QD-6.9)."""
    table = visits("WT12", units=4)
    happened(table.when("orc", FaceDragon()), BattleBegan("WT12", "red dragon", "orc", "monster"))
    question = table.now.question
    assert question is not None
    assert question.roll is not None
    assert (question.roll.die, question.roll.owner, question.roll.thrower) == ("d6", "red dragon", "dwarf")
    dice(table, 6)
    question = table.now.question
    assert question is not None
    assert question.roll is not None
    assert (question.roll.die, question.roll.count) == ("d12", 3), (
        "dragonfire takes a unit before it can answer"
    )
    dice(table, 3, 12, 12)
    deal(table, "excalibur")
    assert told(table, TreasureFound) == [TreasureFound("orc", because=("QD-6.11",))]
    assert table.state.chips["excalibur"].place == "WT12"


def test_charm_is_read_on_arrival_in_the_lair() -> None:
    """A wizard may read Charm on arrival (QD-H37, QD-16.8): his party gains a DragonLord, and he is under it."""
    table = visits("WT12", wizard("orc", "WT11.orc", "hope", shown=False), HandSet("orc", ("charm",)))
    assert is_offered(table, "orc", ReadScroll("charm", "WT12"))
    table.when("orc", ReadScroll("charm", "WT12", "orc.wizard.2")).refused("no_dragon", "QD-16.8")
    table.when("orc", ReadScroll("charm", "WT12"))
    assert table.state.armies["WT12"] == Army("orc", 2, 1)
    assert table.state.chips["orc.wizard.1"].on_dragonlord
    table.asks(orc="combat")


def test_the_owner_picks_the_unit_that_the_gods_take() -> None:
    """You lose one unit (QD-6.9); each owner chooses his (QD-10.8)."""
    table = visits("WT12", wizard("orc", "WT11.orc", "hope", shown=False), dragonorb=1)
    table.when("orc", ConsultGods())
    dice(table, "red")
    table.asks(orc="losses")
    table.when("orc", TakeLosses({"orc.wizard.1": 1}))
    assert "orc.wizard.1" not in table.state.spells
