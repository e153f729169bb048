"""Upcasting: old shapes become new ones on reading; what is stored is never rewritten.

An upcaster takes one plain dict of an older tag (`UnitsLost`) and returns 0, 1 or many dicts of the next tag
(`UnitsLost.v2`). It is pure. All results keep the entry's id. Hops are checked at import for gaps and cycles.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

__all__ = ["BadUpcasts", "Raw", "Upcasts"]

Raw = dict[str, Any]
Hop = Callable[[Raw], list[Raw]]


class BadUpcasts(ValueError):
    """Raised at import when upcasters lead nowhere or in a circle, or translate a tag that is still current."""


class Upcasts:
    """The hops of one game, from each older tag to the next, for one kind of event (`Fact`, `Do`, `Step`)."""

    def __init__(
        self, hops: Mapping[str, tuple[tuple[str, ...], Hop]], current: Iterable[str], tag_field: str
    ) -> None:
        """Take `{old tag: (new tags, hop)}`; raise `BadUpcasts` unless every chain ends in current tags."""
        self._hops = dict(hops)
        self._field = tag_field
        known = set(current)
        for tag in self._hops:
            if tag in known:
                raise BadUpcasts(f"{tag} is still current; an upcaster from it would never run")
        for tag in self._hops:
            self._walk(tag, known, ())

    def _walk(self, tag: str, known: set[str], seen: tuple[str, ...]) -> None:
        """Follow every way on from a tag, and add it to those that are known to arrive."""
        if tag in known:
            return
        if tag in seen:
            raise BadUpcasts(f"upcasters go in a circle: {' -> '.join((*seen, tag))}")
        if tag not in self._hops:
            raise BadUpcasts(
                f"no upcaster leads on from {tag} (reached from {seen[-1] if seen else 'nothing'})"
            )
        for target in self._hops[tag][0]:
            self._walk(target, known, (*seen, tag))
        known.add(tag)

    def __contains__(self, tag: object) -> bool:
        """Return whether a tag is an older one that can be brought up to date."""
        return tag in self._hops

    def lift(self, raw: Raw) -> list[Raw]:
        """Return the dicts in current shape that an older dict means; a current one comes back alone."""
        hop = self._hops.get(raw.get(self._field, ""))
        if hop is None:
            return [raw]
        targets, lift = hop
        results = lift(dict(raw))
        for result in results:
            if result.get(self._field) not in targets:
                raise BadUpcasts(
                    f"the upcaster of {raw[self._field]} returned {result.get(self._field)!r}, not {targets}"
                )
        return [current for result in results for current in self.lift(result)]
