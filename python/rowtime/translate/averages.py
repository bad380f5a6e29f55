"""AVG from a sum and a count; exact for exact numbers."""

from __future__ import annotations

from sqlglot import exp

from rowtime.jvm.functions import AVERAGE
from rowtime.plan.types import SqlType
from rowtime.sparksql.expressions import BIGINT, binary, cast, fn, number


def average(total: exp.Expression, count: exp.Expression, result: SqlType) -> exp.Expression:
    """Returns the quotient as a `result`: of a BIGINT or DECIMAL sum as a DECIMAL rounded half up, without double
    rounding. NULL if the count is zero."""
    if result.is_decimal:
        return fn(AVERAGE, total, cast(count, BIGINT), number(result.precision or 38), number(result.scale or 0))
    return cast(binary(exp.Div, total, fn("nullif", count, number(0))), result)
