"""Treasures (QD-7), as far as battles on land feel them."""

import pytest

from core.games.dragonlords.armies import UnitsLost
from core.games.dragonlords.chips import ChipLost, ChipShown, TreasureTaken
from core.games.dragonlords.land_combat import Attack, Fight
from core.games.dragonlords.position import ChipSet, SpellsSet, UnitsSet
from core.games.dragonlords.retreat import Retreat
from core.games.dragonlords.spell_users import Declare
from core.games.dragonlords.spells import Cast, SpellCast
from core.games.dragonlords.state import Army
from core.games.dragonlords.treasures import TREASURES
from events.chance import Rolled
from tests.driver import Table
from tests.games.dragonlords.field import at_war, dice_due, home, roll, silent, strengths, until
from tests.games.dragonlords.test_rulebook_data import decks


def shown(treasure: str, seat: str = "elf", place: str = "OR_n") -> ChipSet:
    """Return that everybody sees a treasure in a place."""
    return ChipSet(seat, treasure, place, shown=True)


def siege(*more: object, elves: int = 2, **answers: str) -> Table:
    """Return two of three Orcs in OR_n against Elves, the battle begun."""
    table = at_war(home("orc", "OR_k", 3), home("elf", "OR_n", elves), *more, **answers)
    return table.when("orc", Attack("OR_n", "OR_k", 2)).when("orc", Fight())


def strength(*more: object) -> tuple[int, int]:
    """Return the strengths of Orcs (3) and Elves (3) in a round with these things there."""
    table = until(siege(*more), "choice")
    (_, _, attack), (_, _, defence) = strengths(table)
    return attack, defence


@pytest.mark.parametrize(
    ("section", "treasure", "attack", "defence"),
    (
        ("QD-7.1", "ring_of_power", 2, 4),
        ("QD-7.2", "ring_of_hope", 3, 4),
        ("QD-7.3", "ring_of_peril", 2, 3),
        ("QD-7.4", "ring_of_fire", 3, 3),
        ("QD-7.5", "black_battle_axe", 2, 3),
        ("QD-7.6", "invincible_shield", 3, 3),
        ("QD-7.7", "dragon_shield", 3, 3),
        ("QD-7.8", "holy_grail", 3, 3),
        ("QD-7.9", "trident", 3, 3),
        ("QD-7.10", "golden_fleece", 3, 3),
        ("QD-7.11", "excalibur", 3, 4),
        ("QD-7.12", "medusa_shield", 2, 3),
    ),
)
def test_a_treasure_changes_the_strength_of_friends_and_enemies(
    section: str, treasure: str, attack: int, defence: int
) -> None:
    """QD-10.4: +1 to all friends, -1 to all enemies in the bearer's place, the fleece only at sea; the dice cite it."""
    table = until(siege(shown(treasure)), "choice")
    assert [strength for _, _, strength in strengths(table)] == [attack, defence]
    for fact in (fact for told in table.log for fact in told.entry.facts if isinstance(fact, Rolled)):
        changed = (attack if fact.owner == "orc" else defence) != 3
        assert (section in fact.because) == changed


def test_w5_the_ring_of_power_works_on_both_sides() -> None:
    """W5 (QD-7.1): friends +1 and enemies -1."""
    assert strength(shown("ring_of_power")) == (2, 4)


def test_w4_king_and_excalibur_add_up() -> None:
    """W4 (QD-10.4): Hope +1 and the sword +1."""
    assert strength(shown("excalibur"), ChipSet("elf", "elf.king", "OR_n", shown=True)) == (3, 5)


def test_treasures_always_add_up_between_one_and_six() -> None:
    """QD-10.3, QD-10.4: four curses leave 1, four blessings make no more than 6."""
    curses = [shown(name) for name in ("ring_of_power", "ring_of_peril", "black_battle_axe", "medusa_shield")]
    assert strength(*curses) == (1, 4)
    king = ChipSet("elf", "elf.king", "OR_n", shown=True)
    table = siege(king, *map(shown, ("ring_of_power", "ring_of_hope", "excalibur")))
    roll(table, 6, 6)
    roll(table, 6, 6)
    assert strengths(table) == [("orc", 2, 2), ("elf", 2, 6)]
    assert table.state.columns == {}, "a 6 hits at T.A.S. 6"


def test_a_treasure_elsewhere_does_nothing_here() -> None:
    """QD-7.1: its scope is the place of its bearer."""
    assert strength(home("elf", "OR_s", 1), shown("excalibur", place="OR_s")) == (3, 3)


def test_the_effects_are_those_of_the_deck() -> None:
    """QD-7.1 to QD-7.12: what the rules do with a treasure is what its card in data/decks.json says."""
    for card in decks()["treasures"]:
        mine, effect = TREASURES[card["id"]], card["effect"]
        at_sea = "friend_tas_in_blockade" in effect
        assert mine.at_sea == at_sea
        assert mine.friends == effect.get("friend_tas_in_blockade" if at_sea else "friend_tas", 0)
        assert mine.enemies == effect.get("enemy_tas", 0)
        assert mine.attack == effect.get("extra_attack", "")
        spells = {"fireball", "dragonfire", "lightning"}
        assert set(mine.stops) == spells & set(effect.get("immune", ()))
    assert list(TREASURES) == [card["id"] for card in decks()["treasures"]]


def test_a_hidden_treasure_works_once_it_is_declared() -> None:
    """QD-H9, QD-H42, QD-H29: secret until used; from then on it works and stays known."""
    table = siege(ChipSet("elf", "excalibur", "OR_n")).asks(elf="declare")
    assert "excalibur" not in table.view("orc").state.chips
    table.when("elf", Declare(("excalibur",)))
    assert table.told[0] == ChipShown("elf", "excalibur", "OR_n", because=("QD-H9",))
    assert table.state.battle.cast == ("elf:excalibur",)
    assert table.view("orc").state.chips["excalibur"].place == "OR_n"


def test_a_treasure_that_stays_hidden_does_nothing() -> None:
    """QD-H9: whoever says nothing has neither its strength nor its protection this round."""
    table = siege(ChipSet("elf", "excalibur", "OR_n"), ChipSet("elf", "dragon_shield", "OR_n"))
    silent(table)
    assert table.state.battle.cast == ()
    until(table, "choice")
    assert strengths(table) == [("orc", 2, 3), ("elf", 2, 3)]


# Ring of Fire, Dragon Shield, Trident (QD-7.4, QD-7.7, QD-7.9)


def test_the_bearer_of_a_ring_of_fire_makes_a_second_attack() -> None:
    """QD-7.4, QD-X86: any unit may bear it; a fireball once a round, besides all the dice."""
    table = at_war(
        home("orc", "OR_k", 3), home("elf", "OR_n", 3), shown("ring_of_fire", "orc", "OR_k"),
        shown("trident", "orc", "OR_k"),
    )  # fmt: skip
    table.when("orc", Attack("OR_n", "OR_k", 2, carrying=("ring_of_fire", "trident"))).when("orc", Fight())
    until(table, "cast").when("orc", Cast("fireball"))
    because = ("QD-7.4", "QD-15.2", "QD-10.5")
    assert SpellCast("orc", "fireball", "ring_of_fire", "OR_n", because=because) in table.told
    table.asks(orc="cast").when("orc", Cast("fireball")).refused("no_caster")
    table.when("orc", Cast("lightning", "trident"))
    assert dice_due(table) == 2
    assert table.state.armies["OR_n"] == Army("elf", 1)


def test_a_table_may_keep_the_ring_and_the_trident_to_spell_users() -> None:
    """QD-X86: the alternative; without a king, wizard or DragonLord there is no such attack."""

    def battle(*more: object) -> Table:
        table = siege(shown("trident"), *more, X86="spell_users_only")
        until(table, "roll")
        return roll(table, 6, 6)

    battle().asks(elf="cast")
    assert [offer.command.__name__ for offer in battle().ask("elf").offers] == ["Pass"]
    king = battle(ChipSet("elf", "elf.king", "OR_n")).when("elf", Cast("lightning"))
    assert king.told[0] == ChipShown("elf", "elf.king", "OR_n", because=("QD-X86",))


@pytest.mark.parametrize(
    ("treasure", "spell", "section"),
    (
        ("ring_of_fire", "fireball", "QD-7.4"),
        ("ring_of_fire", "dragonfire", "QD-7.4"),
        ("dragon_shield", "fireball", "QD-7.7"),
        ("dragon_shield", "dragonfire", "QD-7.7"),
        ("trident", "lightning", "QD-7.9"),
    ),
)
def test_friends_of_the_bearer_are_immune(treasure: str, spell: str, section: str) -> None:
    """QD-7.4, QD-7.7, QD-7.9: immune to enemy fireballs and dragonfire, or to lightning bolts."""
    table = at_war(
        UnitsSet("orc", "OR_k", 3, 1), home("elf", "OR_n", 3), shown(treasure),
        ChipSet("orc", "orc.wizard.1", "OR_k", shown=True), SpellsSet("orc.wizard.1", ("fireball", "lightning")),
    )  # fmt: skip
    table.when("orc", Attack("OR_n", "OR_k", 2, 1, leading=("orc.wizard.1",))).when("orc", Fight())
    until(table, "cast").when("orc", Cast(spell)).refused("protected", section)
    assert table.reasons[0].because == (section,)
    assert {"fireball", "lightning", "dragonfire"} - set(TREASURES[treasure].stops) == {
        offer.fields["spell"] for offer in table.ask("orc").offers if offer.command is Cast
    }


def test_a_spell_that_a_treasure_stops_is_not_even_asked_for() -> None:
    """QD-7.7: with the Dragon Shield shown there, a DragonLord has nothing to throw."""
    table = at_war(UnitsSet("orc", "OR_k", 1, 1), home("elf", "OR_n", 3), shown("dragon_shield"))
    table.when("orc", Attack("OR_n", "OR_k", 0, 1)).when("orc", Fight()).asks(chance="roll")


# Holy Grail (QD-7.8)


def test_each_lost_unit_rolls_and_one_or_two_saves_it() -> None:
    """QD-7.8, QD-10.8: two hits, two dice; 2 saves, 3 does not."""
    table = siege(shown("holy_grail"), elves=3)
    roll(table, 1, 1)
    roll(table, 6, 6, 6).asks(chance="roll")
    question = table.now.question
    assert question is not None
    assert question.roll is not None
    assert (question.roll.owner, question.roll.count, question.roll.purpose) == ("elf", 2, "grail")
    roll(table, 2, 3)
    assert UnitsLost("elf", "OR_n", 1, because=("QD-10.8",)) in table.told
    assert table.state.armies["OR_n"] == Army("elf", 2)
    assert Rolled in {type(fact) for fact in table.told}


def test_all_may_be_saved_by_the_grail() -> None:
    """QD-7.8: nothing is lost, and the hits are paid."""
    table = siege(shown("holy_grail"))
    roll(table, 1, 1)
    roll(table, 6, 6)
    roll(table, 1, 2).asks(orc="choice")
    assert table.state.armies["OR_n"] == Army("elf", 2)
    assert table.state.struck == {}


def test_the_grail_dice_lie_in_the_order_of_losses() -> None:
    """QD-7.8, QD-X52: plain units first, the king last; so the last die is his, and he is shown by it."""
    table = siege(shown("holy_grail"), ChipSet("elf", "elf.king", "OR_n"))
    silent(table)
    roll(table, 1, 1)
    roll(table, 6, 6)
    assert table.state.chips["elf.king"].shown
    roll(table, 6, 1).asks(orc="choice")
    assert "elf.king" in table.state.chips
    assert table.state.armies["OR_n"] == Army("elf", 1)


def test_the_grail_saves_from_magic_unless_the_table_says_dice_only() -> None:
    """QD-H18: a fireball's victim rolls; with the alternative it does not."""

    def burn(**answers: str) -> Table:
        table = at_war(UnitsSet("orc", "OR_k", 1, 1), home("elf", "OR_n", 3), shown("holy_grail"), **answers)
        table.when("orc", Attack("OR_n", "OR_k", 0, 1)).when("orc", Fight())
        return until(table, "cast").when("orc", Cast("dragonfire"))

    table = burn()
    assert dice_due(table) == 1
    roll(table, 2)
    assert table.state.armies["OR_n"] == Army("elf", 3)
    assert burn(H18="dice_only").state.armies["OR_n"] == Army("elf", 2)


# Who gets them (QD-7.1, QD-H54)


def test_the_treasures_of_the_beaten_go_to_the_winner() -> None:
    """QD-7.1: hidden or shown, they are his now, and everybody sees them."""
    table = siege(shown("excalibur"), ChipSet("elf", "trident", "OR_n"), elves=1)
    until(table, "roll")
    roll(table, 1, 6)
    until(table, "roll")
    roll(table, 6)
    for chip in ("excalibur", "trident"):
        because = ("QD-7.1", "QD-H54")
        assert TreasureTaken("orc", chip, "OR_n", "elf", because=because) in table.told
        assert table.state.chips[chip].seat == "orc"
        assert table.state.chips[chip].way == ""
    assert table.state.hoards == {"elf": 0, "orc": 2}
    table.leave()


def test_the_treasures_of_beaten_attackers_go_to_the_defender() -> None:
    """QD-7.1: the winner is whoever holds the place."""
    table = at_war(home("orc", "OR_k", 2), home("elf", "OR_n", 2), shown("excalibur", "orc", "OR_k"))
    table.when("orc", Attack("OR_n", "OR_k", 1, carrying=("excalibur",))).when("orc", Fight())
    until(table, "roll")
    roll(table, 6)
    roll(table, 1, 1)
    assert table.state.chips["excalibur"].seat == "elf"


def test_a_treasure_stays_with_who_is_left_of_its_side() -> None:
    """QD-H54: a bearer lost while his side stands: another unit of his takes it up."""
    table = siege(shown("excalibur"))
    roll(table, 1, 6)
    roll(table, 6, 6)
    assert table.state.chips["excalibur"].seat == "elf"


def test_when_nobody_is_left_the_treasure_lies_face_down_again() -> None:
    """QD-H54: mutual loss; it goes back among the face-down ones."""
    table = at_war(home("orc", "OR_k", 2), home("elf", "OR_n", 1), shown("excalibur"))
    table.when("orc", Attack("OR_n", "OR_k", 1)).when("orc", Fight())
    roll(table, 1)
    roll(table, 1)
    assert ChipLost("elf", "excalibur", "OR_n", because=("QD-7.1", "QD-H54")) in table.told
    assert table.state.hoards == {"elf": 0}


def test_a_treasure_goes_along_in_attack_and_retreat() -> None:
    """QD-1.4, QD-7.1: a unit bears it; who retreats takes it along."""
    table = at_war(home("orc", "OR_k", 3), home("elf", "OR_n", 2), ChipSet("orc", "excalibur", "OR_k"))
    table.when("orc", Attack("OR_n", "OR_k", 2, carrying=("excalibur",)))
    assert table.state.chips["excalibur"].place == "OR_n"
    until(table.when("orc", Fight()), "choice").when("orc", Retreat("OR_k"))
    assert table.state.chips["excalibur"].place == "OR_k"
