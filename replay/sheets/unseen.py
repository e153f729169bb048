"""Cards that nobody who records has seen: they lie in hands as `?`, and what hangs on them can't be known."""

from typing import Any

import msgspec

from core.state import State

__all__ = ["UNSEEN", "names_unseen", "unseen"]

UNSEEN = "?"


def unseen(state: State) -> int:
    """Return how many unseen cards a state holds, the open steps left aside."""
    plain = msgspec.to_builtins(msgspec.structs.replace(state, agenda=(), ended=None))
    return _count(plain)


def _count(value: Any) -> int:
    if isinstance(value, dict):
        own = value.get(UNSEEN, 0)
        named = own if isinstance(own, int) else 0
        return named + sum(_count(held) for key, held in value.items() if key != UNSEEN or not named)
    if isinstance(value, list | tuple):
        return sum(map(_count, value))
    return int(value == UNSEEN)


def names_unseen(command: Any) -> bool:
    """Return whether a command speaks of an unseen card as such."""
    return _count(msgspec.to_builtins(command)) > 0
