"""The sensible bot in the Wastelands: full parties, early, with their tools; it buys, fights, charms and cures (QD-6, QD-8, QD-25)."""

from typing import Any

from .board import ROADS, SPACE_OF
from .bot_asked import Asked, filled, least, values_of
from .state import Place, shade, units_of

__all__ = ["chooses", "cures", "drinks", "meets", "quests", "saves", "shops", "stashes", "throws"]

FULL = 6
"""The units of a full party (QD-6.1)."""


def quests(asked: Asked) -> Any:
    """Move parties that are out; send a full one into each Wasteland where an army can spare it, with a wizard if one is there."""
    for offer in asked.of("MoveParty"):
        return offer.sample(least)
    scene = asked.scene
    out = {ROADS[SPACE_OF[there]] for there in scene.own if there in SPACE_OF}
    if len(out) > 1 or not asked.war.turn:
        return asked.end()
    found: list[tuple[tuple[int, int, int], Any]] = []
    for offer in asked.of("SendParty"):
        fields: Any = offer.fields
        origin, stored = fields["origin"], fields["items"]
        size = min(FULL, fields["units"].high, scene.spare(origin) - 1)
        if size < 5 or size < fields["units"].low:
            continue
        able = fields["leading"].of
        wizard = next((name for name in able if ".wizard" in name), "")
        if able and not wizard:
            continue
        items = {item: 1 for item in ("torch", "pickaxe") if stored.pool.get(item)}
        items |= {item: n for item, n in stored.pool.items() if item not in ("torch", "pickaxe") and n}
        leading = tuple(able[:1] if not wizard else (wizard,)) if fields["leading"].low else ()
        if wizard and not leading:
            leading = (wizard,) if fields["leading"].allows((wizard,)) else ()
        command = filled(offer, {"units": size, "items": items, "leading": leading})
        if command is not None:
            found.append(((len(items) >= 2, bool(leading), size), command))
    ready = [each for each in found if each[0][0] or asked.war.turn > 8]
    return max(ready, key=lambda each: (each[0], str(each[1])))[1] if ready else asked.end()


def shops(asked: Asked) -> Any:
    """Buy one of what a party has use for and has not: orb, talisman, torch, pickaxe, elixir, potion; in a village fill it up."""
    held: dict[str, int] = {}
    step = asked.war.agenda[-1].step
    for name, items in asked.war.items.items():
        if name.startswith(f"{asked.seat}@"):
            held.update(items)
    for item in ("dragonorb", "talisman", "torch", "pickaxe", "elixir", "potion"):
        if not held.get(item) and (bought := asked.give("BuyItem", item=item, count=1)):
            return bought
    party = units_of(asked.war, asked.seat, getattr(step, "place", ""))
    if party < FULL and (joined := asked.give("Recruit", units=FULL - party)):
        return joined
    return asked.end()


def meets(asked: Asked) -> Any:
    """In the lair ask the gods with an orb, face the dragon with a full party, else take an orb (QD-6.9); charm by orb (QD-8.6)."""
    for offer in asked.of("ReadScroll"):
        if offer.fields.get("scroll") == "charm":
            return offer.sample(least)
    place = getattr(asked.war.agenda[-1].step, "place", "")
    full = units_of(asked.war, asked.seat, place) >= 5
    order = ("ConsultGods", "FaceDragon", "TakeOrb") if full else ("ConsultGods", "TakeOrb")
    return next((asked.give(name) for name in (*order, "UseOrb") if any(asked.of(name))), None) or asked.end()


def drinks(asked: Asked) -> Any:
    """Drink the Elixir when the party is worn down: it takes the hits of the round (QD-8.4)."""
    battle = asked.war.battle
    place = battle.place if battle is not None else ""
    if units_of(asked.war, asked.seat, place) <= 4 or asked.war.struck.get(shade(asked.seat, place), 0) > 1:
        return asked.give("Drink")
    return asked.end()


def cures(asked: Asked) -> Any:
    """Let a wizard cure, for that costs nothing; else the potion (QD-8.3, QD-15.1)."""
    able = values_of(asked, "Cure", "by")
    return asked.give("Cure", by=able[0]) if able else None


def throws(asked: Asked) -> Any:
    """Throw whatever harms the monster (QD-9.3)."""
    return next((offer.sample(least) for offer in asked.of("Throw")), None)


def saves(asked: Asked) -> Any:
    """Turn up the Holy Grail, or what protects a fleet, where it saves units (QD-7.8, QD-H41)."""
    return next((offer.sample(least) for offer in asked.of("ShowGrail", "Shield")), None)


def stashes(asked: Asked) -> Any:
    """Put a treasure under the king's army if that is a kingdom, for it works in battle; else with the party (QD-7)."""
    places = values_of(asked, "PutTreasure", "place")
    scene = asked.scene
    homes: list[Place] = [place for place in places if place in scene.own and place not in SPACE_OF]
    if not homes:
        return None
    return asked.give(
        "PutTreasure", place=max(homes, key=lambda place: (place == scene.king, scene.own[place], place))
    )


def chooses(asked: Asked) -> Any:
    """Take a choice of a card as it comes: what is best hangs on cards that nobody knows (QD-6.10)."""
    fit = values_of(asked, "Choose", "option")
    return asked.give("Choose", option=fit[asked.pick(len(fit))]) if fit else None
