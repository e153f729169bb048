"""The state of a war: who stands where, what is hidden under whom, whose turn it is, and the battle that is being fought.

Places are the ids of territories, sea zones and Wasteland spaces. A state can be a seat's view: then hidden chips,
hands and bids that the seat may not know are simply not in it, and everything public still is.
"""

from collections.abc import Mapping
from typing import Annotated, Final

from msgspec import Struct, field

from core.rules import named
from core.state import State
from core.table import Table
from events.event import Seat

from .board import TUNDRA
from .once import worked_out_once

__all__ = [
    "DRAGONLORD",
    "MOST_ABOARD",
    "MOST_DRAGONLORDS",
    "MOST_SHIPS",
    "PHASES",
    "RACES",
    "Army",
    "Battle",
    "Chip",
    "Column",
    "Muster",
    "Recruits",
    "UnitKind",
    "User",
    "War",
    "by_stack",
    "chips_at",
    "column_size",
    "dragonlords_of",
    "is_shaded",
    "is_treasure",
    "shade",
    "start",
    "units_of",
]

Place = Annotated[str, named("place")]
ChipId = Annotated[str, named("chip")]
"""`orc.king`, `orc.wizard.1`, `orc.blank`, or a treasure's id such as `ring_of_hope`."""
User = Annotated[str, named("user")]
"""Who or what works magic: a chip, a DragonLord figure, `dragonlord`, or an item such as `potion`."""
UnitKind = Annotated[str, named("kind")]
"""What a unit is where units are told apart: `unit`, `dragonlord` or its chip; a way into battle may follow, `unit.ship`."""

DRAGONLORD: Final = "dragonlord"
"""The spell user who is no chip: a DragonLord figure."""
RACES: Final[Mapping[Seat, int]] = {"orc": 3, "elf": 3, "dwarf": 3, "barbarian": 4}
"""The attack value of each race (QD-1.2)."""
PHASES: Final = ("buy", "sea", "quest", "combat", "transfer", "income", "reinforce")
"""The seven phases of a turn in their order (QD-4.1)."""
MOST_ABOARD: Final = 8
"""How many units a ship carries (QD-5.1, QD-H12)."""
MOST_DRAGONLORDS: Final = 4
"""How many DragonLords there are (QD-1.3, QD-H6)."""
SNEAKS: Final = "elf"
"""The race that makes sneak attacks (QD-12.1)."""
MOST_SHIPS: Final = 8
"""How many ships there are (QD-1.3, QD-H8)."""


class Army(Struct, frozen=True, gc=False, omit_defaults=True):
    """The units of one seat in one place: ordinary ones (those that bear chips among them) and DragonLord figures."""

    seat: Seat
    units: int = 0
    dragonlords: int = 0

    @property
    def size(self) -> int:
        """How many units in all, DragonLords among them."""
        return self.units + self.dragonlords


class Column(Struct, frozen=True, gc=False, omit_defaults=True):
    """Attackers that came into an enemy place from one origin and have not yet won it.

    `how` is the way they came: walk, teleportal, teleport, ship, party or sneak; it decides who may retreat (QD-17.1).
    """

    seat: Seat
    origin: Place
    units: int = 0
    dragonlords: int = 0
    how: str = "walk"

    @property
    def size(self) -> int:
        """How many units in all, DragonLords among them."""
        return self.units + self.dragonlords


class Chip(Struct, frozen=True, gc=False, omit_defaults=True):
    """A gold chip under a unit: whose, where, whether everybody knows it lies there, and whether under a DragonLord.

    `way` is the way its column came, as `Column.how`; empty in the army that holds the place.
    """

    seat: Seat
    place: Place
    shown: bool = False
    on_dragonlord: bool = False
    way: str = ""


class Muster(Struct, frozen=True, gc=False, omit_defaults=True):
    """How many units of a seat ever came into the game, and how many were lost: the board must hold the difference."""

    raised: int = 0
    lost: int = 0


class Battle(Struct, frozen=True, gc=False, omit_defaults=True):
    """The battle that is being fought: where, by whom, which round, and what this round has brought so far.

    `kind` is land, sea, sneak, quest (party against party) or monster, where the attacker is the monster by its name and
    the defender the party. `cast` holds the spells and treasures that work this round, as `<seat>:<id>`;
    `used` what made its spell attack this round: a wizard's chip or a treasure's, `<seat>:dragonfire` once for each
    DragonLord, `<seat>:elixir` where a party has drunk; `fled` how many defenders left this round. Hits not yet taken as losses stand in `War.struck`.
    """

    place: Place
    attacker: Seat
    defender: Seat
    kind: str = "land"
    round: int = 1
    cast: tuple[str, ...] = ()
    used: tuple[str, ...] = ()
    fled: int = 0
    hurt: int = 0
    """How many hits the monster has taken."""
    poisoned: int = 0
    """How many units of the party are webbed or poisoned: they strike no more (QD-9.3)."""


class Recruits(Struct, frozen=True, gc=False, omit_defaults=True):
    """A party that is about to set out: it still stands where it was formed, and the die is not yet cast (QD-6.2)."""

    seat: Seat
    origin: Place
    units: int
    items: Mapping[str, int] = field(default_factory=dict)
    chips: tuple[ChipId, ...] = ()
    """The wizards, treasures and decoy that go along, as far as the reader of this state knows."""


class War(State, frozen=True, gc=False, kw_only=True):
    """A whole game of Quest for the DragonLords."""

    seats: tuple[Seat, ...] = ()
    allies: Mapping[Seat, Seat] = field(default_factory=dict)
    """The other army of the same player, where each leads two (QD-23.1)."""
    length: str = "usual"
    """Which game is played: usual, short or long (QD-23.2, QD-23.3)."""
    tundra: frozenset[Place] = frozenset()
    """The territories that nobody enters: none but in the short game (QD-23.2)."""
    armies: Mapping[Place, Army] = field(default_factory=dict)
    """Who holds each place; a place that nobody holds is not in it."""
    columns: Mapping[Place, tuple[Column, ...]] = field(default_factory=dict)
    """Attackers in enemy places, until the battle there is over."""
    chips: Mapping[ChipId, Chip] = field(default_factory=dict)
    """Where chips lie, as far as the reader of this state knows."""
    shades: frozenset[str] = frozenset()
    """The stacks that may hide a face-down chip, as `seat@place`: public, whatever lies there (QD-H42)."""
    hoards: Mapping[Seat, int] = field(default_factory=dict)
    """How many treasures each seat has gained and still has, hidden or shown: public."""
    spells: Mapping[ChipId, tuple[str, ...]] = field(default_factory=dict)
    """What each wizard can do; the pegs of the reference card are open."""
    gold: Mapping[Place, int] = field(default_factory=dict)
    """Gold in the kingdoms."""
    hands: Mapping[Seat, tuple[str, ...]] = field(default_factory=dict)
    """Scrolls, as far as the reader knows them."""
    held: Mapping[Seat, int] = field(default_factory=dict)
    """How many scrolls each seat holds: public."""
    scrolls_used: tuple[str, ...] = ()
    items: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """Items by whose store (a seat) or which party (its stack, `seat@place`) holds them."""
    fleets: Mapping[Place, int] = field(default_factory=dict)
    """Ships in sea zones, sailing for whoever mans the zone."""
    raiders: Mapping[Place, int] = field(default_factory=dict)
    """Ships of the attackers in an enemy's zones and harbours, until the battle there is over (QD-11.1, QD-H39)."""
    docked: Mapping[Place, int] = field(default_factory=dict)
    """Empty ships in the harbours of territories, and of villages: those lie in a sea zone and are nobody's (QD-H39)."""
    sailed: Mapping[Place, tuple[int, ...]] = field(default_factory=dict)
    """How many zones the ships in a place have sailed in this phase, of those that have (QD-H28)."""
    sunk: int = 0
    """How many ships have been lost (QD-H44)."""
    muster: Mapping[Seat, Muster] = field(default_factory=dict)
    turn: int = 0
    active: Seat = ""
    phase: str = ""
    ready: tuple[str, ...] = ()
    """What has been done in this phase that may be done once, as `<what>:<who>`."""
    spent: Mapping[Place, int] = field(default_factory=dict)
    """How many units of the active seat in a place may fight no more this turn (retreated, marched, sneaked)."""
    fought: Mapping[Place, int] = field(default_factory=dict)
    """How many units of the active seat in a place have fought this turn (they can't march)."""
    sneaked: Mapping[Place, int] = field(default_factory=dict)
    """How many units of the active seat in a place have made their sneak attack of this turn (QD-12.2)."""
    moved: Mapping[Place, int] = field(default_factory=dict)
    """How many ordinary units of the active seat in a place have moved in this phase, or marched (QD-H28)."""
    moved_dragonlords: Mapping[Place, int] = field(default_factory=dict)
    """How many DragonLords of the active seat in a place have moved in this phase, or marched (QD-H28)."""
    tired: tuple[ChipId, ...] = ()
    """Chips whose unit has moved in this phase, or marched, as far as the reader of this state knows."""
    bought: Mapping[str, int] = field(default_factory=dict)
    """What was bought and is not yet placed, as `<seat>.unit` and `<seat>.ship`."""
    battle: Battle | None = None
    struck: Mapping[str, int] = field(default_factory=dict)
    """Hits that a stack, `seat@place`, has taken and not yet paid with losses; more than its units is no fault."""
    fallen: tuple[Seat, ...] = ()
    """Seats whose king has been lost (QD-22.1)."""
    quest_discard: tuple[str, ...] = ()
    """The quest cards that were read since the deck was last shuffled, in that order (QD-H5)."""
    recruits: Recruits | None = None
    picked: ChipId = ""
    """The treasure that was drawn and not yet put under a unit, as far as the reader of this state knows (QD-6.11)."""
    won: int = 0
    """How much gold the active seat has won on quests this turn: it is spent from its next turn on (QD-6.11)."""
    slain: int = 0
    """How many DragonLords have been lost (QD-H44)."""


def shade(seat: Seat, place: Place) -> str:
    """Return the name under which `War.shades` marks a stack that may hide a face-down chip."""
    return f"{seat}@{place}"


def is_shaded(war: War, seat: Seat, place: Place) -> bool:
    """Return whether a stack may hide a face-down chip, as everybody knows."""
    return f"{seat}@{place}" in war.shades


def is_treasure(chip: ChipId) -> bool:
    """Return whether a chip is a treasure: the chips of kings, wizards and decoys begin with their seat."""
    return "." not in chip


def column_size(war: War, seat: Seat, place: Place) -> int:
    """Return how many units of a seat stand in a place as attackers, DragonLords among them."""
    return sum(column.size for column in war.columns.get(place, ()) if column.seat == seat)


def units_of(war: War, seat: Seat, place: Place) -> int:
    """Return how many units of a seat stand in a place, holding it or attacking it, DragonLords among them."""
    army = war.armies.get(place)
    if army is not None and army.seat == seat:
        return army.units + army.dragonlords
    return column_size(war, seat, place) if place in war.columns else 0


def dragonlords_of(war: War, seat: Seat, place: Place) -> int:
    """Return how many DragonLords of a seat stand in a place, holding it or attacking it."""
    army = war.armies.get(place)
    if army is not None and army.seat == seat:
        return army.dragonlords
    return sum(column.dragonlords for column in war.columns.get(place, ()) if column.seat == seat)


def chips_at(war: War, seat: Seat, place: Place) -> Mapping[ChipId, Chip]:
    """Return the chips of a seat in a place that the reader of this state knows, in the order of their names.

    The order in which a reader learned of them is his own, so nothing that he is told may depend on it.
    """
    return by_stack(war.chips).get((seat, place), _NO_CHIPS)


_NO_CHIPS: Final[Mapping[ChipId, Chip]] = {}
_Stacks = dict[tuple[Seat, Place], dict[ChipId, Chip]]


@worked_out_once
def by_stack(chips: Mapping[ChipId, Chip]) -> _Stacks:
    """Return chips by whose they are and where, each stack in the order of their names."""
    stacks: _Stacks = {}
    for name in sorted(chips):
        chip = chips[name]
        stacks.setdefault((chip.seat, chip.place), {})[name] = chip
    return stacks


def start(table: Table) -> War:
    """Return the empty board for the seats at a table."""
    length = table.options.get("length", "usual")
    return War(
        seats=table.seats,
        allies={seat: other for own in table.players for seat, other in zip(own, own[::-1], strict=True)},
        length=length,
        tundra=TUNDRA if length == "short" else frozenset(),
        muster={seat: Muster() for seat in table.seats},
    )
