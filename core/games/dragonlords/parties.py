"""Quest parties (QD-6.1): who stands where in the Wastelands, how many may, and what a party step has in common.

A party is the army of a seat in a space of a road; in a shrine, where several parties stand, in the part of its
people, `WT06.orc`. It moves whole, so a seat has one party in a space at most (QD-H34).
"""

from collections import Counter
from collections.abc import Iterator
from typing import Final

from msgspec import field, structs

from core.asking import Question
from core.rules import Fact, Step
from core.telling import Moment, Tale
from events.counting import plural
from events.event import Count, Seat

from .board import ROADS, SPACE_OF, SPACES
from .soundness import Changes, changes
from .state import Army, Battle, ChipId, Place, Recruits, War, is_treasure
from .treasures import TREASURES

__all__ = [
    "FACTS",
    "MOST",
    "MeetsDragon",
    "OnQuest",
    "PartyEntered",
    "PartyLed",
    "PartySetOut",
    "PartyStayed",
    "drop_quest",
    "kind_of",
    "parties_of",
    "party_at",
    "road_of",
    "room_for",
    "sound_parties",
    "stand",
]

MOST: Final = 6
"""How many units a party has at most, the limit of a space (QD-6.1, QD-H12)."""


def stand(seat: Seat, space: str) -> Place:
    """Return where a party of a seat stands in a space: in a shrine the part of its people (QD-6.8)."""
    return f"{space}.{seat}" if SPACES[space].kind == "shrine" else space


def kind_of(place: Place) -> str:
    """Return the kind of the space of a place: village, quest, witches_den, shrine or dragon_lair (QD-2.8)."""
    return SPACES[SPACE_OF[place]].kind


def road_of(place: Place) -> str:
    """Return the Wasteland that a place lies in."""
    return ROADS[SPACE_OF[place]]


def party_at(war: War, seat: Seat, place: Place) -> Army | None:
    """Return the party that a seat has in a place of the Wastelands, if it has one there."""
    army = war.armies.get(place)
    return army if army is not None and army.seat == seat and place in SPACE_OF else None


def parties_of(war: War, seat: Seat) -> Iterator[Place]:
    """Yield where the parties of a seat stand, in the order of the roads."""
    armies = war.armies
    for place in SPACE_OF:
        if (army := armies.get(place)) is not None and army.seat == seat:
            yield place


def room_for(now: Moment[War], seat: Seat, place: Place) -> int:
    """Return how many more units of a seat a place of the Wastelands holds; of all peoples, if a shrine is so (QD-H35)."""
    armies = now.state.armies
    if kind_of(place) == "shrine" and now.answer("QD-H35") == "six_in_all":
        space = SPACE_OF[place]
        return MOST - sum(army.size for there, army in armies.items() if SPACE_OF.get(there) == space)
    army = armies.get(place)
    return MOST - (army.size if army is not None and army.seat == seat else 0)


class PartySetOut(Fact[War]):
    """A party is about to go: the one that stands in `place`, or `units` recruits from there with items of the store.

    No other party moves in that Wasteland this turn (QD-6.3, QD-X80).
    """

    seat: Seat
    place: Place
    road: str
    units: Count = 0
    items: dict[str, Count] = field(default_factory=dict)

    def onto(self, state: War) -> War:
        recruits = Recruits(self.seat, self.place, self.units, self.items) if self.units else None
        return structs.replace(state, ready=(*state.ready, f"party:{self.road}"), recruits=recruits)


class PartyLed(Fact[War]):
    """Which wizards, treasures and decoy are to go along with a new party, perhaps none; only its owner knows (QD-H42)."""

    seat: Seat
    chips: tuple[ChipId, ...]

    def audience(self) -> tuple[Seat, ...]:
        """Only its owner knows."""
        return (self.seat,)

    def onto(self, state: War) -> War:
        assert state.recruits is not None
        return structs.replace(state, recruits=structs.replace(state.recruits, chips=self.chips))


class PartyEntered(Fact[War]):
    """A new party came into the Wastelands (QD-6.2)."""

    CLAIM = "enters"
    CLAIM_KINDS = ("party",)

    seat: Seat
    place: Place

    def onto(self, state: War) -> War:
        return structs.replace(state, recruits=None)


class PartyStayed(Fact[War]):
    """A party stays where it is, a new one at home: no space that it could come to took it (QD-H34)."""

    seat: Seat
    place: Place

    def onto(self, state: War) -> War:
        return structs.replace(state, recruits=None)


class OnQuest(Step[War]):
    """What every step of a quest has: whose party it is, and where it stands.

    It is over when the party is gone, when the turn has moved on, be it by a correction, and when its king fell: he
    was given up, and vanquished units seek nothing (QD-22.1).
    """

    seat: Seat
    place: Place

    def is_on(self, now: Moment[War]) -> bool:
        """Return whether the party is there, in this phase of its owner's turn."""
        war = now.state
        return (
            war.active == self.seat
            and war.phase == "quest"
            and self.seat not in war.out
            and party_at(war, self.seat, self.place) is not None
        )

    def question(self, now: Moment[War]) -> Question | None:
        return self.asked(now) if self.is_on(now) else None

    def asked(self, now: Moment[War]) -> Question | None:
        """Return what it waits for, given that the party is there."""
        return None

    def play(self, tale: Tale[War]) -> None:
        """Go on, or end where the party is gone."""
        if self.is_on(tale):
            self.go_on(tale)
        else:
            tale.done()

    def go_on(self, tale: Tale[War]) -> None:
        """Go on where nothing is asked, given that the party is there; also after a `Pass`."""
        tale.done()


class MeetsDragon(OnQuest):
    """A step in which a party may meet a dragon, so that a wizard of it can read Charm (QD-16.8, QD-H37)."""

    def meets_dragon(self, now: Moment[War]) -> bool:
        """Return whether it meets one now."""
        raise NotImplementedError

    def charm_by(self, tale: Tale[War], wizard: ChipId) -> None:
        """Go on when a wizard has read Charm."""
        raise NotImplementedError


def drop_quest(tale: Tale[War]) -> None:
    """End what is still open of a quest: the steps on top of the phase (QD-9.1, QD-H32)."""
    while isinstance(tale.top, OnQuest):
        tale.done()


_WASTES: Final = frozenset((*SPACE_OF, *SPACES))
"""All that is called by the name of a space."""


def sound_parties(war: War, before: War | None = None, changed: Changes | None = None) -> Iterator[str]:
    """Say what is wrong in the Wastelands: too many on a space, a DragonLord or king there, treasures too many.

    With a sound war before it, from which it came, only what has changed is looked at.
    """
    changed = changed or changes(war, before)
    for place in sorted((war.armies.keys() if changed.all else changed.places) & _WASTES):
        if place in war.armies:
            yield from _sound_party(war, place, war.armies[place])
    if war.columns and (changed.all or changed.columns):
        for place in war.columns:
            if place in SPACE_OF:
                yield from _sound_attack(war, place)
    if war.battle is not None and war.battle.kind == "monster" and not war.agenda:
        yield from _sound_encounter(war, war.battle)
    if before is not None and war.hoards is before.hoards and war.chips is before.chips and not changed.all:
        return
    for seat in war.seats:
        king = war.chips.get(f"{seat}.king")
        if king is not None and king.place in SPACE_OF:
            yield f"{seat}.king is in {king.place}, but kings never go into the Wastelands (QD-6.1, QD-14.2)"
    yield from _sound_hoards(war)


def _sound_party(war: War, place: Place, army: Army) -> Iterator[str]:
    space = SPACE_OF.get(place)
    if space is None:
        yield f"{place} is a shrine, where each people has a part of its own: {stand(army.seat, place)} (QD-6.8)"
        return
    if army.size > MOST:
        yield f"{army.size} units of {army.seat} are in {place}; a space holds {MOST} (QD-6.1)"
    if place != stand(army.seat, space):
        yield f"{army.seat} stands in {place}, but in a shrine each people has a part of its own: {stand(army.seat, space)} (QD-6.8)"
    if army.dragonlords and not (army.seat == war.active and war.phase in ("quest", "combat", "transfer")):
        yield f"a DragonLord of {army.seat} is in {place} outside phases 3 to 5 of its turn (QD-6.13)"


def _sound_attack(war: War, place: Place) -> Iterator[str]:
    columns = war.columns[place]
    if war.phase != "quest" or kind_of(place) == "shrine":
        yield f"{place} is attacked, but parties fight in phase 3 alone, and never in a shrine (QD-9.1, QD-6.8)"
    if sum(column.size for column in columns) > MOST or any(column.dragonlords for column in columns):
        yield f"{place} is attacked by more than a party: {MOST} units at most, no DragonLord (QD-6.1)"


def _sound_encounter(war: War, battle: Battle) -> Iterator[str]:
    party = war.armies.get(battle.place)
    there = battle.place in SPACE_OF and (party is None or party.seat == war.active == battle.defender)
    if not there or war.phase != "quest":
        yield f"{battle.attacker} fights in {battle.place}: it meets a party in phase 3 of its turn alone (QD-9.2)"


def _sound_hoards(war: War) -> Iterator[str]:
    if sum(war.hoards.values()) > len(TREASURES):
        yield f"there are more than {len(TREASURES)} treasures (QD-7)"
    if not war.agenda:
        return  # a position need not say how many treasures a seat has
    known = Counter(chip.seat for name, chip in war.chips.items() if is_treasure(name))
    for seat, count in sorted(known.items()):
        if count > war.hoards.get(seat, 0):
            yield f"{seat} has {plural(count, 'treasure')}, but gained {war.hoards.get(seat, 0)} (QD-7)"


FACTS = (PartySetOut, PartyLed, PartyEntered, PartyStayed)
