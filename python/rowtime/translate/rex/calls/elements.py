"""Queries over the elements of an array, as the planner writes them; NULL has no elements."""

from __future__ import annotations

from sqlglot import exp

from rowtime.plan.types import SqlType
from rowtime.sparksql.expressions import BIGINT, add, case, cast, fn, is_null, null
from rowtime.translate.rex.registry import Operands, translates_call


@translates_call("FILTER_ELEMENTS")
def filter_elements(operands: Operands) -> exp.Expression:
    return fn("filter", _elements(operands), operands[1])


@translates_call("MAP_ELEMENTS")
def map_elements(operands: Operands) -> exp.Expression:
    return cast(fn("transform", _elements(operands), operands[1]), operands.result)


@translates_call("ANY_ELEMENT")
def any_element(operands: Operands) -> exp.Expression:
    """Spark's EXISTS has the same three-valued logic as IN."""
    return fn("exists", _elements(operands), operands[1])


@translates_call("COUNT_ELEMENTS")
def count_elements(operands: Operands) -> exp.Expression:
    return cast(fn("size", _elements(operands)), BIGINT)


@translates_call("MIN_ELEMENT")
def min_element(operands: Operands) -> exp.Expression:
    return cast(fn("array_min", _elements(operands)), operands.result)


@translates_call("MAX_ELEMENT")
def max_element(operands: Operands) -> exp.Expression:
    return cast(fn("array_max", _elements(operands)), operands.result)


@translates_call("SUM_ELEMENTS")
def sum_elements(operands: Operands) -> exp.Expression:
    """NULL if all elements are NULL, or there are none."""
    total, element = exp.column("rowtime_sum"), exp.column("rowtime_summand")
    term = cast(element, operands.result)
    step = case((is_null(element), total), (is_null(total), term), default=cast(add(total, term), operands.result))
    fold = exp.Lambda(this=step, expressions=[exp.to_identifier("rowtime_sum"), exp.to_identifier("rowtime_summand")])
    return fn("aggregate", _elements(operands), null(operands.result), fold)


def _elements(operands: Operands) -> exp.Expression:
    array: SqlType = operands.type(0)
    if not getattr(operands.call.args[0], "nullable", True):
        return operands[0]
    return fn("coalesce", operands[0], cast(fn("array"), array))
