"""The log of a named stream: an append-only Delta table that holds the stream's rows and its bound.

Every commit ends with a control row that carries the bound after it; readers take their watermark from those rows only.
Appends are serial (the store's write lock), so that bound and numbering are the same for everybody. Columns: the
stream's own, then

    _seq      BIGINT     arrival number, growing over the whole warehouse
    _control  BOOLEAN    true for control rows, whose other columns are NULL
    _bound    TIMESTAMP  on control rows: the stream's bound, NULL before its first row
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq
from deltalake import CommitProperties, DeltaTable
from deltalake.exceptions import TableNotFoundError
from deltalake.transaction import AddAction

from rowtime.catalog.changes import Entry
from rowtime.catalog.store import Store
from rowtime.errors import RowtimeError, error
from rowtime.streams import checksum, times
from rowtime.streams.columns import Column, arrow_type, columns
from rowtime.streams.judge import judge

ROWTIME = "ROWTIME"
SEQ, CONTROL, BOUND = "_seq", "_control", "_bound"

_SEQUENCE = "row"
_STATE = "log"
_FOREVER = {
    "delta.logRetentionDuration": "interval 36500 days",
    "delta.deletedFileRetentionDuration": "interval 1 days",
}


class LogState(msgspec.Struct, frozen=True, kw_only=True):
    """A stream after the commit `version`: its bound (ms, None before the first row), the ROWTIME (ms) of the first row
    that ever entered, late rows so far, size."""

    version: int
    bound: int | None = None
    first: int | None = None
    late: int = 0
    files: int = 0
    bytes: int = 0
    last_seq: int = 0


@dataclass(frozen=True, slots=True)
class Appended:
    """What an append did: rows that entered, and (index of the row, reason) of those that did not."""

    entered: int
    rejected: list[tuple[int, str]]
    state: LogState


class StreamLog:
    """The log of one stream. Any number of processes may have one open; use an instance from one thread at a time."""

    def __init__(self, store: Store, entry: Entry) -> None:
        self.store = store
        self.entry = entry
        self.name = entry.name
        self.columns: tuple[Column, ...] = columns(entry.definition["columns"])
        self.rowtime = next(i for i, column in enumerate(self.columns) if column.name == ROWTIME)
        self.folder: Path = store.folder(entry.id, "streams")
        fields = [(column.stored, arrow_type(column.type)) for column in self.columns]
        own = [(SEQ, pa.int64()), (CONTROL, pa.bool_()), (BOUND, pa.timestamp("us", "UTC"))]
        self.schema = pa.schema([*fields, *own])
        self._table: DeltaTable | None = None

    # --- writing -----------------------------------------------------------------------------------------------------

    def append(self, rows: Sequence[Sequence[Any]], *, floor: int | None = None) -> Appended:
        """Judges rows (stored values in the order of `columns`; ROWTIME None is the clock) and appends those that may
        enter, in one commit. `floor` is the bound of their producer, in milliseconds. Raises RowtimeError RT0900 where
        a ROWTIME is before 1970; nothing has entered then."""
        with self.store.exclusive():
            before = self._state()
            rowtimes = [None if row[self.rowtime] is None else row[self.rowtime] // 1000 for row in rows]
            _after_1970(self.name, rowtimes)
            verdict = judge(rowtimes, before.bound, floor, times.now())
            entered = []
            for index, rowtime in verdict.entered:
                row = list(rows[index])
                row[self.rowtime] = rowtime * 1000
                entered.append(row)
            late = before.late + len(verdict.rejected)
            state = self._commit(entered, before, verdict.bound, late)
            return Appended(len(entered), verdict.rejected, state)

    def advance(self, bound: int) -> LogState:
        """Sets the stream's bound (ms); an earlier one than it has leaves it where it is. A stream that no row has
        entered yet has no bound, and gets none."""
        with self.store.exclusive():
            before = self._state()
            if before.bound is None or bound <= before.bound:
                return before
            return self._commit([], before, bound, before.late)

    def mark(self) -> int:
        """Appends a control row with the bound as it is, and returns its version: where a reader that opens now is to
        begin, and what tells it the bound."""
        with self.store.exclusive():
            before = self._state()
            return self._commit([], before, before.bound, before.late).version

    # --- reading -----------------------------------------------------------------------------------------------------

    def state(self) -> LogState:
        """The stream as it is now."""
        with self.store.exclusive():
            return self._state()

    @property
    def bound(self) -> int | None:
        return self.state().bound

    # --- inside ------------------------------------------------------------------------------------------------------

    def _open(self) -> DeltaTable:
        if self._table is None:
            try:
                self._table = DeltaTable(str(self.folder))
            except TableNotFoundError:
                self.folder.mkdir(parents=True, exist_ok=True)
                self._table = DeltaTable.create(
                    str(self.folder), self.schema, mode="ignore", configuration=_FOREVER, name=None
                )
        return self._table

    def _state(self) -> LogState:
        table = self._open()
        noted = self.store.note(self.entry.id, _STATE)
        table.update_incremental()
        version = table.version()
        if noted is not None and noted["version"] == version:
            return msgspec.convert(noted, LogState)
        # The process that made the last commit has died before it could write it down.
        return _from_commit(self.name, table, version)

    def _commit(self, rows: list[list[Any]], before: LogState, bound: int | None, late: int) -> LogState:
        table = self._open()
        count = len(rows) + 1
        first = max(self.store.allocate(_SEQUENCE, count), before.last_seq + 1)
        data = _arrow(self.schema, rows, first, bound)
        name = f"part-{uuid.uuid4().hex}.parquet"
        pq.write_table(data, self.folder / name, compression="snappy")
        size = (self.folder / name).stat().st_size
        state = LogState(
            version=before.version + 1,
            bound=bound,
            first=rows[0][self.rowtime] // 1000 if before.first is None and rows else before.first,
            late=late,
            files=before.files + 1,
            bytes=before.bytes + size,
            last_seq=first + count - 1,
        )
        checksum.write(self.folder, table, state.version, state.files, state.bytes)
        # Delta's own retry would commit at another version what was judged for this one.
        properties = CommitProperties(
            custom_metadata={"rowtime": msgspec.json.encode(state).decode()}, max_commit_retries=0
        )
        action = AddAction(name, size, {}, time.time_ns() // 1_000_000, True, f'{{"numRecords":{count}}}')
        table.create_write_transaction([action], "append", self.schema, commit_properties=properties)
        self.store.set_note(self.entry.id, _STATE, msgspec.to_builtins(state))
        return state


def _arrow(schema: pa.Schema, rows: list[list[Any]], first: int, bound: int | None) -> pa.Table:
    count = len(rows)
    transposed = [list(values) for values in zip(*rows, strict=True)] if rows else [[]] * (len(schema) - 3)
    arrays = [pa.array([*values, None], field.type) for values, field in zip(transposed, schema, strict=False)]
    arrays.append(pa.array(range(first, first + count + 1), pa.int64()))
    arrays.append(pa.array([False] * count + [True]))
    arrays.append(pa.array([None] * count + [None if bound is None else bound * 1000], schema.field(BOUND).type))
    return pa.Table.from_arrays(arrays, schema=schema)


def _from_commit(name: str, table: DeltaTable, version: int) -> LogState:
    if version == 0:
        return LogState(version=0)
    (last,) = table.history(1)
    written = last.get("rowtime")
    if written is None:
        raise damaged(name, f"commit {version} is not one of rowtime's")
    return msgspec.json.decode(written, type=LogState)


def _after_1970(stream: str, rowtimes: Sequence[int | None]) -> None:
    """Spark's watermark begins with 1970: an earlier row would be late to every query, and nobody would see it."""
    for rowtime in rowtimes:
        if rowtime is not None and rowtime < 0:
            raise error("RT0900", f"not supported yet: ROWTIME {times.text(rowtime)} in stream '{stream}', before 1970")


def damaged(name: str, reason: str) -> RowtimeError:
    return error(
        "RT0605", f"The log of stream '{name}' cannot be used: {reason}", hint="Restore it, or drop the stream"
    )
