"""The books of the box: where each piece is, kept by the facts alone, to be compared with what stands on the board.

Each fact that moves pieces is booked here a second time, beside its `onto`: what leaves one account comes into another,
or goes back to the box. A state that holds anything else than the books say has gained or lost pieces on the way.
Accounts are units and DragonLords by seat and place, ships, gold, purchases, scrolls, treasures, chips, pegs, items and
quest cards (QD-1.3). Where an arbiter sets the board right, the books are opened anew from it.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from core.rules import Setup

from .bookings import BOOKED
from .decks import deck_data, deck_for
from .state import MOST_SHIPS, War
from .treasures import TREASURES

__all__ = ["KINDS", "Amiss", "Books", "stock"]

Accounts = dict[tuple[str, ...], int]

KINDS: Final = (
    "unit", "dragonlord", "raised", "lost", "gold", "ship", "bought", "scroll", "card", "read", "treasure", "picked",
    "chip", "peg", "item", "quest", "hit",
)  # fmt: skip
"""What is booked: units and DragonLords `(seat, place)`; units ever `raised` and `lost`, DragonLords and ships lost too;
gold and ships by place; purchases that wait; `scroll`s that a seat holds, `card`s that it is known to, and those `read`;
treasures of a seat, the one that was `picked`, chips `(name, seat, place)`, pegs, items by holder, quest cards used, and hits not yet paid with losses."""


class Amiss(NamedTuple):
    """What does not tally: which account, what the facts or the box say, and what was found."""

    what: str
    expected: int
    found: int


class Books:
    """The accounts after some entries. `booked` returns new ones; these stay as they are."""

    def __init__(
        self,
        held: Mapping[str, Accounts] | None = None,
        answers: Mapping[str, str] | None = None,
        options: Mapping[str, str] | None = None,
    ) -> None:
        """Begin with nothing in play, or with these accounts by kind, under these answers and options."""
        self.held: dict[str, Accounts] = dict(held) if held is not None else {kind: {} for kind in KINDS}
        self.answers: Mapping[str, str] = answers or {}
        self.options: Mapping[str, str] = options or {}
        self._mine: set[str] = set()
        self.payments: dict[tuple[str, ...], tuple[int, int]] = {}
        """What each stack that was hit has to lose in this entry, and has lost."""
        self.saved: set[str] = set()
        """The seats whose lost units the Holy Grail may have saved in this entry (QD-7.8)."""
        self.amiss: list[Amiss] = []
        """What the facts themselves contradict."""

    @property
    def deck(self) -> tuple[str, ...]:
        """The scroll cards of the game (QD-1.3, QD-23.3)."""
        return deck_for(self.options.get("length", "usual"))

    def booked(self, facts: Iterable[Any], after: War) -> "Books":
        """Return the books after an entry; `after` is the state it led to, looked at where an arbiter set pieces."""
        books = Books(self.held, self.answers, self.options)
        told = tuple(facts)
        for fact in told:
            book = BOOKED.get(type(fact).__name__)
            if type(fact).__name__ != "UnitsLost":
                books.settle_all()  # what is lost later, as by attackers whose king has fallen, pays no hits (QD-22.1)
            if book is not None:
                book(books, fact)
        books.settle_all()
        if any(isinstance(fact, Setup) for fact in told):
            books.held = {kind: dict(count(after)) for kind, count in _COUNTED.items()}
            books.amiss = []
        return books

    def settle_all(self) -> None:
        """Compare what every stack has lost with what it had to lose."""
        for stack in tuple(self.payments):
            self.settle(stack)

    def settle(self, stack: tuple[str, ...]) -> None:
        """Compare what a stack has lost with what it had to lose (QD-10.8)."""
        due, lost = self.payments.pop(stack, (0, 0))
        if stack[0] not in self.saved:
            self.contradicts(f"losses of {stack[0]} in {stack[1]}", due, lost)

    def put(self, kind: str, account: tuple[str, ...], count: int) -> None:
        """Book so many more pieces into an account, or fewer."""
        if not count:
            return
        if kind not in self._mine:
            self._mine.add(kind)
            self.held[kind] = dict(self.held[kind])
        accounts = self.held[kind]
        accounts[account] = accounts.get(account, 0) + count
        if not accounts[account]:
            del accounts[account]

    def count(self, kind: str, *begins: str) -> int:
        """Return how many pieces the accounts that begin so hold together."""
        size = len(begins)
        return sum(count for account, count in self.held[kind].items() if account[:size] == begins)

    def total(self, kind: str) -> int:
        """Return how many pieces of a kind are booked anywhere."""
        return sum(self.held[kind].values())

    def contradicts(self, what: str, expected: int, found: int) -> None:
        """Note what a fact says of pieces where the books say otherwise; nothing where both agree."""
        if expected != found:
            self.amiss.append(Amiss(what, expected, found))

    def of(self, kind: str, *begins: str) -> list[tuple[tuple[str, ...], int]]:
        """Return the accounts that begin so."""
        return [held for held in self.held[kind].items() if held[0][: len(begins)] == begins]

    def tally(self, war: War, before: "Books | None" = None, was: War | None = None) -> Iterator[Amiss]:
        """Yield where a state, or the box, does not hold what the books say.

        Given the books and the state before, which tallied, only what has changed since is counted.
        """
        yield from self.amiss
        for kind, count in _COUNTED.items():
            if before is not None and was is not None and self.held[kind] is before.held[kind]:
                if all(getattr(war, name) is getattr(was, name) for name in _HOLDS[kind]):
                    continue
            found, booked = count(war), self.held[kind]
            if found != booked:
                for account in sorted({*found, *booked}):
                    if found.get(account, 0) != booked.get(account, 0):
                        yield Amiss(_said(kind, account), booked.get(account, 0), found.get(account, 0))
            yield from (Amiss(_said(kind, name), 0, n) for name, n in booked.items() if n < 0)
        if not self._mine.isdisjoint(_BOXED):
            yield from self._box()

    def _box(self) -> Iterator[Amiss]:
        """Yield what would need more pieces than the box holds (QD-1.3)."""
        for what, most, found in (
            (
                "ships in play",
                MOST_SHIPS,
                self.total("ship") + sum(n for (_, kind), n in self.held["bought"].items() if kind == "ship"),
            ),
            (
                "DragonLords in play",
                deck_data()["supplies"]["dragonlords"],
                sum(self.held["dragonlord"].values()),
            ),
            ("scrolls held and read", len(self.deck), self.total("scroll") + self.total("read")),
            ("treasures found", len(TREASURES), self.total("treasure")),
            ("pegs", deck_data()["supplies"]["pegs"], self.total("peg")),
        ):
            if found > most:
                yield Amiss(f"{what}, at most", most, found)
        drawn: dict[str, int] = {}
        for (*_, card), n in (*self.held["card"].items(), *self.held["read"].items()):
            drawn[card] = drawn.get(card, 0) + n
        for card, n in drawn.items():
            if card != "?" and n > self.deck.count(card):
                yield Amiss(f"copies of the scroll {card}, at most", self.deck.count(card), n)


_BOXED: Final = ("ship", "bought", "dragonlord", "scroll", "card", "read", "treasure", "peg")
"""The kinds of which the box holds so many and no more."""


def _said(kind: str, account: tuple[str, ...]) -> str:
    return " ".join((kind, *account))


def stock(war: War) -> dict[str, Accounts]:
    """Return every account as a state has it."""
    return {kind: count(war) for kind, count in _COUNTED.items()}


# What a state holds


def _added(pairs: Iterable[tuple[tuple[str, ...], int]]) -> Accounts:
    held: Accounts = {}
    for account, count in pairs:
        if count:
            held[account] = held.get(account, 0) + count
    return held


def _standing(war: War) -> Iterator[tuple[str, str, int, int]]:
    for place, army in war.armies.items():
        yield army.seat, place, army.units, army.dragonlords
    for place, columns in war.columns.items():
        for column in columns:
            yield column.seat, place, column.units, column.dragonlords


def _lost(war: War) -> Iterator[tuple[tuple[str, ...], int]]:
    yield from (((seat,), muster.lost) for seat, muster in war.muster.items())
    yield ("dragonlord",), war.slain
    yield ("ship",), war.sunk


_COUNTED: Final[Mapping[str, Callable[[War], Accounts]]] = {
    "unit": lambda war: _added(((seat, place), units) for seat, place, units, _ in _standing(war)),
    "dragonlord": lambda war: _added(((seat, place), lords) for seat, place, _, lords in _standing(war)),
    "raised": lambda war: _added(((seat,), muster.raised) for seat, muster in war.muster.items()),
    "lost": lambda war: _added(_lost(war)),
    "gold": lambda war: _added(((place,), gold) for place, gold in war.gold.items()),
    "ship": lambda war: _added(
        ((place,), count) for held in (war.fleets, war.raiders, war.docked) for place, count in held.items()
    ),
    "bought": lambda war: _added((tuple(name.split(".")), count) for name, count in war.bought.items()),
    "scroll": lambda war: _added(((seat,), count) for seat, count in war.held.items()),
    "card": lambda war: _added(((seat, card), 1) for seat, hand in war.hands.items() for card in hand),
    "read": lambda war: _added(((card,), 1) for card in war.scrolls_used),
    "treasure": lambda war: _added(((seat,), count) for seat, count in war.hoards.items()),
    "picked": lambda war: {(war.picked,): 1} if war.picked else {},
    "chip": lambda war: {(name, chip.seat, chip.place): 1 for name, chip in war.chips.items()},
    "peg": lambda war: {(wizard, spell): 1 for wizard, known in war.spells.items() for spell in known},
    "item": lambda war: _added(
        ((holder, item), count) for holder, held in war.items.items() for item, count in held.items()
    ),
    "quest": lambda war: _added(((card,), 1) for card in war.quest_discard),
    "hit": lambda war: _added((tuple(stack.split("@")), hits) for stack, hits in war.struck.items()),
}
_HOLDS: Final[Mapping[str, tuple[str, ...]]] = {
    "unit": ("armies", "columns"), "dragonlord": ("armies", "columns"), "raised": ("muster",),
    "lost": ("muster", "slain", "sunk"), "gold": ("gold",), "ship": ("fleets", "raiders", "docked"),
    "bought": ("bought",), "scroll": ("held",), "card": ("hands",), "read": ("scrolls_used",), "treasure": ("hoards",),
    "picked": ("picked",), "chip": ("chips",), "peg": ("spells",), "item": ("items",), "quest": ("quest_discard",),
    "hit": ("struck",),
}  # fmt: skip
"""In which fields of a state each kind lies."""
