"""A party on its way (QD-6.2 to QD-6.5): the die, the choice of where it goes, and what awaits it there.

A new party is formed where it stands; only when the die is cast and a way chosen do units, chips and items go.
"""

from collections.abc import Iterator
from typing import Annotated, ClassVar

from core.asking import Offer, OneOf, Question
from core.refusal import Refusal
from core.rules import Command, Step, word
from core.seats import CHANCE
from core.telling import Moment, Tale
from events.chance import Roll, Sum
from events.event import Count, Face, Seat, SectionRef

from .armies import UnitsMoved
from .battle import BattleBegan, Round
from .board import SPACE_OF, TERRITORIES, ZONES
from .docks import settle_ships
from .ending import claimed
from .forces import send
from .items import ItemsMoved, store_items, take_along
from .parties import PartyEntered, PartyStayed, road_of, room_for, stand
from .places import visit
from .quest_combat import Contending
from .roads import GATES, ends, is_peaceful
from .state import Place, War, chips_at, shade
from .variants import closed_to, forbids_place

__all__ = ["COMMANDS", "STEPS", "SettingOut", "Stay", "Travel", "Travelling", "contend"]


class SettingOut(Step[War]):
    """A party is about to go; a D6 says how far (QD-6.2). `place` is where it stands, a new one outside of the road."""

    seat: Seat
    place: Place

    def question(self, now: Moment[War]) -> Question | None:
        if not _goers(now.state, self.seat, self.place):
            return None
        roll = Roll("d6", 1, self.seat, Sum(), "move")
        prompt = f"how far the party from {self.place} moves"
        return Question("roll", (CHANCE,), (), ("QD-6.2", "QD-H3"), prompt, roll=roll)

    def rolled(self, tale: Tale[War], faces: tuple[Face, ...]) -> None:
        """Go on to where it may come."""
        tale.become(Travelling(self.seat, self.place, int(faces[0])))

    def play(self, tale: Tale[War]) -> None:
        """End where a correction has taken the party away."""
        _stay(tale, self.seat, self.place)


def _goers(war: War, seat: Seat, place: Place) -> int:
    """Return how many units the party has that is about to go; none where a correction has taken it away."""
    if (war.active, war.phase) != (seat, "quest") or seat in war.out:
        return 0
    army = war.armies.get(place)
    if army is None or army.seat != seat:
        return 0
    if place in SPACE_OF:
        return army.size
    new = war.recruits
    return new.units if new is not None and new.units <= army.units else 0


def _stay(tale: Tale[War], seat: Seat, place: Place) -> None:
    tale.tell(PartyStayed(seat, place, because=("QD-6.4", "QD-H34")))
    tale.done()


class Travel(Command[War]):
    """Choose where a party goes by its roll: to a space, into an enemy party, or out of the Wastelands (QD-6.2 to QD-6.5)."""

    WHEN = ("QD-6.2", "QD-H3")

    SEALS: ClassVar[bool] = False

    target: Annotated[Place, word("to")]

    def forbids(self, now: Moment[War], seat: Seat) -> Iterator[Refusal]:
        """Refuse where the roll does not lead, and spaces full of friends (QD-6.2, QD-6.5, QD-H3, QD-H34)."""
        fit, _ = now.state.agenda[-1].step.ways(now)
        if closed_to(now.state, seat, self.target):
            yield from forbids_place(now.state, seat, self.target)
        elif self.target not in fit:
            yield Refusal(
                "not_by_this_roll",
                ("QD-6.2", "QD-6.5", "QD-H3", "QD-H34"),
                f"The roll does not lead to {self.target}; it leads to {' or '.join(fit) or 'no place with room'}.",
                {"place": self.target},
                waivable=self._could_be_told(now, seat),
            )

    def _could_be_told(self, now: Moment[War], seat: Seat) -> bool:
        """Return whether the party could stand there, whatever the die says: on its road, with room, or at its ways out."""
        step = now.state.agenda[-1].step
        place, target, size = step.place, self.target, _goers(now.state, step.seat, step.place)
        road = road_of(place) if place in SPACE_OF else GATES[place].road
        if target in TERRITORIES:
            return place in SPACE_OF and target in GATES and GATES[target].road == road
        if not size or target == place or target not in SPACE_OF or road_of(target) != road:
            return False
        own = target == stand(seat, SPACE_OF[target])
        return own and (not is_peaceful(now.state, seat, target) or room_for(now, seat, target) >= size)

    def tells(self, tale: Tale[War], seat: Seat) -> None:
        """Tell that the party comes there, and what awaits it."""
        place = tale.top.place
        tale.done()
        _arrive(tale, seat, place, self.target)


class Stay(Command[War]):
    """Let the party stay where it is, a new one at home: no space is open to it in peace (QD-6.4, QD-H34)."""

    WHEN = ("QD-6.4",)

    SEALS = False

    def forbids(self, now: Moment[War], seat: Seat) -> Iterator[Refusal]:
        """Refuse to stay while the roll leads to a space in peace (QD-H34)."""
        fit, stays = now.state.agenda[-1].step.ways(now)
        if not stays:
            yield Refusal(
                "must_move",
                ("QD-6.2", "QD-H34"),
                f"The party moves its full roll, to {' or '.join(fit)}.",
                waivable=True,
            )

    def tells(self, tale: Tale[War], seat: Seat) -> None:
        """Tell that it stays."""
        _stay(tale, seat, tale.top.place)


class Travelling(Step[War]):
    """The die is cast: the party goes so many spaces, one way or the other, or leaves by an end (QD-6.2 to QD-6.5)."""

    seat: Seat
    place: Place
    pips: Count

    def ways(self, now: Moment[War]) -> tuple[tuple[Place, ...], bool]:
        """Return where the party may go, and whether it may stay."""
        size = _goers(now.state, self.seat, self.place)
        return ends(now, self.seat, self.place, self.pips, size) if size else ((), True)

    def question(self, now: Moment[War]) -> Question | None:
        fit, stays = self.ways(now)
        if len(fit) + stays < 2:
            return None
        prompt = f"choose where the party goes by {self.pips}: {', '.join(fit)}"
        return Question(
            "travel", (self.seat,), (Travel, Stay), ("QD-6.2", "QD-6.4", "QD-6.5", "QD-H34"), prompt
        )

    def offers(self, now: Moment[War], seat: Seat) -> Iterator[Offer]:
        fit, stays = self.ways(now)
        yield Offer(Travel, {"target": OneOf(fit)})
        if stays:
            yield Offer(Stay)

    def silence(self, now: Moment[War], seat: Seat) -> Command[War]:
        """Return the first space in peace, nearer the lair if there are two; or to stay."""
        fit, stays = self.ways(now)
        return Stay() if stays else Travel(next(to for to in fit if is_peaceful(now.state, seat, to)))

    def by_itself(self, now: Moment[War]) -> Iterator[tuple[Seat, Command[War]]]:
        """Yield the only way there is, or to stay."""
        fit, _ = self.ways(now)
        yield self.seat, Travel(fit[0]) if fit else Stay()

    def play(self, tale: Tale[War]) -> None:
        """Go the only way there is, or stay."""
        fit, _ = self.ways(tale)
        if fit:
            tale.done()
            _arrive(tale, self.seat, self.place, fit[0])
        else:
            _stay(tale, self.seat, self.place)


def _arrive(tale: Tale[War], seat: Seat, place: Place, target: Place) -> None:
    """Tell that a party comes to a place with its items, and lay what awaits it there."""
    war = tale.state
    army = war.armies.get(target)
    attacks = army is not None and army.seat != seat
    how = "party" if attacks else ""
    if place in SPACE_OF:
        because: tuple[SectionRef, ...] = ("QD-6.2",) if target in SPACE_OF else ("QD-6.5",)
        party = war.armies[place]
        tale.tell(UnitsMoved(seat, place, target, party.units, party.dragonlords, how=how, because=because))
        if target in SPACE_OF:
            take_along(tale, seat, place, target, ("QD-8.1",))
        else:
            store_items(tale, seat, place)
    else:
        _enter(tale, seat, place, target, how)
    if target not in SPACE_OF:
        _come_out(tale, seat, target, empty=army is None)
    elif army is not None and attacks:
        contend(tale, seat, target, army.seat)
    else:
        visit(tale, seat, target)


def _enter(tale: Tale[War], seat: Seat, origin: Place, target: Place, how: str) -> None:
    """Tell that a new party goes in; a ship that all have left waits at the village (QD-6.1, QD-H39)."""
    new = tale.state.recruits
    assert new is not None
    there = chips_at(tale.state, seat, origin)
    chips = tuple(name for name in new.chips if name in there)
    send(tale, seat, origin, target, new.units, 0, chips, how=how, because=("QD-6.1", "QD-6.2"))
    stored = tale.state.items.get(seat, {})
    taken = {item: min(count, stored.get(item, 0)) for item, count in new.items.items() if stored.get(item)}
    if taken:
        tale.tell(ItemsMoved(seat, shade(seat, target), taken, because=("QD-6.1", "QD-8.1")))
    tale.tell(PartyEntered(seat, target, because=("QD-6.1", "QD-6.2")))
    if origin in ZONES:
        settle_ships(tale, seat, origin)


def _come_out(tale: Tale[War], seat: Seat, target: Place, *, empty: bool) -> None:
    """Tell what a party finds that has left the Wastelands: an empty territory is its own, a waiting ship has a crew."""
    if target in ZONES:
        settle_ships(tale, seat, target)
    elif empty:
        claimed(tale, seat, target)


def contend(tale: Tale[War], seat: Seat, place: Place, enemy: Seat) -> None:
    """Tell that a party attacks another, and lay the battle (QD-6.4, QD-9.1)."""
    tale.tell(BattleBegan(place, seat, enemy, "quest", because=("QD-6.4", "QD-9.1")))
    tale.then(Round(), Contending(seat, place))


COMMANDS = (Travel, Stay)
STEPS = (SettingOut, Travelling)
