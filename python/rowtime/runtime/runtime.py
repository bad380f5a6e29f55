"""Runs everything of a session: relational queries, streaming queries, inserts, and the pumps of its warehouse."""

from __future__ import annotations

import contextlib
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rowtime.catalog.changes import Entry
from rowtime.catalog.store import Store
from rowtime.catalog.unknown import sweep_folders, warn_of_unknown_folders
from rowtime.display.values import Row
from rowtime.errors import RowtimeError, error
from rowtime.foreign import connectors
from rowtime.foreign.options import Options
from rowtime.plan.names import names_of
from rowtime.plan.nodes import Node
from rowtime.plan.parts import Field
from rowtime.planner import Define, Insert, Planned
from rowtime.runtime.checkpoint.start_offsets import StartOffsets, log_entries
from rowtime.runtime.ddl.dropped import DroppedObjects
from rowtime.runtime.ddl.replaced_rows import refusal
from rowtime.runtime.dml.changes import TableChanges
from rowtime.runtime.faults import query_fault
from rowtime.runtime.job.feed import RowFeed, TargetFeed
from rowtime.runtime.job.job import Job
from rowtime.runtime.job.listeners import Listeners
from rowtime.runtime.launch.batch_writers import BatchWriter, RowWriter, SparkWriter
from rowtime.runtime.launch.folders import QueryFolder, sweep
from rowtime.runtime.launch.frames import for_python, in_order
from rowtime.runtime.launch.launcher import Launcher
from rowtime.runtime.launch.output import RowSortKey, sort_rows
from rowtime.runtime.lookup.change_feeds import needed_versions
from rowtime.runtime.lookup.lookups import pinned_versions
from rowtime.runtime.pump.function_code import code_hash
from rowtime.runtime.pump.pump import PumpServices
from rowtime.runtime.pump.pumps import Pumps
from rowtime.runtime.pump.registry import PumpRegistry
from rowtime.runtime.query.job import QueryJob
from rowtime.runtime.query.query import Query
from rowtime.runtime.sinks import FileSink, NoSink, RowSink, Sink
from rowtime.runtime.statements import define
from rowtime.runtime.target.insert import Inserts
from rowtime.runtime.target.spool import FirstColumns, SpooledRows
from rowtime.runtime.target.targets import LogTarget, Target, Written
from rowtime.runtime.target.upsert import has_results
from rowtime.streams.log import StreamLog
from rowtime.streams.producer import Inserted
from rowtime.streams.rules import is_ordered
from rowtime.streams.start import Start
from rowtime.tables import tables
from rowtime.translate import Translated

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

__all__ = ["Runtime", "Start"]

_AT_ONCE = 1_000
"""The number of rows up to which a result that is limited to it goes directly to Python."""
_SORTED_HERE = 2 << 20
"""Bytes of a result on disk up to which Python sorts it, which takes memory for its rows; Spark sorts a larger one, for
which it computes it again."""


class Runtime:
    """Runs planned statements over one warehouse in one SparkSession. `plan` plans a statement; `partitions` is the
    number for streaming queries that request none; `check_claims` as in `rowtime.connect`.

    `listeners` are notified of events of pumps.
    """

    def __init__(
        self,
        spark: SparkSession,
        store: Store,
        plan: Callable[[str], Planned],
        partitions: int | None = None,
        check_claims: bool | None = None,
    ) -> None:
        self.spark = spark
        self.store = store
        self.launcher = Launcher(spark, store, partitions, check_claims)
        self.inserts = Inserts(self.launcher)
        self.changes = TableChanges(self.launcher)
        self.registry = PumpRegistry(
            store,
            self.log,
            plan,
            code_hash(spark),
            lambda entry: has_results(spark, store, entry),
            lambda entry: connectors.held_offsets(spark, Options(entry)),
        )
        self.listeners = Listeners()
        services = PumpServices(self.launcher, self.inserts, self.registry, self.listeners)
        self.pumps = Pumps(services, self.renew_queries, self.compact_queries)
        self._dropped = DroppedObjects(store, self.launcher.log)
        self._queries: list[Query] = []
        self._guard = threading.Lock()

    # --- streams -----------------------------------------------------------------------------------------------------

    def log(self, entry: Entry) -> StreamLog:
        """Returns the log of a stream, or of a table with an order."""
        return self.launcher.log(entry)

    def register(self, name: str, df: DataFrame) -> None:
        self.launcher.foreign.dataframes[name] = df

    # --- relational --------------------------------------------------------------------------------------------------

    def collect(self, plan: Node, fields: Sequence[Field], most: int | None = None) -> list[Row]:
        """Returns the rows of a relational plan, at `most` this many. Rows of streams are in order of ROWTIME, unless
        the query orders them."""
        if most is None and (plan.max_rows is None or plan.max_rows > _AT_ONCE):
            return list(self.spool(plan, fields, sorted_here=sys.maxsize))
        try:
            with self.launcher.relational_session() as session:
                frame, order = self._for_python(plan, fields, session)
                if most is not None:
                    frame = in_order(frame, order).limit(most)
                rows = [tuple(row) for row in frame.collect()]
        except Exception as fault:
            raise query_fault(fault, "The query") from fault
        return [row[: len(fields)] for row in sort_rows(rows, order)]

    def spool(self, plan: Node, fields: Sequence[Field], sorted_here: int = _SORTED_HERE) -> Iterator[Row]:
        """Returns the same rows one after another. They are computed immediately, and are on disk until they are read,
        or until the iterator is closed, if it has a `close`. Raises RowtimeError RT0639 if they are too many for the
        disk."""
        try:
            with self.launcher.relational_session() as session:
                frame, order = self._for_python(plan, fields, session)
                rows = SpooledRows(frame, self.store.warehouse)
                if order and rows.size <= sorted_here:
                    return iter([row[: len(fields)] for row in sort_rows(list(rows), order)])
                if order:
                    rows.close()
                    rows = SpooledRows(in_order(frame, order), self.store.warehouse)
                return FirstColumns(rows, len(fields))
        except Exception as fault:
            raise query_fault(fault, "The query") from fault

    def _for_python(
        self, plan: Node, fields: Sequence[Field], session: SparkSession
    ) -> tuple[DataFrame, list[RowSortKey]]:
        result = self.launcher.relational(plan, session)
        return for_python(result, fields, [] if plan.sorted else result.arrival())

    def frame(self, plan: Node, fields: Sequence[Field], start: Start) -> DataFrame:
        """Returns a plan as a DataFrame with the query's columns; it is streaming if the plan is. Raises
        RowtimeError."""
        offsets: StartOffsets = {}
        if plan.streaming and start.earliest:
            offsets = {name: self.log(entry).earliest() for name, entry in log_entries(plan, self.store).items()}
        elif plan.streaming:
            offsets = self.launcher.mark(plan)
        try:
            return self.launcher.frame(plan, names_of(fields), offsets, start)
        except Exception as fault:
            raise query_fault(fault, "The query") from fault

    def insert(self, statement: Insert, producer: str | None = None) -> Inserted:
        """Runs an INSERT of existing rows: they go into its target, in their order, as one step of that producer (or of
        one that attaches and detaches for this step)."""
        return self.inserts.insert(statement, producer)

    def define(self, statement: Define, version: int) -> Inserted | None:
        """Runs a statement that changes the catalog, planned against that version of it; for a CREATE TABLE AS, returns
        how many rows the table has."""
        if (refused := refusal(statement, self.store, self.registry.log)) is not None:
            raise refused
        with self.pumps.changing(statement.changes):
            if statement.fills_table:
                return self.changes.create(statement, version)
            define(statement, version, self.store, self.pumps.resolved)
        return None

    # --- streaming ---------------------------------------------------------------------------------------------------

    def start(
        self,
        sql: str,
        plan: Node,
        fields: Sequence[Field],
        sink: Sink,
        start: Start,
        partitions: int | None = None,
    ) -> Query:
        """Starts a streaming query. It sees everything that enters its streams from now on."""
        if isinstance(sink, RowSink):
            sink.open(fields)

        def write(job: Job, result: Translated) -> BatchWriter:
            return self._writer(job, result, fields, sink)

        return self._begin(sql, plan, fields, sink, start, write, partitions)

    def start_insert(self, sql: str, statement: Insert) -> Query:
        """Starts an INSERT … SELECT STREAM: a query that writes its rows into the target, to which it is attached until
        it ends."""
        plan = statement.plan
        assert plan is not None
        if statement.mode == "realtime":
            raise error(
                "RT0347",
                "Only a pump runs in real time",
                hint="CREATE PUMP … OPTIONS (mode 'realtime') AS INSERT INTO … runs until it is stopped",
            )
        folder = QueryFolder(self.store.warehouse)
        insertion = self.inserts.insertion(statement, f"query:{folder.name}")

        def write(job: Job, result: Translated) -> BatchWriter:
            insertion.target.attach()
            feed = TargetFeed(
                insertion.target,
                folder.path,
                job.bound if insertion.is_bounded(result) else None,
                0,
                report,
                self.launcher.check_disk,
            )
            feed.count = 0 if job.feed is None else job.feed.count
            job.feed = feed
            return insertion.target.writer(insertion.frame(result), feed, feed.check)

        def report(written: Written) -> None:
            self.listeners.rejected(sql, insertion.target.entry.name, written.rejected)

        return self._begin(
            sql,
            plan,
            statement.fields or plan.fields,
            insertion.target,
            Start().of(statement),
            write,
            statement.partitions,
            folder,
        )

    def settle(self, queries: Sequence[Query]) -> None:
        """Waits until the pumps that run here and `queries` have nothing more to do: until a turn of all of them adds
        nothing to any log. Raises the error of a query that fails; a pump that fails restarts by itself."""
        self.pumps.adopt()
        for log in self.launcher.log.open_logs():
            # Producers that were not closed.
            if log.has_work:
                log.flush()
        while True:
            before = self._log_versions(queries)
            for pump in self.pumps.running():
                pump.process_all_available()
            for query in queries:
                query.process_all_available()
            if self._log_versions(queries) == before:
                return

    def kill_pumps(self) -> None:
        """Ends Spark's queries of the pumps that run here, with all their memory. They stay attached."""
        self.pumps.kill()

    def restart_pumps(self) -> None:
        """Restarts the pumps from their checkpoints."""
        self.pumps.restart()

    def pumps_running(self) -> bool:
        return bool(self.pumps.running())

    @property
    def queries(self) -> list[Query]:
        with self._guard:
            return list(self._queries)

    # --- the session -------------------------------------------------------------------------------------------------

    def open(self, *, pumps: bool = True) -> None:
        """Begins to run the warehouse's pumps, and removes the remains of dead sessions."""
        sweep(self.store.warehouse)
        sweep_folders(self.store)
        warn_of_unknown_folders(self.store)
        if pumps:
            self.pumps.open()

    def close(self) -> None:
        self.pumps.close()
        for query in self.queries:
            query.stop()
        with contextlib.suppress(RowtimeError):
            # The next session deletes the rest.
            self._dropped.delete()

    def renew_queries(self) -> None:
        """Renews the leases of queries on their logs, at the offsets that they have reached."""
        for query in self.queries:
            query.observe()
            query.release_ended()
            with contextlib.suppress(Exception):
                query.resume()
            with contextlib.suppress(Exception):
                query.job.renew()

    def sweep(self) -> None:
        """Deletes what nobody needs: the data of dropped objects, and files of tables."""
        self._dropped.sweep()
        self.sweep_tables()

    def sweep_tables(self) -> None:
        """Deletes files of plain tables that belong to no version."""
        needed = pinned_versions(self.store.warehouse)
        for id, versions in needed_versions(self.store.warehouse).items():
            needed.setdefault(id, set()).update(versions)
        for entry in self.store.entries():
            if entry.is_table and not is_ordered(entry):
                with contextlib.suppress(OSError):
                    tables.sweep(self.store, entry, needed.get(entry.id, ()))

    def compact_queries(self) -> None:
        """Limits the space of rows that queries have set aside."""
        for query in self.queries:
            query.job.compact()

    # --- inside ------------------------------------------------------------------------------------------------------

    def _begin(
        self,
        sql: str,
        plan: Node,
        fields: Sequence[Field],
        sink: object,
        start: Start,
        write: Callable[[Job, Translated], BatchWriter],
        partitions: int | None,
        folder: QueryFolder | None = None,
    ) -> Query:
        folder = folder or QueryFolder(self.store.warehouse)
        target = sink if isinstance(sink, Target) else None
        try:
            job = QueryJob(self.launcher, plan, folder, start, partitions, target, write)
            query = Query(sql, fields, sink, job, lambda: self.frame(plan, fields, Start()), self._remove)
        except BaseException:
            folder.remove()
            raise
        with self._guard:
            self._queries.append(query)
        return query

    def _writer(self, job: Job, result: Translated, fields: Sequence[Field], sink: Sink) -> BatchWriter:
        if isinstance(sink, RowSink):
            frame, order = for_python(result, fields, result.arrival())
            count = 0 if job.feed is None else job.feed.count
            job.feed = RowFeed(sink, len(fields), order, job.folder, self.launcher.check_disk, count)
            return RowWriter(frame, job.feed, job.feed.check)
        if isinstance(sink, FileSink):
            if "://" not in sink.path:
                self.launcher.shared.check(Path(sink.path), "the folder of the query's files")
            writer = result.visible(names_of(fields)).writeStream.format(sink.format).options(**sink.options)
            return SparkWriter(writer.option("path", sink.path))
        if isinstance(sink, NoSink):
            return SparkWriter(result.visible(names_of(fields)).writeStream.format("noop"))
        raise error("RT0417", f"{type(sink).__name__} is not a sink", hint="See rowtime.runtime.sinks")

    def _log_versions(self, queries: Sequence[Query]) -> dict[str, int]:
        """Returns the versions of all logs and tables that pumps and queries write."""
        targets = [pump.target for pump in self.pumps.running()] + [query.sink for query in queries]
        found = {target.entry.id: target.log.version() for target in targets if isinstance(target, LogTarget)}
        # Their changes may be read as well.
        tabled = (target.entry for target in targets if isinstance(target, Target) and target.entry.id not in found)
        return found | {
            entry.id: tables.newest(self.store, entry)
            for entry in tabled
            if entry.is_table and not entry.kind.startswith("FOREIGN")
        }

    def _remove(self, query: Query) -> None:
        """Removes a query that was stopped."""
        with self._guard:
            if query in self._queries:
                self._queries.remove(query)
        query.job.remove()
