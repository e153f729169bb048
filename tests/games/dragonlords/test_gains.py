"""What a party gains (QD-6.11): gold that goes to the kingdom at once, and treasures that are picked face down."""

from core.games.dragonlords.chips import ChipLost, ChipsPlaced
from core.games.dragonlords.gains import (
    GoldWon,
    NothingGained,
    PutTreasure,
    TreasurePicked,
    purse,
    treasures_left,
)
from core.games.dragonlords.income import GoldStored, StoreGold
from core.games.dragonlords.phases import EndPhase
from core.games.dragonlords.places import BuyItem
from core.games.dragonlords.position import (
    ChipSet,
    GoldSet,
    HoardSet,
    ItemsSet,
    TurnSet,
    UnitsSet,
)
from core.games.dragonlords.travelling import Travel
from core.games.dragonlords.treasures import TREASURES
from core.games.dragonlords.wastelands import MoveParty
from core.kit.chance import Deal
from core.kit.table import Correct
from core.seats import ARBITER, CHANCE
from tests.games.dragonlords.expeditions import (
    card,
    deal,
    dice,
    party,
    told,
)

HOME = (UnitsSet("orc", "OR_k", 3), GoldSet("OR_k", 10))
"""A kingdom with ten gold."""


def test_gain_brings_gold_to_the_kingdom_at_once() -> None:
    """`gain` gold: to the kingdom at once (QD-6.11)."""
    table = card("Q04", "blessed", *HOME)
    assert told(table, GoldWon, GoldStored) == [
        GoldWon("orc", 6, because=("QD-6.11",)),
        GoldStored("orc", "OR_k", 6, because=("QD-6.11",)),
    ]
    assert table.state.gold == {"OR_k": 16}


def test_gold_of_several_kingdoms_goes_where_its_owner_likes() -> None:
    """Gold may be split over several kingdoms you hold (QD-2.2, QD-6.11)."""
    table = card("Q04", "blessed", *HOME, UnitsSet("orc", "FM_k", 1))
    table.asks(orc="store_gold")
    assert table.ask("orc").silence == StoreGold({"FM_k": 6})
    table.when("orc", StoreGold({"FM_k": 7})).refused("wrong_sum", "QD-6.11")
    table.when("orc", StoreGold({"FM_k": 2, "OR_k": 4}))
    assert table.state.gold == {"FM_k": 2, "OR_k": 14}


def test_gold_without_a_kingdom_is_lost() -> None:
    """Gold with no kingdom to store it is lost (QD-H7)."""
    table = card("Q04", "blessed")
    assert NothingGained("orc", "WT03", "gold", because=("QD-6.11", "QD-H7")) in table.told
    assert table.state.gold == {}


def test_gold_won_on_a_quest_is_spent_from_the_next_turn_on() -> None:
    """It may be spent from the next turn's phase 1 (QD-6.11): not in a village the same turn."""
    table = card("Q04", "blessed", UnitsSet("orc", "OR_k", 3), GoldSet("OR_k", 1), party("orc", "WB02", 2))
    assert purse(table.state, "orc") == 1
    table.when("orc", MoveParty("WB02"))
    dice(table, 1)
    table.when("orc", Travel("WB01"))
    table.when("orc", BuyItem("torch", 2)).refused("too_little_gold", "QD-6.6")
    table.when("orc", BuyItem("torch")).asks(orc="combat")


def test_a_picked_treasure_goes_back_where_a_correction_takes_the_party_away() -> None:
    """Nobody is left to bear it (QD-H54)."""
    table = deal(card("Q02", "blessed", *HOME, items={"torch": 1, "pickaxe": 1}), "excalibur")
    table.when(
        ARBITER,
        Correct("they were never there", (UnitsSet("orc", "WT03", 0), ItemsSet("orc", {}, "WT03"))),
    )
    assert table.state.hoards == {"orc": 0}
    assert table.state.picked == ""
    table.asks(orc="combat")


def test_gold_won_counts_until_the_turn_is_over() -> None:
    """From the next turn's phase 1 it is gold like any other (QD-6.11)."""
    table = card("Q04", "blessed", *HOME)
    assert (table.state.won, purse(table.state, "orc")) == (6, 10)
    table.when(ARBITER, Correct("phase 7", (TurnSet("orc", "reinforce"),)))
    while table.state.active == "orc":
        ask = table.ask("orc")
        table.must("orc", ask.silence or EndPhase())
    assert table.state.won == 0
    assert purse(table.state, "orc") == 16


# treasures


def test_a_treasure_is_picked_face_down_and_its_owner_alone_knows_it() -> None:
    """A treasure is picked from the face-down chips and goes face down under a unit of the party (QD-6.11, QD-H42)."""
    table = card("Q02", "blessed", items={"torch": 1, "pickaxe": 1})
    assert table.now.question is not None
    assert table.now.question.draw is not None
    assert (table.now.question.draw.deck, table.now.question.draw.to) == ("treasures", "orc")
    deal(table, "excalibur")
    assert told(table, TreasurePicked) == [TreasurePicked("orc", "excalibur", because=("QD-6.11",))]
    assert told(table, ChipsPlaced)[0].places == {"excalibur": "WT03"}
    for reader in ("elf", "dwarf"):
        seen = table.view(reader).state
        assert "excalibur" not in seen.chips
        assert seen.hoards == {"orc": 1}
        assert "orc@WT03" in seen.shades
        assert b"excalibur" not in table.rules.codec.encode(table.seen(table.log[-1], reader))


def test_a_treasure_may_go_to_the_kingdom() -> None:
    """It goes face down under a unit of the party or of your kingdom (QD-6.11, QD-H23)."""
    table = deal(card("Q02", "blessed", *HOME, items={"torch": 1, "pickaxe": 1}), "excalibur")
    table.asks(orc="treasure")
    assert table.ask("orc").silence == PutTreasure("WT03")
    table.when("orc", PutTreasure("FM_k")).refused("no_place_for_treasure", "QD-H23")
    table.when("orc", PutTreasure("OR_k"))
    assert table.state.chips["excalibur"].place == "OR_k"
    assert "orc@OR_k" in table.view("elf").state.shades
    assert "orc@WT03" not in table.view("elf").state.shades


def test_each_treasure_is_there_once() -> None:
    """Twelve treasures, one each (QD-7): what lies somewhere is not drawn; with none left there is no gain (QD-H6)."""
    table = card(
        "Q02",
        "blessed",
        ChipSet("elf", "excalibur", "FM_k"),
        UnitsSet("elf", "FM_k", 2),
        items={"torch": 1, "pickaxe": 1},
    )
    assert treasures_left(table.state) == 11
    table.when(CHANCE, Deal("excalibur")).refused("no_such_card")
    deal(table, "trident")
    gone = card("Q02", "blessed", HoardSet("elf", 12), items={"torch": 1, "pickaxe": 1})
    assert NothingGained("orc", "WT03", "treasure", because=("QD-H6",)) in gone.told


def test_a_treasure_of_a_party_lost_to_a_card_goes_back_among_the_others() -> None:
    """Lost to a monster or a scroll with no unit left there: back among the face-down treasures (QD-H54)."""
    position = [
        UnitsSet("orc", "WT02", 1),
        ChipSet("orc", "excalibur", "WT02", True),
        ItemsSet("orc", {}, "WT02"),
    ]
    table = dice(card("Q10", "cursed", position), 1)
    assert told(table, ChipLost)[0].chip == "excalibur"
    assert table.state.hoards == {"orc": 0}
    assert treasures_left(table.state) == len(TREASURES)


def test_a_treasure_that_nobody_who_records_saw_is_counted_all_the_same() -> None:
    """Where cards are not seen, everybody still knows how many treasures a seat has (QD-6.11, QD-H42)."""
    table = deal(card("Q02", "blessed", items={"torch": 1, "pickaxe": 1}), "?")
    assert table.state.hoards == {"orc": 1}
    assert table.state.chips == {}
    assert "orc@WT03" in table.state.shades
