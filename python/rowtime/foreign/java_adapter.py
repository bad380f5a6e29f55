"""Connector 'java': sources and targets that are written in Java, and that send and receive rowtime bounds.

    OPTIONS (connector 'java', class 'my.package.Sensors', room 'north')

`io.rowtime.api.Adapter` describes adapters. All options except rowtime's own belong to the adapter.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rowtime.delta.batches import LastBatch, SentBatch
from rowtime.errors import error
from rowtime.foreign.adapter import SENT_BOUND, columns_as_json, options_of, recorded_position, start_of
from rowtime.foreign.connectors import BatchRequest, ForeignRead, ForeignWrite
from rowtime.foreign.options import Options
from rowtime.jvm.py4j import java_class, java_map
from rowtime.plan.types import SqlType, quote_name
from rowtime.types.columns import Column

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

SOURCE_CLASS = "io.rowtime.adapter.AdapterSource"
TARGET_CLASS = "io.rowtime.adapter.AdapterTarget"
BOUND = "_bound"


def read(of: ForeignRead) -> DataFrame:
    """Returns the rows of an adapter, as `rowtime.foreign.adapter.read` does for Python. A value that does not fit is
    an error of the query (RT0547)."""
    spark, options, columns, reader = of.query.spark, of.options, of.columns, of.reader
    settings = _settings(options, columns, of.own_folder, reader)
    java = _adapter_class(spark, SOURCE_CLASS, options, settings)
    taken = [f"{quote_name(c.name)} AS {quote_name(c.stored)}" for c in columns]
    if reader is None:
        found = spark.read.format(SOURCE_CLASS).options(**settings).load().filter(f"{quote_name(BOUND)} IS NULL")
        return found.selectExpr(*taken)
    from_earliest = start_of(options, of.earliest) == "earliest"
    settings["rowtime.beginning"] = recorded_position(
        of.reader_start_file, lambda: str(java.beginning(java_map(spark, settings), from_earliest))
    )
    stream = spark.readStream.format(SOURCE_CLASS).options(**settings).load()
    return stream.selectExpr(*taken, f"{quote_name(BOUND)} AS {SENT_BOUND}")


def write(of: ForeignWrite) -> int:
    """Passes the rows to an adapter, then the bound, as `rowtime.foreign.adapter.write` does. Returns how many it has
    accepted."""
    assert of.own_folder is not None
    spark = of.df.sparkSession
    settings = _settings(of.options, of.columns, of.own_folder, of.writer)
    java = _adapter_class(spark, TARGET_CLASS, of.options, settings)
    filled = {column.name for column in of.given}
    typed = [
        f"CAST({quote_name(c.name) if c.name in filled else 'NULL'} AS {c.type.spark()}) AS {quote_name(c.name)}"
        for c in of.columns
    ]
    told = java_map(spark, settings)
    # Rows stay in their order in one task.
    frame = of.df.selectExpr(*typed).coalesce(1)
    count = int(java.write(frame._jdf, told, -1 if of.writer is None or of.batch is None else of.batch.number))
    known = None if of.bound is None else of.bound()
    if known is not None:
        java.bound(told, known)
    return count


def last_batch(of: BatchRequest) -> LastBatch:
    """Returns the last micro-batch of a writer, if the adapter can tell (`lastBatch`)."""
    settings = _settings(of.options, of.columns, of.own_folder, of.writer)
    java = _adapter_class(of.spark, TARGET_CLASS, of.options, settings)
    found = java.lastBatch(java_map(of.spark, settings))
    if found is None:
        return LastBatch(is_known=False, can_tell=False)
    return LastBatch(None if found < 0 else SentBatch(int(found)))


def _settings(options: Options, columns: Sequence[Column], folder: Path, name: str | None) -> dict[str, str]:
    from pyspark.sql.types import StructType

    schema: Any = StructType.fromDDL(", ".join(f"{quote_name(c.name)} {c.type.spark()}" for c in columns))
    for field, column in zip(schema.fields, columns, strict=True):
        field.metadata = _limits(column.type)
    own = {
        "class": options.text("class"),
        "columns": columns_as_json(columns),
        "schema": schema.json(),
        "folder": str(folder.absolute()),
    }
    if name is not None:
        own["name"] = name
    return {**options_of(options), **{f"rowtime.{name}": value for name, value in own.items()}}


def _limits(sql: SqlType) -> dict[str, Any]:
    """Returns the properties of a type that Spark's type lacks, see `io.rowtime.adapter.ColumnValues`."""
    if sql.name == "TIMESTAMP":
        return {"unit": 10 ** max(0, 6 - (3 if sql.precision is None else sql.precision))}
    if sql.name in ("CHAR", "VARCHAR", "BINARY", "VARBINARY") and sql.precision is not None:
        return {"length": sql.precision, "padded": not sql.name.startswith("VAR")}
    parts = [_limits(part) for part in sql.arguments]
    return {"parts": parts} if any(parts) else {}


def _adapter_class(spark: SparkSession, side: str, options: Options, settings: Mapping[str, str]) -> Any:
    """Returns the class that reads or writes. Raises RowtimeError RT0546 if there is no such adapter."""
    java = java_class(spark, side)
    missing = java.missing(java_map(spark, settings))
    if missing is not None:
        raise error(
            "RT0546",
            f"The adapter {options.text('class')} of the {options.owner} {missing}",
            hint="Is its jar in spark.jars? ROWTIME_SPARK_CONF=spark.jars=/path/adapters.jar",
        )
    return java
