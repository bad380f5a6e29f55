"""Turns planned queries and inserts into Spark jobs: where a query begins, under which settings, into which sink."""

from __future__ import annotations

import shutil
import threading
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rowtime.catalog.changes import Entry
from rowtime.catalog.store import Store
from rowtime.errors import error
from rowtime.plan.nodes import Field, Node
from rowtime.planner import Statement
from rowtime.runtime import settings
from rowtime.runtime.faults import query_fault
from rowtime.runtime.frames import for_python, is_sorted, names_of
from rowtime.runtime.insert import insert
from rowtime.runtime.output import ordered
from rowtime.runtime.query import Query, RowFeed
from rowtime.runtime.sinks import FileSink, NoSink, Row, RowSink, Sink
from rowtime.sources import history
from rowtime.sources.foreign import Foreign
from rowtime.sources.scan import Scans, has_operators, has_state, stream_scans
from rowtime.streams.log import StreamLog
from rowtime.streams.producer import Inserted
from rowtime.translate import SETTINGS, Translated, translate

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.streaming import StreamingQuery as SparkQuery


@dataclass(frozen=True, slots=True)
class Start:
    """Where a streaming query begins: with what arrives from now on; with all that its streams hold (`earliest`); or
    with what they hold from a ROWTIME on (`since`, milliseconds)."""

    earliest: bool = False
    since: int | None = None


class Runtime:
    """Runs planned statements over one warehouse in one SparkSession."""

    def __init__(self, spark: SparkSession, store: Store) -> None:
        self.spark = spark
        self.store = store
        self.foreign = Foreign(store)
        self._logs = threading.local()
        self._queries: list[Query] = []
        self._guard = threading.Lock()

    # --- streams -----------------------------------------------------------------------------------------------------

    def log(self, entry: Entry) -> StreamLog:
        """The log of a named stream; one object a thread, as long as its definition stays the same."""
        logs: dict[str, StreamLog] = self._logs.__dict__.setdefault("by_id", {})
        found = logs.get(entry.id)
        if found is None or found.entry.since != entry.since:
            found = logs[entry.id] = StreamLog(self.store, entry)
        return found

    def register(self, name: str, df: DataFrame) -> None:
        self.foreign.dataframes[name] = df

    # --- relational --------------------------------------------------------------------------------------------------

    def collect(self, plan: Node, fields: Sequence[Field]) -> list[Row]:
        """All rows of a relational plan. Rows of streams come in order of ROWTIME, unless the query orders them."""
        self._check_history(plan)
        try:
            with self.meaning():
                result = translate(plan, Scans(self.spark, self.store, self.log, foreign=self.foreign.rows))
                keys = [] if is_sorted(plan) else result.arrival()
                frame, order = for_python(result, fields, keys)
                rows = [tuple(row) for row in frame.collect()]
        except Exception as fault:
            raise query_fault(fault, "The query") from fault
        return [row[: len(fields)] for row in ordered(rows, order)]

    @contextmanager
    def meaning(self) -> Iterator[None]:
        """The settings of relational queries: what SQL means, and no more partitions than cores."""
        wanted = {**SETTINGS, **settings.DELTA, "spark.sql.shuffle.partitions": str(settings.cores(self.spark))}
        with settings.applied(self.spark, wanted):
            yield

    # --- streaming ---------------------------------------------------------------------------------------------------

    def settings(self, plan: Node, checkpoint: str) -> dict[str, str]:
        return settings.streaming(self.spark, checkpoint, operators=has_operators(plan))

    def frame(self, plan: Node, fields: Sequence[Field], start: Start) -> DataFrame:
        """A plan as a DataFrame with the query's columns; streaming where the plan is."""
        self._check_history(plan)
        wanted = self.settings(plan, "") if plan.streaming else {**SETTINGS, **settings.DELTA}
        with settings.applied(self.spark, wanted):
            return translate(plan, self._scans(plan, start, uuid.uuid4().hex)).visible(names_of(fields))

    def start(self, sql: str, plan: Node, fields: Sequence[Field], sink: Sink, start: Start) -> Query:
        """Starts a streaming query. Everything that enters its streams from now on will be seen by it."""
        checkpoint = self.store.warehouse / "queries" / uuid.uuid4().hex
        scans = self._scans(plan, start, checkpoint.name)
        first = True

        def run(query: Query) -> SparkQuery:
            nonlocal first
            if not first:
                # Spark forgets the bounds of the single sources; a mark in each tells it again.
                self._mark(plan)
            first = False
            try:
                with settings.applied(self.spark, self.settings(plan, str(checkpoint))):
                    result = translate(plan, scans)
                    return self._write(query, result, fields, sink, checkpoint)
            except Exception as fault:
                raise query_fault(fault, "The query") from fault

        if isinstance(sink, RowSink):
            sink.open(fields)
        query = Query(
            sql,
            fields,
            sink,
            checkpoint,
            start=run,
            frame=lambda: self.frame(plan, fields, Start()),
            on_stop=self._forget,
            bad_rows=lambda: self._bad_rows(plan, checkpoint.name),
        )
        with self._guard:
            self._queries.append(query)
        return query

    @property
    def queries(self) -> list[Query]:
        with self._guard:
            return list(self._queries)

    def close(self) -> None:
        for query in self.queries:
            query.stop()

    def sweep(self) -> None:
        """Deletes the data of dropped objects, as far as no query of this session reads streams any more."""
        if self.queries:
            return
        for id in self.store.dropped():
            for purpose in ("streams", "tables", "bad_rows"):
                shutil.rmtree(self.store.folder(id, purpose), ignore_errors=True)
            self.store.forget(id)

    # --- inserts -----------------------------------------------------------------------------------------------------

    def insert(self, statement: Statement) -> Inserted:
        """Runs an INSERT: the rows of its plan go into its target, in their order, as one step."""
        return insert(statement, self)

    # --- inside ------------------------------------------------------------------------------------------------------

    def _check_history(self, plan: Node) -> None:
        history.check(plan, self.store.get, lambda entry: self.log(entry).state())

    def _scans(self, plan: Node, start: Start, name: str) -> Scans:
        if start.earliest or start.since is not None:
            positions = dict.fromkeys(self._native(plan), 0)
        else:
            positions = self._mark(plan)
        return Scans(self.spark, self.store, self.log, positions, start.since, has_state(plan), self.foreign.rows, name)

    def _native(self, plan: Node) -> dict[str, Entry]:
        found = {}
        for scan in stream_scans(plan):
            entry = self.store.get(scan.source)
            if entry is not None and entry.kind == "STREAM":
                # Opening the log makes its table, if nothing has been written to it yet.
                self.log(entry).state()
                found[entry.name] = entry
        return found

    def _mark(self, plan: Node) -> dict[str, int]:
        """Marks each native stream of a plan; one mark a stream, so that all scans of it begin at the same place."""
        return {name: self.log(entry).mark() for name, entry in self._native(plan).items()}

    def _write(
        self, query: Query, result: Translated, fields: Sequence[Field], sink: Sink, checkpoint: Path
    ) -> SparkQuery:
        if isinstance(sink, RowSink):
            frame, order = for_python(result, fields, result.arrival())
            count = 0 if query.feed is None else query.feed.count
            query.feed = RowFeed(sink, len(fields), order, checkpoint, count)
            writer: Any = frame.writeStream.foreachBatch(query.feed)
        elif isinstance(sink, FileSink):
            writer = result.visible(names_of(fields)).writeStream.format(sink.format).options(**sink.options)
            writer = writer.option("path", sink.path)
        elif isinstance(sink, NoSink):
            writer = result.visible(names_of(fields)).writeStream.format("noop")
        else:
            raise error("RT0417", f"{type(sink).__name__} is no sink", hint="See rowtime.runtime.sinks")
        return writer.option("checkpointLocation", str(checkpoint / "spark")).outputMode("append").start()  # type: ignore[no-any-return]

    def _bad_rows(self, plan: Node, query: str) -> int:
        found = {entry.id: entry for scan in stream_scans(plan) if (entry := self.store.get(scan.source)) is not None}
        return sum(self.foreign.bad_row_count(e, query) for e in found.values() if e.kind == "FOREIGN STREAM")

    def _forget(self, query: Query) -> None:
        with self._guard:
            if query in self._queries:
                self._queries.remove(query)
