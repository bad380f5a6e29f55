"""What SQLite says when it cannot work with the warehouse, as diagnostics with a way out."""

from __future__ import annotations

import contextlib
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


def refused(path: Path, reason: str) -> RowtimeError:
    return error(
        "RT0601",
        f"The warehouse '{path.parent}' cannot be used: {reason}",
        hint="Name another folder with --warehouse or ROWTIME_WAREHOUSE, or make this one writable",
    )


def not_a_catalog(path: Path, *, newer: bool = False) -> RowtimeError:
    if newer:
        return error(
            "RT0603",
            f"The catalog '{path}' was made by a later version of rowtime",
            hint="Upgrade rowtime (pip install --upgrade rowtime), or name another warehouse",
        )
    return error(
        "RT0602",
        f"The file '{path}' is not a rowtime catalog, or it is damaged",
        hint="Restore it from a backup, or name another warehouse with --warehouse or ROWTIME_WAREHOUSE",
    )


def _translated(path: Path, fault: sqlite3.Error) -> RowtimeError:
    reason = str(fault)
    if "locked" in reason or "busy" in reason:
        return error(
            "RT0604",
            f"The warehouse '{path.parent}' is locked by another process",
            hint="Wait until it has finished, or stop it, and try again",
        )
    damaged = ("not a database", "malformed", "corrupt", "no such table", "no such column")
    if any(word in reason for word in damaged):
        return not_a_catalog(path)
    return refused(path, reason)
