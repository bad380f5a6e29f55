"""Numeric functions."""

from __future__ import annotations

from sqlglot import exp

from rowtime.plan.types import parse_type
from rowtime.sparksql.expressions import DOUBLE, case, cast, equal, floor_divide, fn, greater, less, multiply, number
from rowtime.translate.rex.calls.arithmetic import as_result
from rowtime.translate.rex.computed import computed
from rowtime.translate.rex.registry import Operands, translates_call

_WIDE = parse_type("DECIMAL(38, 18)")
_ALL_WHOLE = 10**15
"""From about this value on, a DOUBLE has no digits after the point."""

# Calcite's name: Spark's, if arguments and result are DOUBLE in both.
_DOUBLES = {
    "EXP": "exp",
    "SQRT": "sqrt",
    "CBRT": "cbrt",
    "POWER": "power",
    "SIN": "sin",
    "COS": "cos",
    "TAN": "tan",
    "COT": "cot",
    "ASIN": "asin",
    "ACOS": "acos",
    "ATAN": "atan",
    "ATAN2": "atan2",
    "SINH": "sinh",
    "COSH": "cosh",
    "TANH": "tanh",
    "DEGREES": "degrees",
    "RADIANS": "radians",
    "PI": "pi",
}


@translates_call(*_DOUBLES)
def double_function(operands: Operands) -> exp.Expression:
    args = [cast(operands[i], DOUBLE) for i in range(len(operands))]
    return as_result(fn(_DOUBLES[operands.call.op], *args), operands, DOUBLE)


@translates_call("LN", "LOG10")
def logarithm(operands: Operands) -> exp.Expression:
    """Minus infinity at zero and NaN below, as in IEEE 754; Spark's own return NULL there."""
    value = cast(operands[0], DOUBLE)
    of_positive = fn("ln" if operands.call.op == "LN" else "log10", value)
    branches = [
        (equal(value, number(0)), cast(exp.Literal.string("-Infinity"), DOUBLE)),
        (less(value, number(0)), cast(exp.Literal.string("NaN"), DOUBLE)),
    ]
    return as_result(case(*branches, default=of_positive), operands, DOUBLE)


@translates_call("ABS")
def absolute(operands: Operands) -> exp.Expression:
    return as_result(fn("abs", operands[0]), operands, operands.type(0))


@translates_call("SIGN")
def sign(operands: Operands) -> exp.Expression:
    """In the argument's type; Spark's returns DOUBLE."""
    return cast(fn("sign", operands[0]), operands.result)


@translates_call("ROUND")
def round_(operands: Operands) -> exp.Expression:
    """Rounds halves away from zero."""
    places = _places(operands)
    if places is None:
        return computed(operands.call, operands.scope, {1: _limit_places})
    return cast(fn("round", operands[0], number(places)), operands.result)


@translates_call("TRUNCATE")
def truncate(operands: Operands) -> exp.Expression:
    places = _places(operands)
    if places is None:
        return computed(operands.call, operands.scope, {1: _limit_places})
    value = operands[0]
    if operands.type(0).is_integer:
        if places >= 0:
            return as_result(value, operands, operands.type(0))
        unit = cast(number(10**-places), parse_type("BIGINT")) if places > -19 else None
        return cast(number(0) if unit is None else multiply(floor_divide(value, unit), unit), operands.result)
    if operands.type(0).is_decimal:
        return cast(_truncate_value(value, places), operands.result)
    # by decimal digits, so that 1.15 to two places stays 1.15; beyond that, a DOUBLE has no fraction to truncate
    exact = cast(_truncate_value(cast(value, _WIDE), places), operands.result)
    small = less(fn("abs", value), cast(number(_ALL_WHOLE), DOUBLE))
    return as_result(case((small, exact), default=value), operands, operands.type(0))


def _truncate_value(value: exp.Expression, places: int) -> exp.Expression:
    up, down = fn("ceil", value, number(places)), fn("floor", value, number(places))
    return case((less(value, number(0)), up), default=down)


def _places(operands: Operands) -> int | None:
    """The number of places; None if it is not a literal."""
    if len(operands) == 1:
        return 0
    places = operands.constant(1)
    # Beyond all digits of a number, more places have no effect, and Spark would write them out.
    return None if places is None else max(-_MOST_PLACES, min(int(places), _MOST_PLACES))


def _limit_places(places: exp.Expression) -> exp.Expression:
    """Limits the number of places of a row; NULL stays NULL."""
    least, most = number(-_MOST_PLACES), number(_MOST_PLACES)
    return case((less(places, least), least), (greater(places, most), most), default=places)


_MOST_PLACES = 400


@translates_call("RAND")
def random(operands: Operands) -> exp.Expression:
    return fn("rand", *operands.all())


def floor_or_ceil(operands: Operands) -> exp.Expression:
    """Returns FLOOR or CEIL of a number, in the plan's type; Spark's return BIGINT for a DOUBLE, whose range is
    larger."""
    value, name = operands[0], operands.call.op.lower()
    if operands.type(0).is_integer:
        return as_result(value, operands, operands.type(0))
    if operands.type(0).is_decimal:
        return cast(fn(name, value), operands.result)
    small = less(fn("abs", value), cast(number(_ALL_WHOLE), DOUBLE))
    return as_result(case((small, cast(fn(name, value), operands.result)), default=value), operands, operands.type(0))
