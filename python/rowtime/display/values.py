"""Formats values of rows as JSON or text."""

from __future__ import annotations

import datetime as dt
import decimal
import math
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from rowtime.plan.types import SqlType, parse_type

Row = tuple[Any, ...]
"""The values of a row, as PySpark returns them."""


def writers(types: Sequence[str]) -> list[Callable[[Any], Any]]:
    """Returns, for each column type, the function that turns a value of Spark's into one that JSON can represent:
    timestamps as ISO text in UTC with three digits of fraction and no zone, DECIMAL, DATE, TIME and intervals as text,
    BINARY as hexadecimal text."""
    return [_writer(parse_type(text)) for text in types]


def _writer(sql: SqlType) -> Callable[[Any], Any]:
    write = _make_writer(sql)
    return lambda value: None if value is None else write(value)


def _make_writer(sql: SqlType) -> Callable[[Any], Any]:
    if sql.name == "TIMESTAMP":
        return _timestamp
    if sql.name == "DECIMAL":
        return lambda value: format(value, "f")
    if sql.name in ("DATE", "TIME"):
        return lambda value: value.isoformat()
    if sql.name in ("REAL", "FLOAT", "DOUBLE"):
        return _number
    if sql.is_binary:
        return lambda value: bytes(value).hex().upper()
    if sql.is_day_time:
        return _duration
    if sql.is_year_month:
        return _months
    if sql.name in ("ARRAY", "MULTISET"):
        item = _writer(sql.arguments[0])
        return lambda value: [item(each) for each in value]
    if sql.name == "MAP":
        key, item = _writer(sql.arguments[0]), _writer(sql.arguments[1])
        return lambda value: {str(key(k)): item(v) for k, v in value.items()}
    if sql.name == "ROW":
        parts = [_writer(part) for part in sql.arguments]
        return lambda value: {n: w(v) for n, w, v in zip(sql.names, parts, value, strict=True)}
    return lambda value: value


def _timestamp(value: dt.datetime | str) -> str:
    if isinstance(value, str):
        # A value in a log of an earlier version: no datetime is that far away.
        return value
    if value.tzinfo is not None:
        value = value.astimezone(dt.timezone.utc).replace(tzinfo=None)
    return value.isoformat(timespec="milliseconds")


def _number(value: float) -> float | str:
    # JSON has no other way to represent these.
    return value if math.isfinite(value) else ("NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity")


def _duration(value: dt.timedelta) -> str:
    """Returns an ISO 8601 duration: P1DT2H3M4.5S; PT0S for zero, a minus before the P if it is negative."""
    micros = value // dt.timedelta(microseconds=1)
    sign, micros = ("-", -micros) if micros < 0 else ("", micros)
    seconds, fraction = divmod(micros, 1_000_000)
    minutes, second = divmod(seconds, 60)
    hours, minute = divmod(minutes, 60)
    days, hour = divmod(hours, 24)
    clock = (f"{hour}H" if hour else "") + (f"{minute}M" if minute else "")
    if second or fraction:
        clock += str(second) + (f".{fraction:06d}".rstrip("0") if fraction else "") + "S"
    return sign + ("P" + (f"{days}D" if days else "") + (f"T{clock}" if clock else "") if days or clock else "PT0S")


def _months(value: int) -> str:
    sign, value = ("-", -value) if value < 0 else ("", value)
    years, months = divmod(value, 12)
    return sign + ("P" + (f"{years}Y" if years else "") + (f"{months}M" if months else "") if value else "P0M")


def as_text(value: Any) -> str:
    """Returns a JSON value as a cell of a table or of CSV: NULL is empty, timestamps have a blank in place of the T."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, str):
        return value
    if isinstance(value, int | float | decimal.Decimal):
        return str(value)
    return msgspec.json.encode(value).decode()


def shown_timestamp(text: str) -> str:
    """Returns `2006-09-11T12:05:00.000` in a form for people: a blank for the T, and no fraction if it is zero."""
    return text.replace("T", " ").removesuffix(".000")
