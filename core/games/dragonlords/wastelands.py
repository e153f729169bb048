"""Phase 3, quests (QD-6): parties are formed, set out, move by the die, meet, and leave the Wastelands.

A new party is formed where it stands; only when the die is cast and a way chosen do units, chips and items go.
"""

from collections.abc import Iterator
from typing import Annotated, Any, ClassVar

from msgspec import field

from core.asking import Offer, OneOf, Pick, Question
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
from .encounter import Encounter
from .ending import claimed
from .forces import Carrying, Force, From, Leading, Units, bearings, forbids_force, send, sizes
from .items import ItemsMoved, forbids_items, store_items, take_along
from .movement import bears, shown_at
from .parties import (
    MOST,
    PartyEntered,
    PartyLed,
    PartySetOut,
    PartyStayed,
    parties_of,
    party_at,
    road_of,
)
from .phases import EndPhase, Phase
from .places import visit
from .quest_combat import Contending
from .roads import GATES, ends, is_peaceful, may_enter_from
from .spellbook import king_of
from .state import Place, War, chips_at, is_shaded, shade

__all__ = [
    "COMMANDS",
    "STEPS",
    "MoveParty",
    "Questing",
    "SendParty",
    "SettingOut",
    "Stay",
    "Travel",
    "Travelling",
]


def is_free(now: Moment[War], road: str) -> bool:
    """Return whether a party may still move in a Wasteland this turn (QD-6.3, QD-X80)."""
    moved = [name for name in now.state.ready if name.startswith("party:")]
    return not moved if now.answer("QD-X80") == "one_in_all" else f"party:{road}" not in moved


def recruits_in(war: War, seat: Seat, origin: Place) -> Force:
    """Return who may form a party: six at most, on foot, no king; a unit stays, but from ships all may go (QD-6.1)."""
    army = war.armies.get(origin)
    if army is None or army.seat != seat:
        return Force(0, 0, 0)
    on_foot = [
        name for name, chip in chips_at(war, seat, origin).items() if bears(name) and not chip.on_dragonlord
    ]
    king = king_of(seat)
    units = army.units - (king in on_foot)
    most = min(MOST, units, army.size - (origin in TERRITORIES))
    return Force(units, 0, most, tuple(name for name in on_foot if name != king))


class SendParty(Command[War]):
    """Form a party and send it into the Wastelands: by a bridge or pass, or from a ship at a village (QD-6.1).

    `leading` are the wizards that go along, `carrying` the treasures and the decoy, `items` what it takes from the store.
    """

    origin: From
    units: Units
    leading: Leading = ()
    carrying: Carrying = ()
    items: Annotated[dict[str, Count], word("taking")] = field(default_factory=dict)

    def forbids(self, now: Moment[War], seat: Seat) -> Iterator[Refusal]:
        """Refuse places without a way in, a second move in a Wasteland, kings, and more than six (QD-6.1, QD-6.3)."""
        war, because = now.state, ("QD-6.1",)
        army = war.armies.get(self.origin)
        if self.origin not in GATES or army is None or army.seat != seat:
            yield Refusal(
                "no_way_in",
                because,
                f"{seat} sends no party from {self.origin}; ways into the Wastelands begin in {', '.join(GATES)}.",
                {"place": self.origin},
            )
            return
        yield from _forbids_second(now, GATES[self.origin].road)
        if self.units > MOST:
            yield Refusal(
                "party_too_large",
                because,
                f"A party has {MOST} units at most, not {self.units}.",
                {"most": MOST, "units": self.units},
            )
        elif king_of(seat) in self.leading:
            yield Refusal(
                "no_king_there", ("QD-6.1", "QD-14.2"), f"The king of {seat} never enters the Wastelands."
            )
        else:
            force = recruits_in(war, seat, self.origin)
            yield from forbids_force(
                war, seat, self.origin, force, self.units, 0, self.leading, self.carrying, because
            )
        yield from forbids_items(war, seat, self.items)

    def tells(self, tale: Tale[War], seat: Seat) -> None:
        """Tell that the party is formed, and ask for the die; what goes along hidden, its owner alone knows."""
        war, origin = tale.state, self.origin
        because: tuple[SectionRef, ...] = ("QD-6.1", "QD-6.3")
        tale.tell(
            PartySetOut(seat, origin, GATES[origin].road, self.units, dict(self.items), because=because)
        )
        if is_shaded(war, seat, origin) or shown_at(war, seat, origin):
            tale.tell(PartyLed(seat, (*self.leading, *self.carrying), because=("QD-6.1", "QD-H42")))
        tale.become(SettingOut(seat, origin), tale.top)


class MoveParty(Command[War]):
    """Move the party that stands in a place (QD-6.2)."""

    SEALS: ClassVar[bool] = False

    place: Place

    def forbids(self, now: Moment[War], seat: Seat) -> Iterator[Refusal]:
        """Refuse a place without a party of one's own, and a second move in a Wasteland (QD-6.2, QD-6.3)."""
        if party_at(now.state, seat, self.place) is None:
            theirs = ", ".join(parties_of(now.state, seat)) or "nowhere"
            yield Refusal(
                "no_party_there",
                ("QD-6.2",),
                f"{seat} has no party in {self.place}; its parties stand {theirs}.",
                {"place": self.place},
            )
            return
        yield from _forbids_second(now, road_of(self.place))

    def tells(self, tale: Tale[War], seat: Seat) -> None:
        """Tell that the party is about to move, and ask for the die."""
        tale.tell(PartySetOut(seat, self.place, road_of(self.place), because=("QD-6.2", "QD-6.3")))
        tale.become(SettingOut(seat, self.place), tale.top)


def _forbids_second(now: Moment[War], road: str) -> Iterator[Refusal]:
    if not is_free(now, road):
        yield Refusal(
            "party_moved_already",
            ("QD-6.3", "QD-X80"),
            f"A party has moved in {road} already this turn.",
            {"road": road},
            waivable=True,
        )


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
    if (war.active, war.phase) != (seat, "quest"):
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

    SEALS: ClassVar[bool] = False

    target: Annotated[Place, word("to")]

    def forbids(self, now: Moment[War], seat: Seat) -> Iterator[Refusal]:
        """Refuse where the roll does not lead, and spaces full of friends (QD-6.2, QD-6.5, QD-H3, QD-H34)."""
        fit, _ = now.state.agenda[-1].step.ways(now)
        if self.target not in fit:
            yield Refusal(
                "not_by_this_roll",
                ("QD-6.2", "QD-6.5", "QD-H3", "QD-H34"),
                f"The roll does not lead to {self.target}; it leads to {' or '.join(fit) or 'no place with room'}.",
                {"place": self.target},
            )

    def tells(self, tale: Tale[War], seat: Seat) -> None:
        """Tell that the party comes there, and what awaits it."""
        place = tale.top.place
        tale.done()
        _arrive(tale, seat, place, self.target)


class Stay(Command[War]):
    """Let the party stay where it is, a new one at home: no space is open to it in peace (QD-6.4, QD-H34)."""

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
        tale.tell(BattleBegan(target, seat, army.seat, "quest", because=("QD-6.4", "QD-9.1")))
        tale.then(Round(), Contending(seat, target))
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


class Questing(Phase):
    """Phase 3: send parties into the Wastelands and move those that are there, until the seat ends the phase (QD-6)."""

    def question(self, now: Moment[War]) -> Question | None:
        if not self.is_on(now, "quest") or _open_fight(now.state) or not self._can_act(now):
            return None
        prompt = "send a party into the Wastelands, move one, or go on"
        return self.asks("quest", SendParty, MoveParty, EndPhase, prompt=prompt, because="QD-6.3")

    def _can_act(self, now: Moment[War]) -> bool:
        """Return whether a party may set out or move, as far as everybody knows."""
        war, seat = now.state, self.seat
        for origin, gate in GATES.items():
            if may_enter_from(war, seat, origin) and is_free(now, gate.road):
                return True
        return any(is_free(now, road_of(place)) for place in parties_of(war, seat))

    def offers(self, now: Moment[War], seat: Seat) -> Iterator[Offer]:
        war = now.state
        stored = dict(war.items.get(seat, {}))
        items = Pick(stored, 0, sum(stored.values()))
        for origin, gate in GATES.items():
            if may_enter_from(war, seat, origin) and is_free(now, gate.road):
                going: dict[str, Any] = {
                    "origin": origin,
                    "carrying": bearings(war, seat, origin),
                    "items": items,
                }
                for size in sizes(recruits_in(war, seat, origin)):
                    del size["dragonlords"]
                    yield Offer(SendParty, going | size)
        movable = tuple(place for place in parties_of(war, seat) if is_free(now, road_of(place)))
        if movable:
            yield Offer(MoveParty, {"place": OneOf(movable)})
        yield Offer(EndPhase)

    def play(self, tale: Tale[War]) -> None:
        """Fight what a position or correction left open in the Wastelands; else nothing is left to do."""
        place = _open_fight(tale.state) if self.is_on(tale, "quest") else ""
        if not place:
            tale.done()
            return
        battle, army = tale.state.battle, tale.state.armies.get(place)
        if battle is not None:
            tale.then(Encounter(self.seat, place))
        elif army is not None:
            tale.tell(BattleBegan(place, self.seat, army.seat, "quest", because=("QD-6.4", "QD-9.1")))
            tale.then(Round(), Contending(self.seat, place))


def _open_fight(war: War) -> Place:
    """Return where a party is to fight another or a monster, by a position or correction; empty when nowhere."""
    if war.battle is not None:
        return war.battle.place if war.battle.kind == "monster" else ""
    return next((place for place in war.columns if place in SPACE_OF), "")


COMMANDS = (SendParty, MoveParty, Travel, Stay)
STEPS = (Questing, SettingOut, Travelling)
