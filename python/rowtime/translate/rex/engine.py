"""What the columns of rowtime's operators are computed with."""

from __future__ import annotations

from sqlglot import exp

from rowtime.plan.rex import Average, Conversion, CountedTime, Key, Reached
from rowtime.plan.types import parse_type
from rowtime.sparksql.expressions import BIGINT, binary, cast, number, timestamp_of
from rowtime.translate.averages import average as average_of
from rowtime.translate.clock import watermark_at
from rowtime.translate.keys import key_of
from rowtime.translate.rex.registry import Scope, to_expression, translates_rex


@translates_rex(Conversion)
def conversion(rex: Conversion, scope: Scope) -> exp.Expression:
    return cast(to_expression(rex.args[0], scope), parse_type(rex.type))


@translates_rex(Key)
def key(rex: Key, scope: Scope) -> exp.Expression:
    return key_of(to_expression(rex.args[0], scope), parse_type(rex.type))


@translates_rex(Average)
def average(rex: Average, scope: Scope) -> exp.Expression:
    total, count = (to_expression(arg, scope) for arg in rex.args)
    return average_of(total, count, parse_type(rex.type))


@translates_rex(CountedTime)
def counted_time(rex: CountedTime, scope: Scope) -> exp.Expression:
    value = to_expression(rex.args[0], scope)
    return timestamp_of(cast(binary(exp.Mul, value, number(rex.unit)) if rex.unit > 1 else value, BIGINT))


@translates_rex(Reached)
def reached(rex: Reached, scope: Scope) -> exp.Expression:
    return cast(watermark_at(rex.clock, to_expression(rex.args[0], scope)), parse_type(rex.type))
