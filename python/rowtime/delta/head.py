"""The head of a log: a file next to it with the version that was committed last.

Without it, a lost newest commit would look as if it had never been made. It is written after the commit, so it may be
behind, but never ahead. The catalog notes that a log has one, so that the loss of both is noticed.
"""

from __future__ import annotations

import contextlib
import time

from rowtime.delta.commits import content_checksum
from rowtime.storage.interface import Storage

HEAD = "_head"
NOTE = "head"
"""The catalog's note of a log or table that was created with a head; earlier builds noted only that it was created."""


def is_missing(log: Storage) -> bool:
    """Returns whether the log has no head, or a damaged one."""
    for pause in (0.0, 0.001, 0.01):
        # It is not written in one step, as a reader sees it.
        time.sleep(pause)
        if read(log) >= 0:
            return False
    return True


def create(log: Storage) -> None:
    """Creates the head of a new log, whose version is 0, unless it exists; makes it durable."""
    if read(log) < 0:
        with contextlib.suppress(OSError):
            log.put(HEAD, _content(0))


def read(log: Storage) -> int:
    """Returns the version in the head of the log; -1 if it contains none."""
    try:
        version, check = log.get(HEAD).split()
        return int(version) if _content(int(version)).split()[1] == check else -1
    except (OSError, ValueError):
        return -1


def write(log: Storage, version: int) -> None:
    """Writes a version whose commit is made: an error here must not count as a failure of the commit."""
    log.put_hint(HEAD, _content(version))


def _content(version: int) -> bytes:
    text = f"{version:020d}"
    return f"{text} {content_checksum(text.encode())}\n".encode()
