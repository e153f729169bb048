"""What several commands of the table refuse alike: strangers, entries and answers that are not there, unsound positions."""

from collections.abc import Iterable, Iterator
from typing import Any

from core.refusal import Refusal
from core.seats import ARBITER, CHANCE
from core.telling import Moment
from events.chance import SOURCES
from events.event import Seat, SectionRef

__all__ = ["forbids_answer", "forbids_position", "forbids_source", "forbids_stranger", "no_such_entry"]


def forbids_stranger(now: Moment[Any], seat: Seat, section: SectionRef) -> Iterator[Refusal]:
    """Refuse who neither sits at the table nor is its arbiter."""
    if seat == CHANCE:
        yield Refusal("not_a_person", (section,), "Chance contests nothing and takes nothing back.")
    elif seat != ARBITER and seat not in now.table.seats:
        yield Refusal("no_such_seat", (section,), f"Nobody sits at {seat}.", {"seat": seat})


def forbids_position(
    now: Moment[Any], state: Any, facts: Iterable[Any], section: SectionRef
) -> Iterator[Refusal]:
    """Refuse set-up facts that say two things of one, name what the board has not, or make what the game cannot hold."""
    facts = tuple(facts)
    said: set[tuple[Any, ...]] = set()
    for fact in facts:
        if fact.KEY is None:
            continue
        about = (fact.WORD, *(getattr(fact, name) for name in fact.KEY))
        if about in said:
            text = f"Two things are said of {' '.join(str(part) for part in about)}; say one."
            yield Refusal("said_twice", (section,), text, {"about": " ".join(map(str, about))})
        said.add(about)
    for fact in facts:
        try:
            state = fact.onto(state)
        except (KeyError, ValueError, TypeError, IndexError, AttributeError) as fault:
            told = (
                fault.args[0]
                if isinstance(fault, ValueError) and fault.args
                else f"nothing is called {fault}"
            )
            yield Refusal("unsound", (section,), f"{fact.WORD}: {told}.", secret=True)
            return
    for flaw in now.rules.sound(state):
        yield Refusal("unsound", (section,), flaw, secret=True)


def no_such_entry(named: int, upcoming: int, section: SectionRef) -> Refusal:
    """Return that a log whose next entry is `upcoming` holds no entry of that number."""
    return Refusal(
        "no_such_entry",
        (section,),
        f"There is no entry {named}; the log holds 1 to {upcoming - 1}.",
        {"entry": named},
    )


def forbids_source(dice: str) -> Iterator[Refusal]:
    """Refuse a word that names no source of dice (LS-4.5)."""
    if dice not in SOURCES:
        text = f"Dice can be {', '.join(SOURCES)}, not {dice!r}."
        yield Refusal("no_such_dice", ("LS-4.5",), text, {"dice": dice})


def forbids_answer(now: Moment[Any], point: str, answer: str) -> Iterator[Refusal]:
    """Refuse a point that the rulebook has not, and an answer that it does not offer (LS-1.3)."""
    known = now.rules.rulebook.points.get(point)
    if known is None:
        yield Refusal("no_such_point", ("LS-1.3",), f"The rulebook has no point {point}.", {"point": point})
    elif not known.has(answer):
        choices = " or ".join(choice.id for choice in known.answer)
        yield Refusal(
            "no_such_answer",
            ("LS-1.3",),
            f"{point} is answered by {choices}, not by {answer!r}.",
            {"point": point},
        )
