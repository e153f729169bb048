"""A command given at another time than its rule says is refused under that rule, whatever is asked then."""

from typing import Any

import msgspec
import pytest

from core.games.dragonlords import RULES
from core.games.dragonlords.flight import Flee
from core.games.dragonlords.land_combat import Attack, Fight
from core.games.dragonlords.position import ChipSet, ColumnSet, SpellsSet
from core.games.dragonlords.quest_combat import Throw
from core.games.dragonlords.retreat import Continue, Retreat
from core.games.dragonlords.sneak_attack import GoBack, SneakAttack
from core.games.dragonlords.spells import Cast
from core.games.dragonlords.travelling import Travel
from core.games.dragonlords.wastelands import MoveParty
from tests.driver import Table
from tests.games.dragonlords.expeditions import at_quest, dice, fights, party
from tests.games.dragonlords.field import at_war, home, roll, until
from tests.games.dragonlords.sea import fleet, raid, sea_battle

SAID = (
    ("Claim", "QD-3.3"), ("AddUnit", "QD-3.4"), ("HideChip", "QD-3.5"), ("DockShip", "QD-3.6"),
    ("EndPhase", "QD-4.1"), ("BuyUnits", "QD-4.2 QD-4.1"), ("BuyShip", "QD-4.2 QD-4.1"),
    ("Board", "QD-5.1 QD-19.3 QD-4.1"), ("Sail", "QD-5.1 QD-4.1"), ("Land", "QD-5.8 QD-19.3 QD-4.1"),
    ("Teleport", "QD-5.3 QD-5.4 QD-19.2 QD-4.1"), ("LeapByFleece", "QD-7.10 QD-4.1"),
    ("SendParty", "QD-6.1 QD-4.1"), ("MoveParty", "QD-6.2 QD-6.3 QD-4.1"), ("Travel", "QD-6.2 QD-H3"), ("Stay", "QD-6.4"),
    ("Recruit", "QD-6.6"), ("BuyItem", "QD-6.6 QD-6.7 QD-6.8"), ("ConsultGods", "QD-6.9"), ("TakeOrb", "QD-6.9"),
    ("FaceDragon", "QD-6.9"), ("ReadCard", "QD-6.10"), ("Choose", "QD-6.10"), ("PutTreasure", "QD-6.11"),
    ("ShowGrail", "QD-7.8"), ("Cure", "QD-8.3"), ("Drink", "QD-8.4"), ("UseOrb", "QD-8.6"), ("Throw", "QD-9.2"),
    ("Attack", "QD-10.1 QD-4.1"), ("Fight", "QD-10.1 QD-4.1"), ("Declare", "QD-10.4"), ("Cast", "QD-10.5"),
    ("Flee", "QD-10.7"), ("TakeLosses", "QD-10.8"), ("Continue", "QD-10.9 QD-17.1"), ("Withdraw", "QD-10.9"),
    ("SneakAttack", "QD-12.1 QD-12.2 QD-4.1"), ("GoBack", "QD-12.4"), ("FireAttack", "QD-13.1"), ("Shield", "QD-H41"),
    ("Teach", "QD-14.4"), ("RaiseDragonlord", "QD-14.5"), ("ReadScroll", "QD-16.1 QD-14.1"), ("Reflect", "QD-16.3"),
    ("Protect", "QD-16.1 QD-H49"), ("Retreat", "QD-17.1"), ("ForcedMarch", "QD-18.1 QD-4.1"), ("Transfer", "QD-19.1 QD-4.1"),
    ("StoreGold", "QD-20.1 QD-4.1"), ("PlaceUnits", "QD-21.1 QD-4.1"), ("PlaceShip", "QD-21.1 QD-4.1"),
)  # fmt: skip
"""Each command with the sections that say when it is given."""
ON_LAND = {
    "Cure": "QD-8.1 QD-8.3", "Drink": "QD-8.1 QD-8.4", "UseOrb": "QD-8.1 QD-8.6", "Throw": "QD-10.5", "GoBack": "QD-17.1 QD-17.2",
    "FireAttack": "QD-14.6 QD-13.1", "Shield": "QD-H9 QD-H41",
}  # fmt: skip
"""What is said of such of them as belong to other battles, while one is fought on land."""
IN_BATTLES = {
    "Declare": "QD-12.5 QD-10.4 | QD-11.2 QD-10.4 | QD-9.1 QD-10.4 | QD-H31 QD-10.4",
    "Cast": "QD-12.5 QD-10.5 | QD-11.3 QD-X7 | QD-9.1 QD-10.5 | QD-9.2 QD-14.1",
    "Throw": "QD-12.5 QD-10.5 | QD-11.3 QD-X7 | QD-9.1 QD-10.5 | QD-9.2",
    "Flee": "QD-12.5 QD-10.7 | QD-11.4 QD-10.7 | QD-9.1 QD-10.7 | QD-9.2 QD-10.7",
    "TakeLosses": "QD-12.2 QD-10.8 | QD-11.2 QD-10.8 | QD-9.1 QD-10.8 | QD-9.2 QD-10.8",
    "Continue": "QD-12.2 | QD-11.1 | QD-9.1 | QD-9.2",
    "Retreat": "QD-12.4 | QD-17.1 QD-11.1 | QD-17.1 QD-9.1 | QD-17.1 QD-9.2",
    "Withdraw": "QD-12.4 | QD-11.1 | QD-9.1 | QD-9.2 QD-17.1",
    "GoBack": "QD-12.4 | QD-11.1 | QD-9.1 | QD-17.1 QD-9.2",
    "Drink": "QD-8.1 QD-8.4 | QD-8.1 QD-8.4 | QD-8.4 | QD-8.4",
    "Cure": "QD-8.1 QD-8.3 | QD-8.1 QD-8.3 | QD-8.3 | QD-8.3",
    "UseOrb": "QD-8.1 QD-8.6 | QD-8.1 QD-8.6 | QD-8.6 | QD-8.6",
    "FireAttack": "QD-12.5 QD-13.1 | QD-13.1 QD-X7 | QD-13.1 | QD-13.1",
    "Shield": "QD-12.5 QD-H41 | QD-11.3 QD-H41 | QD-9.1 QD-H41 | QD-H31 QD-H41",
}
"""Each command of battles with what is cited in a sneak attack, at sea, where parties fight, and against a monster."""
WHENEVER = {"Pass", "PayFrom"}
"""What answers many questions: no one section says when."""
FIELDS: dict[str, Any] = {
    "target": "OR_n", "origin": "OR_k", "place": "OR_k", "path": ["OR_n"], "units": 1, "user": "dragonlord", "count": 1,
    "caster": "dragonlord", "chip": "orc.king", "treasure": "ring_of_fire", "spell": "fireball", "scroll": "ship",
    "losses": {"unit": 1}, "gold": {"OR_k": 1}, "card": "Q01", "source": "OR_k", "item": "torch", "option": "go", "by": "potion",
}  # fmt: skip


def command(name: str) -> Any:
    """Return a command of this name, with something in each field that must be given."""
    kind = next(kind for kind in RULES.commands if kind.__name__ == name)
    needed = kind.__struct_fields__[: len(kind.__struct_fields__) - len(kind.__struct_defaults__)]
    given = {field: FIELDS[field] for field in needed}
    if name == "PlaceUnits":
        given["units"] = {"OR_k": 1}
    return msgspec.convert(given, kind)


def fighting() -> Table:
    """Return Orcs who fight Elves on land, before their dice are thrown."""
    table = at_war(home("orc", "OR_k", 5), home("orc", "OR_ne", 1), home("elf", "OR_n", 3))
    return table.when("orc", Attack("OR_n", "OR_k", 2)).when("orc", Fight())


def test_every_command_is_in_the_table() -> None:
    """A new command says when it is given, or that no one section does."""
    assert {name for name, _ in SAID} | WHENEVER == {kind.__name__ for kind in RULES.commands}


@pytest.mark.parametrize(("name", "sections"), SAID)
def test_while_dice_are_thrown_the_rule_of_the_command_is_named(name: str, sections: str) -> None:
    """Nobody but chance is asked: not the section of the roll is cited, but that which says when the command is given."""
    table = fighting().asks(chance="roll").when("orc", command(name))
    code = "not_in_this_battle" if name in ("Throw", "GoBack") else "not_your_turn"
    assert [(reason.code, reason.because) for reason in table.reasons] == [
        (code, tuple(ON_LAND.get(name, sections).split()))
    ]


@pytest.mark.parametrize(("name", "sections"), SAID)
def test_while_something_else_is_asked_the_rule_of_the_command_is_named(name: str, sections: str) -> None:
    """The Orcs are asked whether they go on, or to attack: anything else is refused under its own section."""
    at_choice = until(fighting(), "choice")
    attacking = at_war(home("orc", "OR_k", 5), home("elf", "OR_n", 3)).asks(orc="combat")
    table = attacking if name in ("Continue", "Retreat", "Withdraw") else at_choice
    table.when("orc", command(name))
    code = "not_in_this_battle" if name in ("Throw", "GoBack") else "not_this_now"
    assert [(reason.code, reason.because) for reason in table.reasons] == [
        (code, tuple(ON_LAND.get(name, sections).split()))
    ]


def sneaking() -> Table:
    """Return Elves who sneak up on Orcs, before their volley."""
    table = at_war(
        home("elf", "OR_k", 5), home("elf", "OR_ne", 1), home("orc", "OR_n", 3), seats=("elf", "orc")
    )
    return until(table.when("elf", SneakAttack("OR_n", "OR_k", 2)).when("elf", Fight()), "roll")


def at_sea() -> Table:
    """Return a sea battle before the dice of the Orcs, who attack."""
    return until(sea_battle(*fleet("elf", "C3", 1, 2), *raid("orc", "C3", 1, 3, origin="C2")), "roll")


def between_parties() -> Table:
    """Return a fight of parties before the dice of the Orcs, who attack."""
    table = at_quest(*party("orc", "WT02", 4), *party("elf", "WT03", 3))
    return until(dice(table.when("orc", MoveParty("WT02")), 1).when("orc", Travel("WT03")), "roll")


def against_a_monster() -> Table:
    """Return Orcs whom a giant spider attacks, before its die."""
    return until(fights("giant spider", *party("orc", "WT03", 4)), "roll")


BATTLES = {"sneak": sneaking, "sea": at_sea, "quest": between_parties, "monster": against_a_monster}


@pytest.mark.parametrize("kind", BATTLES)
@pytest.mark.parametrize("name", IN_BATTLES)
def test_what_is_cited_is_of_the_battle_at_hand(name: str, kind: str) -> None:
    """QD-9, QD-11, QD-12: whoever attacks, or is attacked by a monster, is told the rule of that kind of battle."""
    table = BATTLES[kind]()
    battle = table.state.battle
    seat = battle.defender if kind == "monster" else battle.attacker
    table.when(seat, command(name)).asks(chance="roll")
    cited = IN_BATTLES[name].split(" | ")[list(BATTLES).index(kind)]
    assert [reason.because for reason in table.reasons] == [tuple(cited.split())]


def test_nobody_retreats_from_a_monster() -> None:
    """QD-17.1: parties never retreat, from each other or from a monster."""
    against_a_monster().when("orc", Retreat("WT02")).refused("parties_stay", "QD-17.1", "QD-9.2")


def test_a_spell_that_is_thrown_at_units_is_told_how_to_be_cast_and_the_other_way_round() -> None:
    """QD-9.2, QD-10.5: two commands say nearly the same of two kinds of battle."""
    table = fighting().when("orc", Throw("fireball")).refused("not_in_this_battle", "QD-10.5")
    assert table.reasons[0].text == "`throw` is for monsters; against units it is `cast fireball`."
    table = against_a_monster().when("orc", Cast("fireball")).refused("not_in_this_battle", "QD-9.2")
    assert table.reasons[0].text == "Against a monster a spell is thrown: `throw fireball`."


def test_who_is_surprised_by_a_sneak_attack_throws_no_spell() -> None:
    """QD-H50: the defender may flee or read scrolls, but does not cast attack spells."""
    sneaking().when("orc", Cast("fireball")).refused("no_answer", "QD-12.5", "QD-H50")


def test_nobody_retreats_in_and_right_after_a_sneak_attack() -> None:
    """QD-12.2, QD-12.4, QD-17.2: one volley, then the Elves that are left are back; a defender stays at any time."""
    table = sneaking()
    table.when("orc", Retreat("OR_k")).refused("defenders_stay", "QD-17.2", "QD-12.5")
    table.when("elf", Retreat("OR_k")).refused("elves_go_back", "QD-12.4")
    roll(table, 6, 6).when("elf", GoBack("OR_k", "OR_k")).asks(elf="combat")
    table.when("orc", Retreat("OR_ne")).refused("defenders_stay", "QD-17.2", "QD-12.2")
    table.when("elf", Retreat("OR_k")).refused("no_battle_open", "QD-12.2", "QD-12.4")


def test_a_flight_for_which_there_are_too_many_hits_is_told_so_though_it_is_not_asked() -> None:
    """QD-10.7, W14: six hits on six Elves, so nobody may flee, and the Elves' dice are asked for at once."""
    table = at_war(
        home("orc", "OR_k", 7), home("elf", "OR_n", 6), home("elf", "FM_s", 1),
        ChipSet("elf", "elf.wizard.1", "OR_n"), SpellsSet("elf.wizard.1", ("teleport",)),
    )  # fmt: skip
    table.when("orc", Attack("OR_n", "OR_k", 6)).when("orc", Fight())
    until(table, "roll")
    roll(table, *[1] * 6).asks(chance="roll")
    table.when("elf", Flee("elf.wizard.1", "FM_s")).refused("too_many_hits", "QD-10.7")


def test_who_came_by_teleportal_is_told_so() -> None:
    """QD-2.6, QD-17.1: there is no retreat, so the attacker is not asked."""
    table = at_war(
        home("orc", "T2", 1), ColumnSet("orc", "T1", "T2", 2, how="teleportal"), home("elf", "T1", 3)
    )
    table.when("orc", Fight())
    table.when("orc", Retreat("T2")).refused("bound_to_fight", "QD-17.1", "QD-X44", "QD-2.6")


def test_nobody_retreats_or_throws_spells_at_sea() -> None:
    """QD-11.1, QD-11.3, QD-17.1: a sea battle asks for neither."""
    table = sea_battle(*fleet("elf", "C3", 1, 2), *raid("orc", "C3", 1, 3, origin="C2"))
    table.when("orc", Retreat("C2")).refused("ships_stay", "QD-17.1", "QD-11.1")
    table.when("elf", Cast("fireball")).refused("not_at_sea", "QD-11.3", "QD-X7")
    table.when("elf", Retreat("C2")).refused("ships_stay", "QD-17.1", "QD-11.1")
    table.when("elf", Continue()).refused("not_your_turn", "QD-11.1")


@pytest.mark.parametrize(
    ("table", "kind", "sections"),
    (
        (
            sea_battle(*fleet("elf", "C3", 1, 3), *raid("orc", "C3", 1, 3, origin="C2"), ChipSet("elf", "elf.wizard.1", "C3"),
                       SpellsSet("elf.wizard.1", ("teleport",))),
            "flight", ("QD-11.4", "QD-10.7"),
        ),
        (
            sea_battle(*fleet("elf", "C3", 1, 3), *raid("orc", "C3", 1, 3, origin="C2"), ChipSet("orc", "orc.king", "C3", way="ship")),
            "declare", ("QD-11.2", "QD-10.4", "QD-H29"),
        ),
        (
            at_war(home("orc", "OR_k", 5), home("elf", "OR_n", 3), home("elf", "SC_k"), ChipSet("elf", "elf.wizard.1", "OR_n"),
                   SpellsSet("elf.wizard.1", ("teleport",))).when("orc", Attack("OR_n", "OR_k", 2)).when("orc", Fight()),
            "flight", ("QD-10.7", "QD-17.2"),
        ),
    ),
    ids=("flight at sea", "magic at sea", "flight on land"),
)  # fmt: skip
def test_what_a_round_asks_goes_by_the_rule_of_the_battle(
    table: Table, kind: str, sections: tuple[str, ...]
) -> None:
    """QD-11.4, QD-11.2: a flight from a sea battle is another than one on land."""
    question = until(table, kind).now.question
    assert question is not None
    assert question.because == sections
