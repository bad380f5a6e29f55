"""Values between the server's JSON and Python: rows that clients fetch, and values of parameters.

Both are by column. Days since 1970, milliseconds of the day and milliseconds since 1970 are numbers; DECIMAL is text,
bytes are Base64, and values of types that JDBC lacks (intervals, MAP, ROW) are text as `rowtime run` prints it.
"""

from __future__ import annotations

import base64
import datetime as dt
from collections.abc import Callable, Sequence
from typing import Any

from rowtime.display.values import Row, as_text, writers
from rowtime.plan.parts import Field
from rowtime.plan.types import parse_type
from rowtime.serve.types import describe_type, jdbc_name
from rowtime.types.millis import Millis
from rowtime.types.times import parse_micros

_EPOCH = dt.datetime(1970, 1, 1)
_EPOCH_DAY = _EPOCH.toordinal()
_AS_IT_IS = ("BOOLEAN", "TINYINT", "SMALLINT", "INTEGER", "BIGINT", "CHAR", "VARCHAR", "ANY", "SYMBOL", "NULL")
"""Types whose values JSON can represent directly."""


def describe_columns(fields: Sequence[Field]) -> list[dict[str, Any]]:
    """Returns the columns of a result for the server."""
    return [{"name": f.name, "type": describe_type(f.type), "nullable": f.nullable} for f in fields]


class RowEncoder:
    """Encodes rows of Spark's values by column."""

    def __init__(self, fields: Sequence[Field]) -> None:
        self._encoders = [_encoder(field.type) for field in fields]

    def columns(self, rows: Sequence[Row]) -> list[list[Any]]:
        """Returns the values of the rows by column; empty lists if there are no rows."""
        if not rows:
            return [[] for _ in self._encoders]
        found = []
        for encode, column in zip(self._encoders, zip(*rows, strict=True), strict=True):
            values = list(column)
            found.append(values if encode is None else [None if value is None else encode(value) for value in values])
        return found


def _encoder(text: str) -> Callable[[Any], Any] | None:
    sql = parse_type(text)
    if sql.name in _AS_IT_IS:
        return None
    if sql.name == "TIMESTAMP":
        return _millis
    if sql.name == "DATE":
        return lambda value: value.toordinal() - _EPOCH_DAY
    if sql.name == "TIME":
        return lambda v: ((v.hour * 60 + v.minute) * 60 + v.second) * 1000 + v.microsecond // 1000
    if sql.is_binary:
        return lambda value: base64.b64encode(value).decode()
    if jdbc_name(sql) == "ARRAY":
        element = _encoder(sql.arguments[0].name) or (lambda value: value)
        return lambda value: [None if each is None else element(each) for each in value]
    (write,) = writers([text])
    if sql.name in ("DECIMAL", "REAL", "FLOAT", "DOUBLE"):
        return write
    return lambda value: as_text(write(value))


def _millis(value: dt.datetime | str) -> int:
    if isinstance(value, str):
        return parse_micros(value) // 1000
    # Every value of a page passes here; this takes a third of the time of `to_micros`.
    since = value - _EPOCH
    return since.days * 86_400_000 + since.seconds * 1000 + since.microseconds // 1000


def decode_values(kind: str, values: Sequence[Any]) -> Sequence[Any]:
    """Returns the values of a parameter as Python values. `kind` is date, time, timestamp, bytes, or value."""
    if kind == "timestamp":
        return Millis(values)
    decode = _DECODERS.get(kind)
    return list(values) if decode is None else [None if value is None else decode(value) for value in values]


def _time(millis: int) -> dt.time:
    return (_EPOCH + dt.timedelta(milliseconds=millis)).time()


_DECODERS: dict[str, Callable[[Any], Any]] = {
    "date": lambda days: dt.date.fromordinal(days + _EPOCH_DAY),
    "time": _time,
    "bytes": base64.b64decode,
}
