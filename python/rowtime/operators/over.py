"""OVER on streams: analytic functions, each row out as soon as its frames are certain; and GROUP BY, a relative."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rowtime.jvm.py4j import java_class
from rowtime.plan.types import SqlType

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

OVER_CLASS = "io.rowtime.operator.over.OverOperator"
GROUP_BY_CLASS = "io.rowtime.operator.group.GroupByOperator"
START = "rowtime_start"
"""The operator's column with the start of a window or session."""


def described(
    name: str,
    function: str,
    args: Sequence[str],
    type: SqlType,
    constants: Sequence[Any] = (),
    *,
    distinct: bool = False,
    ignore_nulls: bool = False,
    condition: str | None = None,
) -> dict[str, Any]:
    """A call as `spec` has it: the column that it becomes, of what type, and the columns that it reads; `condition` is
    the one that FILTER asks for."""
    return {
        "name": name,
        "function": function,
        "args": list(args),
        "constants": list(constants),
        "distinct": distinct,
        "ignoreNulls": ignore_nulls,
        "filter": condition,
        "type": type.spark(),
    }


def over(rows: DataFrame, spec: Mapping[str, Any]) -> DataFrame:
    """The rows of a streaming DataFrame with one column more for each call of `spec`, all over one PARTITION BY.

    `spec` is what `io.rowtime.operator.over.OverOperator.over` describes: `partition`, `time`, `watermark`, `seq`,
    `disordered`, `maxDisorder`, `closes` and `windows` with their frames and calls. No column of `rows` may carry
    Spark's event-time tag. The query needs the RocksDB state store. Raises PySpark's UnsupportedOperationException
    where a call would need state without limit, or is not known; a planner tells that before.
    """
    return _run(rows, OVER_CLASS, lambda operator: operator.over(rows._jdf, json.dumps(spec)))


def group(
    rows: DataFrame,
    spec: Mapping[str, Any],
    calls: Sequence[Mapping[str, Any]],
    combine: Sequence[Mapping[str, Any]] = (),
) -> DataFrame:
    """A row for each group, once it is complete: its keys and the results of the calls, and `START` (TIMESTAMP) behind
    the keys where groups are hopping windows or sessions.

    `spec` is what `io.rowtime.operator.group.GroupByOperator.group` describes: as for `over`, with `hop` or `group`,
    without the windows, of which the only one has the `calls`, and without `combine`. The query needs the RocksDB state
    store.
    """
    all_rows = {"lower": {"kind": "CURRENT_ROW"}, "upper": {"kind": "CURRENT_ROW"}, "calls": calls}
    text = json.dumps({**spec, "windows": [all_rows], "combine": combine})
    return _run(rows, GROUP_BY_CLASS, lambda operator: operator.group(rows._jdf, text))


def _run(rows: DataFrame, name: str, operator: Callable[[Any], Any]) -> DataFrame:
    from pyspark.sql import DataFrame

    spark = rows.sparkSession
    return DataFrame(operator(java_class(spark, name)), spark)
