"""Errors of SQLite and of the file system in a warehouse, as diagnostics with a way out."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from rowtime.errors import RowtimeError, error
from rowtime.formats import NUMBERS, Written
from rowtime.storage.interface import StorageUnavailable, UnknownOutcome
from rowtime.version import __version__

_ESCAPE = re.compile(r"%[0-9A-Fa-f]{2}")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:")
_PATTERN = re.compile(r"[?*\[{\\]")


@contextlib.contextmanager
def sqlite_faults(path: Path) -> Iterator[None]:
    """Turns exceptions of SQLite inside the block into RowtimeError RT0601, RT0602 or RT0604."""
    try:
        yield
    except sqlite3.Error as fault:
        raise _diagnostic(path, fault) from fault


@contextlib.contextmanager
def file_faults(warehouse: Path) -> Iterator[None]:
    """Turns errors of the file system inside the block into RowtimeError RT0601, RT0608 or RT0609."""
    try:
        yield
    except OSError as fault:
        raise unusable(warehouse, fault) from fault


def unusable(warehouse: Path, fault: OSError) -> RowtimeError:
    """Returns the diagnostic for an error of the file system in the warehouse, or of its object store."""
    if isinstance(fault, UnknownOutcome):
        return error(
            "RT0652",
            f"The object store did not say whether a commit was made: {fault}",
            hint="Read the stream before you insert the same rows again. Pumps find out by themselves",
        )
    if isinstance(fault, StorageUnavailable):
        return error("RT0651", f"The object store cannot be used: {fault}", hint="Check the network and the store")
    if fault.errno in (errno.ENOSPC, errno.EDQUOT) or is_full(str(fault)):
        return full(f"The warehouse '{warehouse}' cannot be written")
    text = fault.strerror or str(fault)
    if fault.errno == errno.EROFS:
        text = _READ_ONLY
    elif fault.errno == errno.ENOENT and not warehouse.is_dir():
        return warehouse_deleted(warehouse)
    elif fault.filename is not None:
        text = f"{text} ('{fault.filename}')"
    return access_refused(warehouse / "-", text)


def strange_warehouse(warehouse: Path, part: Path, owner: str) -> RowtimeError:
    """Returns the diagnostic for a warehouse of which another user has written a part."""
    return error(
        "RT0636",
        f"The warehouse '{warehouse}' is not opened: '{part}' belongs to the user '{owner}', and the pumps and "
        "functions of a warehouse run as the user who opens it",
        hint=f"If you trust that user, set ROWTIME_TRUSTED_OWNERS={owner}; otherwise use a warehouse of your own",
    )


def is_full(text: str) -> bool:
    """Returns whether a message of a library means that the disk is full."""
    return any(words in text for words in ("No space left on device", "Disk quota exceeded", "disk is full"))


FREE_SPACE = "Free some space, and run the statement again. Committed data is kept, and pumps continue by themselves"


def full(what: str, *places: Path) -> RowtimeError:
    """Returns the error for a full disk. Of the `places` that may be on it, it names the one with the least space:
    Spark does not say where there was none."""
    space = {place: left for place in places if (left := _space(place)) is not None}
    where = f" of '{min(space, key=lambda place: space[place])}'" if space else ""
    return error(
        "RT0608",
        f"{what}: no space is left on the disk{where}",
        hint=FREE_SPACE,
    )


def _space(place: Path) -> int | None:
    """Returns how many bytes are left on the disk of a file or folder, which need not exist yet."""
    for path in (place, *place.parents):
        with contextlib.suppress(OSError):
            disk = os.statvfs(path)
            return disk.f_bavail * disk.f_frsize
    return None


GONE = "RT0609"


def warehouse_deleted(warehouse: Path) -> RowtimeError:
    """Returns the error for a warehouse that was deleted while it was in use."""
    return error(
        GONE,
        f"The warehouse '{warehouse}' was deleted, moved or replaced while it was in use",
        hint="Restore it, or end this session and open another: nothing is written without a catalog",
    )


def access_refused(path: Path, reason: str) -> RowtimeError:
    return error(
        "RT0601",
        f"The warehouse '{path.parent}' cannot be used: {reason}",
        hint="Name another folder with --warehouse or ROWTIME_WAREHOUSE, or make this one writable",
    )


def check_path(warehouse: Path) -> None:
    """Raises RowtimeError RT0601 for a path that would be read as another: Delta's library takes %20 for an escaped
    character, and Spark a path with such signs for a pattern, which may fit other folders or none. So would a URI."""
    if warehouse.parts and _SCHEME.fullmatch(warehouse.parts[0]):
        raise error(
            "RT0601",
            f"The warehouse '{warehouse}' cannot be used: it is a URI, and a warehouse is a folder",
            hint="Name a folder with --warehouse or ROWTIME_WAREHOUSE; all hosts of a cluster must mount it",
        )
    path = os.path.realpath(warehouse)
    for pattern, reader in (
        (_ESCAPE, "Delta's library takes for another character"),
        (_PATTERN, "Spark takes for a pattern"),
    ):
        found = pattern.search(path)
        if found is not None:
            raise error(
                "RT0601",
                f"The warehouse '{warehouse}' cannot be used: its path contains '{found[0]}', which {reader}",
                hint="Rename that folder, or name another one with --warehouse or ROWTIME_WAREHOUSE",
            )


def catalog_lost(path: Path) -> RowtimeError:
    """Returns the error for a catalog that is empty or deleted, although the data that it described is there."""
    return error(
        "RT0602",
        f"The catalog '{path}' is missing or empty, but '{path.parent}' holds data of streams and tables",
        hint="Restore it from a backup, or name another warehouse with --warehouse or ROWTIME_WAREHOUSE",
    )


def newer_warehouse(warehouse: Path, part: str, written: Written) -> RowtimeError:
    """Returns the error for a warehouse of which this version of rowtime cannot read a part."""
    by = "a newer version of rowtime" if written.version is None else f"rowtime {written.version}"
    known = f"numbers up to {NUMBERS[part]}" if part in NUMBERS else "no such part"
    upgrade = "--upgrade rowtime" if written.version is None else f"'rowtime>={written.version}'"
    return error(
        "RT0603",
        f"The warehouse '{warehouse}' was written by {by}: the format of its {part} is number "
        f"{written.number}, and rowtime {__version__} knows {known}",
        hint=f"Use that version (pip install {upgrade}), or restore the backup made before the upgrade. Nothing was "
        "changed",
    )


def not_a_catalog(path: Path, *, reason: str | None = None) -> RowtimeError:
    return error(
        "RT0602",
        f"The file '{path}' is not a rowtime catalog, or it is damaged" + (f": {reason}" if reason else ""),
        hint="Restore it from a backup, or name another warehouse with --warehouse or ROWTIME_WAREHOUSE",
    )


def is_busy(fault: sqlite3.Error) -> bool:
    """Returns whether SQLite failed because another process holds a lock."""
    return "locked" in str(fault) or "busy" in str(fault)


def _diagnostic(path: Path, fault: sqlite3.Error) -> RowtimeError:
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
    return access_refused(path, _why(path) or reason)


_READ_ONLY = "its disk is read-only"

_LEAST_ROOM = 64 << 10
"""Bytes that SQLite needs in addition to the catalog before it writes a row: the index of its log has 32 KB."""


def _has_no_room(folder: Path) -> bool:
    """Returns whether the disk is full: for its log's files, SQLite only reports an I/O error."""
    try:
        disk = os.statvfs(folder)
    except OSError:
        return False
    return not disk.f_flag & os.ST_RDONLY and disk.f_bavail * disk.f_frsize < _LEAST_ROOM


def _why(path: Path) -> str | None:
    """Returns why the catalog cannot be opened or written, if the system says so; SQLite does not."""
    if not path.parent.is_dir():
        return "there is no such folder"
    if os.statvfs(path.parent).f_flag & os.ST_RDONLY:
        return _READ_ONLY
    if not path.exists():
        return f"it has no catalog ('{path.name}')"
    if not os.access(path.parent, os.W_OK):
        return "this user may not write to it"
    return None
