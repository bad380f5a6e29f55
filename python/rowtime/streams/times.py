"""Instants of rowtime: milliseconds since 1970-01-01 UTC, and how they are read and written."""

from __future__ import annotations

import math
import re
import time
from datetime import date, datetime, timedelta, timezone
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np

ORIGIN = 62_135_596_800_000
"""Milliseconds by which Spark's watermark runs ahead of rowtime: Spark's begins with 0, rowtime with the year 1."""

LEAST, GREATEST = -ORIGIN, 253_402_300_799_999
"""The first and the last instant that ROWTIME can have, in milliseconds: the years 1 to 9999."""
LONGEST = GREATEST - LEAST
"""The longest length of time, in milliseconds."""

EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
_NAIVE_EPOCH = datetime(1970, 1, 1)

_TIMESTAMP = re.compile(
    r"\s*(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ](\d{1,2}):(\d{2})(?::(\d{2})(?:\.(\d+))?)?\s*(Z|[+-]\d{2}:?\d{2})?)?\s*\Z",
    re.IGNORECASE | re.ASCII,
)

_UNITS = {"MILLISECOND": 1, "SECOND": 1000, "MINUTE": 60_000, "HOUR": 3_600_000, "DAY": 86_400_000, "WEEK": 604_800_000}
# As the planner has it (io.rowtime.statement.Options).
_DURATION = re.compile(rf"\s*(\d{{1,10}})\s*({'|'.join(_UNITS)})S?\s*\Z", re.IGNORECASE | re.ASCII)


class OutOfRange(ValueError, OverflowError):
    """A time outside the years 1 to 9999."""


def is_valid(millis: int) -> bool:
    """Whether ROWTIME can have this value."""
    return LEAST <= millis <= GREATEST


def clamped(millis: int) -> int:
    """The nearest instant that ROWTIME can have. As a bound it means the same, as every row lies in the range."""
    return min(max(millis, LEAST), GREATEST)


def now() -> int:
    """The system clock in milliseconds."""
    return time.time_ns() // 1_000_000


def parse_micros(text: str) -> int:
    """Microseconds of an ISO timestamp: `2006-09-11 12:05:00.5`, with a T or a blank, a date alone, or with Z or an
    offset at its end. Digits past the sixth of the fraction are cut off. Raises ValueError if it is none, OutOfRange
    where its offset leads out of the years 1 to 9999."""
    match = _TIMESTAMP.match(text)
    if match is None:
        raise ValueError(f"Not a timestamp: {text!r}")
    year, month, day, hour, minute, second, fraction, zone = match.groups()
    when = datetime(int(year), int(month), int(day), int(hour or 0), int(minute or 0), int(second or 0))
    micros = (when - _NAIVE_EPOCH) // timedelta(microseconds=1) + int((fraction or "").ljust(6, "0")[:6])
    if zone and zone.upper() != "Z":
        sign = 1 if zone[0] == "+" else -1
        micros -= sign * (int(zone[1:3]) * 60 + int(zone[-2:])) * 60_000_000
    return _in_range(micros)


def parse_millis(text: str) -> int:
    """Milliseconds of an ISO timestamp, cut off to whole ones."""
    return parse_micros(text) // 1000


def parse_duration(text: str) -> int:
    """Milliseconds of a length of time such as `24 HOURS` or `1week`. Raises ValueError if it is none, OutOfRange
    where it is longer than all years that there are."""
    match = _DURATION.match(text)
    if match is None:
        raise ValueError(f"Not a length of time: {text!r}")
    millis = int(match.group(1)) * _UNITS[match.group(2).upper()]
    if millis > LONGEST:
        raise OutOfRange(f"Longer than the years 1 to 9999: {text!r}")
    return millis


def to_micros(when: datetime | date | np.datetime64) -> int:
    """Microseconds of a datetime (also pandas' and numpy's); one without a zone is UTC, a date is its midnight.

    Raises OutOfRange if its zone leads out of the years 1 to 9999, TypeError or ValueError where it is no time.
    """
    if not isinstance(when, date) and type(when).__name__ == "datetime64":
        # numpy's NaT is the least number that there is.
        return _in_range(int(when.astype("datetime64[us]").astype("int64")))
    if not isinstance(when, datetime):
        return (when - date(1970, 1, 1)).days * 86_400_000_000
    if math.isnan(when.year):
        raise ValueError("Not a time: NaT")
    epoch = _NAIVE_EPOCH if when.tzinfo is None else EPOCH
    return _in_range((when - epoch) // timedelta(microseconds=1))


def to_datetime(millis: int) -> datetime:
    """The instant as a datetime in UTC, without zone, as rows of a query carry it; the nearest that there is, where it
    lies outside the years 1 to 9999."""
    return _NAIVE_EPOCH + timedelta(milliseconds=clamped(millis))


def text(millis: int, separator: str = " ") -> str:
    """`2006-09-11 12:05:00.000`; years outside 1 to 9999, which old logs may hold, with a sign: `+056669-…`."""
    if is_valid(millis):
        return to_datetime(millis).isoformat(sep=separator, timespec="milliseconds")
    # After 400 years the calendar repeats itself.
    cycles = (millis - LEAST) // _CYCLE
    shifted = to_datetime(millis - cycles * _CYCLE)
    return f"{shifted.year + 400 * cycles:+07d}" + shifted.isoformat(sep=separator, timespec="milliseconds")[4:]


_CYCLE = 146_097 * 86_400_000


def _in_range(micros: int) -> int:
    if not is_valid(micros // 1000):
        raise OutOfRange("Not in the years 1 to 9999")
    return micros
