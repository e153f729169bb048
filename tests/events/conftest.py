"""Each kind of store, so that one suite can ask the same of all of them."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from events.store import Store
from events.stores import open_store


class Shelf:
    """A place for one store, which can be opened again and again."""

    def __init__(self, folder: Path, kind: str) -> None:
        self.kind = kind
        self.path = folder / f"games{kind}"
        self._opened: list[Store] = []

    def open(self, *, path: Path | None = None, readonly: bool = False) -> Store:
        """Open the store once more, or a copy of it."""
        self._opened.append(open_store(path or self.path, readonly=readonly))
        return self._opened[-1]

    def close(self) -> None:
        """Close every store that was opened."""
        for store in self._opened:
            with contextlib.suppress(RuntimeError):
                store.close()


@pytest.fixture(params=["", ".sqlite"], ids=["jsonl", "sqlite"])
def shelf(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Shelf]:
    """A place for a store of each kind in turn."""
    shelf = Shelf(tmp_path, request.param)
    yield shelf
    shelf.close()


@pytest.fixture
def store(shelf: Shelf) -> Store:
    """An empty store of each kind in turn."""
    return shelf.open()
