"""Values as plain JSON data, the same in every process."""

from typing import Any

import msgspec

from core.state import State

__all__ = ["plain"]


def plain(value: Any) -> Any:
    """Return any value of ours as plain JSON data, with the tags of facts, commands and steps.

    What has no order of its own is sorted: sets, and in a state also what stands where. Rows keep their columns in order.
    """
    if isinstance(value, State):
        return msgspec.to_builtins(value, str_keys=True, order="deterministic")
    if isinstance(value, dict):
        return {str(name): plain(held) for name, held in value.items()}
    if isinstance(value, list | tuple):
        return [plain(held) for held in value]
    if isinstance(value, set | frozenset):
        return sorted(plain(held) for held in value)
    return msgspec.to_builtins(value, str_keys=True)
