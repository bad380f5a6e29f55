"""Calls of the user's own functions, which `rowtime.translate.functions` has made known to the session."""

from __future__ import annotations

from sqlglot import exp

from rowtime.functions import is_time
from rowtime.plan.rex import FunctionCall, Literal, Rex
from rowtime.plan.types import SqlType, parse_type
from rowtime.sparksql.expressions import cast, fn, micros, null, timestamp_of
from rowtime.translate.functions import spark_name
from rowtime.translate.rex.registry import Scope, to_expression, translates_rex


@translates_rex(FunctionCall)
def function(rex: FunctionCall, scope: Scope) -> exp.Expression:
    result = parse_type(rex.type)
    if rex.language != "PYTHON":
        return fn(spark_name(rex), *(_argument(a, scope) for a in rex.args))
    called = fn(
        spark_name(rex), *(_travelling(_argument(a, scope), parse_type(getattr(a, "type", "ANY"))) for a in rex.args)
    )
    if result.name == "TIMESTAMP":
        return timestamp_of(called)
    return cast(fn("time_from_micros", called), result) if result.name == "TIME" else called


def _argument(rex: Rex, scope: Scope) -> exp.Expression:
    if isinstance(rex, Literal) and rex.value is None:
        return null(parse_type(rex.type))
    return to_expression(rex, scope)


def _travelling(value: exp.Expression, type_: SqlType) -> exp.Expression:
    if not is_time(type_):
        return value
    return micros(value) if type_.name == "TIMESTAMP" else fn("time_to_micros", value)
