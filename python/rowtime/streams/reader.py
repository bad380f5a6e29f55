"""Named streams as Spark DataFrames: what arrives, or what is kept as history.

The DataFrames have the stream's columns under the names they are stored by (`Column.stored`), in their SQL types, and
`_seq`. No column carries Spark's event-time tag: the watermark comes from the control rows alone, at the source.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rowtime.streams.columns import Column, spark_expression
from rowtime.streams.log import BOUND, CONTROL, SEQ, StreamLog

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_EVENT = "_event"

BARRIER = "spark_partition_id() < 0"
"""False, though Spark cannot know it. Spark pushes predicates below a watermark, where they would take control rows (or
rows that only move the bound) away before the watermark has seen them; but it pushes nothing through a predicate that
is not deterministic, nor merges with it."""


def arriving(spark: SparkSession, log: StreamLog, version: int, *, clocked: bool) -> DataFrame:
    """A streaming DataFrame of what the commits from `version` on bring.

    `clocked`: whether the query needs the stream's bound as watermark; it costs a little, and a query without state
    does not.
    """
    rows = (
        spark.readStream.format("delta")
        .option("startingVersion", version)
        .option("ignoreDeletes", "true")
        .load(str(log.folder))
    )
    if not clocked:
        return _columns(rows.filter(f"NOT {CONTROL}"), log.columns)
    events = rows.withColumn(_EVENT, _expr(f"CASE WHEN {CONTROL} THEN {BOUND} END")).withWatermark(_EVENT, "0 seconds")
    return _columns(events.filter(f"NOT {CONTROL} OR {BARRIER}"), log.columns)


def history(spark: SparkSession, log: StreamLog) -> DataFrame:
    """A DataFrame of all rows that the stream holds now."""
    version = log.state().version
    rows = spark.read.format("delta").option("versionAsOf", version).load(str(log.folder))
    return _columns(rows.filter(f"NOT {CONTROL}"), log.columns)


def _columns(rows: DataFrame, columns: tuple[Column, ...]) -> DataFrame:
    named = [f"{spark_expression(column.stored, column.type)} AS `{column.stored}`" for column in columns]
    return rows.selectExpr(*named, SEQ)


def _expr(text: str):  # type: ignore[no-untyped-def]
    from pyspark.sql import functions

    return functions.expr(text)
