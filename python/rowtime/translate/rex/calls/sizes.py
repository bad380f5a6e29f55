"""Functions whose arguments determine the size of the result: a row that asks for more than the limit stops the query,
before the result is created. The limit is checked in an argument, so Spark, which computes constants while it plans,
never creates the result either."""

from __future__ import annotations

from sqlglot import exp

from rowtime.limits import NUMBER_LENGTH, TEXT_LENGTH
from rowtime.sparksql.expressions import (
    BIGINT,
    STRING,
    all_of,
    case,
    cast,
    fail,
    floor_divide,
    fn,
    greater,
    multiply,
    number,
    once,
    subtract,
    text,
)
from rowtime.translate.rex.computed import computed
from rowtime.translate.rex.registry import Operands, translates_call


@translates_call("REPEAT")
def repeat(operands: Operands) -> exp.Expression:
    count = operands[1]

    def limited(value: exp.Expression) -> exp.Expression:
        return fn("repeat", value, _limited_argument(operands, count, multiply(_long(value), cast(count, BIGINT))))

    return once(operands[0], limited)


@translates_call("SPACE")
def space(operands: Operands) -> exp.Expression:
    return fn("space", _limited_argument(operands, operands[0], operands[0]))


@translates_call("LPAD", "RPAD")
def pad(operands: Operands) -> exp.Expression:
    value, length, *padding = operands.all()
    return fn(operands.call.op.lower(), value, _limited_argument(operands, length, length), *padding)


@translates_call("REPLACE")
def replace(operands: Operands) -> exp.Expression:
    value, seek, put = operands.all()
    constant = operands.constant(2)
    if isinstance(constant, str) and len(constant) <= 1:
        return fn("replace", value, seek, put)

    def limited(value: exp.Expression) -> exp.Expression:
        left = fn("char_length", fn("replace", value, seek, text("")))
        found = floor_divide(subtract(_long(value), left), fn("greatest", fn("char_length", seek), number(1)))
        size = multiply(_long(put), found)
        # It is counted only if it can be too large.
        most = multiply(_long(value), _long(put))
        return fn("replace", value, seek, _limited_argument(operands, put, size, greater(most, number(TEXT_LENGTH))))

    return once(value, limited)


@translates_call("ARRAY_REPEAT")
def array_repeat(operands: Operands) -> exp.Expression:
    def limit(count: exp.Expression) -> exp.Expression:
        size = cast(count, BIGINT)
        if operands.type(0).is_character:
            size = multiply(size, fn("greatest", fn("coalesce", _long(operands[0]), number(1)), number(1)))
        return _limited_argument(
            operands, count, size, what="characters" if operands.type(0).is_character else "elements"
        )

    return computed(operands.call, operands.scope, {1: limit})


@translates_call("FORMAT_NUMBER")
def format_number(operands: Operands) -> exp.Expression:
    if not operands.type(1).is_integer:
        return computed(operands.call, operands.scope)
    return computed(
        operands.call,
        operands.scope,
        {1: lambda places: _limited_argument(operands, places, places, what="digits", most=NUMBER_LENGTH)},
    )


def _long(value: exp.Expression) -> exp.Expression:
    return cast(fn("char_length", value), BIGINT)


def _limited_argument(
    operands: Operands,
    argument: exp.Expression,
    size: exp.Expression,
    possible: exp.Expression | None = None,
    what: str = "characters",
    most: int = TEXT_LENGTH,
) -> exp.Expression:
    """Returns the argument, unless the size that it asks for is too large. `possible` is a cheap condition that is
    checked first."""
    end = f" {what}; the limit is {most:,}"
    said = fn("concat", text(f"{operands.call.op} asks for "), cast(size, STRING), text(end))
    too_large = greater(size, number(most))
    return case((too_large if possible is None else all_of(possible, too_large), fail(said)), default=argument)
