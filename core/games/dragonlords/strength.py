"""The two sides of the battle that is being fought, and their strength (QD-10.3, QD-10.4)."""

from collections.abc import Iterator

from msgspec import Struct

from core.refusal import Refusal
from core.seats import CHANCE
from core.telling import Moment
from events.event import Seat, SectionRef

from .board import KINGDOMS
from .spellbook import SPELLS
from .state import RACES, SNEAKS, Battle, Place, War
from .treasures import TREASURES

__all__ = [
    "Side",
    "attack_strength",
    "attackers",
    "battle_of",
    "defenders",
    "is_vanquished",
    "monster_strength",
    "over",
    "unasked",
]


class Side(Struct, frozen=True, gc=False):
    """One side of a battle: whose it is, against whom, where, on which side, and how many fight on it."""

    seat: Seat
    enemy: Seat
    place: Place
    attacks: bool
    size: int
    dragonlords: int


def battle_of(war: War) -> Battle:
    """Return the battle that is being fought; there must be one."""
    assert war.battle is not None
    return war.battle


def attackers(war: War) -> Side:
    """Return the attacker's side: all his columns in the place."""
    battle = battle_of(war)
    size = lords = 0
    for column in war.columns.get(battle.place, ()):
        lords += column.dragonlords
        size += column.units + column.dragonlords
    return Side(battle.attacker, battle.defender, battle.place, True, size, lords)


def defenders(war: War) -> Side:
    """Return the defender's side: the army that holds the place."""
    battle = battle_of(war)
    army = war.armies.get(battle.place)
    size, lords = (army.size, army.dragonlords) if army is not None else (0, 0)
    return Side(battle.defender, battle.attacker, battle.place, False, size, lords)


def over(war: War) -> bool:
    """Return whether a side is gone: units of one type are left, or none at all (QD-10.9, QD-H13)."""
    place = battle_of(war).place
    return place not in war.armies or place not in war.columns


def is_vanquished(now: Moment[War], seat: Seat) -> bool:
    """Return whether a seat's units are vanquished: its king was beaten (QD-22.1)."""
    return seat in now.state.out


def unasked(now: Moment[War], seat: Seat) -> Iterator[Refusal]:
    """Yield that a seat's king was beaten: its units neither move nor attack, so it is asked nothing (QD-22.1).

    Of dice: that nobody rolls back once a sneak attack is over (QD-12.2).
    """
    if seat == CHANCE:
        yield from _not_rolled(now)
    if is_vanquished(now, seat):
        yield Refusal(
            "vanquished", ("QD-22.1",), f"The king of {seat} was beaten: its units neither move nor attack."
        )


def _not_rolled(now: Moment[War]) -> Iterator[Refusal]:
    """Yield that nobody rolls back, where Elves may have sneaked this turn and no roll can be near (QD-12.2)."""
    war, battle, asked = now.state, now.state.battle, now.question
    if battle is not None:
        done = battle.kind == "sneak" and asked is not None and asked.kind == "go_back"
    else:
        elves = war.phase == "combat" and war.active == SNEAKS and not war.columns
        done = elves and bool(war.sneaked or war.spent)
    if done:
        text = "No dice are asked for: the Elves roll once for a sneak attack, and the enemy does not roll."
        yield Refusal("nobody_rolls", ("QD-12.2", "QD-10.1"), text)


def attack_strength(now: Moment[War], side: Side) -> tuple[int, tuple[SectionRef, ...]]:
    """Return the T.A.S. of a side, from 1 to 6, and the sections that made it so (QD-10.3, QD-10.4).

    Spells and treasures count as they were declared for this round; the kingdom's -1 is for the attacker (QD-2.2).
    """
    change, sections = _changes(now.state, side.seat)
    strength, because = RACES[side.seat] + change, ("QD-10.3", *sections)
    if side.attacks and side.place in KINGDOMS:
        strength -= 1
        because = (*because, "QD-2.2")
    return max(1, min(6, strength)), because


def monster_strength(war: War, attack: int) -> tuple[int, tuple[SectionRef, ...]]:
    """Return the attack of the monster that is fought, 1 at least, and the sections that made it so (QD-9.2, QD-H31)."""
    change, sections = _changes(war, battle_of(war).attacker)
    return max(1, attack + change), ("QD-9.2", *(("QD-H31", *sections) if change else ()))


def _changes(war: War, of: Seat) -> tuple[int, tuple[SectionRef, ...]]:
    """Return what spells and treasures that work this round add to the strength of a seat or monster, and by which sections."""
    total, because = 0, []
    for entry in battle_of(war).cast:
        seat, _, name = entry.partition(":")
        mine = seat == of
        if name in SPELLS:
            change, section = SPELLS[name].friends if mine else SPELLS[name].enemies, SPELLS[name].section
        else:
            treasure = TREASURES[name]
            change, section = treasure.friends if mine else treasure.enemies, treasure.section
        if change:
            total += change
            because.append(section)
    return total, tuple(because)
