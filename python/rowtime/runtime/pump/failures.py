"""Failures of a pump: what its errors say, and when it is restarted."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

from rowtime.catalog.changes import Entry
from rowtime.errors import RowtimeError
from rowtime.runtime.faults import RowFault, query_fault
from rowtime.runtime.pump.signature import computed_again
from rowtime.runtime.pump.status import FailedRow
from rowtime.types import times

FIRST_DELAY, LONGEST_DELAY = 1.0, 60.0
"""Seconds until a failed pump is restarted: doubled with each failure in a row."""


@dataclass(frozen=True, slots=True)
class Failing:
    """A pump has failed, and has done nothing since: the time of the first failure (ms), and the last error."""

    since: int
    fault: RowtimeError

    @property
    def row(self) -> FailedRow | None:
        """Returns the row for which it has failed, if it is known."""
        if isinstance(self.fault, RowFault) and self.fault.stream is not None:
            return FailedRow(self.fault.stream, self.fault.position)
        return None


class PumpFailures:
    """The failures of a pump in a row. `due` is when it is started again (`time.monotonic`), `failing` its failure
    until it has recovered."""

    def __init__(self) -> None:
        self.due = 0.0
        self.failing: Failing | None = None
        self._count = 0

    def add(self, fault: RowtimeError) -> None:
        self.due = time.monotonic() + min(LONGEST_DELAY, FIRST_DELAY * 2**self._count)
        self._count += 1
        self.failing = Failing(times.now() if self.failing is None else self.failing.since, fault)

    def end(self) -> bool:
        """Notes that the pump works. Returns whether it had failed."""
        failing, self.failing = self.failing, None
        if failing is not None:
            self._count = 0
        return failing is not None

    @property
    def is_due(self) -> bool:
        return time.monotonic() >= self.due


def way_out(entry: Entry) -> str:
    """Returns what to do about a pump whose checkpoint is damaged."""
    if entry.is_materialized_view:
        return f"Restore the file from a backup; or {computed_again(entry)}"
    return (
        f"Restore the file from a backup; or ALTER PUMP {entry.name} START RESET DROP STATE, "
        "which starts with the rows that arrive from then on"
    )


def pump_fault(entry: Entry, folder: Path, fault: BaseException) -> RowtimeError:
    """Returns the error of a pump for an exception of its query, whose checkpoint is in the folder."""
    skip = None if entry.is_materialized_view else f"ALTER PUMP {entry.name} RESUME SKIP"
    return query_fault(fault, entry.label, folder / "spark" / "state", way_out(entry), skip)
