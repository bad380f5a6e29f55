"""Rows, arrays, maps."""

from __future__ import annotations

from sqlglot import exp

from rowtime.sparksql.expressions import cast, fn, number, paren, subtract
from rowtime.translate.rex.registry import Operands, translates_call


@translates_call("ROW")
def row(operands: Operands) -> exp.Expression:
    return cast(fn("struct", *operands.all()), operands.result)


@translates_call("ARRAY")
def array(operands: Operands) -> exp.Expression:
    return cast(fn("array", *operands.all()), operands.result)


@translates_call("MAP")
def map_(operands: Operands) -> exp.Expression:
    return cast(fn("map", *operands.all()), operands.result)


@translates_call("ITEM")
def item(operands: Operands) -> exp.Expression:
    """`array[n]` (from 1), `map[key]`, `row['name']`: NULL if there is none."""
    holder = operands.type(0)
    if holder.name == "MAP":
        return fn("try_element_at", operands[0], cast(operands[1], holder.arguments[0]))
    if holder.name == "ROW":
        key = operands.constant(1)
        name = key if isinstance(key, str) else holder.names[int(key) - 1]
        return exp.Dot(this=paren(operands[0]), expression=exp.to_identifier(name, quoted=True))
    return fn("get", operands[0], subtract(operands[1], number(1)))


@translates_call("CARDINALITY")
def cardinality(operands: Operands) -> exp.Expression:
    return fn("cardinality", operands[0])
