"""Who must agree when something is taken back (LS-3.2), and what is none (LS-3.6).

What a tail of a log told a seat is computed, never marked: each of the seat's own commands is decided again on what the
seat knew before it. Where the facts it then saw are others than it could foresee, the entry told it something.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

from core.deciding import Decision, Refused, decide
from core.kit.chance import Deal
from core.kit.table import MoveHead, TableCommand
from core.refusal import Refusal
from core.seats import ARBITER, CHANCE, is_player
from core.table import Table
from core.telling import Endless, Moment
from events.chance import CardDealt
from events.entry import Entry
from events.event import Id, Seat
from events.play import Overlooked, Sealed, Turned
from events.table import HeadMoved

__all__ = [
    "MOST_ALONE",
    "MOST_LISTED",
    "forbids_going_back",
    "forbids_going_nowhere",
    "foresee",
    "in_short",
    "left_behind",
    "must_agree",
    "not_agreed",
    "often_alone",
    "told",
    "why_not_alone",
]

AnyEntry = Entry[Any, Any]

MOST_LISTED = 6
"""What had been learned that a refusal lists one by one; `Refused.learned` has all."""
MOST_ALONE = 12
"""Times in a row that a player goes back alone (LS-3.7)."""
_OFTEN = " times in a row alone"


def left_behind(entries: Sequence[AnyEntry], to: Id) -> tuple[Id, ...]:
    """Return the entries whose doings are weighed when the game goes on from `to`.

    These are all entries since the last one that both lines have in common, for what happened on a line that was left
    before is not forgotten, and those that would be restored. Entries about the table alone are not undone and do not
    count.
    """
    here = len(entries)
    line = {_stripped(entries, at): at for at in reversed(list(_walk(entries, here)))}
    restored = []
    since = 0
    for at in _walk(entries, _stripped(entries, to)):
        if at in line:
            since = line[at]
            break
        restored.append(at)
    weighed = sorted({*restored, *range(since + 1, here + 1)})
    return tuple(at for at in weighed if not _is_tables(entries[at - 1]))


def told(by: Seat, tail: Iterable[tuple[AnyEntry, Moment[Any]]]) -> tuple[str, ...]:
    """Return what entries told a seat, each as `entry 7: roll`: roll, card, secret, or whose act it was.

    Each entry comes as the seat may read it, with the moment it was decided on as the seat could know it.
    """
    return tuple(f"entry {entry.id}: {what}" for entry, before in tail if (what := _told(by, entry, before)))


def often_alone(entries: Sequence[AnyEntry], table: Table, by: Seat) -> tuple[str, ...]:
    """Return that a player has gone back alone as often as he may, as `entry 40: 12 times in a row alone`; else nothing.

    It weighs as if it had told him something. What ends the row is whatever he can't bring about by himself: a move of
    another that stands, dice, a card, the others' agreement, a word of the arbiter (LS-3.7).
    """
    if not is_player(by):
        return ()
    own = table.seats_of(by)
    gone: list[Id] = []
    line = len(entries)
    for entry in reversed(entries):
        stands = entry.id == line
        line = entry.parent if stands else line
        alone = _gone_alone(table, entry)
        if alone and entry.seat in own:
            gone.append(entry.id)
        elif entry.seat == ARBITER or (not alone and any(type(fact) is HeadMoved for fact in entry.facts)):
            break
        elif stands and entry.seat not in own and not _is_tables(entry):
            break
    return (f"entry {gone[0]}: {len(gone)}{_OFTEN}",) if len(gone) >= MOST_ALONE else ()


def _gone_alone(table: Table, entry: AnyEntry) -> bool:
    """Return whether by an entry a player went back on nobody's word but his own, whomever of his seats it names (LS-1.6)."""
    command = entry.command
    own = table.seats_of(entry.seat)
    return isinstance(command, MoveHead) and not command.arbiter and {*command.agreed} <= {*own}


def must_agree(table: Table, by: Seat, learned: Iterable[str]) -> tuple[Seat, ...]:
    """Return the seats that must agree that `by` takes a tail back: nobody when it told nothing, else all others.

    Of a player who sits at several, one is named, and none of who takes back (LS-1.6). Where no other seat is left that
    could agree, the arbiter must decide.
    """
    if by == ARBITER or not tuple(learned):
        return ()
    named: list[Seat] = []
    for seat in table.seats:
        if seat not in table.forfeited and not {by, *named}.intersection(table.seats_of(seat)):
            named.append(seat)
    return tuple(named) or (ARBITER,)


def not_agreed(table: Table, by: Seat, learned: Iterable[str], agreed: Collection[Seat]) -> tuple[Seat, ...]:
    """Return the seats that must agree to what `by` takes back, and have not; any seat of a player speaks for him (LS-1.6)."""
    agreeing = {own for seat in agreed for own in table.seats_of(seat)}
    return tuple(seat for seat in must_agree(table, by, learned) if seat not in agreeing)


def forbids_going_back(
    table: Table, by: Seat, command: MoveHead, learned: tuple[str, ...]
) -> Iterator[Refusal]:
    """Refuse to take back what told somebody something unless all others agreed, or the arbiter decided (LS-3.2)."""
    strangers = [seat for seat in command.agreed if seat not in table.seats]
    if strangers:
        yield Refusal("no_such_seat", ("LS-3.2",), f"Nobody sits at {strangers[0]}.", {"seat": strangers[0]})
    missing = not_agreed(table, by, learned, command.agreed)
    if missing and not command.arbiter:
        often = any(what.endswith(_OFTEN) for what in learned)
        yield Refusal(
            "consent_needed",
            ("LS-3.2", "LS-3.7") if often else ("LS-3.2",),
            f"{by} can't take this back alone, for {why_not_alone(learned)}; "
            + (
                "the arbiter decides."
                if missing == (ARBITER,)
                else f"{' and '.join(missing)} must agree, or the arbiter decides."
            ),
            {"seats": " ".join(missing), "learned": "; ".join(learned)},
        )


def forbids_going_nowhere(
    entries: Sequence[AnyEntry], moments: Sequence[Moment[Any]], by: Seat, to: Id
) -> Iterator[Refusal]:
    """Refuse a seat to go, or to ask to go, where the game stands: only the table's own entries lie between (LS-3.6).

    `moments` are those after each entry, that before the first at index 0, as `entries` are those of the log.
    """
    here = len(entries)
    if (
        by == ARBITER
        or not 1 <= to <= here < len(moments)
        or _stripped(entries, to) != _stripped(entries, here)
    ):
        return
    if moments[to].state == moments[here].state:
        text = f"The game stands where it stood after entry {to}; to go there changes nothing."
        yield Refusal("goes_nowhere", ("LS-3.6",), text, {"to": to})


def why_not_alone(learned: Sequence[str], told: str = "told") -> str:
    """Return why a seat can't go back alone, as a clause: what it told, or tells, the seat, and how often that went alone."""
    things = [what for what in learned if not what.endswith(_OFTEN)]
    often = [what for what in learned if what.endswith(_OFTEN)]
    said = [f"it {told} something ({in_short(things)})"] if things else []
    said += [
        f"the game went to and fro {what.partition(': ')[2]}, and nobody else has had a say since"
        for what in often
    ]
    return ", and ".join(said)


def in_short(learned: Sequence[str]) -> str:
    """Return what had been learned as a list that can be read: of many the first and how many more, kind by kind."""
    if len(learned) <= MOST_LISTED:
        return "; ".join(learned)
    rest = learned[MOST_LISTED:]
    kinds = Counter(what.partition(": ")[2] for what in rest)
    more = ", ".join(f"{count} x {kind}" for kind, count in kinds.items())
    return (
        f"{'; '.join(learned[:MOST_LISTED])}; and {len(rest)} more up to {rest[-1].partition(':')[0]}: {more}"
    )


def _told(by: Seat, entry: AnyEntry, before: Moment[Any]) -> str:
    if entry.seat == CHANCE:
        cards = isinstance(entry.command, Deal) or any(isinstance(fact, CardDealt) for fact in entry.facts)
        return "card" if cards else "roll"
    if entry.seat not in before.table.seats_of(by):
        return f"act of {entry.seat}"
    return "" if _foreseen(entry.seat, entry, before) else "secret"


def foresee(
    now: Moment[Any], seat: Seat, command: Any, *, overlook: bool = False
) -> Decision[Any] | Refused | None:
    """Decide a command on what somebody knows; None where the rules need to know more than he does."""
    try:
        return decide(now, seat, command, overlook=overlook, check=False)
    except (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError, Endless):
        return None


def _foreseen(by: Seat, entry: AnyEntry, before: Moment[Any]) -> bool:
    """Return whether a seat could tell from what it knew which facts its command would cause."""
    overlook = any(type(fact) is Overlooked for fact in entry.facts)
    decided = foresee(before, by, entry.command, overlook=overlook)
    if not isinstance(decided, Decision) or len(decided.facts) != len(entry.facts):
        return False
    return all(
        audience == fact.to if type(fact) is Sealed else fact == foreseen
        for fact, foreseen, audience in zip(entry.facts, decided.facts, decided.audiences, strict=True)
    )


def _is_tables(entry: AnyEntry) -> bool:
    """Return whether an entry is about the table alone, so that going back undoes nothing of it.

    A correction is not, nor a word of the arbiter that ended the game or let it go on: what it told of the game is undone.
    """
    return isinstance(entry.command, TableCommand) and all(
        type(fact) is Turned or fact.TABLE for fact in entry.facts
    )


def _stripped(entries: Sequence[AnyEntry], at: Id) -> Id:
    """Return the entry whose position still stands at `at`: entries about the table alone leave it as it was."""
    while at > 1 and _is_tables(entries[at - 1]):
        at = entries[at - 1].parent
    return at


def _walk(entries: Sequence[AnyEntry], at: Id) -> Iterator[Id]:
    """Yield the entries that lead to `at` along parents, the last one first."""
    while at > 0:
        yield at
        at = entries[at - 1].parent
