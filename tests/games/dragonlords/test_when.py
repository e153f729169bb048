"""A command given at another time than its rule says is refused under that rule, whatever is asked then."""

from typing import Any

import msgspec
import pytest

from core.games.dragonlords import RULES
from core.games.dragonlords.land_combat import Attack, Fight
from core.games.dragonlords.position import ChipSet, ColumnSet, SpellsSet
from core.games.dragonlords.retreat import Continue, Flee, Retreat
from core.games.dragonlords.spells import Cast
from tests.driver import Table
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
WHENEVER = {"Pass", "PayFrom"}
"""What answers many questions: no one section says when."""
FIELDS: dict[str, Any] = {
    "target": "OR_n", "origin": "OR_k", "place": "OR_k", "path": ["OR_n"], "units": 1, "user": "dragonlord", "count": 1,
    "caster": "dragonlord", "chip": "orc.king", "treasure": "ring_of_fire", "spell": "fireball", "scroll": "ship",
    "losses": {"unit": 1}, "gold": {"OR_k": 1}, "card": "Q01", "item": "torch", "option": "go", "by": "potion",
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
    assert [(reason.code, reason.because) for reason in table.reasons] == [
        ("not_your_turn", tuple(sections.split()))
    ]


@pytest.mark.parametrize(("name", "sections"), SAID)
def test_while_something_else_is_asked_the_rule_of_the_command_is_named(name: str, sections: str) -> None:
    """The Orcs are asked whether they go on, or to attack: anything else is refused under its own section."""
    at_choice = until(fighting(), "choice")
    attacking = at_war(home("orc", "OR_k", 5), home("elf", "OR_n", 3)).asks(orc="combat")
    table = attacking if name in ("Continue", "Retreat", "Withdraw") else at_choice
    table.when("orc", command(name))
    assert [(reason.code, reason.because) for reason in table.reasons] == [
        ("not_this_now", tuple(sections.split()))
    ]


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
    table.when("elf", Continue()).refused("not_your_turn", "QD-10.9", "QD-17.1")
