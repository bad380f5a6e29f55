"""The log of a named stream, or of a table whose columns have an order: what has entered, in order, and what may.

A log is an append-only Delta table that readers simply read. All judging is done as steps are committed (`judge`): rows
that have entered are appended in order, rows that have not yet lie in side files, and the commit's metadata say how the
log stands (`LogState`). Every commit that appends ends with a control row, from which readers take bounds. Columns: the
object's own, then

    _seq      BIGINT     number of the row, growing within a log, and by the clock over all logs
    _control  BOOLEAN    true for control rows: columns with an order (ROWTIME of a stream, LATENESS, MONOTONIC) hold
                         the bound below which no later row is, NULL while there is none; the others are NULL

Commits of one log are serial: a lock of the log's folder orders them, over threads and processes, and Delta's
put-if-absent keeps anybody out whom the lock does not hold; a commit that lost is judged again. Steps that come while
another commit is under way are committed together.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from rowtime.catalog.changes import Entry
from rowtime.catalog.store import Store
from rowtime.errors import error
from rowtime.streams import retention, times, trace
from rowtime.streams.columns import Column, arrow_type
from rowtime.streams.deltalog import Conflict, DeltaLog
from rowtime.streams.draft import Draft
from rowtime.streams.judge import Verdict, judge
from rowtime.streams.leases import Leases
from rowtime.streams.rooms import Rooms
from rowtime.streams.rules import ROWTIME, Rules, rules
from rowtime.streams.sidefiles import SideFiles, files_of, named
from rowtime.streams.state import LogState, Outgoing, ProducerState, damaged, decode, encode
from rowtime.streams.steps import Outcome, Refusal, Rejected, Step

__all__ = ["CONTROL", "ROWTIME", "SEQ", "LogState", "Outcome", "ProducerState", "Rejected", "Step", "StreamLog"]

SEQ, CONTROL = "_seq", "_control"

_LOCK = "_lock"
_ROWS_AT_ONCE = 1_000_000
_ATTEMPTS = 100


@dataclass(slots=True, eq=False)
class _Work:
    """A step on its way through a commit; without one, a mark."""

    step: Step | None
    verdict: Verdict | None = None
    outcome: Outcome | None = None
    error: BaseException | None = None
    done: bool = False


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
        self.stored = pa.schema([(column.stored, arrow_type(column.type)) for column in self.columns])
        """The columns in which rows are given to `submit`."""
        self.schema = self.stored.append(pa.field(SEQ, pa.int64())).append(pa.field(CONTROL, pa.bool_()))
        self.delta = DeltaLog(self.name, self.folder, self.schema)
        self.leases = Leases(self.folder)
        self.side = SideFiles(self.rules, self.folder)
        self._queue: list[_Work] = []
        self._queue_guard = threading.Lock()
        self._turn = threading.Lock()
        self._state: LogState | None = None
        self._rooms: tuple[int, Rooms] = (-1, Rooms())
        self._peers: dict[str, StreamLog] = {}
        self.forwarded = 0
        """The version up to which this process knows rejected rows to be told."""

    # --- writing -----------------------------------------------------------------------------------------------------

    def submit(self, step: Step) -> Outcome:
        """Does a step and returns when it is durable. Callers in other threads share commits.

        Raises RowtimeError RT0501 (a bound would go back), RT0502 (columns that do not fit), RT0505 (too many rows are
        held), RT0605 (the log is damaged); nothing of the step was done then.
        """
        work = _Work(self._fitting(step))
        return self._through(work)

    def submit_all(self, steps: Sequence[Step]) -> list[Outcome | Exception]:
        """Does several steps, one after the other, in one commit where it can hold them; for each what it did, or why
        nothing of it was done."""
        works = [_Work(self._fitting(step)) for step in steps]
        with self._queue_guard:
            self._queue += works
        self.flush()
        trace.forward(self)
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
        with self._queue_guard:
            self._queue.append(_Work(Step(producer=name, detach=True)))

    @property
    def has_work(self) -> bool:
        """Whether steps wait for a commit."""
        return bool(self._queue)

    def flush(self) -> None:
        """Commits what waits."""
        with self._turn:
            while works := self._taken():
                self._commit_all(works)

    def mark(self) -> int:
        """Appends a control row with the bounds as they are, and returns its version: where a reader that opens now is
        to begin, and what tells it the bounds."""
        return self._through(_Work(None)).state.version

    def table(self, rows: Sequence[Sequence[Any]]) -> pa.Table:
        """Rows of stored values, in the order of `columns`, as a table for a Step."""
        transposed = zip(*rows, strict=True) if rows else [()] * len(self.stored)
        arrays = [pa.array(values, field.type) for values, field in zip(transposed, self.stored, strict=True)]
        return pa.Table.from_arrays(arrays, schema=self.stored)

    # --- reading -----------------------------------------------------------------------------------------------------

    def version(self) -> int:
        """The newest version. The log's table is made where it is not there yet."""
        found = self.delta.latest()
        if found < 0:
            self.delta.create()
            found = self.delta.latest()
        return found

    def state(self) -> LogState:
        """The log as it is now."""
        version = self.version()
        known = self._state
        if known is not None and known.version == version:
            return known
        found = self._state = self._read(version)
        return found

    def state_at(self, version: int) -> LogState:
        """The log after the commit `version`; where that has been cleaned up, after the oldest that is still there."""
        known = self._state
        if known is not None and known.version == version:
            return known
        try:
            return self._read(version)
        except FileNotFoundError:
            return self._read(next(iter(self.delta.versions()), 0))

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
        if version is None:
            with self.exclusive():
                version = self.earliest()
                self.leases.put(reader, version, seconds)
        else:
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
        path = self.folder / _LOCK
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        except FileNotFoundError:
            self.folder.mkdir(parents=True, exist_ok=True)
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            yield
        finally:
            os.close(descriptor)

    def _fitting(self, step: Step) -> Step:
        rows = step.rows
        if rows is None or rows.schema.equals(self.stored):
            return step
        try:
            fitting = rows.select(self.stored.names).cast(self.stored)
        except (KeyError, pa.ArrowException) as fault:
            raise error("RT0502", f"Rows do not fit '{self.name}': {fault}") from fault
        return replace(step, rows=fitting)

    def _through(self, work: _Work) -> Outcome:
        with self._queue_guard:
            self._queue.append(work)
        with self._turn:
            while not work.done:
                self._commit_all(self._taken())
        if work.error is not None:
            raise work.error
        assert work.outcome is not None
        if work.outcome.refused:
            trace.forward(self)
        return work.outcome

    def _taken(self) -> list[_Work]:
        """The steps that wait, as many as one commit should hold."""
        with self._queue_guard:
            count, rows = 0, 0
            for work in self._queue:
                count += 1
                rows += 0 if work.step is None or work.step.rows is None else work.step.rows.num_rows
                if rows >= _ROWS_AT_ONCE:
                    break
            taken, self._queue = self._queue[:count], self._queue[count:]
            return taken

    def _commit_all(self, works: list[_Work]) -> None:
        try:
            with self.exclusive():
                for _ in range(_ATTEMPTS):
                    try:
                        self._commit(works)
                        return
                    except Conflict:
                        continue
                raise damaged(self.name, "somebody else writes to it all the time")
        except BaseException as fault:
            for work in works:
                work.error = work.error or fault
            if not isinstance(fault, Exception):
                raise
        finally:
            for work in works:
                work.done = True

    def _commit(self, works: list[_Work]) -> None:
        state = self.state()
        draft = Draft.of(self.rules, state, self._loaded(state))
        clock = times.now()
        refused: list[Refusal] = []
        for work in works:
            work.error, work.outcome, work.verdict = None, None, Verdict()
            if work.step is None:
                continue
            attempt = draft.copy()
            try:
                work.verdict = judge(attempt, work.step, clock)
            except Exception as fault:
                work.error = fault
                continue
            draft = attempt
            refused += work.verdict.refused
        facts = draft.facts()
        changed = bool(draft.out) or any(getattr(state, name) != value for name, value in facts.items())
        if changed or any(work.step is None for work in works):
            state = self._append(state, draft, facts, refused)
        names = tuple(column.name for column in self.columns)
        for position, work in enumerate(works):
            verdict = work.verdict
            if work.error is None and verdict is not None:
                refusals = tuple(verdict.refused)
                work.outcome = Outcome(verdict.taken, refusals, state, names, verdict.repeated, position)

    def _append(self, before: LogState, draft: Draft, facts: dict[str, Any], refused: list[Refusal]) -> LogState:
        rooms, written = self.side.save(draft.rooms)
        outgoing = tuple(one for one in before.outgoing if one.version > self.forwarded)
        leaving = trace.worth_telling(self, before.late, refused) if refused else None
        if leaving is not None:
            name, done = self.side.write_table(leaving)
            written.append(done)
            outgoing = (*outgoing, Outgoing(before.version + 1, name))
        first = max(time.time_ns(), before.last_seq + 1)
        added, done = self.delta.write(before.version + 1, self._data(draft, first))
        written.append(done)
        state = LogState(
            version=before.version + 1,
            files=before.files + 1,
            bytes=before.bytes + added.size,
            last_seq=first + added.rows - 1,
            cleaned=before.cleaned,
            cleaned_at=before.cleaned_at,
            deleted=before.deleted,
            removed=before.removed,
            removed_bytes=before.removed_bytes,
            outgoing=outgoing,
            **facts,
            **named(rooms),
        )
        try:
            self.delta.commit(state.version, encode(state), [added], [], state.files, state.bytes, written)
        except Conflict:
            (self.folder / added.name).unlink(missing_ok=True)
            self.side.remove(files_of(state) - files_of(before))
            raise
        self._state = state
        self._rooms = (state.version, rooms)
        self.side.remove(files_of(before) - files_of(state))
        return state

    def _data(self, draft: Draft, first: int) -> pa.Table:
        """What has entered, and the control row."""
        bounds = {order.name: order.stored(key) for order, key in draft.column_keys()}
        if self.rowtime is not None:
            name = self.columns[self.rowtime].stored
            bounds[name] = None if draft.bound is None else draft.bound * 1000
        control = [pa.array([bounds.get(field.name)], field.type) for field in self.stored]
        rows = pa.concat_tables([*draft.out, pa.Table.from_arrays(control, schema=self.stored)])
        count = rows.num_rows
        controls = pa.array(np.arange(count) == count - 1)
        return rows.append_column(SEQ, pa.array(np.arange(first, first + count))).append_column(CONTROL, controls)

    def committed(self, state: LogState) -> None:
        """Somebody who holds the lock has made a commit that changes no rows."""
        version, rooms = self._rooms
        if version == state.version - 1:
            self._rooms = (state.version, rooms)
        self._state = state

    def _loaded(self, state: LogState) -> Rooms:
        version, rooms = self._rooms
        if version != state.version:
            rooms = self.side.load(state, rooms)
            self._rooms = (state.version, rooms)
        return rooms

    def _read(self, version: int) -> LogState:
        written = self.delta.state(version)
        if written is not None:
            return decode(written)
        if version == 0:
            return LogState(version=0)
        raise damaged(self.name, f"commit {version} is not one of rowtime's")
