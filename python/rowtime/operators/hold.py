"""Hold: keeps rows back until the query's watermark reaches them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rowtime.jvm.py4j import java_class

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

HOLD_CLASS = "io.rowtime.operator.hold.HoldOperator"


def hold(rows: DataFrame, release: str, *, named: bool) -> DataFrame:
    """Returns the rows of a streaming DataFrame, each once the query's watermark has reached its `release` (a TIMESTAMP
    column in the watermark's domain; a row with NULL passes at once). The columns are the same; within a partition,
    rows are in order of release, then arrival.

    `named`: the saved rows have the names of their columns. If the query goes on with other columns, they have NULL in
    those that they did not have. Otherwise the columns must be the same, whatever their names.

    No column of `rows` may carry Spark's event-time tag. The query needs the RocksDB state store.
    """
    from pyspark.sql import DataFrame

    spark = rows.sparkSession
    return DataFrame(java_class(spark, HOLD_CLASS).hold(rows._jdf, release, named), spark)
