"""Converts the output of a translated plan: its visible columns in the form that Python rows need, and their order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rowtime.jvm.steps import Selected, applied, select
from rowtime.plan.parts import Field
from rowtime.plan.types import parse_type
from rowtime.runtime.launch.output import RowSortKey
from rowtime.sparksql.result import OrderKey, Translated

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def for_python(
    result: Translated, fields: Sequence[Field], keys: Sequence[OrderKey]
) -> tuple[DataFrame, list[RowSortKey]]:
    """Returns the columns in the form that PySpark converts to correct Python values, and the positions of the keys
    among them.

    PySpark turns a TIMESTAMP into the local time of the Python process, so timestamps go without a zone; and it has no
    values for intervals of months, which go as a number of months.
    """
    columns = [
        Selected(_python_form(column, field.type), f"o{i}")
        for i, (column, field) in enumerate(zip(result.columns, fields, strict=True))
    ]
    order = []
    for number, key in enumerate(keys):
        columns.append(Selected(_plain_key(key.column, result), f"k{number}"))
        order.append(RowSortKey(len(fields) + number, not key.ascending, key.nulls_first))
    return applied(result.df, select(*columns)), order


def in_order(frame: DataFrame, order: Sequence[RowSortKey]) -> DataFrame:
    """Returns the DataFrame of `for_python`, sorted in its order."""
    keys = [OrderKey(f"k{i}", not key.descending, key.nulls_first).to_spark() for i, key in enumerate(order)]
    return frame.orderBy(*keys) if keys else frame


def _plain_key(column: str, result: Translated) -> str:
    quoted = f"`{column}`"
    return f"CAST({quoted} AS TIMESTAMP_NTZ)" if dict(result.df.dtypes).get(column) == "timestamp" else quoted


def _python_form(column: str, type_text: str) -> str:
    quoted = f"`{column}`"
    sql = parse_type(type_text)
    if sql.is_year_month:
        return f"(EXTRACT(YEAR FROM {quoted}) * 12 + EXTRACT(MONTH FROM {quoted}))"
    spark = sql.spark()
    if "TIMESTAMP" in spark:
        return f"CAST({quoted} AS {spark.replace('TIMESTAMP', 'TIMESTAMP_NTZ')})"
    return quoted
