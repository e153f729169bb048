"""The order of entries across the games of a folder."""

import re
from array import array
from pathlib import Path

from events.jsonl.disk import append_at, reading
from events.store import Position, StoreError, Unreadable

__all__ = ["Order", "position_number"]


class Order:
    """The order of entries across games: line n of `.positions` names the entry at position n.

    A store that may not write places entries that have none after all others, in its memory alone.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.places: dict[str, array[int]] = {}
        self._entries: list[tuple[str, int]] = []
        self._kept = 0
        self._size = 0

    def token(self, game: str, entry: int) -> Position:
        """Return the token of an entry that has its place."""
        return f"{self.places[game][entry - 1]:016x}"

    def count(self, game: str) -> int:
        """Return how many entries of a game have their place."""
        return len(self.places.get(game, ()))

    def after(self, position: int) -> list[tuple[str, int]]:
        """Return the (game, entry) pairs that stand after a position."""
        return self._entries[position:]

    def refresh(self) -> None:
        """Take in what others have placed since the last look."""
        try:
            if self.path.stat().st_size <= self._size:
                return
        except FileNotFoundError:
            return
        while len(self._entries) > self._kept:
            self.places[self._entries.pop()[0]].pop()
        with reading(self.path) as file:
            file.seek(self._size)
            lines = file.readlines()
        for at, line in enumerate(lines, start=1):
            entry = self._next(line)
            if entry is None and at == len(lines):
                # Torn: it is written over when the next entry is placed.
                return
            if entry is None:
                raise Unreadable(
                    f"{self.path}, line {self._kept + 1}: expected the next entry of a game; when the file is removed, "
                    "the order across games is made anew"
                )
            self._note(*entry)
            self._kept += 1
            self._size += len(line)

    def place(self, entries: list[tuple[str, int]], *, keep: bool) -> Position:
        """Place entries after all others, in the file if they are to be kept, and return the last one's token."""
        if keep:
            text = b"".join(f"{game} {entry}\n".encode() for game, entry in entries)
            append_at(self.path, self._size, text)
            self._size += len(text)
            self._kept += len(entries)
        for game, entry in entries:
            self._note(game, entry)
        return self.token(*entries[-1])

    def _next(self, line: bytes) -> tuple[str, int] | None:
        """Return the entry that a line places, or None when it is not the next one of its game."""
        game, _, entry = line.decode("ascii", "replace").removesuffix("\n").partition(" ")
        fits = (
            line.endswith(b"\n")
            and entry.isdecimal()
            and len(entry) < 17
            and int(entry) == self.count(game) + 1
        )
        return (game, int(entry)) if fits else None

    def _note(self, game: str, entry: int) -> None:
        self._entries.append((game, entry))
        self.places.setdefault(game, array("Q")).append(len(self._entries))


def position_number(position: Position) -> int:
    """Return the number in a token of ours."""
    if position and not re.fullmatch("[0-9a-f]{16}", position):
        raise StoreError(f"{position!r} is no position of this store")
    return int(position or "0", 16)
