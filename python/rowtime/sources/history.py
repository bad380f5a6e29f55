"""Limited history: checks that a stream still has the rows that a relational query needs."""

from __future__ import annotations

from rowtime.catalog.changes import Entry
from rowtime.catalog.system import is_system
from rowtime.errors import RowtimeError, error
from rowtime.plan.nodes import Scan
from rowtime.streams.log import StreamLog
from rowtime.streams.retention import removed_until
from rowtime.streams.rules import history
from rowtime.types import times


def kept_since(entry: Entry, log: StreamLog) -> int | None:
    """Returns the ROWTIME (ms) from which on the stream's rows are kept; None if all rows are."""
    state, kept, held = log.state(), history(entry), []
    if kept is not None and state.bound is not None and state.first is not None and state.first < state.bound - kept:
        held.append(state.bound - kept)
    if state.cleaned > 0 and not is_system(entry.definition):
        # What was removed does not come back with a longer history.
        until = state.removed_until
        if until is None:
            # Earlier builds did not record it.
            until = removed_until(log, log.state_at(state.cleaned))
        if until is not None:
            held.append(until)
    return max(held, default=None)


def check(scan: Scan, entry: Entry, log: StreamLog) -> None:
    """Raises RowtimeError RT0520 if a scan of a relation needs rows of a stream that have been deleted. Call it once
    the version that is read is known: a clean-up may remove rows until then."""
    if entry.kind != "STREAM":
        return
    held = kept_since(entry, log)
    if held is not None and (scan.min_rowtime is None or scan.min_rowtime < held):
        raise _insufficient(entry, scan.min_rowtime, held)


def _insufficient(entry: Entry, needed: int | None, held: int) -> RowtimeError:
    wanted = "all rows" if needed is None else f"the rows from {times.text(needed)} on"
    return error(
        "RT0520",
        f"The query needs {wanted} of stream '{entry.name}', and its history ('{entry.options['history']}') "
        f"begins at {times.text(held)}",
        hint=f"Add a condition such as ROWTIME >= TIMESTAMP '{times.text(held)}', or keep more history",
    )
