"""OVER on streams: analytic functions, each row out as soon as its frames are certain."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rowtime.operators.call import call
from rowtime.operators.specs import OverSpec

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

OVER_CLASS = "io.rowtime.operator.over.OverOperator"


def over(rows: DataFrame, spec: OverSpec) -> DataFrame:
    """The rows of a streaming DataFrame with one column more for each call of `spec`, all over one PARTITION BY.

    No column of `rows` may carry Spark's event-time tag. The query needs the RocksDB state store. Raises PySpark's
    UnsupportedOperationException where a call would need state without limit, or is not known; a planner tells that
    before.
    """
    return call(OVER_CLASS, "over", spec, rows)
