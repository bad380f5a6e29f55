"""OVER on streams: analytic functions, each row out as soon as its frames are certain; and GROUP BY HOP, a relative."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rowtime.jvm.py4j import java_class
from rowtime.plan.types import SqlType

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

OPERATORS_CLASS = "io.rowtime.over.OverOperators"


def described(
    name: str,
    function: str,
    args: Sequence[str],
    type: SqlType,
    constants: Sequence[Any] = (),
    *,
    distinct: bool = False,
    ignore_nulls: bool = False,
) -> dict[str, Any]:
    """A call as `spec` has it: the column that it becomes, of what type, and the columns that it reads."""
    return {
        "name": name,
        "function": function,
        "args": list(args),
        "constants": list(constants),
        "distinct": distinct,
        "ignoreNulls": ignore_nulls,
        "filter": None,
        "type": type.spark(),
    }


def over(rows: DataFrame, spec: Mapping[str, Any]) -> DataFrame:
    """The rows of a streaming DataFrame with one column more for each call of `spec`, all over one PARTITION BY.

    `spec` is what `io.rowtime.over.OverOperators.over` describes: `partition`, `time`, `watermark`, `seq`,
    `disordered`, `proves`, `closes` and `windows` with their frames and calls. No column of `rows` may carry Spark's
    event-time tag. The query needs the RocksDB state store. Raises PySpark's UnsupportedOperationException where a call
    would need state without limit, or is not known; a planner tells that before.
    """
    return _run(rows, lambda operators, partitions: operators.over(rows._jdf, json.dumps(spec), partitions))


def hop(rows: DataFrame, spec: Mapping[str, Any], *, combines: bool) -> DataFrame:
    """A row for each hopping window and each group in it, once the window is over: the keys of `spec`, `rowtime_start`
    (TIMESTAMP, the start of the window), and the results of the calls.

    `spec` is what `io.rowtime.over.OverOperators.hop` describes: as for `over`, with `hop`. `combines` says that rows
    of one time and group may be combined before they are shuffled. The query needs the RocksDB state store.
    """
    return _run(rows, lambda operators, partitions: operators.hop(rows._jdf, json.dumps(spec), combines, partitions))


def _run(rows: DataFrame, operator: Callable[[Any, int], Any]) -> DataFrame:
    from pyspark.sql import DataFrame

    spark = rows.sparkSession
    partitions = max(1, spark.sparkContext.defaultParallelism)
    return DataFrame(operator(java_class(spark, OPERATORS_CLASS), partitions), spark)
