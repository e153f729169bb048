"""Lines for stores to keep: entries in shape, whose chain holds, about nothing in particular."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from msgspec import Raw, json

from events.chain import Head
from events.seals import Opening
from events.store import Store

HOUSE = Path(__file__).parents[2]
"""The top of the house, where programs that import from it are run."""

_encoder = json.Encoder(order="sorted")


def line_after(head: Head, key: str = "", note: str = "") -> bytes:
    """Return the line of the entry that comes after a head."""
    entry = {"id": head.id + 1, "prev": head.hash, "key": key, "command": {"Do": "Note", "text": note}}
    return _encoder.encode({name: value for name, value in entry.items() if value != ""})


def append(store: Store, game: str, key: str = "", note: str = "", openings: Iterable[Opening] = ()) -> Head:
    """Append one entry to a game, on its head, and return the new head."""
    head = store.head(game)
    line = line_after(head, key, note)
    return store.append(game, line, expected=head, key=key, openings=tuple(openings)).head


def fill(store: Store, game: str, count: int) -> Head:
    """Append so many entries to a game, each with the key `k<id>`, and return the new head."""
    head = store.head(game)
    for _ in range(count):
        head = append(store, game, key=f"k{head.id + 1}")
    return head


def opening(
    entry: int, part: int = 0, to: Sequence[str] = ("orc",), value: bytes = b'{"Fact":"X"}'
) -> Opening:
    """Return an opening of a part of an entry."""
    return Opening(entry, part, "00" * 16, tuple(to), Raw(value))
