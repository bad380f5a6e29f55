"""Instants of rowtime: milliseconds since 1970-01-01 UTC, their parsing and formatting."""

from __future__ import annotations

import math
import re
import time
from datetime import date, datetime, timedelta, timezone
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np

ORIGIN = 62_135_596_800_000
"""Milliseconds by which Spark's watermark is ahead of rowtime: Spark's begins at 0, rowtime with the year 1."""

LEAST, GREATEST = -ORIGIN, 253_402_300_799_999
"""The first and the last instant that ROWTIME can have, in milliseconds: the years 1 to 9999."""
LONGEST = GREATEST - LEAST
"""The longest duration, in milliseconds."""

EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
_NAIVE_EPOCH = datetime(1970, 1, 1)

_TIMESTAMP = re.compile(
    r"\s*(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ](\d{1,2}):(\d{2})(?::(\d{2})(?:\.(\d+))?)?\s*(Z|[+-]\d{2}:?\d{2})?)?\s*\Z",
    re.IGNORECASE | re.ASCII,
)

_UNITS = {"MILLISECOND": 1, "SECOND": 1000, "MINUTE": 60_000, "HOUR": 3_600_000, "DAY": 86_400_000, "WEEK": 604_800_000}
# As in the planner (io.rowtime.statement.Options).
_DURATION = re.compile(rf"\s*(\d{{1,10}})\s*({'|'.join(_UNITS)})S?\s*\Z", re.IGNORECASE | re.ASCII)


class OutOfRange(ValueError, OverflowError):
    """A time outside the years 1 to 9999."""


def is_valid(millis: int) -> bool:
    """Returns whether ROWTIME can have this value."""
    return LEAST <= millis <= GREATEST


def clamp(millis: int) -> int:
    """Returns the nearest instant that ROWTIME can have. As a bound it is equivalent, because every row is in the
    range."""
    return min(max(millis, LEAST), GREATEST)


def now() -> int:
    """Returns the system clock in milliseconds."""
    return time.time_ns() // 1_000_000


def parse_micros(text: str) -> int:
    """Returns the microseconds of an ISO timestamp: `2006-09-11 12:05:00.5`, with a T or a blank, a date alone, or with
    Z or an offset at its end. Drops digits after the sixth of the fraction. Raises ValueError if the text is not a
    timestamp, OutOfRange if its offset leads outside the years 1 to 9999."""
    match = _TIMESTAMP.match(text)
    if match is None:
        raise ValueError(f"Not a timestamp: {text!r}")
    year, month, day, hour, minute, second, fraction, zone = match.groups()
    when = datetime(int(year), int(month), int(day), int(hour or 0), int(minute or 0), int(second or 0))
    micros = (when - _NAIVE_EPOCH) // timedelta(microseconds=1) + int((fraction or "").ljust(6, "0")[:6])
    if zone and zone.upper() != "Z":
        sign = 1 if zone[0] == "+" else -1
        micros -= sign * (int(zone[1:3]) * 60 + int(zone[-2:])) * 60_000_000
    return _require_in_range(micros)


def parse_millis(text: str) -> int:
    """Returns the milliseconds of an ISO timestamp, truncated."""
    return parse_micros(text) // 1000


def parse_begin(text: str) -> int | None:
    """Returns where to begin to read, in milliseconds: a timestamp, or None for `earliest`. Raises ValueError for
    anything else."""
    return None if text.lower() == "earliest" else parse_millis(text)


def parse_duration(text: str) -> int:
    """Returns the milliseconds of a duration such as `24 HOURS` or `1week`. Raises ValueError if the text is not a
    duration, OutOfRange if it is longer than the range of all times."""
    match = _DURATION.match(text)
    if match is None:
        raise ValueError(f"Not a length of time: {text!r}")
    millis = int(match.group(1)) * _UNITS[match.group(2).upper()]
    if millis > LONGEST:
        raise OutOfRange(f"Longer than the years 1 to 9999: {text!r}")
    return millis


def to_micros(when: datetime | date | np.datetime64) -> int:
    """Returns the microseconds of a datetime (also pandas' and numpy's); one without a zone is in UTC, a date is its
    midnight.

    Raises OutOfRange if its zone leads outside the years 1 to 9999, TypeError or ValueError if it is not a time.
    """
    if not isinstance(when, date) and type(when).__name__ == "datetime64":
        # numpy's NaT is the least possible number.
        return _require_in_range(int(when.astype("datetime64[us]").astype("int64")))
    if not isinstance(when, datetime):
        return (when - date(1970, 1, 1)).days * 86_400_000_000
    if math.isnan(when.year):
        raise ValueError("Not a time: NaT")
    epoch = _NAIVE_EPOCH if when.tzinfo is None else EPOCH
    return _require_in_range((when - epoch) // timedelta(microseconds=1))


def to_datetime(millis: int) -> datetime:
    """Returns the instant as a datetime in UTC, without zone, as in rows of a query; the nearest possible one if it is
    outside the years 1 to 9999."""
    return _NAIVE_EPOCH + timedelta(milliseconds=clamp(millis))


def text(millis: int, separator: str = " ") -> str:
    """Returns `2006-09-11 12:05:00.000`; years outside 1 to 9999, which old logs may contain, have a sign:
    `+056669-…`."""
    if is_valid(millis):
        return to_datetime(millis).isoformat(sep=separator, timespec="milliseconds")
    # The calendar repeats after 400 years.
    cycles = (millis - LEAST) // _CYCLE
    shifted = to_datetime(millis - cycles * _CYCLE)
    return f"{shifted.year + 400 * cycles:+07d}" + shifted.isoformat(sep=separator, timespec="milliseconds")[4:]


_CYCLE = 146_097 * 86_400_000


def _require_in_range(micros: int) -> int:
    if not is_valid(micros // 1000):
        raise OutOfRange("Not in the years 1 to 9999")
    return micros
