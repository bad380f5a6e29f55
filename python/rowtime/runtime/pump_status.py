"""How pumps are getting on: what the process that runs one writes down, and what anyone makes of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import msgspec

from rowtime.catalog.changes import STARTED, Entry, pump_state
from rowtime.catalog.store import Store
from rowtime.runtime.folders import is_free

_NOTE = "status"


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """What the process that runs a pump knows of it. `rowtime` is the bound of its output (ISO, UTC), `lag` how far it
    is behind its sources, in seconds of rowtime."""

    pid: int
    running: bool
    rows_in: int = 0
    rows_out: int = 0
    rows_per_second: float = 0.0
    rowtime: str | None = None
    lag: float | None = None
    late_rows: int = 0
    error: str | None = None


@dataclass(frozen=True, slots=True)
class PumpStatus:
    """`state` is STOPPED, STARTED or PAUSED, as the catalog has it; `pid` the process that runs it, None where none
    does. Counts are those of the last process that ran it."""

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

    def to_dict(self) -> dict[str, Any]:
        found: dict[str, Any] = msgspec.to_builtins(self)
        return found


def write(store: Store, entry: Entry, report: Report) -> None:
    store.set_note(entry.id, _NOTE, msgspec.to_builtins(report))


def read(store: Store, entry: Entry, report: Report | None = None) -> PumpStatus:
    """The status of a pump: by the report of whoever runs it here, else by what was written down."""
    if report is None:
        noted = store.note(entry.id, _NOTE)
        report = Report(pid=0, running=False) if noted is None else msgspec.convert(noted, Report)
        if is_free(store.folder(entry.id, "pumps") / "lock"):
            report = msgspec.structs.replace(report, pid=0, running=False)
    state = pump_state(entry.definition)
    live = report.pid != 0 and state == STARTED
    return PumpStatus(
        name=entry.name,
        state=state,
        pid=report.pid if live else None,
        rows_in=report.rows_in,
        rows_out=report.rows_out,
        rows_per_second=report.rows_per_second if live and report.running else 0.0,
        rowtime=report.rowtime,
        lag=report.lag,
        late_rows=report.late_rows,
        error=report.error,
    )
