"""Quest cards (QD-6.10): the player on the right draws and reads one out, and the crystal die picks the column.

The card is public as soon as it is read. Where whoever records did not see it, the reader names it.
"""

from collections.abc import Iterator
from typing import ClassVar

from msgspec import structs

from core.asking import Offer, OneOf, Question
from core.refusal import Refusal
from core.rules import Command, Fact
from core.seats import CHANCE
from core.telling import Moment, Tale
from events.chance import Draw, Names, Roll
from events.event import Face, Seat

from .decks import BLESSINGS, CardDealt
from .deeds import lay
from .items import carried
from .parties import OnQuest
from .phases import right_of
from .quest_deck import CARDS
from .state import Place, War

__all__ = [
    "COMMANDS",
    "FACTS",
    "STEPS",
    "DrawingCard",
    "FateRead",
    "Omen",
    "QuestBarred",
    "QuestCardRead",
    "QuestDeckShuffled",
    "ReadCard",
    "ReadingCard",
]


class QuestDeckShuffled(Fact[War]):
    """The quest cards were all read; the pile was shuffled to be drawn from anew (QD-H5)."""

    def onto(self, state: War) -> War:
        return structs.replace(state, quest_discard=())


class QuestCardRead(Fact[War]):
    """The player on the right, `reader`, read out a quest card for a party; it lies on the pile of used ones now (QD-6.10)."""

    seat: Seat
    place: Place
    reader: Seat
    card: str

    def onto(self, state: War) -> War:
        others = tuple(card for card in state.quest_discard if card != self.card)
        return structs.replace(state, quest_discard=(*others, self.card))


class QuestBarred(Fact[War]):
    """A card asks for a torch, and the party has none: it is put aside, and the quest is over (QD-6.10, QD-8.2)."""

    seat: Seat
    place: Place
    card: str

    def onto(self, state: War) -> War:
        return state


class FateRead(Fact[War]):
    """The crystal die picked a column of the card: blessed, ignored or cursed (QD-6.10, QD-H4)."""

    seat: Seat
    place: Place
    card: str
    fate: str

    def onto(self, state: War) -> War:
        return state


def cards_left(now: Moment[War]) -> tuple[str, ...]:
    """Return the cards that may lie on top of the deck.

    Those that were not read since it was shuffled; where used cards go under the deck and all were read, the one that
    was read first (QD-H5).
    """
    used = now.state.quest_discard
    left = tuple(card for card in CARDS if card not in used)
    if left or now.answer("QD-H5") == "discard_pile":
        return left
    return used[:1]


class DrawingCard(OnQuest):
    """The player on the right draws a quest card for the party that came to a quest space (QD-6.10)."""

    def asked(self, now: Moment[War]) -> Question | None:
        if not cards_left(now):
            return None
        reader = right_of(now, self.seat)
        draw = Draw("quest_cards", reader, public=True)
        return Question("draw", (CHANCE,), (), ("QD-6.10",), f"a quest card, read by {reader}", draw=draw)

    def pool(self, now: Moment[War]) -> tuple[str, ...]:
        return cards_left(now)

    def dealt(self, tale: Tale[War], card: str) -> None:
        """Tell the draw and the card; let the reader name it where nobody who records saw it."""
        reader = right_of(tale, self.seat)
        tale.tell(CardDealt(reader, "quest_cards", max(0, len(cards_left(tale)) - 1), because=("QD-6.10",)))
        if card == "?":
            tale.become(ReadingCard(self.seat, self.place))
        else:
            self.read(tale, card)

    def read(self, tale: Tale[War], card: str) -> None:
        """Tell the card; without the torch that it asks for the quest is over (QD-6.10, QD-H5)."""
        seat, place = self.seat, self.place
        tale.tell(QuestCardRead(seat, place, right_of(tale, seat), card, because=("QD-6.10",)))
        if CARDS[card].requires_torch and "torch" not in carried(tale.state, seat, place):
            tale.tell(QuestBarred(seat, place, card, because=("QD-6.10", "QD-8.2", "QD-H5")))
            tale.done()
        else:
            tale.become(Omen(seat, place, card))

    def go_on(self, tale: Tale[War]) -> None:
        """Shuffle the pile: the deck is empty (QD-H5)."""
        tale.tell(QuestDeckShuffled(because=("QD-H5",)))
        tale.reopen()


class ReadCard(Command[War]):
    """Say which quest card was drawn."""

    WHEN = ("QD-6.10",)

    SEALS: ClassVar[bool] = False

    card: str

    def forbids(self, now: Moment[War], seat: Seat) -> Iterator[Refusal]:
        """Refuse a card that is not in the deck (QD-6.10, QD-H5)."""
        left = cards_left(now)
        if self.card not in left:
            yield Refusal(
                "no_such_card",
                ("QD-6.10", "QD-H5"),
                f"{self.card!r} is not in the deck; what may lie there is {', '.join(left)}.",
                {"card": self.card},
            )

    def tells(self, tale: Tale[War], seat: Seat) -> None:
        """Tell the card."""
        tale.top.read(tale, self.card)


class ReadingCard(DrawingCard):
    """The player on the right says which card he drew, for whoever records did not see it."""

    def asked(self, now: Moment[War]) -> Question | None:
        reader = right_of(now, self.seat)
        return Question("read", (reader,), (ReadCard,), ("QD-6.10",), "read out the quest card")

    def offers(self, now: Moment[War], seat: Seat) -> Iterator[Offer]:
        yield Offer(ReadCard, {"card": OneOf(cards_left(now))})

    def silence(self, now: Moment[War], seat: Seat) -> ReadCard:
        """Return the first card that it may be."""
        return ReadCard(cards_left(now)[0])


class Omen(OnQuest):
    """The party asks the crystal die which column of the card holds for it (QD-6.10, QD-1.5)."""

    card: str

    def asked(self, now: Moment[War]) -> Question | None:
        roll = Roll("crystal", 1, self.seat, Names(), "quest card")
        name = CARDS[self.card].name
        return Question("roll", (CHANCE,), (), ("QD-6.10", "QD-1.5"), f"the crystal for {name}", roll=roll)

    def rolled(self, tale: Tale[War], faces: tuple[Face, ...]) -> None:
        """Tell the column, and lay its steps and what stands below the line."""
        fate = BLESSINGS[str(faces[0])]
        tale.tell(FateRead(self.seat, self.place, self.card, fate, because=("QD-6.10", "QD-H4")))
        tale.done()
        column = f"{self.card}.{fate}"
        lay(tale, self.seat, self.place, f"{column}.steps", f"{column}.reward")


COMMANDS = (ReadCard,)
FACTS = (QuestDeckShuffled, QuestCardRead, QuestBarred, FateRead)
STEPS = (DrawingCard, ReadingCard, Omen)
