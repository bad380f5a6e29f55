"""Evaluates expressions of the plan contract, slowly and by the definition of each function.

A time is its milliseconds since 1970, a date those of its midnight, an interval its milliseconds or months, and a
number a fraction.
"""

from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from typing import Any
from zoneinfo import ZoneInfo

SECOND, MINUTE, HOUR, DAY = 1000, 60_000, 3_600_000, 86_400_000
EPOCH = datetime(1970, 1, 1)
_FIXED = {"MILLISECOND": 1, "SECOND": SECOND, "MINUTE": MINUTE, "HOUR": HOUR, "DAY": DAY}
_YEARS = {"DECADE": 10, "CENTURY": 100, "MILLENNIUM": 1000}


def when(millis: int) -> datetime:
    return EPOCH + timedelta(milliseconds=millis)


def millis(time: datetime) -> int:
    return (time - EPOCH) // timedelta(milliseconds=1)


def floor(time: int, unit: str) -> int:
    if unit in _FIXED:
        return time // _FIXED[unit] * _FIXED[unit]
    at = when(time)
    day = datetime(at.year, at.month, at.day)
    if unit == "WEEK":
        return millis(day - timedelta(days=(at.weekday() + 1) % 7))
    if unit == "ISOWEEK":
        return millis(day - timedelta(days=at.weekday()))
    if unit == "ISOYEAR":
        return millis(datetime.fromisocalendar(at.isocalendar().year, 1, 1))
    if unit == "MONTH":
        return millis(day.replace(day=1))
    if unit == "QUARTER":
        return millis(day.replace(day=1, month=(at.month - 1) // 3 * 3 + 1))
    if unit == "YEAR":
        return millis(day.replace(day=1, month=1))
    first = 0 if unit == "DECADE" else 1
    return millis(datetime((at.year - first) // _YEARS[unit] * _YEARS[unit] + first, 1, 1))


def ceil(time: int, unit: str) -> int:
    start = floor(time, unit)
    if start == time:
        return time
    if unit in _FIXED:
        return start + _FIXED[unit]
    return start + 7 * DAY if unit == "WEEK" else add_months(start, {"MONTH": 1, "QUARTER": 3, "YEAR": 12}[unit])


def add_months(time: int, months: int) -> int:
    at = when(time)
    month = at.year * 12 + at.month - 1 + months
    start = datetime(month // 12, month % 12 + 1, 1)
    following = datetime((month + 1) // 12, (month + 1) % 12 + 1, 1)
    day = min(at.day, (following - start).days)
    return millis(at.replace(year=start.year, month=start.month, day=day))


def local(zone: str, time: int) -> int:
    """Returns what the clocks of a zone show, as if it were UTC."""
    shown = when(time).replace(tzinfo=UTC).astimezone(ZoneInfo(zone))
    return millis(shown.replace(tzinfo=None))


def local_bound(zone: str, bound: int) -> int:
    """Returns the least time that the clocks of a zone can still show: each later instant, minute by minute."""
    return min(
        local(zone, bound),
        *(local(zone, later) for later in range(bound // MINUTE * MINUTE, bound + 4 * HOUR, MINUTE) if later >= bound),
    )


def _truncated(value: Fraction) -> Fraction:
    return Fraction(math.floor(value) if value >= 0 else math.ceil(value))


def value(rex: dict[str, Any], row: list[Any]) -> Any:
    kind = rex["kind"]
    if kind == "ref":
        return row[rex["index"]]
    if kind == "literal":
        return _literal(rex)
    if kind == "symbol":
        return rex["value"]
    args = [value(arg, row) for arg in rex["args"]]
    if any(arg is None for arg in args):
        return None
    if kind == "cast":
        return _cast(args[0], rex["args"][0]["type"], rex["type"])
    return _call(rex["op"], rex["type"], args, [arg.get("type", "") for arg in rex["args"]])


def _literal(rex: dict[str, Any]) -> Any:
    found = rex["value"]
    if found is None:
        return None
    if rex["type"].startswith(("TIMESTAMP", "DATE")):
        return millis(datetime.fromisoformat(found))
    return (
        found
        if rex["type"].startswith("CHAR")
        else int(found)
        if rex["type"].startswith("INTERVAL")
        else Fraction(str(found))
    )


def _cast(given: Any, source: str, target: str) -> Any:
    if target == "DATE":
        return floor(given, "DAY")
    if target == "TIMESTAMP(0)":
        return floor(given, "SECOND")
    if target.startswith("TIMESTAMP"):
        return given
    if target in ("INTEGER", "BIGINT"):
        return _truncated(given)
    return given


def _call(op: str, type: str, args: list[Any], types: list[str]) -> Any:
    months = [kind.startswith("INTERVAL") and kind.split()[-1] in ("MONTH", "YEAR") for kind in types]
    if op in ("DATETIME_PLUS", "DATETIME_MINUS"):
        sign = 1 if op == "DATETIME_PLUS" else -1
        moved = add_months(args[0], sign * int(args[1])) if months[1] else args[0] + sign * int(args[1])
        return floor(moved, "DAY") if type == "DATE" else moved
    if op in ("FLOOR", "CEIL") and len(args) == 2:
        return floor(args[0], args[1]) if op == "FLOOR" else ceil(args[0], args[1])
    if op == "FLOOR":
        return Fraction(math.floor(args[0]))
    if op == "CEIL":
        return Fraction(math.ceil(args[0]))
    if op == "TIMESTAMP_TRUNC":
        return floor(args[0], args[1])
    if op == "TUMBLE":
        size, offset = int(args[1]), int(args[2]) if len(args) > 2 else 0
        return (args[0] - offset) // size * size + offset
    if op == "EXTRACT":
        return Fraction(when(args[1]).year) if args[0] == "YEAR" else Fraction(args[1] // SECOND)
    if op == "FROM_UTC_TIMESTAMP":
        return local(args[1], args[0])
    if op in ("REINTERPRET", "TIMES_INTERVAL"):
        return Fraction(math.prod(args))
    if op in ("TIMESTAMP_DIFF", "-"):
        return args[0] - args[1]
    if op == "+":
        return sum(args)
    if op == "*":
        return math.prod(args)
    if op == "NEGATE":
        return -args[0]
    assert op == "/", op
    # Integers are divided without a remainder.
    return _truncated(args[0] / args[1]) if type in ("INTEGER", "BIGINT") else args[0] / args[1]
