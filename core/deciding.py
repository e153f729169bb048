"""The kernel: decide a command. It forbids, or it tells and plays steps until somebody is asked."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Generic, TypeVar

from msgspec import Struct, field

from core.asking import Ask, Dice, Offer, OneOf, Question
from core.contract import Command
from core.kit.chance import AnswerRoll, Deal
from core.kit.table import OpenGame, TableCommand
from core.refusal import Refusal, small_words
from core.seats import ARBITER, CHANCE
from core.state import State
from core.table import Table
from core.telling import DoesNotFold, Moment, Tale
from events.event import FactData, Id, Seat
from events.play import Overlooked

__all__ = [
    "Decision", "Refused", "Unasked", "asks", "decide", "heard", "is_asked", "opening", "refusals", "unasked",
]  # fmt: skip

S = TypeVar("S", bound=State)


class Refused(Struct, frozen=True, gc=False):
    """A command was refused, for these reasons; nothing happened."""

    reasons: tuple[Refusal, ...]


class Decision(Struct, Generic[S], frozen=True, gc=False):
    """A command was accepted: the facts, who may see each, who may see the command, and the moment after them.

    An empty audience is everybody. A command that causes a sealed fact is sealed whole to its seat, and to the
    other seats of the same player.
    """

    facts: tuple[FactData, ...]
    audiences: tuple[tuple[Seat, ...], ...]
    command_to: tuple[Seat, ...]
    after: Moment[S]


def refusals(now: Moment[S], seat: Seat, command: Command[S]) -> tuple[Refusal, ...]:
    """Return every reason why the rules do not allow a command now; an empty tuple when they do."""
    return tuple(_not_asked(now, seat, command)) or tuple(command.forbids(now, seat))


def is_asked(now: Moment[S], seat: Seat, command: Command[S]) -> bool:
    """Return whether a seat is asked for such a command now, lawful or not; what the table does it may do at any time."""
    return not any(_not_asked(now, seat, command))


def heard(now: Moment[S], seat: Seat) -> tuple[type[Command[S]], ...]:
    """Return the kinds of command that a seat is asked for now, but those of the table; nothing where it is not asked."""
    if now.state.ended is not None or now.table.disputes:
        return ()
    kinds: list[type[Command[S]]] = []
    for _, question in now.questions():
        if seat in question.seats:
            kinds += [kind for kind in question.answers if issubclass(kind, Command)]
            kinds += (
                [AnswerRoll] if question.roll is not None else [Deal] if question.draw is not None else []
            )
    return tuple(dict.fromkeys(kinds))


def decide(
    now: Moment[S], seat: Seat, command: Command[S], *, overlook: bool = False, check: bool = True
) -> Decision[S] | Refused:
    """Decide a command at a moment: the facts it causes and the moment after them, or why it is refused.

    With `overlook` what is forbidden but could be told is told all the same, each reason as an `Overlooked` fact; of one that
    hangs on what its seat alone may see nothing is told, for everybody would learn it (LS-2.7).
    `check=False` leaves out the test that the state after is sound, for logs whose facts are compared anyway.
    While a dispute is open nothing is played on; the ruling that closes the last one does it.
    """
    reasons = refusals(now, seat, command)
    if reasons and not (overlook and all(reason.waivable for reason in reasons)):
        return Refused(reasons)
    tale: Tale[S] = Tale.begin(now)
    for reason in reasons:
        if reason.secret:
            continue
        tale.tell(Overlooked(reason.code, because=reason.because))
    try:
        dealt, question = _tell(tale, seat, command)
    except DoesNotFold as fault:
        return _unsound(command, [str(fault)])
    if check:
        flaws = tuple(now.rules.sound(tale.state, now.state))
        if flaws:
            return _unsound(command, flaws)
    if not isinstance(command, TableCommand) or tale.has_turned:
        tale.turn()
    audiences = tuple(tale.audiences)
    asked = tale.question
    if seat == CHANCE and asked is not None and asked.draw is not None:
        sealed_to = _dealt_to(asked.draw.to, audiences[:dealt])
    else:
        sealed_to = (seat,) if command.SEALS and any(audiences) else ()
    if sealed_to:
        sealed_to = tale.table.told_to(sealed_to)
    after: Moment[S] = Moment(now.rules, tale.state, tale.table, now.entry + 1, question)
    return Decision(tuple(tale.facts), audiences, sealed_to, after)


def _tell(tale: Tale[S], seat: Seat, command: Command[S]) -> tuple[int, Question | bool | None]:
    """Tell a command and all that follows; return how many facts were its own, and what is asked then."""
    command.tells(tale, seat)
    dealt = len(tale.audiences)
    if tale.table.disputes:
        return dealt, False
    if isinstance(command, TableCommand):
        tale.rules.settle(tale)
    return dealt, tale.play_on()


class Unasked(Struct, Generic[S], frozen=True, gc=False):
    """What went on by itself, for the rules left no choice: what would say the same, who would, and the state before it."""

    seat: Seat
    command: Command[S]
    state: S


class _Watched(Tale[S], gc=False, eq=False):
    """A tale that notes what went on by itself."""

    unasked: list[Unasked[S]] = field(default_factory=list)

    def plays(self, step: Any) -> None:
        own = [Unasked(who, said, self.state) for who, said in step.by_itself(self) if not self.is_out(who)]
        self.unasked += own
        super().plays(step)


def unasked(now: Moment[S], seat: Seat, command: Command[S]) -> tuple[Unasked[S], ...]:
    """Return what went on by itself after a command that was told at a moment, in its order.

    It holds what the whole game knows: it is for who records and judges, not for a seat.
    """
    tale: _Watched[S] = _Watched.begin(now)
    _tell(tale, seat, command)
    return tuple(tale.unasked)


def _unsound(command: Command[Any], flaws: Iterable[str]) -> Refused:
    section = "LS-1.5" if isinstance(command, OpenGame) else "LS-2.4"
    return Refused(tuple(Refusal("unsound", (section,), flaw, secret=True) for flaw in flaws))


def _dealt_to(seat: Seat, audiences: Sequence[tuple[Seat, ...]]) -> tuple[Seat, ...]:
    """Return who alone may see what chance dealt, by whom the facts of the deal itself were sealed to.

    A card dealt openly is everybody's; one that goes to a seat is that seat's, or chance's alone when not even the
    seat may look. What is sealed later in the entry has nothing to do with the card.
    """
    told = {name for audience in audiences for name in audience}
    if not told:
        return ()
    return (seat if seat in told else CHANCE,)


def _not_asked(now: Moment[S], seat: Seat, command: Command[S]) -> Iterator[Refusal]:
    """Yield why a command can't be heard at all: not this seat, not this kind of command, not now."""
    if isinstance(command, TableCommand):
        if not now.table.opened and not isinstance(command, OpenGame):
            yield Refusal("not_opened", ("LS-1.1",), "No game is open yet.")
        return
    if now.state.ended is not None:
        yield Refusal("game_over", ("LS-2.3",), f"The game is over ({now.state.ended.how}).")
        return
    if now.table.disputes:
        yield Refusal(
            "disputed",
            ("LS-5.1",),
            f"Entry {now.table.disputes[0].at} is disputed; only the arbiter is asked until it is ruled.",
            {"dispute": now.table.disputes[0].id},
        )
        return
    top = now.question
    if top is not None and seat in top.seats and _answers(top, command):
        return
    asked = None
    for _, question in now.questions():
        if seat in question.seats:
            if _answers(question, command):
                return
            asked = asked or question
    reasons = (*now.rules.unasked(now, seat), *command.untimely(now, seat))
    if reasons:
        yield from reasons
    elif asked is not None:
        yield Refusal(
            "not_this_now",
            command.when(now) or asked.because or ("LS-2.1",),
            f"{_called(command)} does not answer what {seat} is asked: {asked.prompt or asked.kind}.",
            {"asked": asked.kind},
        )
    elif top is not None:
        yield Refusal(
            "not_your_turn",
            command.when(now) or top.because or ("LS-2.1",),
            f"{seat} is not asked now; {' and '.join(top.seats)}: {top.prompt or top.kind}.",
            {"asked": top.kind, "seats": " ".join(top.seats)},
        )
    else:
        yield Refusal("nothing_asked", ("LS-2.1",), "Nobody is asked anything now.")


def _called(command: Command[Any]) -> str:
    """Return what people call a command, at the beginning of a sentence."""
    return {AnswerRoll: "A roll", Deal: "A card"}.get(type(command), f"`{small_words(type(command))}`")


def _answers(question: Question, command: Command[Any]) -> bool:
    if type(command) in question.answers:
        return True
    if question.roll is not None:
        return isinstance(command, AnswerRoll)
    return question.draw is not None and isinstance(command, Deal)


def asks(now: Moment[S], seat: Seat) -> Iterator[Ask]:
    """Yield what a seat is asked now, with its offers.

    For a player the moment should be the seat's own view, so that an offer can depend on nothing the seat may not see.
    Chance is offered the dice, or the cards left; the arbiter is asked by the table alone, for each open dispute.
    What a step beneath would hear meanwhile needs no answer, so no silence stands for it.
    """
    if now.state.ended is not None or (now.table.disputes and seat != ARBITER):
        return
    for opened, question in now.questions():
        if seat not in question.seats:
            continue
        offers: tuple[Offer, ...]
        silence = None
        if question.roll is not None:
            offers = (
                Offer(
                    AnswerRoll, {"faces": Dice(now.rules.all_dice[question.roll.die], question.roll.count)}
                ),
            )
        elif question.draw is not None:
            offers = (Offer(Deal, {"card": OneOf(opened.step.pool(now))}),)
        else:
            offers = tuple(opened.step.offers(now, seat))
            if opened is now.state.agenda[-1]:
                silence = opened.step.silence(now, seat)
            else:
                offers = tuple(offer for offer in offers if offer.command in question.answers)
        yield Ask(opened.name(seat), seat, question, offers, silence)


def opening(rules: Any, entry: Id = 1) -> Moment[Any]:
    """Return the moment before the first entry of a log."""
    table = Table()
    return Moment(rules, rules.start(table), table, entry)
