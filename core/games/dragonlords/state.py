"""The state of a war: who stands where, what is hidden under whom, whose turn it is, and the battle that is being fought.

Places are the ids of territories, sea zones and Wasteland spaces. A state can be a seat's view: then hidden chips,
hands and bids that the seat may not know are simply not in it, and everything public still is.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from operator import is_, is_not
from typing import Annotated, Final

from msgspec import Struct, field

from core.rules import named
from core.state import State
from core.table import Table
from events.event import Seat

from .board import HARBOURS, KINGDOMS, PLACES, ZONES

__all__ = [
    "MOST_ABOARD",
    "MOST_SHIPS",
    "PHASES",
    "RACES",
    "Army",
    "Battle",
    "Chip",
    "Column",
    "Muster",
    "Recruits",
    "War",
    "chips_at",
    "column_size",
    "is_shaded",
    "is_treasure",
    "shade",
    "sound",
    "start",
    "units_of",
]

Place = Annotated[str, named("place")]
ChipId = Annotated[str, named("chip")]
"""`orc.king`, `orc.wizard.1`, `orc.blank`, or a treasure's id such as `ring_of_hope`."""

RACES: Final[Mapping[Seat, int]] = {"orc": 3, "elf": 3, "dwarf": 3, "barbarian": 4}
"""The attack value of each race (QD-1.2)."""
PHASES: Final = ("buy", "sea", "quest", "combat", "transfer", "income", "reinforce")
"""The seven phases of a turn in their order (QD-4.1)."""
MOST_ABOARD: Final = 8
"""How many units a ship carries (QD-5.1, QD-H12)."""
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


def chips_at(war: War, seat: Seat, place: Place) -> Mapping[ChipId, Chip]:
    """Return the chips of a seat in a place that the reader of this state knows, in the order of their names.

    The order in which a reader learned of them is his own, so nothing that he is told may depend on it.
    """
    return _by_stack(war.chips).get((seat, place), _NO_CHIPS)


_NO_CHIPS: Final[Mapping[ChipId, Chip]] = {}
_Stacks = dict[tuple[Seat, Place], dict[ChipId, Chip]]
_sorted_last: list[tuple[Mapping[ChipId, Chip], _Stacks]] = []
"""The chips that were asked for last, by stack: chips move seldom, and are asked for often."""


def _by_stack(chips: Mapping[ChipId, Chip]) -> _Stacks:
    for held, stacks in _sorted_last:
        if held is chips:
            return stacks
    stacks = {}
    for name in sorted(chips):
        chip = chips[name]
        stacks.setdefault((chip.seat, chip.place), {})[name] = chip
    _sorted_last[:] = [(chips, stacks), *_sorted_last[:3]]
    return stacks


def start(table: Table) -> War:
    """Return the empty board for the seats at a table."""
    return War(seats=table.seats, muster={seat: Muster() for seat in table.seats})


_NOWHERE: Final = War()
"""The state before all others, in which nothing stands anywhere."""


def sound(war: War, before: War | None = None) -> Iterator[str]:
    """Say what is wrong with a war: places, counts, conservation of units, chips under nobody.

    `before` is a war known to be sound, from which this one came: then only what changed since is looked at.
    """
    before = before or _NOWHERE
    here, there = (war.armies, war.columns, war.battle), (before.armies, before.columns, before.battle)
    stands_still = all(map(is_, here, there))
    if not stands_still or war.muster is not before.muster or war.active != before.active:
        yield from _sound_units(war, before)
    if war.battle is not None:
        yield from _sound_battle(war, war.battle)
    if war.gold is not before.gold or war.held is not before.held or war.hands is not before.hands:
        yield from _sound_stores(war)
    if not stands_still or any(map(is_not, _ships(war), _ships(before))):
        yield from _sound_ships(war)
    if not stands_still or any(map(is_not, _hidden(war), _hidden(before))):
        yield from _sound_chips(war)


def _ships(war: War) -> tuple[object, ...]:
    """Return what the soundness of ships hangs on besides who stands where."""
    return war.fleets, war.raiders, war.docked, war.phase, war.active


def _hidden(war: War) -> tuple[object, ...]:
    """Return what the soundness of chips hangs on besides who stands where."""
    return war.chips, war.shades, bool(war.agenda)


def _sound_units(war: War, before: War) -> Iterator[str]:
    """Say what is wrong with the units that stand elsewhere than before, and where more or fewer were raised or lost."""
    gained: Counter[Seat] = Counter()
    armies, were = war.armies, before.armies
    if armies is not were:
        for place in [place for place, army in were.items() if armies.get(place) is not army]:
            gained[were[place].seat] -= were[place].size
        for place in [place for place, army in armies.items() if were.get(place) is not army]:
            army = armies[place]
            if place not in PLACES:
                yield f"there is no place {place}"
            if army.units < 0 or army.dragonlords < 0 or not army.size:
                yield f"{place} holds {army.units} units and {army.dragonlords} DragonLords of {army.seat}"
            if army.seat not in war.muster:
                yield f"{place} is held by {army.seat}, who does not sit at the table"
            gained[army.seat] += army.size
    for place, columns in war.columns.items():
        for column in columns:
            if (
                column.units < 0
                or column.dragonlords < 0
                or column.size == 0
                or column.seat not in war.muster
            ):
                yield f"{place} is attacked by {column.units} units and {column.dragonlords} DragonLords of {column.seat}"
            else:
                gained[column.seat] += column.size
            if war.active and column.seat != war.active:
                yield f"{column.seat} attacks {place}, but it is the turn of {war.active} (QD-10.1)"
    for columns in before.columns.values():
        for column in columns:
            gained[column.seat] -= column.size
    for seat in {**before.muster, **war.muster}:
        muster, was = war.muster.get(seat, Muster()), before.muster.get(seat, Muster())
        owed = muster.raised - muster.lost - (was.raised - was.lost)
        if gained[seat] != owed:
            yield (
                f"{seat} has {gained[seat] - owed:+} units on the board beside those that it raised and has not lost: "
                f"raised {muster.raised}, lost {muster.lost}"
            )


def _sound_battle(war: War, battle: Battle) -> Iterator[str]:
    army = war.armies.get(battle.place)
    if army is not None and army.seat != battle.defender:
        yield f"{battle.attacker} fights {battle.defender} for {battle.place}, but {army.seat} holds it"
    if any(column.seat != battle.attacker for column in war.columns.get(battle.place, ())):
        yield f"{battle.attacker} fights for {battle.place}, but not all attackers there are his"


def _sound_stores(war: War) -> Iterator[str]:
    for place, gold in war.gold.items():
        if gold < 0 or place not in KINGDOMS:
            yield f"{place} stores {gold} gold; gold lies in kingdoms, and never less than none"
    for seat, held in war.held.items():
        if held < len(war.hands.get(seat, ())):
            yield f"{seat} holds {held} scrolls, fewer than are known"


def _sound_ships(war: War) -> Iterator[str]:
    fleets, raiders, docked = war.fleets, war.raiders, war.docked
    if fleets or raiders or docked:
        if sum(fleets.values()) + sum(raiders.values()) + sum(docked.values()) > MOST_SHIPS:
            yield f"there are more than {MOST_SHIPS} ships (QD-1.3)"
        for place, count in (*fleets.items(), *raiders.items(), *docked.items()):
            if count < 0:
                yield f"{place} has {count} ships, fewer than none"
        for place in fleets:
            if place not in ZONES:
                yield f"ships sail in {place}, which is no sea zone (QD-2.7)"
        for place in raiders:
            if place not in war.columns and (war.battle is None or war.battle.place != place):
                yield f"ships of attackers are in {place}, and no attackers (QD-11.1)"
        for place in (*docked, *raiders):
            if place not in HARBOURS and (place not in ZONES or place in docked):
                yield f"a ship is docked in {place}, which has no harbour (QD-2.7)"
    manned = {*war.armies, *war.columns, *fleets, *raiders}.intersection(ZONES)
    for zone in sorted(manned):
        yield from _sound_zone(war, zone, war.armies.get(zone), war.columns.get(zone, ()))


def _sound_zone(war: War, zone: Place, army: Army | None, columns: tuple[Column, ...]) -> Iterator[str]:
    if columns and war.phase not in PHASES[1:4]:
        yield f"{zone} is manned by two seats outside phases 2 to 4 (QD-11.1)"
    if war.battle is not None and war.battle.place == zone:
        return  # who is left mans the ships when the battle is over
    units, lords = (army.units, army.dragonlords) if army is not None else (0, 0)
    ships, attacking = war.fleets.get(zone, 0), war.raiders.get(zone, 0)
    if ships > units or attacking > sum(column.units for column in columns):
        yield f"a ship in {zone} sails without a unit aboard (QD-2.7)"
    # In his own turn a player may have brought units by a DragonLord, until they go back with it (QD-H24).
    if army is None or (army.seat == war.active and war.phase in PHASES[1:5]):
        return
    if lords:
        yield f"a DragonLord of {army.seat} is at sea outside phases 2 to 5 of its turn (QD-X9)"
    if units > MOST_ABOARD * ships:
        yield f"{units} units of {army.seat} in {zone} are more than {ships} ships carry (QD-5.1)"


def _sound_chips(war: War) -> Iterator[str]:
    bearers: dict[tuple[Seat, Place], int] = {}
    armies, shades, settled = war.armies, war.shades, bool(war.agenda)
    fought_for = war.battle.place if war.battle is not None else ""
    for name, chip in war.chips.items():
        seat, place = chip.seat, chip.place
        if ".king" in name or ".wizard" in name:
            bearers[seat, place] = bearers.get((seat, place), 0) + 1
        if place == fought_for:
            continue  # the treasures of who was wiped out lie in the open until the battle is over
        # A position need not mark its stacks: they are marked when the game opens from it, before the first step.
        if not chip.shown and settled and f"{seat}@{place}" not in shades:
            yield f"{name} lies face down in {place}, which is not marked as hiding a chip of {seat} (QD-H42)"
        army = armies.get(place)
        if (army is None or army.seat != seat) and not column_size(war, seat, place):
            yield f"a chip of {seat} lies in {place}, where it has no unit to bear it (QD-1.4)"
    for (seat, place), count in bearers.items():
        size = units_of(war, seat, place)
        if count > size:
            yield f"{size} units of {seat} in {place} bear {count} kings and wizards; each bears one at most (QD-H43)"
