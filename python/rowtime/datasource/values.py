"""Columns and values of the data source, as Spark and as the warehouse have them."""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa

from rowtime.errors import RowtimeError, error
from rowtime.plan.types import SqlType, quote_name
from rowtime.streams.columns import Column, arrow_type


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
        if pa.types.is_duration(values.type):
            values = values.cast(pa.duration("ms"), safe=False)
        if pa.types.is_time(values.type):
            values = values.cast(pa.time64("us"), safe=False)
        if pa.types.is_timestamp(values.type) and values.type.tz is None:
            values = values.cast(pa.timestamp("us")).cast(pa.int64())
        return values.cast(wanted)
    except pa.ArrowException as fault:
        raise misfit(target, f"{column.name}: {str(fault).splitlines()[0]}") from fault


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
