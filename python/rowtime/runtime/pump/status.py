"""The status of pumps: the report that the running process writes, and its interpretation by any process."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec

from rowtime.catalog.changes import STARTED, Entry, pump_state
from rowtime.catalog.store import Store
from rowtime.decoding import Decoder
from rowtime.errors import RowtimeError
from rowtime.locks import is_free
from rowtime.processes import has_ended
from rowtime.runtime.checkpoint.partitions import recorded_partitions
from rowtime.runtime.checkpoint.source_rows import ScanProgress, SourceProgress, by_source
from rowtime.runtime.launch.folders import pump_folder
from rowtime.streams.ages import ages_in
from rowtime.streams.ends import Place
from rowtime.streams.maintenance import last_beat
from rowtime.types import times

FAILED = "FAILED"
_NOTE = "status"
SILENT = 10.0
"""Seconds without a sign of life after which a process counts as suspended."""


class FailedRow(msgspec.Struct, frozen=True):
    """The row at which a pump has failed: its `stream`, and its `position` there, as text; None if rows of that stream
    have none."""

    stream: str
    position: str | None


class Met(msgspec.Struct, frozen=True):
    """A pump that is part of a takeover has read its sources as far as it shall by its definition of catalog version
    `since`, to `places`, and has ended; `bound` is that of its output (ms)."""

    since: int
    places: dict[str, Place]
    bound: int | None


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """The report of the process that runs a pump. `rowtime` is the bound of its output (ISO, UTC), `lag` how far it is
    behind its sources, in seconds of rowtime."""

    pid: int
    running: bool
    rows_in: int = 0
    rows_out: int = 0
    rows_per_second: float = 0.0
    rowtime: str | None = None
    lag: float | None = None
    late_rows: int = 0
    error: str | None = None
    owner: str | None = None
    """The name under which its process shows that it is alive (`keeper`)."""
    bad_rows: int = 0
    failed_since: str | None = None
    """The time of the first failure (ISO, UTC) of a pump that has done nothing since."""
    failed_rows: int = 0
    scans: list[ScanProgress] = []
    generation: int = 0
    state_rows: int | None = None
    """The number of entries in its state store; None: unknown."""
    null_values: int = 0
    failed_row: FailedRow | None = None
    met: Met | None = None


_reports = Decoder(Report)


@dataclass(frozen=True, slots=True)
class PumpStatus:
    """`state` is STOPPED, STARTED or PAUSED, as in the catalog, or FAILED: it is started, but has failed with this
    `error`, the first time at `failed_since` (ISO, UTC), and is tried again. `pid` is the process that runs it, None if
    none does.

    `rows_in` are the rows taken from its sources, each once; `sources` has the rows and the position of each source.
    `rows_out` are the rows that its target has taken. `late_rows` counts the rows that its target has rejected, and the
    late rows of foreign streams and of views with LATENESS; `bad_rows` the invalid records of foreign streams, and the
    `failed_rows`, which `on_error` or RESUME SKIP has skipped; `null_values` the values that it has made NULL.
    `failed_row` is the row at which it has failed, if it is one of a stream. Counts are those since its last
    reset; a process that is killed may not have counted the rows that an adapter or a socket has sent in its last
    second. `partitions` is the number of its state's partitions, None before its first start. `mode`
    is `microbatch` or `realtime`."""

    name: str
    state: str
    pid: int | None
    rows_in: int
    rows_out: int
    rows_per_second: float
    rowtime: str | None
    lag: float | None
    late_rows: int
    error: str | None
    partitions: int | None = None
    bad_rows: int = 0
    failed_since: str | None = None
    failed_rows: int = 0
    null_values: int = 0
    failed_row: FailedRow | None = None
    sources: Mapping[str, SourceProgress] = field(default_factory=dict)
    mode: str = "microbatch"

    def to_dict(self) -> dict[str, Any]:
        found: dict[str, Any] = msgspec.to_builtins(self)
        return found


def write_report(store: Store, entry: Entry, report: Report) -> None:
    store.set_note(entry.id, _NOTE, msgspec.to_builtins(report))


def read_report(store: Store, entry: Entry) -> Report:
    """Returns the report that the last process that ran a pump has written."""
    written = store.note(entry.id, _NOTE)
    return Report(pid=0, running=False) if written is None else _reports.convert(written)


def read_status(store: Store, entry: Entry, report: Report | None = None) -> PumpStatus:
    """The status of a pump: from the process itself if it runs here, otherwise from its written report."""
    if report is None:
        report = read_report(store, entry)
        if is_free(store.folder(entry.id, "pumps") / "lock"):
            report = msgspec.structs.replace(report, pid=0, running=False)
    state = pump_state(entry.definition)
    live = report.pid != 0 and state == STARTED
    failed = report.failed_since if state == STARTED else None
    silent = _silent(store, report) if live else None
    return PumpStatus(
        name=entry.name,
        state=state if failed is None else FAILED,
        pid=report.pid if live else None,
        rows_in=report.rows_in,
        rows_out=report.rows_out,
        rows_per_second=report.rows_per_second if live and report.running else 0.0,
        rowtime=report.rowtime,
        lag=report.lag,
        late_rows=report.late_rows,
        partitions=_partitions(store, entry),
        error=silent or report.error,
        bad_rows=report.bad_rows,
        failed_since=failed,
        failed_rows=report.failed_rows,
        null_values=report.null_values,
        failed_row=None if failed is None else report.failed_row,
        sources=by_source(report.scans),
        mode=entry.options.get("mode", "microbatch").strip().lower(),
    )


def _silent(store: Store, report: Report) -> str | None:
    """Returns a remark on a process that holds the lock of a pump and is suspended, or has ended while a process that
    it started still holds the lock: no other process can run the pump."""
    last = 0.0 if report.owner is None else last_beat(store.warehouse, report.owner)
    if not last or ages_in(store.warehouse).age(last) < SILENT:
        return None
    since = times.text(int(last * 1000))
    if report.owner is not None and has_ended(report.owner):
        return f"process {report.pid} has ended, but a process that it started still has the lock of the pump; end it"
    return f"process {report.pid} has been silent since {since} UTC; resume it (kill -CONT), or end it"


def _partitions(store: Store, entry: Entry) -> int | None:
    # If the checkpoint is damaged, starting the pump reports it; this list is for all pumps.
    with contextlib.suppress(RowtimeError):
        return recorded_partitions(pump_folder(store, entry))
    return None
