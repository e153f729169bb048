"""Items (QD-8): silver chips that lie in a seat's store, or with a party in the Wastelands, and work only there.

A store is named by its seat, what a party has by its stack, `seat@place`. Items lie open, and there is no end of them
(QD-H45).
"""

from collections.abc import Iterator, Mapping
from typing import Final

from msgspec import Struct, structs

from core.refusal import Refusal
from core.rules import Fact
from core.telling import Tale
from events.event import Count, Seat, SectionRef

from .decks import deck_data
from .holdings import kingdoms_of
from .soundness import Changes, changes
from .state import Place, War, shade, units_of

__all__ = [
    "FACTS",
    "GOODS",
    "Goods",
    "ItemsMoved",
    "carried",
    "forbids_items",
    "gain_item",
    "leave_behind",
    "only_in_the_wastelands",
    "sound_items",
    "spend_item",
    "store_items",
    "take_along",
]


class Goods(Struct, frozen=True):
    """An item: its price in gold, and in which kind of space it is sold (QD-6.6 to QD-6.8)."""

    id: str
    cost: int
    sold_at: str


GOODS: Final[Mapping[str, Goods]] = {
    each["id"]: Goods(each["id"], each["cost"], each["sold_at"]) for each in deck_data()["items"]
}
"""The six items, in the order of the list (QD-8.2 to QD-8.6)."""


def only_in_the_wastelands(*when: SectionRef) -> Mapping[str, tuple[SectionRef, ...]]:
    """Return by what sections an item is not used in a battle elsewhere: `when` goes for quests (QD-8.1)."""
    return dict.fromkeys(("land", "sneak", "sea"), ("QD-8.1", *when))


class ItemsMoved(Fact[War]):
    """Items went from one holder to another: a store (a seat) or a party (`seat@place`).

    From nobody: they were bought or found. To nobody: they were used up or lost.
    """

    CLAIM = "gains"
    CLAIM_KINDS = tuple(GOODS)

    source: str
    target: str
    items: dict[str, Count]

    @property
    def seat(self) -> Seat:
        """The seat that gained them; nobody where they only changed hands, or are gone."""
        return "" if self.source else self.target.partition("@")[0]

    def onto(self, state: War) -> War:
        items = state.items
        if self.source:
            items = _changed(items, self.source, self.items, -1)
        if self.target:
            items = _changed(items, self.target, self.items, 1)
        return structs.replace(state, items=items)


def _changed(
    items: Mapping[str, Mapping[str, int]], holder: str, more: Mapping[str, int], sign: int
) -> Mapping[str, Mapping[str, int]]:
    """Return items with those of a holder changed, in the order of the list: a line may have them in another."""
    before = items.get(holder, {})
    counts = {item: before.get(item, 0) + sign * more.get(item, 0) for item in GOODS}
    if any(count < 0 for count in counts.values()):
        raise ValueError(f"{holder} has {before}, not {more}")
    others = {name: held for name, held in items.items() if name != holder}
    left = {item: count for item, count in counts.items() if count}
    return {**others, holder: left} if left else others


def carried(war: War, seat: Seat, place: Place) -> Mapping[str, int]:
    """Return the items of the party that a seat has in a place."""
    return war.items.get(shade(seat, place), {})


def _tell(
    tale: Tale[War], source: str, target: str, items: Mapping[str, int], because: tuple[SectionRef, ...]
) -> None:
    if items:
        tale.tell(ItemsMoved(source, target, dict(items), because=because))


def gain_item(
    tale: Tale[War], seat: Seat, place: Place, item: str, count: int, because: tuple[SectionRef, ...]
) -> None:
    """Tell that a party bought or found an item."""
    _tell(tale, "", shade(seat, place), {item: count}, because)


def spend_item(tale: Tale[War], seat: Seat, place: Place, item: str, because: tuple[SectionRef, ...]) -> None:
    """Tell that a party used up one of its items."""
    _tell(tale, shade(seat, place), "", {item: 1}, because)


def take_along(
    tale: Tale[War], seat: Seat, origin: Place, target: Place, because: tuple[SectionRef, ...]
) -> None:
    """Tell that a whole party takes its items along to another place of the Wastelands (QD-8.1)."""
    _tell(tale, shade(seat, origin), shade(seat, target), carried(tale.state, seat, origin), because)


def store_items(tale: Tale[War], seat: Seat, place: Place) -> None:
    """Tell that the items of a party that left the Wastelands go to the store; without a kingdom they are lost (QD-H7)."""
    kept = bool(kingdoms_of(tale.state, seat))
    because = ("QD-8.1",) if kept else ("QD-8.1", "QD-H7")
    _tell(tale, shade(seat, place), seat if kept else "", carried(tale.state, seat, place), because)


def leave_behind(tale: Tale[War], seat: Seat, place: Place, winner: Seat = "") -> None:
    """Tell what becomes of the items of a party that is lost; nothing while some of it is left.

    They go to the party that beat it, unless the table lets them be lost; a monster destroys them (QD-8.1, QD-X70).
    """
    if units_of(tale.state, seat, place):
        return
    taken = winner and tale.answer("QD-X70") == "winner_takes"
    target = shade(winner, place) if taken else ""
    _tell(tale, shade(seat, place), target, carried(tale.state, seat, place), ("QD-8.1", "QD-X70"))


def forbids_items(war: War, seat: Seat, items: Mapping[str, int]) -> Iterator[Refusal]:
    """Refuse to take along what does not lie in the store (QD-6.1, QD-8.1)."""
    stored = war.items.get(seat, {})
    for item, count in items.items():
        if not 0 < count <= stored.get(item, 0):
            there = ", ".join(f"{n} {name}" for name, n in stored.items()) or "nothing"
            yield Refusal(
                "not_in_store",
                ("QD-6.1", "QD-8.1"),
                f"{seat} can't take {count} {item} along; in store is {there}.",
                {"item": item, "count": count},
            )


def sound_items(war: War, before: War | None = None, changed: Changes | None = None) -> Iterator[str]:
    """Say what is wrong with items: kinds that there are not, fewer than none, and those that nobody carries."""
    changed = changed or changes(war, before)
    same = before is not None and war.items is before.items
    if same and not changed.all and not changed.places:
        return
    # What a wiped out party had lies there until the battle is over.
    fought_for = war.battle.place if war.battle is not None else ""
    for holder, items in war.items.items():
        seat, _, place = holder.partition("@")
        if same and place not in changed:
            continue
        for item, count in items.items():
            if item not in GOODS or count < 0:
                yield f"{holder} has {count} {item}; items are {', '.join(GOODS)}, and never fewer than none (QD-8)"
        if seat not in war.muster:
            yield f"{seat} has items, but does not sit at the table"
        elif place and items and place != fought_for and not units_of(war, seat, place):
            yield f"{seat} has no party in {place} that carries {', '.join(items)} (QD-8.1)"


FACTS = (ItemsMoved,)
