"""The sensible bot in peace: it transfers towards the front, and takes islands and weak harbours from the sea (QD-5, QD-19)."""

from typing import Any

from core.asking import Path

from .board import SEA, TERRITORIES, ZONES
from .bot_asked import Asked, filled, values_of
from .bot_map import Scene
from .docks import range_of
from .state import Place

__all__ = ["sails", "transfers"]


def transfers(asked: Asked) -> Any:
    """Step with who is spare to where units are drawn more, ashore from ships, and home (QD-19)."""
    scene = asked.scene
    if landing := _lands(asked, friendly=True):
        return landing
    best: tuple[float, Place, Place, int] | None = None
    for offer in asked.of("Transfer"):
        fields: Any = offer.fields
        if fields["leading"].of or fields["dragonlords"] or "gatekeeper" in fields:
            continue
        origin = fields["origin"]
        units = min(fields["units"].high, scene.spare(origin))
        if units < max(1, fields["units"].low):
            continue
        for target in values_of(asked, "Transfer", "target"):
            if not fields["target"].allows(target):
                continue
            gain = scene.pull(target, units) - scene.pull(origin)
            lacking = scene.need(target) - scene.own.get(target, 0) if target in scene.own else 0
            going = units if lacking <= 0 else min(units, max(lacking, 1))
            found = (gain, target, origin, going)
            if gain > 1.2 and (best is None or found > best):
                best = found
    if best is not None:
        step = asked.give(
            "Transfer", target=best[1], origin=best[2], units=best[3], leading=(), dragonlords=0
        )
        if step is not None:
            return step
    return None


def sails(asked: Asked) -> Any:
    """Take islands and weakly held harbours from the sea: go aboard, sail there, land (QD-5)."""
    if landing := _lands(asked, friendly=False):
        return landing
    scene, war = asked.scene, asked.war
    for offer in asked.of("Sail"):
        fields: Any = offer.fields
        origin = fields["origin"]
        if fields["leading"].of or fields["dragonlords"] or origin not in war.armies:
            continue
        aboard = war.armies[origin].units
        if fields["ships"].allows(0) and fields["units"].allows(aboard):
            way = _voyage(scene, origin, aboard, fields["path"])
            if way:
                return filled(offer, {"path": way, "units": aboard, "ships": 0, "having": 0})
    for offer in asked.of("Board"):
        fields = offer.fields
        origin = fields["origin"]
        units = min(fields["units"].high, scene.spare(origin), 8)
        zone = TERRITORIES[origin].harbour_zone if origin in TERRITORIES else None
        if fields["leading"].of or zone is None or zone in war.armies or fields["ships"] != 1:
            continue
        if units >= max(2, fields["units"].low):
            way = _voyage(scene, zone, units, Path(zone, dict(SEA), 1, range_of(asked.seat)))
            if way:
                return filled(offer, {"units": min(units, _crew(scene, way[-1], units)), "leading": ()})
    return asked.end()


def _crew(scene: Scene, zone: Place, units: int) -> int:
    """Return how many go for what a zone has to take: few for an empty island, all against an enemy."""
    held = any(scene.is_enemy(place) for place in ZONES[zone].harbours)
    return units if held else min(units, 2)


def _prizes(scene: Scene, zone: Place, units: int) -> float:
    """Return what the best harbour of a zone is worth to so many units that land there; 0 when none can be taken."""
    best = 0.0
    for place in ZONES[zone].harbours:
        closed = place in scene.own or scene.is_closed(place)
        if not closed and scene.prospect(units, place).wins >= 0.7:
            best = max(best, scene.worth(place))
    return best


def _voyage(scene: Scene, origin: Place, units: int, path: Path) -> tuple[Place, ...]:
    """Return the way to the best prize in reach; empty where there is none worth it."""
    ways: dict[Place, tuple[Place, ...]] = {origin: ()}
    edge, best = [origin], 3.0
    found: tuple[Place, ...] = ()
    while edge:
        zone = edge.pop(0)
        way = ways[zone]
        if (
            way
            and (worth := _prizes(scene, zone, units) - 0.2 * len(way)) > best
            and not scene.is_enemy(zone)
        ):
            best, found = worth, way
        for there in path.edges.get(zone, ()):
            barred = scene.is_enemy(there) or scene.is_closed(there)
            if there not in ways and len(way) < path.high and not barred:
                ways[there] = (*way, there)
                edge.append(there)
    return found


def _lands(asked: Asked, *, friendly: bool) -> Any:
    """Go ashore where a harbour can be taken; `friendly`: or simply home."""
    scene = asked.scene
    for offer in asked.of("Land"):
        fields: Any = offer.fields
        for target in fields["target"].values:
            if fields["leading"].of and not friendly:
                continue
            units = fields["units"].high
            takes = target not in scene.own and scene.prospect(units, target).wins >= 0.6
            if takes or (friendly and target in scene.own):
                return filled(offer, {"target": target, "units": units})
    return None
