"""Late rows made known: the stream ALL_TRACE, and a stream's own late_stream.

A commit that rejects rows keeps those worth telling in a side file, and its state names the file. From there they are
forwarded at once; whatever a process that died has left is forwarded by the next one. The targets remember the version
of the commit that rows came from, so nothing is told twice. Every row is told where the late stream wants it or the
level of `laterow` is FINEST; otherwise the 1st, 10th, 100th, … of a stream.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from rowtime.catalog.system import ALL_TRACE
from rowtime.streams import times
from rowtime.streams.columns import Column
from rowtime.streams.rules import ROWTIME
from rowtime.streams.steps import Refusal, Step, stored_rows
from rowtime.streams.values import restored

if TYPE_CHECKING:
    from pathlib import Path

    from rowtime.streams.log import StreamLog

TRACER = "laterow"
FINEST, WARNING = "FINEST", "WARNING"
SAVED = 1000
"""How many rows ALL_TRACE keeps."""

SETTING, SETTINGS_FILE = "ROWTIME_TRACE", "trace.properties"

_REASON, _PRODUCER, _COUNT, _LEVEL = "_reason", "_producer", "_count", "_level"


def level(warehouse: Path) -> str:
    """The trace level of late rows: from the environment (ROWTIME_TRACE="laterow=FINEST"), else from the same line in
    the warehouse's trace.properties."""
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


def worth_telling(log: StreamLog, before: int, refused: list[Refusal]) -> pa.Table | None:
    """The rejected rows of a commit that somebody is to see, with their reason, producer, number among the log's
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


def forward(log: StreamLog) -> None:
    """Sends what the log's commits have left to be told, oldest first."""
    for pending in log.state().outgoing:
        if pending.version <= log.forwarded:
            continue
        try:
            table = log.side.read_table(pending.name)
        except FileNotFoundError:
            # Somebody else has forwarded it, and a later commit has let go of it.
            continue
        _to_trace(log, table, pending.version)
        _to_late_stream(log, table, pending.version)
        log.forwarded = max(log.forwarded, pending.version)


def _powers(numbers: range) -> Iterator[int]:
    power = 1
    while power < numbers.stop:
        if power in numbers:
            yield power
        power *= 10


def _to_trace(log: StreamLog, table: pa.Table, version: int) -> None:
    entry = log.store.get(ALL_TRACE)
    if entry is None:
        return
    target = log.peer(entry)
    rows = []
    for *values, reason, producer, count, at in stored_rows(table.filter(pc.is_valid(table[_LEVEL]))):
        told = {
            "LEVEL": at,
            "TRACER": TRACER,
            "STREAM": log.name,
            "PRODUCER": producer,
            "LATE_ROWS": count,
            "MESSAGE": _message(log, values, reason, count),
        }
        rows.append([told.get(column.name) for column in target.columns])
    if rows:
        target.submit(Step(rows=target.table(rows), sender=f"trace:{log.entry.id}", batch=version))


def _message(log: StreamLog, values: list[Any], reason: str, count: int) -> str:
    shown = ", ".join(
        f"{column.name} {_shown(value, column)}" for column, value in zip(log.columns, values, strict=True)
    )
    return f"Row rejected by '{log.name}' as {reason}, number {count}: {shown}"


def _shown(value: Any, column: Column) -> str:
    if value is None:
        return "NULL"
    if column.type.name == "TIMESTAMP":
        return times.text(value // 1000)
    found = restored(value, column)
    return f"'{found}'" if isinstance(found, str) else str(found)


def _to_late_stream(log: StreamLog, table: pa.Table, version: int) -> None:
    name = log.rules.late_stream
    entry = None if name is None else log.store.get(name) or log.store.get(name.upper())
    if entry is None or entry.kind not in ("STREAM", "TABLE"):
        return
    target = log.peer(entry)
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
        arrays.append(_as(values, field.type, table.num_rows))
    rows = pa.Table.from_arrays(arrays, schema=target.stored)
    target.submit(Step(rows=rows, sender=f"late:{log.entry.id}", batch=version))


def _as(values: Any, type: pa.DataType, count: int) -> Any:
    if values is not None:
        try:
            return values.cast(type)
        except pa.ArrowException:
            pass
    return pa.nulls(count, type)
