"""A disk whose power may be cut, under SQLite or under plain files.

Everything that is done to it is written down. `after_cut` makes the folder as a cut at some moment may leave it: what
was synced is there; of the rest everything, nothing, or any part, down to single sectors.
"""

import os
import random
import threading
from pathlib import Path
from typing import Any, NamedTuple

import apsw

SECTOR = 512
WAYS = ("nothing", "everything", "half", "torn")
"""What becomes of that which was not synced."""


class Act(NamedTuple):
    """Something that was done: to a file's content (`write`, `truncate`, `sync`), to names, or a `note`."""

    kind: str
    file: int = 0
    at: int = 0
    data: bytes = b""
    name: str = ""
    to: str = ""
    note: Any = None


class Disk:
    """What was done to the files of one folder, in order."""

    def __init__(self) -> None:
        self.acts: list[Act] = []
        self._names: dict[str, int] = {}
        self._files = 0
        self._lock = threading.Lock()

    def hold(self, folder: Path) -> None:
        """Take files that lie there safely, such as an earlier cut has left them."""
        for path in sorted(folder.iterdir()):
            self.write(self.open(str(path)), 0, path.read_bytes())
            self.synced(self.open(str(path)), self.now())
        self.folder_synced(self.now())

    def now(self) -> int:
        return len(self.acts)

    def note(self, note: Any) -> None:
        self._do(Act("note", note=note))

    def open(self, path: str) -> int:
        """Return the number of the file of this name, a new one if there is none."""
        name = Path(path).name
        with self._lock:
            if name not in self._names:
                self._files += 1
                self._names[name] = self._files
                self.acts.append(Act("create", self._files, name=name))
            return self._names[name]

    def write(self, file: int, at: int, data: bytes) -> None:
        self._do(Act("write", file, at, bytes(data)))

    def truncate(self, file: int, size: int) -> None:
        self._do(Act("truncate", file, size))

    def synced(self, file: int, since: int) -> None:
        """Note that what was done to a file before `since` is on the disk."""
        self._do(Act("sync", file, since))

    def folder_synced(self, since: int) -> None:
        self._do(Act("sync folder", at=since))

    def delete(self, path: str) -> None:
        name = Path(path).name
        self._names.pop(name, None)
        self._do(Act("delete", name=name))

    def rename(self, path: str, to: str) -> None:
        name, onto = Path(path).name, Path(to).name
        self._names[onto] = self._names.pop(name)
        self._do(Act("rename", name=name, to=onto))

    def _do(self, act: Act) -> None:
        with self._lock:
            self.acts.append(act)


def after_cut(acts: list[Act], folder: Path, dice: random.Random) -> list[Any]:
    """Write the files as a cut after these acts may leave them, and return the notes taken before it."""
    content: dict[int, bytearray] = {}
    names: dict[str, int] = {}
    unsynced: list[tuple[int, Act]] = []
    for number, act in enumerate(acts):
        match act.kind:
            case "sync":
                unsynced = _settle(unsynced, act.at, content, names, file=act.file)
            case "sync folder":
                unsynced = _settle(unsynced, act.at, content, names, file=0)
            case "note":
                pass
            case _:
                unsynced.append((number, act))
    way = dice.choice(WAYS)
    renaming = way != "nothing"
    for _, act in unsynced:
        if act.kind in {"write", "truncate"}:
            _change(act, content, way, dice)
        elif renaming := renaming and (way == "everything" or dice.random() < 0.7):
            # The names of a folder change in order: what comes after one that was lost is lost, too.
            _name(act, names)
    for name, file in names.items():
        (folder / name).write_bytes(content.get(file, b""))
    return [act.note for act in acts if act.kind == "note"]


def _settle(
    unsynced: list[tuple[int, Act]],
    since: int,
    content: dict[int, bytearray],
    names: dict[str, int],
    *,
    file: int,
) -> list[tuple[int, Act]]:
    """Make durable what was done to a file (0: to the folder's names) before `since`, and return the rest."""
    left = []
    for number, act in unsynced:
        of_content = act.kind in {"write", "truncate"}
        if number >= since or (act.file != file if of_content else file != 0) or (of_content and not file):
            left.append((number, act))
        elif of_content:
            _change(act, content, "everything", random.Random(0))
        else:
            _name(act, names)
    return left


def _change(act: Act, content: dict[int, bytearray], way: str, dice: random.Random) -> None:
    held = content.setdefault(act.file, bytearray())
    if way == "nothing" or (
        way in {"half", "torn"} and (way == "half" or act.kind == "truncate") and dice.random() < 0.5
    ):
        return
    if act.kind == "truncate":
        held[act.at :] = b"\0" * max(0, act.at - len(held))
        return
    step = SECTOR if way == "torn" else max(1, len(act.data))
    for start in range(0, len(act.data), step):
        if way == "torn" and dice.random() < 0.5:
            continue
        at, part = act.at + start, act.data[start : start + step]
        held.extend(b"\0" * (at - len(held)))
        held[at : at + len(part)] = part


def _name(act: Act, names: dict[str, int]) -> None:
    match act.kind:
        case "create":
            names[act.name] = act.file
        case "delete":
            names.pop(act.name, None)
        case "rename":
            names[act.to] = names.pop(act.name)
        case _:
            raise ValueError(act.kind)


# Under SQLite


class RecordingVFS(apsw.VFS):
    """The file system of SQLite on a disk that writes down, and may fail at its `fault`-th write or sync."""

    def __init__(self, name: str, disk: Disk) -> None:
        self.disk = disk
        self.left: int | None = None
        self.fault: type[apsw.Error] = apsw.FullError
        super().__init__(name, "")

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> apsw.VFSFile:  # noqa: N802 -- SQLite's name
        return RecordingFile(self, name, flags)

    def xDelete(self, filename: str, syncdir: bool) -> None:  # noqa: N802 -- SQLite's name
        since = self.disk.now()
        super().xDelete(filename, syncdir)
        self.disk.delete(filename)
        if syncdir:
            self.disk.folder_synced(since + 1)

    def spend(self) -> None:
        """Count a write or sync, and fail when it is the one."""
        if self.left is not None:
            self.left -= 1
            if self.left <= 0:
                raise self.fault("the disk fails")


class RecordingFile(apsw.VFSFile):
    """One file of it."""

    def __init__(self, vfs: RecordingVFS, name: str | apsw.URIFilename | None, flags: list[int]) -> None:
        self._vfs, self._disk = vfs, vfs.disk
        path = name.filename() if isinstance(name, apsw.URIFilename) else name
        self._file = self._disk.open(path) if path else 0
        created = flags[0] & apsw.SQLITE_OPEN_CREATE and flags[0] & (
            apsw.SQLITE_OPEN_MAIN_JOURNAL | apsw.SQLITE_OPEN_WAL
        )
        # SQLite syncs the folder with the first sync of a new journal or write-ahead log.
        self._new_name = bool(created)
        super().__init__("", name, flags)

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802 -- SQLite's name
        self._vfs.spend()
        super().xWrite(data, offset)
        if self._file:
            self._disk.write(self._file, offset, data)

    def xTruncate(self, newsize: int) -> None:  # noqa: N802 -- SQLite's name
        super().xTruncate(newsize)
        if self._file:
            self._disk.truncate(self._file, newsize)

    def xSync(self, flags: int) -> None:  # noqa: N802 -- SQLite's name
        self._vfs.spend()
        since = self._disk.now()
        # No sync of the true disk: it would only take time.
        if self._file:
            self._disk.synced(self._file, since)
            if self._new_name:
                self._disk.folder_synced(since)
                self._new_name = False


# Under plain files


class RecordingOs:
    """The module `os`, on a disk that writes down."""

    def __init__(self, disk: Disk) -> None:
        self._disk = disk
        self._open: dict[int, int] = {}

    def __getattr__(self, name: str) -> Any:
        return getattr(os, name)

    def open(self, path: Path, flags: int, mode: int = 0o777) -> int:
        handle = os.open(path, flags, mode)
        if flags & os.O_DIRECTORY:
            self._open[handle] = 0
            return handle
        self._open[handle] = self._disk.open(str(path))
        if flags & os.O_TRUNC:
            self._disk.truncate(self._open[handle], 0)
        return handle

    def close(self, handle: int) -> None:
        del self._open[handle]
        os.close(handle)

    def pwrite(self, handle: int, data: bytes, at: int) -> int:
        written = os.pwrite(handle, data, at)
        self._disk.write(self._open[handle], at, bytes(data)[:written])
        return written

    def ftruncate(self, handle: int, size: int) -> None:
        os.ftruncate(handle, size)
        self._disk.truncate(self._open[handle], size)

    def truncate(self, path: Path, size: int) -> None:
        os.truncate(path, size)
        self._disk.truncate(self._disk.open(str(path)), size)

    def fsync(self, handle: int) -> None:
        since = self._disk.now()
        if self._open[handle]:
            self._disk.synced(self._open[handle], since)
        else:
            self._disk.folder_synced(since)

    def replace(self, path: Path, to: Path) -> None:
        Path(path).replace(to)
        self._disk.rename(str(path), str(to))
