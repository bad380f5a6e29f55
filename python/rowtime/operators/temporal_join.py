"""Joins a stream with versions, in order of ROWTIME."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rowtime.operators.call import call
from rowtime.operators.specs import TemporalJoinSpec

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

OPERATORS_CLASS = "io.rowtime.operator.join.TemporalJoinOperators"


def temporal_join(
    left: DataFrame,
    right: DataFrame,
    left_bounds: DataFrame | None,
    right_bounds: DataFrame | None,
    spec: TemporalJoinSpec,
) -> DataFrame:
    """Returns each row of the streaming DataFrame `left` joined with the rows of `right` that are the latest versions
    at its time: the columns of the left side, those of the right side, and the ROWTIME of the left row (TIMESTAMP).

    `left_bounds` and `right_bounds` are as in `rowtime.operators.interval_join`. All columns must have different names,
    and none may carry Spark's event-time tag. The query needs the RocksDB state store. Semantics: seed 004, "SNAPSHOT
    for temporal joins".
    """
    return call(OPERATORS_CLASS, "join", spec, left, right, left_bounds, right_bounds)
