"""Joins of two streams within intervals of time, in order of ROWTIME."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rowtime.jvm.py4j import java_class

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

OPERATORS_CLASS = "io.rowtime.operator.join.IntervalJoinOperators"


def interval_join(left: DataFrame, right: DataFrame, spec: Mapping[str, Any]) -> DataFrame:
    """The pairs of rows of two streaming DataFrames whose intervals of base times meet, and in outer joins the rows
    that match nothing: the columns of the left side, those of the right side, and the ROWTIME of the pair (TIMESTAMP).

    `spec` is what `io.rowtime.operator.join.IntervalJoinSpec` describes. The names of all columns differ, and none
    carries Spark's event-time tag. The query needs the RocksDB state store. Semantics: seed 003, "Streaming Joins".
    """
    from pyspark.sql import DataFrame

    spark = left.sparkSession
    joined = java_class(spark, OPERATORS_CLASS).join(left._jdf, right._jdf, json.dumps(spec))
    return DataFrame(joined, spark)
