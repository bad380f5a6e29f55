"""Table functions of the user's own over the rows of a table, by an operator of rowtime's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rowtime.errors import error
from rowtime.operators.call import call
from rowtime.operators.specs import ProcessSpec

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

PROCESS_CLASS = "io.rowtime.operator.process.ProcessOperator"


def process(rows: DataFrame, spec: ProcessSpec) -> DataFrame:
    """What the function makes of the rows: ROWTIME, the columns of the partition, its own. Of a stream, in order of
    ROWTIME; the query needs the RocksDB state store. Of a relation, in no order.

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
