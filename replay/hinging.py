"""On which points a verdict hangs: it would be another, had the table answered them otherwise.

Which answers are read is found by asking the rules again, with answers that note who reads them, so the kernel keeps no
count; and only points that were read are answered otherwise. All this is asked at the moment of the verdict: what earlier
entries made of an answer stays as it is.
"""

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from msgspec import structs

from core.deciding import Decision, decide, refusals
from core.kit.table import TableCommand
from core.refusal import Refusal
from core.telling import Endless, Moment
from events.event import Seat, SectionRef

__all__ = ["allowing", "hinged", "otherwise", "told_by"]

R = TypeVar("R")

_ASTRAY = (KeyError, ValueError, TypeError, IndexError, AttributeError, AssertionError, Endless)
"""What a moment may come to that no game could have come to by the other answer."""


class _Noting(dict[str, str]):
    """Answers that note which of them are read."""

    def __init__(self, answers: Any) -> None:
        super().__init__(answers)
        self.read: dict[str, None] = {}

    def get(self, point: str, default: Any = None) -> Any:
        self.read[point] = None
        return super().get(point, default)

    def __getitem__(self, point: str) -> str:
        self.read[point] = None
        return super().__getitem__(point)


def otherwise(now: Moment[Any], judge: Callable[[Moment[Any]], R]) -> Iterator[tuple[SectionRef, str, R]]:
    """Yield what is judged where a point is answered otherwise, with that answer: for each point that is read in judging."""
    noting = _Noting(now.table.answers)
    try:
        judge(_with(now, noting))
    except _ASTRAY:
        return
    for ref in noting.read:
        point = now.rules.rulebook.points.get(ref)
        held = now.answer(ref) if point is not None else ""
        for choice in point.answer if point is not None else ():
            if choice.id != held:
                try:
                    found = judge(_with(now, {**now.table.answers, ref: choice.id}))
                except _ASTRAY:
                    continue
                yield ref, choice.id, found


def hinged(now: Moment[Any], seat: Seat, command: Any, reasons: tuple[Refusal, ...]) -> tuple[Refusal, ...]:
    """Return the reasons why a command is refused, each with the points on which it hangs.

    By another answer it would not be refused, or it would for the same reason with other figures, as where other dice are
    asked for.
    """
    if isinstance(command, TableCommand) or not reasons:
        return reasons
    codes = {reason.code for reason in reasons}
    hangs: dict[int, dict[SectionRef, None]] = {}
    for ref, _, others in otherwise(now, lambda other: refusals(other, seat, command)):
        if not codes.issuperset(other.code for other in others):
            continue  # something else would be asked then: that says nothing of this command
        said = {(other.code, other.text) for other in others}
        for n, reason in enumerate(reasons):
            if (reason.code, reason.text) not in said:
                hangs.setdefault(n, {})[ref] = None
    return tuple(
        structs.replace(reason, because=tuple(dict.fromkeys((*reason.because, *hangs.get(n, ())))))
        for n, reason in enumerate(reasons)
    )


def allowing(now: Moment[Any], seat: Seat, command: Any) -> tuple[SectionRef, ...]:
    """Return the points whose answer at this table allows a command that the usual answer forbids.

    Where every point is answered as usual nothing is asked.
    """
    usual = now.rules.rulebook.defaults
    if isinstance(command, TableCommand) or all(
        usual.get(ref, answer) == answer for ref, answer in now.table.answers.items()
    ):
        return ()
    found = otherwise(now, lambda other: refusals(other, seat, command))
    return tuple(dict.fromkeys(ref for ref, answer, reasons in found if reasons and usual[ref] == answer))


def told_by(
    now: Moment[Any], seat: Seat, command: Any, fits: Callable[[Decision[Any]], bool]
) -> tuple[SectionRef, ...]:
    """Return the points by another answer to which a command would be followed by what `fits`."""
    if isinstance(command, TableCommand):
        return ()
    found = otherwise(now, lambda other: decide(other, seat, command, check=False))
    return tuple(
        dict.fromkeys(ref for ref, _, decided in found if isinstance(decided, Decision) and fits(decided))
    )


def _with(now: Moment[Any], answers: Any) -> Moment[Any]:
    return Moment(now.rules, now.state, structs.replace(now.table, answers=answers), now.entry)
