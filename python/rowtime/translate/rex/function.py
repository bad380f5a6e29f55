"""Calls of user-defined functions, which `rowtime.translate.functions` has registered with the session."""

from __future__ import annotations

from sqlglot import exp

from rowtime.functions import is_table, is_time
from rowtime.plan.rex import FunctionCall, Literal, Rex
from rowtime.plan.types import SqlType, parse_type
from rowtime.sparksql.expressions import cast, fn, micros, null, text, timestamp_of
from rowtime.translate.functions import spark_name
from rowtime.translate.rex.registry import Scope, to_expression, translates_rex


@translates_rex(FunctionCall)
def function(rex: FunctionCall, scope: Scope) -> exp.Expression:
    result = parse_type(rex.type)
    if rex.language != "PYTHON":
        return fn(spark_name(rex), *(_argument(a, scope) for a in rex.args))
    called = fn(
        spark_name(rex), *(_to_wire(_argument(a, scope), parse_type(getattr(a, "type", "ANY"))) for a in rex.args)
    )
    if is_table(result) and any(map(is_time, result.arguments[0].arguments)):
        row = result.arguments[0]
        fields: list[exp.Expression] = []
        for name, type_ in zip(row.names, row.arguments, strict=True):
            fields += [
                text(name),
                _from_wire(
                    exp.Dot(this=exp.to_identifier("r"), expression=exp.to_identifier(name, quoted=True)), type_
                ),
            ]
        rows = exp.Lambda(this=fn("named_struct", *fields), expressions=[exp.to_identifier("r")])
        return fn("transform", called, rows)
    return _from_wire(called, result)


def _from_wire(value: exp.Expression, type_: SqlType) -> exp.Expression:
    if type_.name == "TIMESTAMP":
        return timestamp_of(value)
    return cast(fn("time_from_micros", value), type_) if type_.name == "TIME" else value


def _argument(rex: Rex, scope: Scope) -> exp.Expression:
    if isinstance(rex, Literal) and rex.value is None:
        return null(parse_type(rex.type))
    return to_expression(rex, scope)


def _to_wire(value: exp.Expression, type_: SqlType) -> exp.Expression:
    if not is_time(type_):
        return value
    return micros(value) if type_.name == "TIMESTAMP" else fn("time_to_micros", value)
