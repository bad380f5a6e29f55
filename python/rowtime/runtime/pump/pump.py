"""One pump that this session runs: its Spark query, from start to failure and restart."""

from __future__ import annotations

import contextlib
import os
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rowtime import notices, spans
from rowtime.catalog.changes import Entry
from rowtime.catalog.store import Store
from rowtime.delta.batches import RowCounts
from rowtime.errors import RowtimeError
from rowtime.plan.nodes import Node
from rowtime.plan.operators import stream_scans
from rowtime.planner import Feeding
from rowtime.processes import process_name
from rowtime.runtime.checkpoint.offsets import OffsetLog
from rowtime.runtime.checkpoint.source_rows import ScanProgress, SourceRows
from rowtime.runtime.checkpoint.start_offsets import StartOffsets, log_entries
from rowtime.runtime.checkpoint.untold_rows import with_untold
from rowtime.runtime.job.feed import TargetFeed
from rowtime.runtime.job.job import Job
from rowtime.runtime.job.leases import restart_offsets
from rowtime.runtime.job.listeners import Listeners
from rowtime.runtime.job.realtime_feed import RealTimeFeed
from rowtime.runtime.launch.batch_writers import BatchWriter
from rowtime.runtime.launch.folders import Lock, generation
from rowtime.runtime.launch.launcher import Launcher
from rowtime.runtime.launch.progress import InputStatus, Progress, ProgressTotals
from rowtime.runtime.pump import restored_saves
from rowtime.runtime.pump.failures import PumpFailures, pump_fault, way_out
from rowtime.runtime.pump.position import PumpPosition
from rowtime.runtime.pump.registry import PumpRegistration, PumpRegistry
from rowtime.runtime.pump.resets import Reset, begin_of, reset_of
from rowtime.runtime.pump.skips import skipped
from rowtime.runtime.pump.status import Met, Report, read_report
from rowtime.runtime.pump.takeover import until
from rowtime.runtime.target import written
from rowtime.runtime.target.attachments import attachment_of
from rowtime.runtime.target.insert import Inserts
from rowtime.runtime.target.realtime import RealTimeTarget
from rowtime.runtime.target.targets import LogTarget, Target, Written
from rowtime.storage.smallfiles import remove_drafts
from rowtime.streams.ends import is_behind
from rowtime.streams.start import Start
from rowtime.translate import Translated
from rowtime.types import times

if TYPE_CHECKING:
    from pyspark.sql.streaming.query import StreamingQuery as SparkQuery


@dataclass(frozen=True, slots=True)
class PumpServices:
    """The services of the session that pumps need."""

    launcher: Launcher
    inserts: Inserts
    registry: PumpRegistry
    listeners: Listeners


_STEADY = 10.0
"""Seconds after which a pump that was restarted counts as recovered, although no rows have come."""


def _start(entry: Entry, statement: Feeding, started: int | None, store: Store) -> Start:
    reset = reset_of(entry) or Reset()
    named = {name: store.get(name) for name, offsets in reset.offsets.items() if isinstance(offsets, str)}
    offsets = {found.id: str(reset.offsets[name]) for name, found in named.items() if found is not None}
    return Start(begin_of(entry, statement) == "EARLIEST", reset.since, started, offsets, skipped(entry), until(entry))


class Pump:
    """A pump that is STARTED, whose lock this session holds. Not thread-safe."""

    def __init__(self, services: PumpServices, entry: Entry, lock: Lock) -> None:
        self.entry = entry
        self.failures = PumpFailures()
        self.met: Met | None = None
        self.job: Job | None = None
        """What runs, or ran last; None before the first start."""
        self.target: Target | None = None
        self.registration = PumpRegistration(entry, [], None)
        self._services = services
        self._lock = lock
        self._position = PumpPosition(services.launcher, services.registry, entry)
        self._feed: TargetFeed | RealTimeFeed | None = None
        self._counts = RowCounts()
        self._source_rows = SourceRows((), {}, lambda name, version: 0)
        self._counted: int | None = None
        self._starts = 0
        self._started = 0.0
        self._warned: str | None = None
        self._seen = -1
        self._totals = ProgressTotals(
            lambda: self.rows_out,
            self.input_status,
            lambda: self._source_rows,
            self._on_report,
        )

    @property
    def name(self) -> str:
        return self.entry.name

    @property
    def is_running(self) -> bool:
        return self.job is not None and not self.job.was_ended

    @property
    def rows_out(self) -> int:
        counted = self._counts.taken if self._feed is None else self._feed.count
        return counted + int(self.entry.definition.get("written", 0))

    # --- running -----------------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Starts the pump from its checkpoint, or from its start offsets. An error, and the time of the next
        attempt, are in `failures`."""
        self._starts += 1
        self._started = time.monotonic()
        self.met = None
        try:
            self._start()
        except Exception as fault:
            self._handle_failure(self._as_error(fault))

    def _start(self) -> None:
        registry, launcher = self._services.registry, self._services.launcher
        statement = registry.statement(self.entry)
        plan, names = statement.plan, statement.target
        assert plan is not None and names is not None
        registry.restore(self.entry)
        registry.signatures.check(self.entry, statement)
        partitions = registry.signatures.partitions(self.entry, statement, launcher.partitions)
        offsets = registry.register(self.entry, statement)
        self.registration = registry.registration(self.entry)
        folder = registry.folder(self.entry)
        self._position.logs = logs = log_entries(plan, launcher.store)
        insertion = self._services.inserts.insertion(statement, attachment_of(self.entry))
        restored_saves.settle(registry, self.entry, statement, insertion.target)
        numbering = registry.numbering(self.entry)
        said = written.check(folder, insertion.target, self.entry.label, way_out(self.entry), numbering)
        if not said.can_tell:
            self._warn_of(insertion.target)
        offsets |= registry.settled_places(self.entry, logs, said.batch)
        remove_drafts(folder)
        offsets |= restart_offsets(launcher, plan, logs, folder)
        registry.signatures.sign(self.entry, statement)
        registry.forget_earlier(self.entry)
        self.target = insertion.target
        insertion.target.attach()
        job = Job(launcher, plan, self.entry.id, folder, self._as_error)
        # A savepoint has the batches of an earlier generation, whose rows do not count.
        from_save = begin_of(self.entry, statement) == "SAVE"
        topics = {} if from_save else OffsetLog(folder / "spark").topic_begins()
        written_before = self._written_before()
        known = self._known_scans() or self._new_scans(plan)
        if not from_save or any(scan.position is not None for scan in known):
            known = with_untold(known, folder / "spark", launcher.rows_of_files)
        self._source_rows = launcher.source_rows(plan, offsets, known, topics)
        self._counted = generation(self.entry)
        self._lock.write(str(os.getpid()))

        def write(result: Translated) -> BatchWriter:
            if isinstance(insertion.target, RealTimeTarget):
                self._feed = job.feed = RealTimeFeed(written_before)
                return insertion.target.realtime_writer(insertion.frame(result))
            bound = job.bound if insertion.is_bounded(result) else None
            known = None if bound is None else bound.now()
            if known is not None:
                # It may have detached from its target, and returns as a producer without a bound.
                insertion.target.advance(known)
            feed = TargetFeed(insertion.target, folder, bound, numbering, self._report_rejections, self._check_batch)
            self._feed = job.feed = feed
            return insertion.target.writer(insertion.frame(result), feed, feed.check)

        self.job = job
        job.launch(
            partitions,
            offsets,
            _start(self.entry, statement, registry.registered_at(self.entry), launcher.store),
            write,
            realtime=statement.mode == "realtime",
        )

    def poll(self) -> None:
        """Checks the pump: notices failure and recovery, and restarts it when it is due."""
        if self._running is None:
            if self.met is None and self.failures.is_due:
                self.start()
            return
        if not self._running.isActive:
            if not self._is_redefined():
                self._handle_failure(self._failure_reason())
        elif self.failures.failing is not None and self._has_recovered():
            self._recover()

    def meet(self) -> None:
        """Ends the query if it is part of a takeover and has read its sources as far as it shall."""
        wanted = until(self.entry)
        if not wanted or self._running is None:
            return
        read = self._position.places(wanted)
        if any(is_behind(read.get(name), place) for name, place in wanted.items()):
            return
        # A micro-batch without rows may follow, which moves the bound.
        self.process_all_available()
        if self.job is not None and self.is_running:
            bound = self.job.bound.now()
            self.kill()
            self.met = Met(self.entry.since, self._position.places(wanted), bound)

    def _recover(self) -> None:
        if self.failures.end():
            self._services.listeners.recovered(self.name)

    def _has_recovered(self) -> bool:
        """Returns whether it has finished a batch since it was restarted, or has had nothing to do for a while."""
        if self._feed is not None and self._feed.batches:
            return True
        query = self._running
        return query is not None and time.monotonic() - self._started > _STEADY and not query.status["isTriggerActive"]

    def process_all_available(self) -> None:
        """Waits until all rows that have arrived so far are in the target, or the pump has failed."""
        job, query = self.job, self._running
        if query is None:
            return
        try:
            query.processAllAvailable()
        except Exception as fault:
            # If it was started again meanwhile, that has ended the query, and what runs now is another one.
            if self.job is job and self.is_running and not query.isActive and not self._is_redefined():
                self._handle_failure(self._failure_reason(self._as_error(fault)))
        else:
            self._recover()

    def _is_redefined(self) -> bool:
        """Returns whether the catalog has another definition of the pump, or of what it reads or writes, than the one
        that it runs: the pump is about to be started again with that, and an error of the old plan is none of it."""
        store = self._services.launcher.store
        version = store.snapshot().version
        if version == self._seen:
            return False
        entry = store.get(self.name)
        if entry is not None and entry.id == self.entry.id and entry.since != self.entry.since:
            return True
        self._seen = version
        return False

    def _check_batch(self) -> None:
        """Raises if a micro-batch must not run."""
        self._services.launcher.check_disk()
        if self._is_redefined():
            raise InterruptedError("the pump is started again, with its new definition")

    def kill(self) -> None:
        """Ends Spark's query between two batches; the pump stays attached, and continues from its checkpoint."""
        job, query = self.job, self._running
        if job is None:
            return
        job.end()
        if query is not None:
            with contextlib.suppress(Exception):
                # The last batches count too.
                self._totals.progress(query)
        if self._feed is not None:
            self._counts = RowCounts(self._feed.count, self._feed.rejected)
            self._feed = None
        if query is not None:
            with contextlib.suppress(Exception):
                job.compact()
            job.forget()

    @property
    def _running(self) -> SparkQuery | None:
        """Spark's query, if it was started and not ended; it may have failed."""
        return self.job.running if self.job is not None and self.is_running else None

    def release(self) -> None:
        """Ends the pump here, and lets other processes run it."""
        self.kill()
        self._lock.release()

    # --- status ------------------------------------------------------------------------------------------------------

    def read_offsets(self) -> StartOffsets:
        """Returns the offsets up to which it has read its logs."""
        return self._position.offsets()

    def renew(self, offsets: StartOffsets) -> None:
        """Reports to the sources how far they have been read."""
        if self.is_running:
            self._position.record(offsets)

    def input_status(self) -> InputStatus:
        return InputStatus() if self.job is None else self.job.input_status()

    def compact(self) -> None:
        """Limits the space of rows that it has set aside."""
        if self.job is not None:
            self.job.compact()

    @property
    def restarts(self) -> int:
        """The number of restarts in this session."""
        return max(self._starts - 1, 0)

    def progress(self) -> Progress:
        """Returns its progress; while it does not run, its last progress."""
        return self._totals.latest if self._running is None else self._totals.progress(self._running)

    def report(self, offsets: StartOffsets) -> Report:
        """Returns its report, given the offsets up to which it has read its sources."""
        progress, failing = self.progress(), self.failures.failing
        bound, lag, late = None, None, 0
        # If a log or the checkpoint is damaged, starting the pump reports it; the status of all pumps is shown anyway.
        with contextlib.suppress(RowtimeError):
            bound = None if self.job is None else self.job.bound.now()
        with contextlib.suppress(RowtimeError):
            late = self._late_rows()
        with contextlib.suppress(RowtimeError):
            lag = self._position.lag(offsets)
        return Report(
            pid=os.getpid(),
            running=self.is_running,
            rows_in=self._source_rows.rows,
            scans=self._source_rows.scans,
            generation=generation(self.entry),
            rows_out=self.rows_out,
            rows_per_second=progress.rows_per_second if self.is_running else 0.0,
            rowtime=None if bound is None else times.text(bound, "T"),
            lag=lag,
            late_rows=late + progress.late_rows,
            bad_rows=progress.bad_rows,
            failed_rows=progress.failed_rows,
            null_values=progress.null_values,
            error=None if failing is None else failing.fault.headlines,
            failed_row=None if failing is None else failing.row,
            failed_since=None if failing is None else times.text(failing.since, "T"),
            owner=process_name(),
            state_rows=progress.state_rows if progress.batches else None,
            met=self.met,
        )

    def _late_rows(self) -> int:
        """Returns the number of rows that its target has rejected."""
        count = self._counts.rejected if self._feed is None else self._feed.rejected
        if isinstance(self.target, LogTarget):
            known = self.target.log.state().producers.get(attachment_of(self.entry))
            if known is not None:
                # The step of another producer may reject rows that waited.
                return max(count, known.rejected)
        return count

    def _known_scans(self) -> list[ScanProgress]:
        """Returns what it has taken from its sources since it was last reset, here or in an earlier process."""
        if self._counted == generation(self.entry):
            # Its last report may be older.
            return self._source_rows.scans
        known = read_report(self._services.launcher.store, self.entry)
        return known.scans if known.generation == generation(self.entry) else []

    def _new_scans(self, plan: Node) -> list[ScanProgress]:
        """Returns the scans of a plan at the positions at which the pump was started. A process that was killed may
        have read on from there, and counted nothing."""
        places = self._services.registry.places(self.entry)
        return [
            ScanProgress(scan.source, position={"version": places[scan.source]})
            if scan.start is None and scan.source in places
            else ScanProgress(scan.source)
            for scan in stream_scans(plan)
        ]

    def _written_before(self) -> int:
        """Returns how many rows it has written since it was last reset, here or in an earlier process: of those that go
        on one by one, nothing else is recorded."""
        if self._counted == generation(self.entry):
            return self._counts.taken
        known = read_report(self._services.launcher.store, self.entry)
        written = known.rows_out - int(self.entry.definition.get("written", 0))
        return max(written, 0) if known.generation == generation(self.entry) else 0

    # --- inside ------------------------------------------------------------------------------------------------------

    def _warn_of(self, target: Target) -> None:
        """Warns, once, that the target cannot tell which micro-batches it has."""
        if target.identity != self._warned:
            self._warned = target.identity
            notices.warn(
                "RT0631",
                f"{self.entry.label} feeds {target.label}, which cannot tell which micro-batches it has: if the "
                "warehouse is restored from a backup, rows may be missing there or be repeated",
                "Adapters can tell by a method: lastBatch in Java, last_batch in Python",
            )

    def _on_report(self, report: dict[str, Any]) -> None:
        if isinstance(self._feed, RealTimeFeed):
            self._feed.add(report)
        spans.batch(self.name, "pump", report)

    def _report_rejections(self, written: Written) -> None:
        if self.target is not None:
            self._services.listeners.rejected(self.name, self.target.entry.name, written.rejected)

    def _failure_reason(self, default: RowtimeError | None = None) -> RowtimeError:
        fault = None if self.job is None else self.job.fault()
        if fault is not None:
            return fault
        return default or self._as_error(RuntimeError("Spark has ended its query"))

    def _as_error(self, fault: BaseException) -> RowtimeError:
        return pump_fault(self.entry, self._services.registry.folder(self.entry), fault)

    def _handle_failure(self, fault: RowtimeError) -> None:
        self.kill()
        self.failures.add(fault)
        self._services.listeners.failed(self.name, fault)
