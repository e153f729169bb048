"""What can be proved of an entry although parts of it, or of what came before it, are sealed to the reader.

It rests on what holds of every game (decision 0002): who is asked, how many facts there are, in which order and for whom,
hang on public things alone; so does every fact that a reader may see, up to one that reveals a secret; and a reason for
a refusal that hangs on a secret says so.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct, structs

from core.contract import Fact, Setup
from core.deciding import Decision, Refused, heard
from core.folding import Unfoldable
from core.refusal import Refusal, small_words
from core.seats import ARBITER, CHANCE
from core.telling import Moment, Tale
from events.chance import CardDealt, Rolled
from events.entry import SealedCommand
from events.event import FactData, Seat, SectionRef
from events.play import Corrected, GameEnded, Sealed, Turned
from events.table import GameOpened
from replay.history import AnyEntry
from replay.verifying.comparing import agree, as_recorded, plain_words, seals_of, told, uncited
from replay.verifying.courses import FAULTS, decided_on

__all__ = [
    "Contradiction",
    "apart_in_hindsight",
    "contradiction",
    "hangs_on_secrets",
    "hides",
    "proved",
    "without_seals",
]


MOST_WAYS = 64
"""In so many ways together may lie hidden what an entry reveals, for it to be decided again in hindsight."""


class Contradiction(Struct, frozen=True, gc=False):
    """Why an entry can't be right whatever is sealed: its grade, the sections, what is recorded, what would have been right."""

    grade: str
    because: tuple[SectionRef, ...]
    recorded: str
    expected: str


def hides(entry: AnyEntry) -> bool:
    """Return whether a part of an entry is sealed to the reader."""
    return isinstance(entry.command, SealedCommand) or any(type(fact) is Sealed for fact in entry.facts)


def proved(reasons: Sequence[Refusal]) -> tuple[Refusal, ...]:
    """Return those reasons of a refusal that hold whatever is hidden."""
    return tuple(reason for reason in reasons if not reason.secret)


def hangs_on_secrets(entry: AnyEntry, sealed: AnyEntry, decided: Any) -> bool:
    """Return whether what is decided of an open command, by who does not know all, may differ from what is recorded.

    So it may from the first fact on, on either side, that is there to reveal a secret; and where a secret alone forbids it.
    """
    if isinstance(decided, Refused):
        return not proved(decided.reasons)
    if not isinstance(decided, Decision):
        return any(fact.REVEALS for fact in entry.facts)
    recorded, expected = entry.facts, as_recorded(entry, decided.facts)
    revealed = [place for facts in (recorded, expected) for place, fact in enumerate(facts) if fact.REVEALS]
    if not revealed:
        return False
    known = min(revealed)
    told_alike = seals_of(sealed)[1 : known + 1] == decided.audiences[:known]
    return told_alike and agree(*(tuple(map(uncited, facts[:known])) for facts in (recorded, expected)))


def in_hindsight(base: Moment[Any], entry: AnyEntry) -> tuple[Moment[Any], ...]:
    """Return the moments of which one is that before an entry, as who learned by the entry what was hidden may know it.

    None where that can't be said: what was moved out of sight in the entry may have been revealed elsewhere than it lay.
    """
    states = [base.state]
    moved = False
    for fact in entry.facts:
        moved = moved or type(fact) is Sealed
        if isinstance(fact, Fact):
            states = [known for state in states for known in fact.known_before(state)]
        if fact.REVEALS and moved:
            return ()
    return tuple(Moment(base.rules, state, base.table, base.entry) for state in states[:MOST_WAYS])


def apart_in_hindsight(base: Moment[Any], entry: AnyEntry) -> Decision[Any] | Refused | None:
    """Return what is decided of an open command by who knows what its entry reveals, where that can't be what is recorded.

    None where it may be: where it agrees in one way in which the revealed things may have lain, where others are revealed
    than would be, for that hangs on what is hidden still, and where a secret alone forbids it.
    """
    first: Decision[Any] | Refused | None = None
    for moment in in_hindsight(base, entry):
        decided = decided_on(moment, entry)
        if isinstance(decided, Refused) and proved(decided.reasons):
            decided = Refused(proved(decided.reasons))
        elif not isinstance(decided, Decision) or _may_be(entry, decided):
            return None
        first = first or decided
    return first


def _may_be(entry: AnyEntry, decided: Decision[Any]) -> bool:
    """Return whether an entry tells what is decided, in whatever order, or reveals something else."""
    revealed, told_of = [], []
    for facts in without_seals(entry.facts, decided, decided.facts):
        bare = tuple(map(uncited, facts))
        revealed.append(sorted(repr(fact) for fact in bare if fact.REVEALS))
        told_of.append(sorted(repr(fact) for fact in bare if not fact.REVEALS))
    return revealed[0] != revealed[1] or told_of[0] == told_of[1]


def without_seals(
    recorded: Sequence[FactData], decided: Decision[Any], expected: Sequence[FactData]
) -> tuple[tuple[FactData, ...], tuple[FactData, ...]]:
    """Return facts as they are recorded and expected, less the sealed ones that are expected for the same seats."""
    left = list(zip(expected, decided.audiences, strict=True))
    held = []
    for fact in recorded:
        place = next(
            (n for n, (_, to) in enumerate(left) if to and to == fact.to)
            if type(fact) is Sealed
            else iter(()),
            None,
        )
        if place is None:
            held.append(fact)
        else:
            del left[place]
    return tuple(held), tuple(fact for fact, _ in left)


def contradiction(
    base: Moment[Any],
    entry: AnyEntry,
    seals: Sequence[tuple[Seat, ...]],
    after: Moment[Any] | None,
    stopped: Unfoldable | None,
) -> Contradiction | None:
    """Return what can't be right about an entry whatever is hidden; None where it may be right.

    `seals` are those whom the command and each fact are sealed to; `after` is the moment after it, None where it does not
    fold, for the reason in `stopped`.
    """
    try:
        return next(_contradictions(base, entry, seals, after, stopped), None)
    except FAULTS as fault:
        return Contradiction(
            "differs", ("LS-2.4",), _said(entry), f"what the rules can go on from: {fault!r}"
        )


def _contradictions(
    base: Moment[Any],
    entry: AnyEntry,
    seals: Sequence[tuple[Seat, ...]],
    after: Moment[Any] | None,
    stopped: Unfoldable | None,
) -> Iterator[Contradiction]:
    if isinstance(entry.command, SealedCommand):
        first = entry.facts[0] if entry.facts else None
        if type(first) is GameOpened or (type(first) is Corrected and entry.seat == ARBITER):
            yield from _of_the_arbiter(base, entry, seals, opens=type(first) is GameOpened)
        else:
            yield from _of_who_commands(base, entry, seals)
            yield from _of_what_is_told(entry)
        if not any(seals[1:]):
            recorded, expected = _sealed_command(entry), "one that all may read, for it causes nothing secret"
            yield Contradiction("differs", _asked_under(base), recorded, expected)
    if after is not None:
        yield from _of_what_follows(base, entry, after)
    elif stopped is not None:
        fact = entry.facts[stopped.place]
        yield Contradiction("differs", fact.because or ("LS-2.4",), plain_words(fact), stopped.why)


def _of_the_arbiter(
    base: Moment[Any], entry: AnyEntry, seals: Sequence[tuple[Seat, ...]], *, opens: bool
) -> Iterator[Contradiction]:
    """Yield why the arbiter could not open a game, or correct its position, by a sealed command there."""
    recorded = _sealed_command(entry)
    if opens and (base.table.opened or entry.seat != ARBITER):
        yield Contradiction("unlawful", ("LS-1.1",), recorded, "a game is opened once, by the arbiter")
    elif not opens and not base.table.opened:
        yield Contradiction("unlawful", ("LS-1.1",), recorded, "no game is open yet")
    elif seals[0] != (entry.seat,):
        section = "LS-1.1" if opens else "LS-6.1"
        yield Contradiction("differs", (section,), f"{recorded}, to {_names(seals[0])}", f"to {entry.seat}")


def _of_who_commands(
    base: Moment[Any], entry: AnyEntry, seals: Sequence[tuple[Seat, ...]]
) -> Iterator[Contradiction]:
    """Yield why nobody could give a sealed command there, or why it would not be sealed so."""
    seat, recorded, asked = entry.seat, _sealed_command(entry), base.question
    kinds, because = heard(base, seat), _asked_under(base)
    if not any(kind.SEALS for kind in kinds):
        yield Contradiction("unlawful", because, recorded, _asked_instead(base, seat, kinds))
        return
    fit = [base.table.told_to((seat,))]
    if seat == CHANCE and asked is not None and asked.draw is not None:
        fit.append(base.table.told_to((asked.draw.to,)))
    if seals[0] not in fit:
        expected = f"to {' or '.join(map(_names, dict.fromkeys(fit)))}"
        yield Contradiction("differs", because, f"{recorded}, to {_names(seals[0])}", expected)


def _asked_under(base: Moment[Any]) -> tuple[SectionRef, ...]:
    return (base.question.because if base.question is not None else ()) or ("LS-2.1",)


def _sealed_command(entry: AnyEntry) -> str:
    return f"a sealed command of {entry.seat}"


def _names(seats: Sequence[Seat]) -> str:
    return " and ".join(seats)


def _said(entry: AnyEntry) -> str:
    """Return in words what an entry says to everybody."""
    return told(tuple(fact for fact in entry.facts if type(fact) is not Sealed))


def _asked_instead(base: Moment[Any], seat: Seat, kinds: Sequence[type[Any]]) -> str:
    """Return in words what is asked where no command of a seat could be sealed."""
    if kinds:
        named = " or ".join(f"`{small_words(kind)}`" for kind in kinds)
        return f"{seat} is asked for {named}, which are for all to read"
    if base.state.ended is not None:
        return f"the game is over ({base.state.ended.how})"
    if base.table.disputes:
        return f"entry {base.table.disputes[0].at} is disputed; only the arbiter is asked"
    asked = base.question
    if asked is None:
        return "nobody is asked anything"
    return f"{seat} is not asked now; {_names(asked.seats)}: {asked.prompt or asked.kind}"


def _of_what_is_told(entry: AnyEntry) -> Iterator[Contradiction]:
    """Yield what no sealed command of play causes: what the table does, dice, an agenda that moves amid the entry."""
    for fact in entry.facts:
        if fact.TABLE or isinstance(fact, Corrected | Setup):
            yield Contradiction(
                "differs",
                fact.because or ("LS-2.1",),
                plain_words(fact),
                "an entry of the table's own for it",
            )
        elif type(fact) is Rolled or (type(fact) is CardDealt and entry.seat != CHANCE):
            yield Contradiction("differs", ("LS-4.1",), plain_words(fact), "an entry of chance's own for it")
    turns = [type(fact) is Turned for fact in entry.facts]
    if not turns or not turns[-1] or any(turns[:-1]):
        yield Contradiction(
            "differs", ("LS-2.1",), _said(entry), "how the agenda moved, once, as the last fact"
        )


def _of_what_follows(base: Moment[Any], entry: AnyEntry, after: Moment[Any]) -> Iterator[Contradiction]:
    """Yield what is wrong with the moment after an entry: pieces, an end that is none, a step that asks nobody."""
    for flaw in base.rules.sound(after.state, base.state):
        yield Contradiction("differs", ("LS-2.4",), _said(entry), f"what can stand so: {flaw}")
    yield from _of_the_end(entry, after)
    state = after.state
    if state.agenda and (state.ended is not None or after.question is None):
        yield Contradiction("differs", ("LS-2.1",), _said(entry), "an agenda on which somebody is asked next")


def _of_the_end(entry: AnyEntry, after: Moment[Any]) -> Iterator[Contradiction]:
    """Yield why the game did not end there as it is told: by the rules, from how it stands, it would not."""
    ended = next((fact for fact in entry.facts if isinstance(fact, GameEnded)), None)
    if ended is None:
        return
    tale = Tale.begin(Moment(after.rules, structs.replace(after.state, ended=None), after.table, after.entry))
    after.rules.settle(tale)
    right = tale.state.ended
    if right != ended:
        words = plain_words(right) if right is not None else "a game that goes on"
        yield Contradiction("differs", ended.because or ("LS-2.1",), plain_words(ended), words)
