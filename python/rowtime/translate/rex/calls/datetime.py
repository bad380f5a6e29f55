"""Datetime arithmetic, FLOOR and CEIL to units, EXTRACT, the clock."""

from __future__ import annotations

from sqlglot import exp

from rowtime.jvm.functions import LOCAL_REACHED
from rowtime.plan.types import SqlType
from rowtime.sparksql.expressions import (
    BIGINT,
    DATE,
    TIMESTAMP,
    add,
    binary,
    case,
    cast,
    ceil,
    fail,
    floor,
    floor_divide,
    fn,
    long,
    micros,
    multiply,
    number,
    shift,
    subtract,
    text,
    time_of_day,
    timestamp_of,
    year_month_interval,
)
from rowtime.translate.calendar import UNITS, calendar_ceil, calendar_floor
from rowtime.translate.rex.calls.arithmetic import interval_micros
from rowtime.translate.rex.calls.numeric import floor_or_ceil
from rowtime.translate.rex.registry import Operands, translates_call

_DAY = 86_400_000
FIXED = {
    "MILLISECOND": (1, 0),
    "SECOND": (1000, 0),
    "MINUTE": (60_000, 0),
    "HOUR": (3_600_000, 0),
    "DAY": (_DAY, 0),
    # weeks begin on Sundays; 1970-01-04 was one
    "WEEK": (7 * _DAY, 3 * _DAY),
}
"""Units of a fixed length: their length in ms, and the beginning of one of them, in ms since the epoch."""


@translates_call("FLOOR", "CEIL", "CEILING")
def floor_ceil(operands: Operands) -> exp.Expression:
    if len(operands) == 1:
        return floor_or_ceil(operands)
    value, type_, unit = operands[0], operands.type(0), operands.symbol(1)
    up = operands.call.op != "FLOOR"
    if type_.name == "TIME":
        return _time_to(operands, unit, up)
    if type_.name == "DATE":
        if unit in ("MILLISECOND", "SECOND", "MINUTE", "HOUR", "DAY"):
            return value
        return cast(_to_unit(cast(value, TIMESTAMP), unit, up, operands), DATE)
    return _to_unit(value, unit, up, operands)


def _to_unit(timestamp: exp.Expression, unit: str, up: bool, operands: Operands) -> exp.Expression:
    if unit in FIXED:
        size, offset = FIXED[unit]
        return (ceil if up else floor)(timestamp, size, offset)
    if unit in UNITS:
        return (calendar_ceil if up else calendar_floor)(timestamp, unit)
    raise operands.unsupported(f"{operands.call.op} TO {unit}")


def _time_to(operands: Operands, unit: str, up: bool) -> exp.Expression:
    if unit not in FIXED or unit == "WEEK":
        return operands[0]
    size, _ = FIXED[unit]
    # a time of day is a time on the epoch's day; CEIL may reach midnight, where the day begins again
    at = timestamp_of(fn("time_to_micros", operands[0]))
    return time_of_day(micros((ceil if up else floor)(at, size)), operands.result)


@translates_call("TUMBLE", "$TUMBLE", "TUMBLE_START")
def tumble(operands: Operands) -> exp.Expression:
    """Returns the start of the window that contains a timestamp: arguments are the timestamp, the length, an optional
    offset."""
    size, offset = operands.constant(1), operands.constant(2) if len(operands) == 3 else 0
    if size is None or offset is None or not operands.type(1).is_day_time:
        raise operands.unsupported("TUMBLE by an interval that is not a literal of days or shorter units")
    return floor(operands[0], int(size), int(offset) % int(size))


@translates_call("DATETIME_PLUS", "DATETIME_MINUS")
def move(operands: Operands) -> exp.Expression:
    """Adds an interval to a date, time or timestamp. A time of day wraps at midnight, months end on their last day."""
    value, type_, interval = operands[0], operands.type(0), operands.type(1)
    minus = operands.call.op == "DATETIME_MINUS"
    if type_.name == "TIME":
        at = fn("time_to_micros", value)
        return time_of_day((subtract if minus else add)(at, interval_micros(operands[1])), operands.result)
    amount = operands.constant(1)
    if amount is not None and interval.is_day_time and operands.result.name == "TIMESTAMP":
        return shift(_timestamp(value, type_), -int(amount) if minus else int(amount))
    moved = (subtract if minus else add)(value, operands[1])
    if operands.result.name != type_.name or (type_.name == "DATE" and interval.is_day_time):
        return cast(moved, operands.result)
    return moved


def _timestamp(value: exp.Expression, type_: SqlType) -> exp.Expression:
    return value if type_.name == "TIMESTAMP" else cast(value, TIMESTAMP)


@translates_call("TIMESTAMP_DIFF", "MINUS_DATE")
def distance(operands: Operands) -> exp.Expression:
    """Returns the interval between two times; for months, complete ones."""
    if operands.result.is_year_month:
        months = fn("timestampdiff", exp.var("MONTH"), operands[1], operands[0])
        return multiply(year_month_interval(1), months)
    return cast(subtract(operands[0], operands[1]), operands.result)


# EXTRACT's unit: Spark's function, if that suffices.
_FIELDS = {
    "YEAR": "year",
    "QUARTER": "quarter",
    "MONTH": "month",
    "WEEK": "weekofyear",
    "DAY": "day",
    "DOY": "dayofyear",
    "DOW": "dayofweek",
    "HOUR": "hour",
    "MINUTE": "minute",
    "SECOND": "second",
}
# Units within a minute: (microseconds per unit, units per microsecond).
_IN_MINUTE = {"MILLISECOND": (1000, 1), "MICROSECOND": (1, 1), "NANOSECOND": (1, 1000)}
_YEARS = {"DECADE": 10, "CENTURY": 100, "MILLENNIUM": 1000}


@translates_call("EXTRACT")
def extract(operands: Operands) -> exp.Expression:
    return cast(_extract(operands), operands.result)


def _extract(operands: Operands) -> exp.Expression:
    unit, value, type_ = operands.symbol(0), operands[1], operands.type(1)
    if type_.is_interval:
        return _of_interval(operands, unit)
    if unit == "EPOCH":
        return _epoch_seconds(value, type_)
    if unit in ("HOUR", "MINUTE", "SECOND") and type_.name == "DATE":
        return number(0)
    if unit in _FIELDS:
        return fn(_FIELDS[unit], value)
    if unit in _IN_MINUTE:
        size, times = _IN_MINUTE[unit]
        in_minute = fn("pmod", _micros_of(value, type_), number(60_000_000))
        found = exp.IntDiv(this=in_minute, expression=number(size)) if size > 1 else in_minute
        return multiply(found, number(times)) if times > 1 else found
    if unit == "ISODOW":
        return add(fn("weekday", value), number(1))
    if unit == "ISOYEAR":
        # the year of the week's Thursday
        thursday = add(cast(value, DATE), subtract(number(3), fn("weekday", value)))
        return fn("year", thursday)
    if unit in _YEARS:
        return _years(fn("year", value), unit)
    raise operands.unsupported(f"EXTRACT({unit} FROM …)")


def _years(year: exp.Expression, unit: str) -> exp.Expression:
    """Decades count from year 0, centuries and millennia from year 1: 2001 is the first year of the 21st century."""
    size = number(_YEARS[unit])
    if unit == "DECADE":
        return exp.IntDiv(this=year, expression=size)
    return exp.IntDiv(this=exp.Paren(this=add(year, subtract(size, number(1)))), expression=size)


def _epoch_seconds(value: exp.Expression, type_: SqlType) -> exp.Expression:
    if type_.name == "TIME":
        return exp.IntDiv(this=fn("time_to_micros", value), expression=number(1_000_000))
    # truncated, not floored, before 1970 as well
    return floor_divide(fn("unix_millis", _timestamp(value, type_)), number(1000))


def _micros_of(value: exp.Expression, type_: SqlType) -> exp.Expression:
    if type_.name == "TIME":
        return fn("time_to_micros", value)
    return micros(_timestamp(value, type_))


# Fields of a day-time interval: (microseconds in the unit, in the next larger unit).
_OF_INTERVAL = {
    "DAY": (86_400_000_000, None),
    "HOUR": (3_600_000_000, 86_400_000_000),
    "MINUTE": (60_000_000, 3_600_000_000),
    "SECOND": (1_000_000, 60_000_000),
    "MILLISECOND": (1000, 60_000_000),
    "MICROSECOND": (1, 60_000_000),
    "EPOCH": (1_000_000, None),
}


def _of_interval(operands: Operands, unit: str) -> exp.Expression:
    """Returns a field of an interval, with the interval's sign."""
    value, type_ = operands[1], operands.type(1)
    if type_.is_year_month:
        if unit in ("YEAR", "MONTH"):
            return exp.Extract(this=exp.var(unit), expression=value)
        raise operands.unsupported(f"EXTRACT({unit} FROM …) of an interval of months")
    if unit not in _OF_INTERVAL:
        raise operands.unsupported(f"EXTRACT({unit} FROM …) of an interval of days")
    size, larger = _OF_INTERVAL[unit]
    at = interval_micros(value)
    within = exp.Paren(this=exp.Mod(this=at, expression=long(larger))) if larger else at
    return exp.IntDiv(this=within, expression=long(size))


@translates_call("CURRENT_TIMESTAMP", "LOCALTIMESTAMP", "NOW", "PROCTIME")
def current_timestamp(operands: Operands) -> exp.Expression:
    """To the millisecond; one value for a whole query, or for a micro-batch."""
    return fn("timestamp_millis", fn("unix_millis", fn("current_timestamp")))


@translates_call("CURRENT_DATE")
def current_date(operands: Operands) -> exp.Expression:
    return fn("current_date")


@translates_call("CURRENT_TIME", "LOCALTIME")
def current_time(operands: Operands) -> exp.Expression:
    return cast(fn("current_time", number(3)), operands.result)


@translates_call("FROM_UTC_TIMESTAMP", "TO_UTC_TIMESTAMP")
def of_zone(operands: Operands) -> exp.Expression:
    return fn(operands.call.op.lower(), *operands.all())


@translates_call("LOCAL_REACHED")
def local_reached(operands: Operands) -> exp.Expression:
    return fn(LOCAL_REACHED, *operands.all())


@translates_call("IN_HISTORY")
def in_history(operands: Operands) -> exp.Expression:
    time, begin, table = operands.all()
    early = fn(
        "concat",
        text("The query needs table '"),
        table,
        text("' as of "),
        _to_text(time),
        text(", and its history begins at "),
        _to_text(begin),
    )
    return case((binary(exp.LT, time, begin), fail(early)), default=exp.true())


def _to_text(time: exp.Expression) -> exp.Expression:
    return fn("date_format", time, text("yyyy-MM-dd HH:mm:ss.SSS"))


@translates_call("LAST_DAY")
def last_day(operands: Operands) -> exp.Expression:
    return fn("last_day", operands[0])


@translates_call("UNIX_MILLIS")
def unix_millis(operands: Operands) -> exp.Expression:
    return cast(fn("unix_millis", operands[0]), BIGINT)
