"""Converts values and types between Python and Avatica's JSON. The numbers of java.sql.Types identify types."""

from __future__ import annotations

import base64
import datetime as dt
import decimal
from collections.abc import Callable
from typing import Any

_EPOCH = dt.datetime(1970, 1, 1)


class TypeObject:
    """Equals the type codes (those of java.sql.Types) of its group."""

    def __init__(self, *codes: int) -> None:
        self._codes = frozenset(codes)

    def __eq__(self, other: object) -> bool:
        return other in self._codes if isinstance(other, int) else self is other

    def __hash__(self) -> int:
        return hash(self._codes)


STRING = TypeObject(1, 12)
BINARY = TypeObject(-2, -3)
NUMBER = TypeObject(-6, 5, 4, -5, 7, 8, 3)
DATETIME = TypeObject(91, 92, 93)
ROWID = TypeObject()


def decoder(type_: dict[str, Any]) -> Callable[[Any], Any] | None:
    """Returns the function that converts a JSON value to Python; None if the value needs no conversion."""
    code = type_["id"]
    if code == 2003:
        element = decoder(type_["component"])
        return lambda values: [v if v is None or element is None else element(v) for v in values]
    return _DECODERS.get(code)


_DECODERS: dict[int, Callable[[Any], Any]] = {
    -2: base64.b64decode,
    -3: base64.b64decode,
    3: decimal.Decimal,
    7: float,
    8: float,
    91: lambda days: dt.date(1970, 1, 1) + dt.timedelta(days=days),
    92: lambda millis: (_EPOCH + dt.timedelta(milliseconds=millis)).time(),
    93: lambda millis: _EPOCH + dt.timedelta(milliseconds=millis),
}
"""Conversions from JSON, by the numbers of java.sql.Types."""


def to_typed_value(value: Any) -> dict[str, Any]:
    """Returns a value in the form of Avatica's JSON."""
    if value is None:
        return {"type": "NULL", "value": None}
    if isinstance(value, bool):
        return {"type": "BOOLEAN", "value": value}
    if isinstance(value, int) and -(1 << 63) <= value < 1 << 63:
        return {"type": "LONG", "value": value}
    if isinstance(value, float):
        return {"type": "DOUBLE", "value": value} if value - value == 0 else {"type": "STRING", "value": str(value)}
    if isinstance(value, bytes | bytearray | memoryview):
        return {"type": "BYTE_STRING", "value": base64.b64encode(value).decode()}
    if isinstance(value, dt.datetime):
        return {"type": "JAVA_SQL_TIMESTAMP", "value": millis(value)}
    if isinstance(value, dt.date):
        return {"type": "JAVA_SQL_DATE", "value": (value - dt.date(1970, 1, 1)).days}
    if isinstance(value, dt.time):
        return {"type": "STRING", "value": value.isoformat()}
    return {"type": "STRING", "value": str(value)}


def to_datetime(millis: int) -> dt.datetime:
    """Returns the instant in UTC, without a time zone."""
    return _EPOCH + dt.timedelta(milliseconds=millis)


def millis(when: dt.datetime) -> int:
    """Returns milliseconds since 1970; a datetime without a time zone is in UTC."""
    naive = when if when.tzinfo is None else when.astimezone(dt.timezone.utc).replace(tzinfo=None)
    return (naive - _EPOCH) // dt.timedelta(milliseconds=1)
