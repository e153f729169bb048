"""How each fact that moves pieces is booked: what leaves one account comes into another, or goes back to the box."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

from .quest_deck import CARDS
from .state import is_treasure
from .treasures import TREASURES

if TYPE_CHECKING:
    from .books import Books

__all__ = ["BOOKED"]


def _opened(books: "Books", fact: Any) -> None:
    books.answers, books.options = dict(fact.answers), dict(fact.options)


def _ruled(books: "Books", fact: Any) -> None:
    point = getattr(fact.verdict, "point", None)
    if point is not None:
        books.answers = {**books.answers, point: fact.verdict.answer}


def _units_placed(books: "Books", fact: Any) -> None:
    books.put("unit", (fact.seat, fact.place), fact.units)
    books.put("dragonlord", (fact.seat, fact.place), fact.dragonlords)
    books.put("raised", (fact.seat,), fact.units + fact.dragonlords)


def _units_moved(books: "Books", fact: Any) -> None:
    seat, origin, target = fact.seat, fact.origin, fact.target
    for kind, count in (("unit", fact.units), ("dragonlord", fact.dragonlords)):
        books.put(kind, (seat, origin), -count)
        books.put(kind, (seat, target), count)
    # What lies under a stack that goes whole goes with it, also where nobody else sees it (QD-H42).
    if not books.count("unit", seat, origin) and not books.count("dragonlord", seat, origin):
        for (name, owner, place), _ in books.of("chip"):
            if (owner, place) == (seat, origin):
                _carry(books, name, seat, origin, target)


def _carry(books: "Books", name: str, seat: str, origin: str, target: str) -> None:
    books.put("chip", (name, seat, origin), -1)
    books.put("chip", (name, seat, target), 1)


def _units_struck(books: "Books", fact: Any) -> None:
    books.settle((fact.seat, fact.place))
    books.put("hit", (fact.seat, fact.place), fact.count)


def _hits_spared(books: "Books", fact: Any) -> None:
    books.put("hit", (fact.seat, fact.place), fact.left - books.count("hit", fact.seat, fact.place))


def _units_poisoned(books: "Books", fact: Any) -> None:
    hits = books.count("hit", fact.seat, fact.place)
    books.contradicts(f"units of {fact.seat} poisoned in {fact.place}", min(hits, fact.count), fact.count)
    books.put("hit", (fact.seat, fact.place), -hits)


def _rolled(books: "Books", fact: Any) -> None:
    if fact.purpose == "grail":
        books.saved.add(fact.owner)


def _units_lost(books: "Books", fact: Any) -> None:
    stack = (fact.seat, fact.place)
    hits = books.count("hit", *stack)
    if hits:
        # Losses that came several ways are told one after the other; the first pays the hits of them all.
        there = books.count("unit", *stack) + books.count("dragonlord", *stack)
        books.put("hit", stack, -hits)
        books.payments[stack] = (min(hits, there), 0)
    if stack in books.payments:
        due, lost = books.payments[stack]
        books.payments[stack] = (due, lost + fact.count)
    books.put("unit", (fact.seat, fact.place), fact.dragonlords - fact.count)
    books.put("dragonlord", (fact.seat, fact.place), -fact.dragonlords)
    books.put("lost", (fact.seat,), fact.count)
    books.put("lost", ("dragonlord",), fact.dragonlords)


def _legion_came(books: "Books", fact: Any) -> None:
    books.put("unit", (fact.seat, fact.place), fact.count)
    books.put("raised", (fact.seat,), fact.count)


def _dragonlord_gained(books: "Books", fact: Any) -> None:
    books.put("unit", (fact.seat, fact.place), -1)
    books.put("dragonlord", (fact.seat, fact.place), 1)


def _gold_stored(books: "Books", fact: Any) -> None:
    books.put("gold", (fact.place,), fact.gold)


def _gold_paid(books: "Books", fact: Any) -> None:
    books.put("gold", (fact.place,), -fact.gold)


def _gold_taken(books: "Books", fact: Any) -> None:
    books.contradicts(f"gold taken in {fact.place}", books.count("gold", fact.place), fact.gold)


def _ships_docked(books: "Books", fact: Any) -> None:
    if fact.zone:
        books.put("ship", (fact.zone,), -fact.count)
    books.put("ship", (fact.place,), fact.count)


def _ships_manned(books: "Books", fact: Any) -> None:
    books.put("ship", (fact.place,), -fact.count)
    books.put("ship", (fact.zone,), fact.count)


def _ships_sailed(books: "Books", fact: Any) -> None:
    books.put("ship", (fact.origin,), -fact.count)
    books.put("ship", (fact.path[-1],), fact.count)


def _ships_sunk(books: "Books", fact: Any) -> None:
    books.put("ship", (fact.zone,), -fact.count)
    books.put("lost", ("ship",), fact.count)


def _units_bought(books: "Books", fact: Any) -> None:
    books.put("bought", (fact.seat, "unit"), fact.units)


def _ship_bought(books: "Books", fact: Any) -> None:
    books.put("bought", (fact.seat, "ship"), 1)


def _purchase_used(books: "Books", fact: Any) -> None:
    books.put("bought", (fact.seat, fact.kind), -fact.count)


def _card_dealt(books: "Books", fact: Any) -> None:
    if fact.deck == "scrolls":
        books.put("scroll", (fact.seat,), 1)
        left = len(books.deck) - books.total("scroll") - books.total("read")
    elif fact.deck == "treasures":
        left = len(TREASURES) - books.total("treasure") - 1
    elif books.answers.get("QD-H5") == "under_the_deck":
        return
    else:
        left = len(CARDS) - books.total("quest") - 1
    books.contradicts(f"cards left of {fact.deck}", left, fact.left)


def _hand_dealt(books: "Books", fact: Any) -> None:
    books.put("card", (fact.seat, fact.card), 1)


def _scroll_read(books: "Books", fact: Any) -> None:
    books.put("scroll", (fact.seat,), -1)
    books.put("read", (fact.scroll,), 1)
    known = fact.scroll if books.count("card", fact.seat, fact.scroll) else "?"
    if books.count("card", fact.seat):
        books.put("card", (fact.seat, known), -1)


def _scrolls_taken(books: "Books", fact: Any) -> None:
    books.contradicts(f"scrolls taken from {fact.seat}", books.count("scroll", fact.seat), fact.count)
    books.put("scroll", (fact.seat,), -fact.count)
    books.put("scroll", (fact.victor,), fact.count)
    if fact.seen:
        for (_, card), count in books.of("card", fact.seat):
            books.put("card", (fact.seat, card), -count)
            books.put("card", (fact.victor, card), count)


def _scrolls_passed(books: "Books", fact: Any) -> None:
    for card in fact.cards:
        books.put("card", (fact.seat, card), -1)
        books.put("card", (fact.victor, card), 1)


def _treasure_found(books: "Books", fact: Any) -> None:
    books.put("treasure", (fact.seat,), 1)


def _treasure_picked(books: "Books", fact: Any) -> None:
    if fact.chip:
        books.put("picked", (fact.chip,), 1)


def _treasure_put(books: "Books", fact: Any) -> None:
    for account, count in books.of("picked"):
        books.put("picked", account, -count)
    if not fact.place:
        books.put("treasure", (fact.seat,), -1)


def _treasure_taken(books: "Books", fact: Any) -> None:
    books.put("treasure", (fact.loser,), -1)
    books.put("treasure", (fact.seat,), 1)
    books.put("chip", (fact.chip, fact.loser, fact.place), -1)
    books.put("chip", (fact.chip, fact.seat, fact.place), 1)


def _chips_placed(books: "Books", fact: Any) -> None:
    for name, place in fact.places.items():
        books.put("chip", (name, fact.seat, place), 1)


def _chips_moved(books: "Books", fact: Any) -> None:
    for name in fact.chips:
        _carry(books, name, fact.seat, fact.origin, fact.target)


def _chip_lost(books: "Books", fact: Any) -> None:
    books.put("chip", (fact.chip, fact.seat, fact.place), -1)
    if is_treasure(fact.chip):
        books.put("treasure", (fact.seat,), -1)
    _take_pegs(books, fact.chip)


def _take_pegs(books: "Books", wizard: str) -> None:
    for account, count in books.of("peg", wizard):
        books.put("peg", account, -count)


def _king_beaten(books: "Books", fact: Any) -> None:
    for account, count in books.of("chip"):
        if account[1] == fact.seat and not is_treasure(account[0]):
            books.put("chip", account, -count)
    for account, count in books.of("peg"):
        if account[0].startswith(f"{fact.seat}."):
            books.put("peg", account, -count)


def _wizard_joined(books: "Books", fact: Any) -> None:
    books.put("chip", (fact.chip, fact.seat, fact.place), 1)


def _spells_pegged(books: "Books", fact: Any) -> None:
    for spell in fact.spells:
        books.put("peg", (fact.wizard, spell), 1)


def _spell_learned(books: "Books", fact: Any) -> None:
    books.put("peg", (fact.wizard, fact.spell), 1)


def _items_gained(books: "Books", fact: Any) -> None:
    for item, count in fact.items.items():
        books.put("item", (fact.seat, item), count)


def _items_moved(books: "Books", fact: Any) -> None:
    for item, count in fact.items.items():
        if fact.source:
            books.put("item", (fact.source, item), -count)
        if fact.target:
            books.put("item", (fact.target, item), count)


def _store_taken(books: "Books", fact: Any) -> None:
    for (_, item), count in books.of("item", fact.loser):
        books.put("item", (fact.loser, item), -count)
        books.put("item", (fact.seat, item), count)


def _quest_card_read(books: "Books", fact: Any) -> None:
    there = books.count("quest", fact.card)
    if books.answers.get("QD-H5") != "under_the_deck":
        books.contradicts(f"the quest card {fact.card} among the used ones", 0, there)
    books.put("quest", (fact.card,), 1 - there)


def _deck_shuffled(books: "Books", _fact: Any) -> None:
    for account, count in books.of("quest"):
        books.put("quest", account, -count)


BOOKED: Final[Mapping[str, Callable[["Books", Any], None]]] = {
    "GameOpened": _opened, "Ruled": _ruled, "UnitsPlaced": _units_placed, "UnitsMoved": _units_moved,
    "UnitsLost": _units_lost, "UnitsStruck": _units_struck, "HitsSpared": _hits_spared,
    "UnitsPoisoned": _units_poisoned, "Rolled": _rolled, "LegionCame": _legion_came, "DragonLordGained": _dragonlord_gained,
    "GoldStored": _gold_stored, "GoldPaid": _gold_paid, "GoldTaken": _gold_taken, "ShipsDocked": _ships_docked,
    "ShipsManned": _ships_manned, "ShipsSailed": _ships_sailed, "ShipsSunk": _ships_sunk,
    "UnitsBought": _units_bought, "ShipBought": _ship_bought, "PurchaseUsed": _purchase_used, "CardDealt": _card_dealt,
    "HandDealt": _hand_dealt, "ScrollRead": _scroll_read, "ScrollsTaken": _scrolls_taken,
    "ScrollsPassed": _scrolls_passed, "TreasureFound": _treasure_found, "TreasurePicked": _treasure_picked,
    "TreasurePut": _treasure_put, "TreasureTaken": _treasure_taken, "ChipsPlaced": _chips_placed,
    "ChipsMoved": _chips_moved, "ChipLost": _chip_lost, "KingBeaten": _king_beaten, "WizardJoined": _wizard_joined,
    "SpellsPegged": _spells_pegged, "SpellLearned": _spell_learned, "ItemsGained": _items_gained,
    "ItemsMoved": _items_moved, "StoreTaken": _store_taken, "QuestCardRead": _quest_card_read,
    "QuestDeckShuffled": _deck_shuffled,
}  # fmt: skip
"""How each fact that moves pieces is booked, by its name; all others move none."""
