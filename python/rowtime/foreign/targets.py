"""Foreign streams and tables as targets: writes the rows of an INSERT, or of a pump's micro-batches, each of them
once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rowtime.catalog.changes import Entry
from rowtime.catalog.faults import full, is_full
from rowtime.delta.batches import LastBatch, SentBatch
from rowtime.errors import RowtimeError
from rowtime.foreign import connectors
from rowtime.foreign.connectors import BatchRequest, ForeignWrite, RealTimeRows
from rowtime.foreign.files import is_local, path_of
from rowtime.foreign.options import Options
from rowtime.privatefolder import temporary_folders
from rowtime.types.columns import columns

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


def written_folder(entry: Entry) -> Path | None:
    """Returns the folder of the local disk into which Spark's tasks write the rows of a foreign stream or table; None
    if they write to no disk."""
    if entry.options.get("connector", "").lower() != "files":
        return None
    return _local_path(entry)


def _local_path(entry: Entry) -> Path | None:
    if "path" not in entry.options:
        return None
    path = path_of(Options(entry))
    return Path(path) if is_local(path) else None


def write_batch(
    spark: SparkSession,
    entry: Entry,
    df: DataFrame,
    batch: int | None = None,
    writer: str | None = None,
    *,
    content: int | None = None,
    bound: Callable[[], int | None] | None = None,
    folder: Path | None = None,
    key: Sequence[str] = (),
) -> int:
    """Writes the rows of a DataFrame (not a streaming one) to a foreign stream or table, in their order. Returns how
    many there are.

    `df` has columns of `entry` under their names in the catalog, in the corresponding Spark types; missing columns are
    NULL. `writer` names the writer, `batch` is the number of its micro-batch, and `content` that of what it was made of
    (see `SentBatch`): one that is not after the last batch of that writer is skipped. Without them everything is
    written. Adapters get the bound (ms) of the rows, which `bound` returns once they have been computed, and `folder`,
    their own. With a `key`, rows are replaced or deleted (see `ForeignWrite`).

    Call it under the settings of a query (see `rowtime.sparksql.settings`), because its DataFrame is built under them.
    Raises RowtimeError RT0607 if the target has another batch of that number, RT0608 if a disk is full, and as
    `connectors.write`.
    """
    named, present = columns(entry.definition["columns"]), set(df.columns)
    given = [column for column in named if column.name in present]
    options = Options(entry)
    sent = None if batch is None else SentBatch(batch, content)
    try:
        return connectors.write(ForeignWrite(spark, df, options, named, given, sent, writer, bound, folder, key))
    except Exception as fault:
        if not is_full(str(fault)) or (isinstance(fault, RowtimeError) and fault.code == "RT0608"):
            raise
        # In computing the rows, or in writing them.
        places = [*temporary_folders(), *filter(None, (_local_path(entry), folder))]
        raise full(f"The {options.owner} cannot be written", *places) from fault


def realtime_rows(spark: SparkSession, entry: Entry, df: DataFrame) -> RealTimeRows:
    """Returns the rows of a streaming DataFrame in the form in which the sink of a foreign stream or table takes them
    one by one. `df` has columns as for `write_batch`. Raises RowtimeError as `connectors.realtime_rows`."""
    named, present = columns(entry.definition["columns"]), set(df.columns)
    given = [column for column in named if column.name in present]
    return connectors.realtime_rows(ForeignWrite(spark, df, Options(entry), named, given, None, None, None, None))


def last_batch(spark: SparkSession, entry: Entry, writer: str, folder: Path) -> LastBatch:
    """Returns the last micro-batch of a writer that a foreign stream or table has. `folder` is that of adapters. Raises
    RowtimeError as `connectors.last_batch`."""
    named = columns(entry.definition["columns"])
    return connectors.last_batch(BatchRequest(spark, Options(entry), named, writer, folder))


def has_rows(spark: SparkSession, entry: Entry) -> bool:
    """Returns whether a foreign table whose rows are replaced by key has any. Raises RowtimeError as
    `connectors.has_rows`."""
    return connectors.has_rows(spark, Options(entry))
