"""The stored form of the columns of a stream or table in its Delta log.

Delta has fewer types than SQL: TIME is stored as microseconds of the day, intervals as milliseconds or months. It also
allows fewer names: see `catalog/stored_names.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from rowtime.catalog.definitions import ColumnDefinition
from rowtime.catalog.stored_names import stored_names
from rowtime.plan.types import SqlType, parse_type, quote_name, quote_text


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the catalog (`name`, `type`, `nullable`), and `stored`, its name in the log."""

    name: str
    stored: str
    type: SqlType
    text: str
    nullable: bool


def columns(definitions: Sequence[ColumnDefinition]) -> tuple[Column, ...]:
    """Returns the columns of a catalog object, from its definition's `columns`."""
    return tuple(
        Column(one["name"], stored, parse_type(one["type"]), one["type"], bool(one.get("nullable", True)))
        for one, stored in zip(definitions, stored_names(definitions), strict=True)
    )


def arrow_type(sql: SqlType, own: Callable[[SqlType], pa.DataType | None] = lambda _: None) -> pa.DataType:
    """Returns the Arrow type in which values of a SQL type are stored, or the type that `own` returns for it or a part
    of it. Raises ValueError for types that no column can have."""
    simple = own(sql) or _SIMPLE.get(sql.name)
    if simple is not None:
        return simple
    if sql.name == "DECIMAL":
        return pa.decimal128(min(sql.precision or 19, 38), sql.scale or 0)
    if sql.is_day_time:
        return pa.int64()
    if sql.is_year_month:
        return pa.int32()
    if sql.name in ("ARRAY", "MULTISET"):
        return pa.list_(arrow_type(sql.arguments[0], own))
    if sql.name == "MAP":
        return pa.map_(arrow_type(sql.arguments[0], own), arrow_type(sql.arguments[1], own))
    if sql.name == "ROW":
        return pa.struct([(name, arrow_type(part, own)) for name, part in zip(sql.names, sql.arguments, strict=True)])
    raise ValueError(f"A column cannot be of type {sql.name}")


def schema_of(named: Sequence[Column]) -> pa.Schema:
    """Returns the schema of the stored columns."""
    return pa.schema([(column.stored, arrow_type(column.type)) for column in named])


def table_of(named: Sequence[Column], rows: Sequence[Sequence[Any]]) -> pa.Table:
    """Returns rows of stored values, in the order of the columns, as a table."""
    schema = schema_of(named)
    transposed = zip(*rows, strict=True) if rows else [()] * len(schema)
    arrays = [pa.array(values, field.type) for values, field in zip(transposed, schema, strict=True)]
    return pa.Table.from_arrays(arrays, schema=schema)


def conformed(table: pa.Table, schema: pa.Schema) -> pa.Table:
    """Returns the columns of a schema from a table that was made when the definition was another one: NULL in those
    that it lacks, and numbers in wider types."""
    columns = []
    for field in schema:
        if field.name not in table.column_names:
            columns.append(pa.nulls(table.num_rows, field.type))
            continue
        values = table.column(field.name)
        is_wider = values.type != field.type and (
            pa.types.is_integer(field.type) or pa.types.is_floating(field.type) or pa.types.is_decimal(field.type)
        )
        columns.append(values.cast(field.type) if is_wider else values)
    return pa.table(columns, names=schema.names)


def spark_expression(stored: str, sql: SqlType) -> str:
    """Returns Spark SQL that converts the stored column back to a value of its SQL type."""
    return value_expression(quote_name(stored), sql)


def value_expression(source: str, sql: SqlType) -> str:
    """Returns Spark SQL that converts a value of the stored form back to its SQL type."""
    if sql.name == "TIME":
        # Spark compares only values of the same precision.
        return f"CAST(time_from_micros({source}) AS {sql.spark()})"
    if sql.is_day_time:
        return f"make_dt_interval(0, 0, 0, CAST({source} AS DECIMAL(18, 3)) / 1000)"
    if sql.is_year_month:
        return f"make_ym_interval(0, {source})"
    return _by_parts(source, sql, value_expression)


def spark_columns(named: Sequence[Column]) -> list[str]:
    """Returns Spark SQL that selects stored columns in their SQL types, under their stored names."""
    return [f"{spark_expression(column.stored, column.type)} AS `{column.stored}`" for column in named]


def stored_expression(source: str, sql: SqlType) -> str:
    """Returns Spark SQL that converts a value of a SQL type to its stored form: the inverse of
    `value_expression`."""
    if sql.name == "TIME":
        return f"time_to_micros({source})"
    if sql.is_day_time:
        return f"unix_millis(timestamp_millis(0) + {source})"
    if sql.is_year_month:
        return f"CAST(CAST({source} AS INTERVAL MONTH) AS INT)"
    return _by_parts(source, sql, stored_expression)


def _by_parts(source: str, sql: SqlType, convert: Callable[[str, SqlType], str]) -> str:
    """Returns Spark SQL that converts the elements of an array, a map or a row, unless they are stored as they are."""
    # A lambda hides variables of the same name around it.
    variable = f"part_{_depth(sql)}"
    parts = [convert(variable, part) for part in sql.arguments]
    if all(part == variable for part in parts):
        return source
    if sql.name == "ROW":
        fields = [(name, f"{source}.{quote_name(name)}") for name in sql.names]
        named = zip(fields, sql.arguments, strict=True)
        values = ", ".join(f"{quote_text(name)}, {convert(field, part)}" for (name, field), part in named)
        return f"if({source} IS NULL, NULL, named_struct({values}))"
    if sql.name == "MAP":
        keys, values = (
            f"transform({function}({source}), {variable} -> {part})"
            for function, part in zip(("map_keys", "map_values"), parts, strict=True)
        )
        return f"map_from_arrays({keys}, {values})"
    return f"transform({source}, {variable} -> {parts[0]})"


def _depth(sql: SqlType) -> int:
    return 1 + max(map(_depth, sql.arguments), default=0)


_SIMPLE: dict[str, pa.DataType] = {
    "BOOLEAN": pa.bool_(),
    "TINYINT": pa.int8(),
    "SMALLINT": pa.int16(),
    "INTEGER": pa.int32(),
    "BIGINT": pa.int64(),
    "REAL": pa.float32(),
    "FLOAT": pa.float64(),
    "DOUBLE": pa.float64(),
    "CHAR": pa.string(),
    "VARCHAR": pa.string(),
    "BINARY": pa.binary(),
    "VARBINARY": pa.binary(),
    "DATE": pa.date32(),
    "TIME": pa.int64(),
    "TIMESTAMP": pa.timestamp("us", "UTC"),
}
