"""The sensible bot in phase 4 and in battles: it attacks where exact odds favour it, and retreats when outnumbered (QD-10)."""

from collections.abc import Iterator
from typing import Any, Final

from core.asking import OneOf, Path

from .board import KINGDOMS, NEIGHBOURS, TERRITORIES
from .bot_asked import Asked, filled, least, values_of
from .bot_map import Scene
from .state import Place

__all__ = ["boldness", "casts", "declares", "fights", "flees", "goes_on"]


HORDE: Final = 30
"""Armies beyond this size are weighed as if they were as large."""


def boldness(turn: int) -> float:
    """Return by how much worse odds are good enough: none early, a fifth in a war that does not end."""
    return min(0.2, max(0.0, (turn - 40) / 400))


def fights(asked: Asked) -> Any:
    """Join the open battles where that helps, fight them, begin others where the odds are good, then march to the front."""
    scene, war = asked.scene, asked.war
    if war.columns:
        for target, columns in war.columns.items():
            sent = sum(column.size for column in columns)
            if scene.is_enemy(target) and scene.prospect(sent, target).wins < 0.93:
                joined = next(
                    (
                        sent
                        for origin, most in _senders(asked, target)
                        if (sent := _sends(asked, origin, target, most))
                    ),
                    None,
                )
                if joined is not None:
                    return joined
        return asked.give("Fight", place=next(iter(war.columns)))
    best = max(_chances(asked), default=None)
    if best is not None and best[0] > 0:
        target = best[1]
        for origin, most in _senders(asked, target):
            units = most if scene.is_enemy(target) else _settlers(scene, origin, target, most)
            if attack := _sends(asked, origin, target, units):
                return attack
    return _sneaks(asked) or _marches(asked) or asked.end()


def _senders(asked: Asked, target: Place) -> list[tuple[Place, int]]:
    """Return who may attack a place without leaders, the largest first: from where, and with how many units at most."""
    found: dict[Place, int] = {}
    for offer in asked.of("Attack"):
        fields: Any = offer.fields
        if fields["leading"].of or "gatekeeper" in fields or not fields["target"].allows(target):
            continue
        most = min(fields["units"].high, asked.scene.spare(fields["origin"]) - fields["dragonlords"])
        if most >= fields["units"].low and most + fields["dragonlords"] > 0:
            found[fields["origin"]] = max(found.get(fields["origin"], 0), most + fields["dragonlords"])
    return sorted(found.items(), key=lambda item: (-item[1], item[0]))


def _sends(asked: Asked, origin: Place, target: Place, size: int) -> Any:
    """Return an attack from a place with so many, DragonLords first among them; None when it isn't offered."""
    for lords in range(min(4, size), -1, -1):
        attack = asked.give(
            "Attack", target=target, origin=origin, units=size - lords, dragonlords=lords, leading=()
        )
        if attack is not None:
            return attack
    return None


def _settlers(scene: Scene, origin: Place, target: Place, most: int) -> int:
    """Return how many units go into an empty place: all where it leads to the front, else one."""
    return most if scene.steps(target) < scene.steps(origin) else 1


def _chances(asked: Asked) -> Iterator[tuple[float, Place]]:
    """Yield what each attack is worth, by its odds, and where it goes."""
    scene = asked.scene
    patience, bold = max(0.0, 1 - asked.war.turn / 120), boldness(asked.war.turn)
    targets = {
        target: None
        for offer in asked.of("Attack")
        if isinstance(held := offer.fields["target"], OneOf)
        for target in held.values
    }
    for target in targets:
        size = sum(most for _, most in _senders(asked, target))
        if not size:
            continue
        after = scene.prospect(size, target)
        kingdom = target in KINGDOMS
        if after.wins < (0.5 if kingdom else 0.58) + 0.1 * patience - bold:
            continue
        # Of hordes that face each other for long it is not the units that count, but that somebody wins.
        scale = min(1.0, HORDE / max(size, scene.size(target)))
        lost, beaten = size - after.attackers, scene.size(target) - after.defenders
        cost = scale * (1.1 * beaten - (1.4 - 2 * bold) * lost)
        yield after.wins * scene.worth(target) + cost + 0.5 + 10 * bold, target


def _sneaks(asked: Asked) -> Any:
    """Let Elves who fight no more this turn shoot once, which costs nothing (QD-12)."""
    scene = asked.scene
    best: tuple[float, Place, Place, int] | None = None
    for offer in asked.of("SneakAttack"):
        fields: Any = offer.fields
        if fields["leading"].of or fields["dragonlords"]:
            continue
        for target in fields["target"].values if isinstance(fields["target"], OneOf) else (fields["target"],):
            found = (scene.worth(target) + scene.size(target), target, fields["origin"], fields["units"].high)
            best = max(best, found) if best is not None else found
    if best is None:
        return None
    return asked.give("SneakAttack", target=best[1], origin=best[2], units=best[3], leading=())


def _marches(asked: Asked) -> Any:
    """March with units that have no enemy beside them to where they are drawn most, over one's own land (QD-18)."""
    scene = asked.scene
    for offer in asked.of("ForcedMarch"):
        fields: Any = offer.fields
        origin = fields["origin"]
        if fields["leading"].of or fields["dragonlords"] or not isinstance(fields["path"], Path):
            continue
        units = min(fields["units"].high, scene.spare(origin))
        if units < max(1, fields["units"].low) or any(scene.is_enemy(near) for near in NEIGHBOURS[origin]):
            continue
        here = scene.pull(origin)
        ranked = sorted(
            ((scene.pull(place, units), place) for place in scene.own if place in TERRITORIES), reverse=True
        )
        for pull, place in ranked[:6]:
            way = scene.way(origin, place, 4)
            if pull > here + 2 and way and fields["path"].allows(way):
                return filled(offer, {"path": way, "units": units})
    return None


def goes_on(asked: Asked) -> Any:
    """Fight on while the odds are even or better, else retreat where the most friends stand (QD-10.9, QD-17)."""
    war, scene = asked.war, asked.scene
    battle = war.battle
    if battle is None or battle.place not in war.columns:
        return asked.ask.silence
    mine = sum(column.size for column in war.columns[battle.place])
    after = scene.prospect(mine, battle.place)
    if after.wins >= 0.42 - boldness(war.turn):
        return asked.give("Continue")
    refuges = [place for place in values_of(asked, "Retreat", "target") if isinstance(place, str)]
    if refuges:
        return asked.give("Retreat", target=max(refuges, key=lambda place: (scene.size(place), place)))
    return asked.give("Continue")


def declares(asked: Asked) -> Any:
    """Show all that helps when the king is in the battle, and treasures always; else keep chips hidden (QD-H29)."""
    battle = asked.war.battle
    for offer in asked.of("Declare"):
        can: Any = offer.fields["shows"]
        in_need = battle is not None and asked.scene.king == battle.place
        shows = tuple(chip for chip in can.of if in_need or "." not in chip)
        return filled(offer, {"shows": shows, "without": ()})
    return None


def casts(asked: Asked) -> Any:
    """Make every spell attack that is offered, on ordinary units (QD-15)."""
    casts = list(asked.of("Cast", "Throw"))
    return casts[0].sample(least) if casts else None


def flees(asked: Asked) -> Any:
    """Let a spell user flee from a battle that is as good as lost (QD-10.7)."""
    war, scene = asked.war, asked.scene
    battle = war.battle
    users = list(asked.of("Flee"))
    if not users or battle is None:
        return None
    attacking = sum(column.size for column in war.columns.get(battle.place, ()))
    if attacking <= 1.5 * scene.size(battle.place):
        return None
    target = max(
        (place for place in values_of(asked, "Flee", "target")), key=lambda place: (scene.size(place), place)
    )
    return asked.give("Flee", target=target)
