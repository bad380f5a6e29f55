"""OVER on streams: analytic functions, each row out as soon as its frames are certain."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rowtime.jvm.py4j import java_class

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

OPERATORS_CLASS = "io.rowtime.over.OverOperators"


def over(rows: DataFrame, spec: Mapping[str, Any]) -> DataFrame:
    """The rows of a streaming DataFrame with one column more for each call of `spec`, all over one PARTITION BY.

    `spec` is what `io.rowtime.over.OverOperators.over` describes: `partition`, `time`, `watermark`, `seq`,
    `disordered`, `proves`, `closes` and `windows` with their frames and calls. No column of `rows` may carry Spark's
    event-time tag. The query needs the RocksDB state store. Raises PySpark's UnsupportedOperationException where a call
    would need state without limit, or is not known; a planner tells that before.
    """
    from pyspark.sql import DataFrame

    spark = rows.sparkSession
    operators = java_class(spark, OPERATORS_CLASS)
    partitions = max(1, spark.sparkContext.defaultParallelism)
    return DataFrame(operators.over(rows._jdf, json.dumps(spec), partitions), spark)
