"""Files that are whole or not there, and durable before anything relies on them."""

from __future__ import annotations

import contextlib
import os
import uuid
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

_flusher = ThreadPoolExecutor(2, "rowtime-flush")


def write_whole(path: Path, content: bytes) -> None:
    """Puts `content` in the place of what the file holds; who reads it finds the one or the other, and never a part.
    It is durable on return. Its folder is made where it is missing."""
    try:
        replace_whole(path, content)
    except FileNotFoundError:
        make_folder(path.parent)
        replace_whole(path, content)


def replace_whole(path: Path, content: bytes) -> None:
    """The same in a folder that has to be there. Raises FileNotFoundError if it is not."""
    with new_file(path.parent, content) as half:
        half.replace(path)
    sync(path.parent)


@contextlib.contextmanager
def new_file(folder: Path, content: bytes) -> Iterator[Path]:
    """A durable file of that content which nobody reads yet, to be given the name under which it is to stand."""
    path = folder / f".{uuid.uuid4().hex}.tmp"
    try:
        with open(path, "wb") as file:
            file.write(content)
            file.flush()
            os.fdatasync(file.fileno())
        yield path
    finally:
        path.unlink(missing_ok=True)


def make_folder(folder: Path) -> None:
    """Makes a folder and those above it that are missing, durably."""
    missing = []
    while not folder.is_dir():
        missing.append(folder)
        folder = folder.parent
    for each in reversed(missing):
        each.mkdir(exist_ok=True)
        sync(each.parent)


def flush(path: Path) -> Future[None]:
    """Makes a new file durable, beside what the caller does meanwhile. Its name comes with it: file systems of Linux
    write both in one transaction."""
    return _flusher.submit(sync, path)


def sync(path: Path) -> None:
    """Makes durable what is written in a file, or which names a folder has."""
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
