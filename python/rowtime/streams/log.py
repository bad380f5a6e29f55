"""The log of a named stream, or of a table whose columns have an order: the rows that have entered, in order.

A log is an append-only Delta table that readers simply read. All checks are made when steps are committed
(`apply_step`): rows that have entered are appended in order, rows that have not are in side files, and the commit's
metadata contain the state of the log (`LogState`). Every commit that appends ends with a control row, from which
readers take bounds. Columns: the object's own, then

    _seq      BIGINT     number of the row, growing within a log, and by the clock over all logs
    _control  BOOLEAN    true for control rows: columns with an order (ROWTIME of a stream, LATENESS, MONOTONIC) hold
                         the bound below which no later row is, NULL while there is none; the others are NULL

`committer` makes the commits.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pyarrow as pa

from rowtime.catalog.changes import Entry
from rowtime.catalog.faults import file_faults
from rowtime.catalog.store import Store
from rowtime.delta.state import LogState, ProducerState
from rowtime.errors import error
from rowtime.storage.interface import Storage
from rowtime.streams import retention, trace
from rowtime.streams.committer import Committer, PendingWrite
from rowtime.streams.logtable import CONTROL, SEQ, LogTable
from rowtime.streams.pending import PendingRows
from rowtime.streams.rules import ROWTIME
from rowtime.streams.working_state import WorkingState
from rowtime.streams.writes import Rejected, WriteOutcome, WriteRequest
from rowtime.types.columns import table_of
from rowtime.types.ranges import check_times, require_in_range

__all__ = [
    "CONTROL",
    "ROWTIME",
    "SEQ",
    "LogState",
    "ProducerState",
    "Rejected",
    "StreamLog",
    "WriteOutcome",
    "WriteRequest",
]


class StreamLog(LogTable):
    """The log of one stream or ordered table. May be used from any thread; any number of processes may have one."""

    def __init__(
        self,
        store: Store,
        entry: Entry,
        logs: Callable[[Entry], StreamLog] | None = None,
        storage: Storage | None = None,
    ) -> None:
        """`logs` returns the logs to which rejected rows go; without it they are opened here. `storage` has the files
        of the log; None: those in its folder of the warehouse."""
        super().__init__(store, entry, storage)
        self._logs = logs
        self._committer = Committer(self)
        self._peers: dict[str, StreamLog] = {}
        self.forward_fault: Exception | None = None
        """The error of the last attempt to forward rejected rows; log maintenance tries again."""

    # --- writing -----------------------------------------------------------------------------------------------------

    def current(self) -> StreamLog:
        """Returns the log by the definition that its object has now. Raises RowtimeError RT0312 if it was dropped: its
        files are there for a while, for those who read them, but nothing that is written to them would be found."""
        entry = self._check_dropped()
        if entry.since == self.entry.since:
            return self
        return StreamLog(self.store, entry, None, self.storage) if self._logs is None else self._logs(entry)

    def submit(self, step: WriteRequest) -> WriteOutcome:
        """Commits a step and returns when it is durable. Callers in other threads share commits.

        Raises RowtimeError RT0501 (a bound would go back), RT0502 (columns that do not fit), RT0505 (too many rows are
        held), RT0555 (a time out of range), RT0605 (the log is damaged); nothing of the step is stored then.
        """
        return self._commit(PendingWrite(self._conform(step)))

    def attach(self, name: str, timeout: int | None = None) -> WriteOutcome:
        """Attaches a producer, which begins with the stream's bound; an attached one is unchanged. `timeout` is in ms,
        None: indefinitely."""
        return self.submit(WriteRequest(producer=name, timeout=timeout))

    def detach(self, name: str) -> WriteOutcome:
        """Ends an attachment; rows that only waited for it enter. Does nothing if the producer is not attached."""
        return self.submit(WriteRequest(producer=name, detach=True))

    def leave(self, name: str) -> None:
        """Lets the next commit, or the maintenance, detach a producer; returns immediately."""
        self._committer.put(PendingWrite(WriteRequest(producer=name, detach=True)))

    @property
    def has_work(self) -> bool:
        """Returns whether steps wait for a commit."""
        return len(self._committer) > 0

    def flush(self) -> None:
        """Commits the waiting steps."""
        self._committer.run()

    def mark(self, reader: str | None = None, seconds: float | None = None, least: int = 0) -> int:
        """Appends a control row with the current bounds, unless the last commit is one that was appended here. Returns
        its version, `least` or later, at which a reader that opens now begins, and from which it gets the bounds. The
        `reader` gets a lease from there on, for `seconds` (None: indefinitely)."""
        if reader is not None:
            # First: a clean-up that does not see this lease yet keeps everything after the current version.
            self.lease(reader, self.version(), seconds)
        version = self._commit(PendingWrite(None, least)).state.version
        if reader is not None:
            self.lease(reader, version, seconds)
        return version

    def table(self, rows: Sequence[Sequence[Any]]) -> pa.Table:
        """Returns rows of stored values, in the order of `columns`, as a table for a write request."""
        return table_of(self.columns, rows)

    # --- reading -----------------------------------------------------------------------------------------------------

    def bounds(self, version: int) -> dict[str, int]:
        """Returns the bounds after a commit by the names of columns with an order, as instants: milliseconds since
        1970, or for a numeric column the number itself (rounded down). Columns without a bound are omitted."""
        state = self.state_at(version)
        working = WorkingState.of(self.rules, state, PendingRows())
        found = {order.column.name: order.instant(key) for order, key in working.column_keys() if key is not None}
        if state.bound is not None and self.rowtime is not None:
            found[ROWTIME] = state.bound
        return {name: value for name, value in found.items() if value is not None}

    def is_empty(self, version: int) -> bool:
        """Returns whether no commit up to `version` has a row or a bound."""
        return self.state_at(version).entered == 0 and not self.bounds(version)

    def earliest(self) -> int:
        """Returns the first version from which a reader can begin with all rows that are still stored."""
        state = self.state()
        return state.cleaned + 1 if state.cleaned else 0

    def lease(self, reader: str, version: int | None, seconds: float | None) -> int:
        """Keeps the rows of `version` (None: the earliest that exists) and later ones for a reader, until it renews the
        lease with a later one, releases it, or `seconds` have passed (None: indefinitely). Returns the version."""
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

    def clean(self) -> retention.CleanupResult:
        """Removes rows that no reader needs any more, however few. Returns what was freed."""
        return retention.clean(self, eager=True)

    @property
    def bound(self) -> int | None:
        """Returns the stream's current bound, in ms."""
        return self.state().bound

    def forward_rejected(self) -> None:
        """Sends rejected rows to the late stream and the trace, including those of other processes."""
        trace.forward(self, self.peer)

    def peer(self, entry: Entry) -> StreamLog:
        """Returns another log of the same warehouse."""
        if self._logs is not None:
            return self._logs(entry)
        found = self._peers.get(entry.id)
        if found is None or found.entry.since != entry.since:
            found = self._peers[entry.id] = StreamLog(self.store, entry)
        return found

    # --- inside ------------------------------------------------------------------------------------------------------

    def _conform(self, step: WriteRequest) -> WriteRequest:
        if step.bound is not None:
            require_in_range(step.bound)
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

    def _forward_rejected(self) -> None:
        # The commit is valid even if its rejected rows cannot be forwarded. The maintenance tries again.
        try:
            self.forward_rejected()
            self.forward_fault = None
        except Exception as fault:
            self.forward_fault = fault

    def _commit(self, work: PendingWrite) -> WriteOutcome:
        self._committer.put(work)
        self._committer.run(work)
        if work.error is not None:
            raise work.error
        assert work.outcome is not None
        if work.outcome.refused:
            self._forward_rejected()
        return work.outcome
