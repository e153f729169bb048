"""Quest cards (QD-6.10, QD-6.14): the deck, the columns, each kind of step, and what a party gains (QD-6.11)."""

from random import Random
from typing import Any

import pytest

from core.games.dragonlords.armies import DragonLordGained, UnitsLost, UnitsPlaced
from core.games.dragonlords.battle import BattleBegan, BattleEnded
from core.games.dragonlords.card_words import columns_of_cards, monsters
from core.games.dragonlords.chips import ChipLost
from core.games.dragonlords.deeds import Choose, Deed, MonsterPassed, PayFrom
from core.games.dragonlords.gains import (
    GoldWon,
    NothingGained,
    TreasureFound,
)
from core.games.dragonlords.items import ItemsMoved
from core.games.dragonlords.learning import SpellLearned, WizardJoined
from core.games.dragonlords.losses import TakeLosses
from core.games.dragonlords.monsters import MONSTERS
from core.games.dragonlords.position import (
    ChipSet,
    GoldSet,
    ReadSet,
    UnitsSet,
)
from core.games.dragonlords.purchase import GoldPaid
from core.games.dragonlords.quest_cards import (
    FateRead,
    QuestBarred,
    QuestCardRead,
    QuestDeckShuffled,
    ReadCard,
)
from core.games.dragonlords.quest_deck import CARDS, LISTS, OPS, Gain
from core.games.dragonlords.state import Army
from core.games.dragonlords.tolls import ShowGrail
from core.games.dragonlords.travelling import Travel
from core.games.dragonlords.treasures import TREASURES
from core.games.dragonlords.wastelands import MoveParty
from core.kit.chance import Deal
from core.kit.table import Correct
from core.seats import ARBITER, CHANCE
from events.chance import Hits
from tests.driver import Table, choices
from tests.games.dragonlords.expeditions import (
    at_quest,
    card,
    deal,
    dice,
    happened,
    items_of,
    party,
    rolled,
    told,
    wizard,
)
from tests.laws import test_deciding, test_folding, test_secrets

HOME = (UnitsSet("orc", "OR_k", 3), GoldSet("OR_k", 10))
"""A kingdom with ten gold."""


def comes(*position: Any, **items: int) -> Table:
    """Return a table at which a party of the Orcs has just come to a quest space."""
    table = at_quest(party("orc", "WT02", 3, **items), *position)
    table.when("orc", MoveParty("WT02"))
    dice(table, 1)
    return table.when("orc", Travel("WT03"))


# the deck


def test_the_player_on_the_right_draws_and_reads_the_card_out() -> None:
    """The player on your right draws and reads (QD-6.10): seats sit clockwise, so before the Orcs it is the Dwarves."""
    table = comes()
    question = table.now.question
    assert question is not None
    assert question.draw is not None
    assert (question.draw.deck, question.draw.to) == ("quest_cards", "dwarf")
    deal(table, "Q08")
    assert told(table, QuestCardRead) == [QuestCardRead("orc", "WT03", "dwarf", "Q08", because=("QD-6.10",))]
    assert told(table, FateRead) == []
    for seat in ("orc", "elf"):
        assert (
            QuestCardRead("orc", "WT03", "dwarf", "Q08", because=("QD-6.10",))
            in table.seen(table.log[-1], seat).facts
        ), "what is read out is public"


def test_the_crystal_die_picks_the_column() -> None:
    """Crystal die: yellow, blue, red are blessed, ignored, cursed, from left to right (QD-6.10, QD-1.5, QD-H4)."""
    for face, fate in (("yellow", "blessed"), ("blue", "ignored"), ("red", "cursed")):
        table = deal(comes(), "Q08")
        dice(table, face)
        assert told(table, FateRead) == [FateRead("orc", "WT03", "Q08", fate, because=("QD-6.10", "QD-H4"))]


@pytest.mark.parametrize("name", [name for name, each in CARDS.items() if each.requires_torch])
def test_a_card_that_needs_a_torch_is_put_aside_without_one(name: str) -> None:
    """If the card needs a torch and you have none it is put aside, and there is no second draw (QD-6.10, QD-8.2, QD-H5)."""
    table = deal(comes(pickaxe=1), name)
    assert told(table, QuestBarred) == [
        QuestBarred("orc", "WT03", name, because=("QD-6.10", "QD-8.2", "QD-H5"))
    ]
    table.asks(orc="combat")
    assert table.state.quest_discard == (name,)
    assert deal(comes(torch=1), name).now.question is not None
    assert told(table, FateRead) == []


def test_a_card_is_not_drawn_again_before_the_deck_is_empty() -> None:
    """A used quest card, and one put aside, goes to a discard pile (QD-H5)."""
    table = comes(ReadSet(("Q01", "Q08")))
    table.when(CHANCE, Deal("Q08")).refused("no_such_card")
    deal(table, "Q09")
    assert table.state.quest_discard == ("Q01", "Q08", "Q09")


def test_the_discard_pile_is_shuffled_when_the_deck_is_empty() -> None:
    """The pile is shuffled when the deck is empty (QD-H5): then any card may come."""
    table = comes(ReadSet(tuple(CARDS)))
    assert told(table, QuestDeckShuffled) == [QuestDeckShuffled(because=("QD-H5",))]
    deal(table, "Q08")
    assert table.state.quest_discard == ("Q08",)


def test_used_cards_come_back_in_their_order_where_they_go_under_the_deck() -> None:
    """The alternative of QD-H5: quest cards go under the deck, so that the first used comes first (QD-6.10)."""
    table = at_quest(
        party("orc", "WT02", 3),
        ReadSet(("Q08", *(name for name in CARDS if name != "Q08"))),
        H5="under_the_deck",
    )
    table.when("orc", MoveParty("WT02"))
    dice(table, 1)
    table.when("orc", Travel("WT03"))
    table.when(CHANCE, Deal("Q01")).refused("no_such_card")
    deal(table, "Q08")
    assert table.state.quest_discard[-1] == "Q08"
    assert len(table.state.quest_discard) == len(CARDS)


def test_the_reader_names_a_card_that_nobody_who_records_saw() -> None:
    """The card is read out, so whoever records can learn it from the reader (QD-6.10)."""
    table = deal(comes(ReadSet(("Q01",))), "?")
    table.asks(dwarf="read")
    table.when("dwarf", ReadCard("Q01")).refused("no_such_card", "QD-6.10", "QD-H5")
    table.when("dwarf", ReadCard("Q08"))
    assert told(table, QuestCardRead)[0].card == "Q08"
    assert table.now.question is not None
    assert table.now.question.roll is not None


# the sample card


def test_the_enchanted_wood_asks_the_crystal_again() -> None:
    """Roll the crystal again: blessed a DragonLord, ignored a wizard with 2 spells and a scroll, cursed a scroll (QD-6.14)."""
    table = dice(card("Q01", "blessed", *HOME), "yellow")
    assert told(table, DragonLordGained) == [DragonLordGained("orc", "WT03", because=("QD-14.5", "QD-X31"))]
    table = dice(card("Q01", "blessed", *HOME), "blue", 3, 3, 5)
    deal(table, "legion")
    assert table.state.spells == {"orc.wizard.1": ("teleport", "lightning")}
    assert table.state.held == {"orc": 1}
    table = deal(dice(card("Q01", "blessed", *HOME), "red"), "legion")
    assert (table.state.spells, table.state.held) == ({}, {"orc": 1})


@pytest.mark.parametrize("items", ({"torch": 1}, {"pickaxe": 1}))
def test_the_sentinel_rolls_for_each_unit_that_carries_fire_or_axe(items: dict[str, int]) -> None:
    """W15: sentinel card, torch or axe: D6 per unit, 1-4 lost, 5-6 safe; then a scroll (QD-6.14, QD-H33)."""
    table = card("Q01", "ignored", units=4, items=items)
    question = table.now.question
    assert question is not None
    assert question.roll is not None
    assert (question.roll.die, question.roll.count, question.roll.counts) == ("d6", 4, Hits((1, 2, 3, 4)))
    dice(table, 1, 4, 5, 6)
    assert [fact.count for fact in told(table, UnitsLost)] == [2]
    assert table.state.armies["WT03"] == Army("orc", 2)
    deal(table, "legion")
    assert table.state.held == {"orc": 1}


def test_without_fire_and_axe_the_party_passes_the_sentinel() -> None:
    """Without either you pass freely; then a scroll (QD-6.14)."""
    table = deal(card("Q01", "ignored", units=4), "legion")
    assert [roll.purpose for roll in rolled(table)] == ["move", "quest card"]
    assert table.state.armies["WT03"] == Army("orc", 4)


def test_who_is_lost_to_the_last_gains_no_reward() -> None:
    """The reward is given when at least one unit is left; a lost party loses its items (QD-6.10, QD-8.1)."""
    table = card("Q01", "ignored", units=2, items={"torch": 1})
    dice(table, 1, 2)
    assert "WT03" not in table.state.armies
    assert (table.state.items, table.state.held) == ({}, {})


# each kind of step


def test_gain_of_an_item_goes_to_the_party() -> None:
    """An item joins the party's items (QD-6.10, QD-8.1)."""
    happened_items = told(card("Q12", "ignored", items={"torch": 1}), ItemsMoved)
    assert happened_items == [ItemsMoved("", "orc@WT03", {"dragonorb": 1}, because=("QD-6.10", "QD-6.14"))]


def test_gain_of_a_wizard_rolls_for_each_of_his_spells() -> None:
    """A wizard with n spells: n rolls (QD-H43); Merlin brings three."""
    table = dice(card("Q10", "blessed"), 1, 1, 2, 2, 3)
    assert [type(fact) for fact in table.told if isinstance(fact, WizardJoined | SpellLearned)][
        -1
    ] is SpellLearned
    assert table.state.spells == {"orc.wizard.1": ("heal", "fireball", "teleport")}


def test_no_wizard_joins_where_every_unit_bears_one() -> None:
    """A unit carries one wizard chip at most; with no free unit there is no gain, and everybody sees why (QD-H43)."""
    position = [UnitsSet("orc", "WT02", 1), *wizard("orc", "WT02", "heal", shown=False)]
    table = card("Q10", "blessed", *position)
    assert told(table, WizardJoined) == []
    assert NothingGained("orc", "WT03", "wizard", because=("QD-H43",)) in table.told
    assert table.view("elf").state.chips["orc.wizard.1"].shown


def test_gain_of_a_spell_teaches_a_wizard_of_the_party() -> None:
    """A spell as QD-14.4 (QD-6.10)."""
    table = card("Q10", "cursed", units=3)
    dice(table, 1, 2, 3)
    assert [fact.count for fact in told(table, UnitsLost)] == [1]
    dice(table, 4)
    assert told(table, SpellLearned) == [SpellLearned("orc", "orc.wizard.1", "hope", because=("QD-14.4",))]


def test_monster_begins_a_fight_and_the_reward_waits_for_it() -> None:
    """`monster`: a quest fight; beat it to get what stands below the line (QD-6.10, QD-9.2)."""
    table = card("Q08", "cursed", *HOME)
    assert told(table, BattleBegan) == [
        BattleBegan("WT03", "harpy flock", "orc", "monster", because=("QD-9.2", "QD-9.3"))
    ]
    dice(table, 6, 6, 6)
    dice(table, 1, 2, 3, 6)
    assert told(table, BattleEnded)[0].winner == "orc"
    deal(table, "legion")
    assert table.state.gold == {"OR_k": 13}


def test_the_right_item_passes_a_monster_by() -> None:
    """Own the right item to get what stands below the line; the talisman protects against vampires (QD-6.10, QD-8.5)."""
    table = card("Q03", "cursed", items={"torch": 1, "talisman": 1})
    assert told(table, MonsterPassed) == [
        MonsterPassed("orc", "WT03", "vampire", "talisman", because=("QD-6.10", "QD-8.5"))
    ]
    deal(table, "excalibur")
    assert told(table, TreasureFound) != []
    assert told(card("Q03", "cursed", items={"torch": 1}), BattleBegan) != []


def test_per_unit_roll_is_milder_with_the_right_item() -> None:
    """Lost on 1-2, only on 1 with a pickaxe (QD-H33)."""
    table = card("Q07", "cursed", *HOME, items={"torch": 1})
    dice(table, 1, 2, 3, 4)
    assert table.state.armies["WT03"] == Army("orc", 2)
    table = card("Q07", "cursed", *HOME, items={"torch": 1, "pickaxe": 1})
    dice(table, 1, 2, 3, 4)
    assert table.state.armies["WT03"] == Army("orc", 3)
    assert table.state.gold == {"OR_k": 14}


def test_the_losses_of_a_roll_for_each_unit_are_counted_and_the_owner_picks_them() -> None:
    """The losses are counted and the owner picks the units (QD-H33)."""
    table = card("Q10", "cursed", [UnitsSet("orc", "WT02", 3), *wizard("orc", "WT02", "heal", shown=False)])
    dice(table, 1, 2, 3)
    table.asks(orc="losses")
    table.when("orc", TakeLosses({"orc.wizard.1": 1}))
    assert told(table, ChipLost)[0].chip == "orc.wizard.1"


def test_the_holy_grail_rolls_for_who_is_lost_to_a_card() -> None:
    """The Holy Grail rolls (QD-H33, QD-7.8); hidden, its owner is asked whether he turns it up (QD-H9)."""
    position = [UnitsSet("orc", "WT02", 4), ChipSet("orc", "holy_grail", "WT02")]
    table = card("Q10", "cursed", position)
    dice(table, 1, 1, 3, 4)
    table.asks(orc="grail")
    assert table.ask("orc").silence is not None
    assert not isinstance(table.ask("orc").silence, ShowGrail)
    table.when("orc", ShowGrail())
    dice(table, 2, 3)
    assert [fact.count for fact in told(table, UnitsLost)] == [1]
    shown = card("Q10", "cursed", [UnitsSet("orc", "WT02", 4), ChipSet("orc", "holy_grail", "WT02", True)])
    dice(shown, 1, 2, 3, 4)
    assert shown.now.question is not None
    assert shown.now.question.roll is not None
    assert shown.now.question.roll.purpose == "grail"


def test_the_grail_is_asked_for_whatever_treasure_lies_there() -> None:
    """Who is asked depends on what everybody knows (QD-H42): any treasure that may lie hidden may be the Grail (QD-7.8)."""
    position = [UnitsSet("orc", "WT02", 4), ChipSet("orc", "excalibur", "WT02")]
    table = dice(card("Q10", "cursed", position), 1, 2, 3, 4)
    table.asks(orc="grail")
    table.when("orc", ShowGrail()).refused("no_grail_there", "QD-7.8", "QD-H9")


def test_the_grail_does_not_save_from_a_card_where_it_saves_from_dice_of_battle_alone() -> None:
    """The alternative of QD-H18 keeps it to step 5 of a battle (QD-7.8)."""
    position = [UnitsSet("orc", "WT02", 4), ChipSet("orc", "holy_grail", "WT02", True)]
    table = dice(card("Q10", "cursed", position, H18="dice_only"), 1, 2, 3, 4)
    assert [fact.count for fact in told(table, UnitsLost)] == [1]


@pytest.mark.parametrize(("items", "treasure"), (({"torch": 1, "pickaxe": 1}, True), ({"torch": 1}, False)))
def test_requires_item_digs_up_a_treasure_with_the_pickaxe_alone(
    items: dict[str, int], treasure: bool
) -> None:
    """The pickaxe digs up a treasure (QD-8.2): then with it, else otherwise."""
    table = card("Q02", "blessed", *HOME, items=items)
    assert (table.now.question is not None and table.now.question.draw is not None) == treasure
    assert (told(table, GoldWon) == []) == treasure


def test_if_has_gives_one_thing_or_another() -> None:
    """The same as requires_item (QD-6.10): with a talisman a scroll and gold, else the talisman."""
    table = deal(card("Q03", "blessed", *HOME, items={"torch": 1, "talisman": 1}), "legion")
    assert (table.state.held, table.state.gold) == ({"orc": 1}, {"OR_k": 13})
    table = card("Q03", "blessed", *HOME, items={"torch": 1})
    assert items_of(table, "orc@WT03") == {"torch": 1, "talisman": 1}


def test_choice_offers_what_pays_only_where_the_gold_is_there() -> None:
    """An option that pays is offered only when the gold is there (QD-6.10, QD-6.11)."""
    table = card("Q04", "ignored", *HOME)
    table.asks(orc="choose")
    assert table.ask("orc").silence == Choose("pay")
    table.when("orc", Choose("dance")).refused("no_such_option", "QD-6.10", "QD-6.11")
    table.when("orc", Choose("pay"))
    assert table.state.gold == {"OR_k": 8}
    assert told(table, BattleBegan) == []
    just = card("Q04", "ignored", UnitsSet("orc", "OR_k", 3), GoldSet("OR_k", 2))
    just.when("orc", Choose("pay"))
    assert just.state.gold == {}, "two gold are enough for what costs two"
    poor = card("Q04", "ignored", UnitsSet("orc", "OR_k", 3), GoldSet("OR_k", 1))
    assert told(poor, BattleBegan)[0].attacker == "troll", "the only option is to fight"


def test_an_option_may_have_its_own_reward() -> None:
    """The owner of the party picks one option; beating the troll brings 8 gold (QD-6.10)."""
    table = card("Q04", "ignored", *HOME)
    table.when("orc", Choose("fight"))
    dice(table, 6, 1, 2, 8, 8)
    assert table.state.gold == {"OR_k": 18}


def test_pay_gold_is_paid_by_whichever_kingdom_its_owner_likes() -> None:
    """`pay_gold`: from any of the owner's kingdoms (QD-2.2)."""
    table = card("Q04", "ignored", *HOME, UnitsSet("orc", "FM_k", 1), GoldSet("FM_k", 1))
    table.when("orc", Choose("pay")).asks(orc="pay")
    assert table.ask("orc").silence == PayFrom("FM_k")
    table.when("orc", PayFrom("AL_k")).refused("not_your_kingdom", "QD-2.2")
    happened(table.when("orc", PayFrom("FM_k")), GoldPaid("orc", "FM_k", 1), GoldPaid("orc", "OR_k", 1))


def test_roll_does_the_list_of_the_range_it_falls_in() -> None:
    """One die, do the list of the range it falls in: the riddle is right on 4 to 6 (QD-6.10)."""
    table = dice(card("Q06", "ignored"), 3)
    assert table.state.held == {}
    table = deal(dice(card("Q06", "ignored"), 4), "legion")
    assert table.state.held == {"orc": 1}


def test_crystal_does_the_list_under_the_result_within_an_option() -> None:
    """In the Dead City the party may go on, and asks the crystal (QD-6.10)."""
    items = {"torch": 1}
    table = card("Q11", "ignored", *HOME, items=items)
    table.when("orc", Choose("leave"))
    assert table.state.gold == {"OR_k": 10}
    table = card("Q11", "ignored", *HOME, items=items).when("orc", Choose("go on"))
    dice(table, "blue")
    assert table.state.gold == {"OR_k": 12}
    table = card("Q11", "ignored", *HOME, items=items).when("orc", Choose("go on"))
    dice(table, "red")
    assert [fact.count for fact in told(table, UnitsLost)] == [1], "lose_units: the owner picks"


def test_add_units_joins_as_many_as_a_space_holds() -> None:
    """Units of the owner's race join in the place, within capacity (QD-6.1, QD-H12)."""
    table = card("Q09", "blessed", units=5)
    assert told(table, UnitsPlaced)[0].units == 1
    assert table.state.armies["WT03"] == Army("orc", 6)
    full = card("Q09", "blessed", units=6)
    assert NothingGained("orc", "WT03", "unit", because=("QD-6.1", "QD-H12")) in full.told
    assert items_of(full, "orc@WT03") == {"potion": 1}


def test_charm_dragon_wins_a_dragonlord_for_the_orb_when_blessed() -> None:
    """Crystal: blessed a DragonLord, the orb and the unit are spent; ignored again; cursed nothing (QD-8.6, QD-6.12)."""
    table = dice(card("Q05", "blessed", items={"dragonorb": 1}), "blue", "yellow")
    assert table.state.armies["WT03"] == Army("orc", 3, 1)
    assert table.state.items == {}
    table = dice(card("Q05", "blessed", items={"dragonorb": 1}), "red")
    assert table.state.armies["WT03"] == Army("orc", 4)
    assert items_of(table, "orc@WT03") == {"dragonorb": 1}
    assert items_of(card("Q05", "blessed"), "orc@WT03") == {"dragonorb": 1}, "who has none finds one"


def test_a_hatchling_is_not_charmed_when_no_dragonlord_is_left() -> None:
    """No DragonLord left in the supply: no gain (QD-H6), and the orb is kept."""
    table = card("Q05", "blessed", UnitsSet("elf", "FM_k", 1, 4), items={"dragonorb": 1})
    assert NothingGained("orc", "WT03", "dragonlord", because=("QD-H6",)) in table.told
    assert items_of(table, "orc@WT03") == {"dragonorb": 1}
    last = card("Q05", "blessed", UnitsSet("elf", "FM_k", 1, 3), items={"dragonorb": 1})
    assert dice(last, "yellow").state.armies["WT03"] == Army("orc", 3, 1), "the fourth one is still to be had"


# every column


@pytest.mark.parametrize("fate", ("blessed", "ignored", "cursed"))
@pytest.mark.parametrize("name", tuple(CARDS))
def test_every_column_of_every_card_is_played_to_its_end(name: str, fate: str) -> None:
    """Twelve cards of three columns each (QD-6.10): whatever falls and is chosen, the quest ends and every law holds."""
    for seed in range(6):
        random = Random(seed)
        items = {
            item: 1
            for item in ("pickaxe", "potion", "elixir", "talisman", "dragonorb")
            if random.random() < 0.5
        }
        units = random.randint(1, 6)
        position = [UnitsSet("orc", "WT02", units), *HOME]
        if units > 1:
            position += wizard(
                "orc",
                "WT02",
                *random.sample(("heal", "fireball", "lightning", "panic"), 2),
                shown=seed % 2 == 0,
            )
            position.append(ChipSet("orc", random.choice(list(TREASURES)), "WT02", random.random() < 0.5))
        table = card(name, fate, *position, items={**items, "torch": 1})
        while (question := table.now.question) is not None and question.kind not in ("combat", "quest"):
            choice = choices(table.now, random.randrange)
            assert choice is not None
            table.must(choice.seat, choice.command)
        assert table.state.battle is None
        assert not any(isinstance(opened.step, Deed) for opened in table.state.agenda)
        table.leave()
        for law in (
            test_deciding.law_offered, test_deciding.law_silence, test_folding.law_fold, test_folding.law_sound,
            test_secrets.law_view_asks,
        ):  # fmt: skip
            law(table)


def test_every_step_of_a_card_has_its_path_in_the_deck() -> None:
    """A path names a step, so a log says which it was for good (QD-6.14)."""
    assert {path.split(".")[0] for path in LISTS} == {*CARDS, "lair"}
    assert type(OPS["Q01.cursed.steps.0"]).__name__ == "Meeting"
    assert type(OPS["Q04.ignored.steps.0.fight.0"]).__name__ == "Meeting"
    reward = OPS["Q04.ignored.steps.0.fight.reward.0"]
    assert isinstance(reward, Gain)
    assert reward.n == 8


def test_a_quest_ends_where_a_correction_takes_the_party_away() -> None:
    """What the arbiter sets right holds amid a card too (QD-6.10)."""
    table = card("Q01", "blessed")
    table.when(
        ARBITER, Correct("they were never there", (UnitsSet("orc", "WT03", 0), UnitsSet("orc", "OR_k", 4)))
    )
    table.asks(orc="combat")
    table.leave()


def test_every_card_and_monster_can_be_read_out() -> None:
    """QD-6.10, QD-9.2: three columns a card, each with what follows; of a monster how it hits and what beats it."""
    columns = list(columns_of_cards())
    assert [(row[0], row[2]) for row in columns] == [
        (card, fate) for card in CARDS for fate in ("blessed", "ignored", "cursed")
    ]
    said = {(row[0], row[2]): row[4] for row in columns}
    assert (
        said["Q01", "ignored"]
        == "with a torch or a pickaxe a D6 for each unit, 1 to 4 loses it; then a scroll"
    )
    assert said["Q04", "ignored"] == "pay: pay 2 gold or fight: the troll attacks; then 8 gold"
    assert said["Q05", "blessed"].startswith("with a dragonorb crystal die: blessed a DragonLord for the orb")
    assert {row[1] for row in columns if row[0] == "Q11"} == {"The Dead City (needs a torch)"}
    told = {row[0]: row[1:] for row in monsters()}
    assert set(told) == set(MONSTERS)
    assert told["vampire"][:4] == ("D6, 5 or less", "D8, T.A.S. or less", "1", "1")
    assert told["vampire"][-1] == "a talisman"
    assert told["red dragon"][-2:] == ("lost at once", "a dragonorb may charm it")
