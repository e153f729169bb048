"""Connections to a store's file: opened, set, read back, and refused when the file is none of ours."""

import contextlib
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import apsw

from events.store import StoreError, Unreadable, is_path

__all__ = ["STORE", "check_place", "connect", "prepare", "schema", "telling", "told"]

APPLICATION = 0x4C617753
"""What tells our files from those of other programs, `LawS`; in the file's header."""
SCHEMA = 1
"""The version of the tables below; a file with a higher one was written by a newer revision."""
OLDEST_SQLITE = (3, 51, 3)
"""Older ones may corrupt a file in WAL mode when one connection writes and another checkpoints at that instant."""
PATIENCE = 30_000
"""Milliseconds that a connection waits for another process to finish writing."""

TABLES = {
    # In the order in which the games were opened.
    "games": "CREATE TABLE games (number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT",
    # Apart from the lines, so that a cut tail is seen.
    "heads": (
        "CREATE TABLE heads (game INTEGER PRIMARY KEY REFERENCES games, id INTEGER NOT NULL, hash TEXT NOT NULL) STRICT"
    ),
    "entries": (
        "CREATE TABLE entries (position INTEGER PRIMARY KEY, game INTEGER NOT NULL REFERENCES games, "
        "id INTEGER NOT NULL, key TEXT, line BLOB NOT NULL, UNIQUE (game, id)) STRICT"
    ),
    "keys": "CREATE UNIQUE INDEX keys ON entries (game, key) WHERE key IS NOT NULL",
    # Apart from the lines, so that one can be destroyed.
    "openings": (
        "CREATE TABLE openings (game INTEGER NOT NULL REFERENCES games, id INTEGER NOT NULL, part INTEGER NOT NULL, "
        "salt TEXT NOT NULL, seats TEXT NOT NULL, value BLOB NOT NULL, PRIMARY KEY (game, id, part)) "
        "STRICT, WITHOUT ROWID"
    ),
}

STORE = "a store of games"
"""What a file of ours is expected to be, unless said."""
MOUNTS = Path("/proc/self/mounts")
"""Where Linux says what lies where."""
_SHARED = {"nfs", "nfs4", "cifs", "smb3", "smbfs", "afs", "ceph", "fuse.sshfs", "fuse.glusterfs"}
"""File systems on which the shared memory of WAL mode is not shared by all."""
_SHORTEST = 512
"""The smallest page of a SQLite file, in bytes."""
_SETTINGS: dict[str, int] = {
    "synchronous": 2,  # FULL: a commit is on the disk before it is answered
    "fullfsync": 1,  # where the system's sync alone does not reach the disk
    "wal_autocheckpoint": 0,  # a thread of its own does that
    "trusted_schema": 0,  # a file may come from anywhere
    "cell_size_check": 1,
}


def connect(
    path: Path, *, readonly: bool = False, vfs: str | None = None, expected: str = STORE
) -> apsw.Connection:
    """Open one connection with every setting read back; raise `StoreError` when one did not take."""
    with telling(path, expected):
        connection = _open(path, readonly=readonly, vfs=vfs)
        try:
            connection.set_busy_timeout(PATIENCE)
            connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 1)
            for name, value in _SETTINGS.items():
                _set(connection, path, name, value)
            _set(connection, path, "query_only", int(readonly))
        except BaseException:
            connection.close()
            raise
    return connection


def _open(path: Path, *, readonly: bool, vfs: str | None) -> apsw.Connection:
    if not readonly:
        flags = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE
        return apsw.Connection(str(path), flags=flags, vfs=vfs)
    if _writable(path):
        # A reader that may not write at all would leave the shared files of WAL mode lying about.
        return apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE, vfs=vfs)
    if _writable(path.parent) or path.with_name(path.name + "-wal").exists():
        return apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY, vfs=vfs)
    # Nobody can write here, and nobody does: only so may the shared files of WAL mode be missing.
    address = f"file:{quote(str(path))}?immutable=1"
    return apsw.Connection(address, flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI, vfs=vfs)


def _writable(path: Path) -> bool:
    return os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)


def prepare(path: Path, *, readonly: bool = False, vfs: str | None = None) -> apsw.Connection:
    """Open the file as a store, made when it is missing; raise `Unreadable` when it is something else."""
    _check_version()
    check_place(path, readonly=readonly)
    connection = connect(path, readonly=readonly, vfs=vfs)
    try:
        with telling(path):
            if _is_new(connection, path):
                if readonly:
                    raise Unreadable(f"{path} is empty: expected a store of games")
                _patiently(lambda: _create(connection, path))
            if not readonly:
                _patiently(lambda: _set(connection, path, "journal_mode", "wal"))
    except BaseException:
        connection.close()
        raise
    return connection


@contextlib.contextmanager
def telling(path: Path, expected: str = STORE) -> Iterator[None]:
    """Turn what SQLite says into a `StoreError` that names the file and what can be done."""
    try:
        yield
    except apsw.Error as fault:
        raise told(fault, path, expected) from fault
    except UnicodeError as fault:
        raise Unreadable(f"{path} is damaged: it holds a text that is none: {fault}") from fault


def told(fault: apsw.Error, path: Path, expected: str = STORE) -> StoreError:
    """Return the `StoreError` that stands for a fault of SQLite."""
    match fault:
        case apsw.NotADBError():
            return Unreadable(f"{path} is no SQLite file: expected {expected}")
        case apsw.CorruptError() | apsw.SQLError() | apsw.FormatError():
            return Unreadable(f"{path} is damaged: {fault}; nothing was written")
        case apsw.FullError():
            return StoreError(f"{path}: the disk is full; nothing was written")
        case apsw.BusyError() | apsw.LockedError():
            return StoreError(f"{path}: another process keeps the file locked; nothing was written")
        case apsw.ReadOnlyError() | apsw.PermissionsError():
            return StoreError(f"{path} can't be written: {fault}")
        case apsw.CantOpenError():
            return Unreadable(f"{path} can't be opened: {fault}")
        case _:
            return StoreError(f"{path}: {fault}")


def _set(connection: apsw.Connection, path: Path, name: str, value: int | str) -> None:
    connection.pragma(name, value)
    found = connection.pragma(name)
    if found != value:
        raise StoreError(f"{path}: SQLite keeps {name} at {found}, where {value} is needed")


def _check_version() -> None:
    version = tuple(int(part) for part in apsw.sqlite_lib_version().split("."))
    if version < OLDEST_SQLITE:
        raise StoreError(
            f"SQLite {apsw.sqlite_lib_version()} may corrupt a file that two connections write; "
            f"{'.'.join(map(str, OLDEST_SQLITE))} or newer is needed (a newer apsw brings it)"
        )


def check_place(path: Path, *, readonly: bool, expected: str = STORE) -> None:
    """Raise `StoreError` unless SQLite may open or make a file of ours at a path."""
    is_path(path)
    try:
        if path.is_dir():
            raise Unreadable(f"{path} is a folder: expected {expected}, a SQLite file")
        if not path.parent.is_dir():
            raise Unreadable(f"{path}: there is no folder {path.parent}")
        if readonly and not path.exists():
            raise Unreadable(f"{path}: there is no such file")
        if (kind := _file_system(path.resolve())) in _SHARED:
            raise StoreError(
                f"{path} lies on a shared file system ({kind}), where programs on two machines would corrupt it; a "
                "SQLite store needs a disk of this machine"
            )
        if path.exists() and not _is_sqlite(path):
            raise Unreadable(f"{path} is no SQLite file: expected {expected}")
    except (OSError, RuntimeError) as fault:  # RuntimeError: links that lead to one another
        raise Unreadable(f"{path}: {fault}") from fault


def _file_system(path: Path) -> str:
    """Return what kind of file system a path lies on, as Linux names it; nothing where that can't be known."""
    try:
        lines = MOUNTS.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return ""
    mounts = [line.split(" ")[1:3] for line in lines if line.count(" ") > 1]
    over = [(place, kind) for place, kind in mounts if path.is_relative_to(place.replace("\\040", " "))]
    # Of two mounts in one place the later covers the earlier.
    return max(reversed(over), key=lambda mount: len(mount[0]))[1] if over else ""


def _is_sqlite(path: Path) -> bool:
    """Return whether a file is empty or begins as a SQLite file; SQLite itself would overwrite a very short one."""
    if any(path.with_name(path.name + beside).exists() for beside in ("-journal", "-wal")):
        # A crash may have left anything in the file; SQLite mends it from what lies beside it.
        return True
    with path.open("rb") as file:
        header = file.read(_SHORTEST)
    return not header or (len(header) == _SHORTEST and header.startswith(b"SQLite format 3\0"))


def _is_new(connection: apsw.Connection, path: Path) -> bool:
    """Return whether a file is still empty; raise `Unreadable` unless it is that or a store."""
    application, version = connection.pragma("application_id"), connection.pragma("user_version")
    held = schema(connection)
    if application == 0 and version == 0 and not held:
        return True
    if application != APPLICATION:
        raise Unreadable(f"{path} is the SQLite file of another program: expected a store of games")
    if version > SCHEMA:
        raise Unreadable(
            f"{path} was written by a newer revision: its tables are of version {version}, this one knows {SCHEMA}"
        )
    if version != SCHEMA or held != TABLES:
        raise Unreadable(f"{path} does not have the tables of a store, version {SCHEMA}")
    return False


def schema(connection: apsw.Connection) -> dict[str, Any]:
    """Return the text of each table and index of a file by its name; SQLite's own are left aside."""
    # SQLite keeps tables of its own (`sqlite_stat1`) and indexes without a text.
    found = connection.execute(
        "SELECT name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
    )
    return {str(name): sql for name, sql in found}


def _create(connection: apsw.Connection, path: Path) -> None:
    _set(connection, path, "journal_mode", "wal")
    connection.execute("BEGIN IMMEDIATE")
    try:
        # Another process may have been faster.
        if _is_new(connection, path):
            for table in TABLES.values():
                connection.execute(table)
            connection.pragma("application_id", APPLICATION)
            connection.pragma("user_version", SCHEMA)
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _patiently(act: Any) -> None:
    """Do what SQLite's own busy time-out does not cover, such as going over to WAL mode."""
    ends = time.monotonic() + PATIENCE / 1000
    while True:
        try:
            act()
        except (apsw.BusyError, apsw.LockedError):
            if time.monotonic() > ends:
                raise
            time.sleep(0.01)
        else:
            return
