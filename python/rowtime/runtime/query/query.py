"""A running streaming query: Spark's query, its sink, and its restart from the checkpoint."""

from __future__ import annotations

import contextlib
import datetime as dt
import threading
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rowtime import spans
from rowtime.display.values import Row
from rowtime.errors import RowtimeError, error, format_count
from rowtime.plan.operators import longest_outage
from rowtime.plan.parts import Field
from rowtime.runtime.launch.outages import Outage
from rowtime.runtime.launch.progress import Progress, ProgressTotals
from rowtime.runtime.query.job import QueryJob
from rowtime.runtime.sinks import MemorySink
from rowtime.types import times

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa
    from pyspark.sql import DataFrame
    from pyspark.sql.streaming.query import StreamingQuery as SparkQuery


class Query:
    """A streaming query that runs until it is stopped, created by `Session.sql` and `Session.submit`; for INSERT INTO
    … SELECT STREAM, the query that supplies the rows.

    `fields` are its columns (name, type, nullable, monotonicity); `id` does not change on restart.
    """

    def __init__(
        self,
        sql: str,
        fields: Sequence[Field],
        sink: object,
        job: QueryJob,
        frame: Callable[[], DataFrame],
        on_stop: Callable[[Query], None],
    ) -> None:
        self.id = uuid.uuid4().hex
        self.sql = sql
        self.fields = list(fields)
        self.sink = sink
        self.job = job
        self._outage = Outage(longest_outage(job.plan))
        self._frame = frame
        self._on_stop = on_stop
        self._lock = threading.Lock()
        self._resuming = threading.RLock()
        self._stopped = False
        self._last_bound: int | None = None
        self.restarts = 0
        """The number of restarts from its checkpoint."""
        self._totals = ProgressTotals(
            lambda: None if job.feed is None else job.feed.count,
            job.input_status,
            lambda: job.source_rows,
            lambda report: spans.batch(self.id, self.kind, report),
        )
        job.begin()

    @property
    def checkpoint(self) -> Path:
        """The folder of its checkpoint."""
        return self.job.folder

    @property
    def _running(self) -> SparkQuery:
        """Spark's query, which may have ended."""
        assert self.job.running is not None
        return self.job.running

    # --- rows --------------------------------------------------------------------------------------------------------

    def rows(self) -> list[Any]:
        """Returns the rows that were emitted since the last call, in order, as PySpark `Row`s with the query's column
        names.

        Timestamps are datetimes in UTC without a time zone. Raises RowtimeError RT0511 if another sink takes the rows,
        and the error of the query if it has failed.
        """
        return self._as_rows(self._take_rows())

    def to_arrow(self) -> pa.Table:
        """Returns the rows that were emitted since the last call, in order, as an Arrow table. Timestamps are in UTC
        without a time zone; intervals of days are durations, and intervals of months are a number of months. Raises as
        `rows` does. Both methods consume the same rows."""
        from rowtime.runtime.query.arrow import arrow_table

        return arrow_table(self.fields, self._take_rows())

    def to_pandas(self) -> pd.DataFrame:
        """Returns the rows as a pandas DataFrame. Raises RowtimeError RT0616 if pandas is not installed."""
        from rowtime.runtime.query.arrow import arrow_table, pandas_frame

        # Checked first: without pandas no row is consumed.
        pandas_frame(arrow_table(self.fields, []))
        return pandas_frame(self.to_arrow())

    def __iter__(self) -> Iterator[Any]:
        """Yields rows as they are emitted, until the query is stopped."""
        sink = self._memory()
        while True:
            came = sink.wait(0.5)
            yield from self._as_rows(sink.take())
            if not came and not self.is_active:
                self._raise_failure()
                return

    def to_df(self) -> DataFrame:
        """Returns the same query as a streaming DataFrame, for the caller to transform and start. It shares no rows
        with this query, and starts with the rows that arrive after this call.

        If it groups or sorts, start it under `Session.settings_for(…)`.
        """
        return self._frame()

    def process_all_available(self) -> None:
        """Waits until all rows that have arrived so far are processed, and their results are in the sink. Raises
        RowtimeError (RT0510) if the query fails."""
        while True:
            try:
                self._running.processAllAvailable()
                return
            except Exception as fault:
                self.release_ended()
                if self._await_outage():
                    continue
                self._raise_failure()
                if not self._stopped:
                    raise self.job.as_error(fault) from fault
                return

    @property
    def kind(self) -> str:
        """`query`, or `insert` for INSERT INTO … SELECT STREAM."""
        return "insert" if self.job.target is not None else "query"

    # --- state -------------------------------------------------------------------------------------------------------

    @property
    def is_active(self) -> bool:
        """Whether the query runs, or waits for a system that does not answer."""
        return self.job.is_active or self._is_waiting()

    @property
    def status(self) -> str:
        """`running`, `stopped` or `failed`."""
        if self.is_active:
            return "running"
        return "failed" if self.exception is not None else "stopped"

    @property
    def exception(self) -> RowtimeError | None:
        """The error that ended the query, or None."""
        return None if self._is_waiting() else self.job.fault()

    @property
    def progress(self) -> Progress:
        """The rows read and written, the rate, and the rowtime that the query has reached."""
        return self._totals.progress(self._running)

    @property
    def rowtime_bound(self) -> dt.datetime | None:
        """The bound of the query's output (UTC, without a time zone): no later row is earlier. None if there is no
        bound yet, or if the rows have no ROWTIME."""
        if not self._stopped:
            found = self.job.bound.now()
            self._last_bound = self._last_bound if found is None else found
        return None if self._last_bound is None else times.to_datetime(self._last_bound)

    def await_termination(self, timeout: float | None = None) -> bool:
        """Waits until the query ends, or for `timeout` seconds. Returns whether it has ended. Raises its error if it
        failed."""
        until = None if not timeout else time.monotonic() + timeout
        while True:
            try:
                # Spark accepts fractions of a second, whatever its type hints say.
                left: Any = None if until is None else max(until - time.monotonic(), 0.001)
                ended = self._running.awaitTermination() if left is None else self._running.awaitTermination(left)
            except Exception as fault:
                if self._await_outage(until):
                    continue
                if self._is_waiting():
                    return False
                self._raise_failure()
                raise self.job.as_error(fault) from fault
            return True if ended is None else bool(ended)

    def stop(self) -> None:
        """Ends the query and deletes its checkpoint. The sink keeps the rows that were emitted."""
        with self._lock:
            if self._stopped:
                return
            self._stopped = True
        with contextlib.suppress(RowtimeError):
            self._last_bound = self.job.bound.now()
        # It may be restarting right now.
        with self._resuming:
            self.kill()
        self.observe()
        self._on_stop(self)

    def observe(self) -> None:
        """Reads Spark's reports if batches are traced; Spark discards old reports."""
        if spans.tracer() is not None:
            with contextlib.suppress(Exception):
                self._totals.progress(self._running)

    def kill(self) -> None:
        """Ends Spark's query and keeps the checkpoint for `restart`."""
        self.job.end()

    def restart(self) -> None:
        """Restarts the query from its checkpoint, after `kill` or a failure. No row is lost or repeated."""
        if self._stopped:
            raise error("RT0512", "The query was stopped, and has no checkpoint to start from")
        with self._resuming:
            self.observe()
            self.restarts += 1
            self.job.restart()

    def release_ended(self) -> None:
        """Frees what is kept for the query if Spark no longer runs it. Another thread may be restarting it."""
        with self._resuming:
            if not self.job.is_active:
                self.job.release()

    def resume(self) -> None:
        """Restarts the query if it has waited long enough for a system that did not answer."""
        with self._resuming:
            if self.job.is_active:
                if self._outage.lasts and self._running.lastProgress is not None:
                    self._outage.recovered()
            elif self._is_waiting() and time.monotonic() >= self._outage.due:
                self.kill()
                try:
                    self.restart()
                except Exception as fault:
                    self._outage.restart_failed(self.job.as_error(fault))

    def _is_waiting(self) -> bool:
        """Whether the query has failed because a system does not answer, and will be started again."""
        if self._stopped or self.job.is_active:
            return False
        fault = self.job.fault()
        return fault is not None and self._outage.waits(self._running, fault)

    def _await_outage(self, until: float | None = None) -> bool:
        """Waits until the query runs again, if it has failed because a system does not answer. Returns whether it
        runs."""
        while self._is_waiting():
            if until is not None and time.monotonic() >= until:
                return False
            time.sleep(0.1)
            self.resume()
        return not self._stopped and self.job.is_active

    def _repr_html_(self) -> str:
        from rowtime.display.tables import SHOWN, problems, table

        fault = self.exception
        if fault is not None:
            return problems(fault.diagnostics)
        return table(self.fields, *self._preview(SHOWN))

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        from rowtime.display.tables import SHOWN, plain

        fault = self.exception
        printer.text(str(fault) if fault is not None else plain(self.fields, *self._preview(SHOWN)))

    def _preview(self, most: int) -> tuple[list[Row], str]:
        """Returns rows for a display, which consumes none, and a description of the query's state."""
        if not isinstance(self.sink, MemorySink):
            return [], f"streaming query, {self.status}: its rows go to the sink that it was submitted with"
        rows, count = self.sink.latest(most)
        waiting = f"{format_count(count, 'row')} that rows() has not returned"
        more = f", the latest {len(rows):,} of them shown" if count > len(rows) else ""
        return rows, f"streaming query, {self.status}: {waiting}{more}"

    # --- inside ------------------------------------------------------------------------------------------------------

    def _memory(self) -> MemorySink:
        if not isinstance(self.sink, MemorySink):
            raise error("RT0511", "The rows of this query go to its sink", hint="Read them from that sink")
        return self.sink

    def _take_rows(self) -> list[Row]:
        taken = self._memory().take()
        if not taken:
            self._raise_failure()
        return taken

    def _as_rows(self, rows: list[Row]) -> list[Any]:
        from pyspark.sql import Row as SparkRow

        make = SparkRow(*[field.name for field in self.fields])
        return [make(*row) for row in rows]

    def _raise_failure(self) -> None:
        fault = self.exception
        if fault is not None:
            raise fault
