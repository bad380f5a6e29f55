"""Commits of a log: steps that arrive together are applied one after another and written in one commit.

Commits are serial. A lock of the log's folder orders them across threads and processes, and Delta's put-if-absent stops
writers that do not hold the lock. The steps of a commit that has lost are applied again. Steps that arrive during a
commit wait for the next one, and share it.
"""

from __future__ import annotations

import contextlib
import threading
import time
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from rowtime.catalog.faults import unusable
from rowtime.delta.log import Conflict
from rowtime.delta.state import LogState, UnforwardedRejects, damaged_log, encode
from rowtime.streams import trace
from rowtime.streams.apply_step import apply_step
from rowtime.streams.logtable import CONTROL, SEQ, LogTable
from rowtime.streams.row_admission import AppliedStep
from rowtime.streams.sidefiles import files_of, side_file_fields
from rowtime.streams.working_state import WorkingState
from rowtime.streams.writes import RejectedRows, WriteOutcome, WriteRequest
from rowtime.types import times

_ROWS_AT_ONCE = 1_000_000
_ATTEMPTS = 100
_GATHERING = 0.003


@dataclass(slots=True, eq=False)
class PendingWrite:
    """A step that waits for its commit, and its result. `step` is None for a mark, which has the version `least` or a
    later one."""

    step: WriteRequest | None
    least: int = 0
    outcome: WriteOutcome | None = None
    error: BaseException | None = None
    applied: AppliedStep | None = None
    done: bool = False


class Committer:
    """Makes the commits of one log. May be used from any thread."""

    def __init__(self, log: LogTable) -> None:
        self._log = log
        self._queue: list[PendingWrite] = []
        self._guard = threading.Lock()
        self._change = threading.Condition()
        self._leading = False
        self._crowd = 0
        self._mark: int | None = None
        """The version of the last commit that was nothing but a mark."""

    def __len__(self) -> int:
        """Returns how many steps wait."""
        return len(self._queue)

    def put(self, *writes: PendingWrite) -> None:
        """Adds steps to the next commit."""
        with self._guard:
            self._queue += writes

    def run(self, write: PendingWrite | None = None) -> None:
        """Makes commits until `write` is done (None: until nothing waits), or waits while another thread makes them.
        The result of a step is in its PendingWrite."""
        with self._change:
            while self._leading:
                if write is not None and write.done:
                    return
                self._change.wait()
            if write is not None and write.done:
                return
            self._leading = True
        try:
            while self._queue if write is None else not write.done:
                self._gather()
                writes = self._take_batch()
                if write is not None and not writes:
                    # A thread was interrupted between taking the step and applying it.
                    writes = [write]
                self._crowd = len(writes)
                self._commit_all(writes)
        finally:
            with self._change:
                self._leading = False
                self._change.notify_all()

    def _gather(self) -> None:
        """Waits a little: the threads that shared the last commit are about to submit their next steps."""
        if self._crowd > 1:
            limit = time.monotonic() + _GATHERING
            while len(self._queue) < self._crowd and time.monotonic() < limit:
                time.sleep(_GATHERING / 10)

    # --- inside ------------------------------------------------------------------------------------------------------

    def _take_batch(self) -> list[PendingWrite]:
        """Returns the steps that wait, as many as one commit should contain."""
        with self._guard:
            count, rows = 0, 0
            for write in self._queue:
                count += 1
                rows += 0 if write.step is None or write.step.rows is None else write.step.rows.num_rows
                if rows >= _ROWS_AT_ONCE:
                    break
            taken, self._queue = self._queue[:count], self._queue[count:]
            return taken

    def _commit_all(self, writes: list[PendingWrite]) -> None:
        log = self._log
        try:
            with log.exclusive():
                for _ in range(_ATTEMPTS):
                    try:
                        self._commit(writes)
                        return
                    except Conflict:
                        continue
                raise damaged_log(log.name, "other writers keep committing to it")
        except BaseException as fault:
            shown = unusable(log.store.warehouse, fault) if isinstance(fault, OSError) else fault
            for write in writes:
                write.error = write.error or shown
            if not isinstance(fault, Exception):
                raise
        finally:
            for write in writes:
                write.done = True

    def _commit(self, writes: list[PendingWrite]) -> None:
        log = self._log
        state = log.state()
        working = WorkingState.of(log.rules, state, log.pending(state))
        clock = times.now()
        rejected: list[RejectedRows] = []
        for write in writes:
            write.error, write.outcome, write.applied = None, None, AppliedStep()
            if write.step is None:
                continue
            copy = working.copy()
            try:
                write.applied = apply_step(copy, write.step, clock)
                copy.check_row_counts()
            except Exception as fault:
                write.error = fault
                continue
            working = copy
            rejected += write.applied.refused
        facts = working.state_fields()
        changed = bool(working.entering) or any(
            getattr(state, name) != value for name, value in facts.items() if name != "received"
        )
        marks = [write.least for write in writes if write.step is None]
        # Each query that reads the stream has a micro-batch for each mark, so queries that start one after another
        # share one if nothing has been committed in between.
        if changed or (marks and (state.version != self._mark or max(marks) > state.version)):
            state = self._append(state, working, facts, rejected)
            self._mark = None if changed else state.version
        names = tuple(column.name for column in log.columns)
        for position, write in enumerate(writes):
            applied = write.applied
            if write.error is None and applied is not None:
                refused = tuple(applied.refused)
                write.outcome = WriteOutcome(
                    applied.taken, applied.rejections, refused, state, names, applied.repeated, position
                )

    def _append(
        self, before: LogState, working: WorkingState, facts: dict[str, Any], rejected: list[RejectedRows]
    ) -> LogState:
        log = self._log
        pending, written = log.side.save(working.pending)
        outgoing = tuple(one for one in before.outgoing if one.version > log.forwarded)
        leaving = trace.traced_rows(log, before.late, rejected) if rejected else None
        if leaving is not None:
            name, done = log.side.write_table(leaving)
            written.append(done)
            outgoing = (*outgoing, UnforwardedRejects(before.version + 1, name))
        first = max(time.time_ns(), before.last_seq + 1)
        added, done = log.delta.write(before.version + 1, self._data(working, first))
        written.append(done)
        state = LogState(
            version=before.version + 1,
            files=before.files + 1,
            bytes=before.bytes + added.size,
            last_seq=first + (added.rows or 0) - 1,
            cleaned=before.cleaned,
            cleaned_at=before.cleaned_at,
            deleted=before.deleted,
            removed=before.removed,
            removed_bytes=before.removed_bytes,
            outgoing=outgoing,
            **facts,
            **side_file_fields(pending),
        )
        try:
            log.delta.commit(state.version, encode(state), [added], [], state.files, state.bytes, written)
        except Conflict:
            log.storage.delete(added.name)
            log.side.remove(files_of(state) - files_of(before))
            raise
        log.record_commit(state, pending)
        with contextlib.suppress(Exception):
            # Those who read the log find the commit anyway.
            log.on_commit(log.folder)
        with contextlib.suppress(OSError):
            log.side.remove(files_of(before) - files_of(state))
        return state

    def _data(self, working: WorkingState, first: int) -> pa.Table:
        """Returns the rows that have entered, and the control row."""
        log = self._log
        bounds = {order.name: order.stored(key) for order, key in working.column_keys()}
        if log.rowtime is not None:
            name = log.columns[log.rowtime].stored
            bounds[name] = None if working.bound is None else working.bound * 1000
        control = [pa.array([bounds.get(field.name)], field.type) for field in log.stored]
        rows = pa.concat_tables([*working.entering, pa.Table.from_arrays(control, schema=log.stored)])
        count = rows.num_rows
        controls = pa.array(np.arange(count) == count - 1)
        return rows.append_column(SEQ, pa.array(np.arange(first, first + count))).append_column(CONTROL, controls)
