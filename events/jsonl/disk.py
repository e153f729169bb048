"""Files that outlast a crash: each write is durable before the next begins."""

import contextlib
import errno
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import BinaryIO

from events.store import StoreError, Unreadable, is_no_stream

__all__ = ["append_at", "cut", "reading", "replace", "replace_all", "sync_folder", "telling"]


@contextlib.contextmanager
def telling(path: Path) -> Iterator[None]:
    """Turn what the operating system says into a `StoreError` that names the file."""
    try:
        yield
    except OSError as fault:
        kind = Unreadable if fault.errno in {errno.ENOENT, errno.EISDIR, errno.ENOTDIR} else StoreError
        raise kind(f"{fault.filename or path}: {fault.strerror or fault}") from fault


@contextlib.contextmanager
def reading(path: Path) -> Iterator[BinaryIO]:
    """Open a file to be read, no pipe or device; faults on the way are `StoreError`s."""
    with telling(path):
        is_no_stream(path)
        with path.open("rb") as file:
            yield file


def append_at(path: Path, size: int, text: bytes) -> None:
    """Write text at `size`, where the file's good part ends, and make it durable.

    What lies beyond is a line that was never finished; it is laid aside in `<name>.torn`, for nothing is thrown away.
    """
    if not text and not path.exists():
        return
    new = not path.exists()
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o666)
    try:
        _lay_aside(path, size)
        os.ftruncate(file, size)
        _write(file, size, text)
        os.fsync(file)
    finally:
        os.close(file)
    if new:
        sync_folder(path.parent)


def _lay_aside(path: Path, size: int) -> None:
    if path.stat().st_size <= size:
        return
    with path.open("rb") as torn:
        torn.seek(size)
        rest = torn.read()
    aside = path.with_name(f"{path.name}.torn")
    file = os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o666)
    try:
        _write(file, aside.stat().st_size, rest + b"\n")
        os.fsync(file)
    finally:
        os.close(file)


def cut(path: Path, size: int) -> None:
    """Take back what was written beyond `size`."""
    if path.exists():
        os.truncate(path, size)


def replace(path: Path, text: bytes) -> None:
    """Put a file in the place of another in one step, durably."""
    replace_all({path: text})


def replace_all(texts: Mapping[Path, bytes]) -> None:
    """Put files in the place of others, in this order and each durably, once all of them are written beside these.

    Where one can't be written, none is put in place and nothing of them stays.
    """
    halves: list[Path] = []
    try:
        for path, text in texts.items():
            halves.append(path.with_name(f"{path.name}.half"))
            _write_new(halves[-1], text)
        for path, half in zip(texts, halves, strict=True):
            os.replace(half, path)  # noqa: PTH105  like its neighbours
            sync_folder(path.parent)
    except BaseException:
        for half in halves:
            with contextlib.suppress(OSError):
                half.unlink()
        raise


def _write_new(path: Path, text: bytes) -> None:
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o666)
    try:
        _write(file, 0, text)
        os.fsync(file)
    finally:
        os.close(file)


def sync_folder(folder: Path) -> None:
    """Make the names in a folder durable: a new file outlasts a power cut only with its name."""
    file = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(file)
    finally:
        os.close(file)


def _write(file: int, at: int, text: bytes) -> None:
    left = memoryview(text)
    while left:
        written = os.pwrite(file, left, at)
        left, at = left[written:], at + written
