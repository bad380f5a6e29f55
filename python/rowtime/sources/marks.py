"""Marks beside the rows of a source that has no control rows of its own, and the watermark that comes from both."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rowtime.streams.reader import BARRIER
from rowtime.streams.times import ORIGIN
from rowtime.translate.sparksql import column, shifted, spark_column

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

MARKS_FORMAT = "io.rowtime.marks.MarkSource"
CONTROL = "_mark"
_EVENT = "_event"


def with_marks(rows: DataFrame, clock: str, folder: Path, idle_timeout: int | None) -> DataFrame:
    """`rows` and marks: rows that are true in the column CONTROL, carry a bound in the column `clock`, and are NULL
    otherwise. A query that is started again from its checkpoint gets one with the bound that `folder` keeps; and once
    no row came for `idle_timeout` milliseconds, the clock makes them."""
    from pyspark.sql import functions

    reader = rows.sparkSession.readStream.format(MARKS_FORMAT).option("folder", folder.absolute().as_uri())
    if idle_timeout is not None:
        reader = reader.option("timeout", idle_timeout)
    made = [
        functions.col("bound").alias(field.name)
        if field.name == clock
        else functions.lit(None).cast(field.dataType).alias(field.name)
        for field in rows.schema.fields
    ]
    marks = reader.load().select(*made, functions.lit(True).alias(CONTROL))
    return rows.withColumn(CONTROL, functions.lit(False)).unionAll(marks)


def watermarked(rows: DataFrame, clock: str, columns: Sequence[str]) -> DataFrame:
    """The rows without marks, and only `columns`; the watermark of the query is what `clock` has reached in rows and
    marks."""
    from pyspark.sql import functions

    event = spark_column(shifted(column(clock), ORIGIN))
    moved = rows.withColumn(_EVENT, event).withWatermark(_EVENT, "0 seconds")
    # What the query filters out moves the bound all the same.
    return moved.filter(f"NOT {CONTROL} OR {BARRIER}").select(*[functions.col(f"`{c}`") for c in columns])
