"""Functions of Spark, and functions about the session."""

from __future__ import annotations

from sqlglot import exp

from rowtime.plan.functions import SPARK_FUNCTIONS
from rowtime.sparksql.expressions import cast, fn
from rowtime.translate.rex.registry import Operands, translates_call

_ELSEWHERE = {"REGEXP_COUNT"}


@translates_call(*(name for name in SPARK_FUNCTIONS if name not in _ELSEWHERE))
def of_spark(operands: Operands) -> exp.Expression:
    function = SPARK_FUNCTIONS[operands.call.op]
    return cast(fn(function.spark, *operands.all()), operands.result)


@translates_call("CURRENT_USER", "SESSION_USER", "USER", "SYSTEM_USER")
def current_user(operands: Operands) -> exp.Expression:
    """Returns the user that runs the query, as Spark knows it."""
    return cast(fn("current_user"), operands.result)
