"""Columns that have an order: converts their values to keys that numpy compares, and distances to units of these keys.

Keys are int64 if the type allows it (timestamps in microseconds, dates in milliseconds, decimals of up to 18 digits by
their digits), float64 for approximate numbers, and Python objects otherwise. NULL, and NaN of approximate numbers, are
not in the order: they are masked.
"""

from __future__ import annotations

import datetime as dt
import decimal
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from rowtime.catalog.definitions import Amount
from rowtime.plan.types import SqlType
from rowtime.types.columns import Column

Keys = npt.NDArray[Any]
Mask = npt.NDArray[np.bool_]

_DAY = 86_400_000
_SMALL_DECIMAL = 18


@dataclass(frozen=True, slots=True)
class ColumnOrder:
    """The order of one column: converts stored values to keys, and keys to stored values or JSON."""

    column: Column

    @property
    def name(self) -> str:
        return self.column.stored

    @property
    def _type(self) -> SqlType:
        return self.column.type

    def keys(self, values: pa.ChunkedArray | pa.Array) -> tuple[Keys, Mask]:
        """Returns the keys of stored values, and which of them count (neither NULL nor NaN). Other keys have no
        meaning."""
        array = values.combine_chunks() if isinstance(values, pa.ChunkedArray) else values
        if isinstance(array, pa.ChunkedArray):
            array = pa.concat_arrays(array.chunks)
        known = np.ones(len(array), bool) if not array.null_count else np.asarray(array.is_valid())
        keys = self._raw(array)
        if keys.dtype.kind == "f":
            known = known & ~np.isnan(keys)
        return keys, known

    def _raw(self, array: pa.Array) -> Keys:
        sql = self._type
        if sql.name == "TIMESTAMP":
            return np.asarray(array.cast(pa.int64()).fill_null(0))
        if sql.name == "DATE":
            return np.asarray(array.cast(pa.int32()).fill_null(0)).astype(np.int64) * _DAY
        if sql.is_approximate:
            return np.asarray(array.fill_null(0.0)).astype(np.float64)
        if sql.is_decimal and self._digits <= _SMALL_DECIMAL:
            # The low halves of the 128-bit numbers contain the whole value.
            filled = pc.fill_null(array, decimal.Decimal(0)).cast(array.type)
            halves = np.frombuffer(filled.buffers()[1], dtype="<i8")
            return halves[2 * filled.offset : 2 * (filled.offset + len(filled)) : 2].copy()
        if sql.is_decimal:
            return _objects([None if v is None else int(v.scaleb(self._scale)) for v in array.to_pylist()], 0)
        if pa.types.is_integer(array.type) or pa.types.is_boolean(array.type):
            return np.asarray(array.cast(pa.int64()).fill_null(0))
        empty: Any = b"" if pa.types.is_binary(array.type) else ""
        return _objects(array.to_pylist(), empty)

    @property
    def _digits(self) -> int:
        return min(self._type.precision or 19, 38)

    @property
    def _scale(self) -> int:
        return self._type.scale or 0

    def distance(self, value: Amount, *, up: bool) -> Any:
        """Returns a LATENESS or WATERMARK of the catalog (`{"millis": n}` or `{"number": text}`) in units of the keys,
        rounded down to a unit, or `up`."""
        if self._type.is_approximate:
            return float(value["number"])
        if "millis" in value:
            return int(value["millis"]) * (1000 if self._type.name == "TIMESTAMP" else 1)
        scaled = decimal.Decimal(value["number"]).scaleb(self._scale if self._type.is_decimal else 0)
        return math.ceil(scaled) if up else math.floor(scaled)

    def stored(self, key: Any) -> Any:
        """Returns the least stored value that is not before `key`; None if the column's type has none that early or
        late."""
        if key is None:
            return None
        sql = self._type
        if sql.name == "DATE":
            days = -(-key // _DAY)
            limits = dt.date.min.toordinal(), dt.date.max.toordinal()
            ordinal = days + dt.date(1970, 1, 1).toordinal()
            return dt.date.fromordinal(ordinal) if limits[0] <= ordinal <= limits[1] else None
        if sql.is_decimal:
            found = decimal.Decimal(key).scaleb(-self._scale)
            return found if abs(key) < 10**self._digits else None
        if sql.name == "BOOLEAN":
            return bool(key)
        if sql.is_integer and not -(1 << _BITS[sql.name]) <= key < 1 << _BITS[sql.name]:
            return None
        if sql.is_approximate:
            return float(key)
        return key

    def instant(self, key: Any) -> int | None:
        """Returns a key as milliseconds since 1970, or as its number (rounded down); None if it is neither."""
        sql = self._type
        if sql.name == "TIMESTAMP":
            return int(key // 1000)
        if sql.is_decimal:
            return int(key // 10**self._scale)
        if sql.is_approximate:
            return math.floor(key) if math.isfinite(key) else None
        if sql.name == "DATE":
            return int(-(-key // _DAY) * _DAY)
        return int(key) if sql.is_integer else None

    def dump(self, key: Any) -> Any:
        """Returns a key as JSON: a number, or text if a number in JSON would not be exact."""
        if isinstance(key, bytes):
            return key.hex()
        if isinstance(key, float):
            return repr(key)
        return key if isinstance(key, str) or -(1 << 63) <= key < 1 << 63 else str(key)

    def load(self, value: Any) -> Any:
        """Returns the key for a value of `dump`."""
        sql = self._type
        if sql.is_approximate:
            return float(value)
        if sql.is_binary:
            return bytes.fromhex(value)
        return value if sql.is_character else int(value)


_BITS = {"TINYINT": 7, "SMALLINT": 15, "INTEGER": 31, "BIGINT": 63}


def _objects(values: list[Any], missing: Any) -> Keys:
    found = np.empty(len(values), dtype=object)
    found[:] = [missing if value is None else value for value in values]
    return found


def largest(keys: Keys, known: Mask) -> Any:
    """Returns the largest key that counts, as a Python value, or None."""
    counted = keys if known.all() else keys[known]
    return None if not len(counted) else plain(counted.max())


def plain(key: Any) -> Any:
    """Returns a numpy scalar as a Python value."""
    return key.item() if isinstance(key, np.generic) else key


def later(one: Any, other: Any, choose: Callable[[Any, Any], Any] = max) -> Any:
    """Returns the greater of two keys, of which None is less than everything; `choose=min` for the lesser."""
    if one is None or other is None:
        return other if one is None else one
    return choose(one, other)
