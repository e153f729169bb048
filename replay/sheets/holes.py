"""Dice that are missing: those of a roll that nobody wrote down, a die that was lost, and `?`, a die that nobody saw."""

from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement

from core.kit.chance import AnswerRoll
from events.chance import Hits, Roll
from events.event import Face

__all__ = ["MOST_HOLES", "MOST_MISSING", "UNSEEN_DIE", "extremes", "fillings"]

UNSEEN_DIE = "?"
MOST_HOLES = 3
"""So many dice of a roll that is written may be assumed; more than that is a guess at the whole."""
MOST_MISSING = 8
"""So many dice that hit or miss may be assumed of a roll that is not written."""


def fillings(
    written: AnswerRoll, roll: Roll, faces: Sequence[Face], most: int = MOST_HOLES
) -> Iterator[AnswerRoll]:
    """Yield the rolls that have the dice that were written, each that is missing filled in; nothing past `most` of them.

    Of faces that count alike one is tried: where hits count, one that hits and one that does not.
    """
    kept: list[Face | None] = [face if face in faces else None for face in written.faces[: roll.count]]
    kept += [None] * (roll.count - len(kept))
    holes = kept.count(None)
    if holes > (most if isinstance(roll.counts, Hits) else min(most, MOST_HOLES)):
        return
    for filling in combinations_with_replacement(_unlike_faces(roll, faces), holes):
        left = iter(filling)
        yield AnswerRoll(tuple(next(left) if face is None else face for face in kept))


def extremes(roll: Roll, faces: Sequence[Face]) -> Iterator[AnswerRoll]:
    """Yield the rolls that decide most otherwise: all dice alike, one for each way in which a face counts."""
    yield from (AnswerRoll((face,) * roll.count) for face in _unlike_faces(roll, faces))


def _unlike_faces(roll: Roll, faces: Sequence[Face]) -> tuple[Face, ...]:
    """Return faces of a die that each count otherwise: where hits count, one that hits and one that does not."""
    if not isinstance(roll.counts, Hits):
        return tuple(dict.fromkeys(faces))
    hit = [face for face in faces if face in roll.counts.faces]
    miss = [face for face in faces if face not in roll.counts.faces]
    return (*hit[:1], *miss[:1])
