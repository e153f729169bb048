"""A sensible player (QD-25): guards king and kingdoms, buys, attacks where the odds are good, takes gold, sends ships and parties.

It knows offers by the names of their commands and takes what it wants of what it is offered, so a chapter it does not
know is played by an offer at random, or by silence. It sees its seat's view and nothing else.
"""

from collections.abc import Callable
from typing import Any, Final

from core.asking import Ask, Chooser
from core.telling import Moment

from .board import KINGDOMS, NEIGHBOURS, TERRITORIES, WASTELANDS, ZONES
from .bot_asked import Asked, filled, least, values_of
from .bot_combat import casts, declares, fights, flees, goes_on
from .bot_voyages import sails, transfers
from .state import Place, War

__all__ = ["choose"]

QUIET: Final = frozenset(
    {
        "store_gold",
        "losses",
        "go_back",
        "pay",
        "learn",
        "dragonlord",
        "treasure",
        "dock",
        "travel",
        "cure",
        "read",
    }
)
"""Kinds of questions whose silence is sensible as it is."""


def choose(view: Moment[War], ask: Ask, pick: Chooser) -> Any:
    """Return the command that a sensible player gives; the same for the same view, ask and pick."""
    asked = Asked(view, ask, pick)
    plan = _PLANS.get(ask.question.kind)
    chosen = plan(asked) if plan is not None else None
    if chosen is not None and any(offer.allows(chosen) for offer in ask.offers):
        return chosen
    if (plan is not None or ask.question.kind in QUIET or not ask.offers) and ask.silence is not None:
        return ask.silence
    return ask.offers[pick(len(ask.offers))].sample(pick)


# The setup (QD-3)


def _claims(asked: Asked) -> Any:
    """Claim gold and kingdoms first, then one's own realm and what lies beside one's own land (QD-3.3)."""

    def value(place: Place) -> tuple[float, int]:
        land, own = TERRITORIES[place], asked.scene.own
        realm = land.realm is not None and any(
            TERRITORIES[mine].realm == land.realm for mine in own if mine in KINGDOMS
        )
        beside = sum(near in own for near in NEIGHBOURS[place])
        gates = any(way.territory == place for road in WASTELANDS.values() for way in road.entrances)
        worth = (
            asked.scene.worth(place) + 5 * realm + 1.5 * beside + 1.0 * gates + 0.5 * bool(land.harbour_zone)
        )
        return worth, asked.pick(100)

    places = values_of(asked, "Claim", "place")
    return asked.give("Claim", place=max(places, key=value)) if places else None


def _adds(asked: Asked) -> Any:
    """Add units where they are lacking or where the front is, most of all in kingdoms (QD-3.4, QD-25)."""
    places = values_of(asked, "AddUnit", "place")
    scene = asked.scene

    def value(place: Place) -> float:
        small = scene.own[place] < 6
        return scene.pull(place) + 12 * (place in KINGDOMS and small) + 0.6 * scene.own[place]

    return asked.give("AddUnit", place=max(places, key=value)) if places else None


def _hides(asked: Asked) -> Any:
    """Hide the king in the largest army, in a kingdom if there is one as large; the wizard with him, the blank elsewhere (QD-25)."""
    chips, places = values_of(asked, "HideChip", "chip"), values_of(asked, "HideChip", "place")
    if not chips or not places:
        return None
    scene = asked.scene
    ranked = sorted(
        places, key=lambda place: (scene.own[place] + 2 * (place in KINGDOMS), place), reverse=True
    )
    chip = next((kind for kind in ("king", "wizard", "blank") if kind in chips), chips[0])
    return asked.give(
        "HideChip", chip=chip, place=ranked[1] if chip == "blank" and len(ranked) > 1 else ranked[0]
    )


# Buying and placing (QD-4, QD-21)


def _buys(asked: Asked) -> Any:
    """Buy a ship for the first time when gold abounds, else units for all but a little gold for parties (QD-4.2, QD-4.3)."""
    war, seat = asked.war, asked.seat
    gold = sum(war.gold.get(place, 0) for place in KINGDOMS if place in asked.scene.own)
    afloat = sum(war.armies[zone].seat == seat for zone in war.fleets if zone in war.armies)
    ships = afloat + sum(place in asked.scene.own for place in war.docked) + war.bought.get(f"{seat}.ship", 0)
    if gold >= 40 and not ships and (ship := asked.give("BuyShip")):
        return ship
    parties = any(place not in TERRITORIES and place not in ZONES for place in asked.scene.own)
    most = max((offer.fields["units"].high for offer in asked.of("BuyUnits")), default=0)  # type: ignore[union-attr]
    most -= 2 * parties
    if seat == "orc" and most > 4:
        most -= most % 4  # four for ten gold (QD-1.2)
    return (asked.give("BuyUnits", units=most) if most > 0 else None) or asked.end()


def _places(asked: Asked) -> Any:
    """Place units where they are lacking, the rest where they are drawn most (QD-21.1)."""
    scene = asked.scene
    for offer in asked.of("PlaceUnits"):
        pool: Any = offer.fields["units"]
        given: dict[Place, int] = {}
        for _ in range(pool.high):
            place = max(pool.pool, key=lambda place: (scene.pull(place), place))
            given[place] = given.get(place, 0) + 1
            scene.own[place] = scene.own.get(place, 0) + 1
        return offer.command(units=given)
    harbours = values_of(asked, "PlaceShip", "place")
    return asked.give("PlaceShip", place=max(harbours, key=scene.size)) if harbours else None


def _stores(asked: Asked) -> Any:
    """Store the gold in the kingdom that is guarded best (QD-2.2)."""
    scene = asked.scene
    for offer in asked.of("StoreGold"):
        pool: Any = offer.fields["gold"]
        safest = max(pool.pool, key=lambda place: (scene.own.get(place, 0) - scene.threat(place)[0], place))
        return offer.command(gold={safest: pool.high}) if pool.high else None
    return None


# Quests (QD-6)


def _quests(asked: Asked) -> Any:
    """Move parties that are out; send a full one, with torch and pickaxe, where an army can spare it (QD-25)."""
    for offer in asked.of("MoveParty"):
        return offer.sample(least)
    scene = asked.scene
    for offer in asked.of("SendParty"):
        fields: Any = offer.fields
        origin = fields["origin"]
        if fields["leading"].of or not fields["units"].allows(6) or scene.spare(origin) < 7:
            continue
        stored: Any = fields["items"]
        items = {item: 1 for item in ("torch", "pickaxe") if stored.pool.get(item)}
        if len(items) == 2:
            return filled(offer, {"units": 6, "items": items, "leading": ()})
    return asked.end()


def _shops(asked: Asked) -> Any:
    """Buy one of what a party has use for and has not: orb, talisman, torch, pickaxe (QD-6.6 to QD-6.8)."""
    held: dict[str, int] = {}
    for name, items in asked.war.items.items():
        if name.startswith(f"{asked.seat}@"):
            held.update(items)
    for item in ("dragonorb", "talisman", "torch", "pickaxe"):
        if not held.get(item) and (bought := asked.give("BuyItem", item=item, count=1)):
            return bought
    return asked.end()


def _meets(asked: Asked) -> Any:
    """In the lair ask the gods with an orb, else face the dragon (QD-6.9); in a fight use the orb (QD-8.6)."""
    return next(
        (asked.give(name) for name in ("ConsultGods", "FaceDragon", "UseOrb") if any(asked.of(name))), None
    )


_PLANS: Final[dict[str, Callable[[Asked], Any]]] = {
    "claim": _claims, "add_unit": _adds, "hide": _hides, "buy": _buys, "place": _places, "store_gold": _stores,
    "combat": fights, "choice": goes_on, "declare": declares, "cast": casts, "flight": flees, "transfer": transfers,
    "sea": sails, "quest": _quests, "shop": _shops, "lair": _meets, "orb": _meets,
}  # fmt: skip
