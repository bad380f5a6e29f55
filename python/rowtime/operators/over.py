"""OVER on streams: analytic functions; each row is emitted as soon as its frames are complete."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rowtime.operators.call import call
from rowtime.operators.specs import OverSpec

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

OVER_CLASS = "io.rowtime.operator.over.OverOperator"


def over(rows: DataFrame, spec: OverSpec) -> DataFrame:
    """Returns the rows of a streaming DataFrame with one more column for each call of `spec`, all over one PARTITION
    BY.

    No column of `rows` may carry Spark's event-time tag. The query needs the RocksDB state store. Raises PySpark's
    UnsupportedOperationException if a call would need unbounded state, or is unknown; the planner refuses such calls
    first.
    """
    return call(OVER_CLASS, "over", spec, rows)
