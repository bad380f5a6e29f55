"""Aggregate functions by kind."""

from __future__ import annotations

GROUPINGS = ("GROUPING", "GROUPING_ID", "GROUP_ID")
"""Functions of the set that a group belongs to."""
PLAIN = ("COUNT", "SUM", "SUM0", "AVG", "MIN", "MAX")
"""Functions whose results over two sets of rows give the one over both."""
SPREADS = ("STDDEV_POP", "STDDEV_SAMP", "VAR_POP", "VAR_SAMP")
PERCENTILES = ("PERCENTILE_CONT", "PERCENTILE_DISC")
OF_ALL_VALUES = ("MEDIAN", *PERCENTILES)
"""Functions that need all values of a group."""
ONCE = ("MIN", "MAX")
"""Functions to which it does not matter whether a value comes twice."""
_SAME = {
    "STDDEV": "STDDEV_SAMP",
    "VARIANCE": "VAR_SAMP",
    "ARRAY_AGG": "COLLECT",
    "STRING_AGG": "LISTAGG",
    "EVERY": "MIN",
    "BOOL_AND": "MIN",
    "LOGICAL_AND": "MIN",
    "SOME": "MAX",
    "BOOL_OR": "MAX",
    "LOGICAL_OR": "MAX",
}


def operator_function(name: str) -> str:
    """The name under which rowtime's operators know a function."""
    return _SAME.get(name, name)
