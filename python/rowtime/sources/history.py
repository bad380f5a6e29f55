"""Limited history: checks that a stream still has the rows that a relational query needs."""

from __future__ import annotations

from collections.abc import Callable

from rowtime.catalog.changes import Entry
from rowtime.errors import RowtimeError, error
from rowtime.plan.nodes import Node, Scan
from rowtime.plan.operators import scans
from rowtime.streams.log import LogState
from rowtime.streams.rules import history
from rowtime.types import times


def kept_since(entry: Entry, state: LogState) -> int | None:
    """Returns the ROWTIME (ms) from which on the stream's rows are kept; None if all rows are."""
    kept = history(entry)
    if kept is None or state.bound is None or state.first is None or state.first >= state.bound - kept:
        return None
    return state.bound - kept


def check(
    plan: Node,
    entry_of: Callable[[str], Entry | None],
    state_of: Callable[[Entry], LogState],
    has_kept: Callable[[Entry, Scan], bool],
) -> None:
    """Raises RowtimeError RT0520 if the plan needs rows of a stream that have been deleted. `has_kept` returns whether
    the query has its own copy of a scan's rows."""
    for scan in scans(plan):
        entry = entry_of(scan.source)
        if scan.mode != "relation" or entry is None or entry.kind != "STREAM" or has_kept(entry, scan):
            continue
        held = kept_since(entry, state_of(entry))
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
