"""User-defined table functions over the rows of a table, by rowtime's own operator."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rowtime.errors import error
from rowtime.operators.call import call
from rowtime.operators.specs import ProcessSpec

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

PROCESS_CLASS = "io.rowtime.operator.process.ProcessOperator"


def process(rows: DataFrame, spec: ProcessSpec) -> DataFrame:
    """Returns the rows that the function computes: ROWTIME, the columns of the partition, and its own columns. For a
    stream they are in order of ROWTIME, and the query needs the RocksDB state store; for a relation they are in no
    order.

    Raises RowtimeError RT0319 if the function cannot be loaded.
    """
    from pyspark.errors import IllegalArgumentException

    try:
        return call(PROCESS_CLASS, "process" if rows.isStreaming else "processAll", spec, rows)
    except IllegalArgumentException as fault:
        raise error(
            "RT0319",
            f"The function '{spec.function}' cannot be loaded: {str(fault).strip().splitlines()[0]}",
            hint="Add its jar to spark.jars",
        ) from fault
