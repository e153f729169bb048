"""The fall of a king, and the end of the game (QD-22)."""

from msgspec import structs

from core.rules import Fact, Setup
from core.telling import Moment, Tale
from events.event import Count, Seat, SectionRef
from events.play import GameEnded

from .armies import GoldTaken
from .docks import take_ships
from .purchase import bought
from .reinforcements import PurchaseUsed
from .state import Place, War
from .variants import kingdoms_held, kingdoms_to_win, players_left

__all__ = [
    "FACTS",
    "FallenSet",
    "KingBeaten",
    "ScrollsPassed",
    "ScrollsTaken",
    "check_end",
    "claimed",
    "ending_of",
    "king_beaten",
]


class KingBeaten(Fact[War]):
    """A king fell: his seat is out, its units are vanquished; `victor` is empty when nobody beat him (QD-22.1)."""

    CLAIM = "falls"
    CLAIM_KINDS = ("king",)

    seat: Seat
    victor: str = ""

    def onto(self, state: War) -> War:
        return _vanquished(state, self.seat)


class FallenSet(Setup[War]):
    """The king of a seat has fallen, so its units are vanquished; or, in a correction, he has not (QD-22.1).

    What the seat bought and has not placed is lost with him (QD-H52).
    """

    WORD = "fallen"
    KEY = ("seat",)
    ABOUT = ("QD-22.1",)

    seat: Seat
    fallen: bool = True

    def onto(self, state: War) -> War:
        if self.seat not in state.seats:
            raise ValueError(f"{self.seat} does not sit at the table")
        if (self.seat in state.out) == self.fallen:
            return state
        if self.fallen:
            own = f"{self.seat}."
            left = {what: count for what, count in state.bought.items() if not what.startswith(own)}
            return structs.replace(_vanquished(state, self.seat), bought=left)
        return structs.replace(state, out=tuple(seat for seat in state.out if seat != self.seat))


def _vanquished(war: War, seat: Seat) -> War:
    """Return the war with a seat out of it: its units bear no king, wizard or decoy any more (QD-H47)."""
    bare = (f"{seat}.king", f"{seat}.blank", f"{seat}.wizard.")
    return structs.replace(
        war,
        out=(*war.out, seat),
        fallen=tuple(other for other in war.fallen if other != seat),
        chips={name: chip for name, chip in war.chips.items() if not name.startswith(bare)},
        spells={name: known for name, known in war.spells.items() if not name.startswith(bare)},
    )


class ScrollsTaken(Fact[War]):
    """The victor over a king took all his scrolls (QD-14.2, QD-22.1); which ones is for the two of them to know.

    `seen`: whoever saw some of them by Clairvoyance follows them to the victor. In logs from before there were scrolls to
    read it is not so.
    """

    seat: Seat
    victor: Seat
    count: Count
    seen: bool = False

    def onto(self, state: War) -> War:
        held = {**state.held, self.seat: 0, self.victor: state.held.get(self.victor, 0) + self.count}
        hands, known = state.hands, state.hands.get(self.seat, ())
        if self.seen and known:
            hands = {**hands, self.seat: (), self.victor: (*hands.get(self.victor, ()), *known)}
        return structs.replace(state, held=held, hands=hands)


class ScrollsPassed(Fact[War]):
    """These scrolls went from a beaten king to his victor (QD-14.2)."""

    REVEALS = True

    seat: Seat
    victor: Seat
    cards: tuple[str, ...]

    def audience(self) -> tuple[Seat, ...]:
        return (self.seat, self.victor)

    def known_before(self, state: War) -> tuple[War, ...]:
        """The beaten king's seat held them."""
        return (structs.replace(state, hands={**state.hands, self.seat: self.cards}),)

    def onto(self, state: War) -> War:
        hands = {**state.hands, self.victor: (*state.hands.get(self.victor, ()), *self.cards)}
        return structs.replace(state, hands={**hands, self.seat: ()})


def king_beaten(tale: Tale[War], seat: Seat, victor: Seat) -> None:
    """Tell that a king fell and what follows from it; nothing when his seat is out already (QD-22.1, QD-H48).

    `victor` is who caused it; empty when that is nobody, or an army without a king. Where several kings may fall
    together, tell each of them first and then call `check_end` once: only so can it be a draw.
    """
    if seat in tale.state.out:
        return
    tale.tell(KingBeaten(seat, victor, because=("QD-22.1", "QD-H48")))
    for kind in ("unit", "ship"):
        left = bought(tale.state, seat, kind)
        if left:
            tale.tell(PurchaseUsed(seat, kind, left, lost=True, because=("QD-22.1", "QD-H52")))
    hand = tale.state.hands.get(seat, ())
    if victor and victor not in tale.state.out:
        tale.tell(ScrollsPassed(seat, victor, hand, because=("QD-14.2", "QD-22.1")))
        count = tale.state.held.get(seat, 0)
        tale.tell(ScrollsTaken(seat, victor, count, seen=True, because=("QD-14.2", "QD-22.1")))


def ending_of(now: Moment[War]) -> GameEnded | None:
    """Return how the game ends as it stands: one player has a king left, or none, or one holds all six kingdoms; or None.

    In the short game it may be fewer kingdoms (QD-H22). Two allied armies win together, one that has lost its king with
    the other (QD-22.2, QD-H48, QD-23.1).
    """
    left = players_left(now)
    because: tuple[SectionRef, ...] = ("QD-22.2", "QD-H48")
    if now.table.players:
        because = (*because, "QD-23.1")
    if not left:
        return GameEnded((), "no_king_left", because=because)
    if len(left) == 1:
        return GameEnded(left[0], "kings", because=because)
    need = kingdoms_to_win(now)
    if now.state.tundra:
        because = (*because, "QD-23.2", "QD-H22")
    winners = next((seats for seats in left if kingdoms_held(now.state, seats) >= need), None)
    return GameEnded(winners, "kingdoms", because=because) if winners is not None else None


def check_end(tale: Tale[War]) -> None:
    """End the game if it is decided (QD-22.2, QD-H48)."""
    ended = None if tale.over else ending_of(tale)
    if ended is not None:
        tale.tell(ended)


def claimed(tale: Tale[War], seat: Seat, place: Place) -> None:
    """Tell what falls to who claims an empty territory: gold and ships that wait there; it may win the game (QD-H46)."""
    take_ships(tale, seat, place, "", tale.state.docked.get(place, 0))
    gold = tale.state.gold.get(place, 0)
    if gold:
        tale.tell(GoldTaken(seat, place, gold, because=("QD-2.2", "QD-H46")))
    check_end(tale)


FACTS = (KingBeaten, ScrollsTaken, ScrollsPassed)
