"""Marks for a source that has no control rows of its own, and the watermark that follows from its rows and marks."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rowtime.sparksql.expressions import column, shift, spark_column
from rowtime.streams.reader import BARRIER
from rowtime.types.times import ORIGIN

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

MARKS_FORMAT = "io.rowtime.marks.MarkSource"
_MARK = "_mark"
_EVENT = "_event"


def marks(rows: DataFrame, clock: str, folder: Path, idle_timeout: int | None) -> DataFrame:
    """Returns marks for `rows`: rows with the same columns that carry a bound in the column `clock` and are NULL
    otherwise. A query that is restarted from its checkpoint gets one with the bound that `folder` records; once no row
    has arrived for `idle_timeout` milliseconds, the system clock creates them."""
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
    return reader.load().select(*made)


def with_watermark(
    rows: DataFrame, marks: DataFrame, clock: str, columns: Sequence[str], sent: str | None = None, ahead: int = 0
) -> DataFrame:
    """Returns `rows` with only `columns`. The watermark of the query is the largest `clock` of rows and marks, minus
    `ahead` ms. A row is also a mark if its column `sent` is not NULL."""
    from pyspark.sql import functions

    event = spark_column(shift(column(clock), ORIGIN - ahead)).alias(_EVENT)
    kept = [functions.col(f"`{name}`") for name in columns]
    is_mark = functions.lit(False) if sent is None else functions.col(sent).isNotNull()
    both = rows.select(*kept, event, is_mark.alias(_MARK)).unionAll(
        marks.select(*kept, event, functions.lit(True).alias(_MARK))
    )
    # Rows that the query filters out advance the bound as well.
    moved = both.withWatermark(_EVENT, "0 seconds").filter(f"NOT {_MARK} OR {BARRIER}")
    return moved.select(*kept)
