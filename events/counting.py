"""Counts in texts for people: `1 unit`, `2 units`."""

__all__ = ["plural"]


def plural(count: int, one: str, many: str = "") -> str:
    """Return a count and what is counted: `1 entry`, `4 entries`; the plural is made as in English unless given.

    Where a verb hangs on the count it is part of both: `plural(n, "unit stays", "units stay")`.
    """
    if count == 1:
        return f"1 {one}"
    return f"{count:,} {many or _several(one)}"


def _several(one: str) -> str:
    if one.endswith("y") and one[-2:-1] not in "aeiou":
        return f"{one[:-1]}ies"
    return f"{one}es" if one.endswith(("ch", "s", "x")) else f"{one}s"
