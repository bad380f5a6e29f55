"""Values as text, written as Calcite writes them: `1E2`, `.5`, `TRUE`, `2020-01-01 10:00:00.000`."""

from __future__ import annotations

from sqlglot import exp

from rowtime.errors import error
from rowtime.plan.types import SqlType
from rowtime.translate.sparksql import (
    DOUBLE,
    INT,
    STRING,
    add,
    all_of,
    any_of,
    case,
    cast,
    equal,
    fn,
    greater,
    less,
    number,
    subtract,
    text,
)


def to_text(value: exp.Expression, type_: SqlType) -> exp.Expression:
    """`value` as a string."""
    if type_.name == "BOOLEAN":
        return fn("upper", cast(value, STRING))
    if type_.is_integer or type_.name in ("DATE", "NULL", "ANY"):
        return cast(value, STRING)
    if type_.is_decimal:
        return _decimal(value)
    if type_.is_approximate:
        return _approximate(value, 7 if type_.name == "REAL" else 16)
    if type_.name == "TIMESTAMP":
        return fn("date_format", value, text("yyyy-MM-dd HH:mm:ss" + _fraction(type_)))
    if type_.name == "TIME":
        return fn("date_format", _epoch_day(value), text("HH:mm:ss" + _fraction(type_)))
    if type_.is_binary:
        return fn("lower", fn("hex", value))
    raise error("RT0900", f"not supported yet: CAST from {type_.name} to text")


def _fraction(type_: SqlType) -> str:
    digits = 0 if type_.precision is None else min(type_.precision, 3)
    return "." + "S" * digits if digits else ""


def _epoch_day(time: exp.Expression) -> exp.Expression:
    from rowtime.translate.sparksql import timestamp_of

    return timestamp_of(fn("time_to_micros", time))


def _decimal(value: exp.Expression) -> exp.Expression:
    """No zero before the point: `.5`."""
    written = cast(value, STRING)
    return fn("regexp_replace", written, text("^(-?)0\\."), text("$1."))


def _approximate(value: exp.Expression, digits: int) -> exp.Expression:
    """Shortest digits (at most `digits` of them), with an exponent where the number ends in zeros before the point, or
    begins with more than five behind it: what Java's BigDecimal prints of them, without the + sign."""
    # %e writes d.ddd…e±xx; a lambda gives names to its parts, so that each is computed once
    parts = fn("split", fn("format_string", text(f"%.{digits - 1}e"), cast(value, DOUBLE)), text("e"))
    p = exp.column("p")
    mantissa, exponent = fn("get", p, number(0)), cast(fn("get", p, number(1)), INT)
    plain = fn("rtrim", text("0"), fn("replace", fn("replace", mantissa, text("."), text("")), text("-"), text("")))
    sign = case((fn("startswith", mantissa, text("-")), text("-")), default=text(""))
    record = fn("named_struct", text("d"), plain, text("e"), exponent, text("s"), sign)
    step = fn("transform", fn("transform", fn("array", parts), _lambda("p", record)), _lambda("r", _laid_out()))
    written = fn("get", step, number(0))
    zero = equal(value, cast(number(0), DOUBLE))
    odd = any_of(
        fn("isnan", value),
        equal(fn("abs", value), cast(exp.Literal.string("Infinity"), DOUBLE)),
    )
    return case((zero, text("0E0")), (odd, cast(value, STRING)), default=written)


def _laid_out() -> exp.Expression:
    """From the record r of sign s, digits d and exponent e of the first digit."""
    s, d, e = (exp.Dot(this=exp.column("r"), expression=exp.to_identifier(n)) for n in "sde")
    count = fn("char_length", d)
    one = number(1)
    whole = add(e, one)
    below = fn("concat", s, text("0."), fn("repeat", text("0"), subtract(exp.Neg(this=e.copy()), one)), d)
    among = fn("concat", s, fn("left", d, whole), text("."), fn("substring", d, add(whole, one)))
    rest = case((greater(count, one), fn("concat", text("."), fn("substring", d, number(2)))), default=text(""))
    scientific = fn("concat", s, fn("left", d, one), rest, text("E"), cast(e, STRING))
    return case(
        (all_of(less(e, number(0)), greater(e, number(-7))), below),
        (equal(count, whole), fn("concat", s, d)),
        (all_of(greater(e, number(-1)), greater(count, whole)), among),
        default=scientific,
    )


def _lambda(name: str, body: exp.Expression) -> exp.Expression:
    return exp.Lambda(this=body.copy(), expressions=[exp.to_identifier(name)])
