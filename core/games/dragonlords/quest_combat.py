"""Quest combat (QD-9): what a party may do against a monster, and what a battle of party against party leads to.

Against a monster the party is the defender of its space; `encounter.py` has the fight. Parties fight each other by the
round of `battle.py`.
"""

from collections.abc import Iterator
from typing import Annotated

from msgspec import structs

from core.refusal import Refusal
from core.rules import Fact, word
from core.telling import Moment, Tale
from events.event import Count, Seat

from .conquest import conclude
from .ending import check_end
from .in_battle import InBattle, by_kind
from .items import carried, leave_behind, only_in_the_wastelands
from .monsters import monster_of
from .parties import OnQuest, drop_quest
from .spellbook import SPELLS, wizards_here
from .spells import NOT_AT_SEA, casters, dice_spent, forbids_at_sea, tell_cast
from .state import Place, User, War, is_shaded, shade
from .strength import Side, battle_of, defenders

__all__ = [
    "COMMANDS",
    "FACTS",
    "STEPS",
    "Contending",
    "Cure",
    "MonsterHurt",
    "Throw",
    "UnitsCured",
    "UnitsPoisoned",
    "UseOrb",
    "cures",
    "harms",
    "is_beaten",
    "strikers",
    "throwers",
]


class UnitsPoisoned(Fact[War]):
    """Units that were hit are webbed or poisoned in place of being lost: they strike no more in this fight (QD-9.3)."""

    CLAIM = "poisoned"
    CLAIM_KINDS = ("unit",)

    seat: Seat
    place: Place
    count: Count

    def onto(self, state: War) -> War:
        stack = shade(self.seat, self.place)
        battle = battle_of(state)
        return structs.replace(
            state,
            struck={name: hits for name, hits in state.struck.items() if name != stack},
            battle=structs.replace(battle, poisoned=battle.poisoned + self.count),
        )


class UnitsCured(Fact[War]):
    """A potion or a wizard with Heal cured the poisoned units of a party (QD-8.3, QD-15.1)."""

    seat: Seat
    place: Place
    count: Count

    def onto(self, state: War) -> War:
        return structs.replace(state, battle=structs.replace(battle_of(state), poisoned=0))


class MonsterHurt(Fact[War]):
    """A monster took hits (QD-9.2, QD-9.4)."""

    monster: str
    place: Place
    count: Count

    def onto(self, state: War) -> War:
        battle = battle_of(state)
        return structs.replace(state, battle=structs.replace(battle, hurt=battle.hurt + self.count))


def is_beaten(war: War) -> bool:
    """Return whether the monster that is fought has taken as many hits as it stands (QD-9.4)."""
    return battle_of(war).hurt >= monster_of(war).hits_to_defeat


def strikers(war: War) -> int:
    """Return how many units of the party may strike: those that are neither webbed nor poisoned (QD-9.3)."""
    return defenders(war).size - battle_of(war).poisoned


def harms(war: War, spell: str) -> bool:
    """Return whether a spell harms the monster: lightning any, a fireball no dragon (QD-15.2, QD-15.5)."""
    return spell == "lightning" or (spell == "fireball" and not monster_of(war).is_dragon)


def throwers(now: Moment[War], side: Side) -> Iterator[tuple[str, str]]:
    """Yield who of the party can throw what at the monster, from what its owner knows.

    A wizard throws in place of a die, so one is needed of a unit that can still strike (QD-X61, QD-9.3).
    """
    free = strikers(now.state) - dice_spent(now, side)
    for user, spell in casters(now, side):
        if harms(now.state, spell) and (free > 0 or user not in now.state.spells):
            yield user, spell


class UseOrb(InBattle):
    """Try to charm the dragon with a DragonOrb, in place of the party's dice (QD-8.6)."""

    WHEN = ("QD-8.6",)
    WHEN_IN = only_in_the_wastelands(*WHEN)

    def tells(self, tale: Tale[War], seat: Seat) -> None:
        """Ask for the crystal die."""
        tale.top.to(tale, "charm")


class Throw(InBattle):
    """Throw a fireball or a lightning bolt at the monster.

    `user` is the wizard's chip or the treasure; left out, whoever can.
    """

    WHEN = ("QD-9.2",)
    WHEN_IN = by_kind(
        land=("QD-10.5",),
        sneak=("QD-12.5", "QD-10.5"),
        sea=NOT_AT_SEA,
        quest=("QD-9.1", "QD-10.5"),
    )
    INSTEAD = dict.fromkeys(
        ("land", "sneak", "quest"), "`throw` is for monsters; against units it is `cast {spell}`."
    )

    spell: str
    user: Annotated[User, word("by")] = ""

    def forbids(self, now: Moment[War], seat: Seat) -> Iterator[Refusal]:
        """Refuse what no unit that can strike throws, and what does not harm the monster (QD-14.1, QD-15.2)."""
        war = now.state
        able = tuple(throwers(now, defenders(war)))
        if self._user(able) is not None:
            return
        useless = tuple(self._forbids_fire(war))
        yield from useless
        if not useless:
            can = ", ".join(f"{spell} by {user}" for user, spell in able)
            yield Refusal(
                "no_caster",
                ("QD-14.1", "QD-9.3", "QD-X61"),
                f"{self.user or 'Nobody'} of {seat} can throw {self.spell} now; what can be thrown is {can or 'nothing'}.",
                {"spell": self.spell},
                secret=is_shaded(war, seat, defenders(war).place),
            )

    def untimely(self, now: Moment[War], seat: Seat) -> Iterator[Refusal]:
        """Refuse it in battles against units: there it is a `cast`, and at sea nothing; and a fireball at a dragon at any time."""
        yield from super().untimely(now, seat)
        yield from forbids_at_sea(now.state, seat, self.spell)
        battle = now.state.battle
        if battle is not None and battle.kind == "monster" and seat == battle.defender:
            yield from self._forbids_fire(now.state)

    def _forbids_fire(self, war: War) -> Iterator[Refusal]:
        monster = monster_of(war)
        if self.spell == "fireball" and monster.is_dragon:
            yield Refusal(
                "dragons_fear_no_fire",
                ("QD-15.2",),
                f"A fireball does nothing to the {monster.name}: it is a dragon.",
                {"monster": monster.name},
            )

    def _user(self, able: tuple[tuple[str, str], ...]) -> str | None:
        return next((user for user, spell in able if spell == self.spell and self.user in ("", user)), None)

    def tells(self, tale: Tale[War], seat: Seat) -> None:
        """Tell who throws it: it is one hit, without a roll."""
        side = defenders(tale.state)
        user = self._user(tuple(throwers(tale, side)))
        assert user is not None
        because = tell_cast(tale, side, self.spell, user, (SPELLS[self.spell].section, "QD-10.5"))
        tale.tell(MonsterHurt(monster_of(tale.state).name, side.place, 1, because=because))
        tale.reopen()


class Cure(InBattle):
    """Cure the poisoned units: by a wizard with Heal who is in the party, or by a `potion` (QD-8.3, QD-15.1)."""

    WHEN = ("QD-8.3",)
    WHEN_IN = only_in_the_wastelands(*WHEN)

    by: User

    def forbids(self, now: Moment[War], seat: Seat) -> Iterator[Refusal]:
        """Refuse a potion or a wizard that the party has not."""
        fit = cures(now, seat)
        if self.by not in fit:
            yield Refusal(
                "no_cure",
                ("QD-9.3", "QD-8.3", "QD-15.1"),
                f"{self.by} cures nobody here; {' or '.join(fit) or 'nothing in the party'} does.",
                {"by": self.by},
                secret=is_shaded(now.state, seat, battle_of(now.state).place),
            )

    def tells(self, tale: Tale[War], seat: Seat) -> None:
        """Tell what was used, and that all are cured."""
        tale.top.cured(tale, self.by)


def cures(now: Moment[War], seat: Seat) -> tuple[str, ...]:
    """Return what can cure the party's units, from what its owner knows: wizards with Heal, and a potion."""
    war = now.state
    place = battle_of(war).place
    potion = ("potion",) if "potion" in carried(war, seat, place) else ()
    return (*wizards_here(war, seat, place, "heal"), *potion)


class Contending(OnQuest):
    """What a battle of party against party leads to: the winner holds the space, takes all, and goes no further (QD-9.1)."""

    def play(self, tale: Tale[War]) -> None:
        """Tell who holds the space and what goes to him, then that the battle is over."""
        battle = battle_of(tale.state)
        conclude(tale)
        for loser, other in ((battle.attacker, battle.defender), (battle.defender, battle.attacker)):
            army = tale.state.armies.get(self.place)
            winner = other if army is not None and army.seat == other else ""
            leave_behind(tale, loser, self.place, winner)
        check_end(tale)
        if not tale.over:
            drop_quest(tale)


COMMANDS = (UseOrb, Throw, Cure)
FACTS = (UnitsPoisoned, UnitsCured, MonsterHurt)
STEPS = (Contending,)
