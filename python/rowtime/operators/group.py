"""GROUP BY on streams by rowtime's operators: each group is emitted once, when it is complete."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rowtime.operators.call import call
from rowtime.operators.specs import GroupSpec, HopSpec, SessionSpec, SessionWindowsSpec

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

GROUP_BY_CLASS = "io.rowtime.operator.group.GroupByOperator"
START = "rowtime_start"
"""The operator's column for the start of a window or session."""

END = "rowtime_end"
"""The operator's column for the end of a session."""

_METHODS = {GroupSpec: "group", HopSpec: "hop", SessionSpec: "session"}


def group(rows: DataFrame, spec: GroupSpec | HopSpec | SessionSpec) -> DataFrame:
    """Returns a row for each group of a stream, once it is complete: its keys and the results of the calls, and after
    the keys `START` (TIMESTAMP) if groups are hopping windows or sessions. The query needs the RocksDB state store."""
    return call(GROUP_BY_CLASS, _METHODS[type(spec)], spec, rows)


def session_windows(rows: DataFrame, spec: SessionWindowsSpec) -> DataFrame:
    """Returns the rows of a stream, each once its session is complete, with the session's `START` and `END` (TIMESTAMP)
    after their columns. The query needs the RocksDB state store."""
    return call(GROUP_BY_CLASS, "sessionWindows", spec, rows)
