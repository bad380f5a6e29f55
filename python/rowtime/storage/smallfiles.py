"""Writes small files atomically, and makes them durable before anything relies on them."""

from __future__ import annotations

import contextlib
import os
import re
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

from rowtime.storage.interface import Content

_flusher = ThreadPoolExecutor(2, "rowtime-flush")


def write_whole(path: Path, content: Content) -> None:
    """Replaces the contents of a file by `content` atomically: a reader finds the old or the new contents, and never a
    part. It is durable on return. Creates its folder if it is missing."""
    try:
        replace_whole(path, content)
    except FileNotFoundError:
        make_folder(path.parent)
        replace_whole(path, content)


def replace_whole(path: Path, content: Content) -> None:
    """Like `write_whole`, in a folder that must exist. Raises FileNotFoundError if it does not."""
    with new_file(path.parent, content) as half:
        half.replace(path)
    sync(path.parent)


@contextlib.contextmanager
def new_file(folder: Path, content: Content) -> Iterator[Path]:
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


_DRAFT = re.compile(r"\.[0-9a-f]{32}\.tmp|(\..+\.)?[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.tmp")
"""The names of files that are not complete yet: those of `new_file`, and those that the JVM writes in checkpoints."""


def remove_drafts(folder: Path, is_old: Callable[[float], bool] | None = None) -> int:
    """Deletes the drafts of small files in a folder, and in those below it, that processes have left that were killed;
    with `is_old`, only those last written at a time (in seconds since 1970) for which it is true. Returns how many."""
    count = 0
    for home, _, names in os.walk(folder):
        for name in names:
            path = Path(home) / name
            if _DRAFT.fullmatch(name):
                with contextlib.suppress(FileNotFoundError):
                    if is_old is None or is_old(path.stat().st_mtime):
                        path.unlink()
                        count += 1
    return count


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
