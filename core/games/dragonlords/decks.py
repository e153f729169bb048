"""The decks (QD-1.3): scrolls, quest cards and treasures, read once from `data/decks.json`, and what is dealt from them."""

from functools import cache
from importlib.resources import files
from typing import Annotated, Any, Final

from msgspec import json, structs

from core.rules import Fact, named
from events import chance
from events.event import Seat

from .state import War

__all__ = [
    "BLESSINGS",
    "CRYSTAL",
    "CardDealt",
    "HandDealt",
    "ScrollName",
    "deck_data",
    "deck_for",
    "deck_of",
    "scrolls",
    "scrolls_left",
    "scrolls_not_drawn",
]

ScrollName = Annotated[str, named("scroll")]
"""A scroll card, such as `legion` or `summon_elemental.fire`; `?` where nobody who records saw it (QD-16)."""
CRYSTAL: Final = ("yellow", "yellow", "blue", "blue", "red", "red")
"""The faces of the crystal die: blessed, ignored, cursed, two of each (QD-1.5, QD-H1)."""
BLESSINGS: Final = {"yellow": "blessed", "blue": "ignored", "red": "cursed"}
"""What each face of the crystal die says (QD-1.5)."""


@cache
def deck_data() -> Any:
    """Return the plain data of the decks."""
    return json.decode(files(__package__).joinpath("data", "decks.json").read_bytes())


@cache
def scrolls() -> tuple[str, ...]:
    """Return the scroll cards, each as often as the deck has it; an elemental as `summon_elemental.fire` (QD-16)."""
    return tuple(
        card["kind"] + (f".{card['variant']}" if "variant" in card else "")
        for card in deck_data()["scroll_cards"]
        for _ in range(card["n"])
    )


@cache
def _without_elementals() -> tuple[str, ...]:
    return tuple(card for card in scrolls() if not card.startswith("summon_elemental"))


def deck_for(length: str) -> tuple[str, ...]:
    """Return the scroll cards of a game of that length: without the elementals in the long one (QD-23.3)."""
    return _without_elementals() if length == "long" else scrolls()


def deck_of(war: War) -> tuple[str, ...]:
    """Return the scroll cards of a game (QD-23.3)."""
    return deck_for(war.length)


def scrolls_left(war: War) -> tuple[str, ...]:
    """Return the scrolls that are still in the deck, as far as the reader of this state knows."""
    left = list(deck_of(war))
    for card in (*war.scrolls_used, *(card for hand in war.hands.values() for card in hand)):
        if card in left:
            left.remove(card)
    return tuple(left)


def scrolls_not_drawn(war: War) -> int:
    """Return how many scrolls are still in the deck, as everybody knows (QD-H5)."""
    return len(deck_of(war)) - len(war.scrolls_used) - sum(war.held.values())


class CardDealt(chance.CardDealt, tag="CardDealt"):
    """A seat drew a card from a deck; of scrolls everybody knows how many each seat holds."""

    def onto(self, state: War) -> War:  # type: ignore[override]  # the shared fact folds onto any state
        if self.deck != "scrolls":
            return state
        return structs.replace(state, held={**state.held, self.seat: state.held.get(self.seat, 0) + 1})


class HandDealt(Fact[War]):
    """This scroll came into the hand of a seat."""

    seat: Seat
    card: str

    def audience(self) -> tuple[Seat, ...]:
        return (self.seat,)

    def onto(self, state: War) -> War:
        hand = (*state.hands.get(self.seat, ()), self.card)
        return structs.replace(state, hands={**state.hands, self.seat: hand})


FACTS = (CardDealt, HandDealt)
