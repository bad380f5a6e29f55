"""ALTER PUMP … RESUME SKIP: a pump steps over the row at which it has failed.

The catalog keeps the position of the row in its stream, so a micro-batch that is repeated, by whatever process, steps
over the same row. A row at that position that can be computed, by another query, is none to step over.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rowtime.catalog.changes import Change, Entry
from rowtime.catalog.store import Store
from rowtime.errors import error
from rowtime.foreign.places import PLACING
from rowtime.runtime.faults import placed
from rowtime.runtime.pump.status import FailedRow, read_report

NOTHING = "RT0561"
_WAY_OUT = "CREATE OR REPLACE PUMP … OPTIONS (on_error 'skip') sets aside all rows whose values cannot be computed"


def skipped(entry: Entry) -> Mapping[str, Sequence[str]]:
    """Returns the positions of the rows over which a pump steps, by the name of their stream."""
    return entry.definition.get("skipped") or {}


def verdict(store: Store, change: Change) -> str:
    """Returns what RESUME SKIP does, in words. Raises RowtimeError RT0561 if there is no row to step over."""
    entry = store.get(change["name"])
    row = _failed_row(store, change)
    label = change["name"] if entry is None else entry.label
    return f"{label} steps over the row of '{row.stream}' at {placed(str(row.position))}"


def requested(store: Store, change: Change) -> Change:
    """Returns the change as the catalog takes it: it names the row. Raises RowtimeError RT0561."""
    row = _failed_row(store, change)
    return {**change, "skip": {"stream": row.stream, "position": row.position}}


def _failed_row(store: Store, change: Change) -> FailedRow:
    entry = store.get(change["name"])
    report = None if entry is None else read_report(store, entry)
    if entry is None or report is None or report.failed_since is None:
        raise error(NOTHING, f"Pump '{change['name']}' has not failed: there is no row to step over")
    if report.failed_row is None:
        raise error(
            NOTHING,
            f"{entry.label} has not failed at a row whose position is known: {report.error}",
            hint=f"Results of several rows have no position. {_WAY_OUT}",
        )
    if report.failed_row.position is None:
        raise error(
            NOTHING,
            f"{entry.label} has failed at a row of '{report.failed_row.stream}' whose position is not known: "
            f"{report.error}",
            hint=f"{_no_position(store, report.failed_row.stream)}. {_WAY_OUT}",
        )
    return report.failed_row


def _no_position(store: Store, stream: str) -> str:
    """Says why rows of a stream have no position."""
    entry = store.get(stream)
    connector = None if entry is None else entry.options.get("connector")
    if connector is None or connector in PLACING:
        return "It had waited for its watermark since before this version of rowtime"
    return f"Rows that connector '{connector}' reads have no position"
