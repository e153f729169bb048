"""Items (QD-8): what they are for, where they lie, and what becomes of them."""

import pytest

from core.games.dragonlords.armies import StoreTaken
from core.games.dragonlords.items import GOODS, ItemsMoved, sound_items
from core.games.dragonlords.land_combat import Attack, Fight
from core.games.dragonlords.position import ItemsSet, UnitsSet
from core.games.dragonlords.travelling import Travel
from core.games.dragonlords.wastelands import MoveParty, SendParty
from tests.games.dragonlords.expeditions import at_quest, card, dice, items_of, party
from tests.games.dragonlords.field import at_war, roll
from tests.games.dragonlords.land import opened, told


def test_the_six_items_have_their_prices_and_places() -> None:
    """Pickaxe and torch in the village, potion, elixir and orb in the den, talisman in the shrine (QD-8.2 to QD-8.6)."""
    assert {each.id: (each.cost, each.sold_at) for each in GOODS.values()} == {
        "pickaxe": (1, "village"),
        "torch": (1, "village"),
        "potion": (1, "witches_den"),
        "elixir": (2, "witches_den"),
        "talisman": (3, "shrine"),
        "dragonorb": (5, "witches_den"),
    }


def test_each_player_begins_with_pickaxe_and_torch_in_store() -> None:
    """Take pickaxe and torch (QD-3.1); stored, they wait for the first party (QD-8.1)."""
    table = opened("orc", "elf")
    assert items_of(table, "orc") == items_of(table, "elf") == {"pickaxe": 1, "torch": 1}


def test_items_stay_with_the_party_as_it_moves() -> None:
    """Items stay with the party (QD-8.1)."""
    table = at_quest(party("orc", "WT05", 3, torch=1, potion=2))
    table.when("orc", MoveParty("WT05"))
    dice(table, 4)
    table.when("orc", Travel("WT09"))
    assert items_of(table, "orc@WT09") == {"torch": 1, "potion": 2}
    assert "orc@WT05" not in table.state.items


def test_stored_items_serve_a_later_party() -> None:
    """They go to the kingdom store when the party leaves, for later parties (QD-8.1)."""
    table = at_quest(
        UnitsSet("orc", "OR_k", 2), UnitsSet("orc", "AL_s", 3), party("orc", "WT12", 2, pickaxe=1, elixir=1)
    )
    table.when("orc", MoveParty("WT12"))
    dice(table, 1)
    table.when("orc", Travel("SC_n"))
    assert items_of(table, "orc") == {"pickaxe": 1, "elixir": 1}
    table.when("orc", SendParty("AL_s", 2, items={"elixir": 1}))
    dice(table, 4)
    assert (items_of(table, "orc"), items_of(table, "orc@WB04")) == ({"pickaxe": 1}, {"elixir": 1})


def test_whoever_takes_the_last_kingdom_takes_the_store_but_not_what_parties_have() -> None:
    """Stored items belong to the player; whoever takes his last kingdom takes them (QD-H46, QD-8.1)."""
    table = at_war(
        UnitsSet("orc", "OR_n", 4), UnitsSet("elf", "OR_k", 1), UnitsSet("elf", "WT05", 1),
        ItemsSet("elf", {"torch": 1}), ItemsSet("elf", {"potion": 1}, "WT05"),
    )  # fmt: skip
    table.when("orc", Attack("OR_k", "OR_n", 3))
    table.when("orc", Fight())
    roll(table, 1, 2, 6)
    roll(table, 6)
    assert told(table, StoreTaken) == [StoreTaken("orc", "elf", because=("QD-H46",))]
    assert (items_of(table, "orc"), items_of(table, "elf@WT05")) == ({"torch": 1}, {"potion": 1})


def test_items_work_only_in_the_wastelands() -> None:
    """They may not be used outside of the Wastelands (QD-8.1): no Elixir is drunk in a battle on land."""
    table = at_war(
        UnitsSet("orc", "OR_n", 3), UnitsSet("elf", "OR_k", 2), ItemsSet("orc", {"elixir": 1, "potion": 1})
    )
    table.when("orc", Attack("OR_k", "OR_n", 2))
    table.when("orc", Fight())
    assert table.now.question is not None
    assert table.now.question.roll is not None


def test_items_lie_open_for_all_to_see() -> None:
    """Silver chips lie open, so everybody knows what a party has (QD-8.1, QD-6.10)."""
    table = at_quest(party("orc", "WT05", 3, torch=1))
    assert table.view("elf").state.items == {"orc@WT05": {"torch": 1}}


def test_items_are_kept_in_the_order_of_the_list_whatever_the_order_of_a_line() -> None:
    """Two readers of one log find the same offers in the same order (QD-8)."""
    moved = ItemsMoved("", "orc", {"torch": 1, "dragonorb": 1, "pickaxe": 2})
    state = at_quest(UnitsSet("orc", "FM_n", 3)).state
    assert list(moved.onto(state).items["orc"]) == ["pickaxe", "torch", "dragonorb"]


def test_nobody_gives_away_what_he_has_not() -> None:
    """Items are never fewer than none (QD-8)."""
    state = at_quest(UnitsSet("orc", "FM_n", 3), ItemsSet("orc", {"torch": 1})).state
    with pytest.raises(ValueError, match=r"orc has \{'torch': 1\}"):
        ItemsMoved("orc", "", {"torch": 2}).onto(state)
    assert list(sound_items(state)) == []


def test_a_found_item_is_told_with_its_holder() -> None:
    """An item that is gained joins the party's items (QD-6.10, QD-8.1)."""
    table = card("Q09", "ignored", items={"potion": 1})
    assert items_of(table, "orc@WT03") == {"potion": 2}
