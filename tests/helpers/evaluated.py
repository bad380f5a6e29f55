"""Compares values that Calcite and Spark have computed from the same expression."""

from __future__ import annotations

import math
from typing import Any

from sqlglot import exp

from rowtime.plan.types import SqlType
from rowtime.sparksql.expressions import fn
from rowtime.translate.rex.calls.arithmetic import interval_micros, interval_months


def portable(value: exp.Expression, type_: SqlType) -> exp.Expression:
    """Converts a value of Spark to a form that does not depend on Python's time zone: times and intervals of days to
    microseconds, dates to days, intervals of months to months."""
    if type_.name == "TIMESTAMP":
        return fn("unix_micros", value)
    if type_.name == "TIME":
        return fn("time_to_micros", value)
    if type_.is_day_time:
        return interval_micros(value)
    if type_.is_year_month:
        return interval_months(value)
    return fn("unix_date", value) if type_.name == "DATE" else value


def same_type(one: str, other: str) -> bool:
    """Returns whether two texts are the same type of Spark's."""
    return _spelling(one) == _spelling(other)


def _spelling(spark_type: str) -> str:
    return spark_type.lower().replace(" ", "").replace("`", "")


def same(expected: Any, actual: Any, type_: SqlType) -> bool:
    """Returns whether two portable values of a type are the same; approximate ones may differ in the last digits."""
    if expected is None or actual is None:
        return expected is None and actual is None
    if type_.is_approximate:
        if math.isnan(expected) or math.isinf(expected):
            return math.isnan(actual) if math.isnan(expected) else bool(expected == actual)
        return abs(expected - actual) <= (1e-6 if type_.name == "REAL" else 1e-12) * max(1e-300, abs(expected))
    if type_.name in ("ARRAY", "MULTISET", "ROW"):
        types = type_.arguments * len(expected) if type_.name != "ROW" else type_.arguments
        return len(expected) == len(actual) and all(map(same, expected, actual, types))
    if type_.is_binary:
        return bool(expected == bytes(actual))
    return bool(expected == actual)
