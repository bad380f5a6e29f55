"""The log of a named stream, or of a table whose columns have an order: what has entered, in order, and what may.

A log is an append-only Delta table that readers simply read. All judging is done as steps are committed (`judge`): rows
that have entered are appended in order, rows that have not yet lie in side files, and the commit's metadata say how the
log stands (`LogState`). Every commit that appends ends with a control row, from which readers take bounds. Columns: the
object's own, then

    _seq      BIGINT     number of the row, growing within a log, and by the clock over all logs
    _control  BOOLEAN    true for control rows: columns with an order (ROWTIME of a stream, LATENESS, MONOTONIC) hold
                         the bound below which no later row is, NULL while there is none; the others are NULL

How commits are made: `committer`.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

import pyarrow as pa

from rowtime.catalog.changes import Entry
from rowtime.catalog.faults import file_faults
from rowtime.catalog.store import Store
from rowtime.errors import RowtimeError, error
from rowtime.locks import locked
from rowtime.streams import retention, trace
from rowtime.streams.columns import Column, schema_of, table_of
from rowtime.streams.committer import CONTROL, SEQ, Committer, Work
from rowtime.streams.deltalog import DeltaLog
from rowtime.streams.draft import Draft
from rowtime.streams.leases import Leases
from rowtime.streams.ranges import check_times, checked_bound
from rowtime.streams.rooms import Rooms
from rowtime.streams.rules import ROWTIME, Rules, rules
from rowtime.streams.sidefiles import SideFiles
from rowtime.streams.state import LogState, ProducerState, damaged, decode
from rowtime.streams.steps import Outcome, Rejected, Step

__all__ = ["CONTROL", "ROWTIME", "SEQ", "LogState", "Outcome", "ProducerState", "Rejected", "Step", "StreamLog"]

_LOCK = "_lock"
_MADE = "log"
"""The note that the log's folder was made, and is not to be missing."""
_CHECKED_AT_FIRST = 2_000
"""How many of the latest commits are looked at when a process first opens a log (about 15 µs each)."""


class StreamLog:
    """The log of one stream or ordered table. May be used from any thread; any number of processes may have one."""

    def __init__(self, store: Store, entry: Entry, logs: Callable[[Entry], StreamLog] | None = None) -> None:
        """`logs` gives the logs to which rejected rows go; without it they are opened here."""
        self.store = store
        self.entry = entry
        self._logs = logs
        self.name = entry.name
        self.rules: Rules = rules(entry)
        self.columns: tuple[Column, ...] = self.rules.columns
        self.rowtime: int | None = self.rules.rowtime
        """The index of a stream's ROWTIME column; None for tables."""
        self.folder: Path = store.folder(entry.id, "streams" if self.rowtime is not None else "tables")
        self.stored = schema_of(self.columns)
        """The columns in which rows are given to `submit`."""
        self.schema = self.stored.append(pa.field(SEQ, pa.int64())).append(pa.field(CONTROL, pa.bool_()))
        self.delta = DeltaLog(self.name, self.folder, self.schema)
        self.leases = Leases(self.folder)
        self.side = SideFiles(self.rules, self.folder)
        self._committer = Committer(self)
        self._state: LogState | None = None
        self._checked = -1
        self._peers: dict[str, StreamLog] = {}
        self.forwarded = 0
        """The version up to which this process knows rejected rows to be told."""
        self.untold: Exception | None = None
        """Why the last attempt to tell rejected rows failed; the keeper tries again."""

    # --- writing -----------------------------------------------------------------------------------------------------

    def submit(self, step: Step) -> Outcome:
        """Does a step and returns when it is durable. Callers in other threads share commits.

        Raises RowtimeError RT0501 (a bound would go back), RT0502 (columns that do not fit), RT0505 (too many rows are
        held), RT0555 (a time out of range), RT0605 (the log is damaged); nothing of the step was done then.
        """
        return self._through(Work(self._fitting(step)))

    def submit_all(self, steps: Sequence[Step]) -> list[Outcome | Exception]:
        """Does several steps, one after the other, in one commit where it can hold them; for each what it did, or why
        nothing of it was done."""
        works = [Work(self._fitting(step)) for step in steps]
        self._committer.put(*works)
        self.flush()
        trace.tell(self)
        return [work.error if isinstance(work.error, Exception) else work.outcome for work in works]  # type: ignore[misc]

    def attach(self, name: str, timeout: int | None = None) -> Outcome:
        """Attaches a producer, which begins with the stream's bound; one that is attached stays as it is. `timeout` in
        ms, None: for ever."""
        return self.submit(Step(producer=name, timeout=timeout))

    def detach(self, name: str) -> Outcome:
        """Ends an attachment; rows that only waited for it enter. One that is not attached does no harm."""
        return self.submit(Step(producer=name, detach=True))

    def leave(self, name: str) -> None:
        """Has a producer detached by the next commit, or by the keeper; returns at once."""
        self._committer.put(Work(Step(producer=name, detach=True)))

    @property
    def has_work(self) -> bool:
        """Whether steps wait for a commit."""
        return len(self._committer) > 0

    def flush(self) -> None:
        """Commits what waits."""
        self._committer.run()

    def mark(self, reader: str | None = None, seconds: float | None = None) -> int:
        """Appends a control row with the bounds as they are, and returns its version: where a reader that opens now is
        to begin, and what tells it the bounds. The `reader` gets a lease from there on, for so many seconds (None: for
        ever)."""
        if reader is not None:
            # First: a clean-up that does not see this lease yet leaves what is newer than now.
            self.lease(reader, self.version(), seconds)
        version = self._through(Work(None)).state.version
        if reader is not None:
            self.lease(reader, version, seconds)
        return version

    def table(self, rows: Sequence[Sequence[Any]]) -> pa.Table:
        """Rows of stored values, in the order of `columns`, as a table for a Step."""
        return table_of(self.columns, rows)

    # --- reading -----------------------------------------------------------------------------------------------------

    def version(self) -> int:
        """The newest version. The log's table is made where it is not there yet."""
        found = self.newest()
        if found < 0:
            with file_faults(self.store.warehouse):
                self.delta.create()
            self.store.set_note(self.entry.id, _MADE, True)
            found = self.delta.latest()
        return found

    def newest(self) -> int:
        """The newest version; -1 where nothing was ever written to the log, which looking does not make. Raises
        RowtimeError RT0605 where its files are lost, and RT0312 where the object was dropped."""
        try:
            found = self.delta.latest()
        except RowtimeError:
            self._check_dropped()
            raise
        if found < 0:
            # A log that another process has dropped is not made again.
            self._check_dropped()
            if self.store.note(self.entry.id, _MADE):
                raise self.delta.missing(0, self.delta.log)
        return found

    def _check_dropped(self) -> None:
        entry = self.store.get(self.name)
        if entry is None or entry.id != self.entry.id:
            raise error("RT0312", f"Object '{self.name}' does not exist", hint="It was dropped")

    def state(self) -> LogState:
        """The log as it is now."""
        version = self.version()
        known = self._state
        if known is not None and known.version == version:
            return known
        found = self._read(version)
        self._check(found)
        self._state = found
        return found

    def state_at(self, version: int) -> LogState:
        """The log after the commit `version`; where that has been cleaned up, after the oldest that is still there."""
        known = self._state
        if known is not None and known.version == version:
            return known
        try:
            return self._read(version)
        except FileNotFoundError:
            oldest = next(iter(self.delta.versions()), 0)
            if version > oldest:
                raise self.delta.missing(version) from None
            return self._read(oldest)

    def check(self, first: int, last: int) -> None:
        """Raises RowtimeError RT0605 unless the commits from `first` to `last` are there and whole. Those that were
        cleaned up meanwhile are passed over."""
        while first <= last:
            try:
                self.delta.check(first, last)
                return
            except FileNotFoundError:
                oldest = next(iter(self.delta.versions()), 0)
                if oldest <= first:
                    lost = next(v for v in range(first, last + 2) if not self.delta.path(v).exists())
                    if lost <= last:
                        raise self.delta.missing(lost) from None
                    # It is there again.
                    continue
                first = oldest

    def bounds(self, version: int) -> dict[str, int]:
        """The bounds after a commit by the names of columns with an order, as instants: milliseconds since 1970, or the
        number itself (rounded down) of a numeric column. Columns without a bound are left out."""
        state = self.state_at(version)
        draft = Draft.of(self.rules, state, Rooms())
        found = {order.column.name: order.instant(key) for order, key in draft.column_keys() if key is not None}
        if state.bound is not None and self.rowtime is not None:
            found[ROWTIME] = state.bound
        return {name: value for name, value in found.items() if value is not None}

    def earliest(self) -> int:
        """The first version from which a reader can begin with all that is still held."""
        state = self.state()
        return state.cleaned + 1 if state.cleaned else 0

    def lease(self, reader: str, version: int | None, seconds: float | None) -> int:
        """Keeps the rows of `version` (None: the earliest that there is) and later ones for a reader, until it renews
        the lease with a later one, releases it, or `seconds` have passed (None: for ever); the version."""
        with contextlib.ExitStack() as held:
            if version is None:
                held.enter_context(self.exclusive())
                version = self.earliest()
            held.enter_context(file_faults(self.store.warehouse))
            self.leases.put(reader, version, seconds)
        return version

    def release(self, reader: str) -> None:
        """Ends a lease."""
        self.leases.release(reader)

    def clean(self) -> retention.Freed:
        """Removes rows that nobody needs any more, however few; what that has freed."""
        return retention.clean(self, eager=True)

    @property
    def bound(self) -> int | None:
        """The stream's bound now, in ms."""
        return self.state().bound

    @cached_property
    def table_id(self) -> str:
        """The id of the Delta table, by which Spark's offsets name it."""
        self.version()
        return self.delta.id

    def peer(self, entry: Entry) -> StreamLog:
        """Another log of the same warehouse."""
        if self._logs is not None:
            return self._logs(entry)
        found = self._peers.get(entry.id)
        if found is None or found.entry.since != entry.since:
            found = self._peers[entry.id] = StreamLog(self.store, entry)
        return found

    # --- inside ------------------------------------------------------------------------------------------------------

    @contextlib.contextmanager
    def exclusive(self) -> Iterator[None]:
        """The log's lock, over all threads and processes."""
        if not self.folder.exists():
            # Makes the table, or says that it was dropped.
            self.version()
        with contextlib.ExitStack() as held:
            with file_faults(self.store.warehouse):
                held.enter_context(locked(self.folder / _LOCK, f"the log of '{self.name}'", self.store.patience))
            yield

    def _fitting(self, step: Step) -> Step:
        if step.bound is not None:
            checked_bound(step.bound)
        rows = step.rows
        if rows is None:
            return step
        if rows.schema.equals(self.stored):
            check_times(self.name, rows)
            return step
        try:
            fitting = rows.select(self.stored.names).cast(self.stored)
        except (KeyError, pa.ArrowException) as fault:
            raise error("RT0502", f"Rows do not fit '{self.name}': {fault}") from fault
        check_times(self.name, fitting)
        return replace(step, rows=fitting)

    def _through(self, work: Work) -> Outcome:
        self._committer.put(work)
        self._committer.run(work)
        if work.error is not None:
            raise work.error
        assert work.outcome is not None
        if work.outcome.refused:
            trace.tell(self)
        return work.outcome

    def committed(self, state: LogState) -> None:
        """A commit was made: this is the log now."""
        self._state = state
        if self._checked == state.version - 1:
            self._checked = state.version
        self._committer.kept(state)

    def _check(self, state: LogState) -> None:
        """All commits that this process has not seen before, up to `state`."""
        begin = self._checked + 1 if self._checked >= 0 else max(state.version - _CHECKED_AT_FIRST, state.cleaned)
        self.check(begin, state.version)
        self._checked = state.version

    def _read(self, version: int) -> LogState:
        written = self.delta.state(version)
        if written is not None:
            found = decode(self.name, written)
            if found.version != version:
                raise damaged(self.name, f"the file '{self.delta.path(version)}' holds commit {found.version}")
            return found
        if version == 0:
            return LogState(version=0)
        raise damaged(self.name, f"commit {version} is not one of rowtime's")
