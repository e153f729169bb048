"""Losses outside of a battle (QD-6.10, QD-H33): the owner may turn up the Holy Grail before they are taken.

What strikes tells `UnitsStruck` and lays `Sparing`; `Perished` beneath it says what a lost party leaves.
"""

from collections.abc import Iterator

from core.asking import Offer, Question
from core.refusal import Refusal
from core.rules import Command, Step
from core.telling import Moment, Tale
from events.event import Seat, SectionRef

from .armies import UnitsStruck
from .items import leave_behind
from .losses import Losses
from .movement import show
from .phases import Pass
from .spellbook import here
from .state import Place, War, is_shaded, shade, units_of
from .treasures import hand_over, may_hide_treasure

__all__ = ["COMMANDS", "STEPS", "Perished", "ShowGrail", "Sparing", "strike"]

GRAIL = "holy_grail"


class ShowGrail(Command[War]):
    """Turn up the Holy Grail, so that it rolls for the units that are about to be lost (QD-7.8, QD-H9)."""

    WHEN = ("QD-7.8",)

    def forbids(self, now: Moment[War], seat: Seat) -> Iterator[Refusal]:
        """Refuse a Grail that is not there (QD-7.8)."""
        step = now.state.agenda[-1].step
        if not here(now.state, GRAIL, seat, step.place):
            yield Refusal(
                "no_grail_there",
                ("QD-7.8", "QD-H9"),
                f"The Holy Grail of {seat} does not lie in {step.place}.",
                {"place": step.place},
                secret=is_shaded(now.state, seat, step.place),
            )

    def tells(self, tale: Tale[War], seat: Seat) -> None:
        """Tell that it is shown; the losses are taken."""
        show(tale, seat, GRAIL, ("QD-7.8", "QD-H9"))
        tale.top.go_on(tale)


class Sparing(Step[War]):
    """Units of a seat in a place were struck outside of a battle; its owner may turn up the Holy Grail (QD-H33)."""

    seat: Seat
    place: Place
    cause: str = "card"

    def question(self, now: Moment[War]) -> Question | None:
        war = now.state
        lies = war.chips.get(GRAIL)
        if (
            not war.struck.get(shade(self.seat, self.place))
            or now.is_out(self.seat)
            or (lies is not None and lies.shown)
            or now.answer("QD-H18") == "dice_only"
            or not may_hide_treasure(war, self.seat, self.place)
        ):
            return None
        prompt = "turn up the Holy Grail, or pass"
        return Question("grail", (self.seat,), (ShowGrail, Pass), ("QD-7.8", "QD-H33"), prompt)

    def offers(self, now: Moment[War], seat: Seat) -> Iterator[Offer]:
        if here(now.state, GRAIL, seat, self.place):
            yield Offer(ShowGrail)
        yield Offer(Pass)

    def silence(self, now: Moment[War], seat: Seat) -> Command[War]:
        """Return to show nothing: silence never turns up a chip (QD-H9)."""
        return Pass()

    def by_itself(self, now: Moment[War]) -> Iterator[tuple[Seat, Command[War]]]:
        """Yield that the Grail is not turned up."""
        yield self.seat, Pass()

    def go_on(self, tale: Tale[War]) -> None:
        """Take the losses."""
        tale.become(Losses(self.seat, self.place, self.cause))

    def play(self, tale: Tale[War]) -> None:
        self.go_on(tale)


class Perished(Step[War]):
    """What a party leaves that is lost to a card, a monster or the lair: treasures go back, items are gone (QD-H54, QD-8.1)."""

    seat: Seat
    place: Place

    def play(self, tale: Tale[War]) -> None:
        """Tell it; nothing where some of the party is left."""
        if not units_of(tale.state, self.seat, self.place):
            hand_over(tale, self.place, self.seat, "")
            leave_behind(tale, self.seat, self.place)
        tale.done()


def strike(
    tale: Tale[War], seat: Seat, place: Place, count: int, cause: str, because: tuple[SectionRef, ...]
) -> None:
    """Tell that so many units of a party are struck outside of a battle, and lay what pays for it."""
    if count:
        tale.tell(UnitsStruck(seat, place, count, because=because))
        tale.then(Sparing(seat, place, cause), Perished(seat, place))


COMMANDS = (ShowGrail,)
STEPS = (Sparing, Perished)
