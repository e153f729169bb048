"""The fight of a party against a monster (QD-9.2 to QD-9.4): its dice, webs and poison, the Elixir, magic, dragons."""

import pytest

from core.games.dragonlords.armies import DragonLordGained, UnitsLost
from core.games.dragonlords.battle import BattleEnded, RoundBegan
from core.games.dragonlords.chips import ChipLost
from core.games.dragonlords.elixir import Drink, ElixirDrunk, HitsSpared
from core.games.dragonlords.items import ItemsMoved
from core.games.dragonlords.losses import TakeLosses
from core.games.dragonlords.monsters import MONSTERS
from core.games.dragonlords.phases import Pass
from core.games.dragonlords.position import (
    ChipSet,
    HandSet,
    MonsterSet,
    TurnSet,
    UnitsSet,
)
from core.games.dragonlords.quest_combat import (
    Cure,
    MonsterHurt,
    Throw,
    UnitsCured,
    UnitsPoisoned,
    UseOrb,
)
from core.games.dragonlords.scrolls import ReadScroll
from core.games.dragonlords.spell_users import Declare
from core.games.dragonlords.state import RACES, Army
from core.kit.table import Correct
from core.seats import ARBITER
from events.chance import Hits, Roll
from tests.driver import Table
from tests.games.dragonlords.expeditions import (
    at_quest,
    card,
    dice,
    fights,
    happened,
    items_of,
    party,
    told,
    wizard,
)
from tests.games.dragonlords.land import is_offered

GREEN = party("orc", "WT03", 4)
"""Four Orcs on a quest space."""


def due(table: Table) -> Roll:
    """Return the dice that are asked for."""
    question = table.now.question
    assert question is not None
    assert question.roll is not None, f"{question.kind} is asked"
    return question.roll


# the dice


def test_a_dwarf_hits_the_giant_spider_with_a_ten_sided_die() -> None:
    """W6: Dwarf (3) against giant spider 5/10: he hits on D10 <= 3, the spider on D6 <= 5 (QD-9.2, QD-X1)."""
    table = fights("giant spider", party("dwarf", "WT03", 1), seats=("dwarf", "orc", "elf"))
    spider = due(table)
    assert (spider.die, spider.count, spider.counts) == ("d6", 1, Hits((1, 2, 3, 4, 5)))
    dice(table, 6)
    dwarf = due(table)
    assert (dwarf.die, dwarf.count, dwarf.counts) == ("d10", 1, Hits((1, 2, 3)))
    dice(table, 3)
    assert told(table, BattleEnded)[0].winner == "dwarf"
    missed = fights("giant spider", party("dwarf", "WT03", 1), seats=("dwarf", "orc", "elf"))
    dice(missed, 6, 4)
    assert told(missed, RoundBegan) == [RoundBegan(2, because=("QD-9.2", "QD-10.9"))]


@pytest.mark.parametrize("name", tuple(MONSTERS))
def test_the_party_s_die_is_the_monster_s_defence(name: str) -> None:
    """The die is the target's defence, and the monster's D6 shows its attack or less (QD-9.2)."""
    monster = MONSTERS[name]
    table = fights(name, UnitsSet("orc", "WT03", 6))
    assert due(table).counts == Hits(tuple(range(1, monster.attack + 1)))
    assert due(table).count == monster.attacks_per_round
    dice(table, *[6] * monster.attacks_per_round)
    answer = due(table)
    assert answer.die == f"d{monster.defence}"
    strength = RACES["orc"]
    assert answer.counts == Hits(tuple(range(1, min(strength, monster.defence) + 1)))
    assert answer.count == (5 if monster.attack == 6 else 6), "an attack of six hits with every face"


def test_the_player_on_the_right_rolls_for_the_monster() -> None:
    """The monster's player, who reads the card, hits with a D6; in the lair too (QD-9.2, QD-H37)."""
    table = fights("troll", GREEN)
    assert (due(table).owner, due(table).thrower, due(table).purpose) == ("troll", "dwarf", "monster")


def test_a_monster_rolls_one_die_and_falls_to_one_hit_unless_its_card_says_more() -> None:
    """One D6 per round and one hit (QD-H2, QD-9.4); harpies roll three and stand three."""
    assert (MONSTERS["red dragon"].attacks_per_round, MONSTERS["red dragon"].hits_to_defeat) == (1, 1)
    table = fights("harpy flock", GREEN)
    assert due(table).count == 3
    dice(table, 6, 6, 6, 1, 1, 6, 6)
    assert told(table, BattleEnded) == []
    assert table.state.battle.hurt == 2
    dice(table, 6, 6, 6, 1, 6, 6, 6)
    assert told(table, BattleEnded)[0].winner == "orc"


def test_a_monster_rolls_a_die_for_each_unit_where_the_table_plays_it_so() -> None:
    """The alternative of QD-H2: one D6 per round for each unit of the party (QD-9.4)."""
    assert due(fights("troll", GREEN, H2="die_per_unit")).count == 4


def test_the_monster_strikes_first_and_who_is_hit_still_strikes_back() -> None:
    """The monster acts first, the party answers (QD-9.3); units that are killed still roll this round (QD-9.2)."""
    table = fights("troll", GREEN)
    dice(table, 1)
    assert due(table).count == 4
    dice(table, 8, 8, 8, 8)
    assert [fact.count for fact in told(table, UnitsLost)] == [1]
    assert due(table).purpose == "monster"
    dice(table, 6)
    assert due(table).count == 3


def test_dragonfire_removes_a_unit_before_it_can_answer() -> None:
    """Dragonfire: the unit is removed at once and does not roll (QD-6.9, QD-10.5)."""
    table = fights("red dragon", GREEN)
    dice(table, 4)
    assert [fact.count for fact in told(table, UnitsLost)] == [1]
    assert (due(table).die, due(table).count) == ("d12", 3)


def test_the_owner_picks_who_is_hit() -> None:
    """Each owner chooses his units (QD-10.8, QD-9.2)."""
    table = fights("red dragon", GREEN, wizard("orc", "WT03", "heal", shown=False))
    dice(table, 4)
    table.asks(orc="losses")
    table.when("orc", TakeLosses({"orc.wizard.1": 1}))
    assert told(table, ChipLost)[0].chip == "orc.wizard.1"


def test_a_lost_party_leaves_nothing_to_the_monster() -> None:
    """Items are gone if a monster beat the party, treasures go back (QD-8.1, QD-H54); its quest is over."""
    table = fights("troll", party("orc", "WT03", 1, torch=1), ChipSet("orc", "excalibur", "WT03", True))
    dice(table, 1, 8)
    happened_facts = told(table, UnitsLost, ChipLost, ItemsMoved, BattleEnded)
    assert [type(fact).__name__ for fact in happened_facts] == [
        "UnitsLost",
        "ChipLost",
        "ItemsMoved",
        "BattleEnded",
    ]
    assert happened_facts[-1].winner == "troll"
    assert table.state.items == {}
    assert table.state.hoards == {"orc": 0}


def test_the_last_unit_may_take_the_monster_with_it_and_gains_nothing() -> None:
    """The reward is given when at least one unit is left (QD-6.10): both are gone."""
    table = fights("stone golem", UnitsSet("orc", "WT03", 1), UnitsSet("orc", "OR_k", 2))
    dice(table, 1, 1)
    assert told(table, BattleEnded)[0].winner == ""
    assert table.state.gold == {}


# webs and poison


def test_a_webbed_unit_strikes_no_more_and_is_lost_after_the_fight() -> None:
    """A webbed or poisoned unit does not counter-attack; after the fight it is removed unless cured (QD-9.3)."""
    table = fights("giant spider", GREEN)
    dice(table, 5)
    assert told(table, UnitsPoisoned) == [UnitsPoisoned("orc", "WT03", 1, because=("QD-9.3",))]
    assert told(table, UnitsLost) == []
    assert due(table).count == 3
    dice(table, 1, 10, 10)
    assert [fact.count for fact in told(table, UnitsLost)] == [1]
    assert table.state.armies["WT03"] == Army("orc", 3)
    assert told(table, BattleEnded)[0].winner == "orc"


def test_a_potion_cures_after_the_fight_once() -> None:
    """A potion, used once, cures the poisoned units after a quest fight (QD-8.3, QD-9.3)."""
    table = fights("giant spider", party("orc", "WT03", 4, potion=2))
    dice(table, 1, 10, 10, 10, 2, 1, 10)
    table.asks(orc="cure")
    assert table.ask("orc").silence == Cure("potion")
    table.when("orc", Cure("orc.wizard.1")).refused("no_cure", "QD-8.3")
    happened(
        table.when("orc", Cure("potion")),
        ItemsMoved("orc@WT03", "", {"potion": 1}),
        UnitsCured("orc", "WT03", 2),
        BattleEnded("WT03", "orc", rounds=2),
    )
    assert table.state.armies["WT03"] == Army("orc", 4)


def test_a_wizard_with_heal_whom_everybody_sees_cures_by_himself() -> None:
    """A Heal spell cures (QD-9.3, QD-15.1); it costs nothing, so nobody is asked."""
    table = fights("giant spider", GREEN, wizard("orc", "WT03", "heal"))
    dice(table, 1, 1, 10, 10)
    assert told(table, UnitsCured) == [UnitsCured("orc", "WT03", 1, because=("QD-15.1", "QD-9.3", "QD-H32"))]
    assert told(table, UnitsLost) == []


def test_a_hidden_wizard_with_heal_is_shown_to_cure() -> None:
    """The owner reveals a wizard to use him (QD-H9, QD-15.1)."""
    table = fights("giant spider", GREEN, wizard("orc", "WT03", "heal", shown=False))
    dice(table, 1, 1, 10, 10)
    assert table.ask("orc").silence == Pass()
    assert is_offered(table, "orc", Cure("orc.wizard.1"))
    table.when("orc", Cure("orc.wizard.1"))
    assert table.view("elf").state.chips["orc.wizard.1"].shown
    assert table.state.armies["WT03"] == Army("orc", 4)


def test_who_does_not_cure_loses_the_poisoned() -> None:
    """Unless a potion or a Heal spell cures it a poisoned unit is removed (QD-9.3)."""
    table = fights("giant spider", party("orc", "WT03", 4, potion=1))
    dice(table, 1, 1, 10, 10)
    table.when("orc", Pass())
    assert [fact.count for fact in told(table, UnitsLost)] == [1]
    assert items_of(table, "orc@WT03") == {"potion": 1}


def test_where_all_are_poisoned_the_fight_is_lost() -> None:
    """If every unit left is webbed or poisoned the fight is lost, and without a cure the party is gone (QD-H32)."""
    table = fights("giant spider", party("orc", "WT03", 2, torch=1))
    dice(table, 1, 10, 1)
    assert told(table, BattleEnded)[0].winner == "giant spider"
    assert "WT03" not in table.state.armies
    assert table.state.items == {}


def test_a_cure_saves_a_poisoned_party_without_the_reward() -> None:
    """A potion or a Heal wizard saves the units, without the reward (QD-H32)."""
    table = card("Q01", "cursed", UnitsSet("orc", "OR_k", 2), units=1, items={"potion": 1})
    dice(table, 1)
    table.when("orc", Cure("potion"))
    assert table.state.armies["WT03"] == Army("orc", 1)
    assert told(table, BattleEnded)[0].winner == "giant spider"
    assert (table.state.gold, table.state.items) == ({}, {})
    table.asks(orc="combat")


# the Elixir


def test_the_drinker_of_an_elixir_takes_all_hits_of_the_round_and_is_not_lost() -> None:
    """One unit drinks and takes all hits of the party for one round; it is named before the roll (QD-8.4, QD-X84, QD-H15)."""
    table = fights("harpy flock", party("orc", "WT03", 4, elixir=1))
    table.asks(orc="drink")
    assert table.ask("orc").silence == Pass()
    happened(
        table.when("orc", Drink()), ItemsMoved("orc@WT03", "", {"elixir": 1}), ElixirDrunk("orc", "WT03")
    )
    dice(table, 1, 2, 3)
    assert told(table, HitsSpared) == [HitsSpared("orc", "WT03", because=("QD-8.4", "QD-X84"))]
    assert due(table).count == 4, "it still rolls"
    dice(table, 6, 6, 6, 6, 1, 6, 6, 6, 6, 6, 6)
    assert table.state.armies["WT03"] == Army("orc", 3), "an Elixir works for one round"


def test_only_the_drinker_is_lost_where_the_table_plays_it_so() -> None:
    """The alternative of QD-X84: the drinker takes all hits and is the only unit lost (QD-8.4)."""
    table = fights("harpy flock", party("orc", "WT03", 4, elixir=1), X84="only_drinker_lost")
    table.when("orc", Drink())
    dice(table, 1, 2, 3, 6, 6, 6, 6)
    assert [fact.count for fact in told(table, UnitsLost)] == [1]


def test_the_elixir_may_be_drunk_after_the_roll_where_the_table_plays_it_so() -> None:
    """The alternative of QD-H15: after the monster's roll, before losses are removed (QD-8.4)."""
    table = fights("troll", party("orc", "WT03", 4, elixir=1), H15="after_the_roll")
    dice(table, 6)
    assert due(table).purpose == "counter-attack", "it did not hit, so nobody drinks"
    table = fights("red dragon", party("orc", "WT03", 4, elixir=1), H15="after_the_roll")
    dice(table, 6)
    table.asks(orc="drink")
    table.when("orc", Drink())
    assert told(table, UnitsLost) == []
    assert due(table).count == 4


# magic


def test_hope_panic_and_treasures_work_in_a_quest_fight() -> None:
    """The party's T.A.S. goes up, the monster's attack goes down (QD-H31, QD-10.4, QD-7.1)."""
    table = fights(
        "troll", GREEN, wizard("orc", "WT03", "hope", "panic"), ChipSet("orc", "ring_of_power", "WT03", True)
    )
    table.when("orc", Declare())
    assert due(table).counts == Hits((1, 2)), "4, less Panic and the ring"
    dice(table, 6)
    assert due(table).counts == Hits((1, 2, 3, 4, 5)), "3, and Hope and the ring"


def test_the_attack_of_a_monster_is_one_at_least() -> None:
    """To 1 at least (QD-H31)."""
    enemies = [
        ChipSet("orc", name, "WT03", True)
        for name in ("ring_of_power", "ring_of_peril", "black_battle_axe", "medusa_shield")
    ]
    table = fights("barrow dead", party("orc", "WT03", 6), *enemies)
    assert due(table).counts == Hits((1,))


def test_a_treasure_turned_up_works_from_this_round_on() -> None:
    """Treasures are secret until used (QD-H42), and are declared at the beginning of a round (QD-H29)."""
    table = fights("troll", GREEN, ChipSet("orc", "excalibur", "WT03"))
    table.when("orc", Declare(("excalibur",)))
    dice(table, 6)
    assert due(table).counts == Hits((1, 2, 3, 4))


def test_a_fireball_is_a_hit_in_place_of_the_wizard_s_die() -> None:
    """Fireball works on monsters (QD-15.2), and replaces the wizard's die (QD-X61)."""
    table = fights("troll", GREEN, wizard("orc", "WT03", "fireball"))
    dice(table, 6)
    table.asks(orc="throw")
    table.when("orc", Throw("lightning")).refused("no_caster", "QD-14.1", "QD-9.3")
    table.when("orc", Throw("fireball"))
    assert told(table, MonsterHurt)[0].count == 1
    assert due(table).count == 3
    dice(table, 8, 8, 8, 6)
    table.when("orc", Throw("fireball"))
    assert told(table, BattleEnded)[0].winner == "orc", "the troll stands two hits"


def test_a_fireball_does_nothing_to_a_dragon_and_lightning_does() -> None:
    """Fireball: not on dragons; lightning works on all monsters and on dragons (QD-15.2, QD-15.5)."""
    table = fights("red dragon", GREEN, wizard("orc", "WT03", "fireball", "lightning"))
    table.when("orc", Throw("fireball")).refused("dragons_fear_no_fire", "QD-15.2")
    dice(table, 6)
    table.when("orc", TakeLosses({"unit": 1}))
    table.when("orc", Throw("fireball")).refused("dragons_fear_no_fire", "QD-15.2")
    assert not is_offered(table, "orc", Throw("fireball"))
    table.when("orc", Throw("lightning", "orc.wizard.1"))
    assert told(table, BattleEnded)[0].winner == "orc"


def test_who_knows_a_fireball_alone_is_asked_nothing_about_a_dragon() -> None:
    """What harms nobody is not thrown (QD-15.2)."""
    table = fights("red dragon", GREEN, wizard("orc", "WT03", "fireball"))
    dice(table, 6)
    table.when("orc", TakeLosses({"unit": 1}))
    assert due(table).die == "d12"


def test_no_poisoned_wizard_throws() -> None:
    """A webbed unit does not counter-attack (QD-9.3); where none is left that strikes, no wizard throws either."""
    table = fights("giant spider", UnitsSet("orc", "WT03", 1), wizard("orc", "WT03", "fireball"))
    dice(table, 1)
    assert told(table, BattleEnded)[0].winner == "giant spider"


def test_the_ring_of_fire_and_the_trident_attack_besides_the_die() -> None:
    """The bearer makes a second attack (QD-7.4, QD-7.9, QD-X86)."""
    table = fights(
        "harpy flock", GREEN, ChipSet("orc", "ring_of_fire", "WT03"), ChipSet("orc", "trident", "WT03")
    )
    table.when("orc", Declare())
    dice(table, 6, 6, 6)
    table.when("orc", Throw("fireball", "ring_of_fire"))
    table.when("orc", Throw("lightning"))
    assert table.state.battle.hurt == 2
    assert due(table).count == 4


@pytest.mark.parametrize("shield", ("dragon_shield", "ring_of_fire"))
def test_a_shield_makes_a_party_immune_to_dragonfire(shield: str) -> None:
    """Friends are immune to dragonfire (QD-7.4, QD-7.7): the dragon does not even roll."""
    table = fights("red dragon", GREEN, ChipSet("orc", shield, "WT03", True))
    if table.asked().get("orc") == ["throw"]:
        table.when("orc", Pass())
    assert due(table).die == "d12"


def test_the_holy_grail_saves_from_a_monster() -> None:
    """Each lost unit rolls D6, 1-2 saves it (QD-7.8)."""
    table = fights("troll", GREEN, ChipSet("orc", "holy_grail", "WT03", True))
    dice(table, 1, 8, 8, 8, 8)
    assert due(table).purpose == "grail"
    dice(table, 2)
    assert table.state.armies["WT03"] == Army("orc", 4)


def test_the_holy_grail_saves_from_dragonfire_unless_the_table_keeps_it_to_dice() -> None:
    """Holy Grail also rolls for magic losses (QD-H18, QD-7.8); the alternative is dice only."""
    grail = ChipSet("orc", "holy_grail", "WT03", True)
    table = dice(fights("red dragon", GREEN, grail), 1)
    assert due(table).purpose == "grail"
    table = dice(fights("red dragon", GREEN, grail, H18="dice_only"), 1)
    assert due(table).die == "d12"
    table = dice(fights("troll", GREEN, grail, H18="dice_only"), 1, 8, 8, 8, 8)
    assert due(table).purpose == "grail", "a monster's dice are dice"


# dragons


def test_an_orb_may_charm_a_dragon_in_place_of_the_counter_attack() -> None:
    """Roll the crystal in place of the counter-attack: blessed a DragonLord, for a unit and the orb (QD-8.6, QD-6.12)."""
    table = fights("crag dragon", party("orc", "WT03", 4, dragonorb=1))
    dice(table, 6)
    table.asks(orc="orb")
    assert table.ask("orc").silence == Pass()
    table.when("orc", UseOrb())
    dice(table, "yellow")
    assert told(table, DragonLordGained) == [DragonLordGained("orc", "WT03", because=("QD-14.5", "QD-X31"))]
    assert table.state.armies["WT03"] == Army("orc", 2, 1)
    assert (table.state.items, table.state.battle) == ({}, None)


def test_an_ignored_orb_is_rolled_again_and_a_cursed_one_lets_the_dragon_attack_again() -> None:
    """Ignored: roll again; cursed: the dragon attacks again, and a surviving unit may try again (QD-8.6)."""
    table = fights("crag dragon", party("orc", "WT03", 4, dragonorb=1))
    dice(table, 6)
    table.when("orc", UseOrb())
    dice(table, "blue", "red")
    assert due(table).owner == "crag dragon"
    dice(table, 6)
    assert table.state.armies["WT03"] == Army("orc", 2)
    table.when("orc", UseOrb())
    dice(table, "yellow")
    assert table.state.armies["WT03"] == Army("orc", 1, 1)


def test_who_charms_the_dragon_gains_the_dragonlord_and_not_what_stands_below_the_line() -> None:
    """What stands below the line is for who beats the monster or owns the item that keeps it off (QD-6.10, QD-8.6)."""
    table = card("Q05", "cursed", UnitsSet("orc", "OR_k", 2), units=4, items={"dragonorb": 1})
    dice(table, 6)
    table.when("orc", UseOrb())
    dice(table, "yellow")
    assert table.state.armies["WT03"] == Army("orc", 2, 1)
    assert (table.state.gold, table.state.hoards) == ({}, {})
    table.asks(orc="combat")


def test_a_single_unit_that_is_left_may_try_the_orb() -> None:
    """A surviving unit may try again (QD-8.6): one is enough, for it becomes the DragonLord (QD-X31)."""
    table = dice(fights("crag dragon", party("orc", "WT03", 2, dragonorb=1)), 6).asks(orc="orb")
    table.when("orc", UseOrb())
    dice(table, "yellow")
    assert table.state.armies["WT03"] == Army("orc", 0, 1)


def test_charm_is_not_offered_when_no_dragonlord_is_left() -> None:
    """All four are on the board, so there is no gain (QD-16.8, QD-H6)."""
    here = (wizard("orc", "WT03", "heal"), HandSet("orc", ("charm",)))
    table = fights("white dragon", GREEN, *here, UnitsSet("elf", "FM_k", 1, 4))
    table.when("orc", ReadScroll("charm", "WT03")).refused("no_dragonlord_left", "QD-16.8")
    assert not is_offered(table, "orc", ReadScroll("charm", "WT03"))
    assert is_offered(
        fights("white dragon", GREEN, *here, UnitsSet("elf", "FM_k", 1, 3)),
        "orc",
        ReadScroll("charm", "WT03"),
    )


def test_an_orb_charms_no_spider() -> None:
    """The orb charms dragons (QD-8.6)."""
    table = fights("giant spider", party("orc", "WT03", 4, dragonorb=1))
    dice(table, 6)
    assert due(table).die == "d10"


def test_charm_is_read_in_a_fight_with_a_dragon() -> None:
    """A wizard who meets a dragon on a quest gains a DragonLord, in the fight too (QD-16.8, QD-H37)."""
    table = fights(
        "white dragon", GREEN, wizard("orc", "WT03", "heal", shown=False), HandSet("orc", ("charm",))
    )
    assert is_offered(table, "orc", ReadScroll("charm", "WT03", "orc.wizard.1"))
    table.when("orc", ReadScroll("charm", "WT03"))
    assert table.state.armies["WT03"] == Army("orc", 3, 1)
    assert table.state.chips["orc.wizard.1"].on_dragonlord
    assert table.state.battle is None
    other = fights("troll", GREEN, wizard("orc", "WT03", "heal", shown=False), HandSet("orc", ("charm",)))
    other.when("orc", ReadScroll("charm", "WT03")).refused("no_dragon", "QD-16.8", "QD-H37")


def test_a_legion_comes_to_the_aid_of_a_party_amid_a_fight() -> None:
    """In battle a fitting scroll may be read whose reader is there (QD-H49, QD-16.7); six fit in a space (QD-H12)."""
    table = fights("troll", GREEN, wizard("orc", "WT03", "heal"), HandSet("orc", ("legion",)))
    table.when("orc", ReadScroll("legion", "WT03", units=3)).refused("no_room_for_legion", "QD-16.7")
    table.when("orc", ReadScroll("legion", "WT03", units=2))
    assert table.state.armies["WT03"] == Army("orc", 6)


# positions and corrections


def test_a_monster_set_up_without_its_party_is_no_position() -> None:
    """A monster is fought by the party in its place (QD-9.2)."""
    with pytest.raises(AssertionError, match=r"monster: nothing is called 'WT03'"):
        at_quest(UnitsSet("orc", "FM_n", 3), MonsterSet("WT03", "troll"))


@pytest.mark.parametrize("place", ("FM_n", "WT05"))
def test_a_monster_meets_the_party_of_whose_turn_it_is(place: str) -> None:
    """A quest fight is fought in the Wastelands, in phase 3 of its owner's turn (QD-9.2)."""
    with pytest.raises(AssertionError, match="it meets a party in phase 3 of its turn alone"):
        at_quest(UnitsSet("orc", "FM_n", 3), UnitsSet("elf", "WT05", 3), MonsterSet(place, "troll"))


def test_a_fight_ends_where_a_correction_moves_the_turn_on() -> None:
    """What the arbiter sets right holds amid a fight too (QD-9.2)."""
    table = fights("troll", GREEN)
    table.when(ARBITER, Correct("phase 3 was over", (TurnSet("orc", "combat"),)))
    assert table.state.battle is None
    table.asks(orc="combat")
    table.leave()


def test_a_fight_is_lost_where_a_correction_takes_the_party_away() -> None:
    """Without a party nobody fights (QD-9.2)."""
    table = fights("troll", GREEN, UnitsSet("orc", "OR_k", 1))
    table.when(ARBITER, Correct("they were never there", (UnitsSet("orc", "WT03", 0),)))
    assert table.state.battle is None
    table.leave()


def test_a_fight_may_be_set_up_in_the_middle() -> None:
    """A position says how hurt the monster is and how many are poisoned (QD-9.2, QD-9.3)."""
    table = at_quest(party("orc", "WT03", 4), MonsterSet("WT03", "giant spider", poisoned=2, round=3))
    dice(table, 6)
    assert due(table).count == 2
    table = at_quest(party("orc", "WT03", 4), MonsterSet("WT03", "harpy flock", hurt=2))
    dice(table, 6, 6, 6, 1, 6, 6, 6)
    assert told(table, BattleEnded)[0].winner == "orc"


def test_no_card_is_owed_for_a_fight_of_a_position() -> None:
    """The fight is judged for itself (QD-9.2): no reward follows."""
    table = dice(fights("troll", GREEN, UnitsSet("orc", "OR_k", 2)), 6, 1, 2, 8, 8)
    assert told(table, BattleEnded)[0].winner == "orc"
    assert table.state.gold == {}
    table.asks(orc="quest")
