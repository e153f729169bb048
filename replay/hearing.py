"""What is heard of a command: whether it is well formed, may be heard at all, is not stale, and how it is decided.

A player is told only reasons that follow from what it may see.
"""

from collections.abc import Collection
from dataclasses import replace
from typing import Any

import msgspec
from msgspec import structs

from core import consent
from core.asking import Question
from core.deciding import Decision, decide, refusals
from core.deciding import Refused as Forbidden
from core.kit.chance import AnswerRoll, Deal
from core.kit.consenting import AgreeToTakeBack, ProposeTakeBack, completes
from core.kit.table import MoveHead, Rule, TableCommand
from core.refusal import Refusal, small_words
from core.rules import Rules
from core.seats import ARBITER, is_player
from core.table import Table
from core.telling import Moment
from events.entry import SealedCommand, UnrecognisedCommand
from events.event import Seat
from replay.hinging import hinged
from replay.history import History
from replay.outcomes import Refused
from replay.texts import no_text

__all__ = [
    "barred",
    "computed",
    "decided_for",
    "known_to",
    "learned",
    "open_reasons",
    "own_key",
    "said_before",
    "stale",
    "told_openly",
    "unheard",
    "well_formed",
]

_HIDDEN = Refused(
    (
        Refusal(
            "hidden",
            ("LS-2.7",),
            "The rules do not allow this, for a reason that this seat may not see; the arbiter may.",
        ),
    )
)


def open_reasons(now: Moment[Any], seat: Seat, command: Any) -> tuple[Refusal, ...]:
    """Return why a command is refused as far as somebody knows who sits nowhere; `now` is the moment as he sees it (LS-2.7)."""
    reasons = hinged(now, seat, command, refusals(now, seat, command))
    return tuple(reason for reason in reasons if not reason.secret)


def known_to(seat: Seat) -> Refusal:
    """Return that a command of a seat is refused for reasons that not everybody may see."""
    whose = f"only {seat} may see" if is_player(seat) else "not everybody may see"
    figures: dict[str, int | str] = {"seat": seat} if is_player(seat) else {}
    return Refusal("hidden", ("LS-2.7",), f"The rules do not allow this, for a reason that {whose}.", figures)


def _not_overlooked(seat: Seat) -> Refusal:
    """Return that a reason which not everybody may see is not overlooked; that it is one is as secret as the reason."""
    text = (
        f"What hangs on hidden things of {seat} can't be overlooked, for the log would tell it to everybody; the arbiter may "
        "set the board right."
    )
    return Refusal("not_overlooked", ("LS-2.7",), text, {"seat": seat}, secret=True)


def told_openly(history: History, seat: Seat, command: Any, parent: int, refused: Refused) -> Refused:
    """Return a refusal as everybody may hear it: what who looks on can see for himself, else that there is a reason (LS-2.7).

    It follows from what is public alone. To leave out of the true reasons those that are secret would not do: which of the
    others are found hangs on the secret ones.
    """
    if isinstance(command, TableCommand):
        told = tuple(reason for reason in refused.reasons if not reason.secret)
    else:
        told = open_reasons(history.base_for(None, parent), seat, command)
    return replace(refused, reasons=told or (known_to(seat),))


def well_formed(rules: Rules[Any], command: Any) -> Any:
    """Return a command as it will be read from the log; `Refused` when it could not be."""
    codec = rules.codec
    try:
        read = codec.command(codec.value(command))
    except (ValueError, TypeError, OverflowError, RecursionError, msgspec.MsgspecError) as fault:
        if isinstance(fault, UnicodeEncodeError) or isinstance(fault.__cause__, UnicodeEncodeError):
            return no_text()
        why = str(fault)
    else:
        if read == command and not isinstance(read, SealedCommand | UnrecognisedCommand):
            return read
        why = "it would read back as something else"
    name = type(command).__name__
    return Refused((Refusal("malformed", ("LS-2.1",), f"{name} is no command of {rules.name}: {why}."),))


def barred(
    table: Table, read_only: str, seat: Seat, command: Any, *, seedless: bool = False
) -> Refused | None:
    """Return why nothing can be heard from a seat at all, or not this command from outside."""
    if read_only:
        return Refused((Refusal("read_only", ("LS-2.6",), f"Nothing is added: {read_only}."),))
    if is_player(seat) and seat not in table.seats:
        text = f"Nobody sits at {seat}; the seats are {', '.join(table.seats)}."
        return Refused((Refusal("no_such_seat", ("LS-1.2",), text, {"seat": seat}),))
    if isinstance(command, AnswerRoll | Deal) and table.dice != "typed":
        text = f"Chance is answered by {table.dice} dice here; no command can answer for it."
        if seedless:
            text += (
                " Their seed is not at hand: who keeps the game puts it back, or begins a what-if from here."
            )
        return Refused((Refusal("not_typed", ("LS-4.5",), text, {"dice": table.dice}),))
    return None


def unheard(command: Any, heard: Collection[Seat] | None) -> Refused | None:
    """Return why a command can't speak for others whose own word is not `heard`; None: one person writes for all (LS-3.4)."""
    silent = [] if heard is None else [seat for seat in command.speaks_for() if seat not in heard]
    if not silent:
        return None
    who = " and ".join(dict.fromkeys(silent))
    only = (
        "only the arbiter's own word counts as a decision."
        if silent == [ARBITER]
        else "what others agree to they say themselves. Propose it, and each of them answers."
    )
    text = f"Nobody gives the word of {who} but {who}: {only}"
    return Refused((Refusal("not_their_word", ("LS-3.4",), text, {"seats": " ".join(silent)}),))


def own_key(holder: Seat, key: str) -> str:
    """Return an idempotency key as the log keeps it: each seat has its own, so that none uses or takes up another's (LS-2.5).

    Who writes for the whole table is no `holder`.
    """
    return f"{holder}:{key}" if holder and key else key


def said_before(history: History, seat: Seat, command: Any, found: int, by: Seat) -> Refused | None:
    """Return why the key that stands for entry `found` can't be used again; None when that is this same command (LS-2.5).

    Whether it is the same is told only to who may read the command that the entry holds.
    """
    entry = history.entry_for(by, found) if found <= len(history.entries) else None
    said = entry.command if entry is not None and entry.seat == seat else None
    if isinstance(said, TableCommand) and type(said) is type(command):
        command = structs.replace(command, **{name: getattr(said, name) for name in said.COMPUTED})
    if said == command:
        return None
    text = f"This key stands for entry {found}, which is another command."
    return Refused((Refusal("key_used", ("LS-2.5",), text, {"entry": found}),))


def computed(history: History, seat: Seat, command: Any) -> Any:
    """Return a command with what the session alone says in it: what had been learned, where a last agreement leads."""
    if isinstance(command, MoveHead | Rule):
        to = command.goes_back()
        return structs.replace(command, learned=None if to is None else learned(history, seat, to))
    if isinstance(command, ProposeTakeBack):
        return structs.replace(command, learned=learned(history, seat, command.to))
    if isinstance(command, AgreeToTakeBack):
        table = history.now.table
        standing = table.proposed(history.now.entry)
        leads = standing is not None and standing.id == command.proposal and completes(table, standing, seat)
        return structs.replace(command, to=standing.to if standing is not None and leads else 0)
    return command


def stale(history: History, seat: Seat, command: Any, question: str, by: Seat | None) -> Refused | None:
    """Return why the question that a command names can't be answered by it, in words for `by`, who gives the command.

    None when it can, or none is named. Who sits nowhere is None.
    """
    if not question:
        return None
    here = history.view(by) if by is None or is_player(by) else history.now
    for opened, asked in here.questions():
        if seat in asked.seats and opened.name(seat) == question:
            if isinstance(command, TableCommand) or _answers(asked, command):
                return None
            text = f"`{small_words(type(command))}` does not answer question {question}: {asked.prompt or asked.kind}."
            return Refused((Refusal("not_this_now", asked.because or ("LS-2.1",), text),))
    put, head = question.partition(".")[0], history.head.id
    since = min(int(put), head) if put.isdecimal() and len(put) < 17 else head
    text = f"Question {question} is not open to {seat} any more."
    return Refused(
        (Refusal("stale_question", ("LS-2.2",), text, {"question": question}),),
        stale=True,
        since=tuple(history.entries_for(by, since)),
    )


def decided_for(
    history: History, seat: Seat, command: Any, parent: int, *, overlook: bool = False, by: Seat = ""
) -> Decision[Any] | Refused:
    """Decide a command that goes on from `parent`; one that a player gives is judged first on what that player may see.

    `by` is who gives it where that is another, as a player gives typed dice in the name of chance. No table overlooks what
    hangs on what a seat alone may see: what stands in the log would tell it to everybody (LS-2.7).
    """
    if isinstance(command, MoveHead | ProposeTakeBack):
        nowhere = tuple(consent.forbids_going_nowhere(history.entries, history.moments, seat, command.to))
        if nowhere:
            return Refused(nowhere)
    base, by = history.base(parent), by or seat
    own = history.base_for(by, parent) if is_player(by) else base
    if overlook:
        reasons = refusals(own, seat, command)
        if any(reason.secret for reason in reasons) and all(reason.waivable for reason in reasons):
            return Refused((*hinged(own, seat, command, reasons), _not_overlooked(seat)))
    if own is not base:
        reasons = refusals(own, seat, command)
        if reasons and not (overlook and all(reason.waivable for reason in reasons)):
            return Refused(hinged(own, seat, command, reasons))
        if overlook and refusals(base, seat, command) != reasons:
            return _HIDDEN
    decided = decide(base, seat, command, overlook=overlook)
    if isinstance(decided, Forbidden):
        return Refused(hinged(base, seat, command, decided.reasons)) if own is base else _HIDDEN
    if isinstance(command, MoveHead):
        table, told = history.now.table, command.learned
        reasons = tuple(consent.forbids_going_back(table, seat, command, told))
        if reasons:
            return Refused(reasons, learned=told, needed=consent.must_agree(table, seat, told))
    return decided


def learned(history: History, by: Seat, to: int) -> tuple[str, ...]:
    """Return what was told to a seat by the entries that going on from `to` would leave behind, and whether it goes too often."""
    entries = history.entries
    if not 1 <= to <= len(entries):
        return ()
    weighed = consent.left_behind(entries, to)
    told = consent.told(by, ((history.entry_for(by, at), history.decided_on(at, by)) for at in weighed))
    return (*told, *consent.often_alone(entries, history.now.table, by))


def _answers(asked: Question, command: Any) -> bool:
    if asked.roll is not None:
        return isinstance(command, AnswerRoll)
    if asked.draw is not None:
        return isinstance(command, Deal)
    return type(command) in asked.answers
