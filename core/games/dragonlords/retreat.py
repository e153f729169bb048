"""What an attacker chooses at the end of a round: to go on (QD-10.9), to retreat (QD-17), or to withdraw by Teleport (`flight.py`)."""

from collections.abc import Iterator
from typing import Annotated

from core.asking import Offer, OneOf
from core.refusal import Refusal
from core.rules import word
from core.telling import Moment, Tale
from events.event import Seat, SectionRef

from .board import NEIGHBOURS, SPACE_OF, TERRITORIES, ZONES
from .docks import ShipsManned, boats
from .flight import Flee, Withdraw, columns_of, may_withdraw, offers_to_withdraw
from .forces import tire
from .in_battle import InBattle, by_kind
from .movement import bears, move
from .state import SNEAKS, Place, War, chips_at
from .strength import Side, attackers, battle_of, is_vanquished

__all__ = ["COMMANDS", "Continue", "Retreat", "has_to_choose", "offers_to_choose", "refuges"]


def refuges(war: War, side: Side) -> tuple[Place, ...]:
    """Return the friendly adjacent territories that attackers may retreat to; teleportals do not serve (QD-H27)."""
    return tuple(
        place
        for place in NEIGHBOURS.get(side.place, ())
        if (army := war.armies.get(place)) is not None and army.seat == side.seat
    )


def _forbids_retreat(war: War, side: Side) -> Iterator[Refusal]:
    if columns_of(war, free=True):
        return
    gate = any(column.how == "teleportal" for column in war.columns.get(side.place, ()))
    yield Refusal(
        "bound_to_fight",
        ("QD-17.1", "QD-X44", "QD-2.6") if gate else ("QD-17.1", "QD-X44"),
        f"All of {side.seat} there came by teleport or teleportal or out of the Wastelands: they fight to the end.",
    )


def has_to_choose(now: Moment[War]) -> bool:
    """Return whether the attacker may do anything else than go on, as far as everybody knows (QD-10.9, QD-17.1)."""
    war = now.state
    side = attackers(war)
    if is_vanquished(now, side.seat):
        return False
    retreats = columns_of(war, free=True) and (refuges(war, side) or boats(now, side.seat, side.place))
    return bool(retreats) or may_withdraw(now, side)


class Continue(InBattle):
    """Go on with the attack: another round (QD-10.9)."""

    WHEN = ("QD-10.9", "QD-17.1")
    WHEN_IN = by_kind(
        sneak=("QD-12.2",),
        sea=("QD-11.1",),
        quest=("QD-9.1",),
        monster=("QD-9.2",),
    )

    def untimely(self, now: Moment[War], seat: Seat) -> Iterator[Refusal]:
        """Refuse a second volley of a sneak attack, also once the Elves are back (QD-12.2)."""
        battle = now.state.battle
        if battle is None and seat == now.state.active == SNEAKS:
            text = "No battle is under way to go on with; a sneak attack is one volley."
            yield Refusal("no_battle_open", (*self.WHEN, "QD-12.2"), text)
        elif battle is not None and battle.kind == "sneak" and seat == battle.attacker:
            yield Refusal(
                "one_volley", ("QD-12.2",), "A sneak attack is one volley; there is no second round."
            )

    def tells(self, tale: Tale[War], seat: Seat) -> None:
        """Begin the next round."""
        tale.top.go_on(tale)


class Retreat(InBattle):
    """Retreat with all who may to one adjacent friendly territory; who may not fights on (QD-17.1, QD-H27)."""

    WHEN = ("QD-17.1",)

    target: Annotated[Place, word("to")]

    def forbids(self, now: Moment[War], seat: Seat) -> Iterator[Refusal]:
        """Refuse where nobody may retreat, and a place that is not adjacent and friendly (QD-17.1, QD-H14, QD-H27)."""
        war = now.state
        side = attackers(war)
        yield from _forbids_retreat(war, side)
        fit = (*refuges(war, side), *boats(now, seat, side.place))
        if self.target not in fit:
            army = war.armies.get(self.target)
            yield Refusal(
                "no_refuge",
                ("QD-17.1", "QD-H14", "QD-H27"),
                f"{self.target} is no friendly territory adjacent to {side.place}; "
                f"{seat} may retreat to {' or '.join(fit) or 'nowhere'}.",
                {"place": self.target},
                waivable=army is not None and army.seat == seat and self.target in TERRITORIES,
            )

    def untimely(self, now: Moment[War], seat: Seat) -> Iterator[Refusal]:
        """Refuse it where nobody is asked: at sea, to a party, a defender, Elves who sneak, and to who came by magic (QD-17)."""
        war = now.state
        battle = war.battle
        if battle is None:
            yield from self._forbids_after_battle(war, seat)
        elif seat not in (battle.attacker, battle.defender):
            return
        elif battle.place in ZONES:
            yield Refusal("ships_stay", ("QD-17.1", "QD-11.1"), "Nobody retreats from a sea battle.")
        elif battle.place in SPACE_OF:
            fight: SectionRef = "QD-9.2" if battle.kind == "monster" else "QD-9.1"
            yield Refusal("parties_stay", ("QD-17.1", fight), "Parties never retreat.")
        elif seat == battle.defender:
            flight: SectionRef = "QD-12.5" if battle.kind == "sneak" else "QD-10.7"
            yield Refusal(
                "defenders_stay",
                ("QD-17.2", flight),
                f"{seat} defends {battle.place}: a defender does not retreat, only a spell user may leave by Teleport.",
            )
        elif battle.kind == "sneak":
            yield Refusal(
                "elves_go_back",
                ("QD-12.4",),
                f"After the volley the Elves take {battle.place} or go back by themselves; where there are several "
                "ways they are asked, and answer with `go back`.",
            )
        else:
            yield from _forbids_retreat(war, attackers(war))

    def _forbids_after_battle(self, war: War, seat: Seat) -> Iterator[Refusal]:
        """Refuse it in phase 4 with no battle under way, as after a sneak attack, which is one volley; defenders stay."""
        if war.phase != "combat":
            return
        elves = war.active == SNEAKS
        volley: tuple[SectionRef, ...] = ("QD-12.2",) if elves else ()
        if seat != war.active:
            text = f"{seat} attacks nobody, and who defends stays where he is"
            text += ", also after a sneak attack, which is one volley." if elves else "."
            yield Refusal("defenders_stay", ("QD-17.2", *volley), text)
        elif elves:
            text = "No battle is under way to retreat from; after a sneak attack the Elves that are left have gone back."
            yield Refusal("no_battle_open", ("QD-12.4", *volley), text)

    def tells(self, tale: Tale[War], seat: Seat) -> None:
        """Tell who goes back, aboard alone who landed; they fight no more this turn (QD-H14, QD-H27)."""
        war = tale.state
        place, aboard = battle_of(war).place, self.target in ZONES
        for way, (units, lords) in columns_of(war, free=True).items():
            if aboard and way != "ship":
                continue
            chips = [name for name, chip in chips_at(tale.state, seat, place).items() if chip.way == way]
            because = ("QD-17.1", "QD-H14" if aboard else "QD-H27")
            spent = units + lords
            move(
                tale, seat, place, self.target, units, lords, chips=chips, way=way, spent=spent, because=because
            )  # fmt: skip
            tire(tale, seat, self.target, units, lords, tuple(filter(bears, chips)), because)
        if aboard and (ships := war.raiders.get(place, 0)):
            tale.tell(ShipsManned(seat, place, self.target, ships, breaks=True, because=("QD-H14",)))
        tale.top.go_on(tale)


def offers_to_choose(now: Moment[War], seat: Seat) -> Iterator[Offer]:
    """Yield the offers to go on, to retreat and to withdraw."""
    war = now.state
    side = attackers(war)
    yield Offer(Continue)
    fit = (*refuges(war, side), *boats(now, seat, side.place))
    if fit and columns_of(war, free=True):
        yield Offer(Retreat, {"target": OneOf(fit)})
    yield from offers_to_withdraw(now, seat)


COMMANDS = (Flee, Continue, Retreat, Withdraw)
"""All by which somebody leaves a battle or stays in it, in the order in which they are listed for people."""
