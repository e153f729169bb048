"""FA-3: fortunes: drawn without replacement, reshuffled when none is left; hands that the scribe may not see."""

from collections.abc import Iterator

from msgspec import structs

from core.asking import Offer, Question
from core.refusal import Refusal
from core.rules import Command, Fact, Setup, Step
from core.seats import CHANCE
from core.telling import Moment, Tale
from events.chance import Draw
from events.event import Count, Seat

from .state import ALL, FORTUNES, Fair, act, plus, seen


class CardsSet(Setup[Fair]):
    """So many cards are on a hand: everybody sees that."""

    WORD = "cards"

    seat: Seat
    count: Count

    def onto(self, state: Fair) -> Fair:
        cards = {**state.cards, self.seat: self.count}
        deck = ALL - sum(cards.values()) - sum(state.gone.values())
        return structs.replace(state, cards=cards, deck=deck)


class HandSet(Setup[Fair]):
    """Which card is among them: its holder alone sees that."""

    WORD = "hand"

    seat: Seat
    card: str
    count: Count = 1

    def audience(self) -> tuple[Seat, ...]:
        return (self.seat,)

    def onto(self, state: Fair) -> Fair:
        hand = {**state.hands.get(self.seat, {}), self.card: self.count}
        return structs.replace(state, hands={**state.hands, self.seat: hand})


class PileSet(Setup[Fair]):
    """So many of a card lie on the open pile."""

    WORD = "pile"

    card: str
    count: Count

    def onto(self, state: Fair) -> Fair:
        gone = {**state.gone, self.card: self.count}
        deck = ALL - sum(state.cards.values()) - sum(gone.values())
        return structs.replace(state, gone=gone, deck=deck)


class CardDealt(Fact[Fair]):
    """The shared fact with a fold of the fair's own: it counts the cards."""

    seat: Seat
    deck: str
    left: Count = 0

    def onto(self, state: Fair) -> Fair:
        return structs.replace(state, deck=self.left, cards=plus(state.cards, self.seat, 1))


class CardTaken(Fact[Fair]):
    seat: Seat
    card: str

    def audience(self) -> tuple[Seat, ...]:
        return (self.seat,)

    def onto(self, state: Fair) -> Fair:
        hand = plus(state.hands.get(self.seat, {}), self.card, 1)
        return structs.replace(state, hands={**state.hands, self.seat: hand})


class CardPlayed(Fact[Fair]):
    seat: Seat
    card: str

    def onto(self, state: Fair) -> Fair:
        hand = state.hands.get(self.seat, {})
        known = self.card if self.card in hand else "?"
        hands = {**state.hands, self.seat: plus(hand, known, -1)} if known in hand else state.hands
        return structs.replace(
            state,
            cards={**state.cards, self.seat: state.cards[self.seat] - 1},
            hands=hands,
            gone=plus(state.gone, self.card, 1),
        )


class Reshuffled(Fact[Fair]):
    def onto(self, state: Fair) -> Fair:
        return structs.replace(state, deck=sum(state.gone.values()), gone={})


def holds(now: Moment[Fair], seat: Seat, card: str) -> bool:
    """Return whether a hand holds a card, or may hold it as far as anybody can know from what that seat may see."""
    hand = now.state.hands.get(seat, {})
    if hand.get(card):
        return True
    return bool(hand.get("?")) and now.state.gone.get(card, 0) < FORTUNES[card]


def lacks(now: Moment[Fair], seat: Seat, card: str) -> Iterator[Refusal]:
    if holds(now, seat, card):
        return
    if now.state.hands.get(seat, {}).get("?"):
        yield Refusal("all_copies_seen", ("FA-3.4",), f"Every {card} card lies on the open pile.")
    else:
        yield Refusal("no_such_card_on_hand", ("FA-3.3",), f"{seat} has no {card} card.", secret=True)


class DrawFortune(Command[Fair]):
    def forbids(self, now: Moment[Fair], seat: Seat) -> Iterator[Refusal]:
        if not now.state.deck and not now.state.gone:
            yield Refusal("no_cards_left", ("FA-3.2",), "Every card is on a hand.")

    def tells(self, tale: Tale[Fair], seat: Seat) -> None:
        act(tale, Drawing(seat))


class Drawing(Step[Fair]):
    seat: Seat

    def question(self, now: Moment[Fair]) -> Question | None:
        if not now.state.deck:
            return None
        draw = Draw("fortunes", self.seat)
        return Question("draw", (CHANCE,), (), ("FA-3.1",), "a fortune", draw=draw)

    def play(self, tale: Tale[Fair]) -> None:
        if tale.state.gone:
            tale.tell(Reshuffled(because=("FA-3.2",)))
        else:
            tale.done()

    def pool(self, now: Moment[Fair]) -> tuple[str, ...]:
        return tuple(card for card, count in FORTUNES.items() for _ in range(count - seen(now.state, card)))

    def dealt(self, tale: Tale[Fair], card: str) -> None:
        left = tale.state.deck - 1
        tale.tell(CardDealt(self.seat, "fortunes", left, because=("FA-3.1",)))
        tale.tell(CardTaken(self.seat, card, because=("FA-3.1",)))
        tale.done()


def booth(now: Moment[Fair], seat: Seat) -> Iterator[Offer]:
    if now.state.deck or now.state.gone:
        yield Offer(DrawFortune)


ACTIONS = (DrawFortune,)
COMMANDS = (DrawFortune,)
FACTS = (CardDealt, CardTaken, CardPlayed, Reshuffled)
SETUP = (CardsSet, HandSet, PileSet)
STEPS = (Drawing,)
