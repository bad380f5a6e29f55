"""WITH RECURSIVE over relations: evaluates a query over the latest rows until it returns no more (SQL:1999)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rowtime.jvm.py4j import java_class

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.types import StructType

RECURSIONS_CLASS = "io.rowtime.operator.recursion.Recursions"


def latest(spark: SparkSession, schema: StructType, recursion: int) -> DataFrame:
    """Returns the placeholder for the latest rows in the recursive query, with the columns of `schema`; `recursion`
    differs from that of others in the plan."""
    from pyspark.sql import DataFrame

    made = java_class(spark, RECURSIONS_CLASS).latest(spark._jsparkSession, schema.json(), recursion)
    return DataFrame(made, spark)


def evaluate(first: DataFrame, step: DataFrame, recursion: int, *, all: bool, most: int) -> DataFrame | None:
    """Returns the rows of `first`, and those that `step`, with the same columns, repeatedly computes from them through
    `latest`.

    It runs while the DataFrame is created. Without `all`, rows that already exist are not added again. None if `step`
    returns rows more than `most` times (-1: no limit).
    """
    from pyspark.sql import DataFrame

    spark = first.sparkSession
    made = java_class(spark, RECURSIONS_CLASS).run(first._jdf, step._jdf, recursion, all, most)
    return None if made is None else DataFrame(made, spark)
