"""Writes DataFrames into streams and tables: each write, and each micro-batch, is one step. A micro-batch is written
once, however often Spark runs it.

The tasks send their rows to the driver as Arrow, compressed, within the message that Spark has for it: a step is
admitted as a whole, by the clock of the stream. Rows of a DataFrame have no order, so they enter in order of ROWTIME.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import msgspec
import pyarrow as pa
from pyspark.sql.datasource import DataSourceArrowWriter, DataSourceStreamArrowWriter, WriterCommitMessage
from pyspark.sql.types import StructType

from rowtime.catalog.system import is_system
from rowtime.datasource.identifiers import Identifier, Opened
from rowtime.datasource.values import misfit, to_stored
from rowtime.decoding import Decoder
from rowtime.errors import error
from rowtime.runtime.target.targets import Batch, LogTarget, StoredTarget, TableTarget, not_insertable
from rowtime.storage.locations import local_folder
from rowtime.streams.log import ROWTIME


@dataclass
class Rows(WriterCommitMessage):
    """The rows of one task, as an Arrow stream."""

    content: bytes


class Writer(DataSourceArrowWriter):
    """Appends the rows of a DataFrame, as INSERT does: all of them or none."""

    def __init__(self, identifier: Identifier, schema: StructType, overwrite: bool) -> None:
        if overwrite:
            hint = "Write with mode('append'); DELETE FROM … removes rows"
            raise error("RT0657", f"'{identifier.name}' cannot be overwritten", hint=hint)
        self._identifier = identifier
        with identifier.opened() as found:
            check_columns(found, schema.names)

    def write(self, iterator: Iterator[pa.RecordBatch]) -> Rows:
        return packed(iterator)

    def commit(self, messages: Sequence[WriterCommitMessage | None]) -> None:
        with self._identifier.opened() as found:
            rows = unpacked(messages, found)
            if rows.num_rows:
                target_of(found, rows.column_names, None).put(by_rowtime(rows, found))


class StreamWriter(DataSourceStreamArrowWriter):
    """Writes micro-batches. For a stream it is a producer, which is attached while micro-batches follow one another
    within the stream's producer_timeout. `query` is the id of the query, which outlives a restart."""

    def __init__(self, identifier: Identifier, schema: StructType, query: str) -> None:
        self._identifier = identifier
        self._query = query
        with identifier.opened() as found:
            check_columns(found, schema.names)

    def write(self, iterator: Iterator[pa.RecordBatch]) -> Rows:
        return packed(iterator)

    def commit(self, messages: Sequence[WriterCommitMessage | None], batchId: int) -> None:
        with self._identifier.opened() as found:
            rows = unpacked(messages, found)
            target = target_of(found, rows.column_names, f"spark:{self._query}")
            target.put(rows, Batch(batchId, lambda: None))


class _Metadata(msgspec.Struct):
    id: str


_METADATA = Decoder(_Metadata)


def query_id(checkpoint: str | None) -> str:
    """Returns the id that Spark keeps for a query in its checkpoint. With a new checkpoint, it is another query, whose
    micro-batches begin anew. Raises RowtimeError RT0657 if the folder is not one of this machine."""
    folder = local_folder(checkpoint) if checkpoint else None
    if folder is None:
        raise error(
            "RT0657",
            "A streaming write needs the option 'checkpointLocation', with a folder of this machine",
            hint="The checkpoint tells which micro-batches were written before",
        )
    try:
        return _METADATA.decode((folder / "metadata").read_bytes()).id
    except (OSError, msgspec.MsgspecError) as fault:
        raise error("RT0657", f"The checkpoint '{checkpoint}' has no metadata that can be read ({fault})") from fault


def check_columns(found: Opened, names: Sequence[str]) -> None:
    """Raises RowtimeError RT0320 unless rows can be inserted, RT0502 unless those of a DataFrame with columns of these
    names can be."""
    if found.entry.is_materialized_view or is_system(found.entry.definition):
        raise not_insertable(found.entry)
    folded = {name.upper() for name in names}
    if not names:
        raise misfit(found.entry.label, "there are no columns")
    for definition in found.entry.definition["columns"]:
        name, is_clock = definition["name"], definition["name"] == ROWTIME and found.entry.kind == "STREAM"
        if name.upper() in folded or is_clock:
            continue
        if definition.get("default") is not None:
            raise misfit(found.entry.label, f"{name} has a DEFAULT, which only SQL computes; give it a value")
        if not definition.get("nullable", True):
            raise misfit(found.entry.label, f"there is no column '{name}', which is NOT NULL")


def packed(batches: Iterator[pa.RecordBatch]) -> Rows:
    """Returns the rows of a task."""
    sink = pa.BufferOutputStream()
    writer: pa.RecordBatchStreamWriter | None = None
    for batch in batches:
        if writer is None:
            writer = pa.ipc.new_stream(sink, batch.schema, options=pa.ipc.IpcWriteOptions(compression="lz4"))
        writer.write_batch(batch)
    if writer is not None:
        writer.close()
    return Rows(sink.getvalue().to_pybytes())


def unpacked(messages: Sequence[WriterCommitMessage | None], found: Opened) -> pa.Table:
    """Returns the rows of all tasks in the stored form of their columns, in the order of the tasks."""
    tables = []
    for message in messages:
        if isinstance(message, Rows) and message.content:
            tables.append(pa.ipc.open_stream(message.content).read_all())
    if not tables:
        return pa.table({})
    return to_stored(pa.concat_tables(tables), found.columns, found.entry.label)


def by_rowtime(rows: pa.Table, found: Opened) -> pa.Table:
    """Returns the rows for a stream in order of ROWTIME, those without one at the end; others as they are."""
    rowtime = next((c.stored for c in found.columns if c.name == ROWTIME), None)
    if found.entry.kind != "STREAM" or rowtime not in rows.column_names:
        return rows
    return rows.sort_by(rowtime)


def target_of(found: Opened, stored: Sequence[str], sender: str | None) -> StoredTarget:
    """Returns the target for rows that have these columns, by their stored names."""
    names = [column.name for column in found.columns if column.stored in stored]
    if found.log is not None:
        return LogTarget(found.log, found.entry, names, sender, clocked=ROWTIME not in names)
    return TableTarget(found.store, found.entry, names, sender)
