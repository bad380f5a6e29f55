"""Plain tables: Delta tables in the warehouse, written without a Spark job and read by Spark. Tables whose columns have
an order (LATENESS, WATERMARK, MONOTONIC) are kept in logs, as streams are."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
from deltalake import CommitProperties, DeltaTable, Transaction, write_deltalake
from deltalake.exceptions import CommitFailedError, TableNotFoundError

from rowtime.catalog.changes import Entry
from rowtime.catalog.store import Store
from rowtime.streams.columns import Column, columns, schema_of, spark_columns

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


def is_ordered(entry: Entry) -> bool:
    """Whether an object is a table with an order of its own."""
    marks = ("lateness", "watermark", "monotonic")
    return entry.kind == "TABLE" and any(c.get(mark) for c in entry.definition["columns"] for mark in marks)


def is_logged(entry: Entry) -> bool:
    """Whether the rows of an object are in a log of rowtime's."""
    return entry.kind == "STREAM" or is_ordered(entry)


def table_columns(entry: Entry) -> tuple[Column, ...]:
    return columns(entry.definition["columns"])


def folder(store: Store, entry: Entry) -> Path:
    return store.folder(entry.id, "tables")


def append(store: Store, entry: Entry, rows: pa.Table, sender: str | None = None, batch: int | None = None) -> int:
    """Appends rows of stored values (all columns, in their order) in one commit; how many they are. A `batch` that is
    not after the last one of its `sender` has been appended before, and is left out: 0."""
    return append_once(opened(store, entry), rows, sender, batch)


def append_once(table: DeltaTable, rows: pa.Table, sender: str | None = None, batch: int | None = None) -> int:
    """The same for any Delta table. The commit says whose batch it is."""
    properties = None
    if sender is not None and batch is not None:
        last = table.transaction_version(sender)
        if last is not None and batch <= last:
            return 0
        properties = CommitProperties(app_transactions=[Transaction(sender, batch)])
    elif not rows.num_rows:
        return 0
    write_deltalake(table, rows, mode="append", commit_properties=properties)
    return rows.num_rows


def replace(table: DeltaTable, rows: pa.Table) -> bool:
    """Puts rows of stored values in the place of those that the table has, as it was opened; rows that others have
    appended since then stay. False, and nothing is changed, where others have taken some of them away."""
    try:
        write_deltalake(table, rows, mode="overwrite")
    except CommitFailedError:
        return False
    return True


def read(spark: SparkSession, store: Store, entry: Entry) -> DataFrame:
    """The table as it is now, its columns under their stored names in their SQL types."""
    version = opened(store, entry).version()
    rows = spark.read.format("delta").option("versionAsOf", version).load(str(folder(store, entry)))
    return rows.selectExpr(*spark_columns(table_columns(entry)))


def opened(store: Store, entry: Entry) -> DeltaTable:
    """The table as it is now; made where it is not there yet."""
    path = str(folder(store, entry))
    try:
        return DeltaTable(path)
    except TableNotFoundError:
        folder(store, entry).mkdir(parents=True, exist_ok=True)
        return DeltaTable.create(path, schema_of(table_columns(entry)), mode="ignore")
