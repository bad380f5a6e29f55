"""Top-N on streams: the first rows of each partition, once it is complete."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rowtime.operators.call import call
from rowtime.operators.specs import TopNSpec

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

TOP_N_CLASS = "io.rowtime.operator.rank.TopNOperator"


def top_n(rows: DataFrame, spec: TopNSpec) -> DataFrame:
    """Returns the first rows of each partition of a streaming DataFrame, with one more column for each rank of `spec`.

    No column of `rows` may carry Spark's event-time tag. The query needs the RocksDB state store.
    """
    return call(TOP_N_CLASS, "topN", spec, rows)
