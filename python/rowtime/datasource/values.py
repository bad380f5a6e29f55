"""Columns and values of the data source, as Spark and as the warehouse have them."""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa
import pyarrow.compute as pc

from rowtime.errors import RowtimeError, error
from rowtime.lexical.identifiers import matching
from rowtime.plan.types import SqlType, quote_name
from rowtime.types.columns import Column, arrow_type
from rowtime.types.nested import map_entries, with_elements
from rowtime.types.times import is_valid


def spark_schema(columns: Sequence[Column]) -> str:
    """Returns the columns as Spark has them, as DDL. A TIMESTAMP has no zone; an interval of months is their number,
    for which Arrow has no type that PySpark takes."""
    return ", ".join(f"{quote_name(column.name)} {_ddl(column.type)}" for column in columns)


def to_spark(rows: pa.Table, columns: Sequence[Column]) -> pa.Table:
    """Returns stored rows under the names of their columns, as `spark_schema` describes them."""
    millis = pa.schema([(c.name, arrow_type(c.type, _read_millis)) for c in columns])
    wanted = pa.schema([(c.name, arrow_type(c.type, _read)) for c in columns])
    named = rows.select([column.stored for column in columns]).rename_columns([column.name for column in columns])
    return named.cast(millis).cast(wanted)


def to_stored(rows: pa.Table, columns: Sequence[Column], target: str) -> pa.Table:
    """Returns rows of a DataFrame in the stored form of the columns that have their names, whose case does not matter.
    Raises RowtimeError RT0502 if the target has no such column, or cannot have such values."""
    exact = {column.name: column for column in columns}
    folded = {column.name.upper(): column for column in columns}
    arrays, names = [], []
    for name in rows.column_names:
        column = exact.get(name) or folded.get(name.upper())
        if column is None:
            raise misfit(target, f"there is no column '{name}'")
        if column.stored in names:
            raise misfit(target, f"two columns are called '{name}'")
        names.append(column.stored)
        arrays.append(_stored(rows.column(name), column, target))
    return pa.table(arrays, names=names)


def misfit(target: str, what: str) -> RowtimeError:
    return error("RT0502", f"A row does not fit {target}: {what}")


def _stored(values: pa.ChunkedArray, column: Column, target: str) -> pa.ChunkedArray:
    wanted = arrow_type(column.type)
    try:
        return pa.chunked_array([_fitted(chunk, column.type) for chunk in values.chunks], wanted)
    except (pa.ArrowException, _Misfit) as fault:
        raise misfit(target, f"{column.name}: {str(fault).splitlines()[0]}") from fault


class _Misfit(Exception):
    """A value that does not fit its column, or a part of it; the text says why."""


def _fitted(values: pa.Array, sql: SqlType) -> pa.Array:
    """Returns values in stored form; those of arrays, maps and rows part by part. Raises _Misfit or ArrowException."""
    wanted = arrow_type(sql)
    if pa.types.is_null(values.type):
        return values.cast(wanted)
    if sql.name in ("ARRAY", "MULTISET", "MAP", "ROW"):
        return _by_parts(values, sql, wanted)
    if sql.is_character:
        if not (pa.types.is_string(values.type) or pa.types.is_large_string(values.type)):
            raise _unlike(values, sql)
        return _text(values.cast(wanted), sql)
    if sql.is_binary:
        return _bytes(values.cast(wanted), sql)
    if sql.name == "TIMESTAMP":
        return _times(values, sql)
    if sql.name == "TIME":
        return _times_of_day(values, sql)
    if pa.types.is_duration(values.type):
        values = values.cast(pa.duration("ms"), safe=False)
    return values.cast(wanted)


def _unlike(values: pa.Array, sql: SqlType) -> _Misfit:
    return _Misfit(f"values of the type {values.type} do not become {sql.name}; CAST them")


def _length(sql: SqlType) -> int | None:
    """Returns the length of texts or bytes: of CHAR and BINARY 1, if the type does not say it."""
    return sql.precision or 1 if sql.name in ("CHAR", "BINARY") else sql.precision


def _text(values: pa.Array, sql: SqlType) -> pa.Array:
    """Blanks at the end may be removed, as in standard SQL, and CHAR is padded with them."""
    length = _length(sql)
    if length is None:
        return values
    longest = pc.max(pc.utf8_length(values)).as_py() or 0
    if longest > length:
        if (pc.max(pc.utf8_length(pc.utf8_rtrim(values, " "))).as_py() or 0) > length:
            raise _Misfit(f"a text of {longest} characters does not fit in {sql.name}({length})")
        values = pc.utf8_slice_codeunits(values, 0, length)
    return pc.utf8_rpad(values, length, " ") if sql.name == "CHAR" else values


def _bytes(values: pa.Array, sql: SqlType) -> pa.Array:
    """BINARY is padded with zeros."""
    length = _length(sql)
    if length is None:
        return values
    longest = pc.max(pc.binary_length(values)).as_py() or 0
    if longest > length:
        raise _Misfit(f"{longest} bytes do not fit in {sql.name}({length})")
    if sql.name != "BINARY":
        return values
    padded = [None if value is None else value.ljust(length, b"\0") for value in values.to_pylist()]
    return pa.array(padded, values.type)


def _times(values: pa.Array, sql: SqlType) -> pa.Array:
    """Digits of a second that the column does not have are cut off."""
    kind = values.type
    if not (pa.types.is_timestamp(kind) or pa.types.is_date(kind) or pa.types.is_string(kind)):
        raise _unlike(values, sql)
    zone = kind.tz if pa.types.is_timestamp(kind) else None
    naive = values.cast(pa.timestamp("us", zone)).cast(pa.timestamp("us"))
    ends = pc.min_max(naive.cast(pa.int64())).as_py()
    if any(end is not None and not is_valid(end // 1000) for end in ends.values()):
        raise _Misfit("a time is outside the years 1 to 9999")
    unit = 10 ** max(0, 6 - (3 if sql.precision is None else sql.precision))
    if unit > 1:
        naive = pc.floor_temporal(naive, multiple=unit, unit="microsecond")
    return naive.cast(pa.int64()).cast(arrow_type(sql))


def _times_of_day(values: pa.Array, sql: SqlType) -> pa.Array:
    if not (pa.types.is_time(values.type) or pa.types.is_string(values.type)):
        raise _unlike(values, sql)
    micros = values.cast(pa.time64("us"), safe=False).cast(pa.int64())
    unit = pa.scalar(10 ** max(0, 6 - (sql.precision or 0)), pa.int64())
    return pc.multiply(pc.divide(micros, unit), unit)


def _by_parts(values: pa.Array, sql: SqlType, wanted: pa.DataType) -> pa.Array:
    if sql.name == "ROW":
        if not pa.types.is_struct(values.type):
            raise _unlike(values, sql)
        given = dict(zip(_places(values.type.names, sql), values.flatten(), strict=True))
        parts = [
            _fitted(given[name], part) if name in given else pa.nulls(len(values), arrow_type(part))
            for name, part in zip(sql.names, sql.arguments, strict=True)
        ]
        return pa.StructArray.from_arrays(parts, fields=list(wanted), mask=values.is_null())
    is_map = sql.name == "MAP"
    if not (pa.types.is_map(values.type) if is_map else pa.types.is_list(values.type)):
        raise _unlike(values, sql)
    lists, parts = map_entries(values) if is_map else (values, [values.flatten()])
    return with_elements(lists, wanted, [_fitted(*each) for each in zip(parts, sql.arguments, strict=True)])


def _places(names: Sequence[str], sql: SqlType) -> list[str]:
    """Returns the fields of a ROW that have these names, whose case does not matter."""
    found: list[str] = []
    for name in names:
        field = matching(name, sql.names)
        if field is None:
            raise _Misfit(f"there is no field '{name}'")
        if field in found:
            raise _Misfit(f"two fields are called '{name}'")
        found.append(field)
    return found


def _read(sql: SqlType) -> pa.DataType | None:
    if sql.name == "TIMESTAMP":
        return pa.timestamp("us")
    if sql.name == "TIME":
        return pa.time64("ns")
    return pa.duration("us") if sql.is_day_time else None


def _read_millis(sql: SqlType) -> pa.DataType | None:
    """Returns what stored numbers mean, where Spark has another unit."""
    if sql.name == "TIME":
        return pa.time64("us")
    return pa.duration("ms") if sql.is_day_time else _read(sql)


def _ddl(sql: SqlType) -> str:
    if sql.name == "TIMESTAMP":
        return "TIMESTAMP_NTZ"
    if sql.is_year_month:
        return "INT"
    if sql.name in ("ARRAY", "MULTISET"):
        return f"ARRAY<{_ddl(sql.arguments[0])}>"
    if sql.name == "MAP":
        return f"MAP<{_ddl(sql.arguments[0])}, {_ddl(sql.arguments[1])}>"
    if sql.name == "ROW":
        named = zip(sql.names, sql.arguments, strict=True)
        return f"STRUCT<{', '.join(f'{quote_name(name)}: {_ddl(part)}' for name, part in named)}>"
    return sql.spark()
