"""What a battle leads to (QD-10.2, QD-10.9, QD-11.5, QD-H13): who holds the place, and what goes to him."""

from core.telling import Tale
from events.event import Seat, SectionRef

from .armies import GoldTaken, PlaceTaken, StoreTaken, UnitsLost, UnitsMarked
from .battle import BattleEnded
from .board import KINGDOMS, TERRITORIES, ZONES
from .docks import ShipsDocked, ShipsSailed, ShipsSunk, lose_ships, room_aboard, settle_ships, take_ships
from .holdings import kingdoms_of
from .movement import move
from .state import MOST_ABOARD, Column, Place, War, chips_at
from .strength import attackers, battle_of, defenders
from .treasures import hand_over

__all__ = ["conclude", "give_up", "take_place"]


def take_place(
    tale: Tale[War], seat: Seat, place: Place, loser: Seat, because: tuple[SectionRef, ...]
) -> None:
    """Tell that the attackers hold a place now, with the gold and ships there; the loser's stores if it was his last kingdom."""
    war = tale.state
    prizes = war.fleets.get(place, 0) if place in ZONES else war.docked.get(place, 0)
    tale.tell(PlaceTaken(seat, place, loser, because=because))
    take_ships(tale, seat, place, loser, prizes)
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
        spent = 0
        if battle.kind == "sea":
            spent, why = attacking, ("QD-5.7",)
        tale.tell(UnitsMarked(place, spent, attacking, sneaked, because=("QD-H28", *why)))
        won_by: dict[str, SectionRef] = {"sea": "QD-11.1", "sneak": "QD-12.3"}
        take_place(tale, attacker, place, defender, (won_by.get(battle.kind, "QD-10.2"),))
    elif winner == defender:
        take_ships(tale, defender, place, attacker, tale.state.raiders.get(place, 0))
    else:
        lose_ships(tale, place, attacker, defender)
    tale.tell(BattleEnded(place, winner, taken=winner == attacker, rounds=battle.round, because=("QD-10.9",)))


def give_up(tale: Tale[War], seat: Seat, place: Place) -> None:
    """Tell what becomes of an attack that nobody fights any more: units, treasures and ships (QD-22.1, QD-H39)."""
    break_off(tale, seat, place)
    army = tale.state.armies.get(place)
    holder = army.seat if army is not None else ""
    hand_over(tale, place, seat, holder)
    if holder:
        take_ships(tale, holder, place, seat, tale.state.raiders.get(place, 0))
    else:
        lose_ships(tale, place, seat, seat)


def break_off(tale: Tale[War], seat: Seat, place: Place) -> None:
    """Tell what becomes of attackers whose king fell: vanquished units attack no more, so they go back (QD-22.1).

    Each column goes to where it came from while its own units hold that place, on its ships if it sailed; else it is
    lost.
    """
    for column in tale.state.columns.get(place, ()):
        war = tale.state
        ships = _ships_of(war, place, column)
        if _has_home(war, place, column):
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
            if ships:
                _bring_home(tale, column, place, ships)
        else:
            tale.tell(
                UnitsLost(
                    seat, place, column.size, column.dragonlords, column.how, because=("QD-22.1", "QD-H47")
                )
            )
            if ships:
                tale.tell(ShipsSunk(seat, place, ships, attacks=True, because=("QD-11.5", "QD-22.1")))


def _ships_of(war: War, place: Place, column: Column) -> int:
    """Return how many of the attackers' ships in a zone a column takes that came by ship.

    As many as carry it, and those besides that the others who came by ship could not man; the last one all that are left.
    """
    ships = war.raiders.get(place, 0) if place in ZONES else 0
    if column.how != "ship" or not ships:
        return 0
    sailors = sum(other.units for other in war.columns[place] if other.how == "ship") - column.units
    return min(ships, max(-(-column.units // MOST_ABOARD), ships - sailors))


def _has_home(war: War, place: Place, column: Column) -> bool:
    home = war.armies.get(column.origin)
    if home is None or home.seat != column.seat:
        return False
    sails = place in ZONES and column.how == "ship"
    return sails or column.origin in TERRITORIES or column.size <= room_aboard(war, column.origin)


def _bring_home(tale: Tale[War], column: Column, zone: Place, ships: int) -> None:
    """Tell that ships break off with the units aboard: to the zone that they came from, or to the harbour."""
    because = ("QD-22.1", "QD-H47")
    seat, origin = column.seat, column.origin
    if origin in TERRITORIES:
        tale.tell(ShipsDocked(seat, origin, ships, zone, attacks=True, because=because))
    else:
        tale.tell(ShipsSailed(seat, zone, (origin,), ships, breaks=True, because=because))
        settle_ships(tale, seat, origin, fought=True)
