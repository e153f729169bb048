"""The commands of chance: a roll answered, a card dealt."""

from collections.abc import Iterator
from typing import Any, ClassVar

from core.contract import Command
from core.refusal import Refusal
from core.telling import Moment, Tale
from events.chance import Rolled
from events.event import Face, Seat

__all__ = ["CHANCE_COMMANDS", "AnswerRoll", "Deal"]


class AnswerRoll(Command[Any]):
    """The dice that the open question asked for, in the order they lay."""

    faces: tuple[Face, ...]

    SEALS: ClassVar[bool] = False

    def forbids(self, now: Moment[Any], seat: Seat) -> Iterator[Refusal]:
        """Refuse dice of the wrong number or kind (LS-4.1, LS-4.2, and the section that asks)."""
        asked = now.question
        if asked is None or asked.roll is None:
            yield Refusal("no_dice_asked", ("LS-4.1",), "No dice are asked for now.")
            return
        roll = asked.roll
        if len(self.faces) != roll.count:
            yield Refusal(
                "wrong_dice_count",
                asked.because or ("LS-4.1",),
                f"{roll.owner} rolls {roll.count} {roll.die} for {roll.purpose}, not {len(self.faces)}."
                f"{roll.less and ' '}{roll.less}",
                {"asked": roll.count, "given": len(self.faces), "owner": roll.owner},
            )
        faces = now.rules.all_dice[roll.die]
        wrong = [face for face in self.faces if face not in faces]
        if wrong:
            yield Refusal(
                "no_such_face",
                ("LS-4.2",),
                f"A {roll.die} has no face {wrong[0]!r}; its faces are {', '.join(map(str, dict.fromkeys(faces)))}.",
                {"face": wrong[0], "die": roll.die},
            )

    def tells(self, tale: Tale[Any], seat: Seat) -> None:
        """Tell the roll with all that was asked, then let the step that asked go on."""
        asked = tale.question
        assert asked is not None
        assert asked.roll is not None
        roll = asked.roll
        tale.tell(
            Rolled(
                roll.die,
                self.faces,
                roll.owner,
                roll.counts,
                roll.purpose,
                roller=roll.roller,
                because=asked.because,
            )
        )
        tale.top.rolled(tale, self.faces)


class Deal(Command[Any]):
    """The card that the open question asked for; `?` when nobody who records can see it."""

    card: str

    def forbids(self, now: Moment[Any], seat: Seat) -> Iterator[Refusal]:
        """Refuse a card that is not among those left (LS-4.3)."""
        asked = now.question
        if asked is None or asked.draw is None:
            yield Refusal("no_card_asked", ("LS-4.3",), "No card is asked for now.")
        elif self.card != "?" and self.card not in now.state.agenda[-1].step.pool(now):
            yield Refusal(
                "no_such_card",
                ("LS-4.3",),
                f"{self.card!r} is not among the cards left in {asked.draw.deck}.",
                {"card": self.card, "deck": asked.draw.deck},
                secret=not asked.draw.public,
            )

    def tells(self, tale: Tale[Any], seat: Seat) -> None:
        """Let the step that asked go on with the card; it tells what is public and what is sealed."""
        tale.top.dealt(tale, self.card)


CHANCE_COMMANDS = (AnswerRoll, Deal)
