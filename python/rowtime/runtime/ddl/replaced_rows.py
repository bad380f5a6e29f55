"""Refuses to replace a stream or table whose rows do not fit its new definition. The planner says why; whether there
are rows, only the warehouse knows."""

from __future__ import annotations

from collections.abc import Callable

from rowtime.catalog.changes import Entry
from rowtime.catalog.store import Store
from rowtime.errors import RowtimeError
from rowtime.findings import to_diagnostics
from rowtime.planner import Define, Explain
from rowtime.streams.log import StreamLog
from rowtime.streams.rules import is_logged
from rowtime.tables import tables


def refusal(statement: Define | Explain, store: Store, log: Callable[[Entry], StreamLog]) -> RowtimeError | None:
    """Returns the error (RT0341) of a statement that would lose rows of the object that it replaces; None if there are
    none."""
    entry = None if statement.refusal is None else store.get(statement.object or "")
    if entry is None or statement.refusal is None or not _has_rows(store, log, entry):
        return None
    return RowtimeError(to_diagnostics([statement.refusal]))


def _has_rows(store: Store, log: Callable[[Entry], StreamLog], entry: Entry) -> bool:
    if not is_logged(entry):
        return tables.has_rows(store, entry)
    state = log(entry).state()
    keeps_rows = entry.kind == "TABLE" or "history" in entry.options
    # Rows that wait are in no history yet.
    return state.held > 0 or (keeps_rows and state.entered > 0)
