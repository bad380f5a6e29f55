"""Instants of rowtime: milliseconds since 1970-01-01 UTC, and how they are read and written."""

from __future__ import annotations

import re
import time
from datetime import date, datetime, timedelta, timezone

ORIGIN = 62_135_596_800_000
"""Milliseconds by which Spark's watermark runs ahead of rowtime: Spark's begins with 0, rowtime with the year 1."""

EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
_NAIVE_EPOCH = datetime(1970, 1, 1)

_TIMESTAMP = re.compile(
    r"\s*(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ](\d{1,2}):(\d{2})(?::(\d{2})(?:\.(\d+))?)?\s*(Z|[+-]\d{2}:?\d{2})?)?\s*\Z",
    re.IGNORECASE,
)

_UNITS = {"MILLISECOND": 1, "SECOND": 1000, "MINUTE": 60_000, "HOUR": 3_600_000, "DAY": 86_400_000, "WEEK": 604_800_000}
# As the planner has it (io.rowtime.statement.Options). Ten digits of weeks still fit into 64 bits.
_DURATION = re.compile(rf"\s*(\d{{1,10}})\s*({'|'.join(_UNITS)})S?\s*\Z", re.IGNORECASE | re.ASCII)


def now() -> int:
    """The system clock in milliseconds."""
    return time.time_ns() // 1_000_000


def parse_micros(text: str) -> int:
    """Microseconds of an ISO timestamp: `2006-09-11 12:05:00.5`, with a T or a blank, a date alone, or with Z or an
    offset at its end. Digits past the sixth of the fraction are cut off. Raises ValueError where it is none."""
    match = _TIMESTAMP.match(text)
    if match is None:
        raise ValueError(f"Not a timestamp: {text!r}")
    year, month, day, hour, minute, second, fraction, zone = match.groups()
    when = datetime(int(year), int(month), int(day), int(hour or 0), int(minute or 0), int(second or 0))
    micros = (when - _NAIVE_EPOCH) // timedelta(microseconds=1) + int((fraction or "").ljust(6, "0")[:6])
    if zone and zone.upper() != "Z":
        sign = 1 if zone[0] == "+" else -1
        micros -= sign * (int(zone[1:3]) * 60 + int(zone[-2:])) * 60_000_000
    return micros


def parse_millis(text: str) -> int:
    """Milliseconds of an ISO timestamp, cut off to whole ones."""
    return parse_micros(text) // 1000


def parse_duration(text: str) -> int:
    """Milliseconds of a length of time such as `24 HOURS` or `1week`. Raises ValueError where it is none."""
    match = _DURATION.match(text)
    if match is None:
        raise ValueError(f"Not a length of time: {text!r}")
    return int(match.group(1)) * _UNITS[match.group(2).upper()]


def to_micros(when: datetime | date) -> int:
    """Microseconds of a datetime; one without a zone is UTC, a date is its midnight."""
    if not isinstance(when, datetime):
        return (when - date(1970, 1, 1)).days * 86_400_000_000
    epoch = _NAIVE_EPOCH if when.tzinfo is None else EPOCH
    return (when - epoch) // timedelta(microseconds=1)


def to_datetime(millis: int) -> datetime:
    """The instant as a datetime in UTC, without zone, as rows of a query carry it."""
    return _NAIVE_EPOCH + timedelta(milliseconds=millis)


def text(millis: int, separator: str = " ") -> str:
    """`2006-09-11 12:05:00.000`"""
    return to_datetime(millis).isoformat(sep=separator, timespec="milliseconds")
