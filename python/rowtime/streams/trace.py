"""Reports late rows: in the stream ALL_TRACE, and in a stream's own late_stream.

A commit that rejects rows stores those that are reported in a side file, and its state names the file. From there they
are forwarded immediately; the next process forwards those that a dead process has left. The targets record the version
of the commit that rows came from, so nothing is reported twice. Every row is reported if the stream has a late stream
or the level of `laterow` is FINEST; otherwise the 1st, 10th, 100th, … of a stream.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Protocol

import pyarrow as pa
import pyarrow.compute as pc

from rowtime.catalog.changes import Entry
from rowtime.catalog.system import ALL_TRACE
from rowtime.streams.logtable import LogTable
from rowtime.streams.rules import ROWTIME, is_logged
from rowtime.streams.writes import RejectedRows, WriteOutcome, WriteRequest, stored_rows
from rowtime.types import times
from rowtime.types.columns import Column, table_of
from rowtime.types.values import from_stored

if TYPE_CHECKING:
    from pathlib import Path


class RejectedRowLog(Protocol):
    """A log that accepts rejected rows."""

    columns: tuple[Column, ...]
    stored: pa.Schema

    def submit(self, step: WriteRequest) -> WriteOutcome: ...


Peers = Callable[[Entry], RejectedRowLog]
"""Opens another log of the same warehouse."""

TRACER = "laterow"
FINEST, WARNING = "FINEST", "WARNING"
SAVED = 1000
"""The number of rows that ALL_TRACE keeps."""

SETTING, SETTINGS_FILE = "ROWTIME_TRACE", "trace.properties"

_REASON, _PRODUCER, _COUNT, _LEVEL = "_reason", "_producer", "_count", "_level"


def level(warehouse: Path) -> str:
    """Returns the trace level of late rows: from the environment (ROWTIME_TRACE="laterow=FINEST"), or else from the
    same line in the warehouse's trace.properties."""
    lines = os.environ.get(SETTING, "").replace(",", "\n")
    if not lines:
        try:
            lines = (warehouse / SETTINGS_FILE).read_text()
        except OSError:
            return WARNING
    for line in lines.splitlines():
        name, _, value = line.partition("=")
        if name.strip().lower() == TRACER:
            return value.strip().upper()
    return WARNING


def traced_rows(log: LogTable, before: int, refused: list[RejectedRows]) -> pa.Table | None:
    """Returns the rejected rows of a commit that are reported, with their reason, producer, number among the log's
    rejected rows, of which there were `before`, and level in the trace (NULL: they are not for the trace)."""
    if log.entry.name == ALL_TRACE:
        return None
    late = log.rules.late_stream is not None
    others = FINEST if level(log.store.warehouse) == FINEST else None
    parts = []
    for part in refused:
        count = len(part.producers)
        numbers = range(before + 1, before + count + 1)
        powers = list(_powers(numbers))
        which = list(range(count)) if late or others else [n - before - 1 for n in powers]
        before += count
        if which:
            table = part.table if len(which) == count else part.table.take(pa.array(which))
            table = table.append_column(_REASON, pa.array([part.reasons[i] for i in which]))
            table = table.append_column(_PRODUCER, pa.array([part.producers[i] for i in which], pa.string()))
            table = table.append_column(_COUNT, pa.array([numbers[i] for i in which], pa.int64()))
            levels = [WARNING if numbers[i] in powers else others for i in which]
            parts.append(table.append_column(_LEVEL, pa.array(levels, pa.string())))
    if not parts or (not late and log.store.get(ALL_TRACE) is None):
        return None
    return pa.concat_tables(parts).combine_chunks()


def forward(log: LogTable, peer: Peers) -> None:
    """Forwards the rejected rows of the log's commits, oldest first. `peer` opens another log of the warehouse."""
    for pending in log.state().outgoing:
        if pending.version <= log.forwarded:
            continue
        try:
            table = log.side.read_table(pending.name)
        except FileNotFoundError:
            # Another process has forwarded it, and a later commit has removed it.
            continue
        target, rows, fault = _late_rows(log, table, peer)
        _to_trace(log, peer, table, pending.version, fault)
        if target is not None and rows is not None:
            target.submit(WriteRequest(rows=rows, sender=sender(log), batch=pending.version))
        log.forwarded = max(log.forwarded, pending.version)


def fault_of(log: LogTable) -> str | None:
    """Returns why the rejected rows of a log cannot go to its late stream in the current catalog; None: they can, or it
    has none. CREATE refuses such an option, but a catalog may be older than that check."""
    seen: list[str] = [log.entry.name]
    name = _late_stream(log)
    while name is not None:
        entry = log.store.get(name) or log.store.get(name.upper())
        if entry is None:
            return None if len(seen) > 1 else f"its late_stream '{name}' does not exist"
        if not is_logged(entry) and len(seen) == 1:
            return f"its late_stream '{entry.name}' is a {entry.kind.lower()} without a log"
        if entry.name == log.entry.name:
            return "its late_stream leads back to it: " + " -> ".join([*seen, entry.name])
        if entry.name in seen:
            return None
        seen.append(entry.name)
        name = entry.options.get("late_stream")
    return None


def _late_stream(log: LogTable) -> str | None:
    """Returns the late stream in the current catalog: it may have been dropped since the log was opened."""
    if log.rules.late_stream is None:
        return None
    entry = log.store.get(log.entry.name)
    return None if entry is None else entry.options.get("late_stream")


def _powers(numbers: range) -> Iterator[int]:
    power = 1
    while power < numbers.stop:
        if power in numbers:
            yield power
        power *= 10


def _to_trace(log: LogTable, peer: Peers, table: pa.Table, version: int, fault: str | None) -> None:
    entry = log.store.get(ALL_TRACE)
    if entry is None:
        return
    target = peer(entry)
    rows = []
    for *values, reason, producer, count, at in stored_rows(table.filter(pc.is_valid(table[_LEVEL]))):
        fields = {
            "LEVEL": at,
            "TRACER": TRACER,
            "STREAM": log.name,
            "PRODUCER": producer,
            "LATE_ROWS": count,
            "MESSAGE": _message(log, values, reason, count) + (f"; kept nowhere: {fault}" if fault else ""),
        }
        rows.append([fields.get(column.name) for column in target.columns])
    if rows:
        target.submit(WriteRequest(rows=table_of(target.columns, rows), sender=f"trace:{log.entry.id}", batch=version))


def _message(log: LogTable, values: list[Any], reason: str, count: int) -> str:
    shown = ", ".join(
        f"{column.name} {_format(value, column)}" for column, value in zip(log.columns, values, strict=True)
    )
    return f"Row rejected by '{log.name}' as {reason}, number {count}: {shown}"


def _format(value: Any, column: Column) -> str:
    if value is None:
        return "NULL"
    if column.type.name == "TIMESTAMP":
        return times.text(value // 1000)
    found = from_stored(value, column)
    return f"'{found}'" if isinstance(found, str) else str(found)


def sender(log: LogTable) -> str:
    """Returns the name under which the late stream counts the rows of this log."""
    return f"late:{log.entry.id}"


def _late_rows(
    log: LogTable, table: pa.Table, peer: Peers
) -> tuple[RejectedRowLog | None, pa.Table | None, str | None]:
    """Returns the late stream and the rejected rows in its columns, or why they cannot go there."""
    name = _late_stream(log)
    fault = fault_of(log)
    entry = None if name is None or fault is not None else log.store.get(name) or log.store.get(name.upper())
    if entry is None:
        return None, None, fault
    target = peer(entry)
    by_name = {column.name: table.column(column.stored) for column in log.columns}
    extra: dict[str, Any] = {
        "REASON": table.column(_REASON),
        "PRODUCER": table.column(_PRODUCER),
        "STREAM": pa.array([log.name] * table.num_rows),
        "REJECTED_ROWTIME": by_name.get(ROWTIME),
    }
    arrays = []
    for column, field in zip(target.columns, target.stored, strict=True):
        values = None if column.name == ROWTIME else by_name.get(column.name, extra.get(column.name))
        if column.name == "PRODUCER" and column.name not in by_name and column.type.precision is not None:
            values = pc.utf8_slice_codeunits(values, 0, column.type.precision)
        try:
            arrays.append(pa.nulls(table.num_rows, field.type) if values is None else values.cast(field.type))
        except pa.ArrowException:
            return None, None, f"column '{column.name}' of its late_stream '{entry.name}' cannot hold its values"
    return target, pa.Table.from_arrays(arrays, schema=target.stored), None
