"""Seas at random, for laws: positions full of ships, harbours, chips and DragonLords, and lawful play from phase 2 on."""

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Any

from core.games.dragonlords.board import TERRITORIES, ZONES
from core.games.dragonlords.forced_march import ForcedMarch
from core.games.dragonlords.land_combat import Attack
from core.games.dragonlords.phases import EndPhase
from core.games.dragonlords.position import ShipsSet, SpellsSet, TurnSet
from core.games.dragonlords.state import RACES
from core.games.dragonlords.transfer import Transfer
from core.games.dragonlords.treasures import TREASURES
from tests.driver import Table
from tests.games.dragonlords.at_random import played, putting_off
from tests.games.dragonlords.battlefield import SPELLS, Muster

__all__ = ["random_sea", "sailing", "voyage"]

SHIPS = 8
TREASURES_AT_SEA = ("golden_fleece", "ring_of_fire", "dragon_shield", "holy_grail", "trident")


def random_sea(seed: int, seats: Sequence[str] = tuple(RACES)) -> list[Any]:
    """Return a position in phase 2 of the first seat: eight ships in harbours and at sea, and many chips under units."""
    random = Random(seed)
    made = Muster(random, [TurnSet(seats[0], "sea")])
    lords, ships = 4, SHIPS
    for place, territory in TERRITORIES.items():
        wanted = 0.8 if territory.harbour_zone else 0.2
        if random.random() < wanted:
            some = min(lords, int(random.random() < 0.12))
            lords -= some
            made.stand(random.choice((seats[0], *seats)), place, random.randint(1, 9), some)
    docks = [place for place, territory in TERRITORIES.items() if territory.harbour_zone]
    for zone in random.sample(tuple(ZONES), 6):
        count = min(ships, random.randint(1, 3))
        if count:
            ships -= count
            most = min(8 * count, count + 6)
            made.stand(random.choice((seats[0], *seats)), zone, random.randint(count, most), 0)
            made.facts.append(ShipsSet(zone, count))
    lying = Counter(random.choice(docks) for _ in range(ships))
    made.facts += [ShipsSet(place, count) for place, count in lying.items()]
    for seat in seats:
        made.hide(seat, f"{seat}.king")
        made.hide(seat, f"{seat}.blank", decoy=True)
        for n in range(1, random.randint(2, 4)):
            wizard = f"{seat}.wizard.{n}"
            if made.hide(seat, wizard, on_lord=random.random() < 0.3):
                known = tuple(random.sample(SPELLS, random.randint(1, 6)))
                made.facts.append(SpellsSet(wizard, known))
    for treasure in random.sample((*TREASURES, *TREASURES_AT_SEA), 9):
        if not any(getattr(fact, "chip", "") == treasure for fact in made.facts):
            made.hide(random.choice((seats[0], *seats)), treasure)
    return made.facts


sailing = putting_off(3, EndPhase, ForcedMarch, Attack, Transfer)
"""A lawful command at random; what is done on land alone is seldom chosen, and the phase seldom ended early."""


def voyage(seed: int, entries: int = 60) -> Table:
    """Return a sea at random, with answers to points at random, and what was played on it."""
    return played(random_sea, sailing, seed, entries)
