"""CAST: the conversion depends on both types; texts of numbers and times are Calcite's, not Spark's."""

from __future__ import annotations

from sqlglot import exp

from rowtime.errors import error
from rowtime.jvm.functions import NUMBER_TEXT
from rowtime.plan.rex import Cast, Literal
from rowtime.plan.types import SqlType, parse_type
from rowtime.sparksql.expressions import (
    TIMESTAMP,
    case,
    cast,
    equal,
    fail,
    floor,
    floor_divide,
    fn,
    is_null,
    micros,
    multiply,
    null,
    number,
    text,
    time_of_day,
    try_cast,
)
from rowtime.sparksql.parts import by_parts
from rowtime.translate.rex.calls.arithmetic import (
    interval_millis,
    interval_months,
    interval_of_millis,
    interval_of_months,
)
from rowtime.translate.rex.computed import computed
from rowtime.translate.rex.registry import Scope, to_expression, translates_rex
from rowtime.translate.rex.texts import to_text


@translates_rex(Cast)
def cast_rex(rex: Cast, scope: Scope) -> exp.Expression:
    inner = rex.args[0]
    target = parse_type(rex.type)
    if isinstance(inner, Literal) and inner.value is None:
        return null(target)
    source = parse_type(getattr(inner, "type", "ANY"))
    if (source.is_interval and target.is_character) or (source.is_character and target.is_interval):
        return computed(rex, scope)
    return convert(to_expression(inner, scope), source, target, safe=rex.safe)


def convert(value: exp.Expression, source: SqlType, target: SqlType, *, safe: bool = False) -> exp.Expression:
    """Converts `value` of type `source` to `target`; a value that cannot be converted is an error, or with `safe`
    NULL. An array, a map or a row is converted part by part."""
    if source.name == "NULL":
        return null(target)
    if source.arguments and target.arguments:
        return _by_parts(value, source, target, safe)
    if source.is_interval and target.is_character:
        return _interval_to_character(value, source, target)
    if target.is_character:
        return _to_character(value, source, target)
    if target.name == "BOOLEAN" and source.is_character:
        return _to_boolean(value, safe)
    if source.is_interval != target.is_interval:
        return _interval_cast(value, source, target)
    if target.name == "TIME":
        return _to_time(value, source, target, safe)
    if source.name == "TIME" and target.name == "TIMESTAMP":
        return fn("make_timestamp", fn("current_date"), value)
    if target.name == "TIMESTAMP" and (source.name == "TIMESTAMP" or source.is_character):
        return _to_timestamp(value, source, target, safe)
    if source.is_binary and target.is_binary:
        return _to_binary(value, source, target)
    if source.spark() == target.spark():
        return value
    if target.is_decimal and source.is_character:
        value = fn(NUMBER_TEXT, value)
    if target.is_integer and (source.is_decimal or source.is_approximate):
        # digits beyond the scale are rounded half up, as between decimals; Spark would truncate them
        value = fn("round", value)
    return try_cast(value, target) if safe else cast(value, target)


def _by_parts(value: exp.Expression, source: SqlType, target: SqlType, safe: bool) -> exp.Expression:
    def converted(part: exp.Expression, index: int) -> exp.Expression:
        return convert(part, source.arguments[index], target.arguments[index], safe=safe)

    parts = by_parts(value, source, target, converted)
    # The same parts may have other names.
    return cast(value, target) if parts is value and source.spark() != target.spark() else parts


def _interval_to_character(value: exp.Expression, source: SqlType, target: SqlType) -> exp.Expression:
    length = "" if target.precision is None else f"({target.precision})"
    interval = Literal(type=source.name, nullable=True)
    whole = Cast(type=target.name + length, nullable=True, safe=False, args=[interval])
    return computed(whole, Scope(()), {0: lambda _: value})


def _to_timestamp(value: exp.Expression, source: SqlType, target: SqlType, safe: bool) -> exp.Expression:
    """Truncates digits of a second that the target does not have; no time has more than three."""
    digits = min(3 if target.precision is None else target.precision, 3)
    if source.is_character:
        read = try_cast(value, TIMESTAMP) if safe else cast(value, TIMESTAMP)
        return floor(read, 10 ** (3 - digits))
    if digits >= min(3 if source.precision is None else source.precision, 3):
        return value
    return floor(value, 10 ** (3 - digits))


def _to_time(value: exp.Expression, source: SqlType, target: SqlType, safe: bool) -> exp.Expression:
    if source.name == "TIMESTAMP":
        return time_of_day(micros(value), target)
    if source.name == "TIME" and (target.precision or 0) >= (source.precision or 0):
        return value if source == target else cast(value, target)
    widest = parse_type("TIME(6)")
    read = try_cast(value, widest) if safe else cast(value, widest)
    return time_of_day(fn("time_to_micros", read), target)


def _to_character(value: exp.Expression, source: SqlType, target: SqlType) -> exp.Expression:
    written = value if source.is_character else to_text(value, source)
    length = target.precision
    if target.name == "CHAR":
        wide = length or 1
        if source.name == "CHAR" and (source.precision or 1) == wide:
            return written
        # truncates and pads; the padding is part of the value
        return fn("rpad", written, number(wide), text(" "))
    if length is None or (source.is_character and source.precision is not None and source.precision <= length):
        return written
    return fn("left", written, number(length))


def _to_binary(value: exp.Expression, source: SqlType, target: SqlType) -> exp.Expression:
    """Cuts bytes off, and pads BINARY with zeros."""
    length = target.precision
    if target.name == "BINARY":
        wide = length or 1
        if source.name == "BINARY" and (source.precision or 1) == wide:
            return value
        return fn("rpad", value, number(wide), exp.HexString(this="00"))
    if length is None or (source.precision is not None and source.precision <= length):
        return value
    return fn("substring", value, number(1), number(length))


def _to_boolean(value: exp.Expression, safe: bool) -> exp.Expression:
    """Accepts TRUE and FALSE in any case; Spark would also accept t, yes, 1 …"""
    word = fn("upper", fn("trim", value))
    bad = null() if safe else fail(fn("concat", text("Invalid boolean: "), value))
    return case(
        (equal(word, text("TRUE")), exp.Boolean(this=True)),
        (equal(word, text("FALSE")), exp.Boolean(this=False)),
        (is_null(value), exp.Null()),
        default=cast(bad, parse_type("BOOLEAN")),
    )


_UNIT_MILLIS = {
    "SECOND": 1000,
    "MINUTE": 60_000,
    "HOUR": 3_600_000,
    "DAY": 86_400_000,
    "WEEK": 7 * 86_400_000,
    "MILLISECOND": 1,
}
_UNIT_MONTHS = {"MONTH": 1, "QUARTER": 3, "YEAR": 12}


def _interval_cast(value: exp.Expression, source: SqlType, target: SqlType) -> exp.Expression:
    """Converts between a number and an interval: the number counts the interval's last unit."""
    interval = source if source.is_interval else target
    unit = interval.name.split()[-1]
    if not (source if target.is_interval else target).is_exact:
        raise error("RT0999", f"The planner should have refused: CAST from {source.name} to {target.name}")
    if interval.is_day_time:
        size = number(_UNIT_MILLIS[unit])
        if target.is_interval:
            return interval_of_millis(multiply(value, size))
        return cast(floor_divide(interval_millis(value), size), target)
    size = number(_UNIT_MONTHS[unit])
    if target.is_interval:
        return interval_of_months(multiply(value, size))
    return cast(floor_divide(interval_months(value), size), target)
