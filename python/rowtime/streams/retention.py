"""Clean-up: removes rows that no reader needs any more, and frees their space.

A log without `history` keeps the rows that its readers' leases need; with `history 'n UNIT'` also those at most that
much older than its bound; with `history 'all'`, and for an ordered table, everything; ALL_TRACE its latest 1,000 rows.
Whole commits are removed, oldest first: by a commit of removals that change no data, then a checkpoint, then the
deletion of files and old log entries. A streaming reader skips such a commit, and one that has begun before it
continues. Clean-up runs only if there is enough to free, because a checkpoint costs more than many appends.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import msgspec

from rowtime.catalog.system import ALL_TRACE
from rowtime.delta import head
from rowtime.delta.commits import DataFile
from rowtime.delta.log import LOG, Conflict
from rowtime.delta.state import LogState, encode
from rowtime.storage.turns import excludes
from rowtime.streams import leases, sidefiles
from rowtime.streams.ages import ages_in
from rowtime.streams.logtable import LogTable
from rowtime.streams.rules import FOR_EVER, history
from rowtime.streams.trace import SAVED
from rowtime.types import times

UNNEEDED_FILES = 256
UNNEEDED_BYTES = 64 << 20
GRACE = 60_000
"""Milliseconds for which files of a log with history outlive their removal: a relational query may be reading them."""

CHECKPOINT_EVERY = 100
_AT_ONCE = 10_000
_OLD = 3600.0
"""Seconds after which a draft of a small file is a remain, where several processes write."""


@dataclass(frozen=True, slots=True)
class CleanupResult:
    """The files and bytes that a clean-up has removed."""

    files: int = 0
    bytes: int = 0


def clean(log: LogTable, *, eager: bool = False, grace: int | None = None) -> CleanupResult:
    """Removes the rows that no reader needs; with `eager` even a few. `grace` (ms) replaces the usual delay before
    deletion."""
    state = log.state()
    wait = (GRACE if _read_as_history(log) else 0) if grace is None else grace
    first = _first_needed(log, state)
    last = min(first - 1, state.cleaned + _AT_ONCE)
    if last <= state.cleaned:
        return CleanupResult()
    unneeded = _total_size(log.state_at(last)) - _total_size(state, removed=True)
    if not eager and unneeded.files <= UNNEEDED_FILES and unneeded.bytes <= UNNEEDED_BYTES:
        return CleanupResult()
    gone = [one for version in range(state.cleaned + 1, last + 1) for one in _added_files(log, version)]
    result = CleanupResult(len(gone), sum(one.size for one in gone))
    begin = state.cleaned
    with log.exclusive():
        state = log.state()
        if state.cleaned != begin:
            # Another process has been faster.
            return CleanupResult()
        _delete_remains(log, state)
        now = times.now()
        age = ages_in(log.store.warehouse).age(state.cleaned_at / 1000) * 1000
        deletable = last if wait == 0 else state.cleaned if age >= wait else state.deleted
        following = msgspec.structs.replace(
            state,
            version=state.version + 1,
            files=state.files - result.files,
            bytes=state.bytes - result.bytes,
            cleaned=last,
            cleaned_at=now,
            deleted=deletable,
            removed=state.removed + result.files,
            removed_bytes=state.removed_bytes + result.bytes,
            removed_until=removed_until(log, log.state_at(last)),
        )
        try:
            log.delta.commit(following.version, encode(following), [], gone, following.files, following.bytes)
        except Conflict:
            return CleanupResult()
        log.record_commit(following)
        _delete_data(log, deletable)
    _delete_entries(log, last + 1)
    return result


def tidy(log: LogTable) -> None:
    """Removes the remains of processes that were killed during a commit."""
    with log.exclusive():
        _delete_remains(log, log.state())
        _delete_data(log, log.state().deleted)


def checkpoint(log: LogTable) -> bool:
    """Writes a checkpoint if there are so many commits since the last one that a reader would open slowly. Returns
    whether it has."""
    version, files = log.version(), log.state().files
    if version - log.delta.last_checkpoint() < max(CHECKPOINT_EVERY, files // 10):
        return False
    log.delta.checkpoint()
    return True


# --- required rows ---------------------------------------------------------------------------------------------------


def _first_needed(log: LogTable, state: LogState) -> int:
    """Returns the first version whose rows a reader needs; the newest is always needed."""
    kept = history(log.entry)
    if log.rowtime is None or kept == FOR_EVER:
        return 0
    leased = log.leases.least()
    first = state.version if leased is None else min(leased, state.version)
    if log.name == ALL_TRACE:
        last = state.entered - SAVED
        return min(first, _first_where(state.cleaned + 1, first, lambda v: log.state_at(v).entered > last))
    if kept is not None and state.bound is not None:
        oldest = state.bound - kept
        allowed_lateness = log.rules.allowed_lateness
        return min(
            first,
            _first_where(state.cleaned + 1, first, lambda v: _latest(log.state_at(v), allowed_lateness) >= oldest),
        )
    return 0 if kept is not None else first


def removed_until(log: LogTable, last: LogState) -> int | None:
    """Returns the first ROWTIME (ms) that no row has which had entered in the state `last`; None if none had."""
    return None if last.bound is None or not last.entered else _latest(last, log.rules.allowed_lateness) + 1


def _latest(state: LogState, allowed_lateness: int) -> int:
    """Returns the latest possible ROWTIME of the rows that had entered in this state."""
    return -(1 << 62) if state.bound is None else state.bound + allowed_lateness


def _first_where(low: int, high: int, holds: Callable[[int], bool]) -> int:
    """Returns the first number in [low, high) for which `holds` is true, as it is for all after it; `high` if there is
    none."""
    while low < high:
        middle = (low + high) // 2
        if holds(middle):
            high = middle
        else:
            low = middle + 1
    return low


def _read_as_history(log: LogTable) -> bool:
    return log.name == ALL_TRACE or "history" in log.entry.options


class _Size(msgspec.Struct):
    files: int
    bytes: int

    def __sub__(self, other: _Size) -> _Size:
        return _Size(self.files - other.files, self.bytes - other.bytes)


def _total_size(state: LogState, removed: bool = False) -> _Size:
    """Returns the size of all that had been written in this state, or of all that had been removed."""
    if removed:
        return _Size(state.removed, state.removed_bytes)
    return _Size(state.files + state.removed, state.bytes + state.removed_bytes)


def _added_files(log: LogTable, version: int) -> list[DataFile]:
    try:
        return log.delta.commit_of(version).added
    except FileNotFoundError:
        if version > log.state().cleaned:
            raise log.delta.missing(version) from None
        # Another process has been faster.
        return []


# --- deleting --------------------------------------------------------------------------------------------------------


def _delete_remains(log: LogTable, state: LogState) -> None:
    """Deletes what processes have left that were killed during a commit; call it under the lock of the log.

    Deletes nothing unless the head file names the newest version, and the next one has no checksum file, which is
    written right before a commit: otherwise commits may be lost, and what looks like a remain may be all that is left
    of their rows."""
    if not excludes(log.storage) or head.read(log.storage) != state.version:
        return
    if log.storage.exists(log.delta.file(state.version + 1, "crc")):
        return
    log.side.remove(log.side.leftovers(state))
    for name, version in log.delta.data_files():
        if version > state.version:
            log.storage.delete(name)
    log.storage.remove_drafts(LOG)
    log.storage.remove_drafts(sidefiles.FOLDER)
    log.storage.remove_drafts(leases.FOLDER, lambda stamp: ages_in(log.store.warehouse).age(stamp) >= _OLD)


def _delete_data(log: LogTable, last: int) -> None:
    """Deletes the data files of the versions up to `last`."""
    for name, version in log.delta.data_files():
        if version <= last:
            log.storage.delete(name)


def _delete_entries(log: LogTable, first: int) -> None:
    """Deletes old log entries behind a checkpoint. Keeps the last checkpoint but one, and all after it, because a
    reader may be reading a version that is not quite the newest; and the commit before the first one that is needed."""
    before = log.delta.checkpoints()
    log.delta.checkpoint()
    if not before:
        return
    kept = before[-1][0]
    for number, file in before[:-1]:
        if number < kept:
            log.storage.delete(file)
    limit = min(first - 1, kept)
    for version in log.delta.versions():
        if version >= limit:
            break
        # Oldest first: a reader that still finds a version finds all after it.
        log.storage.delete(log.delta.file(version))
        log.storage.delete(log.delta.file(version, "crc"))
