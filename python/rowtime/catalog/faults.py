"""What SQLite says when it cannot work with the warehouse, as diagnostics with a way out."""

from __future__ import annotations

import contextlib
import errno
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from rowtime.errors import RowtimeError, error


@contextlib.contextmanager
def sqlite_faults(path: Path) -> Iterator[None]:
    """Turns exceptions of SQLite inside the block into RowtimeError RT0601, RT0602 or RT0604."""
    try:
        yield
    except sqlite3.Error as fault:
        raise _translated(path, fault) from fault


@contextlib.contextmanager
def file_faults(warehouse: Path) -> Iterator[None]:
    """Turns what the system says of files of the warehouse inside the block into RowtimeError RT0601, RT0608 or
    RT0609."""
    try:
        yield
    except OSError as fault:
        raise unusable(warehouse, fault) from fault


def unusable(warehouse: Path, fault: OSError) -> RowtimeError:
    """The diagnostic for what the system says of a file of the warehouse."""
    if fault.errno in (errno.ENOSPC, errno.EDQUOT) or is_full(str(fault)):
        return full(f"The warehouse '{warehouse}' cannot be written")
    text = fault.strerror or str(fault)
    if fault.errno == errno.EROFS:
        text = _READ_ONLY
    elif fault.errno == errno.ENOENT and not warehouse.is_dir():
        return gone(warehouse)
    elif fault.filename is not None:
        text = f"{text} ('{fault.filename}')"
    return refused(warehouse / "-", text)


def is_full(text: str) -> bool:
    """Whether what a library says means that the disk is full."""
    return any(words in text for words in ("No space left on device", "Disk quota exceeded", "disk is full"))


def full(what: str) -> RowtimeError:
    """The disk is full."""
    return error(
        "RT0608",
        f"{what}: no space is left on the disk",
        hint="Free some space, and run the statement again. Committed data is kept, and pumps continue by themselves",
    )


GONE = "RT0609"


def gone(warehouse: Path) -> RowtimeError:
    """The warehouse was there and is not any more."""
    return error(
        GONE,
        f"The warehouse '{warehouse}' was deleted, moved or replaced while it was in use",
        hint="Restore it, or end this session and open another: nothing is written without a catalog",
    )


def refused(path: Path, reason: str) -> RowtimeError:
    return error(
        "RT0601",
        f"The warehouse '{path.parent}' cannot be used: {reason}",
        hint="Name another folder with --warehouse or ROWTIME_WAREHOUSE, or make this one writable",
    )


def lost(path: Path) -> RowtimeError:
    """The catalog is empty or gone, and the data that it describes is there."""
    return error(
        "RT0602",
        f"The catalog '{path}' is missing or empty, but '{path.parent}' holds data of streams and tables",
        hint="Restore it from a backup, or name another warehouse with --warehouse or ROWTIME_WAREHOUSE",
    )


def not_a_catalog(path: Path, *, newer: bool = False, reason: str | None = None) -> RowtimeError:
    if newer:
        return error(
            "RT0603",
            f"The catalog '{path}' was created by a newer version of rowtime",
            hint="Upgrade rowtime (pip install --upgrade rowtime), or name another warehouse",
        )
    return error(
        "RT0602",
        f"The file '{path}' is not a rowtime catalog, or it is damaged" + (f": {reason}" if reason else ""),
        hint="Restore it from a backup, or name another warehouse with --warehouse or ROWTIME_WAREHOUSE",
    )


def is_busy(fault: sqlite3.Error) -> bool:
    """Whether another process keeps SQLite from doing what was asked."""
    return "locked" in str(fault) or "busy" in str(fault)


def _translated(path: Path, fault: sqlite3.Error) -> RowtimeError:
    reason = str(fault)
    if is_busy(fault):
        return error(
            "RT0604",
            f"The warehouse '{path.parent}' is locked by another process",
            hint="Wait until it has finished, or stop it, and try again",
        )
    damaged = ("not a database", "malformed", "corrupt", "no such table", "no such column", "could not decode")
    if any(word in reason.lower() for word in damaged):
        return not_a_catalog(path)
    if is_full(reason) or _has_no_room(path.parent):
        return full(f"The warehouse '{path.parent}' cannot be written")
    return refused(path, _why(path) or reason)


_READ_ONLY = "its disk is read-only"

_LEAST_ROOM = 64 << 10
"""Bytes that SQLite needs beside the catalog before it writes a row: the index of its log is 32 KB."""


def _has_no_room(folder: Path) -> bool:
    """Whether the disk is full: of its own log's files SQLite only says that there was an I/O error."""
    try:
        disk = os.statvfs(folder)
    except OSError:
        return False
    return not disk.f_flag & os.ST_RDONLY and disk.f_bavail * disk.f_frsize < _LEAST_ROOM


def _why(path: Path) -> str | None:
    """Why the catalog cannot be opened or written, where the system tells: SQLite does not."""
    if not path.parent.is_dir():
        return "there is no such folder"
    if os.statvfs(path.parent).f_flag & os.ST_RDONLY:
        return _READ_ONLY
    if not path.exists():
        return f"it has no catalog ('{path.name}')"
    if not os.access(path.parent, os.W_OK):
        return "this user may not write to it"
    return None
