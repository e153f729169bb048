"""What a position leaves out that people mostly mean: kings, and what a phase needs to be played."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from core.rules import Setup
from core.telling import Moment
from events.event import Seat

from .board import KINGDOMS
from .holdings import kingdoms_of
from .position import ShadeSet, TurnSet
from .spellbook import king_of
from .state import War

__all__ = ["doubts"]

_NEEDS: Final[Mapping[str, str]] = {
    "sea": "a ship in a harbour of its own, or a spell user who can teleport (QD-5.1)",
    "quest": "units beside a Wasteland, or a party in one (QD-6.1)",
    "income": "two kingdoms between which gold is parted; what falls to one is paid by itself (QD-20.1)",
    "reinforce": "what was bought in phase 1, which no position holds (QD-21.1)",
}
"""What a phase needs that passes by itself without it; of phase 1 more can be said."""


def doubts(now: Moment[War], position: Iterable[Setup[War]]) -> Iterator[str]:
    """Yield what a game that has just opened from a position lacks, and what would have set it up.

    A seat without a king can't be beaten (QD-22.1); a phase in which nothing can be done is over before anybody is asked
    (QD-4.1).
    """
    facts = tuple(position)
    if not now.state.active:
        if facts:
            yield (
                "Nothing says whose turn it is, so the game begins with the setup (QD-3.1): `[[turn]]` with "
                f'seat = "{now.state.seats[0]}", phase = "combat" begins there.'
            )
        return
    yield from _kingless(now.state, facts)
    for turn in facts:
        if isinstance(turn, TurnSet) and (turn.seat, turn.phase) != (now.state.active, now.state.phase):
            yield from _passed_over(now.state, turn)


def _kingless(war: War, facts: tuple[Setup[War], ...]) -> Iterator[str]:
    """Yield whose king is not on the board; of who has stacks that may hide chips, nobody need know where he is."""
    shaded = {fact.seat for fact in facts if isinstance(fact, ShadeSet)}
    without = [
        seat for seat in war.seats if king_of(seat) not in war.chips and seat not in (*shaded, *war.out)
    ]
    if not without:
        return
    first = next((seat for seat in without if _home(war, seat)), without[0])
    yield (
        f"{' and '.join(without)} {'have' if len(without) > 1 else 'has'} no king on the board. One battle can be "
        "judged without, but nobody can be beaten so (QD-22.1), and no king protects or reads (QD-14.2). "
        f'`[[chip]]` with seat = "{first}", '
        f'chip = "{king_of(first)}", place = "{_home(war, first) or "..."}" sets one up; a king who fell is `[[fallen]]`.'
    )


def _home(war: War, seat: Seat) -> str:
    """Return where a king would likely be: in a kingdom of his, else in his largest army; empty without any."""
    armies = {place: army.size for place, army in war.armies.items() if army.seat == seat}
    return next(iter(kingdoms_of(war, seat)), "") or max(armies, key=lambda place: armies[place], default="")


def _passed_over(war: War, turn: TurnSet) -> Iterator[str]:
    opens = f"the {war.phase} phase" if war.active == turn.seat else f"the turn of {war.active}"
    said = f"The {turn.phase} phase of {turn.seat} is over at once, for nothing is to be decided in it, and the game opens in {opens}."
    if turn.phase == "buy":
        yield f"{said} {_to_buy(war, turn.seat)}"
    elif turn.phase in _NEEDS:
        yield f"{said} It needs {_NEEDS[turn.phase]}."


def _to_buy(war: War, seat: Seat) -> str:
    """Return what a seat lacks to buy: a kingdom, gold, or enough of it (QD-4.2)."""
    held = kingdoms_of(war, seat)
    if not held:
        return f"Who holds no kingdom buys nothing (QD-4.2): units of {seat} in one of {', '.join(KINGDOMS)} hold it."
    gold = sum(war.gold.get(place, 0) for place in held)
    few = f"only {gold} gold in its kingdoms" if gold else "no gold in its kingdoms"
    return f'{seat} has {few} (QD-4.2): `[[gold]]` with place = "{held[0]}", gold = 10 puts some there.'
