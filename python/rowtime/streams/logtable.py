"""The table of a log: its files, its columns, and its state, which commits, clean-up and readers share.

`log.StreamLog` is the interface with all operations on a log.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from functools import cached_property
from pathlib import Path

import pyarrow as pa

from rowtime.catalog.changes import Entry
from rowtime.catalog.faults import file_faults
from rowtime.catalog.store import Store
from rowtime.delta import head
from rowtime.delta.log import LOG, DeltaLog
from rowtime.delta.state import LogState, damaged_log, decode
from rowtime.errors import RowtimeError, error
from rowtime.storage.interface import Storage
from rowtime.storage.turns import turn
from rowtime.streams.leases import Leases
from rowtime.streams.pending import PendingRows
from rowtime.streams.rules import Rules, rules
from rowtime.streams.sidefiles import SideFiles
from rowtime.types.columns import Column, schema_of

SEQ, CONTROL = "_seq", "_control"

_LOCK = "_lock"
_MADE = "log"
"""The note that the log's folder was created, and must not be missing."""
_CHECKED_AT_FIRST = 2_000
"""The number of latest commits that are checked when a process first opens a log (about 15 µs each)."""


class LogTable:
    """The table of one stream or ordered table. May be used from any thread."""

    def __init__(self, store: Store, entry: Entry, storage: Storage | None = None) -> None:
        """`storage` has the files of the log; None: those in its folder of the warehouse."""
        self.store = store
        self.entry = entry
        self.name = entry.name
        self.rules: Rules = rules(entry)
        self.columns: tuple[Column, ...] = self.rules.columns
        self.rowtime: int | None = self.rules.rowtime
        """The index of a stream's ROWTIME column; None for tables."""
        self.folder: Path = store.folder(entry.id, "streams" if self.rowtime is not None else "tables")
        self.stored = schema_of(self.columns)
        """The columns in which `submit` takes rows."""
        self.schema = self.stored.append(pa.field(SEQ, pa.int64())).append(pa.field(CONTROL, pa.bool_()))
        self.delta = DeltaLog(self.name, self.folder, self.schema, storage=storage)
        self.storage = self.delta.storage
        self.leases = Leases(self.storage, store.warehouse)
        self.side = SideFiles(self.rules, self.storage)
        self.on_commit: Callable[[Path], None] = lambda folder: None
        """Called after each commit with the log's folder."""
        self._state: LogState | None = None
        self._checked = -1
        self._opened = False
        self._pending: tuple[int, PendingRows] = (-1, PendingRows())
        self.forwarded = 0
        """The version up to which this process knows that rejected rows were forwarded."""

    def version(self) -> int:
        """Returns the newest version. Creates the log's table if it does not exist yet."""
        found = self.newest()
        if found < 0:
            with file_faults(self.store.warehouse):
                self.delta.create()
            self.store.set_note(self.entry.id, _MADE, head.NOTE)
            found = self.delta.latest()
        return found

    def newest(self) -> int:
        """Returns the newest version; -1 if nothing was ever written to the log; creates no table. Raises RowtimeError
        RT0605 if its files are lost, and RT0312 if the object was dropped."""
        try:
            found = self.delta.latest()
        except RowtimeError:
            self._check_dropped()
            raise
        if found < 0:
            # A log that another process has dropped is not created again.
            self._check_dropped()
            if self.store.note(self.entry.id, _MADE):
                raise self.delta.missing(0, self.storage.place(LOG))
        elif self.delta.is_headless and self.store.note(self.entry.id, _MADE) == head.NOTE:
            self._check_dropped()
            raise self.delta.missing(found + 1, self.storage.place(head.HEAD))
        elif not self._opened:
            for lease in self.leases.all():
                self.check_read(lease.version)
            self._opened = True
        return found

    def defined(self) -> Entry | None:
        """Returns the object as it is defined now; None if it was dropped, also if another one has its name."""
        entry = self.store.get(self.name)
        return entry if entry is not None and entry.id == self.entry.id else None

    def _check_dropped(self) -> Entry:
        entry = self.defined()
        if entry is None:
            raise error("RT0312", f"Object '{self.name}' does not exist", hint="It was dropped")
        return entry

    def state(self) -> LogState:
        """Returns the current state of the log."""
        version = self.version()
        known = self._state
        if known is not None and known.version == version:
            return known
        found = self._read_state(version)
        self._check(found)
        self._state = found
        return found

    def state_at(self, version: int) -> LogState:
        """Returns the state of the log after the commit `version`; if that has been cleaned up, after the oldest that
        still exists."""
        known = self._state
        if known is not None and known.version == version:
            return known
        try:
            return self._read_state(version)
        except FileNotFoundError:
            oldest = next(iter(self.delta.versions()), 0)
            if version > oldest:
                raise self.delta.missing(version) from None
            return self._read_state(oldest)

    def check(self, first: int, last: int) -> None:
        """Raises RowtimeError RT0605 unless the commits from `first` to `last` are complete. Skips those that were
        cleaned up meanwhile."""
        while first <= last:
            try:
                self.delta.check(first, last)
                return
            except FileNotFoundError:
                oldest = next(iter(self.delta.versions()), 0)
                if oldest <= first:
                    lost = next(v for v in range(first, last + 2) if not self.storage.exists(self.delta.file(v)))
                    if lost <= last:
                        raise self.delta.missing(lost) from None
                    # It exists again.
                    continue
                first = oldest

    @cached_property
    def table_id(self) -> str:
        """The id of the Delta table, by which Spark's offsets identify it."""
        self.version()
        return self.delta.id

    @contextlib.contextmanager
    def exclusive(self) -> Iterator[None]:
        """Holds the log's lock, for all threads and processes."""
        if not self.storage.is_there():
            # Creates the table, or reports that it was dropped.
            self.version()
        with contextlib.ExitStack() as held:
            with file_faults(self.store.warehouse):
                held.enter_context(turn(self.storage, _LOCK, f"the log of '{self.name}'", self.store.wait_control))
            yield

    def pending(self, state: LogState) -> PendingRows:
        """Returns the rows that wait, in `state`, which is the newest."""
        version, pending = self._pending
        if version != state.version:
            if version < 0:
                self.side.check(state)
            pending = self.side.load(state, pending)
            self._pending = (state.version, pending)
        return pending

    def record_commit(self, state: LogState, pending: PendingRows | None = None) -> None:
        """Records a commit. `pending` are the rows that wait; None: unchanged."""
        self._state = state
        if self._checked == state.version - 1:
            self._checked = state.version
        version, known = self._pending
        if pending is not None:
            self._pending = (state.version, pending)
        elif version == state.version - 1:
            self._pending = (state.version, known)

    def _check(self, state: LogState) -> None:
        """Checks all commits up to `state` that this process has not seen before."""
        begin = self._checked + 1 if self._checked >= 0 else max(state.version - _CHECKED_AT_FIRST, state.cleaned)
        self.check(begin, state.version)
        self._checked = state.version

    def check_read(self, following: int) -> None:
        """Raises RowtimeError RT0605 if a reader that needs the version `following` next has read commits that the log
        does not have."""
        newest = self.delta.latest()
        if following > newest + 1:
            raise self.delta.missing(newest + 1)

    def _read_state(self, version: int) -> LogState:
        written = self.delta.state(version)
        if written is not None:
            found = decode(self.name, written)
            if found.version != version:
                raise damaged_log(
                    self.name, f"the file '{self.storage.place(self.delta.file(version))}' holds commit {found.version}"
                )
            return found
        if version == 0:
            return LogState(version=0)
        raise damaged_log(self.name, f"commit {version} is not one of rowtime's")
