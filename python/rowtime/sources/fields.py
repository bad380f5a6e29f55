"""Maps columns to the fields of a source that has names and types of its own, such as a foreign stream or table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from rowtime.errors import RowtimeError
from rowtime.plan.types import quote_name
from rowtime.sources.options import Options
from rowtime.streams.columns import Column
from rowtime.streams.log import ROWTIME

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

NOT_FITTING = "RT0542"


def fields_of(options: Options, columns: Sequence[Column], there: Sequence[str], rowtime: str) -> Mapping[str, str]:
    """Returns the field that fills each column, by the column's name: the field of the same name, ignoring case, or for
    ROWTIME the one named `rowtime`. `there` contains the fields of the source. Raises RowtimeError RT0542 if one is
    missing."""
    folded: dict[str, list[str]] = {}
    for name in there:
        folded.setdefault(name.upper(), []).append(name)
    found = {}
    for column in columns:
        wanted = rowtime if column.name == ROWTIME else column.name
        candidates = folded.get(wanted.upper(), [])
        if not candidates:
            raise options.fault(f"has no field for column {wanted}", NOT_FITTING, f"The fields are {', '.join(there)}")
        if len(candidates) > 1 and wanted not in candidates:
            raise options.fault(f"has several fields for column {wanted}: {', '.join(candidates)}", NOT_FITTING)
        found[column.name] = wanted if wanted in candidates else candidates[0]
    return found


def typed_fields(options: Options, rows: DataFrame, columns: Sequence[Column], rowtime: str) -> DataFrame:
    """Returns the fields of `rows` that fill `columns`, in their types, under their stored names. A value that does not
    fit is an error of the query. Raises RowtimeError RT0542 for a field that is missing or of a type that cannot
    fit."""
    from pyspark.errors import AnalysisException

    source = fields_of(options, columns, rows.columns, rowtime)
    casts = [_cast_sql(column, source[column.name]) for column in columns]
    try:
        return rows.selectExpr(*casts)
    except AnalysisException:
        types = dict(rows.dtypes)
        for column, cast in zip(columns, casts, strict=True):
            try:
                rows.selectExpr(cast)
            except AnalysisException:
                raise misfit_error(options, column, types[source[column.name]]) from None
        raise


def misfit_error(options: Options, column: Column, type: str) -> RowtimeError:
    """Returns the error for a column whose field has another type, as the source names it."""
    return options.fault(
        f"has column {column.name} {column.text}, whose field is {type}",
        NOT_FITTING,
        "Declare the column in a type to which the field can be cast",
    )


def _cast_sql(column: Column, field: str) -> str:
    return f"CAST({quote_name(field)} AS {column.type.spark()}) AS `{column.stored}`"
