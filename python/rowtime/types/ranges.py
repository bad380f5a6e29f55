"""The range of times: the years 1 to 9999. Times outside are refused on input, because no output could show them."""

from __future__ import annotations

import datetime as dt

import pyarrow as pa
import pyarrow.compute as pc

from rowtime.errors import RowtimeError, error
from rowtime.types import times

_LIKELY = 500_000_000_000
"""Milliseconds since 1970: lower values would be years that few rows have."""
_FIRST_DAY, _LAST_DAY = (day.toordinal() - dt.date(1970, 1, 1).toordinal() for day in (dt.date.min, dt.date.max))


def require_in_range(millis: int) -> int:
    """Returns a bound (ms since 1970) that is in range. Raises RowtimeError RT0555."""
    if times.is_valid(millis):
        return millis
    units = {1_000: "microseconds", 1_000_000: "nanoseconds"}
    meant = next((unit for factor, unit in units.items() if _LIKELY <= abs(millis) // factor <= times.GREATEST), None)
    shown = str(millis) if abs(millis) < 10**30 else "a number of more than 30 digits"
    raise out_of_range(f"The bound {shown}", meant)


def out_of_range(what: str, meant: str | None = None) -> RowtimeError:
    """Returns RT0555; `meant` is the unit in which the value would be in range."""
    hint = "Bounds are milliseconds since 1970" + (f"; is this in {meant}?" if meant else "")
    return error(
        "RT0555", f"{what} is not in the years 1 to 9999", hint=hint if "bound" in what else "Leave such rows out"
    )


def check_times(name: str, rows: pa.Table) -> None:
    """Raises RowtimeError RT0555 if a TIMESTAMP or DATE of rows to be stored in `name` is out of range."""
    for field, column in zip(rows.schema, rows.columns, strict=True):
        if pa.types.is_timestamp(field.type):
            least, greatest = times.LEAST * 1000, times.GREATEST * 1000 + 999
            numbers = column.cast(pa.int64())
        elif pa.types.is_date32(field.type):
            least, greatest = _FIRST_DAY, _LAST_DAY
            numbers = column.cast(pa.int32())
        else:
            continue
        ends = pc.min_max(numbers)
        first, last = ends["min"].as_py(), ends["max"].as_py()
        if first is not None and not (least <= first and last <= greatest):
            raise out_of_range(f"A value of {field.name} for '{name}'")
