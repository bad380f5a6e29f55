"""WITH RECURSIVE over relations: a query evaluated over the rows that came last, until none come (SQL:1999)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rowtime.jvm.py4j import java_class
from rowtime.operators.call import call_or_none
from rowtime.operators.specs import RecursionSpec

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.types import StructType

RECURSIONS_CLASS = "io.rowtime.operator.recursion.Recursions"


def latest(spark: SparkSession, schema: StructType, recursion: int) -> DataFrame:
    """What stands for the rows that came last in the query that makes further ones of them, of the columns of `schema`;
    `recursion` is unlike that of others in the plan."""
    from pyspark.sql import DataFrame

    made = java_class(spark, RECURSIONS_CLASS).latest(spark._jsparkSession, schema.json(), recursion)
    return DataFrame(made, spark)


def repeated(first: DataFrame, step: DataFrame, recursion: int, *, all: bool, most: int) -> DataFrame | None:
    """The rows of `first`, and those that `step`, of the same columns, makes of them again and again through `latest`.

    It runs while it is made. Without `all`, rows that were there before do not come again. None if `step` gives rows
    more than `most` times (-1: no limit)."""
    return call_or_none(RECURSIONS_CLASS, "run", RecursionSpec(recursion=recursion, all=all, most=most), first, step)
