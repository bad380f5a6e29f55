"""Log maintenance of a session: a thread for the work that no commit does.

It shows that its process is alive, ends attachments whose process has been gone for too long, detaches producers that
were not closed, forwards late rows that a dead process has left, and cleans up.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from rowtime.catalog.faults import file_faults
from rowtime.catalog.store import Store
from rowtime.delta.state import ProducerState
from rowtime.locks import wait_silently
from rowtime.processes import process_name
from rowtime.streams import retention
from rowtime.streams.ages import FILE, OWNERS, ages_in
from rowtime.streams.log import StreamLog
from rowtime.types import times

HEARTBEAT = 0.25
TICK = 1.0
CLEANING = 5.0
SWEEPING = 600.0
_SEEN = 2.0
_FORGOTTEN = 7 * 86_400.0


class LogMaintenance:
    """Maintains the logs that a process has open. `logs` returns them. A process must have one while it feeds streams:
    a producer whose process shows no sign of life loses its attachment after its time-out, and never earlier. `sweep`
    is called every few minutes."""

    def __init__(
        self, store: Store, logs: Callable[[], Iterable[StreamLog]], sweep: Callable[[], None] = lambda: None
    ) -> None:
        self._store = store
        self._logs = logs
        self._sweep = sweep
        self._stopped = threading.Event()
        self._thread: threading.Thread | None = None
        self._tidied: set[str] = set()
        self._seen: dict[str, tuple[float, float]] = {}
        self.fault: Exception | None = None
        """The last error; the maintenance continues."""

    def start(self) -> None:
        with file_faults(self._store.warehouse):
            beat(self._store.warehouse)
        self._thread = threading.Thread(target=self._run, name="rowtime-keeper", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Ends the thread. Attachments of this process that are still open end by their time-outs."""
        self._stopped.set()
        if self._thread is not None:
            self._thread.join()

    def tick(self, *, cleaning: bool = False) -> None:
        """Runs one round over all logs."""
        for log in list(self._logs()):
            try:
                if log.has_work:
                    log.flush()
                if log.entry.id not in self._tidied:
                    retention.tidy(log)
                    self._tidied.add(log.entry.id)
                self._end_attachments(log)
                log.forward_rejected()
                if cleaning:
                    retention.clean(log)
                    retention.checkpoint(log)
            except Exception as fault:
                self.fault = fault

    # --- inside ------------------------------------------------------------------------------------------------------

    def _run(self) -> None:
        wait_silently()
        ticked = cleaned = time.monotonic()
        swept = ticked + CLEANING
        while not self._stopped.wait(HEARTBEAT):
            try:
                beat(self._store.warehouse)
                now = time.monotonic()
                if now - ticked < TICK:
                    continue
                self.tick(cleaning=now - cleaned >= CLEANING)
                if now >= swept:
                    swept = now + SWEEPING
                    self._sweep()
                ticked = time.monotonic()
                cleaned = ticked if now - cleaned >= CLEANING else cleaned
            except Exception as fault:
                self.fault = fault

    def _end_attachments(self, log: StreamLog) -> None:
        for name, producer in log.state().producers.items():
            if self._is_over(producer):
                log.detach(name)

    def _is_over(self, producer: ProducerState) -> bool:
        if producer.timeout is None or producer.owner is None or producer.owner == process_name():
            return False
        life = last_beat(self._store.warehouse, producer.owner)
        now = time.monotonic()
        seen, since = self._seen.get(producer.owner, (None, now))
        if seen != life or seen is None:
            self._seen[producer.owner] = (life, now)
            since = now
        silent, timeout = now - since, producer.timeout / 1000
        if silent >= timeout:
            # The clock may have been set back, and the last sign of life may be in its future.
            return True
        # It may have been set forward, or the machine slept: the process must also be silent while this one watches.
        return times.now() - max(producer.since, int(life * 1000)) > producer.timeout and silent >= _SEEN


def beat(warehouse: Path) -> None:
    """Shows that this process is alive."""
    path = warehouse / OWNERS / process_name()
    now = time.time()
    try:
        os.utime(path, (now, now))
    except FileNotFoundError:
        # A warehouse that was deleted is not created again.
        path.parent.mkdir(exist_ok=True)
        path.touch()
        _forget_old(path.parent)
    ages_in(warehouse).watch()


def last_beat(warehouse: Path, owner: str) -> float:
    """Returns when a process was last seen alive, in seconds since 1970; 0 if never."""
    try:
        return os.stat(warehouse / OWNERS / owner).st_mtime
    except FileNotFoundError:
        return 0.0


def _forget_old(folder: Path) -> None:
    limit = time.time() - _FORGOTTEN
    for path in folder.iterdir():
        try:
            if path.name != FILE and path.stat().st_mtime < limit:
                path.unlink()
        except FileNotFoundError:
            continue
