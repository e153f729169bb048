"""What a battle leads to (QD-10.2, QD-10.9, QD-H13): who holds the place, and what goes to him."""

from core.telling import Tale
from events.event import Seat, SectionRef

from .armies import GoldTaken, PlaceTaken, StoreTaken, UnitsLost, UnitsMarked
from .battle import BattleEnded
from .board import KINGDOMS
from .income import kingdoms_of
from .movement import move
from .state import Place, War, chips_at
from .strength import attackers, battle_of, defenders
from .treasures import hand_over

__all__ = ["break_off", "conclude", "take_place"]


def take_place(
    tale: Tale[War], seat: Seat, place: Place, loser: Seat, because: tuple[SectionRef, ...]
) -> None:
    """Tell that the attackers hold a place now, with the gold and ships there; the loser's stores if it was his last kingdom."""
    tale.tell(PlaceTaken(seat, place, loser, because=because))
    _plunder(tale, seat, place, loser)


def _plunder(tale: Tale[War], seat: Seat, place: Place, loser: Seat) -> None:
    """Tell what a kingdom yields to whoever took it (QD-2.2, QD-H46)."""
    war = tale.state
    if place not in KINGDOMS:
        return
    if war.gold.get(place):
        tale.tell(GoldTaken(seat, place, war.gold[place], because=("QD-2.2", "QD-H46")))
    if loser and war.items.get(loser) and not kingdoms_of(war, loser):
        tale.tell(StoreTaken(seat, loser, because=("QD-H46",)))


def conclude(tale: Tale[War]) -> None:
    """Tell how the battle ends: places, treasures, and who won."""
    war = tale.state
    battle = battle_of(war)
    place, attacker, defender = battle.place, battle.attacker, battle.defender
    attacking, defending = attackers(war).size, defenders(war).size
    if attacking and attacker in war.out:
        break_off(tale, attacker, place)
        attacking = 0
    winner = attacker if attacking and not defending else defender if defending and not attacking else ""
    if not attacking:
        hand_over(tale, place, attacker, winner)
    if not defending:
        hand_over(tale, place, defender, winner)
    if winner == attacker:
        sneaked, why = (attacking, ("QD-12.2",)) if battle.kind == "sneak" else (0, ())
        tale.tell(UnitsMarked(place, fought=attacking, sneaked=sneaked, because=("QD-H28", *why)))
        take_place(tale, attacker, place, defender, ("QD-10.2",))
    tale.tell(BattleEnded(place, winner, taken=winner == attacker, rounds=battle.round, because=("QD-10.9",)))


def break_off(tale: Tale[War], seat: Seat, place: Place) -> None:
    """Tell what becomes of attackers whose king fell: vanquished units attack no more, so they go back (QD-22.1).

    Each column goes to where it came from while its own units hold that place; else it is lost.
    """
    for column in tale.state.columns[place]:
        war = tale.state
        home = war.armies.get(column.origin)
        if home is not None and home.seat == seat:
            chips = [name for name, chip in chips_at(war, seat, place).items() if chip.way == column.how]
            move(
                tale,
                seat,
                place,
                column.origin,
                column.units,
                column.dragonlords,
                chips=chips,
                way=column.how,
                because=("QD-22.1", "QD-H47"),
            )
        else:
            tale.tell(
                UnitsLost(
                    seat, place, column.size, column.dragonlords, column.how, because=("QD-22.1", "QD-H47")
                )
            )
