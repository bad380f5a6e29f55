"""Writes small files atomically, and makes them durable before anything relies on them."""

from __future__ import annotations

import contextlib
import os
import uuid
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

_flusher = ThreadPoolExecutor(2, "rowtime-flush")


def write_whole(path: Path, content: bytes) -> None:
    """Replaces the contents of a file by `content` atomically: a reader finds the old or the new contents, and never a
    part. It is durable on return. Creates its folder if it is missing."""
    try:
        replace_whole(path, content)
    except FileNotFoundError:
        make_folder(path.parent)
        replace_whole(path, content)


def replace_whole(path: Path, content: bytes) -> None:
    """Like `write_whole`, in a folder that must exist. Raises FileNotFoundError if it does not."""
    with new_file(path.parent, content) as half:
        half.replace(path)
    sync(path.parent)


@contextlib.contextmanager
def new_file(folder: Path, content: bytes) -> Iterator[Path]:
    """A durable file with that content, which nobody reads yet; the caller gives it its final name."""
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
    """Creates a folder and its missing parents, durably."""
    missing = []
    while not folder.is_dir():
        missing.append(folder)
        folder = folder.parent
    for each in reversed(missing):
        each.mkdir(exist_ok=True)
        sync(each.parent)


def flush(path: Path) -> Future[None]:
    """Makes a new file durable while the caller continues. This includes its name: file systems of Linux write both in
    one transaction."""
    return _flusher.submit(sync, path)


def sync(path: Path) -> None:
    """Makes the contents of a file, or the names in a folder, durable."""
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
