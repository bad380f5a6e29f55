"""Operations on DataFrames, several in one call of Spark's JVM.

A DataFrame of Spark's is analyzed after each operation, which makes the start of a query slow. What `applied` does is
analyzed once, and not at all if it only chooses and renames columns.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from rowtime.jvm.py4j import java_class

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_STEPS = "io.rowtime.spark.Steps"

Step = dict[str, Any]


class Selected(msgspec.Struct, frozen=True):
    """A column of `select`: Spark SQL, and its name; without one, the SQL is the quoted name of a column that stays as
    it is. A `plain` column has no metadata: an event-time tag must not be passed on."""

    sql: str
    name: str | None = None
    plain: bool = False


ALL = Selected("*")
"""All columns, as they are."""


def kept(name: str) -> Selected:
    """Returns a column unchanged."""
    return Selected(f"`{name}`")


def select(*columns: Selected) -> Step:
    return {"select": columns}


def only(condition: str) -> Step:
    """Keeps the rows for which a condition in Spark SQL is true."""
    return {"filter": condition}


def watermark(column: str) -> Step:
    """Makes the largest value of a column of `select` the watermark."""
    return {"watermark": column}


def applied(rows: DataFrame, *steps: Step) -> DataFrame:
    """Returns the DataFrame after these operations."""
    from pyspark.sql import DataFrame

    spark = rows.sparkSession
    return DataFrame(java_class(spark, _STEPS).apply(rows._jdf, msgspec.json.encode(steps).decode()), spark)
