"""The table of aggregate functions, and those who go by it."""

from __future__ import annotations

from rowtime.plan.functions import FUNCTIONS, GROUPINGS
from rowtime.translate import aggregates


def test_what_the_table_calls_runnable_by_spark_is_translated() -> None:
    grouped = {name for name, function in FUNCTIONS.items() if "GROUP_BY" in function.uses}
    assert grouped <= aggregates._writers.keys() | set(GROUPINGS)
    over = {name for name, f in FUNCTIONS.items() if "OVER_RELATION" in f.uses and f.reads == "FRAME"}
    assert over <= aggregates._writers.keys() | {"NTH_VALUE"}


def test_what_functions_are_computed_as_is_in_the_table() -> None:
    for function in FUNCTIONS.values():
        named = [function.operator, function.merged_by, *function.parts]
        assert {name for name in named if name is not None} <= FUNCTIONS.keys()
        own = {"GROUP_STREAM", "OVER_STREAM"} & set(function.uses)
        assert (function.operator is not None) == bool(own) or function.keeps == "NOTHING"
