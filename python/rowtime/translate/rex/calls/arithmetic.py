"""+ - * / and similar operators, over numbers and intervals.

Under ANSI mode overflow and division by zero are errors. Spark infers other result types for DECIMAL than Calcite: the
result is cast to the type that the plan states.
"""

from __future__ import annotations

from sqlglot import exp

from rowtime.errors import error
from rowtime.plan.types import SqlType, parse_type
from rowtime.sparksql.expressions import (
    BIGINT,
    DOUBLE,
    add,
    binary,
    cast,
    floor_divide,
    fn,
    micros,
    multiply,
    number,
    paren,
    subtract,
    timestamp_of,
)
from rowtime.translate.rex.registry import Operands, translates_call

_DECIMALS_OF = {"TINYINT": 3, "SMALLINT": 5, "INTEGER": 10, "BIGINT": 19}


def as_result(value: exp.Expression, operands: Operands, *natural: SqlType) -> exp.Expression:
    """Returns `value` in the call's type; `natural` are the types for which Spark returns that type by itself."""
    result = operands.result
    if any(result.spark() == n.spark() for n in natural):
        return value
    return cast(value, result)


@translates_call("+", "-", "*")
def combine(operands: Operands) -> exp.Expression:
    left, right = operands[0], operands[1]
    operator = {"+": add, "-": subtract, "*": multiply}[operands.call.op]
    if operands.result.is_interval:
        return operator(left, right)
    if operands.result.is_approximate:
        left, right = _to_double(operands, 0), _to_double(operands, 1)
        return as_result(operator(left, right), operands, operands.result)
    if operands.result.is_integer:
        widest = max((operands.type(0), operands.type(1)), key=lambda t: _DECIMALS_OF.get(t.name, 99))
        if _DECIMALS_OF.get(operands.result.name, 0) > _DECIMALS_OF.get(widest.name, 0):
            return operator(cast(left, operands.result), right)  # space for the result before, not after
        return as_result(operator(left, right), operands, widest)
    return cast(operator(left, right), operands.result)


def _to_double(operands: Operands, index: int) -> exp.Expression:
    """Returns an operand of an approximate operation in the operation's type: Spark converts exact numbers to
    DOUBLE."""
    if operands.type(index).spark() == operands.result.spark():
        return operands[index]
    return cast(operands[index], operands.result)


@translates_call("/", "/INT", "DIVIDE_INTEGER")
def divide(operands: Operands) -> exp.Expression:
    left, right = operands[0], operands[1]
    if operands.type(0).is_interval:
        return _divide_interval(operands)
    if operands.result.is_integer:
        if operands.type(0).is_integer and operands.type(1).is_integer:
            return as_result(floor_divide(left, right), operands, BIGINT)
        return cast(binary(exp.Div, left, right), operands.result)
    if operands.result.is_approximate:
        quotient = binary(exp.Div, cast(left, DOUBLE), cast(right, DOUBLE))
        return as_result(quotient, operands, DOUBLE)
    return cast(binary(exp.Div, _to_decimal(operands, 0), _to_decimal(operands, 1)), operands.result)


def _to_decimal(operands: Operands, index: int) -> exp.Expression:
    """Returns an operand of a decimal division; Spark divides integers as DOUBLE."""
    type_ = operands.type(index)
    if not type_.is_integer:
        return operands[index]
    return cast(operands[index], parse_type(f"DECIMAL({_DECIMALS_OF[type_.name]}, 0)"))


def _divide_interval(operands: Operands) -> exp.Expression:
    """In whole milliseconds or months, truncated; Spark's own division rounds to microseconds."""
    if operands.result.is_day_time:
        quotient = floor_divide(interval_millis(operands[0]), operands[1])
        return interval_of_millis(quotient)
    return interval_of_months(floor_divide(interval_months(operands[0]), operands[1]))


@translates_call("MOD", "%")
def modulo(operands: Operands) -> exp.Expression:
    """The sign is the dividend's, in both Calcite and Spark."""
    return cast(binary(exp.Mod, operands[0], operands[1]), operands.result)


@translates_call("BITXOR", "^")
def exclusive_or(operands: Operands) -> exp.Expression:
    if not operands.type(0).is_integer:
        raise error("RT0999", "The planner should have refused: BITXOR of binary values")
    return cast(binary(exp.BitwiseXor, operands[0], operands[1]), operands.result)


@translates_call("NEGATE")
def negate(operands: Operands) -> exp.Expression:
    return as_result(exp.Neg(this=paren(operands[0])), operands, operands.type(0))


@translates_call("TIMES_INTERVAL")
def times_interval(operands: Operands) -> exp.Expression:
    left, right = (1, 0) if operands.type(1).is_interval else (0, 1)
    return multiply(operands[left], operands[right])


@translates_call("Reinterpret", "REINTERPRET")
def reinterpret(operands: Operands) -> exp.Expression:
    """Converts an interval or a time to the number behind it (milliseconds, months, days), and back, as Calcite
    does."""
    source, value = operands.type(0), operands[0]
    if source.is_day_time:
        return as_result(interval_millis(value), operands, BIGINT)
    if source.is_year_month:
        return cast(interval_months(value), operands.result)
    if source.name == "TIMESTAMP":
        return as_result(fn("unix_millis", value), operands, BIGINT)
    if source.name == "DATE":
        return cast(fn("unix_date", value), operands.result)
    if source.name == "TIME":
        return cast(fn("time_to_millis", value), operands.result)
    if operands.result.is_day_time:
        return interval_of_millis(value)
    if operands.result.is_year_month:
        return interval_of_months(value)
    return as_result(value, operands, source)


def interval_millis(interval: exp.Expression) -> exp.Expression:
    """Returns a day-time interval in milliseconds, BIGINT, truncated towards zero."""
    return floor_divide(interval_micros(interval), number(1000))


def interval_micros(interval: exp.Expression) -> exp.Expression:
    """Returns a day-time interval in microseconds: Spark has no direct conversion, so it is a distance from the
    epoch."""
    return micros(add(timestamp_of(number(0)), interval))


def interval_of_millis(millis: exp.Expression) -> exp.Expression:
    from rowtime.sparksql.expressions import day_time_interval

    return multiply(day_time_interval(1), millis)


def interval_months(interval: exp.Expression) -> exp.Expression:
    return cast(interval, parse_type("INTEGER"))


def interval_of_months(months: exp.Expression) -> exp.Expression:
    from rowtime.sparksql.expressions import year_month_interval

    return multiply(year_month_interval(1), months)
