"""The sensible bot and magic: scrolls on its turn and in battle, answers to them, teleports, and dragonfire (QD-13, QD-15.3, QD-16)."""

from collections.abc import Iterator
from typing import Any, Final

from core.asking import OneOf

from .board import KINGDOMS, NEIGHBOURS, TERRITORIES, ZONES
from .bot_asked import Asked, filled, least, values_of
from .state import Place, column_size, units_of

__all__ = ["answers", "burns", "comes_home", "reads", "reads_in_battle", "teleports"]

AVERAGE: Final = {"summon_elemental": 6.5, "infernal": 4.5, "tempest": 4.5}
"""How many units a scroll takes on average (QD-16.2, QD-16.5); Berserk takes them by their attack value."""
WORTH_IT: Final = 4.5
"""What a scroll that strikes must be worth to be read: cards are few."""


def reads(asked: Asked) -> Any:
    """Read between two acts what helps now; an elemental where it strikes most, before battles are sought (QD-16)."""
    war = asked.war
    best = max(_worths(asked), default=None, key=lambda found: (found[0], str(found[1])))
    if best is not None and best[0] > 0 and (war.phase in ("sea", "quest", "combat") or war.turn > 60):
        return best[1]
    return None


def _worths(asked: Asked) -> Iterator[tuple[float, Any]]:
    """Yield what reading each scroll is worth, and the command."""
    war, scene = asked.war, asked.scene
    for offer in asked.of("ReadScroll"):
        fields: Any = offer.fields
        kinds = fields["scroll"].values if isinstance(fields["scroll"], OneOf) else (fields["scroll"],)
        kind = kinds[0].partition(".")[0]
        places = fields["place"].values if isinstance(fields["place"], OneOf) else (fields["place"],)
        for place in places:
            command = filled(offer, {"scroll": kinds[0], "place": place})
            if kind in ("summon_elemental", "berserk", "infernal", "tempest"):
                yield _strike(asked, kind, place, command.target) - WORTH_IT, command
            elif kind == "legion":
                lacking = scene.need(place) - scene.own.get(place, 0) if place in scene.own else 0
                gain = 2.0 * max(0, lacking) + 0.2 * scene.pull(place) + (war.turn > 12)
                yield gain, filled(offer, {"units": fields["units"].high})
            elif kind == "ship":
                # One's own first ship, or a second when an island is to be had (QD-25).
                yield 1.0 * (len(scene.own) > 3), command
            elif kind == "clairvoyance":
                hands = values_of(asked, "ReadScroll", "target")
                fullest = max(
                    (seat for seat in hands if seat in war.held), key=lambda seat: war.held[seat], default=""
                )
                yield 0.5, filled(offer, {"target": fullest}) if fullest else command
            elif kind == "charm":
                yield 20.0, command


def _strike(asked: Asked, kind: str, place: Place, target: str) -> float:
    """Return what striking a place is worth: the units that fall, more of them where a king or a kingdom is in reach."""
    war, scene = asked.war, asked.scene
    army = war.armies.get(place)
    victim = target or (army.seat if army is not None else "")
    if not victim or victim == asked.seat:
        return 0.0
    there = units_of(war, victim, place)
    attack = 4 if victim == "barbarian" else 3
    falling = min(there, AVERAGE.get(kind, there * attack / 6))
    weight = 0.5 if victim in war.out else 1.0
    near = any(scene.own.get(beside, 0) > 3 for beside in NEIGHBOURS.get(place, ()))
    king = war.chips.get(f"{victim}.king")
    shown = king is not None and king.place == place
    return weight * (falling + 2 * near * (place in KINGDOMS) + 5 * shown * (falling >= 0.7 * there))


def reads_in_battle(asked: Asked) -> Any:
    """Read at the beginning of a round what turns the battle: while it is not won anyway, and the enemy is worth it."""
    battle = asked.war.battle
    if battle is None:
        return None
    ours, theirs = units_of(asked.war, asked.seat, battle.place), _enemies_here(asked)
    for offer in asked.of("ReadScroll"):
        fields: Any = offer.fields
        kind = str(fields["scroll"].values[0] if isinstance(fields["scroll"], OneOf) else fields["scroll"])
        if kind == "charm":
            return offer.sample(least)
        place = fields["place"]
        here = place == battle.place if isinstance(place, str) else place.allows(battle.place)
        if not here or theirs == 0 or ours > 2.5 * theirs:
            continue
        if kind in ("berserk", "infernal", "tempest") and theirs >= 3:
            return filled(offer, {"place": battle.place})
        if kind == "legion" and ours < 2 * theirs:
            return filled(offer, {"place": battle.place, "units": fields["units"].high})
    return None


def _enemies_here(asked: Asked) -> int:
    war, battle = asked.war, asked.war.battle
    if battle is None:
        return 0
    if battle.attacker == asked.seat:
        army = war.armies.get(battle.place)
        return army.size if army is not None else 0
    return column_size(war, battle.attacker, battle.place)


def answers(asked: Asked) -> Any:
    """Turn a scroll back, else show what protects, when enough units are at stake (QD-16.3, QD-H9)."""
    step = asked.war.agenda[-1].step
    place = getattr(step, "place", "")
    if units_of(asked.war, asked.seat, place) >= 3 or place == asked.scene.king:
        for offer in asked.of("Reflect", "Protect"):
            return offer.sample(least)
    return asked.end()


def burns(asked: Asked) -> Any:
    """Burn the blockade in which a DragonLord is: it costs nothing (QD-13)."""
    return next((offer.sample(least) for offer in asked.of("FireAttack")), None)


def teleports(asked: Asked) -> Any:
    """Teleport in phase 2 where a surprise takes a kingdom or gold, or a DragonLord burns a fleet (QD-5.3, QD-5.4, QD-25)."""
    scene, war = asked.scene, asked.war
    best: tuple[float, Any] | None = None
    for offer in asked.of("Teleport"):
        fields: Any = offer.fields
        if _leads(fields) or not isinstance(fields["target"], OneOf):
            continue
        lord = fields["caster"] == "dragonlord"
        origin = fields["origin"]
        most, lords = _goes(asked, fields, origin)
        if most is None:
            continue
        for target in fields["target"].values:
            size = most + lords + 1
            if target in ZONES:
                army = war.armies.get(target)
                worth = 1.2 * army.size + 2 if lord and army is not None and war.fleets.get(target) else 0.0
                wanted: dict[str, Any] = {"target": target}
                if worth < 4:
                    continue
            else:
                odds = scene.prospect(size, target)
                if target in scene.own or odds.wins < 0.8 or size < 2 + (target in war.armies):
                    continue
                worth = odds.wins * scene.worth(target) - 1.4 * (size - odds.attackers) - 4
                wanted = {"target": target, "units": most} if "units" in fields else {"target": target}
            command = filled(offer, wanted)
            if (
                command is not None
                and worth > 2
                and (best is None or (worth, str(command)) > (best[0], str(best[1])))
            ):
                best = (worth, command)
    return best[1] if best is not None else None


def _leads(fields: Any) -> bool:
    leading = fields.get("leading")
    return leading is not None and (bool(leading.of) if hasattr(leading, "of") else bool(leading))


def _goes(asked: Asked, fields: Any, origin: Place) -> tuple[int | None, int]:
    """Return how many units a caster may well take along, and DragonLords; None where it had better stay."""
    units, lords = fields.get("units", 0), fields.get("dragonlords", 0)
    most = units.high if hasattr(units, "high") else units
    low = units.low if hasattr(units, "low") else units
    if origin not in TERRITORIES:
        return (most if most >= low else None), lords
    spare = asked.scene.spare(origin) - 1 - lords
    if spare < low:
        return None, lords
    return min(most, spare), lords


def comes_home(asked: Asked) -> Any:
    """Teleport in phase 5 with who is spare to a kingdom, or to the king, that lacks guards (QD-19.2, QD-25)."""
    scene = asked.scene
    lacking = {place: scene.need(place) - size for place, size in scene.own.items() if place in TERRITORIES}
    target = max(lacking, key=lambda place: (lacking[place], place), default="")
    if lacking.get(target, 0) < 2:
        return None
    for offer in asked.of("Teleport"):
        fields: Any = offer.fields
        most, lords = _goes(asked, fields, fields["origin"])
        if _leads(fields) or most is None or most + lords < 1 or lacking.get(fields["origin"], 0) > 0:
            continue
        command = filled(
            offer, {"target": target, "units": most} if "units" in fields else {"target": target}
        )
        if command is not None:
            return command
    return None
