"""Constants."""

from __future__ import annotations

from decimal import Decimal

from sqlglot import exp

from rowtime.errors import error
from rowtime.plan.rex import Literal
from rowtime.plan.types import SqlType, parse_type
from rowtime.sparksql.expressions import cast, day_time_interval, null, number, text, year_month_interval
from rowtime.translate.rex.registry import Scope, translates_rex


@translates_rex(Literal)
def literal(rex: Literal, scope: Scope) -> exp.Expression:
    type_ = parse_type(rex.type)
    if rex.value is None:
        return null(type_)
    value = _constant(rex.value, type_)
    if value is None:
        raise error("RT0999", f"The plan has {rex.value!r} as a literal of type {rex.type}")
    return value


def _constant(value: bool | int | float | str, type_: SqlType) -> exp.Expression | None:
    if type_.name == "BOOLEAN":
        return exp.Boolean(this=bool(value))
    if type_.is_integer:
        # the least INTEGER is not a literal to Spark, but the negative of one that does not fit
        whole = abs(int(value)) < 2**31
        return number(int(value)) if type_.name == "INTEGER" and whole else cast(text(str(int(value))), type_)
    if type_.is_decimal:
        # as text: the digits are the value, without a binary fraction in between
        return cast(text(format(Decimal(str(value)), "f")), type_)
    if type_.is_approximate:
        return cast(text(repr(float(value))), type_)
    if type_.is_character or type_.name == "SYMBOL":
        return text(str(value))
    if type_.is_datetime:
        return cast(text(str(value).replace("T", " ")), type_)
    if type_.is_day_time:
        return day_time_interval(int(value))
    if type_.is_year_month:
        return year_month_interval(int(value))
    if type_.is_binary:
        return exp.HexString(this=str(value))
    return None
