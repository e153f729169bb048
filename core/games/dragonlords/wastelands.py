"""Phase 3, quests (QD-6): parties are formed and sent into the Wastelands, or moved on; `travelling.py` has the way."""

from collections.abc import Iterator
from typing import Annotated, Any, ClassVar

from msgspec import field, structs

from core.asking import Offer, OneOf, Pick, Question
from core.refusal import Refusal
from core.rules import Command, word
from core.telling import Moment, Tale
from events.counting import plural
from events.event import Count, Seat, SectionRef

from .board import SPACE_OF, TERRITORIES
from .encounter import Encounter
from .forces import Carrying, DragonLords, Force, From, Leading, Units, bearings, forbids_force, sizes
from .items import forbids_items
from .movement import bears, going_along, shown_at
from .parties import (
    MOST,
    PartyLed,
    PartySetOut,
    parties_of,
    party_at,
    road_of,
)
from .phases import EndPhase, Phase
from .roads import GATES, may_enter_from
from .spellbook import king_of
from .state import Army, ChipId, Place, War, chips_at, is_shaded
from .travelling import SettingOut, contend

__all__ = [
    "COMMANDS",
    "STEPS",
    "MoveParty",
    "Questing",
    "SendParty",
]


def is_free(now: Moment[War], road: str) -> bool:
    """Return whether a party may still move in a Wasteland this turn (QD-6.3, QD-X80)."""
    moved = [name for name in now.state.ready if name.startswith("party:")]
    return not moved if now.answer("QD-X80") == "one_in_all" else f"party:{road}" not in moved


def _sendable(army: Army, origin: Place) -> int:
    """Return how many may leave a place for a quest: one stays in a territory."""
    return army.size - (origin in TERRITORIES)


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
    most = min(MOST, units, _sendable(army, origin))
    return Force(units, 0, most, tuple(name for name in on_foot if name != king))


class SendParty(Command[War]):
    """Form a party and send it into the Wastelands: by a bridge or pass, or from a ship at a village (QD-6.1).

    `leading` are the wizards that go along, `carrying` the treasures and the decoy, `items` what it takes from the store.
    """

    WHEN = ("QD-6.1", "QD-4.1")

    origin: From
    units: Units
    leading: Leading = ()
    carrying: Carrying = ()
    items: Annotated[dict[str, Count], word("taking")] = field(default_factory=dict)
    dragonlords: DragonLords = 0
    """None goes; it can be said, so that the rules can say why not."""

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
        if self.dragonlords:
            text = "A DragonLord goes on no quest: the Wastelands are closed to it."
            yield Refusal("no_dragonlord_there", ("QD-6.1", "QD-X71"), text, {"place": self.origin})
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
            yield from self._forbids_recruits(war, seat, army)
        yield from forbids_items(war, seat, self.items)

    def _forbids_recruits(self, war: War, seat: Seat, army: Army) -> Iterator[Refusal]:
        """Refuse units that are not there, and all of them where one bears the king: from a ship all others may go (QD-6.1)."""
        force = recruits_in(war, seat, self.origin)
        everybody = structs.replace(force, units=army.units, most=_sendable(army, self.origin))
        yield from forbids_force(
            war, seat, self.origin, everybody, self.units, 0, self.leading, self.carrying, ("QD-6.1",),
            self._led(war, seat),
        )  # fmt: skip
        if force.units < self.units <= army.units:
            yield Refusal(
                "no_king_there",
                ("QD-6.1", "QD-14.2"),
                f"The king of {seat} never enters the Wastelands: of {plural(army.units, 'unit')} in {self.origin} at most "
                f"{force.units} may go, and not his.",
                {"most": force.units, "units": self.units},
                secret=not war.chips[king_of(seat)].shown,
            )

    def _led(self, war: War, seat: Seat) -> tuple[ChipId, ...]:
        king = king_of(seat)
        lies = war.chips.get(king)
        stays = (king,) if lies is not None and (lies.seat, lies.place) == (seat, self.origin) else ()
        return going_along(war, seat, self.origin, self.units, 0, self.leading, apart=stays)

    def tells(self, tale: Tale[War], seat: Seat) -> None:
        """Tell that the party is formed, and ask for the die; what goes along hidden, its owner alone knows."""
        war, origin = tale.state, self.origin
        because: tuple[SectionRef, ...] = ("QD-6.1", "QD-6.3")
        tale.tell(
            PartySetOut(seat, origin, GATES[origin].road, self.units, dict(self.items), because=because)
        )
        if is_shaded(war, seat, origin) or shown_at(war, seat, origin):
            tale.tell(PartyLed(seat, (*self._led(war, seat), *self.carrying), because=("QD-6.1", "QD-H42")))
        tale.become(SettingOut(seat, origin), tale.top)


class MoveParty(Command[War]):
    """Move the party that stands in a place (QD-6.2)."""

    WHEN = ("QD-6.2", "QD-6.3", "QD-4.1")

    SEALS: ClassVar[bool] = False

    place: Place

    def forbids(self, now: Moment[War], seat: Seat) -> Iterator[Refusal]:
        """Refuse a place without a party of one's own, a second move in a Wasteland, and a DragonLord (QD-6.2, QD-6.3)."""
        party = party_at(now.state, seat, self.place)
        if party is None:
            theirs = ", ".join(parties_of(now.state, seat)) or "nowhere"
            yield Refusal(
                "no_party_there",
                ("QD-6.2",),
                f"{seat} has no party in {self.place}; its parties stand {theirs}.",
                {"place": self.place},
            )
            return
        if party.dragonlords:
            yield Refusal(
                "dragonlord_waits",
                ("QD-6.1", "QD-6.13"),
                f"The DragonLord in {self.place} goes on no quest: it leaves in phase 5, and its party waits for that.",
                {"place": self.place},
            )
        yield from _forbids_second(now, road_of(self.place))

    def tells(self, tale: Tale[War], seat: Seat) -> None:
        """Tell that the party is about to move, and ask for the die."""
        tale.tell(PartySetOut(seat, self.place, road_of(self.place), because=("QD-6.2", "QD-6.3")))
        tale.become(SettingOut(seat, self.place), tale.top)


def movable(now: Moment[War], seat: Seat) -> Iterator[Place]:
    """Yield where the parties stand that may move now; one with a DragonLord waits for phase 5 (QD-6.3, QD-6.13)."""
    for place in parties_of(now.state, seat):
        if is_free(now, road_of(place)) and not now.state.armies[place].dragonlords:
            yield place


def _forbids_second(now: Moment[War], road: str) -> Iterator[Refusal]:
    if not is_free(now, road):
        yield Refusal(
            "party_moved_already",
            ("QD-6.3", "QD-X80"),
            f"A party has moved in {road} already this turn.",
            {"road": road},
            waivable=True,
        )


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
        return any(True for _ in movable(now, seat))

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
                    led = {"units": size["units"], "leading": size["leading"]}
                    yield Offer(SendParty, {**going, **led})
        able = tuple(movable(now, seat))
        if able:
            yield Offer(MoveParty, {"place": OneOf(able)})
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
            contend(tale, self.seat, place, army.seat)


def _open_fight(war: War) -> Place:
    """Return where a party is to fight another or a monster, by a position or correction; empty when nowhere."""
    if war.battle is not None:
        return war.battle.place if war.battle.kind == "monster" else ""
    return next((place for place in war.columns if place in SPACE_OF), "")


COMMANDS = (SendParty, MoveParty)
STEPS = (Questing,)
