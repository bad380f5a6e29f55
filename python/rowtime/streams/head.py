"""The head of a log: a file next to it with the version that was committed last.

Without it, a lost newest commit would look as if it had never been made. It is written after the commit, so it may be
behind, but never ahead. The catalog notes that a log has one, so that the loss of both is noticed.
"""

from __future__ import annotations

import contextlib
import os
import time
from pathlib import Path

from rowtime.streams.commits import content_checksum
from rowtime.streams.smallfiles import sync

HEAD = "_head"
NOTE = "head"
"""The catalog's note of a log or table that was created with a head; earlier builds noted only that it was created."""
_SIZE = 30


def is_missing(folder: Path) -> bool:
    """Returns whether the folder has no head, or a damaged one."""
    for pause in (0.0, 0.001, 0.01):
        # It is not written in one step, as a reader sees it.
        time.sleep(pause)
        if read(folder) >= 0:
            return False
    return True


def create(folder: Path) -> None:
    """Creates the head of a new log, whose version is 0, unless it exists; makes it durable."""
    if read(folder) < 0:
        write(folder, 0)
    with contextlib.suppress(OSError):
        sync(folder / HEAD)
        sync(folder)


def read(folder: Path) -> int:
    """Returns the version in the head of the folder; -1 if it contains none."""
    try:
        with open(folder / HEAD, "rb", buffering=0) as file:
            version, check = file.read(_SIZE).split()
        return int(version) if _content(int(version)).split()[1] == check else -1
    except (OSError, ValueError):
        return -1


def write(folder: Path, version: int) -> None:
    """Writes a version whose commit is made: an error here must not count as a failure of the commit."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder / HEAD, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            os.pwrite(descriptor, _content(version), 0)
        finally:
            os.close(descriptor)


def _content(version: int) -> bytes:
    text = f"{version:020d}"
    return f"{text} {content_checksum(text.encode())}\n".encode()
