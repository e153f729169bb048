"""Which store a path is: a folder of JSON lines, or a SQLite file."""

from pathlib import Path

from events.jsonl import JsonlStore
from events.sqlite import SqliteStore
from events.store import Store, Unreadable, is_no_stream, is_path

__all__ = ["open_store"]

_HEADER = b"SQLite format 3\0"
_SUFFIXES = {".db", ".sqlite", ".sqlite3"}


def open_store(path: Path, *, readonly: bool = False) -> Store:
    """Open the store at a path, made when it is missing: `*.db` and `*.sqlite` are SQLite files, else it is a folder.

    Raises `Unreadable` when what stands there is neither, or when nothing stands there and `readonly` is set.
    """
    path = Path(path)
    is_path(path)
    is_no_stream(path)
    try:
        there, folder = path.exists(), path.is_dir()
        header = b"" if folder or not there else _first_bytes(path)
    except OSError as fault:
        raise Unreadable(f"{path}: {fault}") from fault
    if folder:
        return JsonlStore(path, readonly=readonly)
    if header == _HEADER or path.suffix in _SUFFIXES:
        return SqliteStore(path, readonly=readonly)
    if there:
        raise Unreadable(f"{path}: expected a folder of games or a SQLite file")
    if path.suffix:
        raise Unreadable(
            f"{path}: nothing is there; a new store is a folder, or a file called *.db or *.sqlite"
        )
    return JsonlStore(path, readonly=readonly)


def _first_bytes(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(len(_HEADER))
