"""Spells that attack in a battle on land (QD-15.2, QD-15.5, QD-14.6), and who may throw them.

A wizard throws one in place of his die (QD-X61), a DragonLord its dragonfire besides its die (QD-14.6), and the bearer
of Ring of Fire or Trident theirs besides his own (QD-7.4, QD-7.9).
"""

from collections.abc import Iterator
from typing import Annotated, Final

from msgspec import structs

from core.asking import Offer, OneOf
from core.refusal import Refusal
from core.rules import Fact, word
from core.telling import Moment, Tale
from events.event import Seat, SectionRef

from .armies import UnitsStruck
from .elixir import spare
from .in_battle import InBattle, by_kind
from .losses import Losses
from .movement import bears, show, shown_at
from .spell_users import side_of
from .spellbook import SPELLS, here, king_of, may_hold, wizards_here, wizards_of
from .state import DRAGONLORD, ChipId, UnitKind, User, War, is_shaded
from .strength import Side, attackers, battle_of, defenders, is_vanquished
from .treasures import TREASURES, may_hide_treasure

__all__ = [
    "COMMANDS",
    "FACTS",
    "NOT_AT_SEA",
    "Cast",
    "SpellCast",
    "casters",
    "dice_spent",
    "forbids_at_sea",
    "has_to_cast",
    "less_for_spells",
    "possible",
    "tell_cast",
]

ATTACKS = ("fireball", "lightning", "dragonfire")
"""The spells that take a unit."""
NOT_AT_SEA: Final = ("QD-11.3", "QD-X7")
"""The sections by which there is no spell attack in an ordinary sea battle."""
ATTACKING: Final = {name: treasure.attack for name, treasure in TREASURES.items() if treasure.attack}
"""The treasures that give such a spell, and which."""


class SpellCast(Fact[War]):
    """A spell attack was made; `user` is the chip of the wizard or treasure, or `dragonlord`."""

    seat: Seat
    spell: str
    user: str
    place: str

    def onto(self, state: War) -> War:
        battle = battle_of(state)
        spent = f"{self.seat}:dragonfire" if self.user == DRAGONLORD else self.user
        return structs.replace(state, battle=structs.replace(battle, used=(*battle.used, spent)))


def _enemy(war: War, side: Side) -> Side:
    return defenders(war) if side.attacks else attackers(war)


def is_protected(war: War, side: Side, spell: str) -> ChipId:
    """Return the treasure that protects a side from a spell this round; empty when none does (QD-7.4, 7.7, 7.9)."""
    for entry in battle_of(war).cast:
        seat, _, name = entry.partition(":")
        if seat == side.seat and name in TREASURES and spell in TREASURES[name].stops:
            return name
    return ""


def _finds_nobody(now: Moment[War], enemy: Side, spell: str) -> bool:
    """Return whether a spell finds no unit that it can take: fire and an army of DragonLords alone (QD-H30)."""
    fire = spell != "lightning" and now.answer("QD-H30") == "fireproof"
    return enemy.size <= (enemy.dragonlords if fire else 0)


def _works(now: Moment[War], side: Side, spell: str) -> bool:
    enemy = _enemy(now.state, side)
    return not is_protected(now.state, enemy, spell) and not _finds_nobody(now, enemy, spell)


def _dragonfires(war: War, side: Side) -> int:
    return side.dragonlords - battle_of(war).used.count(f"{side.seat}:dragonfire")


def casters(now: Moment[War], side: Side) -> Iterator[tuple[str, str]]:
    """Yield who of a side can still make a spell attack this round, and by which spell, from what its owner knows."""
    war, used = now.state, battle_of(now.state).used
    if is_vanquished(now, side.seat):
        return
    if _dragonfires(war, side) > 0:
        yield DRAGONLORD, "dragonfire"
    for wizard in wizards_here(war, side.seat, side.place):
        if wizard not in used:
            yield from ((wizard, spell) for spell in war.spells[wizard] if spell in ATTACKS)
    for name, attack in ATTACKING.items():
        if name not in used and here(war, name, side.seat, side.place):
            if now.answer("QD-X86") == "any_bearer" or side.dragonlords or _hidden_user(war, side):
                yield name, attack


def _hidden_user(war: War, side: Side) -> ChipId:
    """Return a spell user of a side who could bear a treasure: a wizard, or else the king; empty when there is none."""
    wizards = wizards_here(war, side.seat, side.place)
    king = king_of(side.seat)
    return wizards[0] if wizards else king if here(war, king, side.seat, side.place) else ""


def has_to_cast(now: Moment[War], side: Side) -> bool:
    """Return whether a side may be able to make a spell attack that finds a victim, as far as everybody knows."""
    if is_vanquished(now, side.seat):
        return False
    return any(_works(now, side, spell) for spell in possible(now.state, side))


def possible(war: War, side: Side) -> Iterator[str]:
    """Yield the spell attacks that a side may be able to make, as far as everybody knows."""
    used = battle_of(war).used
    if _dragonfires(war, side) > 0:
        yield "dragonfire"
    for wizard in wizards_of(war, side.seat):
        if wizard not in used and may_hold(war, side.seat, side.place, wizard):
            yield from (spell for spell in war.spells[wizard] if spell in ATTACKS)
    hidden = may_hide_treasure(war, side.seat, side.place)
    for name, attack in ATTACKING.items():
        if name not in used:
            lies = war.chips.get(name)
            if lies is not None and lies.shown:
                if lies.seat == side.seat and lies.place == side.place:
                    yield attack
            elif hidden:
                yield attack


def dice_spent(now: Moment[War], side: Side) -> int:
    """Return how many of a side's units have made their attack of the round by a spell and do not roll."""
    return len(rollless(now, side))


def rollless(now: Moment[War], side: Side) -> tuple[str, ...]:
    """Return the wizards of a side who have made their attack of the round by a spell and do not roll.

    Those are all who threw one, unless a spell is extra (QD-X61); one under a DragonLord always, as his spell is its second
    attack (QD-14.6). Dragonfire and treasures take no die.
    """
    war = now.state
    used = battle_of(war).used
    if not used:
        return ()
    extra = now.answer("QD-X61") == "extra"
    users = [name for name in used if name.startswith(f"{side.seat}.wizard")]
    return tuple(name for name in users if not extra or (name in war.chips and war.chips[name].on_dragonlord))


def less_for_spells(now: Moment[War], side: Side) -> tuple[str, tuple[SectionRef, ...]]:
    """Return who of a side does not roll for having thrown a spell, as a sentence, and the sections; nothing for nobody."""
    users = rollless(now, side)
    if not users:
        return "", ()
    sections: tuple[SectionRef, ...] = ("QD-14.6",) if now.answer("QD-X61") == "extra" else ("QD-X61",)
    return f"{' and '.join(users)} threw a spell in place of a die.", sections


def forbids_at_sea(war: War, seat: Seat, spell: str) -> Iterator[Refusal]:
    """Refuse a spell attack to both sides of an ordinary sea battle, where nobody is asked for it (QD-11.3)."""
    battle = war.battle
    if battle is not None and battle.kind == "sea" and seat in (battle.attacker, battle.defender):
        text = f"Nobody throws {spell} in an ordinary sea battle."
        yield Refusal("not_at_sea", NOT_AT_SEA, text, {"spell": spell})


class Cast(InBattle):
    """Make a spell attack on one enemy unit: fireball, lightning or dragonfire.

    `user` is the wizard's chip, the treasure or `dragonlord`; left out, whoever can. `aim` is the kind of unit that is
    struck, where casters pick (QD-H29): `unit`, `dragonlord` or the chip of a king or wizard that everybody sees.
    """

    WHEN = ("QD-10.5",)
    WHEN_IN = by_kind(
        sneak=("QD-12.5", "QD-10.5"),
        sea=NOT_AT_SEA,
        quest=("QD-9.1", "QD-10.5"),
        monster=("QD-9.2", "QD-14.1"),
    )
    INSTEAD = by_kind(monster="Against a monster a spell is thrown: `throw {spell}`.")

    spell: str
    user: Annotated[User, word("by")] = ""
    aim: Annotated[UnitKind, word("at")] = ""

    def untimely(self, now: Moment[War], seat: Seat) -> Iterator[Refusal]:
        """Refuse it in an ordinary sea battle, to who is surprised by a sneak attack, and against a monster."""
        yield from super().untimely(now, seat)
        yield from forbids_at_sea(now.state, seat, self.spell)
        battle = now.state.battle
        if battle is not None and battle.kind == "sneak" and seat == battle.defender:
            yield Refusal(
                "no_answer",
                ("QD-12.5", "QD-H50"),
                f"A sneak attack is not answered: {seat} throws no {self.spell}.",
                {"spell": self.spell},
            )

    def forbids(self, now: Moment[War], seat: Seat) -> Iterator[Refusal]:
        """Refuse a spell that is no attack, that nobody there can throw, or that the enemy is protected from."""
        side = side_of(now.state, seat)
        if self.spell not in ATTACKS:
            yield Refusal(
                "no_attack_spell",
                ("QD-15.2", "QD-15.5", "QD-14.6"),
                f"{self.spell} is no attack; {' and '.join(ATTACKS)} are. Hope and Panic are declared, not thrown.",
                {"spell": self.spell},
            )
            return
        if self._user(now, side) is None:
            can = ", ".join(f"{spell} by {user}" for user, spell in casters(now, side))
            yield Refusal(
                "no_caster",
                ("QD-14.1", "QD-X61", SPELLS[self.spell].section),
                f"{self.user or 'Nobody'} of {seat} can throw {self.spell} there now; what can be thrown is {can or 'nothing'}.",
                {"spell": self.spell},
                secret=is_shaded(now.state, seat, side.place),
            )
        enemy = _enemy(now.state, side)
        shield = is_protected(now.state, enemy, self.spell)
        if shield:
            yield Refusal(
                "protected",
                (TREASURES[shield].section,),
                f"{enemy.seat} is protected from {self.spell} by {shield}.",
                {"treasure": shield},
                waivable=True,
            )
        if _finds_nobody(now, enemy, self.spell):
            yield Refusal(
                "no_victim",
                ("QD-15.2", "QD-H30"),
                f"{self.spell} can take no unit of {enemy.seat} there.",
                {"spell": self.spell},
            )
        yield from self._forbids_aim(now, enemy)

    def _forbids_aim(self, now: Moment[War], enemy: Side) -> Iterator[Refusal]:
        if not self.aim:
            return
        aims = _aims(now, enemy, self.spell)
        if self.aim not in aims:
            yield Refusal(
                "no_such_aim",
                ("QD-H29",),
                f"{self.spell} can't be aimed at {self.aim}; "
                + (f"aim at {' or '.join(aims)}." if aims else f"{enemy.seat} says which unit is struck."),
                {"aim": self.aim},
            )

    def _user(self, now: Moment[War], side: Side) -> str | None:
        return next(
            (user for user, spell in casters(now, side) if spell == self.spell and self.user in ("", user)),
            None,
        )

    def tells(self, tale: Tale[War], seat: Seat) -> None:
        """Tell who throws which spell and that a unit is struck; its owner says which, and the caster goes on."""
        war = tale.state
        side = side_of(war, seat)
        enemy = _enemy(war, side)
        user = self._user(tale, side)
        assert user is not None
        because: tuple[SectionRef, ...] = (
            SPELLS[self.spell].section,
            "QD-10.5" if side.attacks else "QD-10.10",
        )
        because = tell_cast(tale, side, self.spell, user, because)
        tale.tell(UnitsStruck(enemy.seat, side.place, 1, because=because))
        spare(tale, enemy.seat)
        aims = _aims(tale, enemy, self.spell)
        aim = self.aim or (aims[0] if aims else "")
        tale.become(Losses(enemy.seat, side.place, self.spell, aim), tale.top)


def tell_cast(
    tale: Tale[War], side: Side, spell: str, user: str, because: tuple[SectionRef, ...]
) -> tuple[SectionRef, ...]:
    """Tell who throws a spell, and return why he may, a treasure's section first.

    His chip is shown, and with a treasure the spell user who bears it where there must be one (QD-X86).
    """
    if user != DRAGONLORD:
        if user in TREASURES:
            because = (TREASURES[user].section, *because)
            if tale.answer("QD-X86") != "any_bearer" and not side.dragonlords:
                show(tale, side.seat, _hidden_user(tale.state, side), ("QD-X86",))
        show(tale, side.seat, user, ("QD-H9",))
    tale.tell(SpellCast(side.seat, spell, user, side.place, because=because))
    return because


def _aims(now: Moment[War], enemy: Side, spell: str) -> tuple[str, ...]:
    """Return what a caster may aim at, as far as everybody knows; nothing where the owner picks (QD-H29)."""
    if now.answer("QD-H29") != "caster_picks":
        return ()
    war = now.state
    shown = [name for name in shown_at(war, enemy.seat, enemy.place) if bears(name)]
    riders = [name for name in shown if war.chips[name].on_dragonlord]
    fireproof = spell != "lightning" and now.answer("QD-H30") == "fireproof"
    aims = ["unit"] if enemy.size - enemy.dragonlords > len(shown) - len(riders) else []
    if enemy.dragonlords > len(riders) and not fireproof:
        aims.append("dragonlord")
    return (*aims, *(name for name in shown if not (fireproof and name in riders)))


def offers_to_cast(now: Moment[War], seat: Seat) -> Iterator[Offer]:
    """Yield one offer for each spell attack that the seat can make; also without naming who makes it."""
    side = side_of(now.state, seat)
    enemy = _enemy(now.state, side)
    users: dict[str, list[str]] = {}
    for user, spell in casters(now, side):
        users.setdefault(spell, []).append(user)
    for spell, able in users.items():
        if _works(now, side, spell):
            aims = _aims(now, enemy, spell)
            yield Offer(Cast, {"spell": spell, "user": OneOf(("", *able)), "aim": OneOf(("", *aims))})


COMMANDS = (Cast,)
FACTS = (SpellCast,)
