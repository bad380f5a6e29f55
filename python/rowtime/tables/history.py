"""Versions of tables by the times of their commits: the version for a time, and the files that a history keeps."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import msgspec

from rowtime.catalog.changes import Entry
from rowtime.catalog.store import CREATED, Store
from rowtime.delta.commits import DataFile
from rowtime.delta.deletion_vectors import of_action
from rowtime.delta.files import names_of
from rowtime.delta.log import DeltaLog
from rowtime.errors import RowtimeError, error
from rowtime.streams.rules import FOR_EVER, history
from rowtime.types import times

HOUR = 3_600_000


def version_at(store: Store, entry: Entry, log: DeltaLog, time: int) -> int | None:
    """Returns the newest version that was committed at `time` (ms since 1970) or before; None if the table existed and
    had no rows yet. Raises RowtimeError RT0520 if the time is before the history of the table."""
    oldest = None
    for version, committed in _backwards(log):
        if committed <= time:
            return version
        oldest = (version, committed)
    created = store.note(entry.id, CREATED)
    if (oldest is None or oldest[0] == 0) and created is not None and created <= time:
        return None
    if oldest is None or oldest[0] == 0:
        begin = created if created is not None else oldest[1] if oldest is not None else None
        made = "" if begin is None else f", and it was created at {times.text(begin)}"
        raise _too_early(entry, time, made, "Ask for a later time")
    raise before_history(entry, time, oldest[1])


def before_history(entry: Entry, time: int, begin: int | None) -> RowtimeError:
    """Returns RT0520: the versions before `begin` (ms since 1970; None: all but the current one) have been deleted."""
    held = "no longer has that version" if begin is None else f"its history begins at {times.text(begin)}"
    return _too_early(
        entry,
        time,
        f", and {held}",
        "Ask for a later time; a table with OPTIONS (history '7 DAYS') keeps a longer history",
    )


def _too_early(entry: Entry, time: int, why: str, hint: str) -> RowtimeError:
    return error("RT0520", f"The query needs table '{entry.name}' as of {times.text(time)}{why}", hint=hint)


def commit_time(log: DeltaLog, version: int) -> int:
    """Returns the time at which a version was committed (ms since 1970)."""
    return time_of(actions(log, version))


def kept_hours(entry: Entry) -> int:
    """Returns the hours for which the history option of a table keeps its versions; 0 without it."""
    kept = history(entry)
    return 0 if kept is None else 1 << 20 if kept == FOR_EVER else math.ceil(kept / HOUR)


def removed_since(log: DeltaLog, time: int) -> set[str]:
    """Returns the files that commits later than `time` (ms since 1970) have removed, with those of their deletion
    vectors: versions before them have these files."""
    found: set[str] = set()
    for version in reversed(log.versions()):
        commit = actions(log, version)
        if time_of(commit) < time:
            break
        removed = (action["remove"] for action in commit if "remove" in action)
        found |= names_of(log, (DataFile(one["path"], 0, deleted=of_action(one)) for one in removed))
    return found


def _backwards(log: DeltaLog) -> Iterator[tuple[int, int]]:
    for version in reversed(log.versions()):
        try:
            yield version, commit_time(log, version)
        except FileNotFoundError:
            # Old commits are deleted while they are listed.
            return


def actions(log: DeltaLog, version: int) -> list[dict[str, Any]]:
    """Returns the actions of a commit of Delta's library. Raises FileNotFoundError if it no longer exists."""
    lines = log.path(version).read_bytes().splitlines()
    return [msgspec.json.decode(line) for line in lines if line.strip()]


def time_of(actions: list[dict[str, Any]]) -> int:
    """Returns the time of the commit with these `actions` (ms since 1970)."""
    return next(int(action["commitInfo"]["timestamp"]) for action in actions if "commitInfo" in action)
