"""A sensible player (QD-25): guards king and kingdoms, buys, attacks where the odds are good, takes gold, sends ships and parties.

It knows offers by the names of their commands and takes what it wants of what it is offered, so a chapter it does not
know is played by an offer at random, or by silence. It sees its seat's view and nothing else.
"""

from collections.abc import Callable
from typing import Any, Final

from core.asking import Ask, Chooser
from core.telling import Moment

from .board import KINGDOMS, NEIGHBOURS, TERRITORIES, WASTELANDS, ZONES
from .bot_asked import Asked, values_of
from .bot_combat import casts, declares, fights, flees, goes_on
from .bot_magic import answers, burns, comes_home, reads, reads_in_battle, teleports
from .bot_quests import chooses, cures, drinks, meets, quests, saves, shops, stashes, throws
from .bot_voyages import sails, transfers
from .state import Place, War

__all__ = ["choose"]

QUIET: Final = frozenset({"store_gold", "losses", "go_back", "learn", "dragonlord", "dock", "travel", "read"})
"""Kinds of questions whose silence is sensible as it is."""


def choose(view: Moment[War], ask: Ask, pick: Chooser) -> Any:
    """Return the command that a sensible player gives; the same for the same view, ask and pick.

    None where nothing needs an answer and it had rather wait: a scroll that may be read, but not now.
    """
    asked = Asked(view, ask, pick)
    plan = _PLANS.get(ask.question.kind)
    chosen = plan(asked) if plan is not None else None
    if chosen is not None and any(offer.allows(chosen) for offer in ask.offers):
        return chosen
    if (plan is not None or ask.question.kind in QUIET or not ask.offers) and ask.silence is not None:
        return ask.silence
    if ask.question.kind == "scroll":
        return None
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
    # In a war that does not end, raiders go around the armies that face each other.
    if gold >= (40 if war.turn < 60 else 25) and not ships and (ship := asked.give("BuyShip")):
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


# What else there is


def _declares(asked: Asked) -> Any:
    """Read a scroll that turns the battle, then declare (QD-H29)."""
    return reads_in_battle(asked) or declares(asked)


def _fights(asked: Asked) -> Any:
    """Burn blockades, then see to battles (QD-13.1, QD-10.1)."""
    return burns(asked) or fights(asked)


def _sails(asked: Asked) -> Any:
    """Teleport where that surprises somebody, then sail (QD-5)."""
    return teleports(asked) or sails(asked)


def _transfers(asked: Asked) -> Any:
    """Send guards home through the air, then step (QD-19)."""
    return comes_home(asked) or transfers(asked) or asked.end()


def _pays(asked: Asked) -> Any:
    """Pay a card's price out of the kingdom with the most gold (QD-2.2)."""
    fit = values_of(asked, "PayFrom", "source")
    return (
        asked.give("PayFrom", source=max(fit, key=lambda place: (asked.war.gold.get(place, 0), place)))
        if fit
        else None
    )


_PLANS: Final[dict[str, Callable[[Asked], Any]]] = {
    "claim": _claims, "add_unit": _adds, "hide": _hides, "buy": _buys, "place": _places, "store_gold": _stores,
    "combat": _fights, "choice": goes_on, "declare": _declares, "cast": casts, "flight": flees, "transfer": _transfers,
    "sea": _sails, "quest": quests, "shop": shops, "lair": meets, "orb": meets, "scroll": reads, "scroll_window": answers,
    "drink": drinks, "cure": cures, "throw": throws, "grail": saves, "shield": saves, "treasure": stashes,
    "choose": chooses, "pay": _pays,
}  # fmt: skip
