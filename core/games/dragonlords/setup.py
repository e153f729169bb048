"""The setup (QD-3): what each player takes, who begins, and where the armies stand; `hiding.py` has the chips, ship and gold."""

from collections.abc import Iterator
from functools import cache

from msgspec import structs

from core.asking import Offer, OneOf, Question
from core.refusal import Refusal
from core.rules import Command, Fact, Step
from core.seats import CHANCE
from core.telling import Moment, Tale
from events.chance import Draw, Names, Roll
from events.event import Count, Face, Seat

from .armies import UnitsPlaced
from .board import KINGDOMS, TERRITORIES, WASTELANDS
from .decks import CardDealt, HandDealt, scrolls_left, scrolls_not_drawn
from .hiding import Hiding
from .holdings import own_places, unclaimed
from .state import Place, War
from .variants import forbids_place, kingdoms_held, kingdoms_on, kingdoms_to_win

__all__ = ["COMMANDS", "FACTS", "STEPS", "begin_setup", "reserve"]


def reserve(now: Moment[War], seat: Seat) -> int:
    """Return how many of its units a seat has still to place in the setup: 35 in all between two players (QD-3.1, QD-X19)."""
    two = len(now.table.players or now.table.seats) == 2 and now.answer("QD-X19") == "thirty_five"
    return (35 if two else 30) - now.state.muster[seat].raised


def after(now: Moment[War], seat: Seat) -> Seat:
    """Return the next seat clockwise."""
    seats = now.table.seats
    return seats[(seats.index(seat) + 1) % len(seats)]


def claimable(now: Moment[War], seat: Seat) -> tuple[Place, ...]:
    """Return the territories that a seat may still claim: no kingdom with which its player would have won (QD-H22)."""
    free, tundra = unclaimed(now.state), now.state.tundra
    if not tundra:
        return free
    wins = _would_win(now, seat)
    return tuple(place for place in free if place not in tundra and not (wins and place in KINGDOMS))


def _would_win(now: Moment[War], seat: Seat) -> bool:
    """Return whether one kingdom more would win the game for the player of a seat."""
    return kingdoms_held(now.state, now.table.seats_of(seat)) + 1 >= kingdoms_to_win(now)


class ItemsGained(Fact[War]):
    """Items came into the store of a seat (QD-3.1)."""

    seat: Seat
    items: dict[str, Count]

    def onto(self, state: War) -> War:
        store = dict(state.items.get(self.seat, {}))
        for item, count in self.items.items():
            store[item] = store.get(item, 0) + count
        return structs.replace(state, items={**state.items, self.seat: store})


class SpellsPegged(Fact[War]):
    """A wizard knows these spells from the start (QD-3.1, QD-14.3)."""

    wizard: str
    spells: tuple[str, ...]

    def onto(self, state: War) -> War:
        return structs.replace(state, spells={**state.spells, self.wizard: self.spells})


class FirstChosen(Fact[War]):
    """The gods chose who begins (QD-3.2)."""

    seat: Seat

    def onto(self, state: War) -> War:
        return structs.replace(state, active=self.seat)


def begin_setup(tale: Tale[War]) -> None:
    """Tell what each player takes, and lay the first step of the setup (QD-3.1)."""
    for seat in tale.table.seats:
        tale.tell(ItemsGained(seat, {"pickaxe": 1, "torch": 1}, because=("QD-3.1",)))
        tale.tell(SpellsPegged(f"{seat}.wizard.1", ("heal", "fireball"), because=("QD-3.1", "QD-14.3")))
    tale.then(Dealing(tale.table.seats[0]))


class Dealing(Step[War]):
    """Deal a scroll to a seat (QD-3.1)."""

    seat: Seat

    def question(self, now: Moment[War]) -> Question | None:
        draw = Draw("scrolls", self.seat)
        return Question("draw", (CHANCE,), (), ("QD-3.1",), f"a scroll for {self.seat}", draw=draw)

    def pool(self, now: Moment[War]) -> tuple[str, ...]:
        return scrolls_left(now.state)

    def dealt(self, tale: Tale[War], card: str) -> None:
        """Tell the draw, and deal to the next seat; the last is followed by the crystal die."""
        left = scrolls_not_drawn(tale.state) - 1
        tale.tell(CardDealt(self.seat, "scrolls", left, because=("QD-3.1",)))
        tale.tell(HandDealt(self.seat, card, because=("QD-3.1",)))
        seats = tale.table.seats
        last = self.seat == seats[-1]
        tale.become(Choosing(seats[0]) if last else Dealing(after(tale, self.seat)))


class Choosing(Step[War]):
    """Roll the crystal die for who begins, the oldest player first; seats sit in that order (QD-3.2)."""

    seat: Seat

    def question(self, now: Moment[War]) -> Question | None:
        roll = Roll("crystal", 1, self.seat, Names(), "who begins")
        return Question("roll", (CHANCE,), (), ("QD-3.2",), f"{self.seat} rolls who begins", roll=roll)

    def rolled(self, tale: Tale[War], faces: tuple[Face, ...]) -> None:
        """Choose the first who is blessed; otherwise the next player rolls."""
        if faces[0] != "yellow":
            tale.become(Choosing(after(tale, self.seat)))
            return
        tale.tell(FirstChosen(self.seat, because=("QD-3.2", "QD-1.5")))
        tale.become(ClaimingKingdom(self.seat))


class Claim(Command[War]):
    """Claim an unoccupied territory: a kingdom with two units first, later any with one (QD-3.3)."""

    WHEN = ("QD-3.3",)

    SEALS = False

    place: Place

    def forbids(self, now: Moment[War], seat: Seat) -> Iterator[Refusal]:
        """Refuse what is no free territory that may be claimed now (QD-3.3)."""
        territory = TERRITORIES.get(self.place)
        if self.place in now.state.tundra:
            yield from forbids_place(now.state, seat, self.place)
        elif territory is None or not territory.setup_allowed:
            yield Refusal(
                "no_start_there",
                ("QD-3.3",),
                f"Nobody begins in {self.place}: units go on land, not on islands, in sea zones or in the Wastelands.",
                {"place": self.place},
                waivable=territory is not None and self.place not in now.state.armies,
            )
        elif self.place in now.state.armies:
            yield Refusal(
                "occupied",
                ("QD-3.3",),
                f"{self.place} is held by {now.state.armies[self.place].seat} already.",
                {"place": self.place},
            )
        elif isinstance(now.state.agenda[-1].step, ClaimingKingdom) and self.place not in KINGDOMS:
            yield Refusal(
                "no_kingdom",
                ("QD-3.3",),
                f"{self.place} is no kingdom; everyone begins in one.",
                {"place": self.place},
                waivable=True,
            )
        elif self.place in KINGDOMS and _would_win(now, seat):
            yield Refusal(
                "wins_at_once",
                ("QD-3.3", "QD-23.2", "QD-H22"),
                f"{kingdoms_to_win(now)} kingdoms win this game, and nobody begins with so many.",
                {"place": self.place},
            )

    def tells(self, tale: Tale[War], seat: Seat) -> None:
        """Tell the units, and go on clockwise."""
        tale.top.claimed(tale, self.place)


class ClaimingKingdom(Step[War]):
    """Put two units into a free kingdom of one's choice (QD-3.3)."""

    seat: Seat

    def question(self, now: Moment[War]) -> Question | None:
        return Question("claim", (self.seat,), (Claim,), ("QD-3.3",), "put two units into a free kingdom")

    def offers(self, now: Moment[War], seat: Seat) -> Iterator[Offer]:
        yield Offer(Claim, {"place": OneOf(free_kingdoms(now.state))})

    def silence(self, now: Moment[War], seat: Seat) -> Claim:
        """Return the first free kingdom on the board."""
        return Claim(free_kingdoms(now.state)[0])

    def claimed(self, tale: Tale[War], place: Place) -> None:
        """Tell the two units; when everyone has a kingdom, the other territories are claimed."""
        tale.tell(UnitsPlaced(self.seat, place, 2, because=("QD-3.3",)))
        upcoming = after(tale, self.seat)
        tale.become(Claiming(upcoming) if upcoming == tale.state.active else ClaimingKingdom(upcoming))


def free_kingdoms(war: War) -> tuple[Place, ...]:
    """Return the kingdoms that nobody holds, in the order of the board."""
    return tuple(place for place in kingdoms_on(war) if place not in war.armies)


@cache
def _rank(place: Place) -> int:
    """Return how early the hint of QD-3.3 claims a territory: 0 gold and kingdoms, 1 the Wastelands, 2 harbours, 3 the rest."""
    territory = TERRITORIES[place]
    if territory.kind in ("gold", "kingdom"):
        return 0
    if any(way.territory == place for road in WASTELANDS.values() for way in road.entrances):
        return 1
    return 2 if territory.harbour_zone else 3


class Claiming(Step[War]):
    """Put one unit on an unoccupied territory, in turn, until all are claimed (QD-3.3)."""

    seat: Seat

    def question(self, now: Moment[War]) -> Question | None:
        if reserve(now, self.seat) and claimable(now, self.seat):
            return Question("claim", (self.seat,), (Claim,), ("QD-3.3",), "claim a territory with one unit")
        return None

    def offers(self, now: Moment[War], seat: Seat) -> Iterator[Offer]:
        yield Offer(Claim, {"place": OneOf(claimable(now, seat))})

    def silence(self, now: Moment[War], seat: Seat) -> Claim:
        """Return the first that the hint names: gold and kingdoms, borders of the Wastelands, harbours, the rest."""
        return Claim(min(claimable(now, seat), key=_rank))

    def claimed(self, tale: Tale[War], place: Place) -> None:
        """Tell the unit; the next seat claims."""
        tale.tell(UnitsPlaced(self.seat, place, 1, because=("QD-3.3",)))
        tale.become(Claiming(after(tale, self.seat)))

    def play(self, tale: Tale[War]) -> None:
        """Go on to the next seat that can claim one; when none can, to the units left over."""
        seats = tale.table.seats
        place = seats.index(self.seat)
        order = (*seats[place + 1 :], *seats[:place])
        able = next((seat for seat in order if reserve(tale, seat) and claimable(tale, seat)), "")
        tale.become(Claiming(able) if able else Adding(self.seat))


class AddUnit(Command[War]):
    """Add one unit to a territory that one holds (QD-3.4)."""

    WHEN = ("QD-3.4",)

    SEALS = False

    place: Place

    def forbids(self, now: Moment[War], seat: Seat) -> Iterator[Refusal]:
        """Refuse a territory that is not one's own (QD-3.4)."""
        army = now.state.armies.get(self.place)
        if army is None or army.seat != seat:
            yield Refusal(
                "not_yours", ("QD-3.4",), f"{seat} does not hold {self.place}.", {"place": self.place}
            )

    def tells(self, tale: Tale[War], seat: Seat) -> None:
        """Tell the unit, and go on clockwise."""
        tale.tell(UnitsPlaced(seat, self.place, 1, because=("QD-3.4",)))
        tale.become(Adding(after(tale, seat)))


class Adding(Step[War]):
    """Add one unit to a territory of one's own, in turn, until nobody has units left (QD-3.4)."""

    seat: Seat

    def question(self, now: Moment[War]) -> Question | None:
        if reserve(now, self.seat):
            return Question(
                "add_unit", (self.seat,), (AddUnit,), ("QD-3.4",), "add a unit to a territory of yours"
            )
        return None

    def offers(self, now: Moment[War], seat: Seat) -> Iterator[Offer]:
        yield Offer(AddUnit, {"place": OneOf(own_places(now.state, seat))})

    def silence(self, now: Moment[War], seat: Seat) -> AddUnit:
        """Return the territory with the fewest units, the first such on the board."""
        armies = now.state.armies
        return AddUnit(min(own_places(now.state, seat), key=lambda place: armies[place].size))

    def play(self, tale: Tale[War]) -> None:
        """Go on to a seat that has units left; when none has, the chips are hidden."""
        if any(reserve(tale, seat) for seat in tale.table.seats):
            tale.become(Adding(after(tale, self.seat)))
        else:
            tale.become(Hiding())


COMMANDS = (Claim, AddUnit)
FACTS = (ItemsGained, SpellsPegged, FirstChosen)
STEPS = (Dealing, Choosing, ClaimingKingdom, Claiming, Adding)
