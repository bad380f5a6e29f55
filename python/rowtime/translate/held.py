"""Rows that wait in the Hold operator until the watermark reaches one of their times."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sqlglot import exp

from rowtime.plan.clock import ClockStep
from rowtime.sparksql.expressions import TIMESTAMP, cast, spark_column
from rowtime.translate.clock import watermark_at
from rowtime.translate.columns import plain

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame


def release_column(clock: Sequence[ClockStep], closes: exp.Expression, name: str) -> Column:
    """Returns the time at which a row is released, on the clock of the sources, which is Spark's watermark.

    `closes` is a time on the clock of the row's node, whose steps from the sources are `clock`.
    """
    return plain(spark_column(cast(watermark_at(clock, closes), TIMESTAMP)), name)


def held_until(df: DataFrame, release: str) -> DataFrame:
    """Returns `df` without its column `release`: each row once the watermark has reached that time."""
    from rowtime.operators.hold import hold

    return hold(df, release, named=False).drop(release)
