"""The progress of a query: rows, rate, rowtime, state, late rows and invalid records."""

from __future__ import annotations

import threading
import time
from bisect import bisect_left
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from rowtime.operators.search_key import SearchCounts
from rowtime.runtime.checkpoint.source_rows import SourceProgress, SourceRows, by_source
from rowtime.runtime.launch.rates import Rate
from rowtime.types import times

if TYPE_CHECKING:
    from pyspark.sql.streaming.query import StreamingQuery as SparkQuery

BATCH_SECONDS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)
"""Upper limits of the classes in which micro-batches are counted by duration."""


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of a query.

    `rows_in` is the number of rows taken from the sources so far: each row of a source once, however often the query
    reads it, also if it is late or invalid. `sources` has the rows and the position of each source. `rows_per_second`
    is the rate of the last batches, 0 after ten idle seconds. `rows_out` is the number of rows delivered to the sink
    (None if Spark writes them itself). `rowtime` is the bound of the query's input (ISO, UTC); None if there is none
    yet or the query does not need it. `late_rows` counts rows that the query itself dropped as late. `bad_rows` counts
    the invalid records of foreign sources and the `failed_rows`, which the query skipped because their values could not
    be computed; `null_values` are those that are NULL for that reason. `state_rows` is the number of entries in the
    state store, and `batches` the number of micro-batches.

    `state_bytes` is the memory of the state. `batch_seconds` is the total duration of all micro-batches, and
    `batch_times` how many of them fall into each class of BATCH_SECONDS; the last class is for longer ones.

    `late` counts the rows that the sources of the query rejected, by the name of the source: for a named stream,
    all that it ever rejected; for a foreign stream, the late rows of this query; for a LATENESS on a view, the rows
    that it dropped. `late_rows` counts the last two kinds. `waits_for` names the source with the least bound, for
    which the query waits; None if it waits for none. `aside` are the folders with the invalid records and late rows
    of foreign streams, and with the rows that the query skipped, as JSON lines. `searches` has the counts of
    SEARCH_KEY since the query was opened.
    """

    rows_in: int = 0
    rows_per_second: float = 0.0
    rows_out: int | None = None
    rowtime: str | None = None
    late_rows: int = 0
    bad_rows: int = 0
    state_rows: int = 0
    state_bytes: int = 0
    batches: int = 0
    batch_seconds: float = 0.0
    batch_times: tuple[int, ...] = (0,) * (len(BATCH_SECONDS) + 1)
    late: Mapping[str, int] = field(default_factory=dict)
    waits_for: str | None = None
    aside: tuple[Path, ...] = ()
    searches: SearchCounts = field(default_factory=SearchCounts)
    failed_rows: int = 0
    null_values: int = 0
    sources: Mapping[str, SourceProgress] = field(default_factory=dict)


class InputStatus(NamedTuple):
    """The skipped rows of a query's input, see Progress; `dropped` counts the rows of `late` that the query itself
    dropped, not its streams."""

    bad_rows: int = 0
    late: Mapping[str, int] = {}
    dropped: int = 0
    waits_for: str | None = None
    aside: tuple[Path, ...] = ()
    searches: SearchCounts = SearchCounts()
    failed_rows: int = 0
    null_values: int = 0


class ProgressTotals:
    """Adds up the progress reports of Spark's query, over restarts. Spark keeps the last thousand. `taken`
    counts the rows of the sources. `on_report` gets each report of a micro-batch once, when the progress is read, with
    the rows that the batch has taken."""

    def __init__(
        self,
        rows_out: Callable[[], int | None],
        input_status: Callable[[], InputStatus],
        taken: Callable[[], SourceRows],
        on_report: Callable[[dict[str, Any]], None],
    ) -> None:
        self._rows_out = rows_out
        self._input_status = input_status
        self._taken = taken
        self._on_report = on_report
        self.latest = Progress()
        """The latest progress."""
        self._lock = threading.Lock()
        self._run: object = None
        self._last = -1
        self._late = 0
        self._batches = 0
        self._seconds = 0.0
        self._times = [0] * (len(BATCH_SECONDS) + 1)
        self._rate = Rate()
        self._report: dict[str, Any] = {}

    def progress(self, query: SparkQuery) -> Progress:
        with self._lock:
            for report in self._new(query):
                self._add(report)
            operators = self._report.get("stateOperators", [])
            input_status = self._input_status()
            self.latest = Progress(
                rows_in=self._taken().rows,
                rows_per_second=self._rate.at(time.time()),
                rows_out=self._rows_out(),
                rowtime=_watermark_text(self._report.get("eventTime", {}).get("watermark")),
                late_rows=self._late + input_status.dropped,
                bad_rows=input_status.bad_rows,
                state_rows=sum(operator.get("numRowsTotal", 0) for operator in operators),
                state_bytes=sum(operator.get("memoryUsedBytes", 0) for operator in operators),
                batches=self._batches,
                batch_seconds=self._seconds,
                batch_times=tuple(self._times),
                late=input_status.late,
                waits_for=input_status.waits_for,
                aside=input_status.aside,
                searches=input_status.searches,
                failed_rows=input_status.failed_rows,
                null_values=input_status.null_values,
                sources=by_source(self._taken().scans),
            )
            return self.latest

    def _new(self, query: SparkQuery) -> list[dict[str, Any]]:
        """Returns the reports since the last call, oldest first. They are read from the JVM one by one, as JSON:
        PySpark would fetch every number of the last thousand with a call of its own."""
        import json

        reports = query._jsq.recentProgress()
        found: list[dict[str, Any]] = []
        for index in range(len(reports) - 1, -1, -1):
            report = reports[index]
            if str(report.runId()) == self._run and report.batchId() <= self._last:
                break
            found.append(json.loads(report.json()))
        return found[::-1]

    def _add(self, report: dict[str, Any]) -> None:
        if report["runId"] != self._run:
            self._run, self._last = report["runId"], -1
        if report["batchId"] <= self._last or "addBatch" not in report["durationMs"]:
            # An idle query reports the last batch again, or the next one before it has run.
            return
        self._last = report["batchId"]
        self._report = report
        self._batches += 1
        rows = self._taken().add(report["sources"])
        self._late += sum(o.get("numRowsDroppedByWatermark", 0) for o in report.get("stateOperators", []))
        seconds = report["durationMs"].get("triggerExecution", 0) / 1000
        self._rate.add(rows, times.parse_millis(report["timestamp"]) / 1000, seconds)
        self._seconds += seconds
        self._times[bisect_left(BATCH_SECONDS, seconds)] += 1
        self._on_report({**report, "numInputRows": rows})


def _watermark_text(watermark: str | None) -> str | None:
    if not watermark:
        return None
    far = 0
    if watermark.startswith("+"):
        # Years after 9999, as the origin creates them; eight thousand years earlier the calendar is the same.
        year, rest = watermark[1:].split("-", 1)
        far, watermark = 20 * 146_097 * 86_400_000, f"{int(year) - 8000:04}-{rest}"
    millis = times.parse_millis(watermark) + far
    # Zero means that Spark has no watermark.
    return times.text(millis - times.ORIGIN, "T") if millis > 0 else None
