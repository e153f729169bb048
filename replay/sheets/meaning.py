"""What a line that the rules refuse may have meant: that with which more of what comes after it is lawful.

A slip of the pen would else accuse all that follows from it. The line is found wrong all the same; only the game goes on
as its table seems to have played it, and the verdict says so.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

from msgspec import Struct

from core.deciding import Decision, decide
from core.kit.chance import Deal
from core.seats import CHANCE, is_player
from core.telling import Moment
from events.event import Seat
from replay.sheets.filling import Silence
from replay.sheets.playing import SheetPlay
from replay.sheets.scoresheet import Line
from replay.sheets.unseen import UNSEEN
from replay.sheets.verdicts import ASSUMED
from replay.words.faults import close_to
from replay.words.nearest import beside, nearest

__all__ = ["Meant", "Reach", "meant_by_acts"]

Reach = Callable[[SheetPlay, Sequence[Line]], tuple[int, SheetPlay]]
"""Says how many lines from the first on would be lawful, played on from there, and how far that goes."""
MOST_NEAR = 6
"""So many lawful commands near to what was written are tried, and each with another number or name in one place."""
MOST_TRIED = 32
"""So many commands are tried in all."""


class Meant(Struct, frozen=True):
    """What a line is taken for: who said what, the lines that silence fills in before it, and the play after it."""

    seat: Seat
    command: Any
    silences: tuple[str, ...]
    play: SheetPlay
    usual: int
    """How many lines after it are lawful as it stands: fewer than by this."""


def meant_by_acts(
    before: SheetPlay,
    given: Iterable[Silence],
    line: Line,
    command: Any,
    seat: Seat,
    usual: SheetPlay,
    following: Sequence[Line],
    reach: Reach,
) -> Meant | None:
    """Return what a refused command was meant to be, where more of what follows is lawful by it than as `usual`.

    `before` is the play that has not come to the line, `given` are the silences after which its command is heard.
    """
    lawful, _ = reach(usual, following)
    if lawful == len(following):
        return None
    fits = lawful
    filled = before.twin()
    silences = filled.give(given)
    best: list[tuple[Meant, SheetPlay]] = []
    tried: list[tuple[Meant, SheetPlay]] = []
    for who, said in islice(_candidates(filled.now, seat, command), MOST_TRIED):
        decision = decide(filled.now, who, said)
        if not isinstance(decision, Decision):
            continue
        play = filled.twin()
        play.left_out, play.overlooked = 0, line.number
        play.tell(who, said, decision, ASSUMED)
        reached, end = reach(play, following)
        tried.append((Meant(who, said, silences, play, lawful), end))
        if reached > fits:
            fits, best = reached, tried[-1:]
            if fits == len(following) and seat != CHANCE:
                break
        elif best and reached == fits:
            best.append(tried[-1])
    if seat == CHANCE:
        return _card_meant(filled.now, command, best or tried) if tried else None
    return best[0][0] if best else None


def _card_meant(now: Moment[Any], written: Deal, fitting: Sequence[tuple[Meant, SheetPlay]]) -> Meant | None:
    """Return which card was meant, of those that fit what follows: the one that was misspelt, or else the only one there is.

    Where several come to as much, it is taken for one that nobody recorded. A card is drawn in any case, also where the
    next line has a fault of its own and shows nothing.
    """
    close = close_to(written.card, _pool(now), 1)
    misspelt = [meant for meant, _ in fitting if meant.command.card in close]
    if misspelt:
        return misspelt[0]
    if _is_one(end for _, end in fitting):
        return fitting[0][0]
    return next((meant for meant, _ in fitting if meant.command.card == UNSEEN), None)


def _pool(now: Moment[Any]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(now.state.agenda[-1].step.pool(now)))


def _candidates(now: Moment[Any], seat: Seat, command: Any) -> Iterator[tuple[Seat, Any]]:
    """Yield what may have been meant: the same by who is asked, then what is near; of a card each that is left."""
    asked = now.question
    if asked is None:
        return
    if seat == CHANCE:
        if isinstance(command, Deal) and asked.draw is not None:
            yield from ((CHANCE, Deal(card)) for card in (*_pool(now), UNSEEN))
        return
    yield from ((who, command) for who in asked.seats if is_player(who) and who != seat)
    near = [
        (who, said)
        for who, said in nearest(now, seat, command, MOST_NEAR)
        if who == seat
        or type(said) is type(command)  # nobody writes another's act for his own of another kind
    ]
    yield from near
    for who, said in near:
        if type(said) is type(command):
            yield from ((who, other) for other in beside(now, who, said))


def _is_one(plays: Iterable[SheetPlay]) -> bool:
    """Return whether all plays have come to the same state."""
    states = [play.now.state for play in plays]
    return all(state == states[0] for state in states)
