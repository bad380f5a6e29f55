"""Starts a plan as a Spark query, whatever its purpose: sources, start offsets, settings, checkpoint."""

from __future__ import annotations

import threading
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from rowtime.catalog.changes import Entry
from rowtime.catalog.store import Store
from rowtime.errorlog import note
from rowtime.foreign import unknown_fields
from rowtime.foreign.files import count_rows
from rowtime.foreign.options import Options
from rowtime.jvm.clocks import forward
from rowtime.operators import skipped_rows
from rowtime.operators.lateness import late_rows_by_view, view_late_folders
from rowtime.operators.row_faults import failed_folders, failed_rows, null_folders, null_values
from rowtime.operators.search_key import SearchCounts
from rowtime.plan.nodes import Node, Scan
from rowtime.plan.operators import (
    fallible_sources,
    has_times,
    needs_order,
    needs_state_store,
    needs_watermark,
    nodes,
    reads_only_streams,
    scans,
    stream_scans,
    used_fields,
)
from rowtime.runtime.checkpoint import state_schemas
from rowtime.runtime.checkpoint.bounds import OutputBound
from rowtime.runtime.checkpoint.partitions import default_partitions
from rowtime.runtime.checkpoint.source_rows import ScanProgress, SourceRows
from rowtime.runtime.checkpoint.start_offsets import StartOffsets, append_marks, log_entries
from rowtime.runtime.cluster.shared import SharedFolders
from rowtime.runtime.faults import query_fault
from rowtime.runtime.launch.batch_writers import BatchWriter, announce_commit
from rowtime.runtime.launch.progress import InputStatus
from rowtime.runtime.logs import Logs
from rowtime.runtime.lookup.change_feeds import ChangeFeeds
from rowtime.runtime.lookup.lookups import Lookups
from rowtime.sources.foreign import Foreign
from rowtime.sources.scan import InMicroBatches, Needs, Scans, TableReads
from rowtime.sparksql import settings
from rowtime.sparksql.optimizer import excluded_by_session, exclusion_setting, optimized
from rowtime.sparksql.sessions import QuerySessions
from rowtime.sparksql.settings import SHUFFLE_PARTITIONS
from rowtime.streams.rules import is_logged
from rowtime.streams.start import Start
from rowtime.translate import SETTINGS, Translated, translate
from rowtime.translate.claims import announce, is_requested

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.streaming.query import StreamingQuery as SparkQuery


class Launcher:
    """Builds and starts queries over one warehouse in one SparkSession. `partitions` is the number for streaming
    queries that request none (default: see `default_partitions`); `check_claims` as in `rowtime.connect`."""

    def __init__(
        self, spark: SparkSession, store: Store, partitions: int | None = None, check_claims: bool | None = None
    ) -> None:
        self.spark = spark
        self.store = store
        self.log = Logs(store, lambda log: announce_commit(spark, log))
        self.foreign = Foreign(store)
        self.shared = SharedFolders(spark)
        self.check_claims = is_requested() if check_claims is None else check_claims
        self._guard = threading.Lock()
        self._session: SparkSession | None = None
        self._lookups: dict[Path, Lookups] = {}
        self._feeds: dict[Path, ChangeFeeds] = {}
        self._searches: dict[Path, list[Callable[[], SearchCounts]]] = {}
        self._sessions = QuerySessions(spark, self._relation_settings())
        # Not while another session of this process starts a query, whose settings apply meanwhile.
        with settings.applied(spark, {}):
            self.partitions = default_partitions(spark) if partitions is None else partitions

    # --- what a plan needs -------------------------------------------------------------------------------------------

    def settings(self, plan: Node, checkpoint: str, partitions: int | None = None) -> dict[str, str]:
        """Returns the settings of a streaming plan with this number of partitions (default: the session's)."""
        found = settings.streaming(partitions or self.partitions, checkpoint, operators=needs_state_store(plan))
        return {**found, **exclusion_setting(self.spark)} if reads_only_streams(plan) else found

    def sources(self, plan: Node) -> dict[str, Entry]:
        """Returns the objects through which rows arrive."""
        found = {scan.source: self.store.get(scan.source) for scan in stream_scans(plan)}
        return {name: entry for name, entry in found.items() if entry is not None}

    def mark(self, plan: Node, least: StartOffsets | None = None) -> StartOffsets:
        """Marks the present in each log that the plan reads. Returns the offsets: those in `least`, or later ones."""
        return append_marks(log_entries(plan, self.store), self.log, least=least)

    def bound(self, plan: Node, folder: Path) -> OutputBound:
        def announced(batch: int, bound: int) -> None:
            announce(self.spark, folder, batch, bound)

        return self._bound(plan, plan, folder, announced if self.check_claims else None)

    def check_disk(self) -> None:
        """Raises RowtimeError RT0626 if an executor does not share the warehouse with the driver."""
        self.shared.check(self.store.warehouse, "the warehouse")

    # --- running -----------------------------------------------------------------------------------------------------

    @contextmanager
    def relational_session(self) -> Iterator[SparkSession]:
        """Gives the block a session for one relational query, with the settings of such queries: SQL semantics, and no
        more partitions than cores."""
        self.check_disk()
        with self._sessions.session() as session:
            yield session

    def relational(self, plan: Node, session: SparkSession, versions: Mapping[str, int] | None = None) -> Translated:
        """Returns the rows of a relational plan in a `relational_session`. It reads tables in these `versions`, by
        their names (default: the newest)."""
        reading = Scans(
            session,
            self.store,
            self.log,
            foreign=self.foreign.rows,
            checks_claims=self.check_claims,
            reads=TableReads(versions or {}),
        )
        return translate(plan, reading)

    def frame(self, plan: Node, names: list[str], offsets: StartOffsets, start: Start) -> DataFrame:
        """Returns a plan as a DataFrame with columns of these names; it is streaming if the plan is."""
        self.check_disk()
        if has_times(plan):
            settings.allow_times(self.spark)
        excluded = excluded_by_session(self.spark)
        wanted = self.settings(plan, "") if plan.streaming else {**SETTINGS, **settings.DELTA}
        with settings.applied(self.spark, wanted):
            # No folder: the checkpoint belongs to whoever starts the DataFrame.
            name = uuid.uuid4().hex
            folder = self.store.warehouse / "frames" / name
            reading = self._scans(plan, name, folder, offsets, start, ordered=needs_order(plan))
            if plan.streaming:
                lookups = self._query_lookups(name, None, lambda rows, batch: None)
                reading.running = InMicroBatches(lookups, ChangeFeeds(self.spark, self.store, None))
            rows = translate(plan, reading).visible(names)
            return optimized(rows, excluded) if plan.streaming else rows

    def launch(
        self,
        plan: Node,
        name: str,
        folder: Path,
        partitions: int,
        offsets: StartOffsets,
        write: Callable[[Translated], BatchWriter],
        start: Start,
        bound: OutputBound,
        *,
        realtime: bool = False,
    ) -> SparkQuery:
        """Starts a streaming plan whose checkpoint is in `folder`; `write` says where its rows go. Its
        sources count invalid records under `name`; `partitions` is its recorded number, `bound` the bound of its
        output; `realtime`: it runs in real time. Raises RowtimeError."""
        self.check_disk()
        checkpoint = str(folder / "spark")
        state_schemas.relocate(folder / "spark")
        self.release(folder)
        excluded = excluded_by_session(self.spark)
        try:
            with settings.starting(self.spark, self.settings(plan, checkpoint, partitions)):
                reading = self._scans(plan, name, folder, offsets, start, ordered=True)
                # Claims are compared with the micro-batch before, whose end is not known yet.
                reading.checks_claims &= not realtime
                lookups = self._lookups[folder] = self._query_lookups(
                    name, folder, lambda rows, batch: self._rows_bound(rows, plan, folder, batch)
                )
                changes = self._feeds[folder] = ChangeFeeds(self.spark, self.store, folder)
                # Records of earlier runs are kept: counts continue over restarts.
                reading.running = InMicroBatches(lookups, changes, self._searches.setdefault(folder, []))
                result = translate(plan, reading)
                result = replace(result, df=optimized(result.df, excluded))
                bound.has_rowtime = result.rowtime is not None
                logs = [self.log(entry).folder for entry in log_entries(plan, self.store).values()]
                return write(result).start(folder / "spark", logs)
        except Exception as fault:
            self.release(folder)
            raise query_fault(fault, "The query") from fault

    def release(self, folder: Path) -> None:
        """Frees the memory that is kept for the query of that folder, which has ended."""
        lookups = self._lookups.pop(folder, None)
        if lookups is not None:
            lookups.close()
        feeds = self._feeds.pop(folder, None)
        if feeds is not None:
            feeds.close()

    def forget(self, folder: Path) -> None:
        """Deletes the counts of the query of that folder, which will not be restarted."""
        self._searches.pop(folder, None)

    def source_rows(
        self,
        plan: Node,
        begins: StartOffsets,
        known: Sequence[ScanProgress] = (),
        topics: Mapping[str, Mapping[str, int]] | None = None,
    ) -> SourceRows:
        """Returns a count of the rows that a query takes from its sources. It begins to read logs in the versions
        `begins`, and has begun to read `topics` at these offsets; `known` is what it had taken before."""
        logs = log_entries(plan, self.store)

        def entered(name: str, version: int) -> int:
            return self.log(logs[name]).state_at(version - 1).entered if version > 0 else 0

        return SourceRows(stream_scans(plan), {name: begins.get(name, 0) for name in logs}, entered, known, topics)

    def rows_of_files(self, source: str, files: Sequence[str]) -> int:
        """Returns how many rows some files of a foreign stream have; 0 if they cannot be read any more."""
        entry = self.store.get(source)
        if entry is None:
            return 0
        try:
            with self.relational_session() as session:
                return count_rows(session, Options(entry), files)
        except Exception as fault:
            # The query does not need to read them again.
            note(fault)
            return 0

    # --- input status ------------------------------------------------------------------------------------------------

    def input_status(self, plan: Node, name: str, folder: Path) -> InputStatus:
        """Returns the late rows and invalid records of the query of that name and folder, for its progress."""
        views = late_rows_by_view(folder)
        late = {
            f"LATENESS (node {node.id})": views[node.late_rows_name]
            for node in nodes(plan)
            if node.late_rows_name in views
        }
        failed, dropped = failed_rows(folder), sum(late.values())
        bad = failed
        kept = [*failed_folders(folder), *null_folders(folder)]
        for source, entry in self.sources(plan).items():
            if is_logged(entry):
                late[source] = self.log(entry).state().late
            elif entry.kind == "FOREIGN STREAM":
                bad += self.foreign.bad_row_count(entry, name)
                late[source] = self.foreign.late_row_count(entry, name)
                dropped += late[source]
                kept.append(self.foreign.bad_rows(entry, name))
        found = tuple(each for each in kept if each.exists())
        searches = sum((counts() for counts in self._searches.get(folder, ())), SearchCounts())
        return InputStatus(
            bad, late, dropped, self.waits_for(plan, folder), found, searches, failed, null_values(folder)
        )

    def compact(self, plan: Node, name: str, folder: Path) -> None:
        """Limits the space of rows that the query of that name and folder has set aside, and takes the counts of fields
        that no column has."""
        for entry in self.sources(plan).values():
            if entry.kind == "FOREIGN STREAM":
                skipped_rows.compact(self.foreign.bad_rows(entry, name))
                unknown_fields.collect(self.spark, self.foreign.bad_rows(entry, name))
        for entry in self._foreign_tables(plan):
            skipped_rows.compact(self.foreign.bad_rows(entry, name))
        for place in (*view_late_folders(folder), *failed_folders(folder), *null_folders(folder)):
            skipped_rows.compact_one(place, skipped_rows.count_late)

    def waits_for(self, plan: Node, folder: Path) -> str | None:
        """Returns the source with the least bound, for which everything waits. None if nothing waits."""
        if not needs_watermark(plan):
            return None
        least: tuple[int, str] | None = None
        for scan in stream_scans(plan):
            bound = self._bound_of(scan, folder)
            found = (bound if bound is not None else -(1 << 62), scan.source)
            if scan.bound is not None and (least is None or found < least):
                least = found
        return None if least is None else least[1]

    # --- inside ------------------------------------------------------------------------------------------------------

    def _foreign_tables(self, plan: Node) -> list[Entry]:
        """Returns the foreign tables that a streaming plan looks rows up in."""
        found = {scan.source: self.store.get(scan.source) for scan in scans(plan) if scan.kind == "FOREIGN TABLE"}
        return [entry for entry in found.values() if entry is not None]

    def _bound_of(self, scan: Scan, folder: Path) -> int | None:
        """Returns the bound of the source by the clock of the query."""
        entry = self.store.get(scan.source)
        if entry is None or scan.bound is None:
            return None
        if entry.kind.startswith("FOREIGN"):
            known = self.foreign.bound(folder, scan)
            return None if known is None else known - scan.ahead
        log = self.log(entry)
        bound = log.bounds(log.version()).get(scan.bound)
        return None if bound is None else bound - scan.ahead

    def _scans(
        self, plan: Node, name: str, folder: Path, offsets: StartOffsets, start: Start, *, ordered: bool = False
    ) -> Scans:
        return Scans(
            self.spark,
            self.store,
            self.log,
            self.foreign.rows,
            name,
            folder,
            start,
            offsets,
            Needs(needs_watermark(plan), used_fields(plan), fallible_sources(plan)),
            ordered=ordered,
            checks_claims=self.check_claims,
        )

    def _query_lookups(self, name: str, folder: Path | None, bound: Callable[[Node, int], int | None]) -> Lookups:
        return Lookups(self._relations, self.spark, self.store, self.log, self.foreign.rows, name, folder, bound)

    def _rows_bound(self, rows: Node, plan: Node, folder: Path, batch: int) -> int | None:
        """Returns the bound (ms) of rows within a plan after a micro-batch."""
        return self._bound(rows, plan, folder).after(batch)

    def _bound(
        self, rows: Node, plan: Node, folder: Path, announced: Callable[[int, int], None] | None = None
    ) -> OutputBound:
        return OutputBound(
            rows,
            folder,
            self.store,
            self.log,
            self.foreign,
            partial(forward, self.spark),
            by_watermark=needs_watermark(plan),
            announced=announced,
        )

    def _relations(self) -> SparkSession:
        """Returns a session, with settings of its own, for the relations that streams are joined with."""
        with self._guard:
            if self._session is None:
                self._session = self.spark.newSession()
                for key, value in {**self._relation_settings(), "spark.sql.adaptive.enabled": "false"}.items():
                    self._session.conf.set(key, value)
            return self._session

    def _relation_settings(self) -> dict[str, str]:
        """Returns the settings for reading relations."""
        partitions = str(settings.cores(self.spark))
        return {**SETTINGS, **settings.DELTA, SHUFFLE_PARTITIONS: partitions, **settings.JAVA_TIMES}
