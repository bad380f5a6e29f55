"""Joins two streams within intervals of time, in order of ROWTIME."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rowtime.operators.call import call
from rowtime.operators.specs import IntervalJoinSpec

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

OPERATORS_CLASS = "io.rowtime.operator.join.IntervalJoinOperators"


def interval_join(
    left: DataFrame,
    right: DataFrame,
    left_bounds: DataFrame | None,
    right_bounds: DataFrame | None,
    spec: IntervalJoinSpec,
) -> DataFrame:
    """Returns the pairs of rows of two streaming DataFrames whose intervals of base times overlap, and in outer joins
    the rows without a match: the columns of the left side, those of the right side, and the ROWTIME of the pair
    (TIMESTAMP).

    `left_bounds` and `right_bounds` are the bounds of each input's own source, as `TranslationContext.bounds` returns
    them; None if the input uses the query's watermark. All columns must have different names, and none may carry
    Spark's event-time tag. The query needs the RocksDB state store. Semantics: seed 003, "Streaming Joins".
    """
    return call(OPERATORS_CLASS, "join", spec, left, right, left_bounds, right_bounds)
