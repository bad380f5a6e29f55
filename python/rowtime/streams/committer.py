"""Commits of a log: steps that come at once are judged one after the other and written together.

Commits are serial. A lock of the log's folder orders them, over threads and processes, and Delta's put-if-absent keeps
anybody out whom the lock does not hold; a commit that has lost is judged again. Steps that come while another commit is
under way wait for the next one, and share it.
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
from rowtime.streams import times, trace
from rowtime.streams.deltalog import Conflict
from rowtime.streams.draft import Draft
from rowtime.streams.entrance import Admission
from rowtime.streams.judge import judge
from rowtime.streams.logtable import CONTROL, SEQ, LogTable
from rowtime.streams.sidefiles import files_of, named
from rowtime.streams.state import LogState, Outgoing, damaged, encode
from rowtime.streams.writes import Outcome, Refusal, WriteRequest

_ROWS_AT_ONCE = 1_000_000
_ATTEMPTS = 100
_GATHERING = 0.003


@dataclass(slots=True, eq=False)
class Work:
    """A step on its way through a commit; without one, a mark."""

    step: WriteRequest | None
    outcome: Outcome | None = None
    error: BaseException | None = None
    verdict: Admission | None = None
    done: bool = False


class Committer:
    """Makes the commits of one log. May be used from any thread."""

    def __init__(self, log: LogTable) -> None:
        self._log = log
        self._queue: list[Work] = []
        self._guard = threading.Lock()
        self._change = threading.Condition()
        self._leading = False
        self._crowd = 0

    def __len__(self) -> int:
        """How many steps wait."""
        return len(self._queue)

    def put(self, *works: Work) -> None:
        """Has steps done by the next commit."""
        with self._guard:
            self._queue += works

    def run(self, work: Work | None = None) -> None:
        """Makes commits until `work` is done (None: until nothing waits), or waits while another thread makes them.
        What became of a step stands in its Work."""
        with self._change:
            while self._leading:
                if work is not None and work.done:
                    return
                self._change.wait()
            if work is not None and work.done:
                return
            self._leading = True
        try:
            while self._queue if work is None else not work.done:
                self._gather()
                works = self._taken()
                if work is not None and not works:
                    # A thread was interrupted between taking it and doing it.
                    works = [work]
                self._crowd = len(works)
                self._commit_all(works)
        finally:
            with self._change:
                self._leading = False
                self._change.notify_all()

    def _gather(self) -> None:
        """Those who shared the last commit are about to come with their next steps: it pays to wait a little."""
        if self._crowd > 1:
            limit = time.monotonic() + _GATHERING
            while len(self._queue) < self._crowd and time.monotonic() < limit:
                time.sleep(_GATHERING / 10)

    # --- inside ------------------------------------------------------------------------------------------------------

    def _taken(self) -> list[Work]:
        """The steps that wait, as many as one commit should hold."""
        with self._guard:
            count, rows = 0, 0
            for work in self._queue:
                count += 1
                rows += 0 if work.step is None or work.step.rows is None else work.step.rows.num_rows
                if rows >= _ROWS_AT_ONCE:
                    break
            taken, self._queue = self._queue[:count], self._queue[count:]
            return taken

    def _commit_all(self, works: list[Work]) -> None:
        log = self._log
        try:
            with log.exclusive():
                for _ in range(_ATTEMPTS):
                    try:
                        self._commit(works)
                        return
                    except Conflict:
                        continue
                raise damaged(log.name, "other writers keep committing to it")
        except BaseException as fault:
            told = unusable(log.store.warehouse, fault) if isinstance(fault, OSError) else fault
            for work in works:
                work.error = work.error or told
            if not isinstance(fault, Exception):
                raise
        finally:
            for work in works:
                work.done = True

    def _commit(self, works: list[Work]) -> None:
        log = self._log
        state = log.state()
        draft = Draft.of(log.rules, state, log.pending(state))
        clock = times.now()
        refusals: list[Refusal] = []
        for work in works:
            work.error, work.outcome, work.verdict = None, None, Admission()
            if work.step is None:
                continue
            attempt = draft.copy()
            try:
                work.verdict = judge(attempt, work.step, clock)
                attempt.check_ledger()
            except Exception as fault:
                work.error = fault
                continue
            draft = attempt
            refusals += work.verdict.refused
        facts = draft.facts()
        changed = bool(draft.out) or any(
            getattr(state, name) != value for name, value in facts.items() if name != "received"
        )
        if changed or any(work.step is None for work in works):
            state = self._append(state, draft, facts, refusals)
        names = tuple(column.name for column in log.columns)
        for position, work in enumerate(works):
            verdict = work.verdict
            if work.error is None and verdict is not None:
                told = tuple(verdict.refused)
                work.outcome = Outcome(verdict.taken, told, state, names, verdict.repeated, position)

    def _append(self, before: LogState, draft: Draft, facts: dict[str, Any], refusals: list[Refusal]) -> LogState:
        log = self._log
        pending, written = log.side.save(draft.pending)
        outgoing = tuple(one for one in before.outgoing if one.version > log.forwarded)
        leaving = trace.traced_rows(log, before.late, refusals) if refusals else None
        if leaving is not None:
            name, done = log.side.write_table(leaving)
            written.append(done)
            outgoing = (*outgoing, Outgoing(before.version + 1, name))
        first = max(time.time_ns(), before.last_seq + 1)
        added, done = log.delta.write(before.version + 1, self._data(draft, first))
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
            **named(pending),
        )
        try:
            log.delta.commit(state.version, encode(state), [added], [], state.files, state.bytes, written)
        except Conflict:
            (log.folder / added.name).unlink(missing_ok=True)
            log.side.remove(files_of(state) - files_of(before))
            raise
        log.committed(state, pending)
        with contextlib.suppress(OSError):
            log.side.remove(files_of(before) - files_of(state))
        return state

    def _data(self, draft: Draft, first: int) -> pa.Table:
        """What has entered, and the control row."""
        log = self._log
        bounds = {order.name: order.stored(key) for order, key in draft.column_keys()}
        if log.rowtime is not None:
            name = log.columns[log.rowtime].stored
            bounds[name] = None if draft.bound is None else draft.bound * 1000
        control = [pa.array([bounds.get(field.name)], field.type) for field in log.stored]
        rows = pa.concat_tables([*draft.out, pa.Table.from_arrays(control, schema=log.stored)])
        count = rows.num_rows
        controls = pa.array(np.arange(count) == count - 1)
        return rows.append_column(SEQ, pa.array(np.arange(first, first + count))).append_column(CONTROL, controls)
