"""Which store a path is."""

from pathlib import Path

import pytest

from events.jsonl import JsonlStore
from events.sqlite import SqliteStore
from events.store import Unreadable
from events.stores import open_store
from tests.events.lines import append


@pytest.mark.parametrize(
    ("name", "kind"),
    (
        ("games", JsonlStore),
        ("games.db", SqliteStore),
        ("games.sqlite", SqliteStore),
        ("games.sqlite3", SqliteStore),
    ),
)
def test_a_new_store_is_of_the_kind_that_its_name_says(tmp_path: Path, name: str, kind: type) -> None:
    """A name without an ending is a folder of JSON lines, `.db` and `.sqlite` are SQLite files."""
    store = open_store(tmp_path / name)
    assert isinstance(store, kind)
    append(store, "g")
    store.close()
    again = open_store(tmp_path / name, readonly=True)
    assert isinstance(again, kind)
    assert again.games() == ["g"]
    again.close()


def test_what_stands_there_counts_more_than_its_name(tmp_path: Path) -> None:
    """A folder called `.db` is a folder, and a SQLite file is one under any name."""
    (tmp_path / "folder.db").mkdir()
    assert isinstance(open_store(tmp_path / "folder.db"), JsonlStore)
    SqliteStore(tmp_path / "games.db").close()
    (tmp_path / "games.db").rename(tmp_path / "backup-of-monday")
    store = open_store(tmp_path / "backup-of-monday")
    assert isinstance(store, SqliteStore)
    store.close()


@pytest.mark.parametrize("name", ("notes.txt", "g.jsonl", "notes"))
def test_a_file_that_is_no_store_is_refused_and_left_alone(tmp_path: Path, name: str) -> None:
    """What stands there is named, and what was expected."""
    (tmp_path / name).write_text("game: dragonlords\n")
    with pytest.raises(Unreadable, match=f"{name}: expected a folder of games or a SQLite file"):
        open_store(tmp_path / name)
    assert (tmp_path / name).read_text() == "game: dragonlords\n"


@pytest.mark.parametrize("name", ("g.jsonl", "games.dbx", "a\0b", "x" * 300))
def test_a_name_that_says_nothing_makes_no_store(tmp_path: Path, name: str) -> None:
    """A slip in an ending makes neither a folder nor a file."""
    with pytest.raises(Unreadable):
        open_store(tmp_path / name)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ("games", "games.db", "games.txt"))
def test_nothing_is_made_for_reading_only(tmp_path: Path, name: str) -> None:
    """A store that is not there can't be read."""
    with pytest.raises(Unreadable, match=name):
        open_store(tmp_path / name, readonly=True)
    assert list(tmp_path.iterdir()) == []
