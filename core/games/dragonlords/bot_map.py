"""How the sensible bot looks at the board: what places are worth, who threatens them, and how far the front is."""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Final

from events.event import Seat

from .board import KINGDOMS, NEIGHBOURS, ROADS, SPACE_OF, TELEPORTALS, TERRITORIES, WASTELANDS
from .bot_odds import Prospect, prospect
from .state import RACES, Place, War, is_shaded
from .variants import closed_to, kingdoms_held, kingdoms_on

__all__ = ["Scene", "distances"]

FAR: Final = 30
"""Farther than any two territories are from each other."""


@cache
def distances(goal: Place, tundra: frozenset[Place] = frozenset()) -> Mapping[Place, int]:
    """Return how many steps over land, or through teleportals, each territory is from a goal; none over tundra."""
    found, edge = {goal: 0}, [goal]
    while edge:
        place = edge.pop(0)
        for there in (*NEIGHBOURS[place], *TELEPORTALS.get(place, ())):
            if there not in found and there not in tundra:
                found[there] = found[place] + 1
                edge.append(there)
    return found


class Scene:
    """A war through the eyes of one seat, from its own view."""

    def __init__(self, war: War, seat: Seat, need: int = 0) -> None:
        """Take the view of a seat, and how many kingdoms win; all unless said."""
        self.war, self.seat = war, seat
        self.own = {place: army.size for place, army in war.armies.items() if army.seat == seat}
        king = war.chips.get(f"{seat}.king")
        self.king = king.place if king is not None else ""
        open_to = (place for place in kingdoms_on(war) if not closed_to(war, seat, place))
        self.goals = tuple(place for place in open_to if place not in self.own)
        ours = (seat, war.allies[seat]) if war.allies else (seat,)
        self.lacking = (need or len(kingdoms_on(war))) - kingdoms_held(war, ours)
        """How many kingdoms more would win the game."""
        self._need: dict[Place, int] = {}
        self._horde = max(self.own.values(), default=0)

    def size(self, place: Place) -> int:
        """Return how many units hold a place, whoever's they are."""
        army = self.war.armies.get(place)
        return army.size if army is not None else 0

    def is_enemy(self, place: Place) -> bool:
        """Return whether an enemy holds a place."""
        return place in self.war.armies and place not in self.own and not self.is_closed(place)

    def is_closed(self, place: Place) -> bool:
        """Return whether a place is tundra, or the allied army's (QD-23.1, QD-23.2)."""
        return closed_to(self.war, self.seat, place)

    def prospect(self, attackers: int, place: Place) -> Prospect:
        """Return what an attack of so many on a place comes to."""
        army = self.war.armies.get(place)
        if army is None:
            return Prospect(1.0, float(attackers), 0.0)
        attack = RACES.get(self.seat, 3) - (place in KINGDOMS)
        return prospect(attackers, army.size, attack, RACES.get(army.seat, 3))

    def worth(self, place: Place) -> float:
        """Return what it is worth to take a territory: income, gold, a kingdom, a king who may hide there."""
        if place not in TERRITORIES:
            return 2.0
        land = TERRITORIES[place]
        worth = 2.5 * (land.income_dwarf if self.seat == "dwarf" else land.income)
        if place in KINGDOMS:
            worth += 14 + 0.5 * self.war.gold.get(place, 0)
            worth += 60 * (self.lacking == 1)
        army = self.war.armies.get(place)
        if army is not None and army.seat not in self.war.out and is_shaded(self.war, army.seat, place):
            worth += min(8, 1.5 * (army.size - 1)) + 3 * (place in KINGDOMS)
        known = army is not None and any(
            name.endswith(".king") and chip.place == place and chip.seat == army.seat
            for name, chip in self.war.chips.items()
        )
        return worth + 30 * known

    def threat(self, place: Place) -> tuple[int, int]:
        """Return how many units the strongest enemy beside a place could send there, and with which attack value."""
        sent: dict[Seat, int] = {}
        for near in NEIGHBOURS.get(place, ()):
            army = self.war.armies.get(near)
            if army is not None and self.is_enemy(near) and army.seat not in self.war.out:
                sent[army.seat] = sent.get(army.seat, 0) + army.size - 1
        worst = max(sent, key=lambda seat: (sent[seat] * RACES.get(seat, 3), seat), default="")
        return sent.get(worst, 0), RACES.get(worst, 3)

    def need(self, place: Place) -> int:
        """Return how many units a place of one's own should keep: kingdoms and the king are guarded, the rest is not."""
        if place not in self._need:
            self._need[place] = self._needed(place)
        return self._need[place]

    def _needed(self, place: Place) -> int:
        if place not in KINGDOMS and place != self.king:
            return 1
        units, attack = self.threat(place)
        attack -= place in KINGDOMS
        base, risk = (4, 0.12) if place == self.king else (2, 0.3)
        need = base
        while need < 25 and units and prospect(units, need, attack, RACES.get(self.seat, 3)).wins > risk:
            need += 1
        # Every spell user bears a chip under a unit of his own; the king's company takes the losses first.
        return need

    def spare(self, place: Place) -> int:
        """Return how many units may leave a place."""
        return max(0, self.own.get(place, 0) - self.need(place))

    def steps(self, place: Place) -> int:
        """Return how far a territory is from the nearest kingdom that is not one's own, or from the nearest enemy."""
        goals = self.goals or tuple(
            there for there in TERRITORIES if there not in self.own and not self.is_closed(there)
        )
        return min((distances(goal, self.war.tundra).get(place, FAR) for goal in goals), default=FAR)

    def pull(self, place: Place, more: int = 0) -> float:
        """Return how much a place of one's own draws units: by the front, by weak guards, and by its army if `more` come."""
        lacking = max(0, self.need(place) - self.own.get(place, 0))
        front = max((self.worth(near) for near in self._around(place) if near not in self.own), default=0.0)
        # Two who stand by a ship take an island (QD-2.5).
        crew = 5 * (place in self.war.docked and self.own.get(place, 0) < 3)
        # Where a horde stands already, a shipload of raiders is worth more than one more of it.
        crew += 14 * (place in self.war.docked and self.own.get(place, 0) < 9 and self._horde > 40)
        return (
            6 * min(lacking, 5)
            + crew
            + self._party(place)
            + 0.25 * front
            + 0.25 * min(16, self.own.get(place, 0) + more)
            - 2.5 * self.steps(place)
        )

    def _party(self, place: Place) -> float:
        """Return how much a full party that could set out from here is wanted: one in each Wasteland, with its tools (QD-25)."""
        out = {ROADS[SPACE_OF[there]] for there in self.own if there in SPACE_OF}
        store = self.war.items.get(self.seat, {})
        if (
            not self.war.turn
            or min(store.get("torch", 0), store.get("pickaxe", 0)) < 1
            or sum(self.own.values()) < 22
        ):
            return 0.0
        gates = {
            way.territory: self.own[way.territory]
            for road in WASTELANDS.values()
            for way in road.entrances
            if road.id not in out and way.territory in self.own
        }
        best = max(gates, key=lambda gate: (gates[gate], gate), default="")
        return 9.0 if place == best and gates[best] < 8 else 0.0

    def _around(self, place: Place) -> Iterator[Place]:
        yield from (there for there in NEIGHBOURS.get(place, ()) if not self.is_closed(there))

    def way(self, origin: Place, target: Place, most: int) -> tuple[Place, ...]:
        """Return the shortest way over one's own land, at most so many steps; empty when there is none."""
        ways: dict[Place, tuple[Place, ...]] = {origin: ()}
        edge = [origin]
        while edge:
            place = edge.pop(0)
            if place == target:
                return ways[place]
            for there in NEIGHBOURS.get(place, ()):
                if there in self.own and there not in ways and len(ways[place]) < most:
                    ways[there] = (*ways[place], there)
                    edge.append(there)
        return ()
