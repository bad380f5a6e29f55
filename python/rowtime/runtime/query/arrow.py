"""Converts rows to Arrow tables and pandas DataFrames."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from rowtime.errors import error
from rowtime.plan.names import names_of
from rowtime.plan.parts import Field
from rowtime.plan.types import SqlType, parse_type
from rowtime.types.columns import arrow_type

if TYPE_CHECKING:
    import pandas as pd


_PIECE = 50_000
"""The number of rows that are converted at a time: values in Python take many times their space in Arrow."""


def arrow_table(fields: Sequence[Field], rows: Iterable[Sequence[Any]]) -> pa.Table:
    """Returns the rows as a table with a column for each field.

    TIMESTAMP is `timestamp[us]` in UTC without zone, TIME `time64[us]`, DECIMAL `decimal128`, a day-time interval
    `duration[us]`, a year-month interval its number of months (`int32`); ARRAY, MAP and ROW are lists, maps and
    structs.
    """
    types = [parse_type(field.type) for field in fields]
    arrow = [arrow_type(sql, _pyspark_type) for sql in types]
    named = zip(names_of(fields), fields, arrow, strict=True)
    schema = pa.schema([pa.field(name, of_arrow, field.nullable) for name, field, of_arrow in named])
    left, batches = iter(rows), []
    while piece := list(islice(left, _PIECE)):
        arrays = [
            pa.array([_value(value, sql) for value in column], of_arrow)
            for column, sql, of_arrow in zip(zip(*piece, strict=True), types, arrow, strict=True)
        ]
        batches.append(pa.RecordBatch.from_arrays(arrays, schema=schema))
    return pa.Table.from_batches(batches, schema=schema)


def pandas_frame(table: pa.Table) -> pd.DataFrame:
    """Returns the table as a pandas DataFrame. Raises RowtimeError RT0616 if pandas is not installed."""
    try:
        import pandas  # noqa: F401
    except ModuleNotFoundError as fault:
        hint = "pip install 'rowtime[pandas]', or use to_arrow(), which needs nothing else"
        raise error("RT0616", "to_pandas() needs the package 'pandas', which is missing", hint=hint) from fault
    return table.to_pandas()


def _pyspark_type(sql: SqlType) -> pa.DataType | None:
    """Returns the Arrow type of the values that PySpark returns for a type, if it differs from that of stored
    columns."""
    if sql.name == "TIMESTAMP":
        return pa.timestamp("us")
    if sql.name == "TIME":
        return pa.time64("us")
    if sql.is_day_time:
        return pa.duration("us")
    if sql.name == "NULL":
        return pa.null()
    return pa.string() if sql.name in ("ANY", "SYMBOL") else None


def _value(value: Any, sql: SqlType) -> Any:
    """Converts a value of PySpark's to the form that Arrow accepts: structs by name, maps as pairs."""
    if value is None or not sql.arguments:
        return value
    if sql.name == "ROW":
        parts = zip(sql.names, value, sql.arguments, strict=True)
        return {name: _value(part, type_) for name, part, type_ in parts}
    if sql.name == "MAP":
        key, of_key = sql.arguments
        items = value.items() if isinstance(value, Mapping) else value
        return [(_value(k, key), _value(v, of_key)) for k, v in items]
    return [_value(element, sql.arguments[0]) for element in value]
