"""The metrics of a session in Prometheus' form, computed at each scrape."""

from __future__ import annotations

import datetime as dt
import time
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

from rowtime.errors import RowtimeError
from rowtime.runtime.launch.progress import BATCH_SECONDS, Progress
from rowtime.streams.rules import is_logged
from rowtime.types import times

if TYPE_CHECKING:
    from rowtime.runtime.runtime import Runtime

_QUERY = ("query", "kind")
_COUNTERS = {
    "rows_in": ("rowtime_query_rows_in", "Rows taken from the sources, each once."),
    "rows_out": ("rowtime_query_rows_out", "Rows written to the sink or the target."),
    "late_rows": ("rowtime_query_late_rows", "Late rows, which were dropped."),
    "failed_rows": ("rowtime_query_failed_rows", "Rows skipped by on_error, which are among the bad rows."),
    "null_values": ("rowtime_query_null_values", "Values that on_error has made NULL."),
    "bad_rows": ("rowtime_query_bad_rows", "Invalid records of foreign sources, and rows skipped by on_error."),
}
_SEARCHES = {
    "keys": ("rowtime_query_search_keys", "Distinct keys that micro-batches asked SEARCH_KEY for."),
    "cache_hits": ("rowtime_query_search_cache_hits", "Keys that were found in the cache."),
    "hits": ("rowtime_query_search_hits", "Keys that have rows."),
    "misses": ("rowtime_query_search_misses", "Keys that have none."),
    "lookups": ("rowtime_query_search_lookups", "Keys sent to the system, each as often as it was sent."),
    "retries": ("rowtime_query_search_retries", "Keys sent to the system again."),
    "statements": ("rowtime_query_search_statements", "Statements sent to the database, or reads of the Delta table."),
    "seconds": ("rowtime_query_search_seconds", "Duration of the statements."),
}
_GAUGES = {
    "state_rows": ("rowtime_query_state_rows", "Entries in the state store."),
    "state_bytes": ("rowtime_query_state_bytes", "Memory used by the state."),
}


class RuntimeCollector(Collector):
    """Collects the metrics of a session's queries and pumps, and of the streams of its warehouse."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    def describe(self) -> Iterator[Metric]:
        """Returns nothing: names are not known before something runs, and finding out would require a collection."""
        return iter(())

    def collect(self) -> Iterator[Metric]:
        yield from _Queries(self._runtime).families()
        yield from _streams(self._runtime)


class _Queries:
    """Families of metrics of queries and pumps; one query is added after the other."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._counters = {k: CounterMetricFamily(name, text, labels=_QUERY) for k, (name, text) in _COUNTERS.items()}
        self._searches = {k: CounterMetricFamily(name, text, labels=_QUERY) for k, (name, text) in _SEARCHES.items()}
        self._gauges = {k: GaugeMetricFamily(name, text, labels=_QUERY) for k, (name, text) in _GAUGES.items()}
        self._seconds = HistogramMetricFamily(
            "rowtime_query_batch_duration_seconds", "Duration of micro-batches.", labels=_QUERY
        )
        self._restarts = CounterMetricFamily(
            "rowtime_query_restarts", "Restarts from the checkpoint after a failure or a kill.", labels=_QUERY
        )
        self._up = GaugeMetricFamily("rowtime_query_up", "1 while it runs, 0 after it has failed.", labels=_QUERY)
        self._bound = GaugeMetricFamily(
            "rowtime_query_bound_timestamp_seconds", "The bound of its output in rowtime, as Unix time.", labels=_QUERY
        )
        self._lag = GaugeMetricFamily(
            "rowtime_query_bound_lag_seconds", "How far the bound of its output is behind the clock.", labels=_QUERY
        )
        self._behind = GaugeMetricFamily(
            "rowtime_pump_lag_seconds", "How far a pump is behind its sources, in rowtime.", labels=("query",)
        )
        self._failed = GaugeMetricFamily(
            "rowtime_pump_failed_since_timestamp_seconds",
            "When a pump has failed that has done nothing since, as Unix time.",
            labels=("query",),
        )
        self._info = GaugeMetricFamily("rowtime_query_info", "The text of a query.", labels=(*_QUERY, "sql"))

    def families(self) -> Iterator[Metric]:
        for query in self._runtime.queries:
            labels = (query.id, query.kind)
            bound = query.rowtime_bound
            self._add(labels, query.progress, query.restarts, _unix(bound), running=query.is_active)
            self._info.add_metric((*labels, " ".join(query.sql.split())), 1)
        for pump, report, progress in self._runtime.pumps.progress():
            labels = (pump.name, "pump")
            bound = None if report.rowtime is None else times.to_datetime(times.parse_millis(report.rowtime))
            known = {"late_rows": report.late_rows, "rows_in": report.rows_in, "rows_out": report.rows_out}
            self._add(labels, progress, pump.restarts, _unix(bound), running=report.running, known=known)
            self._info.add_metric((*labels, " ".join(str(pump.entry.definition.get("query") or "").split())), 1)
            if report.failed_since is not None:
                self._failed.add_metric((pump.name,), times.parse_millis(report.failed_since) / 1000)
            if report.lag is not None:
                self._behind.add_metric((pump.name,), report.lag)
        yield from self._counters.values()
        yield from self._searches.values()
        yield from self._gauges.values()
        yield from (
            self._seconds,
            self._restarts,
            self._up,
            self._bound,
            self._lag,
            self._behind,
            self._failed,
            self._info,
        )

    def _add(
        self,
        labels: tuple[str, str],
        progress: Progress,
        restarts: int,
        bound: float | None,
        *,
        running: bool,
        known: Mapping[str, int] | None = None,
    ) -> None:
        families: list[tuple[str, CounterMetricFamily | GaugeMetricFamily]] = [
            *self._counters.items(),
            *self._gauges.items(),
        ]
        for name, family in families:
            value = (known or {}).get(name, getattr(progress, name))
            # Spark does not report how many rows a custom sink has received.
            if value is not None:
                family.add_metric(labels, value)
        if progress.searches.keys:
            for name, searches in self._searches.items():
                searches.add_metric(labels, getattr(progress.searches, name))
        count = 0
        buckets = []
        for end, more in zip([*(str(end) for end in BATCH_SECONDS), "+Inf"], progress.batch_times, strict=True):
            count += more
            buckets.append((end, count))
        self._seconds.add_metric(labels, buckets, progress.batch_seconds)
        self._restarts.add_metric(labels, restarts)
        self._up.add_metric(labels, int(running))
        if bound is not None:
            self._bound.add_metric(labels, bound)
            self._lag.add_metric(labels, time.time() - bound)


def _streams(runtime: Runtime) -> Iterator[Metric]:
    commits = CounterMetricFamily("rowtime_stream_commits", "Commits to the stream's log.", labels=("stream",))
    rows = CounterMetricFamily("rowtime_stream_rows", "Rows accepted by the stream.", labels=("stream",))
    rejected = CounterMetricFamily(
        "rowtime_stream_rejected_rows", "Rows rejected by the stream.", labels=("stream", "reason")
    )
    held = GaugeMetricFamily("rowtime_stream_held_rows", "Rows waiting to enter.", labels=("stream",))
    producers = GaugeMetricFamily("rowtime_stream_producers", "Attached producers.", labels=("stream",))
    size = GaugeMetricFamily("rowtime_stream_size_bytes", "Size of the log.", labels=("stream",))
    bound = GaugeMetricFamily(
        "rowtime_stream_bound_timestamp_seconds", "The stream's bound in rowtime, as Unix time.", labels=("stream",)
    )
    for entry in runtime.store.entries():
        if not is_logged(entry):
            continue
        try:
            state = runtime.log(entry).state()
        except RowtimeError:
            # Damaged, or dropped right now: the metrics of the others are still collected.
            continue
        name = (entry.name,)
        commits.add_metric(name, state.version)
        rows.add_metric(name, state.entered)
        for reason, count in state.rejected.items():
            rejected.add_metric((entry.name, reason), count)
        held.add_metric(name, state.held)
        producers.add_metric(name, len(state.producers))
        size.add_metric(name, state.bytes)
        if state.bound is not None:
            bound.add_metric(name, state.bound / 1000)
    yield from (commits, rows, rejected, held, producers, size, bound)


def _unix(bound: dt.datetime | None) -> float | None:
    return None if bound is None else bound.replace(tzinfo=dt.timezone.utc).timestamp()
