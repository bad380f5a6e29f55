"""Folders for files that are not complete yet, next to those that readers see. They are deleted even if the process
that writes them is killed: by the next one that writes there."""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import uuid
from collections.abc import Iterator
from pathlib import Path

from rowtime.locks import is_free
from rowtime.storage.smallfiles import make_folder, sync

_FOLDER, _LOCK = ".draft", ".lock"


@contextlib.contextmanager
def draft_folder(home: Path) -> Iterator[Path]:
    """Yields the path of a folder in `home`, which the caller creates, and deletes it at the end. First deletes those
    of processes that have died."""
    make_folder(home)
    for lock in home.glob(f"*{_LOCK}"):
        if is_free(lock):
            _remove(lock)
    name = uuid.uuid4().hex
    lock = home / f"{name}{_LOCK}"
    descriptor = _locked(lock)
    try:
        yield lock.with_suffix(_FOLDER)
    finally:
        _remove(lock)
        os.close(descriptor)


def publish(files: dict[Path, Path]) -> None:
    """Moves complete files to their final paths. Their contents are durable before they appear, and their names are on
    return."""
    for draft in files:
        sync(draft)
    for draft, final in files.items():
        make_folder(final.parent)
        draft.replace(final)
    for folder in {final.parent for final in files.values()}:
        sync(folder)


def _locked(lock: Path) -> int:
    while True:
        descriptor = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        with contextlib.suppress(FileNotFoundError):
            if os.path.samestat(os.fstat(descriptor), os.stat(lock)):
                return descriptor
        # Another process found the file before it was locked, and deleted it.
        os.close(descriptor)


def _remove(lock: Path) -> None:
    shutil.rmtree(lock.with_suffix(_FOLDER), ignore_errors=True)
    lock.unlink(missing_ok=True)
