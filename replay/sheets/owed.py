"""What is owed when claims of a scoresheet are counted: losses that nobody wrote down yet, and hits still to be taken.

Silence settles what is owed as far as the claims go. Dice that have fallen count at once, though the rules tell of their
losses only when the other side has rolled, too: whatever it rolls, so many are lost.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from core.deciding import is_asked
from core.kit.chance import AnswerRoll
from replay.sheets.claims import Claim, Tally, claim_words, holds
from replay.sheets.filling import Silence
from replay.sheets.holes import extremes
from replay.sheets.playing import SheetPlay
from replay.sheets.scoresheet import Claimed, Line, Said

__all__ = ["agree", "is_so", "numbers", "settle"]


def settle(play: SheetPlay, line: Claimed, following: Sequence[Line] = ()) -> tuple[str, ...]:
    """Settle by silence what is owed before claims are counted; return what was filled in, as lines of a sheet."""
    upcoming = next((each for each in following if isinstance(each, Said)), None)
    return play.give(_settling(play, line.claims, upcoming))


def is_so(play: SheetPlay, claim: Claim, since: Sequence[Any] | None = None, state: Any = None) -> bool:
    """Return whether a claim is right: a tally by the facts since the last claim, what stands by the state; those of now unless given."""
    if isinstance(claim, Tally):
        return play.tally(claim, since) == claim.count
    return holds(claim, play.now.state if state is None else state)


def agree(play: SheetPlay, line: Claimed) -> bool:
    """Return whether all claims of a line are so now."""
    return all(is_so(play, claim) for claim in line.claims)


def numbers(play: SheetPlay, claim: Tally) -> tuple[int, ...]:
    """Return the numbers with which a tally is right now: by what is told, and with all that the dice have decided.

    Where nothing is told yet, only the latter is right.
    """
    told = play.tally(claim)
    counts = tuple(dict.fromkeys((told, *_due(play, claim))))
    return counts if told else counts[-1:]


def _due(play: SheetPlay, claim: Tally) -> Iterator[int]:
    """Yield what a tally comes to when what is owed has been told: by silence, and whatever falls on the next roll.

    Nothing where the dice that are still to fall decide it.
    """
    if play.hangs or play.now.table.disputes or play.now.state.ended is not None:
        return
    settled = play.twin()
    settled.give(_settling(settled, (claim,), None))
    yield settled.tally(claim)
    waiting = play.twin()
    waiting.give(_without_end(waiting.silences()))
    asked = waiting.now.question
    if asked is None or asked.roll is None:
        return
    counts = set()
    for roll in extremes(asked.roll, play.rules.all_dice[asked.roll.die]):
        rolled = waiting.twin()
        if rolled.guess(AnswerRoll(()), roll):
            rolled.give(_settling(rolled, (claim,), None))
            counts.add(rolled.tally(claim))
    if len(counts) == 1:
        yield counts.pop()


def _without_end(path: Iterable[Silence]) -> Iterator[Silence]:
    for silence in path:
        if silence.ends:
            return
        yield silence


def _settling(play: SheetPlay, claims: Sequence[Claim], upcoming: Said | None) -> list[Silence]:
    """Return the silences that settle what is owed before claims are counted.

    Owed is what tells at once of such facts as are claimed. All of it is settled; when the claims don't agree yet,
    silence goes on to where they do; when they never do, to the last such fact. A choice that nothing
    claimed hangs on stays open, and so does one that the next act of the sheet, `upcoming`, makes.
    """
    words = {claim.word for claim in claims if isinstance(claim, Tally)} or set(claim_words(play.rules))
    path: list[Silence] = []
    since = list(play.since)
    telling: list[int] = []
    agreeing = [0] if all(is_so(play, claim, since) for claim in claims) else []
    now = play.now
    for silence in play.silences():
        if upcoming is not None and is_asked(now, upcoming.seat, upcoming.command):
            break
        now = silence.decision.after
        tells = any(fact.CLAIM in words for fact in silence.facts)
        if silence.ends and not tells:
            break
        path.append(silence)
        since += silence.facts
        if tells:
            telling.append(len(path))
        if all(is_so(play, claim, since, silence.decision.after.state) for claim in claims):
            agreeing.append(len(path))
    owed = next((n for n in range(len(path) + 1) if n + 1 not in telling), 0)
    settled = next((n for n in agreeing if n >= owed), max(telling, default=0))
    return path[:settled]
