"""The pumps of a warehouse, as far as this session runs them.

A pump that is STARTED is run by one process at a time, the first whose session takes its lock: when the session is
opened, or within a second after the catalog changes or the process that ran it dies. An ALTER PUMP or DROP PUMP of any
session takes effect within a second.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Sequence

import msgspec

from rowtime.catalog.changes import PAUSED, STARTED, Change, Entry, pump_state
from rowtime.errors import RowtimeError
from rowtime.runtime.checkpoint.start_offsets import StartOffsets
from rowtime.runtime.launch.folders import Lock
from rowtime.runtime.launch.progress import Progress
from rowtime.runtime.pump import status as pump_status
from rowtime.runtime.pump import takeover as pump_takeover
from rowtime.runtime.pump.changes import changing, resolved
from rowtime.runtime.pump.pump import Pump, PumpServices
from rowtime.runtime.pump.saves import is_requested, make_requested
from rowtime.runtime.pump.status import PumpStatus, Report
from rowtime.runtime.pump.upkeep import Upkeep, Work

TICK = 1.0
"""Seconds between two checks of the catalog and of the running pumps."""
_COMPACTING = 5.0
"""Seconds between two checks of the rows that queries have set aside."""
_SESSION = "The session"
"""Labels the work for the catalog, and for queries that are no pumps."""


class Pumps:
    """Runs pumps; see the module. May be used from any thread."""

    def __init__(
        self, services: PumpServices, renew_queries: Callable[[], None], compact_queries: Callable[[], None]
    ) -> None:
        """`renew_queries` and `compact_queries` are called for the session's queries as often as for the pumps."""
        self._services = services
        self._arming = services.registry
        self._store = services.launcher.store
        self._renew_queries = renew_queries
        self._compact_queries = compact_queries
        self._held: dict[str, Pump] = {}
        self._written: dict[str, Report] = {}
        self._entries: list[Entry] = []
        self._version = -1
        self._compacted = time.monotonic()
        self._guard = threading.RLock()
        self._ending = threading.Event()
        self._due = threading.Event()
        """Set to look at the catalog before the next tick."""
        self._thread: threading.Thread | None = None
        self._upkeep = Upkeep()
        self.fault: RowtimeError | None = None
        """RT0609, if the pumps have ended because of it: `check` raises it."""
        # Set until `open`: a session may leave the pumps to others.
        self._ending.set()

    def open(self) -> None:
        """Begins to run the warehouse's pumps."""
        self._ending.clear()
        self._store.on_change(self._due.set)
        self._thread = threading.Thread(target=self._run, name="rowtime pumps", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Ends the pumps that run here; other sessions may continue them."""
        self._ending.set()
        self._due.set()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join()
        with self._guard:
            for id, pump in list(self._held.items()):
                pump.kill()
                self._record_offsets(pump, pump.read_offsets())
                pump.release()
                del self._held[id]

    # --- what the catalog says ---------------------------------------------------------------------------------------

    def adopt(self) -> None:
        """Applies the state of the catalog here: starts, stops and drops pumps. An error with one of them, which its
        status has, is none of the others."""
        with self._guard:
            if self._ending.is_set():
                return
            self._read_catalog()
            known = {entry.id: entry for entry in self._entries}
            for id in [*self._held]:
                with self._upkeep.of(self._held[id].entry.label, Work.CATALOG):
                    self._follow(self._held[id], known.get(id))
            for entry in self._entries:
                if pump_state(entry.definition) == STARTED and entry.id not in self._held:
                    with self._upkeep.of(entry.label, Work.CATALOG):
                        self._take(entry)
            self._meet()

    def changing(self, changes: Sequence[Change]) -> contextlib.AbstractContextManager[None]:
        """Encloses the commit of catalog changes; see `changes`. Pumps that the changes start run when the block
        ends."""
        return changing(self._arming, changes, self.adopt)

    def resolved(self, change: Change) -> Change:
        """Returns a change as the catalog takes it; see `changes`."""
        return resolved(self._arming, change)

    # --- for script mode and tests -----------------------------------------------------------------------------------

    def running(self) -> list[Pump]:
        with self._guard:
            return [pump for pump in self._held.values() if pump.is_running]

    def kill(self) -> None:
        """Ends Spark's queries of all pumps that run here; they stay attached."""
        with self._guard:
            for pump in self._held.values():
                pump.kill()
                pump.failures.due = float("inf")

    def restart(self) -> None:
        """Restarts them from their checkpoints."""
        with self._guard:
            for pump in self._held.values():
                if not pump.is_running and pump.met is None:
                    pump.start()

    def check(self) -> None:
        """Raises RowtimeError RT0609 if the pumps have ended because their warehouse was deleted."""
        fault = self.fault
        if self._ending.is_set() and fault is not None:
            raise fault

    def status(self) -> list[PumpStatus]:
        """Returns all pumps of the warehouse, in the order of their creation."""
        with self._guard:
            found = []
            for entry in self._store.entries():
                if entry.is_pump:
                    pump = self._held.get(entry.id)
                    report = None if pump is None else self._report(pump, pump.read_offsets())
                    found.append(pump_status.read_status(self._store, entry, report))
            return found

    def progress(self) -> list[tuple[Pump, Report, Progress]]:
        """Returns the progress of the pumps that run here."""
        with self._guard:
            return [(pump, self._report(pump, pump.read_offsets()), pump.progress()) for pump in self._held.values()]

    # --- inside ------------------------------------------------------------------------------------------------------

    def _run(self) -> None:
        attached = True
        while True:
            try:
                self._tick()
                if attached:
                    with self._upkeep.of(_SESSION, Work.DROPPED):
                        self._arming.detach_dropped()
                        attached = False
            except RowtimeError as fault:
                self.fault = fault
                self._abandon()
                return
            self._due.wait(TICK)
            self._due.clear()
            if self._ending.is_set():
                return

    def _abandon(self) -> None:
        """Ends all pumps: the warehouse was deleted, and nobody would ever see what is written to it now."""
        self._ending.set()
        with self._guard:
            for pump in self._held.values():
                pump.release()
            self._held.clear()

    def _tick(self) -> None:
        """Does all that is due, each part whether the others fail or not."""
        with self._upkeep.of(_SESSION, Work.CATALOG):
            self._store.check_exists()
            self.adopt()
        with self._guard:
            for pump in self._held.values():
                with self._upkeep.of(pump.entry.label, Work.POSITION):
                    pump.poll()
                    offsets = pump.read_offsets()
                    pump.renew(offsets)
                    self._record_offsets(pump, offsets)
        self._carry_on()
        with self._upkeep.of(_SESSION, Work.QUERIES):
            self._renew_queries()
        if time.monotonic() - self._compacted > _COMPACTING:
            self._compacted = time.monotonic()
            with self._guard:
                for pump in self._held.values():
                    with self._upkeep.of(pump.entry.label, Work.SPACE):
                        pump.compact()
            with self._upkeep.of(_SESSION, Work.SPACE):
                self._compact_queries()

    def _meet(self) -> None:
        """Ends pumps that are part of a takeover, as soon as they have read what they shall, and reports it."""
        for pump in self._held.values():
            with self._upkeep.of(pump.entry.label, Work.MEETING):
                running = pump.is_running
                pump.meet()
                if running and not pump.is_running:
                    self._record_offsets(pump, pump.read_offsets())

    def _carry_on(self) -> None:
        """Carries on takeovers whose statement may have been killed."""
        for pump in list(self._held.values()):
            with self._upkeep.of(pump.entry.label, Work.TAKEOVER):
                if pump_takeover.is_pending(pump.entry):
                    pump_takeover.advance(self._arming, pump.name)

    def _read_catalog(self) -> None:
        version = self._store.snapshot().version
        if version != self._version:
            self._entries = [entry for entry in self._store.entries() if entry.is_pump]
            self._version = version
            for pump in self._held.values():
                # The obstacle may have disappeared.
                if pump.failures.due != float("inf"):
                    pump.failures.due = min(pump.failures.due, time.monotonic())

    def _follow(self, pump: Pump, entry: Entry | None) -> None:
        old = pump.entry
        if entry is None:
            self._let_go(pump)
            # A catalog that was restored from a backup may not know the pump, which was not dropped.
            if pump.entry.id in self._store.dropped():
                self._arming.unregister(pump.registration)
            return
        state = pump_state(entry.definition)
        if state != STARTED:
            pump.kill()
            self._record_offsets(pump, pump.read_offsets())
            self._let_go(pump)
            if state != PAUSED:
                self._arming.detach(pump.registration)
            return
        changed = entry.since != old.since
        if changed:
            # Before it has the new definition: a micro-batch of the old plan would take that for its own.
            pump.kill()
        pump.entry = entry
        if changed:
            before = pump.registration
            self._save(pump, has_run=True)
            pump.start()
            if before.target != pump.registration.target:
                self._arming.detach(before)

    def _take(self, entry: Entry) -> None:
        lock = Lock(self._store.folder(entry.id, "pumps") / "lock")
        if not lock.acquire(self._services.launcher.spark):
            return
        pump = Pump(self._services, entry, lock)
        self._held[entry.id] = pump
        self._save(pump, has_run=False)
        pump.start()

    def _save(self, pump: Pump, *, has_run: bool) -> None:
        """Makes the savepoint that was requested of a pump, whose query has ended. Unless it has run here, its last
        report is that of an earlier process, which stays until it starts."""
        # Whoever has requested it waits, and says so; the pump goes on.
        with self._upkeep.of(pump.entry.label, Work.SAVEPOINT):
            if has_run and is_requested(pump.entry):
                self._record_offsets(pump, pump.read_offsets())
            make_requested(self._arming, pump.entry)

    def _let_go(self, pump: Pump) -> None:
        del self._held[pump.entry.id]
        self._written.pop(pump.entry.id, None)
        self._upkeep.forget(pump.entry.label)
        pump.release()

    def _report(self, pump: Pump, offsets: StartOffsets) -> Report:
        report = pump.report(offsets)
        if report.error is None:
            report = msgspec.structs.replace(report, error=self._upkeep.error(pump.entry.label))
        return report

    def _record_offsets(self, pump: Pump, offsets: StartOffsets) -> None:
        report = self._report(pump, offsets)
        if report != self._written.get(pump.entry.id) and self._store.get(pump.name) is not None:
            pump_status.write_report(self._store, pump.entry, report)
            self._written[pump.entry.id] = report
