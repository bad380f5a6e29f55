"""Tables: Delta tables in the warehouse, written without a Spark job and read by Spark."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
from deltalake import DeltaTable, write_deltalake
from deltalake.exceptions import TableNotFoundError

from rowtime.catalog.changes import Entry
from rowtime.catalog.store import Store
from rowtime.streams.columns import Column, arrow_type, columns, spark_expression

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


def table_columns(entry: Entry) -> tuple[Column, ...]:
    return columns(entry.definition["columns"])


def folder(store: Store, entry: Entry) -> Path:
    return store.folder(entry.id, "tables")


def append(store: Store, entry: Entry, rows: Sequence[Sequence[Any]]) -> int:
    """Appends rows of stored values (see `streams.values`) in one commit; how many they are."""
    schema = _schema(entry)
    transposed = [list(values) for values in zip(*rows, strict=True)] if rows else [[]] * len(schema)
    arrays = [pa.array(values, field.type) for values, field in zip(transposed, schema, strict=True)]
    write_deltalake(_table(store, entry, schema), pa.Table.from_arrays(arrays, schema=schema), mode="append")
    return len(rows)


def read(spark: SparkSession, store: Store, entry: Entry) -> DataFrame:
    """The table as it is now, its columns under their stored names in their SQL types."""
    version = _table(store, entry, _schema(entry)).version()
    rows = spark.read.format("delta").option("versionAsOf", version).load(str(folder(store, entry)))
    return rows.selectExpr(*[f"{spark_expression(c.stored, c.type)} AS `{c.stored}`" for c in table_columns(entry)])


def _schema(entry: Entry) -> pa.Schema:
    return pa.schema([(column.stored, arrow_type(column.type)) for column in table_columns(entry)])


def _table(store: Store, entry: Entry, schema: pa.Schema) -> DeltaTable:
    """The table, made where it is not there yet."""
    path = str(folder(store, entry))
    try:
        return DeltaTable(path)
    except TableNotFoundError:
        folder(store, entry).mkdir(parents=True, exist_ok=True)
        return DeltaTable.create(path, schema, mode="ignore")
