"""Scrolls as cards (QD-16.1): who may read them, what is known of a hand, and the facts of reading one.

How many scrolls a seat holds is open, which ones is not. So everybody can tell whether a seat *may* have a scroll to
read somewhere, and that alone decides who is asked. A hand that nobody who records could see holds `?`.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from msgspec import Struct, structs

from core.refusal import Refusal
from core.rules import Fact
from events.event import Count, Seat, SectionRef

from .armies import added, with_columns
from .decks import deck_of, scrolls
from .movement import bears
from .spellbook import king_of, may_hold, wizards_of
from .state import DRAGONLORD, ChipId, Muster, Place, War, chips_at, dragonlords_of

__all__ = [
    "CALLED",
    "FACTS",
    "KINDS",
    "SCROLLS",
    "HandSeen",
    "LegionCame",
    "Scroll",
    "ScrollFoiled",
    "ScrollRead",
    "holds",
    "kind_of",
    "lacks",
    "may_be_read",
    "may_read",
    "may_read_somewhere",
    "readers",
    "scroll_words",
    "way_of",
]


class Scroll(Struct, frozen=True):
    """What a scroll is: its section, the die that says what it does where it harms, and the treasures that stop it."""

    section: SectionRef
    die: str = ""
    stopped_by: tuple[ChipId, ...] = ()

    @property
    def harms(self) -> bool:
        """Whether it strikes a player, who may turn it back (QD-16.3)."""
        return bool(self.die)


SCROLLS: Final[Mapping[str, Scroll]] = {
    "summon_elemental": Scroll("QD-16.2", "d12", ("invincible_shield",)),
    "reflect": Scroll("QD-16.3"),
    "berserk": Scroll("QD-16.4", "d6", ("invincible_shield",)),
    "infernal": Scroll("QD-16.5", "d8", ("invincible_shield", "dragon_shield", "ring_of_fire")),
    "tempest": Scroll("QD-16.5", "d8", ("invincible_shield", "trident")),
    "ship": Scroll("QD-16.6"),
    "legion": Scroll("QD-16.7"),
    "charm": Scroll("QD-16.8"),
    "clairvoyance": Scroll("QD-16.9"),
}
"""The kinds of scroll, in the order of the book."""
KINDS: Final = tuple(dict.fromkeys(scrolls()))
"""The names of the cards: of Summon Elemental there are four, such as `summon_elemental.fire`."""


def scroll_words(scroll: str) -> str:
    """Return what a scroll is called: `summon_elemental.fire` is `summon elemental of fire`."""
    return scroll.replace("_", " ").replace(".", " of ")


CALLED: Final[Mapping[str, str]] = {scroll_words(name): name for name in KINDS}
"""What people call a scroll, as it is listed among the cards."""


def kind_of(scroll: str) -> str:
    """Return the kind of a card: `summon_elemental` of each of the four."""
    return scroll.partition(".")[0]


def holds(war: War, seat: Seat, scroll: str) -> bool:
    """Return whether a seat holds a scroll; or may, where nobody who records could see its hand."""
    hand = war.hands.get(seat, ())
    return scroll in hand or ("?" in hand and war.scrolls_used.count(scroll) < deck_of(war).count(scroll))


def lacks(war: War, seat: Seat, scroll: str) -> Iterator[Refusal]:
    """Refuse a scroll that is not in the hand, or whose copies have all been read (QD-16.1)."""
    if holds(war, seat, scroll):
        return
    hand = war.hands.get(seat, ())
    if "?" in hand:
        yield Refusal(
            "all_copies_read",
            ("QD-16.1", "QD-H5"),
            f"Each of the {scrolls().count(scroll)} scrolls {scroll} has been read and is out of the game.",
            {"scroll": scroll},
        )
    else:
        yield Refusal(
            "no_such_scroll",
            ("QD-16.1",),
            f"{seat} has no scroll {scroll}; in hand are {', '.join(hand) or 'none'}.",
            {"scroll": scroll},
            secret=bool(war.held.get(seat)),
        )


def readers(war: War, seat: Seat, place: Place) -> tuple[str, ...]:
    """Return the spell users of a seat in a place, from what the reader of this state knows (QD-14.1).

    First who gives nothing away: a DragonLord, then who is shown already, wizards before the king.
    """
    there = chips_at(war, seat, place)
    users = [name for name in there if bears(name)]
    users.sort(key=lambda name: (not there[name].shown, name == king_of(seat)))
    return (DRAGONLORD, *users) if dragonlords_of(war, seat, place) else tuple(users)


def way_of(war: War, seat: Seat, place: Place, user: str) -> str:
    """Return the way by which the column of a spell user came; empty when he stands with the army of the place."""
    if user != DRAGONLORD:
        return war.chips[user].way
    columns = war.columns.get(place, ())
    return next((column.how for column in columns if column.seat == seat and column.dragonlords), "")


def may_read(war: War, seat: Seat, place: Place) -> bool:
    """Return whether a seat may have a scroll and a spell user in a place, as far as everybody knows."""
    return seat not in war.out and bool(war.held.get(seat, 0)) and may_be_read(war, seat, place)


def may_be_read(war: War, seat: Seat, place: Place) -> bool:
    """Return whether a seat may have a spell user in a place, as far as everybody knows."""
    if dragonlords_of(war, seat, place):
        return True
    return any(may_hold(war, seat, place, name) for name in (king_of(seat), *wizards_of(war, seat)))


def may_read_somewhere(war: War, seat: Seat) -> bool:
    """Return whether a seat may have a scroll and a spell user anywhere, as far as everybody knows."""
    if seat in war.out or not war.held.get(seat, 0):
        return False
    if any(stack.startswith(f"{seat}@") for stack in war.shades):
        return True
    if any(chip.seat == seat and chip.shown and bears(name) for name, chip in war.chips.items()):
        return True
    return any(army.dragonlords and army.seat == seat for army in war.armies.values()) or any(
        column.dragonlords and column.seat == seat for columns in war.columns.values() for column in columns
    )


class ScrollRead(Fact[War]):
    """A spell user read a scroll, which everybody hears; it is out of the game now (QD-16.1).

    `place` is where it works, `target` the seat that it is read against, if any.
    """

    CLAIM = "reads"
    CLAIM_KINDS = ("scroll", *KINDS)

    seat: Seat
    scroll: str
    user: str
    place: Place
    target: str = ""

    @property
    def kind(self) -> str:
        """What a claim calls it: the scroll."""
        return self.scroll

    def known_before(self, state: War) -> tuple[War, ...]:
        """Its reader held it."""
        hand = state.hands.get(self.seat, ())
        if self.scroll in hand:
            return (state,)
        return (structs.replace(state, hands={**state.hands, self.seat: (*hand, self.scroll)}),)

    def onto(self, state: War) -> War:
        held = state.held[self.seat] - 1
        if held < 0:
            raise ValueError(f"{self.seat} holds no scroll")
        hands, hand = state.hands, list(state.hands.get(self.seat, ()))
        known = self.scroll if self.scroll in hand else "?"
        if known in hand:
            hand.remove(known)
            hands = {**hands, self.seat: tuple(hand)}
        return structs.replace(
            state,
            held={**state.held, self.seat: held},
            hands=hands,
            scrolls_used=(*state.scrolls_used, self.scroll),
        )


class ScrollFoiled(Fact[War]):
    """A scroll had no effect on the units of a seat: a treasure, the king or a wizard with Heal protects them."""

    seat: Seat
    scroll: str
    place: Place
    by: ChipId

    def onto(self, state: War) -> War:
        return state


class HandSeen(Fact[War]):
    """A reader of Clairvoyance saw these scrolls in the hand of another seat (QD-16.9)."""

    REVEALS = True

    seat: Seat
    of: Seat
    scrolls: tuple[str, ...]

    def audience(self) -> tuple[Seat, ...]:
        """The reader alone sees them."""
        return (self.seat,)

    def known_before(self, state: War) -> tuple[War, ...]:
        """They were in that hand before."""
        return (self.onto(state),)

    def onto(self, state: War) -> War:
        return structs.replace(state, hands={**state.hands, self.of: self.scrolls})


class LegionCame(Fact[War]):
    """Units appeared at once where a reader of Legion is; `way` is that of the column they join, if any (QD-16.7)."""

    CLAIM = "raises"
    CLAIM_KINDS = ("unit",)

    seat: Seat
    place: Place
    count: Count
    way: str = ""

    def onto(self, state: War) -> War:
        muster = state.muster[self.seat]
        raised = Muster(muster.raised + self.count, muster.lost)
        state = structs.replace(state, muster={**state.muster, self.seat: raised})
        if not self.way:
            return added(state, self.seat, self.place, self.count)
        columns = list(state.columns[self.place])
        n = next(n for n, old in enumerate(columns) if (old.seat, old.how) == (self.seat, self.way))
        columns[n] = structs.replace(columns[n], units=columns[n].units + self.count)
        return with_columns(state, self.place, tuple(columns))


FACTS = (ScrollRead, ScrollFoiled, HandSeen, LegionCame)
