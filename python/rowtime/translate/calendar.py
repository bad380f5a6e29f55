"""FLOOR and CEIL of a timestamp to units of the calendar, whose length varies."""

from __future__ import annotations

from sqlglot import exp

from rowtime.sparksql.expressions import (
    INT,
    TIMESTAMP,
    add,
    case,
    cast,
    equal,
    fn,
    number,
    subtract,
    text,
    year_month_interval,
)

UNITS = {"MONTH": 1, "QUARTER": 3, "YEAR": 12, "DECADE": 120, "CENTURY": 1200, "MILLENNIUM": 12000}
"""Months per unit."""


def calendar_floor(timestamp: exp.Expression, unit: str) -> exp.Expression:
    """Returns the beginning of the unit that contains `timestamp` (or a date), as a TIMESTAMP.

    Centuries and millennia begin with year 1 (2001), decades with year 0 (2020), as in Calcite.
    """
    if unit in ("MONTH", "QUARTER", "YEAR"):
        return fn("date_trunc", text(unit), timestamp)
    years = UNITS[unit] // 12
    first = 0 if unit == "DECADE" else 1
    year = fn("year", timestamp)
    since = fn("pmod", subtract(year, number(first)) if first else year, number(years))
    day = fn("make_date", cast(subtract(year, since), INT), number(1), number(1))
    return cast(day, TIMESTAMP)


def calendar_ceil(timestamp: exp.Expression, unit: str) -> exp.Expression:
    """Returns the first beginning of a unit that is not before `timestamp`, as a TIMESTAMP."""
    floor = calendar_floor(timestamp, unit)
    following = cast(add(floor, year_month_interval(UNITS[unit])), TIMESTAMP)
    return case((equal(floor, cast(timestamp, TIMESTAMP)), floor), default=following)
