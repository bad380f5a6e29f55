"""Sessions of streams."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rowtime.operators.call import call
from rowtime.operators.specs import SessionWindowsSpec

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

GROUP_BY_CLASS = "io.rowtime.operator.group.GroupByOperator"
START = "rowtime_start"
"""The operator's column for the start of a session."""

END = "rowtime_end"
"""The operator's column for the end of a session."""


def session_windows(rows: DataFrame, spec: SessionWindowsSpec) -> DataFrame:
    """Returns the rows of a stream, each once its session is complete, with the session's `START` and `END` (TIMESTAMP)
    after their columns. The query needs the RocksDB state store."""
    return call(GROUP_BY_CLASS, "sessionWindows", spec, rows)
