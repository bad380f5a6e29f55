"""Converts values for a stream, from Python or from the text of a plan's literals, to the form that its log stores."""

from __future__ import annotations

import datetime as dt
import decimal
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pyarrow as pa

from rowtime.lexical.identifiers import matching
from rowtime.numerals import approximate, decimal_of, whole
from rowtime.plan.types import SqlType
from rowtime.types.columns import Column, arrow_type
from rowtime.types.millis import Millis
from rowtime.types.times import is_valid, parse_micros, text, to_micros

_ALIKE: dict[str, Callable[[pa.DataType], bool]] = {
    "BOOLEAN": pa.types.is_boolean,
    "INTEGER": pa.types.is_integer,
    "BIGINT": pa.types.is_integer,
    "DOUBLE": pa.types.is_floating,
    "VARCHAR": pa.types.is_string,
}
"""Types whose values are stored as they are, and what such values are to Arrow."""
_RANGES = {"TINYINT": 7, "SMALLINT": 15, "INTEGER": 31, "BIGINT": 63}
_DAY = 86_400_000_000


class BadValue(ValueError):
    """A value that does not fit its column; the text says which column and why."""


def to_stored(value: Any, column: Column) -> Any:
    """Returns the value in stored form. Raises BadValue, e.g. `UNITS: 'abc' is not an INTEGER`."""
    if value is None:
        if not column.nullable:
            raise BadValue(f"{column.name}: NULL in a column that is NOT NULL")
        return None
    try:
        return convert(value, column.type)
    except (ValueError, TypeError, ArithmeticError, AttributeError, LookupError, RecursionError) as fault:
        raise BadValue(f"{column.name}: {_excerpt(value)} {_reason(fault, column.text)}") from fault


def stored_array(values: Sequence[Any], column: Column) -> pa.Array:
    """Returns values of a column in stored form; see `to_stored`. Raises BadValue."""
    type_ = arrow_type(column.type)
    if isinstance(values, Millis) and column.type.name == "TIMESTAMP":
        array = values.array(type_)
        if array is not None and (column.nullable or not array.null_count):
            return array
    if column.type.name in _ALIKE and (column.type.precision is None or not column.type.is_character):
        # Most values have the type already, which Arrow checks faster.
        try:
            # Of the type that the values have: if Arrow is told one, it truncates numbers, and takes bytes for text.
            found = pa.array(values)
            if _ALIKE[column.type.name](found.type) and (column.nullable or not found.null_count):
                return found.cast(type_)
        except (pa.ArrowException, OverflowError, UnicodeError):
            pass
    return pa.array([to_stored(value, column) for value in values], type_)


def from_stored(value: Any, column: Column) -> Any:
    """Returns a stored value as a Python value of rows: datetimes in UTC without a zone (text outside the years 1 to
    9999), times, timedeltas; rows as tuples."""
    return _restore(value, column.type)


def _restore(value: Any, sql: SqlType) -> Any:
    if value is None:
        return None
    if sql.name == "TIMESTAMP":
        micros = to_micros(value) if isinstance(value, dt.datetime) else value
        if not is_valid(micros // 1000):
            # No datetime is that far away; an earlier version accepted such a value.
            return text(micros // 1000, "T")
        return dt.datetime(1970, 1, 1) + dt.timedelta(microseconds=micros)
    if sql.name == "TIME":
        return (dt.datetime(1970, 1, 1) + dt.timedelta(microseconds=value)).time()
    if sql.is_day_time:
        return dt.timedelta(milliseconds=value)
    if sql.name in ("ARRAY", "MULTISET"):
        return [_restore(item, sql.arguments[0]) for item in value]
    if sql.name == "MAP":
        pairs = value.items() if isinstance(value, Mapping) else value
        return {_restore(key, sql.arguments[0]): _restore(item, sql.arguments[1]) for key, item in pairs}
    if sql.name == "ROW":
        return tuple(_restore(value[name], part) for name, part in zip(sql.names, sql.arguments, strict=True))
    return value


def convert(value: Any, sql: SqlType) -> Any:
    """Returns a value that is not None as a value of the Arrow type of `sql`. Raises ValueError or a subclass of it."""
    if sql.is_day_time:
        return _milliseconds(value)
    if sql.is_year_month:
        return _count(value)
    converter = _CONVERTERS.get(sql.name)
    if converter is None:
        raise ValueError("cannot be stored")
    return converter(value, sql)


def _integer(value: Any, sql: SqlType) -> int:
    if isinstance(value, bool):
        raise ValueError
    number = whole(value) if isinstance(value, str | float | decimal.Decimal) else int(value)
    bits = _RANGES[sql.name]
    if not -(1 << bits) <= number < 1 << bits:
        raise OverflowError
    return number


def _boolean(value: Any, sql: SqlType) -> bool:
    if isinstance(value, str):
        lowered = value.strip().lower()
        if lowered in ("true", "false"):
            return lowered == "true"
        raise ValueError
    if not isinstance(value, bool):
        raise ValueError
    return value


def _double(value: Any, sql: SqlType) -> float:
    if isinstance(value, bool):
        raise ValueError
    return approximate(value)


def _decimal(value: Any, sql: SqlType) -> decimal.Decimal:
    if isinstance(value, bool):
        raise ValueError
    precision, scale = min(sql.precision or 19, 38), sql.scale or 0
    number = decimal_of(value)
    if number.adjusted() > precision:
        raise OverflowError
    with decimal.localcontext() as context:
        context.prec = 76
        number = number.quantize(decimal.Decimal(1).scaleb(-scale), rounding=decimal.ROUND_HALF_UP)
    if len(number.as_tuple().digits) > precision:
        raise OverflowError
    return number


def _text(value: Any, sql: SqlType) -> str:
    if not isinstance(value, str):
        raise ValueError
    if not value.isascii():
        # Half of a surrogate pair, which no encoding can represent, raises UnicodeEncodeError.
        value.encode()
    length = sql.precision
    if length is None:
        return value
    if len(value) > length:
        # Blanks at the end may be removed, as in standard SQL; anything else would be lost silently.
        if value[length:].strip(" "):
            raise OverflowError
        value = value[:length]
    padded: str = value.ljust(length) if sql.name == "CHAR" else value
    return padded


def _binary(value: Any, sql: SqlType) -> bytes:
    if isinstance(value, int):
        # Python would make as many zeros.
        raise ValueError
    raw = bytes.fromhex(value) if isinstance(value, str) else bytes(value)
    if sql.precision is not None and len(raw) > sql.precision:
        raise OverflowError
    return raw.ljust(sql.precision or 0, b"\0") if sql.name == "BINARY" else raw


def _date(value: Any, sql: SqlType) -> dt.date:
    if isinstance(value, dt.datetime):
        return value.date()
    if isinstance(value, dt.date):
        return value
    return dt.date.fromisoformat(value.strip())


def _time(value: Any, sql: SqlType) -> int:
    if isinstance(value, str):
        value = dt.time.fromisoformat(value.strip())
    micros = ((value.hour * 60 + value.minute) * 60 + value.second) * 1_000_000 + value.microsecond
    return int(micros) % _DAY


def _timestamp(value: Any, sql: SqlType) -> int:
    micros: int = parse_micros(value) if isinstance(value, str) else to_micros(value)
    unit = 10 ** max(0, 6 - (3 if sql.precision is None else sql.precision))
    return micros // int(unit) * int(unit)


def _milliseconds(value: Any) -> int:
    if isinstance(value, dt.timedelta):
        return value // dt.timedelta(milliseconds=1)
    return _count(value)


def _count(value: Any) -> int:
    number = whole(value) if isinstance(value, str | decimal.Decimal) else int(value)
    if not -(1 << 63) <= number < 1 << 63:
        raise OverflowError
    return number


def _list(value: Any, sql: SqlType) -> list[Any]:
    if isinstance(value, str | bytes | bytearray | memoryview) or not isinstance(value, Sequence):
        raise ValueError
    return [_inner(item, sql.arguments[0]) for item in value]


def _map(value: Any, sql: SqlType) -> list[tuple[Any, Any]]:
    pairs = value.items() if isinstance(value, Mapping) else value
    return [(_inner(key, sql.arguments[0]), _inner(item, sql.arguments[1])) for key, item in pairs]


def _row(value: Any, sql: SqlType) -> dict[str, Any]:
    if isinstance(value, Mapping):
        value = _by_name(value, sql.names)
    items = list(value)
    if len(items) != len(sql.names):
        raise ValueError
    return {name: _inner(item, part) for name, item, part in zip(sql.names, items, sql.arguments, strict=True)}


def _by_name(value: Mapping[str, Any], names: Sequence[str]) -> list[Any]:
    """Returns the fields of a row by their names, whose case does not matter unless two of them differ in it. Raises
    ValueError if it has others."""
    given: dict[str, Any] = {}
    for key, item in value.items():
        name = matching(str(key), names)
        if name is None or name in given:
            raise ValueError
        given[name] = item
    return [given.get(name) for name in names]


def _inner(value: Any, sql: SqlType) -> Any:
    return None if value is None else convert(value, sql)


_CONVERTERS: dict[str, Callable[[Any, SqlType], Any]] = {
    **dict.fromkeys(_RANGES, _integer),
    "BOOLEAN": _boolean,
    **dict.fromkeys(("REAL", "FLOAT", "DOUBLE"), _double),
    "DECIMAL": _decimal,
    **dict.fromkeys(("CHAR", "VARCHAR"), _text),
    **dict.fromkeys(("BINARY", "VARBINARY"), _binary),
    "DATE": _date,
    "TIME": _time,
    "TIMESTAMP": _timestamp,
    **dict.fromkeys(("ARRAY", "MULTISET"), _list),
    "MAP": _map,
    "ROW": _row,
}


def _excerpt(value: Any) -> str:
    if isinstance(value, int) and value.bit_length() > _SHOWN_BITS:
        # Python refuses to format it.
        return f"an integer of {value.bit_length():,} bits"
    try:
        text = repr(value) if isinstance(value, str) else str(value)
    except Exception:
        text = f"a {type(value).__name__}"
    return text if len(text) <= 60 else text[:57] + "..."


_SHOWN_BITS = 3_000


def _reason(fault: Exception, type_text: str) -> str:
    if isinstance(fault, UnicodeEncodeError):
        return "contains an unpaired surrogate"
    if isinstance(fault, OverflowError) and not _is_infinite(fault):
        return f"does not fit in {type_text}"
    article = "an" if type_text[0] in "AEIOU" else "a"
    return f"is not {article} {type_text}"


def _is_infinite(fault: OverflowError) -> bool:
    return "infinity" in str(fault)
