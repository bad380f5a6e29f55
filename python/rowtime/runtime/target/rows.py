"""Converts the rows of a translated plan to the columns that a stream or table stores.

All but the last step runs in Spark: values are converted to the form in which a log stores them (TIME as microseconds,
intervals as milliseconds or months), and reach this process as Arrow, never as Python objects.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc

from rowtime.errors import error
from rowtime.jvm.steps import Selected, applied, select
from rowtime.sparksql.result import OrderKey, Translated
from rowtime.types.columns import Column, arrow_type, schema_of, stored_expression

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


@dataclass(frozen=True)
class TargetRows:
    """A DataFrame with the columns of a target that are filled, followed by those that order the rows."""

    frame: DataFrame
    keys: tuple[OrderKey, ...]

    def in_order(self, rows: pa.Table) -> pa.Table:
        """Returns rows of the DataFrame in order, without the columns of the order."""
        if self.keys and rows.num_rows > 1:
            rows = rows.take(_sort_indices(rows, self.keys))
        return rows.drop_columns([key.column for key in self.keys])

    def sorted(self, batch: DataFrame) -> DataFrame:
        """Returns the same rows as a DataFrame, so they stay in Spark."""
        if self.keys:
            batch = batch.orderBy(*[key.to_spark() for key in self.keys])
        return batch.drop(*[key.column for key in self.keys])


def target_rows(
    result: Translated,
    named: Sequence[Column],
    names: Sequence[str],
    keys: Sequence[OrderKey],
    extra: Mapping[str, str],
    *,
    stored: bool = True,
) -> TargetRows:
    """Puts the fields of a query into the columns `names` of a target whose columns are `named`; `extra` contains Spark
    SQL for columns that the query does not fill. `stored`: in the form of a log; otherwise by their names, in their
    types."""
    by_name = dict(zip(names, result.columns, strict=True))
    selected = []
    for column in named:
        source = f"`{by_name[column.name]}`" if column.name in by_name else extra.get(column.name)
        if source is None:
            continue
        value, name = (stored_expression(source, column.type), column.stored) if stored else (source, column.name)
        selected.append(Selected(value, name))
    order = [OrderKey(f"_order_{i}", key.ascending, key.nulls_first) for i, key in enumerate(keys)]
    selected += [Selected(f"`{key.column}`", own.column) for key, own in zip(keys, order, strict=True)]
    return TargetRows(applied(result.df, select(*selected)), tuple(order))


def complete(owner: str, rows: pa.Table, named: Sequence[Column], clock: str | None) -> pa.Table:
    """Returns the rows with all columns of their target, in its order and its types; missing columns are NULL.

    `clock` names the column in which the system clock replaces NULL. Raises RowtimeError RT0502 if another column that
    is NOT NULL has no value.
    """
    arrays = []
    places = {name: place for place, name in enumerate(rows.column_names)}
    for column in named:
        wanted = arrow_type(column.type)
        if column.stored in places:
            values = rows.column(places[column.stored])
            values = values if values.type == wanted else values.cast(wanted)
        else:
            values = pa.chunked_array([pa.nulls(rows.num_rows, wanted)])
        if values.null_count and not column.nullable and column.name != clock:
            raise error("RT0502", f"A row does not fit {owner}: {column.name}: NULL in a column that is NOT NULL")
        arrays.append(values)
    return pa.Table.from_arrays(arrays, schema=schema_of(named))


def _sort_indices(rows: pa.Table, keys: Sequence[OrderKey]) -> pa.Array:
    columns, order = [], []
    for number, key in enumerate(keys):
        values = rows.column(key.column)
        direction = "ascending" if key.ascending else "descending"
        # Arrow puts all NULLs and NaNs at one end; in SQL each key has its own place for NULLs, and NaN is above all
        # numbers.
        if values.null_count:
            columns.append(pc.is_null(values).cast(pa.int8()))
            order.append((f"n{number}", "descending" if key.nulls_first else "ascending"))
        if pa.types.is_floating(values.type):
            columns.append(pc.fill_null(pc.is_nan(values), False).cast(pa.int8()))
            order.append((f"f{number}", direction))
        columns.append(values)
        order.append((f"k{number}", direction))
    table = pa.Table.from_arrays(columns, names=[name for name, _ in order])
    # A stable sort: rows that are equal in all keys stay in their order.
    return pc.sort_indices(table, sort_keys=order)
