"""Values as text, as Calcite writes them (`.5`, `0E0`, `TRUE`), and times with the fraction of their type."""

from __future__ import annotations

from sqlglot import exp

from rowtime.errors import error
from rowtime.plan.types import SqlType
from rowtime.sparksql.expressions import DOUBLE, STRING, case, cast, equal, fn, number, text


def to_text(value: exp.Expression, type_: SqlType) -> exp.Expression:
    """Returns `value` as a string."""
    if type_.name == "BOOLEAN":
        return fn("upper", cast(value, STRING))
    if type_.is_integer or type_.name in ("DATE", "NULL", "ANY"):
        return cast(value, STRING)
    if type_.is_decimal:
        return _decimal(value)
    if type_.is_approximate:
        return _approximate(value)
    if type_.name == "TIMESTAMP":
        return fn("date_format", value, text("yyyy-MM-dd HH:mm:ss" + _fraction(type_)))
    if type_.name == "TIME":
        return fn("date_format", _epoch_day(value), text("HH:mm:ss" + _fraction(type_)))
    if type_.is_binary:
        return fn("lower", fn("hex", value))
    raise error("RT0999", f"The planner should have refused: CAST from {type_.name} to text")


def _fraction(type_: SqlType) -> str:
    digits = 0 if type_.precision is None else min(type_.precision, 3)
    return "." + "S" * digits if digits else ""


def _epoch_day(time: exp.Expression) -> exp.Expression:
    from rowtime.sparksql.expressions import timestamp_of

    return timestamp_of(fn("time_to_micros", time))


def _decimal(value: exp.Expression) -> exp.Expression:
    """Without a zero before the point: `.5`."""
    written = cast(value, STRING)
    return fn("regexp_replace", written, text("^(-?)0\\."), text("$1."))


def _approximate(value: exp.Expression) -> exp.Expression:
    """As Java writes a double, with one exception."""
    zero = equal(value, cast(number(0), DOUBLE))
    return case((zero, text("0E0")), default=cast(value, STRING))
